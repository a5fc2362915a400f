"""Clicks of each game, checked by hand: what they play, what is said of those that play nothing, and positions set up."""

import pytest

from boardgym import Board, NotationError, describe_board, describe_game, get_game, set_up, why_not

FOUR = "7/7/7/7/3o3/3x3 x"
PLACING = ".W./.../.../B...../.../.../... w 8,8 0"
SLIDING = "WW./WW./.../B....B/.../B../B.. w 0,0 0"
FLYING = "WW./W../.../B....B/.../B../B.. w 0,0 0"
REMOVING = "WWW/.../.../B...../.../.../BBB wx 4,5 0"  # black's men in the mill below are safe, not the one on a4
STANDARD = "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0"
PUSHES = "sssss/sss3/7/8/2SSsS1s1/1Ss5/7/SS4/SSSSS 3 3 b 0"  # e3 e4 and e6 black, e5 white between; d2 against d3
RIM = "sssss/sss3/7/8/7SS/1Ss5/SSSS3/SS4/SSSSS 5 0 b 0"
START = "-b----E-C---eE---c-e----B-"
ROW = "9 4 K 4 7 5 3 2 | 0 0 first"


def names_of(board):
    return [place["name"] for place in describe_game(board.game)["places"]]


def ways_of(board, move):
    """The ways to click a legal move, as names."""
    names, actions = names_of(board), describe_board(board)["actions"]
    (said,) = (each for each in actions if each["move"] == move)
    return [" ".join(names[place] for place in way) for way in said["clicks"]]


@pytest.mark.parametrize(
    ("game", "fen", "move", "ways"),
    [
        ("TicTacToe", "3/1x1/3 o", "c1", ["c1"]),
        ("ConnectFour", FOUR, "4", ["4"]),
        ("NineMensMorris", PLACING, "a1", ["a1"]),
        ("NineMensMorris", REMOVING, "xa4", ["a4"]),
        ("NineMensMorris", FLYING, "d7-g1", ["d7 g1"]),
        ("Abalone", STANDARD, "c5d5", ["c5 d5"]),
        ("Abalone", STANDARD, "a3b4", ["a3 d6"]),
        ("Abalone", STANDARD, "c3c5d3", ["c3 c5 d3", "c5 c3 d5"]),
        ("Abalone", STANDARD, "c3c4d3", ["c3 c4 d3", "c4 c3 d4"]),
        ("Backgammon", f"{START} x 31", "8/5", ["8 5"]),
        ("Backgammon", f"{START} o 31", "8/5", ["17 20"]),
        ("Backgammon", "-b----E-C---eE---c-e----AA x 31", "bar/24", ["bar 24"]),
        ("CardPoints", ROW, "right", ["8"]),
        ("CardPoints", ". 4 K 4 7 5 3 2 | 9 0 second", "left", ["2"]),
    ],
)
def test_moves_by_clicks(game, fen, move, ways):
    assert ways_of(Board(game, fen, compiled=False), move) == ways


@pytest.mark.parametrize(
    ("game", "fen", "clicks", "said"),
    [
        ("TicTacToe", "3/1x1/3 o", "b2", "b2 is taken"),
        ("ConnectFour", "x6/o6/x6/o6/x6/o6 x", "1", "column 1 is full"),
        ("Othello", None, "a1", "a1: no white disc would be flanked"),
        ("Othello", None, "d4", "d4 is taken"),
        ("NineMensMorris", PLACING, "d7", "d7 is taken"),
        ("NineMensMorris", PLACING, "a1 d1", "a1: a man is to be placed here, with no second click"),
        ("NineMensMorris", REMOVING, "d7", "d7 holds a white man: choose a black one to remove"),
        ("NineMensMorris", REMOVING, "b6", "b6 holds no man: choose a black one to remove"),
        ("NineMensMorris", REMOVING, "d1", "d1: a man in a mill may not be removed while others may"),
        ("NineMensMorris", SLIDING, "a7", "the man on a7 is blocked: no neighbouring point is free"),
        ("NineMensMorris", SLIDING, "d7 g1", "d7 and g1 are not neighbours"),
        ("NineMensMorris", SLIDING, "d7 d6", "d6 is taken"),
        ("NineMensMorris", SLIDING, "a4", "the man on a4 is black: choose a white man to move"),
        ("NineMensMorris", SLIDING, "g7", "g7 is empty: choose a white man to move"),
        ("NineMensMorris", FLYING, "a7 d7", "d7 is taken"),
        ("Abalone", PUSHES, "c1", "c1 is empty: choose a black marble"),
        ("Abalone", PUSHES, "i5", "the marble on i5 is white: choose a black one"),
        ("Abalone", PUSHES, "e3 e5", "the black marble on e6 is in the way"),
        ("Abalone", PUSHES, "d2 d3", "too weak: 1 marble cannot push 1"),
        ("Abalone", PUSHES, "e3 d5", "e3 and d5 are not in a line"),
        ("Abalone", PUSHES, "e3 e7", "e5 holds no black marble: only an unbroken line moves, by one step"),
        ("Abalone", PUSHES, "e4 e6", "e5, between the two, holds no black marble"),
        ("Abalone", PUSHES, "a1 a5", "5 marbles are in the row; at most 3 move at once"),
        ("Abalone", PUSHES, "a1 a3 a5", "a5 is no neighbour of a1: the third click says where that marble goes"),
        ("Abalone", PUSHES, "a2 a4 b2", "b2 is taken: marbles that move sideways push nothing"),
        ("Abalone", PUSHES, "a2 a3 a1", "along their line, marbles move by a click on the rear one and one on the cell beyond "
         "the foremost"),
        ("Abalone", RIM, "e8 e9 f9", "the marble on e9 would leave the board"),
        ("Abalone", RIM, "c1 c5", "4 marbles are in the line; at most 3 move at once"),
        ("Abalone3", None, "a1", "the marble on a1 is red: choose a black one"),
        ("Backgammon", f"{START} x 31", "8 3", "no 5 among the dice: 3 and 1"),
        ("Backgammon", f"{START} o 31", "17 22", "no 5 among the dice: 3 and 1"),
        ("Backgammon", f"{START} x 31", "7", "no man is on point 7"),
        ("Backgammon", f"{START} x 31", "12", "the men on point 12 are o's"),
        ("Backgammon", f"{START} x 31", "6 8", "x moves from 24 down to 1, not from 6 to 8"),
        ("Backgammon", f"{START} x 31", "13 12", "o holds point 12"),
        ("Backgammon", f"{START} x 31", "bar", "x has no man on the bar"),
        ("Backgammon", f"{START} x 31", "off", "men that are borne off do not come back"),
        ("Backgammon", f"{START} x 31", "6 off", "no 6 or more among the dice: 3 and 1"),
        ("Backgammon", f"{START} x 66", "6", "by 6: all men must be on points 1 to 6 before one is borne off"),
        ("Backgammon", "-b----E-C---eE---c-e----AA x 31", "8 5", "x must first enter the man on the bar"),
        ("Backgammon", "-AAA-------------------a-- x 61", "2 off", "with a 6 the man on the highest point is borne off"),
        ("Backgammon", "-----b--A----------------- x 21", "8 7", "both dice must be played if they can be, or else the larger"),
        ("Backgammon", "-------------------bbbbbbA x 31", "bar", "x can only play 'pass'"),
        ("CardPoints", ROW, "3", "place 3: only the leftmost or the rightmost card may be taken"),
        ("CardPoints", ". 4 K 4 7 5 3 2 | 9 0 second", "1", "place 1 is empty"),
    ],
)  # fmt: skip
def test_why_clicks_play_nothing(game, fen, clicks, said):
    board = Board(game, fen, compiled=False)
    if fen is None and game == "Othello":
        assert board.fen().endswith("X")
    assert why_not(board, [names_of(board).index(name) for name in clicks.split()]) == said


def test_clicks_that_play_or_begin_a_move_need_no_explanation():
    board = Board("Abalone", STANDARD, compiled=False)
    names = names_of(board)
    assert [why_not(board, [names.index(name) for name in way.split()]) for way in ("c3", "c3 c5", "c3 c5 d3")] == [""] * 3


@pytest.mark.parametrize(
    ("game", "fen", "winning"),
    [
        ("ConnectFour", "7/7/7/7/ooo4/xxxx3 o", "1 2 3 4"),
        ("NineMensMorris", "WWW/W../.../B...../.../.../B.. b 0,0 0", "a7 d7 g7"),  # black has two men left
        ("NineMensMorris", "BWB/.../.../W....W/.../.../BWB b 0,0 0", "d7 a4 g4 d1"),  # black cannot move
        ("NineMensMorris", SLIDING, ""),
        ("Othello", None, ""),
    ],
)
def test_the_pieces_that_won(game, fen, winning):
    board = Board(game, fen, compiled=False)
    places = describe_game(board.game)["place_of_spot"]
    assert " ".join(names_of(board)[places[spot]] for spot in describe_board(board)["winning"]) == winning


def kinds_of(fen, game):
    """The pieces of a position string on the spots."""
    brush, pieces = describe_game(game)["brush"], describe_board(Board(game, fen, compiled=False))["pieces"]
    return [0 if piece is None else 1 + brush.index(piece) for piece in pieces]


def placed(game, **names):
    """Pieces on the places that a text lists, by the brush's number: _1="a1 b2"."""
    places = [place["name"] for place in describe_game(game)["places"]]
    kinds = [0] * len(places)
    for number, text in names.items():
        for name in text.split():
            kinds[places.index(name)] = int(number.strip("_"))
    return kinds


def fen_of(game, kinds, seat):
    return get_game(game).to_fen(set_up(game, kinds, seat))


def test_what_a_set_up_assumes_of_morris():
    game = "NineMensMorris"
    assert fen_of(game, [0] * 24, 0) == ".../.../.../....../.../.../... w 9,9 0"
    assert fen_of(game, placed(game, _1="d7"), 1) == ".W./.../.../....../.../.../... b 8,9 0"
    assert fen_of(game, kinds_of(FLYING, game), 1) == FLYING.replace(" w ", " b ")  # the men that are missing are lost
    assert fen_of(game, placed(game, _1="a7 d7 g7", _2="a1 b2"), 0) == "WWW/.../.../....../.../B../B.. w 6,6 0"
    unpaid = "WWW/WBW/WBW/WBWBB./B.B/BB./... wx 0,0 0"  # all men are there: that of the mill is yet to be removed
    assert fen_of(game, kinds_of(unpaid, game), 0) == unpaid


def test_what_a_set_up_assumes_of_abalone():
    assert fen_of("Abalone", kinds_of(STANDARD, "Abalone"), 0) == STANDARD
    assert fen_of("Abalone", kinds_of(PUSHES, "Abalone"), 1) == PUSHES.replace(" b ", " w ")
    assert fen_of("Abalone", [1] * 15 + [2] * 14 + [0] * 32, 0).endswith(" 1 0 b 0 of 15-15")  # as larger set-ups have them
    three = "ww1bb/ww2bb/ww3bb/ww4bb/ww5b1/w7/7/rrrrrr/rrrrr 0 1 1 b 0"
    assert fen_of("Abalone3", kinds_of(three, "Abalone3"), 0) == three  # which of the others pushed: one each


@pytest.mark.parametrize(
    ("game", "kinds", "seat", "said"),
    [
        ("TicTacToe", [1, 1] + [0] * 7, 0, "2 x, 0 o, 'x' to play; x begins, sides alternate"),
        ("TicTacToe", [1, 1, 1, 2, 2, 0, 0, 0, 0], 0, "'x' to play"),
        ("ConnectFour", [1] + [0] * 41, 1, "the disc in column 1, row 6 has none below it"),
        ("NineMensMorris", [1] * 10 + [0] * 14, 1, "white has 10 men and 0 in hand; expected 9 at most"),
        ("NineMensMorris", [0] * 24, 1, "white has just moved; expected a man on the board"),
        ("Abalone", [1] * 16 + [2] * 14 + [0] * 31, 0, "marbles of black and white in all: '16-14'; expected one of"),
        ("Abalone", [1] * 14 + [2] * 8 + [0] * 39, 0, "'b' to play has pushed off 6 already"),
        ("Abalone3", [1] * 12 + [0] * 49, 0, "12 black marbles; expected at most 11"),
    ],
)
def test_set_ups_that_no_game_leads_to(game, kinds, seat, said):
    with pytest.raises(NotationError, match=said):
        set_up(game, kinds, seat)
