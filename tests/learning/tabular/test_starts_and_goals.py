"""Trainings that start from the table of an agent, that end when the learner is good enough, and that others follow."""

import dataclasses

import pytest

from boardgym.baselines.learning.run_folders import AGENT, CURVE
from boardgym.baselines.learning.runs import followed, train_into
from boardgym.baselines.learning.tabular.agent import load_agent
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError

CONFIG = TabularConfig(episodes=5000, greedy_episodes=10_000)


def table(path):
    """All entries of an agent's file."""
    return [column.tobytes() for column in load_agent(path).columns()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return train_into(TableTrainer(CONFIG), tmp_path_factory.mktemp("whole"))


def test_it_ends_after_the_first_block_that_is_good_enough_and_goes_on_with_a_higher_goal(whole, tmp_path):
    blocks = whole.training.results()
    qualities = [100.0 * (won + drawn) / 1000 for won, drawn, _ in blocks.tolist()]
    goal = qualities[7]  # of a block in the middle
    first = next(k for k, quality in enumerate(qualities) if quality >= goal)
    early = train_into(TableTrainer(CONFIG, quality=goal), tmp_path)
    assert (early.is_finished, early.training.done) == (True, 1000 * (first + 1))
    assert early.message == f"{goal:g} % of the last 1,000 episodes were won or drawn, as intended"
    assert (early.training.results() == blocks[: first + 1]).all()
    again = train_into(TableTrainer(CONFIG, quality=goal), tmp_path)
    assert (again.resumed, again.training.done) == (early.training.done, early.training.done)
    rest = train_into(TableTrainer(CONFIG), tmp_path)
    assert (rest.resumed, rest.training.done) == (early.training.done, 15_000)
    assert table(tmp_path / AGENT) == table(whole.agent_path)


@pytest.mark.parametrize("quality", [-1.0, 100.5, float("nan")])
def test_percent_that_cannot_be(quality):
    with pytest.raises(OptionError, match="expected percent, 0 to 100"):
        TableTrainer(CONFIG, quality=quality)


def test_it_starts_from_the_table_of_an_agent(whole, tmp_path):
    path = str(whole.agent_path)
    nothing = dataclasses.replace(CONFIG, episodes=0, greedy_episodes=0, sweep="loss", order="reverse")
    same = train_into(TableTrainer(nothing, start_from=path), tmp_path / "same")
    assert table(same.agent_path) == table(whole.agent_path)
    more = dataclasses.replace(CONFIG, episodes=1000, greedy_episodes=0)
    one, other = (train_into(TableTrainer(more, start_from=path), tmp_path / name) for name in ("one", "other"))
    assert table(one.agent_path) == table(other.agent_path) != table(whole.agent_path)
    assert load_agent(one.agent_path).facts["start_from"] == path
    assert len(load_agent(one.agent_path)) >= len(load_agent(path))


def test_a_table_that_does_not_fit_is_refused(whole, tmp_path):
    path = str(whole.agent_path)
    for changes, error, said in (
        ({"method": "td"}, OptionError, "its values are 'pairs'"),
        ({"win": 10.0}, OptionError, "its pays are"),
        ({"game": "ConnectFour"}, UnsupportedGameError, "is for game 'TicTacToe-v0'"),
    ):
        with pytest.raises(error, match=said):
            TableTrainer(dataclasses.replace(CONFIG, **changes), start_from=path)
    with pytest.raises(SpecError, match="no file"):
        TableTrainer(CONFIG, start_from=str(tmp_path / "nowhere"))


def test_a_follower_sees_the_training_and_ends_it(tmp_path):
    seen = []

    def follow(training, folder):
        seen.append(training.done)
        training.write_curve(folder)
        if training.done >= 1000:
            raise KeyboardInterrupt

    with followed(follow):
        result = train_into(TableTrainer(CONFIG), tmp_path)
    assert (result.ending, result.training.done) == ("interrupted", seen[-1])
    assert (tmp_path / CURVE).read_text().startswith("episodes,won,drawn,lost\n1000,")
    count = len(seen)
    assert train_into(TableTrainer(CONFIG), tmp_path).is_finished
    assert len(seen) == count
