"""A game in progress: the position and its record, in the manner of python-chess."""

import copy
import enum
import importlib
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgym.compile import uncompiled
from boardgym.core import engine
from boardgym.core import frames as fr
from boardgym.core.engine import MOST_ROLLS
from boardgym.core.errors import IllegalActionError, NotationError, OptionError, RuleError
from boardgym.core.game import GAMES, Game, check_names, get_game
from boardgym.core.random import check_seed, draw, draw_index, fresh_seed, stream
from boardgym.core.validity import check_rows, row_of
from boardgym.core.verbs import CHANCE

FIRST_CAPACITY = 64
NO_VIEWS = None, None, None
NO_STREAM = np.zeros(1, np.uint64)  # for set-ups that draw nothing


class Reason(enum.IntEnum):
    """Why a game is over; the code that environments give in info["reason"]."""

    NOT_OVER = engine.NOT_OVER
    RULES = engine.BY_RULE
    REPETITION = engine.BY_REPETITION
    ILLEGAL_ACTION = engine.BY_ILLEGAL


@dataclass(frozen=True)
class Outcome:
    """The end of a game. winner: the seat with the greatest return, None for a draw."""

    winner: int | None
    reason: Reason
    returns: tuple[float, ...]


class Board:
    """A game in progress. `push` plays actions, `pop` takes them back; nothing else changes it.

    Where chance is to act (dice, a deal) the board rolls by itself, after a start and after every push, so that players only
    ever see positions where a seat is to play. The outcomes stand in the record. With auto_roll=False they are pushed as
    actions are, or drawn by `roll`.

    Args:
        game: an id such as "Othello-v0", or a `Game`.
        fen: a position string to start from; None: the standard start.
        setup: the name of a set-up, "random:a-b" or "sequences:n" (`Game.setup`), to start from; not together with fen.
        seed: for what the set-up draws and for the dice, 0 to 2**64 - 1; None: any.
        auto_roll: whether the board rolls by itself; may be changed later.
        compiled: False: the rules run as plain Python. Nothing is compiled, but a ply takes a hundred times as long.
        options: the game's rule options, such as size=6.

    Raises:
        UnknownGameError: no such game.
        OptionError: no such option, value, set-up or seed, or both fen and setup are given.
        NotationError: the fen cannot be read.

    Example:
        >>> import boardgym
        >>> board = boardgym.Board("TicTacToe-v0")
        >>> board.push(4)
        >>> board.push_move("a1"), board.legal_moves
        (6, ['a3', 'b3', 'c3', 'a2', 'c2', 'b1', 'c1'])
        >>> board.pop(), board.fen()
        (6, '3/1x1/3 o')
        >>> board.play(["a1", "b1", "a2", "b3"])
        >>> board.outcome()
        Outcome(winner=0, reason=<Reason.RULES: 1>, returns=(1.0, -1.0))
    """

    __slots__ = ("_auto_roll", "_calls", "_count", "_frames", "_legal_at", "_length", "_rng", "_rolled", "_token", "_views",
                 "actions", "game")  # fmt: skip

    def __init__(
        self,
        game: str | Game,
        fen: str | None = None,
        *,
        setup: str | None = None,
        seed: int | None = None,
        auto_roll: bool = True,
        compiled: bool = True,
        **options: Any,
    ) -> None:
        if fen is not None and setup is not None:
            raise OptionError("give fen or setup, not both")
        check_names(game, options, Board)
        self.game = get_game(game, **options)
        self._token = self.game.token
        self._calls: Any = fr.calls_of(self._token, self.game.observation_dtype) if compiled else fr.PLAIN_CALLS
        width = fr.frame_width(self._token, self.game.max_choices)
        self._frames = np.empty((FIRST_CAPACITY, width), np.int64)
        self._legal_at = fr.FIELDS + len(self._token.fields)
        self._views: Any = NO_VIEWS
        self._auto_roll = bool(auto_roll) and self.game.num_outcomes > 0
        name = setup or "standard"
        seed = None if seed is None else check_seed(seed)
        needs_draws = self.game.num_outcomes > 0 or not self.game.setup(name).is_fixed  # a stream costs more than all the rest
        self._rng = stream(fresh_seed() if seed is None else seed) if needs_draws else NO_STREAM
        if fen is not None:
            with uncompiled():
                position = self.game.from_fen(fen)
            self.set_position(position)
        else:
            self.reset(name, rng=self._rng)

    # ------------------------------------------------------------ starting

    @classmethod
    def from_fen(cls, fen: str, game: str | Game, **options: Any) -> "Board":
        """A board of `game` at a position string. `options`: the game's rule options.

        Raises:
            NotationError: the string cannot be read.
            UnknownGameError, OptionError: as the constructor.

        Example:
            >>> Board.from_fen("x2/1o1/2x o", "TicTacToe-v0").legal_moves
            ['b3', 'c3', 'a2', 'c2', 'a1', 'b1']
        """
        if not isinstance(fen, str):
            raise NotationError(f"expected a position string, got {fen!r}")
        return cls(game, fen, **options)

    def set_position(self, position: Any, *, rng: np.ndarray | None = None, check: bool = True) -> None:
        """Starts a new record at a position of this game's type. Raises PositionError, with nothing changed, for another one.

        rng: stream of the dice from now on; None: as before. check: whether the fields are looked at. False saves some
        microseconds, for positions that this game has given: others may end the process.
        """
        row = row_of(self.game, position)
        if check:
            check_rows(self.game, row[np.newaxis], first_invalid=self._calls.first_invalid)
        self._rng = self._rng if rng is None else rng
        self._start(row)
        self._roll_if_due()

    def _start(self, row: np.ndarray) -> None:
        self.actions: list[int] = []
        self._length = 0
        self._rolled: list[tuple[int, int]] = []  # (length of the record before a roll, state of the stream)
        self._frames[0, fr.FIELDS : self._legal_at] = row
        self._count = self._calls.push(self._token, self._frames, fr.BEFORE_THE_START, 0)

    def reset(self, setup: str = "standard", *, rng: np.ndarray) -> None:
        """Starts a new game from a set-up; rng: a stream, uint64 (1,), advanced by what the set-up draws, and the dice's.

        Random plies are drawn anew until they leave a game that is not over. Raises OptionError, and changes nothing, if
        1000 draws do not, or there is no such set-up.
        """
        chosen = self.game.setup(setup)
        low, high = chosen.random_plies
        before = self.copy() if high > 0 and hasattr(self, "_length") else None
        self._rng = rng
        for _ in range(1000):
            start = chosen.positions[draw(rng, len(chosen.positions))] if len(chosen.positions) > 1 else chosen.positions[0]
            self._start(self._token.row(start))
            self._roll_if_due()
            plies = low + draw(rng, high - low + 1) if high > 0 else 0
            for _ in range(plies):
                while self.is_chance:
                    self.roll()
                if self._count:
                    self.push(self._choices[draw(rng, self._count)])
            if self._count:
                if plies:
                    self._start(self.row)
                return
        if before is not None:
            self._frames, self._length, self._count = before._frames, before._length, before._count
            self.actions, self._rng, self._rolled = before.actions, before._rng, before._rolled
        raise OptionError(f"set-up {setup!r} of {self.game.id}: 1000 draws ended every game before play began")

    # ------------------------------------------------------------ playing

    def push(self, action: int) -> None:
        """Plays an action, or an outcome where chance is to act.

        Raises:
            IllegalActionError: it is not legal, or the game is over; nothing has changed.
        """
        if type(action) is not int or not 0 <= action < self.game.num_actions:
            action = self._as_action(action)
        if self._length + 1 >= len(self._frames):
            self._frames = np.concatenate([self._frames, np.empty_like(self._frames)])
        count = self._calls.push(self._token, self._frames, self._length, action)
        if count < 0:
            raise self._illegal(action)
        self._length += 1
        self._count = count
        self.actions.append(action)
        if self._auto_roll:
            self._roll_if_due()

    def _roll_if_due(self, rewards: np.ndarray | None = None) -> None:
        """Lets chance act until a seat is to play, if the board rolls. rewards: float64 (num_seats,), increased."""
        if self._auto_roll and self.is_chance:
            self._rolled.append((self._length, int(self._rng[0])))
        first = self._length
        while self._auto_roll and self.is_chance:
            if self._length - first > MOST_ROLLS:
                raise RuleError(f"{self.game.id} at {self.fen()!r}: chance has acted {MOST_ROLLS} times without a seat's turn")
            if self._length + 1 >= len(self._frames):
                self._frames = np.concatenate([self._frames, np.empty_like(self._frames)])
            played, start = np.empty(len(self._frames), np.int64), self._length
            paid = np.zeros(self.game.num_seats) if rewards is None else rewards
            self._length = int(self._calls.roll(self._token, self._frames, start, self._rng, played, paid))
            self._count = int(self._frames[self._length, fr.COUNT])
            self.actions += played[start : self._length].tolist()

    def roll(self) -> int:
        """Draws an outcome where chance is to act, plays it and returns it. Raises IllegalActionError where it is not."""
        outcomes = self.outcomes
        if not outcomes:
            raise IllegalActionError(f"{self.game.id} at {self.fen()!r}: chance is not to act")
        self._rolled.append((self._length, int(self._rng[0])))
        outcome = outcomes[draw_index(np.array([probability for _, probability in outcomes]), self._rng)][0]
        self.push(outcome)
        return outcome

    def reseed(self, seed: int) -> None:
        """Gives the dice a new stream. Raises OptionError for a seed outside 0 to 2**64 - 1, and for what is none."""
        self._rng, self._rolled = stream(seed), []

    def push_and_look(
        self, action: int, observation: np.ndarray, mask: np.ndarray, rewards: np.ndarray
    ) -> tuple[int, int, bool]:
        """As `push`, filling the view of the seat to play next and what was paid: one kernel call for environments.

        Args:
            action: an int.
            observation: array of `game.observation_shape` and dtype, in one piece, filled. To hand over the same arrays at
                every ply saves a look at them.
            mask: int8 (num_actions,), in one piece, filled; zeros when the game is over.
            rewards: float64 (num_seats,), in one piece, filled.

        Returns:
            (number of legal actions, seat to play next, whether any reward is not 0).

        Raises:
            IllegalActionError: with nothing changed.
            OptionError: an array of another shape or dtype.
        """
        known = self._views
        if observation is not known[0] or mask is not known[1] or rewards is not known[2]:
            self._check_views(observation, mask, rewards)
        if type(action) is not int or not 0 <= action < self.game.num_actions:
            action = self._as_action(action)
        ply = self._length
        if ply + 1 >= len(self._frames):
            self._frames = np.concatenate([self._frames, np.empty_like(self._frames)])
        result = self._calls.step(self._token, self._frames, ply, action, observation, mask, rewards)
        if result[0] < 0:
            raise self._illegal(action)
        self._length = ply + 1
        self._count = result[0]
        self.actions.append(action)
        if self._auto_roll and result[1] == CHANCE and self._count:
            self._roll_if_due(rewards)
            self._calls.look(self._token, self._frames, self._length, fr.WHO_IS_TO_PLAY, observation, mask)
            return self._count, self.to_play, bool(rewards.any())
        return result  # type: ignore[no-any-return]

    def _check_views(self, observation: Any, mask: Any, rewards: Any) -> None:
        """Raises OptionError for arrays that a kernel cannot fill; those that it can are remembered."""
        game = self.game
        for name, array, shape, dtype in (
            ("observation", observation, game.observation_shape, game.observation_dtype),
            ("mask", mask, (game.num_actions,), np.int8),
            ("rewards", rewards, (game.num_seats,), np.float64),
        ):
            if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype or not array.flags.carray:
                given = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else repr(array)
                expected = f"a writable {np.dtype(dtype)} array of shape {shape} in one piece"
                raise OptionError(f"{name}: expected {expected}, got {given}")
        self._views = observation, mask, rewards

    def push_move(self, text: str) -> int:
        """Plays a move in the game's notation. Returns its action.

        Raises:
            NotationError: the text cannot be read.
            IllegalActionError: the move is not legal.
        """
        action = self.action_of(text)
        self.push(action)
        return action

    def push_turn(self, text: str) -> tuple[int, ...]:
        """Plays a move, or a turn of several actions that people write as one. Returns its actions.

        Nothing is played if it cannot be read. Raises NotationError, IllegalActionError.
        """
        if self.game.parse_turn is None or not isinstance(text, str):
            return (self.push_move(text),)
        with uncompiled():
            actions, before = self.game.parse_turn(self.position, text), self.ply
        try:
            for action in actions:
                self.push(action)
        except IllegalActionError:
            while self.ply > before:
                self.pop()
            raise
        return actions

    def pop(self) -> int:
        """Takes back the last action, and what was rolled after it unless auto_roll is off. Returns the action.

        The dice will fall as they did: to try others, `reseed` a copy.

        Raises:
            IndexError: the record is at its start.
        """
        length = self._length
        while self._auto_roll and length and self._frames[length - 1, fr.TO_PLAY] == CHANCE:
            length -= 1
        if length == 0:
            raise IndexError(f"{self.game.id}: no action to take back")
        self._length = length - 1
        while self._rolled and self._rolled[-1][0] >= self._length:
            self._rng[0] = self._rolled.pop()[1]
        action = self.actions[self._length]
        del self.actions[self._length :]
        self._count = int(self._frames[self._length, fr.COUNT])
        return action

    def copy(self) -> "Board":
        """An independent board with the same record, whose dice will fall as this one's: `reseed` it to try others."""
        other = object.__new__(type(self))
        other.game, other._token, other._calls, other._legal_at = self.game, self._token, self._calls, self._legal_at
        other._views = NO_VIEWS
        other._frames, other._length, other._count = self._frames.copy(), self._length, self._count
        other._auto_roll, other._rng, other._rolled = self._auto_roll, self._rng.copy(), self._rolled.copy()
        other.actions = self.actions.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Board":
        other = self.copy()
        other._rng = copy.deepcopy(self._rng, memo)  # which an environment shares with its board
        return other

    def _as_action(self, action: Any) -> int:
        """An action given as another kind of integer (NumPy's, say) as an int. Raises IllegalActionError for all else."""
        if not isinstance(action, bool | np.bool_):
            try:
                number = operator.index(action)
            except TypeError:
                pass
            else:
                if 0 <= number < max(self.game.num_actions, self.game.num_outcomes):
                    return number
        raise self._illegal(action)

    def _illegal(self, action: Any) -> IllegalActionError:
        if not isinstance(action, int | np.integer) or isinstance(action, bool):
            return IllegalActionError(f"expected an action as an int, got {action!r} of type {type(action).__name__}")
        where = f"in {self.game.id} at {self.fen()!r}"
        if self.is_terminal:
            return IllegalActionError(f"action {action} {where}: the game is over, no action is legal")
        if self.is_chance:
            moves = ", ".join(self.move_text(outcome) for outcome, _ in self.outcomes)
            return IllegalActionError(f"action {action} {where}: chance is to act; expected one of the outcomes of {moves}")
        if not 0 <= action < self.game.num_actions:
            expected = f"expected 0 to {self.game.num_actions - 1}; {self._count} are legal"
            return IllegalActionError(f"action {action} {where}: {expected}")
        legal = f"{self._count} actions are legal: {self.legal_actions}"
        return IllegalActionError(f"action {action} ({self.move_text(int(action))}) is illegal {where}; {legal}")

    # ------------------------------------------------------------ looking

    @property
    def legal_actions(self) -> list[int]:
        """The legal actions, ascending; empty when the game is over or chance is to act."""
        return [] if self.is_chance else self._choices

    @property
    def _choices(self) -> list[int]:
        """The legal actions, or the outcomes of chance."""
        first = self._legal_at
        return self._frames[self._length, first : first + self._count].tolist()  # type: ignore[no-any-return]

    @property
    def is_chance(self) -> bool:
        """Whether chance is to act; only seen with auto_roll=False."""
        return self.game.num_outcomes > 0 and bool(self._frames[self._length, fr.TO_PLAY] == CHANCE) and self._count > 0

    @property
    def outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) of all that chance may bring; empty if it is not to act."""
        if not self.is_chance:
            return []
        outcomes, probabilities = np.empty(self.game.num_outcomes, np.int64), np.empty(self.game.num_outcomes)
        count = self._calls.chances(self._token, self._frames, self._length, outcomes, probabilities)
        return list(zip(outcomes[:count].tolist(), probabilities[:count].tolist(), strict=True))

    @property
    def auto_roll(self) -> bool:
        """Whether the board rolls by itself. Setting it to True rolls at once if chance is to act."""
        return self._auto_roll

    @auto_roll.setter
    def auto_roll(self, value: bool) -> None:
        self._auto_roll = bool(value) and self.game.num_outcomes > 0
        self._roll_if_due()

    @property
    def legal_moves(self) -> list[str]:
        """The legal actions in the game's notation."""
        position = self.position
        with uncompiled():
            return [self.game.move_text(position, action) for action in self.legal_actions]

    @property
    def to_play(self) -> int:
        """The seat to play, CHANCE (-1) where chance is; when the game is over, the seat that would be."""
        return int(self._frames[self._length, fr.TO_PLAY])

    @property
    def last_mover(self) -> int | None:
        """The seat that has played the last action of the record; None where no seat has yet."""
        seats = self._frames[: self._length, fr.TO_PLAY]
        moved = seats[seats != CHANCE]
        return int(moved[-1]) if len(moved) else None

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over, by the rules or by repetition."""
        return self._count == 0

    @property
    def ply(self) -> int:
        """Number of actions that seats have played since the start of the record."""
        if self.game.num_outcomes == 0:
            return self._length
        return int((self._frames[: self._length, fr.TO_PLAY] != CHANCE).sum())

    @property
    def is_plain(self) -> bool:
        """Whether the rules run as Python (compiled=False)."""
        return self._calls is fr.PLAIN_CALLS

    @property
    def reason(self) -> Reason:
        """Why the game is over, or `Reason.NOT_OVER`."""
        return Reason(int(self._frames[self._length, fr.ENDING]))

    @property
    def row(self) -> np.ndarray:
        """A copy of the position as an int64 row, as kernels take it."""
        return self._frames[self._length, fr.FIELDS : self._legal_at].copy()

    @property
    def position(self) -> Any:
        """The position: the game's immutable named tuple."""
        return self._token.position(self._frames[self._length, fr.FIELDS : self._legal_at])

    @property
    def history(self) -> list[Any]:
        """All positions of the record, the present one last."""
        return [self._token.position(frame[fr.FIELDS : self._legal_at]) for frame in self._frames[: self._length + 1]]

    @property
    def key(self) -> int:
        """64-bit key of the position without its clocks."""
        return int(self._frames[self._length, fr.KEY]) & 0xFFFF_FFFF_FFFF_FFFF

    def canonical(self) -> tuple[Any, int, int]:
        """The image that the position has in common with all that the board's symmetries make of it.

        Returns:
            (position, the symmetry k that leads to it, its 64-bit key). `verbs.transform_action(position, action, k)` says
            which action there corresponds to one here.
        """
        row = self.row
        k, key = self._calls.canonical(self._token, self._frames, self._length, row)
        return self._token.position(row), int(k), int(key)

    @property
    def keys(self) -> np.ndarray:
        """The keys of the earlier positions of the record as int64, for repetition rules. Shape (len(actions),)."""
        return self._frames[: self._length, fr.KEY].copy()

    @property
    def repetitions(self) -> int:
        """How often the present position has occurred in the record, this time included."""
        return 1 + int((self._frames[: self._length, fr.KEY] == self._frames[self._length, fr.KEY]).sum())

    def returns(self) -> list[float]:
        """What the game pays each seat; zeros while it goes on."""
        return [self._calls.pay(self._token, self._frames, self._length, seat) for seat in range(self.game.num_seats)]

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self._count:
            return None
        returns = self.returns()
        best = max(returns)
        winner = returns.index(best) if returns.count(best) == 1 else None
        return Outcome(winner, self.reason, tuple(returns))

    def estimate(self, seat: int | None = None) -> float:
        """The game's heuristic for a seat (default: to play; 0 where chance is); at the end, what it pays."""
        seat = max(self.to_play, 0) if seat is None else self._seat(seat)
        return float(self._calls.estimate(self._token, self._frames, self._length, seat))

    def observation(self, seat: int | None = None) -> np.ndarray:
        """The observation of a seat (default: to play), as `look` gives it: a new array of `game.observation_shape`."""
        return self.look(seat)[0]

    def action_mask(self) -> np.ndarray:
        """The legal actions of the seat to play: a new int8 array of shape (num_actions,), 1 where legal."""
        return self.look()[1]

    def look(self, seat: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """What a seat sees (default: the seat to play).

        Returns:
            (observation, mask), new arrays: of `game.observation_shape` and dtype, and int8 (num_actions,). The mask is 1 where
            an action is legal, and zeros if it is not the seat's turn.

        Raises:
            OptionError: no such seat.

        Example:
            >>> observation, mask = Board.from_fen("x2/1o1/2x o", "TicTacToe-v0").look()
            >>> observation.shape, mask.tolist()
            ((3, 3, 4), [0, 1, 1, 1, 0, 1, 1, 1, 0])
        """
        if seat is None:
            seat = fr.WHO_IS_TO_PLAY
        elif type(seat) is not int or not 0 <= seat < self.game.num_seats:
            seat = self._seat(seat)
        observation = np.empty(self.game.observation_shape, self.game.observation_dtype)
        mask = np.empty(self.game.num_actions, np.int8)
        self._calls.look(self._token, self._frames, self._length, seat, observation, mask)
        return observation, mask

    def _seat(self, seat: Any) -> int:
        is_whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if not is_whole or not 0 <= seat < self.game.num_seats:
            raise OptionError(f"seat {seat!r}: expected 0 to {self.game.num_seats - 1}")
        return int(seat)

    # ------------------------------------------------------------ notation

    def fen(self) -> str:
        """The position string."""
        with uncompiled():
            return self.game.to_fen(self.position)

    def move_text(self, action: int) -> str:
        """An action, or an outcome where chance is to act, in the game's notation."""
        with uncompiled():  # a few calls, which are not worth a compilation in each process
            return self.game.move_text(self.position, action)

    def action_of(self, text: str) -> int:
        """The legal action (or outcome) that a move names.

        Raises NotationError if it cannot be read, IllegalActionError if it is not legal.
        """
        if not isinstance(text, str):
            raise NotationError(f"expected a move as text, got {text!r}")
        with uncompiled():
            action = self.game.parse_move(self.position, text)
        if action not in self._choices:
            raise IllegalActionError(
                f"{text!r} is illegal in {self.game.id} at {self.fen()!r}; legal: "
                f"{' '.join(map(self.move_text, self._choices)) or 'none, the game is over'}"
            )
        return action

    def moves(self) -> list[str]:
        """The record in notation."""
        with uncompiled():
            return [self.game.move_text(position, action) for position, action in zip(self.history, self.actions, strict=False)]

    def play(self, moves: Sequence[str]) -> None:
        """Pushes several moves, or turns written as one; none of them if one cannot be played.

        Raises NotationError, IllegalActionError.
        """
        before = self._length
        try:
            for move in moves:
                self.push_turn(move)
        except ValueError:
            while self._length > before:
                self.pop()
            raise

    def __str__(self) -> str:
        drawing = self.game.drawing
        if drawing is None:
            return self.fen()
        with uncompiled():
            return "\n".join([*drawing.text(self.position), *drawing.notes(self.position)])

    def _repr_svg_(self) -> str | None:
        """The picture that notebooks show; None where the game has no drawing."""
        if self.game.drawing is None:
            return None
        return str(importlib.import_module("boardgym.render.svg").draw_svg(self))  # by name: core stands below render

    def __repr__(self) -> str:
        usual = GAMES[self.game.name].options if self.game.name in GAMES else {}
        options = {k: v for k, v in self.game.options.items() if v != usual.get(k)}
        extra = "".join(f", {k}={v!r}" for k, v in options.items())
        return f"Board({self.game.id!r}, {self.fen()!r}{extra})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.game is other.game and self.history == other.history

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> Any:
        frames = self._frames[: self._length + 1].copy()
        return self.game, frames, self.actions.copy(), self._rng, self._rolled.copy(), self._auto_roll, self.is_plain

    def __setstate__(self, state: Any) -> None:
        self.game, frames, actions, self._rng, self._rolled, self._auto_roll, is_plain = state
        self._token = self.game.token
        self._calls = fr.PLAIN_CALLS if is_plain else fr.calls_of(self._token, self.game.observation_dtype)
        self._legal_at, self._views = fr.FIELDS + len(self._token.fields), NO_VIEWS
        self._frames = np.concatenate([frames, np.empty((FIRST_CAPACITY, frames.shape[1]), np.int64)])
        self._length, self.actions = len(frames) - 1, actions
        self._count = int(self._frames[self._length, fr.COUNT])
