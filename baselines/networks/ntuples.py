"""n-tuple networks: a position is worth tanh of a sum of weights, one from the table of each tuple of cells.

    V(s) = tanh( sum over tuples t and symmetries k of w_t[ index of the states of the cells of t under k ] )

The index of a tuple of cells c_1 ... c_n with states in [0, K) is c_1 + K c_2 + ... + K^(n-1) c_n. Where cells constrain each
other, as those of a column of Connect Four, the tuple's cells in it are one part, with a number for each pattern that they can
have: the index is p_1 + K_1 p_2 + K_1 K_2 p_3 ... over the parts, and no weight is kept for what cannot be. All images of a
tuple under the symmetries of the board read the same table.

Source: S. M. Lucas, "Learning to play Othello with n-tuple systems", 2008.

Indices follow the board: where few cells differ from the position that was looked at before, few of them change (`follow`).
So does the sum: what an action changes is what its cells change (`change_of`).
"""

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks.cells import GameCells, Group
from boardgym.baselines.networks.vector_tanh import tanh
from boardgym.compile import inlined
from boardgym.core.errors import OptionError

Tuple = tuple[int, ...]
LONGEST = 16  # cells of a tuple
MOST_TUPLES = 10_000
MOST_WEIGHTS = 2**31 - 1  # of a table
CODE_BYTES = 16  # of a pattern, while tables are made
PART_CODES = 32  # what the lists and objects of a part take beside them


class NTuples(NamedTuple):
    """What an n-tuple network is, but for its weights. C cells of the grid, G groups of cells, P parts, M images of tuples.

    A part is what an image reads of a group. A group with K^n states of its cells has R patterns, those that can be, and one
    more, of which its parts add nothing: that of all states that cannot be.

    groups, powers: int32 (C,): each of a cell's states moves the spot of its group by the power; 0 for cells beyond the board.
    firsts: int32 (G,), of a group in patterns. patterns: int32: at the first and the spot of a group is where the row of its
    pattern begins in codes. starts: int32 (G + 1,): group g has the parts starts[g] to starts[g + 1]. images: int32 (P,), whose
    a part is. codes: int32, in a row what each part of the group adds to the index of its image. rows: int32 (G,), of
    groups whose cells all have state 0. bases: int32 (M,), the indices of the images then.
    """

    groups: NDArray[np.int32]
    powers: NDArray[np.int32]
    firsts: NDArray[np.int32]
    patterns: NDArray[np.int32]
    starts: NDArray[np.int32]
    images: NDArray[np.int32]
    codes: NDArray[np.int32]
    rows: NDArray[np.int32]
    bases: NDArray[np.int32]


class Reading(NamedTuple):
    """A position as S seats see it.

    states: int64 (S, C), of the cells. spots, rows: int32 (S, G), of the groups. places: int32 (S, M), of the weights that
    count. steps: int32 (G,), of spots, zeros between two uses; changed: int32 (C,), groups; moves: int32 (M,), of places, zeros
    between two uses; moved: int32 (P,), images: room for what changes.
    """

    states: NDArray[np.int64]
    spots: NDArray[np.int32]
    rows: NDArray[np.int32]
    places: NDArray[np.int32]
    steps: NDArray[np.int32]
    changed: NDArray[np.int32]
    moves: NDArray[np.int32]
    moved: NDArray[np.int32]


@inlined
def make_reading(tuples: NTuples, seats: int) -> Reading:
    """A reading of a board whose cells all have state 0."""
    cells, groups, images = tuples.groups.shape[0], tuples.rows.shape[0], tuples.bases.shape[0]
    rows, places = np.zeros((seats, groups), np.int32), np.zeros((seats, images), np.int32)
    for seat in range(seats):
        for g in range(groups):
            rows[seat, g] = tuples.rows[g]
        for m in range(images):
            places[seat, m] = tuples.bases[m]
    steps, changed = np.zeros(groups, np.int32), np.zeros(cells, np.int32)
    moves, moved = np.zeros(images, np.int32), np.zeros(tuples.images.shape[0], np.int32)
    spots = np.zeros((seats, groups), np.int32)
    return Reading(np.zeros((seats, cells), np.int64), spots, rows, places, steps, changed, moves, moved)


@inlined
def find_changed(tuples: NTuples, reading: Reading, seat: int, states: NDArray[np.int64]) -> int:
    """Writes the groups that have other states, and by how much their spots move, and returns how many are listed.

    A group may be listed twice, or with a step of 0; who takes its step leaves 0.
    """
    seen, count = reading.states[seat], 0
    for cell in range(states.shape[0]):
        step = (states[cell] - seen[cell]) * tuples.powers[cell]
        if step != 0:
            group = tuples.groups[cell]
            if reading.steps[group] == 0:
                reading.changed[count], count = group, count + 1
            reading.steps[group] += step
    return count


@inlined
def follow(tuples: NTuples, reading: Reading, seat: int, states: NDArray[np.int64]) -> None:
    """Moves a seat's reading on to other states of the cells. states: int64 (C,)."""
    spots, rows, places, seen = reading.spots[seat], reading.rows[seat], reading.places[seat], reading.states[seat]
    for n in range(find_changed(tuples, reading, seat, states)):
        group = reading.changed[n]
        spots[group] += reading.steps[group]
        reading.steps[group] = 0
        start, before = tuples.starts[group], rows[group]
        after = tuples.patterns[tuples.firsts[group] + spots[group]]
        rows[group] = after
        for k in range(tuples.starts[group + 1] - start):
            image = np.uint64(tuples.images[start + k])  # unsigned: no look at whether an index is below 0, here and below
            places[image] += tuples.codes[np.uint64(after + k)] - tuples.codes[np.uint64(before + k)]
    for cell in range(states.shape[0]):
        seen[cell] = states[cell]


@inlined
def change_of(
    tuples: NTuples, weights: NDArray[np.float32], table: int, reading: Reading, seat: int, states: NDArray[np.int64]
) -> float:
    """By how much the sum of weights differs if the cells have other states; the reading stays. states: int64 (C,).

    Where one group has changed, as in games in which each move puts a piece into one, each of its parts is of another image.
    """
    places, row = reading.places[seat], weights[table]
    num_changed = find_changed(tuples, reading, seat, states)
    if num_changed != 1:
        return change_of_groups(tuples, row, reading, seat, num_changed)
    start, before, after = find_rows(tuples, reading, seat, 0)
    first, second, num_parts = 0.0, 0.0, tuples.starts[reading.changed[0] + 1] - start
    for k in range(num_parts):
        place = places[np.uint64(tuples.images[start + k])]
        step = tuples.codes[np.uint64(after + k)] - tuples.codes[np.uint64(before + k)]
        first += np.float64(row[np.uint64(place + step)])
        second += np.float64(row[np.uint64(place)])
    return first - second


@inlined
def find_rows(tuples: NTuples, reading: Reading, seat: int, n: int) -> tuple[int, int, int]:
    """Of a group that has changed (the first part, the rows of the patterns before and now). Takes its step."""
    group = reading.changed[n]
    after = tuples.patterns[tuples.firsts[group] + reading.spots[seat, group] + reading.steps[group]]
    reading.steps[group] = 0
    return tuples.starts[group], reading.rows[seat, group], after


@inlined
def change_of_groups(tuples: NTuples, row: NDArray[np.float32], reading: Reading, seat: int, num_changed: int) -> float:
    """`change_of` for any number of groups: an image moves once, by the sum of what all of its parts add."""
    places, count, change = reading.places[seat], 0, 0.0
    for n in range(num_changed):
        start, before, after = find_rows(tuples, reading, seat, n)
        for k in range(tuples.starts[reading.changed[n] + 1] - start):
            image = np.uint64(tuples.images[start + k])
            if reading.moves[image] == 0:
                reading.moved[count], count = image, count + 1
            reading.moves[image] += tuples.codes[np.uint64(after + k)] - tuples.codes[np.uint64(before + k)]
    for n in range(count):
        image = np.uint64(reading.moved[n])
        before, after = places[image], places[image] + reading.moves[image]
        change += np.float64(row[np.uint64(after)]) - np.float64(row[np.uint64(before)])
        reading.moves[image] = 0
    return change


@inlined
def table_of(weights: NDArray[np.float32], seat: int, phase: NDArray[np.int64]) -> int:
    """Which table counts: that of the phase of a seat's own tables, or of those of both. phase: as of `CellSheet`.

    A phase out of range, which cells of a user's own may write, counts as the first or the last.
    """
    known = min(max(phase[0], 0), phase[1] - 1)
    return known + (seat * phase[1] if weights.shape[0] > phase[1] else 0)


@inlined
def value_of(weights: NDArray[np.float32], table: int, reading: Reading, seat: int) -> float:
    """The value of what a seat's reading shows, in (-1, 1). weights: float32 (tables, W); table: the row that counts."""
    return tanh(sum_of(weights, table, reading, seat))


@inlined
def sum_of(weights: NDArray[np.float32], table: int, reading: Reading, seat: int) -> float:
    """The sum of the weights of what a seat's reading shows."""
    return sum_at(weights[table], reading.places[seat])


@inlined
def sum_at(row: NDArray[np.float32], places: NDArray[np.int32]) -> float:
    """The sum of the weights of a table at some places.

    Four sums, so that each addition need not wait for the one before; in a fixed order, so that they are the same everywhere.
    """
    a, b, c, d, count = 0.0, 0.0, 0.0, 0.0, places.shape[0]
    for m in range(0, count - 3, 4):
        a += np.float64(row[np.uint64(places[m])])
        b += np.float64(row[np.uint64(places[m + 1])])
        c += np.float64(row[np.uint64(places[m + 2])])
        d += np.float64(row[np.uint64(places[m + 3])])
    for m in range(count - count % 4, count):
        a += np.float64(row[np.uint64(places[m])])
    return (a + b) + (c + d)


# ---------------------------------------------------------------- the tuples of a board


def images_of(cells: GameCells, tuple_: Tuple, *, symmetries: bool) -> list[Tuple]:
    """A tuple and its different images under the symmetries of the board, each cell in its place."""
    if not symmetries:
        return [tuple_]
    return list(dict.fromkeys(tuple(image[cell] for cell in tuple_) for image in cells.images))


class Part(NamedTuple):
    """Cells of a tuple that constrain each other.

    numbers: of the cells in the tuple. group: of all of `groups_of`. patterns: int64 (R, len(numbers)), all states.
    """

    numbers: tuple[int, ...]
    group: int
    patterns: NDArray[np.int64]


def parts_of(cells: GameCells, tuple_: Tuple) -> list[Part]:
    """The parts of a tuple, in the order of their first cells."""
    members = dict[int, list[int]]()
    spots = spots_of(cells)
    for number, cell in enumerate(tuple_):
        members.setdefault(spots[cell][0], []).append(number)
    return [
        Part(tuple(numbers), g, _patterns(cells, g, tuple(spots[tuple_[number]][1] for number in numbers)))
        for g, numbers in members.items()
    ]


@functools.lru_cache(maxsize=4096)  # many parts of many tuples are alike
def _patterns(cells: GameCells, g: int, chosen: tuple[int, ...]) -> NDArray[np.int64]:
    """The states that some cells of a group can have together. chosen: their numbers in the group."""
    return np.unique(groups_of(cells)[g].states[:, list(chosen)], axis=0)


@functools.lru_cache(maxsize=16)
def spots_of(cells: GameCells) -> dict[int, tuple[int, int]]:
    """Of every cell its group and its number in it."""
    return {cell: (g, n) for g, group in enumerate(groups_of(cells)) for n, cell in enumerate(group.cells)}


@functools.lru_cache(maxsize=16)
def groups_of(cells: GameCells) -> list[Group]:
    """The groups of cells that constrain each other, and every other cell of the board by itself."""
    grouped = {cell for group in cells.groups for cell in group.cells}
    every = np.arange(cells.num_states).reshape(-1, 1)
    return [*cells.groups, *(Group((cell,), every) for cell in cells.live if cell not in grouped)]


def make_tuples(cells: GameCells, tuples: Sequence[Tuple], *, symmetries: bool) -> NTuples:
    """The network of these tuples. symmetries: whether their images share weights."""
    groups, spots = groups_of(cells), spots_of(cells)
    columns, owners = [list[NDArray[np.int32]]() for _ in groups], [list[int]() for _ in groups]
    bases, base = list[int](), 0
    for tuple_ in tuples:
        parts, factor = parts_of(cells, tuple_), 1
        images = images_of(cells, tuple_, symmetries=symmetries)
        for part in parts:
            powers = cells.num_states ** np.arange(len(part.numbers))
            table = np.zeros(cells.num_states ** len(part.numbers), np.int32)
            table[part.patterns @ powers] = factor * np.arange(len(part.patterns))
            factor *= len(part.patterns)
            for m, image in enumerate(images):
                g = spots[image[part.numbers[0]]][0]
                chosen = groups[g].states[:, [spots[image[number]][1] for number in part.numbers]]
                columns[g].append(table[chosen @ powers])
                owners[g].append(len(bases) + m)
        bases += [base] * len(images)
        base += factor
    return _assemble(cells, groups, columns, owners, np.array(bases, np.int32))


def _assemble(
    cells: GameCells,
    groups: Sequence[Group],
    columns: Sequence[Sequence[NDArray[np.int32]]],
    owners: Sequence[Sequence[int]],
    bases: NDArray[np.int32],
) -> NTuples:
    """The network of the parts of each group: by pattern what they add, whose they are. bases: where tables begin."""
    of_cell, powers = np.zeros((2, cells.shape[0] * cells.shape[1]), np.int32)
    firsts, rows, patterns, codes, size, length = list[int](), list[int](), list[Any](), list[Any](), 0, 0
    for g, group in enumerate(groups):
        num_parts, factors = len(owners[g]), cells.num_states ** np.arange(len(group.cells))
        of_cell[list(group.cells)], powers[list(group.cells)] = g, factors
        spots = np.full(cells.num_states ** len(group.cells), size, np.int32)  # the first row is that of what cannot be
        spots[group.states @ factors] = size + num_parts * np.arange(1, len(group.states) + 1)
        added = np.zeros((len(group.states) + 1, num_parts), np.int32)
        if num_parts:
            added[1:] = np.stack(columns[g], axis=1)
        firsts, rows, patterns, codes = [*firsts, length], [*rows, int(spots[0])], [*patterns, spots], [*codes, added.ravel()]
        np.add.at(bases, owners[g], added[(spots[0] - size) // max(num_parts, 1)])
        size, length = size + added.size, length + len(spots)
    starts = np.cumsum([0, *map(len, owners)]).astype(np.int32)
    images = np.array([image for of_group in owners for image in of_group], np.int32)
    numbers = np.array(firsts, np.int32), np.concatenate(patterns), starts, images, np.concatenate(codes)
    return NTuples(of_cell, powers, *numbers, np.array(rows, np.int32), bases)


def count_weights(cells: GameCells, tuples: Sequence[Tuple]) -> int:
    """How many weights the tables of tuples have."""
    return sum(math.prod(len(part.patterns) for part in parts_of(cells, tuple_)) for tuple_ in tuples)


def check_tuples(cells: GameCells, tuples: Sequence[Tuple], *, arrays: int) -> int:
    """Refuses tuples that the board or the machine has no room for, and returns how many weights they have.

    arrays: of float32 as long as that, which are needed. Raises OptionError.
    """
    if not 1 <= len(tuples) <= MOST_TUPLES:
        raise OptionError(f"{len(tuples):,} tuples: expected 1 to {MOST_TUPLES:,}")
    for tuple_ in tuples:
        check_cells(cells, tuple_)
    count, codes = count_weights(cells, tuples), _count_codes(cells, tuples)
    if max(count, codes) > MOST_WEIGHTS:
        named = f"{count:,} weights" if count > MOST_WEIGHTS else f"{codes:,} patterns"
        raise OptionError(
            f"{named} of {len(tuples):,} tuples: expected at most {MOST_WEIGHTS:,}; lower the length or the number of tuples"
        )
    has_phases = cells.num_phases > 1
    check_memory(
        4 * arrays * count + CODE_BYTES * codes,
        f"{count:,} weights of {len(tuples):,} tuples" + f" in each of {cells.num_phases} phases" * has_phases,
        "the length or the number of tuples" + ", or have fewer phases" * has_phases,
    )
    return count


def check_cells(cells: GameCells, tuple_: Tuple) -> None:
    """Refuses a tuple that the board does not have. Raises OptionError."""
    if not 1 <= len(tuple_) <= LONGEST:
        raise OptionError(f"a tuple of {len(tuple_)} cells: expected 1 to {LONGEST}")
    for cell in tuple_:
        if cell not in cells.live:
            raise OptionError(f"cell {cells.place(cell)}: {cells.game.id} {dict(cells.game.options)} has no such cell")
    if len(set(tuple_)) < len(tuple_):
        raise OptionError(f"a tuple with a cell twice: {' '.join(map(cells.place, tuple_))}")


def _count_codes(cells: GameCells, tuples: Sequence[Tuple]) -> int:
    """How many codes and patterns a network has at most, if images share weights; a part counts as some more."""
    groups = groups_of(cells)
    count = sum(cells.num_states ** len(group.cells) for group in groups)
    for tuple_ in tuples:
        for part in parts_of(cells, tuple_):
            rows = PART_CODES + len(groups[part.group].states)
            count += cells.num_states ** len(part.numbers) + rows * cells.game.num_symmetries
    return count
