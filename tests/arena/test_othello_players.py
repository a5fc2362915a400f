"""The positional and the mobility player against published figures, over all 244 four-ply openings in both colours."""

import numpy as np
import pytest

from boardgym.baselines.arena.match import play_match
from boardgym.baselines.arena.ratings import rate_interval

GAMES = 244  # of a published figure: one from each opening
# Percent won, drawn and lost by the first-named player as black, then as white (there printed for the other, as black): one
# seed, literal terminal values, the corner condition for both, ties at random.
PUBLISHED = {
    ("positional", "random"): ((89.8, 1.2, 9.0), (86.9, 2.5, 10.7)),
    ("mobility", "random"): ((85.7, 1.2, 13.1), (78.7, 1.6, 19.7)),
    ("positional", "mobility"): ((82.0, 3.7, 14.3), (86.1, 1.6, 12.3)),
}
CONFIDENCE = 1.0 - 0.05 / 18  # each of 18 shares, so that all hold together at 95 % (Bonferroni)


@pytest.mark.parametrize(("first", "second"), [*PUBLISHED])
def test_published_shares(first, second):
    """What was won, drawn and lost in four seeds' games lies within the intervals of the published shares."""
    names = [name if name == "random" else f"{name}:literal_terminal=1" for name in (first, second)]
    counts = np.zeros((2, 3))
    for seed in range(4):
        match = play_match(
            *names, "Othello-v0", games=2 * GAMES, openings="openings-244", seed=seed, deterministic=False, progress=False
        )
        assert not any(game.record.forfeit for game in match.games)
        for game in match.games:
            counts[game.seat, [1.0, 0.5, 0.0].index(game.score)] += 1
    shares = counts / counts.sum(axis=1, keepdims=True)
    for seat, printed in enumerate(PUBLISHED[first, second]):
        for share, percent in zip(shares[seat], printed, strict=True):
            interval = rate_interval(round(percent / 100 * GAMES) / GAMES, GAMES, CONFIDENCE)
            assert interval.low <= share <= interval.high, (seat, shares, printed)
