"""Bots in training: each in a process of its own, several at once, all of which end with the studio.

A process is `boardgym train ...` with the words of its form (`learners`), run by `trainee`. What it learns is in the folder of
its run, from which the same words go on; so nothing is lost but what came after the last checkpoint.
"""

import contextlib
import csv
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from boardgym.baselines.learning.run_folders import CURVE
from boardgym.baselines.workers import ending
from boardgym.core.errors import BoardgymError
from boardgym.startup import INTERRUPTED

LOGGER = logging.getLogger("boardgym.studio")
State = Literal["waiting", "training", "finished", "stopped", "interrupted", "failed", "uploaded"]

RUN, LOG, OUT, PROGRESS = "run", "log.txt", "out.txt", "progress.json"  # in the folder of a bot
CHECKPOINT_S = 20.0  # between the checkpoints of a bot
SNAPSHOTS = 32  # of a bot in the course of its training
AT_ONCE = max((os.cpu_count() or 2) - 1, 2)  # unless people say otherwise
MOST_POINTS = 400  # of a curve on the page
MOST_LOG = 20_000  # bytes that are read of the end of a log
CLOSE_S = 30.0  # for all bots to write their checkpoints when the studio ends
KILLED_S = 2.0  # for what is noted of one that is killed
TRAINEE = "boardgym.web.trainee"  # runs a command of boardgym, which ends with the studio
FULL = 1  # the exit status of a training whose table is full


class TrainingError(BoardgymError, RuntimeError):
    """A bot that is asked for what its state does not allow."""


@dataclass(frozen=True)
class Ended:
    """How a process ended. state: of the bot from then on. message: in words."""

    state: State
    message: str


@dataclass
class Job:
    """A process, or one that waits. module: that it runs; words: of its command line, after the folder.

    on_end: called from a thread once it has ended.
    """

    name: str
    folder: Path
    words: list[str]
    on_end: Callable[["Ended"], None]
    on_start: Callable[[], None] = lambda: None
    module: str = TRAINEE
    process: "subprocess.Popen[bytes] | None" = None
    is_stopped: bool = False
    ended: threading.Event = field(default_factory=threading.Event)


class Jobs:
    """Processes of the studio that last: at most so many at once, the others wait in their order.

    Args:
        limit: how many at once.

    Safe to use from several threads.
    """

    def __init__(self, limit: int = AT_ONCE) -> None:
        self.limit = limit
        self._lock = threading.RLock()
        self._running: dict[str, Job] = {}
        self._waiting: deque[Job] = deque()
        self._is_closed = False

    def begin(
        self,
        name: str,
        folder: Path,
        words: Sequence[str],
        on_end: Callable[[Ended], None],
        on_start: Callable[[], None] = lambda: None,
        on_wait: Callable[[], None] = lambda: None,
        *,
        module: str = TRAINEE,
    ) -> None:
        """Begins `boardgym WORDS`, now or when there is room. name: by which `stop` knows it. folder: for its log.

        module: to be run with the folder and the words in place of that; its process is to end with its standard input.
        on_wait: called once it is taken, before it begins. on_start, on_end: called when it begins and after it has ended,
        perhaps from other threads. Raises TrainingError, without a call of any.
        """
        with self._lock:
            if self._is_closed:
                raise TrainingError("the studio is ending")
            if name in self._running or any(job.name == name for job in self._waiting):
                raise TrainingError("it is under way already")
            folder.mkdir(parents=True, exist_ok=True)
            on_wait()
            self._waiting.append(Job(name, folder, list(words), on_end, on_start, module))
            self._fill()

    def stop(self, name: str, *, kills: bool = False) -> bool:
        """Ends a process as Ctrl-C does, which keeps a checkpoint; False if there is none. It may take a moment.

        kills: ends it at once, where it has nothing to keep.
        """
        with self._lock:
            for job in [job for job in self._waiting if job.name == name]:
                self._waiting.remove(job)
                job.on_end(Ended("stopped", "stopped before it began"))
                return True
            if (running := self._running.get(name)) is None:
                return False
            self._tell(running)
            if kills and running.process is not None:
                running.process.kill()
            return True

    def set_limit(self, limit: int) -> None:
        """Changes how many run at once; none that runs is ended."""
        with self._lock:
            self.limit = limit
            self._fill()

    def state(self, name: str) -> Literal["waiting", "training", ""]:
        """Whether it waits or is under way; empty if neither."""
        with self._lock:
            if name in self._running:
                return "training"
            return "waiting" if any(job.name == name for job in self._waiting) else ""

    def wait(self, name: str, timeout_s: float) -> bool:
        """Waits until a process has ended. Returns whether it has."""
        with self._lock:
            job = self._running.get(name)
        return job is None or job.ended.wait(timeout_s)

    def close(self) -> None:
        """Ends all processes as Ctrl-C does, and waits for their checkpoints; those that wait are not begun.

        What has not ended within CLOSE_S is killed, and goes on from the checkpoint that it wrote before.
        """
        with self._lock:
            self._is_closed = True
            waiting, running = list(self._waiting), list(self._running.values())
            self._waiting.clear()
            for job in running:
                self._tell(job, is_stopped=False)
        for job in waiting:
            job.on_end(Ended("interrupted", "the studio ended before it began"))
        deadline = time.monotonic() + CLOSE_S
        late = [job for job in running if not job.ended.wait(max(deadline - time.monotonic(), 0.0))]
        for job in late:
            if job.process is not None:
                job.process.kill()
        for job in late:
            job.ended.wait(KILLED_S)

    def _tell(self, job: Job, *, is_stopped: bool = True) -> None:
        """Closes the standard input of a process, at which it ends."""
        job.is_stopped = job.is_stopped or is_stopped
        if job.process is not None and job.process.stdin is not None:
            with contextlib.suppress(OSError):
                job.process.stdin.close()

    def _fill(self) -> None:
        """Begins what waits, while there is room. Under the lock."""
        while self._waiting and len(self._running) < self.limit and not self._is_closed:
            job = self._waiting.popleft()
            command = [sys.executable, "-m", job.module, str(job.folder), *job.words]
            try:
                with open(job.folder / LOG, "ab") as log, open(job.folder / OUT, "wb") as out:
                    job.process = subprocess.Popen(
                        command, stdin=subprocess.PIPE, stdout=out, stderr=log, start_new_session=True, bufsize=0
                    )
            except OSError as error:
                job.on_end(Ended("failed", f"its process cannot be started: {error.strerror}"))
                continue
            self._running[job.name] = job
            threading.Thread(target=self._watch, args=(job,), daemon=True).start()
            try:
                job.on_start()
            except Exception as error:  # of the database: it goes on, and its end is noted in its turn
                LOGGER.error("%s has begun, which could not be noted", job.name, exc_info=error)

    def _watch(self, job: Job) -> None:
        """On a thread of its own: waits for the end of a process."""
        assert job.process is not None
        assert job.process.stdin is not None
        status = job.process.wait()
        with contextlib.suppress(OSError):
            job.process.stdin.close()
        ended = how_it_ended(status, last_line(job.folder), is_stopped=job.is_stopped)
        with self._lock:
            del self._running[job.name]
        try:
            job.on_end(ended)
        finally:
            job.ended.set()
            with self._lock:
                self._fill()


def how_it_ended(status: int, said: str, *, is_stopped: bool) -> Ended:
    """What the exit status of a process means. said: the last line that it wrote. is_stopped: whether it was told to end."""
    if status == 0:
        return Ended("finished", said)
    if status == INTERRUPTED:
        if is_stopped:
            return Ended("stopped", "stopped; what it has learnt is kept")
        return Ended("interrupted", "the studio ended while it trained")
    if status == FULL:
        return Ended("stopped", said)
    if status < 0:
        return Ended("interrupted", ending(status))
    return Ended("failed", said or ending(status))


def training_words(learner: str, words: Sequence[str], folder: Path) -> list[str]:
    """The words of `boardgym` that train a bot. words: those of its form. folder: of the bot."""
    from boardgym.web.forms import PREFIX, takes

    own = [f"--out={folder / RUN}"]
    own += ["--compare-games=0"] if takes(learner, "compare_games") else []  # the trials tell more
    own += [f"--checkpoint-s={CHECKPOINT_S:g}"] if takes(learner, "checkpoint_s") else []
    own += [f"--snapshots={SNAPSHOTS}"] if takes(learner, "snapshots") else []
    return [*PREFIX.split(), learner, *words, *own]


# ------------------------------------------------------------ what a process leaves


def last_line(folder: Path) -> str:
    """The last line that a process has said, without its name."""
    lines = [line for line in log_of(folder).splitlines() if line.strip()]
    return lines[-1].removeprefix("boardgym: ").strip() if lines else ""


def log_of(folder: Path) -> str:
    """The end of what a process has said."""
    try:
        with open(folder / LOG, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - MOST_LOG, 0))
            return file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def progress_of(folder: Path) -> dict[str, Any]:
    """How far a bot has come, as `trainee` writes it; empty if it has not begun."""
    try:
        found = json.loads((folder / PROGRESS).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def curve_of(folder: Path, most: int = MOST_POINTS) -> dict[str, Any]:
    """The curve of a bot: {"columns": [name, ...], "rows": [[number or None, ...], ...]}, at most so many rows.

    The first column counts episodes, or what else the learner counts. Of longer curves, the means of as many neighbours.
    """
    try:
        with open(folder / RUN / CURVE, encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        return {"columns": [], "rows": []}
    if len(lines) < 2:
        return {"columns": lines[0] if lines else [], "rows": []}
    rows = [[number(cell) for cell in line] for line in lines[1:] if len(line) == len(lines[0])]
    each = -(-len(rows) // most)
    return {"columns": lines[0], "rows": [mean_row(rows[k : k + each]) for k in range(0, len(rows), each)]}


def number(cell: str) -> float | None:
    """A cell of a curve; None if it is empty or no finite number."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def mean_row(rows: list[list[float | None]]) -> list[float | None]:
    """One row for several: the last of the first column, of the others the mean."""
    if len(rows) == 1:
        return rows[0]
    means = list[float | None]()
    for column in list(zip(*rows, strict=True))[1:]:
        known = [value for value in column if value is not None]
        means.append(sum(known) / len(known) if known else None)
    return [rows[-1][0], *means]
