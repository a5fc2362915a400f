"""CardPoints solved: against the reference rows, and against looking ahead to the end on a board."""

from pathlib import Path

import numpy as np
import pytest

from boardgym.baselines.perfect.card_points import interval_table
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy

ROWS = [
    line.split()
    for line in (Path(__file__).parents[1] / "data/reference/cardpoints.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def test_reference_rows():
    assert len(ROWS) > 20
    for cards, *margins in ROWS:
        ranks = [int(card) for card in cards.split(",")]
        table = interval_table(ranks)
        found = table[-1][0], ranks[0] - table[-2][1], ranks[-1] - table[-2][0]
        assert list(found) == [int(margin) for margin in margins], cards


def margin(board, seat):
    """The points of a seat less the other's at the end, if both play best."""
    if board.is_terminal:
        points = board.position.first_points - board.position.second_points
        return points if seat == 0 else -points
    found = []
    for action in board.legal_actions:
        board.push(action)
        found.append(margin(board, seat))
        board.pop()
    return max(found) if board.to_play == seat else min(found)


def test_agrees_with_looking_ahead():
    rng = np.random.default_rng(5)
    for seed in range(6):
        board = Board("CardPoints-v0", seed=seed)
        for _ in range(seed):
            board.push(int(rng.choice(board.legal_actions)))
        analysis = make_policy("perfect", board.game).analyse(board)
        for action in board.legal_actions:
            after = board.copy()
            after.push(action)
            assert analysis.scores[action] == margin(after, board.to_play)
            assert analysis.action_values[action] == np.sign(analysis.scores[action])


@pytest.mark.parametrize("taken", [0, 3, 7])
def test_the_line_ends_as_said(taken):
    board = Board("CardPoints-v0", seed=taken)
    for _ in range(taken):
        board.push(board.legal_actions[-1])
    player, seat = make_policy("perfect:detail=full", board.game), board.to_play
    analysis = player.analyse(board)
    assert len(analysis.principal_variation) == board.position.num_cards
    assert analysis.principal_variation[0] == player.act(board) == analysis.action
    for action in analysis.principal_variation:
        board.push(action)
    assert margin(board, seat) == analysis.scores[analysis.action]


def test_greed_loses_where_best_play_wins():
    board = Board("CardPoints-v0", ". . . . 3 2 A 4 | 10 10 first")
    analysis = make_policy("perfect", board.game).analyse(board)
    assert (analysis.scores, analysis.action_values) == ({0: 11, 1: -9}, {0: 1.0, 1: -1.0})
    ahead = make_policy("perfect", board.game).analyse(Board("CardPoints-v0", ". . . . 3 2 A 4 | 15 5 first"))
    assert (ahead.scores, ahead.action_values) == ({0: 21, 1: 1}, {0: 1.0, 1: 1.0})


def test_only_where_a_seat_is_to_play():
    board = Board("CardPoints-v0", auto_roll=False)
    with pytest.raises(ValueError, match="where chance is to act"):
        make_policy("perfect", board.game).act(board)
