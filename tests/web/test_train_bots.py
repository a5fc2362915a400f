"""Bots over the server: made, trained, stopped, tried, their memory read and carried elsewhere, a studio that is killed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from boardgym.baselines.learning.agent_files import load_any
from boardgym.core.files import write_aside
from boardgym.web import bot_room
from boardgym.web import jobs as jobs_module
from boardgym.web.bot_snapshots import GIVEN_S, SNAPSHOTS
from boardgym.web.jobs import RUN, Ended, Jobs, TrainingError, curve_of, how_it_ended, mean_row, progress_of
from boardgym.web.verdicts import verdict_of
from tests.studio import StudioProcess, run_apart, studio_client, wait_until

LONG = {"training_exploring": 100_000_000, "training_pessimist": 0, "method": "q", "quality": None, "memory": 0.1}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with studio_client(tmp_path_factory.mktemp("bots")) as client:
        yield client


def made(client, name="Alexander", form="create-bot", **given):
    response = client.post("/api/bots", json={"name": name, "form": form, "given": given})
    assert response.status_code == 201, response.text
    return response.json()


def seen(client, bot):
    return client.get(f"/api/bots/{bot['id']}").json()


def when(client, bot, *states):
    """The bot's page once it is in one of some states."""
    wait_until(lambda: seen(client, bot)["bot"]["state"] in states, 120)
    return seen(client, bot)


def done(client, bot):
    return (seen(client, bot)["bot"]["progress"] or {"done": 0})["done"]


@pytest.fixture(scope="module")
def finished(client):
    bot = made(client, quality=None)
    return when(client, bot, "finished", "failed")


def test_a_bot_of_the_study_trains_to_its_end(client, finished):
    bot, curve = finished["bot"], finished["curve"]
    assert (bot["state"], bot["message"]) == ("finished", "all episodes are done")
    assert (bot["progress"]["done"], bot["progress"]["total"]) == (24_000, 24_000)
    assert (bot["title"], bot["seat"], bot["has_memory"]) == ("Tic-tac-toe", 0, True)
    assert curve["columns"] == ["episodes", "won", "drawn", "lost"]
    assert [row[0] for row in curve["rows"]] == [1000.0 * k for k in range(1, 25)]
    assert {sum(row[1:]) for row in curve["rows"]} == {1000.0}


def test_the_trials_give_a_verdict(client, finished):
    path = f"/api/bots/{finished['bot']['id']}"
    assert client.post(f"{path}/trials").status_code == 202
    assert client.post(f"{path}/trials").status_code == 409
    wait_until(lambda: client.get(path).json()["bot"]["trials"]["state"] != "running", 120)
    trials = client.get(path).json()["bot"]["trials"]
    assert (trials["state"], trials["message"], trials["done"]) == ("done", "", 24_000)
    (seat,) = trials["seats"]
    assert (seat["seat"], seat["verdict"]) == (0, "Invincible")
    figures = {one["name"]: one for one in seat["figures"]}
    assert figures["random"]["won"] == pytest.approx(737 / 1260)
    assert (figures["clone"]["quality"], figures["base"]["quality"]) == (1.0, 1.0)


def test_memory_is_read_position_by_position(client, finished):
    path = f"/api/bots/{finished['bot']['id']}/memory"
    start = client.get(path).json()
    assert [entry["action"] for entry in start["entries"]] == list(range(9))
    best = max(entry["value"] for entry in start["entries"])
    assert all(entry["is_best"] == (entry["value"] == best) for entry in start["entries"])
    later = client.get(f"{path}?moves=4,0").json()
    assert len(later["entries"]) == 7
    assert later["state"]["status"] == "x to play"
    over = client.get(f"{path}?moves=0,3,1,4,2").json()
    assert (over["entries"], over["state"]["status"]) == ([], "x won")
    for moves in ("4,4", "99", "a", "0,3,1,4,2,5"):
        refused = client.get(f"{path}?moves={moves}")
        assert (refused.status_code, "error" in refused.json()) == (422, True)


def test_memory_is_carried_to_another_studio(client, finished, tmp_path):
    content = client.get(f"/api/bots/{finished['bot']['id']}/agent")
    assert 'filename="Alexander.safetensors"' in content.headers["content-disposition"]
    with studio_client(tmp_path / "other") as other:
        response = other.post("/api/agents?name=Copy&game=TicTacToe", content=content.content)
        assert response.status_code == 201, response.text
        bot = response.json()
        assert (bot["state"], bot["game"], bot["seat"], bot["progress"]["done"]) == ("uploaded", "TicTacToe-v0", 0, 24_000)
        here, there = (
            where.get(f"/api/bots/{key['id']}/memory?moves=4").json()["entries"]
            for where, key in ((client, finished["bot"]), (other, bot))
        )
        assert here == there
        assert other.post(f"/api/bots/{bot['id']}/resume").status_code == 409
        snapshot = other.post(f"/api/bots/{bot['id']}/snapshot").json()
        seats = [{"kind": "policy", "spec": snapshot["spec"]}, {"kind": "human"}]
        play = other.post("/api/plays", json={"game": "TicTacToe-v0", "seats": seats})
        assert play.status_code == 201, play.text
        wait_until(lambda: other.get(f"/api/plays/{play.json()['id']}").json()["state"]["ply"] == 1)


def test_snapshots_are_kept_as_long_as_they_are_used(client, finished, tmp_path, monkeypatch):
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr("boardgym.web.bot_snapshots.time", clock)
    content = client.get(f"/api/bots/{finished['bot']['id']}/agent").content
    with studio_client(tmp_path) as other:
        key = other.post("/api/agents?name=Copy", content=content).json()["id"]
        room = other.app.state.bots
        agent, folder = room.agent_of(room.row(key)), room.folder_of(key) / SNAPSHOTS

        def asked(number):
            """The spec of a snapshot, after the bot has written what it has learnt anew."""
            write_aside(agent, content)
            os.utime(agent, ns=(number, number))
            return other.post(f"/api/bots/{key}/snapshot").json()["spec"]

        def kept():
            return sorted(int(path.stem.rpartition("-")[2]) for path in folder.iterdir())

        def play(spec):
            seats = [{"kind": "policy", "spec": spec}, {"kind": "human"}]
            return other.post("/api/plays", json={"game": "TicTacToe-v0", "seats": seats}).json()["id"]

        played, _, fought = asked(1), asked(2), asked(3)
        id = play(played)
        settings = {"a": fought, "b": "random", "game": "TicTacToe", "games": 2}
        tournament = other.post("/api/arena", json={"kind": "match", "given": settings}).json()["id"]
        assert kept() == [1, 2, 3]
        clock.now += GIVEN_S / 2
        asked(4)
        clock.now += GIVEN_S / 2 + 1  # the fourth may still be about to be used
        asked(5)
        assert kept() == [1, 3, 4, 5]
        wait_until(lambda: other.get(f"/api/arena/{tournament}").json()["tournament"]["state"] == "finished", 120)
        other.delete(f"/api/plays/{id}")
        other.delete(f"/api/arena/{tournament}")
        asked(6)
        assert kept() == [4, 5, 6]


@pytest.mark.parametrize(
    ("query", "change", "said"),
    [
        ("&game=ConnectFour", lambda content: content, "is an agent for Tic-tac-toe, asked for is Connect Four"),
        ("", lambda content: content[:-8], "the file"),
        ("", lambda content: b"\x80\x04cos\nsystem\n(S'echo'\ntR.", "the file"),
        ("", lambda content: content.replace(b"TicTacToe-v0", b"ConnectFour0"), "the file"),
        ("", lambda content: b"", "the file"),
    ],
)
def test_a_file_that_is_no_agent_of_the_game_is_refused(client, finished, query, change, said):
    content = change(client.get(f"/api/bots/{finished['bot']['id']}/agent").content)
    before = {path.name for path in client.app.state.bots.folder.iterdir()}
    refused = client.post(f"/api/agents?name=Copy{query}", content=content)
    assert (refused.status_code, said in refused.json()["error"]) == (422, True), refused.text
    assert {path.name for path in client.app.state.bots.folder.iterdir()} == before


def test_a_bot_starts_from_the_table_of_another_and_stops_when_it_is_good(client, finished):
    loaded = finished["bot"]["id"]
    assert loaded in {choice for f in client.get("/api/learners/create-bot").json()["fields"] for choice in f["choices"]}
    bot = made(client, "Heir", load_bot=loaded, training_exploring=0, training_pessimist=20_000, quality=99)
    page = when(client, bot, "finished", "failed")
    assert page["bot"]["message"] == "99 % of the last 1,000 episodes were won or drawn, as intended"
    assert 1000 <= page["bot"]["progress"]["done"] < 20_000
    refused = client.post("/api/bots", json={"name": "x", "form": "create-bot", "given": {"load_bot": "nobody"}})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["load_bot"])


def test_a_bot_is_stopped_and_gone_on_with_while_others_wait(client):
    assert client.put("/api/bots/limit", json={"limit": 0}).status_code == 422
    assert client.put("/api/bots/limit", json={"limit": 1}).status_code == 200
    first, second = made(client, "First", **LONG), made(client, "Second", **LONG)
    try:
        wait_until(lambda: done(client, first) > 0, 120)
        assert seen(client, second)["bot"]["state"] == "waiting"
        assert client.post(f"/api/bots/{first['id']}/resume").status_code == 409
        snapshot = client.post(f"/api/bots/{first['id']}/snapshot").json()["spec"]  # to play against while it trains
        assert client.post(f"/api/bots/{first['id']}/stop").status_code == 200
        stopped = when(client, first, "stopped")
        at = stopped["bot"]["progress"]["done"]
        assert (stopped["bot"]["message"], at > 0) == ("stopped; what it has learnt is kept", True)
        assert load_any(client.app.state.bots.agent_of(client.app.state.bots.row(first["id"]))).facts["episodes"] == at
        assert 0 < load_any(snapshot.removeprefix("file:")).facts["episodes"] <= at
        when(client, second, "training")
        client.put("/api/bots/limit", json={"limit": 2})
        assert client.post(f"/api/bots/{first['id']}/resume").status_code == 200
        wait_until(lambda: done(client, first) > at, 120)
    finally:
        for bot in (first, second):
            assert client.delete(f"/api/bots/{bot['id']}").status_code == 204
    assert client.get(f"/api/bots/{first['id']}").status_code == 404
    assert not client.app.state.bots.folder_of(first["id"]).exists()


def test_what_only_the_training_finds_out_is_said_with_the_bot(client):
    bot = when(client, made(client, "Seven", "tabular", seat="7"), "failed", "finished")["bot"]
    assert (bot["state"], bot["message"]) == ("failed", "seat='7': expected 0 to 1 or 'random' in TicTacToe-v0")


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"name": "x", "form": "create-bot", "given": {"epsilon": "7"}}, 422, "expected values from 0 to 1"),
        ({"name": "x", "form": "checkers"}, 422, "there is no learner 'checkers'"),
        ({"name": "", "form": "tabular"}, 422, "name"),
        ({"name": "x" * 81, "form": "tabular"}, 422, "name"),
        ({"name": "x", "form": "tabular", "words": ["--trust"]}, 422, "words"),
        ({"name": "x", "form": "tabular", "given": {"opponent": "human"}}, 422, "nobody can be asked"),
        ({"name": "x", "form": "tabular", "given": {"episodes": {"a": 1}}}, 422, "episodes"),
    ],
)
def test_forms_that_are_refused_make_no_bot(client, body, status, said):
    before = client.get("/api/bots").json()["bots"]
    refused = client.post("/api/bots", json=body)
    assert (refused.status_code, said in refused.json()["error"]) == (status, True), refused.text
    assert client.get("/api/bots").json()["bots"] == before


def test_a_bot_that_is_not_there(client):
    for method, path in (
        ("get", ""),
        ("get", "/events"),
        ("post", "/stop"),
        ("post", "/resume"),
        ("post", "/trials"),
        ("get", "/memory"),
        ("delete", ""),
    ):
        assert getattr(client, method)(f"/api/bots/nobody{path}").status_code == 404
    assert client.get("/api/bots/..%2f..%2fetc/agent").status_code == 404


# ------------------------------------------------------------ a studio that is killed


def bot_processes(folder):
    """The processes that train the bots of a data folder."""
    found = []
    for path in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{path}/cmdline").read_bytes().split(b"\0") if path.isdecimal() else []
            if b"boardgym.web.trainee" in words and any(str(folder).encode() in word for word in words):
                found.append(int(path))
    return found


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at the processes in /proc")
def test_bots_end_with_a_studio_that_is_killed_and_go_on_with_the_next(tmp_path):
    with StudioProcess(tmp_path) as studio:
        bot = studio.call("POST", "/bots", {"name": "Alexander", "form": "create-bot", "given": LONG})
        path = f"/bots/{bot['id']}"
        wait_until(lambda: (studio.call("GET", path)["bot"]["progress"] or {"done": 0})["done"] > 1000, 120)
        at = studio.call("GET", path)["bot"]["progress"]["done"]
        assert len(bot_processes(tmp_path)) == 1
        studio.kill()
    wait_until(lambda: bot_processes(tmp_path) == [], 30)
    with StudioProcess(tmp_path) as studio:
        found = studio.call("GET", path)["bot"]
        assert (found["state"], found["progress"]["done"] >= at) == ("interrupted", True)
        kept = found["progress"]["done"]
        studio.call("POST", f"{path}/resume", {})
        wait_until(lambda: studio.call("GET", path)["bot"]["progress"]["done"] > kept, 120)
        assert progress_of(tmp_path / "bots" / bot["id"])["resumed"] == kept
        (process,) = bot_processes(tmp_path)
        os.kill(process, signal.SIGKILL)  # its process alone: the studio says so
        wait_until(lambda: studio.call("GET", path)["bot"]["state"] == "interrupted", 30)
        assert "SIGKILL" in studio.call("GET", path)["bot"]["message"]
        studio.call("POST", f"{path}/resume", {})
        wait_until(lambda: studio.call("GET", path)["bot"]["state"] == "training", 30)
    wait_until(lambda: bot_processes(tmp_path) == [], 30)


# ------------------------------------------------------------ parts


def test_what_cannot_be_noted_of_its_begin_ends_no_process(tmp_path, caplog):
    def fail():
        raise OSError("no room")

    ends = []
    jobs = Jobs()
    jobs.begin("one", tmp_path, ["games"], ends.append, fail)
    assert jobs.state("one") == "training"
    wait_until(lambda: ends, 120)
    assert ends[0].state == "finished"
    assert "one has begun, which could not be noted" in caplog.text
    jobs.close()


def test_a_long_curve_is_means_of_neighbours(tmp_path):
    (tmp_path / RUN).mkdir()
    rows = [f"{1000 * (k + 1)},{k},{'' if k % 2 else 10},nan" for k in range(1000)]
    (tmp_path / RUN / "curve.csv").write_text("\n".join(["episodes,won,score,other", *rows]) + "\n")
    found = curve_of(tmp_path)
    assert (len(found["rows"]), found["rows"][0], found["rows"][-1][0]) == (334, [3000.0, 1.0, 10.0, None], 1_000_000.0)
    assert len(curve_of(tmp_path, most=2000)["rows"]) == 1000
    assert curve_of(tmp_path / "nowhere") == {"columns": [], "rows": []}
    assert mean_row([[1.0, 2.0], [2.0, 4.0]]) == [2.0, 3.0]


@pytest.mark.parametrize(
    ("status", "is_stopped", "state"),
    [(0, False, "finished"), (0, True, "finished"), (130, True, "stopped"), (130, False, "interrupted"), (1, False, "stopped"),
     (2, False, "failed"), (-9, False, "interrupted")],
)  # fmt: skip
def test_how_a_process_ended(status, is_stopped, state):
    ended = how_it_ended(status, "the last line", is_stopped=is_stopped)
    assert (ended.state, bool(ended.message)) == (state, True)


def test_jobs_that_wait_are_stopped_and_begin_in_their_order(tmp_path):
    jobs, ends = Jobs(1), list[tuple[str, Ended]]()
    begun = list[str]()
    for name in "abc":
        jobs.begin(name, tmp_path / name, ["--version"], lambda end, name=name: ends.append((name, end)),
                   lambda name=name: begun.append(name))  # fmt: skip
    assert (jobs.state("a"), jobs.state("b"), jobs.state("d")) == ("training", "waiting", "")
    assert jobs.stop("b")
    assert not jobs.stop("d")
    wait_until(lambda: len(ends) == 3)
    assert begun == ["a", "c"]
    assert {name: end.state for name, end in ends} == {"a": "finished", "b": "stopped", "c": "finished"}
    jobs.close()
    assert json.dumps(jobs.state("a")) == '""'


def test_what_is_refused_says_nothing_of_waiting(tmp_path):
    jobs, said = Jobs(1), list[str]()
    for _ in range(2):
        with contextlib.suppress(TrainingError):
            jobs.begin("a", tmp_path, ["--version"], lambda end: said.append(end.state), lambda: said.append("training"),
                       lambda: said.append("waiting"))  # fmt: skip
    wait_until(lambda: len(said) == 3)
    assert said == ["waiting", "training", "finished"]


def test_closing_has_one_deadline_and_kills_what_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(jobs_module, "CLOSE_S", 1.0)
    sleeper = (sys.executable, "-c", "import time; time.sleep(60)")
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda command, **settings: popen(sleeper, **settings))
    jobs, ends = Jobs(4), list[str]()
    for name in "abcd":
        jobs.begin(name, tmp_path / name, [], lambda end: ends.append(end.state))
    started = time.monotonic()
    jobs.close()
    assert time.monotonic() - started < 3.0  # not 1 s each
    assert ends == ["interrupted"] * 4


def test_two_clicks_on_resume(client, finished, monkeypatch):
    room, key = client.app.state.bots, finished["bot"]["id"]
    row = room.row(key)
    monkeypatch.setattr(room, "row", lambda key: row)  # as both have read it
    monkeypatch.setattr(room.jobs, "_fill", lambda: room.jobs._running.update({key: room.jobs._waiting.pop()}))
    try:
        room.resume(key)
        room.change(key, state="training")
        with pytest.raises(TrainingError, match="under way"):
            room.resume(key)
        monkeypatch.undo()
        assert room.row(key).state == "training"
    finally:
        monkeypatch.undo()
        room.jobs._running.pop(key, None)
        room.change(key, state="finished", message="all episodes are done")


def test_uploads_have_a_limit_and_come_one_at_a_time(client, finished, monkeypatch):
    content = client.get(f"/api/bots/{finished['bot']['id']}/agent").content
    with monkeypatch.context() as patch:
        patch.setattr(bot_room, "MOST_BOTS", 1)
        refused = client.post("/api/agents?name=Copy", content=content)
        assert (refused.status_code, "bots already" in refused.json()["error"]) == (409, True)
    with monkeypatch.context() as patch:
        patch.setattr(client.app.state.bots.uploading, "locked", lambda: True)
        assert client.post("/api/agents?name=Copy", content=content).status_code == 409


def test_verdicts():
    def trials(quality, *, is_whole=True, is_perfect=False):
        line = {"seat": 0, "is_perfect": is_perfect, "quality": {"value": quality}}
        return {"base": {"is_whole": is_whole, "lines": [line]}}

    assert verdict_of(trials(1.0, is_perfect=True), 0) == "Invincible"
    assert verdict_of(trials(1.0, is_whole=False), 0) == "Strong"
    assert [verdict_of(trials(quality), 0) for quality in (0.96, 0.8, 0.5)] == ["Strong", "Medium", "Weak"]
    assert (verdict_of({}, 0), verdict_of(trials(1.0), 1)) == ("", "")


def test_the_events_of_a_bot(client, finished):
    """The stream itself never ends; its parts are looked at."""
    from boardgym.web.bots import changes

    async def first_two():
        values = iter([{"a": 1}, {"a": 1}, {"a": 2}])
        stream = changes(lambda: next(values))
        return [await anext(stream), await anext(stream)]

    started = time.monotonic()
    assert run_apart(first_two()) == [{"a": 1}, {"a": 2}]
    assert time.monotonic() - started < 10
