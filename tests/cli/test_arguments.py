"""The same habits in every command: game and position in either form, mistakes in one line, files checked beforehand."""

import dataclasses
import importlib
import json
import re
import shlex
import subprocess
import sys

import pytest

from boardgym import Board
from boardgym.cli import COMMANDS, main
from boardgym.commands.analyse import Analyse
from boardgym.commands.arguments import UsageError, fields_of, one_line, placed
from boardgym.commands.compete import Compare, Match
from boardgym.commands.look import Show
from boardgym.commands.network import TrainNetwork
from boardgym.commands.play import Play
from boardgym.commands.regret import Regret

FEN = "xx1/oo1/3 x"


def kind_of(name):
    command = COMMANDS[name]
    return getattr(importlib.import_module(f"boardgym.commands.{command.module}"), command.kind)


@pytest.mark.parametrize(
    ("kind", "arguments", "found"),
    [
        (Show, "TicTacToe", "TicTacToe"),
        (Show, "--game TicTacToe", "TicTacToe"),
        (Show, "--json --game=TicTacToe --moves b2 a1", "TicTacToe --json --moves b2 a1"),
        (Show, f"--fen {FEN} --game TicTacToe --json", f"TicTacToe {FEN} --json"),
        (Show, f"TicTacToe --position {FEN}", f"TicTacToe {FEN}"),
        (Show, "Othello -O--X X --json", "--json -- Othello -O--X X"),
        (Play, "--game Othello minimax:2 human", "Othello minimax:2 human"),
        (Play, f"TicTacToe random greedy {FEN}", f"TicTacToe random greedy --position='{FEN}'"),
        (Play, f"--position {FEN} --seed -1", f"--seed -1 --position='{FEN}'"),
        (Analyse, f"TicTacToe {FEN} --top 3", f"TicTacToe --top 3 --position='{FEN}'"),
        (Match, "minimax:4 uct:200 Othello --games 2", "minimax:4 uct:200 --games 2 --game=Othello"),
        (Match, "--games 2 minimax:4 uct:200 Othello", "minimax:4 uct:200 --games 2 --game=Othello"),
        (Compare, "greedy Othello --opponents random uct:5", "greedy --opponents random uct:5 --game=Othello"),
        (Compare, "greedy --opponents random uct:5", "greedy --opponents random uct:5"),
        (Regret, "uct:9 --games 4 --game TicTacToe", "uct:9 TicTacToe --games 4"),
        (Regret, "--game TicTacToe uct:9", "uct:9 TicTacToe"),
        (TrainNetwork, "Abalone --hidden 4 4", "--hidden 4 4 --game=Abalone"),
        (TrainNetwork, "--hidden --episodes 5 Abalone", "--hidden --episodes 5 --game=Abalone"),
    ],
)
def test_game_and_position_in_either_form(kind, arguments, found):
    assert placed(kind, arguments.split()) == shlex.split(found)


def test_a_word_that_is_missing_is_named():
    with pytest.raises(UsageError, match="SPEC is missing"):
        placed(Regret, ["--game", "TicTacToe"])
    with pytest.raises(UsageError, match="GAME is missing"):
        placed(Show, ["--position", *FEN.split()])


def test_every_command_that_has_a_game_takes_it_in_either_form():
    kinds = {name: kind_of(name) for name in COMMANDS}
    with_game = {name for name, kind in kinds.items() if "game" in {field.name for field in fields_of(kind)}}
    without = {"games", "replay", "export", "studio", "demo", "agent info", "agent merge", "agent prune",
               "agents show", "agents train", "agents verify",
               "reproduce abalearn", "reproduce adversarial-search", "reproduce othello-q", "reproduce uct-ccnn"}  # fmt: skip
    assert set(kinds) - with_game <= without | {"doctor"}
    for name in with_game:
        fields = fields_of(kinds[name])
        words = [f.name for f in fields if f.is_positional]
        if "game" in words:
            before = ["x"] * words.index("game")
            assert placed(kinds[name], [*before, "Othello"]) == placed(kinds[name], [*before, "--game", "Othello"]), name
        else:
            assert placed(kinds[name], [*["x"] * len(words), "Othello"])[-1] == "--game=Othello", name


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_known_of_the_options_is_what_the_parser_takes(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "240")
    assert main([*name.split(), "--help"]) == 0
    out = capsys.readouterr().out
    found = re.findall(r"^[│ ] (--[a-z][a-z0-9-]*)(?:, --[a-z0-9-]+)?( \S.*?)?(?:  | *│?$)", out, re.MULTILINE)
    takes = {option: None if "[" in value else len(value.split()) for option, value in found}
    fields = [field for field in fields_of(kind_of(name)) if not field.is_positional]
    assert takes == {field.option: field.takes for field in fields}


def test_show_reads_what_either_form_says(capsys):
    states = []
    for arguments in (
        ["TicTacToe", *FEN.split()],
        ["--game", "TicTacToe", "--position", FEN],
        ["TicTacToe", "--fen", *FEN.split()],
    ):
        assert main(["show", *arguments, "--json"]) == 0
        states.append(json.loads(capsys.readouterr().out))
    assert states[0]["fen"] == FEN
    assert states[0] == states[1] == states[2]


def test_positions_that_begin_with_a_dash(capsys):
    """As most of Othello do, in either form."""
    board = Board("Othello")
    board.push_move("d3")
    fen, said = board.fen(), []
    assert fen.startswith("---")
    forms = ["Othello", fen], ["Othello", f"--position={fen}"], ["Othello", "--position", fen], ["--position", fen, "Othello"]
    for arguments in forms:
        assert main(["analyse", *arguments, "--policy", "minimax:1", "--json"]) == 0
        said.append(json.loads(capsys.readouterr().out)["fen"])
    assert said == [fen] * 4


def test_a_group_lists_its_kinds_without_torch():
    for arguments in (["train"], ["train", "--help"]):
        code = f"from boardgym.cli import main, sys; s = main({arguments!r}); print('torch' in sys.modules, s, file=sys.stderr)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        kinds = [name for name in COMMANDS if name.startswith("train ")]
        assert len(kinds) == 10
        assert [name in done.stdout for name in kinds] == [True] * 10
        assert "train td" in done.stdout
        assert "compare" not in done.stdout
        assert done.stderr == "False 0\n"


def test_a_box_of_the_parser_in_one_line():
    box = (
        "╭─ Unrecognized options ─────────────────────────────────╮\n"
        "│ Unrecognized options: --gmaes, 4                       │\n"
        "│ ────────────────────────────────────────────────────── │\n"
        "│ Perhaps you meant:                                     │\n"
        "│     --games INT                                        │\n"
        "│         How many games; an even number. (default: 100) │\n"
        "╰────────────────────────────────────────────────────────╯\n"
    )
    plain = (  # where the terminal knows no lines
        " Unrecognized options                                     \n"
        " -------------------------------------------------------- \n"
        "  Unrecognized options: --gmaes, 4                        \n"
        "  --------------------------------------------------------\n"
        "  Perhaps you meant:                                      \n"
        "      --games INT                                         \n"
        "          How many games; an even number. (default: 100)  \n"
    )
    expected = "unrecognized options: --gmaes, 4; did you mean --games? boardgym match --help"
    assert one_line(box, "match") == one_line(plain, "match") == expected


UNWRITABLE = [
    ["show", "TicTacToe", "--svg"],
    ["show", "TicTacToe", "--gif"],
    ["replay", "no.jsonl", "--gif"],
    ["export", "no.jsonl", "--html"],
    ["analyse", "TicTacToe", "--tree"],
    ["match", "never", "played", "--record"],
    ["play", "TicTacToe", "never", "played", "--record"],
    ["ladder", "TicTacToe", "--rungs", "never", "played", "--out"],
    ["book", "ConnectFour", "--out"],
    ["convert", "no.game"],
    ["agent", "merge", "a", "b", "--out"],
    ["agent", "prune", "a", "--out"],
]


@pytest.mark.parametrize("arguments", UNWRITABLE, ids=" ".join)
def test_files_that_cannot_be_written_are_refused_before_all_else(capsys, tmp_path, arguments):
    (tmp_path / "file").write_text("")
    for name, reason in (("nosuch/x.json", "No such file"), ("file/x.json", "Not a directory"), (".", "a folder is there")):
        assert main([*arguments, str(tmp_path / name)]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert f"{tmp_path / name}: {reason}" in err
    assert sorted(tmp_path.iterdir()) == [tmp_path / "file"]


def test_each_file_that_a_command_writes_is_checked():
    """Names that say so: a setting for a file to write that has no mark would be found only when the work is done."""
    for name in COMMANDS:
        for field in dataclasses.fields(kind_of(name)):
            marked = {f.name for f in fields_of(kind_of(name)) if f.is_output}
            if field.name in ("svg", "png", "gif", "html", "record", "tree", "target"):
                assert field.name in marked, (name, field.name)
