"""Whether kernels for a CUDA card can be made and run here; imports nothing of CUDA until it is asked."""

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import config

from boardgym.core.errors import OptionError

INSTALL = "pip install 'boardgym[gpu]'"


def check_card() -> None:
    """Raises OptionError unless there is a card and what it needs, or Numba's simulator (NUMBA_ENABLE_CUDASIM=1)."""
    if config.ENABLE_CUDASIM:
        return
    if importlib.util.find_spec("numba_cuda") is None:
        raise OptionError(f"device='cuda': the package numba-cuda is missing; {INSTALL}")
    if config.DISABLE_JIT:
        raise OptionError("device='cuda': NUMBA_DISABLE_JIT is set, which leaves nothing that a card could run")
    try:
        cuda = load_cuda()
    except (ImportError, AttributeError) as error:
        raise OptionError(f"device='cuda': numba-cuda does not load: {error}; {INSTALL}") from error
    if not cuda.is_available():
        why = "; ".join(line.strip() for line in str(cuda.cuda_error() or "").splitlines() if line.strip())
        raise OptionError(f"device='cuda': no CUDA card was found{': ' if why else ''}{why}")


def class_for(device: Any, wanted: type[Any], of_cpu: type[Any], load: Callable[[], type[Any]]) -> type[Any]:
    """What is made on a card where `wanted` is asked for: `load()`, which is made of `of_cpu`, or a class of it.

    Raises OptionError for another device, another class, and where there is no card or no extra `gpu`.
    """
    if device != "cuda":
        raise OptionError(f"device={device!r}: expected 'cpu' or 'cuda'")
    check_card()
    on_card = load()
    if wanted is not of_cpu and not issubclass(wanted, on_card):
        raise OptionError(
            f"device='cuda': {wanted.__name__} is of {of_cpu.__name__}; expected a class of {on_card.__qualname__}"
        )
    return on_card if wanted is of_cpu else wanted


def load_cuda() -> Any:
    """The module numba.cuda, of the package numba-cuda if that is there, else Numba's own, whose simulator runs without a card.

    Release 0.30 of the package asks NumPy for an alias that NumPy 2.5 has no more.
    """
    is_for_cards = not config.ENABLE_CUDASIM and importlib.util.find_spec("numba_cuda") is not None
    is_gone = is_for_cards and not hasattr(np, "row_stack")
    if is_gone:
        vars(np)["row_stack"] = np.vstack
    try:
        from numba import cuda

        if is_for_cards:
            from numba.cuda.np import arrayobj  # noqa: F401  where it asks
    finally:
        if is_gone:
            del vars(np)["row_stack"]
    return cuda
