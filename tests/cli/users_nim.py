"""Nim, as a user writes it in a file: whoever takes the last of 15 counters wins. Taken 1 to 3 at a time."""

from typing import NamedTuple

import numpy as np

import boardgym
from boardgym import rule


class Nim(NamedTuple):
    left: int
    seat: int


@rule(Nim)
def to_play(position):
    return position.seat


@rule(Nim)
def legal_actions(position, out):
    n = min(3, position.left)
    for i in range(n):
        out[i] = i
    return n


@rule(Nim)
def apply(position, action):
    return Nim(position.left - action - 1, 1 - position.seat)


@rule(Nim)
def is_terminal(position):
    return position.left == 0


@rule(Nim)
def returns(position, seat):
    return -1.0 if seat == position.seat else 1.0


@rule(Nim)
def observe(position, seat, out):
    out[0, 0, 0] = position.left
    out[0, 0, 1] = position.seat
    out[0, 0, 2] = seat == position.seat
    out[0, 0, 3] = 1


@rule(Nim)
def decode(planes):
    return Nim(np.int64(planes[0, 0, 0]), np.int64(planes[0, 0, 1]))


def to_fen(position):
    return f"{position.left} {position.seat}"


def from_fen(text):
    left, seat = text.split()
    return Nim(int(left), int(seat))


boardgym.register(
    boardgym.Game(
        name="Nim",
        title="Nim",
        position_class=Nim,
        start=Nim(15, 0),
        num_actions=3,
        max_legal_actions=3,
        observation_shape=(1, 1, 4),
        planes=("counters", "seat to play", "observer to play", "ones"),
        observation_max=15,
        move_text=lambda position, action: f"take{action + 1}",
        parse_move=lambda position, text: int(text.removeprefix("take")) - 1,
        to_fen=to_fen,
        from_fen=from_fen,
        max_plies=15,
        versions=(boardgym.Version(0, "1.0", "first release", "0123456789abcdef"),),
    )
)
