"""One step of a game: repetition, payments and marks, on a game whose positions are made by hand."""

import numpy as np
import pytest

from boardgym import Board
from boardgym.compile import kernel
from boardgym.core import engine
from boardgym.core.errors import OptionError
from boardgym.core.random import draw_by_weight, draw_index, index_at, stream, uniform
from tests.core.shuttle import SHUTTLE

LIMIT = 3  # of SHUTTLE: its third occurrence of a position is a draw


@kernel
def is_repetition(token, row, key, keys, count):
    return engine.is_repetition(engine.verbs.unpack(token, row), key, keys, count)


@kernel
def draws(weights, count, total, rng, out):
    for k in range(len(out)):
        out[k] = draw_by_weight(weights, count, total, rng)


@kernel
def find(weights, count, mark):
    return index_at(weights, count, mark)


@pytest.mark.parametrize("stride", [1, 3])
def test_a_repetition_counts_the_earlier_keys_and_no_more(stride):
    """Of records in one piece and of columns of a wider array."""
    board = Board(SHUTTLE)
    key = np.int64(board._frames[0, 2])
    record = np.full((6, stride), key, np.int64)[:, 0]
    for count in range(6):
        assert is_repetition(SHUTTLE.token, board.row, key, record, count) == (count + 1 >= LIMIT)
    record[:] = key + 1
    record[[1, 4]] = key
    assert [is_repetition(SHUTTLE.token, board.row, key, record, count) for count in range(6)] == [False] * 5 + [True]
    record[4] = key + 1
    assert not is_repetition(SHUTTLE.token, board.row, key, record, 6)
    record[5] = key
    assert is_repetition(SHUTTLE.token, board.row, key, record, 6)


def test_an_index_is_drawn_by_weight():
    weights = np.array([0.25, 0.0, 0.5, 0.25, 9.0])
    marks = {0.0: 0, 0.2499: 0, 0.25: 2, 0.7499: 2, 0.75: 3, 0.9999: 3, 1.0: 3, 2.0: 3}
    assert {mark: int(find(weights, 4, mark)) for mark in marks} == marks
    assert find(np.array([0.5, 0.5, 0.0]), 3, 1.0) == 1  # rounded up to the sum: never what cannot come
    assert find(np.array([0.0]), 1, 0.0) == 0
    out = np.empty(4000, np.int64)
    draws(weights, 4, 1.0, stream(1), out)
    assert np.abs(np.bincount(out, minlength=4) / 4000 - weights[:4]).max() < 0.03
    rng, twin = stream(1), stream(1)
    assert out[:50].tolist() == [draw_index(weights[:4], rng) for _ in range(50)]
    assert [int(find(weights, 4, uniform(twin))) for _ in range(50)] == out[:50].tolist()
    draws(weights[2:], 3, 9.75, stream(1), out)
    assert np.abs(np.bincount(out) / 4000 - weights[2:] / 9.75).max() < 0.03


def test_a_view_of_another_kind_is_refused_and_nothing_is_played():
    board = Board("TicTacToe-v0")
    planes, mask = board.look()
    paid = np.zeros(2)
    board.push_and_look(4, planes, mask, paid)
    read_only = paid.copy()
    read_only.flags.writeable = False
    for view, text in (
        ((planes.astype(np.int16), mask, paid), "observation: expected a writable int8 array of shape"),
        ((planes[1:], mask, paid), "observation: expected"),
        ((planes, mask.astype(np.int64), paid), "mask: expected a writable int8 array of shape (9,) in one piece, got int64"),
        ((planes, np.zeros(18, np.int8)[::2], paid), "mask: expected"),
        ((planes, mask, [0.0, 0.0]), r"rewards: expected a writable float64 array of shape (2,) in one piece, got [0.0, 0.0]"),
        ((planes, mask, read_only), "rewards: expected a writable"),
        ((planes, mask, np.zeros(3)), "rewards: expected"),
    ):
        with pytest.raises(OptionError) as error:
            board.push_and_look(0, *view)
        assert str(error.value).startswith(text)
        assert board.actions == [4]
    board.push_and_look(0, planes, mask, paid)
    twin = board.copy()
    twin.push_and_look(1, planes, mask, paid)
    assert (board.actions, twin.actions) == ([4, 0], [4, 0, 1])
