"""Boards as pixels: the SVG through the rasteriser, and its PNG read back, so that no imaging library is needed."""

import struct
import zlib

import numpy as np

from boardgym.core.board import Board
from boardgym.core.cache import kernel
from boardgym.render.svg import draw_svg

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # by PNG colour type


def png(board: Board, *, width: int | None = None) -> bytes:
    """The board as a PNG file. width: in pixels; None takes 64 a cell. Raises OptionError if the game has no drawing."""
    import resvg_py  # here, so that importing environments does not load the rasteriser

    return bytes(resvg_py.svg_to_bytes(svg_string=draw_svg(board, width=width), skip_system_fonts=True))


def rgb_array(board: Board, *, width: int | None = None) -> np.ndarray:
    """The board as uint8 (H, W, 3), of the same size for every position of a game.

    width: in pixels; None takes 64 a cell. Raises OptionError if the game has no drawing.
    """
    return read_png(png(board, width=width))


def read_png(content: bytes) -> np.ndarray:
    """An 8-bit PNG, not interlaced, without palette, as uint8 (H, W, 3); transparency is dropped, grey repeated.

    Raises: ValueError for any other file.
    """
    if content[:8] != PNG_SIGNATURE:
        raise ValueError(f"expected a PNG file, got one that begins with {content[:8]!r}")
    at, header, packed = 8, b"", b""
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        header = body if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour_type, _, _, interlace = struct.unpack(">IIBBBBB", header)
    if depth != 8 or colour_type not in CHANNELS or interlace:
        raise ValueError(f"expected 8-bit PNG without palette and interlacing, got {depth=}, {colour_type=}, {interlace=}")
    channels = CHANNELS[colour_type]
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    pixels = np.zeros((height, width * channels), np.uint8)
    unfilter(lines, channels, pixels)
    shaped = pixels.reshape(height, width, channels)
    return np.ascontiguousarray(shaped[..., :3] if channels >= 3 else shaped[..., [0, 0, 0]])


@kernel
def unfilter(lines: np.ndarray, channels: int, out: np.ndarray) -> None:
    """Takes back PNG's filters (PNG specification, 3rd ed., section 9.2).

    lines: uint8 (H, 1 + W * channels), each line led by its filter. out: uint8 (H, W * channels).
    """
    height, width = out.shape
    for y in range(height):
        kind = lines[y, 0]
        for x in range(width):
            left = np.int64(out[y, x - channels]) if x >= channels else np.int64(0)
            up = np.int64(out[y - 1, x]) if y else np.int64(0)
            corner = np.int64(out[y - 1, x - channels]) if y and x >= channels else np.int64(0)
            guess = np.int64(0)
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) // 2
            elif kind == 4:
                by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                guess = left if by_left <= by_up and by_left <= by_corner else (up if by_up <= by_corner else corner)
            out[y, x] = (np.int64(lines[y, x + 1]) + guess) & 255
