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

    Those that the pool.json before it named and this one does not: no other file of the folder is touched. Each file is
    written aside and renamed, and a snapshot never changes, so that the folder holds a whole pool at any time.

    Raises: OptionError: a snapshot without a method `save(path)`; OSError.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    earlier = earlier_names(folder / FILE)
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
    for name in earlier - set(names):
        (folder / f"{name}{ENDING}").unlink(missing_ok=True)


def earlier_names(path: Path) -> set[str]:
    """The snapshots that a pool.json names; none if it cannot be read."""
    try:
        return {record.name for record in read_records(json.loads(path.read_text(encoding="utf-8"))["snapshots"])}
    except (OSError, KeyError, TypeError, ValueError):
        return set()


def restore_pool(pool: OpponentPool, folder: str | Path, load: Callable[[Path, Game], Any] = load_network) -> None:
    """Takes up the snapshots and records that `save_pool` wrote, in place of the pool's own. Its settings stay.

    The latest self's place is empty after it. Of more snapshots than the pool has room for, the newest are kept.

    Args:
        pool: with the game and the anchors of the one that was saved.
        folder: where it was saved.
        load: (path, game) -> the policy that a snapshot's `save` wrote there.

    Raises: SpecError: no pool in that folder, records that no pool can have, another game or other anchors; as `load`.
    """
    path = Path(folder) / FILE
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        latest, snapshots = read_record(state["latest"]), read_records(state["snapshots"])
        anchors = [read_record(entry) for entry in state["anchors"]]
        saved = (state["game"], [record.name for record in anchors])
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SpecError(f"{path}: no pool that save_pool() wrote ({error!r})") from None
    wanted = (pool.game.id, [record.name for record in pool.anchor_records])
    if saved != wanted:
        raise SpecError(f"{path}: a pool of {saved[0]} with the anchors {saved[1]}; expected {wanted[0]} with {wanted[1]}")
    policies = [load(Path(folder) / f"{record.name}{ENDING}", pool.game) for record in snapshots]
    kept = slice(max(len(policies) - pool.capacity, 0), None)
    pool.set_latest(None)
    pool.latest_record, pool.anchor_records = latest, anchors
    pool.snapshots, pool.snapshot_records = policies[kept], snapshots[kept]


def read_record(entry: Any) -> Record:
    """A record from pool.json. Raises TypeError, ValueError for what `Record` could not have come to."""
    record = Record(**entry)
    counts = (record.wins, record.draws, record.losses)
    if not isinstance(record.name, str) or not all(type(count) is int and count >= 0 for count in counts):
        raise ValueError(f"record {entry}: expected a name, and counts of at least 0")
    if type(record.score_rate) not in (int, float) or not 0.0 <= record.score_rate <= 1.0:
        raise ValueError(f"record {entry}: expected a score_rate of 0 to 1")
    return record


def read_records(entries: Any) -> list[Record]:
    """The records of the snapshots. Raises as `read_record`, and ValueError for names that are taken or could be no file's."""
    records = [read_record(entry) for entry in entries]
    if not all(NAME.fullmatch(record.name) for record in records):
        raise ValueError("a snapshot's name is no file's")
    if len({record.name for record in records}) < len(records):
        raise ValueError("two snapshots have the same name")
    return records
