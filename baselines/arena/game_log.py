"""The games of a run of matches, in the order in which they are played: written to a file as they end, and told to followers.

A run that was cut short goes on from its file: each game follows from the seed and its number alone, so those that stand there
are taken as played, after a check that they are the same games.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from boardgym.baselines.arena.formats import as_text, record_format
from boardgym.baselines.arena.record import CAP, FORFEIT, GameRecord
from boardgym.core.board import Board
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.game import Game

if TYPE_CHECKING:
    from boardgym.baselines.arena.match import Match

Follower = Callable[["GameLog"], None]
_followers: list[Follower] = []


@contextlib.contextmanager
def followed(follower: Follower) -> Iterator[None]:
    """Within it, each log of this process calls `follower(log)` after every game.

    For programs that run the command line and want to see how far it has come. What the follower raises ends the run.
    """
    _followers.append(follower)
    try:
        yield
    finally:
        _followers.remove(follower)


@dataclass(frozen=True)
class GameQuestion:
    """What decides about a game that is to be played.

    Attributes:
        game: with its rule options. policies: spec of each seat. deterministic: whether each is asked for its best action.
        start: position string. seed: of the game. max_plies: at which it is stopped; None: at the game's own limit.
    """

    game: Game
    policies: tuple[str, ...]
    deterministic: tuple[bool, ...]
    start: str
    seed: int
    max_plies: int | None

    def differs_from(self, record: GameRecord) -> str:
        """In what a record is of another game, in words; empty if it is of this one."""
        if (record.game, record.options) != (self.game.id, dict(self.game.options)):
            return f"{record.game} {record.options}; this run plays {self.game.id} {dict(self.game.options)}"
        found, expected = self._words(record), self._words(self)
        if found != expected:
            return f"{found}; this run plays {expected}"
        if record.reason == CAP or self.max_plies is not None:
            board, ply = record.replay(), record.start_board().ply
            limit = self.game.max_plies + ply if self.max_plies is None else self.max_plies
            if board.ply > limit or (record.reason == CAP) != self._is_capped(record, board, limit):
                return f"{board.ply} plies, {record.reason}; this run stops games at {limit} plies"
        return ""

    @staticmethod
    def _is_capped(record: GameRecord, board: Board, limit: int) -> bool:
        return record.reason != FORFEIT and not board.is_terminal and board.ply >= limit

    @staticmethod
    def _words(one: "GameQuestion | GameRecord") -> str:
        seats = (f"{spec}{' at its best' if best else ''}" for spec, best in zip(one.policies, one.deterministic, strict=True))
        return f"{' - '.join(seats)} at {one.start!r}, seed {one.seed}"


class GameLog:
    """Where the games of a command go: a context, which opens and closes the file.

    Args:
        path: file that games are appended to, as text if its name ends in .game, else as JSON lines; empty: none.
        resume: whether the games that the file holds are taken as played.

    Attributes:
        head: the `Comparison` or `Ladder` that is played, without its rows; None for a single match.
        total: how many games there will be. taken: how many of them the file had.
        match: the one that is played now, with its games so far. before: how many games the matches before it have.

    Raises:
        NotationError: the name of the file says another format. OSError: it cannot be opened.
        OptionError: it cannot be gone on with.
    """

    def __init__(self, path: str = "", *, resume: bool = False) -> None:
        if path and record_format(path) != "json" and resume:
            raise OptionError(f"{path}: a game file may end within a game; to go on takes JSON lines, as in games.jsonl")
        if resume and not path:
            raise OptionError("resume: expected a record, the file whose games are gone on with")
        self.path, self.total, self.taken, self.before = path, 0, 0, 0
        self.head: Any = None
        self.match: Match | None = None
        self._file: BinaryIO | None = None
        self._is_reading = resume
        self._ends = list[int]()  # in the file, of each game of this run

    def __enter__(self) -> "GameLog":
        if self.path:
            self._is_reading = self._is_reading and Path(self.path).is_file()
            self._file = open(self.path, "r+b") if self._is_reading else open(self.path, "ab")
            self._begins_at = self._file.tell()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file is not None:
            self._cut()
            self._file.close()

    @property
    def done(self) -> int:
        """How many games there are."""
        return self.before + (0 if self.match is None else len(self.match.games))

    # ------------------------------------------------------------ for those who play

    def begin(self, head: Any, total: int) -> None:
        """Says what is played, before its first match."""
        self.head, self.total = head, total

    def enter(self, match: "Match", games: int) -> None:
        """The next match begins. games: how many it has."""
        self.before, self.match = self.done, match
        self.total = self.total or games

    def take(self, question: GameQuestion) -> GameRecord | None:
        """The next game, if the file has it. Raises OptionError if that is another one, NotationError if it cannot be read."""
        if not self._is_reading or self._file is None:
            return None
        at = self._file.tell()
        line = self._file.readline()
        if not line.endswith(b"\n"):  # the end, or half a line of a process that was killed
            self._is_reading = False
            self._file.truncate(at)
            self._file.seek(at)
            return None
        place = f"{self.path}, game {self.done + 1}"
        try:
            record = GameRecord.from_json(line.decode())
        except ValueError as error:
            raise NotationError(f"{place}: {error}; take another file, or delete it") from None
        if difference := question.differs_from(record):
            raise OptionError(f"{place}: {difference}: take another file, or delete it")
        self._ends.append(self._file.tell())
        self.taken += 1
        return record

    def keep(self, record: GameRecord) -> None:
        """Writes a game that has been played."""
        if self._file is not None:
            text = as_text(record, self.path).encode()
            self._ends.append(self._file.tell() + len(text))
            self._file.write(text)
            self._file.flush()

    def tell(self) -> None:
        """A game more stands in the match: followers look at it."""
        for follower in _followers:
            follower(self)

    def _cut(self) -> None:
        """Leaves those games of this run in the file that stand in matches: Ctrl-C may have come before one did."""
        if self._file is not None and self.done < len(self._ends) and not self._is_reading:
            self._file.flush()
            self._file.truncate(self._ends[self.done - 1] if self.done else self._begins_at)
