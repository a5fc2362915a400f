"""Hostile files: every reader reads or refuses fifty of them; `python -m benchmarks.fuzz_readers` gives more."""

import os
import subprocess
import sys

from tests.support import ROOT


def test_every_reader_reads_or_refuses():
    """Without the compiler: it is of the files' readers."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "benchmarks.fuzz_readers", "--inputs", "50"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines()[2:] if line.startswith("| ")]
    assert len(rows) >= 29
    for _, inputs, read, refused, otherwise, _ in rows:
        assert inputs == "50"
        assert int(read) + int(refused) == 50
        assert int(refused) > 0
        assert otherwise == "0"
