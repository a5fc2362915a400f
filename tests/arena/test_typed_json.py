"""The reader of JSON: types are checked, nothing is converted, and whatever else happens is one kind of error."""

import json
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import NotationError


@dataclass(frozen=True)
class Score:
    value: float
    name: str
    kind: Literal["a", "b"] = "a"
    count: Annotated[int, msgspec.Meta(ge=0)] = 0


GOOD = {"value": 0.5, "name": "x", "kind": "b", "count": 3}


def test_reads():
    assert read_json(json.dumps(GOOD), Score, NotationError, "a score") == Score(0.5, "x", "b", 3)
    assert read_json(json.dumps([GOOD]).encode(), tuple[Score, ...], NotationError, "scores") == (Score(0.5, "x", "b", 3),)


@pytest.mark.parametrize("change", [
    {"value": "0.5"}, {"value": None}, {"name": 1}, {"kind": "c"}, {"count": -1}, {"count": 1.5},
    {"count": True}, {"count": "1"},
])  # fmt: skip
def test_wrong_types_are_refused(change):
    with pytest.raises(NotationError, match="expected a score"):
        read_json(json.dumps(GOOD | change), Score, NotationError, "a score")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "NaN", "[" * 100_000, '{"value": 1}', b"\xff\xfe", "\ud800", "1" * 10_000]
)
def test_other_texts_are_refused(text):
    with pytest.raises(NotationError):
        read_json(text, Score, NotationError, "a score")


@settings(max_examples=2000, deadline=None)
@given(st.data())
def test_any_mutation_is_read_or_refused(data):
    text = bytearray(json.dumps(GOOD).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.integers(0, 255))
    try:
        found = read_json(bytes(text), Score, NotationError, "a score")
    except NotationError:
        return
    assert isinstance(found.value, float)
    assert type(found.count) is int
    assert found.kind in ("a", "b")
