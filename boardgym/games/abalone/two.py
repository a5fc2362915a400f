"""Abalone: two seats push each other's marbles off a hexagonal board. Whoever pushes off six wins.

Rules: those of the box (L. Lévi and M. Lalet, 1987). Seat 0 plays black and begins. A move takes
one to three own marbles in a line and moves them one step, along their line or sideways into empty
cells. Along the line, two marbles push one of the other's, and three push one or two, if an empty
cell or the rim is behind these. You cannot push off your own marbles.

The box knows no draw, and cautious play never ends. These options end it:

- `repetition_limit` (3): the game is drawn when a position occurs this often; 0: no such rule.
- `no_push_limit` (200): the game is drawn after this many plies without a marble pushed off;
  0: no such rule, and nothing bounds the game.
- `no_move`: a player without a legal move draws ("draw"), loses ("loss") or passes ("pass": one
  more action, legal only then).

More options:

- `rewards`: "outcome" pays 1 to the winner and -1 to the loser at the end. "material" pays 1 for
  each marble pushed off and -1 for each one lost, at once, so the returns are the balance, however
  the game ends.
- `lost_black`, `lost_white` (0 to 5): a handicap. This many marbles count as pushed off at the
  start, although the set-up is complete. "material" pays nothing for them.

Cells: rows a (bottom) to i (top). Numbers run along the diagonals from the upper left to the lower
right: a1-a5, b1-b6, ..., e1-e9, f2-f9, ..., i5-i9.

Directions: 0 right, 1 upper right, and on counter-clockwise to 5 lower right. 0, 1 and 2 are axes.

Actions: 212 times the direction, plus

- 0-51: along the line, by the rear marble; the position decides how many move.
- 52-95, 96-131: two, three marbles sideways that lie along the axis (direction + 1) % 3, by the
  first of them along it.
- 132-175, 176-211: two, three marbles sideways that lie along the axis (direction + 2) % 3.

Each part counts the cells where the board has room for it, row after row in the order a, f, b, g,
c, h, d, i, e. The pass, in games that have one, is 1272.

Moves are written as in tournaments (and by the program Aba-Pro):

- Along the line: the rear marble and the next cell, whatever the number that moves (`a1b2`).
- Sideways: the first marble, the last, and the cell where the first goes (`a1a3b1`, or from the
  other end `a3a1b3`).
- `pass`.

Two other notations are read where that one has no such move. They name cells as here, not with the
axes exchanged:

- Sideways moves whose third cell is where the last marble goes: `h4i5i6` takes h4 and i5 to the
  right.
- Two cells that are not neighbours: where the first marble stands and where the last one arrives,
  if only one legal move does this: `a1c3`, two along the line; `a1b3`, two sideways.

Position string, for example `sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0`:

- rows from the top (i to a), `S` black, `s` white, digits for runs of empty cells: `2sss2` is
  row g;
- the marbles that black has pushed off, then white;
- the side to play;
- plies since the last push off. Without `no_push_limit` this is 0 or 1, whether the last ply
  pushed none off; greater numbers are read as 1;
- optionally a move number;
- in set-ups without 14 marbles a side, last, how many black and white have in all: `of 13-14`.

400 random games from the standard start lasted 396 plies in the mean and 310 in the median, the
longest 1258. 96 % were drawn, all by the limit. Legal actions: 62.4 in the mean, at most 112
(`python -m benchmarks.random_games Abalone --games 400`). Other seeds give other medians, because
nearly half of the games end at ply 200, before any marble is pushed off.

Observation (9, 9, 9), row 0 is i, column 0 is 1: own marbles; the other's; cells of the board;
marbles that the observing seat has pushed off; that the other has; plies since the last; ones if
the observing seat is to play; ones if it is white; ones.
"""

import functools
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner
from boardgym.core.bits import popcount
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.game import Game, Setup, Version, register
from boardgym.core.planes import fill_cells
from boardgym.core.variants import variant
from boardgym.core.verbs import constant, rule
from boardgym.games.abalone.controls import controls_of, words_of
from boardgym.games.abalone.hexagon import (
    ACTION_IMAGE,
    BOARD,
    DRAW,
    LOSS,
    MAY_PASS,
    NO_MOVE,
    NUM_ACTIONS,
    NUM_SYMMETRIES,
    PASS,
    UNBOUNDED,
    board_plane,
    check_options,
    checked_clock,
    make_drawing,
    move_text,
    observation_dtype,
    parse_move,
    read_position,
    read_rows,
    score_note,
    write_rows,
)
from boardgym.games.abalone.moves import (
    can_move,
    falls,
    image,
    is_clock_possible,
    is_out_of_time,
    moved,
    next_clock,
    placement,
    push,
    read_word,
    write_moves,
    write_word,
)
from boardgym.games.abalone.setups import LAYOUTS, VARIANTS

GOAL = 6  # marbles to push off
SETUPS = {name: read_rows(rows, "Ss") for name, rows in (LAYOUTS | VARIANTS).items()}
TOTALS = tuple(sorted({(popcount(black), popcount(white)) for black, white in SETUPS.values()}))  # marbles of the two sides
MARBLES = (14, 14)  # of black and white, unless a string states others
NAMES = ("black", "white")
EXAMPLE = f"{LAYOUTS['standard']} 0 0 b 0"
BOARD_PLANE = board_plane(9, 2)
SPREAD = 25.0  # the score that is half a win
OFF_BOARD = 8.0  # as the distance to the centre of a marble that is lost; the farthest cells have 4
MAX_LEGAL = 246  # a bound for 15 marbles: tests/games/test_abalone.py says why


class Abalone(NamedTuple):
    """Marbles as words; `own` and what it has pushed off belong to the seat to play. Other options are subclasses."""

    REPETITION_LIMIT = 3  # type: ignore[misc]
    NO_PUSH_LIMIT = 200  # type: ignore[misc]
    NO_MOVE = DRAW  # type: ignore[misc]
    LOST_BLACK = 0  # type: ignore[misc]
    LOST_WHITE = 0  # type: ignore[misc]
    PAYS_MARBLES = False  # type: ignore[misc]
    CLOCKS = ("clock",)  # type: ignore[misc]

    own: int
    other: int
    own_score: int
    other_score: int
    seat: int
    clock: int


class AbaloneMaterial(Abalone):
    """Abalone that pays marble by marble."""

    __slots__ = ()
    PAYS_MARBLES = True  # type: ignore[misc]


@rule(Abalone)
def is_valid(position: Any) -> bool:
    """Marbles within the board, one a cell, as many in all as a set-up has; only who has moved last may have won."""
    own, other, by_own, by_other = position.own, position.other, position.own_score, position.other_score
    if (own | other) & ~BOARD or own & other:
        return False
    if not 0 <= position.seat <= 1 or not is_clock_possible(position, by_other == GOAL):
        return False
    black_before, white_before = constant(position, "LOST_BLACK"), constant(position, "LOST_WHITE")
    own_before, other_before = (black_before, white_before) if position.seat == 0 else (white_before, black_before)
    if not (other_before <= by_own < GOAL and own_before <= by_other <= GOAL):
        return False
    total = popcount(own) + by_other - own_before, popcount(other) + by_own - other_before
    black, white = total if position.seat == 0 else total[::-1]
    for known in TOTALS:  # noqa: SIM110 (generators are not compiled)
        if black == known[0] and white == known[1]:
            return True
    return False


@rule(Abalone)
def to_play(position: Any) -> int:
    return position.seat


@rule(Abalone)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    if position.own_score >= GOAL or position.other_score >= GOAL or is_out_of_time(position):
        return 0
    n = write_moves(position.own, position.other, out)
    if n == 0 and constant(position, "NO_MOVE") == MAY_PASS:
        out[0] = PASS
        return 1
    return n


@rule(Abalone)
def apply(position: Any, action: int) -> Any:
    if action == PASS:
        clock = next_clock(position, 0)
        return position.other, position.own, position.other_score, position.own_score, 1 - position.seat, clock
    own, pushed, direction = moved(position.own, position.other, action)
    other, fallen = push(position.other, pushed, direction), falls(pushed, direction)
    return other, own, position.other_score, position.own_score + fallen, 1 - position.seat, next_clock(position, fallen)


@rule(Abalone)
def noisy_actions(position: Any, out: NDArray[np.int64]) -> int:
    """Pushes that take a marble off the board."""
    count, n = legal_actions(position, out), 0
    for i in range(count):
        if out[i] != PASS:
            _, pushed, direction = moved(position.own, position.other, out[i])
            out[n] = out[i]
            n += falls(pushed, direction)
    return n


@rule(Abalone)
def is_terminal(position: Any) -> bool:
    if position.own_score >= GOAL or position.other_score >= GOAL or is_out_of_time(position):
        return True
    return constant(position, "NO_MOVE") != MAY_PASS and not can_move(position.own, position.other)


@inner
def balance(position: Any) -> float:
    """The marbles that the seat to play has pushed off less those it has lost, without the handicap."""
    ahead = position.own_score - position.other_score
    handicap = constant(position, "LOST_WHITE") - constant(position, "LOST_BLACK")
    return float(ahead - (handicap if position.seat == 0 else -handicap))


@rule(Abalone)
def returns(position: Any, seat: int) -> float:
    value = 0.0
    if constant(position, "PAYS_MARBLES"):
        value = balance(position)
    elif position.own_score >= GOAL:
        value = 1.0
    elif position.other_score >= GOAL:
        value = -1.0
    elif constant(position, "NO_MOVE") == LOSS and not is_out_of_time(position):
        value = 0.0 if can_move(position.own, position.other) else -1.0
    return value if seat == position.seat else -value


@rule(Abalone)
def draw_returns(position: Any, seat: int) -> float:
    value = balance(position) if constant(position, "PAYS_MARBLES") else 0.0
    return value if seat == position.seat else -value


@rule(AbaloneMaterial)
def reward(position: Any, seat: int) -> float:
    if position.clock > 0:
        return 0.0
    return -1.0 if seat == position.seat else 1.0


@rule(Abalone)
def repetition_limit(position: Any) -> int:
    return constant(position, "REPETITION_LIMIT")


@rule(Abalone)
def repetition_window(position: Any) -> int:
    return max(position.clock, 1) if constant(position, "NO_PUSH_LIMIT") > 0 else 0  # 0 would be: to the beginning


@rule(Abalone)
def heuristic(position: Any, seat: int) -> float:
    """Marbles pushed off, closeness to the centre and togetherness; squashed to (-1, 1).

    The term for the centre is that of P. Campos's thesis on Abalearn (Technical University of Lisbon, about 2003), with a lost
    marble counted as one far from the centre. Where marbles pay, each one won counts a sixth, and how the sides stand less
    than one marble.
    """
    stand, ahead = placement(position.own) - placement(position.other), position.own_score - position.other_score
    if constant(position, "PAYS_MARBLES"):
        value = (balance(position) + 0.9 * stand / (SPREAD + abs(stand))) / GOAL
    else:
        score = OFF_BOARD * ahead + stand
        value = score / (SPREAD + abs(score))
    return value if seat == position.seat else -value


@rule(Abalone)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    is_observer = seat == position.seat
    mine, theirs = (position.own, position.other) if is_observer else (position.other, position.own)
    score = position.own_score if is_observer else position.other_score
    lost = position.other_score if is_observer else position.own_score
    same = (0, 0, 0, score, lost, position.clock, int(is_observer), seat, 1)
    fill_cells(out, BOARD_PLANE, same)
    write_word(mine, out, 0)
    write_word(theirs, out, 1)


@rule(Abalone)
def decode(planes: NDArray[Any]) -> Any:
    mine, theirs = read_word(planes, 0), read_word(planes, 1)
    plane = planes[0, 0]
    score, lost, clock, seat = (
        int(np.int64(plane[3])),
        int(np.int64(plane[4])),
        int(np.int64(plane[5])),
        int(np.int64(plane[7])),
    )
    if plane[6]:
        return Abalone(mine, theirs, score, lost, seat, clock)  # type: ignore[call-arg]
    return Abalone(theirs, mine, lost, score, 1 - seat, clock)  # type: ignore[call-arg]


@rule(Abalone)
def num_symmetries(position: Any) -> int:
    return NUM_SYMMETRIES


@rule(Abalone)
def transform(position: Any, k: int) -> Any:
    own, other = image(position.own, k), image(position.other, k)
    return own, other, position.own_score, position.other_score, position.seat, position.clock


@rule(Abalone)
def transform_action(position: Any, action: int, k: int) -> int:
    return int(ACTION_IMAGE[k, action])


def words(position: Any) -> tuple[int, int]:
    """The marbles of black and of white."""
    return (position.own, position.other) if position.seat == 0 else (position.other, position.own)


def scores(position: Any) -> tuple[int, int]:
    """What black and white have pushed off."""
    pair = (position.own_score, position.other_score)
    return pair if position.seat == 0 else pair[::-1]


def notes(position: Any) -> tuple[str, ...]:
    return (score_note(scores(position), NAMES),)


def totals_of(marbles: tuple[int, int], by: Sequence[int], constants: Any) -> tuple[int, int]:
    """How many marbles black and white have, those that the other has pushed off included. constants: position or type."""
    lost = by[1] - constants.LOST_BLACK, by[0] - constants.LOST_WHITE
    return popcount(marbles[0]) + lost[0], popcount(marbles[1]) + lost[1]


def to_fen(position: Any) -> str:
    marbles, by = words(position), scores(position)
    black, white = totals_of(marbles, by, position)
    stated = "" if (black, white) == MARBLES else f" of {black}-{white}"
    return f"{write_rows(marbles, 'Ss')} {by[0]} {by[1]} {'bw'[position.seat]} {position.clock}{stated}"


def split_totals(text: str) -> tuple[str, tuple[int, int]]:
    """A position string without the totals that may stand last, and these. Raises NotationError if no set-up has them."""
    fields = text.split() if isinstance(text, str) else []
    if fields[-2:-1] != ["of"]:
        return text, MARBLES
    match = re.fullmatch(r"([0-9]{2})-([0-9]{2})", fields[-1])
    totals = (int(match[1]), int(match[2])) if match else None
    if totals not in TOTALS:
        known = ", ".join(f"{black}-{white}" for black, white in TOTALS)
        raise NotationError(f"{text!r}: marbles of black and white in all: {fields[-1]!r}; expected one of {known}")
    return " ".join(fields[:-2]), totals


def read_fen(text: str, position_class: Any) -> Any:
    rest, totals = split_totals(text)
    (black, white), by, seat, clock = read_position(rest, "Ss", NAMES, EXAMPLE)
    least_scores = (position_class.LOST_WHITE, position_class.LOST_BLACK)
    for name, score, least in zip(NAMES, by, least_scores, strict=True):
        if not least <= score <= GOAL:
            raise NotationError(f"{text!r}: {name} has pushed off {score}; expected {least} to {GOAL}")
    if by[seat] == GOAL:
        raise NotationError(f"{text!r}: {'bw'[seat]!r} to play has pushed off {GOAL} already; expected the other side to play")
    found = totals_of((black, white), by, position_class)
    if found != totals:
        raise NotationError(
            f"{text!r}: {found[0]} black and {found[1]} white marbles, those pushed off included; expected "
            f"{totals[0]} and {totals[1]}; other set-ups state theirs last, as in 'of 13-14'"
        )
    clock = checked_clock(text, clock, position_class.NO_PUSH_LIMIT, GOAL in by)
    start = position_class(black, white, by[0], by[1], 0, clock)
    return start if seat == 0 else position_class(white, black, by[1], by[0], 1, clock)


def set_up(kinds: Sequence[int], seat: int, position_class: Any) -> str:
    """The position string of marbles on the spots, as `Controls.set_up`: those missing of 14 a side were pushed off.

    Where a side has more than 14, those of another set-up's marbles. No ply has passed since the last was pushed off.
    """
    marbles = words_of(kinds, 2)
    counts = [popcount(word) for word in marbles]
    fitting = (known for known in (MARBLES, *TOTALS) if counts[0] <= known[0] and counts[1] <= known[1])
    black, white = next(fitting, MARBLES)
    lost_black, lost_white = max(black - counts[0], 0), max(white - counts[1], 0)
    by = lost_white + position_class.LOST_WHITE, lost_black + position_class.LOST_BLACK
    return to_fen(position_class(marbles[seat], marbles[1 - seat], by[seat], by[1 - seat], seat, 0))


def abalone(
    repetition_limit: int = 3,
    no_push_limit: int = 200,
    no_move: str = "draw",
    rewards: str = "outcome",
    lost_black: int = 0,
    lost_white: int = 0,
) -> Game:
    """The game with these options: see above. Limits are 0 (none), repetition_limit at least 2, both at most 32,000.

    Raises OptionError for other values.
    """
    check_options(repetition_limit, no_push_limit, no_move, tuple(NO_MOVE))
    if rewards not in ("outcome", "material"):
        raise OptionError(f"rewards={rewards!r}: expected 'outcome' or 'material'")
    for name, value in (("lost_black", lost_black), ("lost_white", lost_white)):
        if type(value) is not int or not 0 <= value < GOAL:
            raise OptionError(f"{name}={value!r}: expected 0 to {GOAL - 1}")
    return game_of(repetition_limit, no_push_limit, no_move, rewards, lost_black, lost_white)


@functools.cache
def game_of(repetition_limit: int, no_push_limit: int, no_move: str, rewards: str, lost_black: int, lost_white: int) -> Game:
    position_class = variant(
        AbaloneMaterial if rewards == "material" else Abalone,
        REPETITION_LIMIT=repetition_limit,
        NO_PUSH_LIMIT=no_push_limit,
        NO_MOVE=NO_MOVE[no_move],
        LOST_BLACK=lost_black,
        LOST_WHITE=lost_white,
    )
    starts = {name: position_class(black, white, lost_white, lost_black, 0, 0) for name, (black, white) in SETUPS.items()}
    most = 6.0 if rewards == "material" else 1.0
    return Game(
        name="Abalone",
        title="Abalone",
        position_class=position_class,
        start=starts["standard"],
        num_actions=NUM_ACTIONS + (no_move == "pass"),
        pass_action=PASS if no_move == "pass" else None,
        max_legal_actions=MAX_LEGAL,
        observation_shape=(9, 9, 9),
        planes=(
            "own",
            "other",
            "board",
            "pushed off by observer",
            "pushed off by other",
            "plies since a push off",
            "observer to play",
            "observer is white",
            "ones",
        ),
        move_text=move_text,
        parse_move=parse_move,
        to_fen=to_fen,
        from_fen=functools.partial(read_fen, position_class=position_class),
        max_plies=(2 * GOAL - 1) * no_push_limit or UNBOUNDED,
        versions=(Version(0, "0.1.0", "first release", "6b8e5611d77d4150"),),
        min_return=-most,
        max_return=most,
        observation_max=max(no_push_limit, GOAL),
        observation_dtype=observation_dtype(no_push_limit),
        setups={name: Setup((start,)) for name, start in starts.items()},
        options={
            "repetition_limit": repetition_limit,
            "no_push_limit": no_push_limit,
            "no_move": no_move,
            "rewards": rewards,
            "lost_black": lost_black,
            "lost_white": lost_white,
        },
        configure=abalone,
        drawing=make_drawing(
            words,
            "XO",
            ("#1b1b1b", "#f4f1e8"),
            notes,
            controls_of(words, NAMES, functools.partial(set_up, position_class=position_class)),
        ),
        seat_names=NAMES,
    )


GAME = register(abalone())
