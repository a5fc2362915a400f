"""Playouts of UCT: what they draw their actions by, and what they learn of them. What a leaf is worth: `uct_cutoffs.py`.

    uniform   every legal action alike
    mast      P(a) = e^(Q(a)/tau) / sum over legal b of e^(Q(b)/tau), Q(a) the mean result of all simulations in which the
              seat played a, wherever (H. Finnsson, Y. Bjornsson, "Simulation-based approach to general game playing", 2008)
    to_mast   the same, Q learned of the actions within the tree alone ("Learning simulation control in general game-playing
              agents", 2010, as are the next two)
    past      Q of pairs of a fact of the position and an action; of the pairs of an action the best that has LEAST samples
    fast      Q(a) = V of what follows, V a sum of weights of facts, learned by TD(lambda) after each simulation
    softmax   Q(a) = what the evaluation says of what follows, for the seat that acts; of an end, what it pays

A fact is a bit that is set in a field of the position: on bitboards a piece on a cell. What nothing is known of has Q = 0.
Q is for the seat that acts, in [-1, 1].
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.common import column
from boardgym.baselines.search.evaluation import horizon_of
from boardgym.baselines.search.uct_cutoffs import CUTS, is_cut, is_cut_early, note_end
from boardgym.baselines.search.uct_tree import draw_outcome, pick, value_for
from boardgym.baselines.search.uct_values import estimate, last_mover, payoff, value_by_estimates
from boardgym.compile import inlined, inner, overloaded
from boardgym.compile.registry import class_of
from boardgym.compile.words import GOLDEN, mix
from boardgym.core import verbs
from boardgym.core.bits import as_int64, as_uint64, lowest_bit, wrapping_add
from boardgym.core.random import S11

UNIFORM, MAST, TO_MAST, PAST, FAST, SOFTMAX = range(6)  # settings.playout
SEAT, ACTION, FACTS = range(3)  # columns of Memory.record; from FACTS the words of the position
SUM, COUNT, WEIGHT = range(3)  # columns of Memory.table; FAST has its weights in SUM
RECORD = 1024  # plies of a simulation that are remembered; MAX_PATH are within
PAIRS_BITS = 17  # log2 of the slots of PAST; pairs that fall on one slot are taken for one
LEAST = 10.0  # samples of a pair
STEP_SIZE = 0.05  # of FAST: the part of the error that one update takes away
TRACE_DECAY = 0.8  # of FAST: its lambda
FARTHEST = 1.0  # a learned value counts as no more than a win


class Memory(NamedTuple):
    """What a search needs beside its tree, and what playouts remember within one search. None: its option is off.

    In shapes S is the number of seats.

    moves: int64 (max_actions,), legal actions or outcomes.
    weights: float64 (max_actions,), of a draw among them.
    probabilities: float64 (max_actions,), `weights`, for what chance may do; only in games of chance.
    record: int64 (RECORD, FACTS + fields), the plies of a simulation, those within the tree first; only with RECORDS.
    table: float64 (slots, 3), what playouts have learned, see the columns; only with LEARNS.
    stamps: int64 (S * actions,), the last simulation in which a seat played an action from the ply on that is looked at; only
        with RAVE.
    results: float64 (S,), what a simulation pays each seat; only with more than two seats.
    estimates: float64 (0,), which says that leaves are worth what the evaluation says; only with ESTIMATES.
    values: float64 (0,), which says that playouts weigh actions by what the evaluation says; only with SOFTMAX.
    cuts: float64 (CUTS,), what early cut-offs go by, see `uct_cutoffs`; only with EARLY_CUTS.
    images: uint64 (max_actions,), the keys of what symmetries make of the positions after each action; only with SYMMETRY.
    horizon: the settings of the evaluation and what it computes in, see `evaluation.horizon_of`: the game's heuristic, a
        network, or another.
    """

    moves: NDArray[np.int64]
    weights: NDArray[np.float64]
    probabilities: NDArray[np.float64] | None
    record: NDArray[np.int64] | None
    table: NDArray[np.float64] | None
    stamps: NDArray[np.int64] | None
    results: NDArray[np.float64] | None
    estimates: NDArray[np.float64] | None
    values: NDArray[np.float64] | None
    cuts: NDArray[np.float64] | None
    images: NDArray[np.uint64] | None
    horizon: Any


@inner
def make_memory(policy, position, max_actions, evaluation):
    """The memory, with room for what the settings use. evaluation: its part of the policy's data."""
    weights = np.empty(max_actions, np.float64)
    record, table, stamps, results, estimates, values, cuts, images = optional_memory(policy, position, max_actions)
    probabilities, horizon = if_chance(position, weights), horizon_of(evaluation, position)
    moves = np.empty(max_actions, np.int64)
    return Memory(moves, weights, probabilities, record, table, stamps, results, estimates, values, cuts, images, horizon)


def if_chance(position: Any, weights: Any) -> Any:
    """The array in games of chance, else None: which is known at compile time."""
    return weights if verbs.has_chance(position) else None


@overloaded(if_chance)
def _if_chance(position, weights):
    has_chance = verbs.has_rule("chance", class_of(position))
    return (lambda position, weights: weights) if has_chance else (lambda position, weights: None)


def memory_of_options(policy, position, max_actions):
    """The parts of `Memory`, from `record` to `images`."""
    seats = verbs.constant(policy, "SEATS")
    return (
        column(policy, "RECORDS", (RECORD, FACTS + len(position)), np.int64),
        column(policy, "LEARNS", (slots_for(policy, position), 3), np.float64),
        column(policy, "RAVE", seats * policy.num_actions, np.int64),
        column(policy, "HAS_MORE_SEATS", seats, np.float64),
        column(policy, "ESTIMATES", 0, np.float64),
        column(policy, "SOFTMAX", 0, np.float64),
        column(policy, "EARLY_CUTS", CUTS, np.float64),
        column(policy, "SYMMETRY", max_actions, np.uint64),
    )


def remembers(kind: Any) -> bool:
    """Whether a class of settings has an option that needs them."""
    return bool(kind.HAS_MORE_SEATS or kind.RECORDS or kind.ESTIMATES or kind.SYMMETRY)


def optional_memory(policy: Any, position: Any, max_actions: int) -> Any:
    """As `memory_of_options`; None of them where there is no such option, which is quicker to compile."""
    return memory_of_options(policy, position, max_actions) if remembers(type(policy)) else (None,) * 8


@overloaded(optional_memory)
def _optional_memory(policy, position, max_actions):
    if remembers(class_of(policy)):
        return memory_of_options
    return lambda policy, position, max_actions: (None, None, None, None, None, None, None, None)


@inner
def slots_for(policy, position):
    """The rows of `Memory.table` that the settings use."""
    if policy.playout == MAST or policy.playout == TO_MAST:
        return verbs.constant(policy, "SEATS") * policy.num_actions
    if policy.playout == PAST:
        return 1 << PAIRS_BITS
    return (verbs.constant(policy, "SEATS") + 1) * len(position) * 64 if policy.playout == FAST else 1


@inner
def forget(table):
    """Begins a new search: nothing has been learned."""
    table[:, SUM], table[:, COUNT], table[:, WEIGHT] = 0.0, 0.0, 1.0


@inner
def note(record, length, action, position):
    """Remembers a ply of a simulation, its position as it was before, if there is room. Returns the length of the record."""
    if length < RECORD - 1:  # the last row is a buffer of facts
        record[length, SEAT], record[length, ACTION] = verbs.to_play(position), action
        verbs.pack(position, record[length, FACTS:])
        return length + 1
    return length


# ---------------------------------------------------------------- what is learned


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
def look_at(policy, position, action, seat, facts, memory, table, values):
    """What an action of a playout pays the seat at once, or is worth to it by FAST or SOFTMAX, else 0; whether it is the last.

    values: of the memory; None without SOFTMAX.
    """
    after = verbs.apply(position, action)
    if values is not None:
        return estimate(policy, memory.horizon, after, seat), verbs.is_terminal(after)
    if verbs.is_terminal(after):
        return verbs.returns(after, seat) * policy.scale, True
    if policy.playout != FAST:
        return 0.0, False
    verbs.pack(after, facts)
    value = learned_value(table, facts, verbs.to_play(after))[0]
    return (value if seat == 0 else -value), False


@inner
def weigh(policy, action, seat, value, facts, table):
    """The weight by which a playout draws an action. value: of `look_at`."""
    if policy.playout == UNIFORM:
        return 1.0
    if policy.playout == MAST or policy.playout == TO_MAST:
        return table[seat * policy.num_actions + action, WEIGHT]
    value = pair_value(table, facts, seat, action) if policy.playout == PAST else value
    return math.exp(value / policy.playout_temperature)


@inner
def draw_action(policy, position, count, state, memory, table, values):
    """The index in memory.moves of the action that a playout takes, drawn from a stream's state.

    Of actions that win at once, if wanted, the one that pays most.
    """
    moves, weights, seat, facts = memory.moves, memory.weights, verbs.to_play(position), memory.record[RECORD - 1, FACTS:]
    total, won, most = 0.0, np.int64(-1), 0.0
    if policy.playout == PAST:
        verbs.pack(position, facts)
    for i in range(count):
        value, is_over = 0.0, False
        if policy.playout == FAST or policy.decisive != 0 or values is not None:
            value, is_over = look_at(policy, position, moves[i], seat, facts, memory, table, values)
        if policy.decisive != 0 and is_over and value > most:
            won, most = np.int64(i), value
            if most >= 1.0:
                break
        weights[i] = weigh(policy, moves[i], seat, value, facts, table)
        total += weights[i]
    if won >= 0:
        return won
    mark, i = np.float64(mix(state) >> S11) * (1.0 / 9007199254740992.0) * total, 0
    while i + 1 < count and mark >= weights[i]:
        mark -= weights[i]
        i += 1
    return np.int64(i)


@inlined
def play_out(policy, leaf, seats, count, length, state, memory, probabilities, table, record, estimates, values, cuts):
    """The value of a new leaf: by a playout to the end or the cut, the evaluation, or both.

    seats: of the path. count: of the legal actions, that stand in memory.moves; 0 where chance is to act. length: of the path,
    and of the record so far. What comes after memory are parts of it, None where an option is off. Returns what it pays, as
    `payoff`; the plies of the playout, rolls left out; the record's new length; and the new state of the stream.
    """
    moves, position, plies, mover, depth = memory.moves, leaf, 0, np.int64(0), length
    if estimates is not None:
        mover = last_mover(leaf, seats, length)
    leaf_mover = mover
    if probabilities is not None and count == 0 and not is_cut(policy, plies, estimates):
        position, state = after_chance(position, state, moves, probabilities)
        count = verbs.legal_actions(position, moves)
    while count > 0:
        if estimates is not None and is_cut(policy, plies, estimates):
            break
        if is_cut_early(policy, cuts, memory.horizon, position, mover, depth + plies, plies, memory.results):
            break
        state = wrapping_add(state, GOLDEN)
        if table is None:
            i = pick(state, count)
        else:
            i = draw_action(policy, position, count, state, memory, table, values)
        if record is not None:
            length = note(record, length, moves[i], position)
        if estimates is not None:
            mover = np.int64(verbs.to_play(position))
        position = verbs.apply(position, moves[i])
        if probabilities is not None:
            position, state = after_chance(position, state, moves, probabilities)
        count = verbs.legal_actions(position, moves)
        plies += 1
    if cuts is not None and count == 0:
        note_end(cuts, depth + plies)
    if estimates is not None:
        value = value_by_estimates(policy, memory.horizon, position, mover, leaf, leaf_mover, memory.results)
    else:
        value = payoff(policy, position, count > 0, memory.results)
    return value, plies, length, state


@inner
def after_chance(position, state, moves, probabilities):
    """The position in which a seat is to play, or the game is over, and the new state of the stream."""
    while verbs.awaits_chance(position):
        state = wrapping_add(state, GOLDEN)
        position = verbs.apply(
            position, moves[draw_outcome(state, verbs.chance(position, moves, probabilities), probabilities)]
        )
    return position, state


# ---------------------------------------------------------------- learning


@inner
def learn(policy, length, in_tree, record, table, value, results):
    """Learns of a finished simulation. length: of the record; in_tree: of the part within the tree; value: as `value_for`."""
    if policy.playout == FAST:
        learn_weights(table, record, length, value)
    elif policy.playout != UNIFORM and policy.playout != SOFTMAX:
        for ply in range(in_tree if policy.playout == TO_MAST else length):
            seat, action = record[ply, SEAT], record[ply, ACTION]
            if seat == verbs.CHANCE:
                continue
            paid = value_for(value, results, seat)
            if policy.playout == PAST:
                learn_pairs(table, record[ply, FACTS:], seat, action, paid)
            else:
                slot = seat * policy.num_actions + action
                table[slot, SUM] += paid
                table[slot, COUNT] += 1.0
                table[slot, WEIGHT] = math.exp(table[slot, SUM] / table[slot, COUNT] / policy.playout_temperature)


@inner
def learn_pairs(table, facts, seat, action, paid):
    """PAST: counts what a simulation has paid for each fact beside the action."""
    for word in range(facts.shape[0]):
        bits = facts[word]
        while bits != 0:
            slot = pair_slot(seat, action, word, lowest_bit(bits))
            table[slot, SUM] += paid
            table[slot, COUNT] += 1.0
            bits &= bits - 1


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
