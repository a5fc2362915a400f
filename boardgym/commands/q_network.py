"""`boardgym train q-network`: Q-learning with networks in self-play."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import tyro

from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.baselines.learning.runs import CHECKPOINT_S
from boardgym.commands.training import COMPARE_GAMES, JUDGES, Flag, train


@dataclass
class TrainQNetwork:
    """Train networks of action values by Q-learning: every seat learns while all play.

    The agent's file holds the networks of all seats, and plays each seat by its own. The same command goes on where it was
    interrupted.

    Attributes:
        config: the settings.
        out: folder for the files. None: runs/GAME-q-network-DATE, or where the same run is already.
        judges: opponents of the comparison at the end.
        compare_games: games against each of them; an even number, 0 for none.
        json: print the result as JSON.
        checkpoint_s: seconds between checkpoints.
        snapshots: of the agent, kept in the folder `history` in the course of the training: at most this many; 0 for none.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train q-network --game Othello-v0 --games 200000",
        "boardgym train q-network --game Othello --option size=6 --form multi --hidden 36",
        "boardgym train q-network --games 13000000 --temperature 'geometric(1, 0.9999995)' --out runs/study",
        "boardgym train q-network --game TicTacToe-v0 --exploration epsilon --epsilon 'linear(0.5, 0.1)' --games 20000",
    )

    config: tyro.conf.OmitArgPrefixes[QNetworkConfig] = field(default_factory=QNetworkConfig)
    out: Path | None = None
    judges: tuple[str, ...] = JUDGES
    compare_games: int = COMPARE_GAMES
    json: Flag = False
    checkpoint_s: float = CHECKPOINT_S
    snapshots: int = 0

    def run(self) -> int:
        """Trains, says where the agent is, and compares it. Ctrl-C keeps the games until then."""
        return train(
            lambda: QNetwork(self.config),
            self.out,
            as_json=self.json,
            compare_games=self.compare_games,
            checkpoint_s=self.checkpoint_s,
            snapshots=self.snapshots,
            judges=self.judges,
        )
