"""`boardgym train uct-ccnn`: an agent from a game's rules alone."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import tyro

from boardgym.baselines.learning.uct_ccnn import UctCcnn, UctCcnnConfig
from boardgym.commands.training import COMPARE_GAMES, JUDGES, Flag, train


@dataclass
class TrainUctCcnn:
    """Make an agent from a game's rules alone: tune UCT, let it play, grow a network on what it believes, search with that.

    The same command goes on where it was interrupted.

    Attributes:
        config: the settings.
        out: folder for the files. None: runs/GAME-uct-ccnn-DATE, or where the same run is already.
        judges: opponents of the comparison at the end.
        compare_games: games against each of them; an even number, 0 for none.
        json: print the result as JSON.
        snapshots: of the agent, kept in the folder `history` in the course of the training: at most this many; 0 for none.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train uct-ccnn --game Othello --minutes 30 --processes 2",
        "boardgym train uct-ccnn --game ConnectFour --scale 0.1 --simulations 500 --c 1.0 --search minimax:4",
        "boardgym train uct-ccnn --game NineMensMorris --minutes 60 --max-plies 300 --search puct:1000",
        "boardgym train uct-ccnn --game nim.py:Nim-v0 --minutes 1",
    )

    config: tyro.conf.OmitArgPrefixes[UctCcnnConfig] = field(default_factory=UctCcnnConfig)
    out: Path | None = None
    judges: tuple[str, ...] = (*JUDGES, "uct:200")
    compare_games: int = COMPARE_GAMES
    json: Flag = False
    snapshots: int = 0

    def run(self) -> int:
        """Makes the agent, says where it is, and compares it. Ctrl-C keeps what was done until then."""
        return train(
            lambda: UctCcnn(self.config),
            self.out,
            as_json=self.json,
            compare_games=self.compare_games,
            snapshots=self.snapshots,
            judges=self.judges,
        )
