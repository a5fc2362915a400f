"""The room Play in a real browser: a game of each bundled game by clicks, and what one can do with a game besides."""

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.web.browser.playing import OnPage, until

NIM = Path(__file__).parents[2] / "cli" / "users_nim.py"
STUDIO = ("--load", str(NIM))  # words of the command
YOU, RANDOM, GREEDY = {"kind": "human"}, {"kind": "policy", "spec": "random"}, {"kind": "policy", "spec": "greedy"}
SERIOUS = ("serious", "critical")


def started(page, studio, **play):
    """A new game on the page."""
    return OnPage(page, studio.address).begin(seed=3, **play)


# From the start where that is short enough, else from a position a few moves before the end; the moves that win there.
GAMES = {
    "ConnectFour-v0": ({"seats": [YOU, RANDOM]}, ()),
    "TicTacToe-v0": ({"seats": [GREEDY, YOU]}, ()),
    "Othello-v0": ({"seats": [YOU, RANDOM], "options": {"size": 4}}, ()),
    "CardPoints-v0": ({"seats": [YOU, GREEDY]}, ()),
    "NineMensMorris-v0": ({"seats": [YOU, RANDOM], "position": ".../..W/W../WW...B/WW./..W/B.B w 0,0 2"}, ("c5-c4", "xg4")),
    "Abalone-v0": ({"seats": [RANDOM, YOU], "position": "s3S/4s1/1ss1S2/2S5/1S4ssS/S3s3/3S2s/S2s2/S4 5 5 b 25"}, ("e7e8",)),
    "Abalone3-v0": (
        {"seats": [RANDOM, YOU, RANDOM], "position": "1w2b/w2rw1/3bw2/2r1rbb1/rw5b1/1w2r2r/r6/6/r2bw 3 5 4 w 113"},
        ("g7h8",),
    ),
    "Backgammon-v0": ({"seats": [YOU, RANDOM], "position": "-B------baa-a----b---c-ad- x 5"}, ()),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_clicks(page, studio, game):
    play, wanted = GAMES[game]
    on_page = started(page, studio, game=game, **play)
    over = on_page.play_out(wanted)
    assert over["state"]["outcome"] is not None
    expect(on_page.board).to_contain_text(over["state"]["status"])
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()


def test_one_click_starts_connect_four_against_a_policy(page, studio):
    page.goto(f"{studio.address}/#/play")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/#/play/*")
    play = OnPage(page, studio.address).play()
    assert (play["game"]["id"], [seat["kind"] for seat in play["seats"]]) == ("ConnectFour-v0", ["human", "policy"])
    expect(page).to_have_title("Connect Four: x to play · boardgym studio")


def test_the_form_takes_seats_rules_position_and_clock(page, studio):
    page.goto(f"{studio.address}/#/play")
    page.get_by_role("radio", name="Othello").check()
    page.get_by_label("Who plays black").select_option("A policy")
    page.get_by_label("Policy that plays black").fill("greedy")
    page.get_by_label("Who plays white").select_option("You")
    page.get_by_text("Rules").click()
    page.get_by_label("size").select_option("4")
    page.get_by_text("Clock and seed").click()
    page.get_by_label("Clock", exact=True).select_option("5 minutes")
    page.reload()  # the address carries the form, but for the clock
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/#/play/*")
    play = OnPage(page, studio.address).turn()
    assert play["game"]["options"] == {"size": 4}
    assert [seat["spec"] for seat in play["seats"]] == ["greedy", ""]
    assert len(play["state"]["moves"]) == 1


def test_a_policy_that_cannot_be_read_is_said_and_starts_nothing(page, studio):
    page.goto(f"{studio.address}/#/play?game=TicTacToe&seats=human;nonsense:4")
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("alert").filter(has_text="nonsense")).to_be_visible()
    assert "#/play?" in page.url


def test_take_back_and_hint(page, studio):
    game = started(page, studio, game="TicTacToe-v0", seats=[YOU, GREEDY])
    play = game.turn()
    game.click_place(4)
    until(lambda: len(game.play()["state"]["moves"]) == 2, "the reply")
    game.turn()
    page.get_by_role("button", name="Take back").click()
    until(lambda: game.play()["state"]["moves"] == [], "taken back")
    assert game.turn()["state"]["fen"] == play["state"]["fen"]
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_text("Hint:")).to_be_visible(timeout=60_000)
    hinted = page.locator(".hint b").inner_text()
    assert hinted in {action["move"] for action in play["state"]["actions"]}
    assert game.play()["state"]["moves"] == []


def test_why_a_click_is_illegal_is_said_near_the_board(page, studio):
    game = started(page, studio, game="Othello-v0", seats=[YOU, GREEDY], options={"size": 4})
    before = game.turn()["state"]["fen"]
    game.click_place(0)
    expect(page.locator("boardgym-play-game").get_by_role("alert")).to_contain_text("a1: no white disc would be flanked")
    assert game.play()["state"]["fen"] == before


def test_past_positions_are_browsed_and_the_game_goes_on_from_its_end(page, studio):
    game = started(page, studio, game="TicTacToe-v0", seats=[YOU, YOU])
    for count, place in enumerate((0, 4, 8), 1):
        game.click_place(place)
        until(lambda count=count: len(game.moves()) == count, "the move in the list")
    page.get_by_role("button", name="First position").click()
    expect(page.get_by_text("After 0 of 3 moves.")).to_be_visible()
    expect(game.board.locator("[data-spot]")).to_have_count(0)
    page.get_by_role("button", name="One move on").click()
    expect(game.board.locator("[data-spot]")).to_have_count(1)
    game.click_place(2)
    expect(page.get_by_text("This is an earlier position.")).to_be_visible()
    page.locator(".past").get_by_role("button", name="Back to the game").click()
    game.click_place(2)
    until(lambda: len(game.moves()) == 4, "the move after browsing")


def test_arrow_keys_browse_the_game_though_its_board_has_been_clicked(page, studio):
    game = started(page, studio, game="TicTacToe-v0", seats=[YOU, YOU])
    for count, place in enumerate((0, 4, 8), 1):
        game.click_place(place)
        until(lambda count=count: len(game.moves()) == count, "the move in the list")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("After 1 of 3 moves.")).to_be_visible()
    expect(game.board.locator("[data-spot]")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".past")).to_have_count(0)


def test_the_list_of_moves_follows_the_game(page, studio):
    moves = list("476324344552373314345271")
    game = started(page, studio, game="ConnectFour-v0", seats=[YOU, YOU], moves=moves)
    until(lambda: game.moves() == moves, "the moves in the list")
    current = page.locator("boardgym-play-moves td button[aria-current=true]")
    expect(current).to_be_in_viewport()
    top = "list => list.scrollTop"
    assert page.locator("boardgym-play-moves .list").evaluate(top) > 0
    page.get_by_role("button", name="First position").click()
    page.get_by_role("button", name="One move on").click()
    expect(current).to_be_in_viewport()
    assert page.locator("boardgym-play-moves .list").evaluate(top) < 60


def test_resigning_is_asked_once_more_and_the_record_is_saved(page, studio):
    game = started(page, studio, game="TicTacToe-v0", seats=[YOU, GREEDY])
    game.click_place(4)
    until(lambda: len(game.moves()) == 2, "the reply")
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("button", name="Play on")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Resign").click()
    expect(game.board).to_contain_text("resigned")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save").click()
    text = Path(download.value.path()).read_text()
    assert "TicTacToe-v0" in text
    page.get_by_role("button", name="Rematch").click()
    until(lambda: game.play()["seats"][0]["kind"] == "policy", "the other seat in the rematch")


def test_a_position_is_set_up_by_hand_and_played(page, studio):
    page.goto(f"{studio.address}/#/play?game=TicTacToe&seats=human;human")
    page.get_by_label("Begin from").select_option("A board set up by hand")
    editor = page.locator("boardgym-play-brush")
    editor.locator('[data-place="0"]').click()
    expect(editor.get_by_role("status").filter(has_text="can be played")).to_have_count(0)  # one x, x to play
    editor.get_by_role("button", name="o", exact=True).click()
    editor.locator('[data-place="4"]').click()
    expect(editor.get_by_text("This position can be played.")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/#/play/*")
    game = OnPage(page, studio.address)
    assert game.play()["start"] == "x2/1o1/3 x"
    game.click_place(8)
    until(lambda: len(game.moves()) == 1, "a move from there")


def test_an_address_carries_a_position(page, studio):
    page.goto(f"{studio.address}/#/play?game=ConnectFour&fen={'......./' * 5}xxxooo. x&seats=human;human")
    expect(page.locator("boardgym-play-position [data-spot]")).to_have_count(6)
    page.get_by_label("Position string").fill("nonsense")
    page.get_by_label("Position string").press("Tab")
    expect(page.locator("boardgym-play-position").get_by_role("status").filter(has_text="nonsense")).to_be_visible()


def test_games_are_listed_and_deleted(page, studio):
    id = started(page, studio, game="TicTacToe-v0", seats=[YOU, YOU]).id
    page.goto(f"{studio.address}/#/play")
    listed = page.locator("boardgym-play-list li").first
    expect(listed.get_by_role("link")).to_have_attribute("href", f"#/play/{id}")
    page.on("dialog", lambda dialog: dialog.accept())
    listed.get_by_role("button", name="Delete this game of Tic-tac-toe").click()
    expect(page.locator(f'boardgym-play-list a[href="#/play/{id}"]')).to_have_count(0)


def test_two_pages_on_one_game_stay_in_step(context, page, studio):
    game = started(page, studio, game="TicTacToe-v0", seats=[YOU, YOU])
    other_page = context.new_page()
    other_page.goto(page.url)
    other = OnPage(other_page, studio.address)
    other.board.wait_for()
    game.click_place(0)
    until(lambda: len(other.moves()) == 1, "the move on the other page")
    other.click_place(4)
    until(lambda: len(game.moves()) == 2, "the move on the first page")
    other_page.close()


def test_machines_play_each_other_and_are_paused(page, studio):
    game = started(page, studio, game="ConnectFour-v0", seats=[RANDOM, RANDOM])
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    count = len(game.play()["state"]["moves"])
    page.wait_for_timeout(1200)
    assert len(game.play()["state"]["moves"]) == count
    page.get_by_role("button", name="Go on").click()
    until(lambda: len(game.play()["state"]["moves"]) > count, "moves after the pause")


def test_a_users_own_game_is_played_without_a_drawing(page, studio):
    game = started(page, studio, game="Nim-v0", seats=[YOU, RANDOM])
    assert game.turn()["game"]["places"] == []
    assert game.play_out()["state"]["outcome"] is not None


def test_a_game_is_kept_when_the_server_is_killed(page, studio):
    game = started(page, studio, game="TicTacToe-v0", seats=[YOU, YOU])
    game.click_place(0)
    until(lambda: len(game.moves()) == 1, "the move")
    studio.kill()
    expect(page.get_by_text("The studio does not answer")).to_be_visible()
    studio.start()
    expect(page.get_by_text("The studio does not answer")).to_be_hidden(timeout=60_000)
    assert len(game.turn()["state"]["moves"]) == 1
    game.click_place(4)
    until(lambda: len(game.moves()) == 2, "a move after the server is back")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(page, studio, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{studio.address}/#/play")
    page.get_by_role("button", name="Start the game").wait_for()
    found = [serious(page)]
    game = started(page, studio, game="ConnectFour-v0", seats=[YOU, GREEDY])
    game.click_place(3)
    until(lambda: len(game.moves()) == 2, "the reply")
    found.append(serious(page))
    assert found == [[], []]


def serious(page):
    """What axe finds serious or critical: rule and elements."""
    results = Axe().run(page).response["violations"]
    return [(one["id"], json.dumps([node["target"] for node in one["nodes"]])) for one in results if one["impact"] in SERIOUS]


def test_phone_width_has_no_horizontal_scrolling(page, studio):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{studio.address}/#/play")
    page.get_by_role("button", name="Start the game").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    game = started(page, studio, game="Backgammon-v0", seats=[YOU, GREEDY])
    game.turn()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 800})


def test_the_theme_and_the_palette_are_kept(page, studio):
    page.goto(f"{studio.address}/#/play")
    page.get_by_text("Display", exact=True).click()
    page.get_by_label("Theme").select_option("Dark")
    page.get_by_label("Colour-blind palette").check()
    page.reload()
    page.get_by_role("button", name="Start the game").wait_for()
    assert page.evaluate("document.documentElement.style.colorScheme") == "dark"
    expect(page.locator("boardgym-board").first).to_have_attribute("palette", "colour-blind")
    page.get_by_text("Display", exact=True).click()
    page.get_by_label("Theme").select_option("As the system")
    page.get_by_label("Colour-blind palette").uncheck()


def test_the_skip_link_leads_to_the_room_and_leaves_the_address(page, studio):
    page.goto(f"{studio.address}/#/play")
    page.get_by_role("button", name="Start the game").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the room")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    assert page.url == f"{studio.address}/#/play"


def test_an_unknown_game_and_an_unknown_room_are_said(page, studio):
    page.goto(f"{studio.address}/#/play/nosuchgame")
    expect(page.get_by_role("alert").filter(has_text="there is no game")).to_be_visible()
    page.goto(f"{studio.address}/#/attic")
    expect(page.get_by_text("There is no room “attic”.")).to_be_visible()
