"""Playouts of the refined UCT: what they draw their actions by, what they learn of them, and where they are cut.

    uniform   every legal action alike
    mast      P(a) = e^(Q(a)/tau) / sum over legal b of e^(Q(b)/tau), Q(a) the mean result of all simulations in which the
              seat played a, wherever (H. Finnsson, Y. Bjornsson, "Simulation-based approach to general game playing", 2008)
    to_mast   the same, Q learned of the actions within the tree alone ("Learning simulation control in general game-playing
              agents", 2010, as are the next two)
    past      Q of pairs of a fact of the position and an action; of the pairs of an action the best that has LEAST samples
    fast      Q(a) = V of what follows, V a sum of weights of facts, learned by TD(lambda) after each simulation

A fact is a bit that is set in a field of the position: on bitboards a piece on a cell. What nothing is known of has Q = 0.
Q is for the seat that acts, in [-1, 1].
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.uct import after_chance, pick
from boardgym.compile import inner
from boardgym.compile.words import GOLDEN, mix
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, lowest_bit, wrapping_add
from boardgym.core.random import S11

UNIFORM, MAST, TO_MAST, PAST, FAST = range(5)  # settings.playout
PLAYOUT, HEURISTIC, MIX = range(3)  # settings.leaf
SEAT, ACTION, FACTS = range(3)  # columns of Memory.record; from FACTS the words of the position
SUM, COUNT, WEIGHT = range(3)  # columns of Memory.table; FAST has its weights in SUM
RECORD = 1024  # plies of a simulation that are remembered; MAX_PATH are within
PAIRS_BITS = 17  # log2 of the slots of PAST; pairs that fall on one slot are taken for one
LEAST = 10.0  # samples of a pair
STEP_SIZE = 0.05  # of FAST: the part of the error that one update takes away
TRACE_DECAY = 0.8  # of FAST: its lambda
FARTHEST = 1.0  # a learned value counts as no more than a win


class Memory(NamedTuple):
    """What playouts need and remember within one search.

    record: int64 (RECORD, FACTS + fields), the plies of a simulation, those within the tree first. table: float64 (slots,
    3), see the columns. stamps: int64 (seats * actions,), the last simulation in which a seat played an action from the ply
    on that is looked at. results, estimates: float64 (seats,). moves: int64, odds: float64 (max_actions,).
    """

    record: NDArray[np.int64]
    table: NDArray[np.float64]
    stamps: NDArray[np.int64]
    results: NDArray[np.float64]
    estimates: NDArray[np.float64]
    moves: NDArray[np.int64]
    odds: NDArray[np.float64]


@inner
def make_memory(policy, position, max_actions):
    """The memory, with room for what the settings use."""
    slots = 1
    if policy.playout == MAST or policy.playout == TO_MAST:
        slots = policy.num_seats * policy.num_actions
    elif policy.playout == PAST:
        slots = 1 << PAIRS_BITS
    elif policy.playout == FAST:
        slots = (policy.num_seats + 1) * len(position) * 64
    return Memory(
        np.empty((RECORD, FACTS + len(position)), np.int64),
        np.empty((slots, 3), np.float64),
        np.empty(policy.num_seats * policy.num_actions if policy.rave > 0.0 else 1, np.int64),
        np.empty(policy.num_seats, np.float64),
        np.empty(policy.num_seats, np.float64),
        np.empty(max_actions, np.int64),
        np.empty(max_actions, np.float64),
    )


@inner
def forget(memory):
    """Makes the memory ready for a new search."""
    for slot in range(memory.table.shape[0]):
        memory.table[slot, SUM], memory.table[slot, COUNT], memory.table[slot, WEIGHT] = 0.0, 0.0, 1.0
    memory.stamps[:] = -1


@inner
def note(record, ply, seat, action, position):
    """Remembers a ply, its position as it was before."""
    record[ply, SEAT], record[ply, ACTION] = seat, action
    verbs.pack(position, record[ply, FACTS:])


@inner
def estimate(policy, position, out):
    """The game's heuristic for each seat, held within [-1, 1]; of a game that is over, what it pays."""
    is_over = verbs.is_terminal(position)
    for seat in range(policy.num_seats):
        value = verbs.returns(position, seat) * policy.scale if is_over else verbs.heuristic(position, seat)
        out[seat] = min(max(value, -1.0), 1.0)


@inner
def pair_slot(seat, action, word, bit):
    """The slot of PAST for a fact and an action."""
    key = ((as_uint64(seat) * np.uint64(64) + as_uint64(word)) * np.uint64(64) + as_uint64(bit)) * np.uint64(1 << 20)
    return as_int64(mix(key + as_uint64(action)) & np.uint64((1 << PAIRS_BITS) - 1))


@inner
def pair_value(table, facts, seat, action):
    """PAST: the best mean of the action's pairs that have enough samples, 0 if none has."""
    best = -np.inf
    for word in range(facts.shape[0]):
        bits = facts[word]
        while bits != 0:
            slot = pair_slot(seat, action, word, lowest_bit(bits))
            if table[slot, COUNT] >= LEAST:
                best = max(best, table[slot, SUM] / table[slot, COUNT])
            bits &= bits - 1
    return best if best > -np.inf else 0.0


@inner
def learned_value(table, facts, seat):
    """FAST: the value for seat 0 of a position by its facts, and how many there are. seat: to play, or CHANCE."""
    value, count, first = 0.0, 0, (seat + 1) * facts.shape[0]
    for word in range(facts.shape[0]):
        bits = facts[word]
        while bits != 0:
            value += table[(first + word) * 64 + lowest_bit(bits), SUM]
            count += 1
            bits &= bits - 1
    return min(max(value, -FARTHEST), FARTHEST), count


@inner
def draw_action(policy, position, seat, count, state, memory):
    """The index in memory.moves of the action that a playout takes, and the new state of the stream.

    Of actions that win at once, if wanted, the one that pays most.
    """
    moves, odds, table, total = memory.moves, memory.odds, memory.table, 0.0
    kind, facts = policy.playout, memory.record[RECORD - 1, FACTS:]
    won, most = np.int64(-1), 0.0
    state = wrapping_add(state, GOLDEN)
    if kind == UNIFORM and policy.decisive == 0:
        return pick(state, count), state
    if kind == PAST:
        verbs.pack(position, facts)
    for i in range(count):
        action, value = moves[i], 0.0
        if kind == FAST or policy.decisive != 0:
            after = verbs.apply(position, action)
            is_over = verbs.is_terminal(after)
            if is_over:
                value = verbs.returns(after, seat) * policy.scale
                if policy.decisive != 0 and value > most:
                    won, most = np.int64(i), value
                    if most >= 1.0:
                        break
            elif kind == FAST:
                verbs.pack(after, facts)
                value = learned_value(table, facts, verbs.to_play(after))[0]
                value = value if seat == 0 else -value
        if kind in (MAST, TO_MAST):
            odds[i] = table[seat * policy.num_actions + action, WEIGHT]
        elif kind == UNIFORM:
            odds[i] = 1.0
        else:
            odds[i] = math.exp((pair_value(table, facts, seat, action) if kind == PAST else value) / policy.playout_temperature)
        total += odds[i]
    if won >= 0:
        return won, state
    mark, i = np.float64(mix(state) >> S11) * (1.0 / 9007199254740992.0) * total, 0
    while i + 1 < count and mark >= odds[i]:
        mark -= odds[i]
        i += 1
    return i, state


@inner
def value_leaf(policy, leaf, count, length, state, memory):
    """The value of a new leaf for each seat, into memory.results: by a playout to the end or the cut, the heuristic, or both.

    count: of the legal actions, that stand in memory.moves; 0 where chance is to act. length: of the record so far.
    Returns its new length and the new state of the stream.
    """
    moves, odds, results, position = memory.moves, memory.odds, memory.results, leaf
    most = policy.cutoff if policy.cutoff > 0 else 1 << 62
    plies = 0 if policy.leaf != HEURISTIC else most
    if verbs.has_chance(position) and count == 0 and plies < most:
        position, state = after_chance(position, state, moves, odds)
        count = verbs.legal_actions(position, moves)
    while count > 0 and plies < most:
        seat = verbs.to_play(position)
        i, state = draw_action(policy, position, seat, count, state, memory)
        action = moves[i]
        if length < RECORD - 1:  # the last row is a buffer of facts
            note(memory.record, length, seat, action, position)
            length += 1
        position = verbs.apply(position, action)
        if verbs.has_chance(position):
            position, state = after_chance(position, state, moves, odds)
        count = verbs.legal_actions(position, moves)
        plies += 1
    for turn in range(2 if policy.leaf == MIX else 1):
        estimate(policy, position if turn == 0 else leaf, results if turn == 0 else memory.estimates)
    if policy.leaf == MIX:
        for seat in range(policy.num_seats):
            results[seat] = policy.mix * results[seat] + (1.0 - policy.mix) * memory.estimates[seat]
    return length, state


@inner
def learn(policy, length, in_tree, memory):
    """Learns of a finished simulation. length: of the record; in_tree: of the part within the tree."""
    record, table, results = memory.record, memory.table, memory.results
    if policy.playout == FAST:
        learn_weights(table, record, length, results[0])
        return
    for ply in range(in_tree if policy.playout == TO_MAST else length):
        seat, action = record[ply, SEAT], record[ply, ACTION]
        if seat == verbs.CHANCE:
            continue
        if policy.playout == PAST:
            for word in range(record.shape[1] - FACTS):
                bits = record[ply, FACTS + word]
                while bits != 0:
                    slot = pair_slot(seat, action, word, lowest_bit(bits))
                    table[slot, SUM] += results[seat]
                    table[slot, COUNT] += 1.0
                    bits &= bits - 1
        else:
            slot = seat * policy.num_actions + action
            table[slot, SUM] += results[seat]
            table[slot, COUNT] += 1.0
            table[slot, WEIGHT] = math.exp(table[slot, SUM] / table[slot, COUNT] / policy.playout_temperature)


@inner
def learn_weights(table, record, length, result):
    """FAST: from the last ply back, V(s) <- V(s) + rate (R - V(s)), R the lambda-return; the change is shared by the facts."""
    target = result
    for ply in range(length - 1, -1, -1):
        facts, seat = record[ply, FACTS:], record[ply, SEAT]
        value, count = learned_value(table, facts, seat)
        if count > 0:
            change, first = STEP_SIZE * (target - value) / count, (seat + 1) * facts.shape[0]
            for word in range(facts.shape[0]):
                bits = facts[word]
                while bits != 0:
                    table[(first + word) * 64 + lowest_bit(bits), SUM] += change
                    bits &= bits - 1
        target = (1.0 - TRACE_DECAY) * value + TRACE_DECAY * target
