"""What Numba's CUDA target lacks for our functions: tokens, local arrays by NumPy's names, large tables, sums without fusing.

Imported only where kernels are compiled for a card, by `boardgym.compile.cuda`. Wants the package numba-cuda.
"""

import contextlib
import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import cuda
from numba.core import types
from numba.core.errors import NumbaError, TypingError
from numba.cuda import dispatcher
from numba.cuda.cudadrv import nvvm
from numba.cuda.cudaimpl import lower_constant
from numba.cuda.descriptor import cuda_target
from numba.cuda.extending import core_models, overload, register_model
from numba.cuda.target import CUDATargetContext

from boardgym.compile.diagnosis import explained, noted
from boardgym.compile.registry import FORM_OPTIONS, IMPLEMENTERS, NUMBERS, TokenType
from boardgym.core.errors import RuleError

MOST_CONSTANT = 1024  # bytes of a table that goes to constant memory, of which there are 64 KB for all of a kernel
GLOBAL_MEMORY = 1  # NVVM's number of that address space

register_model(TokenType)(core_models.OpaqueModel)


@lower_constant(TokenType)  # type: ignore[untyped-decorator]
def _token(context: Any, builder: Any, kind: Any, token: Any) -> Any:
    return context.get_dummy_value()


class FunctionOnCard(dispatcher.CUDADispatcher):  # type: ignore[misc]
    """A device function; what fails in it is noted under the Python function that it was cloned from."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, {"device": True, "opt": True})
        self.original = function

    def take(self, clone: Any) -> None:
        """Sets what is compiled: the function with the card's globals."""
        self.py_func = self._compiler.py_func = clone

    def compile_device(self, args: Any, return_type: Any = None) -> Any:
        """Compiles it for argument types."""
        with noted(self.original):
            try:
                made = super().compile_device(args, return_type)
            except NumbaError as error:
                if getattr(error, "loc", None) is None:
                    vars(error)["loc"] = _place_of(error, self.original.__code__.co_filename)
                raise
            value = made.signature.return_type
            if self.original in NUMBERS and not isinstance(value, types.Number | types.Boolean):
                raise TypingError(f"returned {'nothing' if value == types.none else value}; expected a number")
            return made


def _place_of(error: Exception, file: str) -> Any:
    """The line of a file that Numba was at when an error was raised to which it has not written one; None: no such line."""
    trace = error.__traceback__
    while trace is not None:
        place = getattr(trace.tb_frame.f_locals.get("self"), "loc", None)
        if getattr(place, "filename", "") == file:
            return place
        trace = trace.tb_next
    return None


class KernelOnCard(dispatcher.CUDADispatcher):  # type: ignore[misc]
    """A kernel; where a rule does not compile, a RuleError says which and why."""

    def compile(self, sig: Any) -> Any:
        """Compiles it for argument types and the card at hand."""
        with _explained_for_card(), _our_way():
            return super().compile(sig)

    def ptx(self, kinds: tuple[Any, ...], capability: tuple[int, int]) -> str:
        """The kernel's code for argument types and a card of some compute capability, which need not be there."""
        at_hand, card = dispatcher.get_current_device, _Absent(capability)
        dispatcher.get_current_device = lambda: card
        try:
            with _explained_for_card(), _our_way():
                return str(cuda.compile_ptx(self.py_func, kinds, cc=capability)[0])
        finally:
            dispatcher.get_current_device = at_hand


@contextlib.contextmanager
def _explained_for_card() -> Iterator[None]:
    """As `explained`; the message says that it is the card which cannot run the rule."""
    try:
        with explained():
            yield
    except RuleError as error:
        raise RuleError(f"{error}, for a card") from None


class _Absent:
    """A card that is not there."""

    def __init__(self, capability: tuple[int, int]) -> None:
        self.compute_capability = capability


@contextlib.contextmanager
def _our_way() -> Iterator[None]:
    """Within it, large tables go to global memory, and products and sums are not fused: a CPU rounds both.

    What is written into its caller before that is compiled, the compiler looks up among the forms of all targets, and the first
    that it finds may have been kept for the CPU: those are hidden.
    """
    compile_ir, make_constant_array = nvvm.compile_ir, CUDATargetContext.make_constant_array

    def make_table(context: Any, builder: Any, kind: Any, array: Any) -> Any:
        if array.nbytes <= MOST_CONSTANT:
            return make_constant_array(context, builder, kind, array)
        return _global_table(context, builder, kind, array)

    nvvm.compile_ir = lambda modules, **options: compile_ir(modules, **{"fma": False, **options})
    CUDATargetContext.make_constant_array = make_table
    kept = {form: form._inline_overloads for form in _forms_of_the_cpu()}
    for form in kept:
        form._inline_overloads = {}
    try:
        yield
    finally:
        for form, inlined in kept.items():
            form._inline_overloads = inlined
        nvvm.compile_ir, CUDATargetContext.make_constant_array = compile_ir, make_constant_array


def _forms_of_the_cpu() -> Iterator[Any]:
    """Numba's templates of our generic functions that are written into their callers, but for the card's."""
    known = cuda_target.typing_context
    known.refresh()
    for function, implementers in IMPLEMENTERS.items():
        if any(FORM_OPTIONS[implement].get("inline") == "always" for implement in implementers):
            yield from (form for form in known.resolve_value_type(function).templates if form.metadata.get("target") != "cuda")


def _global_table(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """A read-only array as part of a kernel's code, in global memory."""
    content = np.ascontiguousarray(array)
    words = content.tobytes()
    name = f"_boardgym_table_{hashlib.sha256(words).hexdigest()[:16]}"
    table = builder.module.globals.get(name)
    if table is None:  # else another line of the function reads it too
        data = ir.Constant(ir.ArrayType(ir.IntType(8), len(words)), bytearray(words))
        table = ir.GlobalVariable(builder.module, data.type, name, GLOBAL_MEMORY)
        table.linkage, table.global_constant, table.initializer, table.align = "internal", True, data, 16
    made = context.make_array(kind)(context, builder)
    address = builder.addrspacecast(table, ir.PointerType(ir.IntType(8)), "generic")
    context.populate_array(
        made,
        data=builder.bitcast(address, made.data.type),
        shape=[context.get_constant(types.intp, length) for length in content.shape],
        strides=[context.get_constant(types.intp, stride) for stride in content.strides],
        itemsize=made.itemsize,
        parent=made.parent,
        meminfo=None,
    )
    return made._getvalue()


# ---------------------------------------------------------------- arrays that a rule makes, of a length that is a constant


def full(shape, value, dtype):
    """As np.full, in the memory of the thread."""


def zeros(shape, dtype=np.float64):
    """As np.zeros, in the memory of the thread."""


def empty(shape, dtype=np.float64):
    """As np.empty, in the memory of the thread."""


LOCAL_ARRAYS: dict[Any, Any] = {np.full: full, np.zeros: zeros, np.empty: empty}  # NumPy's -> those on the card


def _length(shape: Any) -> int:
    if not isinstance(shape, types.IntegerLiteral):
        raise TypingError("an array whose length is not a constant: a card's threads have none")
    return int(shape.literal_value)


def _element(dtype: Any) -> Any:
    return dtype.dtype if isinstance(dtype, types.DTypeSpec | types.NumberClass) else types.float64  # where none is given


@overload(full, inline="always", prefer_literal=True)  # else the array would go with the function that made it
def _full(shape, value, dtype):
    length, kind = _length(shape), _element(dtype)

    def make(shape, value, dtype):
        made = cuda.local.array(length, kind)
        for i in range(length):
            made[i] = value
        return made

    return make


@overload(zeros, inline="always", prefer_literal=True)
def _zeros(shape, dtype=np.float64):
    length, kind = _length(shape), _element(dtype)

    def make(shape, dtype=np.float64):
        made = cuda.local.array(length, kind)
        for i in range(length):
            made[i] = 0
        return made

    return make


@overload(empty, inline="always", prefer_literal=True)
def _empty(shape, dtype=np.float64):
    length, kind = _length(shape), _element(dtype)
    return lambda shape, dtype=np.float64: cuda.local.array(length, kind)
