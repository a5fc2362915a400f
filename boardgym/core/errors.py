"""The errors that boardgym raises. Each message says what was given, what was expected, and where."""

import difflib
from collections.abc import Iterable


class BoardgymError(Exception):
    """Base of all errors of this package; each class is also the built-in error that fits."""


class IllegalActionError(BoardgymError, ValueError):
    """An action, or a move in notation, that the position does not allow."""


class NotationError(BoardgymError, ValueError):
    """A move or a position string that cannot be read."""


class PositionError(NotationError):
    """A position that is none of the game's: of another type, or with words that no position has."""


class UnknownGameError(BoardgymError, ValueError):
    """A game id, or a version of it, that is not registered."""


class OptionError(BoardgymError, ValueError):
    """A rule option, set-up, seat or setting that the game or the environment does not have."""


class SpecError(BoardgymError, ValueError):
    """A policy spec string that cannot be read, or names no policy."""


class UnsupportedGameError(BoardgymError, ValueError):
    """A policy or wrapper was asked for a game that it cannot play."""


class UntrustedFileError(BoardgymError, PermissionError):
    """A file that could execute code on loading was given without explicit trust."""


class EngineError(BoardgymError, RuntimeError):
    """An engine in another process that does not start, ends, falls silent, or answers what cannot be used."""


class RuleError(BoardgymError, TypeError):
    """A rules file breaks the contract: a missing verb, a wrong signature, a late registration."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """Returns "; did you mean 'x'?" for the nearest choices, or a list of all of them.

    word: what the user gave. choices: the valid words.
    """
    known = sorted(choices)
    folded = {choice.casefold(): choice for choice in known}
    close = difflib.get_close_matches(word.casefold(), folded, n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(repr(folded[c]) for c in close) + "?"
    return "known: " + ", ".join(known)
