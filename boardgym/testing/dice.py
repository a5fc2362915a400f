"""A small game of chance, for tests and studies: a race of two tokens in which a die of three sides is rolled before each move.

The seat to play moves its own token up by the die (action 0), or the other's down by it (action 1), which it may not do
while that stands on 0. Who reaches cell 6 wins, two points if the other stands on 0. Outcomes 0, 1, 2 are the sides 1, 2, 3,
with probabilities 1/2, 1/3, 1/6. Position string: both cells, the seat, the die (0: to be rolled).
"""

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core.errors import NotationError
from boardgym.core.game import Game, Version
from boardgym.core.verbs import CHANCE, rule

GOAL = 6


class Dice(NamedTuple):
    """Cells of the seat to play and the other; the die, 0 where it is to be rolled."""

    own: int
    other: int
    seat: int
    die: int


@rule(Dice)
def to_play(position: Any) -> int:
    return position.seat if position.die or position.own >= GOAL or position.other >= GOAL else CHANCE


@rule(Dice)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    if position.die == 0:
        return 0
    out[0] = 0
    out[1] = 1
    return 2 if position.other > 0 else 1


@rule(Dice)
def chance(position: Any, outcomes: NDArray[np.int64], probabilities: NDArray[np.float64]) -> int:
    for i in range(3):
        outcomes[i] = i
    probabilities[0], probabilities[1], probabilities[2] = 1 / 2, 1 / 3, 1 / 6
    return 3


@rule(Dice)
def apply(position: Any, action: int) -> Any:
    if position.die == 0:
        return position.own, position.other, position.seat, action + 1
    if action == 0:
        return position.other, position.own + position.die, 1 - position.seat, 0
    return max(position.other - position.die, 0), position.own, 1 - position.seat, 0


@rule(Dice)
def is_terminal(position: Any) -> bool:
    return position.own >= GOAL or position.other >= GOAL


@rule(Dice)
def returns(position: Any, seat: int) -> float:
    value = -2.0 if position.own == 0 else -1.0  # the other has just arrived
    return value if seat == position.seat else -value


@rule(Dice)
def heuristic(position: Any, seat: int) -> float:
    value = (position.own - position.other) / 16.0
    return value if seat == position.seat else -value


@rule(Dice)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    is_observer = seat == position.seat
    mine, theirs = (position.own, position.other) if is_observer else (position.other, position.own)
    for cell in range(9):
        out[0, cell, 0] = cell == mine
        out[0, cell, 1] = cell == theirs
        out[0, cell, 2] = position.die
        out[0, cell, 3] = is_observer
        out[0, cell, 4] = seat
        out[0, cell, 5] = 1


@rule(Dice)
def decode(planes: Any) -> Any:
    mine, theirs = int(planes[0, :, 0].argmax()), int(planes[0, :, 1].argmax())
    die, seat = int(np.int64(planes[0, 0, 2])), int(np.int64(planes[0, 0, 4]))  # int() alone keeps int8 when compiled
    return Dice(mine, theirs, seat, die) if planes[0, 0, 3] else Dice(theirs, mine, 1 - seat, die)


MOVES = {"up": 0, "down": 1}
SIDES = {"1": 0, "2": 1, "3": 2}


def is_roll(position: Any) -> bool:
    """Whether the die is to be rolled."""
    return position.die == 0


def move_text(position: Any, action: int) -> str:
    """A move or a roll as text."""
    return str(action + 1) if is_roll(position) else list(MOVES)[action]


def parse_move(position: Any, text: str) -> int:
    """The action that a text names. Raises NotationError."""
    known = SIDES if is_roll(position) else MOVES
    if text not in known:
        raise NotationError(f"{text!r}: expected one of {', '.join(known)}")
    return known[text]


def from_fen(text: str) -> Dice:
    """The position of a string. Raises NotationError."""
    if not isinstance(text, str) or not (match := re.fullmatch(r"([0-8]) ([0-8]) ([01]) ([0-3])", text)):
        raise NotationError(f"{text!r}: expected as in '0 0 0 0'")
    return Dice(*map(int, match.groups()))


DICE = Game(
    name="Dice",
    title="Dice",
    position_class=Dice,
    start=Dice(0, 0, 0, 0),
    num_actions=2,
    max_legal_actions=2,
    num_outcomes=3,
    observation_shape=(1, 9, 6),
    observation_max=3,
    planes=("own", "other", "die", "observer to play", "observer is seat 1", "ones"),
    move_text=move_text,
    parse_move=parse_move,
    to_fen=lambda position: " ".join(map(str, position)),
    from_fen=from_fen,
    max_plies=10_000,
    versions=(Version(0, "0", "test", ""),),
    min_return=-2.0,
    max_return=2.0,
)
