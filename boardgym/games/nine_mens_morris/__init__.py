"""Nine Men's Morris: place nine men, then slide them; a mill, three in a line, removes a man.

Rules: the usual ones, as in R. Gasser, "Solving Nine Men's Morris" (1996). Seat 0 plays white and
begins.

- While you have men in hand, you place one on a free point.
- Then you slide a man along a line to the next point or, with exactly three men left, fly to any
  free point.
- If you close a mill, you remove a man as a second action: one, even if you closed two mills. Men
  in mills are safe unless all are in mills.
- You lose if you have fewer than three men, on the board and in hand, or cannot move.

Options:

- `flying` (True): three men fly; False: they slide too.
- `no_mill_limit` (100; 0 to 32,000): a draw after this many slides and flights, of both seats
  together, since the last mill was closed. Placing does not count. 0: no limit.
- `repetition_limit` (3; 0 or 2 to 32,000): a draw when board, hands and side to play occur this
  often; 0: never.
- `draw` (""): a rule of the UCT-CCNN study (Rezende, UFMG 2017) in place of `repetition_limit`.
  "first_repetition" is a draw as soon as board, hands and side to play come back (the study's
  overview). "three_action_loop" is a draw only where four plies led back, both sides having undone
  a slide (the study's program). The study has no limit without a mill: `no_mill_limit=0`.
- `variant` ("nine"). "lasker": ten men, which may slide before all are placed. "twelve": twelve men
  on a board whose corners are joined by diagonals (four more mills); if all men are still there,
  the 24th fills the board and leaves white without a move.

2,000 random games under the default rules lasted 164.7 plies in the mean, the longest 507. 18.4 %
were drawn, 49 games of them by repetition
(`python -m benchmarks.random_games NineMensMorris --games 2000`).

Action: a point places a man there, or removes it; 24 + 24 * from + to slides or flies. There are
600 in all, with the same numbers as in OpenSpiel.

Moves are written `d6`, `a4-a7` (`a4a7` is read too), and `xd1` to remove. `Board.push_turn` and
`play` also read a mill and its removal as one: `a4-a7xd1`, `d7xg1`. The points (files a to g, ranks
7 to 1 from the top):

     7   0 --------- 1 --------- 2
     6   |   3 ----- 4 ----- 5   |
     5   |   |   6 - 7 - 8   |   |
     4   9 - 10- 11      12- 13- 14
     3   |   |   15- 16- 17  |   |
     2   |   18 ---- 19 ---- 20  |
     1   21 -------- 22 -------- 23
         a   b   c   d   e   f   g

Position string, for example `.W./.../.../B...../.../.../... w 8,8 0`: the points of each rank, `W`,
`B` or `.`; the side to play, with an `x` if it is to remove a man; white's and black's men in hand;
the slides since the last mill, 0 without a limit.

Observation (7, 7, 10): own men; the other's; the points; ones if a man is to be removed; own men in
hand; the other's; slides since the last mill; ones if the observing seat is to play; ones if it is
black; ones.
"""

import functools
from typing import Any

import numpy as np

from boardgym.core.errors import OptionError
from boardgym.core.game import Game, Version, register
from boardgym.core.variants import variant as variant_of
from boardgym.games.nine_mens_morris.notation import (
    MAX_LEGAL,
    move_text,
    parse_move,
    parse_turn,
    read_fen,
    to_fen,
)
from boardgym.games.nine_mens_morris.picture import drawing_of
from boardgym.games.nine_mens_morris.rules import NUM_POINTS, NineMensMorris

__all__ = ["GAME", "NineMensMorris", "nine_mens_morris"]

UNLIMITED = 1_000_000  # max_plies of a game without no_mill_limit: random games are far shorter, but nothing bounds them
LARGEST_LIMIT = 32_000  # the clock is a plane of the observation, int16; so far may a repetition limit go too

# ---------------------------------------------------------------- options

PLANES = ("own", "other", "points", "man to be removed", "own in hand", "other in hand", "slides since the last mill",
          "observer to play", "observer is black", "ones")  # fmt: skip

VARIANTS = {
    "nine": {},
    "lasker": {"MEN": 10, "SLIDES_EARLY": True},
    "twelve": {"MEN": 12, "BOARD": 1},
}
DRAWS = {"": None, "first_repetition": (2, 0), "three_action_loop": (2, 4)}  # repetition limit and window


def nine_mens_morris(
    flying: bool = True, repetition_limit: int = 3, no_mill_limit: int = 100, draw: str = "", variant: str = "nine"
) -> Game:
    """The game with the options that the module's docstring explains.

    Raises OptionError for a variant or draw that it does not name, for a repetition_limit of 1, and for limits below 0 or
    above 32,000.
    """
    if variant not in VARIANTS:
        raise OptionError(f"variant={variant!r}: expected one of {', '.join(map(repr, VARIANTS))}")
    if draw not in DRAWS:
        raise OptionError(f"draw={draw!r}: expected one of {', '.join(map(repr, DRAWS))}")
    if type(flying) is not bool:
        raise OptionError(f"flying={flying!r}: expected True or False")
    if type(repetition_limit) is not int or repetition_limit == 1 or not 0 <= repetition_limit <= LARGEST_LIMIT:
        raise OptionError(f"repetition_limit={repetition_limit!r}: expected 0 (no such draw) or 2 to {LARGEST_LIMIT}")
    if type(no_mill_limit) is not int or not 0 <= no_mill_limit <= LARGEST_LIMIT:
        raise OptionError(f"no_mill_limit={no_mill_limit!r}: expected 0 (no limit) to {LARGEST_LIMIT}")
    return game_of(flying, repetition_limit, no_mill_limit, draw, variant)


def longest_game(men: int, no_mill_limit: int) -> int:
    """A bound of a game's plies.

    All men are placed; either side may lose all but three men and one of them one more; each of these removals follows a
    mill, which at most no_mill_limit - 1 other slides precede; no_mill_limit slides without a mill are the end.
    """
    removals = 2 * (men - 3) + 1
    return 2 * men + removals * (no_mill_limit + 1) + no_mill_limit if no_mill_limit else UNLIMITED


@functools.cache
def game_of(flying: bool, repetition_limit: int, no_mill_limit: int, draw: str, variant: str) -> Game:
    limit, window = DRAWS[draw] or (repetition_limit, 0)
    constants = {"FLYING": flying, "NO_MILL_LIMIT": no_mill_limit, "REPETITION_LIMIT": limit, "REPETITION_WINDOW": window}
    position_class: Any = variant_of(NineMensMorris, **constants, **VARIANTS[variant])
    men = position_class.MEN
    largest = max(men, no_mill_limit)
    options = {"flying": flying, "repetition_limit": repetition_limit, "no_mill_limit": no_mill_limit, "draw": draw}
    return Game(
        name="NineMensMorris",
        title="Nine Men's Morris",
        position_class=position_class,
        start=position_class(0, 0, men, men, 0, 0, 0),
        num_actions=NUM_POINTS + NUM_POINTS**2,
        max_legal_actions=MAX_LEGAL,
        observation_shape=(7, 7, len(PLANES)),
        planes=PLANES,
        observation_max=largest,
        observation_dtype=np.int8 if largest <= 127 else np.int16,
        move_text=move_text,
        parse_move=parse_move,
        parse_turn=parse_turn,
        to_fen=to_fen,
        from_fen=functools.partial(read_fen, position_class=position_class),
        max_plies=longest_game(men, no_mill_limit),
        versions=(Version(0, "0.1.0", "first release", "a3711fee5f1745f6"),),
        options={**options, "variant": variant},
        configure=nine_mens_morris,
        seat_names=("white", "black"),
        drawing=drawing_of(position_class),
    )


GAME = register(nine_mens_morris())
