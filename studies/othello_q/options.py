"""Carried further: which options of the learner help at equal time, and how far the best of them gets."""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from scipy import stats

from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.experiments import TITLES
from boardgym.studies.othello_q.learners import OPTIONS, speed_of, train_in_parts
from boardgym.studies.othello_q.measuring import CELLS, mean_of, won
from boardgym.studies.othello_q.plans import PARTS_OF_TRAINING, PLANS
from boardgym.studies.pages import lasting, table
from boardgym.studies.parts import Claim, Figures, Part, Work, spread
from boardgym.studies.uct_ccnn.judging import above, permutation_p
from boardgym.studies.verdicts import LEVEL, Found, all_of

UNITS, PLAIN, MOST_RUNS = 20, "plain", 20
GOALS = {"mobility": 0.9, "positional": 0.8}  # shares won in each colour
STRETCH = 0.9
GAIN = 3.0  # points of the mean share won: an option that gains less does not help
SAME_TIME = 0.05  # by how much of the plain learner's processor time an option's may differ
BEST_SEEDS = 100  # of the best option's trainings, before their number: not those by which it was chosen


def measures_speed(name: str) -> Callable[..., dict[str, Any]]:
    """The work of the pilot of an option: done beside as many other pieces of work as its trainings are."""

    def measure(place: Place, seed: int, size: Any) -> dict[str, Any]:
        """Games a second of processor time."""
        return {"speed": speed_of(place, name, PLANS[size].options.pilot)}

    return measure


def trains(name: str) -> Callable[..., dict[str, Any]]:
    """The work of a training with an option."""

    def measure(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
        """Two measures: before the first game, and at the end."""
        games = max(1, int(PLANS[size].options.seconds * chosen["speed"]))
        return train_in_parts(place, "single", games, seed, 1, UNITS, f"{size}-{name}", **OPTIONS[name])

    return measure


def trains_best(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
    """The longest training, of the option that was best in the short ones, the plain learner left out."""
    games = max(PARTS_OF_TRAINING, int(PLANS[size].best.seconds * chosen["speed"]))
    option, own = chosen["option"], BEST_SEEDS + seed
    found = train_in_parts(place, "single", games, own, PARTS_OF_TRAINING, UNITS, f"{size}-best", **OPTIONS[option])
    return {"option": option, **found}


def ends(figures: Figures, name: str) -> list[float]:
    """The mean share won over players and colours at the end of each training with an option, in percent."""
    return [100 * mean_of(one["checkpoints"][-1]["measured"], won) for one in figures.get(f"options_{name}", ())]


def speed_chosen(name: str) -> Callable[[Figures], dict[int, Any]]:
    """The speed of an option, for every run."""

    def choose(figures: Figures) -> dict[int, Any]:
        ones = figures.get(f"speed_{name}", ())
        return {seed: {"speed": ones[0]["speed"]} for seed in range(1, MOST_RUNS + 1)} if ones else {}

    return choose


def best_chosen(figures: Figures) -> dict[int, Any]:
    """The option with the greatest mean share won, once all have their runs.

    The plain learner is none of them: its long trainings are those of claim 6.
    """
    means = {name: fmean(values) for name in OPTIONS if name != PLAIN and (values := ends(figures, name))}
    if len(means) < len(OPTIONS) - 1:
        return {}
    best = max(means, key=lambda name: means[name])
    if not figures.get(f"speed_{best}"):
        return {}
    chosen = {"option": best, "speed": figures[f"speed_{best}"][0]["speed"]}
    return dict.fromkeys(range(1, MOST_RUNS + 1), chosen)


# ---------------------------------------------------------------- verdicts and page


def p_of(figures: Figures, name: str) -> float:
    """Of the exact permutation test against the plain learner."""
    return permutation_p(ends(figures, name), ends(figures, PLAIN))


def gain_interval(a: Sequence[float], b: Sequence[float], level: float) -> tuple[float, float]:
    """The interval of a difference of means (Welch's t); without bounds for fewer than three values, or values all alike."""
    if min(len(a), len(b)) < 3 or not (stdev(a) and stdev(b)):
        return -math.inf, math.inf
    found = stats.ttest_ind(a, b, equal_var=False).confidence_interval(level)
    return float(found.low), float(found.high)


def judge_option(figures: Figures, name: str) -> tuple[str, str]:
    """What an option does beside the plain learner: helps, does not help, open, or took another time; and the evidence.

    All options together are judged at 5 % (Bonferroni), with p times their number and intervals as much wider. An option helps
    if its mean is significantly greater; it does not if it is significantly less, or if its interval has no gain of GAIN.
    """
    mine, plain, count = ends(figures, name), ends(figures, PLAIN), len(OPTIONS) - 1
    seconds = [fmean(one["training_seconds"] for one in figures[f"options_{kind}"]) for kind in (name, PLAIN)]
    gain, p = fmean(mine) - fmean(plain), min(1.0, count * p_of(figures, name))
    low, high = gain_interval(mine, plain, 1.0 - LEVEL / count)
    bounds = f" [{low:+.1f}, {high:+.1f}]" if math.isfinite(high) else ""
    text = f"{name} {gain:+.1f}{bounds}, p = {p:.2g}"
    if abs(seconds[0] / seconds[1] - 1.0) > SAME_TIME:
        return "took another time", f"{text} ({seconds[0]:.1f} s of processor time against {seconds[1]:.1f})"
    if p < LEVEL:
        return ("helps" if gain > 0 else "does not help"), text
    return ("does not help" if high < GAIN else "open"), text


def an_option_helps(figures: Figures) -> Found:
    """Shown if one helps, not shown if none of them does, by `judge_option`."""
    found = [judge_option(figures, name) for name in OPTIONS if name != PLAIN]
    said = {what for what, _ in found}
    text = (
        f"% won, mean over players and colours, against {fmean(ends(figures, PLAIN)):.1f} of the plain learner, with intervals "
        f"of the gain and p for all options together: {'; '.join(f'{text}: {what}' for what, text in found)}"
    )
    return ("shown" if "helps" in said else "not shown" if said == {"does not help"} else "not decided"), text


def reaches(goals: Mapping[str, float], kind: str) -> Callable[[Figures], Found]:
    """The share won at the end of a kind of trainings is above a goal in every colour."""

    def judge(figures: Figures) -> Found:
        verdicts, texts = [], []
        for player, seat in CELLS:
            ones = [one["checkpoints"][-1]["measured"][player][seat] for one in figures[kind]]
            verdict, text = above([won(one) for one in ones], goals[player])
            verdicts.append(verdict)
            texts.append(f"{player}, {seat}: {text}")
        one = figures[kind][0]
        return all_of(verdicts), f"% won, {one.get('option', TITLES.get(kind))}, {one['games']:,} games: " + "; ".join(texts)

    return judge


def settings_text(name: str) -> str:
    """How an option is set, beside the study's learner."""
    return ", ".join(f"`{key}={value}`" for key, value in OPTIONS[name].items()) or "the study's"


def page(figures: Figures) -> list[str]:
    """A row for each option, and one for the best in its long trainings."""
    rows = []
    for name in OPTIONS:
        if not (ones := figures.get(f"options_{name}", ())):
            continue
        shares = [spread([100 * won(one["checkpoints"][-1]["measured"][p][s]) for one in ones], 1) for p, s in CELLS]
        p = "" if name == PLAIN or not ends(figures, PLAIN) else f"{p_of(figures, name):.2g}"
        seconds = spread([one["training_seconds"] for one in ones], 1)
        ended = spread(ends(figures, name), 1)
        rows.append([name, settings_text(name), str(len(ones)), f"{ones[0]['games']:,}", seconds, *shares, ended, p])
    if not rows:
        return []
    cells = [f"{player}, as {seat}" for player, seat in CELLS]
    head = ("option", "settings", "trainings", "games", "processor seconds", *cells, "mean", "p against plain")
    lines = [
        "Percent won, draws not counted, over the 244 openings. A pilot of each option tells how many games fit the time. One "
        "setting of each was tried, and none was tuned: what an option can do at its best is not seen here.",
        "",
        *table(head, rows),
    ]
    for one in figures.get("best", ()):
        texts = [f"{p}, as {s}: {100 * won(one['checkpoints'][-1]['measured'][p][s]):.1f}" for p, s in CELLS]
        lines.append(f"- {one['option']}, {one['games']:,} games in {lasting(one['training_seconds'])}: {'; '.join(texts)}")
    return [*lines, ""]


OPTION_KINDS = tuple(f"options_{name}" for name in OPTIONS)
HOLDS = ("games", "factor", "switch", "checkpoints", "training_seconds")
OPTIONS_PART = Part(
    name="options",
    title="Carried further: options of the learner at equal time",
    works={
        **{
            f"speed_{name}": Work(measures_speed(name), is_seeded=False, made_of=OPTIONS[name], holds=("speed",))
            for name in OPTIONS
        },
        **{
            f"options_{name}": Work(
                trains(name), units=UNITS, stage=1, chooses=speed_chosen(name), made_of=OPTIONS[name], holds=HOLDS
            )
            for name in OPTIONS
        },
        "best": Work(trains_best, units=UNITS, stage=2, chooses=best_chosen, holds=("option", *HOLDS)),
    },
    lines=page,
    claims=(
        Claim(9, "an option helps at equal time", an_option_helps, OPTION_KINDS),
        Claim(9, "the best wins over 90 % against mobility and 80 % against positional, in each colour", reaches(GOALS, "best"),
              ("best",)),
        Claim(9, "it wins over 90 % against both", reaches(dict.fromkeys(GOALS, STRETCH), "best"), ("best",)),
    ),
    made_of=(2, BEST_SEEDS),
)  # fmt: skip
