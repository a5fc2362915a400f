"""All seats of a game as agents that act in turn: the PettingZoo environment."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, OptionError
from boardgym.core.game import Game, check_names, get_game
from boardgym.core.random import fresh_seed, stream
from boardgym.envs.render_modes import RENDER_FPS, RENDER_MODES, check_render_mode, show
from boardgym.envs.starting import outcome_code, read_options, start_at
from boardgym.render.window import Window


class BoardGameEnv(AECEnv[str, dict[str, np.ndarray], int | None]):
    """A board game for PettingZoo: agents `player_0`, `player_1`, ... act one at a time, each when it is its turn.

    An observation is {"observation": planes (H, W, C) as the agent sees them, "action_mask": int8 (num_actions,)}; the
    mask is zeros for an agent that is not to move, and for all when the game is over. An agent may have to act several
    times running. Rewards are what the game pays. infos: {"outcome": 1 won, 0 drawn or not over, -1 lost; "reason": a
    `boardgym.Reason` code, 0 while the game goes on}.

    Args:
        game: an id such as "Othello-v0" or "boardgym/Othello-v0", or a `Game`.
        render_mode: None, "ansi" (`render` returns text, with colours unless NO_COLOR is set), "rgb_array" (uint8
            (H, W, 3)) or "human" (a window, else text).
        setup: the set-up from which games start: a name, "random:a-b" or "sequences:n" (`Game.setup`).
        options: the game's rule options, such as size=6.

    Attributes:
        board: the game in progress, to look at, copy and search from. Only `step` and `reset` change it.

    Raises:
        UnknownGameError: no such game; the message names the nearest.
        OptionError: the game has no such option, value or set-up, or there is no such render mode.

    Example:
        >>> import boardgym
        >>> env = boardgym.BoardGameEnv("TicTacToe-v0")
        >>> env.reset(options={"position": "x2/1o1/2x o"})
        >>> observation, reward, terminated, truncated, info = env.last()
        >>> env.agent_selection, observation["action_mask"].tolist()
        ('player_1', [0, 1, 1, 1, 0, 1, 1, 1, 0])
    """

    def __init__(self, game: str | Game, *, render_mode: str | None = None, setup: str = "standard", **options: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        check_names(game, options, BoardGameEnv)
        self.game = get_game(game, **options)
        self.game.setup(setup)
        self.setup, self.render_mode = setup, check_render_mode(render_mode)
        self.metadata = {
            "name": self.game.module_name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": RENDER_FPS,
        }
        self.possible_agents = list(self.game.agents)
        self.agents: list[str] = []
        game = self.game
        planes = Box(0, game.observation_max, game.observation_shape, game.observation_dtype)
        mask = Box(0, 1, (game.num_actions,), np.int8)
        self._observation_space = Dict({"observation": planes, "action_mask": mask})
        self._action_space = Discrete(game.num_actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observation_space)  # type: ignore[arg-type]
        self.action_spaces = dict.fromkeys(self.possible_agents, self._action_space)  # type: ignore[arg-type]
        self.board = Board(game)
        self._window = Window(game.title)
        self._planes = np.zeros(planes.shape, planes.dtype)  # what the agent to move sees
        self._mask = np.zeros(game.num_actions, np.int8)
        self._paid = np.zeros(game.num_seats)
        self._rng: np.ndarray | None = None
        self._is_playing = False
        self._has_rewards = False

    def observation_space(self, agent: str) -> Any:
        """The observation space, the same object for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The action space, the same object for every agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a new game.

        Args:
            seed: for what the set-up draws, 0 to 2**64 - 1; None goes on with the stream that the last seed began.
            options: {"position": a position string} or {"setup": a set-up's name} to start from, for this game only.

        Raises:
            OptionError, NotationError: the environment is left as it was.
        """
        position, setup = read_options(self.game, options, default=self.setup)
        rng = self._rng
        if seed is not None or rng is None:
            rng = stream(fresh_seed() if seed is None else seed)
        start_at(self.board, position, setup, rng)
        self._rng = rng
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"outcome": 0, "reason": 0} for agent in self.agents}
        self._is_playing, self._has_rewards = True, False
        seat = self.board.to_play
        self.agent_selection = self.possible_agents[seat]
        self._planes[:], self._mask[:] = self.board.look(seat)
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Plays an action of `agent_selection`; None for an agent whose game is over.

        Raises:
            ResetNeeded: before the first reset, and after every agent has taken its last None.
            IllegalActionError: the action is not legal; nothing has changed.
        """
        if not self._is_playing:
            self._dead_step(action)
            return
        count, seat, has_paid = self.board.push_and_look(action, self._planes, self._mask, self._paid)  # type: ignore[arg-type]
        self._cumulative_rewards[self.agent_selection] = 0.0
        if has_paid or self._has_rewards:
            self._has_rewards = has_paid
            self.rewards = dict(zip(self.possible_agents, self._paid.tolist(), strict=True))
            self._accumulate_rewards()
        self.agent_selection = agent = self.possible_agents[seat]
        if count:
            self.infos[agent] = {"outcome": 0, "reason": 0}
        else:
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        """The game is over for every agent."""
        self._is_playing = False
        self.terminations = dict.fromkeys(self.agents, True)
        reason, outcome = int(self.board.reason), self.board.outcome()
        for seat, agent in enumerate(self.possible_agents):
            self.infos[agent] = {"outcome": outcome_code(outcome, seat), "reason": reason}

    def _dead_step(self, action: int | None) -> None:
        """Lets an agent whose game is over leave."""
        self._require_agent()
        agent = self.agent_selection
        if action is not None:
            raise IllegalActionError(f"{agent}, the game is over ({self.board.fen()!r}): expected None, got action {action!r}")
        for record in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del record[agent]
        self.agents.remove(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def _require_agent(self) -> None:
        if not self.agents:
            when = "the game is over for every agent" if self._rng is not None else "no game has begun"
            raise ResetNeeded(f"{self.metadata['name']}: {when}; call reset() first")

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees now: new arrays. Raises ResetNeeded before the first reset, OptionError for a stranger."""
        if self._rng is None:
            self._require_agent()
        if self._is_playing and agent == self.agent_selection:
            return {"observation": self._planes.copy(), "action_mask": self._mask.copy()}
        if agent not in self.observation_spaces:
            raise OptionError(f"no agent {agent!r}; expected {', '.join(self.possible_agents)}")
        planes, mask = self.board.look(self.possible_agents.index(agent))
        return {"observation": planes, "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """(observation, reward since it last acted, terminated, truncated, info) of `agent_selection`."""
        if not self.agents:
            self._require_agent()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> "AgentTurns":  # type: ignore[override]
        """Yields `agent_selection` until every agent is done, or `max_iter` times. Begins a game if none ever was."""
        if self._rng is None:
            self.reset()
        return AgentTurns(self, max_iter)

    def render(self) -> Any:
        """The board as `render_mode` says. Raises OptionError without a render_mode, ResetNeeded before the first reset."""
        if self._rng is None:
            self._require_agent()
        return show(self.board, self.render_mode, self._window)

    def close(self) -> None:
        """Closes the window of render_mode="human"."""
        self._window.close()


class AgentTurns:
    """What `agent_iter` returns: an iterable over the agents to act."""

    def __init__(self, env: BoardGameEnv, max_iter: int) -> None:
        self.env, self.max_iter = env, max_iter

    def __iter__(self) -> Iterator[str]:
        env = self.env
        left = self.max_iter
        while left > 0 and env.agents:
            left -= 1
            yield env.agent_selection


def make(game: str | Game, *, render_mode: str | None = None, setup: str = "standard", **options: Any) -> BoardGameEnv:
    """The PettingZoo environment of a game.

    make("Othello-v0"), make("boardgym/Othello-v0", size=6), make("ConnectFour-v0", render_mode="rgb_array").

    Args:
        game: an id such as "Othello-v0" or "boardgym/Othello-v0", or a `Game`.
        render_mode: None, "ansi", "rgb_array" or "human", as of `BoardGameEnv`.
        setup: the set-up from which games start: a name, "random:a-b" or "sequences:n" (`Game.setup`).
        options: the game's rule options, such as size=6.

    Returns:
        A new environment; call `reset` before you play.

    Raises:
        UnknownGameError: no such game; the message names the nearest.
        OptionError: the game has no such option, value or set-up, or there is no such render mode.

    Example:
        >>> import boardgym
        >>> env = boardgym.make("TicTacToe-v0")
        >>> env.reset()
        >>> for agent in env.agent_iter():
        ...     observation, reward, terminated, truncated, info = env.last()
        ...     env.step(None if terminated else int(observation["action_mask"].argmax()))
        >>> env.board.moves(), env.board.returns()
        (['a3', 'b3', 'c3', 'a2', 'b2', 'c2', 'a1'], [1.0, -1.0])
    """
    return BoardGameEnv(game, render_mode=render_mode, setup=setup, **options)
