"""How marbles move, compiled, for any number of sides. Words, directions and actions: `hexagon.py`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner
from boardgym.core.bits import lowest_bit, popcount
from boardgym.core.verbs import constant
from boardgym.games.abalone.hexagon import (
    BEYOND,
    BOARD,
    CELL_IMAGE,
    COLUMN,
    FIRST,
    HAS,
    IN_LINE,
    NUM_CELLS,
    PAIR_FIRSTS,
    PAIRS,
    PER_DIRECTION,
    START,
    STEP,
    TOP_ROW,
    TRIPLE_FIRSTS,
    TRIPLES,
    WIDTH,
    WORD,
)


@inner
def before(word: int, direction: int) -> int:
    """The cells whose neighbours in a direction are in a word."""
    step = STEP[direction]
    return ((word >> step) | (word << (NUM_CELLS - step))) & HAS[direction]


@inner
def after(word: int, direction: int) -> int:
    """The neighbours in a direction of the cells of a word."""
    step, word = STEP[direction], word & HAS[direction]
    return ((word << step) | (word >> (NUM_CELLS - step))) & BOARD


@inner
def rears(own: int, others: int, empty: int, direction: int) -> int:
    """The marbles from which a line of one to three can move in a direction, pushing or not."""
    free = own & before(empty, direction)
    loose = others & (before(empty, direction) | ~HAS[direction])  # a push ends behind these
    one = own & before(loose, direction)
    two = own & before(others & before(loose, direction), direction)
    pairs = own & before(free | one, direction)
    triples = own & before(own & before(free | one | two, direction), direction)
    return free | pairs | triples


@inner
def write_cells(word: int, among: int, first: int, out: NDArray[np.int64], n: int) -> int:
    """Writes first + the rank among possible cells for each cell of a word. Returns how many `out` then holds."""
    while word:
        lowest = word & -word
        out[n] = first + popcount(among & (lowest - 1))
        word ^= lowest
        n += 1
    return n


@inner
def write_moves(own: int, others: int, out: NDArray[np.int64]) -> int:
    """Writes the actions that move marbles of `own`, ascending, and returns how many. others: all other marbles."""
    empty, n = BOARD & ~(own | others), 0
    for direction in range(6):
        first = direction * PER_DIRECTION
        n = write_cells(rears(own, others, empty, direction), HAS[direction], first, out, n)
        free = own & before(empty, direction)
        first += IN_LINE
        for turn in range(2):
            axis = (direction + turn + 1) % 3
            pairs = free & before(free, axis)
            n = write_cells(pairs, PAIR_FIRSTS[2 * direction + turn], first, out, n)
            triples = free & before(pairs, axis)
            n = write_cells(triples, TRIPLE_FIRSTS[2 * direction + turn], first + PAIRS, out, n)
            first += PAIRS + TRIPLES
    return n


@inner
def can_move(own: int, others: int) -> bool:
    """Whether any marble of `own` can move."""
    empty = BOARD & ~(own | others)
    for direction in range(6):  # noqa: SIM110 (generators are not compiled)
        if rears(own, others, empty, direction):
            return True
    return False


@inner
def moved(own: int, others: int, action: int) -> tuple[int, int, int]:
    """The word of `own` after an action, the other marbles that it pushes, and the direction."""
    direction, word = action // PER_DIRECTION, int(WORD[action])
    if action % PER_DIRECTION >= IN_LINE:
        return own ^ word, 0, direction
    front = after(word, direction)
    while front & own:
        front = after(front, direction)
    pushed = front & others
    if pushed:
        pushed |= after(front, direction) & others
    return own ^ word ^ front, pushed, direction


@inner
def push(word: int, pushed: int, direction: int) -> int:
    """A word after those of its marbles that are pushed have moved; those at the rim fall off."""
    return (word & ~pushed) | after(word & pushed, direction)


@inner
def falls(pushed: int, direction: int) -> int:
    """1 if a push in a direction takes a marble off the board, else 0."""
    return 1 if pushed & ~HAS[direction] else 0


@inner
def next_clock(position: Any, fallen: int) -> int:
    """The clock after a ply. Without a limit it says no more than whether the last ply pushed a marble off."""
    limit = constant(position, "NO_PUSH_LIMIT")
    if fallen:
        return 0
    return position.clock + 1 if position.clock < max(limit, 1) else position.clock


@inner
def is_out_of_time(position: Any) -> bool:
    """Whether the limit of plies without a marble pushed off is reached."""
    limit = constant(position, "NO_PUSH_LIMIT")
    return 0 < limit <= position.clock


@inner
def is_clock_possible(position: Any, is_won: bool) -> bool:
    """Whether the clock may stand so: within the limit, and at 0 where a push has just won."""
    if is_won:
        return position.clock == 0
    return 0 <= position.clock <= max(constant(position, "NO_PUSH_LIMIT"), 1)


@inner
def placement(word: int) -> float:
    """How well a side stands: neighbouring pairs of its marbles, less half their distances to the centre."""
    pairs, distances = 0, 0
    for axis in range(3):
        pairs += popcount(word & before(word, axis))
    for ring in range(4):
        distances += popcount(word & BEYOND[ring])
    return 0.5 * pairs - distances


@inner
def write_word(word: int, out: NDArray[Any], channel: int) -> None:
    """Writes ones into a plane of an observation that is zero, in the cells of a word."""
    while word:
        cell = lowest_bit(word)
        out[TOP_ROW[cell], COLUMN[cell], channel] = 1
        word &= word - 1


@inner
def read_word(planes: NDArray[Any], channel: int) -> int:
    """The word of a plane of an observation."""
    word = 0
    for row in range(9):
        for i in range(WIDTH[row]):
            word |= int(planes[8 - row, FIRST[row] + i, channel]) << (START[row] + i)
    return word


@inner
def image(word: int, k: int) -> int:
    """A word under symmetry k."""
    result = 0
    for cell in range(NUM_CELLS):
        result |= ((word >> cell) & 1) << int(CELL_IMAGE[k, cell])
    return result
