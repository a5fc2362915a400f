"""Checkpoints of a cascade in training: what it has grown so far, with digests of the examples and the settings."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles, Arrays, digest_of
from boardgym.baselines.learning.cascade.cascade import Cascade, Progress, Unit
from boardgym.baselines.learning.cascade.settings import FREE, MOST_UNITS, CascadeSettings, function_of, settings_of
from boardgym.baselines.networks.cascade_functions import LINEAR
from boardgym.baselines.networks.cascade_network import MOST_WEIGHT, CascadeNet, make_cascade
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


def fixed_settings(settings: CascadeSettings) -> dict[str, Any]:
    """The settings that must be the same when a training goes on."""
    found: dict[str, Any] = plain_data(settings_of(settings))
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
    CHECKPOINTS.write(path, arrays, {"examples": examples, "settings": fixed_settings(cascade.settings), "history": history,
                                     "best_units": cascade.best_units})  # fmt: skip


def read_checkpoint(path: Path, cascade: Cascade, examples: str) -> None:
    """Takes a training that has not begun to where a checkpoint ended. Raises SpecError: not of this training, or damaged."""
    arrays, header = open_checkpoint(path, cascade.settings)
    if header.examples != examples:
        raise SpecError(f"{path}: a checkpoint of a training with other examples; {advice(path)}")
    hidden, cascade.output_weights, cascade.best_weights = read_units(path, arrays, header, cascade.inputs, cascade.outputs)
    cascade.best_units = header.best_units
    for unit in hidden:
        cascade.add_unit(unit)
    cascade.history = header.history
    cascade.output_epoch()  # for the errors that the next candidates are trained by


def read_network(path: Path, settings: CascadeSettings) -> tuple[CascadeNet, list[Progress]]:
    """(the network of the least test error, the reports) of a checkpoint. Raises as `read_checkpoint`."""
    arrays, header = open_checkpoint(path, settings)
    shape = arrays["output_weights"].shape if "output_weights" in arrays else ()
    outputs, inputs = (shape[0], shape[1] - len(header.history)) if len(shape) == 2 else (0, 0)
    if min(outputs, inputs) < 1:
        raise SpecError(f"{path}: output_weights of shape {shape}; {advice(path)}")
    hidden, _, best_weights = read_units(path, arrays, header, inputs, outputs)
    ends = [(function_of(settings.output), settings.output_steepness, own) for own in best_weights]
    return make_cascade(inputs, hidden[: header.best_units], ends), header.history


def open_checkpoint(path: Path, settings: CascadeSettings) -> tuple[Arrays, CheckpointHeader]:
    """(arrays, header) of a checkpoint. Raises SpecError: of other settings, or damaged."""
    arrays, found = CHECKPOINTS.read(path, {})
    header = read_data(found, CheckpointHeader, SpecError, f"the header of a checkpoint in {path}")
    ours = fixed_settings(settings)  # before the examples: another seed divides the same examples otherwise
    if header.settings != ours:
        others = [name for name, value in ours.items() if header.settings.get(name) != value]
        raise SpecError(f"{path}: a checkpoint of a training with other settings ({', '.join(others)}); {advice(path)}")
    units = len(header.history) - 1
    if [it.units for it in header.history] != [*range(units + 1)] or not 0 <= header.best_units <= units:
        raise SpecError(f"{path}: expected a history of 0, 1, 2 ... units, the best among them; {advice(path)}")
    return arrays, header


def read_units(
    path: Path, arrays: Arrays, header: CheckpointHeader, inputs: int, outputs: int
) -> tuple[list[Unit], NDArray[np.float64], NDArray[np.float64]]:
    """(the hidden units, the output weights, the best of them) of a checkpoint. Raises SpecError for any that none has."""
    units = len(header.history) - 1

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
    output_weights = array_of("output_weights", np.float64, outputs, inputs + 1 + units)
    best_weights = array_of("best_weights", np.float64, outputs, inputs + 1 + header.best_units)
    kinds = zip(functions.tolist(), steepnesses.tolist(), parts, strict=True)
    return (
        [(function, steepness, np.ascontiguousarray(own)) for function, steepness, own in kinds],
        output_weights,
        best_weights,
    )


def read_history(path: Path) -> list[Progress]:
    """The reports of a checkpoint's training, from no hidden unit on. Raises SpecError: damaged, or no checkpoint."""
    expected = f"the header of a checkpoint in {path}"
    return read_data(CHECKPOINTS.read_header(path, {}), CheckpointHeader, SpecError, expected).history
