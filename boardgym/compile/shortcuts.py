"""Work of Numba's that leaves the machine code as it is, and that is left out here.

That is a seventh of the time that it takes to compile a kernel, and a tenth of a short command's.
"""

import contextlib
import importlib.util
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from numba.core import event, transforms
from numba.core.cpu import CPUContext
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.runtime.context import NRTContext

_install_timer = event.install_timer
_load_additional_registries = CPUContext.load_additional_registries
_run = PostProcessor.run


def install_timer(kind: str, callback: Callable[[float], None]) -> AbstractContextManager[Any]:
    """As Numba's; nothing within another of its kind, to which the time counts too.

    Numba times the locks of each function, with those of all functions that it calls: each lock would be told to every caller.
    """
    if any(isinstance(listener, event.TimingListener) for listener in event._registered[kind]):
        return contextlib.nullcontext()
    return _install_timer(kind, callback)  # type: ignore[no-any-return]


def _holds_references(manager: Any, builder: Any, kind: Any) -> bool:
    """Whether there is a counted reference in values of a Numba type. Noted with Numba's model of the type."""
    model = manager[kind]
    known: bool | None = getattr(model, "holds_references", None)
    if known is None:
        parts = model.traverse(builder)
        known = model.has_nrt_meminfo() or any(_holds_references(manager, builder, part) for part, _ in parts)
        model.holds_references = known
    return known


def get_meminfos(self: NRTContext, builder: Any, ty: Any, val: Any) -> list[tuple[Any, Any]]:
    """As Numba's: the counted references in a value, with their types. What holds none is not taken apart.

    Numba takes each tuple apart to its last number, at each place where a variable begins or ends: half of all instructions
    that LLVM got to read.
    """
    manager = self._context.data_model_manager
    if not _holds_references(manager, builder, ty):
        return []
    model = manager[ty]
    found = [(ty, model.get_nrt_meminfo(builder, val))] if model.has_nrt_meminfo() else []
    for part, getter in model.traverse(builder):
        if _holds_references(manager, builder, part):
            found += get_meminfos(self, builder, part, getter(val))
    return found


def run(self: PostProcessor, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """As Numba's, after each pass over a function; without which variables are there where its blocks begin.

    Generators alone ask for that, and code for Python objects, of which kernels have none.
    """
    if self.func_ir.is_generator:
        _run(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = VariableLifetime(self.func_ir.blocks)
    self.func_ir.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


def ensure_scipy() -> None:
    """Raises ImportError where SciPy is not installed."""
    if importlib.util.find_spec("scipy") is None:
        raise ImportError("scipy 0.16+ is required for linear algebra")


def load_additional_registries(self: CPUContext) -> None:
    """As Numba's, the first time: to see that SciPy is there it loads no linear algebra, which compiled calls of it do."""
    from numba.np import linalg

    CPUContext.load_additional_registries = _load_additional_registries
    ensure_blas, linalg.ensure_blas = linalg.ensure_blas, ensure_scipy
    try:
        self.load_additional_registries()
    finally:
        linalg.ensure_blas = ensure_blas


def take_shortcuts() -> None:
    """Lets Numba do so."""
    PostProcessor.run = run
    event.install_timer = install_timer
    NRTContext.get_meminfos = get_meminfos
    CPUContext.load_additional_registries = load_additional_registries
