"""Pictures of the search over readings."""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from boardgym.studies.abalearn import readings_effects as fx
from boardgym.studies.abalearn import readings_search as rd
from boardgym.studies.pages import keep_picture, quiet_pyplot
from boardgym.studies.parts import Figures, half_width

COLOURS = {0.0: "tab:blue", -0.3: "tab:green", -0.8: "tab:orange", -1.0: "tab:red"}
PANELS = ("0", "5", "8")  # players
PRINTED = {**rd.PRINTED, 3_000: 0.93}


def clipped(means: Sequence[float], halves: Sequence[float], low: float) -> list[list[float]]:
    """Intervals of shares in percent below and above their means, no further than low and 100."""
    pairs = list(zip(means, halves, strict=True))
    return [
        [max(0.0, min(half, middle - low)) for middle, half in pairs],
        [max(0.0, min(half, 100.0 - middle)) for middle, half in pairs],
    ]


def draw_effects(path: Path, figures: Figures) -> None:
    """A dot and an interval for each level, in a panel for each response, of both tests."""
    plt = quiet_pyplot()
    figure, panels = plt.subplots(1, 3, figsize=(11.0, 9.5), layout="constrained", sharey=True)
    for shift, colour, test in zip((0.15, -0.15), ("tab:blue", "tab:orange"), fx.TOLD, strict=True):
        for panel, (name, response) in zip(panels, fx.responses(*test).items(), strict=True):
            effects = fx.main_effects(figures["search"], response)
            factors = list(rd.FACTORS)
            at = [-k - 0.8 * factors.index(effect.factor) for k, effect in enumerate(effects)]
            means, halves = [100 * effect.mean for effect in effects], [100 * effect.half for effect in effects]
            bars = clipped(means, halves, low=-100.0 if name == "difference" else 0.0)
            panel.errorbar(
                means,
                [y + shift for y in at],
                xerr=bars,
                fmt="o",
                color=colour,
                markersize=4,
                capsize=2,
                label=f"minimax, off-board {test[0]}",
            )
            panel.axvline(100 * mean(map(response, figures["search"])), color=colour, linewidth=0.8, zorder=0)
            panel.set(xlabel="ended ahead in marbles, %", title=name)
            panel.spines[["top", "right"]].set_visible(False)
            panel.set_yticks(at, [f"{effect.factor}: {effect.level}" for effect in effects], fontsize=8)
    panels[0].legend(frameon=False, fontsize=8)
    keep_picture(figure, path)


def draw_scatter(path: Path, figures: Figures) -> None:
    """Win rates of kappa 0 and -1, a dot for each reading, a panel for each player; the headline's corner."""
    plt = quiet_pyplot()
    figure, panels = plt.subplots(1, len(rd.PLAYERS), figsize=(13.5, 3.4), layout="constrained", sharey=True)
    games = rd.POINTS[-1]
    for panel, player in zip(panels, rd.PLAYERS, strict=True):
        panel.fill_between([0, 100 * rd.MOST], 100 * rd.LEAST[games], 100, color="0.88", zorder=0)
        for level, mark, colour in zip(rd.FACTORS["chosen by"], "ox", ("tab:purple", "tab:green"), strict=True):
            dots = [one for one in figures["search"] if one["reading"]["chosen by"] == level]
            rates = [[100 * rd.win_rate(one, kappa, games, player, "ahead") for one in dots] for kappa in rd.SEARCHED]
            panel.plot(*rates, mark, color=colour, markersize=4, alpha=0.8, label=f"chosen by {level}")
        panel.plot([0, 100], [0, 100], color="0.7", linewidth=0.8)
        panel.set(xlabel="kappa 0: ahead, %", xlim=(-4, 104), ylim=(-4, 104))
        panel.set_title(f"minimax, off-board {player}", fontsize=9)
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


def draw_between(path: Path, figures: Figures) -> None:
    """Win rates of the readings of the second stage, a dot for each seed, a row for each reading."""
    plt = quiet_pyplot()
    test, games = rd.judged_by(figures), rd.POINTS[-1]
    rows = list(zip(*(one["between"] for one in figures["between"]), strict=True))
    figure, axis = plt.subplots(figsize=(8.5, 0.8 + 0.3 * len(rows)), layout="constrained")
    for kappa, shift, mark in ((0.0, 0.12, "o"), (-1.0, -0.12, "D")):
        dots = [(100 * rd.win_rate(one, kappa, games, *test), -k - shift) for k, results in enumerate(rows) for one in results]
        axis.plot(*zip(*dots, strict=True), mark, color=COLOURS[kappa], markersize=5, alpha=0.8, label=f"kappa {kappa:g}")
    axis.axvline(100 * rd.EFFECT, color="0.8", linewidth=0.8, zorder=0)
    axis.set_yticks([-k for k in range(len(rows))], [rd.differences(results[0]["reading"]) for results in rows], fontsize=8)
    player, count = test
    axis.set(xlim=(-3, 103), xlabel=f"{count} of minimax, off-board {player}, after {games:,} games, %")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=8)
    keep_picture(figure, path)


def draw_fewest(path: Path, figures: Figures) -> None:
    """Win rates of the third stage by games of training, mean and interval over new seeds, a panel for each player."""
    plt = quiet_pyplot()
    _, count = rd.judged_by(figures)
    figure, panels = plt.subplots(1, len(PANELS), figsize=(4.0 * len(PANELS), 3.8), layout="constrained", sharey=True)
    for panel, player in zip(panels, PANELS, strict=True):
        for shift, (kappa, colour) in zip((-45, -15, 15, 45), COLOURS.items(), strict=True):
            rates = fx.rates_of(figures["fewest"], kappa, player, count)
            means, halves = [mean(values) for values in rates.values()], [half_width(values) for values in rates.values()]
            panel.errorbar(
                [games + shift for games in rates],
                means,
                yerr=clipped(means, halves, low=0.0),
                marker="o",
                markersize=4,
                capsize=2,
                color=colour,
                label=f"kappa {kappa:g}",
            )
        panel.plot(list(PRINTED), [100 * share for share in PRINTED.values()], "*", color="black", label="printed, kappa -1")
        panel.set(xlabel="games of training", ylim=(-3, 103), title=f"minimax, off-board {player}")
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set(ylabel=f"{count}, %")
    panels[0].legend(frameon=False, fontsize=8)
    keep_picture(figure, path)
