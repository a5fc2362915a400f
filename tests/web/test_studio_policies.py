"""Policies at the studio's boards: they play, crash, hang and give hints; specs that are refused, seats that change hands."""

import asyncio
import json
import multiprocessing
import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy

from boardgym.core.policy_spec import _EXAMPLES, _FACTORIES, register_policy
from boardgym.web.policies import PolicyError, PolicyWorkers
from boardgym.web.policy_worker import begin
from tests.studio import RANDOM, later, move, new_play, run_apart, studio_client, wait_until


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with studio_client(tmp_path_factory.mktemp("studio"), move_limit_s=20.0, workers=1) as client:
        yield client


def test_a_policy_answers_and_a_person_cannot_move_for_it(client):
    play = new_play(client, seats=[{"kind": "policy", "spec": "random"}, {"kind": "human"}], seed=5)
    play = later(client, play)
    assert (play["state"]["ply"], play["state"]["to_play"]) == (1, 1)
    again = later(client, new_play(client, seats=[{"kind": "policy", "spec": "random"}, {"kind": "human"}], seed=5))
    assert again["state"]["moves"] == play["state"]["moves"]
    play = later(client, move(client, play, action=play["state"]["actions"][0]["action"]).json())
    assert play["state"]["ply"] == 3


def test_a_search_plays_in_another_process_to_the_end(client):
    play = new_play(client, seats=[{"kind": "human"}, {"kind": "policy", "spec": "minimax:2"}])
    while not play["is_over"]:
        play = later(client, move(client, play, action=play["state"]["actions"][-1]["action"]).json())
        assert play["message"] == ""
    assert play["state"]["outcome"]["reason"] == "rules"


def test_policies_alone(client):
    play = new_play(client, seats=[{"kind": "policy", "spec": "greedy"}, {"kind": "policy", "spec": "random"}])
    assert later(client, play, lambda play: play["is_over"])["result"]
    refused = client.post(f"/api/plays/{play['id']}/undo")
    assert (refused.status_code, "no person plays here" in refused.json()["error"]) == (409, True)


def make_unruly(spec, game, *, seed, trust):
    return Unruly(spec.argument)


class Unruly:
    """A policy that does what its argument says: crash, hang, raise, or play what is illegal."""

    def __init__(self, what):
        self.what, self.spec = what, f"unruly:{what}"

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        if self.what == "crash":
            os._exit(3)
        while self.what == "hang":
            time.sleep(1)
        if self.what == "raise":
            raise RuntimeError("it is raining")
        return 4


def begin_unruly():
    """What begins in the processes of policies: they know the spec `unruly` too."""
    if "unruly" not in _FACTORIES:
        register_policy("unruly", f"{__name__}:make_unruly")
    if multiprocessing.parent_process() is not None:
        begin()


@pytest.fixture(scope="module")
def unruly(tmp_path_factory):
    """A client of a server that knows the spec `unruly`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boardgym.web.policies.begin", begin_unruly)
        patch.setattr("boardgym.web.policies.COMPILE_S", 0.0)
        begin_unruly()
        with studio_client(tmp_path_factory.mktemp("unruly"), move_limit_s=20.0, workers=1) as client:
            yield client
        del _FACTORIES["unruly"], _EXAMPLES["unruly"]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("crash", "unruly:crash crashed: its process ended with status 3. Ask o again, or replace it."),
        ("hang", "unruly:hang did not answer within 1 s and was stopped. Ask o again, or replace it."),
        ("raise", "unruly:raise failed: RuntimeError: it is raining. Ask o again, or replace it."),
        ("illegal", "unruly:illegal failed: it played action 4, which is illegal at "),
    ],
)
def test_a_policy_that_fails_is_named_and_the_game_goes_on(unruly, what, said):
    play = new_play(unruly, seats=[{"kind": "human"}, {"kind": "policy", "spec": f"unruly:{what}"}])
    policies = unruly.app.state.studio.policies
    policies.limit_s = 1.0 if what == "hang" else 120.0
    move(unruly, play, action=4)
    play = later(unruly, play, lambda play: play["message"])
    assert said in play["message"]
    assert (play["state"]["ply"], play["thinking"], play["is_over"]) == (1, None, False)
    if what == "raise":
        assert unruly.post(f"/api/plays/{play['id']}/ask").json()["thinking"] == 1
        assert said in later(unruly, play, lambda play: play["message"])["message"]
    policies.limit_s = 120.0  # for the kernels too, where they are not compiled yet
    replaced = unruly.post(f"/api/plays/{play['id']}/seats/1", json={"kind": "policy", "spec": "random"})
    assert replaced.status_code == 200
    play = later(unruly, play, lambda play: play["state"]["ply"] == 2)
    assert (play["message"], play["seats"][1]["spec"]) == ("", "random")


def test_a_process_that_is_ended_while_it_waits_is_replaced(unruly):
    """As the system does when memory runs out."""
    unruly.app.state.studio.policies.limit_s = 120.0
    for number in range(2):
        play = new_play(unruly, seats=[{"kind": "policy", "spec": "uct:5"}, {"kind": "human"}])
        play = later(unruly, play, lambda play: play["state"]["ply"] or play["message"])
        assert (play["message"], play["state"]["ply"]) == ("", 1)
        if number == 0:
            for process in multiprocessing.active_children():
                if process.name == "pebble_pool_worker":
                    process.kill()


@pytest.mark.parametrize(
    ("spec", "status", "said"),
    [
        ("gredy", 422, "did you mean 'greedy'"),
        ("human", 422, "choose a human seat"),
        ("mix(human, random)", 422, "choose a human seat"),
        ("sb3:model.zip", 403, "could execute code"),
        ("mix(random, sb3:model.zip)", 403, "could execute code"),
        ("engine:gtp:touch /tmp/x", 403, "--trust"),
        ("epsilon:0.1(engine:gtp:touch /tmp/x)", 403, "--trust"),
        ("network:/etc/passwd", 422, "/etc/passwd"),
        ("file:/no/such/file", 422, "/no/such/file"),
        ("uct:" + "9" * 400, 422, "uct"),
        ("x" * 501, 422, "spec"),
        ("", 422, "expected for example"),
    ],
)
def test_specs_that_are_refused(client, spec, status, said):
    seats = [{"kind": "human"}, {"kind": "policy", "spec": spec}]
    response = client.post("/api/plays", json={"game": "TicTacToe-v0", "seats": seats})
    assert response.status_code == status, response.text
    assert said in response.json()["error"]


def test_a_hint_and_why_not(client):
    play = move(client, new_play(client, moves=["a1", "a2", "b1"]), move="b2").json()
    hint = client.post(f"/api/plays/{play['id']}/hint", json={"spec": "minimax:2"}).json()
    assert hint["move"] == "c1"
    assert client.get(f"/api/plays/{play['id']}").json() == play
    refused = client.post(f"/api/plays/{play['id']}/hint", json={"spec": "engine:gtp:true"})
    assert refused.status_code == 403
    taken = play["state"]["pieces"].index(next(piece for piece in play["state"]["pieces"] if piece))
    why = client.get(f"/api/plays/{play['id']}/why", params={"places": str(taken)}).json()["why"]
    assert why
    assert client.get(f"/api/plays/{play['id']}/why", params={"places": "99"}).status_code == 422
    assert client.get(f"/api/plays/{play['id']}/why", params={"places": "a"}).status_code == 422


def test_a_policy_that_may_not_be_asked_is_named(client):
    """As after a start without --trust."""
    play = new_play(client)
    studio = client.app.state.studio
    seats = json.dumps([{"kind": "policy", "spec": "engine:gtp:true"}, {"kind": "human", "spec": ""}])
    with studio.store.session() as session:
        session.execute(sqlalchemy.text("UPDATE plays SET seats = :seats WHERE id = :id"), {"seats": seats, "id": play["id"]})
    del studio.plays.open[play["id"]]
    play = later(client, play)
    assert play["message"].startswith("policy spec 'engine:gtp:true' runs a program; ")
    assert play["message"].endswith("Ask x again, or replace it.")
    with studio.store.session() as session:
        saved = session.execute(sqlalchemy.text("SELECT message, version FROM plays WHERE id = :id"), {"id": play["id"]}).one()
    assert tuple(saved) == (play["message"], play["version"])


def test_seats_of_a_game_that_is_over_or_paused(client):
    play = new_play(client)
    client.post(f"/api/plays/{play['id']}/resign")
    refused = client.post(f"/api/plays/{play['id']}/seats/0", json=RANDOM)
    assert (refused.status_code, refused.json()["error"]) == (409, "the game is over: x resigned; o won")
    play = new_play(client, seats=[RANDOM] * 2)
    client.post(f"/api/plays/{play['id']}/pause")
    play = client.post(f"/api/plays/{play['id']}/seats/0", json={"kind": "policy", "spec": "greedy"}).json()
    assert (play["paused"], play["seats"][0]["spec"]) == (True, "greedy")


def test_one_hint_at_a_time_and_a_short_one(unruly):
    unruly.app.state.studio.policies.limit_s = 120.0
    play = new_play(unruly)
    path, body = f"/api/plays/{play['id']}/hint", {"spec": "unruly:hang"}
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as pool:
        patch.setattr("boardgym.web.plays.HINT_S", 2.0)
        first = pool.submit(unruly.post, path, json=body)
        wait_until(lambda: unruly.app.state.studio.plays.open[play["id"]].is_hinting)
        assert unruly.post(path, json=body).status_code == 409
        answer = first.result()
    assert (answer.status_code, "did not answer within 2 s" in answer.json()["error"]) == (422, True)
    assert not unruly.app.state.studio.plays.open[play["id"]].is_hinting


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_pool_whose_thread_has_failed_is_replaced(monkeypatch):
    """Nobody would ever take the answers of its processes."""
    monkeypatch.setattr("boardgym.web.policies.ALIVE_S", 0.2)

    def fail(timeout):
        raise OSError("no message")

    async def ask():
        workers = PolicyWorkers(workers=1)
        try:
            first = workers._started()
            asked = asyncio.create_task(workers.run(time.sleep, 0.01, limit_s=60.0, who="sleep"))
            while first._pool_manager.task_manager.tasks == {}:
                await asyncio.sleep(0.001)
            first._pool_manager.process_next_message = fail
            await asked
            return workers._pool is not first
        finally:
            await workers.close()

    assert run_apart(ask())


def test_a_studio_that_ends_starts_no_process():
    async def ask():
        workers = PolicyWorkers(workers=1)
        await workers.close()
        workers.start()
        with pytest.raises(PolicyError, match="the studio is ending"):
            await workers.run(time.sleep, 0.0, limit_s=60.0, who="sleep")
        return workers._pool

    assert run_apart(ask()) is None
