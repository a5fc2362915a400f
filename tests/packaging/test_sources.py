"""What holds of the tracked files and the project's settings as such."""

import subprocess
import tomllib

from tests.support import ROOT

MARKS = tuple(mark * 7 for mark in "<|>")  # written so that this file holds none


def conflict_marks(text: str) -> list[int]:
    """The numbers of the lines that a merge left to be resolved."""
    return [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.startswith(tuple(f"{mark} " for mark in MARKS)) or line in (*MARKS, "=" * 7)
    ]


def test_no_file_holds_conflict_markers():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True
    )
    assert listed.returncode == 0, listed.stderr
    texts = {}
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file() and b"\0" not in (content := path.read_bytes()):
            texts[name] = content.decode("utf-8", "replace")
    assert {"README.md", "pyproject.toml", "CHANGELOG.md"} <= set(texts)
    assert {name: lines for name, text in texts.items() if (lines := conflict_marks(text))} == {}


def test_what_a_conflict_looks_like():
    text = "\n".join(["one", "<" * 7 + " HEAD", "two", "=" * 7, "three", ">" * 7 + " other", "=" * 8])
    assert conflict_marks(text) == [2, 4, 6]


def test_each_module_is_told_to_mypy_once():
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    named = [module for override in overrides for module in override["module"]]
    assert sorted(named) == sorted(set(named))
