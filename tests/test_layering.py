"""Who may import whom, where kernels may stand, and what no source may hold: read off the syntax trees."""

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardgym.core.sources import COMPILED_ROOMS, PACKAGE
from tests.support import ROOT, run_python

LEAVES = ("core.errors", "core.files", "core.signals")  # they import nothing of the package, and every room may import them
BELOW = {
    "compile": set(),
    "core": {"compile"},
    "games": {"core", "compile"},
    "render": {"core"},
    "testing": {"core", "compile"},
    "baselines": {"core", "compile", "games"},
    "envs": {"core", "compile", "games", "render"},
    "solo": {"core", "games", "render", "envs"},
    "wrappers": {"core", "compile", "games", "render", "baselines", "envs", "solo", "testing"},
    "learning": {"core", "compile", "games", "envs", "solo", "baselines", "wrappers"},  # baselines/learning/
    "studies": {"core", "compile", "games", "solo", "baselines", "learning", "wrappers", "testing"},
    "": {"core", "games", "render", "envs", "solo"},  # boardgym/__init__.py
}
# The rooms of baselines/, each of which imports those before it; what lies beside them serves all.
BASELINES = ("", "players", "networks", "search", "shelf", "perfect", "engines", "arena", "thesis_tests", "learning")
BESIDE = ("baselines", "studies", "wrappers")  # at the top of a checkout, installed within boardgym
ABOVE_ALL = ("cli", "commands", "web", "__main__")  # these may import every room
# besides the standard library, all that these rooms may import
LEAF_LIBRARIES = {"numpy", "numba", "llvmlite", "platformdirs", "filelock", "boardgym"}
POSIX_ONLY = {"fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "readline", "posix"}
COMPILERS = {"njit", "jit", "vectorize", "guvectorize", "stencil", "cfunc"}
OURS = {"kernel", "inner", "rule", "verb", "optional_verb"}


def sources() -> Iterator[tuple[str, Path]]:
    """(room, path) of every source of the package; the room of a file right under boardgym/ is its name."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).parts
        yield (parts[0] if len(parts) > 1 else path.stem.replace("__init__", "")), path
    for room in BESIDE:  # links in a checkout, which rglob does not follow
        if (PACKAGE / room).is_symlink():
            folder = (PACKAGE / room).resolve()
            for path in sorted(folder.rglob("*.py")):
                yield "learning" if path.is_relative_to(folder / "learning") else room, path


SOURCES = list(sources())


@pytest.fixture(autouse=True, scope="module")
def nodes():
    """Syntax trees are kept for this module alone: they take 150 MB."""
    yield
    nodes_of.cache_clear()


@functools.cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))


def imports_of(path: Path) -> Iterator[str]:
    """The full names of all modules that a source imports, wherever in it."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def strings_of(path: Path) -> Iterator[str]:
    """The modules that a source names in strings, for `importlib` to load."""
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.match(r"boardgym\.\w+\.", node.value):
            yield node.value.replace(":", ".")


def room_in_baselines(name: str) -> str:
    """Of a module of boardgym.baselines; "" if it lies beside the rooms."""
    part = name.removeprefix("boardgym.baselines").strip(".").split(".")[0]
    return part if part in BASELINES else ""


def of_every_source(check):
    """A test a room, of a check of one source; not a test a source, which takes longer to count than to do."""

    @pytest.mark.parametrize("room", sorted({room for room, _ in SOURCES}))
    def test(room):
        for path in (path for other, path in SOURCES if other == room):
            check(room, path)

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    return test


def test_the_walk_sees_the_rooms():
    assert {"", "core", "games", "baselines", "learning", "studies", "wrappers", "envs"} <= {room for room, _ in SOURCES}


def test_every_room_of_baselines_has_its_place():
    folder = next(path for room, path in SOURCES if room == "baselines" and path.parent.name == "baselines").parent
    assert {path.parent.name for path in folder.glob("*/__init__.py")} == {room for room in BASELINES if room}


@of_every_source
def test_imports_point_downwards(room, path):
    if room in ABOVE_ALL:
        return
    by_name = () if room == "core" else strings_of(path)  # the registry of policies is in core
    for name in (*imports_of(path), *by_name):
        top, _, rest = name.partition(".")
        assert top not in BESIDE, f"{path} imports {name}: it is boardgym.{top}"
        if top == "boardgym":
            target = "learning" if rest.startswith("baselines.learning") else rest.split(".")[0]
            known = target in BELOW or target in ABOVE_ALL
            assert known or room not in ("compile", "core", "games"), f"{path} imports {name}: not a room"
            assert f"{room}.{path.stem}" not in LEAVES, f"{path} imports {name}"
            is_leaf = rest.startswith(LEAVES)
            if known and not is_leaf:
                assert target == room or target in BELOW[room], f"{path} is in {room or 'boardgym'} and imports {name}"
        if room in ("compile", "core", "games") and name not in by_name:
            assert top in sys.stdlib_module_names | LEAF_LIBRARIES, f"{path} imports {name}"
            is_own = path.parent.name != "games" and rest.startswith(f"games.{path.parent.name}.")  # a game of several files
            assert (
                room != "games"
                or rest.startswith(("core", "compile"))
                or top != "boardgym"
                or path.name == "__init__.py"
                or is_own
            ), f"{path} imports {name}"


def test_only_its_command_imports_the_studies():
    importers = {
        path.name for room, path in SOURCES if room != "studies" for name in imports_of(path) if "boardgym.studies" in name
    }
    assert importers == {"reproduce.py"}


@of_every_source
def test_rooms_of_baselines_import_those_before_them(room, path):
    if room not in ("baselines", "learning"):
        return
    parts = path.with_suffix("").parts
    own = room_in_baselines(".".join(("boardgym", *parts[len(parts) - parts[::-1].index("baselines") - 1 :])))
    if path.name == "__init__.py" and path.parent.name == "baselines":
        return  # offers what users import
    for name in (*imports_of(path), *strings_of(path)):
        if name.startswith("boardgym.baselines."):
            other = room_in_baselines(name)
            assert BASELINES.index(other) <= BASELINES.index(own), f"{path} is in {own or 'baselines'} and imports {name}"


@of_every_source
def test_what_no_source_holds(room, path):
    """One file sets the compiler's flags; no threads within kernels, no relaxed arithmetic, no global random numbers."""
    for node in nodes_of(path):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
        where = f"{path}:{getattr(node, 'lineno', 0)}"
        assert name != "prange", where
        assert name not in COMPILERS or room == "compile", f"{where}: use kernel or inner"
        assert name not in ("eval", "exec") or isinstance(node, ast.Attribute), where
        if isinstance(node, ast.Call):
            flags = {keyword.arg for keyword in node.keywords}
            assert not flags & {"parallel", "fastmath", "error_model"}, where
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np.random", "numpy.random"):
            assert node.attr in ("SeedSequence", "Generator", "default_rng", "PCG64"), f"{where}: the global generator"
        decorators = getattr(node, "decorator_list", [])
        for decorator in decorators:
            called = ast.unparse(decorator).split("(")[0].rpartition(".")[2]
            assert called not in OURS or room in (*COMPILED_ROOMS, "learning"), f"{where}: not among COMPILED_ROOMS"
    imported = set(imports_of(path))
    assert "pickle" not in imported or (room == "compile" and path.name == "store.py"), path
    compilers = {name for name in imported if name.split(".")[0] in ("numba", "llvmlite")}
    assert room == "compile" or not compilers, f"{path} imports {compilers}: that is for boardgym/compile alone"
    assert "random" not in imported, f"{path}: random numbers come from boardgym.core.random"


@of_every_source
def test_what_only_posix_has_is_guarded(room, path):
    """It is imported where something else is done without it."""
    guarded = {
        inner
        for node in nodes_of(path)
        if isinstance(node, ast.Try)
        and any("ImportError" in ast.unparse(handler.type) for handler in node.handlers if handler.type)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in nodes_of(path):
        if isinstance(node, ast.Import | ast.ImportFrom) and node not in guarded:
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            assert not POSIX_ONLY & set(names), f"{path}:{node.lineno}"


@pytest.mark.parametrize("room", BESIDE)
def test_the_top_level_folders_are_no_packages_of_their_own(room):
    """A bare import from the checkout would load a second copy of every module."""
    if not (ROOT / room).is_dir():
        return  # installed: there is nothing to import
    code = [sys.executable, "-c", f"import {room}"]
    done = subprocess.run(code, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert f"AssertionError: import boardgym.{room}, not {room}" in done.stderr


IMPORTED = """
import sys
from numba.core import event
compiled = event.RecordingListener()
event.register("numba:compile", compiled)
import boardgym
heavy = {"torch", "matplotlib", "stable_baselines3", "sb3_contrib", "nicegui", "ray", "submitit", "tensorboard", "pygame",
         "pyspiel"}
print(sorted(heavy & set(sys.modules)), len(compiled.buffer))
"""


def test_import_is_light_and_compiles_nothing(tmp_path):
    assert run_python("-c", IMPORTED, cache=tmp_path).stdout == "[] 0\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("module", ["trainee", "part_tester", "policy_worker", "analysis_process"])
def test_the_processes_of_the_studio_load_neither_its_server_nor_its_database(module, tmp_path):
    script = f"""
import sys
import boardgym.web.{module}
print(sorted({{"sqlalchemy", "alembic", "fastapi", "starlette", "pydantic", "uvicorn", "torch"}} & set(sys.modules)))
"""
    assert run_python("-c", script, cache=tmp_path).stdout == "[]\n"
