"""Colours and shapes that pictures share."""

import math
import re

from boardgym.core.drawing import Drawing, Spot

PAGE, MARK = "#ffffff", "#e8543f"
DARK, LIGHT = "#22252a", "#ffffff"
SMALLEST_TEXT, TEXT_SHARE = 14.0, 1 / 44  # height of digits: in units; of the width, so that 320 pixels show 7 for them


def text_size(drawing: Drawing) -> float:
    """The height of digits in texts below the board and on tags, in units."""
    return max(SMALLEST_TEXT, drawing.size[0] * TEXT_SHARE)


def circle(x: float, y: float, radius: float, style: str) -> str:
    """A circle with SVG attributes."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {style}/>'


def box(x: float, y: float, half_width: float, half_height: float, corner: float, style: str) -> str:
    """A rectangle around its middle with SVG attributes. corner: the radius of its corners."""
    return (
        f'<rect x="{x - half_width:g}" y="{y - half_height:g}" width="{2 * half_width:g}" height="{2 * half_height:g}" '
        f'rx="{corner:g}" {style}/>'
    )


def towards(start: Spot, end: Spot) -> tuple[float, float]:
    """The direction from one spot to another, of length 1."""
    length = math.hypot(end.x - start.x, end.y - start.y)
    return (end.x - start.x) / length, (end.y - start.y) / length


def ink_on(colour: str) -> str:
    """A colour that can be read on another: dark on light ones and on such as are not written #rrggbb."""
    match = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", colour)
    red, green, blue = (int(part, 16) for part in match.groups()) if match else (255, 255, 255)
    return DARK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else LIGHT
