"""What the one-player problems share: episodes, checked arguments, pictures, and the model of those that have a finite one."""

import operator
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete

from boardgym.core.errors import IllegalActionError, OptionError, nearest
from boardgym.core.random import check_seed

RENDER_MODES = ("ansi", "rgb_array")
RENDER_FPS = 4


class Transition(NamedTuple):
    """One outcome of an action, in the order of Gymnasium's `env.unwrapped.P[state][action]`.

    After a terminal state there is nothing: its value is 0, whatever a solver holds for `next_state`.
    """

    probability: float
    next_state: int
    reward: float
    terminated: bool


Model = dict[int, dict[int, list[Transition]]]  # state -> action -> outcomes, their probabilities adding up to 1


class SoloEnv(gymnasium.Env[int, int]):
    """A problem with numbered states and actions: what must be checked at every step, and how it is shown.

    Attributes:
        state: the state it is in, None before the first reset.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(self, num_states: int, num_actions: int, render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise OptionError(f"no render mode {render_mode!r}; {nearest(str(render_mode), RENDER_MODES)}")
        self.render_mode = render_mode
        self.observation_space = Discrete(num_states)  # type: ignore[assignment]
        self.action_space = Discrete(num_actions)  # type: ignore[assignment]
        self.state: int | None = None
        self._is_running = False

    @property
    def name(self) -> str:
        """The id it was made by, or the class's name."""
        return self.spec.id if self.spec is not None else type(self).__name__

    def _require_episode(self) -> None:
        """Raises ResetNeeded unless an episode is running."""
        if not self._is_running:
            when = "no episode has begun" if self.state is None else "the episode is over"
            raise ResetNeeded(f"{self.name}: {when}; call reset() first")

    def _read_action(self, action: Any) -> int:
        """The action as an int. Raises IllegalActionError if it is none of the problem's."""
        number = _as_int(action)
        count = int(self.action_space.n)  # type: ignore[attr-defined]
        if number is None or not 0 <= number < count:
            raise IllegalActionError(f"{self.name}: expected an action as an int from 0 to {count - 1}, got {action!r}")
        return number

    def render(self) -> Any:
        """What `render_mode` says: text, or uint8 (H, W, 3), of the same size in every state.

        Raises:
            OptionError: there is no render_mode.
            ResetNeeded: before the first reset.
        """
        if self.state is None:
            raise ResetNeeded(f"{self.name}: no episode has begun; call reset() first")
        if self.render_mode is None:
            raise OptionError(f"render() needs a render_mode when the environment is made: one of {', '.join(RENDER_MODES)}")
        if self.render_mode == "ansi":
            return self.text()
        from boardgym.render.pixels import pixels  # the rasteriser is loaded when a picture is wanted

        return pixels(self.svg())

    def text(self) -> str:
        """The state as text."""
        raise NotImplementedError

    def svg(self) -> str:
        """The state as an SVG document."""
        raise NotImplementedError


class ModelEnv(SoloEnv):
    """A finite problem whose model is known: it is simulated from that very model.

    Args of the constructor:
        model: all states and actions.
        starts: the states in which an episode may be told to start.
        start: one of them, or "random" to draw one for each episode.
        render_mode: None, "ansi" or "rgb_array".
    """

    def __init__(self, model: Model, *, starts: Sequence[int], start: int | str, render_mode: str | None) -> None:
        super().__init__(len(model), len(model[0]), render_mode)
        self._model, self._starts = model, tuple(starts)
        self.start = self._read_start("start", start)

    def transitions(self) -> Model:
        """The model: `transitions()[state][action]` is the list of `Transition`. It is the environment's own: do not change it.

        A terminal state leads to itself with reward 0 and `terminated`.
        """
        return self._model

    @property
    def P(self) -> Model:
        """The model, by the name that Gymnasium's own problems of this kind give it."""
        return self._model

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """Starts an episode. Returns (state, {}).

        Args:
            seed: for `np_random`, 0 to 2**64 - 1; None goes on with it.
            options: {"start": a state, or "random"}, for this episode only.

        Raises:
            OptionError: for a bad seed or options; the environment is left as it was.
        """
        start = self.start
        if options:
            if not isinstance(options, Mapping) or set(options) != {"start"}:
                raise OptionError(f"reset options: expected a dict with 'start' and nothing else, got {options!r}")
            start = self._read_start("reset option 'start'", options["start"])
        super().reset(seed=None if seed is None else check_seed(seed))
        self.state = self._starts[int(self.np_random.integers(len(self._starts)))] if start is None else start
        self._is_running = True
        return self.state, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Takes an action. Returns (state, reward, terminated, False, {}). One draw where the outcome is uncertain, else none.

        Raises:
            ResetNeeded: before the first reset, and after the end of an episode.
            IllegalActionError: there is no such action; nothing has changed.
        """
        self._require_episode()
        outcomes = self._model[self.state][self._read_action(action)]  # type: ignore[index]
        index = 0
        if len(outcomes) > 1:
            mark = self.np_random.random()
            while index + 1 < len(outcomes) and mark >= outcomes[index].probability:
                mark -= outcomes[index].probability
                index += 1
        _, self.state, reward, terminated = outcomes[index]
        self._is_running = not terminated
        return self.state, reward, terminated, False, {}

    def _read_start(self, name: str, start: Any) -> int | None:
        """The state, or None for "random". Raises OptionError."""
        if isinstance(start, str) and start == "random":
            return None
        state = _as_int(start)
        if state is None or state not in self._starts:
            raise OptionError(
                f"{name}={start!r}: expected 'random' or a state from 0 to {len(self._model) - 1} that is not terminal"
            )
        return state


def read_int(name: str, value: Any, *, low: int, high: int | None = None) -> int:
    """An argument that must be a whole number from low to high. Raises OptionError."""
    number = _as_int(value)
    if number is None or number < low or (high is not None and number > high):
        wanted = f"from {low} to {high}" if high is not None else f"{low} or more"
        raise OptionError(f"{name}={value!r}: expected a whole number, {wanted}")
    return number


def read_real(name: str, value: Any, *, low: float, high: float, is_open: bool = False) -> Any:
    """An argument, as it is, that must be a finite number from low to high, below high if `is_open`. Raises OptionError."""
    is_real = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if not is_real or not low <= value <= high or value in (float("inf"), float("-inf")) or (is_open and value == high):
        bounds = f"from {low:g} to {high:g}" if high != float("inf") else f"of {low:g} or more"
        if low == float("-inf"):
            bounds = "of any size"
        raise OptionError(f"{name}={value!r}: expected a finite number {bounds}{' (excluded)' if is_open else ''}")
    return value


def read_bool(name: str, value: Any) -> bool:
    """An argument that must be True or False. Raises OptionError."""
    if not isinstance(value, bool):
        raise OptionError(f"{name}={value!r}: expected True or False")
    return value


def _as_int(value: Any) -> int | None:
    """A whole number as an int; None for anything else, truth values among them."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
