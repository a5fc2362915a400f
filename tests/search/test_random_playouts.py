"""`random_playouts`: playout by playout as a board plays it with the same draws, the law of random play, a card's simulator."""

import functools

import numpy as np
import pytest

import boardgym
from boardgym.baselines import random_playouts
from boardgym.baselines.search import random_playouts as module
from boardgym.core.errors import OptionError
from boardgym.core.random import draw, draw_index, stream
from tests.support import ROOT, run_python


def played(board, rng):
    """What a board pays when its moves and rolls are drawn from a stream, and the plies."""
    plies = 0
    while not board.is_terminal:
        if board.is_chance:
            outcomes = board.outcomes
            board.push(outcomes[draw_index(np.array([probability for _, probability in outcomes]), rng)][0])
        else:
            legal = board.legal_actions
            board.push(legal[draw(rng, len(legal))])
            plies += 1
    return board.returns(), plies


def after(name, plies, n, **options):
    """Boards after some random plies."""
    boards = boardgym.BatchBoard(name, n, seed=5, **options)
    for _ in range(plies):
        boards.step(boards.act("random"))
    return boards


@pytest.mark.parametrize(
    ("name", "plies", "count"),
    [("TicTacToe-v0", 3, 20), ("Othello-v0", 40, 3), ("Backgammon-v0", 30, 2), ("CardPoints-v0", 1, 5)],
)
def test_each_is_what_a_board_plays_with_the_same_draws(name, plies, count):
    boards = after(name, plies, 3)
    found = random_playouts(boards, count, seed=9)
    for i in range(3):
        paid, lengths = [], []
        for k in range(count):
            seen, length = played(boards.board(i), stream(int(stream(9, i)[0]), k))
            paid.append(seen)
            lengths.append(length)
        np.testing.assert_array_equal(found.returns[i], np.array(paid).sum(axis=0) / count)
        most = [max(one) for one in paid]
        wins = [
            sum(one[s] == m and list(one).count(m) == 1 for one, m in zip(paid, most, strict=True)) for s in range(len(paid[0]))
        ]
        assert found.wins[i].tolist() == wins
        assert found.plies[i] == sum(lengths)
    assert found.count == count


@functools.cache
def expectation(position):
    """What random play pays the first seat in tic-tac-toe on average, exactly."""
    board = boardgym.Board("TicTacToe-v0")
    board.set_position(position)
    if board.is_terminal:
        return board.returns()[0]
    total = 0.0
    for action in board.legal_actions:
        board.push(action)
        total += expectation(board.position)
        board.pop()
    return total / len(board.legal_actions)


def test_their_mean_is_that_of_random_play():
    boards, count = after("TicTacToe-v0", 2, 12), 40_000
    found = random_playouts(boards, count, seed=2)
    for position, mean in zip(boards.positions, found.returns[:, 0], strict=True):
        assert abs(mean - expectation(position)) < 5.0 / count**0.5
    np.testing.assert_array_equal(found.returns[:, 1], -found.returns[:, 0])
    assert len(set(found.returns[:, 0])) > 6


def test_neither_threads_nor_groups_of_boards_nor_the_call_decide(monkeypatch):
    boards = after("ConnectFour-v0", 4, 7)
    before, found = boards.rows.copy(), random_playouts(boards, 50, seed=1)
    others = after("ConnectFour-v0", 4, 7, num_threads=2)
    monkeypatch.setattr(module, "MOST_AT_ONCE", 120)
    for again in (random_playouts(boards, 50, seed=1), random_playouts(others, 50, seed=1)):
        assert all(np.array_equal(a, b) for a, b in zip(found, again, strict=True))
    assert not np.array_equal(found.wins, random_playouts(boards, 50, seed=2).wins)
    assert not np.array_equal(random_playouts(boards, 50).returns, random_playouts(boards, 50).returns)
    np.testing.assert_array_equal(boards.rows, before)


def test_boards_that_are_over_pay_what_they_have_paid():
    boards = after("TicTacToe-v0", 8, 30)
    found, outcome = random_playouts(boards, 4, seed=1), results(boards)
    won = outcome != 0
    assert won.any()
    np.testing.assert_array_equal(found.returns[won, 0], outcome[won])
    assert found.wins[won].sum(axis=1).tolist() == [4] * won.sum()
    assert boards.done.any()
    assert not found.plies[boards.done].any()


def results(boards):
    """1 where the first seat has won, -1 where the second has, else 0."""
    return np.array([boards.board(i).returns()[0] if boards.done[i] else 0.0 for i in range(len(boards))])


def test_what_is_refused():
    with pytest.raises(OptionError, match="count=4,194,305: expected at most 4,194,304; another call with another seed"):
        random_playouts(boardgym.BatchBoard("TicTacToe-v0", 2, seed=0), (1 << 22) + 1)
    boards = boardgym.BatchBoard("TicTacToe-v0", 2)
    with pytest.raises(OptionError, match="count=0: expected a whole number of at least 1"):
        random_playouts(boards, 0)
    with pytest.raises(OptionError, match="seed=-1"):
        random_playouts(boards, 1, seed=-1)
    with pytest.raises(OptionError, match="boards: expected a BatchBoard, got Board"):
        random_playouts(boardgym.Board("TicTacToe-v0"), 1)


@pytest.mark.once
def test_in_the_simulator(tmp_path):
    """In a process of its own, as `tests/core/test_cuda_board.py` has it."""
    arguments = (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        str(ROOT / "tests/search/simulated_playouts.py"),
    )
    said = run_python(*arguments, cache=tmp_path, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1").stdout
    assert " passed" in said
    assert "skipped" not in said
