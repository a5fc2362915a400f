"""Snapshots in the course of trainings: how many, which, of what, and after a run was cut short."""

import itertools

import pytest

from boardgym.baselines.learning import history as history_module
from boardgym.baselines.learning.agent_files import load_any
from boardgym.baselines.learning.coevolution import CoevolutionConfig, HillClimber
from boardgym.baselines.learning.history import HISTORY, History, found_in, thinned
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.baselines.learning.runs import train_into
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.core.board import Board
from boardgym.core.errors import OptionError

TABULAR = TabularConfig(game="TicTacToe-v0", method="q", episodes=2000, greedy_episodes=0)
COEVOLUTION = CoevolutionConfig(game="TicTacToe-v0", generations=40, games=2)
Q_NETWORK = QNetworkConfig(game="TicTacToe-v0", games=300, hidden=4)


@pytest.fixture(autouse=True)
def all_the_time(monkeypatch):
    """What is kept does not depend on how fast the machine is."""
    monkeypatch.setattr(history_module, "FREE_S", 1e9)


@pytest.mark.parametrize("most", [2, 5, 32])
def test_numbers_that_are_thinned_one_by_one_stay_spread(most):
    kept = list[int]()
    for number in range(1, 1000, 3):
        kept = thinned([*kept, number], most)
        assert len(kept) <= most
    assert (kept[0], len(thinned(range(1, 1000, 3), most)) <= most) == (1, True)
    assert max(after - before for before, after in itertools.pairwise([*kept, 1000])) <= 4 * 1000 / most


@pytest.mark.parametrize("make", [lambda: TableTrainer(TABULAR), lambda: HillClimber(COEVOLUTION), lambda: QNetwork(Q_NETWORK)])
def test_snapshots_are_the_agents_of_their_moments(make, tmp_path):
    seen = dict[int, dict[int, float]]()
    start = Board("TicTacToe-v0")

    def look(training):
        training.write_agent(tmp_path / "now.safetensors")
        seen[training.done] = load_any(tmp_path / "now.safetensors").action_values(start)

    trained = train_into(make(), tmp_path / "run", snapshots=8, on_piece=look)
    kept = found_in(tmp_path / "run" / HISTORY)
    assert 4 <= len(kept) <= 8
    assert {number: load_any(path).action_values(start) for number, path in kept.items()} == {k: seen[k] for k in kept}
    assert len({tuple(values.values()) for values in seen.values()}) > 1  # they differ
    assert load_any(trained.agent_path).action_values(start) == seen[trained.training.total]
    unseen = train_into(make(), tmp_path / "unseen")
    assert unseen.agent_path.read_bytes() == trained.agent_path.read_bytes()  # to look changes nothing


def test_none_are_kept_unless_they_are_asked_for(tmp_path):
    train_into(TableTrainer(TABULAR), tmp_path)
    assert not (tmp_path / HISTORY).exists()
    with pytest.raises(OptionError, match="snapshots=1: expected 0 for none, or 2 to 1,000"):
        train_into(TableTrainer(TABULAR), tmp_path / "other", snapshots=1)


def test_a_run_that_goes_on_from_an_earlier_checkpoint(tmp_path):
    whole = train_into(TableTrainer(TABULAR), tmp_path / "whole", snapshots=8)

    class Killed(BaseException):
        pass

    def die(training):
        if training.done > 1000:
            raise Killed

    folder = tmp_path / "cut"
    with pytest.raises(Killed):  # the only checkpoint is that of the beginning: all snapshots are later
        train_into(TableTrainer(TABULAR), folder, snapshots=8, on_piece=die)
    assert found_in(folder / HISTORY)
    part = folder / HISTORY / f"000000000900.safetensors.{'0' * 16}.part"
    part.write_bytes(b"half")
    again = train_into(TableTrainer(TABULAR), folder, snapshots=8)
    assert again.resumed == 0
    kept, expected = found_in(folder / HISTORY), found_in(whole.folder / HISTORY)
    assert 4 <= len(kept) <= 8
    assert not part.exists()
    for number in set(kept) & set(expected):
        assert load_any(kept[number]).facts["episodes"] == number
    other = TabularConfig(game="TicTacToe-v0", method="sarsa", episodes=100, greedy_episodes=0)
    with pytest.raises(OptionError, match="holds a run"):
        train_into(TableTrainer(other), folder, snapshots=8)


def test_large_agents_have_fewer_snapshots(tmp_path, monkeypatch):
    history = History(tmp_path, 32)
    paths = [tmp_path / str(k) for k in range(3)]
    for path in paths:
        path.write_bytes(b"x" * 100)
    monkeypatch.setattr(history_module, "MOST_BYTES", 1000)
    assert history.room(paths) == 10
    monkeypatch.setattr(history_module, "MOST_BYTES", 100)
    assert (history.room(paths), history.room([])) == (2, 32)
