"""`Board`: pushing, taking back, copies, set-ups, and what it refuses."""

import copy
import dataclasses
import enum
import pickle
import random

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, NotationError, OptionError, UnknownGameError, get_game
from boardgym.core.random import stream
from boardgym.games.connect_four import connect_four

NO_ACTIONS = [
    -1, 7, 10**30, -(10**30), 2**63, 2**64, True, False, np.True_, 3.0, 0.5, float("nan"), np.float64(3), None, "3", b"3",
    [3], (3,), {3}, np.array([3]), np.array(3.0), 3j, ..., np.int64(7), np.int64(-1),
]  # fmt: skip


class Column(enum.IntEnum):
    MIDDLE = 3


def state_of(board):
    return board.fen(), board.legal_actions, list(board.actions), board.ply, board.key, board.returns(), board.reason


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_legal_action_changes_nothing(action):
    board = Board("ConnectFour-v0")
    board.play("4445")
    before = state_of(board)
    with pytest.raises(IllegalActionError) as caught:
        board.push(action)
    assert "expected" in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert state_of(board) == before


@pytest.mark.parametrize("action", [3, np.int8(3), np.uint64(3), np.int64(3), np.array(3), np.intp(3), Column.MIDDLE], ids=repr)
def test_whole_numbers_of_any_kind_are_actions(action):
    board = Board("ConnectFour-v0")
    board.push(action)
    assert board.actions == [3]
    assert type(board.actions[0]) is int
    assert board.moves() == ["4"]


def test_nothing_is_legal_after_the_end():
    board = Board("ConnectFour-v0")
    board.play("1212121")
    before = state_of(board)
    for action in range(-1, 8):
        with pytest.raises(IllegalActionError, match="the game is over"):
            board.push(action)
    with pytest.raises(IllegalActionError, match="none, the game is over"):
        board.push_move("4")
    assert state_of(board) == before
    assert board.outcome().winner == 0


@pytest.mark.parametrize("game_id", ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"])
def test_taking_back_restores_every_position(game_id):
    rng = random.Random(game_id)
    for _ in range(20):
        board, states = Board(game_id), []
        while not board.is_terminal:
            states.append(state_of(board))
            board.push(rng.choice(board.legal_actions))
        assert len(board.history) == board.ply + 1 == len(states) + 1
        played = list(board.actions)
        for before in reversed(states):
            assert board.pop() == played.pop()
            assert state_of(board) == before
        with pytest.raises(IndexError):
            board.pop()
        assert state_of(board) == states[0]


@pytest.mark.parametrize("duplicate", [Board.copy, copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
@pytest.mark.parametrize("options", [{}, {"width": 5, "height": 4}], ids=str)
def test_copies_are_equal_and_independent(duplicate, options):
    board = Board("ConnectFour-v0", **options)
    board.play("4453")
    twin = duplicate(board)
    assert twin == board
    assert state_of(twin) == state_of(board)
    assert twin.game is board.game
    twin.push_move("1")
    assert board.moves() == ["4", "4", "5", "3"]
    assert twin != board
    board.pop()
    board.push_move("2")
    assert twin.moves() == ["4", "4", "5", "3", "1"]
    for _ in range(100):  # both records can grow and shrink on their own
        board.pop()
        board.push_move("2")
    assert twin.history[4] != board.history[4]


def test_a_copy_of_an_unregistered_game_and_of_a_subclass():
    from tests.core.shuttle import SHUTTLE

    class Noted(Board):
        __slots__ = ("note",)

    board = Noted(SHUTTLE)
    board.push_move("down")
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert type(twin) is Noted
        assert twin == board
    assert repr(board) == "Board('Shuttle-v0', '1 0 1 1')"


def test_boards_do_not_hash_and_compare_with_boards_only():
    board = Board("TicTacToe-v0")
    with pytest.raises(TypeError):
        hash(board)
    assert board != "3/3/3 x"
    assert board == Board("TicTacToe-v0")
    assert Board("ConnectFour-v0") != Board(connect_four(5, 4))


def test_several_moves_are_played_all_or_none():
    board = Board("ConnectFour-v0")
    board.push_move("4")
    before = state_of(board)
    for moves, error in ((["1", "9"], NotationError), (["4", "4", "4", "4", "4", "4"], IllegalActionError), ("12121213", None)):
        if error:
            with pytest.raises(error):
                board.play(moves)
            assert state_of(board) == before
    board.play([])
    assert state_of(board) == before


@pytest.mark.parametrize("seat", [-1, 2, 10**30, True, 0.0, "0", [0]], ids=repr)
def test_seats_that_are_not_at_the_board(seat):
    board = Board("TicTacToe-v0")
    for ask in (board.observation, board.look, board.estimate):
        with pytest.raises(OptionError, match="expected 0 to 1"):
            ask(seat)


def test_looking():
    board = Board("TicTacToe-v0")
    board.play(["b2", "a3"])
    observation, mask = board.look(0)
    assert (observation == board.observation()).all()
    assert (mask == board.action_mask()).all()
    assert mask.dtype == np.int8
    assert observation.dtype == board.game.observation_dtype
    assert observation.shape == (3, 3, 4)
    assert not board.look(1)[1].any()
    assert not np.shares_memory(board.look(0)[0], board.look(0)[0])
    assert (board.observation(np.int64(1)) == board.observation(1)).all()
    row = board.row
    row[:] = 0
    assert board.moves() == ["b2", "a3"]
    assert board.key == board.copy().key


@pytest.mark.parametrize("setup", ["random:4", "random:0-8", "random:5-8"])
def test_random_set_ups(setup):
    low, high = (int(n) for n in (setup.split(":")[1] + "-4").split("-")[:2])
    seen = set()
    for seed in range(150):
        board = Board("TicTacToe-v0", setup=setup, seed=seed)
        assert board == Board("TicTacToe-v0", setup=setup, seed=seed)
        assert not board.is_terminal
        assert (board.ply, board.actions, board.history) == (0, [], [board.position])
        plies = 9 - board.fen().split()[0].count(".") - sum(int(c) for c in board.fen().split()[0] if c.isdigit())
        assert low <= plies <= high
        seen.add(plies)
    assert seen == set(range(low, high + 1))


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ("random:9", "1000 draws ended every game"),
        ("random:10", "expected 0 <= a <= b <= 9"),
        ("random:3-1", "expected 0 <= a <= b <= 9"),
        ("random:" + "9" * 5000, "has no set-up"),
        ("random:-1", "has no set-up"),
        ("random:a-b", "has no set-up"),
        ("random:٣", "has no set-up"),
        ("standart", "did you mean 'standard'"),
        ("", None),
        (5, "expected the name of a set-up"),
        (["standard"], "expected the name of a set-up"),
    ],
)
def test_set_ups_refused(setup, message):
    if message is None:
        with pytest.raises(OptionError):
            get_game("TicTacToe-v0").setup(setup)
        return
    with pytest.raises(OptionError, match=message):
        Board("TicTacToe-v0", setup=setup, seed=1)


def test_a_reset_that_fails_changes_nothing():
    board = Board("TicTacToe-v0")
    board.play(["b2", "a3"])
    before = state_of(board)
    for setup in ("random:9", "nothing"):
        with pytest.raises(OptionError):
            board.reset(setup, rng=stream(1))
        assert state_of(board) == before
    board.reset("random:3", rng=stream(1))
    assert board.ply == 0
    assert board.fen() != before[0]


def test_starting_twice_over_is_refused():
    with pytest.raises(OptionError, match="fen or setup, not both"):
        Board("TicTacToe-v0", "3/3/3 x", setup="standard")
    with pytest.raises(UnknownGameError):
        Board("Chess-v0")
    for stranger in (None, (0, 0), "3/3/3 x", Board("Othello-v0").position):
        board = Board("TicTacToe-v0")
        with pytest.raises(NotationError, match="expected a TicTacToe"):
            board.set_position(stranger)
        assert board.fen() == "3/3/3 x"


def test_representation_says_what_makes_it_again():
    for game_id, options, text in (
        ("Othello-v0", {"size": 4}, ", size=4"),
        ("ConnectFour-v0", {"width": 5, "height": 4}, ", width=5, height=4"),
        ("ConnectFour-v0", {"width": 7}, ""),
        ("TicTacToe-v0", {}, ""),
    ):
        board = Board(game_id, **options)
        assert repr(board) == f"Board({game_id!r}, {board.fen()!r}{text})"


def test_a_turn_is_pushed_whole_or_not_at_all():
    game = dataclasses.replace(get_game("TicTacToe-v0"), parse_turn=lambda position, text: tuple(map(int, text.split("-"))))
    board = Board(game)
    assert board.push_turn("4-0") == (4, 0)
    with pytest.raises(IllegalActionError, match="action 4"):
        board.push_turn("8-4")
    assert board.actions == [4, 0]
    board.play(["8", "1-2"])
    assert board.actions == [4, 0, 8, 1, 2]
    morris = Board("NineMensMorris-v0")
    morris.play(["d7", "a1", "a7", "b2", "g7xb2"])
    assert morris.moves() == ["d7", "a1", "a7", "b2", "g7", "xb2"]
