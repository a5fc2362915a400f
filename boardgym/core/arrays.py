"""Arrays that are handed out, and copies between arrays in kernels.

`target[:] = source` between arrays, compiled, brings in Numba's code that words the error of shapes that do not fit: two
seconds of compilation for the first kernel of a process, and a part in every kernel. Fills, `target[:] = 0.0`, do not.
"""

from typing import Any

from numpy.typing import NDArray

from boardgym.compile import inner


@inner
def copy_into(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Writes all of `source` at the beginning of `target`, which is at least as long. Both of one axis. Checks nothing."""
    for i in range(source.shape[0]):
        target[i] = source[i]


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view of an array through which nobody writes: what is handed out of memory that compiled code trusts."""
    view = array.view()
    view.flags.writeable = False
    return view
