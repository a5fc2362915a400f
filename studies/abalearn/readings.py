"""Claim 7 of the Abalearn study: the headline, searched for among the readings of what the study leaves open."""

import functools
import math
from collections.abc import Sequence
from statistics import mean

from boardgym.studies.abalearn import readings_effects as fx
from boardgym.studies.abalearn import readings_pictures as pictures
from boardgym.studies.abalearn import readings_search as rd
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, half_width, spread
from boardgym.studies.verdicts import MANY, Found, Verdict, all_of, greater, of_every_run, share_of

SHOWN = 8  # points that are shown
BETWEEN = 15  # readings, as the nearest one has five levels that are not the most literal ones
PRESET_READING: rd.Reading = {**rd.LITERAL, "inputs": "differences", "first weights": "material 1.5"}  # of the third stage
PRESET = rd.config_of(PRESET_READING, -1.0, 3_000)  # for other parts; as a command in docs/td_network.md


def page(figures: Figures) -> list[str]:
    """Tests, effects, the nearest readings; what came of them with new seeds."""
    points = figures.get("search", ())
    if not points:
        return []
    lines = [*tests_table(points), *effects_table(points), *nearest_table(points), *games_table(points)]
    if rd.nearest_reading(figures) is None:
        return lines
    tables = {
        "between": lambda: between_table(figures),
        "fewest": lambda: [*fewest_lines(figures), *again_table(figures, "fewest", THIRD), *players_table(figures)],
        "literal": lambda: again_table(figures, "literal", "the most literal reading"),
        "second": lambda: again_table(figures, "second", SECOND),
    }
    return [*lines, *(line for kind, lines_of in tables.items() if figures.get(kind) for line in lines_of())]


def told(rates: Sequence[float]) -> str:
    """A mean of those that can be judged, and how many they are if not all."""
    judged = [rate for rate in rates if not math.isnan(rate)]
    of = "" if len(judged) == len(rates) else f"; {len(judged)} of {len(rates)}"
    return spread(judged, 1) + of if judged else "-"


def tests_table(points: Sequence[fx.Point]) -> list[str]:
    """Each way to read the tests: means over the points, how many have the headline, the nearest point."""
    rows, games = [], rd.POINTS[-1]
    for player, count in rd.TESTS:
        rates = [[100 * rd.win_rate(one, kappa, games, player, count) for one in points] for kappa in rd.SEARCHED]
        holds = sum(rd.has_headline(one, player, count) for one in points)
        least = min(rd.distance(one, player, count) for one in points)
        pairs = [(a, b) for a, b in zip(*rates, strict=True) if not math.isnan(a) and not math.isnan(b)]
        more = share_of(sum(b > a for a, b in pairs), len(pairs)) if pairs else "-"
        rows.append(
            [
                count,
                player,
                *map(told, rates),
                more,
                share_of(holds, len(points)),
                f"{least:.2f}" if math.isfinite(least) else "-",
            ]
        )
    head = ["counted", "player", "kappa 0, %", "kappa -1, %", "-1 above 0", "with the headline", "least distance"]
    return [
        f"{len(points)} readings, after {games:,} games, {rd.TEST_GAMES} test games with each player, named by its off-board "
        "distance, of at most 300 plies if it says nothing. Counted: won by six pushed off, of all games, of those that a side "
        "won so; ahead in marbles at the end, of all games, of those that did not end level. The headline: kappa -1 at least "
        f"{100 * rd.LEAST[500]:.0f} % after 500 games and {100 * rd.LEAST[1_000]:.0f} % after 1,000, kappa 0 at most "
        f"{100 * rd.MOST:.0f} % after both. Distance: |rate - printed| of kappa -1 (81 % and 92 %), and what kappa 0 is above "
        "that, added up. A share in which fewer than a tenth of the games count is not judged: it has neither half of the "
        "headline and no distance; behind a mean, how many readings are. The player of off-board 0 pushes no marble off, so "
        "that what counts against it is of all games.",
        "",
        *table(head, rows),
    ]


def effects_table(points: Sequence[fx.Point]) -> list[str]:
    """Mean of each level over all others, by each of the tests."""
    found = [fx.main_effects(points, response) for test in fx.TOLD for response in fx.responses(*test).values()]
    rows = []
    for effects in zip(*found, strict=True):
        cells = [f"{100 * effect.mean:.1f} ± {100 * effect.half:.1f}" for effect in effects]
        rows.append([effects[0].factor, effects[0].level, *cells])
    head = [f"{name}, player {player}" for player, count in fx.TOLD for name in fx.responses(player, count)]
    how = "of all factors together" if fx.is_adjusted(points) else "of each factor by itself, as the points are few"
    return [
        f"Main effects: the share of test games ended ahead in marbles, in percent, after {rd.POINTS[-1]:,} games, least "
        f"squares {how}, with 95 % intervals.",
        "",
        *table(["factor", "level", *head], rows),
    ]


def cells_of(one: fx.Point, player: str, count: str) -> list[str]:
    """Win rates of kappa 0 and -1 at all points, in percent."""
    rates = [rd.win_rate(one, kappa, games, player, count) for kappa in rd.SEARCHED for games in rd.POINTS]
    return ["-" if math.isnan(rate) else f"{100 * rate:.0f}" for rate in rates]


def nearest_table(points: Sequence[fx.Point]) -> list[str]:
    """The readings that come nearest to the study, each with its nearest test."""
    ranked = sorted(points, key=lambda one: (rd.nearest_test(one)[0], one["seed"]))[:SHOWN]
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
    """A reading with new seeds, by the test of `readings_search.judged_by`."""
    results, (player, count) = figures[kind], rd.judged_by(figures, kind)
    rows = []
    for kappa in map(float, results[0]["nets"]):
        rates = fx.rates_of(results, kappa, player, count)
        cells = [told(rates[games]) if games in rates else "-" for games in rd.LATER]
        finished, plies = ([fx.of_training(one, kappa, name) for one in results] for name in ("finished", "plies"))
        rows.append([f"{kappa:g}", *cells, spread([100 * share for share in finished], 1), spread(plies, 0)])
    head = ["kappa", *(f"{games:,} games, %" for games in rd.LATER), "finished self-play games, %", "their plies"]
    return [
        f"{title[0].upper()}{title[1:]}, new seeds: {len(results)} ({count}, player {player}). Other than the most literal: "
        f"{rd.differences(results[0]['reading'])}.",
        "",
        *table(head, rows),
    ]


def fewest_lines(figures: Figures) -> list[str]:
    """What the third stage is of."""
    reading = figures["fewest"][0]["reading"]
    how = "the first of those with the fewest changes that have the effect with every seed"
    if not any(reading == one["reading"] for one in figures["between"][0]["between"]):
        how = "the nearest one itself, as none of these has the effect with every seed"
    same = "is" if reading == PRESET_READING else "is not"
    return [f"The reading of the third stage is {how}. The preset of the package {same} that reading.", ""]


def players_table(figures: Figures) -> list[str]:
    """The reading of the third stage by player: ahead in marbles, and won by six pushed off."""
    results, games, rows = figures["fewest"], rd.POINTS[-1], []
    for kappa in map(float, results[0]["nets"]):
        rates = [fx.rates_of(results, kappa, player, count)[games] for player in rd.PLAYERS for count in ("ahead", "won")]
        rows.append([f"{kappa:g}", *map(told, rates)])
    heads = [f"{player}, {count}" for player in rd.PLAYERS for count in ("ahead", "won by six")]
    return [
        f"The same nets after {games:,} games, by player, {rd.TEST_GAMES} test games each, in percent of all games: ended "
        "ahead in marbles, and won by six pushed off.",
        "",
        *table(["kappa", *heads], rows),
    ]


def between_table(figures: Figures) -> list[str]:
    """The readings of the second stage."""
    player, count = rd.judged_by(figures)
    rows = []
    for results in zip(*(one["between"] for one in figures["between"]), strict=True):
        effect = sum(rd.has_effect(one, player, count) for one in results)
        cells = [", ".join(cell) for cell in zip(*(cells_of(one, player, count) for one in results), strict=True)]
        rows.append([rd.differences(results[0]["reading"]), *cells, f"{effect} of {len(results)}"])
    heads = [f"kappa {kappa:g}, {games:,}" for kappa in rd.SEARCHED for games in rd.POINTS]
    nearest = rd.differences(rd.nearest_point(figures["search"])["reading"])
    return [
        f"The most literal reading with one and two of the levels of the nearest one ({nearest}), new seeds: "
        f"{len(figures['between'])} ({count}, player {player}), in percent, seed by seed. Effect: seeds in which kappa -1 has "
        f"more than {100 * rd.EFFECT:.0f} % and kappa 0 at most {100 * rd.MOST:.0f} % after both numbers of games. Kappa 0 was "
        "trained where kappa -1 has so much under any test.",
        "",
        *table(["other than the most literal", *heads, "effect"], rows),
    ]


# ---------------------------------------------------------------- claims


def fails(figures: Figures, kind: str = "fewest") -> Found:
    """Kappa 0 is at most MOST with every seed of the reading; how often a point of the search has the headline."""
    player, count = rd.judged_by(figures, kind)
    rates = fx.rates_of(figures[kind], 0.0, player, count)
    points = figures["search"]
    some = sum(any(rd.has_headline(one, *test) for test in rd.TESTS) for one in points)
    shown = ", ".join(f"after {games:,} games {told(rates[games])} %" for games in rd.POINTS)
    text = (
        f"{count}, player {player}: {shown}; of the search, readings with the headline of kappa -1 under any of the "
        f"{len(rd.TESTS)} tests: {share_of(some, len(points))}"
    )
    seeds = zip(*(rates[games] for games in rd.POINTS), strict=True)
    return of_every_run([all(rate <= 100 * rd.MOST for rate in values) for values in seeds]), text


def succeeds(kappa: float, figures: Figures, kind: str = "fewest") -> Found:
    """The interval of the mean over the seeds lies above LEAST after each number of games; not so if one lies below it."""
    player, count = rd.judged_by(figures, kind)
    rates = fx.rates_of(figures[kind], kappa, player, count)
    found: list[Verdict] = []
    for games in rd.POINTS:
        judged = [rate for rate in rates[games] if not math.isnan(rate)]
        if len(judged) < max(MANY, len(rates[games])):
            found.append("not decided")
            continue
        middle, half, least = mean(judged), half_width(judged), 100 * rd.LEAST[games]
        is_open = middle - half < least <= middle + half
        found.append("not decided" if is_open else "shown" if middle >= least else "not shown")
    shown = ", ".join(f"after {games:,} games {told(values)} %" for games, values in rates.items())
    return all_of(found), f"{count}, player {player}: {shown}"


def best_kappa(figures: Figures) -> Found:
    """-0.8 against -1, seed by seed."""
    player, count = rd.judged_by(figures)
    games = rd.POINTS[-1]
    rates = (fx.rates_of(figures["fewest"], kappa, player, count)[games] for kappa in (-0.8, -1.0))
    pairs = [(a, b) for a, b in zip(*rates, strict=True) if not math.isnan(a) and not math.isnan(b)]
    verdict, text = greater([a for a, _ in pairs], [b for _, b in pairs], unit=1.0)
    return verdict, f"{count}, player {player}, after {games:,} games {text}"


def more_finish(kind: str, figures: Figures) -> Found:
    """Kappa -1 against 0, reading by reading or seed by seed."""
    with_0, with_1 = ([fx.of_training(one, kappa, "finished") for one in figures[kind]] for kappa in rd.SEARCHED)
    more, text = greater(with_1, with_0)
    return more, f"share of finished games, {text}"


def shorter(kind: str, figures: Figures) -> Found:
    """Kappa 0 against -1, reading by reading or seed by seed."""
    with_0, with_1 = ([fx.of_training(one, kappa, "plies") for one in figures[kind]] for kappa in rd.SEARCHED)
    longer, text = greater(with_0, with_1, unit=1.0)
    return longer, f"plies with kappa 0 less those with -1, {text}"


BOTH = ("search", "between", "fewest")
THIRD = "the reading of the third stage"
AHEAD = f"{THIRD}, by the test of the nearest one"
SECOND = "the nearest reading of the second block"
CLAIMS = (
    Claim(7, f"{AHEAD}: kappa 0 fails", fails, BOTH),
    *(
        Claim(
            7, f"{AHEAD}: kappa {kappa:g} has 80 % after 500 games, 90 % after 1,000", functools.partial(succeeds, kappa), BOTH
        )
        for kappa in (-0.3, -0.8, -1.0)
    ),
    Claim(7, f"{AHEAD}: kappa -0.8 is better than -1", best_kappa, BOTH),
    Claim(
        7,
        f"{THIRD}: with kappa -1 more games of self-play are finished than with 0, of the first 1,000",
        functools.partial(more_finish, "fewest"),
        ("fewest",),
    ),
    Claim(7, f"{THIRD}: and sooner", functools.partial(shorter, "fewest"), ("fewest",)),
    Claim(7, f"{SECOND}: kappa 0 fails", functools.partial(fails, kind="second"), ("search", "second")),
    Claim(
        7,
        f"{SECOND}: kappa -1 has 80 % after 500 games, 90 % after 1,000",
        functools.partial(succeeds, -1.0, kind="second"),
        ("search", "second"),
    ),
    Claim(
        7,
        "over all readings: with kappa -1 more games of self-play are finished than with 0",
        functools.partial(more_finish, "search"),
        ("search",),
    ),
    Claim(7, "over all readings: and sooner", functools.partial(shorter, "search"), ("search",)),
)

PART = Part(
    name="readings",
    title="chapter 6: the headline under many readings",
    works={
        "search": Work(rd.search, units=rd.NUM_NETS, seeds=rd.BLOCKS * rd.BLOCK),
        "literal": Work(rd.train_literal, units=rd.NUM_NETS),
        "between": Work(
            rd.train_between, units=BETWEEN * rd.NUM_NETS, seeds=rd.BETWEEN_SEEDS, stage=1, chooses=rd.nearest_reading
        ),
        "second": Work(rd.train_second, units=rd.NUM_NETS, stage=1, chooses=functools.partial(rd.nearest_reading, number=1)),
        "fewest": Work(rd.train_fewest, units=sum(map(len, rd.LATER_PLAN.values())), stage=2, chooses=rd.fewest_reading),
    },
    lines=page,
    claims=CLAIMS,
    readings=tuple((factor, "open", "; ".join(levels)) for factor, levels in rd.FACTORS.items()),
    pictures={
        "effects": pictures.draw_effects,
        "scatter": pictures.draw_scatter,
        "games": pictures.draw_games,
        "between": pictures.draw_between,
        "fewest": pictures.draw_fewest,
    },
    needs={
        "effects": ("search",),
        "scatter": ("search",),
        "games": ("search",),
        "between": ("search", "between"),
        "fewest": ("search", "fewest"),
    },
    made_of=(
        2,  # one more where seeds, tests or effects are others
        rd.MOST_CHANGES,
        rd.FACTORS,
        rd.BLOCK,
        rd.TRIES,
        rd.DESIGN_SEED,
        tuple(rd.LATER_PLAN.items()),
        rd.SEARCHED,
        rd.POINTS,
        rd.LATER,
        rd.TEST_GAMES,
        rd.STARTS,
        rd.PLAYERS,
        rd.WITHOUT_DRAWS,
    ),
)
