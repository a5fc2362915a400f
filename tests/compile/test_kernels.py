"""How kernels are compiled: without the collector of reference cycles, which is left as it was."""

import gc

import pytest
from numba.core.errors import TypingError

from boardgym.compile import kernel, overloaded


@pytest.fixture(params=[True, False], ids=["enabled", "disabled"])
def collector(request):
    """Whether the collector is enabled."""
    was_enabled = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if was_enabled else gc.disable)()


def test_the_collector_rests_while_a_kernel_is_compiled(collector):
    states = []

    def look_at():
        """In the middle of it, as the types of a kernel are looked for."""
        states.append(gc.isenabled())

    @overloaded(look_at)
    def look():
        look_at()
        return lambda: 7

    @kernel
    def seven():
        return look_at()

    assert seven() == 7
    assert set(states) == {False}
    assert gc.isenabled() is collector


def test_a_compilation_that_fails_leaves_the_collector_as_it_was(collector):
    @kernel
    def fails(a):
        return a.nothing

    with pytest.raises(TypingError):
        fails(1)
    assert gc.isenabled() is collector
