"""Gymnasium's vector interface over a native `Batch`: many games at once, one learner against opponents in each."""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from boardgym.core.batch_checks import check_where
from boardgym.core.errors import OptionError
from boardgym.core.game import Game, check_names
from boardgym.core.random import seeds_from
from boardgym.envs.batch import Batch, observation_space, refuse_device
from boardgym.envs.registration import PublishesLength
from boardgym.envs.render_modes import BATCH_RENDER_MODES, RENDER_FPS, check_render_mode, show_all

__all__ = ["Batch", "VectorEnv", "observation_space"]


class VectorEnv(PublishesLength, gym.vector.VectorEnv):  # type: ignore[type-arg,misc]
    """Gymnasium's vector environment over a `Batch`: `gym.make_vec("boardgym/ConnectFour-v0", num_envs=1024)`.

    Observations, masks and infos are new arrays at each call. info["action_mask"] is int8 (n, num_actions) and belongs
    to the returned observation. Under NEXT_STEP (the default) the step after an end ignores its action, pays 0, starts
    the next game and sets info["is_reset"]; under SAME_STEP the end's observation is in info["final_obs"].

    Args:
        game: an id or a `Game`.
        num_envs: number of boards, at least 1.
        autoreset_mode: NEXT_STEP or SAME_STEP.
        max_episode_steps: the learner's steps before truncation, at least 1; None: games are never cut off.
        render_mode: None, "ansi" (text) or "rgb_array" (uint8 (H, W, 3)).
        settings: opponent, seat, setup, illegal, mirror, num_threads, trust and the rule options, as of `Batch`.

    Raises:
        OptionError: another autoreset or render mode, max_episode_steps below 1, another device than the CPU; and as `Batch`.
        SpecError, UnknownGameError, UntrustedFileError, UnsupportedGameError: as `Batch`.

    Example:
        >>> import boardgym, gymnasium as gym
        >>> envs = gym.make_vec("boardgym/ConnectFour-v0", num_envs=3, opponent="random")
        >>> observations, infos = envs.reset(seed=0)
        >>> observations.shape, infos["action_mask"].shape
        ((3, 6, 7, 4), (3, 7))
        >>> observations, rewards, terminated, truncated, infos = envs.step([3, 3, 3])
        >>> rewards.tolist(), infos["ply"].tolist()
        ([0.0, 0.0, 0.0], [2, 2, 2])
    """

    metadata: dict[str, Any] = {
        "render_modes": list(BATCH_RENDER_MODES),
        "render_fps": RENDER_FPS,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        check_names(game, settings, VectorEnv, Batch)
        refuse_device(settings, "VectorEnv")
        self.batch = Batch(game, num_envs, **settings)
        self.num_envs, self.game = self.batch.num_envs, self.batch.game
        self.render_mode = check_render_mode(render_mode, BATCH_RENDER_MODES)
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED:
            raise OptionError("autoreset_mode=DISABLED: expected NEXT_STEP or SAME_STEP")
        if max_episode_steps is not None and max_episode_steps < 1:
            raise OptionError(f"max_episode_steps={max_episode_steps!r}: expected at least 1, or None")
        self.mode, self.max_episode_steps = mode, max_episode_steps
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = MultiDiscrete([self.game.num_actions] * self.num_envs)
        self._ones = np.ones(self.num_envs, bool)
        self._ones.flags.writeable = False
        self.steps = np.zeros(self.num_envs, np.int64)
        self.ended: NDArray[np.bool_] | None = None  # None before the first reset

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None) -> Any:
        """Starts new games.

        Args:
            seed: an int, board i then gets seed + i; or a list with one for each board; None: the streams go on.
            options: {"reset_mask": bool (n,)} starts only the boards where it holds; None: all.

        Returns:
            (observations, infos) of all boards.

        Raises:
            OptionError: other options, a bad seed or mask, or no game can begin.
            ResetNeeded: the first reset has a mask that leaves out boards.
        """
        where = self.batch.everywhere
        if options:
            if set(options) - {"reset_mask"}:
                raise OptionError(f"reset options {sorted(options)}: expected 'reset_mask' alone")
            where = check_where(options["reset_mask"], self.num_envs, "reset_mask")
            if self.ended is None and not where.all():
                raise ResetNeeded("the first reset() starts all boards; expected no 'reset_mask', or one of ones")
        if seed is not None:
            seeds = self._seeds(seed)
            self.batch.seed(seeds, where)
            if not isinstance(seed, list | tuple | np.ndarray):
                super().reset(seed=seeds[0])
        ended, self.ended = self.ended, None  # for good if an opponent fails: then all boards have to be reset
        self.batch.renew()
        self.batch.restart(where)
        if not where.all():
            self.batch.observe(~where)
        self.steps[where] = 0
        self.ended = np.where(where, False, ended if ended is not None else False)
        return self.batch.observations, self._infos(np.zeros(self.num_envs, bool))

    def _seeds(self, seed: Any) -> list[int | None]:
        """One seed a board. Raises OptionError for a bad one, and for another number of them than num_envs."""
        if not isinstance(seed, list | tuple | np.ndarray):
            return [*seeds_from(seed, self.num_envs)]
        if len(seed) != self.num_envs:
            raise OptionError(f"seed={seed!r}: expected an int or a list of {self.num_envs} ints, one for each environment")
        return list(seed)

    def _infos(self, is_reset: NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": self.batch.masks.copy(), "is_reset": is_reset, **self.batch.infos()}
        return {**infos, **{f"_{key}": self._ones for key in infos}}

    def step(self, actions: Any) -> Any:
        """Plays the learner's action on each board, and the replies.

        Args:
            actions: integers (n,).

        Returns:
            (observations, rewards float64 (n,), terminated bool (n,), truncated bool (n,), infos).

        Raises:
            ResetNeeded: before the first reset, and after an opponent has failed.
            OptionError: actions of another shape or dtype.
            IllegalActionError: an action is not legal and `illegal` is "raise", or an opponent broke the rules.
        """
        if self.ended is None:
            raise ResetNeeded("step() before reset()")
        is_reset = self.ended.copy()
        if self.mode is AutoresetMode.NEXT_STEP:
            self.batch.abandon(is_reset)  # a truncated game goes on no more: its action is ignored
        self.batch.check(actions)
        self.batch.renew()
        self.ended = None  # for good if an opponent fails on the way: then all boards have to be reset
        over = self.batch.step(actions)
        self.steps += 1
        if self.mode is AutoresetMode.NEXT_STEP and is_reset.any():
            self.batch.restart(is_reset)
            self.steps[is_reset] = 0
            over = over & ~is_reset
        terminated = over.copy()
        truncated = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncated = (self.steps >= self.max_episode_steps) & ~terminated & ~is_reset
        ended = terminated | truncated
        rewards = self.batch.rewards.copy()
        infos = self._infos(is_reset)
        if self.mode is AutoresetMode.NEXT_STEP:
            self.ended = ended
        else:
            self.ended = np.zeros(self.num_envs, bool)
        if self.mode is AutoresetMode.SAME_STEP and ended.any():
            final = self._final(infos, ended)
            self.batch.restart(ended)
            self.steps[ended] = 0
            infos = self._infos(is_reset) | final
        return self.batch.observations, rewards, terminated, truncated, infos

    def _final(self, infos: dict[str, Any], ended: NDArray[np.bool_]) -> dict[str, Any]:
        """Gymnasium's final_obs (object array, None where a game goes on) and final_info."""
        final_obs = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            final_obs[i] = self.batch.observations[i].copy()
        final_info = {key: value.copy() for key, value in infos.items() if not key.startswith("_")}
        final_info |= {f"_{key}": ended.copy() for key in final_info}
        return {"final_obs": final_obs, "_final_obs": ended.copy(), "final_info": final_info, "_final_info": ended.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as sb3-contrib asks for them, bool (n, num_actions)."""
        return self.batch.masks.astype(bool)

    def render(self) -> Any:
        """A tuple with a text or picture of each board, as `render_mode` says; None without one. No last move is marked.

        Raises ResetNeeded before the first reset, OptionError for pictures of a game without a drawing.
        """
        if self.render_mode is None:
            return None
        if self.ended is None:
            raise ResetNeeded("render() before reset()")
        return show_all(map(self.batch.board, range(self.num_envs)), self.render_mode)
