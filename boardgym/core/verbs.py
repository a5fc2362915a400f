"""The verbs of a game: what a rules file may define over its positions, and what holds where it does not.

Generic code calls `verbs.to_play(position)`; how that finds the rule is in `boardgym.compile.dispatch`.

A game of chance says so by `to_play`, which gives CHANCE where dice are rolled or cards are dealt; `chance` lists what
may come, and `apply` takes the outcome as it takes an action.
"""

from typing import Any

import numpy  # not as np: a kernel that reads `np` and this module would get another digest
from numpy.typing import NDArray

from boardgym.compile import inner, overloaded
from boardgym.compile.borrowing import borrow, keep
from boardgym.compile.dispatch import optional_verb, rule, verb
from boardgym.compile.registry import class_of, find_rule, has_rule
from boardgym.compile.tokens import (
    Token,
    constant,
    field_types,
    hash_fields,
    num_fields,
    pack,
    unpack,
    write_fields,
)
from boardgym.core.random import draw_by_weight

__all__ = [
    "CHANCE",
    "Token",
    "borrow",
    "constant",
    "field_types",
    "find_rule",
    "has_rule",
    "hash_fields",
    "keep",
    "num_fields",
    "optional_verb",
    "pack",
    "rule",
    "unpack",
    "verb",
    "write_fields",
]

CHANCE = -1  # in place of a seat: dice or a deal decide


@verb
def to_play(position: Any) -> int:  # type: ignore[empty-body]
    """Seat to act, int in [0, num_seats), or CHANCE."""


@verb
def legal_actions(position: Any, out: NDArray[numpy.int64]) -> int:  # type: ignore[empty-body]
    """Writes the legal actions into `out`, ascending, and returns how many.

    out: int64 array of at least max_legal_actions. A forced pass is an action. 0 if and only if the game is over or chance
    is to act.
    """


@verb
def apply(position: Any, action: int) -> Any:
    """The successor of a position. action: int, legal; where chance is to act, the outcome. The caller has checked it."""


@verb
def is_terminal(position: Any) -> bool:  # type: ignore[empty-body]
    """Whether the game is over, by the position alone (draws by repetition are the board's business)."""


@verb
def returns(position: Any, seat: int) -> float:  # type: ignore[empty-body]
    """At the end of a game: what it pays `seat`, float64 in [min_return, max_return]."""


@verb
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    """Fills the observation as `seat` sees it. out: array of observation_shape, every element is written."""


@verb
def decode(token: Any, planes: NDArray[Any]) -> Any:
    """The position of an observation, inverse of `observe`. A rules file defines `decode(planes)`."""


@optional_verb
def reward(position: Any, seat: int) -> float:
    """What the ply that led to `position` paid `seat`, float64; over a game it adds up to the returns.

    Default: `returns` at the end, `draw_returns` where a repetition ends the game, else 0.
    """
    return returns(position, seat) if is_terminal(position) else 0.0


@optional_verb
def chance(position: Any, outcomes: NDArray[numpy.int64], probabilities: NDArray[numpy.float64]) -> int:
    """Where chance is to act: writes what may come, and returns how many. Default: there is no chance.

    outcomes: int64 array of at least num_outcomes, ascending. probabilities: float64 array beside it, sum 1.
    """
    return 0


@optional_verb
def heuristic(position: Any, seat: int) -> float:
    """An estimate of `returns` for `seat` of a position that is not terminal, float64 in (-1, 1). Default: 0.0.

    It is asked where chance is to act too. Games that count points are estimated on the scale of their greatest return.
    """
    return 0.0


@optional_verb
def noisy_actions(position: Any, out: NDArray[numpy.int64]) -> int:
    """Writes the actions that change much at once, legal ones, ascending, and returns how many; for quiescence search.

    out: int64 array of at least max_legal_actions. 0: the position is quiescent. Default: every position is.
    """
    return 0


@optional_verb
def key(position: Any) -> numpy.uint64:
    """Hash of a position without its clocks, uint64: equal for positions that repetition rules call equal.

    Default: from all fields that the class attribute CLOCKS does not name.
    """
    return hash_fields(position)


@optional_verb
def repetition_limit(position: Any) -> int:
    """How many times a position may occur before the game is drawn; 0 (default): no such rule."""
    return 0


@optional_verb
def repetition_window(position: Any) -> int:
    """How many plies back a repetition counts; 0 (default): to the beginning of the record."""
    return 0


@optional_verb
def draw_returns(position: Any, seat: int) -> float:
    """What a game that ends by repetition pays `seat`, float64. Default: 0.0."""
    return 0.0


@optional_verb
def num_symmetries(position: Any) -> int:
    """Number of symmetries of the board, the identity (number 0) among them. Default: 1."""
    return 1


@optional_verb
def transform(position: Any, k: int) -> Any:
    """The position under symmetry k in [0, num_symmetries). Default: itself."""
    return position


@optional_verb
def transform_action(position: Any, action: int, k: int) -> int:
    """The action that under symmetry k corresponds to `action`. Default: itself."""
    return int(action)


@optional_verb
def compact(position: Any, out: NDArray[numpy.int64]) -> int:
    """Writes a position, its clocks left out, into as few int64 words as will do, and returns how many: always the same number.

    Different positions give different words; tables are keyed by them. out: int64, with room for the words and perhaps no
    more: nothing else is written. Default: the fields that the class attribute CLOCKS does not name, one after another.
    """
    return write_fields(position, out)


@optional_verb
def is_valid(position: Any) -> bool:
    """Whether a position's words are those of a position: then every rule holds for it and for all that play makes of it.

    It is asked with any words whatever, so it looks into no table with one that it has not checked: bits beyond the board, a
    cell with two men, counts, seats and clocks out of range. What play leads to is valid; more may be. Default: True; for
    games without the verb `core/validity.py` has another way.
    """
    return True


def has_chance(position: Any) -> bool:
    """Whether the game has the verb `chance`, a compile-time constant."""
    return has_rule("chance", type(position))


@overloaded(has_chance)
def _has_chance(position) -> Any:  # type: ignore[no-untyped-def]  # Numba wants the lambda's signature
    value = find_rule("chance", class_of(position)) is not None
    return lambda position: value


def has_reward(position: Any) -> bool:
    """Whether the game has the verb `reward` of its own, a compile-time constant."""
    return has_rule("reward", type(position))


@overloaded(has_reward)
def _has_reward(position) -> Any:  # type: ignore[no-untyped-def]
    value = find_rule("reward", class_of(position)) is not None
    return lambda position: value


@inner
def awaits_chance(position: Any) -> bool:
    """Whether chance is to act: not in a game that is over."""
    return has_chance(position) and to_play(position) == CHANCE and not is_terminal(position)


@inner
def roll(
    position: Any, rng: NDArray[numpy.uint64], outcomes: NDArray[numpy.int64], probabilities: NDArray[numpy.float64]
) -> int:
    """What chance brings, by one `uniform` of the stream. rng: uint64 (1,), changed. The arrays are overwritten."""
    count = chance(position, outcomes, probabilities)
    return outcomes[draw_by_weight(probabilities, count, 1.0, rng)]


@inner
def canonical_symmetry(position: Any) -> int:
    """The symmetry k whose image has the smallest key: positions that symmetries make equal have that image in common."""
    best, least = 0, key(position)
    for k in range(1, num_symmetries(position)):
        image_key = key(transform(position, k))
        if image_key < least:
            best, least = k, image_key
    return best
