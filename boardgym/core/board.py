"""A game in progress: the position and its record, in the manner of python-chess."""

import enum
import importlib
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgym.core import frames as fr
from boardgym.core.errors import IllegalActionError, NotationError, OptionError
from boardgym.core.game import GAMES, Game, get_game
from boardgym.core.random import draw, fresh_seed, stream

FIRST_CAPACITY = 64
NO_STREAM = np.zeros(1, np.uint64)  # for set-ups that draw nothing


class Reason(enum.IntEnum):
    """Why a game is over; the code that environments give in info["reason"]."""

    NOT_OVER = fr.NOT_OVER
    RULES = fr.BY_RULE
    REPETITION = fr.BY_REPETITION
    ILLEGAL_ACTION = 3


@dataclass(frozen=True)
class Outcome:
    """The end of a game. winner: the seat with the greatest return, None for a draw."""

    winner: int | None
    reason: Reason
    returns: tuple[float, ...]


class Board:
    """A game in progress. `push` plays actions, `pop` takes them back; nothing else changes it.

    Args:
        game: an id such as "Othello-v0", or a `Game`.
        fen: a position string to start from; the standard start if None.
        setup: the name of a set-up, or "random:a-b", to start from; not together with fen.
        seed: for what the set-up draws.
        options: the game's rule options (board size ...).

    Raises:
        UnknownGameError, OptionError, NotationError: for what they name.
    """

    __slots__ = ("_calls", "_count", "_frames", "_legal_at", "_ply", "_token", "actions", "game")

    def __init__(
        self,
        game: str | Game,
        fen: str | None = None,
        *,
        setup: str | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        if fen is not None and setup is not None:
            raise OptionError("give fen or setup, not both")
        self.game = get_game(game, **options)
        self._token = self.game.token
        self._calls = fr.calls_of(self._token, self.game.observation_dtype)
        width = fr.frame_width(self._token, self.game.max_legal_actions)
        self._frames = np.empty((FIRST_CAPACITY, width), np.int64)
        self._legal_at = fr.FIELDS + len(self._token.fields)
        if fen is not None:
            self.set_position(self.game.from_fen(fen))
        else:
            name = setup or "standard"
            needs_draws = not self.game.setup(name).is_fixed  # a stream costs more than all the rest
            self.reset(name, rng=stream(fresh_seed() if seed is None else seed) if needs_draws else NO_STREAM)

    # ------------------------------------------------------------ starting

    @classmethod
    def from_fen(cls, fen: str, game: str | Game, **options: Any) -> "Board":
        """A board of `game` at a position string. Raises NotationError if it cannot be read."""
        if not isinstance(fen, str):
            raise NotationError(f"expected a position string, got {fen!r}")
        return cls(game, fen, **options)

    def set_position(self, position: Any) -> None:
        """Starts a new record at a position of this game's type. Raises NotationError for anything else."""
        if type(position) is not self.game.position_class:  # a subclass is another game: another board size, say
            raise NotationError(f"expected a {self.game.position_class.__qualname__}, got {position!r}")
        self._start(self._token.row(position))

    def _start(self, row: np.ndarray) -> None:
        self.actions: list[int] = []
        self._ply = 0
        self._count = fr.begin(self._token, self._frames, row)

    def reset(self, setup: str = "standard", *, rng: np.ndarray) -> None:
        """Starts a new game from a set-up; rng: a stream, uint64 (1,), advanced by what the set-up draws.

        Random plies are drawn anew until they leave a game that is not over. Raises OptionError, and changes nothing, if
        1000 draws do not, or there is no such set-up.
        """
        chosen = self.game.setup(setup)
        low, high = chosen.random_plies
        before = self.copy() if high > 0 and hasattr(self, "_ply") else None
        for _ in range(1000):
            start = chosen.positions[draw(rng, len(chosen.positions))] if len(chosen.positions) > 1 else chosen.positions[0]
            self._start(self._token.row(start))
            for _ in range(low + draw(rng, high - low + 1) if high > 0 else 0):
                if self._count:
                    self.push(self.legal_actions[draw(rng, self._count)])
            if self._count:
                if self._ply:
                    self._start(self.row)
                return
        if before is not None:
            self._frames, self._ply, self._count, self.actions = before._frames, before._ply, before._count, before.actions
        raise OptionError(f"set-up {setup!r} of {self.game.id}: 1000 draws ended every game before play began")

    # ------------------------------------------------------------ playing

    def push(self, action: int) -> None:
        """Plays an action. Raises IllegalActionError, and changes nothing, if it is not legal or the game is over."""
        if type(action) is not int or not 0 <= action < self.game.num_actions:
            action = self._as_action(action)
        if self._ply + 1 >= len(self._frames):
            self._frames = np.concatenate([self._frames, np.empty_like(self._frames)])
        count = self._calls.push(self._token, self._frames, self._ply, action)
        if count < 0:
            raise self._illegal(action)
        self._ply += 1
        self._count = count
        self.actions.append(action)

    def push_and_look(
        self, action: int, observation: np.ndarray, mask: np.ndarray, rewards: np.ndarray
    ) -> tuple[int, int, bool]:
        """As `push`, filling the view of the seat to play next and what the ply paid: one kernel call for environments.

        Args:
            action: an int.
            observation: array of `game.observation_shape` and dtype, filled.
            mask: int8 (num_actions,), filled; zeros when the game is over.
            rewards: float64 (num_seats,), filled.

        Returns:
            (number of legal actions, seat to play next, whether any reward is not 0).

        Raises: IllegalActionError, with nothing changed.
        """
        if type(action) is not int or not 0 <= action < self.game.num_actions:
            action = self._as_action(action)
        ply = self._ply
        if ply + 1 >= len(self._frames):
            self._frames = np.concatenate([self._frames, np.empty_like(self._frames)])
        result = fr.step(self._token, self._frames, ply, action, observation, mask, rewards)
        if result[0] < 0:
            raise self._illegal(action)
        self._ply = ply + 1
        self._count = result[0]
        self.actions.append(action)
        return result  # type: ignore[no-any-return]

    def push_move(self, text: str) -> int:
        """Plays a move in the game's notation. Returns its action. Raises NotationError, IllegalActionError."""
        action = self.action_of(text)
        self.push(action)
        return action

    def pop(self) -> int:
        """Takes the last action back and returns it. Raises IndexError at the start of the record."""
        action = self.actions.pop()
        self._ply -= 1
        self._count = int(self._frames[self._ply, fr.COUNT])
        return action

    def copy(self) -> "Board":
        """An independent board with the same record."""
        other = object.__new__(type(self))
        other.game, other._token, other._calls, other._legal_at = self.game, self._token, self._calls, self._legal_at
        other._frames, other._ply, other._count = self._frames.copy(), self._ply, self._count
        other.actions = self.actions.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Board":
        return self.copy()

    def _as_action(self, action: Any) -> int:
        """An action given as another kind of integer (NumPy's, say) as an int. Raises IllegalActionError for all else."""
        if not isinstance(action, bool | np.bool_):
            try:
                number = operator.index(action)
            except TypeError:
                pass
            else:
                if 0 <= number < self.game.num_actions:
                    return number
        raise self._illegal(action)

    def _illegal(self, action: Any) -> IllegalActionError:
        if not isinstance(action, int | np.integer) or isinstance(action, bool):
            return IllegalActionError(f"expected an action as an int, got {action!r} of type {type(action).__name__}")
        where = f"in {self.game.id} at {self.fen()!r}"
        if self.is_terminal:
            return IllegalActionError(f"action {action} {where}: the game is over, no action is legal")
        if not 0 <= action < self.game.num_actions:
            expected = f"expected 0 to {self.game.num_actions - 1}; {self._count} are legal"
            return IllegalActionError(f"action {action} {where}: {expected}")
        legal = f"{self._count} actions are legal: {self.legal_actions}"
        return IllegalActionError(f"action {action} ({self.move_text(int(action))}) is illegal {where}; {legal}")

    # ------------------------------------------------------------ looking

    @property
    def legal_actions(self) -> list[int]:
        """The legal actions, ascending; empty when the game is over."""
        first = self._legal_at
        return self._frames[self._ply, first : first + self._count].tolist()  # type: ignore[no-any-return]

    @property
    def legal_moves(self) -> list[str]:
        """The legal actions in the game's notation."""
        position = self.position
        return [self.game.move_text(position, action) for action in self.legal_actions]

    @property
    def to_play(self) -> int:
        """The seat to play; when the game is over, the seat that would be."""
        return int(self._frames[self._ply, fr.TO_PLAY])

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over, by the rules or by repetition."""
        return self._count == 0

    @property
    def ply(self) -> int:
        """Number of actions played since the start of the record."""
        return self._ply

    @property
    def reason(self) -> Reason:
        """Why the game is over, or `Reason.NOT_OVER`."""
        return Reason(int(self._frames[self._ply, fr.ENDING]))

    @property
    def row(self) -> np.ndarray:
        """A copy of the position as an int64 row, as kernels take it."""
        return self._frames[self._ply, fr.FIELDS : self._legal_at].copy()

    @property
    def position(self) -> Any:
        """The position: the game's immutable named tuple."""
        return self._token.position(self._frames[self._ply, fr.FIELDS : self._legal_at])

    @property
    def history(self) -> list[Any]:
        """All positions of the record, the present one last."""
        return [self._token.position(frame[fr.FIELDS : self._legal_at]) for frame in self._frames[: self._ply + 1]]

    @property
    def key(self) -> int:
        """64-bit key of the position without its clocks."""
        return int(self._frames[self._ply, fr.KEY]) & 0xFFFF_FFFF_FFFF_FFFF

    @property
    def keys(self) -> np.ndarray:
        """The keys of the earlier positions of the record as int64, for repetition rules. Shape (ply,)."""
        return self._frames[: self._ply, fr.KEY].copy()

    @property
    def repetitions(self) -> int:
        """How often the present position has occurred in the record, this time included."""
        return 1 + int((self._frames[: self._ply, fr.KEY] == self._frames[self._ply, fr.KEY]).sum())

    def returns(self) -> list[float]:
        """What the game pays each seat; zeros while it goes on."""
        return [fr.pay(self._token, self._frames, self._ply, seat) for seat in range(self.game.num_seats)]

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        if self._count:
            return None
        returns = self.returns()
        best = max(returns)
        winner = returns.index(best) if returns.count(best) == 1 else None
        return Outcome(winner, self.reason, tuple(returns))

    def estimate(self, seat: int | None = None) -> float:
        """The game's heuristic for a seat (default: to play); at the end, what it pays."""
        return float(fr.estimate(self._token, self._frames, self._ply, self.to_play if seat is None else self._seat(seat)))

    def observation(self, seat: int | None = None) -> np.ndarray:
        """The observation of a seat (default: to play): array of `game.observation_shape`."""
        return self.look(seat)[0]

    def action_mask(self) -> np.ndarray:
        """int8 array of shape (num_actions,): 1 where the seat to play may act."""
        return self.look()[1]

    def look(self, seat: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Observation and mask of a seat (default: to play), both new; the mask is zeros if it is not the seat's turn.

        Raises: OptionError for a seat that is not at the board.
        """
        if seat is None:
            seat = fr.WHO_IS_TO_PLAY
        elif type(seat) is not int or not 0 <= seat < self.game.num_seats:
            seat = self._seat(seat)
        observation = np.empty(self.game.observation_shape, self.game.observation_dtype)
        mask = np.empty(self.game.num_actions, np.int8)
        self._calls.look(self._token, self._frames, self._ply, seat, observation, mask)
        return observation, mask

    def _seat(self, seat: Any) -> int:
        is_whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if not is_whole or not 0 <= seat < self.game.num_seats:
            raise OptionError(f"seat {seat!r}: expected 0 to {self.game.num_seats - 1}")
        return int(seat)

    # ------------------------------------------------------------ notation

    def fen(self) -> str:
        """The position string."""
        return self.game.to_fen(self.position)

    def move_text(self, action: int) -> str:
        """An action in the game's notation."""
        return self.game.move_text(self.position, action)

    def action_of(self, text: str) -> int:
        """The legal action that a move names. Raises NotationError if unreadable, IllegalActionError if not legal."""
        if not isinstance(text, str):
            raise NotationError(f"expected a move as text, got {text!r}")
        action = self.game.parse_move(self.position, text)
        if action not in self.legal_actions:
            raise IllegalActionError(f"{text!r} is illegal in {self.game.id} at {self.fen()!r}; legal: "
                                     f"{' '.join(self.legal_moves) or 'none, the game is over'}")  # fmt: skip
        return action

    def moves(self) -> list[str]:
        """The record in notation."""
        position_of = self._token.position
        return [
            self.game.move_text(position_of(self._frames[i, fr.FIELDS : self._legal_at]), action)
            for i, action in enumerate(self.actions)
        ]

    def play(self, moves: Sequence[str]) -> None:
        """Pushes several moves; none of them if one cannot be played. Raises NotationError, IllegalActionError."""
        before = self._ply
        try:
            for move in moves:
                self.push_move(move)
        except ValueError:
            while self._ply > before:
                self.pop()
            raise

    def __str__(self) -> str:
        drawing = self.game.drawing
        if drawing is None:
            return self.fen()
        rows = [" ".join(drawing.symbols[k] for k in row) for row in drawing.cells(self.position)]
        return "\n".join(rows)

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
        return self.game, self._frames[: self._ply + 1].copy(), self.actions.copy()

    def __setstate__(self, state: Any) -> None:
        self.game, frames, actions = state
        self._token = self.game.token
        self._calls = fr.calls_of(self._token, self.game.observation_dtype)
        self._legal_at = fr.FIELDS + len(self._token.fields)
        self._frames = np.concatenate([frames, np.empty((FIRST_CAPACITY, frames.shape[1]), np.int64)])
        self._ply, self.actions = len(frames) - 1, actions
        self._count = int(self._frames[self._ply, fr.COUNT])
