"""Rules as plain Python beside compiled ones: for a few plies of a variant, which are not worth a compilation.

What kernels are made of refers to other such functions by their names, so that the Python function behind a kernel would call
compiled ones. In the context `uncompiled()` these run as Python too, as they do everywhere under NUMBA_DISABLE_JIT=1.
"""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from numba.core import types
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher

from boardgym.compile.diagnosis import noted
from boardgym.compile.registry import NUMBERS


class _Mode(threading.local):
    """Of one thread. is_plain: whether it is within `uncompiled()`."""

    is_plain = False


_MODE = _Mode()


@contextlib.contextmanager
def uncompiled() -> Iterator[None]:
    """In this thread, until the end of the context, what kernels are made of runs as Python where Python calls it."""
    before, _MODE.is_plain = _MODE.is_plain, True
    try:
        yield
    finally:
        _MODE.is_plain = before


class SwitchedDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that within `uncompiled()` is the Python function."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The call from Python."""
        return self.py_func(*args, **kwargs) if _MODE.is_plain else self.call_compiled(*args, **kwargs)

    def call_compiled(self, *args: Any, **kwargs: Any) -> Any:
        """Compiles it for such arguments, if that is not done, and calls it."""
        return super().__call__(*args, **kwargs)

    def compile(self, sig: Any) -> Any:
        """Compiles it for argument types; what fails is noted."""
        with noted(self.py_func):
            code = super().compile(sig)
            for compiled in self.overloads.values() if self.py_func in NUMBERS else ():
                if not isinstance(value := compiled.signature.return_type, types.Number | types.Boolean):
                    raise TypingError(f"returned {'nothing' if value == types.none else value}; expected a number")
            return code

    def _reduce_class(self) -> Any:
        return CPUDispatcher  # what becomes of it in a stored kernel
