"""Backgammon: whole plays and turns as text."""

import random

import pytest

from boardgym import IllegalActionError, NotationError
from boardgym.games.backgammon import parse_play
from tests.games.backgammon_twin import results
from tests.games.test_backgammon_notation import CONTACT, GAME, START, board_of, random_boards


@pytest.mark.parametrize(
    ("fen", "text", "moves"),
    [
        (f"{START} x 31", "8/5 6/5", ["8/5", "6/5"]),
        (f"{START} o 31", "6/5 8/5", ["6/5", "8/5"]),
        (f"{START} x 65", "24/13", ["24/18", "18/13"]),
        (f"{START} x 65", "24/18/13", ["24/18", "18/13"]),
        (f"{START} x 4444", "24/20(2) 13/9(2)", ["13/9", "13/9", "24/20", "24/20"]),
        (f"{START} x 4444", "24/16 13/9(2)", ["13/9", "13/9", "24/20", "20/16"]),
        (f"{START} x 2222", "24/16", ["24/22", "22/20", "20/18", "18/16"]),
        (f"{CONTACT} x 31", "bar/24 8/5", ["bar/24", "8/5"]),
        (f"{CONTACT} x 31", "25/22*/21", None),
        (f"{CONTACT} x 61", "8/2 Bar/24", ["bar/24", "8/2"]),
        ("-b---------A-------------- x 42", "11/5", ["11/9", "9/5"]),
        ("-BB----------------c------ x 65", "2/off(2)", ["2/off", "2/off"]),
        ("-BB----------------c------ x 65", "2/0 2/0", ["2/off", "2/off"]),
        (f"{START} x 31", "8/5,6/5", ["8/5", "6/5"]),
        (f"{START} x 4444", " 24/20(2) , 13/9, 13/9 ", ["13/9", "13/9", "24/20", "24/20"]),
        (f"{START} x 31", ",8/5,6/5", None),
        (f"{START} x 31", "8/5,,6/5", None),
        (f"{START} x 31", ",", None),
        (f"{START} x 31", "8/5", None),  # half a play
        (f"{START} x 31", "8/5 6/5 24/23", None),
        (f"{START} x 31", "8/5* 6/5", None),  # nothing to hit
        (f"{START} x 31", "8/4*", None),
        (f"{START} x 31", "pass", None),
        (f"{START} x 31", "", None),
        (f"{START} x -", "8/5 6/5", None),
        (f"{START} x 31", "5/8 6/5", None),
        (f"{START} x 31", "8/5 6/5(5)", None),
        (f"{START} x 31", "eight", None),
        (f"{START} x 31", "bar", None),
    ],
)
def test_whole_plays(fen, text, moves):
    board = board_of(fen)
    if moves is None:
        with pytest.raises(NotationError, match=r"expected moves|is no legal play"):
            parse_play(board.position, text)
        return
    actions = parse_play(board.position, text)
    played = []
    for action in actions:
        played.append(board.move_text(action).replace("*", ""))
        board.push(action)
    assert sorted(played) == sorted(moves)
    assert board.position.dice == 0


def test_stars_choose_the_way():
    """From 24 to 13 by 18 or by 19: without stars, no man on the way is hit."""
    for fen, text, ways in (
        ("-b----A-----------aa----A- x 65", "24/18*/13", ["24/18*", "18/13"]),
        ("-b----A-----------aa----A- x 65", "24/19*/13", ["24/19*", "19/13"]),
        ("-b----A-----------aa----A- x 65", "24/18/13", ["24/18*", "18/13"]),
        ("-b----A-----------aa----A- x 65", "24/13", None),
        ("-b----A-----------aa----A- x 65", "24/13*", None),
        ("-b----A-----------aa----A- x 65", "24/18*/13*", None),
        ("-b----A------------a----A- x 65", "24/13", ["24/18", "18/13"]),
        ("-b----A----------a-a----A- x 65", "24/18 24/19", None),
        ("-b----A-----a-----------A- x 66", "24/12*", ["24/18", "18/12*"]),  # the last two of four
        ("-b----A-----a-----------B- x 6666", "24/12*(2)", ["24/18", "24/18", "18/12*", "18/12"]),
    ):
        board = board_of(fen)
        if ways is None:
            with pytest.raises(NotationError):
                parse_play(board.position, text)
            continue
        played = []
        for action in parse_play(board.position, text):
            played.append(board.move_text(action))
            board.push(action)
        assert sorted(played) == sorted(ways)


@pytest.mark.parametrize(
    ("fen", "text", "moves"),
    [
        (f"{START} x 31", "8/5", ["8/5"]),  # a step, as long as it is one
        (f"{START} x 31", "24/23", ["24/23"]),
        (f"{START} x 21", "8/5", ["8/7", "7/5"]),
        (f"{START} x 31", "8/5,6/5", ["8/5", "6/5"]),
        (f"{START} x 31", "8/5 6/5", ["8/5", "6/5"]),
        (f"{START} x 65", "24/18/13", ["24/18", "18/13"]),
        (f"{START} x 2222", "13/11(2),6/4(2)", ["13/11", "13/11", "6/4", "6/4"]),
        (f"{CONTACT} x 31", "bar/24,8/5", ["bar/24", "8/5"]),
        ("-A---A-------------c------ x 41", "5/off", ["5/4", "4/off"]),
        ("-CC----------------bbbbbbA x 6666", "pass", ["pass"]),
        (f"{START} - -", "3-1", ["3-1"]),
        (f"{START} x -", "66", ["6-6"]),
    ],
)
def test_turns(fen, text, moves):
    board, twin = board_of(fen), board_of(fen)
    assert len(board.push_turn(text)) == len(moves)
    played = []
    for action in GAME.parse_turn(twin.position, text):
        played.append(twin.move_text(action))
        twin.push(action)
    assert sorted(played) == sorted(moves)
    assert board.position == twin.position


def test_turns_that_cannot_be_played_change_nothing():
    for fen, text, error in (
        (f"{START} x 31", "7/4", IllegalActionError),
        (f"{START} x 31", "8/5,7/6", NotationError),
        (f"{START} x 31", "8/5*", NotationError),
        (f"{START} x -", "8/5,6/5", NotationError),
        (f"{START} - -", "33", NotationError),
    ):
        board = board_of(fen)
        with pytest.raises(error):
            board.push_turn(text)
        assert not board.actions


def test_a_forced_pass_is_a_whole_play():
    position = board_of("-CC----------------bbbbbbA x 6666").position
    for text in ("pass", "PASS", ""):
        assert parse_play(position, text) == (150,)
    with pytest.raises(NotationError):
        parse_play(position, "bar/19")


@pytest.mark.once
def test_any_legal_play_is_read():
    rng, plays = random.Random(5), 0
    for board in random_boards(1500, seed=2):
        if board.is_chance or board.is_terminal:
            continue
        before, seat, moves = board.position, board.to_play, []
        copy = board.copy()
        while copy.to_play == seat and not copy.is_terminal:
            action = rng.choice(copy.legal_actions)
            moves.append(copy.move_text(action).split(":")[0])
            copy.push(action)
        rng.shuffle(moves)
        after = board.copy()
        for action in parse_play(before, " ".join(moves)):
            after.push(action)
        assert after.position == copy.position
        assert copy.position in results(board)
        plays += 1
    assert plays > 500
