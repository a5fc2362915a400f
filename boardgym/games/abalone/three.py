"""Abalone for three: whoever first pushes off six marbles, of either opponent, wins alone.

The rules are those for two (`boardgym/games/abalone/two.py`), with eleven marbles a side on every
other side of the board. The marbles of both opponents count alike, and a push moves one or two of
them, of one colour or of both. Seat 0, black, stands at the right and begins; then come white at
the left and red at the bottom. The winner gets 1 and the two others -1 each; a draw pays 0.

Nobody drops out: before a side has lost its eleventh marble, one of the other two has pushed off
six. Options:

- `repetition_limit` (3), `no_push_limit` (200): as for two.
- `no_move`: a player without a legal move passes ("pass": an action, legal only then), or the game
  is drawn ("draw"). Unlike in the game for two, the default is "pass", since the two others can
  continue.

Cells, actions and the notation of moves: as for two.

Position string, for example `ww1bb/ww2bb/ww3bb/ww4bb/ww5bb/w6b/7/rrrrrr/rrrrr 0 0 0 b 0`: rows
from the top (i to a), `b` black, `w` white, `r` red, digits for runs of empty cells; the marbles
that black, white and red have pushed off; the side to play; plies since the last push off, as for
two. A move number may follow.

400 random games lasted 570 plies in the mean and 573 in the median, the longest 1496. 87 % were
drawn. Legal actions: 39.7 in the mean, at most 82
(`python -m benchmarks.random_games Abalone3 --games 400`).

Observation (9, 9, 12), row 0 is i, column 0 is 1: marbles of the observing seat, of the next one,
of the previous one; cells of the board; marbles that they have pushed off, in the same order; plies
since the last; ones if the observing seat is to play; ones if the next one is; number of the
observing seat; ones.
"""

import functools
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, plain
from boardgym.core.bits import popcount
from boardgym.core.errors import NotationError
from boardgym.core.game import Game, Version, register
from boardgym.core.planes import fill_cells
from boardgym.core.variants import variant
from boardgym.core.verbs import constant, rule
from boardgym.games.abalone.controls import controls_of, words_of
from boardgym.games.abalone.hexagon import (
    ACTION_IMAGE,
    BOARD,
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

GOAL = 6  # marbles to push off
MARBLES = 11
MAX_LEGAL = 174  # a bound for 11 marbles: tests/games/test_abalone.py says why
NAMES = ("black", "white", "red")
ROWS = "ww1bb/ww2bb/ww3bb/ww4bb/ww5bb/w6b/7/rrrrrr/rrrrr"
EXAMPLE = f"{ROWS} 0 0 0 b 0"
BOARD_PLANE = board_plane(12, 3)
SPREAD = 25.0  # the score that is half a win
OFF_BOARD = 8.0  # as the distance to the centre of a marble that is lost


class Abalone3(NamedTuple):
    """Marbles as words, and what each has pushed off: of the seat to play, the next, the previous. Options are subclasses."""

    REPETITION_LIMIT = 3  # type: ignore[misc]
    NO_PUSH_LIMIT = 200  # type: ignore[misc]
    NO_MOVE = MAY_PASS  # type: ignore[misc]
    CLOCKS = ("clock",)  # type: ignore[misc]

    own: int
    following: int
    previous: int
    own_score: int
    following_score: int
    previous_score: int
    seat: int
    clock: int


@inner
def is_pushed_by_others(by: Sequence[int], lost: Sequence[int]) -> bool:
    """Whether scores and lost marbles fit: as many of each, and nobody has pushed off marbles of its own."""
    total = by[0] + by[1] + by[2]
    return total == lost[0] + lost[1] + lost[2] and max(by[0] + lost[0], by[1] + lost[1], by[2] + lost[2]) <= total


@rule(Abalone3)
def is_valid(position: Any) -> bool:
    """Marbles within the board, one a cell; what is missing was pushed off by others; only who has moved last may have won."""
    own, following, previous = position.own, position.following, position.previous
    if (own | following | previous) & ~BOARD or own & following or (own | following) & previous:
        return False
    lost = MARBLES - popcount(own), MARBLES - popcount(following), MARBLES - popcount(previous)
    if min(lost) < 0 or not is_pushed_by_others((position.own_score, position.following_score, position.previous_score), lost):
        return False
    if not 0 <= position.seat <= 2 or not is_clock_possible(position, position.previous_score == GOAL):
        return False
    by_others = 0 <= position.own_score < GOAL and 0 <= position.following_score < GOAL
    return by_others and 0 <= position.previous_score <= GOAL


@rule(Abalone3)
def to_play(position: Any) -> int:
    return position.seat


@rule(Abalone3)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    if position.previous_score >= GOAL or is_out_of_time(position):
        return 0
    n = write_moves(position.own, position.following | position.previous, out)
    if n == 0 and constant(position, "NO_MOVE") == MAY_PASS:
        out[0] = PASS
        return 1
    return n


@rule(Abalone3)
def apply(position: Any, action: int) -> Any:
    own, following, previous, fallen = position.own, position.following, position.previous, 0
    if action != PASS:
        own, pushed, direction = moved(own, following | previous, action)
        following, previous = push(following, pushed, direction), push(previous, pushed, direction)
        fallen = falls(pushed, direction)
    seat, clock = (position.seat + 1) % 3, next_clock(position, fallen)
    score = position.own_score + fallen
    return following, previous, own, position.following_score, position.previous_score, score, seat, clock


@rule(Abalone3)
def noisy_actions(position: Any, out: NDArray[np.int64]) -> int:
    """Pushes that take a marble off the board."""
    count, n = legal_actions(position, out), 0
    for i in range(count):
        if out[i] != PASS:
            _, pushed, direction = moved(position.own, position.following | position.previous, out[i])
            out[n] = out[i]
            n += falls(pushed, direction)
    return n


@rule(Abalone3)
def is_terminal(position: Any) -> bool:
    if position.previous_score >= GOAL or is_out_of_time(position):
        return True
    return constant(position, "NO_MOVE") != MAY_PASS and not can_move(position.own, position.following | position.previous)


@rule(Abalone3)
def returns(position: Any, seat: int) -> float:
    if position.previous_score < GOAL:
        return 0.0
    return 1.0 if (seat + 1) % 3 == position.seat else -1.0


@rule(Abalone3)
def repetition_limit(position: Any) -> int:
    return constant(position, "REPETITION_LIMIT")


@rule(Abalone3)
def repetition_window(position: Any) -> int:
    return max(position.clock, 1) if constant(position, "NO_PUSH_LIMIT") > 0 else 0  # 0 would be: to the beginning


@inner
def strength(word: int, score: int) -> float:
    """As in the game for two: marbles pushed off and, on the board or off it, one's own."""
    return OFF_BOARD * (score - (MARBLES - popcount(word))) + placement(word)


@rule(Abalone3)
def heuristic(position: Any, seat: int) -> float:
    """The terms of the game for two: what the seat has less the mean of what the others have; squashed to (-1, 1)."""
    own = strength(position.own, position.own_score)
    following = strength(position.following, position.following_score)
    previous = strength(position.previous, position.previous_score)
    offset = (seat - position.seat) % 3
    mine = own if offset == 0 else (following if offset == 1 else previous)
    score = 1.5 * mine - 0.5 * (own + following + previous)
    return score / (SPREAD + abs(score))


@inner
def turned(a: Any, b: Any, c: Any, offset: int) -> Any:
    """Three values, of the seat to play and those after it, as the seat `offset` places after it counts them."""
    if offset == 0:
        return a, b, c
    return (b, c, a) if offset == 1 else (c, a, b)


@rule(Abalone3)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    offset = (seat - position.seat) % 3
    mine, after, before = turned(position.own, position.following, position.previous, offset)
    my_score, score_after, score_before = turned(position.own_score, position.following_score, position.previous_score, offset)
    clock = position.clock
    same = (0, 0, 0, 0, my_score, score_after, score_before, clock, int(offset == 0), int(offset == 2), seat, 1)
    fill_cells(out, BOARD_PLANE, same)
    write_word(mine, out, 0)
    write_word(after, out, 1)
    write_word(before, out, 2)


@rule(Abalone3)
def decode(planes: NDArray[Any]) -> Any:
    plane = planes[0, 0]
    offset = 0 if plane[8] else (2 if plane[9] else 1)  # of the observing seat, after the one to play
    back = (3 - offset) % 3
    own, following, previous = turned(read_word(planes, 0), read_word(planes, 1), read_word(planes, 2), back)
    scores = turned(int(np.int64(plane[4])), int(np.int64(plane[5])), int(np.int64(plane[6])), back)
    seat, clock = (int(np.int64(plane[10])) + back) % 3, int(np.int64(plane[7]))
    return Abalone3(own, following, previous, scores[0], scores[1], scores[2], seat, clock)  # type: ignore[call-arg]


@rule(Abalone3)
def num_symmetries(position: Any) -> int:
    return NUM_SYMMETRIES


@rule(Abalone3)
def transform(position: Any, k: int) -> Any:
    own, following, previous = image(position.own, k), image(position.following, k), image(position.previous, k)
    scores = position.own_score, position.following_score, position.previous_score
    return own, following, previous, scores[0], scores[1], scores[2], position.seat, position.clock


@rule(Abalone3)
def transform_action(position: Any, action: int, k: int) -> int:
    return int(ACTION_IMAGE[k, action])


def by_seat(position: Any, first: int) -> Any:
    """Three fields of a position, from index `first`, in the order of the seats."""
    return [int(position[first + (seat - position.seat) % 3]) for seat in range(3)]


def words(position: Any) -> Any:
    """The marbles of black, white and red."""
    return by_seat(position, 0)


def notes(position: Any) -> tuple[str, ...]:
    return (score_note(by_seat(position, 3), NAMES),)


def to_fen(position: Any) -> str:
    numbers = " ".join(map(str, by_seat(position, 3)))
    return f"{write_rows(words(position), 'bwr')} {numbers} {'bwr'[position.seat]} {position.clock}"


def read_fen(text: str, position_class: Any) -> Any:
    marbles, by, seat, clock = read_position(text, "bwr", NAMES, EXAMPLE)
    lost = [MARBLES - popcount(word) for word in marbles]
    for i, name in enumerate(NAMES):
        if not 0 <= by[i] <= GOAL:
            raise NotationError(f"{text!r}: {name} has pushed off {by[i]}; expected 0 to {GOAL}")
        if lost[i] < 0:
            raise NotationError(f"{text!r}: {popcount(marbles[i])} {name} marbles; expected at most {MARBLES}")
        if by[i] == GOAL and (i + 1) % 3 != seat:
            raise NotationError(f"{text!r}: {name} has pushed off {GOAL}; expected the next side to play")
    if not plain(is_pushed_by_others)(by, lost):
        raise NotationError(f"{text!r}: {by} marbles pushed off by black, white and red, while they lack {lost}")
    clock = checked_clock(text, clock, position_class.NO_PUSH_LIMIT, GOAL in by)
    order = [(seat + i) % 3 for i in range(3)]
    return position_class(*(marbles[i] for i in order), *(by[i] for i in order), seat, clock)


def set_up(kinds: Sequence[int], seat: int, position_class: Any) -> str:
    """The position string of marbles on the spots, as `Controls.set_up`: those missing of eleven a side were pushed off.

    By whom, the board does not show: as evenly as can be. No ply has passed since the last was pushed off.
    """
    marbles = words_of(kinds, 3)
    lost = [max(MARBLES - popcount(word), 0) for word in marbles]
    ways = (by for by in itertools.product(range(GOAL + 1), repeat=3) if plain(is_pushed_by_others)(by, lost))
    by = min(ways, key=lambda by: (max(by), by), default=(0, 0, 0))
    order = [(seat + i) % 3 for i in range(3)]
    return to_fen(position_class(*(marbles[i] for i in order), *(by[i] for i in order), seat, 0))


def abalone3(repetition_limit: int = 3, no_push_limit: int = 200, no_move: str = "pass") -> Game:
    """The game with these options: see above. Limits are as in Abalone for two. Raises OptionError for other values."""
    check_options(repetition_limit, no_push_limit, no_move, ("pass", "draw"))
    return game_of(repetition_limit, no_push_limit, no_move)


@functools.cache
def game_of(repetition_limit: int, no_push_limit: int, no_move: str) -> Game:
    position_class = variant(Abalone3, REPETITION_LIMIT=repetition_limit, NO_PUSH_LIMIT=no_push_limit, NO_MOVE=NO_MOVE[no_move])
    return Game(
        name="Abalone3",
        title="Abalone for three",
        position_class=position_class,
        start=position_class(*read_rows(ROWS, "bwr"), 0, 0, 0, 0, 0),
        num_actions=NUM_ACTIONS + (no_move == "pass"),
        pass_action=PASS if no_move == "pass" else None,
        max_legal_actions=MAX_LEGAL,
        observation_shape=(9, 9, 12),
        planes=(
            "own",
            "next seat's",
            "previous seat's",
            "board",
            "pushed off by observer",
            "pushed off by next seat",
            "pushed off by previous seat",
            "plies since a push off",
            "observer to play",
            "next seat to play",
            "number of the observing seat",
            "ones",
        ),
        move_text=move_text,
        parse_move=parse_move,
        to_fen=to_fen,
        from_fen=functools.partial(read_fen, position_class=position_class),
        max_plies=(3 * (GOAL - 1) + 1) * no_push_limit or UNBOUNDED,
        versions=(Version(0, "0.1.0", "first release", "ae181d27cc768949"),),
        num_seats=3,
        observation_max=max(no_push_limit, GOAL),
        observation_dtype=observation_dtype(no_push_limit),
        options={"repetition_limit": repetition_limit, "no_push_limit": no_push_limit, "no_move": no_move},
        configure=abalone3,
        drawing=make_drawing(
            words,
            "XOV",
            ("#1b1b1b", "#f4f1e8", "#c8402f"),
            notes,
            controls_of(words, NAMES, functools.partial(set_up, position_class=position_class)),
        ),
        seat_names=NAMES,
    )


GAME = register(abalone3())
