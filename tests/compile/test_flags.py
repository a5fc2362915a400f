"""Flags of Numba's compiler are compared as Numba compares them."""

import itertools

import pytest
from numba.core.compiler import Flags
from numba.core.targetconfig import TargetConfig

from boardgym.compile import compile_mode, flags


def test_they_are_in_use_with_the_releases_that_are_known():
    if compile_mode.IN_USE:
        assert TargetConfig.__eq__ is flags.is_equal
        assert TargetConfig.values is flags.values


def some_flags():
    """Of each kind of option, set and not, to its default and to others."""
    changes = [
        {}, {"release_gil": False}, {"release_gil": True}, {"boundscheck": True}, {"boundscheck": False},
        {"error_model": "numpy"}, {"fastmath": True}, {"fastmath": False}, {"fastmath": {"nnan"}}, {"inline": "always"},
        {"inline": "never"}, {"auto_parallel": True}, {"auto_parallel": False}, {"release_gil": True, "forceinline": True},
        {"forceinline": True, "release_gil": True},
    ]  # fmt: skip
    for change in changes:
        found = Flags()
        for name, value in change.items():
            setattr(found, name, value)
        yield found


def by_definition(found):
    """As Numba's source has it."""
    return {name: getattr(found, name) for name in found.options}


def test_values_equality_and_hash_are_those_of_numba():
    same = 0
    for one, other in itertools.product(some_flags(), some_flags()):
        assert list(flags.values(one).items()) == list(by_definition(one).items())
        assert flags.is_equal(one, other) == (by_definition(one) == by_definition(other))
        assert flags.hash_of(type(one)) == hash(tuple(sorted(by_definition(one))))
        same += flags.is_equal(one, other)
    assert 15 < same < 15 * 15
    assert flags.is_equal(Flags(), "flags") is NotImplemented


def test_defaults_are_not_changed_by_what_is_set():
    before = flags.values(Flags())
    found = Flags()
    found.release_gil = not before["release_gil"]
    assert flags.values(found) != before == flags.values(Flags())
    with pytest.raises(ValueError, match="not a valid option"):
        found.is_set("no such option")
