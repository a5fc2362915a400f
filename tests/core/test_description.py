"""Games and boards as JSON data: what every game gets for free, games without a drawing, and requests that cannot be met."""

import dataclasses
import hashlib
import json

import numpy as np
import pytest

import boardgym
from boardgym import Board, Controls, OptionError, Shape, Spot, describe_board, describe_game, grid_drawing, set_up, why_not
from boardgym.core.drawing import Drawing
from boardgym.core.places import places_at
from boardgym.games.tic_tac_toe import action_cells, cells
from tests.support import ROOT, run_python

TIC_TAC_TOE = boardgym.get_game("TicTacToe-v0")


def drawn_as(drawing, **fields):
    """Tic-tac-toe with another drawing."""
    return dataclasses.replace(TIC_TAC_TOE, drawing=drawing, **fields)


def users_drawing(**fields):
    """A grid as a user's game gives it, with nothing about clicks."""
    return grid_drawing((3, 3), cells, ".xo", ("red", "#00f"), "white", "black", **fields)


def test_a_board_in_words():
    board = Board("TicTacToe-v0", compiled=False)
    board.play(["a1", "b2", "a2"])
    state = describe_board(board)
    assert state == {
        "fen": "3/xo1/x2 o",
        "ply": 3,
        "to_play": 1,
        "status": "o to play",
        "last_move": "a2",
        "pieces": [None] * 3
        + [{"kind": "cross", "colour": 0, "label": ""}, {"kind": "ring", "colour": 1, "label": ""}, None]
        + [{"kind": "cross", "colour": 0, "label": ""}, None, None],
        "moved": [3],
        "winning": [],
        "lines": [],
        "notes": [],
        "actions": [
            {"action": action, "move": move, "clicks": [[action]]}
            for action, move in ((0, "a3"), (1, "b3"), (2, "c3"), (5, "c2"), (7, "b1"), (8, "c1"))
        ],
        "moves": ["a1", "b2", "a2"],
        "outcome": None,
    }
    board.play(["c3", "a3"])
    state = describe_board(board)
    assert (state["to_play"], state["status"], state["actions"]) == (None, "x won", [])
    assert (state["winning"], state["lines"]) == ([0, 3, 6], [[0, 6]])
    assert state["outcome"] == {"returns": [1.0, -1.0], "reason": "rules"}
    assert why_not(board, [1]) == "the game is over: x won"


def test_a_game_in_words():
    game = describe_game("ConnectFour-v0", width=5, height=4)
    assert (game["id"], game["title"], game["seats"]) == ("ConnectFour-v0", "Connect Four", ["x", "o"])
    assert game["options"] == {"width": 5, "height": 4}
    assert game["size"] == [5 * 64 + 28, 4 * 64 + 48]
    assert game["palette"] == {
        "piece-0": "#d9483b",
        "piece-1": "#f2c230",
        "board": "#2b5fa5",
        "line": "#1d447a",
        "ink": "#5b6169",
        "hole": "#eef2f8",
    }
    assert game["shapes"][0]["fill"] == "line"
    assert game["shapes"][2] == {
        "kind": "circle", "numbers": [46.0, 46.0, 25.0], "fill": "hole", "stroke": "line", "width": 2.0, "text": "",
    }  # fmt: skip
    assert game["places"][1] == {
        "name": "2",
        "area": {"kind": "rect", "numbers": [78.0, 14.0, 64.0, 256.0]},
        "middle": [110.0, 142.0],
        "neighbours": [-1, 2, -1, 0],
    }
    assert game["place_of_spot"] == [0, 1, 2, 3, 4] * 4
    assert game["brush"] == [{"kind": "hole", "colour": colour, "label": ""} for colour in (0, 1)]


OTHER_PROCESS = """
import hashlib, importlib.util, json, sys
import boardgym

said = []
for name in boardgym.list_games():
    board = boardgym.Board(name, seed=3, compiled=False)
    for _ in range(6):
        board.push(board.legal_actions[0])
    said.append([boardgym.describe_game(name), boardgym.describe_board(board)])
digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
found = importlib.util.spec_from_file_location("users_nim", sys.argv[1])
found.loader.exec_module(importlib.util.module_from_spec(found))
board = boardgym.Board("Nim-v0", compiled=False)
board.push(1)
print(json.dumps([digest, boardgym.describe_game("Nim-v0"), boardgym.describe_board(board)]))
"""


def test_another_process_says_the_same_and_plays_a_game_without_a_drawing(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(OTHER_PROCESS, encoding="utf-8")
    nim = ROOT / "tests" / "cli" / "users_nim.py"
    digest, game, state = json.loads(run_python(str(script), str(nim), cache=tmp_path).stdout)
    said = []
    for name in [name for name in boardgym.list_games() if boardgym.get_game(name).position_class.__module__ in OURS]:
        board = Board(name, seed=3, compiled=False)
        for _ in range(6):
            board.push(board.legal_actions[0])
        said.append([describe_game(name), describe_board(board)])
    assert digest == hashlib.sha256(json.dumps(said).encode()).hexdigest()
    empty = {key: [] for key in ("shapes", "spots", "places", "place_of_spot")}
    assert game == {
        "id": "Nim-v0", "title": "Nim", "options": {}, "seats": ["player_0", "player_1"],
        "size": [0.0, 0.0], "palette": {}, "brush": None, **empty,
    }  # fmt: skip
    assert (state["fen"], state["to_play"], state["moves"], state["last_move"]) == ("13 1", 1, ["take2"], "take2")
    assert state["actions"] == [{"action": n, "move": f"take{n + 1}", "clicks": []} for n in range(3)]
    assert (state["pieces"], state["moved"], state["winning"], state["lines"], state["notes"]) == ([], [], [], [], [])


OURS = {boardgym.get_game(name).position_class.__module__ for name in boardgym.list_games()}


def test_a_users_grid_has_named_places_and_clicks_for_free():
    game = drawn_as(users_drawing(action_cells=action_cells))
    said, state = describe_game(game), describe_board(Board(game, compiled=False))
    assert [place["name"] for place in said["places"]] == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert said["places"][4]["neighbours"] == [1, 5, 7, 3]
    assert [each["clicks"] for each in state["actions"]] == [[[cell]] for cell in range(9)]
    board = Board(game, "3/1x1/3 o", compiled=False)
    assert why_not(board, [4]) == "no legal move begins at b2"
    assert why_not(board, [0, 1]) == "no legal move goes from a3 to b3"
    assert said["brush"] is None
    with pytest.raises(OptionError, match="no pieces to set up"):
        set_up(game, [0] * 9, 0)


def test_a_users_grid_without_cells_of_actions_is_played_from_a_list():
    board = Board(drawn_as(users_drawing()), compiled=False)
    assert [each["clicks"] for each in describe_board(board)["actions"]] == [[]] * 9
    assert why_not(board, [0]) == "the moves of Tic-tac-toe have no places on the board: choose one of the list"


def test_wide_grids_have_names_too():
    drawing = grid_drawing((1, 28), np.array, ".x", ("red",), "white", "black")
    assert [place.name for place in drawing.places][24:] == ["y1", "z1", "271", "281"]


def test_colours_of_a_backdrop_get_roles():
    shapes = (Shape("rect", (0, 0, 9, 9, 0), "#123456", "line"), Shape("circle", (1, 1, 1), "tan", "#123456"))
    drawing = Drawing((64.0, 64.0), (), lambda position: [], (), shapes, ("red",), "white", "black", shades={"shade-1": "grey"})
    game = describe_game(drawn_as(drawing))
    assert [(shape["fill"], shape["stroke"]) for shape in game["shapes"]] == [("shade-2", "line"), ("shade-3", "shade-2")]
    assert game["palette"] == {
        "piece-0": "red", "board": "white", "line": "black", "ink": "#5b6169",
        "shade-1": "grey", "shade-2": "#123456", "shade-3": "tan",
    }  # fmt: skip


def test_a_drawing_says_what_is_clicked():
    spots = tuple(Spot(40.0 + 60 * k, 40.0, 0, 2 * k) for k in range(9))
    plain = Drawing((600.0, 80.0), spots, lambda p: [None] * 9, ("." * 17,), (), ("red", "blue"), "white", "black")

    def spots_of(position, action):
        return (action, action, 8 - action)

    board = Board(drawn_as(dataclasses.replace(plain, action_spots=spots_of)), compiled=False)
    assert [each["clicks"] for each in describe_board(board)["actions"]][2:5] == [[[2, 6]], [[3, 5]], [[4]]]
    halves = Controls(places_at([(280.0, 40.0), (400.0, 40.0)], ["left", "right"], (9.0, 9.0)), (), None, (0,) * 4 + (-1,) * 5)
    board = Board(drawn_as(dataclasses.replace(plain, action_spots=spots_of, controls=halves)), compiled=False)
    assert [each["clicks"] for each in describe_board(board)["actions"]] == [[[0]]] * 4 + [[]] + [[[0]]] * 4
    assert describe_game(board.game)["place_of_spot"] == [0, 0, 0, 0, -1, -1, -1, -1, -1]


def test_neighbours_are_the_nearest_in_each_direction():
    cross = places_at([(0.0, 0.0), (10.0, 0.0), (3.0, 20.0), (-3.0, 20.0), (100.0, 90.0)])
    assert [place.name for place in cross] == ["1", "2", "3", "4", "5"]
    assert cross[0].numbers == (0.0, 0.0, 3.0)  # half of the least distance, so that no two overlap
    assert cross[0].neighbours == (-1, 1, 2, -1)  # of two as near below, the right one
    assert cross[2].neighbours == (0, 4, -1, 3)  # 5 is 36 degrees off: nothing is nearer to the right
    assert cross[3].neighbours == (0, 2, -1, -1)


@pytest.mark.parametrize("places", [[], [9], [-1], [0, "a"], [True], [0.0]])
def test_clicks_on_no_place_are_refused(places):
    with pytest.raises(OptionError, match="expected one or more of the places 0 to 8 of TicTacToe-v0"):
        why_not(Board("TicTacToe-v0", compiled=False), places)


def test_a_game_without_places_has_no_clicks_to_explain():
    with pytest.raises(OptionError, match="TicTacToe-v0 has no places to click"):
        why_not(Board(drawn_as(None), compiled=False), [0])


def test_chance_is_not_clicked():
    board = Board("Backgammon-v0", auto_roll=False, compiled=False)
    state = describe_board(board)
    assert (state["to_play"], state["actions"], state["outcome"]) == (-1, [], None)
    assert why_not(board, [0]) == "chance is to act first"


@pytest.mark.parametrize(
    ("kinds", "seat", "said"),
    [
        ([0] * 8, 0, "expected 9 numbers, one a spot of TicTacToe-v0, each 0 to 2"),
        ([3] + [0] * 8, 0, "each 0 to 2"),
        (["x"] + [0] * 8, 0, "each 0 to 2"),
        ([0] * 9, 2, "seat 2: expected 0 to 1"),
        ([0] * 9, True, "seat True: expected 0 to 1"),
    ],
)
def test_set_ups_of_no_board_are_refused(kinds, seat, said):
    with pytest.raises(OptionError, match=said):
        set_up("TicTacToe-v0", kinds, seat)
