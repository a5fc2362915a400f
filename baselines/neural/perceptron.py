"""A multilayer perceptron with one output: its value, its gradient and eligibility traces, compiled, in float64.

Layer l takes the outputs y of the layer before, l = 0 the inputs, and gives

    z_j = f(sum_i w_ij y_i + b_j)

with f one of ACTIVATIONS, and b_j only where the layer has a bias: the weight of one more input that is always 1. The gradient
is by back-propagation (D. E. Rumelhart, G. E. Hinton, R. J. Williams, "Learning representations by back-propagating errors",
1986):

    dV/dw_ij = y_i d_j,   d_j = f'(z_j) for the output,   d_j = f'(z_j) sum_k w_jk d_k for a unit below

All weights lie in one row: layer after layer, of each layer the weights of its first input to all units, then of the next, and
the biases last. Sums are added in a fixed order, so that the same weights and inputs give the same value on every machine.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.core.cache import inner, kernel
from boardgym.core.errors import OptionError, nearest
from boardgym.core.random import uniform

ACTIVATIONS = ("sigmoid", "tanh", "linear", "softsign")
SIGMOID, TANH, LINEAR, SOFTSIGN = range(4)
MOST_EXPONENT = 709.7  # math.exp of more is infinite in a kernel, and an error outside
MOST_WEIGHTS = 1 << 24  # 128 MiB, and as much for each array of traces


class Perceptron(NamedTuple):
    """The network and what its forward and backward passes write. L layers of weights, U units, W weights.

    sizes: int64 (L + 1,), inputs first, then the units of each layer; the last is 1. kinds: int64 (L,), SIGMOID, TANH,
    LINEAR or SOFTSIGN, z / (1 + |z|).
    biases: int64 (L,), 1 where a layer has one. weights: float64 (W,). units: float64 (U,), the inputs and the outputs of all
    units after the last `value`. errors: float64 (U,), d_j of each unit after the last `add_gradient`.
    """

    sizes: NDArray[np.int64]
    kinds: NDArray[np.int64]
    biases: NDArray[np.int64]
    weights: NDArray[np.float64]
    units: NDArray[np.float64]
    errors: NDArray[np.float64]


def make_perceptron(sizes: Sequence[int], activations: Sequence[str], *, biases: Sequence[bool] | bool = True) -> Perceptron:
    """A network whose weights are all 0.

    Args:
        sizes: inputs, then the units of each layer; the last is 1.
        activations: of each layer, one of ACTIVATIONS.
        biases: which layers have one, or one answer for all.

    Raises:
        OptionError: sizes below 1 or beyond MOST_WEIGHTS in all, more than one output, unknown activations, lists of
            different lengths.
    """
    layers = len(sizes) - 1
    has_bias = [biases] * max(layers, 0) if isinstance(biases, bool) else list(biases)
    if layers < 1 or any(type(size) is not int or size < 1 for size in sizes) or sizes[-1] != 1:
        raise OptionError(
            f"sizes={list(sizes)}: expected whole numbers above 0: the inputs, the units of each layer, and last 1"
        )
    if len(activations) != layers or len(has_bias) != layers:
        raise OptionError(f"{layers} layers, {len(activations)} activations, {len(has_bias)} biases: expected as many of each")
    for name in activations:
        if name not in ACTIVATIONS:
            raise OptionError(f"activation={name!r}: {nearest(name, ACTIVATIONS)}")
    count = sum((inputs + bias) * outputs for inputs, outputs, bias in zip(sizes, sizes[1:], has_bias, strict=False))
    if count > MOST_WEIGHTS:
        raise OptionError(f"sizes={list(sizes)}: {count:,} weights; expected at most {MOST_WEIGHTS:,}")
    return Perceptron(
        np.array(sizes, np.int64),
        np.array([ACTIVATIONS.index(name) for name in activations], np.int64),
        np.array(has_bias, np.int64),
        np.zeros(count),
        np.zeros(sum(sizes)),
        np.zeros(sum(sizes)),
    )


def layers_of(net: Perceptron) -> list[NDArray[np.float64]]:
    """Views of the weights of each layer: float64 (inputs, outputs), one row more where it has a bias."""
    layers, start = [], 0
    for inputs, outputs, bias in zip(net.sizes[:-1], net.sizes[1:], net.biases, strict=True):
        rows, columns = int(inputs + bias), int(outputs)
        layers.append(net.weights[start : start + rows * columns].reshape(rows, columns))
        start += rows * columns
    return layers


@inner
def draw_weights(net, span, rng):
    """Draws every weight from the uniform distribution over [-span, span)."""
    for i in range(net.weights.shape[0]):
        net.weights[i] = span * (2.0 * uniform(rng) - 1.0)


@kernel
def draw_weights_kernel(net, span, rng):
    """`draw_weights` for callers in Python. rng: stream, uint64 (1,), advanced."""
    draw_weights(net, span, rng)


@inner
def activated(kind, total):
    """F of a sum."""
    if kind == SIGMOID:
        return 0.0 if total < -MOST_EXPONENT else 1.0 / (1.0 + math.exp(-total))
    if kind == SOFTSIGN:
        return total / (1.0 + abs(total))
    return math.tanh(total) if kind == TANH else total


@inner
def slope(kind, output):
    """F' of a unit, by its output."""
    if kind == SIGMOID:
        return output * (1.0 - output)
    if kind == SOFTSIGN:
        return (1.0 - abs(output)) ** 2
    return 1.0 - output * output if kind == TANH else 1.0


@inner
def add_layer(row, weights, sums):
    """Adds row @ weights to sums, one input after the other; those that are 0 are left out.

    row: float64 (inputs,). weights: float64 (inputs * outputs,), of one input after the other. sums: float64 (outputs,).
    """
    outputs, held, first, second, third = sums.shape[0], 0, 0, 0, 0
    for i in range(row.shape[0]):
        if row[i] == 0.0:
            continue
        if held == 0:
            first = i
        elif held == 1:
            second = i
        elif held == 2:
            third = i
        else:  # four inputs a pass: the sums are read and written a quarter as often, and added up in the same order
            x0, x1, x2, x3 = row[first], row[second], row[third], row[i]
            w0, w1 = weights[first * outputs : (first + 1) * outputs], weights[second * outputs : (second + 1) * outputs]
            w2, w3 = weights[third * outputs : (third + 1) * outputs], weights[i * outputs : (i + 1) * outputs]
            for j in range(outputs):
                sums[j] = sums[j] + x0 * w0[j] + x1 * w1[j] + x2 * w2[j] + x3 * w3[j]
        held = (held + 1) % 4
    for k in range(held):
        i = first if k == 0 else second if k == 1 else third
        x0, w0 = row[i], weights[i * outputs : (i + 1) * outputs]
        for j in range(outputs):
            sums[j] += x0 * w0[j]


@inner
def value(net):
    """The output for the inputs that stand at the beginning of net.units; writes all units behind them."""
    units, weights, start, first = net.units, net.weights, 0, 0
    for layer in range(net.kinds.shape[0]):
        inputs, outputs, kind = net.sizes[layer], net.sizes[layer + 1], net.kinds[layer]
        last = start + inputs * outputs
        if outputs == 1:  # a sum in a register, with no look for inputs of 0: several times as fast for a dozen inputs
            total = weights[last] if net.biases[layer] else 0.0
            for i in range(inputs):
                total += units[first + i] * weights[start + i]
            units[first + inputs] = activated(kind, total)
        else:
            row, sums = units[first : first + inputs], units[first + inputs : first + inputs + outputs]
            for j in range(outputs):
                sums[j] = weights[last + j] if net.biases[layer] else 0.0
            add_layer(row, weights[start:last], sums)
            for j in range(outputs):
                sums[j] = activated(kind, sums[j])
        start = last + net.biases[layer] * outputs
        first += inputs
    return units[first]


@inner
def add_gradient(net, decay, traces):
    """Traces <- decay traces + dV/dw, for the inputs of the last `value`. traces: float64 (W,), decay in [0, 1]."""
    add_gradient_times(net, 1.0, decay, traces)


@inner
def add_gradient_times(net, factor, decay, traces):
    """Traces <- decay traces + factor dV/dw, as `add_gradient`."""
    units, errors, weights, start = net.units, net.errors, net.weights, net.weights.shape[0]
    first = units.shape[0] - 1
    errors[first] = factor * slope(net.kinds[-1], units[first])
    for layer in range(net.kinds.shape[0] - 1, -1, -1):
        inputs, outputs = net.sizes[layer], net.sizes[layer + 1]
        behind = errors[first : first + outputs]
        start -= (inputs + net.biases[layer]) * outputs
        for i in range(inputs + net.biases[layer]):
            y = units[first - inputs + i] if i < inputs else 1.0
            ahead = traces[start + i * outputs : start + (i + 1) * outputs]
            for j in range(outputs):
                ahead[j] = decay * ahead[j] + y * behind[j]
        first -= inputs
        if layer > 0:
            for i in range(inputs):
                total, ahead = 0.0, weights[start + i * outputs : start + (i + 1) * outputs]
                for j in range(outputs):
                    total += ahead[j] * behind[j]
                errors[first + i] = total * slope(net.kinds[layer - 1], units[first + i])


@inner
def move_weights(net, rates, change, traces):
    """W <- w + rate change e: each weight by its trace. rates: float64 (L,), of each layer. traces: float64 (W,)."""
    start = 0
    for layer in range(net.kinds.shape[0]):
        count, step = (net.sizes[layer] + net.biases[layer]) * net.sizes[layer + 1], rates[layer] * change
        weights, ahead = net.weights[start : start + count], traces[start : start + count]
        for i in range(count):
            weights[i] += step * ahead[i]
        start += count


@inner
def move_coherently(net, rates, change, traces, sums):
    """The same with a rate for each weight: temporal coherence.

    rate |N_i| / A_i, N_i the sum of all changes that weight i was given so far, change e_i, and A_i the sum of their sizes; 1
    in place of the ratio before the first (D. F. Beal, M. C. Smith, "Temporal coherence and prediction decay in TD learning",
    1999).
    sums: float64 (2, W), N and A, each updated after its weight has moved.
    """
    start = 0
    for layer in range(net.kinds.shape[0]):
        count = (net.sizes[layer] + net.biases[layer]) * net.sizes[layer + 1]
        for i in range(start, start + count):
            step = change * traces[i]
            share = abs(sums[0, i]) / sums[1, i] if sums[1, i] > 0.0 else 1.0
            net.weights[i] += rates[layer] * share * step
            sums[0, i] += step
            sums[1, i] += abs(step)
        start += count


@kernel
def gradient_kernel(net, decay, traces):
    """The output for the inputs in net.units; traces as `add_gradient` leaves them. For callers in Python."""
    output = value(net)
    add_gradient(net, decay, traces)
    return output
