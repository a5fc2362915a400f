"""Feature maps of Othello and Nine Men's Morris in bits, as the UCT-CCNN study encodes positions: 128 and 149 inputs of 0 or 1.

And Othello's discs by their signs, as the study of neural Q-learning has them.

Own and other are those of the seat that asks. The study asks as the player who made the last move, a pass among them, since a
search values a child for the seat that moved to it: `feature_maps.last_mover`. Source: M. A. Rezende, master's dissertation
(Universidade Federal de Minas Gerais, 2017), sections 5.1.1 and 5.1.2.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks import verbs
from boardgym.compile import inner
from boardgym.core.bits import popcount
from boardgym.core.verbs import constant, rule
from boardgym.games.nine_mens_morris.rules import MILLS, POINT_AT
from boardgym.games.othello import moves_of

ONE = np.uint64(1)
MATRIX = ("o--o--o", "|o-o-o|", "||ooo||", "ooo+ooo", "||ooo||", "|o-o-o|", "o--o--o")  # o: a point
CODES = {"o": 0b000, "-": 0b001, "|": 0b010, "+": 0b011}
OWN, OTHER = 0b100, 0b101  # of men
CELLS = 49
POINTS = np.array(POINT_AT, np.int64).reshape(CELLS)  # the point of each cell, -1 for none
GROUND = np.array([CODES[sign] for row in MATRIX for sign in row], np.int64)  # the code of each cell without a man


class OthelloBits(NamedTuple):
    """128 inputs, two a square, row by row from a1: 00 empty, 01 an own disc, 10 one of the other's.

    Boards of other sizes have 2 * size ** 2. moves: 1 for as many again, which the study does not have: of each square whether
    the other one may place a disc there, and whether the seat itself may, whoever is to play.
    """

    BITS = True  # type: ignore[misc]
    BOUNDS = {"moves": (0, 1)}  # type: ignore[misc]

    moves: int = 0


class OthelloSigns(NamedTuple):
    """An input a square, row by row from a1: 1 for an own disc, -1 for one of the other's, 0 for none; 64 on the usual board.

    Source: G. Andorko, BSc thesis (University of Debrecen, 2011), section 4.3.
    """

    unused: int = 0


class MorrisBits(NamedTuple):
    """149 inputs: three a cell of the 7 x 7 matrix of the drawn board, row by row from a7, then two of the seat's phase.

    Cells: 000 a free point, 001 an edge `-`, 010 an edge `|`, 011 the middle, 100 an own man, 101 one of the other's. Phases:
    00 with men in hand, 01 without, 10 without and with at most three men on the board, where the rules let these fly. Men in
    hand are not counted. mills: 1 for four more a mill, which the study does not have: own and closed, the other's and closed,
    two own men and a free point, two of the other's and a free point.
    """

    BITS = True  # type: ignore[misc]
    BOUNDS = {"mills": (0, 1)}  # type: ignore[misc]

    mills: int = 0


@inner
def write_pairs(first: np.uint64, second: np.uint64, count: int, out: NDArray[np.float64]) -> None:
    """Of each square up to `count` its bits of two boards, one after the other. out: float64 (2 * count,)."""
    for square in range(count):
        shift = np.uint64(square)
        out[2 * square] = float((first >> shift) & ONE)
        out[2 * square + 1] = float((second >> shift) & ONE)


@rule(OthelloBits)
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:
    """Two bits a square, for its disc, and two for moves to it."""
    own, other = (position.own, position.other) if seat == position.seat else (position.other, position.own)
    squares = constant(position, "SIZE") * constant(position, "SIZE")
    write_pairs(other, own, squares, sheet.inputs)
    if feature_map.moves:
        write_pairs(moves_of(other, own, position), moves_of(own, other, position), squares, sheet.inputs[2 * squares :])


@rule(OthelloSigns)  # type: ignore[no-redef]
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:  # type: ignore[no-redef]  # noqa: F811
    """The sign of each square."""
    own, other = (position.own, position.other) if seat == position.seat else (position.other, position.own)
    for square in range(constant(position, "SIZE") * constant(position, "SIZE")):
        shift = np.uint64(square)
        sheet.inputs[square] = np.float64((own >> shift) & ONE) - np.float64((other >> shift) & ONE)


@rule(MorrisBits)  # type: ignore[no-redef]
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:  # type: ignore[no-redef]  # noqa: F811
    """Three bits a cell, then the phase, then the mills."""
    is_own = seat == position.seat
    own, other = (position.own, position.other) if is_own else (position.other, position.own)
    hand = position.own_hand if is_own else position.other_hand
    inputs = sheet.inputs
    for cell in range(CELLS):
        code, point = GROUND[cell], POINTS[cell]
        if point >= 0 and (own >> point) & 1:
            code = OWN
        elif point >= 0 and (other >> point) & 1:
            code = OTHER
        inputs[3 * cell] = float(code >> 2)
        inputs[3 * cell + 1] = float((code >> 1) & 1)
        inputs[3 * cell + 2] = float(code & 1)
    flies = hand == 0 and popcount(own) <= 3 and constant(position, "FLYING")
    inputs[3 * CELLS] = 1.0 if flies else 0.0
    inputs[3 * CELLS + 1] = 1.0 if hand == 0 and not flies else 0.0
    if feature_map.mills:
        lines, empty = MILLS[constant(position, "BOARD")], ~(own | other)
        for k in range(lines.shape[0]):
            line, first = lines[k], 3 * CELLS + 2 + 4 * k
            inputs[first] = 1.0 if own & line == line else 0.0
            inputs[first + 1] = 1.0 if other & line == line else 0.0
            has_gap = popcount(empty & line) == 1
            inputs[first + 2] = 1.0 if has_gap and popcount(own & line) == 2 else 0.0
            inputs[first + 3] = 1.0 if has_gap and popcount(other & line) == 2 else 0.0
