"""Trainings in a folder: they go on after Ctrl-C, after a kill, and while somebody plays; damaged checkpoints are refused."""

import dataclasses
import io
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.arena.game import ask
from boardgym.baselines.learning import background as bg
from boardgym.baselines.learning import python_opponent as asked
from boardgym.baselines.learning import runs
from boardgym.baselines.learning.background import Background
from boardgym.baselines.learning.run_folders import AGENT, CHECKPOINT, CURVE
from boardgym.baselines.learning.run_folders import CONFIG as SETTINGS
from boardgym.baselines.learning.tabular.agent import load_agent, merge, prune
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import CHECKPOINTS, TableTrainer, train_tabular
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import train_network
from boardgym.cli import main
from boardgym.core.errors import IllegalActionError, OptionError, SpecError
from boardgym.core.locks import LOCK
from tests.support import ROOT

CONFIG = TabularConfig(episodes=400, greedy_episodes=300)
NETWORK = NetworkConfig(
    game="TicTacToe-v0",
    option=(),
    features="planes",
    hidden=(4,),
    episodes=700,
    pays_returns=False,
    kappa="-0.5",
    coherence=True,
    exploration="directed",
)
TRAIN = {TabularConfig: train_tabular, NetworkConfig: train_network}


@pytest.fixture(scope="module", params=[CONFIG, NETWORK], ids=["table", "network"])
def whole(request, tmp_path_factory):
    """A training that was never interrupted."""
    return TRAIN[type(request.param)](request.param, tmp_path_factory.mktemp("whole"))


def train_like(whole, out, **settings):
    """The same training elsewhere."""
    return train(whole.training.config, out, **settings)


def train(config, out, **settings):
    return TRAIN[type(config)](config, out, **settings)


def test_ctrl_c_loses_nothing(whole, tmp_path):
    pieces = []

    def press(trainer):
        pieces.append(trainer.episode)
        if len(pieces) in (2, 4):
            raise KeyboardInterrupt

    results = [train_like(whole, tmp_path, on_piece=press) for _ in range(3)]
    assert [result.is_finished for result in results] == [False, False, True]
    assert results[0].ending == "interrupted"
    assert 0 < results[0].training.episode == results[1].resumed < results[2].resumed < 700
    assert (tmp_path / AGENT).read_bytes() == whole.agent_path.read_bytes()
    names, (episodes, *results) = [line.split(",") for line in (tmp_path / CURVE).read_text().splitlines()]
    assert names == ["episodes", "won", "drawn", "lost"]
    assert int(episodes) == sum(map(int, results)) == 700
    for name in (AGENT, CURVE):  # as if it had been killed between two files
        (tmp_path / name).unlink()
    again = train_like(whole, tmp_path)
    assert (again.resumed, again.is_finished) == (700, True)
    assert (tmp_path / AGENT).read_bytes() == whole.agent_path.read_bytes()


SHORT = {"opponent": "epsilon:0.5(perfect)", "episodes": 30, "greedy_episodes": 30}


@pytest.mark.parametrize(
    "config",
    [
        dataclasses.replace(CONFIG, **SHORT),
        dataclasses.replace(CONFIG, **SHORT, method="sarsa_lambda", initial=0.1),
        dataclasses.replace(CONFIG, **SHORT, method="td_lambda", initial=0.1),
        dataclasses.replace(NETWORK, opponent="epsilon:0.5(perfect)", episodes=60),
    ],
    ids=["pessimistic_q", "sarsa_lambda", "td_lambda", "network"],
)
def test_ctrl_c_while_a_policy_thinks(config, tmp_path, monkeypatch):
    """In the middle of games: what they had changed is taken back, and they are played anew, by the opponent too.

    An entry that was made and taken back is there with its initial value, to 24 bits: no other may an absent one have.
    """
    faults = {3: KeyboardInterrupt(), 60: KeyboardInterrupt(), 120: OSError("the engine has died"),
              130: IllegalActionError("the engine has forgotten the rules")}  # fmt: skip
    expected = train(config, tmp_path / "whole")
    calls = []

    def press(policy, board, *, deterministic):
        action = ask(policy, board, deterministic=deterministic)  # its stream has gone on
        calls.append(board.ply)
        if len(calls) in faults:
            raise faults[len(calls)]
        return action

    monkeypatch.setattr(asked, "ask", press)
    results = [train(config, tmp_path / "cut") for _ in range(2)]
    for words in ("died", "forgotten"):
        with pytest.raises((OSError, IllegalActionError), match=words):
            train(config, tmp_path / "cut")
    results.append(train(config, tmp_path / "cut"))
    assert [result.ending for result in results] == ["interrupted", "interrupted", "finished"]
    assert results[2].resumed > results[1].training.episode > 0
    assert max(calls[n - 1] for n in faults) > 1  # not only at the beginning of a game
    for name in (AGENT, CURVE):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert results[2].training.plies == expected.training.plies
    assert (results[2].training.play.records.entries == expected.training.play.records.entries).all()


def test_two_trainings_in_one_folder(whole, tmp_path):
    """One goes on while another wants to begin, of the same settings or not: the first has the folder."""
    tried, mine = [], whole.training.config

    def begin(trainer):
        for config in (mine, dataclasses.replace(mine, seed=2)):
            with pytest.raises(OptionError, match=rf"{LOCK}: another process works at this; wait until it has ended, or take"):
                train(config, tmp_path)
            tried.append(config)

    assert train(mine, tmp_path, on_piece=begin).is_finished
    assert len(tried) >= 2
    assert (tmp_path / AGENT).read_bytes() == whole.agent_path.read_bytes()
    assert not (tmp_path / LOCK).exists()


def test_an_agent_that_was_pruned_in_place_is_none_of_the_training(tmp_path):
    """The same command writes the one that it has trained, from its checkpoint."""
    train_tabular(CONFIG, tmp_path)
    agent, whole = load_agent(tmp_path / AGENT), (tmp_path / AGENT).read_bytes()
    for other in (prune(agent, 4), prune(agent, 1), merge([agent])):
        other.save(tmp_path / AGENT)
        assert train_tabular(CONFIG, tmp_path).is_finished
        assert (tmp_path / AGENT).read_bytes() == whole


def test_a_person_who_leaves(tmp_path, capsys, monkeypatch):
    """Wins are learnt from; the game in which the person leaves is not."""
    cells = [f"{column}{row}" for row in "123" for column in "abc"]
    lines = [cell for _ in range(12) for cell in cells]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, "quit", ""])))
    arguments = ["train", "tabular", "--opponent", "human", "--out", str(tmp_path), "--json"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert "you have left the training: the same command goes on" in printed.err
    found = json.loads(printed.out[printed.out.rindex('{\n  "agent"') :])
    assert found["ending"] == "left"
    assert found["episodes"] == sum(found["results"][0]) > 2
    endings = re.findall(r"(X|O) wins \(|a draw \(", printed.out, re.IGNORECASE)
    assert len(endings) == found["episodes"]  # shown with the last position
    assert load_agent(tmp_path / AGENT).facts["episodes"] == found["episodes"]


def train_and_die(whole, folder, number, checkpoint_s):
    """Trains, and ends as by kill -9 before or after a file gets its name, at the time that `number` counts."""
    rename, left = os.replace, number

    def count():
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def replace(source, target):
        count()
        rename(source, target)
        count()

    os.replace = replace
    train_like(whole, folder, checkpoint_s=checkpoint_s)
    os._exit(0)


@pytest.mark.parametrize("checkpoint_s", [0.0, 1e9])
def test_killed_at_the_moment_of_saving(whole, tmp_path, checkpoint_s):
    """In processes of their own, of checkpoints on the way, and before and after the settings and the three last files."""
    for number in range(8):
        folder = tmp_path / str(number)
        if (child := os.fork()) == 0:
            train_and_die(whole, folder, number, checkpoint_s)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        result = train_like(whole, folder)
        assert result.is_finished
        if checkpoint_s > 0.0:
            assert result.resumed == (700 if number > 2 else 0)  # the checkpoint comes after the settings
        assert (folder / AGENT).read_bytes() == whole.agent_path.read_bytes()
        assert (folder / CURVE).read_bytes() == (whole.agent_path.parent / CURVE).read_bytes()


def test_ctrl_c_while_the_last_files_are_written(whole, tmp_path, monkeypatch):
    rename = os.replace
    for number in range(1, 4):  # 0: the settings
        left = [number]

        def replace(source, target, left=left):
            left[0] -= 1
            if left[0] == -1:
                raise KeyboardInterrupt
            rename(source, target)

        monkeypatch.setattr(os, "replace", replace)
        folder = tmp_path / str(number)
        assert train_like(whole, folder, checkpoint_s=1e9).is_finished
        assert left[0] < -1
        assert sorted(path.name for path in folder.iterdir()) == sorted([AGENT, CHECKPOINT, SETTINGS, CURVE])
        assert (folder / AGENT).read_bytes() == whole.agent_path.read_bytes()


def test_a_killed_training_goes_on_to_the_same_result(tmp_path):
    """kill -9, twice, at moments that nobody chose."""
    settings = ["--episodes", "150000", "--greedy-episodes", "50000", "--compare-games", "0"]
    arguments = ["train", "tabular", *settings, "--out", str(tmp_path / "killed"), "--checkpoint-s", "0.05"]
    command = [sys.executable, "-m", "boardgym", *arguments]

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = []
    for number in range(2):
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        checkpoint = tmp_path / "killed" / CHECKPOINT
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        deadline = time.monotonic() + 120.0
        while time.monotonic() < deadline and process.poll() is None:
            if checkpoint.exists() and checkpoint.stat().st_mtime_ns != before:
                break
            time.sleep(0.005)
        time.sleep(0.013 * number)
        process.kill()
        killed.append(process.wait())
    assert -signal.SIGKILL in killed
    assert main(arguments) == 0
    train_tabular(TabularConfig(episodes=150_000, greedy_episodes=50_000), tmp_path / "unbroken")
    assert (tmp_path / "killed" / AGENT).read_bytes() == (tmp_path / "unbroken" / AGENT).read_bytes()
    assert (tmp_path / "killed" / CURVE).read_bytes() == (tmp_path / "unbroken" / CURVE).read_bytes()


def test_checkpoints_that_cannot_be_used(whole, tmp_path):
    content = (whole.agent_path.parent / CHECKPOINT).read_bytes()
    for damaged, words in (
        (content[:-1], "not a checkpoint"),
        (content[:-1] + bytes([content[-1] ^ 1]), "digest"),
        (whole.agent_path.read_bytes(), "format is 'boardgym agent'"),
    ):
        (tmp_path / CHECKPOINT).write_bytes(damaged)
        with pytest.raises(SpecError, match=words):
            train_like(whole, tmp_path)
        assert (tmp_path / CHECKPOINT).read_bytes() == damaged  # nothing is lost
    (tmp_path / CHECKPOINT).write_bytes(content)
    with pytest.raises(SpecError, match=r"a training with epsilon='.*', not '0.2', seed=1, not 3; train into another folder"):
        train(dataclasses.replace(whole.training.config, epsilon="0.2", seed=3), tmp_path)


@pytest.mark.parametrize("whole", [CONFIG], indirect=True)
def test_a_checkpoint_that_cannot_be_loaded(whole, tmp_path):
    """An entry twice is found when the table is half full: the training begins anew, as one that never was elsewhere."""
    trainer = TableTrainer(CONFIG)
    trainer.run(until=200)
    trainer.save_checkpoint(tmp_path / "c")
    arrays, header = CHECKPOINTS.read(tmp_path / "c", {})
    entries = {name: array for name, array in arrays.items() if name in ("keys", "actions", "values", "visits")}
    for change, words in (
        ({name: np.concatenate([array, array[:1]]) for name, array in entries.items()}, "1 entries of a position and action"),
        ({name: array[:1].repeat(80_000, axis=0) for name, array in entries.items()}, "in one of 64 segments"),
    ):
        CHECKPOINTS.write(tmp_path / "d", {**arrays, **change}, {"training": header["training"]})
        with pytest.raises(SpecError, match=words):
            trainer.load_checkpoint(tmp_path / "d")
        assert (trainer.episode, trainer.plies, len(trainer.agent), len(trainer.results())) == (0, 0, 0, 0)
    trainer.run()
    assert all((mine == its).all() for mine, its in zip(trainer.agent.columns(), whole.training.agent.columns(), strict=True))
    assert trainer.entries_by_seat() == whole.training.entries_by_seat()
    assert (trainer.play.results == whole.training.play.results).all()


def test_play_while_it_learns(tmp_path):
    config = dataclasses.replace(CONFIG, episodes=300_000, greedy_episodes=0)
    with Background(TableTrainer(config), tmp_path) as background:
        policy, names, deadline = background.policy, set(), time.monotonic() + 60.0
        while len(names) < 3 and time.monotonic() < deadline:
            board = Board("TicTacToe")
            while not board.is_terminal:
                board.push(policy.act(board, deterministic=True))
            names.add(policy.spec)
    assert len(names) == 3  # it went on meanwhile
    assert background.result is not None
    assert load_agent(tmp_path / AGENT).facts["episodes"] == background.result.training.episode > 0


def test_the_command_says_how_a_training_ended_behind_a_game(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    few = ["--episodes", "1", "--greedy-episodes", "0"]  # done before the agent is first asked
    assert main(["train", "tabular", "--inspect", *few, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert "learnt     1 episodes" in printed.out
    assert "all episodes are done" in printed.err


def test_ctrl_c_before_a_training_in_the_background_has_begun(tmp_path, monkeypatch):
    """While its kernels are compiled, say: it is ended, not left to go on unseen."""
    stopped = []

    def wait(trainer, out, *, on_piece, **settings):
        os.kill(os.getpid(), signal.SIGINT)  # reaches the main thread, which waits
        deadline = time.monotonic() + 60.0
        try:
            while time.monotonic() < deadline:
                time.sleep(0.01)
                on_piece(None)
        except KeyboardInterrupt:
            stopped.append(True)

    monkeypatch.setattr(runs, "train_into", wait)
    monkeypatch.setattr(bg, "_Learning", lambda background: time.sleep(60.0))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            Background(TableTrainer(CONFIG), tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)
    assert stopped == [True]


@pytest.mark.parametrize(("command", "config"), [("tabular", TabularConfig), ("td", NetworkConfig)])
def test_help_explains_every_setting(command, config, capsys):
    """Sentences before the defaults: of a docstring that cannot be read in part nothing is shown."""
    assert main(["train", command, "--help"]) == 0
    lines = [line.strip("│| ") for line in capsys.readouterr().out.splitlines()]
    shown = [part for part in re.split(r" --(?!no-)", " ".join(lines)) if "(default: " in part]
    for name in [field.name for field in dataclasses.fields(config)]:
        (text,) = [part for part in shown if re.match(rf"{name.replace('_', '-')}[ ,]", part)]
        assert re.search(r"\w\W?\. \(default: ", text), text


def test_the_command(tmp_path, capsys):
    arguments = ["train", "tabular", "--episodes", "400", "--greedy-episodes", "300", "--out", str(tmp_path / "a")]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["episodes"], found["is_finished"], found["resumed"]) == (700, True, 0)
    rows = found["comparison"]["rows"]
    assert [(row["opponent"], row["games"]) for row in rows] == [("random", 40), ("greedy", 40), ("minimax:2", 40)]
    assert main([*arguments, "--compare-games", "2"]) == 0
    shown = capsys.readouterr().out
    assert "compare    boardgym compare file:" in shown
    assert re.search(r"^ minimax:2 +2 ", shown, re.MULTILINE)
    assert main([*arguments, "--compare-games", "0"]) == 0
    assert "minimax:2" not in capsys.readouterr().out
    judged = [*arguments, "--compare-games", "2", "--json", "--judges"]
    assert main([*judged, "greedy"]) == 0
    assert [row["opponent"] for row in json.loads(capsys.readouterr().out)["comparison"]["rows"]] == ["greedy"]
    for trust, is_run in (([], False), (["--trust"], True)):  # a program that ends at once
        assert main([*judged, "engine:gtp:false", *trust]) == 0
        said = capsys.readouterr().err
        assert ("not compared: " in said, "say trust=True, or --trust" in said) == (True, not is_run)
    assert main([*arguments, "--seed", "9"]) == 2
    assert "train into another folder" in capsys.readouterr().err
    boxes = ["--method", "menace", "--beads", "8", "4", "2", "1", "--bead-changes", "2", "1", "-2", "--symmetry", "False"]
    assert main(["train", "tabular", *boxes, "--episodes", "1", "--greedy-episodes", "0", "--out", str(tmp_path / "m")]) == 0
    agent = load_agent(tmp_path / "m" / AGENT)
    assert agent.facts["training"]["bead_changes"] == [2.0, 1.0, -2.0]
    assert sorted(agent.columns().values[agent.columns().visits == 0])[-8:] == [8.0] * 8
    capsys.readouterr()
    for options, words in (
        (["--epsilon", "much"], "epsilon='much': expected a number"),
        (["--inspect", "--game", "Abalone3"], "--inspect is for games of two seats, Abalone3-v0 has 3"),
        (["--inspect", "--opponent", "mix(human, random)"], "both would ask you on one terminal"),
        (["--inspect", "--opponent", "file:human"], "no file 'human'"),
        (["--opponent", "perfect(human"], "is not closed"),
        (["--inspect", "--json"], "--inspect with --json"),
        (["--compare-games", "3"], "games=3: expected an even number"),
    ):
        assert main(["train", "tabular", *options, "--out", str(tmp_path / "b")]) == 2
        assert words in capsys.readouterr().err
    assert not (tmp_path / "b").exists()
