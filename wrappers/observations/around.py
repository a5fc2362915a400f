"""The one way in which a transformation is put around an environment of any kind."""

from typing import Any, TypeVar

import gymnasium
from pettingzoo import AECEnv

from boardgym.core.errors import OptionError
from boardgym.wrappers.observations.aec import TransformedAECEnv
from boardgym.wrappers.observations.single import TransformedEnv
from boardgym.wrappers.observations.vector import TransformedVectorEnv

E = TypeVar("E", gymnasium.Env[Any, Any], gymnasium.vector.VectorEnv[Any, Any, Any], AECEnv[Any, Any, Any])

KINDS: dict[type, Any] = {
    gymnasium.Env: TransformedEnv,
    gymnasium.vector.VectorEnv: TransformedVectorEnv,
    AECEnv: TransformedAECEnv,
}


def put_around(env: E, name: str, **settings: Any) -> E:
    """The environment with its observations transformed, of the same kind.

    Args:
        env: a Gymnasium, Gymnasium vector or PettingZoo environment of a game, wrapped or not.
        name: of the transformation, as its class gives it.
        settings: its arguments.

    Raises:
        OptionError: not such an environment, no such transformation, or one that cannot be put there.
    """
    for kind, wrapper in KINDS.items():
        if isinstance(env, kind):
            return wrapper(env, name, **settings)
    raise OptionError(
        f"{name}: expected an environment of gym.make, gym.make_vec or boardgym.make, got {env!r}; around an "
        "SB3VecEnv put Stable-Baselines3's own VecEnvWrappers"
    )
