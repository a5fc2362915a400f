"""Functions that kernels are made of, compiled as parts: what they do within kernels, and called by themselves."""

import numba
import numpy as np
import pytest
from numba.core import config

from boardgym.compile import compile_mode, inlined, inner, kernel, linking
from boardgym.core.errors import RuleError

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="there are no parts without the compiler")


@inner
def checked(values, index):
    if index >= values.size:
        raise ValueError("expected an index below the size, got", index)
    return values[index]


@inlined
def both(values, index):
    return checked(values, index), np.full(2, values[0] + index)


@kernel
def pick(values, index):
    first, copies = both(values, index)
    return first, copies


@inner
def factorial(n):
    return n if n < 2 else n * factorial(n - 1)


@kernel
def take_factorial(n):
    return factorial(n)


@inner
def countdown(n, flag):
    return n if n == 0 else countdown(n - 1, True) + int(flag)


@kernel
def count_with_literals(n):
    return countdown(n, False)


@inner
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@inner
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@kernel
def ask_each_other(n):
    return is_even(n)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A cache folder of the test's own."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_installed_numba_is_one_that_parts_are_known_to_work_with():
    assert compile_mode.IN_USE, f"Numba {numba.__version__}: run the suite with its release added to KNOWN"


def test_parts_have_no_machine_code_and_kernels_work(folder):
    values = np.arange(5.0)
    first, copies = pick(values, 3)
    assert first == 3.0
    assert copies.tolist() == [3.0, 3.0]
    with pytest.raises(ValueError, match="expected an index below the size"):
        pick(values, 5)
    (compiled,) = checked.overloads.values()
    assert isinstance(compiled.library, linking.PartLibrary)
    assert compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) == 0
    assert [path.name.partition("-")[0] for path in folder.rglob("*.nbc")] == ["pick"]


def test_a_stored_kernel_brings_its_parts_along(folder):
    def take(values, index):
        return checked(values, index)

    for hits in range(2):
        taking = kernel(take)
        assert taking(np.arange(4), 2) == 2
        assert sum(taking.stats.cache_hits.values()) == hits
        with pytest.raises(ValueError, match="expected an index below the size"):
            taking(np.arange(4), 7)


def test_a_part_can_be_called_from_python(folder):
    assert both(np.arange(3), 1)[1].tolist() == [1, 1]
    assert checked(np.array([1.5, 2.5]), 1) == 2.5
    with pytest.raises(ValueError, match="expected an index below the size"):
        checked(np.arange(3), 3)
    assert not list(folder.rglob("*.nbc"))


def test_functions_of_others_can_use_parts(folder):
    @numba.njit
    def take(values, index):
        return checked(values, index)

    assert take(np.arange(4), 2) == 2
    with pytest.raises(ValueError, match="expected an index below the size") as raised:
        take(np.arange(4), 7)
    assert raised.value.args[1] == 7

    @numba.njit("int64(FunctionType(int64(int64)), int64)")
    def call(function, n):
        return function(n)

    assert call(factorial, 5) == 120
    assert factorial.compile((numba.int64,))(4) == 24
    assert not list(folder.rglob("*.nbc"))


def test_a_part_may_call_itself():
    assert take_factorial(10) == 3628800


@pytest.mark.parametrize("refused", [count_with_literals, ask_each_other])
def test_parts_that_call_each_other_are_refused(refused, folder):
    """Numba links such calls by addresses, which parts do not have."""
    for _ in range(2):
        with pytest.raises(RuleError, match="calls itself by way of another function or with arguments of two types"):
            refused(5)
    assert not list(folder.rglob("*.nbc"))


def test_with_another_numba_functions_are_compiled_as_it_does_it(monkeypatch, folder):
    monkeypatch.setattr(compile_mode, "IN_USE", False)

    @inner
    def counting(n, flag):
        return n if n == 0 else counting(n - 1, True) + int(flag)

    assert not isinstance(counting, linking.PartDispatcher)

    def start(n):
        return counting(n, np.bool_(False))

    starting = kernel(start)
    with pytest.warns(UserWarning, match="compiled anew in each process"):
        assert starting(5) == 4
    assert not list(folder.rglob("*.nbc"))  # such code crashes when it is loaded
