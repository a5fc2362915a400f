"""Trainings that are counted in games: what they share whatever plays and learns."""

import math
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.learning.agent import LearntAgent
from boardgym.baselines.learning.agent_files import read_own_header
from boardgym.baselines.learning.game_totals import PLIES, UPDATES, Totals
from boardgym.baselines.learning.mean_weights import MeanWeights
from boardgym.baselines.learning.run_folders import AGENT, CURVE, Run
from boardgym.baselines.learning.runs import Training, write_table
from boardgym.baselines.learning.starts import check_begun
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.random import stream
from boardgym.core.signals import ctrl_c_held

GAME_STREAM = 1  # the path of the games' stream under a training's seed; 0 is that of what is drawn before them
MOST_COUNT = 1 << 53  # of plies or updates in a block
PIECE_S = 0.1  # seconds between two looks at what else there is to do
PIECES = 64  # calls of a training at least, for those who watch it
POINTS = 100  # of the curve
COLUMNS = ("games", "won", "drawn", "lost", "plies", "td_error")


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return "train into another folder (--out), or delete this one"


class GameTraining(Training):
    """A training, as those of `runs`: `train_into(training, folder)`, or in parts by `play_to`.

    Parts do not change the result: `play_to(50_000)`, `save_checkpoint`, and in another process `load_checkpoint` and
    `play_to(100_000)` end with the same bits as one `play_to(100_000)`.

    Attributes:
        config: its settings, with games, seed, setup, max_plies and average_from.
        totals: of the games, a block for each point of the curve. progress: int64 (2,), games done, and those to stop after.
        rng: the stream of the games. mean: of the weights.
        files: of checkpoints. most_weight: in size, that an agent may have.
    """

    unit = "games"
    files: ClassVar[ArrayFiles]
    most_weight: ClassVar[float]

    def _begin(self, weights: Sequence[NDArray[Any]]) -> None:
        """Sets what counts the games, before the first of them. weights: the arrays that are learnt."""
        config = self.config
        size = math.ceil(config.games / POINTS)
        blocks = math.ceil(config.games / size)
        self.totals = Totals(np.zeros((blocks, 5), np.int64), np.zeros(blocks), np.array([size]))
        self.progress = np.zeros(2, np.int64)
        self.rng = stream(config.seed, GAME_STREAM)
        self.mean = MeanWeights(weights, config.games, config.average_from, batch=self.batch)

    # ------------------------------------------------------------ what each kind has to say

    @abstractmethod
    def agent(self) -> LearntAgent:
        """The policy that has been learnt so far, with weights of its own: their mean, once there is one."""

    @abstractmethod
    def _play(self) -> None:
        """Plays and learns from the games that `progress` says."""

    @abstractmethod
    def _settings(self) -> dict[str, Any]:
        """The settings as plain data, of which a run is known."""

    @abstractmethod
    def _state(self) -> Mapping[str, NDArray[Any]]:
        """What a checkpoint keeps, beside what is counted. Raises OptionError if weights have gone beyond all numbers."""

    @abstractmethod
    def _read_state(self, path: Path, arrays: Any) -> None:
        """Takes that from a checkpoint. Raises SpecError."""

    # ------------------------------------------------------------ how far it has come

    @property
    def batch(self) -> int:
        """How many games are learnt at once."""
        return 1

    @property
    def done(self) -> int:
        """Games done."""
        return int(self.progress[0])

    @property
    def total(self) -> int:
        """Games in all."""
        return int(self.config.games)

    @property
    def has_begun(self) -> bool:
        """Whether a game is done."""
        return self.done > 0

    # ------------------------------------------------------------ games

    def play_to(self, goal: int, watch: Callable[[], None] | None = None) -> None:
        """Plays and learns until so many games are done in all, and to the end of their batch; nothing if they are.

        watch: called every tenth of a second or so, between games; what it raises ends it.

        Raises OptionError for a goal beyond the games of the settings.
        """
        if goal > self.total:
            raise OptionError(f"{goal:,} games: the training is of {self.total:,}, which its schedules are for")
        piece = 1
        most = max(self.total // PIECES, 1)
        self._add_to_mean()
        while self.done < goal:
            began, self.progress[1] = time.perf_counter(), min(goal, self.done + piece, self.mean.next_time(self.done))
            self._play()
            check_begun(self.progress, self.config.setup)
            self._add_to_mean()
            spent = time.perf_counter() - began
            piece = min(max(1, int(piece * min(max(PIECE_S / max(spent, 1e-6), 0.25), 4.0))), most)
            if watch is not None:
                watch()

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`."""
        while self.done < self.total:
            self.play_to(self.part_end, watch)

    def _add_to_mean(self) -> None:
        """Adds the weights of the moment to their mean, if it is time."""
        self.mean.add(self.done)

    # ------------------------------------------------------------ in a folder

    def run_in(self, folder: Path) -> Run:
        """As of `Training`."""
        return Run(self.kind, self._settings(), self.checkpoint, self.written, adopts=False)

    def save_checkpoint(self, path: Path) -> None:
        """As of `Training`. Raises OptionError too, if weights have gone beyond all numbers."""
        arrays = {**self._state(), "counts": self.totals.counts, "errors": self.totals.errors, "rng": self.rng}
        if self.mean.is_on:
            self._add_to_mean()  # an interruption may have come before it
            arrays["weight_sums"] = self.mean.sums
        self.files.write(Path(path), arrays, {"training": self._settings(), "done": self.done})

    def load_checkpoint(self, path: Path) -> None:
        """As of `Training`."""
        path = Path(path)
        arrays, header = self.files.read(path, {"training": self._settings()})
        done = header.get("done")
        counts = self.files.array_of(path, arrays, "counts", np.int64, self.totals.counts.shape)
        errors = self.files.array_of(path, arrays, "errors", np.float64, self.totals.errors.shape)
        rng = self.files.array_of(path, arrays, "rng", np.uint64, (1,))
        if type(done) is not int or not 0 <= done <= self.total or not self._are_sound(done, counts, errors):
            raise SpecError(f"{path}: counts of games that no training has; {advice(path)}")
        sums = self._read_sums(path, arrays, done)
        with ctrl_c_held():
            self._read_state(path, arrays)
            self.mean.sums[:] = sums
            self.totals.counts[:], self.totals.errors[:], self.rng[:], self.progress[0] = counts, errors, rng, done

    def _read_sums(self, path: Path, arrays: Any, done: int) -> NDArray[np.float64]:
        """The sums of the weights from a checkpoint, if there is a mean. Raises SpecError."""
        if not self.mean.is_on:
            return self.mean.sums
        sums = self.files.array_of(path, arrays, "weight_sums", np.float64, self.mean.sums.shape)
        if not self.mean.fits(sums, done, self.most_weight):
            raise SpecError(f"{path}: a mean of weights that no training has; {advice(path)}")
        return sums

    def _are_sound(self, done: int, counts: NDArray[np.int64], errors: NDArray[np.float64]) -> bool:
        """Whether these are totals of so many games, each in its block."""
        size = int(self.totals.size[0])
        games = np.clip(done - size * np.arange(len(counts)), 0, size)
        is_bounded = ((counts >= 0) & (counts <= MOST_COUNT)).all() and np.isfinite(errors).all() and (errors >= 0.0).all()
        return bool(is_bounded and (counts[:, :3].sum(axis=1) == games).all() and not counts[games == 0].any())

    # ------------------------------------------------------------ what it leaves

    def is_written(self, folder: Path) -> bool:
        """As of `Training`: the agent's file says after how many games it was written."""
        return self.has_written(folder, read_own_header, plain_data(self.agent().header()))

    def curve(self) -> list[list[Any]]:
        """A row of COLUMNS for each hundredth of the games, as far as they are done.

        games: until then. won, drawn, lost: of the seat that begins, in these games. plies: of a game, the mean. td_error: the
        root of the mean of the squared errors of updates.
        """
        rows, ends = list[list[Any]](), 0
        for counts, error in zip(self.totals.counts, self.totals.errors, strict=True):
            played = int(counts[:3].sum())
            if played == 0:
                break
            ends += played
            mean = math.sqrt(float(error) / max(int(counts[UPDATES]), 1))
            rows.append([ends, *(int(counts[k]) for k in range(3)), float(counts[PLIES]) / played, mean])
        return rows

    def write_results(self, folder: Path) -> None:
        """The curve and the agent."""
        self.write_curve(folder)
        self.write_agent(folder / AGENT)

    def write_agent(self, path: Path) -> None:
        """As of `Training`."""
        self.agent().save(path)

    def write_curve(self, folder: Path) -> None:
        """As of `Training`."""
        write_table(folder / CURVE, COLUMNS, self.curve())

    @property
    def most_plies(self) -> int:
        """As of `Training`."""
        return int(self.config.max_plies)

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`: the last row of the curve."""
        rows = self.curve()
        found: dict[str, Any] = plain_data(dict(zip(COLUMNS[1:], rows[-1][1:], strict=True))) if rows else {}
        return found
