"""Epochs over cached examples: the errors and gradients of the outputs, and of all candidates at once.

The outputs of frozen units never change, so an epoch reads them from `units`, float64 (n, U): a row for each example, with its
inputs, 1 for the bias, and one column for each hidden unit. Sums over examples are added up within slices, whose bounds depend
on n alone, and then over the slices in order: the same bits, however many threads share the slices.

Within a slice a tile of examples is taken at a time, whose sums and outputs of all candidates stay in the processor's cache.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.networks.cascade_functions import activate_row, activated
from boardgym.baselines.networks.perceptron import add_layer
from boardgym.compile import inner, kernel, shared

TILE = 32  # examples
SLICE, MOST_SLICES = 256, 64  # a slice has at least so many examples, where there are so many


class Candidates(NamedTuple):
    """C candidates over U units, for O outputs.

    weights: float64 (U + O, C), those from the units, then those to the outputs. functions: int64 (C,), quickest where a
    function and its symmetric form are beside each other. steepnesses: float64 (C,). is_covariance: 1 for the covariance
    criterion, whose candidates have no weights to the outputs.
    """

    weights: NDArray[np.float64]
    functions: NDArray[np.int64]
    steepnesses: NDArray[np.float64]
    is_covariance: int


class Tile(NamedTuple):
    """Scratch. sums, values, slopes: float64 (C,), of all candidates for one example.

    back: float64 (parts, TILE, C), derivatives of the criterion by the sums, a part for each output or one for all. places:
    int64, as `add_layer` wants them.
    """

    sums: NDArray[np.float64]
    values: NDArray[np.float64]
    slopes: NDArray[np.float64]
    back: NDArray[np.float64]
    places: NDArray[np.int64]


def slices_of(examples: int) -> int:
    """How many slices there are."""
    return min(max(examples // SLICE, 1), MOST_SLICES)


def rows_of(units: int, outputs: int, is_covariance: int) -> int:
    """How many sums an epoch makes for a candidate, see `candidate_slices`."""
    return (outputs if is_covariance else 1) * units + outputs + 1


@inner
def runs_of(functions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the runs of one function and its symmetric form begin, and where the last one ends: int64 (runs + 1,)."""
    starts, count = np.zeros(functions.shape[0] + 1, np.int64), 1
    for c in range(1, functions.shape[0] + 1):
        if c == functions.shape[0] or functions[c] >> 1 != functions[c - 1] >> 1:
            starts[count] = c
            count += 1
    return starts[:count]


@inner
def activate(candidates: Candidates, runs: NDArray[np.int64], tile: Tile) -> None:
    """Outputs and derivatives of all candidates, from their sums. runs: of `runs_of`."""
    for k in range(runs.shape[0] - 1):
        start, end = runs[k], runs[k + 1]
        activate_row(candidates.functions[start:end], candidates.steepnesses[start:end], tile.sums[start:end],
                     tile.values[start:end], tile.slopes[start:end])  # fmt: skip


@inner
def add_cascade_2(
    errors: NDArray[np.float64], candidates: Candidates, tile: Tile, back: NDArray[np.float64], sums: NDArray[np.float64]
) -> None:
    """Of sum_o (v w_o - e_o)^2 of an example: half its derivatives by w_o, and itself in the last row of sums.

    errors: float64 (O,). back: float64 (C,), filled with half the derivatives by candidates' sums.
    """
    outputs, values, slopes, total = errors.shape[0], tile.values, tile.slopes, sums[sums.shape[0] - 1]
    first = sums.shape[0] - 1 - outputs
    back[:] = 0.0
    for o in range(outputs):
        weights, behind, e = candidates.weights[first + o], sums[first + o], errors[o]
        for c in range(values.shape[0]):
            difference = values[c] * weights[c] - e
            total[c] += difference * difference
            behind[c] += difference * values[c]
            back[c] += difference * weights[c] * slopes[c]


@inner
def add_covariance(e: float, tile: Tile, back: NDArray[np.float64], covariances: NDArray[np.float64]) -> None:
    """Of v e of an example: itself, and its derivatives by candidates' sums. e: of one output, less its mean."""
    for c in range(covariances.shape[0]):
        covariances[c] += e * tile.values[c]
        back[c] = e * tile.slopes[c]


@shared
def candidate_slices(
    first: int,
    last: int,
    units: NDArray[np.float64],
    errors: NDArray[np.float64],
    weights: NDArray[np.float64],
    functions: NDArray[np.int64],
    steepnesses: NDArray[np.float64],
    is_covariance: int,
    slices: int,
    partial: NDArray[np.float64],
) -> None:
    """An epoch of all candidates, over the slices from `first` to `last` - 1 of `slices`.

    weights, functions, steepnesses, is_covariance: of `Candidates`.
    errors: float64 (n, O), what is left to be explained; for the covariance criterion less their means.
    partial: float64 (slices, R, C), filled. Cascade 2: U rows of half the derivatives by the weights from the units, O by
    those to the outputs, and one of sums of squares. Covariance: O times U rows, O of covariances, and one that is not used.
    """
    candidates = Candidates(weights, functions, steepnesses, is_covariance)
    examples, count, width, outputs = units.shape[0], units.shape[1], functions.shape[0], errors.shape[1]
    parts = outputs if is_covariance else 1
    tile = Tile(np.empty(width), np.empty(width), np.empty(width), np.empty((parts, TILE, width)),
                np.empty(max(count, TILE), np.int64))  # fmt: skip
    flat, runs = weights.reshape(weights.size)[: count * width], runs_of(functions)
    for s in range(first, last):
        partial[s] = 0.0
        end = examples * (s + 1) // slices
        for low in range(examples * s // slices, end, TILE):
            high = min(low + TILE, end)
            for b in range(high - low):
                tile.sums[:] = 0.0
                add_layer(units[low + b], flat, tile.sums, tile.places)
                activate(candidates, runs, tile)
                if is_covariance:
                    for o in range(outputs):
                        add_covariance(errors[low + b, o], tile, tile.back[o, b], partial[s, parts * count + o])
                else:
                    add_cascade_2(errors[low + b], candidates, tile, tile.back[0, b], partial[s])
            for part in range(parts):
                back = tile.back[part].reshape(TILE * width)[: (high - low) * width]
                for u in range(count):
                    add_layer(units[low:high, u], back, partial[s, part * count + u], tile.places)


@inner
def output_sums(
    units: NDArray[np.float64], low: int, high: int, weights: NDArray[np.float64], out: NDArray[np.float64]
) -> None:
    """The sums of one output, weights float64 (U,), for the examples of a tile; four at a time, each in the units' order."""
    b = low
    while b + 4 <= high:
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        u0, u1, u2, u3 = units[b], units[b + 1], units[b + 2], units[b + 3]
        for i in range(weights.shape[0]):
            w = weights[i]
            s0 += u0[i] * w
            s1 += u1[i] * w
            s2 += u2[i] * w
            s3 += u3[i] * w
        out[b - low], out[b - low + 1], out[b - low + 2], out[b - low + 3] = s0, s1, s2, s3
        b += 4
    while b < high:
        total = 0.0
        for i in range(weights.shape[0]):
            total += units[b, i] * weights[i]
        out[b - low] = total
        b += 1


@shared
def output_slices(
    first: int,
    last: int,
    units: NDArray[np.float64],
    targets: NDArray[np.float64],
    weights: NDArray[np.float64],
    function: int,
    steepness: float,
    errors: NDArray[np.float64],
    slices: int,
    partial: NDArray[np.float64],
) -> None:
    """An epoch of the outputs, over slices as `candidate_slices`.

    targets: float64 (n, O). weights: float64 (O, U). errors: float64 (n, O), filled with target less output. partial: float64
    (slices taken, O, U + 1), filled with half the derivatives of the sum of squared errors, which comes last.
    """
    examples, count, outputs = units.shape[0], units.shape[1], targets.shape[1]
    flat = units.reshape(units.size)
    room, places = np.zeros((4, TILE)), np.empty(TILE, np.int64)
    sums, values, slopes, back = room[0], room[1], room[2], room[3]
    functions, steepnesses = np.full(TILE, function), np.full(TILE, steepness)
    for s in range(first, last):
        partial[s] = 0.0
        end = examples * (s + 1) // slices
        for low in range(examples * s // slices, end, TILE):
            high = min(low + TILE, end)
            for o in range(outputs):
                output_sums(units, low, high, weights[o], sums)
                activate_row(functions, steepnesses, sums, values, slopes)
                for b in range(high - low):
                    e = targets[low + b, o] - values[b]
                    errors[low + b, o] = e
                    partial[s, o, count] += e * e
                    back[b] = -e * slopes[b]
                add_layer(back[: high - low], flat[low * count : high * count], partial[s, o, :count], places)


@kernel
def unit_outputs(
    units: NDArray[np.float64], weights: NDArray[np.float64], function: int, steepness: float, out: NDArray[np.float64]
) -> None:
    """Fills out, float64 (n,), with what a unit with these weights, float64 (U,), gives for each example."""
    for low in range(0, units.shape[0], TILE):
        high = min(low + TILE, units.shape[0])
        output_sums(units, low, high, weights, out[low:high])
    for b in range(out.shape[0]):
        out[b] = activated(function, steepness, out[b])


@kernel
def add_up(partial: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Fills out, float64 (A, B), with the sums over slices of partial, float64 (S, A, B), added in their order."""
    out[:] = partial[0]
    for s in range(1, partial.shape[0]):
        for a in range(out.shape[0]):
            for b in range(out.shape[1]):
                out[a, b] += partial[s, a, b]
