"""Training a Stable-Baselines3 agent from a configuration: progress bar, learning curve, files that survive Ctrl-C.

What `train_sb3` is asked for is a `TrainConfig` (`boardgym.baselines.learning.sb3.config`).
"""

import contextlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardgym.wrappers.missing import missing_extra

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.baselines.learning.run_folders import CURVE, MODEL, NETWORK, PICTURE, Run
from boardgym.baselines.learning.runs import Trained, Training, train_into
from boardgym.baselines.learning.sb3.checkpoint import RunState, read_checkpoint, write_model
from boardgym.baselines.learning.sb3.config import TrainConfig, read_config, run_of
from boardgym.baselines.learning.sb3.ladder import summary
from boardgym.baselines.learning.sb3.watch import Companion, Watch
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.core.errors import OptionError
from boardgym.core.game import get_game
from boardgym.wrappers.sb3 import SB3VecEnv
from boardgym.wrappers.sb3_features import LandingFeatures, SharedLayers
from boardgym.wrappers.sb3_network import from_sb3_network
from boardgym.wrappers.sb3_policy import GAME_ATTRIBUTE, OPPONENT_ATTRIBUTE


class SB3Training(Training):
    """A training of MaskablePPO; see `Training`. Its checkpoint is the model itself, written at each point of the curve.

    Args:
        config: its settings, which are settled here. callbacks: run after the one that keeps the curve.
        companion: what is kept beside the model.

    Attributes:
        model: None before it has begun. curve: one (steps, {judge: score rate}) a point.
        network_path: of the compiled network (`network:PATH`), where the training writes one; else None.

    Raises: OptionError, SpecError, UnknownGameError for what the configuration names, and SpecError for a run to resume that is
        not there.
    """

    unit = "steps"
    checkpoint, written, saves_itself = MODEL, (CURVE, PICTURE, MODEL), True
    config: TrainConfig

    def __init__(
        self, config: TrainConfig, *, callbacks: Sequence[BaseCallback] = (), companion: Companion | None = None
    ) -> None:
        self.config, self.companion, self.callbacks = config.settled(), companion or Companion(), callbacks
        self.kind, self.game = config.kind, get_game(config.game)
        self.network_path: Path | None = self.config.folder / NETWORK if NETWORK in self.companion.files else None
        self.model: Any = None
        self._watch: Watch | None = None
        self._state, self._is_over, self._is_cut, self._has_begun = RunState(0.0, []), False, False, False

    @property
    def done(self) -> int:
        """Steps done."""
        return 0 if self.model is None else int(self.model.num_timesteps)

    @property
    def total(self) -> int:
        """Steps in all, rounded up to whole rollouts."""
        return whole_rollouts(self.config, 0)

    @property
    def has_begun(self) -> bool:
        """Whether boards, judges and model are made."""
        return self._has_begun

    @property
    def ended(self) -> str:
        """As of `Training`: by steps, or by the clock."""
        return "all steps are done" if self.done >= self.config.steps else "the time is over"

    @property
    def size(self) -> str:
        """The latest point of the curve."""
        return summary(self.curve[-1][1]) if self.curve else ""

    @property
    def curve(self) -> tuple[tuple[int, dict[str, float]], ...]:
        """(steps, {judge: score rate}) a point."""
        return tuple(self._state.curve if self._watch is None else self._watch.curve)

    def show(self, bar: ProgressBar) -> None:
        """Of the steps, or of the minutes if that is more."""
        if self._watch is not None:
            bar.show(self._watch.fraction(), total=1.0, count=f"{self.done:,} steps", note=self.size)

    def run_in(self, folder: Path) -> Run:
        """As of `Training`. Raises SpecError where a run is to be resumed and there is none."""
        if folder != self.config.folder:
            raise OptionError(f"out={folder}: this training writes into {self.config.folder}; expected the same folder")
        if self.config.resume:
            read_config(type(self.config), folder)
        return run_of(self.config, self.companion.files)

    def open(self, folder: Path) -> None:
        """As of `Training`. Raises UntrustedFileError for a model that no run on this machine wrote."""
        super().open(folder)
        self.companion.restore(self._state.beside)

    def load_checkpoint(self, path: Path) -> None:
        """As of `Training`. Raises UntrustedFileError besides."""
        self.model, self._state = read_checkpoint(path.parent, trust=self.config.trust)

    def save_checkpoint(self, path: Path) -> None:
        """As of `Training`; of a run that was finished before, the model is left as it is."""
        if self._watch is not None and not self._is_over:
            self._watch.save(self.model)

    def write_results(self, folder: Path) -> None:
        """The last point of the curve where Ctrl-C has kept it from being played, and what a killed process has not written."""
        if self._watch is None:
            return
        if self._is_over:
            self._watch.complete(self.model)
        elif self._is_cut and self._watch.has_begun:  # else there is nothing new to play, nor a logger to tell it
            self._watch.num_timesteps = self.done
            with contextlib.suppress(KeyboardInterrupt):  # a second one leaves the games of the last point out
                self._watch.finish()

    def write_agent(self, path: Path) -> None:
        """As of `Training`."""
        if self.network_path is not None:
            from_sb3_network(self.model, self.game).save(path)
        else:
            write_model(path, self.model)

    def spec_in(self, folder: Path) -> str:
        """As of `Training`."""
        return f"sb3:{folder / MODEL}" if self.network_path is None else f"network:{self.network_path}"

    def agent_path(self, folder: Path) -> Path:
        """The network, or else the model."""
        return self.network_path or folder / MODEL

    def report(self, folder: Path) -> dict[str, Any]:
        """As of `Training`."""
        return {
            "model": str(folder / MODEL),
            "network": None if self.network_path is None else str(self.network_path),
            "curve": [{"steps": steps, **scores} for steps, scores in self.curve],
        }

    def go_on(self, watch: Callable[[], None], bar: ProgressBar) -> None:
        """As of `Training`."""
        config, resumed = self.config, self.done
        torch.set_num_threads(config.threads)
        self._watch = keeper = Watch(config, watch, self._state, self.companion)
        keeper.num_timesteps = resumed
        if resumed > 0:
            self._is_over = bool(keeper.fraction() == 1.0 and keeper.curve[-1:] and keeper.curve[-1][0] == resumed)
            said = f"is finished, after {resumed:,} steps" if self._is_over else f"goes on after {resumed:,} steps"
            bar.say(f"{config.folder}: {said}")
            if self._is_over:
                return
        if (whole := whole_rollouts(config, resumed)) != config.steps and resumed < config.steps:
            bar.say(
                f"{config.steps:,} steps are rounded up to {whole:,}: whole rollouts of {config.num_envs} boards x "
                f"{config.trajectory} steps"
            )
        self.model = prepare_model(
            config, self.model, make_env(config), lambda _: config.learning_rate * (1.0 - keeper.fraction())
        )
        self._has_begun = True
        checks = torch.distributions.Distribution._validate_args
        torch.distributions.Distribution.set_default_validate_args(False)  # they take a tenth of the time
        try:
            self.model.learn(
                config.steps - resumed,
                callback=[*self.companion.callbacks, keeper, *self.callbacks],
                reset_num_timesteps=resumed == 0,
            )
        except KeyboardInterrupt:
            self._is_cut = True
            raise
        finally:
            torch.distributions.Distribution.set_default_validate_args(checks)


def train_sb3(
    config: TrainConfig,
    *,
    callbacks: Sequence[BaseCallback] = (),
    companion: Companion | None = None,
    progress: Progress = None,
) -> Trained[SB3Training]:
    """Trains MaskablePPO into the folder `config.out`, or goes on with the training of the same settings that is there.

    See `runs.train_into`. Checkpoints are written at each point of the curve: where steps alone count and on as many threads,
    a run that goes on from one comes to the same weights. With `config.resume` it goes on under other `steps`, `minutes` and
    `points`.

    callbacks, companion: as of `SB3Training`. progress: as of `ProgressBar`; None says how far it has come on stderr.

    Raises: as `SB3Training` and `train_into`; OptionError for changes of a run to resume; UntrustedFileError for a model to go
        on with that no run on this machine wrote.
    """
    training = SB3Training(config, callbacks=callbacks, companion=companion)
    return train_into(training, training.config.folder, progress=progress)


def sb3_training(config: TrainConfig) -> SB3Training:
    """The training of `boardgym train sb3`, which writes its actor as a compiled network too where that can be."""
    config = config.settled()
    return SB3Training(config, companion=network_companion(config))


def network_companion(config: TrainConfig) -> Companion:
    """Writes the actor as network.safetensors, for `network:PATH`, beside each checkpoint; nothing where it has landing cells.

    config: settled. The network's file cannot execute code, as a model's could.
    """
    if config.has_landing:
        return Companion()
    path = config.folder / NETWORK
    return Companion(save=lambda model: from_sb3_network(model, config.game).save(path), files=(NETWORK,))


def make_env(config: TrainConfig) -> SB3VecEnv:
    """The boards of a training. Raises as `SB3VecEnv`."""
    seat = "all" if config.plays_itself else int(config.seat) if config.seat.isdecimal() else config.seat
    return SB3VecEnv(
        get_game(config.game),
        config.num_envs,
        opponent=config.opponent or "random",
        seat=seat,
        setup=config.setup,
        mirror=config.mirror,
        seed=config.seed,
        trust=config.trust,
    )


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
        "MlpPolicy",
        env,
        seed=config.seed,
        device="cpu",
        n_steps=config.trajectory,
        batch_size=config.batch_size,
        n_epochs=config.epochs,
        gamma=-config.discount if config.plays_itself else config.discount,
        gae_lambda=config.gae_lambda,
        ent_coef=config.entropy,
        learning_rate=learning_rate,
        policy_kwargs={
            "features_extractor_class": features,
            "features_extractor_kwargs": sizes,
            "net_arch": [],
            "optimizer_kwargs": {"eps": 1e-5, "fused": True},
        },
    )
    setattr(model, GAME_ATTRIBUTE, env.game.id)
    setattr(model, OPPONENT_ATTRIBUTE, config.opponent or "self-play")
    return model
