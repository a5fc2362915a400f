"""How the functions that kernels are made of are compiled: once, for linking, and not into machine code of their own.

Numba optimises each function and makes machine code of it, and does both again with every function that calls it, up to
the kernel at the top, which holds all of them. A game's first move waits for that. Here a part stops half-way: it is
optimised a little and handed to its callers, and the kernel alone becomes machine code. First moves then come in 0.6 of the
time, at the same speed of the finished kernels.

This stands on Numba's insides (`numba.core.codegen`), and so only for the releases in `KNOWN`. With another, parts are
compiled as Numba always does it: nothing changes but the wait.
"""

from typing import Any

import numba
from numba.core import config
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from boardgym.core.errors import RuleError

KNOWN = ((0, 68),)  # releases of Numba with which the whole suite passes
IN_USE = numba.version_info.short in KNOWN and not config.DISABLE_JIT
UNRESOLVED = ".numba.unresolved$"  # how Numba names what is called before it is compiled


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part. It is never run from here: it has no addresses."""

    @property
    def codegen(self) -> Any:
        """Itself: whom Numba asks to note a function's environment at its address."""
        return self

    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing: `set_environments` does it once for the kernel and all its parts."""

    def get_pointer_to_function(self, name: str) -> int:
        """No address, after the part is complete."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        # Without any, the counting of references to arrays stays in the kernels: perft took 3.5 times as long. Without loops
        # made into vector code before they are copied into a caller, a batch's step took 1.25 times as long.
        passes, builder = self._codegen._module_pass_manager(loop_vectorize=True, slp_vectorize=False, opt=2, cost="cheap")
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        called = [name for variable in self._final_module.global_variables if (name := variable.name).startswith(UNRESOLVED)]
        if called:
            raise RuleError(
                f"{self.name} calls itself, by way of another function or with arguments of two types; expected a function "
                "that calls itself directly with the types that it was called with (a literal has a type of its own: write "
                "np.int64(1) in place of 1, np.bool_(True) in place of True)"
            )
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, into a `PartLibrary`."""

    def compile_extra(self, func: Any) -> Any:
        """Compiles a Python function."""
        self.state.flags.no_cpython_wrapper = True
        self.state.library = PartLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()  # what a stored kernel is linked from must be fit to be stored
        return super().compile_extra(func)


# What `numba.extending.overload` needs, beside flags of its own, to make parts.
OPTIONS: dict[str, Any] = {"no_cfunc_wrapper": True, "pipeline_class": PartCompiler} if IN_USE else {}


class PartDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function that kernels are made of. Called from Python, it is compiled once more, as a whole."""

    def __init__(self, whole: Any) -> None:
        super().__init__(whole.py_func, {}, whole.targetoptions, PartCompiler)
        self.whole = whole
        whole._cache = NotStored()

    def add_overload(self, cres: Any) -> None:
        """Makes a compile result known to compiled code, and not to calls from Python."""
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: Any, **kwargs: Any) -> Any:
        return self.whole._compile_for_args(*args, **kwargs)

    def _reduce_class(self) -> Any:
        return CPUDispatcher  # what becomes of it in a stored kernel


class NotStored(NullCache):  # type: ignore[misc]
    """In place of a cache, for a function whose machine code is for this process alone."""

    def save_overload(self, sig: Any, data: Any) -> None:
        """Stores nothing."""
        set_environments(data)


def part(compiled: Any) -> Any:
    """A jitted function as a part of kernels."""
    return PartDispatcher(compiled) if IN_USE else compiled


def set_environments(data: Any) -> None:
    """Gives a compile result the environments of its parts, as Numba does when it loads machine code from the disk."""
    for environment in data._find_referenced_environments():
        data.library.codegen.set_env(environment.env_name, environment)
