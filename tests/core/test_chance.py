"""Games of chance on a `Board`: dice that roll by themselves, or that are rolled; records, copies, taking back, laws."""

import copy
import pickle
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from boardgym import Board, IllegalActionError, NotationError, RuleError, Setup, get_game
from boardgym.core.verbs import CHANCE
from boardgym.testing import check_game, fingerprint, perft
from boardgym.testing.dice import DICE
from tests.support import run_python


def test_players_see_positions_of_seats_alone():
    board, plies = Board(DICE, seed=1), 0
    while not board.is_terminal:
        assert board.to_play in (0, 1)
        assert board.legal_actions in ([0], [0, 1])
        assert board.position.die in (1, 2, 3)
        assert (board.is_chance, board.outcomes) == (False, [])
        board.push(0)
        plies += 1
        assert board.ply == plies
    assert len(board.actions) == 2 * plies  # with the rolls
    assert board.moves()[1::2] == ["up"] * plies
    assert set(board.moves()[::2]) <= {"1", "2", "3"}
    assert [position.die == 0 for position in board.history] == [True, False] * plies + [True]


def test_rolling_oneself():
    board = Board(DICE, auto_roll=False)
    assert board.to_play == CHANCE
    assert board.is_chance
    assert not board.is_terminal
    assert (board.legal_actions, board.legal_moves, board.ply) == ([], [], 0)
    assert board.outcomes == [(0, 1 / 2), (1, 1 / 3), (2, 1 / 6)]
    assert not board.action_mask().any()
    assert board.observation().tolist() == board.observation(0).tolist()
    assert board.estimate() == 0.0
    with pytest.raises(IllegalActionError, match=r"chance is to act; expected one of the outcomes of 1, 2, 3"):
        board.push(3)
    with pytest.raises(IllegalActionError, match="expected 0 to 1; 1 are legal"):
        Board(DICE, "0 0 0 2").push(2)
    with pytest.raises(NotationError, match="expected one of 1, 2, 3"):
        board.push_move("up")
    ace_is_out = Board("CardPoints-v0", "A A A A . . . . | 0 0 deal", auto_roll=False)
    with pytest.raises(IllegalActionError, match=r"'A' is illegal .* legal: 2 3 4 5 6 7 8 9 10 J Q K$"):
        ace_is_out.push_move("A")
    board.push_move("3")
    assert board.position.die == 3
    assert board.to_play == 0
    assert board.ply == 0
    with pytest.raises(IllegalActionError, match="chance is not to act"):
        board.roll()
    board.push_move("up")
    assert board.fen() == "0 3 1 0"
    assert (board.pop(), board.pop()) == (0, 2)
    assert board.fen() == "0 0 0 0"
    with pytest.raises(IndexError):
        board.pop()
    board.auto_roll = True
    assert not board.is_chance
    assert board.auto_roll


def test_taking_back_takes_back_the_roll_that_followed():
    board = Board(DICE, seed=5)
    first = board.position
    board.play(["up", "up"])
    assert board.pop() == 0
    assert board.ply == 1
    assert board.to_play == 1
    assert board.pop() == 0
    assert board.position == first
    with pytest.raises(IndexError, match="no action to take back"):
        board.pop()
    assert board.position == first


def test_dice_fall_as_they_did_after_an_undo():
    board = Board(DICE, seed=6)
    board.push(0)
    rolled = board.position
    before = board.copy()
    board.pop()
    board.push(0)
    assert board.position == rolled
    assert board.copy() == before
    by_hand = Board(DICE, seed=6, auto_roll=False)
    first = by_hand.roll()
    by_hand.pop()
    assert by_hand.roll() == first
    board = Board(DICE, seed=6)
    with pytest.raises(NotationError):
        board.play(["up", "nonsense"])
    board.push(0)
    assert board.position == rolled


def test_a_refused_roll_leaves_the_dice_alone():
    board, other = Board(DICE, seed=6), Board(DICE, seed=6)
    with pytest.raises(IllegalActionError, match="chance is not to act"):
        board.roll()
    with pytest.raises(IllegalActionError, match="chance is not to act"):
        Board("TicTacToe-v0").roll()
    board.push(0)
    other.push(0)
    assert board.position == other.position


@pytest.mark.once
def test_random_plies_are_of_seats_and_rolls_by_their_odds():
    for auto_roll in (True, False):
        counts = Counter()
        for seed in range(1200):
            board = Board(DICE, setup="random:1", seed=seed, auto_roll=auto_roll)
            counts[board.position.own + board.position.other] += 1  # the first token has gone up by the first roll
            assert board.position.seat == 1
        assert stats.chisquare([counts[1], counts[2], counts[3]], [600, 400, 200]).pvalue > 0.001


ENDLESS = """
import dataclasses
from boardgym import Board, RuleError, rule
from boardgym.testing import LawBroken, check_game
from boardgym.testing.dice import DICE, Dice

class Endless(Dice):
    __slots__ = ()

@rule(Endless)
def apply(position, action):  # a die without sides: it is rolled for ever
    return position

game = dataclasses.replace(DICE, name="Endless", position_class=Endless, start=Endless(0, 0, 0, 0), setups={})
for begin, error in ((lambda: Board(game, seed=1), RuleError), (lambda: check_game(game, games=1), LawBroken)):
    try:
        begin()
    except error as found:
        print(found)
"""


@pytest.mark.once
def test_chance_that_never_ends_is_found(tmp_path):
    """In plain Python, which is quicker than to compile a game for it."""
    refused, broken = run_python("-c", ENDLESS, cache=tmp_path, NUMBA_DISABLE_JIT="1").stdout.splitlines()
    assert "chance has acted 1000 times without a seat's turn" in refused
    assert "chance does not act for ever" in broken


def test_a_seed_is_a_game():
    def play(seed):
        board = Board(DICE, seed=seed)
        while not board.is_terminal:
            board.push(board.legal_actions[-1] if board.ply % 3 == 0 else 0)
        return board.moves()

    assert play(3) == play(3)
    assert len({tuple(play(seed)) for seed in range(20)}) > 15


def test_a_pickled_board_rolls_on():
    board = Board("Backgammon-v0", seed=8)
    board.push(board.legal_actions[0])
    twin = pickle.loads(pickle.dumps(board))
    for _ in range(30):
        assert board == twin
        for each in (board, twin):
            each.push(each.legal_actions[0])


@pytest.mark.parametrize("duplicate", [Board.copy, copy.copy, copy.deepcopy])
def test_copies_roll_alike_until_reseeded(duplicate):
    board = Board(DICE, seed=8)
    twin, other = duplicate(board), duplicate(board)
    for _ in range(2):
        for each in (board, twin):
            each.push(each.legal_actions[0])
    assert board == twin
    rolls = set()
    for seed in range(30):
        once = other.copy()
        once.reseed(seed)
        for _ in range(2):
            once.push(once.legal_actions[0])
        rolls.add(tuple(once.actions))
    assert len(rolls) > 3


@pytest.mark.once
def test_rolls_follow_their_probabilities():
    board = Board(DICE, seed=11)
    counts = Counter()
    for _ in range(6000):
        board.set_position(DICE.start)
        counts[board.position.die] += 1
    by_hand = Board(DICE, seed=12, auto_roll=False)
    for _ in range(6000):
        counts[by_hand.roll() + 1] += 1
        by_hand.set_position(DICE.start)
    expected = [12000 / 2, 12000 / 3, 12000 / 6]
    assert stats.chisquare([counts[1], counts[2], counts[3]], expected).pvalue > 0.001


def test_roll_and_auto_roll_draw_alike():
    auto, hand = Board(DICE, seed=4), Board(DICE, seed=4, auto_roll=False)
    for _ in range(40):
        hand.roll()
        assert hand.position == auto.position
        if auto.is_terminal:
            break
        for board in (auto, hand):
            board.push(0)
        if auto.is_terminal:
            break


def test_rewards_and_views_of_environments_come_after_the_roll():
    board = Board(DICE, "5 0 0 1", seed=1)
    planes, mask, paid = np.zeros((1, 9, 6), np.int8), np.zeros(2, np.int8), np.zeros(2)
    other = board.copy()
    count, seat, has_paid = board.push_and_look(0, planes, mask, paid)
    assert (count, seat, has_paid, paid.tolist()) == (0, 1, True, [2.0, -2.0])
    other.set_position(DICE.from_fen("0 0 0 1"))
    count, seat, has_paid = other.push_and_look(0, planes, mask, paid)
    assert (count, seat, has_paid) == (2, 1, False)
    assert mask.tolist() == [1, 1]
    assert planes[0, 0, 2] == other.position.die > 0


def test_perft_counts_outcomes_as_plies():
    board = Board(DICE, auto_roll=False)
    assert [perft(board, depth) for depth in range(4)] == [1, 3, 3, 9]  # the other token stands on 0 at first
    assert perft(board, 4) == 18


def test_laws_and_fingerprint():
    assert check_game(DICE, games=6) > 30
    assert fingerprint(DICE) == fingerprint(DICE)


def test_set_ups_roll_and_play():
    import dataclasses

    game = dataclasses.replace(DICE, setups={"late": Setup((DICE.from_fen("4 4 0 0"),), (1, 1))})
    board = Board(game, setup="late", seed=2)
    assert board.ply == 0
    assert board.to_play == 1
    assert board.position.die
    assert {Board(game, setup="late", seed=seed).fen() for seed in range(40)} == {
        Board(game, setup="late", seed=seed).fen() for seed in range(40)
    }


def test_a_game_must_say_that_it_has_outcomes():
    import dataclasses

    with pytest.raises(RuleError, match="num_outcomes=0"):
        dataclasses.replace(DICE, num_outcomes=0)
    with pytest.raises(RuleError, match="num_outcomes=2"):
        dataclasses.replace(get_game("TicTacToe-v0"), num_outcomes=2)
