"""Where the playouts of UCT are cut to ask the evaluation.

A playout is cut after `cutoff` plies, and by two early cut-offs (H. Finnsson, "Generalized Monte-Carlo tree search extensions
for general game playing", 2012, as the UCT-CCNN study has them in its chapter 3; the details are ours):

    range       at the depth D = shallowest + w (deepest - shallowest), w = `cutoff_range`, of the depths where the first
                SAMPLED_PLAYOUTS playouts of the search came to an end of the game. Depths are plies from the root
    stability   s_t is the score of seat 0 by the evaluation after t plies of the playout, f the first t at which it changes.
                Once the mean of |s_i - s_(i-1)| over i = f .. t is less than `stability`, as many plies as there are seats
                follow; it is never 0, as its first term is not
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.baselines.search.uct_values import HEURISTIC, estimate, first_estimate
from boardgym.compile import inner
from boardgym.core import verbs

SAMPLED_PLAYOUTS = 30  # that end the game, before playouts are cut by their range
ENDED, SHALLOWEST, DEEPEST, SCORE, CHANGE, SINCE, STABLE_AT, CUTS = range(8)  # columns of Memory.cuts


@inner
def is_cut(policy: Any, plies: int, estimates: Any) -> bool:
    """Whether the evaluation is asked after so many plies of a playout. estimates: of the memory; None if never."""
    if estimates is None:
        return False
    return policy.leaf == HEURISTIC or 0 < policy.cutoff <= plies


@inner
def forget_ends(cuts: NDArray[np.float64]) -> None:
    """Begins a new search: no playout has ended."""
    cuts[ENDED], cuts[SHALLOWEST], cuts[DEEPEST] = 0.0, np.inf, -np.inf


@inner
def note_end(cuts: NDArray[np.float64], depth: int) -> None:
    """Counts a playout that came to an end of the game, at a depth from the root."""
    if cuts[ENDED] < SAMPLED_PLAYOUTS:
        cuts[ENDED] += 1.0
        cuts[SHALLOWEST], cuts[DEEPEST] = min(cuts[SHALLOWEST], depth), max(cuts[DEEPEST], depth)


@inner
def is_out_of_range(policy: Any, cuts: NDArray[np.float64], depth: int) -> bool:
    """Whether a depth is that of the cut-off by range, or beyond it."""
    if policy.cutoff_range < 0.0 or cuts[ENDED] < SAMPLED_PLAYOUTS:
        return False
    return depth >= cuts[SHALLOWEST] + policy.cutoff_range * (cuts[DEEPEST] - cuts[SHALLOWEST])


@inner
def note_score(policy: Any, cuts: NDArray[np.float64], plies: int, score: float) -> None:
    """Counts the score of a playout after so many plies, all from 0 on in order, until it is stable."""
    if plies == 0:
        cuts[CHANGE], cuts[SINCE], cuts[STABLE_AT] = 0.0, 0.0, np.inf
    elif score != cuts[SCORE] or cuts[SINCE] > 0.0:
        cuts[CHANGE] += abs(score - cuts[SCORE])
        cuts[SINCE] += 1.0
        if cuts[CHANGE] < policy.stability * cuts[SINCE]:
            cuts[STABLE_AT] = plies
    cuts[SCORE] = score


@inner
def is_cut_early(policy: Any, cuts: Any, horizon: Any, position: Any, mover: int, depth: int, plies: int, results: Any) -> bool:
    """Whether a playout ends by range or stability. cuts: of the memory; None if never.

    mover: who moved into the position. depth: from the root.
    """
    if cuts is None:
        return False
    if is_out_of_range(policy, cuts, depth):
        return True
    if policy.stability <= 0.0:
        return False
    if plies > 0 and cuts[STABLE_AT] < np.inf:
        return plies >= cuts[STABLE_AT] + verbs.constant(policy, "SEATS")
    if results is None:
        note_score(policy, cuts, plies, first_estimate(policy, horizon, position, mover))
    else:
        note_score(policy, cuts, plies, estimate(policy, horizon, position, 0))
    return False
