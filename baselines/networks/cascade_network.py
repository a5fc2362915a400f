"""A cascade network: each hidden unit sees all inputs, a bias and all hidden units before it; compiled, in float64.

    z_k = f_k(s_k sum_i w_ik u_i),   u = (inputs, 1, z_0, ..., z_(k-1))

An output is such a unit over the inputs, the bias and all hidden units. f_k is one of `cascade_functions.FUNCTIONS` and s_k its
steepness.

Sums are added in the order of the units, so that a row of inputs and the columns of a training give the same bits.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks.cascade_functions import activated
from boardgym.baselines.networks.perceptron import add_layer
from boardgym.compile import inlined, inner, kernel

MOST_WEIGHT = 1500.0  # in size


class CascadeNet(NamedTuple):
    """A network of I inputs, K hidden units and O outputs, and what its forward pass writes.

    sizes: int64 (3,), I, K and O. functions: int64 (K + O,), places in FUNCTIONS, outputs last. steepnesses: float64 (K + O,).
    weights: float64 ((I + 1 + K) * (K + O),): those of input 0 to all hidden units and outputs, then of the next input, the
    bias and each hidden unit. Weights from a hidden unit to itself and to those before it are 0, and not read.
    sums: float64 (K + O,), scratch; holds the outputs at its end after `forward`. places: int64 (I,), scratch.
    """

    sizes: NDArray[np.int64]
    functions: NDArray[np.int64]
    steepnesses: NDArray[np.float64]
    weights: NDArray[np.float64]
    sums: NDArray[np.float64]
    places: NDArray[np.int64]


@inner
def with_room(
    sizes: NDArray[np.int64],
    functions: NDArray[np.int64],
    steepnesses: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> CascadeNet:
    """The network with scratch of its own. All arrays as in `CascadeNet`, and kept."""
    return CascadeNet(sizes, functions, steepnesses, weights, np.zeros(sizes[1] + sizes[2]), np.zeros(sizes[0], np.int64))


def make_cascade(
    inputs: int,
    units: Sequence[tuple[int, float, NDArray[np.float64]]],
    outputs: Sequence[tuple[int, float, NDArray[np.float64]]],
) -> CascadeNet:
    """A network of its parts.

    units: (function, steepness, weights) of each hidden unit, the weights float64 (inputs + 1 + units before it,). outputs:
    the same of each output, whose weights come from all hidden units.
    """
    columns = len(units) + len(outputs)
    weights = np.zeros((inputs + 1 + len(units), columns))
    for column, (_, _, own) in enumerate((*units, *outputs)):
        weights[: len(own), column] = own
    functions = np.array([function for function, _, _ in (*units, *outputs)], np.int64)
    steepnesses = np.array([steepness for _, steepness, _ in (*units, *outputs)], np.float64)
    sizes = np.array([inputs, len(units), len(outputs)], np.int64)
    scratch = np.zeros(columns), np.zeros(inputs, np.int64)
    return CascadeNet(sizes, functions, steepnesses, weights.ravel(), *scratch)


@inlined
def forward(net: CascadeNet, row: NDArray[np.float64]) -> None:
    """Writes the outputs for a row of inputs, float64 (I,), into the last O of net.sums."""
    inputs, hidden, sums, weights = net.sizes[0], net.sizes[1], net.sums, net.weights
    columns = hidden + net.sizes[2]
    sums[:] = 0.0
    add_layer(row, weights[: inputs * columns], sums, net.places)
    start = inputs * columns
    for j in range(columns):
        sums[j] += weights[start + j]
    for k in range(columns):
        sums[k] = activated(net.functions[k], net.steepnesses[k], sums[k])
        if k < hidden:
            start += columns
            for j in range(k + 1, columns):
                sums[j] += sums[k] * weights[start + j]


@kernel
def forward_kernel(net: CascadeNet, rows: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Fills out, float64 (n, O), with the outputs for rows of inputs, float64 (n, I)."""
    hidden = net.sizes[1]
    for i in range(rows.shape[0]):
        forward(net, rows[i])
        for o in range(out.shape[1]):
            out[i, o] = net.sums[hidden + o]
