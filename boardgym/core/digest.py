"""A digest of a game's rules: two games share machine code on disk only if it is equal."""

import hashlib
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

PLAIN = (int, float, complex, str, bytes, bool, type(None), np.generic)


def digest_rules(position_class: type, rules: Mapping[str, Any]) -> str:
    """Digest of a position type and its rules, with everything that they call or read. 16 hex digits.

    Functions are followed by their byte code, constants, closure and the globals they name; so the digest does not
    depend on where a file lies, and serves notebooks and `__main__` as well.
    """
    walker = _Walker()
    walker.add(position_class)
    for name, function in sorted(rules.items()):
        walker.text(name)
        walker.add(function)
    return walker.hash.hexdigest()[:16]


class _Walker:
    """Feeds a hash with objects, each once."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.seen: set[int] = set()
        self.kept: list[Any] = []  # so that no id is used twice

    def text(self, *parts: object) -> None:
        self.hash.update(("\0".join(map(str, parts)) + "\1").encode())

    def add(self, thing: Any) -> None:
        thing = getattr(thing, "py_func", thing)  # a compiled function counts as its source
        if isinstance(thing, PLAIN):
            self.text(type(thing).__name__, repr(thing))
            return
        if id(thing) in self.seen:
            self.text("again")
            return
        self.seen.add(id(thing))
        self.kept.append(thing)
        if isinstance(thing, tuple | list):
            self.text(type(thing).__name__, len(thing))
            for item in thing:
                self.add(item)
        elif isinstance(thing, np.ndarray):
            self.text("array", thing.dtype.str, thing.shape)
            self.hash.update(np.ascontiguousarray(thing).tobytes())
        elif isinstance(thing, types.FunctionType):
            self._function(thing)
        elif isinstance(thing, types.CodeType):
            self._code(thing)
        elif isinstance(thing, type):
            self._class(thing)
        elif isinstance(thing, types.ModuleType):
            self._module(thing)
        else:
            self.text(type(thing).__module__, type(thing).__qualname__)

    def _function(self, function: types.FunctionType) -> None:
        self.text("function", function.__qualname__)
        if function.__module__.startswith(("boardgym.", "numba.", "numpy.")):
            return  # the folder of the cache is named by these sources and versions
        self.add(function.__code__)
        self.add(function.__defaults__ or ())
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)
        for name in sorted(_names(function.__code__)):
            if name in function.__globals__:
                self.text(name)
                self.add(function.__globals__[name])

    def _code(self, code: types.CodeType) -> None:
        self.hash.update(code.co_code)
        self.text(code.co_names, code.co_varnames, code.co_freevars)
        for item in code.co_consts[1:] if code.co_consts and isinstance(code.co_consts[0], str) else code.co_consts:
            self.add(item)

    def _class(self, kind: type) -> None:
        self.text("class", kind.__module__, kind.__qualname__)
        if issubclass(kind, tuple):
            self.text(getattr(kind, "_fields", ()))
            for base in kind.__mro__:
                for name, value in sorted(vars(base).items()):
                    if name.isupper():
                        self.text(name)
                        self.add(value)
                hints = vars(base).get("__annotations__", {})
                self.text([(n, getattr(h, "__name__", h)) for n, h in hints.items()])

    def _module(self, module: types.ModuleType) -> None:
        self.text("module", module.__name__)
        file = getattr(module, "__file__", None)
        if file and "site-packages" not in file and not module.__name__.startswith(("boardgym", "numpy", "numba")):
            self.hash.update(Path(file).read_bytes())


def _names(code: types.CodeType) -> set[str]:
    """The global names that a function or a function within it reads."""
    names = set(code.co_names)
    for item in code.co_consts:
        if isinstance(item, types.CodeType):
            names |= _names(item)
    return names
