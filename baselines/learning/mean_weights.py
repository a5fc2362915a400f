"""The mean of the weights over the later part of a training.

B. T. Polyak and A. B. Juditsky, "Acceleration of stochastic approximation by averaging", 1992.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class MeanWeights:
    """Sums of weights, to which those of the moment are added after every so many games of a training.

    Args:
        parts: the weights that learn, float64 arrays of any shapes; they are read, not kept.
        after: games before the first that count.
        every: games from one time to the next.

    Attributes:
        sums: float64 (W + 1,), of the W weights of all parts, and how many times they were added.
    """

    def __init__(self, parts: Sequence[NDArray[np.float64]], after: int, every: int = 1) -> None:
        self.parts, self.after, self.every = parts, after, every
        self.sums = np.zeros(sum(part.size for part in parts) + 1)

    @property
    def count(self) -> int:
        """How many times weights were added."""
        return int(self.sums[-1])

    def count_at(self, done: int) -> int:
        """How many times they are to be added in so many games."""
        return max(done - self.after, 0) // self.every

    def next_time(self, done: int) -> int:
        """The games after which `add` has something to do next, or may have: more than those that are done."""
        return self.after if done < self.after else done + self.every - (done - self.after) % self.every

    def add(self, done: int) -> None:
        """Adds the weights of the moment if it is time and has not been done: an interruption may come before it."""
        if self.count_at(done) > self.count:
            self.sums += np.concatenate([*(part.ravel() for part in self.parts), [1.0]])

    def write_mean(self, parts: Sequence[NDArray[np.float64]]) -> None:
        """Writes the mean into arrays of the same shapes; before there is one, the weights of the moment."""
        begin = 0
        for own, part in zip(self.parts, parts, strict=True):
            if self.count:
                part[...] = (self.sums[begin : begin + part.size] / self.count).reshape(part.shape)
            elif part is not own:
                part[...] = own
            begin += part.size
