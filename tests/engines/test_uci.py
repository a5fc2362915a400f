"""The UCI server: its answers, limits, and that `stop` is heard."""

import re
import threading
import time

import pytest

from boardgym import Board, SpecError, get_game
from boardgym.baselines.engines import session as session_module
from boardgym.baselines.engines import uci
from boardgym.baselines.engines.session import Session
from boardgym.baselines.engines.uci import UciServer
from boardgym.core.policy_spec import make_policy


def talk(*lines, game="TicTacToe", spec="minimax:3"):
    """What the server says to these lines; a search with limits is let finish before the input ends."""
    said = []
    server = UciServer(Session(get_game(game), spec, seed=1), lambda text: said.append(text.rstrip("\n")))
    for line in lines:
        server.answer(line)
    server.finish()
    return said


def test_greeting():
    said = []
    UciServer(Session(get_game("TicTacToe"), "minimax:3", seed=1), lambda text: said.append(text[:-1])).serve(
        ["uci", "isready", "quit", "isready"]
    )
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
    expected = ["'b2' is illegal", "expected 'startpos'", "unknown command 'jump'", "not followed"]
    for error, words in zip(errors, [*expected, "could not convert", "expected 'name Seed"], strict=True):
        assert words in error
    moves = [line for line in said if line.startswith("bestmove")]
    assert moves[:2] == ["bestmove (none)"] * 2  # for each `go` that could not be understood
    assert moves[2:] == said[-1:]
    assert said[-1].removeprefix("bestmove ") in ("a2", "b1", "b3", "c2", "c3")


def test_where_nobody_is_to_play_there_is_no_move():
    over = talk("position startpos moves a1 a2 b1 b2 c1", "go")
    assert over == ["info string the game is over", "bestmove (none)"]
    assert talk("go", game="CardPoints", spec="random") == ["info string chance is to act", "bestmove (none)"]


def test_clock_is_shared_out():
    server = UciServer(Session(get_game("TicTacToe"), "uct:50", seed=1), print)
    search = server._limited(["wtime", "60000", "btime", "10", "winc", "1000"])
    assert search.spec.keywords["time"] == "2.8s"
    assert search.may_tell.is_set()
    assert server._limited(["wtime", "60000", "btime", "10", "movestogo", "1"]).spec.keywords["time"] == "48.0s"
    assert not server._limited(["infinite"]).may_tell.is_set()
    assert server._limited([]).spec is server.session.spec
    server.obey(["position", "startpos", "moves", "b2"])
    assert server._limited(["wtime", "60000", "btime", "10"]).spec.keywords["time"] == "0.01s"


def test_what_an_honest_controller_says_is_played():
    """Late clocks, and limits that we do not have, are no reason not to move."""
    server = UciServer(Session(get_game("TicTacToe"), "uct:50", seed=1), print)
    assert server._limited(["wtime", "-30", "btime", "-5", "winc", "-1"]).spec.keywords["time"] == "0.01s"
    assert server._limited(["depth", "9", "nodes", "70"]).spec.argument == "70"
    with pytest.raises(SpecError, match="uct has no depth"):
        server._limited(["depth", "9"])
    for go, words in (
        ("go searchmoves b2 a1 nodes 4", "searchmoves b2 a1"),
        ("go mate 3", "mate 3"),
        ("go quickly", "quickly"),
    ):
        left_out, *_, best = talk(go, spec="minimax:1")
        assert left_out == f"info string go: left out, as there is no such limit: {words}"
        assert re.fullmatch(r"bestmove [abc][123]", best)


def test_every_move_draws_anew(monkeypatch):
    """From the session's seed, or one that it has taken for all its moves from the operating system."""
    monkeypatch.setattr(session_module, "fresh_seed", lambda: 5)

    def seeds(seed):
        session = Session(get_game("TicTacToe"), "minimax:1", seed=seed)
        server, taken = UciServer(session, lambda text: None), []
        for _ in range(2):
            server.answer("go depth 1")
            server.search.thread.join(60)
            taken.append(server.search.watched.seed)
        return taken

    assert seeds(None) == seeds(5)
    assert len({*seeds(5), *seeds(6), *seeds(0)}) == 6


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
    assert len([line for line in said if line.startswith("bestmove")]) == 1


@pytest.mark.parametrize("end", [["quit"], []], ids=["quit", "end of the input"])
@pytest.mark.parametrize("spec", ["uct:1000000000,nodes=1000", "epsilon:0.000001(mix(1*minimax:40, 1*minimax:41))"])
def test_the_end_does_not_wait_for_a_search(spec, end):
    """With a budget for hours, which is not spent on making ready either; its best move is told all the same."""
    said, ended = [], []
    server = UciServer(Session(get_game("ConnectFour"), spec, seed=1), said.append)

    def spoken():
        yield from ["isready", "go"]
        while server.search is None:
            time.sleep(0.01)
        ended.append(time.monotonic())
        yield from end

    server.serve(spoken())
    assert time.monotonic() - ended[0] < 1.0
    assert said[0] == "readyok\n"
    assert re.fullmatch(r"bestmove [1-7]\n", said[1])
    assert not server.search.is_left


def test_what_has_to_be_compiled_is_compiled_before_the_clock_runs(monkeypatch):
    asked = []
    monkeypatch.setattr(session_module, "warm", lambda spec, game, **rest: asked.append((spec.text, game.id)))
    talk("isready", "isready", "go", "isready")
    assert asked == [("minimax:3", "TicTacToe-v0")]


class Deaf:
    """Takes its time, and cannot be interrupted."""

    def __init__(self):
        self.may_end = threading.Event()

    def reset(self, *, seed=None):
        """Nothing to do."""

    def act(self, board, *, deterministic=False):
        assert self.may_end.wait(60)
        return board.legal_actions[0]


def test_a_search_that_does_not_heed_is_left_to_itself(monkeypatch):
    """There is one best move for each `go`, and what comes late is not told."""
    monkeypatch.setattr(uci, "MORE_PATIENCE_S", 0.05)
    said = []
    server = UciServer(Session(get_game("TicTacToe"), "random"), said.append)
    server.session.policy = deaf = Deaf()
    for line in ("go infinite", "stop", "stop", "isready"):
        server.obey(line.split())
    late = server.search
    assert late.is_left
    for line in ("position startpos moves b2", "go"):  # by another policy
        server.obey(line.split())
    server.finish()
    assert late.thread.is_alive()
    assert server.is_busy
    deaf.may_end.set()
    late.thread.join(60)
    assert not server.is_busy
    *errors, best = said
    assert errors == ["info string error: stopped before a move was found\n", "bestmove (none)\n", "readyok\n"]
    assert re.fullmatch(r"bestmove [abc][123]\n", best)


@pytest.mark.parametrize("end", ["stop", "quit", ""])
@pytest.mark.parametrize("line", ["position startpos moves b2", "d"])
def test_an_end_is_heard_while_a_search_is_waited_for(monkeypatch, line, end):
    """But for a script that ends with `d`, which is about the search before it."""
    monkeypatch.setattr(uci, "MORE_PATIENCE_S", 0.05)
    said = []
    server = UciServer(Session(get_game("TicTacToe"), "random"), said.append)
    server.session.policy = deaf = Deaf()
    has_to_wait = line == "d" and not end
    if has_to_wait:
        threading.Timer(0.3, deaf.may_end.set).start()
    server.serve(["go", line, "isready", *[end] * bool(end)])
    assert ("bestmove (none)\n" in said) != has_to_wait
    assert deaf.may_end.is_set() == has_to_wait
    deaf.may_end.set()


def test_after_a_ponderhit_an_endless_search_is_still_endless():
    server = UciServer(Session(get_game("TicTacToe"), "random"), lambda text: None)
    for line in ("go ponder infinite", "ponderhit"):
        server.answer(line)
    search = server.search
    assert not search.may_tell.wait(0.1)
    threading.Thread(target=server.answer, args=("position startpos",), daemon=True).start()
    search.thread.join(30)
    assert search.is_over


def test_pondering_ends_by_the_clock_after_the_hit():
    """Until then it goes on whatever the time is; the option lets it tell the answer that it expects."""
    said = []
    server = UciServer(Session(get_game("ConnectFour"), "uct:100,nodes=1000", seed=1), said.append)

    def is_told():
        return any(line.startswith("bestmove") for line in said)

    for line in ("setoption name Ponder value true", "isready", "position startpos moves 4", "go ponder btime 6000 wtime 6000"):
        server.obey(line.split())
    time.sleep(0.4)  # twice what its clock allows
    assert not is_told()
    server.obey(["ponderhit"])
    started = time.monotonic()
    server.obey(["ponderhit"])  # means nothing any more
    while not is_told():
        assert time.monotonic() - started < 10.0
        time.sleep(0.01)
    assert re.fullmatch(r"bestmove [1-7] ponder [1-7]\n", said[-1])
    said.clear()
    server.obey(["position", "startpos", "moves", "1", "7", "2", "7", "3", "7"])
    proven = "go ponder wtime 9000000 btime 9000000", "ponderhit"  # a win, so that there is nothing to wait for
    for go, end in (("go ponder nodes 20", "ponderhit"), ("go ponder", "ponderhit"), ("go ponder wtime 10", "stop"), proven):
        server.obey(go.split())
        assert not is_told()
        server.obey([end])
        started = time.monotonic()
        while not is_told():
            assert time.monotonic() - started < 10.0
            time.sleep(0.01)
        said.clear()


def test_a_client_can_compare_rules_and_position():
    said = talk(
        "uci",
        "position startpos moves d3",
        "boardgym-fen",
        "setoption name Boardgym-Rules value Othello-v0 size=6",
        "setoption name Boardgym-Rules value Othello-v0 size=8",
        game="Othello",
        spec="random",
    )
    assert "option name Boardgym-Rules type string default Othello-v0 size=8" in said
    assert said[-2] == f"info string boardgym-fen {played('Othello', 'd3').fen()}"
    assert "this engine plays 'Othello-v0 size=8'" in said[-1]


def played(game, *moves):
    """A board after some moves."""
    board = Board(game)
    board.play(moves)
    return board
