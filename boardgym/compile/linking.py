"""Functions that kernels are made of, compiled once, for linking, and not into machine code of their own.

Numba optimises each function and makes machine code of it, and does both again with every function that calls it, up to
the kernel at the top, which holds all of them. A game's first move waits for that. Here a part stops half-way: it is
optimised once and handed to its callers, and the kernel alone becomes machine code.
"""

import functools
from types import FunctionType
from typing import Any

from llvmlite import binding, ir
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from boardgym.compile.uncompiled import SwitchedDispatcher
from boardgym.core.errors import RuleError

THIN = 5  # how many times its own size a part is, with all that it calls, that is left as it is
UNRESOLVED = ".numba.unresolved$"  # how Numba names what is called before it is compiled


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part. It is never run from here: it has no addresses.

    own_size: bytes of its own functions, before what it calls is linked into it.
    """

    own_size = 0

    @property
    def codegen(self) -> Any:
        """Itself: whom Numba asks to note a function's environment."""
        return self

    def set_env(self, env_name: str, env: Any) -> None:
        """Notes the function's environment, which holds what it prints or raises, where all that it is linked into find it."""
        module = self._codegen._create_empty_module(env_name)
        variable = ir.GlobalVariable(module, ir.IntType(8).as_pointer(), env_name)
        variable.linkage, variable.initializer = "common", ir.Constant(variable.value_type, None)
        self._codegen._engine.add_module(binding.parse_assembly(str(module)))
        self._codegen._engine.finalize_object()
        self._codegen.set_env(env_name, env)

    def get_pointer_to_function(self, name: str) -> int:
        """No address, after the part is complete."""
        self._ensure_finalized()
        return 0

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()  # Numba makes them anew for each, what is only named included
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
        self.own_size += len(ll_module.as_bitcode())

    def _optimize_final_module(self) -> None:
        if THIN * self.own_size < len(self._final_module.as_bitcode()):  # what it calls has been optimised: its caller will do
            return
        # Without any, the counting of references to arrays stays in the kernels: perft took 3.5 times as long. Without loops
        # made into vector code before they are copied into a caller, a batch's step took 1.25 times as long.
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=config.LOOP_VECTORIZE, slp_vectorize=False, opt=2, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        if any(variable.name.startswith(UNRESOLVED) for variable in self._final_module.global_variables):
            raise RuleError(
                f"{self.name}: in it or in what it calls, a function calls itself by way of another function or with arguments "
                "of two types; expected one that calls itself directly with the types that it was called with (a literal has a "
                "type of its own: write np.int64(1) in place of 1, np.bool_(True) in place of True)"
            )
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, into a `PartLibrary`."""

    def compile_extra(self, func: Any) -> Any:
        """Compiles a Python function."""
        self.state.flags.no_cpython_wrapper = self.state.flags.no_cfunc_wrapper = True
        self.state.library = PartLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()  # what a stored kernel is linked from must be fit to be stored
        return super().compile_extra(func)


class PartDispatcher(SwitchedDispatcher):
    """A function that kernels are made of. Called from Python, or by its address, it is compiled once more, as a whole."""

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        super().__init__(function, {}, options, PartCompiler)

    @functools.cached_property
    def whole(self) -> CPUDispatcher:
        """The function with machine code of its own."""
        return CPUDispatcher(copied(self.py_func), {}, self.targetoptions)

    def call_compiled(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the whole."""
        return self.whole(*args, **kwargs)

    def compile(self, sig: Any) -> Any:
        """Compiles the part; returns what can be called."""
        super().compile(sig)
        return self.whole

    def get_compile_result(self, sig: Any) -> Any:
        """Of the whole, which has an address."""
        return self.whole.get_compile_result(sig)

    def add_overload(self, cres: Any) -> None:
        """Makes a compile result known to compiled code, and not to calls from Python."""
        self.overloads[tuple(cres.signature.args)] = cres


def copied(function: FunctionType) -> FunctionType:
    """The same function as another object: Numba takes a function that calls itself for one that is being compiled already."""
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    for name in ("__kwdefaults__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        setattr(copy, name, getattr(function, name))
    return copy
