"""Batches of games: what they change, by hand and beside sums in float64; threads, parts and interruptions; the simulator."""

import collections
import contextlib
import dataclasses
import json
import math
import signal

import numpy as np
import pytest

from boardgym.baselines.learning.episodes import rate_at
from boardgym.baselines.learning.game_totals import PLIES, UPDATES
from boardgym.baselines.learning.ntuple import batches as bt
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.changes import (
    LEAST_UNIT,
    MOST_CHANGE,
    MOST_CHANGES,
    bits_for,
    changes_of,
    make_changes,
    note_change,
)
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.learning.run_folders import found_in
from boardgym.baselines.learning.runs import train_into
from boardgym.cli import main
from boardgym.compile import plain
from boardgym.core.errors import OptionError
from tests.learning.ntuple.playing import results
from tests.support import ROOT, run_python

SMALL = NTupleConfig(game="TicTacToe-v0", games=1000, tuples=("lines(3)", "walk(2, 5)"), batch=64)


def played(goals=(), **changed):
    """A training, played to each of the goals and then to its end."""
    config = dataclasses.replace(SMALL, **changed)
    training = NTupleTraining(config)
    for goal in (*goals, config.games):
        training.play_to(goal)
    return training


def learnt(training):
    """All that a training has learnt and counted, as bytes."""
    totals = training.totals
    arrays = (*training.memory, totals.counts, totals.errors, training.mean.sums, training.progress[:1])
    return [array.tobytes() for array in arrays]


@pytest.fixture(scope="module")
def whole():
    return played()


# ---------------------------------------------------------------- what is noted and learnt


def test_changes_of_a_weight():
    changes, places = make_changes(2, 3, 100), np.array([2, 0, 2], np.int32)
    for change in (0.5, -0.25, 1.0):
        plain(note_change)(changes, 1, places, change)
    assert [plain(changes_of)(changes, 1, place) for place in range(3)] == [(3, 1.25, 1.75), (0, 0.0, 0.0), (6, 2.5, 3.5)]
    assert not changes.words[0].any()


def test_sizes_are_rounded_and_cut():
    changes = make_changes(1, 1, MOST_CHANGES)
    unit = 2.0 ** changes.bits[1]
    for change in (100.75 / unit, -3.25 / unit, -50.0):
        plain(note_change)(changes, 0, np.zeros(1, np.int32), change)
    most = math.floor(MOST_CHANGE * unit + 0.5)
    assert plain(changes_of)(changes, 0, 0) == (3, (101 - 3 - most) / unit, (101 + 3 + most) / unit)


@pytest.mark.parametrize("most", [1, 2, 7, 8, 1000, 7_077_887, MOST_CHANGES])
def test_there_is_room_for_all_changes(most):
    """As many as there may be, each as large as one can be, beside the greatest sum of sizes."""
    changes = make_changes(1, 1, most)
    sum_bits, unit_bits = bits_for(most)
    assert unit_bits >= LEAST_UNIT
    size = int(MOST_CHANGE * 2**unit_bits + 0.5)
    assert size * most < 1 << sum_bits
    assert most < 1 << (63 - sum_bits)
    changes.words[0, 1] = (most << sum_bits) + size * most
    assert plain(changes_of)(changes, 0, 0) == (most, -size * most / 2**unit_bits, size * most / 2**unit_bits)


@pytest.mark.parametrize(
    ("count", "coherence", "factor"),
    [
        (3, nt.NONE, 1.0),
        (3, nt.LINEAR, 0.5),
        (3, nt.EXPONENTIAL, math.exp(2.7 * (0.5 - 1.0))),
        (4, nt.NONE, 1.0),
        (16, nt.NONE, 0.25),
        (16, nt.LINEAR, 0.125),
    ],
)
def test_a_step_by_hand(count, coherence, factor):
    """One change of -0.5, the others of 0.25. More than MOST_STEPS changes are worth MOST_STEPS of their mean."""
    assert bt.MOST_STEPS == 4.0
    size = 0 if coherence == nt.NONE else 1
    memory = nt.Memory(*(np.full((1, n), value, np.float32) for n, value in ((1, 0.5), (size, -2.0), (size, 4.0))))
    changes = make_changes(1, 1, 100)
    for change in (-0.5, *[0.25] * (count - 1)):
        plain(note_change)(changes, 0, np.zeros(1, np.int32), change)
    plain(bt.move_weight)(memory, changes, 0, 0, coherence, 0.1)
    net, sizes = 0.25 * (count - 1) - 0.5, 0.25 * (count - 1) + 0.5
    assert memory.weights[0, 0] == pytest.approx(0.5 + 0.1 * factor * net, abs=1e-6)
    if coherence != nt.NONE:
        assert (memory.nets[0, 0], memory.sums[0, 0]) == (-2.0 + net, 4.0 + sizes)
    assert not changes.words.any()


@pytest.mark.plain
@pytest.mark.parametrize("shares", [False, True])
def test_a_batch_moves_weights_by_what_its_games_have_noted(shares, monkeypatch):
    """Beside sums in float64 of what each of its positions would have moved a weight by."""
    noted = collections.defaultdict(list)

    def note(changes, table, places, change):
        for place in places:
            noted[table, int(place)].append(change)
        note_change(changes, table, places, change)

    monkeypatch.setattr(nt, "note_change", note)
    training = NTupleTraining(dataclasses.replace(SMALL, games=20, batch=20, shares=shares, coherence="linear", step_size="2"))
    before = [array.copy() for array in training.memory]
    rng = np.random.default_rng(1)
    before[0][:] = rng.normal(size=before[0].shape) / 8.0
    before[2][:] = rng.integers(0, 3, before[2].shape)
    before[1][:] = before[2] * rng.uniform(-1.0, 1.0, before[2].shape)
    for array, numbers in zip(training.memory, before, strict=True):
        array[:] = numbers
    training.play_to(20)
    assert max(map(len, noted.values())) > 20
    assert sum(map(len, noted.values())) == training.totals.counts[:, UPDATES].sum() * len(training.network.bases)
    weights, nets, sums = (array.astype(np.float64) for array in before)
    for (table, place), changes in noted.items():
        size = sums[table, place]
        factor = abs(nets[table, place]) / size if size else 1.0
        share = min(1.0, 4.0 / len(changes))
        weights[table, place] += 2.0 / len(training.network.bases) * factor * share * sum(changes)
        nets[table, place] += sum(changes)
        sums[table, place] += sum(map(abs, changes))
    for array, expected in zip(training.memory, (weights, nets, sums), strict=True):
        np.testing.assert_allclose(array, expected, atol=2e-6, rtol=1e-6)


@pytest.fixture
def seen(monkeypatch):
    """What a training's batches were given and gave: (first game, count, epsilon, rate, results)."""
    found, on_cpu = [], bt.BatchesOnCPU
    play, learn = on_cpu.play, on_cpu.learn

    def noted(self, first, count, epsilon):
        found.append([first, count, epsilon, None, play(self, first, count, epsilon)])
        return found[-1][-1]

    def learning(self, rate):
        found[-1][3] = rate
        learn(self, rate)

    monkeypatch.setattr(on_cpu, "play", noted)
    monkeypatch.setattr(on_cpu, "learn", learning)
    return found


def test_schedules_are_those_of_the_first_game(seen):
    training = played(games=300, batch=100, epsilon="linear(0.6, 0)", step_size="linear(3, 0)")
    images, spans = len(training.network.bases), [rate_at(training.learner.epsilon, 100 * n) / 0.6 for n in range(3)]
    assert spans == pytest.approx([1.0, 2 / 3, 1 / 3], abs=0.01)
    assert [(first, count) for first, count, *_ in seen] == [(0, 100), (100, 100), (200, 100)]
    assert [epsilon for _, _, epsilon, _, _ in seen] == pytest.approx([0.6 * span for span in spans])
    assert [rate for _, _, _, rate, _ in seen] == pytest.approx([3.0 / images * span for span in spans])


def test_games_are_counted_in_their_blocks(seen):
    """Of ten games each, whatever the batch."""
    totals = played(games=1000, batch=64).totals
    counts = np.concatenate([results.counts for *_, results in seen]).reshape(100, 10, 3)
    squares = np.concatenate([results.squares for *_, results in seen]).reshape(100, 10)
    np.testing.assert_array_equal(totals.counts[:, PLIES], counts[:, :, bt.PLIES].sum(axis=1))
    np.testing.assert_array_equal(totals.counts[:, UPDATES], counts[:, :, bt.UPDATES].sum(axis=1))
    np.testing.assert_allclose(totals.errors, squares.sum(axis=1))
    for column in range(3):
        np.testing.assert_array_equal(totals.counts[:, column], (counts[:, :, bt.RESULT] == column).sum(axis=1))


def test_a_game_is_the_same_in_any_batch():
    """As long as nothing is learnt."""
    found = [played(games=200, batch=batch, step_size="0").totals.counts for batch in (2, 7, 64, 200)]
    for counts in found[1:]:
        np.testing.assert_array_equal(counts, found[0])
    assert len(set(found[0][:, PLIES].tolist())) > 3


def test_a_batch_that_was_begun_elsewhere_is_ended():
    training = NTupleTraining(SMALL)
    training.progress[0] = 10  # as a checkpoint of another program may have it
    training.play_to(11)
    assert training.done == 64


def test_no_start_for_one_game_ends_the_training(monkeypatch):
    training, play = NTupleTraining(SMALL), bt.BatchesOnCPU.play

    def without_one(*args):
        results = play(*args)
        results.counts[5, bt.RESULT] = bt.NO_START
        return results

    monkeypatch.setattr(bt.BatchesOnCPU, "play", without_one)
    with pytest.raises(OptionError, match="every draw of its random plies ends the game"):
        training.play_to(1000)
    assert (training.done, training.totals.counts.any(), training.memory.weights.any()) == (0, False, False)


# ---------------------------------------------------------------- against an opponent


def test_against_an_opponent_the_network_has_either_seat_and_its_own_results():
    """Random play, which it soon beats from both; each seat has tables of its own."""
    training = played(games=6000, opponent="random")
    assert (np.abs(training.memory.weights).max(axis=1) > 0.1).all()
    counts = training.totals.counts[50:, :3].sum(axis=0)
    assert counts[0] > 0.7 * counts.sum()


@pytest.mark.plain
def test_an_opponent_strays_as_its_spec_says(monkeypatch):
    strays, choose = set(), nt.choose_or_stray

    def noted(game, player, stray, *rest):
        strays.add(stray)
        return choose(game, player, stray, *rest)

    monkeypatch.setattr(nt, "choose_or_stray", noted)
    played(games=5, batch=5, opponent="epsilon:0.25(greedy)")
    assert strays == {0.25}


def test_learning_goes_through_random_plies_of_the_seats_that_are_named():
    """In the same games, as the step size is 0: all but the last of each is then learnt from."""
    counts = [
        played(learn_through=seats, epsilon="0.5", step_size="0").totals.counts.sum(axis=0)
        for seats in ("none", "first", "second", "both")
    ]
    assert [count[PLIES] for count in counts] == [counts[0][PLIES]] * 4
    none, first, second, both = (int(count[UPDATES]) for count in counts)
    assert none < min(first, second) <= max(first, second) < both == counts[0][PLIES] - 1000
    assert first + second == none + both


# ---------------------------------------------------------------- threads, parts, interruptions


@pytest.mark.parametrize("threads", [2, 3, 0])
def test_threads_do_not_change_the_result(whole, threads):
    assert learnt(played(threads=threads)) == learnt(whole)


@pytest.mark.parametrize(
    "changed",
    [{}, {"average_from": 0.4}, {"opponent": "epsilon:0.5(greedy)", "setup": "random:0-3"}],
    ids=str,
)
def test_parts_do_not_change_the_result(changed, tmp_path):
    """A part ends with its batch; a checkpoint goes on from there."""
    expected = learnt(played(**changed))
    assert learnt(played(goals=(1, 2, 64, 65, 130, 700), **changed)) == expected
    training, again = (NTupleTraining(dataclasses.replace(SMALL, **changed)) for _ in range(2))
    training.play_to(450)
    assert training.done == 512
    training.save_checkpoint(tmp_path / "checkpoint.safetensors")
    again.load_checkpoint(tmp_path / "checkpoint.safetensors")
    again.play_to(1000)
    assert learnt(again) == expected


def test_the_mean_is_of_whole_batches():
    """From a share of the games on, of the weights after each batch."""
    training, seen = NTupleTraining(dataclasses.replace(SMALL, average_from=0.5)), []
    for goal in range(64, 1001, 64):
        training.play_to(goal)
        seen.append(training.memory.weights.astype(np.float64))
    training.play_to(1000)
    assert training.mean.after == 448
    seen.append(training.memory.weights.astype(np.float64))
    assert training.mean.count == 9  # after 512, 576 ... 960 games, and after the last batch, which is not whole
    np.testing.assert_allclose(training.agent().weights, np.mean(seen[7:], axis=0), atol=1e-6)
    for games, share in ((65, 0.99), (127, 0.0), (64, 0.99)):
        training = played(games=games, average_from=share)
        assert training.mean.count == (2 if share == 0.0 else 1)


@pytest.mark.parametrize("when", ["play", "learn"])
def test_ctrl_c_loses_nothing_and_learns_nothing_twice(whole, when, monkeypatch):
    training = NTupleTraining(SMALL)
    training.play_to(128)
    run, calls = training._batches._sharing.run, []

    def interrupted(name, kernel, n, args):
        """After half of the games."""
        if calls:
            return run(name, kernel, n, args)
        calls.append(name)
        run(name, kernel, n // 2, args)
        raise KeyboardInterrupt

    def signalled(name, *args):
        """The signal itself, which is held until all is learnt."""
        if name == when and not calls:
            calls.append(name)
            signal.raise_signal(signal.SIGINT)
        return run(name, *args)

    monkeypatch.setattr(training._batches._sharing, "run", interrupted if when == "play" else signalled)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which whoever runs the tests may ignore
    try:
        with pytest.raises(KeyboardInterrupt):
            training.play_to(1000)
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [when]
    assert training.done == (128 if when == "play" else 192)
    training.play_to(1000)
    assert learnt(training) == learnt(whole)


def test_curves_and_counts(whole):
    counts = whole.totals.counts
    assert counts[:, :3].sum(axis=1).tolist() == [10] * 100
    assert (counts[:, PLIES] >= 5 * 10).all()
    assert (counts[:, PLIES] <= 9 * 10).all()
    assert 0 < counts[:, UPDATES].sum() < counts[:, PLIES].sum()
    assert [row[0] for row in whole.curve()] == list(range(10, 1001, 10))


def test_games_are_others_with_another_seed(whole):
    assert learnt(played(seed=2)) != learnt(whole)


def test_it_learns_to_beat_random_play():
    found = results(played(games=20_000).agent(), 200, 2)
    assert found.count(-1.0) <= 10
    assert found[::2].count(1.0) > 85
    assert found[1::2].count(1.0) > 65


# ---------------------------------------------------------------- settings, files, the command


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"batch": 0}, "batch=0: expected a whole number from 1 to 65,536"),
        ({"batch": 65_537}, "batch=65537"),
        ({"batch": 2.0}, "batch=2.0"),
        ({"threads": -1}, "threads=-1: expected a whole number from 0 to 1,024"),
        ({"batch": 1, "threads": 2}, "threads=2 with batch=1, one game after the other; expected a batch of games to share"),
        ({"batch": 1, "device": "cuda"}, "device='cuda' with batch=1"),
        ({"device": "tpu"}, "device='tpu'; did you mean 'cpu'"),
        ({"game": "Othello-v0", "batch": 65_536, "max_plies": 100}, "=65,536: expected at most 41,943 for games of Othello"),
        ({"threads": 2, "device": "cuda"}, "threads=2 with device='cuda', which shares the games by itself; expected 1"),
        ({"device": "cuda"}, "device='cuda': "),
        ({"setup": "random:9"}, "every draw of its random plies ends the game"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_refused(changed, message):
    with pytest.raises(OptionError, match=message):
        played(**changed)


def test_changes_that_the_machine_has_no_room_for(monkeypatch):
    sizes = [1 << 40]
    monkeypatch.setattr("boardgym.baselines.memory.machine_memory", lambda: sizes[-1])
    weights = NTupleTraining(SMALL).memory.weights.size
    for size in range(8 * weights, 1 << 20, weights):  # until there is room without a batch
        sizes.append(size)
        with contextlib.suppress(OptionError):
            NTupleTraining(dataclasses.replace(SMALL, batch=1))
            break
    for more in (0, 15):
        sizes.append(size + more * weights)
        with pytest.raises(OptionError, match="lower the length or the number of tuples"):
            NTupleTraining(SMALL)
    sizes.append(size + 16 * weights)
    NTupleTraining(SMALL)


def test_who_shares_the_games_is_no_part_of_a_run(tmp_path):
    """A run goes on with other threads; one with another batch is another run. Without batches it says nothing of them."""
    folder = tmp_path / "run"
    train_into(NTupleTraining(dataclasses.replace(SMALL, games=128)), folder)
    config = found_in(folder)
    assert (config["batch"], "threads" in config, "device" in config) == (64, False, False)
    other = NTupleTraining(dataclasses.replace(SMALL, games=128, threads=2))
    assert other.run_in(folder).fits(config)
    for batch in (1, 32):
        assert not NTupleTraining(dataclasses.replace(SMALL, games=128, batch=batch)).run_in(folder).fits(config)
    alone = NTupleTraining(dataclasses.replace(SMALL, batch=1))
    assert "batch" not in alone.run_in(folder).content()


def test_the_command(tmp_path, capsys):
    words = [
        "train",
        "ntuple",
        "--game",
        "TicTacToe",
        "--games",
        "500",
        "--tuples",
        "lines(3)",
        "--compare-games",
        "0",
        "--json",
    ]
    for threads, name in (("1", "a"), ("2", "b")):
        assert main([*words, "--batch", "100", "--threads", threads, "--out", str(tmp_path / name)]) == 0
        assert json.loads(capsys.readouterr().out)["games"] == 500
    one, other = ((tmp_path / name / "agent.safetensors").read_bytes() for name in "ab")
    assert one == other
    assert main([*words, "--threads", "2", "--out", str(tmp_path / "c")]) == 2
    assert "expected a batch of games to share, as batch=1024" in capsys.readouterr().err


@pytest.mark.once
def test_in_the_simulator(tmp_path):
    """In a process of its own, as `tests/core/test_cuda_board.py` has it."""
    arguments = "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"
    path = str(ROOT / "tests/learning/ntuple/simulated_batches.py")
    said = run_python(*arguments, path, cache=tmp_path, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1").stdout
    assert " passed" in said
    assert "skipped" not in said
