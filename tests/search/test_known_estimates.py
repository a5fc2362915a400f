"""Leaves whose estimate is known as a hint: the search is the one that evaluates them once more."""

import pytest

from boardgym.baselines.search import uct_selection
from boardgym.compile import plain
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
from tests.support import uncompiled_throughout

PLAYED = [  # game, spec, whether hints are found where there would be evaluations
    ("TicTacToe-v0", "puct:60", True),
    ("TicTacToe-v0", "uct:60,puct=1,prior=heuristic,leaf=heuristic,solver=0", True),
    ("TicTacToe-v0", "uct:60,bias=1,leaf=heuristic,reuse=1", True),
    ("TicTacToe-v0", "uct:60,neural_mcts=1,leaf=heuristic", True),
    ("TicTacToe-v0", "uct:60,puct=1,prior=heuristic,leaf=heuristic,decisive=1,solver=0", False),
    ("TicTacToe-v0", "uct:60,puct=1,prior=heuristic,leaf=mix,mix=0.3", False),
    ("TicTacToe-v0", "uct:60,puct=1,prior=heuristic,cutoff=1", False),
    ("TicTacToe-v0", "uct:60,puct=1,leaf=heuristic", False),
    ("Backgammon-v0", "puct:30", True),
    ("Abalone3-v0", "puct:12", False),
]


def searched(game, spec, plies):
    """What a policy finds, position after position of a game of its own."""
    board, policy, found = Board(game, seed=1, compiled=False), make_policy(spec, game, seed=1), []
    while not board.is_terminal and len(found) < plies:
        analysis = policy.analyse(board)
        found.append((analysis.action, analysis.action_values, analysis.visit_counts))
        board.push(analysis.action)
    return found


@pytest.mark.parametrize(("game", "spec", "is_found"), PLAYED)
def test_the_search_is_that_which_evaluates(game, spec, is_found, monkeypatch):
    plies, known, original = 6 if game == "TicTacToe-v0" else 2, [], plain(uct_selection.hint_of_leaf)

    def told(policy, tree, depth):
        result = original(policy, tree, depth)
        known.append(bool(result[0]))
        return result

    with uncompiled_throughout():
        monkeypatch.setattr(uct_selection, "hint_of_leaf", told)
        found = searched(game, spec, plies)
        monkeypatch.setattr(uct_selection, "hint_of_leaf", lambda policy, tree, depth: (False, 0.0))
        assert searched(game, spec, plies) == found
    assert any(known) == is_found
