"""The search over readings of the Abalearn study: its design, what its figures say, a small run."""

import shlex
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import tyro

from boardgym.baselines.learning.td.config import check_settings, make_net, phase_of, set_input_weights
from boardgym.baselines.learning.td.presets import PRESETS
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.commands.network import TrainNetwork, defaults
from boardgym.core.game import get_game, read_options
from boardgym.studies.abalearn import readings, study
from boardgym.studies.abalearn import readings_effects as fx
from boardgym.studies.abalearn import readings_search as rd
from boardgym.studies.jobs import Place
from boardgym.studies.parts import half_width

POINTS = [rd.point(number) for number in range(1, rd.BLOCKS * rd.BLOCK + 1)]


def result(number, reading, rate):
    """What a point says whose nets win rate(kappa, games) of 100 games, whoever they play, and lose the others."""
    nets = {}
    for kappa in rd.SEARCHED:
        samples = []
        for games in rd.POINTS:
            won = round(100 * rate(kappa, games))
            test = {"games": 100, "won": won, "lost": 100 - won, "ahead": won, "behind": 100 - won}
            samples.append({"games": games, "finished": 0.5, "plies": 100.0 * (1 - kappa),
                            "tests": dict.fromkeys(rd.PLAYERS, test)})  # fmt: skip
        nets[f"{kappa:g}"] = samples
    return {"seed": number, "reading": reading, "nets": nets}


def test_blocks_are_balanced():
    """Each level equally often in each block; pairs of levels of two factors never far from it, in all blocks together."""
    for first in range(0, len(POINTS), rd.BLOCK):
        for factor, levels in rd.FACTORS.items():
            counts = Counter(reading[factor] for reading in POINTS[first : first + rd.BLOCK])
            assert [counts[level] for level in levels] == [rd.BLOCK // len(levels)] * len(levels)
    assert len({tuple(reading.values()) for reading in POINTS}) == len(POINTS)
    for one in rd.FACTORS:
        for other in rd.FACTORS:
            pairs = Counter((reading[one], reading[other]) for reading in POINTS)
            fair = len(POINTS) / len(rd.FACTORS[one]) / len(rd.FACTORS[other])
            most = fair / 2 if len(rd.FACTORS[one]) == len(rd.FACTORS[other]) == 2 else fair
            assert one == other or max(abs(count - fair) for count in pairs.values()) <= most
    assert rd.imbalance(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1])) == 4.0
    assert rd.imbalance(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])) == 0.0


def test_every_level_is_a_training_of_its_own():
    literal = rd.config_of(rd.LITERAL, -1.0, 1000)
    assert (literal.chooses_by, literal.values_of, literal.kappa, literal.max_plies) == ("value", "states", "-1", 1000)
    assert rd.differences(rd.LITERAL) == "none"
    seen = {literal}
    for factor, levels in rd.FACTORS.items():
        for level in list(levels)[1:]:
            reading = {**rd.LITERAL, factor: level}
            assert rd.differences(reading) == f"{factor}: {level}"
            seen.add(rd.config_of(reading, -1.0, 1000))
    assert len(seen) == 1 + sum(len(levels) - 1 for levels in rd.FACTORS.values())
    for reading in POINTS:
        config = rd.config_of(reading, 0.0, 1000)
        game = get_game(config.game, **read_options(config.option))
        check_settings(config, game)
        features = feature_map(config.features, game)
        phase_of(config, features)
        set_input_weights(config.input_weights, features, make_net(config, features))
    assert rd.config_of({**rd.LITERAL, "first weights": "material 1.5"}, 0.0, 1).input_weights == ("material=1.5",)


def test_main_effects_are_found():
    """Rates that are a mean and the effects of two factors: all others have the mean."""
    steps = {"before own ply": -0.1, "after it": 0.1, "hidden": 0.2, "none": -0.1, "all": -0.1}
    points = [{"reading": reading} for reading in POINTS]
    found = fx.main_effects(points, lambda one: 0.4 + sum(steps.get(level, 0.0) for level in one["reading"].values()))
    assert [(effect.factor, effect.level) for effect in found] == [(f, level) for f in rd.FACTORS for level in rd.FACTORS[f]]
    for effect in found:
        assert effect.mean == pytest.approx(0.4 + steps.get(effect.level, 0.0), abs=1e-9)
        assert effect.half < 1e-6
    few = points[: rd.BLOCK]  # each factor by itself: means of the points that have a level
    for effect in fx.main_effects(few, lambda one: float(one["reading"]["output"] == "tanh")):
        values = [one["reading"]["output"] == "tanh" for one in few if one["reading"][effect.factor] == effect.level]
        assert effect.mean == pytest.approx(np.mean(values), abs=1e-9)
    assert half_width([1.0, 2.0, 3.0]) == pytest.approx(4.302653 / np.sqrt(3))  # tables of Student's t
    assert half_width([1.0, 2.0]) == 0.0


def test_the_headline_and_what_comes_nearest():
    printed = {500: 0.81, 1000: 0.92}
    good = result(3, POINTS[2], lambda kappa, games: printed[games] if kappa else 0.1)
    strong = result(2, POINTS[1], lambda kappa, games: printed[games] if kappa else 0.5)
    late = result(1, POINTS[0], lambda kappa, games: games / 1000 if kappa else 0.0)
    assert [rd.has_headline(one, "5", "ahead") for one in (good, strong, late)] == [True, False, False]
    assert [rd.distance(one, "5", "won") for one in (good, strong, late)] == pytest.approx([0.0, 0.6, 0.39])
    assert rd.nearest_point([late, strong, good]) == good
    assert rd.nearest_point([late, strong, {**good, "seed": rd.BLOCK + 1}]) == late  # of the first block
    few = {"games": 100, "won": 6, "lost": 2, "ahead": 30, "behind": 10}
    shares = [rd.share(few, count) for count in rd.COUNTS]
    assert shares == pytest.approx([0.06, np.nan, 0.3, 0.75], nan_ok=True)  # 8 decided games tell nothing
    for kappa, games in ((kappa, games) for kappa in rd.SEARCHED for games in rd.POINTS):
        unclear = result(4, POINTS[3], lambda k, g: printed[g] if k else 0.1)
        sample = unclear["nets"][f"{kappa:g}"][rd.POINTS.index(games)]
        sample["tests"] = {**sample["tests"], "5": {"games": 100, "won": 6, "lost": 2, "ahead": 9, "behind": 0}}
        assert not rd.has_headline(unclear, "5", "won of decided")
        assert rd.distance(unclear, "5", "won of decided") == np.inf
        assert rd.has_headline(unclear, "8", "won of decided")
        text = "\n".join(readings.page({"search": [unclear]}))
        assert ("| won of decided | 5 | - |" in text) == (kappa == 0.0 and games == rd.POINTS[-1])
    assert len(rd.TESTS) == 18
    assert [count for player, count in rd.TESTS if player == "0"] == ["won", "ahead"]


def test_the_page_and_what_is_judged():
    printed = {500: 0.81, 1000: 0.92}
    good = result(3, POINTS[2], lambda kappa, games: printed[games] if kappa else 0.1)
    strong = result(2, POINTS[1], lambda kappa, games: printed[games] if kappa else 0.5)
    late = result(1, POINTS[0], lambda kappa, games: games / 1000 if kappa else 0.0)
    figures = {"search": [late, strong, good]}
    text = "\n".join(readings.page(figures))
    assert "| won | 5 | 20.0" in text
    assert "1 of 3" in text
    some = rd.between(POINTS[2])
    of_seed = [{**(good if k == 3 else strong), "reading": one} for k, one in enumerate(some)]
    between = [{"seed": seed, "between": of_seed} for seed in (1, 2)]
    second = {"fewest": [good], "between": between, "literal": [good]}
    assert "\n".join(readings.page({**figures, **second})) == text  # of what is not chosen yet nothing is told
    assert rd.nearest_reading(figures) is rd.fewest_reading({**figures, **second}) is None
    others = [result(k, POINTS[k - 1], lambda kappa, games: 0.0) for k in range(4, rd.BLOCK + 1)]
    figures = {"search": [late, strong, good, *others], **second}
    assert rd.nearest_reading(figures) == POINTS[2]
    assert rd.nearest_reading({"search": figures["search"][1:]}) is None
    assert rd.judged_by(figures) == ("0", "won")  # the first of equals
    assert rd.fewest_reading(figures) == some[3]
    assert rd.fewest_reading({**figures, "between": between[:1]}) is None
    other = [{**strong, "reading": one} for one in some]
    assert rd.fewest_reading({**figures, "between": [between[0], {"seed": 2, "between": other}]}) == POINTS[2]
    assert rd.fewest_reading({**figures, "between": [*between, {"seed": 3, "between": other}]}) == some[3]  # chosen by two
    text = "\n".join(readings.page(figures))
    assert "| 0 | 10.0 | 10.0 | - | 50.0 | 100 |" in text  # with new seeds
    assert "| -1 |" + 10 * " 92.0 |" in text  # by players
    assert f"| {rd.differences(some[3])} | 10, 10 | 10, 10 | 81, 81 | 92, 92 | 2 of 2 |" in text
    assert f"| {rd.differences(some[4])} | 50, 50 | 50, 50 | 81, 81 | 92, 92 | 0 of 2 |" in text
    block = [result(k, POINTS[k - 1], lambda kappa, games: 0.0) for k in rd.numbers_of(1)[1:]]
    two = [*figures["search"], {**strong, "seed": rd.numbers_of(1)[0]}, *block]
    assert rd.nearest_reading({"search": two}) == POINTS[2]
    assert rd.nearest_reading({"search": two}, 1) == strong["reading"]
    assert rd.nearest_reading(figures, 1) is None
    nets = {
        kappa: [
            {**sample, "tests": {**sample["tests"], "5": good_one["tests"]["5"]}}
            for sample, good_one in zip(samples, good["nets"][kappa], strict=True)
        ]
        for kappa, samples in strong["nets"].items()
    }
    near = [*figures["search"], {**strong, "nets": nets, "seed": rd.numbers_of(1)[0]}, *block]
    assert (rd.judged_by({"search": near}), rd.judged_by({"search": near}, "second")) == (("0", "won"), ("5", "won"))
    assert readings.succeeds(-1.0, {"search": near, "second": [good] * 10}, "second")[0] == "shown"
    assert readings.fails({"search": two, "second": [strong] * 10}, "second")[0] == "not shown"
    assert readings.fails({"search": two, "second": [good] * 10}, "second")[0] == "shown"
    assert readings.succeeds(-1.0, {"search": two, "second": [late] * 10}, "second")[0] == "not shown"
    assert "The nearest reading of the second block, new seeds: 10" in "\n".join(
        readings.page({"search": two, "second": [strong] * 10})
    )
    ten = {**figures, "fewest": [good, {**good}] * 5}
    assert readings.fails(ten)[0] == readings.succeeds(-1.0, ten)[0] == "shown"
    assert "the headline of kappa -1 under any of the 18 tests: 1 of 24" in readings.fails(ten)[1]
    assert readings.fails(figures)[0] == readings.succeeds(-1.0, figures)[0] == "not decided"  # a seed
    assert readings.fails({**figures, "fewest": [strong] * 10})[0] == "not shown"
    assert readings.succeeds(-1.0, {**figures, "fewest": [late] * 10})[0] == "not shown"
    unlike = [result(k, POINTS[2], lambda kappa, games, rate=rate: rate) for k, rate in enumerate((0.95, 0.7))]
    assert readings.succeeds(-1.0, {**figures, "fewest": 5 * unlike})[0] == "not decided"
    assert readings.shorter("search", {"search": [late, strong, good]})[0] == "not decided"  # three points, all against
    assert readings.shorter("search", figures)[0] == "not shown"
    assert readings.more_finish("search", figures)[0] == "not decided"
    weak = {**figures, "fewest": [{**good, "nets": {**good["nets"], "-0.8": good["nets"]["0"]}}] * 6}
    assert readings.best_kappa(weak)[0] == "not shown"


def test_what_cannot_be_judged_decides_nothing(monkeypatch):
    """Ten seeds of which one has too few decided games."""
    good = result(1, POINTS[0], lambda kappa, games: 0.95 if kappa else 0.1)
    empty = {"games": 100, "won": 1, "lost": 0, "ahead": 1, "behind": 0}
    samples = [{**sample, "tests": dict.fromkeys(rd.PLAYERS, empty)} for sample in good["nets"]["0"]]
    unclear = {**good, "nets": dict.fromkeys(("0", "-1", "-0.8"), samples)}
    good["nets"]["-0.8"] = good["nets"]["-1"]
    figures = {"search": [good], "fewest": [*[good] * 9, unclear]}
    monkeypatch.setattr(rd, "judged_by", lambda figures, kind="fewest": ("5", "won of decided"))
    assert readings.fails(figures)[0] == "not shown"
    verdict, text = readings.succeeds(-1.0, figures)
    assert verdict == "not decided"
    assert "95.0 ± 0.0; 9 of 10 %" in text
    assert "9 equal" in readings.best_kappa(figures)[1]


def test_the_preset_is_a_command():
    """That of docs/td_network.md, read as the command line reads it."""
    page = (Path(__file__).parents[2] / "docs" / "td_network.md").read_text(encoding="utf-8").replace("\\\n", " ")
    line = next(line for line in page.splitlines() if line.startswith("boardgym train td") and "runs/headline" in line)
    arguments = shlex.split(line)[3:]
    settings = tyro.cli(TrainNetwork, args=arguments, default=defaults(arguments))
    assert settings.config == readings.PRESET == PRESETS["abalearn-ii"].config
    assert settings.out == Path("runs/headline")


def test_a_small_run(tmp_path, monkeypatch):
    """Of games that rules end, whose kernels other tests have: nets of both kappas, tested by all players."""
    monkeypatch.setattr(rd, "WITHOUT_DRAWS", ("rewards=material",))
    told = []
    place = Place(tmp_path, told.append)
    found = rd.trained(place, {**rd.LITERAL, "plies of training": "300"}, rd.FIRST_PLAN, 0.004, 5)
    assert found["reading"]["plies of training"] == "300"
    assert list(found["nets"]) == ["0", "-1"]
    for samples in found["nets"].values():
        assert [sample["games"] for sample in samples] == [500, 1000]
        for sample in samples:
            assert set(sample["tests"]) == set(rd.PLAYERS)
            assert all(
                test["games"] == test["ahead"] + test["level"] + test["behind"] == 2 for test in sample["tests"].values()
            )
    assert max(told) == 4
    again = rd.trained(place, {**rd.LITERAL, "plies of training": "300"}, rd.FIRST_PLAN, 0.004, 5)
    assert again == found  # what was kept
    monkeypatch.setattr(rd, "between", lambda reading: [rd.LITERAL | {"plies of training": "300"}])
    for least, kappas in ((1.0, ["-1"]), (-1.0, ["-1", "0"])):
        monkeypatch.setattr(rd, "EFFECT", least)
        (tmp_path / kappas[-1]).mkdir()
        place = Place(tmp_path / kappas[-1], told.append)
        assert [list(one["nets"]) for one in rd.train_between(place, 1, 0.004, rd.LITERAL)["between"]] == [kappas]
    assert 0.0 <= fx.of_training({"nets": found["nets"]}, 0.0, "finished") <= 1.0


def test_readings_between():
    """Each level alone that is not the most literal one, then each two."""
    assert rd.between(rd.LITERAL) == []
    found = rd.between(rd.point(7))  # that of the page
    changes = [{factor for factor in one if one[factor] != rd.LITERAL[factor]} for one in found]
    assert [len(some) for some in changes] == 5 * [1] + 10 * [2]
    assert len(found) == len({frozenset(some) for some in changes}) == readings.BETWEEN
    assert readings.PRESET_READING in found
    assert all(one[factor] in (rd.LITERAL[factor], rd.point(7)[factor]) for one in found for factor in one)


def test_the_part_is_known():
    assert (readings.PRESET.chooses_by, readings.PRESET.values_of, readings.PRESET.kappa) == ("value", "states", "-1")
    part = study.load_part("readings")
    jobs = Counter(job.arguments["kind"] for job in study.jobs_of(part, 0, 1.0, {}))
    assert jobs == {"search": 48, "fewest": 10, "literal": 10, "between": 2, "second": 10}
    assert part.stages() == [0, 1, 2]
