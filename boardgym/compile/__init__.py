"""How Python functions become machine code, and where that is kept: the only room that knows Numba's insides.

A game's rules and what plays them are Python functions with one of three decorators. `kernel` makes an entry point, called from
Python and kept on disk; `inner` a function that kernels call; `rule` (`boardgym.core.verbs`) an `inner` that is found by the
type of the position.
"""

from numba.core.errors import NumbaError

from boardgym.compile.crew import MOST_HELPERS, Crew, in_pieces, shared
from boardgym.compile.kernels import (
    IS_COMPILED,
    EntryPoints,
    TypedTuple,
    as_python,
    entry_point,
    inlined,
    inner,
    is_there,
    kernel,
    overloaded,
    plain,
    prepare,
    spliced,
)
from boardgym.compile.notice import WorkClock
from boardgym.compile.uncompiled import uncompiled

__all__ = [
    "IS_COMPILED",
    "MOST_HELPERS",
    "Crew",
    "EntryPoints",
    "NumbaError",
    "TypedTuple",
    "WorkClock",
    "as_python",
    "entry_point",
    "in_pieces",
    "inlined",
    "inner",
    "is_there",
    "kernel",
    "overloaded",
    "plain",
    "prepare",
    "shared",
    "spliced",
    "uncompiled",
]
