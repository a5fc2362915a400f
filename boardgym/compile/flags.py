"""Numba's compiler flags, compared quickly: what it knows of a function is kept under them, and each call looks it up.

Numba makes a dictionary of all some forty options, by way of properties, for each comparison and each hash. That takes up to a
sixteenth of the time that it takes to compile a kernel. What is here gives the same values, and so the same answers.
"""

import functools
from typing import Any

from numba.core.targetconfig import TargetConfig


@functools.cache
def defaults_of(kind: Any) -> dict[str, Any]:
    """Option -> its value where it is not set."""
    return {name: option.default for name, option in kind.options.items()}


@functools.cache
def hash_of(kind: Any) -> int:
    """Numba's own hash of flags, which is one of the options' names."""
    return hash(tuple(sorted(kind.options)))


def values(flags: TargetConfig) -> dict[str, Any]:
    """Option -> its value."""
    kind: Any = type(flags)
    return {**defaults_of(kind), **flags._values}


def is_equal(flags: TargetConfig, other: object) -> Any:
    """Whether all options have the same values; NotImplemented for other objects."""
    if flags is other:
        return True
    return values(flags) == values(other) if isinstance(other, TargetConfig) else NotImplemented


def hash_(flags: TargetConfig) -> int:
    """As Numba hashes flags."""
    kind: Any = type(flags)
    return hash_of(kind)


def compare_quickly() -> None:
    """Lets Numba compare its flags so."""
    TargetConfig.values = values
    TargetConfig.__eq__ = is_equal
    TargetConfig.__hash__ = hash_
