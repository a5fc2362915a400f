"""Sample averages on many bandits at once: actions drawn by a softmax of what they have paid on average.

    Q(a) <- Q(a) + (r - Q(a)) / n(a),   n(a) the plays of arm a, this one among them
    Pr(a) = exp(Q(a) / temperature) / sum over b of exp(Q(b) / temperature)

Source: R. S. Sutton and A. G. Barto, "Reinforcement Learning: An Introduction", 1998, sections 2.2 to 2.5; the experiment is
that of chapter 4 of P. F. P. Campos's master's dissertation on Abalearn (IST, Technical University of Lisbon, about 2003).
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core.errors import OptionError

DrawRewards = Callable[[np.random.Generator, NDArray[np.float64]], NDArray[np.float64]]


class Plays(NamedTuple):
    """What was played. rewards: float64 (plays, tasks). is_optimal: bool (plays, tasks), whether the best arm was played."""

    rewards: NDArray[np.float64]
    is_optimal: NDArray[np.bool_]


def softmax_bandit(
    tasks: NDArray[np.float64], temperature: float, *, plays: int, rng: np.random.Generator, draw_rewards: DrawRewards
) -> Plays:
    """Plays a bandit for each task, all at the same time.

    Args:
        tasks: float64 (tasks, n), the value of each arm, as `boardgym.solo.draw_tasks` draws them.
        temperature: above 0; low is greedy.
        plays: of each task.
        rng: for the choices and the rewards.
        draw_rewards: (rng, values) -> rewards of the same shape: `boardgym.solo.draw_rewards`.

    Raises: OptionError, naming the argument.
    """
    if tasks.ndim != 2 or tasks.size == 0:
        raise OptionError(f"tasks: expected an array of shape (tasks, arms), got {tasks.shape}")
    if not 0.0 < temperature < math.inf:
        raise OptionError(f"temperature={temperature!r}: expected a number above 0")
    if plays < 0:
        raise OptionError(f"plays={plays!r}: expected 0 or more")
    rows, best = np.arange(len(tasks)), tasks.argmax(axis=1)
    averages, counts = np.zeros(tasks.shape), np.zeros(tasks.shape, np.int64)
    done = Plays(np.zeros((plays, len(tasks))), np.zeros((plays, len(tasks)), bool))
    for play in range(plays):
        limits = np.exp((averages - averages.max(axis=1, keepdims=True)) / temperature).cumsum(axis=1)
        marks = rng.random(len(tasks)) * limits[:, -1]
        arms = np.minimum((limits <= marks[:, None]).sum(axis=1), tasks.shape[1] - 1)
        rewards = draw_rewards(rng, tasks[rows, arms])
        counts[rows, arms] += 1
        averages[rows, arms] += (rewards - averages[rows, arms]) / counts[rows, arms]
        done.rewards[play], done.is_optimal[play] = rewards, arms == best
    return done
