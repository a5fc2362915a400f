"""The pages of `docs/` are current, and their code runs."""

import os
import re
import runpy
import subprocess
import sys

import pytest
from code_blocks import ROOT, blocks

from boardgym.baselines import rate_interval
from boardgym.baselines.learning.learner import values_kernel
from boardgym.baselines.search.interrupt import search_kernel
from boardgym.core.policy import act_kernel


def run(*command, **extra):
    """In a process of its own: other tests make games and policies known in theirs. extra: environment variables."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **extra}
    done = subprocess.run([sys.executable, *map(str, command)], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_generated_pages_are_current():
    run(ROOT / "docs" / "generate.py", "--check")


PAGES = [
    "agents",
    "alphazero",
    "analysis",
    "cascade",
    "descent",
    "engines",
    "environments",
    "libraries",
    "ntuple",
    "observations",
    "perfect",
    "perfect_connect_four",
    "perfect_tables",
    "pictures",
    "policies",
    "ppo",
    "records",
    "search_examples",
    "search_minimax",
    "search_uct",
    "self_play",
    "solo",
    "tabular",
    "td_network",
    "trials",
    "tuning",
]


# They take longer as Python; of pages that train something, all but the few moves that it makes then.
TRAIN = ("cascade", "descent", "ntuple", "tabular", "td_network")
COMPILED = ("perfect_connect_four", "perfect_tables", "self_play")
MARKS = {
    **dict.fromkeys(TRAIN, pytest.mark.plain(only=(act_kernel, search_kernel, values_kernel))),
    **dict.fromkeys(COMPILED, ()),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, pytest.mark.plain)) for name in PAGES])
def test_code_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    codes = blocks(f"docs/{name}.md", "python")
    assert codes
    for number, code in enumerate(codes):
        script = tmp_path / f"block_{number}.py"
        script.write_text(code)
        runpy.run_path(str(script), run_name="__main__")


def test_own_game_is_one_program(tmp_path):
    """As Python, in less time than its kernels take to compile."""
    script = tmp_path / "nim.py"
    script.write_text("\n\n".join(blocks("docs/new_game.md", "python")))
    shown = run("-W", "error::DeprecationWarning", script, NUMBA_DISABLE_JIT="1")
    assert "take 3 of 7: value 1.0 proven True" in shown
    assert "minimax:3" in shown


def test_readme_and_games_page_name_all_there_is():
    known = "import boardgym, boardgym.core.policy_spec as p; print(*boardgym.list_games(), *p.policy_examples(), sep='\\n')"
    names, readme = run("-c", known).splitlines(), (ROOT / "README.md").read_text()
    assert "TicTacToe-v0" in names
    assert "uct:1000" in names
    assert [name for name in names if f"`{name}`" not in readme] == []
    page = (ROOT / "docs" / "games.md").read_text()
    assert [name for name in names if name.endswith("-v0") and f"| `{name}` |" not in page] == []


def test_published_intervals_are_those_of_their_score_rates():
    text = " ".join((ROOT / "docs" / "libraries.md").read_text().split())
    found = re.findall(r"(0\.\d+) \[(0\.\d{3}), (0\.\d{3})\]", text)
    assert len(found) == 15
    sizes = [512] * 8 + [500] * 2 + [200] * 5  # of games, as the page says
    for (rate, low, high), games in zip(found, sizes, strict=True):
        assert str(rate_interval(float(rate), games)).endswith(f" [{low}, {high}]"), rate
