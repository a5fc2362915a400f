"""Agents of Q-learning that play by the mean of their values under the symmetries of the board. Nothing is compiled."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.learning.agent_files import AGENTS
from boardgym.baselines.learning.q_network.agent import load_q_network_agent
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.core import verbs
from boardgym.core.errors import OptionError, SpecError

pytestmark = pytest.mark.plain
SMALL = QNetworkConfig(game="TicTacToe-v0", games=12, hidden=4, learning_rate=0.3, target="full", weight_span=0.8)


def agents(**settings):
    """One that sees each position as it is, and one with the same networks that sees it under all symmetries."""
    config = dataclasses.replace(SMALL, **settings)
    found = [QNetwork(dataclasses.replace(config, play_symmetries=seen)) for seen in ("none", "all")]
    for training in found:
        training.play_to(config.games)
    return [training.agent() for training in found]


def boards(game, seed):
    """Those of a random game, passes among them."""
    board, rng = Board(game, seed=seed), np.random.default_rng(seed)
    while not board.is_terminal:
        yield board
        board.push(int(rng.choice(board.legal_actions)))


def turned(board, symmetry):
    found = Board(board.game)
    found.set_position(verbs.transform(board.position, symmetry), check=False)
    return found


@pytest.mark.parametrize(
    ("game", "option", "form"),
    [("TicTacToe-v0", (), "single"), ("TicTacToe-v0", (), "multi"), ("Othello-v0", ("size=4",), "pair")],
)
def test_values_are_the_mean_over_the_symmetries(game, option, form):
    """By hand, on each board of a game; a pass is worth what it is worth without."""
    plain, symmetric = agents(game=game, option=option, form=form, games=3)
    passes, spread = 0, 0.0
    for board in boards(plain.game, 3):
        found, count = symmetric.action_values(board), verbs.num_symmetries(board.position)
        once = [plain.action_values(turned(board, symmetry)) for symmetry in range(count)]
        assert count == 8
        if list(board.legal_actions) == [plain.game.pass_action]:
            assert found == once[0]
            passes += 1
            continue
        for action, value in found.items():
            images = [int(verbs.transform_action(board.position, action, symmetry)) for symmetry in range(count)]
            seen = [values[image] for values, image in zip(once, images, strict=True)]
            assert value == pytest.approx(np.mean(seen), abs=1e-12)
            spread = max(spread, np.ptp(seen))
        assert symmetric.act(board, deterministic=True) == max(found, key=found.__getitem__)
    assert spread > 0.01
    assert (passes > 0) == (game == "Othello-v0")


def test_what_is_learnt_is_the_same():
    plain, symmetric = agents()
    assert all(np.array_equal(a, b) for a, b in zip(plain.nets.weights, symmetric.nets.weights, strict=True))


def test_files_say_how_their_agent_plays(tmp_path):
    """Those of before say nothing, and play as they did."""
    plain, symmetric = agents()
    for agent in (plain, symmetric):
        agent.save(tmp_path / "agent")
        again = load_q_network_agent(tmp_path / "agent")
        for board in boards("TicTacToe-v0", 1):
            assert again.action_values(board) == agent.action_values(board)
    board = Board("TicTacToe-v0")
    assert plain.action_values(board) != symmetric.action_values(board)
    arrays, header = AGENTS.read(tmp_path / "agent", {})
    rest = {key: value for key, value in header.items() if key not in ("format", "version", "sha256", "header_sha256")}
    AGENTS.write(tmp_path / "old", arrays, {key: value for key, value in rest.items() if key != "play_symmetries"})
    assert load_q_network_agent(tmp_path / "old").action_values(board) == plain.action_values(board)
    AGENTS.write(tmp_path / "other", arrays, {**rest, "play_symmetries": "some"})
    with pytest.raises(SpecError, match="Invalid enum value 'some'"):
        load_q_network_agent(tmp_path / "other")


def test_copies_play_as_their_original():
    plain, symmetric = agents()
    board = Board("TicTacToe-v0")
    for agent in (plain, symmetric):
        for again in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            assert again.action_values(board) == agent.action_values(board)


def test_games_without_symmetries_are_refused():
    with pytest.raises(OptionError, match="Backgammon-v0 declares no symmetries of its board; expected none"):
        QNetwork(dataclasses.replace(SMALL, game="Backgammon-v0", play_symmetries="all"))


def test_words_that_are_not_known():
    with pytest.raises(OptionError, match="play_symmetries='foo'; known: all, none"):
        QNetwork(dataclasses.replace(SMALL, play_symmetries="foo"))
