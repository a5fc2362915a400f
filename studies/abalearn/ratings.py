"""Appendix B of the Abalearn study: the server's rating formula, and what courage earns under it and under Elo's.

Players of the five behaviours of table B.1 come as newcomers to a server of settled players, and play there. Two readings of
how their games end: "equal" results, each of them winning the same share of its games whomever it meets, as the study argues;
and results by "strength", the logistic of the difference to a strength of one's own.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.arena.rating_systems import expected_score, server_points, updated_elo
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, half_width, scaled, spread
from boardgym.studies.verdicts import MANY, Found, Verdict, all_of, greater, of_share, share_of

START, RULE = 1500.0, 400.0  # the first rating; the gap above which the older model left a game unrated
PLAYERS, MEAN, SPREAD, EXPERIENCE = 500, 1500.0, 250.0, (10, 1000)  # of the server's settled players
GAMES, SHOWN_AFTER, JUDGED_AFTER = 1000, (100, 300, 1000), 100  # "over a sample of about a hundred games", appendix B.2
BOLD = {"no courage": 0.05, "courageous": 2 / 3, "very courageous": 0.95, "average": None, "very weak": None}
# the share of games against better or more experienced players; None: whoever comes
WIN_SHARE = {"very weak": 0.25}  # "equal" results; of the others:
OTHERS_WIN = 0.75
STRENGTH = {"very weak": 1200.0}
OTHERS_STRENGTH = 1800.0
PUBLISHED = {
    "no courage": (2250, 2010),
    "courageous": (2124, 2023),
    "very courageous": (2375, 2239),
    "average": (2031, 1932),
    "very weak": (789, 1250),
}  # fmt: skip  (older model, server's)
MODELS, RESULTS = ("older", "server"), ("equal", "strength")
NEWCOMERS, NEAR, SETTLED_AFTER, FOLLOWED = 40, 100.0, 30, 300
NEARLY_ALL = 0.9  # of them: the text speaks of newcomers, not of some

Player = tuple[float, int]  # rating, games


def anchors() -> list[tuple[str, str, float, float, bool]]:
    """(what, what the study says, least and greatest of the formula, whether that is so).

    Grids: gaps of 50 to 400 points, experience of 20 to 400 games.
    """
    gaps, games = range(50, 401, 50), (20, 60, 100, 200, 400)
    more = [(a, b) for a in games for b in games if a >= b]

    def favourite(gap: float, own: int, other: int) -> float:
        return server_points(START + gap, START, own, other)

    def underdog(gap: float, own: int, other: int) -> float:
        return server_points(START - gap, START, own, other)

    equal = server_points(START, START, 100, 100)
    likely = [favourite(gap, a, b) for gap in gaps for a, b in more]
    same = [favourite(gap, a, a) for gap in gaps for a in games]
    less = [underdog(gap, a, a) - 1.0 for gap in gaps for a in games]
    least = [underdog(gap, b, a) for gap in gaps for a, b in more]
    timid = [favourite(gap, a, b) for gap in gaps if gap >= 200 for a, b in more if a > b]
    risked = [underdog(gap, b, a) for gap in gaps if gap >= 200 for a, b in more if a > b]
    return [
        ("equals of equal experience", "8.5", equal, equal, equal == 8.5),
        (
            "a favourite at least as experienced wins",
            "0.1 to 7",
            min(likely),
            max(likely),
            min(likely) >= 0.1 and max(likely) <= 7.0,
        ),
        ("a favourite of equal experience wins", "below 7.5", min(same), max(same), max(same) < 7.5),
        (
            "the weaker of equal experience wins, the 1 of experience left out",
            "7 (or 8.5) to 15",
            min(less),
            max(less),
            min(less) >= 7.0 and max(less) <= 15.0,
        ),
        ("the weaker and less experienced wins", "up to 30", min(least), max(least), max(least) <= 30.0),
        ("without courage (200 points above, more experienced), a win", "under 2", min(timid), max(timid), max(timid) < 2.0),
        ("without courage, what a loss costs", "over 8", min(risked), max(risked), min(risked) > 8.0),
    ]


# ---------------------------------------------------------------- a newcomer on a server


class Server:
    """Settled players: their ratings are their strengths; a newcomer's games change neither these nor their experience."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.ratings = rng.normal(MEAN, SPREAD, PLAYERS)
        low, high = EXPERIENCE
        self.games = np.exp(rng.uniform(np.log(low), np.log(high), PLAYERS)).astype(np.int64)

    def opponent(self, own: Player, bold: float | None, rng: np.random.Generator) -> int:
        """Whom a player of this behaviour meets; whoever comes, if there is nobody of the kind that it wants."""
        if bold is not None:
            is_feared = (self.ratings > own[0]) | (self.games > own[1])
            wanted = np.flatnonzero(is_feared == (rng.random() < bold))
            if len(wanted):
                return int(wanted[rng.integers(len(wanted))])
        return int(rng.integers(PLAYERS))


def rated(model: str, own: Player, other: Player, has_won: bool) -> float:
    """A rating after a game under a model."""
    if model == "older":
        is_left_out = abs(own[0] - other[0]) > RULE
        return own[0] if is_left_out else updated_elo(own[0], other[0], float(has_won))[0]
    if has_won:
        return own[0] + server_points(own[0], other[0], own[1], other[1])
    return own[0] - server_points(other[0], own[0], other[1], own[1])


def career(
    server: Server, behaviour: str, model: str, results: str, games: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The ratings of a newcomer after each game, float64 (games,)."""
    own, ratings = (START, 0), np.empty(games)
    share, strength = WIN_SHARE.get(behaviour, OTHERS_WIN), STRENGTH.get(behaviour, OTHERS_STRENGTH)
    for k in range(games):
        who = server.opponent(own, BOLD[behaviour], rng)
        other = float(server.ratings[who]), int(server.games[who])
        chance = share if results == "equal" else expected_score(strength, other[0])
        own = rated(model, own, other, bool(rng.random() < chance)), k + 1
        ratings[k] = own[0]
    return ratings


def careers(place: Place, seed: int, size: float) -> dict[str, Any]:
    """All behaviours, models and readings: ratings after some numbers of games, and every tenth for the picture."""
    found, games = {}, scaled(GAMES, size, max(10, round(JUDGED_AFTER * size)))
    for results in RESULTS:
        for model in MODELS:
            for number, behaviour in enumerate(BOLD):
                rng = np.random.default_rng([seed, RESULTS.index(results), MODELS.index(model), number])
                ratings = career(Server(np.random.default_rng(seed)), behaviour, model, results, games, rng)
                after = {str(n): float(ratings[min(scaled(n, size), games) - 1]) for n in SHOWN_AFTER}
                found[f"{results} {model} {behaviour}"] = {"after": after, "curve": ratings[9::10].round(1).tolist()}
        place.tell(RESULTS.index(results) + 1)
    return {"careers": found}


def newcomers(place: Place, seed: int, size: float) -> dict[str, Any]:
    """After how many games newcomers of all strengths first come near to where they will be, under the server's formula."""
    rng, server = np.random.default_rng([seed, 9]), Server(np.random.default_rng(seed))
    counts = []
    for _ in range(scaled(NEWCOMERS, size)):
        own, strength, first = (START, 0), float(rng.normal(MEAN, SPREAD)), None
        for k in range(FOLLOWED):
            who = server.opponent(own, None, rng)
            other = float(server.ratings[who]), int(server.games[who])
            own = rated("server", own, other, bool(rng.random() < expected_score(strength, other[0]))), k + 1
            if first is None and abs(own[0] - strength) <= NEAR:
                first = k + 1
        counts.append(FOLLOWED if first is None else first)
    return {"games": counts}


# ---------------------------------------------------------------- what it says


def after(figures: Figures, results: str, model: str, behaviour: str, games: int = JUDGED_AFTER) -> list[float]:
    """Ratings of all seeds after so many games."""
    return [one["careers"][f"{results} {model} {behaviour}"]["after"][str(games)] for one in figures["careers"]]


def has_anchors(figures: Figures) -> Found:
    """Each anchor."""
    parts = [
        f"{what}: {low:.2f}" + (f" to {high:.2f}" if high > low else "") + f" (study: {said}){'' if fits else ', not so'}"
        for what, said, low, high, fits in anchors()
    ]
    return ("shown" if all(fits for *_, fits in anchors()) else "not shown"), "; ".join(parts)


def above(more: str, less: str, results: str, model: str) -> Callable[[Figures], Found]:
    """Whether one behaviour ends above another."""

    def judge(figures: Figures) -> Found:
        parts = []
        for games in SHOWN_AFTER:
            a, b = (after(figures, results, model, who, games) for who in (more, less))
            parts.append((*greater(a, b, 1.0, 0), games))
        verdict = next(found for found, _, games in parts if games == JUDGED_AFTER)
        return verdict, "; ".join(f"after {games} games {text}" for _, text, games in parts)

    return judge


def reorders(figures: Figures) -> Found:
    """Table B.1: without courage above courageous under the older model, below under the server's."""
    old, old_text = above("no courage", "courageous", "equal", "older")(figures)
    new, new_text = above("courageous", "no courage", "equal", "server")(figures)
    return all_of(
        [old, new]
    ), f"older model, no courage less courageous: {old_text}; server's, courageous less no courage: {new_text}"


def one_run(values: Sequence[float]) -> tuple[float, float]:
    """(mean, half of the 95 % interval in which one run more would lie), by Student's t; from three runs on."""
    return mean(values), half_width(values) * math.sqrt(len(values) + 1)


def has_printed(behaviours: Sequence[str]) -> Callable[[Figures], Found]:
    """Whether the ratings that are printed of the server's formula could be those of one run, with equal results."""

    def judge(figures: Figures) -> Found:
        verdicts, texts = list[Verdict](), []
        for behaviour in behaviours:
            printed, values = PUBLISHED[behaviour][MODELS.index("server")], after(figures, "equal", "server", behaviour)
            middle, half = one_run(values)
            is_in = abs(printed - middle) <= half
            verdicts.append("not decided" if len(values) < MANY else "shown" if is_in else "not shown")
            texts.append(f"{behaviour}: printed {printed}, one run {middle:,.0f} ± {half:,.0f}, mean {spread(values, 0)}")
        return all_of(verdicts), "; ".join(texts)

    return judge


def settles(figures: Figures) -> Found:
    """Nearly all newcomers near their strength, by the exact interval of their share."""
    counts = [count for one in figures["newcomers"] for count in one["games"]]
    middle = [float(median(one["games"])) for one in figures["newcomers"]]
    soon = sum(count <= SETTLED_AFTER for count in counts)
    text = (
        f"within {SETTLED_AFTER} games {share_of(soon, len(counts))} newcomers were once within {NEAR:g} points of their "
        f"strength, asked are {100 * NEARLY_ALL:.0f} %; games until then: median {median(counts):g} (of each seed "
        f"{spread(middle, 1)})"
    )
    return of_share(soon, len(counts), NEARLY_ALL), text


def page(figures: Figures) -> list[str]:
    """Anchors, and table B.1 under each reading."""
    rows = [
        [what, said, f"{low:.2f}" + (f" to {high:.2f}" if high > low else ""), "yes" if fits else "no"]
        for what, said, low, high, fits in anchors()
    ]
    lines = table(["points that change hands", "study", "formula", "fits"], rows)
    if figures.get("careers"):
        for results in RESULTS:
            for number, model in enumerate(MODELS):
                rows = [
                    [
                        behaviour,
                        str(PUBLISHED[behaviour][number]),
                        *(spread(after(figures, results, model, behaviour, games), 0) for games in SHOWN_AFTER),
                    ]
                    for behaviour in BOLD
                ]
                lines += table([f"{model} model, results {results}", "study", *(f"after {n} games" for n in SHOWN_AFTER)], rows)
    return [
        *lines,
        "Ratings from 1500: means over the seeds, each with other opponents, with 95 % intervals (Student's t).",
        "",
    ]


def draw(path: Path, figures: Figures) -> None:
    """Ratings over games, means over the seeds: models by readings."""
    plt = quiet_pyplot()
    figure, axes = plt.subplots(2, 2, figsize=(9.6, 6.6), layout="constrained", sharex=True, sharey=True)
    for row, results in zip(axes, RESULTS, strict=True):
        for place, model in zip(row, MODELS, strict=True):
            for behaviour in BOLD:
                curves = np.array([one["careers"][f"{results} {model} {behaviour}"]["curve"] for one in figures["careers"]])
                place.plot(10 * (1 + np.arange(curves.shape[1])), curves.mean(axis=0), linewidth=1.2, label=behaviour)
            place.set_title(f"{model} model, results {results}", fontsize=10)
            place.spines[["top", "right"]].set_visible(False)
        row[0].set_ylabel("rating")
    for place in axes[1]:
        place.set_xlabel("games")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    keep_picture(figure, path)


def keeps(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result without the curves of the picture."""
    if "careers" not in result:
        return dict(result)
    careers = {name: {"after": one["after"]} for name, one in result["careers"].items()}
    return {**result, "careers": careers}


PART = Part(
    name="ratings",
    title="appendix B: the server's ratings",
    works={"careers": Work(careers, units=2), "newcomers": Work(newcomers)},
    lines=page,
    claims=(
        Claim(14, "the formula has the anchors that the text names", has_anchors),
        Claim(
            14,
            "server's formula, equal results: courageous above no courage",
            above("courageous", "no courage", "equal", "server"),
            ("careers",),
        ),
        Claim(
            14,
            "server's formula, equal results: very courageous above courageous",
            above("very courageous", "courageous", "equal", "server"),
            ("careers",),
        ),
        Claim(14, "the older model had it the other way round (table B.1)", reorders, ("careers",)),
        Claim(
            14,
            "server's formula, results by strength: courageous above no courage",
            above("courageous", "no courage", "strength", "server"),
            ("careers",),
        ),
        *(
            Claim(
                14,
                f"server's formula, equal results, {JUDGED_AFTER} games: the printed ratings could be of one run, {text}",
                has_printed(behaviours),
                ("careers",),
            )
            for text, behaviours in (
                ("of those who choose nobody", ("average", "very weak")),
                ("of those who choose", ("no courage", "courageous", "very courageous")),
            )
        ),
        Claim(14, "newcomers come near their strength within about 30 games", settles, ("newcomers",)),
    ),
    readings=(
        ("the formula", "printed with its layout lost", "15 (1 - 1 / (10^(D / 200) + 1)) + 30^((d - w) / (d + w))"),
        ("how games end", "not said", '"equal": 75 % won, the very weak 25 %; "strength": 1800, the very weak 1200'),
        ("opponents", "not said", "500 settled players, ratings N(1500, 250), 10 to 1000 games"),
        ("better or more experienced", '"almost only", 2 of 3', "95 %, 2/3, no courage 5 %, the others as they come"),
        ("number of games", '"about a hundred", said before the table', "100 (judged); 300 and 1,000 beside it"),
        ("older model", "Elo; gaps above 400 ignored", "K = 20; such games change no rating"),
    ),
    pictures={"careers": draw},
    needs={"careers": ("careers",)},
    keeps=keeps,
    made_of=(
        1,
        START,
        RULE,
        PLAYERS,
        MEAN,
        SPREAD,
        EXPERIENCE,
        GAMES,
        SHOWN_AFTER,
        BOLD,
        WIN_SHARE,
        OTHERS_WIN,
        STRENGTH,
        OTHERS_STRENGTH,
        NEWCOMERS,
        NEAR,
        FOLLOWED,
    ),
)
