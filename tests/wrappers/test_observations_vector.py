"""Observation wrappers around native vector environments: against wrapped single ones, and against NumPy, in both modes."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from seen import LENGTH, WRAPPERS, Twin, pick, same

from boardgym.core.errors import OptionError
from boardgym.core.game import get_game
from boardgym.envs.vector import VectorEnv
from boardgym.wrappers.observations import absolute, channels_first, flat, float32, stacked, with_mask
from tests.variants import TYPICAL

SETTINGS = {"opponent": "random", "seat": "random", "setup": "random:0-3"}
NUM = 3

every_wrapper = pytest.mark.parametrize("name", WRAPPERS)
both_modes = pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])


def row(batch, i):
    return {key: part[i] for key, part in batch.items()} if isinstance(batch, dict) else batch[i]


class Watched:
    """A plain single environment, and what a wrapper should make of what it shows: the boards of a vector one by one."""

    def __init__(self, game, name, seed, **settings):
        self.env, self.twin = gym.make(f"boardgym/{game}", **settings), Twin(name, get_game(game))
        self.look(*self.env.reset(seed=seed))

    def look(self, seen, info):
        self.seen, self.info = seen, info

    def begin(self):
        self.twin.begin()
        self.look(*self.env.reset())

    def step(self, action):
        """Plays; returns whether the episode has ended."""
        self.twin.act(self.seen, self.env.unwrapped.board)
        seen, _, terminated, truncated, info = self.env.step(action)
        self.look(seen, info)
        return terminated or truncated

    def shown(self):
        return self.twin.see(self.seen, self.env.unwrapped.board, self.info["action_mask"])


@pytest.mark.parametrize("game", TYPICAL[1:])  # tic-tac-toe has tests of its own below
@every_wrapper
@both_modes
def test_boards_are_seen_as_single_environments_are(game, name, mode):
    limit = 12  # so that some games are cut short, those of any length
    env = WRAPPERS[name](
        gym.make_vec(f"boardgym/{game}", num_envs=NUM, autoreset_mode=mode, max_episode_steps=limit, **SETTINGS)
    )
    single = WRAPPERS[name](gym.make(f"boardgym/{game}", **SETTINGS))
    assert env.single_observation_space == single.observation_space
    assert env.observation_space == batch_space(single.observation_space, NUM)
    boards = [Watched(game, name, 7 + i, max_episode_steps=limit, **SETTINGS) for i in range(NUM)]
    observations, infos = env.reset(seed=7)
    rng, ended, ends = np.random.default_rng(2), [False] * NUM, 0
    for _ in range(30):
        assert env.observation_space.contains(observations)
        for i, board in enumerate(boards):
            same(row(observations, i), board.shown())
        actions = np.array([pick(rng, mask) for mask in infos["action_mask"]])
        observations, _, terminated, truncated, infos = env.step(actions)
        for i, board in enumerate(boards):
            if mode is AutoresetMode.NEXT_STEP and ended[i]:
                board.begin()
                ended[i] = False
                continue
            ended[i] = board.step(int(actions[i]))
            assert ended[i] == (terminated[i] or truncated[i])
            ends += ended[i]
            if mode is AutoresetMode.SAME_STEP and ended[i]:
                final = infos["final_obs"][i]
                expected = board.shown()
                if name == "with_mask":
                    np.testing.assert_array_equal(final["action_mask"], infos["final_info"]["action_mask"][i])
                    expected["action_mask"] = final["action_mask"]  # of a game cut short, whichever the engine says
                same(final, expected)
                assert env.single_observation_space.contains(final)
                board.begin()
            elif mode is AutoresetMode.SAME_STEP and "final_obs" in infos:
                assert infos["final_obs"][i] is None
    assert ends >= 2 * NUM


@both_modes
def test_a_reset_of_some_boards_leaves_the_others_their_past(mode):
    env = flat(stacked(gym.make_vec("boardgym/ConnectFour-v0", num_envs=4, autoreset_mode=mode, opponent="random"), LENGTH))
    env.reset(seed=1)
    for column in (0, 2, 4):
        before, _, terminated, _, _ = env.step(np.full(4, column))
        assert not terminated.any()
    where = np.array([True, False, True, False])
    after, _ = env.reset(options={"reset_mask": where})
    planes = after.reshape(4, 6, 7, LENGTH, 4)
    same(after[~where], before[~where])
    assert not planes[where, ..., :-1, :].any()
    assert planes[~where, ..., :-1, :].any(axis=(1, 2, 3, 4)).all()
    later, _, terminated, _, _ = env.step(np.full(4, 6))
    assert not terminated.any()
    np.testing.assert_array_equal(later.reshape(planes.shape)[..., :-1, :], planes[..., 1:, :])  # all go on


def test_a_board_that_is_reset_at_its_end_keeps_its_first_observation():
    env = stacked(gym.make_vec("boardgym/ConnectFour-v0", num_envs=2, opponent="random", max_episode_steps=2), 2)
    env.reset(seed=1)
    env.step(np.array([0, 0]))
    assert env.step(np.array([1, 1]))[3].all()  # cut short: the next step would begin new games
    first = env.reset(options={"reset_mask": np.array([True, False])})[0]
    later, *_, infos = env.step(np.array([2, 2]))
    assert infos["is_reset"].tolist() == [False, True]
    same(later[0, ..., :4], first[0, ..., 4:])
    assert not later[1, ..., :4].any()


def test_absolute_planes_of_mirrored_boards_are_those_of_the_learner_or_their_exchange():
    settings = {"seat": "random", "mirror": True, "setup": "random:4"}
    plain, env = (gym.make_vec("boardgym/ConnectFour-v0", num_envs=32, **settings) for _ in range(2))
    env = absolute(env)
    (seen, infos), (shown, _) = plain.reset(seed=1), env.reset(seed=1)
    second = infos["seat"] == 1
    assert 0 < second.sum() < 32
    same(shown[~second][..., :4], seen[~second])
    same(shown[second][..., :2], seen[second][..., 1::-1])
    assert not shown[second][..., 2].any()  # seat 0 is not to play
    for seat in range(2):
        assert (shown[..., 4 + seat] == (infos["seat"] == seat)[:, None, None]).all()


@every_wrapper
def test_dictionaries_hold_the_mask_of_their_own_observation(name):
    if name == "with_mask":
        return
    env = WRAPPERS[name](gym.make_vec("boardgym/TicTacToe-v0", num_envs=NUM, autoreset_mode="SameStep"))
    masked = WRAPPERS[name](with_mask(gym.make_vec("boardgym/TicTacToe-v0", num_envs=NUM, autoreset_mode="SameStep")))
    outside = with_mask(WRAPPERS[name](gym.make_vec("boardgym/TicTacToe-v0", num_envs=NUM, autoreset_mode="SameStep")))
    assert masked.observation_space == outside.observation_space
    (plain, infos), (inner, _), (outer, _) = (each.reset(seed=3) for each in (env, masked, outside))
    ends, rng = 0, np.random.default_rng(1)
    for _ in range(20):
        same(inner, {"observation": plain, "action_mask": infos["action_mask"]})
        same(outer, inner)
        assert masked.observation_space.contains(inner)
        actions = np.array([pick(rng, mask) for mask in infos["action_mask"]])
        (plain, *_, infos), (inner, *_, inner_infos), (outer, *_, outer_infos) = (
            e.step(actions) for e in (env, masked, outside)
        )
        for i in np.flatnonzero(infos.get("_final_obs", np.zeros(NUM, bool))):
            ends += 1
            for final in (inner_infos["final_obs"][i], outer_infos["final_obs"][i]):
                same(final, {"observation": infos["final_obs"][i], "action_mask": np.ones(9, np.int8)})
    assert ends > 0


def test_arrays_are_new_at_every_call():
    env = with_mask(stacked(gym.make_vec("boardgym/ConnectFour-v0", num_envs=2), 2))
    observations, infos = env.reset(seed=1)
    before = {key: part.copy() for key, part in observations.items()}
    later = env.step(infos["action_mask"].argmax(axis=1))[0]
    same(observations, before)
    observations["observation"][:] = 1
    observations["action_mask"][:] = 0
    assert infos["action_mask"].all()
    later["observation"][:] = 1  # what the user writes into is not what is remembered
    again = env.step(np.array([6, 6]))[0]
    assert not again["observation"][..., :4].all()


def test_what_the_environment_has_is_found_through_wrappers():
    inner = VectorEnv("TicTacToe-v0", 2, opponent="random")
    env = flat(float32(gym.wrappers.vector.RecordEpisodeStatistics(channels_first(inner)), scale=True))
    env.reset(seed=1)
    assert (env.game.id, env.unwrapped, env.num_envs) == ("TicTacToe-v0", inner, 2)
    np.testing.assert_array_equal(env.action_masks(), np.ones((2, 9), bool))
    assert str(env).startswith("flat<float32<")
    assert str(env).endswith("channels_first<VectorEnv(num_envs=2)>>>>")


def test_an_action_that_is_refused_leaves_no_trace():
    env, other = (stacked(gym.make_vec("boardgym/TicTacToe-v0", num_envs=2, illegal="raise"), LENGTH) for _ in range(2))
    for each in (env, other):
        with pytest.raises(ResetNeeded):
            each.step(np.zeros(2, np.int64))
        _, infos = each.reset(seed=1)
        infos = each.step(np.array([0, 0]))[-1]
    with pytest.raises(ValueError, match="illegal"):
        env.step(np.array([0, 0]))
    with pytest.raises(OptionError):
        env.reset(options={"reset_mask": np.ones(3, bool)})
    actions = infos["action_mask"].argmax(axis=1)
    same(env.step(actions)[0], other.step(actions)[0])


def test_refusals():
    with pytest.raises(OptionError, match="seat='all'"):
        stacked(VectorEnv("TicTacToe-v0", 2, seat="all"), 2)
    with pytest.raises(OptionError, match="no environment of a game"):
        flat(gym.make_vec("CartPole-v1", num_envs=1))
    with pytest.raises(OptionError, match="expected planes"):
        channels_first(flat(VectorEnv("TicTacToe-v0", 2)))
    with pytest.raises(OptionError, match="of gym"):
        flat(gym.make_vec("boardgym/TicTacToe-v0", num_envs=2, vectorization_mode="sync"))
