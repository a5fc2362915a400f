"""The room Games in a real browser: games uploaded, searched, sorted, replayed, compared, downloaded, taken to other rooms."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from boardgym.baselines.arena.game_file import read_games

SERIOUS = ("serious", "critical")
CLUB = """[Game "TicTacToe-v0"]
[X "Ada"]
[O "Bob"]
[Date "1974.05.02"]
1. b2 a1 2. c3 a3 3. a2 c2 4. b1 b3 5. c1 {even} 1/2-1/2

[Game "TicTacToe-v0"]
[X "Ada"]
[O "Eve"]
1. b2 a1 2. a3 c1 3. b1 b3 4. a2 c2 5. c3 1/2-1/2
"""


def check(page):
    """Axe finds no serious fault, and nothing scrolls sideways."""
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS]
    assert found == [], [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_games_from_upload_to_comparison(page, studio, tmp_path):
    play = {"game": "TicTacToe-v0", "seats": [{"kind": "human"}, {"kind": "human"}], "moves": ["a1", "b2"]}
    studio.process.call("POST", "/plays", play)
    page.goto(f"{studio.address}/#/games")
    expect(page.get_by_role("row")).to_have_count(2)  # the head, and the game that is played
    upload(page, tmp_path)
    search(page)
    compare_two(page)
    page.go_back()
    open_one(page, tmp_path)


def upload(page, tmp_path):
    """A damaged file leaves nothing; a whole one is shown at once."""
    (tmp_path / "bad.game").write_text(CLUB.replace("5. c1", "5. b2"))
    (tmp_path / "club.game").write_text(CLUB)
    field = page.get_by_label("Upload a file of games")
    field.set_input_files(tmp_path / "bad.game")
    expect(page.get_by_role("alert").filter(has_text="'b2' is illegal")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(2)
    field.set_input_files(tmp_path / "club.game")
    expect(page.get_by_role("status").filter(has_text="2 games")).to_be_visible()
    check(page)


def search(page):
    """By players, moves, result; sorted by plies; in all sources."""
    page.goto(page.url.partition("?")[0])
    expect(page.get_by_role("status").filter(has_text="3 games")).to_be_visible()
    page.get_by_role("button", name="Plies").click()
    expect(page.get_by_role("columnheader", name="Plies")).to_have_attribute("aria-sort", "ascending")
    expect(page.locator("tbody tr").first).to_contain_text("not over")
    page.get_by_label("First moves").fill("b2 a1")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("alert").filter(has_text="choose a game first")).to_be_visible()
    page.get_by_label("Game", exact=True).select_option("Tic-tac-toe")
    expect(page.get_by_role("status").filter(has_text="2 games")).to_be_visible()
    page.get_by_label("Players").fill("eve")
    page.get_by_label("Players").press("Enter")
    expect(page.get_by_role("status").filter(has_text="1 game")).to_be_visible()
    page.get_by_label("Players").fill("")
    page.get_by_label("Players").press("Enter")
    expect(page.locator("tbody tr")).to_have_count(2)


def compare_two(page):
    """Two games whose boards step together to where they part."""
    for players in ("Ada - Bob", "Ada - Eve"):
        page.get_by_label(f"Compare Tic-tac-toe, {players}").check()
    page.get_by_role("link", name="Compare the two games").click()
    expect(page.get_by_text("They part at ply 3: ")).to_be_visible()
    expect(page.locator(".count")).to_have_text(["0 / 9", "0 / 9"])
    page.get_by_role("button", name="Go to where they part").click()
    expect(page.locator(".count")).to_have_text(["2 / 9", "2 / 9"])
    page.get_by_role("button", name="Forward").first.click()
    expect(page.locator(".count")).to_have_text(["3 / 9", "3 / 9"])
    check(page)


def open_one(page, tmp_path):
    """One game is replayed, analysed at the position that is shown, played on from there, and what was found downloaded."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as a game file").click()
    download.value.save_as(tmp_path / "found.game")
    assert [record.policies for record in read_games((tmp_path / "found.game").read_text())] == [("Ada", "Bob"), ("Ada", "Eve")]
    page.get_by_role("link", name="Ada - Bob").click()
    expect(page.locator(".count")).to_have_text("0 / 9")
    page.get_by_role("button", name="End").click()
    expect(page.get_by_text("even", exact=True)).to_be_visible()
    page.get_by_role("slider", name="Ply").fill("4")
    expect(page.locator(".count")).to_have_text("4 / 9")
    page.set_viewport_size({"width": 390, "height": 844})
    check(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("link", name="Analyse", exact=True).last.click()
    expect(page.locator("boardgym-analyse-moves")).to_contain_text("a2")
    page.go_back()
    page.get_by_role("slider", name="Ply").fill("4")
    page.get_by_role("link", name="Play from here").click()
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    assert "fen=o1x%2F1x1%2Fo2+x" in page.url
