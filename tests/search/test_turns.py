"""Expectiminimax that counts turns: whole turns against enumeration in plain Python, and bear-offs against the exact table."""

import random
from typing import NamedTuple

import numpy as np
import pytest
from search_games import TWICE, Twice, analyse, as_written, board_at, played

from boardgym.baselines.perfect.bearoff import BearoffSolver, build_two_sided
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import rule
from boardgym.testing.by_definition import expectiminimax as by_definition
from boardgym.testing.dice import DICE, Dice
from boardgym.testing.trees import small_game

BACKGAMMON = get_game("Backgammon-v0")
DOUBLES = "-b----E-C---eE---c-e----B- x 1111"  # the start: four men by one point each, in any order


def few_men(dice: str, seed: int) -> Board:
    """Two men a side, all others borne off, on points where they may hit one another."""
    points, letters = random.Random(seed).sample(range(4, 16), 4), ["-"] * 26
    for point, letter in zip(points, "AAaa", strict=True):
        letters[point] = letter
    return Board(BACKGAMMON, f"{''.join(letters)} x {dice}", auto_roll=False)


def values_of(board: Board, turns: int) -> dict[int, float]:
    """What each action is worth, by enumeration of all dice, and of all plies in all orders."""
    seat, found = board.to_play, {}
    for action in board.legal_actions:
        board.push(action)
        left = turns if board.to_play == seat else turns - 1
        found[action] = by_definition(board, seat, left, [0, 0, 0], counts_turns=True)
        board.pop()
    return found


@pytest.mark.parametrize("dice", ["61", "32", "2222", "555", "11", "4"])  # of the last three, some are played already
def test_a_depth_is_whole_turns(dice):
    for seed in (1, 2, 3):
        board = few_men(dice, seed)
        for turns in (1, 2):
            exact = values_of(board, turns)
            for star in (0, 1, 2):
                found = analyse(f"expectiminimax:{turns},star={star}", board)
                assert found.action_values == pytest.approx(exact, abs=1e-9)
                assert found.value == pytest.approx(max(exact.values()), abs=1e-9)
                if len(exact) > 1:  # else nothing is searched for
                    assert played(f"expectiminimax:{turns},star={star}", board)[1] == pytest.approx(found.value, abs=1e-9)


def test_the_value_stays_the_same_within_a_turn():
    """What is planned for the whole turn is played, man by man: no ply of it comes as a surprise."""
    board = Board(BACKGAMMON, DOUBLES, auto_roll=False)
    policy, values = make_policy("expectiminimax:2", BACKGAMMON, seed=0), []
    while not board.is_chance:
        found = policy.analyse(board)
        values.append(found.value)
        board.push(found.action)
    assert len(values) == 4
    assert values == pytest.approx(values[:1] * 4, abs=1e-9)
    in_plies = as_written(make_policy("expectiminimax:2,depth=plies", BACKGAMMON, seed=0))
    assert in_plies.analyse(Board(BACKGAMMON, DOUBLES, auto_roll=False)).value != pytest.approx(values[0], abs=1e-9)


def distinct(board: Board, seat: int, found: set) -> set:
    """The positions of the rest of a turn of `seat`, this one among them."""
    found.add(board.position)
    if board.to_play == seat and not board.is_terminal:
        for action in board.legal_actions:
            board.push(action)
            distinct(board, seat, found)
            board.pop()
    return found


def test_orders_of_the_same_plies_are_searched_once():
    board, looked_at, kept = Board(BACKGAMMON, DOUBLES, auto_roll=False), [0, 0, 0], 0
    by_definition(board, seat := board.to_play, 1, looked_at, counts_turns=True)
    for action in board.legal_actions:
        board.push(action)
        kept += len(distinct(board, seat, set()))
        board.pop()
    assert played("expectiminimax:1", board)[2] == kept < looked_at[0] / 2


@pytest.mark.parametrize("start", [(12, 0), (11, 1), (9, 2), (10, 3), (5, 1)])
def test_turns_without_dice(start):
    """Two plies a turn; the search may begin in its middle."""
    board = board_at(TWICE, Twice(*start))
    for turns in (1, 2, 3):
        found = as_written(make_policy(f"expectiminimax:{turns}", TWICE, seed=0)).analyse(board)
        assert found.action_values == pytest.approx(values_of(board, found.depth), abs=1e-12)
        assert found.depth == turns or found.is_proven


def test_games_of_one_ply_a_turn_are_searched_as_in_plies():
    for start in ((0, 0, 0, 1), (3, 4, 0, 1), (2, 4, 1, 2)):
        board = board_at(DICE, Dice(*start))
        for depth in (1, 2, 3):
            turns, plies = (
                as_written(make_policy(f"expectiminimax:{depth},depth={what}", DICE, seed=0)).analyse(board)
                for what in ("turns", "plies")
            )
            assert turns.action_values == plies.action_values
            assert turns.principal_variation == plies.principal_variation
            assert turns.nodes <= plies.nodes


MEN = [((6,), (6,)), ((4,), (2,)), ((5, 2), (3,)), ((3, 2), (4, 1)), ((1, 1), (6,)), ((4, 3), (1,))]  # points of both sides


@pytest.mark.parametrize("dice", ["21", "31", "1111"])
def test_bear_offs_are_those_of_the_exact_table(dice, tmp_path):
    build_two_sided(2, tmp_path)
    solver, go = BearoffSolver(BACKGAMMON, tmp_path), np.zeros(1, np.int64)
    assert solver.load(2)
    for own, other in MEN:
        letters = ["-"] * 26
        for point in set(own):
            letters[point] = chr(ord("A") - 1 + own.count(point))
        for point in set(other):
            letters[25 - point] = chr(ord("a") - 1 + other.count(point))
        board = Board(BACKGAMMON, f"{''.join(letters)} x {dice}", auto_roll=False)
        found, exact = analyse("expectiminimax:9", board), solver.solve(board, go)
        assert found.depth < 9  # it has seen every end, and nothing is left to estimate
        assert found.value == pytest.approx(exact.value, abs=1e-12)
        assert exact.action_values[found.action] == pytest.approx(exact.value, abs=1e-12)


def test_depth_is_turns_or_plies():
    with pytest.raises(SpecError, match="no depth 'ply'"):
        make_policy("expectiminimax:2,depth=ply", BACKGAMMON)


class Wait(NamedTuple):
    """A turn of three plies, in one of which a man may be taken. Seat 0 wins if one ply has passed since then."""

    CLOCKS = ("clock",)  # type: ignore[misc]

    men: int
    ply: int
    clock: int


@rule(Wait)
def to_play(position):
    return position.ply // 3


@rule(Wait)
def legal_actions(position, out):
    count = 0 if position.ply >= 3 else 2 - position.men
    for i in range(count):
        out[i] = i  # wait, take
    return count


@rule(Wait)
def apply(position, action):
    return position.men + action, position.ply + 1, 0 if action else position.clock + 1


@rule(Wait)
def is_terminal(position):
    return position.ply >= 3


@rule(Wait)
def returns(position, seat):
    return 1.0 if (position.clock == 1) == (seat == 0) else -1.0


@rule(Wait)
def observe(position, seat, out):
    out[0, 0, 0] = position.clock


@rule(Wait)
def decode(planes):
    return 0, 0, planes[0, 0, 0]


WAIT = small_game("TestWait", Wait, Wait(0, 0, 0), most=1.0)


@pytest.mark.plain(boards=True)
def test_positions_that_differ_by_a_clock_are_not_one():
    """To take and wait twice, and to wait and take and wait, lead to positions with equal keys, of which one wins."""
    board = board_at(WAIT, Wait(0, 0, 0))
    for turns in (1, 2):
        found = as_written(make_policy(f"expectiminimax:{turns}", WAIT, seed=0)).analyse(board)
        assert found.action_values == values_of(board, turns) == {0: 1.0, 1: -1.0}
