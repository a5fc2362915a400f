"""The mean of the weights over the later part of a training, also called iterate or Polyak averaging.

B. T. Polyak and A. B. Juditsky, "Acceleration of stochastic approximation by averaging", 1992.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

AVERAGES = 1000  # times at most that weights are added, where not after each game


class MeanWeights:
    """Sums of weights, to which those of the moment are added after every so many games of a training.

    Args:
        parts: the weights that learn, arrays of any shapes, all float64 or all float32; they are read, not changed.
        games: of the training.
        share: of these games, after which weights are added; in the last game at least. 1: there is no mean.
        times: how often they are added at most, at equal distances.
        batch: games that are played before weights are looked at again: they are added after whole batches, and after the last.

    Attributes:
        is_on: whether there will be a mean.
        sums: float64 (W + 1,), of the W weights of all parts, and how many times they were added; (1,) if there is no mean.
    """

    def __init__(self, parts: Sequence[NDArray[Any]], games: int, share: float, times: int = AVERAGES, batch: int = 1) -> None:
        self.is_on = share < 1.0
        self.parts = parts if self.is_on else ()
        after = min(round(share * games), max(games - 1, 0))
        self.after = after - after % batch if self.is_on else games
        every = max(1, math.ceil((games - self.after) / times))
        self.every = every + -every % batch
        self.games, self.ends_apart = games, self.is_on and batch > 1 and (games - self.after) % self.every > 0
        self.sums = np.zeros(sum(part.size for part in self.parts) + 1)

    @property
    def count(self) -> int:
        """How many times weights were added."""
        return int(self.sums[-1])

    def count_at(self, done: int) -> int:
        """How many times they are to be added in so many games."""
        return max(done - self.after, 0) // self.every + (self.ends_apart and done >= self.games)

    def next_time(self, done: int) -> int:
        """The games after which `add` has something to do next, or may have: more than those that are done."""
        return self.after if done < self.after else done + self.every - (done - self.after) % self.every

    def is_due(self, done: int) -> bool:
        """Whether weights are to be added that have not been."""
        return self.count_at(done) > self.count

    def add(self, done: int) -> None:
        """Adds the weights of the moment if it is time and has not been done: an interruption may come before it.

        All of them and their count at once: after an interruption between two parts nobody could say what was added.
        """
        if self.is_due(done):
            self.sums += np.concatenate([*(part.ravel() for part in self.parts), np.ones(1, self.parts[0].dtype)])

    def fits(self, sums: NDArray[np.float64], done: int, most: float) -> bool:
        """Whether so many games leave these sums, of weights of at most a size. sums: float64, of the shape of its own."""
        count, each = sums[-1], sums[:-1]
        return bool(count == self.count_at(done) and (np.abs(each) <= most * count).all())  # not, if one is no number

    def write_mean(self, parts: Sequence[NDArray[Any]]) -> None:
        """Writes the mean into arrays of the same shapes; before there is one, the weights of the moment."""
        begin = 0
        for own, part in zip(self.parts, parts, strict=True):
            if self.count > 0:
                sums = self.sums[begin : begin + part.size].reshape(part.shape)
                np.divide(sums, self.count, out=part, casting="same_kind")
            else:
                part[...] = own
            begin += part.size
