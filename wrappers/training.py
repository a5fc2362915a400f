"""Training a Stable-Baselines3 agent from a configuration: progress bar, learning curve, files that survive Ctrl-C.

What `train_sb3` is asked for is a `TrainConfig` (`boardgym.wrappers.training_config`).
"""

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from boardgym.wrappers.missing import missing_extra

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.core.cache import write_aside
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.wrappers.sb3 import SB3VecEnv, remember_file
from boardgym.wrappers.sb3_features import LandingFeatures, SharedLayers
from boardgym.wrappers.sb3_files import load_model, trusted_content
from boardgym.wrappers.sb3_ladder import LadderCallback, summary
from boardgym.wrappers.sb3_policy import GAME_ATTRIBUTE, OPPONENT_ATTRIBUTE
from boardgym.wrappers.training_config import CONFIG, TrainConfig, check_same_run, settings_of

MODEL, STATE = "model.zip", "state.json"
OnSave = Callable[[Any], None]
NEW: dict[str, Any] = {"steps": 0, "seconds": 0.0, "curve": []}  # the state of a run that has not begun


@dataclass(frozen=True)
class TrainResult:
    """What a run left. curve: one (steps, {judge: score rate}) a point. is_finished: False after Ctrl-C.

    network_path: of the compiled network (`network:PATH`), where the run wrote one.
    """

    model: Any
    model_path: Path
    curve: tuple[tuple[int, dict[str, float]], ...]
    steps: int
    seconds: float
    is_finished: bool
    network_path: Path | None = None


class _Watch(LadderCallback):
    """The curve, a file of the model at each of its points, the progress bar, and the end when the time is over."""

    def __init__(self, config: TrainConfig, progress: Progress, seconds: float, on_save: OnSave | None) -> None:
        super().__init__(
            config.game, config.judges, games=config.judge_games, csv=config.out / "curve.csv", setup=config.judge_setup,
            picture=config.out / "curve.png", seed=config.seed + 1_000_000,  # other games than those of the training boards
            title=f"MaskablePPO on {config.game}, seed {config.seed}", trust=config.trust,
        )  # fmt: skip
        self.config, self.progress, self.before, self.started = config, progress, seconds, time.monotonic()
        self.on_save, self.has_begun = on_save, False
        self.task = progress.add_task("training", total=1.0, note="", steps="")

    def seconds(self) -> float:
        """Spent on this training, earlier sessions of it included."""
        return self.before + time.monotonic() - self.started

    def fraction(self) -> float:
        """Of the training that is done, in [0, 1]: of the steps, or of the minutes if that is more."""
        limit = math.inf if self.config.minutes is None else 60.0 * self.config.minutes
        return min(max(self.num_timesteps / self.config.steps, self.seconds() / limit), 1.0)

    def save(self, model: Any) -> Path:
        """Writes the files of the run as it is now. Returns the model's path."""
        path = save_model(self.config, model, self.curve, self.seconds())
        if self.on_save is not None:
            self.on_save(model)
        return path

    def _on_training_start(self) -> None:
        self.has_begun = True
        super()._on_training_start()

    def is_due(self) -> bool:
        return len(self.curve) <= self.fraction() * self.config.points < self.config.points

    def _on_rollout_start(self) -> None:
        first, last = self.config.entropy, self.config.final_entropy
        if last is not None:
            self.model.ent_coef = first + (last - first) * self.fraction()  # type: ignore[attr-defined]

    def _on_step(self) -> bool:
        return self.config.minutes is None or self.seconds() < 60.0 * self.config.minutes

    def _on_rollout_end(self) -> None:
        self.progress.update(self.task, completed=self.fraction(), steps=f"{self.num_timesteps:,} steps")
        super()._on_step()

    def add_point(self) -> None:
        super().add_point()
        self.progress.update(self.task, note=summary(self.curve[-1][1]))
        self.save(self.model)


def train_sb3(
    config: TrainConfig,
    *,
    callbacks: Sequence[BaseCallback] = (),
    on_save: OnSave | None = None,
    console: Console | None = None,
) -> TrainResult:
    """Trains MaskablePPO. Writes config.json, state.json, model.zip, curve.csv and curve.png into `config.out`.

    Ctrl-C ends the training early; the files are written all the same, and the result says so. With `config.resume` it goes
    on with what an earlier run left there; the games that were under way then are not played on.

    callbacks: run after the one that keeps the curve. on_save: called with the model after each time it is written: at the
    points of the curve, at the end, and after Ctrl-C before anything else.

    Raises: OptionError, SpecError, UnknownGameError for what the configuration names, or changes of a run to resume;
        UntrustedFileError for a model to resume that no run on this machine wrote; OSError for the folder.
    """
    config = config.settled()
    if config.resume:
        check_same_run(config)
    game = get_game(config.game)
    config.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(config.threads)
    state = read_state(config) if config.resume else dict(NEW)
    seat = "all" if config.plays_itself else int(config.seat) if config.seat.isdecimal() else config.seat
    env = SB3VecEnv(game, config.num_envs, opponent=config.opponent or "random", seat=seat, setup=config.setup,
                    mirror=config.mirror, seed=config.seed + state["steps"], trust=config.trust)  # fmt: skip
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[steps]}"),
               TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[note]}"))  # fmt: skip
    started, is_finished = time.monotonic(), True
    with Progress(*columns, console=console or Console(stderr=True)) as progress:
        watch = _Watch(config, progress, state["seconds"], on_save)
        watch.curve = [(steps, scores) for steps, scores in state["curve"]]
        model = make_model(config, env, lambda _: config.learning_rate * (1.0 - watch.fraction()))
        checks = torch.distributions.Distribution._validate_args
        torch.distributions.Distribution.set_default_validate_args(False)  # they take a tenth of the time
        try:
            model.learn(config.steps - state["steps"], callback=[watch, *callbacks], reset_num_timesteps=state["steps"] == 0)
        except KeyboardInterrupt:
            is_finished = False
        finally:
            torch.distributions.Distribution.set_default_validate_args(checks)
        seconds = time.monotonic() - started
        path = watch.save(model)  # before anything else can go wrong
        if not is_finished and watch.has_begun:  # else there is nothing new to play, nor a logger to tell it
            watch.num_timesteps = model.num_timesteps
            watch.finish()
        progress.update(watch.task, completed=watch.fraction())
    return TrainResult(model, path, tuple(watch.curve), model.num_timesteps, seconds, is_finished)


def make_model(config: TrainConfig, env: SB3VecEnv, learning_rate: Callable[[float], float]) -> MaskablePPO:
    """A new model, or the one to resume, with a schedule of its learning rate."""
    if config.resume:
        content = trusted_content(config.out / MODEL, trust=config.trust)
        model = load_model(content, str(config.out / MODEL))
        model.set_env(env)
        model.learning_rate = learning_rate
        model._setup_lr_schedule()
        return model
    if config.has_landing:
        features: Any = LandingFeatures
        sizes: dict[str, Any] = {"reach": config.landing, "channels": config.channels, "hidden": config.hidden}
    else:
        features, sizes = SharedLayers, {"hidden": config.hidden, "window": config.window, "channels": config.channels}
    model = MaskablePPO(
        "MlpPolicy", env, seed=config.seed, device="cpu", n_steps=config.trajectory, batch_size=config.batch_size,
        n_epochs=config.epochs, gamma=-config.discount if config.plays_itself else config.discount,
        gae_lambda=config.gae_lambda, ent_coef=config.entropy, learning_rate=learning_rate,
        policy_kwargs={"features_extractor_class": features, "features_extractor_kwargs": sizes, "net_arch": [],
                       "optimizer_kwargs": {"eps": 1e-5, "fused": True}},
    )  # fmt: skip
    setattr(model, GAME_ATTRIBUTE, env.game.id)
    setattr(model, OPPONENT_ATTRIBUTE, config.opponent or "self-play")
    return model


def save_model(config: TrainConfig, model: Any, curve: Sequence[Any], seconds: float) -> Path:
    """Writes model.zip, state.json and config.json of a run, aside and then renamed. Returns the model's path."""
    part, path = config.out / "model.part.zip", config.out / MODEL
    # a schedule is a closure, which cannot be read back without executing code; it is not needed to play
    model.save(part, exclude=["lr_schedule", "learning_rate"])
    part.replace(path)
    remember_file(path)
    state = {"steps": model.num_timesteps, "seconds": round(seconds, 3), "curve": list(curve)}
    write_aside(config.out / STATE, json.dumps(state).encode())
    write_aside(config.out / CONFIG, json.dumps(settings_of(config), indent=2).encode())
    return path


def read_state(config: TrainConfig) -> dict[str, Any]:
    """What `save_model` wrote of a run: steps, seconds, curve. Raises SpecError if there is no run to resume."""
    path = config.out / STATE
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        return {"steps": int(state["steps"]), "seconds": float(state["seconds"]), "curve": list(state["curve"])}
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SpecError(f"{path}: no training to resume ({error!r}); expected what an earlier run wrote") from None
