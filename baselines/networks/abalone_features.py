"""Feature maps of Abalone, those of the thesis on Abalearn and variants of them: counts of marbles by bit operations.

Own and other are those of the seat that asks. Regions: the centre, cells at most `centre` from the middle cell e5 (1 or 2); the
border, the 24 cells at distance 4; the middle region, what lies between. Sources: P. Campos, thesis on Abalearn (Technical
University of Lisbon, about 2003), sections 5.3.1 to 5.3.3; where that leaves a definition open, ours is here.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks import verbs
from boardgym.compile import inner
from boardgym.core.bits import popcount
from boardgym.core.verbs import rule
from boardgym.games.abalone.hexagon import BEYOND, HAS, NUM_CELLS
from boardgym.games.abalone.moves import after, before

MARBLES, GOAL, CELLS_OF_CENTRE = 14.0, 6, (1.0, 7.0, 14.0)  # the most marbles that a centre of so many rings may hold


class Directo(NamedTuple):
    """73 inputs: each cell -1 black, 1 white, 0 empty, by bits (`hexagon.py`); then six of marbles lost by black, six by white.

    The k-th of six is 1 once k marbles are lost. Colours are not turned to the seat that asks: the thesis names them by colour.
    is_relative: 1 for own and other in place of white and black.
    """

    BOUNDS = {"is_relative": (0, 1)}  # type: ignore[misc]

    is_relative: int = 0


class Cells(NamedTuple):
    """61 inputs, the board alone: 1 for an own marble, -1 for one of the other's, 0 for an empty cell, by bits (`hexagon.py`).

    is_relative: 0 for 1 white and -1 black, whoever asks, as the thesis prints it (section 3.3.2).
    """

    BOUNDS = {"is_relative": (0, 1)}  # type: ignore[misc]

    is_relative: int = 1


class Espacial(NamedTuple):
    """8 inputs: own marbles in the centre, in the middle region, on the border, pushed off; the same of the other.

    Pushed off: marbles of that side that are off the board, so that own ones are those that the seat has lost.
    """

    BOUNDS = {"centre": (1, 2)}  # type: ignore[misc]

    centre: int = 1


class Atributos(NamedTuple):
    """9 inputs, of one of two lists.

    lists: 0, own in the centre, other in the centre, own in the middle region, other there, other on the border, marbles
    pushed off less those lost, own that are protected, mean distance of own to the middle cell, own that are threatened; 1,
    both centres, both middle regions, both counts of lost marbles (own, other), protected, distance, threatened.
    is_scaled: 1 to divide each by its range. is_signed: 1 to turn what speaks against the seat: the other's regions and own
    losses count below 0, threatened below 0, and closeness (4 - distance) stands for distance.
    """

    BOUNDS = {"lists": (0, 1), "centre": (1, 2), "is_scaled": (0, 1), "is_signed": (0, 1)}  # type: ignore[misc]

    lists: int = 0
    centre: int = 1
    is_scaled: int = 0
    is_signed: int = 0


class Differences(NamedTuple):
    """8 inputs, own less other, each divided by its range.

    Centre, middle region, border, protected, closeness to the middle cell, marbles pushed off less lost; then the other's
    marbles that can be pushed off, and less own that can.
    """

    BOUNDS = {"centre": (1, 2)}  # type: ignore[misc]

    centre: int = 1


@inner
def region_counts(word: int, centre: int) -> tuple[int, int, int]:
    """Marbles of a word in the centre, in the middle region, on the border."""
    inside = popcount(word & ~BEYOND[centre])
    border = popcount(word & BEYOND[3])
    return inside, popcount(word) - inside - border, border


@inner
def protected(word: int) -> int:
    """How many marbles of a word have six neighbours, all of the same word."""
    found = word
    for direction in range(6):
        found &= before(word, direction)
    return popcount(found)


@inner
def total_distance(word: int) -> int:
    """The distances of the marbles of a word to the middle cell, added up."""
    total = 0
    for ring in range(4):
        total += popcount(word & BEYOND[ring])
    return total


@inner
def mean_distance(word: int) -> float:
    """The mean distance of the marbles of a word to the middle cell, in [0, 4]; 0 without any."""
    marbles = popcount(word)
    return total_distance(word) / marbles if marbles else 0.0


@inner
def threatened(word: int, others: int) -> int:
    """How many marbles of a word the other side, if it is to play, can push off the board with its next move."""
    found = 0
    for direction in range(6):
        rim = word & ~HAS[direction]
        two = after(others & after(others, direction), direction)  # the cells that two in line push into
        three = after(others & two, direction)
        found |= rim & (two | after(word & three, direction))
    return popcount(found)


@inner
def sides(position: Any, seat: int) -> tuple[int, int, int, int]:
    """(the marbles of a seat, the other's, what the seat has pushed off, what it has lost)."""
    if seat == position.seat:
        return position.own, position.other, position.own_score, position.other_score
    return position.other, position.own, position.other_score, position.own_score


@inner
def write_cells(above: int, below: int, inputs: NDArray[np.float64]) -> None:
    """Of each cell 1 for a marble of the word `above`, -1 for one of `below`, else 0. inputs: float64, from its beginning."""
    for cell in range(NUM_CELLS):
        inputs[cell] = float((above >> cell) & 1) - float((below >> cell) & 1)


@rule(Directo)
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:
    """Cells, then lost marbles."""
    own, other, won, lost = sides(position, seat)
    if feature_map.is_relative == 0 and seat == 0:  # black is what counts below 0
        own, other, won, lost = other, own, lost, won
    inputs = sheet.inputs
    write_cells(own, other, inputs)
    for k in range(GOAL):
        inputs[NUM_CELLS + k] = 1.0 if won > k else 0.0
        inputs[NUM_CELLS + GOAL + k] = 1.0 if lost > k else 0.0


@rule(Cells)  # type: ignore[no-redef]
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:  # type: ignore[no-redef]  # noqa: F811
    """Cells alone."""
    own, other, _, _ = sides(position, seat)
    if feature_map.is_relative == 0 and seat == 0:
        own, other = other, own
    write_cells(own, other, sheet.inputs)


@rule(Espacial)  # type: ignore[no-redef]
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:  # type: ignore[no-redef]  # noqa: F811
    """Regions and marbles pushed off, of both."""
    own, other, won, lost = sides(position, seat)
    inputs = sheet.inputs
    inputs[0], inputs[1], inputs[2] = region_counts(own, feature_map.centre)
    inputs[4], inputs[5], inputs[6] = region_counts(other, feature_map.centre)
    inputs[3], inputs[7] = lost, won


@rule(Atributos)  # type: ignore[no-redef]
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:  # type: ignore[no-redef]  # noqa: F811
    """The list that is asked for, scaled and turned as is asked for."""
    own, other, won, lost = sides(position, seat)
    inputs, of_centre = sheet.inputs, CELLS_OF_CENTRE[feature_map.centre]
    own_centre, own_middle, _ = region_counts(own, feature_map.centre)
    other_centre, other_middle, other_border = region_counts(other, feature_map.centre)
    turn = -1.0 if feature_map.is_signed else 1.0
    distance = mean_distance(own)
    inputs[0], inputs[1] = own_centre, turn * other_centre
    inputs[2], inputs[3] = own_middle, turn * other_middle
    inputs[6], inputs[7] = protected(own), 4.0 - distance if feature_map.is_signed else distance
    inputs[8] = turn * threatened(own, other)
    if feature_map.lists == 0:
        inputs[4], inputs[5] = turn * other_border, won - lost
    else:
        inputs[4], inputs[5] = turn * lost, won
    if feature_map.is_scaled:
        for k in range(4):
            inputs[k] /= of_centre if k < 2 else MARBLES
        inputs[4] /= MARBLES if feature_map.lists == 0 else GOAL
        inputs[5] /= GOAL
        inputs[6] /= MARBLES
        inputs[7] /= 4.0
        inputs[8] /= GOAL


@rule(Differences)  # type: ignore[no-redef]
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:  # type: ignore[no-redef]  # noqa: F811
    """What speaks for the seat is above 0."""
    own, other, won, lost = sides(position, seat)
    inputs = sheet.inputs
    own_centre, own_middle, own_border = region_counts(own, feature_map.centre)
    other_centre, other_middle, other_border = region_counts(other, feature_map.centre)
    inputs[0] = (own_centre - other_centre) / CELLS_OF_CENTRE[feature_map.centre]
    inputs[1], inputs[2] = (own_middle - other_middle) / MARBLES, (own_border - other_border) / MARBLES
    inputs[3] = (protected(own) - protected(other)) / MARBLES
    inputs[4] = (mean_distance(other) - mean_distance(own)) / 4.0
    inputs[5] = (won - lost) / GOAL
    inputs[6], inputs[7] = threatened(other, own) / GOAL, -threatened(own, other) / GOAL
