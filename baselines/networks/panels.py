"""The sum of weights of an n-tuple network in a search, where positions differ in more cells than an action changes.

A panel is a few cells of the board. For each pattern of a panel's cells there is a row with what it adds to the index of every
image of a tuple, so that all indices of a position are the sum of one row a panel. Of panels that differ from the position
before, the old row is taken out and the new one added: whole rows, which the compiler makes vector instructions of. The value
is that of `ntuples.follow` and `value_of`, bit for bit.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks.ntuples import NTuples, sum_at
from boardgym.compile import inlined

MOST_PATTERNS = (128, 32, 1)  # of a panel that has several groups, the first with which the rows fit
MOST_BYTES = 64 << 20  # of all rows


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
    """What was looked at last, and room.

    known: int32 (P,), the rows of its patterns. added: int16 or int32 (M,), their sum. spots: int32 (P,). places: int32
    (M,), of the weights that count.
    """

    known: NDArray[np.int32]
    added: NDArray[Any]
    spots: NDArray[np.int32]
    places: NDArray[np.int32]


@inlined
def make_panel_room(panels: Panels) -> PanelRoom:
    """Room for a thread. Nothing has been added at first, as by row 0, which is all zeros."""
    spots, places = np.zeros_like(panels.firsts), np.zeros_like(panels.bases)
    return PanelRoom(np.zeros_like(panels.firsts), np.zeros_like(panels.rows[0]), spots, places)


@inlined
def sum_of_states(panels: Panels, row: NDArray[np.float32], states: NDArray[np.int64], room: PanelRoom) -> float:
    """The sum of the weights of a board. row: float32 (W,), of a table. states: int64 (C,), of its cells."""
    known, added, spots, places = room.known, room.added, room.spots, room.places
    for panel in range(spots.shape[0]):
        spots[panel] = panels.firsts[panel]
    for cell in range(states.shape[0]):
        spots[panels.panels[cell]] += states[cell] * panels.powers[cell]
    for panel in range(spots.shape[0]):
        after, before = panels.patterns[spots[panel]], known[panel]
        if after != before:
            known[panel] = after
            new, old = panels.rows[after], panels.rows[before]
            for m in range(added.shape[0]):
                added[m] += new[m] - old[m]
    for m in range(places.shape[0]):
        places[m] = panels.bases[m] + added[m]
    return sum_at(row, places)


class _Panel(NamedTuple):
    """A panel by itself. cells, powers: int64, its cells and theirs. patterns: int64 (spots,). rows: (R, M), as of `Panels`."""

    cells: NDArray[np.int64]
    powers: NDArray[np.int64]
    patterns: NDArray[np.int64]
    rows: NDArray[Any]


def make_panels(tuples: NTuples) -> Panels:
    """The panels of a network."""
    groups = _groups_of(tuples)
    dtype = np.dtype(np.int16 if _most_added(tuples, groups) <= np.iinfo(np.int16).max else np.int32)
    row_bytes, shared = dtype.itemsize * len(tuples.bases), list[list[_Group]]()
    for most in MOST_PATTERNS:
        shared = _share_out(groups, most)
        if row_bytes * sum(math.prod(len(group.places) for group in panel) for panel in shared) <= MOST_BYTES:
            break
    made = [functools.reduce(_joined, [_panel_of(tuples, group, dtype) for group in panel]) for panel in shared]
    of_cell, powers = np.zeros((2, len(tuples.groups)), np.int32)
    for number, panel in enumerate(made):
        of_cell[panel.cells], powers[panel.cells] = number, panel.powers
    firsts = np.cumsum([0, *(len(panel.patterns) for panel in made)])[:-1]
    begins = np.cumsum([0, *(len(panel.rows) for panel in made)])
    patterns = np.concatenate([panel.patterns + begin for panel, begin in zip(made, begins, strict=False)])
    rows = np.concatenate([panel.rows for panel in made])
    return Panels(of_cell, powers, firsts.astype(np.int32), patterns.astype(np.int32), rows, tuples.bases)


class _Group(NamedTuple):
    """A group of cells of `NTuples`.

    number: of it. places: int32 (R,), where the codes of its patterns begin. patterns: int64 (spots,), the number of each
    spot's pattern among these.
    """

    number: int
    places: NDArray[np.int32]
    patterns: NDArray[np.int64]


def _groups_of(tuples: NTuples) -> list[_Group]:
    """The groups of cells."""
    ends = [*tuples.firsts[1:], len(tuples.patterns)]
    segments = [tuples.patterns[first:end] for first, end in zip(tuples.firsts, ends, strict=True)]
    return [_Group(number, *np.unique(segment, return_inverse=True)) for number, segment in enumerate(segments)]


def _images_of(tuples: NTuples, group: _Group) -> NDArray[np.int32]:
    """Those that read a group, each once."""
    return tuples.images[tuples.starts[group.number] : tuples.starts[group.number + 1]]


def _most_added(tuples: NTuples, groups: Sequence[_Group]) -> int:
    """The greatest index that an image may have, counted from where its table begins."""
    most = np.zeros(len(tuples.bases), np.int64)
    for group in groups:
        images = _images_of(tuples, group)
        most[images] += np.max([tuples.codes[place : place + len(images)] for place in group.places], axis=0)
    return int(most.max())


def _share_out(groups: Sequence[_Group], most: int) -> list[list[_Group]]:
    """Neighbours together as long as a panel of several has at most so many spots."""
    found, spots = list[list[_Group]](), most
    for group in groups:
        spots *= len(group.patterns)
        if spots > most:
            found.append([])
            spots = len(group.patterns)
        found[-1].append(group)
    return found


def _panel_of(tuples: NTuples, group: _Group, dtype: np.dtype[Any]) -> _Panel:
    """A group of cells as a panel."""
    cells, images = np.flatnonzero(tuples.groups == group.number), _images_of(tuples, group)
    rows = np.zeros((len(group.places), len(tuples.bases)), dtype)
    for row, place in zip(rows, group.places, strict=True):
        row[images] = tuples.codes[place : place + len(images)]
    return _Panel(cells, tuples.powers[cells].astype(np.int64), group.patterns, rows)


def _joined(one: _Panel, other: _Panel) -> _Panel:
    """Two panels as one."""
    patterns = (one.patterns + len(one.rows) * other.patterns[:, np.newaxis]).ravel()
    rows = (one.rows + other.rows[:, np.newaxis]).reshape(-1, one.rows.shape[1])
    powers = np.concatenate([one.powers, len(one.patterns) * other.powers])
    return _Panel(np.concatenate([one.cells, other.cells]), powers, patterns, rows)
