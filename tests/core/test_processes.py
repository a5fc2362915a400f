"""The kernel cache between processes: stale code, absent modules, `__main__`, two at once, fork."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import config

from tests.support import environment_of, run_python

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="there is no cache without the compiler")

USERS_GAME = Path(__file__).parent / "users_game.py"
HELPERS = "import numba\n\n\n@numba.njit\ndef taken(action):\n    return action + 1\n"
BY_ONES, BY_TWOS, BY_THREES = ([f"{left} {ply % 2}" for ply, left in enumerate(run)] for run in (
    (7, 6, 5, 4, 3, 2, 1, 0), (7, 5, 3, 1, 0), (7, 4, 1, 0)))  # fmt: skip
ASK = ("-c", "import mygame; mygame.report()")


def write_game(folder: Path, edit: tuple[str, str] = ("", ""), helpers: str = HELPERS) -> Path:
    """A user's folder with a copy of the rules file, one text in it replaced, and its helpers."""
    folder.mkdir()
    text = USERS_GAME.read_text()
    assert edit[0] in text
    (folder / "mygame.py").write_text(text.replace(*edit) if edit[0] else text)
    (folder / "users_helpers.py").write_text(helpers)
    return folder


def files_of(cache: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in cache.rglob("*.nbc")}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a cache that two processes have filled at the same moment, with two versions of one game."""
    place = tmp_path_factory.mktemp("users")
    folders = (write_game(place / "first"), write_game(place / "edited", ("- taken(action)", "- taken(action) - 1")))
    running = [
        subprocess.Popen(
            [sys.executable, *ASK],
            env=environment_of(place / "cache", folder),
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for folder in folders
    ]
    outputs = [process.communicate(timeout=300) for process in running]
    for process, (_, errors) in zip(running, outputs, strict=True):
        assert process.returncode == 0, errors
    place.joinpath("outputs.json").write_text(json.dumps([json.loads(text) for text, _ in outputs]))
    return place


def test_two_processes_that_compile_two_versions_at_once_are_both_right(place):
    first, edited = json.loads((place / "outputs.json").read_text())
    assert first["fens"] == BY_ONES
    assert edited["fens"] == BY_TWOS  # the same module, class and kernels; an edited rule
    assert first["misses"] == edited["misses"] == 2


@pytest.mark.parametrize(("folder", "fens"), [("first", BY_ONES), ("edited", BY_TWOS)])
def test_the_next_process_compiles_nothing_and_says_nothing(place, folder, fens):
    before = files_of(place / "cache")
    done = run_python(*ASK, cache=place / "cache", folder=place / folder)
    assert json.loads(done.stdout) == {"fens": fens, "hits": 2, "misses": 0}
    assert done.stderr == ""
    assert files_of(place / "cache") == before


def test_an_edit_of_a_helper_in_another_file_counts(place):
    folder = write_game(place / "helper", helpers=HELPERS.replace("+ 1", "+ 3"))
    assert json.loads(run_python(*ASK, cache=place / "cache", folder=folder).stdout)["fens"] == BY_THREES


def test_a_game_in_main_is_found_again(place):
    results = [
        json.loads(run_python("mygame.py", cache=place / "cache", folder=place / "first", PYTHONHASHSEED=seed).stdout)
        for seed in ("1", "2")
    ]
    assert results[0] == {"fens": BY_ONES, "hits": 0, "misses": 2}
    assert results[1] == {"fens": BY_ONES, "hits": 2, "misses": 0}


def test_processes_without_the_users_module_are_not_disturbed(place, tmp_path):
    code = "from boardgym import Board; from boardgym.core.frames import push; b = Board('TicTacToe-v0'); "
    code += "print(b.fen(), sum(push.stats.cache_hits.values()))"
    for hits in (0, 1):
        done = run_python("-c", code, cache=place / "cache", folder=tmp_path)
        assert done.stdout == f"3/3/3 x {hits}\n"


def test_a_pickled_board_brings_its_rules_file_along(place):
    write = "import pickle, mygame; b = mygame.Board('Heap-v0'); b.push(1); pickle.dump(b, open('board.pickle', 'wb'))"
    run_python("-c", write, cache=place / "cache", folder=place / "first")
    read = "import pickle; b = pickle.load(open('board.pickle', 'rb')); print(b.fen(), b.actions)"
    assert run_python("-c", read, cache=place / "cache", folder=place / "first").stdout == "5 1 [1]\n"


FORKED = """
import multiprocessing
import mygame
from boardgym.core import bits, random
from boardgym.compile import kernel

@kernel
def fresh(x):
    return x + 1

def child(number):
    return mygame.play(), fresh(number), fresh(number + 0.5), int(random.draw(random.stream(number), 1000))

if __name__ == "__main__":
    own = child(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        results = pool.map(child, range(4))
    assert results[0] == own, results
    assert [r[1:3] for r in results] == [(n + 1, n + 1.5) for n in range(4)], results
    print(len({r[3] for r in results}))
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="this system does not fork")
def test_forked_processes_go_on_with_compiled_kernels(place, tmp_path):
    shutil.copytree(place / "first", tmp_path / "forked")
    (tmp_path / "forked" / "forked.py").write_text(FORKED)
    done = run_python("forked.py", cache=place / "cache", folder=tmp_path / "forked")
    assert done.stdout == "4\n"


SAME_SYMBOLS = """
import sys
import numba
from boardgym.compile import kernel

def make(amount):
    @numba.njit(nogil=True, inline="never")
    def work(x, n):
        total = 0
        for i in range(n):
            total += (x ^ i) % 7 + amount
            if total > 1000000: print(total)
            if total > 2000000: print(total, x)
        return total
    return work

small, large = make(1), make(100)

@kernel
def first(x, n):
    return small(x, n) + small(x + 1, n) + small(x + 2, n)

@kernel
def second(x, n):
    return large(x, n) + large(x + 1, n) + large(x + 2, n)

for name in sys.argv[1:]:
    function = {"first": first, "second": second}[name]
    assert function(3, 10) == function.py_func(3, 10), name
print(sum(first.stats.cache_hits.values()))
"""


def test_stored_code_and_new_code_do_not_take_each_others_functions(tmp_path):
    """Two functions of one name: Numba would number each of them alike in its process, and so name their symbols alike."""
    (tmp_path / "symbols.py").write_text(SAME_SYMBOLS)
    for order, hits in ((("first",), 0), (("second", "first"), 1)):
        assert run_python("symbols.py", *order, cache=tmp_path / "cache", folder=tmp_path).stdout == f"{hits}\n"
