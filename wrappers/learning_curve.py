"""Learning curves of Stable-Baselines3 models: score rates against fixed opponents, and their picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boardgym.envs.batch import Batch

Curve = Sequence[tuple[int, dict[str, float]]]  # (steps, {judge: score rate}) a point


class Judge:
    """Plays games of a model against fixed opponents, in batches, for the points of a learning curve.

    Half of the games in each seat, the same starts each time; the model plays deterministically.

    Args:
        game: id of the game, of two seats.
        judges: specs of the opponents.
        games: of each point; rounded up to an even number.
        setup: where games start.
        seed: of the games.

    Raises: as `boardgym.envs.vector.Batch`.
    """

    def __init__(self, game: str, judges: Sequence[str], *, games: int, setup: str, seed: int) -> None:
        half = (games + 1) // 2
        self.games, self.seed = 2 * half, seed
        self.batches = {
            judge: [Batch(game, half, opponent=judge, seat=seat, setup=setup) for seat in (0, 1)] for judge in judges
        }

    def score_rates(self, model: Any) -> dict[str, float]:
        """(wins + draws / 2) / games against each judge."""
        return {judge: float(np.mean([self._play(model, b) for b in pair])) for judge, pair in self.batches.items()}

    def _play(self, model: Any, batch: Batch) -> float:
        batch.seed([self.seed + i for i in range(batch.num_envs)])
        batch.restart(batch.everywhere)
        over = np.zeros(batch.num_envs, bool)
        total = np.zeros(batch.num_envs)
        while not over.all():
            actions, _ = model.predict(batch.observations, action_masks=batch.masks.astype(bool), deterministic=True)
            now = batch.step(actions)
            total += np.where(now & ~over, batch.rewards, 0.0)
            over = now
        return float((total.mean() + 1) / 2)


def draw_curve(path: Path, title: str, curve: Curve, games: int) -> None:
    """The score rate against each judge by steps, with 95 % binomial intervals (Wilson), as PNG. games: of each point."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    steps = np.array([point[0] for point in curve]) / 1e6
    for judge in curve[0][1]:
        rate = np.array([scores[judge] for _, scores in curve])
        centre = (rate + 1.96**2 / (2 * games)) / (1 + 1.96**2 / games)
        half = 1.96 * np.sqrt(rate * (1 - rate) / games + 1.96**2 / (4 * games**2)) / (1 + 1.96**2 / games)
        (line,) = axes.plot(steps, rate, marker="o", markersize=3, label=judge)
        axes.fill_between(steps, centre - half, centre + half, alpha=0.15, color=line.get_color(), linewidth=0)
    axes.axhline(0.5, color="0.7", linewidth=0.8, zorder=0)
    axes.set(xlabel="million steps", ylabel=f"score rate over {games} games", ylim=(-0.02, 1.02))
    axes.set_title(title)
    figure.legend(title="against", loc="outside right upper", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    part = path.with_suffix(".part.png")
    figure.savefig(part, dpi=120)
    plt.close(figure)
    part.replace(path)
