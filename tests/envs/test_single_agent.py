"""The Gymnasium environment: the checkers of others, rewards by hand, seats, opponents, illegal actions."""

import copy
import pickle
import re
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_checker import data_equivalence as equal

import boardgym
from boardgym import IllegalActionError, NotationError, OptionError, Reason, SingleAgentEnv, SpecError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from boardgym.render.animation import frames
from boardgym.render.pixels import rgb_array
from boardgym.render.text import draw_text

GAMES = ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"]


class FirstLegal:
    """The plainest policy that is not compiled."""

    def __init__(self):
        self.seeds = []

    def reset(self, *, seed=None):
        self.seeds.append(seed)

    def act(self, board, *, deterministic=False):
        return board.legal_actions[0]


def episode(env, rng, **reset):
    """Plays a random episode; returns all that was seen."""
    seen = [env.reset(**reset)]
    terminated = False
    while not terminated:
        legal = np.flatnonzero(seen[-1][-1]["action_mask"])
        seen.append(env.step(int(rng.choice(legal))))
        terminated = seen[-1][2]
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_check_env(game):
    env = gym.make(f"boardgym/{game}", opponent="greedy", seat="random", setup="random:0-2")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("seat", [0, 1, "random"])
@pytest.mark.parametrize("game", GAMES)
def test_episodes_follow_the_board(game, seat):
    env = gym.make(f"boardgym/{game}", opponent="random", seat=seat, setup="random:0-3").unwrapped
    rng, seats, outcomes = np.random.default_rng(0), set(), set()
    for number in range(12):
        observation, info = env.reset(seed=number)
        rewards, terminated = [], False
        while not terminated:
            board = env.board
            assert info.keys() == {"action_mask", "seat", "opponent", "ply"}
            assert board.to_play == env.seat == info["seat"]
            assert info["ply"] == board.ply
            assert info["opponent"] == 0
            assert info["action_mask"].dtype == np.int8
            assert np.flatnonzero(info["action_mask"]).tolist() == board.legal_actions
            assert env.action_masks().dtype == np.bool_
            assert (env.action_masks() == info["action_mask"]).all()
            assert (observation == board.observation(env.seat)).all()
            assert env.observation_space.contains(observation)
            observation, reward, terminated, truncated, info = env.step(int(rng.choice(board.legal_actions)))
            assert truncated is False
            assert type(terminated) is bool
            assert type(reward) is float
            rewards.append(reward)
        assert rewards[:-1] == [0.0] * (len(rewards) - 1)
        assert rewards[-1] == env.board.returns()[env.seat] == info["outcome"]
        assert info["action_mask"].all()
        assert env.action_masks().all()
        assert info["reason"] == Reason.RULES
        assert info["is_success"] is (info["outcome"] == 1)
        seats.add(info["seat"])
        outcomes.add(info["outcome"])
    assert seats == ({0, 1} if seat == "random" else {seat})
    assert {1, -1} <= outcomes


def test_a_reply_that_ends_the_game_is_paid_at_once():
    env = SingleAgentEnv("TicTacToe-v0", opponent=FirstLegal())
    env.reset(options={"position": "2x/oo1/1x1 x"})
    _, reward, terminated, _, info = env.step(env.board.action_of("c1"))
    assert not terminated
    assert reward == 0.0
    env = SingleAgentEnv("TicTacToe-v0", opponent="greedy")
    env.reset(options={"position": "oo1/x2/x2 x"})
    _, reward, terminated, truncated, info = env.step(env.board.action_of("b1"))
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["outcome"], info["reason"], info["is_success"], info["ply"]) == (-1, Reason.RULES, False, 2)
    env.reset(options={"position": "xx1/oo1/3 x"})
    _, reward, terminated, _, info = env.step(env.board.action_of("c3"))
    assert (reward, terminated, info["outcome"], info["is_success"]) == (1.0, True, 1, True)


def test_a_draw_is_terminated():
    env = SingleAgentEnv("TicTacToe-v0")
    env.reset(options={"position": "xox/xoo/ox1 x"})
    _, reward, terminated, truncated, info = env.step(8)
    assert (reward, terminated, truncated, info["outcome"], info["reason"]) == (0.0, True, False, 0, Reason.RULES)


def test_only_a_cap_truncates():
    env = gym.make("boardgym/Othello-v0", max_episode_steps=3)
    _, info = env.reset(seed=0)
    flags = []
    for _ in range(3):
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        flags.append((terminated, truncated))
    assert flags == [(False, False), (False, False), (False, True)]
    assert "outcome" not in info


class TestIllegalActions:
    def env(self, illegal):
        env = SingleAgentEnv("TicTacToe-v0", opponent=FirstLegal(), illegal=illegal)
        env.reset(seed=0)
        env.step(4)
        return env

    @pytest.mark.parametrize("action", [4, -1, 9, 2**70, np.int64(4)])
    def test_terminate(self, action):
        env = self.env("terminate")
        before = env.board.copy()
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-1.0, True, False)
        assert info["reason"] == Reason.ILLEGAL_ACTION
        assert info["outcome"] == -1
        assert info["is_success"] is False
        assert info["action_mask"].all()
        assert env.board == before
        with pytest.raises(ResetNeeded):
            env.step(1)

    @pytest.mark.parametrize("action", [4, -1, 9, 2**70])
    def test_raise(self, action):
        env = self.env("raise")
        before = env.board.copy()
        with pytest.raises(IllegalActionError, match="TicTacToe-v0"):
            env.step(action)
        assert env.board == before
        assert env.step(1)[2] is False

    def test_random(self):
        env = self.env("random")
        before = env.board.legal_actions
        env.step(4)
        assert env.board.actions[2] in before
        assert env.board.ply == 4

    @pytest.mark.parametrize("illegal", ["terminate", "raise", "random"])
    @pytest.mark.parametrize("action", [None, 1.0, "a1", True, np.zeros(2, np.int64)])
    def test_what_is_no_integer_always_raises(self, illegal, action):
        env = self.env(illegal)
        with pytest.raises(IllegalActionError, match="as an int"):
            env.step(action)
        assert env.board.ply == 2


def test_steps_out_of_turn():
    env = gym.make("boardgym/TicTacToe-v0", render_mode="ansi").unwrapped
    for call in (lambda: env.step(0), env.action_masks, env.render):
        with pytest.raises(ResetNeeded, match="no game has begun"):
            call()
    env.reset(options={"position": "xx1/oo1/3 x"})
    env.step(2)
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(5)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opponent", ["random", "mix(1*random, 2*epsilon:0.5(greedy))"])
def test_seeds_copies_and_pickles(game, opponent):
    def fresh():
        return gym.make(f"boardgym/{game}", opponent=opponent, seat="random", setup="random:0-4")

    first, second = fresh(), fresh()
    for number in range(3):  # the second and third episodes go on without a seed
        seed = {"seed": 11} if number == 0 else {}
        assert equal(episode(first, np.random.default_rng(1), **seed), episode(second, np.random.default_rng(1), **seed))
    first.reset()
    for twin in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        twin_two = copy.deepcopy(twin)
        action = int(np.flatnonzero(twin.unwrapped.action_masks())[0])
        assert equal(twin.step(action), twin_two.step(action))
        assert equal(episode(twin, np.random.default_rng(2)), episode(twin_two, np.random.default_rng(2)))
    assert first.unwrapped.board.ply <= 1


def test_mixtures_draw_one_member_a_game():
    env = SingleAgentEnv("TicTacToe-v0", opponent="mix(0.75*random, 0.25*greedy)", seat="random")
    rng = np.random.default_rng(0)
    drawn = [episode(env, rng, **({"seed": 0} if n == 0 else {}))[-1][-1]["opponent"] for n in range(200)]
    assert set(drawn) == {0, 1}
    assert 25 <= sum(drawn) <= 75


def test_policies_as_opponents():
    player = FirstLegal()
    env = SingleAgentEnv("TicTacToe-v0", opponent=[player], seat=1)
    env.reset(seed=3)
    assert env.board.actions == [0]
    assert len(player.seeds) == 1
    assert type(player.seeds[0]) is int
    env.reset(seed=3)
    assert player.seeds[0] == player.seeds[1]
    greedy = make_policy("greedy", "TicTacToe-v0", seed=0)
    assert SingleAgentEnv("TicTacToe-v0", opponent=greedy).reset(seed=0)[1]["opponent"] == 0


@pytest.mark.parametrize(("answer", "error"), [(0, IllegalActionError), (ZeroDivisionError(), ZeroDivisionError)])
def test_an_opponent_that_fails_ends_the_game(answer, error):
    class Failing(FirstLegal):
        def act(self, board, *, deterministic=False):
            if isinstance(answer, Exception):
                raise answer
            return answer

    env = SingleAgentEnv("TicTacToe-v0", opponent=Failing())
    env.reset(seed=0)
    with pytest.raises(error):
        env.step(0)
    with pytest.raises(ResetNeeded):
        env.step(1)
    assert env.reset(seed=0)[1]["ply"] == 0


def test_starts_that_end_before_the_learner_moves():
    class Winner(FirstLegal):
        def act(self, board, *, deterministic=False):
            return board.legal_actions[-1]

    env = SingleAgentEnv("TicTacToe-v0", opponent=Winner(), seat=1)
    with pytest.raises(OptionError, match="before seat 1 could move"):
        env.reset(options={"position": "oo1/3/xx1 x"})
    assert env.reset()[1]["ply"] == 1


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"opponent": "gredy"}, SpecError, "did you mean 'greedy'"),
        ({"opponent": 3}, OptionError, "expected a spec string"),
        ({"opponent": ["random", "greedy"]}, OptionError, "1 other seats, got 2"),
        ({"opponent": "uct:-5"}, SpecError, "-5"),
        ({"seat": 2}, OptionError, "seat=2: expected 0 to 1 or 'random'"),
        ({"seat": "first"}, OptionError, "seat='first'"),
        ({"seat": True}, OptionError, "seat=True"),
        ({"illegal": "explode"}, OptionError, "illegal='explode'"),
        ({"setup": "random:5-2"}, OptionError, "random:5-2"),
        ({"size": 3}, OptionError, "no option 'size'"),
        ({"render_mode": "pixels"}, OptionError, "no render mode 'pixels'"),
        ({"opponent": make_policy("greedy", "Othello-v0")}, UnsupportedGameError, "plays Othello-v0"),
    ],
)
def test_bad_arguments(arguments, error, words):
    with pytest.raises(error, match=words):
        SingleAgentEnv("TicTacToe-v0", **arguments)


def test_an_opponent_of_another_board_size_is_refused():
    small = make_policy("random", boardgym.get_game("Othello-v0", size=6))
    with pytest.raises(UnsupportedGameError, match="6"):
        SingleAgentEnv("Othello-v0", opponent=small)
    SingleAgentEnv("Othello-v0", opponent=small, size=6).reset(seed=0)


@pytest.mark.parametrize(
    ("options", "error"),
    [({"fen": "3/3/3 x"}, OptionError), ({"position": "9 x"}, NotationError), ({"position": "xxx/oo1/3 o"}, OptionError)],
)
def test_bad_reset_options_change_nothing(options, error):
    env = SingleAgentEnv("TicTacToe-v0")
    env.reset(seed=0)
    before, state = env.board.copy(), env.np_random.bit_generator.state
    with pytest.raises(error):
        env.reset(seed=1, options=options)
    assert env.board == before
    assert env.np_random.bit_generator.state == state
    env.step(before.legal_actions[0])


def test_specs_are_plain_json():
    settings = {"opponent": "mix(greedy, random)", "seat": "random", "setup": "random:0-4", "width": 5, "height": 4}
    env = gym.make("boardgym/ConnectFour-v0", **settings)
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert equal(env.reset(seed=9), again.reset(seed=9))
    assert again.observation_space.shape == (4, 5, 4)
    assert gym.make("boardgym:boardgym/TicTacToe-v0").spec.id == "boardgym/TicTacToe-v0"


def test_text_has_colours_unless_they_are_not_wanted(monkeypatch):
    env = gym.make("boardgym/Othello-v0", render_mode="ansi")
    env.reset(seed=0)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    coloured = env.render()
    assert "\x1b[1;38;2;246;244;238;48;2;47;133;87mO" in coloured  # a white disc on green
    monkeypatch.setenv("NO_COLOR", "1")
    plain = re.sub(r" +\n", "\n", re.sub(r"\x1b\[[0-9;]*m", "", coloured))
    assert env.render() == plain == draw_text(env.unwrapped.board)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert env.render() == plain


def test_a_list_has_a_picture_of_every_ply():
    env = gym.make("boardgym/ConnectFour-v0", render_mode="rgb_array_list", seat=1)
    assert env.render_mode == "rgb_array_list"
    env.reset(seed=0)
    pictures = env.render()
    assert len(pictures) == 2  # the start and the opponent's ply
    assert env.render() == []
    is_over = False
    while not is_over:
        _, _, is_over, _, info = env.step(int(env.unwrapped.board.legal_actions[0]))
        pictures += env.render() if info["ply"] % 4 else []
    pictures += env.render()
    boards = list(map(rgb_array, frames(env.unwrapped.board)))
    assert len(pictures) == env.unwrapped.board.ply + 1
    assert np.array_equal(pictures, boards)
    env.reset(seed=1)
    assert len(env.render()) == 2


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_render_modes(mode):
    env = gym.make("boardgym/ConnectFour-v0", render_mode=mode)
    env.reset(seed=0)
    start = env.render()
    env.step(3)
    assert type(env.render()) is type(start)
    assert not np.array_equal(env.render(), start)
