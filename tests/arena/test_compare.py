"""The comparison: counts, table, JSON, the same in every process."""

import dataclasses
import importlib
import io
import json
import os
import subprocess
import sys
import types

import pytest
from rich.console import Console

from boardgym.baselines import Comparison, compare, play_match
from boardgym.baselines.arena.compare import comparison_of, is_among, summarise
from boardgym.baselines.arena.match import Match
from boardgym.baselines.arena.ratings import EloEstimate
from boardgym.baselines.arena.record import GameRecord
from boardgym.core.errors import NotationError, OptionError, SpecError, UnknownGameError
from boardgym.studies.exact import clopper_pearson

C4 = "ConnectFour-v0"
OPPONENTS = ["random", "greedy", "epsilon:0.1(greedy)"]


@pytest.fixture(scope="module")
def comparison():
    return compare("greedy", C4, OPPONENTS, games=40, seed=1)


def test_counts_agree_with_the_match(comparison):
    match = play_match("greedy", "greedy", C4, games=40, seed=1)
    row = comparison.row("greedy")
    scores = [game.score for game in match.games]
    assert (row.wins, row.draws, row.losses) == tuple(scores.count(s) for s in (1.0, 0.5, 0.0))
    assert row.score.value == pytest.approx(sum(scores) / 40)
    assert row.score_by_seat == (sum(scores[0::2]) / 20, sum(scores[1::2]) / 20)
    assert row == summarise(match)
    assert comparison_of(match).rows == (row,)


def test_greedy_beats_random(comparison):
    row = comparison.row("random")
    assert row.wins >= 0.9 * row.games
    assert row.score.low > 0.8
    assert (row.forfeits, row.opponent_forfeits, row.caps) == (0, 0, 0)


def test_distinct_games():
    row = compare("greedy", C4, ["greedy"], games=10, openings="start", deterministic=True).rows[0]
    assert row.distinct_games <= 10
    fixed = play_match("greedy", "greedy", C4, games=10, openings="start", deterministic=(True, True))
    assert summarise(fixed).distinct_games == 1


def test_who_forfeits_all_games_has_no_elo():
    class Loser:
        spec = "loser"

        def reset(self, *, seed=None):
            pass

        def act(self, board, *, deterministic=False):
            raise RuntimeError("I give up")

    result = compare("greedy", C4, [Loser()], games=20)
    row = result.rows[0]
    assert (row.wins, row.opponent_forfeits, row.forfeits, row.pairs) == (0, 20, 0, (0, 0, 0, 0, 10))
    assert (row.score.value, row.elo, row.absent) == (1.0, EloEstimate(None, None, None), "opponent")
    assert row.messages == ("RuntimeError: I give up",)
    assert "I give up" in str(result)
    turned = compare(Loser(), C4, ["greedy"], games=20).rows[0]
    assert (turned.losses, turned.forfeits, turned.opponent_forfeits, turned.absent) == (0, 20, 0, "agent")


def test_clean_sweep_shows_a_bound():
    result = compare("minimax:2", C4, ["random"], games=8)
    row = result.rows[0]
    assert (row.wins, row.pairs, row.absent) == (8, (0, 0, 0, 0, 4), None)
    assert (row.elo.value, row.elo.high) == (None, None)
    assert f"> {row.elo.low:+.0f}" in str(result)


def test_a_player_who_fails_now_and_then_is_no_absent_one():
    class Moody:
        spec = "moody"

        def reset(self, *, seed=None):
            self.fails = seed % 2

        def act(self, board, *, deterministic=False):
            if self.fails:
                raise RuntimeError("not today")
            return board.legal_actions[0]

    result = compare("greedy", C4, [Moody()], games=40)
    row = result.rows[0]
    assert 0 < row.opponent_forfeits < 40
    assert row.wins + row.draws + row.losses == 40 - row.opponent_forfeits
    assert row.absent is None
    assert row.score.value == (row.wins + row.draws / 2 + row.opponent_forfeits) / 40
    narrow = printed(result, 80)
    assert f"{row.wins}-{row.draws}-{row.losses} " in narrow
    assert "opp. f." in narrow


def test_json_round_trip(comparison):
    again = Comparison.from_json(comparison.to_json())
    assert again == comparison
    assert str(again) == str(comparison)
    for text in ("{}", "[]", "nonsense", comparison.to_json().replace("boardgym-comparison", "x")):
        with pytest.raises(NotationError, match="expected the JSON of a comparison"):
            Comparison.from_json(text)


def test_table_text(comparison):
    text = str(comparison)
    for word in ("greedy", C4, *OPPONENTS, "as x", "as o", "forfeits", "caps", "distinct", "seed 1", "heldout", "best actions"):
        assert word in text
    assert len({line.find("[") for line in text.splitlines() if "[" in line}) == 1  # columns line up


def printed(comparison, width):
    file = io.StringIO()
    Console(file=file, width=width).print(comparison)
    return file.getvalue()


def test_table_fits_a_narrow_terminal(comparison):
    wide, narrow = printed(comparison, 200), printed(comparison, 80)
    assert "forfeits" in wide
    assert "won-drawn-lost" in narrow
    for text in (wide, narrow):
        assert all(f" {opponent} " in text for opponent in OPPONENTS)
        assert "…" not in text


def test_the_same_table_in_two_processes():
    code = (
        "import boardgym.games; from boardgym.baselines import compare; "
        "print(compare('epsilon:0.2(greedy)', 'ConnectFour-v0', ['random', 'mix(0.5*greedy, 0.5*random)'], games=20).to_json())"
    )
    outputs = [
        subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True)
        for seed in ("1", "2")
    ]
    assert outputs[0].stdout == outputs[1].stdout != b""


def test_opponents_do_not_influence_each_other(comparison):
    assert compare("greedy", C4, OPPONENTS[::-1], games=40, seed=1).row("random") == comparison.row("random")


def test_on_row_gives_what_is_finished():
    seen = []
    compare("greedy", C4, ["random", "greedy"], games=4, on_row=seen.append)
    assert [len(c.rows) for c in seen] == [1, 2]


def test_progress_function():
    calls = []
    compare("greedy", C4, ["random", "greedy"], games=4, progress=lambda *state: calls.append(state))
    assert [(done, total) for done, total, _ in calls] == [(i, 8) for i in range(1, 9)]
    assert calls[-1][2] == "greedy - greedy"


def test_trained_against():
    trained = ["mix(0.3*random, 0.4*epsilon:0.10(greedy), 0.3*minimax:2)"]
    assert is_among("random", trained)
    assert is_among("greedy", trained)
    assert is_among("epsilon:0.1( greedy )", trained)
    assert is_among("minimax:2", trained)
    assert not is_among("minimax:4", trained)
    assert not is_among("epsilon:0.2(greedy)", trained)
    assert is_among("my agent(", ["my agent("])
    rows = compare("greedy", C4, ["random", "greedy"], games=2, trained_against=["random"]).rows
    assert [row.trained_against for row in rows] == [True, False]


def test_a_foreign_model_is_recognised(monkeypatch):
    """Anything with `predict` and `policy` goes to `boardgym.wrappers.sb3:from_sb3`, which is loaded when it is needed."""

    class Model:
        policy = object()

        def predict(self, observation):
            raise AssertionError("the wrapper is asked, not the model")

    class Wrapped:
        spec, trained_against = "sb3:model", ("random",)

        def reset(self, *, seed=None):
            pass

        def act(self, board, *, deterministic=False):
            return board.legal_actions[0]

    wrapper = types.SimpleNamespace(from_sb3=lambda model, game: Wrapped())
    real = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", lambda name: wrapper if name == "boardgym.wrappers.sb3" else real(name))
    result = compare(Model(), C4, ["random"], games=4)
    assert result.agent == "sb3:model"
    assert result.rows[0].trained_against is True


def test_bad_input_is_found_before_play():
    with pytest.raises(OptionError, match="games=401"):
        compare("greedy", C4, ["random"], games=401)
    for bad in ({"games": 4.0}, {"games": "4"}, {"seed": -1}, {"seed": 2**64}):
        with pytest.raises(OptionError, match="expected"):
            compare("greedy", C4, ["random"], **bad)
    with pytest.raises(SpecError, match="no policy is called 'gredy'"):
        compare("greedy", C4, ["random", "gredy"])
    with pytest.raises(SpecError, match="no opponents"):
        compare("greedy", C4, [])
    with pytest.raises(OptionError, match="openings"):
        compare("greedy", C4, ["random"], openings="all")
    with pytest.raises(UnknownGameError):
        compare("greedy", "Chess-v0", ["random"])
    with pytest.raises(KeyError, match="there are rows for"):
        compare("greedy", C4, "random", games=2).row("greedy")


def test_an_unfinished_pair_does_not_count():
    match = play_match("greedy", "random", C4, games=4)
    cut = Match(**{**vars(match), "games": match.games[:3]})
    assert summarise(cut).games == 2
    assert (cut.finished_games, len(cut.pair_scores)) == (match.games[:2], 1)
    assert isinstance(cut.games[2].record, GameRecord)


def test_the_arena_needs_neither_torch_nor_sb3():
    code = (
        "import sys, boardgym.baselines; print([m for m in ('torch', 'stable_baselines3', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_seats_apart():
    """Two rows an opponent, of the same games as the swapped one, with the exact intervals of shares."""
    games, opponents = 488, ["positional", "max_disc"]
    swapped, apart = (
        compare(
            "mobility", "Othello-v0", opponents, games=games, openings="openings-244", by_seat=by_seat, seed=1, progress=False
        )
        for by_seat in (False, True)
    )
    assert [(row.opponent, row.seat, row.games) for row in apart.rows] == [
        (opponent, seat, 244) for opponent in opponents for seat in (0, 1)
    ]
    for opponent in opponents:
        row, seats = swapped.row(opponent), [apart.row(opponent, seat) for seat in (0, 1)]
        for name in ("wins", "draws", "losses", "distinct_games"):
            assert getattr(row, name) == sum(getattr(one, name) for one in seats)
        assert row.score_by_seat == (seats[0].score.value, seats[1].score.value)
        assert [one.score_by_seat.index(None) for one in seats] == [1, 0]
        assert row.not_lost.value == pytest.approx((row.wins + row.draws) / games)
        for one in seats:
            for share, count in ((one.won, one.wins), (one.not_lost, one.wins + one.draws)):
                exact = clopper_pearson(count, 244)
                assert (share.value, share.low, share.high) == pytest.approx((exact.value, exact.low, exact.high), abs=1e-6)
    assert Comparison.from_json(apart.to_json()) == apart
    wide, narrow = printed(apart, 200), printed(apart, 80)
    for text in (wide, narrow):
        assert "share not lost" in text
        assert "…" not in text
        cells = [line.split()[:2] for line in text.splitlines()]
        assert all([opponent, colour] in cells for opponent in opponents for colour in ("black", "white"))
        assert "each opening in turn, agent as black and as white" in " ".join(text.split())
    with pytest.raises(NotationError, match="score rates"):
        Comparison.from_json(apart.to_json().replace('"seat": 0', '"seat": 1'))


@pytest.fixture(scope="module")
def by_seat():
    return compare("greedy", C4, ["random", "greedy"], games=8, by_seat=True, seed=1, progress=False)


def test_a_row_is_named_by_its_opponent_and_seat(by_seat, comparison):
    assert [by_seat.row("greedy", seat) for seat in (0, 1)] == [*by_seat.rows[2:]]
    with pytest.raises(KeyError, match=r"'greedy' has 2 rows: \[\('greedy', 0\), \('greedy', 1\)\]; name one by seat="):
        by_seat.row("greedy")
    with pytest.raises(KeyError, match=r"'first'; there are rows for \[\('random', 0\), .*\('greedy', 1\)\]"):
        by_seat.row("first")
    with pytest.raises(KeyError, match=r"'random' at seat 1; there are rows for \['random', "):
        comparison.row("random", 1)
    twice = dataclasses.replace(comparison, rows=comparison.rows[:1] * 2)
    with pytest.raises(KeyError, match=r"'random' has 2 rows: \['random', 'random'\]"):
        twice.row("random")


def test_the_table_of_a_match_at_one_seat():
    """The agent has the seat: a column of its own says so, and nothing that reads "random as o"."""
    found = comparison_of(play_match("perfect", "random", "TicTacToe-v0", games=9, openings="start", seat=1))
    for text in (str(found), printed(found, 80)):
        assert ["random", "o"] in [line.split()[:2] for line in text.splitlines()]
        assert "openings: start, each opening in turn, agent as o; seed 0" in " ".join(text.split())
        assert "random as o" not in text
    assert "opponent  agent plays  games" in str(found)
    fixed = play_match("greedy", "greedy", C4, games=4, openings="start", seat=1, deterministic=(True, True))
    assert "greedy, agent as o: 1 of 4 games distinct" in printed(comparison_of(fixed), 80)


def test_forfeits_leave_room_for_the_names():
    """In 80 columns those of games at one seat stand below the table."""

    class Loser:
        spec = "loser_with_a_name"

        def reset(self, *, seed=None):
            pass

        def act(self, board, *, deterministic=False):
            raise RuntimeError("no idea")

    found = compare("greedy", C4, [Loser()], games=4, by_seat=True, progress=False)
    narrow = printed(found, 80)
    assert [line.split()[1:3] for line in narrow.splitlines() if "0-0-0" in line] == [["x", "0-0-0"], ["o", "0-0-0"]]
    assert all(f"loser_with_a_name, agent as {seat}: 2 opp. f." in narrow for seat in "xo")
    assert narrow.count("RuntimeError: no idea") == 1
    assert " ".join(narrow.split()).count("in score rates and shares they are losses") == 1
    assert all(word in printed(found, 200) for word in ("forfeits  opp. f.", "loser_with_a_name  x "))


def test_shares_are_held_to_the_counts(by_seat, comparison):
    for found in (by_seat, comparison):
        for name in ("won", "not_lost"):
            content = found.to_dict()
            share = content["rows"][0][name]
            share["value"] = 0.1 if share["value"] > 0.5 else 0.9
            with pytest.raises(NotationError, match=f"the share 0.[19] {name.replace('_', ' ')}"):
                Comparison.from_json(json.dumps(content))


def test_a_row_at_one_seat_has_no_pairs(by_seat, comparison):
    """Whose files once had the scores of games there are read; any other number is refused."""
    assert {row.pairs for row in by_seat.rows} == {(0, 0, 0, 0, 0)}
    content = by_seat.to_dict()
    for row in content["rows"]:
        row["pairs"] = (row["losses"], 0, row["draws"], 0, row["wins"])
    assert Comparison.from_json(json.dumps(content)) == by_seat
    with pytest.raises(NotationError, match="rows of pairs and rows of games at one seat"):
        Comparison.from_json(json.dumps(content | {"rows": [*content["rows"], *comparison.to_dict()["rows"]]}))
    content["rows"][0]["pairs"] = (0, 2, 0, 0, 0)
    with pytest.raises(NotationError, match="other sums"):
        Comparison.from_json(json.dumps(content))


def test_files_of_earlier_versions_have_no_shares(comparison):
    old = comparison.to_dict()
    for row in old["rows"]:
        for name in ("seat", "won", "not_lost"):
            del row[name]
    again = Comparison.from_json(json.dumps(old))
    assert str(again) == str(comparison)
    assert again.rows[0].not_lost is None
