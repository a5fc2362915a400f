"""Minimax: alpha-beta with iterative deepening and a transposition table, generic over games of two seats.

Values are for the seat to play, in [-1, 1]; what a child is worth is negated only where the seat to play changes. The
ends of games are worth what they pay, all else is worth less than a win: at the horizon the game's heuristic, 0 if it
has none. The depth counts plies.

What is found does not depend on order, table or killers: the value of a depth is that of plain minimax, so the table
answers only for equal remaining depth, or from subtrees that ended within theirs. Deepening stops at a proven win, which
is thus the shortest; when a loss is proven, the choice of the iteration before stands, which resists longest. Of equally
good actions the first is played, or, unless deterministic, one at random: the root's order is shuffled.

Source: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975 (fail-soft form); killers and history as in J.
Schaeffer, "The history heuristic and alpha-beta search enhancements in practice", 1989.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search.common import is_repeated, read_budget, require_two_seats, scale_of, silent_reply
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.table import EXACT, LOWER, UPPER, Table, find_entry, make_table, read_entry, store_entry
from boardgym.core import verbs
from boardgym.core.bits import as_int64
from boardgym.core.cache import inner
from boardgym.core.game import Game
from boardgym.core.policy import Spec, refuse_extras
from boardgym.core.random import draw
from boardgym.core.verbs import rule

MAX_DEPTH = 100
SHORT_NODES = 1_000_000  # positions that a search can visit at most: below, it is too short to need interrupting
BEYOND = 2.0  # above every value: the open window, in which lost lines are kept too
TINY = 1e-9  # to let an equal value pass a bound
NEARLY_ONE = 1.0 - 1e-6  # bound of heuristics: only the end of a game is worth 1
LEFT, SEAT, COUNT, INDEX, ACTION, OPEN = range(6)  # columns of Stack.state
LOW, HIGH, BEST, FLOOR = range(4)  # columns of Stack.window
VISITED, STOPPED, FINISHED = range(3)  # Stack.counters
HISTORY_SLOTS = 512


class Minimax(NamedTuple):
    """Settings of minimax. max_nodes: 0 for no limit. table_bits: log2 of the table's size, 0 for none.

    scale: turns returns into values in [-1, 1].
    """

    depth: int
    max_nodes: int
    table_bits: int
    scale: float


class Stack(NamedTuple):
    """The path that is being searched, one row a ply, ply 0 the root; and what the search remembers.

    rows: int64, positions. moves, scores: int64 (plies, max_actions), actions and what puts them in order. state: int64,
    window: float64, see the column names; OPEN: whether the horizon was reached below. killers: int64 (plies, 2), what
    cut last. lines: int64, length and actions of the best line. keys: int64, of the path. success: int64 (2, slots), by
    seat and action. values, costs: of the root's actions. counters: int64, see the names.
    """

    rows: NDArray[np.int64]
    moves: NDArray[np.int64]
    scores: NDArray[np.int64]
    state: NDArray[np.int64]
    window: NDArray[np.float64]
    killers: NDArray[np.int64]
    lines: NDArray[np.int64]
    keys: NDArray[np.int64]
    success: NDArray[np.int64]
    values: NDArray[np.float64]
    costs: NDArray[np.int64]
    counters: NDArray[np.int64]
    table: Table


@rule(Minimax)
def make_scratch(policy, position, max_actions):
    """The reply, and the stack; its table is empty at first, and emptied at no cost by a new generation."""
    plies = policy.depth + 1
    stack = Stack(
        np.empty((plies, len(position)), np.int64),
        np.empty((plies, max_actions), np.int64),
        np.empty((plies, max_actions), np.int64),
        np.empty((plies, 6), np.int64),
        np.empty((plies, 4), np.float64),
        np.empty((plies, 2), np.int64),
        np.empty((plies, plies + 1), np.int64),
        np.empty(plies, np.int64),
        np.empty((2, HISTORY_SLOTS if policy.depth > 2 else 1), np.int64),
        np.empty(max_actions, np.float64),
        np.empty(max_actions, np.int64),
        np.zeros(3, np.int64),
        make_table(policy.table_bits),
    )
    return silent_reply(), stack


@inner
def payoff(policy, position, seat):
    """Value for `seat` of a game that is over; seat 1 has the opposite of seat 0."""
    value = verbs.returns(position, 0) * policy.scale
    return value if seat == 0 else -value


@inner
def pick_move(moves, scores, count, index):
    """Brings the best rated of the moves not yet searched to `index`."""
    best = index
    for i in range(index + 1, count):
        if scores[i] > scores[best]:
            best = i
    action = moves[best]
    moves[best], scores[best] = moves[index], scores[index]
    moves[index] = action
    return action


@inner
def rate_moves(moves, scores, count, table_move, killers, success):
    """Fills scores: the table's move first, then the killers, then by success. success: int64 (slots,) of the seat."""
    slots = success.shape[0] - 1
    for i in range(count):
        action = moves[i]
        if action == table_move:
            scores[i] = 1 << 62
        elif action == killers[0]:
            scores[i] = 1 << 61
        elif action == killers[1]:
            scores[i] = 1 << 60
        else:
            scores[i] = success[action & slots]


@inner
def note_cut(killers, success, action, left):
    """Remembers an action that was good enough to cut."""
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    success[action & (success.shape[0] - 1)] += left * left


@inner
def take_line(lines, ply, action):
    """The best line from `ply`: the action, then the best line from the next ply."""
    length = lines[ply + 1, 0]
    lines[ply, 0], lines[ply, 1] = length + 1, action
    for i in range(length):
        lines[ply, i + 2] = lines[ply + 1, i + 1]


@inner
def search(policy, position, history, stop, stack, depth, low, high):
    """Alpha-beta below the root. position: at ply 1, not yet looked at. depth: plies to look ahead from there.

    Returns the value for the seat to play there, a bound where it lies outside of low and high, and whether it is closed:
    no estimate went into it. Meaningless once counters[STOPPED] is set.
    """
    rows, moves, scores, state, window = stack.rows, stack.moves, stack.scores, stack.state, stack.window
    killers, lines, keys, success, counters = stack.killers, stack.lines, stack.keys, stack.success, stack.counters
    table, limit = stack.table, verbs.repetition_limit(position)
    most = policy.max_nodes if policy.max_nodes > 0 else 1 << 62
    ply, current, is_new = 1, position, True
    verbs.pack(position, rows[1])
    state[1, LEFT], window[1, LOW], window[1, HIGH] = depth, low, high
    while True:
        left, value, is_closed, is_done = state[ply, LEFT], 0.0, True, False
        has_entry = left > 1 and limit == 0 and table.keys.shape[0] > 1
        if is_new:
            counters[VISITED] += 1
            if stop[0] != 0 or counters[VISITED] > most:
                counters[STOPPED] = 1
                return 0.0, False
            seat, table_move, lines[ply, 0] = verbs.to_play(current), -1, 0
            if has_entry or limit > 0:
                keys[ply] = as_int64(verbs.key(current))
            count = verbs.legal_actions(current, moves[ply]) if left > 0 else int(not verbs.is_terminal(current))
            if count == 0:
                value, is_done = payoff(policy, current, seat), True
            elif limit > 0 and is_repeated(history, keys, ply, limit):
                is_done = True
            elif left == 0:
                value = min(max(verbs.heuristic(current, seat), -NEARLY_ONE), NEARLY_ONE)
                is_closed, is_done = False, True
            elif has_entry:
                slot = find_entry(table, keys[ply])
                if slot >= 0:
                    table_move, value, is_closed, is_done = read_entry(table, slot, left, window[ply, LOW], window[ply, HIGH])
            if not is_done:
                rate_moves(moves[ply], scores[ply], count, table_move, killers[ply], success[seat])
                state[ply, SEAT], state[ply, COUNT], state[ply, INDEX], state[ply, OPEN] = seat, count, 0, 0
                window[ply, BEST], window[ply, FLOOR] = -BEYOND, window[ply, LOW]
        else:
            seat, best, high = state[ply, SEAT], window[ply, BEST], window[ply, HIGH]
            if best >= min(high, 1.0) or state[ply, INDEX] == state[ply, COUNT]:
                value, is_done = best, True
                is_closed = state[ply, OPEN] == 0 or best >= 1.0 or best <= -1.0
                if best >= high:
                    note_cut(killers[ply], success[seat], state[ply, ACTION], left)
                if has_entry:
                    bound = LOWER if best >= high else (UPPER if best <= window[ply, FLOOR] else EXACT)
                    store_entry(table, keys[ply], left, bound, is_closed, state[ply, ACTION], best)
        if not is_done:  # one ply down
            child = verbs.apply(current, pick_move(moves[ply], scores[ply], state[ply, COUNT], state[ply, INDEX]))
            is_turned = verbs.to_play(child) != seat
            window[ply + 1, LOW] = -window[ply, HIGH] if is_turned else window[ply, LOW]
            window[ply + 1, HIGH] = -window[ply, LOW] if is_turned else window[ply, HIGH]
            state[ply, INDEX] += 1
            state[ply + 1, LEFT] = left - 1
            ply += 1
            verbs.pack(child, rows[ply])
            current, is_new = child, True
            continue
        if ply == 1:
            return value, is_closed
        ply -= 1  # one ply up, with the value of a child
        current, is_new = verbs.unpack(position, rows[ply]), False
        if seat != state[ply, SEAT]:
            value = -value
        if not is_closed:
            state[ply, OPEN] = 1
        if value > window[ply, BEST]:
            action = moves[ply, state[ply, INDEX] - 1]
            window[ply, BEST], state[ply, ACTION] = value, action
            if value > window[ply, LOW]:
                window[ply, LOW] = value
                take_line(lines, ply, action)


@inner
def root_index(turn, first):
    """Which action is searched in a turn: the one at `first`, then the others in order."""
    if turn == 0:
        return first
    return turn - 1 if turn <= first else turn


@inner
def search_root(policy, position, history, stop, stack, depth, count, first, is_wide):
    """One iteration over the root's actions, stack.moves[0, :count]. first: the index to begin with.

    Returns the index of the best action, the first of equals; -1 if the search was stopped before one was finished; its
    value; and whether that is closed. is_wide: find the exact value of each action.
    """
    moves, counters, seat = stack.moves[0], stack.counters, verbs.to_play(position)
    best, top, all_closed = -1, -BEYOND, True
    for turn in range(count):
        i = root_index(turn, first)
        low = -BEYOND
        if best >= 0 and not is_wide:
            low = top if i > best else top - TINY
            if low >= 1.0:
                continue
        child, before = verbs.apply(position, moves[i]), counters[VISITED]
        is_turned = verbs.to_play(child) != seat
        floor, ceiling = (-BEYOND, -low) if is_turned else (low, BEYOND)
        value, is_closed = search(policy, child, history, stop, stack, depth - 1, floor, ceiling)
        if counters[STOPPED]:
            break
        counters[FINISHED] = turn + 1
        if is_turned:
            value = -value
        stack.values[i] = value
        stack.costs[i] += counters[VISITED] - before
        all_closed = all_closed and is_closed
        if value > top or (value == top and i < best):
            best, top = i, value
            take_line(stack.lines, 0, moves[i])
    return best, top, all_closed or top >= 1.0 or top <= -1.0


@inner
def copy_line(lines, line, report):
    """Keeps the root's best line in a reply that has room."""
    length = min(lines[0, 0], line.shape[0])
    for i in range(length):
        line[i] = lines[0, i + 1]
    report[reply_at.LINE_LENGTH] = length


@inner
def deepen(policy, position, history, reply, stack, count):
    """Iterative deepening. Returns the index of the action to play; the reply's report is filled in."""
    counters, report, is_wide = stack.counters, reply.report, reply.actions.shape[0] > 0
    best, value, reached, is_proven = 0, 0.0, 0, False
    report[reply_at.LINE_LENGTH] = 0
    for depth in range(1, policy.depth + 1):
        counters[FINISHED] = 0
        found, top, is_proven = search_root(policy, position, history, reply.stop, stack, depth, count, best, is_wide)
        if counters[STOPPED]:
            is_proven = found >= 0 and top >= 1.0
            if found >= 0 and top > -1.0:
                best, value = found, top
                copy_line(stack.lines, reply.line, report)
            elif 0 < counters[FINISHED] < count:  # what has been finished is lost: rather play what has not
                best = root_index(counters[FINISHED], best)
                report[reply_at.LINE_LENGTH] = 0
            break
        reached, value = depth, top
        if top <= -1.0 and depth > 1:
            break
        best = found
        copy_line(stack.lines, reply.line, report)
        if is_proven:
            break
    report[reply_at.VALUE], report[reply_at.DEPTH], report[reply_at.PROVEN] = value, reached, is_proven
    report[reply_at.NODES] = counters[VISITED]
    return best


@rule(Minimax)
def choose(policy, position, history, rng, scratch, deterministic):
    """The best action at the greatest depth searched; see the head of this file for ties."""
    reply, stack = scratch[0], scratch[1]
    moves, counters = stack.moves[0], stack.counters
    count = verbs.legal_actions(position, moves)
    is_wide = reply.actions.shape[0] > 0
    if count == 1 and not is_wide:
        return moves[0]
    if not deterministic:
        for i in range(count - 1, 0, -1):
            j = draw(rng, i + 1)
            moves[i], moves[j] = moves[j], moves[i]
    counters[VISITED], counters[STOPPED] = 0, 0
    stack.table.generation[0] += 1
    stack.killers[:] = -1
    stack.success[:] = 0
    stack.costs[:] = 0
    stack.keys[0] = as_int64(verbs.key(position))
    best = deepen(policy, position, history, reply, stack, count)
    if is_wide:
        reply.actions[:count], reply.values[:count] = moves[:count], stack.values[:count]
        reply.counts[:count] = stack.costs[:count]
        reply.report[reply_at.NUM_ACTIONS] = count
    return moves[best]


def table_bits_for(game: Game, depth: int, max_nodes: int) -> int:
    """log2 of the table's size: none for depths that do not need one, or where positions depend on more than their key."""
    if depth <= 2 or game.clocks or verbs.repetition_limit(game.start) > 0:
        return 0
    bits = min(20, 2 * depth - 1)
    return max(1, min(bits, max_nodes.bit_length())) if max_nodes else bits


def make_minimax(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`minimax:D`, `minimax:0.5s`; nodes= the most positions to visit, time= a limit besides the depth.

    Raises SpecError, UnsupportedGameError.
    """
    refuse_extras(spec, keywords=("nodes", "time"))
    require_two_seats(spec, game)
    number, seconds, nodes = read_budget(spec, "the depth in plies", MAX_DEPTH)
    depth, max_nodes = number or MAX_DEPTH, nodes or 0
    settings = Minimax(depth, max_nodes, table_bits_for(game, depth, max_nodes), scale_of(game))
    is_short = min(game.max_legal_actions**depth, max_nodes or SHORT_NODES) <= SHORT_NODES
    return SearchPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed)
