"""The UCI server: its answers, limits, and that `stop` is heard."""

import re
import threading
import time

import pytest

from boardgym import Board, get_game
from boardgym.baselines.engines.session import Session
from boardgym.baselines.engines.uci import UciServer
from boardgym.core.policy import make_policy


def talk(*lines, game="TicTacToe", spec="minimax:3"):
    """What the server says to these lines and the end of the input."""
    said = []
    UciServer(Session(get_game(game), spec, seed=1), lambda text: said.append(text.rstrip("\n"))).serve(lines)
    return said


def test_greeting():
    said = talk("uci", "isready", "quit", "isready")
    assert said[0].startswith("id name boardgym")
    assert said[-2:] == ["uciok", "readyok"]
    assert "option name Seed type spin default 0 min 0 max 9223372036854775807" in said


@pytest.mark.parametrize(("limit", "spec"), [("depth 4", "minimax:4"), ("nodes 300", "minimax:100,nodes=300")])
def test_info_lines_follow_the_search(limit, spec):
    board = Board("TicTacToe")
    board.play(["b2", "a1", "c1"])
    found = make_policy(spec, board.game, seed=1).analyse(board)
    *infos, best = talk("position startpos moves b2 a1 c1", f"go {limit}")
    assert best == f"bestmove {board.move_text(found.action)}"
    assert all(line.startswith("info depth ") for line in infos)
    assert f" score cp {round(100 * found.value)} " in infos[-1]
    line = infos[-1].partition(" pv ")[2].split()
    assert tuple(board.copy().action_of(move) for move in line[:1]) == found.principal_variation[:1]
    depths = [int(re.search(r"depth (\d+)", line)[1]) for line in infos]
    assert depths == list(range(1, len(depths) + 1))


def test_proven_results_are_mates():
    assert " score mate 1 " in talk("position fen oo1/1xx/3 x", "go depth 3")[-2]
    lost = talk("position startpos moves b2 a1 c1 a3 a2", "go depth 9", spec="minimax:2")
    assert lost[-1].startswith("bestmove c2")
    assert " score mate -1 " in talk("position fen 1o1/1x1/2x o", "go depth 9")[-2]


def test_without_limits_the_policy_plays_by_its_spec():
    for spec in ("minimax:3", "random", "uct:50"):
        (best,) = talk("position startpos moves b2", "go", spec=spec)
        assert best.removeprefix("bestmove ") in ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]
    assert talk("go", spec="random") == talk("go", spec="random")
    assert talk("setoption name Best value true", "go", spec="random") == ["bestmove a3"]


def test_positions_and_mistakes():
    said = talk(
        "position fen 1o1/1x1/3 x moves c1 a3",
        "d",
        "position startpos moves b2 b2",
        "position here",
        "d",
        "jump",
        "go depth",
        "go deep 3",
        "go depth x",
        "setoption name Colour value red",
        "go depth 2",
    )
    shown = [
        "info string 3 o o .",
        "info string 2 . x .",
        "info string 1 . . x",
        "info string   a b c",
        "info string oo1/1x1/2x x",
    ]
    assert said[:5] == shown
    assert [line for line in said if line in shown] == shown * 2
    errors = [line for line in said if line.startswith("info string error:")]
    expected = ["'b2' is illegal", "expected 'startpos'", "unknown command 'jump'", "not followed", "unknown limit 'deep'"]
    for error, words in zip(errors, [*expected, "could not convert", "expected 'name Seed"], strict=True):
        assert words in error
    moves = [line for line in said if line.startswith("bestmove")]
    assert moves[:3] == ["bestmove (none)"] * 3  # for each `go` that could not be understood
    assert moves[3:] == said[-1:]
    assert said[-1].removeprefix("bestmove ") in ("a2", "b1", "b3", "c2", "c3")


def test_where_nobody_is_to_play_there_is_no_move():
    over = talk("position startpos moves a1 a2 b1 b2 c1", "go")
    assert over == ["info string the game is over", "bestmove (none)"]
    assert talk("go", game="CardPoints", spec="random") == ["info string chance is to act", "bestmove (none)"]


def test_clock_is_shared_out():
    server = UciServer(Session(get_game("TicTacToe"), "uct:50", seed=1), print)
    spec, is_endless = server._limited(["wtime", "60000", "btime", "10", "winc", "1000"])
    assert (spec.keywords["time"], is_endless) == ("2.8s", False)
    assert server._limited(["wtime", "60000", "btime", "10", "movestogo", "1"])[0].keywords["time"] == "48.0s"
    assert server._limited(["infinite"])[1]
    assert server._limited([])[0] is server.session.spec
    server.obey(["position", "startpos", "moves", "b2"])
    assert server._limited(["wtime", "60000", "btime", "10"])[0].keywords["time"] == "0.01s"


@pytest.mark.parametrize("go", ["go infinite", "go nodes 1000000000"])
def test_stop_is_heard(go):
    """The best move comes at once after `stop`, and with `infinite` not before."""
    talk("go nodes 20", game="ConnectFour", spec="uct:100,nodes=1000")  # compiled before the clock runs
    said, told = [], threading.Event()

    def write(text):
        said.append(text)
        if text.startswith("info"):
            told.set()

    server = UciServer(Session(get_game("ConnectFour"), "uct:100,nodes=1000", seed=1), write)
    server.obey(go.split())
    assert told.wait(60)
    assert not any(line.startswith("bestmove") for line in said)
    server.obey(["isready"])
    assert "readyok\n" in said
    started = time.monotonic()
    server.obey(["stop"])
    assert time.monotonic() - started < 1.0  # 0.1 s on a machine that has nothing else to do
    assert said[-1].startswith("bestmove")
    server.obey(["stop"])  # of nothing
