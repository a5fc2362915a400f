"""Boards as pixels: the SVG through the rasteriser."""

import io

import numpy as np

from boardgym.core.board import Board
from boardgym.render.svg import draw_svg


def png(board: Board, *, width: int | None = None) -> bytes:
    """The board as a PNG file. width: in pixels; None takes 64 a cell. Raises OptionError if the game has no drawing."""
    return rasterise(draw_svg(board, width=width))


def rasterise(svg: str) -> bytes:
    """An SVG document as a PNG file."""
    import resvg_py  # here, so that importing environments does not load the rasteriser

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


def rgb_array(board: Board, *, width: int | None = None) -> np.ndarray:
    """The board as uint8 (H, W, 3), of the same size for every position of a game.

    width: in pixels; None takes 64 a cell. Raises OptionError if the game has no drawing.
    """
    return pixels(draw_svg(board, width=width))


def pixels(svg: str) -> np.ndarray:
    """An SVG document as uint8 (H, W, 3)."""
    from PIL import Image  # here, for the same reason

    return np.array(Image.open(io.BytesIO(rasterise(svg))).convert("RGB"))
