"""Hostile requests: other pages, other names, no token, escapes from folders, scripts in names, huge bodies, noise."""

import sqlite3
import stat
import time

import pytest
from fastapi.testclient import TestClient
from starlette.datastructures import Headers
from starlette.websockets import WebSocketDisconnect

from boardgym.web import security
from boardgym.web.security import Guard
from tests.studio import BASE, BEARER, PORT, TOKEN, studio_client

OWN = {"Origin": BASE, "Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with studio_client(tmp_path_factory.mktemp("studio")) as client:
        client.headers.pop("authorization")
        yield client


@pytest.fixture
def cookie(client):
    """The session cookie that opening the printed address sets."""
    response = client.get("/", params={"token": TOKEN}, follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (303, "/")
    said = response.headers["set-cookie"]
    assert "HttpOnly" in said
    assert "SameSite=strict" in said
    client.cookies.clear()
    return {"Cookie": said.partition(";")[0]}


@pytest.mark.parametrize("host", ["127.0.0.1:8117", "localhost:8117", "[::1]:8117"])
def test_its_own_names(client, cookie, host):
    assert client.get("/api/games", headers={**cookie, "Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8117", "127.0.0.1", "127.0.0.1:80", "localhost:8118", "127.0.0.1.evil:8117", "", "x" * 9000],
)
def test_other_hosts(client, cookie, host):
    """A name of the attacker's that was made to point here."""
    for path in ("/", "/api/games", "/static/studio.js", f"/?token={TOKEN}"):
        response = client.get(path, headers={**cookie, "Host": host}, follow_redirects=False)
        assert response.status_code == 403
        assert "not the studio's own" in response.json()["error"]
        assert "set-cookie" not in response.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:8118"},
        {"Origin": "https://127.0.0.1:8117"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": BASE, "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_other_origins(client, cookie, headers):
    play = {"game": "TicTacToe-v0", "seats": [{"kind": "human"}] * 2}
    before = client.get("/api/plays", headers=cookie).json()
    for key in (cookie, BEARER):
        response = client.post("/api/plays", json=play, headers={**key, **headers})
        assert response.status_code == 403
        assert "another page" in response.json()["error"]
        assert client.get("/api/plays", headers={**key, **headers}).status_code == 403
    assert client.get("/api/plays", headers=cookie).json() == before
    assert client.post("/api/plays", json=play, headers={**cookie, **OWN}).status_code == 201


FORGED = [
    "",
    "boardgym-8117=",
    "boardgym-8117=abc",
    "boardgym-8117=abc.def",
    f"boardgym-8117={TOKEN}",
    f"boardgym-8118={TOKEN}",
    "=;=;,,",
]


@pytest.mark.parametrize(
    "headers",
    [*({"Cookie": text} for text in FORGED), {"Authorization": "Bearer "}, {"Authorization": f"Basic {TOKEN}"},
     {"Authorization": f"Bearer {TOKEN[:-1]}"}, {"Authorization": f"Bearer {TOKEN}x"}, {"X-Token": TOKEN}],
)  # fmt: skip
def test_no_valid_token(client, headers):
    for path in ("/api/games", "/api/plays", "/api/ready", "/api/openapi.json", "/nowhere"):
        response = client.get(path, headers=headers)
        assert (response.status_code, list(response.json())) == (401, ["error"])
    page = client.get("/", headers=headers)
    assert page.status_code == 401
    assert "boardgym studio" in page.text


def test_a_wrong_token_in_the_address(client):
    for token in ("x", TOKEN + "x", "<script>alert(1)</script>", "%00", "\u20ac"):
        response = client.get("/", params={"token": token}, follow_redirects=False)
        assert response.status_code == 401
        assert "set-cookie" not in response.headers
        assert "<script" not in response.text


def test_the_page_and_its_headers(client, cookie):
    for path in ("/", "/static/studio.js", "/api/games", "/api/nowhere"):
        headers = client.get(path, headers=cookie).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
    assert "<boardgym-studio>" in client.get("/", headers=cookie).text
    assert "unsafe" not in client.get("/", headers=cookie).text


def test_the_interface_is_described_without_scripts(client, cookie):
    page = client.get("/api/docs", headers=cookie).text
    for text in ("POST /api/plays/{id}/moves", "GET /api/contract/{id}/has_won", "late or twice", "<td><code>ply</code></td>"):
        assert text in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")


ESCAPES = ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "..%5capp.py", "....//app.py", "/etc/passwd", "%2fetc%2fpasswd", 
           "studio.js%00", "./../../../../../../etc/passwd", "..;/app.py", "con", "a" * 5000]  # fmt: skip


@pytest.mark.parametrize("path", ESCAPES)
def test_escapes_from_the_folder(client, cookie, path):
    for start in ("/static/", "/static/x/../", "/api/plays/", "/"):
        response = client.get(start + path, headers=cookie)
        assert response.status_code in (404, 401, 422), (start, path)
        assert "import" not in response.text
        assert "root:" not in response.text


def test_scripts_in_names_come_back_as_text(client, cookie):
    script = "<script>alert(1)</script>"
    for body in ({"game": script}, {"game": "TicTacToe", "position": script}, {"game": "TicTacToe", "setup": script}):
        response = client.post("/api/plays", json={"seats": [{"kind": "human"}] * 2, **body}, headers={**cookie, **OWN})
        assert response.status_code in (404, 422)
        assert response.headers["content-type"] == "application/json"
        assert response.headers["x-content-type-options"] == "nosniff"


def test_huge_bodies(client, cookie):
    headers = {**cookie, **OWN, "Content-Type": "application/json"}
    for body in (b"x" * (security.MOST_BYTES + 1), (b"x" * 100_000 for _ in range(11))):  # with a length, and in pieces without
        response = client.post("/api/plays", content=body, headers=headers)
        assert (response.status_code, response.json()) == (413, {"error": "the body is too large: at most 1 MB"})
    for length in ("-1", "1e9", "99999999999999999999", ""):
        assert client.post("/api/plays", content=b"", headers={**headers, "Content-Length": length}).status_code in (413, 422)
    assert client.post("/api/plays", content=b"[" * 100_000, headers=headers).status_code == 400


def test_a_websocket_from_elsewhere(client, cookie):
    for headers in (
        {},
        cookie,
        {**cookie, "Origin": "https://evil.example"},
        {**cookie, "Origin": BASE, "Host": "evil.example"},
    ):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/analysis", headers=headers):
            pass


def new_session(client):
    """The cookie of a new session."""
    response = client.get("/", params={"token": TOKEN}, follow_redirects=False)
    client.cookies.clear()
    return {"Cookie": response.headers["set-cookie"].partition(";")[0]}


def test_the_rate_of_a_session(tmp_path, monkeypatch):
    """With the clock at rest, which gives nothing back while a slow machine sends."""
    take = security.Bucket.take
    with studio_client(tmp_path) as client:
        client.headers.pop("authorization")
        one, other = new_session(client), new_session(client)
        monkeypatch.setattr(security.Bucket, "take", lambda bucket, now: take(bucket, 1.0))
        found = [client.get("/api/ready", headers=one) for _ in range(205)]
        assert [response.status_code for response in found] == [200] * int(security.BURST) + [429] * 5
        assert int(found[-1].headers["retry-after"]) >= 1
        assert "too many requests" in found[-1].json()["error"]
        assert client.get("/api/ready", headers=other).status_code == 200


def test_a_password(tmp_path):
    with studio_client(tmp_path, host="0.0.0.0", password="seven words") as client:
        client.headers.pop("authorization")
        page = client.get("/", headers={"Host": "192.168.1.7:8117"})
        assert (page.status_code, 'name="password"' in page.text) == (401, True)
        assert client.get("/", headers={"Host": "evil.example:8117"}).status_code == 403
        assert client.post("/login", data={"password": "eight words"}).status_code == 401
        response = client.post("/login", data={"password": "seven words"}, follow_redirects=False)
        assert response.status_code == 303
        assert client.get("/api/games", headers={"Cookie": response.headers["set-cookie"].partition(";")[0]}).status_code == 200
        foreign = client.post("/login", data={"password": "seven words"}, headers={"Origin": "http://evil.example"})
        assert foreign.status_code == 403


def test_guesses_from_one_address_lock_out_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(security, "LOGIN_RATE", 0.001)  # none is given back while a slow machine tries
    with studio_client(tmp_path, host="0.0.0.0", password="seven words") as client:
        statuses = {}
        for address in ("192.168.1.7", "fe80::1", "fe80::2", "fe80:0:0:1::1"):
            guesser = TestClient(client.app, base_url=BASE, client=(address, 50_000))
            statuses[address] = [guesser.post("/login", data={"password": "x"}).status_code for _ in range(6)]
        assert statuses["192.168.1.7"] == statuses["fe80::1"] == statuses["fe80:0:0:1::1"] == [401] * 5 + [429]
        assert statuses["fe80::2"] == [429] * 6  # a machine may have many addresses of one network


def test_all_guesses_together_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(security, "LOGINS_RATE", 0.001)
    monkeypatch.setattr(security, "LOGINS_BURST", 3.0)
    with studio_client(tmp_path, host="0.0.0.0", password="seven words") as client:
        guessers = [TestClient(client.app, base_url=BASE, client=(f"192.168.1.{k}", 50_000)) for k in range(4)]
        assert [one.post("/login", data={"password": "x"}).status_code for one in guessers] == [401] * 3 + [429]


def test_without_a_password_there_is_no_login(client):
    for given in ("", "x", TOKEN):
        assert client.post("/login", data={"password": given}, follow_redirects=False).status_code in (401, 429)


def test_records_may_be_larger_than_other_bodies(client, cookie):
    headers = {**cookie, **OWN}
    for size, status in ((3 << 20, 422), (9 << 20, 413)):
        sent = {"file": ("games.game", b"x" * size)}
        response = client.post("/api/analysis/openings", data={"game": "TicTacToe"}, files=sent, headers=headers)
        assert response.status_code == status, response.text
    assert response.json() == {"error": "the body is too large: at most 8 MB"}


@pytest.mark.parametrize("other", ['foo={"a":1}', "foo=a b, c", "=;=", 'x="', "[]=1"])
def test_cookies_of_other_programs(client, cookie, other):
    """Browsers send those of all ports of this machine; none may take the studio's own away."""
    for text in (f"{other}; {cookie['Cookie']}", f"{cookie['Cookie']}; {other}"):
        assert client.get("/api/ready", headers={"Cookie": text}).status_code == 200


def test_a_session_ends(monkeypatch):
    guard = Guard(TOKEN, PORT, "0.0.0.0", "old")
    kept = Headers({"cookie": f"{guard.cookie}={guard.new_session()}"})
    assert guard.session_of(kept)
    assert not Guard(TOKEN, PORT, "0.0.0.0", "new").session_of(kept)
    assert not Guard(TOKEN + "x", PORT, "0.0.0.0", "old").session_of(kept)
    later = time.time() + security.DAYS * 86_400 + 10
    monkeypatch.setattr(security.time, "time", lambda: later)
    assert not guard.session_of(kept)
    number, _, rest = kept["cookie"].partition(".")
    began, _, signature = rest.partition(".")
    for began in (f"{int(later)}", "x", ""):
        assert not guard.session_of(Headers({"cookie": f"{number}.{began}.{signature}"}))


def test_a_token_that_opens_once(tmp_path, monkeypatch):
    once = "opens-once-" * 4
    with studio_client(tmp_path, once=once) as client:
        client.headers.pop("authorization")
        assert client.get("/api/ready", headers={"Authorization": f"Bearer {once}"}).status_code == 401
        answers = [client.get("/", params={"token": once}, follow_redirects=False) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [303, 401]
    guard = Guard(TOKEN, PORT, once=once)
    monkeypatch.setattr(security, "ONCE_S", 0.0)
    late = Guard(TOKEN, PORT, once=once)
    assert guard.takes_once(once)
    assert not any(one.takes_once(text) for one in (guard, late, Guard(TOKEN, PORT)) for text in (once, ""))


def test_the_database_is_its_owners_alone(tmp_path):
    (tmp_path / "old").mkdir()
    sqlite3.connect(tmp_path / "old" / "studio.sqlite").execute("create table x (y)").connection.close()
    for folder in ("new", "old"):
        with studio_client(tmp_path / folder):
            modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / folder).glob("studio.sqlite*")]
            assert modes
            assert set(modes) == {0o600}
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_what_a_guard_knows():
    guard = Guard(TOKEN, PORT)
    assert guard.is_token(TOKEN)
    assert not any(map(guard.is_token, ("", TOKEN[:-1], TOKEN + " ", "\udcff")))
    assert not guard.is_password("")
    assert not guard.knows_host("192.168.1.7:8117")
    assert Guard(TOKEN, PORT, "0.0.0.0", "x").knows_host("192.168.1.7:8117")
    hosts = ("127.0.0.1", "localhost", "[::1]", "127.0.0.1:80", "127.0.0.1:8117", "evil.example", "[::1]:80x", "")
    assert [Guard(TOKEN, 80).knows_host(host) for host in hosts] == [True] * 4 + [False] * 4
