"""The examples in docstrings run, and the callables that users need most have one."""

import contextlib
import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import gymnasium
import pytest

import boardgym
from boardgym.core.game import GAMES

# The thirty callables that users need most. "Class:method": the example of the class shows the method.
SHOWN = (
    "boardgym.BatchBoard:act",
    "boardgym.BatchBoard:step",
    "boardgym.Board.from_fen",
    "boardgym.Board.look",
    "boardgym.Board:outcome",
    "boardgym.Board:pop",
    "boardgym.Board:push",
    "boardgym.Board:push_move",
    "boardgym.BoardGameEnv",
    "boardgym.SingleAgentEnv",
    "boardgym.baselines.compare",
    "boardgym.baselines.learning.tabular.trainer.train_tabular",
    "boardgym.baselines.learning.td.trainer.train_network",
    "boardgym.baselines.make_policy",
    "boardgym.baselines.play_game",
    "boardgym.baselines.play_match",
    "boardgym.baselines.rate_interval",
    "boardgym.core.policy.Policy",
    "boardgym.envs.vector.VectorEnv",
    "boardgym.get_game",
    "boardgym.grid_drawing",
    "boardgym.list_games",
    "boardgym.make",
    "boardgym.register",
    "boardgym.testing.check_game",
    "boardgym.testing.perft",
    "boardgym.variant",
    "boardgym.wrappers.observations.flat",
    "boardgym.wrappers.sb3.SB3VecEnv",
    "boardgym.wrappers.sb3.from_sb3",
)


def modules_with_examples():
    """Names of the package's modules whose source has an example; the others, which may need extras, are not imported."""
    names = []
    for found in pkgutil.walk_packages(boardgym.__path__, "boardgym."):
        path = Path(found.module_finder.find_spec(found.name).origin)
        if any(line.lstrip().startswith(">>> ") for line in path.read_text(encoding="utf-8").splitlines()):
            names.append(found.name)
    return names


MODULES = modules_with_examples()
COMPILED = ("boardgym.baselines.learning.tabular.trainer",)  # its thousands of games take longer as Python


def resolve(name):
    """What a dotted name stands for: an attribute of the module that the longest beginning of the name is."""
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        with contextlib.suppress(ModuleNotFoundError):
            found = importlib.import_module(".".join(parts[:count]))
            for part in parts[count:]:
                found = getattr(found, part)
            return found
    raise ModuleNotFoundError(name)


@pytest.fixture
def games_as_before():
    """Games that an example registers are gone after it."""
    known = [(registry, dict(registry)) for registry in (GAMES, gymnasium.registry)]
    yield
    for registry, before in known:
        registry.clear()
        registry.update(before)


@pytest.mark.parametrize(
    "name", [name if name in COMPILED else pytest.param(name, marks=pytest.mark.plain) for name in MODULES]
)
def test_examples_run(name, games_as_before, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = []
    runner, finder = doctest.DocTestRunner(), doctest.DocTestFinder()
    for test in finder.find(importlib.import_module(name)):
        runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    assert runner.tries > 0, f"no docstring of {name} has an example, though its source has a line that looks like one"


def test_there_are_thirty():
    assert len(set(SHOWN)) == len(SHOWN) == 30


@pytest.mark.parametrize("name", SHOWN)
def test_the_most_used_have_an_example(name):
    holder, _, method = name.partition(":")
    found = resolve(holder)
    assert found.__module__ in MODULES
    text = inspect.getdoc(found)
    assert "\nExample:\n    >>> " in text
    examples = doctest.DocTestParser().get_examples(text)
    assert any(example.want for example in examples), "it shows nothing"
    if method:
        assert callable(getattr(found, method))
        assert any(f".{method}(" in example.source for example in examples)
