"""Minimax: alpha-beta with iterative deepening and a transposition table, generic over games of two seats.

Values are for the seat to play, in [-1, 1]; what a child is worth is negated only where the seat to play changes. The
ends of games are worth what they pay, all else is worth less than a win: at the horizon the game's heuristic, 0 if it
has none. The depth counts plies. Where chance is to act is the horizon too: nothing is looked for beyond a roll.

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
LEFT, SEAT, COUNT, INDEX, ACTION, OPEN, KILLER, KILLER_2, LENGTH, FIELDS = range(10)  # columns of Stack.frames
LOW, HIGH, BEST, FLOOR = range(4)  # columns of Stack.window
VALUE, COST = range(2)  # columns of Stack.root
VISITED, STOPPED, FINISHED, CUT = range(4)  # Stack.counters; CUT: whether the depth has cut a line
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

    frames: int64, see the column names, then the fields of the position, the actions, what puts them in order, the best
    line; OPEN: whether the horizon was reached below; KILLER: what cut last. window: float64, see the column names.
    keys: int64, of the path. success: int64 (2, slots), by seat and action. root: float64 (max_actions, 2), what was
    found of each action. counters: int64, see the names. Few arrays, because each costs compilation time.
    """

    frames: NDArray[np.int64]
    window: NDArray[np.float64]
    keys: NDArray[np.int64]
    success: NDArray[np.int64]
    root: NDArray[np.float64]
    counters: NDArray[np.int64]
    table: Table


@rule(Minimax)
def make_scratch(policy, position, max_actions, data):
    """The reply, and the stack; its table is empty at first, and emptied at no cost by a new generation."""
    plies = policy.depth + 1
    stack = Stack(
        np.empty((plies, FIELDS + len(position) + 2 * max_actions + plies), np.int64),
        np.empty((plies, 4), np.float64),
        np.empty(plies, np.int64),
        np.empty((2, HISTORY_SLOTS if policy.depth > 2 else 1), np.int64),
        np.empty((max_actions, 2), np.float64),
        np.zeros(4, np.int64),
        make_table(policy.table_bits),
    )
    return silent_reply(), stack


@inner
def payoff(policy, position, seat):
    """Value for `seat` of a game that is over; seat 1 has the opposite of seat 0."""
    value = verbs.returns(position, 0) * policy.scale
    return value if seat == 0 else -value


@inner
def drawn_payoff(policy, position, seat):
    """Value for `seat` of a game that ends by repetition."""
    value = verbs.draw_returns(position, 0) * policy.scale
    return value if seat == 0 else -value


@inner
def pick_move(frames, ply, moves_at, scores_at):
    """The best rated of the actions not yet searched; brings it to the front of them and counts it as searched."""
    index = frames[ply, INDEX]
    best = index
    for i in range(index + 1, frames[ply, COUNT]):
        if frames[ply, scores_at + i] > frames[ply, scores_at + best]:
            best = i
    action = frames[ply, moves_at + best]
    frames[ply, moves_at + best], frames[ply, scores_at + best] = frames[ply, moves_at + index], frames[ply, scores_at + index]
    frames[ply, moves_at + index], frames[ply, INDEX] = action, index + 1
    return action


@inner
def rate_moves(frames, ply, moves_at, scores_at, table_move, success):
    """Fills the scores: the table's move first, then the killers, then by success of the seat."""
    slots, seat = success.shape[1] - 1, frames[ply, SEAT]
    for i in range(frames[ply, COUNT]):
        action = frames[ply, moves_at + i]
        if action == table_move:
            score = 1 << 62
        elif action == frames[ply, KILLER]:
            score = 1 << 61
        elif action == frames[ply, KILLER_2]:
            score = 1 << 60
        else:
            score = success[seat, action & slots]
        frames[ply, scores_at + i] = score


@inner
def note_cut(frames, ply, success):
    """Remembers the action that was good enough to cut."""
    action, left = frames[ply, ACTION], frames[ply, LEFT]
    if frames[ply, KILLER] != action:
        frames[ply, KILLER_2] = frames[ply, KILLER]
        frames[ply, KILLER] = action
    success[frames[ply, SEAT], action & (success.shape[1] - 1)] += left * left


@inner
def take_line(frames, ply, line_at, action):
    """The best line from `ply`: the action, then the best line from the next ply."""
    length = frames[ply + 1, LENGTH]
    frames[ply, LENGTH], frames[ply, line_at] = length + 1, action
    for i in range(length):
        frames[ply, line_at + i + 1] = frames[ply + 1, line_at + i]


@inner
def search(policy, position, history, stop, stack, depth, low, high):
    """Alpha-beta below the root. position: at ply 1, not yet looked at. depth: plies to look ahead from there.

    Returns the value for the seat to play there, a bound where it lies outside of low and high, and whether it is closed:
    no estimate went into it. Meaningless once counters[STOPPED] is set.
    """
    frames, window, keys, success, counters = stack.frames, stack.window, stack.keys, stack.success, stack.counters
    table, limit = stack.table, verbs.repetition_limit(position)
    most = policy.max_nodes if policy.max_nodes > 0 else 1 << 62
    moves_at, max_actions = FIELDS + len(position), stack.root.shape[0]
    scores_at, line_at = moves_at + max_actions, moves_at + 2 * max_actions
    ply, current, is_new = 1, position, True
    verbs.pack(position, frames[1, FIELDS:])
    frames[1, LEFT], window[1, LOW], window[1, HIGH] = depth, low, high
    while True:
        left, value, is_closed, is_done = frames[ply, LEFT], 0.0, True, False
        has_entry = left > 1 and limit == 0 and table.values.shape[0] > 1
        if is_new:
            counters[VISITED] += 1
            if stop[0] != 0 or counters[VISITED] > most:
                counters[STOPPED] = 1
                return 0.0, False
            seat, table_move, frames[ply, LENGTH] = verbs.to_play(current), -1, 0
            if verbs.has_chance(current) and seat == verbs.CHANCE:  # valued for the seat that has not moved
                seat, left = 1 - frames[ply - 1, SEAT], 0
            if has_entry or limit > 0:
                keys[ply] = as_int64(verbs.key(current))
            if left > 0:
                count = verbs.legal_actions(current, frames[ply, moves_at:])
            else:
                count = int(not verbs.is_terminal(current))
            if count == 0:
                value, is_done = payoff(policy, current, seat), True
            elif limit > 0 and is_repeated(current, history, keys, ply):
                value, is_done = drawn_payoff(policy, current, seat), True
            elif left == 0:
                value = min(max(verbs.heuristic(current, seat), -NEARLY_ONE), NEARLY_ONE)
                is_closed, is_done = False, True
                if frames[ply, LEFT] == 0:
                    counters[CUT] = 1
            elif has_entry:
                slot = find_entry(table, keys[ply])
                if slot >= 0:
                    table_move, value, is_closed, is_done = read_entry(table, slot, left, window[ply, LOW], window[ply, HIGH])
                    if is_done and not is_closed:
                        counters[CUT] = 1
            if not is_done:
                frames[ply, SEAT], frames[ply, COUNT], frames[ply, INDEX], frames[ply, OPEN] = seat, count, 0, 0
                window[ply, BEST], window[ply, FLOOR] = -BEYOND, window[ply, LOW]
                rate_moves(frames, ply, moves_at, scores_at, table_move, success)
        else:
            seat, best, high = frames[ply, SEAT], window[ply, BEST], window[ply, HIGH]
            if best >= min(high, 1.0) or frames[ply, INDEX] == frames[ply, COUNT]:
                value, is_done = best, True
                is_closed = frames[ply, OPEN] == 0 or best >= 1.0 or best <= -1.0
                if best >= high:
                    note_cut(frames, ply, success)
                if has_entry:
                    bound = LOWER if best >= high else (UPPER if best <= window[ply, FLOOR] else EXACT)
                    store_entry(table, keys[ply], left, bound, is_closed, frames[ply, ACTION], best)
        if not is_done:  # one ply down
            child = verbs.apply(current, pick_move(frames, ply, moves_at, scores_at))
            is_turned = verbs.to_play(child) != seat
            window[ply + 1, LOW] = -window[ply, HIGH] if is_turned else window[ply, LOW]
            window[ply + 1, HIGH] = -window[ply, LOW] if is_turned else window[ply, HIGH]
            ply += 1
            frames[ply, LEFT] = left - 1
            verbs.pack(child, frames[ply, FIELDS:])
            current, is_new = child, True
            continue
        if ply == 1:
            return value, is_closed
        ply -= 1  # one ply up, with the value of a child
        current, is_new = verbs.unpack(position, frames[ply, FIELDS:]), False
        if seat != frames[ply, SEAT]:
            value = -value
        if not is_closed:
            frames[ply, OPEN] = 1
        if value > window[ply, BEST]:
            action = frames[ply, moves_at + frames[ply, INDEX] - 1]
            window[ply, BEST], frames[ply, ACTION] = value, action
            if value > window[ply, LOW]:
                window[ply, LOW] = value
                take_line(frames, ply, line_at, action)


@inner
def root_index(turn, first):
    """Which action is searched in a turn: the one at `first`, then the others in order."""
    if turn == 0:
        return first
    return turn - 1 if turn <= first else turn


@inner
def search_root(policy, position, history, stop, stack, moves, depth, first, is_wide):
    """One iteration over the root's actions. moves: int64, all of them. first: the index to begin with.

    Returns the index of the best action, the first of equals; -1 if the search was stopped before one was finished; its
    value; and whether that is closed. is_wide: find the exact value of each action.
    """
    counters, seat, count = stack.counters, verbs.to_play(position), moves.shape[0]
    stack.frames[0, SEAT] = seat
    line_at = stack.frames.shape[1] - stack.frames.shape[0]
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
        stack.root[i, VALUE] = value
        stack.root[i, COST] += counters[VISITED] - before
        all_closed = all_closed and is_closed
        if value > top or (value == top and i < best):
            best, top = i, value
            take_line(stack.frames, 0, line_at, moves[i])
    return best, top, all_closed or top >= 1.0 or top <= -1.0


@inner
def copy_line(frames, line, report):
    """Keeps the root's best line in a reply that has room."""
    length, line_at = min(frames[0, LENGTH], line.shape[0]), frames.shape[1] - frames.shape[0]
    for i in range(length):
        line[i] = frames[0, line_at + i]
    report[reply_at.LINE_LENGTH] = length


@inner
def deepen(policy, position, history, reply, stack, moves):
    """Iterative deepening. Returns the index of the action to play; the reply's report is filled in."""
    counters, report, is_wide = stack.counters, reply.report, reply.actions.shape[0] > 0
    best, value, reached, is_proven = 0, 0.0, 0, False
    report[reply_at.LINE_LENGTH] = 0
    for depth in range(1, policy.depth + 1):
        counters[FINISHED], counters[CUT] = 0, 0
        found, top, is_proven = search_root(policy, position, history, reply.stop, stack, moves, depth, best, is_wide)
        if counters[STOPPED]:
            is_proven = found >= 0 and top >= 1.0
            if found >= 0 and top > -1.0:
                best, value = found, top
                copy_line(stack.frames, reply.line, report)
            elif 0 < counters[FINISHED] < moves.shape[0]:  # what has been finished is lost: rather play what has not
                best = root_index(counters[FINISHED], best)
                report[reply_at.LINE_LENGTH] = 0
            break
        reached, value = depth, top
        if top <= -1.0 and depth > 1:
            break
        best = found
        copy_line(stack.frames, reply.line, report)
        if is_proven or counters[CUT] == 0:
            break
    report[reply_at.VALUE], report[reply_at.DEPTH], report[reply_at.PROVEN] = value, reached, is_proven
    report[reply_at.NODES] = counters[VISITED]
    return best


@rule(Minimax)
def choose(policy, position, history, rng, scratch, deterministic):
    """The best action at the greatest depth searched; see the head of this file for ties."""
    reply, stack = scratch[0], scratch[1]
    moves, counters = stack.frames[0, FIELDS + len(position) :], stack.counters
    count = verbs.legal_actions(position, moves)
    is_wide = reply.actions.shape[0] > 0
    if count == 1 and not is_wide:
        return moves[0]
    moves = moves[:count]
    if not deterministic:
        for i in range(count - 1, 0, -1):
            j = draw(rng, i + 1)
            moves[i], moves[j] = moves[j], moves[i]
    counters[VISITED], counters[STOPPED] = 0, 0
    stack.table.generation[0] += 1
    for ply in range(policy.depth + 1):
        stack.frames[ply, KILLER], stack.frames[ply, KILLER_2] = -1, -1
    for slot in range(stack.success.shape[1]):
        stack.success[0, slot], stack.success[1, slot] = 0, 0
    for i in range(count):
        stack.root[i, COST] = 0.0
    stack.keys[0] = as_int64(verbs.key(position))
    best = deepen(policy, position, history, reply, stack, moves)
    if is_wide:
        for i in range(count):
            reply.actions[i], reply.values[i], reply.counts[i] = moves[i], stack.root[i, VALUE], int(stack.root[i, COST])
        reply.report[reply_at.NUM_ACTIONS] = count
    return moves[best]


def table_bits_for(game: Game, depth: int, max_nodes: int) -> int:
    """log2 of the table's size: none for depths that do not need one, or where positions depend on more than their key."""
    if depth <= 2 or game.clocks or game.repetition_limit > 0:
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
    is_short = game.max_legal_actions**depth <= SHORT_NODES or 0 < max_nodes <= SHORT_NODES
    return SearchPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed)
