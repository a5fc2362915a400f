"""`boardgym train q-sarsa`: a cascade network by Q-Sarsa(lambda), for playouts and other searches."""

from dataclasses import dataclass, field
from typing import ClassVar

import tyro

from boardgym.baselines.learning.q_sarsa import QSarsa, QSarsaConfig
from boardgym.commands.training import JUDGES, TrainCommand, train


@dataclass(kw_only=True)
class TrainQSarsa(TrainCommand):
    """Train a cascade network by Q-Sarsa(lambda): it plays itself in batches of games, and grows after each.

    Any search takes it as its evaluation; the playouts of UCT may be drawn by it. The same command goes on where it was
    interrupted.

    Attributes:
        config: the settings.
        threads: threads that share the examples, 0 for one per core; the result does not depend on it.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train q-sarsa --game ConnectFour --minutes 10",
        "boardgym train q-sarsa --game Othello --option size=6 --batches 30 --sigma 0 --search minimax:3",
        "boardgym train q-sarsa --game TicTacToe --batches 10 --temperature 'exponential(1, 0.05)' --out runs/q-sarsa",
    )

    config: tyro.conf.OmitArgPrefixes[QSarsaConfig] = field(default_factory=QSarsaConfig)
    threads: int = 1
    judges: tuple[str, ...] = (*JUDGES, "uct:200")

    def run(self) -> int:
        """Trains, says where the agent is, and compares it. Ctrl-C keeps the batches until then."""
        return train(lambda: QSarsa(self.config, num_threads=self.threads), self)
