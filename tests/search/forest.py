"""Trees for the tests of the minimax family, those of `boardgym.testing.trees`, and a walk of seats and rolls."""

from typing import NamedTuple

from boardgym.core.verbs import CHANCE, rule
from boardgym.testing.trees import (  # noqa: F401  (for the tests)
    CHILDREN,
    DELAYED,
    FOREST,
    FOREST_OF_THREE,
    GRABBED,
    HIDDEN,
    LAYERS,
    LOOP,
    SEEMS_LOST,
    SEEMS_WON,
    THREE,
    UNIFORM,
    UNIFORM_DEPTH,
    Forest,
    small_game,
    tree,
)


class Walk(NamedTuple):
    """A sum to which seats and rolls add by turns: a seat at most 2 in its own favour, a roll -1 to 1. It never ends."""

    total: int
    ply: int


@rule(Walk)
def to_play(position):
    return position.ply // 2 % 2 if position.ply % 2 == 0 else CHANCE


@rule(Walk)
def legal_actions(position, out):
    if position.ply % 2 == 1:
        return 0
    for i in range(3):
        out[i] = i
    return 3


@rule(Walk)
def chance(position, outcomes, probabilities):
    for i in range(3):
        outcomes[i], probabilities[i] = i, 1 / 3
    return 3


@rule(Walk)
def apply(position, action):
    step = action - 1 if position.ply % 2 == 1 else (action if position.ply % 4 == 0 else -action)
    return position.total + step, position.ply + 1


@rule(Walk)
def is_terminal(position):
    return False


@rule(Walk)
def returns(position, seat):
    return 0.0


@rule(Walk)
def observe(position, seat, out):
    out[0, 0, 0] = position.ply % 100


@rule(Walk)
def decode(planes):
    return 0, int(planes[0, 0, 0])


@rule(Walk)
def heuristic(position, seat):
    return position.total / 20.0 if seat == 0 else position.total / -20.0


WALK = small_game("TestWalk", Walk, Walk(0, 0), num_outcomes=3)
