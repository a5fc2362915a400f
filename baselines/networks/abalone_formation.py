"""A feature map of Abalone for values that a search asks for: few sums over words, own less the other's, cheap at every leaf.

It has what the thesis on Abalearn has (`abalone_features.py`: distance, protection, threatened marbles, material), each ring of
the board for itself, and how marbles stand to each other along the three axes.
"""

from typing import Any, NamedTuple

from boardgym.baselines.networks import verbs
from boardgym.baselines.networks.abalone_features import sides, threatened
from boardgym.compile import inner
from boardgym.core.bits import popcount
from boardgym.core.verbs import rule
from boardgym.games.abalone.hexagon import BEYOND, BIT_OF, word_of
from boardgym.games.abalone.moves import before

CORNERS = word_of(BIT_OF[name] for name in ("a1", "a5", "e1", "e9", "i5", "i9"))
# What each input is divided by: about its spread in games between players who look ahead; powers of two, which are exact.
RING_SCALE, PAIR_SCALE, LINE_SCALE, FEW_SCALE, MATERIAL_SCALE = 4.0, 8.0, 8.0, 2.0, 2.0


class Formation(NamedTuple):
    """12 inputs, own less the other's so that what speaks for the seat is above 0; each divided by its usual spread.

    The other's marbles less own beyond ring 0, 1, 2 and 3, and in the corners; pairs of neighbours; marbles with two
    neighbours in a line, and those with all six of their own side; marbles that stand in a line between two of the other side;
    marbles pushed off less those lost; then the other's marbles that can be pushed off, if the seat were to play, and less own.
    """

    unused: int = 0


@inner
def lines(own: int, other: int) -> tuple[int, int, int, int]:
    """(pairs of neighbours, marbles with two neighbours in a line, with six, between two of the other side), own less other."""
    pairs, middles, wedges, own_inside, other_inside = 0, 0, 0, own, other
    for axis in range(3):
        own_ahead, own_behind = before(own, axis), before(own, axis + 3)
        other_ahead, other_behind = before(other, axis), before(other, axis + 3)
        own_between, other_between = own_ahead & own_behind, other_ahead & other_behind
        pairs += popcount(own & own_ahead) - popcount(other & other_ahead)
        middles += popcount(own & own_between) - popcount(other & other_between)
        wedges += popcount(own & other_between) - popcount(other & own_between)
        own_inside &= own_between
        other_inside &= other_between
    return pairs, middles, popcount(own_inside) - popcount(other_inside), wedges


@rule(Formation)
def features(feature_map: Any, position: Any, seat: int, sheet: verbs.Sheet) -> None:
    """Rings, lines, material, threats."""
    own, other, won, lost = sides(position, seat)
    inputs = sheet.inputs
    for ring in range(4):
        inputs[ring] = (popcount(other & BEYOND[ring]) - popcount(own & BEYOND[ring])) / RING_SCALE
    inputs[4] = (popcount(other & CORNERS) - popcount(own & CORNERS)) / FEW_SCALE
    pairs, middles, inside, wedges = lines(own, other)
    inputs[5], inputs[6], inputs[7], inputs[8] = (
        pairs / PAIR_SCALE,
        middles / LINE_SCALE,
        inside / FEW_SCALE,
        wedges / FEW_SCALE,
    )
    inputs[9] = (won - lost) / MATERIAL_SCALE
    inputs[10], inputs[11] = threatened(other, own) / FEW_SCALE, -threatened(own, other) / FEW_SCALE
