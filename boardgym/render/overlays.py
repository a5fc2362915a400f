"""What may be laid over a picture: the legal actions, and what a policy thinks of them."""

import itertools
import math
from collections.abc import Mapping

from boardgym.core.board import Board
from boardgym.core.board_summary import drawing_of
from boardgym.core.drawing import Spot
from boardgym.render.glyphs import write
from boardgym.render.style import LIGHT, box, circle, ink_on, text_size, towards

HINT = "#7a3ff2"
DOT = f'fill="{HINT}" fill-opacity="0.8" stroke="{LIGHT}" stroke-width="1.5"'
TAG_WIDTH, TAG_HEIGHT, TAG_ROOM = 4.3, 1.8, 3.9  # of the height of its digits; room for them
HEAD = 12.0  # of an arrow: so short that a tag at its end hides it
TIP, NECK, HALF_HEAD = 32.0, 13.0, 6.5  # of an arrowhead beside a piece: where it ends and begins, from the piece's middle
JOINT = 20.0
MOST_ARROWS = 3  # with values: more would hide the board
BAD, EVEN, GOOD = (0xC0, 0x39, 0x2B), (0xC9, 0xCC, 0xD1), (0x1E, 0x84, 0x49)
Way = tuple[Spot, ...]  # the spot where an action leads, or those where it begins and where it leads


def legal_marks(board: Board) -> list[str]:
    """SVG parts: a dot where each legal action leads, or an arrow if it comes from another spot.

    Pieces that step have an arrowhead beside them; those that may step at once are joined. Actions that concern no spots,
    such as a pass, cannot be shown.
    """
    drawing = drawing_of(board)
    marks: dict[str, None] = {}  # in order, each once
    heads: dict[str, None] = {}
    for action in board.legal_actions:
        steps = [(drawing.spots[a], drawing.spots[b]) for a, b in drawing.steps(board.position, action)]
        heads |= dict.fromkeys(_head(*step) for step in steps)
        marks |= dict.fromkeys(_join(*pair) for pair in itertools.pairwise(steps))
        if not steps and (way := _way(board, action)):
            marks[_arrow(way, HINT, 4.0, 0.7) if len(way) > 1 else circle(*_beside_label(board, way[0]), 7, DOT)] = None
    return [*marks, *heads]


def value_marks(board: Board, values: Mapping[int, float]) -> list[str]:
    """SVG parts: the value of each action as a tag with its number, red for bad and green for good, the best framed.

    Of actions that lead from one spot to another only the best few are shown, of several with the same spots the best.
    values: action -> its value for the seat to play; those outside [-1, 1] colour by their share of the largest.
    """
    best: dict[Way, float] = {}
    for action, value in values.items():
        if way := _way(board, action):
            best[way] = max(value, best.get(way, -math.inf))
    ranked = sorted(best.items(), key=lambda item: -item[1])
    arrows = [item for item in ranked if len(item[0]) > 1][:MOST_ARROWS]
    shown = [item for item in ranked if len(item[0]) == 1] + arrows
    ends = [way[-1] for way, _ in shown]
    scale = max([1.0, *(abs(value) for _, value in shown)])
    parts = [_arrow(way, _colour(value / scale), 7.0, 1.0) for way, value in reversed(arrows)]
    for way, value in reversed(shown):
        x, y = _beside_label(board, way[-1])
        size = 1.0 if y == way[-1].y else 0.8
        if ends.count(way[-1]) > 1 and len(way) > 1:  # no room for two there
            size, x, y = 0.8, 0.35 * way[0].x + 0.65 * x, 0.35 * way[0].y + 0.65 * y
        colour, is_best = _colour(value / scale), value == ranked[0][1]
        edge = f'stroke="{HINT}" stroke-width="{5 * size:g}"' if is_best else f'stroke="{LIGHT}" stroke-width="1.5"'
        high = text_size(drawing_of(board)) * size
        parts.append(box(x, y, TAG_WIDTH / 2 * high, TAG_HEIGHT / 2 * high, 2, f'fill="{colour}" {edge}'))
        text = f"{value + 0.0:+.2f}" if abs(value) < 10 else f"{value:+.0f}"  # + 0.0: no minus zero
        parts.append(write(text, x, y, size=high, colour=ink_on(colour), room=TAG_ROOM * high, weight=0.95))
    return parts


def _beside_label(board: Board, spot: Spot) -> tuple[float, float]:
    """The middle of a spot, or the lower part of a piece whose label would be hidden there."""
    drawing = drawing_of(board)
    piece = drawing.pieces(board.position)[drawing.spots.index(spot)]
    return spot.x, spot.y + (26 if piece is not None and piece.label else 0)


def _way(board: Board, action: int) -> Way:
    """Where an action begins and leads, empty if it concerns no spots."""
    drawing = drawing_of(board)
    spots = [drawing.spots[index] for index in drawing.action_spots(board.position, action)]
    return (spots[0], spots[-1]) if spots and spots[0] != spots[-1] else tuple(spots[-1:])


def _arrow(way: Way, colour: str, width: float, opacity: float) -> str:
    """An arrow that begins beside the middle of its first spot and ends in the middle of the last."""
    start, end = way
    across, down = towards(start, end)
    neck_x, neck_y = end.x - HEAD * across, end.y - HEAD * down
    side_x, side_y = -0.6 * HEAD * down, 0.6 * HEAD * across
    line = f"M{start.x + 9 * across:.2f} {start.y + 9 * down:.2f}L{neck_x:.2f} {neck_y:.2f}"
    point = f"M{end.x:.2f} {end.y:.2f}L{neck_x + side_x:.2f} {neck_y + side_y:.2f}L{neck_x - side_x:.2f} {neck_y - side_y:.2f}Z"
    return (  # the light edge makes it stand out from dark pieces
        f'<g opacity="{opacity:g}" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{line}{point}" fill="none" stroke="{LIGHT}" stroke-width="{width + 2.5:g}"/>'
        f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="{width:g}"/><path d="{point}" fill="{colour}"/></g>'
    )


def _head(start: Spot, end: Spot) -> str:
    """An arrowhead beside a piece that steps to the next spot."""
    across, down = towards(start, end)
    neck_x, neck_y, side_x, side_y = start.x + NECK * across, start.y + NECK * down, -HALF_HEAD * down, HALF_HEAD * across
    corners = f"{start.x + TIP * across:.2f} {start.y + TIP * down:.2f}L{neck_x + side_x:.2f} {neck_y + side_y:.2f}"
    corners += f"L{neck_x - side_x:.2f} {neck_y - side_y:.2f}"
    return f'<path d="M{corners}Z" fill="{HINT}" stroke="{LIGHT}" stroke-width="1.5" stroke-linejoin="round"/>'


def _join(one: tuple[Spot, Spot], other: tuple[Spot, Spot]) -> str:
    """A line between the arrowheads of two pieces that step at once."""
    across, down = towards(*one)
    ends = "L".join(f"{start.x + JOINT * across:.2f} {start.y + JOINT * down:.2f}" for start, _ in (one, other))
    return f'<path d="M{ends}" stroke="{LIGHT}" stroke-width="6.5"/><path d="M{ends}" stroke="{HINT}" stroke-width="4"/>'


def _colour(share: float) -> str:
    """From red at -1 over grey to green at 1."""
    end, weight = (GOOD if share > 0 else BAD), min(abs(share), 1.0)
    return "#" + "".join(f"{round(middle + (far - middle) * weight):02x}" for middle, far in zip(EVEN, end, strict=True))
