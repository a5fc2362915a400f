"""A shelf on a server: https alone, digests, limits. The server is one of this machine, with a certificate of its own."""

import functools
import http.server
import ssl
import threading
from pathlib import Path

import pytest

from boardgym.baselines import make_policy
from boardgym.baselines.shelf import remote
from boardgym.baselines.shelf.catalogue import CATALOGUE
from boardgym.baselines.shelf.remote import fetch, kept_folder
from boardgym.baselines.shelf.shelves import open_shelf
from boardgym.core.errors import SpecError

CERTIFICATE = Path(__file__).parent / "data" / "localhost.pem"


class Server(http.server.SimpleHTTPRequestHandler):
    """Files of a folder; /away/... leads to plain http, /on/... to the same place without it."""

    def do_GET(self):
        for word, start in (("/away/", "http://localhost/"), ("/files/", "file:///"), ("/on/", "/")):
            if self.path.startswith(word):
                self.send_response(302)
                self.send_header("Location", start + self.path.removeprefix(word))
                self.end_headers()
                return
        self.server.asked.append(self.path)
        super().do_GET()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def address(shelf, tmp_path, monkeypatch):
    """Where the shelf is served; what is kept of it is in a folder of the test."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Server, directory=str(shelf)))
    server.asked = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"https://localhost:{server.server_address[1]}", server
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_agent_of_a_server_plays_and_is_fetched_once(address, monkeypatch):
    url, server = address
    monkeypatch.setenv("BOARDGYM_SHELF", url)
    for _ in range(2):
        assert make_policy("agent:noughts", "TicTacToe-v0").spec == "agent:noughts"
    assert server.asked == [f"/{CATALOGUE}", "/noughts.safetensors"]
    open_shelf(url, is_fresh=True)
    assert server.asked[2:] == [f"/{CATALOGUE}"]


def test_another_file_than_the_catalogue_says_is_not_kept(address, shelf):
    url, _ = address
    content = bytearray((shelf / "noughts.safetensors").read_bytes())
    content[-5] ^= 1
    (shelf / "noughts.safetensors").write_bytes(content)
    found = open_shelf(url)
    with pytest.raises(SpecError, match="another file than the shelf says"):
        found.file_of(found.agents["noughts"])
    (shelf / "noughts.safetensors").write_bytes(bytes(content) + b"more")
    with pytest.raises(SpecError, match=f"more than {len(content):,} bytes"):
        found.file_of(found.agents["noughts"])
    assert [path.name for path in kept_folder(url).iterdir()] == [CATALOGUE]


def test_a_catalogue_that_is_none_takes_no_place(address, shelf):
    url, _ = address
    open_shelf(url)
    before = (kept_folder(url) / CATALOGUE).read_bytes()
    (shelf / CATALOGUE).write_text("{}")
    with pytest.raises(SpecError, match="expected the catalogue of a shelf"):
        open_shelf(url, is_fresh=True)
    assert (kept_folder(url) / CATALOGUE).read_bytes() == before


def test_redirects_stay_with_https(address):
    url, _ = address
    assert "noughts" in open_shelf(f"{url}/on").agents
    for word, said in (("away", "an address that begins with https://"), ("files", "'file:///agents.json' is not allowed")):
        with pytest.raises(SpecError, match=said):
            open_shelf(f"{url}/{word}")


@pytest.mark.parametrize("name", ["http://localhost/x", "file:///etc", "ftp://localhost/x", "https://", "https://[", "://x"])
def test_other_addresses_are_refused(name):
    with pytest.raises(SpecError, match="begins with https://"):
        open_shelf(name)


def test_a_server_that_is_not_there_or_is_unknown(address, shelf, tmp_path, monkeypatch):
    url, _ = address
    with pytest.raises(SpecError, match=r"(?i)not found"):
        fetch(f"{url}/nothing", tmp_path / "x", most=10)
    monkeypatch.setattr(remote, "WHOLE_S", -1.0)
    with pytest.raises(SpecError, match="not there after"):
        fetch(f"{url}/{CATALOGUE}", tmp_path / "x", most=10_000)
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(SpecError, match="certificate"):
        fetch(f"{url}/{CATALOGUE}", tmp_path / "x", most=10_000)
    with pytest.raises(SpecError, match="refused"):
        fetch("https://localhost:9/x", tmp_path / "x", most=10)
    assert not (tmp_path / "x").exists()
