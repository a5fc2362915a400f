"""What watches over a training of Stable-Baselines3: curve, checkpoints, progress bar, and the end when the time is over."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boardgym.wrappers.missing import missing_extra

try:
    from stable_baselines3.common.callbacks import BaseCallback
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.baselines.learning.curve import save_curve
from boardgym.baselines.learning.run_folders import CURVE, PICTURE
from boardgym.baselines.learning.sb3.checkpoint import RunState, write_checkpoint
from boardgym.baselines.learning.sb3.config import TrainConfig
from boardgym.baselines.learning.sb3.ladder import LadderCallback


@dataclass(frozen=True)
class Companion:
    """What a kind of training keeps beside its model.

    Attributes:
        callbacks: run before the one that keeps the curve.
        state: gives plain data for the checkpoint; files that it names are on the disk by then.
        restore: takes what `state` gave.
        save: is called with the model after each checkpoint, and writes what can be made again from it.
        restart: is called before all games begin anew.
        files: names of what `save` writes into the folder of the run, and of what others write there when it is over.
    """

    callbacks: Sequence[BaseCallback] = ()
    state: Callable[[], dict[str, Any]] = dict
    restore: Callable[[dict[str, Any]], None] = lambda state: None
    save: Callable[[Any], None] = lambda model: None
    restart: Callable[[], None] = lambda: None
    files: Sequence[str] = ()


class Watch(LadderCallback):
    """The curve, a checkpoint at each of its points, and the end when the time is over. tell: is called between rollouts.

    With a checkpoint all games begin anew, from seeds that follow from the steps alone. No checkpoint could hold the games that
    are under way: so a run that goes on from it does what it would have done had it not been interrupted.
    """

    def __init__(self, config: TrainConfig, tell: Callable[[], None], state: RunState, companion: Companion) -> None:
        super().__init__(
            config.game,
            config.judges,
            games=config.judge_games,
            csv=config.folder / CURVE,
            setup=config.judge_setup,
            picture=config.folder / PICTURE,
            seed=config.seed + 1_000_000,  # other games than those of the training boards
            title=f"MaskablePPO on {config.game}, seed {config.seed}",
            trust=config.trust,
        )
        self.config, self.tell, self.before, self.started = config, tell, state.seconds, time.monotonic()
        self.companion, self.curve, self.has_begun, self.is_restarted = companion, state.curve, False, False
        self.is_timed = False

    def seconds(self) -> float:
        """Spent on this training, earlier sessions of it included."""
        return self.before + time.monotonic() - self.started

    def fraction(self) -> float:
        """Of the training that is done, in [0, 1]: of the steps, or of the minutes if that is more."""
        limit = math.inf if self.config.minutes is None else 60.0 * self.config.minutes
        return min(max(self.num_timesteps / self.config.steps, self.seconds() / limit), 1.0)

    def save(self, model: Any) -> Path:
        """Writes the checkpoint of the run as it is now, then its other files. Returns the model's path."""
        state = RunState(round(self.seconds(), 3), self.curve, self.companion.state())
        path = write_checkpoint(self.config.folder, model, state)
        self.companion.save(model)
        self.is_restarted = False
        return path

    def complete(self, model: Any) -> None:
        """Writes what a process that was killed may not have written beside the checkpoint of a finished run."""
        self.model = model
        self.companion.save(model)
        save_curve(self.config.folder / CURVE, self.curve, self.judge.games)
        self.finish()

    def _on_training_start(self) -> None:
        self.has_begun = True
        super()._on_training_start()

    def is_due(self) -> bool:
        """Whether the part of the training that is done asks for another point, and these steps have none."""
        if self.curve and self.curve[-1][0] == self.num_timesteps:  # of the checkpoint that a killed run goes on from
            return False
        return len(self.curve) <= self.fraction() * self.config.points < self.config.points

    def _on_rollout_start(self) -> None:
        if self.is_due():
            self.add_point()
        if not self.is_restarted:
            self._restart()
        if not self.is_timed:  # all before the first rollout is to get ready, compilation of judges for instance
            self.started, self.is_timed = time.monotonic(), True
        first, last = self.config.entropy, self.config.final_entropy
        if last is not None:
            self.model.ent_coef = first + (last - first) * self.fraction()  # type: ignore[attr-defined]

    def _restart(self) -> None:
        self.model.set_random_seed(self.config.seed + self.num_timesteps)  # of torch, and of the boards
        self.companion.restart()
        self.model._last_obs = self.training_env.reset()  # type: ignore[assignment]
        self.model._last_episode_starts = np.ones(self.training_env.num_envs, bool)
        self.is_restarted = True

    def _on_step(self) -> bool:
        return self.config.minutes is None or self.seconds() < 60.0 * self.config.minutes

    def _on_rollout_end(self) -> None:
        self.tell()

    def add_point(self) -> None:
        """A point of the curve, and a checkpoint."""
        super().add_point()
        self.tell()
        self.save(self.model)
