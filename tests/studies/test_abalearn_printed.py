"""The printed weights of the Abalearn study as players: whose marbles they count, and what they score."""

import json

import pytest

from boardgym import Board
from boardgym.cli import main
from boardgym.studies.abalearn import printed
from boardgym.studies.verdicts import MANY

PUSH = "sssss/ssssss/2ss3/8/sSS6/8/2S4/SSSSSS/SSSSS 0 0 b 0"  # black on e2 and e3 can push e1 off
BEST = ("I", 1000)


def figures_of(shares, seeds=MANY):
    """Results in which sets of weights end so many of 100 games ahead. shares: {(net, order, off-board distance): percent}."""
    tests = {
        printed.name_of(net, order, *test): {"games": 100, "ahead": shares.get((net, order, test[0]), 0), "level": 0,
                                             "behind": 0, "won": 0, "lost": 0}
        for net in printed.WEIGHTS for order in printed.ORDERS for test in printed.TESTS}  # fmt: skip
    return {"tests": [{"seed": seed, "tests": tests} for seed in range(1, seeds + 1)]}


@pytest.mark.parametrize("net", printed.WEIGHTS)
@pytest.mark.plain(boards=True)
def test_the_large_weight_is_of_marbles_that_the_other_has_lost(net):
    """A push is worth the large weight as printed, the small one with the two columns exchanged; all else is worth the same."""
    as_printed, exchanged = (printed.player_of(net, order) for order in printed.ORDERS)
    board = Board.from_fen(PUSH, as_printed.game)
    ours, theirs = as_printed.action_values(board), exchanged.action_values(board)
    pushes = 0
    for action in board.legal_actions:
        board.push(action)
        pushed = board.position.other_score  # by black, who has moved
        board.pop()
        own, other = (printed.WEIGHTS[net][printed.SPATIAL.index(f"{side} pushed off")] for side in ("own", "other"))
        assert ours[action] - theirs[action] == pytest.approx(pushed * (other - own))
        pushes += pushed
    assert pushes == 1
    assert other > 1.5 > 0.11 > own


def test_verdicts_by_hand():
    rates = {net: printed.printed_rate(net) for net in printed.WEIGHTS}
    assert sorted(rates.values()) == [9, 35, 61]
    found = {(net, "as printed", test[0]): rate for net, rate in rates.items() for test in printed.JUDGED}
    figures = figures_of(found)
    assert {printed.fits(figures, test)[0] for test in printed.JUDGED} == {"shown"}
    assert printed.is_ordered(figures)[0] == printed.is_of_the_other(figures)[0] == "shown"
    assert "[51, 71]" in printed.fits(figures, printed.JUDGED[0])[1]  # of 61 of 100, Clopper and Pearson
    worse = figures_of({**found, (BEST, "as printed", 4.5): 30})
    assert [printed.fits(worse, test)[0] for test in printed.JUDGED] == ["shown", "not shown", "shown"]
    assert printed.is_ordered(worse)[0] == "not shown"
    assert printed.is_of_the_other(figures_of({**found, (BEST, "exchanged", 0.0): 70}))[0] == "not shown"
    assert printed.fits(figures_of(found, seeds=3), printed.JUDGED[0])[0] == "not decided"
    page = "\n".join(printed.page(figures))
    assert "| method I, lambda 0.7, 1,000 games | as printed | 61 | 61.0 ± 0.0 | 0.0 ± 0.0 | 61.0 ± 0.0 |" in page


def test_the_command_plays_them(tmp_path, capsys, monkeypatch):
    """A small look with two seeds, which decides nothing; the same seeds give the same figures."""
    monkeypatch.setattr(printed, "TESTS", printed.JUDGED)
    found = []
    for folder in ("a", "b"):
        arguments = ["reproduce", "abalearn", "--part", "printed", "--seeds", "2", "--size", "0.1", "--json"]
        assert main([*arguments, "--out", str(tmp_path / folder)]) == 0
        found.append(json.loads(capsys.readouterr().out))
    ours, theirs = ([one["tests"] for one in each["parts"]["printed"]["figures"]["tests"]] for each in found)
    assert ours == theirs
    assert ours[0] != ours[1]
    judged = [line for line in found[0]["verdicts"] if line["claim"] == 5]
    assert len(judged) == len(printed.PART.claims)
    assert {line["verdict"] for line in judged} == {"not decided"}
    best = [printed.name_of(BEST, order, *printed.JUDGED[0]) for order in printed.ORDERS]
    ahead = [sum(one[name]["ahead"] for one in ours) for name in best]
    assert ahead[0] >= 8 > ahead[1]  # of 20: about 74 % and 0
    assert "the printed weights as players" in (tmp_path / "a" / "printed-0.1.md").read_text()
