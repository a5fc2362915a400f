"""`boardgym doctor`: what it finds, and what it says is wrong."""

import json
import os

import numpy as np
import pytest

from boardgym import __version__
from boardgym.cli import main
from boardgym.commands.doctor import describe_cache
from boardgym.compile import store


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of kernels, with two of them, under a NUMBA_CACHE_DIR of the test's own."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("BOARDGYM_TABLES", str(tmp_path / "tables"))
    folder = store.cache_folder()
    folder.mkdir(mode=0o700, parents=True)
    for name, size in (("a.nbc", 1000), ("b.nbc", 24)):
        (folder / name).write_bytes(bytes(size))
    return folder


def found(capsys):
    assert main(["doctor", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_what_there_is(capsys, folder):
    said = found(capsys)
    assert said["cache"]["folder"] == str(folder)
    assert (said["cache"]["kernels"], said["cache"]["bytes"], said["cache"]["bytes_of_all_builds"]) == (2, 1024, 1024)
    assert said["cache"]["writable"]
    assert said["cache"]["distrusted"] == ""
    assert said["tables"]["exists"] is False
    assert said["tables"]["writable"]
    assert said["versions"]["boardgym"] == __version__
    assert said["versions"]["numpy"] == np.__version__
    assert {"torch", "matplotlib", "pygame-ce"} <= set(said["versions"])
    assert said["threads"]["cores"] >= 1
    assert not any(str(folder) in problem["what"] for problem in said["problems"])
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for words in (str(folder), "2, 0.0 MiB", np.__version__, "OMP_NUM_THREADS"):
        assert words in out


def test_a_folder_that_others_can_write(capsys, folder):
    folder.chmod(0o777)
    said = found(capsys)
    assert "can be written by every user" in said["cache"]["distrusted"]
    assert [problem["advice"] for problem in said["problems"] if str(folder) in problem["what"]] == [
        "set NUMBA_CACHE_DIR to a folder of your own"
    ]
    assert main(["doctor"]) == 0
    assert "problem: compiled code is neither loaded from" in capsys.readouterr().err
    folder.chmod(0o770)
    assert found(capsys)["cache"]["group_writable"]


def test_folders_that_cannot_be_written(capsys, tmp_path, monkeypatch, folder):
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setenv("BOARDGYM_TABLES", str(tmp_path / "file" / "tables"))
    said = found(capsys)
    assert not said["cache"]["writable"]
    assert not said["tables"]["writable"]
    assert "13 to 45 s" in said["problems"][0]["what"]
    assert "BOARDGYM_TABLES" in said["problems"][1]["advice"]
    assert os.path.getsize(tmp_path / "file") == 0


def test_a_folder_above_that_is_closed(tmp_path, monkeypatch):
    (tmp_path / "closed" / "a" / "b").mkdir(parents=True)
    (tmp_path / "closed").chmod(0)
    user = os.geteuid()
    if user == 0:  # whom nothing is closed to
        os.seteuid(65534)
    try:
        found = describe_cache(tmp_path / "closed" / "a" / "b")
    finally:
        os.seteuid(user)
    assert (found["exists"], found["readable"], found["kernels"]) == (False, False, 0)


def test_settings_that_make_games_slow(capsys, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    (fault,) = [problem["what"] for problem in found(capsys)["problems"] if " is set: " in problem["what"]]
    assert fault.startswith("NUMBA_BOUNDSCHECK is set")
