"""What the pages of studies are made of: tables, figures with intervals, verdicts with their evidence, pictures."""

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boardgym.baselines.arena.ratings import score_interval
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import open_aside, write_aside
from boardgym.studies.verdicts import MANY, Verdict, percent

Judged = tuple[int, str, Verdict, str]  # number of the claim, the claim, the verdict, its evidence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, and an empty one."""
    lines = [head, ["---"] * len(head), *rows]
    return [*(f"| {' | '.join(line)} |" for line in lines), ""]


def share(values: Sequence[float]) -> str:
    """The mean of shares over seeds as percent; of many seeds with its 95 % interval, else with the range."""
    if len(values) < MANY:
        return percent(values)
    interval = score_interval(values)
    return f"{100 * interval.value:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def verdict_lines(claims: Sequence[tuple[int, str, str, str]]) -> list[str]:
    """The table of verdicts, and the evidence of each below it: of what `Judged` has, a verdict with more behind it too."""
    return [
        *table(("claim", "", "verdict"), [(str(number), claim, verdict) for number, claim, verdict, _ in claims]),
        "Evidence:",
        "",
        *(f"- **{number}, {claim}**: {verdict}; {text}." for number, claim, verdict, text in claims),
        "",
    ]


def count_text(count: int, thing: str) -> str:
    """So many things, in words: 1 training, 2 trainings."""
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


def lasting(seconds: float) -> str:
    """A duration in the unit that suits it."""
    if seconds < 120.0:
        return f"{seconds:.1f} s"
    return f"{seconds / 60.0:.1f} minutes" if seconds < 7200.0 else f"{seconds / 3600.0:.1f} hours"


# ---------------------------------------------------------------- made parts of written pages


def fill(page: str, parts: Mapping[str, str], where: str) -> str:
    """A page with its made parts anew: a part NAME stands between the lines `<!-- made: NAME -->` and `<!-- end -->`.

    parts: name -> text, without blank lines around it. where: names the page in the message. What stands outside of parts, and
    parts of other names, stay as they are.

    Raises SpecError where a part is missing or there is more than one of its name.
    """
    for name, text in parts.items():
        head, end = f"<!-- made: {name} -->\n", "<!-- end -->\n"
        before, found, rest = page.partition(head)
        _, closed, after = rest.partition(end)
        if not found or not closed or head in rest:
            raise SpecError(f"{where}: expected one part between the lines {head.strip()!r} and {end.strip()!r}")
        page = f"{before}{head}\n{text}\n\n{end}{after}"
    return page


def check_docs(docs: Path, pages: Sequence[str]) -> None:
    """Raises OptionError for a folder that has not the pages."""
    if absent := [page for page in pages if not (docs / page).is_file()]:
        raise OptionError(f"docs={str(docs)!r}: expected the repository's folder of pages; it has no {absent[0]}")


def write_stale(pages: Mapping[Path, str]) -> list[Path]:
    """Writes those of the pages, path -> text, that say something else. Returns these. Raises OSError."""
    stale = {path: text for path, text in pages.items() if path.read_text(encoding="utf-8") != text}
    for path, text in stale.items():
        write_aside(path, text.encode())
    return list(stale)


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
    with open_aside(path) as file:
        figure.savefig(file, format="png", dpi=120)
    quiet_pyplot().close(figure)
