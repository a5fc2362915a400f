"""The room Train in a real browser: a bot is made, watched, stopped, gone on with, tried, played and carried elsewhere."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

SERIOUS = ("serious", "critical")
MINUTE = 60_000


def check(page):
    """Axe finds no serious fault."""
    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS]
    assert found == [], [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def state(page, text):
    """Waits until the bot of the page is in a state."""
    expect(page.locator("boardgym-bot .chip")).to_have_text(text, timeout=MINUTE)


@pytest.fixture(scope="module")
def bot(context, studio):
    """The address of a bot that has been made by the form, is stopped and can go on."""
    page = context.new_page()
    page.goto(f"{studio.address}/#/train")
    page.get_by_role("link", name="Make the first bot").click()
    page.get_by_label("Name", exact=True).fill("Alexander")
    page.get_by_label("Description").fill("TicTacToe Bot Version")
    page.get_by_label("Epsilon").fill("7")
    page.get_by_role("button", name="Create and train").click()
    expect(page.get_by_text("epsilon='7': expected values from 0 to 1")).to_be_visible()
    check(page)
    page.get_by_label("Epsilon").fill("0.3")
    page.get_by_label("Training Exploring").fill("100000000")
    page.get_by_label("Quality Intended").fill("")
    page.locator("#field-memory").fill("0.1")
    page.get_by_role("button", name="Create and train").click()
    page.wait_for_url(lambda url: url.rpartition("/")[2] not in ("new", "train"))
    state(page, "trains")
    expect(page.locator("boardgym-curve .uplot")).to_be_visible(timeout=MINUTE)
    address = page.url
    page.close()
    return address


def test_a_bot_is_watched_stopped_and_gone_on_with(page, bot):
    page.goto(bot)
    curve = page.locator("boardgym-curve .plot")
    before = curve.get_attribute("aria-label")
    expect(curve).not_to_have_attribute("aria-label", before, timeout=MINUTE)  # it grows
    page.get_by_role("button", name="Stop").click()
    state(page, "stopped")
    page.get_by_role("button", name="Go on").click()
    state(page, "trains")
    check(page)


def test_it_is_played_against_while_it_trains(page, bot):
    page.goto(bot)
    page.get_by_role("button", name="Play against it").click()
    page.wait_for_url("**/#/play?*")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url(lambda url: "/#/play/" in url)
    expect(page.locator("boardgym-board")).to_contain_text("o to play", timeout=MINUTE)  # it has moved
    expect(page.locator("boardgym-play-seats")).to_contain_text("Alexander")


def test_its_memory_is_browsed_and_carried_elsewhere(page, bot, studio, tmp_path):
    page.goto(bot)
    page.get_by_role("button", name="b2: look at what follows").click()
    expect(page.get_by_role("button", name="b2: look at what follows")).to_have_count(0)
    expect(page.locator("boardgym-memory")).to_contain_text("o to play")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.get_by_role("button", name="b2: look at what follows")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download its memory").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "Alexander.safetensors"
    page.goto(f"{studio.address}/#/train")
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(path.read_bytes()[:100])
    page.get_by_label("Upload an agent").set_input_files(broken)
    expect(page.get_by_role("alert").filter(has_text="not an agent")).to_be_visible()
    page.get_by_label("Upload an agent").set_input_files(path)
    state(page, "uploaded")
    expect(page.get_by_role("heading", name="Memory")).to_be_visible()


def test_the_studio_is_killed_and_the_bot_goes_on(page, bot, studio):
    page.goto(bot)
    expect(page.locator("boardgym-bot .chip")).to_be_visible()
    studio.kill()
    studio.start()
    state(page, "interrupted")
    page.get_by_role("button", name="Go on").click()
    state(page, "trains")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Yes, delete").click()
    page.wait_for_url("**/#/train")
    check(page)


def test_then_and_now_and_a_game_from_the_curve(page, studio):
    """A bot that has ended: the slider changes what it played; a point of the curve opens a game; a position is asked for."""
    made = studio.process.call(
        "POST", "/bots", {"name": "Short", "form": "tabular", "given": {"episodes": 3000, "greedy_episodes": 0}}
    )
    page.goto(f"{studio.address}/#/train/{made['id']}")
    state(page, "finished")
    views = page.locator("boardgym-checkpoints")
    expect(views.locator("figure")).to_have_count(9, timeout=3 * MINUTE)  # then, now and perfect play in three positions
    slider = views.get_by_role("slider")
    first, at = views.locator("figcaption").first, slider.get_attribute("aria-valuetext")
    slider.press("End")
    expect(slider).not_to_have_attribute("aria-valuetext", at)
    expect(first).to_contain_text(slider.get_attribute("aria-valuetext").partition(" ")[0])
    views.get_by_label("A position of your own").fill("xx1/oo1/3 x")
    views.get_by_role("button", name="Show it").click()
    page.wait_for_url("**fen=*")
    expect(views.locator("figure")).to_have_count(12)
    expect(views.locator("figure").last).to_contain_text("c3")
    expect(views.locator("figure").last).to_contain_text("wins")
    over = page.locator("boardgym-curve .u-over")
    over.scroll_into_view_if_needed()
    over.click(position={"x": over.bounding_box()["width"] / 2, "y": 40})
    expect(views.locator("boardgym-replay")).to_be_visible(timeout=3 * MINUTE)
    heading = views.get_by_role("heading", name="A game after")
    before = heading.text_content()
    page.get_by_text("The last points in numbers").click()
    page.get_by_role("button", name="A game after 1,000").press("Enter")  # the same by keyboard
    expect(heading).not_to_have_text(before, timeout=MINUTE)
    check(page)
