"""Generic functions that are calls of another compiled function."""

from typing import NamedTuple

import numpy as np
import pytest
from numba.core import event, types

from boardgym.compile import inner, kernel
from boardgym.compile.digest import reached
from boardgym.compile.dispatch import rule
from boardgym.compile.forwarding import forwarded
from boardgym.compile.tokens import Token, unpack
from boardgym.core import verbs
from boardgym.core.errors import RuleError

pytestmark = pytest.mark.once


class Compiled(event.Listener):
    """Notes the names of the functions that are compiled."""

    def __init__(self):
        self.names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass


@inner
def whole_half(number):
    return number // 2


@inner
def real_half(number):
    return number / 2


def half(number):
    """A half, whole of a whole number."""
    return number // 2 if isinstance(number, int) else number / 2


@forwarded(half)
def _half(number):
    if isinstance(number, types.Integer):
        return whole_half
    return real_half if isinstance(number, types.Float) else None


@kernel
def halves(number, real):
    return half(number), half(real), half(number + 1)


@kernel
def half_of_any(value):
    return half(value)


def test_the_types_decide_and_nothing_between_is_compiled():
    compiled = Compiled()
    halves._cache.disable()  # an earlier run has left it on the disk
    with event.install_listener("numba:compile", compiled):
        assert halves(7, 5.0) == (3, 2.5, 4)
    assert compiled.names == ["halves", "whole_half", "real_half"]
    assert {half, whole_half.py_func, real_half.py_func} <= {*reached(halves.py_func)}


def none_given(position, seat):
    return verbs.reward()


def one_left_out(position, seat):
    return verbs.reward(position)


def one_named(position, seat):
    return verbs.reward(position, seat=0)


@pytest.mark.parametrize("function", [none_given, one_left_out, one_named])
def test_no_argument_is_left_out_or_named(function):
    class Wrong(NamedTuple):
        left: int

    rule(Wrong, verb="heuristic")(function)
    with pytest.raises(RuleError, match=r"heuristic of .*Wrong: there is no compiled form of reward\("):
        estimate_of(Token(Wrong), np.zeros(1, np.int64))


def test_other_types_have_no_form():
    with pytest.raises(Exception, match=r"No implementation of function Function\(<function half"):
        half_of_any(np.zeros(1))


class Countdown(NamedTuple):
    left: int


@rule(Countdown)
def key(position):
    return np.uint64(0) if position.left == 0 else verbs.key(Countdown(position.left - 1))


@kernel
def estimate_of(token, row):
    return verbs.heuristic(unpack(token, row), 0)


@kernel
def key_of(token, row):
    return verbs.key(unpack(token, row))


def test_a_rule_that_calls_its_verb_is_told_to_call_itself():
    with pytest.raises(
        RuleError, match=r"test_forwarding.py, line \d+: key calls itself by way of the verb 'key'; expected a loop"
    ):
        key_of(Token(Countdown), np.zeros(1, np.int64))
