"""The second program of the Othello study, in plain Python: by hand, and against the rules and the players of the package."""

import dataclasses
import math
import random

from boardgym.baselines.arena.compare import compare
from boardgym.core.board import Board
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q import plans, rules
from boardgym.studies.othello_q import reference as ref


def test_the_reference_by_hand():
    """First moves, a move that flips in two directions, a pass, and values worked out by hand."""
    assert {8 * 2 + 3, 8 * 3 + 2, 8 * 4 + 5, 8 * 5 + 4} == set(ref.moves(ref.start(), ref.BLACK))
    assert [len(ref.openings(n)) for n in (1, 2, 3)] == [4, 12, 56]
    cells = [0] * 64
    cells[1], cells[2], cells[8], cells[16] = ref.WHITE, ref.BLACK, ref.WHITE, ref.BLACK  # B1 C1, A2 A3
    assert ref.flips(cells, 0, ref.BLACK) == [1, 8]
    assert ref.moves(cells, ref.WHITE) == {3: [2], 24: [16]}  # D1, A4
    then = ref.after(cells, 0, ref.BLACK)
    assert ref.positional(then, ref.BLACK) == 100 - 20 + 10 - 20 + 10
    assert ref.mobility(then, ref.BLACK) == 10.0
    assert ref.is_over(then)
    assert ref.value_of("positional", then, ref.BLACK) == ref.WIN
    assert ref.value_of("positional", then, ref.WHITE, win=1) == -1


def test_the_reference_plays_as_the_players_do():
    """Mobility as black against random play, by a share of the openings: within three standard errors of each other."""
    choose, found = random.Random(1).choice, []
    for cells, side in ref.openings(4)[::6]:
        found.append(ref.play(cells, side, {ref.BLACK: "mobility", ref.WHITE: "random"}, choose) > 0)
    row = compare("mobility", "Othello-v0", ["random"], games=976, openings="openings-244", by_seat=True, seed=2,
                  deterministic=False, progress=False).row("random", seat=0)  # fmt: skip
    share, games = row.won.value, row.wins + row.draws + row.losses
    assert (len(found), games) == (41, 488)
    error = math.sqrt(share * (1.0 - share) * (1 / len(found) + 1 / games))
    assert abs(sum(found) / len(found) - share) < 3.0 * error < 0.22
    assert share > 0.7, "as random play it would win less than half"


def test_rules_and_players_agree_with_it(tmp_path, monkeypatch):
    monkeypatch.setitem(plans.PLANS, "small", dataclasses.replace(plans.PLANS["small"], positions=60))
    place = Place(tmp_path, lambda done: None)
    one, two = rules.check_rules(place, 0, "small"), rules.check_players(place, 0, "small")
    figures = {"rules": [{**one, "passes": 1}], "players": [two]}  # of so few positions none need be a pass
    verdicts = [claim.judge(figures)[0] for claim in rules.RULES.claims]
    assert verdicts == ["shown", "shown", "shown"]
    two["players"]["mobility"]["agree"] -= 1
    two["players"]["positional"]["ties"][0] = 1e-6
    assert [claim.judge({**figures, "rules": [{**one, "wrong": {"a forced pass": 1}}]})[0] for claim in rules.RULES.claims] == [
        "not shown"
    ] * 3
    board = Board("Othello-v0")
    board.push_move("d3")
    cells, side = rules.cells_of(board)
    assert (cells, side) == (ref.after(ref.start(), 19, ref.BLACK), ref.WHITE)
    assert rules.wrong_rules(board) == ""
