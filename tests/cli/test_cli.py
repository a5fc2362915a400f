"""The command line as a whole: help, mistakes, exit statuses, pipes, Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import types

import pytest

from boardgym import __version__, list_games
from boardgym.cli import COMMANDS, main
from boardgym.core.policy_spec import register_policy

PROGRAM = [sys.executable, "-m", "boardgym"]


def call(capsys, *arguments):
    """(exit status, stdout, stderr without notices of compiling)."""
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, "".join(line for line in err.splitlines(keepends=True) if not line.startswith("boardgym: compiling"))


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_overview(capsys, arguments):
    status, out, _ = call(capsys, *arguments)
    assert status == 0
    for name in COMMANDS:
        assert name in out
    assert "Examples:" in out
    assert "mix(0.7*greedy, 0.3*uct:50)" in out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_that_parse(capsys, name):
    status, out, _ = call(capsys, *name.split(), "--help")
    assert status == 0
    examples = re.findall(rf"^  (boardgym {name}.*)$", out, re.MULTILINE)
    assert examples
    assert "--help" in out


def test_help_of_a_group(capsys):
    status, out, _ = call(capsys, "train", "--help")
    assert status == 0
    assert "boardgym train sb3" in out


def test_version(capsys):
    assert call(capsys, "--version") == (0, f"boardgym {__version__}\n", "")


MISTAKES = [
    (["foo"], "no command 'foo'"),
    (["mtach"], "did you mean 'match'"),
    (["--games"], "no command '--games'"),
    (
        ["train", "ppo"],
        "no command 'train ppo'; known: coevolution, descent, ntuple, q-network, q-sarsa, sb3, selfplay, tabular, td, uct-ccnn",
    ),
    (["train", "tdd"], "did you mean 'td'"),
    (["show", "Oteho"], "did you mean 'Othello-v0'?"),
    (["show", "Othello-v9"], "no version 9"),
    (["show", "ConnectFour", "nonsense"], "expected the pieces and the side to play"),
    (["show", "ConnectFour", "7/7", "x"], "has 2 rows"),
    (["show", "ConnectFour", "--moves", "9"], "'9' is no column"),
    (["show", "Othello", "--moves", "a1"], "'a1' is illegal"),
    (["show", "Othello", "--option", "size=5"], "boards of 4, 6 or 8"),
    (["show", "Othello", "--option", "sise=6"], "did you mean 'size'?"),
    (["show", "Othello", "--option", "size"], "expected NAME=VALUE"),
    (["show", "Othello", "--option", "size=6", "--option", "size=8"], "given twice"),
    (["show", "TicTacToe", "--option", "size=6"], "it has none"),
    (["show", "TicTacToe", "--values", "greedy"], "tells no values"),
    (["show", "TicTacToe", "--values", "minimax:2", "--moves", "a1", "a2", "b1", "b2", "c1"], "the game is over"),
    (["show", "TicTacToe", "--png", "/no such folder/x.png"], "No such file"),
    (["match", "random", "gredy"], "did you mean 'greedy'"),
    (["match", "random", "mix()"], "nothing between the brackets"),
    (["match", "random", "greedy", "--games", "3"], "games=3"),
    (["compare", "random", "--games", "3"], "games=3: expected an even number from 2, for pairs with the seats swapped"),
    (["compare", "random", "--games", "3", "--by-seat"], "games=3: expected an even number from 2, half of the games at"),
    (["match", "random", "greedy", "--games", "0"], "games=0"),
    (["match", "random", "greedy", "--record", "/no such folder/x"], "/no such folder/x: No such file"),
    (["match", "random", "greedy", "--openings", "all"], "heldout"),
    (["compare", "random", "--openings", "openings-244"], "no set of openings is called 'openings-244'"),
    (["match", "random", "greedy", "--seed", "-1"], "seed=-1"),
    (["match", "random", "uct:0.1s,nodes=100000000000"], "expected at most 100000000"),
    (["compare", "random", "--seed", "-1"], "seed=-1"),
    (["compare", "random", "--seed", str(2**64)], "seed=18446744073709551616"),
    (["play", "ConnectFour", "random", "greedy", "--seed", "-2"], "seed=-2"),
    (["compare", "sb3:missing.zip"], "no file 'missing.zip'"),
    (["compare", "minimax:-1"], "minimax:-1"),
    (["compare", "random", "--opponents"], "no opponents"),
    (["play", "ConnectFour", "random", "uct:x"], "uct:x"),
    (["play", "ConnectFour", "random", "greedy", "--fen", "x"], "expected the pieces"),
    (["replay", "missing.jsonl"], "missing.jsonl: No such file"),
    (["replay", os.path.dirname(__file__)], "Is a directory"),
    (["replay", __file__], "line 1"),
    (["bench", "--seconds", "0"], "--seconds 0"),
    (["bench", "Chess"], "no game 'Chess'"),
    (["warm", "Chess"], "no game 'Chess'"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[" ".join(a) for a, _ in MISTAKES])
def test_mistakes_are_one_line_and_status_2(capsys, arguments, message):
    status, out, err = call(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert message in err
    assert err.startswith("boardgym: ")
    assert err.count("\n") == 1


PARSER_MISTAKES = [
    (["games", "extra"], "extra"),
    (["show"], "GAME"),
    (["match", "random"], "B"),
    (["match", "random", "greedy", "--games", "many"], "many"),
    (["match", "random", "greedy", "--gmaes", "4"], "--games"),
    (["bench", "--what", "nothing"], "nothing"),
    (["compare", "random", "--games"], "--games"),
    (["train", "td", "--episodes", "few"], "few"),
]


@pytest.mark.parametrize(("arguments", "message"), PARSER_MISTAKES, ids=[" ".join(a) for a, _ in PARSER_MISTAKES])
def test_options_that_cannot_be_read(capsys, arguments, message):
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("boardgym: ")
    assert err.endswith(" --help\n")
    assert err.count("\n") == 1


def test_a_file_that_is_no_model(capsys, tmp_path):
    path = tmp_path / "model.zip"
    path.write_bytes(b"nothing of the kind")
    for extra in ([], ["--trust"]):
        status, _, err = call(capsys, "compare", f"sb3:{path}", "--games", "2", *extra)
        assert status == 2
        assert str(path) in err
        assert err.count("\n") == 1


def test_mistakes_are_red_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    _, _, err = call(capsys, "show", "Oteho")
    assert err.startswith("\x1b[1;31mboardgym: no game")


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_without_colours_shows_whose_disc_is_whose(capsys, monkeypatch, name, value):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv(name, value)
    _, out, _ = call(capsys, "show", "ConnectFour", "--moves", "4", "4", "5")
    assert "38;2" not in out
    lines = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()]
    assert lines[4:6] == [" . . . o . . .", " . . . x[x]. ."]


def test_a_missing_extra_is_named():
    code = "import sys; sys.modules['torch'] = None; from boardgym.cli import main; sys.exit(main(['demo']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'boardgym[sb3,plot]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_library_that_a_policy_needs_is_named(capsys, monkeypatch):
    for module in ("boardgym.wrappers.openspiel", "boardgym.wrappers.openspiel_game"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    status, out, err = call(capsys, "compare", "openspiel:mcts:5", "--game", "TicTacToe")
    assert (status, out) == (2, "")
    assert err.startswith("boardgym: this needs OpenSpiel, which is not installed")
    assert "pip install 'boardgym[openspiel]'" in err
    assert err.count("\n") == 1


def test_quick_commands_do_not_load_torch():
    code = (
        "import sys; from boardgym.cli import main; main(['games', '--json']); "
        "print([m for m in ('torch', 'stable_baselines3', 'matplotlib') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [game["id"] for game in json.loads(done.stdout)] == list_games()
    assert done.stderr == "[]\n"


def test_broken_pipe():
    process = subprocess.Popen([*PROGRAM, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    err = process.stderr.read().decode()
    assert process.wait() == 141
    assert err == ""


def test_ctrl_c_keeps_the_finished_games(tmp_path):
    path = tmp_path / "games.jsonl"
    process = subprocess.Popen(
        [*PROGRAM, "match", "random", "greedy", "--games", "1000000", "--openings", "start", "--record", str(path), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a runner in the background ignores it
    )
    deadline = time.monotonic() + 120
    while not (path.exists() and path.stat().st_size > 20_000) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    row = json.loads(out)["rows"][0]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line)["format"] == "boardgym-game" for line in lines)
    assert row["games"] in (len(lines), len(lines) - 1)
    assert f"interrupted after {len(lines)} of 1000000 games" in err


class CtrlC:
    spec = "ctrl-c"

    def reset(self, *, seed=None):
        pass

    def act(self, board, *, deterministic=False):
        raise KeyboardInterrupt


def make_ctrl_c(spec, game, *, seed, trust):
    return CtrlC()


@pytest.fixture
def ctrl_c(monkeypatch):
    """A policy that presses Ctrl-C."""
    monkeypatch.setitem(sys.modules, "policy_of_this_test", types.SimpleNamespace(make=make_ctrl_c))
    register_policy("ctrlc", "policy_of_this_test:make")


def test_ctrl_c_keeps_the_finished_rows(capsys, ctrl_c):
    status, out, err = call(capsys, "compare", "greedy", "--opponents", "random", "ctrlc", "--games", "4", "--json")
    assert status == 130
    assert [row["opponent"] for row in json.loads(out)["rows"]] == ["random"]
    assert "interrupted: 1 of 2 rows are finished" in err


@pytest.mark.parametrize("arguments", [["compare", "ctrlc", "--opponents", "random"], ["match", "ctrlc", "random"]])
def test_ctrl_c_before_anything_is_finished(capsys, ctrl_c, arguments):
    assert call(capsys, *arguments) == (130, "", "boardgym: interrupted\n")


def test_ctrl_c_in_play(capsys, ctrl_c, tmp_path):
    path = tmp_path / "game.jsonl"
    arguments = ["play", "ConnectFour", "ctrlc", "random", "--moves", "4", "4", "--record", str(path)]
    status, out, _ = call(capsys, *arguments)
    assert status == 130
    assert "moves     4 4" in out
    assert json.loads(path.read_text(encoding="utf-8"))["reason"] == "unfinished"
