"""Drawings of other boards than rows and columns: hexagons, cards, dice, stacks; and what is laid over them."""

import dataclasses
import math
import re
import types
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import boardgym
from boardgym import Board
from boardgym.core.board_summary import last_ply, moved_spots, status, winners
from boardgym.core.drawing import Drawing, Piece, Shape, Spot
from boardgym.games.tic_tac_toe import cells
from boardgym.render.animation import frames
from boardgym.render.pixels import rgb_array
from boardgym.render.svg import PIECE, board_parts, draw_svg, page_size
from boardgym.render.text import draw_text
from boardgym.testing.dice import DICE

SVG = "{http://www.w3.org/2000/svg}"
HEXES = [(0, 0), (0, 1), (1, -1), (1, 0), (1, 1), (2, -1), (2, 0), (2, 1), (2, 2)]  # row, place in it: nine, as tic-tac-toe
MEN = (None, Piece("disc", 0, "B"), Piece("disc", 1, "W", "7"))


def cells_of(position: Any) -> list[int]:
    return [int(cell) for cell in cells(position).flat]


def marks_of(position: Any) -> int:
    """How many marks the first seat has."""
    return cells_of(position).count(1)


def hex_drawing(**fields: Any) -> Drawing:
    """A board of hexagons over the nine cells of tic-tac-toe, the second seat's men with a label."""
    spots = tuple(Spot(110 + 56 * c + 28 * (r % 2), 50 + 49 * r, 2 * r, 6 + 4 * c + 2 * (r % 2)) for r, c in HEXES)
    corners = [(math.sin(k * math.pi / 3) * 32, math.cos(k * math.pi / 3) * 32) for k in range(6)]
    backdrop = [
        Shape("polygon", tuple(n for dx, dy in corners for n in (spot.x + dx, spot.y + dy)), "#d9c49a", "#8a6d3b", 2.0)
        for spot in spots
    ]
    backdrop.append(Shape("text", (20.0, 50.0, 15.0), "#333333", text="c"))
    template = ("c     .---.", "     / \\ / \\", "b   .   .   . ", "", "a . - . - . - .")

    def pieces(position: Any) -> list[Piece | None]:
        return [MEN[cell] for cell in cells_of(position)]

    return Drawing(
        (260.0, 200.0), spots, pieces, template, tuple(backdrop), ("#1b1b1b", "#f6f4ee"), "#d9c49a", "#8a6d3b", **fields
    )


def card_drawing(**fields: Any) -> Drawing:
    """Cards, a card's back, dice and labels where tic-tac-toe has its nine cells."""
    spots = tuple(Spot(40 + 64 * (i % 3), 50 + 84 * (i // 3), i // 3, 1 + 3 * (i % 3)) for i in range(9))
    kinds = [
        ("card", "Q"),
        ("card", "10"),
        ("card", ""),
        ("die", "3"),
        ("die", "6"),
        ("die", "5"),
        ("label", "x12"),
        ("square", ""),
        ("ring", ""),
    ]

    def pieces(position: Any) -> list[Piece | None]:
        taken = cells_of(position)
        return [
            Piece(kind, taken[i] - 1, label[:1] or "#", label) if taken[i] else None for i, (kind, label) in enumerate(kinds)
        ]

    template = (" .  .  . ", " .  .  . ", " .  .  . ")
    return Drawing((210.0, 270.0), spots, pieces, template, (), ("#a02020", "#205090"), "#ffffff", "#888888", **fields)


def game_with(drawing: Drawing) -> boardgym.Game:
    return dataclasses.replace(boardgym.get_game("TicTacToe-v0"), drawing=drawing)


def to_cell(position: Any, action: int) -> tuple[int, ...]:
    return (action,)


def from_centre(position: Any, action: int) -> tuple[int, ...]:
    return (4, action)


def root_of(board: Board, **overlays: Any) -> ET.Element:
    return ET.fromstring(draw_svg(board, **overlays))


def middle_of(rect: ET.Element) -> tuple[float, float]:
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    return x + width / 2, y + height / 2


def test_text_of_a_hex_board():
    board = Board(game_with(hex_drawing()))
    board.play(["a3", "c2"])
    assert draw_text(board).splitlines() == [
        "c     B---.",
        "     / \\ / \\",
        "b   .   .   .",
        "",
        "a[W]- . - . - .",
        "x to play; ply 2 was c2",
    ]


def test_brackets_replace_lines_and_leave_letters():
    drawing = hex_drawing()
    board = Board(game_with(dataclasses.replace(drawing, template=("c     .x--.", *drawing.template[1:]))))
    board.push_move("a3")
    assert draw_text(board).splitlines()[0] == "c    [Bx--."
    board.push_move("b3")
    assert draw_text(board).splitlines()[0] == "c     Bx-[W]"


def test_every_kind_of_piece_is_drawn():
    board = Board(game_with(card_drawing()))
    drawn = []
    for count, action in enumerate((0, 1, 2, 4, 3, 5, 7, 6, 8), 1):
        board.push(action)
        drawn.append("".join(part for layer, part in board_parts(board) if layer == PIECE))
        assert len(ET.fromstring(f"<svg>{drawn[-1]}</svg>")) == count
    assert len(set(map(len, drawn))) == 9
    circles = [e for e in root_of(board).iter(f"{SVG}circle") if e.get("r") == "3.7"]
    assert len(circles) == 3 + 6 + 5  # pips


@pytest.mark.parametrize("broken", [Piece("disk", 0, "x"), Shape("star", (1.0, 2.0))], ids=["piece", "shape"])
def test_unknown_kinds_are_refused(broken):
    drawing = hex_drawing()
    if isinstance(broken, Piece):
        drawing = dataclasses.replace(drawing, pieces=lambda position: [broken] * 9)
    else:
        drawing = dataclasses.replace(drawing, backdrop=(broken,))
    with pytest.raises(ValueError, match=r"di|star"):
        draw_svg(Board(game_with(drawing)))


def test_dice_are_not_marked_and_an_emptied_spot_is():
    board = Board(game_with(card_drawing()))
    board.push(4)
    assert moved_spots(board) == set()
    board.push(0)
    assert moved_spots(board) == {0}
    drawing = hex_drawing()
    moving = dataclasses.replace(drawing, pieces=lambda p: [MEN[1] if i == marks_of(p) else None for i in range(9)])
    board = Board(game_with(moving))
    board.push(0)
    assert moved_spots(board) == {0, 1}
    assert draw_text(board).splitlines()[0] == "c    [.]-[B]"
    rings = [e for e in root_of(board).iter(f"{SVG}circle") if e.get("stroke-opacity") == "0.75"]
    assert [(e.get("cx"), e.get("cy")) for e in rings] == [("110", "50")]


def test_notes_have_their_place_in_every_picture():
    drawing = hex_drawing(notes=lambda p: tuple(f"note {i}: J/Q (+1)" for i in range(marks_of(p))), note_lines=2)
    board = Board(game_with(drawing))
    assert page_size(drawing) == (260.0, 280.0)  # three lines of 1.8 times 14, and a little, an even number
    sizes, written = set(), []
    for action in (0, 1, 2, 4, 3, 5, 7):
        board.push(action)
        sizes.add(rgb_array(board).shape)
        written.append(draw_svg(board).count("<path"))
        assert "note 0: J/Q (+1)" in draw_text(board)
        assert str(board).endswith(draw_text(board).splitlines()[-2])
        for transform in re.findall(r"translate\(([-\d.]+) ([-\d.]+)\)", draw_svg(board)):
            assert 0 <= float(transform[0]) <= 260
            assert 0 <= float(transform[1]) <= page_size(drawing)[1]
    assert len(sizes) == 1
    assert written[-1] > written[0]  # four notes share two lines


def test_legal_actions_are_dots_or_arrows():
    board = Board(game_with(hex_drawing(action_spots=to_cell)))
    board.push(0)
    bare = len(root_of(board))
    assert len(root_of(board, legal=True)) == bare + 8
    board = Board(game_with(hex_drawing(action_spots=from_centre)))
    marks = list(root_of(board, legal=True))[len(root_of(board)) :]
    assert [e.tag for e in marks].count(f"{SVG}g") == 8  # arrows, and a dot from the centre to itself
    assert len(marks) == 9
    assert len(root_of(Board(game_with(hex_drawing())), legal=True)) == len(root_of(Board(game_with(hex_drawing()))))


def test_values_are_written_where_actions_lead():
    board = Board(game_with(hex_drawing(action_spots=to_cell)))
    bare = len(root_of(board))
    root = root_of(board, values={0: 0.5, 3: -1.0, 8: -0.0})
    marks = list(root)[bare:]
    tags = {middle_of(e): e for e in marks if e.tag == f"{SVG}rect"}
    assert set(tags) == {(110, 50), (138, 99), (222, 148)}
    assert len(marks) == 6  # the others are numbers: nothing is round, as pieces are
    assert tags[138, 99].get("fill") == "#c0392b"  # the worst is red, the best framed
    assert [middle for middle, e in tags.items() if e.get("stroke-width") == "5"] == [(110, 50)]


def test_only_the_best_arrows_are_shown():
    board = Board(game_with(hex_drawing(action_spots=from_centre)))
    marks = list(root_of(board, values={a: a / 10 for a in range(9) if a != 4}))[len(root_of(board)) :]
    assert len([e for e in marks if e.get("opacity")]) == 3
    large = root_of(board, values={0: 2048.0, 1: -12.0})
    assert len(list(large)) > len(root_of(board))


def dice_pieces(position: Any) -> list[Piece | None]:
    """A row of cells for each seat's token, then the die."""
    row: list[Piece | None] = [None] * 19
    for seat in (0, 1):
        row[9 * seat + (position.own if seat == position.seat else position.other)] = MEN[1 + seat]
    row[18] = Piece("die", 1, str(position.die), str(position.die)) if position.die else None
    return row


def test_the_last_move_is_a_seats_whatever_was_rolled_since():
    spots = tuple(Spot(40.0 + 60 * (i % 9), 40.0 + 60 * (i // 9), i // 9, 1 + 2 * (i % 9)) for i in range(19))
    template = (" ." * 9, " ." * 9, " .")
    drawing = Drawing((600.0, 200.0), spots, dice_pieces, template, (), ("#101010", "#f0f0f0"), "#ffffff", "#888888")
    board = Board(dataclasses.replace(DICE, drawing=drawing), seed=1)
    assert board.actions != []  # a roll
    assert (last_ply(board), moved_spots(board)) == (None, set())
    die = board.position.die
    board.push_move("up")
    assert moved_spots(board) == {0, die}
    assert status(board) == "player_1 to play; ply 1 was up"
    assert draw_text(board).splitlines()[2] == f" {board.position.die}"
    assert [frame.ply for frame in frames(board)] == [0, 1]
    by_hand = Board(board.game, auto_roll=False)
    assert status(by_hand) == "chance to play"
    rgb_array(by_hand)


def test_status_of_one_seat_and_of_ties():
    board = Board("TicTacToe-v0")
    board.play(["a1", "b1", "a2", "b2", "a3"])
    assert status(board) == "x won; ply 5 was a3"
    board.game = dataclasses.replace(board.game, num_seats=1)
    assert status(board) == "the end, return 1; ply 5 was a3"
    tie = types.SimpleNamespace(game=boardgym.get_game("TicTacToe-v0"), returns=lambda: [1.0, 1.0, -2.0])
    assert winners(tie) == "x and o"
