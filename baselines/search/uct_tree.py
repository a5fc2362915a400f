"""The tree of UCT: its columns, what goes up it after a simulation, the choice at the end, trees that are kept.

Columns of options that are off are None. A function that takes such a column as an argument and begins with `if prior is None`
is compiled without what follows, so that an option costs neither time nor compilation where it is off.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.common import column
from boardgym.compile import inlined, inner, overloaded
from boardgym.compile.borrowing import row_of
from boardgym.compile.registry import class_of
from boardgym.compile.words import GOLDEN, mix
from boardgym.core import verbs
from boardgym.core.bits import wrapping_add
from boardgym.core.random import S11, S32, index_at

MAX_PATH = 512  # nodes from the root to the deepest leaf; below it, playouts only
UNPROVEN = 2.0  # in place of a proven value
USED, IS_KEPT = range(2)  # of Tree.size
NODES = slice(1, 13)  # the columns of Tree that have a row for each node


class Tree(NamedTuple):
    """The nodes of a tree, the children of a node in a row, those that have been visited in front; node 0 is the root.

    In shapes N is the room for nodes, S the number of seats. What an option needs is None where that is off. "Its mover" is
    the seat that acts in the node's parent; below chance, seat 1. Values are in [-1, 1].

    size: int64 (2,), how many nodes there are, and 1 if the search before is to be gone on with, else 0.
    visits: int32 (N,), simulations through the node.
    total: float64 (N,), the sum of their results for its mover.
    proof: float64 (N,), the proven value for its mover, or UNPROVEN.
    action: int32 (N,), that led to the node from its parent; chance's outcome if it acts there.
    first: int32 (N,), the first child; meaningless before there are children.
    count: int32 (N,), how many children there are; -1 before they are made.
    opened: int32 (N,), how many of them have been visited: those in front.
    proofs: float64 (N, S), the proven value for each seat; only with more than two seats.
    prior: float64 (N,), the probability that the node is the best of its siblings; only with GUIDED.
    hint: float64 (N,), the heuristic for its mover; only with GUIDED.
    rave_visits: float64 (N,), simulations in which its mover played its action from the parent on; only with RAVE.
    rave_total: float64 (N,), the sum of their results for its mover; only with RAVE.
    path: int64 (MAX_PATH,), the nodes of a simulation, the root first.
    seats: int64 (MAX_PATH,), who acts at each node of the path, or CHANCE.
    keys: int64 (MAX_PATH,), the key of the position at each node of the path, in games that end by repetition.
    """

    size: NDArray[np.int64]
    visits: NDArray[np.int32]
    total: NDArray[np.float64]
    proof: NDArray[np.float64]
    action: NDArray[np.int32]
    first: NDArray[np.int32]
    count: NDArray[np.int32]  # type: ignore[assignment]
    opened: NDArray[np.int32]
    proofs: NDArray[np.float64] | None
    prior: NDArray[np.float64] | None
    hint: NDArray[np.float64] | None
    rave_visits: NDArray[np.float64] | None
    rave_total: NDArray[np.float64] | None
    path: NDArray[np.int64]
    seats: NDArray[np.int64]
    keys: NDArray[np.int64]


def optional_columns(policy, room):
    """The columns of a tree, from `proofs` to `rave_total`, that options need."""
    return (
        column(policy, "HAS_MORE_SEATS", (room, verbs.constant(policy, "SEATS")), np.float64),
        column(policy, "GUIDED", room, np.float64),
        column(policy, "GUIDED", room, np.float64),
        column(policy, "RAVE", room, np.float64),
        column(policy, "RAVE", room, np.float64),
    )


@overloaded(optional_columns)
def _optional_columns(policy, room):
    kind = class_of(policy)
    if kind.HAS_MORE_SEATS or kind.GUIDED:
        return optional_columns
    return lambda policy, room: (None, None, None, None, None)  # quicker to compile


def new_tree(policy, room, kept):
    """A tree with room for so many nodes, without nodes. kept: not looked at."""
    proofs, prior, hint, rave_visits, rave_total = optional_columns(policy, room)
    return Tree(
        np.zeros(2, np.int64),
        np.empty(room, np.int32),
        np.empty(room, np.float64),
        np.empty(room, np.float64),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        proofs,
        prior,
        hint,
        rave_visits,
        rave_total,
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH, np.int64),
        np.empty(MAX_PATH, np.int64),
    )


make_tree = inner(new_tree)


def new_trees(policy: Any, room: int, n: int) -> tuple[Any, ...]:
    """The columns of n trees with room for so many nodes, each with an axis of trees in front; whatever is in the memory."""
    one = new_tree(policy, 1, ())
    shapes = [() if column is None else column.shape for column in one]
    shapes[NODES] = [(room, *shape[1:]) for shape in shapes[NODES]]
    pairs = zip(one, shapes, strict=True)
    return tuple(None if column is None else np.empty((n, *shape), column.dtype) for column, shape in pairs)


@inner
def tree_at(trees: Any, i: int) -> Tree:
    """Tree i of those that `new_trees` makes."""
    return Tree(
        row_of(trees[0], i),
        row_of(trees[1], i),
        row_of(trees[2], i),
        row_of(trees[3], i),
        row_of(trees[4], i),
        row_of(trees[5], i),
        row_of(trees[6], i),
        row_of(trees[7], i),
        row_of(trees[8], i),
        row_of(trees[9], i),
        row_of(trees[10], i),
        row_of(trees[11], i),
        row_of(trees[12], i),
        row_of(trees[13], i),
        row_of(trees[14], i),
        row_of(trees[15], i),
    )


def bytes_per_node(policy: Any) -> int:
    """The memory that a node takes with these settings."""
    return sum(column.itemsize * column[0].size for column in node_columns(new_tree(policy, 1, ())) if column is not None)


@inner
def room_for(policy, max_actions):
    """The nodes that a search can need, or may have."""
    return min(1 + policy.simulations * max_actions, max(policy.max_nodes, 1 + max_actions))


def tree_for(policy: Any, room: int, kept: Any) -> Tree:
    """The tree that is kept, if there is one with room for nodes; else a new one. kept: the fields of a `Tree`, or empty."""
    return Tree(*kept) if kept and len(kept[1]) else new_tree(policy, room, ())


@overloaded(tree_for)
def _tree_for(policy, room, kept):
    if len(kept) == 0:
        return new_tree

    def find(policy, room, kept):
        return Tree(*kept) if kept[1].shape[0] > 0 else make_tree(policy, room, ())

    return find


# ---------------------------------------------------------------- nodes


@inlined
def expand(tree, proofs, prior, rave_visits, actions, count):
    """Adds nodes in a row, not visited yet, and returns the first. actions: that lead there; the other columns: the tree's."""
    visits, total, proof, action = tree.visits, tree.total, tree.proof, tree.action
    first, children, opened, used = tree.first, tree.count, tree.opened, tree.size[USED]
    for i in range(count):
        node = used + i
        visits[node], total[node], proof[node], action[node] = 0, 0.0, UNPROVEN, actions[i]
        first[node], children[node], opened[node] = -1, -1, 0
        if proofs is not None:
            proofs[node] = UNPROVEN
        if prior is not None:
            prior[node], tree.hint[node] = 0.0, 0.0
        if rave_visits is not None:
            rave_visits[node], tree.rave_total[node] = 0.0, 0.0
    tree.size[USED] = used + count
    return used


@inner
def first_of_each_group(position, actions, count, images):
    """Of the actions whose positions a symmetry of the board makes equal keeps the first. Returns how many are kept.

    actions: legal ones, changed. images: uint64 with room for as many, a buffer; None: all actions are kept.
    """
    if images is None:
        return count
    kept = 0
    for i in range(count):
        after = verbs.apply(position, actions[i])
        image = verbs.key(after)
        for k in range(1, verbs.num_symmetries(after)):
            image = min(image, verbs.key(verbs.transform(after, k)))
        is_new = True
        for j in range(kept):
            is_new = is_new and images[j] != image
        if is_new:
            actions[kept], images[kept] = actions[i], image
            kept += 1
    return kept


@inner
def exchange(column, node, other):
    """Exchanges what two nodes have in a column."""
    column[node], column[other] = column[other], column[node]


@inlined
def swap(tree, rave_visits, node, other):
    """Exchanges two siblings of a GUIDED search that have neither visits nor children nor proof."""
    exchange(tree.action, node, other)
    exchange(tree.prior, node, other)
    exchange(tree.hint, node, other)
    if rave_visits is not None:
        exchange(rave_visits, node, other)
        exchange(tree.rave_total, node, other)


# ---------------------------------------------------------------- values


@inner
def value_for(value, results, seat):
    """What a simulation pays a seat. value: what it pays seat 0; results: float64 (S,), each seat; None with two seats."""
    if results is None:
        return value if seat == 0 else -value
    return results[max(seat, 0)]


@inner
def back_up_proof(tree, proofs, depth):
    """Carries the proof of the last node of the path towards the root, as far as it decides. proofs: the tree's."""
    proof, seats, path, count = tree.proof, tree.seats, tree.path, tree.count
    while depth > 0:
        parent, seat, node = path[depth - 1], seats[depth - 1], path[depth]
        if seat == verbs.CHANCE:
            return
        if proof[node] < 1.0:
            if tree.opened[parent] < count[parent]:
                return
            node = np.int64(tree.first[parent])
            for child in range(node, node + count[parent]):
                if proof[child] == UNPROVEN:
                    return
                if proof[child] > proof[node]:
                    node = child
        if proofs is not None:
            proofs[parent] = proofs[node]
            proof[parent] = proofs[parent, max(seats[depth - 2], 0) if depth > 1 else 0]
        else:
            is_turned = depth > 1 and (seats[depth - 2] == 0) != (seat == 0)
            proof[parent] = -proof[node] if is_turned else proof[node]
        depth -= 1


@inner
def value_of(visits, total, proof, node):
    """Value of a node for its mover: proven, or the mean; 0 without visits. The columns are the tree's."""
    if proof[node] != UNPROVEN:
        return proof[node]
    return total[node] / visits[node] if visits[node] else 0.0


# ---------------------------------------------------------------- draws and the choice


@inner
def pick(state, n):
    """A number in [0, n) from a stream's state, as `random.draw` does from the stream."""
    return np.int64(((mix(state) >> S32) * np.uint64(n)) >> S32)


@inner
def draw_outcome(state, count, probabilities):
    """The index of an outcome, by its probability, from a stream's state. probabilities: float64, of `count` outcomes."""
    return index_at(probabilities, count, np.float64(mix(state) >> S11) * (1.0 / 9007199254740992.0))


def weight_of(policy, visits, total, proof, node):
    """What the choice goes by: the visits of a node, int64; with MAX_CHILD its value, float64. The columns are the tree's."""
    return value_of(visits, total, proof, node) if type(policy).MAX_CHILD else np.int64(visits[node])


@overloaded(weight_of)
def _weight_of(policy, visits, total, proof, node):
    if class_of(policy).MAX_CHILD:
        return lambda policy, visits, total, proof, node: value_of(visits, total, proof, node)
    return lambda policy, visits, total, proof, node: np.int64(visits[node])


@inner
def choice(policy, tree, node, deterministic, state):
    """The child to play: if the node is proven, of its best proven children, else of all not lost, that of greatest weight.

    Ties: at random from the state of a stream, deterministic: the least action. Returns a node, -1 if no child has been
    visited, and the state.
    """
    visits, total, action, proof = tree.visits, tree.total, tree.action, tree.proof
    first = np.int64(tree.first[node])
    end, best, most, ties, top = first + tree.opened[node], -1, -2, 0, -2.0
    if proof[node] != UNPROVEN:
        for child in range(first, end):
            if proof[child] != UNPROVEN:
                top = max(top, proof[child])
    for pass_over_lost in (True, False):
        for child in range(first, end):
            if (top > -2.0 and proof[child] != top) or (pass_over_lost and proof[child] == -1.0):
                continue
            weight = weight_of(policy, visits, total, proof, child)
            if weight > most:
                best, most, ties = child, weight, 1
            elif weight == most:
                ties += 1
                state = wrapping_add(state, GOLDEN)
                if action[child] < action[best] if deterministic else pick(state, ties) == 0:
                    best = child
        if best >= 0:
            break
    return best, state


def node_columns(tree: Tree) -> tuple[Any, ...]:
    """The columns that have a row for each node; None for those of options that are off."""
    return tuple(tree)[NODES]


def reroot(tree: Tree, actions: NDArray[np.int64]) -> None:
    """Makes the node that `actions` lead to the new root, and keeps what is below it; no node if it is not there.

    tree: is changed. actions: int64 (plies,), played since, those of chance too. A node's children stand behind
    it, so that all can be moved to the front in one pass.
    """
    size, first, count = tree.size, tree.first, tree.count
    root, nodes = 0, int(size[USED])
    for action in actions:
        children = range(first[root], first[root] + count[root]) if nodes and count[root] > 0 else range(0)
        root = next((child for child in children if tree.action[child] == action), -1)
        if root < 0:
            size[USED] = 0
            return
    if nodes == 0 or root == 0:
        return
    is_kept = np.zeros(nodes, np.bool_)
    level = np.array([root])
    while len(level):
        is_kept[level] = True
        level = level[count[level] > 0]
        counts = count[level]
        level = np.repeat(first[level] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    kept = np.flatnonzero(is_kept)
    place = np.cumsum(is_kept) - 1  # where each node goes
    for values in node_columns(tree):
        if values is not None:
            values[: len(kept)] = values[kept]
    moved = first[: len(kept)]
    moved[:] = np.where(moved >= 0, place[moved], -1)
    size[USED] = len(kept)
