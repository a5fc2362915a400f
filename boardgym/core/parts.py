"""Whether the functions that kernels are made of are compiled in our way (`boardgym.core.linking`) or in Numba's own.

Ours makes first moves come in 0.6 of the time, at the same speed of the finished kernels, and stands on Numba's insides. With
another release of Numba, or where somebody looks at the machine code of single functions, nothing changes but the wait.
"""

from typing import Any

import numba
from numba.core import config

from boardgym.core.uncompiled import SwitchedDispatcher

KNOWN = ((0, 68),)  # releases of Numba with which the whole suite passes
IN_USE = numba.version_info.short in KNOWN and not (config.DISABLE_JIT or config.DEBUGINFO_DEFAULT or config.OPT == 0)

# What `numba.extending.overload` needs, beside flags of its own, to make parts.
OPTIONS: dict[str, Any] = {}

if IN_USE:
    from boardgym.core.linking import PartCompiler, PartDispatcher

    OPTIONS["pipeline_class"] = PartCompiler


def part(compiled: Any) -> Any:
    """A jitted function as a part of kernels."""
    if config.DISABLE_JIT:
        return compiled
    return PartDispatcher(compiled) if IN_USE else SwitchedDispatcher(compiled.py_func, {}, compiled.targetoptions)
