"""Positions of examples by the thousand: what moves lead to, how they look to a map, what symmetries make of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.feature_maps import GameFeatures
from boardgym.compile import kernel
from boardgym.core import verbs
from boardgym.core.game import Game


@kernel
def apply_kernel(game: Any, rows: NDArray[np.int64], actions: NDArray[np.int64], after: NDArray[np.int64]) -> None:
    """Writes what each action leads to. rows, after: int64 (n, fields). actions: int64 (n,), legal ones."""
    for i in range(rows.shape[0]):
        verbs.pack(verbs.apply(verbs.unpack(game, rows[i]), actions[i]), after[i])


@kernel
def transform_kernel(game: Any, rows: NDArray[np.int64], k: int, after: NDArray[np.int64]) -> None:
    """Writes each position under symmetry k. rows, after: int64 (n, fields)."""
    for i in range(rows.shape[0]):
        verbs.pack(verbs.transform(verbs.unpack(game, rows[i]), k), after[i])


@kernel
def features_of_rows_kernel(
    game: Any,
    rows: NDArray[np.int64],
    seats: NDArray[np.int64],
    feature_map: Any,
    settings: Any,
    sheet: nv.Sheet,
    inputs: NDArray[np.float64],
) -> None:
    """Writes the features of each position for its seat. rows: int64 (n, fields). seats: int64 (n,). inputs: (n, inputs)."""
    its = verbs.unpack(feature_map, settings)
    for i in range(rows.shape[0]):
        nv.features(its, verbs.unpack(game, rows[i]), seats[i], sheet)
        inputs[i, :] = sheet.inputs


def applied_rows(game: Game, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.int64]:
    """What legal actions lead to, int64 (n, fields). rows: int64 (n, fields). actions: int64 (n,)."""
    after = np.empty_like(rows)
    apply_kernel(game.token, rows, actions, after)
    return after


def transformed_rows(game: Game, rows: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Positions under symmetry k, int64 (n, fields)."""
    after = np.empty_like(rows)
    transform_kernel(game.token, rows, k, after)
    return after


def features_of_rows(features: GameFeatures, rows: NDArray[np.int64], seats: NDArray[Any]) -> NDArray[np.float64]:
    """The features of positions, each for a seat: float64 (n, inputs). rows: int64 (n, fields). seats: whole numbers (n,)."""
    inputs = np.empty((len(rows), len(features.names)))
    features_of_rows_kernel(
        features.game.token, rows, seats.astype(np.int64), features.token, features.row, features.make_sheet(), inputs
    )
    return inputs
