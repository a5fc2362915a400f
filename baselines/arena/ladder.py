"""A ladder: policies in a row, each compared with the one below it, so that a newcomer's place among them means something."""

import dataclasses
import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardgym.baselines.arena import match as mt
from boardgym.baselines.arena.compare import Count, Row, Seed, summarise
from boardgym.baselines.arena.game import as_policy, make_ready
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.arena.match_games import GameWorkers, game_workers
from boardgym.baselines.arena.openings import Openings, make_openings
from boardgym.baselines.arena.rating_systems import Rating
from boardgym.baselines.arena.record import OptionValue
from boardgym.baselines.arena.standings import ratings_of
from boardgym.baselines.perfect.policy import SOLVERS, solver_for
from boardgym.baselines.progress import Progress, ProgressBar
from boardgym.baselines.typed_json import read_versioned
from boardgym.core.board import Board
from boardgym.core.errors import NotationError, OptionError, SpecError
from boardgym.core.files import write_aside
from boardgym.core.game import Game, check_two_seats, get_game
from boardgym.core.random import check_seed

if TYPE_CHECKING:
    from rich.table import Table

FORMAT, FORMAT_VERSION = "boardgym-ladder", 2
RUNGS = ("random", "greedy", *(f"minimax:{depth}" for depth in range(1, 7)), "uct:100", "uct:500", "uct:2000", "uct:20000")


@dataclass(frozen=True)
class Ladder:
    """Policies in a row, and how each did against the one before it. `print` shows the table.

    Attributes:
        game, options: what was played. openings, seed: where games began. games: of each pair of neighbours.
        rungs: specs, as given, usually the weakest first.
        rows: of rungs[1], rungs[2], ... as far as they are finished; each against the rung before it (`row.opponent`).
        spare: (policy, the one below it, row) of pairs that a file holds from other rungs, for later ones.
        version: of the package that played.
    """

    game: str
    options: dict[str, OptionValue]
    openings: str
    seed: Seed
    games: Count
    rungs: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    spare: tuple[tuple[str, str, Row], ...] = ()
    version: str = ""

    def pairs(self) -> dict[tuple[str, str], Row]:
        """Every row that is known, by (policy, the one below it)."""
        known = {(above, below): row for above, below, row in self.spare}
        return known | {(above, below): row for below, above, row in zip(self.rungs, self.rungs[1:], self.rows, strict=False)}

    def __post_init__(self) -> None:
        """Raises ValueError for rungs and rows that do not fit together: a ladder may come from a file."""
        if not len(self.rows) < len(self.rungs) > 1:
            raise ValueError(f"a ladder of {len(self.rungs)} rungs and {len(self.rows)} rows")
        if any(row.seat is not None for row in (*self.rows, *(row for *_, row in self.spare))):
            raise ValueError("a ladder with a row of games at one seat; expected pairs with the seats swapped")

    @property
    def anchor(self) -> int:
        """The rung whose rating is 0: `random` if it is one, else the first."""
        return self.rungs.index("random") if "random" in self.rungs[: len(self.rows) + 1] else 0

    def ratings(self) -> list[Rating]:
        """Of each rung that is finished, `anchor` having 0: the Bradley-Terry fit of all games between them.

        See `standings.ratings_of`.
        """
        count = len(self.rows) + 1
        met = [(k + 1, k, row) for k, row in enumerate(self.rows)]
        finished = self.rungs[:count]
        met += [(finished.index(above), finished.index(below), row) for above, below, row in self.spare
                if above != below and {above, below} <= set(finished)]  # fmt: skip
        return ratings_of(finished, met, self.anchor, seed=self.seed)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, strings and numbers."""
        return {"format": FORMAT, "format_version": FORMAT_VERSION, **dataclasses.asdict(self)}

    def to_json(self) -> str:
        """Indented JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Ladder":
        """The inverse of `to_json`. Raises NotationError for text that is none."""
        return read_versioned(text, cls, FORMAT, FORMAT_VERSION, NotationError, "the JSON of a ladder")

    def table(self) -> "Table":
        """For `rich`'s `Console.print`."""
        from boardgym.baselines.arena.table import ladder_table

        return ladder_table(self)

    def __rich__(self) -> "Table":
        return self.table()

    def __str__(self) -> str:
        from boardgym.baselines.arena.table import as_text

        return as_text(self.table())


def usual_rungs(game: str | Game) -> tuple[str, ...]:
    """The bundled policies from random to strong search, and `perfect` where a solver answers from the start on."""
    game = get_game(game)
    has_solver = game.name in SOLVERS and not solver_for(game).covers(Board(game, seed=0))
    return (*RUNGS, "perfect") if has_solver else RUNGS


def play_ladder(
    game: str | Game,
    rungs: Iterable[str] | None = None,
    *,
    games: int = 400,
    openings: Openings = "heldout",
    seed: int = 0,
    trust: bool = False,
    file: str | Path | None = None,
    progress: Progress = None,
    on_row: Callable[[Ladder], None] | None = None,
    log: GameLog | None = None,
    processes: int | GameWorkers = 1,
) -> Ladder:
    """Plays each policy of a row against the one before it, from the same openings; all play as their specs say, with draws.

    Args:
        game: id or game, of two seats.
        rungs: spec strings, at least two; None: `usual_rungs`.
        games: of each pair of neighbours, even: pairs with the seats swapped.
        openings: "heldout", "train", "start", a set-up or a list (`make_openings`).
        seed: of openings and draws, 0 to 2**64 - 1; the same seed gives the same ladder, in any process.
        trust: whether files that could execute code may be loaded, and programs be run.
        progress: None says on stderr how far it is, False nothing; a function gets (games, total, label).
        file: JSON that is written after each pair of neighbours; what it has of the same settings is not played again.
        on_row: called after each pair of neighbours with the ladder so far.
        log: writes the games as they end, and has those of an earlier run, which are not played again.
        processes: as in `play_match`.

    Raises:
        OptionError, UnsupportedGameError, SpecError, UntrustedFileError: as `compare`.
        EngineError: a player that cannot start, before the first game.
        WorkerError: a process was killed; the games before are kept in the log. RayError, SlurmError: a cluster failed.
        NotationError: the file is there and holds no ladder. OSError: it cannot be read or written.
    """
    game, seed = get_game(game), check_seed(seed)
    mt.check_games(games)
    check_two_seats(game, "a ladder")
    specs = usual_rungs(game) if rungs is None else (rungs,) if isinstance(rungs, str) else tuple(rungs)
    if len(specs) < 2:
        raise SpecError(f"a ladder of {len(specs)} rungs; expected at least two specs, as in random greedy minimax:2")
    policies = [as_policy(spec, game, seed=seed, trust=trust) for spec in specs]
    make_openings(game, openings, count=1, seed=seed)  # a bad name or list is found before play begins
    ladder = Ladder(game.id, dict(game.options), name_of(openings), seed, games, specs, version=version())
    path = None if file is None else Path(file)
    known = {} if path is None or not path.is_file() else rows_of(path, ladder)  # a device may have no end
    pairs = list(itertools.pairwise(range(len(specs))))
    missing = [pair for pair in pairs if (specs[pair[1]], specs[pair[0]]) not in known]
    make_ready(*(policies[rung] for rung in dict.fromkeys(itertools.chain.from_iterable(missing))))

    def keep(rows: tuple[Row, ...]) -> Ladder:
        kept = dataclasses.replace(ladder, rows=rows, spare=())
        played = kept.pairs()
        kept = dataclasses.replace(kept, spare=tuple((*pair, row) for pair, row in known.items() if pair not in played))
        if path is not None:
            write_aside(path, kept.to_json().encode())
        return kept

    ladder = keep(())  # a file that cannot be written is found now
    log = log or GameLog()
    log.begin(ladder, games * len(missing))
    with ProgressBar(games * len(missing), progress=progress) as bar, game_workers(processes) as workers:
        players: Sequence[Any] = policies if workers.is_here else specs
        for below, above in pairs:
            row = known.get((specs[above], specs[below]))
            if row is None:
                row = summarise(
                    mt.play_match(
                        players[above],
                        players[below],
                        game,
                        games=games,
                        openings=openings,
                        seed=seed,
                        deterministic=False,
                        trust=trust,
                        progress=bar,
                        log=log,
                        processes=workers,
                    )
                )
            ladder = keep((*ladder.rows, row))
            if on_row is not None:
                on_row(ladder)
    return ladder


def name_of(openings: Openings) -> str:
    """Of a set of openings; a list has the digest of what is in it."""
    if isinstance(openings, str):
        return openings
    listed = repr([opening if isinstance(opening, str) else list(opening) for opening in openings])
    return f"list {hashlib.sha256(listed.encode()).hexdigest()[:16]}"


def version() -> str:
    """Of this package."""
    from boardgym import __version__

    return __version__


def rows_of(path: Path, ladder: Ladder) -> dict[tuple[str, str], Row]:
    """The rows of a ladder's file, by (policy, the one below it).

    Raises NotationError, OptionError for a ladder of other settings, OSError.
    """
    try:
        found = Ladder.from_json(path.read_text(encoding="utf-8"))
    except (NotationError, UnicodeDecodeError) as error:
        raise NotationError(f"{path}: {error}; take another file, or delete it") from None
    for name in ("game", "options", "openings", "seed", "games", "version"):
        before, now = getattr(found, name), getattr(ladder, name)
        if before != now:
            raise OptionError(
                f"{path}: holds a ladder of {name} {before!r}, asked for is {now!r}; take another file, or delete it"
            )
    return found.pairs()
