"""Training by self-play alone from a configuration: MaskablePPO against a pool of its earlier selves.

`SelfPlayConfig` is at once the command line of `boardgym train selfplay`, the JSON beside a run, and the argument of
`train_selfplay`. The recipe: half of the boards play the latest self, the others snapshots weighted by p (1 - p); games
begin with random plies and are seen under random symmetries; a snapshot is admitted if it scores 55 % against the pool.
"""

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from boardgym.core.cache import write_aside
from boardgym.wrappers.pool import OpponentPool
from boardgym.wrappers.pool_files import FILE, restore_pool, save_pool
from boardgym.wrappers.sb3_network import from_sb3_network
from boardgym.wrappers.sb3_selfplay import SelfPlayCallback
from boardgym.wrappers.training import TrainConfig, TrainResult, train_sb3

NETWORK, POOL, ADMISSIONS = "network.safetensors", "pool", "admissions.json"


@dataclass(frozen=True)
class SelfPlayConfig(TrainConfig):
    """How to train MaskablePPO by self-play.

    Attributes:
        opponent: spec of a fixed opponent in place of the pool, as a control; empty: self-play.
        every: steps between snapshots.
        gate: score rate against the pool that admits a snapshot; 0 admits all.
        gate_games: that a snapshot plays to be admitted.
        sampling: of the snapshots, "pfsp", "uniform" or "rating".
        capacity: most snapshots in the pool.
        latest_share: of the games, against the latest self.
        temperature: at which the pool's networks draw their actions.
        anchors: specs of fixed opponents in the pool; none: self-play alone.
        anchor_share: of the games, against them.
    """

    opponent: str = ""
    steps: int = 20_000_000
    out: Path = Path("runs/selfplay")
    num_envs: int = 256
    batch_size: int = 2048  # with twice the boards: two fifths faster than 1024 with 128
    judges: tuple[str, ...] = ("random", "greedy", "minimax:2", "uct:100")
    every: int = 400_000
    gate: float = 0.55
    gate_games: int = 200
    sampling: str = "pfsp"
    capacity: int = 20
    latest_share: float = 0.5
    temperature: float = 1.0
    anchors: tuple[str, ...] = ()
    anchor_share: float = 0.0


def train_selfplay(config: SelfPlayConfig, *, console: Console | None = None) -> TrainResult:
    """Trains. Writes what `train_sb3` does, and network.safetensors (for the spec `network:PATH`), pool/, admissions.json.

    Ctrl-C ends the training early; `config.resume` goes on with it, pool and all.

    Raises: as `train_sb3`, `OpponentPool`, `SelfPlayCallback`.
    """
    config.check()
    pool = OpponentPool(config.game, config.anchors, sampling=config.sampling, capacity=config.capacity,
                        latest_share=config.latest_share, anchor_share=config.anchor_share)  # fmt: skip
    folder = config.out / POOL
    callback = SelfPlayCallback(pool, every=config.every, gate=config.gate or None, gate_games=config.gate_games,
                                setup=config.setup, folder=folder, temperature=config.temperature,
                                seed=config.seed + 2_000_000)  # fmt: skip
    if config.resume and (folder / FILE).is_file():
        restore_pool(pool, folder)
    result = train_sb3(config, callbacks=() if config.opponent else (callback,), console=console)
    network = from_sb3_network(result.model, config.game)
    network.save(config.out / NETWORK)
    if not config.opponent:
        save_pool(pool, folder)
        write_aside(config.out / ADMISSIONS, json.dumps(callback.log, indent=1).encode())
    return dataclasses.replace(result, network_path=config.out / NETWORK)
