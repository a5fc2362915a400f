"""`boardgym engine gtp` and `boardgym engine uci` on standard input and output."""

import contextlib
import io

import pytest

from boardgym.cli import main


def call(capsys, monkeypatch, lines, *arguments):
    """(exit status, stdout, stderr without notices of compiling)."""
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    status = main(["engine", *arguments])
    out, err = capsys.readouterr()
    return status, out, "".join(line for line in err.splitlines(keepends=True) if not line.startswith("boardgym: compiling"))


def test_gtp(capsys, monkeypatch):
    arguments = ["gtp", "--game", "TicTacToe", "--policy", "minimax:3", "--best"]
    lines = "play b b2\nplay w a1\nplay b c1\n3 genmove w\nboardgym-fen\nquit\nname\n"
    said = "=\n\n=\n\n=\n\n=3 a3\n\n= o2/1x1/o1x x\n\n=\n\n"
    assert call(capsys, monkeypatch, lines, *arguments) == (0, said, "")
    assert call(capsys, monkeypatch, "", *arguments) == (0, "", "")


def test_uci(capsys, monkeypatch):
    arguments = ["uci", "--game", "TicTacToe", "--policy", "minimax:3", "--best", "--seed", "3"]
    lines = "position startpos moves b2 a1 c1\ngo\nisready\n"
    status, out, err = call(capsys, monkeypatch, lines, *arguments)
    assert (status, err) == (0, "")
    assert sorted(out.split("\n")) == ["", "bestmove a3", "readyok"]


@pytest.mark.parametrize(
    "command", ["engine gtp", "engine uci", "match", "compare", "ladder", "play", "regret", "trial", "analyse"]
)
def test_help_tells_what_is_trusted(capsys, command):
    with contextlib.suppress(SystemExit):
        main([*command.split(), "--help"])
    words = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "Load model files that could execute code, run the programs of engines." in words


@pytest.mark.parametrize("protocol", ["gtp", "uci"])
def test_the_same_seed_says_the_same(capsys, monkeypatch, protocol):
    lines = {"gtp": "genmove b\ngenmove w\ngenmove b\n", "uci": "go\nposition startpos moves b2\ngo\n"}[protocol]

    def said(seed):
        return call(capsys, monkeypatch, lines, protocol, "--game", "TicTacToe", "--policy", "random", "--seed", str(seed))[1]

    assert said(1) == said(1)
    assert len({said(seed) for seed in range(1, 6)}) > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gtp", "--game", "Chess"], "no game 'Chess'"),
        (["gtp", "--policy", "mimimax:2"], "did you mean 'minimax'"),
        (["gtp", "--game", "Abalone3", "--policy", "random"], "3 seats"),
        (["gtp", "--seed", "-2"], "seed=-2"),
        (["uci", "--option", "size=5"], "boards of 4, 6 or 8"),
        (["uci", "--policy", "engine:uci:x"], "--trust"),
        (["usi"], "no command 'engine usi'; did you mean 'uci'?"),
    ],
)
def test_mistakes_are_one_line(capsys, monkeypatch, arguments, message):
    status, out, err = call(capsys, monkeypatch, "quit\n", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
