"""The opponent pool: weights by numbers worked out by hand, eviction, books, files."""

import json
import math

import numpy as np
import pytest

from boardgym.baselines.learning.opponent_pool import OpponentPool, Record
from boardgym.baselines.learning.pool_files import restore_pool, save_pool
from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.core.board import Board
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.policy import Policy
from boardgym.core.policy_spec import make_policy
from boardgym.envs.batch import Batch

GAME = "TicTacToe-v0"


def network(number):
    """A network that likes cell `number` best."""
    return NetworkPolicy(GAME, [(np.zeros((36, 9)), 5.0 * (np.arange(9) == number))], seed=0)


def pool_with_rates(rates, **settings):
    pool = OpponentPool(GAME, **settings)
    for number, rate in enumerate(rates):
        pool.add(network(number), f"s{number}")
        pool.snapshot_records[number].score_rate = rate
    return pool


def test_shares_of_latest_anchors_and_snapshots():
    pool = OpponentPool(GAME, ["random", "minimax:2"], latest_share=0.5, anchor_share=0.2)
    np.testing.assert_allclose(pool.weights, [0.5, 0.5])  # anchors alone share everything
    pool.set_latest(network(0))
    np.testing.assert_allclose(pool.weights, [5 / 7, 1 / 7, 1 / 7])
    pool.add(network(1), "a")
    pool.add(network(2), "b")
    np.testing.assert_allclose(pool.weights, [0.5, 0.1, 0.1, 0.15, 0.15])
    assert [record.name for record in pool.records] == ["latest", "random", "minimax:2", "a", "b"]
    assert len(pool.members) == 5
    selection = pool.without_latest()
    assert selection.members == pool.members[1:]
    np.testing.assert_allclose(selection.weights, [0.2, 0.2, 0.3, 0.3])


def test_an_empty_pool_says_what_to_do():
    pool = OpponentPool(GAME)
    assert pool.without_latest() is None
    assert len(pool.weights) == 0
    with pytest.raises(OptionError, match="pool is empty"):
        pool.members  # noqa: B018
    pool.set_latest(network(0))
    assert pool.without_latest() is None
    np.testing.assert_array_equal(pool_with_rates((0.5,), latest_share=1.0).weights, [1.0])


def test_anchors_are_played():
    """A fifth of the games if nobody says how many; a share of none would gate snapshots by who is never met."""
    pool = OpponentPool(GAME, ["random"])
    pool.set_latest(network(0))
    pool.add(network(1), "a")
    np.testing.assert_allclose(pool.weights, [0.5, 0.2, 0.3])
    assert OpponentPool(GAME).anchor_share == 0.0


def test_sampling_by_hand():
    """pfsp: 0.25, 0.09, and 0.0 lifted to 0.01. rating: d = 0, 400 log10(9) = 381.7 Elo, and beyond all bounds."""
    rates, shares = (0.5, 0.9, 1.0), {"latest_share": 0.0}
    np.testing.assert_allclose(pool_with_rates(rates, sampling="uniform", **shares).weights, [1 / 3] * 3)
    np.testing.assert_allclose(pool_with_rates(rates, sampling="pfsp", **shares).weights, np.array([25, 9, 1]) / 35)
    elo = math.exp(-((400 * math.log10(9) / 200) ** 2) / 2)
    assert elo == pytest.approx(0.16187, abs=1e-4)
    expected = np.array([1.0, elo, 0.01])
    np.testing.assert_allclose(pool_with_rates(rates, sampling="rating", **shares).weights, expected / expected.sum())


def test_score_rates_run():
    """1/2, then a win counts half: 3/4; a draw a third: 2/3; a loss a quarter: 1/2; with memory 1 a third as well."""
    record, short = Record("a"), Record("b")
    rates = []
    for outcome in (1, 0, -1):
        record.add(outcome, 100)
        rates.append(record.score_rate)
    np.testing.assert_allclose(rates, [3 / 4, 2 / 3, 1 / 2])
    assert (record.wins, record.draws, record.losses, record.games) == (1, 1, 1, 3)
    for outcome in (1, 0, -1):
        short.add(outcome, 1)
    assert short.score_rate == pytest.approx(2 / 3 * 2 / 3)


def test_results_reach_the_right_member():
    pool = pool_with_rates((0.5, 0.5))
    pool.set_latest(network(3))
    pool.record([0, 2, 2], np.array([1, -1, 0]))
    assert [record.games for record in pool.records] == [1, 0, 2]
    assert pool.latest_record.wins == pool.snapshot_records[1].losses == pool.snapshot_records[1].draws == 1
    for opponents, outcomes, text in (([3], [1], "opponent 3"), ([0], [2], "outcome 2"), ([0, 1], [1], "as many")):
        with pytest.raises(OptionError, match=text):
            pool.record(opponents, outcomes)


def test_the_surest_victim_goes_but_never_the_newest_nor_an_anchor():
    pool = OpponentPool(GAME, ["random"], capacity=3)
    for number in range(3):
        assert pool.add(network(number), f"s{number}") is None
    for record, rate in zip(pool.snapshot_records, (0.6, 0.8, 0.8), strict=True):
        record.score_rate = rate
    pool.anchor_records[0].score_rate = 1.0
    assert pool.add(network(3), "s3") == "s1"  # of two equals the older
    assert [record.name for record in pool.snapshot_records] == ["s0", "s2", "s3"]
    assert [policy.layers[0][1].argmax() for policy in pool.snapshots] == [0, 2, 3]
    single = OpponentPool(GAME, capacity=1)
    single.add(network(0), "old")
    assert single.add(network(1), "new") == "old"


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"sampling": "pfps"}, OptionError, "did you mean 'pfsp'"),
        ({"capacity": 0}, OptionError, "capacity=0"),
        ({"memory": 0}, OptionError, "memory=0"),
        ({"latest_share": 0.7, "anchor_share": 0.4}, OptionError, "together at most 1"),
        ({"members": ["gready"]}, SpecError, "gready"),
        ({"members": ["random"], "anchor_share": 0.0}, OptionError, "1 anchors, which would never be played"),
        ({"game": "Abalone3-v0"}, UnsupportedGameError, "has 3 seats; expected a game of two"),
    ],
)
def test_wrong_settings(settings, error, text):
    with pytest.raises(error, match=text):
        OpponentPool(**{"game": GAME} | settings)


@pytest.mark.parametrize("name", ["", "a/b", "..", "a" * 61, "taken"])
def test_names_are_those_of_files(name):
    pool = OpponentPool(GAME)
    pool.add(network(0), "taken")
    with pytest.raises(OptionError, match="expected a new name"):
        pool.add(network(0), name)


def test_it_is_an_opponent_everywhere():
    pool = pool_with_rates((0.5, 0.5), latest_share=0.0)
    assert isinstance(pool, Policy)
    batch = Batch(GAME, 200, opponent=pool)
    batch.seed(list(range(200)))
    batch.restart(batch.everywhere)
    assert 70 < batch.infos()["opponent"].sum() < 130
    firsts = set()
    for seed in range(20):
        pool.reset(seed=seed)
        firsts.add(pool.act(Board(GAME), deterministic=True))
    assert firsts == {0, 1}


def test_files_bring_everything_back(tmp_path):
    pool = OpponentPool(GAME, ["random"], capacity=2, anchor_share=0.25)
    for number in range(3):
        pool.add(network(number), f"s{number}")
        pool.set_latest(network(8))
        pool.record([0, 1, 2], [1, 0, -1])
        save_pool(pool, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pool.json", "s0.safetensors", "s2.safetensors"]
    assert json.loads((tmp_path / "pool.json").read_text())["game"] == GAME
    other = OpponentPool(GAME, ["random"], capacity=2, anchor_share=0.25)
    restore_pool(other, tmp_path)
    assert other.state() == pool.state()
    np.testing.assert_array_equal(other.snapshot_weights(), pool.snapshot_weights())
    assert [policy.act(Board(GAME), deterministic=True) for policy in other.snapshots] == [0, 2]
    small = OpponentPool(GAME, ["random"], capacity=1)
    restore_pool(small, tmp_path)
    assert [record.name for record in small.snapshot_records] == ["s2"]


def test_files_of_others_stay(tmp_path):
    for name in ("mine.safetensors", "s9.safetensors", "notes.txt"):
        (tmp_path / name).write_text("not the pool's")
    pool = pool_with_rates((0.5,), capacity=1)
    save_pool(pool, tmp_path)
    pool.add(network(1), "s1")
    save_pool(pool, tmp_path)
    names = ["mine.safetensors", "notes.txt", "pool.json", "s1.safetensors", "s9.safetensors"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert (tmp_path / "mine.safetensors").read_text() == "not the pool's"
    (tmp_path / "pool.json").write_text(
        '{"snapshots": [{"name": "../mine"}, {"name": "mine"}]}'
    )  # no pool's: nobody's to delete
    save_pool(pool, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == names


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"score_rate": 1.5}, "<= 1.0.*score_rate"),
        ({"score_rate": math.nan}, "malformed"),
        ({"score_rate": "0.5"}, "got `str`.*score_rate"),
        ({"wins": -1}, ">= 0.*wins"),
        ({"wins": 0.5}, "got `float`.*wins"),
        ({"draws": True}, "got `bool`.*draws"),
        ({"name": 7}, "got `int`.*name"),
        ({"name": "s1"}, "names that differ"),
    ],
)
def test_records_that_no_pool_can_have(change, text, tmp_path):
    pool = pool_with_rates((0.5, 0.6))
    save_pool(pool, tmp_path)
    state = json.loads((tmp_path / "pool.json").read_text())
    state["snapshots"][0] |= change
    (tmp_path / "pool.json").write_text(json.dumps(state))
    with pytest.raises(SpecError, match=text):
        restore_pool(pool, tmp_path)
    assert len(pool.snapshots) == 2


def test_files_that_are_no_pool(tmp_path):
    pool = pool_with_rates((0.5,))
    with pytest.raises(SpecError, match="no pool"):
        restore_pool(pool, tmp_path)
    save_pool(pool, tmp_path)
    with pytest.raises(SpecError, match=r"with the anchors \[\]; expected TicTacToe-v0 with \['random'\]"):
        restore_pool(OpponentPool(GAME, ["random"]), tmp_path)
    with pytest.raises(SpecError, match="a pool of TicTacToe-v0"):
        restore_pool(OpponentPool("ConnectFour-v0"), tmp_path)
    state = json.loads((tmp_path / "pool.json").read_text())
    state["snapshots"][0]["name"] = "../s0"
    (tmp_path / "pool.json").write_text(json.dumps(state))
    with pytest.raises(SpecError, match="expected names that differ, of letters"):
        restore_pool(pool, tmp_path)
    assert make_policy(pool, GAME) is pool
    pool.add(make_policy("random", GAME), "compiled")
    with pytest.raises(OptionError, match=r"a method save\(path\)"):
        save_pool(pool, tmp_path)
