"""Files of an opponent pool: a folder with pool.json and the snapshots it names. Reading them executes nothing."""

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from boardgym.baselines.learning.opponent_pool import NAME, OpponentPool, Record
from boardgym.baselines.networks.network import NetworkPolicy, load_network
from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import remove_parts, write_aside
from boardgym.core.game import Game

FILE, ENDING = "pool.json", ".safetensors"
Count = Annotated[int, msgspec.Meta(ge=0)]


@dataclass(frozen=True)
class StoredRecord:
    """A `Record` as it is stored."""

    name: str
    wins: Count
    draws: Count
    losses: Count
    score_rate: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]

    def record(self) -> Record:
        """It."""
        return Record(**dataclasses.asdict(self))


@dataclass(frozen=True)
class PoolState:
    """What `OpponentPool.state` tells, as far as a pool takes it up."""

    game: str
    latest: StoredRecord
    anchors: list[StoredRecord]
    snapshots: list[StoredRecord]


def save_pool(pool: OpponentPool, folder: str | Path) -> None:
    """Writes the snapshots (NAME.safetensors), then pool.json, which names them, and deletes snapshots that are gone.

    Those that the pool.json before it named and this one does not: no other file of the folder is touched. Each file is
    written aside and renamed, and a snapshot never changes, so that the folder holds a whole pool at any time.

    Raises: OptionError: a snapshot without a method `save(path)`; OSError.
    """
    folder = Path(folder)
    save_snapshots(pool, folder)
    earlier = earlier_names(folder / FILE)
    write_aside(folder / FILE, json.dumps(pool.state(), indent=1).encode())
    for name in earlier - {record.name for record in pool.snapshot_records}:
        (folder / f"{name}{ENDING}").unlink(missing_ok=True)


def save_snapshots(pool: OpponentPool, folder: Path) -> None:
    """Writes the snapshots that are not there yet. Raises as `save_pool`."""
    folder.mkdir(parents=True, exist_ok=True)
    for record, policy in zip(pool.snapshot_records, pool.snapshots, strict=True):
        if not hasattr(policy, "save"):
            raise OptionError(
                f"snapshot {record.name!r}, {policy!r}: expected a NetworkPolicy, or a policy with a method save(path)"
            )
        path = folder / f"{record.name}{ENDING}"
        spec = f"network:{path}"
        if getattr(policy, "spec", None) != spec or not path.exists():
            policy.save(path)
        if isinstance(policy, NetworkPolicy):
            policy.spec = spec  # it need not be written again


def remove_leftovers(pool: OpponentPool, folder: Path) -> None:
    """Deletes what a process that was killed here has left: unfinished files, and snapshots that are not the pool's."""
    remove_parts(folder)
    names = {record.name for record in pool.snapshot_records}
    for path in folder.glob(f"step_*{ENDING}"):
        if path.stem not in names:
            path.unlink(missing_ok=True)


def earlier_names(path: Path) -> set[str]:
    """The snapshots that a pool.json names; none if it cannot be read."""
    try:
        return {record.name for record in read_state(path).snapshots}
    except SpecError:
        return set()


def read_state(path: Path) -> PoolState:
    """What a pool.json tells. Raises SpecError."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise SpecError(f"{path}: no pool that save_pool() wrote ({error.strerror})") from None
    state = read_json(text, PoolState, SpecError, f"what save_pool() wrote in {path}")
    check_names(state, str(path))
    return state


def check_names(state: PoolState, where: str) -> None:
    """Raises SpecError for names of snapshots that are taken, or could be no file's."""
    names = [record.name for record in state.snapshots]
    if len(set(names)) < len(names) or not all(map(NAME.fullmatch, names)):
        raise SpecError(f"{where}: snapshots {names}; expected names that differ, of letters, digits, '_' and '-'")


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
    put_into(pool, read_state(path), Path(folder), str(path), load)


def put_into(
    pool: OpponentPool, state: PoolState, folder: Path, where: str, load: Callable[[Path, Game], Any] = load_network
) -> None:
    """As `restore_pool`, with records that stood elsewhere. where: for messages. Raises as that."""
    check_names(state, where)
    saved = (state.game, [record.name for record in state.anchors])
    wanted = (pool.game.id, [record.name for record in pool.anchor_records])
    if saved != wanted:
        raise SpecError(f"{where}: a pool of {saved[0]} with the anchors {saved[1]}; expected {wanted[0]} with {wanted[1]}")
    policies = [load(folder / f"{record.name}{ENDING}", pool.game) for record in state.snapshots]
    kept = slice(max(len(policies) - pool.capacity, 0), None)
    pool.set_latest(None)
    pool.latest_record, pool.anchor_records = state.latest.record(), [record.record() for record in state.anchors]
    pool.snapshots, pool.snapshot_records = policies[kept], [record.record() for record in state.snapshots[kept]]
