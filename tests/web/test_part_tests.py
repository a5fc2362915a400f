"""Bots that are tested at ten parts of their training: exactly there, to the same result however the studio ended."""

import json
import subprocess
import sys

import pytest

from boardgym.baselines.arena.compare import compare
from boardgym.baselines.learning.runs import followed, train_into
from boardgym.baselines.learning.uct_ccnn import UctCcnn, UctCcnnConfig
from boardgym.web.part_files import FILE, RESULTS, SETTINGS, TESTS, Keeper, Settings, names_in, read_json
from tests.studio import studio_client, wait_until

GAMES = 203  # no multiple of ten
ENDS = [21, 41, 61, 82, 102, 122, 143, 163, 183, 203]
PLAN = {"opponents": ["random", "greedy"], "openings": "start", "games": 20}
BOT = {"name": "Nets", "form": "q-network", "given": {"game": "TicTacToe-v0", "games": GAMES, "hidden": 4}, "tests": PLAN}


def made(client, **changes):
    response = client.post("/api/bots", json={**BOT, **changes})
    assert response.status_code == 201, response.text
    return f"/api/bots/{response.json()['id']}"


def when_tested(client, path, *states):
    """The tests of a bot once they are in one of some states, and its training is over."""

    def is_there():
        page = client.get(path).json()
        return page["bot"]["state"] not in ("waiting", "training") and page["tests"]["state"] in states

    wait_until(is_there, 120)
    return client.get(path).json()["tests"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def finished(data):
    """(the address of a bot, its tests), from a studio that has ended."""
    with studio_client(data) as client:
        path = made(client)
        return path, when_tested(client, path, "", "failed")


def test_every_part_is_tested_at_its_end_by_seat(data, finished):
    path, tests = finished
    assert (tests["state"], tests["message"], tests["parts"], tests["seats"]) == ("", "", 10, ["x", "o"])
    assert [(one["part"], one["done"]) for one in tests["results"]] == list(enumerate(ENDS, 1))
    folder = data / "bots" / path.rpartition("/")[2] / TESTS
    kept = read_json(folder / "part-05.json")
    agent = f"file:{folder / kept['file']}"
    assert (kept["done"], kept["spec"]) == (102, f"file:{FILE}")
    again = compare(agent, "TicTacToe", PLAN["opponents"], games=20, openings="start", by_seat=True, progress=False)
    rows = tests["results"][4]["rows"]
    assert [(row["opponent"], row["seat"], row["won"], row["drawn"], row["lost"]) for row in rows] == [
        (row.opponent, row.seat, row.wins, row.draws, row.losses) for row in again.rows
    ]
    assert all(row["won"] + row["drawn"] + row["lost"] == 10 for one in tests["results"] for row in one["rows"])


def test_what_a_studio_has_not_tested_the_next_one_tests(data, finished):
    path, tests = finished
    folder = data / "bots" / path.rpartition("/")[2] / TESTS
    results = read_json(folder / RESULTS)
    (folder / RESULTS).write_text(json.dumps({name: results[name] for name in sorted(results)[:8]}))
    good = (folder / "part-10.safetensors").read_bytes()
    (folder / "part-10.safetensors").write_bytes(good[:-8])
    with studio_client(data) as client:
        failed = when_tested(client, path, "failed")
        assert "part-10.safetensors" in failed["message"]
        assert len(failed["results"]) == 9
        (folder / "part-10.safetensors").write_bytes(good)
        assert client.post(f"{path}/tests").status_code == 202
        assert when_tested(client, path, "") == tests
        settings = read_json(folder / SETTINGS)
        (folder / SETTINGS).write_text(json.dumps({**settings, "game": "Nobody-v0"}))  # of a file that is not loaded this time
        (folder / RESULTS).unlink()
        client.post(f"{path}/tests")
        assert "Nobody-v0" in when_tested(client, path, "failed")["message"]


def test_another_learner_and_a_bot_without_tests(data):
    given = {"game": "TicTacToe-v0", "episodes": GAMES, "greedy_episodes": 0}
    with studio_client(data) as client:
        found = when_tested(client, made(client, form="tabular", given=given), "", "failed")
        assert ([one["done"] for one in found["results"]], found["message"]) == (ENDS, "")
        plain = made(client, form="tabular", given=given, tests=None)
        assert client.get(plain).json()["tests"] is None
        assert client.post(f"{plain}/tests").status_code == 409


def test_a_bot_is_deleted_while_it_is_tested(data):
    with studio_client(data) as client:
        path = made(client, tests={**PLAN, "opponents": ["uct:1000000"], "games": 10_000})
        room, key = client.app.state.bots, path.rpartition("/")[2]
        wait_until(lambda: room.tests.jobs.state(key) == "training", 120)
        assert client.get(path).json()["tests"]["state"] == "running"
        assert client.delete(path).status_code == 204
        assert (room.tests.jobs.state(key), room.folder_of(key).exists()) == ("", False)


SEARCH_FOR_EVER = """
import sys
from pathlib import Path
from boardgym import Board
from boardgym.core.policy_spec import make_policy
from boardgym.web import part_tester

for spec in ("random", "uct:2"):  # what is compiled takes none of the time below
    make_policy(spec, "TicTacToe", seed=0).act(Board("TicTacToe"))
part_tester.COMPILE_S = 0.0
sys.exit(part_tester.run(Path(sys.argv[1]), "TicTacToe-v0", 3.0))
"""


def test_a_player_that_thinks_for_too_long_is_named(tmp_path):
    """In the middle of a search, whose kernel runs for hours."""
    folder = tmp_path / TESTS
    Settings("TicTacToe-v0", [], ["x", "o"], ["uct:1000000000"], "start", 2).write(tmp_path)
    (folder / "part-01.json").write_text(json.dumps({"done": 1, "spec": "random", "file": "part-01"}))
    words = [sys.executable, "-c", SEARCH_FOR_EVER, str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.wait(300) == 2
            assert process.stderr.read() == "uct:1000000000 did not answer within 3 s and was stopped\n"
        finally:
            process.kill()
    assert not (folder / RESULTS).exists()


REFUSED = [
    ({"opponents": []}, "opponents"),
    ({"opponents": ["greedy"], "games": 21}, "games"),
    ({"opponents": ["nobody"]}, "nobody"),
    ({"opponents": ["human"]}, "nobody can be asked"),
    ({"opponents": ["greedy"], "openings": "openings-244"}, "no set of openings is called 'openings-244'"),
    ({"opponents": ["positional"]}, "TicTacToe-v0"),
    ({"opponents": ["greedy"], "words": ["--trust"]}, "words"),
]


def test_tests_that_cannot_be_played_make_no_bot(data, finished):
    with studio_client(data) as client:
        before = client.get("/api/bots").json()["bots"]
        for tests, said in REFUSED:
            refused = client.post("/api/bots", json={**BOT, "tests": tests})
            assert (refused.status_code, said in refused.json()["error"]) == (422, True), refused.text
        three = client.post("/api/bots", json={**BOT, "given": {"game": "Abalone3"}, "tests": PLAN})
        assert (three.status_code, "3 seats" in three.json()["error"]) == (422, True), three.text
        assert client.get("/api/bots").json()["bots"] == before
        assert {path.name for path in (data / "bots").iterdir()} == {bot["id"] for bot in before}


def test_of_a_training_that_saves_itself_the_last_agent_is_kept(tmp_path):
    config = UctCcnnConfig(game="TicTacToe-v0", simulations=10, c=1.0, scale=0.02, max_units=1, filter=("most-visited",))
    Settings("TicTacToe-v0", [], ["x", "o"], ["random"], "start", 2).write(tmp_path)
    keep = Keeper(tmp_path)
    with followed(keep):
        result = train_into(UctCcnn(config), tmp_path / "run")
    assert names_in(tmp_path / TESTS) == {}
    keep(result.training, result.folder, is_written=True)
    kept = read_json(names_in(tmp_path / TESTS)["part-10"])
    assert (kept["done"], kept["spec"].count(FILE), (tmp_path / TESTS / SETTINGS).exists()) == (1, 1, True)
    assert (tmp_path / TESTS / kept["file"]).read_bytes() == result.agent_path.read_bytes()
