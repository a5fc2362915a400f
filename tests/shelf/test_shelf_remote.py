"""A shelf on a server: https alone, digests, limits. The server is one of this machine, with a certificate of its own."""

import functools
import http.server
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from boardgym.baselines import make_policy
from boardgym.baselines.shelf import remote
from boardgym.baselines.shelf.catalogue import CATALOGUE, Entry, read_catalogue
from boardgym.baselines.shelf.remote import fetch, kept_folder
from boardgym.baselines.shelf.shelves import open_shelf, put
from boardgym.cli import main
from boardgym.core.errors import SpecError

CERTIFICATE = Path(__file__).parent / "data" / "localhost.pem"


class Server(http.server.SimpleHTTPRequestHandler):
    """Files of a folder; /away/... leads to plain http, /on/... to the same place without it, /cut/ ends early."""

    def do_GET(self):
        for word, start in (("/away/", "http://localhost/"), ("/files/", "file:///"), ("/on/", "/")):
            if self.path.startswith(word):
                self.send_response(302)
                self.send_header("Location", start + self.path.removeprefix(word))
                self.end_headers()
                return
        if self.path.startswith("/cut/"):
            self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 100)
            return
        if self.path.startswith("/slow/"):
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
            for _ in range(20):  # less than a server may say nothing, more than the whole may take
                self.wfile.write(b"x")
                time.sleep(0.1)
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


def file_named(name, folder):
    """The file of an agent on a shelf."""
    return read_catalogue(folder / CATALOGUE, "here")[name].file


def test_an_agent_of_a_server_plays_and_is_fetched_once(address, shelf, monkeypatch):
    url, server = address
    monkeypatch.setenv("BOARDGYM_SHELF", url)
    for _ in range(2):
        assert make_policy("agent:noughts", "TicTacToe-v0").spec == "agent:noughts"
    assert server.asked == [f"/{CATALOGUE}", f"/{file_named('noughts', shelf)}"]
    open_shelf(url, is_fresh=True)
    assert server.asked[2:] == [f"/{CATALOGUE}"]


def test_another_file_than_the_catalogue_says_is_not_kept(address, shelf):
    url, _ = address
    path = shelf / file_named("noughts", shelf)
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    found = open_shelf(url)
    with pytest.raises(SpecError, match="another file than the shelf says"):
        found.file_of(found.agents["noughts"])
    path.write_bytes(bytes(content) + b"more")
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


def test_a_server_that_is_not_there_or_is_unknown(address, monkeypatch):
    url, _ = address
    with pytest.raises(SpecError, match=r"(?i)not found"):
        fetch(f"{url}/nothing", most=10)
    monkeypatch.setattr(remote, "WHOLE_S", -1.0)
    with pytest.raises(SpecError, match="not there after"):
        fetch(f"{url}/{CATALOGUE}", most=10_000)
    monkeypatch.setattr(remote, "WHOLE_S", 600.0)
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(SpecError, match="certificate"):
        fetch(f"{url}/{CATALOGUE}", most=10_000)
    with pytest.raises(SpecError, match="refused"):
        fetch("https://localhost:9/x", most=10)
    for host in (f"{'a' * 70}.org", "a..b", "local host", "localhost:99999", "localhost/\u00e4"):
        with pytest.raises(SpecError, match="https://"):
            open_shelf(f"https://{host}/x")
    for end in ("?token=1", "#part"):
        with pytest.raises(SpecError, match=r"without \? and #"):
            open_shelf(url + end)


def test_a_body_that_is_cut_or_an_answer_that_never_begins(address, monkeypatch):
    url, _ = address
    with pytest.raises(SpecError, match="100 bytes came, expected 1,000; try again"):
        fetch(f"{url}/cut/", most=10_000)
    monkeypatch.setattr(remote, "WHOLE_S", 0.5)
    started = time.monotonic()
    with pytest.raises(SpecError, match=r"not there after 0\.5 s"):
        fetch(f"{url}/slow/", most=10_000)
    assert time.monotonic() - started < 5.0


def test_a_shelf_that_changes_on_the_server(address, shelf, noughts, tmp_path, monkeypatch):
    url, _ = address
    monkeypatch.setenv("BOARDGYM_SHELF", url)
    make_policy("agent:crosses", "TicTacToe-v0")
    half = tmp_path / "half.safetensors"
    noughts.save(half, is_float16=True)
    for name in ("crosses", "noughts"):
        put(shelf, Entry(name=name, game="TicTacToe-v0", spec="file:{file}", file="x.safetensors"), half)
    before = file_named("crosses", kept_folder(url))
    make_policy("agent:crosses", "TicTacToe-v0")  # it is kept
    assert file_named("crosses", kept_folder(url)) == before
    assert make_policy("agent:noughts", "TicTacToe-v0").spec == "agent:noughts"  # its old file is gone from the server
    assert file_named("crosses", kept_folder(url)) == file_named("crosses", shelf) != before
    assert not (kept_folder(url) / before).exists()
    make_policy("agent:crosses", "TicTacToe-v0")
    assert {path.name for path in kept_folder(url).iterdir()} == {path.name for path in shelf.iterdir()}


def test_a_server_that_has_gone_leaves_its_catalogue(address, shelf, monkeypatch):
    url, _ = address
    agents = open_shelf(url).agents
    (shelf / CATALOGUE).unlink()
    with pytest.warns(RuntimeWarning, match="the catalogue of an earlier time is taken"):
        assert open_shelf(url, is_fresh=True).agents == agents


def test_verify_fetches_nothing(address, monkeypatch, capsys):
    url, server = address
    monkeypatch.setenv("BOARDGYM_SHELF", url)
    assert main(["agents", "verify"]) == 0
    assert server.asked == [f"/{CATALOGUE}"]
    assert capsys.readouterr().out.count("not fetched") == 2


def test_many_threads_read_a_catalogue_anew(address):
    url, _ = address
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: len(open_shelf(url, is_fresh=True).agents), range(24)))
    assert found == [2] * 24
