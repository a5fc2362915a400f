"""A training in a folder: checkpoints while it goes on, the agent and its curve at the end, and play against it meanwhile."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from boardgym.baselines.array_files import OWN_FIELDS
from boardgym.baselines.learning.agent_files import read_agent_header
from boardgym.baselines.learning.config import settings_of
from boardgym.baselines.learning.run_folders import Run, claim, hold
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.baselines.learning.trainer import BLOCK, TableFullError, Trainer
from boardgym.baselines.players.human import HumanQuit
from boardgym.baselines.typed_json import plain_data
from boardgym.compile import WorkClock
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside

AGENT, CHECKPOINT, CURVE = "agent.safetensors", "checkpoint.safetensors", "curve.json"
CHECKPOINT_S = 60.0

Ending = Literal["finished", "interrupted", "left", "full"]


@dataclass(frozen=True)
class Trained:
    """How a training in a folder ended. trainer: with the agent. agent_path: its file. seconds: of this session.

    working_seconds: those of them in which nothing was compiled. resumed: episodes that an earlier session had done. ending:
    "finished", all episodes are done; "interrupted", by Ctrl-C; "left", by the person who played against it; "full", the table
    may not grow any more. message: the same in words.
    """

    trainer: Trainer[Any]
    agent_path: Path
    seconds: float
    working_seconds: float
    resumed: int
    ending: Ending
    message: str

    @property
    def is_finished(self) -> bool:
        """Whether all episodes are done."""
        return self.ending == "finished"


def train_tabular(
    config: TabularConfig,
    out: str | Path,
    *,
    checkpoint_s: float = CHECKPOINT_S,
    trust: bool = False,
    on_piece: Callable[[Trainer[Any]], None] | None = None,
) -> Trained:
    """Trains a table into a folder: see `train_into`. trust: as of `Trainer`. Raises as both."""
    return train_into(TableTrainer(config, trust=trust), out, checkpoint_s=checkpoint_s, on_piece=on_piece)


def train_into(
    trainer: Trainer[Any],
    out: str | Path,
    *,
    checkpoint_s: float = CHECKPOINT_S,
    on_piece: Callable[[Trainer[Any]], None] | None = None,
) -> Trained:
    """Trains into a folder, from the checkpoint of a training with the same settings on, if one is there.

    Writes config.json (see `run_folders`), checkpoint.safetensors every `checkpoint_s` seconds and at the end, when it also
    writes agent.safetensors (`file:PATH`) and curve.json. A process that is killed at any moment loses what came after the last
    checkpoint, and the same call goes on from there to the same result as a training that was never interrupted, unless it
    plays against somebody who plays otherwise the second time: a person, an engine, a policy with a clock. Ctrl-C ends it early
    and loses nothing but a game under way against a policy in Python, which the same call plays anew; so does a person who
    plays against it and leaves. A first Ctrl-C while the last files are written does not keep them from being written. A table
    that is full ends it too: with more `memory` the same call goes on. What an opponent raises that fails is raised here, with
    a checkpoint of what has been learnt until its game.

    trainer: that has not begun. on_piece: as of `Trainer.run`.

    Raises:
        SpecError: the folder holds a checkpoint of other settings, or damaged files.
        OSError: the folder cannot be written.
        IllegalActionError: of the opponent; and whatever else it raises.
        OptionError: another training goes on in the folder, or it holds the run of another; what is learnt has gone beyond all
            numbers, no game can begin, or checkpoint_s is no number of seconds.
    """
    check_seconds(checkpoint_s)
    folder, run = Path(out), Run(trainer.kind, settings_of(trainer.config), CHECKPOINT, (AGENT, CURVE), ("memory",))
    with hold(folder, run):
        return _train(trainer, folder, run, checkpoint_s, on_piece)


def check_seconds(checkpoint_s: float) -> None:
    """Raises OptionError for what is no time between checkpoints."""
    if not checkpoint_s >= 0.0:
        raise OptionError(f"checkpoint_s={checkpoint_s}: expected seconds, 0 or more")


def _train(
    trainer: Trainer[Any], folder: Path, run: Run, checkpoint_s: float, on_piece: Callable[[Trainer[Any]], None] | None
) -> Trained:
    """The training of one who is alone in its folder."""
    checkpoint = folder / CHECKPOINT
    if checkpoint.exists():
        trainer.load_checkpoint(checkpoint)
    claim(folder, run)
    resumed, work, saved = trainer.episode, WorkClock(), time.monotonic()
    ending: Ending = "finished"
    message = "all episodes are done"

    def watch(trainer: Trainer[Any]) -> None:
        nonlocal saved
        if time.monotonic() - saved >= checkpoint_s:
            trainer.save_checkpoint(checkpoint)
            saved = time.monotonic()
        if on_piece is not None:
            on_piece(trainer)

    try:
        trainer.run(on_piece=watch)
    except HumanQuit:
        ending, message = "left", "you have left the training: the same command goes on"
    except KeyboardInterrupt:
        ending, message = "interrupted", "interrupted: the same command goes on"
    except TableFullError as error:
        ending, message = "full", f"{error}: the same command then goes on"
    except Exception:  # an opponent that fails: the games before it are kept
        if trainer.episode > resumed:
            trainer.save_checkpoint(checkpoint)
        raise
    if trainer.episode > resumed or not is_kept(trainer, folder):
        try:
            save(trainer, folder)
        except KeyboardInterrupt:  # a training ends with its files; a second one ends it without
            save(trainer, folder)
    return Trained(trainer, folder / AGENT, work.seconds, work.working_seconds, resumed, ending, message)


def is_kept(trainer: Trainer[Any], folder: Path) -> bool:
    """Whether the folder has the files of a training as it is: a process may have been killed between two of them."""
    try:
        header = read_agent_header(folder / AGENT)
    except SpecError:
        return False
    stored = {name: value for name, value in header.items() if name not in OWN_FIELDS}
    is_last = stored == plain_data(trainer.agent.header())  # one pruned in place has other entries
    return is_last and all((folder / name).exists() for name in (CHECKPOINT, CURVE))


def save(trainer: Trainer[Any], folder: Path) -> None:
    """Writes the checkpoint first, from which the rest can be made again, then curve and agent, each whole or not at all."""
    trainer.take_back()  # what a second Ctrl-C may have left
    trainer.save_checkpoint(folder / CHECKPOINT)
    curve = {"block": BLOCK, "episodes": trainer.episode, "results": trainer.results().tolist()}
    write_aside(folder / CURVE, json.dumps(curve).encode())
    trainer.agent.save(folder / AGENT)  # the last: that it is of this episode says that the others are, see `is_kept`


class Background:
    """A training that goes on in a thread while its agent plays: a context that ends the training.

    Args:
        trainer, out, checkpoint_s: as `train_into`.

    Attributes:
        policy: the agent as it is at the moment of each move.
    """

    def __init__(self, trainer: Trainer[Any], out: str | Path, *, checkpoint_s: float = CHECKPOINT_S) -> None:
        self.trainer = trainer
        self.result: Trained | None = None
        self.error: BaseException | None = None
        self._lock, self._stop, self._begun = threading.Lock(), threading.Event(), threading.Event()
        self._lock.acquire()

        def work() -> None:
            try:
                self.result = train_into(trainer, out, checkpoint_s=checkpoint_s, on_piece=self._give_way)
            except BaseException as error:
                self.error = error
            finally:
                self._begun.set()
                self._lock.release()

        self._thread = threading.Thread(target=work, name="boardgym training", daemon=True)
        try:
            self._thread.start()
            self._begun.wait()
        except BaseException:  # Ctrl-C, while the kernels are compiled: what has begun is ended and kept
            self._stop.set()
            self._thread.join()
            raise
        if self.error is not None:
            raise self.error
        self.policy = _Learning(self)

    def _give_way(self, trainer: Trainer[Any]) -> None:
        """Between two pieces: lets the agent be asked."""
        self._begun.set()
        if self._stop.is_set():
            raise KeyboardInterrupt
        self._lock.release()
        time.sleep(0.001)
        self._lock.acquire()

    def ask(self, board: Board, *, deterministic: bool) -> int:
        """The agent's action, between two pieces of the training."""
        with self._lock:
            action: int = self.trainer.agent.act(board, deterministic=deterministic)
            return action

    def __enter__(self) -> "Background":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()


class _Learning:
    """The agent of a training in the background as a policy."""

    def __init__(self, background: Background) -> None:
        self.background = background
        self.game = background.trainer.game

    @property
    def spec(self) -> str:
        """What it is called: with how far the training has come."""
        trainer = self.background.trainer
        return f"{trainer.name} after {trainer.episode:,} episodes"

    def reset(self, *, seed: int | None = None) -> None:
        """Nothing: its draws go on."""

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The agent's action at present."""
        return self.background.ask(board, deterministic=deterministic)
