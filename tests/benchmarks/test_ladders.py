"""The benchmark that plays every game's ladder, in its smallest form."""

import pytest

from benchmarks import ladders
from boardgym.baselines.arena.ladder import Ladder
from boardgym.core.game import list_games


def test_every_game_of_two_seats_has_a_plan():
    known = {game.partition("-")[0] for game in list_games()}
    assert {game.partition("-")[0] for game in ladders.PLANS} == known - {"Abalone3"}


def test_ladders_are_played_once_and_shown_from_the_file(tmp_path, capsys):
    ladders.main(["--quick", "--out", str(tmp_path)])
    first = capsys.readouterr().out
    path = tmp_path / "quick" / "TicTacToe-v0.json"
    ladder = Ladder.from_json(path.read_text())
    assert [row.games for row in ladder.rows] == [2, 2]
    assert (tmp_path / "quick" / "table.md").read_text() == first
    assert first.startswith("## Tic-tac-toe\n")
    assert [line.split("|")[1].strip() for line in first.splitlines()[4:]] == ["`random`", "`greedy`", "`minimax:1`"]
    before = path.stat().st_mtime_ns
    ladders.main(["--quick", "--no-play", "--out", str(tmp_path)])
    assert capsys.readouterr().out == first
    assert path.stat().st_mtime_ns == before


def test_a_ladder_of_other_settings_is_refused_in_words(tmp_path):
    ladders.main(["--quick", "--out", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"holds a ladder of seed 1, asked for is 2"):
        ladders.main(["--quick", "--seed", "2", "--out", str(tmp_path)])
