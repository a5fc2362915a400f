"""Minimax: alpha-beta with iterative deepening and a transposition table, generic over games of two seats.

Values are for the seat to play, in [-1, 1]; what a child is worth is negated only where the seat to play changes. The
ends of games are worth what they pay, all else is worth less than a win: at the horizon the game's heuristic, 0 if it
has none. The depth counts plies. Where chance is to act is the horizon too: nothing is looked for beyond a roll.

What is found does not depend on order, table or killers: the value of a depth is that of plain minimax, so the table
answers only for equal remaining depth, or from subtrees that ended within theirs. Deepening stops at a proven win, which
is thus the shortest; when a loss is proven, the choice of the iteration before stands, which resists longest. Of equally
good actions the first is played, or, unless deterministic, one at random: the root's order is shuffled. That is in `root.py`.

Source: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975 (fail-soft form); killers and history as in J.
Schaeffer, "The history heuristic and alpha-beta search enhancements in practice", 1989.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.common import (
    SLOWER,
    evaluation_for,
    is_repeated,
    is_short_budget,
    read_budget,
    require_two_seats,
    room_in_brackets,
    scale_of,
    silent_reply,
    slowness,
)
from boardgym.baselines.search.evaluation import horizon_of
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.root import (
    ACTION,
    BEYOND,
    COUNT,
    CUT,
    CUTOFFS,
    FIELDS,
    HITS,
    INDEX,
    KEY,
    LEFT,
    LENGTH,
    OPEN,
    SEAT,
    STOPPED,
    VISITED,
    choose_best,
    drawn_payoff,
    note_killer,
    note_success,
    payoff,
    pick_move,
    rate_moves,
    take_line,
    worth,
)
from boardgym.baselines.search.table import (
    ENTRY_BYTES,
    EXACT,
    LOWER,
    UPPER,
    Table,
    find_entry,
    make_table,
    read_entry,
    store_entry,
)
from boardgym.compile import inner
from boardgym.core import verbs
from boardgym.core.bits import as_int64
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import Spec, read_number, refuse_extras
from boardgym.core.verbs import rule

MAX_DEPTH = 100
LEAST_TABLE_BITS, USUAL_TABLE_BITS, MOST_TABLE_BITS = 4, 20, 22  # log2 of the number of entries; 22: 100 MB, cleared in 50 ms
LOW, HIGH, BEST, FLOOR = range(4)  # columns of Stack.window
HISTORY_SLOTS = 512
OPTIONS = ("alphabeta", "table", "killers", "history", "order", "pvs", "aspiration", "quiescence", "singular", "beam",
           "probcut", "deep", "shallow", "avoid")  # fmt: skip


class Minimax(NamedTuple):
    """Settings of minimax. max_nodes: 0 for no limit. table_bits: log2 of the table's size, 0 for none.

    scale: turns returns into values in [-1, 1].
    """

    depth: int
    max_nodes: int
    table_bits: int
    scale: float


class Stack(NamedTuple):
    """As `root.Stack`, with the rest of what each ply has to remember: no function calls itself here.

    frames: int64, see the column names, then the fields of the position, the actions, what puts them in order, the best
    line; OPEN: whether the horizon was reached below; KILLER: what cut last. window: float64, see the column names.
    keys: int64, of the path. success: int64 (2, slots), by seat and action. root: float64 (max_actions, 2), what was
    found of each action. horizon: as in `root.Stack`. Few arrays, because each costs compilation time.
    """

    frames: NDArray[np.int64]
    window: NDArray[np.float64]
    keys: NDArray[np.int64]
    success: NDArray[np.int64]
    root: NDArray[np.float64]
    table: Table
    horizon: Any


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
        make_table(policy.table_bits),
        horizon_of(data, position),
    )
    return silent_reply(), stack


@inner
def search(policy, position, history, stop, stack, depth, low, high):
    """Alpha-beta below the root. position: at ply 1, not yet looked at. depth: plies to look ahead from there.

    Returns the value for the seat to play there, a bound where it lies outside of low and high, and whether it is closed:
    no estimate went into it. Meaningless once frames[0, STOPPED] is set.
    """
    frames, window, keys, success = stack.frames, stack.window, stack.keys, stack.success
    table, limit = stack.table, verbs.repetition_limit(position)
    most = policy.max_nodes if policy.max_nodes > 0 else 1 << 62
    moves_at, max_actions = FIELDS + len(position), stack.root.shape[0]
    scores_at = moves_at + max_actions
    ply, current, is_new = 1, position, True
    verbs.pack(position, frames[1, FIELDS:])
    frames[1, LEFT], window[1, LOW], window[1, HIGH] = depth, low, high
    while True:
        left, value, is_closed, is_done = frames[ply, LEFT], 0.0, True, False
        has_entry = left > 1 and limit == 0 and table.values.shape[0] > 1
        if is_new:
            frames[0, VISITED] += 1
            if stop[0] != 0 or frames[0, VISITED] > most:
                frames[0, STOPPED] = 1
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
                value = worth(stack.horizon, current, frames[ply - 1, SEAT])
                if seat != frames[ply - 1, SEAT]:
                    value = 0.0 - value  # of 0 no negative 0, as of the heuristic for this seat
                is_closed, is_done = False, True
                if frames[ply, LEFT] == 0:
                    frames[0, CUT] = 1
            elif has_entry:
                slot = find_entry(table, keys[ply])
                if slot >= 0:
                    table_move, value, is_closed, is_done = read_entry(table, slot, left, window[ply, LOW], window[ply, HIGH])
                    if is_done:
                        frames[0, HITS] += 1
                        if not is_closed:
                            frames[0, CUT] = 1
            if not is_done:
                frames[ply, SEAT], frames[ply, COUNT], frames[ply, INDEX], frames[ply, OPEN] = seat, count, 0, 0
                window[ply, BEST], window[ply, FLOOR] = -BEYOND, window[ply, LOW]
                rate_moves(frames, ply, seat, count, moves_at, scores_at, table_move, success)
        else:
            seat, best, high = frames[ply, SEAT], window[ply, BEST], window[ply, HIGH]
            if best >= min(high, 1.0) or frames[ply, INDEX] == frames[ply, COUNT]:
                value, is_done = best, True
                is_closed = frames[ply, OPEN] == 0 or best >= 1.0 or best <= -1.0
                if best >= high:
                    note_killer(frames, ply, frames[ply, ACTION])
                    note_success(success, seat, left, frames[ply, ACTION])
                if frames[ply, INDEX] < frames[ply, COUNT]:
                    frames[0, CUTOFFS] += 1
                if has_entry:
                    bound = LOWER if best >= high else (UPPER if best <= window[ply, FLOOR] else EXACT)
                    store_entry(table, keys[ply], left, bound, is_closed, frames[ply, ACTION], best)
        if not is_done:  # one ply down
            index = frames[ply, INDEX]
            frames[ply, INDEX] = index + 1
            child = verbs.apply(current, pick_move(frames, ply, index, frames[ply, COUNT], moves_at, scores_at))
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
                take_line(frames, ply, action)


@rule(Minimax)
def search_below(policy, position, memory, window):
    """See `root.search_below`."""
    history, stop, stack = memory
    seat, left, low, high = window
    stack.frames[0, SEAT], stack.keys[0] = seat, stack.frames[0, KEY]
    is_turned = verbs.to_play(position) != seat
    floor, ceiling = (-high, -low) if is_turned else (low, high)
    value, is_closed = search(policy, position, history, stop, stack, left, floor, ceiling)
    return (-value if is_turned else value), is_closed


@rule(Minimax)
def choose(policy, position, history, rng, scratch, deterministic):
    """The best action at the greatest depth searched; see the head of this file for ties."""
    return choose_best(policy, position, history, rng, scratch, deterministic)


def table_bits_for(spec: Spec, game: Game, depth: int, max_nodes: int) -> int:
    """log2 of the entries of the table: what the spec says, else by depth and nodes; 0 where there is none.

    There is none where positions depend on more than their key, and by itself none for depths that do not need one.
    Raises SpecError, UnsupportedGameError.
    """
    has_none = game.clocks or game.repetition_limit > 0
    if "table_bits" in spec.keywords:
        bits = int(read_number(spec.keywords["table_bits"], spec.text, "table_bits", kind=int))
        if not LEAST_TABLE_BITS <= bits <= MOST_TABLE_BITS:
            raise SpecError(f"policy spec {spec.text!r}: table_bits={bits}; expected {LEAST_TABLE_BITS} to {MOST_TABLE_BITS}, "
                            f"for 2**bits entries of {ENTRY_BYTES} bytes")  # fmt: skip
        if has_none:
            raise UnsupportedGameError(f"policy spec {spec.text!r}: {game.id} has no table, for there a position "
                                       f"depends on more than its key (clocks, repetition): leave table_bits= out")  # fmt: skip
        return bits
    if depth <= 2 or has_none:
        return 0
    bits = min(USUAL_TABLE_BITS, 2 * depth - 1)
    return max(1, min(bits, max_nodes.bit_length())) if max_nodes else bits


def make_minimax(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`minimax:D`, `minimax:0.5s`; nodes= the most positions to visit, time= a limit besides the depth; OPTIONS.

    table_bits=: log2 of the number of entries of the table. evaluation=: see `evaluations.py`.

    Raises SpecError, UnsupportedGameError.
    """
    refuse_extras(spec, keywords=("nodes", "time", "table_bits", "evaluation", *OPTIONS), inner=room_in_brackets(spec))
    require_two_seats(spec, game)
    evaluation = evaluation_for(spec, game, seed=seed, trust=trust)
    number, seconds, nodes = read_budget(spec, "the depth in plies", MAX_DEPTH)
    depth, max_nodes = number or MAX_DEPTH, nodes or 0
    settings: Any = Minimax(depth, max_nodes, table_bits_for(spec, game, depth, max_nodes), scale_of(game))
    has_options = any(name in spec.keywords for name in OPTIONS)
    if has_options:
        from boardgym.baselines.search.minimax_options import read_options  # it needs this module

        settings = read_options(spec, game, *settings)
    goes_deeper = "quiescence" in spec.keywords or "singular" in spec.keywords
    slower = slowness(evaluation, SLOWER if has_options else 1)
    is_short = is_short_budget(game.max_legal_actions, 0 if goes_deeper else depth, max_nodes, slower)
    return SearchPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed, evaluation=evaluation)
