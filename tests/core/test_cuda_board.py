"""`BatchBoard` and `Batch` with `device="cuda"`: in Numba's simulator, and what is said where there is no card."""

import inspect

import pytest

import boardgym
from boardgym.core.errors import OptionError
from tests.support import ROOT, run_python


@pytest.mark.once
def test_boards_and_batches_in_the_simulator(tmp_path):
    """In a process of its own: whether there is a simulator is decided when Numba is imported.

    The CPU's boards are played by plain Python too; `make test-gpu` compares with compiled ones, of all games.
    """
    files = (str(ROOT / "tests/core" / name) for name in ("simulated_card.py", "simulated_batch.py"))
    arguments = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files)
    said = run_python(*arguments, cache=tmp_path, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1").stdout
    assert " passed" in said
    assert "skipped" not in said


def test_another_device_is_refused():
    with pytest.raises(OptionError, match="device='gpu': expected 'cpu' or 'cuda'"):
        boardgym.BatchBoard("TicTacToe-v0", 4, device="gpu")
    assert type(boardgym.BatchBoard("TicTacToe-v0", 4, device="cpu")) is boardgym.BatchBoard


def test_its_parameters_are_seen():
    assert [*inspect.signature(boardgym.BatchBoard).parameters][:3] == ["game", "num_boards", "setup"]
    with pytest.raises(OptionError, match=r"no option 'num_treads'; did you mean 'num_threads'"):
        boardgym.BatchBoard("TicTacToe-v0", 4, num_treads=2)


@pytest.mark.once
def test_without_a_card_it_says_what_is_missing(tmp_path):
    """Without the package numba-cuda, as the tests run, or with it and no card."""
    code = """
import sys, boardgym
assert "numba.cuda" not in sys.modules
from boardgym.envs.batch import Batch
def say(make):
    try:
        make("TicTacToe-v0", 4, device="cuda")
    except boardgym.OptionError as error:
        print(error)
say(boardgym.BatchBoard)
say(Batch)
assert "numba.cuda" not in sys.modules
from boardgym.core.cuda_board import CudaBatchBoard
from boardgym.envs.cuda_batch import CudaBatch
say(CudaBatchBoard)
say(CudaBatch)
say(lambda *args, device: CudaBatch(*args))
"""
    said = run_python("-c", code, cache=tmp_path, CUDA_VISIBLE_DEVICES="").stdout.splitlines()
    assert len(said) == 5
    for line in said:
        assert line.startswith(
            (
                "device='cuda': the package numba-cuda is missing; pip install 'boardgym[gpu]'",
                "device='cuda': no CUDA card was found",
            )
        )
