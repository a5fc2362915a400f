"""Tabular agents: what they play and know, their files, and what is done with files."""

import copy
import json
import pickle
import re
import tracemalloc

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines import compare
from boardgym.baselines.array_files import digest_of
from boardgym.baselines.learning.tabular import agent as ag
from boardgym.baselines.learning.tabular import table as tb
from boardgym.baselines.learning.tabular.agent import TabularAgent, load_agent, merge, prune, statistics
from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.table import Columns
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.cli import main
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from tests.learning.tabular.test_table import crowded


@pytest.fixture(scope="module")
def agent():
    return TableTrainer(TabularConfig(episodes=1500, greedy_episodes=500)).run()


@pytest.fixture
def file(agent, tmp_path):
    agent.save(tmp_path / "a.safetensors")
    return tmp_path / "a.safetensors"


def boards(count=30):
    for number in range(count):
        board = Board("TicTacToe", setup="random:0-5", seed=number)
        if not board.is_terminal:
            yield board


def test_files_copies_and_pickles_play_the_same(agent, file):
    others = [make_policy(f"file:{file}", "TicTacToe", seed=1), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))]
    for board in boards():
        expected, visits = agent.action_values(board), agent.visit_counts(board)
        for other in others:
            assert other.action_values(board) == expected
            assert other.visit_counts(board) == visits
            assert other.act(board, deterministic=True) == agent.act(board, deterministic=True)
    assert others[0].spec == f"file:{file}"
    assert len(others[0]) == len(agent)
    assert others[0].facts["training"]["episodes"] == 1500


def test_it_plays_the_best_it_knows(agent):
    for board in boards():
        values = agent.action_values(board)
        best = {action for action, value in values.items() if value == max(values.values())}
        assert {agent.act(board) for _ in range(40)} <= best
        assert agent.act(board, deterministic=True) == min(best)
        found = agent.analyse(board)
        assert found.action == min(best)
        assert (
            found.value == agent.evaluate(board) == pytest.approx(max(v / (100.0 if v > 0 else 50.0) for v in values.values()))
        )
    assert set(values) == set(board.legal_actions)


def test_it_is_compared(file):
    row = compare(f"file:{file}", game="TicTacToe", opponents=["random"], games=100).rows[0]
    assert row.score.low > 0.5


def test_a_native_environment_plays_it(file):
    """Its moves inside the step are those of a board."""
    import gymnasium as gym

    envs = gym.make_vec("boardgym/TicTacToe-v0", num_envs=4, opponent=f"file:{file}", seat=1)
    _, infos = envs.reset(seed=3)
    agent = load_agent(file)
    values = agent.action_values(Board("TicTacToe"))
    best = max(values.values())
    for mask in infos["action_mask"]:
        (taken,) = np.flatnonzero(mask == 0)
        assert values[int(taken)] == best


def test_other_games_are_refused(file):
    with pytest.raises(UnsupportedGameError, match="is for game 'TicTacToe-v0', asked for is 'ConnectFour-v0'"):
        make_policy(f"file:{file}", "ConnectFour")


def rewritten(file, header=None, **arrays):
    """The same file with other arrays or another header, all its digests right."""
    found, facts = ag.AGENTS.read(file, {})
    facts = {name: value for name, value in facts.items() if name not in ("format", "version", "sha256", "header_sha256")}
    ag.AGENTS.write(file, {**found, **arrays}, {**facts, **(header or {})})


def test_damaged_files_are_refused(file, tmp_path):
    whole = file.read_bytes()
    for content, words in (
        (whole[:-1], "not an agent that boardgym wrote"),
        (whole[:100], "not an agent that boardgym wrote"),
        (whole[:-1] + bytes([whole[-1] ^ 1]), "digest"),
        (whole.replace(b"pessimistic_q", b"pessimistic_r"), "digest"),
        (b"", "not an agent that boardgym wrote"),
        (b"PK\x03\x04", "not an agent that boardgym wrote"),
    ):
        (tmp_path / "b").write_bytes(content)
        with pytest.raises(SpecError, match=words):
            load_agent(tmp_path / "b", "TicTacToe")
    with pytest.raises(SpecError, match="no file"):
        make_policy(f"file:{tmp_path / 'none'}", "TicTacToe")
    with pytest.raises(SpecError):
        make_policy(f"file:{tmp_path}", "TicTacToe")


def test_files_that_lie_are_refused(file):
    whole = file.read_bytes()
    columns = load_agent(file).columns()
    bad = columns.values.copy()
    bad[3] = np.inf
    for header, arrays, words in (
        ({}, {"values": bad}, "infinite"),
        ({}, {"values": columns.values.astype(np.float64)}, "values is float64"),
        ({}, {"keys": np.zeros_like(columns.keys), "actions": np.zeros_like(columns.actions)}, "that others have"),
        ({}, {"actions": columns.actions + np.uint16(2)}, "actions from 2 to 10, expected 0 to 8"),
        ({}, {name: np.array(1) for name in columns._fields}, r"keys is int64 \(\), expected int64 \('any', 1\)"),
        ({}, {"visits": columns.visits[1:]}, "visits is uint16"),
        ({"default": "much"}, {}, "the header of a tabular agent in"),
        ({"values": 3}, {}, "the header of a tabular agent in"),
        ({"way": 9}, {}, "the header of a tabular agent in"),
        ({"pays": [0, 0, 0]}, {}, "the header of a tabular agent in"),
        ({"options": {"size": 4}}, {}, "is for options"),
        ({"kind": "neural"}, {}, "kind"),
        ({"kind": ["tabular"]}, {}, "an agent of kind"),
        ({"training": [1]}, {}, "the header of a tabular agent in"),
        ({"options": [1]}, {}, "is for options"),
    ):
        file.write_bytes(whole)
        rewritten(file, header, **arrays)
        with pytest.raises((SpecError, UnsupportedGameError), match=words):
            make_policy(f"file:{file}", "TicTacToe")


def test_an_array_without_bytes_takes_no_time(file):
    """However many rows it is said to have: a file of a stranger may say 2 ** 60, of which none is there to be read."""
    entries = len(load_agent(file))
    rewritten(file, more=np.empty((1 << 30, 0), np.float32))
    arrays, _ = ag.AGENTS.open(file, {})
    assert list(arrays["more"].parts()) == []
    assert arrays["more"].shape == (1 << 30, 0)
    assert len(load_agent(file)) == entries


def test_a_file_that_is_changed_while_it_is_read(file, monkeypatch):
    """Between its digest and the entries: cut short, written to, or gone."""
    whole = file.read_bytes()
    for change in (
        lambda: file.write_bytes(whole[:-4096]),
        lambda: file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1])),
        lambda: file.unlink(),
    ):
        file.write_bytes(whole)
        arrays, _ = ag.AGENTS.open(file, {"kind": "tabular"})
        columns = ag.StoredColumns(ag.AGENTS, file, arrays, 1, (0, 8, 9))
        change()
        with pytest.raises(SpecError, match=r"changed while it was read|cannot be read any more"):
            columns.table()
    file.write_bytes(whole)
    monkeypatch.setattr(tb, "LEAST_BYTES", 1 << 12)
    columns = ag.StoredColumns(ag.AGENTS, file, ag.AGENTS.open(file, {})[0], 1, (0, 8, 9))
    columns.counts[:] = 0  # as if others had been counted
    with pytest.raises(SpecError, match="other entries than were counted"):
        columns.table()


def test_entries_that_crowd_are_refused(file, monkeypatch):
    """A file made so that a table of it would be one long run; and positions of many actions, which are nothing of the kind."""
    monkeypatch.setattr(tb, "VALUE_OF_POSITION", 3)  # the actions that a position may have
    keys = np.full((60, 1), 7)
    keys[9:] = np.arange(100, 151)[:, None]
    actions = np.r_[np.arange(9), np.zeros(51)].astype(np.uint16)
    rest = {"values": np.zeros(60, np.float32), "visits": np.ones(60, np.uint16)}
    rewritten(file, keys=keys, actions=actions, **rest)
    with pytest.raises(SpecError, match=r"\d+ of 60 entries in one of 64 segments"):
        load_agent(file)
    monkeypatch.undo()
    assert len(load_agent(file)) == 60
    columns = Columns(
        np.zeros((500, 1), np.int64), np.arange(500, dtype=np.uint16), *(c[:1].repeat(500) for c in rest.values())
    )
    assert len(tb.columns_of(tb.table_of(columns)).actions) == 500


def test_positions_that_crowd_are_refused(file):
    """Of one segment and nearly one hash, so that every entry is far from where its probe begins; not many positions, though.

    Each is half of them away on average, and a position of tic-tac-toe may be 64 + 8 * 9.
    """
    for count, is_refused in ((100, False), (400, True)):
        keys = crowded(count, at_end=False)
        actions, values = np.zeros(count, np.uint16), np.zeros(count, np.float32)
        rewritten(file, keys=keys, actions=actions, values=values, visits=actions)
        if is_refused:
            with pytest.raises(SpecError, match="positions of one hash; expected one that"):
                load_agent(file)
        else:
            assert len(load_agent(file)) == count


def test_a_table_for_which_there_is_no_memory(file, monkeypatch):
    """More than any machine can address, in truth asked for: the file, and a training, are refused in a line."""
    monkeypatch.setattr(tb, "LEAST_BYTES", 1 << 55)
    with pytest.raises(SpecError, match="a table of its entries takes more memory than can be had"):
        load_agent(file)
    with pytest.raises(OptionError, match=r"need 10.24 MiB of memory, more than can be had; say how many GiB it may take"):
        TableTrainer(TabularConfig(episodes=1, greedy_episodes=0, memory=0.01))


def test_what_values_are_worth():
    """Of rewards, of the game's own returns, and of beads, which are no values."""
    start = Board("TicTacToe")
    columns = Columns(
        np.zeros((2, 1), np.int64), np.array([0, 4], np.uint16), np.array([0.5, 1.5], np.float32), np.ones(2, np.uint16)
    )
    facts = {"method": "q", "values": "pairs", "default": 0.0, "way": 0, "uses_symmetry": 0}
    for pays, value in (([3.0, 0.0, -1.0], 0.5), (None, 1.0)):  # 1.5 of 3; more than a game pays
        found = TabularAgent("TicTacToe", tb.table_of(columns), {**facts, "pays": pays})
        assert found.evaluate(start) == found.analyse(start).value == value
        assert found.action_probabilities(start).tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
        found.epsilon = 0.45
        assert found.action_probabilities(start).tolist() == pytest.approx([0.05] * 4 + [0.6] + [0.05] * 4)
    points = TabularAgent("CardPoints", tb.make_table(2, 1 << 20), {**facts, "default": -0.25, "pays": None})
    assert points.evaluate(Board("CardPoints", seed=1)) == -0.25
    beads = TabularAgent("TicTacToe", tb.table_of(columns), {**facts, "way": 3, "pays": None})
    assert beads.action_probabilities(start).tolist() == [0.25, 0, 0, 0, 0.75, 0, 0, 0, 0]
    for ask in (beads.evaluate, beads.analyse):
        with pytest.raises(UnsupportedGameError, match="keeps beads, not values"):
            ask(start)


def test_boxes_are_pruned_as_a_whole():
    settings = {"beads": (9.0, 8.0, 7.0, 6.0), "bead_changes": (0.0, 0.0, 0.0), "symmetry": False}
    agent = TableTrainer(TabularConfig(method="menace", episodes=40, greedy_episodes=0, **settings)).run()
    few, columns = prune(agent, 2), agent.columns()
    assert 0 < len(few) < len(agent)
    assert (columns.visits < 2).sum() > (few.columns().visits < 2).sum() > 0  # colours that were not played
    start = few.action_values(Board("TicTacToe"))
    assert [*start.values()] == [9.0] * 9  # a colour for each cell
    for key in np.unique(few.columns().keys):
        mine = few.columns().keys[:, 0] == key
        assert few.columns().visits[mine].max() >= 2
        assert mine.sum() == (columns.keys[:, 0] == key).sum()


def test_merge(agent):
    values, actions, keys = np.array([1.0, 2.0], np.float32), np.array([0, 1], np.uint16), np.array([[5], [5]])

    def made(visits, values=values, keys=keys):
        columns = Columns(keys, actions, values, np.array(visits, np.uint16))
        return TabularAgent("TicTacToe", tb.table_of(columns), agent.facts)

    both = merge(
        [made([1, 2]), made([3, 65535], values=np.array([5.0, 2.5], np.float32)), made([0, 1], keys=np.array([[4], [9]]))]
    )
    columns = both.columns()
    assert columns.keys[:, 0].tolist() == [4, 5, 5, 9]
    assert columns.values.tolist() == pytest.approx([1.0, 4.0, (2 * 2.0 + 65535 * 2.5) / 65537, 2.0])
    assert columns.visits.tolist() == [0, 4, 65535, 1]
    assert merge([agent]).columns().values.tolist() == agent.columns().values.tolist()
    other = TableTrainer(TabularConfig(episodes=5, greedy_episodes=0, win=1.0)).run()
    assert (both.facts["episodes"], both.facts["merged"]) == (6000, 3)
    assert both.facts["training"] == agent.facts["training"]
    same = TableTrainer(TabularConfig(episodes=5, greedy_episodes=0, seed=2)).run()
    facts = merge([agent, same]).facts
    assert facts["episodes"] == 2005
    assert agent.facts["training"] == {**facts["training"], "episodes": 1500, "greedy_episodes": 500, "seed": 1}
    assert not {"episodes", "greedy_episodes", "seed"} & facts["training"].keys()
    sarsa = TabularAgent(agent.game, agent.table, {**agent.facts, "method": "sarsa"})
    for stranger in (other, sarsa):
        with pytest.raises(OptionError, match="one game and one method"):
            merge([agent, stranger])


def test_prune_and_statistics(agent):
    columns = agent.columns()
    few = prune(agent, 3)
    assert len(few) == (columns.visits >= 3).sum() < len(agent)
    found = statistics(agent)
    assert found["entries"] == len(agent)
    assert found["positions"] == len(np.unique(columns.keys))
    for name in ("values", "visits"):
        assert found[name] == np.quantile(getattr(columns, name), (0.0, 0.25, 0.5, 0.75, 1.0)).tolist()
    assert found["bytes_per_entry"] >= 16 / 0.8
    with pytest.raises(OptionError, match="min_visits=0"):
        prune(agent, 0)
    assert statistics(prune(agent, 60_000))["values"] == []


def test_a_large_table_is_not_there_twice(tmp_path):
    """Of what is done with every agent at the end of its training: 4 bytes an entry of 16, and a segment."""
    n, rng = 400_000, np.random.default_rng(1)
    values = rng.normal(size=n).astype(np.float32)
    columns = Columns(rng.integers(0, 2**62, (n, 1)), np.zeros(n, np.uint16), values, np.ones(n, np.uint16))
    facts = {"values": "pairs", "default": 0.0, "way": 0, "uses_symmetry": 0}
    agent = TabularAgent("TicTacToe", tb.table_of(columns), facts, seed=1)
    del columns
    for call in (lambda: statistics(agent), lambda: agent.save(tmp_path / "a")):
        tracemalloc.start()
        try:
            call()
            assert tracemalloc.get_traced_memory()[1] < 6 * n
        finally:
            tracemalloc.stop()


def test_commands(file, tmp_path, capsys):
    assert main(["agent", "info", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["method"] == "pessimistic_q"
    assert found["sha256"] == digest_of(load_agent(file).columns()._asdict())
    assert main(["agent", "info", str(file)]) == 0
    assert re.search(r"greedy_episodes +500\n", capsys.readouterr().out)
    small, both = tmp_path / "small.safetensors", tmp_path / "both.safetensors"
    assert main(["agent", "prune", str(file), "--min-visits", "5", "--out", str(small)]) == 0
    assert main(["agent", "merge", str(file), str(small), "--out", str(both)]) == 0
    assert len(load_agent(both)) == found["entries"] > len(load_agent(small))
    capsys.readouterr()
    assert main(["agent", "info", str(tmp_path / "none")]) == 2
    assert "no file" in capsys.readouterr().err
    assert main(["agent", "merge", str(file), "--out", str(both)]) == 2
    assert "expected two or more" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("method", "change"),
    [
        ("sarsa_lambda", {"traces": "replacing"}),
        ("td", {"step_size": "0.2", "discount": "1"}),
        ("menace", {}),
        ("minimax_q", {"discount": "1", "loss": -100.0, "exploration": "boltzmann", "epsilon": "linear(50, 5)"}),
    ],
)
def test_every_method_learns_and_is_kept(method, change, tmp_path):
    """From nothing to fewer losses than random play has, 29 of 100; the file plays as the agent does."""
    config = TabularConfig(method=method, episodes=3000, greedy_episodes=1000, **change)
    agent = TableTrainer(config).run()
    agent.save(tmp_path / "a")
    loaded = load_agent(tmp_path / "a", seed=4)
    agent.reset(seed=4)
    assert loaded.facts["method"] == method
    for board in boards(10):
        assert loaded.act(board) == agent.act(board)
        assert loaded.action_values(board) == agent.action_values(board)
    row = compare(loaded, game="TicTacToe", opponents=["random"], games=200).rows[0]
    assert row.score.low > 0.6
