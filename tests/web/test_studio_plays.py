"""Games on the server: moves, refusals, taking back, several people, chance, clocks, a database that cannot be written."""

import contextlib
import errno
import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import OperationalError

from boardgym import Board
from boardgym.baselines.arena.game_file import read_games
from boardgym.web.errors import said_by_database
from boardgym.web.play import describe_board
from tests.studio import RANDOM, later, move, new_play, studio_client, wait_until


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with studio_client(tmp_path_factory.mktemp("studio"), move_limit_s=20.0, workers=1) as client:
        yield client


def test_two_people_play_a_game_to_its_end(client):
    play = new_play(client)
    assert play["state"]["status"] == "x to play"
    assert len(play["state"]["actions"]) == 9
    for text in ("a1", "b1", "a2", "b2", "a3"):
        response = move(client, play, move=text)
        assert response.status_code == 200, response.text
        play = response.json()
    assert play["is_over"]
    assert play["result"] == "x won"
    assert play["state"]["outcome"] == {"returns": [1.0, -1.0], "reason": "rules"}
    assert play["version"] == 5
    refused = move(client, play, move="c1")
    assert (refused.status_code, refused.json()["error"]) == (409, "the game is over: x won")


def test_moves_that_are_refused_change_nothing(client):
    play = new_play(client)
    play = move(client, play, action=4).json()
    id = play["id"]
    for body, status, said in (
        ({"ply": 0, "action": 4}, 409, "it comes late: it was already played"),
        ({"ply": 2, "action": 0}, 409, "it comes early"),
        ({"ply": 1, "action": 4}, 422, "action 4 (b2) is illegal"),
        ({"ply": 1, "action": 9}, 422, "expected 0 to 8"),
        ({"ply": 1, "move": "z9"}, 422, "z9"),
        ({"ply": 1, "move": "b2"}, 422, "illegal"),
        ({"ply": 1}, 422, "give an action or a move"),
        ({"ply": 1, "action": 0, "move": "a1"}, 422, "give an action or a move"),
        ({"ply": 1, "action": True}, 422, "action: "),
        ({"ply": 1, "action": 0, "more": 1}, 422, "more: "),
        ({"action": 0}, 422, "ply: "),
        ([], 422, ""),
    ):
        response = client.post(f"/api/plays/{id}/moves", json=body)
        assert response.status_code == status, (body, response.text)
        assert said in response.json()["error"]
    assert client.get(f"/api/plays/{id}").json() == play


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"game": "Chess"}, 404, "no game 'Chess'"),
        ({"options": {"size": 6}}, 422, "has no option 'size'"),
        ({"game": "Othello", "options": {"size": 5}}, 422, "boards of 4, 6 or 8"),
        ({"seats": [{"kind": "human"}]}, 422, "1 seats"),
        ({"position": "nonsense"}, 422, "expected"),
        ({"position": "xxx/oo1/3 o"}, 422, "the game is over"),
        ({"position": "3/3/3 x", "setup": "standard"}, 422, "not both"),
        ({"setup": "nowhere"}, 422, "no set-up"),
        ({"moves": ["a1", "a1"]}, 422, "illegal"),
        ({"seed": -1}, 422, "seed"),
        ({"clock": {"seconds": 0}}, 422, "seconds"),
    ],
)
def test_games_that_cannot_begin(client, changes, status, said):
    response = client.post("/api/plays", json={"game": "TicTacToe-v0", "seats": [{"kind": "human"}] * 2, **changes})
    assert response.status_code == status, response.text
    assert said in response.json()["error"]


def test_take_back(client):
    play = new_play(client, seats=[{"kind": "human"}, {"kind": "policy", "spec": "random"}])
    play = later(client, move(client, play, action=4).json())
    response = client.post(f"/api/plays/{play['id']}/undo", json={"version": play["version"] - 1})
    assert (response.status_code, response.json()["error"]) == (409, "the game has gone on meanwhile: nothing was done")
    play = client.post(f"/api/plays/{play['id']}/undo", json={"version": play["version"]}).json()
    assert (play["state"]["ply"], play["state"]["to_play"]) == (0, 0)
    response = client.post(f"/api/plays/{play['id']}/undo")
    assert (response.status_code, response.json()["error"]) == (409, "there is no move of yours to take back")


def test_resigning_and_taking_it_back(client):
    play = move(client, new_play(client), move="b2").json()
    play = client.post(f"/api/plays/{play['id']}/resign", json={"seat": 0}).json()
    assert play["result"] == "x resigned; o won"
    assert play["state"]["outcome"] == {"returns": [-1.0, 1.0], "reason": "resigned"}
    assert play["state"]["actions"] == []
    text = client.get(f"/api/plays/{play['id']}/record").text
    assert next(read_games(text, "play.game")).returns == (-1.0, 1.0)
    assert client.post(f"/api/plays/{play['id']}/resign").status_code == 409
    play = client.post(f"/api/plays/{play['id']}/undo").json()
    assert (play["is_over"], play["state"]["ply"]) == (False, 1)


def test_a_clock_that_runs_out(client):
    play = new_play(client, clock={"seconds": 1.0, "increment": 0.5})
    play = move(client, play, action=0).json()
    assert 1.0 < play["clocks"]["left"][0] <= 1.5
    assert play["clocks"]["running"] == 1
    play = later(client, play, lambda play: play["is_over"])
    assert play["result"] == "o ran out of time; x won"
    assert play["clocks"]["left"][1] == 0.0
    assert move(client, play, action=1).status_code == 409


def test_dice_are_the_seeds_and_taking_back_does_not_roll_anew(client):
    seats = [{"kind": "human"}] * 2
    first, second = (new_play(client, game="Backgammon-v0", seats=seats, seed=3) for _ in range(2))
    assert first["state"]["moves"] == second["state"]["moves"]
    action = first["state"]["actions"][0]["action"]
    played = move(client, first, action=action).json()
    while played["state"]["to_play"] == first["state"]["to_play"]:
        played = move(client, played, action=played["state"]["actions"][0]["action"]).json()
    rolled = played["state"]["moves"]
    back = client.post(f"/api/plays/{first['id']}/undo").json()
    again = move(client, back, action=next(a["action"] for a in back["state"]["actions"] if a["move"] == rolled[-2])).json()
    assert again["state"]["moves"] == rolled


def test_three_people(client):
    play = new_play(client, game="Abalone3-v0", seats=[{"kind": "human"}] * 3)
    for seat in (1, 2, 0):
        play = move(client, play, action=play["state"]["actions"][0]["action"]).json()
        assert play["state"]["to_play"] == seat
    assert "resigned; " in client.post(f"/api/plays/{play['id']}/resign").json()["result"]


def test_the_record_can_be_read(client):
    play = new_play(client, game="Othello-v0", options={"size": 6}, seats=[{"kind": "human"}] * 2, moves=["c2"])
    response = client.get(f"/api/plays/{play['id']}/record")
    assert response.headers["content-disposition"] == f'attachment; filename="Othello-{play["id"]}.game"'
    assert next(read_games(response.text, "x.game")).moves == ("c2",)


def test_a_position_in_the_middle(client):
    play = new_play(client, position="x2/1o1/2x o")
    assert (play["state"]["to_play"], len(play["state"]["actions"])) == (1, 6)


def test_the_list_and_deleting(client):
    play = new_play(client)
    assert client.get("/api/plays").json()[0]["id"] == play["id"]
    assert client.delete(f"/api/plays/{play['id']}").status_code == 204
    for response in (
        client.get(f"/api/plays/{play['id']}"),
        client.delete(f"/api/plays/{play['id']}"),
        move(client, play, action=0),
    ):
        assert response.status_code == 404
        assert "there is no game" in response.json()["error"]
    assert play["id"] not in [one["id"] for one in client.get("/api/plays").json()]


def test_positions_by_hand(client):
    kinds = [1, 0, 0, 0, 2, 0, 0, 0, 1]
    body = {"game": "TicTacToe-v0", "pieces": kinds, "seat": 1}
    response = client.post("/api/positions", json=body)
    if client.get("/api/games/TicTacToe-v0").json()["game"]["brush"] is not None:
        assert response.json()["fen"] == "x2/1o1/2x o"
    else:
        assert response.status_code == 422
    assert client.post("/api/positions/check", json={"game": "TicTacToe", "fen": "x2/1o1/2x o"}).json()["state"]["to_play"] == 1
    assert client.post("/api/positions/check", json={"game": "TicTacToe", "fen": "xxx"}).status_code == 422


def test_the_games(client):
    games = {game["id"]: game for game in client.get("/api/games").json()}
    assert games["Othello-v0"]["options"]["size"] == {"value": 8, "choices": [4, 6, 8]}
    assert games["Abalone-v0"]["options"]["no_move"] == {"value": "draw", "choices": ["draw", "loss", "pass"]}
    assert games["Abalone-v0"]["options"]["no_push_limit"]["range"] == [0, None]
    assert games["NineMensMorris-v0"]["options"]["flying"] == {"value": True, "choices": [False, True]}
    for game in games.values():
        assert client.get(f"/api/games/{game['id']}").json()["state"]["fen"] == Board(game["id"], seed=0, auto_roll=False).fen()
    assert client.get("/api/games/Othello?options=size=6").json()["game"]["options"] == {"size": 6}


def test_the_contract_of_wisebots(client):
    """A game of dice too, by its five calls."""
    for id in ("TicTacToe-v0", "CardPoints-v0"):
        state = client.get(f"/api/contract/{id}/initial").json()
        for _ in range(100):
            at = {"position": state["position"]}
            if client.get(f"/api/contract/{id}/is_over", params=at).json()["is_over"]:
                break
            found = client.get(f"/api/contract/{id}/actions", params=at).json()
            if found["to_play"] == -1:
                assert sum(one["probability"] for one in found["actions"]) == pytest.approx(1.0)
            state = client.get(f"/api/contract/{id}/successor", params={**at, "action": found["actions"][0]["action"]}).json()
        won = [client.get(f"/api/contract/{id}/has_won", params={**at, "player": p}).json()["has_won"] for p in (0, 1)]
        returns = client.get(f"/api/contract/{id}/is_over", params=at).json()["returns"]
        assert won == [pay == max(returns) > min(returns) for pay in returns]
    assert client.get("/api/contract/TicTacToe/successor", params={"position": "3/3/3 x", "action": 9}).status_code == 422
    assert client.get("/api/contract/TicTacToe/has_won", params={"position": "3/3/3 x", "player": 2}).status_code == 422


def test_events_of_two_pages_stay_in_step(client):
    play = new_play(client)
    with client.stream("GET", f"/api/plays/{play['id']}/events") as page:
        assert page.headers["content-type"].startswith("text/event-stream")
        lines = (line for line in page.iter_lines() if line.startswith("data: "))
        assert json.loads(next(lines)[6:])["version"] == 0


def draw_with_a_fault(board):
    """As a drawing does that cannot show one position."""
    if board.ply == 1:
        raise KeyError("no such picture")
    return describe_board(board)


def test_what_cannot_be_described_is_not_written(client, monkeypatch):
    play, further = new_play(client), new_play(client, moves=["b2", "a1"])
    count = len(client.get("/api/plays?limit=500").json())
    with monkeypatch.context() as patch:
        patch.setattr("boardgym.web.play.describe_board", draw_with_a_fault)
        assert move(client, play, action=4).status_code == 500
        assert client.post(f"/api/plays/{further['id']}/undo").status_code == 500
        body = {"game": "TicTacToe-v0", "seats": [{"kind": "human"}] * 2, "moves": ["b2"]}
        assert client.post("/api/plays", json=body).status_code == 500
    assert len(client.get("/api/plays?limit=500").json()) == count
    for known in (play, further):
        assert client.get(f"/api/plays/{known['id']}").json() == known
        assert move(client, known, action=8).status_code == 200


@contextlib.contextmanager
def read_only(client):
    """The database can be read and not written, as on a disk that has gone read-only."""
    connection = client.app.state.studio.store.engine.raw_connection().driver_connection
    connection.execute("PRAGMA query_only = 1")
    try:
        yield
    finally:
        connection.execute("PRAGMA query_only = 0")


def test_no_time_is_lost_while_policies_pause(client):
    play = new_play(client, seats=[RANDOM] * 2, clock={"seconds": 1.0})
    play = client.post(f"/api/plays/{play['id']}/pause").json()
    assert (play["paused"], play["clocks"]["running"]) == (True, None)
    time.sleep(1.2)
    found = client.get(f"/api/plays/{play['id']}").json()
    assert (found["is_over"], found["clocks"]["left"]) == (False, play["clocks"]["left"])
    play = client.post(f"/api/plays/{play['id']}/ask").json()
    assert play["clocks"]["running"] == play["thinking"] == play["state"]["to_play"]


def test_taking_back_gives_no_time_back(client):
    play = new_play(client, moves=["b2"], clock={"seconds": 2.0})
    time.sleep(0.3)
    play = client.post(f"/api/plays/{play['id']}/undo").json()
    assert play["clocks"]["left"][1] <= 1.7
    play = later(client, play, lambda play: play["is_over"])
    refused = client.post(f"/api/plays/{play['id']}/undo")
    said = "a loss on time cannot be taken back: x ran out of time; o won"
    assert (refused.status_code, refused.json()["error"]) == (409, said)


def test_a_clock_that_has_run_out_is_saved_when_it_can_be(client):
    play = new_play(client, clock={"seconds": 1.0})
    with read_only(client):
        time.sleep(1.2)
        assert move(client, play, action=4).status_code == 507
    assert later(client, play, lambda play: play["is_over"])["result"] == "x ran out of time; o won"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "nothing was saved: No space left on device; make room"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "nothing was saved: Disk quota exceeded; make room"),
        (OperationalError("", {}, Exception("database is locked")), "nothing was saved: database is locked"),
        (RuntimeError("the door is locked"), None),
        (ValueError("assignment destination is readonly"), None),
    ],
)
def test_a_disk_that_is_full_is_told_from_other_errors(error, said):
    response = said_by_database(error)
    if said is None:
        assert response is None
    else:
        assert response.status_code == 507
        assert json.loads(response.body)["error"].startswith(said)


def test_nothing_is_told_of_a_move_before_it_is_saved(client):
    play = new_play(client)
    path = f"/api/plays/{play['id']}"
    with ThreadPoolExecutor(2) as pool:
        with client.app.state.studio.store.session():  # a save waits as long as this lasts
            answer = pool.submit(move, client, play, action=4)
            wait_until(lambda: client.app.state.studio.plays.open[play["id"]].lock.locked())
            assert client.get(f"{path}/states/0").status_code == 200
            assert client.get(f"{path}/states/1").status_code == 404
            why = pool.submit(client.get, f"{path}/why", params={"places": "4"})
            time.sleep(0.3)
            assert not why.done()
        assert answer.result().status_code == 200
        assert why.result().json()["why"]
