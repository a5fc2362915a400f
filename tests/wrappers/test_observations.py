"""Observation wrappers around environments of one learner and of all seats: typical games, against `seen.Twin`."""

import copy
import pickle
import warnings

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import Autoreset
from pettingzoo.test import api_test, seed_test
from sb3_contrib import MaskablePPO
from seen import LENGTH, WRAPPERS, Twin, check_space, pick, same
from stable_baselines3.common.env_checker import check_env as sb3_check_env

import boardgym
from boardgym.core.errors import IllegalActionError, OptionError
from boardgym.core.game import get_game
from boardgym.wrappers.observations import absolute, channels_first, flat, float32, put_around, stacked, with_mask
from tests.envs.test_aec import UPSTREAM_WARNINGS
from tests.variants import typical_games

every_wrapper = pytest.mark.parametrize("name", WRAPPERS)
AEC_WRAPPERS = [name for name in WRAPPERS if name != "with_mask"]


@typical_games
@every_wrapper
def test_one_learner_sees_what_numpy_makes_of_it(game, name):
    settings = {"opponent": "random", "seat": "random", "setup": "random:0-2"}
    plain, env = (gym.make(f"boardgym/{game}", **settings) for _ in range(2))
    env, twin = WRAPPERS[name](env), Twin(name, get_game(game))
    check_space(env.observation_space["observation"] if name == "with_mask" else env.observation_space, name, twin.game)
    rng = np.random.default_rng(1)
    for seed in range(2):
        seen, info = plain.reset(seed=seed)
        shown, its_info = env.reset(seed=seed)
        twin.begin()
        for _ in range(30):
            same(shown, twin.see(seen, plain.unwrapped.board, info["action_mask"]))
            assert env.observation_space.contains(shown)
            np.testing.assert_array_equal(its_info["action_mask"], info["action_mask"])
            twin.act(seen, plain.unwrapped.board)
            action = pick(rng, info["action_mask"])
            seen, reward, terminated, _, info = plain.step(action)
            shown, its_reward, its_end, _, its_info = env.step(action)
            assert (reward, terminated) == (its_reward, its_end)
            if terminated:
                break
        same(shown, twin.see(seen, plain.unwrapped.board, info["action_mask"]))
        assert env.observation_space.contains(shown)


@typical_games
@pytest.mark.parametrize("name", AEC_WRAPPERS)
def test_all_agents_see_what_numpy_makes_of_it(game, name):
    plain, env = boardgym.make(game, setup="random:0-2"), WRAPPERS[name](boardgym.make(game, setup="random:0-2"))
    twins = {agent: Twin(name, plain.game) for agent in plain.possible_agents}
    space = env.observation_space("player_0")
    assert all(env.observation_space(agent) is space for agent in env.possible_agents)
    check_space(space["observation"], name, plain.game)
    rng = np.random.default_rng(2)
    for seed in range(2):
        plain.reset(seed=seed)
        env.reset(seed=seed)
        for twin in twins.values():
            twin.begin()
        for agent in plain.agent_iter(40):
            assert env.agent_selection == agent
            for other in plain.agents:
                for _ in range(2):  # looking twice changes nothing
                    seen, shown = plain.observe(other), env.observe(other)
                    same(shown["observation"], twins[other].see(seen["observation"], plain.board, None))
                    np.testing.assert_array_equal(shown["action_mask"], seen["action_mask"])
                    assert space.contains(shown)
            seen, *rest = plain.last()
            shown, *its_rest = env.last()
            assert rest == its_rest
            same(shown["observation"], env.observe(agent)["observation"])
            action = None if rest[1] else pick(rng, seen["action_mask"])
            if action is not None:
                twins[agent].act(seen["observation"], plain.board)
            plain.step(action)
            env.step(action)


@pytest.mark.parametrize("game", ["ConnectFour-v0", "Backgammon-v0"])
@every_wrapper
def test_checkers_of_others(game, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in (*UPSTREAM_WARNINGS, ".*different from the unwrapped version", "It seems that your observation",
                     "The minimal resolution for an image", "Treating image space as channels-last"):  # fmt: skip
            warnings.filterwarnings("ignore", message=text)
        check_env(WRAPPERS[name](gym.make(f"boardgym/{game}", seat="random").unwrapped), skip_render_check=True)
        sb3_check_env(WRAPPERS[name](gym.make(f"boardgym/{game}").unwrapped))
        if name in AEC_WRAPPERS:
            api_test(WRAPPERS[name](boardgym.make(game)), num_cycles=60)
    if name in AEC_WRAPPERS:
        seed_test(lambda: WRAPPERS[name](boardgym.make(game, setup="random:0-1")), num_cycles=40)


@every_wrapper
def test_the_spec_makes_it_again(name):
    env = WRAPPERS[name](gym.make("boardgym/Othello-v0", opponent="greedy", seat=1, size=6))
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space
    same(again.reset(seed=3)[0], env.reset(seed=3)[0])


def test_what_the_environment_has_is_found_through_wrappers():
    env = flat(stacked(gym.make("boardgym/TicTacToe-v0", seat=1), 2))
    env.reset(seed=1)
    assert env.board is env.unwrapped.board
    assert (env.seat, env.game.id) == (1, "TicTacToe-v0")
    np.testing.assert_array_equal(env.action_masks(), env.board.action_mask().astype(bool))
    env.set_wrapper_attr("illegal", "raise")
    assert env.unwrapped.illegal == env.get_wrapper_attr("illegal") == "raise"
    assert "illegal" not in vars(env)
    aec = flat(stacked(boardgym.make("TicTacToe-v0"), 2))
    assert (aec.game.id, str(aec)) == ("TicTacToe-v0", "flat<stacked<tic_tac_toe_v0>>")
    for wrapped in (env, aec):
        with pytest.raises(AttributeError, match="no_such_thing"):
            wrapped.no_such_thing  # noqa: B018


@pytest.mark.parametrize("make_copy", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("game", ["ConnectFour-v0", "Abalone3-v0"])
def test_copies_go_on_alike_and_apart(game, make_copy):
    env = flat(stacked(absolute(boardgym.make(game)), 3))
    env.reset(seed=1)
    for _ in range(4):
        env.step(env.board.legal_actions[-1])
    twin, before = make_copy(env), {agent: env.observe(agent) for agent in env.agents}
    for _ in range(3):
        action = twin.board.legal_actions[0]
        twin.step(action)
    for agent, seen in before.items():
        same(env.observe(agent), seen)
    for _ in range(3):
        env.step(env.board.legal_actions[0])
    for agent in env.agents:
        same(env.observe(agent), twin.observe(agent))
    learner = with_mask(stacked(gym.make(f"boardgym/{game}", opponent="random"), 3))
    _, info = learner.reset(seed=2)
    learner.step(pick(np.random.default_rng(0), info["action_mask"]))
    twin = make_copy(learner)
    actions = [int(np.flatnonzero(learner.action_masks())[0])]
    shown = [learner.step(actions[0])[0], learner.step(int(np.flatnonzero(learner.action_masks())[-1]))[0]]
    same(twin.step(actions[0])[0], shown[0])
    same(twin.step(int(np.flatnonzero(twin.action_masks())[-1]))[0], shown[1])


def test_orders_that_are_the_same():
    envs = [
        channels_first(stacked(gym.make("boardgym/Othello-v0"), 3)),
        stacked(channels_first(gym.make("boardgym/Othello-v0")), 3),
    ]
    assert envs[0].observation_space == envs[1].observation_space
    rng = np.random.default_rng(0)
    shown = [env.reset(seed=4)[0] for env in envs]
    for _ in range(6):
        same(*shown)
        action = pick(rng, envs[0].action_masks())
        shown = [env.step(action)[0] for env in envs]
    assert shown[0][:5].any()  # the oldest of the three


def test_flat_ones_are_joined_end_to_end_and_stacks_of_stacks_repeat_them():
    plain, env = gym.make("boardgym/TicTacToe-v0"), stacked(flat(gym.make("boardgym/TicTacToe-v0")), 2)
    twice = stacked(stacked(gym.make("boardgym/TicTacToe-v0"), 2), 2)
    first, info = plain.reset(seed=5)
    same(env.reset(seed=5)[0], np.concatenate([np.zeros(36, np.int8), first.reshape(-1)]))
    twice.reset(seed=5)
    action = pick(np.random.default_rng(0), info["action_mask"])
    second = plain.step(action)[0]
    same(env.step(action)[0], np.concatenate([first.reshape(-1), second.reshape(-1)]))
    same(twice.step(action)[0], np.concatenate([np.zeros_like(first), first, first, second], axis=-1))


def test_divisors_of_planes():
    game = get_game("Abalone-v0")
    divisors = [game.observation_max if "plies" in plane else 6 if "pushed" in plane else 1 for plane in game.planes]
    env = float32(gym.make("boardgym/Abalone-v0"), scale=divisors)
    np.testing.assert_array_equal(env.observation_space.high[4, 4], np.float32(game.observation_max) / np.float32(divisors))
    seen, shown = gym.make("boardgym/Abalone-v0").reset(seed=1)[0], env.reset(seed=1)[0]
    same(shown, seen.astype(np.float32) / np.float32(divisors))
    same(float32(channels_first(gym.make("boardgym/Abalone-v0")), scale=divisors).reset(seed=1)[0], shown.transpose(2, 0, 1))


def test_an_illegal_action_leaves_no_trace():
    env = stacked(gym.make("boardgym/TicTacToe-v0", illegal="raise"), LENGTH)
    aec = stacked(boardgym.make("TicTacToe-v0"), LENGTH)
    env.reset(seed=1)
    aec.reset(seed=1)
    env.step(4)
    aec.step(4)
    before = aec.observe("player_1")
    for wrapped in (env, aec):
        with pytest.raises(IllegalActionError):
            wrapped.step(4)
    same(aec.observe("player_1"), before)
    other = stacked(gym.make("boardgym/TicTacToe-v0", illegal="raise"), LENGTH)
    other.reset(seed=1)
    other.step(4)
    action = other.board.legal_actions[0]
    same(env.step(action)[0], other.step(action)[0])


def test_the_end_looks_the_same_to_those_who_have_left():
    env = stacked(boardgym.make("TicTacToe-v0"), LENGTH)
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        env.step(action)
    before = {agent: env.observe(agent) for agent in env.possible_agents}
    while env.agents:
        env.step(None)
    for agent, seen in before.items():
        same(env.observe(agent), seen)


def test_episodes_that_begin_by_themselves_begin_clean():
    env = stacked(Autoreset(gym.make("boardgym/TicTacToe-v0", max_episode_steps=2)), LENGTH)
    env.reset(seed=1)
    for _ in range(2):
        _, _, terminated, truncated, _ = env.step(env.board.legal_actions[0])
    assert truncated
    assert not terminated
    shown = env.step(0)[0]
    assert not shown[..., :-4].any()
    assert shown[..., -4:].any()


def bare(game):
    return gym.make(f"boardgym/{game}").unwrapped


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: channels_first(flat(bare("Othello-v0"))), r"channels_first on .*\(320,\) after flat: expected planes"),
        (lambda: channels_first(channels_first(bare("Othello-v0"))), "after channels_first: .* once"),
        (lambda: flat(flat(boardgym.make("Othello-v0"))), "they are flat"),
        (lambda: absolute(float32(bare("Othello-v0"))), "next to the environment"),
        (lambda: absolute(stacked(boardgym.make("Othello-v0"), 2)), "next to the environment"),
        (lambda: absolute(absolute(bare("Othello-v0"))), "next to the environment"),
        (lambda: with_mask(boardgym.make("Othello-v0")), "have their action_mask"),
        (lambda: with_mask(flat(with_mask(bare("Othello-v0")))), "have their action_mask"),
        (lambda: stacked(bare("Othello-v0"), 0), "length=0"),
        (lambda: stacked(bare("Othello-v0"), True), "length=True"),
        (lambda: stacked(bare("Othello-v0"), 2.0), r"length=2\.0"),
        (lambda: float32(bare("Othello-v0"), scale=[1, 2]), r"5 positive numbers, one for each plane"),
        (lambda: float32(bare("Othello-v0"), scale=[1, 1, 1, 1, 0]), "5 positive numbers"),
        (lambda: float32(bare("Othello-v0"), scale="all"), "5 positive numbers"),
        (lambda: float32(flat(bare("Othello-v0")), scale=[1] * 5), "inside flat"),
        (lambda: flat(gym.wrappers.FlattenObservation(bare("Othello-v0"))), "another library"),
        (lambda: flat(gym.make("CartPole-v1")), "no environment of a game"),
        (lambda: put_around(bare("Othello-v0"), "flatt"), "did you mean 'flat'"),
        (lambda: flat("Othello-v0"), "expected an environment of gym.make"),
    ],
)
def test_refusals(make, words):
    with pytest.raises(OptionError, match=words):
        make()


def test_other_libraries_wrappers_stand_outside():
    env = gym.wrappers.FlattenObservation(stacked(bare("TicTacToe-v0"), 2))
    assert env.reset(seed=1)[0].shape == (72,)


def test_steps_before_a_reset_say_so():
    for env in (stacked(bare("TicTacToe-v0"), 2), stacked(boardgym.make("TicTacToe-v0"), 2)):
        with pytest.raises(ResetNeeded):
            env.step(0)
    with pytest.raises(ResetNeeded):
        stacked(boardgym.make("TicTacToe-v0"), 2).last()
    assert next(iter(stacked(boardgym.make("TicTacToe-v0"), 2).agent_iter())) == "player_0"  # which begins a game


@pytest.mark.parametrize(
    ("policy", "wrap"),
    [("MlpPolicy", lambda env: flat(float32(stacked(env, 2)))), ("MultiInputPolicy", lambda env: with_mask(absolute(env)))],
)
def test_masked_ppo_trains(policy, wrap):
    torch.set_num_threads(1)
    env = wrap(gym.make("boardgym/TicTacToe-v0", opponent="random", illegal="raise"))
    model = MaskablePPO(policy, env, n_steps=128, batch_size=64, n_epochs=2, seed=0, device="cpu")
    before = [weights.clone() for weights in model.policy.parameters()]
    model.learn(384)
    assert model.num_timesteps == 384
    assert any(not torch.equal(a, b) for a, b in zip(before, model.policy.parameters(), strict=True))
    assert len(model.ep_info_buffer) > 50
