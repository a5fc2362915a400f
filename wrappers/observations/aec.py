"""Transformations around PettingZoo's environments."""

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper

from boardgym.wrappers.observations.transformation import ALL, make_transformation
from boardgym.wrappers.observations.transformed import Transformed, view_of


class TransformedAECEnv(BaseWrapper[str, Any, Any], Transformed):
    """A transformation around PettingZoo's environment, for all agents. Args: see `put_around`.

    An agent's history is what it saw whenever it acted.
    """

    def __init__(self, env: AECEnv[Any, Any, Any], name: str, **settings: Any) -> None:
        BaseWrapper.__init__(self, env)
        self.possible_agents = list(env.possible_agents)
        self.transformation = make_transformation(name, view_of(env), len(self.possible_agents), **settings)
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, self._space())

    __str__ = __repr__ = Transformed.__str__

    def observation_space(self, agent: str) -> Any:
        """The observation space, the same object for every agent."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As the environment within; a new episode begins for every agent."""
        self.env.reset(seed=seed, options=options)
        self.transformation.forget(ALL)

    def step(self, action: Any) -> None:
        """As the environment within."""
        shown, agent = None, None
        if self.transformation.keeps_history and action is not None and self.env.agents:
            agent = self.env.agent_selection
            shown = self._apply(self.env.observe(agent), agent)
        self.env.step(action)
        if shown is not None:
            self.transformation.remember(shown, self._row(agent))

    def observe(self, agent: str) -> Any:
        """What an agent sees now."""
        observation = self.env.observe(agent)
        return self._dressed(self._apply(observation, agent)[0], observation, None)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """(observation, reward since it last acted, terminated, truncated, info) of `agent_selection`."""
        _, reward, terminated, truncated, info = self.env.last(observe=False)
        return self.observe(self.env.agent_selection) if observe else None, reward, terminated, truncated, info

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """As the environment within."""
        return self.env.agent_iter(max_iter)

    def _apply(self, observation: Any, agent: str) -> Any:
        return self.transformation.apply(self._planes(observation)[None], self._row(agent))

    def _row(self, agent: Any) -> slice:
        row = self.possible_agents.index(agent)
        return slice(row, row + 1)
