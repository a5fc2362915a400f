"""The overhead of executors, measured by one worker, whose tasks are answered by the process that sends them."""

import json
import sys

from benchmarks import executors
from boardgym.baselines.workers import Workers


def test_rows_for_every_length(monkeypatch, capsys):
    words = ["--workers", "1", "--seconds", "0.02", "0.01", "--tasks", "3", "--rounds", "1", "--work", "sleep", "--json"]
    monkeypatch.setattr(sys, "argv", ["executors", *words])
    executors.main()
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["executor"], row["task_seconds"]) for row in rows] == [("processes", 0.02), ("processes", 0.01)]
    for row in rows:
        assert row["least"] == row["overhead"] == row["most"]  # of one round


def test_no_task_sleeps_for_less_than_it_should():
    settings = executors.Settings(workers=1, seconds=(0.01,), tasks=3, work="sleep")
    assert executors.control(settings, 0.01) >= 0.03
    with Workers(executors.begin, 1, "processes") as workers:
        assert executors.measure(settings, workers, 0.01) >= 0.03


def test_overheads_are_shares_of_the_control_of_their_round():
    assert executors.shares_of([3.0, 2.0, 5.0], [2.0, 2.0, 2.0]) == {"overhead": 0.5, "least": 0.0, "most": 1.5}


def test_tasks_that_compute_take_their_time():
    task = executors.task_of(executors.Settings(), 0.05)
    assert task < -1000.0
    assert executors.answer(task) == executors.answer(0.0)
