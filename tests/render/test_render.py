"""Boards as text, SVG and pixels."""

import re
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

import boardgym
from boardgym import Board, OptionError
from boardgym.baselines.players.terminal import board_text
from boardgym.core.board_summary import moved_spots, standing, winning_seats
from boardgym.render.glyphs import STROKES
from boardgym.render.pixels import rgb_array
from boardgym.render.svg import background, draw_svg
from boardgym.render.text import draw_text
from tests.support import read

GAMES = [*((game, {}) for game in boardgym.list_games() if boardgym.get_game(game).drawing), ("Othello-v0", {"size": 6})]
SVG = "{http://www.w3.org/2000/svg}"


def played(game, *moves, **options):
    board = Board(game, **options)
    board.play(moves)
    return board


def some_boards(game, options):
    """Boards from the start to the end of a game, or its sixtieth ply."""
    board = Board(game, seed=1, **options)
    boards = [board.copy()]
    while not board.is_terminal and board.ply < 60:
        board.push(board.legal_actions[board.ply % len(board.legal_actions)])
        boards.append(board.copy())
    return boards


def test_text_of_othello():
    assert draw_text(played("Othello-v0", "f5", size=8)).splitlines() == [
        "  a b c d e f g h",
        "1 . . . . . . . .",
        "2 . . . . . . . .",
        "3 . . . . . . . .",
        "4 . . . O X . . .",
        "5 . . . X X[X]. .",
        "6 . . . . . . . .",
        "7 . . . . . . . .",
        "8 . . . . . . . .",
        "discs: 4 black, 1 white",
        "white to play; ply 1 was f5",
    ]


def test_text_of_connect_four_and_of_endings():
    board = played("ConnectFour-v0", "4", "7")
    assert draw_text(board).splitlines()[-3:] == [" . . . x . .[o]", " 1 2 3 4 5 6 7", "x to play; ply 2 was 7"]
    assert draw_text(Board("TicTacToe-v0")).splitlines() == ["3 . . .", "2 . . .", "1 . . .", "  a b c", "x to play"]
    won = played("TicTacToe-v0", "a1", "b1", "a2", "b2", "a3")
    assert draw_text(won).splitlines() == ["3[x]. .", "2 x o .", "1 x o .", "  a b c", "x won; ply 5 was a3"]
    drawn = Board("TicTacToe-v0", "xox/xoo/ox1 x")
    drawn.push_move("c1")
    assert draw_text(drawn).endswith("a draw; ply 1 was c1")


def test_colours_change_no_character():
    board = played("Othello-v0", "f5", "d6")
    coloured = draw_text(board, has_colour=True)
    assert "48;2;47;133;87m" in coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == draw_text(board).splitlines()


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_without_colour_the_sides_differ(game, options):
    """In all three texts a side's characters are its own, but for the number on a stack, whose other men show whose it is."""
    men = set()
    for board in some_boards(game, options):
        placed, drawing = board.game.drawing.pieces(board.position), board.game.drawing
        coloured = re.sub(r"\x1b\[[0-9;]*m", "", draw_text(board, has_colour=True))
        for text in (str(board), coloured, board_text(board, colour=True).plain):
            lines, glyphs = [line.ljust(200) for line in text.splitlines()], {}
            for index, (spot, piece) in enumerate(zip(drawing.spots, placed, strict=True)):
                if piece is not None and piece.kind not in ("card", "die"):
                    is_number = piece.label and placed[index - 1] is not None
                    owner = placed[index - 1] if is_number else piece  # the man below the number
                    assert (owner.colour, owner.label if is_number else "") == (piece.colour, "")
                    if not is_number:
                        glyphs.setdefault(piece.colour, set()).add(lines[spot.row][spot.column])
            assert len(set().union(*glyphs.values())) == sum(map(len, glyphs.values())), glyphs
            men |= set(glyphs)
    assert len(men) == (0 if game == "CardPoints-v0" else board.game.num_seats)


def painted(elements):
    """How many shapes have each colour."""
    shapes = [e for e in elements if e.tag.removeprefix(SVG) != "g"]
    return Counter(colour for e in shapes for colour in {e.get("fill"), e.get("stroke")})


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_svg_shows_every_piece(game, options):
    for board in some_boards(game, options)[::5]:
        drawing = board.game.drawing
        root = ET.fromstring(draw_svg(board))
        bare = ET.fromstring(f'<svg xmlns="{SVG[1:-1]}">{"".join(background(drawing))}</svg>')
        pieces = [piece for piece in drawing.pieces(board.position) if piece is not None]
        drawn, before = painted(root.iter()), painted(bare.iter())
        shapes = Counter(drawing.colours[p.colour] for p in pieces if p.kind not in ("card", "label"))
        if who := winning_seats(board) if board.is_terminal else [board.to_play]:
            shapes[drawing.colours[who[0]]] += 1  # beside the words that say so
        for colour, count in shapes.items():
            assert drawn[colour] - before[colour] == count
        assert len([e for e in root.findall(f"{SVG}g") if e.get("fill") is None]) == len(pieces) + 1
        assert not list(root.iter(f"{SVG}text"))
        assert not [e for e in root.iter() if e.get("id")]  # ids would collide in a notebook


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_text_shows_every_piece(game, options):
    for board in some_boards(game, options)[::5]:
        drawing = board.game.drawing
        lines = [line.ljust(200) for line in draw_text(board).splitlines()]
        for spot, piece in zip(drawing.spots, drawing.pieces(board.position), strict=True):
            expected = drawing.template[spot.row].ljust(200)[spot.column] if piece is None else piece.symbol
            assert lines[spot.row][spot.column] == expected
        for marked, bare in zip(lines, str(board).splitlines(), strict=False):
            assert all(a == b or a in "[]" for a, b in zip(marked, bare.ljust(200), strict=True))


def test_the_last_move_is_what_was_played_not_what_it_turned():
    board = played("Othello-v0", "f5")
    assert moved_spots(board) == {4 * 8 + 5}
    assert moved_spots(Board("Othello-v0")) == set()


def test_every_character_of_the_drawings_has_strokes():
    for game, options in GAMES:
        for board in some_boards(game, options)[::7]:
            drawing = board.game.drawing
            texts = [shape.text for shape in drawing.backdrop] + list(drawing.notes(board.position))
            texts += [piece.label for piece in drawing.pieces(board.position) if piece]
            assert set("".join(texts)) <= set(STROKES) | {" "}


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_pictures_say_who_is_to_play_and_count(game, options):
    for board in some_boards(game, options)[::9]:
        texts = read(ET.fromstring(draw_svg(board)))
        below = standing(board) + "".join(board.game.drawing.notes(board.position))
        assert "".join(texts).endswith(below.replace(" ", ""))
    board = played("Othello-v0", "f5")
    assert read(ET.fromstring(draw_svg(board)))[-2:] == ["whitetoplay", "discs:4black,1white"]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_texts_can_be_read_in_small_pictures(game, options):
    for board in some_boards(game, options)[::9]:
        svg = draw_svg(board, width=320)
        pixels = 320 / float(re.search(r'viewBox="0 0 (\S+)', svg)[1])
        digits = [6 * float(scale) * pixels for scale in re.findall(r"scale\(([\d.]+)\)", svg)]
        assert min(digits) > 6
        values = dict.fromkeys(board.legal_actions, 0.25)
        tags = draw_svg(board, width=320, values=values).removeprefix(svg.removesuffix("</svg>"))
        assert all(6 * float(scale) * pixels > 5 for scale in re.findall(r"scale\(([\d.]+)\)", tags))


def lines_of(board):
    """The lines across the pieces that won, as the pairs of numbers of their ends."""
    return re.findall(r'<path d="M(\S+) (\S+)L(\S+) (\S+)" stroke="#22252a"', draw_svg(board))


def test_lines_that_win_are_drawn():
    assert lines_of(played("TicTacToe-v0", "a1", "b1", "a2", "b2")) == []
    won = played("TicTacToe-v0", "a1", "b1", "a2", "b2", "a3")
    x, top, bottom = 34 + 32, 14 + 32 - 22, 14 + 160 + 22
    assert lines_of(won) == [(f"{x:.2f}", f"{top:.2f}", f"{x:.2f}", f"{bottom:.2f}")]
    assert read(ET.fromstring(draw_svg(won)))[-1] == "xwon"
    twice = Board("TicTacToe-v0", "xox/o1o/xox x")
    assert lines_of(twice) == []
    twice.push_move("b2")
    assert len(lines_of(twice)) == 2


def test_lines_of_connect_four_are_those_of_its_rules():
    rng, wins = np.random.default_rng(5), 0
    for _ in range(40):
        board = Board("ConnectFour-v0")
        while not board.is_terminal:
            assert not board.game.drawing.lines(board.position)
            board.push(int(rng.choice(board.legal_actions)))
        lines, cells = board.game.drawing.lines(board.position), board.game.drawing.pieces(board.position)
        assert bool(lines) == bool(winning_seats(board))
        for first, last in lines:
            steps = max(abs(last // 7 - first // 7), abs(last % 7 - first % 7))
            across = [cells[first + (last - first) // steps * k] for k in range(steps + 1)]
            assert steps >= 3
            assert {piece.colour for piece in across} == set(winning_seats(board))
        wins += bool(lines)
    assert wins > 30


@pytest.mark.parametrize("game", ["Abalone-v0", "Abalone3-v0"])
def test_arrowheads_show_the_moves_of_abalone_one_by_one(game):
    for board in some_boards(game, {})[::6]:
        svg = "".join(
            ET.tostring(e, "unicode")
            for e in list(ET.fromstring(draw_svg(board, legal=True)))[len(ET.fromstring(draw_svg(board))) :]
        )
        heads = [
            np.array(corners, float).reshape(3, 2).mean(0)
            for corners in re.findall(r'd="M(\S+) (\S+)L(\S+) (\S+)L(\S+) (\S+)Z"', svg)
        ]
        joins = re.findall(r'd="M\S+ \S+L\S+ \S+" stroke="#7', svg)
        lengths = [len(board.move_text(action)) // 2 for action in board.legal_actions]
        in_line = lengths.count(2)
        pairs = sum(len(board.game.drawing.steps(board.position, action)) == 2 for action in board.legal_actions)
        assert (len(heads), len(joins)) == (in_line, pairs)
        apart = [np.hypot(*(a - b)) for i, a in enumerate(heads) for b in heads[:i]]
        assert min(apart) > 13  # none lies on another


def test_coordinates_are_on_the_side_of_the_first_rank():
    def label_heights(game):
        svg = f'<svg xmlns="{SVG[1:-1]}">{"".join(background(boardgym.get_game(game).drawing))}</svg>'
        groups = [e for e in ET.fromstring(svg).iter(f"{SVG}g") if e.get("stroke-width") == "0.8"]
        return [float(e[0].get("transform").split("(")[1].split()[1].rstrip(")")) for e in groups]

    assert len(label_heights("Othello-v0")) == 16
    assert min(label_heights("Othello-v0")[:8]) < 34
    assert len(label_heights("ConnectFour-v0")) == 7
    assert min(label_heights("ConnectFour-v0")) > 6 * 64


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_pixels_have_one_size_and_differ(game, options):
    boards = some_boards(game, options)
    pictures = [rgb_array(board) for board in boards[:: max(1, len(boards) // 5)]]
    assert {(p.shape, p.dtype, p.shape[2]) for p in pictures} == {(pictures[0].shape, np.dtype(np.uint8), 3)}
    assert len({p.tobytes() for p in pictures}) > 1
    assert (pictures[0] == rgb_array(boards[0])).all()
    small = rgb_array(boards[0], width=120)
    assert small.shape[1] == 120


def test_pixels_carry_the_colours():
    board = played("Othello-v0", "f5")
    picture = rgb_array(board)
    cell, left, top = 64, 34, 34

    def at(row, column):
        return picture[top + row * cell + 32 - 22, left + column * cell + 32].tolist()  # inside the disc, outside its ring

    assert at(4, 5) == [0x1B, 0x1B, 0x1B]
    assert at(3, 3) == [0xF6, 0xF4, 0xEE]
    assert picture[top + 20, left + 20].tolist() == [0x2F, 0x85, 0x57]


def test_a_game_without_a_drawing():
    import dataclasses

    game = dataclasses.replace(boardgym.get_game("TicTacToe-v0"), drawing=None)
    board = Board(game)
    assert draw_text(board) == "3/3/3 x\nx to play"
    assert board._repr_svg_() is None
    with pytest.raises(OptionError, match="no drawing"):
        rgb_array(board)


def test_notebooks_show_the_picture():
    board = Board("TicTacToe-v0")
    assert board._repr_svg_() == draw_svg(board)
    assert ET.fromstring(draw_svg(board, width=100)).get("width") == "100"
