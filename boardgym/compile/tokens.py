"""Tokens, which stand for position types in kernel calls, and positions as rows of int64."""

import functools
import typing
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.extending import NativeValue, intrinsic, unbox

from boardgym.compile.diagnosis import note_value
from boardgym.compile.digest import digest_of
from boardgym.compile.kernels import overloaded, plain
from boardgym.compile.registry import CLASSES, FROZEN, TokenType, class_of, find_rule
from boardgym.compile.words import GOLDEN, as_int64, as_uint64, mix, wrapping_add
from boardgym.core.errors import RuleError

FIELD_TYPES = {int: types.int64, np.int64: types.int64, np.uint64: types.uint64, float: types.float64}


@unbox(TokenType)
def _unbox_token(typ, obj, c):
    return NativeValue(c.context.get_dummy_value())


class Token:
    """Stands for a position type (or policy settings type) in kernel calls, at the cost of an integer argument.

    Making the token fixes the rules: its name carries a digest of them, which names the machine code on disk.

    Raises:
        RuleError: a field's annotation is not int, float, np.int64 or np.uint64.
    """

    def __init__(self, position_class: type) -> None:
        self.position_class = position_class
        self.fields = field_types(position_class)
        digest = digest_of(position_class)
        self.name = f"Token({position_class.__module__}.{position_class.__qualname__}#{digest})"
        known = CLASSES.get(self.name, position_class)
        if known is not position_class and digest_of(known) != digest:  # what its rules call has been defined in the meantime
            self.name = f"{self.name[:-1]}.{len(CLASSES)})"
        CLASSES[self.name] = position_class
        FROZEN.add(position_class)
        self._numba_type_ = TokenType(self.name)

    def __repr__(self) -> str:
        return self.name

    def row(self, position: Any) -> np.ndarray:
        """A position as a new int64 row of shape (number of fields,)."""
        row = np.empty(len(self.fields), np.int64)
        pack(position, row)
        return row

    def position(self, row: np.ndarray) -> Any:
        """The position of a row."""
        return unpack(self, row)


@functools.cache
def field_types(position_class: type) -> tuple[Any, ...]:
    """The Numba types of a position's fields. Raises RuleError for an annotation without one."""
    hints, kinds = typing.get_type_hints(position_class), []
    for field in getattr(position_class, "_fields", ()):
        if hints[field] not in FIELD_TYPES:
            raise RuleError(
                f"field {field!r} of {position_class.__qualname__} is annotated {hints[field]!r}; "
                "expected int, float, np.int64 or np.uint64"
            )
        kinds.append(FIELD_TYPES[hints[field]])
    if not kinds:
        raise RuleError(f"{position_class!r} is no NamedTuple with fields")
    return tuple(kinds)


@functools.cache
def has_arrays(position_class: type) -> bool:
    """Whether some fields of a class are arrays: no position or settings then, but what somebody learns in."""
    return any(typing.get_origin(hint) is np.ndarray for hint in typing.get_type_hints(position_class).values())


def _tuple_type(position_class: type) -> Any:
    return types.BaseTuple.from_types(field_types(position_class), position_class)


def num_fields(token) -> int:
    """Length of a token's rows, a compile-time constant."""
    return len(token.fields)


@overloaded(num_fields)
def _num_fields(token):
    n = len(field_types(class_of(token)))
    return lambda token: n


def word_of(kind: Any, value: Any) -> int:
    """The int64 word of a field's value. Raises RuleError for a float in a field of integers."""
    if kind is types.float64:
        return int(np.float64(value).view(np.int64))
    if isinstance(value, float | np.floating):
        raise RuleError(f"got {value!r} for a field of whole numbers")
    return int(as_int64(value))


def _value(kind: Any, word: Any) -> Any:
    """The value of a field, as its declared type, that a word holds."""
    if kind is types.float64:
        return float(np.int64(word).view(np.float64))
    return as_uint64(word) if kind is types.uint64 else int(word)


def typed(position_class: Any, values: Any) -> Any:
    """A tuple of values as a position whose fields have their declared types: `retype` in plain Python."""
    kinds = field_types(position_class)
    if len(values) != len(kinds):
        raise RuleError(
            f"a rule of {position_class.__qualname__} returned {len(values)} fields, expected {len(kinds)}: {values!r}"
        )
    return position_class(*(_value(kind, word_of(kind, value)) for kind, value in zip(kinds, values, strict=True)))


def unpack(token, row):
    """The position (or settings) that an int64 row of shape (num_fields,) holds. token: or any tuple of its type."""
    position_class = token.position_class if isinstance(token, Token) else type(token)
    words = zip(field_types(position_class), row, strict=False)  # in a frame, other words follow
    return position_class(*(_value(kind, word) for kind, word in words))


def _load(row, i):
    return row[i]


def _store(row, i, word):
    row[i] = word


@intrinsic
def _unpack(typingctx, token, row):
    kind = _tuple_type(class_of(token))

    def codegen(context, builder, signature, args):
        values = []
        for i, field in enumerate(kind.types):
            index = context.get_constant(types.int64, i)
            word = context.compile_internal(builder, _load, types.int64(row, types.int64), [args[1], index])
            if field == types.float64:
                word = builder.bitcast(word, context.get_value_type(types.float64))
            values.append(word)
        return context.make_tuple(builder, kind, values)

    return kind(token, row), codegen


@overloaded(unpack)
def _unpack_overload(token, row):
    return (lambda token, row: _unpack(token, row)) if class_of(token) is not None else None


def pack(position, row):
    """Writes a position (or settings) into an int64 row of shape (num_fields,)."""
    for i, (kind, value) in enumerate(zip(field_types(type(position)), position, strict=True)):
        row[i] = word_of(kind, value)


def store_word(context: Any, builder: Any, kind: Any, word: Any, row_type: Any, row: Any, i: int) -> None:
    """Writes the code that stores a field's value, of Numba type `kind`, as word i of a row of int64."""
    if kind == types.float64:
        word = builder.bitcast(word, context.get_value_type(types.int64))
    index, signature = context.get_constant(types.int64, i), types.none(row_type, types.int64, types.int64)
    context.compile_internal(builder, _store, signature, [row, index, word])


@intrinsic
def _pack(typingctx, position, row):
    def codegen(context, builder, signature, args):
        for i, field in enumerate(position.types):
            store_word(context, builder, field, builder.extract_value(args[0], i), row, args[1], i)
        return context.get_dummy_value()

    return types.none(position, row), codegen


@overloaded(pack)
def _pack_overload(position, row):
    return lambda position, row: _pack(position, row)


def retype_of(name: str) -> Any:
    """A function (like, values) for what the rules of a verb return: the tuple `values` as the type of `like`.

    A rule may return a base class or a bare tuple. like: a position or a token.
    """

    @intrinsic
    def retype(typingctx, like, values):
        kind = _tuple_type(class_of(like))
        if fault := _misfit(kind, values):
            error = TypingError(fault)
            note_value(find_rule(name, class_of(like)).py_func, error)
            raise error
        return kind(like, values), functools.partial(_cast, kind)

    return retype


def _misfit(kind, values):
    """What is wrong with the Numba type of a rule's value, where a position of a kind is expected; empty if nothing is."""
    name = kind.instance_class.__qualname__
    if not isinstance(values, types.BaseTuple):
        return f"returned {values}; expected {name}({', '.join(kind.fields)})"
    if len(values.types) != len(kind.types):
        return f"returned {len(values.types)} fields; expected {name}({', '.join(kind.fields)})"
    for field, value, wanted in zip(kind.fields, values.types, kind.types, strict=True):
        if isinstance(value, types.Float) and isinstance(wanted, types.Integer):
            return f"returned a float for the integer field {field!r}"
    return ""


def _cast(kind, context, builder, signature, args):
    values = signature.args[1]
    items = [
        context.cast(builder, builder.extract_value(args[1], i), values.types[i], kind.types[i]) for i in range(len(kind.types))
    ]
    return context.make_tuple(builder, kind, items)


def constant(position, name):
    """A class attribute of the position's type as a compile-time constant. name: a literal string."""
    return getattr(type(position), name)


@overloaded(constant, prefer_literal=True)
def _constant(position, name):
    if not isinstance(name, types.StringLiteral):
        return None
    value = getattr(class_of(position), name.literal_value)
    return lambda position, name: value


def _hash_step(state, word):
    return mix(state ^ word) + GOLDEN


def hash_fields(position):
    """uint64 hash of the fields that CLOCKS does not name."""
    state = GOLDEN
    for field, kind, value in zip(position._fields, field_types(type(position)), position, strict=True):
        if field not in getattr(type(position), "CLOCKS", ()):
            state = wrapping_add(plain(mix)(state ^ as_uint64(word_of(kind, value))), GOLDEN)
    return state


@intrinsic
def _hash_fields(typingctx, position):
    position_class = class_of(position)
    clocks = getattr(position_class, "CLOCKS", ())

    def codegen(context, builder, signature, args):
        state = context.get_constant(types.uint64, int(GOLDEN))
        for i, field in enumerate(position_class._fields):
            if field not in clocks:
                word = builder.extract_value(args[0], i)
                if position.types[i] == types.float64:
                    word = builder.bitcast(word, context.get_value_type(types.uint64))
                step = types.uint64(types.uint64, types.uint64)
                state = context.compile_internal(builder, _hash_step, step, [state, word])
        return state

    return types.uint64(position), codegen


def write_fields(position, out):
    """Writes the fields that CLOCKS does not name to out, int64, and returns how many they are."""
    count = 0
    for field, kind, value in zip(position._fields, field_types(type(position)), position, strict=True):
        if field not in getattr(type(position), "CLOCKS", ()):
            out[count] = word_of(kind, value)
            count += 1
    return count


@intrinsic
def _write_fields(typingctx, position, out):
    position_class = class_of(position)
    clocks = getattr(position_class, "CLOCKS", ())

    def codegen(context, builder, signature, args):
        count = 0
        for i, field in enumerate(position_class._fields):
            if field not in clocks:
                store_word(context, builder, position.types[i], builder.extract_value(args[0], i), out, args[1], count)
                count += 1
        return context.get_constant(types.int64, count)

    return types.int64(position, out), codegen


@overloaded(write_fields)
def _write_fields_overload(position, out):
    return lambda position, out: _write_fields(position, out)


@overloaded(hash_fields)
def _hash_fields_overload(position):
    return lambda position: _hash_fields(position)
