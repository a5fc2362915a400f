"""A digest of a game's rules: two games share machine code on disk only if it is equal."""

import enum
import hashlib
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

PLAIN = (int, float, complex, str, bytes, bool, type(None), np.generic, np.dtype)
CONSTANT = (*PLAIN, tuple, frozenset, np.ndarray)
COVERED = ("boardgym.", "numba.", "numpy.")  # the folder of the cache is named by these sources and versions


def digest_rules(position_class: type, rules: Mapping[str, Any]) -> str:
    """Digest of a position type and its rules, with everything that they call or read. 16 hex digits.

    Functions are followed by their byte code, constants, closure and the globals they name; so the digest does not
    depend on the name or place of a file, and serves notebooks and `__main__` as well.
    """
    walker = _Walker()
    walker.add(position_class)
    for name, function in sorted(rules.items()):
        walker.text(name)
        walker.add(function)
    return walker.hash.hexdigest()[:16]


def digest_function(function: Callable[..., Any]) -> str:
    """Digest of one function with everything that it calls or reads, empty for the package's own. 16 hex digits."""
    if is_covered(function):
        return ""
    walker = _Walker()
    walker.add(function)
    return walker.hash.hexdigest()[:16]


def is_covered(thing: Any) -> bool:
    """Whether a function, class or module is part of what names the folder of the cache."""
    name = thing.__name__ if isinstance(thing, types.ModuleType) else getattr(thing, "__module__", None)
    return f"{name}.".startswith(COVERED)


class _Walker:
    """Feeds a hash with objects, functions and classes each once."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.seen: set[Any] = set()
        self.kept: list[Any] = []  # so that no id is used twice

    def text(self, *parts: object) -> None:
        self.hash.update(("\0".join(map(str, parts)) + "\1").encode())

    def add(self, thing: Any, names: frozenset[str] = frozenset()) -> None:
        """Feeds one object. names: the attributes that are read of it, if it is a module."""
        thing = getattr(thing, "py_func", thing)  # a compiled function counts as its source
        if isinstance(thing, PLAIN):
            self.text(type(thing).__name__, repr(thing))
        elif isinstance(thing, tuple):
            self.text(type(thing).__name__, len(thing))
            for item in thing:
                self.add(item)
        elif isinstance(thing, frozenset):
            self.text("frozenset", sorted(map(repr, thing)))  # their order differs between processes
        elif isinstance(thing, np.ndarray):
            self.text("array", thing.dtype.str, thing.shape)
            self.hash.update(np.ascontiguousarray(thing).tobytes())
        elif isinstance(thing, types.ModuleType):
            self._module(thing, names)
        elif id(thing) in self.seen:
            self.text("again")
        else:
            self.seen.add(id(thing))
            self.kept.append(thing)
            self._once(thing)

    def _once(self, thing: Any) -> None:
        if isinstance(thing, types.FunctionType):
            self._function(thing)
        elif isinstance(thing, types.CodeType):
            self._code(thing)
        elif isinstance(thing, type):
            self._class(thing)
        else:  # a builtin, a ufunc, a Numba type
            self.text(type(thing).__qualname__, getattr(thing, "__name__", None) or getattr(thing, "name", ""))

    def _function(self, function: types.FunctionType) -> None:
        self.text("function", function.__qualname__)
        if is_covered(function):
            return
        self._code(function.__code__, function.__doc__)
        self.add(function.__defaults__ or ())
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.text(name)
            self.add(cell.cell_contents)
        names = _names(function.__code__)
        for name in sorted(names):
            if name in function.__globals__:
                self.text(name)
                self.add(function.__globals__[name], names)

    def _code(self, code: types.CodeType, doc: str | None = None) -> None:
        self.hash.update(code.co_code)
        self.text(code.co_names, code.co_varnames, code.co_freevars)
        has_doc = doc is not None and code.co_consts[:1] == (doc,)
        for item in code.co_consts[has_doc:]:
            self.add(item)

    def _class(self, kind: type) -> None:
        self.text("class", kind.__qualname__)
        if issubclass(kind, enum.Enum):
            self.text([(name, member.value) for name, member in kind.__members__.items()])
        for base in kind.__mro__:
            if base.__module__ == "builtins" or base.__module__.startswith(("numpy", "numba")):
                continue
            for name, value in sorted(vars(base).items()):
                if not name.startswith("__") and isinstance(value, CONSTANT):
                    self.text(name)
                    self.add(value)
        if issubclass(kind, tuple):
            try:
                hints = typing.get_type_hints(kind)
            except (NameError, TypeError):
                hints = inspect.get_annotations(kind)
            self.text([(name, getattr(hint, "__name__", hint)) for name, hint in hints.items()])

    def _module(self, module: types.ModuleType, names: frozenset[str]) -> None:
        self.text("module", module.__name__)
        for name in () if is_covered(module) else sorted(names):
            if (module.__name__, name) not in self.seen and hasattr(module, name):
                self.seen.add((module.__name__, name))
                self.text(name)
                self.add(getattr(module, name), names)


def _names(code: types.CodeType) -> frozenset[str]:
    """The names that a function or a function within it reads, of globals and of attributes."""
    names = set(code.co_names)
    for item in code.co_consts:
        if isinstance(item, types.CodeType):
            names |= _names(item)
    return frozenset(names)
