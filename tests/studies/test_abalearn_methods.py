"""The Abalearn study's methods: what plans say, figures and verdicts by hand, small runs of the parts."""

import dataclasses

import numpy as np
import pytest

from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.baselines.networks import perceptron as pn
from boardgym.cli import main
from boardgym.core.game import get_game
from boardgym.studies.abalearn import depth, methods, nets, plans, signs
from boardgym.studies.abalearn import methods_figures as mf
from boardgym.studies.abalearn import protocol as pl
from boardgym.studies.abalearn.methods_pictures import PERCENT, band
from boardgym.studies.abalearn.readings import PRESET
from boardgym.studies.pages import quiet_pyplot
from boardgym.studies.parts import spread


def result(ahead, level=0, games=10, **more):
    """Of `protocol.play`."""
    counts = {"games": games, "ahead": ahead, "level": level, "behind": games - ahead - level}
    return {**counts, "won": 0, "drawn": games, "lost": 0, "pushed": 1.0, "gone": 2.0, "plies": 50.0, **more}


def sample(games, ahead=None, finished=0.5, plies=100.0, weights=None, sums=None):
    """Of `plans.follow`."""
    tests = {} if ahead is None else {"test": result(ahead), "mindful": result(0), "wary": result(0)}
    return {
        "games": games,
        "finished": finished,
        "ahead": 0.1,
        "behind": 0.1,
        "pushed": 1.0,
        "gone": 1.0,
        "plies": plies,
        "epsilon": 0.0,
        "weights": weights or {},
        "sums": sums or {},
        **tests,
    }


def trainings(*by_seed):
    """Figures of a kind."""
    return [{"seed": seed, "samples": samples} for seed, samples in enumerate(by_seed, 1)]


def test_plans_are_those_of_the_study():
    assert dataclasses.replace(PRESET, kappa="0") == plans.READING
    stages = plans.PLANS["I"].stages
    assert [(s.opponent, s.episodes, s.features, s.hidden, s.kappa, s.epsilon, s.trace_decay) for s in stages] == [
        ("random", 1000, "espacial", (3,), "0", "0", "0.7"),
        ("self", 2000, "espacial", (3,), "0", "0", "0.7"),
    ]
    assert {(s.chooses_by, s.values_of, s.input_weights) for s in stages} == {("value", "states", ())}
    (method,) = plans.PLANS["II_kappa_-1"].stages
    assert (method.opponent, method.kappa, method.epsilon, method.hidden) == ("self", "-1", "geometric(0.9, 0.99)", (10,))
    assert plans.PLANS["I_expert"].stages[1].opponent == f"epsilon:0.1({plans.MINIMAX})"
    assert plans.PLANS["I_expert"].stages[0] == stages[0]
    assert method == PRESET
    assert {kind: plan.games for kind, plan in plans.PLANS.items() if "_kappa" in kind} == {
        "II_kappa_-1": 3000,
        "II_kappa_-0.8": 3000,
        "II_kappa_0": 1000,
        "II_kappa_-0.3": 1000,
    }
    assert all(plans.PLANS[kind].tested[0] == 0 for kind in ("I", "II_kappa_-1"))  # the untrained nets
    for kind, plan in plans.PLANS.items():
        assert {*plan.tested} <= {*methods.points_of(kind)}
        assert max(methods.points_of(kind)) <= plan.games


def test_figures_by_hand():
    runs = trainings([sample(10, 1), sample(20, finished=0.2), sample(40, 3, finished=0.8)], [sample(10, 2), sample(40, 4)])
    figures = {"I": runs, "Ia": runs[1:]}
    assert mf.rate_of(figures, "I", 40) == {1: 0.3, 2: 0.4}
    assert mf.between(runs[0]["samples"], "finished", 10, 40) == pytest.approx((10 * 0.2 + 20 * 0.8) / 30)
    assert mf.between(runs[0]["samples"], "finished", 40, 50) == 0.0
    assert mf.paired(mf.rate_of(figures, "I", 40), mf.rate_of(figures, "Ia", 10)) == ([0.4], [0.2])
    assert mf.marbles_of(figures, "I", 10, "gone") == {1: 2.0, 2: 2.0}
    games, values = mf.curve(
        {"I": trainings([sample(10, 1), sample(20)], [sample(10, 2), sample(20)])},
        "I",
        lambda each: each.get("test", {}).get("ahead"),
    )
    assert (games, values) == ([10], [[1.0, 2.0]])
    assert mf.curve({"I": trainings([sample(0, 1), sample(10, 2)])}, "I", lambda each: each["test"]["ahead"]) == ([10], [[2.0]])
    assert mf.rate_of(figures, "I", 10, test="mindful") == {1: 0.0, 2: 0.0}


def test_verdicts_are_over_the_seeds():
    high, low = ([sample(500, ahead), sample(1000, ahead)] for ahead in (9, 5))
    figures = {"Ia": trainings(*[high] * 10), "I": trainings(*[low] * 10)}
    verdict, text = methods.above([("Ia", 1000, "I", 1000)])(figures)
    assert verdict == "shown"
    assert "method I(a) at 1,000 less method I, lambda 0.7 at 1,000: +40.0, 10 pairs for and 0 against" in text
    assert methods.above([("Ia", 1000, "I", 1000), ("I", 500, "Ia", 500)])(figures)[0] == "not shown"
    assert methods.above([("I", 1000, "I", 500)])(figures)[0] == "not decided"


def test_kappa_and_weights_by_hand():
    steps = {"0": (0.1, 400.0), "-0.3": (0.2, 300.0), "-0.8": (0.6, 200.0), "-1": (0.9, 60.0)}
    sums = {"0": (0.0, 0.01), "-0.3": (0.0, 0.0), "-0.8": (0.0, 0.0), "-1": (0.02, 0.3)}
    figures = {}
    for kappa, (finished, plies) in steps.items():
        early = {"material": sums[kappa][0]}
        late = {"material": sums[kappa][1], "protected": 0.2, plans.DISTANCE: 0.1 if kappa == "0" else 0.3}
        turned = [{name: -value for name, value in each.items()} for each in (early, late)]  # output weights below 0
        samples = [
            sample(10, weights=turned[0], sums=early),
            sample(1000, finished=finished, plies=plies, weights=turned[1], sums=late),
        ]
        figures[f"II_kappa_{kappa}"] = trainings(*[samples] * 10)
    assert methods.risk_shortens(figures)[0] == "shown"
    verdict, text = methods.material_rises(figures)
    assert (verdict, text.count("rise at kappa -1")) == ("shown", 2)
    assert "sum of w v: rise at kappa -1: +0.280, 10 pairs" in text
    assert "the mean w beside it (not shown): rise at kappa -1: -0.280, 0 pairs" in text
    assert methods.protection_leads(figures)[0] == "shown"
    assert mf.weight_of(figures, "II_kappa_-1", "material", 1000)[1] == 0.3
    assert mf.weight_of(figures, "II_kappa_-1", "material", 1000, "weights")[1] == -0.3
    figures["II_kappa_-0.8"] = figures["II_kappa_-1"]
    assert methods.risk_shortens(figures)[0] == "not decided"
    assert methods.material_rises({**figures, "II_kappa_0": figures["II_kappa_-1"]})[0] == "not decided"


def test_bands_end_where_shares_do():
    figure, axis = quiet_pyplot().subplots()
    band(axis, [1, 2], [[0.0, 50.0, 100.0]] * 2, "one", "tab:blue", PERCENT)
    heights = axis.collections[0].get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (0.0, 100.0)
    quiet_pyplot().close(figure)


def test_nets_are_scored_with_half_of_what_is_level():
    assert nets.score(result(4, 2)) == 0.5
    samples = [
        {"games": games, **{str(k): result(8 if games > k else 2) for k in nets.REFERENCES if k != games}}
        for games in nets.POINTS
    ]
    figures = {"nets": trainings(*[samples] * 10)}
    assert nets.later_beat(figures)[0] == "shown"
    assert nets.easiest(figures)[0] == "not decided"  # all alike
    assert "| 2,750 | 80.0 ± 0.0 | 80.0 ± 0.0 | - |" in nets.page(figures)
    assert f"{10 * 10 * (3 * len(nets.POINTS) - 3):,} games" in nets.page(figures)[0]


def test_depths_are_judged_by_marbles():
    won = {match.name: result(2, games=2, pushed=5.0, gone=1.0) for match in depth.PRINTED}
    lost = {**won, "1 terminator 5": result(0, games=2, pushed=0.0, gone=3.0)}
    figures = {"II_kappa_-1": [{"seed": seed, "matches": lost} for seed in range(1, 11)]}
    assert depth.beats("II_kappa_-1", (0,), 1.0)(figures)[0] == "shown"
    verdict, text = depth.beats("II_kappa_-1", (3, 4), -1.0)(figures)
    assert verdict == "not shown"
    assert "depth 1 against terminator at depth 5, deficit in marbles: +3.00" in text
    assert "| method II, kappa -1, depth 1 | 5 | 2-6 | 0.00 ± 0.00 | 3.00 ± 0.00 | 50 ± 0 | 0-0-20 | 0-20-0 |" in depth.page(
        figures
    )


class Place:
    """Where a job works, as far as these jobs want it."""

    def __init__(self):
        self.told = []

    def tell(self, done):
        self.told.append(done)


@pytest.fixture
def quick(monkeypatch):
    """Games that the rules end, and nets whose kernels other tests have compiled, for all plans that are run here."""
    for kind in ("I", "II_kappa_-1"):
        stages = (NetworkConfig(episodes=plans.PLANS[kind].games),)
        monkeypatch.setitem(plans.PLANS, kind, plans.PLANS[kind]._replace(stages=stages))


def test_a_small_training_is_the_same_again_and_tested_where_the_plan_says(quick):
    place = Place()
    first, again, other = (methods.train_and_test("II_kappa_-1", place, seed, 0.002) for seed in (1, 1, 2))
    assert first == again != other
    samples = {each["games"]: each for each in first["samples"]}
    assert [*samples] == methods.points_of("II_kappa_-1")
    assert samples[0]["plies"] is None
    for games in (0, 3000):
        assert samples[games]["test"]["games"] == samples[games]["mindful"]["games"] == 2
    assert "test" not in samples[950]
    assert max(place.told) == len(samples)


def test_a_small_run_of_nets_and_depths(quick, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(nets, "POINTS", (10, 250, 1000, 2750, 3000))
    assert main(["reproduce", "abalearn", "--part", "nets", "--size", "0.002", "--seeds", "1", "--out", str(tmp_path)]) == 0
    page = capsys.readouterr().out
    assert "| 3,000 | " in page
    assert "later nets beat each of the references" in page
    assert (tmp_path / "nets-0.002_scores.png").read_bytes().startswith(b"\x89PNG")
    found = depth.matches("I", Place(), 1, 0.002)["matches"]["1 minimax 4"]
    assert found["games"] == found["ahead"] + found["level"] + found["behind"] == 1
    assert found["plies"] <= depth.PLIES["minimax"]


def test_matches_have_the_usual_draws():
    """By which the stand-in avoids to repeat; nets were taught without, and play in both."""
    game = get_game("Abalone-v0", **depth.OPTIONS)
    trainer = NetworkTrainer(plans.PLANS["II_kappa_-1"].stages[0])
    assert trainer.game.token.name != game.token.name
    for spec in depth.SPECS.values():
        assert pl.opponent(spec.format(1), game).game is game
    for own in (1, 3):
        assert pl.frozen(trainer.agent, depth=own, game=game).game is game
        assert pl.frozen(trainer.agent, depth=own).game is trainer.game


def test_first_weights_turned_round():
    """V by the lead alone, and the verdict over the seeds."""
    assert {plan.stages[0].input_weights for plan in signs.PLANS.values()} == {("material=1.5",), ("material=-1.5",)}
    trainer = NetworkTrainer(NetworkConfig(features="differences", input_weights=("material=1.5",), weight_span=0.0))
    assert signs.values_of(trainer.agent) == [0.5, 0.5, 0.5]  # all but these weights are 0
    pn.layers_of(trainer.agent.net)[1][0, 0] = 1.0  # of one of the ten hidden units
    hidden = 1.0 / (1.0 + np.exp(-1.5 * np.array(signs.LEADS) / 6))
    assert signs.values_of(trainer.agent) == pytest.approx(1.0 / (1.0 + np.exp(-hidden)))
    figures = {}
    for kappa, ahead in (("0", 9), ("-1", 0)):
        samples = [{**sample(games, ahead), "values": [0.1, 0.2, 0.3]} for games in signs.POINTS]
        figures[signs.kind_of("-1.5", kappa)] = trainings(*[samples] * 6)
    turned = [claim for claim in signs.PART.claims if "first weight -1.5" in claim.text]
    assert [claim.text.partition(":")[0] for claim in turned] == ["off_board 0", "off_board 4.5", "off_board 5"]
    assert [claim.judge(figures)[0] for claim in turned] == ["shown", "not decided", "not decided"]
    assert signs.is_above("-1.5", "-1", "0", "test", figures)[0] == "not shown"
    columns = [f"ahead of `{plans.PLAYERS[test]}`" for test in ("test", "wary", "mindful")]
    assert ", % | ".join(columns) in "\n".join(signs.page(figures))
    row = "| -1.5 | 0 | 250 | 0.1000 ± 0.0000 | 0.2000 ± 0.0000 | 0.3000 ± 0.0000 | 90.0 ± 0.0 | 0.0 ± 0.0 | 0.0 ± 0.0 |"
    assert row in signs.page(figures)


def test_pages_without_results_say_nothing():
    for part in (methods, nets, depth, signs):
        assert not [line for line in part.PART.lines({}) if line.startswith("|")]
    assert spread([0.0] * 3) == "0.00 ± 0.00"
