"""Commands that work by several processes make the same files on a cluster as here."""

import json
import os
import subprocess
import sys
from pathlib import Path

from boardgym.studies.jobs import run_jobs
from tests.studies.test_study_jobs import count, jobs

# Name -> the words of a command, and the file of its folder that holds what it found.
COMMANDS = {
    "examples": ("examples TicTacToe --policy uct:20,solver=0,choice=max_child --start-games 6 --states 0",
                 "examples.safetensors"),
    "tune": ("tune uct:20 --game TicTacToe --parameter c_uct=0.2:2.0 --iterations 2 --population 4 --elite-rate 0.5 --games 4",
             "samples.csv"),
    "train uct-ccnn": ("train uct-ccnn TicTacToe --simulations 20 --tune-games 2 --tune-iterations 1 --scale 0.03 --max-units 1"
                       " --filter most-visited --compare-games 2", "agent.safetensors"),
    "reproduce": ("reproduce pessimistic-q --game tic-tac-toe --setting a --seeds 2 --episodes 200",
                  "tic-tac-toe_200_seeds-1-2.json"),
}  # fmt: skip
MEASURED = ("seconds", "peak_memory")  # of results, which differ from run to run


def made_by(name: str, folder: Path, *more: str) -> bytes | object:
    """What a command's file holds, without what was measured of the run."""
    words, file = COMMANDS[name]
    command = [sys.executable, "-m", "boardgym", *words.split(), "--out", str(folder), *more]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    content = (folder / file).read_bytes()
    return without_measures(json.loads(content)) if file.endswith("json") else content


def without_measures(value: object) -> object:
    """A value without the names of MEASURED, at any depth."""
    if isinstance(value, dict):
        return {name: without_measures(one) for name, one in value.items() if name not in MEASURED}
    return [without_measures(one) for one in value] if isinstance(value, list) else value


def check_same_as_here(name: str, folder: Path, executor: str) -> None:
    """A command by two processes of a cluster, and by this machine."""
    assert made_by(name, folder / "there", "--processes", "2", "--executor", executor) == made_by(name, folder / "here")


def check_jobs_go_on(folder: Path, executor: str) -> None:
    """A process that is killed in the second step of a job: another one goes on there, and the other jobs are done."""
    log = folder / "log"
    mine = jobs("", "kill", "", log=str(log))
    assert run_jobs(count, mine, folder / "jobs", processes=2, executor=executor) == [{"square": n * n} for n in range(3)]
    steps = log.read_text().split()
    assert (steps.count("1.0"), steps.count("1.1"), steps.count("1.2")) == (1, 2, 1)
