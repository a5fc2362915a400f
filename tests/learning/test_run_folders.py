"""The folder of a run that nobody names: called by game, method and date, and found again by its settings."""

import datetime
import json

import pytest

from boardgym.baselines.learning.run_folders import CONFIG, Run, claim, folder_for
from boardgym.cli import main


def run_of(free=(), **settings):
    return Run("td", {"game": "TicTacToe-v0", "seed": 1, **settings}, "checkpoint.safetensors", (), free)


def kept(folder, run):
    folder.mkdir(parents=True)
    claim(folder, run)
    return folder


def test_it_is_called_by_game_method_and_date(tmp_path):
    name = f"tictactoe-td-{datetime.date.today().isoformat()}"
    first = folder_for(run_of(), "td", tmp_path / "runs")
    assert first == tmp_path / "runs" / name
    assert first.is_dir()  # held at once: a run that begins beside it takes another one
    (first.parent / f"{name}-2").write_text("a file")
    (first.parent / f"{name}-3").symlink_to("nowhere")
    assert folder_for(run_of(seed=2), "td", first.parent) == first.parent / f"{name}-4"
    assert folder_for(run_of(), "menace", first.parent).name == name.replace("-td-", "-menace-")
    users = run_of(game="/home/me/my-variants/nim.py:Nim-v0")
    assert folder_for(users, "td", first.parent).name == name.replace("tictactoe", "nim")


def test_what_may_only_grow_begins_anew_with_less(tmp_path):
    def of(generations):
        return Run(
            "coevolution",
            {"game": "TicTacToe-v0", "generations": generations},
            "checkpoint.safetensors",
            (),
            ("generations",),
            grows=("generations",),
        )

    first = kept(tmp_path / "tictactoe-coevolution-2020-01-01", of(10))
    assert folder_for(of(10), "coevolution", tmp_path) == folder_for(of(20), "coevolution", tmp_path) == first
    assert folder_for(of(5), "coevolution", tmp_path) != first


def test_the_same_settings_go_on_where_they_were(tmp_path):
    first = kept(tmp_path / "tictactoe-td-2020-01-01", run_of(memory=1))
    kept(tmp_path / "tictactoe-td-2020-01-02", run_of(seed=2))
    assert folder_for(run_of(memory=1), "td", tmp_path) == first
    assert folder_for(run_of(("memory",), memory=2), "td", tmp_path) == first  # what may differ
    assert folder_for(run_of(memory=2), "td", tmp_path) != first
    later = kept(tmp_path / "tictactoe-td-2020-01-03", run_of(memory=1))
    assert folder_for(run_of(memory=1), "td", tmp_path) == later
    (later / CONFIG).write_text("no JSON")  # damaged: not taken, and left alone
    assert folder_for(run_of(memory=1), "td", tmp_path) == first


@pytest.mark.parametrize("kind", ["tabular", "sb3"])
def test_a_command_without_a_folder_goes_on(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    settings = {"tabular": ("--episodes", "20", "--greedy-episodes", "0"),
                "sb3": ("--game", "TicTacToe", "--steps", "64", "--num-envs", "8", "--trajectory", "8", "--batch-size", "64",
                        "--hidden", "8", "--judges", "random", "--judge-games", "2", "--points", "1")}  # fmt: skip
    command = ["train", kind, *settings[kind], "--compare-games", "0", "--json"]
    for resumed in (0, 20 if kind == "tabular" else 64):
        assert main(command) == 0
        assert json.loads(capsys.readouterr().out)["resumed"] == resumed
    assert main([*command, "--seed", "2"]) == 0
    method = "pessimistic_q" if kind == "tabular" else "sb3"
    assert sorted(path.name.rpartition(datetime.date.today().isoformat())[::2] for path in (tmp_path / "runs").iterdir()) == [
        (f"tictactoe-{method}-", ""),
        (f"tictactoe-{method}-", "-2"),
    ]


def test_a_run_to_resume_has_to_be_named(capsys):
    assert main(["train", "sb3", "--resume"]) == 2
    assert "--resume: expected --out too" in capsys.readouterr().err
