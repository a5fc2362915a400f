"""What decides in the rerun of the UCT-CCNN study, on made-up figures: each claim is shown by some and refuted by others."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from boardgym.studies.exact import clopper_pearson
from boardgym.studies.uct_ccnn import published, study
from boardgym.studies.uct_ccnn.intervals import agrees
from boardgym.studies.uct_ccnn.intervals import measure as measure_intervals
from boardgym.studies.uct_ccnn.judging import above, below, higher, higher_by, permutation_p
from boardgym.studies.uct_ccnn.minimax_page import WINS, differ_less
from boardgym.studies.uct_ccnn.plans import GAMES, PLANS, SETTINGS

FIVE = range(1, 6)
PLAN = PLANS["page"].network


@pytest.fixture(autouse=True)
def one_data_set(monkeypatch):
    """Which the figures below are of, with five networks."""
    page = PLANS["page"]
    monkeypatch.setitem(PLANS, "page", replace(page, examples=replace(page.examples, data_sets=1)))


# ---------------------------------------------------------------- figures


def counts(won, drawn=0, games=10, distinct=3):
    return {"won": won, "drawn": drawn, "lost": games - won - drawn, "distinct": distinct, "forfeits": 0}


def network(seed, error=0.05, units=4, length=5 + PLAN.patience, most=PLAN.units):
    """Training errors that fall, and a test error that is least with so many units."""
    errors = [[0.09 / (k + 1), error + 0.001 * abs(k - units), error + 0.001 * abs(k - units)] for k in range(length)]
    return {"seed": seed, "data_set": 1, "errors": errors, "units": units, "most_units": most, "network": f"n{seed}"}


def networks(error):
    return [network(k, error + 0.0001 * k) for k in FIVE]


def matches(seed, wins, share=0.5, drawn=0):
    """Of heights 3 and 4: in so many of four configurations all games from the start are won, and a share from the openings."""
    won = iter([10] * wins + [0] * (4 - wins))
    start = {height: {seat: counts(next(won)) for seat in ("first", "second")} for height in "34"}
    if drawn:
        start["4"]["second"] = counts(0, drawn)
    openings = {height: {seat: counts(round(40 * share), games=40) for seat in ("first", "second")} for height in "34"}
    return {"seed": seed, "data_set": 1, "network": f"n{seed}", "start": start, "openings": openings}


def tunings(last, spread=0.2):
    return [
        {"seed": k, "means": [1.1, last + 0.01 * k], "spreads": [0.9, spread], "samples": [[0.2, 2.0]], "games": 10}
        for k in range(1, 1 + PLANS["page"].tuning.tunings)
    ]


def examples(kept, length):
    one = {"seed": 1, "constant": 0.7, "counts": {"games": 1530, "drawn": 3, "examples": 9, "decisions": 2, "simulations": 4}}
    more = {"train": 90_000, "test": 10_000, "winners": True, "most_visited": True}
    return [{**one, **more, "kept": [1530, kept, 20.0], "lengths": [1530, length, 10.0]}]


WON = {  # configurations, of each network
    "othello": {"200": (0, 0, 0, 3, 3), "600": (3, 4, 4, 4, 4)},
    "morris": {"200": (3, 4, 4, 4, 4), "600": (0, 0, 1, 1, 3)},
}


def confirming():
    """Figures by which every claim that they can decide is shown."""
    figures = {
        "encodings": [{name: {"inputs": one.inputs, "right": 50, "total": 50, "passes": 1} for name, one in GAMES.items()}],
        "intervals": [measure_intervals(None, 0, "small")],
        "costs": [study.PARTS["costs"].works["costs"].run(None, 0, "small")],
        "tuning_othello": tunings(0.8),
        "tuning_morris": tunings(0.6),
        "mcts_othello": [{"seed": k, "network": f"n{k}", "first": counts(8), "second": counts(6 + k % 2)} for k in FIVE],
        "mcts_morris": [{"seed": k, "network": f"n{k}", "first": counts(2, 3), "second": counts(k % 2, 5)} for k in FIVE],
    }
    for game, setting in itertools.product(GAMES, SETTINGS):
        more = setting == "600"
        figures[f"examples_{game}_{setting}"] = examples(100.0 + 20 * (more and game == "morris"), 60.0 + 9 * more)
        error = 0.05 + 0.02 * (more if game == "morris" else not more)
        figures[f"networks_{game}_{setting}"] = networks(error)
        draws = 10 if game == "morris" else 0
        figures[f"minimax_{game}_{setting}"] = [matches(k, WON[game][setting][k - 1], 0.4 + 0.2 * more, draws) for k in FIVE]
    return figures


def verdicts_of(figures):
    """By number and text of the claim."""
    found = {"size": "page", "parts": {}}
    for name, part in study.PARTS.items():
        found["parts"][name] = {kind: figures[kind] for kind in part.works if kind in figures}
    return {(number, text): verdict for number, text, verdict, _ in study.verdicts(found)}


def verdict_of(figures, text):
    (found,) = [verdict for (_, claim), verdict in verdicts_of(figures).items() if claim.startswith(text)]
    return found


def set_all(ones, **values):
    for one in ones:
        one.update(values)


# ---------------------------------------------------------------- rules


def test_figures_of_the_kind_that_the_study_has_show_every_claim():
    """But for the spread over openings, which these give no pairs enough to decide."""
    found = verdicts_of(confirming())
    assert {number for number, _ in found} == set(range(1, 12))
    left = {claim for (_, claim), verdict in found.items() if verdict != "shown"}
    assert left == {f"from the openings they differ less than from the start: {one.title}" for one in GAMES.values()}


def test_a_gain_as_great_as_the_studys_may_be_refuted():
    """Four against four: of 70 splits only the most uneven two have p below 5 %."""
    assert higher_by([9, 9, 8, 8], [1, 2, 1, 2], 3)[0] == "shown"
    assert higher_by([1, 2, 1, 2], [9, 9, 8, 8], 3)[0] == "not shown"
    assert higher_by([4, 5, 4, 5], [5, 4, 5, 4], 3)[0] == "not shown"  # no difference is seen, and one of 3 would be
    assert higher_by([4, 5, 4, 5], [5, 4, 5, 4], 0.5)[0] == "not decided"
    assert higher_by([0, 9, 0, 9], [9, 0, 9, 0], 3)[0] == "not decided"
    assert higher_by([4, 5, 4], [5, 4, 5], 3)[0] == "not decided"  # too few


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("a position has", lambda f: f["encodings"][0]["morris"].update(inputs=150)),
        ("the bits give", lambda f: f["encodings"][0]["othello"].update(right=49)),
        ("the cross-entropy", lambda f: f["tuning_morris"][0]["means"].__setitem__(0, 1.0)),
        ("it has a smaller", lambda f: f["tuning_morris"][0]["spreads"].__setitem__(1, 0.95)),
        ("it stays", lambda f: f["tuning_othello"][2].update(samples=[[0.1]])),
        ("Othello's constant", lambda f: f.update(tuning_othello=tunings(0.4))),
        ("both are below", lambda f: f.update(tuning_morris=tunings(1.5))),
        ("the formulas", lambda f: f["costs"][0]["costs"][0].__setitem__(5, 105.5)),
        ("only the winner's", lambda f: f["examples_othello_200"][0].update(winners=False)),
        ("of equal positions", lambda f: f["examples_morris_600"][0].update(most_visited=False)),
        ("a tenth is", lambda f: f["examples_morris_600"][0].update(test=9000)),
        ("with as many games", lambda f: f["examples_morris_600"][0].update(train=900, test=100)),
        ("in Nine Men's Morris more", lambda f: f["examples_morris_600"][0].update(kept=[1530, 90.0, 20.0])),
        ("in Nine Men's Morris more", lambda f: f["examples_morris_600"][0].update(lengths=[1530, 50.0, 10.0])),
        ("in Othello it does not", lambda f: f["examples_othello_600"][0].update(kept=[1530, 110.0, 20.0])),
        ("the training error", lambda f: f["networks_othello_200"][3]["errors"][2].__setitem__(0, 0.08)),
        ("the least test error", lambda f: f["networks_othello_200"][3].update(network(4, units=65, length=78))),
        ("in Othello the error falls", lambda f: f.update(networks_othello_600=networks(0.09))),
        ("in Nine Men's Morris it does not", lambda f: f.update(networks_morris_600=networks(0.01))),
        ("networks of 600 s win in more configurations than those of 200 s: O",
         lambda f: f.update(minimax_othello_200=[matches(k, 4, 0.4) for k in FIVE],
                            minimax_othello_600=[matches(k, 1, 0.6) for k in FIVE])),
        ("no game of Othello", lambda f: f["minimax_othello_600"][0]["start"]["4"].update(first=counts(9, 1))),
        ("games of Nine", lambda f: f.update(minimax_morris_200=[matches(k, 1) for k in FIVE])),
        ("networks of 600 s win in no more configurations than those of 200 s: N",
         lambda f: f.update(minimax_morris_200=[matches(k, 1, 0.4, 10) for k in FIVE],
                            minimax_morris_600=[matches(k, 3, 0.6, 10) for k in FIVE])),
        ("networks of one data set differ as much as the study's of 200 and 600 s, by luck: O",
         lambda f: f.update(minimax_othello_200=[matches(k, 1 + k % 2) for k in FIVE])),
        ("networks of one data set differ as much as the study's of 200 and 600 s, by luck: N",
         lambda f: f.update({f"minimax_morris_{setting}": [matches(k, 2, drawn=10) for k in FIVE] for setting in SETTINGS})),
        ("more thinking time in the examples makes a stronger player: N",
         lambda f: f.update(minimax_morris_600=[matches(k, 3, 0.3) for k in FIVE])),
        ("at equal simulations", lambda f: set_all(f["mcts_othello"], first=counts(1))),
        ("in Nine Men's Morris it gets", lambda f: set_all(f["mcts_morris"], first=counts(10))),
        ("the intervals", lambda f: f["intervals"][0]["cells"][3].__setitem__(4, 96.0)),
        ("the same network", lambda f: f["mcts_morris"][0].update(network="another")),
        ("the same network", lambda f: f["mcts_morris"][0]["first"].update(forfeits=1)),
    ],
)  # fmt: skip
def test_every_claim_can_be_refuted(text, change):
    figures = confirming()
    assert verdict_of(figures, text) == "shown"
    change(figures)
    assert verdict_of(figures, text) == "not shown"


def test_most_configurations_all_or_nothing():
    """Half and half is not decided; nearly none is refuted."""
    text = "most configurations are all or nothing from the start: Othello"
    for mixed, verdict in ((2, "not decided"), (4, "not shown")):
        figures = confirming()
        for one in [*figures["minimax_othello_200"], *figures["minimax_othello_600"]]:
            for height, seat in [("3", "first"), ("3", "second"), ("4", "first"), ("4", "second")][:mixed]:
                one["start"][height][seat] = counts(5)
        assert verdict_of(figures, text) == verdict


def test_networks_can_differ_less_or_more_from_the_openings():
    """Ten configurations a setting: apart from the start and alike from the openings, and the other way round."""
    text = "from the openings they differ less than from the start: Othello"
    apart, alike = ({str(h): {s: counts(won) for s in ("first", "second")} for h in range(3, 8)} for won in (10, 5))
    none = {str(h): {s: counts(0) for s in ("first", "second")} for h in range(3, 8)}
    for name, other, verdict in (("start", "openings", "shown"), ("openings", "start", "not shown")):
        figures = confirming()
        for setting in SETTINGS:
            figures[f"minimax_othello_{setting}"] = [
                {**matches(k, 1), name: apart if k % 2 else none, other: alike} for k in FIVE
            ]
        assert verdict_of(figures, text) == verdict


def test_few_or_unclear_figures_decide_nothing():
    figures = confirming()
    for game, setting in itertools.product(GAMES, SETTINGS):
        figures[f"networks_{game}_{setting}"] = [network(k, units=20, length=20 + PLAN.patience) for k in FIVE]
        figures[f"minimax_{game}_{setting}"] = [matches(k, k % 3, 0.5) for k in FIVE]
    for kind in ("mcts_othello", "mcts_morris"):
        figures[kind] = figures[kind][:2]
    found = {text: verdict for (_, text), verdict in verdicts_of(figures).items()}
    for text in ("in Othello the error falls from 200 to 600 s", "in Nine Men's Morris it does not",
                 "the least test error comes with at most half as many units as inputs",
                 "more thinking time in the examples makes a stronger player: Othello",
                 "at equal simulations NeuralMCTS wins more than half of the games in Othello"):  # fmt: skip
        assert found[text] == "not decided", text


def test_work_that_is_not_done_whole_decides_nothing():
    """One network, tuning and data set of each is left; and no network of the first data set."""
    figures = {kind: ones[:1] for kind, ones in confirming().items()}
    found = verdicts_of(figures)
    whole = {"encodings", "costs", "intervals", "examples"}  # the page size has one data set
    numbers = {claim.number for name in whole for claim in study.PARTS[name].claims}
    assert {number for (number, _), verdict in found.items() if verdict == "shown"} == numbers
    assert {verdict for (number, _), verdict in found.items() if number not in numbers} == {"not decided"}
    figures["minimax_othello_200"] = [matches(k, 3) | {"data_set": 2} for k in range(6, 9)]
    assert set(verdicts_of(figures).values()) == {"shown", "not decided"}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({"units": 4, "length": 5 + PLAN.patience}, "shown"),
        ({"units": 4, "length": 4 + PLAN.patience}, "not decided"),  # a unit more might have had less error
        ({"units": 60, "length": 62, "most": 61}, "not decided"),
        ({"units": 4, "length": 61, "most": 60}, "not decided"),  # growth to 60 units could not have refuted it
        ({"units": 65, "length": 66}, "not shown"),
    ],
)
def test_the_test_error_has_turned_only_where_growth_went_on(change, verdict):
    assert min(PLAN.units, *(one.inputs for one in GAMES.values())) > max(one.inputs for one in GAMES.values()) / 2
    figures = confirming()
    figures["networks_morris_600"] = [network(k, error=0.09) for k in range(1, 5)] + [network(5, **change)]
    figures["networks_othello_200"] = [network(k) for k in range(1, 5)] + [network(5, **change)]
    assert verdict_of(figures, "the least test error") == verdict


@pytest.mark.parametrize(("pairs", "verdict"), [(2, "shown"), (1, "not decided"), (0, "not shown")])
def test_luck_is_a_share_of_pairs(pairs, verdict):
    """Of 20: one network of each setting apart from the four others makes 8 of them, one network apart from four 4, or none."""
    won = {2: ((0, 3, 3, 3, 3), (0, 3, 3, 3, 3)), 1: ((1, 1, 1, 1, 4), (1, 2, 3, 3, 3)), 0: ((1, 2, 3, 3, 3), (2, 3, 3, 3, 3))}
    figures = confirming()
    for setting, own in zip(SETTINGS, won[pairs], strict=True):
        figures[f"minimax_othello_{setting}"] = [matches(k, own[k - 1]) for k in FIVE]
    text = "networks of one data set differ as much as the study's of 200 and 600 s, by luck: Othello"
    assert verdict_of(figures, text) == verdict


def played(random, games, networks=10):
    """Of three heights as first and second player: counts of networks that are all alike, {height: {seat: counts}} each."""
    chances = random.uniform(0.2, 0.8, 6)
    won = random.binomial(games, chances, (networks, 6)).reshape(networks, 3, 2)
    return [
        {
            str(3 + k): {seat: counts(int(row[k, j]), games=games) for j, seat in enumerate(("first", "second"))}
            for k in range(3)
        }
        for row in won
    ]


@pytest.mark.parametrize("has_noise", [True, False])
def test_noise_alone_does_not_show_that_networks_differ_less_from_the_openings(has_noise):
    """All alike, 10 games from the start are noisier than 20 from openings, the more so than openings of one result each."""
    random, verdicts = np.random.default_rng(1), []
    for _ in range(60):
        figures = {}
        for setting in SETTINGS:
            starts, openings = played(random, 10), played(random, 20)
            pairs = zip(starts, openings if has_noise else openings[:1] * 10, strict=True)
            figures[f"minimax_othello_{setting}"] = [{"start": one, "openings": other} for one, other in pairs]
        verdicts.append(differ_less("othello")(figures)[0])
    assert verdicts.count("shown") <= 6
    assert verdicts.count("not decided") > 30


def test_the_small_size_decides_nothing_that_depends_on_it():
    figures = confirming()
    for kind, ones in figures.items():  # two data sets, and twice as many networks
        if kind.startswith(("examples", "networks", "minimax", "mcts")):
            figures[kind] = ones + [{**one, "seed": one["seed"] + len(ones), "data_set": 2} for one in ones]
    parts = {name: {k: figures[k] for k in part.works if k in figures} for name, part in study.PARTS.items()}
    found = {"size": "small", "parts": parts}
    judged = {claim: (number, verdict) for number, claim, verdict, _ in study.verdicts(found)}
    free = {claim.text for part in study.PARTS.values() for claim in part.claims if claim.of_any_size}
    assert {claim for claim, (_, verdict) in judged.items() if verdict == "shown"} == free
    assert sorted(judged[claim][0] for claim in free) == [1, 1, 2, 2, 3, 4, 4, 4, 9, 11]
    assert {verdict for claim, (_, verdict) in judged.items() if claim not in free} == {"not decided"}
    assert all(text.startswith("shown at this size: ") for number, _, _, text in study.verdicts(found) if number in (6, 8, 10))


# ---------------------------------------------------------------- statistics


def test_permutations_are_all_counted():
    a, b = [1.0, 2.0, 3.5, 3.0, 2.5], [4.0, 2.2, 5.0, 6.0, 3.1]
    reference = stats.permutation_test((a, b), lambda x, y: x.mean() - y.mean(), n_resamples=10_000)
    assert permutation_p(a, b) == pytest.approx(reference.pvalue)
    assert permutation_p([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) == 2 / 252
    assert permutation_p([1.0, 1.0], [1.0, 1.0]) == 1.0
    with pytest.raises(ValueError, match="one of each at least"):
        permutation_p([], [1.0])


def test_groups_and_means_decide():
    low, high = [1.0, 1.1, 1.2, 1.3, 1.4], [2.0, 2.1, 2.2, 2.3, 2.4]
    assert [higher(*pair)[0] for pair in ((high, low), (low, high), (low, low))] == ["shown", "not shown", "not decided"]
    assert higher(high[:3], low[:3]) == ("not decided", "3 against 3; expected 4 of each at least")
    assert [above(high, level)[0] for level in (1.5, 2.5, 2.2)] == ["shown", "not shown", "not decided"]
    assert [below(high, level)[0] for level in (1.5, 2.5, 2.2)] == ["not shown", "shown", "not decided"]
    assert above(high[:2], 1.5)[0] == "not decided"
    assert (
        above([2.0, 2.0, 2.0], 1.5, 1.0) == below([2.0, 2.0, 2.0], 1.5, 1.0) == ("not decided", "2.0 [no spread seen] over 3")
    )


def test_the_printed_intervals_are_exact():
    """All 40 of tables 5.5 to 5.9, by the definition of Clopper and Pearson too; one game more or less would not agree."""
    cells = published.cells()
    assert len(cells) == 40
    for _, cell in cells:
        ours = clopper_pearson(cell.won, cell.games)
        if cell.won:
            assert stats.binom.sf(cell.won - 1, cell.games, ours.low) == pytest.approx(0.025)
        if cell.won < cell.games:
            assert stats.binom.cdf(cell.won, cell.games, ours.high) == pytest.approx(0.025)
    found = measure_intervals(None, 0, "small")["cells"]
    assert all(map(agrees, found))
    for where, won, games, low, high, *_ in found:
        other = clopper_pearson(won + 1 if won < games else won - 1, games)
        assert not agrees([where, won, games, low, high, 100 * other.low, 100 * other.high])


def test_what_is_printed_is_whole():
    """Every configuration has as many games as the study says; luck is held to the differences of those with wins."""
    assert {cell.games for table in published.MINIMAX.values() for cell in table.values()} == {100}
    assert {cell.games for cell in published.MCTS.values()} == {200}
    for (game, _), table in published.MINIMAX.items():
        assert set(table) == set(itertools.product((False, True), GAMES[game].heights))
    assert WINS == {"othello": (2, 5), "morris": (4, 3)}
