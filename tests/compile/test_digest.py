"""The digest of a game's rules: what changes it, and what does not."""

import importlib.util
import sys
from pathlib import Path
from types import FunctionType

import pytest

from boardgym import get_game, list_games
from boardgym.compile import digest, overloaded
from boardgym.compile.digest import digest_of
from boardgym.core.verbs import Token
from tests.support import run_python

RULES = '''"""Rules of a heap game, in a user's file."""
from enum import IntEnum
from typing import NamedTuple

import numpy as np

import heap_helpers
from boardgym.core.verbs import Token, constant, rule
from heap_helpers import shrink
from math import floor as rounded

STEP = 1
TABLE = np.array([1, 2, 3])
ODD = (1, (3, 5))


class Mark(IntEnum):
    SMALL = 1


class Parent(NamedTuple):
    _secret = 7
    most = 3
    left: int
    seat: int


class Heap(Parent):
    __slots__ = ()
    MOST = 3


def within(limit):
    def inside(x):
        return x < limit

    return inside


is_small = within(4)


@rule(Parent)
def to_play(position):
    """Whose turn it is."""
    return position.seat


@rule(Heap)
def apply(position, action):
    amount = action * STEP + TABLE[0] + Mark.SMALL + ODD[1][0] + rounded(1.5)
    if action in {1, 2, "three"} or is_small(action):
        amount += constant(position, "MOST")
    return shrink(position.left, amount), heap_helpers.flip(position.seat)


if __name__ == "__main__":
    print(Token(Heap).name.split("#")[1])
'''
HELPERS = '''"""Helpers of the rules."""
import heap_deeper


def shrink(left, amount, least=0):
    return max(left - amount, least)


def flip(seat):
    return heap_deeper.other(seat)


def unused():
    return 1
'''
DEEPER = "SEATS = 2\n\n\ndef other(seat):\n    return SEATS - 1 - seat\n"
FILES = {"heap": RULES, "heap_helpers": HELPERS, "heap_deeper": DEEPER}


def load(name: str, path: Path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def digest_after(tmp_path, monkeypatch):
    """A function that gives the digest of the game after an edit (file, old text, new text)."""
    for name in FILES:
        monkeypatch.setitem(sys.modules, name, None)  # so that it is taken away again

    def measure(file="", old="", new="", *, folder="here", rules_name="heap"):
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        for name in reversed(FILES):
            text = FILES[name]
            if name == file:
                assert text.count(old) == 1
                text = text.replace(old, new)
            path = place / f"{name}_{abs(hash((file, old, new)))}.py"  # a name of its own: no stale bytecode
            path.write_text(text)
            module = load(rules_name if name == "heap" else name, path)
        return Token(module.Heap).name.split("#")[1]

    return measure


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("heap", "action * STEP", "action + STEP"),
        ("heap", "STEP = 1", "STEP = 2"),
        ("heap", "[1, 2, 3]", "[1, 2, 4]"),
        ("heap", "np.array([1, 2, 3])", "np.array([1, 2, 3], np.int32)"),
        ("heap", "(1, (3, 5))", "(1, (4, 5))"),
        ("heap", "SMALL = 1", "SMALL = 2"),
        ("heap", "MOST = 3", "MOST = 4"),
        ("heap", "most = 3", "most = 4"),
        ("heap", "_secret = 7", "_secret = 8"),
        ("heap", "    seat: int", "    seat: np.uint64"),
        ("heap", "    left: int", "    left: float"),
        ("heap", "within(4)", "within(5)"),
        ("heap", "return x < limit", "return x <= limit"),
        ("heap", '{1, 2, "three"}', '{1, 3, "three"}'),
        ("heap", "import floor as", "import ceil as"),
        ("heap", "return position.seat\n", "return 1 - position.seat\n"),
        ("heap_helpers", "left - amount", "left + amount"),
        ("heap_helpers", "least=0", "least=1"),
        ("heap_helpers", "heap_deeper.other(seat)", "heap_deeper.other(1 - seat)"),
        ("heap_deeper", "SEATS - 1 - seat", "1 - seat"),
        ("heap_deeper", "SEATS = 2", "SEATS = 3"),
    ],
)
def test_an_edit_that_counts_changes_it(digest_after, file, old, new):
    assert digest_after() != digest_after(file, old, new)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("heap", '    """Whose turn it is."""\n', '    """Who is to play."""\n'),
        ("heap", "STEP = 1", "# a comment\n\n\nSTEP = 1"),
        ("heap", '"""Rules of a heap game', '"""The rules of a heap game'),
        ("heap_helpers", "    return 1\n", "    return 2\n"),
    ],
)
def test_an_edit_that_does_not_count_leaves_it(digest_after, file, old, new):
    assert digest_after() == digest_after(file, old, new)


def test_the_place_and_name_of_the_file_do_not_count(digest_after, monkeypatch):
    monkeypatch.setitem(sys.modules, "other_heap", None)
    assert digest_after() == digest_after(folder="there") == digest_after(rules_name="other_heap")


def test_it_is_the_same_in_every_process(tmp_path):
    """Another hash seed, from source or bytecode, imported or run as `__main__`."""
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text)
    ask = "import heap, boardgym; print(heap.Token(heap.Heap).name.split('#')[1]); " + "; ".join(
        f"print(boardgym.get_game('{name}').token.name)" for name in ("TicTacToe", "ConnectFour", "Othello")
    )
    from_source = run_python("-c", ask, cache=tmp_path / "cache", folder=tmp_path, PYTHONHASHSEED="1").stdout.split()
    from_bytecode = run_python("-c", ask, cache=tmp_path / "cache", folder=tmp_path, PYTHONHASHSEED="77").stdout.split()
    as_main = run_python("heap.py", cache=tmp_path / "cache", folder=tmp_path, PYTHONHASHSEED="5").stdout.split()
    assert from_source == from_bytecode
    assert len(from_source) == 4
    assert as_main == from_source[:1]


def test_it_says_which_function_refers_to_which():
    """The same functions in other places, and the same code that reads other globals."""

    def one(x):
        return x + 1

    def two(x):
        return x + 2

    def join(first, second):
        def joined(x):
            return first(second(x))

        return joined

    assert digest_of(join(one, two)) != digest_of(join(two, one))
    assert digest_of(join(one, one)) != digest_of(join(one, two))
    assert digest_of(one, two) != digest_of(two, one)
    assert digest_of(one, one) != digest_of(one)
    assert digest_of(join(one, two)) == digest_of(join(one, two))


def test_functions_that_call_each_other_end():
    def first(x):
        return second(x)

    def second(x):
        return first(x)

    assert digest_of(first) != digest_of(second)


def test_it_covers_what_gives_a_function_its_compiled_form():
    def generic(x):
        return x

    before = digest_of(generic)

    @overloaded(generic)
    def compiled_form(x):
        return lambda x: x + 1

    assert digest_of(generic) != before


KINDS = """
from enum import Enum
from typing import NamedTuple
import numba
import numpy as np
from boardgym.compile import inner
from boardgym.core.verbs import constant, rule

class Colour(Enum):
    RED = 1

class Pair(NamedTuple):
    x: int
    y: int

PAIR = Pair(1, 2)
FIELDS = np.zeros(2, [("a", "<i4"), ("b", "<i4")])

@numba.vectorize
def double(x):
    return 2 * x

@inner
def helper(x):
    return x + 1

class Heap(NamedTuple):
    CLOCKS = ["left"]
    STEP = helper
    left: int
    seat: int

@rule(Heap)
def key(position):
    return 0

def f(x):
    return Colour.RED.value, PAIR.x, FIELDS["a"][0], double(x), Heap(x, x), x[0:3], later(x)

def later(x):
    return x
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RED = 1", "RED = 2"),
        ("    x: int\n    y: int", "    y: int\n    x: int"),
        ('("a", "<i4"), ("b", "<i4")', '("b", "<i4"), ("a", "<i4")'),
        ("return 2 * x", "return 3 * x"),
        ('CLOCKS = ["left"]', 'CLOCKS = ["seat"]'),
        ("return x + 1", "return x + 2"),
        ("x[0:3]", "x[0:4]"),
        ("def later(x):\n    return x", "def later(x):\n    return -x"),
        ("return 0", "return 1"),
    ],
)
@pytest.mark.parametrize("name", ["users_module", "numba_module"])
def test_every_kind_of_value_counts(tmp_path, monkeypatch, name, old, new):
    found = []
    for number, text in enumerate((KINDS, KINDS.replace(old, new, 1), KINDS)):
        assert (text == KINDS) == (number != 1)
        monkeypatch.setitem(sys.modules, name, None)
        path = tmp_path / f"{name}_{number}.py"
        path.write_text(text)
        found.append(digest_of(load(name, path).f))
    assert found[0] == found[2] != found[1]


def test_a_cell_that_is_empty_and_a_function_of_no_module():
    def outer():
        def inside(x):
            return later(x)

        digest_of(inside)
        later = inside
        return inside

    outer()
    namespace = {"__name__": None}
    code = compile("def f(x):\n    return x\n", "nowhere", "exec")
    FunctionType(code, namespace)()
    assert digest_of(namespace["f"])


def test_a_value_without_a_hash():
    """A game is a dataclass, and hashing one fails: it holds dictionaries."""
    game = get_game("TicTacToe")
    with pytest.raises(TypeError):
        hash(game)

    def function():
        return game.num_actions

    assert digest_of(function)


def test_what_is_remembered_of_our_own_functions_still_holds():
    """Their globals are those of when they were first looked at."""
    for name in list_games():
        digest_of(get_game(name).position_class)
    known = dict(digest._KNOWN)
    assert len(known) > 100
    digest._KNOWN.clear()
    for key, (thing, node) in known.items():
        assert digest._node(thing).content == node.content, thing
        assert key == id(thing)
