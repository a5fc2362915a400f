"""Rule options as position types: a subclass of a game's position with other compile-time constants."""

import functools
from typing import Any


@functools.cache
def _subclass(base: type, constants: tuple[tuple[str, Any], ...]) -> type:
    name = base.__name__ + "".join(f"_{key}_{value}" for key, value in constants)

    def reduce(position: Any) -> Any:
        return restore, (base, constants, tuple(position))

    return type(name, (base,), {**dict(constants), "__slots__": (), "__module__": base.__module__, "__reduce__": reduce})


def restore(base: type, constants: tuple[tuple[str, Any], ...], fields: tuple[Any, ...]) -> Any:
    """A position of a variant from its copy or pickle."""
    return variant(base, **dict(constants))(*fields)


def variant(base: type, **constants: Any) -> type:
    """The position type of a game with other constants, such as another board size. The rules of `base` hold for it too.

    Args:
        base: a NamedTuple class with attributes in capitals, which rules read by `constant(position, "NAME")`.
        constants: the attributes and their values: numbers, strings, or tuples of them.

    Returns:
        A subclass of `base`, the same one for the same constants; `base` itself if none differs.

    Raises:
        AttributeError: `base` has no such attribute.

    Example:
        >>> from typing import NamedTuple
        >>> from boardgym import variant
        >>> class Nim(NamedTuple):
        ...     stones: int
        ...     MOST_TAKEN = 3
        >>> larger = variant(Nim, MOST_TAKEN=5)
        >>> larger(21), larger.MOST_TAKEN, variant(Nim, MOST_TAKEN=3) is Nim
        (Nim_MOST_TAKEN_5(stones=21), 5, True)
    """
    changed = tuple(sorted((name, value) for name, value in constants.items() if getattr(base, name) != value))
    return _subclass(base, changed) if changed else base
