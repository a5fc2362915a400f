"""Tianshou: native batches feed its collectors, masks are kept to, seeds repeat; and its own PettingZoo wrapper works."""

import numpy as np
import pytest
import torch
from gymnasium.error import ResetNeeded
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

import boardgym
from boardgym.core.errors import IllegalActionError, OptionError, SpecError, UnknownGameError
from boardgym.wrappers.tianshou import TianshouVecEnv

torch.set_num_threads(1)


class Linear(torch.nn.Module):
    """Fixed values that prefer the same actions everywhere, legal or not; seen as Tianshou's policies call a network."""

    def __init__(self, actions):
        super().__init__()
        self.values = torch.nn.Parameter(torch.linspace(1.0, 0.0, actions))

    def forward(self, obs, state=None, info=None):
        return self.values.expand(len(obs), -1), state


def policy_for(env, epsilon):
    space = env.action_space[0]
    return DiscreteQLearningPolicy(model=Linear(int(space.n)), action_space=space, eps_inference=epsilon)


def collected(epsilon=0.5, seed=1, steps=3_200, **settings):
    np.random.seed(0)
    env = TianshouVecEnv("ConnectFour-v0", 32, seat="random", seed=seed, **settings)
    collector = Collector(policy_for(env, epsilon), env, VectorReplayBuffer(steps, 32), exploration_noise=True)
    collector.reset()
    stats = collector.collect(n_step=steps)
    return collector.buffer.sample(0)[0], stats


@pytest.mark.parametrize("epsilon", [0.0, 1.0])
def test_collectors_play_legal_actions(epsilon):
    data, stats = collected(epsilon, illegal="raise")  # an illegal action would raise here
    assert len(data) == stats.n_collected_steps == 3_200
    assert np.take_along_axis(data.obs.mask, data.act[:, None], 1).all()
    assert not data.obs.mask.all()
    assert data.obs.obs.dtype == np.int8
    assert stats.n_collected_episodes == data.done.sum() > 100
    assert (data.rew[~data.done] == 0).all()
    assert set(np.unique(data.rew)) <= {-1.0, 0.0, 1.0}
    assert not data.truncated.any()
    assert data.obs_next.mask[data.terminated].all()  # nothing is left to mask, and no softmax over nothing


def test_a_transition_leads_on_from_the_one_before():
    data, _ = collected()
    goes_on = ~data.done[:-1]
    goes_on[99::100] = False  # the last of each board; boards stand one after the other
    np.testing.assert_array_equal(data.obs_next.obs[:-1][goes_on], data.obs.obs[1:][goes_on])
    np.testing.assert_array_equal(data.obs_next.mask[:-1][goes_on], data.obs.mask[1:][goes_on])
    begins = np.flatnonzero(data.done[:-1] & (np.arange(len(data) - 1) % 100 != 99)) + 1
    assert (data.obs.obs[begins][..., :2].sum((1, 2, 3)) <= 1).all()


def test_same_seed_same_games():
    (first, _), (second, _), (other, _) = collected(), collected(), collected(seed=2)
    np.testing.assert_array_equal(first.obs.obs, second.obs.obs)
    np.testing.assert_array_equal(first.rew, second.rew)
    assert (first.obs.obs != other.obs.obs).any()
    env = TianshouVecEnv("ConnectFour-v0", 3, setup="random:4")
    starts = [env.reset(seed=4)[0].obs, env.reset(seed=[4, 5, 6])[0].obs]
    assert env.seed(4) == [[4], [5], [6]]
    starts.append(env.reset()[0].obs)
    np.testing.assert_array_equal(starts[0], starts[1])
    np.testing.assert_array_equal(starts[0], starts[2])


def test_as_many_episodes_as_asked_for():
    env = TianshouVecEnv("TicTacToe-v0", 8, seed=0)
    collector = Collector(policy_for(env, 0.0), env, VectorReplayBuffer(1_000, 8))
    collector.reset()
    stats = collector.collect(n_episode=21)
    assert stats.n_collected_episodes == len(stats.returns) == 21


def test_boards_that_are_not_asked_for_stay_as_they_are():
    env = TianshouVecEnv("ConnectFour-v0", 4, opponent="random", seed=3)
    env.reset()
    boards, rngs = env.batch.rows.positions.copy(), env.batch.rows.rngs.copy()
    seen, rewards, terminated, truncated, infos = env.step(np.array([6, 0]), np.array([2, 0]))
    assert seen.obs.shape == (2, 6, 7, 4)
    assert rewards.shape == terminated.shape == truncated.shape == infos.shape == (2,)
    np.testing.assert_array_equal(env.batch.rows.positions[[1, 3]], boards[[1, 3]])
    np.testing.assert_array_equal(env.batch.rows.rngs[[1, 3]], rngs[[1, 3]])
    assert seen.obs[0, -1, 6, 0] == seen.obs[1, -1, 0, 0] == 1  # rows come in the order of `id`
    everywhere, *_ = env.step(np.array([1, 1, 1, 1]))
    twin = TianshouVecEnv("ConnectFour-v0", 4, opponent="random", seed=3)
    twin.reset()
    alone, *_ = twin.step(np.array([1]), 3)
    np.testing.assert_array_equal(alone.obs[0], everywhere.obs[3])
    np.testing.assert_array_equal(alone.mask[0], everywhere.mask[3])


def test_what_tianshou_asks_of_a_vector_environment():
    env = TianshouVecEnv("TicTacToe-v0", 3)
    assert len(env) == 3
    assert env.is_async is False
    assert [space.n for space in env.action_space] == [9, 9, 9]
    seen, infos = env.reset([0, 2])
    assert env.observation_space[0].contains({"obs": seen.obs[0], "mask": seen.mask[0]})
    assert infos.tolist() == [{}, {}]
    assert len(env.render()) == 3
    assert env.get_env_attr("game", 1)[0].id == "TicTacToe-v0"
    env.close()
    with pytest.raises(AssertionError, match="after close"):
        env.reset()


def test_a_board_whose_game_is_over_waits_for_its_reset():
    env = TianshouVecEnv("CardPoints-v0", 2, seed=1)
    env.reset()
    is_over = np.zeros(2, bool)
    while not is_over[0]:  # board 1 stays at its start
        _, _, is_over[:1], *_ = env.step(env.batch.masks[:1].argmax(-1), [0])
    boards = env.batch.rows.positions.copy()
    with pytest.raises(ResetNeeded, match=r"boards \[0\]: no game is under way"):
        env.step(env.batch.masks.argmax(-1))
    np.testing.assert_array_equal(env.batch.rows.positions, boards)  # board 1 has not moved either
    env.reset([0])
    env.step(env.batch.masks.argmax(-1))


def test_wrong_settings_and_actions():
    with pytest.raises(OptionError, match="seat='all'"):
        TianshouVecEnv("TicTacToe-v0", 2, seat="all")
    with pytest.raises(UnknownGameError, match="ConnectFour-v0"):
        TianshouVecEnv("ConectFour-v0", 2)
    with pytest.raises(SpecError, match="greedy"):
        TianshouVecEnv("TicTacToe-v0", 2, opponent="gredy")
    with pytest.raises(OptionError, match="num_envs=0"):
        TianshouVecEnv("TicTacToe-v0", 0)
    env = TianshouVecEnv("TicTacToe-v0", 3, illegal="raise")
    with pytest.raises(ResetNeeded, match=r"\[0, 1, 2\]"):
        env.step(np.zeros(3, int))
    env.reset()
    for actions, boards in ((np.zeros(2, int), None), (np.zeros(3), None), (np.zeros(1, int), [0, 1])):
        with pytest.raises(OptionError, match="expected integers of shape"):
            env.step(actions, boards)
    for boards in ([3], [-1], [0, 0]):
        with pytest.raises(OptionError, match="different numbers from 0 to 2"):
            env.reset(boards)
    for seed in (2**64 - 1, 2**64 - 2):  # board i gets seed + i
        with pytest.raises(OptionError, match=r"board i gets seed \+ i; expected at most 2\*\*64 - 3"):
            env.seed(seed)
    assert env.seed(2**64 - 3)[-1] == [2**64 - 1]
    with pytest.raises(OptionError, match="2 seeds"):
        env.seed([1, 2])
    for seed in (True, 1.5, [1, 2, -1]):
        with pytest.raises(OptionError, match="expected a whole number from 0"):
            env.seed(seed)
    with pytest.raises(OptionError, match="no attributes"):
        env.set_env_attr("game", None)
    boards = env.batch.rows.positions.copy()
    with pytest.raises(IllegalActionError, match="action 9"):
        env.step(np.array([9]), [1])
    np.testing.assert_array_equal(env.batch.rows.positions, boards)


@pytest.mark.parametrize("game", ["TicTacToe-v0", "NineMensMorris-v0"])
def test_tianshous_own_wrapper_plays_our_aec_environment(game):
    np.random.seed(0)
    env = DummyVectorEnv([lambda: PettingZooEnv(boardgym.make(game)) for _ in range(3)])
    env.seed(1)
    policy = policy_for(env, 1.0)
    observations, _ = env.reset()
    ended = 0
    for _ in range(120):
        batch = Batch(obs=Batch(observations.tolist()), info=Batch())
        actions = policy.add_exploration_noise(np.zeros(3, int), batch)
        assert batch.obs.mask[np.arange(3), actions].all()
        observations, rewards, terminated, truncated, _ = env.step(actions)  # an illegal action would raise
        assert not truncated.any()
        assert rewards.shape == (3, 2)
        if terminated.any():
            ended += 1
            assert (rewards[terminated].sum(-1) == 0).all()
            observations[terminated] = env.reset(np.flatnonzero(terminated))[0]
    assert ended >= (5 if game != "NineMensMorris-v0" else 0)


def test_it_stays_on_the_cpu():
    with pytest.raises(OptionError, match=r"device='cuda': TianshouVecEnv stays on the CPU"):
        TianshouVecEnv("TicTacToe-v0", 2, device="cuda")
