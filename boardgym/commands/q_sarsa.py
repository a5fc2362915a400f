"""`boardgym train q-sarsa`: a cascade network by Q-Sarsa(lambda), for playouts and other searches."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import tyro

from boardgym.baselines.learning.q_sarsa import QSarsa, QSarsaConfig
from boardgym.baselines.learning.runs import CHECKPOINT_S
from boardgym.commands.training import COMPARE_GAMES, JUDGES, Flag, train


@dataclass
class TrainQSarsa:
    """Train a cascade network by Q-Sarsa(lambda): it plays itself in batches of games, and grows after each.

    Any search takes it as its evaluation; the playouts of UCT may be drawn by it. The same command goes on where it was
    interrupted.

    Attributes:
        config: the settings.
        out: folder for the files. None: runs/GAME-q-sarsa-DATE, or where the same run is already.
        threads: threads that share the examples, 0 for one per core; the result does not depend on it.
        judges: opponents of the comparison at the end.
        compare_games: games against each of them; an even number, 0 for none.
        json: print the result as JSON.
        checkpoint_s: seconds between checkpoints.
        snapshots: of the agent, kept in the folder `history` in the course of the training: at most this many; 0 for none.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train q-sarsa --game ConnectFour --minutes 10",
        "boardgym train q-sarsa --game Othello --option size=6 --batches 30 --sigma 0 --search minimax:3",
        "boardgym train q-sarsa --game TicTacToe --batches 10 --temperature 'exponential(1, 0.05)' --out runs/q-sarsa",
    )

    config: tyro.conf.OmitArgPrefixes[QSarsaConfig] = field(default_factory=QSarsaConfig)
    out: Path | None = None
    threads: int = 1
    judges: tuple[str, ...] = (*JUDGES, "uct:200")
    compare_games: int = COMPARE_GAMES
    json: Flag = False
    checkpoint_s: float = CHECKPOINT_S
    snapshots: int = 0

    def run(self) -> int:
        """Trains, says where the agent is, and compares it. Ctrl-C keeps the batches until then."""
        return train(
            lambda: QSarsa(self.config, num_threads=self.threads),
            self.out,
            as_json=self.json,
            compare_games=self.compare_games,
            checkpoint_s=self.checkpoint_s,
            snapshots=self.snapshots,
            judges=self.judges,
        )
