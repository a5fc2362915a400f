"""Training a Stable-Baselines3 agent from a configuration: progress bar, learning curve, files that survive Ctrl-C.

`TrainConfig` is at once the command line of `boardgym train sb3`, the JSON beside a run, and the argument of `train_sb3`.
"""

import csv
import dataclasses
import io
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from boardgym.core.cache import write_aside
from boardgym.core.errors import OptionError
from boardgym.core.game import get_game
from boardgym.wrappers.learning_curve import Judge, draw_curve
from boardgym.wrappers.sb3 import SB3VecEnv, remember_file
from boardgym.wrappers.sb3_features import SharedLayers
from boardgym.wrappers.sb3_policy import GAME_ATTRIBUTE, OPPONENT_ATTRIBUTE


@dataclass(frozen=True)
class TrainConfig:
    """How to train MaskablePPO on a native batch of games.

    Attributes:
        game: id of the game.
        opponent: spec of the opponent, often a mixture.
        steps: plies of the learner, in all.
        out: folder for the files of the run.
        seed: the run depends on nothing else (for a given number of threads).
        num_envs: boards played at once.
        seat: the learner's seat, or "random".
        setup: where games start.
        mirror: show each game under a random symmetry of the board.
        hidden: units of the hidden layers, which actor and critic share.
        trajectory: steps on each board between updates.
        batch_size: of the gradient steps.
        epochs: passes over the trajectories of an update.
        discount: per ply of the learner.
        gae_lambda: of generalised advantage estimation.
        entropy: weight of the entropy bonus.
        learning_rate: at the start; falls linearly to 0.
        judges: opponents that the curve is drawn against.
        judge_games: games of each point of the curve.
        judge_setup: where those games start.
        points: of the curve.
        threads: of torch.
    """

    game: str = "ConnectFour-v0"
    opponent: str = "mix(20*random, 40*epsilon:0.1(greedy), 25*greedy, 10*epsilon:0.2(minimax:2), 5*uct:50)"
    steps: int = 5_000_000
    out: Path = Path("runs/train")
    seed: int = 1
    num_envs: int = 128
    seat: str = "random"
    setup: str = "random:0-6"
    mirror: bool = True
    hidden: tuple[int, ...] = (256, 256)
    trajectory: int = 64
    batch_size: int = 1024
    epochs: int = 4
    discount: float = 1.0
    gae_lambda: float = 0.9
    entropy: float = 0.01
    learning_rate: float = 3e-3
    judges: tuple[str, ...] = ("random", "greedy", "minimax:2")
    judge_games: int = 100
    judge_setup: str = "random:4"
    points: int = 20
    threads: int = 1

    def check(self) -> None:
        """Raises OptionError for numbers that no run can have."""
        for name in ("steps", "num_envs", "trajectory", "batch_size", "epochs", "judge_games", "points", "threads"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name}={getattr(self, name)}: expected at least 1")
        if not self.hidden or min(self.hidden) < 1:
            raise OptionError(f"hidden={self.hidden}: expected at least one layer, of at least 1 unit each")
        if not 0 <= self.seed < 2**31:
            raise OptionError(f"seed={self.seed}: expected 0 to {2**31 - 1}")
        for name in ("discount", "gae_lambda"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise OptionError(f"{name}={getattr(self, name)}: expected 0 to 1")
        for name in ("learning_rate", "entropy"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise OptionError(f"{name}={getattr(self, name)}: expected a number of at least 0")


@dataclass(frozen=True)
class TrainResult:
    """What a run left. curve: one (steps, {judge: score rate}) a point. is_finished: False after Ctrl-C."""

    model: Any
    model_path: Path
    curve: tuple[tuple[int, dict[str, float]], ...]
    steps: int
    seconds: float
    is_finished: bool


class _Watch(BaseCallback):  # type: ignore[misc]
    """Moves the progress bar, and asks the judge for a point of the curve at even distances."""

    def __init__(self, config: TrainConfig, progress: Progress) -> None:
        super().__init__()
        self.config, self.progress, self.judge = config, progress, judge_of(config)
        self.task = progress.add_task("training", total=config.steps, note="")
        self.curve: list[tuple[int, dict[str, float]]] = []

    def _on_training_start(self) -> None:
        self.add_point()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        steps = min(self.num_timesteps, self.config.steps)
        self.progress.update(self.task, completed=steps)
        if steps >= len(self.curve) * self.config.steps / self.config.points and steps < self.config.steps:
            self.add_point()

    def add_point(self) -> None:
        scores = self.judge.score_rates(self.model)
        self.curve.append((min(self.num_timesteps, self.config.steps), scores))
        note = "  ".join(f"{judge} {score:.0%}" for judge, score in scores.items())
        self.progress.update(self.task, note=note)


def judge_of(config: TrainConfig) -> Judge:
    """The judge of a run; its games are not among those of the training boards."""
    seed = config.seed + 1_000_000
    return Judge(config.game, config.judges, games=config.judge_games, setup=config.judge_setup, seed=seed)


def train_sb3(config: TrainConfig, *, console: Console | None = None) -> TrainResult:
    """Trains MaskablePPO. Writes config.json, model.zip, curve.csv and curve.png into `config.out`.

    Ctrl-C ends the training early; the files are written all the same, and the result says so.

    Raises: OptionError, SpecError, UnknownGameError for what the configuration names; OSError for the folder.
    """
    config.check()
    game = get_game(config.game)
    config.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(config.threads)
    seat = int(config.seat) if config.seat.isdecimal() else config.seat
    env = SB3VecEnv(game, config.num_envs, opponent=config.opponent, seat=seat, setup=config.setup, mirror=config.mirror,
                    seed=config.seed)  # fmt: skip
    model = MaskablePPO(
        "MlpPolicy", env, seed=config.seed, device="cpu", n_steps=config.trajectory, batch_size=config.batch_size,
        n_epochs=config.epochs, gamma=config.discount, gae_lambda=config.gae_lambda, ent_coef=config.entropy,
        learning_rate=lambda remaining: config.learning_rate * max(remaining, 0.0),
        policy_kwargs={"features_extractor_class": SharedLayers, "features_extractor_kwargs": {"hidden": config.hidden},
                       "net_arch": [], "optimizer_kwargs": {"eps": 1e-5, "fused": True}},
    )  # fmt: skip
    setattr(model, GAME_ATTRIBUTE, game.id)
    setattr(model, OPPONENT_ATTRIBUTE, config.opponent)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
               TextColumn("{task.fields[note]}"))  # fmt: skip
    started, is_finished = time.monotonic(), True
    with Progress(*columns, console=console or Console(stderr=True)) as progress:
        watch = _Watch(config, progress)
        checks = torch.distributions.Distribution._validate_args
        torch.distributions.Distribution.set_default_validate_args(False)  # they take a tenth of the time
        try:
            model.learn(config.steps, callback=watch)
        except KeyboardInterrupt:
            is_finished = False
        finally:
            torch.distributions.Distribution.set_default_validate_args(checks)
        seconds = time.monotonic() - started
        path = save_model(config, model)  # before anything else can go wrong
        watch.model = model
        watch.add_point()
        progress.update(watch.task, completed=config.steps if is_finished else model.num_timesteps)
    save_curve(config, watch.curve)
    return TrainResult(model, path, tuple(watch.curve), model.num_timesteps, seconds, is_finished)


def save_model(config: TrainConfig, model: Any) -> Path:
    """Writes model.zip and config.json of a run, aside and then renamed. Returns the model's path."""
    part, path = config.out / "model.part.zip", config.out / "model.zip"
    model.lr_schedule = None  # a closure cannot be read back without executing code; it is not needed to play
    model.learning_rate = config.learning_rate
    model.save(part, exclude=["lr_schedule"])
    part.replace(path)
    remember_file(path)
    settings = dataclasses.asdict(config) | {"out": str(config.out)}
    write_aside(config.out / "config.json", json.dumps(settings, indent=2).encode())
    return path


def save_curve(config: TrainConfig, curve: list[tuple[int, dict[str, float]]]) -> None:
    """Writes curve.csv and curve.png of a run, aside and then renamed."""
    rows: list[list[Any]] = [["steps", *config.judges], *([steps, *scores.values()] for steps, scores in curve)]
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    write_aside(config.out / "curve.csv", text.getvalue().encode("ascii"))
    games = 2 * ((config.judge_games + 1) // 2)
    draw_curve(config.out / "curve.png", f"MaskablePPO on {config.game}, seed {config.seed}", curve, games)
