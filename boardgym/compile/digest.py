"""A digest of what machine code is made of: kernels share it on disk only where that is equal."""

import contextlib
import enum
import hashlib
import inspect
import types
import typing
from typing import Any, NamedTuple

import numpy as np
from numba.np.ufunc.dufunc import DUFunc

from boardgym.compile.registry import IMPLEMENTERS, rules_of

PLAIN = (int, float, complex, str, bytes, bool, type(None), np.generic, np.dtype)
METHODS = (types.FunctionType, classmethod, staticmethod, property, types.MemberDescriptorType, types.GetSetDescriptorType)
COVERED = ("boardgym.compile.", "numba.", "numpy.", "builtins.")  # what the name of the folder of kernels stands for
OURS = "boardgym."


class Node(NamedTuple):
    """A function or class. content: its own, in bytes. children: the functions and classes that it refers to, in order."""

    content: bytes
    children: tuple[Any, ...]


_KNOWN: dict[int, tuple[Any, Node]] = {}  # of our own functions, by id: what they refer to does not change after the import


def digest_of(*roots: Any) -> str:
    """Digest of functions and classes with all that they call, read or dispatch to. 16 hex digits.

    Functions are followed by their byte code, constants, closure and the globals that they name, classes by their constants,
    fields and rules. So the digest does not depend on the name or place of a file, on comments or on a function's docstring,
    and serves notebooks and `__main__` as well.
    """
    return _walk(roots)[0]


def reached(*roots: Any) -> list[Any]:
    """The functions and classes that `digest_of` covers."""
    return _walk(roots)[1]


def _walk(roots: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The digest, and all that it covers. Each is numbered as it comes, so that the digest says which refers to which."""
    hashed, numbers = hashlib.sha256(), dict[int, int]()
    found: list[Any] = []
    for root in roots:
        thing = _source(root)
        if id(thing) not in numbers:
            numbers[id(thing)] = len(found)
            found.append(thing)
    hashed.update(repr([numbers[id(_source(root))] for root in roots]).encode())
    for thing in found:  # grows
        node = _node(thing)
        places = []
        for child in node.children:
            if id(child) not in numbers:
                numbers[id(child)] = len(found)
                found.append(child)
            places.append(numbers[id(child)])
        hashed.update(node.content + repr(places).encode())
    return hashed.hexdigest()[:16], found


def _source(thing: Any) -> Any:
    """The Python function behind a compiled one, an intrinsic or a ufunc that Numba has made."""
    thing = getattr(thing, "_dispatcher", thing) if isinstance(thing, DUFunc) else thing
    return getattr(thing, "py_func", getattr(thing, "_defn", thing))


def _node(thing: Any) -> Node:
    """What a function or class consists of and refers to."""
    if id(thing) in _KNOWN:
        return _KNOWN[id(thing)][1]
    writer = _Writer()
    if isinstance(thing, type):
        writer.write_class(thing)
    else:
        writer.write_function(thing)
    node = Node(writer.hash.digest(), tuple(writer.children))
    if not isinstance(thing, type) and str(thing.__module__).startswith(OURS) and thing.__closure__ is None:
        _KNOWN[id(thing)] = thing, node
    return node


class _Writer:
    """Writes down one function or class."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.children: list[Any] = []
        self.seen: set[tuple[str, str]] = set()  # attributes of modules

    def text(self, *parts: object) -> None:
        self.hash.update(("\0".join(map(str, parts)) + "\1").encode())

    def add(self, thing: Any, names: frozenset[str] = frozenset()) -> None:
        """Writes down what is referred to. names: the attributes that are read of it, if it is a module."""
        thing = _source(thing)
        if isinstance(thing, enum.Enum):
            self.text(type(thing).__qualname__, thing.name)
            self.add(thing.value)
        elif isinstance(thing, PLAIN):
            self.text(type(thing).__name__, repr(thing))
        elif isinstance(thing, tuple | list):
            self.text(type(thing).__name__, len(thing))
            if hasattr(thing, "_fields"):
                self.children.append(type(thing))
            for item in thing:
                self.add(item)
        elif isinstance(thing, frozenset | set):
            self.text("set", sorted(map(repr, thing)))  # their order differs between processes
        elif isinstance(thing, slice):
            self.text("slice", thing.start, thing.stop, thing.step)
        elif isinstance(thing, np.ndarray):
            self.text("array", thing.dtype.descr, thing.shape)
            self.hash.update(np.ascontiguousarray(thing).tobytes())
        elif isinstance(thing, types.ModuleType):
            self.write_module(thing, names)
        elif isinstance(thing, types.CodeType):
            self.write_code(thing)
        elif isinstance(thing, types.FunctionType | type) and not is_covered(thing):
            self.text("refers", thing.__qualname__)
            self.children.append(thing)
        else:  # a builtin, a ufunc, a Numba type
            self.text(type(thing).__qualname__, getattr(thing, "__name__", None) or getattr(thing, "name", ""))
            self.add_forms(thing)

    def write_function(self, function: types.FunctionType) -> None:
        """Its code, defaults and closure, and what its names stand for."""
        self.text("function", function.__qualname__)
        self.write_code(function.__code__, function.__doc__)
        self.add(function.__defaults__ or ())
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.text(name)
            with contextlib.suppress(ValueError):  # an empty cell
                self.add(cell.cell_contents)
        names = _names(function.__code__)
        for name in sorted(names):
            if name in function.__globals__:
                self.text(name)
                self.add(function.__globals__[name], names)
        self.add_forms(function)

    def add_forms(self, function: Any) -> None:
        """What gives a function its compiled forms."""
        try:
            forms = IMPLEMENTERS.get(function, ())
        except TypeError:  # it has no hash, say a dataclass with a dictionary
            return
        for implement in forms:
            self.add(implement)

    def write_code(self, code: types.CodeType, doc: str | None = None) -> None:
        """Byte code and constants, without a docstring and line numbers."""
        self.hash.update(code.co_code + code.co_exceptiontable)
        self.text(code.co_argcount, code.co_flags, code.co_names, code.co_varnames, code.co_freevars)
        has_doc = doc is not None and code.co_consts[:1] == (doc,)
        for item in code.co_consts[has_doc:]:
            self.add(item)

    def write_class(self, kind: type) -> None:
        """Its constants and fields, and its rules."""
        self.text("class", kind.__qualname__)
        if issubclass(kind, enum.Enum):
            self.text([(name, member.value) for name, member in kind.__members__.items()])
        for base in kind.__mro__:
            if is_covered(base):
                continue
            for name, value in sorted(vars(base).items()):
                if not name.startswith("__") and not isinstance(value, METHODS):
                    self.text(name)
                    self.add(value)
        if issubclass(kind, tuple):
            try:
                hints = typing.get_type_hints(kind)
            except (NameError, TypeError):
                hints = inspect.get_annotations(kind)
            self.text([(name, getattr(hint, "__name__", hint)) for name, hint in hints.items()])
        for name, rule in rules_of(kind).items():
            self.text(name)
            self.add(rule)

    def write_module(self, module: types.ModuleType, names: frozenset[str]) -> None:
        """The attributes of these names."""
        self.text("module", module.__name__)
        for name in () if is_covered(module) else sorted(names):
            if (module.__name__, name) not in self.seen and hasattr(module, name):
                self.seen.add((module.__name__, name))
                self.text(name)
                self.add(getattr(module, name), names)


def is_covered(thing: Any) -> bool:
    """Whether a function, class or module is part of what names the folder of kernels."""
    name = thing.__name__ if isinstance(thing, types.ModuleType) else getattr(thing, "__module__", None)
    return f"{name}.".startswith(COVERED)


def _names(code: types.CodeType) -> frozenset[str]:
    """The names that a function or a function within it reads, of globals and of attributes."""
    names = set(code.co_names)
    for item in code.co_consts:
        if isinstance(item, types.CodeType):
            names |= _names(item)
    return frozenset(names)
