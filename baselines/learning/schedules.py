"""Rates that change over the episodes of a training, as text: `0.3`, `linear(0.3, 0.01)`, `exponential(1, 0.01, 50000)` ..."""

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.learning.episodes import CONSTANT, EXPONENTIAL, GEOMETRIC, HARMONIC, LINEAR
from boardgym.core.errors import OptionError, nearest

KINDS = {"linear": LINEAR, "exponential": EXPONENTIAL, "harmonic": HARMONIC, "geometric": GEOMETRIC}
FORMS = (
    "a number, linear(a, b), exponential(a, b), harmonic(a, n) or geometric(a, f); a third number of the first two is the "
    "episodes it takes"
)


def read_schedule(name: str, text: Any, *, low: float, high: float, episodes: int) -> NDArray[np.float64]:
    """A rate, float64 (4,): kind, first and last value, and the episodes from one to the other.

    text: a number, or `linear(a, b)` from a to b over the episodes of the phase, or `linear(a, b, n)` over n of them, then b;
    the same of `exponential`, which falls by equal factors; `harmonic(a, n)`, a / (1 + episode / n);
    `geometric(a, f)`, a times f once for each episode, f in [0, 1]. name: of the rate, for messages.
    low, high: what the rate may be. episodes: of the phase.

    Raises OptionError.
    """
    given = str(text).strip()
    match = re.fullmatch(r"([a-z]+)\(([^()]*)\)", given)
    word, inner = (match[1], match[2].split(",")) if match else ("", [given])
    if word and word not in KINDS:
        raise OptionError(f"{name}={given!r}: no schedule {word!r}; {nearest(word, KINDS)}")
    try:
        numbers = [float(part) for part in inner]
    except ValueError:
        raise OptionError(f"{name}={given!r}: expected {FORMS}") from None
    wanted = (1,) if not word else (2,) if word in ("harmonic", "geometric") else (2, 3)
    if len(numbers) not in wanted or not all(map(math.isfinite, numbers)):
        raise OptionError(f"{name}={given!r}: expected {FORMS}")
    first = numbers[0]
    last = first if word in ("", "harmonic") else numbers[1]
    if word == "geometric" and not 0.0 <= last <= 1.0:
        raise OptionError(f"{name}={given!r}: a factor of {last:g}; expected 0 to 1")
    span = numbers[-1] if len(numbers) == 3 or word == "harmonic" else float(episodes)
    for value in (first, first * last if word == "geometric" else last):  # those in between lie between these, and 0
        if not low <= value <= high:
            raise OptionError(f"{name}={given!r}: expected values from {low:g} to {high:g}")
    if word == "exponential" and min(first, last) <= 0.0:
        raise OptionError(f"{name}={given!r}: expected values above 0, which equal factors lead to")
    if (len(numbers) == 3 or word == "harmonic") and span < 1.0:
        raise OptionError(f"{name}={given!r}: {span:g} episodes; expected at least 1")
    return np.array([KINDS.get(word, CONSTANT), first, last, span])
