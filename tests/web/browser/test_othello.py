"""The Othello program in a real browser: from TRAIN to PLAY against the net that was saved."""

import json

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

SERIOUS = ("serious", "critical")
MINUTE = 60_000
NO_MOVE = "--OOO----X-O------XX-------XX------XX-------X------------------- X"  # black can only pass


def check(page):
    """Axe finds no serious fault, and nothing is wider than the page."""
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS]
    assert found == [], [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def shorten_tests(page):
    """Has a bot of this page tested in two games a player, not as many as the page asks for. Returns what it asks for."""
    asked = []

    def change(route):
        body = json.loads(route.request.post_data)
        asked.append(body["tests"])
        route.continue_(post_data=json.dumps({**body, "tests": {**body["tests"], "games": 2}}))

    page.route("**/api/bots", lambda route: change(route) if route.request.method == "POST" else route.continue_())
    return asked


def test_from_train_to_play_against_the_saved_net(page, studio):
    asked = shorten_tests(page)
    page.goto(f"{studio.address}/#/othello")
    page.get_by_role("link", name="TRAIN", exact=True).click()
    games, train = page.get_by_label("Games", exact=True), page.get_by_role("button", name="TRAIN THE NEURAL NETWORKS")
    button(page, "Multi-NN").click()
    expect(page.get_by_label("Hidden", exact=True)).to_have_value("36")
    games.fill("0")
    train.click()
    expect(page.get_by_role("alert")).to_contain_text("games=0")
    button(page, "Single-NN").click()
    games.fill("100000000")
    train.click()
    expect(page.locator("boardgym-othello-train .chip")).to_have_text("trains", timeout=MINUTE)
    first = page.url
    games.fill("10")
    train.click()  # again, which stops the first one
    expect(page.get_by_text("10 of 10 parts tested")).to_be_visible(timeout=5 * MINUTE)
    rows = page.get_by_role("table").filter(has_text="As white against mobility").get_by_role("row")
    assert [row.split()[:2] for row in rows.all_inner_texts()[1:]] == [[f"{k}", f"{k}"] for k in range(1, 11)]
    assert asked[-1] == {"opponents": ["positional", "mobility"], "openings": "openings-244", "games": 488}
    lost, not_lost = (float(rows.nth(10).get_by_role("cell").nth(k).inner_text()) for k in (2, 4))
    assert abs(lost + not_lost - 100.0) < 0.11
    check(page)
    page.get_by_label("Name of the saved nets").fill("Larsen")
    button(page, "SAVE").click()
    expect(page.get_by_text("Saved as “Larsen”")).to_be_visible()
    page.reload()
    expect(games).to_have_value("10")
    page.get_by_role("link", name="BACK").click()
    page.get_by_role("link", name="TRAIN", exact=True).click()
    expect(games).to_have_value("100000")  # all is as at first
    expect(page.get_by_role("table")).to_have_count(0)
    page.goto(first)
    expect(page.locator("boardgym-othello-train .chip")).to_have_text("stopped", timeout=MINUTE)

    page.goto(f"{studio.address}/#/othello/play")
    expect(page.get_by_label("Player 1")).to_have_value("human")
    page.get_by_label("Player 2").select_option(label="Larsen")
    check(page)
    button(page, "START").click()
    history = page.locator("boardgym-othello-game boardgym-play-moves")
    expect(page.locator("boardgym-othello-game .score")).to_have_text("black 2 · white 2black to play", timeout=MINUTE)
    expect(button(page, "PASS")).to_be_disabled()
    page.get_by_role("gridcell", name="d3").click()
    expect(history.get_by_role("row").nth(1).get_by_role("button")).to_have_count(2, timeout=MINUTE)  # the net has answered
    expect(history.get_by_role("button", name="D3", exact=True)).to_be_visible()
    expect(page.locator("boardgym-othello-game boardgym-play-seats")).to_contain_text("Larsen")
    check(page)
    button(page, "END GAME").click()
    page.wait_for_url("**/#/othello/play")
    page.get_by_role("link", name="BACK").click()
    page.get_by_role("link", name="EXIT", exact=True).click()
    expect(page.locator("boardgym-play-room")).to_be_visible()


def test_a_pass_is_the_only_move(page, studio):
    page.goto(studio.address)
    seats = [{"kind": "human"}, {"kind": "policy", "spec": "positional"}]
    studio.process.call("GET", "/games")
    made = studio.process.call("POST", "/plays", {"game": "Othello", "position": NO_MOVE, "seats": seats, "seed": 1})
    page.goto(f"{studio.address}/#/othello/play/{made['id']}")
    button(page, "PASS").click()
    history = page.locator("boardgym-othello-game boardgym-play-moves td button")
    expect(history).to_have_count(2, timeout=MINUTE)
    expect(history.first).to_have_text("PASS")
    expect(page.locator("boardgym-othello-game .score")).to_contain_text("black to play")
    expect(page.locator("boardgym-othello-game .buttons button").first).to_be_disabled()
