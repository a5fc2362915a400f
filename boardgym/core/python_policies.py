"""Asking a policy that is not compiled for actions on many boards, and checking what it answers."""

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError
from boardgym.core.game import Game


class Waiting(NamedTuple):
    """k boards on which a policy is to play.

    indices: int64 (k,), their numbers, for messages. observations, masks, rows, history, rng: as `BatchPolicy.act_batch`
    takes them.
    """

    indices: NDArray[np.int64]
    observations: NDArray[Any]
    masks: NDArray[np.int8]
    rows: NDArray[np.int64]
    history: list[NDArray[np.int64]]
    rng: NDArray[np.uint64]


def answers_batches(policy: Any) -> bool:
    """Whether a policy has `act_batch`."""
    return callable(getattr(policy, "act_batch", None))


def ask_batch(policy: Any, game: Game, waiting: Waiting, *, deterministic: bool = False) -> NDArray[np.int64]:
    """The actions of a policy with `act_batch`, int64 (k,). Raises IllegalActionError, and what the policy raises."""
    _, observations, masks, rows, history, rng = waiting
    try:
        answer = policy.act_batch(observations, masks.copy(), rows.copy(), history, rng, deterministic=deterministic)
    except Exception as error:
        error.add_note(f"raised by {policy!r}, asked for {len(rows)} boards of {game.id}")
        raise
    actions = np.asarray(answer)
    if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
        raise IllegalActionError(
            f"{policy!r}: act_batch returned an array of shape {actions.shape}, dtype {actions.dtype}; "
            f"expected integers of shape ({len(rows)},)"
        )
    return _checked(actions.astype(np.int64), policy, game, waiting)


def ask_each(policies: Sequence[Any], game: Game, waiting: Waiting, *, deterministic: bool = False) -> NDArray[np.int64]:
    """The actions of policies without `act_batch`, one for each board, on boards whose record begins at the present position.

    Raises IllegalActionError, and what a policy raises.
    """
    actions = np.empty(len(policies), np.int64)
    board = Board(game)
    for k, policy in enumerate(policies):
        stream = waiting.rng[k : k + 1]
        # with a copy of the stream, so that it rolls as in a single game
        board.set_position(game.token.position(waiting.rows[k]), rng=stream.copy(), check=False)
        settings = {"deterministic": True} if deterministic else {}
        try:
            if callable(getattr(policy, "act_with", None)):
                actions[k] = operator.index(policy.act_with(board, stream, **settings))
            else:
                actions[k] = operator.index(policy.act(board, **settings))
        except Exception as error:
            error.add_note(f"raised by {policy!r} on board {waiting.indices[k]} of {game.id} at {board.fen()!r}")
            raise
    return _checked(actions, policies[0], game, waiting)


def _checked(actions: NDArray[np.int64], policy: Any, game: Game, waiting: Waiting) -> NDArray[np.int64]:
    """The actions, if all are legal. Raises IllegalActionError."""
    inside = (actions >= 0) & (actions < game.num_actions)
    legal = inside & (waiting.masks[np.arange(len(actions)), np.where(inside, actions, 0)] == 1)
    if not legal.all():
        k = int(np.argmin(legal))
        position = game.to_fen(game.token.position(waiting.rows[k]))
        raise IllegalActionError(
            f"{policy!r} played {actions[k]} on board {waiting.indices[k]}, which is illegal in {game.id} "
            f"at {position!r}; {int(waiting.masks[k].sum())} actions are legal"
        )
    return actions
