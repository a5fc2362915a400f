"""Tuning by games: what is played, the same result however it is cut short or shared, files, the command, every message."""

import dataclasses
import json
import multiprocessing
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from boardgym.baselines.arena.match import play_match
from boardgym.baselines.learning.run_folders import CHECKPOINT, CURVE
from boardgym.baselines.learning.tuning import fitness as ft
from boardgym.baselines.learning.tuning.parameters import make_parameters, with_values
from boardgym.baselines.learning.tuning.tuner import RESULT, SAMPLES, Tuning, TuningConfig, tune
from boardgym.baselines.workers import WorkerError
from boardgym.cli import main
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.random import stream
from tests.support import environment_of

GAME = get_game("TicTacToe-v0")
CONFIG = TuningConfig("uct:12", ("c_uct=0.2:2.0",), game="TicTacToe-v0", iterations=3, population=6, elite_rate=0.34, games=6)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tuning that was never interrupted."""
    return tune(CONFIG, tmp_path_factory.mktemp("whole"))


def files(folder):
    return [(folder / name).read_bytes() for name in (CHECKPOINT, CURVE, SAMPLES, RESULT)]


def test_the_path_follows_from_the_games(whole):
    """Each iteration by hand: samples play the mean before it, the best two of six move mean and spread half way."""
    tuning = whole.training
    assert (tuning.iteration, tuning.done, whole.ending) == (3, 3 * 6 * 6, "finished")
    for number, (before, after) in enumerate(zip(tuning.path, tuning.path[1:], strict=False)):
        samples, results = tuning.samples[number], tuning.results[number]
        assert ((samples >= 0.2) & (samples <= 2.0)).all()
        score_rates = results.sum(axis=1) / 12
        elite = samples[np.argsort(-score_rates, kind="stable")[:2], 0]
        assert after.mean.item() == pytest.approx((elite.mean() + before.mean.item()) / 2)
        assert after.spread.item() == pytest.approx((abs(elite[0] - elite[1]) / 2 + before.spread.item()) / 2)
        assert after.best == score_rates.max()
    assert tuning.tuned == f"uct:12,c_uct={tuning.path[-1].mean.item():.6g}"


def test_a_pair_is_two_games_of_a_match_from_one_opening(whole):
    tuning = whole.training
    value = tuning.samples[1, 4].item()
    opening = ft.openings_of(tuning.rules, "train", 1, 3)[2]
    seed = int(stream(1, ft.PAIR_STREAM, 1, 4, 2)[0]) >> 1
    own, mean = (f"uct:12,c_uct={number:.6g}" for number in (value, tuning.path[1].mean.item()))
    match = play_match(own, mean, GAME, games=2, openings=[opening], seed=seed, deterministic=False, progress=False)
    assert [2 * game.score for game in match.games] == tuning.results[1, 4, 4:6].tolist()


def test_seeds_of_games_differ_by_iteration_sample_and_pair(whole):
    found = {int(stream(1, ft.PAIR_STREAM, i, s, p)[0]) for i in range(3) for s in range(6) for p in range(3)}
    assert len(found) == 54
    assert ft.openings_of(whole.training.rules, "train", 0, 3) != ft.openings_of(whole.training.rules, "train", 1, 3)
    assert ft.openings_of(whole.training.rules, "start", 0, 3) == [GAME.to_fen(GAME.start)] * 3
    assert len(set(ft.openings_of(whole.training.rules, "sequences:2", 0, 72))) == 72


def test_two_processes_play_the_same(whole, tmp_path):
    tune(CONFIG, tmp_path, processes=2)
    assert files(tmp_path) == files(whole.folder)


def test_ctrl_c_loses_nothing(whole, tmp_path):
    def press(tuning):
        if tuning.done in (2, 40, 76):
            raise KeyboardInterrupt

    results = [tune(CONFIG, tmp_path, on_pair=press, processes=processes) for processes in (1, 2, 1, 1)]
    assert [result.training.done for result in results] == [2, 40, 76, 108]
    assert [result.ending for result in results] == [*["interrupted"] * 3, "finished"]
    assert files(tmp_path) == files(whole.folder)


DIE = """
import json, os, sys
from boardgym.baselines.learning.tuning.tuner import TuningConfig, tune
def die(tuning):
    if tuning.done == 54:
        os.kill(os.getpid(), 9)
if __name__ == "__main__":
    tune(TuningConfig(**json.loads(sys.argv[1])), sys.argv[2], on_pair=die, checkpoint_s=3600.0)
"""


def test_kill_loses_no_finished_sample(whole, tmp_path):
    """Killed after 54 games, nine samples, with no checkpoint due: the nine are kept, and the rest comes to the same."""
    killed = subprocess.run(
        [sys.executable, "-c", DIE, json.dumps(vars(CONFIG)), str(tmp_path)],
        env=environment_of(os.environ.get("NUMBA_CACHE_DIR") or tmp_path / "kernels"),
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    result = tune(CONFIG, tmp_path)
    assert (result.resumed, result.is_finished) == (54, True)
    assert files(tmp_path) == files(whole.folder)


def test_a_killed_worker_is_said_and_loses_nothing_that_was_played(whole, tmp_path):
    def kill(tuning):
        if tuning.done in (20, 60):
            os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)

    for _ in range(2):
        with pytest.raises(WorkerError, match=r"ended from outside, as the system does when memory runs out; .* goes on"):
            tune(CONFIG, tmp_path, processes=2, on_pair=kill)
    result = tune(CONFIG, tmp_path)
    assert 60 <= result.resumed < 108
    assert files(tmp_path) == files(whole.folder)


def test_more_iterations_go_on_and_fewer_are_refused(whole, tmp_path):
    tune(dataclasses.replace(CONFIG, iterations=1), tmp_path)
    assert tune(CONFIG, tmp_path).resumed == 36
    assert files(tmp_path)[1:] == files(whole.folder)[1:]
    with pytest.raises(SpecError, match="3 iterations begun, asked for are 2; tune into another folder"):
        tune(dataclasses.replace(CONFIG, iterations=2), tmp_path)
    with pytest.raises(OptionError, match=r"`boardgym tune` on TicTacToe-v0, asked for is seed=2 .*; tune into another folder"):
        tune(dataclasses.replace(CONFIG, seed=2), tmp_path)


def test_a_game_is_the_same_by_any_of_its_names(tmp_path):
    config = dataclasses.replace(CONFIG, iterations=1, population=3, games=2)
    assert tune(config, tmp_path).training.done == 6
    again = tune(dataclasses.replace(config, game="TicTacToe"), tmp_path)
    assert (again.resumed, again.training.done) == (6, 6)


def test_results_that_no_game_has_are_refused(tmp_path):
    config = dataclasses.replace(CONFIG, iterations=1, population=3, games=2)
    tuned = tune(config, tmp_path)
    tuned.training.results[0, 0, 0] = 100
    tuned.training.save_checkpoint(tmp_path / "checkpoint.safetensors")
    with pytest.raises(SpecError, match="results or samples that no tuning has"):
        tune(config, tmp_path)


def test_it_ends_when_the_spread_is_small(tmp_path):
    config = TuningConfig(
        "minimax:{depth}", ("depth=1:3",), game="TicTacToe-v0", population=4, elite_rate=0.25, games=2, iterations=20,
        step_size=1.0, least_spread=0.01,
    )  # fmt: skip
    result = tune(config, tmp_path)  # the spread of an elite of one is 0
    assert result.training.iteration == 1
    assert result.message == "the spread is at most 0.01 of every range after 1 iteration"
    again = tune(config, tmp_path)
    assert (again.resumed, again.training.iteration, again.message) == (8, 1, result.message)


def test_wins_do_not_count_draws():
    results = np.array([[ft.WON, ft.LOST, ft.LOST, ft.LOST], [ft.DRAWN] * 4], np.int8)
    assert ft.fitness_of(results, "wins").tolist() == [0.25, 0.0]
    assert ft.fitness_of(results, "score").tolist() == [0.25, 0.5]
    assert ft.count_of(results) == (1, 4, 3)


def test_cma_es_tunes_two_numbers_and_resumes(tmp_path):
    pytest.importorskip("cma")
    config = TuningConfig(
        "uct:8", ("c=0.2:2.0", "nodes=50:500"), game="TicTacToe-v0", iterations=2, population=4, games=2, optimiser="cma"
    )

    def press(tuning):
        if tuning.done == 10:
            raise KeyboardInterrupt

    whole = tune(config, tmp_path / "whole")
    tune(config, tmp_path / "cut", on_pair=press)
    assert tune(config, tmp_path / "cut").resumed == 10
    assert files(tmp_path / "cut") == files(whole.folder)
    assert set(whole.training.report(whole.folder)["parameters"]) == {"c", "nodes"}


# ---------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("spec", "texts", "whole", "middle"),
    [
        ("uct:50", ["c_uct=0.2:2.0"], [False], "uct:50,c_uct=1.1"),
        ("uct:50,rave=10", ["c=0:1"], [False], "uct:50,c=0.5,rave=10"),
        ("minimax:{depth}", ["depth=1:4"], [True], "minimax:3"),
        ("epsilon:{rate}(minimax:{depth})", ["depth=1:2", "rate=0:1"], [True, False], "epsilon:0.5(minimax:2)"),
        ("mix({w}*greedy, random)", ["w=0.5:1.5"], [False], "mix(1*greedy, random)"),
        ("uct:50,playout=mast", ["tau=0.02:1", "nodes=100:1000"], [False, True], "uct:50,tau=0.51,nodes=550,playout=mast"),
    ],
)
def test_any_number_of_a_spec_is_tuned(spec, texts, whole, middle):
    parameters = make_parameters(spec, texts, GAME)
    assert [parameter.is_whole for parameter in parameters] == whole
    assert with_values(spec, parameters, [parameter.range.first_mean for parameter in parameters]) == middle


def test_whole_numbers_are_rounded_within_their_range():
    (depth,) = make_parameters("minimax:{depth}", ["depth=1.2:3.9"], GAME)
    assert [depth.text(value) for value in (1.2, 2.4, 2.5, 3.4, 3.9)] == ["2", "2", "3", "3", "3"]


@pytest.mark.parametrize(
    ("spec", "texts", "error", "message"),
    [
        ("uct:50", [], OptionError, r"nothing to tune; expected NAME=LOW:HIGH"),
        ("uct:50", ["c_uct"], OptionError, r"parameter='c_uct': expected NAME=LOW:HIGH"),
        ("uct:50", ["c_uct=1"], OptionError, r"parameter='c_uct=1': expected NAME=LOW:HIGH"),
        ("uct:50", ["c_uct=a:b"], OptionError, r"parameter='c_uct=a:b': expected NAME=LOW:HIGH"),
        (
            "uct:50",
            ["c_uct=2:2"],
            OptionError,
            r"parameter='c_uct=2:2': range 2 to 2: expected two numbers, the second",
        ),
        ("uct:50", ["c_uct=2:0.2"], OptionError, r"range 2 to 0.2"),
        ("uct:50", ["c=0:1", "c=0:2"], OptionError, r"parameter='c': is given twice"),
        ("uct:50", ["c_utc=0.2:2.0"], SpecError, r"unknown setting 'c_utc'; did you mean 'c_uct'"),
        ("random", ["c=0:1"], SpecError, r"unknown setting 'c'; it takes none"),
        ("uct:50,c=1", ["c=0:1"], SpecError, r"'c' is to be tuned and is given; take it out of the spec"),
        ("uct:50,c=1", ["c_uct=0:1"], SpecError, r"c= and c_uct= are the same setting"),
        ("minimax:{depth}", ["dpeth=1:4"], SpecError, r"no parameter is called 'depth'; did you mean 'dpeth'"),
        ("minimax:{depth}", ["depth=1.2:1.8"], SpecError, r"the depth in plies '1\.\d+'; expected a whole number"),
        ("minimax:{depth}", ["depth=0:4"], SpecError, r"the depth in plies '0'; expected a whole number above 0"),
        ("uct:50,playout=mast", ["tau=0.01:1"], SpecError, r"the temperature tau=0.01; expected 0.02"),
        ("file:agent.safetensors", ["c=0:1"], SpecError, r"file: takes no settings, and 'c' is to be tuned"),
    ],
)
def test_what_cannot_be_tuned_is_refused(spec, texts, error, message):
    with pytest.raises(error, match=message):
        make_parameters(spec, texts, GAME)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"games": 5}, OptionError, "games=5: expected an even number"),
        ({"iterations": -1}, OptionError, "iterations=-1: expected a whole number from 0"),
        ({"population": 1}, OptionError, "population=1: expected a whole number from 2"),
        ({"elite_rate": 0.01}, OptionError, "an elite of no sample"),
        ({"optimiser": "cme"}, OptionError, "optimiser='cme'; did you mean 'c"),
        ({"optimiser": "cma"}, OptionError, "elite_rate=0.34: is of optimiser=cem"),
        ({"least_spread": 1.0}, OptionError, "least_spread=1.0: expected a number from 0, less than 1"),
        ({"openings": "trian"}, OptionError, "no set of openings is called 'trian'; .*did you mean 'train'"),
        ({"openings": "sequences:10"}, OptionError, "expected 0 <= n <= 9 plies"),
        ({"opponent": "minmax:2"}, SpecError, "no policy is called 'minmax'"),
        ({"game": "Abalone3-v0"}, UnsupportedGameError, "tuning"),
        ({"seed": -1}, OptionError, "seed=-1"),
    ],
)
def test_settings_that_cannot_be_are_refused(changes, error, message):
    with pytest.raises(error, match=message):
        Tuning(TuningConfig(**{**vars(CONFIG), **changes}))


def test_a_policy_that_cannot_play_on_ends_the_tuning_and_nothing_is_lost(tmp_path, monkeypatch):
    from boardgym.baselines.search.uct_policies import UCTPolicy

    act, calls = UCTPolicy.act_with, []

    def failing(self, board, rng, *, deterministic=False):
        calls.append(1)
        if len(calls) > 120:
            raise MemoryError("no room")
        return act(self, board, rng, deterministic=deterministic)

    with monkeypatch.context() as patch:
        patch.setattr(UCTPolicy, "act_with", failing)
        with pytest.raises(OptionError, match=r"iteration 1, sample \d, uct:12,.* cannot play on: MemoryError: no room"):
            tune(CONFIG, tmp_path)
    result = tune(CONFIG, tmp_path)
    assert result.resumed >= 18
    assert result.is_finished


def test_a_damaged_checkpoint_is_refused(whole, tmp_path):
    tune(CONFIG, tmp_path)
    (tmp_path / CHECKPOINT).write_bytes(files(whole.folder)[0][:-9])
    with pytest.raises(SpecError, match="tune into another folder"):
        tune(CONFIG, tmp_path)


# ---------------------------------------------------------------- the command

WORDS = ["tune", "uct:12", "--game", "TicTacToe-v0", "--parameter", "c_uct=0.2:2.0", "--iterations", "3", "--population", "6",
         "--elite-rate", "0.34", "--games", "6"]  # fmt: skip


def test_the_command_prints_the_path_and_writes_files(whole, tmp_path, capsys):
    assert main([*WORDS, "--out", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert f"tuned      {whole.training.tuned}\n" in told.out
    assert "iteration 3 of 3: c_uct " in told.err
    assert "all iterations are done" in told.err
    assert f"boardgym match {whole.training.tuned} uct:12,c_uct=1.1 --game TicTacToe-v0 --draws" in told.out
    assert files(tmp_path) == files(whole.folder)
    assert (tmp_path / "curve.png").stat().st_size > 10_000
    assert main([*WORDS, "--out", str(tmp_path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["spec"], data["games"], data["resumed"]) == (whole.training.tuned, 108, 108)
    assert data["path"][0] == {"iteration": 0, "mean": [1.1], "spread": [0.9], "best": None, "average": None}
    rows = (tmp_path / SAMPLES).read_text().splitlines()
    assert rows[0] == "iteration,sample,c_uct,won,drawn,lost,fitness"
    assert len(rows) == 19


def test_the_command_says_in_a_line_what_is_wrong(tmp_path, capsys):
    assert main(["tune", "uct:12", "--game", "TicTacToe", "--parameter", "c_utc=0.2:2", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("boardgym: policy spec 'uct:12,c_utc=")
    assert main(["tune", "uct:12", "--game", "TicTacToe", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        "boardgym: parameter: nothing to tune; expected NAME=LOW:HIGH or NAME=LOW:HIGH:MEAN:SPREAD, such as c_uct=0.2:2.0\n"
    )
    assert not any(tmp_path.iterdir())
