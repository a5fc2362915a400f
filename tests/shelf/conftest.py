"""A small agent on a shelf: noughts and crosses, learnt in a second."""

import pytest

from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.shelf.catalogue import Entry
from boardgym.baselines.shelf.shelves import put


@pytest.fixture(scope="session")
def noughts():
    """An agent of Tic-Tac-Toe."""
    training = NTupleTraining(NTupleConfig(game="TicTacToe-v0", games=2000, tuples=("lines(3)", "shape(xx/xx)")))
    training.play_to(2000)
    return training.agent()


@pytest.fixture
def file(noughts, tmp_path):
    """Its file, as a training leaves it."""
    noughts.save(tmp_path / "agent.safetensors")
    return tmp_path / "agent.safetensors"


@pytest.fixture
def shelf(file, tmp_path, monkeypatch):
    """The folder of a shelf with `noughts`, who searches, and `crosses`, who does not; all commands find it."""
    folder = tmp_path / "my, shelf (1)"
    for name, spec in (("noughts", "minimax:2,evaluation=ntuple:{file}"), ("crosses", "file:{file}")):
        put(folder, Entry(name=name, game="TicTacToe-v0", spec=spec, file=f"{name}.safetensors"), file)
    monkeypatch.setenv("BOARDGYM_SHELF", str(folder))
    return folder
