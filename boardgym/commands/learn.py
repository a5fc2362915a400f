"""`boardgym train ...`: loaded only when asked for, because they need torch.

Their options are the dataclasses of `boardgym.wrappers`, which also write them beside a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tyro

from boardgym.commands.common import INTERRUPTED, print_json, say, terminal
from boardgym.wrappers.selfplay_training import SelfPlayConfig, train_selfplay
from boardgym.wrappers.training import TrainResult, train_sb3
from boardgym.wrappers.training_config import Config, TrainConfig, read_config

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

Flag = tyro.conf.FlagCreatePairsOff[bool]


@dataclass(frozen=True)
class Train:
    """Train MaskablePPO on a native batch of games.

    Attributes:
        config: the settings.
        json: print the result as JSON.
    """

    config: tyro.conf.OmitArgPrefixes[TrainConfig] = field(default_factory=TrainConfig)
    json: Flag = False


@dataclass(frozen=True)
class SelfPlay:
    """Train MaskablePPO by self-play.

    Attributes:
        config: the settings.
        json: print the result as JSON.
    """

    config: tyro.conf.OmitArgPrefixes[SelfPlayConfig] = field(default_factory=SelfPlayConfig)
    json: Flag = False


def train_defaults(arguments: Sequence[str]) -> Train:
    """The options that are not given: of a run to resume, those that it has. Raises SpecError if there is no such run."""
    return Train(defaults(TrainConfig(), arguments))


def selfplay_defaults(arguments: Sequence[str]) -> SelfPlay:
    """As `train_defaults`."""
    return SelfPlay(defaults(SelfPlayConfig(), arguments))


def defaults(config: Config, arguments: Sequence[str]) -> Config:
    """The configuration of the run that the arguments ask to resume, another one if they do not."""

    def look(out: Path = config.out, resume: bool = False) -> Path | None:
        return out if resume else None

    asked = [argument for argument in arguments if argument not in ("-h", "--help")]
    folder, _ = tyro.cli(look, args=asked, return_unknown_args=True)
    return config if folder is None else read_config(type(config), folder)


def run_train(command: Train) -> int:
    """Trains, and says where the model is. Ctrl-C keeps what was learnt until then."""
    config = command.config
    result = train_sb3(config)
    return finish(result, config, "model", result.model_path, f"sb3:{result.model_path}", as_json=command.json)


def run_selfplay(command: SelfPlay) -> int:
    """Trains by self-play, and says where network or model is. Ctrl-C keeps what was learnt until then."""
    config = command.config
    result = train_selfplay(config)
    if result.network_path is None:
        return finish(result, config, "model", result.model_path, f"sb3:{result.model_path}", as_json=command.json)
    return finish(result, config, "network", result.network_path, f"network:{result.network_path}", as_json=command.json)


def finish(result: TrainResult, config: TrainConfig, what: str, path: Path | None, spec: str, *, as_json: bool) -> int:
    """Prints what a training left. Returns the exit status."""
    if as_json:
        network = None if result.network_path is None else str(result.network_path)
        print_json({"model": str(result.model_path), "network": network,
                    "steps": result.steps, "seconds": round(result.seconds, 3), "is_finished": result.is_finished,
                    "curve": [{"steps": steps, **scores} for steps, scores in result.curve]})  # fmt: skip
    else:
        terminal().print(f"{what:11}{path}\ncompare    boardgym compare {spec} --game {config.game}\n"
                         f"play       boardgym play {config.game} human {spec}", markup=False, soft_wrap=True)  # fmt: skip
    return status_of(result)


def status_of(result: TrainResult) -> int:
    """The exit status of a training: 130 if Ctrl-C ended it early."""
    if result.is_finished:
        return 0
    say("interrupted: the files hold what was learnt until then", style="yellow")
    return INTERRUPTED
