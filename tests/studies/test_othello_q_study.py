"""The rerun of the Othello study: a tiny rerun that is cut short, verdicts, the committed page."""

import dataclasses
import itertools
import json
import shutil

import pytest

from boardgym.baselines.learning.learner import values_kernel
from boardgym.baselines.learning.q_network.agent import load_q_network_agent
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.cli import main
from boardgym.commands.reproduce import OthelloQ
from boardgym.core.errors import BoardgymError, OptionError, SpecError
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q import (
    docs,
    experiments,
    learners,
    mean,
    measuring,
    networks,
    options,
    others,
    plans,
    rules,
    study,
)
from boardgym.studies.othello_q.measuring import CELLS
from boardgym.studies.uct_ccnn.judging import permutation_p
from boardgym.studies.verdicts import LEVEL
from tests.support import ROOT

DOCS = ROOT / "docs"
TINY = dataclasses.replace(
    plans.PLANS["small"],
    single=plans.TrainingPlan(games=200, runs=1),
    short=plans.TrainingPlan(games=300, runs=2),
    mean=plans.TrainingPlan(games=120, runs=1),
    wider=plans.TrainingPlan(games=120, runs=1),
    options=dataclasses.replace(plans.PLANS["small"].options, pilot=0.02),
    others=plans.OthersPlan(episodes=100, runs=0),  # a learner of another package, slow to compile
    positions=20,
)


@pytest.fixture
def tiny(monkeypatch):
    """Little of everything, and a measure of few games."""
    monkeypatch.setitem(plans.PLANS, "small", TINY)
    monkeypatch.setattr(measuring, "NUM_OPENINGS", 4)
    monkeypatch.setattr(networks, "PARTNERS", ("random", "positional"))  # whose kernels other tests need too


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


def test_the_hours_are_the_same_everywhere():
    text = (DOCS / docs.PAGES[0]).read_text(encoding="utf-8")
    for size in plans.PLANS:
        hours = f"{plans.hours_text(size)} core hours"
        assert hours in " ".join((study.Settings.__doc__ or "").split())
        assert any(hours in line and (size in line or size == "small") for line in OthelloQ.EXAMPLES)
        assert any(hours in line and (size in line or size == "small") for line in text.partition("```sh")[2].splitlines()[:4])
    assert len(learners.OPTIONS) == plans.NUM_OPTIONS


def test_seeds_of_trainings_are_of_nothing_else():
    """Those of the numbers that trainings have, and of all else."""
    trainings = {
        plans.seed_of(seed, k)
        for seed in [*range(1, 21), *range(101, 121), *range(201, 221), *range(301, 321)]
        for k in range(12)
    }
    others_seeds = {plans.seed_of(first, k) for first in range(1001, 1008) for k in range(12)}
    assert len(trainings) == 80 * 12
    assert not trainings & others_seeds


def judged_when_written(folder, part, figures):
    """The verdicts of a part by its file in the repository's documentation."""
    measured = {"seconds": 1.0, "sources": "x"}
    whole = {
        k: [{"seed": n, **measured, **one} for n, one in enumerate(ones)] for k, ones in figures.items() if k in part.works
    }
    docs.FIGURES.write_part(folder, part, "small", whole)
    found = docs.FIGURES.read_part(folder, part)
    return [line[2] for line in part.judge({**figures, **found.figures}, 1.0)]


@pytest.mark.plain(only=(values_kernel,))
def test_networks_schedule_and_files(tiny, tmp_path):
    """Claims 2, 3 and 8 as they are decided; and each refuted by a figure that is wrong."""
    figures = {kind: [work.run(place_in(tmp_path), 0, "small")] for kind, work in networks.NETWORKS.works.items()}
    assert [claim.judge(figures)[0] for claim in networks.NETWORKS.claims] == ["shown", "shown", "shown"]
    assert figures["schedule"][0]["temperatures"][2] < plans.LEAST_TEMPERATURE == pytest.approx(0.002)
    assert judged_when_written(tmp_path, networks.NETWORKS, figures) == ["shown", "shown", "shown"]
    wrong = json.loads(json.dumps(figures))
    wrong["networks"][0]["networks"]["multi"]["weights"] += 1
    wrong["schedule"][0]["alike"] = [True, True]
    wrong["files"][0]["forfeits"] = 1
    assert [claim.judge(wrong)[0] for claim in networks.NETWORKS.claims] == ["not shown", "not shown", "not shown"]


# ---------------------------------------------------------------- trainings


def test_a_training_goes_on_where_it_was_cut_short(tiny, tmp_path):
    """In the middle of a part, and between parts: the same figures as without, and the same agent."""
    whole = experiments.trains("single")(place_in(tmp_path / "whole"), 1, "small")
    assert [point["games"] for point in whole["checkpoints"]] == list(range(0, 201, 20))
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


@pytest.mark.parametrize("kind", mean.SEEDS_FROM)
def test_the_temperature_of_the_mean_stays_where_it_is(tiny, tmp_path, kind):
    """And its agent has the mean of the weights."""
    found = mean.trains(kind)(place_in(tmp_path), 1, "small")
    temperatures = [round(point["temperature"], 4) for point in found["checkpoints"]]
    assert temperatures[:2] == [1.0, round(0.05 ** (12 / 40), 4)]
    assert set(temperatures[4:]) == {0.05}
    agent = load_q_network_agent(tmp_path / "agents" / f"small-{kind}-{mean.SEEDS_FROM[kind] + 1}.safetensors")
    training = QNetwork(learners.config_of("single", 120, mean.SEEDS_FROM[kind] + 1, **mean.options_of(kind, 120)))
    training.play_to(120)
    assert agent.statistics() == training.agent().statistics()
    assert training.mean.count == 60


def test_options_get_the_games_of_their_time(tiny, tmp_path):
    """And the best one other seeds than those that it was chosen by."""
    for name in ("plain", "full-target"):  # whose kernels other tests need too
        assert options.measures_speed(name)(place_in(tmp_path / "speed"), 0, "small")["speed"] > 100
    chosen = {"speed": 100.0}
    one = options.trains("one-network")(place_in(tmp_path / "one"), 1, "small", chosen)
    assert (one["games"], [point["games"] for point in one["checkpoints"]]) == (400, [0, 400])
    best = options.trains_best(place_in(tmp_path / "best"), 1, "small", {"option": "plain", **chosen})
    assert (best["option"], best["games"], len(best["checkpoints"])) == ("plain", 800, 11)
    assert (tmp_path / "best" / "agents" / "small-best-101.safetensors").exists()


def test_the_command(tiny, tmp_path, monkeypatch, capsys):
    """Parts with work of several kinds, agents that are given, the JSON; the second time nothing is done anew."""
    monkeypatch.setattr(others, "PLAYERS", ("random", "positional"))
    words = ["reproduce", "othello-q", "--part", "rules", "others", "--out", str(tmp_path)]
    assert main([*words, "--agent", "rim=greedy:evaluation=positional", "a 1=random"]) == 0
    told = capsys.readouterr().out
    assert (tmp_path / "report-small.md").read_text() == told[:-1]
    assert "| a 1 | 1 |" in told
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "jobs").iterdir() if path.suffix == ".json"}
    assert len(before) == 5
    assert main([*words, "--json", "--agent", "a 1=random", "rim=greedy:evaluation=positional"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in found["parts"]["others"]["given_agents"]] == ["a 1", "rim"]
    assert {line["claim"] for line in found["verdicts"]} == {1, 4}
    assert main([*words, "--agent", "rim=greedy:evaluation=positional"]) == 0  # and without one of them
    assert "a 1" not in capsys.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "jobs").iterdir() if path.suffix == ".json"} == before


def test_agents_that_cannot_be_measured(tmp_path, capsys):
    """Each is refused before any work."""
    cases = (
        (["positional"], "expected NAME=SPEC"),
        (["a=random", "a=greedy"], "each name once"),
        (["a|b=random"], "letters, digits"),
        (["Random=greedy"], "a row that is there without it"),
        (["single-nn=greedy"], "a row that is there without it"),
        (["a=nobody:3"], "no policy is called 'nobody'"),
        (["a=epsilon:0.1(human)"], "a human cannot be measured"),
        ([f"a=file:{tmp_path / 'none'}"], "no file"),
        ([f"a=epsilon:0.1(file:{tmp_path / 'none'})"], "no file"),
        ([f"a=file:{tmp_path}"], "not an agent"),
        ([f"a=file:{'x' * 5000}"], "File name too long"),
    )
    for agent, message in cases:
        with pytest.raises(BoardgymError, match=message):
            study.reproduce(study.Settings(agent=tuple(agent), out=tmp_path / "out"))
    with pytest.raises(OptionError, match="in the part 'others'"):
        study.reproduce(study.Settings(part=("rules",), agent=("a=random",), out=tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    assert main(["reproduce", "othello-q", "--agent", "x"]) == 2
    assert "expected NAME=SPEC" in capsys.readouterr().err
    assert main(["reproduce", "othello-q", "--part", "sngle"]) == 2
    assert "did you mean 'single'?" in capsys.readouterr().err


def test_the_seed_of_an_agent_is_made_of_its_files(tmp_path):
    """Also of those that a spec within its spec names; not of where it stands in the list."""
    path = tmp_path / "agent"
    path.write_bytes(b"one")
    texts = [f"a=epsilon:0.1(file:{path})", f"b=file:{path}", "c=random"]
    first = {one["name"]: one["seed"] for one in others.agents_of(texts, False)}
    assert {one["name"]: one["seed"] for one in others.agents_of(texts[::-1], False)} == first
    path.write_bytes(b"two")
    then = {one["name"]: one["seed"] for one in others.agents_of(texts, False)}
    assert [then[name] == first[name] for name in "abc"] == [False, False, True]
    assert others.agents_of(["c=greedy"], False)[0]["seed"] != first["c"]


# ---------------------------------------------------------------- verdicts on made-up figures


def counts(won, drawn=0):
    return {"won": won, "drawn": drawn, "lost": 244 - won - drawn, "forfeits": 0}


def training(seed, first, last, games=1000, points=11, step=1, seconds=60.0):
    """Shares that rise from first to last, the same against both players, and differ by step between seeds."""
    shares = [first + (last - first) * k / (points - 1) + step * seed for k in range(points)]
    checkpoints = [
        {"games": k, "temperature": 0.0, "measured": {p: {s: counts(round(w)) for s in plans.SEATS} for p in plans.PLAYERS}}
        for k, w in enumerate(shares)
    ]
    factor = plans.factor_for(games)
    times = {"training_seconds": seconds, "games_a_second": games / seconds}
    return {"seed": seed, "games": games, "factor": factor, "switch": 9, "checkpoints": checkpoints, **times}


def runs(first, last, count=6, **more):
    return [training(seed, first, last, **more) for seed in range(1, count + 1)]


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
    better = experiments.SCHEDULES.claims[-1].judge
    figures = {"short_single": runs(40, 100), "short_multi": runs(40, 180)}
    turned = {"short_single": figures["short_multi"], "short_multi": figures["short_single"]}
    assert (better(figures)[0], better(turned)[0]) == ("shown", "not shown")
    assert better({**figures, "short_multi": runs(40, 180, games=900)})[0] == "not decided"
    assert better({**figures, "short_multi": runs(40, 101)})[0] == "not decided"


def test_options_can_be_told_from_the_plain_learner():
    """By as many trainings as the sizes that decide have: even if two of them are in the wrong order."""
    for size in ("medium", "page"):
        one, overlap = [0.0] * plans.PLANS[size].options.runs, [1.0] * plans.PLANS[size].options.runs
        overlap[0], one[0] = 0.4, 0.6
        assert permutation_p(overlap, one) * (len(learners.OPTIONS) - 1) < LEVEL


def test_claims_of_the_options():
    helps, goal, stretch = (claim.judge for claim in options.OPTIONS_PART.claims)
    figures = {f"options_{name}": runs(40, 100) for name in learners.OPTIONS}
    other = next(name for name in learners.OPTIONS if name != options.PLAIN)
    kind = f"options_{other}"
    assert helps(figures)[0] == "not shown"  # by intervals without a gain of three points
    assert helps({**figures, kind: runs(40, 60, step=5)})[0] == "not shown"  # significantly worse
    assert helps({**figures, kind: runs(5, 70, step=10)})[0] == "not decided"
    assert helps({**figures, kind: runs(40, 100, count=2)})[0] == "not decided"
    assert helps({**figures, kind: runs(40, 180)})[0] == "shown"
    for seconds in (56.0, 64.0):  # of another time than the plain learner's
        assert helps({**figures, kind: runs(40, 180, seconds=seconds)})[0] == "not decided"
        assert helps({**figures, kind: runs(40, 60, seconds=seconds)})[0] == "not decided"
    speeds = {f"speed_{name}": [{"speed": 100.0 + k}] for k, name in enumerate(learners.OPTIONS)}
    chosen = options.best_chosen({**figures, **speeds, kind: runs(40, 180)})
    assert (chosen[1]["option"], chosen[1]["speed"]) == (other, speeds[f"speed_{other}"][0]["speed"])
    assert options.best_chosen({**speeds, kind: runs(40, 180)}) == {}
    ahead = {**figures, **speeds, kind: runs(40, 180), f"options_{options.PLAIN}": runs(40, 230)}
    assert options.best_chosen(ahead) == chosen  # the plain learner's long trainings are other ones
    for last, found in ((150, ["not shown"] * 2), (217, ["not decided"] * 2), (230, ["shown"] * 2)):
        best = {"best": [{**one, "option": other} for one in runs(40, last)]}
        assert [goal(best)[0], stretch(best)[0]] == found, last
        for part in (mean.MEAN, mean.WIDER):
            assert [claim.judge({part.name: best["best"]})[0] for claim in part.claims] == found, last


def test_files_of_figures_keep_every_verdict(tmp_path):
    """Figures are judged as they are, not as they are printed: before a file is written and after it is read."""
    for first, last in itertools.product((40, 113), (60, 116, 235)):
        trained = runs(first, last, games=plans.FULL_GAMES)
        figures = dict.fromkeys(("single", "multi", "short_single"), trained) | {"short_multi": runs(40, 180, games=12_499_999)}
        figures |= {f"options_{name}": runs(40, 100 + k, seconds=60 + k) for k, name in enumerate(learners.OPTIONS)}
        figures |= {"best": [{**one, "option": "plain"} for one in trained], "mean": trained, "wider": trained}
        trainings = (experiments.SINGLE, experiments.MULTI, experiments.SCHEDULES)
        for part in (*trainings, options.OPTIONS_PART, mean.MEAN, mean.WIDER):
            before = [line[2] for line in part.judge(figures, 1.0)]
            assert judged_when_written(tmp_path, part, figures) == before, part.name
        assert "b = 0.9999995," in "\n".join(experiments.SINGLE.lines(figures))
    found = docs.FIGURES.read_part(tmp_path, experiments.SCHEDULES).figures
    assert len(experiments.schedules_of(found)) == 2  # which differ in the seventh digit of the games, the 14th of b
    ties = {name: {"positions": 1, "agree": 1, "endgames": 1, "ties": [0.04999999]} for name in plans.PLAYERS}
    assert judged_when_written(tmp_path, rules.RULES, {"players": [{"players": ties}]})[2] == "not shown"


# ---------------------------------------------------------------- the page


def test_the_page_is_made_of_the_committed_figures(tmp_path):
    for path, text in docs.make_pages(DOCS).items():
        assert path.read_text(encoding="utf-8") == text, "boardgym reproduce othello-q --docs docs"
    found = docs.FIGURES.read_figures(DOCS)
    missing = {*study.PARTS} - {*found["parts"]}
    assert missing <= {"multi", "schedules", "others", "options", "mean", "wider"}  # of the page size, still to be run
    assert text.count("\nNot done.\n") == len(missing)
    shutil.copytree(DOCS / docs.FIGURES.data, tmp_path / docs.FIGURES.data)
    path = docs.FIGURES.path_of(tmp_path, "single")
    path.write_text(path.read_text().replace('"single": "', '"single": "0'))
    with pytest.raises(SpecError, match="of other settings than those of this version"):
        docs.FIGURES.read_figures(tmp_path)
