"""The mean of the weights of n-tuple networks over the later games of a training."""

import dataclasses

import numpy as np
import pytest

from boardgym.baselines.learning.mean_weights import AVERAGES, MeanWeights
from boardgym.baselines.learning.ntuple.agent import load_ntuple_agent
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.self_play import CHECKPOINTS
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.learning.runs import train_into
from boardgym.core.errors import OptionError, SpecError

SMALL = NTupleConfig(game="TicTacToe-v0", games=60, tuples=("lines(3)", "shape(xx/xx)"), average_from=0.5)
AFTER = 30
NAMES = ("agent.safetensors", "curve.csv", "checkpoint.safetensors")


def contents(folder):
    return {name: (folder / name).read_bytes() for name in NAMES}


def interrupt_before(monkeypatch, game):
    """Ctrl-C between a game and the addition of its weights, once."""
    add, left = MeanWeights.add, [game]

    def interrupted(self, done):
        if done in left:
            left.remove(done)
            raise KeyboardInterrupt
        add(self, done)

    monkeypatch.setattr(MeanWeights, "add", interrupted)


@pytest.mark.parametrize("options", [{}, {"shares": True, "coherence": "none", "step_size": "0.3"}])
def test_the_agent_has_the_mean_after_each_game(options):
    """Sums are of float64, agents of float32. What is learnt is the same as without it."""
    config = dataclasses.replace(SMALL, **options)
    training, plain = NTupleTraining(config), NTupleTraining(dataclasses.replace(config, average_from=1.0))
    total = np.zeros(plain.memory.weights.shape)
    for games in range(1, config.games + 1):
        for one in (training, plain):
            one.play_to(games)
        weights = plain.memory.weights
        for own, other in zip(training.memory, plain.memory, strict=True):
            assert own.tobytes() == other.tobytes()
        assert plain.agent().weights.tobytes() == weights.tobytes()
        total += weights if games > AFTER else 0.0
        wanted = (total / (games - AFTER)).astype(np.float32) if games > AFTER else weights
        assert training.agent().weights.tobytes() == wanted.tobytes()
        assert training.agent(latest=True).weights.tobytes() == weights.tobytes()
    assert training.rng.tolist() == plain.rng.tolist()
    assert np.abs(training.agent().weights - training.memory.weights).max() > 1e-3
    assert (training.mean.sums.size, plain.mean.sums.size) == (weights.size + 1, 1)


def test_long_trainings_add_a_thousand_times():
    """At equal distances, and not after each game."""
    config = dataclasses.replace(SMALL, games=3 * AVERAGES - 1, average_from=0.25)
    training, plain = NTupleTraining(config), NTupleTraining(dataclasses.replace(config, average_from=1.0))
    training.play_to(config.games)
    after, every, total = 750, 3, np.zeros(plain.memory.weights.shape)  # of 2,999 games a quarter; the others by three
    times = range(after + every, config.games + 1, every)
    for games in times:
        plain.play_to(games)
        total += plain.memory.weights
    assert training.mean.count == len(times) == 749
    assert training.agent().weights.tobytes() == (total / len(times)).astype(np.float32).tobytes()


@pytest.mark.parametrize("game", [41, 60])
def test_parts_do_not_change_the_mean(tmp_path, monkeypatch, game):
    """Nor does an interruption after a game, be it the last, before its weights are added."""
    whole, first, second = (NTupleTraining(SMALL) for _ in range(3))
    whole.play_to(game)
    wanted = whole.agent().weights.tobytes()
    whole.play_to(60)
    with monkeypatch.context() as patch:
        interrupt_before(patch, game)
        with pytest.raises(KeyboardInterrupt):
            first.play_to(60)
    assert (first.done, first.mean.count) == (game, game - 1 - AFTER)
    assert first.agent().weights.tobytes() == wanted
    first.save_checkpoint(tmp_path / "first")
    second.load_checkpoint(tmp_path / "first")
    assert second.mean.count == game - AFTER
    for one in (first, second):
        one.play_to(60)
        assert one.agent().weights.tobytes() == whole.agent().weights.tobytes()
    second.save_checkpoint(tmp_path / "second")
    whole.save_checkpoint(tmp_path / "whole")
    assert (tmp_path / "second").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("game", [41, 60])
def test_files_are_the_same_after_an_interruption(tmp_path, monkeypatch, game):
    """The agent's has the mean."""
    whole, folder = train_into(NTupleTraining(SMALL), tmp_path / "whole"), tmp_path / "interrupted"
    interrupt_before(monkeypatch, game)
    first = train_into(NTupleTraining(SMALL), folder)
    assert (first.ending, first.training.done) == ("interrupted", game)
    assert train_into(NTupleTraining(SMALL), folder).resumed == game
    assert contents(folder) == contents(whole.folder)
    weights = load_ntuple_agent(folder / "agent.safetensors").weights
    assert weights.tobytes() == whole.training.agent().weights.tobytes() != whole.training.memory.weights.tobytes()
    with pytest.raises(OptionError, match=r"average_from=0\.75"):
        train_into(NTupleTraining(dataclasses.replace(SMALL, average_from=0.75)), folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda it: it * np.nan, "a mean of weights that no training has"),
        (lambda it: np.append(it[:-1] * np.inf, it[-1]), "a mean of weights"),
        (lambda it: np.append(it[:-1], it[-1] + 1.0), "a mean of weights"),
        (lambda it: np.append(it[:-1], 0.0), "a mean of weights"),
        (lambda it: np.append(np.full(len(it) - 1, 1e35), it[-1]), "a mean of weights"),
        (lambda it: np.append(np.full(len(it) - 1, -1e35), it[-1]), "a mean of weights"),
        (lambda it: it[:-1].copy(), "weight_sums is"),
        (lambda it: it.astype(np.float32), "weight_sums is"),
    ],
)
def test_damaged_sums_are_refused(tmp_path, change, message):
    training, path = NTupleTraining(SMALL), tmp_path / "checkpoint.safetensors"
    training.play_to(50)
    training.save_checkpoint(path)
    arrays, header = CHECKPOINTS.read(path, {})
    rest = {key: header[key] for key in ("training", "done")}
    with np.errstate(invalid="ignore"):
        CHECKPOINTS.write(path, {**arrays, "weight_sums": change(arrays["weight_sums"])}, rest)
    fresh = NTupleTraining(SMALL)
    with pytest.raises(SpecError, match=message):
        fresh.load_checkpoint(path)
    assert (fresh.done, fresh.mean.count, np.count_nonzero(fresh.memory.weights)) == (0, 0, 0)


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_shares_that_cannot_be(share):
    with pytest.raises(OptionError, match=r"average_from=.*: expected a number from 0 to 1"):
        NTupleTraining(dataclasses.replace(SMALL, average_from=share))


def test_the_sums_count_as_memory(monkeypatch):
    """Two tables of 3^9 weights, with N and A, and again to read a checkpoint: 0.9 MiB; with sums of float64 1.5."""
    monkeypatch.setattr("boardgym.baselines.memory.machine_memory", lambda: 1_200_000)
    config = dataclasses.replace(SMALL, tuples=("shape(xxx/xxx/xxx)",))
    NTupleTraining(dataclasses.replace(config, average_from=1.0))
    with pytest.raises(OptionError, match=r"19,683 weights of 1 tuples need 1\.\d+ MiB of memory, the machine has"):
        NTupleTraining(config)
