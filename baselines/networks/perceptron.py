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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inlined, inner, kernel, plain
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
    units after the last `value`. errors: float64 (U,), d_j of each unit after the last `add_gradient`. places: int64 (U,),
    scratch of `value`, which inputs of a layer are not 0.
    """

    sizes: NDArray[np.int64]
    kinds: NDArray[np.int64]
    biases: NDArray[np.int64]
    weights: NDArray[np.float64]
    units: NDArray[np.float64]
    errors: NDArray[np.float64]
    places: NDArray[np.int64]


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
    kinds = np.array([ACTIVATIONS.index(name) for name in activations], np.int64)
    return plain(of_weights)(np.array(sizes, np.int64), kinds, np.array(has_bias, np.int64), np.zeros(count))


@inner
def of_weights(
    sizes: NDArray[np.int64], kinds: NDArray[np.int64], biases: NDArray[np.int64], weights: NDArray[np.float64]
) -> Perceptron:
    """The network with units of its own. All arrays as in `Perceptron`, and kept."""
    count = sizes.sum()
    return Perceptron(sizes, kinds, biases, weights, np.zeros(count), np.zeros(count), np.zeros(count, np.int64))


def layers_of(net: Perceptron) -> list[NDArray[np.float64]]:
    """Views of the weights of each layer: float64 (inputs, outputs), one row more where it has a bias."""
    layers, start = [], 0
    for inputs, outputs, bias in zip(net.sizes[:-1], net.sizes[1:], net.biases, strict=True):
        rows, columns = int(inputs + bias), int(outputs)
        layers.append(net.weights[start : start + rows * columns].reshape(rows, columns))
        start += rows * columns
    return layers


def greatest_unit(inputs: int, layers: Sequence[NDArray[Any]], bounded: Sequence[bool], *, most: float) -> float:
    """A number that no unit exceeds in size, whatever the inputs; infinite, or no number, where there is none.

    inputs: how many. layers: weights of each, (inputs, outputs), one row more where it has a bias. bounded: which layers have
    units that end within [-1, 1]. most: of the inputs, in size.
    """
    units, greatest = np.full(inputs, most), np.float64(0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        for weights, is_bounded in zip(layers, bounded, strict=True):
            units = np.append(units, np.ones(len(weights) - len(units))) @ np.abs(weights)
            greatest = np.maximum(greatest, units.max())
            units = np.minimum(units, 1.0) if is_bounded else units
    return float(greatest)


@inlined
def draw_weight(span: float, rng: NDArray[np.uint64]) -> float:
    """A weight from the uniform distribution over [-span, span)."""
    return span * (2.0 * uniform(rng) - 1.0)


@inner
def draw_weights(net: Perceptron, span: float, rng: NDArray[np.uint64]) -> None:
    """Draws every weight from the uniform distribution over [-span, span)."""
    for i in range(net.weights.shape[0]):
        net.weights[i] = draw_weight(span, rng)


@kernel
def draw_weights_kernel(net: Perceptron, span: float, rng: NDArray[np.uint64]) -> None:
    """`draw_weights` for callers in Python. rng: stream, uint64 (1,), advanced."""
    draw_weights(net, span, rng)


@inner
def activated(kind: int, total: float) -> float:
    """F of a sum."""
    if kind == SIGMOID:
        return 0.0 if total < -MOST_EXPONENT else 1.0 / (1.0 + math.exp(-total))
    if kind == SOFTSIGN:
        return total / (1.0 + abs(total))
    return math.tanh(total) if kind == TANH else total


@inner
def slope(kind: int, output: float) -> float:
    """F' of a unit, by its output."""
    if kind == SIGMOID:
        return output * (1.0 - output)
    if kind == SOFTSIGN:
        return (1.0 - abs(output)) ** 2
    return 1.0 - output * output if kind == TANH else 1.0


@inner
def add_layer(row: NDArray[Any], weights: NDArray[Any], sums: NDArray[Any], places: NDArray[np.int64]) -> None:
    """Adds row @ weights to sums, one input after the other; those that are 0 are left out.

    row: (inputs,). weights: (inputs * outputs,), of one input after the other. sums: (outputs,). All float64, or all float32.
    places: int64 (inputs,) or more, written.
    """
    outputs, count, k = sums.shape[0], 0, 0
    for i in range(row.shape[0]):  # without a branch: which inputs are 0 is hard to foresee
        places[count] = i
        count += np.int64(row[i] != 0.0)  # type: ignore[assignment]
    while k + 4 <= count:  # four inputs a pass: the sums are read and written a quarter as often, and added up in this order
        a, b, c, d = places[k], places[k + 1], places[k + 2], places[k + 3]
        x0, x1, x2, x3 = row[a], row[b], row[c], row[d]
        w0, w1 = weights[a * outputs : (a + 1) * outputs], weights[b * outputs : (b + 1) * outputs]
        w2, w3 = weights[c * outputs : (c + 1) * outputs], weights[d * outputs : (d + 1) * outputs]
        for j in range(outputs):
            sums[j] = sums[j] + x0 * w0[j] + x1 * w1[j] + x2 * w2[j] + x3 * w3[j]
        k += 4
    for last in range(k, count):
        a = places[last]
        x0, w0 = row[a], weights[a * outputs : (a + 1) * outputs]
        for j in range(outputs):
            sums[j] += x0 * w0[j]


@inlined
def value(net: Perceptron) -> float:
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
            add_layer(row, weights[start:last], sums, net.places)
            for j in range(outputs):
                sums[j] = activated(kind, sums[j])
        start = last + net.biases[layer] * outputs
        first += inputs
    return units[first]


@inner
def add_gradient(net: Perceptron, decay: float, traces: NDArray[np.float64]) -> None:
    """Traces <- decay traces + dV/dw, for the inputs of the last `value`. traces: float64 (W,), decay in [0, 1]."""
    add_gradient_times(net, 1.0, decay, traces)


@inner
def add_gradient_times(net: Perceptron, factor: float, decay: float, traces: NDArray[np.float64]) -> None:
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
def move_weights(net: Perceptron, rates: NDArray[np.float64], change: float, traces: NDArray[np.float64]) -> None:
    """W <- w + rate change e: each weight by its trace. rates: float64 (L,), of each layer. traces: float64 (W,)."""
    start = 0
    for layer in range(net.kinds.shape[0]):
        count, step = (net.sizes[layer] + net.biases[layer]) * net.sizes[layer + 1], rates[layer] * change
        weights, ahead = net.weights[start : start + count], traces[start : start + count]
        for i in range(count):
            weights[i] += step * ahead[i]
        start += count


@inner
def move_coherently(
    net: Perceptron, rates: NDArray[np.float64], change: float, traces: NDArray[np.float64], sums: NDArray[np.float64]
) -> None:
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
def gradient_kernel(net: Perceptron, decay: float, traces: NDArray[np.float64]) -> float:
    """The output for the inputs in net.units; traces as `add_gradient` leaves them. For callers in Python."""
    output = value(net)
    add_gradient(net, decay, traces)
    return output
