"""The ladder callback: points at the right steps, intervals, files, the logger's keys."""

import csv

import pytest
import torch
from sb3_contrib import MaskablePPO
from scipy.stats import beta
from stable_baselines3 import DQN
from stable_baselines3.common.logger import KVWriter, Logger

from boardgym.baselines.learning.curve import Judge, draw_curve, ends_of, play_games, save_curve
from boardgym.baselines.learning.sb3.ladder import LadderCallback, summary
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.envs.batch import Batch
from boardgym.wrappers.sb3 import SB3VecEnv

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
    ladder = LadderCallback(
        GAME,
        ("random", "minimax:2"),
        every=128,
        games=10,
        setup="random:2",
        csv=tmp_path / "curve.csv",
        picture=tmp_path / "curve.png",
        on_point=lambda steps, scores: seen.append((steps, scores)),
    )
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
        low, high = ends_of(rate, 10)[1:]
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


def test_interval_of_ten_games():
    """Clopper and Pearson's, whose ends are quantiles of beta distributions: of (8, 3) and (9, 2) for 8 of 10."""
    low, high = ends_of(0.8, 10)[1:]
    assert low == pytest.approx(beta.ppf(0.025, 8, 3), abs=1e-6)
    assert high == pytest.approx(beta.ppf(0.975, 9, 2), abs=1e-6)
    assert ends_of(0.0, 10)[1] == 0.0
    assert ends_of(1.0, 10)[2] == pytest.approx(1.0)
    assert summary({"random": 0.876, "greedy": 0.5}) == "random 88%  greedy 50%"


def test_curves_of_changing_judges(tmp_path):
    curve = [(0, {"random": 0.5}), (10, {"greedy": 0.25, "random": 0.75}), (20, {"greedy": 1.0})]
    save_curve(tmp_path / "curve.csv", curve, 10)
    draw_curve(tmp_path / "curve.png", "", curve, 10)
    with (tmp_path / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["steps"], row["random"], row["greedy"]) for row in rows] == [
        ("0", "0.5", ""),
        ("10", "0.75", "0.25"),
        ("20", "", "1.0"),
    ]
    assert float(rows[1]["greedy high"]) == pytest.approx(ends_of(0.25, 10)[2], abs=1e-6)
    assert rows[2]["random low"] == ""


class EveryPlyPays(Batch):
    """Rewards shaped for a learner that likes long games."""

    @property
    def rewards(self):
        """3 a ply more than the rules pay."""
        return super().rewards + 3.0


def test_games_are_scored_by_their_outcome():
    """Not by what the learner was paid on the way. The first free cell, against random: all three outcomes occur."""
    scores = [
        play_games(kind(GAME, 60, opponent="random"), lambda _, masks: masks.argmax(axis=1), seed=3)
        for kind in (Batch, EveryPlyPays)
    ]
    assert set(scores[0]) == {0.0, 0.5, 1.0}
    assert (scores[0] == scores[1]).all()


def test_judges_of_more_than_two_seats_are_refused():
    with pytest.raises(UnsupportedGameError, match="3 seats; expected a game of two"):
        Judge("Abalone3-v0", ("random",), games=2, setup="standard", seed=0)


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
