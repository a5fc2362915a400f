"""Ladders: rows against the rung below, files that are gone on with, the table."""

import json

import pytest

from boardgym.baselines.arena import ladder as arena
from boardgym.baselines.arena.ladder import Ladder, play_ladder, usual_rungs
from boardgym.baselines.arena.match import play_match
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
    heights = ladder.heights()
    assert heights[0] == 0.0
    assert heights[1] == ladder.rows[0].elo.value


def test_heights_begin_anew_at_a_clean_sweep():
    ladder = play_ladder("ConnectFour-v0", ("random", "minimax:4", "minimax:4"), games=8, seed=1)
    assert ladder.rows[0].score.value == 1.0
    assert ladder.heights() == [0.0, 0.0, ladder.rows[1].elo.value]


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


def test_the_command(capsys, tmp_path):
    arguments = ["ladder", "TicTacToe", "--rungs", *RUNGS, "--games", "10", "--out", str(tmp_path / "out.json")]
    assert main(arguments) == 0
    table = capsys.readouterr().out
    assert [line.split()[0] for line in table.splitlines()[4:7]] == list(RUNGS)
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "out.json").read_text())
    assert main(["ladder", "TicTacToe", "--rungs", "random"]) == 2
    assert "expected at least two specs" in capsys.readouterr().err
