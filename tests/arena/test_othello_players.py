"""The positional and the mobility player play as well as they did: shares of 20 seeds, over all 244 four-ply openings."""

import math
import statistics

import numpy as np
import pytest

from boardgym.baselines.arena.match import play_match

OPENINGS, SEEDS = 244, (20, 21, 22, 23)  # SEEDS: none of those of the figures
# Games won, drawn and lost by the first-named player as black, then as white: seeds 0 to 19, one from each opening in each
# colour, literal terminal values, the corner condition for both, ties at random. docs/policies.md has them in percent.
FIGURES = {
    ("positional", "random"): ((4321, 122, 437), (4326, 74, 480)),
    ("mobility", "random"): ((3841, 104, 935), (3895, 99, 886)),
    ("positional", "mobility"): ((4221, 82, 577), (4265, 81, 534)),
}
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
    for seat, figures in enumerate(FIGURES[first, second]):
        for count, figure in zip(counts[seat], figures, strict=True):
            share, usual = count / games, figure / sum(figures)
            error = math.sqrt(share * (1.0 - share) / games + usual * (1.0 - usual) / sum(figures))
            assert abs(share - usual) <= LIMIT * error, (seat, counts[seat], figures)
