"""The page without a session, in a browser: the password opens the studio, a foreign page cannot."""

import http.server
import threading

import pytest

from tests.studio import StudioProcess

FOREIGN = b"<!doctype html><title>foreign</title><p>nothing</p>"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with StudioProcess(tmp_path_factory.mktemp("studio"), "--password", "seven words") as studio:
        studio.call("GET", "/ready")
        yield studio


@pytest.fixture
def visitor(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_the_password_opens_the_page(studio, visitor):
    visitor.goto(studio.address)
    visitor.get_by_label("Password").fill("eight words")
    visitor.get_by_role("button", name="Enter").click()
    assert visitor.get_by_role("alert").inner_text() == "This is not the password."
    visitor.get_by_label("Password").fill("seven words")
    visitor.get_by_role("button", name="Enter").click()
    visitor.wait_for_selector("boardgym-studio")
    assert visitor.url == studio.address
    assert visitor.evaluate("document.cookie") == ""
    assert visitor.evaluate("fetch('/api/ready').then((answer) => answer.status)") == 200


def test_the_token_leaves_the_address(studio, visitor):
    visitor.goto(f"{studio.address}?token={studio.token}")
    visitor.wait_for_selector("boardgym-studio")
    assert visitor.url == studio.address


class ForeignPage(http.server.BaseHTTPRequestHandler):
    """Another page of the same machine."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(FOREIGN)

    def log_message(self, *_):
        pass


def test_a_foreign_page_of_the_same_machine_gets_nothing(studio, visitor):
    """The visitor has a session; the other page has another port, so that it is the same site but another origin."""
    visitor.goto(f"{studio.address}?token={studio.token}")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ForeignPage)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        visitor.goto(f"http://127.0.0.1:{server.server_port}/")
        tried = visitor.evaluate(
            """async (address) => {
                const body = JSON.stringify({game: "TicTacToe-v0", seats: [{kind: "human"}, {kind: "human"}]});
                const found = [];
                for (const mode of ["cors", "no-cors"]) {
                    const settings = {method: "POST", body, mode, credentials: "include"};
                    try { found.push((await fetch(address + "api/plays", settings)).type); } catch { found.push("refused"); }
                }
                return found;
            }""",
            studio.address,
        )
        assert tried == ["refused", "refused"]
        assert studio.call("GET", "/plays") == []
    finally:
        server.shutdown()
        server.server_close()
