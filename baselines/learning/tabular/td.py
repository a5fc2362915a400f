"""TD(0) and TD(lambda) over a table of afterstates: the position that an action leads to, before chance or a reply.

V(x) is the return to expect for the seat that has moved, in its rewards, from the turn that led to x on: what reaching x pays
is part of it, so that the best action is the one that leads to the greatest V. Different actions that lead to one position
share what is learnt. The same position valued for another seat is another entry.

    V(x_t) <- V(x_t) + step_size (r_t + discount V(x_{t+1}) - V(x_t))

x_t is where the seat's turn t led, x_{t+1} where its next turn led, by the action that it chose (the learner's own policy is
what is valued, its exploring too). r_t is all that the seat was paid from turn t until turn t + 1, or the end. With a
trace_decay (lambda) above 0 the same error mends the turns before, by their traces: see `traces`.

Afterstates in which the game is over need no table: their value is the outcome, known without having been met. It is what a
look ahead by one ply sees, and the V(x_{t+1}) of the turn before. A game that is drawn by repetition is not over by its
position alone: that is learnt.

Sources: R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988; afterstates: R. S. Sutton and A. G.
Barto, "Reinforcement Learning: An Introduction", 2nd edition, 2018, section 6.8.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.learner import CHOSEN, DISCOUNT, KNOWN, Choices, Record, is_last, symmetry_of, write_key
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.traces import move_traced
from boardgym.compile import inner
from boardgym.core import verbs
from boardgym.core.verbs import rule


class TD(NamedTuple):
    """Settings. default: of what is not in the table. way: of exploring.

    uses_symmetry: 1 if positions that symmetries make equal are one. visit_power: the step size is divided by visits ** it.
    replaces: 1 for replacing traces, 0 for accumulating ones; the rate TRACE_DECAY is lambda, 0 for TD(0).
    has_pays: 1 if the end of a game pays win, draw or loss, as the `pays` of `episodes.Terms`; 0 if what the game pays.
    """

    default: float = 0.0
    way: int = 0
    uses_symmetry: int = 0
    visit_power: float = 0.0
    replaces: int = 0
    has_pays: int = 0
    win: float = 1.0
    draw: float = 0.0
    loss: float = -1.0


class PositionValues(NamedTuple):
    """Settings of a policy by values of afterstates: the fields of the same name of a learner."""

    default: float
    way: int
    uses_symmetry: int
    has_pays: int
    win: float
    draw: float
    loss: float


@inner
def outcome_of(learner: Any, position: Any, seat: int) -> float:
    """What the end of a game in this very position is worth to a seat."""
    if learner.has_pays == 0:
        return np.float64(verbs.reward(position, seat))
    total = verbs.returns(position, seat)
    return learner.win if total > 0.0 else learner.loss if total < 0.0 else learner.draw


@rule(TD, PositionValues)
def look(learner: Any, position: Any, table: tb.Table, key: NDArray[np.int64], choices: Choices, count: int) -> int:
    """Of each action the value of where it leads. The key is written when one is chosen."""
    seat = verbs.to_play(position)
    for k in range(count):
        after = verbs.apply(position, choices.legal[k])
        choices.values[k], choices.visits[k] = learner.default, 0.0
        if verbs.is_terminal(after):
            choices.named[k], choices.values[k] = KNOWN, outcome_of(learner, after, seat)
        else:
            choices.named[k] = tb.VALUE_OF_POSITION - seat
            write_key(after, symmetry_of(learner, after), choices.words)
            slot = tb.find(table, choices.words, choices.named[k])
            if slot != tb.ABSENT:
                choices.values[k], choices.visits[k] = np.float64(table.values[slot]), np.float64(table.visits[slot])
    return 0


@rule(TD)
def settle(learner: Any, position: Any, table: tb.Table, key: NDArray[np.int64], choices: Choices, k: int) -> None:
    """The turn is known by where it led."""
    after = verbs.apply(position, choices.legal[k])
    write_key(after, symmetry_of(learner, after), key)


@rule(TD)
def is_on_policy(learner: Any) -> bool:
    """It needs the action of the next turn."""
    return True


@rule(TD)
def learn(learner: Any, table: tb.Table, record: Record, t: int) -> int:
    """Towards the reward, and the discounted value of where the next turn led."""
    if record.actions[t] == KNOWN:
        return 0
    target = record.rewards[t]
    if not is_last(record, t):
        target += record.rates[DISCOUNT] * record.values[t + 1, CHOSEN]
    return move_traced(learner, table, record, t, target)
