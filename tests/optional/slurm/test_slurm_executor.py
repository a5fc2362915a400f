"""Games in jobs of Slurm, which are cancelled and whose node fails: that of start_slurm.sh. Run by `make test-slurm`."""

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from boardgym.baselines import GameWorkers, compare, play_match, remote_workers, slurm_executor
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.arena.ladder import play_ladder
from boardgym.baselines.arena.record import read_records
from boardgym.baselines.slurm_executor import SlurmError, SlurmExecutor
from boardgym.baselines.workers import LostTaskError, WorkerError, Workers
from boardgym.core.errors import SpecError
from tests.optional.same_on_a_cluster import COMMANDS, check_jobs_go_on, check_same_as_here
from tests.support import ROOT

GAME = "TicTacToe-v0"
KILLS, KILL_S = 20, 4.0  # of jobs, and the longest time between two of them
TASKS, TASK_S = 500, 0.2
SOON_S, LONG_S = 60, 600


class UnsendableError(SpecError):
    """An error that cannot be made again from its message."""

    def __init__(self, what, where):
        super().__init__(f"no {what} in {where}")


def begin():
    return answer


def answer(task):
    if task == "fault":
        raise ZeroDivisionError("a fault")
    if task == "unsendable":
        raise UnsendableError("needle", "haystack")
    if task == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if isinstance(task, Path):
        if task.exists():
            return "again"
        task.touch()
        time.sleep(LONG_S)
    if task == "job":
        return os.environ["SLURM_JOB_ID"]
    time.sleep(TASK_S)
    return task * task


FAKES = {  # commands of Slurm that take their time, and write down how they were called
    "sbatch": 'cp "$1" $LOG.script; '
    "echo sbatch >>$LOG; sleep 1; echo slow >&2; sleep 1; echo sbatch ended >>$LOG; echo Submitted batch job 7",
    "squeue": "",
    "scancel": 'echo "scancel $*" >>$LOG; sleep 1; echo slow >&2; sleep 1; echo scancel ended >>$LOG',
}
COMMAND = """
import sys, threading, time
from test_slurm_executor import begin
from boardgym.baselines.workers import Workers

threading.Thread(target=time.sleep, args=(60,), daemon=True).start()  # a thread that takes signals
with Workers(begin, int(sys.argv[1]), "slurm"):
    print("entered")
"""


def begin_command(folder, count, **commands):
    """A process that has that many jobs of the fake commands, and their log."""
    (folder / "bin").mkdir()
    for name, text in {**FAKES, **commands}.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / "bin" / name).chmod(0o755)
    log = folder / "log"
    variables = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "LOG": str(log)}
    words = [sys.executable, "-c", COMMAND, str(count)]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, env=variables, stdout=pipe, stderr=pipe, text=True), log


def begin_wrongly():
    raise SpecError("no such policy")


def slurm(*words):
    """The words that a command of Slurm says."""
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()


def jobs():
    """The ids of the jobs that have not ended."""
    return slurm("squeue", "--me", "--array", "--noheader", "--format=%i")


def wait_until(is_true):
    deadline = time.monotonic() + SOON_S
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The current folder, which is empty again with no job left, as soon as an executor's context is left."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(slurm_executor, "LOOK_S", 1.0)
    paths = [str(Path(__file__).parent), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))  # where jobs find this module
    yield tmp_path
    assert not [*tmp_path.glob(".boardgym-slurm-*")]
    assert not jobs()


def run_words(words, **more):
    """A command, with more in its environment."""
    words = [sys.executable, "-m", "boardgym", *words]
    return subprocess.run(words, env={**os.environ, **more}, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("workers", [1, 2])
def test_tables_do_not_depend_on_workers(workers):
    of = {"seed": 3, "games": 40, "progress": False}
    with GameWorkers(workers, "slurm") as players:
        for processes in (1, 2):
            alone = compare("uct:20", GAME, ["random", "greedy"], processes=processes, **of)
            assert compare("uct:20", GAME, ["random", "greedy"], processes=players, **of) == alone
        assert play_ladder(GAME, ["random", "greedy"], processes=players, **of) == play_ladder(GAME, ["random", "greedy"], **of)


def test_a_job_has_many_tasks_and_errors_are_those_that_were_raised():
    with Workers(begin, 2, "slurm") as workers:
        assert sorted(workers.run(range(30))) == [(task, task * task) for task in range(30)]
        assert len({job for _, job in workers.run(["job"] * 50)}) <= 2
        with pytest.raises(ZeroDivisionError, match=r"^a fault$") as fault:
            list(workers.run(["fault"]))
        assert isinstance(fault.value.__cause__, WorkerError)
        assert 'raise ZeroDivisionError("a fault")' in str(fault.value.__cause__)  # where it was raised
        with pytest.raises(WorkerError, match="no needle in haystack"):
            list(workers.run(["unsendable"]))
        assert list(workers.run([3])) == [(3, 9)]  # they go on
    with Workers(begin_wrongly, 1, "slurm") as workers, pytest.raises(SpecError, match=r"^no such policy$"):
        list(workers.run([1]))


def test_cancelled_jobs_and_a_failed_node_lose_and_double_nothing():
    draw, killed, over = random.Random(1), [], threading.Event()
    node = slurm("sinfo", "--noheader", "--format=%n")[0]

    def kill():
        while not over.wait(draw.uniform(0.5, KILL_S)) and len(killed) < KILLS:
            if len(killed) == KILLS // 2:  # Slurm ends its jobs
                slurm("scontrol", "update", f"NodeName={node}", "State=DOWN", "Reason=test")
                killed.append(node)
                over.wait(2)
                subprocess.run(["scontrol", "update", f"NodeName={node}", "State=RESUME"], capture_output=True, check=False)
            elif found := jobs():
                killed.append(draw.choice(found))
                subprocess.run(["scancel", *draw.choice([[], ["--signal=KILL"]]), killed[-1]], check=True)

    thread = threading.Thread(target=kill)
    with Workers(begin, 2, "slurm") as workers, contextlib.ExitStack() as stack:
        answers = workers.run(range(TASKS))
        found = [next(answers)]
        thread.start()
        stack.callback(thread.join)
        stack.callback(over.set)
        found += answers
    assert len(killed) == KILLS
    assert node in killed
    assert sorted(found) == [(task, task * task) for task in range(TASKS)]


def test_jobs_that_end_without_a_task_are_no_tries_of_a_task(monkeypatch):
    monkeypatch.setattr(remote_workers, "MOST_TRIES", 1)
    with Workers(begin, 2, "slurm") as workers:
        for _ in range(3):
            assert len(list(workers.run(range(4)))) == 4
            ended = jobs()
            slurm("scancel", *ended)
            wait_until(lambda ended=ended: not set(ended) & set(jobs()))


def test_a_task_that_ends_its_jobs(monkeypatch):
    monkeypatch.setattr(remote_workers, "MOST_TRIES", 3)
    with Workers(begin, 1, "slurm") as workers:
        with pytest.raises(LostTaskError, match="no answer: 3 workers ended in it"):
            list(workers.run(["killed"]))
        assert list(workers.run(["killed", 3], lost=lambda error: "lost")) == [("killed", "lost"), (3, 9)]


def test_a_record_on_a_cluster_is_the_record_of_this_machine(folder):
    paths = [folder / "one.jsonl", folder / "several.jsonl"]
    with GameWorkers(2, "slurm") as workers:
        for path, processes in zip(paths, (1, workers), strict=True):
            with GameLog(str(path)) as log:
                play_match("greedy", "random", GAME, games=60, progress=False, log=log, processes=processes)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("name", COMMANDS)
def test_other_commands_make_the_same_files(folder, name):
    check_same_as_here(name, folder, "slurm")


def test_jobs_of_a_study_go_on(folder):
    check_jobs_go_on(folder, "slurm")


def test_what_is_under_way_ends_soon_when_the_context_is_left(folder):
    begun = folder / "begun"

    def leave():
        with Workers(begin, 2, "slurm") as workers:
            for _ in workers.run([1, begun, 2]):
                wait_until(begun.exists)
                raise KeyboardInterrupt(time.monotonic())

    with pytest.raises(KeyboardInterrupt) as left:
        leave()
    assert time.monotonic() - left.value.args[0] < slurm_executor.END_S


def test_ctrl_c_cancels_the_jobs_and_resume_goes_on(folder):
    words = ["compare", "uct:300", "--opponents", "random", "uct:100", "--game", "TicTacToe", "--games", "400", "--json"]
    on_slurm = ["--processes", "2", "--executor", "slurm", "--record", "cut.jsonl"]
    command = subprocess.Popen([sys.executable, "-m", "boardgym", *words, *on_slurm])
    wait_until(lambda: (folder / "cut.jsonl").exists() and (folder / "cut.jsonl").read_bytes().count(b"\n") >= 5)
    command.send_signal(signal.SIGINT)
    assert command.wait(SOON_S) == 130
    assert not jobs()
    kept = (folder / "cut.jsonl").read_bytes()
    assert kept.count(b"\n") < 800
    done, alone = run_words([*words, *on_slurm, "--resume"]), run_words([*words, "--record", "one.jsonl"])
    assert done.returncode == alone.returncode == 0, done.stderr + alone.stderr
    assert done.stdout == alone.stdout
    assert (folder / "cut.jsonl").read_bytes() == (folder / "one.jsonl").read_bytes()
    assert (folder / "cut.jsonl").read_bytes().startswith(kept)
    assert len(list(read_records(folder / "cut.jsonl"))) == 800


@pytest.mark.parametrize("signals", [1, 2])
def test_ctrl_c_while_jobs_are_submitted(folder, signals):
    """What was submitted is cancelled, by a name that is the run's alone, though a second Ctrl-C comes in that."""
    command, log = begin_command(folder, 2)
    for said in ("sbatch\n", "scancel ")[:signals]:
        wait_until(lambda said=said: log.exists() and said in log.read_text())
        command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=SOON_S)
    name = re.search(r"--job-name=(boardgym-[0-9a-f]{8})\n", Path(f"{log}.script").read_text())[1]
    assert log.read_text().splitlines() == ["sbatch", "sbatch ended", f"scancel --me --name={name}", "scancel ended"]
    assert "KeyboardInterrupt" in err
    assert "entered" not in out
    assert command.returncode


def test_jobs_that_cannot_be_cancelled_are_named(folder):
    command, log = begin_command(folder, 300, scancel="echo no controller >&2; exit 1")
    out, err = command.communicate(timeout=SOON_S)
    assert "entered" in out
    script = Path(f"{log}.script").read_text()
    assert "#SBATCH --array=0-299%300\n" in script  # all at one time
    name = re.search(r"--job-name=(\S+)\n", script)[1]
    assert f"no controller; expected to be cancelled: scancel --me --name={name}" in err


def test_errors_of_the_keeper(monkeypatch):
    """A squeue that does not start is asked again; what is not foreseen ends the tasks, which have nobody to wait for."""
    run, failed = subprocess.run, []

    def fail(words, **more):
        if words[0] == "squeue" and len(failed) < 3:
            failed.append(words)
            raise BlockingIOError("no process can be started")
        return run(words, **more)

    with SlurmExecutor(begin, 1) as executor:
        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "run", fail)
            wait_until(lambda: len(failed) == 3)
        assert executor.submit(3).result(SOON_S) == 9
        monkeypatch.setattr(executor, "_replace", lambda: {}["unforeseen"])
        with pytest.raises(SlurmError, match="no longer looked after: KeyError: 'unforeseen'"):
            executor.submit("killed").result(SOON_S)


def test_jobs_that_end_before_they_connect_beside_good_ones(monkeypatch):
    """As on a bad node. They are submitted ever more seldom, and the good ones go on."""
    monkeypatch.setattr(slurm_executor, "MOST_VAIN", 2)
    cpus = os.cpu_count()
    bad = set()
    with SlurmExecutor(begin, cpus + 1) as executor:
        wait_until(lambda: len(executor.workers.lines) == cpus)
        until = time.monotonic() + 15
        while time.monotonic() < until:
            if waiting := slurm("squeue", "--me", "--array", "--noheader", "--states=PENDING", "--format=%i"):
                bad.update(waiting)
                slurm("scancel", *waiting)
            time.sleep(0.1)
        assert 2 <= len(bad) <= 6
        assert executor.submit(3).result(SOON_S) == 9


def test_why_jobs_wait_is_said_once(capsys):
    node = slurm("sinfo", "--noheader", "--format=%n")[0]
    slurm("scontrol", "update", f"NodeName={node}", "State=DRAIN", "Reason=test")
    said = []
    try:
        with SlurmExecutor(begin, 1) as executor:
            wait_until(lambda: said.append(capsys.readouterr().err) or "DRAINED" in "".join(said))
            time.sleep(3 * slurm_executor.LOOK_S)
            slurm("scontrol", "update", f"NodeName={node}", "State=RESUME")
            assert executor.submit(3).result(SOON_S) == 9
    finally:
        subprocess.run(["scontrol", "update", f"NodeName={node}", "State=RESUME"], capture_output=True, check=False)
    said = "".join([*said, capsys.readouterr().err]).splitlines()
    assert len(set(said)) == len(said)
    assert all(line.startswith("boardgym: no job of Slurm is connected; they wait for: ") for line in said)


def test_what_slurm_does_not_take_is_said(folder):
    words = ["match", "greedy", "random", "--game", "TicTacToe", "--executor", "slurm"]
    for more, said in (
        ({"SBATCH_PARTITION": "nowhere"}, "Slurm takes no job: sbatch: error: invalid partition specified: nowhere"),
        ({"PATH": str(folder)}, slurm_executor.NO_SLURM),
        ({"SBATCH_JOB_NAME": "mine"}, "expected no variable SBATCH_JOB_NAME: unset it"),
    ):
        done = run_words(words, **more)
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
        assert done.returncode == 2


def test_jobs_that_never_connect_are_said(monkeypatch):
    monkeypatch.setattr(slurm_executor, "MOST_VAIN", 2)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # jobs do not find this module
    with Workers(begin, 2, "slurm") as workers, pytest.raises(SlurmError, match="no job of Slurm has connected") as found:
        list(workers.run([1]))
    assert "No module named 'test_slurm_executor'" in str(found.value)


def test_a_node_that_says_nothing(folder):
    """Its slurmd is killed, not the job: the job's task is given anew when Slurm counts the job as lost."""
    begun = folder / "begun"
    shown = subprocess.run(["scontrol", "show", "config"], capture_output=True, text=True, check=True).stdout
    slurmd = int(Path(re.search(r"SlurmdPidFile\s*= (.*)", shown)[1]).read_text())
    with SlurmExecutor(begin, 1) as executor:
        found = executor.submit(begun)
        wait_until(begun.exists)
        os.kill(slurmd, signal.SIGKILL)
        try:
            wait_until(lambda: not executor.workers.lines)
        finally:
            subprocess.run(["slurmd"], check=True)
        assert found.result(SOON_S) == "again"
