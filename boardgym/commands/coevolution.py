"""`boardgym train coevolution`: a linear player that climbs by playing against mutants of itself."""

from dataclasses import dataclass, field
from typing import ClassVar

import tyro

from boardgym.baselines.learning.coevolution import CoevolutionConfig, HillClimber
from boardgym.commands.training import TrainCommand, train


@dataclass(kw_only=True)
class Coevolution(TrainCommand):
    """Train a linear player by co-evolution: hill climbing in which a champion moves towards mutants that beat it.

    The same command continues an interrupted training; with more generations, also a finished one.

    Attributes:
        config: the settings.
        threads: threads that share the games of a generation, 0 for one per core; the result does not depend on it.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train coevolution",
        "boardgym train coevolution --generations 10000 --games 20 --threads 0 --out runs/climb",
        "boardgym train coevolution --features 'atributos(is_scaled=1)' --noise 0.05",
        "boardgym train coevolution --game TicTacToe --adds-reward --games 20 --out runs/tictactoe",
    )

    config: tyro.conf.OmitArgPrefixes[CoevolutionConfig] = field(default_factory=CoevolutionConfig)
    threads: int = 1

    def run(self) -> int:
        """Climbs, says where the agent is, and compares it. Ctrl-C keeps what was reached until then."""
        return train(lambda: HillClimber(self.config, num_threads=self.threads), self)
