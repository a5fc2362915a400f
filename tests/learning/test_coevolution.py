"""Co-evolution: each step against the formula, the same result however it is cut short or shared; files; the command."""

import dataclasses
import json
import os
import signal

import numpy as np
import pytest

from boardgym.baselines.arena.duels import Duels
from boardgym.baselines.learning import coevolution as co
from boardgym.baselines.learning.coevolution import CoevolutionConfig, HillClimber, train_coevolution
from boardgym.baselines.learning.run_folders import AGENT, CHECKPOINT, CURVE, FORMER_CHECKPOINT
from boardgym.baselines.learning.run_folders import CONFIG as CONFIG_FILE
from boardgym.cli import main
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import normals, stream

CONFIG = CoevolutionConfig(game="TicTacToe-v0", generations=40, games=5, keep_every=1, noise=0.3, epsilon=0.1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training that was never interrupted."""
    return train_coevolution(CONFIG, tmp_path_factory.mktemp("whole"))


def test_champions_are_those_of_the_formula(whole):
    climber = whole.training
    numbers, kept = climber.champions()
    results, duels = climber.results(), Duels(climber.game, max_plies=400)
    assert numbers.tolist() == list(range(41))
    assert kept[0].tolist() == [0.0] * 36
    moved = 0
    for number in range(40):
        noise = normals(stream(1, co.NOISE_STREAM, number), 36)
        mutant = kept[number] + 0.3 * noise
        players = [climber.player(weights, epsilon=0.1) for weights in (mutant, kept[number])]
        path = (co.GAME_STREAM, number)
        scores = duels.play(*players, 5, seed=1, path=path, seat=number * 5 % 2).scores
        assert results[number].tolist() == [(scores == score).sum() for score in (1, 0, -1)]
        moves = results[number, 0] > 2.5
        moved += moves
        assert kept[number + 1] == pytest.approx(kept[number] + 0.05 * moves * (mutant - kept[number]), abs=1e-15)
    assert 5 < moved < 35
    assert climber.champion.tolist() == kept[40].tolist()


def test_noise_is_normal():
    drawn = normals(stream(5), 40_001)
    assert len(drawn) == 40_001
    assert abs(drawn.mean()) < 4 / 200
    assert drawn.std() == pytest.approx(1.0, abs=4 / (200 * 2**0.5))
    assert (abs(drawn) < 1.959964).mean() == pytest.approx(0.95, abs=4 * (0.95 * 0.05 / 40_000) ** 0.5)
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 4 / 200
    assert drawn[:3].tolist() == normals(stream(5), 3).tolist()


def files(folder):
    return [(folder / name).read_bytes() for name in (AGENT, CHECKPOINT)]


def test_ctrl_c_loses_nothing(whole, tmp_path):
    def press(climber):
        if climber.generation in (7, 23):
            raise KeyboardInterrupt

    results = [train_coevolution(CONFIG, tmp_path, on_generation=press, num_threads=n) for n in (1, 2, 2)]
    assert [result.training.generation for result in results] == [7, 23, 40]
    assert [result.is_finished for result in results] == [False, False, True]
    assert [result.resumed for result in results] == [0, 7, 23]
    assert files(tmp_path) == files(whole.agent_path.parent)


def train_and_die(folder, number, checkpoint_s):
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
    train_coevolution(CONFIG, folder, checkpoint_s=checkpoint_s)
    os._exit(0)


@pytest.mark.parametrize(("checkpoint_s", "numbers"), [(0.0, (0, 11, 42)), (1e9, range(6))])
def test_killed_at_the_moment_of_saving(whole, tmp_path, checkpoint_s, numbers):
    for number in numbers:
        folder = tmp_path / str(number)
        if (child := os.fork()) == 0:
            train_and_die(folder, number, checkpoint_s)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        result = train_coevolution(CONFIG, folder)
        assert result.resumed == ((max(number, 2) - 1) // 2 if checkpoint_s == 0.0 else 40 * (number > 2))  # settings first
        assert files(folder) == files(whole.agent_path.parent)


def test_a_training_that_has_ended_goes_on_with_more_generations(whole, tmp_path):
    train_coevolution(dataclasses.replace(CONFIG, generations=15), tmp_path)
    result = train_coevolution(CONFIG, tmp_path)
    assert (result.resumed, result.training.generation) == (15, 40)
    assert files(tmp_path) == files(whole.agent_path.parent)
    with pytest.raises(SpecError, match="40 generations done, asked for are 15"):
        train_coevolution(dataclasses.replace(CONFIG, generations=15), tmp_path)
    with pytest.raises(OptionError, match=r"asked for is noise=0\.2 \(the run has 0\.3\); train into another folder"):
        train_coevolution(dataclasses.replace(CONFIG, noise=0.2), tmp_path)


@pytest.mark.parametrize("has_config", [True, False])
def test_a_checkpoint_of_the_name_before_is_read(whole, tmp_path, has_config):
    train_coevolution(dataclasses.replace(CONFIG, generations=15), tmp_path)
    (tmp_path / CHECKPOINT).rename(tmp_path / FORMER_CHECKPOINT)
    if not has_config:
        (tmp_path / CONFIG_FILE).unlink()
    assert train_coevolution(CONFIG, tmp_path).resumed == 15
    assert files(tmp_path) == files(whole.agent_path.parent)
    assert not (tmp_path / FORMER_CHECKPOINT).exists()


def test_the_curve_has_the_games_of_each_block(whole):
    assert (whole.folder / CURVE).read_text().splitlines() == [
        "generations,won,drawn,lost",
        f"40,{','.join(map(str, whole.training.results().sum(axis=0)))}",
    ]


def test_champions_are_read_back(whole, tmp_path):
    climber, numbers, kept = co.load_champions(whole.folder / CHECKPOINT)
    assert climber.config == CONFIG
    assert (len(numbers), kept.tolist()) == (41, whole.training.champions()[1].tolist())
    assert (2.0 * climber.agent.net.weights).tolist() == kept[40].tolist()
    content = (whole.folder / CHECKPOINT).read_bytes()
    (tmp_path / CHECKPOINT).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    for path, words in (
        (tmp_path / CHECKPOINT, "digest"),
        (whole.agent_path, "format is 'boardgym agent'"),
        (tmp_path / "x", "no file"),
    ):
        with pytest.raises(SpecError, match=words):
            co.load_champions(path)


@pytest.mark.parametrize(
    "change",
    [
        {"training": []}, {"training": None}, {"training": {"game": 3}}, {"training": {"option": "repetition_limit=0"}},
        {"training": {"option": [1]}}, {"training": {"features": 7}}, {"training": {"noise": "much"}},
        {"training": {"keep_every": 1.0}}, {"training": {"games": 1e400}}, {"training": {"adds_reward": "yes"}},
        {"training": {"setup": 3}}, {"training": {"more": 1}}, {"done": None}, {"done": 40.0}, {"done": 10**9},
    ],
    ids=str,
)  # fmt: skip
def test_headers_of_strangers_are_refused(whole, tmp_path, change):
    arrays, header = co.STORED.read(whole.folder / CHECKPOINT, {})
    header = {name: value for name, value in header.items() if "sha256" not in name}
    if isinstance(change.get("training"), dict):
        change = {"training": header["training"] | change["training"]}
    co.STORED.write(tmp_path / "a", arrays, header | change)
    with pytest.raises(SpecError, match=r"header (does not describe|of) a training|generations done, asked"):
        co.load_champions(tmp_path / "a")


@pytest.mark.parametrize("checkpoint_s", [-1.0, float("nan")])
def test_no_time_between_checkpoints(checkpoint_s, tmp_path):
    with pytest.raises(OptionError, match=f"checkpoint_s={checkpoint_s}: expected seconds"):
        train_coevolution(CONFIG, tmp_path / "a", checkpoint_s=checkpoint_s)
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"generations": -1}, OptionError, "generations=-1: expected a whole number from 0 to 1,000,000"),
        ({"generations": 40.0}, OptionError, r"generations=40\.0: expected a whole number"),
        ({"keep_every": True}, OptionError, "keep_every=True: expected a whole number"),
        ({"wins_of": "most"}, OptionError, "wins_of='most'; known: all, decided"),
        ({"games": 0}, OptionError, "games=0: expected a whole number from 1 to"),
        ({"step": 1.5}, OptionError, r"step=1\.5: expected a number from 0 to 1"),
        ({"epsilon": float("nan")}, OptionError, "epsilon=nan"),
        ({"noise": 0.0}, OptionError, r"noise=0\.0: expected a number above 0"),
        ({"max_plies": 0}, OptionError, "max_plies=0: TicTacToe-v0 may last 9 plies; expected 1 to 20,000"),
        ({"features": "cells"}, UnsupportedGameError, "'cells' is not for TicTacToe-v0"),
        ({"game": "Abalone3-v0"}, UnsupportedGameError, "3 seats; expected a game of two"),
    ],
)
def test_settings_that_cannot_be_had(settings, error, words):
    with pytest.raises(error, match=words):
        HillClimber(dataclasses.replace(CONFIG, **settings))


def test_the_command(whole, capsys, monkeypatch, tmp_path):
    arguments = ["train", "coevolution", "--game", "TicTacToe-v0", "--games", "5", "--noise", "0.3", "--epsilon", "0.1",
                 "--keep-every", "1", "--threads", "2", "--json", "--out", str(tmp_path)]  # fmt: skip
    assert main([*arguments, "--generations", "20"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["generations"], found["resumed"], found["is_finished"]) == (20, 0, True)
    assert sum(found["results"][0]) == 100
    assert [row["opponent"] for row in found["comparison"]["rows"]] == ["random", "greedy", "minimax:2"]
    climb = HillClimber._climb

    def press(climber):
        if climber.generation == 30:
            raise KeyboardInterrupt
        climb(climber)

    with monkeypatch.context() as patch:
        patch.setattr(HillClimber, "_climb", press)
        assert main([*arguments, "--generations", "40"]) == 130
    printed = capsys.readouterr()
    assert "interrupted: the same command goes on" in printed.err
    assert (json.loads(printed.out)["generations"], json.loads(printed.out)["comparison"]) == (30, None)
    assert main([*arguments, "--generations", "40"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["resumed"], found["followed"]) == (30, int((whole.training.results()[:, 0] > 2.5).sum()))
    assert files(tmp_path) == files(whole.agent_path.parent)
    assert main([*arguments, "--generations", "10"]) == 2
    assert "40 generations done, asked for are 10" in capsys.readouterr().err
    for more, options in (
        ([], ""),
        (["--adds-reward"], " --option repetition_limit=0 --option no_push_limit=0 --option rewards=material"),
    ):
        folder = tmp_path / f"none{len(more)}"
        assert main(["train", "coevolution", "--generations", "0", "--compare-games", "0", "--out", str(folder), *more]) == 0
        shown = capsys.readouterr().out.splitlines()
        assert f"play       boardgym play Abalone-v0 human file:{folder / AGENT}{options}" in shown
        assert f"compare    boardgym compare file:{folder / AGENT} --game Abalone-v0{options}" in shown


def test_the_agent_s_file(whole):
    agent = make_policy(f"file:{whole.agent_path}", "TicTacToe-v0")
    assert (2.0 * agent.net.weights).tolist() == whole.training.champion.tolist()
    assert agent.facts["training"]["noise"] == 0.3


def test_the_study_s_settings():
    """In training games go on to their end or the cap; the agent plays by the usual rules, unless it counts what they pay."""
    climber = HillClimber(CoevolutionConfig())
    assert (climber.features.text, climber.duels.max_plies) == ("cells", 400)
    assert dict(climber.game.options)["rewards"] == "material"
    assert climber.agent.game.id == "Abalone-v0"
    assert dict(climber.agent.game.options)["rewards"] == "outcome"
    assert HillClimber(CoevolutionConfig(adds_reward=True)).agent.game.token.name == climber.game.token.name
    assert HillClimber(CoevolutionConfig(option=("rewards=material",))).agent.game.repetition_limit == 3


def test_wins_of_decided_games(whole):
    """More are followed, and what was followed is what moved the champion."""
    climber = HillClimber(dataclasses.replace(CONFIG, wins_of="decided"))
    climber.run()
    (won, _, lost), (_, kept) = climber.results().T, climber.champions()
    assert climber.followed().tolist() == (won > lost).tolist() == (kept[1:] != kept[:-1]).any(axis=1).tolist()
    assert climber.followed().sum() > (2 * won > 5).sum()
    assert whole.training.followed().tolist() == (2 * whole.training.results()[:, 0] > 5).tolist()


def test_one_training_in_a_folder(tmp_path):
    def begin(climber):
        with pytest.raises(OptionError, match="another process works at this"):
            train_coevolution(dataclasses.replace(CONFIG, seed=2), tmp_path)
        if climber.generation == 3:
            raise RuntimeError("of the caller")

    with pytest.raises(RuntimeError):
        train_coevolution(CONFIG, tmp_path, on_generation=begin)
    assert train_coevolution(CONFIG, tmp_path).resumed == 3  # what it had climbed is kept


def test_no_options_are_the_usual_rules():
    for option, limit in (((), get_game("Abalone-v0").options["no_push_limit"]), (None, 0)):
        assert HillClimber(CoevolutionConfig(option=option)).game.options["no_push_limit"] == limit
