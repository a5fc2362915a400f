"""Filling an observation of many channels quickly, where most of them say the same in every cell."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import overloaded

MAX_WIDTH = 64  # cells in a row


def fill_cells(out: NDArray[Any], template: NDArray[Any], values: tuple[int, ...]) -> None:
    """Fills an observation with a template plus the same numbers in every cell.

    Stored number by number, channels such as "seats, clock, ones" would take most of the time of a vector step. Compiled,
    the first row is put together in vector instructions, and the others are copies of it.

    Args:
        out: the observation, (H, W, C), W at most 64; every element is written.
        template: a global array of that shape, int8 or uint8, with what never changes: such as which cells are on the board.
        values: tuple of C numbers, one a channel; 0 where the template has others than 0.

    Raises:
        ValueError: a row is wider than that.
    """
    if template.shape[1] > MAX_WIDTH:
        raise ValueError("fill_cells: expected a row of at most 64 cells")
    out[...] = template + np.array(values)


@overloaded(fill_cells, inline="always")  # else the compiler does not see that the shape is constant: ten times slower
def _fill_cells(out, template, values) -> Any:  # type: ignore[no-untyped-def]  # Numba wants `fill`'s signature
    channels = len(values)
    is_channel = np.array([[-(k % channels == c) for k in range(MAX_WIDTH * channels)] for c in range(channels)], np.int8)

    def fill(out, template, values):  # type: ignore[no-untyped-def]
        if template.shape[1] > MAX_WIDTH:
            raise ValueError("fill_cells: expected a row of at most 64 cells")
        numbers, fixed, length = out.flat, template.flat, template.shape[1] * template.shape[2]
        for k in range(length):
            number = 0
            for c in range(channels):
                number |= is_channel[c, k] & values[c]
            numbers[k] = number
        for i in range(template.shape[0]):
            row = template.shape[0] - 1 - i  # the first row last: what the template has there is not for the others
            for k in range(length):
                numbers[row * length + k] = numbers[k] + fixed[row * length + k]

    return fill
