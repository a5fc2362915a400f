"""Which numbers of a policy's spec are tuned: `c_uct=0.2:2.0`, and the spec with other values in their place.

A parameter NAME is a setting of the policy that the spec does not have yet: `uct:100` becomes `uct:100,NAME=VALUE`. Where the
spec says {NAME}, the value is put there, so any number of a spec can be tuned: `minimax:{depth}`,
`minimax:2,evaluation=distance(off_board={weight})`. A setting that takes whole numbers alone gets its value rounded.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.arena.game import as_policy
from boardgym.baselines.learning.tuning.optimisers import Range
from boardgym.core.errors import BoardgymError, OptionError, SpecError, nearest
from boardgym.core.game import Game
from boardgym.core.policy_spec import COMMAND_SPECS, PATH_SPECS, parse_spec

DIGITS = 6  # of a value in a spec
EXAMPLE = "expected NAME=LOW:HIGH or NAME=LOW:HIGH:MEAN:SPREAD, such as c_uct=0.2:2.0"
PLACE = re.compile(r"\{(\w*)\}")
ASIDE = 1.0 - (math.sqrt(5.0) - 1.0) / 2.0  # the golden section of a range: no whole number, unless by rare chance


@dataclass(frozen=True)
class Parameter:
    """A number to tune. name: of the setting, or of its place in the spec. is_whole: whether it is played rounded."""

    name: str
    range: Range
    is_whole: bool = False

    def text(self, value: float) -> str:
        """A value as the spec has it: a whole number within the range, or DIGITS digits."""
        if not self.is_whole:
            return f"{value:.{DIGITS}g}"
        return str(min(max(math.floor(value + 0.5), math.ceil(self.range.low)), math.floor(self.range.high)))


def read_parameter(text: str) -> Parameter:
    """Reads NAME=LOW:HIGH, or NAME=LOW:HIGH:MEAN:SPREAD. Raises OptionError."""
    name, _, limits = (part.strip() for part in text.partition("="))
    parts = limits.split(":")
    if not re.fullmatch(r"\w+", name) or len(parts) not in (2, 3, 4):
        raise OptionError(f"parameter={text!r}: {EXAMPLE}")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        raise OptionError(f"parameter={text!r}: {EXAMPLE}") from None
    try:
        return Parameter(name, Range(*numbers))
    except OptionError as error:
        raise OptionError(f"parameter={text!r}: {error}") from None


def with_values(spec: str, parameters: Sequence[Parameter], values: Sequence[float] | NDArray[np.float64]) -> str:
    """The spec with these values of the parameters.

    Raises SpecError for places that no parameter has, and settings of a spec that takes none.
    """
    texts = {parameter.name: parameter.text(float(value)) for parameter, value in zip(parameters, values, strict=True)}
    places = PLACE.findall(spec)
    if missing := [name for name in places if name not in texts]:
        raise SpecError(f"policy spec {spec!r}: no parameter is called {missing[0]!r}; {nearest(missing[0], texts)}")
    settings = {name: text for name, text in texts.items() if name not in places}
    return with_settings(PLACE.sub(lambda found: texts[found[1]], spec), settings)


def with_settings(spec: str, settings: dict[str, str]) -> str:
    """The spec with more settings, behind its argument. Raises SpecError where there is no place for them."""
    if not settings:
        return spec
    parsed = parse_spec(spec)
    if parsed.name in (*PATH_SPECS, *COMMAND_SPECS):
        raise SpecError(f"policy spec {spec!r}: {parsed.name}: takes no settings, and {next(iter(settings))!r} is to be tuned")
    if given := [name for name in settings if name in parsed.keywords]:
        raise SpecError(f"policy spec {spec!r}: {given[0]!r} is to be tuned and is given; take it out of the spec")
    added = ",".join(f"{name}={text}" for name, text in settings.items())
    head, bracket, inner = spec.partition("(")
    name, _, arguments = head.partition(":")
    parts = [part for part in arguments.split(",") if part.strip()]
    place = 1 if parts and "=" not in parts[0] else 0
    return f"{name}:{','.join([*parts[:place], added, *parts[place:]])}{bracket}{inner}"


def make_parameters(spec: str, texts: Sequence[str], game: Game, *, trust: bool = False) -> list[Parameter]:
    """The parameters that texts name, each known to be a number of the spec's policy, whole or not.

    The policy is made with values of the range: with one that is no whole number, and if it refuses that, with whole ones.

    Raises:
        OptionError: no parameter, two of one name, a text that cannot be read, an empty range.
        SpecError: the policy lacks a setting, or refuses a value within the range.
        As `make_policy`.
    """
    found = [read_parameter(text) for text in texts]
    names = [parameter.name for parameter in found]
    if not found:
        raise OptionError(f"parameter: nothing to tune; {EXAMPLE}")
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise OptionError(f"parameter={twice!r}: is given twice")
    for number in range(len(found)):
        found[number] = as_whole_or_real(spec, found, number, game, trust=trust)
    for ends in ([p.range.low for p in found], [p.range.high for p in found], [p.range.first_mean for p in found]):
        as_policy(with_values(spec, found, ends), game, seed=0, trust=trust)
    return found


def as_whole_or_real(spec: str, found: Sequence[Parameter], number: int, game: Game, *, trust: bool) -> Parameter:
    """A parameter of several, of which the later ones may be whole or not. Raises as `make_parameters`."""
    own = found[number]
    whole = Parameter(own.name, own.range, is_whole=True)
    others = [*found[:number], *(Parameter(p.name, p.range, is_whole=True) for p in found[number + 1 :])]
    values = [parameter.range.first_mean for parameter in others]
    aside = own.range.low + ASIDE * own.range.width

    def check(parameter: Parameter) -> None:
        """Raises if the policy refuses a value of this parameter."""
        together = [*others[:number], parameter, *others[number:]]
        as_policy(with_values(spec, together, [*values[:number], aside, *values[number:]]), game, seed=0, trust=trust)

    try:
        check(own)
    except BoardgymError:
        if math.ceil(own.range.low) > math.floor(own.range.high):
            raise
        try:
            check(whole)
        except BoardgymError:
            pass
        else:
            return whole
        raise
    return own
