"""Max-n: minimax for any number of seats. Each picks the action whose vector of values is best for itself.

A position is worth a vector, a value in [-1, 1] for each seat; the seat to play takes the child with the greatest component
of its own, the first of equals, and the whole vector is passed up. Nothing else is cut than what comes after a sure win, for
bounds on vectors need to know more of a game than its greatest return. The depth counts plies; the horizon, and where chance
is to act, is worth what the heuristic says to each seat. With two seats one of which wins what the other loses, the value is
that of minimax.

Source: C. A. Luckhardt, K. B. Irani, "An algorithmic solution of N-person games", AAAI 1986.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search import common as reply_at
from boardgym.baselines.search.alphabeta_stack import (
    COUNTS,
    CUT,
    CUTOFFS,
    NEARLY_ONE,
    NONE,
    ONE,
    STOPPED,
    VISITED,
    Memory,
    clear_counts,
    copy_counts,
    copy_line,
    must_stop,
    repeats,
    take_line,
)
from boardgym.baselines.search.common import is_short_budget, read_budget, scale_of, silent_reply
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.minimax import MAX_DEPTH
from boardgym.compile import inner
from boardgym.compile.references import lend
from boardgym.core import verbs
from boardgym.core.bits import as_int64
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, refuse_extras
from boardgym.core.random import draw
from boardgym.core.verbs import rule


class MaxN(NamedTuple):
    """Settings of max-n. seats: how many. max_nodes: 0 for no limit. scale: turns returns into values in [-1, 1]."""

    depth: int
    max_nodes: int
    seats: int
    scale: float


class Path(NamedTuple):
    """The path that a search is on, one row a ply, ply 0 the root.

    counts, length, line, keys, actions: as of `alphabeta_stack.Stack`. values: float64 (plies, seats), the vector of each
    position. root: float64 (most actions, 2), of each of the root's actions the value for its seat, and the positions visited.
    """

    counts: NDArray[np.int64]
    length: NDArray[np.int64]
    line: NDArray[np.int64]
    keys: NDArray[np.int64]
    actions: NDArray[np.int64]
    values: NDArray[np.float64]
    root: NDArray[np.float64]


@rule(MaxN)
def make_scratch(policy, position, max_actions, data):
    """The reply, and the path."""
    plies = policy.depth + 1
    return silent_reply(), Path(
        np.zeros(COUNTS, np.int64),
        np.zeros(plies, np.int64),
        np.empty((plies, plies), np.int64),
        np.empty(plies, np.int64),
        np.empty((plies, max_actions), np.int64),
        np.zeros((plies, policy.seats), np.float64),
        np.zeros((max_actions, 2), np.float64),
    )


@inner
def search(memory, position, ply, left):
    """Writes the vector of a position to the path's values. Returns whether it is closed: no estimate went into it.

    memory: a reference to a `Memory` whose stack is a `Path`.
    """
    path, seats, scale = memory.stack, memory.policy.seats, memory.policy.scale
    counts, values, actions = path.counts, path.values, path.actions
    if must_stop(memory, counts):
        return False
    path.length[ply] = 0
    if verbs.is_terminal(position):
        for seat in range(seats):
            values[ply, seat] = verbs.returns(position, seat) * scale
        return True
    if repeats(memory, position, ply):
        for seat in range(seats):
            values[ply, seat] = verbs.draw_returns(position, seat) * scale
        return True
    mover = verbs.to_play(position)
    if left == 0 or mover == verbs.CHANCE:
        for seat in range(seats):
            values[ply, seat] = min(max(verbs.heuristic(position, seat), -NEARLY_ONE), NEARLY_ONE)
        if left == 0:
            counts[CUT] = 1
        return False
    count, all_closed = verbs.legal_actions(position, actions[ply]), True
    for i in range(count):
        is_closed = search(memory, verbs.apply(position, actions[ply, i]), ply + 1, left - 1)
        if counts[STOPPED]:
            return False
        all_closed = all_closed and is_closed
        if i == 0 or values[ply + 1, mover] > values[ply, mover]:
            for seat in range(seats):
                values[ply, seat] = values[ply + 1, seat]
            take_line(path.length, path.line, ply, actions[ply, i])
            if values[ply, mover] >= 1.0:
                counts[CUTOFFS] += int(i + 1 < count)
                return is_closed
    return all_closed


@inner
def search_root(memory, position, moves, depth):
    """One depth. Returns the index of the best action, the first of equals, -1 if it was stopped; and whether it is closed."""
    path, counts, root = memory.stack, memory.stack.counts, memory.stack.root
    seat, best, all_closed = verbs.to_play(position), -1, True
    for i in range(moves.shape[0]):
        before = counts[VISITED]
        is_closed = search(memory, verbs.apply(position, moves[i]), ONE, depth - 1)
        if counts[STOPPED]:
            return -1, False
        all_closed = all_closed and is_closed
        root[i, 0] = path.values[1, seat]
        root[i, 1] += counts[VISITED] - before
        if best < 0 or root[i, 0] > root[best, 0]:
            best = i
            take_line(path.length, path.line, NONE, moves[i])
    return best, all_closed


@rule(MaxN)
def choose(policy, position, history, rng, scratch, deterministic):
    """The best action of the greatest depth that was searched in full; of equals the first, or one at random."""
    reply, path = scratch[0], scratch[1]
    memory, counts, root = lend(Memory(policy, history, reply.stop, path)), path.counts, path.root
    report, moves, is_wide = reply.report, path.actions[0], reply.actions.shape[0] > 0
    count = verbs.legal_actions(position, moves)
    if count == 1 and not is_wide:
        return moves[0]
    moves = moves[:count]
    if not deterministic:
        for i in range(count - 1, 0, -1):
            j = draw(rng, i + 1)
            moves[i], moves[j] = moves[j], moves[i]
    clear_counts(counts)
    path.keys[0] = as_int64(verbs.key(position))
    root[:, 1] = 0.0
    best, value, reached, is_proven = 0, 0.0, 0, False
    report[reply_at.LINE_LENGTH] = 0
    for depth in range(1, policy.depth + 1):
        counts[CUT] = 0
        found, is_closed = search_root(memory, position, moves, depth)
        if found < 0:
            break
        # With more than two seats a win or a loss may hang on what the others choose, and they see no further than the depth.
        is_sure = is_closed or policy.seats == 2
        value, reached, is_proven = root[found, 0], depth, is_closed or (is_sure and root[found, 0] >= 1.0)
        for i in range(count if is_wide else 0):
            reply.actions[i], reply.values[i] = moves[i], root[i, 0]
        if value > -1.0 or depth == 1:  # where all looks lost, what the depth before chose resists longest
            best = found
            copy_line(path.length, path.line, reply)
        elif is_sure:
            break
        if is_proven or counts[CUT] == 0:
            break
    if is_wide:
        for i in range(count):
            reply.actions[i], reply.counts[i] = moves[i], int(root[i, 1])
        report[reply_at.NUM_ACTIONS] = count
    report[reply_at.VALUE], report[reply_at.DEPTH], report[reply_at.PROVEN] = value, reached, is_proven
    copy_counts(counts, report)
    return moves[best]


def make_maxn(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`maxn:D`, `maxn:0.5s`; nodes= the most positions to visit, time= a limit besides the depth. Raises SpecError."""
    refuse_extras(spec, keywords=("nodes", "time"))
    number, seconds, nodes = read_budget(spec, "the depth in plies", MAX_DEPTH)
    depth, max_nodes = number or MAX_DEPTH, nodes or 0
    is_short = is_short_budget(game.max_legal_actions, depth, max_nodes)
    settings = MaxN(depth, max_nodes, game.num_seats, scale_of(game))
    return SearchPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed)
