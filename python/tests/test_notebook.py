"""Executes the notebook figures.ipynb with few seeds. It uses nbclient if that is installed; otherwise
it executes the code cells in this process."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import backfill_lab

FOLDER = Path(__file__).resolve().parents[1]
os.environ.setdefault("BACKFILL", str(FOLDER.parent / "build" / "bin" / "backfill"))
PAPERS = ["Leinberger", "Lindsay", "Wu et al.", "Jin", "Zeng"]

try:
    import matplotlib
except ImportError:
    matplotlib = None
try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
except ImportError:
    nbclient = None


class Notebook(unittest.TestCase):
    def setUp(self):
        self.text = (FOLDER / "figures.ipynb").read_text("utf-8")
        cache = tempfile.TemporaryDirectory()
        self.addCleanup(cache.cleanup)
        path = os.pathsep.join([str(Path(backfill_lab.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        patch = mock.patch.dict(os.environ, {"XDG_CACHE_HOME": cache.name, "PYTHONPATH": path, "PYDEVD_DISABLE_FILE_VALIDATION": "1"})
        patch.start()
        self.addCleanup(patch.stop)

    def few_seeds(self):
        self.assertEqual(self.text.count("SEEDS = 5 "), 1)
        return self.text.replace("SEEDS = 5 ", "SEEDS = 2 ")

    def test_outputs_are_cleared(self):
        cells = json.loads(self.text)["cells"]
        for cell in cells:
            if cell["cell_type"] == "code":
                self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))
        headings = [line for cell in cells for line in cell["source"] if line.startswith("## ")]
        self.assertEqual(len(headings), len(PAPERS))
        for heading, paper in zip(headings, PAPERS):
            self.assertIn(paper, heading)

    @unittest.skipIf(matplotlib is None or nbclient is None, "matplotlib, nbclient or ipykernel is not installed")
    def test_with_nbclient(self):
        notebook = nbformat.reads(self.few_seeds(), 4)
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
        figures = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs if "image/png" in o.get("data", {})]
        self.assertEqual(len(figures), len(PAPERS))

    @unittest.skipIf(matplotlib is None, "matplotlib is not installed")
    @unittest.skipIf(matplotlib is not None and nbclient is not None, "nbclient executes the notebook")
    def test_with_plain_python(self):
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        plt.close("all")
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(FOLDER)
        names: dict = {}
        with mock.patch.object(plt, "show"):
            for cell in json.loads(self.few_seeds())["cells"]:
                if cell["cell_type"] == "code":
                    exec("".join(line for line in cell["source"] if not line.startswith("%")), names)
        self.assertEqual(len(plt.get_fignums()), len(PAPERS))
        plt.close("all")


if __name__ == "__main__":
    unittest.main()
