"""Co-evolution in the thesis on Abalearn: Table 3.1 and the figures beside it, champions against those of other generations.

A champion of each of some generations plays against references, the champions of generations 1000 and 2000, in series of
games; the figure of a series is the share that it wins of its decided games. The thesis prints the mean and the standard
deviation of ten series of 30 games, draws left out. Its column of 95 % is far too small for these, so the intervals here are
made anew: of the share of all decided games, which are independent of each other.

Read here, where the thesis is silent: Table 3.1 is against generation 2000, which scores 0.506 there, against itself; both play
as in training, with the same epsilon, as they would else play the same two games again and again; who begins changes from game
to game; a game that is stopped counts as in training (`CoevolutionConfig`).
"""

import dataclasses
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from boardgym.baselines.arena.ratings import wilson_interval
from boardgym.baselines.neural.coevolution import CoevolutionConfig, HillClimber, set_weights, train_coevolution
from boardgym.core.errors import OptionError

TABLE_STREAM = 2  # the path of the streams under a training's seed; `neural/coevolution.py` has those before it
SAMPLED = (10, *range(100, 2001, 100))
REFERENCES = (1000, 2000)
SERIES, GAMES = 10, 30
PUBLISHED = {10: (0.310, 0.036), 500: (0.389, 0.096), 1000: (0.462, 0.100), 1500: (0.454, 0.077), 2000: (0.506, 0.026)}


def coevolution_table(
    seed: int,
    generations: Sequence[int] = SAMPLED,
    *,
    references: Sequence[int] = REFERENCES,
    series: int = SERIES,
    games: int = GAMES,
    config: CoevolutionConfig | None = None,
    folder: Path | None = None,
    num_threads: int = 1,
    tell: Callable[[int], None] | None = None,
) -> list[dict[str, Any]]:
    """Trains champions and lets them play: a row of plain data for each generation against each reference.

    Args:
        seed: of training and games, which depend on it and the config alone.
        generations: whose champions play, multiples of the config's `keep_every`.
        references: whose champions they play against, likewise.
        series: of games, for each of which a share is taken.
        games: of a series.
        config: of the training; its seed is not heeded. None: that of the thesis.
        folder: for the training, which then goes on where it was cut short.
        num_threads: that share games; results do not depend on it.
        tell: called with the number of pairings that are done, from 0, before each, and after every generation of the training
            with 0. What it raises ends the work.

    A row: seed, generation, reference; won, drawn, lost; shares, of each series with a decided game; mean, sd of these, None
    without any, or for sd with one; low, high, the 95 % interval of the share of all decided games (Wilson); published, what
    Table 3.1 has of the generation against the last reference, (mean, sd) or None.

    Raises:
        OptionError: no series, or generations that the training has not, or does not keep. And as `train_coevolution`.
    """
    config = dataclasses.replace(config or CoevolutionConfig(), seed=seed)
    for number in (*generations, *references):
        if not 0 <= number <= config.generations or number % config.keep_every:
            raise OptionError(
                f"generation {number} of {config.generations}: expected one that is kept, each {config.keep_every}th"
            )
    if series < 1 or games < 1:
        raise OptionError(f"series={series}, games={games}: expected at least 1")
    climber = _climbed(config, folder, num_threads, tell)
    _, champions = climber.champions()
    ours, theirs = (climber.player(climber.champion, epsilon=config.epsilon) for _ in range(2))
    rows = list[dict[str, Any]]()
    for reference in references:
        set_weights(theirs, champions[reference // config.keep_every])
        for generation in generations:
            if tell is not None:
                tell(len(rows))
            set_weights(ours, champions[generation // config.keep_every])
            path = (TABLE_STREAM, reference, generation)
            scores = climber.duels.play(ours, theirs, series * games, seed=seed, path=path).scores.reshape(series, games)
            won, lost = (scores > 0).sum(axis=1).tolist(), (scores < 0).sum(axis=1).tolist()
            rows.append({"seed": seed, "generation": generation, "reference": reference, **row_of(won, lost, games),
                         "published": PUBLISHED.get(generation) if reference == REFERENCES[-1] else None})  # fmt: skip
    return rows


def row_of(won: Sequence[int], lost: Sequence[int], games: int) -> dict[str, Any]:
    """What series of so many games say: the entries of a row from `won` to `high`. won, lost: of each series."""
    shares = [w / (w + n) for w, n in zip(won, lost, strict=True) if w + n > 0]
    decided = sum(won) + sum(lost)
    interval = wilson_interval(sum(won) / decided, decided) if decided else None
    return {
        "won": sum(won),
        "drawn": games * len(won) - decided,
        "lost": sum(lost),
        "shares": shares,
        "mean": statistics.fmean(shares) if shares else None,
        "sd": statistics.stdev(shares) if len(shares) > 1 else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


def _climbed(
    config: CoevolutionConfig, folder: Path | None, num_threads: int, tell: Callable[[int], None] | None
) -> HillClimber:
    """A training that has come to its end. Raises KeyboardInterrupt if Ctrl-C came before."""

    def watch(climber: HillClimber) -> None:
        if tell is not None:
            tell(0)

    if folder is None:
        climber = HillClimber(config, num_threads=num_threads)
        climber.run(on_generation=watch)
        return climber
    climbed = train_coevolution(config, folder, num_threads=num_threads, on_generation=watch)
    if not climbed.is_finished:
        raise KeyboardInterrupt
    return climbed.climber
