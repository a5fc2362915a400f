"""Trainings of n-tuple networks by Descent."""

from boardgym.baselines.learning.descent import descent as ds
from boardgym.baselines.learning.descent.config import DescentConfig, check_descent, check_game, plan_of
from boardgym.baselines.learning.descent.tree import make_tree
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.config import learner_of
from boardgym.baselines.learning.ntuple.self_play import SelfPlayTraining


class DescentTraining(SelfPlayTraining):
    """A training by Descent; what it leaves is an n-tuple agent.

    Args:
        config: its settings.

    Attributes:
        tree: of the last game.

    Raises OptionError, UnknownGameError, UnsupportedGameError for settings that cannot be had.

    Example:
        >>> from boardgym.baselines.learning.descent.config import DescentConfig
        >>> from boardgym.baselines.learning.descent.trainer import DescentTraining
        >>> training = DescentTraining(DescentConfig(game="TicTacToe-v0", games=20, tuples=("lines(3)",), nodes=10_000))
        >>> training.play_to(20)
        >>> training.agent().spec
        'ntuple'
    """

    kind, label = "descent", "Descent"
    config: DescentConfig

    def __init__(self, config: DescentConfig) -> None:
        super().__init__(config)
        limit = self.learner.limit
        self.scratch = ds.make_scratch(self.cells, self.network, limit)
        self.tree = make_tree(config.nodes, limit)

    def _check_config(self) -> None:
        check_descent(self.config)

    def _read_learner(self) -> nt.Learner:
        check_game(self.config, self.game)
        return learner_of(self.config, self.game, 0.0)

    def _play(self) -> None:
        learner, plan = nt.rows_of_learner(self.learner), plan_of(self.config)
        ds.play_kernel(self.game.token, self.starts, self.cells.token, self.cells.row, learner, plan, self.network, self.memory,
                       self.scratch, self.tree, self.totals, self.progress, self.rng)  # fmt: skip
