"""`boardgym convert`, and the commands that read or write the same files."""

import io
import sys
from pathlib import Path

import pytest

from boardgym.baselines.arena.formats import read_records
from boardgym.cli import main

MATCH = Path(__file__).parents[1] / "data" / "records" / "mochizuki_suzuki.mat"


def call(capsys, *arguments):
    """(stdout, stderr without notices of compiling) of a command that must succeed."""
    assert main(list(map(str, arguments))) == 0
    out, err = capsys.readouterr()
    return out, "".join(line for line in err.splitlines(keepends=True) if not line.startswith("boardgym: compiling"))


def given(monkeypatch, text):
    """What comes by the standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_there_and_back(capsys, tmp_path):
    lines, text, again = (tmp_path / name for name in ("games.jsonl", "games.game", "again.json"))
    call(capsys, "match", "greedy", "random", "--games", "4", "--record", lines)
    _, said = call(capsys, "convert", lines, text)
    assert said == f"4 games are written to {text}\n"
    call(capsys, "convert", text, again)
    assert again.read_text(encoding="utf-8") == lines.read_text(encoding="utf-8")
    out, said = call(capsys, "convert", lines, "-")
    assert (out, said) == (text.read_text(encoding="utf-8"), "")


@pytest.mark.plain(boards=True)
def test_transcripts(capsys, monkeypatch, tmp_path):
    given(monkeypatch, "4453\n1212121\n")
    path = tmp_path / "x.game"
    call(capsys, "convert", "-", path, "--from", "connect4")
    assert [record.moves for record in read_records(str(path))] == [tuple("4453"), tuple("1212121")]
    assert call(capsys, "convert", path, "-", "--to", "connect4") == ("4453\n1212121\n", "")
    given(monkeypatch, "b1a1")
    out, _ = call(capsys, "convert", "-", "-", "--from", "othello", "--option", "size=4", "--to", "json")
    assert '"options": {"size": 4}' in out
    given(monkeypatch, "888")
    call(capsys, "convert", "-", path, "--from", "connect4", "--game", "ConnectFour", "--option", "width=8")
    path.write_text(path.read_text(encoding="utf-8").replace("1.", "{why?} 1."), encoding="utf-8")
    _, said = call(capsys, "convert", path, tmp_path / "x.connect4")
    assert "a transcript holds moves alone: players, comments and tags are left out" in said


def test_a_match_is_replayed_with_its_comments(capsys, tmp_path):
    path = tmp_path / "match.game"
    call(capsys, "convert", MATCH, path)
    out, _ = call(capsys, "replay", path)
    assert out == call(capsys, "replay", MATCH)[0]
    assert "x doubles to 2\no takes\n" in out
    assert "Mochizuki" in out


def test_records_as_game_files(capsys, tmp_path):
    path = tmp_path / "x.game"
    call(capsys, "play", "TicTacToe", "greedy", "random", "--seed", "1", "--record", path)
    call(capsys, "match", "greedy", "random", "--game", "TicTacToe", "--games", "2", "--record", path)
    assert path.read_text(encoding="utf-8").count('[Game "TicTacToe-v0"]') == 3
    assert [record.reason for record in read_records(str(path))] == ["rules"] * 3
    out, _ = call(capsys, "replay", path, "--number", "3")
    assert "TicTacToe-v0" in out


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (None, ["IN", "OUT.game"], "IN: No such file"),
        ("", ["IN", "OUT.game"], "IN, line 1: neither the start of a game file nor JSON"),
        ("", ["IN", "OUT.game", "--from", "json"], "IN holds no games"),
        ("f5d6", ["IN", "OUT", "--from", "othello"], "OUT: its suffix names no format"),
        ("f5d6", ["IN", "OUT.mat", "--from", "othello"], "files of the format 'mat' are only read"),
        ("f5d6", ["IN", "OUT.connect4", "--from", "othello"], "game 1: of Othello-v0; the format 'connect4' is of ConnectFour"),
        ("f5d6\nf5f5", ["IN", "OUT.game", "--from", "othello"], "IN, line 2, column 3: 'f5' is illegal"),
        ("f5d6", ["IN", "OUT.game", "--from", "othello", "--game", "TicTacToe"], "is of Othello, not of TicTacToe-v0"),
        ("f5d6", ["IN", "OUT.game", "--from", "othello", "--option", "size=5"], "boards of 4, 6 or 8"),
        ("[", ["IN", "OUT.game", "--option", "size=6"], "--game and --option are for transcripts"),
        ("[", ["IN", "OUT.game"], "IN, line 1, column 2: but the file ends after '['"),
        ("{\n", ["IN", "OUT.game"], "IN, line 1: expected the record of a game: Input data was truncated"),
        ("\ud800", ["IN", "OUT.game", "--from", "game"], "IN, line 1: byte 0xed is no UTF-8"),
        ("f5", ["IN", "no such folder/OUT.game", "--from", "othello"], "no such folder"),
    ],
)
def test_mistakes(capsys, tmp_path, monkeypatch, content, arguments, message):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / "IN").write_bytes(content.encode(errors="surrogatepass"))
    assert main(["convert", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert [path.name for path in tmp_path.iterdir() if path.name != "IN"] == []  # nothing half-written is left
