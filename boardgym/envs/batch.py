"""Many games at once, one learner against opponents whose replies belong to the step.

`Batch` is the engine: plain arrays, no autoreset. `boardgym.envs.vector.VectorEnv` puts Gymnasium's vector interface on
it, `boardgym.wrappers.sb3.SB3VecEnv` Stable-Baselines3's.
"""

import copy
from collections.abc import Sequence
from typing import Any, Self

import gymnasium as gym
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box
from numpy.typing import NDArray

from boardgym.compile import EntryPoints
from boardgym.compile.card import class_for
from boardgym.core import rows as rw
from boardgym.core.arrays import read_only
from boardgym.core.batch_checks import (
    check_actions,
    check_compiled,
    check_count,
    check_where,
    illegal_action,
    recent_history,
)
from boardgym.core.board import Board
from boardgym.core.engine import BY_RULE, NOT_OVER
from boardgym.core.errors import IllegalActionError, OptionError, UnsupportedGameError, nearest
from boardgym.core.game import Game, check_names, get_game
from boardgym.core.policy import CompiledPolicy, Policy
from boardgym.core.python_policies import Waiting, answers_batches, ask_batch, ask_each
from boardgym.core.random import check_seed, fresh_seed, stream
from boardgym.core.threads import SHARED, Sharing
from boardgym.envs import stepping as st
from boardgym.envs.opponents import members_of, read_opponents, read_seat, takes_stream
from boardgym.envs.starting import episode_stream

MAX_STARTS = 100  # tries to find a start from which the learner gets to move
ILLEGAL_RULES = {"terminate": st.ILLEGAL_TERMINATES, "raise": st.ILLEGAL_RAISES, "random": st.ILLEGAL_IS_RANDOM}


class Batch:
    """n games of one learner against opponents, or against itself.

    Compiled opponents reply within the step. Others are asked, all waiting boards in one call, by `act_batch`; those that
    have `act` alone play by a deep copy for each board, on boards whose record begins at the present position.

    Args:
        game: an id or a `Game`.
        num_envs: number of boards, at least 1.
        opponent: a spec string, a policy, a mixture, or a sequence with one of these for each other seat, in the order in
            which they follow the learner.
        seat: of the learner, "random" for a draw in each game, or "all": the learner plays every ply of all seats and there are
            no opponents. It then sees each board as the seat to play, a step pays what the seat that played got by it, and a
            game that is over shows what that seat sees and has the outcome that it has for it.
        setup: a set-up's name, "random:a-b" or "sequences:n" (`Game.setup`).
        illegal: what an illegal action does: "terminate" (reward -1), "raise", or "random" (a legal one is drawn).
        mirror: whether the learner sees each game under a random symmetry of the board.
        num_threads: threads that share long steps, 0 for one a core; results do not depend on it.
        trust: whether an opponent's file may be loaded that could execute code ("sb3:...").
        device: "cpu", or "cuda" for a card, with extra `gpu`: see `boardgym.envs.cuda_batch.CudaBatch`. Not run on a card yet.
        options: rule options of the game.

    Attributes:
        observations: (n, *observation_shape), masks: int8 (n, num_actions), rewards: float64 (n,): what the learner of each
            board sees now, and what the latest step paid it. To be read only; the next call overwrites them.

    Raises:
        OptionError, SpecError, UnknownGameError, UntrustedFileError, UnsupportedGameError: the last also for an opponent
            that depends on a clock.
    """

    def __new__(cls, *_: Any, device: str = "cpu", **__: Any) -> Self:
        """A batch on the CPU, or one of the class for cards."""
        return object.__new__(cls if device == "cpu" else class_for(device, cls, Batch, class_on_card))

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        opponent: str | Policy | Sequence[str | Policy] = "random",
        seat: int | str = 0,
        setup: str = "standard",
        illegal: str = "terminate",
        mirror: bool = False,
        num_threads: int = 1,
        trust: bool = False,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        check_names(game, options, Batch)
        self.game = get_game(game, **options)
        self.num_envs = n = check_count(num_envs, "num_envs")
        if isinstance(seat, str) and seat == "all":
            self.seat = st.ALL_SEATS
        else:
            fixed_seat = read_seat(seat, self.game)
            self.seat = st.RANDOM_SEAT if fixed_seat is None else fixed_seat
        if illegal not in ILLEGAL_RULES:
            raise OptionError(f"illegal={illegal!r}; {nearest(str(illegal), ILLEGAL_RULES)}")
        self.illegal, self.is_mirrored, self.trust = ILLEGAL_RULES[illegal], bool(mirror), trust
        self.setup, chosen = setup, self.game.setup(setup)
        self.starts = np.stack([self.game.token.row(position) for position in chosen.positions])
        self.plies = chosen.random_plies
        self.sharing = Sharing(num_threads)
        self.has_begun = False
        self._entries = EntryPoints()
        self._allocate(n)
        self.set_opponent(opponent)

    def _allocate(self, n: int) -> None:
        """Makes the arrays of n games, not begun."""
        self.rows = rw.make_rows(self.game.token, n, has_history=self.game.repetition_limit > 0)
        self.sides = st.Sides(
            seats=np.zeros(n, np.int64),
            payees=np.zeros(n, np.int64),
            members=np.zeros((n, 1), np.int64),
            seeds=np.full((n, 1), -1, np.int64),
            waits=np.full(n, st.NOBODY, np.int64),
            outcomes=np.zeros(n, np.int64),
            symmetries=np.zeros(n, np.int64),
            paid=np.zeros((n, self.game.num_seats)),
            observations=np.zeros((n, *self.game.observation_shape), self.game.observation_dtype),
            masks=np.ones((n, self.game.num_actions), np.int8),
            rewards=np.zeros(n),
        )
        self.everywhere = np.ones(n, bool)
        self._wrong = np.zeros(n, np.int64)  # the action of an opponent that has broken the rules
        self.rows.rngs[:] = [stream(fresh_seed())[0] for _ in range(n)]  # until `seed` gives others

    # ------------------------------------------------------------ opponents

    def set_opponent(self, opponent: str | Policy | Sequence[str | Policy]) -> None:
        """Changes the opponents, in games under way too, where each mixture is drawn from anew. Raises as the constructor."""
        if self.plays_all_seats and opponent != "random":
            raise OptionError(f"opponent={opponent!r} with seat='all', where the learner plays every ply; leave it out")
        policies = [] if self.plays_all_seats else read_opponents(opponent, self.game, trust=self.trust)
        mixtures = [members_of(policy) for policy in policies]
        players: dict[int, Any] = {}
        for member in (member for members, _ in mixtures for member in members):
            players[id(member)] = member
        numbers = {key: number for number, key in enumerate(players)}
        most = max((len(members) for members, _ in mixtures), default=1)
        slots = st.Slots(
            np.full((len(mixtures), most), -1, np.int64),
            np.zeros((len(mixtures), most)),
            np.array([needs_copy(player) for player in players.values()], bool),
        )
        for slot, (members, weights) in enumerate(mixtures):
            slots.numbers[slot, : len(members)] = [numbers[id(member)] for member in members]
            slots.weights[slot, : len(members)] = weights
        admitted = self._admit(list(players.values()), slots)  # before anything is changed
        self.opponents, self.players, self.slots = policies, list(players.values()), slots
        self.sharing.paces.clear()  # of the opponents before
        self.copies: dict[tuple[int, int], Any] = {}  # (number, board) -> that board's copy of an opponent
        self._seat_opponents(admitted)

    def _admit(self, players: list[Any], slots: st.Slots) -> Any:
        """What `_seat_opponents` takes of new opponents. Raises UnsupportedGameError for one that cannot play here."""
        for player in players:
            if isinstance(player, CompiledPolicy):
                check_compiled(player, self.game)
            elif getattr(player, "has_clock", False):
                raise UnsupportedGameError(f"opponent {player!r} has a time limit; native batches need a fixed budget")
            elif needs_copy(player):
                copy_of(player)
        shape = self.num_envs, len(slots.numbers)
        return self.sides._replace(members=np.zeros(shape, np.int64), seeds=np.full(shape, -1, np.int64))

    def _seat_opponents(self, admitted: Any) -> None:
        """Lets new opponents take their places, in games under way too."""
        self.sides = admitted
        under_way = self.rows.endings == NOT_OVER
        if under_way.any():
            st.reassign(self.game.token, self.rows, self.sides, self.slots)
            self._seed_players(under_way)
        if (self.sides.waits >= 0).any():  # where the one before has failed
            self._let_opponents_reply()
            self.observe(self.everywhere)

    def _seed_players(self, where: NDArray[np.bool_]) -> None:
        """Resets the opponents that keep streams of their own, each board's copy with the seed that its stream gave."""
        if not self.slots.is_seeded.any():
            return
        for i in np.flatnonzero(where).tolist():
            for slot, seed in enumerate(self.sides.seeds[i].tolist()):
                if seed >= 0:
                    number = int(self.slots.numbers[slot, self.sides.members[i, slot]])
                    if (number, i) not in self.copies:
                        self.copies[number, i] = copy_of(self.players[number])
                    self.copies[number, i].reset(seed=seed)

    # ------------------------------------------------------------ playing

    def renew(self) -> None:
        """A new array for the observations: who holds the present one may keep it.

        What it holds comes with the next `step`, or the next `restart` and `observe` of the other boards.
        """
        self.sides = self.sides._replace(observations=np.empty_like(self.sides.observations))

    def seed(self, seeds: Sequence[int | None], where: NDArray[np.bool_] | None = None) -> None:
        """Gives boards (all, or some) the streams of single environments that are reset with these seeds, one a board.

        None among them: that board's stream goes on. Raises OptionError, and seeds none, for one outside 0 to 2**64 - 1.
        """
        checked = [None if seed is None else check_seed(seed) for seed in seeds]
        for i in np.flatnonzero(check_where(where, self.num_envs)).tolist():
            if checked[i] is not None:
                self.rows.rngs[i] = episode_stream(gym.utils.seeding.np_random(checked[i])[0])[0]

    def restart(self, where: NDArray[np.bool_]) -> None:
        """Starts new games on some boards, up to the learner's first ply. Raises OptionError if none can be found."""
        started, token, most = check_where(where, self.num_envs), self.game.token, self.game.max_choices
        where, self.has_begun = started, True
        chosen = self.starts, self.plies, self.seat, self.is_mirrored, most
        for _ in range(MAX_STARTS):
            if not where.any():
                self.sides.paid[started] = 0.0
                return self.observe(started)
            self._make_room(self.plies[1])
            args = token, self.rows, self.sides, self.slots, where, *chosen
            self.sharing.run(
                "restart", self._entries.find(st.restart, *SHARED, args), self.num_envs, args, np.count_nonzero(where)
            )
            self._seed_players(where)
            self._let_opponents_reply()
            where = where & (self.rows.endings != NOT_OVER)  # over before the learner's first ply: drawn anew
        raise OptionError(
            f"set-up {self.setup!r} of {self.game.id}: games were over before the learner could move, {MAX_STARTS} times"
        )

    def abandon(self, where: NDArray[np.bool_]) -> None:
        """Ends the games on some boards, as truncation does: they take part in no step until `restart`."""
        check_where(where, self.num_envs)
        self.rows.endings[where], self.sides.waits[where], self.sides.outcomes[where] = BY_RULE, st.NOBODY, 0

    def step(self, actions: NDArray[np.int64], where: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Plays the learner's actions and the replies. Returns where games are over, bool (n,). Boards already over stay so.

        actions: integers (n,), as the learner sees the boards. where: bool (n,), the boards that take part; None: all.

        Raises:
            OptionError: another shape or dtype.
            IllegalActionError: under illegal="raise", with nothing changed; or for an opponent that breaks the rules.
            ResetNeeded: an opponent has failed in an earlier call; boards wait for it until `restart` or `set_opponent`.
        """
        chosen, part = self.check(actions, where)
        self._make_room()
        args = self.game.token, self.rows, self.sides, self.slots, part, chosen, self.illegal, self.game.max_choices
        self.sharing.run(
            "learner", self._entries.find(st.learner_plies, *SHARED, args), self.num_envs, args, np.count_nonzero(part)
        )
        self._let_opponents_reply()
        self.observe(self.everywhere)
        return self.rows.endings != NOT_OVER  # type: ignore[no-any-return]

    def check(self, actions: Any, where: Any = None) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The arguments of `step` as it needs them. Raises as `step`, for all that the caller can have done wrong."""
        chosen, part = (
            check_actions(actions, self.num_envs),
            self.everywhere if where is None else check_where(where, self.num_envs),
        )
        if not self.has_begun:
            raise ResetNeeded("no game has begun; expected restart() first")
        if (self.sides.waits >= 0).any():
            raise ResetNeeded("an opponent failed in an earlier call and boards wait for it; reset, or set another opponent")
        if self.illegal == st.ILLEGAL_RAISES:
            bad = st.first_illegal(self.sides, part, chosen)
            if bad >= 0:
                raise illegal_action(self.game, bad, int(chosen[bad]), self.rows, int(self.masks[bad].sum()))
        return chosen, part

    def _let_opponents_reply(self) -> None:
        """Lets the opponents play until every board waits for the learner or is over."""
        while True:
            for number, player in enumerate(self.players):
                if waiting := np.count_nonzero(self.sides.waits == number):
                    self._make_room()
                    if isinstance(player, CompiledPolicy):
                        self._reply(number, player, waiting)
                    else:
                        self._ask(number, player)
            if not (self.sides.waits >= 0).any():
                return

    def _reply(self, number: int, player: CompiledPolicy, waiting: Any) -> None:
        is_checked = not type(player.settings).__module__.startswith("boardgym.")  # ours are tested; a user's may be wrong
        foreign = player.token, player.row, player.data
        first = self.game.token, *foreign, float(player.epsilon), is_checked, number
        args = *first, self.rows, self.sides, self.slots, self._wrong, self.game.max_choices
        kernel = self._entries.find(st.replies, *SHARED, args, place=number, foreign=foreign)
        if (board := self.sharing.run(f"opponent {number}", kernel, self.num_envs, args, waiting)) >= 0:
            raise IllegalActionError(
                f"{player!r} played {self._wrong[board]} on board {board}, which is illegal in {self.game.id} at "
                f"{self.game.to_fen(self.position(board))!r}"
            )

    def _ask(self, number: int, player: Any) -> None:
        """One ply of an opponent in Python on all boards that wait for it."""
        game, indices = self.game, np.flatnonzero(self.sides.waits == number)
        observations = np.empty((len(indices), *game.observation_shape), game.observation_dtype)
        masks = np.empty((len(indices), game.num_actions), np.int8)
        st.waiting_views(game.token, self.rows, indices, observations, masks, game.max_choices)
        history = recent_history(game, self.rows, indices)
        rngs = self.rows.rngs[indices]
        waiting = Waiting(indices, observations, masks, self.rows.positions[indices], history, rngs)
        if answers_batches(player):
            actions = ask_batch(player, game, waiting)
        else:
            actions = ask_each([self.copies.get((number, i), player) for i in indices.tolist()], game, waiting)
        self.rows.rngs[indices] = rngs
        st.apply_actions(game.token, self.rows, self.sides, self.slots, indices, actions, game.max_choices)

    def _make_room(self, plies: int = 0) -> None:
        self.rows = rw.with_room(self.game.token, self.rows, rw.keys_of(self.game, plies))

    def observe(self, where: NDArray[np.bool_]) -> None:
        """Fills observations, masks and rewards of some boards anew; `step` and `restart` have done so. Raises OptionError."""
        where = check_where(where, self.num_envs)
        args = self.game.token, self.rows, self.sides, where, self.game.max_choices
        self.sharing.run(
            "observe", self._entries.find(st.observe_all, *SHARED, args), self.num_envs, args, np.count_nonzero(where)
        )

    # ------------------------------------------------------------ looking

    @property
    def plays_all_seats(self) -> bool:
        """Whether the learner plays every ply (`seat="all"`)."""
        return self.seat == st.ALL_SEATS

    def plays_again(self) -> NDArray[np.bool_]:
        """Where the seat that the latest step was of is to play again, bool (n,)."""
        where: NDArray[np.bool_] = (self.rows.endings == NOT_OVER) & (self.sides.seats == self.sides.payees)
        return where

    @property
    def observations(self) -> NDArray[Any]:
        """(n, *observation_shape), what the learner of each board sees."""
        return self.sides.observations

    @property
    def masks(self) -> NDArray[np.int8]:
        """int8 (n, num_actions), its legal actions; all ones where the game is over."""
        return read_only(self.sides.masks)

    @property
    def rewards(self) -> NDArray[np.float64]:
        """float64 (n,), what the latest step paid the learner."""
        return self.sides.rewards

    def position(self, i: int) -> Any:
        """The position of board i."""
        return self.game.token.position(self.rows.positions[i])

    def board(self, i: int) -> Board:
        """Board i as a `Board`, its record beginning at the present position."""
        board = Board(self.game, auto_roll=False)
        board.set_position(self.position(i), check=False)
        return board

    def infos(self) -> dict[str, NDArray[Any]]:
        """seat, opponent, ply, outcome (1 won, 0 drawn or going on, -1 lost), reason, is_success, each of shape (n,).

        opponent: which member of a mixture plays; (n, number of other seats) where each has an opponent of its own, -1 where
        there is none.
        """
        over = self.rows.endings != NOT_OVER
        members = self.sides.members if self.players else np.full((self.num_envs, 1), -1)
        return {
            "seat": self.sides.seats.copy(),
            "opponent": members[:, 0].copy() if members.shape[1] == 1 else members.copy(),
            "ply": self.rows.plies.copy(),
            "outcome": np.where(over, self.sides.outcomes, 0),
            "reason": self.rows.endings.copy(),
            "is_success": over & (self.sides.outcomes > 0),
        }


Batch.__new__.__wrapped__ = Batch.__init__  # type: ignore[attr-defined]  # whose parameters are to be seen


def class_on_card() -> type[Batch]:
    """The class of batches on a card."""
    from boardgym.envs.cuda_batch import CudaBatch  # brings in numba.cuda, which takes half a second

    return CudaBatch


def refuse_device(settings: dict[str, Any], where: str) -> None:
    """Raises OptionError for device= other than "cpu" in an interface that hands out arrays of NumPy."""
    if (device := settings.get("device", "cpu")) != "cpu":
        raise OptionError(
            f"device={device!r}: {where} stays on the CPU; expected no device=, or boardgym.envs.batch.Batch, which takes one"
        )


def needs_copy(player: Any) -> bool:
    """Whether an opponent plays by a copy for each board: it has neither kernels, nor `act_batch`, nor `act_with`."""
    return not (takes_stream(player) or answers_batches(player))


def copy_of(player: Any) -> Any:
    """A copy of an opponent for one board. Raises UnsupportedGameError for one that cannot be copied."""
    try:
        return copy.deepcopy(player)
    except Exception as error:
        raise UnsupportedGameError(
            f"opponent {player!r} cannot be copied for each board ({error}); give it act_batch, as "
            "boardgym.core.policy.BatchPolicy says"
        ) from error


def observation_space(game: Game) -> Box:
    """The observations of one seat."""
    return Box(0, game.observation_max, game.observation_shape, game.observation_dtype)
