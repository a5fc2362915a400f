"""Files of an opponent pool: a folder with pool.json and the snapshots it names. Reading them executes nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boardgym.baselines.neural.network import NetworkPolicy, load_network
from boardgym.core.cache import write_aside
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.game import Game
from boardgym.wrappers.pool import NAME, OpponentPool, Record

FILE, ENDING = "pool.json", ".safetensors"


def save_pool(pool: OpponentPool, folder: str | Path) -> None:
    """Writes the snapshots (NAME.safetensors), then pool.json, which names them, and deletes snapshots that are gone.

    Each file is written aside and renamed, and a snapshot never changes, so that the folder holds a whole pool at any time.

    Raises: OptionError: a snapshot without a method `save(path)`; OSError.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    names = [record.name for record in pool.snapshot_records]
    for name, policy in zip(names, pool.snapshots, strict=True):
        if not hasattr(policy, "save"):
            raise OptionError(f"snapshot {name!r}, {policy!r}: expected a NetworkPolicy, or a policy with a method save(path)")
        path = folder / f"{name}{ENDING}"
        spec = f"network:{path}"
        if getattr(policy, "spec", None) != spec or not path.exists():
            policy.save(path)
        if isinstance(policy, NetworkPolicy):
            policy.spec = spec  # it need not be written again
    write_aside(folder / FILE, json.dumps(pool.state(), indent=1).encode())
    for path in folder.glob(f"*{ENDING}"):
        if path.stem not in names:
            path.unlink()


def restore_pool(pool: OpponentPool, folder: str | Path, load: Callable[[Path, Game], Any] = load_network) -> None:
    """Takes up the snapshots and records that `save_pool` wrote, in place of the pool's own. Its settings stay.

    The latest self's place is empty after it. Of more snapshots than the pool has room for, the newest are kept.

    Args:
        pool: with the game and the anchors of the one that was saved.
        folder: where it was saved.
        load: (path, game) -> the policy that a snapshot's `save` wrote there.

    Raises: SpecError: no pool in that folder, or one of another game or with other anchors.
    """
    path = Path(folder) / FILE
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        latest, anchors, snapshots = (
            [Record(**entry) for entry in entries] for entries in ([state["latest"]], state["anchors"], state["snapshots"])
        )
        saved = (state["game"], [record.name for record in anchors])
        if not all(NAME.fullmatch(record.name) for record in snapshots):
            raise ValueError("a snapshot's name is no file's")
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SpecError(f"{path}: no pool that save_pool() wrote ({error!r})") from None
    wanted = (pool.game.id, [record.name for record in pool.anchor_records])
    if saved != wanted:
        raise SpecError(f"{path}: a pool of {saved[0]} with the anchors {saved[1]}; expected {wanted[0]} with {wanted[1]}")
    policies = [load(Path(folder) / f"{record.name}{ENDING}", pool.game) for record in snapshots]
    kept = slice(max(len(policies) - pool.capacity, 0), None)
    pool.set_latest(None)
    pool.latest_record, pool.anchor_records = latest[0], anchors
    pool.snapshots, pool.snapshot_records = policies[kept], snapshots[kept]
