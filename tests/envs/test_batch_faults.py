"""Native batches where something is wrong or unusual: broken opponents, arrays that users change, copies, threads, seeds."""

import copy
import pickle
from typing import NamedTuple

import gymnasium as gym
import numpy as np
import pytest

import boardgym
from boardgym.baselines.players.mixtures import Mixture
from boardgym.core.batch_board import BatchBoard
from boardgym.core.errors import IllegalActionError, OptionError, UnsupportedGameError
from boardgym.core.policy import BatchPolicy, CompiledPolicy
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import draw
from boardgym.core.verbs import rule
from boardgym.envs.batch import Batch
from boardgym.envs.single_agent import SingleAgentEnv
from boardgym.envs.vector import VectorEnv
from tests.envs import test_batches


def ready(game, n, **settings):
    batch = Batch(game, n, **settings)
    batch.seed(range(1, n + 1))
    batch.restart(batch.everywhere)
    return batch


class Rogue(BatchPolicy):
    """Plays legally some times, then not."""

    spec = "rogue"
    patience = 3

    def act_batch(self, observations, masks, rows, history, rng, *, deterministic=False):
        self.patience -= 1
        if self.patience == 0:
            return self.failure(masks)
        return masks.argmax(axis=1)

    def failure(self, masks):
        return masks.argmin(axis=1)


class Loud(Rogue):
    def failure(self, masks):
        raise RuntimeError("out of memory")


class Shapeless(Rogue):
    def failure(self, masks):
        return np.zeros((len(masks), 2), np.int64)


class Fractional(Rogue):
    def failure(self, masks):
        return masks.argmax(axis=1).astype(float)


class Beyond(Rogue):
    def failure(self, masks):
        return np.full(len(masks), 10**6)


@pytest.mark.parametrize(
    ("rogue", "error", "message"),
    [
        (Rogue, IllegalActionError, r"rogue for TicTacToe-v0> played \d on board 0, which is illegal .* actions are legal"),
        (Loud, RuntimeError, "out of memory"),
        (Shapeless, IllegalActionError, r"shape \(2, 2\), dtype int64; expected integers of shape \(2,\)"),
        (Fractional, IllegalActionError, "dtype float64; expected integers"),
        (Beyond, IllegalActionError, "played 1000000 on board 0"),
    ],
)
def test_a_broken_opponent(rogue, error, message):
    env = gym.make_vec("boardgym/TicTacToe-v0", num_envs=2, opponent=rogue(boardgym.get_game("TicTacToe-v0")))
    _, infos = env.reset(seed=0)
    for _ in range(Rogue.patience - 1):
        *_, infos = env.step(infos["action_mask"].argmax(axis=1))
    with pytest.raises(error, match=message) as caught:
        env.step(infos["action_mask"].argmax(axis=1))
    if error is RuntimeError:
        assert "asked for 2 boards" in caught.value.__notes__[0]
    env.unwrapped.batch.set_opponent("random")
    with pytest.raises(gym.error.ResetNeeded):
        env.step(np.zeros(2, np.int64))  # that step gave no results: the games have to begin anew
    env.reset()
    env.step(np.zeros(2, np.int64))


def test_another_opponent_takes_over_where_one_has_failed():
    batch = ready("TicTacToe-v0", 2, opponent=Rogue(boardgym.get_game("TicTacToe-v0")))
    for _ in range(Rogue.patience - 1):
        batch.step(batch.masks.argmax(axis=1))
    with pytest.raises(IllegalActionError):
        batch.step(batch.masks.argmax(axis=1))
    with pytest.raises(gym.error.ResetNeeded, match="an opponent failed"):
        batch.step(batch.masks.argmax(axis=1))
    before = batch.rows.plies.copy()
    batch.set_opponent("random")
    assert (batch.rows.plies == before + 1).all()
    batch.step(batch.masks.argmax(axis=1))


class Zero(NamedTuple):
    """Settings of a compiled player that is wrong: always action 0."""

    unused: int = 0


@rule(Zero)
def make_scratch(policy, position, max_actions, data):
    return np.empty(1, np.int64)


@rule(Zero)
def choose(policy, position, history, rng, scratch, deterministic):
    return np.int64(0)


def test_a_broken_compiled_opponent():
    game = boardgym.get_game("TicTacToe-v0")
    batch = ready(game, 3, opponent=CompiledPolicy(game, Zero(), "zero"), num_threads=2)
    with pytest.raises(IllegalActionError, match=r"zero for TicTacToe-v0> played 0 on board 1, which is illegal"):
        batch.step([1, 0, 2])
    batch.set_opponent("random")
    batch.restart(batch.everywhere)
    batch.step([1, 0, 2])


@pytest.mark.parametrize(
    ("members", "weights"), [([], []), (["random"], [0.5, 0.5]), (["random"], [np.nan]), (["random", "random"], [1.5, -0.5])]
)
def test_a_mixture_that_is_none(members, weights):
    pool = Mixture([make_policy("random", "TicTacToe-v0")], [1.0])
    pool.members, pool.weights = [make_policy(member, "TicTacToe-v0") for member in members], np.array(weights)
    for make in (SingleAgentEnv, lambda game, opponent: Batch(game, 2, opponent=opponent)):
        with pytest.raises(OptionError, match="at least one policy, and a weight"):
            make("TicTacToe-v0", opponent=pool)


class Duck:
    """Answers for many boards, and derives from nothing; it cannot be copied, and need not be."""

    def act(self, board, *, deterministic=False):
        return board.legal_actions[0]

    def act_batch(self, observations, masks, rows, history, rng, *, deterministic=False):
        return masks.argmax(axis=1)

    def reset(self, *, seed=None):
        pass

    def __deepcopy__(self, memo):
        raise TypeError("no")


class Streamed(Duck):
    """Has `act_with`, and no `act_batch`."""

    act_batch = None

    def act_with(self, board, rng, *, deterministic=False):
        return board.legal_actions[draw(rng, len(board.legal_actions))]


@pytest.mark.parametrize("policy", [Duck, Streamed])
def test_policies_that_have_some_of_the_methods(policy):
    batch = ready("ConnectFour-v0", 3, opponent=policy())
    single = SingleAgentEnv("ConnectFour-v0", opponent=policy())
    single.reset(seed=2)
    for _ in range(3):
        action = int(batch.masks[1].argmax())
        batch.step(batch.masks.argmax(axis=1))
        if policy is Streamed:
            single.step(action)
            assert tuple(batch.rows.positions[1]) == tuple(single.board.row)


class Stubborn(Duck):
    """Has `act` alone, and cannot be copied."""

    act_batch = None


def test_one_that_cannot_be_copied():
    batch = ready("TicTacToe-v0", 2)
    with pytest.raises(UnsupportedGameError, match="give it act_batch"):
        batch.set_opponent(Stubborn())
    batch.step([0, 0])  # nothing has changed


class Dicer:
    """Tries each action on a copy of the board, and takes the one after which most actions are legal: dice decide."""

    def act(self, board, *, deterministic=False):
        def freedom(action):
            twin = board.copy()
            twin.push(action)
            return len(twin.legal_actions)

        return max(board.legal_actions, key=freedom)

    def reset(self, *, seed=None):
        pass


def test_copies_that_an_opponent_makes_roll_as_in_a_single_game(monkeypatch):
    monkeypatch.setattr(test_batches, "opponents_of", lambda game, kind: Dicer())
    plies, _ = test_batches.check_equality("Backgammon-v0", "dicer", boards=2, steps=15, setup="standard")
    assert plies > 40


def test_what_users_do_to_the_arrays_does_not_reach_the_games():
    env = gym.make_vec("boardgym/TicTacToe-v0", num_envs=4, illegal="raise")
    observations, infos = env.reset(seed=1)
    kept = observations.copy()
    with pytest.raises(IllegalActionError):
        env.step([99, 0, 0, 0])
    observations[:], infos["action_mask"][:] = 9, 1
    with pytest.raises(ValueError, match="read-only"):
        env.unwrapped.batch.masks[:] = 1
    observations, infos = env.reset(options={"reset_mask": np.array([True, False, False, False])})
    np.testing.assert_array_equal(observations, kept)
    assert infos["action_mask"].sum() == 36


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_of_batch_boards_go_on_with_threads(copied, monkeypatch):
    monkeypatch.setattr("boardgym.core.threads.Pace.choose", lambda pace, most: most)
    board = BatchBoard("ConnectFour-v0", 8, num_threads=2, seed=1)
    board.step(np.zeros(8, int))
    twin = copied(board)
    twin.step(np.ones(8, int))
    assert twin.ply.tolist() == [2] * 8
    assert board.ply.tolist() == [1] * 8


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_vector_environments_go_on(copied):
    env = VectorEnv("ConnectFour-v0", 4, num_threads=2, opponent="greedy", seat="random")
    _, infos = env.reset(seed=3)
    twin = copied(env)
    for _ in range(12):
        actions = infos["action_mask"].argmax(axis=1)
        one, other = env.step(actions), twin.step(actions)
        infos = one[-1]
        for first, second in zip(one[:4], other[:4], strict=True):
            np.testing.assert_array_equal(first, second)


def seeded_stream(seed):
    batch = Batch("TicTacToe-v0", 1)
    batch.seed([seed])
    batch.restart(batch.everywhere)
    return batch.rows.rngs[0]


def test_seeds_as_gymnasium_takes_them():
    env = VectorEnv("TicTacToe-v0", 3)
    env.reset(seed=[None, 5, None])
    assert env.batch.rows.rngs[1] == seeded_stream(5)
    assert len(set(env.batch.rows.rngs.tolist())) == 3
    env.reset(seed=4)
    assert env.np_random_seed == 4
    with pytest.raises(OptionError, match=r"seed=1\.5: expected a whole number"):
        env.reset(seed=[1.5, 2, 3])


def test_steps_of_some_boards():
    batch = Batch("ConnectFour-v0", 3, opponent="random")
    with pytest.raises(gym.error.ResetNeeded, match="no game has begun"):
        batch.step([0, 0, 0])
    batch.seed([1, 2, 3])
    batch.restart(batch.everywhere)
    batch.step([3, 3, 3], np.array([True, False, True]))
    assert batch.rows.plies.tolist() == [2, 0, 2]
    batch.abandon(np.array([True, False, False]))
    assert batch.step([3, 3, 3]).tolist() == [True, False, False]
    assert batch.rows.plies.tolist() == [2, 2, 4]
    for where in ([1, 0, 1], np.ones(2, bool)):
        with pytest.raises(OptionError, match="where"):
            batch.step([0, 0, 0], where)


def test_boards_that_are_chosen_by_a_view():
    """Entry points read arrays in one piece; a slice of a larger mask is none."""
    chosen = np.array([True, False, True, True, False, False])[::2]  # in one piece these would be True, False, True
    assert chosen.tolist() == [True, True, False]
    batch = Batch("TicTacToe-v0", 3, opponent="random", seat=0)
    batch.seed([1, 2, 3])
    batch.restart(batch.everywhere)
    batch.step([0, 0, 0], chosen)
    assert batch.rows.plies.tolist() == [2, 2, 0]
    batch.restart(chosen)
    assert batch.rows.plies.tolist() == [0, 0, 0]
    batch.sides.observations[:] = 7
    batch.observe(chosen)
    assert [(observation == 7).any() for observation in batch.observations] == [False, False, True]
    boards = BatchBoard("TicTacToe-v0", 3, seed=1)
    boards.step(np.array([4, 9, 4, 9, 4, 9])[::2])
    boards.reset(chosen)
    assert boards.ply.tolist() == [0, 0, 1]


def test_an_opponent_whose_weights_are_exchanged():
    """Of another layout or another type, between two steps: the batch plays what the policy now is."""
    game = boardgym.get_game("TicTacToe-v0")
    policy = test_batches.opponents_of(game, "network")
    weights, plain = policy.data, []
    for data in (weights, tuple(np.repeat(array, 2, axis=-1)[..., ::2] for array in weights)):
        batch = Batch(game, 8, opponent=policy, seat=0)
        batch.seed(range(8))
        batch.restart(batch.everywhere)
        batch.step([4] * 8)
        policy.data = data
        batch.step(batch.masks.argmax(axis=1))
        plain.append(batch.rows.positions.copy())
    np.testing.assert_array_equal(*plain)
