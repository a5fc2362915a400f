"""`boardgym train descent`: n-tuple networks by minimax in the trees of games against themselves."""

from dataclasses import dataclass, field
from typing import ClassVar

import tyro

from boardgym.baselines.learning.descent.config import DescentConfig
from boardgym.baselines.learning.descent.trainer import DescentTraining
from boardgym.commands.training import TrainCommand, train


@dataclass(kw_only=True)
class TrainDescent(TrainCommand):
    """Train an n-tuple network by Descent: it searches its own games to their ends, and learns the minimax values it finds.

    The agent's file plays as file:PATH or ntuple:PATH, and values positions for searches as evaluation=ntuple:PATH. The same
    command goes on where it was interrupted.

    Attributes:
        config: the settings.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train descent --game NineMensMorris --games 2000 --max-plies 200",
        "boardgym train descent --game Abalone --games 500 --max-plies 200 --budget 10 --shares",
        "boardgym train descent --game TicTacToe --tuples 'lines(3)' --games 300 --epsilon 'linear(0.5, 0.1)'",
    )

    config: tyro.conf.OmitArgPrefixes[DescentConfig] = field(default_factory=DescentConfig)

    def run(self) -> int:
        """Trains, says where the agent is, and compares it. Ctrl-C keeps the games until then."""
        return train(lambda: DescentTraining(self.config), self)
