"""Othello's 128 inputs and Nine Men's Morris' 149: positions worked by hand, and back from the bits to the board."""

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.networks.bit_features import CELLS, MATRIX
from boardgym.baselines.networks.feature_maps import feature_map, feature_maps, features_kernel, last_mover, mover_map
from boardgym.compile import as_python
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.games.nine_mens_morris.rules import POINT_AT

OTHELLO, MORRIS = mover_map("Othello-v0"), mover_map("NineMensMorris-v0")
SQUARES = {(0, 0): ".", (0, 1): "o", (1, 0): "x"}  # o: who moved last
SIGNS = {0: "o", 1: "-", 2: "|", 3: "+", 4: "A", 5: "B"}  # A: who moved last


def played(board, plies, seed):
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        if board.is_terminal:
            break
        board.push(int(rng.choice(board.legal_actions)))
    return board


def seen(board):
    """What the map of a board's game says of it; as Python for boards that run so: variants take seconds to compile."""
    own = mover_map(board.game)
    if board.is_plain:
        sheet = own.make_sheet()
        as_python(features_kernel)(board.game.token, board.row, own.token, own.row, last_mover(board), sheet)
        bits = sheet.inputs
    else:
        bits = own(board, last_mover(board))
    assert bits.dtype == np.float64
    assert set(bits.tolist()) <= {0.0, 1.0}
    return bits


def othello_rows(board):
    """Othello's bits as rows of squares."""
    size = board.game.observation_shape[0]
    signs = [SQUARES[tuple(pair)] for pair in seen(board).astype(int).reshape(-1, 2).tolist()]
    return ["".join(signs[size * row : size * (row + 1)]) for row in range(size)]


def morris_rows(board):
    """Nine Men's Morris' bits as rows of the matrix; and the two of the phase."""
    bits = seen(board).astype(int)
    signs = [SIGNS[4 * a + 2 * b + c] for a, b, c in bits[: 3 * CELLS].reshape(-1, 3).tolist()]
    return ["".join(signs[7 * row : 7 * (row + 1)]) for row in range(7)], tuple(bits[3 * CELLS :].tolist())


# ---------------------------------------------------------------- Othello


def test_othello_from_the_start():
    board = Board("Othello-v0")
    assert len(OTHELLO.names) == 128
    assert OTHELLO.names[:4] == ("a1 other", "a1 own", "b1 other", "b1 own")
    # nobody has moved: the seat that is not to play, white, which stands on d4 and e5
    assert (board.to_play, last_mover(board)) == (0, 1)
    assert othello_rows(board)[2:6] == ["........", "...ox...", "...xo...", "........"]
    assert np.flatnonzero(seen(board)).tolist() == [2 * 27 + 1, 2 * 28, 2 * 35, 2 * 36 + 1]
    board.push_move("d3")  # black turns d4, and is now the one who has moved
    assert othello_rows(board)[2:6] == ["...o....", "...oo...", "...ox...", "........"]
    board.push_move("c3")  # white turns d4
    assert othello_rows(board)[2:6] == ["..ox....", "...ox...", "...xo...", "........"]


def test_a_pass_makes_the_passer_the_last_mover():
    board = Board("Othello-v0", "XO------" + "-" * 56 + " O")
    assert board.legal_moves == ["pass"]
    before = othello_rows(board)[0]
    board.push_move("pass")
    assert (board.to_play, last_mover(board)) == (0, 1)
    assert (before, othello_rows(board)[0]) == ("ox......", "xo......")
    board.push_move("c1")
    assert othello_rows(board)[0] == "ooo....."


@pytest.mark.parametrize("size", [8, 6, 4])
def test_othello_bits_give_the_board_back(size):
    for seed in range(8):
        board = played(Board("Othello-v0", size=size, compiled=size == 8), 7 * seed, seed)
        mover = last_mover(board)
        own, other = board.position.own, board.position.other
        if mover != board.to_play:
            own, other = other, own
        text = "".join(othello_rows(board))
        assert len(text) == size**2
        assert {k for k, sign in enumerate(text) if sign == "o"} == {k for k in range(64) if int(own) >> k & 1}
        assert {k for k, sign in enumerate(text) if sign == "x"} == {k for k in range(64) if int(other) >> k & 1}


# ---------------------------------------------------------------- Nine Men's Morris


def test_the_matrix_has_its_points_where_the_board_has():
    assert [[sign == "o" for sign in row] for row in MATRIX] == (POINT_AT >= 0).tolist()


def test_morris_from_the_start():
    board = Board("NineMensMorris-v0")
    assert len(MORRIS.names) == 149
    assert last_mover(board) == 1
    assert morris_rows(board) == (["o--o--o", "|o-o-o|", "||ooo||", "ooo+ooo", "||ooo||", "|o-o-o|", "o--o--o"], (0, 0))
    assert seen(board)[:6].tolist() == [0, 0, 0, 0, 0, 1]  # a7, free; the edge beside it
    board.push_move("a7")
    assert morris_rows(board)[0][0] == "A--o--o"
    board.push_move("g1")
    assert morris_rows(board)[0] == ["B--o--o", *MATRIX[1:6], "o--o--A"]


def test_who_closes_a_mill_is_the_last_mover_before_and_after_the_removal():
    board = Board("NineMensMorris-v0")
    board.play(["a7", "a4", "d7", "a1", "g7"])
    assert (board.to_play, last_mover(board)) == (0, 0)  # white is to remove a man
    assert morris_rows(board)[0] == ["A--A--A", *MATRIX[1:3], "Boo+ooo", *MATRIX[4:6], "B--o--o"]
    board.push_move("xa4")
    assert (board.to_play, last_mover(board)) == (1, 0)
    assert morris_rows(board)[0] == ["A--A--A", *MATRIX[1:6], "B--o--o"]


@pytest.mark.parametrize(
    ("fen", "move", "phase"),
    [
        ("W../.../B../....../.../.../..W b 7,8 0", "d7", (0, 0)),  # men in hand
        ("W../W../W../W.BBB./.../.../... w 0,0 0", "a7-d7", (0, 1)),  # none, and four on the board
        ("W../W../W../..BBB./.../.../... w 0,0 0", "a7-g1", (1, 0)),  # none, and three: they fly
        ("W../W../W../..BBB./.../.../... w 2,2 0", "g1", (0, 0)),  # as many, and one in hand still
        ("W../W../W../W.BBB./.../.../..B b 0,0 0", "g1-d1", (0, 1)),  # the phase is the last mover's, who has four
    ],
)
def test_phases_are_those_of_the_last_mover(fen, move, phase):
    board = Board("NineMensMorris-v0", fen)
    board.push_move(move)
    assert morris_rows(board)[1] == phase


def test_three_men_that_may_not_fly_are_in_the_second_phase():
    board = Board("NineMensMorris-v0", "W../W../W../..BBB./.../.../... w 0,0 0", flying=False, compiled=False)
    board.push_move("a7-d7")
    assert morris_rows(board)[1] == (0, 1)


@pytest.mark.parametrize("variant", ["nine", "twelve"])
def test_morris_bits_give_the_board_back(variant):
    for seed in range(8):
        board = played(Board("NineMensMorris-v0", variant=variant, compiled=variant == "nine"), 9 * seed, seed)
        own, other = board.position.own, board.position.other
        if last_mover(board) != board.to_play:
            own, other = other, own
        rows, _ = morris_rows(board)
        for row, column in np.argwhere(POINT_AT >= 0):
            point = POINT_AT[row, column]
            wanted = "A" if own >> point & 1 else ("B" if other >> point & 1 else "o")
            assert rows[row][column] == wanted


# ---------------------------------------------------------------- other games


def test_other_games_have_their_planes():
    assert mover_map("ConnectFour-v0").text == "planes"
    assert mover_map("ConnectFour-v0").is_binary
    assert not mover_map("Abalone-v0").is_binary  # its planes count
    assert not feature_map("planes(scale=2)", "ConnectFour-v0").is_binary
    assert OTHELLO.is_binary
    assert MORRIS.is_binary
    assert mover_map("Abalone-v0", "atributos").text == "atributos"
    board = Board("ConnectFour-v0")
    board.push_move("4")
    planes = seen(board).reshape(board.game.observation_shape)
    assert np.array_equal(planes, board.observation(0))  # as the one who has moved sees it
    assert feature_maps("Othello-v0") == ("planes", "othello_bits", "othello_signs")


@pytest.mark.parametrize(("game", "why"), [("Backgammon-v0", "chance"), ("Abalone3-v0", "3 seats")])
def test_chance_and_three_seats_are_refused(game, why):
    with pytest.raises(UnsupportedGameError, match=why):
        mover_map(game)


def test_the_last_mover_of_a_record():
    board = Board("Backgammon-v0", seed=1, compiled=False)
    assert board.last_mover is None
    mover = board.to_play
    while board.to_play == mover:
        board.push(board.legal_actions[0])
    assert board.last_mover == mover  # not the dice, which have been rolled since
    board.pop()
    assert board.last_mover in (None, mover)


# ---------------------------------------------------------------- what the study leaves out


@pytest.mark.parametrize("seed", range(4))
def test_where_each_side_may_move(seed):
    board = played(Board("Othello-v0"), 10 * seed, seed)
    found = mover_map("Othello-v0", "othello_bits(moves=1)")
    bits, mover = found(board, last_mover(board)).astype(int), last_mover(board)
    assert np.array_equal(bits[:128], seen(board))
    to_play = {action for action in board.legal_actions if action < 64}  # all but a pass
    turned = board.copy()
    turned.set_position(board.position._replace(own=board.position.other, other=board.position.own, seat=1 - board.to_play))
    waiting = {action for action in turned.legal_actions if action < 64}
    own, other = (to_play, waiting) if mover == board.to_play else (waiting, to_play)
    assert {k for k in range(64) if bits[128 + 2 * k]} == other
    assert {k for k in range(64) if bits[128 + 2 * k + 1]} == own
    assert found.names[128 + 2 * 19 : 128 + 2 * 19 + 2] == ("d3 other may move", "d3 own may move")
    assert len(found.names) == len(bits) == 256


def test_the_mills_of_a_board():
    board = Board("NineMensMorris-v0")
    for move in ("a7", "b6", "d7", "d6"):
        board.push_move(move)
    found = mover_map("NineMensMorris-v0", "morris_bits(mills=1)")

    def mills():
        bits = found(board, last_mover(board)).astype(int)
        assert np.array_equal(bits[:149], seen(board))
        return sorted(found.names[k] for k in np.flatnonzero(bits) if k >= 149)

    assert len(found.names) == 149 + 4 * 16
    assert mills() == ["a7 d7 g7: other two and a gap", "b6 d6 f6: own two and a gap"]  # b6 and d6 are the last mover's
    board.push_move("g7")  # a7, d7, g7; a man is to be removed, and the mover is still the one who has moved
    assert mills() == ["a7 d7 g7: own", "b6 d6 f6: other two and a gap"]
    board.push_move(board.legal_moves[0])  # b6 or d6
    assert mills() == ["a7 d7 g7: own"]
    with pytest.raises(OptionError, match="mills='2'; expected a whole number from 0 to 1"):
        mover_map("NineMensMorris-v0", "morris_bits(mills=2)")
