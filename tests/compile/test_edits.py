"""What an edit of the package's sources recompiles: what it touches, and nothing else."""

import json
import shutil
from pathlib import Path

import pytest
from numba.core import config

from boardgym.core.sources import PACKAGE
from tests.support import run_python

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="there is no cache without the compiler")

PLAY = """
import gc, json
import boardgym
from boardgym.baselines import make_policy
from boardgym.compile.store import OverloadCache
from numba.core.dispatcher import Dispatcher

for game in ("TicTacToe-v0", "CardPoints-v0"):
    board = boardgym.Board(game, seed=1)
    make_policy("greedy", board.game, seed=1).act(board)
kernels = [d for d in gc.get_objects() if issubclass(type(d), Dispatcher) and isinstance(d._cache, OverloadCache)]
missed = [
    " ".join([d.__name__, *sorted(kind.title for kind in kinds if hasattr(kind, "title"))])
    for d in kernels for kinds in d.stats.cache_misses
]
print(json.dumps([sorted(missed), sum(sum(d.stats.cache_hits.values()) for d in kernels)]))
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A copy of the package, its cache, and what the first process compiled."""
    place = tmp_path_factory.mktemp("edits")
    shutil.copytree(PACKAGE, place / "boardgym", ignore=shutil.ignore_patterns("__pycache__"))
    missed, hits = play(place)
    assert hits == 0
    return place, missed


def play(place: Path) -> tuple[list[str], int]:
    """What a process compiles, each with the classes of its tokens; and how many kernels it finds on the disk."""
    environment = {"PYTHONPATH": str(place)}
    return json.loads(run_python("-c", PLAY, cache=place / "cache", folder=place, **environment).stdout)


def edited(place: Path, *edits: tuple[str, str, str]) -> list[str]:
    """What a process compiles after edits, each (file, old, new), which are then taken back."""
    before = {}
    for file, old, new in edits:
        path = place / "boardgym" / file
        before[path] = path.read_text()
        assert old in before[path], file
        path.write_text(before[path].replace(old, new, 1))
    try:
        return play(place)[0]
    finally:
        for path, text in before.items():
            path.write_text(text)


def test_the_next_process_compiles_nothing(compiled):
    place, missed = compiled
    assert {name.split()[-1] for name in missed} >= {"TicTacToe", "CardPoints"}
    missed, hits = play(place)
    assert missed == []
    assert hits > 3


def test_what_no_kernel_here_is_made_of_recompiles_nothing(compiled):
    """A study, a comment in a rules file, another game."""
    place, _ = compiled
    study = ("studies/verdicts.py", "\nfrom ", "\nEDITED = 1\nfrom ")
    rule = "@rule(TicTacToe)\ndef is_terminal"
    comment = ("games/tic_tac_toe.py", rule, f"# a comment\n\n\n{rule}")
    verb = "\ndef is_terminal(position: Any) -> bool:\n"
    game = ("games/othello.py", verb, f"{verb}    position\n")
    assert edited(place, study, comment, game) == []


def test_an_edit_of_a_rule_recompiles_its_game_alone(compiled):
    place, missed = compiled
    again = edited(place, ("games/tic_tac_toe.py", "if seat == to_play(position)", "if to_play(position) == seat"))
    assert again == [name for name in missed if "TicTacToe" in name]
    assert again


def test_an_edit_of_what_all_call_recompiles_what_calls_it(compiled):
    place, missed = compiled
    again = edited(place, ("core/engine.py", "times += counted[k] == key", "times += key == counted[k]"))
    assert set(again) < set(missed)
    assert any("push" in name or "start" in name for name in again)
