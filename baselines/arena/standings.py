"""Ratings of players who have met in matches: what a ladder's table and a tournament's standings show."""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from boardgym.baselines.arena.compare import Row
from boardgym.baselines.arena.rating_systems import ELO, Floats, Rating, chains, fit_bradley_terry, log_strengths
from boardgym.baselines.arena.ratings import CONFIDENCE, SCORES

DRAWS = 1_000  # of random weights, for the intervals of ratings
LEAST_SCORE = 1e-4  # games that each of two players is thought to have won in such a draw, so that all have a rating

Met = tuple[int, int, Row]


def ratings_of(names: Sequence[str], met: Sequence[Met], anchor: int, *, seed: int) -> list[Rating]:
    """The rating of each player, the anchor having 0: the Bradley-Terry fit of all games between them.

    A drawn game is added to those of every two who have met, so that a clean sweep has a rating too. The 95 % intervals are by
    DRAWS draws of random weights of the pairs, to which the worst or the best possible one is added as in `score_interval`; an
    end is infinite where no chain of wins or draws bounds the distance to the anchor. A row that a player forfeited whole says
    nothing: whoever no other rows join to the anchor has not-a-number for a rating.

    Args:
        names: of the players.
        met: (player, opponent, row) of those who have met, as numbers of `names`; rows are of pairs of games.
        anchor: number of the player whose rating is 0.
        seed: of the draws.

    Returns:
        One rating a player, in their order.
    """
    told = [(i, j, row) for i, j, row in met if row.absent is None]
    joined = np.eye(len(names))
    for i, j, _ in told:
        joined[i, j] = joined[j, i] = 1.0
    members = np.flatnonzero(chains(joined)[anchor]).tolist()
    told = [(members.index(i), members.index(j), row) for i, j, row in told if i in members]
    found = [Rating(name, math.nan, math.nan, math.nan, 0.0) for name in names]
    for k, rating in zip(members, _fit(told, len(members), members.index(anchor), seed), strict=True):
        found[k] = dataclasses.replace(rating, name=names[k])
    return found


def _fit(met: Sequence[Met], count: int, anchor: int, seed: int) -> list[Rating]:
    """Of players 0 to count - 1, all joined by the rows of those who met."""
    if count == 1:
        return [Rating("", 0.0, 0.0, 0.0, 0.0)]
    above, below = (np.array([end(i, j) for i, j, _ in met]) for end in (max, min))
    pairs = np.array([row.pairs if i > j else row.pairs[::-1] for i, j, row in met], float)
    games = np.array([row.games for *_, row in met], float)

    def tables(rates: Floats) -> Floats:
        """Wins by score rates (..., met)."""
        wins = np.zeros((*rates.shape[:-1], count, count))
        for k, (i, j) in enumerate(zip(above.tolist(), below.tolist(), strict=True)):
            wins[..., i, j] += games[k] * rates[..., k]
            wins[..., j, i] += games[k] * (1.0 - rates[..., k])
        return wins

    wins = tables(pairs @ SCORES / pairs.sum(1))
    names = [str(k) for k in range(count)]
    fitted = {int(found.name): found for found in fit_bradley_terry(names, wins, prior_draws=1.0, anchor=str(anchor))}
    reach, rng, ends, tail = chains(wins), np.random.default_rng(seed), [], 0.5 * (1.0 - CONFIDENCE)
    for added in (0, 4):
        weights = rng.standard_gamma(pairs + np.eye(5)[added], (DRAWS, *pairs.shape))
        drawn = tables(weights @ SCORES / weights.sum(-1))
        strengths = ELO * log_strengths(drawn + LEAST_SCORE * (wins + wins.T > 0.0))[0]
        ends.append(np.quantile(strengths - strengths[:, [anchor]], [tail, 1.0 - tail], axis=0))
    low = np.where(reach[:, anchor], np.minimum(ends[0][0], ends[1][0]), -math.inf)
    high = np.where(reach[anchor], np.maximum(ends[0][1], ends[1][1]), math.inf)
    return [dataclasses.replace(fitted[k], low=float(low[k]), high=float(high[k])) for k in range(count)]
