"""What the pages of studies are made of: tables, figures with intervals, verdicts with their evidence, pictures."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardgym.baselines.arena.ratings import score_interval
from boardgym.baselines.studies.verdicts import MANY, Verdict, percent

Judged = tuple[int, str, Verdict, str]  # number of the claim, the claim, the verdict, its evidence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, and an empty one."""
    lines = [head, ["---"] * len(head), *rows]
    return [*(f"| {' | '.join(line)} |" for line in lines), ""]


def share(values: Sequence[float]) -> str:
    """The mean of shares over seeds as percent; of many seeds with its 95 % interval (bootstrap), else with the range."""
    if len(values) < MANY:
        return percent(values)
    interval = score_interval(values)
    return f"{100 * interval.value:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def verdict_lines(claims: Sequence[Judged]) -> list[str]:
    """The table of verdicts, and the evidence of each below it."""
    return [
        *table(("claim", "", "verdict"), [(str(number), claim, verdict) for number, claim, verdict, _ in claims]),
        "Evidence:",
        "",
        *(f"- **{number}, {claim}**: {verdict}; {text}." for number, claim, verdict, text in claims),
        "",
    ]


# ---------------------------------------------------------------- pictures


def can_draw() -> bool:
    """Whether Matplotlib is there, an extra: pages are written without it too."""
    return importlib.util.find_spec("matplotlib") is not None


def quiet_pyplot() -> Any:
    """Matplotlib's pyplot, which opens no window."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def keep_picture(figure: Any, path: Path) -> None:
    """Writes a figure as PNG, whole or not at all, and closes it."""
    part = path.with_suffix(".part.png")
    figure.savefig(part, dpi=120)
    quiet_pyplot().close(figure)
    part.replace(path)
