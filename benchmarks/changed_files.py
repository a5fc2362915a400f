"""What makes a valid file a hostile one: changes in its bytes and in its meaning, with digests that are right again."""

import json
import math
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from boardgym.baselines import array_files as af

NESTED = 3_000  # lists in each other
STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 1.5, -0.0, 1e-320, 1e30, 1e308, -1e308, math.inf, -math.inf, math.nan, 2**31, 2**53 + 1,
    2**63, -(2**63), 2**64, 10**400, "", "x", "0", "1", "nan", "TicTacToe-v0", "Othello-v0", "../x", "\x00", "\ud800", "é" * 50,
    "x" * 5_000, [], {}, [[]], [None], {"": None}, [0] * 200, {"size": 4},
)  # fmt: skip
PUT_IN = (b"[", b"{", b'"', b"0", b"-", b"e9", b",", b"\x00", b"\xff")
NUMBERS = (0.0, -1.0, 1e-310, 1e10, 1e38, 1e154, 1e300, math.inf, -math.inf, math.nan)

Random = random.Random


def changed_bytes(content: bytes, rng: Random) -> bytes:
    """A few bytes exchanged, taken out, put in or doubled, or the end cut off."""
    text = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        place, length = rng.randrange(len(text) + 1), rng.randint(1, 12)
        match rng.randrange(5):
            case 0 | 1 if place < len(text):
                text[place] = rng.randrange(256)
            case 2:
                del text[place : place + length]
            case 3:
                text[place:place] = rng.choice((*PUT_IN, text[place : place + length]))
            case _ if rng.random() < 0.2:
                del text[place:]
    return bytes(text)


def places_of(data: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """(container, key) of all values within plain data."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        found.append((data, key))
        places_of(value, found)
    return found


def changed_data(data: Any, rng: Random) -> Any:
    """Plain data, one to three values exchanged for others, or dropped, renamed, doubled. It is changed itself."""
    for _ in range(rng.randint(1, 3)):
        places = places_of(data, [])
        if not places:
            return rng.choice(STRANGE)
        container, key = rng.choice(places)
        match rng.randrange(6):
            case 0:
                del container[key]
            case 1 if isinstance(container, dict):
                container[rng.choice(("x", "", key + "_", key.upper()))] = container.pop(key)
            case 1:
                container.insert(key, container[key])
            case 2:
                other, place = rng.choice(places)
                container[key] = json.loads(json.dumps(other[place]))
            case 3 if type(container[key]) in (int, float) and -sys.float_info.max <= container[key] <= sys.float_info.max:
                number = container[key]
                container[key] = rng.choice((-number, number + 1, number * 1_000, float(number)))
            case _:
                container[key] = json.loads(json.dumps(rng.choice(STRANGE)))
    return data


def changed_json(content: bytes, rng: Random) -> bytes:
    """JSON changed in its bytes or in its meaning, now and then nested without end."""
    if rng.random() < 0.4:
        return changed_bytes(content, rng)
    text = json.dumps(changed_data(json.loads(content), rng))
    if rng.random() < 0.01:
        text = text.replace("null", "[" * NESTED + "]" * NESTED, 1)
    return text.encode()


def packed(kind: af.ArrayFiles, arrays: af.Arrays, header: Any) -> bytes:
    """A file with digests that are right."""
    own = {"format": kind.format, "version": kind.version, af.ARRAYS_DIGEST: af.digest_of(arrays)}
    whole = own | header if isinstance(header, dict) else header
    if isinstance(whole, dict):
        whole[af.HEADER_DIGEST] = af.digest_of_header(whole)
    parts = {name: af.as_pieces(array) for name, array in arrays.items()}
    return af.head_of(parts, json.dumps(whole)) + b"".join(bytes(af.bytes_of(array)) for array in arrays.values())


def changed_array(array: Any, rng: Random) -> Any:
    """Other numbers, another type or another shape."""
    array = array.copy()
    match rng.randrange(5):
        case 0:
            return array.astype(rng.choice(("f4", "f8", "i8", "u8", "i1", "?")))
        case 1:
            return array.reshape(-1)[: rng.randrange(array.size + 1)]
        case 2:
            shape = rng.choice(((-1,), (1, -1), (-1, 1), (1, -1, 1)))
            return array.reshape(shape) if array.size else np.zeros((0, 3), array.dtype)
        case _ if array.size:
            flat = array.reshape(-1)
            for _ in range(rng.choice((1, 3, flat.size))):
                number = rng.choice(NUMBERS) if array.dtype.kind == "f" else rng.choice((0, -1, 1, 127, 2**31, 2**62, -(2**63)))
                flat[rng.randrange(flat.size)] = np.array(number).astype(array.dtype)
    return array


def changed_arrays(kind: af.ArrayFiles, path: Path) -> Callable[[bytes, Random], bytes]:
    """What changes a file of arrays, given one: its bytes, its header, its arrays."""
    arrays, header = kind.read(path, {})
    for name in af.OWN_FIELDS:
        del header[name]
    text = json.dumps(header)

    def change(content: bytes, rng: Random) -> bytes:
        way = rng.random()
        if way < 0.2:
            return changed_bytes(content, rng)
        ours, ourselves = dict(arrays), json.loads(text)
        if way < 0.7:
            ourselves = changed_data(ourselves, rng)
        if way > 0.6:
            name = rng.choice(sorted(ours))
            if rng.random() < 0.05:
                ours[f"{name}x"] = ours.pop(name)
            else:
                with np.errstate(all="ignore"):  # numbers that a type cannot hold
                    ours[name] = changed_array(ours[name], rng)
        return packed(kind, ours, ourselves)

    return change
