"""Seeds: 0 to 2**64 - 1, as ints or NumPy's integers, at every entry; all else is refused, and nothing changes."""

import gymnasium as gym
import numpy as np
import pytest

import boardgym
from boardgym import BatchBoard, Board
from boardgym.baselines.arena.game import play_game
from boardgym.baselines.arena.openings import make_openings
from boardgym.core.errors import OptionError
from boardgym.core.policy_spec import make_policy
from boardgym.envs.single_agent import SingleAgentEnv
from boardgym.envs.vector import Batch, VectorEnv
from boardgym.wrappers.sb3 import SB3VecEnv

GAME = "TicTacToe-v0"
BAD = [1.5, 1.0, "1", True, np.True_, -1, np.int64(-1), 2**64, np.float64(1), 1j]
GOOD = [0, 2**64 - 1, np.int8(3), np.uint64(2**64 - 1), np.int64(5)]


def aec(seed):
    env = boardgym.make(GAME)
    env.reset(seed=seed)


def native_batch(seed):
    Batch(GAME, 2).seed([None, seed])


def solo(name):
    return lambda seed: gym.make(f"boardgym/{name}").reset(seed=seed)


ENTRIES = {
    "Board": lambda seed: Board(GAME, seed=seed),
    "Board with a random set-up": lambda seed: Board(GAME, setup="random:1-2", seed=seed),
    "Board of dice": lambda seed: Board("Backgammon-v0", seed=seed),
    "reseed": lambda seed: Board(GAME).reseed(seed),
    "BatchBoard": lambda seed: BatchBoard(GAME, 2, seed=seed),
    "BatchBoard.reset": lambda seed: BatchBoard(GAME, 2, seed=1).reset(np.zeros(2, bool), seed=seed),
    "AEC": aec,
    "single": lambda seed: SingleAgentEnv(GAME).reset(seed=seed),
    "vector": lambda seed: VectorEnv(GAME, 1).reset(seed=seed),
    "vector, a list": lambda seed: VectorEnv(GAME, 2).reset(seed=[3, seed]),
    "Batch": native_batch,
    "solo": solo("LakesAndTunnel-v0"),
    "bandit": solo("Bandit-v0"),
    "policy": lambda seed: make_policy("random", GAME, seed=seed),
    "policy's reset": lambda seed: make_policy("epsilon:0.5(greedy)", GAME).reset(seed=seed),
    "openings": lambda seed: make_openings(GAME, count=1, seed=seed),
    "game": lambda seed: play_game(Board(GAME), [make_policy("random", GAME)] * 2, seed=seed),
}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=list(ENTRIES))
def test_every_entry_takes_whole_numbers_of_64_bits_and_nothing_else(entry):
    for seed in GOOD:
        entry(seed)
    for seed in BAD:
        with pytest.raises(OptionError, match=r"expected a whole number from 0 to 2\*\*64 - 1"):
            entry(seed)


def test_equal_seeds_of_other_types_are_one_seed():
    boards = [Board("Backgammon-v0", seed=seed) for seed in (7, np.int16(7), np.uint64(7))]
    assert boards[0] == boards[1] == boards[2]
    firsts = [VectorEnv(GAME, 2, setup="random:4").reset(seed=seed)[0] for seed in (7, np.int64(7), [7, 8])]
    assert np.array_equal(firsts[0], firsts[1])
    assert np.array_equal(firsts[0], firsts[2])


def test_each_board_has_a_seed_of_its_own():
    for seeded in (VectorEnv(GAME, 3).reset, lambda seed: SB3VecEnv(GAME, 3).seed(seed)):
        seeded(seed=2**64 - 3)
        with pytest.raises(
            OptionError, match=r"seed=18446744073709551614: board i gets seed \+ i; expected at most 2\*\*64 - 3"
        ):
            seeded(seed=2**64 - 2)


def test_a_refused_seed_changes_nothing():
    batch = BatchBoard(GAME, 3, setup="random:2-4", seed=4)
    before, rows = batch.copy(), batch.rows.copy()
    with pytest.raises(OptionError):
        batch.reset(seed=-1)
    assert np.array_equal(batch.rows, rows)
    assert np.array_equal(batch.reset()[0], before.reset()[0])
    env, other = (VectorEnv(GAME, 2, setup="random:4") for _ in range(2))
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(OptionError):
        env.reset(seed=[5, -1])
    assert np.array_equal(env.reset()[0], other.reset()[0])
