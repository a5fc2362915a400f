"""The ladder callback: points at the right steps, intervals, files, the logger's keys."""

import csv

import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN
from stable_baselines3.common.logger import KVWriter, Logger

from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.wrappers.learning_curve import wilson
from boardgym.wrappers.sb3 import SB3VecEnv
from boardgym.wrappers.sb3_ladder import LadderCallback, summary

torch.set_num_threads(1)
GAME = "TicTacToe-v0"


class Keeper(KVWriter):
    """Keeps what a model logs."""

    def __init__(self):
        self.rows = []

    def write(self, key_values, key_excluded, step=0):
        self.rows.append((step, dict(key_values)))

    def close(self):
        pass


def learner(game=GAME):
    return MaskablePPO("MlpPolicy", SB3VecEnv(game, 4, seed=0), n_steps=16, batch_size=64, seed=0, device="cpu")


def test_points_files_and_keys(tmp_path):
    seen = []
    ladder = LadderCallback(GAME, ("random", "minimax:2"), every=128, games=10, setup="random:2", csv=tmp_path / "curve.csv",
                            picture=tmp_path / "curve.png",
                            on_point=lambda steps, scores: seen.append((steps, scores)))  # fmt: skip
    keeper, model = Keeper(), learner()
    model.set_logger(Logger(None, [keeper]))
    model.learn(320, callback=ladder)
    assert [steps for steps, _ in ladder.curve] == [0, 128, 256, 320]
    assert seen == ladder.curve
    with (tmp_path / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["steps", *(f"{rung}{end}" for rung in ("random", "minimax:2") for end in ("", " low", " high"))]
    assert [float(row["random"]) for row in rows] == pytest.approx([scores["random"] for _, scores in ladder.curve])
    assert all(float(row["random low"]) <= float(row["random"]) <= float(row["random high"]) for row in rows)
    assert {path.name for path in tmp_path.iterdir()} == {"curve.csv", "curve.png"}
    step, last = keeper.rows[-1]
    assert step == 320
    for rung, rate in ladder.curve[-1][1].items():
        low, high = wilson(rate, 10)
        assert (last[f"ladder/{rung}"], last[f"ladder/{rung}_low"], last[f"ladder/{rung}_high"]) == (rate, low, high)
    again = LadderCallback(GAME, ("random", "minimax:2"), games=10, setup="random:2")
    again.init_callback(model)
    assert again.judge.score_rates(model) == ladder.curve[-1][1]  # the same games each time


def test_models_without_masks_are_judged_too():
    env = SB3VecEnv(GAME, 4, illegal="random", seed=0)
    model = DQN("MlpPolicy", env, buffer_size=200, learning_starts=32, seed=0, device="cpu")
    ladder = LadderCallback(GAME, ("random",), every=40, games=6)
    model.learn(80, callback=ladder)
    assert [steps for steps, _ in ladder.curve] == [0, 40, 80]


def test_interval_by_hand():
    """z = 1.96, 8 of 10: centre (0.8 + 0.19207) / 1.38414, half 1.96 sqrt(0.016 + 0.0096036) / 1.38414."""
    low, high = wilson(0.8, 10)
    assert low == pytest.approx(0.49016, abs=1e-4)
    assert high == pytest.approx(0.94331, abs=1e-4)
    assert wilson(0.0, 10)[0] == 0.0
    assert wilson(1.0, 10)[1] == pytest.approx(1.0)
    assert summary({"random": 0.876, "greedy": 0.5}) == "random 88%  greedy 50%"


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"every": 0}, OptionError, "every=0"),
        ({"games": 0}, OptionError, "games=0"),
        ({"ladder": ()}, OptionError, "one opponent"),
        ({"ladder": ("gready",)}, SpecError, "gready"),
        ({"setup": "chess"}, OptionError, "chess"),
    ],
)
def test_wrong_settings(settings, error, text):
    with pytest.raises(error, match=text):
        LadderCallback(GAME, **settings)


def test_a_model_of_another_game_is_refused():
    with pytest.raises(UnsupportedGameError, match="and 7 actions; TicTacToe-v0"):
        learner("ConnectFour-v0").learn(64, callback=LadderCallback(GAME, ("random",), games=2))
