"""Checkpoints of a cascade in training: what it has grown so far, with digests of the examples and the settings."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles, digest_of
from boardgym.baselines.learning.cascade.cascade import Cascade, Progress
from boardgym.baselines.learning.cascade.settings import FREE, MOST_UNITS, settings_of
from boardgym.baselines.networks.cascade_functions import LINEAR
from boardgym.baselines.networks.cascade_network import MOST_WEIGHT
from boardgym.baselines.typed_json import plain_data, read_data
from boardgym.core.errors import SpecError


def advice(path: Path) -> str:
    """What to do about a checkpoint that cannot be used."""
    return "take another file, or delete this one to begin anew"


CHECKPOINTS = ArrayFiles("boardgym cascade checkpoint", 1, "a checkpoint of a cascade", SpecError, advice)


class CheckpointHeader(msgspec.Struct):
    """What a checkpoint says. examples: their digest. history: as `Cascade.history`."""

    examples: str
    settings: dict[str, Any]
    history: list[Progress]
    best_units: Annotated[int, msgspec.Meta(ge=0, le=MOST_UNITS)]


def digest_of_examples(parts: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]] | None]) -> str:
    """SHA-256 of the examples for training, tests and reports. 64 hex digits."""
    arrays = {f"{number}.{name}": array for number, part in enumerate(parts) if part is not None
              for name, array in zip(("X", "y"), part, strict=True)}  # fmt: skip
    return digest_of(arrays)


def fixed_settings(cascade: Cascade) -> dict[str, Any]:
    """The settings that must be the same when a training goes on."""
    found: dict[str, Any] = plain_data(settings_of(cascade.settings))
    return {name: value for name, value in found.items() if name not in FREE}


def write_checkpoint(path: Path, cascade: Cascade, examples: str) -> None:
    """Writes the training so far, whole or not at all. Raises OSError."""
    hidden = cascade.hidden
    arrays = {
        "functions": np.array([function for function, _, _ in hidden], np.int64),
        "steepnesses": np.array([steepness for _, steepness, _ in hidden], np.float64),
        "weights": np.concatenate([own for _, _, own in hidden]) if hidden else np.empty(0),
        "output_weights": cascade.output_weights,
        "best_weights": cascade.best_weights,
    }
    history = [dataclasses.asdict(it) for it in cascade.history]
    CHECKPOINTS.write(path, arrays, {"examples": examples, "settings": fixed_settings(cascade), "history": history,
                                     "best_units": cascade.best_units})  # fmt: skip


def read_checkpoint(path: Path, cascade: Cascade, examples: str) -> None:
    """Takes a training that has not begun to where a checkpoint ended. Raises SpecError: not of this training, or damaged."""
    arrays, found = CHECKPOINTS.read(path, {})
    header = read_data(found, CheckpointHeader, SpecError, f"the header of a checkpoint in {path}")
    settings = fixed_settings(cascade)  # before the examples: another seed divides the same examples otherwise
    if header.settings != settings:
        others = [name for name, value in settings.items() if header.settings.get(name) != value]
        raise SpecError(f"{path}: a checkpoint of a training with other settings ({', '.join(others)}); {advice(path)}")
    if header.examples != examples:
        raise SpecError(f"{path}: a checkpoint of a training with other examples; {advice(path)}")
    inputs, outputs, units = cascade.inputs, cascade.outputs, len(header.history) - 1
    if [it.units for it in header.history] != [*range(units + 1)] or not 0 <= header.best_units <= units:
        raise SpecError(f"{path}: expected a history of 0, 1, 2 ... units, the best among them; {advice(path)}")

    def array_of(name: str, dtype: type, *shape: int) -> Any:
        array = CHECKPOINTS.array_of(path, arrays, name, dtype, shape)
        if not np.all(np.abs(array) <= MOST_WEIGHT):
            raise SpecError(f"{path}: {name} beyond {MOST_WEIGHT:g} in size; {advice(path)}")
        return array

    functions, steepnesses = array_of("functions", np.int64, units), array_of("steepnesses", np.float64, units)
    if not (np.all((functions >= 0) & (functions < LINEAR)) and np.all(steepnesses > 0.0)):
        raise SpecError(f"{path}: functions or steepnesses that no hidden unit has; {advice(path)}")
    counts = [inputs + 1 + k for k in range(units)]
    parts = np.split(array_of("weights", np.float64, sum(counts)), np.cumsum(counts)[:-1]) if units else []
    cascade.output_weights = array_of("output_weights", np.float64, outputs, inputs + 1 + units)
    cascade.best_units = header.best_units
    cascade.best_weights = array_of("best_weights", np.float64, outputs, inputs + 1 + header.best_units)
    for function, steepness, own in zip(functions.tolist(), steepnesses.tolist(), parts, strict=True):
        cascade.add_unit((function, steepness, np.ascontiguousarray(own)))
    cascade.history = header.history
    cascade.output_epoch()  # for the errors that the next candidates are trained by


def read_history(path: Path) -> list[Progress]:
    """The reports of a checkpoint's training, from no hidden unit on. Raises SpecError: damaged, or no checkpoint."""
    expected = f"the header of a checkpoint in {path}"
    return read_data(CHECKPOINTS.read_header(path, {}), CheckpointHeader, SpecError, expected).history
