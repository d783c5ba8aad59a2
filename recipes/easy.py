"""EASY backfilling as a program: backfill run -policy 'exec:python3 easy.py' ..."""
import json
import sys

queue = []  # the waiting jobs, first in, first out
running = {}  # by id: expected end, and what the job holds


def needs(x):
    return [x["procs"], *x["resources"]]


def fits(need, free):
    return all(n <= f for n, f in zip(need, free))


def add(a, b, sign=1):
    return [x + sign * y for x, y in zip(a, b)]


def schedule(now, free):
    starts, because = [], {}

    def start(job, why):
        queue.remove(job)
        running[job["id"]] = (now + job["estimate"], needs(job))
        starts.append(job["id"])
        because[job["id"]] = why
        return add(free, needs(job), -1)

    while queue and fits(needs(queue[0]), free):
        free = start(queue[0], "it was first in the queue")
    if not queue:
        return starts, because

    # The first job must wait. Find the time when it can start, and what it leaves free at that time.
    head, shadow, extra = needs(queue[0]), now, free
    for end, held in sorted(running.values()):
        if fits(head, extra) and end > shadow:
            break
        shadow, extra = end, add(extra, held)
    extra = add(extra, head, -1)
    because[queue[0]["id"]] = f"it is first in the queue and can start at {shadow}"

    for job in queue[1:]:
        if not fits(needs(job), free):
            continue
        if now + job["estimate"] <= shadow:
            free = start(job, f"it ends by {shadow}, when the first job starts")
        elif fits(needs(job), extra):
            extra = add(extra, needs(job), -1)
            free = start(job, "it needs only what the first job leaves free")
    return starts, because


for line in sys.stdin:
    message = json.loads(line)
    answer = {}
    if "now" in message:  # the first message describes the machine instead
        for job in message["ended"]:
            del running[job]
        for job in message.get("ends", []):
            running[job["id"]] = (job["end"], running[job["id"]][1])
        queue += message["submitted"]
        starts, because = schedule(message["now"], needs(message["free"]))
        answer = {"start": starts, "because": because}
    print(json.dumps(answer), flush=True)
