"""Which verbs there are, which functions are the rules of which classes, and which classes a signature speaks of."""

from collections.abc import Iterable, Iterator
from typing import Any

from numba import types
from numba.extending import models, register_model

RULES: dict[tuple[str, type], Any] = {}  # (verb, class) -> compiled function
ARITY: dict[str, int] = {}  # how many arguments each verb takes
SUBJECTS: dict[str, str] = {}  # what each verb is for: a position, a policy, a learner ...
CLASSES: dict[str, type] = {}  # token name -> class
NUMBERS: set[Any] = set()  # Python functions that are rules and have to return a number
FROZEN: set[type] = set()  # classes that kernels are made of: they get no more rules
IMPLEMENTERS: dict[Any, list[Any]] = {}  # generic function -> what gives its compiled forms for argument types
FORM_OPTIONS: dict[Any, dict[str, Any]] = {}  # each of these -> how its forms are compiled: inline, prefer_literal


class TokenType(types.Type):  # type: ignore[misc]
    """Numba's type of a token: a name alone, so that it can be read back where the game is absent."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)

    @property
    def title(self) -> str:
        """The class's bare name, for messages."""
        return str(self.name).split("(")[1].split("#")[0].rpartition(".")[2]

    def __reduce__(self) -> Any:
        return TokenType, (self.name,)


register_model(TokenType)(models.OpaqueModel)


def find_rule(name: str, position_class: Any) -> Any:
    """The function registered for a verb and a class or its bases, or None."""
    for base in getattr(position_class, "__mro__", ()):
        if (name, base) in RULES:
            return RULES[name, base]
    return None


def rules_of(position_class: type) -> dict[str, Any]:
    """The rules of a class, its bases' among them, by verb."""
    return {name: rule for name in sorted(ARITY) if (rule := find_rule(name, position_class)) is not None}


def has_rule(name: str, position_class: type) -> bool:
    """Whether a position type (or one of its bases) defines the verb itself, rather than taking the default."""
    return find_rule(name, position_class) is not None


def class_of(kind: Any) -> Any:
    """The class behind a Numba type: of a named tuple, or the one that a token stands for."""
    if isinstance(kind, TokenType):
        return CLASSES.get(kind.name)
    return getattr(kind, "instance_class", None)


def classes_in(kinds: Iterable[Any]) -> Iterator[type]:
    """The classes of all tokens and named tuples among Numba types, and within tuples of them, in order."""
    for kind in kinds:
        if (position_class := class_of(kind)) is not None:
            yield position_class
        if isinstance(kind, types.BaseTuple):
            yield from classes_in(kind.types)
