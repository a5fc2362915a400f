"""Letters and digits as strokes, so that pictures are the same on machines with other fonts, or with none."""

RING = "M0 4.1A1.8 1.9 0 1 0 3.6 4.1A1.8 1.9 0 1 0 0 4.1"

# SVG paths in a box 4 wide; capitals and digits reach from 0 to 6, small letters from 2.2 to 6.
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
    "+": "M1.9 1.6V5.2M.1 3.4H3.7",
    "-": "M.2 3.4H3.6",
    ".": "M1.8 5.8V5.9",
    ":": "M1.8 2.6V2.7M1.8 5.6V5.7",
}  # fmt: skip
WIDTH, HEIGHT, GAP = 3.8, 6.0, 1.6


def write(text: str, x: float, y: float, *, size: float, colour: str) -> str:
    """A short text as SVG paths, its middle at (x, y). size: height of digits in the picture's units.

    Characters that have no strokes are left out.
    """
    scale = size / HEIGHT
    step = (WIDTH + GAP) * scale
    left = x - (step * (len(text) - 1) + WIDTH * scale) / 2
    parts = [
        f'<path transform="translate({left + i * step:.2f} {y - size / 2:.2f}) scale({scale:.3f})" d="{STROKES[character]}"/>'
        for i, character in enumerate(text)
        if character in STROKES
    ]
    style = f'fill="none" stroke="{colour}" stroke-width="0.8" stroke-linecap="round" stroke-linejoin="round"'
    return f"<g {style}>{''.join(parts)}</g>"
