"""What a page tells of a game's past, and the pause of a game that policies play."""

import pytest

from tests.studio import new_play, studio_client, wait_until

RANDOM = {"kind": "policy", "spec": "random"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with studio_client(tmp_path_factory.mktemp("studio")) as opened:
        yield opened


def test_movers_are_those_of_the_moves_chance_among_them(client):
    play = new_play(client, game="CardPoints-v0", seats=[{"kind": "human"}, {"kind": "human"}], seed=1)
    assert play["movers"] == [-1] * len(play["state"]["moves"])
    body = {"ply": 0, "action": play["state"]["actions"][0]["action"]}
    play = client.post(f"/api/plays/{play['id']}/moves", json=body).json()
    assert play["movers"] == [*[-1] * (len(play["state"]["moves"]) - 1), 0]


def test_past_states_are_those_that_were_told(client):
    play = new_play(client)
    told = [play["state"]]
    for action in (4, 0):
        body = {"ply": told[-1]["ply"], "action": action}
        told.append(client.post(f"/api/plays/{play['id']}/moves", json=body).json()["state"])
    assert [client.get(f"/api/plays/{play['id']}/states/{count}").json() for count in range(3)] == told
    beyond = client.get(f"/api/plays/{play['id']}/states/3")
    assert (beyond.status_code, beyond.json()["error"]) == (404, "the game has 2 moves, and is not yet at 3")


def test_a_paused_game_waits_until_it_is_asked_again(client):
    play = new_play(client, game="TicTacToe-v0", seats=[RANDOM, RANDOM], seed=1)
    paused = client.post(f"/api/plays/{play['id']}/pause").json()
    assert (paused["paused"], paused["thinking"], paused["message"]) == (True, None, "")
    assert client.post(f"/api/plays/{play['id']}/ask").json()["paused"] is False
    wait_until(lambda: client.get(f"/api/plays/{play['id']}").json()["is_over"])
    assert client.post(f"/api/plays/{play['id']}/pause").status_code == 409
