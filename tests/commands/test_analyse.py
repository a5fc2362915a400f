"""`boardgym analyse`, and searches that are watched."""

import dataclasses
import io
import itertools
import json
import threading
import time
import xml.etree.ElementTree as ET

import pytest
from rich.console import Console

from boardgym import Board, SpecError, UnsupportedGameError, get_game
from boardgym.baselines.search.anytime import Watched, stages, warm, with_limits
from boardgym.cli import main
from boardgym.commands import analyse
from boardgym.commands.analyse import View, facts, ranked
from boardgym.commands.common import Terminal
from boardgym.core.policy_spec import make_policy, parse_spec
from tests.support import read

MOVES = ["b2", "a1", "c1", "a3"]


def call(capsys, *arguments):
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, "".join(line for line in err.splitlines(keepends=True) if not line.startswith("boardgym: compiling"))


def test_json_tells_what_the_search_finds(capsys):
    status, out, err = call(capsys, "analyse", "TicTacToe", "--moves", *MOVES, "--policy", "minimax:3", "--json")
    assert (status, err) == (0, "")
    data, board = json.loads(out), Board("TicTacToe")
    board.play(MOVES)
    found = make_policy("minimax:3", board.game).analyse(board)
    assert data["value"] == found.value
    assert data["line"][0] == data["move"] == board.move_text(found.action)
    assert [board.action_of(move) for move in data["line"][:1]] == [found.action]
    assert {row["action"]: row["value"] for row in data["moves"]} == found.action_values
    assert {row["action"]: row["nodes"] for row in data["moves"]} == found.visit_counts
    assert (data["depth"], data["nodes"], data["is_proven"]) == (found.depth, found.nodes, found.is_proven)
    assert (data["cutoffs"], data["table_hits"]) == (found.cutoffs, found.table_hits) > (0, 0)


def test_text_pictures_and_tree(capsys, tmp_path):
    files = {name: tmp_path / name for name in ("board.svg", "board.png", "tree.dot", "tree.json")}
    shared = ["analyse", "TicTacToe", "--position", "1o1/1x1/3 x", "--policy", "uct:200"]
    status, out, err = call(
        capsys,
        *shared,
        "--top",
        "3",
        "--svg",
        str(files["board.svg"]),
        "--png",
        str(files["board.png"]),
        "--tree",
        str(files["tree.dot"]),
        "--tree-plies",
        "1",
    )
    assert status == 0
    assert "tree.dot: of a tree of 169 nodes what is not deeper than ply 1\n" in err
    assert err.count("written:") == 3
    assert "and 4 more" in out
    assert "168 nodes" in out  # then the win is proven
    assert "\n2 . x .\n" in out
    values = [text for text in read(ET.fromstring(files["board.svg"].read_text())) if text[0] in "+-"]
    assert len(values) == 7  # on each free cell
    assert files["board.png"].read_bytes()[1:4] == b"PNG"
    assert files["tree.dot"].read_text().count("->") == 7
    assert call(capsys, *shared, "--tree", str(files["tree.json"]))[0] == 0
    assert json.loads(files["tree.json"].read_text())["root"]["visits"] == 168


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--policy", "greedy"], "tells no values"),
        (["--policy", "mimimax:3"], "did you mean 'minimax'"),
        (["--moves", "a1", "a2", "b1", "b2", "c1"], "the game is over"),
        (["--position", "x"], "position string 'x'"),
        (["--top", "0"], "--top 0"),
        (["--tree", "t.dot", "--policy", "minimax:9,nodes=8"], "unknown setting 'nodes'"),
        (["--policy", "engine:gtp:ls"], "--trust"),
    ],
)
def test_mistakes_are_one_line(capsys, arguments, message):
    status, out, err = call(capsys, "analyse", "TicTacToe", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_what_a_solver_adds(capsys):
    status, out, _ = call(capsys, "analyse", "TicTacToe", "--moves", "b2", "b3", "--policy", "perfect:detail=full", "--json")
    found = json.loads(out)
    assert (status, len(found["line"])) == (0, found["moves"][0]["distance"])
    assert "score" not in found["moves"][0]
    status, out, _ = call(capsys, "analyse", "TicTacToe", "--moves", "b2", "b3", "--policy", "perfect")
    assert (status, out.count("distance"), out.count("score")) == (0, 1, 0)


@pytest.mark.parametrize("spec", ["minimax:4", "minimax:9,nodes=900", "uct:2300", "uct:400,c=1"])
def test_watching_ends_with_what_the_search_finds(spec):
    board = Board("TicTacToe")
    watched = Watched(spec, board.game)
    found = [dataclasses.replace(analysis, seconds=0.0) for analysis in watched.watch(board)]
    direct = dataclasses.replace(make_policy(spec, board.game).analyse(board), seconds=0.0)
    assert found[-1].value == direct.value
    if "nodes" not in spec:
        assert found[-1] == direct
    assert [analysis.nodes for analysis in found] == sorted(analysis.nodes for analysis in found)
    assert len(found) > 1 or spec == "uct:400,c=1"


def test_stages_grow_up_to_the_budget():
    def arguments(text):
        return [spec.text for spec in stages(parse_spec(text))]

    assert arguments("minimax:3,nodes=9") == ["minimax:1,nodes=9", "minimax:2,nodes=9", "minimax:3,nodes=9"]
    assert arguments("uct:2500,c=1") == ["uct:500,c=1", "uct:1000,c=1", "uct:2500,c=1"]
    assert arguments("puct:1200,leaf=mix") == ["puct:500,leaf=mix", "puct:1200,leaf=mix"]
    assert arguments("greedy") == ["greedy"]
    assert arguments("minimax:2s")[0] == "minimax:1,time=2s"
    slices = [float(text[4:-1]) for text in arguments("uct:1.5s")]
    assert sum(slices) == pytest.approx(1.5)
    assert [b / a for a, b in itertools.pairwise(slices)] == pytest.approx([2.0] * (len(slices) - 1))
    assert len(slices) == 4


def test_limits_replace_those_of_the_spec():
    def text(spec, **limits):
        return with_limits(parse_spec(spec), **limits).text

    assert text("minimax:4,nodes=7", depth=6) == "minimax:6"
    assert text("minimax:4,time=1s", nodes=50) == "minimax:100,nodes=50"
    assert text("uct:100,c=2", nodes=50) == "uct:50,c=2"
    assert text("uct:100,nodes=9", seconds=0.5) == "uct:1000000000,nodes=9,time=0.5s"
    assert text("minimax:2", depth=3, seconds=2.0) == "minimax:3,time=2.0s"
    assert text("random", depth=3) == text("random", seconds=3.0) == "random"
    assert text("best", seconds=0.5) == text("best:3s", seconds=0.5) == "best:0.5s"
    assert text("best:3s", seconds=1e-9) == "best:0.001s"
    assert text("best:3s", nodes=5) == "best:3s"
    assert text("perfect:time=1s,total=4s(uct:4s)", seconds=2.0) == "perfect:time=0.5s,total=2.0s(uct:4s)"
    assert text("perfect:time=1s(uct:4s)", seconds=2.0) == "perfect:time=1s(uct:4s)"
    assert text("uct:5") == "uct:5"
    with pytest.raises(SpecError, match="uct has no depth"):
        text("uct:100", depth=3)


@pytest.mark.parametrize("spec", ["uct:1000000000,nodes=1000", "minimax:100"])
def test_a_search_can_be_stopped_from_another_thread(spec):
    board = Board("ConnectFour")
    for _ in make_policy(spec.replace("100", "2", 1)[:9], board.game).analyse(board).visit_counts:
        break  # compiled before the clock runs
    watched, found = Watched(spec, board.game), []
    thread = threading.Thread(target=lambda: found.extend(watched.watch(board)))
    thread.start()
    time.sleep(0.3)
    started = time.monotonic()
    while thread.is_alive():
        watched.stop()
        thread.join(0.01)
    assert time.monotonic() - started < 1.0  # 0.1 s on a machine that has nothing else to do
    assert found
    assert found[-1].action in board.legal_actions


def test_making_ready_compiles_and_does_not_solve(monkeypatch):
    """Nor does it search: these would take hours."""
    asked, solver = [], type(make_policy("perfect", "ConnectFour").solver)
    monkeypatch.setattr(solver, "solve", lambda own, board, stop, **rest: asked.append(stop.tolist()))
    for spec in ("perfect(random)", "epsilon:0.1(minimax:100)", "mix(1*minimax:90, 1*uct:1000000000,nodes=1000)"):
        warm(parse_spec(spec), get_game("ConnectFour"))
    assert asked
    assert all(stop == [1] for stop in asked)


def test_a_time_limits_all_stages_together():
    board = Board("TicTacToe")
    list(Watched("uct:500", board.game).watch(board))
    started = time.perf_counter()
    list(Watched("uct:0.4s", Board("ConnectFour").game).watch(Board("ConnectFour")))
    assert time.perf_counter() - started < 30.0  # with what has to be compiled
    with pytest.raises(UnsupportedGameError, match="tells no values"):
        Watched("random", board.game)


class KeptTerminal(Terminal):
    """A terminal that keeps what it shows."""

    def __init__(self):
        super().__init__(file=io.StringIO(), force_terminal=True, width=80, height=40, record=True, highlight=False)


def watched_on_terminal(monkeypatch, capsys, *arguments):
    """(exit status, what stands on the terminal at the end, its SVG, stderr)."""
    console = KeptTerminal()
    monkeypatch.setattr(analyse, "terminal", lambda: console)
    status = main(["analyse", *arguments])
    out, err = capsys.readouterr()
    assert out == ""  # all of it is the terminal's
    return status, console.export_text(clear=False), console.export_svg(), err


def test_on_a_terminal_the_table_follows_the_search(monkeypatch, capsys):
    status, shown, picture, _ = watched_on_terminal(
        monkeypatch, capsys, "TicTacToe", "--moves", *MOVES, "--policy", "minimax:4", "--top", "3"
    )
    board = Board("TicTacToe")
    board.play(MOVES)
    found = make_policy("minimax:4", board.game).analyse(board)
    assert status == 0
    last = shown[shown.rindex("move") :]
    assert [line.split()[0] for line in last.splitlines()[2:5]] == [board.move_text(action) for action in ranked(found)[:3]]
    assert "and 2 more" in last
    assert f"value  {found.value:+.3f} for x" in last
    assert f"pruned {found.cutoffs} positions cut short, {found.table_hits} answered by the table" in last
    assert last.rstrip().splitlines()[-1].startswith("minimax:4  ")  # no longer "searching"
    assert board.move_text(found.action) in picture


def test_ctrl_c_keeps_what_has_been_found(monkeypatch, capsys):
    stages = Watched.watch

    def watch(watched, board):
        yield next(stages(watched, board))
        raise KeyboardInterrupt

    monkeypatch.setattr(Watched, "watch", watch)
    status, shown, _, err = watched_on_terminal(monkeypatch, capsys, "TicTacToe", "--policy", "minimax:4")
    assert status == 130
    assert "depth  1, " in shown[shown.rindex("move") :]
    assert "interrupted: this is what had been found by then" in err
    monkeypatch.setattr(Watched, "watch", lambda watched, board: iter(PressedAtOnce()))
    status, shown, _, _ = watched_on_terminal(monkeypatch, capsys, "TicTacToe", "--policy", "minimax:4")
    assert (status, "depth" in shown) == (130, False)


class PressedAtOnce:
    """Ctrl-C before there is anything to keep."""

    def __iter__(self):
        raise KeyboardInterrupt


def test_the_live_view_fits_and_tells_all():
    board = Board("TicTacToe")
    view = View(board, "uct:1000", 4)
    for analysis in Watched("uct:1000", board.game).watch(board):
        view.analysis = analysis
    console = Console(file=io.StringIO(), width=80)
    console.print(view)
    shown = console.file.getvalue()
    assert "and 5 more" in shown
    assert all(line in shown for line in facts(board, view.analysis))
    first = ranked(view.analysis)[0]
    assert first == view.analysis.action
    assert "searching" in shown
