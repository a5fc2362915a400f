"""UCT: Monte-Carlo tree search, generic over games and numbers of seats, with its refinements as compile-time options.

A simulation selects a path from the root, expands the last node, evaluates the new leaf and backs up what it is worth:

    score(child) = total(child) / visits(child) + c_uct * sqrt(2 ln visits(parent) / visits(child))

The mean and all values of a child are for its mover, the seat that acts in its parent, so no sign changes in selection; what a
simulation pays is kept for seat 0 and turned when it is added, or, with more than two seats, kept for each. Unvisited
children come first, in random order; each simulation adds one node. Ends of the game are proven and backed up apart from the
averages: a node with a won child is won, a node whose children are all proven has the best of them (M. Winands, Y.
Bjornsson, J.-T. Saito, "Monte-Carlo tree search solver", 2008). Proven losses are not visited again. The choice is the most
visited child, or the best of a proven root. Where chance is to act, a simulation draws what comes by its probability; no
proof is carried over it. With more than two seats a proof holds for the play that it found: of choices that are equal to a
seat, the first; and the search reports none.

The class of the settings says by its constants which options are on, and only those are compiled: `uct_tree.py` says how.
SOLVES: proofs, on unless told otherwise; without them an end of the game is a node like others, whose value is its mean.
MAX_CHILD: the choice is the child with the greatest mean ("max child" of G. Chaslot et al., "Progressive strategies for
Monte-Carlo tree search", 2008) in place of the most visited one ("robust child"). GUIDED: other scores, see
`uct_selection.py`. RAVE. LEARNS: playouts that are not uniform, see `uct_playouts.py`; RECORDS, with either, what a simulation
has played. ESTIMATES: leaves are valued by an evaluation. SOFTMAX: playouts ask it of every action. EARLY_CUTS: playouts are
cut early, see `uct_cutoffs.py`. LEAST_VISITS: of each child of the root. SYMMETRY: actions that lead to equal boards are one.
SEATS, HAS_MORE_SEATS (than two).

Source of the formula: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006, with the constant as in
the UCT-CCNN study (its `uct` is c_uct; the textbook's C_p is half of it).
"""

import importlib
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search.common import is_repeated, silent_reply
from boardgym.baselines.search.uct_cutoffs import forget_ends
from boardgym.baselines.search.uct_playouts import forget, learn, make_memory, note, play_out
from boardgym.baselines.search.uct_selection import add_rave, best_child, due_child, known_estimate, pick_child, prepare
from boardgym.baselines.search.uct_tree import (
    IS_KEPT,
    UNPROVEN,
    USED,
    back_up_proof,
    choice,
    draw_outcome,
    expand,
    first_of_each_group,
    pick,
    room_for,
    swap,
    tree_for,
    value_for,
    value_of,
)
from boardgym.baselines.search.uct_values import payoff
from boardgym.compile import inlined
from boardgym.compile.words import GOLDEN, mix
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, wrapping_add
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec
from boardgym.core.verbs import rule


class UCT(NamedTuple):
    """Settings of plain UCT. scale: turns returns into values in [-1, 1]. max_nodes: room of the tree."""

    SEATS = 2  # type: ignore[misc]
    SOLVES = True  # type: ignore[misc]
    HAS_MORE_SEATS = MAX_CHILD = GUIDED = RAVE = LEARNS = RECORDS = ESTIMATES = SOFTMAX = False  # type: ignore[misc]
    EARLY_CUTS = LEAST_VISITS = SYMMETRY = False  # type: ignore[misc]

    simulations: int
    max_nodes: int
    c_uct: float
    scale: float


class RefinedUCT(NamedTuple):
    """Settings of UCT with refinements. What is 0 is off.

    simulations, max_nodes, c_uct, scale: as in `UCT`. num_actions: of the game. c_puct: the constant of PUCT. hints: 1 where
    the value of each child is wanted. prior: 1 where priors come from it. rave: the equivalence k. bias: the weight of
    progressive bias. neural_mcts: the weight of the evaluation in NeuralMCTS, -1 if off. has_fpu, fpu: first-play urgency.
    urgency, decisive: 1 for on. playout: see `uct_playouts`. playout_temperature: their tau. cutoff, cutoff_range (-1 if off),
    stability, leaf: see `uct_cutoffs`. least_visits: of each child of the root. mix: the playout's share of a leaf. is_tanh,
    temperature: of a network that gives priors.
    """

    SEATS = 2  # type: ignore[misc]
    SOLVES = True  # type: ignore[misc]
    HAS_MORE_SEATS = MAX_CHILD = GUIDED = RAVE = LEARNS = RECORDS = ESTIMATES = SOFTMAX = False  # type: ignore[misc]
    EARLY_CUTS = LEAST_VISITS = SYMMETRY = False  # type: ignore[misc]

    simulations: int
    max_nodes: int
    c_uct: float
    scale: float
    num_actions: int
    c_puct: float
    hints: int
    prior: int
    rave: float
    bias: float
    neural_mcts: float
    has_fpu: int
    fpu: float
    urgency: int
    decisive: int
    playout: int
    playout_temperature: float
    cutoff: int
    cutoff_range: float
    stability: float
    least_visits: int
    leaf: int
    mix: float
    is_tanh: int
    temperature: float


@rule(UCT, RefinedUCT)
def make_scratch(policy: Any, position: Any, max_actions: int, data: Any) -> Any:
    """The reply, the tree, the memory, and what `write_priors` needs: nothing.

    data: three tuples of arrays: of the evaluation, of a network that gives priors, and the columns of a tree that is kept.
    """
    memory = make_memory(policy, position, max_actions, data[0])
    return silent_reply(), (tree_for(policy, room_for(policy, max_actions), data[2]), memory, memory.weights)


# ---------------------------------------------------------------- a simulation


@inlined
def select(policy: Any, tree: Any, prior: Any, parent: int, state: np.uint64) -> tuple[int, bool, np.uint64]:
    """The child to visit, whether it is new, and the state of the stream. prior: the tree's; None without GUIDED."""
    action, first = tree.action, np.int64(tree.first[parent])
    end, opened = first + tree.count[parent], first + tree.opened[parent]
    due = due_child(policy, tree, parent)
    if prior is not None:
        child = pick_child(policy, tree, parent) if due < 0 else due
        if child >= opened:
            swap(tree, tree.rave_visits, child, opened)
    elif opened < end:
        state = wrapping_add(state, GOLDEN)
        child, other = opened, opened + pick(state, end - opened)
        action[child], action[other] = action[other], action[child]
    elif due >= 0:
        child = due
    else:
        child = best_child(tree.visits, tree.total, tree.proof, parent, first, end, policy.c_uct)  # type: ignore[arg-type]
    if child >= opened:
        tree.opened[parent] += 1
        return opened, True, state
    return child, False, state


@inlined
def descend(
    policy: Any,
    position: Any,
    state: np.uint64,
    tree: Any,
    memory: Any,
    buffers: Any,
    prior: Any,
    probabilities: Any,
    record: Any,
) -> tuple[Any, int, bool, np.uint64]:
    """Selects from the root to a node without visits, one that is proven, or one beyond the room, expanding on the way.

    prior, probabilities, record: of the tree and the memory, None where an option is off. Returns the position there, or that
    before a proven node; the depth; whether it is proven; and the state of the stream.
    """
    moves, path, action, opened, count = memory.moves, tree.path, tree.action, tree.opened, tree.count
    limit, node, depth = verbs.repetition_limit(position), path[0], path[0]
    while True:
        seat, is_decided, outcomes = verbs.to_play(position), False, 0
        if probabilities is not None:
            outcomes = verbs.chance(position, moves, probabilities) if seat == verbs.CHANCE else 0
        if count[node] < 0:
            n = outcomes
            if n == 0:
                n = first_of_each_group(position, moves, verbs.legal_actions(position, moves), memory.images)
            if tree.size[USED] + n > action.shape[0] or depth + 1 >= path.shape[0]:
                return position, depth, False, state
            tree.first[node] = expand(tree, tree.proofs, prior, tree.rave_visits, moves, n)
            count[node] = n
            if prior is not None and outcomes == 0:
                is_decided, state = prepare(policy, position, seat, node, prior, tree, memory, buffers, state)
        tree.seats[depth] = seat
        is_new = is_decided
        if is_decided:
            opened[node] += 1
            node = np.int64(tree.first[node])
        elif outcomes == 0:
            node, is_new, state = select(policy, tree, prior, node, state)
        elif probabilities is not None:
            node, is_new, state = select_outcome(tree, node, outcomes, probabilities, state)
        if record is not None:
            note(record, depth, action[node], position)
        depth += 1
        path[depth] = node
        if tree.proof[node] != UNPROVEN:
            return position, depth, True, state
        position = verbs.apply(position, int(action[node]))
        if limit > 0:
            tree.keys[depth] = as_int64(verbs.key(position))
        if is_new or (not verbs.constant(policy, "SOLVES") and count[node] == 0):  # or an end of the game that is known
            return position, depth, False, state


@inlined
def select_outcome(tree: Any, parent: int, count: int, probabilities: Any, state: np.uint64) -> tuple[int, bool, np.uint64]:
    """As `select` where chance is to act: an outcome by its probability. probabilities: float64, of `count` outcomes."""
    tree.opened[parent] = count
    state = wrapping_add(state, GOLDEN)
    child = np.int64(tree.first[parent]) + draw_outcome(state, count, probabilities)
    return child, tree.visits[child] == 0, state


@inlined
def known_value(
    policy: Any,
    position: Any,
    history: NDArray[np.int64],
    is_proven: bool,
    depth: int,
    tree: Any,
    memory: Any,
    proofs: Any,
) -> tuple[bool, float, bool, int]:
    """What a simulation pays that has come to a proven node or an end of the game; the arguments as those of `evaluate`.

    Returns whether that is so; the value for seat 0, with more than two seats those of all in memory.results; whether the game
    ends there; if nothing is known, how many legal actions there are, in memory.moves.
    """
    if is_proven:
        node = tree.path[depth]
        value = tree.proof[node] if tree.seats[depth - 1] == 0 else -tree.proof[node]
        if proofs is not None:
            memory.results[:] = proofs[node]
        return True, value, False, 0
    count, is_drawn = verbs.legal_actions(position, memory.moves), False
    is_end = count == 0 and not verbs.awaits_chance(position)
    if not is_end and verbs.repetition_limit(position) > 0:
        is_end = is_drawn = is_repeated(position, history, tree.keys, depth)
    if is_end:
        return True, payoff(policy, position, is_drawn, memory.results), True, count
    return False, 0.0, False, count


@inlined
def evaluate(
    policy: Any,
    position: Any,
    history: NDArray[np.int64],
    is_proven: bool,
    depth: int,
    state: np.uint64,
    tree: Any,
    memory: Any,
    proofs: Any,
) -> tuple[float, bool, int, np.uint64]:
    """What a simulation pays, which has come to a node of the path at `depth`. is_proven: as `descend` returns it.

    proofs: the tree's. Returns the value for seat 0, with more than two seats those of all in memory.results; whether the game
    ends there; the length of the record; and the state of the stream.
    """
    is_known, value, is_end, count = known_value(policy, position, history, is_proven, depth, tree, memory, proofs)
    if is_known:
        return value, is_end, depth, state
    is_known, value = known_estimate(policy, tree, depth)
    if is_known:
        return value, False, depth, state
    value, _, length, state = play_out(
        policy,
        position,
        tree.seats,
        count,
        depth,
        state,
        memory,
        memory.probabilities,
        memory.table,
        memory.record,
        memory.estimates,
        memory.values,
        memory.cuts,
    )
    return value, False, length, state


@inlined
def back_up(
    policy: Any,
    tree: Any,
    memory: Any,
    depth: int,
    length: int,
    value: float,
    games: int,
    is_end: bool,
    simulation: int,
    proofs: Any,
    stamps: Any,
    table: Any,
) -> None:
    """Adds what a simulation pays along the path, and what is learned from it. depth to is_end: what `evaluate` returns.

    games: as how many it counts; value is their mean. proofs, stamps, table: of the tree and the memory, None where an option
    is off.
    """
    visits, total, path, seats, results = tree.visits, tree.total, tree.path, tree.seats, memory.results
    visits[0] += games
    for d in range(depth, 0, -1):
        visits[path[d]] += games
        total[path[d]] += games * value_for(value, results, seats[d - 1])
    if stamps is not None:
        add_rave(policy, stamps, tree, memory, depth, length, value, simulation)
    if table is not None:
        learn(policy, length, depth, memory.record, table, value, results)
    if is_end and not verbs.constant(policy, "SOLVES"):
        tree.count[path[depth]] = 0  # no children, so that later simulations end here
    elif is_end:
        tree.proof[path[depth]] = value_for(value, results, seats[depth - 1])
        if proofs is not None:
            proofs[path[depth]] = results
        back_up_proof(tree, proofs, depth)


@inlined
def begin(position: Any, tree: Any, is_new: bool) -> None:
    """Begins a search at a position: with a new root, or at that of a tree that is kept."""
    tree.path[0], tree.keys[0] = 0, as_int64(verbs.key(position))
    if is_new:  # the memory of a tree serves for many searches, one after the other
        tree.visits[0], tree.total[0], tree.proof[0] = 0, 0.0, UNPROVEN
        tree.count[0], tree.opened[0], tree.size[USED] = -1, 0, 1


@inlined
def grow(
    policy: Any,
    position: Any,
    history: NDArray[np.int64],
    state: np.uint64,
    stop: NDArray[np.int64],
    tree: Any,
    memory: Any,
    buffers: Any,
    table: Any,
    stamps: Any,
    cuts: Any,
) -> tuple[int, int, np.uint64]:
    """Runs the simulations, at a tree that is kept or a new root. table to cuts: of the memory, None where an option is off.

    Returns how many, the length of the longest path, and the state of the stream.
    """
    proof = tree.proof
    one: Any = np.int64(1)
    begin(position, tree, tree.size[USED] == 0 or tree.size[IS_KEPT] == 0)
    if table is not None:
        forget(table)
    if stamps is not None:
        stamps[:] = -1
    if cuts is not None:
        forget_ends(cuts)
    # read back: for a literal 0, a type of its own, what it is handed to is compiled again
    simulations = longest = tree.path[0]
    while simulations < policy.simulations and proof[0] == UNPROVEN and (stop[0] == 0 or simulations == 0):
        leaf, depth, is_proven, state = descend(
            policy, position, state, tree, memory, buffers, tree.prior, memory.probabilities, memory.record
        )
        value, is_end, length, state = evaluate(policy, leaf, history, is_proven, depth, state, tree, memory, tree.proofs)
        back_up(policy, tree, memory, depth, length, value, one, is_end, simulations, tree.proofs, stamps, table)
        longest = max(longest, depth)
        simulations += 1
    return simulations, longest, state


# ---------------------------------------------------------------- the choice


@rule(UCT, RefinedUCT)
def choose(
    policy: Any, position: Any, history: NDArray[np.int64], rng: NDArray[np.uint64], scratch: Any, deterministic: bool
) -> int:
    """The action of the choice. deterministic: what is drawn follows from the position's key, ties go to the first."""
    reply, tree, memory, buffers = scratch[0], scratch[1][0], scratch[1][1], scratch[1][2]
    if verbs.legal_actions(position, memory.moves) == 1 and reply.actions.shape[0] == 0:
        return memory.moves[0]
    state = mix(as_uint64(verbs.key(position))) if deterministic else as_uint64(rng[0])
    simulations, longest, state = grow(
        policy, position, history, state, reply.stop, tree, memory, buffers, memory.table, memory.stamps, memory.cuts
    )
    best, state = answer(policy, position, tree, reply, simulations, longest, deterministic, state)
    if not deterministic:
        rng[0] = state
    return np.int64(tree.action[best])  # type: ignore[return-value]


@inlined
def answer(
    policy: Any, position: Any, tree: Any, reply: Any, simulations: int, longest: int, deterministic: bool, state: np.uint64
) -> tuple[int, np.uint64]:
    """The choice after a search, and what the reply says of that. simulations to state: as `grow` returns them.

    Returns the node that is played, and the state of the stream.
    """
    visits, total, proof, report = tree.visits, tree.total, tree.proof, reply.report
    best, state = choice(policy, tree, tree.path[0], deterministic, state)
    drawn = state
    report[reply_at.VALUE], report[reply_at.DEPTH] = value_of(visits, total, proof, best), longest
    report[reply_at.NODES] = simulations
    report[reply_at.PROVEN] = proof[0] != UNPROVEN and not verbs.constant(policy, "HAS_MORE_SEATS")
    if reply.actions.shape[0] > 0:
        for i in range(tree.count[0]):
            node = tree.first[0] + i
            reply.actions[i], reply.counts[i] = tree.action[node], visits[node]
            reply.values[i] = value_of(visits, total, proof, node)
        report[reply_at.NUM_ACTIONS] = tree.count[0]
        node, length, current = best, 0, position
        while node >= 0 and length < reply.line.shape[0]:
            reply.line[length] = tree.action[node]
            length += 1
            current = verbs.apply(current, int(tree.action[node]))
            if tree.count[node] <= 0 or verbs.awaits_chance(current):
                break
            node, state = choice(policy, tree, node, length > 0, state)
        report[reply_at.LINE_LENGTH] = length
    return best, drawn


def make_uct(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`uct:N` simulations or `uct:0.5s`, with the settings of `uct_options`. Raises SpecError, UnsupportedGameError."""
    return importlib.import_module("boardgym.baselines.search.uct_options").make_uct(spec, game, seed=seed, trust=trust)
