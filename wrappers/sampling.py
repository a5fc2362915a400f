"""Drawing actions by the probabilities that a network gives, one draw of a board's own stream each."""

import numpy as np
from numpy.typing import NDArray

from boardgym.core.random import uniform


def sample_actions(probabilities: NDArray[np.float64], rng: NDArray[np.uint64]) -> NDArray[np.int64]:
    """An action for each of k boards, int64 (k,), by one `uniform` of each board's stream.

    probabilities: float64 (k, num_actions), 0 where illegal. rng: uint64 (k,), advanced in place.
    """
    sums = probabilities.cumsum(axis=1)
    marks = np.array([uniform(rng[i : i + 1]) for i in range(len(probabilities))]) * sums[:, -1]
    drawn = (sums <= marks[:, None]).sum(axis=1)
    last = probabilities.shape[1] - 1 - (probabilities > 0)[:, ::-1].argmax(axis=1)  # for a mark rounded up to the sum
    return np.minimum(drawn, last)
