"""Connect Four's tactics as kernels, and opponents that answer by a list of numbers: what the base test is made of.

Nothing here is a guess: a win at once, a win of the other seat at the next ply, and a win that the other seat forces within
five plies are found by looking at every play.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, kernel
from boardgym.core import verbs
from boardgym.core.bits import popcount
from boardgym.core.random import draw
from boardgym.core.verbs import constant
from boardgym.games.connect_four import bottom_row, winning_cells

ILLEGAL, SOUND, WINS, LOSES, FORKED = range(5)  # what an action does; see `weigh_kernel`
NUMBER_BITS = 32  # of the numbers that replies are made of
ONE, TWO, FIVE = np.int64(1), np.int64(2), np.int64(5)  # plies: a literal would have a recursive function compiled for it alone


@inner
def playable_cells(own: int, other: int, width: int, height: int) -> int:
    """The cells that a disc can drop to."""
    bottom = bottom_row(width, height)
    return ((own | other) + bottom) & (bottom * ((1 << height) - 1))


@inner
def fours_of(own: int, other: int, width: int, height: int) -> int:
    """The cells at which `own` makes four at the next ply."""
    return winning_cells(own, height) & playable_cells(own, other, width, height)


@inner
def forces_win(own: int, other: int, width: int, height: int, plies: np.int64) -> bool:
    """Whether the seat to play, `own`, wins within so many plies, an odd number, whatever the other does."""
    if fours_of(own, other, width, height) != 0:
        return True
    if plies <= ONE:
        return False
    moves = playable_cells(own, other, width, height)
    while moves != 0:
        move = moves & -moves
        moves ^= move
        if fours_of(other, own | move, width, height) != 0:
            continue
        replies, holds = playable_cells(own | move, other, width, height), True
        if replies == 0:
            return False
        while replies != 0 and holds:
            reply = replies & -replies
            replies ^= reply
            holds = forces_win(own | move, other | reply, width, height, plies - TWO)
        if holds:
            return True
    return False


@inner
def column_of(cells: int, index: int, height: int) -> int:
    """The column of the cell that has `index` others before it, from the left, in a word of at most one cell a column."""
    for _ in range(index):
        cells &= cells - 1
    return popcount((cells & -cells) - 1) // (height + 1)


@inner
def reply_to(position: Any, number: int, is_tactical: bool) -> int:
    """The column that a number answers a position with: of the legal ones, from the left, the one at number * count >> 32.

    is_tactical: of those that win at once, if there are any; else of those where the other seat would; else of all.
    """
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    cells = playable_cells(position.own, position.other, width, height)
    if is_tactical:
        wins = fours_of(position.own, position.other, width, height)
        blocks = winning_cells(position.other, height) & cells
        if wins != 0:
            cells = wins
        elif blocks != 0:
            cells = blocks
    return column_of(cells, (number * popcount(cells)) >> NUMBER_BITS, height)


@kernel
def reply_kernel(game: Any, row: NDArray[np.int64], number: int, is_tactical: bool) -> int:
    """`reply_to` of a row. number: int in [0, 2**32). Returns int64."""
    return reply_to(verbs.unpack(game, row), number, is_tactical)


@kernel
def weigh_kernel(game: Any, row: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Says of each column of a position that is not over what it does. out: int64 (width,), filled.

    WINS: it wins at once. LOSES: the other wins at the next ply. FORKED: the other forces a win within five plies, its own
    first; looked at only where no column wins and none loses. SOUND: none of these. ILLEGAL: the column is full.
    """
    position = verbs.unpack(game, row)
    width, height = constant(position, "WIDTH"), constant(position, "HEIGHT")
    cells = playable_cells(position.own, position.other, width, height)
    wins, is_quiet = fours_of(position.own, position.other, width, height), True
    for column in range(width):
        cell = cells & (((1 << height) - 1) << (column * (height + 1)))
        out[column] = SOUND
        if cell == 0:
            out[column] = ILLEGAL
        elif cell & wins != 0:
            out[column], is_quiet = WINS, False
        elif fours_of(position.other, position.own | cell, width, height) != 0:
            out[column], is_quiet = LOSES, False
    if is_quiet:
        for column in range(width):
            cell = cells & (((1 << height) - 1) << (column * (height + 1)))
            if cell != 0 and forces_win(position.other, position.own | cell, width, height, FIVE):
                out[column] = FORKED


@kernel
def random_kernel(
    game: Any,
    start: NDArray[np.int64],
    numbers: NDArray[np.int64],
    seat: int,
    plays: int,
    rng: NDArray[np.uint64],
    results: NDArray[np.int64],
) -> None:
    """Uniformly random play of a seat against replies by number, from a start.

    numbers: int64 (sequences, turns), of which odd sequences are tactical. plays: games a sequence. rng: uint64 (1,), changed.
    results: int64 (sequences, 3), increased: won, drawn, lost by `seat`.
    """
    for k in range(numbers.shape[0]):
        for _ in range(plays):
            position, turn = verbs.unpack(game, start), 0
            height = constant(position, "HEIGHT")
            while not verbs.is_terminal(position):
                if verbs.to_play(position) == seat:
                    cells = playable_cells(position.own, position.other, constant(position, "WIDTH"), height)
                    action = column_of(cells, draw(rng, popcount(cells)), height)
                else:
                    action = reply_to(position, numbers[k, turn], k % 2 == 1)
                    turn += 1
                position = verbs.apply(position, action)
            results[k, 1 - int(verbs.returns(position, seat))] += 1
