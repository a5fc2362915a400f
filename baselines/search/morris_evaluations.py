"""An evaluation of Nine Men's Morris: mills, men and mobility, the three terms that players count first.

It stands in for the program J.A.R.V.I.S. of M. A. Rezende's dissertation (UFMG, 2017, section 5.5), which is not published and
whose evaluation is not given: form and weights are ours, set by hand and not tuned.
"""

from typing import Any, NamedTuple

from boardgym.baselines.search.evaluation import squash
from boardgym.core.bits import popcount
from boardgym.core.verbs import rule
from boardgym.games.nine_mens_morris.rules import ALL_POINTS, count_lines, count_slides


class Mills(NamedTuple):
    """s = men * men + mills * mills closed + mobility * slides, each own less the other's, as s / (spread + |s|).

    men: on the board and in hand; a man that the seat to play is about to remove counts as gone. mills: lines that three men
    of one side fill now. mobility: slides along the lines to a free point, also of a side that still places or may fly.
    Positions may be worth the same: a one-ply player then draws among the moves, minimax keeps the first of its order.
    """

    BOUNDS = {"men": (0, 1e3), "mills": (0, 1e3), "mobility": (0, 1e3), "spread": (1e-3, 1e6)}  # type: ignore[misc]
    SQUASHES = True  # type: ignore[misc]

    men: float = 10.0
    mills: float = 3.0
    mobility: float = 1.0
    spread: float = 20.0


@rule(Mills)
def evaluate(evaluation: Any, position: Any, seat: int, room: Any) -> float:
    """The weighted sum for the seat to play, turned to the seat that asks."""
    own, other = position.own, position.other
    empty = ALL_POINTS & ~(own | other)
    men = popcount(own) + position.own_hand - popcount(other) - position.other_hand + position.must_remove
    score = evaluation.men * men
    score += evaluation.mills * count_lines(position, own, other)[0]
    score += evaluation.mobility * (count_slides(position, own, empty) - count_slides(position, other, empty))
    value = squash(score, evaluation.spread)
    return value if seat == position.seat else -value
