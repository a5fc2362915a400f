"""Jobs of a study: kept when done, done again when anything of theirs has changed, whatever happens to a process."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from boardgym import __version__
from boardgym.baselines.workers import LostTaskError, Workers, ending
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.locks import alone
from boardgym.studies import cluster_jobs
from boardgym.studies.jobs import Bar, Job, JobError, Place, read_result, run_jobs
from tests.support import ROOT


def count(place: Place, number: int, fails: str = "", log: str = "") -> dict[str, int]:
    """A job in three steps that remembers how far it was; `fails`: how it ends at the second, the first time."""
    done = (place.read("steps") or {"done": 0})["done"]
    for step in range(done, 3):
        if log:
            with open(log, "a") as file:
                file.write(f"{number}.{step}\n")
        if step == 1 and fails and place.read("failed") is None:
            place.keep("failed", {})
            if fails == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OptionError(fails) if fails != "bug" else ZeroDivisionError("a bug")
        place.keep("steps", {"done": step + 1})
        place.tell(step + 1)
    return {"square": number * number}


def jobs(*fails, **limits):
    return [Job(f"job_{n}", {"number": n, "fails": f}, "digest", limits, 3) for n, f in enumerate(fails)]


def test_results_are_kept(tmp_path, capsys):
    log = str(tmp_path / "log")
    first = run_jobs(count, jobs("", "", log=log), tmp_path)
    assert first == [{"square": 0}, {"square": 1}]
    assert run_jobs(count, jobs("", "", "", log=log), tmp_path) == [*first, {"square": 4}]
    assert Path(log).read_text().split() == [f"{n}.{step}" for n in range(3) for step in range(3)]  # each step once
    assert capsys.readouterr().err.splitlines()[-1].startswith("3 of 3 done after ")
    assert not list(tmp_path.glob("*.work"))
    kept = json.loads((tmp_path / "job_1.json").read_text())
    assert (kept["version"], kept["digest"], kept["arguments"]) == (__version__, "digest", {"number": 1, "fails": ""})


def test_results_of_other_work_are_refused(tmp_path):
    run_jobs(count, jobs(""), tmp_path)
    path, content = tmp_path / "job_0.json", (tmp_path / "job_0.json").read_text()
    other = Job("job_0", {"number": 0, "fails": ""}, "another digest")
    with pytest.raises(SpecError, match="digest 'digest', not 'another digest'; delete it, or take another folder"):
        read_result(tmp_path, other)
    with pytest.raises(SpecError, match=r"arguments .*, not"):
        run_jobs(count, [Job("job_0", {"number": 7}, "digest")], tmp_path)
    holding = Job("job_0", {"number": 0, "fails": ""}, "digest", holds=("square", "seconds"))
    with pytest.raises(SpecError, match=r"job_0\.json: a result without seconds"):
        read_result(tmp_path, holding)
    strange = [json.dumps({**json.loads(content), "result": result}) for result in ([], [[1, 2]], 7, None, "text")]
    for damaged in (content.replace(__version__, "0.0.0"), content[:-5], "[]", "7", "null", *strange):
        path.write_text(damaged)
        with pytest.raises(
            SpecError, match=r"the result of a job in .*job_0\.json|job_0\.json: the result of other work: version '0.0.0'"
        ):
            run_jobs(count, jobs(""), tmp_path)
        assert path.read_text() == damaged  # nothing is lost
    with pytest.raises(OptionError, match="processes=0"):
        run_jobs(count, jobs(""), tmp_path, processes=0)


def test_work_goes_on_where_it_was_unless_it_is_other_work(tmp_path, monkeypatch):
    log = str(tmp_path / "log")
    with pytest.raises(OptionError, match="too large"):
        run_jobs(count, jobs("too large", log=log), tmp_path)
    assert run_jobs(count, jobs("too large", log=log), tmp_path) == [{"square": 0}]
    assert Path(log).read_text().split() == ["0.0", "0.1", "0.1", "0.2"]
    with pytest.raises(OptionError):
        run_jobs(count, jobs("too large", "too large", log=log), tmp_path)
    changed = Job("job_1", {"number": 1, "fails": ""}, "another digest", {"log": log})
    assert run_jobs(count, [changed], tmp_path) == [{"square": 1}]
    assert Path(log).read_text().split()[-3:] == ["1.0", "1.1", "1.2"]  # from the beginning
    last = Job("job_2", {"number": 2, "fails": "too large"}, "digest", {"log": log})
    with pytest.raises(OptionError):
        run_jobs(count, [last], tmp_path)
    monkeypatch.setattr("boardgym.studies.jobs.SOURCES", "of other code")
    with pytest.raises(OptionError):  # from the beginning, too
        run_jobs(count, [last], tmp_path)
    assert run_jobs(count, [last], tmp_path) == [{"square": 4}]
    assert Path(log).read_text().split()[-6:] == ["2.0", "2.1", "2.0", "2.1", "2.1", "2.2"]
    assert len(run_jobs(count, [changed, last], tmp_path)) == 2  # what is finished stays


def test_a_process_that_is_killed_ends_no_other(tmp_path):
    log = str(tmp_path / "log")
    mine = jobs("", "kill", "too large", "", "bug", log=log)
    with pytest.raises(JobError) as caught:
        run_jobs(count, mine, tmp_path, processes=2)
    text = str(caught.value)
    assert text.startswith(f"3 of 5 jobs were not finished; the others are kept in {tmp_path}, and the same command goes on. ")
    assert "job_1: its process was ended by SIGKILL, as the system does when memory runs out" in text
    assert "job_2: too large" in text
    assert "ZeroDivisionError: a bug" in text
    assert [read_result(tmp_path, job) for job in mine] == [{"square": 0}, None, None, {"square": 9}, None]
    assert run_jobs(count, mine, tmp_path) == [{"square": n * n} for n in range(5)]
    assert Path(log).read_text().split().count("1.0") == 1  # it went on
    assert ending(3) == "its process ended with status 3"


@pytest.fixture
def here(monkeypatch):
    """Processes of this machine, which are sent jobs as those of a cluster are."""
    monkeypatch.setattr(cluster_jobs, "Workers", lambda begin, processes, executor: Workers(begin, processes))
    monkeypatch.setattr(cluster_jobs, "LOOK_S", 0.05)


def test_jobs_of_a_cluster(here, tmp_path, capsys):
    """What fails ends no other."""
    (folder := tmp_path / "jobs").mkdir()
    mine = jobs("", "too large", "", "bug")
    with Bar(mine, mine, "") as bar:
        failed = cluster_jobs.run_on_cluster(count, folder, mine, 2, "slurm", bar)
    assert sorted(text.partition(":")[0] for text in failed) == ["job_1", "job_3"]
    assert "job_1: too large" in failed
    assert any("ZeroDivisionError: a bug" in text for text in failed)
    assert [read_result(folder, job) for job in mine] == [{"square": 0}, None, {"square": 4}, None]
    assert "2 of 4 done after" in capsys.readouterr().err
    assert not list(folder.glob("*.sign"))
    assert run_jobs(count, mine, folder) == [{"square": n * n} for n in range(4)]  # which goes on


def test_a_folder_that_machines_do_not_share_is_told_before_any_work(here, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_jobs, "SEEN_S", 0.0)
    with pytest.raises(OptionError, match=r"theirs is not the folder of the command; expected one that all share"):
        cluster_jobs.begin_jobs(count, tmp_path / "theirs", tmp_path / "theirs" / "1.sign")


def test_a_result_may_come_into_view_later(tmp_path):
    path = tmp_path / "late.json"
    late = threading.Timer(0.2, path.touch)
    late.start()
    assert cluster_jobs.is_seen(path)
    late.join()


def test_a_job_waits_for_a_process_that_is_lost(tmp_path):
    """Its lock is free a while after the process, or the machine, has ended."""
    do = cluster_jobs.begin_jobs(count, tmp_path, tmp_path)
    held, free = threading.Event(), threading.Event()

    def hold():
        with alone(tmp_path / "job_0.lock", JobError):
            held.set()
            free.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    threading.Timer(0.5, free.set).start()
    assert do(jobs("")[0]) == ""
    holder.join()
    assert read_result(tmp_path, jobs("")[0]) == {"square": 0}


def step_by_step(place: Place) -> dict[str, int]:
    """A job that says where it is."""
    for step in range(20):
        place.tell(step)
        time.sleep(0.05)
    return {}


def test_how_much_of_a_job_is_done_is_told_while_it_goes_on(here, tmp_path, monkeypatch):
    told, job = [], Job("job_0", {}, size=20)
    with Bar([job], [job], "") as bar:
        monkeypatch.setattr(bar, "tell", lambda job, done: told.append(done))
        assert cluster_jobs.run_on_cluster(step_by_step, tmp_path, [job], 1, "slurm", bar) == []
    assert told == sorted(told)
    assert {*told[:-1]} & {*range(1, 20)}  # on the way
    assert told[-1] == 20  # at the end


def test_a_job_in_which_every_process_ends_does_not_end_the_others(tmp_path, monkeypatch):
    class Losing(Workers):
        def run(self, tasks, lost=None):
            for task in tasks:
                yield task, lost(LostTaskError("20 ended in it")) if task.name == "job_0" else self.begin()(task)

    monkeypatch.setattr(cluster_jobs, "Workers", lambda begin, processes, executor: Losing(begin, processes))
    with pytest.raises(JobError, match=r"1 of 2 jobs were not finished; .*job_0: 20 ended in it"):
        run_jobs(count, jobs("", ""), tmp_path, executor="slurm")
    assert read_result(tmp_path, jobs("", "")[1]) == {"square": 1}


def test_an_executor_that_is_none_is_refused_before_any_work(tmp_path):
    with pytest.raises(OptionError, match="executor='condor': expected processes, ray"):
        run_jobs(count, jobs(""), tmp_path / "out", executor="condor")
    assert not (tmp_path / "out").exists()


def test_two_commands_do_not_work_at_one_job(tmp_path):
    def meet(place: Place, number: int, **_: object) -> dict[str, int]:
        with pytest.raises(JobError, match=r"job_0\.lock: another process works at this; wait until it has ended, or take"):
            run_jobs(count, jobs(""), tmp_path)
        assert run_jobs(count, jobs("", "")[1:], tmp_path) == [{"square": 1}]  # another job is free
        return {"met": number}

    assert run_jobs(meet, jobs(""), tmp_path) == [{"met": 0}]
    assert run_jobs(count, jobs(""), tmp_path) == [{"met": 0}]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["job_0.json", "job_1.json"]
    (tmp_path / "job_2.lock").touch()  # left by one that was killed
    assert run_jobs(count, jobs("", "", ""), tmp_path)[2] == {"square": 4}


def test_damaged_work_is_told_in_a_line(tmp_path):
    place = Place(tmp_path, lambda done: None)
    for text in ("", "{", "[1]"):
        (tmp_path / "steps.json").write_text(text)
        with pytest.raises(SpecError, match=r"what a job has kept in .*steps\.json; delete .*, and it begins anew"):
            place.read("steps")


def slowly(place: Place, number: int) -> dict[str, int]:
    """A job that takes a minute, and says where it was when it is told to stop."""
    try:
        for step in range(6000):
            place.tell(step)
            time.sleep(0.01)
    except KeyboardInterrupt:
        place.keep("stopped", {"number": number})
        raise
    return {}


def silently(place: Place, number: int) -> dict[str, int]:
    """The first job tells, the others do not."""
    if number == 0:
        return slowly(place, number)
    time.sleep(60.0)
    return {}


def begun(folder, call, count):
    """A process that has begun jobs with two others."""
    program = (
        "import signal\n"
        "from pathlib import Path\n"
        "from boardgym.studies import jobs\n"
        f"from tests.studies.test_study_jobs import {call}\n"
        "jobs.STOP_S = 0.5 if __name__ == '__mp_main__' else jobs.STOP_S  # of the others\n"
        "if __name__ == '__main__':\n"
        "    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it\n"
        f"    todo = [jobs.Job(f'job_{{n}}', dict(number=n)) for n in range({count})]\n"
        f"    jobs.run_jobs({call}, todo, Path({str(folder)!r}), processes=2)\n"
    )
    path = folder / "program.py"
    path.write_text(program)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, path], env=environment, stderr=subprocess.PIPE, text=True)
    first = [folder / f"job_{n}.work" / "job.json" for n in range(2)]
    wait_until(lambda: all(one.exists() for one in first))
    return process


def wait_until(has_come):
    deadline = time.monotonic() + 120.0
    while not has_come():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_ctrl_c_tells_all_processes(tmp_path):
    process = begun(tmp_path, "slowly", 3)
    os.kill(process.pid, signal.SIGINT)  # to the first process alone
    told = process.communicate(timeout=60.0)[1]
    assert "KeyboardInterrupt" in told
    assert "stopping: every process keeps what it has done, within 60 s" in told
    stopped = [json.loads((tmp_path / f"job_{n}.work" / "stopped.json").read_text()) for n in range(2)]
    assert stopped == [{"number": 0}, {"number": 1}]
    assert not (tmp_path / "job_2.work").exists()


def test_processes_end_after_the_one_that_began_them(tmp_path):
    """One that tells keeps its work, one that is silent is ended; neither holds its lock for longer."""
    process = begun(tmp_path, "silently", 2)
    process.kill()
    process.wait()

    def is_free(number):
        try:
            with alone(tmp_path / f"job_{number}.lock", JobError):
                return True
        except JobError:
            return False

    wait_until(lambda: is_free(0) and is_free(1))
    process.stderr.close()
    assert json.loads((tmp_path / "job_0.work" / "stopped.json").read_text()) == {"number": 0}
    assert not (tmp_path / "job_1.json").exists()
