"""Games in which every seat learns by Q-learning with networks; compiled.

At each own decision of a seat, s' to it, with s and a its decision before, r what it was paid in between:

    y = (1 - step_size) Q(s, a) + step_size (r + discount max_b Q(s', b))

over the legal actions b of s', by the weights before the update. Then Q(s, a) is moved towards y by
back-propagation, the values of s' are computed anew, and an action is drawn by them. At the end of
the game every seat learns the same of its last decision, with max Q = 0. Where a seat can only pass
it decides nothing: s' is its next position with a choice.

Source: G. Andorko, BSc thesis (University of Debrecen, 2011), section 2.2, equation (9), and chapter 4, equations
(14) and (18).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.game_totals import UPDATES, Totals, count_result, has_repeated
from boardgym.baselines.learning.learner import first_best
from boardgym.baselines.learning.q_network import networks as qn
from boardgym.baselines.learning.starts import GIVEN_UP, Starts, begin
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.vector_tanh import exp_of_negative
from boardgym.compile import inlined, inner, kernel
from boardgym.core import engine, verbs
from boardgym.core.game import Game
from boardgym.core.random import draw, draw_by_weight, uniform

WAYS = ("softmax", "epsilon")
SOFTMAX, EPSILON = range(2)
NO_PASS = -1


class QLearner(NamedTuple):
    """Settings of a learner: how it plays and learns.

    way: SOFTMAX or EPSILON. temperature, epsilon: float64 (4,), schedules over the games. greedy_below: the temperature under
    which the best action is played. step_size, discount, learning_rate: of the update. scale: turns what the game pays into
    [-1, 1]. limit: plies after which a game is cut, a draw. pass_action: that no network values, or NO_PASS.
    """

    way: int
    temperature: NDArray[np.float64]
    epsilon: NDArray[np.float64]
    greedy_below: float
    step_size: float
    discount: float
    learning_rate: float
    scale: float
    limit: int
    pass_action: int


class QLearnerRows(NamedTuple):
    """`QLearner` as kernels take it. schedules: float64 (2, 4), temperature and epsilon. numbers: float64 (8,), the others."""

    schedules: NDArray[np.float64]
    numbers: NDArray[np.float64]


class Decisions(NamedTuple):
    """The latest decision of each of S seats, which it has not learnt from yet.

    inputs: float64 (S, I), places: int64 (S, I), counts: int64 (S, 1): a `State` each. hidden: float64 (S, H) and output:
    float64 (S,), Q(s, a) as it was. action: int64 (S,), -1 for none. pay: float64 (S,), what the seat was paid since.
    """

    inputs: NDArray[np.float64]
    places: NDArray[np.int64]
    counts: NDArray[np.int64]
    hidden: NDArray[np.float64]
    output: NDArray[np.float64]
    action: NDArray[np.int64]
    pay: NDArray[np.float64]


class Scratch(NamedTuple):
    """What the kernels write and forget. M is the most choices of a position.

    state: the inputs of the present state; sheet: the same inputs, and room for an observation. values: of its actions.
    weights, probabilities: float64 (M,). legal: int64 (M,). keys: int64 (limit + 1,), of the game's positions, or (0,) in games
    without a rule of repetition.
    """

    state: qn.State
    sheet: nv.Sheet
    values: qn.Values
    weights: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    legal: NDArray[np.int64]
    keys: NDArray[np.int64]


def make_decisions(seats: int, inputs: int, units: int) -> Decisions:
    """Room for the decisions of so many seats."""
    return Decisions(
        np.zeros((seats, inputs)),
        np.zeros((seats, inputs), np.int64),
        np.zeros((seats, 1), np.int64),
        np.zeros((seats, units)),
        np.zeros(seats),
        np.full(seats, -1),
        np.zeros(seats),
    )


def make_scratch(game: Game, inputs: int, units: int, limit: int) -> Scratch:
    """Room for a game. inputs: of a state. units: hidden ones, filled up. limit: plies."""
    most, state = game.max_choices, qn.make_state(inputs)
    sheet = nv.Sheet(state.inputs, np.zeros(game.observation_shape, game.observation_dtype))
    values = qn.Values(np.zeros((most, units)), np.zeros(most))
    keys = np.zeros(limit + 1 if game.repetition_limit else 0, np.int64)
    return Scratch(state, sheet, values, np.zeros(most), np.zeros(most), np.zeros(most, np.int64), keys)


def rows_of_learner(learner: QLearner) -> QLearnerRows:
    """A learner for a kernel. Whole numbers are exact in float64 up to 2**53."""
    numbers = (
        learner.way,
        learner.greedy_below,
        learner.step_size,
        learner.discount,
        learner.learning_rate,
        learner.scale,
        learner.limit,
    )
    return QLearnerRows(np.array([learner.temperature, learner.epsilon]), np.array([*numbers, learner.pass_action], np.float64))


@inlined
def learner_of_rows(rows: QLearnerRows) -> QLearner:
    """The learner that a kernel was given."""
    x, schedules = rows.numbers, rows.schedules
    return QLearner(np.int64(x[0]), schedules[0], schedules[1], x[1], x[2], x[3], x[4], x[5], np.int64(x[6]), np.int64(x[7]))  # type: ignore[arg-type]


@inlined
def decision_of(decisions: Decisions, seat: int) -> qn.State:
    """The inputs of a seat's latest decision."""
    return qn.State(decisions.inputs[seat], decisions.places[seat], decisions.counts[seat])


@inner
def network_of(nets: qn.QNetworks, seat: int) -> int:
    """Which networks a seat has: its own, or those that all share."""
    return seat if nets.weights.output_biases.shape[0] > 1 else 0


@inlined
def is_shared(nets: qn.QNetworks, decisions: Decisions) -> bool:
    """Whether several seats have the same networks."""
    return nets.weights.output_biases.shape[0] < decisions.action.shape[0]


@inner
def choose(
    learner: QLearner,
    temperature: float,
    epsilon: float,
    outputs: NDArray[np.float64],
    weights: NDArray[np.float64],
    count: int,
    rng: NDArray[np.uint64],
) -> int:
    """The number of an action, drawn by the values of `count` of them. weights: scratch. rng: uint64 (1,), advanced.

    Not by `softmax_weights`: this exp becomes vector instructions, see `vector_tanh`. Of equal values the first counts as
    the best, as in max Q.
    """
    best = first_best(outputs, count)
    if learner.way == EPSILON:
        return draw(rng, count) if uniform(rng) < epsilon else best
    if temperature < learner.greedy_below:
        return best
    greatest, per_temperature, total = outputs[best], 1.0 / temperature, 0.0
    for m in range(count):
        weights[m] = exp_of_negative((outputs[m] - greatest) * per_temperature)
    for m in range(count):
        total += weights[m]
    return draw_by_weight(weights, count, total, rng)


@inlined
def learn_decision(
    learner: QLearner,
    nets: qn.QNetworks,
    seat: int,
    decisions: Decisions,
    following: float,
    scratch: Scratch,
    totals: Totals,
    block: int,
) -> None:
    """Learns from a seat's latest decision. following: max Q(s', b), 0 at the end of a game."""
    n, state, action = network_of(nets, seat), decision_of(decisions, seat), decisions.action[seat]
    if is_shared(nets, decisions):  # another seat may have moved the weights since
        qn.write_value(nets, n, state, action, scratch.values, 0)
        decisions.output[seat] = scratch.values.outputs[0]
        for j in range(decisions.hidden.shape[1]):
            decisions.hidden[seat, j] = scratch.values.hidden[0, j]
    output, gain = decisions.output[seat], decisions.pay[seat] + learner.discount * following
    target = (1.0 - learner.step_size) * output + learner.step_size * gain
    qn.learn_value(nets, n, state, action, decisions.hidden[seat], output, target, learner.learning_rate)
    totals.counts[block, UPDATES] += 1
    totals.errors[block] += (gain - output) * (gain - output)


@inlined
def keep_decision(decisions: Decisions, seat: int, scratch: Scratch, action: int, hidden_row: int, m: int) -> None:
    """Notes a seat's decision: number m of the actions whose values stand in `scratch`."""
    for i in range(decisions.inputs.shape[1]):
        decisions.inputs[seat, i] = scratch.state.inputs[i]
        decisions.places[seat, i] = scratch.state.places[i]
    decisions.counts[seat, 0] = scratch.state.length[0]
    for j in range(decisions.hidden.shape[1]):
        decisions.hidden[seat, j] = scratch.values.hidden[hidden_row, j]
    decisions.output[seat], decisions.action[seat], decisions.pay[seat] = scratch.values.outputs[m], action, 0.0


@inlined
def decide(
    learner: QLearner,
    nets: qn.QNetworks,
    seat: int,
    decisions: Decisions,
    scratch: Scratch,
    totals: Totals,
    block: int,
    count: int,
    temperature: float,
    epsilon: float,
    rng: NDArray[np.uint64],
) -> int:
    """A seat's decision: learns from the one before and chooses among `count` legal actions. scratch.state: what it sees."""
    n, outputs = network_of(nets, seat), scratch.values.outputs
    qn.note_places(scratch.state)
    qn.write_values(nets, n, scratch.state, scratch.legal, count, scratch.values)
    if decisions.action[seat] >= 0:
        following, learnt = outputs[first_best(outputs, count)], decisions.action[seat]
        learn_decision(learner, nets, seat, decisions, following, scratch, totals, block)
        if nets.form != qn.MULTI or is_shared(nets, decisions):  # if shared, learning has overwritten the values
            qn.write_values(nets, n, scratch.state, scratch.legal, count, scratch.values)
        else:
            for m in range(count):  # the networks of other actions are as they were
                if scratch.legal[m] == learnt:
                    qn.write_value(nets, n, scratch.state, learnt, scratch.values, m)
    m = choose(learner, temperature, epsilon, outputs, scratch.weights, count, rng)
    keep_decision(decisions, seat, scratch, scratch.legal[m], 0 if nets.form == qn.SINGLE else m, m)
    return scratch.legal[m]


@inlined
def pay_seats(learner: QLearner, position: Any, ending: int, decisions: Decisions) -> None:
    """Adds what the ply that led to a position paid each seat."""
    for seat in range(decisions.pay.shape[0]):
        decisions.pay[seat] += engine.reward(position, ending, seat) * learner.scale


@kernel
def play_kernel(
    game: Any,
    starts: Starts,
    map_token: Any,
    map_settings: NDArray[np.int64],
    own_learner: QLearnerRows,
    form: int,
    weights: qn.Weights,
    own_decisions: Decisions,
    own_scratch: Scratch,
    totals: Totals,
    games: NDArray[np.int64],
    rng: NDArray[np.uint64],
) -> None:
    """Plays games, and learns from them.

    game, map_token: tokens. starts: of the games. map_settings: the row of the map. games: int64 (2,), the number of the next
    game, which is advanced, and that of the game to stop before. rng: uint64 (1,), advanced.
    """
    learner, nets = learner_of_rows(own_learner), qn.QNetworks(form, weights)
    feature_map = verbs.unpack(map_token, map_settings)
    decisions, scratch = verbs.borrow(own_decisions), verbs.borrow(own_scratch)
    while games[0] < games[1]:
        block = games[0] // totals.size[0]
        temperature, epsilon = rate_at(learner.temperature, games[0]), rate_at(learner.epsilon, games[0])
        position, is_found = begin(game, starts, rng, scratch.legal, scratch.probabilities)
        if not is_found:
            games[1] = GIVEN_UP
            continue
        plies, ending = 0, engine.NOT_OVER
        decisions.action[:], decisions.pay[:] = -1, 0.0
        count, _ = verbs.legal_actions(position, scratch.legal), has_repeated(position, scratch.keys, 0)
        while ending == engine.NOT_OVER and plies < learner.limit:
            if verbs.awaits_chance(position):
                action = verbs.roll(position, rng, scratch.legal, scratch.probabilities)
            elif count == 1 and scratch.legal[0] == learner.pass_action:
                action = learner.pass_action
            else:
                seat = verbs.to_play(position)
                nv.features(feature_map, position, seat, scratch.sheet)
                action = decide(learner, nets, seat, decisions, scratch, totals, block, count, temperature, epsilon, rng)
            position, plies = verbs.apply(position, action), plies + 1
            count = verbs.legal_actions(position, scratch.legal)
            if count == 0 and not verbs.awaits_chance(position):
                ending = engine.BY_RULE
            elif has_repeated(position, scratch.keys, plies):
                ending = engine.BY_REPETITION
            pay_seats(learner, position, ending, decisions)
        for seat in range(decisions.action.shape[0]):
            if decisions.action[seat] >= 0:
                learn_decision(learner, nets, seat, decisions, 0.0, scratch, totals, block)
        count_result(position, ending, plies, totals, block)
        games[0] += 1
    verbs.keep(own_decisions)
    verbs.keep(own_scratch)
