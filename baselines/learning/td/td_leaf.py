"""TD-Leaf(lambda): the TD update at the leaf of the principal variation of a search, for games of two seats without chance.

As `td_network.py`, whose equations and rates it keeps, with U in place of V: what a seat may expect from the position x_t that
it has moved into is not what the network says of x_t, but what minimax finds there with `depth` - 1 plies more. With l_t the
leaf of its principal variation,

    U(x_t) = offset + factor V(l_t),    dU/dw = factor dV(l_t)/dw

The factor is -1 where the other seat has moved into the leaf, and 0 where the game is over there, which leaves nothing to
learn; the offset is what is paid on the way. A discount is applied once for each further own turn on the way; a turn of several
plies is followed to its end, even beyond the depth. With depth 1 the leaf is x_t itself, and this is TD(lambda).

Source: J. Baxter, A. Tridgell, L. Weaver, "KnightCap: a chess program that learns by combining TD(lambda) with game-tree
search", 1998.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.td.td_network import MIDWAY, NONE, ONE, OVER, VALUED, gain_of
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks import verbs as nv
from boardgym.compile import inlined, inner
from boardgym.core import verbs
from boardgym.core.arrays import copy_into
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.verbs import rule

MOST_DEPTH = 8


class TDLeaf(NamedTuple):
    """Settings beside those of TDNetwork: `learner_class(feature_map, transformation, TDLeaf)`.

    search_depth: plies that are looked ahead, the seat's own among them, from 1. Its memory is made for that depth. What is
    paid on the way counts within the search whatever adds_reward says, which is of the first ply, as in TDNetwork. total: what
    both seats may expect adds up to, of the output's `Scale`.
    """

    BOUNDS = {"search_depth": (1, MOST_DEPTH)}  # type: ignore[misc]
    EXTRA_WORDS = 3  # type: ignore[misc]

    search_depth: int = 1
    total: float = 0.0


def check_td_leaf(game: Game, depth: int) -> None:
    """Raises UnsupportedGameError for a game of chance or not of two seats, one against the other; OptionError for a depth."""
    if game.num_seats != 2 or game.min_return != -game.max_return:
        raise UnsupportedGameError(
            f"TD-Leaf learns games of two seats where one wins what the other loses; {game.id} has "
            f"num_seats = {game.num_seats}, min_return = {game.min_return:g}"
        )
    if game.num_outcomes > 0:
        raise UnsupportedGameError(f"TD-Leaf looks ahead in games without chance; {game.id} has dice or a deal")
    if type(depth) is not int or not 1 <= depth <= MOST_DEPTH:
        raise OptionError(f"search_depth={depth!r}: expected a whole number from 1 to {MOST_DEPTH}")


@inlined
def write_leaf(learner: Any, memory: Any, position: Any, seat: int, mover: int, ply: np.int64) -> float:
    """Makes a position the leaf of ply `ply`, and returns what it is worth to `seat`. mover: who has moved into it."""
    leaf, inputs = memory.leaves[ply], memory.sheet.inputs.shape[0]
    nv.features(learner, position, mover, memory.sheet)
    copy_into(leaf, memory.sheet.inputs)
    leaf[inputs], leaf[inputs + 1] = (0.0, 1.0) if mover == seat else (learner.total, -1.0)
    return leaf[inputs] + leaf[inputs + 1] * pn.value(memory.net)


@inlined
def is_leaf(memory: Any, position: Any, mover: int, ply: np.int64, left: np.int64) -> bool:
    """Whether the search ends at a position that is not over: where a turn ends and no plies are left, or no room is."""
    return ply == memory.room.shape[0] or (left <= 0 and verbs.to_play(position) != mover)  # type: ignore[return-value]


@inner
def outlook(
    learner: Any, memory: Any, position: Any, seat: int, mover: int, ply: np.int64, left: np.int64, low: float, high: float
) -> float:
    """What `seat` may expect from a position that is no leaf on, by alpha-beta; its leaf is in memory.leaves[ply].

    mover: who has moved into it. left: plies to look ahead. A bound where it lies outside of low and high. Not called at
    leaves: a call copies all of memory.
    """
    player = verbs.to_play(position)
    leaf, below, inputs = memory.leaves[ply], memory.leaves[ply + 1], memory.sheet.inputs.shape[0]
    legal, sign = memory.room[ply], 1.0 if player == seat else -1.0
    best = -np.inf  # for the seat to play
    for k in range(verbs.legal_actions(position, legal)):
        child = verbs.apply(position, legal[k])
        paid, weight = gain_of(learner, child, seat), 1.0
        if verbs.is_terminal(child):
            below[:] = 0.0
            value = paid
        else:
            if player == seat and verbs.to_play(child) != seat:
                weight = learner.discount
            if is_leaf(memory, child, player, ply + ONE, left - ONE):
                rest = write_leaf(learner, memory, child, seat, player, ply + ONE)
            else:
                under, over = -np.inf, np.inf
                if weight > 0.0:
                    under, over = (low - paid) / weight, (high - paid) / weight
                rest = outlook(learner, memory, child, seat, player, ply + ONE, left - ONE, under, over)
            value = paid + weight * rest
        if sign * value > best:
            best = sign * value
            copy_into(leaf, below[:inputs])
            leaf[inputs], leaf[inputs + 1] = paid + weight * below[inputs], weight * below[inputs + 1]
            if sign > 0.0:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                break
    return sign * best


@inlined
def outlook_of_turn(learner: Any, memory: Any, position: Any, seat: int) -> float:
    """What `seat` may expect from a position on that it has moved into; its leaf is in memory.leaves[0]."""
    left = np.int64(learner.search_depth - 1)
    if is_leaf(memory, position, seat, NONE, left):
        return write_leaf(learner, memory, position, seat, seat, NONE)
    return outlook(learner, memory, position, seat, seat, NONE, left, -np.inf, np.inf)


@rule(TDLeaf)
def look(learner: Any, position: Any, table: Any, key: NDArray[np.int64], choices: ln.Choices, count: int) -> int:
    """Of each action what it leads to, and what the search finds behind it."""
    seat = verbs.to_play(position)
    for k in range(count):
        after = verbs.apply(position, choices.legal[k])
        gain, choices.visits[k] = learner.adds_reward * gain_of(learner, after, seat), 0.0
        if verbs.is_terminal(after):
            choices.named[k] = OVER
            rest = 0.0 if learner.adds_reward else learner.discount * write_leaf(learner, table, after, seat, seat, NONE)
        else:
            is_midway = verbs.to_play(after) == seat
            choices.named[k] = MIDWAY if is_midway else VALUED
            rest = outlook_of_turn(learner, table, after, seat)
            if not is_midway:
                rest *= learner.discount
        choices.values[k] = gain + rest
    return 0


@rule(TDLeaf)
def settle(learner: Any, position: Any, table: Any, key: NDArray[np.int64], choices: ln.Choices, k: int) -> None:
    """The key is the features of the leaf, as bits, its offset and factor, and last what the turn paid itself."""
    after, seat = verbs.apply(position, choices.legal[k]), verbs.to_play(position)
    numbers = key.view(np.float64)
    size = numbers.shape[0] - 1
    numbers[size] = gain_of(learner, after, seat)
    if choices.named[k] == VALUED:
        outlook_of_turn(learner, table, after, seat)
        copy_into(numbers, table.leaves[0])


@rule(TDLeaf)
def share_of(learner: Any, numbers: NDArray[np.float64]) -> tuple[float, float]:
    """As `settle` has kept them."""
    size = numbers.shape[0]
    return numbers[size - 3], numbers[size - 2]
