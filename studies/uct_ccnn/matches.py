"""Matches of the UCT-CCNN study's players: counted by who starts, with the number of different games."""

from collections.abc import Sequence

from boardgym.baselines.arena.match import Match, play_match
from boardgym.core.random import stream
from boardgym.studies.exact import clopper_pearson
from boardgym.studies.uct_ccnn.plans import GAMES

MATCH_STREAM = 31  # the path of seeds
START, OPENINGS = "start", "openings"
FIRST, SECOND = "first", "second"  # who NeuralMinimax or NeuralMCTS is: the player who starts, or the other
Counts = dict[str, int]
OF_ALL_GAMES = (
    "Intervals of all games are those of Clopper and Pearson, which take games of several networks for games of one; those "
    "over networks are Student's t."
)


def play(
    a: str,
    b: str,
    game: str,
    games: int,
    openings: str,
    path: tuple[int, ...],
    best: tuple[bool, bool] = (False, False),
) -> dict[str, Counts]:
    """Games of a against b, half of them begun by a: {"first", "second": {"won", "drawn", "lost", "distinct", "forfeits"}}.

    games: in all, an even number. path: of the seed. best: of each, whether it takes the first of equally good moves, and not
    one at random. distinct: different games, by their openings and moves.
    """
    seed = int(stream(path[0], MATCH_STREAM, *path[1:])[0]) >> 1
    match = play_match(a, b, GAMES[game].game, games=games, openings=openings, seed=seed, deterministic=best, progress=False)
    return {FIRST: count(match, 0), SECOND: count(match, 1)}


def count(match: Match, seat: int) -> Counts:
    """The games of the first of the two at a seat."""
    games = [game for game in match.games if game.seat == seat]
    scores = [game.score for game in games]
    return {
        "won": scores.count(1.0),
        "drawn": scores.count(0.5),
        "lost": scores.count(0.0),
        "distinct": len({(game.record.start, game.record.moves) for game in games}),
        "forfeits": sum(game.record.forfeit is not None for game in games),
    }


def total(counts: Counts) -> int:
    """Games."""
    return counts["won"] + counts["drawn"] + counts["lost"]


def won(counts: Counts) -> float:
    """The share of games won."""
    return counts["won"] / total(counts)


def won_in_all(counts: Sequence[Counts]) -> str:
    """The share won of all games together, in percent, with its exact interval."""
    interval = clopper_pearson(sum(one["won"] for one in counts), sum(map(total, counts)))
    return f"{100 * interval.value:.1f} ({100 * interval.low:.1f}; {100 * interval.high:.1f})"


def score(counts: Counts) -> float:
    """The score rate: draws are half."""
    return (counts["won"] + 0.5 * counts["drawn"]) / total(counts)


def is_all_or_nothing(counts: Counts) -> bool:
    """Whether all games ended alike."""
    return max(counts["won"], counts["drawn"], counts["lost"]) == total(counts)


def wdl(counts: Counts) -> str:
    """Wins, draws and losses as the study prints them."""
    return f"{counts['won']}-{counts['drawn']}-{counts['lost']}"
