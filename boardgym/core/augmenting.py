"""Training examples under the symmetries of a board."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import kernel
from boardgym.core import verbs


@kernel
def augment_rows(
    token: Any,
    observations: NDArray[Any],
    policies: NDArray[np.float64],
    symmetries: NDArray[np.int64],
    images: NDArray[Any],
    image_policies: NDArray[np.float64],
) -> None:
    """Fills the images of training examples: observation i and its action weights under symmetry symmetries[i].

    observations, images: (n, *observation_shape), as the seat to play sees them. policies, image_policies: float64 (n,
    num_actions).
    """
    observations, images = verbs.borrow(observations), verbs.borrow(images)
    for i in range(observations.shape[0]):
        position, k = verbs.decode(token, observations[i]), symmetries[i]
        verbs.observe(verbs.transform(position, k), max(verbs.to_play(position), 0), images[i])
        for action in range(policies.shape[1]):
            image_policies[i, action] = 0
        for action in range(policies.shape[1]):
            if policies[i, action] != 0:
                image_policies[i, verbs.transform_action(position, action, k)] = policies[i, action]
