"""The overhead of executors, measured by one worker, whose tasks are answered by the process that sends them."""

import json
import sys

from benchmarks import executors


def test_rows_for_every_length(monkeypatch, capsys):
    words = ["--workers", "1", "--seconds", "0.02", "0.01", "--tasks", "3", "--rounds", "1", "--work", "sleep", "--json"]
    monkeypatch.setattr(sys, "argv", ["executors", *words])
    executors.main()
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["executor"], row["task_seconds"]) for row in rows] == [("processes", 0.02), ("processes", 0.01)]
    for row in rows:
        # of one round; -1 would be no time at all. How much it is says little of 30 ms on a machine that does other work.
        assert -1.0 < row["least"] == row["overhead"] == row["most"]


def test_tasks_that_compute_take_their_time():
    task = executors.task_of(executors.Settings(), 0.05)
    assert task < -1000.0
    assert executors.answer(task) == executors.answer(0.0)
