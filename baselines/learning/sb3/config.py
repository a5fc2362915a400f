"""The settings of a training, and config.json, which keeps them in the folder of its run.

`TrainConfig` is at once the command line of `boardgym train sb3`, that JSON, and the argument of `train_sb3`.
"""

import dataclasses
import math
import typing
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from boardgym.baselines.learning.run_folders import CONFIG, CURVE, MODEL, PICTURE, Run, folder_for
from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import get_game

CHANGEABLE = ("steps", "minutes", "out", "points", "threads", "resume", "trust")  # between the sessions of one run
UNWRITTEN = ("resume", "trust")  # of one session alone; a file that was copied here must not ask for trust


@dataclass(frozen=True)
class TrainConfig:
    """How to train MaskablePPO on a native batch of games.

    Attributes:
        game: id of the game.
        opponent: spec of the opponent, often a mixture.
        steps: plies of the learner, in total.
        out: folder for the files of the run. None: `runs/GAME-KIND-DATE`, or where a run with these settings is.
        seed: the same seed, settings and number of threads give the same run.
        num_envs: boards played at once.
        seat: the learner's seat, or "random" for a random seat in each game.
        setup: where games start; empty: after 0 to 10 random plies, at most a third of the longest game.
        mirror: show each game under a random symmetry of the board.
        hidden: units of the hidden layers over the board, shared by actor and critic.
        window: side, in cells, of the windows that a first layer looks at with shared weights; 0: no such layer.
        channels: number of channels of that layer, and of the lines of `landing`.
        landing: look at lines through the cells where the columns' next stones land, this many cells to each side
            (`LandingFeatures`); 0: off. Only for games with as many actions as board columns; ignored in others.
        trajectory: steps on each board between updates.
        batch_size: samples of a gradient step.
        epochs: passes over the trajectories of an update.
        discount: discount per ply of the learner; negated when the learner plays both seats.
        gae_lambda: lambda of generalised advantage estimation.
        entropy: weight of the entropy bonus.
        final_entropy: value to which this weight falls linearly; None: it stays constant.
        learning_rate: learning rate at the start; falls linearly to 0.
        judges: opponents against which the curve is measured.
        judge_games: games for each point of the curve.
        judge_setup: where those games start.
        points: number of points of the curve, each a checkpoint.
        threads: threads that torch uses.
        minutes: time limit. If it comes before `steps`, learning rate and entropy fall by the clock; None: steps alone
            count, and a run repeats exactly.
        resume: continue the run in `out`. Only steps, minutes, points and threads may differ from its settings. Not needed
            if all settings are the same.
        trust: allow loading a model to resume, and files named by specs, that could execute code.
    """

    game: str = "ConnectFour-v0"
    opponent: str = "mix(20*random, 40*epsilon:0.1(greedy), 25*greedy, 10*epsilon:0.2(minimax:2), 5*uct:50)"
    steps: int = 5_000_000
    out: Path | None = None
    seed: int = 1
    num_envs: int = 128
    seat: str = "random"
    setup: str = "random:0-6"
    mirror: bool = True
    hidden: tuple[int, ...] = (256, 256)
    window: int = 0
    channels: int = 32
    landing: int = 0
    trajectory: int = 64
    batch_size: int = 1024
    epochs: int = 4
    discount: float = 1.0
    gae_lambda: float = 0.9
    entropy: float = 0.01
    final_entropy: float | None = None
    learning_rate: float = 3e-3
    judges: tuple[str, ...] = ("random", "greedy", "minimax:2")
    judge_games: int = 100
    judge_setup: str = "random:4"
    points: int = 20
    threads: int = 1
    minutes: float | None = None
    resume: bool = False
    trust: bool = False

    @property
    def kind(self) -> str:
        """Of training, the word after `boardgym train`."""
        return "sb3"

    @property
    def plays_itself(self) -> bool:
        """Whether the agent plays both seats of every game, and there are no opponents."""
        return False

    @property
    def has_landing(self) -> bool:
        """Whether the model looks at landing cells: it is asked to, and the board has a column for each action."""
        game = get_game(self.game)
        return self.landing > 0 and game.num_actions == game.observation_shape[1]

    @property
    def folder(self) -> Path:
        """`out`, of settings that are settled."""
        assert self.out is not None, "settings that are not settled"
        return self.out

    def settled(self) -> Self:
        """These settings, checked, with what was left open said, as config.json keeps it. Raises as `check`."""
        self.check()
        setup = self.setup or f"random:0-{min(10, get_game(self.game).max_plies // 3)}"
        settled = replace(self, setup=setup)
        return settled if self.out is not None else replace(settled, out=folder_for(run_of(settled), self.kind))

    def check(self) -> None:
        """Raises OptionError for numbers that no run can have, UnknownGameError for the game."""
        for name in ("steps", "num_envs", "trajectory", "batch_size", "epochs", "judge_games", "points", "threads"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name}={getattr(self, name)}: expected at least 1")
        if not self.hidden or min(self.hidden) < 1:
            raise OptionError(f"hidden={self.hidden}: expected at least one layer, of at least 1 unit each")
        if not 0 <= self.seed < 2**31:
            raise OptionError(f"seed={self.seed}: expected 0 to {2**31 - 1}")
        if self.landing < 0 or self.window < 0:
            raise OptionError(f"landing={self.landing}, window={self.window}: expected at least 0")
        if self.window and self.has_landing:
            raise OptionError(f"landing={self.landing} and window={self.window}: expected one of them, the other 0")
        if not (self.seat == "random" or self.seat.isdecimal()):
            raise OptionError(f"seat={self.seat!r}: expected a number or 'random'")
        for name in ("discount", "gae_lambda"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise OptionError(f"{name}={getattr(self, name)}: expected 0 to 1")
        for name in ("learning_rate", "entropy", "final_entropy"):
            if getattr(self, name) is not None and not 0.0 <= getattr(self, name) < math.inf:
                raise OptionError(f"{name}={getattr(self, name)}: expected a number of at least 0")
        if self.minutes is not None and not 0.0 < self.minutes < math.inf:
            raise OptionError(f"minutes={self.minutes}: expected a number above 0, or none")


Config = TypeVar("Config", bound=TrainConfig)


def settings_of(config: TrainConfig) -> dict[str, Any]:
    """A configuration as config.json holds it."""
    settings = {name: str(value) if isinstance(value, Path) else value for name, value in dataclasses.asdict(config).items()}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in settings.items() if name not in UNWRITTEN
    }


def run_of(config: TrainConfig, files: Sequence[str] = ()) -> Run:
    """The run that a configuration asks for, and in what a run that is there may differ. files: that it writes besides."""
    session = ", ".join(name for name in CHANGEABLE if name not in ("out", *UNWRITTEN))
    free: tuple[str, ...] = CHANGEABLE
    advice = f"a run that is resumed keeps its settings but for {session}; begin another one for others"
    if not config.resume:
        free = ("out", "threads")
        command = f"`boardgym train {config.kind} --resume --out {config.out}`"
        advice = f"go on with it ({command}, under which {session} may change), or take another folder (--out)"
    return Run(config.kind, settings_of(config), MODEL, (CURVE, PICTURE, *files), free, advice, adopts=False)


def read_config(kind: type[Config], folder: Path) -> Config:
    """The configuration of the run in a folder, as config.json tells it, with `out` the folder and `resume` set.

    Raises: SpecError: no such file, or one that holds no configuration of this kind.
    """
    path = folder / CONFIG
    try:
        text = path.read_bytes()
    except OSError as error:
        raise SpecError(f"{path}: no training to resume ({error.strerror}); expected what an earlier run wrote") from None
    stored = read_json(text, stored_settings(kind), SpecError, f"{path}, no training to resume: the settings of an earlier run")
    values = {name: value for name, value in msgspec.structs.asdict(stored).items() if name != "kind"}
    return kind(**values | {"out": folder, "resume": True})


def stored_settings(kind: type[TrainConfig]) -> type[Any]:
    """What config.json holds of a kind of configuration: all of its settings, each of its type."""
    hints = typing.get_type_hints(kind)
    fields = [(field.name, hints[field.name]) for field in dataclasses.fields(kind) if field.name not in ("out", *UNWRITTEN)]
    return msgspec.defstruct("Stored", [("kind", typing.Literal[kind().kind]), *fields])  # type: ignore[misc]
