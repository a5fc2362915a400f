"""Thousands of messages that nobody would send in earnest: each is answered by a sentence, and none changes a game.

More of them: STUDIO_NOISE=10000 python -m pytest tests/web/test_studio_noise.py. A tenth go over the WebSocket of the analysis.
"""

import json
import os
import random

import pytest

from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.web import security
from tests.studio import BASE, new_play, studio_client

REQUESTS = int(os.environ.get("STUDIO_NOISE", "2000"))
VALUES = [None, True, False, 0, -1, 1, 4, 9, 2**31, 2**53, 2**64, -(2**63), 1e308, 0.5, "", "x", "a1", "b2", "human", "policy",
          "random", "TicTacToe-v0", "Othello", "3/3/3 x", "standard", "\x00", "\u202e", "\U0001f600", "<b>", "../..",
          "' OR 1=1 --", "9" * 300, [], {}, [[]], [{}], {"kind": "human"}, [{"kind": "human"}] * 2, {"seconds": 1}]  # fmt: skip
FIELDS = ["game", "seats", "options", "seed", "position", "setup", "moves", "clock", "ply", "action", "move", "version", "seat",
          "spec", "kind", "fen", "pieces", "more", "__proto__", ""]  # fmt: skip
PATHS = ["/plays", "/plays/{id}", "/plays/{id}/moves", "/plays/{id}/undo", "/plays/{id}/resign", "/plays/{id}/ask",
         "/plays/{id}/seats/0", "/plays/{id}/seats/x", "/plays/{id}/why", "/plays/{id}/record", "/plays/nowhere", "/positions",
         "/positions/check", "/games", "/games/TicTacToe-v0", "/games/x", "/contract/TicTacToe-v0/initial",
         "/contract/TicTacToe-v0/actions", "/contract/TicTacToe-v0/successor", "/contract/TicTacToe-v0/has_won",
         "/contract/CardPoints-v0/is_over", "/ready", "/", "", "/analysis/position", "/analysis/game", "/analysis/tree",
         "/analysis/openings", "/agents", "/agents", "/bots", "/bots/limit", "/bots/nobody", "/bots/nobody/views",
         "/bots/nobody/games", "/bots/nobody/memory", "/bots/../agent", "/learners", "/learners/tabular",
         "/learners/x"]  # fmt: skip
QUERIES = ["places", "position", "action", "player", "options", "limit", "offset", "name", "game", "description",
           "policy", "moves", "under", "plies", "done", "fen", "preset"]  # fmt: skip
PANELS = ["panel", "number", "game", "options", "start", "moves", "policy", "seconds", "nodes", "lines", "stop", ""]
METHODS = ["GET", "POST", "POST", "POST", "PUT", "PATCH", "OPTIONS", "HEAD", "TRACE"]
KINDS = [
    b"application/json",
    b"application/json",
    b"text/plain",
    b"application/x-www-form-urlencoded",
    b"multipart/form-data",
    b"\xff",
]


def noise(chance, id):
    """(method, address, keywords) of a request."""
    path = "/api" + chance.choice(PATHS).replace("{id}", id)
    body = {chance.choice(FIELDS): chance.choice(VALUES) for _ in range(chance.randrange(5))}
    if chance.random() < 0.3:
        body = {"game": "TicTacToe-v0", "seats": [{"kind": "human"}] * 2, **body}
    text = json.dumps(chance.choice([body, body, body, chance.choice(VALUES)])).encode()
    if chance.random() < 0.2:
        text = bytes(chance.choice([chance.randrange(256), byte]) for byte in text)
    query = {chance.choice(QUERIES): str(chance.choice(VALUES)) for _ in range(chance.randrange(3))}
    return chance.choice(METHODS), path, {"content": text, "params": query, "headers": {"Content-Type": chance.choice(KINDS)}}


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    """The content of an agent's file."""
    path = tmp_path_factory.mktemp("agent") / "agent.safetensors"
    TableTrainer(TabularConfig(game="TicTacToe-v0", method="q")).agent.save(path)
    return path.read_bytes()


def upload(chance, agent):
    """(method, address, keywords) of an agent's file with a few other bytes, or cut short."""
    content = bytearray(agent[: chance.choice([len(agent), len(agent), chance.randrange(len(agent))])])
    for _ in range(chance.randrange(1, 4) if content else 0):
        content[chance.randrange(len(content))] = chance.randrange(256)
    query = {"name": str(chance.choice(VALUES)), **({"game": str(chance.choice(VALUES))} if chance.random() < 0.3 else {})}
    return "POST", "/api/agents", {"content": bytes(content), "params": query, "headers": {}}


def test_noise_is_answered_by_sentences(tmp_path, monkeypatch, agent):
    """The same requests every time."""
    monkeypatch.setattr(security, "RATE", 1e9)
    monkeypatch.setattr(security, "BURST", 1e9)
    chance, seen = random.Random(24), set()
    with studio_client(tmp_path) as client:
        id, quiet = new_play(client)["id"], new_play(client, moves=["b2"])
        for number in range(REQUESTS * 9 // 10):
            method, path, keywords = noise(chance, "nowhere" if chance.random() < 0.3 else id)
            if number % 10 == 0:
                method, path, keywords = upload(chance, agent)
            if chance.random() < 0.1:
                keywords["headers"]["Authorization"] = "Bearer x"
            response = client.request(method, path, **keywords)
            seen.add(response.status_code)
            assert response.status_code < 500, (method, path, keywords, response.text)
            assert "Traceback" not in response.text
            if response.status_code >= 400 and method != "HEAD":
                assert list(response.json()) in (["error"], ["error", "errors"]), (method, path, keywords)
        assert {200, 401, 404, 405, 422} <= seen
        assert client.get(f"/api/plays/{quiet['id']}").json() == quiet
        played = client.get(f"/api/plays/{id}").json()
        assert all(client.get("/api/ready").json()["ready"] for _ in range(3)), played


def test_noise_on_the_socket_of_the_analysis(tmp_path):
    """Each message is answered by a sentence or by a search, and the socket goes on."""
    chance, mark = random.Random(24), {"game": "TicTacToe", "moves": [], "mark": True}
    kinds = set()
    with studio_client(tmp_path) as client, client.websocket_connect(f"{BASE}/api/analysis".replace("http", "ws")) as socket:
        for _ in range(REQUESTS // 10):
            message = {chance.choice(PANELS): chance.choice(VALUES) for _ in range(chance.randrange(6))}
            text = json.dumps(chance.choice([message, message, message, chance.choice(VALUES)]))
            if chance.random() < 0.3:
                text = "".join(chance.choice([chr(chance.randrange(0x300)), sign]) for sign in text)
            socket.send_text(text)
            socket.send_json(mark)  # which is refused by its name: what comes before was an answer
            answer = socket.receive_json()
            while answer["kind"] != "error" or not answer["error"].startswith("mark"):
                kinds.add(answer["kind"])
                assert "Traceback" not in json.dumps(answer)
                answer = socket.receive_json()
        assert "error" in kinds
        socket.send_json({"game": "TicTacToe", "policy": "perfect"})
        while socket.receive_json()["kind"] != "done":
            pass
