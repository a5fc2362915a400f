"""`boardgym train ...`: loaded only when asked for, because they need torch.

Their options are the dataclasses of `boardgym.baselines.learning.sb3`, which also write them beside a run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

import tyro

from boardgym.baselines.learning.sb3.config import Config, TrainConfig, read_config
from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig, selfplay_training
from boardgym.baselines.learning.sb3.trainer import SB3Training, sb3_training
from boardgym.commands.arguments import look_ahead
from boardgym.commands.training import TrainInFolder, TrainResult, train
from boardgym.core.errors import OptionError

TRAIN_EXAMPLES = (
    "boardgym train sb3",
    "boardgym train sb3 --game Othello --opponent greedy --steps 1000000 --out runs/othello",
    "boardgym train sb3 --resume --steps 2000000 --out runs/othello",
)
SELFPLAY_EXAMPLES = (
    "boardgym train selfplay",
    "boardgym train selfplay --minutes 30 --seed 2 --out runs/seed2",
    "boardgym train selfplay --resume --minutes 60 --out runs/seed2",
    "boardgym train selfplay --pool --landing 0 --out runs/pool",
    "boardgym train selfplay --opponent greedy --out runs/control",
)


@dataclass(kw_only=True)
class Train(TrainResult):
    """Train MaskablePPO on a native batch of games.

    Attributes:
        config: the settings.
    """

    config: tyro.conf.OmitArgPrefixes[TrainConfig] = field(default_factory=TrainConfig)


@dataclass(kw_only=True)
class SelfPlay(TrainResult):
    """Train MaskablePPO by self-play.

    Attributes:
        config: the settings.
    """

    config: tyro.conf.OmitArgPrefixes[SelfPlayConfig] = field(default_factory=SelfPlayConfig)


def train_defaults(arguments: Sequence[str]) -> Train:
    """The options that are not given: of a run to resume, those that it has. Raises SpecError if there is no such run."""
    return Train(config=defaults(TrainConfig(), arguments))


def selfplay_defaults(arguments: Sequence[str]) -> SelfPlay:
    """As `train_defaults`."""
    return SelfPlay(config=defaults(SelfPlayConfig(), arguments))


def defaults(config: Config, arguments: Sequence[str]) -> Config:
    """The configuration of the run that the arguments ask to resume, another one if they do not."""

    def look(out: Path | None = None, resume: bool = False) -> tuple[Path | None, bool]:
        return out, resume

    folder, resume = look_ahead(look, arguments)
    if not resume:
        return config
    if folder is None:
        raise OptionError("--resume: expected --out too, the folder of the run to go on with")
    return read_config(type(config), folder)


def run_train(command: Train) -> int:
    """Trains, says where network or model is, and compares it. Ctrl-C keeps what was learnt until then."""
    return run(command, lambda: sb3_training(command.config))


def run_selfplay(command: SelfPlay) -> int:
    """Trains by self-play, and says where network or model is, and compares it. Ctrl-C keeps what was learnt until then."""
    return run(command, lambda: selfplay_training(command.config))


def run(command: Train | SelfPlay, make: Callable[[], SB3Training]) -> int:
    """Trains as a command says."""
    config = command.config
    training = make()
    shared = {item.name: getattr(command, item.name) for item in fields(TrainResult)}
    whole = TrainInFolder(out=training.config.folder, judges=tuple(config.judges), **shared)
    return train(lambda: training, whole, trust=config.trust)
