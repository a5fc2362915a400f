"""Random playouts of many positions at once, on the CPU or on a CUDA card, with what each has paid."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core.batch_board import BatchBoard
from boardgym.core.batch_checks import check_count
from boardgym.core.errors import OptionError
from boardgym.core.random import check_seed, fresh_seed

MOST_AT_ONCE = 1 << 22  # playouts whose results are kept


class Playouts(NamedTuple):
    """What random playouts of n positions have brought.

    count: playouts of each position. returns: float64 (n, num_seats), what they have paid each seat, the mean. wins: int64
    (n, num_seats), of how many the seat has got the most, alone; the others are draws. plies: int64 (n,), of all of them, rolls
    left out.
    """

    count: int  # type: ignore[assignment]
    returns: NDArray[np.float64]
    wins: NDArray[np.int64]
    plies: NDArray[np.int64]


def random_playouts(boards: BatchBoard, count: int, *, seed: int | None = None) -> Playouts:
    """Plays each board to its end `count` times by uniformly random legal moves, where the boards are: on the CPU or a card.

    No board is changed. The same seed gives the same on both, however many threads the boards have: playout k of board i draws
    from a stream of its own. As within UCT, no playout is drawn by repetition, and what counts the plies of a game ends it. A
    board that is over pays what it has paid.

    Args:
        boards: with `device="cuda"`, a thread of the card plays each playout.
        count: playouts of each board, at least 1 and at most MOST_AT_ONCE, 4,194,304.
        seed: 0 to 2**64 - 1; None: any.

    Returns:
        A `Playouts` of NumPy arrays.

    Raises:
        OptionError: a bad count or seed, or boards of another kind.

    Example:
        >>> import boardgym
        >>> from boardgym.baselines import random_playouts
        >>> found = random_playouts(boardgym.BatchBoard("TicTacToe-v0", 2, seed=0), 1000, seed=1)
        >>> found.returns.shape, found.wins[0].tolist(), int(found.plies[0])
        ((2, 2), [572, 296], 7662)
    """
    from boardgym.baselines.search.playing_out import branch_all, player_of  # brings in UCT, which takes a tenth of a second

    if not isinstance(boards, BatchBoard):
        raise OptionError(f"boards: expected a BatchBoard, got {type(boards).__name__}")
    count, n, seats = check_count(count, "count"), len(boards), boards.game.num_seats
    if count > MOST_AT_ONCE:
        raise OptionError(f"count={count:,}: expected at most {MOST_AT_ONCE:,}; another call with another seed plays more")
    seeds = np.full(n, fresh_seed() if seed is None else check_seed(seed), np.uint64)
    branch_all(seeds)
    player = player_of(boards)
    found = Playouts(count, np.zeros((n, seats)), np.zeros((n, seats), np.int64), np.zeros(n, np.int64))
    each = MOST_AT_ONCE // count
    for low in range(0, n, each):
        some = slice(low, min(low + each, n))
        paid, plies = player.play(boards._rows.positions[some], boards._rows.endings[some], seeds[some], count)
        found.returns[some], found.plies[some] = paid.sum(axis=1) / count, plies.sum(axis=1)
        is_most = paid == paid.max(axis=2, keepdims=True)
        found.wins[some] = (is_most & (is_most.sum(axis=2, keepdims=True) == 1)).sum(axis=1)
    return found
