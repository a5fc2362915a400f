"""Makes every registered game known to Gymnasium and PettingZoo, also those that users register later."""

import dataclasses
import functools
import sys
import types

import gymnasium
from gymnasium.envs.registration import EnvSpec

from boardgym.core.game import Game, on_register
from boardgym.envs.aec import BoardGameEnv

try:  # PettingZoo has a registry from 1.27 on
    from pettingzoo import aec_registry
    from pettingzoo import register as register_with_pettingzoo
except ImportError:
    aec_registry = register_with_pettingzoo = None  # type: ignore[assignment]


class PublishesLength:
    """An environment whose `spec.max_episode_steps`, where wrappers look for it, is the longest game, `game.max_plies`.

    Nothing is cut off by it: Gymnasium's TimeLimit comes with a registered number, and this one depends on the rule options.
    An environment made again from its spec has one, and keeps it too: the opponents play some of the plies.
    """

    game: Game
    max_episode_steps: int | None = None  # what the environment itself cuts off
    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """How Gymnasium made the environment; None if it did not."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        if spec is not None and spec.max_episode_steps is None:
            spec = dataclasses.replace(spec, max_episode_steps=self.max_episode_steps or self.game.max_plies)
        self._spec = spec


def start_registration() -> None:
    """Registers all games, and from now on every new one."""
    on_register(register_environments)


def register_environments(game: Game) -> None:
    """Registers `boardgym/X-vN` with Gymnasium and PettingZoo, and makes the module `boardgym.envs.x_vN`."""
    env_id = f"boardgym/{game.id}"
    gymnasium.registry.pop(env_id, None)  # a notebook cell may be run twice
    gymnasium.register(
        env_id,
        entry_point="boardgym.envs.single_agent:SingleAgentEnv",
        vector_entry_point="boardgym.envs.vector:VectorEnv",
        kwargs={"game": game.id},
    )
    if register_with_pettingzoo is not None:
        aec_registry.pop(f"boardgym/{game.module_name.removesuffix(f'_v{game.version}')}-v{game.version}", None)
        register_with_pettingzoo(
            "aec", f"boardgym/{game.module_name}", entry_point="boardgym.envs.aec:BoardGameEnv", kwargs={"game": game.id}
        )
    _make_module(game)


def _make_module(game: Game) -> None:
    """The module `boardgym.envs.othello_v0` with `env` and `raw_env`, importable like any other."""
    name = f"boardgym.envs.{game.module_name}"
    module = types.ModuleType(name, f"{game.title} in PettingZoo's manner: `env(**kwargs)`, see `BoardGameEnv`.")
    module.env = module.raw_env = functools.partial(BoardGameEnv, game.id)  # type: ignore[attr-defined]
    module.__all__ = ["env", "raw_env"]  # type: ignore[attr-defined]
    sys.modules[name] = module
    setattr(sys.modules["boardgym.envs"], game.module_name, module)
