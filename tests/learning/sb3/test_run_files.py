"""Files in a folder that holds no run: those that a training would write over are refused, others are none of its business."""

import dataclasses
from functools import partial

import pytest
import torch

from boardgym.baselines.learning.coevolution import CoevolutionConfig, train_coevolution
from boardgym.baselines.learning.run_folders import CHECKPOINTS, CONFIG, FORMER_CHECKPOINT
from boardgym.baselines.learning.sb3.config import TrainConfig
from boardgym.baselines.learning.sb3.demo import DemoConfig, run_demo
from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig, train_selfplay
from boardgym.baselines.learning.sb3.trainer import train_sb3
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import train_tabular
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import train_network
from boardgym.core.errors import OptionError, SpecError

torch.set_num_threads(1)
SMALL = {"game": "TicTacToe-v0", "num_envs": 16, "trajectory": 16, "batch_size": 128, "hidden": (16,), "judges": ("random",),
         "judge_games": 2, "judge_setup": "standard", "setup": "random:0-2", "points": 1, "epochs": 1, "steps": 256,
         "seed": 3}  # fmt: skip
POOL = {"pool": True, "gate_games": 2, "every": 256, "capacity": 2, "anchors": ("random",)}


def by_sb3(train, config, out):
    train(dataclasses.replace(config, out=out))


def by_table(out):
    train_tabular(TabularConfig(episodes=10, greedy_episodes=0), out)


KINDS = {
    "sb3": partial(by_sb3, train_sb3, TrainConfig(opponent="random", **SMALL)),
    "selfplay": partial(by_sb3, train_selfplay, SelfPlayConfig(**SMALL)),
    "landing": partial(by_sb3, train_selfplay, SelfPlayConfig(**{**SMALL, "game": "ConnectFour-v0"}, landing=1)),
    "pool": partial(by_sb3, train_selfplay, SelfPlayConfig(**SMALL, **POOL)),
    "demo": partial(by_sb3, run_demo, DemoConfig(steps=1, games=2, ladder=("random",))),
    "tabular": by_table,
    "td": partial(train_network, NetworkConfig(game="TicTacToe-v0", option=(), features="planes", episodes=10)),
    "coevolution": partial(train_coevolution, CoevolutionConfig(game="TicTacToe-v0", generations=1)),
}
LEFT = {  # beside config.json, the checkpoint and the folder of a pool
    "sb3": {"curve.csv", "curve.png"},
    "selfplay": {"curve.csv", "curve.png", "network.safetensors"},
    "landing": {"curve.csv", "curve.png"},
    "pool": {"curve.csv", "curve.png", "network.safetensors", "admissions.json"},
    "demo": {"curve.csv", "curve.png", "comparison.json", "game.json"},
    "tabular": {"agent.safetensors", "curve.csv"},
    "td": {"agent.safetensors", "curve.csv"},
    "coevolution": {"agent.safetensors", "curve.csv"},
}


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_run_leaves_it_does_not_write_over(kind, tmp_path):
    """And what other runs leave is no hindrance, but for their checkpoints."""
    others = tmp_path / "run"
    others.mkdir()
    strange = {name for names in LEFT.values() for name in names} - LEFT[kind]
    for name in strange:
        (others / name).write_text("dear")
    KINDS[kind](others)
    assert {(others / name).read_text() for name in strange} == {"dear"}
    left = {path.name for path in others.iterdir() if path.is_file()} - strange - {CONFIG}
    (checkpoint,) = left & {*CHECKPOINTS}
    assert left - {checkpoint} == LEFT[kind]
    own = {checkpoint, *((FORMER_CHECKPOINT,) if kind == "coevolution" else ())}
    for name in (*LEFT[kind], *({*CHECKPOINTS} - own)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).write_text("dear")
        match = rf"holds {name}, and no config.json that says of what training; train into another .*, or move it away"
        with pytest.raises(OptionError, match=match):
            KINDS[kind](folder)
        assert [(path.name, path.read_text()) for path in folder.iterdir()] == [(name, "dear")]


def test_a_strangers_file_under_the_former_name_is_left_as_it_is(tmp_path):
    (tmp_path / FORMER_CHECKPOINT).write_text("dear")
    with pytest.raises(SpecError, match="not a training of champions"):
        KINDS["coevolution"](tmp_path)
    assert (tmp_path / FORMER_CHECKPOINT).read_text() == "dear"
