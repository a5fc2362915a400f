"""The root of the searches of two seats: iterative deepening, ties, and what the searches below it have in common.

`minimax.py`, `refined.py` and `expectiminimax.py` define `search_below` for their settings; the rest is here. Deepening
stops at a proven win, which is thus the shortest; when a loss is proven, the choice of the iteration before stands, which
resists longest. Of equally good actions the first is played, or, unless deterministic, one at random: the root's order is
shuffled.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search.common import is_repeated
from boardgym.baselines.search.evaluation import evaluate
from boardgym.baselines.search.table import Table
from boardgym.compile import inlined, inner
from boardgym.core import verbs
from boardgym.core.bits import as_int64
from boardgym.core.random import draw

BEYOND = 2.0  # above every value: the open window, in which lost lines are kept too
TINY = 1e-9  # to let an equal value pass a bound
NEARLY_ONE = 1.0 - 1e-6  # bound of heuristics: only the end of a game is worth 1
FINE = 1 << 40  # values as whole numbers, for ordering
# Arguments of recursive functions: a literal would have them compiled for it alone, and call the other by a name that no
# other process can resolve: from the cache, it would end Python.
NONE, ONE = np.int64(0), np.int64(1)
# columns of Stack.frames, LEFT to OPEN those of `minimax.py` alone, but for SEAT: who plays there
KILLER, KILLER_2, LENGTH, KEY, VISITED, STOPPED, FINISHED, CUT, CUTOFFS, HITS = range(10)
LEFT, SEAT, COUNT, INDEX, ACTION, OPEN, FIELDS = range(10, 17)
VALUE, COST = range(2)  # columns of Stack.root


@verbs.verb
def search_below(policy, position, memory, window):
    """What an action of the root is worth to the seat that has played it, and whether that is closed.

    position: after it. memory: (history, stop, stack). window: (seat, left, low, high), `left` the plies still to look ahead.
    The value is a bound where it lies outside of low and high, and meaningless once the search is stopped.
    """


@verbs.optional_verb
def aspiration(policy):
    """Half the width of the root's window about the value of the depth before; 0.0 (default): it is open."""
    return 0.0


@verbs.optional_verb
def narrow(policy, position, stack, count):
    """Brings those of the root's actions to the front that are searched, and returns how many. Default: all of them."""
    return count


@verbs.optional_verb
def proves(policy):
    """Whether what is closed is proven: not where actions were left out by guess. Default: yes."""
    return True


class Stack(NamedTuple):
    """What a search remembers: of the path that it is on, one row a ply, ply 0 the root; and of earlier ones.

    frames: int64, see the column names, then the actions, what puts them in order, the best line; KILLER: what cut last;
    VISITED to HITS are counted in the root's row: positions, whether the search was stopped, how many of the root's
    actions are finished, whether the depth has cut a line, positions of which actions were left out because of a bound,
    positions that the table answered. success: int64 (2, slots), by seat and action. root: float64 (max_actions, 2), what was
    found of each action. horizon: what positions at the depth are worth, see `evaluation.horizon_of`. Few arrays, because each
    costs compilation time and time in calls.
    """

    frames: NDArray[np.int64]
    success: NDArray[np.int64]
    root: NDArray[np.float64]
    table: Table
    horizon: Any


@inlined
def payoff(policy, position, seat):
    """Value for `seat` of a game that is over; seat 1 has the opposite of seat 0."""
    value = verbs.returns(position, 0) * policy.scale
    return value if seat == 0 else -value


@inlined
def drawn_payoff(policy, position, seat):
    """Value for `seat` of a game that ends by repetition."""
    value = verbs.draw_returns(position, 0) * policy.scale
    return value if seat == 0 else -value


@inner
def take_line(frames, ply, action):
    """The best line from `ply`: the action, then the best line from the next ply."""
    line_at = frames.shape[1] - frames.shape[0]
    length = frames[ply + 1, LENGTH]
    frames[ply, LENGTH], frames[ply, line_at] = length + 1, action
    for i in range(length):
        frames[ply, line_at + i + 1] = frames[ply + 1, line_at + i]


@inlined
def must_stop(policy, stop, frames):
    """Counts a position, and notes whether the search has to end."""
    frames[0, VISITED] += 1
    if stop[0] != 0 or 0 < policy.max_nodes < frames[0, VISITED]:
        frames[0, STOPPED] = 1
        return True
    return False


@inlined
def worth(horizon, position, seat):
    """What the evaluation says of a position, for the seat that has moved there: less than a win, more than a loss."""
    return min(max(evaluate(horizon[0], position, seat, horizon[1]), -NEARLY_ONE), NEARLY_ONE)


@inner
def estimate(policy, position, history, frames, horizon, ply, left, seat):
    """Value for `seat`, which has moved there, of a position that is not searched further; and whether it is closed."""
    if verbs.is_terminal(position):
        return payoff(policy, position, seat), True
    if verbs.repetition_limit(position) > 0:
        frames[ply, KEY] = as_int64(verbs.key(position))
        if is_repeated(position, history, frames[:, KEY], ply):
            return drawn_payoff(policy, position, seat), True
    if left == 0:
        frames[0, CUT] = 1
    return worth(horizon, position, seat), False


@inner
def look_ahead(policy, position, horizon, action, seat):
    """What the evaluation makes of an action at once, for the seat that plays it, as a whole number up to FINE."""
    child = verbs.apply(position, action)
    if verbs.is_terminal(child):
        return int(FINE * payoff(policy, child, seat))
    return int((FINE - 1) * worth(horizon, child, seat))


@inner
def rate_by_evaluation(policy, position, frames, horizon, ply, seat, count, moves_at, scores_at):
    """Fills the scores by what the evaluation makes of each action at once."""
    for i in range(count):
        frames[ply, scores_at + i] = look_ahead(policy, position, horizon, frames[ply, moves_at + i], seat)


@inlined
def rate_moves(frames, ply, seat, count, moves_at, scores_at, table_move, success):
    """Fills the scores: the table's move first, then the killers, then by success of the seat."""
    slots = success.shape[1] - 1
    for i in range(count):
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


@inlined
def pick_move(frames, ply, index, count, moves_at, scores_at):
    """The best rated of the actions from `index` on, the earlier one of equals; brings it there, its score is lost."""
    best = index
    for i in range(index + 1, count):
        if frames[ply, scores_at + i] > frames[ply, scores_at + best]:
            best = i
    action = frames[ply, moves_at + best]
    frames[ply, moves_at + best], frames[ply, scores_at + best] = frames[ply, moves_at + index], frames[ply, scores_at + index]
    frames[ply, moves_at + index] = action
    return action


@inlined
def note_killer(frames, ply, action):
    """Remembers the action that was good enough to cut, for positions at this ply."""
    if frames[ply, KILLER] != action:
        frames[ply, KILLER_2] = frames[ply, KILLER]
        frames[ply, KILLER] = action


@inlined
def note_success(success, seat, left, action):
    """Remembers the action that was good enough to cut, for the seat."""
    success[seat, action & (success.shape[1] - 1)] += left * left


@inner
def root_index(turn, first):
    """Which action is searched in a turn: the one at `first`, then the others in order."""
    if turn == 0:
        return first
    return turn - 1 if turn <= first else turn


@inner
def search_root(policy, position, history, stop, stack, moves, depth, first, floor, ceiling):
    """One iteration over the root's actions. moves: int64, all of them. first: the index to begin with.

    Returns the index of the best action, the first of equals; -1 if the search was stopped before one was finished; its
    value, a bound where it lies outside of floor and ceiling; and whether that is closed. floor = -2 BEYOND: find the exact
    value of each action.
    """
    frames, seat, count, is_wide = stack.frames, verbs.to_play(position), moves.shape[0], floor < -BEYOND
    best, top, all_closed = -1, -BEYOND, True
    for turn in range(count):
        i = root_index(turn, first)
        low = max(floor, -BEYOND)
        if best >= 0 and not is_wide:
            low = max(low, top if i > best else top - TINY)
            if low >= min(ceiling, 1.0):
                continue
        before = frames[0, VISITED]
        window = (seat, depth - 1, low, ceiling)
        value, is_closed = search_below(policy, verbs.apply(position, moves[i]), (history, stop, stack), window)
        if frames[0, STOPPED]:
            break
        frames[0, FINISHED] = turn + 1
        stack.root[i, VALUE] = value
        stack.root[i, COST] += frames[0, VISITED] - before
        all_closed = all_closed and is_closed
        if value > top or (value == top and i < best):
            best, top = i, value
            take_line(frames, 0, moves[i])
    return best, top, all_closed or top >= 1.0 or top <= -1.0


@inner
def copy_line(frames, line, report):
    """Keeps the root's best line in a reply that has room."""
    length, line_at = min(frames[0, LENGTH], line.shape[0]), frames.shape[1] - frames.shape[0]
    for i in range(length):
        line[i] = frames[0, line_at + i]
    report[reply_at.LINE_LENGTH] = length


@inner
def clear_counts(frames):
    """Begins a search: what is counted in the root's row."""
    frames[0, VISITED], frames[0, STOPPED], frames[0, CUTOFFS], frames[0, HITS] = 0, 0, 0, 0


@inner
def copy_counts(frames, report):
    """What has been counted, for the reply."""
    report[reply_at.NODES] = frames[0, VISITED]
    report[reply_at.CUTOFFS], report[reply_at.TABLE_HITS] = frames[0, CUTOFFS], frames[0, HITS]


@inner
def deepen(policy, position, history, reply, stack, moves):
    """Iterative deepening. Returns the index of the action to play; the reply's report is filled in."""
    frames, report, margin = stack.frames, reply.report, aspiration(policy)
    widest = -2.0 * BEYOND if reply.actions.shape[0] > 0 else -BEYOND
    best, value, reached, is_proven, floor, ceiling = 0, 0.0, 0, False, widest, BEYOND
    report[reply_at.LINE_LENGTH] = 0
    while reached < policy.depth:
        frames[0, FINISHED], frames[0, CUT] = 0, 0
        found, top, is_proven = search_root(
            policy, position, history, reply.stop, stack, moves, reached + 1, best, floor, ceiling
        )
        if frames[0, STOPPED]:
            is_proven = found >= 0 and top >= 1.0
            if found >= 0 and top > max(floor, -1.0):
                best, value = found, top
                copy_line(frames, reply.line, report)
            elif floor <= -BEYOND and 0 < frames[0, FINISHED] < moves.shape[0]:
                # what has been finished is lost: rather play what has not
                best = root_index(frames[0, FINISHED], best)
                report[reply_at.LINE_LENGTH] = 0
            break
        if top <= floor or top >= ceiling:  # beside the window: once more, open on that side
            floor, ceiling = widest if top <= floor else floor, BEYOND if top >= ceiling else ceiling
            continue
        reached, value = reached + 1, top
        if top <= -1.0 and reached > 1:
            break
        best = found
        copy_line(frames, reply.line, report)
        if is_proven or frames[0, CUT] == 0:
            break
        if margin > 0.0 and widest == -BEYOND:
            floor, ceiling = value - margin, value + margin
    report[reply_at.VALUE], report[reply_at.DEPTH], report[reply_at.PROVEN] = value, reached, is_proven and proves(policy)
    copy_counts(frames, report)
    return best


@inner
def choose_best(policy, position, history, rng, scratch, deterministic):
    """The best action at the greatest depth searched; see the head of this file for ties."""
    reply, stack = scratch[0], scratch[1]
    moves, frames = stack.frames[0, FIELDS:], stack.frames
    count = verbs.legal_actions(position, moves)
    is_wide = reply.actions.shape[0] > 0
    if count == 1 and not is_wide:
        return moves[0]
    count = narrow(policy, position, stack, count)
    moves = moves[:count]
    if not deterministic:
        for i in range(count - 1, 0, -1):
            j = draw(rng, i + 1)
            moves[i], moves[j] = moves[j], moves[i]
    clear_counts(frames)
    stack.table.generation[0] += 1
    for ply in range(frames.shape[0]):
        frames[ply, KILLER], frames[ply, KILLER_2] = -1, -1
    for slot in range(stack.success.shape[1]):
        stack.success[0, slot], stack.success[1, slot] = 0, 0
    for i in range(count):
        stack.root[i, VALUE], stack.root[i, COST] = 0.0, 0.0
    frames[0, KEY] = as_int64(verbs.key(position))
    best = deepen(policy, position, history, reply, stack, moves)
    if is_wide:
        for i in range(count):
            reply.actions[i], reply.values[i], reply.counts[i] = moves[i], stack.root[i, VALUE], int(stack.root[i, COST])
        reply.report[reply_at.NUM_ACTIONS] = count
    return moves[best]
