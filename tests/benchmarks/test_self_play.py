"""The table of self-play runs, and runs that are finished already."""

import json

from benchmarks.self_play import FINISHED, Settings, run, table


def finished(folder, name, against, rates):
    score = {opponent: [rate, rate - 0.04, rate + 0.04] for opponent, rate in zip(("greedy", "uct:100"), rates, strict=True)}
    found = {"run": name, "trained against": against, "seed": 1, "steps": 20_500_000, "seconds": 1790.0, "score": score}
    (folder / name).mkdir()
    (folder / name / FINISHED).write_text(json.dumps(found))


def test_finished_runs_are_read_and_the_median_is_of_self_play_alone(tmp_path):
    settings = Settings(opponents=("greedy", "uct:100"), out=tmp_path)
    for seed, rates in ((1, (0.80, 0.50)), (2, (0.86, 0.40)), (3, (0.70, 0.60))):
        finished(tmp_path, f"self_play_{seed}", "itself", rates)
    finished(tmp_path, "control_1", "greedy", (0.99, 0.10))
    runs = [*(run(settings, seed, "") for seed in (1, 2, 3)), run(settings, 1, "greedy")]
    lines = table(settings, runs).splitlines()
    assert lines[2] == "| self_play_1 | 20.5 M | 29.8 | 80.0% [76.0%, 84.0%] | 50.0% [46.0%, 54.0%] |"
    assert lines[-1] == "| median of self-play | | | 80.0% | 50.0% |"
    assert {line.count("|") for line in lines} == {6}
