"""Networks as policies and as files: what they choose, by hand; what is written is read; what is damaged is refused."""

import copy
import math
import pickle

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.learning.agent_files import AGENTS
from boardgym.baselines.learning.coevolution import STORED, CoevolutionConfig, HillClimber
from boardgym.baselines.learning.td.agent import NetworkAgent, load_network_agent
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import CHECKPOINTS, NetworkTrainer
from boardgym.baselines.networks import perceptron as pn
from boardgym.baselines.networks.feature_maps import feature_map
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.policy import Policy
from boardgym.core.policy_spec import make_policy

FACTS = {"method": "td", "discount": 0.9, "adds_reward": 1, "pays": None}


def make(facts=FACTS, seed=1, hidden=4):
    features = feature_map("planes", "TicTacToe")
    net = pn.make_perceptron([36, hidden, 1], ["tanh", "tanh"], biases=[True, False])
    net.weights[:] = np.random.default_rng(seed).normal(size=len(net.weights))
    return NetworkAgent(features, net, facts, seed=3)


def value(agent, board, seat):
    """By matrices."""
    first, second = pn.layers_of(agent.net)
    hidden = np.tanh(agent.features(board, seat) @ first[:-1] + first[-1])
    return float(np.tanh(hidden @ second)[0])


@pytest.mark.parametrize(("facts", "at_end"), [({}, 1.0), ({"pays": [100.0, 0.0, -50.0]}, 100.0), ({"adds_reward": 0}, None)])
def test_values_are_those_of_where_actions_lead(facts, at_end):
    """xx./oo./... with x to play: c1 wins at once."""
    agent, board = make({**FACTS, **facts}), Board("TicTacToe", fen="xx1/oo1/3 x")
    found = agent.action_values(board)
    assert list(found) == board.legal_actions
    for action, worth in found.items():
        board.push(action)
        expected = 0.9 * value(agent, board, 0)
        if board.is_terminal and at_end is not None:
            expected = at_end
        assert worth == pytest.approx(expected, abs=1e-12)
        board.pop()
    best = max(found, key=found.__getitem__)
    assert agent.act(board, deterministic=True) == agent.act(board) == best
    assert agent.action_probabilities(board)[best] == 1.0
    if at_end is not None:
        assert (best, agent.evaluate(board)) == (2, 1.0)
    assert agent.analyse(board).action == best
    assert agent.analyse(board).action_values == {action: agent.scaled(board, worth) for action, worth in found.items()}


@pytest.mark.plain
def test_equals_are_drawn():
    agent = make()
    agent.net.weights[:] = 0.0
    board = Board("TicTacToe")
    assert agent.act(board, deterministic=True) == 0
    assert {agent.act(board) for _ in range(80)} == set(range(9))
    assert agent.action_probabilities(board) == pytest.approx(np.full(9, 1 / 9))


@pytest.mark.plain
def test_it_is_a_policy_that_can_be_copied():
    agent, board = make(), Board("TicTacToe")
    assert isinstance(agent, Policy)
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert twin.action_values(board) == agent.action_values(board)
        twin.net.weights[:] = 0.0
    assert agent.net.weights.any()
    with pytest.raises(UnsupportedGameError):
        agent.act(Board("ConnectFour"))
    with pytest.raises(OptionError, match=r"a network of 35 inputs; expected 36, of planes\(scale=2.0\)"):
        NetworkAgent(feature_map("planes(scale=2)", "TicTacToe"), pn.make_perceptron([35, 1], ["tanh"]), FACTS)


@pytest.mark.plain
def test_statistics_by_hand():
    found = make().statistics()
    agent = make()
    first, second = pn.layers_of(agent.net)
    assert (found["sizes"], found["weights"], found["biases"]) == ([36, 4, 1], 37 * 4 + 4, [True, False])
    for i in (0, 13, 35):
        total = sum(first[i, h] * second[h, 0] for h in range(4))
        unit = found["inputs"][i]
        assert unit["name"] == agent.features.names[i]
        assert unit["mean_weight"] == pytest.approx(sum(first[i]) / 4)
        assert unit["log_sum"] == (None if total <= 0 else pytest.approx(math.log(total)))
    assert any(unit["log_sum"] is None for unit in found["inputs"])


@pytest.mark.plain
def test_files(tmp_path):
    agent, path, board = (
        make({**FACTS, "pays": [100.0, 0.0, -50.0], "training": {"kappa": "0"}}),
        tmp_path / "a",
        Board("TicTacToe"),
    )
    agent.save(path)
    policy = make_policy(f"file:{path}", "TicTacToe", seed=1)
    assert (policy.spec, policy.facts) == (f"file:{path}", agent.facts)
    assert policy.action_values(board) == agent.action_values(board)
    assert load_network_agent(path).net.weights.tolist() == agent.net.weights.tolist()
    policy.save(tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == path.read_bytes()
    with pytest.raises(UnsupportedGameError, match="is for game 'TicTacToe-v0'"):
        make_policy(f"file:{path}", "ConnectFour")
    content = path.read_bytes()
    for damaged in (content[:-1], content[:-1] + bytes([content[-1] ^ 1]), b"", content[:100]):
        path.write_bytes(damaged)
        with pytest.raises(SpecError, match="expected one that an agent"):
            load_network_agent(path)
    agent.net.weights[3] = np.inf
    with pytest.raises(OptionError, match="weights of the agent that are infinite"):
        agent.save(path)
    agent.net.weights[3] = 1e300
    with pytest.raises(OptionError, match="or so large that units could be"):
        agent.save(path)


@pytest.mark.parametrize(
    "change",
    [
        {"sizes": [36, 10**9, 1]}, {"sizes": [36, 5, 1]}, {"sizes": [35, 4, 1]}, {"sizes": [36, 4, 2]}, {"sizes": "36"},
        {"sizes": [36, 4.0, 1]}, {"sizes": None}, {"activations": ["tanh"]}, {"activations": ["tanh", "relu"]},
        {"activations": [["tanh"], 1]}, {"biases": [1, 0]}, {"biases": [True]}, {"biases": True}, {"features": "nothing"},
        {"features": 3}, {"features": "planes(scale=0)"}, {"features": "atributos"}, {"discount": 1.5}, {"discount": "x"},
        {"discount": float("nan")}, {"adds_reward": 2}, {"pays": [1.0, 2.0]}, {"pays": [-1.0, 0.0, 1.0]}, {"training": []},
        {"options": {"size": 3}}, {"game": "Nothing-v0"}, {"weights": np.zeros((152, 1))},
        {"weights": np.full(152, np.nan)}, {"weights": np.full(152, 1e300)}, {"weights": np.zeros(152, np.float32)},
    ],
    ids=lambda change: str(change)[:40],
)  # fmt: skip
def test_files_of_strangers_are_refused(change, tmp_path):
    make().save(tmp_path / "a")
    arrays, header = AGENTS.read(tmp_path / "a", {})
    arrays |= {name: value for name, value in change.items() if name == "weights"}
    header = {name: value for name, value in header.items() if "sha256" not in name}
    AGENTS.write(tmp_path / "b", arrays, {**header, **{name: v for name, v in change.items() if name != "weights"}})
    with pytest.raises((SpecError, UnsupportedGameError)):
        load_network_agent(tmp_path / "b")


def with_version(path, files, theirs):
    """Writes a file again as of another version of its features; None: as of none, as files once were."""
    arrays, header = files.read(path, {})
    header = {name: value for name, value in header.items() if "sha256" not in name and name != "features_version"}
    files.write(path, arrays, header if theirs is None else {**header, "features_version": theirs})


@pytest.mark.parametrize("theirs", [None, 1, 3, "2", 10**30])
def test_files_of_another_version_of_the_features_are_refused(theirs, tmp_path):
    """Espacial's columns were exchanged in version 1, of whose files none says a version."""
    features = feature_map("espacial(centre=2)", "Abalone")
    net = pn.make_perceptron([8, 1], ["tanh"], biases=False)
    NetworkAgent(features, net, FACTS).save(tmp_path / "agent")
    config = NetworkConfig(features="espacial(centre=2)", hidden=(3,), episodes=2, max_plies=4)
    trainer = NetworkTrainer(config)
    trainer.save_checkpoint(tmp_path / "checkpoint")
    climber = HillClimber(CoevolutionConfig(game="Abalone", features="espacial", generations=2))
    climber.save_checkpoint(tmp_path / "champions")
    readers = ((AGENTS, "agent", load_network_agent), (CHECKPOINTS, "checkpoint", trainer.load_checkpoint),
               (STORED, "champions", climber.load_checkpoint))  # fmt: skip
    for files, name, read in readers:
        read(tmp_path / name)
        with_version(tmp_path / name, files, theirs)
        with pytest.raises(SpecError, match=r"this package has version 2.*; train it again") as raised:
            read(tmp_path / name)
        assert ("'own pushed off' and 'other pushed off' exchanged" in str(raised.value)) == (theirs in (None, 1))


def test_files_without_a_version_are_of_the_first(tmp_path):
    make().save(tmp_path / "a")
    with_version(tmp_path / "a", AGENTS, None)
    assert load_network_agent(tmp_path / "a").net.weights.tolist() == make().net.weights.tolist()
