"""Q-learning with networks and what the field has added since: all off in the study's agent; compiled.

- n_steps: y is r_1 + discount r_2 + ... + discount^n max Q(s', b), with s' the state n decisions later (R. S. Sutton, A. G.
  Barto, "Reinforcement learning", 2nd edition 2018, section 7.1; without a correction for actions that are not the best).
- replay: each decision is kept, and `batch` of those that are kept, drawn at random, are learnt one after the other at every
  decision (L.-J. Lin, "Self-improving reactive agents based on reinforcement learning, planning and teaching", 1992).
- target_every: max Q(s', b) comes from a copy of the networks, made anew after so many updates (V. Mnih et al., "Human-level
  control through deep reinforcement learning", 2015).
- double: the copy values the action that the networks themselves find best (H. van Hasselt, A. Guez, D. Silver, "Deep
  reinforcement learning with double Q-learning", 2016).
- symmetries: each decision is learnt as it looks under one symmetry of the board, drawn at random, or under all of them.

A loop of its own beside `q_network.play_kernel`: that one keeps the inputs and the hidden units of a
seat's last decision, which is all that the study's agent needs and makes it fast; this one keeps
positions, since decisions are looked at again later, turned and mirrored. With all options off both
end with the same bits, which a test holds.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.learner import first_best
from boardgym.baselines.learning.q_network import networks as qn
from boardgym.baselines.learning.q_network import q_network as qg
from boardgym.baselines.networks import verbs as nv
from boardgym.compile import inlined, inner, kernel
from boardgym.core import engine, verbs
from boardgym.core.arrays import copy_into
from boardgym.core.random import draw

SYMMETRIES = ("none", "random", "all")
NO_SYMMETRY, RANDOM_SYMMETRY, ALL_SYMMETRIES = range(3)
SEAT, ACTION, HAS_NEXT = range(3)  # columns of `Experience.facts`
RETURN, DISCOUNT = range(2)  # columns of `Experience.numbers`
STORED, UPDATES = range(2)  # of `Experience.counts`


class Options(NamedTuple):
    """batch: decisions that are learnt at each; 0: the present one alone. The others: see above."""

    n_steps: int
    batch: int
    target_every: int
    is_double: int
    symmetries: int


class Experience(NamedTuple):
    """Decisions whose outcome is known, the latest C of them in a ring; F are the fields of a position.

    rows, nexts: int64 (C, F), s and s'. facts: int64 (C, 3), the seat, its action, and whether there is an s'. numbers: float64
    (C, 2), what was paid until s', and what max Q(s', b) is multiplied by. counts: int64 (2,), of those that were ever stored,
    and of updates.
    """

    rows: NDArray[np.int64]
    nexts: NDArray[np.int64]
    facts: NDArray[np.int64]
    numbers: NDArray[np.float64]
    counts: NDArray[np.int64]


class Pending(NamedTuple):
    """The latest decisions of each of S seats, up to n, the oldest first, whose outcome is not known yet.

    rows: int64 (S, n, F). actions: int64 (S, n). pays: float64 (S, n), what was paid from each to the next. lengths: int64
    (S,).
    """

    rows: NDArray[np.int64]
    actions: NDArray[np.int64]
    pays: NDArray[np.float64]
    lengths: NDArray[np.int64]


def make_experience(capacity: int, fields: int) -> Experience:
    """Room for so many decisions, none stored."""
    rows, nexts = np.zeros((capacity, fields), np.int64), np.zeros((capacity, fields), np.int64)
    return Experience(rows, nexts, np.zeros((capacity, 3), np.int64), np.zeros((capacity, 2)), np.zeros(2, np.int64))


def make_pending(seats: int, n_steps: int, fields: int) -> Pending:
    """Room for the decisions of so many seats."""
    rows = np.zeros((seats, n_steps, fields), np.int64)
    return Pending(rows, np.zeros((seats, n_steps), np.int64), np.zeros((seats, n_steps)), np.zeros(seats, np.int64))


@inner  # as the next two: one copy of each in the kernel, which takes long enough to compile
def see(seer: Any, position: Any, seat: int, room: qg.Room) -> None:
    """Writes the inputs of a position."""
    nv.features(seer, position, seat, room.sheet)
    qn.note_places(room.state)


@inner
def write_values(nets: qn.QNetworks, seat: int, count: int, room: qg.Room) -> None:
    """Writes what a seat's networks say of `count` legal actions of the state that was seen."""
    qn.write_values(nets, qg.network_of(nets, seat), room.state, room.legal, count, room.values)


@inner
def value_of(nets: qn.QNetworks, seat: int, action: int, room: qg.Room) -> float:
    """What a seat's networks say of one action, number 0 of the values."""
    qn.write_value(nets, qg.network_of(nets, seat), room.state, action, room.values, 0)
    return room.values.outputs[0]


@inlined
def value_of_next(
    seer: Any, options: Options, nets: qn.QNetworks, targets: qn.QNetworks, position: Any, seat: int, room: qg.Room
) -> float:
    """What a seat may expect of s', its next decision."""
    count = verbs.legal_actions(position, room.legal)
    see(seer, position, seat, room)
    write_values(nets if options.is_double else targets, seat, count, room)
    best = first_best(room.values.outputs, count)
    return value_of(targets, seat, room.legal[best], room) if options.is_double else room.values.outputs[best]


@inner
def copy_networks(nets: qn.QNetworks, targets: qn.QNetworks) -> None:
    """Makes the copy anew."""
    count, second, outputs = nets.input_weights.size, nets.output_weights.size, nets.output_biases.size
    copy_into(targets.input_weights.reshape(count), nets.input_weights.reshape(count))
    copy_into(targets.output_weights.reshape(second), nets.output_weights.reshape(second))
    copy_into(targets.output_biases.reshape(outputs), nets.output_biases.reshape(outputs))


@inlined
def learn_stored(
    game: Any,
    seer: Any,
    terms: qg.Terms,
    options: Options,
    nets: qn.QNetworks,
    targets: qn.QNetworks,
    experience: Experience,
    slot: int,
    symmetry: int,
    room: qg.Room,
    totals: qg.Totals,
    block: int,
) -> None:
    """Learns a stored decision as it looks under a symmetry."""
    facts, seat = experience.facts[slot], experience.facts[slot, SEAT]
    n, values, gain = qg.network_of(nets, seat), room.values, experience.numbers[slot, RETURN]
    if facts[HAS_NEXT]:
        following = verbs.transform(verbs.unpack(game, experience.nexts[slot]), symmetry)
        value = value_of_next(seer, options, nets, targets, following, seat, room)
        gain += experience.numbers[slot, DISCOUNT] * value
    position = verbs.unpack(game, experience.rows[slot])
    action = verbs.transform_action(position, facts[ACTION], symmetry)
    see(seer, verbs.transform(position, symmetry), seat, room)
    output = value_of(nets, seat, action, room)
    target = (1.0 - terms.step_size) * output + terms.step_size * gain
    qn.learn_value(nets, n, room.state, action, values.hidden[0], output, target, terms.learning_rate)
    totals.counts[block, qg.UPDATES] += 1
    totals.errors[block] += (gain - output) * (gain - output)
    experience.counts[UPDATES] += 1
    if options.target_every > 0 and experience.counts[UPDATES] % options.target_every == 0:
        copy_networks(nets, targets)


@inlined
def store_oldest(terms: qg.Terms, position: Any, has_next: int, seat: int, pending: Pending, experience: Experience) -> None:
    """Stores a seat's oldest decision, whose outcome is the position, and takes it from those that are pending."""
    length, slot = pending.lengths[seat], experience.counts[STORED] % experience.rows.shape[0]
    paid, factor = 0.0, 1.0
    for k in range(length):
        paid += factor * pending.pays[seat, k]
        factor *= terms.discount
    for field in range(experience.rows.shape[1]):
        experience.rows[slot, field] = pending.rows[seat, 0, field]
    verbs.pack(position, experience.nexts[slot])
    experience.facts[slot, SEAT], experience.facts[slot, ACTION] = seat, pending.actions[seat, 0]
    experience.facts[slot, HAS_NEXT] = has_next
    experience.numbers[slot, RETURN], experience.numbers[slot, DISCOUNT] = paid, factor
    experience.counts[STORED] += 1
    for k in range(1, length):
        for field in range(experience.rows.shape[1]):
            pending.rows[seat, k - 1, field] = pending.rows[seat, k, field]
        pending.actions[seat, k - 1], pending.pays[seat, k - 1] = pending.actions[seat, k], pending.pays[seat, k]
    pending.lengths[seat] = length - 1


@inner
def learn(
    game: Any,
    seer: Any,
    terms: qg.Terms,
    options: Options,
    nets: qn.QNetworks,
    targets: qn.QNetworks,
    experience: Experience,
    room: qg.Room,
    totals: qg.Totals,
    block: int,
    rng: NDArray[np.uint64],
) -> None:
    """Learns the decision that was stored last, or as many of those that are stored as `batch` says, drawn at random."""
    stored = min(experience.counts[STORED], experience.rows.shape[0])
    for _ in range(max(options.batch, 1)):
        slot = draw(rng, stored) if options.batch > 0 else 0
        first, count = 0, 1
        if options.symmetries != NO_SYMMETRY:
            count = verbs.num_symmetries(verbs.unpack(game, experience.rows[slot]))
        if options.symmetries == RANDOM_SYMMETRY:
            first, count = draw(rng, count), 1
        for symmetry in range(first, first + count):
            learn_stored(game, seer, terms, options, nets, targets, experience, slot, symmetry, room, totals, block)


@inlined
def decide(
    seer: Any,
    terms: qg.Terms,
    nets: qn.QNetworks,
    position: Any,
    seat: int,
    pending: Pending,
    room: qg.Room,
    temperature: float,
    epsilon: float,
    rng: NDArray[np.uint64],
) -> int:
    """A seat's action, and notes the decision."""
    count, k = verbs.legal_actions(position, room.legal), pending.lengths[seat]
    see(seer, position, seat, room)
    write_values(nets, seat, count, room)
    action = room.legal[qg.choose(terms, temperature, epsilon, room.values.outputs, room.weights, count, rng)]
    verbs.pack(position, pending.rows[seat, k])
    pending.actions[seat, k], pending.pays[seat, k], pending.lengths[seat] = action, 0.0, k + 1
    return action


@inlined
def pay_seats(terms: qg.Terms, position: Any, ending: int, pending: Pending) -> None:
    """Adds what the ply that led to a position paid each seat to its latest decision."""
    for seat in range(pending.lengths.shape[0]):
        if pending.lengths[seat] > 0:
            pending.pays[seat, pending.lengths[seat] - 1] += engine.reward(position, ending, seat) * terms.scale


@kernel
def play_options_kernel(
    game: Any,
    start: NDArray[np.int64],
    feature_map: Any,
    settings: NDArray[np.int64],
    own_terms: qg.TermRows,
    form: int,
    own_options: NDArray[np.int64],
    weights: qn.Weights,
    target_weights: qn.Weights,
    own_experience: Experience,
    own_pending: Pending,
    own_room: qg.Room,
    totals: qg.Totals,
    games: NDArray[np.int64],
    rng: NDArray[np.uint64],
) -> None:
    """Plays games, and learns from them; as `q_network.play_kernel`, with options.

    own_options: int64 (5,), `Options`. target_weights: the copy of the networks; the networks themselves without
    `target_every`.

    At each decision, and at the end of a game for each of those that are pending, it stores one and learns.
    """
    terms, nets, targets = qg.terms_of_rows(own_terms), qn.of_form(form, weights), qn.of_form(form, target_weights)
    numbers = own_options
    options = Options(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    seer, first = verbs.unpack(feature_map, settings), verbs.unpack(game, start)
    experience, pending, room = verbs.borrow(own_experience), verbs.borrow(own_pending), verbs.borrow(own_room)
    while games[0] < games[1]:
        block = games[0] // totals.size[0]
        temperature, epsilon = rate_at(terms.temperature, games[0]), rate_at(terms.epsilon, games[0])
        position, plies, ending = first, 0, engine.NOT_OVER
        pending.lengths[:] = 0
        count, _ = verbs.legal_actions(position, room.legal), qg.has_repeated(position, room, 0)
        while ending == engine.NOT_OVER and plies < terms.limit:
            if verbs.awaits_chance(position):
                action = verbs.roll(position, rng, room.legal, room.probabilities)
            elif count == 1 and room.legal[0] == terms.pass_action:
                action = terms.pass_action
            else:
                seat = verbs.to_play(position)
                if pending.lengths[seat] == pending.actions.shape[1]:
                    store_oldest(terms, position, 1, seat, pending, experience)
                    learn(game, seer, terms, options, nets, targets, experience, room, totals, block, rng)
                action = decide(seer, terms, nets, position, seat, pending, room, temperature, epsilon, rng)
            position, plies = verbs.apply(position, action), plies + 1
            count = verbs.legal_actions(position, room.legal)
            if count == 0 and not verbs.awaits_chance(position):
                ending = engine.BY_RULE
            elif qg.has_repeated(position, room, plies):
                ending = engine.BY_REPETITION
            pay_seats(terms, position, ending, pending)
        for seat in range(pending.lengths.shape[0]):
            while pending.lengths[seat] > 0:
                store_oldest(terms, position, 0, seat, pending, experience)
                learn(game, seer, terms, options, nets, targets, experience, room, totals, block, rng)
        qg.count_result(position, ending, plies, totals, block)
        games[0] += 1
    verbs.keep(own_experience)
    verbs.keep(own_pending)
    verbs.keep(own_room)
