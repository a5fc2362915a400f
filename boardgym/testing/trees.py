"""A game whose positions are the nodes of small trees, drawn or built by hand: searches show there what they do.

A node has values (what it pays if it has no children, else what the heuristic says), children, and marks on noisy ones. Seats
move in turn. Trees share nodes where they are drawn as layers, so that a transposition table has something to find.

    tree(GRABBED)            a board at the root of a tree, for a search
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core.board import Board
from boardgym.core.game import Game, Version
from boardgym.core.verbs import rule

BRANCHES = 3
VALUES: Any = []  # node -> what it is worth to each of three seats; of two, the second has the opposite of the first
CHILDREN: Any = []
NOISY: Any = []


def leaf(value: float, *others: float) -> int:
    """A node without children. value: for seat 0; others: for seats 1 and 2, where there are three."""
    return node(value, (), others=others)


def node(value: float, children: Sequence[int], noisy: Sequence[int] = (), others: Sequence[float] = ()) -> int:
    """A node; returns its number."""
    VALUES.append((value, *others) if others else (value, -value, 0.0))
    CHILDREN.append([*children, *[-1] * (BRANCHES - len(children))])
    NOISY.append([i in noisy for i in range(BRANCHES)])
    return len(VALUES) - 1


def uniform_tree(
    depth: int, rng: np.random.Generator, seat: int = 0, low: float = -0.9, high: float = 0.9, branches: int = BRANCHES
) -> int:
    """A tree of different values, in which the heuristic of a node is its minimax value."""
    if depth == 0:
        return leaf(float(rng.uniform(low, high)))
    children = [uniform_tree(depth - 1, rng, 1 - seat, low, high, branches) for _ in range(branches)]
    best = max if seat == 0 else min
    return node(best(VALUES[child][0] for child in children), children)


def layers(depth: int, width: int, rng: np.random.Generator) -> list[int]:
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


def layers_of_three(depth: int, width: int, rng: np.random.Generator) -> list[int]:
    """Nodes in layers, for three seats: what a node is worth to each is drawn apart, in tenths, so that many are equal."""

    def draw() -> list[float]:
        return [float(tenths) / 10 for tenths in rng.integers(-5, 6, 3)]

    below = [leaf(*draw()) for _ in range(width)]
    for _ in range(depth):
        above = []
        for _ in range(width):
            value, *others = draw()
            chosen = rng.choice(width, BRANCHES, replace=False)
            above.append(node(value, [below[i] for i in chosen], others=others))
        below = above
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


def chain(*values: float) -> int:
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
NUM_UNIFORM = 10
UNIFORM_DEPTHS = {2: 8, 3: 5}  # branches -> depth below the first action
_rng = np.random.default_rng(12)
UNIFORMS = {
    branches: [node(0.0, [uniform_tree(depth, _rng, seat=1, branches=branches)]) for _ in range(NUM_UNIFORM)]
    for branches, depth in UNIFORM_DEPTHS.items()
}
LAYERS_OF_THREE = layers_of_three(5, 40, np.random.default_rng(13))

VALUES, CHILDREN, NOISY = np.array(VALUES), np.array(CHILDREN), np.array(NOISY)


def digest(roots: Iterable[int]) -> str:
    """Of the trees below some nodes: 16 hexadecimal digits, which do not depend on how the nodes are numbered."""
    order, children = list(dict.fromkeys(roots)), CHILDREN.tolist()
    numbers = {root: number for number, root in enumerate(order)}
    for one in order:  # grows
        for child in children[one]:
            if child >= 0 and child not in numbers:
                numbers[child] = len(order)
                order.append(child)
    told = hashlib.sha256(np.array([[numbers.get(child, -1) for child in children[one]] for one in order]).tobytes())
    told.update(np.round(VALUES[order], 9).tobytes() + NOISY[order].tobytes())  # rounded: processors may differ in last bits
    return told.hexdigest()[:16]


class Forest(NamedTuple):
    """A node, the seat to play, the number of seats."""

    node: int
    seat: int
    seats: int


@rule(Forest)
def to_play(position: Any) -> int:
    return position.seat


@rule(Forest)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    n = 0
    for i in range(BRANCHES):
        if CHILDREN[position.node, i] >= 0:
            out[n] = i
            n += 1
    return n


@rule(Forest)
def noisy_actions(position: Any, out: NDArray[np.int64]) -> int:
    n = 0
    for i in range(BRANCHES):
        if NOISY[position.node, i]:
            out[n] = i
            n += 1
    return n


@rule(Forest)
def apply(position: Any, action: int) -> Any:
    return CHILDREN[position.node, action], (position.seat + 1) % position.seats, position.seats


@rule(Forest)
def is_terminal(position: Any) -> bool:
    return CHILDREN[position.node, 0] < 0


@rule(Forest)
def returns(position: Any, seat: int) -> float:
    return VALUES[position.node, seat]


@rule(Forest)
def heuristic(position: Any, seat: int) -> float:
    return VALUES[position.node, seat]


@rule(Forest)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    out[0, 0, 0] = position.node % 100


@rule(Forest)
def decode(planes: Any) -> Any:
    return int(planes[0, 0, 0]), 0, 2


def small_game(
    name: str, position_class: type, start: Any, *, num_seats: int = 2, num_outcomes: int = 0, most: float = 1.0
) -> Game:
    """A game that is played by number only."""
    return Game(
        name=name,
        title=name,
        position_class=position_class,
        start=start,
        num_actions=3,
        max_legal_actions=3,
        observation_shape=(1, 1, 1),
        planes=("word",),
        move_text=lambda position, action: str(action),
        parse_move=lambda position, text: int(text),
        to_fen=lambda position: " ".join(map(str, position)),
        from_fen=lambda text: position_class(*map(int, text.split())),
        max_plies=60,
        versions=(Version(0, "0.1.0", "a test's own", ""),),
        num_seats=num_seats,
        num_outcomes=num_outcomes,
        min_return=-most,
        max_return=most,
        seat_names=tuple("abc"[:num_seats]),
    )


def board_at(game: Any, position: Any) -> Board:
    """A board with a position."""
    board = Board(game)
    board.set_position(position)
    return board


FOREST = small_game("TestForest", Forest, Forest(LAYERS[0], 0, 2))
FOREST_OF_THREE = small_game("TestForestOfThree", Forest, Forest(THREE, 0, 3), num_seats=3)


def tree(root: int, game: Any = FOREST) -> Board:
    """A board at the root of a tree."""
    return board_at(game, Forest(root, 0, game.num_seats))
