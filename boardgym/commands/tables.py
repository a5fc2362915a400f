"""`boardgym tables`: builds the endgame tables that the policy `perfect` reads."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rich import box
from rich.table import Table

from boardgym.baselines.perfect import bearoff
from boardgym.baselines.perfect.bearoff_tables import ALL_MEN, count_arrangements
from boardgym.baselines.perfect.morris import FIRST_MEN, build_tables
from boardgym.baselines.perfect.morris_build import EndgameTables, needed, orders, summary
from boardgym.baselines.perfect.store import TABLES, tables_folder
from boardgym.baselines.progress import ProgressBar
from boardgym.commands.common import GameWord, RuleOptions, UsageError, load_game, print_json, print_table, say
from boardgym.core.game import Game

USUAL = {"NineMensMorris": FIRST_MEN, "Backgammon": (6,)}


@dataclass
class Tables:
    """Build endgame tables for the policy perfect, in your cache folder.

    Nine Men's Morris: all positions without men in hand, of at most so many men a side. Backgammon: the one-sided bear-off
    table, and the two-sided one of at most so many men a side. What is there is kept; tables of Morris of up to four men a side
    are also built when a policy perfect is first made. At Ctrl-C finished tables stay, and of an unfinished one of Morris its
    finished layers, from which the same command goes on; one of Backgammon is begun anew. The folder is boardgym/tables in the
    user's cache, or what the environment variable BOARDGYM_TABLES names.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym tables NineMensMorris --men 4 4",
        "boardgym tables NineMensMorris --men 4 4 --option flying=false",
        "boardgym tables NineMensMorris --men 5 5 --check",
        "boardgym tables Backgammon --men 6",
    )

    game: GameWord
    """NineMensMorris or Backgammon."""
    men: tuple[int, ...] = ()
    """The most men of each side; one number sets both. Morris: 3 to 9, default 4 4; Backgammon: 1 to 10, default 6."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    check: bool = False
    """Verify every position of the Morris tables by its moves."""
    threads: int = 0
    """Threads that share the work, 0 for one per core; the tables do not depend on it."""
    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Builds what is not there, and prints what is."""
        game = load_game(self.game, self.option)
        if game.name not in USUAL:
            raise UsageError(f"there are no endgame tables for {game.id}; expected {' or '.join(USUAL)}")
        men = self.men or USUAL[game.name]
        if len(men) > 2 or (game.name == "Backgammon" and len(set(men)) > 1):
            raise UsageError(
                f"--men {' '.join(map(str, men))}: expected one number{'' if game.name == 'Backgammon' else ' or two'}"
            )
        if self.threads < 0:
            raise UsageError(f"--threads {self.threads}: expected a whole number, 0 for one per core")
        if self.check and game.name != "NineMensMorris":
            raise UsageError("--check is for the tables of NineMensMorris")
        with ProgressBar() as bar:
            if game.name == "NineMensMorris":
                found = self.morris(game, men[0], men[-1], bar)
            else:
                found = self.backgammon(men[0], bar)
        if self.json:
            print_json({"folder": str(tables_folder()), "tables": found})
        else:
            print_rows(found)
            say(f"in {tables_folder()}")
        return 1 if any(table.get("faults") for table in found) else 0

    def morris(self, game: Game, a: int, b: int, bar: ProgressBar) -> list[dict[str, Any]]:
        """Builds and describes the tables of Nine Men's Morris."""
        tables, started = EndgameTables(game, num_threads=self.threads), time.monotonic()
        built = build_tables(tables, a, b, bar)
        if built:
            say(f"built {' '.join(f'{x}-{y}' for x, y in built)} in {time.monotonic() - started:.1f} s")
        found = []
        for pair in needed(a, b):
            digest = TABLES.read_header(tables.path(pair), tables.header(pair))["sha256"]
            faults = {}
            if self.check:
                bar.show(0, label=f"{pair[0]}-{pair[1]}: checking every position")
                faults = {"faults": tables.faults(pair)}
            for x, y in orders(pair):
                found.append({"table": f"{x}-{y}", **summary(tables.table(x, y)), "sha256": digest, **faults})
        return found

    def backgammon(self, men: int, bar: ProgressBar) -> list[dict[str, Any]]:
        """Builds and describes the tables of Backgammon."""
        bearoff.check_men(men)
        found = []
        for kind, number in (("one-sided", ALL_MEN), ("two-sided", men)):
            path: Path = bearoff.one_sided_path() if kind == "one-sided" else bearoff.two_sided_path(men)
            if not TABLES.is_there(path):
                started = time.monotonic()
                if kind == "one-sided":
                    bar.show(0, label="one-sided: all arrangements of 15 men")
                    bearoff.build_one_sided()
                else:
                    bearoff.build_two_sided(
                        men,
                        num_threads=self.threads,
                        on_progress=lambda k, n: bar.show(k, total=n, label="two-sided: arrangements"),
                    )
                say(f"built {kind}, {number} men, in {time.monotonic() - started:.1f} s")
            header = TABLES.read(path, bearoff.header_of(kind, number))[1]
            arrangements = count_arrangements(number)
            found.append({"table": kind, "men": number, "arrangements": arrangements, "sha256": header["sha256"]})
        return found


def print_rows(found: list[dict[str, Any]]) -> None:
    """A table of tables: one row each, the digest shortened."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    names = [name for name in found[0] if name != "dead"]
    for name in names:
        is_text = isinstance(found[0][name], str)
        table.add_column(name, justify="left" if is_text else "right", style="cyan" if name == "table" else "")
    for row in found:
        table.add_row(*(str(row[name])[:16] if isinstance(row[name], str) else f"{row[name]:,}" for name in names))
    print_table(table)
