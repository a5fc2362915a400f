"""Agents of the package and of shelves of one's own, as policies; what a catalogue may not say."""

import dataclasses
import json
import shlex

import gymnasium as gym
import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines import compare, make_policy
from boardgym.baselines.engines.session import Session
from boardgym.baselines.engines.uci import UciServer
from boardgym.baselines.learning.ntuple.agent import load_ntuple_agent
from boardgym.baselines.learning.ntuple.trainer import USUAL
from boardgym.baselines.search.anytime import Watched, as_search, with_limits
from boardgym.baselines.shelf import shelves as shelves_module
from boardgym.baselines.shelf.catalogue import CATALOGUE, MOST_CATALOGUE, Entry, plain, read_catalogue, write_catalogue
from boardgym.baselines.shelf.policy import agent_spec
from boardgym.baselines.shelf.shelves import SHIPPED, open_shelf, package_shelf, put
from boardgym.baselines.typed_json import plain_data
from boardgym.cli import read_settings
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import parse_spec
from tests.support import ROOT, uncompiled_throughout

PACKAGE = read_catalogue(SHIPPED / CATALOGUE, "the package")
MADE = [entry for entry in PACKAGE.values() if entry.is_made]
MOST_BYTES = 5_000_000  # of the package's agents together


def test_the_package_has_what_its_catalogue_says():
    assert {"othello", "connect-four", "backgammon", "nine-mens-morris"} <= {entry.name for entry in MADE}
    assert {path.name for path in SHIPPED.iterdir()} == {CATALOGUE, *(entry.file for entry in MADE)}
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < MOST_BYTES
    for entry in MADE:
        package_shelf().check(entry)
        assert entry.about, entry.name
        assert entry.seeds, entry.name
        assert entry.seconds > 0, entry.name
        assert len(entry.measured) >= 2, entry.name
        for row in entry.measured:
            assert row.won + row.drawn + row.lost == row.games >= 200
            assert row.score == pytest.approx((row.won + row.drawn / 2) / row.games, abs=5e-4)
            assert row.low < row.score < row.high
            assert f"agent:{entry.name}" in row.command


@pytest.mark.parametrize("entry", PACKAGE.values(), ids=lambda entry: entry.name)
def test_each_agent_says_how_it_is_made(entry):
    program, *words = shlex.split(entry.command)
    assert program == "boardgym"
    settings = read_settings(" ".join(words[:2]), words[2:])
    assert settings.config.game == entry.game
    assert dict(get_game(entry.game).options) == entry.options
    assert (settings.config.seed,) == entry.seeds
    short = read_settings(" ".join(words[:2]), [*words[2:], *shlex.split(entry.quick)])
    counts = [getattr(it.config, "games", 0) or it.config.episodes for it in (settings, short)]
    assert counts[1] < counts[0] / 100


NTUPLES = [entry for entry in MADE if entry.command.startswith("boardgym train ntuple ")]


@pytest.mark.parametrize("entry", NTUPLES, ids=lambda entry: entry.name)
def test_each_file_is_of_its_command(entry):
    """As the file says; cells and tuples that the command leaves out are the usual ones of the game."""
    _, *words = shlex.split(entry.command)
    config = read_settings("train ntuple", words[2:]).config
    known = load_ntuple_agent(SHIPPED / entry.file).facts["training"]
    assert {name: known.get(name, usual) for name, usual in USUAL.items()} == {name: getattr(config, name) for name in USUAL}
    found = plain_data(dataclasses.asdict(config)) | {"method": "ntuple", "done": config.games}
    given = {name for name in known if name not in ("cells", "tuples") or found[name]}
    assert given >= {"games", "seed", "epsilon", "step_size", "average_from"}
    assert {name: known[name] for name in given} == {name: found[name] for name in given}


@pytest.mark.parametrize("entry", MADE, ids=lambda entry: entry.name)
def test_each_agent_of_the_package_plays(entry):
    """As plain Python, so where it searches not to its own depth."""
    policy, board = make_policy(f"agent:{entry.name}", entry.game, seed=1), Board(entry.game, seed=3)
    assert policy.spec == f"agent:{entry.name}"
    if not entry.spec.startswith("file:"):
        policy = make_policy(f"agent:{entry.name},time=0.2s", entry.game, seed=1)
    with uncompiled_throughout():
        assert policy.act(board) in board.legal_actions


def test_an_agent_plays_as_the_spec_of_its_entry(shelf, file):
    games = [Board("TicTacToe-v0")]
    games += [Board("TicTacToe-v0", fen) for fen in ("xo1/1x1/2o x", "3/1x1/3 o")]
    for name, spec in (("crosses", f"ntuple:{file}"), ("noughts", f"minimax:2,evaluation=ntuple:{file}")):
        ours, plainly = (make_policy(text, "TicTacToe-v0", seed=1) for text in (f"agent:{name}", spec))
        # Compiled: nowhere else is a search over a file's tables.
        found = [ours.act(board, deterministic=True) for board in games]
        with uncompiled_throughout():
            assert found == [plainly.act(board, deterministic=True) for board in games]


def test_wherever_a_policy_goes(shelf):
    found = compare("agent:crosses", "TicTacToe-v0", ["random", "epsilon:0.5(agent:crosses)"], games=20)
    assert found.agent == "agent:crosses"
    assert found.row("random").won.value >= 0.7
    env = gym.make("boardgym/TicTacToe-v0", opponent="agent:crosses")
    _, info = env.reset(seed=1)
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    env.close()


def test_an_agent_that_searches_is_watched_and_limited_as_that_search(shelf):
    game, said = get_game("TicTacToe-v0"), []
    with uncompiled_throughout():
        found = list(Watched("agent:noughts", game).watch(Board(game)))
        server = UciServer(Session(game, "agent:noughts", seed=1), said.append)
        for line in ("position startpos moves b2 a1", "go depth 3"):
            server.answer(line)
        server.finish()
    assert [analysis.depth for analysis in found] == [1, 2]
    assert [line.split()[:3] for line in said[:-1]] == [["info", "depth", str(depth)] for depth in (1, 2, 3)]
    assert said[-1].startswith("bestmove ")
    for spec in ("agent:crosses", "level:3"):  # which does not search; which keeps its strength
        limited = as_search(parse_spec(spec), game)
        assert with_limits(limited, seconds=2.0) is limited


def test_time_in_place_of_the_depth(shelf):
    policy = make_policy("agent:noughts,time=3s", "TicTacToe-v0")
    assert policy.spec == "agent:noughts,time=3s"
    with uncompiled_throughout():
        found = policy.analyse(Board("TicTacToe-v0", "xo1/1x1/2o x"))
    assert found.depth > 2
    for spec, said in (
        ("agent:noughts,time=3", "expected seconds, as in time=0.5s"),
        ("agent:noughts,time=0s", "expected a number above 0"),
        ("agent:noughts,time=1.2.3s", "expected a number above 0"),
        ("agent:crosses,time=1s", "crosses does not search"),
        ("agent:crosses,reuse=1", "crosses does not search, so it takes no settings"),
        ("agent:noughts,depth=3", "unknown setting 'depth'"),
        ("agent:noughts,spec=3,argument=4", "unknown setting 'spec'"),
        ("agent:noughts(random)", "expected no policies in brackets"),
    ):
        with pytest.raises(SpecError, match=said):
            make_policy(spec, "TicTacToe-v0")


def test_settings_in_place_of_its_own(shelf):
    """Those of its search, its budget beside them."""
    game = get_game("TicTacToe-v0")
    own = agent_spec(parse_spec("agent:noughts"), game)
    found = agent_spec(parse_spec("agent:noughts,nodes=50,time=3s,quiescence=2"), game)
    assert found.keywords == {**own.keywords, "nodes": "50", "time": "3.0s", "quiescence": "2"}
    assert own.keywords["evaluation"] in found.text
    assert make_policy("agent:noughts,nodes=50", game).spec == "agent:noughts,nodes=50"
    assert agent_spec(parse_spec("agent:noughts,evaluation=heuristic"), game).keywords["evaluation"] == "heuristic"


def test_wrong_names_and_games(shelf):
    for spec, said in (
        ("agent:otello", "did you mean 'othello'"),
        ("agent:nougts", "did you mean 'noughts'"),
        ("agent", "expected the name of an agent"),
        ("agent:noughts(random)", "expected no policies in brackets"),
    ):
        with pytest.raises(SpecError, match=said):
            make_policy(spec, "TicTacToe-v0")
    with pytest.raises(UnsupportedGameError, match=r"'noughts' plays TicTacToe-v0 .*, not Othello-v0 .*; its agents: othello"):
        make_policy("agent:noughts", "Othello-v0")
    with pytest.raises(UnsupportedGameError, match="no agent of the shelf is for that"):
        make_policy("agent:othello", get_game("Othello-v0", size=6))


def test_one_that_has_not_been_made_says_how(shelf):
    with pytest.raises(SpecError, match="boardgym agents train connect-four-strong makes it"):
        make_policy("agent:connect-four-strong", "ConnectFour-v0")


def test_damaged_files_are_refused(shelf):
    path = shelf / read_catalogue(shelf / CATALOGUE, "here")["noughts"].file
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    with pytest.raises(SpecError, match=r"SHA-256 .* it was changed; put it on the shelf again"):
        make_policy("agent:noughts", "TicTacToe-v0")
    path.write_bytes(content[:-1])
    with pytest.raises(SpecError, match=f"{len(content) - 1:,} bytes, expected {len(content):,}"):
        make_policy("agent:noughts", "TicTacToe-v0")
    path.unlink()
    with pytest.raises(SpecError, match="the file of agent 'noughts' is not there"):
        make_policy("agent:noughts", "TicTacToe-v0")
    path.mkdir()
    with pytest.raises(SpecError, match="Is a directory"):
        make_policy("agent:noughts", "TicTacToe-v0")


GOOD = {"name": "a", "game": "TicTacToe-v0", "spec": "file:{file}", "file": "a.safetensors"}
HOSTILE = [
    ({"spec": "file:/etc/passwd"}, "expected file:{file}"),
    ({"spec": "minimax:2,evaluation=ntuple:../secret"}, "expected a number, a word, or evaluation=ntuple:{file}"),
    ({"spec": "minimax:2,evaluation=network(file:other)"}, "expected file:{file}"),
    ({"spec": "engine:gtp:rm -rf ."}, "a shelf may not name 'engine'"),
    ({"spec": "sb3:{file}"}, "a shelf may not name 'sb3'"),
    ({"spec": "epsilon:0.1(sb3:{file})"}, "a shelf may not name 'sb3'"),
    ({"spec": "mix(0.5*random, 0.5*engine:uci:x)"}, "a shelf may not name 'engine'"),
    ({"spec": "uct:10,prior=network(engine:x)"}, "a shelf may not name 'engine'"),
    ({"spec": "openspiel:mcts:100"}, "a shelf may not name 'openspiel'"),
    ({"spec": "agent:a"}, "a shelf may not name 'agent'"),
    ({"spec": "human"}, "a shelf may not name 'human'"),
    ({"spec": "minimax:2,c={file}"}, "expected a number, a word"),
    ({"spec": "(" * 60}, "brackets"),
    ({"spec": "x" * 2000}, "length <= 1000"),
    ({"file": "../a.safetensors"}, "matching regex"),
    ({"file": "/etc/a.safetensors"}, "matching regex"),
    ({"file": "a.pkl"}, "matching regex"),
    ({"file": "a.safetensors\n"}, "matching regex"),
    ({"name": "../a"}, "matching regex"),
    ({"name": "A"}, "matching regex"),
    ({"sha256": "0" * 63}, "matching regex"),
    ({"size": 1 << 40}, "`int` <= 536870912"),
    ({"size": -1}, "`int` >= 0"),
    ({"options": {"size": [8]}}, "got `array`"),
    ({"measured": [{"opponent": "x"}]}, "missing required field"),
]


@pytest.mark.parametrize(("changes", "said"), HOSTILE, ids=str)
def test_hostile_catalogues_are_refused(tmp_path, monkeypatch, changes, said):
    catalogue = {"format": "boardgym agents", "format_version": 1, "agents": [{**GOOD, **changes}]}
    (tmp_path / CATALOGUE).write_text(json.dumps(catalogue))
    monkeypatch.setenv("BOARDGYM_SHELF", str(tmp_path))
    with pytest.raises(SpecError) as raised:
        make_policy("agent:a", "TicTacToe-v0")
    assert said in str(raised.value)
    assert "Traceback" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "expected the catalogue"),
        ("[" * 100_000, "expected the catalogue"),
        ('{"format": "other", "format_version": 1, "agents": []}', "in the format 'boardgym agents' 1"),
        (json.dumps({"format": "boardgym agents", "format_version": 1, "agents": [GOOD, GOOD]}), "two agents are called 'a'"),
        (
            json.dumps({"format": "boardgym agents", "format_version": 1, "agents": [GOOD, {**GOOD, "name": "b"}]}),
            "two agents have the file 'a.safetensors'",
        ),
        (" " * (MOST_CATALOGUE + 1), "more than 1,048,576 bytes"),
    ],
    ids=["broken", "deep", "other", "twice", "file", "large"],
)
def test_what_is_no_catalogue(tmp_path, text, said):
    (tmp_path / CATALOGUE).write_text(text)
    with pytest.raises(SpecError, match=said):
        open_shelf(str(tmp_path))


def test_a_folder_without_a_catalogue(tmp_path):
    with pytest.raises(SpecError, match=r"no file agents\.json there"):
        open_shelf(str(tmp_path))


def test_a_catalogue_comes_back_as_it_was(tmp_path):
    write_catalogue(tmp_path / CATALOGUE, PACKAGE)
    again = read_catalogue(tmp_path / CATALOGUE, "here")
    assert [plain(it) for it in again.values()] == [plain(it) for it in PACKAGE.values()]
    assert (tmp_path / CATALOGUE).read_bytes() == (SHIPPED / CATALOGUE).read_bytes()


def test_put_refuses_a_spec_that_no_shelf_may_have(tmp_path, file):
    with pytest.raises(SpecError, match="may not name 'sb3'"):
        put(tmp_path / "new", Entry(name="a", game="TicTacToe-v0", spec="sb3:{file}", file="a.safetensors"), file)
    assert not (tmp_path / "new").exists()


def test_put_leaves_the_old_agent_until_the_new_is_there(tmp_path, noughts, monkeypatch):
    """Whoever is interrupted between the file and the catalogue loses nothing."""
    entry, folder = Entry(name="a", game="TicTacToe-v0", spec="file:{file}", file="x.safetensors"), tmp_path / "shelf"
    for name, is_float16 in (("old", False), ("new", True)):
        noughts.save(tmp_path / name, is_float16=is_float16)
    old = put(folder, entry, tmp_path / "old")
    assert old.file == f"a-{old.sha256[:12]}.safetensors"

    def interrupted(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(shelves_module, "write_catalogue", interrupted)
        with pytest.raises(KeyboardInterrupt):
            put(folder, entry, tmp_path / "new")
    found = open_shelf(str(folder))
    assert found.file_of(found.agents["a"]).name == old.file
    new = put(folder, entry, tmp_path / "new")
    assert {path.name for path in folder.iterdir()} == {CATALOGUE, new.file}
    assert put(folder, entry, tmp_path / "new") == new


def test_what_another_file_scored_is_not_said_of_this_one(tmp_path):
    entry = PACKAGE["othello"]
    assert put(tmp_path, entry, SHIPPED / entry.file).measured == entry.measured
    assert put(tmp_path, entry, SHIPPED / PACKAGE["backgammon"].file).measured == ()


def test_an_own_shelf_that_is_broken_keeps_nobody_from_the_package(tmp_path, monkeypatch):
    monkeypatch.setenv("BOARDGYM_AGENTS", str(tmp_path))
    (tmp_path / CATALOGUE).write_text("{")
    with pytest.warns(RuntimeWarning, match=r"agents\.json: .* delete it; your own agents are left out"):
        assert make_policy("agent:backgammon", "Backgammon-v0").spec == "agent:backgammon"


def test_weights_of_16_bits(noughts, tmp_path):
    noughts.save(tmp_path / "whole.safetensors")
    noughts.save(tmp_path / "half.safetensors", is_float16=True)
    assert np.allclose(load_ntuple_agent(tmp_path / "half.safetensors").weights, noughts.weights, rtol=1e-3, atol=1e-7)
    sizes = [(tmp_path / f"{name}.safetensors").stat().st_size for name in ("whole", "half")]
    assert sizes[0] - sizes[1] == 2 * noughts.weights.size
    large = load_ntuple_agent(tmp_path / "whole.safetensors")
    large.weights[0, 0] = 1e5
    with pytest.raises(OptionError, match="too large"):
        large.save(tmp_path / "half.safetensors", is_float16=True)


def test_names_in_messages_steer_no_terminal():
    with pytest.raises(SpecError) as raised:
        make_policy("agent:\x1b[31m", "TicTacToe-v0")
    assert "\x1b" not in str(raised.value)


def test_a_shelf_that_cannot_be_read_keeps_nobody_from_the_package(tmp_path, monkeypatch):
    monkeypatch.setenv("BOARDGYM_SHELF", str(tmp_path))
    assert make_policy("agent:backgammon", "Backgammon-v0").spec == "agent:backgammon"
    with pytest.raises(SpecError, match=r"no file agents\.json there"):
        make_policy("agent:noughts", "TicTacToe-v0")


def test_the_page_has_the_figures_of_the_catalogue():
    page = (ROOT / "docs" / "agents.md").read_text()
    assert [line for line in page.splitlines() if line.startswith("| `agent:")] == rows_of_the_page()


def rows_of_the_page():
    """A row for each opponent of each agent of the package."""
    rows = []
    for entry in MADE:
        for it in entry.measured:
            record, rate = f"{it.won}-{it.drawn}-{it.lost}", f"{it.score:.3f} [{it.low:.3f}, {it.high:.3f}]"
            rows.append(f"| `agent:{entry.name}` | `{it.opponent}` | {it.games} | {record} | {rate} |")
    return rows
