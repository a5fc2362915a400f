"""Trees for the tests of the minimax family: a game whose positions are the nodes of small trees, drawn or built by hand.

A node has values (what it pays if it has no children, else what the heuristic says), children, and marks on noisy ones. Seats
move in turn. Trees share nodes where they are drawn as layers, so that a transposition table has something to find.
"""

from typing import Any, NamedTuple

import numpy as np
from search_games import board_at, small_game

from boardgym.core.board import Board
from boardgym.core.verbs import CHANCE, rule

BRANCHES = 3
VALUES: Any = []  # node -> what it is worth to each of three seats; of two, the second has the opposite of the first
CHILDREN: Any = []
NOISY: Any = []


def leaf(value, *others):
    """A node without children. value: for seat 0; others: for seats 1 and 2, where there are three."""
    return node(value, (), others=others)


def node(value, children, noisy=(), others=()):
    """A node; returns its number."""
    VALUES.append((value, *others) if others else (value, -value, 0.0))
    CHILDREN.append([*children, *[-1] * (BRANCHES - len(children))])
    NOISY.append([i in noisy for i in range(BRANCHES)])
    return len(VALUES) - 1


def uniform_tree(depth, rng, seat=0, low=-0.9, high=0.9):
    """A tree of different values, in which the heuristic of a node is its minimax value."""
    if depth == 0:
        return leaf(float(rng.uniform(low, high)))
    children = [uniform_tree(depth - 1, rng, 1 - seat, low, high) for _ in range(BRANCHES)]
    best = max if seat == 0 else min
    return node(best(VALUES[child][0] for child in children), children)


def layers(depth, width, rng):
    """Nodes in layers, each with children in the next one. The heuristic is the value of a walk that ends in the leaf."""
    walk = rng.normal(0.0, 0.3, width)
    below = [leaf(float(np.clip(np.round(value, 2), -1.0, 1.0))) for value in walk]
    for _ in range(depth):
        chosen = [rng.choice(width, BRANCHES, replace=False) for _ in range(width)]
        means = [float(np.mean([VALUES[below[i]][0] for i in indices])) for indices in chosen]
        below = [
            node(float(np.clip(mean + rng.normal(0.0, 0.05), -0.99, 0.99)), [below[i] for i in indices])
            for mean, indices in zip(means, chosen, strict=True)
        ]
    return below


_rng = np.random.default_rng(11)
UNIFORM_DEPTH = 5
UNIFORM = node(0.0, [uniform_tree(UNIFORM_DEPTH, _rng, seat=1)])  # one action first: the root's own order does not matter
LAYERS = layers(9, 40, _rng)
TENTHS = ((1, 2, 6), (4, 2, 3), (6, 1, 2), (7, 4, 1), (5, 1, 1), (1, 5, 2), (7, 7, 1), (5, 4, 5))
VECTORS = [leaf(*(tenths / 10 for tenths in vector)) for vector in TENTHS]
_thirds = [node(0.0, VECTORS[i : i + 2]) for i in (0, 2, 4, 6)]
THREE = node(0.0, [node(0.0, _thirds[:2]), node(0.0, _thirds[2:])])
# What looks won, or lost, as long as the seat that decides it does not see to the end: it will not play so.
_glance = node(0.0, [leaf(-0.9, 0.9, -0.5)], others=(-0.1, 0.0))
_aside = node(0.5, [node(0.5, [leaf(0.5, 0.1, 0.1)], others=(0.1, 0.1))], others=(0.1, 0.1))
SEEMS_WON = node(0.0, [node(0.1, [leaf(1.0, 0.0, -1.0), _glance], others=(0.0, 0.0)), _aside], others=(0.0, 0.0))
_glance = node(0.0, [leaf(0.8, 0.9, -0.5)], others=(0.1, 0.0))
_lost = node(0.0, [leaf(-1.0, 1.0, 0.0)], others=(0.0, 0.0))
SEEMS_LOST = node(0.0, [_lost, node(0.3, [leaf(-1.0, 0.2, 0.0), _glance], others=(0.0, 0.0))], others=(0.0, 0.0))
# a gain that the reply takes back
GRABBED = node(0.0, [node(0.5, [leaf(-0.8), leaf(0.5)], noisy=[0]), node(0.1, [leaf(0.1)])])


def chain(*values):
    """Nodes one below the other."""
    below = leaf(values[-1])
    for value in reversed(values[:-1]):
        below = node(value, [below])
    return below


# seat 0 gives in, or delays: after the one reply that is good at once, the loss comes five plies from the start
DELAYED = node(0.0, [node(0.5, [chain(0.0, -0.5, 0.5, -0.9, -0.9), chain(0.5, 0.5, 0.5, 0.5)]), chain(0.0, 0.0, 0.0, 0.0)])
# the best action looks worst
HIDDEN = node(0.0, [node(0.3, [leaf(0.2)]), node(0.1, [leaf(0.1)]), node(-0.5, [leaf(0.8)])])
LOOP = len(VALUES)
node(0.0, [LOOP] * BRANCHES)  # leads to itself: without an end

VALUES, CHILDREN, NOISY = np.array(VALUES), np.array(CHILDREN), np.array(NOISY)


class Forest(NamedTuple):
    """A node, the seat to play, the number of seats."""

    node: int
    seat: int
    seats: int


@rule(Forest)
def to_play(position):
    return position.seat


@rule(Forest)
def legal_actions(position, out):
    n = 0
    for i in range(BRANCHES):
        if CHILDREN[position.node, i] >= 0:
            out[n] = i
            n += 1
    return n


@rule(Forest)
def noisy_actions(position, out):
    n = 0
    for i in range(BRANCHES):
        if NOISY[position.node, i]:
            out[n] = i
            n += 1
    return n


@rule(Forest)
def apply(position, action):
    return CHILDREN[position.node, action], (position.seat + 1) % position.seats, position.seats


@rule(Forest)
def is_terminal(position):
    return CHILDREN[position.node, 0] < 0


@rule(Forest)
def returns(position, seat):
    return VALUES[position.node, seat]


@rule(Forest)
def heuristic(position, seat):
    return VALUES[position.node, seat]


@rule(Forest)
def observe(position, seat, out):
    out[0, 0, 0] = position.node % 100


@rule(Forest)
def decode(planes):
    return int(planes[0, 0, 0]), 0, 2


class Walk(NamedTuple):
    """A sum to which seats and rolls add by turns: a seat at most 2 in its own favour, a roll -1 to 1. It never ends."""

    total: int
    ply: int


@rule(Walk)
def to_play(position):  # noqa: F811
    return position.ply // 2 % 2 if position.ply % 2 == 0 else CHANCE


@rule(Walk)
def legal_actions(position, out):  # noqa: F811
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
def apply(position, action):  # noqa: F811
    step = action - 1 if position.ply % 2 == 1 else (action if position.ply % 4 == 0 else -action)
    return position.total + step, position.ply + 1


@rule(Walk)
def is_terminal(position):  # noqa: F811
    return False


@rule(Walk)
def returns(position, seat):  # noqa: F811
    return 0.0


@rule(Walk)
def observe(position, seat, out):  # noqa: F811
    out[0, 0, 0] = position.ply % 100


@rule(Walk)
def decode(planes):  # noqa: F811
    return 0, int(planes[0, 0, 0])


@rule(Walk)
def heuristic(position, seat):  # noqa: F811
    return position.total / 20.0 if seat == 0 else position.total / -20.0


FOREST = small_game("TestForest", Forest, Forest(LAYERS[0], 0, 2))
WALK = small_game("TestWalk", Walk, Walk(0, 0), num_outcomes=3)
FOREST_OF_THREE = small_game("TestForestOfThree", Forest, Forest(THREE, 0, 3), num_seats=3)


def tree(root: int, game: Any = FOREST) -> Board:
    """A board at the root of a tree."""
    return board_at(game, Forest(root, 0, game.num_seats))
