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

from boardgym.baselines.learning import game_totals as gt
from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.learner import first_best
from boardgym.baselines.learning.q_network import networks as qn
from boardgym.baselines.learning.q_network import q_network as qg
from boardgym.baselines.learning.starts import GIVEN_UP, Starts, begin
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
def see(feature_map: Any, position: Any, seat: int, scratch: qg.Scratch) -> None:
    """Writes the inputs of a position."""
    nv.features(feature_map, position, seat, scratch.sheet)
    qn.note_places(scratch.state)


@inner
def write_values(nets: qn.QNetworks, seat: int, count: int, scratch: qg.Scratch) -> None:
    """Writes what a seat's networks say of `count` legal actions of the state that was seen."""
    qn.write_values(nets, qg.network_of(nets, seat), scratch.state, scratch.legal, count, scratch.values)


@inner
def value_of(nets: qn.QNetworks, seat: int, action: int, scratch: qg.Scratch) -> float:
    """What a seat's networks say of one action, number 0 of the values."""
    qn.write_value(nets, qg.network_of(nets, seat), scratch.state, action, scratch.values, 0)
    return scratch.values.outputs[0]


@inlined
def value_of_next(
    feature_map: Any, options: Options, nets: qn.QNetworks, targets: qn.QNetworks, position: Any, seat: int, scratch: qg.Scratch
) -> float:
    """What a seat may expect of s', its next decision."""
    count = verbs.legal_actions(position, scratch.legal)
    see(feature_map, position, seat, scratch)
    write_values(nets if options.is_double else targets, seat, count, scratch)
    best = first_best(scratch.values.outputs, count)
    return value_of(targets, seat, scratch.legal[best], scratch) if options.is_double else scratch.values.outputs[best]


@inner
def copy_networks(nets: qn.QNetworks, targets: qn.QNetworks) -> None:
    """Makes the copy anew."""
    own, copies = nets.weights, targets.weights
    first, second, biases = own.input_weights.size, own.output_weights.size, own.output_biases.size
    copy_into(copies.input_weights.reshape(first), own.input_weights.reshape(first))
    copy_into(copies.output_weights.reshape(second), own.output_weights.reshape(second))
    copy_into(copies.output_biases.reshape(biases), own.output_biases.reshape(biases))


@inlined
def learn_stored(
    game: Any,
    feature_map: Any,
    learner: qg.QLearner,
    options: Options,
    nets: qn.QNetworks,
    targets: qn.QNetworks,
    experience: Experience,
    slot: int,
    symmetry: int,
    scratch: qg.Scratch,
    totals: gt.Totals,
    block: int,
) -> None:
    """Learns a stored decision as it looks under a symmetry."""
    facts, seat = experience.facts[slot], experience.facts[slot, SEAT]
    n, values, gain = qg.network_of(nets, seat), scratch.values, experience.numbers[slot, RETURN]
    if facts[HAS_NEXT]:
        following = verbs.transform(verbs.unpack(game, experience.nexts[slot]), symmetry)
        value = value_of_next(feature_map, options, nets, targets, following, seat, scratch)
        gain += experience.numbers[slot, DISCOUNT] * value
    position = verbs.unpack(game, experience.rows[slot])
    action = verbs.transform_action(position, facts[ACTION], symmetry)
    see(feature_map, verbs.transform(position, symmetry), seat, scratch)
    output = value_of(nets, seat, action, scratch)
    target = (1.0 - learner.step_size) * output + learner.step_size * gain
    qn.learn_value(nets, n, scratch.state, action, values.hidden[0], output, target, learner.learning_rate)
    totals.counts[block, gt.UPDATES] += 1
    totals.errors[block] += (gain - output) * (gain - output)
    experience.counts[UPDATES] += 1
    if options.target_every > 0 and experience.counts[UPDATES] % options.target_every == 0:
        copy_networks(nets, targets)


@inlined
def store_oldest(
    learner: qg.QLearner, position: Any, has_next: int, seat: int, pending: Pending, experience: Experience
) -> None:
    """Stores a seat's oldest decision, whose outcome is the position, and takes it from those that are pending."""
    length, slot = pending.lengths[seat], experience.counts[STORED] % experience.rows.shape[0]
    paid, factor = 0.0, 1.0
    for k in range(length):
        paid += factor * pending.pays[seat, k]
        factor *= learner.discount
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
    feature_map: Any,
    learner: qg.QLearner,
    options: Options,
    nets: qn.QNetworks,
    targets: qn.QNetworks,
    experience: Experience,
    scratch: qg.Scratch,
    totals: gt.Totals,
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
            learn_stored(game, feature_map, learner, options, nets, targets, experience, slot, symmetry, scratch, totals, block)


@inlined
def decide(
    feature_map: Any,
    learner: qg.QLearner,
    nets: qn.QNetworks,
    position: Any,
    seat: int,
    pending: Pending,
    scratch: qg.Scratch,
    temperature: float,
    epsilon: float,
    rng: NDArray[np.uint64],
) -> int:
    """A seat's action, and notes the decision."""
    count, k = verbs.legal_actions(position, scratch.legal), pending.lengths[seat]
    see(feature_map, position, seat, scratch)
    write_values(nets, seat, count, scratch)
    action = scratch.legal[qg.choose(learner, temperature, epsilon, scratch.values.outputs, scratch.weights, count, rng)]
    verbs.pack(position, pending.rows[seat, k])
    pending.actions[seat, k], pending.pays[seat, k], pending.lengths[seat] = action, 0.0, k + 1
    return action


@inlined
def pay_seats(learner: qg.QLearner, position: Any, ending: int, pending: Pending) -> None:
    """Adds what the ply that led to a position paid each seat to its latest decision."""
    for seat in range(pending.lengths.shape[0]):
        if pending.lengths[seat] > 0:
            pending.pays[seat, pending.lengths[seat] - 1] += engine.reward(position, ending, seat) * learner.scale


@kernel
def play_options_kernel(
    game: Any,
    starts: Starts,
    map_token: Any,
    map_settings: NDArray[np.int64],
    own_learner: qg.QLearnerRows,
    form: int,
    own_options: NDArray[np.int64],
    weights: qn.Weights,
    target_weights: qn.Weights,
    own_experience: Experience,
    own_pending: Pending,
    own_scratch: qg.Scratch,
    totals: gt.Totals,
    games: NDArray[np.int64],
    rng: NDArray[np.uint64],
) -> None:
    """Plays games, and learns from them; as `q_network.play_kernel`, with options.

    own_options: int64 (5,), `Options`. target_weights: the copy of the networks; the networks themselves without
    `target_every`.

    At each decision, and at the end of a game for each of those that are pending, it stores one and learns.
    """
    learner, nets, targets = qg.learner_of_rows(own_learner), qn.QNetworks(form, weights), qn.QNetworks(form, target_weights)
    numbers = own_options
    options = Options(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    feature_map = verbs.unpack(map_token, map_settings)
    experience, pending, scratch = verbs.borrow(own_experience), verbs.borrow(own_pending), verbs.borrow(own_scratch)
    while games[0] < games[1]:
        block = games[0] // totals.size[0]
        temperature, epsilon = rate_at(learner.temperature, games[0]), rate_at(learner.epsilon, games[0])
        position, is_found = begin(game, starts, rng, scratch.legal, scratch.probabilities)
        if not is_found:
            games[1] = GIVEN_UP
            continue
        plies, ending = 0, engine.NOT_OVER
        pending.lengths[:] = 0
        count, _ = verbs.legal_actions(position, scratch.legal), gt.has_repeated(position, scratch.keys, 0)
        while ending == engine.NOT_OVER and plies < learner.limit:
            if verbs.awaits_chance(position):
                action = verbs.roll(position, rng, scratch.legal, scratch.probabilities)
            elif count == 1 and scratch.legal[0] == learner.pass_action:
                action = learner.pass_action
            else:
                seat = verbs.to_play(position)
                if pending.lengths[seat] == pending.actions.shape[1]:
                    store_oldest(learner, position, 1, seat, pending, experience)
                    learn(game, feature_map, learner, options, nets, targets, experience, scratch, totals, block, rng)
                action = decide(feature_map, learner, nets, position, seat, pending, scratch, temperature, epsilon, rng)
            position, plies = verbs.apply(position, action), plies + 1
            count = verbs.legal_actions(position, scratch.legal)
            if count == 0 and not verbs.awaits_chance(position):
                ending = engine.BY_RULE
            elif gt.has_repeated(position, scratch.keys, plies):
                ending = engine.BY_REPETITION
            pay_seats(learner, position, ending, pending)
        for seat in range(pending.lengths.shape[0]):
            while pending.lengths[seat] > 0:
                store_oldest(learner, position, 0, seat, pending, experience)
                learn(game, feature_map, learner, options, nets, targets, experience, scratch, totals, block, rng)
        gt.count_result(position, ending, plies, totals, block)
        games[0] += 1
    verbs.keep(own_experience)
    verbs.keep(own_pending)
    verbs.keep(own_scratch)
