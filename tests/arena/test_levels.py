"""Levels of play: `level:1` to `level:20` of each game, as the benchmark has measured them."""

import numpy as np
import pytest

from benchmarks import levels as benchmark
from boardgym.baselines import compare, make_policy
from boardgym.baselines.arena import standings
from boardgym.baselines.arena.ladder import Ladder
from boardgym.baselines.players.levels import NUM_LEVELS, load_levels
from boardgym.baselines.search.anytime import Watched
from boardgym.core.board import Board
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import get_game, list_games
from boardgym.envs.batch import Batch
from tests.support import ROOT

GAMES = [game for game in list_games() if get_game(game).name in load_levels()]


def test_which_games_have_levels():
    with_levels = {get_game(ladder.game).name for ladder in benchmark.ladders_in(ROOT / "docs" / benchmark.DATA)}
    assert {*load_levels()} == with_levels == {get_game(game).name for game in list_games() if get_game(game).num_seats == 2}


@pytest.mark.parametrize("game", GAMES)
def test_levels_rise_evenly(game):
    levels = load_levels()[get_game(game).name]
    assert (levels[0].spec, levels[0].elo) == ("random", 0.0)
    assert len({level.spec for level in levels}) == NUM_LEVELS
    elos = np.array([level.elo for level in levels])
    steps, step = np.diff(elos), elos[-1] / (NUM_LEVELS - 1)
    assert steps.min() > 0.0
    assert steps.max() < 2.2 * step
    assert np.abs(elos - step * np.arange(NUM_LEVELS)).max() < 1.5 * step  # from where they should be


def test_a_level_plays_as_its_policy_does():
    spec = load_levels()["TicTacToe"][9].spec
    level, inner = (make_policy(text, "TicTacToe-v0", seed=7) for text in ("level:10", spec))
    assert level.spec == "level:10"
    board = Board("TicTacToe-v0")
    while not board.is_terminal:
        action = level.act(board)
        assert action == inner.act(board)
        board.push(action)
    assert Watched("level:20", board.game).spec.text == load_levels()["TicTacToe"][19].spec


def test_a_level_in_a_batch():
    batch = Batch("TicTacToe-v0", 4, opponent="level:10")
    batch.seed(range(4))
    batch.restart(np.ones(4, bool))
    batch.step(batch.masks.argmax(1))
    assert (batch.rows.plies >= 2).all()


def test_a_level_is_better_than_one_far_below():
    row = compare("level:18", "TicTacToe-v0", ["level:4"], games=200, seed=1, deterministic=False, progress=False).rows[0]
    assert row.score.low > 0.6


@pytest.mark.parametrize(
    "text", ["level", *(f"level:{word}" for word in ("0", "21", "05", "x", "-1", "1.5", "²", "3(random)", "3,x=1"))]
)
def test_levels_that_there_are_not(text):
    with pytest.raises(SpecError, match="level"):
        make_policy(text, "TicTacToe-v0")


def test_games_without_levels():
    with pytest.raises(
        UnsupportedGameError, match=r"Abalone3-v0 has no levels; expected Abalone, .* or a policy that plays a share"
    ):
        make_policy("level:3", "Abalone3-v0")


def test_the_page_and_the_package_have_what_the_files_say():
    docs = ROOT / "docs"
    rated = benchmark.rated_ladders(docs)
    path, text = benchmark.make_page(docs, rated)
    assert path.read_text(encoding="utf-8") == text, "run python -m benchmarks.levels --docs docs"
    package = ROOT / "boardgym" / "baselines" / "players" / "levels.json"
    assert package.read_text(encoding="utf-8") == benchmark.package_text(rated)
    for ladder, _ in rated:
        assert {row.games for row in ladder.rows} == {benchmark.PLANS[ladder.game].games}
    assert (docs / benchmark.PICTURE).is_file()


def test_levels_are_found_and_taken_into_the_documentation(tmp_path, capsys, monkeypatch):
    """Few games, so that what is found means nothing: but all is played, chosen, written and made."""
    monkeypatch.setitem(benchmark.PLANS, "TicTacToe-v0", benchmark.Plan(2, games=4))
    monkeypatch.setattr(standings, "DRAWS", 20)
    words = ["--games", "TicTacToe-v0", "--out", str(tmp_path / "runs")]
    benchmark.main(words)
    table = capsys.readouterr().out
    assert table.startswith("## Tic-tac-toe\n")
    last = tmp_path / "runs" / f"TicTacToe-v0-levels-{benchmark.ROUNDS}.json"
    ladder = Ladder.from_json(last.read_text())
    assert len(ladder.rungs) == NUM_LEVELS
    assert len(ladder.spare) == len(benchmark.knots_of(NUM_LEVELS)) - 1  # the knots against each other
    played = last.read_text()
    monkeypatch.setattr("boardgym.baselines.arena.match.play_match", None)
    benchmark.main(words)  # nothing is played again
    assert (capsys.readouterr().out, last.read_text()) == (table, played)
    docs, package = tmp_path / "docs", tmp_path / "package"
    (docs / "images").mkdir(parents=True)
    package.mkdir()
    (docs / benchmark.PAGE).write_text("# Levels\n\n<!-- made: levels -->\n<!-- end -->\n")
    monkeypatch.setattr(benchmark.levels_module, "__file__", str(package / "levels.py"))
    benchmark.main(["--out", str(tmp_path / "runs"), "--docs", str(docs)])
    assert "## Tic-tac-toe" in (docs / benchmark.PAGE).read_text()
    assert (docs / benchmark.PICTURE).stat().st_size > 1000
    assert (package / "levels.json").read_text() == benchmark.package_text(benchmark.rated_ladders(docs))


def test_curves_only_fall_and_the_least_depth_is_taken():
    rungs = [(1, 1.0), (1, 0.5), (1, 0.0), (2, 0.4), (2, 0.0)]
    curves = benchmark.curves_of(rungs, [0.0, 100.0, 90.0, 80.0, 300.0])
    assert [list(curve.elos) for curve in curves] == [[100.0, 100.0, 0.0], [300.0, 80.0, 0.0]]
    assert benchmark.choose(curves, 50.0) == (1, 0.75)
    assert benchmark.choose(curves, 190.0) == (2, pytest.approx(0.2))
    assert benchmark.choose(curves, 999.0) == (2, 0.0)


def test_what_was_measured_corrects_the_choice():
    """Levels of which the lower half were worth nothing come from the upper half."""
    targets = np.linspace(0.0, 190.0, NUM_LEVELS)
    assert benchmark.corrected(targets, list(targets)) == pytest.approx(targets)
    measured = [max(0.0, 2.0 * (target - 80.0)) for target in targets]
    assert benchmark.corrected(targets, measured)[1:] == pytest.approx(80.0 + np.linspace(0.0, 110.0, NUM_LEVELS)[1:], abs=1e-3)
