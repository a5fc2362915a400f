"""Stable-Baselines3: `SB3VecEnv` trains its agents on native batches; `from_sb3` makes a model a `Policy`."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from boardgym.wrappers.missing import missing_extra

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.core.batch_checks import check_actions
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game, check_names, check_two_seats
from boardgym.core.random import fresh_seed, seeds_from
from boardgym.envs.batch import Batch, observation_space, refuse_device
from boardgym.envs.render_modes import RENDER_FPS, check_render_mode, show_all
from boardgym.wrappers.sb3_files import make_sb3, remember_file
from boardgym.wrappers.sb3_policy import SB3Policy, from_sb3

__all__ = ["SB3Policy", "SB3VecEnv", "from_sb3", "make_sb3", "remember_file"]


class SB3VecEnv(VecEnv):  # type: ignore[misc]
    """Stable-Baselines3's vector environment over a `Batch`: the next game starts in the step that ends one.

    `MaskablePPO("MlpPolicy", SB3VecEnv("ConnectFour-v0", num_envs=64, opponent="minimax:2"))` needs no further glue:
    masks are asked for with `env_method("action_masks")`. The info of a step that ends a game holds
    terminal_observation, TimeLimit.truncated (never), episode (r, l, t, as Monitor), outcome, reason, is_success, seat,
    opponent.

    With seat="all" a model trains on both seats of games against itself, with a negative discount (`gamma=-1.0`): the next
    observation is the other seat's, and what is good for it is bad for the one that played, as in negamax search. That holds
    where turns alternate. The rewards in the infos are then of whoever played last: their mean says little.

    Call `torch.set_num_threads(1)` before you train networks as small as these boards need. Torch starts a thread for each
    core, and over such networks the threads wait for one another, most of all where the cores have other work. The setting is
    one of the whole process, so it is not made here.

    Args:
        game: an id or a `Game`.
        num_envs: number of boards, at least 1.
        seed: of board 0; board i gets seed + i. None: any.
        render_mode: None or "rgb_array", for `render`, `get_images` and VecVideoRecorder. The step that ends a game shows the
            start of the next.
        settings: opponent, seat, setup, illegal, mirror, num_threads, trust and the rule options, as of
            `boardgym.envs.batch.Batch`.

    Raises:
        OptionError: another render mode, another device than the CPU, or a bad seed; and as `Batch`.
        SpecError, UnknownGameError, UntrustedFileError: as `Batch`.
        UnsupportedGameError: as `Batch`; seat="all" in a game of other than two seats; and in the step in which a seat plays
            twice in a row.

    Example:
        >>> from boardgym.wrappers.sb3 import SB3VecEnv
        >>> env = SB3VecEnv("TicTacToe-v0", num_envs=3, opponent="random", seed=0)
        >>> env.reset().shape
        (3, 3, 3, 4)
        >>> observations, rewards, dones, infos = env.step([4, 4, 4])
        >>> rewards.tolist(), dones.tolist(), env.action_masks().sum(axis=1).tolist()
        ([0.0, 0.0, 0.0], [False, False, False], [7, 7, 7])
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 64,
        *,
        seed: int | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        check_names(game, settings, SB3VecEnv, Batch)
        self.render_mode = check_render_mode(render_mode, ("rgb_array",))
        refuse_device(settings, "SB3VecEnv")
        self.batch = Batch(game, num_envs, **settings)
        self.game = self.batch.game
        super().__init__(self.batch.num_envs, observation_space(self.game), Discrete(self.game.num_actions))
        self.metadata["render_fps"] = RENDER_FPS  # type: ignore[assignment]  # where VecVideoRecorder looks for it
        self.has_begun = False
        if self.batch.plays_all_seats:
            check_two_seats(self.game, "seat='all' in Stable-Baselines3")
        self.seed(seed)
        self.actions = np.zeros(self.num_envs, np.int64)
        self.lengths = np.zeros(self.num_envs, np.int64)
        self.started = time.time()

    def seed(self, seed: int | None = None) -> Sequence[int]:
        """Seeds the boards at the next `reset`: board i gets seed + i.

        Raises OptionError for what is no whole number from 0 to 2**64 - num_envs, the last that leaves each board a seed.
        """
        self.next_seeds: list[int] | None = seeds_from(fresh_seed() % 2**32 if seed is None else seed, self.num_envs)
        return self.next_seeds

    def reset(self) -> NDArray[Any]:
        """Starts new games on all boards."""
        if self.next_seeds is not None:
            self.batch.seed(self.next_seeds)
            self.next_seeds = None
        self.batch.restart(self.batch.everywhere)
        self.lengths[:] = 0
        self.has_begun = True
        return self.batch.observations.copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keeps the actions for `step_wait`. Raises OptionError unless they are integers of shape (num_envs,)."""
        self.actions = check_actions(actions, self.num_envs)

    def step_wait(self) -> Any:
        """Plays the actions that `step_async` keeps, and the replies.

        Returns:
            (observations, rewards float32 (n,), dones bool (n,), one info for each board).

        Raises:
            ResetNeeded: before the first reset.
            UnsupportedGameError: with seat="all", a seat plays twice in a row.
        """
        if not self.has_begun:
            raise ResetNeeded("step() before reset()")
        batch = self.batch
        over = batch.step(self.actions)
        if batch.plays_all_seats and batch.plays_again().any():
            raise UnsupportedGameError(
                f"seat='all': a seat of {self.game.id} has played twice in a row, and a discount has one sign; expected a game "
                "whose turns alternate, or a pool of opponents (boardgym train selfplay --pool)"
            )
        self.lengths += 1
        rewards = batch.rewards.astype(np.float32)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(over)
        if len(ended):
            self._fill_infos(infos, ended, rewards)
            batch.restart(over)
            self.lengths[ended] = 0
        return batch.observations.copy(), rewards, over, infos

    def _fill_infos(self, infos: list[dict[str, Any]], ended: NDArray[np.intp], rewards: NDArray[np.float32]) -> None:
        """Tells of the games that have ended. Column by column: a number taken out of an array costs as much as a ply."""
        columns = self.batch.infos()
        rows = zip(*(column[ended].tolist() for column in columns.values()), strict=True)
        elapsed, paid, lengths = round(time.time() - self.started, 6), rewards[ended].tolist(), self.lengths[ended].tolist()
        for i, row, last, r, length in zip(ended.tolist(), rows, self.batch.observations[ended], paid, lengths, strict=True):
            infos[i] = dict(zip(columns, row, strict=True)) | {
                "terminal_observation": last,
                "TimeLimit.truncated": False,
                "episode": {"r": r, "l": length, "t": elapsed},
            }

    def set_opponent(self, opponent: Any) -> None:
        """Changes the opponent from now on, in games under way too. Raises as `Batch`."""
        self.batch.set_opponent(opponent)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, bool (num_envs, num_actions)."""
        return self.batch.masks.astype(bool)

    def get_images(self) -> tuple[NDArray[np.uint8], ...]:
        """A picture of each board, uint8 (H, W, 3). No last move is marked.

        Raises ResetNeeded before the first reset, OptionError without render_mode="rgb_array" or for a game without a drawing.
        """
        if self.render_mode is None:
            raise OptionError('get_images() needs render_mode="rgb_array" when the environment is made')
        if not self.has_begun:
            raise ResetNeeded("get_images() before reset()")
        return show_all(map(self.batch.board, range(self.num_envs)), self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of this environment, once for each board asked for."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute for all boards; they share one environment."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The `action_masks` of each board; any other method is called once, its result given for each board."""
        chosen = self._get_indices(indices)
        result = getattr(self, method_name)(*args, **kwargs)
        return [result[i] for i in chosen] if method_name == "action_masks" else [result for _ in chosen]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Always False: there are no wrappers; episode statistics are in the infos as Monitor gives them."""
        return [False for _ in self._get_indices(indices)]
