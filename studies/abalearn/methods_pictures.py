"""Pictures of the Abalearn study's methods: means over the seeds with a band of 95 %, printed figures as crosses."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from boardgym.studies.abalearn.methods_figures import Sample, curve
from boardgym.studies.abalearn.methods_page import MEASURES, METHODS, NAMES, RANDOM, SELF
from boardgym.studies.abalearn.plans import DISTANCE, FIRST, KAPPAS, PLANS, READING
from boardgym.studies.abalearn.protocol import rate
from boardgym.studies.pages import keep_picture, quiet_pyplot
from boardgym.studies.parts import Figures, half_width

PERCENT, MARBLES = (0.0, 100.0), (0.0, 6.0)  # what shares and marbles of a game can be
PRINTED = "printed by the study"
SENSITIVE = [f"II_kappa_{kappa}" for kappa in KAPPAS]
COLOURS = {
    **{kind: f"C{number}" for number, kind in enumerate(PLANS)},
    "II_kappa_0": "tab:blue",
    "II_kappa_-0.3": "tab:green",
    "II_kappa_-0.8": "tab:orange",
    "II_kappa_-1": "tab:red",
    "counters": "tab:purple",
}


def ahead(sample: Sample) -> float | None:
    """Percent of the test games, where there was a test."""
    return 100.0 * rate(sample["test"]) if "test" in sample else None


def told(name: str, factor: float = 1.0) -> Callable[[Sample], float | None]:
    """Of the games of training."""
    return lambda sample: None if sample[name] is None else factor * sample[name]


def tested(side: str) -> Callable[[Sample], float | None]:
    """Marbles of a test game, "pushed" off or "gone"."""
    return lambda sample: sample["test"][side] if "test" in sample else None


def weight(name: str, measure: str) -> Callable[[Sample], float | None]:
    """Of an input, as `methods_figures.weight_of`."""
    return lambda sample: sample[measure].get(name)


def band(
    axis: Any,
    games: Sequence[int],
    values: Sequence[Sequence[float]],
    label: str,
    colour: str,
    within: tuple[float, float] = (-math.inf, math.inf),
    **more: Any,
) -> None:
    """A mean with its band, cut where values cannot be."""
    middle = [fmean(each) for each in values]
    halves = [half_width(each) for each in values]
    axis.plot(games, middle, color=colour, linewidth=1.3, label=label, **more)
    low = [max(within[0], m - h) for m, h in zip(middle, halves, strict=True)]
    high = [min(within[1], m + h) for m, h in zip(middle, halves, strict=True)]
    axis.fill_between(games, low, high, color=colour, alpha=0.15, linewidth=0.0)


def kinds_on(axis: Any, figures: Figures, kinds: Sequence[str], what: Callable[[Sample], float | None], **more: Any) -> None:
    """A curve of each kind that there are results of."""
    for kind in kinds:
        games, values = curve(figures, kind, what)
        if games:
            band(axis, games, values, NAMES[kind], COLOURS[kind], **more)


def crosses(axis: Any, printed: Mapping[int, float], kind: str) -> None:
    """The study's own figures of a kind; the legend says once what crosses are."""
    is_said = PRINTED in axis.get_legend_handles_labels()[1]
    axis.plot([*printed], [*printed.values()], "x", color=COLOURS[kind], markersize=6, label=None if is_said else PRINTED)


def finish(figure: Any, axes: Any, path: Path, is_one_legend: bool = False) -> None:
    """Small titles, no frames above and at the right, legends (or one below, of the first panel, for all), the file."""
    if is_one_legend:
        lines, names = axes[0].get_legend_handles_labels()
        figure.legend(lines, names, loc="outside lower center", ncols=len(names), frameon=False, fontsize=8)
    for axis in axes:
        axis.set_title(axis.get_title(), fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
        if not is_one_legend and axis.get_legend_handles_labels()[0]:
            axis.legend(frameon=False, fontsize=7)
    keep_picture(figure, path)


def shares(axis: Any, top: float = 138, **more: Any) -> None:
    """An axis of percent, with room for a legend above."""
    axis.set(ylim=(-3, top), yticks=range(0, 101, 20), xlabel="games of training", **more)


def chapter_5(path: Path, figures: Figures) -> None:
    """Figures 5.12 and 5.15 and table 5.1: random play, then self-play; the expert."""
    figure, axes = quiet_pyplot().subplots(1, 3, figsize=(12.6, 4.1), layout="constrained", sharey=True)
    kinds_on(
        axes[0],
        figures,
        tuple(RANDOM),
        lambda s: ahead(s) if s["games"] <= FIRST else None,
        within=PERCENT,
        marker="o",
        markersize=3,
    )
    for kind, printed in RANDOM.items():
        if figures.get(kind):
            crosses(axes[0], printed, kind)
    kinds_on(axes[1], figures, ("I", "Ia"), ahead, within=PERCENT, marker="o", markersize=3)
    for kind in ("I", "Ia"):
        known: dict[int, float] = {**METHODS[kind], **(SELF if kind == "I" else {})}
        crosses(axes[1], known, kind)
    axes[1].axvline(FIRST, color="0.6", linewidth=0.8, linestyle="--")
    kinds_on(
        axes[2],
        figures,
        ("I", "I_expert", "I_undiluted"),
        lambda s: ahead(s) if FIRST <= s["games"] <= PLANS["I_expert"].games else None,
        within=PERCENT,
        marker="o",
        markersize=3,
    )
    titles = (
        "against random play (table 5.1)",
        "then self-play (tables 5.2, 5.3)",
        "the minimax player as teacher (figure 5.15)",
    )
    for axis, title in zip(axes, titles, strict=True):
        shares(axis, title=title)
    axes[0].set_ylabel("games ended ahead of the minimax player, %")
    finish(figure, axes, path)


def risk(path: Path, figures: Figures) -> None:
    """Figures 6.2 and 6.8, and to the right what kappa does to the games of training."""
    figure, axes = quiet_pyplot().subplots(1, 3, figsize=(12.6, 4.1), layout="constrained")
    kinds = (*SENSITIVE, "counters")
    kinds_on(axes[0], figures, kinds, ahead, within=PERCENT, marker="o", markersize=3)
    crosses(axes[0], METHODS["II_kappa_-1"], "II_kappa_-1")
    kinds_on(axes[1], figures, kinds, told("finished", 100.0), within=PERCENT)
    kinds_on(axes[2], figures, kinds, told("plies"), within=(0.0, READING.max_plies))
    shares(axes[0], 103, title="against the minimax player (figures 6.2, 6.8)", ylabel="games ended ahead, %", xscale="log")
    shares(axes[1], 103, title="games of training that are finished", ylabel="six pushed off, %", xscale="log")
    axes[2].set(title="their length", ylabel="plies", xlabel="games of training", xscale="log")
    finish(figure, axes, path, is_one_legend=True)


def marbles(path: Path, figures: Figures) -> None:
    """Figure 6.3: marbles won and lost against the minimax player, and of method I as it begins (figure 5.8)."""
    figure, axes = quiet_pyplot().subplots(1, 3, figsize=(12.6, 4.1), layout="constrained", sharey=True)
    for axis, name, label in ((axes[0], "pushed", "won"), (axes[1], "gone", "lost")):
        kinds_on(axis, figures, SENSITIVE, tested(name), within=MARBLES, marker="o", markersize=3)
        axis.set(title=f"{label}, against the minimax player (figure 6.3)", xscale="log")
        games, values = curve(figures, "I", told(name))
        if games:
            band(axes[2], games[:10], values[:10], label, "tab:green" if name == "pushed" else "tab:red", MARBLES)
    axes[2].set(title="method I against random play, in training (figure 5.8)")
    for axis in axes:
        axis.set(xlabel="games of training", ylim=(-0.2, 8.2), yticks=range(7))
    axes[0].set_ylabel("marbles a game")
    finish(figure, axes, path)


def weights(path: Path, figures: Figures) -> None:
    """Figures 6.4 to 6.7: weights of material, and of protection, distance and material at three kappas, by both measures."""
    figure, axes = quiet_pyplot().subplots(2, 4, figsize=(14.0, 6.8), layout="constrained")
    for row, (measure, what) in zip(axes, MEASURES.items(), strict=True):
        kinds_on(row[0], figures, SENSITIVE, weight("material", measure))
        row[0].set(title="material (figure 6.4)", ylabel=f"{what} over the hidden units")
        for axis, kappa, number in zip(row[1:], ("0", "-0.8", "-1"), ("6.5", "6.6", "6.7"), strict=True):
            for name, colour in (("protected", "tab:blue"), (DISTANCE, "tab:green"), ("material", "tab:red")):
                games, values = curve(figures, f"II_kappa_{kappa}", weight(name, measure))
                if games:
                    band(axis, games, values, name, colour)
            axis.set(title=f"kappa {kappa} (figure {number})")
    for axis in axes.flat:
        axis.set(xlabel="games of training", xscale="log")
        axis.axhline(0.0, color="0.6", linewidth=0.8)
    finish(figure, axes.flat, path)


PICTURES = {"chapter_5": chapter_5, "risk": risk, "marbles": marbles, "weights": weights}
NEEDS = {  # all that a picture shows: one of a part of it would take the place of a whole one
    "chapter_5": (*RANDOM, "Ia", "I_expert", "I_undiluted"),
    "risk": (*SENSITIVE, "counters"),
    "marbles": (*SENSITIVE, "I"),
    "weights": tuple(SENSITIVE),
}
