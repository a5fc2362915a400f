"""Native batches: against `Board`, under every autoreset mode, and refused arguments."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import boardgym
from boardgym.core import verbs
from boardgym.core.board import Board, Reason
from boardgym.core.errors import IllegalActionError, OptionError, SpecError, UnknownGameError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from boardgym.envs.batch import Batch
from boardgym.envs.vector import VectorEnv
from boardgym.render.pixels import rgb_array

GAMES = ["TicTacToe-v0", "Othello-v0"]
MIXTURE = "mix(2*random, 2*epsilon:0.3(greedy), 1*greedy)"


def ready_batch(*args, seed=0, **settings):
    batch = Batch(*args, **settings)
    batch.seed([seed + i for i in range(batch.num_envs)])
    batch.restart(batch.everywhere)
    return batch


def random_actions(rng, masks):
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def after_replies(board, learner):
    """All positions in which the learner is to play again, or the game is over, with what the game then pays."""
    if board.is_terminal or board.to_play == learner:
        return {board.position: board.returns()[learner] if board.is_terminal else 0.0}
    found = {}
    for action in board.legal_actions:
        board.push(action)
        found |= after_replies(board, learner)
        board.pop()
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opponent", ["random", MIXTURE])
def test_every_step_is_a_legal_ply_and_legal_replies(game, opponent):
    batch = ready_batch(game, 6, opponent=opponent, seat="random", setup="random:0-3")
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(60):
        before = [Board(batch.game, batch.game.to_fen(batch.position(i))) for i in range(6)]
        actions = random_actions(rng, batch.masks)
        seats = batch.sides.seats.copy()
        over = batch.step(actions)
        for i, board in enumerate(before):
            assert board.to_play == seats[i]
            board.push(int(actions[i]))
            reachable = after_replies(board, seats[i])
            assert batch.position(i) in reachable
            assert batch.rewards[i] == reachable[batch.position(i)]
            assert over[i] == Board(batch.game, batch.game.to_fen(batch.position(i))).is_terminal
        ends += over.sum()
        batch.restart(over)
        for i in range(6):
            board = Board(batch.game, batch.game.to_fen(batch.position(i)))
            assert board.to_play == batch.sides.seats[i]
            observation, mask = board.look(board.to_play)
            np.testing.assert_array_equal(batch.observations[i], observation)
            np.testing.assert_array_equal(batch.masks[i], mask)
    assert ends > 0


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("settings", [{"opponent": "random"}, {"opponent": MIXTURE, "seat": "random", "setup": "random:0-4"}])
def test_equal_to_single_environments(game, settings):
    vector = VectorEnv(game, 4, autoreset_mode=AutoresetMode.SAME_STEP, **settings)
    singles = [gym.make(f"boardgym/{game}", **settings) for _ in range(4)]
    observations, infos = vector.reset(seed=7)
    first = [single.reset(seed=7 + i) for i, single in enumerate(singles)]
    masks = np.stack([info["action_mask"] for _, info in first])
    np.testing.assert_array_equal(observations, np.stack([observation for observation, _ in first]))
    rng = np.random.default_rng(2)
    for _ in range(120):
        np.testing.assert_array_equal(infos["action_mask"], masks)
        actions = random_actions(rng, masks)
        observations, rewards, terminated, _, infos = vector.step(actions)
        for i, single in enumerate(singles):
            observation, reward, ended, _, info = single.step(int(actions[i]))
            assert (reward, ended) == (rewards[i], terminated[i])
            if ended:
                np.testing.assert_array_equal(infos["final_obs"][i], observation)
                assert infos["final_info"]["ply"][i] == info["ply"]
                observation, info = single.reset()
            np.testing.assert_array_equal(observations[i], observation)
            masks[i] = info["action_mask"]
            assert info["seat"] == vector.batch.sides.seats[i]


@pytest.mark.parametrize("game", GAMES)
def test_mirrored_boards_are_the_same_games(game):
    batch = ready_batch(game, 48, opponent="random", setup="random:2", mirror=True)
    rng = np.random.default_rng(3)
    symmetries = set()
    for _ in range(10):
        for i in range(48):
            position, k = batch.position(i), int(batch.sides.symmetries[i])
            symmetries.add(k)
            shown = verbs.transform(position, k)
            np.testing.assert_array_equal(batch.observations[i], Board(batch.game, batch.game.to_fen(shown)).observation())
            legal = Board(batch.game, batch.game.to_fen(position)).legal_actions
            assert set(np.flatnonzero(batch.masks[i])) == {verbs.transform_action(position, a, k) for a in legal}
        batch.restart(batch.step(random_actions(rng, batch.masks)))
    assert symmetries == set(range(verbs.num_symmetries(batch.game.start)))


def test_next_step_mode_ignores_the_action_after_an_end():
    env = gym.make_vec("boardgym/TicTacToe-v0", num_envs=8, opponent="random")
    observations, infos = env.reset(seed=3)
    rng = np.random.default_rng(0)
    ended = np.zeros(8, bool)
    resets = 0
    for _ in range(60):
        actions = random_actions(rng, infos["action_mask"])
        observations, rewards, terminated, truncated, infos = env.step(actions)
        np.testing.assert_array_equal(infos["is_reset"], ended)
        assert not rewards[ended].any()
        assert not terminated[ended].any()
        assert (infos["ply"][ended] <= 1).all()
        assert env.observation_space.contains(observations)
        resets += ended.sum()
        ended = terminated | truncated
        assert (infos["action_mask"][terminated] == 1).all()
    assert resets > 5


def test_truncation_counts_the_learners_steps_and_only_truncates():
    env = VectorEnv("Othello-v0", 2, max_episode_steps=3, autoreset_mode=AutoresetMode.SAME_STEP)
    _, infos = env.reset(seed=1)
    for step in range(1, 7):
        actions = infos["action_mask"].argmax(axis=1)
        _, _, terminated, truncated, infos = env.step(actions)
        assert not terminated.any()
        assert truncated.tolist() == [step % 3 == 0] * 2


def test_partial_reset_and_same_seed_same_games():
    runs = []
    for _ in range(2):
        env = VectorEnv("ConnectFour-v0", 5, opponent=MIXTURE, seat="random", setup="random:0-6")
        observations, infos = env.reset(seed=11)
        log = [observations]
        rng = np.random.default_rng(5)
        for _ in range(40):
            observations, _, _, _, infos = env.step(random_actions(rng, infos["action_mask"]))
            log.append(observations)
        runs.append(np.stack(log))
    np.testing.assert_array_equal(*runs)
    kept = env.batch.rows.positions[1].copy()
    env.reset(options={"reset_mask": np.array([True, False, False, False, True])})
    np.testing.assert_array_equal(env.batch.rows.positions[1], kept)


def test_next_step_mode_ignores_the_action_after_a_truncation():
    """The games are those of single environments, and no illegal action is seen."""
    settings = {"opponent": "random", "setup": "random:0-4", "illegal": "raise"}
    vector = VectorEnv("TicTacToe-v0", 2, max_episode_steps=2, **settings)
    singles = [gym.make("boardgym/TicTacToe-v0", max_episode_steps=2, **settings) for _ in range(2)]
    vector.reset(seed=3)
    masks = np.stack([single.reset(seed=3 + i)[1]["action_mask"] for i, single in enumerate(singles)])
    ended, truncations = np.zeros(2, bool), 0
    for _ in range(40):
        actions = np.where(ended, 99, masks.argmax(axis=1))
        observations, rewards, terminated, truncated, _ = vector.step(actions)
        for i, single in enumerate(singles):
            if ended[i]:
                observation, info = single.reset()
            else:
                observation, reward, is_over, is_cut, info = single.step(int(actions[i]))
                assert (reward, is_over) == (rewards[i], terminated[i])
                assert truncated[i] == (is_cut and not is_over)  # Gymnasium's TimeLimit sets both
            np.testing.assert_array_equal(observations[i], observation)
            masks[i] = info["action_mask"]
        truncations += truncated.sum()
        ended = terminated | truncated
    assert truncations > 5


def test_same_step_infos_belong_to_the_new_game():
    env = VectorEnv("TicTacToe-v0", 6, seat="random", autoreset_mode=AutoresetMode.SAME_STEP)
    _, infos = env.reset(seed=2)
    ends = 0
    for _ in range(30):
        _, rewards, terminated, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        np.testing.assert_array_equal(infos["seat"], env.batch.sides.seats)
        np.testing.assert_array_equal(infos["ply"], env.batch.rows.plies)
        for i in np.flatnonzero(terminated):
            ends += 1
            assert infos["final_info"]["outcome"][i] == rewards[i]
            assert infos["final_info"]["ply"][i] > infos["ply"][i]
    assert ends > 5


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_all_seats(mode):
    """Turns alternate, infos tell whose they are, and an end pays and judges the seat that played last."""
    env = VectorEnv("TicTacToe-v0", 6, seat="all", autoreset_mode=mode, max_episode_steps=8)
    _, infos = env.reset(seed=3)
    rng, ends, cuts = np.random.default_rng(0), 0, 0
    for _ in range(60):
        before, masks = infos["seat"].copy(), infos["action_mask"]
        observations, rewards, terminated, truncated, infos = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
        for i in range(6):
            is_reset = mode is AutoresetMode.NEXT_STEP and infos["is_reset"][i]
            if terminated[i]:
                last = infos if mode is AutoresetMode.NEXT_STEP else infos["final_info"]
                assert (last["seat"][i], last["outcome"][i]) == (before[i], rewards[i])
                assert rewards[i] >= 0.0  # nobody loses by a ply of his own
            elif not (truncated[i] or is_reset):
                assert (infos["seat"][i], rewards[i]) == (1 - before[i], 0.0)
                np.testing.assert_array_equal(observations[i], env.batch.board(i).observation(int(infos["seat"][i])))
        ends, cuts = ends + terminated.sum(), cuts + truncated.sum()
    assert ends > 10
    assert cuts > 0


@pytest.mark.parametrize("settings", [{"setup": "random:9"}, {"setup": "random:8", "seat": 1}])
def test_a_setup_that_ends_every_game_is_refused(settings):
    env = VectorEnv("TicTacToe-v0", 2, **settings)
    with pytest.raises(OptionError, match="games were over before the learner could move"):
        env.reset(seed=0)


def test_a_masked_reset_seeds_only_what_it_resets():
    env = VectorEnv("TicTacToe-v0", 3)
    with pytest.raises(ResetNeeded, match="first reset"):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    env.reset(seed=1)
    before = env.batch.rows.rngs.copy()
    env.reset(seed=50, options={"reset_mask": np.array([True, False, False])})
    assert (env.batch.rows.rngs != before).tolist() == [True, False, False]


def test_illegal_actions():
    batch = ready_batch("ConnectFour-v0", 1, opponent="random", illegal="terminate")
    over = batch.step(np.array([99]))
    assert over[0]
    assert batch.rewards[0] == -1.0
    assert batch.infos()["reason"][0] == Reason.ILLEGAL_ACTION
    batch = ready_batch("ConnectFour-v0", 2, opponent="random", illegal="raise")
    before = batch.rows.positions.copy()
    with pytest.raises(IllegalActionError, match=r"board 1: action -1 is illegal in ConnectFour-v0"):
        batch.step(np.array([0, -1]))
    np.testing.assert_array_equal(batch.rows.positions, before)
    batch = ready_batch("ConnectFour-v0", 1, opponent="random", illegal="random")
    assert not batch.step(np.array([99]))[0]
    assert batch.rows.plies[0] == 2


def test_every_board_has_a_picture():
    env = gym.make_vec("boardgym/ConnectFour-v0", num_envs=3, render_mode="rgb_array")
    assert env.metadata["render_fps"] == boardgym.SingleAgentEnv.metadata["render_fps"]
    env.reset(seed=0)
    starts = env.render()
    assert isinstance(starts, tuple)
    assert [picture.dtype for picture in starts] == [np.uint8] * 3
    env.step(np.array([0, 3, 6]))
    pictures = env.render()
    for i, picture in enumerate(pictures):
        assert np.array_equal(picture, rgb_array(env.unwrapped.batch.board(i)))
        assert not np.array_equal(picture, starts[i])
    text = gym.make_vec("boardgym/ConnectFour-v0", num_envs=2, render_mode="ansi")
    text.reset(seed=0)
    assert text.render() == tuple(str(text.unwrapped.batch.board(i)) for i in range(2))


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"game": "Conect4-v0"}, UnknownGameError),
        ({"num_envs": 0}, OptionError),
        ({"num_envs": 2.5}, OptionError),
        ({"seat": 2}, OptionError),
        ({"seat": "black"}, OptionError),
        ({"illegal": "ignore"}, OptionError),
        ({"setup": "random:9-2"}, OptionError),
        ({"setup": "nowhere"}, OptionError),
        ({"opponent": "gready"}, SpecError),
        ({"opponent": "uct:0.1s"}, UnsupportedGameError),
        ({"size": 6}, OptionError),
        ({"autoreset_mode": AutoresetMode.DISABLED}, OptionError),
        ({"render_mode": "human"}, OptionError),
        ({"max_episode_steps": 0}, OptionError),
    ],
)
def test_bad_arguments(settings, error):
    arguments = {"game": "ConnectFour-v0", "num_envs": 2} | settings
    with pytest.raises(error):
        VectorEnv(**arguments)


def test_bad_calls():
    env = VectorEnv("ConnectFour-v0", 2, render_mode="ansi")
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(ResetNeeded):
        env.render()
    env.reset(seed=0)
    for actions in (np.zeros(3, np.int64), np.zeros(2), [[0, 0]]):
        with pytest.raises(OptionError, match="expected integers of shape"):
            env.step(actions)
    with pytest.raises(OptionError, match="reset_mask"):
        env.reset(options={"position": "x"})
    for seed, expected in (([1, 2, 3], "one for each environment"), (1.7, "a whole number"), ("x", "a whole number")):
        with pytest.raises(OptionError, match=f"expected .*{expected}"):
            env.reset(seed=seed)


def test_a_policy_object_may_be_the_opponent():
    with pytest.raises(UnsupportedGameError, match="plays Othello-v0"):
        Batch("TicTacToe-v0", 2, opponent=make_policy("greedy", "Othello-v0"))
    policy = make_policy("greedy", "TicTacToe-v0")
    batch = ready_batch("TicTacToe-v0", 2, opponent=policy)
    batch.set_opponent("random")
    assert batch.players[0].spec == "random"
