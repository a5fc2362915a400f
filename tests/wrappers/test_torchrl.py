"""TorchRL: the batched environment passes its checker, keeps to the masks, and repeats by seed; so does its own wrapper."""

import numpy as np
import pytest
import torch
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType, check_env_specs

import boardgym
from boardgym.core.errors import OptionError, SpecError, UnknownGameError
from boardgym.core.game import get_game
from boardgym.envs.vector import VectorEnv
from boardgym.wrappers.torchrl import TorchRLEnv
from tests.variants import typical_games

torch.set_num_threads(1)


@typical_games
def test_checker(game):
    env = TorchRLEnv(game, 3, seat="random")
    check_env_specs(env, break_when_any_done="both", seed=0)
    assert env.batch_size == (3,)
    assert env.action_spec.n == get_game(game).num_actions


def test_random_rollouts_play_legal_actions_and_learners_are_paid():
    torch.manual_seed(0)
    env = TorchRLEnv("ConnectFour-v0", 32, seat="random", seed=1, illegal="raise")  # an illegal action would raise here
    played = env.rollout(150, break_when_any_done=False)
    assert played.shape == (32, 150)
    assert played["action_mask"].gather(-1, played["action"].unsqueeze(-1)).all()
    assert not played["action_mask"].all()  # there were full columns to keep away from
    done, reward = played["next", "done"], played["next", "reward"]
    assert done.sum() > 400
    assert (reward[~done] == 0).all()
    assert 0.3 < (reward == 1).sum() / done.sum() < 0.7
    assert (played["next", "terminated"] == done).all()
    # after an end, the next observation is that of a new game
    ended, following = played["next", "done"][:, :-1, 0], played["observation"][:, 1:]
    assert (following[ended][..., :2].sum((-1, -2, -3)) <= 1).all()
    assert (played["next", "observation"][:, :-1][~ended] == following[~ended]).all()


def test_steps_are_those_of_the_vector_environment():
    env = TorchRLEnv("TicTacToe-v0", 5, opponent="epsilon:0.3(greedy)", seat="random", seed=7)
    twin = VectorEnv("TicTacToe-v0", 5, opponent="epsilon:0.3(greedy)", seat="random")
    state = env.reset()
    observation, info = twin.reset(seed=7)
    for _ in range(40):
        assert state["observation"].dtype == torch.int8
        np.testing.assert_array_equal(state["observation"].numpy(), observation)
        np.testing.assert_array_equal(state["action_mask"].numpy(), info["action_mask"].astype(bool))
        action = info["action_mask"].argmax(-1)
        stepped, state = env.step_and_maybe_reset(state.set("action", torch.from_numpy(action)))
        observation, reward, terminated, truncated, info = twin.step(action)
        over = terminated | truncated
        np.testing.assert_array_equal(stepped["next", "observation"].numpy(), observation)
        np.testing.assert_array_equal(stepped["next", "reward"].numpy()[:, 0], reward)
        np.testing.assert_array_equal(stepped["next", "done"].numpy()[:, 0], over)
        if over.any():
            observation, info = twin.reset(options={"reset_mask": over})


def rolled(seed_by):
    torch.manual_seed(3)
    env = TorchRLEnv("ConnectFour-v0", 4, seat="random", seed=11 if seed_by == "constructor" else 5)
    if seed_by == "set_seed":
        env.set_seed(11)
    elif seed_by == "later":
        env.rollout(5)
        torch.manual_seed(3)
        env.set_seed(11)
    return env.rollout(60, break_when_any_done=False)


def test_same_seed_same_games():
    first = rolled("constructor")
    for other in ("constructor", "set_seed", "later"):
        assert (first == rolled(other)).all(), other
    assert not (first["observation"] == rolled("none")["observation"]).all()


def test_only_the_boards_asked_for_begin_anew():
    env = TorchRLEnv("ConnectFour-v0", 3, seed=0)
    stepped = env.rand_step(env.reset())["next"]
    chosen = torch.tensor([[False], [True], [False]])
    env.set_seed(5)  # for the next reset of all boards, not for this one
    again = env.reset(stepped.clone().set("_reset", chosen))
    assert (again["observation"][[0, 2]] == stepped["observation"][[0, 2]]).all()
    assert again["observation"][1, ..., 0].sum() == 0
    assert (env.reset()["observation"] == TorchRLEnv("ConnectFour-v0", 3, seed=5).reset()["observation"]).all()


def test_truncation():
    env = TorchRLEnv("ConnectFour-v0", 2, seed=0, max_episode_steps=2)
    ends = env.rollout(4, break_when_any_done=False)["next"]
    assert ends["truncated"].squeeze(-1).tolist() == [[False, True, False, True]] * 2
    assert (ends["done"] == ends["truncated"]).all()
    assert not ends["terminated"].any()


def test_wrong_settings():
    with pytest.raises(OptionError, match="seat='all'"):
        TorchRLEnv("TicTacToe-v0", 2, seat="all")
    with pytest.raises(UnknownGameError, match="ConnectFour-v0"):
        TorchRLEnv("ConectFour-v0", 2)
    with pytest.raises(SpecError, match="greedy"):
        TorchRLEnv("TicTacToe-v0", 2, opponent="gredy")
    with pytest.raises(OptionError, match="num_envs=0"):
        TorchRLEnv("TicTacToe-v0", 0)
    with pytest.raises(OptionError, match="autoreset_mode"):
        TorchRLEnv("TicTacToe-v0", 2, autoreset_mode="SameStep")
    for seed in (-1, True, "1", 2**64):
        with pytest.raises(OptionError, match="seed="):
            TorchRLEnv("TicTacToe-v0", 2, seed=seed)
    env = TorchRLEnv("TicTacToe-v0", 3, seed=1)
    for seed in (2**64 - 1, 2**64 - 2):  # board i gets seed + i
        with pytest.raises(OptionError, match=r"board i gets seed \+ i; expected at most 2\*\*64 - 3"):
            env.set_seed(seed)
        with pytest.raises(OptionError, match="board i gets"):
            TorchRLEnv("TicTacToe-v0", 3, seed=seed)
    env.reset()  # what was refused has changed nothing
    env.set_seed(2**64 - 3)
    env.reset()
    env = TorchRLEnv("TicTacToe-v0", 2)
    with pytest.raises(OptionError, match=r"expected integers of shape \(2,\)"):
        env.step(env.reset().set("action", torch.zeros(2)))


@pytest.mark.parametrize(("game", "rollouts"), [("TicTacToe-v0", 5), ("ConnectFour-v0", 3), ("NineMensMorris-v0", 1)])
def test_torchrls_own_wrapper_plays_our_aec_environment(game, rollouts):
    torch.manual_seed(0)
    env = PettingZooWrapper(
        boardgym.make(game), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, categorical_actions=True
    )
    check_env_specs(env, seed=0)
    for _ in range(rollouts):
        played = env.rollout(60)  # an illegal action would raise: the environment refuses it
        acting, legal = played["agents", "mask"], played["agents", "action_mask"]
        assert (acting.sum(-1) == 1).all()
        chosen = legal.gather(-1, played["agents", "action"].unsqueeze(-1)).squeeze(-1)
        assert chosen[acting].all()
        if game != "NineMensMorris-v0":  # which goes on for longer
            assert played["next", "done"][-1].all()
            rewards = played["next", "agents", "reward"][-1].squeeze(-1)
            assert sorted(rewards.tolist()) in ([-1.0, 1.0], [0.0, 0.0])
