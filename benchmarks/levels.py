"""Levels of play, evenly spaced in Elo: `python -m benchmarks.levels --out runs/levels`.

For each game a ladder of searches of growing depth that play a share of their moves at random tells what a depth and a share
are worth. Twenty of them are chosen whose Elo is evenly spaced between random play and the strongest search. They play a ladder
of their own; twice what it shows corrects the choice. The last ladder is what is reported. In each, policies some rungs apart
play each other too, so that errors do not add up from rung to rung. It goes on where it was.
`--docs docs` takes the last ladders into the documentation's folder, and makes of them its page, its picture and the levels
of the package (boardgym/baselines/players/levels.json); nothing is played.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import tyro
from numpy.typing import NDArray

from boardgym.baselines.arena.ladder import Ladder, play_ladder
from boardgym.baselines.arena.rating_systems import Rating
from boardgym.baselines.arena.table import rating_text
from boardgym.baselines.players import levels as levels_module
from boardgym.baselines.players.levels import FILE, NUM_LEVELS, Level, Levels
from boardgym.core.errors import BoardgymError
from boardgym.core.files import write_aside
from boardgym.core.game import get_game
from boardgym.studies.pages import fill, keep_picture, quiet_pyplot

PAGE, DATA, PICTURE = "levels.md", Path("data/levels"), Path("images/levels.png")
Rated = tuple[Ladder, list[Rating]]
ROUNDS = 3  # ladders of levels: the first choice, and two corrections
APART = 4  # rungs: the first, the fifth and so on, and the last, play each other too


class Plan(NamedTuple):
    """search: whose depths there are, from 1 ply to `depth`. games: of each pair in a ladder of levels; half in the first."""

    depth: int
    search: str = "minimax"
    games: int = 400


PLANS = {
    "TicTacToe-v0": Plan(4, games=2000),
    "ConnectFour-v0": Plan(8),
    "CardPoints-v0": Plan(1, games=2000),
    "Othello-v0": Plan(6),
    "NineMensMorris-v0": Plan(5),
    "Abalone-v0": Plan(3),
    "Backgammon-v0": Plan(2, "expectiminimax", games=1000),
}
FIRST_SHARES = (0.85, 0.7, 0.55, 0.4, 0.3, 0.2, 0.1, 0.0)  # of random moves, at one ply
SHARES = (0.4, 0.25, 0.15, 0.07, 0.0)  # at each further ply


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Finds the levels.

    games: ids; all that have a plan if none is given.
    seed: of openings and draws.
    out: folder of the ladders.
    num_games: of each pair of policies in a ladder of levels; 0: as planned.
    processes: games at a time.
    docs: play nothing: take the ladders that `out` has into this folder of documentation, and make its page and the package's
        levels of all that are there.
    """

    games: tuple[str, ...] = tuple(PLANS)
    seed: int = 1
    out: Path = Path("runs/levels")
    num_games: int = 0
    processes: int = 1
    docs: Path | None = None


class Curve(NamedTuple):
    """What a depth is worth. shares: of random moves, growing to 1, which is random play. elos: of these, falling to 0."""

    depth: int
    shares: NDArray[np.float64]
    elos: NDArray[np.float64]

    def share_for(self, elo: float) -> float:
        """The share of random moves with which this depth has an Elo."""
        return float(np.interp(elo, self.elos[::-1], self.shares[::-1]))


def spec_of(plan: Plan, depth: int, share: float) -> str:
    """The policy of a depth and a share of random moves, rounded to thousandths."""
    share = round(share, 3)
    if share >= 1.0:
        return "random"
    return f"epsilon:{share:g}({plan.search}:{depth})" if share else f"{plan.search}:{depth}"


def first_rungs(plan: Plan) -> list[tuple[int, float]]:
    """(depth, share of random moves) of the first ladder, random play first."""
    rungs = [(1, 1.0), *((1, share) for share in FIRST_SHARES)]
    return rungs + [(depth, share) for depth in range(2, plan.depth + 1) for share in SHARES]


def curves_of(rungs: Sequence[tuple[int, float]], elos: Sequence[float]) -> list[Curve]:
    """The curve of each depth: Elo only falls as the share of random moves grows, whatever the games say."""
    curves = []
    for depth in sorted({depth for depth, _ in rungs}):
        found = dict(sorted((share, elo) for (mine, share), elo in zip(rungs, elos, strict=True) if mine == depth))
        found[1.0] = 0.0
        shares, values = np.array(list(found), np.float64), np.array(list(found.values()), np.float64)
        curves.append(Curve(depth, shares, np.maximum.accumulate(np.maximum(values, 0.0)[::-1])[::-1]))
    return curves


def choose(curves: Sequence[Curve], elo: float) -> tuple[int, float]:
    """(depth, share of random moves) with an Elo: of the least depth that reaches it."""
    for curve in curves:
        if curve.elos[0] >= elo:
            return curve.depth, curve.share_for(elo)
    return curves[-1].depth, 0.0


def knots_of(count: int) -> list[int]:
    """The numbers of the rungs that play each other too."""
    return [*range(0, count - APART // 2, APART), count - 1]


def corrected(targets: NDArray[np.float64], elos: Sequence[float]) -> NDArray[np.float64]:
    """Targets whose levels should be evenly spaced, from those whose levels had these Elos: of the knots alone."""
    knots = knots_of(len(targets))
    measured = np.maximum.accumulate(np.asarray(elos, np.float64)[knots])
    measured = measured + 1e-9 * np.arange(len(knots))  # so that it can be inverted
    return np.interp(np.linspace(measured[0], measured[-1], len(targets)), measured, targets[knots])


def elos_of(ratings: Sequence[Rating]) -> list[float]:
    """The Elo of each rung."""
    return [rating.elo for rating in ratings]


def find_levels(game_id: str, settings: Settings) -> Ladder:
    """Plays what is missing of a game's ladders, and returns the last one."""
    plan, game = PLANS[game_id], get_game(game_id)
    games = settings.num_games or plan.games

    def play(chosen: Sequence[tuple[int, float]], name: str, games: int) -> Ladder:
        specs = [spec_of(plan, *rung) for rung in chosen]
        file = settings.out / f"{game_id}-{name}.json"
        for rungs in ([specs[knot] for knot in knots_of(len(specs))], specs):  # the file keeps the first games, which count too
            ladder = play_ladder(game, rungs, games=games, seed=settings.seed, file=file, processes=settings.processes)
        return ladder

    rungs = first_rungs(plan)
    curves = curves_of(rungs, elos_of(play(rungs, "shares", games // 4 * 2).ratings()))
    targets = np.linspace(0.0, max(curve.elos[0] for curve in curves), NUM_LEVELS)
    for number in range(1, ROUNDS + 1):
        ladder = play([choose(curves, target) for target in targets], f"levels-{number}", games)
        targets = corrected(targets, elos_of(ladder.ratings()))
    return ladder


def level_table(ladder: Ladder, ratings: Sequence[Rating]) -> list[str]:
    """A game's levels as a heading and a Markdown table, and what levels that are apart scored against each other."""
    lines = [
        f"## {get_game(ladder.game).title}",
        "",
        "| level | policy | score against the one above | Elo |",
        "| --- | --- | --- | --- |",
    ]
    for number, (rating, row) in enumerate(zip(ratings, (None, *ladder.rows), strict=True), 1):
        lines.append(f"| {number} | `{rating.name}` | {'' if row is None else row.score} | {rating_text(rating)} |")
    steps, apart = np.diff(elos_of(ratings)), []
    for above, below, row in ladder.spare:
        numbers = [ladder.rungs.index(name) + 1 for name in (below, above)]
        apart.append(f"{numbers[1]} against {numbers[0]} {row.elo}")
    return [*lines, "", f"Steps of {np.mean(steps):.0f} Elo on average, from {steps.min():.0f} to {steps.max():.0f}; "
            f"{ladder.games} games a pair.", "", f"In their own games, in Elo: {'; '.join(apart)}.", ""]  # fmt: skip


def ladders_in(folder: Path) -> list[Ladder]:
    """The last ladders of the games, in the order of PLANS."""
    paths = (folder / f"{game}.json" for game in PLANS)
    return [Ladder.from_json(path.read_text(encoding="utf-8")) for path in paths if path.is_file()]


def rated_ladders(docs: Path) -> list[Rated]:
    """The ladders of the documentation's folder, with their ratings, which take seconds to find."""
    return [(ladder, ladder.ratings()) for ladder in ladders_in(docs / DATA)]


def draw(rated: Sequence[Rated], path: Path) -> None:
    """Elo by level, a line for each game, into a picture."""
    plt = quiet_pyplot()
    figure, axes = plt.subplots(figsize=(7.0, 4.2), layout="constrained")
    for ladder, ratings in rated:
        axes.plot(range(1, NUM_LEVELS + 1), elos_of(ratings), "o-", markersize=3, label=get_game(ladder.game).title)
    axes.set(xlabel="level", ylabel="Elo above random play", xticks=range(1, NUM_LEVELS + 1))
    axes.legend()
    keep_picture(figure, path)


def make_page(docs: Path, rated: Sequence[Rated]) -> tuple[Path, str]:
    """(path, text) of the page of these ladders."""
    path = docs / PAGE
    tables = "\n".join(line for ladder, ratings in rated for line in level_table(ladder, ratings)).rstrip("\n")
    return path, fill(path.read_text(encoding="utf-8"), {"levels": tables}, str(path))


def package_text(rated: Sequence[Rated]) -> str:
    """The package's file of levels of these ladders."""
    games = {}
    for ladder, ratings in rated:
        games[get_game(ladder.game).name] = [Level(rating.name, round(rating.elo, 1)) for rating in ratings]
    return json.dumps(msgspec.to_builtins(Levels(games)), indent=1) + "\n"


def take_levels(out: Path, docs: Path) -> None:
    """Takes the last ladders into the documentation's folder, and makes of all there the page, the picture and the levels."""
    (docs / DATA).mkdir(parents=True, exist_ok=True)
    for game in PLANS:
        if (path := out / f"{game}-levels-{ROUNDS}.json").is_file():
            ladder = Ladder.from_json(path.read_text(encoding="utf-8"))
            if len(ladder.rows) == NUM_LEVELS - 1:
                write_aside(docs / DATA / f"{game}.json", path.read_bytes())
    rated = rated_ladders(docs)
    page, text = make_page(docs, rated)
    write_aside(page, text.encode())
    write_aside(Path(levels_module.__file__).with_name(FILE), package_text(rated).encode())
    draw(rated, docs / PICTURE)


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays what is missing, and prints the tables; or makes the page."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.levels", description=__doc__, args=arguments)
    try:
        if settings.docs is not None:
            return take_levels(settings.out, settings.docs)
        settings.out.mkdir(parents=True, exist_ok=True)
        for game in settings.games:
            sys.stdout.write("\n".join(level_table(ladder := find_levels(game, settings), ladder.ratings())) + "\n")
    except (BoardgymError, OSError) as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit(f"interrupted; the rows that are finished are in {settings.out}, the same command goes on") from None


if __name__ == "__main__":
    main()
