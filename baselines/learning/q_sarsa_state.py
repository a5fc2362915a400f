"""How far a training by Q-Sarsa has come, and its checkpoints."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.array_files import ArrayFiles
from boardgym.baselines.learning.cascade.cascade import Unit
from boardgym.baselines.networks.cascade_functions import LINEAR
from boardgym.baselines.networks.cascade_network import MOST_WEIGHT
from boardgym.baselines.typed_json import read_data
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import Game

COLUMNS = ("batch", "games", "units", "examples", "train_error", "test_error", "plies")
STEEPNESS = 0.5  # of all units


@dataclass(frozen=True)
class State:
    """A training between two batches. It is replaced as one object, so that Ctrl-C comes before a batch is done or after it.

    done: batches. hidden: the units of the network. output_weights: float64 (1, inputs + 1 + hidden units), None before the
    first batch. actions: int64 (n,), of the games that are kept. ends: int64 (games,), where each of them ends in it. seconds:
    that all batches took. curve: a row of COLUMNS for each.
    """

    done: int
    hidden: list[Unit]
    output_weights: NDArray[np.float64] | None
    actions: NDArray[np.int64]
    ends: NDArray[np.int64]
    seconds: float
    curve: list[list[float]]


BEGINNING = State(0, [], None, np.empty(0, np.int64), np.empty(0, np.int64), 0.0, [])


class Header(msgspec.Struct):
    """What a checkpoint says. done, seconds, curve: as of `State`."""

    done: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    seconds: Annotated[float, msgspec.Meta(ge=0.0, le=1e12)]
    curve: list[list[float]]


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return "train into another folder (--out), or delete this one"


STORED = ArrayFiles("boardgym q-sarsa", 1, "a checkpoint of Q-Sarsa", SpecError, advice)


def write_state(path: Path, state: State, training: dict[str, Any]) -> None:
    """Writes a checkpoint, whole or not at all. training: the settings, plain data. Raises OSError."""
    weights = [own for _, _, own in state.hidden]
    arrays = {
        "functions": np.array([function for function, _, _ in state.hidden], np.int64),
        "weights": np.concatenate(weights) if weights else np.empty(0),
        "output_weights": np.empty(0) if state.output_weights is None else state.output_weights[0],
        "actions": state.actions,
        "ends": state.ends,
    }
    header = {"training": training, "done": state.done, "seconds": state.seconds, "curve": state.curve}
    STORED.write(path, arrays, header)


def read_state(path: Path, training: dict[str, Any], game: Game, inputs: int) -> State:
    """What `write_state` wrote. inputs: of the network. Raises SpecError: of other settings, damaged, or of no training."""
    arrays, found = STORED.read(path, {"training": training})
    header = read_data(found, Header, SpecError, f"the header of a checkpoint in {path}")
    functions = STORED.array_of(path, arrays, "functions", np.int64, (None,))
    counts = [inputs + 1 + k for k in range(len(functions))]
    weights = STORED.array_of(path, arrays, "weights", np.float64, (sum(counts),))
    size = inputs + 1 + len(functions) if header.done else 0
    output = STORED.array_of(path, arrays, "output_weights", np.float64, (size,))
    actions = STORED.array_of(path, arrays, "actions", np.int64, (None,))
    kept = min(header.done * training["games"], training["window"])
    ends = STORED.array_of(path, arrays, "ends", np.int64, (kept,))
    is_weight = all(np.all(np.abs(array) <= MOST_WEIGHT) for array in (weights, output))
    is_of_units = np.all((functions >= 0) & (functions < LINEAR)) and len(functions) <= training["max_units"]
    is_curve = len(header.curve) == header.done <= training["batches"] and all(len(it) == len(COLUMNS) for it in header.curve)
    if not (is_weight and is_of_units and is_curve):
        raise SpecError(f"{path}: numbers that no training has; {advice(path)}")
    check_games(path, game, actions, ends.tolist())
    parts = np.split(weights, np.cumsum(counts)[:-1]) if counts else []
    hidden = [(int(f), STEEPNESS, np.ascontiguousarray(own)) for f, own in zip(functions, parts, strict=True)]
    return State(
        header.done, hidden, output.reshape(1, -1) if header.done else None, actions, ends, header.seconds, header.curve
    )


def check_games(path: Path, game: Game, actions: NDArray[np.int64], ends: Sequence[int]) -> None:
    """Raises SpecError for games that cannot have been played. actions, ends: as of `State`."""
    firsts = [0, *ends[:-1]] if ends else []
    if any(first >= end for first, end in zip(firsts, ends, strict=True)) or (ends[-1] if ends else 0) != len(actions):
        raise SpecError(f"{path}: ends of games that are out of order; {advice(path)}")
    for first, end in zip(firsts, ends, strict=True):
        board = Board(game)
        try:
            for action in actions[first:end].tolist():
                board.push(action)
        except ValueError as error:
            raise SpecError(f"{path}: {error}; {advice(path)}") from None
