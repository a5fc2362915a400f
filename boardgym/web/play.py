"""One game that is played: its board, its seats, and what may be done with them.

Nothing counts before it is saved: a change is made on a draft, described and written, and only then taken over and told.
Whoever changes a game holds its lock; whoever reads it sees what is saved.
"""

import asyncio
import copy
import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from boardgym.baselines.arena.formats import as_text
from boardgym.baselines.arena.record import GameRecord, record_of
from boardgym.compile import uncompiled
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.board_summary import standing
from boardgym.core.description import describe_board, describe_game
from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.random import stream
from boardgym.web.errors import CONFLICT, FORBIDDEN, NOT_FOUND, StudioError
from boardgym.web.policy_worker import Ask, has_kernels

DICE = 100  # the path of the dice's seeds under a game's seed
REASONS = {"resigned": "resigned", "time": "ran out of time"}
ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True)
class Seat:
    """Who sits at a seat. kind: "human" or "policy"; spec: of the policy."""

    kind: str
    spec: str = ""

    @property
    def name(self) -> str:
        """As records have it."""
        return self.spec if self.kind == "policy" else "human"


@dataclass(frozen=True)
class Ending:
    """How a game was ended other than by its moves. reason: a key of `REASONS`; seat: who lost by it."""

    reason: str
    seat: int


@dataclass(frozen=True)
class Clock:
    """Seconds that each seat has, and that each of its moves adds."""

    seconds: float
    increment: float


class Play:
    """A game that is played.

    Attributes:
        id: in addresses.
        board: where it stands. start: position string of its first position.
        seats, seed, opening, clock: as it was made; a seat may be given to another player.
        left: seconds of each seat when its turn began; None without a clock.
        ending, message: as in the table.
        version: counts the changes.
        lock: held by whoever changes it.
        text: the game as JSON, made when it changes.
    """

    PAUSED = "paused"  # in place of what went wrong: the policies wait until they are asked again

    def __init__(
        self,
        id: str,
        board: Board,
        seats: Sequence[Seat],
        seed: int,
        *,
        opening: int = 0,
        clock: Clock | None = None,
        left: Sequence[float] | None = None,
        ending: Ending | None = None,
        message: str = "",
        version: int = 0,
    ) -> None:
        self.id, self.board, self.seats, self.seed, self.opening = id, board, list(seats), seed, opening
        self.game: Game = board.game
        self.start = self.game.to_fen(board.history[0])
        self.clock, self.ending, self.message, self.version = clock, ending, message, version
        self.left = None if clock is None else list(left or [clock.seconds] * self.game.num_seats)
        self.turn_began = time.monotonic()
        self.lock = asyncio.Lock()
        self.is_deleted = False
        self.watchers = 0
        self.task: asyncio.Task[None] | None = None  # that asks the policy to play
        self.flag: asyncio.Task[None] | None = None  # that ends the game when the clock of the seat to play has run out
        self.is_hinting = False  # whether somebody waits for a hint
        self.changed = asyncio.Event()  # set when it is announced again, and then another one
        self.text = b""

    # ------------------------------------------------------------ looking

    @property
    def is_over(self) -> bool:
        """Whether no move is to come."""
        return self.ending is not None or self.board.is_terminal

    @property
    def thinking(self) -> int | None:
        """The seat of the policy that is to play; None if it is a person's turn, or the game is over."""
        return None if self.is_over or self.seats[self.board.to_play].kind == "human" else self.board.to_play

    @property
    def running(self) -> int | None:
        """The seat whose clock runs; None without clocks, and where the game is over, paused, or held up by a failure."""
        return None if self.left is None or self.is_over or self.message else self.board.to_play

    @property
    def movers(self) -> list[int]:
        """Who acted, for each action of the record: a seat, or CHANCE."""
        with uncompiled():
            return [int(verbs.to_play(position)) for position in self.board.history[:-1]]

    def state_after(self, count: int) -> dict[str, Any]:
        """The board after so many actions of the record. Raises StudioError if there are fewer."""
        if count > len(self.board.actions):
            raise StudioError(NOT_FOUND, f"the game has {len(self.board.actions)} moves, and is not yet at {count}")
        board = self.board.copy()
        board.auto_roll = False
        while len(board.actions) > count:
            board.pop()
        return describe_board(board)

    @property
    def waits_for(self) -> str:
        """Who is to play: "human", "policy", or "" when the game is over."""
        return "" if self.is_over else self.seats[self.board.to_play].kind

    @property
    def returns(self) -> list[float]:
        """What the game pays each seat."""
        if self.ending is None:
            return self.board.returns()
        lost, game = self.ending.seat, self.game
        return [game.min_return if seat == lost else game.max_return for seat in range(game.num_seats)]

    def seconds_left(self, now: float) -> list[float] | None:
        """What each clock shows."""
        if self.left is None:
            return None
        shown = list(self.left)
        if (seat := self.running) is not None:
            shown[seat] -= now - self.turn_began
        return [round(max(seconds, 0.0), 3) for seconds in shown]

    def ask(self, spec: str) -> Ask:
        """The question what a policy would play here."""
        return Ask(spec, self.game, self.start, tuple(self.board.actions), self.seed)

    def record(self) -> GameRecord:
        """The game as a record."""
        forfeit = None if self.ending is None else (self.ending.seat, REASONS[self.ending.reason])
        return record_of(
            self.board,
            tuple(seat.name for seat in self.seats),
            deterministic=(False,) * self.game.num_seats,
            seed=self.seed,
            opening_plies=min(self.opening, len(self.board.actions)),
            forfeit=forfeit,
        )

    def record_text(self) -> str:
        """The game as a .game file."""
        return as_text(self.record(), "play.game")

    # ------------------------------------------------------------ changing

    def check_move(self, ply: int) -> None:
        """Raises StudioError unless a person may move at this ply."""
        if self.ending is not None or self.board.is_terminal:
            raise StudioError(CONFLICT, f"the game is over: {self.result()}")
        if ply != self.board.ply:
            when = "late: it was already played" if ply < self.board.ply else "early"
            raise StudioError(CONFLICT, f"this move is for ply {ply}, and the game is at ply {self.board.ply}: it comes {when}")
        if (seat := self.thinking) is not None:
            name = self.game.seat_name(seat)
            raise StudioError(FORBIDDEN, f"it is not your turn: {name} is played by {self.seats[seat].spec}")

    def push(self, *, action: int | None = None, move: str | None = None) -> None:
        """Plays an action or a move, and the rolls after it, which follow from the seed and the record.

        Raises IllegalActionError, NotationError, with nothing changed.
        """
        board = self.board
        board.reseed(int(stream(self.seed, DICE, len(board.actions))[0]) >> 1)
        if action is not None:
            board.push(action)
        else:
            board.push_turn(move or "")

    def go_back(self, length: int) -> None:
        """Takes back all that is beyond a length of the record."""
        while len(self.board.actions) > length:
            self.board.pop()

    def length_before(self) -> int:
        """The length of the record after taking back to the last turn of a person.

        Raises StudioError if there is none, or no person plays.
        """
        if all(seat.kind != "human" for seat in self.seats):
            raise StudioError(CONFLICT, "no person plays here: there is nothing of yours to take back")
        trial = self.board.copy()
        while True:
            try:
                trial.pop()
            except IndexError:
                raise StudioError(CONFLICT, "there is no move of yours to take back") from None
            if self.seats[trial.to_play].kind == "human":
                return len(trial.actions)

    def loser_by_resignation(self, seat: int | None) -> int:
        """The seat that resigns: the one that is named, the person to play, or the only person. Raises StudioError."""
        people = [number for number, one in enumerate(self.seats) if one.kind == "human"]
        if self.is_over:
            raise StudioError(CONFLICT, f"the game is over: {self.result()}")
        if seat is not None and seat not in people:
            raise StudioError(FORBIDDEN, f"no person sits at seat {seat}")
        if seat is not None:
            return seat
        if self.board.to_play in people:
            return self.board.to_play
        if len(people) == 1:
            return people[0]
        raise StudioError(CONFLICT, "say which seat resigns" if people else "no person plays here: nobody can resign")

    def draft(self) -> "Play":
        """A copy to make the next change on. The time thought is charged; a message and an ending are not kept."""
        draft, now = copy.copy(self), time.monotonic()
        draft.board = self.board.copy()
        draft.left, draft.turn_began = self.seconds_left(now), now
        draft.version, draft.message, draft.ending = self.version + 1, "", None
        return draft

    def take_over(self, draft: "Play") -> None:
        """Makes a draft that has been described the game as it stands, and wakes whoever watches it."""
        self.board, self.seats, self.left, self.turn_began = draft.board, draft.seats, draft.left, draft.turn_began
        self.version, self.message, self.ending, self.text = draft.version, draft.message, draft.ending, draft.text
        self.wake()

    def result(self) -> str:
        """How the game ended, as a sentence; empty while it goes on."""
        if self.ending is None:
            return standing(self.board) if self.board.is_terminal else ""
        names = [self.game.seat_name(seat) for seat in range(self.game.num_seats)]
        lost = names.pop(self.ending.seat)
        return f"{lost} {REASONS[self.ending.reason]}" + (f"; {' and '.join(names)} won" if names else "")

    # ------------------------------------------------------------ telling

    def describe(self) -> dict[str, Any]:
        """What a page is told of the game, but for its description."""
        state = describe_board(self.board)
        if self.ending is not None:
            state["actions"], state["to_play"], state["status"] = [], None, self.result()
            state["outcome"] = {"returns": self.returns, "reason": self.ending.reason}
        seat = self.thinking
        clocks = None
        if self.clock is not None:
            left, at = self.seconds_left(time.monotonic()), round(time.time() * 1000)
            clocks = {**dataclasses.asdict(self.clock), "left": left, "running": self.running, "at": at}
        return {
            "id": self.id,
            "seats": [
                {"name": self.game.seat_name(number), **dataclasses.asdict(one)} for number, one in enumerate(self.seats)
            ],
            "seed": self.seed,
            "start": self.start,
            "opening": self.opening,
            "movers": self.movers,
            "state": state,
            "version": self.version,
            "thinking": None if self.message else seat,
            "message": "" if self.message == self.PAUSED else self.message,
            "paused": self.message == self.PAUSED,
            "clocks": clocks,
            "is_over": self.is_over,
            "result": state["status"] if self.is_over else "",
        }

    def refresh(self) -> None:
        """Makes the JSON of the game, with the clocks as they are now. Raises what a game's drawing raises."""
        rest = ENCODER.encode(self.describe())
        self.text = b'{"game":' + game_text(self.game) + b"," + rest[1:]

    def wake(self) -> None:
        """Wakes whoever watches the game."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


_GAME_TEXTS: dict[tuple[str, str], bytes] = {}
MOST_TEXTS = 200


def game_text(game: Game) -> bytes:
    """A game's description as JSON, made once."""
    key = game.id, repr(sorted(game.options.items()))
    if key not in _GAME_TEXTS:
        if len(_GAME_TEXTS) >= MOST_TEXTS:
            _GAME_TEXTS.clear()
        _GAME_TEXTS[key] = ENCODER.encode(describe_game(game))
    return _GAME_TEXTS[key]


def new_board(game: Game, *, fen: str | None, setup: str | None, moves: Sequence[str], seed: int) -> Board:
    """A board to play on, after some moves, rolls included. Rules that are not compiled run as Python: nobody waits.

    Raises NotationError, IllegalActionError; OptionError also where the game is over.
    """
    dice = int(stream(seed, DICE)[0]) >> 1
    board = Board(game, fen, setup=setup, seed=dice, auto_roll=not moves, compiled=has_kernels(game))
    board.play(moves)
    board.auto_roll = True
    if board.is_terminal:
        raise OptionError(f"{game.id} at {board.fen()!r}: the game is over; expected one to play on")
    return board


def board_from(game: Game, start: str, actions: Sequence[int]) -> Board:
    """A board from its record, which holds what was rolled."""
    board = Board(game, start, auto_roll=False, compiled=has_kernels(game))
    for action in actions:
        board.push(action)
    board.auto_roll = True
    return board
