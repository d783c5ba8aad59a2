"""Finds and runs the command ``backfill``."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Callable, Mapping, Sequence

PathLike = str | os.PathLike

Progress = bool | Callable[[int, int], None]
"""True prints the progress to standard error. A function receives the number of finished runs and of all runs."""


class BackfillError(Exception):
    """An error of the command, or of a value passed to this package. ``str(error)`` is the message.
    ``code`` is the exit code of the command: 1 for invalid input, 2 for wrong usage, negative for a
    signal. It is None if the command did not run."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


def find(command: PathLike | None = None) -> str:
    """Return the path of the command: the argument, else the environment variable BACKFILL, else
    the program ``backfill`` on PATH. Raise BackfillError if there is none."""
    name = os.fspath(command or os.environ.get("BACKFILL") or "backfill")
    found = shutil.which(name)
    if found is None:
        raise BackfillError(f"expected the command backfill, got no program {name}. Build it with make native, "
                            "and pass its path as command, or set the environment variable BACKFILL")
    return os.path.abspath(found)


def execute(args: Sequence[str], command: PathLike | None = None, progress: Progress = False) -> str:
    """Run the command and return its standard output. Raise BackfillError if it fails. If Python is
    interrupted, the command finishes and stores the runs in progress."""
    with tempfile.TemporaryFile() as out:  # not a pipe, which would block the command when it is full
        with subprocess.Popen([find(command), *args], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                              encoding="utf-8", errors="replace") as process:
            try:
                message = _read_messages(process, progress)
            except BaseException:
                process.terminate()
                process.communicate()  # waits, and reads what the command still writes
                raise
        if process.returncode != 0:
            text = message.strip() or f"the command ended with code {process.returncode}"
            raise BackfillError(text.removeprefix("backfill: "), process.returncode)
        out.seek(0)
        return out.read().decode("utf-8")


def _read_messages(process: subprocess.Popen, report: Progress) -> str:
    """Read standard error to its end, report progress, and return all other lines."""
    lines = []
    for line in process.stderr:
        count = re.match(r"(\d+)/(\d+) runs$", line)
        if count is None:
            lines.append(line)
        elif callable(report):
            report(int(count[1]), int(count[2]))
        elif report:
            print(f"\r{count[1]} of {count[2]} runs", end="\n" if count[1] == count[2] else "", file=sys.stderr, flush=True)
    return "".join(lines)


def flags(options: Mapping[str, Any]) -> list[str]:
    """Return flags of the command. None and False omit a flag, True sets it, and a list repeats it."""
    args = []
    for name, value in options.items():
        for x in value if isinstance(value, (list, tuple)) else [value]:
            if x is not None and x is not False:
                args.append(f"-{name}" if x is True else f"-{name}={x}")
    return args
