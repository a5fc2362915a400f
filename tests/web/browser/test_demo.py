"""`boardgym studio --demo` in a real browser: its first screen leads to a bot, to a training and to a game."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from boardgym.web.demo import BOTS, GAMES
from tests.studio import StudioProcess, wait_until

STUDIO = ("--demo",)


def test_the_first_screen_of_the_demo(page, studio):
    page.goto(studio.address)
    guide = page.locator("boardgym-demo")
    expect(guide).to_contain_text(f"kept apart from your own games, in {studio.folder}")
    expect(guide).to_contain_text("Games and bots are being made; the page can be used meanwhile")
    guide.get_by_role("link", name="Play this bot").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("boardgym-play-game boardgym-board")).to_have_js_property("interactive", True)  # it has moved
    page.go_back()
    page.goto(f"{studio.address}/#/play")
    expect(guide.get_by_role("link")).to_have_count(3)
    serious = [one["id"] for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert serious == []
    guide.get_by_role("link", name="Watch it train").click()
    expect(page.get_by_role("heading", name=BOTS["watch"].name)).to_be_visible()
    page.goto(f"{studio.address}/#/play")
    guide.get_by_role("link", name="Analyse this game").click()
    expect(page.locator("boardgym-analyse-room")).to_contain_text("won")


def test_another_start_finds_it_and_goes_on(studio, monkeypatch):
    """Nothing is made twice, and what was interrupted trains again."""

    def bots(process):
        return {bot["id"]: bot["state"] for bot in process.call("GET", "/bots")["bots"]}

    def games(process):
        return {play["id"] for play in process.call("GET", "/plays")}

    wait_until(lambda: studio.process.call("GET", "/demo")["is_whole"], 300)
    before = set(bots(studio.process)), games(studio.process)
    assert len(before[0]) == len(BOTS)
    assert len(before[1]) >= len(GAMES)
    studio.kill()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with StudioProcess(studio.folder, "--demo") as again:
        wait_until(lambda: "interrupted" not in bots(again).values())
        assert (set(bots(again)), games(again)) == before
        assert again.call("GET", "/demo")["is_whole"]
