"""RLlib: environments whose observations its action-masking module reads, and trained modules as policies.

    PPOConfig().environment(RLlibEnv, env_config={"game": "ConnectFour-v0", "opponent": "greedy", "seat": "random"})
    PPOConfig().environment(RLlibSelfPlayEnv, env_config={"game": "ConnectFour-v0"})       # all seats learn
    from_rllib(algorithm.get_module(), "ConnectFour-v0")

An observation is {"observations": float32, "action_mask": float32 (num_actions,), 1 where legal}: what RLlib's
`ActionMaskingTorchRLModule` takes. The planes are one row of H * W * C numbers: RLlib makes every box of three dimensions a
picture for convolutions of its own choice, which fit no small board. flat=False in the configuration leaves them (H, W, C).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from boardgym.core.board import Board, Reason
from boardgym.core.errors import IllegalActionError, OptionError, UnsupportedGameError
from boardgym.core.game import Game, get_game
from boardgym.core.policy import BatchPolicy
from boardgym.core.random import fresh_seed, stream
from boardgym.envs.single_agent import ILLEGAL_REWARD, SingleAgentEnv
from boardgym.envs.starting import outcome_code, read_options, start_at
from boardgym.wrappers.missing import missing_extra
from boardgym.wrappers.sampling import sample_actions

try:
    import torch
    from ray.rllib.env.multi_agent_env import MultiAgentEnv  # type: ignore[import-not-found, unused-ignore]
except ModuleNotFoundError as error:
    words = "torch, in an environment of its own (it pins an older gymnasium)"
    raise missing_extra(error, "RLlib", f"ray[rllib] {words}") from error

Observation = dict[str, NDArray[np.float32]]
MULTI_RULES = ("terminate", "raise")  # for illegal actions where all seats learn


def masked_space(game: Game, *, flat: bool = True) -> Dict:
    """The observation space: see the head of the module."""
    shape = (int(np.prod(game.observation_shape)),) if flat else game.observation_shape
    planes = Box(0.0, float(game.observation_max), shape, np.float32)
    return Dict({"observations": planes, "action_mask": Box(0.0, 1.0, (game.num_actions,), np.float32)})


def masked(observation: NDArray[Any], mask: NDArray[Any], *, flat: bool = True) -> Observation:
    """An observation of that space. observation: (H, W, C); mask: (num_actions,)."""
    planes = observation.astype(np.float32)
    return {"observations": planes.ravel() if flat else planes, "action_mask": mask.astype(np.float32)}


def read_config(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """The `env_config` as keyword arguments. Raises OptionError without a game."""
    settings = dict(config or {})
    if "game" not in settings:
        raise OptionError("env_config: expected at least {'game': 'ConnectFour-v0'}, got " + repr(settings))
    return settings


class RLlibEnv(SingleAgentEnv):
    """One learner against opponents: a `SingleAgentEnv` whose observations are those that RLlib's module reads.

    Args:
        config: RLlib's env_config: the arguments of `SingleAgentEnv` by name ("game", "opponent", "seat" ...), and "flat".

    Raises: as `SingleAgentEnv`; OptionError without a game.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        settings = read_config(config)
        self.flat = bool(settings.pop("flat", True))
        super().__init__(**settings)
        self.observation_space = masked_space(self.game, flat=self.flat)  # type: ignore[assignment]

    def reset(  # type: ignore[override]
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """As `SingleAgentEnv.reset`."""
        observation, info = super().reset(seed=seed, options=options)
        return masked(observation, info["action_mask"], flat=self.flat), info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:  # type: ignore[override]
        """As `SingleAgentEnv.step`."""
        observation, reward, terminated, truncated, info = super().step(action)
        return masked(observation, info["action_mask"], flat=self.flat), float(reward), terminated, truncated, info


class RLlibSelfPlayEnv(MultiAgentEnv):  # type: ignore[misc]
    """All seats of a game as agents `player_0`, `player_1` ... for self-play.

    `reset` and `step` return the observation of the agent that is to act alone; when the game is over, those of all, with
    masks of ones and `terminateds["__all__"]`. `rewards` has an entry for every agent, for RLlib adds up what an agent is paid
    while others act. infos at the end: {"outcome": 1, 0, -1; "reason": a `boardgym.Reason` code}.

    Args:
        config: RLlib's env_config: "game"; "setup"; "illegal": what an illegal action does: "terminate" (the default) ends
            the game with -1 for who chose it and 0 for the others, "raise" raises IllegalActionError; "flat"; and the game's
            rule options.

    Attributes:
        board: the game in progress. Only `step` and `reset` change it.

    Raises: UnknownGameError, OptionError: for what they name.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        settings = read_config(config)
        self.flat, self.setup = bool(settings.pop("flat", True)), settings.pop("setup", "standard")
        self.illegal = settings.pop("illegal", "terminate")
        if self.illegal not in MULTI_RULES:
            raise OptionError(f"illegal={self.illegal!r}: expected one of {', '.join(MULTI_RULES)}")
        self.game = get_game(settings.pop("game"), **settings)
        self.game.setup(self.setup)
        self.board = Board(self.game)
        self.agents = self.possible_agents = list(self.game.agents)
        self.observation_spaces = dict.fromkeys(self.agents, masked_space(self.game, flat=self.flat))
        self.action_spaces = dict.fromkeys(self.agents, Discrete(self.game.num_actions))
        self._rng: NDArray[np.uint64] | None = None
        self._is_playing = False

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Starts a new game. seed, options: as in `BoardGameEnv.reset`. Raises OptionError, NotationError."""
        position, setup = read_options(self.game, options, default=self.setup)
        if seed is not None or self._rng is None:
            self._rng = stream(fresh_seed() if seed is None else seed)
        start_at(self.board, position, setup, self._rng)
        self._is_playing = True
        return self._view(self.board.to_play), {}

    def step(self, action_dict: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Plays the action of the agent that is to act: (observations, rewards, terminateds, truncateds, infos).

        Raises:
            ResetNeeded: no game is under way.
            OptionError: the dictionary is not that agent's action alone.
            IllegalActionError: with illegal="raise", and nothing has changed.
        """
        if not self._is_playing:
            raise ResetNeeded(f"{self.game.id}: no game is under way; call reset() first")
        agent = self.agents[self.board.to_play]
        if set(action_dict) != {agent}:
            raise OptionError(f"{self.game.id}: expected the action of {agent} alone, got {dict(action_dict)!r}")
        planes = np.empty(self.game.observation_shape, self.game.observation_dtype)
        mask, paid = np.empty(self.game.num_actions, np.int8), np.zeros(self.game.num_seats)
        is_illegal = False
        try:
            self.board.push_and_look(action_dict[agent], planes, mask, paid)
        except IllegalActionError:
            if self.illegal == "raise":
                raise
            is_illegal, paid[self.board.to_play] = True, ILLEGAL_REWARD
        rewards = dict(zip(self.agents, paid.tolist(), strict=True))
        self._is_playing = not (is_illegal or self.board.is_terminal)
        ends = {"__all__": not self._is_playing}
        if self._is_playing:
            return (
                {self.agents[self.board.to_play]: masked(planes, mask, flat=self.flat)},
                rewards,
                ends,
                {"__all__": False},
                {},
            )
        outcome, reason = self.board.outcome(), Reason.ILLEGAL_ACTION if is_illegal else self.board.reason
        observations: dict[str, Observation] = {}
        infos: dict[str, dict[str, int]] = {}
        for seat, name in enumerate(self.agents):
            observations |= self._view(seat)
            code = (-1 if name == agent else 0) if is_illegal else outcome_code(outcome, seat)
            infos[name] = {"outcome": code, "reason": int(reason)}
        return observations, rewards, ends, {"__all__": False}, infos

    def _view(self, seat: int) -> dict[str, Observation]:
        observation, mask = self.board.look(seat)
        return {self.agents[seat]: masked(observation, mask if self._is_playing else np.ones_like(mask), flat=self.flat)}


class RLModulePolicy(BatchPolicy):
    """A trained action-masking module as a policy; native environments ask it for many boards in one call.

    Args:
        module: an RLModule of discrete actions that reads observations as the environments here give them, say
            `algorithm.get_module()`.
        game: the game it plays.
        seed: for stochastic play.
        flat: as in the environment's configuration.

    Raises: UnsupportedGameError: the module's spaces are not those of the game.
    """

    def __init__(self, module: Any, game: Game, *, seed: int | None = None, flat: bool = True) -> None:
        super().__init__(game, seed=seed)
        expected, actions = masked_space(game, flat=flat), getattr(module.action_space, "n", None)
        if module.observation_space != expected or actions != game.num_actions:
            raise UnsupportedGameError(
                f"{type(module).__name__} was trained on {module.observation_space} with {actions} "
                f"actions; {game.id} has {expected} and {game.num_actions}"
            )
        self.module, self.flat, self.spec = module, flat, f"rllib:{type(module).__name__}"

    def act_batch(
        self,
        observations: NDArray[Any],
        masks: NDArray[np.int8],
        rows: NDArray[np.int64],
        history: Sequence[NDArray[np.int64]],
        rng: NDArray[np.uint64],
        *,
        deterministic: bool = False,
    ) -> NDArray[np.int64]:
        """The most probable legal action of each board, or one drawn by probability, int64 (k,)."""
        probabilities = self.probabilities(observations, masks)
        return probabilities.argmax(axis=1) if deterministic else sample_actions(probabilities, rng)

    def probabilities(self, observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.float64]:
        """float64 (k, num_actions), 0 where illegal.

        observations: (k, H, W, C), as the seat to play sees each board. masks: (k, num_actions), not 0 where legal.
        """
        planes = observations.reshape(len(observations), -1) if self.flat else observations
        batch = {"observations": planes, "action_mask": masks}
        tensors = {name: torch.from_numpy(array.astype(np.float32)) for name, array in batch.items()}
        with torch.no_grad():
            logits = self.module.forward_inference({"obs": tensors})["action_dist_inputs"].cpu().numpy().astype(np.float64)
        shifted = np.where(masks, logits, -np.inf)
        weights = np.exp(shifted - shifted.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def action_probabilities(self, board: Board) -> NDArray[np.float64]:
        """float64 (num_actions,), 0 where illegal."""
        observation, mask = board.look()
        return self.probabilities(observation[None], mask[None])[0]


def from_rllib(module: Any, game: str | Game, *, seed: int | None = None, flat: bool = True) -> RLModulePolicy:
    """A trained module as a policy for a game: see `RLModulePolicy`."""
    return RLModulePolicy(module, get_game(game), seed=seed, flat=flat)
