"""`boardgym train ...`: loaded only when asked for, because they need torch.

Their options are the dataclasses of `boardgym.wrappers`, which also write them beside a run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tyro

from boardgym.baselines.arena.compare import Comparison
from boardgym.baselines.learning.sb3.config import Config, TrainConfig, read_config
from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig, train_selfplay
from boardgym.baselines.learning.sb3.trainer import TrainResult, train_sb3
from boardgym.commands.arguments import look_ahead
from boardgym.commands.common import INTERRUPTED, print_json, say, terminal
from boardgym.commands.training import COMPARE_GAMES, check_compared, compare_briefly, plain, show_comparison
from boardgym.core.game import get_game

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
        compare_games: games against each of the judges at the end; an even number, 0 for none.
        json: print the result as JSON.
    """

    config: tyro.conf.OmitArgPrefixes[TrainConfig] = field(default_factory=TrainConfig)
    compare_games: int = COMPARE_GAMES
    json: Flag = False


@dataclass(frozen=True)
class SelfPlay:
    """Train MaskablePPO by self-play.

    Attributes:
        config: the settings.
        compare_games: games against each of the judges at the end; an even number, 0 for none.
        json: print the result as JSON.
    """

    config: tyro.conf.OmitArgPrefixes[SelfPlayConfig] = field(default_factory=SelfPlayConfig)
    compare_games: int = COMPARE_GAMES
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

    folder = look_ahead(look, arguments)
    return config if folder is None else read_config(type(config), folder)


def run_train(command: Train) -> int:
    """Trains, says where the model is, and compares it. Ctrl-C keeps what was learnt until then."""
    check_compared(command.compare_games)
    return finish(command, train_sb3(command.config))


def run_selfplay(command: SelfPlay) -> int:
    """Trains by self-play, and says where network or model is, and compares it. Ctrl-C keeps what was learnt until then."""
    check_compared(command.compare_games)
    return finish(command, train_selfplay(command.config))


def finish(command: Train | SelfPlay, result: TrainResult) -> int:
    """Prints what a training left, and a comparison if it has come to its end. Returns the exit status."""
    config, network = command.config, result.network_path
    what, path = ("model", result.model_path) if network is None else ("network", network)
    spec = f"sb3:{path}" if network is None else f"network:{path}"

    def compared() -> Comparison | None:
        games = command.compare_games if result.is_finished else 0
        return compare_briefly(result.model if network is None else spec, get_game(config.game), config.judges, games=games,
                               trust=config.trust)  # fmt: skip

    if command.json:
        print_json({"model": str(result.model_path), "network": None if network is None else str(network),
                    "steps": result.steps, "seconds": round(result.seconds, 3), "is_finished": result.is_finished,
                    "curve": [{"steps": steps, **scores} for steps, scores in result.curve],
                    "comparison": plain(compared())})  # fmt: skip
    else:
        terminal().print(f"{what:11}{path}\ncompare    boardgym compare {spec} --game {config.game}\n"
                         f"play       boardgym play {config.game} human {spec}", markup=False, soft_wrap=True)  # fmt: skip
        show_comparison(compared())
    return status_of(result)


def status_of(result: TrainResult) -> int:
    """The exit status of a training: 130 if Ctrl-C ended it early."""
    if result.is_finished:
        return 0
    say("interrupted: the files hold what was learnt until then", style="yellow")
    return INTERRUPTED
