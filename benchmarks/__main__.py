"""`python -m benchmarks [--quick] [--json FILE] [names ...]`: runs rows side by side with their peers and prints the table."""

import dataclasses
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.console import Console
from rich.table import Table

from benchmarks import (
    boards,
    environments,
    exhaustive,
    learners,
    networks,
    scaling,
    search,
    starting,
    tabular,
    training,
    vectors,
)
from benchmarks.measure import QUICK, Effort, Figure, Row, is_peer, pin, scaled
from boardgym.core.errors import nearest

MODULES = (environments, vectors, learners, training, tabular, networks, scaling, boards, search, exhaustive, starting)
ROWS: dict[str, Callable[[Effort], Row]] = {name: row for module in MODULES for name, row in module.ROWS.items()}
VERSIONS_OF = ("boardgym", "numba", "numpy", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax", "envpool", "torch",
               "stable_baselines3", "sb3_contrib")  # fmt: skip
CAPTION = "processor time, one core (wall time in brackets), where the row says nothing else"
PLAIN_WIDTH = 160  # of a table that goes into a file


@dataclass(frozen=True)
class Settings:
    """Measures how fast boardgym is, beside its peers, on one core.

    names: the rows to run; all if none is given.
    quick: one short repeat each, to see that the rows run; the figures mean nothing.
    json: also write the results there.
    markdown: print the table as the documentation has it.
    """

    names: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    quick: bool = False
    json: Path | None = None
    markdown: bool = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the rows. Returns 0, or 1 if a target was missed by a run that was not quick."""
    settings = tyro.cli(Settings, prog="python -m benchmarks", args=arguments)
    for name in settings.names:
        if name not in ROWS:
            raise SystemExit(f"no benchmark {name!r}; {nearest(name, ROWS)}")
    if settings.json is not None and not settings.json.parent.is_dir():
        raise SystemExit(f"--json {str(settings.json)!r}: the folder {str(settings.json.parent)!r} does not exist")
    core, console = pin(), Console(stderr=True)
    effort, rows = (QUICK if settings.quick else Effort()), []
    for name in settings.names or ROWS:
        console.print(f"measuring {name} ...", style="dim")
        try:
            rows.append(row := ROWS[name](effort))
            console.print(f"{amount(row, row.ours)}{'' if row.ratio is None else f', {row.ratio:.2f}x'}", style="dim")
        except ModuleNotFoundError as error:
            if not is_peer(error):
                raise
            console.print(f"{name} is left out: its peer is not installed ({error})")
    if settings.markdown:
        print(markdown(rows))
    else:
        Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH).print(table(rows))
    if settings.json is not None:
        write_json(settings.json, rows, effort, core)
    return 0 if settings.quick or all(row.is_met is not False for row in rows) else 1


def table(rows: Sequence[Row]) -> Table:
    """The rows for people. In brackets: by wall time."""
    shown = Table("row", "ours", "peer", "ratio", "target", "met", title=CAPTION)
    for row in rows:
        peer = missing(row) if row.peer is None else f"{amount(row, row.peer)} {row.peer.subject}"
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}x"
        met = {True: "yes", False: "[bold red]no[/]", None: ""}[row.is_met]
        shown.add_row(f"{row.title} [dim]{row.name}[/]", amount(row, row.ours), peer, ratio, row.target, met)
    return shown


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| row | ours | peer | ratio | wanted |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        peer = missing(row) if row.peer is None else f"{scaled(row.peer.value)} {row.unit} {row.peer.subject}"
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}x"
        lines.append(f"| {row.title} | {amount(row, row.ours)} | {peer} | {ratio} | {row.target} |")
    return "\n".join(lines)


def amount(row: Row, figure: Figure) -> str:
    """For example "412 k plies/s (398 k)"; in brackets by wall time, where that is another figure."""
    bracket = f" ({scaled(figure.wall)})" if row.clock == "cpu" else ""
    return f"{scaled(figure.value)} {row.unit}{bracket}"


def missing(row: Row) -> str:
    """Which peer is not installed; empty if the row has none."""
    return "" if row.absent is None else f"({row.absent} is not installed)"


def write_json(path: Path, rows: Sequence[Row], effort: Effort, core: int | None) -> None:
    """Everything that was measured, and on what."""
    results: dict[str, Any] = {
        "machine": {"processor": processor(), "cores": os.cpu_count(), "pinned_to": core, "system": platform.platform()},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in VERSIONS_OF}},
        "effort": dataclasses.asdict(effort),
        "rows": [{**dataclasses.asdict(row), "ratio": row.ratio, "is_met": row.is_met} for row in rows],
    }
    path.write_text(json.dumps(results, indent=1) + "\n")


def processor() -> str:
    """The processor's name, where the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def version(name: str) -> str:
    """The installed version of a distribution, or a note that there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    sys.exit(main())
