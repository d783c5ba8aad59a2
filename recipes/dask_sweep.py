"""Runs a sweep (an experiment with many runs) in parts on a Dask cluster, and joins the tables.

Usage: dask_sweep.py DEFINITION PARTS [SCHEDULER]

DEFINITION is the file that describes the sweep, on a file system that all workers share. PARTS is
the number of parts. All workers need the command backfill on their PATH. SCHEDULER is an address
such as tcp://10.0.0.1:8786. Without it, Dask starts workers on this machine.
"""

import pathlib
import subprocess
import sys

import distributed


def make_part(definition, part, parts):
    """Make one part. If it was stopped before, continue where it stopped."""
    shard = f"{part}/{parts}"
    subprocess.run(["backfill", "sweep", definition, "-shard", shard, "-workers", "1", "-quiet"], check=True)


def main(definition, parts, scheduler=None):
    path = pathlib.Path(definition).resolve()
    with distributed.Client(scheduler) as client:
        # Dask repeats a part if its process fails or its worker is lost.
        tasks = [client.submit(make_part, str(path), i + 1, parts, pure=False, retries=3) for i in range(parts)]
        client.gather(tasks)
    tables = path.with_suffix(f".*-of-{parts}.csv")
    subprocess.run(["backfill", "collect", path, tables, "-out", path.with_suffix(".csv")], check=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
