"""Games on a Ray cluster: two nodes on this machine, whose workers and nodes are killed. Run by `make test-rllib`."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster

from boardgym.baselines import GameWorkers, compare, play_match
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.workers import Workers
from boardgym.core.errors import SpecError
from tests.optional.same_on_a_cluster import COMMANDS, check_jobs_go_on, check_same_as_here
from tests.support import ROOT

GAME = "TicTacToe-v0"
KILLS, KILL_S = 20, 0.7  # of workers, and the longest time between two of them
TASKS, TASK_S = 500, 0.15
LONG_S = 120.0  # of a task that is left


def begin():
    return answer


def answer(task):
    running = Path(os.environ["RUNNING"])
    if running.is_dir():
        (running / str(os.getpid())).touch()
    time.sleep(TASK_S)
    return task * task


def begin_deadly():
    return die


def die(task):
    if task == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return task * task


def begin_slow():
    return wait


def wait(seconds):
    time.sleep(seconds)
    return 0


def begin_wrongly():
    raise SpecError("no such policy")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    paths = [str(Path(__file__).parent), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["RUNNING"] = str(tmp_path_factory.mktemp("running"))  # where tasks note the processes that they are in
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)  # where workers find this module
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    cluster.add_node(num_cpus=2)
    ray.init(cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def run_words(words, **more):
    """A command, with more in its environment."""
    words = [sys.executable, "-m", "boardgym", *words]
    return subprocess.run(words, env={**os.environ, **more}, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_tables_do_not_depend_on_workers(cluster, workers):
    alone = compare("uct:20", GAME, ["random", "greedy"], games=40, seed=3, progress=False)
    with GameWorkers(workers, "ray") as players:
        assert compare("uct:20", GAME, ["random", "greedy"], games=40, seed=3, progress=False, processes=players) == alone
    assert ray.is_initialized()  # a cluster that was there before is left as it is


def test_errors_are_those_that_were_raised(cluster):
    with Workers(begin_wrongly, 2, "ray") as workers, pytest.raises(SpecError, match=r"^no such policy$"):
        list(workers.run([1]))


def test_killed_processes_and_a_killed_node_lose_and_double_nothing(cluster):
    """The node that is lost is half of the cluster: its tasks have no room but beside the others."""
    draw, killed, over = random.Random(1), [], threading.Event()
    running, node = Path(os.environ["RUNNING"]), cluster.list_all_nodes()[1]

    def kill():
        while not over.wait(draw.uniform(0.1, KILL_S)) and len(killed) < KILLS:
            if len(killed) == KILLS // 2 and node in cluster.worker_nodes:
                cluster.remove_node(node, allow_graceful=False)
            if not (paths := sorted(running.iterdir())):
                continue
            path = draw.choice(paths)
            path.unlink()  # noted again by its next task, if it is there
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(path.name), signal.SIGKILL)
                killed.append(path.name)

    thread = threading.Thread(target=kill)
    with Workers(begin, 4, "ray") as workers:
        answers = workers.run(range(TASKS))
        found = [next(answers)]
        thread.start()
        found += answers
        over.set()
        thread.join()
    cluster.add_node(num_cpus=2)
    assert len(killed) == KILLS
    assert node not in cluster.worker_nodes
    assert sorted(found) == [(task, task * task) for task in range(TASKS)]


def test_a_record_on_a_cluster_is_the_record_of_this_machine(cluster, tmp_path):
    paths = [tmp_path / "one.jsonl", tmp_path / "several.jsonl"]
    with GameWorkers(3, "ray") as workers:
        for path, processes in zip(paths, (1, workers), strict=True):
            with GameLog(str(path)) as log:
                play_match("greedy", "random", GAME, games=60, progress=False, log=log, processes=processes)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("is_there", [True, False])
def test_the_command_takes_a_cluster_that_is_there_or_begins_one(cluster, is_there):
    words = ["match", "greedy", "random", "--game", "TicTacToe", "--games", "20", "--json"]

    def match(*more):
        done = run_words([*words, *more], RAY_ADDRESS=cluster.address if is_there else "local")
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert match("--processes", "2", "--executor", "ray") == match()


@pytest.mark.parametrize("name", COMMANDS)
def test_other_commands_make_the_same_files(cluster, tmp_path, monkeypatch, name):
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    check_same_as_here(name, tmp_path, "ray")


def test_jobs_of_a_study_go_on(cluster, tmp_path):
    check_jobs_go_on(tmp_path, "ray")


def test_a_task_that_always_ends_its_process_ends_no_other(cluster):
    with Workers(begin_deadly, 2, "ray") as workers:
        answers = dict(workers.run([0, 1, 2], lost=lambda error: "lost"))
    assert answers == {0: 0, 1: "lost", 2: 4}


def test_what_is_under_way_ends_with_the_context_though_the_cluster_stays(cluster):
    def leave():
        with Workers(begin_slow, 2, "ray") as workers:
            for _ in workers.run([0, LONG_S, LONG_S, LONG_S]):
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leave()
    begun = time.monotonic()
    with Workers(begin_slow, 4, "ray") as workers:
        assert sorted(answer for _, answer in workers.run([0] * 8)) == [0] * 8
    assert time.monotonic() - begun < LONG_S / 2


def test_a_cluster_that_is_not_there(cluster):
    words = ["match", "greedy", "random", "--game", "TicTacToe", "--executor", "ray://127.0.0.1:9"]
    done = run_words(words)
    assert "no Ray cluster at ray://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
