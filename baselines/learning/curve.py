"""Learning curves: score rates of an agent against fixed opponents, their files and their picture."""

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.arena.ratings import rate_interval
from boardgym.core.files import open_aside, write_aside
from boardgym.core.game import Game, check_two_seats, get_game
from boardgym.envs.batch import Batch
from boardgym.wrappers.sb3_policy import SB3Policy

Curve = Sequence[tuple[int, dict[str, float]]]  # (steps, {judge: score rate}) a point
Chooser = Callable[[NDArray[Any], NDArray[np.int8]], NDArray[np.int64]]  # (observations, masks) -> actions


class Judge:
    """Plays games of an agent against fixed opponents, in batches, for the points of a learning curve.

    Half of the games in each seat, the same starts each time.

    Args:
        game: the game or its id, of two seats.
        judges: specs of the opponents.
        games: of each point; rounded up to an even number.
        setup: where games start.
        seed: of the games.
        trust: whether specs may name files that could execute code.

    Raises: UnsupportedGameError for a game of other than two seats; as `boardgym.envs.batch.Batch`.
    """

    def __init__(
        self, game: str | Game, judges: Sequence[str], *, games: int, setup: str, seed: int, trust: bool = False
    ) -> None:
        half = (games + 1) // 2
        self.game, self.games, self.seed = get_game(game), 2 * half, seed
        check_two_seats(self.game, "a learning curve")
        self.batches = {
            judge: [Batch(game, half, opponent=judge, seat=seat, setup=setup, trust=trust) for seat in (0, 1)]
            for judge in judges
        }

    def score_rates(self, model: Any) -> dict[str, float]:
        """(wins + draws / 2) / games of a Stable-Baselines3 model, which plays deterministically, against each judge."""
        policy = SB3Policy(model, self.game, seed=0)

        def choose(observations: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[np.int64]:
            return policy.probabilities(observations, masks).argmax(axis=1)

        return {judge: score_rate(pair, choose, self.seed) for judge, pair in self.batches.items()}


def score_rate(batches: Sequence[Batch], choose: Chooser, seed: int) -> float:
    """The score rate of an agent over one game on every board of some batches; board i of each gets seed + i."""
    return float(np.mean([play_games(batch, choose, seed) for batch in batches]))


def play_games(batch: Batch, choose: Chooser, seed: int) -> NDArray[np.float64]:
    """One game on every board. Returns the agent's scores, float64 (n,): 1 won, 0.5 drawn, 0 lost.

    choose: (observations, masks) of all boards -> an action for each; boards that are over ignore theirs.
    """
    batch.seed([seed + i for i in range(batch.num_envs)])
    batch.restart(batch.everywhere)
    over = np.zeros(batch.num_envs, bool)
    scores = np.zeros(batch.num_envs)
    while not over.all():
        ends = batch.step(choose(batch.observations, batch.masks)) & ~over
        if ends.any():
            scores[ends] = (batch.infos()["outcome"][ends] + 1) / 2
        over = over | ends
    return scores


def ends_of(rate: float, games: int) -> tuple[float, float, float]:
    """A score rate and the ends of its 95 % interval."""
    interval = rate_interval(rate, games)
    return rate, interval.low, interval.high


def judges_of(curve: Curve) -> list[str]:
    """All that some point was played against, in the order of their first points."""
    return list(dict.fromkeys(judge for _, scores in curve for judge in scores))


def save_curve(path: Path, curve: Curve, games: int) -> None:
    """Writes a curve as CSV, aside and then renamed: steps, and for each judge its score rate and the interval's ends.

    Blank where a point was not played against a judge.
    """
    judges = judges_of(curve)
    rows: list[list[Any]] = [["steps", *(f"{judge}{end}" for judge in judges for end in ("", " low", " high"))]]
    for steps, scores in curve:
        cells: list[Any] = []
        for judge in judges:
            rate = scores.get(judge)
            cells += [""] * 3 if rate is None else [round(x, 6) for x in ends_of(rate, games)]
        rows.append([steps, *cells])
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    write_aside(path, text.getvalue().encode("utf-8"))


def draw_curve(path: Path, title: str, curve: Curve, games: int) -> None:
    """The score rate against each judge by steps, with 95 % intervals (`rate_interval`), as PNG. games: of each point."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    for judge in judges_of(curve):
        steps = [point / 1e6 for point, scores in curve if judge in scores]
        rates = [scores[judge] for _, scores in curve if judge in scores]
        _, low, high = zip(*(ends_of(rate, games) for rate in rates), strict=True)
        (line,) = axes.plot(steps, rates, marker="o", markersize=3, label=judge)
        axes.fill_between(steps, low, high, alpha=0.15, color=line.get_color(), linewidth=0)
    axes.axhline(0.5, color="0.7", linewidth=0.8, zorder=0)
    axes.set(xlabel="million steps", ylabel=f"score rate over {games} games", ylim=(-0.02, 1.02))
    axes.set_title(title)
    figure.legend(title="against", loc="outside right upper", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    with open_aside(path) as file:
        figure.savefig(file, format="png", dpi=120)
    plt.close(figure)
