"""`boardgym train uct-ccnn`: an agent from a game's rules alone."""

from dataclasses import dataclass, field
from typing import ClassVar

import tyro

from boardgym.baselines.arena.match_games import GameWorkers
from boardgym.baselines.learning.uct_ccnn import UctCcnn, UctCcnnConfig
from boardgym.commands.common import Executor
from boardgym.commands.training import JUDGES, TrainInFolder, train


@dataclass(kw_only=True)
class TrainUctCcnn(TrainInFolder):
    """Make an agent from a game's rules alone: tune UCT, let it play, grow a network on what it believes, search with that.

    The same command goes on where it was interrupted.

    Attributes:
        config: the settings.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym train uct-ccnn --game Othello --minutes 30 --processes 2",
        "boardgym train uct-ccnn --game ConnectFour --scale 0.1 --simulations 500 --c 1.0 --search minimax:4",
        "boardgym train uct-ccnn --game NineMensMorris --minutes 60 --max-plies 300 --search puct:1000",
        "boardgym train uct-ccnn --game nim.py:Nim-v0 --minutes 1",
        "boardgym train uct-ccnn --game Othello --scale 1 --simulations 10000 --processes 64 --executor ray",
    )

    config: tyro.conf.OmitArgPrefixes[UctCcnnConfig] = field(default_factory=UctCcnnConfig)
    executor: Executor = "processes"
    judges: tuple[str, ...] = (*JUDGES, "uct:200")

    def run(self) -> int:
        """Makes the agent, says where it is, and compares it. Ctrl-C keeps what was done until then."""
        workers = GameWorkers(self.config.processes, self.executor)
        return train(lambda: UctCcnn(self.config, executor=self.executor), self, workers=workers)
