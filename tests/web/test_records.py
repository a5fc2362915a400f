"""The room Games over the server: games played here and of uploaded files, searched, replayed, downloaded."""

import pytest

from boardgym.baselines.arena.formats import read_records
from boardgym.baselines.arena.game_file import read_games, write_game
from boardgym.web import record_room, records
from tests.studio import new_play, studio_client

CLUB = """[Game "TicTacToe-v0"]
[X "minimax:4"]
[O "greedy"]
[Date "1974.05.02"]
1. b2 a1 2. c3 a3 3. a2 c2 4. b1 b3 5. c1 {even} 1/2-1/2

[Game "TicTacToe-v0"]
[X "100%_sure"]
[O "random"]
1. a1 b2 2. a2 c3 3. a3 1-0

[Game "ConnectFour-v0"]
[Options "height=4 width=4"]
[X "random"]
[O "greedy"]
1. 1 2 2. 1 2 3. 1 3 4. 1 1-0
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with studio_client(tmp_path_factory.mktemp("studio")) as client:
        over = new_play(client, moves=["a1", "b1", "a2", "b2"])["id"]
        assert client.post(f"/api/plays/{over}/moves", json={"ply": 4, "move": "a3"}).status_code == 200
        new_play(client, moves=["b2"])
        assert upload(client, "club.game", CLUB)["games"] == 3
        yield client


def upload(client, name, text, status=201):
    response = client.post(f"/api/records/files?name={name}", content=text.encode())
    assert response.status_code == status, response.text
    return response.json()


def found(client, query="", status=200):
    response = client.get(f"/api/records?{query}")
    assert response.status_code == status, response.text
    return response.json()


def players(client, query):
    return sorted(game["players"] for game in found(client, query)["games"])


def test_games_of_all_sources_are_listed(client):
    page = found(client)
    assert (page["total"], page["unread"]) == (5, 0)
    assert sorted((game["source"], game["result"], game["plies"]) for game in page["games"]) == [
        ("file", "drawn", 9),
        ("file", "x won", 5),
        ("file", "x won", 7),
        ("play", "not over", 1),
        ("play", "x won", 5),
    ]


@pytest.mark.parametrize(
    ("query", "total"),
    [
        ("source=play", 2),
        ("game=ConnectFour", 1),
        ("players=MINIMAX greedy", 1),
        ("players=100%25_", 1),  # signs that mean something to SQL
        ("players=1000", 0),
        ("result=draw", 1),
        ("result=0", 3),
        ("result=1", 0),
        ("result=open", 1),
        ("fewest=6&most=8", 1),
        ("until=1974-05", 1),
        ("since=1974-05-03", 4),
        ("game=TicTacToe&opening=b2", 2),
        ("game=TicTacToe&opening=b2 a1 c3", 1),
        ("game=TicTacToe&opening=a1 b1", 1),
        ("game=ConnectFour&opening=1 2", 1),
        ("game=ConnectFour&opening=7", 0),  # a column that the usual board has
        ("game=TicTacToe&fen=3/1x1/o2 x", 1),
        ("game=TicTacToe&fen=3/1x1/1o1 x", 0),
    ],
)
def test_games_are_searched(client, query, total):
    assert found(client, query)["total"] == total


def test_a_position_is_found_however_it_came_about(client):
    game = next(game for game in found(client, "source=file&result=draw")["games"])
    states = client.get(f"/api/records/{game['id']}").json()["replay"]["states"]
    assert players(client, f"game=TicTacToe&fen={states[3]['fen']}") == ["minimax:4 - greedy"]
    assert found(client, f"game=TicTacToe&fen={states[0]['fen']}")["total"] == 4


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("opening=b2", "choose a game first"),
        ("game=TicTacToe&opening=z9", "z9"),
        ("game=TicTacToe&fen=nonsense", "nonsense"),
        ("game=Checkers", "Checkers"),
        ("result=x", "result"),
        ("since=yesterday", "since"),
        ("sort=record", "sort"),
    ],
)
def test_what_cannot_be_looked_for_gets_a_sentence(client, query, said):
    response = client.get(f"/api/records?{query}")
    assert (response.status_code in (404, 422), said in response.json()["error"]) == (True, True), response.text


def test_pages_are_sorted(client):
    plies = [game["plies"] for game in found(client, "sort=plies&down=false")["games"]]
    assert plies == sorted(plies)
    first, second = (found(client, f"sort=plies&down=false&limit=2&offset={offset}")["games"] for offset in (0, 2))
    assert [game["plies"] for game in first + second] == plies[:4]


def test_a_game_that_goes_on_is_read_again(client):
    id = new_play(client, moves=["b2"])["id"]
    (before,) = [game for game in found(client)["games"] if game["play_id"] == id]
    client.post(f"/api/plays/{id}/moves", json={"ply": 1, "move": "a1"})
    (after,) = [game for game in found(client)["games"] if game["play_id"] == id]
    assert (after["id"], before["plies"], after["plies"]) == (before["id"], 1, 2)
    client.delete(f"/api/plays/{id}")
    assert id not in {game["play_id"] for game in found(client)["games"]}
    assert client.get(f"/api/records/{before['id']}").status_code == 404


def test_one_game_has_all_its_positions(client):
    game = next(game for game in found(client, "source=file&result=draw")["games"])
    one = client.get(f"/api/records/{game['id']}").json()
    assert (len(one["replay"]["states"]), one["replay"]["comments"]) == (10, [[9, "even"]])
    assert one["seats"] == ["minimax:4", "greedy"]


def test_what_is_found_is_downloaded(client, tmp_path):
    for format, name in (("json", "games.jsonl"), ("game", "games.game")):
        response = client.get(f"/api/records/download?source=file&format={format}")
        assert f'filename="{name}"' in response.headers["content-disposition"]
        path = tmp_path / name
        path.write_bytes(response.content)
        assert "".join(map(write_game, read_records(str(path)))) == "".join(map(write_game, read_games(CLUB)))
    assert client.get("/api/records/download?players=nobody").status_code == 404


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bad.game", CLUB.replace("5. c1", "5. b2"), "'b2' is illegal"),
        ("half.game", CLUB[:-30], "the file"),
        ("other.game", CLUB.replace("ConnectFour-v0", "Checkers-v0"), "Checkers"),
        ("empty.game", "", "no game"),
        ("noise.bin", "\0\1\2", "neither the start of a game file nor JSON"),
        ("lines.jsonl", '{"format": "boardgym-game", "format_version": 1}\n', "line 1"),
    ],
)
def test_a_file_that_cannot_be_read_leaves_nothing(client, name, text, said):
    before = found(client)["total"], client.get("/api/records/files").json()
    assert said in upload(client, name, text, 422)["error"]
    assert (found(client)["total"], client.get("/api/records/files").json()) == before


def test_a_file_is_kept_once_and_is_not_too_large(client, monkeypatch):
    assert "here already, as 'club.game'" in upload(client, "again.game", CLUB, 409)["error"]
    monkeypatch.setattr(records, "MOST_GAMES", 2)
    assert "more than 2 games" in upload(client, "more.game", CLUB + "\n", 422)["error"]
    monkeypatch.setattr(records, "MOST_UPLOAD", 100)
    assert upload(client, "large.game", CLUB + "\n\n", 413)["error"].startswith("a file of more than")


def test_a_file_is_deleted_with_its_games(client):
    id = upload(client, "one.game", '[Game "TicTacToe-v0"]\n[X "deleted"]\n1. b2 *\n')["id"]
    assert found(client, "players=deleted")["total"] == 1
    assert client.delete(f"/api/records/files/{id}").status_code == 204
    assert client.delete(f"/api/records/files/{id}").status_code == 404
    assert found(client, "players=deleted")["total"] == 0


@pytest.mark.parametrize("path", ["/99", "/99999999999", "/x", "/files/99", "/..%2f..%2fetc"])
def test_a_game_that_is_not_there(client, path):
    for method in ("get", "delete"):
        assert getattr(client, method)(f"/api/records{path}").status_code in (404, 405, 422)


def test_a_list_does_not_wait_for_all_games(client, monkeypatch):
    monkeypatch.setattr(record_room, "READ_S", 0.0)
    room = client.app.state.records
    ids = [new_play(client, moves=["c3"])["id"] for _ in range(2)]
    assert room.follow_plays(0.0) == 2
    monkeypatch.setattr(record_room, "AT_ONCE", 1)
    assert room.follow_plays(60.0) == 0
    for id in ids:
        client.delete(f"/api/plays/{id}")
