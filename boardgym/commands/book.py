"""`boardgym book`: Connect Four's opening book, computed on this machine, in as many sittings as wanted."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from boardgym.baselines.memory import check_memory
from boardgym.baselines.perfect.connect_four import LEAST_TABLE_BITS, MOST_TABLE_BITS, ConnectFourSolver
from boardgym.baselines.perfect.connect_four_book import EMPTY, Book, book_path, build_book, progress_file
from boardgym.baselines.perfect.sharing import MOST_THREADS
from boardgym.baselines.progress import ProgressBar
from boardgym.commands.arguments import Output
from boardgym.commands.common import GameWord, RuleOptions, UsageError, load_game, print_json, say

MOST_DISCS = 9


@dataclass
class BookCommand:
    """Compute the exact score of every Connect Four position with few discs: perfect play is then quick from the start.

    Ctrl-C loses nothing: give the same command again to continue.
    """

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym book ConnectFour --discs 6",
        "boardgym book ConnectFour --discs 8 --threads 2 --table-bits 26",
        "boardgym book ConnectFour --option width=6 --option height=5 --discs 4 --out small.safetensors",
    )

    game: GameWord = "ConnectFour"
    """Id of the game."""
    discs: int = 6
    """The book covers all positions with at most this many discs."""
    out: Annotated[Path | None, Output] = None
    """The file (safetensors); by default in the folder of tables in the user's cache, where `perfect` finds it."""
    threads: int = 1
    """How many positions to solve at a time, each with its own table."""
    table_bits: int = 24
    """Each table has 2 to this power words of 8 bytes."""
    positions: int | None = None
    """Solve at most this many positions, then stop."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    json: bool = False
    """Print JSON instead of a sentence."""

    def run(self) -> int:
        """Solves what is missing, and says what there is."""
        game = load_game(self.game, self.option)
        if game.name != "ConnectFour":
            raise UsageError(f"boardgym book {self.game}: there are books of ConnectFour only")
        for name, value, least, most in (
            ("--discs", self.discs, 1, MOST_DISCS),
            ("--threads", self.threads, 1, MOST_THREADS),
            ("--table-bits", self.table_bits, LEAST_TABLE_BITS, MOST_TABLE_BITS),
        ):
            if not least <= value <= most:
                raise UsageError(f"{name} {value}: expected {least} to {most}")
        if self.positions is not None and self.positions < 1:
            raise UsageError(f"--positions {self.positions}: expected at least 1")
        width, height = int(game.options["width"]), int(game.options["height"])
        if self.discs >= width * height:
            raise UsageError(f"--discs {self.discs}: a board of {width} x {height} is full then; expected fewer")
        needed = self.threads * (8 << self.table_bits)
        check_memory(needed, f"{self.threads} tables of 2^{self.table_bits} words", "--threads or --table-bits")
        path = book_path(width, height) if self.out is None else self.out
        solvers = [ConnectFourSolver(game, table_bits=self.table_bits, book=EMPTY) for _ in range(self.threads)]
        started = time.monotonic()
        try:
            with ProgressBar() as bar:
                book = build_book(
                    path,
                    width,
                    height,
                    self.discs,
                    [solver.score for solver in solvers],
                    most_positions=self.positions,
                    report=lambda what, done, total: bar.show(done, total=total or 0, label=what),
                )
        except KeyboardInterrupt:
            if progress_file(path, self.discs).is_file():
                say(f"what has been solved is in {progress_file(path, self.discs)}; the same command goes on from there")
            raise
        self._tell(book, path, time.monotonic() - started, sum(solver.nodes for solver in solvers))
        return 0

    def _tell(self, book: Book, path: Path, seconds: float, nodes: int) -> None:
        file = path if book.is_whole else progress_file(path, self.discs)
        if self.json:
            print_json({"file": str(file), "positions": len(book.keys), "is_whole": book.is_whole, "seconds": seconds,
                        "nodes": nodes})  # fmt: skip
        elif book.is_whole:
            say(f"{len(book.keys):,} positions of up to {book.discs} discs are in {file} ({seconds:.1f} s, {nodes:,} nodes)")
        else:
            say(f"{len(book.keys):,} positions of {self.discs} discs are solved; the same command goes on ({file})")
