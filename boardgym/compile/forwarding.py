"""Generic functions that stand for another compiled function, chosen by the types of the arguments.

Numba's `overload` does that too, by a function that calls the other one: one more function to compile for each call of a verb,
which took a thirteenth of the time that a game's kernels took. Here the call itself is one of the other function.
"""

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global

from boardgym.compile.registry import IMPLEMENTERS
from boardgym.core.errors import RuleError


def forwarded(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a Python function its compiled forms: what is decorated gets the Numba types of its arguments, and returns one.

    That is another compiled function, or an intrinsic, which takes the same arguments; None if there is none for such types.
    Calls have no keywords. Noted, so that the digests of kernels cover it.
    """

    def register(choose: Callable[..., Any]) -> Callable[..., Any]:
        class Forwarding(AbstractTemplate):  # type: ignore[misc]
            """Types a call as one of what `choose` returns."""

            key = function
            metadata = {"target": "cpu"}
            known: dict[Any, Any] = {}

            def generic(self, args: Any, kws: Any) -> Any:
                chosen = choose(*args)
                if chosen is None:
                    return None
                if hasattr(chosen, "py_func") and self.context.callstack.match(chosen.py_func, args) is not None:
                    raise RuleError(
                        f"{chosen.py_func.__qualname__} calls itself by way of {function.__name__}; expected a function that "
                        "calls itself by its own name"
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
