"""The rerun of the Othello study: a tiny rerun that is cut short, verdicts, the committed page."""

import dataclasses
import json
import shutil

import pytest

from boardgym.cli import main
from boardgym.core.errors import SpecError
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q import docs, experiments, learners, measuring, networks, options, others, plans, study
from boardgym.studies.othello_q.measuring import CELLS
from boardgym.studies.uct_ccnn.judging import permutation_p
from boardgym.studies.verdicts import LEVEL
from tests.support import ROOT

DOCS = ROOT / "docs"
TINY = dataclasses.replace(
    plans.PLANS["small"],
    single=plans.TrainingPlan(games=400, runs=1),
    short=plans.TrainingPlan(games=300, runs=2),
    positions=20,
)


@pytest.fixture
def tiny(monkeypatch):
    """Little of everything, and a measure of few games."""
    monkeypatch.setitem(plans.PLANS, "small", TINY)
    monkeypatch.setattr(measuring, "NUM_OPENINGS", 4)
    monkeypatch.setattr(networks, "OTHERS", ("random", "positional"))  # whose kernels other tests need too


def place_in(folder, tell=lambda done: None):
    (folder / "jobs" / "a").mkdir(parents=True, exist_ok=True)
    return Place(folder / "jobs" / "a", tell)


# ---------------------------------------------------------------- the schedule and the networks


def test_schedules():
    assert plans.SWITCH == 12_429_214
    assert plans.factor_for(plans.FULL_GAMES) == plans.FACTOR
    for plan in plans.PLANS.values():
        for part in (plan.single, plan.multi, plan.short):
            share = plans.switch_of(plans.factor_for(part.games)) / part.games
            assert share == pytest.approx(plans.SWITCH / plans.FULL_GAMES, abs=1e-3)
    assert learners.config_of("multi", 12_500_000, 1).temperature == "geometric(1.0, 0.9999995)"


def test_networks_schedule_and_files(tiny, tmp_path):
    """Claims 2, 3 and 8 as they are decided; and each refuted by a figure that is wrong."""
    figures = {kind: [work.run(place_in(tmp_path), 0, "small")] for kind, work in networks.NETWORKS.works.items()}
    assert [claim.judge(figures)[0] for claim in networks.NETWORKS.claims] == ["shown", "shown", "shown"]
    wrong = json.loads(json.dumps(figures))
    wrong["networks"][0]["networks"]["multi"]["weights"] += 1
    wrong["schedule"][0]["alike"] = [True, True]
    wrong["files"][0]["forfeits"] = 1
    assert [claim.judge(wrong)[0] for claim in networks.NETWORKS.claims] == ["not shown", "not shown", "not shown"]


# ---------------------------------------------------------------- trainings


def test_a_training_goes_on_where_it_was_cut_short(tiny, tmp_path):
    """In the middle of a part, and between parts: the same figures as without, and the same agent."""
    whole = experiments.trains("single")(place_in(tmp_path / "whole"), 1, "small")
    assert [point["games"] for point in whole["checkpoints"]] == list(range(0, 401, 40))
    assert [point["temperature"] > 0 for point in whole["checkpoints"]] == [True] * 10 + [False]
    looks = []

    def stop(done):
        looks.append(done)
        if len(looks) in (3, 5):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            experiments.trains("single")(place_in(tmp_path / "cut", stop), 1, "small")
    again = experiments.trains("single")(place_in(tmp_path / "cut", stop), 1, "small")
    assert again["checkpoints"] == whole["checkpoints"]
    agents = [(tmp_path / name / "agents" / "small-single-1.safetensors").read_bytes() for name in ("whole", "cut")]
    assert agents[0] == agents[1]
    for player, seat in CELLS:
        counts = whole["checkpoints"][-1]["measured"][player][seat]
        assert (measuring.total(counts), counts["forfeits"]) == (4, 0)


def test_options_get_the_games_of_their_time(tiny, tmp_path):
    """And the best one other seeds than those that it was chosen by."""
    speeds = options.measures_speed(place_in(tmp_path / "speeds"), 0, "small")["speeds"]
    assert set(speeds) == set(learners.OPTIONS)
    assert min(speeds.values()) > 0
    chosen = {"speed": 100.0}
    one = options.trains("one-network")(place_in(tmp_path / "one"), 1, "small", chosen)
    assert (one["games"], [point["games"] for point in one["checkpoints"]]) == (400, [0, 400])
    best = options.trains_best(place_in(tmp_path / "best"), 1, "small", {"option": "plain", **chosen})
    assert (best["option"], best["games"], len(best["checkpoints"])) == ("plain", 800, 11)
    assert (tmp_path / "best" / "agents" / "small-best-101.safetensors").exists()


def test_the_command(tiny, tmp_path, capsys):
    """A part with work of two kinds, an agent that is given, the JSON; the second time nothing is done anew."""
    given = ("--agent", "rim=greedy:evaluation=positional", "--out", str(tmp_path))
    words = ["reproduce", "othello-q", "--part", "rules", "schedules", *given]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert (tmp_path / "report-small.md").read_text() == told[:-1]
    assert "Multi-NN, short schedule" in told
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "jobs").iterdir() if path.suffix == ".json"}
    assert len(before) == 6
    assert main([*words, "--json"]) == 0
    judged = {line["text"]: line["verdict"] for line in json.loads(capsys.readouterr().out)["verdicts"]}
    assert judged["both kinds are compared under one schedule"] == "shown"
    assert {path: path.stat().st_mtime_ns for path in before} == before
    found = others.measures_given(place_in(tmp_path), 1, "small", others.chosen_of(study.given(settings_of(given)))[1])
    assert found["name"] == "rim"
    assert others.page({"given_agents": [found]})[2].startswith("| agent ")


def settings_of(words):
    return study.Settings(agent=(words[1],))


def test_agents_that_cannot_be_measured(capsys):
    for texts, message in ((["positional"], "expected NAME=SPEC"), (["a=random", "a=greedy"], "each name once")):
        with pytest.raises(SpecError, match=message):
            others.agents_of(texts, trust=False)
    assert main(["reproduce", "othello-q", "--agent", "x"]) == 2
    assert "expected NAME=SPEC" in capsys.readouterr().err
    assert main(["reproduce", "othello-q", "--part", "sngle"]) == 2
    assert "did you mean 'single'?" in capsys.readouterr().err


# ---------------------------------------------------------------- verdicts on made-up figures


def counts(won, drawn=0):
    return {"won": won, "drawn": drawn, "lost": 244 - won - drawn, "forfeits": 0}


def training(seed, first, last, games=1000, points=11):
    """Shares that rise from first to last, the same against both players."""
    shares = [first + (last - first) * k / (points - 1) + seed for k in range(points)]
    checkpoints = [
        {"games": k, "temperature": 0.0, "measured": {p: {s: counts(round(w)) for s in plans.SEATS} for p in plans.PLAYERS}}
        for k, w in enumerate(shares)
    ]
    return {"seed": seed, "games": games, "factor": 0.5, "switch": 9, "checkpoints": checkpoints}


def runs(first, last, **more):
    return [training(seed, first, last, **more) for seed in range(1, 6)]


def test_claims_of_the_experiments():
    single = {claim.text.partition("Single-NN")[2][:8]: claim.judge for claim in experiments.SINGLE.claims}
    evaluated, starts, improves, ends = single.values()
    good, bad = {"single": runs(40, 200)}, {"single": runs(150, 60)}
    assert [judge(good)[0] for judge in (evaluated, starts, improves, ends)] == ["shown"] * 4
    assert [judge(bad)[0] for judge in (starts, improves, ends)] == ["not shown"] * 3
    assert evaluated({"single": runs(40, 200, points=10)})[0] == "not shown"
    forfeit = runs(40, 200)
    forfeit[0]["checkpoints"][3]["measured"]["mobility"]["white"]["forfeits"] = 1
    assert evaluated({"single": forfeit})[0] == "not shown"
    assert starts({"single": runs(120, 200)})[0] == "not decided"


def test_claims_of_the_schedules():
    _, one, better = (claim.judge for claim in experiments.SCHEDULES.claims)
    figures = {"short_single": runs(40, 100), "short_multi": runs(40, 180)}
    turned = {"short_single": figures["short_multi"], "short_multi": figures["short_single"]}
    assert (one(figures)[0], better(figures)[0], better(turned)[0]) == ("shown", "shown", "not shown")
    assert one({**figures, "short_multi": runs(40, 180, games=900)})[0] == "not shown"
    assert better({**figures, "short_multi": runs(40, 101)})[0] == "not decided"


def test_claims_of_the_options():
    helps, goal, stretch = (claim.judge for claim in options.OPTIONS_PART.claims)
    least = permutation_p([1.0] * 5, [0.0] * 5)
    assert least * (len(learners.OPTIONS) - 1) < LEVEL, "an option could not be told from the plain learner"
    figures = {f"options_{name}": runs(40, 100) for name in learners.OPTIONS}
    other = next(name for name in learners.OPTIONS if name != options.PLAIN)
    assert helps(figures)[0] == "not decided"
    assert helps({**figures, f"options_{other}": runs(40, 180)})[0] == "shown"
    speeds = {"speeds": [{"speeds": {name: 100.0 + k for k, name in enumerate(learners.OPTIONS)}}]}
    chosen = options.best_chosen({**figures, **speeds, f"options_{other}": runs(40, 180)})
    assert (chosen[1]["option"], chosen[1]["speed"]) == (other, speeds["speeds"][0]["speeds"][other])
    assert options.best_chosen({**speeds, f"options_{other}": runs(40, 180)}) == {}
    for last, found in ((150, ["not shown"] * 2), (217, ["not decided"] * 2), (235, ["shown"] * 2)):
        best = {"best": [{**one, "option": other} for one in runs(40, last)]}
        assert [goal(best)[0], stretch(best)[0]] == found, last


# ---------------------------------------------------------------- the page


def test_the_page_is_made_of_the_committed_figures(tmp_path):
    for path, text in docs.make_pages(DOCS).items():
        assert path.read_text(encoding="utf-8") == text, "boardgym reproduce othello-q --docs docs"
    found = docs.FIGURES.read_figures(DOCS)
    assert set(found["parts"]) == set(study.PARTS)
    shutil.copytree(DOCS / docs.FIGURES.data, tmp_path / docs.FIGURES.data)
    path = docs.FIGURES.path_of(tmp_path, "single")
    path.write_text(path.read_text().replace('"single": "', '"single": "0'))
    with pytest.raises(SpecError, match="of other settings than those of this version"):
        docs.FIGURES.read_figures(tmp_path)
