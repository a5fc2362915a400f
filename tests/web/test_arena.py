"""The room Arena over the server: tournaments made, followed, stopped, gone on with, killed, and their games looked at."""

import json
from urllib.error import HTTPError

import pytest

from boardgym.baselines.arena.compare import Comparison, compare
from boardgym.baselines.arena.formats import read_records
from boardgym.baselines.arena.ladder import Ladder, play_ladder
from tests.studio import StudioProcess, studio_client, wait_until
from tests.support import ROOT

MINUTE = 120
TINY = {"game": "TicTacToe", "games": 4, "openings": "start"}
ENDLESS = {"a": "random", "b": "greedy", "game": "TicTacToe", "games": 1_000_000, "openings": "start"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with studio_client(tmp_path_factory.mktemp("studio")) as client:
        yield client


def made(client, kind, name="", **given):
    response = client.post("/api/arena", json={"kind": kind, "name": name, "given": given})
    assert response.status_code == 201, response.text
    return response.json()["id"]


def seen(client, key):
    return client.get(f"/api/arena/{key}").json()


def when(client, key, *states):
    wait_until(lambda: seen(client, key)["tournament"]["state"] in states, MINUTE)
    return seen(client, key)


def games_of(client, key, **query):
    words = "&".join(f"{name}={value}" for name, value in {"sort": "number", "down": "false", "limit": 500, **query}.items())
    return client.get(f"/api/records?tournament={key}&{words}").json()["games"]


@pytest.fixture(scope="module")
def ladder(client):
    key = made(client, "ladder", "First steps", rungs=["random", "greedy", "perfect"], **TINY)
    return when(client, key, "finished", "failed", "stopped")


def test_a_ladder_is_that_of_the_library(client, ladder):
    tournament = ladder["tournament"]
    assert (tournament["state"], tournament["done"], tournament["total"]) == ("finished", 8, 8), ladder["log"]
    expected = play_ladder("TicTacToe", ["random", "greedy", "perfect"], games=4, openings="start", progress=False)
    report = client.get(f"/api/arena/{tournament['id']}/report")
    assert Ladder.from_json(report.text) == expected
    assert 'filename="First-steps.json"' in report.headers["content-disposition"]
    assert [(row["a"], row["b"]) for row in ladder["rows"]] == [("greedy", "random"), ("perfect", "greedy")]
    ratings = expected.ratings()
    assert [(one["name"], one["elo"]) for one in ladder["ratings"]] == [(one.name, one.elo) for one in ratings]
    assert all(one["high"] is None or one["high"] >= one["elo"] for one in ladder["ratings"])


def test_a_row_opens_the_pairs_behind_it(client, ladder):
    key = ladder["tournament"]["id"]
    for line, row in enumerate(ladder["rows"]):
        games = games_of(client, key, line=line)
        assert [game["seat"] for game in games] == [0, 1, 0, 1]
        assert [game["players"] for game in games[:2]] == [f"{row['a']} - {row['b']}", f"{row['b']} - {row['a']}"]
        wins = sum(game["winner"] == game["seat"] for game in games)
        assert wins == row["wins"]
    assert len(client.get(f"/api/records/{games[0]['id']}").json()["replay"]["states"]) == games[0]["plies"] + 1


def test_its_record_is_read_by_the_command_line(client, ladder, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(client.get(f"/api/arena/{ladder['tournament']['id']}/record").content)
    assert [len(record.moves) for record in read_records(str(path))] == [
        game["plies"] for game in games_of(client, ladder["tournament"]["id"])
    ]


def test_a_comparison_with_a_bot(client, tmp_path):
    given = {"game": "TicTacToe", "episodes": 50, "greedy_episodes": 0, "memory": 0.01}
    bot = client.post("/api/bots", json={"name": "Ada", "form": "tabular", "given": given})
    assert bot.status_code == 201, bot.text
    id = bot.json()["id"]
    wait_until(lambda: client.get(f"/api/bots/{id}").json()["bot"]["state"] == "finished", MINUTE)
    key = made(client, "compare", spec=f"bot:{id}", opponents=["random", "greedy"], **TINY)
    page = when(client, key, "finished", "failed", "stopped")
    assert page["tournament"]["state"] == "finished", page["log"]
    spec = client.get(f"/api/bots/{id}").json() and page["rows"][0]["a"]
    assert page["tournament"]["names"] == {spec: "Ada"}
    expected = compare(spec, "TicTacToe", ["random", "greedy"], games=4, openings="start", progress=False)
    assert Comparison.from_json(client.get(f"/api/arena/{key}/report").text) == expected
    assert [one["name"] for one in page["ratings"]] == ["random", "greedy", spec]


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("compare", {"spec": "greedy", "opponents": ["random", "greedy"], "by_seat": True, **TINY}),
        ("match", {"a": "greedy", "b": "random", "seat": 1, **TINY, "games": 3}),
    ],
)
def test_games_at_one_seat_are_no_pairs(client, kind, given):
    key = made(client, kind, **given)
    page = when(client, key, "finished", "failed", "stopped")
    assert page["tournament"]["state"] == "finished", page["log"]
    assert page["ratings"] == []
    for line, row in enumerate(page["rows"]):
        games = games_of(client, key, line=line)
        assert ({game["seat"] for game in games}, len(games)) == ({row["seat"]}, row["games"])


def test_a_tournament_is_stopped_and_gone_on_with_while_others_wait(client):
    key = made(client, "match", **ENDLESS)
    try:
        wait_until(lambda: seen(client, key)["tournament"]["done"] > 20, MINUTE)
        assert seen(client, key)["tournament"]["rate"] > 0
        waiting = made(client, "match", a="random", b="random", **TINY)
        assert seen(client, waiting)["tournament"]["state"] == "waiting"
        assert client.post(f"/api/arena/{key}/resume").status_code == 409
        assert client.post(f"/api/arena/{key}/stop").status_code == 200
        page = when(client, key, "stopped")
        done = page["tournament"]["done"]
        numbers = [game["number"] for game in games_of(client, key)]
        assert numbers == list(range(min(done, 500)))
        assert client.get(f"/api/records?tournament={key}").json()["total"] >= done
        assert when(client, waiting, "finished")["rows"][0]["games"] == 4
        assert client.post(f"/api/arena/{waiting}/resume").status_code == 409
        assert client.post(f"/api/arena/{key}/resume").status_code == 200
        wait_until(lambda: seen(client, key)["tournament"]["done"] > done + 20, MINUTE)
    finally:
        assert client.delete(f"/api/arena/{key}").status_code == 204
    assert (client.get(f"/api/arena/{key}").status_code, games_of(client, key)) == (404, [])
    assert not (client.app.state.arena.folder / key).exists()


@pytest.mark.parametrize(
    ("kind", "given", "field", "said"),
    [
        ("match", {"b": "greedy"}, "a", "is missing"),
        ("match", {"a": "nobody", "b": "greedy"}, "a", "nobody"),
        ("match", {"a": "human", "b": "greedy"}, "a", "a person at the terminal cannot play here"),
        ("match", {"a": "greedy", "b": "sb3:model.zip"}, "b", "could execute code"),
        ("match", {"a": "greedy", "b": "engine:gnubg"}, "b", "runs a program"),
        ("match", {"a": "bot:none", "b": "greedy"}, "a", "there is no bot"),
        ("match", {"a": "greedy", "b": "random", "games": 3}, "games", "an even number"),
        ("match", {"a": "greedy", "b": "random", "games": "many"}, "games", "no whole number"),
        ("match", {"a": "greedy", "b": "random", "openings": "nowhere"}, "openings", "no set of openings"),
        ("match", {"a": "greedy", "b": "random", "option": ["size=99"]}, "option", "size"),
        ("match", {"a": "greedy", "b": "random", "game": "Checkers"}, "game", "Checkers"),
        ("match", {"a": "greedy", "b": "random", "record": "/etc/passwd"}, "record", "no such setting"),
        ("match", {"a": "--help", "b": "random"}, "a", "would be read as an option"),
        ("compare", {"spec": "greedy", "opponents": ["random", "sb3:x"]}, "opponents", "could execute code"),
        ("melee", {}, "", "there is no tournament"),
    ],
)
def test_what_cannot_be_played_makes_no_tournament(client, kind, given, field, said):
    before = client.get("/api/arena").json()
    response = client.post("/api/arena", json={"kind": kind, "given": given})
    assert response.status_code in (404, 422)
    assert said in response.json().get("errors", {}).get(field, response.json()["error"]), response.text
    assert field in response.json().get("errors", {field: ""})
    assert client.get("/api/arena").json() == before


def test_forms_are_those_of_the_commands(client):
    form = client.get("/api/arena/forms/match").json()
    fields = {field["name"]: field for field in form["fields"]}
    assert {name for name, field in fields.items() if field["is_policy"]} == {"a", "b"}
    assert not {"record", "resume", "json", "trust"} & set(fields)
    assert fields["games"]["help"].startswith("How many games")
    assert fields["openings"]["help"].startswith("Where games begin")
    assert [form["name"] for form in client.get("/api/arena/forms").json()] == ["match", "compare", "ladder"]
    assert client.get("/api/arena/forms/melee").status_code == 404


def test_a_studio_that_is_killed_loses_no_game(tmp_path, plain_processes):
    with StudioProcess(tmp_path) as studio:
        key = studio.call("POST", "/arena", {"kind": "match", "given": ENDLESS})["id"]
        wait_until(lambda: studio.call("GET", f"/arena/{key}")["tournament"]["done"] > 20, MINUTE)
        total = studio.call("GET", f"/records?tournament={key}")["total"]
        studio.kill()
    with StudioProcess(tmp_path) as studio:
        page = studio.call("GET", f"/arena/{key}")
        assert page["tournament"]["state"] == "interrupted"
        path = tmp_path / "arena" / key / "games.jsonl"

        def lines():
            return path.read_bytes().count(b"\n")

        kept = lines()
        assert kept >= total > 20
        studio.call("POST", f"/arena/{key}/resume", {})
        wait_until(lambda: studio.call("GET", f"/arena/{key}")["tournament"]["done"] > kept + 20, MINUTE)
        studio.call("POST", f"/arena/{key}/stop", {})
        wait_until(lambda: studio.call("GET", f"/arena/{key}")["tournament"]["state"] == "stopped", MINUTE)
        games = [json.loads(line) for line in path.read_text().splitlines()]
        assert len({game["seed"] for game in games}) == len(games)  # none was played twice
        found = studio.call("GET", f"/records?tournament={key}&sort=number&down=false&limit=500")
        assert [game["number"] for game in found["games"]] == list(range(min(len(games), 500)))
        assert found["total"] == len(games)


def test_a_game_of_a_user_s_own(tmp_path, plain_processes):
    """Its tournament is played in another process, and its games stay when the file is not loaded the next time."""
    with StudioProcess(tmp_path, "--load", str(ROOT / "tests" / "cli" / "users_nim.py")) as studio:
        given = {"a": "greedy", "b": "random", "game": "Nim", "games": 2, "openings": "start"}
        key = studio.call("POST", "/arena", {"kind": "match", "given": given})["id"]
        wait_until(lambda: studio.call("GET", f"/arena/{key}")["tournament"]["state"] == "finished", 2 * MINUTE)
        found = studio.call("GET", "/records?game=Nim&opening=3")
        assert found["total"] == sum(game["opening"].startswith("3") for game in found["games"])
        (one, _) = studio.call("GET", f"/records?tournament={key}&sort=number&down=false")["games"]
        assert len(studio.call("GET", f"/records/{one['id']}")["replay"]["states"]) == one["plies"] + 1
    with StudioProcess(tmp_path) as studio:
        assert studio.call("GET", f"/records?tournament={key}")["total"] == 2
        assert studio.call("GET", f"/arena/{key}")["tournament"]["title"] == "Nim-v0"
        with pytest.raises(HTTPError) as refused:
            studio.call("GET", f"/records/{one['id']}")
        assert "Nim" in json.loads(refused.value.read())["error"]
