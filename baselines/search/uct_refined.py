"""UCT with its refinements, for any number of seats, as one compiled search whose settings say which are on.

What a simulation pays is a value for each seat, so that no sign changes anywhere; every seat chooses by its own. With
    N visits of the parent, n of the child, Q the mean of the child's results for the seat that acts in the parent,
the child with the greatest score is visited:
    UCB1               Q + c sqrt(2 ln N / n)
    PUCT               Q + c_puct P sqrt(N) / (1 + n)
    RAVE               with Q replaced by b Q' + (1 - b) Q, b = sqrt(k / (3 N + k)), Q' the mean of all simulations in which
                       the seat played the child's action from here on
    progressive bias   and bias H / (1 + n) added, H the game's heuristic of the child
    NeuralMCTS         Q + (H + 1) / 2 c sqrt(2 (1 + ln N) / n), without visits 1 + (H + 1) / 2
A child without visits goes before all others, unless `fpu` gives it that value in place of Q, PUCT its score with n = 0, or
`urgency` c sqrt(2 ln N) * (children without visits / children). Sources and effects: docs/search_uct.md.

Proofs are as in `uct.py`, a value for each seat. With more than two seats one holds for the play that it found: of choices
that are equal to a seat, the first; and the search reports none.
"""

import math
from typing import NamedTuple

import numpy as np

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search import uct_playouts as po
from boardgym.baselines.search.common import is_repeated, silent_reply
from boardgym.baselines.search.uct import MAX_PATH, UNPROVEN, draw_outcome, pick
from boardgym.baselines.search.uct_playouts import estimate, forget, learn, make_memory, note, value_leaf
from boardgym.baselines.search.uct_tree import (
    ACTION,
    COUNT,
    FIRST,
    HINT,
    OPENED,
    PRIOR,
    PROOF,
    RAVE_TOTAL,
    RAVE_VISITS,
    TOTAL,
    VISITS,
    Tree,
    add_rave,
    back_up_proof,
    choice,
    new_node,
    swap,
    value_of,
)
from boardgym.compile import inner
from boardgym.compile.words import GOLDEN, mix
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, wrapping_add
from boardgym.core.verbs import optional_verb, rule

PRIOR_TEMPERATURE = 0.25  # what heuristics are divided by where they become priors


class RefinedUCT(NamedTuple):
    """Settings. What is 0 is off.

    simulations, max_nodes, c_uct, scale: as in `UCT`. num_seats, num_actions: of the game. c_puct: the constant of PUCT.
    hints: 1 where the heuristic of each child is wanted. prior: 1 where priors come from it. rave: the equivalence k. bias:
    the weight of progressive bias. has_fpu, fpu: first-play urgency. neural_mcts, urgency, decisive: 1 for on. playout, leaf:
    see `uct_playouts`. playout_temperature: their tau. cutoff: plies of a playout. mix: share of the playout where the leaf is
    a mix. is_tanh, temperature: of a network that gives priors.
    """

    simulations: int
    max_nodes: int
    c_uct: float
    scale: float
    num_seats: int
    num_actions: int
    c_puct: float
    hints: int
    prior: int
    rave: float
    bias: float
    neural_mcts: int
    has_fpu: int
    fpu: float
    urgency: int
    decisive: int
    playout: int
    playout_temperature: float
    cutoff: int
    leaf: int
    mix: float
    is_tanh: int
    temperature: float


@optional_verb
def write_priors(policy, position, buffers, odds):
    """Writes a probability for each legal action, in their order, into odds (float64). Returns 1; 0 if it has none to give."""
    return 0


@inner
def make_tree(policy, max_actions, data):
    """The tree, in the arrays of `data` if they have room: then it is kept."""
    ints, floats, used = data[0], data[1], data[2]
    if ints.shape[0] == 0:
        room = min(1 + policy.simulations * max_actions, max(policy.max_nodes, 1 + max_actions))
        ints, floats = np.empty((room, RAVE_VISITS + 1), np.int32), np.empty((room, PROOF + policy.num_seats), np.float64)
        used = np.zeros(2, np.int64)
    return Tree(ints, floats, used, np.empty(MAX_PATH, np.int64), np.empty(MAX_PATH, np.int64), np.empty(MAX_PATH, np.int64))


@rule(RefinedUCT)
def make_scratch(policy, position, max_actions, data):
    """The reply, the tree, the memory of playouts, and what `write_priors` needs: nothing. data: ints, floats, used."""
    memory = make_memory(policy, position, max_actions)
    return silent_reply(), (make_tree(policy, max_actions, data), memory, memory.odds)


# ---------------------------------------------------------------- nodes


@inner
def prepare(policy, position, seat, node, tree, memory, buffers, state):
    """Gives new children their hints and priors and puts them in random order; a decisive one comes first.

    Returns whether there is one that nothing surpasses, what it pays being in memory.results, and the new state of the stream.
    """
    ints, floats, results = tree.ints, tree.floats, memory.results
    start, count, won = np.int64(ints[node, FIRST]), np.int64(ints[node, COUNT]), np.int64(ints[node, FIRST]) - 1
    most = 0.0
    if policy.hints != 0 or policy.decisive != 0:
        for child in range(start, start + count):
            after = verbs.apply(position, int(ints[child, ACTION]))
            is_over = verbs.is_terminal(after)
            if policy.hints != 0 or is_over:
                estimate(policy, after, results)
                floats[child, HINT] = results[seat]
                if policy.decisive != 0 and is_over and results[seat] > most:
                    won, most = child, results[seat]
                    if most >= 1.0:
                        break
    if policy.c_puct > 0.0 and write_priors(policy, position, buffers, memory.odds) != 0:
        for i in range(count):
            floats[start + i, PRIOR] = memory.odds[i]
    elif policy.c_puct > 0.0:
        total = 0.0
        for child in range(start, start + count):
            floats[child, PRIOR] = math.exp(floats[child, HINT] / PRIOR_TEMPERATURE) if policy.prior != 0 else 1.0
            total += floats[child, PRIOR]
        for child in range(start, start + count):
            floats[child, PRIOR] /= total
    if won >= start:
        swap(tree, start, won)
        if most >= 1.0:
            return True, state
        start, count = start + 1, count - 1
    for i in range(count - 1, 0, -1):
        state = wrapping_add(state, GOLDEN)
        swap(tree, start + i, start + pick(state, i + 1))
    return False, state


@inner
def pick_child(policy, tree, parent, seat):
    """The child to visit, by the formulas at the head of the file; one without visits stands behind those with some."""
    ints, floats = tree.ints, tree.floats
    start, opened, count = np.int64(ints[parent, FIRST]), ints[parent, OPENED], ints[parent, COUNT]
    visits = float(max(ints[parent, VISITS], 1))
    spread = policy.c_uct * math.sqrt(2.0 * (math.log(visits) + policy.neural_mcts))
    root, k = math.sqrt(visits), policy.rave
    trust = math.sqrt(k / (3.0 * visits + k)) if k > 0.0 else 0.0
    best, top = start, -np.inf
    for child in range(start, start + opened):
        n, score = float(ints[child, VISITS]), floats[child, PROOF + seat]
        if score == UNPROVEN:
            score = floats[child, TOTAL] / n
            if trust > 0.0 and ints[child, RAVE_VISITS] > 0:
                score = trust * floats[child, RAVE_TOTAL] / ints[child, RAVE_VISITS] + (1.0 - trust) * score
        elif score <= -1.0:
            continue
        if policy.c_puct > 0.0:
            score += policy.c_puct * floats[child, PRIOR] * root / (1.0 + n)
        else:
            share = 0.5 + 0.5 * floats[child, HINT] if policy.neural_mcts != 0 else 1.0
            score += share * spread / math.sqrt(n)
        if policy.bias > 0.0:
            score += policy.bias * floats[child, HINT] / (1.0 + n)
        if score > top:
            best, top = child, score
    if opened == count:
        return best
    candidate, most = start + opened, -np.inf
    for child in range(start + opened, start + count):
        score = policy.fpu
        if trust > 0.0 and ints[child, RAVE_VISITS] > 0:
            score = trust * floats[child, RAVE_TOTAL] / ints[child, RAVE_VISITS] + (1.0 - trust) * score
        score += policy.c_puct * floats[child, PRIOR] * root + (policy.bias + 0.5 * policy.neural_mcts) * floats[child, HINT]
        if score > most:
            candidate, most = child, score
    if policy.urgency != 0:
        most = spread * (count - opened) / count
    elif policy.has_fpu == 0 and policy.c_puct == 0.0:
        return candidate
    return candidate if most > top else best


# ---------------------------------------------------------------- the search


@inner
def descend(policy, position, history, used, state, tree, memory, buffers):
    """Goes from the root to a node without visits, or one that is proven or beyond the room, making nodes on the way.

    Returns the position there; the number of legal actions, that stand in memory.moves; the depth; whether the game ends
    there; whether it is a leaf to be valued: if not, memory.results has what it pays; the nodes used; the state of the stream.
    """
    ints, floats, path, seats, keys = tree.ints, tree.floats, tree.path, tree.seats, tree.keys
    moves, odds, results, limit = memory.moves, memory.odds, memory.results, verbs.repetition_limit(position)
    node = depth = root = path[0]
    is_new = False
    while True:
        seat, n = verbs.to_play(position), root
        is_chance = verbs.has_chance(position) and seat == verbs.CHANCE
        outcomes = verbs.chance(position, moves, odds) if is_chance else 0
        if is_new or (ints[node, COUNT] < 0 and not is_chance):
            n = verbs.legal_actions(position, moves)
        if is_new:
            if n == 0 and not verbs.awaits_chance(position):
                estimate(policy, position, results)
                return position, n, depth, True, False, used, state
            if limit > 0 and is_repeated(position, history, keys, depth):
                for other in range(policy.num_seats):
                    results[other] = verbs.draw_returns(position, other) * policy.scale
                return position, n, depth, True, False, used, state
            return position, n, depth, False, True, used, state
        is_decided = False
        if ints[node, COUNT] < 0:
            children = outcomes if is_chance else n
            if used + children > ints.shape[0] or depth + 1 >= path.shape[0]:
                return position, n, depth, False, True, used, state
            for i in range(children):
                new_node(tree, used + i, moves[i])
            ints[node, FIRST], ints[node, COUNT] = used, children
            used += children
            if not is_chance:
                is_decided, state = prepare(policy, position, seat, node, tree, memory, buffers, state)
        start, parent = np.int64(ints[node, FIRST]), node
        seats[depth] = seat
        if is_chance:
            ints[parent, OPENED] = ints[parent, COUNT]
            state = wrapping_add(state, GOLDEN)
            node = start + draw_outcome(state, outcomes, odds)
            is_new = ints[node, VISITS] == 0
        else:
            node = start if is_decided else pick_child(policy, tree, parent, seat)
            behind = start + ints[parent, OPENED]
            is_new = node >= behind
            if is_new:
                swap(tree, node, behind)
                node = behind
                ints[parent, OPENED] += 1
        action = np.int64(ints[node, ACTION])
        note(memory.record, depth, seat, action, position)
        depth += 1
        path[depth] = node
        if is_decided:
            return position, n, depth, True, False, used, state
        if floats[node, PROOF] != UNPROVEN:
            for other in range(policy.num_seats):
                results[other] = floats[node, PROOF + other]
            return position, n, depth, False, False, used, state
        position = verbs.apply(position, action)
        if limit > 0:
            keys[depth] = as_int64(verbs.key(position))


@inner
def back_up(policy, tree, memory, depth, length, simulation, is_end):
    """Adds the result of a simulation along the path, and what is learned from it. length: of the record."""
    ints, floats, path, seats, results = tree.ints, tree.floats, tree.path, tree.seats, memory.results
    ints[path[0], VISITS] += 1
    for d in range(depth, 0, -1):
        ints[path[d], VISITS] += 1
        floats[path[d], TOTAL] += results[max(seats[d - 1], 0)]
    if policy.rave > 0.0:
        add_rave(policy, tree, memory, length, depth, simulation)
    if policy.playout != po.UNIFORM:
        learn(policy, length, depth, memory)
    if is_end:
        for seat in range(policy.num_seats):
            floats[path[depth], PROOF + seat] = results[seat]
        back_up_proof(policy, tree, depth)


@inner
def tell(policy, position, seat, best, reply, tree, state):
    """Fills in a reply that has room: the root's children, and the best line from `best`."""
    children, first = tree.ints[0, COUNT], tree.ints[0, FIRST]
    for i in range(children):
        node = first + i
        reply.actions[i], reply.counts[i] = tree.ints[node, ACTION], tree.ints[node, VISITS]
        reply.values[i] = value_of(tree, node, seat)
    node, length, current = best, 0, position
    while node >= 0 and length < reply.line.shape[0]:
        action = np.int64(tree.ints[node, ACTION])
        reply.line[length] = action
        length += 1
        current = verbs.apply(current, action)
        if tree.ints[node, COUNT] <= 0 or verbs.awaits_chance(current):
            break
        node, state = choice(tree, node, verbs.to_play(current), length > 0, state)
    reply.report[reply_at.NUM_ACTIONS], reply.report[reply_at.LINE_LENGTH] = children, length


@rule(RefinedUCT)
def choose(policy, position, history, rng, scratch, deterministic):
    """The most visited action. deterministic: what is drawn follows from the position's key, ties go to the first."""
    reply, tree, memory, buffers = scratch[0], scratch[1][0], scratch[1][1], scratch[1][2]
    if verbs.legal_actions(position, memory.moves) == 1 and reply.actions.shape[0] == 0:
        return memory.moves[0]
    key, stop, report = verbs.key(position), reply.stop, reply.report
    state = mix(as_uint64(key)) if deterministic else as_uint64(rng[0])
    tree.path[0], tree.keys[0] = 0, as_int64(key)
    root = tree.path[0]  # read back: a literal 0 is a type of its own, for which all that it is handed to is compiled again
    used, simulations, longest = tree.used[0], root, root
    if tree.used[1] == 0:  # the scratch serves for many boards within an environment's step
        used = root
    if used == 0:
        new_node(tree, root, root)
        used += 1
    forget(memory)
    while simulations < policy.simulations and tree.floats[0, PROOF] == UNPROVEN and (stop[0] == 0 or simulations == 0):
        found = descend(policy, position, history, used, state, tree, memory, buffers)
        leaf, count, depth, is_end, is_leaf, used, state = found
        length = depth
        if is_leaf:
            length, state = value_leaf(policy, leaf, count, length, state, memory)
        back_up(policy, tree, memory, depth, length, simulations, is_end)
        longest = max(longest, depth)
        simulations += 1
    tree.used[0] = used
    seat = verbs.to_play(position)
    best, state = choice(tree, root, seat, deterministic, state)
    if not deterministic:
        rng[0] = state
    report[reply_at.VALUE], report[reply_at.DEPTH] = value_of(tree, best, seat), longest
    report[reply_at.NODES] = simulations
    report[reply_at.PROVEN] = tree.floats[0, PROOF] != UNPROVEN and policy.num_seats == 2
    if reply.actions.shape[0] > 0:
        tell(policy, position, seat, best, reply, tree, state)
    return np.int64(tree.ints[best, ACTION])
