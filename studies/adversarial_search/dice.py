"""Claim 10: expectiminimax beside the enumeration of all rolls and actions, and how its tree grows."""

from typing import Any

from boardgym.core.board import Board
from boardgym.studies.adversarial_search.measuring import EQUAL, analyse, never, only
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work
from boardgym.studies.verdicts import Found
from boardgym.testing import by_definition
from boardgym.testing.dice import DICE

STARTS = ("0 0 0 1", "3 4 0 1", "4 3 1 1", "2 5 0 1", "5 5 1 2", "1 4 1 3", "2 4 1 2", "2 2 0 1", "1 1 0 2", "3 3 1 3")
GROWN_FROM = "2 2 0 1"
ROLLS = 3
STARS = (0, 1, 2)
WITHIN = 0.2  # of b n: the ratio of the positions of one depth to those of the depth before


def board_of(text: str) -> Board:
    """A board of the dice game, which does not roll by itself."""
    return Board(DICE, text, auto_roll=False)


def measure(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Values by depth, start and pruning; positions of the tree by depth."""
    deepest = 4 if size == 1.0 else 3
    values, right = [], {str(star): 0 for star in STARS}
    nodes = {str(star): [0] * deepest for star in STARS}
    for start in STARTS:
        for depth in range(1, deepest + 1):
            board = board_of(start)
            expected = by_definition.expectiminimax(board, board.to_play, depth, [0, 0, 0])
            values.append(expected)
            for star in STARS:
                found = analyse(f"expectiminimax:{depth},star={star}", board)
                right[str(star)] += abs(found.value - expected) < EQUAL
                nodes[str(star)][depth - 1] += found.nodes
    place.tell(1)
    counted, own = [], []
    for depth in range(1, deepest + 1):
        counts = [0, 0, 0]
        board = board_of(GROWN_FROM)
        by_definition.expectiminimax(board, board.to_play, depth, counts)
        counted.append(counts)
        before = analyse(f"expectiminimax:{depth - 1},star=0", board).nodes if depth > 1 else 0
        own.append(analyse(f"expectiminimax:{depth},star=0", board).nodes - before)
    return {"tried": len(values), "right": right, "nodes": nodes, "counted": counted, "own": own}


def page(figures: Figures) -> list[str]:
    """Values by pruning; the tree by depth."""
    found = only(figures)
    deepest = len(found["counted"])
    rows = [
        [f"`star={star}`", f"{found['right'][str(star)]} of {found['tried']}", *map(str, found["nodes"][str(star)])]
        for star in STARS
    ]
    lines = table(
        ("pruning of rolls", "values of the enumeration", *(f"positions to depth {d}" for d in range(1, deepest + 1))), rows
    )
    rows = []
    for depth, ((looked_at, deciding, actions), own) in enumerate(zip(found["counted"], found["own"], strict=True), start=1):
        ratio = (looked_at - 1) / (found["counted"][depth - 2][0] - 1) if depth > 1 else None
        rows.append(
            [
                str(depth),
                f"{looked_at - 1:,}",
                f"{own:,}",
                "" if ratio is None else f"{ratio:.2f}",
                f"{ROLLS * actions / deciding:.2f}",
            ]
        )
    head = (
        "depth",
        "positions by enumeration",
        "by the search",
        "times those of the depth before",
        "b n, b the mean number of actions",
    )
    return [*lines, *table(head, rows)]


def is_enumeration(figures: Figures) -> Found:
    """Every start, depth and pruning."""
    found = only(figures)
    return never(sum(found["right"].values()), len(STARS) * found["tried"], "values of the enumeration")


def grows(figures: Figures) -> Found:
    """The search visits what is counted, and at the greatest depth the ratio lies within WITHIN of b n."""
    found = only(figures)
    (before, _, _), (looked_at, deciding, actions) = found["counted"][-2:]
    ratio, factor = (looked_at - 1) / (before - 1), ROLLS * actions / deciding
    is_counted = [counts[0] - 1 for counts in found["counted"]] == found["own"]
    is_shown = is_counted and abs(ratio / factor - 1.0) <= WITHIN
    same = "as many positions as are counted" if is_counted else "other numbers of positions than are counted"
    text = f"depth {len(found['counted'])} has {ratio:.2f} times the positions of the depth before, b n is {factor:.2f}"
    return ("shown" if is_shown else "not shown"), f"{text}; the search visits {same}"


DICE_GAME = Part(
    name="dice",
    title="claim 10: a game with dice",
    works={"measured": Work(measure, is_seeded=False, units=2)},
    lines=page,
    claims=(
        Claim(10, "expectiminimax equals exhaustive enumeration on a small dice game", is_enumeration, ("measured",)),
        Claim(10, "its number of positions grows like (b n)^d", grows, ("measured",)),
    ),
    made_of=(1, STARTS, GROWN_FROM, WITHIN),
)
