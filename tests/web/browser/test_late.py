"""Answers that come late in a real browser: one to an older question does not take the place of a newer one's."""

import pytest
from playwright.sync_api import expect

from tests.studio import wait_until

MINUTE = 60_000
CLUB = """[Game "TicTacToe-v0"]
[X "Ada"]
[O "Bob"]
1. b2 a1 *

[Game "TicTacToe-v0"]
[X "Eve"]
[O "Bob"]
1. a1 b2 *
"""
HOLD = """part => {
  const send = window.fetch;
  let isHeld = false;
  window.fetch = async (address, ...rest) => {
    const answer = await send(address, ...rest);
    if (isHeld || !String(address).includes(part)) return answer;
    isHeld = true;
    const read = answer.json.bind(answer);
    answer.json = async () => {
      const said = await read();
      await new Promise((go) => {
        window.letGo = () => {
          go();
          return new Promise((done) => setTimeout(done));  // by then the page has taken it, and is drawn
        };
      });
      return said;
    };
    return answer;
  };
}"""


def hold(page, part):
    """Keeps the first answer from an address with this part from the page, until `let_go`."""
    page.evaluate(HOLD, part)


def held(page):
    """Waits until the answer is there, and held."""
    wait_until(lambda: page.evaluate("window.letGo !== undefined"))


def let_go(page):
    """Gives the page the answer that is held, and returns when all that follows from it is done."""
    page.evaluate("letGo()")


@pytest.fixture(scope="module")
def ladder(studio):
    """A ladder that is finished."""
    given = {"rungs": ["random", "greedy", "perfect"], "game": "TicTacToe", "games": 4, "openings": "start"}
    return studio.process.call("POST", "/arena", {"kind": "ladder", "name": "First steps", "given": given})["id"]


@pytest.fixture(scope="module")
def bots(studio):
    """Two bots that have learnt something."""

    def made(name):
        given = {"game": "TicTacToe", "episodes": 20, "greedy_episodes": 0}
        return studio.process.call("POST", "/bots", {"name": name, "description": "", "form": "tabular", "given": given})["id"]

    return made("Ada"), made("Bob")


def show(page, address):
    """Goes to another address within the page."""
    page.evaluate("address => { location.hash = address; }", address)


def test_a_list_of_games(page, studio):
    page.goto(f"{studio.address}/#/games")
    club = {"name": "club.game", "mimeType": "text/plain", "buffer": CLUB.encode()}
    page.get_by_label("Upload a file of games").set_input_files(club)
    rows = page.locator("boardgym-games-room tbody tr")
    expect(rows).to_have_count(2)
    hold(page, "players=ada")
    show(page, "#/games?players=ada")
    held(page)
    show(page, "#/games?players=eve")
    expect(rows).to_have_count(1)
    let_go(page)
    expect(rows).to_contain_text("Eve", timeout=1)
    show(page, "#/games?players=ada")
    expect(rows).to_contain_text("Ada")


def test_what_stops_a_file_from_being_deleted_is_said(page, studio):
    page.goto(f"{studio.address}/#/games")
    page.on("dialog", lambda dialog: dialog.accept())
    page.route("**/api/records/files/*", lambda route: route.fulfill(status=409, json={"error": "it is being read"}))
    page.get_by_role("button", name="Delete club.game").click()
    said = page.get_by_role("alert").filter(has_text="it is being read")
    expect(said).to_be_visible()
    for path in ("/api/records/files", "/api/records", "/api/records"):  # a list that is asked for now would be here by then
        page.evaluate("path => fetch(path).then((answer) => answer.json())", path)
    expect(said).to_be_visible(timeout=1)


def test_the_pairs_of_another_row(page, studio, ladder):
    page.goto(f"{studio.address}/#/arena/{ladder}")
    expect(page.locator("boardgym-tournament .chip")).to_have_text("finished", timeout=2 * MINUTE)
    hold(page, "line=0")
    rows = page.get_by_role("group", name="Results").get_by_role("button")
    expect(rows).to_have_count(2)
    rows.nth(0).click()
    expect(page.locator("boardgym-pairs")).to_contain_text("Loading the games")
    held(page)
    rows.nth(1).click()
    pairs = page.locator("boardgym-pairs a")
    expect(pairs).to_have_count(2)
    before = pairs.evaluate_all("links => links.map(({ href }) => href)")
    let_go(page)
    assert pairs.evaluate_all("links => links.map(({ href }) => href)") == before
    rows.nth(0).click()
    expect(pairs.first).not_to_have_attribute("href", before[0].partition("#")[2])
    expect(pairs).to_have_count(2)
    assert pairs.evaluate_all("links => links.map(({ href }) => href)") != before


def test_another_bot(page, studio, bots):
    ada, bob = bots
    page.goto(f"{studio.address}/#/train")
    heading = page.locator("boardgym-bot h1")
    hold(page, f"/bots/{ada}")
    show(page, f"#/train/{ada}")
    held(page)
    show(page, f"#/train/{bob}")
    expect(heading).to_have_text("Bob")
    let_go(page)
    expect(heading).to_have_text("Bob", timeout=1)
    assert page.title().startswith("Bob")


def test_a_game_that_another_bot_has_played(page, studio, bots):
    ada, bob = bots
    page.goto(f"{studio.address}/#/train/{ada}")
    expect(page.locator("boardgym-bot .chip")).to_have_text("finished", timeout=MINUTE)
    hold(page, "/games")
    page.get_by_role("button", name="Show a game of it").click()
    held(page)
    show(page, f"#/train/{bob}")
    expect(page.locator("boardgym-bot h1")).to_have_text("Bob")
    again = page.get_by_role("button", name="Show a game of it")
    expect(again).to_be_enabled()
    let_go(page)
    expect(page.locator("boardgym-replay")).to_have_count(0, timeout=1)
    again.click()
    replay = page.locator("boardgym-replay")
    replay.get_by_role("button", name="End").click()
    page.get_by_role("button", name="Another game").click()
    expect(replay.locator(".count")).to_contain_text("0 / ")  # it begins at its start


def test_a_bot_that_another_page_deletes(page, studio, bots):
    """The page says so, and asks for it no more."""
    page.goto(f"{studio.address}/#/train/{bots[1]}")
    expect(page.locator("boardgym-bot h1")).to_have_text("Bob")
    studio.process.call("DELETE", f"/bots/{bots[1]}")
    expect(page.locator("boardgym-bot").get_by_role("alert").first).to_contain_text("no bot")
    expect(page.locator("boardgym-bot h1")).to_have_count(0)
