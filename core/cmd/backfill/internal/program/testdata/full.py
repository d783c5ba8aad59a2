"""FCFS that reads all waiting and running jobs from each message, and checks them."""
import json
import sys

print('{"full": true}', flush=True)
procs = json.loads(input())["machine"]["procs"]
for line in sys.stdin:
    message = json.loads(line)
    free = message["free"]["procs"]
    assert free + sum(job["procs"] for job in message["running"]) == procs
    assert all(job["start"] < message["now"] < job["end"] for job in message["running"])
    starts = []
    for job in message["waiting"]:
        assert job["submit"] <= message["now"]
        if job["procs"] > free:
            break
        free -= job["procs"]
        starts.append(job["id"])
    print(json.dumps({"start": starts}), flush=True)
