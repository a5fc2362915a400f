"""Trainings by Q-learning with networks: parts, files, agents, the command, what is refused."""

import copy
import dataclasses
import json
import pickle

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines import make_policy
from boardgym.baselines.learning import agent as learnt
from boardgym.baselines.learning.q_network.agent import load_q_network_agent, trimmed
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import CHECKPOINTS, QNetwork
from boardgym.baselines.learning.runs import train_into
from boardgym.cli import main
from boardgym.compile import as_python
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game

SMALL = QNetworkConfig(game="TicTacToe-v0", games=3000, hidden=12, learning_rate=0.3, target="full")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training in one go."""
    return train_into(QNetwork(SMALL), tmp_path_factory.mktemp("whole"))


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
    with pytest.raises(OptionError, match=r"step_size=0\.2"):
        train_into(QNetwork(dataclasses.replace(SMALL, step_size=0.2)), folder)
    with pytest.raises(OptionError, match="3,001 games: the training is of 3,000"):
        training.play_to(3001)


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
    agent, random = training.agent(), make_policy("random", "TicTacToe-v0", seed=2)
    scores = []
    for game in range(100):
        board, seat = Board("TicTacToe-v0"), game % 2
        while not board.is_terminal:
            board.push((agent if board.to_play == seat else random).act(board))
        scores.append(board.returns()[seat])
    assert min(sum(scores[::2]), sum(scores[1::2])) > 30


def test_agents_of_files(whole, tmp_path):
    """They say the same as the networks of the training, seat by seat; copies too."""
    agent, board = load_q_network_agent(whole.agent_path), Board("TicTacToe-v0")
    for _ in range(3):
        for one in (agent, copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            values = one.action_values(board)
            nets, n, inputs = whole.training.nets, board.to_play, board.observation(board.to_play).ravel()
            hidden = np.tanh(inputs @ nets.input_weights[n, 0, :-1] + nets.input_weights[n, 0, -1])
            expected = np.tanh(nets.output_weights[n] @ hidden + nets.output_biases[n])
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
    """Networks of another board size are refused by name; what passes is worth the opposite of what the other expects."""
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


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("input_weights", lambda it: it * np.nan, "infinite, no numbers"),
        ("output_weights", lambda it: it[:, :-1].copy(), "output_weights is"),
        ("counts", lambda it: it + 1, "counts of games"),
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
    with pytest.raises(OptionError, match=r"still 0\.9512 in the last of 100,000 games.*geometric\(1, 0\.9999309") as caught:
        QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)"))
    proposed = str(caught.value).split("; ")[1].split(" reaches")[0]
    QNetwork(QNetworkConfig(temperature=proposed))
    QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)", never_greedy=True))
    QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)", exploration="epsilon"))
    QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)", games=12_429_215))
    with pytest.raises(OptionError, match="temperature="):
        QNetwork(QNetworkConfig(temperature="geometric(1, 0.9999995)", games=12_429_214))


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
