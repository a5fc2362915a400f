"""`boardgym agents`: the list, one agent, the command that makes it, digests, one's own."""

import json

import pytest

from boardgym.baselines import make_policy
from boardgym.baselines.shelf.catalogue import read_catalogue
from boardgym.baselines.shelf.shelves import own_folder
from boardgym.cli import main
from boardgym.core.policy_spec import parse_spec


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The user's own shelf, empty at first."""
    monkeypatch.setenv("BOARDGYM_AGENTS", str(tmp_path / "own"))
    return tmp_path / "own"


def call(capsys, *arguments):
    """(exit status, stdout, stderr without notices of compiling)."""
    status = main(["agents", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, "".join(line for line in err.splitlines(keepends=True) if not line.startswith("boardgym: compiling"))


def file_named(name, folder):
    """The file of an agent on a shelf."""
    return folder / read_catalogue(folder / "agents.json", "here")[name].file


def test_list(capsys, shelf):
    status, out, _ = call(capsys)
    assert status == 0
    for name in ("agent:othello", "agent:connect-four", "agent:backgammon", "agent:noughts", "not made"):
        assert name in out
    status, out, _ = call(capsys, "--game", "TicTacToe", "--json")
    rows = json.loads(out)["agents"]
    assert (status, [row["name"] for row in rows]) == (0, ["crosses", "noughts"])
    assert rows[1]["path"] == str(file_named("noughts", shelf))
    assert call(capsys, "--game", "CardPoints")[1:] == ("", "no agents of CardPoints-v0\n")
    assert "no command 'agents shwo'; did you mean 'show'?" in call(capsys, "shwo")[2]
    assert "no game 'Otello'" in call(capsys, "Otello")[2]
    assert "show, train, verify, add" in " ".join(call(capsys, "--help")[1].split())


def test_show(capsys):
    status, out, _ = call(capsys, "show", "othello")
    assert status == 0
    for text in ("boardgym train ntuple --game Othello-v0", "scored", "boardgym compare agent:othello", "sha256"):
        assert text in out
    assert "boardgym agents train connect-four-strong" in call(capsys, "show", "connect-four-strong")[1]
    assert json.loads(call(capsys, "show", "othello", "--json")[1])["name"] == "othello"
    assert "did you mean 'othello'" in call(capsys, "show", "otello")[2]


def test_verify(capsys, shelf):
    assert call(capsys, "verify")[0] == 0
    file_named("noughts", shelf).write_bytes(b"")
    status, out, _ = call(capsys, "verify", "--json")
    said = {row["agent"]: row["digest"] for row in json.loads(out)["agents"]}
    assert (status, said["crosses"], said["connect-four-strong"]) == (1, "right", "not made here")
    assert "0 bytes" in said["noughts"]


def test_a_strange_catalogue_steers_no_terminal(capsys, shelf):
    text = (shelf / "agents.json").read_text()
    (shelf / "agents.json").write_text(text.replace('"about": ""', '"about": "\\u001b[31m[bold]red"'))
    assert "\x1b[31m" not in call(capsys, "show", "noughts")[1]
    assert r"\x1b[31m[bold]red" in call(capsys, "show", "noughts")[1]
    assert "\x1b" not in call(capsys)[1]


@pytest.mark.parametrize("name", ["connect-four-strong", "backgammon"])
def test_train_quick(capsys, own, tmp_path, name):
    status, _, err = call(capsys, "train", name, "--quick", "--out", tmp_path / "run")
    assert status == 0
    assert f"on your shelf: agent:{name}-quick" in err
    made = json.loads(call(capsys, "show", f"{name}-quick", "--json")[1])
    assert (made["shelf"], made["measured"], made["path"]) == ("yours", [], str(file_named(f"{name}-quick", own)))
    assert made["seconds"] > 0
    assert own_folder() == own
    assert make_policy(f"agent:{name}-quick", made["game"]).spec == f"agent:{name}-quick"
    assert call(capsys, "train", name, "--quick", "--out", tmp_path / "run")[0] == 0  # it is finished, and stays
    again = json.loads(call(capsys, "show", f"{name}-quick", "--json")[1])
    assert (again["sha256"], again["seconds"]) == (made["sha256"], 0.0)


def test_add(capsys, own, file, tmp_path):
    status, _, err = call(capsys, "add", file, "--name", "mine", "--game", "TicTacToe", "--half", "--about", "Of mine.")
    assert (status, err.count("agent:mine")) == (0, 1)
    assert json.loads(call(capsys, "show", "mine", "--json")[1])["is_float16"]
    assert make_policy("agent:mine", "TicTacToe-v0").spec == "agent:mine"
    folder = tmp_path / "shelf"
    status, _, err = call(capsys, "add", file, "--name", "mine", "--game", "TicTacToe", "--to", folder)
    assert (status, f"BOARDGYM_SHELF={folder}" in err) == (0, True)
    assert {path.name for path in folder.iterdir()} == {"agents.json", file_named("mine", folder).name}
    assert call(capsys, "verify", "--shelf", folder)[0] == 0


def test_add_refuses(capsys, own, file, tmp_path):
    (tmp_path / "bad.safetensors").write_bytes(b"nothing")
    for arguments, said in (
        ([file, "--name", "My Agent", "--game", "TicTacToe"], "small letters, digits and hyphens"),
        ([tmp_path / "no", "--name", "a", "--game", "TicTacToe"], "no file"),
        ([file, "--name", "a", "--game", "Othello"], "TicTacToe"),
        ([tmp_path / "bad.safetensors", "--name", "a", "--game", "TicTacToe"], "bad.safetensors"),
        ([file, "--name", "a", "--game", "TicTacToe", "--spec", "engine:gtp:x"], "may not name 'engine'"),
        ([file, "--name", "a", "--game", "TicTacToe", "--spec", "minimax:2,evaluation=ntuple:x"], "expected a number"),
    ):
        status, out, err = call(capsys, "add", *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1), arguments
        assert said in err
    assert not own.exists()


def test_specs_of_the_shelf_are_parsed_as_others_are():
    assert parse_spec("agent:connect-four,time=1s").keywords == {"time": "1s"}
