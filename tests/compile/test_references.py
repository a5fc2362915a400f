"""Named tuples by reference, and functions that are spliced into one that calls itself."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from boardgym.compile import NumbaError, as_python, inner, kernel, spliced
from boardgym.compile.borrowing import borrow, keep
from boardgym.compile.references import lend


class Scale(NamedTuple):
    """What values are multiplied by."""

    factor: float
    power: int


class Columns(NamedTuple):
    """Arrays of several kinds."""

    values: NDArray[np.float64]
    visited: NDArray[np.int64]
    extra: Any


class Memory(NamedTuple):
    """A named tuple of named tuples."""

    scale: Scale
    columns: Columns
    pair: tuple[NDArray[np.float64], int]


@inner
def add_up(memory, option, n):
    """The scaled sum of values[:n], which notes where it has been; with the option, of every second one."""
    columns = memory.columns
    if n <= 0:
        return 0.0
    columns.visited[n - 1] += 1
    own = columns.values[n - 1] * memory.scale.factor**memory.scale.power + memory.pair[0][0]
    return own + go_on(memory, option, n)


@spliced
def go_on(memory, option, n):
    """What comes before; without the option, its branch has no type, and must not be compiled."""
    if option is not None:
        return add_up(memory, option, n - option.power)
    return add_up(memory, option, n - 1)


@kernel
def sums(values, visited, factor):
    """The sum of all, and of every second one."""
    scale = Scale(factor, 2)
    memory = lend(Memory(scale, Columns(values, visited, ()), (values[:1], 7)))
    return add_up(memory, None, values.shape[0]), add_up(memory, memory.scale, values.shape[0]), memory.pair[1]


@pytest.mark.parametrize("run", [sums, as_python(sums)])
def test_a_reference_reads_and_writes_what_the_tuple_holds(run):
    values, visited = np.array([1.0, 2.0, 4.0, 8.0, 16.0]), np.zeros(5, np.int64)
    every, second, number = run(values, visited, 3.0)
    assert every == sum(9.0 * values) + 5.0
    assert second == 9.0 * (1.0 + 4.0 + 16.0) + 3.0
    assert number == 7
    assert visited.tolist() == [2, 1, 2, 1, 2]


@kernel
def many_sums(values, visited, count):
    """A reference made anew in each turn of a loop."""
    total = 0.0
    for i in range(count):
        memory = lend(Memory(Scale(float(i), 2), Columns(values, visited, ()), (values[:1], i)))
        total += add_up(memory, None, values.shape[0])
    return total


def test_references_in_a_loop_take_no_more_room():
    values, visited = np.zeros(2), np.zeros(2, np.int64)
    values[1] = 1.0
    assert many_sums(values, visited, 200_000) == sum(float(i) ** 2 for i in range(200_000))


@kernel
def misspelt(values):
    """Asks for a field that is not there."""
    return lend(Scale(values[0], 1)).fcator


def test_a_field_that_is_not_there_is_refused():
    with pytest.raises((NumbaError, AttributeError), match="fcator"):
        misspelt(np.zeros(1))


@inner
def columns_or_none(values):
    """Columns, or None, which is not known at compile time."""
    if values is None:
        return None
    return Columns(values, np.zeros(1, np.int64), ())


@kernel
def borrows_what_may_be_none(values):
    """Borrows a tuple with an optional part."""
    own = (values, columns_or_none(values))
    total = borrow(own)[0][0]
    keep(own)
    return total


@kernel
def lends_what_may_be_none(values):
    """Lends a named tuple with an optional part."""
    return lend(Columns(values, np.zeros(1, np.int64), columns_or_none(values))).values[0]


@pytest.mark.parametrize("run", [borrows_what_may_be_none, lends_what_may_be_none])
def test_what_may_be_none_is_not_borrowed(run):
    """Its memory would be freed while it is in use."""
    with pytest.raises(NumbaError, match="cannot borrow"):
        run(np.zeros(1))
