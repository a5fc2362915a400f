"""The value of a position by an n-tuple network when its board has little to do with the one before, as in a search.

A panel is a few cells of the board. For each pattern of a panel's cells there is a row with what it adds to the index of every
image of a tuple, so that all indices of a position are the sum of one row a panel: additions of whole rows, which the compiler
makes vector instructions of. The value is that of `ntuples.follow` and `value_of`, bit for bit.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks.ntuples import NTuples, sum_at
from boardgym.compile import inlined

MOST_PATTERNS = (128, 32, 1)  # of a panel that has several groups, the first with which the rows fit
MOST_BYTES = 8 << 20  # of all rows: more would not stay in a processor's caches


class Panels(NamedTuple):
    """An n-tuple network but for its weights. C cells of the grid, P panels, R patterns of all of them, M images of tuples.

    panels, powers: int32 (C,): each of a cell's states moves the spot of its panel by the power; 0 for cells beyond the board.
    firsts: int32 (P,), of a panel in patterns. patterns: int32: at the first and the spot of a panel is the number of its
    pattern's row. rows: int16 or int32 (R, M), what a pattern adds to the index of each image. bases: int32 (M,), the indices
    of a board whose cells all have state 0.
    """

    panels: NDArray[np.int32]
    powers: NDArray[np.int32]
    firsts: NDArray[np.int32]
    patterns: NDArray[np.int32]
    rows: NDArray[Any]
    bases: NDArray[np.int32]


class PanelRoom(NamedTuple):
    """What a thread writes and forgets. spots: int64 (P,). added: int16 or int32, places: int32 (M,), of the weights."""

    spots: NDArray[np.int64]
    added: NDArray[Any]
    places: NDArray[np.int32]


@inlined
def make_panel_room(panels: Panels) -> PanelRoom:
    """Room for the indices of one position."""
    added, places = np.zeros_like(panels.rows[0]), np.zeros_like(panels.bases)
    return PanelRoom(np.zeros(panels.firsts.shape[0], np.int64), added, places)


@inlined
def sum_of_states(panels: Panels, row: NDArray[np.float32], states: NDArray[np.int64], room: PanelRoom) -> float:
    """The sum of the weights of a board. row: float32 (W,), of a table. states: int64 (C,), of the cells."""
    spots, added, places, count = room.spots, room.added, room.places, room.spots.shape[0]
    for panel in range(count):
        spots[panel] = panels.firsts[panel]
    for cell in range(states.shape[0]):
        spots[panels.panels[cell]] += states[cell] * panels.powers[cell]
    first = panels.rows[panels.patterns[spots[0]]]
    for m in range(added.shape[0]):
        added[m] = first[m]
    for panel in range(1, count - 1, 2):  # by twos: what has been added is read and written half as often
        one, two = panels.rows[panels.patterns[spots[panel]]], panels.rows[panels.patterns[spots[panel + 1]]]
        for m in range(added.shape[0]):
            added[m] += one[m] + two[m]
    if count % 2 == 0:
        last = panels.rows[panels.patterns[spots[count - 1]]]
        for m in range(added.shape[0]):
            added[m] += last[m]
    for m in range(places.shape[0]):
        places[m] = panels.bases[m] + added[m]
    return sum_at(row, places)


class _Panel(NamedTuple):
    """A panel by itself. cells, powers: int64, its cells and theirs. patterns: int64 (spots,). rows: int64 (R, M)."""

    cells: NDArray[np.int64]
    powers: NDArray[np.int64]
    patterns: NDArray[np.int64]
    rows: NDArray[np.int64]


def make_panels(tuples: NTuples) -> Panels:
    """The panels of a network."""
    groups, panels = [_panel_of(tuples, g) for g in range(len(tuples.firsts))], list[_Panel]()
    for most in MOST_PATTERNS:
        panels = _merged(groups, most)
        if 4 * len(tuples.bases) * sum(len(panel.rows) for panel in panels) <= MOST_BYTES:
            break
    of_cell, powers = np.zeros((2, len(tuples.groups)), np.int32)
    for number, panel in enumerate(panels):
        of_cell[panel.cells], powers[panel.cells] = number, panel.powers
    firsts = np.cumsum([0, *(len(panel.patterns) for panel in panels)])[:-1]
    begins = np.cumsum([0, *(len(panel.rows) for panel in panels)])
    patterns = np.concatenate([panel.patterns + begin for panel, begin in zip(panels, begins, strict=False)])
    most_added = max(sum(np.abs(panel.rows).max(axis=0) for panel in panels))
    rows = np.concatenate([panel.rows for panel in panels])
    rows = rows.astype(np.int16 if most_added <= np.iinfo(np.int16).max else np.int32)
    return Panels(of_cell, powers, firsts.astype(np.int32), patterns.astype(np.int32), rows, tuples.bases)


def _panel_of(tuples: NTuples, g: int) -> _Panel:
    """A group of cells as a panel."""
    cells = np.flatnonzero((tuples.groups == g) & (tuples.powers > 0))
    end = tuples.firsts[g + 1] if g + 1 < len(tuples.firsts) else len(tuples.patterns)
    places, patterns = np.unique(tuples.patterns[tuples.firsts[g] : end], return_inverse=True)
    images = tuples.images[tuples.starts[g] : tuples.starts[g + 1]]
    rows = np.zeros((len(places), len(tuples.bases)), np.int64)
    for row, place in zip(rows, places, strict=True):
        np.add.at(row, images, tuples.codes[place : place + len(images)])
    return _Panel(cells, tuples.powers[cells].astype(np.int64), patterns, rows - rows[patterns[0]])


def _merged(groups: Sequence[_Panel], most: int) -> list[_Panel]:
    """Neighbours made one as long as a panel of several has at most so many patterns, and spots."""
    found = [groups[0]]
    for panel in groups[1:]:
        last = found[-1]
        if len(last.patterns) * len(panel.patterns) > most:
            found.append(panel)
            continue
        patterns = (last.patterns + len(last.rows) * panel.patterns[:, np.newaxis]).ravel()
        rows = (last.rows + panel.rows[:, np.newaxis]).reshape(-1, last.rows.shape[1])
        powers = np.concatenate([last.powers, len(last.patterns) * panel.powers])
        found[-1] = _Panel(np.concatenate([last.cells, panel.cells]), powers, patterns, rows)
    return found
