"""Tests the package with the built command. BACKFILL names it; the default is build/bin/backfill."""

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import pandas as pd

import backfill_lab
from backfill_lab import BackfillError, compare, run, study, summary, sweep
from backfill_lab._command import find

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("BACKFILL", str(ROOT / "build" / "bin" / "backfill"))

JOBS = pd.DataFrame({"id": ["a", "NA", "# c"], "submit": [0, 1, 2], "procs": [3, 4, 1], "estimate": [20, 10, 30], "runtime": [12, 8, 25]})
LUBLIN = {"machine": {"nodes": 64}, "workload": {"generator": "lublin", "parameters": {"jobs": 60}, "seed": 1}}
DEFINITION = {
    "workloads": [{"name": "drawn", "scenario": LUBLIN}], "seeds": {"from": 1, "count": 4}, "loads": [1, 1.5],
    "policies": [{"name": "easy", "knobs": {"order": ["fifo", "sjf"]}}, {"name": "moldable", "knobs": {"threshold": [0.5, 1]}}],
    "metrics": ["mean-wait", "promises-kept", "utilization"],
}


def trace(rows):
    """Return an SWF trace of jobs on 2 of 4 processors."""
    return "; MaxProcs: 4\n" + "".join(f"{i} {10 * i} -1 {r} 2 -1 -1 2 {2 * r} -1 1 1 1 1 1 1 -1 -1\n" for i, r in enumerate(rows, 1))


class Case(unittest.TestCase):
    """A test with an empty folder, in which the package also keeps its stored runs."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        patch = mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.folder / "cache")})
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, name, text):
        (self.folder / name).write_text(text, "utf-8")
        return self.folder / name

    def command(self, *args):
        return subprocess.run([find(), *map(str, args)], check=True, capture_output=True, text=True, cwd=self.folder).stdout


class RunTest(Case):
    def test_frame_dict_and_path_agree(self):
        scenario = {"version": 1, "machine": {"nodes": 4}, "workload": {"jobs": JOBS.to_dict("records")}, "policies": [{"name": "easy"}]}
        before = json.dumps(scenario)
        path = self.write("s.json", before)
        results = [run(JOBS, "easy", nodes=4), run(scenario), run(path), run(str(path), "easy"),
                   run({"machine": {"nodes": 4}, "workload": {"jobs": JOBS}}, "easy"), run(JOBS.set_index("id"), "easy", nodes=4)]
        for r in results:
            pd.testing.assert_frame_equal(r.jobs, results[0].jobs)
            pd.testing.assert_frame_equal(r.metrics, results[0].metrics)
        self.assertEqual(json.dumps(scenario), before, "the argument is unchanged")
        self.assertEqual(results[0].jobs["job"].tolist(), ["a", "NA", "# c"])
        self.assertEqual(results[0].jobs["start"].tolist(), [0, 12, 20])

    def test_equals_the_files_of_the_command(self):
        self.write("s.json", json.dumps({"version": 1, **LUBLIN, "policies": [{"name": "conservative"}]}))
        self.command("run", "-in", "s.json", "-jobs", "jobs.csv", "-metrics", "metrics.json", "-fair", "sabin")
        r = run(self.folder / "s.json", options={"fair": "sabin"})
        want = pd.read_csv(self.folder / "jobs.csv", dtype={"job": str})
        self.assertEqual(list(r.jobs.columns), list(want.columns))
        for c in want.columns:
            self.assertEqual(r.jobs[c].tolist(), want[c].tolist(), c)
        metrics = json.loads((self.folder / "metrics.json").read_text())["metrics"]
        self.assertEqual(r.metrics["value"].astype(object).where(r.metrics["value"].notna(), None).to_dict(), metrics)
        self.assertEqual(r["mean-wait"], metrics["mean-wait"])
        self.assertEqual(r.metrics.loc["mean-wait", "unit"], "s")
        self.assertIn("Mean wait", repr(r))

    def test_timedelta(self):
        seconds, times = run(JOBS, "easy", nodes=4), run(JOBS, "easy", nodes=4, timedelta=True)
        for c in ("submit", "start", "finish", "runtime", "estimate"):
            self.assertEqual((times.jobs[c] / pd.Timedelta(seconds=1)).tolist(), seconds.jobs[c].tolist(), c)
        self.assertTrue(times.jobs["promised"].isna().all(), "EASY promises nothing")
        again = run(times.jobs, "easy", nodes=4)
        pd.testing.assert_frame_equal(again.jobs, seconds.jobs, obj="a schedule as jobs, with times as Timedelta")

    def test_knobs_and_options(self):
        trained = run(JOBS, "conservative", {"compress": "none"}, nodes=4, options={"limit": 2, "shift": True, "full": False})
        self.assertEqual(len(trained.jobs), 2)
        self.assertIn("compress=none", trained.text)
        two = run(JOBS, "easy", nodes=4, options={"keep": ["procs=1:3", "runtime=20:30"]})
        self.assertEqual(two.jobs["job"].tolist(), ["# c"])

    def test_outage(self):
        blocked = {"machine": {"nodes": 4, "blocks": [{"from": 0, "to": 10, "procs": 4}]}, "workload": {"jobs": JOBS}}
        self.assertEqual(run(blocked, "easy").jobs["start"].min(), 10)

    def test_errors(self):
        for message, call in [
            (r"^scenario: jobs, row 1, procs: expected at most the machine's 2, got 3$", lambda: run(JOBS, "easy", nodes=2)),
            ("^-policy: expected one of", lambda: run(JOBS, "nonsense", nodes=4)),
            ("expected the argument nodes", lambda: run(JOBS, "easy")),
            ("no.swf: expected a readable file", lambda: run("no.swf", "easy")),
            ("no.json: expected the file of a scenario", lambda: compare("no.json", ["easy"])),
            ("no.swf: expected a file with jobs", lambda: compare("no.swf", ["easy"], nodes=4)),
            ('row 1, submit: expected .* got "2026-03-01', lambda: run(JOBS.assign(submit=pd.Timestamp("2026-03-01")), "easy", nodes=4)),
            ("expected values that JSON can contain", lambda: run({"machine": {"nodes": float("inf")}, "workload": {}}, "easy")),
            ("got no program", lambda: run(JOBS, "easy", nodes=4, command=self.folder / "none")),
            ("metrics, row 1: expected the name of a metric", lambda: compare(LUBLIN, ["easy"], metrics=["speed"])),
            ("policies: expected at least one entry", lambda: summary({"workloads": DEFINITION["workloads"]})),
        ]:
            with self.assertRaisesRegex(BackfillError, message):
                call()
        with self.assertRaises(BackfillError) as caught:
            run(JOBS, "easy", nodes=2)
        self.assertEqual(caught.exception.code, 1)


class SweepTest(Case):
    def test_equals_the_table_of_the_command(self):
        frame = sweep(DEFINITION, folder=self.folder)
        self.command("sweep", "sweep.json", "-out", "x.csv", "-quiet")
        want = pd.read_csv(self.folder / "x.csv", comment="#", float_precision="round_trip")
        self.assertEqual(len(frame), 32)
        for c in want.columns:
            pd.testing.assert_series_equal(frame[c], want[c], check_dtype=False)
        self.assertEqual(list(frame.columns[:10]), ["run", "workload", "load", "seed", "policy", "knobs", "title", "key", "order", "threshold"])
        self.assertEqual(frame["order"].tolist()[:4], ["fifo", "sjf", "", ""])
        self.assertEqual(frame["threshold"].tolist()[2:4], [0.5, 1.0])
        self.assertEqual(frame.attrs["units"], {"mean-wait": "s", "promises-kept": "jobs", "utilization": ""})
        self.assertIn("# sweep: " + frame.attrs["sweep"], (self.folder / "x.csv").read_text())
        times = sweep(DEFINITION, folder=self.folder, timedelta=True)
        self.assertEqual((times["mean-wait"] / pd.Timedelta(seconds=1)).round(6).tolist(), frame["mean-wait"].round(6).tolist())

    def test_progress_and_stored_runs(self):
        calls = []
        first = sweep(DEFINITION, progress=lambda done, total: calls.append((done, total)))
        self.assertEqual(calls[-1], (32, 32))
        self.assertEqual(calls, sorted(calls))
        calls.clear()
        pd.testing.assert_frame_equal(sweep(DEFINITION, progress=lambda *n: calls.append(n)), first)
        self.assertEqual(calls, [], "the second call finds all runs")
        sweep(DEFINITION, fresh=True, workers=1, progress=lambda *n: calls.append(n))
        self.assertEqual(calls[-1], (32, 32))

    def test_changed_trace(self):
        swf = self.write("t.swf", trace([100, 50, 30]))
        first = compare(swf, ["fcfs", "easy"], nodes=2, metrics=["mean-response"])
        self.assertEqual(first["runs"].tolist(), [1, 1])
        self.assertTrue(first["low"].isna().all(), "a trace has one value and no interval")
        self.write("t.swf", trace([100, 50, 300]))
        self.assertGreater(compare(swf, ["fcfs"], nodes=2, metrics=["mean-response"])["mean"][0], first["mean"][0])

    def test_summary(self):
        means = compare(LUBLIN, ["easy", {"name": "easy", "knobs": {"order": "sjf"}}], seeds=6, loads=[1, 2], metrics=["mean-wait"])
        runs = sweep({**DEFINITION, "policies": [{"name": "easy", "knobs": {"order": ["fifo", "sjf"]}}], "seeds": {"from": 1, "count": 6}, "loads": [1, 2]})
        for i, (load, order) in enumerate([(1, "fifo"), (1, "sjf"), (2, "fifo"), (2, "sjf")]):
            values = runs[(runs["load"] == load) & (runs["order"] == order)]["mean-wait"]
            half = 2.570581835636314 * values.std() / 6**0.5  # Student's t with 5 degrees of freedom
            self.assertAlmostEqual(means["mean"][i], values.mean(), places=6)
            self.assertAlmostEqual(means["high"][i], values.mean() + half, places=4)
            self.assertEqual(means["baseline"][i], order == "fifo")
        self.assertAlmostEqual(means["difference"][1], means["mean"][1] / means["mean"][0] - 1)
        self.assertTrue(means["difference-low"][1] < means["difference"][1] < means["difference-high"][1])
        self.assertTrue(pd.isna(means["difference"][0]))

    def test_definition_in_a_file(self):
        self.write("t.swf", trace([100, 50, 30]))
        file = self.write("d.json", json.dumps({"version": 1, **DEFINITION, "policies": [{"name": "fcfs"}], "workloads": [
            {"name": "t", "scenario": {"version": 1, "machine": {"nodes": 4}, "workload": {"file": "t.swf"}}}]}))
        self.assertEqual(len(sweep(file)), 2)
        self.assertTrue((self.folder / "d.runs").exists(), "runs are stored next to the definition")
        self.assertFalse((self.folder / "d.csv").exists(), "the table is returned, not written")

    @unittest.skipIf(sys.platform == "win32", "Windows has no SIGINT for a single process")
    def test_interrupt_keeps_finished_runs(self):
        large = {**DEFINITION, "seeds": {"from": 1, "count": 400}, "workloads": [
            {"name": "drawn", "scenario": {"version": 1, **LUBLIN, "workload": {"generator": "lublin", "parameters": {"jobs": 2000}, "seed": 1}}}]}
        self.write("d.json", json.dumps({**large, "version": 1, "policies": [{"name": "easy"}]}))
        code = f"import backfill_lab; backfill_lab.sweep({str(self.folder / 'd.json')!r}, workers=1)"
        path = os.pathsep.join([str(Path(backfill_lab.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.PIPE)
        stored = self.folder / "d.runs"
        for _ in range(600):
            self.assertIsNone(process.poll(), "the sweep still runs")
            if stored.exists() and stored.stat().st_size > 2000:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn(b"KeyboardInterrupt", errors)
        lines = stored.read_bytes().count(b"\n")
        self.assertGreater(lines, 2)
        time.sleep(0.3)
        self.assertEqual(stored.read_bytes().count(b"\n"), lines, "the command has ended")


class CommandTest(Case):
    def test_find(self):
        program = self.write("backfill", "#!/bin/sh\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}):
            self.assertEqual(find(), os.path.abspath(os.environ["BACKFILL"]))
            self.assertEqual(find(program), str(program))
            del os.environ["BACKFILL"]
            self.assertEqual(find(), str(program))
            os.environ["PATH"] = ""
            with self.assertRaisesRegex(BackfillError, "make native"):
                find()

    def test_study(self):
        table = study("wu-fig3")
        self.assertEqual(len(table), (ROOT / "public" / "studies" / "wu-fig3.csv").read_text().count("\n") - 1)

    def test_size_of_the_package(self):
        lines = sum(len(f.read_text("utf-8").splitlines()) for f in (ROOT / "python" / "src").rglob("*.py"))
        self.assertLessEqual(lines, 400)


if __name__ == "__main__":
    unittest.main()
