"""Nine Men's Morris on drawn boards; all variants against a slow twin of the rules."""

import random

import pytest

from boardgym import Board, IllegalActionError, Reason, get_game
from boardgym.compile import plain
from boardgym.games.nine_mens_morris import rules
from tests.games.morris_boards import GAME, NAMES, THREE_EACH, board_of, fen_of, played, words

MILLS = words("""a7-d7-g7 b6-d6-f6 c5-d5-e5 a4-b4-c4 e4-f4-g4 c3-d3-e3 b2-d2-f2 a1-d1-g1
           a7-a4-a1 b6-b4-b2 c5-c4-c3 d7-d6-d5 d3-d2-d1 e5-e4-e3 f6-f4-f2 g7-g4-g1""")
DIAGONALS = words("a7-b6-c5 g7-f6-e5 a1-b2-c3 g1-f2-e3")
PLAIN = [{"flying": False}, {"variant": "lasker"}]  # other constants in the same code
CASES = [{}, {"variant": "twelve"}, *(pytest.param(options, marks=pytest.mark.plain(boards=True)) for options in PLAIN)]


def moves(board):
    return " ".join(board.legal_moves)


BLOCKED = """
    W-----W-----B
    | .---B---. |
    | | .-.-. | |
    W-B-.   .-.-.
    | | .-.-. | |
    | .---.---. |
    W-----B-----.
"""


class Twin:
    """The rules again, slowly, over the names of points."""

    def __init__(self, variant="nine", flying=True, no_mill_limit=100, **_):
        men = {"nine": 9, "lasker": 10, "twelve": 12}[variant]
        self.mills = [line.split("-") for line in MILLS + DIAGONALS * (variant == "twelve")]
        self.beside = {name: set() for name in NAMES}
        for first, middle, last in self.mills:
            for end in (first, last):
                self.beside[end].add(middle)
                self.beside[middle].add(end)
        self.flying, self.limit, self.slides_early = flying, no_mill_limit, variant == "lasker"
        self.men, self.hand, self.side, self.removes, self.clock = {}, [men, men], 0, False, 0

    def on_board(self, side):
        return [name for name in NAMES if self.men.get(name) == side]

    def is_in_mill(self, name):
        return any(name in line and all(self.men.get(n) == self.men[name] for n in line) for line in self.mills)

    def moves(self):
        own, other, hand = self.on_board(self.side), self.on_board(1 - self.side), self.hand[self.side]
        free = [name for name in NAMES if name not in self.men]
        if self.removes:
            return [f"x{name}" for name in other if not self.is_in_mill(name)] or [f"x{name}" for name in other]
        if len(own) + hand < 3:
            return []
        found = free if hand else []
        if not hand or self.slides_early:
            flies = self.flying and not hand and len(own) == 3
            found = found + [f"{a}-{b}" for a in own for b in free if flies or b in self.beside[a]]
        return found

    def play(self, move):
        if self.removes:
            del self.men[move[1:]]
            self.removes, self.side = False, 1 - self.side
            return
        start, _, end = move.rpartition("-")
        if start:
            del self.men[start]
            self.clock += self.limit > 0
        else:
            self.hand[self.side] -= 1
        self.men[end] = self.side
        if self.is_in_mill(end):
            self.removes, self.clock = True, 0
        else:
            self.side = 1 - self.side


@pytest.mark.parametrize("options", CASES, ids=str)
def test_random_games_agree_with_a_slow_twin(options):
    rng, ends = random.Random(1), set()
    for _ in range(25):
        board, twin = Board(GAME, **options), Twin(**options)
        while board.reason is not Reason.REPETITION:
            found = twin.moves()
            is_drawn = bool(found) and twin.clock == twin.limit and not twin.removes
            assert board.legal_moves == ([] if is_drawn else found)
            assert board.to_play == twin.side
            if board.is_terminal:
                assert board.returns() == ([0.0, 0.0] if is_drawn else [-1.0, 1.0] if twin.side == 0 else [1.0, -1.0])
                break
            move = rng.choice(board.legal_moves)
            board.push_move(move)
            twin.play(move)
        ends.add(board.outcome().winner)
    assert ends >= {0, 1}


def test_start():
    board = Board(GAME)
    assert board.fen() == ".../.../.../....../.../.../... w 9,9 0"
    assert moves(board) == " ".join(NAMES)
    assert board.legal_actions == list(range(24))
    board.play(["d6", "f4"])
    assert board.fen() == ".../.W./.../....B./.../.../... w 8,8 0"
    with pytest.raises(IllegalActionError, match="'f4' is illegal"):
        board.push_move("f4")


def test_a_mill_removes_a_man_that_stands_in_none():
    board = played("a7 b6 d7 d6 a4 f6")
    assert board.fen() == "WW./BBB/.../W...../.../.../... bx 6,6 0"
    assert (board.to_play, moves(board)) == (1, "xa7 xd7 xa4")
    board.push_move("xd7")
    assert board.to_play == 0
    board.push_move("a1")
    assert (board.to_play, moves(board)) == (0, "xb6 xd6 xf6")  # all are in a mill: any
    board.push_move("xd6")
    assert board.fen() == "W../B.B/.../W...../.../.../W.. b 5,6 0"


def test_a_mill_is_safe_beside_a_man_that_is_not():
    board = board_of(
        """
        W-----W-----.
        | B---B---B |
        | | .-B-. | |
        .-.-.   .-.-W
        | | .-.-. | |
        | .---.---. |
        .-----.-----W
    """,
        "w",
    )
    board.push_move("g4-g7")
    assert moves(board) == "xd5"


def test_two_mills_at_once_remove_one_man():
    board = board_of(
        """
        W-----.-----W
        | B---W---B |
        | | .-W-. | |
        .-B-.   .-.-B
        | | .-.-. | |
        | .---.---. |
        .-----.-----.
    """,
        "w",
        (5, 5),
    )
    board.play(["d7", "xg4"])
    assert board.to_play == 1
    assert "x" not in moves(board)


def test_men_slide_along_the_lines_and_fly_when_three_are_left():
    board = board_of(THREE_EACH, "w", flying=False)
    assert moves(board) == "a7-d7 a7-a4 d5-d6 d5-c5 d5-e5 d2-d3 d2-b2 d2-f2 d2-d1"
    board = board_of(THREE_EACH, "w")
    assert len(board.legal_actions) == 3 * 18
    assert board.legal_actions[:3] == [24 + 1, 24 + 3, 24 + 4]
    board.push_move("a7-f6")
    assert len(board.legal_actions) == 3 * 18


def test_three_men_slide_while_one_is_in_hand():
    """A seat with three men on the board that has more to place does not fly; nor does it slide but in Lasker's game."""
    fen = fen_of(THREE_EACH, "w", (7, 7))
    assert moves(Board(GAME, fen.replace("7,7", "6,6"))) == "d7 b6 d6 f6 c5 e5 a4 b4 c4 e4 g4 c3 d3 e3 b2 f2 a1 d1"
    board = Board(GAME, fen, variant="lasker")
    slides = "a7-d7 a7-a4 d5-d6 d5-c5 d5-e5 d2-d3 d2-b2 d2-f2 d2-d1"
    assert set(board.legal_moves) == {*words("d7 b6 d6 f6 c5 e5 a4 b4 c4 e4 g4 c3 d3 e3 b2 f2 a1 d1"), *slides.split()}
    board.push_move("d2-d1")
    assert board.fen().endswith(" b 7,7 1")


def test_two_men_left_lose():
    board = board_of(
        """
        W-----W-----.
        | .---.---. |
        | | .-W-. | |
        .-.-.   .-.-.
        | | .-.-. | |
        | B---.---B |
        .-----.-----B
    """,
        "w",
    )
    board.play(["d5-g7"])
    assert moves(board) == "xb2 xf2 xg1"
    board.push_move("xb2")
    assert board.is_terminal
    assert (board.outcome().winner, board.reason, board.legal_actions) == (0, Reason.RULES, [])
    assert board.fen() == "WWW/.../.../....../.../..B/..B b 0,0 0"


def test_who_cannot_move_loses():
    assert not board_of(BLOCKED.replace("| .---B---. |", "| .---.---. |"), "w").is_terminal
    board = board_of(BLOCKED, "w", clock=7)
    assert (board.is_terminal, board.outcome().winner, board.returns()) == (True, 1, [-1.0, 1.0])
    assert board_of(BLOCKED, "w", clock=100).outcome().winner == 1  # the last slide of the limit blocks: no draw
    assert not board_of(BLOCKED, "b").is_terminal


SHUTTLE = words("a7-d7 g7-f6 d7-a7 f6-g7")  # of three against three


@pytest.mark.plain(boards=True)
def test_the_third_occurrence_of_a_position_is_a_draw():
    board = board_of(THREE_EACH, "w")
    board.play(SHUTTLE + SHUTTLE[:3])
    assert not board.is_terminal
    board.push_move(SHUTTLE[3])
    assert (board.reason, board.outcome().winner, board.repetitions) == (Reason.REPETITION, None, 3)
    endless = board_of(THREE_EACH, "w", repetition_limit=0, no_mill_limit=0)
    endless.play(SHUTTLE * 100)
    assert not endless.is_terminal
    assert endless.fen() == fen_of(THREE_EACH, "w")


@pytest.mark.plain(boards=True)
def test_the_rules_of_the_study():
    """A loop of four plies ends the game under both; a position that comes back after six under the first alone."""
    longer = words("a7-d7 g7-f6 d7-d6 f6-e5 d6-a7 e5-g7")
    for draw, loop, ending in (("first_repetition", SHUTTLE, True), ("three_action_loop", SHUTTLE, True),
                               ("first_repetition", longer, True), ("three_action_loop", longer, False)):  # fmt: skip
        board = board_of(THREE_EACH, "w", draw=draw)
        board.play(loop[:-1])
        assert not board.is_terminal
        board.push_move(loop[-1])
        assert board.is_terminal == ending
        if ending:
            assert board.reason is Reason.REPETITION
            assert board.returns() == [0.0, 0.0]


def test_the_limit_without_a_mill():
    """Slides and flights count, placing does not; a mill on the last slide of the limit starts anew."""
    board = board_of(THREE_EACH, "w", clock=97)
    board.play(["a7-a1", "g7-f6"])
    assert not board.is_terminal
    board.push_move("a1-a7")
    assert (board.is_terminal, board.outcome().winner, board.reason) == (True, None, Reason.RULES)

    mill = board_of(
        """
        .-----W-----B
        | .---.---. |
        | | .-W-. | |
        .-.-.   .-B-.
        | | .-.-. | |
        | .---W---. |
        .-----.-----B
    """,
        "w",
        clock=99,
    )
    mill.push_move("d2-d6")
    assert mill.fen().endswith(" wx 0,0 0")
    assert mill.legal_moves == ["xg7", "xf4", "xg1"]
    none = board_of(THREE_EACH, "w", no_mill_limit=0, repetition_limit=0)
    none.push_move("a7-a4")
    assert none.fen().endswith(" b 0,0 0")
    short = get_game(GAME, no_mill_limit=1)  # its rules in plain Python, for the one position
    placed = short.from_fen(played("d2 b2 b6 f4 g7 g4 f6 d7 a7 e5 d5 d1 c5 e3 c4 d6 a4 f2").fen())
    slid = type(placed)(*plain(rules.apply)(placed, short.parse_move(placed, "c4-c3")))
    assert [plain(rules.is_terminal)(position) for position in (placed, slid)] == [False, True]
    assert [plain(rules.returns)(slid, seat) for seat in (0, 1)] == [0.0, 0.0]


def test_a_full_board_loses_the_game_of_twelve_for_white():
    marks = "BWBWBBWBWWBWBWBBWBWBWBWW"  # no mill
    names = {mark: [name for name, m in zip(NAMES, marks, strict=True) if m == mark] for mark in "WB"}
    board = Board(GAME, variant="twelve")
    board.play([name for pair in zip(names["W"], names["B"], strict=True) for name in pair])
    assert board.is_terminal
    assert board.outcome().winner == 1
    assert board.fen().endswith(" w 0,0 0")


def test_diagonals_join_the_corners_of_the_game_of_twelve():
    board = Board(GAME, variant="twelve")
    board.play(["a7", "d7", "b6", "d6", "c5"])
    assert moves(board) == "xd7 xd6"
    nine = Board(GAME)
    nine.play(["a7", "d7", "b6", "d6", "c5"])
    assert nine.to_play == 1
