"""TD(lambda) with a network over afterstates: what a seat has moved into is valued by a perceptron of its features.

V(x) is what the seat that has moved into x may expect from there on; x_t is the position at the end of its turn t. Between x_t
and x_{t+1} it is paid r_t: by the replies, by chance, and by its own turn t + 1. A position in which the game is over is worth
0.

    delta = r_t + discount V(x_{t+1}) - V(x_t)
    e <- decay e + dV(x_t)/dw          decay = discount lambda
    w <- w + step_size chi(delta) e    chi: the transformation by risk, `risk.py`

The action that is chosen leads to the greatest r + discount V(x), r being what it pays itself. A turn of several plies (two
dice, a mill and what it takes) is chosen by where it can lead: only its end is valued and learnt.

With `values_states` x_t is the position before the seat's ply t in place of the one after its turn t, as an environment shows
states to an agent, and r_t is all that is paid between the two, its own ply t included; actions are chosen as above.

Exploring by counter traces (`way` DIRECTED): c has a number for each input of the network, and with the probability of
exploring the action is played that leads to the position with the least c . Phi, Phi being its inputs; after each turn

    c <- counter_decay c + Phi(x_t)

Source: P. Campos, thesis on Abalearn (Technical University of Lisbon, about 2003), algorithm 2 and eq. 6.5, after R. S. Sutton,
"Learning to predict by the methods of temporal differences", 1988; what it leaves open is a setting here. Counter traces are
its algorithm 3, where the update c(Phi) <- c(Phi) + rho c(Phi) Phi is printed, by which a 0 would stay one.
"""

import functools
import typing
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.learner import DIRECTED, DISCOUNT, RISK, STEP_SIZE, TRACE_DECAY, Choices, Record, is_last
from boardgym.baselines.learning.td import turns as tn
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks import verbs as nv
from boardgym.compile import inlined, inner, plain
from boardgym.core import verbs
from boardgym.core.arrays import copy_into
from boardgym.core.errors import OptionError
from boardgym.core.game import Game
from boardgym.core.verbs import rule

# Arguments of a recursive function: a literal would have it compiled for it alone.
NONE, ONE = np.int64(0), np.int64(1)
# Of a turn, in place of an action: it ended the game, it goes on, it ends in a position with a value.
OVER, MIDWAY, VALUED = -3, -2, 0  # none of them KNOWN, which `explore` would put last


class TDNetwork(NamedTuple):
    """Settings. The classes that are used have those of a feature map and a transformation beside them, see `learner_class`.

    way: of exploring, one of `learner.py`; DIRECTED is by counter traces. counter_decay: of these, in [0, 1]. is_learning: 0
    for a seat that plays by the network and does not change it. discount: of V where actions are chosen. adds_reward: 0 to
    choose by V(x) alone, at the end of a game too. includes_next: 1 for traces that hold dV(x_{t+1})/dw too when w moves.
    decays_alone: 1 for traces that decay by lambda, not by discount lambda. values_states: 1 to learn the positions before own
    plies. bootstraps_at_end: 1 for V of the last position in place of 0 there. pays_so_far: 1 for all that the seat has been
    paid in the episode so far in place of r_t. is_coherent: 1 for a rate of its own for each weight, see
    `perceptron.move_coherently`. has_pays, win, draw, loss: as in `tabular/td.py`. uses_symmetry, default: 0, as tables have
    them.
    """

    EXTRA_WORDS = 1  # type: ignore[misc]

    way: int = 0
    is_learning: int = 1
    discount: float = 0.9
    adds_reward: int = 1
    includes_next: int = 0
    decays_alone: int = 0
    values_states: int = 0
    bootstraps_at_end: int = 0
    pays_so_far: int = 0
    is_coherent: int = 0
    counter_decay: float = 0.99
    has_pays: int = 0
    win: float = 1.0
    draw: float = 0.0
    loss: float = -1.0
    uses_symmetry: int = 0
    default: float = 0.0


class NetworkValues(NamedTuple):
    """Settings of a policy by the values of a network, of the fields of the same name of a learner.

    The classes that are used have those of a feature map beside them, see `policy_class`.
    """

    way: int = 0
    discount: float = 0.9
    adds_reward: int = 1
    has_pays: int = 0
    win: float = 1.0
    draw: float = 0.0
    loss: float = -1.0


@verbs.optional_verb
def share_of(learner: Any, numbers: NDArray[np.float64]) -> tuple[float, float]:
    """(offset, factor): a turn is worth offset + factor V to its seat, V the network's value of what was kept of it.

    numbers: float64 (words,), what was kept, see `settle`. Default: V itself.
    """
    return 0.0, 1.0


class Memory(NamedTuple):
    """What is learnt, and what learning needs. W weights, L layers.

    net: the network. sheet: its inputs, a view of net.units, and room for an observation. traces: float64 (seats, W). sums:
    float64 (2, W), of `perceptron.move_coherently`. counters: float64 (2, inputs), c of the counter traces, which go on from
    game to game, and c as the episode began. rates: float64 (L,), what the step size is multiplied by in each layer. room:
    int64 (MOST_PLIES + depth - 1, max_choices), legal actions of the plies of a turn, or of a search. kept: float64 (3, W),
    weights and sums as the episode began. leaves: float64 (plies, inputs + 2), of a search, see `td_leaf.py`. end: float64
    (inputs,), of the position that an episode ended in. turn: what is known of the turn that is played.
    """

    net: pn.Perceptron
    sheet: nv.Sheet
    traces: NDArray[np.float64]
    sums: NDArray[np.float64]
    counters: NDArray[np.float64]
    rates: NDArray[np.float64]
    room: NDArray[np.int64]
    kept: NDArray[np.float64]
    leaves: NDArray[np.float64]
    end: NDArray[np.float64]
    turn: tn.Turn


MOST_PLIES = 4  # of a turn, after the first


def make_memory(net: pn.Perceptron, game: Game, rates: NDArray[np.float64], *, depth: int = 1, slots: int = tn.SLOTS) -> Memory:
    """The arrays of a learner. depth: that a learner by search looks ahead, in plies. slots: of `turns.Turn`."""
    inputs = int(net.sizes[0])
    count = len(net.weights)
    sheet = nv.Sheet(net.units[:inputs], np.zeros(game.observation_shape, game.observation_dtype))
    room = np.zeros((MOST_PLIES + depth - 1, game.max_choices), np.int64)
    leaves = np.zeros((len(room) + 1, inputs + 2))
    sums, counters = np.zeros((2, count)), np.zeros((2, inputs))
    traces, kept, turn = np.zeros((game.num_seats, count)), np.zeros((3, count)), plain(tn.make_turn)(len(game.start), slots)
    return Memory(net, sheet, traces, sums, counters, rates, room, kept, leaves, np.zeros(inputs), turn)


def num_words(kind: type[TDNetwork], inputs: int) -> int:
    """How many words a learner keeps of each turn: the keys of its records. kind: of its settings."""
    return inputs + kind.EXTRA_WORDS  # type: ignore[attr-defined]


@rule(Memory)
def remember(memory: Any) -> None:
    """All that learning changes; the traces begin anew in each game."""
    copy_into(memory.kept[0], memory.net.weights)
    copy_into(memory.kept[1], memory.sums[0])
    copy_into(memory.kept[2], memory.sums[1])
    copy_into(memory.counters[1], memory.counters[0])
    memory.traces[:] = 0.0
    tn.forget(memory.turn)


@rule(Memory)
def take_back(memory: Any, records: Any) -> None:
    """Weights, sums and counters as they were."""
    copy_into(memory.net.weights, memory.kept[0])
    copy_into(memory.sums[0], memory.kept[1])
    copy_into(memory.sums[1], memory.kept[2])
    copy_into(memory.counters[0], memory.counters[1])
    tn.forget(memory.turn)


class Reader(NamedTuple):
    """What a network is read by, of the fields of the same name of a memory."""

    net: pn.Perceptron
    sheet: nv.Sheet
    room: NDArray[np.int64]
    turn: tn.Turn


def learner_class(feature_map: type, transformation: type, *variant: type) -> Any:
    """The settings of a learner with a feature map and a transformation, see `joined`; variant: such as `td_leaf.TDLeaf`."""
    return joined(*variant, TDNetwork, feature_map, transformation)


def policy_class(feature_map: type) -> Any:
    """The settings of a policy by a network with a feature map, see `joined`."""
    return joined(NetworkValues, feature_map)


@functools.cache
def joined(*parts: Any) -> Any:
    """A class with the fields of several classes of settings, those of the first one first, and the rules of all: its bases.

    Raises OptionError for two fields of one name, but for `unused` ones.
    """
    names = [name for part in parts for name in part._fields if name != "unused"]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise OptionError(
            f"{parts[1].__name__}: {', '.join(twice)} is a setting of {parts[0].__name__} too; expected other names"
        )
    hints = {name: hint for part in parts for name, hint in typing.get_type_hints(part).items()}
    defaults = {name: value for part in parts for name, value in part._field_defaults.items()}
    name = "_".join(part.__name__ for part in parts)
    make: Any = namedtuple
    fields = make(name, hints, defaults=[defaults[key] for key in hints])  # its names go before those of the bases
    fields.__annotations__ = hints
    return type(name, (fields, *parts), {"__slots__": (), "__module__": __name__})


@inner
def gain_of(learner: Any, position: Any, seat: int) -> float:
    """What the ply that led to `position` paid a seat."""
    if learner.has_pays == 0:
        return np.float64(verbs.reward(position, seat))
    if not verbs.is_terminal(position):
        return 0.0
    total = verbs.returns(position, seat)
    return learner.win if total > 0.0 else learner.loss if total < 0.0 else learner.draw


@inlined
def value_of(learner: Any, memory: Any, position: Any, seat: int) -> float:
    """V of a position that a seat has moved into."""
    nv.features(learner, position, seat, memory.sheet)
    return pn.value(memory.net)


@inlined
def worth_at_end(learner: Any, memory: Any, position: Any, seat: int) -> float:
    """What a position is worth to a seat that has just ended its turn, or the game, by playing into it."""
    gain = gain_of(learner, position, seat)
    if verbs.is_terminal(position) and learner.adds_reward:
        return gain
    return learner.adds_reward * gain + learner.discount * value_of(learner, memory, position, seat)


@inner
def best_of_turn(
    learner: Any,
    memory: Any,
    position: Any,
    choices: Choices,
    legal: NDArray[np.int64],
    count: int,
    depth: np.int64,
    is_within: np.int64,
) -> float:
    """The most that a seat's turn can lead to from `position`: what its plies pay, and what is to come.

    legal: its actions there, `count` of them. depth: plies that were looked ahead before; at 0 what each action leads to and
    what that is worth are written in choices. is_within: int64, 0 at the first ply of the turn. What other orders of plies lead
    to as well is kept in memory.turn. Calls only where a turn goes on: each copies all of memory.
    """
    seat, turn, best = verbs.to_play(position), memory.turn, -np.inf
    for k in range(count):
        after, slot, cuts = verbs.apply(position, legal[k]), NONE, turn.cuts[0]
        kind = OVER if verbs.is_terminal(after) else MIDWAY if verbs.to_play(after) == seat else VALUED
        goes_on = kind == MIDWAY
        if goes_on and depth == memory.room.shape[0]:
            turn.cuts[0] += 1
            goes_on = False
        is_shared = goes_on or (is_within != 0 and kind != OVER)
        if is_shared:
            slot = tn.slot_of(turn, after)
        if is_shared and tn.is_kept(turn, slot, after, seat, depth):
            worth = turn.worths[slot]
        else:
            if goes_on:
                following = memory.room[depth]
                more = verbs.legal_actions(after, following)
                worth = best_of_turn(learner, memory, after, choices, following, more, depth + ONE, ONE)
                worth += learner.adds_reward * gain_of(learner, after, seat)
            else:
                worth = worth_at_end(learner, memory, after, seat)
            if is_shared and turn.cuts[0] == cuts:
                tn.put(turn, slot, after, seat, depth, worth)
        if depth == 0:
            choices.named[k], choices.values[k] = kind, worth
        best = max(best, worth)
    return best


@inner
def familiarity(learner: Any, memory: Any, position: Any, seat: int) -> float:
    """How much has been met of a position that a seat has played into: c . Phi. Within a turn, of where its plies have led."""
    nv.features(learner, position, seat, memory.sheet)
    counters, total = memory.counters[0], 0.0
    for i in range(counters.shape[0]):
        total += counters[i] * memory.sheet.inputs[i]
    return total


@inner
def count_inputs(counters: NDArray[np.float64], decay: float, inputs: NDArray[np.float64]) -> None:
    """C <- decay c + Phi. All float64 (inputs,)."""
    for i in range(counters.shape[0]):
        counters[i] = decay * counters[i] + inputs[i]


@inner
def look_ahead(learner: Any, position: Any, memory: Any, choices: Choices, count: int) -> int:
    """What each action leads to, and what that is worth; nothing of what has been met."""
    seat, is_within = verbs.to_play(position), ONE
    if not tn.is_kept(memory.turn, tn.slot_of(memory.turn, position), position, seat, NONE):  # else it was reached in the turn
        tn.forget(memory.turn)
        is_within = NONE
    choices.visits[:count] = 0.0
    best_of_turn(learner, memory, position, choices, choices.legal, count, NONE, is_within)
    return 0


@rule(NetworkValues)
def look(learner: Any, position: Any, table: Any, key: NDArray[np.int64], choices: Choices, count: int) -> int:
    """Of each action what it leads to."""
    return look_ahead(learner, position, table, choices, count)


@rule(TDNetwork)  # type: ignore[no-redef]
def look(learner: Any, position: Any, table: Any, key: NDArray[np.int64], choices: Choices, count: int) -> int:  # type: ignore[no-redef]  # noqa: F811
    """The same, and in place of visits how much has been met of where actions lead, if that is explored by."""
    look_ahead(learner, position, table, choices, count)
    if learner.values_states:
        choices.named[:count] = VALUED
    if learner.way == DIRECTED:
        seat = verbs.to_play(position)
        for k in range(count):
            choices.visits[k] = familiarity(learner, table, verbs.apply(position, choices.legal[k]), seat)
    return 0


@rule(TDNetwork)
def settle(learner: Any, position: Any, table: Any, key: NDArray[np.int64], choices: Choices, k: int) -> None:
    """The key is the features of what is valued, as bits, and last what the turn paid before that was reached."""
    after, seat = verbs.apply(position, choices.legal[k]), verbs.to_play(position)
    numbers = key.view(np.float64)
    size = numbers.shape[0] - 1
    numbers[size] = 0.0 if learner.values_states else gain_of(learner, after, seat)
    if choices.named[k] == VALUED or (choices.named[k] == OVER and learner.bootstraps_at_end):
        if learner.values_states:
            nv.features(learner, position, seat, table.sheet)
        else:
            nv.features(learner, after, seat, table.sheet)
        copy_into(numbers, table.sheet.inputs)
        if learner.way == DIRECTED and learner.is_learning:
            count_inputs(table.counters[0], learner.counter_decay, table.sheet.inputs)


@rule(TDNetwork)
def see_end(learner: Any, position: Any, table: Any, seat: int) -> None:
    """Its features."""
    if learner.is_learning and learner.bootstraps_at_end:
        nv.features(learner, position, seat, table.sheet)
        copy_into(table.end, table.sheet.inputs)


@rule(TDNetwork)
def is_on_policy(learner: Any) -> bool:
    """It needs where the next turn leads."""
    return True


@inner
def value_of_kept(learner: Any, memory: Any, numbers: NDArray[np.float64]) -> tuple[float, float]:
    """(what was kept of a turn is worth, its factor of V's gradient); leaves the network as it found V out.

    numbers: float64, see `settle`.
    """
    copy_into(memory.sheet.inputs, numbers[: memory.sheet.inputs.shape[0]])
    offset, factor = share_of(learner, numbers)
    return offset + factor * pn.value(memory.net), factor


@inner
def last_end(record: Record, t: int) -> int:
    """The last turn up to t that is not MIDWAY; -1 if there is none."""
    while t >= 0 and record.actions[t] == MIDWAY:
        t -= 1
    return t


@rule(TDNetwork)
def learn(learner: Any, table: Any, record: Record, t: int) -> int:
    """From the last turn that has a value, once the next has one, or the game is over."""
    if learner.is_learning == 0:
        return 0
    at_end = is_last(record, t)
    if not at_end and record.actions[t + 1] == MIDWAY:
        return 0
    first = last_end(record, t)
    if first < 0 or record.actions[first] != VALUED:
        return 0
    gain_at = record.keys.shape[1] - 1
    kept = record.keys[first].view(np.float64)
    target = 0.0 if learner.pays_so_far else -kept[gain_at]
    for paid in range(0 if learner.pays_so_far else first, t + 1):
        target += record.rewards[paid]
    net, traces = table.net, table.traces[record.seat[0]]
    discount, decay = record.rates[DISCOUNT], record.rates[TRACE_DECAY]
    if learner.decays_alone == 0:
        decay *= discount
    is_new = last_end(record, first - 1) < 0
    if not at_end:
        target += record.keys[t + 1].view(np.float64)[gain_at]
    value, factor = value_of_kept(learner, table, kept)
    if is_new or learner.includes_next == 0:
        pn.add_gradient_times(net, factor, 0.0 if is_new else decay, traces)
    if learner.bootstraps_at_end or (not at_end and record.actions[t + 1] == VALUED):
        next_kept = table.end if at_end else record.keys[t + 1].view(np.float64)
        following, factor = value_of_kept(learner, table, next_kept)
        target += discount * following
        if learner.includes_next:
            pn.add_gradient_times(net, factor, decay, traces)
    tn.forget(table.turn)
    change = record.rates[STEP_SIZE] * nv.transformed(learner, target - value, record.rates[RISK])
    if learner.is_coherent:
        pn.move_coherently(net, table.rates, change, traces, table.sums)
    else:
        pn.move_weights(net, table.rates, change, traces)
    return 0
