"""Engines in other processes as policies: our own ones, and ones that misbehave in every way."""

import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from boardgym import Board, SpecError, UnsupportedGameError, get_game
from boardgym.baselines.arena.match import play_match
from boardgym.baselines.engines.clients import within
from boardgym.baselines.engines.process import LINE_LENGTH, EngineProcess
from boardgym.baselines.engines.session import Session
from boardgym.baselines.engines.uci import UciServer
from boardgym.core.errors import EngineError, UntrustedFileError
from boardgym.core.policy_spec import make_policy
from tests.support import ROOT

UNRULY = f"{sys.executable} -S {Path(__file__).with_name('unruly.py')}"
OWN = f"{sys.executable} -m boardgym engine"


@pytest.fixture(autouse=True)
def own_engine_is_found(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))


def engine(protocol, way, game="TicTacToe"):
    return make_policy(f"engine:{protocol}:{UNRULY} {way}", game, trust=True)


def is_gone(pid):
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("spec", "own"),
    [
        (f"engine:gtp:{OWN} gtp --game TicTacToe --policy uct:30", "uct:30"),
        (f"engine:uci,depth=4:{OWN} uci --game TicTacToe --policy minimax:1", None),
    ],
    ids=["gtp", "uci"],
)
def test_own_engine_in_another_process_plays_as_in_this_one(spec, own):
    """The same seed, the same game; moves are told as they come, positions and taken back moves too."""
    here = make_policy(own, "TicTacToe") if own else None
    policy = make_policy(spec, "TicTacToe", trust=True)
    for seed, opening in ((4, ["b2", "a1"]), (5, ["a1"])):
        board = Board("TicTacToe")
        board.play(opening)
        policy.reset(seed=seed)
        if here is not None:
            here.reset(seed=seed)
        while not board.is_terminal:
            wanted = here.act(board) if here is not None else make_policy("minimax:4", board.game).analyse(board).action
            forced = len(board.legal_actions) == 1
            action = policy.act(board)
            assert action == wanted or forced
            board.push(action)
    board.pop()
    board.pop()
    assert policy.act(board) in board.legal_actions
    assert policy.act(Board("TicTacToe", "1o1/1x1/3 x")) >= 0
    if own is None:
        found, direct = policy.analyse(board), make_policy("minimax:4", board.game).analyse(board)
        assert (found.action, found.nodes, found.principal_variation) == (
            direct.action,
            direct.nodes,
            direct.principal_variation,
        )
        assert found.value == pytest.approx(direct.value, abs=0.005)
        assert policy.evaluate(board) == found.value
    pid = policy.process.process.pid
    copy = pickle.loads(pickle.dumps(policy))
    assert copy.process is None
    assert (copy.spec, copy.command, copy.timeout) == (policy.spec, policy.command, policy.timeout)
    del policy
    assert is_gone(pid)


FAILURES = [
    ("gtp", "stillborn", r"has ended.* \(exit status 3\); its last words: no book found"),
    (
        "gtp",
        "crash",
        r"has ended, asked 'genmove black' \(exit status 7\); its last words: out of \\x1b\[31mmemory and",
    ),
    ("gtp", "flood", "writes without end, asked 'genmove black'"),
    ("gtp", "colourful", r"x1b\]0;b2.*x07' names no cell"),
    ("gtp", "elsewhere", "is at '3/3/3 x' and not at '2o/1x1/3 x', after the moves 'b2 c3'"),
    ("uci", "elsewhere", "is at '3/3/3 x' and not at '2o/1x1/3 x', after the moves 'b2 c3'"),
    ("gtp", "silent", "gave no answer to 'genmove black' in time"),
    ("gtp", "garbage", "gave 'I am thinking' as answer to 'genmove black'"),
    ("gtp", "illegal", "'b2' is illegal"),
    ("gtp", "nonsense", "'z9' names no cell"),
    ("gtp", "resign", "resigned"),
    ("gtp", "refuse", "refused 'boardsize 3'"),
    ("gtp", "chess", "does not play TicTacToe; it plays Chess"),
    ("gtp", "stubborn", "gave no answer"),
    ("uci", "stillborn", "exit status 3"),
]


@pytest.mark.parametrize(("protocol", "way", "message"), FAILURES, ids=[" ".join(case[:2]) for case in FAILURES])
def test_failures_are_told_and_leave_no_process(protocol, way, message):
    policy = engine(protocol, way)
    policy.timeout = 0.3 if way in ("silent", "stubborn") else 30.0
    board = Board("TicTacToe")
    board.play(["b2", "c3"])
    seen = []
    begin = policy.begin

    def noted():
        seen.append(policy.process.process.pid)
        begin()

    policy.begin = noted
    with pytest.raises(EngineError, match=message):
        policy.act(board)
    assert policy.process is None
    assert is_gone(seen[0])
    with pytest.raises(EngineError, match=message):  # it is started anew, and fails as before
        policy.act(board)


def test_a_program_that_is_not_there():
    policy = make_policy("engine:gtp:/no/such/program --quick", "Othello", trust=True)
    with pytest.raises(EngineError, match=r"engine /no/such/program --quick: cannot be started: No such file"):
        policy.act(Board("Othello"))


def test_uci_information_is_read():
    board = Board("TicTacToe")
    board.play(["b2"])
    found = engine("uci", "well").analyse(board)
    assert [board.move_text(action) for action in found.principal_variation[:1]] == ["c3"]
    assert (found.value, found.depth, found.nodes, found.is_proven) == (1.0, 3, 12, False)  # cp is cut off at 100
    assert len(found.principal_variation) == 2  # the third move is taken already
    lost = engine("uci", "mate").analyse(board)
    assert (lost.value, lost.is_proven, lost.principal_variation) == (-1.0, True, (lost.action,))


def test_uci_engines_are_told_to_stop_when_the_time_is_over():
    policy = engine("uci", "silent")
    policy.timeout, policy.settings = 0.2, {"time": 0.1}
    board = Board("TicTacToe")
    board.play(["b2"])
    policy.timeout = 30.0
    policy._guarded(lambda: None)  # started
    policy.timeout = 0.2
    started = time.monotonic()
    assert board.move_text(policy.act(board)) == "a3"
    assert 0.3 <= time.monotonic() - started < 10.0


def test_ctrl_c_ends_the_wait_and_the_engine():
    """In a process of its own, as a signal reaches the main thread only."""
    code = f"""
import signal, sys, threading, time, os
from boardgym import Board
from boardgym.core.policy_spec import make_policy
policy = make_policy({f"engine:gtp:{UNRULY} silent"!r}, "TicTacToe", trust=True)
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
policy._guarded(lambda: None)
pid, board = policy.process.process.pid, Board("TicTacToe")
threading.Timer(0.5, lambda: (print(time.monotonic()), os.kill(os.getpid(), signal.SIGINT))).start()
try:
    policy.act(board)
except KeyboardInterrupt:
    print(time.monotonic(), policy.process)
print(pid)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    pressed, ended, process, pid = done.stdout.split()
    assert process == "None"
    assert float(ended) - float(pressed) < 3.0  # 0.1 s, and what the engine takes to end
    assert is_gone(int(pid))


def test_in_a_match_a_broken_engine_forfeits():
    match = play_match(
        f"engine:gtp:{UNRULY} crash", "random", "TicTacToe", games=2, openings="start", trust=True, progress=False
    )
    assert [game.score for game in match.games] == [0.0, 0.0]
    assert match.has_clock
    assert all("memory and more" in game.record.message for game in match.games)


def test_one_that_writes_without_end_is_given_up():
    policy = make_policy(f"engine:uci,time=0.1s,timeout=0.3s:{UNRULY} flood", "TicTacToe", trust=True)
    started = time.monotonic()
    with pytest.raises(EngineError, match=r"gave no answer to|writes without end"):  # whichever limit is met first
        policy.act(Board("TicTacToe"))
    assert time.monotonic() - started < 30.0


def test_one_that_does_not_read_is_given_up():
    process = EngineProcess(["sleep", "97"], timeout=0.2)
    with pytest.raises(EngineError, match=r"engine sleep 97: did not read 'xxx.* in time"):
        process.send("x" * 1_000_000)
    assert is_gone(process.process.pid)


@pytest.mark.parametrize(("protocol", "said"), [("uci", "bestmove a3"), ("gtp", "bestmove (none)")])
def test_stop_reaches_an_engine_that_thinks(protocol, said):
    """By UCI it tells its best move so far; by GTP there is no word for it, and it is killed."""
    lines = []
    server = UciServer(Session(get_game("TicTacToe"), f"engine:{protocol}:{UNRULY} silent", trust=True), lines.append)
    server.session.policy.interrupt()  # of nothing
    server.answer("go infinite")
    policy = server.session.policy
    while not (policy.is_thinking if protocol == "uci" else policy.process is not None and policy.is_asked):
        time.sleep(0.01)
    server.answer("stop")
    assert not server.search.is_left
    assert lines[-1] == f"{said}\n"
    assert ("was interrupted" in lines[0]) == (protocol == "gtp")


@pytest.mark.parametrize(("protocol", "inner", "lines"), [("uci", "uci", b"go\n"), ("gtp", "gtp", b"genmove b\n")])
def test_no_engine_outlives_a_server_of_ours(tmp_path, protocol, inner, lines):
    """Neither after `quit` while it starts, nor when nobody hears the server any more."""
    script, note = tmp_path / "engine.sh", tmp_path / "pid"
    script.write_text(f"echo $$ > {note}.new; mv {note}.new {note}; exec sleep 97\n")
    command = [*f"{OWN} {protocol} --game TicTacToe --trust --policy".split(), f"engine:{inner}:sh {script}"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(lines)
    process.stdin.flush()
    while not note.exists():
        assert process.poll() is None
        time.sleep(0.02)
    if protocol == "uci":
        process.stdin.write(b"stop\nquit\n")
    process.stdin.close()
    if protocol == "gtp":
        process.stdout.close()
    assert (process.wait(60.0) == 0) == (protocol == "uci")
    assert is_gone(int(note.read_text()))


def test_a_seed_is_within_what_the_engine_takes():
    assert within(7, "spin default 0 min 0 max 9223372036854775807") == 7
    assert [within(seed, "spin default 1 min 1 max 100") for seed in (0, 1, 100, 101, 2**62)] == [1, 1, 100, 2, 5]
    assert within(7, "string default 3") == 7


def test_of_a_line_without_end_the_beginning_is_kept():
    """Not more of it than has room: the rest is read, and forgotten."""
    process = EngineProcess([*UNRULY.split(), "endless"], timeout=30.0)
    process.send("1 genmove black")
    assert process.read_line("", deadline=time.monotonic() + 30.0) == "#" * LINE_LENGTH
    with pytest.raises(EngineError, match="gave no answer to 'genmove' in time"):
        process.read_line("genmove", deadline=time.monotonic() + 0.2)
    assert process.lines.qsize() <= 1  # where it ends


@pytest.mark.parametrize("protocol", ["gtp", "uci"])
def test_one_that_plays_another_game_is_refused(protocol):
    with pytest.raises(UnsupportedGameError, match="the engine plays 'TicTacToe-v0 size=4', not 'TicTacToe-v0'"):
        engine(protocol, "otherwise").act(Board("TicTacToe"))
    game = get_game("NineMensMorris", flying=False)
    with pytest.raises(UnsupportedGameError, match="does not say whether it plays with flying=False; expected the usual rules"):
        engine(protocol, "well", game).act(Board(game))


def test_our_own_says_by_which_rules_it_plays():
    command = f"{OWN} uci --game NineMensMorris --option flying=false --policy random"
    policy = make_policy(f"engine:uci:{command}", "NineMensMorris", trust=True)
    with pytest.raises(UnsupportedGameError, match=r"the engine plays 'NineMensMorris-v0 draw= flying=False .* flying=True"):
        policy.act(Board("NineMensMorris"))


def test_an_engine_of_ours_ends_when_nobody_hears_it():
    """As when its controller is killed: the search that it is about would take hours."""
    command = f"{OWN} gtp --game ConnectFour --policy uct:1000000000,nodes=1000".split()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b"name\n\xff\ngenmove b\n")
    process.stdin.flush()
    said = [process.stdout.readline().strip() for _ in range(4)]
    assert said == [b"= boardgym", b"", b"? unknown command", b""]  # and goes on after what is no text
    process.stdin.close()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1.0)  # somebody may still wait for the answer
    process.stdout.close()
    assert process.wait(20.0) != 0


@pytest.mark.parametrize("way", ["well", "flood"])
def test_threads_of_ended_engines_end(way):
    policy = engine("gtp", way)
    policy._guarded(lambda: policy.engine.send("7 genmove black"))
    time.sleep(0.5)
    policy.close()
    for _ in range(100):
        if not [thread for thread in threading.enumerate() if thread.name == "boardgym-engine"]:
            return
        time.sleep(0.05)
    pytest.fail("a thread still reads from an engine that has ended")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("engine", "expected engine:gtp:COMMAND"),
        ("engine:gtp", "expected engine:gtp:COMMAND"),
        ("engine:gpt:x", "did you mean 'gtp'"),
        ("engine:gtp:", "a command is missing"),
        ("engine:gtp:'x", "No closing quotation"),
        ("engine:gtp,timeot=3s:x", "did you mean 'timeout'"),
        ("engine:gtp,timeout=3:x", "expected seconds"),
        ("engine:gtp,timeout=-3s:x", "above 0"),
        ("engine:gtp,depth=3:x", "unknown setting 'depth'"),
        ("engine:uci,depth=0:x", "above 0"),
        ("engine:uci,5:x", "takes no argument"),
    ],
)
def test_bad_specs(spec, message):
    with pytest.raises(SpecError, match=message):
        make_policy(spec, "Othello", trust=True)


def test_specs_that_are_refused():
    with pytest.raises(UntrustedFileError, match="runs the program 'rm'"):
        make_policy("engine:gtp:rm -r x", "Othello")
    with pytest.raises(UnsupportedGameError, match="3 seats"):
        make_policy("engine:gtp:x", "Abalone3", trust=True)
    policy = make_policy("engine:uci,nodes=5,time=0.5s,timeout=2s:a 'b c' (d, e)", "Othello", trust=True)
    assert policy.command == ["a", "b c", "(d,", "e)"]
    assert (policy.settings, policy.timeout) == ({"nodes": 5, "time": 0.5}, 2.0)
    assert not make_policy("engine:uci,nodes=5:x", "Othello", trust=True).has_clock
    with pytest.raises(UnsupportedGameError, match="standard start only"):
        engine("gtp", "well").act(Board("TicTacToe", "1o1/1x1/3 x"))
    assert get_game("Othello").id in repr(policy)
