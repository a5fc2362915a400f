"""Transformations around Gymnasium's environment of one learner."""

from collections.abc import Mapping
from typing import Any

import gymnasium
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from boardgym.wrappers.observations.transformation import ALL, make_transformation
from boardgym.wrappers.observations.transformed import Transformed, view_of


class TransformedEnv(Transformed, RecordConstructorArgs, gymnasium.ObservationWrapper[Any, Any, Any]):
    """A transformation around one learner's environment. Args: see `put_around`."""

    def __init__(self, env: gymnasium.Env[Any, Any], name: str, **settings: Any) -> None:
        RecordConstructorArgs.__init__(self, name=name, **settings)
        gymnasium.ObservationWrapper.__init__(self, env)
        self.transformation = make_transformation(name, view_of(env), 1, **settings)
        self.observation_space = self._space()
        self._shown: NDArray[Any] | None = None  # a copy, where history is kept
        self._has_ended = False

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """As the environment within; a new episode begins."""
        observation, info = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        self.transformation.forget(ALL)
        self._has_ended = False
        return self.observation(observation), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """As the environment within."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if self._shown is not None:
            self.transformation.remember(self._shown, ALL)
        if self._has_ended:  # Gymnasium's Autoreset within has begun another episode
            self.transformation.forget(ALL)
        self._has_ended = terminated or truncated
        return self.observation(observation), reward, terminated, truncated, info

    def observation(self, observation: Any) -> Any:
        """The present observation as it is shown."""
        shown = self.transformation.apply(self._planes(observation)[None], ALL)
        self._shown = shown.copy() if self.transformation.keeps_history else None
        mask = self.unwrapped.action_masks() if self.transformation.adds_mask else None  # type: ignore[attr-defined]
        return self._dressed(shown[0], observation, mask)

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        """Sets an attribute where it is: in this wrapper only if it is its own, not one that it finds within."""
        if name in vars(self) or hasattr(type(self), name):
            setattr(self, name, value)
            return True
        return bool(self.env.set_wrapper_attr(name, value, force=force))
