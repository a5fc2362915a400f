"""Files that are written whole or not at all."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boardgym.core.files import PART, open_aside, remove_parts, share_file, write_aside
from tests.support import environment_of


def test_what_a_killed_process_left_is_deleted_and_what_another_writes_is_not(tmp_path):
    code = """if True:
        import os, pathlib, signal
        from boardgym.core.files import open_aside
        with open_aside(pathlib.Path("a[1].book")) as file:
            file.write(b"half")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)"""
    status = subprocess.run([sys.executable, "-c", code], env=environment_of(tmp_path / "cache"), cwd=tmp_path, check=False)
    assert status.returncode == -signal.SIGKILL
    (left,) = tmp_path.glob("*.part")
    assert PART.fullmatch(left.name)
    mine = tmp_path / "a.0123456789abcdef.part.json"
    mine.touch()
    with open_aside(tmp_path / "other") as file:
        write_aside(tmp_path / "third", b"third")
        assert left.exists()  # of another file, whose writer may be on another machine
        write_aside(tmp_path / "a[1].book", b"whole")
        names = [Path(file.name).name, "third", "a[1].book", mine.name]
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
        remove_parts(tmp_path)
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
        file.write(b"whole")
    assert (tmp_path / "other").read_bytes() == b"whole"
    assert len(list(tmp_path.iterdir())) == 4


def test_a_pipe_is_written_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_aside(pipe, b"content")
    assert os.read(reader, 100) == b"content"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("has_links", [True, False])
def test_a_second_name_keeps_what_the_file_was(tmp_path, monkeypatch, has_links):
    def refuse(source, target):
        raise OSError(errno.EPERM, "no second names here")

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    source, target = tmp_path / "source", tmp_path / "target"
    write_aside(source, b"old")
    share_file(source, target)
    assert os.path.samefile(source, target) == has_links
    write_aside(source, b"new")
    assert target.read_bytes() == b"old"
    share_file(source, target)  # which is there already
    assert target.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source", "target"]
