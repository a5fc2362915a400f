"""What the README shows works as it stands there; only the sizes of runs are smaller, by the table below."""

import runpy
import subprocess
import tomllib

import pytest
from code_blocks import ROOT, anchors, blocks, links, shell_lines

from boardgym.cli import main

REDUCED = {"learn(1_000_000)": "learn(1_000)", "learn(20_000)": "learn(500)", "games=400": "games=4"}
RUN_AS_THEY_STAND = ("boardgym games", "boardgym show Othello")


def test_python_blocks_run_in_order(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    codes = blocks("README.md", "python")
    assert len(codes) == 8
    for text in REDUCED:
        assert sum(text in code for code in codes) == 1, f"{text} is gone: take it out of REDUCED"
    for number, code in enumerate(codes):
        assert sum(bool(line) for line in code.splitlines()) <= 10
        for text, smaller in REDUCED.items():
            code = code.replace(text, smaller)
        script = tmp_path / f"block_{number}.py"
        script.write_text(code)
        runpy.run_path(str(script), run_name="__main__")
    shown = capsys.readouterr().out
    assert "Outcome(" in shown  # the AEC loop ended
    assert "score rate" in shown  # the comparison's table
    assert "uct:500" in shown
    assert (tmp_path / "ppo.zip").is_file()


def commands(program):
    return [line for line in shell_lines("README.md") if line.startswith(f"{program} ")]


def test_make_targets_exist():
    for line in commands("make"):
        done = subprocess.run([*line.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert commands("make") == ["make demo", "make test"]


def test_pip_lines_name_what_exists():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    text = (ROOT / "README.md").read_text()
    assert "pip install -c constraints.txt -e '.[all,test]'" in text
    assert set(extras) == {"sb3", "torchrl", "tianshou", "openspiel", "plot", "studies", "all", "human", "test", "bench", "web",
                           "tune", "notebook", "ray", "slurm", "gpu"}  # fmt: skip
    assert all(f"`{extra}`" in text for extra in extras)


@pytest.mark.parametrize("line", commands("boardgym"))
def test_command_lines_exist(line, capsys):
    words = line.split()
    if line in RUN_AS_THEY_STAND:
        assert main(words[1:]) == 0
        return
    command = words[1:3] if words[1] in ("train", "engine") else words[1:2]
    assert main([*command, "--help"]) == 0
    described = capsys.readouterr().out
    assert [word for word in words if word.startswith("--") and word not in described] == []


PAGES = [path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))]


def test_the_pages_are_found():
    assert {"README.md", "CHANGELOG.md", "docs/games.md", "docs/study_abalearn.md"} <= set(PAGES)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_links_lead_somewhere(page):
    """To a file or folder, and there to a heading."""
    dead = []
    for path, anchor in links(page):
        target = (ROOT / page).parent / path if path else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(f"{path}#{anchor}")
    assert dead == []
