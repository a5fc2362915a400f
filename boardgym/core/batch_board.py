"""Many games stepped at once, all seats played from outside: self-play, AlphaZero-style training, arenas."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.compile import EntryPoints
from boardgym.compile.card import class_for
from boardgym.core import rows as rw
from boardgym.core.arrays import read_only
from boardgym.core.augmenting import augment_rows
from boardgym.core.batch_checks import (
    check_actions,
    check_compiled,
    check_count,
    check_history,
    check_where,
    illegal_action,
    recent_history,
)
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, PositionError, UnsupportedGameError
from boardgym.core.game import Game, check_names, get_game
from boardgym.core.playing import PLIES_AT_ONCE, Playing, Tally, play_ply, play_rows
from boardgym.core.policy import CompiledPolicy, Policy
from boardgym.core.policy_spec import make_policy
from boardgym.core.python_policies import Waiting, answers_batches, ask_batch, ask_each
from boardgym.core.random import check_seed, fresh_seed, stream
from boardgym.core.threads import SHARED, Sharing
from boardgym.core.validity import check_rows, row_of


class BatchBoard:
    """n games of all seats, in compiled steps: the vector twin of `Board`.

    `step` plays one action on each board; where chance is to act next, it rolls at once from the board's own stream. A game
    that is over stays so until `reset`, its action is ignored. The arrays that `reset` and `step` return, and those of the
    attributes, are the batch's own memory, and cannot be written: the next call overwrites them, so copy what you keep.

    Args:
        game: an id or a `Game`.
        num_boards: how many games, at least 1.
        setup: where games start: a set-up's name, "random:a-b" or "sequences:n" (`Game.setup`).
        seed: 0 to 2**64 - 1; None: any. Each board draws from a stream of its own, made from this seed and its number, for
            dice, set-ups and the policies that `act` and `play` ask.
        num_threads: threads that share long steps; 0: one for each core. Results do not depend on it.
        device: "cpu", or "cuda" for a card, with extra `gpu`: see `boardgym.core.cuda_board.CudaBatchBoard`. Not run on a
            card yet.
        options: the game's rule options, such as size=6.

    Raises:
        UnknownGameError: no such game.
        OptionError: no such option, value, set-up, seed or device, or a bad number of boards or threads; for a card, what is
            missing.
        UnsupportedGameError: what the game shows is too large for a card.

    Example:
        >>> import boardgym
        >>> boards = boardgym.BatchBoard("TicTacToe-v0", 4, seed=0)
        >>> while not boards.done.all():
        ...     observation, mask, rewards, done, to_play = boards.step(boards.act("random"))
        >>> boards.ply.tolist(), rewards[:, 0].tolist()
        ([9, 8, 9, 5], [1.0, 0.0, 1.0, 0.0])
    """

    def __new__(cls, *_: Any, device: str = "cpu", **__: Any) -> Self:
        """A batch on the CPU, or one of the class for cards."""
        return object.__new__(cls if device == "cpu" else class_for(device, cls, BatchBoard, class_on_card))

    def __init__(
        self,
        game: str | Game,
        num_boards: int,
        *,
        setup: str = "standard",
        seed: int | None = None,
        num_threads: int = 1,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        check_names(game, options, BatchBoard)
        self.game = get_game(game, **options)
        n = check_count(num_boards, "num_boards")
        chosen = self.game.setup(setup)
        self.setup, self._plies = setup, chosen.random_plies
        self._starts = np.stack([self.game.token.row(position) for position in chosen.positions])
        self._sharing = Sharing(num_threads)
        self._rows = rw.make_rows(self.game.token, n, has_history=self.game.repetition_limit > 0)
        self._views = rw.Views(
            np.zeros((n, *self.game.observation_shape), self.game.observation_dtype),
            np.ones((n, self.game.num_actions), np.int8),
            np.zeros((n, self.game.num_seats)),
            np.ones(n, bool),
            np.full(n, -1, np.int64),
        )
        self._policies: dict[str, Any] = {}
        self._entries = EntryPoints()
        self.reset(seed=fresh_seed() if seed is None else seed)

    @property
    def observation(self) -> NDArray[Any]:
        """(n, *observation_shape), as the seat to play sees each board."""
        return read_only(self._views.observations)

    @property
    def mask(self) -> NDArray[np.int8]:
        """int8 (n, num_actions), the legal actions, ones where the game is over."""
        return read_only(self._views.masks)

    @property
    def rewards(self) -> NDArray[np.float64]:
        """float64 (n, num_seats), what the latest step paid each seat."""
        return read_only(self._views.rewards)

    @property
    def done(self) -> NDArray[np.bool_]:
        """Where the game is over, bool (n,)."""
        return read_only(self._views.done)

    @property
    def to_play(self) -> NDArray[np.int64]:
        """int64 (n,), the seat to play, -1 where the game is over."""
        return read_only(self._views.to_play)

    @property
    def ply(self) -> NDArray[np.int64]:
        """int64 (n,), plies since the start, rolls left out."""
        return read_only(self._rows.plies)

    @property
    def rows(self) -> NDArray[np.int64]:
        """int64 (n, fields), the positions; `set_positions` puts others there."""
        return read_only(self._rows.positions)

    def __len__(self) -> int:
        return len(self._views.done)

    def reset(self, where: ArrayLike | None = None, *, seed: int | None = None) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Starts new games on all boards, or on some.

        Args:
            where: bool (n,), the boards to start; None: all.
            seed: 0 to 2**64 - 1, starts the streams of these boards anew; None: they go on.

        Returns:
            (observation, mask) of all boards.

        Raises:
            OptionError: another shape or dtype, a bad seed, or a set-up whose random plies end every game.
        """
        chosen = check_where(where, len(self))
        if seed is not None:
            seed = check_seed(seed)
            for i in np.flatnonzero(chosen):
                self._rows.rngs[i] = stream(seed, int(i))[0]
        self._make_room(self._plies[1])
        token, most = self.game.token, self.game.max_choices
        args = token, self._rows, chosen, self._starts, self._plies, self._views, most
        self._sharing.run(
            "reset", self._entries.find(rw.restart_rows, *SHARED, args), len(self), args, np.count_nonzero(chosen)
        )
        if self.done[chosen].any():
            raise self._no_start()
        return self.observation, self.mask

    def _no_start(self) -> OptionError:
        return OptionError(f"set-up {self.setup!r} of {self.game.id}: {rw.MAX_DRAWS} draws ended every game before play began")

    def set_positions(
        self,
        positions: Any,
        where: ArrayLike | None = None,
        *,
        history: Sequence[NDArray[np.int64]] | None = None,
        check: bool = True,
    ) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Puts boards (all, or where `where` holds) at given positions, one each.

        positions: of this game's type, or int64 (k, fields) as in `rows`. history: k arrays of int64, the keys of the earlier
        positions, as `history` gives them and `BatchPolicy.act_batch` gets them; None: the history begins here. check: whether
        the positions' words are looked at. False is for positions that this game has given: others may end the process.

        Returns (observation, mask). Raises PositionError for anything else, naming the board, and changes nothing; OptionError
        for a history that is not k arrays of int64.
        """
        indices = np.flatnonzero(check_where(where, len(self)))
        token = self.game.token
        if isinstance(positions, np.ndarray):
            new = np.array(positions, order="C")  # in one piece and of its own, whatever it is a view of: one kernel for all
        else:
            new = np.array([row_of(self.game, position) for position in positions], np.int64).reshape(-1, len(token.fields))
        if new.shape != (len(indices), len(token.fields)) or new.dtype != np.int64:
            raise PositionError(
                f"expected {len(indices)} positions, rows of {len(token.fields)} int64; got {new.dtype} of shape {new.shape}"
            )
        keys = check_history(history, len(indices))
        if check:
            check_rows(self.game, new, indices)
        if self.game.repetition_limit > 0:
            self._rows = rw.with_columns(self._rows, max(map(len, keys), default=0))
        rows, chosen = self._rows, np.zeros(len(self), bool)
        rows.positions[indices], rows.num_keys[indices], rows.plies[indices], chosen[indices] = new, 0, 0, True
        if self.game.repetition_limit > 0:
            for i, earlier in zip(indices, keys, strict=True):
                rows.keys[i, : len(earlier)], rows.num_keys[i] = earlier, len(earlier)
        rw.settle_rows(token, rows, chosen, self._views, self.game.max_choices)
        return self.observation, self.mask

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
        """Plays one action on each board that is not over.

        Args:
            actions: integers (n,). Those of boards that are over are ignored.

        Returns:
            (observation, mask, rewards, done, to_play), as the attributes of these names.

        Raises:
            OptionError: another shape or dtype.
            IllegalActionError: names the first board whose action is illegal; nothing has changed on any board.
        """
        chosen = check_actions(actions, len(self))
        looked_at = chosen, self._rows.endings, self._views.masks
        bad = self._sharing.run("check", self._entries.find(rw.first_illegal, *SHARED, looked_at), len(self), looked_at)
        if bad >= 0:
            raise illegal_action(self.game, bad, int(chosen[bad]), self._rows, int(self.mask[bad].sum()))
        self._make_room()
        token, most = self.game.token, self.game.max_choices
        args = token, self._rows, chosen, self._views, most
        busy = len(self) - np.count_nonzero(self._views.done)
        self._sharing.run("step", self._entries.find(rw.step_rows, *SHARED, args), len(self), args, busy)
        return self.observation, self.mask, self.rewards, self.done, self.to_play

    def _make_room(self, plies: int = 0) -> None:
        self._rows = rw.with_room(self.game.token, self._rows, rw.keys_of(self.game, plies))

    def act(self, policy: str | Policy, *, deterministic: bool = False, trust: bool = False) -> NDArray[np.int64]:
        """What a policy plays on each board; no board is changed.

        Compiled policies, and those with `act_batch`, draw from the boards' streams. A policy that has only `act` is asked
        board by board, on boards whose record begins at the present position; its draws are its own.

        Args:
            policy: a spec string or a policy. Not a mixture, whose members are drawn game by game: ask each member for the
                boards that it plays.
            deterministic: whether to ask for best actions, without randomness.
            trust: whether to load a policy's file that could execute code.

        Returns:
            int64 (n,), a legal action for each board; 0 where the game is over.

        Raises:
            SpecError, UntrustedFileError: as `make_policy`.
            UnsupportedGameError: the policy does not play this game, has a time limit, or is a mixture.
            IllegalActionError: the policy broke the rules.
        """
        player, actions = self._policy_of(policy, trust), np.zeros(len(self), np.int64)
        if isinstance(player, CompiledPolicy):
            token, most = self.game.token, self.game.max_choices
            foreign = player.token, player.row, player.data
            args = token, *foreign, float(player.epsilon), self._rows, actions, most, bool(deterministic)
            kernel = self._entries.find(rw.choose_rows, *SHARED, args, place="act", foreign=foreign)
            busy = len(self) - np.count_nonzero(self._views.done)
            self._sharing.run(f"act {player.spec}", kernel, len(self), args, busy)
            return actions
        indices = np.flatnonzero(~self.done)
        if len(indices):
            rngs = self._rows.rngs[indices]
            waiting = Waiting(
                indices, self.observation[indices], self.mask[indices], self.rows[indices], self.history(indices), rngs
            )
            if answers_batches(player):
                actions[indices] = ask_batch(player, self.game, waiting, deterministic=deterministic)
            else:
                actions[indices] = ask_each([player] * len(indices), self.game, waiting, deterministic=deterministic)
            self._rows.rngs[indices] = rngs
        return actions

    def _policy_of(self, policy: str | Policy, trust: bool) -> Any:
        """The policy of a spec, made once, or a policy. Raises as `act`."""
        if not isinstance(policy, str):
            player: Any = make_policy(policy, self.game)
        else:
            if policy not in self._policies:
                seed = int(self._rows.rngs[0] >> 1)
                self._policies[policy] = make_policy(policy, self.game, seed=seed, trust=trust)
            player = self._policies[policy]
        if hasattr(player, "members"):
            raise UnsupportedGameError(f"{policy!r}: a mixture's member is drawn for each game; ask the members themselves")
        if isinstance(player, CompiledPolicy):
            check_compiled(player, self.game)
        return player

    def play(
        self,
        policy: str | Policy,
        plies: int,
        *,
        auto_reset: bool = True,
        deterministic: bool = False,
        trust: bool = False,
    ) -> Tally:
        """Plays many plies on each board, every seat by one policy.

        It brings boards to positions that differ, and counts what a policy is paid. It plays what this loop plays, but 64 plies
        in one compiled call, for compiled policies that are no searches:

            for _ in range(plies):
                boards.step(boards.act(policy, deterministic=deterministic))
                if auto_reset:
                    boards.reset(boards.done)

        Args:
            policy: as of `act`.
            plies: how many, at least 1.
            auto_reset: whether a new game begins in the same ply where one is over; else it ends when all games are over.
            deterministic: whether to ask for best actions, without randomness.
            trust: whether to load a policy's file that could execute code.

        Returns:
            A `Tally`: games int64 (n,), that ended on each board, and rewards float64 (n, num_seats), all that was paid.

        Raises:
            OptionError: a bad number of plies, or a set-up whose random plies end every game.
            IllegalActionError: the policy broke the rules. Names a board on which it did; the others may have been played on.
            Others: as `act`.

        Example:
            >>> import boardgym
            >>> boards = boardgym.BatchBoard("TicTacToe-v0", 4, seed=0)
            >>> tally = boards.play("random", 1000)
            >>> int(tally.games.sum()), tally.rewards.sum(axis=0).tolist()
            (517, [104.0, -104.0])
        """
        plies, how = check_count(plies, "plies"), (bool(deterministic), bool(auto_reset))
        tally = Tally(np.zeros(len(self), np.int64), np.zeros((len(self), self.game.num_seats)))
        play, fetch = self._playing(policy, trust, tally, how)
        while plies > 0:
            is_over = not auto_reset and bool(np.asarray(self.done).all())
            plies -= play(min(plies, PLIES_AT_ONCE)) or play_ply(self, policy, tally, how)
            if is_over:  # another ply would change nothing
                break
        fetch()
        return tally

    def _playing(self, policy: str | Policy, trust: bool, tally: Tally, how: tuple[bool, bool]) -> Playing:
        """How a policy plays many plies in a call. how: whether deterministic, and whether new games begin."""
        player = self._policy_of(policy, trust)

        def play(most: int) -> int:
            if not isinstance(player, CompiledPolicy) or not player.is_for_cards:
                return 0
            foreign, name = (player.token, player.row, player.data), f"play {player.spec}"
            count = most if self._sharing.paces.get(name) else 1  # until it is known how long a ply takes
            self._make_room(count)
            given = float(player.epsilon), self._rows, self._views, tally, self._starts, self._plies, self.game.max_choices
            args = self.game.token, *foreign, *given, count, *how
            kernel = self._entries.find(play_rows, *SHARED, args, place="play", foreign=foreign)
            busy = len(self) if how[1] else len(self) - np.count_nonzero(self._views.done)
            bad = self._sharing.run(name, kernel, len(self), args, busy * count)
            if bad >= 0:
                raise illegal_action(self.game, bad, int(tally.games[bad]), self._rows, int(self.mask[bad].sum()))
            if how[1] and self.done.any():
                raise self._no_start()
            return count

        return play, lambda: None

    def history(self, indices: ArrayLike) -> list[NDArray[np.int64]]:
        """The keys of the earlier positions of some boards, as far as a repetition may count them."""
        return recent_history(self.game, self._rows, np.asarray(indices))

    @property
    def positions(self) -> list[Any]:
        """The positions, one for each board."""
        return [self.game.token.position(row) for row in self.rows]

    def board(self, i: int) -> Board:
        """Board i as a `Board`, whose record begins at the present position."""
        board = Board(self.game, auto_roll=False)
        board.set_position(self.game.token.position(self.rows[i]), check=False)
        return board

    def copy(self) -> "BatchBoard":
        """An independent copy, the streams included: the same dice will come."""
        return self.take(np.arange(len(self)))

    __copy__ = copy

    def take(self, indices: ArrayLike) -> "BatchBoard":
        """A new batch of copies of these boards, in this order; one may stand in it more than once.

        indices: integers (k,), k at least 1; bool is refused. Raises OptionError, IndexError.
        """
        chosen = np.asarray(indices)
        if chosen.ndim != 1 or len(chosen) < 1 or chosen.dtype.kind not in "iu":
            raise OptionError(
                f"indices: expected integers of shape (k,), k at least 1; got {chosen.dtype} of shape {chosen.shape}"
            )
        other = object.__new__(BatchBoard)
        other.game, other.setup, other._plies, other._starts = self.game, self.setup, self._plies, self._starts
        other._sharing = Sharing(self._sharing.num_threads)
        other._rows, other._views = rw.Rows._make(a[chosen] for a in self._rows), rw.Views._make(a[chosen] for a in self._views)
        other._policies, other._entries = {}, self._entries
        return other

    def put(self, indices: ArrayLike, boards: "BatchBoard") -> None:
        """Copies the boards of another batch of the same game onto some of these: the reverse of `take`.

        All of a board comes along: position, history, plies, stream, and what the latest step paid. A search keeps a board for
        each node of its trees so: `leaves = nodes.take(parents)`, `leaves.step(actions)`, `nodes.put(children, leaves)`.

        Args:
            indices: integers (k,), different ones, where the k boards go.
            boards: k boards. They are not changed.

        Raises:
            OptionError: other indices than that, or no `BatchBoard`; nothing has changed.
            UnsupportedGameError: boards of another game, or with other rule options.
        """
        if not isinstance(boards, BatchBoard):
            raise OptionError(f"boards: expected a BatchBoard, got {type(boards).__name__}")
        chosen = np.asarray(indices)
        if chosen.shape != (len(boards),) or chosen.dtype.kind not in "iu":
            raise OptionError(
                f"indices: expected integers of shape ({len(boards)},), one for each board that is put; got {chosen.dtype} of "
                f"shape {chosen.shape}"
            )
        if not 0 <= chosen.min() <= chosen.max() < len(self) or len(np.unique(chosen)) < len(chosen):
            raise OptionError(
                f"indices: expected different numbers from 0 to {len(self) - 1}; got "
                f"{len(np.unique(chosen))} different ones from {chosen.min()} to {chosen.max()}, for {len(chosen)} boards"
            )
        if boards.game.token.name != self.game.token.name:
            raise UnsupportedGameError(
                f"boards of {boards.game.id} {dict(boards.game.options)} do not go into a batch of {self.game.id} "
                f"{dict(self.game.options)}"
            )
        columns = boards._rows.keys.shape[1]
        self._rows = rw.with_columns(self._rows, columns)
        self._rows.keys[chosen, :columns] = boards._rows.keys  # here there may be room for more of them
        for name in rw.Rows._fields:
            if name != "keys":
                getattr(self._rows, name)[chosen] = getattr(boards._rows, name)
        for name in self._views._fields:
            getattr(self._views, name)[chosen] = getattr(boards._views, name)

    def augment(
        self, observations: NDArray[Any], policies: NDArray[Any], symmetries: ArrayLike
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """The images of training examples under symmetries of the board. Returns (observations, policies), new arrays.

        observations: (k, *observation_shape), as the seat to play saw them. policies: (k, num_actions), weights of the
        actions, or a mask, of any dtype whose values float64 holds. symmetries: integers (k,) in [0, num_symmetries), 0 the
        identity.

        Raises: OptionError for other shapes, dtypes or numbers.
        """
        observations, policies = np.require(observations, requirements=("C", "W")), np.asarray(policies)  # one kernel for all
        numbers = np.asarray(symmetries)
        k, game = len(observations), self.game
        if observations.shape != (k, *game.observation_shape) or observations.dtype != game.observation_dtype:
            raise OptionError(
                f"observations: expected {np.dtype(game.observation_dtype)} of shape (k, "
                f"{', '.join(map(str, game.observation_shape))}), got {observations.dtype} of shape "
                f"{observations.shape}"
            )
        if policies.shape != (k, game.num_actions):
            raise OptionError(f"policies: expected shape ({k}, {game.num_actions}), got {policies.shape}")
        if numbers.shape != (k,) or numbers.dtype.kind not in "iu":
            raise OptionError(f"symmetries: expected integers of shape ({k},), got {numbers.dtype} of shape {numbers.shape}")
        if k and not 0 <= numbers.min() <= numbers.max() < game.num_symmetries:
            raise OptionError(
                f"symmetries: {game.id} has those from 0 to {game.num_symmetries - 1}, got {numbers.min()} to {numbers.max()}"
            )
        weights = policies.astype(np.float64, order="C")  # so that one kernel serves weights and masks
        images, image_weights = np.empty_like(observations), np.empty_like(weights)
        augment_rows(game.token, observations, weights, numbers.astype(np.int64), images, image_weights)
        return images, image_weights.astype(policies.dtype)

    def __repr__(self) -> str:
        return f"<BatchBoard of {len(self)} games of {self.game.id}, {int(self.done.sum())} over>"


BatchBoard.__new__.__wrapped__ = BatchBoard.__init__  # type: ignore[attr-defined]  # whose parameters are to be seen


def class_on_card() -> type[BatchBoard]:
    """The class of boards on a card."""
    from boardgym.core.cuda_board import CudaBatchBoard  # brings in numba.cuda, which takes half a second

    return CudaBatchBoard
