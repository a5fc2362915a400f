"""The pages of `docs/` are current, and their code runs."""

import os
import runpy
import subprocess
import sys

import pytest
from code_blocks import ROOT, blocks

import boardgym


def test_generated_pages_are_current():
    pages = runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]()
    stale = [path.name for path, text in pages.items() if not path.is_file() or path.read_text() != text]
    assert stale == [], "run: python docs/generate.py"


def test_games_page_has_every_game():
    text = (ROOT / "docs" / "games.md").read_text()
    for game_id in boardgym.games():
        game = boardgym.get_game(game_id)
        assert f"## {game.title}\n" in text
        assert all(version.change in text for version in game.versions)


@pytest.mark.parametrize("page", ["docs/environments.md", "docs/policies.md"])
def test_code_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    codes = blocks(page, "python")
    assert codes
    for number, code in enumerate(codes):
        script = tmp_path / f"block_{number}.py"
        script.write_text(code)
        runpy.run_path(str(script), run_name="__main__")


def test_own_game_is_one_program(tmp_path):
    """As `__main__` in a process of its own: its game must not be known to other tests."""
    script = tmp_path / "nim.py"
    script.write_text("\n\n".join(blocks("docs/new_game.md", "python")))
    command = [sys.executable, "-W", "error::DeprecationWarning", str(script)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "take 3 of 7: value 1.0 proven True" in done.stdout
    assert "minimax:3" in done.stdout
