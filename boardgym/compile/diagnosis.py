"""What is wrong with a rule that does not compile, in one sentence in place of Numba's hundred lines."""

import contextlib
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

from numba.core.errors import NumbaError, UnsupportedBytecodeError

from boardgym.compile.registry import RULES
from boardgym.core.errors import RuleError, nearest

ANSI = re.compile(r"\x1b\[[0-9;]*m")
FAULTS = (NumbaError, UnsupportedBytecodeError)  # of the code that is compiled
PREAMBLE = ("Failed in nopython mode pipeline", "Failed in cuda mode pipeline")


class _Failures(threading.local):
    """What failed for a kernel in one thread, in the order in which the errors came by: from the cause outwards.

    compiling: functions that cannot be compiled. returned: rules whose value is no position where one is expected. depth: how
    many functions are being compiled, each on behalf of the one before.
    """

    depth = 0

    def __init__(self) -> None:
        self.compiling: dict[Any, Exception] = {}
        self.returned: dict[Any, Exception] = {}

    def clear(self) -> None:
        self.compiling.clear()
        self.returned.clear()


_FAILURES = _Failures()


@contextlib.contextmanager
def noted(function: Callable[..., Any]) -> Iterator[None]:
    """Within it a function is compiled on behalf of a kernel: whether that fails, and why, is noted."""
    _FAILURES.depth += 1
    try:
        yield
        _FAILURES.compiling.pop(function, None)  # Numba tries a call with literal types first, which may fail
    except FAULTS as error:
        _FAILURES.compiling[function] = error
        raise
    finally:
        _FAILURES.depth -= 1


def note_value(function: Callable[..., Any], error: Exception) -> None:
    """Notes why what a rule returns cannot be used."""
    _FAILURES.returned[function] = error


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """Within it a kernel is compiled. Raises RuleError in place of Numba's error where a rule is to blame."""
    is_outermost = _FAILURES.depth == 0
    if is_outermost:
        _FAILURES.clear()
    try:
        yield
    except FAULTS:
        if is_outermost and (text := explain()):
            raise RuleError(text) from None
        raise


def explain() -> str:
    """Which rule does not compile, where and why; empty if none is to blame.

    The first function that failed is the cause, a rule or what it calls; the rule is the first one from there on.
    """
    rules = {rule.py_func: name for name, rule in list(RULES.items())}
    for failures in (_FAILURES.compiling, _FAILURES.returned):
        if blamed := next((rules[function] for function in failures if function in rules), None):
            (function, error), (verb, kind) = next(iter(failures.items())), blamed
            line = line_of(error) or function.__code__.co_firstlineno
            within = "" if rules.get(function) == blamed else f", in {function.__name__}"
            return (
                f"{function.__code__.co_filename}, line {line}: {verb} of {kind.__qualname__}{within}: {cause_of(error, kind)}"
            )
    return ""


def line_of(error: Exception) -> int | None:
    """The line to which an error points: where what is returned differs, the first return. None: the error has no line."""
    returns = re.findall(r'Return of: [^\n]*\nFile "[^"\n]*", line (\d+)', ANSI.sub("", str(error)))
    return getattr(getattr(error, "loc", None), "line", None) or min(map(int, returns), default=None)


def cause_of(error: Exception, kind: type) -> str:
    """The cause in a sentence. kind: the class whose rule it is."""
    lines = [line.strip() for line in ANSI.sub("", str(error)).splitlines()]
    lines = [line for line in lines if line and not line.startswith(PREAMBLE)] or [type(error).__name__]
    text = lines[0].partition(" Raised from ")[0]
    if match := re.match(r"Unknown attribute '(\w+)' of type (\w+)\(", text):
        fields = getattr(kind, "_fields", ())
        return f"{match[2]} has no field {match[1]!r}; {nearest(match[1], fields)}"
    if match := re.match(r"(?:NameError: )?[Nn]ame '(\w+)' is not defined", text):
        return f"the name {match[1]!r} is not defined"
    if match := re.match(r"Untyped global name '(\w+)'.*?(?:<class '([\w.]+)'>|$)", text):
        return (
            f"the global {match[1]!r} is of a type that compiled code cannot use ({match[2] or 'unknown'}); expected a "
            "number, an array, a tuple of them, or a function with the decorator boardgym.compile.inner"
        )
    if match := re.match(r"(Cannot unify .* and .*) for '", text):
        return f"{match[1]}: expected one type, whichever way is taken"
    if match := re.match(r"Can't unify return type from the following types: (.*)", text):
        return f"returned {match[1]}, depending on the way taken; expected one type"
    if "(FORMAT_WITH_SPEC)" in text:  # byte code since Python 3.13, which Numba only names
        return "format spec in f-strings not supported yet"
    if text.startswith("No implementation of function") and len(lines) > 1:
        called = next((line for line in lines if line.startswith(">>>")), ">>> ?")
        return f"there is no compiled form of {called.removeprefix('>>>').strip()}"
    return text
