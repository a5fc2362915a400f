"""Cascade correlation: a network that grows, one hidden unit at a time.

    train the weights to the outputs
    until there are enough units:
        train candidates, each a unit that sees the inputs and all units so far, and touches nothing yet
        install the best one: its weights are frozen, its output is one more input to the outputs
        train the weights to the outputs

A candidate with output v_s for example s is trained to reduce the error e_os of the outputs, by one of two criteria:

    cascade2      minimise  sum_o sum_s (e_os - v_s w_o)^2  over its weights and its own output weights w_o
    covariance    maximise  sum_o |sum_s (v_s - mean v)(e_os - mean e_o)|

The score of a candidate is by how much the squared error would fall, or the covariance. e is target less output, half of that
for outputs that are symmetric. The winner's output weight begins at weight_multiplier w_o. Covariance trains no w_o: we take
that of least squares.

Sources: S. E. Fahlman, C. Lebiere, "The cascade-correlation learning architecture", 1990 (covariance); S. Nissen, "Large scale
reinforcement learning using Q-SARSA(lambda) and cascading neural networks", 2007, and the library FANN (Cascade 2, candidates,
stagnation). Other than in FANN no weight moves after the last epoch of a training, so that scores and errors are those of the
weights that are kept.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.cascade import epochs as ep
from boardgym.baselines.learning.cascade import rprop as rp
from boardgym.baselines.learning.cascade.settings import CascadeSettings, function_of
from boardgym.baselines.networks.cascade_network import MOST_WEIGHT, CascadeNet, make_cascade
from boardgym.compile import kernel, shared
from boardgym.core.random import stream, uniform
from boardgym.core.threads import Sharing

OUTPUT_STREAM, CANDIDATE_STREAM, SPLIT_STREAM = range(3)  # stream ids under a training's seed
FIRST_SPAN = 0.1  # output weights begin within [-0.1, 0.1)

Unit = tuple[int, float, NDArray[np.float64]]  # function, steepness, weights from the units before it


@dataclass(frozen=True)
class Progress:
    """What is reported after each hidden unit. Errors are mean squared differences of targets and outputs.

    Attributes:
        units: hidden units so far. function, steepness: of the last one; "" and 0.0 before the first.
        train_error, test_error: of these examples. holdout_error: of those that nothing was chosen by, None without any.
        score: of the winning candidate; 0.0 before the first.
        candidate_epochs, output_epochs: that its training, and that of the outputs after it, took.
        seconds: for both.
    """

    units: int
    train_error: float
    test_error: float
    holdout_error: float | None
    function: str = ""
    steepness: float = 0.0
    score: float = 0.0
    candidate_epochs: int = 0
    output_epochs: int = 0
    seconds: float = field(default=0.0, compare=False)


@dataclass
class Examples:
    """Examples with all that the frozen units make of them.

    units: float64 (n, U): the inputs, 1 for the bias, then the hidden units. targets: float64 (n, O).
    """

    units: NDArray[np.float64]
    targets: NDArray[np.float64]

    def add_unit(self, unit: Unit) -> None:
        """Adds the column of one more hidden unit."""
        function, steepness, weights = unit
        count = len(weights)
        grown = np.empty((len(self.units), count + 1))
        grown[:, :count] = self.units
        column = np.empty(len(grown))
        ep.unit_outputs(self.units, weights, function, steepness, column)
        grown[:, count] = column
        self.units = grown

    def error(self, weights: NDArray[np.float64], function: int, steepness: float) -> float:
        """The mean squared error of outputs with these weights, float64 (O, U)."""
        column, total = np.empty(len(self.units)), 0.0
        for o, own in enumerate(weights):
            ep.unit_outputs(self.units, own, function, steepness, column)
            total += float(np.square(self.targets[:, o] - column).mean())
        return total / len(weights)


def as_examples(inputs: NDArray[np.float64], targets: NDArray[np.float64]) -> Examples:
    """Examples before there is any hidden unit. inputs: float64 (n, I). targets: float64 (n, O)."""
    return Examples(np.hstack([inputs, np.ones((len(inputs), 1))]), np.ascontiguousarray(targets))


class Stagnation:
    """Ends a training when its gain has stayed within a fraction of what it was for so many epochs, after a least number."""

    def __init__(self, settings: CascadeSettings) -> None:
        self.fraction, self.epochs, self.least = settings.change_fraction, settings.stagnation_epochs, settings.min_epochs
        self.gain, self.until = 0.0, settings.max_epochs

    def is_over(self, epoch: int, gain: float) -> bool:
        """Told the gain of an epoch, whether to end with it."""
        if abs(gain - self.gain) > self.fraction * abs(self.gain) if self.gain else gain > 0.0:
            self.gain, self.until = gain, epoch + self.epochs
        return epoch >= self.until and epoch >= self.least


@kernel
def draw_numbers(rng: NDArray[np.uint64], out: NDArray[np.float64]) -> None:
    """Fills out, float64 (n,), with numbers in [0, 1). rng: stream, uint64 (1,), advanced."""
    for i in range(out.shape[0]):
        out[i] = uniform(rng)


def uniforms(seed: int, path: Sequence[int], *shape: int) -> NDArray[np.float64]:
    """Numbers in [0, 1) of the stream of a path, in the order of the shape."""
    out = np.empty(int(np.prod(shape)))
    draw_numbers(stream(seed, *path), out)
    return out.reshape(shape)


@shared
def product_slices(
    first: int,
    last: int,
    column: NDArray[np.float64],
    left: NDArray[np.float64],
    slices: int,
    partial: NDArray[np.float64],
) -> None:
    """Sums of products of column, float64 (n,), with each column of left, float64 (n, O), and with itself.

    partial: float64 (slices, 1, O + 1), filled for the slices from `first` to `last` - 1, the product with itself last.
    """
    examples, outputs = left.shape
    for s in range(first, last):
        sums = partial[s, 0]
        sums[:] = 0.0
        for i in range(examples * s // slices, examples * (s + 1) // slices):
            for o in range(outputs):
                sums[o] += column[i] * left[i, o]
            sums[outputs] += column[i] * column[i]


def sums_bytes(settings: CascadeSettings, examples: int, inputs: int, outputs: int, hidden: int) -> int:
    """Bytes of the sums of all slices, in the largest epoch of a training that ends with so many hidden units."""
    rows = ep.rows_of(inputs + hidden, outputs, int(settings.criterion == "covariance"))
    candidates = len(settings.functions) * len(settings.steepnesses) * settings.groups
    return 8 * ep.slices_of(examples) * max(rows * candidates if hidden else 0, outputs * (inputs + hidden + 2))


class Cascade:
    """A cascade in training. Call `grow` until it is as large as wanted.

    Attributes:
        hidden: its units. output_weights: float64 (O, U). history: what was reported.
        best_units, best_weights: the number of hidden units with the least test error, and the output weights then.
    """

    def __init__(self, settings: CascadeSettings, train: Examples, test: Examples, holdout: Examples | None = None) -> None:
        self.settings, self.train, self.test, self.holdout = settings, train, test, holdout
        self.inputs, self.outputs = train.units.shape[1] - 1, train.targets.shape[1]
        self.function, self.steepness = function_of(settings.output), settings.output_steepness
        self.errors = np.empty_like(train.targets)  # of the outputs, target less output
        self.slices, self.sharing = ep.slices_of(len(train.units)), Sharing(settings.num_threads)
        self.room = np.empty(0)  # for the sums of the slices; as large as the largest epoch so far
        rule = rp.RULES.index(settings.rule)
        self.rprop = rp.Rprop(rule, settings.increase, settings.decrease, most_step=settings.most_step)
        self.hidden: list[Unit] = []
        self.history: list[Progress] = []
        span = uniforms(settings.seed, (OUTPUT_STREAM,), self.outputs, self.inputs + 1)
        self.output_weights = FIRST_SPAN * (2.0 * span - 1.0)
        self.best_units, self.best_weights = 0, self.output_weights

    def start_from(self, hidden: Sequence[Unit], output_weights: NDArray[np.float64]) -> None:
        """Takes up a network that has grown on other examples, before the first call of `grow`. output_weights: (O, U)."""
        for unit in hidden:
            self.add_unit(unit)
        self.output_weights = output_weights.copy()

    def grow(self) -> Progress:
        """Adds a unit (not on the first call), then trains the outputs; returns the report."""
        started, score, candidate_epochs, function, steepness = time.perf_counter(), 0.0, 0, "", 0.0
        if self.history:
            weights, best, score, candidate_epochs = self.train_candidates()
            function, steepness = self.install(weights, best)
        train_error, output_epochs = self.train_outputs()
        errors = [None if part is None else part.error(self.output_weights, self.function, self.steepness)
                  for part in (self.test, self.holdout)]  # fmt: skip
        progress = Progress(len(self.hidden), train_error, float(errors[0] or 0.0), errors[1], function, steepness, score,
                            candidate_epochs, output_epochs, time.perf_counter() - started)  # fmt: skip
        self.note(progress)
        return progress

    def note(self, progress: Progress) -> None:
        """Adds a report to the history, and keeps the weights if the test error has never been less."""
        best = next((it.test_error for it in self.history if it.units == self.best_units), math.inf)
        is_best = not self.history or progress.test_error < best
        self.history.append(progress)
        if is_best:
            self.best_units, self.best_weights = len(self.hidden), self.output_weights.copy()

    def is_complete(self, max_units: int) -> bool:
        """Whether it is to grow no more."""
        if not self.history:
            return False
        patience = self.settings.patience
        has_stalled = patience is not None and len(self.hidden) - self.best_units >= patience
        return len(self.hidden) >= max_units or has_stalled or self.history[-1].train_error <= self.settings.desired_error

    def run(self, name: str, kernel: Any, rows: int, columns: int, *args: Any) -> NDArray[np.float64]:
        """What a kernel adds up over all slices, float64 (rows, columns); threads share them. args: its first ones."""
        size, out = self.slices * rows * columns, np.empty((rows, columns))
        if self.room.size < size:
            self.room = np.empty(size)
        partial = self.room[:size].reshape(self.slices, rows, columns)
        self.sharing.run(name, kernel, self.slices, (*args, self.slices, partial))
        ep.add_up(partial, out)
        return out

    def output_epoch(self) -> NDArray[np.float64]:
        """Half the derivatives by the output weights and in the last column squared errors, float64 (O, U + 1)."""
        units, count = self.train.units, self.train.units.shape[1]
        args = units, self.train.targets, self.output_weights, self.function, self.steepness, self.errors
        return self.run("outputs", ep.output_slices, self.outputs, count + 1, *args)

    def train_outputs(self) -> tuple[float, int]:
        """(the mean squared error, epochs that it took)."""
        settings, stagnation, first, epoch = self.settings, Stagnation(self.settings), 0.0, 0
        states = [rp.make_state(self.output_weights.shape[1], 1, settings.first_step) for _ in range(self.outputs)]
        while True:
            sums = self.output_epoch()
            error = float(sums[:, -1].sum()) / self.train.targets.size
            first = first if epoch else error
            is_over = epoch > 0 and stagnation.is_over(epoch, first - error)
            if is_over or error <= settings.desired_error or epoch == settings.max_epochs - 1:
                return error, epoch + 1
            for o, state in enumerate(states):
                own, gradients = self.output_weights[o].reshape(-1, 1), sums[o, :-1].reshape(-1, 1)
                rp.update(own, gradients, sums[o, -1:], state, self.rprop)
            epoch += 1

    def candidates(self) -> ep.Candidates:
        """Candidates with weights drawn anew, for the next unit."""
        settings, count = self.settings, self.train.units.shape[1]
        kinds = [(function_of(name), steepness) for name in settings.functions for steepness in settings.steepnesses]
        kinds = [kind for kind in kinds for _ in range(settings.groups)]
        scale = min(max(2.0 * (0.7 * (len(self.hidden) + 1)) ** (1.0 / self.inputs), 0.5), 8.0)
        numbers = uniforms(settings.seed, (CANDIDATE_STREAM, len(self.hidden)), len(kinds), count + self.outputs)
        weights = scale * numbers.T
        weights[self.inputs] = scale * (2.0 * numbers[:, self.inputs] - 1.0)
        return ep.Candidates(np.ascontiguousarray(weights), np.array([function for function, _ in kinds], np.int64),
                             np.array([steepness for _, steepness in kinds], np.float64),
                             int(settings.criterion == "covariance"))  # fmt: skip

    def targets_of_candidates(self) -> NDArray[np.float64]:
        """What candidates are to explain, float64 (n, O)."""
        left = self.errors if self.settings.output == "linear" else 0.5 * self.errors
        return left - left.mean(axis=0) if self.settings.criterion == "covariance" else left

    def candidate_epoch(self, candidates: ep.Candidates, left: NDArray[np.float64], total: float) -> tuple[Any, Any]:
        """(the scores, float64 (C,), and derivatives of what is to be least, float64 (U + O, C))."""
        units, count, is_covariance = self.train.units, self.train.units.shape[1], candidates.is_covariance
        rows = ep.rows_of(count, self.outputs, is_covariance)
        sums = self.run("candidates", ep.candidate_slices, rows, len(candidates.functions), units, left, *candidates)
        if not is_covariance:
            return total - sums[-1], sums[:-1]
        covariances, gradients = sums[-1 - self.outputs : -1], np.zeros_like(candidates.weights)
        for o, covariance in enumerate(covariances):
            gradients[:count] -= np.sign(covariance) * sums[o * count : (o + 1) * count]
        return np.abs(covariances).sum(axis=0), gradients

    def train_candidates(self) -> tuple[ep.Candidates, int, float, int]:
        """(the candidates, which is best, its score, epochs that it took)."""
        settings, candidates, stagnation = self.settings, self.candidates(), Stagnation(self.settings)
        left = self.targets_of_candidates()
        total = float(np.square(left).sum())
        rows, columns = candidates.weights.shape
        state, epoch = rp.make_state(rows, columns, settings.first_step), 0
        while True:
            scores, gradients = self.candidate_epoch(candidates, left, total)
            best = int(np.argmax(scores))
            score = float(scores[best])
            is_enough = score > settings.candidate_limit * total
            if is_enough or stagnation.is_over(epoch, score) or epoch == settings.max_epochs - 1:
                return candidates, best, score, epoch + 1
            rp.update(candidates.weights, gradients, -scores, state, self.rprop)
            epoch += 1

    def install(self, candidates: ep.Candidates, best: int) -> tuple[str, float]:
        """Makes a candidate a unit. Returns its function and steepness."""
        count, settings = self.train.units.shape[1], self.settings
        weights, behind = candidates.weights[:count, best].copy(), candidates.weights[count:, best]
        left = self.targets_of_candidates()
        self.add_unit((int(candidates.functions[best]), float(candidates.steepnesses[best]), weights))
        if candidates.is_covariance:
            behind = self.least_squares(self.train.units[:, count], left)
        new = np.clip(settings.weight_multiplier * behind, -MOST_WEIGHT, MOST_WEIGHT)
        self.output_weights = np.hstack([self.output_weights, new.reshape(-1, 1)])
        kind = best // settings.groups
        steepnesses = settings.steepnesses
        return settings.functions[kind // len(steepnesses)], float(steepnesses[kind % len(steepnesses)])

    def least_squares(self, values: NDArray[np.float64], left: NDArray[np.float64]) -> NDArray[np.float64]:
        """The weights, float64 (O,), by which a unit's values, float64 (n,), explain most of left, float64 (n, O)."""
        column = values - values.mean()
        sums = self.run("products", product_slices, 1, self.outputs + 1, column, left)[0]
        return sums[:-1] / max(float(sums[-1]), 1e-100)

    def add_unit(self, unit: Unit) -> None:
        """Freezes a unit: what it gives for every example is computed here, once."""
        self.hidden.append(unit)
        for part in (self.train, self.test, self.holdout):
            if part is not None:
                part.add_unit(unit)

    def network(self) -> CascadeNet:
        """That of the least test error."""
        outputs = [(self.function, self.steepness, own) for own in self.best_weights]
        return make_cascade(self.inputs, self.hidden[: self.best_units], outputs)
