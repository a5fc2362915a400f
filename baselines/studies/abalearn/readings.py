"""Claim 7 of the Abalearn study: the headline, searched for among the readings of what the study leaves open."""

import functools
from collections.abc import Sequence
from statistics import mean

from boardgym.baselines.studies.abalearn import readings_effects as fx
from boardgym.baselines.studies.abalearn import readings_pictures as pictures
from boardgym.baselines.studies.abalearn import readings_search as rd
from boardgym.baselines.studies.abalearn.parts import Claim, Figures, Part, Work, spread
from boardgym.baselines.studies.pages import table
from boardgym.baselines.studies.verdicts import Found, greater, share_of

NEAREST = 8  # points that are shown


def page(figures: Figures) -> list[str]:
    """Tests, effects, the nearest readings, what came of them with new seeds."""
    points = figures.get("search", ())
    lines = [*tests_table(points), *effects_table(points), *nearest_table(points), *games_table(points)] if points else []
    for kind, title in fx.kinds(figures):
        lines += again_table(figures, kind, title)
    return lines


def tests_table(points: Sequence[fx.Point]) -> list[str]:
    """Each way to read the tests: means over the points, how many have the headline, the nearest point."""
    rows, games = [], rd.POINTS[-1]
    for count in rd.COUNTS:
        for player in rd.PLAYERS:
            rates = [[100 * rd.win_rate(one, kappa, games, player, count) for one in points] for kappa in rd.SEARCHED]
            holds = sum(rd.has_headline(one, player, count) for one in points)
            least = min(rd.distance(one, player, count) for one in points)
            more = sum(b > a for a, b in zip(*rates, strict=True))
            rows.append([count, player, *(spread(each, 1) for each in rates), share_of(more, len(points)),
                         share_of(holds, len(points)), f"{least:.2f}"])  # fmt: skip
    head = ["counted", "player", "kappa 0, %", "kappa -1, %", "-1 above 0", "with the headline", "least distance"]
    return [
        f"{len(points)} readings, after {games:,} games, {rd.TEST_GAMES} test games with each player, named by its off-board "
        "distance, of at most 300 plies if it says nothing. Counted: won by six pushed off, of all games, of those that a side "
        "won so; ahead in marbles at the end, of all games, of those that did not end level. The headline: kappa -1 at least "
        f"{100 * rd.LEAST[500]:.0f} % after 500 games and {100 * rd.LEAST[1_000]:.0f} % after 1,000, kappa 0 at most "
        f"{100 * rd.MOST:.0f} % after both. Distance: |rate - printed| of kappa -1 (81 % and 92 %), and what kappa 0 is above "
        "that, added up; a share that fewer than a tenth of the games count in is 0.",
        "",
        *table(head, rows),
    ]


def effects_table(points: Sequence[fx.Point]) -> list[str]:
    """Mean of each level over all others."""
    found = {name: fx.main_effects(points, response) for name, response in fx.responses(*fx.USUAL).items()}
    if not all(found.values()):
        return ["Main effects: too few points.", ""]
    rows = []
    for k, effect in enumerate(found["kappa 0"]):
        cells = [f"{100 * each[k].mean:.1f} ± {100 * each[k].half:.1f}" for each in found.values()]
        rows.append([effect.factor, effect.level, *cells])
    return [
        f"Main effects, in percent, least squares with 95 % intervals: {fx.USUAL[1]} against the minimax player with off-board "
        f"distance {fx.USUAL[0]}, after {rd.POINTS[-1]:,} games.",
        "",
        *table(["factor", "level", *found], rows),
    ]


def cells_of(one: fx.Point, player: str, count: str) -> list[str]:
    """Win rates of kappa 0 and -1 at all points, in percent."""
    return [f"{100 * rd.win_rate(one, kappa, games, player, count):.0f}" for kappa in rd.SEARCHED for games in rd.POINTS]


def nearest_table(points: Sequence[fx.Point]) -> list[str]:
    """The readings that come nearest to the study, each with its nearest test."""
    ranked = sorted(points, key=lambda one: (rd.nearest_test(one)[0], one["seed"]))[:NEAREST]
    rows = []
    for one in ranked:
        least, player, count = rd.nearest_test(one)
        rows.append([str(one["seed"]), rd.differences(one["reading"]), f"{count}, {player}", f"{least:.2f}",
                     *cells_of(one, player, count)])  # fmt: skip
    heads = [f"kappa {kappa:g}, {games:,}" for kappa in rd.SEARCHED for games in rd.POINTS]
    return table(["point", "other than the most literal", "test", "distance", *heads], rows)


def games_table(points: Sequence[fx.Point]) -> list[str]:
    """What kappa does to the games of self-play, over all points, and by the cap of their plies."""
    groups = {"all readings": list(points)}
    for level in rd.FACTORS["plies of training"]:
        groups[f"cap of {level} plies"] = [one for one in points if one["reading"]["plies of training"] == level]
    rows = []
    for title, chosen in groups.items():
        for kappa in rd.SEARCHED if chosen else ():
            figures = (("finished", 100.0, 1), ("plies", 1.0, 0))
            cells = [
                spread([scale * fx.of_training(one, kappa, name) for one in chosen], digits) for name, scale, digits in figures
            ]
            rows.append([title, f"{kappa:g}", *cells])
    return table(["games of self-play", "kappa", "finished, %", "plies"], rows)


def again_table(figures: Figures, kind: str, title: str) -> list[str]:
    """A reading with new seeds and all kappas, by its test."""
    results = figures[kind]
    reading = results[0]["reading"]
    player, count = fx.judged_by(figures, reading)
    rows, points = [], fx.points_of(results[0])
    for kappa in rd.KAPPAS:
        rates = [spread([100 * rd.win_rate(one, kappa, games, player, count) for one in results], 1) for games in points]
        finished = spread([100 * fx.of_training(one, kappa, "finished") for one in results], 1)
        rows.append([f"{kappa:g}", *rates, finished, spread([fx.of_training(one, kappa, "plies") for one in results], 0)])
    head = ["kappa", *(f"{games:,} games, %" for games in points), "finished self-play games, %", "their plies"]
    return [
        f"{title[0].upper()}{title[1:]} with {len(results)} new seeds ({count}, off-board distance {player}). Other than the "
        f"most literal: {rd.differences(reading)}.",
        "",
        *table(head, rows),
    ]


# ---------------------------------------------------------------- claims


def headline(figures: Figures) -> Found:
    """A reading of the second stage whose means over the seeds have it, by the test that it was chosen by."""
    texts, holds = [], False
    for kind, title in fx.kinds(figures):
        results = figures[kind]
        player, count = fx.judged_by(figures, results[0]["reading"])
        means = {(kappa, games): mean(rd.win_rate(one, kappa, games, player, count) for one in results)
                 for kappa in rd.SEARCHED for games in rd.POINTS}  # fmt: skip
        has = all(means[-1.0, games] >= rd.LEAST[games] and means[0.0, games] <= rd.MOST for games in rd.POINTS)
        holds |= has and kind != "literal"
        shown = ", ".join(f"kappa {kappa:g} after {games:,} games {100 * rate:.0f} %" for (kappa, games), rate in means.items())
        texts.append(f"{title}: {shown}")
    points = figures["search"]
    some = sum(any(rd.has_headline(one, player, count) for player in rd.PLAYERS for count in rd.COUNTS) for one in points)
    text = f"in the search under some test: {share_of(some, len(points))}; with new seeds: {'; '.join(texts)}"
    return ("shown" if holds else "not shown"), text


def more_finish(figures: Figures) -> Found:
    """Kappa -1 against 0, reading by reading."""
    with_0, with_1 = ([fx.of_training(one, kappa, "finished") for one in figures["search"]] for kappa in rd.SEARCHED)
    more, text = greater(with_1, with_0)
    return more, f"share of finished games, {text}"


def shorter(figures: Figures) -> Found:
    """Kappa 0 against -1, reading by reading."""
    with_0, with_1 = ([fx.of_training(one, kappa, "plies") for one in figures["search"]] for kappa in rd.SEARCHED)
    longer, text = greater(with_0, with_1, unit=1.0)
    return longer, f"plies with kappa 0 less those with -1, {text}"


SECOND = {f"best-{rank + 1}": functools.partial(rd.train_best, rank) for rank in range(rd.BEST)}

PART = Part(
    name="readings",
    title="chapter 6: the headline under many readings",
    works={
        "search": Work(rd.search, units=len(rd.SEARCHED) * len(rd.POINTS), seeds=rd.BLOCKS * rd.BLOCK),
        **{kind: Work(run, units=len(rd.KAPPAS) * len(rd.LATER), is_later=True) for kind, run in SECOND.items()},
        "literal": Work(rd.train_literal, units=len(rd.KAPPAS) * len(rd.POINTS)),
    },
    lines=page,
    claims=(
        Claim(7, "under some reading kappa 0 fails, and kappa -1 wins 80 % after 500 games, 90 % after 1,000", headline,
              ("search", *SECOND)),
        Claim(7, "self-play games finish more often with kappa -1 than with 0", more_finish, ("search",)),
        Claim(7, "and sooner", shorter, ("search",)),
    ),
    readings=tuple((factor, "open", "; ".join(levels)) for factor, levels in rd.FACTORS.items()),
    pictures={"effects": pictures.draw_effects, "scatter": pictures.draw_scatter, "games": pictures.draw_games,
              "again": pictures.draw_again},
    needs={"effects": ("search",), "scatter": ("search",), "games": ("search",), "again": ("search", "best-1")},
    made_of=(1, rd.FACTORS, rd.BLOCK, rd.TRIES, rd.DESIGN_SEED, rd.KAPPAS, rd.SEARCHED, rd.POINTS, rd.LATER,
             rd.TEST_GAMES, rd.STARTS, rd.PLAYERS, rd.WITHOUT_DRAWS),
)  # fmt: skip
