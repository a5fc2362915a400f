"""What a twin is: one plain file of at most 150 lines. Each learner has one, named in a table."""

import ast
import importlib
import re
import sys
from typing import get_args

import pytest
from twin_files import FOLDER, TWINS, twin

from boardgym.baselines.learning.tabular.config import Method
from boardgym.cli import COMMANDS
from boardgym.compile.registry import RULES
from tests.support import ROOT

MOST_LINES = 150
OF_THE_PACKAGE = {"boardgym", "boardgym.core.random", "boardgym.solo"}  # games, streams of random numbers, problems
ROOMS = ("learning/tabular", "learning/td", "learning")  # of the learners, in baselines/
LEARNERS_VERBS = ("learn", "settle")  # a class with a rule for one of these learns
METHODS = {  # `boardgym train tabular --method` -> its twin
    "q": "q_learning", "pessimistic_q": "q_learning", "minimax_q": "q_learning", "sarsa": "sarsa", "sarsa_lambda": "sarsa",
    "td": "td", "td_lambda": "td", "menace": "menace",
}  # fmt: skip
COMMANDS_OF = {  # `boardgym train ...` -> the twins of what it trains; those of Stable-Baselines3 are that library's
    "tabular": set(METHODS.values()), "td": {"td_network", "td_leaf"}, "coevolution": {"coevolution"}, "sb3": set(),
    "selfplay": set(), "uct-ccnn": {"cascade"}, "q-sarsa": {"q_sarsa"},
    "q-network": {"q_network"}, "ntuple": {"ntuple"}, "descent": {"descent"},
}  # fmt: skip


def source_of(name):
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def compiled_file_of(name):
    """The path, from the root, of the learner whose twin a file says it is."""
    return re.search(r"^The twin of (baselines/\S+\.py)\.", ast.get_docstring(ast.parse(source_of(name))), re.MULTILINE)[1]


@pytest.mark.parametrize("name", TWINS)
def test_one_short_file_that_stands_alone(name):
    source = source_of(name)
    assert len(source.splitlines()) <= MOST_LINES
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(node.module)
    assert {module for module in imported if module.startswith("boardgym")} <= OF_THE_PACKAGE
    assert {module.split(".")[0] for module in imported} - {"boardgym"} <= {"numpy"} | sys.stdlib_module_names
    assert source.endswith('\n\nif __name__ == "__main__":\n    main()\n')


@pytest.mark.parametrize("name", TWINS)
def test_it_says_whose_twin_it_is_and_what_the_source_is(name):
    text = ast.get_docstring(ast.parse(source_of(name)))
    assert (ROOT / compiled_file_of(name)).is_file()
    assert compiled_file_of(name).endswith(f"/{name}.py")
    assert f"Run: python examples/twins/{name}.py" in text
    assert re.search(r"<-|Pr\(a\)", text)  # its equations
    assert re.search(r"^(Sources?:|\[1\]) .*", text, re.MULTILINE)


def test_every_learner_has_a_twin():
    """By the three places where learners are known: rules, methods of tables, the command line."""
    for room in ROOMS:
        for path in sorted((ROOT / "baselines" / room).glob("*.py")):
            importlib.import_module(f"boardgym.baselines.{room.replace('/', '.')}.{path.stem}")
    learners = {kind for verb, kind in RULES if verb in LEARNERS_VERBS and kind.__module__.startswith("boardgym.baselines.")}
    known = {compiled_file_of(name) for name in TWINS}
    files = {kind.__name__: kind.__module__.removeprefix("boardgym.").replace(".", "/") + ".py" for kind in learners}
    assert {"QLearning", "TDLeaf"} <= set(files)
    assert {kind: file for kind, file in files.items() if file not in known} == {}
    assert set(METHODS) == set(get_args(Method))
    assert set(COMMANDS_OF) == {name.removeprefix("train ") for name in COMMANDS if name.startswith("train ")}
    assert set().union(METHODS.values(), *COMMANDS_OF.values()) <= set(TWINS)


def test_every_twin_is_compared():
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "twins").glob("test_*_twins.py")))
    assert [name for name in TWINS if f'twin("{name}")' not in tests and f'"{name}"' not in tests] == []
    assert all(callable(twin(name).main) for name in TWINS)


def test_the_table_names_all_twins():
    table = re.findall(
        r"^\| \[`(\w+)\.py`\]\((\w+)\.py\) \| .* \| \[`(\S+)`\]\((\S+)\) \|",
        (FOLDER / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert sorted(name for name, *_ in table) == TWINS
    for name, link, file, path in table:
        assert link == name
        assert file == compiled_file_of(name)
        assert (FOLDER / path).resolve() == ROOT / file
