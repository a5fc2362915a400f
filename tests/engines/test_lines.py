"""The reader of lines: what comes is what was sent, in bounded time and memory, and what is answered is short."""

import io
import random
import time
import tracemalloc

import pytest

from boardgym.baselines.engines.lines import MOST_LINE, CutLine, bounded_lines
from boardgym.cli import main

MANY = 1 << 26


def in_pieces(content, rng):
    """A `read` that gives a few bytes at a time, as pipes do."""
    stream = io.BytesIO(content)
    return lambda size: stream.read(rng.randint(1, 12))


def test_lines_are_those_that_were_sent():
    rng = random.Random(1)
    for _ in range(200):
        content = "".join(rng.choice("ab\n\n\ré") for _ in range(rng.randrange(60))).encode()
        whole = [line.rstrip("\r") for line in content.decode().removesuffix("\n").split("\n")] if content else []
        assert list(bounded_lines(in_pieces(content, rng), 1_000)) == whole


def test_long_lines_are_cut_and_their_ends_passed_over():
    content = b"short\n" + b"x" * 30 + b"\nquit\n" + b"y" * 11 + b"\n" + b"z" * 10 + b"\nlast \xff line"
    found = list(bounded_lines(in_pieces(content, random.Random(2)), 10))
    assert found == ["short", "x" * 10, "quit", "y" * 10, "z" * 10, "last � lin"]
    assert [isinstance(line, CutLine) for line in found] == [False, True, False, True, False, True]


@pytest.mark.parametrize(("line", "count"), [(b"x" * MANY, 1), (b"x" * 99 + b"\n", 50_000)], ids=["one", "many"])
def test_lines_are_read_in_bounded_time_and_memory(line, count):
    """One line of 64 MB, and many short ones."""
    stream = io.BytesIO(line * count)
    tracemalloc.start()
    started = time.process_time()
    try:
        assert sum(1 for _ in bounded_lines(stream.read, MOST_LINE)) == count
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert time.process_time() - started < 10.0
    assert most < 2_000_000


@pytest.mark.parametrize("protocol", ["gtp", "uci"])
def test_an_endless_command_is_refused_in_a_few_words(protocol, tmp_path, monkeypatch, capsys):
    """64 MB, and then a command that is answered as ever."""
    path = tmp_path / "commands"
    path.write_bytes(b"\x1b]0;x" * (MANY // 5) + {"gtp": b"\nname\nquit\n", "uci": b"\nisready\nquit\n"}[protocol])
    started = time.process_time()
    with path.open() as commands:
        monkeypatch.setattr("sys.stdin", commands)
        assert main(["engine", protocol, "--game", "TicTacToe", "--policy", "random"]) == 0
    out = capsys.readouterr().out
    assert "expected at most 262,144 bytes a line, got more: \\x1b]0;x" in out
    assert {"gtp": "= boardgym", "uci": "readyok"}[protocol] in out
    assert "\x1b" not in out
    assert len(out) < 600
    assert time.process_time() - started < 20.0


@pytest.mark.parametrize(
    ("protocol", "command"),
    [
        ("gtp", "play b {}"), ("gtp", "play {} b2"), ("gtp", "boardgym-position {}"), ("gtp", "boardgym-seed {}"),
        ("gtp", "set_game {}"), ("gtp", "komi {}"), ("gtp", "time_left b {} 1"), ("gtp", "final_score {}"),
        ("uci", "{}"), ("uci", "position {}"), ("uci", "position fen {}"), ("uci", "position startpos moves {}"),
        ("uci", "setoption name {} value 1"), ("uci", "go depth {}"), ("uci", "go {} depth"),
    ],
)  # fmt: skip
def test_echoes_are_short_and_printable(protocol, command, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(command.format("a\x1b[2J\x07" * 2_000) + "\nquit\n"))
    assert main(["engine", protocol, "--game", "TicTacToe", "--policy", "minimax:1"]) == 0
    out = capsys.readouterr().out
    assert 10 < len(out) < 700
    assert "\x1b" not in out
    assert "\x07" not in out
