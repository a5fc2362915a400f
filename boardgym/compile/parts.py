"""Arrays of many shapes in one piece of memory: for the threads of a card, which cannot ask for any while they run."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from boardgym.compile.kernels import overloaded

BYTES = ir.IntType(8).as_pointer()


class Part(NamedTuple):
    """An array that each thread has for itself. like: one of its shape and dtype. offset: where it begins, in bytes."""

    like: Any
    offset: int


def tree_map(function: Callable[[Any], Any], tree: Any, leaf: type | tuple[()] = ()) -> Any:
    """The same tuples within tuples, named or not, with `function(item)` for each item that is none.

    leaf: a class of tuples that are items.
    """
    if isinstance(tree, tuple) and not isinstance(tree, leaf):
        items = [tree_map(function, item, leaf) for item in tree]
        return type(tree)(*items) if hasattr(tree, "_fields") else tuple(items)
    return function(tree)


def placed_in(memory, value):
    """What `value` is in a thread's memory, uint64 (words,): itself, an array in place of each `Part` within it."""

    def placed(item: Any) -> Any:
        return np.ndarray(item.like.shape, item.like.dtype, memory, item.offset) if isinstance(item, Part) else item

    return tree_map(placed, value, Part)


def placed_kind(kind):
    """The Numba type of what a value of a type is in a thread's memory."""
    if getattr(kind, "instance_class", None) is Part:
        return kind.types[0]
    if isinstance(kind, types.BaseTuple):
        kinds = [placed_kind(item) for item in kind.types]
        return types.BaseTuple.from_types(kinds, getattr(kind, "instance_class", None))
    return kind


def placed_value(context, builder, kind, value, base):
    """The same of a value, as code that Numba builds. base: the address of the memory."""
    if getattr(kind, "instance_class", None) is Part:
        like, offset = (builder.extract_value(value, k) for k in range(2))
        array = context.make_array(kind.types[0])(context, builder, like)
        array.data = builder.bitcast(builder.gep(base, [offset]), array.data.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        items = [placed_value(context, builder, k, builder.extract_value(value, i), base) for i, k in enumerate(kind.types)]
        return context.make_tuple(builder, placed_kind(kind), items)
    return value


@intrinsic
def _placed_in(typingctx, memory, value):
    def generate(context, builder, signature, args):
        base = context.make_array(memory)(context, builder, args[0]).data
        return placed_value(context, builder, value, args[1], builder.bitcast(base, BYTES))

    return placed_kind(value)(memory, value), generate


@overloaded(placed_in)
def _placed_in_overload(memory, value):
    return lambda memory, value: _placed_in(memory, value)
