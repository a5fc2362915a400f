"""Carried further: which options of the learner help at equal time, and how far the best of them gets."""

from collections.abc import Callable, Mapping
from statistics import fmean
from typing import Any

from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.learners import OPTIONS, speed_of, train_in_parts
from boardgym.studies.othello_q.measuring import CELLS, mean_of, together, won, won_text
from boardgym.studies.othello_q.plans import PARTS_OF_TRAINING, PLANS
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, spread
from boardgym.studies.uct_ccnn.judging import above, permutation_p
from boardgym.studies.verdicts import LEVEL, Found, all_of

UNITS, PLAIN, MOST_RUNS = 20, "plain", 20
GOALS = {"mobility": 0.9, "positional": 0.8}  # shares won in each colour
STRETCH = 0.9
BEST_SEEDS = 100  # of the best option's trainings, before their number: not those by which it was chosen


def measures_speed(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """Games a second of each option, one after the other, so that all have the same machine."""
    plan = PLANS[size].options
    return {"speeds": {name: speed_of(place, name, plan.pilot) for name in OPTIONS}, "pilot": plan.pilot}


def trains(name: str) -> Callable[..., dict[str, Any]]:
    """The work of a training with an option."""

    def measure(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
        """Two measures: before the first game, and at the end."""
        games = max(1, int(PLANS[size].options.seconds * chosen["speed"]))
        return train_in_parts(place, "single", games, seed, 1, UNITS, f"{size}-{name}", **OPTIONS[name])

    return measure


def trains_best(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
    """The longest training, of the option that was best in the short ones."""
    games = max(PARTS_OF_TRAINING, int(PLANS[size].options.best_seconds * chosen["speed"]))
    option, own = chosen["option"], BEST_SEEDS + seed
    found = train_in_parts(place, "single", games, own, PARTS_OF_TRAINING, UNITS, f"{size}-best", **OPTIONS[option])
    return {"option": option, **found}


def ends(figures: Figures, name: str) -> list[float]:
    """The mean share won over players and colours at the end of each training with an option, in percent."""
    return [100 * mean_of(one["checkpoints"][-1]["measured"], won) for one in figures.get(f"options_{name}", ())]


def speed_chosen(name: str) -> Callable[[Figures], dict[int, Any]]:
    """The speed of an option, for every run."""

    def choose(figures: Figures) -> dict[int, Any]:
        ones = figures.get("speeds", ())
        return {seed: {"speed": ones[0]["speeds"][name]} for seed in range(1, MOST_RUNS + 1)} if ones else {}

    return choose


def best_chosen(figures: Figures) -> dict[int, Any]:
    """The option with the greatest mean share won, once all have their runs."""
    means = {name: fmean(values) for name in OPTIONS if (values := ends(figures, name))}
    if len(means) < len(OPTIONS) or not figures.get("speeds"):
        return {}
    best = max(means, key=lambda name: means[name])
    chosen = {"option": best, "speed": figures["speeds"][0]["speeds"][best]}
    return dict.fromkeys(range(1, MOST_RUNS + 1), chosen)


# ---------------------------------------------------------------- verdicts and page


def p_of(figures: Figures, name: str) -> float:
    """Of the exact permutation test against the plain learner."""
    return permutation_p(ends(figures, name), ends(figures, PLAIN))


def an_option_helps(figures: Figures) -> Found:
    """One whose mean is greater, by tests at 5 % together (Bonferroni)."""
    others = [name for name in OPTIONS if name != PLAIN]
    plain = fmean(ends(figures, PLAIN))
    tests = {name: (fmean(ends(figures, name)) - plain, p_of(figures, name) * len(others)) for name in others}
    helps = [name for name, (gain, p) in tests.items() if gain > 0 and p < LEVEL]
    text = "; ".join(f"{name} {gain:+.1f} (p = {min(1.0, p):.2g})" for name, (gain, p) in tests.items())
    said = f"% won, mean over players and colours, against {plain:.1f} of the plain learner: {text}; p times {len(others)}"
    return ("shown" if helps else "not decided"), said


def reaches(goals: Mapping[str, float]) -> Callable[[Figures], Found]:
    """The share won of the best option's trainings is above a goal in every colour."""

    def judge(figures: Figures) -> Found:
        verdicts, texts = [], []
        for player, seat in CELLS:
            ones = [one["checkpoints"][-1]["measured"][player][seat] for one in figures["best"]]
            verdict, text = above([won(one) for one in ones], goals[player])
            verdicts.append(verdict)
            texts.append(f"{player}, {seat}: {text}, all games {won_text(together(ones))}")
        one = figures["best"][0]
        return all_of(verdicts), f"% won, {one['option']}, {one['games']:,} games: " + "; ".join(texts)

    return judge


def page(figures: Figures) -> list[str]:
    """A row for each option, and one for the best in its long trainings."""
    if not figures.get("speeds"):
        return []
    rows = []
    for name in OPTIONS:
        if not (ones := figures.get(f"options_{name}", ())):
            continue
        shares = [spread([100 * won(one["checkpoints"][-1]["measured"][p][s]) for one in ones], 1) for p, s in CELLS]
        p = "" if name == PLAIN or not ends(figures, PLAIN) else f"{p_of(figures, name):.2g}"
        seconds = spread([one["training_seconds"] for one in ones], 0)
        rows.append([name, str(len(ones)), f"{ones[0]['games']:,}", seconds, *shares, spread(ends(figures, name), 1), p])
    head = (
        "option",
        "runs",
        "games",
        "seconds",
        *(f"{player}, as {seat}" for player, seat in CELLS),
        "mean",
        "p against plain",
    )
    lines = ["Percent won, draws not counted, over the 244 openings; games by the speed of each in the same time.", ""]
    lines += table(head, rows) if rows else []
    for one in figures.get("best", ()):
        texts = [f"{p}, as {s}: {won_text(one['checkpoints'][-1]['measured'][p][s])}" for p, s in CELLS]
        lines.append(f"- {one['option']}, {one['games']:,} games in {one['training_seconds']:,.0f} s: {'; '.join(texts)}")
    return [*lines, ""]


OPTION_KINDS = tuple(f"options_{name}" for name in OPTIONS)
HOLDS = ("games", "factor", "switch", "checkpoints", "training_seconds")
OPTIONS_PART = Part(
    name="options",
    title="Carried further: options of the learner at equal time",
    works={
        "speeds": Work(measures_speed, is_seeded=False, holds=("speeds", "pilot")),
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
        Claim(9, "the best wins over 90 % against mobility and 80 % against positional, in each colour", reaches(GOALS),
              ("best",)),
        Claim(9, "it wins over 90 % against both", reaches(dict.fromkeys(GOALS, STRETCH)), ("best",)),
    ),
    made_of=(1, GOALS, BEST_SEEDS),
)  # fmt: skip
