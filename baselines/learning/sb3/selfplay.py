"""Training by self-play alone from a configuration: MaskablePPO against itself, or against a pool of its earlier selves.

`SelfPlayConfig` is at once the command line of `boardgym train selfplay`, the JSON beside a run, and the argument of
`train_selfplay`. The recipe: one network plays both seats of every game and learns from each ply, for the value of a position
is minus that of the next. With a pool: half of the boards play the latest self, the others snapshots weighted by p (1 - p), and
a snapshot is admitted if it scores 55 % against the pool. Games begin with random plies and are seen under random symmetries.
"""

import dataclasses
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from boardgym.baselines.learning.opponent_pool import OpponentPool
from boardgym.baselines.learning.pool_files import PoolState, put_into, remove_leftovers, save_pool, save_snapshots
from boardgym.baselines.learning.run_folders import AWAY, CONFIG, MODEL
from boardgym.baselines.learning.runs import Trained, train_into
from boardgym.baselines.learning.sb3.config import TrainConfig
from boardgym.baselines.learning.sb3.selfplay_callback import Admission, SelfPlayCallback
from boardgym.baselines.learning.sb3.trainer import SB3Training, network_companion
from boardgym.baselines.learning.sb3.watch import Companion
from boardgym.baselines.progress import Progress
from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import write_aside

POOL, ADMISSIONS = "pool", "admissions.json"
POOL_SETTINGS = (
    "every",
    "gate",
    "gate_games",
    "sampling",
    "capacity",
    "latest_share",
    "temperature",
    "anchors",
    "anchor_share",
)


@dataclass(frozen=True)
class SelfPlayConfig(TrainConfig):
    """How to train MaskablePPO by self-play.

    Attributes:
        opponent: spec of a fixed opponent, as a control; empty: self-play.
        pool: play one seat against a pool of earlier selves. Otherwise the agent plays both seats and learns from both, which
            requires alternating turns.
        every: steps between snapshots.
        gate: score rate against the pool that a snapshot needs to be admitted; 0 admits all.
        gate_games: games that a snapshot plays to be admitted.
        sampling: how snapshots are drawn: "pfsp", "uniform" or "rating".
        capacity: maximum number of snapshots in the pool.
        latest_share: share of the games against the latest self.
        temperature: softmax temperature at which the pool's networks draw their actions.
        anchors: specs of fixed opponents in the pool; none: self-play alone.
        anchor_share: share of the games against the anchors; None: a fifth if there are any.
    """

    opponent: str = ""
    pool: bool = False
    steps: int = 25_000_000
    num_envs: int = 512
    setup: str = ""
    trajectory: int = 32
    batch_size: int = 2048
    epochs: int = 2
    hidden: tuple[int, ...] = (128,)
    landing: int = 3
    entropy: float = 0.03
    final_entropy: float | None = 0.005
    learning_rate: float = 2.5e-3
    judges: tuple[str, ...] = ("random", "greedy", "minimax:2", "uct:100")
    every: int = 400_000
    gate: float = 0.55
    gate_games: int = 200
    sampling: Literal["pfsp", "uniform", "rating"] = "pfsp"
    capacity: int = 20
    latest_share: float = 0.5
    temperature: float = 1.0
    anchors: tuple[str, ...] = ()
    anchor_share: float | None = None

    def check(self) -> None:
        """Raises OptionError for numbers that no run can have, and for settings of a pool where there is none."""
        super().check()
        if self.plays_itself and self.seat != "random":
            raise OptionError(f"seat={self.seat!r} where both are played; expected it with a pool or an opponent")
        if self.pool and self.opponent:
            raise OptionError(f"opponent={self.opponent!r} and a pool; expected one or the other")
        given = [
            f"{name}={getattr(self, name)!r}" for name in POOL_SETTINGS if getattr(self, name) != getattr(SelfPlayConfig, name)
        ]
        if given and not self.pool:
            raise OptionError(f"{', '.join(given)} without a pool, whose settings these are; expected pool=True (--pool)")
        if self.pool and self.has_landing:
            raise OptionError(
                f"landing={self.landing} with a pool, whose snapshots are kept as compiled networks, which have "
                "no such layer; expected landing=0 (--landing 0)"
            )

    @property
    def kind(self) -> str:
        """Of training."""
        return "selfplay"

    @property
    def plays_itself(self) -> bool:
        """Whether the agent plays both seats of every game, and there are no opponents."""
        return not (self.pool or self.opponent)


@dataclass(frozen=True)
class PoolRun:
    """What a checkpoint holds of a pool: its records, and the admissions so far."""

    pool: PoolState
    admissions: list[Admission]


def train_selfplay(
    config: SelfPlayConfig, *, callbacks: Sequence[Any] = (), files: Sequence[str] = (), progress: Progress = None
) -> Trained[SB3Training]:
    """Trains, or goes on. Writes what `train_sb3` does, and network.safetensors, pool/ and admissions.json.

    The network, for `network:PATH`, comes of an actor that is a multilayer perceptron (`landing=0`), the last two of a pool.
    All are written with the model, at each point of the curve, and are as that was then. Ctrl-C ends the training early; the
    same call goes on with it, or one with `config.resume`, pool and all.

    callbacks: of Stable-Baselines3, run after the training's own. files: names of what the caller writes into the folder when
    it is over: it is not begun where somebody else's have them.

    Raises: as `train_sb3`, `OpponentPool`, `SelfPlayCallback`.
    """
    training = selfplay_training(config, callbacks=callbacks, files=files)
    return train_into(training, training.config.folder, progress=progress)


def selfplay_training(config: SelfPlayConfig, *, callbacks: Sequence[Any] = (), files: Sequence[str] = ()) -> SB3Training:
    """The training of a configuration; as of `train_selfplay`."""
    config = config.settled()
    network = network_companion(config)
    beside = make_companion(config, network.save) if config.pool else network
    written = (*network.files, *([ADMISSIONS] if config.pool else []), *files)
    return SB3Training(config, callbacks=callbacks, companion=dataclasses.replace(beside, files=written))


def make_companion(config: SelfPlayConfig, save_network: Callable[[Any], None]) -> Companion:
    """The pool of a training, and what it keeps of it. Raises as `OpponentPool`, `SelfPlayCallback`."""
    pool = OpponentPool(
        config.game,
        config.anchors,
        sampling=config.sampling,
        capacity=config.capacity,
        trust=config.trust,
        latest_share=config.latest_share,
        anchor_share=config.anchor_share,
    )
    self_play = SelfPlayCallback(
        pool,
        every=config.every,
        gate=config.gate or None,
        gate_games=config.gate_games,
        setup=config.setup,
        temperature=config.temperature,
        seed=config.seed + 2_000_000,
    )
    folder = config.folder / POOL

    def state() -> dict[str, Any]:
        save_snapshots(pool, folder)  # the later ones are on the disk before the checkpoint that names them
        return {"pool": pool.state(), "admissions": self_play.log}

    def restore(stored: dict[str, Any]) -> None:
        if not stored and not (config.folder / CONFIG).exists() and any(folder.glob("*")):
            raise OptionError(f"{folder}: holds files, and {config.folder} no training that they are of; {AWAY}")
        if stored:
            path = config.folder / MODEL
            kept = read_json(json.dumps(stored), PoolRun, SpecError, f"the pool of a training in {path}")
            put_into(pool, kept.pool, folder, str(path))
            self_play.log = [dataclasses.asdict(admission) for admission in kept.admissions]
        if folder.is_dir():
            remove_leftovers(pool, folder)

    def save(model: Any) -> None:
        save_network(model)
        save_pool(pool, folder)  # deletes the snapshots that the checkpoint does not name any more
        write_aside(config.folder / ADMISSIONS, json.dumps(self_play.log, indent=1).encode())

    return Companion((self_play,), state, restore, save, self_play.begin_games)
