"""Method I of the Abalearn study under twelve readings: the design, what is chosen, verdicts by hand, a small run."""

import itertools
from collections import Counter

from boardgym.baselines.learning.td.config import NetworkConfig, check_settings, make_net, phase_of, set_input_weights
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.core.game import get_game, read_options
from boardgym.studies.abalearn import method_i, plans
from boardgym.studies.jobs import Place

NUMBERS = range(1, 13)
LIKE_PRINTED = {0: 0, **method_i.PRINTED}


def result(seed, reading, ahead, finished=0.5):
    """Of `trained`: percent ahead of each player after the games of training."""

    def test(rate):
        return {"games": 100, "ahead": rate, "won": 0}

    samples = [{"games": games, "finished": finished, **dict.fromkeys(method_i.OFF_BOARD, test(ahead[games]))}
               for games in method_i.POINTS]  # fmt: skip
    return {"seed": seed, "reading": reading, "samples": samples}


def test_the_design_is_balanced():
    """Each level six times, each pair of levels of two factors three times; the last point is the most literal one."""
    points = [method_i.point(number) for number in NUMBERS]
    for factor, levels in method_i.FACTORS.items():
        assert Counter(reading[factor] for reading in points) == dict.fromkeys(levels, 6)
    for one, other in itertools.combinations(method_i.FACTORS, 2):
        assert {*Counter((reading[one], reading[other]) for reading in points).values()} == {3}
    assert points[-1] == method_i.LITERAL
    assert method_i.differences(points[-1]) == "none"


def test_every_point_is_a_training_that_can_be_had():
    seen = set()
    for number in NUMBERS:
        (config,) = method_i.plan_of(method_i.point(number)).stages
        game = get_game(config.game, **read_options(config.option))
        check_settings(config, game)
        features = feature_map(config.features, game)
        phase_of(config, features)
        net = make_net(config, features)
        set_input_weights(config.input_weights, features, net)
        has_start = method_i.point(number)["first weights"] != "±0.01"
        assert net.weights.reshape(-1)[21:24].tolist() == [1.5 * has_start] * 3  # of the eighth input into three hidden units
        assert (config.opponent, config.episodes, config.trace_decay) == ("random", 1000, "0.7")
        seen.add(config)
    assert len(seen) == 12
    assert (
        method_i.plan_of(method_i.LITERAL).stages
        == plans.PLANS["I_lambda_0.3"]._replace(stages=plans.classical(plans.ESPACIAL, "0.7", 1000)).stages
    )


def test_the_nearest_point_is_chosen_and_judged_by_its_test():
    points = [result(number, method_i.point(number), dict.fromkeys(method_i.POINTS, number)) for number in NUMBERS]
    assert method_i.nearest_reading({"search": points[:-1]}) is None
    points[4] = result(5, method_i.point(5), {**LIKE_PRINTED, 1000: 57})
    for sample in points[4]["samples"]:
        sample["wary"] = {"games": 100, "ahead": LIKE_PRINTED[sample["games"]], "won": 0}
    figures = {"search": points}
    assert method_i.nearest_reading(figures) == method_i.point(5)
    assert method_i.judged_by(figures) == ("wary", "ahead")
    assert method_i.nearest_test(points[0]) == ((35 + 41 + 49 + 61) / 4 - 1, "test", "ahead")
    figures["nearest"] = [result(seed, method_i.point(5), LIKE_PRINTED) for seed in NUMBERS]
    figures["literal"] = [result(seed, method_i.LITERAL, dict.fromkeys(method_i.POINTS, 1)) for seed in NUMBERS]
    figures["started"] = [result(seed, method_i.STARTED, dict.fromkeys(method_i.POINTS, 2)) for seed in NUMBERS]
    verdicts = [claim.judge(figures) for claim in method_i.PART.claims]
    assert [verdict for verdict, _ in verdicts] == ["shown", "not shown", "not shown", "shown"]
    assert "ahead, off_board 4.5: after 10 games 35.0 ± 0.0 %, printed 35 [26, 45]" in verdicts[0][1]
    few = {**figures, "nearest": figures["nearest"][:5]}
    assert method_i.fits("nearest", few)[0] == "not decided"
    page = "\n".join(method_i.page(figures))
    assert page.index("| 5 | first weights: other pushed off 1.5, ") < page.index("| 12 | none |")
    assert "| the nearest one | 12 | 35.0 ± 0.0 | 41.0 ± 0.0 | 49.0 ± 0.0 | 61.0 ± 0.0 |" in page


def test_a_small_run(monkeypatch, tmp_path):
    """With a quick training in the place of each reading's: what is kept, and that a seed gives the same again."""
    plan = plans.Plan((NetworkConfig(episodes=1000),), method_i.POINTS)
    monkeypatch.setattr(method_i, "plan_of", lambda reading: plan)
    place = Place(tmp_path, lambda done: None)
    first, again, other = (method_i.search(place, number, 0.004) for number in (3, 3, 4))
    assert first == again
    assert (first["reading"], other["reading"]) == (method_i.point(3), method_i.point(4))
    assert first["samples"] != other["samples"]
    assert [sample["games"] for sample in first["samples"]] == [*method_i.POINTS]
    chosen = method_i.train_nearest(place, 1, 0.004, method_i.point(3))
    assert chosen["samples"] != first["samples"]
    assert all(sample[test]["games"] == 2 for sample in chosen["samples"] for test in method_i.OFF_BOARD)
