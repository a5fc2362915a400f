"""Trainings of n-tuple networks in self-play, whatever it is that plays and learns."""

import dataclasses
from abc import abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.learning.agent_files import read_own_header
from boardgym.baselines.learning.game_training import GameTraining, advice
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.agent import KIND, MOST_WEIGHT, NTupleAgent, check_finite, read_weights
from boardgym.baselines.learning.ntuple.config import SelfPlayConfig
from boardgym.baselines.learning.starts import read_starts
from boardgym.baselines.networks.cells import game_cells
from boardgym.baselines.networks.ntuple_texts import read_tuples, usual_tuples
from boardgym.baselines.networks.ntuples import check_tuples, make_tuples
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game, read_options
from boardgym.core.random import stream

TUPLE_STREAM = 0  # the path of the tuples' stream under a training's seed
CHECKPOINTS = ArrayFiles("boardgym n-tuple training", 1, "a checkpoint of an n-tuple network", SpecError, advice)


class SelfPlayTraining(GameTraining):
    """A training, as those of `game_training`, of an n-tuple network.

    Args:
        config: its settings.

    Attributes:
        cells: of the board. tuples: their cells. network: the same for kernels. memory: what is learnt.
        starts, learner: what kernels play from and by.

    Raises OptionError, UnknownGameError, UnsupportedGameError for settings that cannot be had.
    """

    config: SelfPlayConfig
    files, most_weight = CHECKPOINTS, MOST_WEIGHT

    def __init__(self, config: SelfPlayConfig) -> None:
        self.config = config
        self._check_config()
        self.game = game = get_game(config.game, **read_options(config.option))
        self.learner, self.starts = self._read_learner(), read_starts(game, config.setup)
        self.cells = game_cells(game, config.cells)
        self.has_symmetries = config.symmetries == "shared"
        descriptions = config.tuples or usual_tuples(self.cells)
        self.tuples = read_tuples(descriptions, self.cells, stream(config.seed, TUPLE_STREAM), symmetries=self.has_symmetries)
        tables, is_coherent = self.cells.num_phases * (1 if config.shares else 2), config.coherence != "none"
        arrays = 3 if is_coherent else 1
        if config.average_from < 1.0:
            arrays += 2  # the sums of the weights, of twice the bytes
        arrays *= 2 * tables  # twice: a checkpoint is read beside what there is
        if self.batch > 1:
            arrays += 4 * tables  # what a batch changes, of four times the bytes
        count = check_tuples(self.cells, self.tuples, arrays=arrays)
        self.network = make_tuples(self.cells, self.tuples, symmetries=self.has_symmetries)
        sizes = count, count if is_coherent else 0
        self.memory = nt.Memory(*(np.zeros((tables, size), np.float32) for size in (sizes[0], sizes[1], sizes[1])))
        self._begin([self.memory.weights])

    # ------------------------------------------------------------ what a way to play and learn has to say

    @abstractmethod
    def _check_config(self) -> None:
        """Raises OptionError for settings that no training can have."""

    @abstractmethod
    def _read_learner(self) -> nt.Learner:
        """What kernels play by. Raises OptionError, and UnsupportedGameError for a game that cannot be learnt."""

    @property
    def size(self) -> str:
        """The network, in words."""
        tables, count = self.memory.weights.shape
        return f"{len(self.tuples):,} tuples, {tables} x {count:,} weights"

    def agent(self, *, latest: bool = False) -> NTupleAgent:
        """The policy that has been learnt so far, with weights of its own: their mean, once there is one, unless `latest`."""
        weights = self.memory.weights.copy()
        self._add_to_mean()
        if self.mean.is_on and not latest:
            self.mean.write_mean([weights])
        return self._agent_of(weights)

    def _agent_of(self, weights: NDArray[np.float32]) -> NTupleAgent:
        facts = {"pays": None, "training": {"method": self.kind, "done": self.done, **self._settings()}}
        has, seed = self.has_symmetries, self.config.seed
        return NTupleAgent(self.cells, self.tuples, weights, facts, symmetries=has, seed=seed, spec=KIND)

    def _settings(self) -> dict[str, Any]:
        own = {"game": self.game.id, "option": sorted(self.config.option), "cells": self.cells.text}
        own["tuples"] = list(self.config.tuples or usual_tuples(self.cells))
        found: dict[str, Any] = plain_data({**dataclasses.asdict(self.config), **own})
        return found

    def _state(self) -> dict[str, NDArray[Any]]:
        for part in self.memory:
            check_finite(part)
        return self.memory._asdict()

    def _read_state(self, path: Path, arrays: Any) -> None:
        parts = {
            name: read_weights(path, arrays, CHECKPOINTS, name, part.shape) for name, part in self.memory._asdict().items()
        }
        if not (np.abs(parts["nets"]) <= parts["sums"]).all():  # step sizes would grow by the share |N| / A
            raise SpecError(f"{path}: sums of changes beyond those of their sizes, which no training has; {advice(path)}")
        for name, part in self.memory._asdict().items():
            part[...] = parts[name]

    def is_written(self, folder: Path) -> bool:
        """As of `Training`: the agent's file says after how many games it was written."""
        return self.has_written(folder, read_own_header, plain_data(self._agent_of(self.memory.weights).header()))
