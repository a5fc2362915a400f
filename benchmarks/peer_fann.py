"""FANN's cascade training in double precision: its own C code, called through its shared library (Debian's `libfann2`).

FANN halves the differences of targets and outputs within [-1, 1] before it squares them: errors here are its own times 4.
"""

import ctypes
import ctypes.util
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

LIBRARY = "doublefann"
LINEAR_ERRORS, SIGMOID_SYMMETRIC = 0, 5  # of its enumerations: the study's error function, tanh outputs
FIRST_SPAN = 0.1  # its output weights begin within this
MOST_SEED = 2**32 - 1

Fill = ctypes.CFUNCTYPE(
    None, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double)
)
Report = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_float, ctypes.c_uint
)
SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "create_shortcut_array": (ctypes.c_void_p, [ctypes.c_uint, ctypes.POINTER(ctypes.c_uint)]),
    "create_train_from_callback": (ctypes.c_void_p, [ctypes.c_uint, ctypes.c_uint, ctypes.c_uint, Fill]),
    "randomize_weights": (None, [ctypes.c_void_p, ctypes.c_double, ctypes.c_double]),
    "set_activation_function_output": (None, [ctypes.c_void_p, ctypes.c_int]),
    "set_train_error_function": (None, [ctypes.c_void_p, ctypes.c_int]),
    "set_callback": (None, [ctypes.c_void_p, Report]),
    "set_cascade_min_cand_epochs": (None, [ctypes.c_void_p, ctypes.c_uint]),
    "set_cascade_max_cand_epochs": (None, [ctypes.c_void_p, ctypes.c_uint]),
    "set_cascade_min_out_epochs": (None, [ctypes.c_void_p, ctypes.c_uint]),
    "set_cascade_max_out_epochs": (None, [ctypes.c_void_p, ctypes.c_uint]),
    "cascadetrain_on_data": (None, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_float]),
    "test_data": (ctypes.c_float, [ctypes.c_void_p, ctypes.c_void_p]),
    "run": (ctypes.POINTER(ctypes.c_double), [ctypes.c_void_p, ctypes.POINTER(ctypes.c_double)]),
    "destroy": (None, [ctypes.c_void_p]),
    "destroy_train": (None, [ctypes.c_void_p]),
}


@functools.cache
def library() -> Any:
    """The shared library, None where it is not installed."""
    name = ctypes.util.find_library(LIBRARY)
    if name is None:
        return None
    found = ctypes.CDLL(name)
    for function, (result, arguments) in SIGNATURES.items():
        entry = getattr(found, f"fann_{function}")
        entry.restype, entry.argtypes = result, arguments
    return found


class FannCascade:
    """A cascade of FANN's for one output. Use it as a context manager, which frees what it holds.

    inputs: float64 (n, I). targets: float64 (n,), within [-1, 1]. seed: of its random numbers, which are the C library's.
    """

    def __init__(self, inputs: Any, targets: Any, *, seed: int) -> None:
        self.fann = library()
        sizes = (ctypes.c_uint * 2)(inputs.shape[1], 1)
        self.net = ctypes.c_void_p(self.fann.fann_create_shortcut_array(2, sizes))
        self.data = self.examples(inputs, targets)
        ctypes.CDLL(None).srand(ctypes.c_uint(seed % MOST_SEED))
        self.fann.fann_randomize_weights(self.net, -FIRST_SPAN, FIRST_SPAN)
        self.fann.fann_set_activation_function_output(self.net, SIGMOID_SYMMETRIC)
        self.fann.fann_set_train_error_function(self.net, LINEAR_ERRORS)

    def __enter__(self) -> "FannCascade":
        return self

    def __exit__(self, *_: object) -> None:
        self.fann.fann_destroy_train(self.data)
        self.fann.fann_destroy(self.net)

    def examples(self, inputs: Any, targets: Any) -> ctypes.c_void_p:
        """Its own copy of examples."""

        def fill(number: int, width: int, _: int, row: Any, target: Any) -> None:
            ctypes.memmove(row, rows[number].ctypes.data, 8 * width)
            target[0] = targets[number]

        rows = np.ascontiguousarray(inputs, np.float64)
        return ctypes.c_void_p(self.fann.fann_create_train_from_callback(len(rows), rows.shape[1], 1, Fill(fill)))

    def set_epochs(self, least: int, most: int) -> None:
        """How many epochs outputs and candidates are trained for."""
        for kind in ("cand", "out"):
            getattr(self.fann, f"fann_set_cascade_min_{kind}_epochs")(self.net, least)
            getattr(self.fann, f"fann_set_cascade_max_{kind}_epochs")(self.net, most)

    def grow(self, units: int, report: Callable[[int], object] | None = None) -> None:
        """Adds hidden units.

        report: called when the outputs are trained, before the first unit and after each, with its count of epochs so far.
        """
        left = [units]

        def each(*arguments: Any) -> int:
            if report is not None:
                report(arguments[-1])
            left[0] -= 1
            return 0 if left[0] >= 0 else -1  # it ends: FANN itself would train the outputs once more without a report

        callback = Report(each)
        self.fann.fann_set_callback(self.net, callback)
        self.fann.fann_cascadetrain_on_data(self.net, self.data, units + (report is not None), int(report is not None), 0.0)

    def error(self, inputs: Any, targets: Any) -> float:
        """The mean squared error of examples, on our scale."""
        data = self.examples(inputs, targets)
        try:
            return 4.0 * float(self.fann.fann_test_data(self.net, data))
        finally:
            self.fann.fann_destroy_train(data)

    def outputs(self, inputs: Any) -> Any:
        """What the network gives for each row, float64 (n,)."""
        rows = np.ascontiguousarray(inputs, np.float64)
        pointer = ctypes.POINTER(ctypes.c_double)
        return np.array([self.fann.fann_run(self.net, row.ctypes.data_as(pointer))[0] for row in rows])
