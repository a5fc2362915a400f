"""Ladders: rows against the rung below, files that are gone on with, the table."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from boardgym.baselines.arena import ladder as arena
from boardgym.baselines.arena.compare import Row
from boardgym.baselines.arena.ladder import Ladder, play_ladder, usual_rungs
from boardgym.baselines.arena.match import play_match
from boardgym.baselines.arena.ratings import SCORES, estimate_elo, score_interval
from boardgym.cli import main
from boardgym.core.errors import NotationError, OptionError, SpecError, UnsupportedGameError

RUNGS = ("random", "greedy", "minimax:2")


def test_each_rung_plays_the_one_below_it():
    ladder = play_ladder("TicTacToe-v0", RUNGS, games=20, seed=3)
    assert [row.opponent for row in ladder.rows] == ["random", "greedy"]
    for below, above, row in zip(RUNGS, RUNGS[1:], ladder.rows, strict=False):
        match = play_match(above, below, "TicTacToe-v0", games=20, seed=3, deterministic=False)
        assert row.score.value == sum(game.score for game in match.games) / 20
    assert ladder.rows[0].score.value > 0.5
    ratings = ladder.ratings()
    assert [rating.name for rating in ratings] == list(RUNGS)
    assert (ratings[0].elo, ratings[0].low, ratings[0].high) == (0.0, 0.0, 0.0)


def row_of(pairs, opponent="x"):
    """A row of so many pairs with each score, of which at most one game is told as drawn."""
    score = score_interval(np.repeat(SCORES, pairs))
    games = 2 * sum(pairs)
    wins, draws = divmod(round(2 * score.value * games), 2)
    return Row(
        opponent,
        games,
        games,
        wins,
        draws,
        games - wins - draws,
        0,
        0,
        pairs,
        (score.value,) * 2,
        score,
        estimate_elo(score),
        0,
        None,
        False,
        (),
    )


def ladder_of(*rows, rungs=None, spare=()):
    rungs = tuple(f"p{k}" for k in range(len(rows) + 1)) if rungs is None else rungs
    return Ladder("TicTacToe-v0", {}, "heldout", 1, rows[0].games, rungs, rows, spare)


def test_the_rating_of_one_step_is_its_score_rate_with_a_drawn_game_more():
    row = row_of((3, 5, 20, 40, 32))
    (_, found) = ladder_of(row).ratings()
    points = row.score.value * 200 + 0.5
    assert found.elo == pytest.approx(400 * math.log10(points / (201 - points)))
    assert (found.low, found.high) == pytest.approx((row.elo.low, row.elo.high), abs=6)  # by draws here, exact there
    assert found.low < row.elo.value < found.high
    assert found.games == 200


def test_a_ladder_does_not_begin_again_at_a_clean_sweep():
    steps = [row_of((3, 5, 20, 40, 32)), row_of((0, 0, 0, 0, 100)), row_of((10, 20, 40, 20, 10))]
    ratings = ladder_of(*steps).ratings()
    assert ratings[2].elo - ratings[1].elo == pytest.approx(400 * math.log10(401), abs=0.01)  # 200.5 to 0.5
    assert ratings[3].elo == pytest.approx(ratings[2].elo, abs=0.01)
    assert [rating.high for rating in ratings[2:]] == [math.inf, math.inf]
    assert ratings[2].low == pytest.approx(ratings[1].elo + steps[1].elo.low, abs=150)
    assert ratings[2].low > ratings[1].high
    assert ratings[3].low > ratings[1].elo


def test_what_is_swept_may_be_weaker_without_bound():
    ratings = ladder_of(row_of((0, 0, 10, 0, 10)), row_of((20, 0, 0, 0, 0)), row_of((0, 0, 0, 0, 20))).ratings()
    assert [(rating.low, math.isinf(rating.high)) for rating in ratings[2:]] == [(-math.inf, False), (-math.inf, True)]


def test_random_is_the_anchor_wherever_it_stands():
    ladder = ladder_of(row_of((0, 0, 20, 0, 0)), row_of((0, 10, 10, 0, 0)), rungs=("greedy", "minimax:1", "random"))
    assert ladder.anchor == 2
    ratings = ladder.ratings()
    assert ratings[2].elo == 0.0
    assert ratings[0].elo == pytest.approx(ratings[1].elo)
    assert ratings[0].low < ratings[1].low < ratings[1].high < ratings[0].high  # it is farther away


def test_games_between_rungs_that_are_no_neighbours_count():
    step, far = row_of((5, 0, 10, 0, 15)), row_of((0, 0, 5, 0, 25))
    alone = ladder_of(step, step).ratings()
    ladder = ladder_of(step, step, spare=(("p2", "p0", far), ("p9", "p0", far)))
    together = ladder.ratings()
    assert [rating.games for rating in together] == [120, 120, 120]
    assert together[2].high - together[2].low < alone[2].high - alone[2].low
    assert ladder_of(step, step, spare=(("p2", "p0", far),)).ratings() == together == ladder.ratings()


def test_rows_of_a_policy_against_itself_say_nothing(tmp_path):
    file = tmp_path / "ladder.json"
    play_ladder("TicTacToe-v0", ("greedy", "greedy"), games=4, file=file)
    ladder = play_ladder("TicTacToe-v0", ("random", "greedy", "minimax:1"), games=4, file=file)
    assert len(ladder.spare) == 1
    assert ladder.ratings() == replace(ladder, spare=()).ratings()
    assert "minimax:1" in str(ladder)


def test_which_way_round_a_pair_stands_does_not_count():
    step, far = row_of((5, 0, 10, 0, 15)), row_of((0, 0, 5, 0, 25))
    turned = row_of((25, 0, 5, 0, 0))
    one, other = (ladder_of(step, step, spare=(pair,)) for pair in (("p2", "p0", far), ("p0", "p2", turned)))
    assert one.ratings() == other.ratings()


def test_who_never_played_has_no_rating():
    """Nor those above, whom nothing else joins to the foot of the ladder."""
    step, far = row_of((5, 0, 10, 0, 15)), row_of((0, 0, 5, 0, 25))
    absent = replace(row_of((20, 0, 0, 0, 0)), losses=0, forfeits=40)
    ladder = ladder_of(step, absent, step)
    assert [math.isnan(rating.elo) for rating in ladder.ratings()] == [False, False, True, True]
    assert "none" in str(ladder)
    ratings = replace(ladder, spare=(("p3", "p1", far),)).ratings()
    assert not any(math.isnan(rating.elo) for rating in ratings)


def test_the_intervals_of_ratings_cover():
    """Three steps of known strength, 20 pairs each, 100 times: the top rung's interval, from the foot of the ladder."""
    rng, held = np.random.default_rng(5), 0
    for trial in range(100):
        rows = [row_of(tuple(rng.multinomial(20, [0.05, 0.1, 0.2, 0.25, 0.4]).tolist())) for _ in range(3)]
        top = replace(ladder_of(*rows), seed=trial).ratings()[3]
        held += top.low <= 3 * 400 * math.log10(0.7125 / 0.2875) <= top.high
    assert held >= 95


def test_usual_rungs_end_with_perfect_where_the_start_is_solved():
    assert usual_rungs("TicTacToe-v0")[-1] == usual_rungs("CardPoints-v0")[-1] == "perfect"
    assert usual_rungs("Othello-v0")[-1] == usual_rungs("NineMensMorris-v0")[-1] == "uct:20000"


def test_a_file_is_gone_on_with(tmp_path, monkeypatch):
    file, played = tmp_path / "ladder.json", []

    def interrupted(ladder):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_ladder("TicTacToe-v0", RUNGS, games=10, file=file, on_row=interrupted)
    assert len(Ladder.from_json(file.read_text()).rows) == 1
    play = arena.mt.play_match
    monkeypatch.setattr(
        arena.mt, "play_match", lambda a, b, *args, **named: played.append(b.spec) or play(a, b, *args, **named)
    )
    resumed = play_ladder("TicTacToe-v0", RUNGS, games=10, file=file)
    assert played == ["greedy"]
    assert resumed == play_ladder("TicTacToe-v0", RUNGS, games=10) == Ladder.from_json(file.read_text())
    with pytest.raises(OptionError, match="a ladder of games 10, asked for is 12"):
        play_ladder("TicTacToe-v0", RUNGS, games=12, file=file)
    for content in (b"{}", b"\xff\xfe"):
        file.write_bytes(content)
        with pytest.raises(NotationError, match=r"ladder\.json: .*take another file"):
            play_ladder("TicTacToe-v0", RUNGS, games=10, file=file)
    with pytest.raises(FileNotFoundError, match=r"absent.ladder\.json'"):
        play_ladder("TicTacToe-v0", RUNGS, games=10, file=tmp_path / "absent" / "ladder.json")


def test_a_file_keeps_the_rows_of_other_rungs(tmp_path, monkeypatch):
    file = tmp_path / "ladder.json"
    whole = play_ladder("TicTacToe-v0", RUNGS, games=4, file=file)
    monkeypatch.setattr(arena.mt, "play_match", None)  # nothing is played any more
    short = play_ladder("TicTacToe-v0", RUNGS[:2], games=4, file=file)
    assert (short.rows, [entry[:2] for entry in short.spare]) == (whole.rows[:1], [("minimax:2", "greedy")])
    assert play_ladder("TicTacToe-v0", RUNGS, games=4, file=file) == whole
    with pytest.raises(TypeError):
        play_ladder("TicTacToe-v0", ("random", "greedy", "minimax:1", "minimax:2"), games=4, file=file)
    assert Ladder.from_json(file.read_text()).pairs() == whole.pairs()


def test_lists_of_openings_are_told_apart(tmp_path):
    file = tmp_path / "ladder.json"
    play_ladder("TicTacToe-v0", RUNGS[:2], games=4, openings=[["a1"]], file=file)
    with pytest.raises(OptionError, match="holds a ladder of openings 'list "):
        play_ladder("TicTacToe-v0", RUNGS[:2], games=4, openings=[["b2", "a1"]], file=file)


def test_what_is_no_ladder_is_refused():
    with pytest.raises(SpecError, match="a ladder of 1 rungs; expected at least two"):
        play_ladder("TicTacToe-v0", "greedy")
    with pytest.raises(SpecError, match="minimx"):
        play_ladder("TicTacToe-v0", ["greedy", "minimx:2"])
    with pytest.raises(UnsupportedGameError, match="seats"):
        play_ladder("Abalone3-v0")


def test_files_whose_numbers_cannot_be(tmp_path):
    ladder = play_ladder("TicTacToe-v0", RUNGS[:2], games=4)
    content = ladder.to_dict()
    (row,) = content["rows"]
    changed = [{"seed": -1}, {"games": 10**12}]
    for other in ({"games": 4 * 10**18}, {"pairs": [2, 0, 0, 0, 0]}, {"wins": row["wins"] - 1, "draws": row["draws"] + 1}):
        changed.append({"rows": [row | other]})
    at_one_seat = row | {"seat": 0, "pairs": [0] * 5, "score_by_seat": [row["score"]["value"], None]}
    changed += [{"rows": [at_one_seat]}, {"spare": [["greedy", "random", at_one_seat]]}]
    for change in changed:
        with pytest.raises(NotationError, match="expected the JSON of a ladder"):
            Ladder.from_json(json.dumps(content | change, default=list))


def test_the_command(capsys, tmp_path):
    arguments = ["ladder", "TicTacToe", "--rungs", *RUNGS, "--games", "10", "--out", str(tmp_path / "out.json")]
    assert main(arguments) == 0
    table = capsys.readouterr().out
    assert [line.split()[0] for line in table.splitlines()[4:7]] == list(RUNGS)
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "out.json").read_text())
    assert main(["ladder", "TicTacToe", "--rungs", "random"]) == 2
    assert "expected at least two specs" in capsys.readouterr().err
