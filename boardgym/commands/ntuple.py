"""`boardgym train ntuple`: n-tuple networks by TD(lambda)."""

from dataclasses import dataclass, field
from typing import ClassVar

import tyro

from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.commands.training import TrainCommand, train


@dataclass(kw_only=True)
class TrainNTuple(TrainCommand):
    """Train an n-tuple network by TD(lambda) on afterstates, in self-play or against an opponent.

    The agent's file plays as file:PATH or ntuple:PATH, and values positions for searches as evaluation=ntuple:PATH. The same
    command goes on where it was interrupted.

    Attributes:
        config: the settings.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train ntuple --game ConnectFour-v0 --games 2000000 --average-from 0.5 --learn-through first",
        "boardgym train ntuple --game Othello-v0 --tuples 'shape(xxx/xxx)' 'lines(6)' --shares --games 100000",
        "boardgym train ntuple --game TicTacToe-v0 --tuples 'lines(3)' --games 20000 --epsilon 'linear(0.3, 0.05)'",
        "boardgym train ntuple --game Othello-v0 --tuples 'lines(3)' --shares --opponent 'epsilon:0.1(league)' --games 100000",
    )

    config: tyro.conf.OmitArgPrefixes[NTupleConfig] = field(default_factory=NTupleConfig)

    def run(self) -> int:
        """Trains, says where the agent is, and compares it. Ctrl-C keeps the games until then."""
        return train(lambda: NTupleTraining(self.config), self)
