"""<boardgym-replay> in an exported page, opened from the disk."""

import datetime

import pytest
from axe_playwright_python.sync_playwright import Axe

from boardgym.web.export import replay_page
from tests.web.test_export import HOSTILE, MOVES, record


@pytest.fixture
def exported(page, tmp_path):
    """An exported page, which can reach nothing else."""
    path = tmp_path / "game.html"
    path.write_bytes(replay_page(record(policies=(HOSTILE, "uct:5"), comments=((1, f"good {HOSTILE}"),))))
    page.route("http*://**", lambda route: route.abort())
    page.on("dialog", lambda dialog: pytest.fail(f"a script of the record ran: {dialog.message}"))
    page.clock.install()
    page.goto(path.as_uri())
    return page


def count(page):
    return page.locator("boardgym-replay .count").inner_text()


def test_steps_and_keys(exported):
    page = exported
    assert count(page) == "0 / 3"
    page.get_by_role("button", name="Forward").click()
    assert count(page) == "1 / 3"
    assert page.get_by_role("gridcell", name="a1, x cross, last move").count() == 1
    page.get_by_text("good </script>").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert count(page) == "3 / 3"
    page.keyboard.press("ArrowRight")  # there is nothing more
    assert count(page) == "3 / 3"
    page.keyboard.press("Home")
    assert count(page) == "0 / 3"
    page.get_by_role("button", name=MOVES[1]).click()
    assert page.locator('[aria-current="step"]').inner_text() == "b2"
    page.get_by_role("slider", name="Ply").fill("3")
    assert count(page) == "3 / 3"


def test_it_plays_by_itself(exported):
    page = exported
    page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(hours=1))  # time goes on as the test says
    page.get_by_label("Speed").select_option("2")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(600)
    assert count(page) == "1 / 3"
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(2000)
    assert count(page) == "1 / 3"
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(5000)
    assert count(page) == "3 / 3"
    page.get_by_role("button", name="Play").wait_for()  # it has stopped


def test_axe_finds_no_serious_fault_in_a_replay(exported):
    exported.clock.resume()
    found = Axe().run(exported).response["violations"]
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found if fault["impact"] in ("serious", "critical")] == []


def test_it_fits_a_phone(exported):
    exported.set_viewport_size({"width": 360, "height": 740})
    assert exported.evaluate("document.documentElement.scrollWidth") == 360
