"""A test that ends its process: the suite names it, and runs all others."""

import os
import subprocess
import sys

from tests.support import ROOT

MANY = """
import os, pytest

@pytest.mark.parametrize("number", range(4))
def test_it(number):
    if {crashes} and number == 1:
        os.abort()
"""


# The process that takes the place of the first one that crashes collects its tests after the one that comes next.
SLOW = """
import os, time

def pytest_collection_modifyitems():
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw2":
        time.sleep(2)
"""


def test_the_rest_is_run(tmp_path):
    (tmp_path / "conftest.py").write_text(SLOW)
    for name in "abcd":
        (tmp_path / f"test_{name}.py").write_text(MANY.format(crashes=name in "bd"))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT,
        env={**{k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    assert "2 failed, 14 passed" in done.stdout
    failed = [line.rpartition("/")[2] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert sorted(line.split()[0] for line in failed) == ["test_b.py::test_it[1]", "test_d.py::test_it[1]"]
