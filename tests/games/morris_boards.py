"""Drawn boards of Nine Men's Morris, for its tests."""

from boardgym import Board
from tests.support import rows_of

GAME = "NineMensMorris-v0"


def words(text):
    """What a text lists, by blanks."""
    return text.split()


NAMES = words("a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1")
THREE_EACH = """
    W-----.-----B
    | .---.---. |
    | | .-W-. | |
    .-.-.   .-B-.
    | | .-.-. | |
    | .---W---. |
    .-----.-----B
"""


def fen_of(drawing, side, hands=(0, 0), clock=0):
    """The position string of a drawn board: `W`, `B`, `.` on the points, whatever else between them."""
    ranks = ["".join(mark for mark in row if mark in "WB.") for row in rows_of(drawing)]
    return f"{'/'.join(ranks)} {side} {hands[0]},{hands[1]} {clock}"


def board_of(drawing, side, hands=(0, 0), clock=0, **options):
    return Board(GAME, fen_of(drawing, side, hands, clock), **options)


def played(text, **options):
    """A board after the moves that a text lists."""
    board = Board(GAME, **options)
    board.play(words(text))
    return board
