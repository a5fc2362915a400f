"""Snapshots of a bot over the server: on fixed positions, beside perfect play, in games; and the list as it changes."""

import asyncio

import pytest

from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.web.bot_list import BotList
from boardgym.web.bot_views import positions
from tests.studio import run_apart, studio_client, wait_until

FEN = "xx1/oo1/3 x"  # c3 wins


def trained(client, **given):
    body = {"name": "Alexander", "form": "tabular", "given": {"episodes": 2000, "greedy_episodes": 500, **given}}
    response = client.post("/api/bots", json=body)
    assert response.status_code == 201, response.text
    path = f"/api/bots/{response.json()['id']}"
    wait_until(lambda: client.get(path).json()["bot"]["state"] in ("finished", "failed"), 200)
    assert client.get(path).json()["bot"]["state"] == "finished"
    return path


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with studio_client(tmp_path_factory.mktemp("history")) as client:
        yield client


@pytest.fixture(scope="module")
def bot(client):
    """The address of a bot that learnt against another player."""
    return trained(client, method="q", opponent="random")


def test_a_bot_is_looked_at_then_and_now(client, bot):
    snapshots = client.get(bot).json()["snapshots"]
    assert (snapshots == sorted(snapshots), snapshots[-1]) == (True, 2500)
    assert 2 <= len(snapshots) <= 33
    now = client.get(f"{bot}/views", params={"fen": FEN}).json()
    then = client.get(f"{bot}/views", params={"fen": FEN, "done": snapshots[0]}).json()
    assert (now["done"], then["done"]) == (2500, snapshots[0])
    assert [view["name"] for view in now["views"]][::3] == ["Start", "Your position"]
    assert [view["state"]["fen"] for view in now["views"]] == [view["state"]["fen"] for view in then["views"]]
    for view in (*now["views"], *then["views"]):
        legal = {str(action["action"]) for action in view["state"]["actions"]}
        assert set(view["values"]) == legal
        assert view["values"][str(view["action"])] == max(view["values"].values())
        assert (view["kind"], view["why"]) == ("value", "")
        assert view["state"]["to_play"] == 0  # its seat
    assert [view["values"] for view in now["views"]] != [view["values"] for view in then["views"]]
    near = client.get(f"{bot}/views?done={snapshots[1] + 1}").json()
    assert near["done"] == snapshots[1]


def test_perfect_play_stands_beside_it(client, bot):
    views = client.get(f"{bot}/perfect", params={"fen": FEN}).json()["views"]
    assert [view["name"] for view in views][::3] == ["Start", "Your position"]
    assert (views[-1]["move"], views[-1]["values"][str(views[-1]["action"])]) == ("c3", 1.0)
    assert set(views[0]["values"].values()) == {0.0}


def test_a_point_of_the_curve_is_a_game(client, bot):
    game = client.post(f"{bot}/games", json={"done": 1000}).json()
    assert game["players"] == ["the bot", "random"]
    moves = game["states"][-1]["moves"]
    board = Board("TicTacToe-v0")
    board.play(moves)
    assert board.is_terminal
    assert client.post(f"{bot}/games", json={"done": 1000}).json() == game  # always the same one
    others = [client.post(f"{bot}/games", json={"done": 1000, "number": k}).json() for k in range(1, 6)]
    assert any(other["states"][-1]["moves"] != moves for other in others)
    assert game["done"] in client.get(bot).json()["snapshots"]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/views?fen=nonsense", 422), ("/views?done=-1", 422), ("/views?done=x", 422), ("/perfect?fen=9/9", 422),
     ("/../nobody/views", 404)],
)  # fmt: skip
def test_what_cannot_be_looked_at(client, bot, path, status):
    refused = client.get(f"{bot}{path}")
    assert (refused.status_code, "error" in refused.json()) == (status, True)


def test_a_bot_that_is_not_there_or_has_learnt_nothing(client, bot):
    assert client.get("/api/bots/nobody/views").status_code == 404
    assert client.post("/api/bots/nobody/games", json={"done": 1}).status_code == 404
    assert client.post(f"{bot}/games", json={"done": 1, "spec": "random"}).status_code == 422


@pytest.mark.parametrize("id", ["TicTacToe-v0", "Backgammon-v0", "CardPoints-v0"])
def test_fixed_positions_are_the_same_each_time(id):
    game = get_game(id)
    for seat in (-1, 0, 1):
        boards = positions(game, seat)
        assert [board.fen() for _, board in boards] == [board.fen() for _, board in positions(game, seat)]
        assert len({board.fen() for _, board in boards}) == len(boards) >= 1
        assert not any(board.is_terminal or board.is_chance for _, board in boards)
        assert seat == -1 or {board.to_play for _, board in boards} == {seat}


def test_the_list_is_looked_at_once_for_all_and_sent_in_changes(monkeypatch):
    monkeypatch.setattr("boardgym.web.bot_list.LOOK_S", 0.001)
    looks = []

    def look():
        looks.append(1)
        bots = [{"id": "a", "done": min(len(looks) // 100, 1)}, {"id": "b", "done": 0}]
        return {"bots": bots[: 1 if len(looks) > 200 else 2], "limit": 2}

    async def watch():
        watched = BotList(look)
        streams = [watched.changes() for _ in range(10)]
        first = [await anext(stream) for stream in streams]
        second = await asyncio.gather(*(anext(stream) for stream in streams))
        third = await asyncio.gather(*(anext(stream) for stream in streams))
        seen = len(looks)
        for stream in streams:
            await stream.aclose()
        while watched._task is not None:
            await asyncio.sleep(0.001)
        return first, second, third, seen

    first, second, third, seen = run_apart(watch())
    assert all([bot["id"] for bot in one["bots"]] == ["a", "b"] and one["is_whole"] for one in first)
    assert second == [{"is_whole": False, "bots": [{"id": "a", "done": 1}], "gone": [], "limit": 2}] * 10
    assert third == [{"is_whole": False, "bots": [], "gone": ["b"], "limit": 2}] * 10
    assert seen < 300  # and not ten times as many
