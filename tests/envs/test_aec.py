"""The PettingZoo environment: upstream's own tests, the AEC rules by hand, and bad input."""

import copy
import pickle
import random
import subprocess
import sys
import warnings

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test

import boardgym
from boardgym import IllegalActionError, NotationError, OptionError, Reason, UnknownGameError
from boardgym.render.window import DISPLAYS

GAMES = ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"]
# api_test gives these two for every environment whose observations are dicts and whose name is not on its own list
UPSTREAM_WARNINGS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
)


def play(env, seed, *, plies=10_000):
    """Plays seeded random actions; yields everything that is seen."""
    rng = random.Random(seed)
    for agent in env.agent_iter(plies):
        observation, reward, terminated, truncated, info = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        action = None if terminated or truncated else int(rng.choice(legal))
        yield agent, observation["observation"].tobytes(), legal.tolist(), reward, terminated, truncated, info, action
        env.step(action)


@pytest.mark.parametrize("game", GAMES)
def test_upstream(game):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in UPSTREAM_WARNINGS:
            warnings.filterwarnings("ignore", message=text)
        api_test(boardgym.make(game), num_cycles=60)
    seed_test(lambda: boardgym.make(game, setup="random:0-4"), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_upstream_rendering(game, capsys, monkeypatch):
    for name in DISPLAYS:  # a window would open, and take its time
        monkeypatch.delenv(name, raising=False)
    render_test(lambda render_mode: boardgym.make(game, render_mode=render_mode))
    assert "to play" in capsys.readouterr().out  # "human" prints


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_follow_the_board(game):
    env = boardgym.make(game)
    for number in range(5):
        env.reset(seed=number)
        assert env.agents == ["player_0", "player_1"]
        assert env.agent_selection == "player_0"
        board = boardgym.Board(game)
        for agent, planes, legal, reward, terminated, truncated, info, action in play(env, number):
            seat = env.possible_agents.index(agent)
            assert planes == board.observation(seat).tobytes()
            assert truncated is False
            assert terminated is board.is_terminal
            assert info.keys() == {"outcome", "reason"}
            assert legal == board.legal_actions
            other = env.observe(env.possible_agents[1 - seat])
            assert not other["action_mask"].any()
            assert other["observation"].tobytes() == board.observation(1 - seat).tobytes()
            if action is not None:
                assert seat == board.to_play
                assert reward == 0.0
                assert info == {"outcome": 0, "reason": 0}
                board.push(action)
            else:
                assert reward == board.returns()[seat] == info["outcome"]
                assert info["reason"] == Reason.RULES
        assert env.agents == []
        assert env.rewards == {}


def test_the_loser_hears_of_it_and_dead_agents_take_none():
    env = boardgym.make("TicTacToe-v0")
    env.reset()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        env.step(env.board.action_of(move))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.truncations == {"player_0": False, "player_1": False}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.agent_selection == "player_1"
    assert env.last(observe=False) == (None, -1.0, True, False, {"outcome": -1, "reason": 1})
    env.step(None)
    assert env.agents == ["player_0"]
    assert env.agent_selection == "player_0"
    assert env.rewards == {"player_0": 0.0}
    assert env.last()[1:] == (1.0, True, False, {"outcome": 1, "reason": 1})
    env.step(None)
    assert env.agents == []


def test_an_agent_that_must_pass_has_one_action():
    env = boardgym.make("Othello-v0", size=4)
    passes = 0
    for number in range(20):
        env.reset(seed=number)
        for _, _, legal, _, _, _, _, action in play(env, number):
            passes += action == 16
            assert legal == [16] or 16 not in legal
    assert passes > 0


def test_spaces_are_one_object_and_contain_what_is_seen():
    env = boardgym.make("boardgym/ConnectFour-v0")
    env.reset()
    assert env.observation_space("player_0") is env.observation_space("player_1") is env.observation_space("player_0")
    assert env.action_space("player_0") is env.action_space("player_1")
    space, seen = env.observation_space("player_0"), env.observe("player_0")
    assert space.contains(seen)
    assert seen["action_mask"].dtype == np.int8
    assert seen["observation"].dtype == space["observation"].dtype
    assert str(env) == "connect_four_v0" == env.metadata["name"]
    assert env.metadata["is_parallelizable"] is False


def test_what_is_handed_out_is_not_reused():
    env = boardgym.make("ConnectFour-v0")
    env.reset()
    first = env.last()[0]
    before = copy.deepcopy(first)
    env.step(3)
    second = env.last()[0]
    second["action_mask"][:] = 0
    second["observation"][:] = 0
    assert (first["observation"] == before["observation"]).all()
    assert env.last()[0]["action_mask"].sum() == 7


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_copies_in_mid_game_go_on_alike_and_apart(game, duplicate):
    env = boardgym.make(game, setup="random:0-2", render_mode="ansi")
    env.reset(seed=4)
    list(play(env, 1, plies=3))
    twin = duplicate(env)
    assert twin.board == env.board
    assert twin.board is not env.board
    assert twin.observation_space("player_0") is twin.observation_space("player_1")
    text = env.render()
    assert [*play(twin, 2)]
    assert env.render() == text
    twin = duplicate(env)
    assert list(play(env, 2)) == list(play(twin, 2))
    env.reset()
    twin.reset()
    assert env.board == twin.board  # the stream of set-ups was copied too


def test_options_of_reset():
    env = boardgym.make("TicTacToe-v0")
    env.reset(options={"position": "xo1/3/3 x"})
    assert env.board.fen() == "xo1/3/3 x"
    assert env.agent_selection == "player_0"
    env.reset(options={"position": "x2/3/3 o"})
    assert env.agent_selection == "player_1"
    env.reset(seed=1, options={"setup": "random:2"})
    first = env.board.fen()
    assert env.board.ply == 0
    assert first != "3/3/3 x"
    env.reset(seed=1, options={"setup": "random:2"})
    assert env.board.fen() == first
    env.reset()
    assert env.board.fen() == "3/3/3 x"


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"positon": "3/3/3 x"}, OptionError, "did you mean 'position'"),
        ({"setup": "daisy"}, OptionError, "no set-up 'daisy'"),
        ({"setup": "random:9-2"}, OptionError, "a <= b"),
        ({"setup": 3}, OptionError, "name of a set-up"),
        ({"position": "3/3 x"}, NotationError, "2 rows; expected 3"),
        ({"position": None}, NotationError, "None"),
        ({"position": "xxx/oo1/3 o"}, OptionError, "the game is over"),
        ({"position": "3/3/3 x", "setup": "standard"}, OptionError, "got both"),
        ("standard", OptionError, "expected a dict"),
    ],
)
def test_bad_reset_options_change_nothing(options, error, words):
    env = boardgym.make("TicTacToe-v0")
    env.reset(seed=0)
    env.step(4)
    with pytest.raises(error, match=words):
        env.reset(seed=5, options=options)
    assert env.board.actions == [4]
    assert env.agent_selection == "player_1"
    env.step(0)


@pytest.mark.parametrize("action", [4, -1, 9, 2**70, None, 1.0, "a1", True, np.float64(1), np.array([1, 2])])
def test_illegal_actions_raise_and_change_nothing(action):
    env = boardgym.make("TicTacToe-v0")
    env.reset()
    env.step(4)
    before = copy.deepcopy((env.board.actions, env.rewards, env.terminations, env.infos, env.last()))
    with pytest.raises(IllegalActionError):
        env.step(action)
    after = (env.board.actions, env.rewards, env.terminations, env.infos, env.last())
    assert str(before) == str(after)
    for good in (np.int8(0), np.int32(1), np.int64(2), np.array(3)):
        env.step(good)
    assert env.board.actions == [4, 0, 1, 2, 3]
    assert all(type(a) is int for a in env.board.actions)


def test_the_message_of_an_illegal_action_says_all():
    env = boardgym.make("TicTacToe-v0")
    env.reset()
    env.step(4)
    with pytest.raises(
        IllegalActionError, match=r"action 4 \(b2\) is illegal in TicTacToe-v0 at '3/1x1/3 o'; 8 actions are legal"
    ):
        env.step(4)


def test_steps_out_of_turn():
    env = boardgym.make("TicTacToe-v0", render_mode="ansi")
    for call in (lambda: env.step(0), env.last, lambda: env.observe("player_0"), env.render):
        with pytest.raises(ResetNeeded, match="no game has begun"):
            call()
    env.reset(options={"position": "xx1/oo1/3 x"})
    env.step(2)
    with pytest.raises(IllegalActionError, match="expected None"):
        env.step(0)
    env.step(None)
    env.step(None)
    for call in (lambda: env.step(None), env.last):
        with pytest.raises(ResetNeeded, match="over for every agent"):
            call()
    with pytest.raises(OptionError, match="no agent 'player_2'"):
        env.observe("player_2")
    env.reset()
    assert env.last()[2] is False


def test_iterating_begins_a_game_where_none_was():
    env = boardgym.make("TicTacToe-v0")
    assert next(iter(env.agent_iter())) == "player_0"
    assert list(env.agent_iter(0)) == []


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"game": "Otello-v0"}, UnknownGameError, "did you mean 'Othello-v0'"),
        ({"game": "Othello-v9"}, UnknownGameError, "no version 9"),
        ({"game": 3}, UnknownGameError, "expected a game id"),
        ({"game": "Othello-v0", "size": 5}, OptionError, "size=5"),
        ({"game": "Othello-v0", "sise": 6}, OptionError, "did you mean 'size'"),
        ({"game": "Othello-v0", "setup": "x"}, OptionError, "no set-up 'x'"),
        ({"game": "Othello-v0", "render_mode": "rgb"}, OptionError, "did you mean 'rgb_array'"),
    ],
)
def test_bad_arguments_of_make(arguments, error, words):
    with pytest.raises(error, match=words):
        boardgym.make(**arguments)


def test_rendering_needs_a_mode():
    env = boardgym.make("TicTacToe-v0")
    env.reset()
    with pytest.raises(OptionError, match="render_mode"):
        env.render()


EPISODES = """
import hashlib, random
import boardgym, gymnasium
digest = hashlib.sha256()
env = boardgym.make("Othello-v0", setup="random:0-6")
single = gymnasium.make("boardgym/ConnectFour-v0", opponent="mix(1*random, 1*greedy)", seat="random", setup="random:0-4")
rng = random.Random(0)
for number in range(3):
    env.reset(seed=number)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        digest.update(repr((agent, observation["observation"].tobytes(), reward, info)).encode())
        env.step(None if terminated else int(rng.choice(observation["action_mask"].nonzero()[0])))
    observation, info = single.reset(seed=number)
    terminated = False
    while not terminated:
        digest.update(repr((observation.tobytes(), sorted(info.items()))).encode())
        observation, reward, terminated, _, info = single.step(int(rng.choice(info["action_mask"].nonzero()[0])))
print(digest.hexdigest())
"""


def test_the_same_games_in_every_process(child_environment):
    prints = {
        subprocess.run(
            [sys.executable, "-c", EPISODES],
            capture_output=True,
            text=True,
            check=True,
            env=child_environment | {"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(prints) == 1
    assert len(prints.pop()) == 65
