"""Whether what a caller gives is a position of a game: asked before the rules see it, for compiled rules trust their words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.core import frames as fr
from boardgym.core import verbs
from boardgym.core.errors import PositionError
from boardgym.core.game import Game


def row_of(game: Game, position: Any) -> NDArray[np.int64]:
    """A position of the game's type as an int64 row. Raises PositionError for another type, or fields that no word holds."""
    if type(position) is not game.position_class:  # a subclass is another game: another board size, say
        raise PositionError(f"expected a {game.position_class.__qualname__}, got {position!r}")
    try:
        row = game.token.row(position)
        is_held = bool(game.token.position(row) == position)
    except (TypeError, ValueError):  # RuleError is a TypeError
        is_held = False
    if not is_held:
        raise PositionError(f"not a position of {game.id}: {position!r}; expected numbers that fit the fields' types")
    return row


def check_rows(
    game: Game, rows: NDArray[np.int64], boards: NDArray[np.int64] | None = None, *, first_invalid: Any = fr.first_invalid
) -> None:
    """Raises PositionError unless all rows, int64 (n, fields), are positions of the game.

    boards: their numbers, to be named. first_invalid: the kernel of this name, or its Python function.

    The verb `is_valid` decides. Where a game lacks it, the position string does: it has to read back as the same position,
    and whatever goes wrong on the way counts against the position.
    """
    if verbs.has_rule("is_valid", game.position_class):
        bad, reason = int(first_invalid(game.token, rows)), ""
    else:
        problems = ((i, problem) for i, row in enumerate(rows) if (problem := _problem(game, row)))
        bad, reason = next(problems, (-1, ""))
    if bad >= 0:
        where = "" if boards is None else f"board {boards[bad]}: "
        raise PositionError(f"{where}not a position of {game.id}: {game.token.position(rows[bad])!r}{reason}")


def _problem(game: Game, row: NDArray[np.int64]) -> str:
    """Why a row does not come back from its position string, "" if it does."""
    position = game.token.position(row)
    try:
        text = game.to_fen(position)
        back = game.from_fen(text)
        is_same = np.array_equal(game.token.row(back), row)
    except Exception as error:  # the game's own functions, given anything
        return f"; its position string: {type(error).__name__}: {error}"
    return "" if is_same else f"; its position string {text!r} reads as {back!r}"
