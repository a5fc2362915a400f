"""What each command prints and does."""

import dataclasses
import io
import json
import re
import sys
from pathlib import Path

import pytest
from PIL import Image

from boardgym.baselines import compare
from boardgym.baselines.arena.record import read_records
from boardgym.baselines.learning.agent_files import load_any
from boardgym.baselines.learning.runs import Trained
from boardgym.baselines.learning.sb3.config import TrainConfig, run_of
from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig
from boardgym.baselines.players.human import Human, HumanQuit
from boardgym.baselines.players.terminal import board_text
from boardgym.cli import main
from boardgym.commands import training
from boardgym.commands.arguments import gathered
from boardgym.commands.warm import PARTS
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from tests.support import counting_compilations


def call(capsys, *arguments):
    """Stdout of a command that must succeed."""
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("--option a=1 --option b=2", "--option a=1 b=2"),
        ("--seed 3 --option a=1 b=2 --json --option=c=3 --out x", "--seed 3 --json --out x --option a=1 b=2 c=3"),
        ("--option --hidden 4 4", "--hidden 4 4 --option"),
        ("--options a --hidden 4", "--options a --hidden 4"),
        ("--option a=1 --seed 3 -- --option b=2", "--seed 3 --option a=1 -- --option b=2"),
        ("--seed 3 -- --option b=2", "--seed 3 -- --option b=2"),
    ],
)
def test_options_that_are_given_several_times_add_up(arguments, found):
    assert gathered(arguments.split(), "--option") == found.split()


ALONE = ("--compare-games", "0")


def test_training_takes_rule_options_as_other_commands_do(capsys, tmp_path):
    twice = ["--option", "repetition_limit=0", "--option", "no_push_limit=0"]
    for name in ("td", "tabular", "coevolution"):
        none = {"tabular": ["--episodes", "0", "--greedy-episodes", "0", "--game", "Abalone"], "td": ["--episodes", "0"],
                "coevolution": ["--generations", "0"]}[name]  # fmt: skip
        path = call(capsys, "train", name, *none, *twice, *ALONE, "--out", str(tmp_path / name), "--json")
        agent = load_any(Path(json.loads(path)["agent"]))
        assert agent.facts["training"]["option"] == twice[1::2]
    for given, found in (([], ["rewards=material"]), (["--option"], [])):
        few = ["--preset", "none", "--episodes", "0", *given, *ALONE]
        path = call(capsys, "train", "td", *few, "--out", str(tmp_path / f"td{len(given)}"), "--json")
        assert load_any(Path(json.loads(path)["agent"])).facts["training"]["option"] == found


def typed(monkeypatch, *lines):
    """Lines typed by a person, then the end of the input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in lines)))


def test_games(capsys):
    out = call(capsys, "games")
    assert "ConnectFour-v0" in out
    assert "width=7, height=6" in out
    known = {game["id"]: game for game in json.loads(call(capsys, "games", "--json"))}
    assert known["Othello-v0"]["num_actions"] == 65
    assert known["ConnectFour-v0"]["options"] == {"width": 7, "height": 6}


def test_show(capsys):
    out = call(capsys, "show", "ConnectFour", "7/7/7/7/3o3/3x3", "x")
    assert " . . . o . . ." in out
    assert "x to play" in out
    assert "moves     1 2 3 4 5 6 7" in out
    assert "value     +0.000 for x" in out


def test_show_options_moves_and_json(capsys):
    state = json.loads(call(capsys, "show", "Othello", "--option", "size=6", "--moves", "c2", "--json"))
    board = Board("Othello-v0", size=6)
    board.push_move("c2")
    assert state["fen"] == board.fen()
    assert state["legal_moves"] == board.legal_moves
    assert state["to_play"] == 1
    assert state["value"] == pytest.approx(board.estimate())


def test_show_the_end(capsys):
    out = call(capsys, "show", "TicTacToe", "--moves", "a1", "a2", "b1", "b2", "c1")
    assert "x wins (rules) after 5 plies" in out
    assert "returns   x +1, o -1" in out


@pytest.mark.parametrize("game", ["TicTacToe-v0", "ConnectFour-v0", "Othello-v0"])
@pytest.mark.parametrize("colour", [False, True])
def test_the_drawing_holds_every_piece(game, colour):
    board = Board(game, setup="random:4", seed=3)
    board.push(board.legal_actions[0])
    text = board_text(board, colour=colour)
    drawing, lines = board.game.drawing, text.plain.splitlines()
    assert text.plain.count("[") == 1  # the last ply
    for spot, piece in zip(drawing.spots, drawing.pieces(board.position), strict=True):
        symbol = lines[spot.row][spot.column]
        assert (symbol in ".·") == (piece is None)
        assert colour or piece is None or symbol == piece.symbol


def test_show_writes_pictures_with_values(capsys, tmp_path):
    files = [tmp_path / name for name in ("board.svg", "board.png", "game.gif")]
    options = [text for file in files for text in (f"--{file.suffix[1:]}", str(file))]
    moves = ["--moves", "b2", "a1", "c1", "a3"]
    out = call(capsys, "show", "TicTacToe", *moves, "--legal", "--values", "minimax:2", *options)
    assert re.search(r"a2 +[+-]\d\.\d{3} +\d+", out)
    assert files[0].read_text().count("#7a3ff2") >= 5 + 1  # the legal actions and the best one
    assert [Image.open(file).format for file in files[1:]] == ["PNG", "GIF"]
    assert Image.open(files[2]).n_frames == 5
    assert {file.name for file in tmp_path.iterdir()} == {"board.svg", "board.png", "game.gif"}
    state = json.loads(call(capsys, "show", "TicTacToe", *moves, "--values", "minimax:2", "--json"))
    assert list(state["values"]) == state["legal_moves"]


def test_replay_writes_moving_pictures(capsys, tmp_path):
    path = tmp_path / "games.jsonl"
    call(capsys, "match", "random", "random", "--game", "TicTacToe", "--games", "2", "--seed", "2", "--record", str(path))
    gif, svg = tmp_path / "game.gif", tmp_path / "game.svg"
    assert call(capsys, "replay", str(path), "--number", "2", "--gif", str(gif), "--svg", str(svg)) == ""
    assert Image.open(gif).n_frames == 1 + len(list(read_records(path))[1].moves)
    assert "<animate " in svg.read_text()


def test_match(capsys, tmp_path):
    path = tmp_path / "games.jsonl"
    arguments = ["match", "greedy", "random", "--games", "6", "--seed", "2", "--record", str(path)]
    assert "greedy" in call(capsys, *arguments)
    assert len(list(read_records(path))) == 6
    result = json.loads(call(capsys, *arguments, "--json"))
    assert len(list(read_records(path))) == 12  # appended
    assert result["rows"][0]["opponent"] == "random"
    assert result == json.loads(compare("greedy", "ConnectFour-v0", ["random"], games=6, seed=2).to_json())


def test_match_with_draws_and_options(capsys):
    arguments = ["match", "greedy", "greedy", "--game", "Othello", "--option", "size=6", "--games", "4", "--draws", "--json"]
    result = json.loads(call(capsys, *arguments))
    assert (result["deterministic"], result["options"], result["game"]) == (False, {"size": 6}, "Othello-v0")


def test_compare(capsys):
    arguments = ["compare", "greedy", "--opponents", "random", "epsilon:0.5(greedy)", "--games", "10", "--seed", "3"]
    out = call(capsys, *arguments)
    assert "epsilon:0.5(greedy)" in out
    assert "seed 3" in out
    assert out == call(capsys, *arguments)
    assert len(json.loads(call(capsys, *arguments, "--json"))["rows"]) == 2


def test_games_that_are_stopped_are_drawn(capsys):
    rules = ["--game", "Abalone", "--option", "no_push_limit=0", "--option", "repetition_limit=0"]  # which never end a game
    for command in (["compare", "greedy", "--opponents", "greedy"], ["match", "greedy", "greedy"]):
        [row] = json.loads(call(capsys, *command, *rules, "--max-plies", "20", "--games", "2", "--json"))["rows"]
        assert (row["wins"], row["draws"], row["losses"]) == (0, 2, 0)


def test_compare_searches(capsys):
    arguments = ["compare", "minimax:2", "--game", "TicTacToe", "--opponents", "uct:20", "uct:0.001s", "--games", "2"]
    out = call(capsys, *arguments)
    assert "uct:0.001s (clock)" in out
    assert "depends on this machine" in out


def test_replay(capsys, tmp_path):
    path = tmp_path / "games.jsonl"
    call(capsys, "match", "greedy", "random", "--games", "2", "--record", str(path))
    record = list(read_records(path))[1]
    out = call(capsys, "replay", str(path), "--number", "2")
    assert out.count(" to play") + out.count(" wins") + out.count("a draw") == len(record.moves) + 1
    assert main(["replay", str(path), "--number", "3"]) == 2
    assert "holds 2 games" in capsys.readouterr().err


def test_play_policies(capsys, tmp_path):
    path = tmp_path / "game.jsonl"
    out = call(capsys, "play", "TicTacToe", "greedy", "random", "--seed", "1", "--record", str(path))
    (record,) = read_records(path)
    assert record.replay().is_terminal
    assert out.count(" plays ") == len(record.moves)
    assert f"moves     {' '.join(record.moves)}" in out
    assert call(capsys, "play", "TicTacToe", "greedy", "random", "--seed", "1") == out


def test_play_human(capsys, monkeypatch):
    typed(monkeypatch, "a1", "b1", "c1")
    out = call(capsys, "play", "TicTacToe", "human", "human", "--moves", "a2", "b2")
    assert "moves     a2 b2 a1 b1 c1" in out
    assert "3. x human plays a1" in out


def test_play_human_wins(capsys, monkeypatch):
    typed(monkeypatch, "1", "2", "1", "2", "1", "2", "1")
    out = call(capsys, "play", "ConnectFour", "human", "human")
    assert "x wins (rules) after 7 plies" in out


def test_play_commands(capsys, monkeypatch):
    typed(monkeypatch, "", "help", "moves", "board", "fen", "zz", "9", "undo", "a1", "b1", "undo", "quit")
    out = call(capsys, "play", "TicTacToe", "human", "human")
    assert "take your last move back" in out
    assert "'zz' names no cell; expected a1 to c3" in out
    assert "3/3/3 x" in out
    assert "nothing to take back" in out  # undo at the start
    assert "moves     \n" in out or "moves\n" in out or out.rstrip().endswith("moves")  # a1 and b1 are back
    assert "1. x human plays a1" in out


def test_undo_gives_back_the_reply_too(capsys, monkeypatch):
    typed(monkeypatch, "4", "undo", "3", "quit")
    out = call(capsys, "play", "ConnectFour", "human", "greedy", "--best")
    moves = out.rstrip().splitlines()[-1].split()
    assert moves[0] == "moves"
    assert moves[1] == "3"
    assert len(moves) == 3


def test_undo_with_nothing_of_yours(capsys, monkeypatch):
    typed(monkeypatch, "undo", "quit")
    out = call(capsys, "play", "ConnectFour", "greedy", "human", "--best")
    assert "nothing of yours to take back" in out


def test_the_end_of_the_input_ends_cleanly(capsys, monkeypatch):
    typed(monkeypatch, "4")
    assert main(["play", "ConnectFour", "human", "human"]) == 0
    out, err = capsys.readouterr()
    assert "moves     4" in out
    assert "left unfinished" in err


def test_human_as_a_policy(capsys):
    lines = iter(["undo", "quit"])
    human = Human(Board("TicTacToe-v0").game, read=lambda prompt: next(lines))
    with pytest.raises(HumanQuit):
        human.act(Board("TicTacToe-v0"))
    out = capsys.readouterr().out
    assert "cannot be taken back here" in out
    assert "moves: a3 b3 c3" in out
    assert make_policy("human", "TicTacToe-v0").spec == "human"
    with pytest.raises(ValueError, match="was given a board of"):
        human.act(Board("ConnectFour-v0"))


def test_warm(capsys):
    out = call(capsys, "warm", "TicTacToe")
    for part in ("board", "minimax:2", "uct:8", "PettingZoo environment", "vector environment, uct:8"):
        assert part in out
    game = get_game("TicTacToe")
    with counting_compilations() as compiled:
        for part in PARTS.values():
            part(game)
    assert compiled == []  # by other processes


def test_bench(capsys):
    assert "UCT, simulations/s" in call(capsys, "bench", "TicTacToe", "--seconds", "0.01")
    figures = json.loads(call(capsys, "bench", "TicTacToe", "--seconds", "0.01", "--what", "board", "--json"))
    assert [figure["what"] for figure in figures] == ["board"]
    assert figures[0]["per_cpu_s"] > 1000


class Ended:
    """In place of `train_into`: says that a training has ended, and keeps its settings."""

    def __init__(self, monkeypatch, ending):
        self.configs, self.ending = [], ending
        monkeypatch.setattr(training, "train_into", self)

    def __call__(self, begun, out, **settings):
        self.configs.append(begun.config)
        return Trained(begun, out, 0.1, 0.1, 0, self.ending, self.ending)


ENDINGS = pytest.mark.parametrize(("ending", "status"), [("finished", 0), ("interrupted", 130)])


@ENDINGS
def test_train(capsys, monkeypatch, ending, status):
    ended = Ended(monkeypatch, ending)
    command = ["train", "sb3", "--game", "Othello", "--steps", "10", "--hidden", "8", "8", "--no-mirror", "--out", "runs/x"]
    assert main([*command, *ALONE]) == status
    out = capsys.readouterr().out
    assert "boardgym play Othello human network:runs/x/network.safetensors" in out
    assert (ended.configs[0].steps, ended.configs[0].hidden, ended.configs[0].mirror) == (10, (8, 8), False)


@ENDINGS
def test_train_selfplay(capsys, monkeypatch, ending, status):
    ended = Ended(monkeypatch, ending)
    options = ["--minutes", "1.5", "--pool", "--sampling", "rating", "--anchors", "random", "minimax:2", "--landing", "0"]
    assert main(["train", "selfplay", "--game", "Othello", *options, "--out", "x", *ALONE]) == status
    assert "boardgym compare network:x/network.safetensors --game Othello" in capsys.readouterr().out
    config = ended.configs[0]
    assert (config.minutes, config.sampling, config.anchors, config.resume) == (1.5, "rating", ("random", "minimax:2"), False)
    assert main(["train", "selfplay", "--json", "--landing", "0", "--out", "x", *ALONE]) == status
    assert json.loads(capsys.readouterr().out) == {
        "agent": "x/network.safetensors",
        "model": "x/model.zip",
        "network": "x/network.safetensors",
        "steps": 0,
        "resumed": 0,
        "seconds": 0.1,
        "is_finished": ending == "finished",
        "ending": ending,
        "curve": [],
        "comparison": None,
    }
    assert main(["train", "selfplay", "--out", "x", *ALONE]) == status
    assert "boardgym compare sb3:x/model.zip --game ConnectFour" in capsys.readouterr().out
    assert main(["train", "selfplay", "--sampling", "best"]) == 2
    assert "pfsp" in capsys.readouterr().err


@pytest.mark.parametrize(("command", "kind"), [("sb3", TrainConfig), ("selfplay", SelfPlayConfig)])
def test_what_is_not_said_of_a_run_to_resume_is_as_it_was(command, kind, capsys, monkeypatch, tmp_path):
    ended = Ended(monkeypatch, "finished")
    run = kind(game="TicTacToe", seed=7, hidden=(8, 4), judges=("random",), mirror=False, out=tmp_path / "first", minutes=2)
    folder = tmp_path / "moved"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(run_of(run).content() | {"trust": True}))  # which no file may ask for
    assert main(["train", command, "--steps", "50", "--resume", "--out", str(folder), "--seed", "8", *ALONE]) == 0
    assert ended.configs == [dataclasses.replace(run, steps=50, seed=8, resume=True, out=folder).settled()]
    assert main(["train", command, "--out", str(folder), *ALONE]) == 0
    assert ended.configs[1] == kind(out=folder).settled()
    capsys.readouterr()
    assert main(["train", command, "--resume", "--out", str(tmp_path)]) == 2
    assert "no training to resume" in capsys.readouterr().err
