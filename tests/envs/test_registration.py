"""What importing does and does not do, ids, modules, and games of users' own."""

import functools
import importlib
import pkgutil
import subprocess
import sys
import textwrap

import gymnasium as gym
import pettingzoo
import pytest

import boardgym

MODULES = {"TicTacToe-v0": "tic_tac_toe_v0", "ConnectFour-v0": "connect_four_v0", "Othello-v0": "othello_v0"}


def run(code, environment, *arguments, cwd=None):
    done = subprocess.run(
        [sys.executable, *arguments, *(["-c", code] if code else [])], capture_output=True, text=True, env=environment, cwd=cwd
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_is_light_and_compiles_nothing(child_environment, tmp_path):
    code = """
        import sys, time
        start = time.process_time()
        import boardgym
        print(time.process_time() - start)
        print([m for m in ("torch", "matplotlib", "stable_baselines3", "resvg_py", "rich", "tyro") if m in sys.modules])
        import gc
        from numba.core.dispatcher import Dispatcher
        ours = [d for d in gc.get_objects() if isinstance(d, Dispatcher) and d.__module__.startswith("boardgym")]
        print(len(ours) > 20 and sum(len(d.overloads) for d in ours))
    """
    seconds, heavy, compiled = run(textwrap.dedent(code), child_environment | {"NUMBA_CACHE_DIR": str(tmp_path)}).splitlines()
    assert heavy == "[]"
    assert compiled == "0"
    assert not list(tmp_path.rglob("*.nbc"))
    assert float(seconds) < 1.5  # 0.35 on an idle machine; the figure itself is the benchmarks' business


@pytest.mark.parametrize(("game", "module"), MODULES.items())
def test_ids_and_modules(game, module):
    assert game in boardgym.list_games()
    assert gym.spec(f"boardgym/{game}").entry_point == "boardgym.envs.single_agent:SingleAgentEnv"
    assert gym.spec(f"boardgym/{game}").vector_entry_point == "boardgym.envs.vector:VectorEnv"
    imported = importlib.import_module(f"boardgym.envs.{module}")
    for make in (imported.env, imported.raw_env, getattr(boardgym.envs, module).env):
        assert str(make(render_mode="ansi")) == module
    assert boardgym.make(game).game is boardgym.make(f"boardgym/{game}").game is boardgym.get_game(game)


def test_pettingzoo_registry():
    for name in ("boardgym/othello-v0", "boardgym/othello_v0"):
        env = pettingzoo.make("aec", name, size=6)
        assert isinstance(env, boardgym.BoardGameEnv)
        assert env.game.options == {"size": 6}


def test_modules_can_be_imported_first(child_environment):
    code = "import boardgym.envs.othello_v0 as o; from boardgym.envs import connect_four_v0 as c; print(o.env(), c.raw_env())"
    assert run(code, child_environment) == "othello_v0 connect_four_v0"


def ends_without_truncation(env):
    """How many of ten games of an environment, with random actions, were truncated."""
    count = 0
    for seed in range(10):
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        terminated = truncated = False
        while not (terminated or truncated):
            _, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        count += truncated
    return count == 0


@pytest.mark.parametrize(
    ("game", "options", "longest"),
    [("TicTacToe", {}, 9), ("ConnectFour", {}, 42), ("ConnectFour", {"width": 9, "height": 5}, 45), ("CardPoints", {}, 8)],
)
def test_the_longest_episode_is_where_wrappers_look_for_it(game, options, longest):
    """Of each set of rule options; nothing is cut off by it, nor in an environment made again from its spec."""
    env = gym.make(f"boardgym/{game}-v0", seat="random", **options)
    assert env.spec.max_episode_steps == env.unwrapped.game.max_plies == longest
    assert gym.wrappers.TimeAwareObservation(env).max_timesteps == longest
    assert "TimeLimit" not in str(env)
    assert ends_without_truncation(env)
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.spec.max_episode_steps == longest
    assert ends_without_truncation(again)
    assert gym.make(env.spec.id, max_episode_steps=3, **options).spec.max_episode_steps == 3


@pytest.mark.parametrize(("limit", "published"), [({}, 9), ({"max_episode_steps": 3}, 3)])
def test_the_longest_episode_of_vector_environments(limit, published):
    assert gym.make_vec("boardgym/ConnectFour-v0", num_envs=4, width=5, height=4).spec.max_episode_steps == 20
    envs = gym.make_vec("boardgym/TicTacToe-v0", num_envs=4, **limit)
    assert envs.spec.max_episode_steps == published
    again = gym.make_vec(envs.spec)
    assert (again.num_envs, again.spec.max_episode_steps) == (4, published)
    _, infos = again.reset(seed=1)
    has_truncated = False
    for _ in range(60):
        _, _, _, truncated, infos = again.step(infos["action_mask"].argmax(axis=1))
        has_truncated |= truncated.any()
    assert has_truncated == bool(limit)


def test_no_name_hides_a_module():
    """`import boardgym.games.othello as o` walks from attribute to attribute."""
    rooms = ("core", "games", "envs", "render", "solo", "testing")
    modules = [boardgym, *(importlib.import_module(f"boardgym.{room}") for room in rooms)]
    names = [found.name for module in modules for found in pkgutil.iter_modules(module.__path__, f"{module.__name__}.")]
    assert {"boardgym.games", "boardgym.games.othello", "boardgym.core.game"} <= set(names)
    for name in names:
        if name != "boardgym.__main__":
            module = importlib.import_module(name)
            assert functools.reduce(getattr, name.split(".")[1:], boardgym) is module, name


RULES = '''
from typing import NamedTuple
import numpy as np
import boardgym
from boardgym import Drawing, Game, NotationError, Version, rule

class Nim(NamedTuple):
    """Take one to three of the stones; who takes the last wins."""
    stones: int
    seat: int

@rule(Nim)
def to_play(position):
    return position.seat

@rule(Nim)
def legal_actions(position, out):
    n = min(3, position.stones)
    for i in range(n):
        out[i] = i
    return n

@rule(Nim)
def apply(position, action):
    return Nim(position.stones - action - 1, 1 - position.seat)

@rule(Nim)
def is_terminal(position):
    return position.stones == 0

@rule(Nim)
def returns(position, seat):
    return -1.0 if seat == position.seat else 1.0

@rule(Nim)
def observe(position, seat, out):
    out[0, 0, 0] = position.stones
    out[0, 0, 1] = position.seat == seat
    out[0, 0, 2] = seat

@rule(Nim)
def decode(planes):
    seat = np.int64(planes[0, 0, 2])
    return Nim(np.int64(planes[0, 0, 0]), seat if planes[0, 0, 1] else 1 - seat)

def parse_move(position, text):
    if text in ("1", "2", "3"):
        return int(text) - 1
    raise NotationError(f"{text!r}: expected 1, 2 or 3")

def from_fen(text):
    stones, _, seat = text.partition(" ")
    return Nim(int(stones), int(seat))

NIM = boardgym.register(Game(
    name="MyNim", title="Nim", position_class=Nim, start=Nim(12, 0), num_actions=3, max_legal_actions=3,
    observation_shape=(1, 1, 3), planes=("stones", "observer to play", "seat"), observation_max=12,
    move_text=lambda position, action: str(action + 1), parse_move=parse_move,
    to_fen=lambda position: f"{position.stones} {position.seat}", from_fen=from_fen, max_plies=12,
    versions=(Version(0, "0", "first", ""),),
))
'''

USE = """
import copy, pickle, sys
import boardgym, gymnasium, pettingzoo
env = boardgym.make("MyNim-v0", render_mode="ansi")
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    env.step(None if terminated else int(observation["action_mask"].nonzero()[0][-1]))
twin = pickle.loads(pickle.dumps(copy.deepcopy(env)))
assert twin.board == env.board and twin.game is env.game
single = gymnasium.make("boardgym/MyNim-v0", opponent="random", seat="random")
single.reset(seed=0)
print(env, pettingzoo.make("aec", "boardgym/my_nim-v0"), sys.modules["boardgym.envs.my_nim_v0"].env(), end=" ")
print(env.board.fen(), single.observation_space.shape)
print(env.render())
"""

EXPECTED = "my_nim_v0 my_nim_v0 my_nim_v0 0 0 (1, 1, 3)"


def test_a_game_from_a_file_and_again_out_of_the_cache(child_environment, tmp_path):
    (tmp_path / "mygame.py").write_text(RULES)
    environment = child_environment | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    environment["PYTHONPATH"] = f"{tmp_path}:{environment['PYTHONPATH']}"
    code = "import mygame\n" + USE
    assert run(code, environment).startswith(EXPECTED)
    stored = {p.name for p in tmp_path.rglob("*.nbc")}
    assert run(code, environment).startswith(EXPECTED)
    assert stored
    assert {p.name for p in tmp_path.rglob("*.nbc")} == stored


def test_a_game_from_main(child_environment, tmp_path):
    (tmp_path / "script.py").write_text(RULES + USE)
    environment = child_environment | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run("", environment, str(tmp_path / "script.py")).startswith(EXPECTED)
