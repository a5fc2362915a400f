"""How far long work has come: lines now and then off a terminal, a bar on one; and rates that leave compilation out."""

import dataclasses
import os
import pty
import re
import sys
import time
from types import SimpleNamespace

import pytest

from boardgym.baselines import play_match, progress
from boardgym.baselines.arena.game_log import GameLog
from boardgym.baselines.learning.sb3.config import TrainConfig
from boardgym.baselines.learning.sb3.trainer import train_sb3
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import train_tabular
from boardgym.baselines.progress import ProgressBar
from boardgym.commands.training import tell
from boardgym.compile import WorkClock, kernel


def work(seconds, **settings):
    """Work of so many seconds in steps of a hundredth."""
    started = time.monotonic()
    with ProgressBar(1000, "digging", **settings) as bar:
        while time.monotonic() - started < seconds:
            time.sleep(0.01)
            bar.show(round(1000 * (time.monotonic() - started) / 4.0), note="deep")


def test_lines_come_now_and_then_where_stderr_is_no_terminal(monkeypatch, capsys):
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", 0.05)
    work(0.5)
    lines = capsys.readouterr().err.splitlines()
    assert 1 <= len(lines) <= 4  # after 0.05, 0.1, 0.2, 0.4 seconds, if the machine lets it
    for line in lines:
        assert re.fullmatch(r"boardgym: digging, \d+/1,000, deep, 0:00:0\d so far, 0:00:0[2-6] left", line)


def test_games_of_an_earlier_run_are_no_part_of_the_pace(monkeypatch, capsys, tmp_path):
    """Six of ten games are in the record. The others last ten seconds each, by a clock of the test's own."""
    path, now = str(tmp_path / "games.jsonl"), 0.0
    settings = {"game": "TicTacToe-v0", "games": 10, "seed": 1}
    with GameLog(path) as log:
        play_match("random", "random", **settings, log=log, progress=False)
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines[:6])

    def wait(match):
        nonlocal now
        now += 0.0 if len(match.games) <= 6 else 10.0

    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", 1.0)
    with GameLog(path, resume=True) as log:
        play_match("random", "random", **settings, log=log, on_game=wait)
    assert capsys.readouterr().err.splitlines() == [
        "boardgym: random - random, 7/10, 0:00:10 so far",
        "boardgym: random - random, 8/10, 0:00:20 so far, 0:00:20 left",
        "boardgym: random - random, 9/10, 0:00:30 so far, 0:00:10 left",
        "boardgym: random - random, 10/10, 0:00:40 so far, 0:00:00 left",
    ]


def test_short_work_and_a_caller_who_wants_none_say_nothing(monkeypatch, capsys):
    work(0.05)
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", 0.0)
    work(0.05, progress=False)
    assert capsys.readouterr().err == ""
    told = []
    work(0.05, progress=lambda *state: told.append(state))
    assert told[-1][1:] == (1000, "digging")
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch):
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", 0.0)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        work(0.3)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "digging" in shown
    assert "/1,000" in shown
    assert "deep" in shown
    assert "boardgym:" not in shown


def test_seconds_of_work_leave_out_those_of_compiling():
    def triple(x):
        return 3 * x

    compiled = kernel(triple)
    compiled._cache.disable()
    clock = WorkClock()
    assert compiled(2) == 6
    took = clock.seconds - clock.working_seconds
    assert 0.0 < took <= clock.seconds
    assert compiled(3) == 9
    assert clock.seconds - clock.working_seconds == pytest.approx(took, abs=1e-3)


def test_the_rate_is_that_of_the_work(tmp_path, capsys):
    done = train_tabular(TabularConfig(episodes=60, greedy_episodes=40), tmp_path)
    assert done.working_seconds > 0.0
    tell(dataclasses.replace(done, seconds=30.0, working_seconds=0.5), "file:{}", as_json=False)
    assert "100 episodes in 30.0 s (200 a second)" in capsys.readouterr().out


def test_steps_that_are_no_whole_rollouts(tmp_path, capsys):
    config = TrainConfig(
        game="TicTacToe-v0",
        opponent="random",
        steps=100,
        num_envs=4,
        trajectory=16,
        batch_size=64,
        hidden=(8,),
        judges=("random",),
        judge_games=2,
        points=1,
        out=tmp_path / "a",
    )
    assert train_sb3(config).training.done == 128
    assert "100 steps are rounded up to 128: whole rollouts of 4 boards x 16 steps\n" in capsys.readouterr().err
    assert train_sb3(dataclasses.replace(config, steps=64, out=tmp_path / "b")).training.done == 64
    assert "rounded" not in capsys.readouterr().err
