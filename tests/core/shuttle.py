"""A two-seat game for tests of repetition: each seat has a token on cells 0 to 3 of its own track and must step every ply.

Tokens start on cell 1; who reaches cell 3 wins. So the game can go on for ever, and a position that occurs for the third
time is a draw. Action 0 steps down, 1 up. Position string: both cells, the seat to play, the number of plies.
"""

import re
from typing import NamedTuple

from boardgym import Game, NotationError, Version, rule
from boardgym.core.verbs import constant


class Shuttle(NamedTuple):
    """Cells of the seat to play and the other; the number of plies is a clock that repetition ignores."""

    CLOCKS = ("plies",)
    LIMIT = 3

    own: int
    other: int
    seat: int
    plies: int


class Endless(Shuttle):
    """The same without an end by repetition."""

    __slots__ = ()
    LIMIT = 0


@rule(Shuttle)
def to_play(position):
    return position.seat


@rule(Shuttle)
def legal_actions(position, out):
    if position.other == 3:
        return 0
    n = 0
    if position.own > 0:
        out[n] = 0
        n += 1
    out[n] = 1
    return n + 1


@rule(Shuttle)
def apply(position, action):
    return position.other, position.own + 2 * action - 1, 1 - position.seat, position.plies + 1


@rule(Shuttle)
def is_terminal(position):
    return position.other == 3


@rule(Shuttle)
def returns(position, seat):
    return -1.0 if seat == position.seat else 1.0


@rule(Shuttle)
def repetition_limit(position):
    return constant(position, "LIMIT")


@rule(Shuttle)
def observe(position, seat, out):
    is_observer = seat == position.seat
    out[0, 0, 0] = position.own if is_observer else position.other
    out[0, 0, 1] = position.other if is_observer else position.own
    out[0, 0, 2] = is_observer
    out[0, 0, 3] = seat
    out[0, 0, 4] = position.plies


@rule(Shuttle)
def decode(planes):
    mine, theirs, seat = int(planes[0, 0, 0]), int(planes[0, 0, 1]), int(planes[0, 0, 3])
    plies = int(planes[0, 0, 4])
    return (mine, theirs, seat, plies) if planes[0, 0, 2] else (theirs, mine, 1 - seat, plies)


def game_of(position_class, name):
    """The description of the game for one of the two classes. Tests register it only where they need to."""

    def parse_move(position, text):
        if text not in ("down", "up"):
            raise NotationError(f"{text!r}: expected 'down' or 'up'")
        return int(text == "up")

    def from_fen(text):
        match = re.fullmatch(r"([0-3]) ([0-3]) ([01]) ([0-9]{1,6})", text)
        if match is None:
            raise NotationError(f"{text!r}: expected two cells, a seat and a number of plies")
        return position_class(*map(int, match.groups()))

    return Game(
        name=name,
        title=name,
        position_class=position_class,
        start=position_class(1, 1, 0, 0),
        num_actions=2,
        max_legal_actions=2,
        observation_shape=(1, 1, 5),
        planes=("own", "other", "observer to play", "seat", "plies"),
        observation_max=120,
        move_text=lambda position, action: ("down", "up")[action],
        parse_move=parse_move,
        to_fen=lambda position: " ".join(map(str, position)),
        from_fen=from_fen,
        max_plies=120,
        versions=(Version(0, "0.1.0", "for tests", ""),),
    )


SHUTTLE, ENDLESS = game_of(Shuttle, "Shuttle"), game_of(Endless, "Endless")
