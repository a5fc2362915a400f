"""Compiled networks: torch's forward pass, files, models they are made of, and play inside native steps."""

import copy
import itertools
import os
import pickle

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO

from boardgym.baselines.array_files import OWN_FIELDS
from boardgym.baselines.networks.network import NETWORKS, NetworkPolicy, load_network
from boardgym.core.batch_board import BatchBoard
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream
from boardgym.envs.batch import Batch, observation_space
from boardgym.wrappers.sb3 import SB3VecEnv, from_sb3
from boardgym.wrappers.sb3_features import LandingFeatures, SharedLayers, SmallBoardCNN, Windows
from boardgym.wrappers.sb3_network import from_sb3_network, refresh, snapshot

torch.set_num_threads(1)


def some_layers(game, hidden=(16, 12), seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    sizes = [int(np.prod(game.observation_shape)), *hidden, game.num_actions]
    return [
        ((scale * rng.normal(size=(a, b)) / np.sqrt(a)).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in itertools.pairwise(sizes)
    ]


def torch_probabilities(layers, activation, temperature, board):
    x = torch.from_numpy(board.observation().astype(np.float32).ravel())
    for number, (weights, bias) in enumerate(layers):
        x = x @ torch.from_numpy(weights) + torch.from_numpy(bias)
        if number < len(layers) - 1:
            x = getattr(torch, activation)(x)
    x = x.double() / temperature
    return torch.softmax(torch.where(torch.from_numpy(board.action_mask() != 0), x, -torch.inf), dim=0).numpy()


def positions(game, count, seed=0):
    """Boards along random games."""
    rng = np.random.default_rng(seed)
    board = Board(game, seed=seed)
    for number in range(count):
        if board.is_terminal:
            board = Board(game, seed=seed + number)
        yield board
        board.push(int(rng.choice(board.legal_actions)))


@pytest.mark.parametrize("name", ["TicTacToe", "ConnectFour", "Backgammon"])
@pytest.mark.parametrize(("activation", "temperature"), [("relu", 1.0), ("tanh", 0.5)])
def test_probabilities_are_those_of_torch(name, activation, temperature):
    game = get_game(name)
    layers = some_layers(game, scale=3.0)
    policy = NetworkPolicy(game, layers, activation, temperature, seed=0)
    for board in positions(game, 150):
        expected = torch_probabilities(layers, activation, temperature, board)
        np.testing.assert_allclose(policy.action_probabilities(board), expected, atol=1e-5)
        assert policy.act(board, deterministic=True) == expected.argmax()


def test_draws_follow_the_probabilities():
    game = get_game("TicTacToe")
    policy, board, rng = NetworkPolicy(game, some_layers(game), seed=0), Board(game), stream(3)
    counts = np.bincount([policy.act_with(board, rng) for _ in range(20_000)], minlength=9)
    expected = policy.action_probabilities(board)
    assert np.abs(counts / 20_000 - expected).max() < 4 * np.sqrt(0.25 / 20_000)


def test_equal_logits_give_the_first_legal_action():
    game = get_game("ConnectFour")
    policy = NetworkPolicy(game, [(np.zeros((168, 7)), np.zeros(7))])
    board = Board(game)
    for _ in range(6):
        assert policy.act(board, deterministic=True) == 0
        board.push(0)
    assert policy.act(board, deterministic=True) == 1


def test_copies_and_files_play_alike(tmp_path):
    game = get_game("ConnectFour")
    policy = NetworkPolicy(game, some_layers(game), "tanh", 0.7, seed=5)
    policy.save(tmp_path / "net, (1).safetensors")
    for other in (
        copy.deepcopy(policy),
        pickle.loads(pickle.dumps(policy)),
        make_policy(f"network:{tmp_path / 'net, (1).safetensors'}", game, seed=5),
    ):
        assert isinstance(other, NetworkPolicy)
        for board in positions(game, 10):
            np.testing.assert_array_equal(other.action_probabilities(board), policy.action_probabilities(board))
    assert [p.name for p in tmp_path.iterdir()] == ["net, (1).safetensors"]
    policy.save(tmp_path / "net")
    straying = make_policy(f"epsilon:0.25(network:{tmp_path / 'net'})", game, seed=5)
    assert copy.deepcopy(straying).epsilon == straying.epsilon == 0.25


def test_files_that_do_not_fit(tmp_path):
    game = get_game("TicTacToe")
    good, other = tmp_path / "good.safetensors", tmp_path / "other.safetensors"
    NetworkPolicy(game, some_layers(game)).save(good)
    with pytest.raises(UnsupportedGameError, match=r"for TicTacToe-v0 .*, not for ConnectFour-v0"):
        load_network(good, "ConnectFour-v0")
    with pytest.raises(SpecError, match="no file"):
        make_policy("network:nowhere", game)
    with pytest.raises(SpecError, match="expected the path of a file"):
        make_policy("network:", game)
    other.write_bytes(b"no tensors")
    with pytest.raises(SpecError, match="not a network"):
        load_network(other, game)
    other.write_bytes(good.read_bytes()[:-4])
    with pytest.raises(SpecError, match="not a network"):
        load_network(other, game)
    arrays, found = NETWORKS.read(good, {})
    header = {name: value for name, value in found.items() if name not in OWN_FIELDS}
    for changed, error, text in (
        ({"version": 1}, SpecError, "version is 1, expected 2"),
        ({"kind": "value"}, SpecError, r"kind"),
        ({"activation": "gelu"}, SpecError, r"activation"),
        ({"temperature": "hot"}, SpecError, r"temperature"),
        ({"temperature": 0.0}, SpecError, r"temperature"),
        ({"options": {"size": 4}}, UnsupportedGameError, "is for TicTacToe-v0 {'size': 4}, not for"),
    ):
        NETWORKS.write(other, arrays, header | changed)
        with pytest.raises(error, match=text):
            load_network(other, game)
    huge = arrays["0.weights"].copy()
    huge[0] = 1e38
    for name, array, text in (
        ("1.weights", np.zeros((16, 13), np.float32), r"expected \(16, 13\)"),
        ("0.weights", np.full((36, 16), np.nan, np.float32), "infinite or no numbers"),
        ("0.weights", huge, "so large that units could be"),
        ("0.bias", np.zeros((16, 1), np.float32), r"0\.bias is float32 \(16, 1\), expected float32"),
        ("0.bias", np.zeros(0, np.float32), r"0\.bias is of shape \(0,\)"),
        ("0.bias", np.zeros(16), r"0\.bias is float64"),
        ("9.weights", arrays["0.bias"], r"expected the arrays 0\.weights"),
    ):
        NETWORKS.write(other, arrays | {name: array}, header)
        with pytest.raises(SpecError, match=text):
            load_network(other, game)
    with pytest.raises(SpecError, match="no file"):
        load_network(tmp_path, game)


def test_a_changed_byte_is_found(tmp_path):
    """Of weights, which any number fits, as of all else."""
    game = get_game("TicTacToe")
    NetworkPolicy(game, some_layers(game)).save(tmp_path / "net")
    content = (tmp_path / "net").read_bytes()
    for place in range(0, len(content), 7):
        (tmp_path / "net").write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(SpecError):
            load_network(tmp_path / "net", game)


def test_large_weights_that_overflow_nothing_are_taken():
    game = get_game("TicTacToe")
    units = np.full((36, 4), 1e20), np.zeros(4)
    policy = NetworkPolicy(game, [units, (np.full((4, 9), 1e10), np.arange(9))], "tanh")
    assert np.isfinite(policy.action_probabilities(Board(game))).all()
    with pytest.raises(OptionError, match="so large that units could be"):
        NetworkPolicy(game, [units, (np.full((4, 9), 1e20), np.arange(9))], "relu")
    with pytest.raises(OptionError, match="so large that units could be"):
        policy.set_layers([(np.full((36, 4), 1e35), np.zeros(4)), (np.zeros((4, 9)), np.zeros(9))])


def test_the_size_is_checked_before_anything_is_read(tmp_path):
    """A file of 2 GiB of nothing, as sparse as the disk keeps it."""
    path = tmp_path / "large"
    path.touch()
    os.truncate(path, 2 << 30)
    with pytest.raises(SpecError, match=r"expected at most 536,870,912"):
        load_network(path, "TicTacToe-v0")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"layers": []}, "at least one"),
        ({"layers": [(np.zeros((36, 8)), np.zeros(8))]}, r"expected \(36, 9\)"),
        ({"layers": [(np.zeros((35, 9)), np.zeros(9))]}, r"expected \(36, 9\)"),
        ({"layers": [(np.zeros((36, 9)), np.zeros((9, 1)))]}, r"expected \(36, 9\) and \(9,\)"),
        ({"layers": [(np.zeros(36), np.zeros(9)), (np.zeros((9, 9)), np.zeros(9))]}, r"layer 0.*expected \(36, outputs\)"),
        ({"layers": [(np.full((36, 9), np.inf), np.zeros(9))]}, "infinite"),
        ({"activation": "gelu"}, "'relu' or 'tanh'"),
        ({"temperature": -1.0}, "above 0"),
    ],
)
def test_layers_that_do_not_fit(change, text):
    settings = {"layers": [(np.zeros((36, 9)), np.zeros(9))], "activation": "relu"} | change
    with pytest.raises(OptionError, match=text):
        NetworkPolicy("TicTacToe-v0", **settings)


def test_it_plays_within_native_steps_and_takes_new_weights_there():
    """The learner always plays the first legal action; a network that likes the last ones answers at the other end."""
    game = get_game("ConnectFour")
    layers = [(np.zeros((168, 7)), 50.0 * np.arange(7))]
    policy = NetworkPolicy(game, layers)
    batch = Batch(game, 3, opponent=policy)
    batch.seed([1, 2, 3])
    batch.restart(batch.everywhere)
    batch.step(np.zeros(3, np.int64))
    policy.set_layers([(np.zeros((168, 7)), -50.0 * np.arange(7))])
    batch.step(np.full(3, 6))
    expected = Board(game)
    expected.play(["1", "7", "7", "1"])
    assert [batch.board(i).fen() for i in range(3)] == [expected.fen()] * 3
    with pytest.raises(OptionError, match=r"sizes \[168, 3, 7\]: expected \[168, 7\]"):
        policy.set_layers(some_layers(game, hidden=(3,)))


def model_of(kind, game="TicTacToe-v0", **policy_kwargs):
    settings = {"policy_kwargs": policy_kwargs, "seed": 0, "device": "cpu"}
    if kind is not DQN and kind is not A2C:
        settings |= {"n_steps": 8, "batch_size": 8}
    return kind("MlpPolicy", SB3VecEnv(game, 2, seed=0), **settings)


@pytest.mark.parametrize("kind", [MaskablePPO, PPO, A2C])
@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"net_arch": {"pi": [24], "vf": [8]}, "activation_fn": torch.nn.ReLU},
        {"features_extractor_class": SharedLayers, "features_extractor_kwargs": {"hidden": (20, 10)}, "net_arch": []},
        {
            "features_extractor_class": SharedLayers,
            "features_extractor_kwargs": {"hidden": (12,), "window": 4, "channels": 3},
            "net_arch": [],
        },
    ],
)
def test_networks_of_models_play_as_the_models(kind, kwargs):
    model = model_of(kind, "ConnectFour-v0", **kwargs)
    network, policy = from_sb3_network(model, "ConnectFour-v0", seed=0), from_sb3(model, "ConnectFour-v0", seed=0)
    for board in positions(get_game("ConnectFour"), 40):
        np.testing.assert_allclose(network.action_probabilities(board), policy.action_probabilities(board), atol=1e-5)


def test_windows_share_their_weights_and_must_fit_the_board():
    """A pattern in the lower left corner, moved one column to the right, moves the outputs by one window."""
    windows = Windows((6, 7, 2), 4, 5)
    assert windows.outputs == 3 * 4 * 5
    planes = torch.zeros(2, 6, 7, 2)
    planes[0, 2:, 1:3, 0], planes[1, 2:, 2:4, 0] = 1.0, 1.0
    first, second = windows(planes).reshape(2, 3, 4, 5)
    torch.testing.assert_close(first[:, :3], second[:, 1:])
    weights, bias = windows.dense()
    torch.testing.assert_close(planes.flatten(1) @ weights + bias, windows(planes))
    for size, channels in ((7, 3), (0, 3), (4, 0)):
        with pytest.raises(OptionError, match="windows that fit the board"):
            Windows((6, 7, 2), size, channels)


@pytest.mark.parametrize(
    ("kind", "kwargs", "text"),
    [
        (DQN, {}, "no actor"),
        (PPO, {"features_extractor_class": SmallBoardCNN}, "features come from SmallBoardCNN"),
        (PPO, {"activation_fn": torch.nn.ELU}, "it has a ELU"),
        (PPO, {"features_extractor_class": SharedLayers, "net_arch": [8]}, "rectified and tanh units"),
    ],
)
def test_models_that_are_no_such_networks_are_refused(kind, kwargs, text):
    with pytest.raises(UnsupportedGameError, match=text):
        from_sb3_network(model_of(kind, **kwargs), "TicTacToe-v0")


@pytest.mark.parametrize(
    ("kind", "kwargs"), [(PPO, {}), (PPO, {"features_extractor_class": SmallBoardCNN}), (DQN, {"net_arch": [8]})]
)
def test_snapshots_stay_as_the_model_was_until_they_are_refreshed(kind, kwargs):
    model = model_of(kind, **kwargs)
    board = Board("TicTacToe-v0")
    frozen = snapshot(model, board.game)
    before = frozen.action_probabilities(board)
    with torch.no_grad():
        for number, weights in enumerate(model.policy.parameters()):
            weights.add_(torch.linspace(2, -1, weights.numel()).roll(number).reshape(weights.shape))
    np.testing.assert_array_equal(frozen.action_probabilities(board), before)
    refresh(frozen, model)
    after = from_sb3(model, board.game).action_probabilities(board)
    np.testing.assert_allclose(frozen.action_probabilities(board), after, atol=1e-6)
    assert np.abs(after - before).max() > 0.1
    assert model.policy.optimizer is not None


@pytest.mark.parametrize("name", ["TicTacToe", "ConnectFour", "Othello", "Abalone", "CardPoints", "NineMensMorris"])
@pytest.mark.parametrize("blocks", [0, 1])
def test_small_boards_have_features(name, blocks):
    game = get_game(name)
    extractor = SmallBoardCNN(observation_space(game), features=10, channels=4, blocks=blocks)
    space = observation_space(game)
    planes = np.random.default_rng(0).integers(0, space.high.max(), (3, *space.shape), endpoint=True)
    out = extractor(torch.from_numpy(planes.astype(np.float32)))
    assert out.shape == (3, 10)
    assert torch.isfinite(out).all()
    with pytest.raises(OptionError, match="at least 1"):
        SmallBoardCNN(observation_space(game), channels=0)


def test_lines_through_landing_cells():
    """Against lines cut out of the padded board by hand, full columns among them."""
    space = observation_space(get_game("ConnectFour"))
    extractor = LandingFeatures(space, reach=2, heights=2, channels=8, per_column=3, hidden=(12, 10))
    observations = np.asarray(BatchBoard("ConnectFour", 50, setup="random:30", seed=0).observation)
    assert (observations[:, 0, :, :2].sum(axis=(2,)) == 1).any()
    planes = torch.from_numpy(observations.astype(np.float32))
    lines = extractor.lines_of(planes).reshape(50, 7, 8, 5, 3).numpy()
    for board, found in zip(observations, lines, strict=True):
        padded = np.zeros((12, 11, 3))
        padded[3:9, 2:9, :2] = board[:, :, :2]
        padded[3:9, 2:9, 2] = 1 - board[:, :, :2].sum(axis=2)
        for column in range(7):
            landing = 3 + max(int(padded[3:9, 2 + column, 2].sum()) - 1, 0)
            for above in range(2):
                row, steps = landing - above, range(-2, 3)
                right, down = ([column + 2 + k for k in steps], [row + k for k in steps])
                expected = [padded[row, right], padded[down, column + 2], padded[down, right], padded[down[::-1], right]]
                np.testing.assert_array_equal(found[column, 4 * above : 4 * above + 4], expected)
    out = extractor(planes)
    assert out.shape == (50, 7 * 3 + 10)
    ours = extractor(torch.zeros(1, *space.shape))[0, :21].reshape(7, 3)  # on the empty board the inner columns look alike
    assert torch.allclose(ours[2], ours[3])
    assert torch.allclose(ours[3], ours[4])
    assert not torch.allclose(ours[1], ours[2])
    for wrong in ({"heights": 0}, {"hidden": ()}):
        with pytest.raises(OptionError, match="and a hidden layer"):
            LandingFeatures(space, **wrong)
    with pytest.raises(OptionError, match=r"expected planes \(H, W, C\)"):
        LandingFeatures(Box(0, 1, (7,)))
