"""What files say does not steer the terminal, and shows in any encoding; files that are cut short, and names of files."""

import json
import os
import subprocess
import sys

import pytest

from boardgym import Board
from boardgym.baselines.arena.formats import read_records
from boardgym.baselines.arena.record import record_of
from boardgym.cli import main
from boardgym.commands.play import take_back
from boardgym.core.escape import printable

BAD = "\x1b]0;title\x07 \x9b31m \x7f \r \u202e\u2066 \u200f"
GAME = '[Game "TicTacToe-v0"]\n[X "{0}"]\n[O "ö"]\n[Reason "{0}"]\n[Message "{0}"]\n\n1. a1 {{{0}\nline two}} 1-0\n'


def test_what_is_printable():
    assert printable("tab\t, line\n, é \u2028 😀") == "tab\t, line\n, é \u2028 😀"
    assert printable(BAD) == r"\x1b]0;title\x07 \x9b31m \x7f \r \u202e\u2066 \u200f"
    for code in [*range(32), *range(0x7F, 0xA0)]:
        assert printable(chr(code)).isprintable() == (chr(code) not in "\t\n")


@pytest.mark.parametrize("suffix", ["game", "jsonl"])
def test_files_do_not_steer_the_terminal(capsys, tmp_path, suffix):
    path, other = tmp_path / "x.game", tmp_path / "x.jsonl"
    escaped = "".join(sign if sign == " " or sign.isalnum() else f"\\u{ord(sign):04x}" for sign in BAD)
    path.write_text(GAME.format(escaped), encoding="utf-8")
    assert main(["convert", str(path), str(other)]) == 0
    assert main(["replay", str(tmp_path / f"x.{suffix}")]) == 0
    out, _ = capsys.readouterr()
    assert out.count(r"\x1b]0;title\x07 \x9b31m \x7f") == 4  # player, comment, reason, message
    assert "\nline two\n" in out
    assert all(sign in "\n\t" or sign.isprintable() for sign in out)


def test_errors_do_not_steer_the_terminal(capsys, tmp_path):
    path = tmp_path / "x\x1b[31m.jsonl"
    assert main(["replay", str(path)]) == 2
    assert r"x\x1b[31m.jsonl: No such file" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["convert", "x.game", "-"], ["replay", "x.game"], ["show", "é"]])
def test_output_in_ascii(tmp_path, arguments):
    text = GAME.format("é 😀")
    (tmp_path / "x.game").write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    program = [sys.executable, "-m", "boardgym", *arguments]
    done = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == (2 if arguments[0] == "show" else 0)
    if arguments[0] == "convert":
        assert done.stdout.decode().count("é 😀") == 4
    elif arguments[0] == "replay":
        assert rb"x \xe9 \U0001f600" in done.stdout


def test_a_half_written_line_leaves_the_games_before_it(capsys, tmp_path):
    path = tmp_path / "x.jsonl"
    assert main(["match", "random", "random", "--game", "TicTacToe", "--games", "2", "--record", str(path)]) == 0
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + whole[:40], encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(path), "--number", "2"]) == 0
    assert "TicTacToe-v0" in capsys.readouterr().out
    assert main(["replay", str(path), "--number", "3"]) == 2
    assert "line 3" in capsys.readouterr().err
    assert main(["replay", str(path), "--number", "0"]) == 2
    assert "counted from 1" in capsys.readouterr().err


def test_names_of_other_formats_are_refused_before_the_game(capsys, tmp_path):
    for command in (["play", "TicTacToe", "random", "random"], ["match", "random", "random", "--game", "TicTacToe"]):
        for name in ("x.othello", "x.MAT", "x.connect4"):
            assert main([*command, "--record", str(tmp_path / name)]) == 2
            out, err = capsys.readouterr()
            assert out == ""
            assert "records are appended to files in .game or .jsonl" in err
    assert list(tmp_path.iterdir()) == []


def test_a_game_file_in_capitals(capsys, tmp_path):
    path = tmp_path / "G.GAME"
    assert main(["play", "TicTacToe", "random", "random", "--record", str(path)]) == 0
    assert main(["replay", str(path)]) == 0
    assert path.read_text(encoding="utf-8").startswith("[Game ")


def test_play_counts_rolls_as_opening(capsys, tmp_path):
    path = tmp_path / "x.jsonl"
    arguments = ["play", "Backgammon", "random", "random", "--seed", "3", "--moves", "3-1", "8/5", "6/5"]
    assert main([*arguments, "--record", str(path)]) == 0
    (record,) = read_records(str(path))
    assert record.opening_plies == 4  # the moves given, and the roll after them
    assert json.loads(path.read_text(encoding="utf-8"))["opening_plies"] == 4


def test_taking_back_leaves_the_dice():
    board = Board("Backgammon", seed=5)
    for _ in range(6):
        board.push(board.legal_actions[0])
    before = board.copy()
    actions = board.actions.copy()
    assert take_back(board)
    ply = len(board.actions)
    while len(board.actions) < len(actions):
        board.push(actions[len(board.actions)])
    assert board == before
    assert ply < len(actions)
    assert record_of(board, ("a", "b"), deterministic=(False, False)).actions == tuple(actions)
