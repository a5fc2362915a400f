"""Perft: how many sequences of actions a game has from a position, to be compared with published counts."""

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, kernel
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import OptionError


@inner
def choices(position: Any, out: NDArray[np.int64], probabilities: NDArray[np.float64]) -> int:
    """Writes the legal actions, or the outcomes where chance is to act. Returns how many. probabilities: float64 buffer."""
    if verbs.awaits_chance(position):
        return verbs.chance(position, out, probabilities)
    return verbs.legal_actions(position, out)


@kernel
def walk(token: Any, row: NDArray[np.int64], depth: int, rows: NDArray[np.int64], legal: NDArray[np.int64]) -> tuple[int, int]:
    """Visits all sequences of up to `depth` actions and outcomes, depth >= 1.

    row: the position. rows: int64 (depth, fields) and legal: int64 (depth, max_choices), one line a level.

    Returns:
        (sequences of exactly depth actions, games that end after fewer).
    """
    probabilities = np.empty(legal.shape[1])
    counts, cursors = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    rows[0] = row
    counts[0] = choices(verbs.unpack(token, row), legal[0], probabilities)
    if depth == 1 or counts[0] == 0:
        return counts[0], np.int64(counts[0] == 0)  # type: ignore[return-value]
    sequences, ended, level = np.int64(0), np.int64(0), 0
    while level >= 0:
        if cursors[level] == counts[level]:
            level -= 1
            continue
        action = legal[level, cursors[level]]
        cursors[level] += 1
        child = verbs.apply(verbs.unpack(token, rows[level]), action)
        count = choices(child, legal[level + 1], probabilities)
        if count == 0:
            ended += 1
        elif level + 2 == depth:
            sequences += count  # the last ply need not be played to be counted
        else:
            level += 1
            verbs.pack(child, rows[level])
            counts[level], cursors[level] = count, 0
    return sequences, ended  # type: ignore[return-value]


def perft(board: Board, depth: int) -> int:
    """Number of sequences of exactly `depth` actions from a board's position.

    A forced pass is an action, and so is an outcome of chance. Games that end sooner are left out. Rules about repetition are
    not applied.

    Args:
        board: where to begin; it is not changed.
        depth: length of the sequences, at least 0.

    Returns:
        How many there are; 1 for depth 0.

    Raises:
        OptionError: depth is no int of at least 0.

    Example:
        >>> import boardgym
        >>> from boardgym.testing import perft
        >>> [perft(boardgym.Board("TicTacToe-v0"), depth) for depth in range(7)]
        [1, 9, 72, 504, 3024, 15120, 54720]
    """
    if depth == 0 and not isinstance(depth, bool):
        return 1
    return _walk(board, depth)[0]


def count_games(board: Board) -> int:
    """Number of complete games from a board's position, different orders counted apart: for small games only."""
    return _walk(board, board.game.max_plies + 1)[1]


def _walk(board: Board, depth: int) -> tuple[int, int]:
    try:
        levels = operator.index(depth)
    except TypeError:
        levels = -1
    if levels < 1 or isinstance(depth, bool):
        raise OptionError(f"depth={depth!r}: expected a whole number of plies, 0 or more")
    row, game = board.row, board.game
    rows = np.empty((levels, len(row)), np.int64)
    legal = np.empty((levels, game.max_choices), np.int64)
    sequences, ended = walk(game.token, row, levels, rows, legal)
    return int(sequences), int(ended)
