"""Backgammon as text: moves, rolls, position strings, XGID, GNU Backgammon's position ID; any strings."""

import random

import pytest

from boardgym import Board, IllegalActionError, NotationError, get_game
from boardgym.games.backgammon import parse_play, position_id, xgid
from tests.games.test_notation_fuzz import mangled

GAME = get_game("Backgammon-v0")
START = "-b----E-C---eE---c-e----B-"
START_ID = "4HPwATDgc/ABMA"
START_XGID = f"XGID={START}:0:0:1:00:0:0:0:0:10"
CONTACT = "ab----F-C---bB---c-d-c-BAA"  # both sides on the bar


def board_of(fen):
    return Board(GAME, fen, auto_roll=False)


def random_boards(count, seed):
    """Boards of random games, at rolls and at moves."""
    rng, board = random.Random(seed), Board(GAME, seed=seed, auto_roll=False)
    for number in range(count):
        if board.is_terminal:
            board = Board(GAME, seed=seed + number, auto_roll=False)
        yield board
        if board.is_chance:
            board.roll()
        else:
            board.push(rng.choice(board.legal_actions))


# ---------------------------------------------------------------- moves and rolls


def test_moves_are_read_in_several_ways():
    board = board_of(f"{CONTACT} x 31")
    assert board.legal_moves == ["bar/24", "bar/22"]
    for text in ("bar/22", "BAR/22", " bar/22 ", "25/22", "bar/22:3"):
        assert board.action_of(text) == 6 * 25 - 7 + 3
    board = board_of(f"{START} x 31")
    for text in ("8/5", "8/5:3"):
        assert board.action_of(text) == 6 * 8 - 7 + 3
    with pytest.raises(IllegalActionError):
        board.action_of("7/4")
    board = board_of("-BB----------------c------ x 65")
    assert board.legal_moves == ["2/off", "2/off:6"]
    assert [board.action_of(text) for text in ("2/off", "2/0", "2/off:5", "2/OFF:6")] == [10, 10, 10, 11]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8",
        "8/",
        "/5",
        "8/5/4",
        "8/8",
        "5/8",
        "8/1",
        "26/25",
        "0/off",
        "bar",
        "bar/bar",
        "off/6",
        "8/5:2",
        "8/5:",
        "8/off",
        "bar/off",
        "8-5",
        "31",
        "3-1",
        "pass!",
        "bar/0x",
        "8/5**",
    ],
)
def test_moves_that_cannot_be_read(text):
    with pytest.raises(NotationError, match=r"expected one man's move|no die moves"):
        board_of(f"{START} x 31").action_of(text)


def test_a_star_needs_a_man_to_hit():
    board = board_of("-b----A-----------aa----A- x 65")
    assert board.action_of("24/18*") == board.action_of("24/18") == 6 * 24 - 7 + 6
    for text, point in (("6/2*", "2"), ("6/off*", "off"), ("6/0*", "0")):
        with pytest.raises(NotationError, match=rf"no man to hit on {point}; expected no '\*'"):
            board.action_of(text)


@pytest.mark.parametrize("text", ["", "3", "3-", "3-7", "0-1", "3--1", "311", "3/1", "8/5", "pass", "-31"])
def test_rolls_that_cannot_be_read(text):
    for rest in ("x -", "- -"):
        with pytest.raises(NotationError, match="is no roll"):
            board_of(f"{START} {rest}").action_of(text)


def test_all_moves_and_rolls_read_back():
    for board in random_boards(2000, seed=1):
        choices = [outcome for outcome, _ in board.outcomes] or board.legal_actions
        moves = [board.move_text(choice) for choice in choices]
        assert len(set(moves)) == len(moves)
        assert [board.action_of(move) for move in moves] == choices


# ---------------------------------------------------------------- position strings


def test_start():
    start = Board(GAME, auto_roll=False).position
    assert GAME.to_fen(start) == f"{START} - -"
    assert position_id(start) == START_ID
    assert xgid(start) == START_XGID
    assert GAME.from_fen(START_XGID) == GAME.from_fen(START_ID) == GAME.from_fen(f"{START} x -") == start._replace(opening=0)
    assert GAME.from_fen(f"{START_ID} 31") == GAME.from_fen(f"{START} x 31")
    assert GAME.from_fen(f"{START_ID} 33") == GAME.from_fen(f"{START} x 3333")
    assert GAME.from_fen(f"XGID={START}:1:-1:-1:52:3:4:0:7:10") == GAME.from_fen(f"{START} o 52")
    assert GAME.from_fen(f"xgid={START}:0:0:1:66:0:0:0:0:10") == GAME.from_fen(f"{START}:0:0:1:66:0:0:0:0:10")


@pytest.mark.parametrize(
    ("text", "known_id"),  # from GNU Backgammon 1.07, `set xgid` and `show board`
    [
        ("XGID=-ECDbAb----------A--aaeAd-:0:0:-1:00:0:0:0:0:10", "3z0BIBDPVwBgBg"),
        (START_XGID, START_ID),
    ],
)
def test_known_pairs_of_xgid_and_position_id(text, known_id):
    position = GAME.from_fen(text)
    assert position_id(position) == known_id
    assert xgid(position) == text


def test_all_position_strings_read_back():
    for board in random_boards(2000, seed=3):
        position = board.position
        assert GAME.from_fen(GAME.to_fen(position)) == position
        seat_0 = position._replace(seat=0, dice=0, opening=0)
        if not board.is_terminal:
            assert GAME.from_fen(position_id(position)) == seat_0
        dice = GAME.to_fen(position).split()[2]
        if dice == "-" or len(dice) == 4 or len(set(dice)) == 2:
            assert GAME.from_fen(xgid(position)) == position._replace(opening=0)
        else:
            with pytest.raises(NotationError, match="some of the dice are played"):
                xgid(position)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (None, "position string None"),
        ("", "expected men, side and dice"),
        (START, "expected men, side and dice"),
        (f"{START} x 31 0", "expected men, side and dice"),
        (f"{START}- x 31", "expected 26 characters, got 27"),
        (f"{START[:-1]} x 31", "expected 26 characters, got 25"),
        (f"{START.replace('E', 'P', 1)} x 31", "'P' in place 6; expected 'A' to 'O', 'a' to 'o'"),
        (f"{START.replace('E', '5', 1)} x 31", "'5' in place 6"),
        ("Ab----E-C---eE---c-e----A- x 31", "'A' in place 0; expected 'a' to 'o'"),
        ("-a----E-C---eE---c-e----Ba x 31", "'a' in place 25; expected 'A' to 'O'"),
        (f"{START.replace('E', 'F', 1)} x 31", "16 men of x; a side has 15"),
        (f"{START.replace('e', 'g', 1)} o 31", "17 men of o; a side has 15"),
        (f"{START} X 31", "side to play 'X'; expected 'x' or 'o'"),
        (f"{START} x 71", "dice '71'"),
        (f"{START} x 311", "dice '311'"),
        (f"{START} x 66666", "dice '66666'"),
        (f"{START} x 0", "dice '0'"),
        (f"{START} - 31", "side to play '-'"),
        ("-b----E-C---eE---c-e----AA - -", "side to play '-'"),
        ("-CC----------------bbbbbbA x 6", "no man can move by the 6 left"),
        ("-CC----------------bbbbbbA x 66", "no man can move by the 6 left"),
        ("aBBBBBB------------bbbbbbA x 61", "both sides are on the bar"),
        ("-B------------------------ o -", "o has borne off all its men and cannot be to play"),
        ("-b------------------------ x -", "x has borne off all its men and cannot be to play"),
        ("-B------------------------ x 61", "o has borne off all its men: no dice"),
        ("-------------------------- x -", "cannot be to play"),
        ("4HPwATDgc/ABM", "expected men, side and dice"),
        ("4HPwATDgc/ABMB", "expected a position ID of 14 characters"),
        ("4HPwATDgc-ABMA", "expected a position ID of 14 characters"),
        ("4HPwATDgc/ABM\u0663", "expected a position ID of 14 characters"),
        ("AAAAAAAAAAAAgA", "more men than"),
        ("4HPwATDgc/ABMA 7", "dice '7'; expected two digits"),
        ("4HPwATDgc/ABMA 333", "dice '333'; expected two digits"),
        ("4HPwATDgc/ABMA x", "dice 'x'"),
        ("AACABAAAAAAAAA", "on point 1 of x, 24 of o"),
        (f"XGID={START}:0:0:1:00:0:0:0:0", "ten fields"),
        (f"XGID={START}:a:0:1:00:0:0:0:0:10", "ten fields"),
        (f"XGID={START}:0:0:0:00:0:0:0:0:10", "turn '0'; expected 1 or -1"),
        (f"XGID={START}:0:0:1:D:0:0:0:0:10", "no doubling cube"),
        (f"XGID={START}:0:0:1:3:0:0:0:0:10", "dice '3'"),
        (f"XGID={START}:0:0:1:07:0:0:0:0:10", "dice '07'"),
        ("XGID=:0:0:1:00:0:0:0:0:10", "expected 26 characters, got 0"),
    ],
)
def test_position_strings_that_cannot_be(text, names):
    with pytest.raises(NotationError) as raised:
        GAME.from_fen(text)
    assert names in str(raised.value)


# ---------------------------------------------------------------- strings of anything


def test_any_position_string_is_read_or_refused():
    rng, accepted = random.Random(6), 0
    for number, board in enumerate(random_boards(10_000, seed=4)):
        position = board.position
        text = GAME.to_fen(position)
        if number % 4 == 1 and len(text.split()[2]) in (1, 4) and "-" in text.split()[2]:
            text = xgid(position)
        elif number % 4 == 2:
            text = f"{position_id(position)} {rng.randint(1, 7)}{rng.randint(0, 6)}"
        elif number % 4 == 3:
            text = "".join(rng.sample(text[:26], 26)) + text[26:]
        text = mangled(text, rng)
        try:
            read = GAME.from_fen(text)
        except NotationError:
            continue
        accepted += 1
        assert GAME.from_fen(GAME.to_fen(read)) == read
        if number % 40 == 0:  # play goes on to an end
            played = Board(GAME, text, seed=number)
            while not played.is_terminal:
                played.push(rng.choice(played.legal_actions))
            assert played.ply < GAME.max_plies
    assert accepted > 1000


def test_any_move_and_play_is_read_or_refused():
    rng, accepted = random.Random(7), 0
    texts = [
        "8/5",
        "bar/22*",
        "6/off",
        "24/18/13",
        "6/4(2)",
        "8/5 6/5",
        "8/5,6/5",
        "pass",
        "3-1",
        "66",
        "25/20",
        "2/0:6",
        "13/7*(2)",
    ]
    boards = [board.copy() for board in random_boards(400, seed=8)]
    for number in range(10_000):
        board, text = boards[number % 400], mangled(rng.choice(texts), rng)
        for read in (GAME.parse_move, parse_play, GAME.parse_turn):
            try:
                found = read(board.position, text)
            except NotationError:
                continue
            accepted += 1
            if read is parse_play:
                copy = board.copy()
                for action in found:
                    copy.push(action)
            elif read is GAME.parse_turn:
                assert found
            else:
                assert 0 <= found < (GAME.num_outcomes if board.is_chance else GAME.num_actions)
    assert accepted > 500
