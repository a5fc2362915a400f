"""Ratings of many players: Elo's running numbers, the Bradley-Terry fit of all games at once, and the Abalone server's formula.

Sources: A. Elo, "The rating of chessplayers", 1978 (logistic form); R. A. Bradley, M. E. Terry, "Rank analysis of incomplete
block designs", 1952, whose strengths are the same numbers fitted at once: 400 log10 of their ratio is an Elo difference; the
thesis on Abalearn (P. Campos, Technical University of Lisbon, about 2003), appendix B, for the server, as it reads in spec
terms below.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardgym.baselines.arena.ratings import Z
from boardgym.core.errors import OptionError

Floats = NDArray[np.float64]

ELO = 400.0 / math.log(10.0)  # of one unit of log strength
K_FACTOR = 20.0
MOST_STEPS = 200
ENOUGH = 1e-10  # of a step in log strength


def expected_score(own: float, other: float) -> float:
    """What a player of a rating is expected to score against another: in (0, 1), 0.5 for equals."""
    return 1.0 / (1.0 + 10.0 ** ((other - own) / 400.0))


def updated_elo(own: float, other: float, score: float, *, k: float = K_FACTOR) -> tuple[float, float]:
    """Both ratings after a game: score 1 if the first has won, 0.5 after a draw; k points at most change hands.

    Raises OptionError for a score outside [0, 1].
    """
    if not 0.0 <= score <= 1.0:
        raise OptionError(f"score={score!r}: expected 0 to 1")
    change = k * (score - expected_score(own, other))
    return own + change, other - change


def server_points(winner: float, loser: float, winner_games: int, loser_games: int) -> float:
    """What a win took from the loser on the Abalone server: 15 (1 - 1 / (10^(D / 200) + 1)) + 30^((d - w) / (d + w)).

    D is the loser's rating less the winner's, d and w the games that loser and winner have played so far; the exponent is 0
    where neither has played. Equals of equal experience exchange 8.5 points. The formula is printed with its layout lost; this
    reading gives the figures that the text names, but for its "up to 30", which a newcomer far below can exceed.
    """
    games = winner_games + loser_games
    experience = (loser_games - winner_games) / games if games else 0.0
    return 15.0 * (1.0 - 1.0 / (10.0 ** ((loser - winner) / 200.0) + 1.0)) + 30.0**experience


@dataclass(frozen=True)
class Rating:
    """A player's rating in Elo with its 95 % interval, whose ends may be infinite; games: how many it has played."""

    name: str
    elo: float
    low: float
    high: float
    games: float

    def __str__(self) -> str:
        return f"{self.name} {self.elo:+.0f} [{self.low:+.0f}, {self.high:+.0f}]"


def fit_bradley_terry(
    names: Sequence[str], wins: ArrayLike, *, prior_draws: float = 0.0, anchor: str | None = None
) -> list[Rating]:
    """The ratings under which the results of all games are likeliest, the greatest first.

    Args:
        names: of the players, all different.
        wins: (players, players), wins[i, j] the games that i won against j; a draw counts half for both.
        prior_draws: games that are thought drawn beforehand between every two who have met. With them players who won or lost
            everything have a rating too. One such game makes up for the bias of the fit of few games, for two players exactly
            as D. Firth does it ("Bias reduction of maximum likelihood estimates", 1993).
        anchor: the player whose rating is 0; None: the mean of all is.

    Raises:
        OptionError: a table of another shape, negative numbers, an anchor that is no player, or results that leave a rating
            without bound, because some players have never lost to, nor drawn with, any of the others.
    """
    table = np.array(wins, np.float64)
    count = len(names)
    if table.shape != (count, count) or count < 2 or len(set(names)) != count:
        raise OptionError(
            f"wins of shape {table.shape} and {count} names: expected a square table and a name of its own for each"
        )
    if not np.isfinite(table).all() or (table < 0.0).any() or np.diag(table).any() or not 0.0 <= prior_draws < math.inf:
        raise OptionError("wins: expected numbers from 0, and 0 of a player against itself; prior_draws from 0")
    if anchor is not None and anchor not in names:
        raise OptionError(f"anchor={anchor!r}: expected one of the players, {', '.join(names)}")
    games = table + table.T
    table = table + (0.5 * prior_draws) * (games > 0.0)
    reach = chains(table)
    for j in range(count):
        if not reach[:, j].all():  # somebody cannot reach j by any chain of wins: nor those whom j's beaters reach
            who = ", ".join(names[i] for i in range(count) if reach[i, j])
            raise OptionError(
                f"no rating can be told: nobody else has won or drawn against {who}; play on, or give prior_draws"
            )
    strengths, information = log_strengths(table)
    spread = np.linalg.pinv(information)
    if anchor is not None:
        at = list(names).index(anchor)
        strengths = strengths - strengths[at]
        spread = spread - spread[at] - spread[:, at : at + 1] + spread[at, at]
    widths = Z * ELO * np.sqrt(np.diag(spread).clip(0.0))
    found = [
        Rating(name, ELO * s, ELO * s - w, ELO * s + w, float(n))
        for name, s, w, n in zip(names, strengths.tolist(), widths.tolist(), games.sum(1), strict=True)
    ]
    return sorted(found, key=lambda rating: -rating.elo)


def chains(table: Floats) -> NDArray[np.bool_]:
    """Whether a chain of wins or draws leads from i to j, bool (players, players).

    Where none does, j may be stronger than i without bound: the likelihood has no maximum (L. R. Ford, 1957).
    """
    reach = (table > 0.0) | np.eye(len(table), dtype=bool)
    for k in range(len(table)):
        reach |= reach[:, k : k + 1] & reach[k : k + 1, :]
    return reach


def log_strengths(tables: Floats) -> tuple[Floats, Floats]:
    """The likeliest log strengths, of mean 0, and the information about them, of one table of wins or of many at once.

    By Newton's method with steps that never make it worse.

    Args:
        tables: float64 (..., players, players), each with chains of wins or draws from everybody to everybody.

    Returns: float64 (..., players) and (..., players, players).
    """
    count = tables.shape[-1]
    flat = tables.reshape(-1, count, count)
    strengths, information = np.zeros(flat.shape[:-1]), np.zeros(flat.shape)
    moving = np.arange(len(flat))  # the tables whose strengths still move: a few take many more steps than the rest
    for _ in range(MOST_STEPS):
        strengths[moving], information[moving], sizes = newton_step(flat[moving], strengths[moving])
        moving = moving[sizes > ENOUGH]
        if not len(moving):
            break
    return strengths.reshape(tables.shape[:-1]), information.reshape(tables.shape)


def newton_step(tables: Floats, strengths: Floats) -> tuple[Floats, Floats, Floats]:
    """A step of `log_strengths` for tables (n, players, players).

    Returns: the strengths after it, the information before it, and the greatest change of each table's.
    """
    count = tables.shape[-1]
    itself = np.arange(count)

    def likelihood(s: Floats) -> Floats:
        return np.asarray(-(tables * np.logaddexp(0.0, s[..., None, :] - s[..., :, None])).sum((-2, -1)))

    rates = 1.0 / (1.0 + np.exp(strengths[..., None, :] - strengths[..., :, None]))
    expected = (tables + np.swapaxes(tables, -1, -2)) * rates
    weights = expected * np.swapaxes(rates, -1, -2)
    information = -weights
    information[..., itself, itself] += weights.sum(-1)
    slopes = (tables - expected).sum(-1)
    # all strengths may rise together: adding 1 everywhere, which the slopes do not feel, makes it invertible
    steps = np.linalg.solve(information + 1.0 / count, slopes[..., None])[..., 0]
    reached, following = likelihood(strengths), likelihood(strengths + steps)
    while (worse := (following < reached - 1e-12) & (np.abs(steps).max(-1) > ENOUGH)).any():
        steps = np.where(worse[..., None], steps / 2.0, steps)
        following = likelihood(strengths + steps)
    strengths = strengths + steps
    strengths -= strengths.mean(-1, keepdims=True)
    return strengths, information, np.abs(steps).max(-1)
