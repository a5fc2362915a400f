"""A test that ends its process: the suite names it, and runs all others."""

import os
import subprocess
import sys

import pytest

from tests.support import ROOT

MANY = """
import os, pytest

@pytest.mark.parametrize("number", range({tests}))
def test_it(number):
    if {crashes} and number == 1:
        os.abort()
"""
SLOW = """
import os, time

def pytest_collection_modifyitems():
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw2":
        time.sleep(2)
"""
OTHER = """
import os

def pytest_collection_modifyitems(items):
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1":
        items.pop()
"""


def run_with(processes, conftest, tests, folder):
    """What pytest does with files of tests: name -> text."""
    (folder / "conftest.py").write_text(conftest)
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name, text in tests.items():
        (folder / f"test_{name}.py").write_text(text)
    plugins = ["-p", "tests.conftest", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-n", str(processes), "-q", *plugins, str(folder)],
        cwd=ROOT,
        env={**{k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    ("processes", "files", "crashing", "tests", "passed"),
    [
        (2, "abcd", "bd", 4, 14),  # the replacement of the first to crash, gw2, collects later than that of the second
        (1, "abc", "b", 3, 8),  # of the file that crashes a single test is left, and another file after it
    ],
)
def test_the_rest_is_run(processes, files, crashing, tests, passed, tmp_path):
    texts = {name: MANY.format(crashes=name in crashing, tests=tests) for name in files}
    done = run_with(processes, SLOW, texts, tmp_path)
    assert done.returncode == 1, done.stdout
    assert f"{len(crashing)} failed, {passed} passed" in done.stdout
    failed = [line.rpartition("/")[2] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert sorted(line.split()[0] for line in failed) == [f"test_{name}.py::test_it[1]" for name in crashing]


def test_a_replacement_that_finds_other_tests_ends(tmp_path):
    """Such as after an edit; nobody waits for it."""
    texts = {name: MANY.format(crashes=name == "b", tests=3) for name in "abc"}
    done = run_with(1, OTHER, texts, tmp_path)
    assert done.returncode == pytest.ExitCode.INTERNAL_ERROR, done.stdout
    assert "no active workers" in done.stdout
    assert "1 failed, 4 passed" in done.stdout
