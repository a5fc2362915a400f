"""The study of adversarial search: what its parts measure, what judges them, the command, the committed page."""

import dataclasses
import itertools
import json

import numpy as np
import pytest

from boardgym.baselines.search import probcut
from boardgym.cli import main
from boardgym.commands.reproduce import AdversarialSearch
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError
from boardgym.studies.adversarial_search import cutoff, exact, growth, selective, study
from boardgym.studies.adversarial_search.dice import DICE_GAME, growth_of
from boardgym.studies.adversarial_search.growth import as_given, best_first, full_order_exists, least, leaves_visited, minimax
from boardgym.studies.adversarial_search.measuring import analyse, last_nodes, played
from boardgym.testing import by_definition, trees
from boardgym.testing.trees import FOREST, FOREST_OF_THREE, LAYERS, LAYERS_OF_THREE, tree
from tests.support import ROOT, uncompiled_throughout

DOCS = ROOT / "docs"
SMALL = study.Settings(size="small")


AS_PYTHON = ("growth", "maxn", "cutoff", "horizon", "beam", "dice")  # parts that take less time than to compile their kernels


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A folder with the results of the small size; of the games of claim 1 only tic-tac-toe, whose kernels others use too."""
    folder = tmp_path_factory.mktemp("study")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "PLAYED", {"tic-tac-toe": exact.PLAYED["tic-tac-toe"]})
        with uncompiled_throughout():
            study.reproduce(dataclasses.replace(SMALL, part=AS_PYTHON, out=folder))
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


def every_order(nested):
    """A tree with the children of its nodes in every order."""
    if not isinstance(nested, list):
        yield nested
        return
    for children in itertools.permutations(nested):
        yield from map(list, itertools.product(*(list(every_order(child)) for child in children)))


def drawn(rng, branches, depth):
    """A tree with many equal leaves, which cut each other."""
    return int(rng.integers(4)) if depth == 0 else [drawn(rng, branches, depth - 1) for _ in range(branches)]


def test_an_order_that_visits_all_is_found_where_there_is_one():
    """Against every order, written out."""
    rng, seen = np.random.default_rng(1), []
    for branches, depth in [(2, 3), (3, 2)] * 30:
        nested = drawn(rng, branches, depth)
        most = max(leaves_visited(one, True, as_given)[1] for one in every_order(nested))
        seen.append(most == branches**depth)
        assert full_order_exists(nested, True) == seen[-1]
    assert 0 < sum(seen) < len(seen)


def test_no_order_visits_all_of_a_deep_random_tree():
    """From four plies on some have none; the trees that are built for it are visited whole at every depth."""
    for one in study.read_figures(DOCS)["parts"]["growth"]["uniform"]:
        assert all(one["whole"]) == (one["depth"] < 4)
        assert any(one["whole"]) == (one["depth"] < 6 - (one["branches"] == 3))
        assert min(one["counts"]["worst"]) == one["uncut"] or one["depth"] > 3
        assert one["uncut"] == one["branches"] ** one["depth"]


# ---------------------------------------------------------------- what is counted and compared


@pytest.mark.plain(boards=True)
def test_positions_are_counted_as_in_play():
    """In play the root is pruned too; valuing each of its actions visits more."""
    spec, board = "minimax:4,table=0", tree(LAYERS[0])
    own = last_nodes(4, "table=0", board)
    assert own == played(spec, board)[2] - played("minimax:3,table=0", board)[2]
    assert own < analyse(spec, board).nodes - analyse("minimax:3,table=0", board).nodes


@pytest.mark.plain
def test_a_solved_position_can_change():
    """X wins on the square 2 at once, with five more to fill; any other value or action is found out."""
    board = Board("TicTacToe-v0")
    for action in (0, 3, 1, 4):
        board.push(action)
    found = analyse(f"minimax:{cutoff.BOTTOM}", board)
    assert (found.value, found.action, found.depth, found.is_proven) == (1.0, 2, 1, True)
    assert cutoff.goes_on(board, found.depth, set())
    assert not cutoff.goes_on(board, 5, set())
    assert cutoff.stays(board, 1.0, 2, 1, {})
    assert not cutoff.stays(board, 0.0, 2, 1, {})
    assert not cutoff.stays(board, 1.0, 8, 1, {})


@pytest.mark.plain(boards=True)
def test_games_near_their_ends_have_the_value_of_minimax():
    """Claim 1 in the games that the small size above leaves out."""
    found = exact.domains(0.1)
    for name in exact.PLAYED.keys() - {"tic-tac-toe"}:
        boards, depth, _ = found[name]
        for board in boards[:5]:
            searched = analyse(f"minimax:{depth}", board)
            assert (searched.value, searched.is_proven) == (by_definition.minimax(board.copy(), depth, {}), True)


def by_other_rule(board, depth, wins):
    """Max-n where a child is taken if wins(its values, those of the best so far, mover)."""
    if board.is_terminal or depth == 0:
        return [board.estimate(seat) for seat in range(3)]
    mover, best = board.to_play, None
    for action in board.legal_actions:
        board.push(action)
        values = by_other_rule(board, depth - 1, wins)
        board.pop()
        if best is None or wins(values, best, mover):
            best = values
    return best


@pytest.mark.plain
def test_trees_for_three_tell_other_rules_from_maxn():
    """Ties occur, the last seat is no spectator, and what the others get is not the opposite of one's own."""
    boards = [tree(root, FOREST_OF_THREE) for root in LAYERS_OF_THREE[:10]]
    right = [by_definition.maxn(board, 3)[0] for board in boards]
    rules = {
        "maxn": lambda a, b, mover: a[mover] > b[mover],
        "the last of equals": lambda a, b, mover: a[mover] >= b[mover],
        "the last seat takes the first": lambda a, b, mover: mover < 2 and a[mover] > b[mover],
        "against the first seat": lambda a, b, mover: a[0] > b[0] if mover == 0 else a[0] < b[0],
    }
    same = {name: [by_other_rule(board, 3, rule) for board in boards] == right for name, rule in rules.items()}
    assert same == {"maxn": True} | dict.fromkeys(list(rules)[1:], False)
    assert all(exact.is_maxn(board, 3) for board in boards)


@pytest.mark.plain
def test_probcut_is_measured_with_its_own_fit(tmp_path, monkeypatch):
    """Whatever the user has fitted: a regression without any error cuts more."""
    boards = [tree(root) for root in LAYERS[:3]]
    found = selective.cuts(boards, 7, (1.0, 0.0, 0.2))
    monkeypatch.setattr(probcut, "cache_root", lambda: tmp_path)
    probcut.save_regression(FOREST, probcut.Regression(FOREST.id, {}, 4, 2, 1.0, 0.0, 0.0, 1.0, 20))
    assert found["1"] != [played("minimax:7,table=0,probcut=1", board)[1:] for board in boards]
    assert selective.cuts(boards, 7, (1.0, 0.0, 0.2)) == found
    assert probcut.SHIPPED["Othello-v0", 4, 2] == selective.OTHELLO_FIT in selective.PROBCUT.made_of


def test_figures_are_of_their_trees_and_settings(monkeypatch):
    """Another leaf, other children or another mark make another digest; no part is told by nothing."""
    assert all(part.made_of for part in study.PARTS.values())
    kept = trees.digest(LAYERS)
    assert trees.digest(LAYERS[1:]) != kept
    for name in ("VALUES", "CHILDREN", "NOISY"):
        changed = getattr(trees, name).copy()
        changed[LAYERS[0]] = changed[LAYERS[0]][::-1] if name == "CHILDREN" else 1
        with monkeypatch.context() as patch:
            patch.setattr(trees, name, changed)
            assert trees.digest(LAYERS) != kept


# ---------------------------------------------------------------- verdicts


def test_the_small_size_measures_everything_and_decides_nothing(found):
    judged = study.verdicts(found)
    assert {number for number, *_ in judged} == set(range(1, 11))
    assert {verdict for *_, verdict, _ in judged} == {"not decided"}
    would = {text: evidence.partition("(")[2].partition(")")[0] for _, text, _, evidence in judged}
    assert would["minimax and alpha-beta give the same root value on every tested tree"] == "shown"
    assert would["with the worst moves first it visits all b^d"] == "not shown"
    assert would["expectiminimax equals exhaustive enumeration on a small dice game"] == "shown"


def more_of(one, count):
    """Of each root a position less than alpha-beta, but of the first so many one more: few of them do not decide."""
    return [[value, nodes + (1 if k < count else -1)] for k, (value, nodes) in enumerate(one["Othello, 6 plies"]["off"])]


@pytest.mark.parametrize(
    ("part", "change", "claim"),
    [
        (exact.VALUES, lambda one: one["domains"]["tic-tac-toe"].update(right=9), 0),
        (exact.VALUES, lambda one: one["domains"]["tic-tac-toe"].update(tried_right=9), 0),
        (exact.TIC_TAC_TOE, lambda one: one.update(value=1.0), 0),
        (exact.TIC_TAC_TOE, lambda one: one["lines"].__setitem__(0, [1, 2, 70]), 1),
        (growth.GROWTH, lambda one: one["uniform"][3]["counts"]["best"].__setitem__(0, 8), 0),
        (growth.GROWTH, lambda one: one["own"][0].__setitem__(0, 1), 0),
        (growth.GROWTH, lambda one: one["uniform"][3].update(uncut=15), 3),
        (growth.GROWTH, lambda one: one["uniform"][3]["counts"].update(random=[7] * 10), 4),
        (growth.GROWTH, lambda one: one["uniform"][3]["counts"].update(random=[16] * 10), 4),
        (exact.TABLE, lambda one: one["trees"][0].update(is_equal=False), 0),
        (exact.TABLE, lambda one: one["trees"][0].update(nodes=[5, 5, 4, 4]), 0),
        (exact.TABLE, lambda one: one["tic_tac_toe"]["the table"].update(nodes=5479), 1),
        (exact.MAXN, lambda one: one.update(vector=[6.0, 1.0, 2.0]), 0),
        (exact.MAXN, lambda one: one["trees"].__setitem__(0, False), 0),
        (cutoff.CUTOFF, lambda one: one["ends"].update(Othello=[1, 2, 3, 3]), 0),
        (cutoff.CUTOFF, lambda one: one["deeper"]["Othello"].update(kept=0), 1),
        (selective.HORIZON, lambda one: one["grabbed"].update({"quiescence=1": [0, 0.5]}), 0),
        (selective.HORIZON, lambda one: one["delayed"].update({"singular=0.4": [0, 0.5]}), 1),
        (selective.BEAM, lambda one: one["wide"].__setitem__(0, False), 0),
        (selective.BEAM, lambda one: one["trees"][0].update({"1": [0.0, 10**6]}), 1),
        (selective.BEAM, lambda one: one["hidden"].update({"beam=2": [2, 0.8]}), 2),
        (selective.PROBCUT, lambda one: one["Othello, 6 plies"]["1e+09"].__setitem__(0, [0.0, 1]), 0),
        (selective.PROBCUT, lambda one: one["Othello, 6 plies"].update({"1": more_of(one, 150)}), 2),
        (DICE_GAME, lambda one: one["right"].update({"1": 39}), 0),
        (DICE_GAME, lambda one: one["grown"][0]["own"].__setitem__(0, 99), 1),
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


def test_figures_of_other_settings_are_refused_until_they_are_measured_again(tmp_path):
    kept = json.loads((DOCS / study.DATA).read_text())
    kept["digests"]["table"] = "0" * 16
    for folder in ("data", "images"):
        (tmp_path / folder).mkdir()
    (tmp_path / study.DATA).write_text(json.dumps(kept))
    with pytest.raises(SpecError, match="table: of other settings than this version's; measure them again"):
        study.read_figures(tmp_path)
    again = study.Settings(part=("table",), out=tmp_path / "out")
    study.reproduce(again)
    assert [line.partition(":")[0] for line in study.take_figures(again, tmp_path)] == ["table"]
    taken, before = (study.read_figures(docs)["parts"] for docs in (tmp_path, DOCS))
    assert taken["table"]["trees"] == before["table"]["trees"]
    assert {name: taken[name] for name in taken if name != "table"} == {
        name: before[name] for name in before if name != "table"
    }


def test_the_page_is_made_of_the_committed_figures():
    for path, text in study.make_pages(DOCS).items():
        assert path.read_text(encoding="utf-8") == text, "boardgym reproduce adversarial-search --docs docs"
    assert set(study.read_figures(DOCS)["parts"]) == set(study.PARTS)


def test_what_the_prose_says_is_what_the_figures_say():
    verdicts = {text: verdict for _, text, verdict, _ in study.verdicts(study.read_figures(DOCS))}
    not_shown = {text for text, verdict in verdicts.items() if verdict != "shown"}
    probcut_saves = "with t = {} it visits fewer positions at a measured error rate: {}"
    assert not_shown == {
        "with the worst moves first it visits all b^d",
        "every tree has an order in which it visits all b^d",
        *(probcut_saves.format(t, "Othello") for t in (2, 3)),
        *(probcut_saves.format(t, "random trees") for t in (1, 1.5, 2, 3)),
    }
    assert verdicts[probcut_saves.format(2, "Othello")] == "not decided"
    parts = study.read_figures(DOCS)["parts"]
    exponents = {name: f"{growth.exponent(counted[-1]):.2f}" for name, counted in parts["growth"]["games"].items()}
    assert exponents == {"ConnectFour-v0": "0.55", "Othello-v0": "0.67"}
    ratios = {one["start"]: ratio / factor for one in parts["dice"]["grown"] for ratio, factor in [growth_of(one)]}
    assert (min(ratios, key=ratios.get), round(ratios["5 5 1 2"], 2)) == ("5 5 1 2", 0.73)
    assert round(sum(ratios.values()) / len(ratios), 1) == 0.9
    othello = parts["probcut"]["Othello, 6 plies"]
    assert round(selective.visits(othello, "3") / selective.visits(othello, "off"), 2) == 0.98


def test_how_long_it_takes_is_told_in_one_way():
    assert 10 < sum(one["seconds"] for one in study.read_figures(DOCS)["parts"].values()) < 45
    page = (DOCS / study.PAGES[0]).read_text(encoding="utf-8")
    for text in (page, study.Settings.__doc__, " ".join(AdversarialSearch.EXAMPLES)):
        assert "half a minute of one core" in " ".join(text.split())
        assert "minutes" not in text


def test_a_regression_is_lent_and_taken_back():
    with probcut.using(FOREST, 4, 2, (1.5, 0.1, 0.2)):
        assert probcut.find_regression(FOREST, 4, 2, "spec") == (1.5, 0.1, 0.2)
        with probcut.using(FOREST, 4, 2, (2.0, 0.1, 0.2)):
            assert probcut.find_regression(FOREST, 4, 2, "spec") == (2.0, 0.1, 0.2)
        assert probcut.find_regression(FOREST, 4, 2, "spec") == (1.5, 0.1, 0.2)
    with pytest.raises(SpecError, match="no regression of depth 4 on 2"):
        probcut.find_regression(FOREST, 4, 2, "spec")
