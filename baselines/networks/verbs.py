"""The verbs by which learners with networks are extended: what a position is to them, and what a surprise is worth."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core import verbs


class Sheet(NamedTuple):
    """What a feature map writes on. inputs: float64 (features,), of a network. planes: of the observation's shape and dtype."""

    inputs: NDArray[np.float64]
    planes: NDArray[Any]


class CellSheet(NamedTuple):
    """What cells are written on. states: int64 (cells,). planes: of the observation's shape and dtype.

    phase: int64 (2,), the phase of the game, from 0, and how many there are.
    """

    states: NDArray[np.int64]
    planes: NDArray[Any]
    phase: NDArray[np.int64]


@verbs.verb
def features(feature_map: Any, position: Any, seat: int, sheet: Sheet) -> None:
    """Fills sheet.inputs with what `position` is to `seat`, whoever is to play. Every input is written.

    feature_map: its settings. sheet.planes is room for an observation.
    """


@verbs.verb
def write_cells(cells: Any, position: Any, seat: int, sheet: CellSheet) -> None:
    """Fills sheet.states with the state of every cell of the board as `seat` sees it, whoever is to play.

    cells: its settings. Every state is written, and sheet.phase[0] where the cells have several phases. sheet.planes is room
    for an observation.
    """


@verbs.verb
def transformed(transformation: Any, difference: float, level: float) -> float:  # type: ignore[empty-body]
    """The temporal difference that a learner moves by, float64. level: its present rate of risk (kappa), in [-1, 1]."""
