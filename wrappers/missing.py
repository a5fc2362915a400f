"""What is said where the optional library of a wrapper is not installed; the command line shows it as one line."""

__all__ = ["MissingExtraError", "missing_extra"]


class MissingExtraError(ModuleNotFoundError):
    """An optional library is not installed; the message says how to install it. name: the module that was not found."""


def missing_extra(error: ModuleNotFoundError, library: str, extra: str) -> MissingExtraError:
    """What to raise from `error`, the failed import of an optional library.

    library: what people call it. extra: what pip is asked for, such as "boardgym[torchrl]"; words may follow it.
    """
    package, _, words = extra.partition(" ")
    text = f"this needs {library}, which is not installed ({error.msg}): pip install '{package}'"
    return MissingExtraError(f"{text} {words}".strip(), name=error.name)
