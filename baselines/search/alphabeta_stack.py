"""What alpha-beta remembers: the columns of its stack, the best line, the order of actions, what is counted.

Columns of options that are off are None. A function that takes such a column, or the settings of an option, as an argument and
begins with `if rolls is None` is compiled without what follows, so that an option costs neither time nor compilation where
it is off. `minimax.py` says which options there are.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search.common import is_repeated
from boardgym.baselines.search.evaluation import evaluate
from boardgym.baselines.search.table import Table
from boardgym.compile import inlined, inner, overloaded
from boardgym.compile.registry import class_of
from boardgym.core import verbs
from boardgym.core.bits import as_int64

BEYOND = 2.0  # above every value: the open window, in which lost lines are kept too
TINY = 1e-9  # to let an equal value pass a bound
NEARLY_ONE = 1.0 - 1e-6  # bound of heuristics: only the end of a game is worth 1
FINE = 1 << 40  # values as whole numbers, for ordering
NO_ACTION = -1
# Arguments of recursive functions: a literal would have them compiled for it alone, and call the other by a name that no
# other process can resolve: from the cache, it would end Python.
NONE, ONE = np.int64(0), np.int64(1)
VISITED, STOPPED, FINISHED, CUT, CUTOFFS, HITS, COUNTS = range(7)  # of Stack.counts
VALUE, COST = range(2)  # columns of Stack.root
PROBABILITY, LOWER, UPPER = range(3)  # rows of Stack.rolls, for each ply
TURN_SLOTS, TURN_PROBES = 2048, 8  # a power of two; a position of a turn lies in one of so many slots from its hash on
TABLE_MOVE, FIRST_KILLER, SECOND_KILLER = 1 << 62, 1 << 61, 1 << 60  # scores; all others are below
GIVEN, BY_HEURISTIC, WORST_FIRST = 0, 1, -1  # orders


class Turns(NamedTuple):
    """What the turns of the path have led to so far, so that plies in another order are not searched again. With TURNS alone.

    D is the depth + 1: a turn is that of the path which has so many turns left, itself among them.

    keys: int64 (D, S), of positions; S is TURN_SLOTS, or 0 where equal keys may stand for unequal positions. stamps: int64
    (D, S), the number of the turn in which a key was written.
    now: int64 (D,), the present turn's number.
    """

    keys: NDArray[np.int64]
    stamps: NDArray[np.int64]
    now: NDArray[np.int64]


class Stack(NamedTuple):
    """The path that a search is on, one row a ply, ply 0 the root; and what it has learnt on earlier ones.

    In shapes P is the number of plies, A the most actions that a position has. Values are in [-1, 1].

    counts: int64 (COUNTS,). VISITED: positions; STOPPED: 1 once the search has to end; FINISHED: actions of the root that are
        finished in this iteration; CUT: 1 if the depth has cut a line; CUTOFFS: positions of which actions were left out
        because of a bound; HITS: positions that the table answered.
    length: int64 (P,), of the best line from a ply on.
    line: int64 (P, P), that line's actions, `length` of them.
    keys: int64 (P,), of the positions, in games that end by repetition; of the root in all.
    killers: int64 (P, 2), the last two actions that were good enough to cut at that ply, or NO_ACTION.
    actions: int64 (P, A), the position's; chance's outcomes where it is to act.
    scores: int64 (P, A), by which the actions are put in order, the greatest first.
    success: int64 (2, slots), for each seat how often and how far from the horizon an action has cut.
    root: float64 (A, 2). VALUE: of each of the root's actions; COST: the positions that were visited for it.
    table: see `table.py`; of one slot where there is none.
    horizon: what positions at the depth are worth, see `evaluation.horizon_of`.
    rolls: float64 (P, 3, A), of chance's outcomes the PROBABILITY, and the LOWER and UPPER bound of what each is worth; only
        with ROLLS.
    turns: see `Turns`; only with TURNS.
    """

    counts: NDArray[np.int64]
    length: NDArray[np.int64]
    line: NDArray[np.int64]
    keys: NDArray[np.int64]
    killers: NDArray[np.int64]
    actions: NDArray[np.int64]
    scores: NDArray[np.int64]
    success: NDArray[np.int64]
    root: NDArray[np.float64]
    table: Table
    horizon: Any
    rolls: NDArray[np.float64] | None
    turns: Turns | None


class Memory(NamedTuple):
    """What every position of a search is searched with, by reference (`boardgym.compile.references`).

    policy: the settings. history: int64 (plies,), the keys of the game's positions. stop: int64 (1,), set from outside.
    """

    policy: Any
    history: NDArray[np.int64]
    stop: NDArray[np.int64]
    stack: Stack


def options_of(policy: Any) -> tuple[Any, Any, Any, Any]:
    """(learns, options, selective, rolls): for each the settings if it is on, else None, which is known at compile time.

    learns: searched positions tell about others, by the table, killers and history: not with ROLLS. options: with REFINED.
    selective: with SELECTIVE, which is for REFINED alone. rolls: with ROLLS.
    """
    kind = type(policy)
    if kind.ROLLS:
        return None, None, None, policy
    return policy, policy if kind.REFINED else None, policy if kind.SELECTIVE else None, None


@overloaded(options_of)
def _options_of(policy):
    kind = class_of(policy)
    if kind.ROLLS:
        return lambda policy: (None, None, None, policy)
    if kind.SELECTIVE:
        return lambda policy: (policy, policy, policy, None)
    return (lambda policy: (policy, policy, None, None)) if kind.REFINED else (lambda policy: (policy, None, None, None))


# ---------------------------------------------------------------- values


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


@inlined
def worth(horizon, position, seat):
    """What the evaluation says of a position, for the seat that has moved there: less than a win, more than a loss."""
    return min(max(evaluate(horizon[0], position, seat, horizon[1]), -NEARLY_ONE), NEARLY_ONE)


# ---------------------------------------------------------------- counts and the best line


@inlined
def must_stop(memory, counts):
    """Counts a position, and notes whether the search has to end. memory: has `policy` and `stop`. counts: the stack's."""
    counts[VISITED] += 1
    if memory.stop[0] != 0 or 0 < memory.policy.max_nodes < counts[VISITED]:
        counts[STOPPED] = 1
        return True
    return False


@inner
def clear_counts(counts):
    """Begins a search."""
    counts[VISITED], counts[STOPPED], counts[CUTOFFS], counts[HITS] = 0, 0, 0, 0


@inner
def copy_counts(counts, report):
    """What has been counted, for the reply."""
    report[reply_at.NODES] = counts[VISITED]
    report[reply_at.CUTOFFS], report[reply_at.TABLE_HITS] = counts[CUTOFFS], counts[HITS]


@inner
def take_line(length, line, ply, action):
    """The best line from `ply`: the action, then the best line from the next ply. length, line: the stack's."""
    plies = length[ply + 1]
    length[ply], line[ply, 0] = plies + 1, action
    for i in range(plies):
        line[ply, i + 1] = line[ply + 1, i]


@inner
def copy_line(length, line, reply):
    """Keeps the root's best line in a reply that has room."""
    plies = min(length[0], reply.line.shape[0])
    for i in range(plies):
        reply.line[i] = line[0, i]
    reply.report[reply_at.LINE_LENGTH] = plies


# ---------------------------------------------------------------- turns of several plies


@inner
def new_turns(rows, slots):
    """A record of turns, empty."""
    keys, stamps = np.empty((rows, slots), np.int64), np.zeros((rows, slots), np.int64)
    return Turns(keys, stamps, np.zeros(rows, np.int64))


def make_turns(policy: Any) -> Turns | None:
    """The record of turns for a search with TURNS, else None, which is known at compile time."""
    return new_turns(policy.depth + 1, TURN_SLOTS * policy.merges) if type(policy).TURNS else None


@overloaded(make_turns)
def _make_turns(policy):
    if class_of(policy).TURNS:
        return lambda policy: new_turns(policy.depth + 1, TURN_SLOTS * policy.merges)
    return lambda policy: None


@inlined
def left_after(turns, child, seat, left):
    """What is left of the depth after an action of `seat` that leads to `child`: with TURNS a turn less if that ends it."""
    if turns is None:
        return left - 1
    return left if verbs.to_play(child) == seat else left - 1


@inlined
def begin_turn(turns, left):
    """Forgets what another turn has led to that had as many turns left."""
    if turns is None:
        return
    turns.now[left] += 1


@inner
def is_known(turns, child, left):
    """Whether the present turn has led to `child` before; notes that it has. left: of the position that it comes from."""
    if turns is None:
        return False
    key, now, stamps, keys = as_int64(verbs.key(child)), turns.now[left], turns.stamps[left], turns.keys[left]
    for probe in range(min(TURN_PROBES, keys.shape[0])):
        slot = ((key & (TURN_SLOTS - 1)) + probe) & (TURN_SLOTS - 1)
        if stamps[slot] != now:
            stamps[slot], keys[slot] = now, key
            return False
        if keys[slot] == key:
            return True
    return False  # no room: it is searched again


# ---------------------------------------------------------------- positions that are not looked beyond


@inlined
def repeats(memory, position, ply):
    """Whether the game ends here by repetition; notes the position's key where it could."""
    if verbs.repetition_limit(position) <= 0:
        return False
    keys = memory.stack.keys
    keys[ply] = as_int64(verbs.key(position))
    return is_repeated(position, memory.history, keys, ply)


@inlined
def estimate(memory, position, came, ply, left):
    """Value of a position that is not looked beyond, and whether it is closed: the end of a game is. It is not counted."""
    if verbs.is_terminal(position):
        return payoff(memory.policy, position, came), True
    if repeats(memory, position, ply):
        return drawn_payoff(memory.policy, position, came), True
    if left == 0:
        memory.stack.counts[CUT] = 1
    return worth(memory.stack.horizon, position, came), False


@inlined
def look(memory, position, came, ply, left):
    """As `estimate`, and counts the position."""
    memory.stack.length[ply] = 0
    if must_stop(memory, memory.stack.counts):
        return 0.0, False
    return estimate(memory, position, came, ply, left)


# ---------------------------------------------------------------- the order of actions


@inlined
def rate_moves(stack, ply, seat, count, table_move):
    """Fills the scores: the table's move first, then the killers, then by success of the seat."""
    actions, scores, success = stack.actions, stack.scores, stack.success
    first, second, slots = stack.killers[ply, 0], stack.killers[ply, 1], success.shape[1] - 1
    for i in range(count):
        action = actions[ply, i]
        if action == table_move:
            score = TABLE_MOVE
        elif action == first:
            score = FIRST_KILLER
        elif action == second:
            score = SECOND_KILLER
        else:
            score = success[seat, action & slots]
        scores[ply, i] = score


@inlined
def level_scores(scores, ply, count):
    """Lets the actions be picked as they come."""
    for i in range(count):
        scores[ply, i] = 0


@inner
def look_ahead(policy, horizon, position, action, seat):
    """What the evaluation makes of an action at once, for the seat that plays it, as a whole number up to FINE."""
    child = verbs.apply(position, action)
    if verbs.is_terminal(child):
        return int(FINE * payoff(policy, child, seat))
    return int((FINE - 1) * worth(horizon, child, seat))


@inner
def rate_by_evaluation(memory, position, ply, seat, count, sign):
    """Fills the scores by `sign` times what the evaluation makes of each action, but for the table's move and killers."""
    actions, scores, horizon = memory.stack.actions, memory.stack.scores, memory.stack.horizon
    for i in range(count):
        if scores[ply, i] < SECOND_KILLER:
            scores[ply, i] = sign * look_ahead(memory.policy, horizon, position, actions[ply, i], seat)


@inlined
def pick_move(stack, ply, index, count):
    """The best rated of the actions from `index` on, the earlier one of equals; brings it there, its score is lost."""
    actions, scores, best = stack.actions, stack.scores, index
    for i in range(index + 1, count):
        if scores[ply, i] > scores[ply, best]:
            best = i
    action = actions[ply, best]
    actions[ply, best], scores[ply, best] = actions[ply, index], scores[ply, index]
    actions[ply, index] = action
    return action


@inner
def bring_best(memory, position, ply, seat, count, width):
    """Brings the `width` best actions, as the evaluation sees what they lead to, to the front; the earlier one of equals."""
    level_scores(memory.stack.scores, ply, count)
    rate_by_evaluation(memory, position, ply, seat, count, BY_HEURISTIC)
    for i in range(width):
        pick_move(memory.stack, ply, i, count)


@inlined
def note_killer(killers, ply, action):
    """Remembers the action that was good enough to cut, for positions at this ply."""
    if killers[ply, 0] != action:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = action


@inlined
def note_success(success, seat, left, action):
    """Remembers the action that was good enough to cut, for the seat."""
    success[seat, action & (success.shape[1] - 1)] += left * left
