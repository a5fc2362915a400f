"""The tree of Descent: what nodes are worth, what is solved, where a descent goes, which is the best; see `descent.py`."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined
from boardgym.core.random import draw

NEW, ENDED, REPEATED, CUT = 0, -1, -2, -3  # in place of the count of what a node leads to
BYTES_PER_NODE = 23


class Tree(NamedTuple):
    """N nodes, those that a state leads to in a row; node 0 is the root. "Its mover" is the seat that has moved there.

    used: int64 (1,), how many there are.
    values: float32 (N,), q for its mover; float32, so that symmetric positions have the same.
    results: int8 (N,), c for its mover. solved: int8 (N,), 1 or 0.
    turns: int8 (N,), 1 if its mover is to play again, else -1.
    actions: int32 (N,), that lead there. firsts: int32 (N,), the first node that it leads to; counts: int32 (N,), how many, or
    NEW, ENDED, REPEATED, CUT. visits: int32 (N,), descents that went there.
    path: int64 (limit + 1,), the nodes of the game so far and of the descent, by plies.
    """

    used: NDArray[np.int64]
    values: NDArray[np.float32]
    results: NDArray[np.int8]
    solved: NDArray[np.int8]
    turns: NDArray[np.int8]
    actions: NDArray[np.int32]
    firsts: NDArray[np.int32]
    counts: NDArray[np.int32]
    visits: NDArray[np.int32]
    path: NDArray[np.int64]


def make_tree(room: int, limit: int) -> Tree:
    """A tree with room for so many nodes, for games of at most so many plies."""
    values, used, path = np.zeros(room, np.float32), np.zeros(1, np.int64), np.zeros(limit + 1, np.int64)
    results, solved, turns = np.zeros(room, np.int8), np.zeros(room, np.int8), np.zeros(room, np.int8)
    actions, firsts = np.zeros(room, np.int32), np.zeros(room, np.int32)
    counts, visits = np.zeros(room, np.int32), np.zeros(room, np.int32)
    return Tree(used, values, results, solved, turns, actions, firsts, counts, visits, path)


@inlined
def plant(tree: Tree, plies: int) -> None:
    """Forgets all nodes but a new root, at a ply of the game. Its mover is taken to be the other seat."""
    tree.used[0], tree.path[plies] = 1, 0
    tree.values[0], tree.results[0], tree.solved[0], tree.turns[0], tree.counts[0], tree.visits[0] = 0.0, 0, 0, -1, NEW, 0


@inlined
def is_better(tree: Tree, node: int, other: int) -> bool:
    """Whether a node is worth more to its mover than one that the same state leads to."""
    if tree.results[node] != tree.results[other]:
        return tree.results[node] > tree.results[other]
    return tree.values[node] > tree.values[other]


@inlined
def settle(tree: Tree, node: int) -> None:
    """A state that has been expanded takes the best of what it leads to."""
    first: Any = np.int64(tree.firsts[node])
    best, is_solved = first, True
    for child in range(first, first + tree.counts[node]):
        is_solved = is_solved and tree.solved[child] == 1
        if is_better(tree, child, best):
            best = child
    turn = tree.turns[node]
    tree.values[node], tree.results[node] = turn * tree.values[best], turn * tree.results[best]
    tree.solved[node] = is_solved or tree.results[best] == 1


@inlined
def back_up(tree: Tree, first: int, last: int) -> None:
    """All states of the path from one ply to another that have been expanded take the best of what they lead to."""
    for back in range(last - first + 1):
        node = tree.path[last - back]
        if tree.counts[node] > 0:
            settle(tree, node)


@inlined
def pick(tree: Tree, node: int, rng: NDArray[np.uint64]) -> int:
    """Where a descent goes from a state that is not solved: see the head of `descent.py`."""
    first: Any = np.int64(tree.firsts[node])
    best, ties = -1, 0
    for child in range(first, first + tree.counts[node]):
        if tree.solved[child] == 1:
            continue
        is_first = best < 0
        if is_first or tree.values[child] > tree.values[best] or is_as_good(tree, child, best, True):
            best, ties = child, 1
        elif is_as_good(tree, child, best, False):
            ties += 1
    if ties > 1:
        left, model = draw(rng, ties), best
        for child in range(first, first + tree.counts[node]):
            if tree.solved[child] == 0 and is_as_good(tree, child, model, False):
                best = child
                if left == 0:
                    break
                left -= 1
    return best


@inlined
def is_as_good(tree: Tree, node: int, other: int, has_fewer: bool) -> bool:
    """Whether two nodes have the same value, and the first as many visits, or, with `has_fewer`, fewer."""
    is_fit = tree.visits[node] < tree.visits[other] if has_fewer else tree.visits[node] == tree.visits[other]
    return is_fit and tree.values[node] == tree.values[other]


@inlined
def rank(tree: Tree, node: int, ranks: NDArray[np.int64]) -> int:
    """Writes the nodes that a state leads to, from the best on, equals as they stand. Returns how many."""
    first: Any = np.int64(tree.firsts[node])
    count: Any = np.int64(tree.counts[node])
    for k in range(count):
        child, place = first + k, k
        while place > 0 and comes_before(tree, child, ranks[place - 1]):
            ranks[place] = ranks[place - 1]
            place -= 1
        ranks[place] = child
    return count


@inlined
def comes_before(tree: Tree, node: int, other: int) -> bool:
    """Whether a node is better than another one, or as good and visited more often."""
    if is_better(tree, node, other):
        return True
    return tree.visits[node] > tree.visits[other] and not is_better(tree, other, node)
