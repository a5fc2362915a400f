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
import itertools
import re
from typing import Any

import numpy as np

from boardgym.compile import as_python, plain
from boardgym.core.bits import popcount
from boardgym.core.drawing import CELL, CORNER, EDGE, LABELS, Drawing, Piece, Shape, Spot
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.game import Game, Version, register
from boardgym.core.places import Controls
from boardgym.core.variants import variant as variant_of
from boardgym.games.nine_mens_morris import rules
from boardgym.games.nine_mens_morris.rules import (
    LINES,
    NUM_POINTS,
    PLACES,
    NineMensMorris,
    apply,
    fault_of,
    legal_actions,
)

UNLIMITED = 1_000_000  # max_plies of a game without no_mill_limit: random games are far shorter, but nothing bounds them
LARGEST_LIMIT = 32_000  # the clock is a plane of the observation, int16; so far may a repetition limit go too
MAX_LEGAL = 60  # three men that fly to 20 points: the other side has just moved, so that it has one there
NAMES = [f"{'abcdefg'[column]}{7 - row}" for row, column in PLACES]

# ---------------------------------------------------------------- notation


def by_seat(position: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    """White's and black's men: (word, in hand)."""
    sides = (position.own, position.own_hand), (position.other, position.other_hand)
    return sides if position.seat == 0 else sides[::-1]


def move_text(position: Any, action: int) -> str:
    start, end = action // NUM_POINTS - 1, NAMES[action % NUM_POINTS]
    if start >= 0:
        return f"{NAMES[start]}-{end}"
    return f"x{end}" if position.must_remove else end


def parse_move(position: Any, text: str) -> int:
    match = re.fullmatch(r"(x?)\s*([a-g][1-7])(?:\s*-?\s*([a-g][1-7]))?", text.strip().lower())
    points = [name for name in match.groups()[1:] if name] if match else []
    if not match or (match[1] and len(points) == 2):
        raise NotationError(
            f"{text!r} is no move; expected 'd6' to place, 'a4-a7' to move or 'xd1' to remove a man, one at a time"
        )
    for name in points:
        if name not in NAMES:
            raise NotationError(f"{text!r}: {name} is no point of the board; expected one of {' '.join(NAMES)}")
    if bool(match[1]) != bool(position.must_remove):
        expected = "a man is to be removed, as in 'xd1'" if position.must_remove else "no man is to be removed"
        raise NotationError(f"{text!r}: {expected}")
    numbers = [NAMES.index(name) for name in points]
    return numbers[0] if len(numbers) == 1 else NUM_POINTS + NUM_POINTS * numbers[0] + numbers[1]


def parse_turn(position: Any, text: str) -> tuple[int, ...]:
    """The actions of a move, or of a mill with its removal such as "a4-a7xd1": tuple of one or two ints."""
    head, _, tail = text.replace("X", "x").rpartition("x")
    if not head.strip():
        return (parse_move(position, text),)
    action = parse_move(position, head)
    legal = np.empty(MAX_LEGAL, np.int64)
    if action not in legal[: plain(legal_actions)(position, legal)]:
        return (action,)  # whoever plays it says that it is illegal
    after = type(position)(*map(int, plain(apply)(position, action)))
    if not after.must_remove:
        raise NotationError(f"{text!r}: {head.strip()!r} closes no mill, so no man is to be removed")
    removal = parse_move(after, f"x{tail}")
    removable = legal[: plain(legal_actions)(after, legal)].tolist()
    if removal not in removable:
        expected = " ".join(move_text(after, number) for number in removable)
        raise NotationError(f"{text!r}: 'x{tail.strip()}' is illegal after the mill; expected one of {expected}")
    return action, removal


RANKS = (0, 3, 6, 9, 15, 18, 21, 24)  # the first point of each rank from the top
EXAMPLE = ".W./.../.../B...../.../.../... w 8,8 0"


def to_fen(position: Any) -> str:
    (white, white_hand), (black, black_hand) = by_seat(position)
    marks = [".WB"[(white >> point & 1) + 2 * (black >> point & 1)] for point in range(NUM_POINTS)]
    ranks = "/".join("".join(marks[a:b]) for a, b in itertools.pairwise(RANKS))
    side = "wb"[position.seat] + "x" * position.must_remove
    return f"{ranks} {side} {white_hand},{black_hand} {position.clock}"


def read_fen(text: str, position_class: Any) -> Any:
    parts = text.split() if isinstance(text, str) else []
    if len(parts) != 4:
        raise NotationError(f"position string {text!r}: expected points, side, men in hand and slides, as in {EXAMPLE!r}")
    ranks, side = parts[0].split("/"), parts[1]
    if [len(rank) for rank in ranks] != [b - a for a, b in itertools.pairwise(RANKS)]:
        raise NotationError(f"{parts[0]!r}: expected 7 ranks of 3, 3, 3, 6, 3, 3 and 3 points, separated by '/'")
    marks = "".join(ranks)
    for point, mark in enumerate(marks):
        if mark not in "WB.":
            raise NotationError(f"{parts[0]!r}: {mark!r} on {NAMES[point]}; expected 'W', 'B' or '.'")
    if side not in ("w", "b", "wx", "bx"):
        raise NotationError(f"side to play {side!r}: expected 'w' or 'b', with 'x' if it is to remove a man")
    hands = re.fullmatch(r"([0-9]{1,2}),([0-9]{1,2})", parts[2], re.ASCII)
    if not hands:
        raise NotationError(f"men in hand {parts[2]!r}: expected white's and black's, as in '8,8'")
    if not re.fullmatch(r"[0-9]{1,5}", parts[3], re.ASCII):
        raise NotationError(f"slides since the last mill {parts[3]!r}: expected a number")
    words = [sum(1 << point for point in range(NUM_POINTS) if marks[point] == mark) for mark in "WB"]
    sides = list(zip(words, (int(hands[1]), int(hands[2])), strict=True))
    seat = "wb".index(side[0])
    (own, own_hand), (other, other_hand) = sides[seat], sides[1 - seat]
    position = position_class(own, other, own_hand, other_hand, int(len(side) == 2), seat, int(parts[3]))
    if problem := problem_of(position):
        raise NotationError(f"{text!r}: {problem}")
    return position if position.NO_MILL_LIMIT else position._replace(clock=0)  # which counts only towards a limit


SAID_OF_FAULTS = {  # number -> what is said of it; side: that of the seat it concerns
    rules.NO_WORDS: "no position of the game: a point with two men, or numbers that no position has",
    rules.TOO_MANY_MEN: "{side} has {points} men and {hand} in hand; expected {men} at most",
    rules.NO_START: "no man is placed yet; expected white to play and no slides",
    rules.ONE_SIDE_PLACED: "one side has placed no man yet; expected white to have placed one, black to play, and no slides",
    rules.MOVED_WITHOUT_MAN: "{side} has just moved; expected a man on the board",
    rules.HANDS: "{hands[0]} and {hands[1]} men in hand do not fit the side to play; white begins, one at a time",
    rules.TOO_MANY_LOST: "{side} has lost {lost} men; the other side cannot have closed as many mills",
    rules.OVER_BEFORE: "{side} has {left} men left; the game was over before",
    rules.UNPAID_MILL: "{side} has a mill; expected the other side to have lost a man",
    rules.NO_MILL: "a man is to be removed, but the side to play has no mill",
    rules.NONE_TO_REMOVE: "a man is to be removed, but none is on the board",
    rules.EARLY_CLOCK: "{clock} slides since the last mill; expected 0 while men are placed or removed",
    rules.LONG_CLOCK: "{clock} slides since the last mill; expected {limit} at most, which is the option no_mill_limit",
}


def problem_of(position: Any) -> str:
    """What no game leads to in a position, "" if nothing was found."""
    fault, seat = as_python(fault_of)(position)
    if fault == rules.SOUND:
        return ""
    sides = by_seat(position)
    points, hand = popcount(sides[seat][0]), sides[seat][1]
    return SAID_OF_FAULTS[fault].format(
        side=("white", "black")[seat],
        points=points,
        hand=hand,
        left=points + hand,
        lost=position.MEN - points - hand,
        men=position.MEN,
        hands=(sides[0][1], sides[1][1]),
        clock=position.clock,
        limit=position.NO_MILL_LIMIT,
    )


# ---------------------------------------------------------------- drawing

DISCS = (Piece("disc", 0, "W"), Piece("disc", 1, "B"))
LINE, WOOD = "#5a4630", "#e6cfa5"
TEMPLATE = (
    "7 .-----.-----. ",
    "6 | .---.---. | ",
    "5 | | .-.-. | | ",
    "4 .-.-.   .-.-. ",
    "3 | | .-.-. | | ",
    "2 | .---.---. | ",
    "1 .-----.-----. ",
    "  a b c d e f g ",
)


def drawing_of(board: int) -> Drawing:
    """The drawing of the board 0 or 1, without or with diagonals."""
    spots = tuple(Spot(LABELS + (c + 0.5) * CELL, EDGE + (r + 0.5) * CELL, r, 2 + 2 * c) for r, c in PLACES)
    side = 7 * CELL
    backdrop = [
        Shape("rect", (LABELS - 3, EDGE - 3, side + 6, side + 6, CORNER), "line"),
        Shape("rect", (LABELS, EDGE, side, side, CORNER - 3), "board"),
    ]
    for first, _, last in LINES[board]:
        ends = (spots[first].x, spots[first].y, spots[last].x, spots[last].y)
        backdrop.append(Shape("line", ends, "none", "line", 3.5))
    backdrop += [Shape("circle", (spot.x, spot.y, 6.0), "line") for spot in spots]
    for k in range(7):
        backdrop.append(
            Shape("text", (LABELS + (k + 0.5) * CELL, EDGE + side + LABELS / 2 + 1, 15.0), "ink", text="abcdefg"[k])
        )
        backdrop.append(Shape("text", (LABELS / 2 - 1, EDGE + (k + 0.5) * CELL, 15.0), "ink", text=str(7 - k)))
    return Drawing(
        (LABELS + side + EDGE, EDGE + side + LABELS),
        spots,
        pieces,
        TEMPLATE,
        tuple(backdrop),
        ("#fbf8ef", "#24211f"),
        WOOD,
        LINE,
        action_spots=action_spots,
        notes=notes,
        note_lines=3,
        controls=Controls(names=tuple(NAMES)),
    )


def pieces(position: Any) -> list[Piece | None]:
    (white, _), (black, _) = by_seat(position)
    return [DISCS[0] if white >> p & 1 else DISCS[1] if black >> p & 1 else None for p in range(NUM_POINTS)]


def action_spots(position: Any, action: int) -> tuple[int, ...]:
    start, end = action // NUM_POINTS - 1, action % NUM_POINTS
    return (end,) if start < 0 else (start, end)


def notes(position: Any) -> tuple[str, ...]:
    lines = []
    for name, (word, hand) in zip(("white", "black"), by_seat(position), strict=True):
        lines.append(f"{name}: {hand} in hand, {position.MEN - hand - popcount(word)} lost")
    return (*lines, f"{('white', 'black')[position.seat]}: remove a man") if position.must_remove else tuple(lines)


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
        drawing=drawing_of(position_class.BOARD),
    )


GAME = register(nine_mens_morris())
