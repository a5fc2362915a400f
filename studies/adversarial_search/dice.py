"""Claim 10: expectiminimax beside the enumeration of all rolls and actions, and how its tree grows."""

import itertools
from statistics import mean
from typing import Any

from boardgym.baselines.arena.ratings import Interval
from boardgym.core.board import Board
from boardgym.studies.adversarial_search.measuring import EQUAL, analyse, never, only
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work, half_width
from boardgym.studies.verdicts import Found, within
from boardgym.testing import by_definition
from boardgym.testing.dice import DICE, GOAL

STARTS = ("0 0 0 1", "3 4 0 1", "4 3 1 1", "2 5 0 1", "5 5 1 2", "1 4 1 3", "2 4 1 2", "2 2 0 1", "1 1 0 2", "3 3 1 3")
ROLLS = 3
STARS = (0, 1, 2)
DEEPEST = 4
WITHIN = 0.2  # of b n: the ratio of the positions of one depth to those of the depth before


def board_of(text: str) -> Board:
    """A board of the dice game, which does not roll by itself."""
    return Board(DICE, text, auto_roll=False)


def measure(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Values by depth, start and pruning; positions of each start's tree by depth, counted and as the search visits them."""
    deepest = DEEPEST if size == 1.0 else DEEPEST - 1
    tried, right, nodes = 0, {str(star): 0 for star in STARS}, {str(star): [0] * deepest for star in STARS}
    grown = []
    for start in STARTS:
        board, counted, visited = board_of(start), [], [0]
        for depth in range(1, deepest + 1):
            counts = [0, 0, 0]
            expected = by_definition.expectiminimax(board, board.to_play, depth, counts)
            tried += 1
            for star in STARS:
                found = analyse(f"expectiminimax:{depth},star={star}", board)
                right[str(star)] += abs(found.value - expected) < EQUAL
                nodes[str(star)][depth - 1] += found.nodes
                if star == 0:
                    visited.append(found.nodes)
            counted.append(counts)
        own = [after - before for before, after in itertools.pairwise(visited)]
        grown.append({"start": start, "counted": counted, "own": own})
    place.tell(1)
    return {"tried": tried, "right": right, "nodes": nodes, "grown": grown}


def growth_of(one: dict[str, Any]) -> tuple[float, float]:
    """(how many times the positions of the depth before the greatest depth has, b n with b the mean number of actions)."""
    (before, _, _), (looked_at, deciding, actions) = one["counted"][-2:]
    return (looked_at - 1) / (before - 1), ROLLS * actions / deciding


def page(figures: Figures) -> list[str]:
    """Values by pruning; the trees by start and depth."""
    found = only(figures)
    deepest = len(found["nodes"]["0"])
    depths = [f"positions to depth {depth}" for depth in range(1, deepest + 1)]
    rows = [
        [f"`star={star}`", f"{found['right'][str(star)]} of {found['tried']}", *map(str, found["nodes"][str(star)])]
        for star in STARS
    ]
    lines = table(("pruning of rolls", "values of the enumeration", *depths), rows)
    rows = []
    for one in found["grown"]:
        ratio, factor = growth_of(one)
        counts = [f"{counts[0] - 1:,}" for counts in one["counted"]]
        rows.append([f"`{one['start']}`", *counts, f"{ratio:.2f}", f"{factor:.2f}", f"{100 * (ratio / factor - 1.0):+.0f} %"])
    head = ("start", *depths, "the last, times the one before", "b n, b the mean number of actions", "difference")
    return [*lines, *table(head, rows), "Starts are both cells, the seat to play and the die. Positions by enumeration.", ""]


def is_enumeration(figures: Figures) -> Found:
    """Every start, depth and pruning."""
    found = only(figures)
    return never(sum(found["right"].values()), len(STARS) * found["tried"], "values of the enumeration")


def grows(figures: Figures) -> Found:
    """The search visits what is counted, and over the starts the mean of the ratio to b n lies within WITHIN of 1."""
    grown = only(figures)["grown"]
    is_counted = all([counts[0] - 1 for counts in one["counted"]] == one["own"] for one in grown)
    shares = [ratio / factor for ratio, factor in map(growth_of, grown)]
    middle, half = mean(shares), half_width(shares)
    verdict = within(Interval(middle, middle - half, middle + half), 1.0 - WITHIN, 1.0 + WITHIN, len(shares))
    text = (
        f"the ratio of the last two depths is {middle:.3f} ± {half:.3f} of b n, {min(shares):.2f} to {max(shares):.2f}, over "
        f"{len(shares)} starts"
    )
    same = "as many positions as are counted" if is_counted else "other numbers of positions than are counted"
    return (verdict if is_counted else "not shown"), f"{text}; the search visits {same}"


DICE_GAME = Part(
    name="dice",
    title="claim 10: a game with dice",
    works={"measured": Work(measure, is_seeded=False, units=1)},
    lines=page,
    claims=(
        Claim(10, "expectiminimax equals exhaustive enumeration on a small dice game", is_enumeration, ("measured",)),
        Claim(10, "its number of positions grows like (b n)^d, within 20 %, on average over ten starts", grows, ("measured",)),
    ),
    made_of=(2, EQUAL, STARTS, STARS, DEEPEST, GOAL, ROLLS),
)
