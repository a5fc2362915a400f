"""The room Arena in a real browser: tournaments made, watched, stopped, gone on with, their pairs opened, files taken away."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from boardgym.baselines.arena.ladder import Ladder
from boardgym.baselines.arena.record import read_records

SERIOUS = ("serious", "critical")
MINUTE = 120_000


def check(page):
    """Axe finds no serious fault, and nothing scrolls sideways."""
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS]
    assert found == [], [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def state(page, text):
    """Waits until the tournament of the page is in a state."""
    expect(page.locator("boardgym-tournament .chip")).to_have_text(text, timeout=MINUTE)


def test_a_match_is_made_watched_stopped_and_gone_on_with(page, studio):
    page.goto(f"{studio.address}/#/arena")
    page.get_by_role("link", name="Make the first tournament").click()
    make(page)
    page.wait_for_url(lambda url: url.rpartition("/")[2] not in ("new", "arena"))
    said = page.locator("boardgym-tournament [role=status]")
    expect(said).to_contain_text("of 1,000,000 games", timeout=MINUTE)
    expect(page.get_by_role("heading", name="Ratings")).to_be_visible(timeout=MINUTE)
    before = said.inner_text()
    expect(said).not_to_have_text(before, timeout=MINUTE)
    page.get_by_role("button", name="Stop").click()
    state(page, "stopped")
    page.get_by_role("button", name="Go on").click()
    state(page, "is played")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Yes, delete").click()
    page.wait_for_url("**/#/arena")
    check(page)
    assert studio.process.call("GET", "/records?source=arena")["total"] == 0


def make(page):
    """The form is that of the command; what is refused is said at its field."""
    page.get_by_label("Game", exact=True).select_option("Tic-tac-toe")
    page.get_by_label("Name").fill("For ever")
    page.get_by_label("A", exact=True).fill("sb3:model.zip")
    page.get_by_role("group", name="Suggestions: b").get_by_role("button", name="random").click()
    page.get_by_label("Games", exact=True).fill("1000000")
    page.get_by_label("Openings").fill("start")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("could execute code")).to_be_visible()
    check(page)
    page.get_by_role("group", name="Suggestions: a").get_by_role("button", name="greedy").click()
    page.get_by_role("button", name="Begin").click()


def test_a_ladder_opens_the_pairs_behind_its_intervals(page, studio, tmp_path):
    given = {"rungs": ["random", "greedy", "perfect"], "game": "TicTacToe", "games": 4, "openings": "start"}
    ladder = studio.process.call("POST", "/arena", {"kind": "ladder", "name": "First steps", "given": given})
    page.goto(f"{studio.address}/#/arena/{ladder['id']}")
    state(page, "finished")
    take_away(page, tmp_path)
    page.get_by_role("button", name="Pairs of games of perfect against greedy").first.click()
    expect(page.get_by_role("heading", name="perfect against greedy")).to_be_visible()
    pairs = page.locator("boardgym-pairs")
    expect(pairs.get_by_role("link")).to_have_count(2)
    page.get_by_role("button", name="Pairs of games of greedy", exact=True).click()
    expect(pairs).to_have_count(2)  # it has met two others
    page.get_by_text("Cross table").click()
    page.get_by_role("button", name="Pairs of games of random against greedy").click()
    expect(page.get_by_role("heading", name="greedy against random")).to_be_visible()
    check(page)
    page.set_viewport_size({"width": 390, "height": 844})
    check(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    pairs.get_by_role("link", name="Pair 1:").click()
    expect(page.locator("boardgym-replay")).to_have_count(2)
    for name in ("greedy - random", "random - greedy"):
        expect(page.get_by_role("heading", name=name)).to_be_visible()


def take_away(page, tmp_path):
    """Report and record are those of the command line."""
    for name in ("Report", "Record"):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        download.value.save_as(tmp_path / name)
    ladder = Ladder.from_json((tmp_path / "Report").read_text())
    assert (ladder.rungs, [row.games for row in ladder.rows]) == (("random", "greedy", "perfect"), [4, 4])
    assert [record.policies for record in read_records(tmp_path / "Record")][:2] == [("greedy", "random"), ("random", "greedy")]
