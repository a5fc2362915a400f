"""Rprop: each weight moves by a step of its own, of which the gradient says no more than the direction.

    g g' > 0: step <- min(1.2 step, 50);   g g' < 0: step <- max(0.5 step, 0.000001), and g is taken to be 0
    w <- w - sign(g) step,   g' <- g

g is the derivative of the error by a weight, g' that of the epoch before. That is iRprop-. iRprop+ also takes back the last
change of a weight where g g' < 0 and the error has grown.

Source: C. Igel, M. Hüsken, "Improving the Rprop learning algorithm", 2000. Weights are held within MOST_WEIGHT, as FANN does.
FANN's code departs from that in three ways which are left out here: where g g' = 0 the step grows too; a weight whose g is 0,
as it is after a change of sign, moves up by its step; and a step below 0.0001 counts as 0.0001 before it grows or shrinks, so
that no weight moves by less than half of that (FANN's least step, delta_min, is 0). Test errors are alike
(`tests/optional/fann`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks.cascade_network import MOST_WEIGHT
from boardgym.compile import kernel

RULES = ("irprop-", "irprop+")
MINUS, PLUS = range(2)


class Rprop(NamedTuple):
    """Settings. rule: a place in RULES. increase, decrease: factors of steps. least_step, most_step: their limits."""

    rule: int = MINUS
    increase: float = 1.2
    decrease: float = 0.5
    least_step: float = 1e-6
    most_step: float = 50.0


class RpropState(NamedTuple):
    """What a rule remembers of R x C weights, whose columns have errors of their own.

    steps, gradients, changes: float64 (R, C): present steps, the last gradients, and the last changes. errors: float64 (C,), of
    the last epoch.
    """

    steps: NDArray[np.float64]
    gradients: NDArray[np.float64]
    changes: NDArray[np.float64]
    errors: NDArray[np.float64]


def make_state(rows: int, columns: int, first_step: float) -> RpropState:
    """The state before the first update."""
    shape = rows, columns
    return RpropState(np.full(shape, first_step), np.zeros(shape), np.zeros(shape), np.full(columns, np.inf))


def update(
    weights: NDArray[np.float64],
    gradients: NDArray[np.float64],
    errors: NDArray[np.float64],
    state: RpropState,
    settings: Rprop,
) -> None:
    """Moves weights, float64 (R, C). gradients: float64 (R, C), of the error. errors: float64 (C,), at the present weights."""
    update_kernel(weights, gradients, errors, state, *settings)


@kernel
def update_kernel(
    weights: NDArray[np.float64],
    gradients: NDArray[np.float64],
    errors: NDArray[np.float64],
    state: RpropState,
    rule: int,
    increase: float,
    decrease: float,
    least_step: float,
    most_step: float,
) -> None:
    """As `update`, of the numbers of `Rprop`."""
    for r in range(weights.shape[0]):
        for c in range(weights.shape[1]):
            step, g = state.steps[r, c], gradients[r, c]
            product, is_taken_back = g * state.gradients[r, c], False
            if product > 0.0:
                step = min(step * increase, most_step)
            elif product < 0.0:
                step = max(step * decrease, least_step)
                g = 0.0
                is_taken_back = rule == PLUS and errors[c] > state.errors[c]
            change = 0.0
            if is_taken_back:
                change = -state.changes[r, c]
            elif g < 0.0:
                change = step
            elif g > 0.0:
                change = -step
            weights[r, c] = min(max(weights[r, c] + change, -MOST_WEIGHT), MOST_WEIGHT)
            state.steps[r, c], state.gradients[r, c], state.changes[r, c] = step, g, change
    state.errors[:] = errors
