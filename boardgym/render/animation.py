"""Whole games as moving pictures, made from a board's record: a GIF, or an SVG that plays in browsers and notebooks."""

import io
import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.board_summary import drawing_of
from boardgym.core.files import write_aside
from boardgym.render.pixels import rgb_array
from boardgym.render.svg import Svg, background, board_parts, head

HOLD = 3  # the last position is shown for so many plies' time
MOST_FRAMES = 600  # of a GIF, and the last: each takes some 50 ms. Of longer games every second ply is shown, or fewer
NUM_COLOURS = 128  # of a GIF: the pictures have few


def num_frames(board: Board) -> int:
    """How many frames `frames` gives."""
    return board.ply + 1


def frames(board: Board, first: int = 0) -> Iterator[Board]:
    """The board at the start of its record and after each ply of a seat; what was rolled belongs to the ply before it.

    first: how many of these are left out.
    It is one board each time, which moves on, and whose own record holds the latest ply alone: all that a picture needs.
    """
    shown, positions = board.copy(), board.history
    shown.auto_roll = False  # what was rolled stands in the record
    has_chance = board.game.num_outcomes > 0
    plies = [i for i in range(len(board.actions)) if not has_chance or verbs.to_play(positions[i]) != verbs.CHANCE]
    for start, end in itertools.islice(itertools.pairwise([None, *plies, len(board.actions)]), first, None):
        shown.set_position(positions[start or 0], check=False)
        for action in board.actions[start or 0 : end]:
            shown.push(action)
        yield shown


def animate_gif(
    board: Board,
    path: str | Path | None = None,
    *,
    width: int | None = 400,
    seconds_per_ply: float = 0.8,
    on_frame: Callable[[], object] | None = None,
) -> bytes:
    """The game so far as an animated GIF that repeats for ever.

    Args:
        board: its record is shown, one frame a ply, the start included; successive frames that look the same become one.
            Of games too long for MOST_FRAMES plies are left out, evenly, but never the last.
        path: a file to write it to; it is replaced as a whole.
        width: in pixels; None takes 64 a cell.
        seconds_per_ply: how long a position is shown; the last one three times as long.
        on_frame: called after each ply, and the start: `num_frames(board)` times.

    Returns:
        The file's content.

    Raises: OptionError if the game has no drawing; OSError if the file cannot be written.
    """
    from PIL import Image  # here, so that importing environments does not load it

    count = num_frames(board)
    kept = {*range(0, count - 1, math.ceil(count / MOST_FRAMES)), count - 1}
    some = range(count - 1, -1, -max(count // 4, 1))
    colours = [rgb_array(frame, width=width) for index, frame in enumerate(frames(board)) if index in some]
    # one palette for all, so that frames hold only what has changed; the octree keeps the colours of small marks
    palette = Image.fromarray(np.concatenate(colours)).quantize(NUM_COLOURS, Image.Quantize.FASTOCTREE)
    fewer = []
    for index, frame in enumerate(frames(board)):
        if index in kept:
            picture = Image.fromarray(rgb_array(frame, width=width))
            fewer.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))
        if on_frame is not None:
            on_frame()
    milliseconds = [round(1000 * seconds_per_ply)] * len(fewer)
    milliseconds[-1] *= HOLD
    file = io.BytesIO()
    fewer[0].save(file, "GIF", save_all=True, append_images=fewer[1:], duration=milliseconds, loop=0)
    if path is not None:
        write_aside(Path(path), file.getvalue())
    return file.getvalue()


def animate_svg(
    board: Board, *, width: int | None = None, seconds_per_ply: float = 0.8, on_frame: Callable[[], object] | None = None
) -> Svg:
    """The game so far as an SVG that plays and repeats for ever; where SVG does not move, its last position.

    A part that several frames share is there once, so that the size grows with what changes.

    Args:
        board: its record is shown, one frame a ply, the start included.
        width: in pixels; None takes 64 a cell.
        seconds_per_ply: how long a position is shown; the last one three times as long.
        on_frame: called after each ply, and the start: `num_frames(board)` times.

    Raises: OptionError if the game has no drawing.
    """
    count = num_frames(board)
    shown: dict[tuple[int, str], bytearray] = {}  # 1 in the frames that it is seen in
    for index, frame in enumerate(frames(board)):
        for part in board_parts(frame):
            shown.setdefault(part, bytearray(count))[index] = 1
        if on_frame is not None:
            on_frame()
    ticks = count - 1 + HOLD
    moving = [
        _shown_at(part, times, ticks, seconds_per_ply) for (_, part), times in sorted(shown.items(), key=lambda i: i[0][0])
    ]
    return Svg("".join([*head(board, width), *background(drawing_of(board)), *moving, "</svg>"]))


def _shown_at(part: str, times: bytearray, ticks: int, seconds_per_ply: float) -> str:
    """A part that is visible in some of the frames."""
    if all(times):
        return part
    changes = [i for i in range(len(times)) if i == 0 or times[i] != times[i - 1]]
    values = ";".join("visible" if times[i] else "hidden" for i in changes)
    starts = ";".join(f"{i / ticks:.6g}" for i in changes)
    return (
        f'<g visibility="{"visible" if times[-1] else "hidden"}"><animate attributeName="visibility" calcMode="discrete" '
        f'values="{values}" keyTimes="{starts}" dur="{ticks * seconds_per_ply:g}s" repeatCount="indefinite"/>{part}</g>'
    )
