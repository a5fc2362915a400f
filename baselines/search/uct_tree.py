"""The tree of the refined UCT: nodes, proofs and RAVE values on the way back, the choice at the end, trees that are kept."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search import uct_playouts as po
from boardgym.baselines.search.uct import UNPROVEN, final_choice, final_value
from boardgym.compile import inner, kernel
from boardgym.core import verbs

VISITS, ACTION, FIRST, COUNT, OPENED, RAVE_VISITS = range(6)  # columns of Tree.ints
TOTAL, PRIOR, HINT, RAVE_TOTAL, PROOF = range(5)  # columns of Tree.floats; from PROOF a value for each seat


class Tree(NamedTuple):
    """The nodes, the children of one in a row, those with visits in front; node 0 is the root.

    ints: int32 (nodes, 6), floats: float64 (nodes, 4 + seats), see the columns; totals and hints are for the seat that moves
    into the node. used: int64 (2,), how many there are, and 1 if the search before is to be gone on with. path, seats, keys:
    int64 (MAX_PATH,), nodes from the root, who moves there, their keys.
    """

    ints: NDArray[np.int32]
    floats: NDArray[np.float64]
    used: NDArray[np.int64]
    path: NDArray[np.int64]
    seats: NDArray[np.int64]
    keys: NDArray[np.int64]


@inner
def new_node(tree, node, action):
    """Makes a node without visits or children."""
    ints, floats = tree.ints, tree.floats
    ints[node, VISITS], ints[node, ACTION], ints[node, FIRST], ints[node, COUNT], ints[node, OPENED] = 0, action, -1, -1, 0
    ints[node, RAVE_VISITS] = 0
    for column in range(PROOF):
        floats[node, column] = 0.0
    for column in range(PROOF, floats.shape[1]):
        floats[node, column] = UNPROVEN


@inner
def swap(tree, a, b):
    """Exchanges two nodes that have neither visits nor children nor proof."""
    ints, floats = tree.ints, tree.floats
    for column in (ACTION, RAVE_VISITS):
        ints[a, column], ints[b, column] = ints[b, column], ints[a, column]
    for column in (PRIOR, HINT, RAVE_TOTAL):
        floats[a, column], floats[b, column] = floats[b, column], floats[a, column]


@inner
def back_up_proof(policy, tree, depth):
    """Carries the proof of the last node of the path towards the root, as far as it decides."""
    ints, floats = tree.ints, tree.floats
    while depth > 0:
        parent, mover, node = tree.path[depth - 1], tree.seats[depth - 1], tree.path[depth]
        if mover == verbs.CHANCE:
            return
        if floats[node, PROOF + mover] < 1.0:
            start = ints[parent, FIRST]
            if ints[parent, OPENED] < ints[parent, COUNT]:
                return
            node = start
            for child in range(start, start + ints[parent, COUNT]):
                if floats[child, PROOF] == UNPROVEN:
                    return
                if floats[child, PROOF + mover] > floats[node, PROOF + mover]:
                    node = child
        for seat in range(policy.num_seats):
            floats[parent, PROOF + seat] = floats[node, PROOF + seat]
        depth -= 1


@inner
def add_rave(policy, tree, memory, length, depth, simulation):
    """Counts a simulation for the children of each node of the path whose action the seat played there or later."""
    ints, floats, record, stamps = tree.ints, tree.floats, memory.record, memory.stamps
    for ply in range(length - 1, -1, -1):
        seat = record[ply, po.SEAT]
        if seat == verbs.CHANCE:
            continue
        stamps[seat * policy.num_actions + record[ply, po.ACTION]] = simulation
        if ply < depth:
            node, value = tree.path[ply], memory.results[seat]
            for child in range(ints[node, FIRST], ints[node, FIRST] + ints[node, COUNT]):
                if stamps[seat * policy.num_actions + ints[child, ACTION]] == simulation:
                    ints[child, RAVE_VISITS] += 1
                    floats[child, RAVE_TOTAL] += value


@inner
def choice(tree, node, seat, deterministic, state):
    """`uct.final_choice` of a node where `seat` is to play."""
    ints, proof = tree.ints, tree.floats[:, PROOF + seat]
    first = np.int64(ints[node, FIRST])
    end, is_proven = first + ints[node, OPENED], proof[node] != UNPROVEN
    return final_choice(ints[:, VISITS], ints[:, ACTION], proof, first, end, is_proven, deterministic, state)


@inner
def value_of(tree, node, seat):
    """Value of a node for the seat that moved into it."""
    return final_value(tree.ints[:, VISITS], tree.floats[:, TOTAL], tree.floats[:, PROOF + seat], node)


@kernel
def reroot(ints, floats, used, actions):
    """Makes the node that `actions` lead to from the root the new root, and keeps what is below it. used: 0 if it is not there.

    ints, floats, used: as in `Tree`. actions: int64, played since, those of chance too. A node's children stand behind it, so
    that all can be moved to the front in one pass.
    """
    root, nodes = 0, used[0]
    for action in actions:
        found = -1
        if nodes > 0 and ints[root, COUNT] > 0:
            for child in range(ints[root, FIRST], ints[root, FIRST] + ints[root, COUNT]):
                if ints[child, ACTION] == action:
                    found = child
        if found < 0:
            used[0] = 0
            return
        root = found
    if nodes == 0 or root == 0:
        return
    place = np.full(nodes, -1, np.int64)  # where each node goes
    place[root], kept = 0, 1
    for node in range(root, nodes):
        if place[node] >= 0 and ints[node, COUNT] > 0:
            for child in range(ints[node, FIRST], ints[node, FIRST] + ints[node, COUNT]):
                place[child] = 0
    for node in range(root + 1, nodes):
        if place[node] == 0:
            place[node] = kept
            kept += 1
    for node in range(root, nodes):
        if place[node] >= 0:
            to = place[node]
            ints[to], floats[to] = ints[node], floats[node]
            if ints[to, FIRST] >= 0:
                ints[to, FIRST] = place[ints[to, FIRST]]
    used[0] = kept
