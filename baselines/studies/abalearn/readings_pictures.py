"""Pictures of the search over readings."""

import math
from pathlib import Path
from statistics import mean

import numpy as np

from boardgym.baselines.studies.abalearn import readings_effects as fx
from boardgym.baselines.studies.abalearn import readings_search as rd
from boardgym.baselines.studies.abalearn.parts import STUDENT, Figures
from boardgym.baselines.studies.pages import keep_picture, quiet_pyplot

COLOURS = {0.0: "tab:blue", -0.3: "tab:green", -0.8: "tab:orange", -1.0: "tab:red"}


def draw_effects(path: Path, figures: Figures) -> None:
    """A dot and an interval for each level, in a panel for each response."""
    plt = quiet_pyplot()
    found = {name: fx.main_effects(figures["search"], response) for name, response in fx.responses(*fx.USUAL).items()}
    levels = [(effect.factor, effect.level) for effect in found["kappa 0"]]
    at, place = [], 0.0
    for k, (factor, _) in enumerate(levels):
        place += 1.0 + (0.8 if k and factor != levels[k - 1][0] else 0.0)
        at.append(-place)
    figure, panels = plt.subplots(1, 3, figsize=(11.0, 9.0), layout="constrained", sharey=True)
    for panel, (name, effects) in zip(panels, found.items(), strict=True):
        for y, effect in zip(at, effects, strict=True):
            panel.errorbar(100 * effect.mean, y, xerr=100 * effect.half, fmt="o", color="tab:blue", markersize=4, capsize=2)
        if effects:
            panel.axvline(100 * mean(effect.mean for effect in effects[:2]), color="0.7", linewidth=0.8, zorder=0)
        panel.set(xlabel="ahead of the minimax player, %", title=name)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(at, [f"{factor}: {level}" for factor, level in levels], fontsize=8)
    keep_picture(figure, path)


def draw_scatter(path: Path, figures: Figures) -> None:
    """Win rates of kappa 0 and -1, a dot for each reading, a panel for each off-board distance; the headline's corner."""
    plt = quiet_pyplot()
    figure, panels = plt.subplots(1, len(rd.PLAYERS), figsize=(13.5, 3.4), layout="constrained", sharey=True)
    games = rd.POINTS[-1]
    for panel, player in zip(panels, rd.PLAYERS, strict=True):
        panel.axvspan(0, 100 * rd.MOST, ymin=rd.LEAST[games], color="0.88", zorder=0)
        for level, mark, colour in zip(rd.FACTORS["chosen by"], "ox", ("tab:purple", "tab:green"), strict=True):
            dots = [one for one in figures["search"] if one["reading"]["chosen by"] == level]
            rates = [[100 * rd.win_rate(one, kappa, games, player, "ahead") for one in dots] for kappa in rd.SEARCHED]
            panel.plot(*rates, mark, color=colour, markersize=4, alpha=0.8, label=f"chosen by {level}")
        panel.plot([0, 100], [0, 100], color="0.7", linewidth=0.8)
        panel.set(xlabel="kappa 0: ahead, %", title=f"off-board distance {player}", xlim=(-3, 103), ylim=(0, 100))
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set(ylabel=f"kappa -1: ahead after {games:,} games, %")
    panels[0].legend(frameon=False, fontsize=8)
    keep_picture(figure, path)


def draw_games(path: Path, figures: Figures) -> None:
    """Finished share and length of self-play games with both kappas, a line for each reading."""
    plt = quiet_pyplot()
    figure, panels = plt.subplots(1, 2, figsize=(8.0, 4.0), layout="constrained")
    for panel, name, scale, label in zip(
        panels, ("finished", "plies"), (100.0, 1.0), ("finished games, %", "plies"), strict=True
    ):
        for level, colour in zip(rd.FACTORS["plies of training"], ("tab:blue", "tab:orange"), strict=True):
            dots = [one for one in figures["search"] if one["reading"]["plies of training"] == level]
            pairs = [[scale * fx.of_training(one, kappa, name) for one in dots] for kappa in rd.SEARCHED]
            panel.plot(*pairs, "o", color=colour, markersize=4, alpha=0.8, label=f"cap of {level} plies")
        low, high = panel.get_xlim()
        panel.plot([low, high], [low, high], color="0.7", linewidth=0.8)
        panel.set(xlabel=f"kappa 0: {label}", ylabel=f"kappa -1: {label}", title="games of self-play, a dot for each reading")
        panel.title.set_fontsize(9)
        panel.spines[["top", "right"]].set_visible(False)
    panels[1].set(xscale="log", yscale="log")
    panels[0].legend(frameon=False, fontsize=8)
    keep_picture(figure, path)


def draw_again(path: Path, figures: Figures) -> None:
    """Win rates by games of training with all kappas, mean and interval over the seeds, a panel for each reading."""
    plt = quiet_pyplot()
    chosen = fx.kinds(figures)
    figure, panels = plt.subplots(1, len(chosen), figsize=(4.0 * len(chosen), 3.8), layout="constrained", squeeze=False)
    for panel, (kind, title) in zip(panels[0], chosen, strict=True):
        results = figures[kind]
        player, count = fx.judged_by(figures, results[0]["reading"])
        points = fx.points_of(results[0])
        for kappa in rd.KAPPAS:
            rates = np.array([[100 * rd.win_rate(one, kappa, games, player, count) for games in points] for one in results])
            half = np.zeros(len(points))
            if len(results) > 2:
                half = STUDENT[min(len(results) - 1, len(STUDENT)) - 1] * rates.std(axis=0, ddof=1) / math.sqrt(len(results))
            panel.errorbar(points, rates.mean(axis=0), yerr=half, marker="o", markersize=4, capsize=2, color=COLOURS[kappa],
                           label=f"kappa {kappa:g}")  # fmt: skip
        panel.plot(
            list(rd.PRINTED), [100 * rate for rate in rd.PRINTED.values()], "*", color="black", label="printed, kappa -1"
        )
        panel.set(xlabel="games of training", ylabel=f"{count}, %", ylim=(-3, 103), title=f"{title}, off-board {player}")
        panel.title.set_fontsize(9)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0][0].legend(frameon=False, fontsize=8)
    keep_picture(figure, path)
