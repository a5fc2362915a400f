"""Whether this checkout is as fast as another: `python -m benchmarks.trees ../before board_connect_four_v0 uct_othello_v0`.

Runs rows of the benchmark table in both checkouts in turn, on one core, each checkout in a process of its own that stays; this
environment serves both. Prints the median of the repeats' ratios, this checkout to the other, and their spread; nothing else
should run meanwhile. A row that the other checkout does not have runs there as this one has it; one that cannot be run in one
of them is named at the end. The exit status is 1 if there is such a row, or if a median is below `--at-least`.
"""

import dataclasses
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.table import Table

from benchmarks.__main__ import PLAIN_WIDTH, ROWS  # in a worker these are of its checkout
from benchmarks.measure import Effort, pin, scaled
from boardgym.core.errors import nearest

WORKER = "--worker"
STARTS = ("aec", "gym_", "batch_", "step_", "board_", "observe_", "uct_", "minimax_", "perft_", "tabular_", "td_")
LEFT_OUT = ("aec_raw", "batch_mixture", "tabular_load")
OF_PEERS = ("_python", "_threads")  # the same search beside another peer


@dataclass(frozen=True)
class Settings:
    """Measures this checkout beside another one.

    other: folder of the other checkout.
    names: the rows to run; if none is given, all that a change of the core could slow down.
    repeats: of each row in each checkout.
    repeat_s: least processor time of a repeat, in seconds.
    at_least: the least median ratio that is no loss.
    json: also write the results there.
    markdown: print the table as documentation has it.
    """

    other: Annotated[Path, tyro.conf.Positional]
    names: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    repeats: int = 5
    repeat_s: float = 0.5
    at_least: float = 0.97
    json: Path | None = None
    markdown: bool = False


@dataclass(frozen=True)
class OneRepeat(Effort):
    """One repeat of the work that the table measures; `QUICK` has smaller work."""

    is_quick = False


class RowError(Exception):
    """A row that cannot be run in one of the checkouts."""


@dataclass(frozen=True)
class Compared:
    """A row in both checkouts. here, there: medians, in its unit. ratio: median of here / there; spread: least and greatest."""

    name: str
    unit: str
    here: float
    there: float
    ratio: float
    spread: tuple[float, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the rows. Returns 0, or 1 if a row is slower than wanted or cannot be run."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.trees", args=arguments)
    if not (settings.other / "benchmarks" / "__main__.py").is_file():
        raise SystemExit(f"{str(settings.other)!r}: expected the folder of a checkout of boardgym, with benchmarks/")
    for name in settings.names:
        if name not in ROWS:
            raise SystemExit(f"no benchmark {name!r}; {nearest(name, ROWS)}")
    console, results, failed = Console(stderr=True), list[Compared](), list[str]()
    here, there = start(Path(__file__).resolve().parents[1]), start(settings.other.resolve())
    for name in settings.names or usual():
        console.print(f"measuring {name} ...", style="dim")
        try:
            results.append(row := compared(name, here, there, settings.repeats, settings.repeat_s))
        except RowError:
            failed.append(name)
        else:
            console.print(f"{row.ratio:.2f} ({row.spread[0]:.2f} to {row.spread[1]:.2f})", style="dim")
        if settings.json is not None:
            settings.json.write_text(json.dumps([dataclasses.asdict(row) for row in results], indent=1) + "\n")
    for process in (here, there):
        process.communicate()
    if settings.markdown:
        print(markdown(results))
    else:
        Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH).print(table(results, settings.at_least))
    if failed:
        console.print(f"not run, for the errors above: {', '.join(failed)}", style="bold red")
    return 0 if not failed and all(row.ratio >= settings.at_least for row in results) else 1


def usual() -> list[str]:
    """The rows that are run if none is named."""
    return [name for name in ROWS if name.startswith(STARTS) and name not in LEFT_OUT and not name.endswith(OF_PEERS)]


def start(folder: Path) -> subprocess.Popen[str]:
    """The process that runs the rows of a checkout."""
    command = [sys.executable, "-P", __file__, WORKER]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment)


def compared(name: str, here: subprocess.Popen[str], there: subprocess.Popen[str], repeats: int, repeat_s: float) -> Compared:
    """A row, measured in turn; once before that, so that all is compiled."""
    for process in (here, there):
        measured(process, name, 0.01)
    pairs = [(measured(here, name, repeat_s), measured(there, name, repeat_s)) for _ in range(repeats)]
    ratios = [ours / theirs for (ours, _), (theirs, _) in pairs]
    ours, theirs = (statistics.median(values) for values in zip(*[(a[0], b[0]) for a, b in pairs], strict=True))
    return Compared(name, pairs[0][0][1], ours, theirs, statistics.median(ratios), (min(ratios), max(ratios)))


def measured(process: subprocess.Popen[str], name: str, repeat_s: float) -> tuple[float, str]:
    """One repeat of a row: its value and unit. Raises RowError if the row fails, SystemExit if it ends its process."""
    assert process.stdin is not None
    assert process.stdout is not None
    module = getattr(ROWS[name], "func", ROWS[name]).__module__
    process.stdin.write(json.dumps([name, module.rpartition(".")[2], repeat_s]) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"row {name!r} ended the process of one of the checkouts, as said above")
    if (answer := json.loads(line)) is None:
        raise RowError(name)
    value, unit = answer
    return float(value), str(unit)


def work() -> int:
    """Answers each line of JSON on standard input, [row, its module, seconds], with [value, unit], or null after an error."""
    pin()
    for line in sys.stdin:
        name, module, repeat_s = json.loads(line)
        try:
            row = (ROWS if name in ROWS else rows_from_here(module))[name](OneRepeat(1, repeat_s))
            answer = json.dumps([row.ours.value, row.unit])
        except Exception:  # whatever the code of the other checkout raises
            traceback.print_exc()
            answer = "null"
        print(answer, flush=True)
    return 0


def rows_from_here(module: str) -> dict:
    """The rows of a module beside this file, whichever checkout the process is of."""
    spec = importlib.util.spec_from_file_location(f"rows_{module}", Path(__file__).with_name(f"{module}.py"))
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.ROWS


def table(results: Sequence[Compared], at_least: float) -> Table:
    """The rows for people."""
    shown = Table("row", "here", "there", "ratio", "spread", title="this checkout beside the other: medians, processor time")
    for row in results:
        ratio = f"{row.ratio:.2f}" if row.ratio >= at_least else f"[bold red]{row.ratio:.2f}[/]"
        shown.add_row(
            row.name, f"{scaled(row.here)} {row.unit}", scaled(row.there), ratio, "{:.2f} to {:.2f}".format(*row.spread)
        )
    return shown


def markdown(results: Sequence[Compared]) -> str:
    """The rows as a Markdown table."""
    lines = ["| row | here | there | ratio | spread |", "| --- | --- | --- | --- | --- |"]
    for row in results:
        spread = "{:.2f} to {:.2f}".format(*row.spread)
        lines.append(f"| {row.name} | {scaled(row.here)} {row.unit} | {scaled(row.there)} | {row.ratio:.2f} | {spread} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(work() if sys.argv[1:] == [WORKER] else main())
