"""Writes scenarios as files for the command, and reads the tables that it writes."""
from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from pathlib import Path
from typing import Any, Iterable, Mapping

import pandas as pd

from ._command import BackfillError, PathLike

Scenario = PathLike | Mapping[str, Any] | pd.DataFrame
"""The path of a file, the content of a scenario as a dict (its jobs may be a frame), or a frame of jobs."""

RESULTS = ("start", "finish", "promised", "segments", "alloc", "fair")  # columns of a schedule that are results of a run
JOB_TIMES = ("submit", "start", "finish", "runtime", "estimate", "promised", "fair")
TEXTS = ("job", "segments", "alloc", "workload", "policy", "knobs", "title", "key", "metric", "unit")
WHOLE = (*JOB_TIMES, "procs", "run", "seed", "runs", "pairs", "baseline")


def jobs_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the jobs of a frame as the list ``jobs`` of a scenario. The columns are the fields of a
    job, see docs/formats.md. Names of jobs are in the column id or job; without both, the index names
    the jobs. Times are seconds or Timedelta. Columns of results, such as start, are left out."""
    frame = frame if "id" in frame else frame.rename(columns={"job": "id"})
    frame = frame.drop(columns=[c for c in RESULTS if c in frame])
    jobs = []
    for index, values in zip(frame.index, frame.itertuples(index=False, name=None)):
        job = {str(c): plain(v) for c, v in zip(frame.columns, values) if not pd.api.types.is_scalar(v) or pd.notna(v)}
        jobs.append({**job, "id": str(job.get("id", index))})
    return jobs


def plain(value: Any) -> Any:
    """Return a value in a form that JSON can contain: a Timedelta in seconds, a whole float as an int."""
    if isinstance(value, pd.Timedelta):
        value = value.total_seconds()
    value = value.item() if hasattr(value, "item") else value  # a number of numpy
    return int(value) if isinstance(value, float) and value.is_integer() else value


def settings(knobs: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return knobs with their values as texts. A list of values becomes a list of texts."""
    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(plain(value))
    return {k: [text(x) for x in v] if isinstance(v, (list, tuple)) else text(v) for k, v in (knobs or {}).items()}


def content(scenario: Scenario, nodes: int | None = None) -> dict[str, Any]:
    """Return a scenario as the content of a scenario file, without changing the argument. The number
    of nodes is needed for a frame, and for a file that is not a scenario."""
    if isinstance(scenario, pd.DataFrame):
        out: dict[str, Any] = {"version": 1, "workload": {"jobs": jobs_of(scenario)}}
    elif isinstance(scenario, Mapping):
        out = {"version": 1, **scenario}
        if isinstance(out.get("workload", {}).get("jobs"), pd.DataFrame):
            out["workload"] = {**out["workload"], "jobs": jobs_of(out["workload"]["jobs"])}
    elif os.fspath(scenario).endswith(".json"):
        try:
            out = dict(json.loads(Path(scenario).read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise BackfillError(f"{os.fspath(scenario)}: expected the file of a scenario, got {error}") from error
        if "file" in out.get("workload", {}):
            out["workload"]["file"] = str(Path(scenario).parent / out["workload"]["file"])
    else:
        out = {"version": 1, "workload": {"file": os.fspath(scenario)}}
    if nodes is not None:
        out["machine"] = {**out.get("machine", {}), "nodes": nodes}
    if "machine" not in out:
        raise BackfillError("expected the argument nodes, the number of nodes of the machine, got none")
    return out


def copy_jobs_file(scenario: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Copy the file of jobs that a scenario names into a folder. Return the scenario with the name and
    the hash of the copy, or unchanged if it names no file. Names are relative to the current folder."""
    name = scenario.get("workload", {}).get("file")
    if not name:
        return scenario
    try:
        digest = hashlib.sha256(Path(name).read_bytes()).hexdigest()
        copy = folder / f"{digest[:8]}-{Path(name).name}"
        shutil.copyfile(name, copy)
    except OSError as error:
        raise BackfillError(f"{name}: expected a file with jobs, got {error.strerror}") from error
    return {**scenario, "workload": {**scenario["workload"], "file": copy.name, "sha256": digest}}


def write_json(name: Path, value: Any) -> Path:
    """Write a JSON file and return its name. Raise BackfillError if JSON cannot contain the value."""
    try:
        name.write_text(json.dumps(value, default=lambda v: str(v) if plain(v) is v else plain(v), allow_nan=False, indent=1), "utf-8")
    except (TypeError, ValueError) as error:
        raise BackfillError(f"expected values that JSON can contain, got {error}") from error
    return name


def read_table(name: Path) -> pd.DataFrame:
    """Return a table that the command wrote, with its comment lines in ``attrs``. Whole numbers are
    Int64, with NA if unknown. Unknown decimal numbers are NaN, and unknown texts are empty."""
    text, attrs = name.read_text("utf-8"), {}
    while text.startswith("# "):
        line, _, text = text.partition("\n")
        attrs.update([line[2:].split(": ", 1)])
    text = text.partition("\n# end: ")[0] if "sweep" in attrs else text
    kinds = {c: "str" if c in TEXTS else "Int64" if c in WHOLE else "float64" for c in text.partition("\n")[0].split(",")}
    unknown = {c: [""] for c, kind in kinds.items() if kind != "str"}
    frame = pd.read_csv(io.StringIO(text), dtype=kinds, keep_default_na=False, na_values=unknown, float_precision="round_trip")
    frame.attrs.update(attrs)
    return frame


def to_timedelta(frame: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """Return a frame with columns of seconds as Timedelta. Unknown times become NaT. Times beyond
    292 years raise pandas' OutOfBoundsTimedelta."""
    return frame.assign(**{c: pd.to_timedelta(frame[c], unit="s") for c in columns if c in frame})
