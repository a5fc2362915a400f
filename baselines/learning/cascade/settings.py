"""The settings of cascade correlation, and what they may be."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Literal

from boardgym.baselines.learning.cascade.rprop import RULES
from boardgym.baselines.networks.cascade_functions import FUNCTIONS
from boardgym.core.errors import OptionError, nearest
from boardgym.core.random import check_seed

CANDIDATE_FUNCTIONS = FUNCTIONS[:-1]  # all but linear
CRITERIA = ("cascade2", "covariance")
OUTPUTS = ("sigmoid_symmetric", "linear")
MOST_UNITS, MOST_EPOCHS, MOST_CANDIDATES = 10_000, 1_000_000, 10_000
FREE = ("max_units", "patience", "num_threads")  # these may differ when a training goes on


@dataclass(kw_only=True)
class CascadeSettings:
    """How a cascade grows. Settings that FANN has too have FANN's defaults.

    Attributes:
        max_units: stop at so many hidden units. None: as many as there are inputs.
        patience: stop when the test error has not fallen for so many units in a row. None: never.
        desired_error: stop when the training error is as low as this.
        test_fraction: share of the examples, drawn at random, that chooses how many units are kept; not used if `fit` is given
            test examples.
        holdout_fraction: share of the examples that is used for nothing but reports.
        criterion: how a candidate is trained: "cascade2", to reduce the squared error by itself, with an output weight of its
            own; or "covariance", for its output to go with the error.
        output: function of the outputs: "sigmoid_symmetric", which is tanh and within [-1, 1], or "linear".
        output_steepness: that their sums are multiplied by.
        functions: of the candidates. steepnesses: of these. groups: how many candidates there are of each function and
            steepness; as it stands 2 * 10 * 4 = 80.
        rule: how weights move: "irprop-" or "irprop+", see `rprop.py`.
        first_step, most_step: of Rprop. increase, decrease: factors of its steps.
        min_epochs, max_epochs: of each training of the outputs and of candidates.
        stagnation_epochs, change_fraction: a training ends when its gain has changed by no more than this fraction for so many
            epochs.
        weight_multiplier: the new unit's output weight is what the candidate's was, times this.
        candidate_limit: candidates have been trained enough when the best score is so many times the squared error.
        seed: the same seed, settings and examples give the same network, on any number of threads.
        num_threads: that share the examples, 0 for one a core.
    """

    max_units: int | None = None
    patience: int | None = None
    desired_error: float = 0.0
    test_fraction: float = 0.1
    holdout_fraction: float = 0.0
    criterion: Literal["cascade2", "covariance"] = "cascade2"
    output: Literal["sigmoid_symmetric", "linear"] = "sigmoid_symmetric"
    output_steepness: float = 0.5
    functions: tuple[str, ...] = CANDIDATE_FUNCTIONS
    steepnesses: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0)
    groups: int = 2
    rule: Literal["irprop-", "irprop+"] = "irprop-"
    first_step: float = 0.1
    most_step: float = 50.0
    increase: float = 1.2
    decrease: float = 0.5
    min_epochs: int = 50
    max_epochs: int = 150
    stagnation_epochs: int = 12
    change_fraction: float = 0.01
    weight_multiplier: float = 0.4
    candidate_limit: float = 1000.0
    seed: int = 1
    num_threads: int = 0


WORDS = {"criterion": CRITERIA, "output": OUTPUTS, "rule": RULES}
WHOLE = {
    "max_units": (0, MOST_UNITS), "patience": (1, MOST_UNITS), "groups": (1, MOST_CANDIDATES), "min_epochs": (1, MOST_EPOCHS),
    "max_epochs": (1, MOST_EPOCHS), "stagnation_epochs": (1, MOST_EPOCHS), "num_threads": (0, 1024),
}  # fmt: skip
NUMBERS = {  # from, to; both ends are allowed
    "desired_error": (0.0, 1e100), "test_fraction": (0.0, 0.9), "holdout_fraction": (0.0, 0.9), "change_fraction": (0.0, 1.0),
    "weight_multiplier": (-1e3, 1e3), "candidate_limit": (0.0, 1e100),
}  # fmt: skip
POSITIVE = {"output_steepness": 100.0, "first_step": 1e3, "most_step": 1e3, "increase": 100.0, "decrease": 1.0}


def check_settings(settings: CascadeSettings) -> None:
    """Raises OptionError for words and numbers that no training can have."""
    for name, words in WORDS.items():
        if (value := getattr(settings, name)) not in words:
            raise OptionError(f"{name}={value!r}: {nearest(str(value), words)}")
    for name, (low, high) in WHOLE.items():
        value = getattr(settings, name)
        if value is None and name in ("max_units", "patience"):
            continue
        if type(value) is not int or not low <= value <= high:
            raise OptionError(f"{name}={value!r}: expected a whole number from {low:,} to {high:,}")
    for name, (least, most) in NUMBERS.items():
        if not (is_number(value := getattr(settings, name)) and least <= value <= most):
            raise OptionError(f"{name}={value!r}: expected a number from {least:g} to {most:g}")
    for name, most in POSITIVE.items():
        if not (is_number(value := getattr(settings, name)) and 0.0 < value <= most):
            raise OptionError(f"{name}={value!r}: expected a number above 0, at most {most:g}")
    if settings.min_epochs > settings.max_epochs:
        raise OptionError(f"min_epochs={settings.min_epochs}: expected at most max_epochs={settings.max_epochs}")
    if settings.test_fraction + settings.holdout_fraction > 0.9:
        raise OptionError("test_fraction and holdout_fraction: expected at most 0.9 together")
    check_candidates(settings)
    check_seed(settings.seed)


def check_candidates(settings: CascadeSettings) -> None:
    """Raises OptionError for functions and steepnesses that candidates cannot have."""
    for name in settings.functions:
        if name not in CANDIDATE_FUNCTIONS:
            raise OptionError(f"functions={settings.functions!r}: {name!r}: {nearest(str(name), CANDIDATE_FUNCTIONS)}")
    if not all(is_number(steepness) and 0.0 < steepness <= 100.0 for steepness in settings.steepnesses):
        raise OptionError(f"steepnesses={settings.steepnesses!r}: expected numbers above 0, at most 100")
    count = len(settings.functions) * len(settings.steepnesses) * settings.groups
    if not 1 <= count <= MOST_CANDIDATES:
        raise OptionError(f"functions, steepnesses and groups make {count:,} candidates; expected 1 to {MOST_CANDIDATES:,}")


def is_number(value: Any) -> bool:
    """Whether it is a finite int or float."""
    return type(value) in (int, float) and math.isfinite(value)


def function_of(name: str) -> int:
    """The place of a function in `cascade_functions.FUNCTIONS`."""
    return FUNCTIONS.index(name)


def settings_of(settings: CascadeSettings) -> dict[str, Any]:
    """Settings as plain data, as files have them."""
    return {
        field.name: list(value) if isinstance(value := getattr(settings, field.name), tuple) else value
        for field in dataclasses.fields(CascadeSettings)
    }
