"""RLlib's environments, self-play and policies: run by `make test-rllib`, in an environment with RLlib's own gymnasium."""

import os
import random
import re
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
import ray
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import boardgym
from boardgym import Board, IllegalActionError, OptionError, Reason, UnknownGameError, UnsupportedGameError
from boardgym.baselines import compare
from boardgym.core.policy import BatchPolicy
from boardgym.wrappers.rllib import RLlibEnv, RLlibSelfPlayEnv, from_rllib, masked_space
from tests.support import ROOT
from tests.variants import every_game

SMALL = DefaultModelConfig(fcnet_hiddens=[32])


def module_of(game, hidden=SMALL):
    spec = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        observation_space=masked_space(game),
        action_space=gymnasium.spaces.Discrete(game.num_actions),
        model_config=hidden,
    )
    return spec.build()


@pytest.fixture
def cluster():
    ray.init(num_cpus=1, include_dashboard=False, logging_level="error", log_to_driver=False)
    yield
    ray.shutdown()


@every_game
def test_one_learner(game):
    env = RLlibEnv({"game": game, "seat": "random"})
    check_env(env, skip_render_check=True)
    plain = gymnasium.make(f"boardgym/{game}", seat="random")
    observation, info = env.reset(seed=3)
    expected, _ = plain.reset(seed=3)
    rng, is_over = random.Random(3), False
    while not is_over and info["ply"] < 60:
        assert env.observation_space.contains(observation)
        assert observation["observations"].tolist() == expected.ravel().tolist()
        assert observation["action_mask"].tolist() == info["action_mask"].tolist()
        action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
        observation, reward, is_over, _, info = env.step(action)
        expected, other_reward, *_ = plain.step(action)
        assert reward == other_reward


@every_game
def test_all_seats(game):
    """The episode that RLlib makes of a game holds what the board pays, seat by seat."""
    env = RLlibSelfPlayEnv({"game": game})
    check_multiagent_environments(env)
    board, rng = Board(game, seed=5), random.Random(5)  # the same seed, the same dice
    observations, infos = env.reset(seed=5)
    episode = MultiAgentEpisode(agent_to_module_mapping_fn=lambda agent, _: agent)
    episode.add_env_reset(observations=observations, infos=infos)
    while True:
        name = f"player_{board.to_play}"
        assert list(observations) == [name]
        assert env.observation_spaces[name].contains(observations[name])
        assert observations[name]["observations"].tolist() == board.observation().ravel().tolist()
        assert observations[name]["action_mask"].tolist() == board.action_mask().tolist()
        action = rng.choice(board.legal_actions)
        board.push(action)
        observations, rewards, ends, cuts, infos = env.step({name: action})
        episode.add_env_step(observations, {name: action}, rewards, infos, terminateds=ends, truncateds=cuts)
        assert env.board.fen() == board.fen()
        if ends["__all__"]:
            break
    returns = board.returns()
    assert [episode.agent_episodes[agent].get_return() for agent in env.agents] == returns
    assert set(observations) == set(env.agents)
    for seat, agent in enumerate(env.agents):
        assert observations[agent]["action_mask"].all()
        assert infos[agent]["reason"] == board.reason
        winner = board.outcome().winner
        assert infos[agent]["outcome"] == (0 if winner is None else 1 if winner == seat else -1)


def test_planes_as_they_are():
    env = RLlibEnv({"game": "ConnectFour-v0", "flat": False})
    assert env.reset(seed=1)[0]["observations"].shape == (6, 7, 4)
    assert RLlibSelfPlayEnv({"game": "Othello-v0", "size": 6, "flat": False}).reset()[0]["player_0"]["observations"].shape == (
        6,
        6,
        5,
    )


def test_bad_configurations():
    with pytest.raises(OptionError, match="expected at least"):
        RLlibEnv({})
    with pytest.raises(UnknownGameError, match="did you mean"):
        RLlibSelfPlayEnv({"game": "ConectFour"})
    with pytest.raises(OptionError, match="no option 'sise'"):
        RLlibSelfPlayEnv({"game": "Othello-v0", "sise": 6})
    with pytest.raises(OptionError, match="terminate, raise"):
        RLlibSelfPlayEnv({"game": "Othello-v0", "illegal": "random"})
    with pytest.raises(OptionError, match="no set-up"):
        RLlibSelfPlayEnv({"game": "Othello-v0", "setup": "fischer"})


def test_bad_steps():
    env = RLlibSelfPlayEnv({"game": "TicTacToe-v0", "illegal": "raise"})
    with pytest.raises(ResetNeeded):
        env.step({"player_0": 4})
    env.reset(seed=1)
    env.step({"player_0": 4})
    for wrong in ({}, {"player_0": 3}, {"player_0": 3, "player_1": 3}):
        with pytest.raises(OptionError, match="expected the action of player_1 alone"):
            env.step(wrong)
    with pytest.raises(IllegalActionError):
        env.step({"player_1": 4})
    assert env.board.actions == [4]
    lenient = RLlibSelfPlayEnv({"game": "TicTacToe-v0"})
    lenient.reset(seed=1)
    lenient.step({"player_0": 4})
    observations, rewards, ends, _, infos = lenient.step({"player_1": 4})
    assert rewards == {"player_0": 0.0, "player_1": -1.0}
    assert ends["__all__"]
    assert infos["player_1"] == {"outcome": -1, "reason": Reason.ILLEGAL_ACTION}
    assert set(observations) == {"player_0", "player_1"}
    with pytest.raises(ResetNeeded):
        lenient.step({"player_0": 0})


def test_modules_as_policies():
    game = boardgym.get_game("TicTacToe-v0")
    policy, board = from_rllib(module_of(game), game, seed=1), Board(game)
    for _ in range(4):
        probabilities = policy.action_probabilities(board)
        assert probabilities.sum() == pytest.approx(1.0)
        assert np.flatnonzero(probabilities).tolist() == board.legal_actions
        assert policy.act(board, deterministic=True) == probabilities.argmax()
        board.push(policy.act(board))
    counts = np.zeros(9)
    for _ in range(2000):
        counts[policy.act(board)] += 1
    assert np.abs(counts / 2000 - policy.action_probabilities(board)).max() < 0.05
    policy.reset(seed=7)
    first = [policy.act(board) for _ in range(20)]
    policy.reset(seed=7)
    assert [policy.act(board) for _ in range(20)] == first
    with pytest.raises(UnsupportedGameError, match="was trained on"):
        from_rllib(module_of(game), "ConnectFour-v0")
    with pytest.raises(UnsupportedGameError, match="was given a board of"):
        policy.act(Board("ConnectFour-v0"))


def test_modules_answer_for_many_boards_as_for_one():
    game = boardgym.get_game("ConnectFour-v0")
    policy = from_rllib(module_of(game), game, seed=1)
    assert isinstance(policy, BatchPolicy)
    boards = [Board(game, setup="random:6", seed=seed) for seed in range(12)]
    for column, board in enumerate(boards[:6]):
        while column in board.legal_actions and not board.is_terminal:
            board.push(column)
    boards = [board for board in boards if not board.is_terminal]
    seen = [board.look() for board in boards]
    parts = np.array([o for o, _ in seen]), np.array([m for _, m in seen]), np.array([board.row for board in boards])
    for is_greedy in (True, False):
        rngs = np.arange(1, len(boards) + 1, dtype=np.uint64)
        alone = [policy.act_with(b, rngs[i : i + 1].copy(), deterministic=is_greedy) for i, b in enumerate(boards)]
        together = policy.act_batch(*parts, [board.keys for board in boards], rngs, deterministic=is_greedy)
        assert together.tolist() == alone
        assert all(action in board.legal_actions for action, board in zip(alone, boards, strict=True))
    envs = gymnasium.make_vec("boardgym/ConnectFour-v0", num_envs=4, opponent=policy)
    _, info = envs.reset(seed=1)
    ended = 0
    for _ in range(10):  # an illegal action of the policy would raise
        _, _, is_over, _, info = envs.step(info["action_mask"].argmax(-1))
        ended += is_over.sum()
    assert ended > 0


def test_self_play_trains(cluster):
    config = (
        PPOConfig()
        .environment(RLlibSelfPlayEnv, env_config={"game": "TicTacToe-v0", "illegal": "raise"}, disable_env_checking=True)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
        .training(train_batch_size_per_learner=400, minibatch_size=100, num_epochs=2)
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={"shared": RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=SMALL)}
            )
        )
    )
    algorithm = config.build_algo()
    try:
        result = algorithm.train()
        assert result["env_runners"]["num_episodes"] > 30
        row = compare(from_rllib(algorithm.get_module("shared"), "TicTacToe-v0"), "TicTacToe-v0", ["random"], games=20).rows[0]
        assert (row.games, row.forfeits) == (20, 0)
    finally:
        algorithm.stop()


def test_example(tmp_path):
    command = [
        sys.executable,
        str(ROOT / "examples" / "rllib_masked_ppo.py"),
        "--iterations",
        "2",
        "--batch",
        "256",
        "--games",
        "20",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rate = r"0\.\d{3} \[0\.\d{3}, [01]\.\d{3}\]"
    assert re.search(rf"score rate against random, 20 games: {rate} before, {rate} after 512 steps", done.stdout)
