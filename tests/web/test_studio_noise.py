"""Thousands of requests that nobody would send in earnest: each is answered by a sentence, and none changes a game."""

import json
import os
import random

from boardgym.web import security
from tests.studio import new_play, studio_client

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
         "/contract/CardPoints-v0/is_over", "/ready", "/", ""]  # fmt: skip
QUERIES = ["places", "position", "action", "player", "options", "limit", "offset"]
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


def test_noise_is_answered_by_sentences(tmp_path, monkeypatch):
    """The same requests every time."""
    monkeypatch.setattr(security, "RATE", 1e9)
    monkeypatch.setattr(security, "BURST", 1e9)
    chance, seen = random.Random(24), set()
    with studio_client(tmp_path) as client:
        id, quiet = new_play(client)["id"], new_play(client, moves=["b2"])
        for _ in range(REQUESTS):
            method, path, keywords = noise(chance, "nowhere" if chance.random() < 0.3 else id)
            if chance.random() < 0.1:
                keywords["headers"]["Authorization"] = "Bearer x"
            response = client.request(method, path, **keywords)
            seen.add(response.status_code)
            assert response.status_code < 500, (method, path, keywords, response.text)
            assert "Traceback" not in response.text
            if response.status_code >= 400 and method != "HEAD":
                assert list(response.json()) == ["error"], (method, path, keywords)
        assert {200, 201, 401, 404, 405, 422} <= seen
        assert client.get(f"/api/plays/{quiet['id']}").json() == quiet
        played = client.get(f"/api/plays/{id}").json()
        assert all(client.get("/api/ready").json()["ready"] for _ in range(3)), played
