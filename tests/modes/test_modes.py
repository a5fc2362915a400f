"""Compiled, plain and bounds-checked runs give the same games: see `tests.modes.trajectories`.

Bounds-checked, the small games alone: CI runs the tests of all games' rules that way too.
"""

import os
import subprocess
import sys

import pytest

from tests.support import ROOT

MODES = {"compiled": {}, "plain": {"NUMBA_DISABLE_JIT": "1"}, "bounds-checked": {"NUMBA_BOUNDSCHECK": "1"}}
SMALL = ("bounds-checked",)  # modes that play the small games alone: all they compile, no other test uses


@pytest.fixture(scope="module")
def outputs():
    """What each mode prints. The kernels lie in the usual cache, each mode's in a folder of its own."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_") or k == "NUMBA_CACHE_DIR"}
    printed = {}
    for mode, flags in MODES.items():
        done = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.modes.trajectories", *["small"] * (mode in SMALL)],
            env={**inherited, **flags},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, (mode, done.stderr)
        printed[mode] = done.stdout.splitlines()
    return printed


def test_all_games_are_played_in_every_mode(outputs):
    assert {mode: len(lines) for mode, lines in outputs.items()} == {"compiled": 43, "plain": 43, "bounds-checked": 37}
    assert len({line.rpartition(" ")[2] for line in outputs["compiled"]}) > 35  # games differ from one another


@pytest.mark.parametrize("mode", ["plain", "bounds-checked"])
def test_each_mode_plays_the_games_of_the_compiled_one(outputs, mode):
    names = {line.rpartition(" ")[0] for line in outputs[mode]}  # how many: above
    assert outputs[mode] == [line for line in outputs["compiled"] if line.rpartition(" ")[0] in names]
