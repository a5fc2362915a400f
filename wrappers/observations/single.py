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
        self._seen: NDArray[Any] | None = None
        self._has_ended = False

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """As the environment within; a new episode begins."""
        observation, info = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        self.transformation.forget(ALL)
        self._has_ended = False
        return self._look(observation), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """As the environment within."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if self._seen is not None:
            self.transformation.remember(self._seen, ALL)
        if self._has_ended:  # Gymnasium's Autoreset within has begun another episode
            self.transformation.forget(ALL)
        self._has_ended = terminated or truncated
        return self._look(observation), reward, terminated, truncated, info

    def _look(self, observation: Any) -> Any:
        self._seen = self._planes(observation)[None] if self.transformation.keeps_history else None
        return self.observation(observation)

    def observation(self, observation: Any) -> Any:
        """The present observation as it is shown."""
        shown = self.transformation.apply(self._planes(observation)[None], ALL)[0]
        mask = self.unwrapped.action_masks() if self.transformation.adds_mask else None  # type: ignore[attr-defined]
        return self._dressed(shown, observation, mask)

    def set_wrapper_attr(self, name: str, value: Any, *, force: bool = True) -> bool:
        """Sets an attribute where it is: in this wrapper only if it is its own, not one that it finds within."""
        if name in vars(self) or hasattr(type(self), name):
            setattr(self, name, value)
            return True
        return bool(self.env.set_wrapper_attr(name, value, force=force))
