"""`boardgym train ntuple`: n-tuple networks by TD(lambda) in self-play."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import tyro

from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.learning.runs import CHECKPOINT_S
from boardgym.commands.training import COMPARE_GAMES, JUDGES, Flag, train


@dataclass
class TrainNTuple:
    """Train an n-tuple network by TD(lambda) on afterstates: both seats learn while they play.

    The agent's file plays as file:PATH or ntuple:PATH, and values positions for searches as evaluation=ntuple:PATH. The same
    command goes on where it was interrupted.

    Attributes:
        config: the settings.
        out: folder for the files. None: runs/GAME-ntuple-DATE, or where the same run is already.
        judges: opponents of the comparison at the end.
        compare_games: games against each of them; an even number, 0 for none.
        json: print the result as JSON.
        checkpoint_s: seconds between checkpoints.
        snapshots: of the agent, kept in the folder `history` in the course of the training: at most this many; 0 for none.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train ntuple --game ConnectFour-v0 --games 2000000",
        "boardgym train ntuple --game Othello-v0 --tuples 'shape(xxx/xxx)' 'lines(6)' --shares --games 100000",
        "boardgym train ntuple --game TicTacToe-v0 --tuples 'lines(3)' --games 20000 --epsilon 'linear(0.3, 0.05)'",
    )

    config: tyro.conf.OmitArgPrefixes[NTupleConfig] = field(default_factory=NTupleConfig)
    out: Path | None = None
    judges: tuple[str, ...] = JUDGES
    compare_games: int = COMPARE_GAMES
    json: Flag = False
    checkpoint_s: float = CHECKPOINT_S
    snapshots: int = 0

    def run(self) -> int:
        """Trains, says where the agent is, and compares it. Ctrl-C keeps the games until then."""
        return train(
            lambda: NTupleTraining(self.config),
            self.out,
            as_json=self.json,
            compare_games=self.compare_games,
            checkpoint_s=self.checkpoint_s,
            snapshots=self.snapshots,
            judges=self.judges,
        )
