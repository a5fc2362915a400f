"""`--web`: what the terminal would show is in the studio, of this process or another one."""

import contextlib
import http.client
import io
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.error

import pytest

from boardgym.cli import main
from boardgym.commands import studio as studio_command
from boardgym.commands.in_studio import absolute
from boardgym.commands.studio import ADDRESS, holding
from tests.studio import StudioProcess, line_of, wait_until

PAGE = re.compile(r"boardgym studio: (http://\S+/)\?token=([^\s#]+)(#/\S+)\n")
MATCH = ("match", "random", "random", "--game", "TicTacToe", "--games", "2", "--record")


def begun(*words):
    """A command in a process of its own, which compiles nothing."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    words = [sys.executable, "-m", "boardgym", *words]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def told(code, out, err):
    """(exit status, place on the page, what it complains of) of a command."""
    found = PAGE.fullmatch(out)
    return code, found and found[3], err


def run(*words):
    """The same of one that finds a running studio, or none, and starts none: in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main([*words, "--web"])
    return told(code, out.getvalue(), err.getvalue())


def run_apart(*words):
    """The same of one that starts a studio."""
    process = begun(*words, "--web")
    out, err = process.communicate(timeout=300)
    return told(process.returncode, out, err)


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """The file in which a browser writes what it is to open. The data folder is the test's own."""
    browser = tmp_path / "browser.py"
    browser.write_text(f"import sys\nopen({str(tmp_path / 'opened')!r}, 'a').write(sys.argv[1] + '\\n')\n")
    monkeypatch.setenv("BROWSER", f"{sys.executable} {browser} %s")
    monkeypatch.setattr(studio_command.webbrowser, "open", lambda address: True)  # in this process, which may have one already
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "opened"


@pytest.fixture
def studio(opened):
    """(the studio that `play --web` has started, the place that it has printed)."""
    words = ("play", "TicTacToe", "human", "minimax:2", "--moves", "b2", "a1", "--seed", "3", "--web")
    process = begun(*words)
    try:
        address, token, place = PAGE.fullmatch(line_of(process)).groups()
        yield StudioProcess.of(process, address, token), place
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait(60)


def test_commands_open_their_pages_in_the_studio(studio, opened, tmp_path):
    process, place = studio
    play = process.call("GET", f"/plays/{place.removeprefix('#/play/')}")
    assert play["state"]["moves"] == ["b2", "a1"]
    assert [seat["spec"] for seat in play["seats"]] == ["", "minimax:2"]
    wait_until(lambda: opened.is_file() and opened.read_text().endswith("\n"))
    assert opened.read_text().startswith(f"{process.address}?token=")
    assert opened.read_text().endswith(f"{place}\n")
    assert process.token not in opened.read_text()  # others see the arguments of a browser's process

    words = ("analyse", "Othello", "--option", "size=6", "--moves", "c2")
    assert run(*words)[:2] == (0, "#/analyse?game=Othello-v0&option=size%3D6&moves=c2")
    record = tmp_path / "record.game"
    assert main([*MATCH, str(record)]) == 0
    code, place, _ = run("replay", str(record), "--number", "2")
    assert code == 0
    game = process.call("GET", f"/records/{place.removeprefix('#/games/')}")
    assert (game["game"], game["source"], game["players"]) == ("TicTacToe-v0", "file", "random - random")
    (file,) = process.call("GET", "/records/files")
    assert (file["name"], file["games"]) == ("record, game 2.jsonl", 1)
    assert run("replay", str(record), "--number", "2")[:2] == (0, place)  # it is there already

    agent = ("--opponents", "random", "greedy", "--game", "TicTacToe", "--games", "4", "--openings", "start")
    code, place, _ = run("compare", "minimax:1", *agent)
    assert code == 0
    path = f"/arena/{place.removeprefix('#/arena/')}"
    wait_until(lambda: process.call("GET", path)["tournament"]["state"] == "finished", 300)
    found = process.call("GET", path)
    assert [(row["a"], row["b"], row["games"]) for row in found["rows"]] == [
        ("minimax:1", "random", 4),
        ("minimax:1", "greedy", 4),
    ]
    assert found["tournament"]["given"] == {
        "spec": "minimax:1",
        "opponents": ["random", "greedy"],
        "game": "TicTacToe",
        "games": 4,
        "openings": "start",
    }

    code, place, _ = run("train", "tabular", "TicTacToe", "--episodes", "50", "--greedy-episodes", "0")
    assert code == 0
    path = f"/bots/{place.removeprefix('#/train/')}"
    given = process.call("GET", path)["bot"]["given"]
    assert (given["episodes"], given["greedy_episodes"]) == (50, 0)
    wait_until(lambda: process.call("GET", path)["bot"]["state"] == "finished", 300)

    for words, said in (
        (("play", "TicTacToe", "human", "nonsense"), "nonsense"),
        (("play", "TicTacToe", "human", "greedy("), "is not closed at the end"),
        (("play", "TicTacToe", "--best"), "--best is for the terminal; leave it out, or leave out --web"),
        (("analyse", "TicTacToe", "--policy", "minimax:2"), "--policy is for the terminal"),
        (("train", "tabular", "TicTacToe", "--out", "runs/x"), "--out is for the terminal"),
        (("train", "tabular", "TicTacToe", "--judges", "random"), "--judges is for the terminal"),
        (("match", "random", "random", "--record", "x.jsonl"), "--record is for the terminal"),
        (("ladder", "TicTacToe", "--games", "3"), "games=3: expected an even number"),
    ):
        code, place, complaint = run(*words)
        assert (code, place) == (2, None)
        assert complaint.startswith("boardgym: ")
        assert said in complaint


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "TicTacToe", "human", "nonsense"), "nonsense"),  # by the studio
        (("play", "TicTacToe", "--best"), "--best is for the terminal"),  # at once
        (("replay", "nowhere.jsonl"), "nowhere.jsonl: No such file or directory"),  # by the system
    ],
)
def test_what_cannot_be_begun_ends_the_studio_that_was_started_for_it(opened, words, said):
    code, place, complaint = run_apart(*words)
    assert (code, place) == (2, None)
    assert said in complaint.splitlines()[-1]
    assert "Traceback" not in complaint
    assert "interrupted" not in complaint
    assert not opened.exists()


def test_files_of_a_spec_are_found_from_everywhere(tmp_path, monkeypatch):
    """Those that are there, whatever kind of file; other text stays as it is."""
    monkeypatch.chdir(tmp_path)
    for name in ("y", "y2", "a (1)"):
        (tmp_path / name).mkdir()
    for spec, full in (
        ("ntuple:y", "ntuple:{}/y"),
        ("sb3:a (1)", "sb3:{}/a (1)"),
        ("epsilon:0.1(network: y)", "epsilon:0.1(network:{}/y)"),
        ("minimax:4,evaluation=ntuple:y2,nodes=9", "minimax:4,evaluation=ntuple:{}/y2,nodes=9"),
        ("mix(file:y, uct:9,evaluation=network(ntuple:y2))", "mix(file:{0}/y, uct:9,evaluation=network(ntuple:{0}/y2))"),
        ("minimax:2,evaluation=cascade(file:a (1))", "minimax:2,evaluation=cascade(file:{}/a (1))"),
        ("ntuple:z", "ntuple:z"),
        ("engine:gtp:y", "engine:gtp:y"),
    ):
        assert absolute(spec) == full.format(tmp_path)
        assert absolute(absolute(spec)) == absolute(spec)


def test_an_address_that_a_killed_studio_has_left_is_not_taken(tmp_path):
    (tmp_path / ADDRESS).write_text("http://127.0.0.1:1/")
    with holding(tmp_path):
        assert not (tmp_path / ADDRESS).exists()


def test_ctrl_c_while_a_policy_thinks(studio):
    process, place = studio
    path, answers = f"/plays/{place.removeprefix('#/play/')}/hint", []

    def ask():
        try:
            process.call("POST", path, {"spec": "uct:9s"})
        except (urllib.error.URLError, ConnectionError, http.client.HTTPException) as error:
            answers.append(getattr(error, "code", 0))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_until(lambda: answers == [409])  # one of them is refused while the other one waits for its answer
    process.process.send_signal(signal.SIGINT)
    _, complaint = process.process.communicate(timeout=60)
    for thread in threads:
        thread.join()
    assert [line for line in complaint.splitlines() if not line.startswith("Ctrl-C ends it")] == []


def test_other_commands_do_not_take_it():
    code, _, complaint = run("games")
    assert code == 2
    assert "--web" in complaint
