"""A setting that no environment has: the error names the nearest, of its own arguments and of the game's rule options."""

import functools

import gymnasium as gym
import pytest

import boardgym
from boardgym.core.errors import OptionError
from boardgym.wrappers.sb3 import SB3VecEnv

ID = "boardgym/ConnectFour-v0"


@pytest.mark.parametrize(
    ("make", "near"),
    [
        (lambda: gym.make(ID, opponnent="greedy"), "opponent"),
        (lambda: gym.make(ID, widht=8), "width"),
        (lambda: gym.make_vec(ID, num_envs=2, opponnent="greedy"), "opponent"),
        (lambda: gym.make_vec(ID, num_envs=2, autoreset_mod="SameStep"), "autoreset_mode"),
        (lambda: SB3VecEnv(ID, opponnent="greedy"), "opponent"),
        (lambda: SB3VecEnv(ID, num_env=3), "num_envs"),
        (lambda: boardgym.make(ID, rendermode="ansi"), "render_mode"),
        (lambda: boardgym.Board(ID, sed=1), "seed"),
        (lambda: boardgym.BatchBoard(ID, 2, num_thread=1), "num_threads"),
    ],
)
def test_the_nearest_setting_is_named(make, near):
    with pytest.raises(OptionError, match=rf"ConnectFour-v0 has no option '\w+'; did you mean (.* or )?'{near}'"):
        make()


@pytest.mark.parametrize("make", [functools.partial(gym.make_vec, ID), functools.partial(SB3VecEnv, ID)])
def test_what_hands_out_arrays_of_numpy_stays_on_the_cpu(make):
    with pytest.raises(OptionError, match=r"device='cuda': \w+Env stays on the CPU; .* boardgym\.envs\.batch\.Batch"):
        make(num_envs=2, device="cuda")
    assert make(num_envs=2, device="cpu").num_envs == 2


def test_rule_options_are_taken():
    smaller = {"width": 5, "height": 4}
    assert boardgym.make(ID, **smaller).board.game.options == smaller
    assert SB3VecEnv(ID, num_envs=2, opponent="random", **smaller).game.options == smaller
