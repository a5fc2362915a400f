"""The figures of chapter 4 of the Abalearn study, drawn with Matplotlib."""

from pathlib import Path
from typing import Any

import numpy as np

from boardgym.studies.pages import keep_picture, quiet_pyplot
from boardgym.studies.parts import Figures

SIDE, SHOWN = 20, "0.5"  # the step size that is shown
GOAL, TUNNEL = (18, 18), (1, 18)  # row, column
GRID_GOAL = (0, 11)


def draw_lakes(path: Path, figures: Figures) -> None:
    """Values of the plain world by value iteration, and of a world with lakes by Q-learning after 100 episodes."""
    plt = quiet_pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
    seed = figures["lakes"][0]
    shown = (
        ("value iteration, 100 sweeps", figures["grids"][0]["grid"]["1"]["values"]),
        (f"Q-learning, 100 episodes, layout {seed['seed']}", seed[SHOWN]["values"]),
    )
    for place, (title, values) in zip(axes, shown, strict=True):
        image = place.imshow(np.array(values).reshape(SIDE, SIDE), cmap="viridis", vmin=-40, vmax=0)
        place.set(title=title, xlabel="column", ylabel="row", xticks=range(0, SIDE, 5), yticks=range(0, SIDE, 5))
    rows, columns = np.divmod(np.array(seed[SHOWN]["lakes"]), SIDE)
    axes[0].plot(GRID_GOAL[1], GRID_GOAL[0], "*", color="red", markersize=11, label="goal")
    axes[1].plot(columns, rows, "x", color="black", markersize=4, markeredgewidth=1.2, label="lake")
    axes[1].plot(GOAL[1], GOAL[0], "*", color="red", markersize=11, label="goal")
    axes[1].plot(TUNNEL[1], TUNNEL[0], "o", color="black", markeredgecolor="white", markersize=8, label="tunnel")
    walk = np.array(seed[SHOWN]["walk"][: -1 if seed[SHOWN]["by_tunnel"] else None])  # the tunnel itself is not seen
    axes[1].plot(walk % SIDE, walk // SIDE, "-", color="orange", linewidth=1.4, label="greedy walk after 300")
    figure.colorbar(image, ax=axes, label="value", shrink=0.85)
    handles, labels = axes[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    keep_picture(figure, path)


def draw_lengths(path: Path, figures: Figures) -> None:
    """Steps of each episode, mean and range over layouts."""
    plt = quiet_pyplot()
    figure, place = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    for name in [key for key in figures["lakes"][0] if key in (SHOWN, "0.1")]:
        lengths = np.array([one[name]["lengths"] for one in figures["lakes"]], float)
        shade(place, np.arange(1, lengths.shape[1] + 1), lengths, f"step size {name}")
    place.set(xlabel="episode", ylabel="steps", ylim=(0, 1400), title="lakes and tunnel: length of episodes, mean and range")
    place.legend(frameon=False)
    place.spines[["top", "right"]].set_visible(False)
    keep_picture(figure, path)


def draw_bandits(path: Path, figures: Figures) -> None:
    """Mean reward and share of the best arm over the plays, by temperature and by number of arms; means over seeds."""
    plt = quiet_pyplot()
    figure, axes = plt.subplots(2, 2, figsize=(9.6, 6.4), layout="constrained", sharex=True)
    first = [("10 0.01", "0.01"), ("10 0.1", "0.1"), ("10 0.4", "0.4"), ("10 1", "1")]
    second = [("2 0.4", "2"), ("5 0.4", "5"), ("10 0.4", "10"), ("100 0.4", "100")]
    for row, (names, what) in zip(axes, ((first, "temperature"), (second, "arms")), strict=True):
        for place, key, label in zip(row, ("rewards", "optimal"), ("mean reward", "share of the best arm"), strict=True):
            for name, text in names:
                curves = np.array([one[name][key] for one in figures["bandits"]])
                place.plot(np.arange(1, curves.shape[1] + 1), curves.mean(axis=0), linewidth=1.1, label=text)
            place.set(ylabel=label, title="10 arms" if what == "temperature" else "temperature 0.4")
            place.spines[["top", "right"]].set_visible(False)
        row[1].legend(title=what, frameon=False, loc="lower right", ncols=2, fontsize=8)
    for place in axes[1]:
        place.set_xlabel("play")
    keep_picture(figure, path)


def shade(place: Any, at: Any, curves: Any, label: str) -> None:
    """A mean with its range. curves: float (seeds, points)."""
    (line,) = place.plot(at, curves.mean(axis=0), linewidth=1.2, label=label)
    place.fill_between(at, curves.min(axis=0), curves.max(axis=0), alpha=0.15, color=line.get_color(), linewidth=0)
