"""What tabular learners have in common: the record of an episode, the choice of actions, the rates.

A seat's record is what it did and got in one episode, by the numbers of its own turns: t = 0, 1, 2 ... Between turn t and
turn t + 1 lies what the other seats and chance did; the reward of turn t is all that the seat was paid until its next turn, or
the end.
A learner is a NamedTuple of settings with the verbs below; each method is one file that defines them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.tabular import table as tb
from boardgym.compile import inlined, inner, kernel
from boardgym.core import verbs
from boardgym.core.policy import make_scratch as scratch_of
from boardgym.core.random import draw, draw_by_weight, softmax_weights, uniform

EPSILON, BOLTZMANN, DIRECTED, PROPORTIONAL = range(4)  # ways to explore
NUM_WAYS = 4
STEP_SIZE, DISCOUNT, EXPLORATION, TRACE_DECAY, RISK = range(5)  # rates
NUM_RATES = 5
LEAST_TRACE = 1e-4  # smaller traces are left out
KNOWN = -1  # in place of an action: no entry, the value is known

WIN, DRAW, LOSS = 1, 0, -1


class Record(NamedTuple):
    """A seat's turns in an episode. T is the number of turns that there is room for.

    keys: int64 (T, words), the position's words, or those of the position after the action if the learner values that.
    actions: int64 (T,), under the symmetry that the key was taken under. counts: int64 (T,), legal actions. rewards: float64
    (T,). values: float64 (T, 6): of the best action of turn t; of the one taken, as it was; of the best action of the next ply,
    if that is another learner's, 1 if so, and what the seat's own ply paid before it; visits of the action taken, as they were.
    traces: float64 (T,). length: int64 (1,), turns so far. entries: int64 (1,), of the table, that the seat was the first to
    update, in all episodes. rates: float64 (NUM_RATES,). seat: int64 (1,), whose it is.
    """

    keys: NDArray[np.int64]
    actions: NDArray[np.int64]
    counts: NDArray[np.int64]
    rewards: NDArray[np.float64]
    values: NDArray[np.float64]
    traces: NDArray[np.float64]
    length: NDArray[np.int64]
    entries: NDArray[np.int64]
    rates: NDArray[np.float64]
    seat: NDArray[np.int64]


BEST, CHOSEN, REPLY, HAS_REPLY, OWN_PAY, VISITS = range(6)  # columns of `values`, see Record


def make_records(seats: int, turns: int, words: int) -> Record:
    """Records of all seats: each array has an axis of seats before those of a record."""
    return Record(
        np.zeros((seats, turns, words), np.int64),
        np.zeros((seats, turns), np.int64),
        np.zeros((seats, turns), np.int64),
        np.zeros((seats, turns)),
        np.zeros((seats, turns, 6)),
        np.zeros((seats, turns)),
        np.zeros((seats, 1), np.int64),
        np.zeros((seats, 1), np.int64),
        np.zeros((seats, NUM_RATES)),
        np.arange(seats).reshape(seats, 1),
    )


def with_turns(records: Record, turns: int) -> Record:
    """The same records with room for so many turns."""
    grown = make_records(len(records.length), turns, records.keys.shape[2])
    for old, new in zip(records, grown, strict=True):
        new[tuple(slice(0, n) for n in old.shape)] = old
    return grown


@inlined
def record_of(records: Record, seat: int) -> Record:
    """The record of one seat."""
    return Record(
        records.keys[seat],
        records.actions[seat],
        records.counts[seat],
        records.rewards[seat],
        records.values[seat],
        records.traces[seat],
        records.length[seat],
        records.entries[seat],
        records.rates[seat],
        records.seat[seat],
    )


class Choices(NamedTuple):
    """What a seat may do, and what the table knows of it; room for the most choices of the game.

    legal: int64, the actions. named: int64, the same under the symmetry of the key. values, visits: float64, of each. weights:
    float64, room. words: int64, room for a position's words. turn: int64 (1,), the number of the seat's turn.
    """

    legal: NDArray[np.int64]
    named: NDArray[np.int64]
    values: NDArray[np.float64]
    visits: NDArray[np.float64]
    weights: NDArray[np.float64]
    words: NDArray[np.int64]
    turn: NDArray[np.int64]


@inlined
def make_choices(max_choices: int, max_words: int) -> Choices:
    """Buffers for positions of at most so many choices and words."""
    return Choices(
        np.empty(max_choices, np.int64),
        np.empty(max_choices, np.int64),
        np.empty(max_choices),
        np.empty(max_choices),
        np.empty(max_choices),
        np.empty(max_words, np.int64),
        np.zeros(1, np.int64),
    )


# ---------------------------------------------------------------- the verbs of a learner


@verbs.optional_verb
def look(learner: Any, position: Any, table: Any, key: NDArray[np.int64], choices: Choices, count: int) -> int:
    """Writes what `count` legal actions, in choices.legal, are worth to the seat to play: named, values and visits of choices.

    key: int64 (words,), filled with what the position is known by. Returns 0, or table.NO_ROOM. Default: values of pairs of
    position and action, of which nothing is made here.
    """
    symmetry = symmetry_of(learner, position)
    write_key(position, symmetry, key)
    for k in range(count):
        choices.named[k] = verbs.transform_action(position, choices.legal[k], symmetry)
    tb.look_up(table, key, choices.named, count, choices.values, choices.visits, learner.default)
    return 0


@verbs.verb
def learn(learner: Any, table: Any, record: Record, t: int) -> int:  # type: ignore[empty-body]
    """Learns from turn t of a record, when what followed is known: another turn, or the end. Returns 0, or table.NO_ROOM."""


@verbs.optional_verb
def finish(learner: Any, table: Any, record: Record, result: int) -> int:
    """Learns after the end of an episode, once `learn` was called of all turns. result: WIN, DRAW or LOSS. Returns as `learn`.

    Default: nothing.
    """
    return 0


@verbs.optional_verb
def is_on_policy(learner: Any) -> bool:
    """Whether `learn` of a turn needs the action of the next. Default: not."""
    return False


@verbs.optional_verb
def settle(learner: Any, position: Any, table: Any, key: NDArray[np.int64], choices: Choices, k: int) -> None:
    """Told the choice k that was made, for those who know a turn by what the action led to. Default: nothing."""


@verbs.optional_verb
def see_end(learner: Any, position: Any, table: Any, seat: int) -> None:
    """Told the position that an episode ends in, before `learn` of a seat's last turn. Default: nothing."""


# ---------------------------------------------------------------- the verbs of a memory


@verbs.optional_verb
def remember(memory: Any) -> None:
    """Told that an episode begins: keeps what `take_back` needs and the records do not tell. Default: nothing.

    memory: what learners learn in, a NamedTuple of arrays: a table, a network.
    """


@verbs.verb
def take_back(memory: Any, records: Record) -> None:
    """Makes undone what the episode under way has changed in the memory. records: of all seats, as far as it has come."""


# ---------------------------------------------------------------- turns


@inner
def symmetry_of(learner: Any, position: Any) -> int:
    """The symmetry under which a position is known."""
    return verbs.canonical_symmetry(position) if learner.uses_symmetry else 0


@inner
def write_key(position: Any, symmetry: int, key: NDArray[np.int64]) -> None:
    """Writes the words of a position under a symmetry. key: int64 (words,)."""
    verbs.compact(verbs.transform(position, symmetry) if symmetry > 0 else position, key)


@inner
def first_best(values: NDArray[np.float64], count: int) -> int:
    """The index of the greatest of values[:count], the first of equals."""
    best = 0
    for k in range(1, count):
        if values[k] > values[best]:
            best = k
    return best


@inner
def greedy(values: NDArray[np.float64], count: int, rng: NDArray[np.uint64]) -> int:
    """The index of the greatest of values[:count]; one of equals at random, by one draw if there are several."""
    ties, best = 1, 0
    for k in range(1, count):
        if values[k] > values[best]:
            best, ties = k, 1
        elif values[k] == values[best]:
            ties += 1
    if ties > 1:
        which, greatest = draw(rng, ties), values[best]
        for k in range(count):
            if values[k] == greatest:
                if which == 0:
                    return k
                which -= 1
    return best


def choose_best(
    policy: Any, position: Any, history: NDArray[np.int64], rng: NDArray[np.uint64], scratch: Any, deterministic: bool
) -> int:
    """`choose` of what has learnt: the action of the greatest value; equals at random, deterministic: the first of them.

    scratch: (what `look` reads, `Choices`, room for a key).
    """
    memory, choices, key = scratch
    count = verbs.legal_actions(position, choices.legal)
    look(policy, position, memory, key, choices, count)
    if deterministic:
        return choices.legal[first_best(choices.values, count)]
    return choices.legal[greedy(choices.values, count, rng)]


@inner
def explore(way: int, rate: float, choices: Choices, count: int, rng: NDArray[np.uint64]) -> int:
    """The index of the action to play.

    way: EPSILON, with probability `rate` any action, else the best. DIRECTED: with probability `rate` the action that was taken
    least often, those of a KNOWN value last, else the best (counter-based: Thrun, "Efficient exploration in reinforcement
    learning", 1992, with c(s, a) for the count of what follows). BOLTZMANN: in proportion to exp(value / rate); the best at
    rate 0. PROPORTIONAL: to the value.
    """
    if way == BOLTZMANN and rate > 0.0:
        total = softmax_weights(choices.values, count, rate, choices.weights)
        return draw_by_weight(choices.weights, count, total, rng)
    if way == PROPORTIONAL:
        total = 0.0
        for k in range(count):
            total += choices.values[k]
        return draw_by_weight(choices.values, count, total, rng) if total > 0.0 else draw(rng, count)
    if rate > 0.0 and uniform(rng) < rate:
        if way == DIRECTED:
            for k in range(count):
                choices.weights[k] = -np.inf if choices.named[k] == KNOWN else -choices.visits[k]
            return greedy(choices.weights, count, rng)
        return draw(rng, count)
    return greedy(choices.values, count, rng)


@inlined
def take_turn(
    learner: Any, position: Any, table: Any, record: Record, choices: Choices, count: int, rng: NDArray[np.uint64]
) -> tuple[int, float, int]:
    """A learner's turn: learns from the one before and chooses. Returns (the index of its choice, the greatest value, a code).

    The code is 0, or table.NO_ROOM. choices.legal[:count]: the legal actions.
    """
    t, on_policy = record.length[0], is_on_policy(learner)
    choices.turn[0], key = t, record.keys[t]
    code = look(learner, position, table, key, choices, count)
    best = choices.values[first_best(choices.values, count)]
    record.counts[t], record.values[t, BEST], record.rewards[t], record.traces[t] = count, best, 0.0, 0.0
    record.values[t, HAS_REPLY] = 0.0
    record.length[0] = t + 1
    if t > 0 and not on_policy:
        code = min(code, learn(learner, table, record, t - 1))
        if tb.is_key(record.keys, t - 1, key):  # what it has learnt is of this very position
            look(learner, position, table, key, choices, count)
    k = explore(learner.way, record.rates[EXPLORATION], choices, count, rng)
    record.actions[t] = choices.named[k]
    record.values[t, CHOSEN], record.values[t, VISITS] = choices.values[k], choices.visits[k]
    settle(learner, position, table, key, choices, k)
    if t > 0 and on_policy:
        code = min(code, learn(learner, table, record, t - 1))
    return k, best, code


@inner
def is_last(record: Record, t: int) -> bool:
    """Whether turn t was the seat's last of the episode."""
    return t + 1 == record.length[0]


@inner
def step_size(learner: Any, record: Record, visits: int | np.int64) -> float:
    """The step size of an entry's update number `visits`: the rate, divided by visits ** visit_power."""
    rate = record.rates[STEP_SIZE]
    return rate if learner.visit_power == 0.0 else rate / np.float64(visits) ** learner.visit_power


@inner
def move_towards(learner: Any, table: tb.Table, record: Record, t: int, target: float) -> int:
    """Moves the value of turn t towards a target by the step size. Returns 0, or table.NO_ROOM."""
    slot = tb.put(table, record.keys[t], record.actions[t], learner.default)
    if slot == tb.NO_ROOM:
        return slot
    value, visits = np.float64(table.values[slot]), tb.count_visit(table, slot)
    record.entries[0] += visits == 1
    table.values[slot] = value + step_size(learner, record, visits) * (target - value)
    return 0


@kernel
def values_kernel(
    game: Any,
    row: NDArray[np.int64],
    policy: Any,
    settings: Any,
    data: Any,
    max_choices: int,
    actions: NDArray[np.int64],
    values: NDArray[np.float64],
    visits: NDArray[np.float64],
) -> int:
    """Fills what a policy knows of a position's legal actions. int64, float64, float64 (max_choices,). Returns how many."""
    position, chooser = verbs.unpack(game, row), verbs.unpack(policy, settings)
    memory, choices, key = scratch_of(chooser, position, max_choices, data)
    count = verbs.legal_actions(position, choices.legal)
    look(chooser, position, memory, key, choices, count)
    for k in range(count):
        actions[k], values[k], visits[k] = choices.legal[k], choices.values[k], choices.visits[k]
    return count
