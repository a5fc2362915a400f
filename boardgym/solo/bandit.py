"""The n-armed bandit: one state, n actions, each paying around a value that nobody tells.

The test bed of R. S. Sutton and A. G. Barto, "Reinforcement Learning: An Introduction" (1998), section 2.2, which chapter 4
of P. F. P. Campos's master's dissertation on Abalearn (IST, Technical University of Lisbon, about 2003) repeats with 2,000
tasks of 500 plays.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from boardgym.core.errors import OptionError
from boardgym.core.random import check_seed
from boardgym.solo.model import Model, SoloEnv, Transition, read_int
from boardgym.solo.pictures import bandit_svg


def draw_tasks(rng: np.random.Generator, num_tasks: int, n: int) -> np.ndarray:
    """The action values of new tasks, each from N(0, 1): float64 (num_tasks, n)."""
    return rng.standard_normal((num_tasks, n))


def draw_rewards(rng: np.random.Generator, means: np.ndarray) -> np.ndarray:
    """A reward from N(mean, 1) for each mean: float64 of the shape of `means`."""
    return means + rng.standard_normal(np.shape(means))


class Bandit(SoloEnv):
    """Find the best of n arms while playing.

    Each reset draws a new task: the value Q*(a) of each arm from N(0, 1). A play of arm a pays a reward from N(Q*(a), 1).
    Observation: Discrete(1), always 0. Action: Discrete(n). After `plays` steps the episode is truncated, not terminated: the
    observation does not tell how many plays are left. `info` holds `optimal_action`, `play` (how many there have been), and
    after a step `is_optimal` (whether the best arm was played).

    Args:
        n: arms, 2 or more.
        plays: steps of an episode, 1 or more.
        render_mode: None, "ansi" (`render` returns text) or "rgb_array" (uint8 (H, W, 3)).

    Attributes:
        action_values: float64 (n,), Q* of this task; None before the first reset.

    Raises: OptionError, naming the argument.
    """

    def __init__(self, n: int = 10, plays: int = 500, *, render_mode: str | None = None) -> None:
        self.n, self.plays = read_int("n", n, low=2), read_int("plays", plays, low=1)
        super().__init__(1, self.n, render_mode)
        self.action_values: np.ndarray | None = None
        self._counts = np.zeros(self.n, np.int64)  # plays of each arm, and what they paid, for the pictures
        self._sums = np.zeros(self.n)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Draws a new task. Returns (0, info).

        seed: for `np_random`, 0 to 2**64 - 1; None goes on with it. Raises OptionError for another one, and for options: it
        has none.
        """
        if options:
            raise OptionError(f"reset options: {self.name} has none, got {options!r}")
        super().reset(seed=None if seed is None else check_seed(seed))
        self.action_values = draw_tasks(self.np_random, 1, self.n)[0]
        self._counts[:], self._sums[:] = 0, 0.0
        self.state, self._is_running = 0, True
        return 0, self._info()

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Plays an arm. Returns (0, reward, False, whether that was the last play, info).

        Raises:
            ResetNeeded: before the first reset, and after the last play.
            IllegalActionError: there is no such arm; nothing has changed.
        """
        self._require_episode()
        arm = self._read_action(action)
        reward = float(draw_rewards(self.np_random, self.action_values[arm]))  # type: ignore[index]
        self._counts[arm] += 1
        self._sums[arm] += reward
        info = self._info()
        info["is_optimal"] = arm == info["optimal_action"]
        self._is_running = info["play"] < self.plays
        return 0, reward, False, not self._is_running, info

    def _info(self) -> dict[str, Any]:
        return {"optimal_action": int(np.argmax(self.action_values)), "play": int(self._counts.sum())}  # type: ignore[arg-type]

    def transitions(self) -> Model:
        """The model of the task that the last reset drew: each arm leads back to state 0.

        Rewards are continuous, so that each `reward` here is their mean, Q*(a), which is all that values depend on.
        Raises ResetNeeded before the first reset, when there is no task yet.
        """
        if self.action_values is None:
            self._require_episode()
        return {0: {arm: [Transition(1.0, 0, float(self.action_values[arm]), False)] for arm in range(self.n)}}  # type: ignore[index]

    @property
    def P(self) -> Model:
        """The model, by the name that Gymnasium's own problems of this kind give it."""
        return self.transitions()

    def _means(self) -> np.ndarray:
        """What each arm has paid on average, NaN for those not played yet: float64 (n,)."""
        return np.where(self._counts > 0, self._sums / np.maximum(self._counts, 1), np.nan)

    def text(self) -> str:
        """A line for each arm: its plays, what it has paid on average, its value; the best arm has a star."""
        values: np.ndarray = self.action_values  # type: ignore[assignment]
        best, lines = int(np.argmax(values)), [f"{'arm':>3} {'plays':>6} {'mean':>6} {'value':>6}"]
        for arm, mean in enumerate(self._means()):
            shown = "-" if np.isnan(mean) else f"{mean:.2f}"
            lines.append(f"{arm:>3} {self._counts[arm]:>6} {shown:>6} {values[arm]:>6.2f}{' *' if arm == best else ''}")
        return "\n".join(lines)

    def svg(self) -> str:
        """The arms as an SVG document: values, averages of what they paid, shares of the plays."""
        return bandit_svg(self.action_values, self._means(), self._counts)  # type: ignore[arg-type]
