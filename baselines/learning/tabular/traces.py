"""Eligibility traces over the turns of an episode: how an error found at one turn mends the turns before it.

    error    = target(t) - V(x_t)
    trace(t) = 1,  trace(i) <- discount * trace_decay * trace(i)  for the turns i before it
    V(x_i)  <- V(x_i) + step_size * error * trace(i)              for all i up to t

x_i is the entry of turn i. Traces belong to turns, so an entry that was met more than once has the sum of theirs: these are
accumulating traces. Replacing ones forget those of the earlier turns. With a trace_decay of 0 only turn t learns.

Sources: R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988; S. P. Singh and R. S. Sutton,
"Reinforcement learning with replacing eligibility traces", 1996.
"""

from typing import Any

import numpy as np

from boardgym.baselines.learning.learner import DISCOUNT, LEAST_TRACE, TRACE_DECAY, Record, step_size
from boardgym.baselines.learning.tabular import table as tb
from boardgym.compile import inner


@inner
def is_same_entry(record: Record, i: int, t: int) -> bool:
    """Whether turns i and t have the same entry."""
    return record.actions[i] == record.actions[t] and tb.is_key(record.keys, i, record.keys[t])


@inner
def move_traced(learner: Any, table: tb.Table, record: Record, t: int, target: float) -> int:
    """Moves the values of turn t, and by their traces of those before it, after a target of turn t.

    learner: its fields `default`, `visit_power` and `replaces` (1: replacing traces) count. The entries of the turns before are
    in the table: they have been moved themselves. Returns 0, or table.NO_ROOM.
    """
    slot = tb.put(table, record.keys[t], record.actions[t], learner.default)
    if slot == tb.NO_ROOM:
        return slot
    record.entries[0] += tb.count_visit(table, slot) == 1
    error = target - np.float64(table.values[slot])
    decay, greatest = record.rates[DISCOUNT] * record.rates[TRACE_DECAY], 1.0
    record.traces[t] = 1.0
    for i in range(t, -1, -1):
        if i < t:
            greatest *= decay  # of all traces as old as this
            if greatest < LEAST_TRACE:
                break
            record.traces[i] = 0.0 if learner.replaces != 0 and is_same_entry(record, i, t) else record.traces[i] * decay
        if record.traces[i] > 0.0:
            slot = tb.find(table, record.keys[i], record.actions[i])
            value, step = np.float64(table.values[slot]), step_size(learner, record, np.int64(table.visits[slot]))
            table.values[slot] = value + step * error * record.traces[i]
    return 0
