"""Self-play: the gate, opponents that change while games go on, runs that repeat and resume, and that it learns."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

import boardgym
from boardgym.baselines.learning.curve import Judge, play_games
from boardgym.baselines.learning.opponent_pool import OpponentPool
from boardgym.baselines.learning.sb3.checkpoint import read_checkpoint
from boardgym.baselines.learning.sb3.ladder import LadderCallback
from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig, train_selfplay
from boardgym.baselines.learning.sb3.selfplay_callback import SelfPlayCallback
from boardgym.baselines.networks.network import NetworkPolicy, load_network
from boardgym.core.errors import OptionError, SpecError, UntrustedFileError
from boardgym.core.policy_spec import make_policy
from boardgym.envs.batch import Batch
from boardgym.wrappers import sb3_files
from boardgym.wrappers.sb3 import SB3VecEnv, from_sb3
from boardgym.wrappers.sb3_features import LandingFeatures, SmallBoardCNN

torch.set_num_threads(1)
GAME = "TicTacToe-v0"
SMALL = {"game": GAME, "num_envs": 16, "trajectory": 16, "batch_size": 128, "hidden": (32,), "judges": ("random",),
         "judge_games": 20, "judge_setup": "standard", "setup": "random:0-2", "points": 2, "epochs": 4,
         "learning_rate": 3e-3}  # fmt: skip
POOL = {"pool": True, "gate_games": 20}


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def learner(kind=MaskablePPO, seed=0, env=None, **settings):
    env = env or SB3VecEnv(GAME, 8, seat="random", seed=seed)
    if kind is not A2C:
        settings = {"n_steps": 16, "batch_size": 64, "n_epochs": 2} | settings
    return kind("MlpPolicy", env, seed=seed, device="cpu", **settings)


def test_snapshots_enter_the_pool_and_games_are_booked():
    pool = OpponentPool(GAME, ["random"], anchor_share=0.25)
    callback = SelfPlayCallback(pool, every=256, gate=None, temperature=0.5)
    model = learner().learn(1024, callback=callback)
    assert [record.name for record in pool.snapshot_records] == ["step_256", "step_512", "step_768", "step_1024"]
    assert all(isinstance(policy, NetworkPolicy) for policy in (pool.latest, *pool.snapshots))
    assert {policy.temperature for policy in (pool.latest, *pool.snapshots)} == {0.5}
    assert pool.latest_record.games > 20
    assert pool.anchor_records[0].games > 5
    assert model.get_env().batch.opponents == [pool]
    weights = [policy.layers[0][0] for policy in (pool.latest, *pool.snapshots)]
    assert all((weights[0] != other).any() for other in weights[1:])


def test_the_gate_admits_who_wins_and_refuses_who_does_not():
    """Against an anchor that always takes the last free cell, and against perfect play."""
    weak = NetworkPolicy(GAME, [(np.zeros((36, 9)), 50.0 * np.arange(9))], seed=0)
    callbacks = []
    for anchor in (weak, make_policy("minimax:9", GAME)):
        pool = OpponentPool(GAME, [anchor], latest_share=0.0, anchor_share=1.0)
        callbacks.append(SelfPlayCallback(pool, every=1024, gate=0.55, gate_games=60, setup="standard"))
        learner(n_epochs=4, learning_rate=3e-3, gamma=1.0).learn(6144, callback=callbacks[-1])
    assert [(callback.log[0]["score_rate"], callback.log[0]["is_admitted"]) for callback in callbacks] == [(None, True)] * 2
    first, second = (callback.log[-1] for callback in callbacks)
    assert first["is_admitted"]
    assert first["score_rate"] >= 0.55
    assert not second["is_admitted"]
    assert second["score_rate"] < 0.55
    assert len(callbacks[1].pool.snapshots) == 1


def test_opponents_change_while_games_go_on():
    """Members come and go under games that are being played; every game still ends by its rules, against a member there is."""
    pool = OpponentPool("ConnectFour-v0", ["random"])
    env = SB3VecEnv("ConnectFour-v0", 12, opponent=pool, seat="random", mirror=True, seed=1)
    env.reset()
    rng, ends = np.random.default_rng(0), 0
    shape = (int(np.prod(pool.game.observation_shape)), 7)
    for step in range(120):
        if step % 5 == 4:
            layers = [(rng.normal(size=shape), np.zeros(7))]
            pool.add(NetworkPolicy(pool.game, layers, seed=0), f"s{step}")
            if step % 3 == 0:
                pool.capacity = 1 + step % 4
                while len(pool.snapshots) > pool.capacity:
                    del pool.snapshots[0], pool.snapshot_records[0]
            env.set_opponent(pool)
        masks = env.action_masks()
        _, rewards, dones, infos = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
        for i in np.flatnonzero(dones):
            ends += 1
            assert infos[i]["reason"] == boardgym.Reason.RULES
            assert infos[i]["outcome"] == rewards[i]
            assert 0 <= infos[i]["opponent"] < len(pool.members)
    assert ends > 40
    assert (env.action_masks().sum(axis=1) > 0).all()


@pytest.mark.parametrize("kind", [PPO, A2C])
def test_other_models_play_themselves_as_frozen_copies(kind):
    pool = OpponentPool(GAME)
    kwargs = {"features_extractor_class": SmallBoardCNN, "features_extractor_kwargs": {"features": 8, "channels": 4}}
    callback = SelfPlayCallback(pool, every=128, gate=0.0, gate_games=8)
    learner(kind, policy_kwargs=kwargs).learn(512, callback=callback)
    assert len(pool.snapshots) >= 2
    assert all("snapshot:" in policy.spec for policy in pool.snapshots)
    assert callback.log[1]["score_rate"] is not None


def test_the_same_seed_gives_the_same_weights():
    runs = []
    for seed in (3, 3, 4):
        pool = OpponentPool(GAME)
        model = learner(seed=seed).learn(640, callback=SelfPlayCallback(pool, every=128, gate=0.4, gate_games=10))
        runs.append((model.policy.state_dict(), pool.state()))
    assert runs[0][1] == runs[1][1]
    assert all(torch.equal(a, b) for a, b in zip(runs[0][0].values(), runs[1][0].values(), strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(runs[0][0].values(), runs[2][0].values(), strict=True))


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"every": 0}, "every=0"),
        ({"gate": 1.5}, "gate=1.5"),
        ({"gate_games": 0}, "gate_games=0"),
        ({"temperature": 0.0}, "temperature=0.0"),
    ],
)
def test_wrong_settings(settings, text):
    with pytest.raises(OptionError, match=text):
        SelfPlayCallback(OpponentPool(GAME), **settings)


def test_environments_that_cannot_take_the_pool():
    with pytest.raises(OptionError, match="expected the same game"):
        learner().learn(16, callback=SelfPlayCallback(OpponentPool("ConnectFour-v0")))
    env = DummyVecEnv([lambda: boardgym.envs.single_agent.SingleAgentEnv(GAME)])
    with pytest.raises(OptionError, match="expected an SB3VecEnv"):
        learner(env=env).learn(16, callback=SelfPlayCallback(OpponentPool(GAME)))


def test_it_learns_from_a_pool_of_itself_alone(tmp_path):
    """Tic-tac-toe, random never met: from some 60 % to over 85 % against it. A network's file plays as its model."""
    settings = SMALL | POOL | {"num_envs": 32, "trajectory": 64, "batch_size": 256, "hidden": (64,), "judge_games": 200}
    config = SelfPlayConfig(
        out=tmp_path / "run", steps=49_152, every=4_096, seed=1, entropy=0.01, final_entropy=None, **settings
    )
    result = train_selfplay(config)
    first, last = result.training.curve[0][1]["random"], result.training.curve[-1][1]["random"]
    assert last > max(first + 0.1, 0.85)
    files = {path.name for path in config.out.iterdir()}
    assert files == {"model.zip", "config.json", "curve.csv", "curve.png", "network.safetensors", "pool", "admissions.json"}
    admissions = json.loads((config.out / "admissions.json").read_text())
    assert len(admissions) == 12
    admitted = {entry["name"] for entry in admissions if entry["is_admitted"]} - {entry["gone"] for entry in admissions}
    assert {path.stem for path in (config.out / "pool").glob("*.safetensors")} == admitted
    network, policy = load_network(result.training.network_path, GAME), from_sb3(result.training.model, GAME)
    batch = Batch(GAME, 50, opponent="random")

    def choose(observations, masks):
        return policy.probabilities(observations, masks).argmax(axis=1)

    scores = play_games(batch, choose, seed=5)
    board = boardgym.Board(GAME)
    assert network.act(board, deterministic=True) == policy.act(board, deterministic=True)
    assert scores.mean() > 0.8


def test_it_learns_from_both_seats_of_its_games(tmp_path):
    config = SelfPlayConfig(out=tmp_path / "run", steps=131_072, seed=1, **SMALL | {
        "num_envs": 32, "trajectory": 64, "batch_size": 256, "hidden": (64,), "judge_games": 200})  # fmt: skip
    result = train_selfplay(config)
    first, last = result.training.curve[0][1]["random"], result.training.curve[-1][1]["random"]
    assert last > max(first + 0.1, 0.85)
    assert {path.name for path in config.out.iterdir()} == {
        "model.zip",
        "config.json",
        "curve.csv",
        "curve.png",
        "network.safetensors",
    }
    assert result.training.model.gamma == -1.0
    assert result.training.model.ent_coef < 0.01  # fallen from 0.03 to nearly 0.005
    again = train_selfplay(dataclasses.replace(config, steps=133_120, resume=True))
    assert (again.training.done, again.training.model.gamma) == (133_120, -1.0)


def test_features_of_falling_stones_leave_a_model_and_no_network(tmp_path):
    config = SelfPlayConfig(out=tmp_path / "run", steps=512, seed=1, **SMALL | {"game": "ConnectFour-v0", "channels": 8})
    result = train_selfplay(config)
    assert type(result.training.model.policy.features_extractor) is LandingFeatures
    assert result.training.network_path is None
    assert not (config.out / "network.safetensors").exists()
    assert train_selfplay(dataclasses.replace(config, steps=1024, resume=True)).training.done == 1024


def test_a_run_is_resumed_where_it_was(tmp_path):
    config = {"out": tmp_path / "run", "every": 512, "gate": 0.0, "seed": 2, **SMALL, **POOL}
    with pytest.raises(SpecError, match="no training to resume"):
        train_selfplay(SelfPlayConfig(steps=1024, resume=True, **config))
    first = train_selfplay(SelfPlayConfig(steps=1024, **config))
    before = {
        name: json.loads((tmp_path / "run" / name).read_text()) for name in ("pool/pool.json", "admissions.json", "config.json")
    }
    for change in ({"num_envs": 8}, {"judges": ("greedy",)}, {"gate": 0.5, "every": 256, "hidden": (16,)}):
        with pytest.raises(OptionError) as raised:
            train_selfplay(SelfPlayConfig(**config | change, steps=2048, resume=True))
        assert all(f"{name}=" in str(raised.value) for name in change)
        assert "seed=" not in str(raised.value)
    result = train_selfplay(SelfPlayConfig(steps=2048, resume=True, **config))
    assert (first.training.done, result.training.done) == (1024, 2048)
    earlier = [steps for steps, _ in first.training.curve]
    assert [steps for steps, _ in result.training.curve[: len(earlier)]] == earlier
    pool, admissions = (json.loads((tmp_path / "run" / name).read_text()) for name in ("pool/pool.json", "admissions.json"))
    names = [f"step_{steps}" for steps in (512, 1024, 1536, 2048)]
    assert [record["name"] for record in pool["snapshots"]] == [entry["name"] for entry in admissions] == names
    assert admissions[:2] == before["admissions.json"]
    latest = [state["latest"]["wins"] + state["latest"]["losses"] for state in (before["pool/pool.json"], pool)]
    assert 10 < latest[0] < latest[1] - 10
    settings = json.loads((tmp_path / "run" / "config.json").read_text())
    assert settings == before["config.json"] | {"steps": 2048}
    assert result.training.model.policy.optimizer.param_groups[0]["lr"] < config.get("learning_rate", 3e-3) / 2


def test_a_time_limit_ends_a_run_and_a_fixed_opponent_is_a_control(tmp_path):
    config = SelfPlayConfig(out=tmp_path / "run", steps=10**9, minutes=0.03, opponent="random", seed=2, **SMALL)
    result = train_selfplay(config)
    assert result.is_finished
    assert 0 < result.training.done < 10**6
    assert not (config.out / "pool").exists()
    assert result.training.network_path.is_file()
    judge = Judge(GAME, ("random",), games=20, setup="standard", seed=1_000_002)
    assert judge.score_rates(result.training.model) == result.training.curve[-1][1]


class Interrupting(BaseCallback):
    """Ctrl-C after some steps; 0: before the first."""

    def __init__(self, steps):
        super().__init__()
        self.steps, self.written = steps, []

    def _init_callback(self):
        if self.steps == 0:
            raise KeyboardInterrupt

    def _on_step(self):
        if self.num_timesteps >= self.steps:
            out = self.locals["self"].boardgym_out
            self.written = sorted(path.name for path in out.iterdir())
            raise KeyboardInterrupt
        return True


def test_ctrl_c_keeps_network_pool_and_admissions(tmp_path, monkeypatch):
    """All are there before the last games are played, which a second Ctrl-C ends."""
    config = {"out": tmp_path / "run", "every": 256, "gate": 0.0, "seed": 2, "steps": 2048, **SMALL, **POOL}
    monkeypatch.setattr(MaskablePPO, "boardgym_out", tmp_path / "run", raising=False)
    callback = Interrupting(600)
    result = train_selfplay(SelfPlayConfig(**config), callbacks=(callback,))
    assert not result.is_finished
    assert result.training.done == 608
    assert {"network.safetensors", "admissions.json", "pool"} <= set(callback.written)  # long before the end
    assert [steps for steps, _ in result.training.curve] == [0, 608]
    admissions = json.loads((tmp_path / "run/admissions.json").read_text())
    assert [entry["steps"] for entry in admissions] == [256, 512]
    network, board = load_network(result.training.network_path, GAME), boardgym.Board(GAME)
    np.testing.assert_allclose(
        network.action_probabilities(board), from_sb3(result.training.model, GAME).action_probabilities(board), atol=1e-5
    )

    def again(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(LadderCallback, "finish", again)
    assert train_selfplay(SelfPlayConfig(**config | {"resume": True}), callbacks=(Interrupting(1000),)).ending == "interrupted"
    admissions = json.loads((tmp_path / "run/admissions.json").read_text())
    assert [entry["steps"] for entry in admissions] == [256, 512, 864]
    assert read_checkpoint(tmp_path / "run", trust=False)[0].num_timesteps == 1008
    pool = json.loads((tmp_path / "run/pool/pool.json").read_text())
    assert [record["name"] for record in pool["snapshots"]] == ["step_256", "step_512", "step_864"]


def test_ctrl_c_before_the_first_step(tmp_path):
    config = SelfPlayConfig(out=tmp_path / "run", steps=256, seed=2, **SMALL)
    result = train_selfplay(config, callbacks=(Interrupting(0),))
    assert (result.is_finished, result.training.done, result.training.curve) == (False, 0, ())
    assert result.training.network_path.is_file()


def test_a_run_of_another_machine_is_resumed_on_trust_alone(tmp_path, monkeypatch):
    config = {"out": tmp_path / "run", "seed": 2, **SMALL}
    train_selfplay(SelfPlayConfig(steps=256, trust=True, **config))
    assert not {"trust", "resume"} & set(json.loads((tmp_path / "run/config.json").read_text()))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setattr(sb3_files, "_own", set())
    with pytest.raises(UntrustedFileError, match="--trust"):
        train_selfplay(SelfPlayConfig(steps=512, resume=True, **config))
    assert train_selfplay(SelfPlayConfig(steps=512, resume=True, trust=True, **config)).training.done == 512


def test_settings_of_a_pool_that_is_not_there(tmp_path):
    with pytest.raises(OptionError, match=r"every=5, anchors=\('random',\) without a pool"):
        train_selfplay(SelfPlayConfig(out=tmp_path / "run", every=5, anchors=("random",)))
    with pytest.raises(OptionError, match="opponent='greedy' and a pool"):
        train_selfplay(SelfPlayConfig(out=tmp_path / "run", pool=True, opponent="greedy"))
    with pytest.raises(OptionError, match="landing=3 with a pool"):
        train_selfplay(SelfPlayConfig(game="ConnectFour-v0", out=tmp_path / "run", pool=True))
    for wrong, text in (({"seat": "all"}, "seat='all'"), ({"seat": "1"}, "both are played"), ({"landing": -1}, "landing=-1"),
                        ({"game": "ConnectFour-v0", "window": 4}, "landing=3 and window=4")):  # fmt: skip
        with pytest.raises(OptionError, match=text):
            train_selfplay(SelfPlayConfig(out=tmp_path / "run", **wrong))
    with pytest.raises(OptionError, match="final_entropy=-1"):
        train_selfplay(SelfPlayConfig(out=tmp_path / "run", final_entropy=-1.0))
    assert not (tmp_path / "run").exists()


def test_what_is_left_open_is_settled_once():
    """Games start after up to 10 random plies, at most a third of the longest; the layer of landing cells is Connect Four's."""
    starts = {
        game: SelfPlayConfig(game=game, out=Path("x")).settled().setup
        for game in ("TicTacToe-v0", "ConnectFour-v0", "CardPoints-v0")
    }
    assert starts == {"TicTacToe-v0": "random:0-3", "ConnectFour-v0": "random:0-10", "CardPoints-v0": "random:0-2"}
    assert SelfPlayConfig(setup="standard", out=Path("x")).settled().setup == "standard"
    assert SelfPlayConfig(game="TicTacToe-v0", window=2, out=Path("x")).settled().window == 2


def test_a_run_keeps_where_its_games_start(tmp_path):
    config = SelfPlayConfig(out=tmp_path / "run", steps=256, seed=2, **SMALL | {"setup": ""})
    train_selfplay(config)
    assert json.loads((tmp_path / "run/config.json").read_text())["setup"] == "random:0-3"
    train_selfplay(dataclasses.replace(config, steps=512, resume=True))
    with pytest.raises(OptionError, match="setup='standard'"):
        train_selfplay(dataclasses.replace(config, steps=512, resume=True, setup="standard"))


def test_a_run_of_another_version_is_not_resumed(tmp_path):
    config = SelfPlayConfig(out=tmp_path / "run", steps=256, seed=2, **SMALL)
    train_selfplay(config)
    path = tmp_path / "run/config.json"
    settings = json.loads(path.read_text())
    del settings["pool"], settings["landing"]
    path.write_text(json.dumps(settings))
    with pytest.raises(SpecError, match=r"no training to resume: .*missing required field `(pool|landing)`"):
        train_selfplay(dataclasses.replace(config, steps=512, resume=True))


@pytest.mark.parametrize("text", ["[]", "{", '{"steps": "many"}', '{"colour": 1}', '{"hidden": [0.5]}', '{"sampling": "best"}'])
def test_settings_that_no_run_wrote(text, tmp_path):
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(SpecError, match="no training to resume"):
        train_selfplay(SelfPlayConfig(out=tmp_path, resume=True))


def test_snapshots_that_cannot_be_saved_are_refused_before_the_training(tmp_path):
    pool = OpponentPool(GAME)
    kwargs = {"features_extractor_class": SmallBoardCNN, "features_extractor_kwargs": {"features": 8, "channels": 4}}
    with pytest.raises(OptionError, match="no multilayer perceptron"):
        learner(policy_kwargs=kwargs).learn(128, callback=SelfPlayCallback(pool, folder=tmp_path / "pool"))
    assert pool.latest is None


def test_whoever_was_the_latest_self_makes_room():
    other = NetworkPolicy(GAME, [(np.zeros((36, 9)), np.zeros(9))])
    for latest in (make_policy("greedy", GAME), other):
        pool = OpponentPool(GAME)
        pool.set_latest(latest)
        learner().learn(128, callback=SelfPlayCallback(pool))
        assert pool.latest is not latest
        assert [a.shape for a, _ in pool.latest.layers] == [(36, 64), (64, 64), (64, 9)]
