"""Runs a sweep (an experiment with many runs) in parts on a Ray cluster, and joins the tables.

Usage: ray_sweep.py DEFINITION PARTS [ADDRESS]

DEFINITION is the file that describes the sweep, on a file system that all nodes share. PARTS is the
number of parts. All nodes need the command backfill on their PATH. ADDRESS is the address of the
cluster, or auto on one of its machines. Without it, Ray starts on this machine.
"""

import pathlib
import subprocess
import sys

import ray


# Ray repeats a part if its process fails or its node is lost.
@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
def make_part(definition, part, parts):
    """Make one part. If it was stopped before, continue where it stopped."""
    shard = f"{part}/{parts}"
    subprocess.run(["backfill", "sweep", definition, "-shard", shard, "-workers", "1", "-quiet"], check=True)


def main(definition, parts, address=None):
    path = pathlib.Path(definition).resolve()
    ray.init(address=address)
    ray.get([make_part.remote(str(path), i + 1, parts) for i in range(parts)])
    tables = path.with_suffix(f".*-of-{parts}.csv")
    subprocess.run(["backfill", "collect", path, tables, "-out", path.with_suffix(".csv")], check=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
