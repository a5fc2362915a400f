"""Generic functions that stand for another compiled function, chosen by the types of the arguments.

Numba's `overload` does that too, by a function that calls the other one: one more function to compile for each call of a verb,
which took a thirteenth of the time that a game's kernels took. Here the call itself is one of the other function.
"""

import inspect
from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global

from boardgym.compile.registry import IMPLEMENTERS
from boardgym.core.errors import RuleError


def forwarded(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a Python function its compiled forms: what is decorated gets the Numba types of its arguments, and returns one.

    That is another compiled function, or an intrinsic, which takes the same arguments; None if there is none for such types.
    Calls name no arguments, and leave none out. Noted, so that the digests of kernels cover it.
    """
    arity = len(inspect.signature(function).parameters)

    def register(choose: Callable[..., Any]) -> Callable[..., Any]:
        class Forwarding(AbstractTemplate):  # type: ignore[misc]
            """Types a call as one of what `choose` returns."""

            key = function
            metadata = {"target": "cpu"}
            known: dict[Any, Any] = {}

            def generic(self, args: Any, kws: Any) -> Any:
                chosen = choose(*args) if len(args) == arity and not kws else None
                if chosen is None:
                    return None
                if hasattr(chosen, "py_func") and self.context.callstack.match(chosen.py_func, tuple(args)) is not None:
                    code = chosen.py_func.__code__
                    raise RuleError(
                        f"{code.co_filename}, line {code.co_firstlineno}: {code.co_name} calls itself by way of the verb "
                        f"{function.__name__!r}; expected a loop, or a function of its own (boardgym.compile.inner) that calls "
                        "itself by its name"
                    )
                kind = self.context.resolve_value_type(chosen)
                signature = self.context.resolve_function_type(kind, args, kws)
                if signature is not None:
                    self.known[signature.args] = kind
                return signature

            def get_impl_key(self, signature: Any) -> Any:
                return self.known[signature.args].get_impl_key(signature)

        IMPLEMENTERS.setdefault(function, []).append(choose)
        infer_global(function, types.Function(Forwarding))
        return choose

    return register
