"""Runs the examples of docs/python.md and compares what they print with the page."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]


class Documentation(unittest.TestCase):
    def test_examples(self):
        text = (ROOT / "docs" / "python.md").read_text("utf-8")
        examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
        self.assertEqual(len(examples), text.count("```python"), "each example is followed by its output")
        self.assertGreaterEqual(len(examples), 5)
        names: dict = {}
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": cache}):
            for code, expected in examples:
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(code, "docs/python.md", "exec"), names)
                self.assertEqual(out.getvalue().split(), expected.split(), f"{code}\nprints\n{out.getvalue()}")


if __name__ == "__main__":
    unittest.main()
