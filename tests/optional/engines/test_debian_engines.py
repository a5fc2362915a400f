"""Engines of others, from Debian's packages: `make test-engines`, after `apt-get install grhino gnubg`."""

import os

import pytest

from boardgym import Board, UnsupportedGameError
from boardgym.baselines.arena.match import play_match
from boardgym.core.policy_spec import make_policy

RHINO, GNUBG = "engine:gtp:/usr/games/gtp-rhino", "engine:gnubg:/usr/games/gnubg -t -q"


def test_rhino_plays_othello_by_our_rules():
    """Whole games with passes, both colours: every move told is accepted, every answer legal."""
    match = play_match(RHINO, "minimax:1", "Othello", games=4, seed=1, openings="start", trust=True, progress=False)
    assert [game.record.message for game in match.games] == [""] * 4
    assert sum(game.score for game in match.games) >= 3.0  # it is far stronger than one ply


def test_rhino_begins_at_the_start_only():
    board = Board("Othello")
    board.play(["f5", "d6"])
    policy = make_policy(RHINO, board.game, trust=True)
    assert policy.act(board) in board.legal_actions
    board.pop()
    board.pop()
    board.play(["d3"])
    assert policy.act(board) in board.legal_actions
    with pytest.raises(UnsupportedGameError, match="standard start only"):
        policy.act(Board("Othello", board.fen()))


def test_gnubg_plays_known_opening_moves():
    """The opening rolls on which all books agree."""
    for roll, play in (("3-1", "8/5 6/5"), ("4-2", "8/4 6/4"), ("6-1", "13/7 8/7"), ("5-3", "8/3 6/3")):
        board = Board("Backgammon", auto_roll=False)
        board.push_move(roll)
        policy = make_policy(GNUBG, board.game, trust=True)
        expected = board.copy()
        expected.push_turn(play)
        seat = board.to_play
        while board.to_play == seat and not board.is_chance:
            board.push(policy.act(board))
        assert board.position == expected.position, (roll, board.moves())


def test_gnubg_goes_on_with_a_turn_that_another_has_begun():
    board = Board("Backgammon", auto_roll=False)
    board.play(["3-1", "24/23"])
    policy = make_policy(GNUBG, board.game, trust=True)
    board.push(policy.act(board))
    assert board.is_chance
    assert board.moves()[1] == "24/23"


def test_gnubg_plays_a_turn_whose_roll_is_not_known():
    """One die of two is left: whichever way, the move leads where its own evaluation is best. A man is borne off at once."""
    board = Board("Backgammon", "-b----E-C---eE---c-e----B- x 1", auto_roll=False)
    policy = make_policy(GNUBG, board.game, trust=True)
    assert policy.act(board) in board.legal_actions
    last = Board("Backgammon", "-A----A-----------------a- x 6", auto_roll=False)
    assert last.move_text(policy.act(last)) == "6/off"


def test_gnubg_beats_greedy_and_leaves_no_process():
    policy = make_policy(GNUBG, "Backgammon", trust=True)
    match = play_match(policy, "greedy", "Backgammon", games=20, seed=2, progress=False)
    assert [game.record.message for game in match.games] == [""] * 20
    assert sum(game.score for game in match.games) >= 13.0
    pid = policy.process.process.pid
    policy.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(UnsupportedGameError, match="does not play Othello"):
        make_policy(GNUBG, "Othello", trust=True)
