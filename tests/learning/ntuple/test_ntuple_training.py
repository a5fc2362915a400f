"""Trainings of n-tuple networks: parts, files, agents, evaluations of searches, the command, what is refused."""

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
from boardgym.baselines.learning.ntuple import agent as agent_module
from boardgym.baselines.learning.ntuple.agent import NTupleAgent, load_ntuple_agent
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.self_play import CHECKPOINTS
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.learning.run_folders import claim, found_in, hold
from boardgym.baselines.learning.runs import train_into
from boardgym.baselines.networks.ntuples import images_of
from boardgym.baselines.search.common import SLOWER
from boardgym.baselines.search.evaluations import evaluate_kernel
from boardgym.baselines.search.interrupt import search_kernel
from boardgym.cli import main
from boardgym.compile import as_python
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from tests.learning.ntuple.playing import results

SMALL = NTupleConfig(game="TicTacToe-v0", games=3000, tuples=("lines(3)", "shape(xx/xx)", "walk(2, 5)"), trace_decay=0.5)
LARGE = {"game": "ConnectFour-v0", "cells": "planes", "tuples": ("shape(xxxx/xxxx/xxxx/xxxx)",)}  # of 3^16 weights each
FOUR = {"game": "ConnectFour-v0", "options": {"width": 7, "height": 6}, "cells": "connect_four", "states": 4}
NAMES = ("agent.safetensors", "curve.csv", "checkpoint.safetensors")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training in one go."""
    return train_into(NTupleTraining(SMALL), tmp_path_factory.mktemp("whole"))


def contents(folder):
    return {name: (folder / name).read_bytes() for name in NAMES}


def test_parts_do_not_change_the_result(whole, tmp_path):
    """Neither by `play_to` and a checkpoint in the middle, nor by interruptions of `train_into`."""
    training = NTupleTraining(SMALL)
    training.play_to(1234)
    training.save_checkpoint(tmp_path / "checkpoint.safetensors")
    agent = training.agent()
    weights = agent.weights.copy()
    training.play_to(3000)
    assert (agent.weights == weights).all()
    assert (training.memory.weights != weights).any()
    again = NTupleTraining(SMALL)
    again.load_checkpoint(tmp_path / "checkpoint.safetensors")
    assert again.done == 1234
    again.play_to(3000)
    for one in (training, again):
        one.save_checkpoint(tmp_path / "end.safetensors")
        assert (tmp_path / "end.safetensors").read_bytes() == contents(whole.folder)["checkpoint.safetensors"]

    def interrupts(training):
        raise KeyboardInterrupt

    folder = tmp_path / "interrupted"
    first = train_into(NTupleTraining(SMALL), folder, on_piece=interrupts)
    assert (first.ending, 0 < first.training.done < 3000) == ("interrupted", True)
    assert train_into(NTupleTraining(SMALL), folder).resumed == first.training.done
    assert contents(folder) == contents(whole.folder)
    assert train_into(NTupleTraining(SMALL), folder).resumed == 3000
    with pytest.raises(OptionError, match=r"trace_decay=0\.2"):
        train_into(NTupleTraining(dataclasses.replace(SMALL, trace_decay=0.2)), folder)
    with pytest.raises(OptionError, match="3,001 games: the training is of 3,000"):
        training.play_to(3001)


@pytest.mark.parametrize("settings", [{"shares": True, "coherence": "none"}, {"symmetries": "none", "coherence": "linear"}])
def test_other_settings_come_back_from_their_checkpoints(settings, tmp_path):
    config = dataclasses.replace(SMALL, games=200, step_size="0.3", epsilon="linear(0.5, 0.1)", **settings)
    whole, first, second = (NTupleTraining(config) for _ in range(3))
    whole.play_to(200)
    first.play_to(77)
    first.save_checkpoint(tmp_path / "first")
    second.load_checkpoint(tmp_path / "first")
    second.play_to(200)
    for name, part in whole.memory._asdict().items():
        assert (getattr(second.memory, name) == part).all()
    assert whole.memory.weights.shape[0] == (1 if config.shares else 2)
    assert (whole.memory.nets.size == 0) == (config.coherence == "none")
    assert np.count_nonzero(whole.memory.weights) > 100


@pytest.mark.parametrize(
    ("name", "content"), [("curve.csv", None), ("agent.safetensors", None), ("agent.safetensors", b"damaged")]
)
def test_what_is_lost_is_written_again(whole, tmp_path, name, content):
    folder = tmp_path / "copy"
    shutil.copytree(whole.folder, folder)
    (folder / name).write_bytes(content) if content else (folder / name).unlink()
    assert train_into(NTupleTraining(SMALL), folder).resumed == 3000
    assert contents(folder) == contents(whole.folder)


def test_the_curve_says_what_was_learnt(whole):
    curve = whole.training.curve()
    assert [row[0] for row in curve] == list(range(30, 3001, 30))
    assert sum(sum(row[1:4]) for row in curve) == 3000
    assert whole.training.report(whole.folder)["td_error"] == curve[-1][-1]
    half = len(curve) // 2
    assert sum(row[-1] for row in curve[half:]) < 0.7 * sum(row[-1] for row in curve[:half])


def test_it_learns_to_beat_random_play():
    """Random play wins 58 % from the first seat and 29 % from the second; perfect play does not lose."""
    training = NTupleTraining(dataclasses.replace(SMALL, games=20_000))
    training.play_to(20_000)
    found = results(training.agent(), 200, 2)
    assert found.count(-1.0) <= 6
    assert found[::2].count(1.0) > 90
    assert found[1::2].count(1.0) > 70


def test_agents_of_files(whole, monkeypatch):
    """They say what the weights say, seat by seat; copies too. Values are not compiled."""
    monkeypatch.setattr(learnt, "values_kernel", as_python(learnt.values_kernel))
    agent, board = make_policy(f"ntuple:{whole.agent_path}", "TicTacToe-v0"), Board("TicTacToe-v0", compiled=False)
    weights, tuples = whole.training.memory.weights, whole.training.tuples
    while not board.is_terminal:
        seat, expected = board.to_play, {}
        for action in board.legal_actions:
            board.push(action)
            planes, total, start = board.observation(seat), 0.0, 0
            states = (planes[..., 0] + 2 * planes[..., 1]).ravel().tolist()
            for tuple_ in tuples:
                for image in images_of(whole.training.cells, tuple_, symmetries=True):
                    total += float(weights[seat, start + sum(states[cell] * 3**n for n, cell in enumerate(image))])
                start += 3 ** len(tuple_)
            expected[action] = board.returns()[seat] if board.is_terminal else np.tanh(total)
            board.pop()
        for one in (agent, copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            values = one.action_values(board)
            assert values == pytest.approx(expected, abs=1e-12)
            assert one.evaluate(board) == max(values.values())
        board.push(agent.act(board, deterministic=True))
    statistics = agent.statistics()
    assert (statistics["tuples"], statistics["tables"]) == (6, 2)
    assert statistics["weights_not_0"] == np.count_nonzero(weights)
    for spec in (f"file:{whole.agent_path}", f"ntuple:{whole.agent_path}"):
        with pytest.raises(UnsupportedGameError, match="asked for is 'ConnectFour-v0'"):
            make_policy(spec, "ConnectFour-v0")


@pytest.mark.parametrize("spec", ["minimax:1", "puct:1", "uct:{children},leaf=heuristic"])
def test_in_searches(whole, spec, monkeypatch):
    """A search that looks one ply ahead values actions as the agent does. Nothing is compiled."""
    monkeypatch.setattr(learnt, "values_kernel", as_python(learnt.values_kernel))
    board = Board("TicTacToe-v0")
    board.push(4)
    values = load_ntuple_agent(whole.agent_path).action_values(board)
    policy = make_policy(
        f"{spec.format(children=len(board.legal_actions))},evaluation=ntuple:{whole.agent_path}", "TicTacToe-v0", seed=1
    )
    policy._entry, policy._entry_is_for = as_python(search_kernel), policy.data
    found = policy.analyse(board)
    visited = [action for action in values if "minimax" in spec or found.visit_counts[action] == 1]
    assert len(visited) == (1 if "puct" in spec else 8)
    for action in visited:
        assert found.action_values[action] == pytest.approx(values[action])


def test_as_an_evaluation(whole, monkeypatch):
    """By either spec: it says what the agent says of the position that a seat has moved into."""
    for name in ("ntuple", "file"):
        brackets = f"network({name}:{whole.agent_path})"
        make_policy(f"minimax:2,evaluation={brackets}", "TicTacToe-v0")
    monkeypatch.setattr(learnt, "values_kernel", as_python(learnt.values_kernel))
    agent, board = load_ntuple_agent(whole.agent_path), Board("TicTacToe-v0", compiled=False)
    evaluation = agent.as_evaluation()
    values = agent.action_values(board)
    board.push(4)
    found = as_python(evaluate_kernel)(board.game.token, board.row, evaluation.data, 0)
    assert found == pytest.approx(values[4], abs=1e-15)
    assert evaluation.slower == SLOWER + agent.num_images // 16
    assert agent.num_images == sum(len(images_of(agent.cells, tuple_, symmetries=True)) for tuple_ in agent.tuples)
    assert pickle.loads(pickle.dumps(evaluation)).arrays[2].tolist() == agent.weights.tolist()


def test_a_file_that_stays_as_it_is_is_read_once(whole, tmp_path, monkeypatch):
    """A watched search is made anew for each depth, one with a clock for each move."""
    path, reads = tmp_path / "agent.safetensors", []
    load = agent_module.load_ntuple_agent
    monkeypatch.setattr(agent_module, "load_ntuple_agent", lambda *args, **kwargs: reads.append(1) or load(*args, **kwargs))
    agent = load(whole.agent_path)
    for factor in (1.0, 0.5):
        NTupleAgent(agent.cells, agent.tuples, agent.weights * np.float32(factor), agent.facts, symmetries=True).save(path)
        kept = [make_policy(f"minimax:{depth},evaluation=ntuple:{path}", "TicTacToe-v0") for depth in (1, 2, 3)]
        assert all(policy.evaluation is kept[0].evaluation for policy in kept)
        assert kept[0].evaluation.arrays[2].tolist() == (agent.weights * np.float32(factor)).tolist()
    assert len(reads) == 2
    with pytest.raises(UnsupportedGameError):
        make_policy(f"minimax:1,evaluation=ntuple:{path}", "ConnectFour-v0")


@pytest.mark.parametrize("form", ["ntuple:{}", "ntuple:{},nodes=50", "network(ntuple:{})"])
def test_evaluations_of_a_file_in_a_folder_with_brackets(whole, tmp_path, form):
    path = tmp_path / "runs (2)" / "agent(b,c=d).safetensors"
    path.parent.mkdir()
    path.write_bytes(whole.agent_path.read_bytes())
    policy = make_policy(f"minimax:2,evaluation={form.format(path)}", "TicTacToe-v0")
    assert policy.evaluation.arrays[2].tolist() == load_ntuple_agent(whole.agent_path).weights.tolist()


@pytest.mark.parametrize(
    ("evaluation", "message"),
    [
        ("ntuple", "expected the path of a file"),
        ("ntuple:nowhere", "no file 'nowhere'"),
        ("ntuples", "did you mean 'ntuple'"),
        ("ntuple:{path}(greedy)", "brackets behind"),
        ("network(greedy)", "has no value network"),
    ],
)
def test_evaluations_that_are_refused(whole, evaluation, message):
    with pytest.raises(SpecError, match=message):
        make_policy(f"minimax:2,evaluation={evaluation.format(path=whole.agent_path)}", "TicTacToe-v0")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pays": [1, 0, -1]}, "Expected `null`"),
        ({"cells": "squares"}, "did you mean|known"),
        ({"states": 4}, "cells of 4 states"),
        ({"tuples": []}, "0 tuples: expected 1"),
        ({"tuples": [[0, 1, 9]]}, "cell 3,0: TicTacToe-v0 {} has no such cell"),
        ({"tuples": [[0, 0]]}, "a cell twice"),
        ({"tuples": [[0, -1]]}, "Expected `int` >= 0"),
        ({"tuples": [[0, 1, 2]]}, r"weights is float32 \(2, .*expected float32 \(2, 27\)"),
        ({**FOUR, "tuples": [list(range(16))] * 200}, "GiB of memory, the machine has 1 GiB"),
        (
            {**FOUR, "cells": "connect_four(phases=64)", "tuples": [list(range(16))], "tables": 128},
            "weights of 1 tuples in each of 64 phases need .* GiB of memory, .* lower .* or have fewer phases",
        ),
        ({**FOUR, "tuples": [list(range(16))] * 1000}, "8,388,608,000 weights of 1,000 tuples: expected at most 2,147,483,647"),
        ({"tables": 129}, "Expected `int` <= 128"),
        ({"game": "Abalone3-v0", "tuples": [[4, 5]]}, "Abalone3-v0|cell"),
        ({"game": "Nothing-v0"}, "Nothing"),
        ({"options": {"size": 8}}, "no option 'size'"),
        ({"training": [1]}, "Expected `object`"),
    ],
)
def test_agents_that_no_training_wrote_are_refused(whole, tmp_path, change, message, monkeypatch):
    """Nor does a training take one for its own."""
    monkeypatch.setattr("boardgym.baselines.memory.machine_memory", lambda: 1 << 30)
    arrays, header = AGENTS.read(whole.agent_path, {})
    rest = {key: value for key, value in header.items() if key not in ("format", "version", "sha256", "header_sha256")}
    shutil.copytree(whole.folder, tmp_path / "copy")
    AGENTS.write(tmp_path / "copy" / "agent.safetensors", arrays, {**rest, **change})
    with pytest.raises(SpecError, match=message):
        load_ntuple_agent(tmp_path / "copy" / "agent.safetensors")
    assert not whole.training.is_written(tmp_path / "copy")


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e31])
def test_agents_of_no_numbers_are_neither_read_nor_written(whole, tmp_path, value):
    arrays, header = AGENTS.read(whole.agent_path, {})
    rest = {key: value for key, value in header.items() if key not in ("format", "version", "sha256", "header_sha256")}
    arrays["weights"][1, 3] = value
    AGENTS.write(tmp_path / "agent.safetensors", arrays, rest)
    with pytest.raises(SpecError, match="infinite, no numbers"):
        load_ntuple_agent(tmp_path / "agent.safetensors")
    agent = whole.training.agent()
    agent.weights[1, 3] = value
    with pytest.raises(OptionError, match="infinite, no numbers"):
        agent.save(tmp_path / "other.safetensors")
    assert not (tmp_path / "other.safetensors").exists()


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("weights", lambda it: it * np.float32(np.nan), "weights that are infinite, no numbers"),
        ("weights", lambda it: it[:, :-1].copy(), "weights is"),
        ("nets", lambda it: it.astype(np.float64), "nets is"),
        ("nets", lambda it: it + np.float32(1000.0), "sums of changes beyond those of their sizes"),
        ("sums", lambda it: -1.0 - it, "sums of changes beyond those of their sizes"),
        ("counts", lambda it: it + 1, "counts of games"),
        ("errors", lambda it: it * np.nan, "counts of games"),
        ("rng", lambda it: it.astype(np.int64), "rng is"),
    ],
)
def test_damaged_checkpoints_are_refused(whole, tmp_path, name, change, message):
    arrays, header = CHECKPOINTS.read(whole.folder / "checkpoint.safetensors", {})
    rest = {key: header[key] for key in ("training", "done")}
    CHECKPOINTS.write(tmp_path / "checkpoint.safetensors", {**arrays, name: change(arrays[name])}, rest)
    training = NTupleTraining(SMALL)
    with pytest.raises(SpecError, match=message):
        training.load_checkpoint(tmp_path / "checkpoint.safetensors")
    assert not training.memory.weights.any()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"games": 0}, OptionError, "games=0: expected a whole number from 1"),
        ({"games": 2.5}, OptionError, r"games=2\.5: expected a whole number"),
        ({"step_size": "11"}, OptionError, "step_size='11': expected values from 0 to 10"),
        ({"epsilon": "2"}, OptionError, "epsilon='2'"),
        ({"game": "Othello-v0", "tuples": ("shapes(6)",)}, OptionError, r"tuples='shapes\(6\)': over 10,000 tuples in all"),
        ({"trace_decay": 1.5}, OptionError, r"trace_decay=1\.5: expected a number from 0 to 1"),
        ({"trace_decay": float("nan")}, OptionError, "trace_decay=nan"),
        ({"learn_through": "all"}, OptionError, "learn_through='all'; known: both, first, none, second"),
        ({"coherence": "foo"}, OptionError, "coherence='foo'; known: exponential, linear, none"),
        ({"cells": "foo"}, OptionError, "cells 'foo' of TicTacToe-v0"),
        ({"tuples": ("cells(3,3)",)}, OptionError, "TicTacToe-v0 {} has no cell 3,3"),
        (
            LARGE,
            OptionError,
            "GiB of memory, the machine has 1 GiB; lower the length or the number of tuples",
        ),
        (
            {"game": "ConnectFour-v0", "cells": "planes(phases=64)", "tuples": ("shape(xxxx/xxxx/xxx)",)},  # one would fit
            OptionError,
            "tuples in each of 64 phases need .* GiB of memory, .* lower .* tuples, or have fewer phases",
        ),
        ({"opponent": "foo"}, SpecError, "foo"),
        (
            {"opponent": "uct:1s"},
            UnsupportedGameError,
            "opponent='uct:1s' has a time limit; expected \"self\", or a compiled policy",
        ),
        ({"opponent": "human"}, UnsupportedGameError, "opponent='human' is not compiled; expected \"self\""),
        ({"game": "Abalone3-v0"}, UnsupportedGameError, "Abalone3-v0 has 3 seats"),
        ({"game": "CardPoints-v0"}, UnsupportedGameError, "CardPoints-v0"),
    ],
)
def test_what_is_refused(change, error, message, monkeypatch):
    monkeypatch.setattr("boardgym.baselines.memory.machine_memory", lambda: 1 << 30)
    with pytest.raises(error, match=message):
        NTupleTraining(dataclasses.replace(SMALL, **change))


@pytest.mark.parametrize(("name", "usual", "value"), [("opponent", "self", "greedy"), ("learn_through", "none", "first")])
def test_runs_with_other_settings_are_others(name, usual, value, tmp_path):
    """Also where a run does not name the setting, as it is as usual."""
    alone, other = (NTupleTraining(dataclasses.replace(SMALL, **{name: one})) for one in (usual, value))
    for first, second, has, wants in ((alone, other, usual, value), (other, alone, value, usual)):
        folder, message = tmp_path / has, rf"{name}='{wants}' \(the run has '{has}'\)"
        with hold(folder, first.run_in(folder)):
            claim(folder, first.run_in(folder))
            first.save_checkpoint(folder / "checkpoint.safetensors")
        found = found_in(folder)
        assert first.run_in(folder).fits(found)
        assert not second.run_in(folder).fits(found)
        with pytest.raises(OptionError, match=message), hold(folder, second.run_in(folder)):
            pass


def test_settings_that_came_later_are_not_named_where_they_are_as_usual(whole):
    """Neither by runs and checkpoints nor by agents, so that older runs go on."""
    header = CHECKPOINTS.read(whole.folder / "checkpoint.safetensors", {})[1]
    for found in (
        found_in(whole.folder),
        header["training"],
        load_ntuple_agent(whole.folder / "agent.safetensors").facts["training"],
    ):
        assert "trace_decay" in found
        assert not {"opponent", "batch", "threads", "device", "learn_through"} & set(found)


def test_the_command(tmp_path, capsys):
    words = ["train", "ntuple", "--game", "TicTacToe", "--games", "500", "--tuples", "lines(3)", "shape(xx/xx)"]
    more = ["--learn-through", "second", "--compare-games", "0", "--json", "--out", str(tmp_path)]
    assert main([*words, *more]) == 0
    found = json.loads(capsys.readouterr().out)
    assert load_ntuple_agent(tmp_path / "agent.safetensors").facts["training"]["learn_through"] == "second"
    assert (found["games"], found["is_finished"], found["resumed"]) == (500, True, 0)
    assert set(found) >= {"won", "drawn", "lost", "plies", "td_error"}
    assert main(["train", "ntuple", "--tuples", "cells(9,9)", "--json", "--out", str(tmp_path / "b")]) == 2
    assert "has no cell 9,9" in capsys.readouterr().err
