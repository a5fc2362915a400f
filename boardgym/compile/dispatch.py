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
from collections.abc import Callable
from typing import Any

from boardgym.compile.compile_mode import OPTIONS
from boardgym.compile.kernels import inlined, inner, overloaded
from boardgym.compile.registry import ARITY, FROZEN, NUMBERS, RULES, SUBJECTS, class_of, find_rule, rules_of
from boardgym.compile.tokens import Token, has_arrays, retype_of, typed
from boardgym.core.errors import RuleError, nearest

NO_NUMBERS = ("apply", "transform", "decode", "observe")  # all other verbs of positions return a number
POSITION_VERBS = ("apply", "transform")  # what they return is given the type of their first argument


def rule(*classes: type, verb: str = "") -> Callable[[Callable[..., Any]], Any]:
    """Registers a function as a rule of position types, or of the settings of policies, learners and the like, compiled.

    Args:
        classes: NamedTuple classes.
        verb: of which it is the rule; the verb of the function's name if left out.

    Raises:
        RuleError: no verb has that name, the class is of another kind than the verb is for, the number of parameters
            differs, or the type is in use already.
    """

    def register(function: Callable[..., Any]) -> Any:
        name = verb or function.__name__
        if name not in ARITY:
            raise RuleError(f"no verb is called {name!r}; {nearest(name, _alike(classes))}")
        for position_class in classes:
            _check_kind(name, position_class)
        expected = ARITY[name] - (name == "decode")
        if function.__code__.co_argcount != expected:
            raise RuleError(
                f"the verb {name!r} takes {expected} arguments, {function.__qualname__} takes {function.__code__.co_argcount}"
            )
        for position_class in classes:
            if any(position_class in frozen.__mro__ for frozen in FROZEN):
                raise RuleError(
                    f"{position_class.__qualname__} is in use: {name!r} cannot be registered any more; define a new class"
                )
        compiled = inlined(function) if name == "choose" else inner(function)  # it takes tuples of arrays, and has one caller
        if SUBJECTS[name] == "position" and name not in NO_NUMBERS:
            NUMBERS.add(function)
        RULES.update({(name, position_class): compiled for position_class in classes})
        return compiled

    strangers = [kind for kind in classes if not (isinstance(kind, type) and issubclass(kind, tuple))]
    if strangers or not classes:
        raise RuleError(f"expected NamedTuple classes, as in @rule(MyGame), got {strangers or 'none'}")
    return register


def _kinds_of(position_class: type) -> dict[str, str]:
    """What a class is: each of "position", "policy", "learner" ... with a verb that says so."""
    return {SUBJECTS[name]: name for name in rules_of(position_class)}


def _alike(classes: tuple[type, ...]) -> list[str]:
    """The verbs that a class may be given next: those of positions alone, or of all else, once it has any."""
    kinds = {kind for position_class in classes for kind in _kinds_of(position_class)}
    return [name for name, subject in SUBJECTS.items() if not kinds or (subject == "position") == ("position" in kinds)]


def _check_kind(name: str, position_class: type) -> None:
    """Raises RuleError where a position would get a verb of policies or learners, or one of these a game's."""
    subject = SUBJECTS[name]
    for kind, witness in _kinds_of(position_class).items():
        if (kind == "position") != (subject == "position"):
            raise RuleError(
                f"{name!r} is a verb of a {subject.replace('_', ' ')}; {position_class.__qualname__} is a "
                f"{kind.replace('_', ' ')}, since it has {witness!r}"
            )


def verb(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Makes a generic verb of a documented stub, dispatched on the type of its first argument.

    From Python the verb works too, but it is compiled in each process anew: for tests and single looks.
    """
    return _make_verb(stub, None)


def optional_verb(stub: Callable[..., Any]) -> Callable[..., Any]:
    """As `verb`; the stub's body is the default for types that do not define the verb."""
    return _make_verb(stub, inner(stub))


def missing(name: str, position_class: type) -> str:
    """The message for a class without a rule that it needs."""
    title = position_class.__qualname__
    return f"{title} does not define the verb {name!r}; expected a function {name} with the decorator @rule({title})"


def _make_verb(stub: Callable[..., Any], default: Any) -> Callable[..., Any]:
    name, arity = stub.__name__, stub.__code__.co_argcount
    ARITY[name], SUBJECTS[name] = arity, "position" if name == "decode" else stub.__code__.co_varnames[0]

    def find(kind: Any) -> Any:
        position_class = class_of(kind)
        if position_class is None:
            return None
        if (function := find_rule(name, position_class) or default) is None:
            raise RuleError(missing(name, position_class))
        return function

    @functools.wraps(stub)
    def dispatch(*args: Any) -> Any:
        first = args[0]
        position_class = first.position_class if isinstance(first, Token) else type(first)
        function = find_rule(name, position_class) or default
        if function is None:
            raise RuleError(missing(name, position_class))
        if name == "decode":
            return typed(position_class, function(*args[1:]))
        if not isinstance(first, Token) and not has_arrays(position_class):
            args = (typed(position_class, first), *args[1:])
        values = function(*args)
        return typed(position_class, values) if name in POSITION_VERBS else values

    overloaded(dispatch, jit_options={"nogil": True, "forceinline": True, **OPTIONS})(_implementation(name, arity, find))
    return dispatch


def _implementation(name: str, arity: int, find: Callable[[Any], Any]) -> Callable[..., Any]:
    """Numba's overload of a verb: picks the rule by the type of the first argument."""
    retype = retype_of(name)
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
