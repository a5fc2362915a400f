"""Risk-sensitive learning over a small model that is known: tabular Q-learning, which with one action a state is TD(0).

    Q(s, a) <- Q(s, a) + step * chi(r + discount max_b Q(s', b) - Q(s, a))

chi is a transformation of `risk`. Actions are drawn uniformly, so that all values are learnt whatever is best. The step of an
entry's update number k, from 0, is 1 / 2 / (1 + k / span), and what is returned are the means of the values over the last half
of the steps (B. T. Polyak and A. B. Juditsky, "Acceleration of stochastic approximation by averaging", 1992). A half, since a
transformation may double a difference: at kappa 1 or -1 a value that has once gone beyond its target never comes back. Small
at the end, since where chi has a bend at 0 a value that follows one that fluctuates lies to one side of it.

Sources: O. Mihatsch, R. Neuneier, "Risk-sensitive reinforcement learning", 2002; eq. 6.2 of the thesis on Abalearn (P. Campos,
Technical University of Lisbon, about 2003).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.td.risk import Piecewise
from boardgym.baselines.networks import verbs as nv
from boardgym.compile import kernel
from boardgym.core import verbs
from boardgym.core.errors import OptionError
from boardgym.core.random import draw, stream, uniform

FIRST_STEP = 0.5
SPAN = 300.0


class Outcomes(NamedTuple):
    """A model as arrays. O is the greatest number of outcomes of an action.

    limits: float64 (states, actions, O), cumulated probabilities. after: int64, the next state, -1 for the end. rewards:
    float64, both of the same shape.
    """

    limits: NDArray[np.float64]
    after: NDArray[np.int64]
    rewards: NDArray[np.float64]


@kernel
def learn_model_kernel(
    token: Any,
    settings: Any,
    model: Any,
    start: int,
    level: float,
    discount: float,
    span: float,
    steps: int,
    rng: NDArray[np.uint64],
    values: NDArray[np.float64],
    means: NDArray[np.float64],
) -> None:
    """Learns for so many steps. values, means: float64 (states, actions), of which the second is filled."""
    transformation = verbs.unpack(token, settings)
    num_states, num_actions, num_outcomes = model.limits.shape
    visits = np.zeros((num_states, num_actions))
    state, averaged = start, 0
    means[:] = 0.0
    for step in range(steps):
        action = draw(rng, num_actions) if num_actions > 1 else 0
        mark, k = uniform(rng), 0
        while k < num_outcomes - 1 and mark >= model.limits[state, action, k]:
            k += 1
        after, target = model.after[state, action, k], model.rewards[state, action, k]
        if after >= 0:
            target += discount * values[after].max()
        change = nv.transformed(transformation, target - values[state, action], level)
        values[state, action] += FIRST_STEP / (1.0 + visits[state, action] / span) * change
        visits[state, action] += 1.0
        state = after if after >= 0 else start
        if 2 * step >= steps:
            averaged += 1
            for s in range(num_states):
                for a in range(num_actions):
                    means[s, a] += (values[s, a] - means[s, a]) / averaged


def outcomes_of(model: Mapping[int, Mapping[int, Sequence[Any]]], policy: Sequence[int] | None = None) -> Outcomes:
    """A model, as `boardgym.solo` tells it, as arrays.

    Args:
        model: model[state][action] is a list of (probability, next state, reward, terminated); as many actions in each.
        policy: an action for each state, to which the model is then narrowed; None: all actions.

    Raises OptionError for states with different actions.
    """
    actions = [list(range(len(model[state]))) if policy is None else [policy[state]] for state in range(len(model))]
    if len({len(choices) for choices in actions}) != 1:
        raise OptionError("model: expected the same actions in every state")
    most = max(len(model[state][action]) for state, choices in enumerate(actions) for action in choices)
    shape = len(model), len(actions[0]), most
    found = Outcomes(np.ones(shape), np.full(shape, -1, np.int64), np.zeros(shape))
    for state, choices in enumerate(actions):
        for place, action in enumerate(choices):
            total = 0.0
            for k, (probability, after, reward, terminated) in enumerate(model[state][action]):
                total += probability
                found.limits[state, place, k] = total
                found.after[state, place, k], found.rewards[state, place, k] = -1 if terminated else after, reward
    return found


def learn_model(
    model: Outcomes,
    kappa: float,
    *,
    discount: float,
    steps: int,
    start: int = 0,
    transformation: Any = Piecewise(),  # noqa: B008  (a tuple)
    span: float = SPAN,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Risk-sensitive action values, float64 (states, actions), from values of 0.

    Args:
        model: from `outcomes_of`. With one action a state these are the values of its policy, by TD(0).
        kappa: the level of the transformation, in [-1, 1]; below 0 risk is sought.
        discount: in [0, 1).
        steps: at least 1; the last half of them is averaged.
        start: where it begins, and goes on after an end.
        transformation: of `risk`, or one's own.
        span: updates of an entry after which its step is half of the first, above 0.
        seed: of its draws.

    Raises OptionError, naming the argument.
    """
    if not -1.0 <= kappa <= 1.0:
        raise OptionError(f"kappa={kappa!r}: expected -1 to 1")
    if not 0.0 <= discount < 1.0:
        raise OptionError(f"discount={discount!r}: expected 0 to 1, 1 excluded")
    if not 0.0 < span < math.inf:
        raise OptionError(f"span={span!r}: expected a number above 0")
    if steps < 1 or not 0 <= start < len(model.after):
        raise OptionError(f"steps={steps!r}, start={start!r}: expected a step at least, one of {len(model.after)} states")
    token = verbs.Token(type(transformation))
    shape = model.limits.shape[:2]
    values, means = np.zeros(shape), np.zeros(shape)
    learn_model_kernel(
        token,
        token.row(transformation),
        model,
        start,
        float(kappa),
        float(discount),
        float(span),
        steps,
        stream(seed),
        values,
        means,
    )
    return means
