"""The functions of the package."""
from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence

import pandas as pd

from ._command import BackfillError, PathLike, Progress, execute, flags
from ._files import JOB_TIMES, Scenario, content, copy_jobs_file, read_table, settings, to_timedelta, write_json

Definition = PathLike | Mapping[str, Any]
"""The path of a definition file, or its content as a dict. In the dict, a scenario may also be a path."""


@dataclass(frozen=True)
class Run:
    """The results of a run. Times are in seconds, or Timedelta on request.

    ``jobs`` has a row for each job, in the order of submission, with the columns of the schedule in
    docs/formats.md: job, submit, start, finish, procs, runtime, estimate, promised, segments, alloc.
    The option fair of ``run`` adds the column fair. Unknown times are NA. ``metrics`` has a row for
    each metric of docs/metrics.md, with its name as the index, and the columns title, unit and value.
    The value is NaN if the metric does not apply. ``text`` is the summary that the command prints.
    """

    jobs: pd.DataFrame
    metrics: pd.DataFrame
    text: str

    def __getitem__(self, metric: str) -> float:
        """Return the value of a metric, such as ``run["mean-wait"]``."""
        return self.metrics.loc[metric, "value"]

    def __repr__(self) -> str:
        return self.text.rstrip("\n")


def run(scenario: Scenario, policy: str | None = None, knobs: Mapping[str, Any] | None = None, *, nodes: int | None = None,
        options: Mapping[str, Any] | None = None, timedelta: bool = False, command: PathLike | None = None) -> Run:
    """Run one policy on one workload.

    scenario: the path of a scenario, a trace (.swf), a table (.csv) or accounting records (.sacct);
        or the content of a scenario as a dict; or a frame with a row for each job (id, submit,
        procs, estimate, runtime; times in seconds or as Timedelta).
    policy: name of the policy; without it, the first policy of the scenario.
    knobs: parameters of the policy, such as ``{"order": "sjf"}``; they need a policy.
    nodes: number of nodes of the machine, if the scenario does not describe a machine.
    options: further flags of ``backfill run``, such as ``{"limit": 500}``. A list repeats the flag.
    timedelta: return the times of the jobs as Timedelta. Metrics stay in seconds.
    command: path of the command ``backfill``.

    Raise BackfillError with the message of the command if the input is invalid.
    """
    with tempfile.TemporaryDirectory(prefix="backfill-") as name:
        folder, file = Path(name), scenario
        if isinstance(scenario, (pd.DataFrame, Mapping)):
            full = {"policies": [{"name": policy}] if policy else [], **content(scenario, nodes)}
            file, nodes = write_json(folder / "scenario.json", copy_jobs_file(full, folder)), None
        chosen = {"nodes": nodes, "policy": policy, "set": [f"{k}={v}" for k, v in settings(knobs).items()]}
        args = ["run", *flags({"in": file, **chosen, **(options or {})}), *flags({"jobs": folder / "jobs.csv", "metrics": folder / "metrics.csv"})]
        try:
            text = execute(args, command)
        except BackfillError as error:
            raise BackfillError(str(error).replace(f"{folder / 'scenario.json'}", "scenario"), error.code) from None
        jobs = read_table(folder / "jobs.csv")
        return Run(to_timedelta(jobs, JOB_TIMES) if timedelta else jobs, read_table(folder / "metrics.csv").set_index("metric"), text)


def sweep(definition: Definition, *, timedelta: bool = False, **options: Any) -> pd.DataFrame:
    """Run every policy on every workload of an experiment, at each load and with each seed.

    definition: the path of a definition file, or its content as a dict; see docs/experiments.md.
    timedelta: return metrics in seconds as Timedelta.
    folder: where finished runs are stored. The default is the folder of the definition file; for
        a dict, a folder in the user's cache. The same call continues an interrupted sweep.
    workers: number of parallel runs; by default one for each processor.
    fresh: True to delete all stored runs first.
    progress: True to print the number of finished runs, or a function that gets the number of
        finished runs and the number of all runs.
    command: path of the command ``backfill``.

    Return a frame with a row for each run. Its first columns describe the run: run, workload,
    load, seed, policy, knobs, title and key, then a column for each knob. If a knob has the name of
    another column, its column gets the prefix "knob.". A column for each metric follows. ``attrs`` holds the
    program, the hash of the sweep, and in "units" the unit of each metric. Raise BackfillError with
    the message of the command if the definition is invalid.
    """
    table, means = _tables(definition, **options)
    units = dict(zip(means["metric"], means["unit"]))
    out = _with_knobs(to_timedelta(table, [m for m, unit in units.items() if unit == "s"]) if timedelta else table)
    out.attrs.update(table.attrs, units=units)
    return out


def summary(definition: Definition, **options: Any) -> pd.DataFrame:
    """Return the means of a sweep over its seeds, with 95 % confidence intervals.

    The arguments are the same as for ``sweep``, but without timedelta. The frame has a row for each workload,
    load, metric and policy. ``mean`` is in the ``unit`` of the metric; ``low`` and ``high`` are the
    bounds of its interval. ``difference`` compares with the baseline on the same seeds, as a
    fraction of the baseline's mean (-0.08 means 8 % less). ``difference-low`` and
    ``difference-high`` are the bounds of its interval. If the interval contains 0, the runs show no
    difference. ``runs`` and ``pairs`` are the numbers of values in the two intervals. Bounds are
    NaN if there is only one value.
    """
    means = _tables(definition, **options)[1]
    return means.assign(baseline=means["baseline"] == 1)


def compare(scenario: Scenario, policies: Sequence[str | Mapping[str, Any]], *, seeds: int | Sequence[int] | None = None,
            loads: Sequence[float] = (1,), metrics: Sequence[str] | None = None, nodes: int | None = None, **options: Any) -> pd.DataFrame:
    """Compare policies on one workload. Return the frame of ``summary``.

    scenario and nodes: as in ``run``.
    policies: names, or dicts with name, knobs, title and baseline. The first one is the baseline,
        unless another one has ``"baseline": True``.
    seeds: how many seeds to use (1, 2, 3 ...), or a list of seeds. Only generated workloads have
        seeds. With fewer than two seeds, there are no intervals.
    loads: load factors; 2 lets jobs arrive twice as fast. metrics: names, see docs/metrics.md.
    options: further arguments of ``summary``.
    """
    optional = {"seeds": {"from": 1, "count": seeds} if isinstance(seeds, int) else seeds, "metrics": metrics}
    return summary({"workloads": [{"name": "workload", "scenario": content(scenario, nodes)}], "loads": loads,
                    "policies": [{"name": p} if isinstance(p, str) else p for p in policies],
                    **{k: v for k, v in optional.items() if v is not None}}, **options)


def study(name: str, files: Sequence[PathLike] = (), *, options: Mapping[str, Any] | None = None,
          folder: PathLike | None = None, command: PathLike | None = None) -> pd.DataFrame:
    """Reproduce a figure or table of a paper with ``backfill study``, and return its table.

    name: name of the study; ``backfill study -list`` lists all. files: SWF traces, which only some
    studies need. options: further flags, such as ``{"limit": 2000}``. folder: where finished runs are
    stored, by default in the user's cache. The index of the frame is the table's first column.
    """
    cells = _folder(folder, "studies") / "cells.jsonl"
    with tempfile.TemporaryDirectory(prefix="backfill-") as out:
        execute(["study", name, *map(os.fspath, files), *flags({"out": out, "cells": cells, "quiet": True, **(options or {})})], command)
        return pd.read_csv(Path(out) / f"{name}.csv", index_col=0)


def _tables(definition: Definition, *, folder: PathLike | None = None, workers: int | None = None, fresh: bool = False,
            progress: Progress = False, command: PathLike | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run a sweep and return its table and its summary."""
    file = _write_definition(definition, folder) if isinstance(definition, Mapping) else Path(definition)
    runs = (_folder(folder) if folder else file.parent) / f"{file.stem}.runs"
    with tempfile.TemporaryDirectory(prefix="backfill-") as name:
        table, means = Path(name) / "table.csv", Path(name) / "summary.csv"
        args = flags({"out": table, "summary": means, "runs": runs, "workers": workers, "fresh": fresh, "progress": bool(progress), "quiet": True})
        execute(["sweep", str(file), *args], command, progress)
        return read_table(table), read_table(means)


def _write_definition(definition: Mapping[str, Any], folder: PathLike | None) -> Path:
    """Write a definition and the files that its workloads name to a folder. Return its path."""
    full = {"version": 1, **definition}
    full["policies"] = [{**p, "knobs": settings(p.get("knobs"))} for p in full.get("policies", [])]
    full["workloads"] = [{**w, "scenario": content(w["scenario"])} if "scenario" in w else w for w in full.get("workloads", [])]
    digest = hashlib.sha256(json.dumps(full, sort_keys=True, default=str).encode()).hexdigest()
    target = _folder(folder, "sweeps", digest[:20])
    full["workloads"] = [{**w, "scenario": copy_jobs_file(w["scenario"], target)} if "scenario" in w else w for w in full["workloads"]]
    return write_json(target / "sweep.json", full)


def _folder(name: PathLike | None, *parts: str) -> Path:
    """Return the folder with a name, or without a name a folder in the user's cache. Make it if it
    does not exist."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "backfill-lab", *parts)
    folder = Path(name) if name else cache
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _with_knobs(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of runs with a column for each knob after the column key. If all values of a
    column are numbers, they become numbers. A knob that a policy does not set is NaN, or an empty text."""
    knobs = pd.DataFrame([dict(re.findall(r"(?:^| )([a-z][a-z0-9.-]*)=(.*?)(?= [a-z][a-z0-9.-]*=|$)", text)) for text in table["knobs"]], index=table.index)
    for c in knobs.columns:
        numbers = pd.to_numeric(knobs[c], errors="coerce")
        knobs[c] = numbers if numbers.notna().equals(knobs[c].notna()) else knobs[c].fillna("")
    knobs = knobs.rename(columns={c: f"knob.{c}" for c in knobs.columns if c in table})
    after = list(table.columns).index("key") + 1
    return pd.concat([table.iloc[:, :after], knobs, table.iloc[:, after:]], axis=1)
