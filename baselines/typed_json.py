"""JSON from a file or a stranger, read into typed data: the one reader of every JSON that comes back.

A kind is a dataclass, a `msgspec.Struct`, or any other annotation that msgspec knows. Every field is checked: that it is
there, its type, its range where `Annotated[int, msgspec.Meta(ge=0)]` says one. Nothing is converted: "1", 1.0 and True are no
int.
"""

import json
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from boardgym.core.escape import shown

T = TypeVar("T")


def read_json(text: str | bytes, kind: type[T], error: type[Exception], expected: str) -> T:
    """The data that a JSON text holds.

    Args:
        text: the JSON, as text or UTF-8.
        kind: what it has to be. Of a dataclass, fields that it does not have are passed over.
        error: the class of what is raised, which takes a message.
        expected: what the text should have been, for the message: "the JSON of a ladder".

    Raises `error`, and nothing else, for text that is not JSON or does not fit.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (ValueError, RecursionError, OverflowError) as problem:  # msgspec's own errors and those of UTF-8 are ValueErrors
        raise error(f"expected {expected}: {problem or type(problem).__name__}") from None


def read_data(data: object, kind: type[T], error: type[Exception], expected: str) -> T:
    """As `read_json`, of data that has been read as JSON of any kind."""
    try:
        return msgspec.convert(data, type=kind)
    except (ValueError, RecursionError, OverflowError) as problem:
        raise error(f"expected {expected}: {problem or type(problem).__name__}") from None


def plain_data(data: Any) -> Any:
    """Data as it comes back from JSON: tuples are lists, and what is not text is no name."""
    return json.loads(json.dumps(data))


@dataclass(frozen=True)
class _Head:
    format: str
    format_version: int


def read_versioned(text: str | bytes, kind: type[T], name: str, version: int, error: type[Exception], expected: str) -> T:
    """As `read_json`, of a text whose "format" and "format_version" have to be `name` and `version`."""
    head = read_json(text, _Head, error, expected)
    if (head.format, head.format_version) != (name, version):
        said = f"{shown(head.format)!r} {head.format_version}"
        raise error(f"expected {expected}, in the format {name!r} {version}; got {said}")
    return read_json(text, kind, error, expected)
