"""Observations filled at once are those filled number by number, compiled and plain, whatever their type and shape."""

import numpy as np
import pytest

from boardgym.compile import kernel
from boardgym.core.planes import fill_cells

BOARD = np.zeros((4, 5, 9), np.int8)
BOARD[1:3, ::2, 2] = 1
BOARD[0, 0, 0] = BOARD[3, 4, 0] = 7
ROW = np.zeros((1, 26, 3), np.uint8)
TOO_WIDE = np.zeros((1, 65, 1), np.int8)


@kernel
def fill_board(out, first, second, flag):
    fill_cells(out, BOARD, (0, first, 0, second, 1, 0, int(flag), 0, first))


@kernel
def fill_row(out, first, second):
    fill_cells(out, ROW, (first, 0, second))


@kernel
def fill_too_wide(out):
    fill_cells(out, TOO_WIDE, (1,))


@pytest.mark.parametrize(("dtype", "most"), [(np.int8, 127), (np.uint8, 255), (np.int16, 32_000), (np.float32, 1_000)])
@pytest.mark.parametrize("flag", [False, True])
def test_every_cell_is_the_template_plus_the_values(dtype, most, flag):
    values = (0, most, 0, 3, 1, 0, int(flag), 0, most)
    out = np.full((2, *BOARD.shape), 77, dtype)
    fill_board(out[1], most, 3, flag)
    for row, column, channel in np.ndindex(BOARD.shape):
        assert out[1, row, column, channel] == int(BOARD[row, column, channel]) + values[channel]
    assert (out[0] == 77).all()


def test_a_board_of_one_row():
    out = np.full(ROW.shape, 77, np.int8)
    fill_row(out, 5, 6)
    assert (out == (5, 0, 6)).all()


def test_a_row_that_is_too_wide_is_refused():
    with pytest.raises(ValueError, match="at most 64 cells"):
        fill_too_wide(np.zeros(TOO_WIDE.shape, np.int8))
