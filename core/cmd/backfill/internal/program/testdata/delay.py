"""Promises each job a start 5 s after its submission and keeps the promise, on a machine large enough for all jobs."""
import json
import sys

input()
print("{}", flush=True)
due = {}
for line in sys.stdin:
    message = json.loads(line)
    now = message["now"]
    assert message.get("woke", False) == (now in due.values())
    promises = {job["id"]: now + 5 for job in message["submitted"]}
    due |= promises
    starts = [job for job, at in due.items() if at == now]
    for job in starts:
        del due[job]
    answer = {"start": starts, "promise": promises, "because": {job: "it had to wait 5 s" for job in starts}}
    for job in promises:
        answer["because"][job] = "it starts 5 s after its submission"
    if due:
        answer["wake"] = min(due.values())
    print(json.dumps(answer), flush=True)
