"""Minimax: alpha-beta with iterative deepening and a transposition table, generic over games of two seats, with chance or not.

Values are for the seat to play, in [-1, 1]. The ends of games are worth what they pay, all else is worth less than a win: at
the horizon the game's heuristic, 0 if it has none. The depth counts plies. Where chance is to act is the horizon too: nothing
is looked for beyond a roll. With ROLLS (expectiminimax) a roll is worth the mean of its outcomes, weighted by their
probabilities, and is looked through on the way, but not after the last ply; pruning leaves the value of the root unchanged, but
for the last bits of its sums. Heuristics have to be expectations for that, not only an order.

With TURNS the depth counts turns: all plies of a seat until another one is to play, or dice are to be rolled. Within a turn the
orders of the same plies meet again, and what they lead to is searched once: it can be worth no more the second time. In games
with clocks or repetition, where it could, all orders are searched.

What is found does not depend on order, table or killers: the value of a depth is that of plain minimax, so the table
answers only for equal remaining depth, or from subtrees that ended within theirs. Deepening stops at a proven win, which
is thus the shortest; when a loss is proven, the choice of the iteration before stands, which resists longest. Of equally
good actions the first is played, or, unless deterministic, one at random: the root's order is shuffled.

The class of the settings says by its constants which options are on, and only those are compiled (`alphabeta_stack.py`):
REFINED, the table, killers, history and alpha-beta itself can be off, the order is another, windows are narrowed (principal
variation search, aspiration), actions are left out by a beam, repeating costs (`avoid`). SELECTIVE, with REFINED: quiescence,
singular extensions, ProbCut. ROLLS: as said above, with Star1 and Star2. docs/search_minimax.md has a section on each.

This file is the root of the search; what lies below it, with the sources, is in `alphabeta.py`.
"""

from typing import NamedTuple

import numpy as np

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search.alphabeta import search_child
from boardgym.baselines.search.alphabeta_stack import (
    BEYOND,
    COST,
    COUNTS,
    CUT,
    FINISHED,
    NEARLY_ONE,
    NO_ACTION,
    NONE,
    ONE,
    STOPPED,
    TINY,
    VALUE,
    VISITED,
    Memory,
    Stack,
    begin_turn,
    bring_best,
    clear_counts,
    copy_counts,
    copy_line,
    left_after,
    make_turns,
    options_of,
    take_line,
)
from boardgym.baselines.search.common import column, silent_reply
from boardgym.baselines.search.evaluation import horizon_of
from boardgym.baselines.search.table import make_table
from boardgym.compile import inner
from boardgym.compile.references import lend
from boardgym.core import engine, verbs
from boardgym.core.bits import as_int64
from boardgym.core.random import draw
from boardgym.core.verbs import rule

MAX_DEPTH = 100
MAX_EXTENSIONS = 4  # plies by which singular extensions may lengthen a path
HISTORY_SLOTS = 512
TURN_PLIES = 4  # those of the longest usual turn, Backgammon's doubles; longer ones are searched as far as there is room,
LEAST_PLIES = 64  # which is never less than for so many plies and rolls


class Minimax(NamedTuple):
    """Settings of plain minimax. max_nodes: 0 for no limit. table_bits: log2 of the table's size, 0 for none.

    scale: turns returns into values in [-1, 1].
    """

    REFINED = SELECTIVE = ROLLS = TURNS = False  # type: ignore[misc]

    depth: int
    max_nodes: int
    table_bits: int
    scale: float


class RefinedMinimax(NamedTuple):
    """Settings of minimax with options.

    depth, max_nodes, table_bits, scale: as `Minimax`. alphabeta, killers, history, pvs: 0 or 1. order: GIVEN, BY_HEURISTIC or
    WORST_FIRST. aspiration: half the width of the root's window, 0 for none. quiescence: the most plies of it. singular: the
    margin, 0 for none. beam: the width, 0 for none. probcut: t, 0 for none; deep, shallow: its depths in plies; slope, offset,
    deviation: its regression of the deep value on the shallow one. avoid: what an action of the root that leads to a position
    which the game has been in is worth less by.
    """

    REFINED = True  # type: ignore[misc]
    SELECTIVE = ROLLS = TURNS = False  # type: ignore[misc]

    depth: int
    max_nodes: int
    table_bits: int
    scale: float
    alphabeta: int
    killers: int
    history: int
    order: int
    pvs: int
    aspiration: float
    quiescence: int
    singular: float
    beam: int
    probcut: float
    deep: int
    shallow: int
    slope: float
    offset: float
    deviation: float
    avoid: float


class Expectiminimax(NamedTuple):
    """Settings of expectiminimax. max_nodes: 0 for no limit. table_bits: 0, there is none. scale: returns to values.

    depth: in turns with TURNS, else in plies. star: 0 no pruning of rolls, 1 or 2. merges: 1 if positions with equal keys are
    one, see `has_whole_key`, so that a turn's are searched once; else 0.
    """

    REFINED = SELECTIVE = False  # type: ignore[misc]
    ROLLS = TURNS = True  # type: ignore[misc]

    depth: int
    max_nodes: int
    table_bits: int
    scale: float
    star: int
    merges: int


@rule(Minimax, RefinedMinimax, Expectiminimax)
def make_scratch(policy, position, max_actions, data):
    """The reply, and the stack; its table is empty at first, and emptied at no cost by a new generation."""
    _, options, _, rolls = options_of(policy)
    turns = make_turns(policy)
    plies, slots = room_for(policy, options, rolls, turns)
    stack = Stack(
        np.empty(COUNTS, np.int64),
        np.empty(plies, np.int64),
        np.empty((plies, plies), np.int64),
        np.empty(plies, np.int64),
        np.empty((plies, 2), np.int64),
        np.empty((plies, max_actions), np.int64),
        np.empty((plies, max_actions), np.int64),
        np.empty((2, slots), np.int64),
        np.empty((max_actions, 2), np.float64),
        make_table(policy.table_bits),
        horizon_of(data, position),
        column(policy, "ROLLS", (plies, 3, max_actions), np.float64),
        turns,
    )
    return silent_reply(), stack


@inner
def room_for(policy, options, rolls, turns):
    """The plies of the longest path, and the slots of the history. options, rolls: the settings if that is on, else None."""
    plies = policy.depth + 1
    if turns is not None:
        return max((TURN_PLIES + 1) * plies, LEAST_PLIES), 1
    if rolls is not None:
        return 2 * plies, 1  # a row for each ply and each roll
    if options is None:
        return plies, HISTORY_SLOTS if policy.depth > 2 else 1
    return plies + options.quiescence + (MAX_EXTENSIONS if options.singular > 0.0 else 0), HISTORY_SLOTS


# ---------------------------------------------------------------- an iteration


@inner
def has_been(position, history):
    """Whether the game has been in a position that a repetition may count."""
    count = history.shape[0]
    return engine.occurrences(history, engine.first_counted(position, count), count, engine.key_of(position)) > 0


@inner
def search_action(memory, learns, options, selective, rolls, position, seat, depth, low, high):
    """What an action of the root is worth to `seat`, which has played it, and whether that is closed. position: after it."""
    loss, extra, turns = 0.0, NONE, memory.stack.turns
    left = left_after(turns, position, seat, depth)
    begin_turn(turns, left)
    if options is not None:
        if options.alphabeta == 0:
            low, high = -BEYOND, BEYOND
        if options.avoid > 0.0 and has_been(position, memory.history):
            loss = options.avoid
    if selective is not None:
        extra = np.int64(min(MAX_EXTENSIONS, selective.depth)) if selective.singular > 0.0 else NONE
    value, is_closed = search_child(
        memory,
        learns,
        options,
        selective,
        rolls,
        position,
        seat,
        ONE,
        left,
        extra,
        memory.stack.counts[FINISHED],
        low + loss,
        high + loss,
    )
    if loss > 0.0 and value > -1.0:
        return max(value - loss, -NEARLY_ONE), False
    return value, is_closed


@inner
def root_index(turn, first):
    """Which action is searched in a turn: the one at `first`, then the others in order."""
    if turn == 0:
        return first
    return turn - 1 if turn <= first else turn


@inner
def search_root(memory, learns, options, selective, rolls, position, moves, depth, first, floor, ceiling):
    """One iteration over the root's actions. moves: int64, all of them. first: the index to begin with.

    Returns the index of the best action, the first of equals; -1 if the search was stopped before one was finished; its
    value, a bound where it lies outside of floor and ceiling; and whether that is closed. floor = -2 BEYOND: find the exact
    value of each action.
    """
    stack = memory.stack
    counts, seat, count, is_wide = stack.counts, verbs.to_play(position), moves.shape[0], floor < -BEYOND
    best, top, all_closed = -1, -BEYOND, True
    for turn in range(count):
        i = root_index(turn, first)
        low = max(floor, -BEYOND)
        if best >= 0 and not is_wide:
            low = max(low, top if i > best else top - TINY)
            if low >= min(ceiling, 1.0):
                continue
        before, child = counts[VISITED], verbs.apply(position, moves[i])
        value, is_closed = search_action(memory, learns, options, selective, rolls, child, seat, depth, low, ceiling)
        if counts[STOPPED]:
            break
        counts[FINISHED] = turn + 1
        stack.root[i, VALUE] = value
        stack.root[i, COST] += counts[VISITED] - before
        all_closed = all_closed and is_closed
        if value > top or (value == top and i < best):
            best, top = i, value
            take_line(stack.length, stack.line, NONE, moves[i])
    return best, top, all_closed or top >= 1.0 or top <= -1.0


# ---------------------------------------------------------------- the choice


@inner
def deepen(memory, learns, options, selective, rolls, position, reply, moves):
    """Iterative deepening. Returns the index of the action to play; the reply's report is filled in."""
    stack, report, margin, is_sound = memory.stack, reply.report, 0.0, True
    if options is not None:
        margin, is_sound = options.aspiration, options.beam == 0
    counts, widest = stack.counts, -2.0 * BEYOND if reply.actions.shape[0] > 0 else -BEYOND
    best, value, reached, is_proven, floor, ceiling = NONE, 0.0, NONE, False, widest, BEYOND
    report[reply_at.LINE_LENGTH] = 0
    while reached < memory.policy.depth:
        counts[FINISHED], counts[CUT] = 0, 0
        found, top, is_proven = search_root(
            memory, learns, options, selective, rolls, position, moves, reached + 1, best, floor, ceiling
        )
        if counts[STOPPED]:
            is_proven = found >= 0 and top >= 1.0
            if found >= 0 and top > max(floor, -1.0):
                best, value = found, top
                copy_line(stack.length, stack.line, reply)
            elif floor <= -BEYOND and 0 < counts[FINISHED] < moves.shape[0]:
                # what has been finished is lost: rather play what has not
                best = root_index(counts[FINISHED], best)
                report[reply_at.LINE_LENGTH] = 0
            break
        if top <= floor or top >= ceiling:  # beside the window: once more, open on that side
            floor, ceiling = widest if top <= floor else floor, BEYOND if top >= ceiling else ceiling
            continue
        reached, value = reached + 1, top
        if top <= -1.0 and reached > 1:
            break
        best = found
        copy_line(stack.length, stack.line, reply)
        if is_proven or counts[CUT] == 0:
            break
        if margin > 0.0 and widest == -BEYOND:
            floor, ceiling = value - margin, value + margin
    report[reply_at.VALUE], report[reply_at.DEPTH], report[reply_at.PROVEN] = value, reached, is_proven and is_sound
    copy_counts(counts, report)
    return best


@inner
def begin(memory, options, position, count):
    """Clears what earlier searches have left. Returns how many of the actions are searched: a beam's, which go to the front."""
    stack = memory.stack
    if options is not None and 0 < options.beam < count:
        bring_best(memory, position, NONE, verbs.to_play(position), count, options.beam)
        count = options.beam
    clear_counts(stack.counts)
    stack.keys[0] = as_int64(verbs.key(position))
    stack.table.generation[0] += 1
    killers, success, root = stack.killers, stack.success, stack.root
    for ply in range(killers.shape[0]):
        killers[ply, 0], killers[ply, 1] = NO_ACTION, NO_ACTION
    for slot in range(success.shape[1]):
        success[0, slot], success[1, slot] = 0, 0
    for i in range(count):
        root[i, VALUE], root[i, COST] = 0.0, 0.0
    return count


@rule(Minimax, RefinedMinimax, Expectiminimax)
def choose(policy, position, history, rng, scratch, deterministic):
    """The best action at the greatest depth searched; see the head of this file for ties."""
    reply, memory = scratch[0], lend(Memory(policy, history, scratch[0].stop, scratch[1]))
    moves, root, is_wide = memory.stack.actions[0], memory.stack.root, reply.actions.shape[0] > 0
    count = verbs.legal_actions(position, moves)
    if count == 1 and not is_wide:
        return moves[0]
    learns, options, selective, rolls = options_of(memory.policy)
    count = begin(memory, options, position, count)
    moves = moves[:count]
    if not deterministic:
        for i in range(count - 1, 0, -1):
            j = draw(rng, i + 1)
            moves[i], moves[j] = moves[j], moves[i]
    best = deepen(memory, learns, options, selective, rolls, position, reply, moves)
    if is_wide:
        for i in range(count):
            reply.actions[i], reply.values[i], reply.counts[i] = moves[i], root[i, VALUE], int(root[i, COST])
        reply.report[reply_at.NUM_ACTIONS] = count
    return moves[best]
