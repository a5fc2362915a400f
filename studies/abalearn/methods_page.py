"""The tables of the Abalearn study's methods, printed figures beside ours."""

from collections.abc import Mapping, Sequence

from boardgym.studies.abalearn.headline import OFF_BOARD, facts_table, shares_of_nets
from boardgym.studies.abalearn.methods_figures import lately, marbles_of, rate_of, sample_at, weight_of
from boardgym.studies.abalearn.plans import EARLY, FIRST, KAPPAS, MINIMAX, PLANS, TABLE
from boardgym.studies.pages import table
from boardgym.studies.parts import Figures, spread
from boardgym.studies.verdicts import MANY

NAMES = {
    "I": "method I, lambda 0.7",
    "I_lambda_0.3": "method I, lambda 0.3",
    "I_lambda_0.1": "method I, lambda 0.1",
    "I_expert": "net 1,000 of method I, then minimax diluted",
    "I_undiluted": "net 1,000 of method I, then minimax undiluted",
    "Ia": "method I(a)",
    **{f"II_kappa_{kappa}": f"method II, kappa {kappa}" for kappa in KAPPAS},
    "counters": "kappa 0, counter traces",
}
RANDOM = {  # table 5.1: after training against random play
    "I": dict(zip(EARLY, (35, 41, 49, 39, 61), strict=True)),
    "I_lambda_0.3": dict(zip(EARLY, (39, 29, 41, 28, 29), strict=True)),
    "I_lambda_0.1": dict(zip(EARLY, (34, 23, 43, 39, 9), strict=True)),
}
SELF = {300: 27.7, 1000: 52.6, 2000: 57.8, 3000: 72.2}  # table 5.2
METHODS = {  # table 5.3
    "I": dict(zip(TABLE, (48, 52, 54, 71), strict=True)),
    "Ia": dict(zip(TABLE, (68, 72, 76, 79), strict=True)),
    "II_kappa_-1": dict(zip(TABLE, (81, 92, 91, 93), strict=True)),
}
REGIONS = ("centre", "middle", "border", "pushed off")
SPATIAL = [f"{side} {region}" for side in ("own", "other") for region in REGIONS]
WEIGHTS = {  # figures 5.9 to 5.11
    ("I", 10): (0.215, 0.270, -0.037, 0.102, 0.125, 0.216, 0.197, 1.501),
    ("I", 1000): (0.836, 0.888, -0.002, 0.102, 0.139, 0.381, 0.509, 1.556),
    ("I_lambda_0.1", 1000): (0.065, 0.130, -0.255, 0.103, 0.060, 0.074, -0.037, 1.665),
}
WEIGHED = (10, 1000, 3000)  # games of training after which weights are shown
MEASURES = {"sums": "sum of w v", "weights": "mean w"}  # of an input
HEADLINE = (0, *EARLY, 2000, 3000)


def percent(values: Mapping[int, float]) -> str:
    """A share over the seeds."""
    return spread([100.0 * value for value in values.values()], 1)


def rates(figures: Figures, printed: Mapping[str, Mapping[int, float]], points: Sequence[int], head: str) -> list[str]:
    """A table of rates by games of training against each player, with the printed ones above ours where there are any."""
    rows = []
    for kind, numbers in printed.items():
        if not figures.get(kind):
            continue
        if numbers:
            rows.append([f"{NAMES[kind]}: study", *(f"{numbers[games]:g}" if games in numbers else "" for games in points)])
        tested = [games if games in PLANS[kind].tested else None for games in points]
        for test, off_board in OFF_BOARD.items():
            name = "here" if test == "test" else f"here, off_board {off_board}"
            cells = (percent(rate_of(figures, kind, games, test=test)) if games is not None else "" for games in tested)
            rows.append([f"{NAMES[kind]}: {name}", *cells])
    return table([head, *(f"{games:,}" for games in points)], rows) if rows else []


def endings(figures: Figures) -> list[str]:
    """How the games of both tests of each plan's last net end, by six marbles and adjudicated."""
    rows = []
    for kind in PLANS:
        if not figures.get(kind):
            continue
        games = PLANS[kind].tested[-1]
        for test, off_board in OFF_BOARD.items():
            ahead, level, won, drawn = (
                percent(rate_of(figures, kind, games, result, test)) for result in ("ahead", "level", "won", "drawn")
            )
            marbles = [marbles_of(figures, kind, games, side, test) for side in ("pushed", "gone")]
            rows.append(
                [
                    NAMES[kind],
                    f"{games:,}",
                    off_board,
                    ahead,
                    level,
                    won,
                    drawn,
                    *(spread(list(values.values()), 2) for values in marbles),
                ]
            )
    head = ("net of", "after games", "off_board", "ahead, %", "level, %", "six pushed off, %", "neither six, %", "pushed off",
            "lost")  # fmt: skip
    return table(head, rows) if rows else []


def training(figures: Figures) -> list[str]:
    """The games of training, of their last stretch up to 1,000 and of the last thousand."""
    rows = []
    for kind, plan in PLANS.items():
        if not figures.get(kind):
            continue
        for first, last in dict.fromkeys(((500, FIRST), (max(FIRST, plan.games - 1000), plan.games))):
            if first == last or (last == FIRST and kind in ("I_expert", "I_undiluted")):
                continue  # no games; what is told of method I already
            cells = [lately(figures, kind, name, first, last) for name in ("finished", "plies", "pushed", "gone")]
            rows.append([NAMES[kind], f"{first:,} to {last:,}", percent(cells[0]), spread([*cells[1].values()], 0),
                         spread([*cells[2].values()], 2), spread([*cells[3].values()], 2)])  # fmt: skip
    head = ("games of training of", "games", "finished, %", "plies", "pushed off", "lost")
    return table(head, rows) if rows else []


def weights(figures: Figures) -> list[str]:
    """Figures 5.9 to 5.11 beside ours; figures 6.4 to 6.7 without printed numbers."""
    rows = []
    for (kind, games), printed in WEIGHTS.items():
        if figures.get(kind):
            label = f"{NAMES[kind]}, {games:,} games"
            ours = {
                measure: [spread(list(weight_of(figures, kind, name, games, measure).values()), 2) for name in SPATIAL]
                for measure in MEASURES
            }
            rows += [
                [f"{label}: study", *(f"{number:g}" for number in printed)],
                *([f"{label}: here, {what}", *ours[measure]] for measure, what in MEASURES.items()),
            ]
    lines = table(["weight of", *SPATIAL], rows) if rows else []
    for measure, what in MEASURES.items():
        rows = []
        for kind in ("Ia", *(f"II_kappa_{kappa}" for kappa in KAPPAS)):
            if figures.get(kind):
                names = list(sample_at(figures[kind][0]["samples"], WEIGHED[0])[measure])
                rows += [
                    [
                        f"{NAMES[kind]}, {games:,} games",
                        *(spread(list(weight_of(figures, kind, name, games, measure).values()), 3) for name in names),
                    ]
                    for games in WEIGHED
                    if games <= PLANS[kind].games
                ]
        lines += table([what, *names], rows) if rows else []
    return lines


def page(figures: Figures) -> list[str]:
    """Tables 5.1 to 5.3 and what the figures show."""
    everything: dict[str, Mapping[int, float]] = {f"II_kappa_{kappa}": {} for kappa in KAPPAS}
    return [
        f"Rates: games of 100 against `{MINIMAX}` that a net ends ahead in marbles, and against the same with off_board 4.5 "
        "and 5, in percent; means over the seeds with 95 % intervals (Student's t). After 0 games: the untrained net. With "
        "a seed those of I(a) and II begin with the same weights, and so do those of I.",
        "",
        *rates(figures, RANDOM, (0, *EARLY), "table 5.1: trained against random play"),
        *rates(figures, {"I": SELF}, tuple(SELF), "table 5.2: self-play after 1,000 games"),
        *rates(figures, METHODS, TABLE, "table 5.3"),
        *rates(figures, {**everything, "II_kappa_-1": METHODS["II_kappa_-1"], "counters": {}}, HEADLINE, "figures 6.2 and 6.8"),
        *rates(figures, {"I": {}, "I_expert": {}, "I_undiluted": {}}, (1000, 1250, 1500), "figure 5.15"),
        "Claim 7, net by net: means, the least and the most of a net, and how many nets are at or above a level, with the "
        "exact interval of their share.",
        "",
        *shares_of_nets(figures),
        "What the study prints of these trainings, and what this reading has instead: it agrees if it does with one of the "
        f"three players, and is contradicted if it is by all of them. Fewer than {MANY} nets decide nothing of a mean.",
        "",
        *facts_table(figures),
        "All tests of the last nets, and the games that they were trained by; pushed off and lost: marbles a game.",
        "",
        *endings(figures),
        *training(figures),
        "Weights of an input: the sum over the hidden units of w into a unit and v out of it, whose sign is that of what the "
        "input adds to V, and the mean of w alone, which has the wrong sign where v is negative. The study does not say which "
        "it prints.",
        "",
        *weights(figures),
    ]
