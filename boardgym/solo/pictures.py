"""The one-player problems as SVG: no fonts, no ids, numbers only, as the boards are."""

from collections.abc import Collection, Sequence

import numpy as np

from boardgym.render.glyphs import write

PAGE, INK, LINE = "#ffffff", "#3d444d", "#c9ced6"
AGENT, GOAL, LAKE, TUNNEL, BEST = "#e8543f", "#2f8557", "#4a90d9", "#3d444d", "#2f8557"
DARK, LIGHT = np.array([40, 51, 92]), np.array([255, 243, 214])  # shades of the lowest and the highest value
MARGIN = 30.0  # room for the numbers of rows and columns


def document(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """The parts as an SVG document of that size in pixels. title: plain words."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
        f'role="img"><title>{title}</title><rect width="{width:g}" height="{height:g}" fill="{PAGE}"/>{"".join(parts)}</svg>'
    )


def rect(x: float, y: float, width: float, height: float, style: str) -> str:
    """A rectangle. style: attributes."""
    return f'<rect x="{x:.6g}" y="{y:.6g}" width="{width:.6g}" height="{height:.6g}" {style}/>'


def circle(x: float, y: float, radius: float, style: str) -> str:
    """A circle about (x, y). style: attributes."""
    return f'<circle cx="{x:.6g}" cy="{y:.6g}" r="{radius:.6g}" {style}/>'


def grid_svg(
    shape: tuple[int, int],
    *,
    agent: int | None,
    goal: int,
    lakes: Collection[int],
    tunnel: int | None,
    values: Sequence[float] | None = None,
) -> str:
    """A grid world. The cells are numbers, row * width + column.

    Lakes are blue with a wave, the goal is a green flag, the tunnel a dark mouth, the agent a red disc.

    Args:
        shape: (rows, columns).
        agent: its cell, or None.
        goal: its cell.
        lakes: theirs.
        tunnel: its cell, or None.
        values: a number a cell; shades the cells that are not goal, from dark for the lowest to light for the highest; lakes
            then keep their wave only.
    """
    rows, columns = shape
    side = min(64.0, max(6.0, 640.0 // max(shape)))  # of a cell
    size = max(7.0, min(15.0, side * 0.36))  # of the numbers
    every = next(n for n in (1, 2, 5, 10) if n * side >= 2.6 * size or n == 10)
    parts = [write(str(c), MARGIN + (c + 0.5) * side, MARGIN / 2, size=size, colour=INK) for c in range(0, columns, every)] + [
        write(str(r), MARGIN / 2, MARGIN + (r + 0.5) * side, size=size, colour=INK) for r in range(0, rows, every)
    ]
    shades = None if values is None else _shades(np.asarray(values, np.float64))
    for cell in range(rows * columns):
        x, y = MARGIN + cell % columns * side, MARGIN + cell // columns * side
        fill = shades[cell] if shades is not None else "#bcdcf7" if cell in lakes else "#f6f4ee"
        parts.append(rect(x, y, side, side, f'fill="{fill}" stroke="{LINE}" stroke-width="1"'))
        if cell in lakes:
            parts.append(_wave(x, y, side))
        if cell == tunnel:
            parts.append(_mouth(x, y, side))
        if cell == goal:
            parts.append(rect(x, y, side, side, f'fill="#d5ecd9" stroke="{LINE}" stroke-width="1"') + _flag(x, y, side))
        if cell == agent:
            style = f'fill="{AGENT}" stroke="#ffffff" stroke-width="{side * 0.05:.3g}"'
            parts.append(circle(x + side / 2, y + side / 2, side * 0.3, style))
    return document(columns * side + MARGIN + 12, rows * side + MARGIN + 12, "a grid world", parts)


def _shades(values: np.ndarray) -> list[str]:
    """A CSS colour for each value."""
    low, spread = values.min(), np.ptp(values)
    shares = (values - low) / (spread if spread > 0 else 1.0)
    return ["#" + "".join(f"{round(part):02x}" for part in DARK + share * (LIGHT - DARK)) for share in shares]


def _wave(x: float, y: float, side: float) -> str:
    """Two waves across a cell."""
    q = side * 0.18
    lines = "".join(
        f"M{x + side * 0.14:.5g} {y + side * h:.5g}q{q / 2:.3g} {-q:.3g} {q:.3g} 0" + f"t{q:.3g} 0" * 3 for h in (0.4, 0.68)
    )
    return f'<path d="{lines}" fill="none" stroke="{LAKE}" stroke-width="{side * 0.06:.3g}" stroke-linecap="round"/>'


def _mouth(x: float, y: float, side: float) -> str:
    """A tunnel's arch."""
    left, bottom, w = x + side * 0.2, y + side * 0.82, side * 0.6
    path = f"M{left:.5g} {bottom:.5g}v{-side * 0.32:.4g}a{w / 2:.4g} {w / 2:.4g} 0 0 1 {w:.4g} 0v{side * 0.32:.4g}z"
    return f'<path d="{path}" fill="{TUNNEL}" stroke="#a9a294" stroke-width="{side * 0.07:.3g}"/>'


def _flag(x: float, y: float, side: float) -> str:
    """A flag on its pole."""
    pole, top, out, down = x + side * 0.32, y + side * 0.16, side * 0.44, side * 0.18
    path = f"M{pole:.5g} {y + side * 0.86:.5g}V{top:.5g}l{out:.4g} {down:.4g}l{-out:.4g} {down:.4g}"
    return f'<path d="{path}" fill="{GOAL}" stroke="{GOAL}" stroke-width="{side * 0.07:.3g}" stroke-linejoin="round"/>'


def bandit_svg(values: np.ndarray, means: np.ndarray, counts: np.ndarray) -> str:
    """A bandit, an arm a column.

    A line at its value, green for the best one, in a bar that reaches one standard deviation of a reward either way; a red dot
    at the average of what it paid; below a grey bar for its share of the plays.

    Args:
        values: float64 (n,).
        means: float64 (n,), NaN for arms not played yet.
        counts: int64 (n,), plays.
    """
    n, left, top, height, foot = len(values), 44.0, 14.0, 260.0, 70.0
    width = 640.0
    step = width / n

    def y_of(value: float) -> float:
        return top + (4.5 - float(np.clip(value, -4.5, 4.5))) / 9 * height

    parts = []
    for mark in range(-4, 5, 2):
        style = f'stroke="{INK if mark == 0 else LINE}" stroke-width="1"'
        parts.append(f'<path d="M{left:g} {y_of(mark):.5g}h{width:g}" {style}/>')
        parts.append(write(f"{mark:+d}" if mark else "0", left / 2, y_of(mark), size=11, colour=INK))
    base, best, most = top + height + 8 + foot, int(np.argmax(values)), max(1, int(counts.max()))
    for arm, value in enumerate(values):
        x, w = left + arm * step, step * 0.6
        middle, colour = x + step / 2, BEST if arm == best else "#8793a3"
        bar = y_of(value - 1) - y_of(value + 1)
        parts.append(rect(middle - w / 2, y_of(value + 1), w, bar, f'fill="{colour}" fill-opacity="0.25"'))
        parts.append(rect(middle - w / 2, y_of(value) - 1.5, w, 3, f'fill="{colour}"'))
        if counts[arm] > 0:
            share = counts[arm] / most * foot
            parts.append(rect(middle - w / 2, base - share, w, share, 'fill="#b9c0ca"'))
            parts.append(circle(middle, y_of(means[arm]), min(5.0, step * 0.3), f'fill="{AGENT}"'))
        if n <= 40:
            parts.append(write(str(arm), middle, base + 14, size=min(11, step * 0.5), colour=INK))
    return document(left + width + 12, base + 28, "an n-armed bandit", parts)


def risk_svg(theta: float, rho: float, state: int | None) -> str:
    """The two-state problem. theta: chance of the loss. rho: the loss. state: the present one, filled."""
    left, right, y, radius = 200.0, 460.0, 135.0, 38.0
    middle = (left + right) / 2
    parts = [
        _arrow(f"M{left + 30:g} {y - 26:g}Q{middle:g} {y - 90:g}", right - 32, y - 28, 27),
        _arrow(f"M{right - 30:g} {y + 26:g}Q{middle:g} {y + 90:g}", left + 32, y + 28, 207),
        _arrow(f"M{left - 26:g} {y - 30:g}C{left - 110:g} {y - 100:g} {left - 110:g} {y + 100:g}", left - 28, y + 32, -38),
        _arrow(f"M{right + 26:g} {y - 30:g}C{right + 110:g} {y - 100:g} {right + 110:g} {y + 100:g}", right + 28, y + 32, 218),
    ]
    for number, x in ((0, left), (1, right)):
        is_here = number == state
        parts.append(circle(x, y, radius, f'fill="{AGENT if is_here else "#f6f4ee"}" stroke="{INK}" stroke-width="2.5"'))
        parts.append(write(str(number), x, y, size=24, colour="#ffffff" if is_here else INK))
    labels = [
        ("move", middle, y - 78),
        (f"-{rho:.4g}  p {theta:.3g}", middle, y + 82),
        ("stay", left - 128, y),
        ("+1", right + 150, y - 12),
        (f"p {1 - theta:.3g}", right + 150, y + 12),
    ]
    parts += [write(text, x, at, size=15, colour=INK) for text, x, at in labels]
    return document(right + 210, 270, "the two-state risk problem", parts)


def _arrow(path: str, x: float, y: float, angle: float) -> str:
    """A curve whose path goes on to (x, y), with a tip there. angle: of the tip in degrees, clockwise from east."""
    return (
        f'<path d="{path} {x:g} {y:g}" fill="none" stroke="{INK}" stroke-width="2.5"/>'
        f'<path transform="translate({x:g} {y:g}) rotate({angle:g})" d="M0 0L-14 -6V6Z" fill="{INK}"/>'
    )
