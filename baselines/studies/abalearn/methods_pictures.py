"""Pictures of the Abalearn study's methods: means over the seeds with a band of 95 %, printed figures as crosses."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from boardgym.baselines.studies.abalearn.methods_figures import Sample, curve
from boardgym.baselines.studies.abalearn.methods_page import METHODS, NAMES, RANDOM, SELF
from boardgym.baselines.studies.abalearn.parts import STUDENT, Figures
from boardgym.baselines.studies.abalearn.plans import DISTANCE, FIRST, KAPPAS, PLANS
from boardgym.baselines.studies.abalearn.protocol import rate
from boardgym.baselines.studies.pages import keep_picture, quiet_pyplot

SENSITIVE = [f"II_kappa_{kappa}" for kappa in KAPPAS]
COLOURS = {**{kind: f"C{number}" for number, kind in enumerate(PLANS)}, "II_kappa_0": "tab:blue", "II_kappa_-0.3": "tab:green",
           "II_kappa_-0.8": "tab:orange", "II_kappa_-1": "tab:red", "counters": "tab:purple"}  # fmt: skip


def ahead(sample: Sample) -> float | None:
    """Percent of the test games, where there was a test."""
    return 100.0 * rate(sample["test"]) if "test" in sample else None


def told(name: str, factor: float = 1.0) -> Callable[[Sample], float | None]:
    """Of the games of training."""
    return lambda sample: None if sample[name] is None else factor * sample[name]


def tested(side: str) -> Callable[[Sample], float | None]:
    """Marbles of a test game, "pushed" off or "gone"."""
    return lambda sample: sample["test"][side] if "test" in sample else None


def weight(name: str) -> Callable[[Sample], float | None]:
    """Of an input."""
    return lambda sample: sample["weights"].get(name)


def half_width(values: Sequence[float]) -> float:
    """Of the 95 % interval of a mean; 0 of fewer than three."""
    if len(values) < 3:
        return 0.0
    return STUDENT[min(len(values) - 1, len(STUDENT)) - 1] * stdev(values) / math.sqrt(len(values))


def band(axis: Any, games: Sequence[int], values: Sequence[Sequence[float]], label: str, colour: str, **more: Any) -> None:
    """A mean with its band."""
    middle = [fmean(each) for each in values]
    halves = [half_width(each) for each in values]
    axis.plot(games, middle, color=colour, linewidth=1.3, label=label, **more)
    low, high = ([m + sign * h for m, h in zip(middle, halves, strict=True)] for sign in (-1, 1))
    axis.fill_between(games, low, high, color=colour, alpha=0.15, linewidth=0.0)


def kinds_on(axis: Any, figures: Figures, kinds: Sequence[str], what: Callable[[Sample], float | None], **more: Any) -> None:
    """A curve of each kind that there are results of."""
    for kind in kinds:
        games, values = curve(figures, kind, what)
        if games:
            band(axis, games, values, NAMES[kind], COLOURS[kind], **more)


def finish(figure: Any, axes: Any, path: Path) -> None:
    """No frames above and at the right, legends, the file."""
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        if axis.get_legend_handles_labels()[0]:
            axis.legend(frameon=False, fontsize=7)
    keep_picture(figure, path)


def chapter_5(path: Path, figures: Figures) -> None:
    """Figures 5.12 and 5.15 and table 5.1: random play, then self-play; the expert."""
    figure, axes = quiet_pyplot().subplots(1, 3, figsize=(12.6, 3.9), layout="constrained", sharey=True)
    kinds_on(axes[0], figures, tuple(RANDOM), lambda s: ahead(s) if s["games"] <= FIRST else None, marker="o", markersize=3)
    for kind, printed in RANDOM.items():
        axes[0].plot([*printed], [*printed.values()], "x", color=COLOURS[kind], markersize=6)
    axes[0].set(title="against random play (table 5.1)", ylabel="games ended ahead of the minimax player, %")
    kinds_on(axes[1], figures, ("I", "Ia"), ahead, marker="o", markersize=3)
    for kind in ("I", "Ia"):
        known: dict[int, float] = {**METHODS[kind], **(SELF if kind == "I" else {})}
        axes[1].plot([*known], [*known.values()], "x", color=COLOURS[kind], markersize=6)
    axes[1].axvline(FIRST, color="0.6", linewidth=0.8, linestyle="--")
    axes[1].set(title="then self-play (tables 5.2, 5.3)")
    kinds_on(axes[2], figures, ("I", "I_expert", "I_undiluted"), lambda s: ahead(s) if s["games"] >= FIRST else None,
             marker="o", markersize=3)  # fmt: skip
    axes[2].set(title="the minimax player as teacher (figure 5.15)")
    for axis in axes:
        axis.set(xlabel="games of training", ylim=(-3, 103))
    finish(figure, axes, path)


def risk(path: Path, figures: Figures) -> None:
    """Figures 6.2 and 6.8, and to the right what kappa does to the games of training."""
    figure, axes = quiet_pyplot().subplots(1, 3, figsize=(12.6, 3.9), layout="constrained")
    kinds_on(axes[0], figures, (*SENSITIVE, "counters"), ahead, marker="o", markersize=3)
    printed = METHODS["II_kappa_-1"]
    axes[0].plot([*printed], [*printed.values()], "x", color=COLOURS["II_kappa_-1"], markersize=6)
    axes[0].set(title="against the minimax player (figures 6.2, 6.8)", ylabel="games ended ahead, %", ylim=(-3, 103))
    kinds_on(axes[1], figures, (*SENSITIVE, "counters"), told("finished", 100.0))
    axes[1].set(title="games of training that are finished", ylabel="six pushed off, %", ylim=(-3, 103))
    kinds_on(axes[2], figures, (*SENSITIVE, "counters"), told("plies"))
    axes[2].set(title="and their length", ylabel="plies")
    for axis in axes:
        axis.set(xlabel="games of training", xscale="log")
    finish(figure, axes, path)


def marbles(path: Path, figures: Figures) -> None:
    """Figure 6.3: marbles won and lost against the minimax player, and of method I as it begins (figure 5.8)."""
    figure, axes = quiet_pyplot().subplots(1, 2, figsize=(9.2, 3.9), layout="constrained")
    for name, label, style in (("pushed", "won", "-"), ("gone", "lost", "--")):
        for kind in SENSITIVE:
            games, values = curve(figures, kind, tested(name))
            if games:
                band(
                    axes[0], games, values, f"{NAMES[kind]}, {label}", COLOURS[kind], linestyle=style, marker="o", markersize=3
                )
        games, values = curve(figures, "I", told(name))
        if games:
            band(axes[1], games[:10], values[:10], label, "tab:green" if name == "pushed" else "tab:red")
    axes[0].set(title="against the minimax player (figure 6.3)", xscale="log", ylim=(-0.2, 6.2))
    axes[1].set(
        title="method I against random play, training (figure 5.8)", xlabel="games of training", ylabel="marbles a game"
    )
    finish(figure, axes, path)


def weights(path: Path, figures: Figures) -> None:
    """Figures 6.4 to 6.7: weights of material, and of protection, distance and material at three kappas."""
    figure, axes = quiet_pyplot().subplots(1, 4, figsize=(14.0, 3.7), layout="constrained")
    for kind in SENSITIVE:
        games, values = curve(figures, kind, weight("material"))
        if games:
            band(axes[0], games, values, NAMES[kind], COLOURS[kind])
    axes[0].set(title="material (figure 6.4)", ylabel="mean weight of the first layer")
    for axis, kappa, number in zip(axes[1:], ("0", "-0.8", "-1"), ("6.5", "6.6", "6.7"), strict=True):
        for name, colour in (("protected", "tab:blue"), (DISTANCE, "tab:green"), ("material", "tab:red")):
            games, values = curve(figures, f"II_kappa_{kappa}", weight(name))
            if games:
                band(axis, games, values, name, colour)
        axis.set(title=f"kappa {kappa} (figure {number})")
    for axis in axes:
        axis.set(xlabel="games of training", xscale="log")
        axis.axhline(0.0, color="0.6", linewidth=0.8)
    finish(figure, axes, path)


PICTURES = {"chapter_5": chapter_5, "risk": risk, "marbles": marbles, "weights": weights}
NEEDS = {"chapter_5": ("I",), "risk": ("II_kappa_-1",), "marbles": ("II_kappa_-1", "I"), "weights": ("II_kappa_-1",)}
