"""Tianshou: `TianshouVecEnv` collects from native batches. Its own `PettingZooEnv(boardgym.make(...))` works as it is."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.random import fresh_seed, seeds_from
from boardgym.envs.batch import refuse_device
from boardgym.envs.opponents import refuse_all_seats
from boardgym.envs.vector import Batch, observation_space
from boardgym.wrappers.missing import missing_extra

try:
    from tianshou.data import Batch as TianshouBatch
    from tianshou.env import BaseVectorEnv
except ModuleNotFoundError as error:
    raise missing_extra(error, "Tianshou", "boardgym[tianshou]") from error

__all__ = ["TianshouVecEnv"]


class TianshouVecEnv(BaseVectorEnv):  # type: ignore[misc]
    """n games of one learner against an opponent, for Tianshou's collectors: no workers, one compiled step for all.

    Observations are a `tianshou.data.Batch` with obs (n, *shape), of the game's own integer type, and mask bool
    (n, num_actions), which Tianshou's Q-learning obeys in play, in exploration and in targets; all ones where a game is
    over. Infos are empty dicts. A board whose game is over waits for `reset(env_id)`, as collectors do it.

    `Collector.collect(random=True)` samples without masks: fill a buffer with eps_training=1 instead.

    Args:
        game: an id or a `Game`.
        num_envs: number of boards, at least 1.
        seed: board 0 gets it, board i gets seed + i; None takes one from the operating system.
        settings: as for `boardgym.envs.vector.Batch`: opponent, seat, setup, illegal, mirror, and the game's options.

    Raises:
        OptionError, SpecError, UnknownGameError, UnsupportedGameError: as `Batch`.
    """

    def __init__(self, game: str | Game, num_envs: int = 64, *, seed: int | None = None, **settings: Any) -> None:
        refuse_all_seats(settings.get("seat"), type(self).__name__)
        refuse_device(settings, type(self).__name__)
        self.batch = Batch(game, num_envs, **settings)
        self.game, n = self.batch.game, self.batch.num_envs
        mask = Box(0, 1, (self.game.num_actions,), np.bool_)  # type: ignore[arg-type]
        self._spaces = {
            "observation_space": Dict({"obs": observation_space(self.game), "mask": mask}),
            "action_space": Discrete(self.game.num_actions),
            "metadata": {"render_modes": ["ansi"]},
            "spec": None,
        }
        self.env_num = self.wait_num = n  # what follows is what the base class would say of n synchronous workers
        self.workers: list[Any] = []
        self.waiting_id: list[int] = []
        self.ready_id = list(range(n))
        self.timeout, self.is_async, self.is_closed = None, False, False
        self._is_playing = np.zeros(n, bool)  # which boards have a game under way
        self.seed(seed)

    def seed(self, seed: int | Sequence[int] | None = None) -> list[list[int] | None]:
        """Seeds the boards at once: an int (board i gets seed + i), one a board, or None for a fresh one.

        Raises OptionError for seeds outside 0 to 2**64 - 1, and for another number of them.
        """
        if seed is None:
            seed = fresh_seed() % 2**32
        if not isinstance(seed, list | tuple | np.ndarray):
            seed = seeds_from(seed, self.env_num)
        seeds = list(seed)
        if len(seeds) != self.env_num:
            raise OptionError(f"{len(seeds)} seeds: expected an int, or {self.env_num} of them")
        self.batch.seed(seeds)
        return [[int(one)] for one in seeds]

    def reset(self, env_id: Any = None, *, seed: int | Sequence[int] | None = None, **_: Any) -> Any:
        """Starts new games, on the boards of env_id (int, or a sequence) or on all. Returns (Batch, infos) of these.

        seed: for all boards, before. Raises OptionError for a board that there is not.
        """
        chosen = self._chosen(env_id)
        if seed is not None:
            self.seed(seed)
        where = np.zeros(self.env_num, bool)
        where[chosen] = True
        self.batch.restart(where)
        self._is_playing |= where
        return self._seen(chosen), self._infos(chosen)

    def step(self, action: Any, id: Any = None) -> Any:
        """Plays one action on each board of `id`, or on all; the others are left as they are.

        Returns (Batch, rewards float64, terminated bool, truncated bool, infos) of these boards, in the order of `id`.

        Raises: OptionError for actions that are not one integer a board; ResetNeeded for a board that has no game under way.
        """
        chosen, actions = self._chosen(id), np.asarray(action)
        if actions.shape != chosen.shape or actions.dtype.kind not in "iu":
            raise OptionError(f"actions of shape {actions.shape}, {actions.dtype}: expected integers of shape {chosen.shape}")
        if not self._is_playing[chosen].all():
            waiting = chosen[~self._is_playing[chosen]].tolist()
            raise ResetNeeded(f"boards {waiting}: no game is under way; expected reset({waiting}) before step()")
        all_actions, part = np.zeros(self.env_num, np.int64), np.zeros(self.env_num, bool)
        all_actions[chosen], part[chosen] = actions, True
        over = self.batch.step(all_actions, part)[chosen]
        self._is_playing[chosen] = ~over
        return self._seen(chosen), self.batch.rewards[chosen], over, np.zeros(len(chosen), bool), self._infos(chosen)

    def _chosen(self, env_id: Any) -> NDArray[np.int64]:
        self._assert_is_not_closed()
        chosen = np.arange(self.env_num) if env_id is None else np.atleast_1d(np.asarray(env_id, np.int64))
        if chosen.ndim != 1 or len(set(chosen.tolist())) != len(chosen) or not ((chosen >= 0) & (chosen < self.env_num)).all():
            raise OptionError(f"boards {env_id!r}: expected different numbers from 0 to {self.env_num - 1}")
        return chosen

    def _seen(self, chosen: NDArray[np.int64]) -> Any:
        return TianshouBatch(obs=self.batch.observations[chosen], mask=self.batch.masks[chosen].astype(bool))

    def _infos(self, chosen: NDArray[np.int64]) -> NDArray[np.object_]:
        return np.array([{} for _ in chosen], object)

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """A space, the metadata, or an attribute of this environment, once for each board asked for."""
        value = self._spaces[key] if key in self._spaces else getattr(self, key)
        return [value for _ in self._chosen(id)]

    def set_env_attr(self, key: str, value: Any, id: Any = None) -> None:
        """Raises OptionError: the boards have no attributes of their own; `batch.set_opponent` changes the opponent."""
        raise OptionError(f"set_env_attr({key!r}): the boards of a native batch have no attributes of their own")

    def render(self, **_: Any) -> list[str]:
        """The boards as text."""
        return [str(self.batch.board(i)) for i in range(self.env_num)]

    def close(self) -> None:
        """Nothing is held open."""
        self.is_closed = True
