"""Minimax with options: what `minimax:D,option=value` plays when an option is given. Sign rule and depth as in `minimax.py`.

Exact options, which leave the value of the root as it is: alphabeta, table, killers, history, order, pvs, aspiration. Those
that look at more: quiescence, singular. Those that look at less, without a guarantee: beam, probcut. `docs/search_minimax.md`
has a section on each. They are one kernel beside that of plain minimax, which stays as quick to compile and to run. This one
calls itself, which is easier to read than the frames there, and slower.

Sources: T. A. Marsland, M. Campbell, "Parallel search of strongly ordered game trees", 1982 (principal variation search,
aspiration); T. Anantharaman, M. S. Campbell, F. Hsu, "Singular extensions: adding selectivity to brute-force searching",
1990; M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995.
"""

from typing import NamedTuple

import numpy as np

from boardgym.baselines.search.common import is_repeated, silent_reply
from boardgym.baselines.search.evaluation import horizon_of
from boardgym.baselines.search.root import (
    BEYOND,
    CUT,
    CUTOFFS,
    FIELDS,
    FINISHED,
    HITS,
    KEY,
    LENGTH,
    NEARLY_ONE,
    NONE,
    ONE,
    SEAT,
    STOPPED,
    TINY,
    Stack,
    choose_best,
    drawn_payoff,
    estimate,
    look_ahead,
    must_stop,
    note_killer,
    note_success,
    payoff,
    pick_move,
    rate_by_evaluation,
    rate_moves,
    take_line,
)
from boardgym.baselines.search.table import EXACT, LOWER, UPPER, find_entry, make_table, read_entry, store_entry
from boardgym.compile import inlined, inner
from boardgym.core import engine, verbs
from boardgym.core.verbs import rule

HISTORY_SLOTS = 512
MAX_EXTENSIONS = 4  # plies by which singular extensions may lengthen a path
SINGULAR_FROM = 3  # plies left below which nothing is found out about the second best
GIVEN, BY_HEURISTIC, WORST_FIRST = 0, 1, -1  # orders
EXTRA_AT = 56  # bit of a table's key at which the extensions that are left go in


class Refined(NamedTuple):
    """Settings of minimax with options.

    depth, max_nodes, table_bits, scale: as `Minimax`. alphabeta, killers, history, pvs: 0 or 1. order: GIVEN, BY_HEURISTIC or
    WORST_FIRST. aspiration: half the width of the root's window, 0 for none. quiescence: the most plies of it. singular: the
    margin, 0 for none. beam: the width, 0 for none. probcut: t, 0 for none; deep, shallow: its depths in plies; slope, offset,
    deviation: its regression of the deep value on the shallow one. avoid: what an action of the root that leads to a position
    which the game has been in is worth less by.
    """

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


@rule(Refined)
def make_scratch(policy, position, max_actions, data):
    """As of minimax; with room for the plies that are added to the depth."""
    plies = policy.depth + policy.quiescence + 1
    if policy.singular > 0.0:
        plies += MAX_EXTENSIONS
    stack = Stack(
        np.zeros((plies, FIELDS + 2 * max_actions + plies), np.int64),
        np.empty((2, HISTORY_SLOTS), np.int64),
        np.empty((max_actions, 2), np.float64),
        make_table(policy.table_bits),
        horizon_of(data, position),
    )
    return silent_reply(), stack


@inner
def columns(frames):
    """Where the actions of a ply begin in its row, and what puts them in order. There is room for the same number of both."""
    return FIELDS, FIELDS + (frames.shape[1] - frames.shape[0] - FIELDS) // 2


@rule(Refined)
def aspiration(policy):
    """See `root.aspiration`."""
    return policy.aspiration


@inner
def best_by_evaluation(policy, position, frames, horizon, ply, seat, count, width):
    """Brings the `width` best actions, as the evaluation sees what they lead to, to the front; the earlier one of equals."""
    moves_at, scores_at = columns(frames)
    rate_by_evaluation(policy, position, frames, horizon, ply, seat, count, moves_at, scores_at)
    for i in range(width):
        pick_move(frames, ply, i, count, moves_at, scores_at)


@rule(Refined)
def narrow(policy, position, stack, count):
    """The beam at the root. See `root.narrow`."""
    if 0 < policy.beam < count:
        best_by_evaluation(policy, position, stack.frames, stack.horizon, 0, verbs.to_play(position), count, policy.beam)
        return policy.beam
    return count


@rule(Refined)
def proves(policy):
    """Not with a beam. See `root.proves`."""
    return policy.beam == 0


@inner
def put_in_order(policy, position, frames, horizon, ply, seat, count, moves_at, scores_at, table_move, success):
    """Fills the scores by which the actions are picked: table move, killers, then the evaluation, success or nothing."""
    rate_moves(frames, ply, seat, count, moves_at, scores_at, table_move, success)
    if policy.order != GIVEN:
        for i in range(count):
            if frames[ply, scores_at + i] < 1 << 60:
                frames[ply, scores_at + i] = policy.order * look_ahead(
                    policy, position, horizon, frames[ply, moves_at + i], seat
                )


@inner
def search(policy, position, history, stop, frames, success, table, horizon, ply, left, extra, low, high):
    """Alpha-beta at a position where a seat is to play, as in `minimax.py`, with the options.

    left: plies still to look ahead; 0 and below: quiescence, of which -left plies are done. extra: extensions that the path
    may still have.
    """
    if must_stop(policy, stop, frames):
        return 0.0, False
    seat, limit, table_move = verbs.to_play(position), verbs.repetition_limit(position), -1
    moves_at, scores_at = columns(frames)
    buffer, best, choice = frames[ply, moves_at:], -BEYOND, -1
    frames[ply, LENGTH], frames[ply, SEAT] = 0, seat
    if left <= 0:
        came = frames[ply - 1, SEAT]
        best, is_closed = estimate(policy, position, history, frames, horizon, ply, 0, came)
        best = best if came == seat else -best
        count = verbs.noisy_actions(position, buffer)
        if is_closed or count == 0 or best >= high:
            return best, is_closed
    else:
        count = verbs.legal_actions(position, buffer)
        if count == 0:
            return payoff(policy, position, seat), True
    floor, has_entry = low, left > 1 and limit == 0 and table.values.shape[0] > 1
    low = max(low, best) if policy.alphabeta else low
    if left > 0 and (has_entry or limit > 0):
        frames[ply, KEY] = engine.key_of(position)
        if limit > 0 and is_repeated(position, history, frames[:, KEY], ply):
            return drawn_payoff(policy, position, seat), True
    if has_entry:
        frames[ply, KEY] ^= extra << EXTRA_AT
        slot = find_entry(table, frames[ply, KEY])
        if slot >= 0:
            table_move, value, is_closed, is_done = read_entry(table, slot, left, low, high)
            if is_done:
                frames[0, HITS] += 1
                if not is_closed:
                    frames[0, CUT] = 1
                return value, is_closed
    if policy.probcut > 0.0 and left == policy.deep:
        key, reach = frames[ply, KEY], policy.probcut * policy.deviation
        above, below = (high - policy.offset + reach) / policy.slope, (low - policy.offset - reach) / policy.slope
        if high < 1.0 and above < NEARLY_ONE:
            value, is_closed = search(
                policy, position, history, stop, frames, success, table, horizon, ply, policy.shallow, NONE, above - TINY, above
            )
            if frames[0, STOPPED] == 0 and value >= above:
                frames[0, CUT] = 1
                frames[0, CUTOFFS] += 1
                return high, False
        if low > -1.0 and below > -NEARLY_ONE:
            value, is_closed = search(
                policy, position, history, stop, frames, success, table, horizon, ply, policy.shallow, NONE, below, below + TINY
            )
            if frames[0, STOPPED] == 0 and value <= below:
                frames[0, CUT] = 1
                frames[0, CUTOFFS] += 1
                return low, False
        frames[ply, KEY], frames[ply, LENGTH] = key, 0
        count = verbs.legal_actions(position, buffer)
    if 0 < policy.beam < count and left > 1:
        best_by_evaluation(policy, position, frames, horizon, ply, seat, count, policy.beam)
        count = policy.beam
    put_in_order(policy, position, frames, horizon, ply, seat, count, moves_at, scores_at, table_move, success)
    singular = -1
    if policy.singular > 0.0 and extra > 0 and left >= SINGULAR_FROM and count > 1:
        first, second = -BEYOND, -BEYOND  # at half the depth: exact above `second`
        for i in range(count):
            action = frames[ply, moves_at + i]
            child = verbs.apply(position, action)
            mover = verbs.to_play(child)
            if verbs.has_chance(child) and mover == verbs.CHANCE:
                value, is_closed = estimate(policy, child, history, frames, horizon, ply + 1, left, seat)
            else:
                under, over = (second, BEYOND) if mover == seat else (-BEYOND, -second)
                value, is_closed = search(
                    policy, child, history, stop, frames, success, table, horizon, ply + 1, (left - 1) // 2, NONE, under, over
                )
                value = value if mover == seat else -value
            if frames[0, STOPPED]:
                return 0.0, False
            if value > first:
                first, second, singular = value, first, action
            elif value > second:
                second = value
        if first - second < policy.singular:
            singular = -1
    all_closed = left > 0
    for index in range(count):
        action = pick_move(frames, ply, index, count, moves_at, scores_at)
        child = verbs.apply(position, action)
        mover = verbs.to_play(child)
        more = 1 if action == singular else 0
        then = left - 1 + more
        if then <= -policy.quiescence or (verbs.has_chance(child) and mover == verbs.CHANCE):
            if must_stop(policy, stop, frames):
                return 0.0, False
            frames[ply + 1, LENGTH] = 0
            value, is_closed = estimate(policy, child, history, frames, horizon, ply + 1, max(then, 0), seat)
        else:
            edge = low if policy.alphabeta else -BEYOND
            ceiling = high if policy.alphabeta else BEYOND
            widest = ceiling
            if policy.pvs and index > 0 and edge > -BEYOND:
                ceiling = min(edge + TINY, widest)  # that it is no better, is shown at less cost than how much worse it is
            while True:
                under, over = (edge, ceiling) if mover == seat else (-ceiling, -edge)
                value, is_closed = search(
                    policy, child, history, stop, frames, success, table, horizon, ply + 1, then, extra - more, under, over
                )
                value = value if mover == seat else -value
                if value < ceiling or value >= widest or ceiling >= widest or frames[0, STOPPED]:
                    break
                ceiling = widest
        if frames[0, STOPPED]:
            return 0.0, False
        all_closed = all_closed and is_closed
        if value > best:
            best, choice = value, action
            if value > low:
                take_line(frames, ply, action)
                low = value if policy.alphabeta else low
            if policy.alphabeta and best >= min(high, 1.0):
                frames[0, CUTOFFS] += int(index + 1 < count)
                break
    is_closed = all_closed or best >= 1.0 or best <= -1.0
    if left > 0 and best >= high and choice >= 0:
        if policy.killers:
            note_killer(frames, ply, choice)
        if policy.history:
            note_success(success, seat, left, choice)
    if has_entry:
        bound = LOWER if best >= high else (UPPER if best <= floor else EXACT)
        store_entry(table, frames[ply, KEY], left, bound, is_closed, choice, best)
    return best, is_closed


@inner
def has_been(position, history):
    """Whether the game has been in a position that a repetition may count."""
    count = history.shape[0]
    return engine.occurrences(history, engine.first_counted(position, count), count, engine.key_of(position)) > 0


@inlined
def search_action(policy, position, memory, window):
    """As `root.search_below`, by the search alone."""
    history, stop, stack = memory
    seat, left, low, high = window
    frames, success, table, horizon = stack.frames, stack.success, stack.table, stack.horizon
    mover, frames[0, SEAT] = verbs.to_play(position), seat
    if left <= -policy.quiescence or (verbs.has_chance(position) and mover == verbs.CHANCE):
        frames[1, LENGTH] = 0
        if must_stop(policy, stop, frames):
            return 0.0, False
        return estimate(policy, position, history, frames, horizon, 1, left, seat)
    if policy.alphabeta == 0:
        low, high = -BEYOND, BEYOND
    extra = min(MAX_EXTENSIONS, policy.depth) if policy.singular > 0.0 else NONE
    is_first = frames[0, FINISHED] == 0
    ceiling = min(low + TINY, high) if policy.pvs and not is_first and low > -BEYOND else high
    while True:
        under, over = (low, ceiling) if mover == seat else (-ceiling, -low)
        value, is_closed = search(
            policy, position, history, stop, frames, success, table, horizon, ONE, left, extra, under, over
        )
        value = value if mover == seat else -value
        if value < ceiling or value >= high or ceiling >= high or frames[0, STOPPED]:
            return value, is_closed
        ceiling = high


@rule(Refined)
def search_below(policy, position, memory, window):
    """See `root.search_below`."""
    seat, left, low, high = window
    loss = policy.avoid if policy.avoid > 0.0 and has_been(position, memory[0]) else 0.0
    value, is_closed = search_action(policy, position, memory, (seat, left, low + loss, high + loss))
    if loss > 0.0 and value > -1.0:
        return max(value - loss, -NEARLY_ONE), False
    return value, is_closed


@rule(Refined)
def choose(policy, position, history, rng, scratch, deterministic):
    """The best action at the greatest depth searched."""
    return choose_best(policy, position, history, rng, scratch, deterministic)
