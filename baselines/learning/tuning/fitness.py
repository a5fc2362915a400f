"""How good a sample is: pairs of games between two policies, each pair from one opening with the seats swapped.

A game is the same whoever plays it: its seeds follow from the tuning's seed and the numbers of iteration, sample and pair, and
all samples of an iteration meet the same openings.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.arena.match import play_match
from boardgym.baselines.arena.openings import make_openings
from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.random import stream

OPENING_STREAM, PAIR_STREAM = 1, 2  # the paths of their seeds under a tuning's seed
LOST, DRAWN, WON = 0, 1, 2  # a result, twice the score
Fitness = Literal["score", "wins"]


@dataclass(frozen=True)
class Task:
    """A pair of games. iteration, sample, pair: their numbers from 0. spec, opponent: who plays. opening: a position string."""

    iteration: int
    sample: int
    pair: int
    spec: str
    opponent: str
    opening: str

    def __str__(self) -> str:
        return f"iteration {self.iteration + 1}, sample {self.sample + 1}, {self.spec} against {self.opponent}"


@dataclass(frozen=True)
class Rules:
    """What is the same for all games. max_plies: None for the game's own longest."""

    game: Game
    seed: int
    max_plies: int | None
    trust: bool


def openings_of(rules: Rules, name: str, iteration: int, pairs: int) -> list[str]:
    """Position strings of an iteration's openings, in turn for its pairs. Raises as `make_openings`."""
    seed = int(stream(rules.seed, OPENING_STREAM, iteration)[0]) >> 1
    found = [board.fen() for board in make_openings(rules.game, name, count=pairs, seed=seed)]
    return [found[pair % len(found)] for pair in range(pairs)]


def pair_player(rules: Rules) -> Callable[[Task], tuple[int, int]]:
    """`play_pair` by these rules, as `Workers` begin."""
    return partial(play_pair, rules)


def play_pair(rules: Rules, task: Task) -> tuple[int, int]:
    """The results of a pair's games for the sample, LOST, DRAWN or WON. Both policies play as their specs say, with draws.

    Raises:
        OptionError: a policy forfeited: a sample that cannot play says nothing of its numbers.
        As `play_match`.
    """
    seed = int(stream(rules.seed, PAIR_STREAM, task.iteration, task.sample, task.pair)[0]) >> 1
    match = play_match(
        task.spec,
        task.opponent,
        rules.game,
        games=2,
        openings=[task.opening],
        seed=seed,
        deterministic=False,
        trust=rules.trust,
        max_plies=rules.max_plies,
        progress=False,
    )
    for game in match.games:
        if game.record.forfeit is not None:
            loser = task.spec if game.record.forfeit == game.seat else task.opponent
            raise OptionError(f"{task}: {loser} cannot play on: {game.record.message}")
    first, second = (round(2 * game.score) for game in match.games)
    return first, second


def fitness_of(results: NDArray[np.int8], what: Fitness) -> NDArray[np.float64]:
    """Fitness of samples, float64 (n,), in [0, 1]: their score rates or shares of wins. results: int8 (n, games)."""
    return (results == WON).mean(axis=1) if what == "wins" else results.mean(axis=1) / WON


def count_of(results: Sequence[Any] | NDArray[np.int8]) -> tuple[int, int, int]:
    """Games won, drawn and lost."""
    found = np.asarray(results)
    return int((found == WON).sum()), int((found == DRAWN).sum()), int((found == LOST).sum())
