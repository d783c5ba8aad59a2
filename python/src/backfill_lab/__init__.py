"""Run Backfill Lab's simulations of parallel job schedulers from Python.

The package calls the command ``backfill`` and returns its results as pandas DataFrames. All times
are in seconds, unless you pass ``timedelta=True``. The documentation is in docs/python.md.
"""
from ._api import Run, compare, run, study, summary, sweep
from ._command import BackfillError

__all__ = ["BackfillError", "Run", "compare", "run", "study", "summary", "sweep"]
