"""Trainings by Descent: parts, files, agents in searches, what is learnt, the command, what is refused."""

import dataclasses
import json
from functools import cache

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines import make_policy
from boardgym.baselines.learning.descent.config import DescentConfig
from boardgym.baselines.learning.descent.trainer import DescentTraining
from boardgym.baselines.learning.ntuple.agent import load_ntuple_agent
from boardgym.baselines.learning.runs import train_into
from boardgym.cli import main
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError

SMALL = DescentConfig(
    game="TicTacToe-v0",
    games=1000,
    budget=20,
    epsilon="0.3",
    tuples=("lines(3)", "shape(xx/xx)"),
    nodes=20_000,
    average_from=0.5,
)
NAMES = ("agent.safetensors", "curve.csv", "checkpoint.safetensors")


def contents(folder):
    return {name: (folder / name).read_bytes() for name in NAMES}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training in one go."""
    return train_into(DescentTraining(SMALL), tmp_path_factory.mktemp("whole"))


@cache
def value_of(fen):
    """What perfect play pays seat 0."""
    board = Board.from_fen(fen, "TicTacToe-v0")
    if board.is_terminal:
        return board.returns()[0]
    return (max if board.to_play == 0 else min)(map(value_of, successors(board).values()))


def successors(board):
    """The position string that each action leads to."""
    found = {}
    for action in board.legal_actions:
        board.push(action)
        found[action] = board.fen()
        board.pop()
    return found


def results(agent, seat, board):
    """What games against perfect play pay the agent: all of them, by any of equal moves of the other seat."""
    if board.is_terminal:
        return [board.returns()[seat]]
    after = successors(board)
    actions = [a for a, fen in after.items() if value_of(fen) == value_of(board.fen())]
    found = []
    for action in [agent.act(board, deterministic=True)] if board.to_play == seat else actions:
        board.push(action)
        found += results(agent, seat, board)
        board.pop()
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_learns_not_to_lose_against_perfect_play(seed):
    training = DescentTraining(dataclasses.replace(SMALL, games=3000, epsilon="0.6", step_size="1", seed=seed))
    begins = training.agent()
    training.play_to(3000)
    agent = training.agent()
    for seat in (0, 1):
        assert -1.0 in results(begins, seat, Board("TicTacToe-v0"))
        found = results(agent, seat, Board("TicTacToe-v0"))
        assert set(found) == {0.0}
        assert len(found) > 1
    error = [row[-1] for row in training.curve()]
    assert sum(error[-20:]) < 0.7 * sum(error[:20])


def test_parts_do_not_change_the_result(whole, tmp_path):
    """Neither by interruptions of `train_into`; another seed, and another budget, learn something else."""

    def interrupts(training):
        raise KeyboardInterrupt

    folder = tmp_path / "interrupted"
    first = train_into(DescentTraining(SMALL), folder, on_piece=interrupts)
    assert (first.ending, 0 < first.training.done < 1000) == ("interrupted", True)
    assert train_into(DescentTraining(SMALL), folder).resumed == first.training.done
    assert contents(folder) == contents(whole.folder)
    with pytest.raises(OptionError, match="budget=5"):
        train_into(DescentTraining(dataclasses.replace(SMALL, budget=5)), folder)
    for change in ({"seed": 2}, {"budget": 5}, {"exploration": "uniform"}, {"payoff": "depth"}):
        other = DescentTraining(dataclasses.replace(SMALL, **change))
        other.play_to(10)
        again = DescentTraining(SMALL)
        again.play_to(10)
        assert np.abs(other.memory.weights - again.memory.weights).max() > 0.01


def test_agents_of_files(whole):
    """They are n-tuple agents, and evaluations of searches."""
    agent, board = load_ntuple_agent(whole.agent_path), Board("TicTacToe-v0")
    assert agent.facts["training"]["method"] == "descent"
    assert agent.weights.tobytes() == whole.training.agent().weights.tobytes()
    for action in (0, 4, 1):
        board.push(action)
    for spec in ("file:{}", "ntuple:{}"):
        assert make_policy(spec.format(whole.agent_path), "TicTacToe-v0").act(board, deterministic=True) == 2
    search = make_policy(f"minimax:3,evaluation=ntuple:{whole.agent_path}", "TicTacToe-v0")
    assert any(isinstance(part, np.ndarray) and part.tobytes() == agent.weights.tobytes() for part in search.data)
    with pytest.raises(UnsupportedGameError, match="asked for is 'ConnectFour-v0'"):
        make_policy(f"file:{whole.agent_path}", "ConnectFour-v0")


def test_a_checkpoint_of_another_training_is_refused(whole, tmp_path):
    training = DescentTraining(dataclasses.replace(SMALL, games=2000))
    with pytest.raises(SpecError, match="games"):
        training.load_checkpoint(whole.folder / "checkpoint.safetensors")
    assert not training.memory.weights.any()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"budget": 0}, OptionError, "budget=0: expected a whole number from 1"),
        ({"budget": 2.5}, OptionError, r"budget=2\.5: expected a whole number"),
        ({"nodes": 9}, OptionError, "nodes=9: TicTacToe-v0 needs at least 10"),
        (
            {"nodes": 2**31 - 1},
            OptionError,
            "trees of 2,147,483,647 nodes need .*the machine has 1 GiB; lower nodes",
        ),
        ({"exploration": "rank"}, OptionError, "exploration='rank'; known: ordinal, uniform"),
        ({"payoff": "score"}, OptionError, "payoff='score'"),
        ({"epsilon": "2"}, OptionError, "epsilon='2'"),
        ({"tuples": ("cells(3,3)",)}, OptionError, "TicTacToe-v0 {} has no cell 3,3"),
        ({"game": "Abalone3-v0"}, UnsupportedGameError, "Abalone3-v0 has 3 seats"),
        ({"game": "Backgammon-v0"}, UnsupportedGameError, "Backgammon-v0 has chance: Descent learns games without chance"),
        ({"game": "Abalone-v0", "option": ("rewards=material",)}, UnsupportedGameError, "Abalone-v0 pays"),
        ({"game": "CardPoints-v0"}, UnsupportedGameError, "CardPoints-v0"),
    ],
)
def test_what_is_refused(change, error, message, monkeypatch):
    monkeypatch.setattr("boardgym.baselines.memory.machine_memory", lambda: 1 << 30)
    with pytest.raises(error, match=message):
        DescentTraining(dataclasses.replace(SMALL, **change))


def test_the_command(tmp_path, capsys):
    words = ["train", "descent", "--game", "TicTacToe", "--games", "50", "--tuples", "lines(3)", "--nodes", "10000"]
    assert main([*words, "--compare-games", "0", "--json", "--out", str(tmp_path / "a")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["is_finished"], found["resumed"]) == (50, True, 0)
    assert set(found) >= {"won", "drawn", "lost", "plies", "td_error"}
    assert main(["train", "descent", "--game", "Backgammon", "--json", "--out", str(tmp_path / "b")]) == 2
    assert "Descent learns games without chance" in capsys.readouterr().err
