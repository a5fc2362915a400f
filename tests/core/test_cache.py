"""The kernel cache within one process: each test has a cache folder and small kernels of its own."""

import errno
import gc
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import config, types
from numba.core.dispatcher import Dispatcher

import boardgym
from boardgym.core import cache, random
from boardgym.core.cache import OverloadCache, inner, kernel
from boardgym.core.verbs import Token, apply, pack, rule, unpack
from tests.support import environment_of

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="there is no cache without the compiler")


def adder(amount):
    def add(x):
        return x + amount

    return add


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The folder of this build's kernels under a NUMBA_CACHE_DIR of the test's own; nothing has been warned of yet."""
    monkeypatch.setattr(cache, "_WARNED", set())
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "boardgym-kernels" / cache.source_key()


def counts(dispatcher):
    """(hits, misses)"""
    return sum(dispatcher.stats.cache_hits.values()), sum(dispatcher.stats.cache_misses.values())


def test_a_kernel_is_stored_and_found_again(folder):
    add = adder(1)
    first = kernel(add)
    assert first(1) == 2
    assert counts(first) == (0, 1)
    assert cache.cache_folder() == folder
    (stored,) = folder.iterdir()
    assert stored.name.startswith("add-")
    before = stored.stat().st_mtime_ns, stored.read_bytes()
    again = kernel(add)
    assert again(2) == 3
    assert counts(again) == (1, 0)
    assert (stored.stat().st_mtime_ns, stored.read_bytes()) == before
    assert again(2.5) == 3.5
    assert counts(again) == (1, 1)
    assert len(list(folder.iterdir())) == 2


def test_kernels_of_one_name_and_other_code_are_told_apart(folder):
    assert kernel(adder(1))(0) == 1
    second = kernel(adder(2))
    assert second(0) == 2
    assert counts(second) == (0, 1)
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:10],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content + b"x",
        lambda content: content[:-200] + bytes(b ^ 1 for b in content[-200:]),
        lambda content: b"\x00" * len(content),
        lambda content: hashlib.sha256(b"junk").digest() + b"junk",
    ],
    ids=["empty", "header", "half", "short", "long", "flipped", "zeros", "junk"],
)
def test_a_damaged_file_is_compiled_again(folder, damage):
    add = adder(1)
    kernel(add)(1)
    (stored,) = folder.iterdir()
    stored.write_bytes(damage(stored.read_bytes()))
    second = kernel(add)
    assert second(1) == 2
    assert counts(second) == (0, 1)
    third = kernel(add)
    assert third(1) == 2
    assert counts(third) == (1, 0)


def test_another_kernels_file_under_this_name_is_not_loaded(folder):
    adders = [adder(1), adder(2)]
    for number, add in enumerate(adders):
        assert kernel(add)(0) == number + 1
    one, two = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    two.write_bytes(one.read_bytes())
    again = kernel(adders[1])
    assert again(0) == 2
    assert counts(again) == (0, 1)


def test_a_folder_that_cannot_be_made_is_warned_of_once(tmp_path, monkeypatch, folder):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with pytest.warns(RuntimeWarning, match="cannot be kept in .*file/cache.*: .*13 to 45 s.*set NUMBA_CACHE_DIR"):
        assert kernel(adder(1))(1) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernel(adder(2))(1) == 3
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_folder_that_cannot_be_written_is_read_and_warned_of_when_something_is_not_there(folder, monkeypatch):
    add = adder(1)
    kernel(add)(1)

    def refuse(*_, **__):
        raise PermissionError("read-only")

    monkeypatch.setattr(cache, "write_aside", refuse)  # root may write where the mode forbids it
    folder.chmod(0o555)
    again = kernel(add)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert again(1) == 2
    assert counts(again) == (1, 0)
    with pytest.warns(RuntimeWarning, match="read-only"):
        assert kernel(adder(2))(1) == 3
    folder.chmod(0o755)
    assert len(list(folder.iterdir())) == 1


def give_away(path, monkeypatch):
    """Has another user own a path: by chown, which only root may, else by being somebody else oneself."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        user = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: user + 1)


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("fault", ["owner", "world"])
def test_a_folder_that_others_can_write_is_neither_read_nor_written(folder, monkeypatch, level, fault):
    add = adder(1)
    kernel(add)(1)
    place = (folder, *folder.parents)[level]
    if fault == "owner":
        give_away(place, monkeypatch)
    else:
        place.chmod(0o777 if level == 2 else 0o1777)  # a sticky bit is enough for the highest alone
    again = kernel(add)
    with pytest.warns(RuntimeWarning, match="no compiled code is loaded from .*set NUMBA_CACHE_DIR to a folder of your own"):
        assert again(1) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernel(adder(2))(1) == 3
    assert counts(again) == (0, 1)
    assert len(list(folder.iterdir())) == 1


def test_a_folder_such_as_tmp_holds_a_cache(folder):
    folder.parents[1].mkdir()
    folder.parents[1].chmod(0o1777)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernel(adder(1))(1) == 2
    assert len(list(folder.iterdir())) == 1


def test_a_file_that_another_user_put_there_is_not_loaded(folder, monkeypatch):
    add = adder(1)
    kernel(add)(1)
    (stored,) = folder.iterdir()
    stored.chmod(0o666)  # the folder is in order, but was not always
    again = kernel(add)
    assert again(1) == 2
    assert counts(again) == (0, 1)
    assert not stored.stat().st_mode & 0o002  # a new one


def test_a_folder_that_a_group_can_write_is_warned_of_and_used(folder):
    add = adder(1)
    kernel(add)(1)
    folder.chmod(0o770)
    (stored,) = folder.iterdir()
    if os.geteuid() == 0:
        os.chown(stored, 12345, -1)  # by another member of the group
    again = kernel(add)
    with pytest.warns(RuntimeWarning, match="the group of .* can write there"):
        assert again(1) == 2
    assert counts(again) == (1, 0)


def test_who_may_read_what_is_kept(folder, monkeypatch, tmp_path):
    def modes():
        kernel(adder(1))(1)
        return [place.stat().st_mode & 0o777 for place in (cache.cache_folder(), cache.cache_folder().parent)]

    assert modes() == [0o700, 0o700]
    assert folder.parents[1].stat().st_mode & 0o777 == 0o700
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(shared))
    assert modes() == [0o755, 0o755]
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared))  # on Linux
    monkeypatch.setenv("HOME", str(shared))  # on macOS
    assert modes() == [0o700, 0o700]
    assert cache.cache_folder().is_relative_to(shared)


def test_what_a_killed_process_left_is_deleted_and_what_another_writes_is_not(tmp_path):
    code = """if True:
        import os, pathlib, signal
        from boardgym.core.cache import open_aside
        with open_aside(pathlib.Path("a[1].book")) as file:
            file.write(b"half")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)"""
    status = subprocess.run([sys.executable, "-c", code], env=environment_of(tmp_path / "cache"), cwd=tmp_path, check=False)
    assert status.returncode == -signal.SIGKILL
    (left,) = tmp_path.glob("*.part")
    assert cache.PART.fullmatch(left.name)
    mine = tmp_path / "a.0123456789abcdef.part.json"
    mine.touch()
    with cache.open_aside(tmp_path / "other") as file:
        cache.write_aside(tmp_path / "third", b"third")
        assert left.exists()  # of another file, whose writer may be on another machine
        cache.write_aside(tmp_path / "a[1].book", b"whole")
        names = [Path(file.name).name, "third", "a[1].book", mine.name]
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
        cache.remove_parts(tmp_path)
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
        file.write(b"whole")
    assert (tmp_path / "other").read_bytes() == b"whole"
    assert len(list(tmp_path.iterdir())) == 4


def test_a_pipe_is_written_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    cache.write_aside(pipe, b"content")
    assert os.read(reader, 100) == b"content"
    os.close(reader)
    assert pipe.is_fifo()


def test_nothing_is_left_of_a_write_that_fails(folder, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EIO, "disk full")

    monkeypatch.setattr(cache.os, "replace", refuse)
    with pytest.warns(RuntimeWarning, match="disk full"):
        assert kernel(adder(1))(1) == 2
    assert list(folder.iterdir()) == []


def test_old_builds_are_pruned(folder):
    root = folder.parent
    for age in range(6):
        old = root / f"build{age}"
        old.mkdir(parents=True)
        (old / "add-0.nbc").write_bytes(b"old")
        os.utime(old, (1e9 - age, 1e9 - age))
    kernel(adder(1))(1)
    assert sorted(p.name for p in root.iterdir()) == sorted([folder.name, "build0", "build1", "build2"])
    assert len(list(folder.iterdir())) == 1


def test_compile_flags_and_versions_name_the_folder(monkeypatch):
    key = cache.source_key.__wrapped__
    assert key() == cache.source_key()
    for target, name, value in (
        (config, "BOUNDSCHECK", 1 if config.BOUNDSCHECK != 1 else 0),
        (config, "OPT", type(config.OPT)(1)),
        (config, "DEBUGINFO_DEFAULT", 1),
        (numba, "__version__", "0.0"),
        (np, "__version__", "0.0"),
        (cache.sys, "version", "3.0"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, value)
            assert key() != cache.source_key(), name
    assert key() == cache.source_key()


def test_an_edit_of_any_compiled_source_names_another_folder(tmp_path, monkeypatch):
    package = tmp_path / "boardgym"
    shutil.copytree(cache.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "PACKAGE", package)
    key = cache.source_digest
    assert key() == cache.SOURCES  # the place does not count
    keys = {key()}
    for room, file in (("games", "tic_tac_toe.py"), ("core", "frames.py"), ("baselines", "players/simple.py")):
        path = package / room / file
        original = path.read_text()
        path.write_text(original + "\n")
        keys.add(key())
        path.write_text(original)
    (package / "games" / "new.py").write_text("")
    keys.add(key())
    assert len(keys) == 5
    (package / "games" / "new.py").unlink()
    study = package / "baselines" / "studies" / "pages.py"
    study_text = study.read_text()
    study.write_text("# what a study counts is compiled nowhere\n")
    assert key(cache.PLAIN_ROOM) == cache.COMPILED_SOURCES != key() != cache.SOURCES
    study.write_text(study_text)
    (package / "__init__.py").write_text("# holds no kernels\n")
    assert key() == cache.SOURCES
    (package / "baselines").rename(tmp_path / "baselines")
    (package / "baselines").write_text("../baselines")  # a link as it lies where the disk has none
    assert key() == cache.SOURCES
    shutil.rmtree(tmp_path / "baselines")
    with pytest.raises(ImportError, match="sources of"):
        key()


def test_code_of_sources_that_were_edited_since_the_import_is_not_stored(folder, tmp_path, monkeypatch):
    key = cache.source_key()
    package = tmp_path / "boardgym"
    shutil.copytree(cache.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "PACKAGE", package)
    with (package / "games" / "tic_tac_toe.py").open("a") as file:
        file.write("# edited\n")
    assert kernel(adder(1))(1) == 2
    assert not folder.exists()
    assert cache.source_key.__wrapped__() == key


def make_game(step):
    """A class and rules that differ from call to call in a constant only."""

    class Heap(NamedTuple):
        left: int
        seat: int

    def shrink(position, action):
        return Heap(position.left - step * action, 1 - position.seat)

    shrink.__name__ = "apply"
    rule(Heap)(shrink)
    return Heap


@kernel
def play(token, row, action, out):
    pack(apply(unpack(token, row), action), out)


def test_two_classes_of_one_name_play_their_own_rules(folder):
    """Within one process and out of the cache: equal names and fields, other rules."""
    out, twins = np.empty(2, np.int64), [make_game(step) for step in (1, 2, 1)]
    tokens = [Token(twin) for twin in twins]
    assert tokens[0].name == tokens[2].name != tokens[1].name
    for _ in range(2):
        for twin, token, left in zip(twins, tokens, (7, 4, 7), strict=True):
            play(token, token.row(twin(10, 0)), 3, out)
            assert out.tolist() == [left, 1]
    again = kernel(play.py_func)
    for twin, token, left in zip(twins, tokens, (7, 4, 7), strict=True):
        again(token, token.row(twin(10, 0)), 3, out)
        assert out.tolist() == [left, 1]
    assert counts(again) == (2, 0)
    assert len(list(folder.iterdir())) == 2


@pytest.fixture
def quick_notice(monkeypatch):
    monkeypatch.setattr(cache, "NOTICE_AFTER_S", 0.0)


@pytest.mark.usefixtures("folder", "quick_notice")
def test_compiling_is_announced_once_and_loading_is_not(capsys):
    twin = make_game(5)
    twin.__qualname__ = "Announced"
    token, out = Token(twin), np.empty(2, np.int64)
    kernel(play.py_func)(token, token.row(twin(10, 0)), 1, out)
    assert capsys.readouterr().err == "boardgym: compiling Announced play, once\n"
    kernel(play.py_func)(token, token.row(twin(10, 0)), 1, out)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("folder", "quick_notice")
def test_only_the_outermost_kernel_is_announced(capsys):
    @kernel
    def nested(x):
        return x + 1

    @inner
    def between(x):
        return nested(x) + 1

    @kernel
    def outermost(x):
        return between(x) + 1

    assert outermost(1) == 4
    assert capsys.readouterr().err == "boardgym: compiling outermost, once\n"


@pytest.mark.usefixtures("folder")
def test_quick_compilation_and_failed_compilation_say_nothing(capsys, monkeypatch):
    monkeypatch.setattr(cache, "NOTICE_AFTER_S", 30.0)
    assert kernel(adder(3))(1) == 4
    before = threading.active_count()
    with pytest.raises(numba.TypingError):
        kernel(adder(4))("text")
    assert capsys.readouterr().err == ""
    for _ in range(100):
        if threading.active_count() <= before:
            break
        time.sleep(0.01)
    assert threading.active_count() <= before  # no timer is left running


@kernel
def spin(rounds, rng):
    total = np.uint64(0)
    for _ in range(rounds):
        total ^= random.next_word(rng)
    return total


def test_other_threads_run_while_a_kernel_runs():
    rng, ticks, stop = random.stream(1), [], threading.Event()
    spin(1, rng)
    rounds, took = 1_000_000, 0.0
    while took < 0.1:  # find a number of rounds that takes a while on this machine
        rounds *= 2
        began = time.perf_counter()
        spin(rounds, rng)
        took = time.perf_counter() - began

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.perf_counter()
    spin(4 * rounds, rng)
    ended = time.perf_counter()
    stop.set()
    thread.join()
    assert sum(began < t < ended for t in ticks) >= 5


def test_every_kernel_releases_the_lock_and_takes_no_position():
    board = boardgym.Board("TicTacToe-v0")
    board.push(0)
    kernels = [d for d in gc.get_objects() if issubclass(type(d), Dispatcher) and isinstance(d._cache, OverloadCache)]
    assert len(kernels) > 5
    for dispatcher in kernels:
        assert dispatcher.targetoptions.get("nogil") is True, dispatcher
        assert not dispatcher.targetoptions.get("parallel")
        assert not dispatcher.targetoptions.get("fastmath")
        for signature in dispatcher.signatures:
            for kind in signature:
                if isinstance(kind, types.BaseNamedTuple):  # arrays of many games, by a class that is always there
                    assert kind.instance_class.__module__.startswith("boardgym."), (dispatcher, signature)
                    fields = [part for field in kind.types for part in getattr(field, "types", (field,))]
                    assert all(isinstance(field, types.Array) for field in fields), (dispatcher, signature)
