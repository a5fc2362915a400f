"""What a position is worth to UCT: what a game pays at its end, and what an evaluation says before.

With two seats a value is for seat 0; with more, those of all seats are written into an array.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.evaluation import evaluate
from boardgym.compile import inner
from boardgym.core import verbs

PLAYOUT, HEURISTIC, MIX = range(3)  # settings.leaf


@inner
def payoff(policy: Any, position: Any, is_drawn: bool, results: NDArray[np.float64] | None) -> float:
    """What a game pays seat 0 at its end, in [-1, 1]; with more than two seats, also what it pays each, in results.

    is_drawn: whether a repetition has ended it.
    """
    if results is not None:
        for seat in range(results.shape[0]):
            paid = verbs.draw_returns(position, seat) if is_drawn else verbs.returns(position, seat)
            results[seat] = paid * policy.scale
    return (verbs.draw_returns(position, 0) if is_drawn else verbs.returns(position, 0)) * policy.scale


@inner
def estimate(policy: Any, horizon: Any, position: Any, seat: int) -> float:
    """What the evaluation says of a position to a seat, held within [-1, 1]; of a game that is over, what it pays."""
    is_over = verbs.is_terminal(position)
    value = verbs.returns(position, seat) * policy.scale if is_over else evaluate(horizon[0], position, seat, horizon[1])
    return min(max(value, -1.0), 1.0)


@inner
def value_by_estimates(
    policy: Any, horizon: Any, position: Any, mover: int, leaf: Any, leaf_mover: int, results: NDArray[np.float64] | None
) -> float:
    """What the evaluation says of where a playout ended, mixed with what it says of the leaf; as `payoff`.

    mover, leaf_mover: who moved into the position, and into the leaf.
    """
    if results is None:
        value = first_estimate(policy, horizon, position, mover)
        if policy.leaf == MIX:
            value = policy.mix * value + (1.0 - policy.mix) * first_estimate(policy, horizon, leaf, leaf_mover)
        return value
    for seat in range(results.shape[0]):
        results[seat] = estimate(policy, horizon, position, seat)
        if policy.leaf == MIX:
            results[seat] = policy.mix * results[seat] + (1.0 - policy.mix) * estimate(policy, horizon, leaf, seat)
    return results[0]


@inner
def first_estimate(policy: Any, horizon: Any, position: Any, mover: int) -> float:
    """What a position is worth to the first of two seats: the evaluation is asked for the seat that moved into it."""
    value = estimate(policy, horizon, position, mover)
    return value if mover == 0 else -value


@inner
def last_mover(position: Any, seats: NDArray[Any], depth: int) -> int:
    """The seat that moved into the position at a depth of the path; at the root, that which is not to play. Of two seats.

    seats: of the path. Chance moves nobody's pieces.
    """
    while depth > 0 and seats[depth - 1] == verbs.CHANCE:
        depth -= 1
    return np.int64(seats[depth - 1]) if depth > 0 else np.int64(verbs.to_play(position) == 0)  # type: ignore[return-value]
