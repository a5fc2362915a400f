"""Games of users on the command line, by FILE.py:ID, and of installed packages, by an entry point."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import config

from tests.cli.prepared import prepared
from tests.support import environment_of

NIM = Path(__file__).with_name("users_nim.py").read_text()


@pytest.fixture
def nim(tmp_path):
    """A user's folder with the game, and perhaps an edit."""

    def write(old="", new=""):
        assert old in NIM
        (tmp_path / "nim.py").write_text(NIM.replace(old, new, 1) if old else NIM)
        return tmp_path

    return write


def command(folder, *arguments, plain=True, **extra):
    """(exit status, standard output, standard error) of a command in a user's folder. plain: without the compiler."""
    flags = {"NUMBA_DISABLE_JIT": "1"} if plain else {}
    done = subprocess.run(
        [sys.executable, "-m", "boardgym", *arguments],
        env=environment_of(folder / "cache", **flags, **extra),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    """Runs commands without the compiler in forks of a process that has the package loaded."""
    with prepared(tmp_path_factory.mktemp("cache")) as process:
        yield process.run


def test_a_users_game_is_shown_and_played(nim, ready):
    folder = nim()
    status, shown, _ = ready(folder, "show", "nim.py:Nim-v0", "--json")
    assert status == 0
    assert json.loads(shown)["game"] == "Nim-v0"
    found = []
    for run, *words in (
        (ready, "--game", f"{folder}/nim.py:Nim"),
        (ready, "--game=nim.py:Nim"),
        (command, "nim.py:Nim-v0", "--processes", "2"),
    ):
        status, played, said = run(folder, "match", "random", "minimax:4", *words, "--games", "4", "--json")
        assert status == 0, said
        found.append(json.loads(played))
    assert found[0]["game"] == "Nim-v0"
    assert found[0] == found[1] == found[2]


def test_an_agent_of_a_users_game_is_played_as_the_training_says(nim, ready):
    """Its last lines are commands that work: they name the game by its file."""
    folder = nim()
    words = ("--episodes", "1", "--greedy-episodes", "0", "--compare-games", "0", "--opponent", "greedy", "--out", "run")
    status, told, said = ready(folder, "train", "tabular", "nim.py:Nim", *words)
    assert status == 0, said
    (compare,) = re.findall(r"boardgym (compare .*)", told)
    assert compare == "compare file:run/agent.safetensors --game nim.py:Nim-v0"
    assert "play nim.py:Nim-v0 human" in told
    status, _, said = ready(folder, *compare.split(), "--games", "2", "--opponents", "greedy")
    assert status == 0, said


def test_a_tuning_of_a_users_game_says_how_to_play_it(nim, ready):
    folder = nim()
    words = ("--parameter", "c=0.2:2", "--iterations", "1", "--population", "3", "--elite-rate", "0.4", "--games", "2")
    status, told, said = ready(folder, "tune", "uct:4", "nim.py:Nim", *words, "--out", "run")
    assert status == 0, said
    assert "--game nim.py:Nim-v0 --draws" in told


def test_a_users_game_is_compiled_ahead_by_other_processes(nim):
    status, table, said = command(nim(), "warm", "nim.py:Nim", "--processes", "2")
    assert status == 0, said
    assert re.search(r"uct:8 +[0-9.]+\n", table)
    assert re.search(r"perfect +not for this game\n", table)


def test_the_game_of_a_file_is_never_taken_for_a_rules_file(nim, ready):
    folder = nim()
    assert ready(folder, "match", "random", "random", "nim.py:Nim", "--games", "2", "--record", "games.jsonl")[0] == 0
    records = (folder / "games.jsonl").read_text()
    status, _, said = ready(folder, "replay", "games.jsonl")
    assert status == 2
    assert "no game 'Nim-v0'" in said
    (folder / "games.jsonl").write_text(records.replace('"Nim-v0"', '"nim.py:Nim-v0"'))
    status, _, said = ready(folder, "replay", "games.jsonl")
    assert status == 2
    assert "no game 'nim.py:Nim-v0'" in said


@pytest.mark.parametrize(
    "words",
    [
        ["convert", "evil.py:1", "out.game"],
        ["match", "random", "random", "TicTacToe", "--games", "2", "--record", "evil.py:x"],
        ["show", "TicTacToe", "evil.py:x"],
        ["match", "random", "evil.py:x", "TicTacToe", "--games", "2"],
        ["replay", "evil.py:x"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_only_the_game_is_taken_for_a_file_to_run(ready, tmp_path, words):
    (tmp_path / "evil.py").write_text("open('was_run', 'w')")
    (tmp_path / "evil.py:1").write_text("no record")
    ready(tmp_path, *words)
    assert not (tmp_path / "was_run").exists()
    ready(tmp_path, "show", "evil.py:x")
    assert (tmp_path / "was_run").exists()


def test_a_file_is_run_once_and_may_be_named_again(nim):
    twice = "main(['show', 'nim.py:Nim']); raise SystemExit(main(['show', '--game', 'nim.py:Nim-v0']))"
    code = f"from boardgym.cli import main; {twice}"
    folder = nim()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment_of(folder / "cache", NUMBA_DISABLE_JIT="1"), cwd=folder, check=False
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("edit", "word", "said"),
    [
        (("", ""), "nom.py:Nim", "nom.py: no such file; expected FILE.py:ID"),
        (("", ""), "nim.py:Nom", "nim.py registers no game 'Nom'; known: Nim-v0"),
        (("", ""), "nim.py:Othello", "nim.py registers no game 'Othello'; known: Nim-v0"),
        (("boardgym.register(", "str("), "nim.py:Nim", "nim.py registers no game; expected a call of boardgym.register"),
        (("max_plies=15", "max_plies=15 16"), "nim.py:Nim", "nim.py, line 81: SyntaxError: "),
        (("np.int64(planes[0, 0, 0])", "planes"), "nim.py:Nim", ""),
        (("start=Nim(15, 0)", "start=Nim(16 // 0, 0)"), "nim.py:Nim", "line 71: ZeroDivisionError: integer division or modulo"),
        (
            ("def apply(position, action)", "def apply(position)"),
            "nim.py:Nim",
            "line 29: the verb 'apply' takes 2 arguments",
        ),
        (("boardgym.register(", "raise SystemExit("), "nim.py:Nim", "line 66: SystemExit: "),
        (("def observe", "def obsrve"), "nim.py:Nim", "no verb is called 'obsrve'; did you mean 'observe'?"),
    ],
)
def test_what_is_wrong_with_the_file_is_one_line(nim, ready, edit, word, said):
    status, _, errors = ready(nim(*edit), "show", word)
    assert status == (2 if said else 0)
    assert said in errors
    assert errors.count("\n") == bool(said)


def test_a_file_with_the_name_of_a_module_is_refused(nim, ready):
    folder = nim()
    (folder / "mine").mkdir()
    (folder / "nim.py").rename(folder / "mine" / "random.py")
    status, _, said = ready(folder, "show", "mine/random.py:Nim")
    assert status == 2
    assert "give the file another name" in said.replace("\n", " ")


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="what is not compiled is Python's to explain")
def test_a_rule_that_does_not_compile_is_one_line(nim):
    folder = nim("return position.seat", "return position.saet")
    status, _, said = command(folder, "show", "nim.py:Nim", plain=False)
    assert status == 2
    lines = [line for line in said.splitlines() if not line.startswith("boardgym: compiling")]
    assert lines == [
        f"boardgym: {folder / 'nim.py'}, line 18: to_play of Nim: Nim has no field 'saet'; did you mean 'seat' or 'left'?"
    ]


def test_an_installed_package_brings_its_games(nim):
    folder = nim()
    info = folder / "nim_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[boardgym.games]\nNim = nim\nNom = nom\n")
    path = {"PYTHONPATH": f"{folder}:{environment_of(folder)['PYTHONPATH']}"}
    status, shown, said = command(folder, "show", "Nim", "--json", **path)
    assert status == 0, said
    assert json.loads(shown)["game"] == "Nim-v0"
    status, _, said = command(folder, "show", "Nom", **path)
    assert status == 2
    assert "the installed game 'Nom' cannot be imported from nom: ModuleNotFoundError" in said
    (info / "entry_points.txt").write_text("[boardgym.games]\nNim = nim\n")
    status, listed, _ = command(folder, "games", **path)
    assert status == 0
    assert "Nim-v0" in listed
