"""Many plies of many games in one call."""

import numpy as np
import pytest

from boardgym.core.batch_board import BatchBoard
from boardgym.core.errors import (
    EngineError,
    IllegalActionError,
    OptionError,
    SpecError,
    UnsupportedGameError,
    UntrustedFileError,
)
from boardgym.core.game import get_game
from boardgym.core.playing import PLIES_AT_ONCE
from boardgym.core.policy import CompiledPolicy
from tests.core.card_opponents import ntuple_agent
from tests.core.playing import play_by_steps
from tests.core.users_policy import Echo, Recall

ATTRIBUTES = ("observation", "mask", "rewards", "done", "to_play", "ply", "rows")


def assert_equal(one, other):
    for name in ATTRIBUTES:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
    np.testing.assert_array_equal(one._rows.rngs, other._rows.rngs)
    for ours, theirs in zip(one.history(range(len(one))), other.history(range(len(other))), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def assert_plays_as_by_steps(game, policy, plies, n=5, **settings):
    """Both twice, for what the first call leaves behind."""
    how = {name: settings.pop(name) for name in ("auto_reset", "deterministic") if name in settings}
    settings.setdefault("setup", "random:0-2")
    one, other = (BatchBoard(game, n, seed=3, **settings) for _ in range(2))
    for count in (plies, 1):
        tally = one.play(policy, count, **how)
        games, rewards = play_by_steps(other, policy, count, **how)
        np.testing.assert_array_equal(tally.games, games)
        np.testing.assert_array_equal(tally.rewards, rewards)
        assert_equal(one, other)
    return tally, one


@pytest.mark.plain
@pytest.mark.parametrize("auto_reset", [True, False])
@pytest.mark.parametrize(
    ("game", "policy", "plies"),
    [
        ("TicTacToe-v0", "epsilon:0.5(greedy)", 40),
        ("Backgammon-v0", "random", 30),
        ("CardPoints-v0", "random", 20),
        ("NineMensMorris-v0", "random", PLIES_AT_ONCE + 40),
    ],
)
def test_it_is_the_loop_that_it_stands_for(game, policy, plies, auto_reset):
    _, boards = assert_plays_as_by_steps(game, policy, plies, auto_reset=auto_reset)
    assert boards.done.all() == (not auto_reset and game in ("TicTacToe-v0", "CardPoints-v0"))


def test_compiled_and_by_threads(monkeypatch):
    monkeypatch.setattr("boardgym.core.threads.Pace.choose", lambda pace, most: most)
    found = [assert_plays_as_by_steps("ConnectFour-v0", "random", 150, n=7, num_threads=threads) for threads in (1, 2)]
    (one, boards), (other, of_two) = found
    assert_equal(boards, of_two)
    np.testing.assert_array_equal(one.rewards, other.rewards)


@pytest.mark.plain
def test_best_actions_and_objects():
    game = get_game("TicTacToe-v0")
    assert_plays_as_by_steps("TicTacToe-v0", ntuple_agent(game), 12)
    assert_plays_as_by_steps("TicTacToe-v0", "epsilon:0.5(greedy)", 12, deterministic=True)
    assert_plays_as_by_steps("TicTacToe-v0", "random", 30, setup="sequences:1")


@pytest.mark.plain
def test_policies_see_the_history():
    game = get_game("NineMensMorris-v0")
    assert_plays_as_by_steps(game, CompiledPolicy(game, Recall(), "recall"), 40)


class Last:
    """A policy in Python: the last legal action, or where it is to play its best the first."""

    spec = "last"

    def __init__(self, game):
        self.game = game

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        return board.legal_actions[0 if deterministic else -1]


@pytest.mark.plain
@pytest.mark.parametrize("auto_reset", [True, False])
def test_searches_and_policies_in_python_play_too(auto_reset):
    assert_plays_as_by_steps("TicTacToe-v0", Last(get_game("TicTacToe-v0")), 12, auto_reset=auto_reset)
    assert_plays_as_by_steps("TicTacToe-v0", Last(get_game("TicTacToe-v0")), 12, auto_reset=auto_reset, deterministic=True)
    assert_plays_as_by_steps("TicTacToe-v0", "uct:3", 7, auto_reset=auto_reset)


@pytest.mark.plain
@pytest.mark.parametrize("policy", ["random", "uct:1"])
def test_it_ends_when_all_games_are_over(policy):
    boards = BatchBoard("TicTacToe-v0", 3, seed=1)
    assert boards.play(policy, 10**15, auto_reset=False).games.tolist() == [1, 1, 1]
    assert boards.done.all()
    assert not boards.rewards.any()


@pytest.mark.plain
def test_games_that_are_over_begin_anew():
    boards = BatchBoard("TicTacToe-v0", 6, seed=1)
    while not boards.done.all():
        boards.step(boards.act("random"))
    assert boards.play("random", 3, auto_reset=False).games.tolist() == [0] * 6
    assert boards.done.all()
    assert boards.play("random", 1).games.tolist() == [0] * 6
    assert boards.ply.tolist() == [0] * 6
    assert not boards.done.any()


@pytest.mark.plain
def test_policies_that_break_the_rules_are_named():
    game = get_game("TicTacToe-v0")
    boards = BatchBoard(game, 3, seed=1)
    boards.play(CompiledPolicy(game, Echo(), "echo"), 2)
    with pytest.raises(IllegalActionError, match=r"board 0: action 101 is illegal in TicTacToe-v0 at .*; 7 actions are legal"):
        boards.play(CompiledPolicy(game, Echo(1), "wrong"), 5)
    assert boards.ply.tolist() == [2, 2, 2]
    boards.play("random", 5)


@pytest.mark.plain
def test_the_first_board_is_named_on_which_it_does():
    """And those behind it are not played on."""
    game = get_game("TicTacToe-v0")
    boards, later = BatchBoard(game, 6, seed=1), BatchBoard(game, 1, seed=1)
    later.play("random", 3)
    boards.put([2, 4], later.take([0, 0]))
    with pytest.raises(IllegalActionError, match=r"board 2: action 99 is illegal in TicTacToe-v0 at .*; 6 actions are legal"):
        boards.play(CompiledPolicy(game, Recall(9), "recall"), 1)
    assert boards.ply.tolist() == [1, 1, 3, 0, 3, 0]


@pytest.mark.plain
def test_files_that_could_execute_code_are_trusted_if_told(tmp_path):
    boards, spec = BatchBoard("TicTacToe-v0", 2, seed=1), f"engine:gtp:{tmp_path / 'no-engine'}"
    with pytest.raises(UntrustedFileError):
        boards.play(spec, 1)
    with pytest.raises(EngineError, match="cannot be started"):
        boards.play(spec, 1, trust=True)


@pytest.mark.plain
def test_bad_arguments():
    boards = BatchBoard("TicTacToe-v0", 3, seed=1)
    before = boards.rows.copy()
    for plies in (0, -1, 1.5, True, "3"):
        with pytest.raises(OptionError, match=r"plies=.*: expected a whole number of at least 1"):
            boards.play("random", plies)
    with pytest.raises(SpecError, match="rendom"):
        boards.play("rendom", 1)
    for policy in ("mix(random, greedy)", "uct:0.1s"):
        with pytest.raises(UnsupportedGameError):
            boards.play(policy, 1)
    np.testing.assert_array_equal(boards.rows, before)


@pytest.mark.plain
def test_a_set_up_that_ends_every_game(monkeypatch):
    boards = BatchBoard("TicTacToe-v0", 3, seed=1)
    boards._plies = (9, 9)
    monkeypatch.setattr("boardgym.core.rows.MAX_DRAWS", 2)
    with pytest.raises(OptionError, match="draws ended every game before play began"):
        boards.play("random", 10)
