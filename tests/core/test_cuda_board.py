"""`BatchBoard(..., device="cuda")`: in Numba's simulator, and what is said where there is no card."""

import os
from pathlib import Path

import pytest

import boardgym
from boardgym.core.errors import OptionError
from tests.support import ROOT, run_python


@pytest.mark.once
def test_boards_in_the_simulator(tmp_path):
    """In a process of its own: whether there is a simulator is decided when Numba is imported."""
    cache = Path(os.environ.get("NUMBA_CACHE_DIR", tmp_path))
    arguments = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(ROOT / "tests/core/simulated_card.py"))
    said = run_python(*arguments, cache=cache, NUMBA_ENABLE_CUDASIM="1").stdout
    assert "10 passed" in said


def test_another_device_is_refused():
    with pytest.raises(OptionError, match="device='gpu': expected 'cpu' or 'cuda'"):
        boardgym.BatchBoard("TicTacToe-v0", 4, device="gpu")
    assert type(boardgym.BatchBoard("TicTacToe-v0", 4, device="cpu")) is boardgym.BatchBoard


@pytest.mark.once
def test_without_a_card_it_says_what_is_missing(tmp_path):
    """Without the package numba-cuda, as the tests run, or with it and no card."""
    code = """
import sys, boardgym
assert "numba.cuda" not in sys.modules
try:
    boardgym.BatchBoard("TicTacToe-v0", 4, device="cuda")
except boardgym.OptionError as error:
    print(error)
"""
    said = run_python("-c", code, cache=tmp_path).stdout
    assert said.startswith(
        (
            "device='cuda': the package numba-cuda is missing; pip install 'boardgym[gpu]'",
            "device='cuda': no CUDA card was found",
        )
    )
