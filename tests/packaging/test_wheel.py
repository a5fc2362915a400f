"""What is built is what lies in the tree, and it works where the tree is not."""

import os
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from boardgym.baselines.perfect.connect_four_book import as_book, save_book

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"boardgym": "boardgym", **{name: f"boardgym/{name}" for name in ("baselines", "studies", "wrappers")}}
# Extras that are no part of `all` and `test`, by the file of their pins.
PINNED_APART = {extra: f"constraints-{extra}.txt" for extra in ("bench", "gpu", "ray", "slurm")}
THIS_PYTHON = "{}.{}".format(*sys.version_info)
PYTHONS = ("3.11", "3.12", "3.13")  # those that the pins are for
GPU_LIBRARIES = ("cuda_", "nvidia_", "triton")  # what only some builds of torch require, which choose the versions themselves

PLAY = """
import boardgym, boardgym.baselines, boardgym.studies, boardgym.wrappers
from pathlib import Path
from boardgym.core.policy_spec import make_policy
board = boardgym.Board("TicTacToe-v0")
player = make_policy("random", board.game, seed=1)
make_policy("agent:connect-four", "ConnectFour-v0")
while not board.is_terminal:
    board.push(player.act(board))
print(Path(boardgym.__file__).resolve().parent)
print(Path(boardgym.baselines.__file__).resolve().parent)
print(board.outcome())
"""

BOOK = "baselines/perfect/data/connect-four-4x4.safetensors"  # the smallest there is: the empty board's score
LOOK = """
from boardgym.baselines.perfect.connect_four_book import find_book, find_path
print(find_path(4, 4))
print(find_book(4, 4).scores)
"""


def run(*command, cwd, env=None):
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def tree_files():
    """Every source file and file of data of the four folders, and the book, under the name that it has when installed."""
    found = {f"boardgym/{BOOK}"}
    for folder, installed in FOLDERS.items():
        for path in (ROOT / folder).rglob("*"):
            relative = path.relative_to(ROOT / folder)
            is_link = folder == "boardgym" and relative.parts[0] in FOLDERS
            if not is_link and (path.suffix in (".py", ".safetensors", ".tsv", ".json") or path.name == "py.typed"):
                found.add(f"{installed}/{relative.as_posix()}")
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist, and the wheel built from it: from a copy of the tree with a book, so that this one is left clean."""
    folder = tmp_path_factory.mktemp("dist")
    source = tmp_path_factory.mktemp("source") / "tree"
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=ROOT).split("\0")
    for name in filter(None, names):
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_symlink():
            target.symlink_to(os.readlink(ROOT / name))
        elif (ROOT / name).is_file():
            target.write_bytes((ROOT / name).read_bytes())
    save_book(source / BOOK, as_book({0: 0}, 0, is_whole=True), 4, 4)  # a draw: connect4_small_boards.txt
    run(sys.executable, "-m", "build", "--outdir", folder, source, cwd=folder)
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


@pytest.fixture
def environment(tmp_path):
    """A new virtual environment that sees this one's packages; returns its Python and the variables to run it with."""
    venv.create(tmp_path / "venv", with_pip=False, system_site_packages=False)
    python = tmp_path / "venv" / "bin" / "python"
    site = next((tmp_path / "venv" / "lib").glob("python*/site-packages"))
    (site / "packages_of_the_tests.pth").write_text("\n".join(p for p in sys.path if p.endswith("site-packages")) + "\n")
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return python, variables


def test_wheel_holds_the_tree(built):
    _, wheel = built
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {name for name in names if name.endswith((".py", "py.typed", ".safetensors", ".tsv", ".json"))}
    assert sources == tree_files()
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_sdist_holds_the_tree(built):
    sdist, _ = built
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    installed = {value: key for key, value in FOLDERS.items() if key != value}
    for name in tree_files():
        for prefix, folder in installed.items():
            if name.startswith(prefix + "/"):
                name = folder + name.removeprefix(prefix)
        assert name in names
    for name in ("LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "setup.py", "Makefile"):
        assert name in names
    assert {"constraints.txt", *PINNED_APART.values()} <= names


def test_wheel_plays_elsewhere(built, environment, tmp_path):
    python, variables = environment
    run(python, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet", built[1], cwd=tmp_path, env=variables)
    where, baselines, outcome = run(python, "-c", PLAY, cwd=tmp_path, env=variables).splitlines()
    assert Path(where).is_relative_to(tmp_path)
    assert Path(baselines) == Path(where) / "baselines"
    assert outcome.startswith("Outcome(")
    apart = {**variables, "BOARDGYM_TABLES": str(tmp_path)}  # no table of the user's
    assert run(python, "-c", LOOK, cwd=tmp_path, env=apart).splitlines() == [f"{Path(where) / BOOK}", "[0]"]


def test_editable_install_plays_elsewhere(environment, tmp_path):
    python, variables = environment
    source = tmp_path / "tree"
    source.mkdir()
    for name in (*FOLDERS, "pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (source / name).symlink_to(ROOT / name)
    options = ("--no-deps", "--no-index", "--no-build-isolation", "--quiet")
    run(python, "-m", "pip", "install", *options, "--editable", source, cwd=tmp_path, env=variables)
    where, baselines, outcome = run(python, "-c", PLAY, cwd=tmp_path, env=variables).splitlines()
    assert Path(where) == (ROOT / "boardgym").resolve()
    assert Path(baselines) in ((ROOT / "baselines").resolve(), ROOT / "boardgym" / "baselines")
    assert outcome.startswith("Outcome(")


@pytest.mark.parametrize("name", ["baselines", "studies", "wrappers"])
def test_bare_import_of_a_folder_is_refused(name):
    done = subprocess.run([sys.executable, "-c", f"import {name}"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"import boardgym.{name}" in done.stderr


def test_everything_required_is_pinned():
    """Every requirement, and what these require in turn, as far as it is installed here; and nothing else is pinned."""
    pinned = pins("constraints.txt")
    assert pinned["torch"] == "2.13.0"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [group for name, group in project["optional-dependencies"].items() if name not in PINNED_APART]
    waiting = [text for group in (project["dependencies"], *extras) for text in group]
    seen = set()
    while waiting:
        requirement = Requirement(waiting.pop())
        name = normal(requirement.name)
        if name in seen or name == "boardgym" or name.startswith(GPU_LIBRARIES) or not applies(requirement, *PYTHONS):
            continue
        seen.add(name)
        if not applies(requirement, THIS_PYTHON):
            continue
        installed = metadata.version(name)
        assert name in pinned, f"{name} is not pinned"
        assert Version(installed).public == pinned[name], f"{name} {installed} is not the pinned version"
        waiting += metadata.requires(name) or []
    assert set(pinned) == seen


def test_extras_apart_are_pinned_without_changing_the_others():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra, file in PINNED_APART.items():
        apart = pins(file)
        assert {normal(Requirement(text).name) for text in extras[extra]} <= set(apart)
        assert set(apart) & set(pins("constraints.txt")) == set()
        for text in extras[extra]:
            requirement = Requirement(text)
            assert requirement.specifier.contains(apart[normal(requirement.name)])


def test_the_environment_of_rllib_has_what_the_package_needs():
    """It is installed without dependencies, because RLlib pins an older gymnasium."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {normal(Requirement(text).name) for text in needed} <= set(pins("constraints-rllib.txt"))


def applies(requirement, *pythons):
    """Whether one of these versions of Python makes a requirement hold, no extra asked for."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": "", "python_version": python}) for python in pythons)


def pins(file):
    """Versions by name, of a file of constraints."""
    lines = [line for line in (ROOT / file).read_text().splitlines() if line and not line.startswith("#")]
    return {normal(name): version for name, _, version in (line.partition("==") for line in lines)}


def normal(name):
    return name.lower().replace("-", "_").replace(".", "_")
