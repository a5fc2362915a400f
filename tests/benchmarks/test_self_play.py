"""The table of self-play runs, and runs that are finished already."""

import dataclasses
import json

import pytest

from benchmarks.self_play import FINISHED, Settings, asked_of, run, table
from boardgym.core.errors import OptionError


def finished(settings, name, opponent, rates):
    score = {opponent: [rate, rate - 0.04, rate + 0.04] for opponent, rate in zip(("greedy", "uct:100"), rates, strict=True)}
    found = {
        "run": name,
        "trained against": opponent or "itself",
        "seed": 1,
        "steps": 20_500_000,
        "seconds": 1790.0,
        "score": score,
        "asked": asked_of(settings, opponent),
    }
    (settings.out / name).mkdir()
    (settings.out / name / FINISHED).write_text(json.dumps(found))


def test_finished_runs_are_read_and_the_median_is_of_self_play_alone(tmp_path):
    settings = Settings(opponents=("greedy", "uct:100"), out=tmp_path)
    for seed, rates in ((1, (0.80, 0.50)), (2, (0.86, 0.40)), (3, (0.70, 0.60))):
        finished(settings, f"self_play_{seed}", "", rates)
    finished(settings, "control_1", "greedy", (0.99, 0.10))
    runs = [*(run(settings, seed, "") for seed in (1, 2, 3)), run(settings, 1, "greedy")]
    lines = table(settings, runs).splitlines()
    assert lines[2] == "| self_play_1 | 20.5 M | 29.8 | 80.0% [76.0%, 84.0%] | 50.0% [46.0%, 54.0%] |"
    assert lines[-1] == "| median of self-play | | | 80.0% | 50.0% |"
    assert {line.count("|") for line in lines} == {6}
    with pytest.raises(OptionError, match=r"self_play_1: holds a run of .*'games': 400.*'games': 200"):
        run(dataclasses.replace(settings, games=200), 1, "")


def test_an_interrupted_run_leaves_no_result(tmp_path, monkeypatch):
    from boardgym.baselines.learning.runs import Trained
    from boardgym.baselines.learning.sb3 import selfplay
    from boardgym.baselines.learning.sb3.trainer import SB3Training

    def interrupted(config):
        config.out.mkdir()
        return Trained(SB3Training(config), config.out, 1.0, 1.0, 0, "interrupted", "interrupted")

    monkeypatch.setattr(selfplay, "train_selfplay", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(Settings(opponents=("greedy",), out=tmp_path), 1, "")
    assert not list(tmp_path.rglob(FINISHED))
