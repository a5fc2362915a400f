"""An n-tuple network at the horizon of a search: `minimax:4,evaluation=ntuple:agent.safetensors`.

It has learnt what a seat that has moved into a position may expect from there on, which is what `evaluate` is asked.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.ntuples import table_of
from boardgym.baselines.networks.panels import Panels, make_panel_room, sum_of_states
from boardgym.baselines.networks.scale import paid_until
from boardgym.baselines.networks.vector_tanh import tanh
from boardgym.baselines.search import evaluation as ev  # noqa: F401  (its verbs are what the rules below are of)
from boardgym.core import verbs
from boardgym.core.verbs import rule


class NTupleValue(NamedTuple):
    """scale: turns what the game pays into [-1, 1]."""

    scale: float


@rule(NTupleValue)
def make_room(evaluation: Any, position: Any, data: Any) -> Any:
    """The settings of the cells, their sheet, the panels, room for them, the weights.

    data: token and row of the cells; weights, float32 (tables, W); zeros in the shape of the observation; phase, as of
    `CellSheet`; the arrays of `Panels`.
    """
    panels = Panels(data[5], data[6], data[7], data[8], data[9], data[10])
    sheet = nv.CellSheet(np.zeros(panels.panels.shape[0], np.int64), np.zeros_like(data[3]), data[4].copy())
    return verbs.unpack(data[0], data[1]), sheet, panels, make_panel_room(panels), data[2]


@rule(NTupleValue)
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:
    """V, and what the game has paid already."""
    cells, sheet, panels, own, weights = room
    nv.write_cells(cells, position, seat, sheet)
    value = tanh(sum_of_states(panels, weights[table_of(weights, seat, sheet.phase)], sheet.states, own))
    return min(max(value + evaluation.scale * paid_until(position, seat), -1.0), 1.0)
