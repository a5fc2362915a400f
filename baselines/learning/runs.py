"""The contract of all trainings: into a folder, from its checkpoint on, to the file of an agent.

A kind of training is a subclass of `Training`; `train_into` gives it a folder with a lock and an identity, checkpoints, a
curve, a progress bar, an answer to Ctrl-C, and an end at which the agent's file is written.
"""

import contextlib
import csv
import io
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from boardgym.baselines.learning.history import History
from boardgym.baselines.learning.run_folders import AGENT, CHECKPOINT, CURVE, Run, claim, hold
from boardgym.baselines.players.human import HumanQuit
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.compile import WorkClock
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.core.game import Game

CHECKPOINT_S = 60.0
PARTS = 10  # equal parts of a training, at whose ends one may look at it

Ending = Literal["finished", "interrupted", "left", "full"]


class TableFullError(OptionError):
    """A table that may not grow any more."""


class Training(ABC):
    """A training that can be cut short at any moment and goes on from its last checkpoint to the same result.

    Attributes:
        kind: the word after `boardgym train`. unit: what is counted, in the plural: "episodes". label: of the bar.
        config: its settings, a dataclass. game: what is played.
        checkpoint: name of the file that it goes on from. written: names of the other files that it writes, the agent's last.
        saves_itself: whether it writes checkpoints when it chooses to; else `train_into` does, every so many seconds.
        resumed: how many of its units an earlier session had done; `train_into` sets it.
    """

    kind: str
    unit: str
    label = "training"
    config: Any
    game: Game
    checkpoint: str = CHECKPOINT
    written: Sequence[str] = (CURVE, AGENT)
    saves_itself = False
    resumed = 0

    # ------------------------------------------------------------ how far it has come

    @property
    @abstractmethod
    def done(self) -> int:
        """How many of its units are done."""

    @property
    @abstractmethod
    def total(self) -> int:
        """How many there are."""

    @property
    @abstractmethod
    def size(self) -> str:
        """How much has been learnt, or what in, in words."""

    @property
    def parts_done(self) -> int:
        """How many of its PARTS are done."""
        return PARTS * self.done // max(self.total, 1)

    @property
    def part_end(self) -> int:
        """Units done at the end of the part that is under way."""
        return -(-min(self.parts_done + 1, PARTS) * self.total // PARTS)

    @property
    def has_begun(self) -> bool:
        """Whether there is anything to keep, should it be cut short now."""
        return True

    @property
    def ended(self) -> str:
        """Why it has come to its end, in words."""
        return f"all {self.unit} are done"

    def show(self, bar: ProgressBar) -> None:
        """Says how far it has come."""
        bar.show(self.done, total=self.total, note=self.size)

    # ------------------------------------------------------------ going on

    @abstractmethod
    def run_in(self, folder: Path) -> Run:
        """What run the folder has to hold."""

    @abstractmethod
    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """Trains to the end. watch: called now and then, where a checkpoint can be written; what it raises ends the training.

        A training that can end anywhere calls it at the end of each of its parts too (`part_end`).

        Raises: KeyboardInterrupt, after which the training can go on; TableFullError; what an opponent raises.
        """

    @abstractmethod
    def load_checkpoint(self, path: Path) -> None:
        """Goes to where a training with the same settings wrote its checkpoint. Raises SpecError."""

    @abstractmethod
    def save_checkpoint(self, path: Path) -> None:
        """Writes all that is needed to go on, whole or not at all. Raises OSError."""

    def open(self, folder: Path) -> None:
        """Takes up what the folder holds, if it holds anything. Raises as `load_checkpoint`."""
        if (folder / self.checkpoint).exists():
            self.load_checkpoint(folder / self.checkpoint)

    # ------------------------------------------------------------ what it leaves

    def is_written(self, folder: Path) -> bool:
        """Whether the folder has the results of the training as it is."""
        return False

    def has_written(self, folder: Path, read: Callable[[Path], Any], expected: Any) -> bool:
        """Whether all files are there, and `read` of the agent's gives what is expected: one that cannot be read does not.

        A process may have been killed between two files.
        """
        try:
            is_last = read(self.agent_path(folder)) == expected
        except SpecError:
            return False
        return bool(is_last) and all((folder / name).exists() for name in (self.checkpoint, *self.written))

    @abstractmethod
    def write_results(self, folder: Path) -> None:
        """Writes what can be made again from the checkpoint, each file whole or not at all. Raises OSError."""

    @abstractmethod
    def write_agent(self, path: Path) -> None:
        """Writes the agent as it is now, whole or not at all; where `watch` is called. Raises OptionError, OSError."""

    def write_curve(self, folder: Path) -> None:  # noqa: B027  (a kind of training need not have one)
        """Writes the curve alone, where that takes no time to speak of; else it waits for the results. Raises OSError."""

    def agent_path(self, folder: Path) -> Path:
        """The agent's file in a folder."""
        return folder / self.written[-1]

    def spec_in(self, folder: Path) -> str:
        """The spec of the agent in a folder."""
        return f"file:{self.agent_path(folder)}"

    @property
    def played(self) -> Game:
        """The game that the agent plays when it is compared, with its rule options."""
        return self.game

    @property
    def name(self) -> str:
        """The method, in a word."""
        return self.kind

    @property
    def most_plies(self) -> int:
        """Plies after which a game of the training ends as a draw; 0: as the rules say."""
        return 0

    @property
    def compare_s(self) -> float | None:
        """Seconds that the comparison at the end may take, about; None: as long as its games do."""
        return None

    def report(self, folder: Path) -> dict[str, Any]:
        """What there is to say of the training beside how far it has come, as plain data."""
        return {}

    def lines(self, folder: Path) -> list[tuple[str, str]]:
        """The same for people: (what, text), a line each."""
        return []


T = TypeVar("T", bound=Training)


@dataclass(frozen=True)
class Trained(Generic[T]):
    """How a training in a folder ended.

    Attributes:
        training: it. folder: where its files are.
        seconds: of this session. working_seconds: those of them in which nothing was compiled.
        resumed: units that an earlier session had done.
        ending: "finished", all is done; "interrupted", by Ctrl-C; "left", by the person who played against it; "full", the
            table may not grow any more. message: the same in words.
    """

    training: T
    folder: Path
    seconds: float
    working_seconds: float
    resumed: int
    ending: Ending
    message: str

    @property
    def is_finished(self) -> bool:
        """Whether all of it is done."""
        return self.ending == "finished"

    @property
    def agent_path(self) -> Path:
        """The agent's file."""
        return self.training.agent_path(self.folder)

    @property
    def player(self) -> str:
        """The spec of the agent."""
        return self.training.spec_in(self.folder)


_followers = list[Callable[[Training, Path], None]]()


@contextlib.contextmanager
def followed(follower: Callable[[Training, Path], None]) -> Iterator[None]:
    """Within it, each training of this process calls `follower(training, folder)` now and then, where it can be cut short.

    For programs that run the command line and want to see how far it has come. What the follower raises ends the training.
    """
    _followers.append(follower)
    try:
        yield
    finally:
        _followers.remove(follower)


def train_into(
    training: T,
    out: str | Path,
    *,
    checkpoint_s: float = CHECKPOINT_S,
    snapshots: int = 0,
    progress: Progress = False,
    on_piece: Callable[[T], None] | None = None,
) -> Trained[T]:
    """Trains into a folder, from the checkpoint of a training with the same settings on, if one is there.

    Writes config.json (see `run_folders`), a checkpoint every `checkpoint_s` seconds or when the training chooses to, and at
    the end checkpoint, curve.csv and the agent. A process that is killed at any moment loses what came after the last
    checkpoint, and the same call goes on from there to the same result as a training that was never interrupted, unless it
    plays against somebody who plays otherwise the second time: a person, an engine, a policy with a clock. Ctrl-C ends it early
    and loses nothing but games under way; so does a person who plays against it and leaves. A first Ctrl-C while the last files
    are written does not keep them from being written. A table that is full ends it too: with more `memory` the same call goes
    on. What an opponent raises that fails is raised here, with a checkpoint of what has been learnt until its game.

    training: that has not begun. snapshots: of the agent in the course of the training that are kept at most, see `history`; 0
    for none. progress: as of `ProgressBar`. on_piece: called with the training now and then; what it raises ends it.

    Raises:
        SpecError: the folder holds a checkpoint of other settings, or damaged files.
        OSError: the folder cannot be written.
        IllegalActionError: of the opponent; and whatever else it raises.
        OptionError: another training goes on in the folder, or it holds the run of another; what is learnt has gone beyond all
            numbers, no game can begin, or checkpoint_s or snapshots is no number that can be.
    """
    if not checkpoint_s >= 0.0:
        raise OptionError(f"checkpoint_s={checkpoint_s}: expected seconds, 0 or more")
    folder = Path(out)
    history = History(folder, snapshots)
    with hold(folder, run := training.run_in(folder)), ProgressBar(label=training.label, progress=progress) as bar:
        training.open(folder)
        claim(folder, run)
        history.open(training.done)
        return _train(training, folder, checkpoint_s, history, bar, on_piece)


def _train(
    training: T,
    folder: Path,
    checkpoint_s: float,
    history: History,
    bar: ProgressBar,
    on_piece: Callable[[T], None] | None,
) -> Trained[T]:
    """The training of one who is alone in its folder."""
    checkpoint = folder / training.checkpoint
    resumed, work, saved = training.done, WorkClock(), time.monotonic()
    training.resumed = resumed
    ending: Ending = "finished"

    def watch() -> None:
        nonlocal saved
        if not training.saves_itself and time.monotonic() - saved >= checkpoint_s:
            training.save_checkpoint(checkpoint)
            saved = time.monotonic()
        history.look(training)
        training.show(bar)
        if on_piece is not None:
            on_piece(training)
        for follower in _followers:
            follower(training, folder)

    try:
        training.go_on(watch, bar)
        message = training.ended
    except HumanQuit:
        ending, message = "left", "you have left the training: the same command goes on"
    except KeyboardInterrupt:
        if not training.has_begun:
            raise
        ending, message = "interrupted", "interrupted: the same command goes on"
    except TableFullError as error:
        ending, message = "full", f"{error}: the same command then goes on"
    except Exception:  # an opponent that fails: the games before it are kept
        if training.done > resumed and not training.saves_itself:
            training.save_checkpoint(checkpoint)
        raise
    if training.done > resumed or not training.is_written(folder):
        try:
            save(training, folder)
        except KeyboardInterrupt:  # a training ends with its files; a second one ends it without
            save(training, folder)
    return Trained(training, folder, work.seconds, work.working_seconds, resumed, ending, message)


def save(training: Training, folder: Path) -> None:
    """Writes the checkpoint first, from which the rest can be made again, then the rest."""
    training.save_checkpoint(folder / training.checkpoint)
    training.write_results(folder)


def write_table(path: Path, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Writes a curve as CSV, whole or not at all. Raises OSError."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([names, *rows])
    write_aside(path, text.getvalue().encode())


def results_rows(results: Any, block: int, done: int) -> list[list[int]]:
    """Rows of a curve: units done, and the games of the block before that were won, drawn, lost. results: int (blocks, 3)."""
    return [[min((k + 1) * block, done), *map(int, row)] for k, row in enumerate(results)]
