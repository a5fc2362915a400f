"""What the field has added to Q-learning with networks: each option against PyTorch, on small games."""

import dataclasses

import numpy as np
import pytest

from boardgym.baselines.learning.q_network import options as op
from boardgym.baselines.learning.q_network.agent import trimmed
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import CHECKPOINTS, QNetwork
from boardgym.compile import as_python
from boardgym.core.errors import OptionError, SpecError
from tests.learning.q_network.reference import Reference

SMALL = QNetworkConfig(game="TicTacToe-v0", games=14, hidden=5, weight_span=0.8, step_size=0.5, discount=0.9)
ALL_OF_THEM = {"n_steps": 2, "replay": 50, "batch": 2, "target_every": 20, "double": True, "symmetries": "random"}


def difference(training, reference):
    theirs = {name: part.detach().numpy() for name, part in reference.weights.items()}
    return max(np.abs(part - theirs[name]).max() for name, part in trimmed(training.nets, SMALL.hidden).items())


@pytest.mark.parametrize(
    "options",
    [
        {"n_steps": 2},
        {"n_steps": 9, "shares": True},  # more than a game has: what games paid
        {"replay": 1},
        {"replay": 30, "batch": 3, "form": "multi"},
        {"target_every": 17},
        {"target_every": 17, "double": True, "form": "pair"},
        {"symmetries": "random"},
        {"symmetries": "all", "games": 10},
        ALL_OF_THEM,
    ],
)
def test_each_option_is_that_of_pytorch(options):
    config = dataclasses.replace(SMALL, **options)
    training = QNetwork(config)
    plain = QNetwork(dataclasses.replace(SMALL, form=config.form, shares=config.shares, games=config.games))
    reference = Reference(training)
    training.play_to(config.games)
    plain.play_to(config.games)
    for game in range(config.games):
        reference.play_with_options(0.001 ** (game / config.games))
    assert difference(training, reference) < 1e-10
    assert training.rng.tolist() == reference.rng.tolist()
    assert training.totals.counts[:, 4].sum() == reference.updates
    if options != {"replay": 1}:  # which is the latest decision
        assert difference(plain, reference) > 1e-4


@pytest.mark.parametrize("form", ["single", "multi", "pair"])
@pytest.mark.parametrize("shares", [False, True])
def test_without_options_the_loop_with_them_is_that_of_the_study(form, shares, monkeypatch):
    """To the last bit: weights, draws, counts."""
    config = dataclasses.replace(SMALL, form=form, shares=shares, setup="random:0-3" if shares else "standard")
    plain, general = QNetwork(config), QNetwork(config)
    monkeypatch.setattr(QNetworkConfig, "has_options", False)
    plain.play_to(14)
    monkeypatch.setattr(QNetworkConfig, "has_options", True)
    general.play_to(14)
    for name, part in trimmed(plain.nets, 5).items():
        assert part.tolist() == trimmed(general.nets, 5)[name].tolist()
    assert plain.totals.errors.tolist() == general.totals.errors.tolist()
    assert plain.totals.counts.tolist() == general.totals.counts.tolist()
    assert plain.rng.tolist() == general.rng.tolist()


def test_othello_with_passes_and_symmetries(monkeypatch):
    """On 4 x 4, where a pass lies between decisions; not compiled."""
    monkeypatch.setattr(op, "play_options_kernel", as_python(op.play_options_kernel))
    training = QNetwork(QNetworkConfig(option=("size=4",), games=10, hidden=4, symmetries="all", n_steps=2))
    training.play_to(2)  # of them
    counts = training.totals.counts.sum(axis=0)
    decisions = training.experience.counts[op.STORED]
    assert counts[4] == 8 * decisions
    assert decisions <= counts[3]


@pytest.mark.parametrize(("form", "shares"), [("single", False), ("multi", True)])
def test_parts_do_not_change_the_result_with_options(form, shares, tmp_path):
    """What is kept from game to game is in the checkpoint."""
    config = dataclasses.replace(SMALL, **ALL_OF_THEM, form=form, shares=shares)
    whole, first, second = (QNetwork(config) for _ in range(3))
    whole.play_to(14)
    first.play_to(6)
    first.save_checkpoint(tmp_path / "checkpoint.safetensors")
    second.load_checkpoint(tmp_path / "checkpoint.safetensors")
    second.play_to(14)
    for one, name in ((whole, "whole"), (second, "second")):
        one.save_checkpoint(tmp_path / name)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "second").read_bytes()
    arrays, header = CHECKPOINTS.read(tmp_path / "whole", {})
    rest = {key: header[key] for key in ("training", "done")}
    for name, change in (
        ("stored_rows", lambda it: it - 1),
        ("stored_facts", lambda it: it + 9),
        ("stored_numbers", lambda it: it * np.nan),
        ("stored_counts", lambda it: -it),
        ("target_input_weights", lambda it: it * np.inf),
    ):
        CHECKPOINTS.write(tmp_path / "damaged", {**arrays, name: change(arrays[name])}, rest)
        with pytest.raises(SpecError):
            QNetwork(config).load_checkpoint(tmp_path / "damaged")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"double": True}, "double=True: expected target_every too"),
        ({"batch": 2}, "batch=2: expected at most replay=0"),
        ({"n_steps": 0}, "n_steps=0: expected a whole number from 1"),
        ({"replay": -1}, "replay=-1: expected a whole number from 0"),
    ],
)
def test_what_is_refused(change, message):
    with pytest.raises(OptionError, match=message):
        QNetwork(dataclasses.replace(SMALL, **change))
