"""What positions at the horizon of a search are worth: the game's heuristic, or an evaluation that the policy's data names.

An evaluation is a NamedTuple of settings with the verb `evaluate`, and with `make_room` where it needs weights or room to
compute in. It travels in the policy's `data`: its token, the row of its settings, then its own read-only arrays. Without any
data a search takes the game's heuristic, and compiles to what it would be if there were nothing else.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, kernel, overloaded
from boardgym.core import verbs


@verbs.optional_verb
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:
    """An estimate of the returns for `seat`, which has moved into `position`, float64 in [-1, 1], 1 a win.

    The game is not over, and any seat may be to play, `seat` again too, or chance. The other seat is taken to have the
    opposite. room: what `make_room` made. Games that count points are estimated on the scale of their greatest return.
    Default: the game's heuristic.
    """
    return verbs.heuristic(position, seat)


@verbs.optional_verb
def make_room(evaluation: Any, position: Any, data: Any) -> Any:
    """What `evaluate` needs besides its settings: arrays, or tuples of them. Default: nothing.

    Made once for each call of a search. data: a tuple of the evaluation's own read-only arrays. position: only its type counts.
    """
    return ()


@inner
def squash(score: float, spread: float) -> float:
    """The value s / (spread + |s|), in (-1, 1), of a score s: it keeps the order of scores."""
    return score / (spread + abs(score))


class Heuristic(NamedTuple):
    """The game's heuristic: an evaluation without a rule of its own."""

    unused: int = 0


def horizon_of(data: Any, position: Any) -> tuple[Any, Any]:
    """(the settings, the room) of the evaluation that a policy's data names; of the heuristic if there are none."""
    if len(data) == 0:
        return Heuristic(0), ()
    settings = verbs.unpack(data[0], data[1])
    return settings, make_room(settings, position, data[2:])


@overloaded(horizon_of)
def _horizon_of(data, position) -> Any:  # type: ignore[no-untyped-def]  # Numba wants `read`'s signature
    if len(data) == 0:
        return lambda data, position: (Heuristic(0), ())

    def read(data, position):  # type: ignore[no-untyped-def]
        settings = verbs.unpack(data[0], data[1])
        return settings, make_room(settings, position, data[2:])

    return read


@kernel
def evaluate_kernel(game: Any, row: NDArray[np.int64], data: Any, seat: int) -> float:
    """The value of one position for the seat that has moved into it; for callers in Python."""
    position = verbs.unpack(game, row)
    settings, room = horizon_of(data, position)
    return evaluate(settings, position, seat, room)
