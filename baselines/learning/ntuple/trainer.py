"""Trainings of n-tuple networks by TD(lambda)."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning import game_totals as gt
from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.game_training import GAME_STREAM
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.agent import NTupleAgent
from boardgym.baselines.learning.ntuple.batches import NO_START, PLIES, RESULT, UPDATES, BatchesOnCPU, Opponent, Plan, Results
from boardgym.baselines.learning.ntuple.changes import NO_CHANGES, make_changes
from boardgym.baselines.learning.ntuple.config import (
    LEARN_THROUGH,
    MOST_BATCH,
    MOST_THREADS,
    NTupleConfig,
    check_batch,
    check_config,
    check_game,
    learner_of,
)
from boardgym.baselines.learning.ntuple.self_play import SelfPlayTraining
from boardgym.baselines.learning.run_folders import Run
from boardgym.baselines.learning.starts import GIVEN_UP
from boardgym.compile import plain
from boardgym.compile.card import check_card
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.policy import CompiledPolicy
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import branch
from boardgym.core.signals import ctrl_c_held

SELF = "self"  # in place of an opponent
FREE = ("threads", "device")  # settings that change no result
USUAL = {"opponent": SELF, "batch": 1, "learn_through": "none"}


class NTupleTraining(SelfPlayTraining):
    """A training by TD(lambda) on afterstates, in self-play or against an opponent.

    Args:
        config: its settings.

    Raises OptionError, SpecError, UnknownGameError, UnsupportedGameError for settings that cannot be had.

    Example:
        >>> from boardgym.baselines.learning.ntuple.config import NTupleConfig
        >>> from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
        >>> training = NTupleTraining(NTupleConfig(game="TicTacToe-v0", games=200, tuples=("lines(3)",)))
        >>> training.play_to(100)
        >>> agent = training.agent()  # as it plays now: it does not change when the training goes on
        >>> training.play_to(200)
        >>> training.done, training.size
        (200, '3 tuples, 2 x 81 weights')
    """

    kind, label = "ntuple", "n-tuples"
    config: NTupleConfig

    def __init__(self, config: NTupleConfig) -> None:
        super().__init__(config)
        self.opponent = self._read_opponent()
        most, changes = check_batch(config, self.learner.limit, self.game), NO_CHANGES
        if config.batch > 1:
            changes = make_changes(len(self.memory.weights), self.memory.weights.shape[1], most)
        self.scratch = nt.make_scratch(self.cells, self.network, self.learner.limit, changes)
        self._batches: Any = self._make_batches() if config.batch > 1 else None
        self._is_noted = False  # whether changes of a batch are noted that has not been learnt

    def _read_opponent(self) -> CompiledPolicy:
        """Who plays the other seat; in self-play a policy that never has to. Raises SpecError, UnsupportedGameError."""
        spec = self.config.opponent
        policy = make_policy("random" if spec == SELF else spec, self.game, seed=self.config.seed)
        if not isinstance(policy, CompiledPolicy) or policy.has_clock:
            what = "has a time limit" if getattr(policy, "has_clock", False) else "is not compiled"
            raise UnsupportedGameError(
                f'opponent={spec!r} {what}; expected "self", or a compiled policy with a fixed budget, as greedy, '
                "minimax:2 or epsilon:0.1(uct:100)"
            )
        return policy

    def _make_batches(self) -> Any:
        """What plays batches where the settings say. Raises OptionError, UnsupportedGameError for what a card cannot do."""
        opponent, streams = self.opponent, np.array([plain(branch)(np.uint64(self.config.seed), GAME_STREAM)], np.uint64)
        seat = Opponent(opponent.token, opponent.row, opponent.data, float(opponent.epsilon), self.config.opponent != SELF)
        plan = Plan(self.game, self.starts, self.cells, self.learner, self.network, self.memory, self.scratch, seat, streams)
        if self.config.device == "cpu":
            return BatchesOnCPU(plan, self.config.threads)
        check_card()
        from boardgym.baselines.learning.ntuple.cuda_batches import BatchesOnCard  # brings in numba.cuda

        return BatchesOnCard(plan, self.opponent, self.config.batch)

    @property
    def batch(self) -> int:
        """As of `GameTraining`."""
        return self.config.batch

    def play_to(self, goal: int, watch: Callable[[], None] | None = None) -> None:
        """As of `GameTraining`. After an interruption `agent` and checkpoints have what a card has learnt, `memory` may not."""
        super().play_to(goal, watch)
        self._fetch()

    def _fetch(self) -> None:
        """Whoever reads the memory calls it before: a card may have learnt more."""
        if self._batches is not None:
            self._batches.fetch()

    def _add_to_mean(self) -> None:
        if self.mean.is_due(self.done):
            self._fetch()
        super()._add_to_mean()

    def agent(self, *, latest: bool = False) -> NTupleAgent:
        """As of `SelfPlayTraining`."""
        self._fetch()
        return super().agent(latest=latest)

    def _state(self) -> dict[str, NDArray[Any]]:
        self._fetch()
        return super()._state()

    def _read_state(self, path: Path, arrays: Any) -> None:
        self._fetch()
        super()._read_state(path, arrays)

    def _settings(self) -> dict[str, Any]:
        found = super()._settings()
        for name in FREE:
            del found[name]
        for name, usual in USUAL.items():
            if found[name] == usual:
                del found[name]  # so that trainings go on that began before there was another
        return found

    def run_in(self, folder: Path) -> Run:
        """As of `Training`."""
        return dataclasses.replace(super().run_in(folder), usual=USUAL)

    def _check_config(self) -> None:
        check_config(self.config, (("batch", 1, MOST_BATCH), ("threads", 0, MOST_THREADS)), shares=("trace_decay",))

    def _read_learner(self) -> nt.Learner:
        check_game(self.game)
        through = LEARN_THROUGH.index(self.config.learn_through)
        return learner_of(self.config, self.game, self.config.trace_decay, through=through)

    def _play(self) -> None:
        if self._batches is not None:
            self._batches.begin()
            while 0 <= self.done < self.progress[1]:
                self._play_batch()
            return
        opponent = self.opponent
        learner = nt.rows_of_learner(self.learner)
        nt.play_kernel(self.game.token, self.starts, self.cells.token, self.cells.row, learner, self.network, self.memory,
                       self.scratch, self.totals, self.progress, self.rng, opponent.token, opponent.row, opponent.data,
                       float(opponent.epsilon), self.config.opponent != SELF)  # fmt: skip

    def _play_batch(self) -> None:
        """Plays the rest of the batch that is under way, and learns from it: all of it, or after Ctrl-C nothing."""
        batches, first = self._batches, self.done
        count = min(self.batch - first % self.batch, self.total - first)
        if self._is_noted:
            batches.forget()
        self._is_noted = True
        results = batches.play(first, count, float(plain(rate_at)(self.learner.epsilon, first)))
        if (results.counts[:, RESULT] == NO_START).any():
            self.progress[1] = GIVEN_UP
            return
        with ctrl_c_held():
            batches.learn(float(plain(rate_at)(self.learner.step_size, first)) / len(self.network.bases))
            self._is_noted = False
            self._count(first, results)
            self.progress[0] += count

    def _count(self, first: int, results: Results) -> None:
        """Counts the games of a batch, each in its block."""
        totals, counts = self.totals, results.counts
        blocks = (first + np.arange(len(counts))) // totals.size[0]
        np.add.at(totals.counts, (blocks, counts[:, RESULT]), 1)
        np.add.at(totals.counts, (blocks, gt.PLIES), counts[:, PLIES])
        np.add.at(totals.counts, (blocks, gt.UPDATES), counts[:, UPDATES])
        np.add.at(totals.errors, blocks, results.squares)
