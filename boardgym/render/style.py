"""Colours and shapes that pictures share."""

import re

PAGE, MARK = "#ffffff", "#e8543f"
DARK, LIGHT = "#22252a", "#ffffff"


def circle(x: float, y: float, radius: float, style: str) -> str:
    """A circle with SVG attributes."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {style}/>'


def ink_on(colour: str) -> str:
    """A colour that can be read on another: dark on light ones and on such as are not written #rrggbb."""
    match = re.fullmatch(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})", colour)
    red, green, blue = (int(part, 16) for part in match.groups()) if match else (255, 255, 255)
    return DARK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else LIGHT
