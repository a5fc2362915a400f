"""The command itself: started, killed, started again; two on one folder or port; pages in step; a client of urllib alone."""

import getpass
import json
import shutil
import signal
import stat
import sys
import time
import urllib.parse
import urllib.request

import pytest
from fastapi.testclient import TestClient

from boardgym.cli import main
from boardgym.commands import studio
from boardgym.commands.arguments import UsageError
from boardgym.commands.studio import Studio
from tests.studio import StudioProcess, wait_until
from tests.support import ROOT

KILLS = 2
SEATS = [{"kind": "human"}] * 2


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio")
    shutil.copy(ROOT / "examples" / "06_own_game.py", folder / "domineering.py")
    with StudioProcess(folder / "data", "--load", str(folder / "domineering.py")) as server:
        server.call("GET", "/games")
        yield server


def test_a_client_of_urllib_plays_by_the_contract(server):
    state = server.call("GET", "/contract/ConnectFour-v0/initial")
    moves = 0
    while True:
        at = f"position={urllib.parse.quote(state['position'])}"
        if server.call("GET", f"/contract/ConnectFour-v0/is_over?{at}")["is_over"]:
            break
        first = server.call("GET", f"/contract/ConnectFour-v0/actions?{at}")["actions"][0]
        state = server.call("GET", f"/contract/ConnectFour-v0/successor?{at}&action={first['action']}")
        moves += 1
    won = [server.call("GET", f"/contract/ConnectFour-v0/has_won?{at}&player={player}")["has_won"] for player in (0, 1)]
    assert (won.count(True), moves) == (1, moves)


class Page:
    """A page that watches a game."""

    def __init__(self, server, id):
        headers = {"Authorization": f"Bearer {server.token}"}
        request = urllib.request.Request(f"{server.address}api/plays/{id}/events", headers=headers)
        self.stream = urllib.request.urlopen(request, timeout=30)

    def next(self):
        """The next state."""
        for line in self.stream:
            if line.startswith(b"data: "):
                return json.loads(line[6:])
        raise AssertionError("the events have ended")


def test_two_pages_stay_in_step(server):
    id = server.call("POST", "/plays", {"game": "TicTacToe-v0", "seats": [SEATS[0], {"kind": "policy", "spec": "random"}]})[
        "id"
    ]
    pages = [Page(server, id), Page(server, id)]
    assert [page.next()["version"] for page in pages] == [0, 0]
    server.call("POST", f"/plays/{id}/moves", {"ply": 0, "action": 4})
    for page in pages:
        seen = [page.next(), page.next()] if (first := page.next())["version"] < 1 else [first, page.next()]
        assert (seen[-1]["version"], seen[-1]["state"]["ply"]) == (2, 2)
    server.call("DELETE", f"/plays/{id}")
    assert [page.next() for page in pages] == [{"id": id}] * 2


def test_a_second_studio(server, tmp_path, capsys):
    port = server.address.rstrip("/").rpartition(":")[2]
    assert main(["studio", "--no-browser", "--port", port, "--data", str(tmp_path)]) == 2
    assert f"port {port} of 127.0.0.1: Address already in use; end the program that has it, or choose another: --port N" in (
        capsys.readouterr().err
    )
    folder = server.process.args[server.process.args.index("--data") + 1]
    assert main(["studio", "--no-browser", "--data", folder]) == 2
    err = capsys.readouterr().err
    assert f"another studio at {server.address} has the folder {folder}" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "70000"], "--port 70000: expected 1 to 65535"),
        (["--host", "0.0.0.0"], "give a password"),
        (["--move-limit-s", "0"], "--move-limit-s 0"),
        (["--workers", "0"], "--workers 0"),
        (["--load", "no.py"], "--load no.py: there is no such file"),
        (["--data", __file__], "File exists"),
    ],
)
def test_settings_that_cannot_be(capsys, tmp_path, words, said):
    assert main(["studio", "--no-browser", "--data", str(tmp_path), *words]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("given", ["", "seven words"])
def test_a_password_that_is_asked_for(monkeypatch, tmp_path, given):
    monkeypatch.setattr(getpass, "getpass", lambda prompt: given)
    asked = Studio(host="0.0.0.0", password="-", data=str(tmp_path / "new"))
    if given:
        assert asked._checked() == tmp_path / "new"
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
        assert asked.password == given
    else:
        with pytest.raises(UsageError, match="--password - asks"):
            asked._checked()


def test_the_browser_is_not_given_the_token(monkeypatch, tmp_path, capsys):
    opened, made = [], {}
    monkeypatch.setattr(studio.webbrowser, "open", opened.append)
    monkeypatch.setattr(studio, "serve", lambda app, listener, opening: made.update(app=app))
    assert main(["studio", "--data", str(tmp_path)]) == 0
    wait_until(lambda: opened)
    token = (tmp_path / "token").read_text()
    assert f"?token={token}\n" in capsys.readouterr().out
    once = opened[0].partition("?token=")[2]
    assert token not in opened[0]
    with TestClient(made["app"], base_url=opened[0].partition("?")[0]) as client:
        found = [client.get("/", params={"token": once}, follow_redirects=False).status_code for _ in range(2)]
    assert found == [303, 401]


def test_a_missing_extra_is_named(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert main(["studio", "--no-browser", "--data", str(tmp_path)]) == 2
    assert (
        capsys.readouterr().err == "boardgym: the studio needs fastapi, which is not installed: pip install 'boardgym[web]'\n"
    )


def test_kills_lose_no_answered_move_and_ctrl_c_ends_it(tmp_path):
    """Kill -9 while moves are played as fast as they are answered; the benchmark does so 20 times."""
    played, id = [], ""
    for _ in range(KILLS):
        server = StudioProcess(tmp_path, "--port", "0")
        if not id:
            id = server.call("POST", "/plays", {"game": "Othello-v0", "seats": SEATS})["id"]
        play = server.call("GET", f"/plays/{id}")
        assert play["state"]["moves"][: len(played)] == played
        assert len(play["state"]["moves"]) <= len(played) + 1
        for _ in range(7):
            action = play["state"]["actions"][0]["action"]
            play = server.call("POST", f"/plays/{id}/moves", {"ply": play["state"]["ply"], "action": action})
            played = play["state"]["moves"]
        server.kill()
    server = StudioProcess(tmp_path, "--port", "0")
    assert server.call("GET", f"/plays/{id}")["state"]["moves"] == played
    page = Page(server, id)
    assert page.next()["state"]["moves"] == played
    for _ in range(3):  # with a page open: its stream ends, and nothing is complained of; nor if the key is pressed again
        server.process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    _, err = server.process.communicate(timeout=60)
    assert (server.process.returncode, err) == (0, f"Ctrl-C ends it; games and bots stay in {tmp_path}\n")


def test_a_users_own_game_is_played_without_web_code(server):
    assert server.call("GET", "/games/Domineering-v0")["game"]["spots"]
    play = server.call("POST", "/plays", {"game": "Domineering-v0", "seats": SEATS})
    for _ in range(3):
        action = play["state"]["actions"][0]["action"]
        play = server.call("POST", f"/plays/{play['id']}/moves", {"ply": play["state"]["ply"], "action": action})
    assert len(play["state"]["moves"]) == 3


def test_a_bot_of_a_users_own_game(server):
    """Its process is told of the file, as `boardgym train` has to be; it is stopped while it compiles the game."""
    bot = server.call("POST", "/bots", {"name": "Own", "form": "tabular", "given": {"game": "Domineering-v0", "memory": 0.1}})
    assert "domineering.py:Domineering-v0" in bot["command"]
    server.call("POST", f"/bots/{bot['id']}/stop", {})
    wait_until(lambda: server.call("GET", f"/bots/{bot['id']}")["bot"]["state"] != "training", 60)
    found = server.call("GET", f"/bots/{bot['id']}")
    assert found["bot"]["state"] == "stopped", found["log"]
