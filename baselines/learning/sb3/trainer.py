"""Training a Stable-Baselines3 agent from a configuration: progress bar, learning curve, files that survive Ctrl-C.

What `train_sb3` is asked for is a `TrainConfig` (`boardgym.baselines.learning.sb3.config`).
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.wrappers.missing import missing_extra

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.baselines.learning.run_folders import claim, hold
from boardgym.baselines.learning.sb3.checkpoint import RunState, read_checkpoint
from boardgym.baselines.learning.sb3.config import MODEL, TrainConfig, read_config, run_of
from boardgym.baselines.learning.sb3.watch import Companion, Watch
from boardgym.baselines.progress import ProgressBar
from boardgym.core.game import get_game
from boardgym.wrappers.sb3 import SB3VecEnv
from boardgym.wrappers.sb3_features import LandingFeatures, SharedLayers
from boardgym.wrappers.sb3_policy import GAME_ATTRIBUTE, OPPONENT_ATTRIBUTE


@dataclass(frozen=True)
class TrainResult:
    """What a run left. curve: one (steps, {judge: score rate}) a point. is_finished: False after Ctrl-C.

    seconds: of this session. resumed: steps that an earlier one had done. network_path: of the compiled network
    (`network:PATH`), where the run wrote one.
    """

    model: Any
    model_path: Path
    curve: tuple[tuple[int, dict[str, float]], ...]
    steps: int
    seconds: float
    is_finished: bool
    network_path: Path | None = None
    resumed: int = 0


def train_sb3(
    config: TrainConfig,
    *,
    callbacks: Sequence[BaseCallback] = (),
    companion: Companion | None = None,
) -> TrainResult:
    """Trains MaskablePPO into the folder `config.out`, or goes on with the training of the same settings that is there.

    Writes config.json (see `run_folders`), model.zip, the checkpoint, at each point of the curve, and curve.csv and curve.png.
    A process that is killed at any moment loses what came after the last point, and the same call goes on from there: where
    steps alone count and on as many threads, to the same weights. With `config.resume` it goes on under other `steps`,
    `minutes` and `points`. Ctrl-C ends a training early and loses nothing but the games under way.

    callbacks: run after the one that keeps the curve. companion: what is kept beside the model.

    Raises: OptionError, SpecError, UnknownGameError for what the configuration names, for a folder that holds another run or
        that another process works in, and changes of a run to resume; UntrustedFileError for a model to go on with that no run
        on this machine wrote; OSError for the folder.
    """
    config, companion = config.settled(), companion or Companion()
    if config.resume:
        read_config(type(config), config.out)  # else there is nothing to resume
    with hold(config.out, run := run_of(config, companion.files)):
        is_there = (config.out / MODEL).exists()
        model, state = read_checkpoint(config.out, trust=config.trust) if is_there else (None, RunState(0.0, []))
        companion.restore(state.beside)
        claim(config.out, run)
        return _train(config, model, state, callbacks, companion)


def _train(
    config: TrainConfig,
    model: Any,
    state: RunState,
    callbacks: Sequence[BaseCallback],
    companion: Companion,
) -> TrainResult:
    """The training of whoever holds the folder. model: of its checkpoint, None if there is none."""
    torch.set_num_threads(config.threads)
    resumed = 0 if model is None else int(model.num_timesteps)
    seat = "all" if config.plays_itself else int(config.seat) if config.seat.isdecimal() else config.seat
    env = SB3VecEnv(get_game(config.game), config.num_envs, opponent=config.opponent or "random", seat=seat, setup=config.setup,
                    mirror=config.mirror, seed=config.seed, trust=config.trust)  # fmt: skip
    started, is_finished = time.monotonic(), True
    with ProgressBar(1.0, "training") as bar:
        watch = Watch(config, bar, state, companion)
        watch.num_timesteps = resumed
        if resumed > 0:
            is_over = watch.fraction() == 1.0 and state.curve[-1:] and state.curve[-1][0] == resumed
            said = f"is finished, after {resumed:,} steps" if is_over else f"goes on after {resumed:,} steps"
            bar.say(f"{config.out}: {said}")
            if is_over:
                watch.complete(model)
                return TrainResult(model, config.out / MODEL, tuple(watch.curve), resumed, 0.0, is_finished, resumed=resumed)
        if (whole := whole_rollouts(config, resumed)) != config.steps and resumed < config.steps:
            bar.say(f"{config.steps:,} steps are rounded up to {whole:,}: whole rollouts of {config.num_envs} boards x "
                    f"{config.trajectory} steps")  # fmt: skip
        model = prepare_model(config, model, env, lambda _: config.learning_rate * (1.0 - watch.fraction()))
        checks = torch.distributions.Distribution._validate_args
        torch.distributions.Distribution.set_default_validate_args(False)  # they take a tenth of the time
        try:
            model.learn(config.steps - resumed, callback=[*companion.callbacks, watch, *callbacks],
                        reset_num_timesteps=resumed == 0)  # fmt: skip
        except KeyboardInterrupt:
            is_finished = False
        finally:
            torch.distributions.Distribution.set_default_validate_args(checks)
        seconds = time.monotonic() - started
        path = watch.save(model)  # before anything else can go wrong
        if not is_finished and watch.has_begun:  # else there is nothing new to play, nor a logger to tell it
            watch.num_timesteps = model.num_timesteps
            watch.finish()
    return TrainResult(model, path, tuple(watch.curve), model.num_timesteps, seconds, is_finished, resumed=resumed)


def whole_rollouts(config: TrainConfig, resumed: int) -> int:
    """The steps after which a training ends that goes on from so many: Stable-Baselines3 ends with a rollout."""
    rollout = config.num_envs * config.trajectory
    return resumed + math.ceil((config.steps - resumed) / rollout) * rollout


def prepare_model(config: TrainConfig, model: Any, env: SB3VecEnv, learning_rate: Callable[[float], float]) -> MaskablePPO:
    """A new model, or that of a checkpoint, with a schedule of its learning rate."""
    if model is not None:
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
