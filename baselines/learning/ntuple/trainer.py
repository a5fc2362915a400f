"""Trainings of n-tuple networks by TD(lambda)."""

from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.config import NTupleConfig, check_config, check_game, learner_of
from boardgym.baselines.learning.ntuple.self_play import SelfPlayTraining


class NTupleTraining(SelfPlayTraining):
    """A training by TD(lambda) on afterstates.

    Args:
        config: its settings.

    Raises OptionError, UnknownGameError, UnsupportedGameError for settings that cannot be had.

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
        self.scratch = nt.make_scratch(self.cells, self.network, self.learner.limit)

    def _check_config(self) -> None:
        check_config(self.config, shares=("trace_decay",))

    def _read_learner(self) -> nt.Learner:
        check_game(self.game)
        return learner_of(self.config, self.game, self.config.trace_decay)

    def _play(self) -> None:
        learner = nt.rows_of_learner(self.learner)
        nt.play_kernel(self.game.token, self.starts, self.cells.token, self.cells.row, learner, self.network, self.memory,
                       self.scratch, self.totals, self.progress, self.rng)  # fmt: skip
