"""Registration, tokens and rows: what may be registered, and that every field keeps its bits."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boardgym import RuleError
from boardgym.compile import kernel, plain
from boardgym.core import verbs
from boardgym.core.verbs import Token, rule


class Mixed(NamedTuple):
    CLOCKS = ("clock",)

    word: np.uint64
    number: int
    real: float
    small: np.int64
    clock: int


@rule(Mixed)
def apply(position, action):
    """Returns a bare tuple of other types than the fields': `retype` casts them."""
    return 1, position.small + action, position.number, position.number, position.clock + 1


@rule(Mixed)
def heuristic(position, seat):
    return position.real + seat


@kernel
def there_and_back(token, row, action, out, after):
    position = verbs.unpack(token, row)
    verbs.pack(position, out)
    verbs.pack(verbs.apply(position, action), after)
    return verbs.key(position), verbs.heuristic(position, 1), verbs.repetition_limit(position), verbs.num_fields(token)


int64 = st.integers(-(2**63), 2**63 - 1)
mixed = st.builds(
    Mixed, st.integers(0, 2**64 - 1).map(np.uint64), st.integers(-(2**62), 2**62), st.floats(allow_nan=False), int64, int64
)


@given(position=mixed)
@example(position=Mixed(np.uint64(2**64 - 1), -1, -0.0, 2**63 - 1, -(2**63)))
@example(position=Mixed(np.uint64(2**63), 0, float("-inf"), -(2**63), 0))
@example(position=Mixed(np.uint64(0), 2**62, 5e-324, 0, 2**63 - 1))
def test_rows_hold_every_value(position):
    token = TOKEN
    row = token.row(position)
    assert row.dtype == np.int64
    assert row.shape == (5,)
    again = token.position(row)
    assert again == position
    assert [type(value) for value in again] == [np.uint64, int, float, int, int]
    assert np.signbit(again.real) == np.signbit(position.real)
    results = []
    for run in (there_and_back, plain(there_and_back)):
        out, after = np.empty(5, np.int64), np.empty(5, np.int64)
        key, value, limit, width = run(token, row, 0, out, after)
        assert (out == row).all()
        assert value == position.real + 1
        assert (limit, width) == (0, 5)
        results.append((int(key), [int(word) for word in after[:2]], token.position(after).real))
    assert results[0] == results[1]
    assert results[0][1:] == ([1, position.small], float(position.number))


def test_keys_leave_out_clocks_and_nothing_else():
    position = Mixed(np.uint64(1), 2, 3.0, 4, 5)
    key = verbs.key(position)
    assert verbs.key(position._replace(clock=99)) == key
    for field, value in (("word", np.uint64(2)), ("number", 1), ("real", 3.5), ("small", -4)):
        assert verbs.key(position._replace(**{field: value})) != key


def test_values_of_other_number_types_are_taken_as_the_fields_declare():
    row = TOKEN.row(Mixed(7, np.uint64(8), 9, np.int8(10), True))
    assert TOKEN.position(row) == Mixed(np.uint64(7), 8, 9.0, 10, 1)
    with pytest.raises(RuleError, match=r"got 2\.5 for a field of whole numbers"):
        TOKEN.row(Mixed(np.uint64(1), 2.5, 1.0, 1, 1))


TOKEN = Token(Mixed)


def test_a_rule_must_be_a_known_verb_with_its_arguments_and_a_class():
    class Fresh(NamedTuple):
        a: int

    def aply(position, action):
        return position

    def to_play(position, seat):
        return 0

    def returns(position, seat):
        return 0.0

    with pytest.raises(RuleError, match="no verb is called 'aply'; did you mean 'apply'"):
        rule(Fresh)(aply)
    with pytest.raises(RuleError, match=r"'to_play' takes 1 arguments, .*to_play takes 2"):
        rule(Fresh)(to_play)
    with pytest.raises(RuleError, match=r"as in @rule\(MyGame\)"):
        rule(returns)
    with pytest.raises(RuleError, match=r"as in @rule\(MyGame\)"):
        rule()
    with pytest.raises(RuleError, match=r"as in @rule\(MyGame\)"):
        rule(Fresh(1))
    assert not verbs.has_rule("returns", Fresh)


def test_a_verb_cannot_be_registered_again_after_use():
    class Parent(NamedTuple):
        a: int

    class Child(Parent):
        __slots__ = ()

    def to_play(position):
        return 0

    rule(Parent)(to_play)
    rule(Parent)(to_play)  # before use, as often as one likes
    Token(Child)
    for used in (Child, Parent):
        with pytest.raises(RuleError, match="is in use: 'to_play' cannot be registered any more"):
            rule(used)(to_play)

    class Fresh(NamedTuple):
        a: int

    with pytest.raises(RuleError, match="is in use"):
        rule(Fresh, Parent)(to_play)
    assert not verbs.has_rule("to_play", Fresh)  # nothing was registered by half

    class Later(Parent):
        __slots__ = ()

    rule(Later)(to_play)  # a new class is free, whatever its parents


def test_fields_must_be_numbers():
    class Text(NamedTuple):
        a: str

    class NotNamed(tuple):
        __slots__ = ()

    with pytest.raises(RuleError, match=r"field 'a' of .*Text is annotated .*; expected int, float, np.int64 or np.uint64"):
        Token(Text)
    with pytest.raises(RuleError, match="is no NamedTuple with fields"):
        Token(NotNamed)


def test_a_verb_that_is_missing_is_named():
    with pytest.raises(RuleError, match="Mixed does not define the verb 'legal_actions'"):
        verbs.legal_actions(Mixed(np.uint64(0), 0, 0.0, 0, 0), np.empty(1, np.int64))


def test_a_rule_must_return_what_its_class_holds():
    class Short(NamedTuple):
        a: int
        b: int

    def transform(position, k):
        return (1,)

    rule(Short)(transform)
    with pytest.raises(RuleError, match="returned 1 fields, expected 2"):
        verbs.transform(Short(1, 2), 0)


def test_a_token_is_named_by_module_class_and_digest():
    assert repr(TOKEN) == TOKEN.name
    assert TOKEN.name.startswith(f"Token({__name__}.Mixed#")
    assert Token(Mixed).name == TOKEN.name
    assert TOKEN._numba_type_.title == "Mixed"
