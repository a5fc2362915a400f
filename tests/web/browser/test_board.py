"""<boardgym-board> in a browser: each game played to its end by clicks, by keys, by drags and by typed moves."""

import random
from collections import deque

import pytest
from axe_playwright_python.sync_playwright import Axe

from boardgym import Board, list_games
from boardgym.core.description import describe_game
from tests.web.browser.table import Table

SHORT = {  # options with which games played at random end soon
    "Abalone-v0": {"lost_black": 5, "lost_white": 5, "no_push_limit": 12},
    "Abalone3-v0": {"no_push_limit": 12},
    "NineMensMorris-v0": {"no_mill_limit": 10},
    "Othello-v0": {"size": 6},
}
ARROWS = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")


def new_board(game, **options):
    """Rules that run as Python: no kernels are compiled."""
    return Board(game, seed=3, compiled=False, **options)


@pytest.mark.parametrize("game", list_games())
def test_a_game_to_its_end_by_clicks(page, game):
    table = Table(page, new_board(game, **SHORT.get(game, {})))
    draw = random.Random(5)
    while not table.board.is_terminal:
        action = draw.choice(table.state["actions"])
        table.click_action(action, draw.randrange(max(len(action["clicks"]), 1)))
        table.push(action)
    assert table.state["status"] in table.text()
    table.click(0)
    assert [name for name, _ in table.told()] == ["refused"]


def keys_to(game, start, end):
    """The arrow keys from a place to another."""
    ways = {start: []}
    queue = deque([start])
    while end not in ways:
        place = queue.popleft()
        for key, to in zip(ARROWS, game["places"][place]["neighbours"], strict=True):
            if to >= 0 and to not in ways:
                ways[to] = [*ways[place], key]
                queue.append(to)
    return ways[end]


@pytest.mark.parametrize("game", ["TicTacToe", "NineMensMorris"])
def test_a_game_by_keyboard_alone(page, game):
    table = Table(page, new_board(game, **SHORT.get(f"{game}-v0", {})))
    draw = random.Random(2)
    page.keyboard.press("Tab")
    at = int(page.evaluate("board.renderRoot.activeElement.dataset.place"))
    while not table.board.is_terminal:
        action = draw.choice(table.state["actions"])
        for place in action["clicks"][0]:
            for key in keys_to(table.game, at, place):
                page.keyboard.press(key)
            at = place
            page.keyboard.press(draw.choice(["Enter", "Space"]))
        table.push(action)
    assert table.state["status"] in table.text()


def test_cells_say_what_lies_there(page):
    table = Table(page, new_board("Othello", size=6))
    assert page.get_by_role("grid").get_attribute("aria-label") == "Othello: black to play"
    assert page.get_by_role("gridcell").count() == 36
    assert page.get_by_role("row").count() == 6
    black = next(move for move in table.state["actions"])
    name = table.game["places"][black["clicks"][0][0]]["name"]
    assert page.get_by_role("gridcell", name=f"{name}, empty, legal move", exact=True).count() == 1
    table.click_action(black)
    table.push(black)
    assert page.get_by_role("gridcell", name=f"{name}, black disc, last move", exact=True).count() == 1
    assert page.get_by_role("status").inner_text() == f"{name}; white to play"


def test_a_drag_moves_a_piece(page):
    table = Table(page, new_board("Abalone"))
    action = table.action("c4c5")
    start, end = action["clicks"][0][0], action["clicks"][0][-1]
    page.mouse.move(*table.middles[start])
    page.mouse.down()
    page.mouse.move(*table.middles[end], steps=4)
    assert page.locator(".ghost circle").count() == 2  # the disc that follows the pointer
    page.mouse.up()
    table.push(action)
    assert page.locator(".ghost circle").count() == 0


def test_a_finger_taps_and_drags(new_page):
    page = new_page(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800})
    table = Table(page, new_board("Abalone"))
    assert page.evaluate("document.documentElement.scrollWidth") == 390  # the board fits
    action = table.action("c4c5")
    for place in action["clicks"][0]:
        page.touchscreen.tap(*table.middles[place])
    table.push(action)
    action = next(action for action in table.state["actions"] if len(action["clicks"][0]) == 2)
    (x, y), (to_x, to_y) = (table.middles[place] for place in action["clicks"][0])
    touch = page.context.new_cdp_session(page)
    way = [(x, y), ((x + to_x) / 2, (y + to_y) / 2), (to_x, to_y)]
    for kind, points in [("touchStart", way[:1]), ("touchMove", way[1:2]), ("touchMove", way[2:]), ("touchEnd", [])]:
        at = [{"x": across, "y": down} for across, down in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    table.push(action)


def test_a_second_click_on_a_piece_lets_it_go(page):
    table = Table(page, new_board("Abalone"))
    start = table.state["actions"][0]["clicks"][0][0]
    chosen = page.locator(".cell.chosen")
    table.click(start)
    assert chosen.count() == 1
    table.show()  # the same position, sent again
    assert chosen.count() == 1
    table.click(start)
    assert chosen.count() == 0
    table.click(start)
    page.keyboard.press("Escape")  # the cell has the focus
    assert chosen.count() == 0
    assert table.told() == []


def test_what_is_refused(page):
    table = Table(page, new_board("Othello", size=6))
    table.click(0)
    assert table.told() == [("refused", {"places": [0], "text": ""})]
    assert "no legal move" in page.get_by_role("status").inner_text()


def test_several_moves_with_the_same_clicks_are_asked_for(page):
    """A man is borne off by either die."""
    table = Table(page, Board("Backgammon", f"--B{'-' * 21}b- x 62", compiled=False, auto_roll=False))
    shared = table.state["actions"]
    assert [action["move"] for action in shared] == ["2/off", "2/off:6"]
    for place in shared[0]["clicks"][0]:
        table.click(place)
    assert table.told() == []
    assert page.get_by_role("group", name="Which move?").get_by_role("button").all_inner_texts() == [
        *(action["move"] for action in shared), "✕",
    ]  # fmt: skip
    page.keyboard.press("Escape")
    assert page.get_by_role("group", name="Which move?").count() == 0
    table.click_action(shared[1])
    table.push(shared[1])


def test_a_pass_has_a_button(page):
    table = Table(page, Board("Othello", "XO-------------- O", size=4, compiled=False))
    table.button("pass").click()
    table.push(table.action("pass"))


def test_typed_moves(page):
    table = Table(page, new_board("ConnectFour"))
    page.keyboard.press("Tab")
    page.keyboard.type("4")  # typed on the board, it goes into the field
    page.keyboard.press("Enter")
    table.push(table.action("4"))
    field = page.get_by_label("Type a move, then Enter")
    field.fill("9")
    field.press("Enter")
    assert table.told() == [("refused", {"places": [], "text": "9"})]
    assert page.get_by_role("status").inner_text() == "9 is no legal move here"
    field.fill("7")
    field.press("Enter")
    table.push(table.action("7"))


def test_a_game_without_a_drawing_is_a_list_of_moves(page):
    board = new_board("TicTacToe")
    table = Table(page, board)
    plain = {
        **describe_game(board.game),
        "size": [0, 0],
        "shapes": [],
        "palette": {},
        "spots": [],
        "places": [],
        "place_of_spot": [],
    }
    table.show(game=plain)
    assert page.get_by_role("gridcell").count() == 0
    assert board.fen() in table.text()
    table.button("b2").click()
    assert table.told() == [("play", {"action": table.action("b2")["action"]})]
    table.show(game=plain, interactive=False)
    assert table.button("b2").is_disabled()


def test_only_watched_it_tells_what_is_clicked(page):
    table = Table(page, new_board("TicTacToe"), interactive=False)
    table.click(4)
    assert table.told() == [("pick", {"places": [4]})]


def test_turned_round(page):
    table = Table(page, new_board("TicTacToe"))
    turned = page.evaluate(
        """async () => {
          const middle = (place) => board.renderRoot.querySelector(`[data-place="${place}"]`).getBoundingClientRect();
          board.flipped = true;
          await board.updateComplete;
          return [middle(0).x > middle(2).x, middle(0).y > middle(6).y];
        }"""
    )
    assert turned == [True, True]
    page.get_by_role("gridcell", name="a3").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("board.renderRoot.activeElement.ariaLabel").startswith("b3")
    assert table.told() == []


def test_values_are_tags_and_the_best_is_framed(page):
    table = Table(page, new_board("TicTacToe"), values={0: -1.0, 4: 0.25, 8: 0.0})
    tags = page.locator("boardgym-board .tag")
    assert sorted(tags.locator("text").all_text_contents()) == ["+0.25", "0.00", "\u22121.00"]
    framed = [tag.locator("text").text_content() for tag in tags.all() if "hint" in tag.locator("rect").get_attribute("stroke")]
    assert framed == ["+0.25"]
    table.show(values={})
    assert tags.count() == 0


def test_sixty_moves_are_drawn_without_replacing_what_stays(page):
    """A board that is built anew at each move would flicker and lose the focus."""
    table = Table(page, new_board("Abalone"))
    assert len(table.state["actions"]) > 40
    page.evaluate("""() => { window.kept = [...board.renderRoot.querySelectorAll("svg, polygon, .cell, [data-spot]")]; }""")
    action = table.state["actions"][0]
    table.click_action(action)
    table.push(action)
    kept, all_of_them = page.evaluate("[kept.filter((node) => node.isConnected).length, kept.length]")
    assert all_of_them - kept <= 1  # the disc that has left its spot


@pytest.mark.parametrize(("game", "scheme"), [("TicTacToe", "light"), ("TicTacToe", "dark"), ("Backgammon", "light")])
def test_axe_finds_no_serious_fault(new_page, game, scheme):
    page = new_page(color_scheme=scheme)
    table = Table(page, new_board(game))
    table.board.push(table.board.legal_actions[0])
    table.show()
    found = Axe().run(page).response["violations"]
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found if fault["impact"] in ("serious", "critical")] == []
