"""The benchmark that plays every game's ladder, in its smallest form."""

import pytest

from benchmarks import ladders
from boardgym.baselines.arena.ladder import Ladder
from boardgym.core.game import list_games
from tests.support import ROOT


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


def test_the_page_has_what_the_files_say():
    path, text = ladders.make_page(ROOT / "docs")
    assert path.read_text(encoding="utf-8") == text, "run python -m benchmarks.ladders --docs docs"
    played = {file.stem for file in (ROOT / "docs" / ladders.DATA).glob("*.json")}
    assert played == set(ladders.PLANS)
    for game, plan in ladders.PLANS.items():
        ladder = Ladder.from_json((ROOT / "docs" / ladders.DATA / f"{game}.json").read_text())
        assert ladder.seed == 1
        assert {row.games for row in ladder.rows} == {plan.games}


def test_ladders_are_taken_into_the_documentation(tmp_path):
    ladders.main(["--quick", "--out", str(tmp_path / "runs")])
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "ladders.md").write_text("# Ladders\n\n<!-- made: ladders -->\n\nold\n\n<!-- end -->\n")
    ladders.main(["--out", str(tmp_path / "runs" / "quick"), "--docs", str(docs)])
    text = (docs / "ladders.md").read_text()
    assert "## Tic-tac-toe" in text
    assert "old" not in text
    assert ladders.make_page(docs)[1] == text
