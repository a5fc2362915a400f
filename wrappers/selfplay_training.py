"""Training by self-play alone from a configuration: MaskablePPO against itself, or against a pool of its earlier selves.

`SelfPlayConfig` is at once the command line of `boardgym train selfplay`, the JSON beside a run, and the argument of
`train_selfplay`. The recipe: one network plays both seats of every game and learns from each ply, for the value of a position
is minus that of the next. With a pool: half of the boards play the latest self, the others snapshots weighted by p (1 - p), and
a snapshot is admitted if it scores 55 % against the pool. Games begin with random plies and are seen under random symmetries.
"""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from boardgym.core.cache import write_aside
from boardgym.core.errors import OptionError, SpecError
from boardgym.wrappers.pool import OpponentPool
from boardgym.wrappers.pool_files import FILE, restore_pool, save_pool
from boardgym.wrappers.sb3_network import from_sb3_network
from boardgym.wrappers.sb3_selfplay import SelfPlayCallback
from boardgym.wrappers.training import TrainResult, train_sb3
from boardgym.wrappers.training_config import TrainConfig, check_same_run

NETWORK, POOL, ADMISSIONS = "network.safetensors", "pool", "admissions.json"
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
        pool: whether it plays one seat against a pool of its earlier selves; else it plays both seats and learns from both, for
            which turns have to alternate.
        every: steps between snapshots.
        gate: score rate against the pool that admits a snapshot; 0 admits all.
        gate_games: that a snapshot plays to be admitted.
        sampling: of the snapshots, "pfsp", "uniform" or "rating".
        capacity: most snapshots in the pool.
        latest_share: of the games, against the latest self.
        temperature: at which the pool's networks draw their actions.
        anchors: specs of fixed opponents in the pool; none: self-play alone.
        anchor_share: of the games, against them; None: a fifth if there are any.
    """

    opponent: str = ""
    pool: bool = False
    steps: int = 25_000_000
    out: Path = Path("runs/selfplay")
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
            raise OptionError(f"landing={self.landing} with a pool, whose snapshots are kept as compiled networks, which have "
                              "no such layer; expected landing=0 (--landing 0)")  # fmt: skip

    @property
    def plays_itself(self) -> bool:
        """Whether the agent plays both seats of every game, and there are no opponents."""
        return not (self.pool or self.opponent)


def train_selfplay(config: SelfPlayConfig, *, callbacks: Sequence[Any] = (), console: Console | None = None) -> TrainResult:
    """Trains. Writes what `train_sb3` does, and network.safetensors, pool/ and admissions.json.

    The network, for `network:PATH`, comes of an actor that is a multilayer perceptron (`landing=0`), the last two of a pool.
    The network is written with the model, at each point of the curve; the pool and the admissions at each request besides.
    Ctrl-C ends the training early; `config.resume` goes on with it, pool and all.

    callbacks: of Stable-Baselines3, run after the training's own.

    Raises: as `train_sb3`, `OpponentPool`, `SelfPlayCallback`; SpecError for an admissions.json that is none.
    """
    config = config.settled()
    if config.resume:
        check_same_run(config)
    network = None if config.has_landing else config.out / NETWORK

    def save_network(model: Any) -> None:
        if network is not None:
            from_sb3_network(model, config.game).save(network)

    if not config.pool:
        result = train_sb3(config, callbacks=callbacks, on_save=save_network, console=console)
        return dataclasses.replace(result, network_path=network)
    pool = OpponentPool(config.game, config.anchors, sampling=config.sampling, capacity=config.capacity, trust=config.trust,
                        latest_share=config.latest_share, anchor_share=config.anchor_share)  # fmt: skip
    folder, log_file = config.out / POOL, config.out / ADMISSIONS
    self_play = SelfPlayCallback(pool, every=config.every, gate=config.gate or None, gate_games=config.gate_games,
                                 setup=config.setup, folder=folder, log_file=log_file, temperature=config.temperature,
                                 seed=config.seed + 2_000_000)  # fmt: skip
    if config.resume:
        if (folder / FILE).is_file():
            restore_pool(pool, folder)
        self_play.log = read_log(log_file)

    def save_all(model: Any) -> None:
        save_network(model)
        save_pool(pool, folder)
        write_aside(log_file, json.dumps(self_play.log, indent=1).encode())

    result = train_sb3(config, callbacks=(self_play, *callbacks), on_save=save_all, console=console)
    return dataclasses.replace(result, network_path=network)


def read_log(path: Path) -> list[dict[str, Any]]:
    """The admissions so far; none where there is no file. Raises SpecError for a file that holds something else."""
    if not path.exists():
        return []
    try:
        log = json.loads(path.read_text(encoding="utf-8"))
        if not (isinstance(log, list) and all(isinstance(entry, dict) and "steps" in entry for entry in log)):
            raise ValueError("no list of requests")
    except (OSError, ValueError, RecursionError) as error:
        raise SpecError(f"{path}: no admissions that a run wrote ({error!r})") from None
    return log
