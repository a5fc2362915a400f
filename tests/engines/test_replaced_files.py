"""Files that a policy's spec names and that somebody replaces while an engine plays: it goes on with what it began with."""

import numpy as np
import pytest

from boardgym import Board, SpecError, get_game
from boardgym.baselines.engines.gtp import GtpServer
from boardgym.baselines.engines.session import Session
from boardgym.baselines.engines.uci import UciServer
from boardgym.baselines.learning.ntuple.agent import NTupleAgent
from boardgym.baselines.networks.cascade_files import save_cascade
from boardgym.baselines.networks.cascade_functions import LINEAR
from boardgym.baselines.networks.cascade_network import with_room
from boardgym.baselines.networks.cells import game_cells
from boardgym.baselines.networks.feature_maps import mover_map
from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.baselines.search.anytime import Watched
from boardgym.compile import plain

GAME = get_game("TicTacToe-v0")


def save_ntuple(path, sign):
    tuples = [(0, 1, 2), (3, 4, 5), (0, 4, 8)]
    weights = sign * np.random.default_rng(1).normal(0.0, 0.2, (1, 81)).astype(np.float32)
    NTupleAgent(game_cells(GAME), tuples, weights, {"pays": None}, symmetries=False).save(path)


def save_linear(path, sign):
    features = mover_map(GAME, "")
    inputs = len(features.names)
    weights = sign * np.random.default_rng(1).normal(0.0, 0.1, inputs + 1)
    sizes, functions = np.array([inputs, 0, 1]), np.array([LINEAR])
    save_cascade(path, plain(with_room)(sizes, functions, np.ones(1), weights), features=features)


def save_network(path, sign):
    inputs = int(np.prod(GAME.observation_shape))
    NetworkPolicy(GAME, [(np.zeros((inputs, 9)), sign * np.linspace(-5.0, 5.0, 9))]).save(path)


SAVED = {  # spec -> (what writes its file, the limit of `go`)
    "minimax:1,evaluation=ntuple:{}": (save_ntuple, "depth 1"),
    "minimax:1,evaluation=cascade(file:{})": (save_linear, "depth 1"),
    "minimax:1,evaluation=network(ntuple:{})": (save_ntuple, "depth 1"),
    "uct:2,puct=1,prior=network(network:{})": (save_network, "nodes 2"),
}


def uci_server(spec):
    said = []
    return UciServer(Session(GAME, spec, seed=1), lambda text: said.append(text.rstrip("\n"))), said


def best_move(server, said, limit):
    """What it answers to `go`, after an empty board."""
    said.clear()
    for line in ("ucinewgame", "position startpos", f"go {limit}"):
        server.answer(line)
    server.finish()
    return said[-1]


@pytest.mark.parametrize("text", SAVED)
def test_an_engine_goes_on_with_what_it_has_read(text, tmp_path):
    """Another agent, a file that is none, and none at all, before the first move with a limit and between two of them."""
    save, limit = SAVED[text]
    path, other, spec = tmp_path / "agent", tmp_path / "other", text.format(tmp_path / "agent")
    save(path, 1)
    save(other, -1)
    own, opposite = (best_move(*uci_server(text.format(one)), limit) for one in (path, other))
    assert own != opposite
    server, said = uci_server(spec)
    late, heard = uci_server(spec)
    gtp = GtpServer(Session(GAME, spec, seed=1))
    other.replace(path)
    for ruin in (lambda: None, lambda: path.write_bytes(b"x"), path.unlink):
        ruin()
        server.answer("isready")
        assert best_move(server, said, limit) == own
        for line in ("clear_board", "time_settings 1 0 0", "genmove b", "genmove w"):
            assert gtp.answer(line).startswith("=")
    late.answer("isready")  # its first, where there is nothing to read
    assert heard == ["readyok"]
    with pytest.raises(SpecError, match="no file"):
        server.session.set_game(GAME)  # which takes the files anew, and changes nothing where it cannot
    assert best_move(server, said, limit) == own


def test_all_stages_of_a_search_read_a_file_once(tmp_path):
    save_ntuple(tmp_path / "agent", 1)
    stages = Watched(f"minimax:4,evaluation=ntuple:{tmp_path / 'agent'}", GAME).watch(Board(GAME))
    assert next(stages).depth == 1
    (tmp_path / "agent").unlink()
    assert [found.depth for found in stages] == [2, 3, 4]
