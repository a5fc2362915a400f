"""Whether the functions that kernels are made of are compiled in our way (`boardgym.compile.linking`) or in Numba's own.

Ours makes first moves come in 0.6 of the time, at the same speed of the finished kernels, and stands on Numba's insides. With
another release of Numba, or where somebody looks at the machine code of single functions, nothing changes but the wait.
"""

from typing import Any

import numba
from numba.core import config

from boardgym.compile.uncompiled import SwitchedDispatcher

KNOWN = ((0, 68),)  # releases of Numba with which the whole suite passes
IS_KNOWN = numba.version_info.short in KNOWN
UNKNOWN = (
    f"Numba {numba.__version__} is not one that this release has been tried with "
    f"({', '.join('.'.join(map(str, known)) for known in KNOWN)}): compiling takes longer"
)
IN_USE = IS_KNOWN and not (config.DISABLE_JIT or config.DEBUGINFO_DEFAULT or config.OPT == 0)

# What `numba.extending.overload` needs, beside flags of its own, to make parts.
OPTIONS: dict[str, Any] = {}

if IN_USE:
    from boardgym.compile.flags import compare_quickly
    from boardgym.compile.linking import PartCompiler, PartDispatcher
    from boardgym.compile.shortcuts import take_shortcuts

    compare_quickly()
    take_shortcuts()
    OPTIONS["pipeline_class"] = PartCompiler


def part(function: Any, options: dict[str, Any]) -> Any:
    """A function as a part of kernels. options: Numba's, as `numba.njit` makes them of its arguments."""
    return PartDispatcher(function, options) if IN_USE else SwitchedDispatcher(function, {}, options)
