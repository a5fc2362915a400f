"""The making of an agent from the rules alone: all stages small, on tic-tac-toe."""

import dataclasses
import json
import shutil
import sys

import pytest

from boardgym.baselines import GameWorkers, play_match
from boardgym.baselines.learning.examples import ExamplesConfig, generate_examples, load_examples, most_visited_duplicates
from boardgym.baselines.learning.runs import train_into
from boardgym.baselines.learning.uct_ccnn import UctCcnn, UctCcnnConfig
from boardgym.baselines.learning.uct_ccnn_plan import GAMES_SHARE, Minutes, read_plan, timed_game
from boardgym.baselines.progress import ProgressBar
from boardgym.cli import main
from boardgym.commands.training import compare_briefly, games_within
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game

SMALL = UctCcnnConfig(
    game="TicTacToe-v0", simulations=30, tune_games=2, tune_iterations=1, scale=0.03, max_units=2, filter=("most-visited",)
)
FILES = ("agent.safetensors", "curve.csv", "examples/examples.safetensors", "tuning/tuned.json")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run in one go."""
    return train_into(UctCcnn(SMALL), tmp_path_factory.mktemp("whole"))


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


def test_all_stages_leave_their_files(whole):
    training = whole.training
    assert whole.is_finished
    assert 0.2 <= training.constant <= 2.0
    assert training.constant != 1.1  # the mean before the tuning
    header = json.loads((whole.folder / "examples/config.json").read_text())
    assert header["policy"] == f"uct:30,c={training.constant:g},solver=0,choice=max_child"
    errors = [it.train_error for it in training.history]
    assert errors == sorted(errors, reverse=True)
    assert (training.done, training.total) == (2, 2)
    assert training.counts["games"] == 1 + 9 * 5
    assert dict(training.lines(whole.folder))["constant"].endswith("tuned")
    match = play_match(whole.player, "random", "TicTacToe-v0", games=20, seed=1)
    assert sum(game.score for game in match.games) >= 13.0


def test_two_processes_make_the_same_files(whole, tmp_path):
    made = train_into(UctCcnn(dataclasses.replace(SMALL, processes=2)), tmp_path)
    assert made.is_finished
    assert contents(tmp_path) == contents(whole.folder)


def test_the_games_of_every_stage_go_by_the_executor(whole, tmp_path, monkeypatch, capsys):
    """Slurm's is asked for, and not there: each stage that plays games says so when its turn comes."""
    monkeypatch.setitem(sys.modules, "submitit", None)
    tuned, known = SMALL, dataclasses.replace(SMALL, c=1.0)
    for name, config, done in (("tuned", tuned, []), ("known", known, ["plan.json"])):
        with pytest.raises(OptionError, match="needs submitit"):
            train_into(UctCcnn(config, executor="slurm"), tmp_path / name)
        left = [path.name for stage in ("tuning", "examples") for path in (tmp_path / name / stage).glob("*")]
        assert not {"samples.csv", "tuned.json", "examples.safetensors"} & {*left}
        assert all((tmp_path / name / file).exists() for file in done)
    shutil.copytree(whole.folder, tmp_path / "whole")
    words = ["train", "uct-ccnn", "--game", "TicTacToe", "--simulations", "30", "--tune-games", "2", "--tune-iterations", "1"]
    words += ["--scale", "0.03", "--max-units", "2", "--filter", "most-visited", "--compare-games", "2", "--json"]
    found = []
    for more in ([], ["--processes", "2"], ["--processes", "2", "--executor", "slurm"]):
        assert main([*words, *more, "--out", str(tmp_path / "whole")]) == 0
        said = capsys.readouterr()
        found.append(json.loads(said.out)["comparison"])
        assert ("not compared: the executor 'slurm' needs submitit" in said.err) == ("slurm" in more)
    assert found[0]["rows"] == found[1]["rows"] != []
    assert found[2] is None
    assert main([*words, "--executor", "condor", "--out", str(tmp_path / "whole")]) == 2
    assert "executor='condor': expected processes, ray" in capsys.readouterr().err.replace("\n", " ")


def test_the_processes_play_the_comparison_but_for_the_pair_that_is_timed():
    """Each opponent is a match of theirs. This process plays the pair, and has no time of theirs to wait for."""
    for seconds in (None, 600.0):
        workers = GameWorkers(2)
        game, judges = get_game("TicTacToe"), ("random", "greedy")
        found = compare_briefly("greedy", game, judges, games=4, seconds=seconds, workers=workers)
        assert [row.games for row in found.rows] == [4, 4]
        assert workers.matches == 2


@pytest.mark.parametrize(
    ("seconds", "pair_s", "processes", "games"),
    [(10.0, 2.0, 1, 8), (10.0, 2.0, 2, 16), (10.0, 4.0, 2, 6), (10.0, 10.0, 64, 2), (1.0, 30.0, 64, 2)],
)
def test_games_of_the_comparison_within_seconds(seconds, pair_s, processes, games):
    assert games_within(seconds, pair_s, processes) == games


def test_threads_are_as_many_as_the_processes_that_play_here():
    three = dataclasses.replace(SMALL, processes=3)
    assert [UctCcnn(three, executor=name)._regressor(None).num_threads for name in ("processes", "slurm")] == [3, 0]


def test_it_goes_on_where_it_ended(whole, tmp_path):
    """With one unit first, as if it had been cut short; then with both, and once more, when there is nothing to do."""
    first = train_into(UctCcnn(dataclasses.replace(SMALL, max_units=1)), tmp_path)
    assert first.training.done == 1
    for _ in range(2):
        assert train_into(UctCcnn(SMALL), tmp_path).training.done == 2
        assert contents(tmp_path) == contents(whole.folder)
    with pytest.raises(OptionError, match="simulations=31"):
        train_into(UctCcnn(dataclasses.replace(SMALL, simulations=31)), tmp_path)


@pytest.mark.parametrize("name", ["agent.safetensors", "curve.csv"])
@pytest.mark.parametrize("is_cut", [False, True])
def test_lost_or_damaged_results_are_written_again(whole, tmp_path, monkeypatch, name, is_cut):
    """Also where Ctrl-C comes before the growth: the network is in the checkpoint."""
    shutil.copytree(whole.folder, tmp_path, dirs_exist_ok=True)
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).unlink()
    if name == "agent.safetensors":
        (tmp_path / name).write_bytes(content[:-8])
    if is_cut:

        def interrupts(*arguments):
            raise KeyboardInterrupt

        monkeypatch.setattr(UctCcnn, "_played", interrupts)
    assert train_into(UctCcnn(SMALL), tmp_path).ending == ("interrupted" if is_cut else "finished")
    assert contents(tmp_path) == contents(whole.folder)


def test_ctrl_c_keeps_the_network_that_has_grown(whole, tmp_path, monkeypatch):
    """With a unit from an earlier session, and one in this: both are in the curve, and there is an agent."""
    shutil.copytree(whole.folder, tmp_path, dirs_exist_ok=True)
    more = UctCcnn(dataclasses.replace(SMALL, max_units=6))
    size = UctCcnn.size.fget

    def interrupts(training):
        if len(training.history) == 4:
            raise KeyboardInterrupt
        return size(training)

    monkeypatch.setattr(UctCcnn, "size", property(interrupts))
    cut = train_into(more, tmp_path, progress=lambda done, total, label: None)
    monkeypatch.undo()
    assert (cut.ending, cut.resumed, cut.training.done) == ("interrupted", 2, 3)
    curve = (tmp_path / "curve.csv").read_text().splitlines()
    assert [line.partition(",")[0] for line in curve] == ["units", "0", "1", "2", "3"]
    assert more.report(tmp_path)["test_error"] == min(it.test_error for it in more.history)
    header = json.loads((tmp_path / "agent.safetensors").read_bytes()[8:].split(b"}}", 1)[0] + b"}}")["__metadata__"]
    assert header


def test_the_command_with_minutes(tmp_path, capsys):
    """What each stage does follows from the minutes once; a run that has ended by time has ended."""
    words = ["train", "uct-ccnn", "--game", "TicTacToe", "--simulations", "30", "--minutes", "0.02", "--seed", "2"]
    more = ["--filter", "averaged", "--compare-games", "0", "--json", "--out", str(tmp_path)]
    assert main([*words, *more]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] >= 10
    plan, agent = json.loads((tmp_path / "plan.json").read_text()), (tmp_path / "agent.safetensors").read_bytes()
    assert plan["growth_s"] == pytest.approx(0.36)
    assert plan["tune_games"] <= 30
    assert plan["units"] in (None, found["hidden units"])
    assert (found["c"] == 0.7) == (plan["tune_games"] == 0)
    assert main([*words, *more]) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["games"], again["hidden units"], again["resumed"]) == (found["games"], *[found["hidden units"]] * 2)
    assert (tmp_path / "agent.safetensors").read_bytes() == agent
    assert main([*words, *more, "--compare-games", "400", "--judges", "random", "greedy"]) == 0
    rows = json.loads(capsys.readouterr().out)["comparison"]["rows"]
    assert [row["opponent"] for row in rows] == ["random", "greedy"]
    assert 2 <= sum(rows[0][name] for name in ("wins", "draws", "losses")) < 400  # what a tenth of the minutes holds
    (tmp_path / "plan.json").write_text('{"start_games": 0, "states": 0, "tune_games": 4}')
    assert main([*words, *more]) == 2
    assert "expected the plan of a run" in capsys.readouterr().err.replace("\n", " ")


@pytest.mark.parametrize(
    ("seconds", "game_s", "games", "states", "tune_games"),
    [
        (180, 20.0, 4, 0, 0),  # 81 s for games: that which was timed, and three more
        (180, 80.0, 1, 0, 0),
        (180, 6.0, 13, 2, 0),
        (1800, 0.5, 1619, 317, 8),  # 8 games of 15 samples in 5 iterations, of 0.4 s each: 240 s of 270
        (3600, 0.2, 8098, 1587, 30),
    ],
)
def test_what_fits_into_seconds(seconds, game_s, games, states, tune_games):
    config = ExamplesConfig()
    share = 0.3 if seconds > 1800 else 0.8
    plan = Minutes(seconds, 1, 30, 5, share).plan(config, game_s)
    assert (plan.start_games + 5 * plan.states, plan.states, plan.tune_games) == (games, states, tune_games)
    assert plan.start_games >= 1
    played = games + bool(tune_games)  # that which was timed is none of them where the constant is tuned
    assert played * game_s <= GAMES_SHARE * seconds
    assert tune_games * 15 * 5 * share * game_s <= 0.15 * seconds


def test_the_game_that_was_timed_is_one_of_those_that_are_played(tmp_path):
    config = UctCcnn(SMALL).examples_config(0.03)
    game, seconds = timed_game(config, UctCcnn(SMALL).features, 60.0)
    assert 0.0 < seconds < 60.0
    made = [generate_examples(config, tmp_path / name, played=games) for name, games in (("own", [game]), ("all", []))]
    assert made[0].path.read_bytes() == made[1].path.read_bytes()


def test_minutes_that_hold_less_than_all_examples(tmp_path):
    """Growing takes the time of a few examples: so many are learnt from, and a second session keeps to it."""
    config = dataclasses.replace(SMALL, minutes=0.02)
    made = train_into(UctCcnn(config), tmp_path)
    plan = json.loads((tmp_path / "plan.json").read_text())
    sets = made.training._sets(load_examples(tmp_path / "examples"))
    assert plan["examples"] >= 100
    learnt = min(plan["examples"], len(sets[0]))
    assert learnt < len(sets[0])
    own = UctCcnn(config)
    own._folder = tmp_path
    limited = own._limited(read_plan(tmp_path / "plan.json"), sets, ProgressBar(progress=False))[1]
    assert [len(one) for one in limited] == [learnt, *map(len, sets[1:])]
    before = (tmp_path / "agent.safetensors").read_bytes()
    again = train_into(UctCcnn(config), tmp_path)
    assert again.training.counts["learnt_from"] == sum(map(len, limited))
    assert (tmp_path / "agent.safetensors").read_bytes() == before


def test_minutes_that_do_not_hold_a_game(tmp_path):
    config = dataclasses.replace(SMALL, simulations=100_000, minutes=0.001)
    with pytest.raises(OptionError, match=r"a game of uct:100000,.* takes more than 0.027 s, .*; give it more minutes"):
        train_into(UctCcnn(config), tmp_path)
    assert not (tmp_path / "plan.json").exists()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"game": "Backgammon-v0"}, UnsupportedGameError, "leaves something to chance"),
        ({"game": "Abalone3-v0"}, UnsupportedGameError, "3 seats"),
        ({"simulations": 0}, OptionError, "simulations=0: expected a whole number of 1 or more"),
        ({"minutes": -1.0}, OptionError, "minutes=-1.0: expected 0 or more"),
        ({"filter": ("winner",)}, OptionError, "winners"),
        ({"scale": 0.0}, OptionError, "scale=0.0"),
        ({"search": "minmax:3"}, SpecError, "minimax"),
        ({"search": "uct:1000"}, SpecError, r"search='uct:1000': expected a search .*; .*evaluation= goes with"),
        ({"search": "random"}, SpecError, "expected a search that asks an evaluation"),
        ({"max_units": 20_000}, OptionError, "max_units=20000: expected"),
        ({"patience": 10_000_000}, OptionError, "patience=10000000: expected"),
        ({"tune_games": 3}, OptionError, "games=3: expected an even number"),
        ({"option": ("size=3",)}, OptionError, "size"),
        ({"processes": 0}, OptionError, "processes=0"),
    ],
)
def test_what_is_refused(change, error, message):
    with pytest.raises(error, match=message):
        UctCcnn(dataclasses.replace(SMALL, **change))


def test_an_executor_that_there_is_not():
    with pytest.raises(OptionError, match="executor='condor'"):
        UctCcnn(SMALL, executor="condor")


def test_no_form_of_what_is_learnt_is_in_a_test(tmp_path):
    """With symmetries among the filters, all forms are learnt from, and each position is on one side."""
    config = dataclasses.replace(SMALL, c=1.0, max_units=1, filter=("most-visited", "symmetries"))
    made = train_into(UctCcnn(config), tmp_path)
    assert dict(made.training.lines(tmp_path))["constant"] == "c=1"
    learnt, *tests = made.training._sets(load_examples(tmp_path / "examples"))
    known = {row.tobytes() for row in learnt.seen}
    assert len(learnt) > len(most_visited_duplicates(load_examples(tmp_path / "examples")))
    assert not any(row.tobytes() in known for one in tests for row in one.seen)


def test_too_few_examples_are_said(whole, tmp_path):
    few = dataclasses.replace(SMALL, c=1.0, filter=("visits=1000",))
    with pytest.raises(OptionError, match=r"0 examples are too few .*; play more, or filter less"):
        train_into(UctCcnn(few), tmp_path)
