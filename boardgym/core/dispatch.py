"""How verbs find their rules: generic functions over positions, dispatched at compile time on the type of the position.

A rules file defines a position, a `NamedTuple` of integers, and registers functions over it:

    class TicTacToe(NamedTuple):
        own: int
        other: int

    @rule(TicTacToe)
    def to_play(position):
        return popcount(position.own | position.other) & 1

Generic code calls `verbs.to_play(position)`; within a kernel this compiles to a direct call of that rule, and with
`NUMBA_DISABLE_JIT=1` the same lines run as plain Python. A subclass of a position type inherits its rules and may
override any; class attributes in capitals are compile-time constants (`constant(position, "SIZE")`), which is how one
rules file serves several board sizes.

Kernels never take a position from Python. They take a `Token`, which says which game it is, and the position as a row
of int64 (`pack`, `unpack`). Settings of compiled policies travel in the same way.
"""

import functools
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import NativeValue, intrinsic, models, overload, register_model, unbox
from numba.np.arrayobj import make_array

from boardgym.core.bits import as_int64, as_uint64
from boardgym.core.cache import inlined, inner
from boardgym.core.digest import digest_rules
from boardgym.core.errors import RuleError, nearest
from boardgym.core.parts import OPTIONS

FIELD_TYPES = {int: types.int64, np.int64: types.int64, np.uint64: types.uint64, float: types.float64}

POSITION_VERBS = ("apply", "transform")  # what they return is given the type of their first argument

_RULES: dict[tuple[str, type], Any] = {}  # (verb, class) -> compiled function
_ARITY: dict[str, int] = {}
_CLASSES: dict[str, type] = {}  # token name -> class
_FROZEN: set[type] = set()


# ---------------------------------------------------------------- registration and look-up


def rule(*classes: type) -> Callable[[Callable[..., Any]], Any]:
    """Registers a function as the verb of its name for position (or policy settings) types, compiled.

    Raises:
        RuleError: no verb has that name, the number of parameters differs, or the type is in use already.
    """

    def register(function: Callable[..., Any]) -> Any:
        name = function.__name__
        if name not in _ARITY:
            raise RuleError(f"no verb is called {name!r}; {nearest(name, _ARITY)}")
        expected = _ARITY[name] - (name == "decode")
        if function.__code__.co_argcount != expected:
            raise RuleError(f"the verb {name!r} takes {expected} arguments, {function.__qualname__} takes "
                            f"{function.__code__.co_argcount}")  # fmt: skip
        for position_class in classes:
            if any(position_class in frozen.__mro__ for frozen in _FROZEN):
                raise RuleError(f"{position_class.__qualname__} is in use: {name!r} cannot be registered any more; "
                                "define a new class")  # fmt: skip
        compiled = inlined(function) if name == "choose" else inner(function)  # it takes tuples of arrays, and has one caller
        _RULES.update({(name, position_class): compiled for position_class in classes})
        return compiled

    strangers = [kind for kind in classes if not (isinstance(kind, type) and issubclass(kind, tuple))]
    if strangers or not classes:
        raise RuleError(f"expected NamedTuple classes, as in @rule(MyGame), got {strangers or 'none'}")
    return register


def find_rule(name: str, position_class: Any) -> Any:
    """The function registered for a verb and a class or its bases, or None."""
    for base in getattr(position_class, "__mro__", ()):
        if (name, base) in _RULES:
            return _RULES[name, base]
    return None


def has_rule(name: str, position_class: type) -> bool:
    """Whether a position type (or one of its bases) defines the verb itself, rather than taking the default."""
    return find_rule(name, position_class) is not None


def class_of(kind: Any) -> Any:
    """The class behind a Numba type: of a named tuple, or the one that a token stands for."""
    if isinstance(kind, TokenType):
        return _CLASSES.get(kind.name)
    return getattr(kind, "instance_class", None)


def verb(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a generic verb of a documented stub, dispatched on the type of its first argument.

    From Python the verb works too, but it is compiled in each process anew: for tests and single looks.
    """
    return _make_verb(stub, None)


def optional_verb(stub: Callable[..., Any]) -> Callable[..., Any]:
    """As `verb`; the stub's body is the default for types that do not define the verb."""
    return _make_verb(stub, inner(stub))


def _make_verb(stub: Callable[..., Any], default: Any) -> Callable[..., Any]:
    name, arity = stub.__name__, stub.__code__.co_argcount
    _ARITY[name] = arity

    def find(kind: Any) -> Any:
        position_class = class_of(kind)
        return None if position_class is None else find_rule(name, position_class) or default

    @functools.wraps(stub)
    def dispatch(*args: Any) -> Any:
        first = args[0]
        position_class = first.position_class if isinstance(first, Token) else type(first)
        function = find_rule(name, position_class) or default
        if function is None:
            raise RuleError(f"{position_class.__qualname__} does not define the verb {name!r}")
        if name == "decode":
            return _typed(position_class, function(*args[1:]))
        if not isinstance(first, Token) and not _has_arrays(position_class):
            args = (_typed(position_class, first), *args[1:])
        values = function(*args)
        return _typed(position_class, values) if name in POSITION_VERBS else values

    overload(dispatch, jit_options={"nogil": True, "forceinline": True, **OPTIONS})(_implementation(name, arity, find))
    return dispatch


def _implementation(name: str, arity: int, find: Callable[[Any], Any]) -> Callable[..., Any]:
    """Numba's overload of a verb: picks the rule by the type of the first argument."""
    if name in POSITION_VERBS:

        def implement(a, b):
            f = find(a)
            return None if f is None else (lambda a, b: retype(a, f(a, b)))
    elif name == "decode":

        def implement(a, b):
            f = find(a)
            return None if f is None else (lambda a, b: retype(a, f(b)))
    elif arity == 1:

        def implement(a):  # type: ignore[misc]
            f = find(a)
            return None if f is None else (lambda a: f(a))
    elif arity == 2:

        def implement(a, b):
            f = find(a)
            return None if f is None else (lambda a, b: f(a, b))
    elif arity == 3:

        def implement(a, b, c):  # type: ignore[misc]
            f = find(a)
            return None if f is None else (lambda a, b, c: f(a, b, c))
    elif arity == 4:  # make_scratch

        def implement(a, b, c, d):  # type: ignore[misc]
            f = find(a)
            return None if f is None else (lambda a, b, c, d: f(a, b, c, d))
    elif arity == 6:  # choose

        def implement(a, b, c, d, e, g):  # type: ignore[misc]
            f = find(a)
            return None if f is None else (lambda a, b, c, d, e, g: f(a, b, c, d, e, g))
    else:
        raise RuleError(f"verbs of {arity} arguments are not provided for; add a template")
    return implement


# ---------------------------------------------------------------- tokens, rows


class TokenType(types.Type):  # type: ignore[misc]
    """Numba's type of a token: a name alone, so that it can be read back where the game is absent."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)

    @property
    def title(self) -> str:
        """The class's bare name, for messages."""
        return str(self.name).split("(")[1].split("#")[0].rpartition(".")[2]

    def __reduce__(self) -> Any:
        return TokenType, (self.name,)


register_model(TokenType)(models.OpaqueModel)


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
        rules = {name: find_rule(name, position_class) for name in sorted(_ARITY)}
        digest = digest_rules(position_class, {n: f for n, f in rules.items() if f is not None})
        self.name = f"Token({position_class.__module__}.{position_class.__qualname__}#{digest})"
        _CLASSES[self.name] = position_class
        _FROZEN.add(position_class)
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
            raise RuleError(f"field {field!r} of {position_class.__qualname__} is annotated {hints[field]!r}; "
                            "expected int, float, np.int64 or np.uint64")  # fmt: skip
        kinds.append(FIELD_TYPES[hints[field]])
    if not kinds:
        raise RuleError(f"{position_class!r} is no NamedTuple with fields")
    return tuple(kinds)


@functools.cache
def _has_arrays(position_class: type) -> bool:
    """Whether some fields of a class are arrays: no position or settings then, but what somebody learns in."""
    return any(typing.get_origin(hint) is np.ndarray for hint in typing.get_type_hints(position_class).values())


def _tuple_type(position_class: type) -> Any:
    return types.BaseTuple.from_types(field_types(position_class), position_class)


def num_fields(token) -> int:
    """Length of a token's rows, a compile-time constant."""
    return len(token.fields)


@overload(num_fields)
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


def _typed(position_class: Any, values: Any) -> Any:
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


@overload(unpack)
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


@overload(pack)
def _pack_overload(position, row):
    return lambda position, row: _pack(position, row)


@intrinsic
def retype(typingctx, like, values):
    """The tuple `values` as the type of `like` (a position or a token): a rule may return a base class or a bare tuple."""
    kind = _tuple_type(class_of(like))
    if not isinstance(values, types.BaseTuple) or len(values.types) != len(kind.types):
        raise TypingError(f"a rule of {kind} returned {values}")
    if any(isinstance(v, types.Float) and isinstance(k, types.Integer) for v, k in zip(values.types, kind.types, strict=True)):
        raise TypingError(f"a rule of {kind} returned a float for an integer field: {values}")

    def codegen(context, builder, signature, args):
        items = [
            context.cast(builder, builder.extract_value(args[1], i), values.types[i], kind.types[i])
            for i in range(len(kind.types))
        ]
        return context.make_tuple(builder, kind, items)

    return kind(like, values), codegen


def constant(position, name):
    """A class attribute of the position's type as a compile-time constant. name: a literal string."""
    return getattr(type(position), name)


@overload(constant, prefer_literal=True)
def _constant(position, name):
    if not isinstance(name, types.StringLiteral):
        return None
    value = getattr(class_of(position), name.literal_value)
    return lambda position, name: value


def borrow(arrays):
    """The same array, or tuple of arrays and of such tuples, without a part in their life time, which somebody else guards.

    That is the caller of a kernel for its arguments, and `keep` for what a kernel has made itself. Kernels that take many
    views of arrays (a row of each, for every board) would else count references up and down, by atomic operations that take
    longer than the rules of a game.
    """
    return arrays


def keep(arrays):
    """Keeps what has been borrowed alive to this line."""


def _without_owner(context, builder, kind, value):
    if isinstance(kind, types.BaseTuple):
        items = [_without_owner(context, builder, k, builder.extract_value(value, i)) for i, k in enumerate(kind.types)]
        return context.make_tuple(builder, kind, items)
    if isinstance(kind, types.Array):
        array = make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    return value


@intrinsic
def _borrow(typingctx, arrays):
    return arrays(arrays), lambda context, builder, signature, args: _without_owner(context, builder, arrays, args[0])


@overload(borrow)
def _borrow_overload(arrays):
    return lambda arrays: _borrow(arrays)


@intrinsic
def _keep(typingctx, arrays):
    return types.none(arrays), lambda context, builder, signature, args: context.get_dummy_value()


@overload(keep)
def _keep_overload(arrays):
    return lambda arrays: _keep(arrays)
