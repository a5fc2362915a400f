"""What calls of many boards are given, looked at before anything changes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.core import rows as rw
from boardgym.core.errors import IllegalActionError, OptionError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import CompiledPolicy


def check_count(number: Any, name: str) -> int:
    """A number of boards, games or plies. Raises OptionError unless it is a whole number of at least 1."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise OptionError(f"{name}={number!r}: expected a whole number of at least 1")
    return int(number)


def check_where(where: Any, n: int, name: str = "where") -> NDArray[np.bool_]:
    """Which of n boards are meant, bool (n,); None: all. In one piece, as entry points read it.

    Raises: OptionError for another shape or dtype.
    """
    if where is None:
        return np.ones(n, bool)
    chosen = np.asarray(where)
    if chosen.shape != (n,) or chosen.dtype != bool:
        raise OptionError(f"{name}: expected bool of shape ({n},), got {chosen.dtype} of shape {chosen.shape}")
    return np.ascontiguousarray(chosen)


def check_history(history: Any, n: int) -> list[NDArray[np.int64]]:
    """The keys of earlier positions of n games, an array for each; None: none. Raises OptionError for anything else."""
    if history is None:
        return [np.empty(0, np.int64)] * n
    try:
        keys = [np.asarray(earlier) for earlier in history]
    except (TypeError, ValueError):  # no sequence, or a ragged one
        keys = []
    if len(keys) != n or any(earlier.ndim != 1 or earlier.dtype != np.int64 for earlier in keys):
        raise OptionError(f"history: expected {n} arrays of int64, one for each position, each of shape (keys,)")
    return keys


def recent_history(game: Game, rows: rw.Rows, indices: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The keys of earlier positions that a repetition may count, for some boards: a list of int64 arrays."""
    if game.repetition_limit == 0:
        return [np.empty(0, np.int64)] * len(indices)
    positions = (game.token.position(rows.positions[i]) for i in indices)
    return [
        game.recent_keys(position, rows.keys[i, : rows.num_keys[i]]).copy()
        for i, position in zip(indices, positions, strict=True)
    ]


def check_actions(actions: Any, n: int) -> NDArray[np.int64]:
    """Actions for n boards as int64 (n,), in one piece. Raises OptionError for another shape or dtype."""
    chosen = np.asarray(actions)
    if chosen.shape != (n,) or chosen.dtype.kind not in "iu":
        raise OptionError(f"actions: expected integers of shape ({n},), got {chosen.dtype} of shape {chosen.shape}")
    return np.ascontiguousarray(chosen, np.int64)


def check_compiled(policy: CompiledPolicy, game: Game) -> None:
    """Raises UnsupportedGameError for a policy of another game, or one whose choice depends on a clock."""
    if policy.game.token.name != game.token.name:
        raise UnsupportedGameError(
            f"{policy!r} plays {policy.game.id} {dict(policy.game.options)}, not {game.id} {dict(game.options)}"
        )
    if policy.has_clock:
        raise UnsupportedGameError(f"{policy!r} has a time limit; batches of boards need a fixed budget, as in uct:100")


def illegal_action(game: Game, i: int, action: int, rows: rw.Rows, count: int) -> IllegalActionError:
    """The error for an illegal action on board i. count: of its legal actions."""
    position = game.to_fen(game.token.position(rows.positions[i]))
    return IllegalActionError(f"board {i}: action {action} is illegal in {game.id} at {position!r}; {count} actions are legal")
