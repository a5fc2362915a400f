"""Whole games as moving pictures, made from a board's record: a GIF, or an SVG that plays in browsers and notebooks."""

import io
from pathlib import Path

import numpy as np

from boardgym.core.board import Board
from boardgym.core.describing import drawing_of
from boardgym.render.pixels import rgb_array, save
from boardgym.render.svg import Svg, background, board_parts, head

HOLD = 3  # the last position is shown for so many plies' time
NUM_COLOURS = 128  # of a GIF: the pictures have few


def frames(board: Board) -> list[Board]:
    """The board as it was at the start of its record and after each ply; what was rolled belongs to the ply before it."""
    boards = [board.copy()]
    while boards[-1].ply:
        earlier = boards[-1].copy()
        earlier.pop()
        boards.append(earlier)
    return boards[::-1]


def animate_gif(
    board: Board, path: str | Path | None = None, *, width: int | None = 400, seconds_per_ply: float = 0.8
) -> bytes:
    """The game so far as an animated GIF that repeats for ever.

    Args:
        board: its record is shown, one frame a ply, the start included; successive frames that look the same become one.
        path: a file to write it to; it is replaced as a whole.
        width: in pixels; None takes 64 a cell.
        seconds_per_ply: how long a position is shown; the last one three times as long.

    Returns:
        The file's content.

    Raises: OptionError if the game has no drawing; OSError if the file cannot be written.
    """
    from PIL import Image  # here, so that importing environments does not load it

    pictures = [Image.fromarray(rgb_array(frame, width=width)) for frame in frames(board)]
    some = [np.asarray(picture) for picture in pictures[:: -max(len(pictures) // 4, 1)]]
    # one palette for all, so that frames hold only what has changed; the octree keeps the colours of small marks
    palette = Image.fromarray(np.concatenate(some)).quantize(NUM_COLOURS, Image.Quantize.FASTOCTREE)
    fewer = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    milliseconds = [round(1000 * seconds_per_ply)] * len(fewer)
    milliseconds[-1] *= HOLD
    file = io.BytesIO()
    fewer[0].save(file, "GIF", save_all=True, append_images=fewer[1:], duration=milliseconds, loop=0)
    if path is not None:
        save(path, file.getvalue())
    return file.getvalue()


def animate_svg(board: Board, *, width: int | None = None, seconds_per_ply: float = 0.8) -> Svg:
    """The game so far as an SVG that plays and repeats for ever; where SVG does not move, its last position.

    A part that several frames share is there once, so that the size grows with what changes.

    Args:
        board: its record is shown, one frame a ply, the start included.
        width: in pixels; None takes 64 a cell.
        seconds_per_ply: how long a position is shown; the last one three times as long.

    Raises: OptionError if the game has no drawing.
    """
    boards = frames(board)
    shown: dict[tuple[int, str], list[bool]] = {}
    for index, frame in enumerate(boards):
        for part in board_parts(frame):
            shown.setdefault(part, [False] * len(boards))[index] = True
    ticks = len(boards) - 1 + HOLD
    moving = [
        _shown_at(part, times, ticks, seconds_per_ply) for (_, part), times in sorted(shown.items(), key=lambda i: i[0][0])
    ]
    return Svg("".join([*head(board, width), *background(drawing_of(board)), *moving, "</svg>"]))


def _shown_at(part: str, times: list[bool], ticks: int, seconds_per_ply: float) -> str:
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
