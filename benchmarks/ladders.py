"""The ladder of every game, as the documentation has it: `python -m benchmarks.ladders --out runs/ladders`.

`boardgym ladder` for each game, with games and rungs that a day of one core can play; goes on where it was. Writes a file for
each game, and table.md, which is made from them: `--no-play` makes it of what is there. `--docs docs` takes the files into the
documentation's folder and makes its page of all that are there; nothing is played.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import tyro

from boardgym.baselines.arena.ladder import RUNGS, Ladder, play_ladder
from boardgym.baselines.arena.table import rating_text
from boardgym.core.errors import BoardgymError
from boardgym.core.files import write_aside
from boardgym.core.game import get_game
from boardgym.studies.pages import fill

PAGE, DATA = "ladders.md", Path("data/ladders")


class Plan(NamedTuple):
    """games: of each pair of neighbours. rungs: the policies; None: the usual ones."""

    games: int = 400
    rungs: tuple[str, ...] | None = None


QUICK = Plan(2, ("random", "greedy", "minimax:1"))
PLANS = {
    "TicTacToe-v0": Plan(),
    "ConnectFour-v0": Plan(),
    "Othello-v0": Plan(),
    "CardPoints-v0": Plan(),
    "NineMensMorris-v0": Plan(),
    "Backgammon-v0": Plan(100),
    "Abalone-v0": Plan(100, tuple(rung for rung in RUNGS if rung not in ("minimax:5", "minimax:6", "uct:20000"))),
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Plays the ladders.

    games: ids; all if none is given.
    seed: of openings and draws.
    out: folder of the results.
    play: false (--no-play): only make the tables of what has been played.
    quick: one game, three rungs and two games each, to see that it runs.
    docs: play nothing: take the ladders that `out` has into this folder of documentation, and make its page of all there.
    """

    games: tuple[str, ...] = tuple(PLANS)
    seed: int = 1
    out: Path = Path("runs/ladders")
    play: bool = True
    quick: bool = False
    docs: Path | None = None


def markdown(ladder: Ladder, rungs: Sequence[str] = ()) -> str:
    """A ladder as a heading and a Markdown table, and which of these rungs it lacks."""
    lines = [f"## {get_game(ladder.game).title}", "", "| policy | games | score against the one above | Elo difference | Elo |",
             "| --- | --- | --- | --- | --- |"]  # fmt: skip
    ratings = ladder.ratings()
    for rating, row in zip(ratings, (None, *ladder.rows), strict=True):
        cells = " | ".join(["", "", ""] if row is None else [str(row.games), str(row.score), str(row.elo)])
        lines.append(f"| `{rating.name}` | {cells} | {rating_text(rating)} |")
    if missing := [rung for rung in rungs if rung not in {rating.name for rating in ratings}]:
        lines += ["", f"Not played yet: {', '.join(f'`{rung}`' for rung in missing)}."]
    return "\n".join(lines)


def make_page(docs: Path) -> tuple[Path, str]:
    """(path, text) of the page as the ladders in the documentation's folder have it. Raises SpecError, OSError."""
    path = docs / PAGE
    return path, fill(path.read_text(encoding="utf-8"), {"ladders": tables_of(docs / DATA, is_planned=True)}, str(path))


def take_ladders(out: Path, docs: Path) -> None:
    """Copies what has been played into the documentation's folder, and makes its page. Raises SpecError, OSError."""
    (docs / DATA).mkdir(parents=True, exist_ok=True)
    for path in sorted(out.glob("*.json")):
        write_aside(docs / DATA / path.name, path.read_bytes())
    page, text = make_page(docs)
    write_aside(page, text.encode())


def tables_of(folder: Path, ids: Sequence[str] = (), *, is_planned: bool = False) -> str:
    """The tables of all ladders of a folder, in the order of PLANS. is_planned: and what they lack by these."""
    paths = [path for game in dict.fromkeys((*PLANS, *ids)) if (path := folder / f"{game}.json").is_file()]
    ladders = [Ladder.from_json(path.read_text(encoding="utf-8")) for path in paths]
    plans = [PLANS.get(ladder.game, Plan()) for ladder in ladders]
    return "\n\n".join(
        markdown(ladder, (plan.rungs or RUNGS) if is_planned else ()) for ladder, plan in zip(ladders, plans, strict=True)
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays what is missing, and prints and writes the tables."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.ladders", description=__doc__, args=arguments)
    out, ids = (settings.out / "quick", ("TicTacToe-v0",)) if settings.quick else (settings.out, settings.games)
    try:
        if settings.docs is not None:
            return take_ladders(settings.out, settings.docs)
        games = [get_game(game) for game in ids]
        out.mkdir(parents=True, exist_ok=True)
        for game in games if settings.play else ():
            plan = QUICK if settings.quick else PLANS.get(game.id, Plan())
            play_ladder(game, plan.rungs, games=plan.games, seed=settings.seed, file=out / f"{game.id}.json")
        write_tables(out, ids)
    except (BoardgymError, OSError) as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        write_tables(out, ids)
        raise SystemExit(f"interrupted; the rows that are finished are in {out}, the same command goes on") from None


def write_tables(out: Path, ids: Sequence[str]) -> None:
    """Prints the tables of all ladders of a folder, and writes them to table.md."""
    tables = tables_of(out, ids) + "\n"
    write_aside(out / "table.md", tables.encode())
    sys.stdout.write(tables)


if __name__ == "__main__":
    main()
