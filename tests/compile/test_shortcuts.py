"""What Numba is made to leave out: the references that it counts and the times that it measures are the same."""

import re
import sys
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba.core import event
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.runtime.context import NRTContext

from boardgym.compile import compile_mode, kernel, prepare, shortcuts
from tests.support import run_python


class Inner(NamedTuple):
    """Numbers, and one array among them."""

    a: int
    b: float
    values: Any


def by_definition(manager, builder, kind, value):
    """As Numba's source has it: of every part of a value."""
    model, found = manager[kind], []
    if model.has_nrt_meminfo():
        found.append((kind, model.get_nrt_meminfo(builder, value)))
    for part, getter in model.traverse(builder):
        found += by_definition(manager, builder, part, getter(value))
    return found


def taken(function, kind):
    """(the type of each reference, how many instructions there are) of what takes a value of a Numba type apart."""
    manager = cpu_target.target_context.data_model_manager
    module = ir.Module()
    built = ir.Function(module, ir.FunctionType(ir.VoidType(), [manager[kind].get_value_type()]), "f")
    builder = ir.IRBuilder(built.append_basic_block())
    found = function(manager, builder, kind, built.args[0])
    return [each for each, _ in found], len(builder.block.instructions)


def ours(manager, builder, kind, value):
    return shortcuts.get_meminfos(NRTContext(cpu_target.target_context, True), builder, kind, value)


def test_they_are_in_use_with_the_releases_that_are_known():
    assert compile_mode.IN_USE
    assert NRTContext.get_meminfos is shortcuts.get_meminfos
    assert event.install_timer is shortcuts.install_timer
    assert PostProcessor.run is shortcuts.run


def loops(values, n):
    """Variables that are used last within loops, after them, and on one way alone."""
    total, last = 0.0, values
    for i in range(n):
        row = values[i % len(values) :]
        for value in row:
            if value > total:
                last = row
                break
            total += value
    return total + last[0]


def test_variables_end_where_they_did(monkeypatch):
    def compiled():
        function = numba.njit(loops)
        found = function(np.arange(5.0), 7)
        (code,) = function.inspect_llvm().values()
        return found, [re.sub(r"[%@!\"][^ ,()]*|[0-9]+", "", line) for line in code.splitlines()]

    ours = compiled()
    monkeypatch.setattr(PostProcessor, "run", shortcuts._run)
    assert compiled() == ours
    assert ours[0] == loops(np.arange(5.0), 7)


def test_generators_are_as_before():
    @numba.njit
    def halves(n):
        while n > 0:
            yield n
            n //= 2

    @numba.njit
    def total(n):
        found = 0
        for half in halves(n):
            found += half
        return found

    assert total(20) == 20 + 10 + 5 + 2 + 1


def test_the_same_references_are_found_with_fewer_instructions():
    prepare()
    array, inner = np.zeros(3), Inner(1, 2.0, np.zeros(2))
    values = [1, 1.5, (1, 2, 3), array, (array, array), (1, array, 2.0), inner, (inner, (1, 2), array), (inner, inner), "text",
              ((1, 2), (3, (4, 5.0)))]  # fmt: skip
    kinds = [numba.typeof(value) for value in values]
    kinds += [numba.types.Optional(numba.typeof(array)), numba.types.Optional(numba.int64), numba.types.ListType(numba.int64)]
    counts = []
    for kind in kinds:
        (references, fewer), (expected, more) = taken(ours, kind), taken(by_definition, kind)
        assert references == expected
        assert fewer <= more
        counts.append((len(references), fewer, more))
    assert (0, 0, 3) in counts  # three numbers are not looked at
    assert max(count for count, _, _ in counts) >= 2
    assert sum(fewer for _, fewer, _ in counts) < sum(more for _, _, more in counts) / 2


def test_references_are_counted_as_before(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    @kernel
    def both(inner, n):
        kept = (inner, (n, inner.values))
        other = kept if n > 1 else (inner, (0, np.zeros(4)))
        return other[1][1]

    values = np.arange(3.0)
    before = sys.getrefcount(values)
    assert both(Inner(1, 2.0, values), 2) is not None
    assert sys.getrefcount(values) == before
    kept = both(Inner(1, 2.0, values), 2)
    assert kept.tolist() == values.tolist()
    assert sys.getrefcount(values) == before + 1
    del kept
    assert sys.getrefcount(values) == before
    assert both(Inner(1, 2.0, values), 1).tolist() == [0.0] * 4


def test_time_is_measured_once():
    kind, times = "boardgym:test", []

    def spend():
        with event.trigger_event(kind):
            pass

    with event.install_timer(kind, lambda seconds: times.append(("outer", seconds))):
        with event.install_timer(kind, lambda seconds: times.append(("inner", seconds))):
            spend()
        spend()
    with event.install_timer(kind, lambda seconds: times.append(("next", seconds))):
        spend()
    assert [name for name, _ in times] == ["outer", "next"]
    assert all(seconds > 0.0 for _, seconds in times)


LINEAR_ALGEBRA = """
import sys
import numba, numpy as np
from boardgym.compile import prepare
prepare()
print("scipy.linalg" in sys.modules)
print(numba.njit(lambda a: np.convolve(a, a))(np.arange(3.0)).tolist(), numba.njit(lambda a: a @ a)(2.0 * np.eye(2)).tolist())
print("scipy.linalg" in sys.modules)
"""


def test_linear_algebra_is_loaded_by_what_calls_it(tmp_path):
    told = run_python("-c", LINEAR_ALGEBRA, cache=tmp_path).stdout.splitlines()
    assert told == ["False", "[0.0, 0.0, 1.0, 4.0, 4.0] [[4.0, 0.0], [0.0, 4.0]]", "True"]


def test_without_scipy_there_is_no_linear_algebra(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"scipy .* is required for linear algebra"):
        shortcuts.ensure_scipy()
