"""Sarsa and Sarsa(lambda) over a table: what the learner goes on to do counts, its exploring too.

Values are returns to expect for the seat to play, in its rewards. A turn's successor is the seat's own next turn.

    Q(s, a) <- Q(s, a) + step_size (r + discount Q(s', a') - Q(s, a)),   a' the action taken in s'

and with a trace_decay (lambda) above 0 the same error mends the turns before, by their traces: see `traces`.

Sources: G. A. Rummery and M. Niranjan, "On-line Q-learning using connectionist systems", 1994; R. S. Sutton,
"Generalization in reinforcement learning: successful examples using sparse coarse coding", 1996, for the name.
"""

from typing import Any, NamedTuple

from boardgym.baselines.learning.learner import CHOSEN, DISCOUNT, Record, is_last
from boardgym.baselines.learning.tabular.traces import move_traced
from boardgym.core.verbs import rule


class Sarsa(NamedTuple):
    """Settings. default: of what is not in the table. way: of exploring.

    uses_symmetry: 1 if positions that symmetries make equal are one. visit_power: the step size is divided by visits ** it.
    replaces: 1 for replacing traces, 0 for accumulating ones; the rate TRACE_DECAY is lambda, 0 for Sarsa without traces.
    """

    default: float = 0.0
    way: int = 0
    uses_symmetry: int = 0
    visit_power: float = 0.0
    replaces: int = 0


@rule(Sarsa)
def is_on_policy(learner: Any) -> bool:
    """It needs the action of the next turn."""
    return True


@rule(Sarsa)
def learn(learner: Any, table: Any, record: Record, t: int) -> int:
    """Towards the reward, and the discounted value of the action that was chosen next."""
    target = record.rewards[t]
    if not is_last(record, t):
        target += record.rates[DISCOUNT] * record.values[t + 1, CHOSEN]
    return move_traced(learner, table, record, t, target)
