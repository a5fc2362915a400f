"""The room Analyse: live search over a WebSocket, games judged, trees and openings; on an app with this router alone."""

import asyncio
import json
import time

import numpy as np
import pytest

fastapi = pytest.importorskip("fastapi", reason="the studio needs the extra `web`")
from starlette.testclient import TestClient  # noqa: E402

from boardgym import Board, SpecError  # noqa: E402
from boardgym.baselines import play_game  # noqa: E402
from boardgym.baselines.arena.formats import write_records  # noqa: E402
from boardgym.baselines.perfect.policy import solver_for  # noqa: E402
from boardgym.core.policy_spec import make_policy  # noqa: E402
from boardgym.web import analysis_process  # noqa: E402
from boardgym.web.analysis import router  # noqa: E402
from boardgym.web.analysis_process import Processes  # noqa: E402
from boardgym.web.app import create_app  # noqa: E402
from boardgym.web.errors import add_handlers  # noqa: E402
from tests.studio import run_apart, wait_until  # noqa: E402

# Connect Four with 18 cells empty, which the solver answers at once: 5 wins, 1 draws, 6 loses
LATE = ["4", "7", "6", "3", "2", "4", "3", "4", "4", "5", "5", "2", "3", "7", "3", "3", "1", "4", "3", "4", "5", "2", "7", "1"]
MOST_S = 120.0  # for any search here, and what it compiles
STOP_S = 0.5  # 0.1 s are meant; this machine may have other work
HANG = """
import time
from boardgym.core.policy_spec import register_policy

register_policy("hang", "hanging_policy:make")


class Hang:
    spec = "hang"

    def act(self, board, *, deterministic=False):
        return board.legal_actions[0]

    def reset(self, *, seed=None):
        pass

    def analyse(self, board):
        time.sleep(600)


def make(spec, game, *, seed, trust):
    return Hang()
"""


def make_app():
    app = fastapi.FastAPI()
    add_handlers(app)
    app.include_router(router)
    return app


@pytest.fixture(scope="module")
def client():
    app = make_app()
    with pytest.MonkeyPatch.context() as patch, TestClient(app) as opened:
        patch.setattr(analysis_process, "READY", 1)  # another process takes a second to start
        yield opened
        getattr(app.state, "analysis", Processes()).close()


def until_done(socket, panel="first"):
    """The messages of a panel up to the end of its search, without the pulses."""
    messages, deadline = [], time.monotonic() + MOST_S
    while True:
        message = socket.receive_json()
        assert time.monotonic() < deadline, messages
        if message["panel"] == panel and message["kind"] != "pulse":
            messages.append(message)
            if message["kind"] in ("done", "error"):
                return messages


def until_found(socket):
    """The first message that says what a search has found."""
    deadline = time.monotonic() + MOST_S
    while (message := socket.receive_json())["kind"] != "found":
        assert time.monotonic() < deadline, message
        assert message["kind"] in ("pulse", "ready", "done"), message  # "done": of the search before
    return message


def judged(client, **asked):
    """The events of a judged game."""
    answer = client.post("/api/analysis/game", json=asked)
    assert answer.status_code == 200
    return [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]


def test_exact_values_of_a_connect_four_position(client):
    board = Board("ConnectFour")
    board.play(LATE)
    known = solver_for(board.game).solve(board, np.zeros(1, np.int64))
    with client.websocket_connect("/api/analysis") as socket:
        ask = {"game": "ConnectFour", "moves": LATE, "policy": "perfect:detail=full", "panel": "perfect", "lines": 2}
        socket.send_json(ask)
        *found, done = until_done(socket, "perfect")
    assert done == {"panel": "perfect", "number": 0, "kind": "done", "was_stopped": False}
    last = found[-1]
    assert {row["action"]: row["value"] for row in last["moves"]} == known.action_values
    assert {row["action"]: row["score"] for row in last["moves"]} == known.scores
    assert {row["action"]: row["distance"] for row in last["moves"]} == known.distances
    assert len(set(known.scores.values())) > 1
    assert last["is_proven"]
    assert last["action"] == known.best
    assert [board.move_text(known.best), board.move_text(last["lines"][1]["action"])] == [
        line["moves"][0] for line in last["lines"]
    ]


@pytest.mark.parametrize(
    ("policy", "limits"), [("uct", {"nodes": 3000}), ("minimax", {"seconds": 0.5}), ("uct", {"seconds": 0.8})]
)
def test_a_search_streams_what_it_finds(client, policy, limits):
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json({"game": "TicTacToe", "moves": ["b2"], "policy": policy, "lines": 3, **limits})
        *found, done = until_done(socket)
    assert done["kind"] == "done"
    nodes = [message["nodes"] for message in found]
    assert nodes == sorted(nodes)
    assert nodes[-1] > nodes[0]
    lines = found[-1]["lines"]
    assert len({line["action"] for line in lines}) == len(lines) == 3
    for line in lines:
        board = Board("TicTacToe")
        board.play(["b2", *line["moves"]])  # every move is legal
    assert max(len(line["moves"]) for line in lines[1:]) > 1


def test_watching_finds_what_the_search_finds(client):
    board = Board("TicTacToe")
    expected = make_policy("minimax:4", board.game).analyse(board)
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json({"game": "TicTacToe", "policy": "minimax:4"})
        *found, _ = until_done(socket)
    assert {row["action"]: row["value"] for row in found[-1]["moves"]} == expected.action_values
    assert (found[-1]["action"], found[-1]["depth"]) == (expected.action, 4)


def test_another_position_stops_the_search_before(client):
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json({"game": "ConnectFour", "policy": "minimax:40"})
        assert until_found(socket)["game"] == "ConnectFour-v0"
        asked = time.monotonic()
        socket.send_json({"game": "TicTacToe", "policy": "perfect"})
        first = socket.receive_json()
        while first["kind"] == "pulse" or first.get("game") == "ConnectFour-v0":
            first = socket.receive_json()  # sent before the other request came
        assert first["game"] == "TicTacToe-v0"
        assert all(message.get("game") != "ConnectFour-v0" for message in until_done(socket))
        socket.send_json({"game": "ConnectFour", "policy": "minimax:40"})
        until_found(socket)
        socket.send_json({"panel": "first", "stop": True})
        deadline = time.monotonic() + 10
        while client.app.state.analysis.busy and time.monotonic() < deadline:
            time.sleep(0.01)
    assert not client.app.state.analysis.busy
    assert time.monotonic() - asked < 10


def test_a_stopped_search_ends_at_once_and_a_hanging_one_is_killed(tmp_path, monkeypatch):
    source = tmp_path / "hanging_policy.py"
    source.write_text(HANG)
    monkeypatch.setattr(analysis_process, "LEFT_S", 0.3)
    place = {"game": "TicTacToe", "options": {}, "start": None, "moves": [], "seconds": None, "nodes": None, "lines": 1}

    async def stop_both():
        processes = Processes([str(source)])
        try:
            search = processes.run("position", {**place, "game": "ConnectFour", "policy": "minimax:40"})
            async for answer in search:
                if answer["kind"] == "found":
                    break
            (process,) = processes.busy
            stopped = time.monotonic()
            await search.aclose()
            while processes.busy:
                await asyncio.sleep(0.005)
            took = time.monotonic() - stopped
            assert processes.idle == [process]  # it goes on to the next search
            hanging = processes.run("position", {**place, "policy": "hang"})
            assert (await anext(hanging))["kind"] == "ready"
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(hanging), 0.5)
            await hanging.aclose()
            answers = [answer async for answer in processes.run("position", {**place, "policy": "perfect"})]
            assert answers[-1]["kind"] == "done"
            while process in processes.busy:
                await asyncio.sleep(0.02)
            process.process.join(5)
            assert process.process.exitcode is not None
            assert process not in processes.idle
            return took
        finally:
            processes.close()

    assert run_apart(stop_both()) < STOP_S


def test_a_process_that_dies_is_named_and_replaced():
    place = {"options": {}, "start": None, "moves": [], "seconds": None, "nodes": None, "lines": 1}

    async def kill_one():
        processes = Processes()
        try:
            answers, known = [], set()
            async for answer in processes.run("position", {**place, "game": "ConnectFour", "policy": "minimax:40"}):
                answers.append(answer)
                known |= processes.busy
                for process in processes.busy:
                    process.process.kill()
            again = [a async for a in processes.run("position", {**place, "game": "TicTacToe", "policy": "perfect"})]
            return answers[-1], again[-1], known | {*processes.idle}
        finally:
            processes.close()

    last, again, known = run_apart(kill_one())
    assert len(known) == 2
    wait_until(lambda: all(process.pipe.closed and process.process.exitcode is not None for process in known))
    assert last["kind"] == "error"
    assert "process of the search ended" in last["error"]
    assert again == {"kind": "done", "was_stopped": False}


GOOD = {"game": "TicTacToe", "policy": "perfect"}


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("no json", "Invalid JSON"),
        ("[1, 2]", "object"),
        ("[" * 60_000, "JSON"),
        ('{"game": "' + "x" * 70_000 + '"}', "more than 64,000"),
        (json.dumps({**GOOD, "trust": True}), "trust"),
        (json.dumps({**GOOD, "seconds": 1e9}), "seconds"),
        (json.dumps({**GOOD, "lines": 99}), "lines"),
        (json.dumps({**GOOD, "moves": "b2"}), "moves"),
        (json.dumps({**GOOD, "game": "Chess"}), "Chess"),
        (json.dumps({**GOOD, "moves": ["b2", "b2"]}), "b2"),
        (json.dumps({**GOOD, "start": "<script>"}), "script"),
        (json.dumps({**GOOD, "options": {"size": 9}}), "size"),
        (json.dumps({**GOOD, "policy": "random"}), "tells no values"),
        (json.dumps({**GOOD, "policy": "engine:uci:true"}), "trust"),
        (json.dumps({**GOOD, "policy": "minimax:999999999"}), "minimax"),
        (json.dumps({**GOOD, "moves": ["a1", "b1", "a2", "b2", "a3"]}), "over"),
        ('{"panel": "first", "stop": "now"}', "stop"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_words(client, message, said):
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_text(message)
        answer = socket.receive_json()
        while answer["kind"] == "pulse":
            answer = socket.receive_json()
        assert answer["kind"] == "error"
        assert said in answer["error"]
        assert "Traceback" not in answer["error"]
        socket.send_json(GOOD)  # the socket goes on
        assert until_done(socket)[-1]["kind"] == "done"


def test_an_error_of_our_own_reaches_the_page(client, monkeypatch):
    async def fail(self, kind, request):
        raise OSError("no process")
        yield

    monkeypatch.setattr(Processes, "run", fail)
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json(GOOD)
        said = until_done(socket)[-1]
    assert (said["kind"], "error of its own (OSError)" in said["error"]) == ("error", True)
    answer = client.post("/api/analysis/game", json={"game": "TicTacToe", "moves": ["b2"], "policy": "perfect"})
    assert "error of its own (OSError)" in answer.text


def test_too_many_searches_are_refused(client, monkeypatch):
    monkeypatch.setattr(analysis_process, "MOST_PROCESSES", 1)
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json({"game": "ConnectFour", "policy": "minimax:40"})
        until_found(socket)
        monkeypatch.setattr(client.app.state.analysis, "idle", [])
        socket.send_json({**GOOD, "panel": "second"})
        assert "searches already run" in until_done(socket, "second")[-1]["error"]


def test_mistakes_of_a_game_are_named(client):
    *plies, done = judged(client, game="TicTacToe", moves=["a1", "b1", "c3"], policy="perfect")
    assert done["kind"] == "done"
    assert [ply["values"][0] for ply in plies] == [0.0, 0.0, 1.0, 0.0]
    assert [ply["words"] for ply in plies[1:]] == [
        "",
        "b1 turned a draw into a loss; b2 was better",
        "c3 turned a win into a draw; a3 was better",
    ]
    board = Board("ConnectFour")
    board.play(LATE)
    *plies, done = judged(client, game="ConnectFour", start=board.fen(), moves=["1"], policy="perfect")
    assert [(ply["mark"], ply["words"]) for ply in plies] == [("", ""), ("mistake", "1 turned a win into a draw; 5 was better")]
    *plies, done = judged(client, game="ConnectFour", start=board.fen(), moves=["6"], policy="perfect")
    assert (plies[-1]["mark"], plies[-1]["words"]) == ("blunder", "6 turned a win into a loss; 5 was better")
    (last,) = judged(client, game="TicTacToe", moves=["z9"], policy="perfect")
    assert last["kind"] == "error"
    assert "z9" in last["error"]


def test_a_tree_is_folded_out_node_by_node(client):
    asked = {"game": "TicTacToe", "moves": "b2 a1 c1 a3", "policy": "minimax:3", "plies": 1}
    root = client.get("/api/analysis/tree", params=asked).json()["root"]
    assert {child["move"] for child in root["children"]} == {"b3", "a2", "c2", "b1", "c3"}
    folded = next(child for child in root["children"] if child["below"])
    node = client.get("/api/analysis/tree", params={**asked, "under": folded["move"]}).json()["root"]
    assert (node["move"], node["value"], len(node["children"])) == (folded["move"], folded["value"], folded["below"])
    large = {"policy": "minimax:9", "moves": "", "pruning": False}
    for change, said in [({"under": "z9"}, "z9"), ({"policy": "greedy"}, "greedy"), (large, "50,000")]:
        answer = client.get("/api/analysis/tree", params={**asked, **change})
        assert answer.status_code == 422
        assert said in answer.json()["error"]


def test_openings_of_a_file(client, tmp_path):
    games = [
        play_game(Board("TicTacToe"), [make_policy("random", "TicTacToe", seed=k) for k in (0, 1)], seed=k) for k in range(30)
    ]
    write_records(games, str(tmp_path / "games.game"))
    content = (tmp_path / "games.game").read_bytes()
    answer = client.post("/api/analysis/openings", data={"game": "TicTacToe"}, files={"file": ("games.game", content)})
    assert answer.status_code == 201
    counted = answer.json()
    assert (counted["games"], counted["others"]) == (30, 0)
    asked = {"game": "TicTacToe"}
    rows = client.post(f"/api/analysis/openings/{counted['id']}", json=asked).json()["moves"]
    assert sum(row["games"] for row in rows) == 30
    for row in rows:
        with_move = [game for game in games if game.moves[0] == row["move"]]
        assert (row["games"], row["draws"]) == (len(with_move), sum(game.winner is None for game in with_move))
        assert row["wins"] == [sum(game.winner == seat for game in with_move) for seat in (0, 1)]
        assert row["score"] == pytest.approx(sum(game.score(0) for game in with_move) / len(with_move))
    assert client.post("/api/analysis/openings/99", json=asked).status_code == 404
    for game, sent in [
        ("ConnectFour", content),
        ("TicTacToe", b'[Game "TicTacToe-v0"]\n\n1. b2 b2'),
        ("TicTacToe", b"\x00\xff"),
    ]:
        refused = client.post("/api/analysis/openings", data={"game": game}, files={"file": ("games.game", sent)})
        assert refused.status_code == 422
        assert refused.json()["error"]


def test_the_position_of_an_address(client):
    answer = client.post("/api/analysis/position", json={"game": "TicTacToe", "moves": ["b2"]}).json()
    assert answer["has_solver"]
    assert answer["game"]["id"] == "TicTacToe-v0"
    assert answer["state"]["moves"] == ["b2"]
    assert answer["state"]["ply"] == 1
    assert client.post("/api/analysis/position", json={"game": "TicTacToe", "moves": ["q1"]}).status_code == 422


def test_only_the_studio_s_own_page_may_search_and_its_games_have_openings(tmp_path):
    app = create_app(tmp_path, "secret", port=80)
    with TestClient(app, base_url="http://127.0.0.1:80") as client:
        own = {"Authorization": "Bearer secret", "Host": "127.0.0.1:80"}
        deadline = time.monotonic() + 60
        while not client.get("/api/ready", headers=own).json()["ready"] and time.monotonic() < deadline:
            time.sleep(0.05)
        for headers in ({**own, "Origin": "http://evil.example"}, {**own, "Host": "evil.example:80"}, {"Host": "127.0.0.1:80"}):
            with pytest.raises(Exception, match=r".*"), client.websocket_connect("/api/analysis", headers=headers) as socket:
                socket.receive_json()
        with client.websocket_connect("/api/analysis", headers=own) as socket:
            socket.send_json(GOOD)
            assert until_done(socket)[-1]["kind"] == "done"
        rules = {"game": "TicTacToe"}
        assert client.post("/api/analysis/openings-of-plays", json=rules, headers=own).status_code == 422  # none yet
        seats = [{"kind": "human", "spec": ""}] * 2
        moves = ["a1", "b1", "a2", "b2"]
        play = client.post("/api/plays", json={**rules, "seats": seats, "moves": moves}, headers=own).json()
        assert client.post(f"/api/plays/{play['id']}/moves", json={"ply": 4, "move": "a3"}, headers=own).status_code == 200
        counted = client.post("/api/analysis/openings-of-plays", json=rules, headers=own).json()
        rows = client.post(f"/api/analysis/openings/{counted['id']}", json=rules, headers=own).json()["moves"]
        assert [(row["move"], row["games"], row["wins"]) for row in rows] == [("a1", 1, [1, 0])]


def test_limits_stand_in_the_spec_of_the_search():
    from boardgym.core.policy_spec import parse_spec
    from boardgym.web.analysis_jobs import limited

    assert limited(parse_spec("uct"), 2.0, None).text == "uct:2.0s"
    assert limited(parse_spec("uct:c=2"), 2.0, None).text == "uct:2.0s,c=2"
    assert limited(parse_spec("uct:100,c=2"), 2.0, None).text == "uct:100,c=2"
    assert limited(parse_spec("minimax"), 2.0, None).text == "minimax:100,time=2.0s"
    assert limited(parse_spec("minimax"), None, 500).text == "minimax:100,nodes=500"
    assert limited(parse_spec("best"), 2.0, None).text == "best:2.0s"
    assert limited(parse_spec("best:3s"), 2.0, 500).text == "best:3s"
    assert limited(parse_spec("minimax:3"), None, None).text == "minimax:3"
    with pytest.raises(SpecError):
        make_policy(limited(parse_spec("uct"), None, None).text, "TicTacToe")
