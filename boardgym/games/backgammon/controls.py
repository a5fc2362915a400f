"""Backgammon by clicks: the point, or the bar, that a man leaves, then where it goes; and why a click is refused.

Places are the points 1 to 24 in the numbers of x, then the bar and the tray. Sentences name points in the numbers of the
side to play, as its moves do.
"""

from collections.abc import Sequence
from typing import Any

from boardgym.games.backgammon.notation import dice_of, men_of
from boardgym.games.backgammon.rules import BAR

BAR_PLACE, OFF_PLACE = 24, 25
HIGHEST_HOME = 6


def number_of(place: int, seat: int) -> int:
    """A place as the seat counts: 24 to 1, BAR, 0 off."""
    if place >= BAR_PLACE:
        return BAR if place == BAR_PLACE else 0
    return place + 1 if seat == 0 else 24 - place


def why_not(position: Any, places: Sequence[int]) -> str:
    """Why clicking these places plays nothing, as `Controls.why_not`."""
    seat, dice = position.seat, dice_of(position)
    mine, theirs = "xo"[seat], "ox"[seat]
    men, others = men_of(position)[seat], men_of(position)[1 - seat]
    source = number_of(places[0], seat)
    if source == 0:
        return "men that are borne off do not come back"
    if men[source] == 0:
        if source == BAR:
            return f"{mine} has no man on the bar"
        return f"the men on point {source} are {theirs}'s" if others[25 - source] else f"no man is on point {source}"
    if men[BAR] and source != BAR:
        return f"{mine} must first enter the man on the bar"
    if len(places) == 1:
        return "; ".join(f"by {die}: {_why_not_by(position, source, die)}" for die in dict.fromkeys(dice))
    target = number_of(places[1], seat)
    if target == 0:
        reaching = [die for die in dict.fromkeys(dice) if die >= source]
        return _why_not_by(position, source, reaching[0]) if reaching else f"no {source} or more among the dice: {listed(dice)}"
    if target >= source:
        return f"{mine} moves from 24 down to 1, not from {called(source)} to {called(target)}"
    if source - target not in dice:
        return f"no {source - target} among the dice: {listed(dice)}"
    return _why_not_by(position, source, source - target)


def _why_not_by(position: Any, source: int, die: int) -> str:
    """Why a man may not go from a number by one of the dice."""
    seat, target = position.seat, source - die
    men, others = men_of(position)[seat], men_of(position)[1 - seat]
    if target > 0 and others[25 - target] > 1:
        return f"{'ox'[seat]} holds point {target}"
    if target <= 0 and any(men[HIGHEST_HOME + 1 :]):
        return f"all men must be on points 1 to {HIGHEST_HOME} before one is borne off"
    if target < 0 and any(men[source + 1 :]):
        return f"with a {die} the man on the highest point is borne off"
    return "both dice must be played if they can be, or else the larger"


def called(number: int) -> str:
    """A number as moves write it."""
    return {BAR: "the bar", 0: "off"}.get(number, str(number))


def listed(dice: Sequence[int]) -> str:
    """The dice left, for example "6 and 1"."""
    return " and ".join(map(str, dice))
