"""The board of Nine Men's Morris as a drawing."""

import functools
from typing import Any

from boardgym.compile import as_python
from boardgym.core.bits import popcount
from boardgym.core.drawing import CELL, CORNER, EDGE, LABELS, Drawing, Piece, Shape, Spot
from boardgym.core.places import Controls
from boardgym.games.nine_mens_morris.controls import points_of, set_up, why_not
from boardgym.games.nine_mens_morris.notation import NAMES, by_seat
from boardgym.games.nine_mens_morris.rules import (
    LINES,
    NEIGHBOURS,
    NUM_POINTS,
    PLACES,
    is_lost,
    men_in_mills,
)

DISCS = (Piece("disc", 0, "W"), Piece("disc", 1, "B"))
LINE, WOOD = "#5a4630", "#e6cfa5"
TEMPLATE = (
    "7 .-----.-----. ",
    "6 | .---.---. | ",
    "5 | | .-.-. | | ",
    "4 .-.-.   .-.-. ",
    "3 | | .-.-. | | ",
    "2 | .---.---. | ",
    "1 .-----.-----. ",
    "  a b c d e f g ",
)


def drawing_of(position_class: Any) -> Drawing:
    """The drawing of a variant's board, without or with diagonals."""
    spots = tuple(Spot(LABELS + (c + 0.5) * CELL, EDGE + (r + 0.5) * CELL, r, 2 + 2 * c) for r, c in PLACES)
    side = 7 * CELL
    backdrop = [
        Shape("rect", (LABELS - 3, EDGE - 3, side + 6, side + 6, CORNER), "line"),
        Shape("rect", (LABELS, EDGE, side, side, CORNER - 3), "board"),
    ]
    for first, _, last in LINES[position_class.BOARD]:
        ends = (spots[first].x, spots[first].y, spots[last].x, spots[last].y)
        backdrop.append(Shape("line", ends, "none", "line", 3.5))
    backdrop += [Shape("circle", (spot.x, spot.y, 6.0), "line") for spot in spots]
    for k in range(7):
        backdrop.append(
            Shape("text", (LABELS + (k + 0.5) * CELL, EDGE + side + LABELS / 2 + 1, 15.0), "ink", text="abcdefg"[k])
        )
        backdrop.append(Shape("text", (LABELS / 2 - 1, EDGE + (k + 0.5) * CELL, 15.0), "ink", text=str(7 - k)))
    return Drawing(
        (LABELS + side + EDGE, EDGE + side + LABELS),
        spots,
        pieces,
        TEMPLATE,
        tuple(backdrop),
        ("#fbf8ef", "#24211f"),
        WOOD,
        LINE,
        action_spots=action_spots,
        notes=notes,
        note_lines=3,
        winning=winning,
        controls=Controls(
            names=tuple(NAMES),
            why_not=why_not,
            brush=DISCS,
            set_up=functools.partial(set_up, position_class=position_class),
        ),
    )


def pieces(position: Any) -> list[Piece | None]:
    (white, _), (black, _) = by_seat(position)
    return [DISCS[0] if white >> p & 1 else DISCS[1] if black >> p & 1 else None for p in range(NUM_POINTS)]


def action_spots(position: Any, action: int) -> tuple[int, ...]:
    start, end = action // NUM_POINTS - 1, action % NUM_POINTS
    return (end,) if start < 0 else (start, end)


def notes(position: Any) -> tuple[str, ...]:
    lines = []
    for name, (word, hand) in zip(("white", "black"), by_seat(position), strict=True):
        lines.append(f"{name}: {hand} in hand, {position.MEN - hand - popcount(word)} lost")
    return (*lines, f"{('white', 'black')[position.seat]}: remove a man") if position.must_remove else tuple(lines)


def winning(position: Any) -> tuple[int, ...]:
    """The winner's men in mills, once the other has too few; those that block the other's men, if these cannot move."""
    if position.must_remove or not as_python(is_lost)(position):
        return ()
    if popcount(position.own) + position.own_hand < 3:
        return tuple(points_of(as_python(men_in_mills)(position, position.other)))
    beside = {q for point in points_of(position.own) for q in points_of(int(NEIGHBOURS[position.BOARD, point]))}
    return tuple(point for point in points_of(position.other) if point in beside)
