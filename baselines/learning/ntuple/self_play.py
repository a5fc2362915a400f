"""Trainings of n-tuple networks in self-play, whatever it is that plays and learns."""

import dataclasses
import math
import time
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.learning.agent_files import read_own_header
from boardgym.baselines.learning.game_totals import PLIES, UPDATES, Totals
from boardgym.baselines.learning.mean_weights import MeanWeights
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.agent import KIND, MOST_WEIGHT, NTupleAgent, check_finite, read_weights
from boardgym.baselines.learning.ntuple.config import SelfPlayConfig
from boardgym.baselines.learning.run_folders import AGENT, CURVE, Run
from boardgym.baselines.learning.runs import Training, write_table
from boardgym.baselines.learning.starts import check_begun, read_starts
from boardgym.baselines.networks.cells import game_cells
from boardgym.baselines.networks.ntuple_texts import read_tuples, usual_tuples
from boardgym.baselines.networks.ntuples import check_tuples, make_tuples
from boardgym.baselines.progress import ProgressBar
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import get_game, read_options
from boardgym.core.random import stream

TUPLE_STREAM, GAME_STREAM = range(2)  # the paths of the streams under a training's seed
MOST_COUNT = 1 << 53  # of plies or updates in a block
PIECE_S = 0.1  # seconds between two looks at what else there is to do
PIECES = 64  # calls of a training at least, for those who watch it
POINTS = 100  # of the curve
COLUMNS = ("games", "won", "drawn", "lost", "plies", "td_error")


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return "train into another folder (--out), or delete this one"


CHECKPOINTS = ArrayFiles("boardgym n-tuple training", 1, "a checkpoint of an n-tuple network", SpecError, advice)


class SelfPlayTraining(Training):
    """A training, as those of `runs`: `train_into(training, folder)`, or in parts by `play_to`.

    Parts do not change the result: `play_to(50_000)`, `save_checkpoint`, and in another process `load_checkpoint` and
    `play_to(100_000)` end with the same bits as one `play_to(100_000)`.

    Args:
        config: its settings.

    Attributes:
        cells: of the board. tuples: their cells. network: the same for kernels. memory: what is learnt.
        starts, learner, totals, progress, rng: what kernels play from, by, and write.

    Raises OptionError, UnknownGameError, UnsupportedGameError for settings that cannot be had.
    """

    unit = "games"
    config: SelfPlayConfig

    def __init__(self, config: SelfPlayConfig) -> None:
        self.config = config
        self._check_config()
        self.game = game = get_game(config.game, **read_options(config.option))
        self.learner, self.starts = self._read_learner(), read_starts(game, config.setup)
        self.cells = game_cells(game, config.cells)
        self.has_symmetries = config.symmetries == "shared"
        descriptions = config.tuples or usual_tuples(self.cells)
        self.tuples = read_tuples(descriptions, self.cells, stream(config.seed, TUPLE_STREAM), symmetries=self.has_symmetries)
        tables, is_coherent = 1 if config.shares else 2, config.coherence != "none"
        arrays = 3 if is_coherent else 1
        if config.average_from < 1.0:
            arrays += 2  # the sums of the weights, of twice the bytes
        arrays *= tables
        count = check_tuples(self.cells, self.tuples, arrays=2 * arrays)  # twice: a checkpoint is read beside what there is
        self.network = make_tuples(self.cells, self.tuples, symmetries=self.has_symmetries)
        sizes = count, count if is_coherent else 0
        self.memory = nt.Memory(*(np.zeros((tables, size), np.float32) for size in (sizes[0], sizes[1], sizes[1])))
        self.mean = MeanWeights([self.memory.weights], config.games, config.average_from)
        size = math.ceil(config.games / POINTS)
        blocks = math.ceil(config.games / size)
        self.totals = Totals(np.zeros((blocks, 5), np.int64), np.zeros(blocks), np.array([size]))
        self.progress = np.zeros(2, np.int64)  # games done, and those to stop after
        self.rng = stream(config.seed, GAME_STREAM)

    # ------------------------------------------------------------ what a way to play and learn has to say

    @abstractmethod
    def _check_config(self) -> None:
        """Raises OptionError for settings that no training can have."""

    @abstractmethod
    def _read_learner(self) -> nt.Learner:
        """What kernels play by. Raises OptionError, and UnsupportedGameError for a game that cannot be learnt."""

    @abstractmethod
    def _play(self) -> None:
        """Plays and learns from the games that `progress` says."""

    # ------------------------------------------------------------ how far it has come

    @property
    def done(self) -> int:
        """Games done."""
        return int(self.progress[0])

    @property
    def total(self) -> int:
        """Games in all."""
        return self.config.games

    @property
    def size(self) -> str:
        """The network, in words."""
        tables, count = self.memory.weights.shape
        return f"{len(self.tuples):,} tuples, {tables} x {count:,} weights"

    @property
    def has_begun(self) -> bool:
        """Whether a game is done."""
        return self.done > 0

    def agent(self) -> NTupleAgent:
        """The policy that has been learnt so far, with weights of its own: their mean, once there is one."""
        weights = self.memory.weights.copy()
        self.mean.add(self.done)
        if self.mean.is_on:
            self.mean.write_mean([weights])
        return self._agent_of(weights)

    def _agent_of(self, weights: NDArray[np.float32]) -> NTupleAgent:
        facts = {"pays": None, "training": {"method": self.kind, "done": self.done, **self._settings()}}
        has, seed = self.has_symmetries, self.config.seed
        return NTupleAgent(self.cells, self.tuples, weights, facts, symmetries=has, seed=seed, spec=KIND)

    # ------------------------------------------------------------ games

    def play_to(self, goal: int, watch: Callable[[], None] | None = None) -> None:
        """Plays and learns until so many games are done in all; nothing if they are.

        watch: called every tenth of a second or so, between games; what it raises ends it.

        Raises OptionError for a goal beyond the games of the settings.
        """
        if goal > self.total:
            raise OptionError(f"{goal:,} games: the training is of {self.total:,}, which its schedules are for")
        piece = 1
        most = max(self.total // PIECES, 1)
        self.mean.add(self.done)
        while self.done < goal:
            began, self.progress[1] = time.perf_counter(), min(goal, self.done + piece, self.mean.next_time(self.done))
            self._play()
            check_begun(self.progress, self.config.setup)
            self.mean.add(self.done)
            spent = time.perf_counter() - began
            piece = min(max(1, int(piece * min(max(PIECE_S / max(spent, 1e-6), 0.25), 4.0))), most)
            if watch is not None:
                watch()

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`."""
        while self.done < self.total:
            self.play_to(self.part_end, watch)

    # ------------------------------------------------------------ in a folder

    def run_in(self, folder: Path) -> Run:
        """As of `Training`."""
        return Run(self.kind, self._settings(), self.checkpoint, self.written, adopts=False)

    def _settings(self) -> dict[str, Any]:
        own = {"game": self.game.id, "option": sorted(self.config.option), "cells": self.cells.text}
        own["tuples"] = list(self.config.tuples or usual_tuples(self.cells))
        found: dict[str, Any] = plain_data({**dataclasses.asdict(self.config), **own})
        return found

    def save_checkpoint(self, path: Path) -> None:
        """As of `Training`. Raises OptionError too, if weights have gone beyond all numbers."""
        for part in self.memory:
            check_finite(part)
        arrays = {**self.memory._asdict(), "counts": self.totals.counts, "errors": self.totals.errors, "rng": self.rng}
        if self.mean.is_on:
            self.mean.add(self.done)  # an interruption may have come before it
            arrays["weight_sums"] = self.mean.sums
        CHECKPOINTS.write(Path(path), arrays, {"training": self._settings(), "done": self.done})

    def load_checkpoint(self, path: Path) -> None:
        """As of `Training`."""
        path = Path(path)
        arrays, header = CHECKPOINTS.read(path, {"training": self._settings()})
        done = header.get("done")
        counts = CHECKPOINTS.array_of(path, arrays, "counts", np.int64, self.totals.counts.shape)
        errors = CHECKPOINTS.array_of(path, arrays, "errors", np.float64, self.totals.errors.shape)
        rng = CHECKPOINTS.array_of(path, arrays, "rng", np.uint64, (1,))
        if type(done) is not int or not 0 <= done <= self.total or not self._are_sound(done, counts, errors):
            raise SpecError(f"{path}: counts of games that no training has; {advice(path)}")
        parts = {
            name: read_weights(path, arrays, CHECKPOINTS, name, part.shape) for name, part in self.memory._asdict().items()
        }
        if not (np.abs(parts["nets"]) <= parts["sums"]).all():  # step sizes would grow by the share |N| / A
            raise SpecError(f"{path}: sums of changes beyond those of their sizes, which no training has; {advice(path)}")
        if self.mean.is_on:
            self._read_mean(path, arrays, done)
        for name, part in self.memory._asdict().items():
            part[...] = parts[name]
        self.totals.counts[:], self.totals.errors[:], self.rng[:], self.progress[0] = counts, errors, rng, done

    def _read_mean(self, path: Path, arrays: Any, done: int) -> None:
        """Takes the sums of the weights from a checkpoint. Raises SpecError."""
        sums = CHECKPOINTS.array_of(path, arrays, "weight_sums", np.float64, self.mean.sums.shape)
        if not self.mean.fits(sums, done, MOST_WEIGHT):
            raise SpecError(f"{path}: a mean of weights that no training has; {advice(path)}")
        self.mean.sums[:] = sums

    def _are_sound(self, done: int, counts: NDArray[np.int64], errors: NDArray[np.float64]) -> bool:
        """Whether these are totals of so many games, each in its block."""
        size = int(self.totals.size[0])
        games = np.clip(done - size * np.arange(len(counts)), 0, size)
        is_bounded = ((counts >= 0) & (counts <= MOST_COUNT)).all() and np.isfinite(errors).all() and (errors >= 0.0).all()
        return bool(is_bounded and (counts[:, :3].sum(axis=1) == games).all() and not counts[games == 0].any())

    # ------------------------------------------------------------ what it leaves

    def is_written(self, folder: Path) -> bool:
        """As of `Training`: the agent's file says after how many games it was written."""
        return self.has_written(folder, read_own_header, plain_data(self._agent_of(self.memory.weights).header()))

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
        return self.config.max_plies

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`: the last row of the curve."""
        rows = self.curve()
        found: dict[str, Any] = plain_data(dict(zip(COLUMNS[1:], rows[-1][1:], strict=True))) if rows else {}
        return found
