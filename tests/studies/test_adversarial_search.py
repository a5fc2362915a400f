"""The study of adversarial search: what its parts measure, what judges them, the command, the committed page."""

import dataclasses
import json

import pytest

from boardgym.baselines.search import probcut
from boardgym.cli import main
from boardgym.core.errors import OptionError, SpecError
from boardgym.studies.adversarial_search import exact, growth, selective, study
from boardgym.studies.adversarial_search.cutoff import CUTOFF
from boardgym.studies.adversarial_search.dice import DICE_GAME
from boardgym.studies.adversarial_search.growth import best_first, every_order, least, leaves_visited, minimax
from boardgym.testing.trees import FOREST
from tests.support import ROOT

DOCS = ROOT / "docs"
SMALL = study.Settings(size="small")


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A folder with the results of the small size."""
    folder = tmp_path_factory.mktemp("study")
    study.reproduce(dataclasses.replace(SMALL, out=folder))
    return folder


@pytest.fixture
def found(out):
    return study.found_of(dataclasses.replace(SMALL, out=out))


# ---------------------------------------------------------------- alpha-beta on trees


def test_leaves_are_counted_as_on_paper():
    """Of [[3, 12, 8], [2, 4, 6], [14, 5, 2]] the second MIN is cut after 2, the third not before its last."""
    tree = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
    assert minimax(tree, True) == 3
    assert leaves_visited(tree, True, growth.as_given) == (3, 7)
    assert leaves_visited(tree, True, best_first) == (3, 5)
    assert leaves_visited(tree, True, lambda children, is_max: best_first(children, is_max)[::-1]) == (3, 9)
    assert [least(3, depth) for depth in range(1, 6)] == [3, 5, 11, 17, 35]


def test_every_order_is_tried_once():
    orders = [json.dumps(one) for one in every_order([[1, 2], [3, 4]])]
    assert len(orders) == len(set(orders)) == 2**3
    assert {minimax(json.loads(one), True) for one in orders} == {3}


def test_the_worst_first_is_not_the_order_that_visits_all():
    """A tree of eight leaves where nothing is cut in some order; of sixteen, the worst first may still cut."""
    found = [one for one in study.read_figures(DOCS)["parts"]["growth"]["uniform"] if one["branches"] == 2]
    worst = {one["depth"]: min(one["counts"]["worst"]) for one in found}
    assert [worst[depth] for depth in (1, 2, 3)] == [2, 4, 8]
    assert worst[8] < 2**8


# ---------------------------------------------------------------- verdicts


def test_the_small_size_measures_everything_and_decides_nothing(found):
    judged = study.verdicts(found)
    assert {number for number, *_ in judged} == set(range(1, 11))
    assert {verdict for *_, verdict, _ in judged} == {"not decided"}
    would = {text: evidence.partition("(")[2].partition(")")[0] for _, text, _, evidence in judged}
    assert would["minimax and alpha-beta give the same root value on every tested tree"] == "shown"
    assert would["with the worst moves first it visits all b^d"] == "not shown"
    assert would["expectiminimax equals exhaustive enumeration on a small dice game"] == "shown"


@pytest.mark.parametrize(
    ("part", "change", "claim"),
    [
        (exact.VALUES, lambda one: one["domains"]["tic-tac-toe"].update(right=9), 0),
        (exact.VALUES, lambda one: one["domains"]["tic-tac-toe"].update(tried_right=9), 0),
        (exact.TIC_TAC_TOE, lambda one: one.update(value=1.0), 0),
        (exact.TIC_TAC_TOE, lambda one: one["lines"].__setitem__(0, [1, 2, 70]), 1),
        (growth.GROWTH, lambda one: one["uniform"][3]["counts"]["best"].__setitem__(0, 8), 0),
        (growth.GROWTH, lambda one: one["own"][0].__setitem__(0, 1), 0),
        (growth.GROWTH, lambda one: one["fullest"].__setitem__(0, 7), 2),
        (growth.GROWTH, lambda one: one["uniform"][3]["counts"]["random"].__setitem__(0, 6), 3),
        (exact.TABLE, lambda one: one["trees"][0].update(is_equal=False), 0),
        (exact.TABLE, lambda one: one["trees"][0].update(nodes=[5, 5, 4, 4]), 0),
        (exact.TABLE, lambda one: one.update(states=5479), 1),
        (exact.MAXN, lambda one: one.update(vector=[6.0, 1.0, 2.0]), 0),
        (exact.MAXN, lambda one: one["trees"].__setitem__(0, False), 0),
        (CUTOFF, lambda one: one["ends"].update(Othello=[1, 2, 3, 3]), 0),
        (CUTOFF, lambda one: one["deeper"].update(Othello=[9, 10]), 1),
        (selective.HORIZON, lambda one: one["grabbed"].update({"quiescence=1": [0, 0.5]}), 0),
        (selective.HORIZON, lambda one: one["delayed"].update({"singular=0.4": [0, 0.5]}), 1),
        (selective.BEAM, lambda one: one["wide"].__setitem__(0, False), 0),
        (selective.BEAM, lambda one: one["trees"][0].update({"1": [0.0, 10**6]}), 1),
        (selective.BEAM, lambda one: one["hidden"].update({"beam=2": [2, 0.8]}), 2),
        (selective.PROBCUT, lambda one: one["Othello, 6 plies"]["1e+09"].__setitem__(0, [0.0, 1]), 0),
        (selective.PROBCUT, lambda one: one["Othello, 6 plies"]["3"].__setitem__(0, [0.0, 10**9]), 1),
        (DICE_GAME, lambda one: one["right"].update({"1": 39}), 0),
        (DICE_GAME, lambda one: one["own"].__setitem__(0, 3), 1),
    ],
)  # fmt: skip
def test_one_counterexample_turns_a_verdict(part, change, claim):
    """The committed figures, and the same with one of them wrong."""
    measured = study.read_figures(DOCS)["parts"][part.name]
    figures = {study.KIND: [json.loads(json.dumps(measured))]}
    assert part.judge(figures, 1.0)[claim][2] == "shown"
    change(figures[study.KIND][0])
    assert part.judge(figures, 1.0)[claim][2] == "not shown"


# ---------------------------------------------------------------- the command and the page


def test_the_command_prints_the_page_and_goes_on(out, capsys):
    assert main(["reproduce", "adversarial-search", "--size", "small", "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert "## claim 10: a game with dice" in told.out
    assert "At the small size, which decides nothing." in told.out
    assert (out / "report-small.md").read_text() == told.out[:-1]
    assert (out / "growth_leaves.png").stat().st_size > 10_000
    words = ["reproduce", "adversarial-search", "--size", "small", "--part", "dice", "maxn", "--out", str(out), "--json"]
    assert main(words) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data["parts"]) == ["maxn", "dice"]
    assert [line["claim"] for line in data["verdicts"]] == [5, 10, 10]


def test_what_cannot_be_is_refused(out, capsys):
    assert main(["reproduce", "adversarial-search", "--part", "dise", "--out", str(out)]) == 2
    assert capsys.readouterr().err == "boardgym: part='dise'; did you mean 'dice'?\n"
    with pytest.raises(OptionError, match="size='small': the page of the repository is made of figures of the full size"):
        study.take_figures(dataclasses.replace(SMALL, out=out), DOCS)
    assert main(["reproduce", "adversarial-search", "--docs", str(out)]) == 2
    assert "expected the repository's folder of pages" in capsys.readouterr().err


def test_figures_of_other_settings_are_refused(tmp_path):
    kept = json.loads((DOCS / study.DATA).read_text())
    kept["digests"]["dice"] = "0" * 16
    (tmp_path / "data").mkdir()
    (tmp_path / study.DATA).write_text(json.dumps(kept))
    with pytest.raises(SpecError, match="dice: of other settings than this version's; measure them again"):
        study.read_figures(tmp_path)


def test_the_page_is_made_of_the_committed_figures():
    for path, text in study.make_pages(DOCS).items():
        assert path.read_text(encoding="utf-8") == text, "boardgym reproduce adversarial-search --docs docs"
    assert set(study.read_figures(DOCS)["parts"]) == set(study.PARTS)


def test_what_the_prose_says_is_what_the_figures_say():
    verdicts = {text: verdict for _, text, verdict, _ in study.verdicts(study.read_figures(DOCS))}
    not_shown = {text for text, verdict in verdicts.items() if verdict != "shown"}
    assert not_shown == {"with the worst moves first it visits all b^d", "the same: random trees"}
    games = study.read_figures(DOCS)["parts"]["growth"]["games"]
    assert all(0.5 < growth.exponent(counted[-1]) < 0.75 for counted in games.values())


def test_a_regression_is_lent_and_taken_back():
    fit = probcut.Regression(FOREST.id, {}, 4, 2, 1.5, 0.1, 0.2, 0.9, 80)
    with probcut.using(FOREST, fit):
        assert probcut.find_regression(FOREST, 4, 2, "spec") == (1.5, 0.1, 0.2)
        with probcut.using(FOREST, dataclasses.replace(fit, slope=2.0)):
            assert probcut.find_regression(FOREST, 4, 2, "spec") == (2.0, 0.1, 0.2)
        assert probcut.find_regression(FOREST, 4, 2, "spec") == (1.5, 0.1, 0.2)
    with pytest.raises(SpecError, match="no regression of depth 4 on 2"):
        probcut.find_regression(FOREST, 4, 2, "spec")
