"""The hexagon of 61 cells: its words, actions, symmetries, notation and picture, shared by the games on it.

Cells: rows a (bottom, 5 cells) to e (9) to i (top, 5); numbers run along the diagonals from the upper left to the lower
right: a1-a5, b1-b6, ..., e1-e9, f2-f9, ..., i5-i9. Directions are counted counter-clockwise: 0 right, 1 upper right,
2 upper left, 3 left, 4 lower left, 5 lower right; an axis is a direction below 3.

A word has a bit for each cell. Hexagons of 61 cells tile the plane, so that the bits can be numbered modulo 61 and each
direction is one rotation of the word, `STEP`, wherever a cell has a neighbour; rows share lines of 13 bits:

    a1-a5  0-4     b1-b6 13-18    c1-c7 26-32    d1-d8 39-46    e1-e9 52-60
    f2-f9  5-12    g3-g9 19-25    h4-h9 33-38    i5-i9 47-51

An action is a group of one to three marbles in a line and a direction, 212 for each direction in turn: 52 in line, then
for each of the two other axes 44 pairs and 36 triples that move broadside. Each part is ordered by the bits of the cells, and
has geometrically possible ones only. The numbers for readers: `two.py`. 1272 is the pass, in games that have one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import plain
from boardgym.core import verbs
from boardgym.core.drawing import CELL, EDGE, LABELS, Drawing, Ends, Piece, Shape, Spot
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.notation import FILES
from boardgym.core.places import Controls

NUM_CELLS, SIDE, ROWS = 61, 5, 9
BOARD = (1 << NUM_CELLS) - 1
OFFSETS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))  # (row, column) of each direction
STEP = (1, 14, 13, 60, 47, 48)
FIRST = tuple(max(0, row - SIDE + 1) for row in range(ROWS))  # column of a row's first cell, from 0
WIDTH = tuple(min(ROWS, row + SIDE) - FIRST[row] for row in range(ROWS))
START = tuple((13 * row + FIRST[row]) % NUM_CELLS for row in range(ROWS))  # bit of that cell
CELLS = tuple((row, column) for row in range(ROWS) for column in range(FIRST[row], FIRST[row] + WIDTH[row]))
BIT = {(row, column): START[row] + column - FIRST[row] for row, column in CELLS}
CELL_OF = {bit: cell for cell, bit in BIT.items()}
TOP_ROW, COLUMN = np.array([(ROWS - 1 - CELL_OF[bit][0], CELL_OF[bit][1]) for bit in range(NUM_CELLS)]).T.copy()
NAME = {bit: f"{FILES[row]}{column + 1}" for bit, (row, column) in CELL_OF.items()}
BIT_OF = {name: bit for bit, name in NAME.items()}
DISTANCE = {bit: max(abs(r - 4), abs(c - 4), abs(r - c)) for bit, (r, c) in CELL_OF.items()}  # to the centre, e5


def word_of(bits: Iterable[int]) -> int:
    """The word of some cells."""
    return sum(1 << bit for bit in bits)


def neighbour(bit: int, direction: int, steps: int = 1) -> int | None:
    """The cell some steps on in a direction; None off the board."""
    (row, column), (up, right) = CELL_OF[bit], OFFSETS[direction]
    return BIT.get((row + steps * up, column + steps * right))


def first_cells(axis: int, length: int, direction: int) -> list[int]:
    """The first cells of the lines of a length along an axis that have all their neighbours in a direction."""
    lines = {bit: [neighbour(bit, axis, i) for i in range(length)] for bit in range(NUM_CELLS)}
    return [
        bit for bit, line in lines.items() if all(cell is not None and neighbour(cell, direction) is not None for cell in line)
    ]


PARTS = ((1, 0), (2, 1), (3, 1), (2, 2), (3, 2))  # of a direction's actions: length, axis beyond the direction
# of each action: (direction, axis, length, first cell); an action in line has its direction as axis, and length 1
ACTIONS = [
    (direction, (direction + turn) % 3 if turn else direction, length, bit)
    for direction in range(6)
    for length, turn in PARTS
    for bit in first_cells((direction + turn) % 3, length, direction)
]
ACTION = {action: number for number, action in enumerate(ACTIONS)}
PASS = NUM_ACTIONS = len(ACTIONS)
PER_DIRECTION, IN_LINE, PAIRS, TRIPLES = 212, 52, 44, 36

HAS = tuple(word_of(first_cells(d, 1, d)) for d in range(6))  # the cells with a neighbour in a direction
PAIR_FIRSTS, TRIPLE_FIRSTS = (
    tuple(word_of(first_cells((d + turn) % 3, length, d)) for d in range(6) for turn in (1, 2)) for length in (2, 3)
)
BEYOND = tuple(word_of(bit for bit in range(NUM_CELLS) if DISTANCE[bit] > ring) for ring in range(4))


def word_of_action(direction: int, axis: int, length: int, bit: int) -> int:
    """Broadside: the cells that a move changes. In line: the rear marble."""
    group = [neighbour(bit, axis, i) for i in range(length)]
    targets = [neighbour(cell, direction) for cell in group if cell is not None] if length > 1 else []
    return word_of(cell for cell in (*group, *targets) if cell is not None)


WORD = np.array([word_of_action(*action) for action in ACTIONS], np.int64)


# ---------------------------------------------------------------- symmetries


def image_of_offset(offset: tuple[int, int], k: int) -> tuple[int, int]:
    """Where symmetry k sends a (row, column) from the centre: a mirror from left to right if k >= 6, after k % 6 turns."""
    up, right = offset
    for _ in range(k % 6):
        up, right = right, right - up  # 60 degrees counter-clockwise
    return (up, up - right) if k >= 6 else (up, right)


def image_of_cell(bit: int, k: int) -> int:
    """Where symmetry k sends a cell."""
    row, column = CELL_OF[bit]
    up, right = image_of_offset((row - 4, column - 4), k)
    return BIT[up + 4, right + 4]


def image_of_action(action: tuple[int, int, int, int], k: int) -> int:
    """The number of the action that symmetry k makes of one."""
    direction, axis, length, bit = action
    turned, along = (OFFSETS.index(image_of_offset(OFFSETS[d], k)) for d in (direction, axis))
    if length > 1 and along >= 3:  # the image of the line begins at its other end
        end = neighbour(bit, axis, length - 1)
        assert end is not None
        return ACTION[turned, along - 3, length, CELL_IMAGES[k][end]]
    return ACTION[turned, along, length, CELL_IMAGES[k][bit]]


NUM_SYMMETRIES = 12
CELL_IMAGES = [[image_of_cell(bit, k) for bit in range(NUM_CELLS)] for k in range(NUM_SYMMETRIES)]
CELL_IMAGE = np.array(CELL_IMAGES, np.int8)
TURNED, MIRRORED = (np.array([*(image_of_action(action, k) for action in ACTIONS), PASS], np.int16) for k in (1, 6))
ROTATIONS = [np.arange(NUM_ACTIONS + 1, dtype=np.int16)]
for _ in range(5):
    ROTATIONS.append(TURNED[ROTATIONS[-1]])
ACTION_IMAGE = np.stack([*ROTATIONS, *(MIRRORED[rotation] for rotation in ROTATIONS)])  # in the order of `image_of_offset`


# ---------------------------------------------------------------- notation


def bits_of(word: int) -> list[int]:
    """The cells of a word."""
    return [bit for bit in range(NUM_CELLS) if word >> bit & 1]


def move_text(position: Any, action: int) -> str:
    """In line: the rear cell and the next one. Broadside: the first cell, the last, and where the first goes."""
    if action == PASS:
        return "pass"
    direction, axis, length, bit = ACTIONS[action]
    cells = (
        [bit, neighbour(bit, direction)] if length == 1 else [bit, neighbour(bit, axis, length - 1), neighbour(bit, direction)]
    )
    return "".join(NAME[cell] for cell in cells if cell is not None)


TEXTS = {move_text(None, action): action for action in range(NUM_ACTIONS)}


def broadside_texts(cells: Sequence[int]) -> Iterator[str]:
    """What a broadside move of three cells may be as `move_text` writes it: first the marble at either end goes to the third.

    Two cells are the ends of a line. The third is where the first of them goes, as in tournaments, or else where the last goes.
    """
    for mover, rest in (cells[:2], cells[1::-1]):
        (row, column), (up, right), (to_row, to_column) = CELL_OF[mover], CELL_OF[rest], CELL_OF[cells[2]]
        there = BIT.get((up + to_row - row, right + to_column - column))
        if there is not None:
            yield NAME[mover] + NAME[rest] + NAME[cells[2]]
            yield NAME[rest] + NAME[mover] + NAME[there]


def ends_of(own: int, action: int) -> list[tuple[int, int]]:
    """Where the first marble of a move stands and where the last one arrives; broadside, either end may be the first.

    own: the word of the seat to play.
    """
    cells = action_cells(own, action)
    middle = len(cells) // 2
    if ACTIONS[action][2] == 1:
        return [(cells[0], cells[-1])]
    return [(cells[0], cells[middle]), (cells[middle - 1], cells[-1])]


def legal_actions_of(position: Any) -> list[int]:
    """The legal actions but for passing."""
    out = np.empty(NUM_ACTIONS + 1, np.int64)
    n = plain(verbs.find_rule("legal_actions", type(position)))(position, out)
    return [action for action in out[:n].tolist() if action != PASS]


def actions_between(position: Any, first: int, last: int) -> list[int]:
    """The legal actions that take the first marble from one cell and the last one to another."""
    return [action for action in legal_actions_of(position) if (first, last) in ends_of(position.own, action)]


def broadside_of(position: Any, cells: Sequence[int]) -> str | None:
    """What a broadside move of three cells is as `move_text` writes it: the legal one of two, as in tournaments if both are."""
    found = [text for text in broadside_texts(cells) if text in TEXTS]
    if len({TEXTS[text] for text in found}) > 1:
        legal = set(legal_actions_of(position))
        found = [text for text in found if TEXTS[text] in legal] or found
    return found[0] if found else None


def parse_move(position: Any, text: str) -> int:
    """The action of a move in the tournament notation, or in one of the two others where that has no such legal move.

    These are two cells that are not neighbours, and three of which the last is beside the last marble. Raises NotationError.
    """
    word = text.strip().lower()
    if word in ("pass", "--") and position.NO_MOVE == MAY_PASS:
        return PASS
    names = re.findall(r"[a-i][1-9]", word)
    if "".join(names) != word or len(names) not in (2, 3) or any(name not in BIT_OF for name in names):
        raise NotationError(
            f"{text!r} is no move; expected cells such as 'a1b2' (rear marble, next cell) or 'a1a3b1' "
            "(first and last marble, where the first goes)"
        )
    if len(names) == 3:
        word = broadside_of(position, [BIT_OF[name] for name in names]) or word
    if word not in TEXTS and len(names) == 2:
        found = [move_text(position, action) for action in actions_between(position, *(BIT_OF[name] for name in names))]
        if len(found) > 1:
            raise NotationError(f"{text!r} could be {' or '.join(map(repr, found))}; expected one of these")
        word = found[0] if found else word
    if word not in TEXTS:
        raise NotationError(f"{text!r} is no move: no line of one to three marbles steps so to a neighbouring cell")
    return TEXTS[word]


def write_rows(words: Sequence[int], letters: str) -> str:
    """The rows from the top, letters for marbles, digits for runs of empty cells."""
    rows = []
    for row in reversed(range(ROWS)):
        marks = ""
        for bit in range(START[row], START[row] + WIDTH[row]):
            marks += next((letter for word, letter in zip(words, letters, strict=True) if word >> bit & 1), ".")
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), marks))
    return "/".join(rows)


def read_rows(text: str, letters: str) -> list[int]:
    """The inverse of `write_rows`: a word for each letter. Raises NotationError naming the row that does not fit."""
    rows, words = text.split("/"), [0] * len(letters)
    if len(rows) != ROWS:
        raise NotationError(f"{text!r} has {len(rows)} rows; expected 9 from i to a, separated by '/'")
    for row, marks in zip(reversed(range(ROWS)), rows, strict=True):
        line = re.sub(r"[1-9]", lambda run: "." * int(run[0]), marks)
        unknown = set(line) - set(letters) - {"."} | set(marks) & {"."}
        if unknown:
            raise NotationError(
                f"row {FILES[row]}, {marks!r}, has {''.join(sorted(unknown))!r}; expected {letters!r} or digits"
            )
        if len(line) != WIDTH[row]:
            raise NotationError(f"row {FILES[row]}, {marks!r}, describes {len(line)} cells; expected {WIDTH[row]}")
        for i, mark in enumerate(line):
            if mark != ".":
                words[letters.index(mark)] |= 1 << (START[row] + i)
    return words


def read_position(text: str, letters: str, names: Sequence[str], example: str) -> tuple[list[int], list[int], int, int]:
    """The words and marbles pushed off by seat, the seat to play and the clock of a position string. names: of the seats.

    Raises NotationError: for what is no position string; whether the numbers fit each other is the game's to say.
    """
    fields = text.split() if isinstance(text, str) else []
    if len(fields) not in (len(names) + 3, len(names) + 4):
        raise NotationError(
            f"position string {text!r}: expected the rows, the marbles pushed off by each side, the side to "
            f"play and the plies since the last was pushed off, as in {example!r}"
        )
    words = read_rows(fields[0], letters)
    *numbers, side, clock = fields[1 : len(names) + 3]
    described = [f"marbles pushed off by {name}" for name in names] + ["plies since a marble was pushed off", "move number"]
    for number, what in zip((*numbers, clock, *fields[len(names) + 3 :]), described, strict=False):
        if not re.fullmatch(r"[0-9]{1,5}", number):
            raise NotationError(f"{text!r}: {what}: {number!r} is no number; expected as in {example!r}")
    sides = [name[0] for name in names]
    if side not in sides:
        raise NotationError(f"side to play {side!r}: expected one of {', '.join(map(repr, sides))}")
    return words, [int(number) for number in numbers], sides.index(side), int(clock)


def checked_clock(text: str, clock: int, limit: int, is_over: bool) -> int:
    """The clock of a position. Without a limit, which a string from a game with one does not know, all above 0 are alike.

    Raises NotationError if a position cannot have that many plies since the last marble was pushed off.
    """
    if clock > limit > 0:
        raise NotationError(
            f"{text!r}: {clock} plies since a marble was pushed off; expected at most {limit}, the option no_push_limit"
        )
    if clock and is_over:
        raise NotationError(f"{text!r}: {clock} plies since a marble was pushed off, which ended the game; expected 0")
    return clock if limit else min(clock, 1)


# ---------------------------------------------------------------- options


NO_MOVE = {"draw": 0, "loss": 1, "pass": 2}  # what the option no_move is as a constant
DRAW, LOSS, MAY_PASS = NO_MOVE.values()
MOST = 32_000  # the greatest limit: what an int16 observation can say, rounded
UNBOUNDED = 1_000_000  # as the number of plies of games that nothing bounds


def check_options(repetition_limit: int, no_push_limit: int, no_move: str, ways: Sequence[str]) -> None:
    """Raises OptionError for values that no game on the hexagon has. ways: of no_move."""
    if type(repetition_limit) is not int or not 0 <= repetition_limit <= MOST or repetition_limit == 1:
        raise OptionError(f"repetition_limit={repetition_limit!r}: expected 2 to {MOST} occurrences, or 0 for no such rule")
    if type(no_push_limit) is not int or not 0 <= no_push_limit <= MOST:
        raise OptionError(f"no_push_limit={no_push_limit!r}: expected 1 to {MOST} plies, or 0 for no such rule")
    if no_move not in ways:
        raise OptionError(f"no_move={no_move!r}: expected one of {', '.join(map(repr, ways))}")


def board_plane(channels: int, channel: int) -> NDArray[np.int8]:
    """Planes of zeros, (9, 9, channels), but for one with ones in the cells of the board. Row 0 is i."""
    planes = np.zeros((ROWS, ROWS, channels), np.int8)
    planes[TOP_ROW, COLUMN, channel] = 1
    return planes


def observation_dtype(no_push_limit: int) -> type:
    """The smallest type that holds the clock."""
    return np.uint8 if no_push_limit <= 255 else np.int16


# ---------------------------------------------------------------- drawing


ROW_HEIGHT = CELL * 3**0.5 / 2
BOARD_COLOUR, RIM_COLOUR, HOLE_COLOUR = "#7a5a3c", "#4f3824", "#5e432b"
HALF = SIDE * CELL  # from the middle of the picture to a corner of the hexagon of the cells' middles, and a cell more
MIDDLE_X, MIDDLE_Y = LABELS + HALF, EDGE + 4 * ROW_HEIGHT + CELL * 0.72
BY_ROW = tuple(BIT[cell] for cell in sorted(CELLS, key=lambda cell: (-cell[0], cell[1])))  # as read: i5 ... i9, h4 ...
SPOT = {bit: i for i, bit in enumerate(BY_ROW)}


def place(row: float, column: float) -> tuple[float, float]:
    """The x and y of a cell's middle in the picture."""
    return MIDDLE_X + (column - 4 - (row - 4) / 2) * CELL, MIDDLE_Y - (row - 4) * ROW_HEIGHT


def hexagon(radius: float) -> tuple[float, ...]:
    """The corners of a hexagon around the middle, from the centre `radius` cells to the right and on."""
    corners = [place(4 + radius * up, 4 + radius * right) for up, right in OFFSETS]
    return tuple(number for corner in corners for number in corner)


def make_template() -> tuple[str, ...]:
    """The text board: cells two characters apart, rows named at the left, diagonals at their lower ends."""
    lines = []
    for row in reversed(range(ROWS)):
        indent = abs(row - 4)
        label = f" {WIDTH[row] + 1}" if row < 4 else ""
        lines.append(" " * indent + f"{FILES[row]} " + ". " * WIDTH[row] + label.strip())
    return (*lines, " " * 7 + "1 2 3 4 5")


def score_note(scores: Iterable[int], names: Sequence[str]) -> str:
    """How many marbles each seat has pushed off."""
    return "pushed off: " + ", ".join(f"{score} by {name}" for score, name in zip(scores, names, strict=True))


def make_drawing(
    words: Callable[[Any], Sequence[int]],
    symbols: str,
    colours: tuple[str, ...],
    notes: Callable[[Any], tuple[str, ...]],
    controls: Controls,
) -> Drawing:
    """The drawing of a game.

    words: position -> a word for each seat. controls: without names and brush.
    """
    spots = tuple(
        Spot(
            *place(*CELL_OF[bit]),
            8 - CELL_OF[bit][0],
            abs(CELL_OF[bit][0] - 4) + 2 + 2 * (CELL_OF[bit][1] - FIRST[CELL_OF[bit][0]]),
        )
        for bit in BY_ROW
    )
    backdrop = [Shape("polygon", hexagon(4.74), "line"), Shape("polygon", hexagon(4.63), "board")]
    backdrop += [Shape("circle", (spot.x, spot.y, 23.0), "hole", "line", 1.5) for spot in spots]
    for row in range(ROWS):
        x, y = place(row, FIRST[row] - 1)
        backdrop.append(Shape("text", (x - 3, y, 15.0), "ink", text=FILES[row]))
    for column in range(ROWS):
        row = max(0, column - 4)  # the lowest cell of the diagonal; its number stands one step further
        x, y = place(row - 1, column)
        backdrop.append(Shape("text", (x + 4, y, 15.0), "ink", text=str(column + 1)))
    men = [Piece("disc", seat, symbol) for seat, symbol in enumerate(symbols)]

    def pieces(position: Any) -> list[Piece | None]:
        found: list[Piece | None] = [None] * NUM_CELLS
        for man, word in zip(men, words(position), strict=True):
            for bit in bits_of(word):
                found[SPOT[bit]] = man
        return found

    def action_spots(position: Any, action: int) -> tuple[int, ...]:
        return tuple(SPOT[bit] for bit in action_cells(position.own, action))

    def steps(position: Any, action: int) -> tuple[Ends, ...]:
        if action == PASS:
            return ()
        direction, axis, length, bit = ACTIONS[action]
        group = [neighbour(bit, axis, i) for i in range(length)]
        moved = [(cell, neighbour(cell, direction)) for cell in group if cell is not None]
        return tuple((SPOT[cell], SPOT[to]) for cell, to in moved if to is not None)

    size = (2 * MIDDLE_X, 2 * MIDDLE_Y + LABELS - EDGE)
    return Drawing(
        size,
        spots,
        pieces,
        make_template(),
        tuple(backdrop),
        colours,
        BOARD_COLOUR,
        RIM_COLOUR,
        action_spots=action_spots,
        steps=steps,
        notes=notes,
        shades={"hole": HOLE_COLOUR},
        controls=replace(controls, names=tuple(NAME[bit] for bit in BY_ROW), brush=tuple(men)),
    )


def action_cells(own: int, action: int) -> list[int]:
    """The cells that the marbles of a move leave, then those where they arrive, last the foremost or that of the first.

    own: the word of the seat to play.
    """
    if action == PASS:
        return []
    direction, axis, length, bit = ACTIONS[action]
    if length == 1:
        line = [bit]
        while (ahead := neighbour(line[-1], direction)) is not None and own >> line[-1] & 1 and len(line) < 4:
            line.append(ahead)
        return line
    group = [cell for i in range(length) if (cell := neighbour(bit, axis, i)) is not None]
    targets = [cell for marble in group if (cell := neighbour(marble, direction)) is not None]
    return group + targets[::-1]
