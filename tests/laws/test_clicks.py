"""Every game can be played by clicks alone: the rule of the board component reaches each action, in random games of each."""

import json
import random
from collections.abc import Iterator

import pytest

import boardgym
from boardgym import Board, describe_board, describe_game, set_up, why_not
from tests.variants import every_game, every_variant

ASKING = {"Backgammon-v0"}  # the games in which several actions are clicked alike, so that the page asks which


def some_boards(game: str, options: dict, *, plies: int = 70, every: int = 2) -> Iterator[Board]:
    """One board at positions of two random games, none of them over."""
    for seed in (1, 2):
        board, rng = Board(game, seed=seed, compiled=False, **options), random.Random(seed)
        for ply in range(plies):
            if board.is_terminal:
                break
            if ply % every == 0:
                yield board
            board.push(rng.choice(board.legal_actions))


def clicked(actions: list[dict], places: list[int]) -> set[int] | None:
    """What clicking these places one after another plays: an action, or those among which the page asks.

    None if a click is refused, or something is played before the last, or nothing after it.
    """
    for count in range(1, len(places) + 1):
        begun = [(way, each["action"]) for each in actions for way in each["clicks"] if way[:count] == places[:count]]
        complete = {action for way, action in begun if len(way) == count}
        if not begun or (complete and count < len(places)):
            return None
        if complete and all(len(way) == count for way, _ in begun):
            return complete
    return None


def is_choice(board: Board, actions: set[int]) -> bool:
    """Whether actions that are clicked alike are those that they may be: a man borne off by one die or another."""
    return board.game.id in ASKING and len({board.move_text(action).split(":")[0] for action in actions}) == 1


@every_variant
def test_every_action_is_reached_by_clicks(case):
    asked = 0
    for board in some_boards(*case):
        actions = describe_board(board)["actions"]
        assert [each["action"] for each in actions] == sorted(board.legal_actions)
        for each in actions:
            assert bool(each["clicks"]) == (each["action"] != board.game.pass_action)
            for way in each["clicks"]:
                reached = clicked(actions, way)
                assert reached == {each["action"]} or (each["action"] in reached and is_choice(board, reached))
                asked += len(reached) > 1
    assert not asked or case[0] in ASKING


def test_the_page_asks_by_which_die_a_man_is_borne_off():
    board = Board("Backgammon-v0", "-AA-------------------a--- x 53", compiled=False)
    state, names = describe_board(board), [place["name"] for place in describe_game("Backgammon-v0")["places"]]
    said = {each["move"]: [[names[place] for place in way] for way in each["clicks"]] for each in state["actions"]}
    assert said == {"2/off": [["2", "off"]], "2/off:5": [["2", "off"]]}
    assert clicked(state["actions"], [1, 25]) == set(board.legal_actions)


@every_variant
def test_a_click_that_plays_nothing_is_explained(case):
    rng, places = random.Random(5), len(describe_game(case[0], **case[1])["places"])
    for board in some_boards(*case, plies=60, every=6):
        ways = [way for each in describe_board(board)["actions"] for way in each["clicks"]]
        for _ in range(12):
            begun = rng.choice(ways) if ways else [0]
            chosen = [*begun[: rng.randrange(len(begun))], rng.randrange(places)]
            is_move = any(way[: len(chosen)] == chosen for way in ways)
            assert bool(why_not(board, chosen)) != is_move


@every_variant
def test_descriptions_are_plain_data_that_fits_together(case):
    game = describe_game(case[0], **case[1])
    assert json.loads(json.dumps(game)) == game
    roles = {shape[paint] for shape in game["shapes"] for paint in ("fill", "stroke")} - {"none"}
    assert roles <= set(game["palette"])
    assert len(game["place_of_spot"]) == len(game["spots"])
    for (x, y), place in zip(game["spots"], game["place_of_spot"], strict=True):
        if place >= 0:
            assert is_within(game["places"][place]["area"], x, y)
    for board in some_boards(*case, plies=60, every=10):
        state = describe_board(board)
        assert json.loads(json.dumps(state)) == state
        assert len(state["pieces"]) == len(game["spots"])
        assert all(f"piece-{piece['colour']}" in game["palette"] for piece in state["pieces"] if piece)
        places = {place for each in state["actions"] for way in each["clicks"] for place in way}
        assert places <= set(range(len(game["places"])))
        assert state["fen"] == board.fen()
        assert state["winning"] == []


def is_within(area: dict, x: float, y: float) -> bool:
    """Whether a point lies in the area of a place."""
    if area["kind"] == "circle":
        middle_x, middle_y, radius = area["numbers"]
        return (x - middle_x) ** 2 + (y - middle_y) ** 2 <= radius**2
    left, top, width, height = area["numbers"]
    return left <= x <= left + width and top <= y <= top + height


@every_game
def test_the_arrow_keys_lead_from_every_place_to_every_other(game):
    places = describe_game(game)["places"]
    for start in range(len(places)):
        reached, todo = {start}, [start]
        while todo:
            beside = set(places[todo.pop()]["neighbours"]) - {-1} - reached
            reached |= beside
            todo += beside
        assert len(reached) == len(places)
    names = [place["name"] for place in places]
    assert len(set(names)) == len(names)


@every_variant
def test_a_position_is_set_up_from_its_pieces(case):
    brush = describe_game(case[0], **case[1])["brush"]
    if brush is None:
        assert case[0] in ("Backgammon-v0", "CardPoints-v0")
        with pytest.raises(boardgym.OptionError, match="no pieces to set up"):
            set_up(case[0], [], 0, **case[1])
        return
    again = Board(case[0], compiled=False, **case[1])
    for board in some_boards(*case, plies=90, every=3):
        state = describe_board(board)
        kinds = [0 if piece is None else 1 + brush.index(piece) for piece in state["pieces"]]
        again.set_position(set_up(case[0], kinds, board.to_play, **case[1]))
        assert (describe_board(again)["pieces"], again.to_play) == (state["pieces"], board.to_play)
