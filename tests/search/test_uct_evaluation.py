"""Evaluations in UCT: the same ones as in minimax, asked for the seat that has moved into a position."""

import pickle
from typing import NamedTuple

import pytest
from search_games import as_written

from boardgym import Board, rule
from boardgym.baselines.search import evaluation as ev  # noqa: F401  (its verb is what the rule below is of)
from boardgym.baselines.search.evaluations import register_evaluation
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from tests.core.shuttle import SHUTTLE

SPEC = "neural_mcts=1,c=0.1,leaf=heuristic,evaluation=test_movers(worth=0.5)"


class Movers(NamedTuple):
    """Good for whoever has moved, and better with the centre: unlike a heuristic, not the opposite for the other seat."""

    worth: float = 0.25


@rule(Movers)
def evaluate(evaluation, position, seat, room):
    return evaluation.worth + 0.125 * ((position.other >> 4) & 1)


register_evaluation("test_movers", Movers)


@pytest.mark.parametrize("moves", [[], ["a1"]])
def test_leaves_are_worth_what_it_says_to_the_seat_that_moved(moves):
    """With as many simulations as children each is visited once, whichever seat is to play."""
    board = Board("TicTacToe-v0")
    board.play(moves)
    children = len(board.legal_actions)
    found = as_written(make_policy(f"uct:{children},{SPEC}", board.game, seed=1)).analyse(board)
    assert set(found.visit_counts.values()) == {1}
    assert found.action_values == {action: 0.625 if action == 4 else 0.5 for action in board.legal_actions}


def test_the_reply_is_worth_the_opposite():
    board = Board("TicTacToe-v0")
    policy = make_policy(f"uct:60,{SPEC}", board.game, seed=1)
    found, again = (as_written(each).analyse(board) for each in (policy, pickle.loads(pickle.dumps(policy))))
    assert (found.action, found.action_values, found.visit_counts) == (again.action, again.action_values, again.visit_counts)
    deep = [action for action, visits in found.visit_counts.items() if visits > 2]
    assert deep
    assert all(found.action_values[action] < 0.5 for action in deep)


def test_a_game_without_a_heuristic_may_have_one():
    assert make_policy("uct:10,bias=1,evaluation=test_movers", SHUTTLE).settings.hints == 1
    assert make_policy("uct:10,neural_mcts=0,evaluation=test_movers", SHUTTLE).settings.hints == 1
    assert make_policy("puct:10,evaluation=test_movers", SHUTTLE).settings.hints == 1
    assert make_policy("uct:10,playout=softmax,evaluation=test_movers", SHUTTLE).settings.hints == 0
    assert make_policy("puct:10", SHUTTLE).settings == make_policy("uct:10", SHUTTLE).settings


@pytest.mark.parametrize(
    ("spec", "game", "error", "message"),
    [
        ("uct:10,evaluation=test_movers", "TicTacToe-v0", SpecError, "evaluation= goes with prior=heuristic, bias="),
        ("uct:10,bias=1,evaluation=test_mover", "TicTacToe-v0", SpecError, "did you mean 'test_movers'"),
        ("uct:10,bias=1,evaluation=network", "TicTacToe-v0", SpecError, "one agent in brackets"),
        ("uct:10,evaluation=test_movers,prior=network(random)", "TicTacToe-v0", SpecError, "expected one of them"),
        ("uct:10,bias=1,evaluation=test_movers", "Abalone3-v0", UnsupportedGameError, "two seats"),
        ("uct:10,bias=1(random)", "TicTacToe-v0", SpecError, "no policies in brackets"),
    ],
)
def test_what_is_refused(spec, game, error, message):
    with pytest.raises(error, match=r"policy spec|seats") as caught:
        make_policy(spec, game)
    assert message in str(caught.value)
