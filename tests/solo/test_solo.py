"""What all one-player problems have in common: checkers of others, seeds, copies, specs, errors."""

import copy
import json
import pickle
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from boardgym import IllegalActionError, OptionError
from boardgym.solo import PROBLEMS
from tests.support import run_python

IDS = [f"boardgym/{name}" for name, *_ in PROBLEMS]
ALL = pytest.mark.parametrize("env_id", IDS)
WITH_MODEL = pytest.mark.parametrize("env_id", [name for name in IDS if "Bandit" not in name])


def trajectory(env, actions):
    """Everything seen, with a reset after each end."""
    seen = []
    for action in actions:
        seen.append(env.step(action))
        if seen[-1][2] or seen[-1][3]:
            seen.append(env.reset())
    return seen


def actions_for(env, count=400, seed=1):
    return np.random.default_rng(seed).integers(env.action_space.n, size=count).tolist()


@ALL
@pytest.mark.parametrize("mode", [None, "ansi", "rgb_array"])
def test_checkers(env_id, mode):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make(env_id, render_mode=mode).unwrapped)


@ALL
def test_sb3_checker(env_id):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(gym.make(env_id).unwrapped)


@ALL
def test_same_seed_same_episodes(env_id):
    one, two, other = (gym.make(env_id).unwrapped for _ in range(3))
    actions = actions_for(one)
    assert one.reset(seed=5) == two.reset(seed=5)
    other.reset(seed=6)
    first = trajectory(one, actions)
    assert first == trajectory(two, actions)
    assert first != trajectory(other, actions) or env_id == "boardgym/LakesAndTunnel-v0"  # which draws nothing
    one.reset(seed=5)
    assert trajectory(one, actions) == first


@ALL
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_copies_go_on_alike(env_id, duplicate):
    env = gym.make(env_id, render_mode="ansi").unwrapped
    env.reset(seed=2)
    actions = actions_for(env)
    trajectory(env, actions[:37])
    twin = duplicate(env)
    assert twin.render() == env.render()
    before = twin.render()
    seen = trajectory(env, actions)
    assert twin.render() == before
    assert trajectory(twin, actions) == seen
    assert twin.transitions() == env.transitions()


@ALL
def test_specs_travel_as_json(env_id):
    env = gym.make(env_id)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    actions = actions_for(env)
    assert env.reset(seed=3) == again.reset(seed=3)
    assert trajectory(env, actions) == trajectory(again, actions)
    assert set(json.loads(env.spec.to_json())["kwargs"]) <= {"height", "width", "goal", "bump_reward"}


@ALL
def test_vector(env_id):
    envs = gym.make_vec(env_id, num_envs=3)
    observations, _ = envs.reset(seed=1)
    assert observations.shape == (3,)
    for _ in range(20):
        observations, rewards, *_ = envs.step(envs.action_space.sample())
        assert rewards.shape == (3,)
    envs.close()


@WITH_MODEL
def test_models_are_models(env_id):
    env = gym.make(env_id).unwrapped
    model = env.transitions()
    assert list(model) == list(range(env.observation_space.n))
    for choices in model.values():
        assert list(choices) == list(range(env.action_space.n))
        for outcomes in choices.values():
            assert sum(t.probability for t in outcomes) == 1
            assert all(
                t.next_state in model and isinstance(t.reward, float) and isinstance(t.terminated, bool) for t in outcomes
            )


@ALL
def test_reset_is_needed(env_id):
    env = gym.make(env_id, disable_env_checker=True, render_mode="ansi").unwrapped
    for call in (lambda: env.step(0), env.render):
        with pytest.raises(ResetNeeded, match=f"{env_id}: no episode has begun; call reset"):
            call()
    if "Bandit" in env_id:
        with pytest.raises(ResetNeeded, match="no episode has begun"):
            env.transitions()


@pytest.mark.parametrize(
    ("env_id", "arguments"),
    [("GridWorld", {"start": 10}), ("LakesAndTunnel", {"start": 38}), ("Bandit", {"plays": 1})],
)
def test_nothing_after_the_end(env_id, arguments):
    env = gym.make(f"boardgym/{env_id}-v0", **arguments).unwrapped
    env.reset(seed=1)
    assert any(env.step(2 if env_id == "GridWorld" else 1)[2:4])
    with pytest.raises(ResetNeeded, match="the episode is over; call reset"):
        env.step(0)
    env.reset()
    env.step(0)


@ALL
def test_bad_actions_change_nothing(env_id):
    env = gym.make(env_id).unwrapped
    env.reset(seed=4)
    twin = copy.deepcopy(env)
    count = env.action_space.n
    for action in (-1, count, 1.0, "0", None, True, np.array([0])):
        with pytest.raises(IllegalActionError, match=f"expected an action as an int from 0 to {count - 1}, got"):
            env.step(action)
    actions = [np.int64(action) for action in actions_for(env)]
    assert trajectory(env, actions) == trajectory(twin, actions)


@WITH_MODEL
@pytest.mark.parametrize("options", [{"begin": 0}, {"start": -1}, {"start": "here"}, {"start": 0, "seed": 1}, [1]])
def test_bad_reset_options_change_nothing(env_id, options):
    env = gym.make(env_id).unwrapped
    state, _ = env.reset(seed=4)
    generator = env.np_random
    with pytest.raises(OptionError, match="reset option"):
        env.reset(seed=5, options=options)
    assert env.state == state
    assert env.np_random is generator


@ALL
def test_render_without_a_mode(env_id):
    env = gym.make(env_id).unwrapped
    env.reset()
    with pytest.raises(OptionError, match=r"render\(\) needs a render_mode"):
        env.render()


def test_importing_boardgym_registers_them_without_the_rasteriser(tmp_path):
    code = (
        "import sys, boardgym, gymnasium; print(*sorted(i for i in gymnasium.registry if i in sys.argv)); "
        "print([m for m in ('resvg_py', 'PIL') if m in sys.modules])"
    )
    assert run_python("-c", code, *IDS, cache=tmp_path).stdout.splitlines() == [" ".join(sorted(IDS)), "[]"]
