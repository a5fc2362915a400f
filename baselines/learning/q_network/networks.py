"""Networks of action values: states in, Q(s, a) out, in the three forms of the study.

    h_j = tanh(b_j + sum_i w_ji x_i)        Q = tanh(c + sum_j v_j h_j)

SINGLE: one network with one output per action. MULTI: one network per action, with one output each.
PAIR: one network with one output; beside the inputs of the state it has one per action, 1 for the
action that is asked for.

Source: G. Andorko, BSc thesis (University of Debrecen, 2011), chapter 2, equations (10), (11) and (13), after N. J. van Eck and
M. van Wezel, "Application of reinforcement learning to the game of Othello", 2008.

Weights are kept so that each inner loop runs over hidden units, which lie side by side: the compiler
makes vector instructions of it. Their number is padded to a multiple of LANES with units whose weights
are 0 and stay 0. Sums are added up in a fixed order, so that the same weights and inputs give the same
value on every machine.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.memory import check_memory
from boardgym.baselines.networks.perceptron import draw_weight
from boardgym.baselines.networks.vector_tanh import tanh, write_tanh
from boardgym.compile import inlined, kernel
from boardgym.core.errors import OptionError, nearest

FORMS = ("single", "multi", "pair")
SINGLE, MULTI, PAIR = range(3)
LANES = 8
MOST_WEIGHTS = 1 << 28  # 2 GiB


class Weights(NamedTuple):
    """The weights of N seats: each has G networks of I inputs and H hidden units, and O outputs in all.

    H is a multiple of LANES. SINGLE: G = 1, O = actions. MULTI: G = O = actions. PAIR: G = O = 1, and I is the inputs of the
    state and the actions.

    input_weights: float64 (N, G, I + 1, H), w and in its last row b. output_weights: float64 (N, O, H), v. output_biases:
    float64 (N, O), c.
    """

    input_weights: NDArray[np.float64]
    output_weights: NDArray[np.float64]
    output_biases: NDArray[np.float64]


class QNetworks(NamedTuple):
    """The networks of all seats. form: SINGLE, MULTI or PAIR. Kernels take the two apart: arrays alone."""

    form: int
    weights: Weights


class State(NamedTuple):
    """The inputs of a state.

    inputs: float64 (I,). places: int64 (I,), which of them are not 0; length: int64 (1,), how many.
    """

    inputs: NDArray[np.float64]
    places: NDArray[np.int64]
    length: NDArray[np.int64]


class Values(NamedTuple):
    """What networks say of up to M actions.

    hidden: float64 (M, H), the hidden units for each action; in SINGLE the first row serves all. outputs: float64 (M,),
    Q(s, a).
    """

    hidden: NDArray[np.float64]
    outputs: NDArray[np.float64]


def padded(hidden: int) -> int:
    """A number of hidden units, filled up."""
    return -(-hidden // LANES) * LANES


def make_networks(form: str, *, num_networks: int, inputs: int, hidden: int, actions: int) -> QNetworks:
    """Networks whose weights are all 0. inputs: of the state. Raises OptionError for another form, or more weights than fit."""
    if form not in FORMS:
        raise OptionError(f"form={form!r}; {nearest(str(form), FORMS)}")
    number = FORMS.index(form)
    groups, outputs = (actions if number == MULTI else 1), (1 if number == PAIR else actions)
    rows, units = inputs + 1 + (actions if number == PAIR else 0), padded(hidden)
    count = num_networks * (groups * rows * units + outputs * (units + 1))
    what = f"{count:,} weights of {form} networks"
    if count > MOST_WEIGHTS:
        raise OptionError(f"{what}: expected at most {MOST_WEIGHTS:,}; lower hidden, or take form=single")
    check_memory(3 * 8 * count, what, "hidden")
    shapes = ((num_networks, groups, rows, units), (num_networks, outputs, units), (num_networks, outputs))
    return QNetworks(number, Weights(*map(np.zeros, shapes)))


def count_weights(nets: QNetworks, hidden: int) -> int:
    """How many weights and biases all seats have, without those of units beyond `hidden`."""
    first, outputs = nets.weights.input_weights, nets.weights.output_biases.size
    rows = first.size // first.shape[-1]
    return (rows + outputs) * hidden + outputs


def make_state(inputs: int) -> State:
    """Room for the inputs of a state."""
    return State(np.zeros(inputs), np.zeros(inputs, np.int64), np.zeros(1, np.int64))


@kernel
def draw_weights(weights: Weights, hidden: int, span: float, rng: NDArray[np.uint64]) -> None:
    """Draws every weight and bias from the uniform distribution over [-span, span), but for those of units beyond `hidden`.

    In the order: w and b of every network, then v of every output, then c. rng: uint64 (1,), advanced.
    """
    first, second, biases = weights.input_weights, weights.output_weights, weights.output_biases
    for n in range(first.shape[0]):
        for g in range(first.shape[1]):
            for i in range(first.shape[2]):
                for j in range(hidden):
                    first[n, g, i, j] = draw_weight(span, rng)
    for n in range(second.shape[0]):
        for o in range(second.shape[1]):
            for j in range(hidden):
                second[n, o, j] = draw_weight(span, rng)
    for n in range(second.shape[0]):
        for o in range(second.shape[1]):
            biases[n, o] = draw_weight(span, rng)


@inlined
def note_places(state: State) -> None:
    """Writes which inputs are not 0. Without a branch: which they are is hard to foresee."""
    count = 0
    for i in range(state.inputs.shape[0]):
        state.places[count] = i
        count += np.int64(state.inputs[i] != 0.0)  # type: ignore[assignment]
    state.length[0] = count


@inlined
def group_of(nets: QNetworks, action: int) -> int:
    """Which network of a seat an action has."""
    return action if nets.form == MULTI else 0


@inlined
def output_row(nets: QNetworks, action: int) -> int:
    """Which output an action has."""
    return 0 if nets.form == PAIR else action


@inlined
def add_inputs(nets: QNetworks, n: int, g: int, state: State, sums: NDArray[np.float64], m: int) -> None:
    """Fills sums[m] with b + sum_i w_i x_i of a network, four inputs a pass. sums: float64 (M, H).

    A loop of its own beside that of `perceptron.add_layer`, by which trainings were slower by some hundredths.
    """
    weights, x, places = nets.weights.input_weights, state.inputs, state.places
    count, bias, units, k = state.length[0], weights.shape[2] - 1, weights.shape[3], 0
    for j in range(units):
        sums[m, j] = weights[n, g, bias, j]
    while k + 4 <= count:
        a, b, c, d = places[k], places[k + 1], places[k + 2], places[k + 3]
        x0, x1, x2, x3 = x[a], x[b], x[c], x[d]
        for j in range(units):
            total = sums[m, j] + x0 * weights[n, g, a, j] + x1 * weights[n, g, b, j]
            sums[m, j] = total + x2 * weights[n, g, c, j] + x3 * weights[n, g, d, j]
        k += 4
    for last in range(k, count):
        a = places[last]
        x0 = x[a]
        for j in range(units):
            sums[m, j] += x0 * weights[n, g, a, j]


@inlined
def weigh_hidden(nets: QNetworks, n: int, o: int, hidden: NDArray[np.float64], m: int) -> float:
    """The sum c + sum_j v_j h_j of an output, in LANES partial sums. hidden: float64 (M, H), of which row m."""
    weights = nets.weights.output_weights
    s0, s1, s2, s3, s4, s5, s6, s7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for block in range(weights.shape[2] // LANES):
        j = block * LANES
        s0 += weights[n, o, j] * hidden[m, j]
        s1 += weights[n, o, j + 1] * hidden[m, j + 1]
        s2 += weights[n, o, j + 2] * hidden[m, j + 2]
        s3 += weights[n, o, j + 3] * hidden[m, j + 3]
        s4 += weights[n, o, j + 4] * hidden[m, j + 4]
        s5 += weights[n, o, j + 5] * hidden[m, j + 5]
        s6 += weights[n, o, j + 6] * hidden[m, j + 6]
        s7 += weights[n, o, j + 7] * hidden[m, j + 7]
    return nets.weights.output_biases[n, o] + (((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7)))


@inlined
def write_value(nets: QNetworks, n: int, state: State, action: int, values: Values, m: int) -> None:
    """Writes the hidden units of one action, and its Q(s, a), as number m of `values`."""
    hidden, units = values.hidden, values.hidden.shape[1]
    add_inputs(nets, n, group_of(nets, action), state, hidden, m)
    if nets.form == PAIR:
        row = state.inputs.shape[0] + action
        for j in range(units):
            hidden[m, j] += nets.weights.input_weights[n, 0, row, j]
    for j in range(units):
        hidden[m, j] = tanh(hidden[m, j])
    values.outputs[m] = tanh(weigh_hidden(nets, n, output_row(nets, action), hidden, m))


@inlined
def write_values(nets: QNetworks, n: int, state: State, actions: NDArray[np.int64], count: int, values: Values) -> None:
    """Writes Q(s, a) of `count` actions, by the networks of seat n, and the hidden units that it comes from."""
    hidden, units = values.hidden, values.hidden.shape[1]
    if nets.form == SINGLE:
        add_inputs(nets, n, 0, state, hidden, 0)
        for j in range(units):
            hidden[0, j] = tanh(hidden[0, j])
        for m in range(count):
            values.outputs[m] = weigh_hidden(nets, n, actions[m], hidden, 0)
        write_tanh(values.outputs, count)
        return
    if nets.form == MULTI:
        for m in range(count):
            add_inputs(nets, n, actions[m], state, hidden, m)
    else:
        add_inputs(nets, n, 0, state, hidden, 0)
        for m in range(count - 1, -1, -1):
            row = state.inputs.shape[0] + actions[m]
            for j in range(units):
                hidden[m, j] = hidden[0, j] + nets.weights.input_weights[n, 0, row, j]
    for m in range(count):
        for j in range(units):
            hidden[m, j] = tanh(hidden[m, j])
        values.outputs[m] = weigh_hidden(nets, n, output_row(nets, actions[m]), hidden, m)
    write_tanh(values.outputs, count)


@inlined
def learn_value(
    nets: QNetworks,
    n: int,
    state: State,
    action: int,
    hidden: NDArray[np.float64],
    output: float,
    target: float,
    learning_rate: float,
) -> None:
    """Moves the weights of seat n against the gradient of (target - Q(s, a))^2 / 2, for one output alone.

    hidden: float64 (H,), output: what the same weights say of the state and the action. With f' = 1 - f^2 of tanh:

        d = (target - Q) (1 - Q^2);   d_j = d v_j (1 - h_j^2)
        v_j += rate d h_j;  c += rate d;  w_ji += rate d_j x_i;  b_j += rate d_j

    hidden is overwritten.
    """
    weights, second, x, places = nets.weights.input_weights, nets.weights.output_weights, state.inputs, state.places
    units, g, o, bias = weights.shape[3], group_of(nets, action), output_row(nets, action), weights.shape[2] - 1
    step = learning_rate * (target - output) * (1.0 - output * output)
    nets.weights.output_biases[n, o] += step
    for j in range(units):
        h, v = hidden[j], second[n, o, j]
        second[n, o, j] = v + step * h
        hidden[j] = step * v * (1.0 - h * h)
    for j in range(units):
        weights[n, g, bias, j] += hidden[j]
    for k in range(state.length[0]):
        i = places[k]
        x0 = x[i]
        for j in range(units):
            weights[n, g, i, j] += x0 * hidden[j]
    if nets.form == PAIR:
        row = x.shape[0] + action
        for j in range(units):
            weights[n, g, row, j] += hidden[j]
