"""Boards as pixels: the SVG through the rasteriser."""

import io

import numpy as np

from boardgym.core.board import Board
from boardgym.render.svg import draw_svg


def png(board: Board, *, width: int | None = None) -> bytes:
    """The board as a PNG file. width: in pixels; None takes 64 a cell. Raises OptionError if the game has no drawing."""
    import resvg_py  # here, so that importing environments does not load the rasteriser

    return bytes(resvg_py.svg_to_bytes(svg_string=draw_svg(board, width=width), skip_system_fonts=True))


def rgb_array(board: Board, *, width: int | None = None) -> np.ndarray:
    """The board as uint8 (H, W, 3), of the same size for every position of a game.

    width: in pixels; None takes 64 a cell. Raises OptionError if the game has no drawing.
    """
    from PIL import Image  # here, for the same reason

    return np.array(Image.open(io.BytesIO(png(board, width=width))).convert("RGB"))
