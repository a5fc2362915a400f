"""Nine Men's Morris by clicks: why a click is refused, and positions set up by hand."""

from collections.abc import Iterator, Sequence
from typing import Any

from boardgym.compile import as_python
from boardgym.core.bits import popcount
from boardgym.games.nine_mens_morris.notation import NAMES, problem_of, to_fen
from boardgym.games.nine_mens_morris.rules import NEIGHBOURS, NUM_POINTS, can_fly

SIDES = ("white", "black")


def points_of(word: int) -> list[int]:
    """The points of a word."""
    return [point for point in range(NUM_POINTS) if word >> point & 1]


def why_not(position: Any, places: Sequence[int]) -> str:
    """Why clicking these points plays nothing, as `Controls.why_not`."""
    first, name = places[0], NAMES[places[0]]
    mine, theirs = SIDES[position.seat], SIDES[1 - position.seat]
    owner = mine if position.own >> first & 1 else theirs if position.other >> first & 1 else ""
    if position.must_remove:
        if owner == theirs:
            return f"{name}: a man in a mill may not be removed while others may"
        return f"{name} {'holds a ' + mine if owner else 'holds no'} man: choose a {theirs} one to remove"
    if position.own_hand > 0 and not (position.SLIDES_EARLY and owner == mine):
        return f"{name} is taken" if owner else f"{name}: a man is to be placed here, with no second click"
    if owner != mine:
        there = f"{name} is empty" if not owner else f"the man on {name} is {owner}"
        return f"{there}: choose a {mine} man to move"
    free = ~(position.own | position.other)
    if not as_python(can_fly)(position, position.own, position.own_hand):
        reach = int(NEIGHBOURS[position.BOARD, first])
        if not reach & free:
            return f"the man on {name} is blocked: no neighbouring point is free"
        if len(places) > 1 and not reach >> places[1] & 1:
            return f"{name} and {NAMES[places[1]]} are not neighbours"
    return f"{NAMES[places[1]]} is taken" if len(places) == 2 and not free >> places[1] & 1 else ""


def set_up(kinds: Sequence[int], seat: int, position_class: Any) -> str:
    """The position string of men on the points, 1 white and 2 black, as `Controls.set_up`.

    The men that are not on the board count as lost if they can all be; else as many as possible are in hand. No man is to be
    removed, unless only that explains the mills.
    """
    words = [sum(1 << point for point in range(NUM_POINTS) if kinds[point] == side) for side in (1, 2)]
    positions = list(_candidates(words, seat, position_class))
    return to_fen(next((position for position in positions if not problem_of(position)), positions[0]))


def _candidates(words: Sequence[int], seat: int, position_class: Any) -> Iterator[Any]:
    """Positions with these men, the most likely first; see `set_up`."""
    off = [max(position_class.MEN - popcount(word), 0) for word in words]
    ways = [(white, black) for white in range(off[0] + 1) for black in range(off[1] + 1)]
    own, other = words[seat], words[1 - seat]
    for must_remove in (0, 1):
        for hands in sorted(ways, key=lambda hands: (any(hands), -sum(hands))):
            yield position_class(own, other, hands[seat], hands[1 - seat], must_remove, seat, 0)
