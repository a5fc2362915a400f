"""The measure of the Othello study: games against the benchmark players from all 244 openings, one from each, by colour.

Whoever is measured plays its best actions, as in the study; the benchmark players break ties at random.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from boardgym.baselines.arena.compare import Row, compare
from boardgym.studies.othello_q.plans import GAME, NUM_OPENINGS, OPENINGS, PLAYERS, SEATS

Counts = dict[str, int]
Measured = dict[str, dict[str, Counts]]  # by benchmark player and colour
CELLS = tuple((player, seat) for player in PLAYERS for seat in SEATS)


def measure_agent(agent: Any, seed: int, *, trust: bool = False) -> Measured:
    """An agent against each player in each colour: {player: {"black", "white": {"won", "drawn", "lost", "forfeits"}}}.

    agent: a spec or a policy, which plays by its seat. seed: of the ties of the benchmark players.
    Forfeits count as lost, those of the opponent as won.
    """
    found = compare(
        agent,
        GAME,
        PLAYERS,
        games=2 * NUM_OPENINGS,
        openings=OPENINGS,
        by_seat=True,
        seed=seed,
        deterministic=True,
        trust=trust,
        progress=False,
    )
    return {player: {name: counts_of(found.row(player, seat)) for seat, name in enumerate(SEATS)} for player in PLAYERS}


def counts_of(row: Row) -> Counts:
    """The games of a row."""
    return {
        "won": row.wins + row.opponent_forfeits,
        "drawn": row.draws,
        "lost": row.losses + row.forfeits,
        "forfeits": row.forfeits + row.opponent_forfeits,
    }


def total(counts: Mapping[str, int]) -> int:
    """Games."""
    return counts["won"] + counts["drawn"] + counts["lost"]


def won(counts: Mapping[str, int]) -> float:
    """The share of games won: draws do not count."""
    return counts["won"] / total(counts)


def not_lost(counts: Mapping[str, int]) -> float:
    """The study's measure."""
    return 1.0 - counts["lost"] / total(counts)


def score(counts: Mapping[str, int]) -> float:
    """The score rate: draws are half."""
    return (counts["won"] + 0.5 * counts["drawn"]) / total(counts)


def mean_of(measured: Mapping[str, Any], what: Any = won) -> float:
    """The mean of a share over both players and both colours."""
    return math.fsum(what(measured[player][seat]) for player, seat in CELLS) / len(CELLS)


def wdl(counts: Mapping[str, int]) -> str:
    """Won, drawn and lost in percent, as the study's tables have them."""
    return "/".join(f"{100 * counts[name] / total(counts):.1f}" for name in ("won", "drawn", "lost"))


def together(ones: Iterable[Mapping[str, int]]) -> Counts:
    """The counts of several runs, of as many games each: their shares are the means of those of the runs."""
    ones = list(ones)
    return {name: sum(one[name] for one in ones) for name in ("won", "drawn", "lost")}
