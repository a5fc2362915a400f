"""What the benchmarks measure is what they say: legal random plies, a learner's steps, the same plies again."""

import os
from collections import Counter

import numpy as np
import pytest

from benchmarks import measure, training, vectors
from benchmarks.learners import vector_steps
from benchmarks.measure import QUICK, figure, rates
from benchmarks.peers import SingleAgent, chooser, spiel_vector_plies
from benchmarks.scaling import array_bytes
from boardgym.core.batch_board import BatchBoard
from boardgym.core.game import get_game


def test_choice_is_legal_and_even():
    masks = np.array([[0, 1, 1, 0, 1], [1, 0, 0, 0, 0]], np.int8)
    choose = chooser(2)
    drawn = np.array([choose(masks) for _ in range(3000)])
    assert set(drawn[:, 1]) == {0}
    counts = Counter(drawn[:, 0].tolist())
    assert set(counts) == {1, 2, 4}
    assert min(counts.values()) > 850  # 1,000 expected, 26 the standard deviation


def test_single_agent_plays_whole_games():
    env, rng, outcomes = SingleAgent(), np.random.default_rng(1), Counter()
    planes, _info = env.reset(seed=1)
    assert planes.shape == env.observation_space.shape
    for _ in range(40):
        env.reset()
        over, steps = False, 0
        while not over:
            assert env.action_masks().any()
            planes, reward, over, truncated, _info = env.step(rng.choice(np.flatnonzero(env.action_masks())))
            steps += 1
            assert not truncated
            assert over or (reward == 0.0 and planes[..., 0].sum() == steps)
        assert 4 <= steps <= 21
        outcomes[reward] += 1
    assert set(outcomes) <= {-1.0, 0.0, 1.0}
    assert min(outcomes[1.0], outcomes[-1.0]) > 5


def test_finished_games_begin_anew():
    game = get_game("TicTacToe-v0")
    batch, choose = BatchBoard(game, 16, seed=1), chooser(16)
    plies = np.zeros(16, np.int64)
    for _ in range(60):
        vectors.play(batch, choose(batch.mask))
        assert not batch.done.any()
        plies = np.maximum(plies, batch.ply)
    assert (plies >= 4).all()
    assert plies.max() <= 8


@pytest.mark.parametrize("game_id", ["ConnectFour-v0", "Backgammon-v0"])
def test_recorded_plies_are_legal_each_time(game_id):
    """An illegal one would raise: with dice, the copy has to roll the same ones."""
    work = vectors.recorded_plies(get_game(game_id), 4, 30)
    assert [work(1), work(121)] == [120, 240]


def test_works_count_what_they_do():
    work = spiel_vector_plies("Othello", 3)
    assert work(100) == 102
    work = training.frames(training.ours(QUICK, "random"), QUICK, 64)
    assert work(1) == training.rollout(QUICK)


def test_costless_environment_gives_the_same_each_time():
    env = training.costless(QUICK)
    first = env.reset()
    observations, rewards, over, infos = env.step(np.zeros(env.num_envs, np.int64))
    assert observations is first
    assert not rewards.any()
    assert not over.any()
    assert infos == [{}] * env.num_envs
    assert np.all(env.env_method("action_masks"))


def test_bytes_are_those_of_the_arrays():
    game = get_game("Othello-v0")
    few, many = array_bytes(game, 10), array_bytes(game, 1010)
    shown = 1000 * (np.prod(game.observation_shape) + game.num_actions)  # one byte each
    assert many - few >= shown
    assert many - few == pytest.approx(100 * (array_bytes(game, 20) - few))


def test_wall_time_is_the_clock_where_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(measure, "timed", lambda work, n: (n, n / 100.0, n / 50.0))
    (by_cpu,), (by_wall,) = (rates([("a", lambda n: n)], QUICK, clock=clock) for clock in ("cpu", "wall"))
    assert (by_cpu.value, by_cpu.wall, by_wall.value, by_wall.wall) == pytest.approx((100.0, 50.0, 50.0, 50.0))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not pin")
def test_unpinned_ends_where_it_began():
    before = os.sched_getaffinity(0)
    try:
        core = measure.pin()
        with measure.unpinned():
            assert os.sched_getaffinity(0) == measure.ALL_CORES
        assert os.sched_getaffinity(0) == {core}
    finally:
        os.sched_setaffinity(0, before)


def test_missing_peer_leaves_ours(monkeypatch):
    def missing():
        raise ModuleNotFoundError("No module named 'pgx'", name="pgx")

    def broken():
        raise ModuleNotFoundError("No module named 'numby'", name="numby")

    assert measure.if_installed(missing) is None
    with pytest.raises(ModuleNotFoundError, match="numby"):
        measure.if_installed(broken)
    monkeypatch.setattr(vectors, "pgx_random", lambda *_: missing())
    row = vectors.ROWS["both_connect_four_v0_64"](QUICK)
    assert (row.peer, row.absent, row.ratio) == (None, "Pgx", None)
    assert row.ours.value > 0.0


def test_vector_steps_run():
    import gymnasium as gym

    native = gym.make_vec("boardgym/ConnectFour-v0", num_envs=3, opponent="random")
    assert vector_steps(native, 3)(10) == 12
    assert figure("a", [1.0, 3.0, 2.0], [1.0, 1.0, 1.0]).value == 2.0
