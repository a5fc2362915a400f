"""The render modes that all environments share."""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from boardgym.core.board import Board
from boardgym.core.errors import OptionError, nearest
from boardgym.render.window import Window

RENDER_MODES = ("ansi", "rgb_array", "human")
BATCH_RENDER_MODES = ("ansi", "rgb_array")
RENDER_FPS = 2
MOST_PIXELS = 720  # width and height of a window


def check_render_mode(mode: str | None, modes: Sequence[str] = RENDER_MODES) -> str | None:
    """The mode itself. Raises OptionError if there is no such mode."""
    if mode is not None and mode not in modes:
        raise OptionError(f"no render mode {mode!r}; {nearest(str(mode), modes)}")
    return mode


def show(board: Board, mode: str | None, window: Window) -> Any:
    """The board as a render mode wants it: text, uint8 picture, or shown in the window, else printed.

    Raises OptionError if mode is None.
    """
    if mode is None:
        raise OptionError(f"render() needs a render_mode when the environment is made: one of {', '.join(RENDER_MODES)}")
    if mode == "rgb_array":
        from boardgym.render.pixels import rgb_array  # the rasteriser is loaded when a picture is wanted

        return rgb_array(board)
    from boardgym.render.text import draw_text

    if mode == "ansi":
        return draw_text(board, has_colour=allows_colour())
    if not _show_in(window, board):
        print(draw_text(board, has_colour=allows_colour() and sys.stdout.isatty()), flush=True)
    return None


def show_plies(board: Board, first: int) -> list[np.ndarray]:
    """Pictures, uint8 (H, W, 3), of the board's record from a ply on; 0 is its start.

    Raises OptionError if the game has no drawing.
    """
    from boardgym.render.animation import frames
    from boardgym.render.pixels import rgb_array

    return [rgb_array(frame) for frame in frames(board, first)]


def show_all(boards: Iterable[Board], mode: str) -> tuple[Any, ...]:
    """Boards as text or uint8 pictures. Raises OptionError for pictures of a game without a drawing."""
    if mode == "ansi":
        return tuple(map(str, boards))
    from boardgym.render.pixels import rgb_array

    return tuple(map(rgb_array, boards))


def allows_colour() -> bool:
    """Whether the user wants colours in text: not with NO_COLOR set (no-color.org), nor on a terminal that has none."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _show_in(window: Window, board: Board) -> bool:
    """Whether there is a picture of the board and a window that shows it."""
    if board.game.drawing is None or not window.can_open():
        return False
    from boardgym.render.pixels import rgb_array
    from boardgym.render.svg import page_size

    width, height = page_size(board.game.drawing)
    return window.show(rgb_array(board, width=int(width * min(1.0, MOST_PIXELS / max(width, height)))), fps=RENDER_FPS)
