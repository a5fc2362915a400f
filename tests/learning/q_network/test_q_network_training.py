"""Trainings by Q-learning with networks: parts, files, agents, the command, what is refused."""

import copy
import dataclasses
import json
import pickle
import shutil

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines import make_policy
from boardgym.baselines.learning import agent as learnt
from boardgym.baselines.learning.agent_files import AGENTS
from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.q_network.agent import load_q_network_agent, trimmed
from boardgym.baselines.learning.q_network.config import QNetworkConfig, read_temperature, temperature_of
from boardgym.baselines.learning.q_network.trainer import CHECKPOINTS, QNetwork
from boardgym.baselines.learning.runs import train_into
from boardgym.cli import main
from boardgym.compile import as_python, plain
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game

SMALL = QNetworkConfig(game="TicTacToe-v0", games=3000, hidden=12, learning_rate=0.3, target="full")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training in one go."""
    return train_into(QNetwork(SMALL), tmp_path_factory.mktemp("whole"))


GAME_OF_BLOCK = np.zeros((100, 5), np.int64)  # a game more in the first block, one less in the second
GAME_OF_BLOCK[:2, 0] = 1, -1


def contents(folder):
    return {name: (folder / name).read_bytes() for name in ("agent.safetensors", "curve.csv", "checkpoint.safetensors")}


def test_parts_do_not_change_the_result(whole, tmp_path):
    """Neither by `play_to` and a checkpoint in the middle, nor by interruptions of `train_into`."""
    training = QNetwork(SMALL)
    training.play_to(1234)
    training.save_checkpoint(tmp_path / "checkpoint.safetensors")
    agent = training.agent()
    weights = {name: part.copy() for name, part in trimmed(agent.nets, 12).items()}
    training.play_to(3000)
    assert all((part == weights[name]).all() for name, part in trimmed(agent.nets, 12).items())
    again = QNetwork(SMALL)
    again.load_checkpoint(tmp_path / "checkpoint.safetensors")
    assert again.done == 1234
    again.play_to(3000)
    for one in (training, again):
        one.save_checkpoint(tmp_path / "end.safetensors")
        assert (tmp_path / "end.safetensors").read_bytes() == contents(whole.folder)["checkpoint.safetensors"]

    def interrupts(training):
        raise KeyboardInterrupt

    folder = tmp_path / "interrupted"
    first = train_into(QNetwork(SMALL), folder, on_piece=interrupts)
    assert (first.ending, 0 < first.training.done < 3000) == ("interrupted", True)
    assert train_into(QNetwork(SMALL), folder).resumed == first.training.done
    assert contents(folder) == contents(whole.folder)
    assert train_into(QNetwork(SMALL), folder).resumed == 3000
    with pytest.raises(OptionError, match=r"learning_rate=0\.2"):
        train_into(QNetwork(dataclasses.replace(SMALL, learning_rate=0.2)), folder)
    with pytest.raises(OptionError, match="3,001 games: the training is of 3,000"):
        training.play_to(3001)


def test_it_can_be_looked_at_after_each_tenth(tmp_path):
    seen = set()
    config = dataclasses.replace(SMALL, games=203)
    train_into(QNetwork(config), tmp_path, on_piece=lambda training: seen.add((training.done, training.parts_done)))
    ends = [21, 41, 61, 82, 102, 122, 143, 163, 183, 203]
    assert set(zip(ends, range(1, 11), strict=True)) <= seen


@pytest.mark.parametrize(("form", "shares"), [("multi", True), ("pair", False)])
def test_parts_of_other_forms_do_not_change_the_result(form, shares, tmp_path):
    config = dataclasses.replace(SMALL, form=form, shares=shares, games=60)
    whole, first, second = (QNetwork(config) for _ in range(3))
    whole.play_to(60)
    first.play_to(23)
    first.save_checkpoint(tmp_path / "first")
    second.load_checkpoint(tmp_path / "first")
    second.play_to(60)
    whole.save_checkpoint(tmp_path / "whole")
    second.save_checkpoint(tmp_path / "second")
    assert (tmp_path / "second").read_bytes() == (tmp_path / "whole").read_bytes() != (tmp_path / "first").read_bytes()


@pytest.mark.parametrize(
    ("name", "content"), [("curve.csv", None), ("agent.safetensors", None), ("agent.safetensors", b"damaged")]
)
def test_what_is_lost_is_written_again(whole, tmp_path, name, content):
    """From the checkpoint, which has all of it."""
    folder = tmp_path / "copy"
    shutil.copytree(whole.folder, folder)
    training = QNetwork(SMALL)
    training.load_checkpoint(folder / "checkpoint.safetensors")
    assert training.is_written(folder)
    (folder / name).write_bytes(content) if content else (folder / name).unlink()
    assert not training.is_written(folder)
    assert train_into(QNetwork(SMALL), folder).resumed == 3000
    assert contents(folder) == contents(whole.folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pays": [1, 0, -1]}, "Expected `null`"),
        ({"form": "foo"}, "Invalid enum value 'foo'"),
        ({"networks": 3}, "networks of 3 seats"),
        ({"hidden": 99_999, "form": "multi", "game": "Abalone-v0", "options": {}}, "weights of multi.*that an agent's save"),
        ({"hidden": 11}, "input_weights is"),
        ({"training": [1]}, "Expected `object`"),
    ],
)
def test_agents_that_no_training_wrote_are_refused(whole, tmp_path, change, message):
    """Nor does a training take one for its own."""
    arrays, header = AGENTS.read(whole.agent_path, {})
    rest = {key: value for key, value in header.items() if key not in ("format", "version", "sha256", "header_sha256")}
    shutil.copytree(whole.folder, tmp_path / "copy")
    AGENTS.write(tmp_path / "copy" / "agent.safetensors", arrays, {**rest, **change})
    with pytest.raises(SpecError, match=message):
        load_q_network_agent(tmp_path / "copy" / "agent.safetensors")
    assert not whole.training.is_written(tmp_path / "copy")


def test_the_curve_says_what_was_learnt(whole):
    """The second half of the curve has fewer errors."""
    curve = whole.training.curve()
    assert [row[0] for row in curve] == list(range(30, 3001, 30))
    assert sum(sum(row[1:4]) for row in curve) == 3000
    assert whole.training.report(whole.folder)["td_error"] == curve[-1][-1]
    half = len(curve) // 2
    assert sum(row[-1] for row in curve[half:]) < 0.7 * sum(row[-1] for row in curve[:half])


def test_one_network_for_both_seats_learns_to_beat_random_play():
    """Random play has +15 as the first of two and -15 as the second of fifty games each."""
    rates = {"target": "full", "learning_rate": 0.03, "exploration": "epsilon", "epsilon": "linear(0.5, 0.1)"}
    training = QNetwork(QNetworkConfig(game="TicTacToe-v0", games=100_000, hidden=40, shares=True, **rates))
    training.play_to(100_000)
    agent, rng = training.agent(), np.random.default_rng(2)
    scores = []
    for game in range(100):
        board, seat = Board("TicTacToe-v0", compiled=False), game % 2
        while not board.is_terminal:
            board.push(agent.act(board) if board.to_play == seat else int(rng.choice(board.legal_actions)))
        scores.append(board.returns()[seat])
    assert min(sum(scores[::2]), sum(scores[1::2])) > 30


def test_agents_of_files(whole, monkeypatch):
    """They say the same as the networks of the training, seat by seat; copies too. Values are not compiled."""
    monkeypatch.setattr(learnt, "values_kernel", as_python(learnt.values_kernel))
    agent, board = load_q_network_agent(whole.agent_path), Board("TicTacToe-v0", compiled=False)
    for _ in range(3):
        for one in (agent, copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            values = one.action_values(board)
            nets, n, inputs = whole.training.nets, board.to_play, board.observation(board.to_play).ravel()
            hidden = np.tanh(inputs @ nets.weights.input_weights[n, 0, :-1] + nets.weights.input_weights[n, 0, -1])
            expected = np.tanh(nets.weights.output_weights[n] @ hidden + nets.weights.output_biases[n])
            assert values == pytest.approx({a: expected[a] for a in board.legal_actions}, abs=1e-13)
            assert one.act(board, deterministic=True) == max(values, key=values.get)
            assert one.evaluate(board) == max(values.values())
        board.push(agent.act(board, deterministic=True))
    statistics = agent.statistics()
    assert statistics["weights_without_biases"] == 12 * (len(inputs) + 9)
    assert statistics["weights"] == statistics["weights_without_biases"] + 12 + 9
    with pytest.raises(UnsupportedGameError, match="ConnectFour"):
        make_policy(whole.player, "ConnectFour-v0")


@pytest.mark.parametrize(
    ("form", "hidden", "with_biases", "without"), [("single", 44, 5740, 5632), ("multi", 36, 152_128, 149_760)]
)
def test_the_study_counts_its_weights(form, hidden, with_biases, without):
    training = QNetwork(QNetworkConfig(form=form, hidden=hidden, games=100))
    statistics = training.agent().statistics()
    assert (statistics["weights"], statistics["weights_without_biases"]) == (with_biases, without)
    assert statistics["sizes"] == [64, hidden, 64 if form == "single" else 1]
    assert -0.1 <= statistics["least_weight"] < -0.09 < 0.09 < statistics["greatest_weight"] < 0.1
    assert training.size.startswith(f"2 x {form}, {2 * with_biases:,} weights")


@pytest.mark.parametrize(("form", "shares"), [("multi", True), ("pair", False)])
def test_files_of_every_kind(form, shares, tmp_path):
    """They come back as they were, and are refused on another board by name."""
    training = QNetwork(QNetworkConfig(option=("size=4",), form=form, hidden=5, games=10, shares=shares, weight_span=1.0))
    agent = training.agent()
    agent.save(tmp_path / "agent.safetensors")
    found = load_q_network_agent(tmp_path / "agent.safetensors")
    assert found.header() == agent.header()
    assert all((part == trimmed(agent.nets, 5)[name]).all() for name, part in trimmed(found.nets, 5).items())
    with pytest.raises(UnsupportedGameError, match="size"):
        make_policy(f"file:{tmp_path / 'agent.safetensors'}", "Othello-v0")


def test_a_pass_is_worth_the_opposite_of_what_the_other_seat_expects(monkeypatch):
    monkeypatch.setattr(learnt, "values_kernel", as_python(learnt.values_kernel))
    training = QNetwork(QNetworkConfig(option=("size=4",), hidden=5, games=10, weight_span=1.0))
    agent, game = training.agent(), get_game("Othello-v0", size=4)
    rng, boards = np.random.default_rng(1), []
    while not boards:
        board = Board(game, compiled=False)
        while not board.is_terminal and list(board.legal_actions) != [16]:
            board.push(int(rng.choice(board.legal_actions)))
        boards += [] if board.is_terminal else [board]
    after = boards[0].copy()
    after.push(16)
    assert agent.action_values(boards[0]) == {16: -max(agent.action_values(after).values())}


def test_a_pass_in_a_game_of_chance_is_worth_nothing_that_is_known(monkeypatch):
    """The other seat rolls first, and networks value no position before a roll."""
    monkeypatch.setattr(learnt, "values_kernel", as_python(learnt.values_kernel))
    agent = QNetwork(QNetworkConfig(game="Backgammon-v0", hidden=3, games=10, weight_span=1.0)).agent()
    board, rng = Board("Backgammon-v0", seed=1, compiled=False), np.random.default_rng(1)
    while list(board.legal_actions) != [150]:
        board.push(int(rng.choice(board.legal_actions)))
    assert agent.action_values(board) == {150: 0.0}


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("input_weights", lambda it: it * np.nan, "infinite, no numbers"),
        ("output_weights", lambda it: it[:, :-1].copy(), "output_weights is"),
        ("counts", lambda it: it + 1, "counts of games"),
        ("counts", lambda it: it + GAME_OF_BLOCK, "counts of games"),
        ("counts", lambda it: it + np.array([0, 0, 0, 1 << 60, 0]), "counts of games"),
        ("errors", lambda it: -1.0 - it, "counts of games"),
        ("errors", lambda it: it * np.nan, "counts of games"),
        ("rng", lambda it: it.astype(np.int64), "rng is"),
    ],
)
def test_damaged_checkpoints_are_refused(whole, tmp_path, name, change, message):
    arrays, header = CHECKPOINTS.read(whole.folder / "checkpoint.safetensors", {})
    rest = {key: header[key] for key in ("training", "done")}
    CHECKPOINTS.write(tmp_path / "checkpoint.safetensors", {**arrays, name: change(arrays[name])}, rest)
    with pytest.raises(SpecError, match=message):
        QNetwork(SMALL).load_checkpoint(tmp_path / "checkpoint.safetensors")


def test_a_schedule_that_never_reaches_the_switch():
    """The message says which factor does; the study's own takes 12.4 million games."""
    with pytest.raises(OptionError, match=r"still 0\.9512 in the last of 100,000 games.*geometric\(1, 0\.999930") as caught:
        QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)"))
    proposed = str(caught.value).split("; ")[1].split(" reaches")[0]
    QNetwork(QNetworkConfig(temperature=proposed))
    QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)", never_greedy=True))
    QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)", games=12_429_215))
    with pytest.raises(OptionError, match="temperature="):
        QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)", games=12_429_214))


def test_schedules_of_short_trainings():
    """The usual one is below the switch in the last game, however few there are; so is one that is proposed."""
    for games in (*range(1, 40), 1000, 12_429_214):
        for switch in (0.002, 0.3, 5.0, 1e-6):
            config = QNetworkConfig(games=games, greedy_below=switch)
            last = plain(rate_at)(read_temperature(config), games - 1)
            assert last < switch or games == 1
            explicit = dataclasses.replace(config, temperature=temperature_of(config))
            assert games == 1 or (read_temperature(explicit) == read_temperature(config)).all()
        for first in (1.0, 0.0021, 1e6) if games > 1 else ():
            with pytest.raises(OptionError, match="reaches that") as caught:
                read_temperature(QNetworkConfig(games=games, temperature=str(first)))
            proposed = str(caught.value).split("; ")[1].split(" reaches")[0]
            read_temperature(QNetworkConfig(games=games, temperature=proposed))
    assert temperature_of(QNetworkConfig()) == "exponential(1, 0.001)"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden": 0}, "hidden=0: expected a whole number from 1"),
        ({"games": 0}, "games=0: expected a whole number from 1"),
        ({"step_size": 0.0}, r"step_size=0\.0: expected a number above 0"),
        ({"learning_rate": float("nan")}, "learning_rate=nan: expected"),
        ({"discount": 1.5}, r"discount=1\.5: expected a number from 0 to 1"),
        ({"greedy_below": 0.0}, r"greedy_below=0\.0: expected a temperature from 1e-06"),
        ({"temperature": "hot"}, "temperature='hot'"),
        ({"epsilon": "2"}, "epsilon='2'"),
        ({"temperature": "0.002"}, "temperature='0.002': still 0.002 .* expected one that falls below it"),
        ({"temperature": "linear(0.001, 1)"}, "expected one that falls below it"),
        ({"temperature": "linear(0, 1)"}, "expected one that falls below it"),
        ({"temperature": "1", "games": 1}, "expected one that falls below it"),
        ({"target": "foo"}, "target='foo'; known: full, literal"),
        ({"form": "foo"}, "form='foo'; known: multi, pair, single"),
        ({"step_size": 0.3}, r"step_size=0\.3: step_size has no effect \(target=full\)"),
        ({"epsilon": "0.2"}, "epsilon has no effect"),
        ({"exploration": "epsilon", "temperature": "5"}, "temperature has no effect"),
        ({"exploration": "epsilon", "greedy_below": 0.1}, "greedy_below has no effect"),
        ({"exploration": "epsilon", "never_greedy": True}, "never_greedy has no effect"),
        ({"hidden": 2.5}, r"hidden=2\.5: expected a whole number"),
        ({"hidden": "4"}, "hidden='4': expected a whole number"),
        ({"games": True}, "games=True: expected a whole number"),
        ({"step_size": "a"}, "step_size='a': expected a number"),
        ({"shares": "no"}, "shares='no': expected True or False"),
        ({"features": "plane"}, "did you mean 'planes'"),
        ({"hidden": 100_000, "form": "multi", "game": "Abalone-v0"}, "weights of multi networks"),
    ],
)
def test_what_is_refused(change, message):
    with pytest.raises(OptionError, match=message):
        QNetwork(dataclasses.replace(SMALL, **change))


def test_the_command(tmp_path, capsys):
    words = ["train", "q-network", "--game", "TicTacToe", "--games", "500", "--hidden", "8", "--form", "multi"]
    assert main([*words, "--compare-games", "0", "--json", "--out", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["is_finished"], found["resumed"]) == (500, True, 0)
    assert set(found) >= {"won", "drawn", "lost", "plies", "td_error"}
    assert main(["train", "q-network", "--temperature", "1", "--json", "--out", str(tmp_path / "b")]) == 2
    assert "greedy_below" in capsys.readouterr().err
