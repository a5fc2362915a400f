"""MENACE, the matchbox machine: a box of beads for every position, a colour for every action, more beads the better it went.

A turn draws a bead from the box of the position and plays its action. When the game is over, each box that was opened gets as
many beads of the colour played as the result is worth, or loses some:

    beads(s, a) <- max(0, beads(s, a) + won, drawn or lost),   at first 3, 1 and -1

A box is filled when it is first opened, by the number of the seat's own turn: 4 beads a colour at its first turn, 3 at the
second, 2 at the third, 1 after that. Positions that symmetries of the board make equal are one box, and of actions that they
make equal one has a colour: three for the first move of tic-tac-toe. At an empty box Michie's machine resigns; ours plays any
action, and goes on to lose or to learn.

Rates play no part. Sources: D. Michie, "Trial and error", Science Survey 2, 1961; "Experiments on the mechanization of
game-learning. Part I", The Computer Journal 6, 1963.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.learner import DRAW, PROPORTIONAL, WIN, Choices, Record, symmetry_of, write_key
from boardgym.baselines.learning.tabular import table as tb
from boardgym.compile import inner
from boardgym.core import verbs
from boardgym.core.verbs import rule


class Menace(NamedTuple):
    """Settings. default: beads of what has no colour, 0. way: PROPORTIONAL, the draw of a bead.

    uses_symmetry: 1 if positions that symmetries make equal are one box. first, second, third, later: beads a colour of a box
    that is first opened at the seat's first, second, third turn, or later. won, drawn, lost: beads after a game.
    """

    default: float = 0.0
    way: int = PROPORTIONAL
    uses_symmetry: int = 1
    first: float = 4.0
    second: float = 3.0
    third: float = 2.0
    later: float = 1.0
    won: float = 3.0
    drawn: float = 1.0
    lost: float = -1.0


@inner
def beads_at(learner: Any, turn: int) -> float:
    """Beads a colour of a box that is filled at the seat's own turn, counted from 0."""
    return learner.first if turn == 0 else learner.second if turn == 1 else learner.third if turn == 2 else learner.later


@inner
def has_colour(learner: Any, image: Any, action: int) -> bool:
    """Whether an action of a position has a colour: it is the first of those that symmetries of the position make equal."""
    if learner.uses_symmetry != 0:
        own = verbs.key(image)
        for k in range(1, verbs.num_symmetries(image)):
            if verbs.transform_action(image, action, k) < action and verbs.key(verbs.transform(image, k)) == own:
                return False
    return True


@rule(Menace)
def look(learner: Any, position: Any, table: tb.Table, key: NDArray[np.int64], choices: Choices, count: int) -> int:
    """Opens the box, and fills in the colours that it lacks: all if it is new, some where a table was full."""
    code, symmetry = 0, symmetry_of(learner, position)
    write_key(position, symmetry, key)
    for k in range(count):
        choices.named[k] = verbs.transform_action(position, choices.legal[k], symmetry)
    if tb.look_up(table, key, choices.named, count, choices.values, choices.visits, learner.default) < count:
        image, beads = verbs.transform(position, symmetry), beads_at(learner, choices.turn[0])
        for k in range(count):
            is_absent = choices.values[k] == learner.default and choices.visits[k] == 0.0
            if is_absent and has_colour(learner, image, choices.named[k]):
                code = min(code, tb.put(table, key, choices.named[k], beads))
                choices.values[k] = beads
    return code


@rule(Menace)
def learn(learner: Any, table: tb.Table, record: Record, t: int) -> int:
    """Nothing: all is learnt when the result is known."""
    return 0


@rule(Menace)
def finish(learner: Any, table: tb.Table, record: Record, result: int) -> int:
    """Adds beads to the boxes that were opened, or takes them out."""
    change = learner.won if result == WIN else learner.drawn if result == DRAW else learner.lost
    for t in range(record.length[0]):
        slot = tb.put(table, record.keys[t], record.actions[t], learner.default)
        if slot == tb.NO_ROOM:
            return slot
        table.values[slot] = max(0.0, np.float64(table.values[slot]) + change)
        record.entries[0] += tb.count_visit(table, slot) == 1
    return 0
