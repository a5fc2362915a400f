"""Where people click: the places of a board with their areas and what the arrow keys lead to, and clicks as moves.

By default there is one place a spot, and an action is clicked on the spots that it concerns. `Controls` is what a game says
where that is not enough: columns in Connect Four, points in backgammon, rows of marbles in Abalone.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Way = tuple[int, ...]  # the places that are clicked for an action, in their order
NONE = -1  # no place
NOWHERE = (NONE, NONE, NONE, NONE)
DIRECTIONS = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))  # up, right, down, left: across and downwards
ASIDE = 1.5  # what a step aside costs, one ahead being 1
LARGEST = 64.0  # units: diameter of a circular place
CONES = (0.7, 1.0)  # how far aside, per unit ahead, a neighbour may lie; the second where the first holds none


@dataclass(frozen=True)
class Place:
    """A part of the board that people click.

    Attributes:
        name: what it is called in moves, such as "a4".
        kind: of its area: "rect", "circle" or "polygon".
        numbers: of its area, in units of the picture: x, y, width, height; x, y, radius; x, y, x, y, ...
        middle: x, y of what stands there.
        neighbours: the places that the arrow keys lead to from here: up, right, down, left; -1 where there is none.
    """

    name: str
    kind: str
    numbers: tuple[float, ...]
    middle: tuple[float, float]
    neighbours: tuple[int, int, int, int] = NOWHERE


def with_neighbours(places: Sequence[Place]) -> tuple[Place, ...]:
    """The places with the neighbours that lie nearest in each direction.

    A place lies in a direction if it is at most 35 degrees off, or 45 where there is no such place. Of two as near, as on
    hexagons, "up" leads to the left one and "down" to the right one, so that each leads back from where the other has led.
    """
    found = []
    for place in places:
        neighbours = [_nearest(place, places, direction) for direction in DIRECTIONS]
        found.append(replace(place, neighbours=(neighbours[0], neighbours[1], neighbours[2], neighbours[3])))
    return tuple(found)


def _nearest(start: Place, places: Sequence[Place], direction: tuple[float, float]) -> int:
    """The index of the place that lies nearest in a direction, NONE if there is none."""
    across, down = direction
    offsets = [(place.middle[0] - start.middle[0], place.middle[1] - start.middle[1]) for place in places]
    steps = [(x * across + y * down, x * down - y * across) for x, y in offsets]  # ahead and aside
    for cone in CONES:
        within = [k for k, (ahead, aside) in enumerate(steps) if ahead > 0 and abs(aside) <= cone * ahead + 1e-6]
        if within:
            return min(within, key=lambda k: (round(steps[k][0] + ASIDE * abs(steps[k][1]), 3), -steps[k][1]))
    return NONE


def places_at(
    middles: Sequence[tuple[float, float]], names: Sequence[str] = (), size: tuple[float, float] | None = None
) -> tuple[Place, ...]:
    """A place around each of some points, with its neighbours.

    Args:
        middles: x, y of each.
        names: of each; without them they are numbered from 1.
        size: width and height of rectangles; None: circles that do not overlap.
    """
    names = names or [str(index + 1) for index in range(len(middles))]
    areas: list[tuple[str, tuple[float, ...]]]
    if size is None:
        apart = min((math.dist(a, b) for i, a in enumerate(middles) for b in middles[:i]), default=LARGEST)
        areas = [("circle", (x, y, min(apart, LARGEST) / 2)) for x, y in middles]
    else:
        areas = [("rect", (x - size[0] / 2, y - size[1] / 2, *size)) for x, y in middles]
    return with_neighbours(
        [Place(name, kind, numbers, at) for name, (kind, numbers), at in zip(names, areas, middles, strict=True)]
    )


@dataclass(frozen=True)
class Controls:
    """How people play on a drawing, and set a position up; what is left out has a default.

    Attributes:
        places: what people click. None: one a spot.
        names: of these places, where there is one a spot; by default they are numbered from 1.
        place_size: width and height of these; None: circles that do not overlap.
        place_of_spot: of each spot its place, -1 for none. None: the place of the same index.
        clicks: (position, action) -> the ways to click it, each the indices of places in order; empty for an action that has
            no place. None: the places of the drawing's `action_spots`, in their order.
        why_not: (position, places) -> a sentence that says why clicking these places in this order plays nothing, "" where the
            game has nothing to add. Asked only where it plays nothing.
        brush: the pieces, as of `Drawing.pieces`, that may be put on spots when a position is set up.
        set_up: (kinds, seat) -> the position string with the piece kinds[i] - 1 of the brush on spot i, 0 for none, and that
            seat to play; the game's `from_fen` then says whether it is a position. None: only by position string.
    """

    places: tuple[Place, ...] | None = None
    names: tuple[str, ...] = ()
    place_size: tuple[float, float] | None = None
    place_of_spot: tuple[int, ...] | None = None
    clicks: Callable[[Any, int], tuple[Way, ...]] | None = None
    why_not: Callable[[Any, tuple[int, ...]], str] | None = None
    brush: tuple[Any, ...] = ()
    set_up: Callable[[Sequence[int], int], str] | None = None
