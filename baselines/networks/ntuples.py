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

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks.cells import GameCells
from boardgym.baselines.networks.vector_tanh import tanh
from boardgym.compile import inlined
from boardgym.core.errors import OptionError
from boardgym.core.escape import shown
from boardgym.core.random import draw

Tuple = tuple[int, ...]
LONGEST = 16  # cells of a tuple
MOST_TUPLES = 10_000
CODE_BYTES = 48  # of a pattern, while tables are made
MOST_TRIES = 1000  # walks in a row that find nothing new
MOST_STEPS = 10_000  # of a walk
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # of lines, as rows and columns
FORMS = "walk(70, 8), lines(4), shape(xx/xx) or cells(0,0 0,1 1,1)"


class NTuples(NamedTuple):
    """What an n-tuple network is, but for its weights. C cells of the grid, P parts of images of tuples, E cells of all parts.

    starts: int64 (C + 1,); parts, powers: int64 (E,): cell c is in the parts parts[starts[c]:starts[c + 1]], and each of its
    states moves the spot of the part by the power. images: int64 (P,), whose part it is. codes: int64, at the spot of a part
    what it adds to the index. spots: int64 (P,), of parts whose cells all have state 0. bases: int64 (M,), the indices of the
    images then.
    """

    starts: NDArray[np.int64]
    parts: NDArray[np.int64]
    powers: NDArray[np.int64]
    images: NDArray[np.int64]
    codes: NDArray[np.int64]
    spots: NDArray[np.int64]
    bases: NDArray[np.int64]


class Reading(NamedTuple):
    """A position as S seats see it.

    states: int64 (S, C), of the cells. spots: int64 (S, P), of the parts. places: int64 (S, M), of the weights that count.
    moved: for positions near this one.
    """

    states: NDArray[np.int64]
    spots: NDArray[np.int64]
    places: NDArray[np.int64]
    moved: "Moved"


class Moved(NamedTuple):
    """Room for what changes from a position to one near it.

    spots: int64 (P,), places: int64 (M,): by how much; zeros between two uses. parts: int64 (E,), images: int64 (P,): which.
    """

    spots: NDArray[np.int64]
    places: NDArray[np.int64]
    parts: NDArray[np.int64]
    images: NDArray[np.int64]


@inlined
def make_reading(tuples: NTuples, seats: int) -> Reading:
    """A reading of a board whose cells all have state 0."""
    parts, images = tuples.spots.shape[0], tuples.bases.shape[0]
    states, spots = np.zeros((seats, tuples.starts.shape[0] - 1), np.int64), np.zeros((seats, parts), np.int64)
    entries = np.zeros(tuples.parts.shape[0], np.int64)
    moved = Moved(np.zeros(parts, np.int64), np.zeros(images, np.int64), entries, np.zeros(parts, np.int64))
    reading = Reading(states, spots, np.zeros((seats, images), np.int64), moved)
    for seat in range(seats):
        for p in range(parts):
            reading.spots[seat, p] = tuples.spots[p]
        for m in range(images):
            reading.places[seat, m] = tuples.bases[m]
    return reading


@inlined
def follow(tuples: NTuples, reading: Reading, seat: int, states: NDArray[np.int64]) -> None:
    """Moves a seat's reading on to other states of the cells. states: int64 (C,).

    Between two cells of a part it may stand at a pattern that cannot be; what that adds is taken away again.
    """
    spots, places, seen = reading.spots[seat], reading.places[seat], reading.states[seat]
    for cell in range(states.shape[0]):
        step = states[cell] - seen[cell]
        if step != 0:
            seen[cell] = states[cell]
            for e in range(tuples.starts[cell], tuples.starts[cell + 1]):
                part = np.uint64(tuples.parts[e])  # unsigned: no look at whether an index is below 0, here and in `value_of`
                before = spots[part]
                after = before + step * tuples.powers[e]
                places[np.uint64(tuples.images[part])] += tuples.codes[np.uint64(after)] - tuples.codes[np.uint64(before)]
                spots[part] = after


@inlined
def change_of(
    tuples: NTuples, weights: NDArray[np.float32], table: int, reading: Reading, seat: int, states: NDArray[np.int64]
) -> float:
    """By how much the sum of weights differs if the cells have other states; the reading stays. states: int64 (C,).

    Looks at the images with a changed cell alone: first how far the spot of each part moves, since a part may have several
    such cells, then how far the place of each image does.
    """
    spots, places, seen, row, moved = reading.spots[seat], reading.places[seat], reading.states[seat], weights[table], reading.moved
    num_parts, num_images, change = 0, 0, 0.0
    for cell in range(states.shape[0]):
        step = states[cell] - seen[cell]
        if step != 0:
            for e in range(tuples.starts[cell], tuples.starts[cell + 1]):
                part = np.uint64(tuples.parts[e])
                if moved.spots[part] == 0:  # or 0 again: then it is listed twice, and the second time found to be done
                    moved.parts[num_parts], num_parts = part, num_parts + 1
                moved.spots[part] += step * tuples.powers[e]
    for n in range(num_parts):
        part = np.uint64(moved.parts[n])
        if moved.spots[part] != 0:
            image = np.uint64(tuples.images[part])
            if moved.places[image] == 0:
                moved.images[num_images], num_images = image, num_images + 1
            before = spots[part]
            moved.places[image] += tuples.codes[np.uint64(before + moved.spots[part])] - tuples.codes[np.uint64(before)]
            moved.spots[part] = 0
    for n in range(num_images):
        image = np.uint64(moved.images[n])
        place = places[image]
        change += np.float64(row[np.uint64(place + moved.places[image])]) - np.float64(row[np.uint64(place)])
        moved.places[image] = 0
    return change


@inlined
def value_of(weights: NDArray[np.float32], table: int, reading: Reading, seat: int) -> float:
    """The value of what a seat's reading shows, in (-1, 1). weights: float32 (tables, W); table: the row that counts."""
    return tanh(sum_of(weights, table, reading, seat))


@inlined
def sum_of(weights: NDArray[np.float32], table: int, reading: Reading, seat: int) -> float:
    """The sum of the weights of what a seat's reading shows.

    Four sums, so that each addition need not wait for the one before; in a fixed order, so that they are the same everywhere.
    """
    row, places = weights[table], reading.places[seat]
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
    """Cells of a tuple that constrain each other, by their numbers in it. patterns: int64 (R, len(numbers)), all states."""

    numbers: tuple[int, ...]
    patterns: NDArray[np.int64]


def parts_of(cells: GameCells, tuple_: Tuple) -> list[Part]:
    """The parts of a tuple, in the order of their first cells."""
    every = np.arange(cells.num_states).reshape(-1, 1)
    of_cell = {cell: group for group in cells.groups for cell in group.cells}
    members = dict[int, list[int]]()  # by the first cell of a group, or the cell itself
    for number, cell in enumerate(tuple_):
        members.setdefault(of_cell[cell].cells[0] if cell in of_cell else cell, []).append(number)
    found = []
    for numbers in members.values():
        group = of_cell.get(tuple_[numbers[0]])
        chosen = every if group is None else group.states[:, [group.cells.index(tuple_[number]) for number in numbers]]
        found.append(Part(tuple(numbers), np.unique(chosen, axis=0)))
    return found


def make_tuples(cells: GameCells, tuples: Sequence[Tuple], *, symmetries: bool) -> NTuples:
    """The network of these tuples. symmetries: whether their images share weights."""
    members = list[list[tuple[int, int]]]([] for _ in range(cells.shape[0] * cells.shape[1]))
    images, spots, bases, codes, base = list[int](), list[int](), list[int](), list[int](), 0
    for tuple_ in tuples:
        parts, firsts, factor = parts_of(cells, tuple_), list[int](), 1
        for part in parts:
            powers = cells.num_states ** np.arange(len(part.numbers))
            table = np.zeros(cells.num_states ** len(part.numbers), np.int64)
            table[part.patterns @ powers] = factor * np.arange(len(part.patterns))
            firsts.append(len(codes))
            codes += table.tolist()
            factor *= len(part.patterns)
        for image in images_of(cells, tuple_, symmetries=symmetries):
            for part, first in zip(parts, firsts, strict=True):
                for n, number in enumerate(part.numbers):
                    members[image[number]].append((len(spots), cells.num_states**n))
                spots.append(first)
                images.append(len(bases))
            bases.append(base + sum(codes[first] for first in firsts))
        base += factor
    flat = [pair for of_cell in members for pair in of_cell]
    starts = np.cumsum([0, *map(len, members)])
    numbers = ([pair[0] for pair in flat], [pair[1] for pair in flat], images, codes, spots, bases)
    return NTuples(starts.astype(np.int64), *(np.array(each, np.int64) for each in numbers))


def count_weights(cells: GameCells, tuples: Sequence[Tuple]) -> int:
    """How many weights the tables of tuples have."""
    return sum(math.prod(len(part.patterns) for part in parts_of(cells, tuple_)) for tuple_ in tuples)


def check_tuples(cells: GameCells, tuples: Sequence[Tuple], *, arrays: int) -> int:
    """Refuses tuples that the board or the machine has no room for, and returns how many weights they have.

    arrays: of float32 as long as that, which are needed. Raises OptionError.
    """
    if not 1 <= len(tuples) <= MOST_TUPLES:
        raise OptionError(f"{len(tuples):,} tuples: expected 1 to {MOST_TUPLES:,}")
    live = set(cells.live)
    for tuple_ in tuples:
        if not 1 <= len(tuple_) <= LONGEST:
            raise OptionError(f"a tuple of {len(tuple_)} cells: expected 1 to {LONGEST}")
        for cell in tuple_:
            if cell not in live:
                raise OptionError(f"cell {cells.place(cell)}: {cells.game.id} {dict(cells.game.options)} has no such cell")
        if len(set(tuple_)) < len(tuple_):
            raise OptionError(f"a tuple with a cell twice: {' '.join(map(cells.place, tuple_))}")
    parts = [part for tuple_ in tuples for part in parts_of(cells, tuple_)]
    codes, count = sum(cells.num_states ** len(part.numbers) for part in parts), count_weights(cells, tuples)
    check_memory(
        4 * arrays * count + CODE_BYTES * codes,
        f"{count:,} weights of {len(tuples):,} tuples",
        "the length or the number of tuples",
    )
    return count


def usual_tuples(cells: GameCells) -> tuple[str, ...]:
    """What is taken if nothing is said: as in the literature on Connect Four, and less on small boards."""
    return ("walk(70, 8)",) if len(cells.live) >= 30 else ("walk(10, 5)",)


def read_tuples(texts: Sequence[str], cells: GameCells, rng: NDArray[np.uint64], *, symmetries: bool) -> list[Tuple]:
    """Tuples by their descriptions, in order; those that read the same cells as one before, or an image of it, are left out.

    texts: each `walk(70, 8)`: so many random walks of so many cells; `lines(4)`: all straight lines of so many; `shape(xx/x.)`:
    a shape, row by row, wherever it fits; `cells(0,0 0,1 1,1)`: the cells of one tuple as row,column from 0 at the top left.
    rng: uint64 (1,), advanced by walks.

    Raises OptionError.
    """
    found = dict[frozenset[int], Tuple]()

    def add(tuple_: Tuple) -> bool:
        sets = [frozenset(image) for image in images_of(cells, tuple_, symmetries=symmetries)]
        if any(one in found for one in sets):
            return False
        found[sets[0]] = tuple_
        return True

    for text in texts:
        match = re.fullmatch(r"\s*([a-z]+)\s*\((.*)\)\s*", str(text))
        if match is None or match[1] not in ("walk", *MAKERS):
            raise OptionError(f"tuples={shown(text)!r}: expected {FORMS}")
        if match[1] == "walk":
            count, length = numbers_of(text, match[2], (MOST_TUPLES, min(LONGEST, len(cells.live))))
            before, missed = len(found), 0
            while len(found) < before + count:
                missed = 0 if (path := walk(cells, length, rng)) and add(path) else missed + 1
                if missed == MOST_TRIES:
                    made = len(found) - before
                    raise OptionError(f"tuples={shown(text)!r}: {made} walks of {length} cells that differ; expected fewer")
            continue
        fits = list(MAKERS[match[1]](text, match[2], cells))
        if not fits:
            raise OptionError(f"tuples={shown(text)!r}: no place on the board of {cells.game.id} {dict(cells.game.options)}")
        for tuple_ in fits:
            check_tuples(cells, [tuple_], arrays=1)
            add(tuple_)
    return list(found.values())


def numbers_of(text: str, inner: str, most: tuple[int, ...]) -> list[int]:
    """The whole numbers between brackets, from 1 to the most of each. Raises OptionError."""
    parts = inner.split(",")
    if len(parts) != len(most) or not all(re.fullmatch(r"\s*[0-9]{1,9}\s*", part) for part in parts):
        raise OptionError(f"tuples={shown(text)!r}: expected {len(most)} whole numbers in brackets, as in {FORMS}")
    numbers = [int(part) for part in parts]
    for number, limit in zip(numbers, most, strict=True):
        if not 1 <= number <= limit:
            raise OptionError(f"tuples={shown(text)!r}: {number}; expected 1 to {limit:,}")
    return numbers


def next_cell(cells: GameCells, cell: int, step: tuple[int, int]) -> int | None:
    """The nearest cell of the board in a direction, None beyond its edge."""
    (rows, columns), live = cells.shape, set(cells.live)
    row, column = divmod(cell, columns)
    while True:
        row, column = row + step[0], column + step[1]
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        if row * columns + column in live:
            return row * columns + column


def walk(cells: GameCells, length: int, rng: NDArray[np.uint64]) -> Tuple | None:
    """The cells that a walk from a random cell to random neighbours, of which a cell has up to 8, visits; by number.

    None if it comes to no end: the cells around do not suffice.
    """
    steps = [*DIRECTIONS, *((-row, -column) for row, column in DIRECTIONS)]
    here = cells.live[draw(rng, len(cells.live))]
    visited = {here}
    for _ in range(MOST_STEPS):
        if len(visited) == length:
            return tuple(sorted(visited))
        around = [cell for step in steps if (cell := next_cell(cells, here, step)) is not None]
        if not around:
            return None
        here = around[draw(rng, len(around))]
        visited.add(here)
    return None


def lines(text: str, inner: str, cells: GameCells) -> Iterator[Tuple]:
    """All straight lines of a length, from the nearest cell to the nearest."""
    (length,) = numbers_of(text, inner, (LONGEST,))
    for first in cells.live:
        for step in DIRECTIONS:
            line, cell = [first], next_cell(cells, first, step)
            while cell is not None and len(line) < length:
                line.append(cell)
                cell = next_cell(cells, cell, step)
            if len(line) == length:
                yield tuple(line)


def shapes(text: str, inner: str, cells: GameCells) -> Iterator[Tuple]:
    """A shape, x for its cells and . for others, wherever all of its cells are on the board."""
    drawn = inner.strip().split("/")
    marks = [(row, column) for row, line in enumerate(drawn) for column, sign in enumerate(line) if sign == "x"]
    if not marks or not re.fullmatch(r"[x./]+", inner.strip()):
        raise OptionError(f"tuples={shown(text)!r}: expected rows of x and . with / between them, as in shape(xx/x.)")
    (rows, columns), live = cells.shape, set(cells.live)
    tops, lefts = ([place[axis] for place in marks] for axis in range(2))
    for top in range(-min(tops), rows - max(tops)):  # from below 0, if the shape's edge has no cell of its own
        for left in range(-min(lefts), columns - max(lefts)):
            placed = [(top + row) * columns + left + column for row, column in marks]
            if live.issuperset(placed):
                yield tuple(placed)


def by_hand(text: str, inner: str, cells: GameCells) -> Iterator[Tuple]:
    """One tuple, its cells as row,column."""
    rows, columns = cells.shape
    found = []
    for word in inner.split():
        match = re.fullmatch(r"([0-9]{1,4}),([0-9]{1,4})", word)
        if match is None:
            raise OptionError(f"tuples={shown(text)!r}: {shown(word)!r}; expected row,column, as in cells(0,0 0,1 1,1)")
        row, column = int(match[1]), int(match[2])
        if row >= rows or column >= columns or row * columns + column not in cells.live:
            raise OptionError(
                f"tuples={shown(text)!r}: {cells.game.id} {dict(cells.game.options)} has no cell {word}; rows are 0 to "
                f"{rows - 1}, columns 0 to {columns - 1}, from the top left"
            )
        found.append(row * columns + column)
    yield tuple(found)


MAKERS = {"lines": lines, "shape": shapes, "cells": by_hand}
