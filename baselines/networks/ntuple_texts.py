"""Tuples of cells by their descriptions: walks, lines, shapes, and cells by hand."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks.cells import GameCells
from boardgym.baselines.networks.ntuples import LONGEST, MOST_TUPLES, Tuple, check_cells, images_of
from boardgym.core.errors import OptionError
from boardgym.core.escape import shown
from boardgym.core.random import draw

MOST_TRIES = 1000  # walks in a row that find nothing new
MOST_STEPS = 10_000  # of a walk
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # of lines, as rows and columns
STEPS = (*DIRECTIONS, *((-row, -column) for row, column in DIRECTIONS))  # to all neighbours
LARGEST = 6  # cells of all shapes of a size: of 6 there are 3,832
FORMS = "walk(70, 8), lines(4), shapes(3), shape(xx/xx) or cells(0,0 0,1 1,1)"
Place = tuple[int, int]  # row and column


def usual_tuples(cells: GameCells) -> tuple[str, ...]:
    """What is taken if nothing is said: as in the literature on Connect Four, and less on smaller boards.

    A board of one row has few walks; with more than four states, tables of six cells grow large.
    """
    if len(cells.live) >= 30:
        return ("walk(70, 8)",)
    if len(cells.live) >= 20 and min(cells.shape) > 1 and cells.num_states <= 4:
        return ("lines(3)", "walk(40, 6)")
    return ("walk(10, 5)",)


def read_tuples(texts: Sequence[str], cells: GameCells, rng: NDArray[np.uint64], *, symmetries: bool) -> list[Tuple]:
    """Tuples by their descriptions, in order; those that read the same cells as one before, or an image of it, are left out.

    texts: each `walk(70, 8)`: so many random walks of so many cells; `lines(4)`: all straight lines of so many; `shape(xx/x.)`:
    a shape, row by row, wherever it fits; `shapes(3)`: all shapes of so many cells that touch, wherever they fit;
    `cells(0,0 0,1 1,1)`: the cells of one tuple as row,column from 0 at the top left.
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
            check_cells(cells, tuple_)
            if add(tuple_) and len(found) > MOST_TUPLES:
                raise OptionError(f"tuples={shown(text)!r}: over {MOST_TUPLES:,} tuples in all; expected fewer")
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
    here = cells.live[draw(rng, len(cells.live))]
    visited = {here}
    for _ in range(MOST_STEPS):
        if len(visited) == length:
            return tuple(sorted(visited))
        around = [cell for step in STEPS if (cell := next_cell(cells, here, step)) is not None]
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


def one_shape(text: str, inner: str, cells: GameCells) -> Iterator[Tuple]:
    """A shape, x for its cells and . for others, wherever all of its cells are on the board."""
    drawn = inner.strip().split("/")
    marks = [(row, column) for row, line in enumerate(drawn) for column, sign in enumerate(line) if sign == "x"]
    if not marks or not re.fullmatch(r"[x./]+", inner.strip()):
        raise OptionError(f"tuples={shown(text)!r}: expected rows of x and . with / between them, as in shape(xx/x.)")
    yield from places_of(marks, cells)


def every_shape(text: str, inner: str, cells: GameCells) -> Iterator[Tuple]:
    """All shapes of so many cells, each the neighbour of another, wherever they fit; of 4 cells 110 shapes."""
    (size,) = numbers_of(text, inner, (LARGEST,))
    found: set[tuple[Place, ...]] = {((0, 0),)}
    for _ in range(size - 1):
        found = {grown for marks in found for grown in grow(marks)}
    for marks in sorted(found):
        yield from places_of(marks, cells)


def grow(marks: Sequence[Place]) -> Iterator[tuple[Place, ...]]:
    """A shape with one cell more, in every way; its edges are row 0 and column 0, its cells ascend."""
    for row, column in marks:
        for down, right in STEPS:
            more = {*marks, (row + down, column + right)}
            if len(more) > len(marks):
                top, left = (min(place[axis] for place in more) for axis in range(2))
                yield tuple(sorted((row - top, column - left) for row, column in more))


def places_of(marks: Sequence[Place], cells: GameCells) -> Iterator[Tuple]:
    """A shape wherever all of its cells are on the board."""
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


MAKERS = {"lines": lines, "shape": one_shape, "shapes": every_shape, "cells": by_hand}
