"""Named tuples by reference, for functions that call themselves.

A call hands over every word of a named tuple of arrays, of which there may be a hundred. Of one that is lent it hands over an
address. A reference is read like the tuple: `memory.stack.actions` loads that one array, and what is a named tuple itself is
a reference again.
"""

from typing import Any, TypeVar

from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_builtin, lower_getattr_generic, models, register_model, type_callable

from boardgym.compile.borrowing import require_borrowable, without_owner

Values = TypeVar("Values")


def lend(values: Values) -> Values:
    """A reference to a named tuple; its arrays are borrowed, see `borrow`. Valid until the function that calls this returns."""
    return values


class ReferenceType(types.Type):  # type: ignore[misc]
    """The Numba type of a reference. kind: the type of the named tuple that it stands for."""

    def __init__(self, kind: types.BaseNamedTuple) -> None:
        self.kind, self.instance_class = kind, kind.instance_class
        super().__init__(name=f"Reference({kind})")

    @property
    def key(self) -> types.BaseNamedTuple:
        """What tells two of them apart."""
        return self.kind


@register_model(ReferenceType)
class ReferenceModel(models.PrimitiveModel):  # type: ignore[misc]
    """An address."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, cgutils.voidptr_t)


@infer_getattr
class ReferenceAttributes(AttributeTemplate):  # type: ignore[misc]
    """The fields of what a reference stands for."""

    key = ReferenceType

    def generic_resolve(self, reference: Any, name: str) -> Any:
        """The type of a field."""
        if name not in reference.kind.fields:
            return None
        field = reference.kind.types[reference.kind.fields.index(name)]
        return ReferenceType(field) if isinstance(field, types.BaseNamedTuple) else field


@lower_getattr_generic(ReferenceType)  # type: ignore[untyped-decorator]
def _field(context: Any, builder: Any, reference: Any, address: Any, name: str) -> Any:
    index = reference.kind.fields.index(name)
    values = builder.bitcast(address, context.get_value_type(reference.kind).as_pointer())
    place = cgutils.gep_inbounds(builder, values, 0, index)
    if isinstance(reference.kind.types[index], types.BaseNamedTuple):
        return builder.bitcast(place, cgutils.voidptr_t)
    return loaded(context, builder, reference.kind.types[index], place)


def loaded(context: Any, builder: Any, kind: Any, place: Any) -> Any:
    """The value at an address, by a load for each word: those that nobody reads are left out."""
    if isinstance(kind, types.BaseTuple):
        items = [loaded(context, builder, k, cgutils.gep_inbounds(builder, place, 0, i)) for i, k in enumerate(kind.types)]
        return context.make_tuple(builder, kind, items)
    if isinstance(kind, types.Array):
        from numba.np.arrayobj import make_array  # as in `borrowing.py`

        stored, array = make_array(kind)(context, builder, ref=place), make_array(kind)(context, builder)
        for field in ("nitems", "itemsize", "data", "shape", "strides"):
            setattr(array, field, getattr(stored, field))
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    return builder.load(place)


@type_callable(lend)  # type: ignore[untyped-decorator]
def _type_of_lend(context: Any) -> Any:
    def resolve(values: Any) -> Any:
        if not isinstance(values, types.BaseNamedTuple):
            return None
        require_borrowable(values)
        return ReferenceType(values)

    return resolve


# no overload, which would be a function with a frame of its own
@lower_builtin(lend, types.BaseNamedTuple)  # type: ignore[untyped-decorator]
def _lend(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    place = cgutils.alloca_once_value(builder, without_owner(context, builder, signature.args[0], args[0]))
    return builder.bitcast(place, cgutils.voidptr_t)
