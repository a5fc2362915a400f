"""Batches on a card against batches on the CPU: tests for a process with NUMBA_ENABLE_CUDASIM=1, of `test_ntuple_batches`."""

import numpy as np
import pytest

from boardgym.baselines.learning.ntuple import cuda_batches
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.core import cuda_policies
from boardgym.core.errors import UnsupportedGameError
from tests.core.simulated_card import quick_switches  # noqa: F401  a fixture


def pair(**settings):
    """The same training on the CPU and on a card."""
    return [NTupleTraining(NTupleConfig(device=device, **settings)) for device in ("cpu", "cuda")]


def assert_equal(cpu, card):
    for name, ours, theirs in zip(cpu.memory._fields, cpu.memory, card.memory, strict=True):
        np.testing.assert_array_equal(ours, theirs, name)
    np.testing.assert_array_equal(cpu.totals.counts, card.totals.counts)
    np.testing.assert_array_equal(cpu.totals.errors, card.totals.errors)
    np.testing.assert_array_equal(cpu.agent().weights, card.agent().weights)
    assert np.abs(cpu.memory.weights).max() > 0.0


@pytest.mark.parametrize(
    "settings",
    [
        {"game": "TicTacToe-v0", "games": 22, "batch": 8, "tuples": ("lines(3)",), "average_from": 0.3},
        {"game": "TicTacToe-v0", "games": 12, "batch": 6, "tuples": ("lines(3)",), "coherence": "none", "shares": True,
         "opponent": "epsilon:0.2(greedy)", "setup": "random:0-3"},
        {"game": "ConnectFour-v0", "games": 9, "batch": 4, "tuples": ("walk(8, 5)",), "coherence": "linear",
         "learn_through": "first", "epsilon": "0.4"},
        {"game": "Othello-v0", "option": ("size=4",), "games": 5, "batch": 3, "tuples": ("walk(3, 5)",), "shares": True,
         "cells": "planes(phases=3)"},
        {"game": "NineMensMorris-v0", "games": 2, "batch": 2, "tuples": ("lines(3)",), "max_plies": 40},
        {"game": "Backgammon-v0", "games": 2, "batch": 2, "tuples": ("walk(4, 3)",), "max_plies": 60, "epsilon": "0.5"},
    ],
    ids=lambda settings: settings["game"],
)  # fmt: skip
def test_what_is_learnt_is_that_of_the_cpu(settings):
    cpu, card = pair(**settings)
    before = np.random.default_rng(1).normal(size=cpu.memory.weights.shape).astype(np.float32) / 8.0
    for training in (cpu, card):
        training.memory.weights[:] = before
        training.play_to(training.total)
    assert_equal(cpu, card)
    assert (cpu.memory.weights != before).any()


@pytest.mark.parametrize("most_local", [1, 1 << 20])
def test_the_memory_of_a_thread_is_local_or_a_slice(most_local, monkeypatch):
    """With little room for slices, a thread plays several games."""
    monkeypatch.setattr(cuda_policies, "MOST_LOCAL", most_local)
    monkeypatch.setattr(cuda_batches, "_KERNELS", {})
    cpu, card = pair(game="TicTacToe-v0", games=40, batch=20, tuples=("lines(3)",))
    size = cuda_policies.WORD * card._batches.room.words * cuda_batches.THREADS
    monkeypatch.setattr(cuda_policies, "MOST_BYTES", 2 * size)
    card = NTupleTraining(card.config)
    assert card._batches.room.blocks == (2 if most_local == 1 else 5)
    for training in (cpu, card):
        training.play_to(40)
    assert_equal(cpu, card)


def test_it_goes_on_from_the_cpu_and_back(tmp_path):
    """From checkpoints, whoever wrote them."""
    settings = {"game": "TicTacToe-v0", "games": 30, "batch": 10, "tuples": ("lines(3)",)}
    cpu, card = pair(**settings)
    whole, _ = pair(**settings)
    path = tmp_path / "checkpoint.safetensors"
    cpu.play_to(10)
    cpu.save_checkpoint(path)
    card.load_checkpoint(path)
    card.play_to(20)
    card.save_checkpoint(path)
    cpu.load_checkpoint(path)
    for training in (cpu, card, whole):
        training.play_to(30)
    assert_equal(whole, cpu)
    assert_equal(whole, card)


def test_a_batch_that_was_cut_short_is_forgotten(monkeypatch):
    cpu, card = pair(game="TicTacToe-v0", games=30, batch=10, tuples=("lines(3)",))
    play = card._batches.play

    def interrupted(*args):
        play(*args)
        monkeypatch.undo()
        raise KeyboardInterrupt

    card.play_to(10)
    monkeypatch.setattr(card._batches, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        card.play_to(30)
    assert card.done == 10
    for training in (cpu, card):
        training.play_to(30)
    assert_equal(cpu, card)


def test_checkpoints_have_what_the_card_has_learnt(tmp_path, monkeypatch):
    """After an interruption, when the memory on the CPU is behind; where it cannot be brought back there is none."""
    cpu, card = pair(game="TicTacToe-v0", games=50, batch=10, tuples=("lines(3)",))
    play, path = card._batches.play, tmp_path / "checkpoint.safetensors"

    def interrupted(first, *args):
        if first == 30:
            raise KeyboardInterrupt
        return play(first, *args)

    monkeypatch.setattr(card._batches, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        card.play_to(50)
    assert (card.done, card._batches.is_ahead) == (30, True)
    memory = card._batches._memory
    card._batches._memory = Lost(), Lost(), Lost()
    with pytest.raises(RuntimeError, match="lost"):
        card.save_checkpoint(path)
    assert not path.exists()
    card._batches._memory = memory
    cpu.play_to(30)
    np.testing.assert_array_equal(card.agent().weights, cpu.agent().weights)
    assert not card._batches.is_ahead
    card._batches.is_ahead = True
    card.save_checkpoint(path)
    assert not card._batches.is_ahead
    again, _ = pair(game="TicTacToe-v0", games=50, batch=10, tuples=("lines(3)",))
    again.load_checkpoint(path)
    monkeypatch.undo()
    for training in (cpu, again, card):
        training.play_to(50)
    assert_equal(cpu, again)
    assert_equal(cpu, card)


class Lost:
    """An array of a card that answers no more."""

    def copy_to_host(self, *args):
        raise RuntimeError("the card is lost")


def test_a_checkpoint_counts_for_more_than_what_the_card_has(tmp_path, monkeypatch):
    cpu, card = pair(game="TicTacToe-v0", games=50, batch=10, tuples=("lines(3)",))
    card.play_to(10)
    card.save_checkpoint(tmp_path / "checkpoint.safetensors")
    play = card._batches.play

    def interrupted(first, *args):
        if first == 30:
            monkeypatch.undo()
            raise KeyboardInterrupt
        return play(first, *args)

    monkeypatch.setattr(card._batches, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        card.play_to(50)
    assert card._batches.is_ahead
    card.load_checkpoint(tmp_path / "checkpoint.safetensors")
    assert card.done == 10
    for training in (cpu, card):
        training.play_to(50)
    assert_equal(cpu, card)


def test_a_search_as_an_opponent_is_refused():
    with pytest.raises(UnsupportedGameError, match="is a search, which a card does not play"):
        pair(game="TicTacToe-v0", games=30, batch=10, tuples=("lines(3)",), opponent="minimax:2")
