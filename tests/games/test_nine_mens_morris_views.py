"""Nine Men's Morris as text, planes and picture: notation, observations, symmetries, heuristic, options, drawing."""

import itertools
import random

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, NotationError, OptionError, get_game
from boardgym.core import verbs
from tests.games.morris_boards import GAME, NAMES, THREE_EACH, board_of, played, words

MILL_NEXT = """
    .-----W-----B
    | .---.---. |
    | | .-W-. | |
    .-.-.   .-B-.
    | | .-.-. | |
    | .---W---. |
    B-----.-----B
"""


def test_observation_shows_own_men_first():
    board = played("a7 d6 d7 d2 g7")  # white is to remove a man
    for seat in (0, 1):
        planes = np.moveaxis(board.observation(seat), 2, 0)
        white, black = planes[seat], planes[1 - seat]
        assert np.argwhere(white).tolist() == [[0, 0], [0, 3], [0, 6]]
        assert np.argwhere(black).tolist() == [[1, 3], [5, 3]]
        assert planes[2].sum() == 24
        assert planes[2, 3].tolist() == [1, 1, 1, 0, 1, 1, 1]
        assert [plane[0, 0] for plane in planes[3:]] == [1, (6, 7)[seat], (7, 6)[seat], 0, 1 - seat, seat, 1]
        assert all((plane == plane[0, 0]).all() for plane in planes[3:])
    assert board_of(THREE_EACH, "b", clock=33).observation()[2, 5, 6] == 33
    assert board.observation().dtype == np.int8
    long = get_game(GAME, no_mill_limit=128)
    assert (long.observation_dtype, long.observation_max) == (np.int16, 128)


def test_symmetries_turn_mirror_and_exchange_the_rings():
    position = Board(GAME).position

    def images(k, *names):
        return [NAMES[verbs.transform_action(position, NAMES.index(name), k)] for name in names]

    assert images(1, "a7", "d7", "b6", "c4", "e5") == ["g7", "g4", "f6", "d5", "e3"]
    assert images(4, "a7", "d7", "b6", "c4", "e5") == ["g7", "d7", "f6", "e4", "c5"]
    assert images(8, "a7", "d7", "b6", "c4", "e5") == ["c5", "d5", "b6", "a4", "g7"]
    assert images(15, "a7", "d7") == images(7, "c5", "d5")
    slide = Board(GAME).game.parse_move(position, "a7-d7")
    assert Board(GAME).move_text(verbs.transform_action(position, slide, 9)) == "e5-e4"
    assert len({tuple(images(k, *NAMES)) for k in range(16)}) == 16


def estimate(white, black, side):
    """White's estimate of a board with the given men, after checking that black's is the opposite."""
    marks = ["W" if name in words(white) else "B" if name in words(black) else "." for name in NAMES]
    ranks = ["".join(marks[a:b]) for a, b in itertools.pairwise((0, 3, 6, 9, 15, 18, 21, 24))]
    board = Board(GAME, f"{'/'.join(ranks)} {side} 0,0 0")
    assert board.estimate(1) == -board.estimate(0)
    return board.estimate(0)


@pytest.mark.parametrize("side", ["w", "b"])
def test_heuristic_prefers_men_mills_and_room(side):
    theirs = "d6 f6 g4 f2"
    assert estimate("a7 b4 d1 g7", theirs, side) > estimate("a7 b4 d1", theirs, side) + 0.1  # men
    assert estimate("a7 a4 a1 g1", theirs, side) > estimate("a7 a4 b2 g1", theirs, side)  # a mill, an open line
    assert estimate("a7 g7 b4 e3", theirs, side) > estimate("a7 g1 b4 e3", theirs, side)  # an open line, none
    assert estimate("d2 b4 e4 c5", "a7 c3 g1 f6", side) > estimate("a1 b4 e4 c5", "a7 c3 g1 f6", side)  # four ways out, two
    assert -1.0 < estimate(theirs, "a7 b4 d1", side) == -estimate("a7 b4 d1", theirs, "wb"[side == "w"]) < 1.0


def test_heuristic_skips_mobility_and_blocked_men_of_a_side_that_can_fly():
    """Three men that could not slide: the estimate, as a score, differs by three blocked men. Black's turn, the other way."""
    fen = "WBW/.../.../B....B/.../.../WB. {} 0,0 0"
    for text, seat in ((fen.format("b"), 0), (fen.translate(str.maketrans("WB", "BW")).format("w"), 1)):
        values = [Board(GAME, text, flying=flying).estimate(seat) for flying in (True, False)]
        flying, sliding = (value / (1 - abs(value)) for value in values)
        assert flying - sliding == pytest.approx(3 * 0.03)


def test_heuristic_counts_the_man_that_is_to_be_removed():
    board = played("a7 d6 d7 d2 g7")
    before = board.estimate(0)
    assert before > 0.3
    board.push_move("xd6")
    assert abs(board.estimate(0) - before) < 0.1


def test_moves_both_ways():
    board = board_of(THREE_EACH, "w")
    for text in ("d2-d3", "d2d3", " D2 - D3 ", "d2 d3", "D2D3"):
        assert board.action_of(text) == 24 + 24 * NAMES.index("d2") + NAMES.index("d3")
    assert [board.move_text(action) for action in (0, 23, 24 + 1, 599)] == ["a7", "g1", "a7-d7", "g1-g1"]
    board = played("a7 d6 d7 d2 g7")
    assert [board.action_of(text) for text in ("xd6", "XD6", " x d6 ")] == [4, 4, 4]


def test_a_mill_and_its_removal_are_read_as_one_turn():
    board = played("a7 d6 d7 d2")
    assert board.push_turn("g7xd6") == (2, 4)
    assert board.fen() == "WWW/.../.../....../.../.B./... b 6,7 0"
    board.play(["f6", "a4", "b6", "a1 X F6", "g1"])
    assert board.ply == 12
    slide = board_of(MILL_NEXT, "w")
    assert slide.push_turn("d2-d6xg7") == (24 + 24 * NAMES.index("d2") + 4, 2)
    assert slide.push_turn("f4-e4") == (24 + 24 * NAMES.index("f4") + NAMES.index("e4"),)
    removal = played("a7 d6 d7 d2 g7")
    assert removal.push_turn("xd2") == (NAMES.index("d2"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a1xd6", "'a1xd6': 'a1' closes no mill, so no man is to be removed"),
        ("g7xa7", "'g7xa7': 'xa7' is illegal after the mill; expected one of xd6 xd2"),
        ("g7x", "is no move"),
        ("g7xd9", "is no move"),
        ("g7xd4", "d4 is no point"),
        ("g7xa1-a4", "is no move"),
        ("xxd6", "is no move"),
        ("g7-xd6", "is no move"),
        ("xg7xd6", "no man is to be removed"),
        ("xd6", "no man is to be removed"),
        ("x", "is no move"),
        ("", "is no move"),
    ],
)
def test_turns_that_cannot_be_read(text, message):
    board = played("a7 d6 d7 d2")
    with pytest.raises(NotationError, match=message):
        board.push_turn(text)
    assert board.ply == 4


def test_an_illegal_turn_plays_nothing():
    for text in ("d6xd2", "d6", "a7-a4xd6"):
        board = played("a7 d6 d7 d2")
        with pytest.raises(IllegalActionError):
            board.push_turn(text)
        assert board.ply == 4


@pytest.mark.parametrize("text", ["", "d", "d8", "h1", "d4", "c1", "d6-", "-d6", "d6-d4", "d6--d5", "a4-a7xd1", "xa4-a7", "xx",
                                  "d6d5d6", "xd6", "x", "d\u0666", "\uff44d6"])  # fmt: skip
def test_unreadable_moves(text):
    with pytest.raises(NotationError, match=r"is no move; expected|is no point|no man is to be removed"):
        Board(GAME).action_of(text)


def test_a_removal_is_written_as_one():
    board = played("a7 d6 d7 d2 g7")
    with pytest.raises(NotationError, match="a man is to be removed, as in 'xd1'"):
        board.action_of("d6")
    with pytest.raises(IllegalActionError, match="'xa7' is illegal"):
        board.action_of("xa7")


EMPTY = ".../.../.../....../.../.../..."


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "expected points, side, men in hand and slides, as in '.W./"),
        (f"{EMPTY} w 9,9", "expected points, side, men in hand and slides"),
        ("/".join(["..."] * 7) + " w 9,9 0", "expected 7 ranks of 3, 3, 3, 6, 3, 3 and 3 points"),
        (f".X.{EMPTY[3:]} w 9,9 0", "'X' on d7; expected 'W', 'B' or '.'"),
        (f"{EMPTY} x 9,9 0", "side to play 'x'"),
        (f"{EMPTY} w 9;9 0", "men in hand '9;9'"),
        (f"{EMPTY} w \u0669,9 0", "men in hand"),
        (f"{EMPTY} w 9,9 one", "slides since the last mill 'one'"),
        (f"{EMPTY} b 9,9 0", "no man is placed yet"),
        (f"{EMPTY} w 9,9 1", "no man is placed yet"),
        (f"{EMPTY} w 8,8 0", "black has just moved; expected a man on the board"),
        (f"W..{EMPTY[3:]} b 9,9 0", "white has 1 men and 9 in hand; expected 9 at most"),
        (f"W..{EMPTY[3:]} w 8,9 0", "one side has placed no man yet; expected white to have placed one"),
        (f"W.B{EMPTY[3:]} b 8,8 0", "8 and 8 men in hand do not fit the side to play"),
        (f"W.B{EMPTY[3:]} w 8,7 0", "8 and 7 men in hand do not fit the side to play"),
        (f"W.B{EMPTY[3:]} w 7,7 0", "white has lost 1 men; the other side cannot have closed as many mills"),
        (f"W.B{EMPTY[3:]} w 8,8 1", "1 slides since the last mill; expected 0 while men are placed"),
        (f"WW./BBB/{EMPTY[8:]} b 0,0 0", "white has 2 men left; the game was over before"),
        (f"WWW/BB./{EMPTY[8:]} wx 0,0 0", "black has 2 men left; the game was over before"),
        (f"WW./BBB/W..{EMPTY[11:]} wx 0,0 0", "a man is to be removed, but the side to play has no mill"),
        (f"WWW/BBB/{EMPTY[8:]} w 0,0 101", "101 slides since the last mill; expected 100 at most"),
        (f"WWW/BBB/{EMPTY[8:]} wx 0,0 1", "1 slides since the last mill; expected 0 while men are placed or removed"),
    ],
)
def test_malformed_positions_name_the_place(fen, message):
    with pytest.raises(NotationError, match=message):
        Board(GAME, fen)


def test_two_men_left_are_no_malformed_position():
    board = Board(GAME, f"WW./BBB/{EMPTY[8:]} w 0,0 0")  # over, but play leads there
    assert board.is_terminal
    assert board.outcome().winner == 1


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        (f"B..{EMPTY[3:]} w 10,9 0", "one side has placed no man yet"),
        (f"B..{EMPTY[3:]} w 10,9 7", "one side has placed no man yet"),
        (f"W..{EMPTY[3:]} b 9,10 7", "one side has placed no man yet"),
        (f"W..{EMPTY[3:]} w 9,10 0", "one side has placed no man yet"),
        (f"WW.{EMPTY[3:]} b 8,10 0", "one side has placed no man yet"),
        (f"WWW/BB.{EMPTY[7:]} b 7,8 0", "white has a mill; expected the other side to have lost a man"),
        (f"WW./BBB{EMPTY[7:]} w 8,7 1", "black has a mill; expected the other side to have lost a man"),
        (f"WWW/BBB{EMPTY[7:]} wx 7,7 0", "black has a mill; expected the other side to have lost a man"),
    ],
)
def test_positions_that_no_game_of_lasker_leads_to(fen, message):
    with pytest.raises(NotationError, match=message):
        Board(GAME, fen, variant="lasker")


def test_a_mill_stands_only_where_a_man_is_lost():
    with pytest.raises(NotationError, match="white has a mill; expected the other side to have lost a man"):
        Board(GAME, "WWW/.../.../....../.../.../BBB w 6,6 0")
    for text in ("WWW/.../.../....../.../.../B.. b 6,7 0", "WWW/.../.../....../.../.../BB. wx 6,7 0"):
        assert Board(GAME, text).fen() == text


OTHERS = [{"flying": False}, {"variant": "lasker"}, {"no_mill_limit": 0, "repetition_limit": 0},
          {"draw": "first_repetition"}, {"draw": "three_action_loop"}]  # fmt: skip


@pytest.mark.once
@pytest.mark.parametrize(
    ("options", "games"),
    [
        ({}, 50),
        ({"variant": "twelve"}, 50),
        *(pytest.param(options, 5, marks=pytest.mark.plain(boards=True)) for options in OTHERS),
    ],
    ids=str,
)
def test_positions_of_play_read_back(options, games):
    rng, game = random.Random(11), get_game(GAME, **options)
    for _ in range(games):
        board = Board(game)
        while not board.is_terminal and board.ply < 300:
            board.push(rng.choice(board.legal_actions))
            assert game.from_fen(board.fen()) == board.position


def test_strings_from_games_of_other_limits():
    text = f"WWW/BBB/{EMPTY[8:]} w 0,0 101"
    for limit, expected in ((0, text.replace("101", "0")), (200, text)):
        game = get_game(GAME, no_mill_limit=limit)
        assert game.to_fen(game.from_fen(text)) == expected
    with pytest.raises(NotationError, match="expected 100 at most, which is the option no_mill_limit"):
        Board(GAME, text)
    with pytest.raises(NotationError, match="expected 0 while men are placed"):
        Board(GAME, f"W.B{EMPTY[3:]} w 8,8 1", no_mill_limit=0)


@pytest.mark.once
def test_any_string_is_read_or_refused():
    """10,000 position strings and as many moves, from nonsense to nearly right: nothing but NotationError."""
    rng, accepted = random.Random(2), 0
    for variant in ("nine", "lasker"):
        game = get_game(GAME, variant=variant)
        board = Board(game)
        for number in range(5_000):
            board = Board(game) if board.is_terminal else board
            board.push(rng.choice(board.legal_actions))
            text, move = board.fen(), rng.choice(["a1", "xd6", "a4-a7", "d6d7"])
            for _ in range(rng.randrange(3) if number % 4 else 40):
                at, mark = rng.randrange(len(text)), rng.choice("WB.x/wb0189, \u0663\x00")
                text = text[:at] + mark + text[at + rng.randrange(2) :]
                at = rng.randrange(len(move) + 1)
                move = move[:at] + rng.choice("abgx147- \u0663\x00") + move[at + rng.randrange(2) :]
            try:
                position = game.from_fen(text)
                accepted += 1
                assert game.from_fen(game.to_fen(position)) == position
                action = game.parse_move(position, move)
                assert game.parse_move(position, game.move_text(position, action)) == action
            except NotationError:
                continue
    assert 1_000 < accepted < 9_000


@pytest.mark.parametrize(
    "options",
    [{"variant": "ten"}, {"variant": ["nine"]}, {"draw": "loop"}, {"draw": None}, {"flying": 1}, {"flying": "yes"},
     {"repetition_limit": 1}, {"repetition_limit": 32_001}, {"repetition_limit": 10**30}, {"no_mill_limit": 10**30},
     {"repetition_limit": -1}, {"repetition_limit": 3.0}, {"repetition_limit": True},
     {"no_mill_limit": -1}, {"no_mill_limit": 32_001}, {"no_mill_limit": "100"}, {"size": 9}],
    ids=str,
)  # fmt: skip
def test_options_refused(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        get_game(GAME, **options)


def test_options():
    game = get_game(GAME)
    assert game.options == {"flying": True, "repetition_limit": 3, "no_mill_limit": 100, "draw": "", "variant": "nine"}
    assert (game.num_actions, game.max_plies) == (600, 18 + 13 * 101 + 100)
    assert get_game(GAME, no_mill_limit=10).max_plies == 18 + 13 * 11 + 10
    assert get_game(GAME, no_mill_limit=0).max_plies == 1_000_000
    assert get_game(GAME, draw="first_repetition").position_class is get_game(GAME, repetition_limit=2).position_class


def test_drawing():
    board = played("a7 d6 d7 d2 g7")
    drawing = board.game.drawing
    assert drawing.text(board.position) == [
        "7 W-----W-----W",
        "6 | .---B---. |",
        "5 | | .-.-. | |",
        "4 .-.-.   .-.-.",
        "3 | | .-.-. | |",
        "2 | .---B---. |",
        "1 .-----.-----.",
        "  a b c d e f g",
    ]
    assert drawing.notes(board.position) == ("white: 6 in hand, 0 lost", "black: 7 in hand, 0 lost", "white: remove a man")
    assert drawing.action_spots(board.position, 4) == (4,)
    assert drawing.action_spots(board.position, 24 + 1) == (0, 1)
    lines = [
        len([shape for shape in Board(GAME, **o).game.drawing.backdrop if shape.kind == "line"])
        for o in ({}, {"variant": "twelve"})
    ]
    assert lines == [16, 20]
