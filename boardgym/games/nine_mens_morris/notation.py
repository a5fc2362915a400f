"""Moves and position strings of Nine Men's Morris, to and from text."""

import itertools
import re
from typing import Any

import numpy as np

from boardgym.compile import as_python, plain
from boardgym.core.bits import popcount
from boardgym.core.errors import NotationError
from boardgym.games.nine_mens_morris import rules
from boardgym.games.nine_mens_morris.rules import NUM_POINTS, PLACES, apply, fault_of, legal_actions

MAX_LEGAL = 60  # three men that fly to 20 points: the other side has just moved, so that it has one there
NAMES = [f"{'abcdefg'[column]}{7 - row}" for row, column in PLACES]


def by_seat(position: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    """White's and black's men: (word, in hand)."""
    sides = (position.own, position.own_hand), (position.other, position.other_hand)
    return sides if position.seat == 0 else sides[::-1]


def move_text(position: Any, action: int) -> str:
    start, end = action // NUM_POINTS - 1, NAMES[action % NUM_POINTS]
    if start >= 0:
        return f"{NAMES[start]}-{end}"
    return f"x{end}" if position.must_remove else end


def parse_move(position: Any, text: str) -> int:
    match = re.fullmatch(r"(x?)\s*([a-g][1-7])(?:\s*-?\s*([a-g][1-7]))?", text.strip().lower())
    points = [name for name in match.groups()[1:] if name] if match else []
    if not match or (match[1] and len(points) == 2):
        raise NotationError(
            f"{text!r} is no move; expected 'd6' to place, 'a4-a7' to move or 'xd1' to remove a man, one at a time"
        )
    for name in points:
        if name not in NAMES:
            raise NotationError(f"{text!r}: {name} is no point of the board; expected one of {' '.join(NAMES)}")
    if bool(match[1]) != bool(position.must_remove):
        expected = "a man is to be removed, as in 'xd1'" if position.must_remove else "no man is to be removed"
        raise NotationError(f"{text!r}: {expected}")
    numbers = [NAMES.index(name) for name in points]
    return numbers[0] if len(numbers) == 1 else NUM_POINTS + NUM_POINTS * numbers[0] + numbers[1]


def parse_turn(position: Any, text: str) -> tuple[int, ...]:
    """The actions of a move, or of a mill with its removal such as "a4-a7xd1": tuple of one or two ints."""
    head, _, tail = text.replace("X", "x").rpartition("x")
    if not head.strip():
        return (parse_move(position, text),)
    action = parse_move(position, head)
    legal = np.empty(MAX_LEGAL, np.int64)
    if action not in legal[: plain(legal_actions)(position, legal)]:
        return (action,)  # whoever plays it says that it is illegal
    after = type(position)(*map(int, plain(apply)(position, action)))
    if not after.must_remove:
        raise NotationError(f"{text!r}: {head.strip()!r} closes no mill, so no man is to be removed")
    removal = parse_move(after, f"x{tail}")
    removable = legal[: plain(legal_actions)(after, legal)].tolist()
    if removal not in removable:
        expected = " ".join(move_text(after, number) for number in removable)
        raise NotationError(f"{text!r}: 'x{tail.strip()}' is illegal after the mill; expected one of {expected}")
    return action, removal


RANKS = (0, 3, 6, 9, 15, 18, 21, 24)  # the first point of each rank from the top
EXAMPLE = ".W./.../.../B...../.../.../... w 8,8 0"


def to_fen(position: Any) -> str:
    (white, white_hand), (black, black_hand) = by_seat(position)
    marks = [".WB"[(white >> point & 1) + 2 * (black >> point & 1)] for point in range(NUM_POINTS)]
    ranks = "/".join("".join(marks[a:b]) for a, b in itertools.pairwise(RANKS))
    side = "wb"[position.seat] + "x" * position.must_remove
    return f"{ranks} {side} {white_hand},{black_hand} {position.clock}"


def read_fen(text: str, position_class: Any) -> Any:
    parts = text.split() if isinstance(text, str) else []
    if len(parts) != 4:
        raise NotationError(f"position string {text!r}: expected points, side, men in hand and slides, as in {EXAMPLE!r}")
    ranks, side = parts[0].split("/"), parts[1]
    if [len(rank) for rank in ranks] != [b - a for a, b in itertools.pairwise(RANKS)]:
        raise NotationError(f"{parts[0]!r}: expected 7 ranks of 3, 3, 3, 6, 3, 3 and 3 points, separated by '/'")
    marks = "".join(ranks)
    for point, mark in enumerate(marks):
        if mark not in "WB.":
            raise NotationError(f"{parts[0]!r}: {mark!r} on {NAMES[point]}; expected 'W', 'B' or '.'")
    if side not in ("w", "b", "wx", "bx"):
        raise NotationError(f"side to play {side!r}: expected 'w' or 'b', with 'x' if it is to remove a man")
    hands = re.fullmatch(r"([0-9]{1,2}),([0-9]{1,2})", parts[2], re.ASCII)
    if not hands:
        raise NotationError(f"men in hand {parts[2]!r}: expected white's and black's, as in '8,8'")
    if not re.fullmatch(r"[0-9]{1,5}", parts[3], re.ASCII):
        raise NotationError(f"slides since the last mill {parts[3]!r}: expected a number")
    words = [sum(1 << point for point in range(NUM_POINTS) if marks[point] == mark) for mark in "WB"]
    sides = list(zip(words, (int(hands[1]), int(hands[2])), strict=True))
    seat = "wb".index(side[0])
    (own, own_hand), (other, other_hand) = sides[seat], sides[1 - seat]
    position = position_class(own, other, own_hand, other_hand, int(len(side) == 2), seat, int(parts[3]))
    if problem := problem_of(position):
        raise NotationError(f"{text!r}: {problem}")
    return position if position.NO_MILL_LIMIT else position._replace(clock=0)  # which counts only towards a limit


SAID_OF_FAULTS = {  # number -> what is said of it; side: that of the seat it concerns
    rules.NO_WORDS: "no position of the game: a point with two men, or numbers that no position has",
    rules.TOO_MANY_MEN: "{side} has {points} men and {hand} in hand; expected {men} at most",
    rules.NO_START: "no man is placed yet; expected white to play and no slides",
    rules.ONE_SIDE_PLACED: "one side has placed no man yet; expected white to have placed one, black to play, and no slides",
    rules.MOVED_WITHOUT_MAN: "{side} has just moved; expected a man on the board",
    rules.HANDS: "{hands[0]} and {hands[1]} men in hand do not fit the side to play; white begins, one at a time",
    rules.TOO_MANY_LOST: "{side} has lost {lost} men; the other side cannot have closed as many mills",
    rules.OVER_BEFORE: "{side} has {left} men left; the game was over before",
    rules.UNPAID_MILL: "{side} has a mill; expected the other side to have lost a man",
    rules.NO_MILL: "a man is to be removed, but the side to play has no mill",
    rules.NONE_TO_REMOVE: "a man is to be removed, but none is on the board",
    rules.EARLY_CLOCK: "{clock} slides since the last mill; expected 0 while men are placed or removed",
    rules.LONG_CLOCK: "{clock} slides since the last mill; expected {limit} at most, which is the option no_mill_limit",
}


def problem_of(position: Any) -> str:
    """What no game leads to in a position, "" if nothing was found."""
    fault, seat = as_python(fault_of)(position)
    if fault == rules.SOUND:
        return ""
    sides = by_seat(position)
    points, hand = popcount(sides[seat][0]), sides[seat][1]
    return SAID_OF_FAULTS[fault].format(
        side=("white", "black")[seat],
        points=points,
        hand=hand,
        left=points + hand,
        lost=position.MEN - points - hand,
        men=position.MEN,
        hands=(sides[0][1], sides[1][1]),
        clock=position.clock,
        limit=position.NO_MILL_LIMIT,
    )
