"""The positional and the mobility player play as well as they did: shares of 20 seeds, over all 244 four-ply openings."""

import math
import statistics

import numpy as np
import pytest

from boardgym.baselines.arena.match import play_match

OPENINGS, SEEDS = 244, (20, 21, 22, 23)  # SEEDS: none of those of the figures
# Percent won, drawn and lost by the first-named player as black, then as white: seeds 0 to 19, a game from each opening in
# each colour, literal terminal values, the corner condition for both, ties at random. As docs/policies.md.
FIGURES = {
    ("positional", "random"): ((88.5, 2.5, 9.0), (88.6, 1.5, 9.8)),
    ("mobility", "random"): ((78.7, 2.1, 19.2), (79.8, 2.0, 18.2)),
    ("positional", "mobility"): ((86.5, 1.7, 11.8), (87.4, 1.7, 10.9)),
}
FIGURE_GAMES = 20 * OPENINGS
LIMIT = statistics.NormalDist().inv_cdf(1.0 - 0.05 / 18 / 2)  # 2.99: of 18 shares, so that all hold at 95 % (Bonferroni)


@pytest.mark.parametrize(("first", "second"), [*FIGURES])
def test_shares_are_those_of_twenty_other_seeds(first, second):
    """As two proportions: they differ by at most LIMIT standard errors, of the variances of both."""
    names = [name if name == "random" else f"{name}:literal_terminal=1" for name in (first, second)]
    counts = np.zeros((2, 3))
    for seed in SEEDS:
        match = play_match(
            *names, "Othello-v0", games=2 * OPENINGS, openings="openings-244", seed=seed, deterministic=False, progress=False
        )
        assert not any(game.record.forfeit for game in match.games)
        for game in match.games:
            counts[game.seat, [1.0, 0.5, 0.0].index(game.score)] += 1
    games = len(SEEDS) * OPENINGS
    assert counts.sum(axis=1).tolist() == [games, games]
    for seat, percents in enumerate(FIGURES[first, second]):
        for share, percent in zip(counts[seat] / games, percents, strict=True):
            figure = percent / 100.0
            error = math.sqrt(share * (1.0 - share) / games + figure * (1.0 - figure) / FIGURE_GAMES)
            assert abs(share - figure) <= LIMIT * error, (seat, counts[seat] / games, percents)
