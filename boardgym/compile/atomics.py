"""Instructions for threads that work beside each other, without the GIL: atomic ones on words of memory, and waiting.

Only compiled code can call them, but for `add_word`. `at` is the address, int64, of eight bytes. All threads see all of them in
the same order, but for those of `add_word`.
"""

import inspect
import os
import platform
import threading
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from boardgym.compile.kernels import overloaded

_ADDING = threading.Lock()  # of `add_word` in Python
ORDER, WORD = "seq_cst", 8
GIVE_WAY = "SwitchToThread" if os.name == "nt" else "sched_yield"


def instruction(kind: Any, build: Callable[..., Any]) -> Any:
    """A compiled function that is what `build(builder, *args)` gives, a value of a Numba type; the arguments are int64."""

    def code(context, builder, signature, args):
        value = build(builder, *args)
        return context.get_dummy_value() if kind == types.none else value

    def define(typingctx, *args):
        return kind(*[types.int64] * len(args)), code

    define.__signature__ = inspect.signature(build)  # type: ignore[attr-defined]
    return intrinsic(define)


def word(builder: Any, at: Any) -> Any:
    """An address as a pointer."""
    return builder.inttoptr(at, ir.IntType(64).as_pointer())


def call_c(builder: Any, name: str, kind: Any, *args: Any) -> Any:
    """A call of a function of C, or of Python's that needs no GIL."""
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [arg.type for arg in args]), name)
    return builder.call(function, args)


def pause(builder: Any) -> None:
    """Leaves the units of a core to its other thread for a moment, where the processor has such an instruction."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        call_c(builder, "llvm.x86.sse2.pause", ir.VoidType())
    elif machine in ("aarch64", "arm64"):
        call_c(builder, "llvm.aarch64.hint", ir.VoidType(), INT(1))


INT = ir.IntType(32)
# (at): what is there. (at, value): writes it.
load = instruction(types.int64, lambda builder, at: builder.load_atomic(word(builder, at), ORDER, WORD))
store = instruction(types.none, lambda builder, at, value: builder.store_atomic(value, word(builder, at), ORDER, WORD))
# (at, value): adds it, and gives what was there
add = instruction(types.int64, lambda builder, at, value: builder.atomic_rmw("add", word(builder, at), value, ORDER))
# (at, value): keeps the lesser, where -1 is greater than all others; gives what was there
keep_least = instruction(types.int64, lambda builder, at, value: builder.atomic_rmw("umin", word(builder, at), value, ORDER))
# (at, expected, value): writes the value if what is expected is there; gives whether it was
exchange = instruction(
    types.boolean,
    lambda builder, at, expected, value: builder.extract_value(
        builder.cmpxchg(word(builder, at), expected, value, ORDER, ORDER), 1
    ),
)
# (): `pause`. (): lets other threads have the core, if one waits for it
rest = instruction(types.none, pause)
give_way = instruction(types.none, lambda builder: call_c(builder, GIVE_WAY, INT))
# (lock): of `PyThread_allocate_lock`; waits for it, or releases it, whoever holds it
acquire = instruction(
    types.none, lambda builder, lock: call_c(builder, "PyThread_acquire_lock", INT, lock, ir.Constant(INT, 1))
)
release = instruction(types.none, lambda builder, lock: call_c(builder, "PyThread_release_lock", ir.VoidType(), lock))


def add_word(words, place, word):
    """words[place] += word, int64, whoever else adds to it at the same time: threads of the CPU or of a card."""
    with _ADDING:
        words[place] += word


@intrinsic
def _add_word(typingctx, words, place, word):
    def code(context, builder, signature, args):
        kind, number = signature.args[0], args[1]
        array = context.make_array(kind)(context, builder, args[0])
        at = cgutils.get_item_pointer(context, builder, kind, array, [number])
        builder.atomic_rmw("add", at, args[2], "monotonic")
        return context.get_dummy_value()

    return types.none(words, types.int64, types.int64), code


@overloaded(add_word)
def _add_word_overload(words, place, word):
    return lambda words, place, word: _add_word(words, place, word)
