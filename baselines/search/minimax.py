"""Minimax: alpha-beta with iterative deepening and a transposition table, generic over games of two seats.

Values are for the seat to play, in [-1, 1]; what a child is worth is negated only where the seat to play changes. The
ends of games are worth what they pay, all else is worth less than a win: at the horizon the game's heuristic, 0 if it
has none. The depth counts plies. Where chance is to act is the horizon too: nothing is looked for beyond a roll.

What is found does not depend on order, table or killers: the value of a depth is that of plain minimax, so the table
answers only for equal remaining depth, or from subtrees that ended within theirs. Deepening stops at a proven win, which
is thus the shortest; when a loss is proven, the choice of the iteration before stands, which resists longest. Of equally
good actions the first is played, or, unless deterministic, one at random: the root's order is shuffled.

The root's loop and the deepening are in `root.py`.

Source: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975 (fail-soft form); killers and history as in J.
Schaeffer, "The history heuristic and alpha-beta search enhancements in practice", 1989.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.search.common import is_repeated, read_budget, require_two_seats, scale_of, silent_reply
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.root import (
    BEYOND,
    CUT,
    FIELDS,
    KEY,
    KILLER,
    KILLER_2,
    LENGTH,
    ONE,
    STOPPED,
    Stack,
    choose_best,
    drawn_payoff,
    estimate,
    must_stop,
    payoff,
    take_line,
)
from boardgym.baselines.search.table import EXACT, LOWER, UPPER, find_entry, make_table, read_entry, store_entry
from boardgym.core import verbs
from boardgym.core.bits import as_int64
from boardgym.core.cache import inner
from boardgym.core.game import Game
from boardgym.core.policy import Spec, refuse_extras
from boardgym.core.verbs import rule

MAX_DEPTH = 100
SHORT_NODES = 1_000_000  # positions that a search can visit at most: below, it is too short to need interrupting
HISTORY_SLOTS = 512
OPTIONS = ("alphabeta", "table", "killers", "history", "order", "pvs", "aspiration", "quiescence", "singular", "beam",
           "probcut", "deep", "shallow")  # fmt: skip


class Minimax(NamedTuple):
    """Settings of minimax. max_nodes: 0 for no limit. table_bits: log2 of the table's size, 0 for none.

    scale: turns returns into values in [-1, 1].
    """

    depth: int
    max_nodes: int
    table_bits: int
    scale: float


@rule(Minimax)
def make_scratch(policy, position, max_actions, data):
    """The reply, and the stack; its table is empty at first, and emptied at no cost by a new generation."""
    plies = policy.depth + 1
    stack = Stack(
        np.zeros((plies, FIELDS + 2 * max_actions + plies), np.int64),
        np.empty((2, HISTORY_SLOTS if policy.depth > 2 else 1), np.int64),
        np.empty((max_actions, 2), np.float64),
        make_table(policy.table_bits),
    )
    return silent_reply(), stack


@inner
def pick_move(moves, scores, index):
    """The best rated of the actions from `index` on; brings it there."""
    best = index
    for i in range(index + 1, moves.shape[0]):
        if scores[i] > scores[best]:
            best = i
    action, score = moves[best], scores[best]
    moves[best], scores[best] = moves[index], scores[index]
    moves[index], scores[index] = action, score
    return action


@inner
def rate_moves(moves, scores, table_move, killer, killer_2, success, seat):
    """Fills the scores: the table's move first, then the killers, then by success of the seat."""
    slots = success.shape[1] - 1
    for i in range(moves.shape[0]):
        action = moves[i]
        if action == table_move:
            score = 1 << 62
        elif action == killer:
            score = 1 << 61
        elif action == killer_2:
            score = 1 << 60
        else:
            score = success[seat, action & slots]
        scores[i] = score


@inner
def note_cut(frames, success, ply, left, seat, action):
    """Remembers the action that was good enough to cut."""
    if frames[ply, KILLER] != action:
        frames[ply, KILLER_2] = frames[ply, KILLER]
        frames[ply, KILLER] = action
    success[seat, action & (success.shape[1] - 1)] += left * left


@inner
def search(policy, position, history, stop, frames, success, table, ply, left, low, high):
    """Alpha-beta at a position where a seat is to play, `left` plies deep, at least 1.

    Returns the value for that seat, a bound where it lies outside of low and high, and whether it is closed: no estimate
    went into it. Meaningless once the search is stopped. The last ply is looked at on the spot, without a call.
    """
    if must_stop(policy, stop, frames):
        return 0.0, False
    seat, limit, table_move = verbs.to_play(position), verbs.repetition_limit(position), -1
    frames[ply, LENGTH] = 0
    max_actions = (frames.shape[1] - frames.shape[0] - FIELDS) // 2
    count = verbs.legal_actions(position, frames[ply, FIELDS:])
    if count == 0:
        return payoff(policy, position, seat), True
    has_entry = left > 1 and limit == 0 and table.values.shape[0] > 1
    if has_entry or limit > 0:
        frames[ply, KEY] = as_int64(verbs.key(position))
        if limit > 0 and is_repeated(position, history, frames[:, KEY], ply):
            return drawn_payoff(policy, position, seat), True
    if has_entry:
        slot = find_entry(table, frames[ply, KEY])
        if slot >= 0:
            table_move, value, is_closed, is_done = read_entry(table, slot, left, low, high)
            if is_done:
                if not is_closed:
                    frames[0, CUT] = 1
                return value, is_closed
    moves = frames[ply, FIELDS : FIELDS + count]
    scores = frames[ply, FIELDS + max_actions : FIELDS + max_actions + count]
    rate_moves(moves, scores, table_move, frames[ply, KILLER], frames[ply, KILLER_2], success, seat)
    best, choice, floor, all_closed = -BEYOND, -1, low, True
    for index in range(count):
        action = pick_move(moves, scores, index)
        child = verbs.apply(position, action)
        mover = verbs.to_play(child)
        if left == 1 or (verbs.has_chance(child) and mover == verbs.CHANCE):
            if must_stop(policy, stop, frames):
                return 0.0, False
            frames[ply + 1, LENGTH] = 0
            value, is_closed = estimate(policy, child, history, frames, ply + 1, left - 1, seat)
        elif mover == seat:
            value, is_closed = search(policy, child, history, stop, frames, success, table, ply + 1, left - 1, low, high)
        else:
            value, is_closed = search(policy, child, history, stop, frames, success, table, ply + 1, left - 1, -high, -low)
            value = -value
        if frames[0, STOPPED]:
            return 0.0, False
        all_closed = all_closed and is_closed
        if value > best:
            best, choice = value, action
            if value > low:
                low = value
                take_line(frames, ply, action)
            if best >= min(high, 1.0):
                break
    is_closed = all_closed or best >= 1.0 or best <= -1.0
    if best >= high:
        note_cut(frames, success, ply, left, seat, choice)
    if has_entry:
        bound = LOWER if best >= high else (UPPER if best <= floor else EXACT)
        store_entry(table, frames[ply, KEY], left, bound, is_closed, choice, best)
    return best, is_closed


@rule(Minimax)
def search_below(policy, position, memory, window):
    """See `root.search_below`."""
    history, stop, stack = memory
    seat, left, low, high = window
    frames, mover = stack.frames, verbs.to_play(position)
    if left == 0 or (verbs.has_chance(position) and mover == verbs.CHANCE):
        frames[1, LENGTH] = 0
        if must_stop(policy, stop, frames):
            return 0.0, False
        return estimate(policy, position, history, frames, 1, left, seat)
    if mover == seat:
        return search(policy, position, history, stop, frames, stack.success, stack.table, ONE, left, low, high)
    value, is_closed = search(policy, position, history, stop, frames, stack.success, stack.table, ONE, left, -high, -low)
    return -value, is_closed


@rule(Minimax)
def choose(policy, position, history, rng, scratch, deterministic):
    """The best action at the greatest depth searched; see the head of this file for ties."""
    return choose_best(policy, position, history, rng, scratch, deterministic)


def table_bits_for(game: Game, depth: int, max_nodes: int) -> int:
    """log2 of the table's size: none for depths that do not need one, or where positions depend on more than their key."""
    if depth <= 2 or game.clocks or game.repetition_limit > 0:
        return 0
    bits = min(20, 2 * depth - 1)
    return max(1, min(bits, max_nodes.bit_length())) if max_nodes else bits


def make_minimax(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`minimax:D`, `minimax:0.5s`; nodes= the most positions to visit, time= a limit besides the depth; OPTIONS.

    Raises SpecError, UnsupportedGameError.
    """
    refuse_extras(spec, keywords=("nodes", "time", *OPTIONS))
    require_two_seats(spec, game)
    number, seconds, nodes = read_budget(spec, "the depth in plies", MAX_DEPTH)
    depth, max_nodes = number or MAX_DEPTH, nodes or 0
    settings: Any = Minimax(depth, max_nodes, table_bits_for(game, depth, max_nodes), scale_of(game))
    if any(name in spec.keywords for name in OPTIONS):
        from boardgym.baselines.search.minimax_options import read_options  # it needs this module

        settings = read_options(spec, game, *settings)
    is_longer = "quiescence" in spec.keywords or "singular" in spec.keywords
    is_short = (not is_longer and game.max_legal_actions**depth <= SHORT_NODES) or 0 < max_nodes <= SHORT_NODES
    return SearchPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed)
