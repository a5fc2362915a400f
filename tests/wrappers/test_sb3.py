"""Stable-Baselines3: the vector environment, models as policies, trust in files, and that it learns."""

import json
import zipfile

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium.error import ResetNeeded
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor

import boardgym  # noqa: F401  (registers the environments)
from boardgym.baselines.arena.compare import compare
from boardgym.baselines.learning.curve import Judge
from boardgym.baselines.learning.sb3 import demo
from boardgym.baselines.learning.sb3.config import TrainConfig
from boardgym.baselines.learning.sb3.demo import DemoConfig, run_demo
from boardgym.baselines.learning.sb3.trainer import train_sb3
from boardgym.baselines.players.simple import Random
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError, UntrustedFileError
from boardgym.core.game import get_game
from boardgym.core.policy import CompiledPolicy, Policy
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream
from boardgym.envs.batch import Batch
from boardgym.envs.single_agent import SingleAgentEnv
from boardgym.render.pixels import rgb_array
from boardgym.wrappers.sb3 import SB3VecEnv, from_sb3
from tests.support import run_python

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def models():
    """Untrained models of each kind on tic-tac-toe."""
    env = SB3VecEnv("TicTacToe-v0", 2, seed=0)
    small = {"policy_kwargs": {"net_arch": [8]}, "seed": 0, "device": "cpu"}
    return {
        "MaskablePPO": MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, **small),
        "PPO": PPO("MlpPolicy", env, n_steps=8, batch_size=8, **small),
        "A2C": A2C("MlpPolicy", env, **small),
        "DQN": DQN("MlpPolicy", env, buffer_size=100, **small),
    }


def test_bad_seeds_are_refused():
    env = SB3VecEnv("TicTacToe-v0", 2)
    for seed in (-1, 1.5, "1", True, 2**64):
        with pytest.raises(OptionError, match="expected a whole number from 0"):
            env.seed(seed)


def test_pictures_are_as_video_recorders_ask_for_them():
    env = SB3VecEnv("TicTacToe-v0", 4, seed=5, render_mode="rgb_array")
    assert env.get_attr("render_mode") == ["rgb_array"] * 4
    assert (env.render_mode, env.metadata["render_fps"]) == ("rgb_array", SingleAgentEnv.metadata["render_fps"])
    with pytest.raises(ResetNeeded, match="before reset"):
        env.render()
    env.reset()
    start = env.render()
    env.step(np.arange(4))
    pictures = env.get_images()
    assert np.array_equal(pictures[3], rgb_array(env.batch.board(3)))
    height, width, _ = pictures[0].shape
    assert env.render().shape == start.shape == (2 * height, 2 * width, 3)
    assert not np.array_equal(env.render(), start)
    with pytest.raises(OptionError, match='needs render_mode="rgb_array"'):
        SB3VecEnv("TicTacToe-v0", 2).get_images()
    with pytest.raises(OptionError, match="no render mode 'ansi'"):
        SB3VecEnv("TicTacToe-v0", 2, render_mode="ansi")


def test_vector_environment_has_what_sb3_asks_for():
    env = SB3VecEnv("TicTacToe-v0", 4, opponent="random", seed=5)
    assert is_masking_supported(env)
    observations = env.reset()
    assert env.observation_space.contains(observations[0])
    rng, ends = np.random.default_rng(0), 0
    for _ in range(40):
        masks = get_action_masks(env)
        assert masks.dtype == bool
        assert masks.shape == (4, 9)
        before = env.batch.rows.positions.copy()
        observations, rewards, dones, infos = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
        assert rewards.dtype == np.float32
        for i in np.flatnonzero(dones):
            ends += 1
            info = infos[i]
            assert info["TimeLimit.truncated"] is False
            assert info["episode"]["r"] == rewards[i] == info["outcome"]
            assert info["is_success"] == (rewards[i] > 0)
            last = info["terminal_observation"]
            assert last[..., :2].sum() > observations[i][..., :2].sum()
            assert (before[i] != env.batch.rows.positions[i]).any()
        assert all(info == {} for info, done in zip(infos, dones, strict=True) if not done)
    assert ends > 10


def test_infos_of_games_that_end_together_belong_to_their_boards():
    """What is said of each game is what a batch of the same seeds says that stops there."""
    setting = {"opponent": "mix(0.5*random, 0.5*greedy)", "seat": "random", "mirror": True}
    env, twin = SB3VecEnv("TicTacToe-v0", 16, seed=7, **setting), Batch("TicTacToe-v0", 16, **setting)
    env.reset()
    twin.seed(range(7, 23))
    twin.restart(twin.everywhere)
    rng, lengths, most = np.random.default_rng(0), np.zeros(16, int), 0
    for _ in range(12):
        masks = env.action_masks()
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        _, _, dones, infos = env.step(actions)
        over, lengths, columns = twin.step(actions), lengths + 1, twin.infos()
        np.testing.assert_array_equal(dones, over)
        for i in np.flatnonzero(over):
            info = infos[i]
            np.testing.assert_array_equal(info.pop("terminal_observation"), twin.observations[i])
            episode = info.pop("episode")
            assert (episode["r"], episode["l"]) == (twin.rewards[i], lengths[i])
            assert info.pop("TimeLimit.truncated") is False
            assert info == {name: column[i] for name, column in columns.items()}
        most = max(most, over.sum())
        lengths[over] = 0
        twin.restart(over)
    assert most >= 4


def test_same_seed_same_games():
    logs = []
    for _ in range(2):
        env = SB3VecEnv("ConnectFour-v0", 3, opponent="epsilon:0.2(greedy)", seat="random", mirror=True, seed=9)
        log = [env.reset()]
        for _ in range(30):
            log.append(env.step(env.action_masks().argmax(axis=1))[0])
        logs.append(np.stack(log))
    np.testing.assert_array_equal(*logs)


def test_wrong_actions_and_settings():
    env = SB3VecEnv("TicTacToe-v0", 2)
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(2, np.int64))
    env.reset()
    with pytest.raises(OptionError, match=r"expected integers of shape \(2,\)"):
        env.step(np.zeros(3, np.int64))
    with pytest.raises(OptionError, match="expected integers"):
        env.step(np.array([0.0, 1.9]))
    with pytest.raises(OptionError):
        SB3VecEnv("TicTacToe-v0", 0)


def test_both_seats_of_a_game_are_learnt_from():
    """With a discount of -1 and lambda 1, the return of each ply is what the game ended with for the seat that played it."""

    class Watch(BaseCallback):
        def _on_training_start(self):
            self.games, self.found = [[] for _ in range(4)], 0

        def _on_step(self):
            for i, done in enumerate(self.locals["dones"]):
                self.games[i].append(float(self.locals["rewards"][i]) if done else None)
            return True

        def _on_rollout_end(self):
            returns = self.model.rollout_buffer.returns
            for i, game in enumerate(self.games):
                value = None
                for step in range(len(game) - 1, -1, -1):
                    value = game[step] if game[step] is not None else None if value is None else -value
                    if value is not None:  # else the game goes on
                        assert returns[step, i] == pytest.approx(value, abs=1e-6)
                        self.found += value != 0.0
            self.games = [[] for _ in range(4)]

    env = SB3VecEnv("TicTacToe-v0", 4, seat="all", mirror=True, seed=3)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32, gamma=-1.0, gae_lambda=1.0, device="cpu", seed=1)
    watch = Watch()
    model.learn(256, callback=watch)
    assert watch.found > 100


def test_all_seats_need_turns_that_alternate():
    with pytest.raises(UnsupportedGameError, match="3 seats; expected a game of two"):
        SB3VecEnv("Abalone3-v0", 2, seat="all")
    env = SB3VecEnv("Backgammon-v0", 2, seat="all", seed=1)
    env.reset()

    def play():
        for _ in range(4):
            env.step(env.action_masks().argmax(axis=1))

    with pytest.raises(UnsupportedGameError, match="played twice in a row"):
        play()


@pytest.mark.parametrize("kind", ["MaskablePPO", "PPO", "A2C", "DQN"])
def test_models_play_legally_and_reproducibly(models, kind):
    policy = from_sb3(models[kind], "TicTacToe-v0", seed=3)
    assert isinstance(policy, Policy)
    games = []
    for deterministic in (True, False, False):
        policy.reset(seed=4)
        board = Board("TicTacToe-v0")
        while not board.is_terminal:
            probabilities = policy.action_probabilities(board)
            assert probabilities.sum() == pytest.approx(1.0)
            assert (probabilities[board.action_mask() == 0] == 0).all()
            board.push(policy.act(board, deterministic=deterministic))
        games.append(board.actions)
    assert games[1] == games[2]
    with pytest.raises(ValueError, match="over"):
        policy.act(board)


@pytest.mark.parametrize("kind", ["MaskablePPO", "PPO", "A2C", "DQN"])
def test_many_boards_at_once_play_as_each_alone(models, kind):
    policy = from_sb3(models[kind], "TicTacToe-v0", seed=3)
    models["DQN"].exploration_rate = 0.4
    boards = [Board("TicTacToe-v0") for _ in range(24)]
    for number, board in enumerate(boards):
        for _ in range(number % 5):
            board.push(int(board.legal_actions[number % len(board.legal_actions)]))
    views = [board.look(board.to_play) for board in boards]
    observations, masks = (np.stack(column) for column in zip(*views, strict=True))
    rows, history = np.stack([board.row for board in boards]), [board.keys for board in boards]
    rng = np.concatenate([stream(number) for number in range(24)])
    together = policy.act_batch(observations, masks, rows, history, rng)
    alone = [policy.act_with(board, stream(number)) for number, board in enumerate(boards)]
    assert together.tolist() == alone
    assert (np.take_along_axis(masks, together[:, None], axis=1) == 1).all()
    assert len(set(together[::5].tolist())) > 1  # equal positions, other streams
    best = policy.act_batch(observations, masks, rows, history, rng, deterministic=True)
    assert best.tolist() == [policy.act(board, deterministic=True) for board in boards]


def test_a_model_is_an_opponent_of_native_batches(models):
    policy = from_sb3(models["PPO"], "TicTacToe-v0", seed=3)
    logs = []
    for size in (3, 6):
        env = SB3VecEnv("TicTacToe-v0", size, opponent=policy, seat="random", seed=4)
        log = [env.reset()[:3]]
        for _ in range(12):
            log.append(env.step(env.action_masks().argmax(axis=1))[0][:3])
        logs.append(np.stack(log))
    np.testing.assert_array_equal(*logs)


def test_wrappers_of_sb3_go_around_it():
    env = VecCheckNan(VecMonitor(SB3VecEnv("TicTacToe-v0", 4, seed=0)), raise_exception=True)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, seed=0, device="cpu").learn(128)
    assert model.ep_info_buffer[-1]["l"] <= 5
    env.env_method("set_opponent", "minimax:2")
    assert env.get_attr("batch")[0].opponents[0].spec == "minimax:2"


def test_masked_model_agrees_with_its_own_predict(models):
    model, board = models["MaskablePPO"], Board("TicTacToe-v0")
    policy = from_sb3(model, board.game)
    for _ in range(5):
        action, _ = model.predict(board.observation(), action_masks=board.action_mask().astype(bool), deterministic=True)
        assert policy.act(board, deterministic=True) == int(action)
        board.push(int(action))


def test_a_model_of_another_game_is_refused(models):
    with pytest.raises(UnsupportedGameError, match=r"\(3, 3, 4\) and 9 actions; ConnectFour-v0 has \(6, 7, 4\) and 7"):
        from_sb3(models["PPO"], "ConnectFour-v0")
    models["PPO"].boardgym_game = "Othello-v0"
    with pytest.raises(UnsupportedGameError, match="trained on Othello-v0"):
        from_sb3(models["PPO"], "TicTacToe-v0")
    del models["PPO"].boardgym_game
    with pytest.raises(UnsupportedGameError, match="was given a board of ConnectFour-v0"):
        from_sb3(models["PPO"], "TicTacToe-v0").act(Board("ConnectFour-v0"))


@pytest.mark.parametrize("kind", ["MaskablePPO", "PPO", "A2C", "DQN"])
def test_files_need_trust_and_load_as_what_they_are(models, kind, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "model.zip"
    models[kind].save(path)
    with pytest.raises(UntrustedFileError, match="trust=True"):
        make_policy(f"sb3:{path}", "TicTacToe-v0")
    policy = make_policy(f"sb3:{path}", "TicTacToe-v0", trust=True)
    assert type(policy.model).__name__ == kind
    board = Board("TicTacToe-v0")
    assert policy.act(board, deterministic=True) == from_sb3(models[kind], board.game).act(board, deterministic=True)


def test_files_that_are_no_models(tmp_path):
    game = get_game("TicTacToe")
    with pytest.raises(SpecError, match="no file"):
        make_policy("sb3:nowhere.zip", game, trust=True)
    with pytest.raises(SpecError, match="expected the path of a file"):
        make_policy("sb3:", game, trust=True)
    text = tmp_path / "text.zip"
    text.write_text("not a zip")
    with pytest.raises(SpecError, match="not a model"):
        make_policy(f"sb3:{text}", game, trust=True)
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("data", json.dumps({"a": 1}))
    with pytest.raises(SpecError, match="not a model"):
        make_policy(f"sb3:{tmp_path / 'other.zip'}", game, trust=True)
    with zipfile.ZipFile(tmp_path / "half.zip", "w") as archive:
        archive.writestr("data", json.dumps({"policy_class": {"__module__": "stable_baselines3.dqn.policies"}}))
    with pytest.raises(SpecError, match="not a model"):
        make_policy(f"sb3:{tmp_path / 'half.zip'}", game, trust=True)


def test_maskable_ppo_trains_on_the_gymnasium_environment_without_glue():
    env = gym.make("boardgym/TicTacToe-v0", opponent="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, seed=0, device="cpu").learn(128)
    assert model.num_timesteps == 128


def test_training_learns_and_leaves_its_files(tmp_path, monkeypatch):
    """Tic-tac-toe against random: from below 75 % to over 85 %, in some ten seconds."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    config = TrainConfig(
        game="TicTacToe-v0",
        opponent="mix(random, epsilon:0.2(greedy))",
        steps=60_000,
        out=tmp_path / "run",
        hidden=(64, 64),
        num_envs=32,
        trajectory=64,
        batch_size=256,
        learning_rate=3e-3,
        judges=("random",),
        judge_setup="standard",
        points=2,
        threads=1,
        seed=1,
    )
    result = train_sb3(config)
    assert result.is_finished
    first, last = result.training.curve[0][1]["random"], result.training.curve[-1][1]["random"]
    assert last > max(first, 0.85)
    assert {p.name for p in config.out.iterdir()} == {"model.zip", "config.json", "curve.csv", "curve.png"}
    assert json.loads((config.out / "config.json").read_text())["steps"] == 60_000
    policy = make_policy(f"{result.player}", "TicTacToe-v0")  # written by this machine: no trust needed
    judge = Judge(config.game, config.judges, games=config.judge_games, setup="standard", seed=config.seed + 1_000_000)
    assert judge.score_rates(policy.model)["random"] == last
    with pytest.raises(UnsupportedGameError, match=r"trained on TicTacToe-v0"):
        make_policy(f"{result.player}", get_game("ConnectFour-v0", width=3, height=4))


def test_a_missing_library_is_named_with_its_extra(tmp_path):
    code = (
        "import sys, importlib\n"
        "sys.modules['torch'] = sys.modules['stable_baselines3'] = None\n"
        "for name in ('wrappers.sb3', 'wrappers.sb3_features', 'wrappers.sb3_network', 'baselines.learning.sb3.ladder',\n"
        "             'baselines.learning.sb3.selfplay', 'baselines.learning.sb3.trainer', 'baselines.learning.sb3.watch'):\n"
        "    try:\n"
        "        importlib.import_module(f'boardgym.{name}')\n"
        "    except ModuleNotFoundError as error:\n"
        "        print(error.name.partition('.')[0], error)\n"
    )
    lines = run_python("-c", code, cache=tmp_path).stdout.splitlines()
    assert len(lines) == 7
    assert {line.partition(" ")[0] for line in lines} <= {"torch", "stable_baselines3"}
    assert all("needs Stable-Baselines3, which is not installed (" in line for line in lines)
    assert all(line.endswith("pip install 'boardgym[sb3]'") for line in lines)


@pytest.mark.parametrize(
    "bad", [{"steps": 0}, {"hidden": ()}, {"hidden": (0,)}, {"seed": -1}, {"discount": 1.5}, {"learning_rate": float("nan")}]
)
def test_training_refuses_numbers_that_no_run_can_have(bad, tmp_path):
    with pytest.raises(OptionError, match=f"{next(iter(bad))}="):
        train_sb3(TrainConfig(out=tmp_path / "run", **bad))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("bad", "error"),
    [({"games": 3}, OptionError), ({"ladder": ("random", "gready")}, SpecError), ({"ladder": ()}, OptionError)],
)
def test_the_demonstration_refuses_what_it_cannot_compare_before_it_trains(bad, error, tmp_path):
    with pytest.raises(error):
        run_demo(DemoConfig(steps=1000, out=tmp_path / "run", **bad))
    assert not (tmp_path / "run").exists()


def test_compiled_and_foreign_policies_share_the_interface(models):
    game = get_game("TicTacToe")
    for policy in (CompiledPolicy(game, Random(), "random"), from_sb3(models["PPO"], game)):
        assert isinstance(policy, Policy)


def test_the_demo_says_what_the_agent_of_the_package_scores(monkeypatch):
    """Against the opponents of its ladder that both can meet; here another player stands for the agent."""
    monkeypatch.setattr(demo, "BUNDLED", "greedy")
    line = demo.describe_bundled(DemoConfig(games=4, seed=3, ladder=("random", "minimax:2")))
    score = compare("greedy", "ConnectFour-v0", ["minimax:2"], games=4, openings="heldout", seed=3).rows[0].score.value
    assert line == f"Beside it, greedy, which comes with the package, scores {score:.3f} against minimax:2 (4 games each)."
    assert demo.describe_bundled(DemoConfig(ladder=("random",))) == ""
