"""`boardgym train q-network`: Q-learning with networks in self-play."""

from dataclasses import dataclass, field
from typing import ClassVar

import tyro

from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.commands.training import TrainCommand, train


@dataclass(kw_only=True)
class TrainQNetwork(TrainCommand):
    """Train networks of action values by Q-learning: every seat learns while all play.

    The agent's file holds the networks of all seats, and plays each seat by its own. The same command goes on where it was
    interrupted.

    Attributes:
        config: the settings.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train q-network --game Othello-v0 --games 200000",
        "boardgym train q-network --game Othello --option size=6 --form multi --hidden 36",
        "boardgym train q-network --games 13000000 --temperature 'geometric(1, 0.9999995)' --out runs/study",
        "boardgym train q-network --game TicTacToe-v0 --exploration epsilon --epsilon 'linear(0.5, 0.1)' --games 20000",
    )

    config: tyro.conf.OmitArgPrefixes[QNetworkConfig] = field(default_factory=QNetworkConfig)

    def run(self) -> int:
        """Trains, says where the agent is, and compares it. Ctrl-C keeps the games until then."""
        return train(lambda: QNetwork(self.config), self)
