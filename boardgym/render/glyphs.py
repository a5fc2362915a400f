"""Letters and digits as strokes, so that pictures are the same on machines with other fonts, or with none."""

import math
from xml.sax.saxutils import quoteattr

RING = "M0 4.1A1.8 1.9 0 1 0 3.6 4.1A1.8 1.9 0 1 0 0 4.1"

# SVG paths in a box 4 wide; capitals and digits reach from 0 to 6, small letters from 2.2 to 6, some to 8 or up to 0.
STROKES = {
    "0": "M2 0C.6 0 0 1.4 0 3S.6 6 2 6 4 4.6 4 3 3.4 0 2 0Z",
    "1": "M.8 1.3L2.4 0V6",
    "2": "M.2 1.5C.4 .5 1.2 0 2 0C3.1 0 3.8 .7 3.8 1.7C3.8 3.4 .2 4.5 .1 6H4",
    "3": "M.3 1C.8 .3 1 0 2 0C3.1 0 3.7 .7 3.7 1.5C3.7 2.4 3 2.9 1.8 2.9C3.2 2.9 4 3.5 4 4.4C4 5.4 3.1 6 2 6C1.2 6 .5 5.7 0 5",
    "4": "M3 6V0L0 4.2H4",
    "5": "M3.6 0H.8L.5 2.7C.9 2.4 1.4 2.2 2 2.2C3.2 2.2 4 3 4 4.1C4 5.2 3.2 6 2 6C1.2 6 .5 5.7 0 5.1",
    "6": "M3.5 .6C3.1 .2 2.6 0 2.1 0C.8 0 0 1.4 0 3.3C0 5 .8 6 2 6C3.2 6 4 5.2 4 4.1C4 3 3.2 2.3 2.1 2.3C1 2.3 .1 3 0 4",
    "7": "M0 0H4L1.4 6",
    "8": "M2 2.8C.9 2.8 .3 2.2 .3 1.4C.3 .6 1 0 2 0C3 0 3.7 .6 3.7 1.4C3.7 2.2 3.1 2.8 2 2.8C.8 2.8 0 3.5 0 4.4"
         "C0 5.3 .8 6 2 6C3.2 6 4 5.3 4 4.4C4 3.5 3.2 2.8 2 2.8Z",
    "9": "M.5 5.4C.9 5.8 1.4 6 1.9 6C3.2 6 4 4.6 4 2.7C4 1 3.2 0 2 0C.8 0 0 .8 0 1.9C0 3 .8 3.7 1.9 3.7C3 3.7 3.9 3 4 2",
    "a": RING + "M3.6 2.2V6",
    "b": RING + "M0 0V6",
    "c": "M3.3 2.9A1.8 1.9 0 1 0 3.3 5.3",
    "d": RING + "M3.6 0V6",
    "e": "M0 4.1H3.6A1.8 1.9 0 1 0 3.1 5.4",
    "f": "M3.2 .3C2.9 .1 2.6 0 2.3 0C1.6 0 1.2 .5 1.2 1.3V6M0 2.4H2.8",
    "g": RING + "M3.6 2.2V6.3C3.6 7.4 2.9 8 1.8 8C1.1 8 .5 7.8 .1 7.3",
    "h": "M0 0V6M0 4C0 2.9 .8 2.2 1.7 2.2C2.7 2.2 3.4 2.9 3.4 4V6",
    "i": "M1.8 2.2V6M1.8 .4V.5",
    "j": "M2.2 2.2V6.6C2.2 7.5 1.8 8 1 8M2.2 .4V.5",
    "k": "M0 0V6M3.2 2.2L0 4.6M1.3 3.7L3.4 6",
    "l": "M1.8 0V6",
    "m": "M0 2.2V6M0 3.6C0 2.8 .4 2.2 1 2.2C1.6 2.2 2 2.8 2 3.6V6M2 3.6C2 2.8 2.4 2.2 3 2.2C3.6 2.2 4 2.8 4 3.6V6",
    "n": "M0 2.2V6M0 4C0 2.9 .8 2.2 1.7 2.2C2.7 2.2 3.4 2.9 3.4 4V6",
    "o": RING,
    "p": RING + "M0 2.2V8",
    "q": RING + "M3.6 2.2V8",
    "r": "M.4 2.2V6M.4 4C.4 2.9 1.2 2.2 2.8 2.2",
    "s": "M3.2 2.8C2.8 2.4 2.3 2.2 1.8 2.2C1 2.2 .4 2.6 .4 3.2C.4 4.4 3.4 3.8 3.4 5C3.4 5.6 2.7 6 1.9 6C1.2 6 .6 5.8 .2 5.4",
    "t": "M1.4 .8V4.9C1.4 5.6 1.8 6 2.4 6H3M.2 2.2H2.9",
    "u": "M0 2.2V4.2C0 5.3 .7 6 1.7 6C2.6 6 3.4 5.3 3.4 4.2V2.2V6",
    "v": "M0 2.2L1.8 6L3.6 2.2",
    "w": "M0 2.2L1 6L2 3L3 6L4 2.2",
    "x": "M.2 2.2L3.4 6M3.4 2.2L.2 6",
    "y": "M0 2.2L1.8 6M3.6 2.2L1.3 8",
    "z": "M.2 2.2H3.4L.2 6H3.6",
    "A": "M0 6L2 0L4 6M.7 4H3.3",
    "B": "M.2 0V6H2.2C3.3 6 3.9 5.3 3.9 4.4C3.9 3.5 3.3 2.9 2.2 2.9H.2M2.2 2.9C3.1 2.9 3.6 2.3 3.6 1.5C3.6 .6 3.1 0 2.1 0H.2",
    "C": "M3.9 1C3.4 .4 2.8 0 2.1 0C.9 0 0 1.3 0 3S.9 6 2.1 6C2.8 6 3.4 5.6 3.9 5",
    "D": "M.2 0V6H1.6C3.1 6 4 4.8 4 3S3.1 0 1.6 0Z",
    "E": "M3.7 0H.3V6H3.7M.3 2.9H3.1",
    "F": "M3.7 0H.3V6M.3 2.9H3.1",
    "G": "M3.8 1C3.4 .4 2.8 0 2.1 0C.9 0 0 1.3 0 3S.9 6 2.1 6C3.2 6 3.9 5.2 3.9 3.4H2.4",
    "H": "M.2 0V6M3.8 0V6M.2 2.9H3.8",
    "I": "M2 0V6M1 0H3M1 6H3",
    "J": "M3.2 0V4.2C3.2 5.4 2.6 6 1.6 6C.8 6 .2 5.5 0 4.6",
    "K": "M.2 0V6M3.8 0L.2 3.7M1.4 2.5L3.9 6",
    "L": "M.4 0V6H3.8",
    "M": "M0 6V0L2 3.4L4 0V6",
    "N": "M.2 6V0L3.8 6V0",
    "O": "M2 0C.8 0 0 1.3 0 3S.8 6 2 6S4 4.7 4 3S3.2 0 2 0Z",
    "P": "M.2 6V0H2.2C3.3 0 3.9 .7 3.9 1.7C3.9 2.7 3.3 3.4 2.2 3.4H.2",
    "Q": "M2 0C.8 0 0 1.3 0 3S.8 6 2 6S4 4.7 4 3S3.2 0 2 0ZM2.4 4.2L4.2 6.5",
    "R": "M.2 6V0H2.2C3.3 0 3.9 .7 3.9 1.6C3.9 2.6 3.3 3.2 2.2 3.2H.2M2.2 3.2L3.9 6",
    "S": "M3.7 .9C3.3 .3 2.7 0 2 0C.9 0 .3 .6 .3 1.4C.3 3.3 3.9 2.5 3.9 4.5C3.9 5.4 3.1 6 2.1 6C1.2 6 .5 5.6 0 4.9",
    "T": "M0 0H4M2 0V6",
    "U": "M.1 0V4C.1 5.3 .8 6 2 6S3.9 5.3 3.9 4V0",
    "V": "M0 0L2 6L4 0",
    "W": "M-.2 0L.9 6L2 1.8L3.1 6L4.2 0",
    "X": "M.1 0L3.9 6M3.9 0L.1 6",
    "Y": "M0 0L2 3L4 0M2 3V6",
    "Z": "M.2 0H3.8L.2 6H3.8",
    "+": "M2 1.4V5.2M.1 3.3H3.9",
    "-": "M.5 3.3H3.5",
    "=": "M.2 2.4H3.8M.2 4.2H3.8",
    "*": "M2 1.4V5.2M.4 2.3L3.6 4.3M3.6 2.3L.4 4.3",
    ":": "M2 2.4V2.5M2 5.9V6",
    ";": "M2 2.4V2.5M2.2 5.8L1.5 7.4",
    ".": "M2 5.9V6",
    ",": "M2.2 5.7L1.5 7.2",
    "!": "M2 0V4M2 5.9V6",
    "?": "M.3 1.5C.4 .6 1.1 0 2 0C3 0 3.7 .7 3.7 1.6C3.7 2.9 2 2.8 2 4.2M2 5.9V6",
    "'": "M2 0V1.4",
    "/": "M.3 6.8L3.7 -.6",
    "|": "M2 -.6V7",
    "_": "M0 6.6H4",
    "(": "M2.9 -.6C1 1.2 1 5 2.9 7",
    ")": "M1.1 -.6C3 1.2 3 5 1.1 7",
    "<": "M3.5 1.3L.5 3.3L3.5 5.3",
    ">": "M.5 1.3L3.5 3.3L.5 5.3",
    "%": "M.4 6L3.6 0M1 0A.9 1.1 0 1 0 1 2.2A.9 1.1 0 1 0 1 0M3 3.8A.9 1.1 0 1 0 3 6A.9 1.1 0 1 0 3 3.8",
}  # fmt: skip
WIDTH, HEIGHT, GAP = 3.8, 6.0, 1.6


def width_of(text: str, size: float) -> float:
    """How wide `write` makes a text where there is room. size: height of digits."""
    return max((WIDTH + GAP) * len(text) - GAP, WIDTH) * size / HEIGHT


def write(text: str, x: float, y: float, *, size: float, colour: str, room: float = math.inf, weight: float = 0.8) -> str:
    """A short text as SVG paths, its middle at (x, y).

    Characters that have no strokes are left out. A text wider than `room` is made smaller.

    Args:
        text: what to write.
        x: in the picture's units.
        y: in the picture's units.
        size: height of digits.
        colour: CSS.
        room: the greatest width.
        weight: of the strokes, where digits are 6 high.
    """
    width = width_of(text, size)
    scale = size / HEIGHT * min(1.0, room / width)
    left, top = x - min(width, room) / 2, y - scale * HEIGHT / 2
    parts = [
        f'<path transform="translate({left + i * (WIDTH + GAP) * scale:.2f} {top:.2f}) scale({scale:.3f})" '
        f'd="{STROKES[character]}"/>'
        for i, character in enumerate(text)
        if character in STROKES
    ]
    style = f'fill="none" stroke={quoteattr(colour)} stroke-width="{weight:g}" stroke-linecap="round" stroke-linejoin="round"'
    return f"<g {style}>{''.join(parts)}</g>"
