"""Minimax against positions whose value is known."""

from pathlib import Path

import pytest
from search_games import obf_line

from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy

DATA = Path(__file__).resolve().parents[1] / "data" / "reference"
MEN = 21  # of each side in Connect Four


def connect_four_positions(name):
    """(moves, score, scores by column or None) of a file."""
    for line in (DATA / name).read_text().splitlines():
        if line and not line.startswith("#"):
            moves, score, *columns = line.split()
            yield ("" if moves == "-" else moves), int(score), columns[0].split(",") if columns else None


def plies_to_win(moves, score):
    """Plies until a win of that score is on the board, 0 if it is no win."""
    if score <= 0:
        return 0
    men_at_win = MEN + 1 - score
    return 2 * (men_at_win - len(moves) // 2) - 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("connect4_pons_L1_R1.txt", 90),
        ("connect4_pons_L2_R1.txt", 434),
        ("connect4_pons_L3_R1.txt", 285),
        ("connect4_random.txt", 72),
    ],
)
def test_minimax_10_wins_what_is_won_within_10_plies(name, expected):
    policy = make_policy("minimax:10", "ConnectFour-v0", seed=0)
    check = make_policy("minimax:9", "ConnectFour-v0", seed=0)
    tried = 0
    for moves, score, columns in connect_four_positions(name):
        plies = plies_to_win(moves, score)
        if not 0 < plies <= 10:
            continue
        board = Board("ConnectFour-v0")
        board.play(list(moves))
        action = policy.act(board)
        if columns is not None:
            assert int(columns[action]) == score, moves
        board.push(action)
        if plies > 1:
            found = check.analyse(board)
            assert (found.value, found.depth) == (-1.0, plies - 1), moves
        else:
            assert board.outcome().winner == len(moves) % 2, moves
        tried += 1
    assert tried == expected


@pytest.mark.parametrize("name", ["connect4_pons_L3_R1.txt", "connect4_random.txt"])
def test_minimax_calls_nothing_else_a_win(name):
    policy = make_policy("minimax:8", "ConnectFour-v0", seed=0)
    for moves, score, _ in list(connect_four_positions(name))[::5]:
        board = Board("ConnectFour-v0")
        board.play(list(moves))
        found = policy.analyse(board)
        if found.is_proven:
            assert found.value == (score > 0) - (score < 0), moves
            if score > 0:
                assert found.depth == plies_to_win(moves, score)
        else:
            assert plies_to_win(moves, abs(score)) == 0 or plies_to_win(moves, abs(score)) > 6, moves


def test_othello_endgames_have_the_right_sign():
    policy = make_policy("minimax:24", "Othello-v0", seed=0)
    for line in (DATA / "othello_endgame_small.obf").read_text().splitlines():
        fen, scores = obf_line(line)
        board = Board("Othello-v0", fen)
        found, best = policy.analyse(board), max(scores.values())
        assert found.is_proven
        assert found.value == (best > 0) - (best < 0), line
        assert (scores[board.move_text(found.action)] > 0) == (best > 0), line
