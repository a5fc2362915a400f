"""How often the intervals of score rates hold the truth, by simulation: `python -m benchmarks.intervals`.

Pairs of games are drawn from known chances, and the interval of each sample is looked at. The two games of a pair go apart, or
alike in half or all of the pairs. Prints, for each number of pairs, the least coverage of all settings and where it was.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import tyro
from numpy.typing import NDArray

from boardgym.baselines.arena.ratings import SCORES, rate_interval, score_interval


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Simulates.

    pairs: their numbers. rates: true score rates. draws: shares of games drawn, as far as the rate leaves room for them.
    alike: shares of pairs whose games end alike. samples: of each setting. seed: of the draws.
    """

    pairs: tuple[int, ...] = (5, 20, 60, 200, 1000)
    rates: tuple[float, ...] = (0.5, 0.7, 0.9, 0.97, 0.99, 0.999)
    draws: tuple[float, ...] = (0.0, 0.1, 0.5, 0.9)
    alike: tuple[float, ...] = (0.0, 0.5, 1.0)
    samples: int = 4000
    seed: int = 1


def pair_chances(rate: float, draws: float, alike: float) -> NDArray[np.float64]:
    """The chances of the five scores of a pair, float64 (5,)."""
    drawn = min(draws, 2.0 * rate, 2.0 * (1.0 - rate))
    game = np.array([1.0 - rate - drawn / 2.0, drawn, rate - drawn / 2.0])
    chances = (1.0 - alike) * np.convolve(game, game)
    chances[::2] += alike * game
    return chances


def coverage(pairs: int, chances: NDArray[np.float64], samples: int, rng: np.random.Generator) -> float:
    """The share of samples of so many pairs whose interval holds the true mean."""
    truth, held = float(chances @ SCORES), 0
    rows, times = np.unique(rng.multinomial(pairs, chances, samples), axis=0, return_counts=True)
    for row, count in zip(rows, times.tolist(), strict=True):
        found = score_interval(np.repeat(SCORES, row).tolist())
        held += count * (found.low - 1e-9 <= truth <= found.high + 1e-9)
    return held / samples


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulates and prints."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.intervals", description=__doc__, args=arguments)
    rng = np.random.default_rng(settings.seed)
    places = list(itertools.product(settings.rates, settings.draws, settings.alike))
    print(f"{len(places)} settings of {settings.samples} samples for each number of pairs")
    for pairs in settings.pairs:
        found = {place: coverage(pairs, pair_chances(*place), settings.samples, rng) for place in places}
        least = min(found, key=lambda place: found[place])
        held, mean = rate_interval(found[least], settings.samples), float(np.mean(list(found.values())))
        where = f"at rate {least[0]}, draws {least[1]}, alike {least[2]}"
        print(f"{pairs} pairs: mean {mean:.4f}, least {held.value:.4f} [{held.low:.4f}, {held.high:.4f}] {where}", flush=True)


if __name__ == "__main__":
    main()
