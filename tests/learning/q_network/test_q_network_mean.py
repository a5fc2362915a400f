"""The mean of the weights of Q-learning's networks over the later games of a training."""

import dataclasses

import numpy as np
import pytest

from boardgym.baselines.learning.mean_weights import AVERAGES
from boardgym.baselines.learning.q_network.agent import trimmed
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import CHECKPOINTS, QNetwork
from boardgym.core.errors import OptionError, SpecError

SMALL = QNetworkConfig(game="TicTacToe-v0", games=60, hidden=12, learning_rate=0.3, target="full", average_from=0.5)
AFTER = 30


def weights(nets):
    return np.concatenate([part.ravel() for part in trimmed(nets, SMALL.hidden).values()])


@pytest.mark.parametrize("options", [{}, {"replay": 20, "batch": 2, "form": "pair", "shares": True}])
def test_the_agent_has_the_mean_after_each_game(options):
    """What is learnt is the same as without it."""
    config = dataclasses.replace(SMALL, **options)
    training, plain = QNetwork(config), QNetwork(dataclasses.replace(config, average_from=1.0))
    each = []
    for games in range(1, config.games + 1):
        for one in (training, plain):
            one.play_to(games)
        assert weights(training.nets).tolist() == weights(plain.nets).tolist() == weights(plain.agent().nets).tolist()
        each.append(weights(plain.nets))
        wanted = np.mean(each[AFTER:], axis=0) if games > AFTER else each[-1]
        assert weights(training.agent().nets) == pytest.approx(wanted, abs=1e-12)
    assert np.abs(weights(training.agent().nets) - weights(training.nets)).max() > 1e-3


def test_long_trainings_add_a_thousand_times():
    """At equal distances, and not after each game."""
    config = dataclasses.replace(SMALL, games=3 * AVERAGES - 1, average_from=0.25)
    training, plain, sums = QNetwork(config), QNetwork(dataclasses.replace(config, average_from=1.0)), 0.0
    training.play_to(config.games)
    after, every = 750, 3  # of 2,999 games a quarter; the other 2,249 by three, rounded up
    times = range(after + every, config.games + 1, every)
    for games in times:
        plain.play_to(games)
        sums = sums + weights(plain.nets)
    assert training.mean.count == len(times) == 749
    assert weights(training.agent().nets) == pytest.approx(sums / len(times), abs=1e-12)


@pytest.mark.parametrize("game", [41, 60])
def test_parts_do_not_change_the_mean(tmp_path, monkeypatch, game):
    """Nor does an interruption after a game, be it the last, before its weights are added."""
    whole, first, second = (QNetwork(SMALL) for _ in range(3))
    whole.play_to(60)
    add = type(first.mean).add

    def interrupted(self, done):
        if done == game:
            raise KeyboardInterrupt
        add(self, done)

    with monkeypatch.context() as patch:
        patch.setattr(type(first.mean), "add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            first.play_to(60)
    assert (first.done, first.mean.count) == (game, game - 1 - AFTER)
    first.save_checkpoint(tmp_path / "first")
    second.load_checkpoint(tmp_path / "first")
    assert second.mean.count == game - AFTER
    for one in (first, second):
        one.play_to(60)
        assert weights(one.agent().nets).tolist() == weights(whole.agent().nets).tolist()
    second.save_checkpoint(tmp_path / "second")
    whole.save_checkpoint(tmp_path / "whole")
    assert (tmp_path / "second").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize(
    ("games", "share", "count"), [(1, 0.9, 1), (2, 0.9, 1), (3, 0.9, 1), (3, 0.5, 1), (1, 0.0, 1), (3, 0.0, 3)]
)
def test_short_trainings_have_a_mean_too(games, share, count):
    """Of the last game at least."""
    training = QNetwork(dataclasses.replace(SMALL, games=games, average_from=share))
    training.play_to(games)
    assert training.mean.count == count


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda it: it * np.nan, "a mean of weights that no training has"),
        (lambda it: np.append(it[:-1], it[-1] + 1.0), "a mean of weights"),
        (lambda it: np.append(it[:-1], it[-1] - 1.0), "a mean of weights"),
        (lambda it: np.append(it[:-1], 0.0), "a mean of weights"),
        (lambda it: np.append(np.full(len(it) - 1, 1e35), it[-1]), "a mean of weights"),
        (lambda it: it[:-1].copy(), "weight_sums is"),
    ],
)
def test_damaged_sums_are_refused(tmp_path, change, message):
    training, path = QNetwork(SMALL), tmp_path / "checkpoint.safetensors"
    training.play_to(50)
    training.save_checkpoint(path)
    arrays, header = CHECKPOINTS.read(path, {})
    rest = {key: header[key] for key in ("training", "done")}
    CHECKPOINTS.write(path, {**arrays, "weight_sums": change(arrays["weight_sums"])}, rest)
    fresh = QNetwork(SMALL)
    with pytest.raises(SpecError, match=message):
        fresh.load_checkpoint(path)
    assert (fresh.done, fresh.mean.count) == (0, 0)
    assert weights(fresh.nets).tolist() == weights(QNetwork(SMALL).nets).tolist()


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_shares_that_cannot_be(share):
    with pytest.raises(OptionError, match=r"average_from=.*: expected a number from 0 to 1"):
        QNetwork(dataclasses.replace(SMALL, average_from=share))
