"""Transformations around Gymnasium's vector environments, in both autoreset modes."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorObservationWrapper, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from boardgym.wrappers.observations.transformation import ALL, make_transformation
from boardgym.wrappers.observations.transformed import Transformed, view_of


class TransformedVectorEnv(Transformed, VectorObservationWrapper[Any, Any, Any, Any]):
    """A transformation around a vector environment. Args: see `put_around`."""

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], name: str, **settings: Any) -> None:
        VectorWrapper.__init__(self, env)  # VectorObservationWrapper's own refuses SAME_STEP, whose `final_obs` we transform
        self.transformation = make_transformation(name, view_of(env), env.num_envs, **settings)
        self.single_observation_space = self._space()
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self._shown: NDArray[Any] | None = None  # a copy, where history is kept
        self._ended = np.zeros(env.num_envs, np.bool_)  # whose next step starts an episode, under NEXT_STEP

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """As the environment within; new episodes begin where it starts them."""
        observations, infos = self.env.reset(seed=seed, options=options)
        where = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)), np.bool_)
        self.transformation.forget(np.flatnonzero(where))
        self._ended = self._ended & ~where
        return self.observations(observations), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """As the environment within."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        if self._shown is not None:
            self.transformation.remember(self._shown, ALL)
        if self.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP:
            self.transformation.forget(np.flatnonzero(self._ended))
            self._ended = terminated | truncated
        elif "final_obs" in infos:
            rows = np.flatnonzero(infos["_final_obs"])
            infos["final_obs"] = self._final(infos, rows)
            self.transformation.forget(rows)
        return self.observations(observations), rewards, terminated, truncated, infos

    def observations(self, observations: Any) -> Any:
        """The present observations as they are shown."""
        shown = self.transformation.apply(self._planes(observations), ALL)
        self._shown = shown.copy() if self.transformation.keeps_history else None
        masks = self.unwrapped.action_masks() if self.transformation.adds_mask else None  # type: ignore[attr-defined]
        return self._dressed(shown, observations, masks)

    def _final(self, infos: dict[str, Any], rows: NDArray[np.intp]) -> NDArray[np.object_]:
        """Gymnasium's final_obs, transformed: an object array, None where no episode has ended."""
        final = np.full(self.num_envs, None, object)
        if len(rows):
            shown = self.transformation.apply(np.stack([self._planes(infos["final_obs"][i]) for i in rows]), rows)
            for i, one in zip(rows, shown, strict=True):
                mask = infos["final_info"]["action_mask"][i] if self.transformation.adds_mask else None
                final[i] = self._dressed(one.copy(), infos["final_obs"][i], mask)
        return final
