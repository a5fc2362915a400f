"""Many games at once, one learner against opponents whose replies are computed in the same compiled step.

`Batch` is the engine: plain arrays, no autoreset. `VectorEnv` puts Gymnasium's vector interface on it;
`boardgym.wrappers.sb3.SB3VecEnv` puts Stable-Baselines3's.
"""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from boardgym.core.board import Board, Reason
from boardgym.core.errors import IllegalActionError, OptionError, UnsupportedGameError, nearest
from boardgym.core.game import Game, get_game
from boardgym.core.policy import CompiledPolicy, Policy, make_policy
from boardgym.core.random import fresh_seed
from boardgym.envs import stepping as st
from boardgym.envs.starting import episode_stream

MAX_STARTS = 100  # tries to find a start from which the learner gets to move
ILLEGAL_RULES = {"terminate": st.ILLEGAL_TERMINATES, "raise": st.ILLEGAL_RAISES, "random": st.ILLEGAL_IS_RANDOM}


class Batch:
    """n games of one learner against an opponent or a mixture of them.

    Args:
        game: an id or a `Game`.
        num_envs: number of boards, at least 1.
        opponent: a spec string or policy, compiled, or a mixture of such; None: all policies of a game with one seat.
        seat: of the learner, or "random" for a draw in each game.
        setup: a set-up's name or "random:a-b".
        illegal: what an illegal action does: "terminate" (reward -1), "raise", or "random" (a legal one is drawn).
        mirror: whether the learner sees each game under a random symmetry of the board.
        options: rule options of the game.

    Attributes:
        boards: int64 (n, 5 + fields), see `boardgym.envs.stepping`.
        observations: (n, *observation_shape), masks: int8 (n, num_actions), rewards: float64 (n,): of the latest step,
            reused by the next.

    Raises:
        OptionError, SpecError, UnknownGameError, UnsupportedGameError: an opponent that is not compiled or needs a clock;
            a game with a repetition rule, whose history these boards do not keep.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponent: str | Policy = "random",
        seat: int | str = 0,
        setup: str = "standard",
        illegal: str = "terminate",
        mirror: bool = False,
        **options: Any,
    ) -> None:
        self.game = get_game(game, **options)
        if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
            raise OptionError(f"num_envs={num_envs!r}: expected a whole number of at least 1")
        if self.game.repetition_limit > 0:
            raise UnsupportedGameError(f"{self.game.id} has a draw by repetition, whose history native batches do not keep; "
                                       "the option repetition_limit=0 is without it")  # fmt: skip
        self.num_envs = int(num_envs)
        self.seat = check_seat(seat, self.game)
        if illegal not in ILLEGAL_RULES:
            raise OptionError(f"illegal={illegal!r}; {nearest(str(illegal), ILLEGAL_RULES)}")
        self.illegal, self.is_mirrored = ILLEGAL_RULES[illegal], bool(mirror)
        self.setup, chosen = setup, self.game.setup(setup)
        self.starts = np.stack([self.game.token.row(position) for position in chosen.positions])
        self.plies = chosen.random_plies
        self.set_opponent(opponent)
        fields = self.starts.shape[1]
        self.boards = np.zeros((self.num_envs, st.FIRST_FIELD + fields), np.int64)
        self.boards[:, st.STATUS] = st.OVER
        self.rngs = np.zeros(self.num_envs, np.uint64)
        self.rewards = np.zeros(self.num_envs)
        self.observations = np.zeros((self.num_envs, *self.game.observation_shape), self.game.observation_dtype)
        self.masks = np.ones((self.num_envs, self.game.num_actions), np.int8)
        self.everywhere = np.ones(self.num_envs, bool)

    def set_opponent(self, opponent: str | Policy) -> None:
        """Changes the opponent; games that go on are continued by it. Raises as the constructor."""
        policy = make_policy(opponent, self.game, seed=0)
        members = tuple(getattr(policy, "members", (policy,)))
        for member in members:
            if not isinstance(member, CompiledPolicy):
                raise UnsupportedGameError(f"opponent {getattr(member, 'spec', member)!r} is not a compiled policy; "
                                           "native batches play random, greedy, minimax, uct and epsilon of these")  # fmt: skip
            if member.game.token.name != self.game.token.name:
                raise UnsupportedGameError(f"opponent {member!r} plays {member.game.id} {dict(member.game.options)}, "
                                           f"not {self.game.id} {dict(self.game.options)}")  # fmt: skip
            if getattr(member, "has_clock", False):
                raise UnsupportedGameError(f"opponent {member.spec!r} has a time limit; native batches need a fixed budget")
        self.opponent, self.members = policy, members
        self.weights = np.asarray(getattr(policy, "weights", np.ones(1)), np.float64)

    def seed(self, seeds: list[int], where: NDArray[np.bool_] | None = None) -> None:
        """Gives boards (all, or some) the streams of single environments that are reset with these seeds, one a board."""
        for i in range(self.num_envs) if where is None else np.flatnonzero(where):
            self.rngs[i] = episode_stream(gym.utils.seeding.np_random(int(seeds[i]))[0])[0]

    def restart(self, where: NDArray[np.bool_]) -> None:
        """Starts new games on some boards, up to the learner's first ply. Raises OptionError if none can be found."""
        for _ in range(MAX_STARTS):
            if not where.any():
                return
            st.restart(self.game.token, self.boards, self.rngs, where, self.starts, self.plies, self.seat,
                       self.game.num_seats, self.weights, self.is_mirrored, self.game.max_choices)  # fmt: skip
            self._let_opponents_reply(np.zeros(self.num_envs))
            where = where & (self.boards[:, st.STATUS] >= st.OVER)  # over before the learner's first ply: drawn anew
        raise OptionError(f"set-up {self.setup!r} of {self.game.id}: games were over before the learner could move, "
                          f"{MAX_STARTS} times")  # fmt: skip

    def step(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Plays the learner's actions and the replies. Returns where games are over. Boards already over stay so.

        Raises: IllegalActionError under illegal="raise", with nothing changed.
        """
        bad = st.learner_plies(self.game.token, self.boards, self.rngs, actions, self.rewards, self.illegal,
                               self.game.max_choices)  # fmt: skip
        if bad >= 0:
            raise IllegalActionError(f"board {bad}: action {actions[bad]} is illegal in {self.game.id} at "
                                     f"{self.game.to_fen(self.position(bad))!r}")  # fmt: skip
        self._let_opponents_reply(self.rewards)
        return self.boards[:, st.STATUS] >= st.OVER

    def _let_opponents_reply(self, rewards: NDArray[np.float64]) -> None:
        for index, member in enumerate(self.members):
            st.replies(self.game.token, member.token, member.row, member.data, member.epsilon, index, self.boards, self.rngs, rewards,
                       self.game.max_choices)  # fmt: skip

    def observe(self, where: NDArray[np.bool_] | None = None) -> None:
        """Refreshes `observations` and `masks`, of some boards or all."""
        st.observe_all(self.game.token, self.boards, self.everywhere if where is None else where, self.observations,
                       self.masks, self.game.max_choices)  # fmt: skip

    def position(self, i: int) -> Any:
        """The position of board i."""
        return self.game.token.position(self.boards[i, st.FIRST_FIELD :])

    def board(self, i: int) -> Board:
        """Board i as a `Board`, its record beginning at the present position."""
        return Board(self.game, self.game.to_fen(self.position(i)))

    def infos(self) -> dict[str, NDArray[Any]]:
        """seat, opponent, ply, outcome (1 won, 0 drawn or going on, -1 lost), reason, is_success, each of shape (n,)."""
        status = self.boards[:, st.STATUS]
        reason = np.where(
            status == st.OVER, int(Reason.RULES), np.where(status == st.OVER_ILLEGAL, int(Reason.ILLEGAL_ACTION), 0)
        )
        over = status >= st.OVER
        return {
            "seat": self.boards[:, st.SEAT].copy(),
            "opponent": self.boards[:, st.MEMBER].copy(),
            "ply": self.boards[:, st.PLY].copy(),
            "outcome": np.where(over, np.sign(self.rewards), 0.0).astype(np.int64),
            "reason": reason,
            "is_success": over & (self.rewards > 0),
        }


def check_seat(seat: int | str, game: Game) -> int:
    """The learner's seat, or RANDOM_SEAT. Raises OptionError."""
    if seat == "random":
        return st.RANDOM_SEAT
    if isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < game.num_seats:
        return int(seat)
    raise OptionError(f"seat={seat!r}: expected 0 to {game.num_seats - 1} or 'random' in {game.id}")


class VectorEnv(gym.vector.VectorEnv):  # type: ignore[type-arg]
    """Gymnasium's vector environment over a `Batch`: `gym.make_vec("boardgym/ConnectFour-v0", num_envs=1024)`.

    Observations, masks and infos are new arrays at each call. info["action_mask"] is int8 (n, num_actions) and belongs
    to the returned observation. Under NEXT_STEP (the default) the step after an end ignores its action, pays 0, starts
    the next game and sets info["is_reset"]; under SAME_STEP the end's observation is in info["final_obs"].

    Args: as `Batch`; autoreset_mode: NEXT_STEP or SAME_STEP; max_episode_steps: the learner's steps before truncation.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

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
        self.batch = Batch(game, num_envs, **settings)
        self.num_envs, self.game, self.render_mode = self.batch.num_envs, self.batch.game, render_mode
        if render_mode not in (None, "ansi"):
            raise OptionError(f"render_mode={render_mode!r}: expected 'ansi' or None")
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
        self.steps = np.zeros(self.num_envs, np.int64)
        self.ended: NDArray[np.bool_] | None = None  # None before the first reset

    def reset(self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None) -> Any:
        """Starts new games everywhere, or where options["reset_mask"] (bool, (n,)) holds. Board i gets seed + i."""
        where = self.batch.everywhere
        if options:
            if set(options) - {"reset_mask"}:
                raise OptionError(f"reset options {sorted(options)}: expected 'reset_mask' alone")
            where = np.asarray(options["reset_mask"], bool)
            if where.shape != (self.num_envs,):
                raise OptionError(f"reset_mask of shape {where.shape}: expected ({self.num_envs},)")
            if self.ended is None and not where.all():
                raise ResetNeeded("the first reset() starts all boards; expected no 'reset_mask', or one of ones")
        if seed is None and self.ended is None:
            seed = fresh_seed() % 2**32
        if seed is not None:
            self.batch.seed(self._seeds(seed), where)
        self.batch.restart(where)
        self.steps[where] = 0
        self.ended = np.where(where, False, self.ended if self.ended is not None else False)
        self.batch.rewards[:] = 0.0
        self.batch.observe()
        return self.batch.observations.copy(), self._infos(np.zeros(self.num_envs, bool))

    def _seeds(self, seed: Any) -> list[int]:
        """One seed a board. Raises OptionError for what is neither an int nor a sequence of num_envs of them."""
        if isinstance(seed, int | np.integer) and not isinstance(seed, bool):
            return [int(seed) + i for i in range(self.num_envs)]
        if not isinstance(seed, list | tuple | np.ndarray) or len(seed) != self.num_envs:
            raise OptionError(f"seed={seed!r}: expected an int or a list of {self.num_envs} ints, one for each environment")
        return [int(one) for one in seed]

    def _infos(self, is_reset: NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": self.batch.masks.copy(), "is_reset": is_reset, **self.batch.infos()}
        return {**infos, **{f"_{key}": np.ones(self.num_envs, bool) for key in infos}}

    def step(self, actions: Any) -> Any:
        """One ply of the learner on each board, and the replies."""
        if self.ended is None:
            raise ResetNeeded("step() before reset()")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise OptionError(
                f"actions of shape {actions.shape}, dtype {actions.dtype}: expected integers of shape ({self.num_envs},)"
            )
        is_reset = self.ended.copy()
        if self.mode is AutoresetMode.NEXT_STEP:
            self.batch.boards[is_reset, st.STATUS] = st.OVER  # a truncated game goes on no more: its action is ignored
        over = self.batch.step(actions.astype(np.int64))
        self.steps += 1
        if self.mode is AutoresetMode.NEXT_STEP and is_reset.any():
            self.batch.restart(is_reset)
            self.batch.rewards[is_reset], self.steps[is_reset] = 0.0, 0
            over = over & ~is_reset
        terminated = over.copy()
        truncated = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncated = (self.steps >= self.max_episode_steps) & ~terminated & ~is_reset
        ended = terminated | truncated
        self.batch.observe()
        rewards = self.batch.rewards.copy()
        infos = self._infos(is_reset)
        if self.mode is AutoresetMode.NEXT_STEP:
            self.ended = ended
        elif ended.any():
            final = self._final(infos, ended)
            self.batch.restart(ended)
            self.steps[ended] = 0
            self.batch.observe(ended)
            infos = self._infos(is_reset) | final
        return self.batch.observations.copy(), rewards, terminated, truncated, infos

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
        """The boards as text, one string each, under render_mode="ansi"."""
        if self.render_mode is None:
            return None
        return tuple(str(self.batch.board(i)) for i in range(self.num_envs))


def observation_space(game: Game) -> Box:
    """The observations of one seat."""
    return Box(0, game.observation_max, game.observation_shape, game.observation_dtype)
