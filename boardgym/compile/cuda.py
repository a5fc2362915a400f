"""Functions that kernels are made of, as device functions of a CUDA card; what is particular to a card stands here.

A card's functions know no dispatcher of the CPU, no overload and no intrinsic that was registered for it. So each function is
cloned with other globals: what is compiled becomes a device function, a generic function (`overloaded`, and so each verb and
`constant`) gets its forms for the card too, and an intrinsic is registered for it as well. Rules, engine and random numbers are
thus the same text on both. What the card lacks is in `boardgym.compile.cuda_target`.

In Numba's simulator (NUMBA_ENABLE_CUDASIM=1) a kernel is Python, and so is all that it calls: nothing is cloned.
"""

import functools
import types as python
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import config

from boardgym.compile.card import load_cuda
from boardgym.compile.parts import tree_map
from boardgym.compile.registry import FORM_OPTIONS, IMPLEMENTERS
from boardgym.compile.tokens import constant
from boardgym.compile.uncompiled import uncompiled

__all__ = ["IS_SIMULATED", "card_kernel", "cuda", "types"]

IS_SIMULATED = bool(config.ENABLE_CUDASIM)


class SimulatedCuda:
    """The module numba.cuda in the simulator: within a kernel that of its launch, wherever the function stands that reads it.

    The simulator itself would exchange it among the globals of the kernel alone, and only under its name.
    """

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        from numba.cuda.simulator import kernel

        return getattr(kernel._kernel_context or self._module, name)


cuda: Any = SimulatedCuda(load_cuda()) if IS_SIMULATED else load_cuda()
SPLICED = (constant,)  # generic functions that may give an array, which on the card no function returns

_DEVICE_FUNCTIONS: dict[Any, Any] = {}  # Python function -> device function
_CLONES: dict[Any, Any] = {}  # Python function that an intrinsic compiles -> its clone
_INTRINSICS: dict[Any, Any] = {}  # intrinsic of the CPU -> of the card
_REGISTERED: set[Any] = set()  # generic functions whose forms for the card are known


def card_kernel(function: Callable[..., None]) -> Any:
    """A Python function as a kernel for the card, called as `kernel[blocks, threads, 0, shared_bytes](arrays ...)`.

    Its closure may hold numbers and tokens, which are constants in it. Raises RuleError, when it is first called: a rule that
    the card cannot run, with the file and line.
    """
    if IS_SIMULATED:
        return _simulated(function)
    from boardgym.compile.cuda_target import KernelOnCard

    return KernelOnCard(clone(function), {"opt": True})


def _simulated(function: Any) -> Any:
    """A kernel of the simulator, which runs each thread of a block in a Python thread: all that it calls runs as Python too."""

    def run(*args: Any) -> None:
        with uncompiled():
            function(*tree_map(_as_numpy, args))

    return cuda.jit(run)


def _as_numpy(arg: Any) -> Any:
    """An array of a simulated kernel's arguments as NumPy's; anything else as it is."""
    arg = getattr(arg, "__dict__", {}).get("_item", arg)
    return getattr(arg, "_ary", arg)


def names_of(code: python.CodeType) -> set[str]:
    """All names that code mentions, those of functions within it included."""
    found = set(code.co_names)
    for item in code.co_consts:
        if isinstance(item, python.CodeType):
            found |= names_of(item)
    return found


def clone(function: Any) -> python.FunctionType:
    """A Python function with globals and a closure of the card."""
    names = names_of(function.__code__)
    cells = tuple(python.CellType(on_card(cell.cell_contents, names)) for cell in function.__closure__ or ())
    values = dict(function.__globals__)
    copy = python.FunctionType(function.__code__, values, function.__name__, function.__defaults__, cells)
    copy.__qualname__, copy.__module__, copy.__doc__ = function.__qualname__, function.__module__, function.__doc__
    values.update({name: on_card(values[name], names) for name in names if name in values})
    return copy


def on_card(value: Any, names: set[str]) -> Any:
    """What stands for a global of a function on the card. names: those that the function mentions."""
    from boardgym.compile.cuda_target import LOCAL_ARRAYS

    if isinstance(value, python.ModuleType):
        return _module_on_card(value, names)
    if hasattr(value, "py_func"):
        return device_function(value)
    if hasattr(value, "_defn"):
        return _intrinsic_on_card(value)
    if isinstance(value, python.FunctionType | python.BuiltinFunctionType):
        if value in IMPLEMENTERS:
            _register(value)
        return LOCAL_ARRAYS.get(value, value)
    return value


def _module_on_card(module: python.ModuleType, names: set[str]) -> python.ModuleType:
    """A module of which those attributes that a function mentions are the card's."""
    if module is cuda:
        return module
    values = {name: vars(module)[name] for name in names if name in vars(module)}
    changed = {name: value if isinstance(value, python.ModuleType) else on_card(value, names) for name, value in values.items()}
    if all(changed[name] is values[name] for name in values):
        return module
    copy = python.ModuleType(module.__name__)
    vars(copy).update(changed)
    return copy


def device_function(compiled: Any) -> Any:
    """A function made by `inner`, `inlined`, `rule` or `kernel` as a device function."""
    from boardgym.compile.cuda_target import FunctionOnCard

    function = compiled.py_func
    if function not in _DEVICE_FUNCTIONS:
        _DEVICE_FUNCTIONS[function] = FunctionOnCard(function)
        _DEVICE_FUNCTIONS[function].take(clone(function))  # now that it is known: a function may call itself
    return _DEVICE_FUNCTIONS[function]


def _register(function: Any) -> None:
    """Gives a generic function the forms on the card that it has on the CPU, cloned."""
    if function in _REGISTERED:
        return
    _REGISTERED.add(function)
    for implement in IMPLEMENTERS[function]:

        def form_on_card(*kinds: Any, implement: Any = implement, **named: Any) -> Any:
            form = implement(*kinds, **named)
            return None if form is None else clone(form)

        functools.update_wrapper(form_on_card, implement)
        options = {**FORM_OPTIONS[implement], **({"inline": "always"} if function in SPLICED else {})}
        cuda.extending.overload(function, **options)(form_on_card)


class _Context:
    """Numba's context for the card, for an intrinsic that was written for the CPU: what it has compiled is cloned first."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def compile_internal(self, builder: Any, function: Any, signature: Any, args: Any) -> Any:
        """Compiles a Python function and calls it."""
        if function not in _CLONES:
            _CLONES[function] = clone(function)
        return self._context.compile_internal(builder, _CLONES[function], signature, args)


def _intrinsic_on_card(value: Any) -> Any:
    """An intrinsic of the CPU for the card."""
    if value not in _INTRINSICS:
        define = value._defn

        def define_on_card(typingctx: Any, *kinds: Any) -> Any:
            made = define(typingctx, *kinds)
            if made is None:
                return None
            signature, generate = made
            return signature, lambda context, builder, sig, args: generate(_Context(context), builder, sig, args)

        functools.update_wrapper(define_on_card, define)
        _INTRINSICS[value] = cuda.extending.intrinsic(define_on_card)
    return _INTRINSICS[value]
