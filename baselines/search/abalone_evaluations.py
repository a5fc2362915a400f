"""Evaluations of Abalone: the minimax player of the thesis on Abalearn, and a stand-in for the program Terminator III.

Sources: P. Campos, thesis on Abalearn (Technical University of Lisbon, about 2003), sections 5.1 and 6.3. It says of Terminator
III, which we do not have, that it values position, cohesion and material and avoids repeating; how it weighs them it does not
say: form and weights of `Terminator` are ours, set by hand and not tuned.
"""

from typing import Any, NamedTuple

from boardgym.baselines.networks.abalone_features import sides, threatened, total_distance
from boardgym.baselines.search.evaluation import squash
from boardgym.compile import inner
from boardgym.core.bits import popcount
from boardgym.core.verbs import rule
from boardgym.games.abalone.moves import before

BASE = 256.0  # of the thesis's h, and what scales it: h / BASE - 1


class Distance(NamedTuple):
    """h = 256 - distances of own marbles to the centre + distances of the other's, as h / 256 - 1.

    off_board: what a marble that is off the board counts as its distance. As the thesis prints h, it is 0, and to push off a
    marble, which stands at 4, makes a position worse; 5 is one step beyond the rim.
    """

    BOUNDS = {"off_board": (0, 30)}  # type: ignore[misc]

    off_board: float = 5.0


class Terminator(NamedTuple):
    """The sum s of the terms below, as s / (spread + |s|). Each is own less the other's.

    position: for each step that the other's marbles are farther from the centre than own ones. cohesion: for each pair of
    neighbours. material: for each marble pushed off. danger: for each marble that can be pushed off with the next move of the
    side that is against it.
    """

    BOUNDS = {  # type: ignore[misc]
        "position": (0, 1e3), "cohesion": (0, 1e3), "material": (0, 1e3), "danger": (0, 1e3), "spread": (1e-3, 1e6)
    }  # fmt: skip
    SQUASHES = True  # type: ignore[misc]

    position: float = 1.0
    cohesion: float = 0.5
    material: float = 10.0
    danger: float = 1.5
    spread: float = 25.0


@inner
def neighbours(word: int) -> int:
    """How many pairs of marbles of a word are neighbours."""
    return popcount(word & before(word, 0)) + popcount(word & before(word, 1)) + popcount(word & before(word, 2))


@rule(Distance)
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:
    """By the distances of all marbles, those off the board too."""
    own, other, won, lost = sides(position, seat)
    steps = float(total_distance(other) - total_distance(own))
    return (steps + evaluation.off_board * (won - lost)) / BASE


@rule(Terminator)  # type: ignore[no-redef]
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:  # type: ignore[no-redef]  # noqa: F811
    """The weighted sum, squashed."""
    own, other, won, lost = sides(position, seat)
    score = evaluation.position * (total_distance(other) - total_distance(own))
    score += evaluation.cohesion * (neighbours(own) - neighbours(other))
    score += evaluation.material * (won - lost)
    score += evaluation.danger * (threatened(other, own) - threatened(own, other))
    return squash(score, evaluation.spread)
