"""Stable-Baselines3: self-play against an opponent pool, as a callback."""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.wrappers.missing import missing_extra

try:
    from stable_baselines3.common.callbacks import BaseCallback
except ModuleNotFoundError as error:
    raise missing_extra(error, "Stable-Baselines3", "boardgym[sb3]") from error

from boardgym.baselines.learning.curve import score_rate
from boardgym.baselines.learning.opponent_pool import OpponentPool
from boardgym.baselines.learning.pool_files import save_pool
from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.core.errors import OptionError
from boardgym.core.files import write_aside
from boardgym.envs.batch import Batch
from boardgym.wrappers.sb3_network import refresh, snapshot
from boardgym.wrappers.sb3_policy import SB3Policy


@dataclass(frozen=True)
class Admission:
    """A request of a model to be admitted to its pool.

    steps: of the model. name: of the snapshot. score_rate: at the gate, None for the first. gone: who had to go.
    """

    steps: int
    name: str
    score_rate: float | None
    is_admitted: bool
    gone: str | None


class SelfPlayCallback(BaseCallback):  # type: ignore[misc]
    """Trains a model against a pool of its earlier selves, which it feeds with snapshots.

    `model.learn(1_000_000, callback=SelfPlayCallback(OpponentPool("ConnectFour-v0")))`, the model's environment an
    `SB3VecEnv` with `seat="random"`.

    The environment plays the pool from the first step on (`set_opponent`; games under way go on against new opponents). The
    latest self takes over the model's weights before each rollout. Every `every` steps, and at the end, the model asks to be
    admitted as a snapshot: it plays `gate_games` games against the pool's anchors and snapshots, as they are weighted then,
    and is let in if it scores at least `gate`; the first snapshot always is. The weights follow the results at the same time.

    Models whose actor is a multilayer perceptron play as compiled networks, inside the environment's step; others as
    frozen copies, through torch.

    To the model's logger go `self_play/snapshots`, `self_play/gate` (the latest score rate there), `self_play/against_latest`,
    `self_play/against_snapshots` (the mean score rate), `self_play/weight_max`.

    Args:
        pool: of the environment's game, of two seats.
        every: steps between snapshots.
        gate: score rate in [0, 1] that lets one in; None: each is.
        gate_games: half of them in each seat; rounded up to an even number.
        setup: where the games of the gate start.
        folder: the pool is saved there after each change (`learning.pool_files`); models that become compiled
            networks only.
        temperature: at which compiled networks of the pool draw their actions, above 0; below 1 they blunder less than the
            learner, which explores.
        log_file: JSON file for `log`, rewritten at each request.
        seed: of the games of the gate and of the snapshots.

    Attributes:
        log: one dict for each request, with the fields of an `Admission`. Give that of an earlier training to go on with it.

    Raises:
        OptionError: numbers out of range; at the start of training, an environment without `set_opponent` or of another game,
            a `folder` for a model that becomes no compiled network.
    """

    def __init__(
        self,
        pool: OpponentPool,
        *,
        every: int = 50_000,
        gate: float | None = 0.55,
        gate_games: int = 100,
        setup: str = "random:0-6",
        folder: str | Path | None = None,
        temperature: float = 1.0,
        log_file: str | Path | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__()
        if every < 1 or gate_games < 1 or not (gate is None or 0.0 <= gate <= 1.0):
            raise OptionError(f"every={every}, gate_games={gate_games}, gate={gate}: expected at least 1, at least 1, 0 to 1")
        self.pool, self.every, self.gate, self.gate_games = pool, every, gate, gate_games
        if not 0.0 < temperature < math.inf:
            raise OptionError(f"temperature={temperature}: expected a number above 0")
        self.setup, self.first_seed, self.temperature = setup, seed, temperature
        self.folder, self.log_file = (None if path is None else Path(path) for path in (folder, log_file))
        self.batches: list[Batch] = []
        self.log: list[dict[str, Any]] = []

    def _on_training_start(self) -> None:
        if not all(self.training_env.has_attr(name) for name in ("set_opponent", "game")):
            raise OptionError(f"{self.training_env}: expected an SB3VecEnv, whose opponent can be set")
        game = self.training_env.get_attr("game")[0]
        if game.token.name != self.pool.game.token.name:
            raise OptionError(
                f"the environment plays {game.id} {dict(game.options)}, the pool {self.pool.game.id} "
                f"{dict(self.pool.game.options)}; expected the same game"
            )
        latest = self.snapshot()
        if self.folder is not None and not isinstance(latest, NetworkPolicy):
            raise OptionError(
                f"folder={str(self.folder)!r}: the actor of this {type(self.model).__name__} is no multilayer "
                "perceptron, whose snapshots could be saved; expected 'MlpPolicy' with its own or SharedLayers' "
                "features, or no folder"
            )
        self.pool.set_latest(latest)  # whatever was there: only a snapshot of this model can be refreshed from it
        self.asked = self.num_timesteps
        self._send()

    def _send(self) -> None:
        """Lets the environment play the pool as it is now. Games that change opponents on their way are not booked."""
        self.training_env.env_method("set_opponent", self.pool)
        self.is_whole = np.zeros(self.training_env.num_envs, bool)

    def begin_games(self) -> None:
        """Before all games begin anew: they are played against the pool as it is, and booked from the first one on."""
        self._send()
        self.is_whole[:] = True

    def _on_rollout_start(self) -> None:
        refresh(self.pool.latest, self.model)
        if self.num_timesteps // self.every > self.asked // self.every:
            self.asked = self.num_timesteps
            self.ask_for_admission()
            self._send()

    def _on_step(self) -> bool:
        over = np.flatnonzero(self.locals["dones"])
        if len(over):
            infos = self.locals["infos"]
            whole = [infos[i] for i in over if self.is_whole[i]]
            self.pool.record([info["opponent"] for info in whole], [info["outcome"] for info in whole])
            self.is_whole[over] = True
        return True

    def snapshot(self) -> Any:
        """The model as it is now, as a policy."""
        return snapshot(self.model, self.pool.game, temperature=self.temperature, seed=self.first_seed)

    def _on_training_end(self) -> None:
        if self.num_timesteps > self.asked:
            self.asked = self.num_timesteps
            self.ask_for_admission()
            self._send()

    def ask_for_admission(self) -> bool:
        """Plays the gate's games, and adds a snapshot if they went well enough. Returns whether it did."""
        pool, name = self.pool, f"step_{self.num_timesteps}"
        while name in {record.name for record in pool.snapshot_records}:  # steps begin at 0 again in another learn()
            name += "_"
        mixture = pool.without_latest() if pool.snapshots else None
        rate = None if mixture is None or self.gate is None else self.play_gate(mixture)
        is_admitted = rate is None or self.gate is None or rate >= self.gate
        gone = pool.add(self.snapshot(), name) if is_admitted else None
        self.log.append(asdict(Admission(self.num_timesteps, name, rate, is_admitted, gone)))
        self._write(rate)
        if self.log_file is not None:
            write_aside(self.log_file, json.dumps(self.log, indent=1).encode())
        if self.folder is not None:
            save_pool(pool, self.folder)
        return is_admitted

    def play_gate(self, mixture: Any) -> float:
        """The score rate of the model, which draws its actions, against a mixture."""
        half = (self.gate_games + 1) // 2
        if self.batches:
            for batch in self.batches:
                batch.set_opponent(mixture)
        else:
            self.batches = [Batch(self.pool.game, half, opponent=mixture, seat=seat, setup=self.setup) for seat in (0, 1)]
        policy = SB3Policy(self.model, self.pool.game, seed=0)
        rng = np.arange(half, dtype=np.uint64) + np.uint64(self.first_seed + self.num_timesteps)
        rows, history = np.zeros((half, 0), np.int64), [np.zeros(0, np.int64)] * half  # a network sees neither

        def choose(observations: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[np.int64]:
            return policy.act_batch(observations, masks, rows, history, rng)

        return score_rate(self.batches, choose, self.first_seed + self.num_timesteps)

    def _write(self, rate: float | None) -> None:
        record, pool = self.logger.record, self.pool
        record("self_play/snapshots", len(pool.snapshots))
        record("self_play/against_latest", pool.latest_record.score_rate)
        if rate is not None:
            record("self_play/gate", rate)
        if pool.snapshots:
            record("self_play/against_snapshots", float(np.mean([r.score_rate for r in pool.snapshot_records])))
            record("self_play/weight_max", float(pool.snapshot_weights().max()))
