"""Openings: distinct, held out, over never, the same for everyone."""

import dataclasses

import gymnasium
import numpy as np
import pytest

import boardgym.games  # noqa: F401  (registers the games)
from boardgym.baselines.arena.match import play_match
from boardgym.baselines.arena.openings import class_key, is_held_out, make_openings, random_plies
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, NotationError, OptionError
from boardgym.core.game import Setup, get_game

GAMES = ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"]


@pytest.mark.parametrize("game", GAMES)
def test_sets_are_distinct_disjoint_and_alive(game):
    held, train = (make_openings(game, name, count=60, seed=4) for name in ("heldout", "train"))
    for boards in (held, train):
        assert len(boards) > 10
        assert len({board.key for board in boards}) == len(boards)
        assert all(board.ply == 0 and not board.is_terminal for board in boards)
    assert all(is_held_out(board) for board in held)
    assert not any(is_held_out(board) for board in train)
    classes = [{class_key(b.game.token, b.row) for b in boards} for boards in (held, train)]
    assert not classes[0] & classes[1]


@pytest.mark.parametrize("game", GAMES)
def test_held_out_is_the_same_for_all_images(game):
    for board in make_openings(game, "heldout", count=8):
        for k in range(verbs.num_symmetries(board.position)):
            image = Board(game)
            image.set_position(verbs.transform(board.position, k))
            assert is_held_out(image)


def test_a_quarter_is_held_out():
    boards = [Board("Othello-v0", setup="random:6", seed=seed) for seed in range(1500)]
    assert 0.20 < np.mean([is_held_out(board) for board in boards]) < 0.30


@pytest.mark.parametrize("name", ["heldout", "train"])
def test_seed_and_prefix(name):
    first = make_openings("ConnectFour-v0", name, count=30, seed=1)
    assert make_openings("ConnectFour-v0", name, count=30, seed=1) == first
    assert make_openings("ConnectFour-v0", name, count=12, seed=1) == first[:12]
    assert make_openings("ConnectFour-v0", name, count=30, seed=2) != first


def test_number_of_random_plies():
    assert [random_plies(get_game(game)) for game in GAMES] == [(1, 2), (2, 6), (2, 6)]
    discs = {sum(mark in "xo" for mark in b.fen().split()[0]) for b in make_openings("ConnectFour-v0", count=100)}
    assert discs == {2, 3, 4, 5, 6}


def test_start_and_lists():
    assert [b.fen() for b in make_openings("Othello-v0", "start", count=9)] == [Board("Othello-v0").fen()]
    fen = "7/7/7/7/3o3/3x3 x"
    boards = make_openings("ConnectFour-v0", [fen, ["1", "2", "1"]], count=9)
    assert [board.fen() for board in boards] == [fen, "7/7/7/7/x6/xo5 o"]
    assert all(board.ply == 0 for board in boards)


def test_rule_options_hold():
    boards = make_openings(get_game("Othello-v0", size=6), count=5)
    assert all(board.game.options["size"] == 6 for board in boards)


def test_positions_that_are_over_are_left_out():
    over, going = ["1", "2", "1", "2", "1", "2", "1"], ["1", "2"]
    assert len(make_openings("ConnectFour-v0", [over, going], count=9)) == 1
    with pytest.raises(OptionError, match="no such position that is not over"):
        make_openings("ConnectFour-v0", [over], count=9)


def test_bad_input():
    with pytest.raises(OptionError, match="did you mean 'heldout'"):
        make_openings("ConnectFour-v0", "helout", count=2)
    with pytest.raises(OptionError, match="seed=-1"):
        make_openings("ConnectFour-v0", count=2, seed=-1)
    with pytest.raises(OptionError, match="count=0"):
        make_openings("ConnectFour-v0", count=0)
    with pytest.raises(NotationError):
        make_openings("ConnectFour-v0", ["nonsense"], count=2)
    with pytest.raises(IllegalActionError):
        make_openings("Othello-v0", [["a1"]], count=2)


def test_every_sequence_of_four_plies():
    """The counts of the Othello thesis and its successors: 244 sequences, which lead to 236 boards; in order, none left out."""
    boards = make_openings("Othello-v0", "openings-244", count=1000)
    assert boards == make_openings("Othello-v0", "sequences:4", count=1000, seed=5)
    assert (len(boards), len({board.key for board in boards})) == (244, 236)
    assert [len(make_openings("Othello-v0", f"sequences:{plies}", count=1000)) for plies in (1, 2, 3)] == [4, 12, 56]
    assert {board.fen()[-1] for board in boards} == {"X"}
    played, walk = [], Board("Othello-v0")

    def visit(left):
        if left == 0:
            played.append(walk.fen())
            return
        for action in walk.legal_actions:
            walk.push(action)
            visit(left - 1)
            walk.pop()

    visit(4)
    assert [board.fen() for board in boards] == played


def test_fewer_are_spread_over_a_set_up():
    all_of_them = [board.fen() for board in make_openings("Othello-v0", "openings-244", count=244)]
    some = [board.fen() for board in make_openings("Othello-v0", "openings-244", count=4)]
    assert some == all_of_them[::61]
    assert [len(make_openings("TicTacToe-v0", "sequences:2", count=n)) for n in (1, 71, 72, 73)] == [1, 71, 72, 72]


def test_set_ups_as_openings():
    daisy = make_openings("Abalone-v0", "belgian_daisy", count=5)
    assert [board.fen() for board in daisy] == [Board("Abalone-v0", setup="belgian_daisy").fen()]
    assert make_openings("Othello-v0", "standard", count=5) == make_openings("Othello-v0", "start", count=5)


@pytest.mark.parametrize(
    ("game", "name", "message"),
    [
        ("Backgammon-v0", "sequences:2", "leaves plies to chance"),
        ("TicTacToe-v0", "sequences:7", "more than 20000 such sequences"),
        ("TicTacToe-v0", "sequences:10", "expected 0 <= n <= 9 plies"),
        ("Othello-v0", "random:2-4", "draws random plies; try openings='heldout'"),
        ("TicTacToe-v0", "random:2", "draws random plies; try openings='heldout'"),
        ("Othello-v0", "sequences:", "no set-up 'sequences:'"),
        ("Othello-v0", "opening-244", "did you mean 'openings-244'"),
    ],
)
def test_set_ups_refused(game, name, message):
    with pytest.raises(OptionError, match=message):
        make_openings(game, name, count=2)


@pytest.mark.parametrize(("game", "has_sequences"), [("TicTacToe-v0", True), ("Backgammon-v0", False)])
def test_sequences_are_offered_where_nothing_is_left_to_chance(game, has_sequences):
    for refuse in (lambda: make_openings(game, "nowhere", count=2), lambda: get_game(game).setup("nowhere")):
        with pytest.raises(OptionError) as caught:
            refuse()
        assert ("sequences:n" in str(caught.value)) == has_sequences


def test_more_sequences_than_plies_are_refused_at_once():
    narrow = get_game("ConnectFour-v0", width=2, height=4)
    with pytest.raises(OptionError, match="expected 0 <= n <= 8 plies"):
        narrow.setup("sequences:999999999")
    endless = dataclasses.replace(narrow, max_plies=10**9)  # as of a game whose bound is far from what is played
    with pytest.raises(OptionError, match="every game of ConnectFour-v0 is over"):
        endless.setup("sequences:999999999")


def test_sequences_after_which_the_game_is_over():
    game = get_game("Othello-v0", size=4)
    with pytest.raises(OptionError, match="no set-up 'openings-244'"):
        game.setup("openings-244")
    assert "openings-244" not in game.setups
    assert all(not board.is_terminal for board in make_openings(game, "sequences:7", count=50))
    last = Board("TicTacToe-v0", "xox/xoo/1xo x").position  # one square is left
    late = dataclasses.replace(get_game("TicTacToe-v0"), setups={"late": Setup((last,), sequence_plies=1)})
    assert not late.setups["late"].is_fixed  # one position, but not the one where games begin
    with pytest.raises(OptionError, match="every game of TicTacToe-v0 is over"):
        late.setup("late")


def test_a_match_plays_each_opening_in_both_colours():
    match = play_match("random", "random", "Othello-v0", games=488, openings="openings-244", max_plies=1, progress=False)
    assert [(game.opening, game.seat) for game in match.games] == [(k, seat) for k in range(244) for seat in (0, 1)]
    assert match.openings == "openings-244"


def test_in_boards_and_environments():
    """One of the positions is drawn for each game."""
    starts = {board.fen() for board in make_openings("Othello-v0", "openings-244", count=244)}
    for setup in ("openings-244", "sequences:4"):
        drawn = {Board("Othello-v0", setup=setup, seed=seed).fen() for seed in range(40)}
        assert len(drawn) > 25
        assert drawn <= starts
    env = gymnasium.make("boardgym/Othello-v0", opponent="random", setup="openings-244")
    env.reset(seed=1)
    assert env.unwrapped.board.fen() in starts
