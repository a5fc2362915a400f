"""Evaluations in place of the game's heuristic: what they say, where searches ask for them, and what is refused."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.baselines.search.abalone_evaluations import Distance, Terminator
from boardgym.baselines.search.evaluations import Evaluation, evaluation_of, evaluations, register_evaluation
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.minimax import Minimax
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from tests.support import run_python


def test_searches_ask_for_them(tmp_path):
    """In plain Python, which is quicker than to compile each search for each evaluation."""
    script = Path(__file__).parent / "evaluation_games.py"
    shown = run_python(str(script), cache=tmp_path, NUMBA_DISABLE_JIT="1").stdout.split()
    assert shown == ["4", "0"]  # wins of 4 against random play with off_board=8, of 2 with 0: h as printed pushes nothing off


@pytest.mark.plain
def test_a_network_at_the_depth():
    game = get_game("TicTacToe-v0")
    features = feature_map("planes", game)
    net = pn.make_perceptron([len(features.names), 3, 1], ["sigmoid", "tanh"])
    net.weights[:] = np.linspace(-1.0, 1.0, len(net.weights)) ** 3
    evaluation = pickle.loads(pickle.dumps(evaluation_of(features, net)))
    policy = SearchPolicy(game, Minimax(1, 0, 0, 1.0), "minimax:1", seed=1, evaluation=evaluation)
    board = Board(game)
    board.play(["a1", "b2"])
    found = pickle.loads(pickle.dumps(policy)).analyse(board)
    for action, value in found.action_values.items():
        board.push(action)
        net.units[: len(features.names)] = features(board, 0)
        assert value == pn.gradient_kernel(net, 0.0, np.zeros(len(net.weights)))
        board.pop()
    assert len(set(found.action_values.values())) > 3
    with pytest.raises(OptionError, match="3 inputs"):
        evaluation_of(features, pn.make_perceptron([3, 1], ["tanh"]))


@pytest.mark.parametrize(
    ("spec", "game", "error", "message"),
    [
        ("minimax:2,evaluation=distances", "Abalone-v0", SpecError, "did you mean 'distance'"),
        ("minimax:2,evaluation=distance", "Othello-v0", UnsupportedGameError, "not for Othello-v0"),
        ("minimax:2,evaluation=distance(of_board=3)", "Abalone-v0", SpecError, "no setting 'of_board'"),
        ("minimax:2,evaluation=distance(off_board=31)", "Abalone-v0", SpecError, "from 0 to 30"),
        ("minimax:2,evaluation=distance(off_board=a)", "Abalone-v0", SpecError, "expected off_board= and a number"),
        ("minimax:2,evaluation=network", "Abalone-v0", SpecError, "one agent in brackets"),
        ("minimax:2,evaluation=network(random)", "Abalone-v0", SpecError, "has no value network"),
        ("minimax:2,probcut=1.5,evaluation=distance", "Abalone-v0", SpecError, "probcut="),
        ("minimax:2,avoid=0.1", "Othello-v0", UnsupportedGameError, "no such rule"),
        ("minimax:2(random)", "Abalone-v0", SpecError, "no policies in brackets"),
    ],
)
def test_what_is_refused(spec, game, error, message):
    with pytest.raises(error, match=r"evaluation|policy spec") as caught:
        make_policy(spec, game)
    assert message in str(caught.value)


def test_registering():
    assert evaluations("Abalone-v0")[:2] == ("distance", "terminator")
    assert "distance" not in evaluations("Othello-v0")
    for name, kind in (("distance", Distance), ("network", Distance), ("Mine", Distance), ("minimax", Minimax)):
        with pytest.raises(OptionError, match="evaluation"):
            register_evaluation(name, kind)


def test_named_settings_reach_the_search():
    policy = make_policy("epsilon:0.1(minimax:1,evaluation=terminator(material=5, danger=0))", "Abalone-v0", seed=1)
    assert policy.evaluation.settings == Terminator(material=5.0, danger=0.0)
    assert policy.epsilon == pytest.approx(0.1)
    assert repr(policy.evaluation) == "Evaluation('terminator(material=5, danger=0)', 'Abalone-v0')"
    with pytest.raises(UnsupportedGameError, match="TicTacToe-v0"):
        policy.evaluation(Board("TicTacToe-v0"), 0)
    with pytest.raises(ValueError, match="over"):
        Evaluation("distance", Distance(), get_game("TicTacToe-v0"))(Board("TicTacToe-v0", "xxx/oo1/3 o"), 0)
