"""What tuning and example generation cost in the study of UCT-CCNN: its sections 5.2 and 5.3.

M. A. Rezende's dissertation (UFMG, 2017) takes all games to be of the same length, J plies, each thought about for t seconds,
and the games shared by h threads.
"""

from typing import NamedTuple

HOUR_S, DAY_S = 3600.0, 86_400.0
PLIES = {"Othello": 60, "Nine Men's Morris": 50}  # J: the lengths that the study takes
THREADS = 64


class Tuning(NamedTuple):
    """iterations i, population n, repetitions r: games of a sample, seconds t a ply."""

    iterations: int = 5
    population: int = 15
    repetitions: int = 90
    seconds: float = 60.0


class Examples(NamedTuple):
    """games i from the initial state, states e drawn at random, repetitions r: games from each of these, seconds t a ply."""

    games: int = 30
    states: int = 300
    repetitions: int = 5
    seconds: float = 200.0


def tuning_s(settings: Tuning, plies: float, threads: int = THREADS) -> float:
    """Seconds: i n r J t / h. plies: J, of a game."""
    return settings.iterations * settings.population * settings.repetitions * plies * settings.seconds / threads


def examples_s(settings: Examples, plies: float, threads: int = THREADS) -> float:
    """Seconds: (i + e r) J t / h. plies: J, of a game."""
    return (settings.games + settings.states * settings.repetitions) * plies * settings.seconds / threads
