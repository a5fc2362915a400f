"""An n-tuple network at the horizon of a search: `minimax:4,evaluation=ntuple:agent.safetensors`.

It has learnt what a seat that has moved into a position may expect from there on, which is what `evaluate` is asked. The
cells of the position that was evaluated before are kept: few differ from one leaf of a search to the next.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.ntuples import NTuples, follow, make_reading, table_of, value_of
from boardgym.baselines.networks.scale import paid_until
from boardgym.baselines.search import evaluation as ev  # noqa: F401  (its verbs are what the rules below are of)
from boardgym.compile import inlined
from boardgym.core import verbs
from boardgym.core.verbs import rule


class NTupleValue(NamedTuple):
    """scale: turns what the game pays into [-1, 1]."""

    scale: float


@inlined
def open_network(data: Any) -> Any:
    """The settings of the cells, their sheet, the tuples, a reading of the board for each seat, the weights.

    data: token and row of the cells; the arrays of `NTuples`; weights, float32 (tables, W); zeros in the shape of the
    observation; phase, as of `CellSheet`.
    """
    tuples = NTuples(data[2], data[3], data[4], data[5], data[6], data[7], data[8], data[9], data[10])
    sheet = nv.CellSheet(np.zeros(data[2].shape[0], np.int64), np.zeros_like(data[12]), data[13].copy())
    return verbs.unpack(data[0], data[1]), sheet, tuples, make_reading(tuples, 2), data[11]


@rule(NTupleValue)
def make_room(evaluation: Any, position: Any, data: Any) -> Any:
    """The network, with a reading of its own."""
    return open_network(data)


@rule(NTupleValue)
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:
    """V, and what the game has paid already."""
    cells, sheet, tuples, reading, weights = room
    nv.write_cells(cells, position, seat, sheet)
    follow(tuples, reading, seat, sheet.states)
    value = value_of(weights, table_of(weights, seat, sheet.phase), reading, seat)
    return min(max(value + evaluation.scale * paid_until(position, seat), -1.0), 1.0)
