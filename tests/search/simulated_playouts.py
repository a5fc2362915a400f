"""Playouts on a card against those on the CPU: tests for a process with NUMBA_ENABLE_CUDASIM=1.

`test_random_playouts` begins it.
"""

import numpy as np
import pytest

import boardgym
from boardgym.baselines import random_playouts
from boardgym.core.engine import BY_REPETITION
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import rule
from tests.core.shuttle import SHUTTLE, Shuttle
from tests.core.simulated_card import pair, quick_switches  # noqa: F401  a fixture
from tests.search.search_games import TWICE, Twice, small_game
from tests.search.slow_leaf_search import assert_written_once_more


def assert_equal_playouts(cpu, card, count):
    """Playouts of both are the same, bit for bit, and differ from each other."""
    ours, theirs = random_playouts(cpu, count, seed=3), random_playouts(card, count, seed=3)
    for name, one, other in zip(ours._fields, ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other, name)
    assert len(set(ours.plies)) > 1 or ours.returns.std() > 0


@pytest.mark.parametrize(
    ("name", "n", "plies", "count", "settings"),
    [
        ("TicTacToe-v0", 9, 4, 5, {}),
        ("ConnectFour-v0", 3, 20, 3, {}),
        ("Backgammon-v0", 2, 60, 1, {}),
        ("CardPoints-v0", 3, 2, 2, {}),
    ],
    ids=str,
)
def test_playouts_are_those_of_the_cpu(name, n, plies, count, settings):
    cpu, card = pair(name, n, **settings)
    for _ in range(plies):
        cpu.step(cpu.act("random"))
    card.put(range(n), cpu)
    assert_equal_playouts(cpu, card, count)


def test_a_board_that_a_repetition_has_ended_pays_a_draw():
    cpu, card = pair("NineMensMorris-v0", 12, draw="first_repetition")
    for _ in range(60):
        cpu.step(cpu.act("random"))
    is_repeated = cpu._rows.endings == BY_REPETITION
    chosen = [*np.flatnonzero(is_repeated)[:3], *np.flatnonzero(~cpu.done)[:1]]
    assert len(chosen) == 4
    card.put(range(12), cpu)
    cpu, card = cpu.take(chosen), card.take(chosen)
    assert_equal_playouts(cpu, card, 2)
    found = random_playouts(card, 2, seed=3)
    assert not found.returns[:3].any()
    assert found.plies.astype(bool).tolist() == [False, False, False, True]


def assert_equal_searches(spec, boards):
    """What a search plays with its playouts on a card is what it plays with them on the CPU, and its tree is the same."""
    first = boards.board(int(np.flatnonzero(~boards.done)[0]))
    ours, theirs = (make_policy(f"{spec},device={device}", boards.game, seed=4) for device in ("cpu", "cuda"))
    assert theirs.device == "cuda"
    one, other = ours.analyse(first), theirs.analyse(first)
    assert (one.action_values, one.visit_counts) == (other.action_values, other.visit_counts)
    copied = boards.copy()
    np.testing.assert_array_equal(boards.act(ours), copied.act(theirs))
    np.testing.assert_array_equal(boards._rows.rngs, copied._rows.rngs)


@pytest.mark.parametrize(
    ("name", "plies", "spec"),
    [
        ("TicTacToe-v0", 2, "uct:12,leaf_playouts=3"),
        ("CardPoints-v0", 2, "uct:8,leaf_playouts=2"),
        ("Backgammon-v0", 40, "uct:3,leaf_playouts=1"),
    ],
)
def test_searches_are_those_of_the_cpu(name, plies, spec):
    boards = boardgym.BatchBoard(name, 2, seed=1)
    for _ in range(plies):
        boards.step(boards.act("random"))
    assert_equal_searches(spec, boards)


class Three(Twice):
    """Of three seats, each of which takes once; who takes the last wins alone."""


@rule(Three)
def to_play(position):
    return position.ply % 3


@rule(Three)
def returns(position, seat):
    return 1.0 if seat == (position.ply - 1) % 3 else -1.0


def test_three_seats_each_get_their_own():
    game = small_game("TestThree", Three, Three(9, 0), num_seats=3)
    for games in (1, 3):
        assert_written_once_more(game, boardgym.Board(game), games, 60, games)


def test_payments_above_1_are_scaled():
    for games in (1, 4):
        assert_written_once_more(TWICE, boardgym.Board(TWICE), games, 60, games)


def test_what_was_before_counts_for_repetition():
    """The seat to play loses but for the third occurrence of the position below its first action."""
    board = boardgym.Board(SHUTTLE)
    board.set_position(Shuttle(2, 0, 0, 0))
    for action in (0, 1, 1, 0, 0, 1, 1):
        board.push(action)
    policy = make_policy("uct:40,leaf_playouts=2", SHUTTLE, seed=1)
    found = policy.analyse(board)
    assert (found.is_proven, found.value, found.action) == (True, 0.0, 0)
    assert policy.act(board) == 0
    other = boardgym.Board(SHUTTLE)
    other.set_position(board.position)
    found = policy.analyse(other)
    assert (found.is_proven, found.value) == (True, -1.0)


@pytest.mark.parametrize(
    ("spec", "children", "least"),
    [
        ("uct:30,leaf_playouts=2", 9, 2),
        ("uct:30,leaf_playouts=2,least_visits=3", 9, 6),
        ("uct:30,leaf_playouts=2,symmetry=1", 3, 2),
        ("uct:30,leaf_playouts=2,urgency=1", 9, 0),
        ("uct:30,leaf_playouts=2,neural_mcts=1", 9, 0),
        ("puct:30,leaf=playout,leaf_playouts=2", 9, 0),
    ],
)
def test_settings_of_the_tree_go_with_it(spec, children, least):
    found = make_policy(spec, "TicTacToe-v0", seed=1).analyse(boardgym.Board("TicTacToe-v0"))
    assert sum(found.visit_counts.values()) == 60
    assert len(found.visit_counts) == children
    assert min(found.visit_counts.values()) >= least
    assert all(count % 2 == 0 for count in found.visit_counts.values())
