"""Backgammon: two seats race fifteen men each round the board by dice, hit single men, and bear off.

Rules: Backgammon Galore, https://www.bkgm.com/rules.html, without the doubling cube. Seat 0 plays
`X`, seat 1 `O`. You must play both dice if there is a way to. If you can play only one of the two,
it must be the larger if possible. Doubles are played four times, or as often as possible.

Option: `scoring`, "points" (win 1, gammon 2, backgammon 3; the default) or "win" (1). There are no
draws. Nothing bounds the length of a game, and `max_plies` is 10,000. 2,000 random games lasted
204.9 plies in the mean, the longest 632
(`python -m benchmarks.random_games Backgammon --games 2000`).

A ply moves one man by one die; a turn is a roll and up to four plies. Each side counts the points
24 to 1 in the direction that its men go; 25 is the bar, 0 is off.

Action: 6 * (source - 1) + die - 1 in the mover's own numbers. 150 is the pass, legal only where a
roll allows no move. A turn ends when no further move is possible, so only a roll may need a pass.

Outcome of a roll: 6 * (first - 1) + second - 1. The first roll gives seat 0 `first` and seat 1
`second`, which differ; the higher begins and plays both. Later rolls are written with the higher
die first.

Moves: `8/5`, `bar/22`, `6/off`, with `*` if they hit; a star where nothing is hit is refused. Write
`2/off:6` where the smaller die would bear off the same man. Rolls: `3-1` (`31` and, except for the
first roll, `1-3` are read too). `Board.push_turn` and `play` also read a whole turn: `24/18/13*`,
`6/4(2)`, `8/5,6/5`; `parse_play` reads it with blanks or commas.

Position string, for example `-b----E-C---eE---c-e----B- x 31`:

- bar of O, points 1 to 24 in the numbers of X, bar of X. Capitals are men of X (A = 1 to O = 15),
  small letters men of O;
- the side to play or to roll, `x` or `o`;
- the dice left, `-` if a roll is due. Doubles are `6666` at first; `66` are the last two sixes of
  four (XGID and a position ID mean all four by `66`);
- `- -` in place of side and dice is the first roll.

Two other formats are read: XGID (the same letters; cube and match are ignored), and GNU
Backgammon's position ID, optionally with a roll: `4HPwATDgc/ABMA 31` (X is to play). `xgid` and
`position_id` write them. XGID does not record that a roll is the first; a position ID records
neither seat nor dice.

Observation (1, 26, 12): men of the observer; of the other. Column 0 is the bar of the other, where
the observer's men come off; columns 1 to 24 are the observer's points; column 25 is its bar, where
the other's come off. Then how many of each die, 1 to 6, are left to play; ones if the observing
seat is to play or to roll; ones if it is seat 1; ones at the first roll; ones.
"""

import functools

from boardgym.core.errors import OptionError
from boardgym.core.game import Game, Version, register
from boardgym.core.variants import variant
from boardgym.games.backgammon.notation import (
    START,
    move_text,
    parse_move,
    parse_play,
    parse_turn,
    position_id,
    read_fen,
    to_fen,
    xgid,
)
from boardgym.games.backgammon.picture import DRAWING
from boardgym.games.backgammon.rules import PASS, Backgammon

__all__ = ["GAME", "Backgammon", "backgammon", "parse_play", "position_id", "xgid"]

MOST = {"points": 3, "win": 1}


def backgammon(scoring: str = "points") -> Game:
    """The game; scoring "points": 1, 2 or 3 for a win, or "win": 1. Raises OptionError for another scoring."""
    if not isinstance(scoring, str) or scoring not in MOST:
        raise OptionError(f"scoring={scoring!r}: expected 'points' or 'win'")
    return game_of(scoring)


@functools.cache
def game_of(scoring: str) -> Game:
    most = MOST[scoring]
    position_class = variant(Backgammon, MOST=most)
    return Game(
        name="Backgammon",
        title="Backgammon",
        position_class=position_class,
        start=read_fen(f"{START} - -", position_class),
        num_actions=PASS + 1,
        pass_action=PASS,
        max_legal_actions=30,
        num_outcomes=36,
        min_return=-float(most),
        max_return=float(most),
        observation_shape=(1, 26, 12),
        observation_max=15,
        planes=(
            "own",
            "other",
            *(f"dice left: {die}" for die in range(1, 7)),
            "observer to play",
            "observer is o",
            "first roll",
            "ones",
        ),
        move_text=move_text,
        parse_move=parse_move,
        parse_turn=parse_turn,
        to_fen=to_fen,
        from_fen=functools.partial(read_fen, position_class=position_class),
        max_plies=10_000,
        versions=(Version(0, "0.1.0", "first release", "9b91dc0167184d88"),),
        options={"scoring": scoring},
        configure=backgammon,
        seat_names=("x", "o"),
        drawing=DRAWING,
    )


GAME = register(backgammon())
