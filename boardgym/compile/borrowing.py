"""Arrays without the counting of references, for kernels that take many views of them."""

from numba import types
from numba.core import cgutils, datamodel
from numba.core.errors import TypingError
from numba.extending import intrinsic

from boardgym.compile.kernels import overloaded


def borrow(arrays):
    """The same array, or tuple of arrays and of such tuples, without a part in their life time, which somebody else guards.

    That is the caller of a kernel for its arguments, and `keep` for what a kernel has made itself. Kernels that take many
    views of arrays (a row of each, for every board) would else count references up and down, by atomic operations that take
    longer than the rules of a game.
    """
    return arrays


def keep(arrays):
    """Keeps what has been borrowed alive to this line."""


def row_of(array, i):
    """Row i of an array; None of None, which is known at compile time."""
    return None if array is None else array[i]


@overloaded(row_of)
def _row_of(array, i):
    return (lambda array, i: None) if array == types.none else (lambda array, i: array[i])


def require_borrowable(kind):
    """Raises TypingError for a Numba type that owns memory other than by arrays and tuples of them.

    An optional tuple is one, what a function returns that ends by None as well as by a tuple: the compiler would release it
    once for each copy, and the memory would be freed while it is in use.
    """
    if isinstance(kind, types.BaseTuple):
        for item in kind.types:
            require_borrowable(item)
    elif not isinstance(kind, types.Array) and datamodel.default_manager[kind].contains_nrt_meminfo():
        raise TypingError(
            f"cannot borrow {kind}; expected arrays, numbers and tuples of them. Of what may be None, decide at compile time "
            "(`overloaded`) which it is"
        )


def without_owner(context, builder, kind, value):
    """A value whose arrays have no part in the life time of what they view, as code that Numba builds."""
    if isinstance(kind, types.BaseTuple):
        items = [without_owner(context, builder, k, builder.extract_value(value, i)) for i, k in enumerate(kind.types)]
        return context.make_tuple(builder, kind, items)
    if isinstance(kind, types.Array):
        from numba.np.arrayobj import (
            make_array,  # takes as long to import as half of this package, and compiling needs it anyway
        )

        array = make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    return value


@intrinsic
def _borrow(typingctx, arrays):
    require_borrowable(arrays)
    return arrays(arrays), lambda context, builder, signature, args: without_owner(context, builder, arrays, args[0])


@overloaded(borrow)
def _borrow_overload(arrays):
    return lambda arrays: _borrow(arrays)


@intrinsic
def _keep(typingctx, arrays):
    return types.none(arrays), lambda context, builder, signature, args: context.get_dummy_value()


@overloaded(keep)
def _keep_overload(arrays):
    return lambda arrays: _keep(arrays)
