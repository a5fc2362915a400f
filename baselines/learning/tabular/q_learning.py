"""Q-learning, Pessimistic Q-learning and minimax-Q over a table.

Values are returns to expect for the seat to play, in its rewards. A turn's successor is the seat's own next turn, after the
others have answered.

Q-learning:             Q(s, a) <- Q(s, a) + step_size (r + discount max_a' Q(s', a') - Q(s, a))
Pessimistic sweep:      the same with min in place of max, over the turns of a finished episode
Minimax-Q:              s' is the next ply, whoever plays it: max for the seat itself, minus its max for another, which takes
                        two seats of which one wins what the other loses; r is what the seat's own ply paid

Sources: A. B. Pereira, dissertation on Pessimistic Q-learning (PUC-Rio, 2012), sections 2.3 and 2.4; C. J. C. H. Watkins,
"Learning from delayed rewards", 1989; M. L. Littman, "Markov games as a framework for multi-agent reinforcement learning",
1994, for alternating moves.
"""

from typing import Any, NamedTuple

import numpy as np

from boardgym.baselines.learning.learner import (
    BEST,
    DISCOUNT,
    HAS_REPLY,
    LOSS,
    OWN_PAY,
    REPLY,
    Record,
    is_last,
    move_towards,
)
from boardgym.baselines.learning.tabular import table as tb
from boardgym.compile import inner
from boardgym.core.verbs import rule

NEVER, ON_LOSS, ALWAYS = range(3)  # when to sweep
REVERSE, FORWARD = range(2)  # from the last turn to the first, or as they were played


class QLearning(NamedTuple):
    """Settings. default: of what is not in the table. way: of exploring. sweep: NEVER, ON_LOSS, ALWAYS. order: of the sweep.

    uses_symmetry: 1 if positions that symmetries make equal are one. visit_power: the step size is divided by visits ** it.
    """

    default: float = 0.0
    way: int = 0
    uses_symmetry: int = 0
    visit_power: float = 0.0
    sweep: int = NEVER
    order: int = REVERSE


class MinimaxQ(NamedTuple):
    """As QLearning, without a sweep."""

    default: float = 0.0
    way: int = 0
    uses_symmetry: int = 0
    visit_power: float = 0.0


@rule(QLearning)
def learn(learner: Any, table: tb.Table, record: Record, t: int) -> int:
    """Towards the reward, and the discounted best of the next turn."""
    target = record.rewards[t]
    if not is_last(record, t):
        target += record.rates[DISCOUNT] * record.values[t + 1, BEST]
    return move_towards(learner, table, record, t, target)


@rule(MinimaxQ)  # type: ignore[no-redef]
def learn(learner: Any, table: tb.Table, record: Record, t: int) -> int:  # type: ignore[no-redef]  # noqa: F811
    """Towards the reward, and the discounted best of the next ply, against the seat if it is another's."""
    if record.values[t, HAS_REPLY] != 0.0:  # what the reply pays is in its own value
        target = record.values[t, OWN_PAY] - record.rates[DISCOUNT] * record.values[t, REPLY]
    else:  # its own turn again, or no learner's, or the end
        target = record.rewards[t]
        if not is_last(record, t):
            target += record.rates[DISCOUNT] * record.values[t + 1, BEST]
    return move_towards(learner, table, record, t, target)


@inner
def least_value(learner: Any, table: tb.Table, record: Record, t: int) -> float:
    """The smallest value of the actions of turn t; of those that are not in the table, the default."""
    words, least, found = record.keys[t], np.inf, 0
    base, size, place = tb.first_slot(table, words)
    while table.actions[base + place] != 0:
        slot = base + place
        if tb.is_key(table.keys, slot, words):
            least = min(least, np.float64(table.values[slot]))
            found += 1
        place = place + 1 if place + 1 < size else 0
    return min(least, learner.default) if found < record.counts[t] else least


@rule(QLearning)
def finish(learner: Any, table: tb.Table, record: Record, result: int) -> int:
    """The pessimistic sweep."""
    if learner.sweep == NEVER or (learner.sweep == ON_LOSS and result != LOSS):
        return 0
    length = record.length[0]
    for i in range(length):
        t = i if learner.order == FORWARD else length - 1 - i
        target = record.rewards[t]
        if not is_last(record, t):
            target += record.rates[DISCOUNT] * least_value(learner, table, record, t + 1)
        if move_towards(learner, table, record, t, target) == tb.NO_ROOM:
            return tb.NO_ROOM
    return 0
