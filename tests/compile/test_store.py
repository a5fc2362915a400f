"""The kernel cache within one process: each test has a cache folder and small kernels of its own."""

import errno
import gc
import hashlib
import os
import threading
import time
import warnings
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

import llvmlite
import numba
import numpy as np
import pytest
from numba.core import config, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

import boardgym
from boardgym.compile import compile_mode, inner, is_there, kernel, notice, store
from boardgym.compile.store import OverloadCache
from boardgym.core import random
from boardgym.core.verbs import Token, apply, pack, rule, unpack

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="there is no cache without the compiler")


def adder(amount):
    def add(x):
        return x + amount

    return add


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The folder of this build's kernels under a NUMBA_CACHE_DIR of the test's own; nothing has been warned of yet."""
    monkeypatch.setattr(store, "_WARNED", set())
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "boardgym-kernels" / store.source_key()


def counts(dispatcher):
    """(hits, misses)"""
    return sum(dispatcher.stats.cache_hits.values()), sum(dispatcher.stats.cache_misses.values())


def test_a_kernel_is_stored_and_found_again(folder):
    add = adder(1)
    first = kernel(add)
    assert first(1) == 2
    assert counts(first) == (0, 1)
    assert store.cache_folder() == folder
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

    monkeypatch.setattr(store, "write_aside", refuse)  # root may write where the mode forbids it
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
        return [place.stat().st_mode & 0o777 for place in (store.cache_folder(), store.cache_folder().parent)]

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
    assert store.cache_folder().is_relative_to(shared)


def test_nothing_is_left_of_a_write_that_fails(folder, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EIO, "disk full")

    monkeypatch.setattr(store.os, "replace", refuse)
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
    key = store.source_key.__wrapped__
    assert key() == store.source_key()
    for target, name, value in (
        (config, "BOUNDSCHECK", 1 if config.BOUNDSCHECK != 1 else 0),
        (config, "OPT", type(config.OPT)(1)),
        (config, "DEBUGINFO_DEFAULT", 1),
        (numba, "__version__", "0.0"),
        (llvmlite, "__version__", "0.0"),
        (store, "ROOM", "other sources of the room"),
        (np, "__version__", "0.0"),
        (store.sys, "version", "3.0"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, value)
            assert key() != store.source_key(), name
    assert key() == store.source_key()


def test_files_that_were_not_used_for_longest_go_first(folder, monkeypatch):
    add = adder(1)
    kernel(add)(1)
    (kept,) = folder.iterdir()
    for age in range(1, 9):
        path = folder / f"old{age}.nbc"
        path.write_bytes(b"x" * 1000)
        os.utime(path, (1e9 - age, 1e9 - age))
    os.utime(kept, (1e9, 1e9))
    kernel(add)(1)  # as young as a new one, from now on
    assert kept.stat().st_mtime > 1e9
    monkeypatch.setattr(store, "MOST_BYTES", kept.stat().st_size + 4000)
    store._prune_once.cache_clear()
    kernel(adder(2))(1)
    left = {path.name for path in folder.iterdir()}
    assert kept.name in left
    assert {"old8.nbc", "old7.nbc", "old6.nbc", "old5.nbc"}.isdisjoint(left)


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


def test_what_a_rule_calls_may_be_defined_after_its_token(folder):
    """As in a file that registers a game before its last helper: the file is named by what is there when it is compiled."""
    for step in (1, 2, 1):
        namespace = {"rule": rule, "NamedTuple": NamedTuple, "Token": Token, "inner": inner, "__name__": "late"}
        source = """
class Heap(NamedTuple):
    left: int
    seat: int

@rule(Heap)
def apply(position, action):
    return Heap(helper(position.left), position.seat)

token = Token(Heap)

@inner
def helper(left):
    return left - STEP
"""
        FunctionType(compile(source.replace("STEP", str(step)), "late.py", "exec"), namespace)()
        out, token = np.empty(2, np.int64), namespace["token"]
        kernel(play.py_func)(token, token.row(namespace["Heap"](10, 0)), 0, out)
        assert out.tolist() == [10 - step, 0]
    assert len(list(folder.iterdir())) >= 2


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
    monkeypatch.setattr(notice, "NOTICE_AFTER_S", 0.0)


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
def test_that_another_numba_takes_longer_is_said_once(capsys, monkeypatch):
    monkeypatch.setattr(compile_mode, "IS_KNOWN", False)
    monkeypatch.setattr(notice._NOTICE, "said", set())
    for amount in (1, 2.5):
        kernel(adder(amount))(amount)
    twin = make_game(6)
    twin.__qualname__ = "Another"
    kernel(play.py_func)(Token(twin), Token(twin).row(twin(10, 0)), 1, np.empty(2, np.int64))
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "boardgym: compiling add, once"
    assert said[1].startswith(f"boardgym: Numba {numba.__version__} is not one that this release has been tried with (0.68)")
    assert said[2:] == ["boardgym: compiling Another play, once"]


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
    monkeypatch.setattr(notice, "NOTICE_AFTER_S", 30.0)
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


@pytest.mark.usefixtures("folder")
def test_a_thread_that_asks_what_is_stored_waits_for_another_that_compiles():
    """Both refresh Numba's tables, which only one thread at a time may do: "generator already executing"."""
    compiled, found = kernel(adder(5)), []
    asking = threading.Thread(target=lambda: found.append(is_there(compiled, 1)))
    with global_compiler_lock:
        asking.start()
        asking.join(0.2)
        assert found == []
    asking.join()
    assert found == [False]


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
