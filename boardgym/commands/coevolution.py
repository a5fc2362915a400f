"""`boardgym train coevolution`: a linear player that climbs by playing against mutants of itself."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import tyro

from boardgym.baselines.learning.coevolution import CoevolutionConfig, HillClimber
from boardgym.baselines.learning.runs import CHECKPOINT_S
from boardgym.commands.training import COMPARE_GAMES, train


@dataclass
class Coevolution:
    """Train a linear player by co-evolution: hill climbing in which a champion moves towards mutants that beat it.

    The same command continues an interrupted training; with more generations, also a finished one.

    Attributes:
        config: the settings.
        out: folder for the agent and the champions. None: `runs/GAME-METHOD-DATE`, or, where
            a run with the same settings is there already, its folder.
        threads: threads that share the games of a generation, 0 for one per core; the result does not depend on it.
        compare_games: games against each of a few opponents at the end; an even number, 0 for none.
        json: print the result as JSON.
        checkpoint_s: seconds between checkpoints.
        snapshots: of the agent, kept in the folder `history` in the course of the training: at most this many; 0 for none.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train coevolution",
        "boardgym train coevolution --generations 10000 --games 20 --threads 0 --out runs/climb",
        "boardgym train coevolution --features 'atributos(is_scaled=1)' --noise 0.05",
        "boardgym train coevolution --game TicTacToe --adds-reward --games 20 --out runs/tictactoe",
    )

    config: tyro.conf.OmitArgPrefixes[CoevolutionConfig] = field(default_factory=CoevolutionConfig)
    out: Path | None = None
    threads: int = 1
    compare_games: int = COMPARE_GAMES
    json: bool = False
    checkpoint_s: float = CHECKPOINT_S
    snapshots: int = 0

    def run(self) -> int:
        """Climbs, says where the agent is, and compares it. Ctrl-C keeps what was reached until then."""
        return train(
            lambda: HillClimber(self.config, num_threads=self.threads),
            self.out,
            as_json=self.json,
            compare_games=self.compare_games,
            checkpoint_s=self.checkpoint_s,
            snapshots=self.snapshots,
        )
