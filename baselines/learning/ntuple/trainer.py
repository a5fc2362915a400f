"""Trainings of n-tuple networks by TD(lambda)."""

import dataclasses
from pathlib import Path
from typing import Any

from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.config import NTupleConfig, check_config, check_game, learner_of
from boardgym.baselines.learning.ntuple.self_play import SelfPlayTraining
from boardgym.baselines.learning.run_folders import Run
from boardgym.core.errors import UnsupportedGameError
from boardgym.core.policy import CompiledPolicy
from boardgym.core.policy_spec import make_policy

SELF = "self"  # in place of an opponent


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
        self.scratch = nt.make_scratch(self.cells, self.network, self.learner.limit)

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

    def _settings(self) -> dict[str, Any]:
        found = super()._settings()
        if self.config.opponent == SELF:
            del found["opponent"]  # so that trainings go on that began before there was another
        return found

    def run_in(self, folder: Path) -> Run:
        """As of `Training`."""
        return dataclasses.replace(super().run_in(folder), usual={"opponent": SELF})

    def _check_config(self) -> None:
        check_config(self.config, shares=("trace_decay",))

    def _read_learner(self) -> nt.Learner:
        check_game(self.game)
        return learner_of(self.config, self.game, self.config.trace_decay)

    def _play(self) -> None:
        opponent = self.opponent
        learner = nt.rows_of_learner(self.learner)
        nt.play_kernel(self.game.token, self.starts, self.cells.token, self.cells.row, learner, self.network, self.memory,
                       self.scratch, self.totals, self.progress, self.rng, opponent.token, opponent.row, opponent.data,
                       float(opponent.epsilon), self.config.opponent != SELF)  # fmt: skip
