"""Co-evolution's part of the Abalearn study, on tic-tac-toe: the table's games, a cut, the page, verdicts by hand."""

import numpy as np
import pytest

from boardgym.baselines.arena.duels import Duels
from boardgym.baselines.learning.coevolution import CoevolutionConfig, HillClimber
from boardgym.studies.abalearn import coevolution as co
from boardgym.studies.jobs import Place

SIZE = 0.02  # 40 generations
PLAY = co.PART.works["all"].run


@pytest.fixture
def small(monkeypatch, tmp_path):
    """The part with trainings on tic-tac-toe, and a file as the only rival."""

    def config_of(seed, size, **settings):
        return CoevolutionConfig(**{"game": "TicTacToe-v0", "generations": co.number_of(2000, size), "games": 5, "noise": 0.3,
                                    "epsilon": 0.1, "seed": seed, **settings})  # fmt: skip

    rival = HillClimber(config_of(5, SIZE))
    rival.run().save(tmp_path / "rival")
    monkeypatch.setattr(co, "config_of", config_of)
    monkeypatch.setattr(co, "RIVALS", dict.fromkeys(co.RIVALS, f"file:{tmp_path / 'rival'}"))
    return config_of


def place(folder, stop=-1):
    told = []

    def tell(done):
        told.append(done)
        if len(told) == stop:
            raise KeyboardInterrupt

    folder.mkdir(exist_ok=True)
    return Place(folder, tell), told


def test_the_table_and_a_cut(small, tmp_path, capsys):
    here, told = place(tmp_path / "whole")
    found = PLAY(here, 1, SIZE)
    assert told[-1] == co.PART.works["all"].units
    climber = HillClimber(small(1, SIZE))
    climber.run()
    _, kept = climber.champions()
    assert found["climb"]["followed"] == climber.followed().sum() > 0
    assert found["climb"]["first"] == climber.followed().tolist().index(True) + 1
    rows = {(row["generation"], row["reference"]): row for row in found["rows"]}
    assert list(rows) == [(g, reference) for reference in (1000, 2000) for g in (10, *range(100, 2001, 100))]
    players = [climber.player(kept[k], epsilon=0.1) for k in (2, 4)]  # of 20 and 40 for 1000 and 2000
    scores = Duels(climber.game, max_plies=400).play(*players, 10, seed=1, path=(co.TABLE_STREAM, 40, 20)).scores
    row = rows[1000, 2000]
    assert [row["won"], row["drawn"], row["lost"]] == [(scores == score).sum() for score in (1, 0, -1)]
    assert row["longest"] == 0
    for stop in (3, 7, 35):  # in training, and at games
        with pytest.raises(KeyboardInterrupt):
            PLAY(place(tmp_path / "cut", stop)[0], 1, SIZE)
    assert PLAY(place(tmp_path / "cut")[0], 1, SIZE) == found
    readings = co.try_readings(place(tmp_path / "readings")[0], 0, SIZE)
    other = readings["readings"]["wins of decided games, step 0.5"]
    assert other["climb"]["settings"]["wins_of"] == "decided"
    assert [row["generation"] for row in other["rows"]] == [10, 500, 1000, 1500, 2000]
    figures = {kind: [{"seed": 1, **found}] for kind in co.TABLES} | {"readings": [{"seed": 0, **readings}]}
    text = "\n".join(co.page(figures))
    assert "| 10 | 0.310; 0.036 |" in text
    assert "| wins of decided games, step 0.5 |" in text
    co.PART.pictures["shares_all"](tmp_path / "shares.png", figures)
    assert (tmp_path / "shares.png").read_bytes().startswith(b"\x89PNG")
    assert {claim.judge(figures)[0] for claim in co.PART.claims} <= {"shown", "not shown", "not decided"}


def test_rows_by_hand():
    row = co.row_of([3, 0, 2], [1, 0, 2], 5)
    assert (row["won"], row["drawn"], row["lost"], row["shares"]) == (5, 7, 3, [0.75, 0.5])
    assert (row["mean"], row["sd"], row["share"]) == (0.625, pytest.approx(0.25 / 2**0.5), 0.625)
    assert (row["low"], row["high"]) == (pytest.approx(0.2449, abs=1e-4), pytest.approx(0.9148, abs=1e-4))  # exact, 5 of 8
    assert co.row_of([0], [0], 5) == {
        "won": 0,
        "drawn": 5,
        "lost": 0,
        "shares": [],
        "mean": None,
        "sd": None,
        "share": None,
        "low": None,
        "high": None,
    }
    both = co.together([{**row, "longest": 2}, {**co.row_of([1], [0], 4), "longest": 1}])
    assert [both[name] for name in ("won", "drawn", "lost", "longest")] == [6, 10, 3, 3]
    assert both["share"] == pytest.approx(6 / 9)


def test_numbers_at_a_size():
    assert [co.number_of(g, 1.0) for g in (10, 500, 2000)] == [10, 500, 2000]
    assert [co.number_of(g, 0.01) for g in (10, 500, 2000)] == [10, 10, 20]


def made(shares, *, longest=(300, 300, 300), minimax=0.1, first=1):
    """Figures of seeds. shares: of each {(generation, reference): share of 300 games}, else 0.5. longest: of each, a row."""
    table, rivals = [], dict.fromkeys(co.RIVALS, games(minimax))
    for seed, one in enumerate(shares, start=1):
        rows = [{"generation": g, "reference": other, "longest": longest[seed - 1], **games(one.get((g, other), 0.5))}
                for other in co.REFERENCES for g in co.SAMPLED]  # fmt: skip
        table.append({"seed": seed, "rows": rows, "rivals": rivals, "climb": {"first": first}})
    return dict.fromkeys(co.TABLES, table)


def games(share):
    return co.row_of([round(30 * share)] * 10, [30 - round(30 * share)] * 10, 30)


def test_rank_correlation_is_that_of_places():
    assert co.rank_correlation([3.0, 2.0, 1.0]) == pytest.approx(-1.0)
    assert co.rank_correlation([0.1, 0.4, 0.2, 0.9]) == pytest.approx(1 - 6 * 2 / (4 * 15))  # 1 - 6 sum d^2 / (n (n^2 - 1))
    assert co.rank_correlation([0.1, 0.4, 0.4]) == pytest.approx(1.5 / np.sqrt(2.0 * 1.5))  # ranks 1, 2.5, 2.5
    assert co.rank_correlation([0.5, 0.5]) == 0.0


def test_a_trend_is_of_all_generations():
    rise = {(g, 2000): 0.2 + 0.3 * g / 2000 for g in co.SAMPLED}
    fall = {(g, 2000): 0.8 - 0.3 * g / 2000 for g in co.SAMPLED}
    only_first = {(10, 2000): 0.1, **{(g, 2000): 0.5 + 0.1 * (g // 100 % 2) for g in co.SAMPLED[1:]}}
    improves = co.improves("all")
    verdict, text = improves(made([rise] * 3))
    assert verdict == "shown"
    assert text.endswith("rises with 3 of 3, falls with 0")
    assert "of each seed: +1.00 (beyond 0.46 is off zero; generation 10: 60-0-240, 0.200 [" in text
    assert "generation 10, still the net of zeros: " in improves(made([rise] * 3, first=11))[1]
    assert "net of zeros" not in improves(made([rise] * 3, first=10))[1]
    assert improves(made([rise] * 2))[0] == "not decided"  # fewer seeds than asked for
    assert improves(made([rise, rise, only_first]))[0] == "not decided"
    assert improves(made([rise, rise, fall]))[0] == "not shown"


def test_verdicts_by_hand():
    loses, are_long, goes_round = (make("decided") for make in (co.loses_to_minimax, co.are_long, co.goes_round))
    assert loses(made([{}] * 3))[0] == "shown"
    assert loses(made([{}] * 3))[1].endswith("below one half with 3 of 3 seeds, above with 0")
    assert loses(made([{}] * 3, minimax=0.9))[0] == "not shown"
    assert are_long(made([{}] * 3))[0] == "shown"
    assert are_long(made([{}] * 3, longest=(300, 150, 300)))[0] == "not decided"  # though most of all together are
    assert are_long(made([{}] * 3, longest=(300, 30, 300)))[0] == "not shown"
    ring = {(1000, 2000): 0.3, (500, 1000): 0.3, (500, 2000): 0.7}  # 2000 beats 1000 beats 500 beats 2000
    row = {(1000, 2000): 0.3, (500, 1000): 0.3, (500, 2000): 0.3}
    narrow = {(1000, 2000): 0.3, (500, 1000): 0.3, (500, 2000): 17 / 30}  # of one share, not of one of 19
    assert goes_round(made([ring] * 3))[0] == "shown"
    assert "of 99.74 %, as 19 are tried, of each seed: 500; 500; 500; other" in goes_round(made([ring] * 3))[1]
    assert goes_round(made([ring, ring, row]))[0] == "not decided"  # others may be there
    assert "500; none; none, as 1000 and 2000 are not told apart; other" in goes_round(made([ring, row, {}]))[1]
    assert co.side(games(17 / 30)) == 1
    assert goes_round(made([ring, ring, narrow]))[0] == "not decided"
