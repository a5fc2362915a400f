"""`boardgym train descent`: n-tuple networks by minimax in the trees of games against themselves."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import tyro

from boardgym.baselines.learning.descent.config import DescentConfig
from boardgym.baselines.learning.descent.trainer import DescentTraining
from boardgym.baselines.learning.runs import CHECKPOINT_S
from boardgym.commands.training import COMPARE_GAMES, JUDGES, Flag, train


@dataclass
class TrainDescent:
    """Train an n-tuple network by Descent: it searches its own games to their ends, and learns the minimax values it finds.

    The agent's file plays as file:PATH or ntuple:PATH, and values positions for searches as evaluation=ntuple:PATH. The same
    command goes on where it was interrupted.

    Attributes:
        config: the settings.
        out: folder for the files. None: runs/GAME-descent-DATE, or where the same run is already.
        judges: opponents of the comparison at the end.
        compare_games: games against each of them; an even number, 0 for none.
        json: print the result as JSON.
        checkpoint_s: seconds between checkpoints.
        snapshots: of the agent, kept in the folder `history` in the course of the training: at most this many; 0 for none.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train descent --game NineMensMorris --games 2000 --max-plies 200",
        "boardgym train descent --game Abalone --games 500 --max-plies 200 --budget 10 --shares",
        "boardgym train descent --game TicTacToe --tuples 'lines(3)' --games 300 --epsilon 'linear(0.5, 0.1)'",
    )

    config: tyro.conf.OmitArgPrefixes[DescentConfig] = field(default_factory=DescentConfig)
    out: Path | None = None
    judges: tuple[str, ...] = JUDGES
    compare_games: int = COMPARE_GAMES
    json: Flag = False
    checkpoint_s: float = CHECKPOINT_S
    snapshots: int = 0

    def run(self) -> int:
        """Trains, says where the agent is, and compares it. Ctrl-C keeps the games until then."""
        return train(
            lambda: DescentTraining(self.config),
            self.out,
            as_json=self.json,
            compare_games=self.compare_games,
            checkpoint_s=self.checkpoint_s,
            snapshots=self.snapshots,
            judges=self.judges,
        )
