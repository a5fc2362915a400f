"""The picture of a tuning: mean and spread of each number by iteration, and the samples with their fitness."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from boardgym.baselines.learning.tuning.fitness import fitness_of
from boardgym.core.files import open_aside

if TYPE_CHECKING:
    from boardgym.baselines.learning.tuning.tuner import Tuning


def draw_path(path: Path, tuning: "Tuning") -> None:
    """Draws a tuning as PNG, a row for each parameter: the mean as a line, one spread to either side, the samples as dots.

    Samples stand at the mean that they were drawn around. Needs Matplotlib. Raises OSError.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    rows, done = len(tuning.parameters), tuning.iteration
    figure, axes = plt.subplots(rows, 1, figsize=(7.5, 1.4 + 2.8 * rows), layout="constrained", squeeze=False, sharex=True)
    steps = [point.iteration for point in tuning.path]
    fitness = np.concatenate([fitness_of(tuning.results[k], tuning.config.fitness) for k in range(done)]) if done else None
    for row, (axis, parameter) in enumerate(zip(axes[:, 0], tuning.parameters, strict=True)):
        mean = np.array([point.mean[row] for point in tuning.path])
        spread = np.array([point.spread[row] for point in tuning.path])
        axis.fill_between(steps, mean - spread, mean + spread, color="tab:blue", alpha=0.15, linewidth=0, label="one spread")
        axis.plot(steps, mean, color="tab:blue", marker="o", markersize=4, label="mean")
        if fitness is not None:
            columns = np.repeat(np.arange(done), tuning.config.population) + 0.12
            dots = axis.scatter(columns, tuning.samples[:done, :, row].ravel(), c=fitness, s=14, cmap="viridis", zorder=3)
            figure.colorbar(dots, ax=axis, label="fitness of a sample")
        low, high = parameter.range.low, parameter.range.high
        axis.set(ylabel=parameter.name, ylim=(low - 0.05 * (high - low), high + 0.05 * (high - low)))
        axis.spines[["top", "right"]].set_visible(False)
    axes[-1, 0].set(xlabel="iterations done", xticks=steps)
    axes[0, 0].legend(frameon=False, loc="upper right", ncols=2)
    axes[0, 0].set_title(f"{tuning.config.spec} on {tuning.game.title}", fontsize=10)
    with open_aside(path) as file:
        figure.savefig(file, format="png", dpi=120)
    plt.close(figure)
