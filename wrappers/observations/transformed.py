"""What the wrappers for Gymnasium, its vector environments and PettingZoo share.

All three do the same. An observation that comes from within is shown transformed (`apply`), and is remembered when a step has
answered it: not before, so that it may be asked for any number of times, and a step that raises leaves nothing behind. Where
an episode has ended, what was remembered of it is forgotten before the next one is shown.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray
from pettingzoo import AECEnv

from boardgym.core.errors import OptionError
from boardgym.envs.aec import BoardGameEnv
from boardgym.envs.single_agent import SingleAgentEnv
from boardgym.envs.vector import VectorEnv
from boardgym.wrappers.observations.transformation import Transformation, View


class Transformed:
    """Base of the wrappers. `transformation` is what they put on, `env` what they stand around.

    What an environment of a game has beyond the standard (`action_masks`, `board`, `game`, `seat`, `set_opponent`, ...) is
    found through it.
    """

    env: Any
    transformation: Transformation

    def __getattr__(self, name: str) -> Any:
        """A public attribute of the environment within. Raises AttributeError if none of its layers has it."""
        if name.startswith("_") or name in ("env", "transformation"):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        layer = self.env
        while not hasattr(layer, name) and layer is not layer.unwrapped:
            layer = layer.env
        return getattr(layer, name)

    def __str__(self) -> str:
        return f"{self.transformation.name}<{self.env}>"

    __repr__ = __str__

    def _space(self) -> Box | Dict:
        """The space of one observation as it is shown."""
        gives = self.transformation.gives
        if not gives.has_mask:
            return gives.space
        return Dict({"observation": gives.space, "action_mask": Box(0, 1, (gives.game.num_actions,), np.int8)})

    def _planes(self, observation: Any) -> NDArray[Any]:
        """The part of an observation, or of a batch, that is transformed."""
        return observation["observation"] if self.transformation.given.has_mask else observation

    def _dressed(self, shown: NDArray[Any], observation: Any, mask: Any) -> Any:
        """Transformed planes with the mask of `observation`, from which they come, or with the one that is added to them."""
        if self.transformation.given.has_mask:
            return {"observation": shown, "action_mask": observation["action_mask"]}
        if self.transformation.adds_mask:
            return {"observation": shown, "action_mask": np.asarray(mask).astype(np.int8)}
        return shown


def view_of(env: Any) -> View:
    """What an environment's observations look like. Raises OptionError where that cannot be known."""
    base = env.unwrapped
    if not isinstance(base, SingleAgentEnv | VectorEnv | BoardGameEnv):
        raise OptionError(
            f"{base!r} is no environment of a game; expected one of gym.make('boardgym/...'), gym.make_vec or boardgym.make"
        )
    inner = env
    while not isinstance(inner, Transformed) and inner is not base:
        inner = inner.env
    space, origin = single_space(env), single_space(inner)
    if space != origin:
        raise OptionError(
            f"{env}: a wrapper of another library changes the observations from {origin} to {space}; put it "
            "outside those of boardgym.wrappers.observations"
        )
    if isinstance(inner, Transformed):
        return inner.transformation.gives
    has_mask = isinstance(origin, Dict)
    return View(base.game, origin["observation"] if has_mask else origin, has_mask=has_mask)


def single_space(env: Any) -> Any:
    """The space of one observation."""
    if isinstance(env, AECEnv):
        return env.observation_space(env.possible_agents[0])
    return env.single_observation_space if isinstance(env, gymnasium.vector.VectorEnv) else env.observation_space
