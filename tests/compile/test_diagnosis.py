"""A rule that does not compile: which one, where and why, in one line."""

from typing import NamedTuple

import numpy as np
import pytest
from numba.core import config

from boardgym import RuleError
from boardgym.baselines.learning import learner  # noqa: F401  (has verbs of learners)
from boardgym.compile import inner, kernel
from boardgym.core import verbs
from boardgym.core.verbs import Token, rule

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="what is not compiled is Python's to explain")
OPTIONS = {1: 2}


@inner
def deeper(number):
    return number.nowhere


@inner
def helper(position):
    return deeper(position.left)


def misspelt(position):
    return position.saet


def unknown_name(position):
    return minimum(position.left, 1)  # noqa: F821


def global_dict(position):
    return OPTIONS[position.left]


def formatted(position):
    print(f"{position.left:>3}")
    return 0


def two_types(position):
    value = (1, 2) if position.left else 3
    print(value)
    return 0


def two_returns(position):
    if position.left:
        return position.left, position.seat
    return 3


def by_helper(position):
    return helper(position)


def unknown_call(position):
    return position.left + "one"


def nothing(position):
    position.left  # noqa: B018


def a_pair(position):
    return position.left, 1


def no_tuple(position, action):
    return position.left - 1


def too_many(position, action):
    return position.left - 1, 1, 2


def a_float(position, action):
    return position.left - 1.0, 1


def line_of(function):
    return function.__code__.co_firstlineno


@kernel
def play(token, row, out):
    position = verbs.unpack(token, row)
    seat = verbs.to_play(position)
    if seat == 0:
        verbs.pack(verbs.apply(position, 0), out)


def heap_of(to_play, apply):
    class Heap(NamedTuple):
        left: int
        seat: int

    rule(Heap, verb="to_play")(to_play)
    rule(Heap, verb="apply")(apply)
    return Token(Heap)


def seat_of(position):
    return position.seat


def take(position, action):
    return position.left - 1, 1 - position.seat


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A cache folder of the test's own."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))


@compiled
@pytest.mark.parametrize(
    ("broken", "line", "said"),
    [
        (misspelt, 1, "Heap has no field 'saet'; did you mean 'seat' or 'left'?"),
        (unknown_name, 1, "the name 'minimum' is not defined"),
        (global_dict, 1, "the global 'OPTIONS' is of a type that compiled code cannot use (dict); expected a number, an array"),
        (formatted, 0, "format spec in f-strings not supported yet"),
        (two_types, 1, ": expected one type, whichever way is taken"),
        (two_returns, 2, "returned Literal[int](3), UniTuple(int64 x 2), depending on the way taken; expected one type"),
        (unknown_call, 1, "there is no compiled form of add(int64,"),
        (nothing, 0, "returned nothing; expected a number"),
        (a_pair, 0, "returned Tuple(int64, Literal[int](1)); expected a number"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_line_and_the_cause_are_told(broken, line, said):
    with pytest.raises(RuleError) as raised:
        play(heap_of(broken, take), np.zeros(2, np.int64), np.zeros(2, np.int64))
    text = str(raised.value)
    assert text.startswith(f"{__file__}, line {line_of(broken) + line}: to_play of ")
    assert said in text
    assert "\n" not in text


@compiled
@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (no_tuple, "returned int64; expected"),
        (too_many, "returned 3 fields; expected"),
        (a_float, "returned a float for the integer field 'left'"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_position_must_be_returned_where_one_is_expected(broken, said):
    with pytest.raises(RuleError) as raised:
        play(heap_of(seat_of, broken), np.zeros(2, np.int64), np.zeros(2, np.int64))
    assert str(raised.value).startswith(f"{__file__}, line {line_of(broken)}: apply of ")
    assert said in str(raised.value)


@compiled
def test_what_a_rule_calls_is_named_too():
    for _ in range(2):  # the second attempt says the same
        with pytest.raises(RuleError, match=r"to_play of .*Heap, in deeper: Unknown attribute 'nowhere'") as raised:
            play(heap_of(by_helper, take), np.zeros(2, np.int64), np.zeros(2, np.int64))
        assert f"line {line_of(deeper.py_func) + 2}:" in str(raised.value)


@compiled
def test_a_missing_rule_is_named():
    class Bare(NamedTuple):
        left: int

    with pytest.raises(RuleError, match=r"Bare does not define the verb 'to_play'; expected a function to_play with .*@rule"):
        play(Token(Bare), np.zeros(1, np.int64), np.zeros(1, np.int64))


@compiled
def test_a_mended_rule_works_in_the_same_process():
    with pytest.raises(RuleError):
        play(heap_of(misspelt, take), np.zeros(2, np.int64), np.zeros(2, np.int64))
    out = np.zeros(2, np.int64)
    play(heap_of(seat_of, take), np.array([7, 0]), out)
    assert out.tolist() == [6, 1]


def test_a_rule_of_the_wrong_kind_is_refused():
    class Heap(NamedTuple):
        left: int

    rule(Heap, verb="to_play")(seat_of)
    with pytest.raises(RuleError, match=r"'remember' is a verb of a memory; .*Heap is a position, since it has 'to_play'"):
        rule(Heap, verb="remember")(seat_of)
    with pytest.raises(RuleError, match="no verb is called 'rememer'; known: apply,"):  # not that of learners
        rule(Heap, verb="rememer")(seat_of)

    class Learner(NamedTuple):
        step: float

    rule(Learner, verb="is_on_policy")(seat_of)
    with pytest.raises(RuleError, match=r"'to_play' is a verb of a position; .*Learner is a learner, since it has"):
        rule(Learner, verb="to_play")(seat_of)
