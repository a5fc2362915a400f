"""The backgammon board as a drawing: x goes from the top right by the left to the bottom right, o the other way.

Both sides' numbers stand at the edges. Of more than five men on a point, the fifth carries their number; of more than two on
the bar or in the tray, the second. The text board writes such numbers as one digit, A for 10 to F for 15, as GNU Backgammon
does.
"""

from collections.abc import Callable
from typing import Any

from boardgym.core.drawing import CORNER, EDGE, Drawing, Piece, Shape, Spot
from boardgym.core.places import NONE, Controls, Place
from boardgym.games.backgammon.controls import BAR_PLACE, OFF_PLACE, why_not
from boardgym.games.backgammon.notation import dice_of, men_of, step_of
from boardgym.games.backgammon.rules import BAR, PASS

DEPTH, FEW = 5, 2  # men drawn on a point; on the bar and in the tray
WIDTH, STEP, GAP = 58.0, 53.0, 84.0  # units from point to point, man to man, row to row
LEFT, TOP = 30.0, 68.0
NUMBERS, NUMBERS_OF_X, NUMBERS_OF_O = 20.0, 23.0, 51.0  # height of the points' numbers, away from the edge
HEIGHT = 2 * DEPTH * STEP + GAP
BAR_X, TRAY_X = LEFT + 6.5 * WIDTH, LEFT + 13.5 * WIDTH + 6  # middles
RIGHT = LEFT + 13 * WIDTH
BARS = 24 * DEPTH  # the first spots of these
TRAYS, DICE = BARS + 2 * FEW, BARS + 4 * FEW
X_COLOUR, O_COLOUR = "#f4ecdc", "#7a2e2b"


def column_of(point: int) -> int:
    """The column, 0 to 12 with the bar as 6, of a point in the numbers of x."""
    column = 12 - point if point <= 12 else point - 13
    return column + (column > 5)


def spot_of(point: int, level: int) -> Spot:
    """A place for a man on a point (numbers of x); level 0 is at the edge."""
    column, is_top = column_of(point), point > 12
    from_edge = (level + 0.5) * STEP + 1
    y = TOP + (from_edge if is_top else HEIGHT - from_edge)
    return Spot(LEFT + (column + 0.5) * WIDTH, y, 2 + level if is_top else 12 - level, TEXT_COLUMNS[column])


TEXT_COLUMNS = (3, 6, 9, 12, 15, 18, 22, 26, 29, 32, 35, 38, 41)
MIDDLE = TOP + HEIGHT / 2


def bar_spot(seat: int, level: int) -> Spot:
    """A place on the bar, x above the middle and o below; level 0 is next to it."""
    way = (-1, 1)[seat]
    return Spot(BAR_X, MIDDLE + way * (90 + level * STEP), 7 + way * (3 + level), TEXT_COLUMNS[6])


def tray_spot(seat: int, level: int) -> Spot:
    """A place in the tray, x at the bottom and o at the top; level 0 is at the edge."""
    way = (1, -1)[seat]
    return Spot(TRAY_X, MIDDLE + way * (HEIGHT / 2 - (level + 1) * STEP), 7 + way * (5 - level), 45)


SPOTS = (
    *(spot_of(point, level) for point in range(1, 25) for level in range(DEPTH)),
    *(bar_spot(seat, level) for seat in (0, 1) for level in range(FEW)),
    *(tray_spot(seat, level) for seat in (0, 1) for level in range(FEW)),
    *(Spot(LEFT + (8.5 + k) * WIDTH, MIDDLE, 7, 30 + 2 * k) for k in range(4)),
)


def template() -> tuple[str, ...]:
    def numbers(name: str, of_column: Callable[[int], int]) -> str:
        return f"{name:2}" + "".join(f"{of_column(c) or '':>2} " + " " * (c == 5) for c in range(13)).rstrip()

    def top_number(column: int) -> int:
        return 0 if column == 6 else 13 + column - (column > 6)

    def bottom_number(column: int) -> int:
        return 0 if column == 6 else 25 - top_number(column)

    rows = [" |" + " " * 18 + "|   |" + " " * 18 + "|   " for _ in range(11)]
    edge = list(rows[0])
    for column in TEXT_COLUMNS[:6] + TEXT_COLUMNS[7:]:
        edge[column] = "."
    rows[0] = rows[10] = "".join(edge)
    upper, lower = (top_number, bottom_number), (bottom_number, top_number)
    return (*map(numbers, "xo", upper), *rows, *map(numbers, "xo", lower))


def backdrop() -> tuple[Shape, ...]:
    shapes = [
        Shape("rect", (LEFT - 8, TOP - 8, 14 * WIDTH + 22, HEIGHT + 16, CORNER), "rim"),
        Shape("rect", (LEFT, TOP, 6 * WIDTH, HEIGHT, 2.0), "board"),
        Shape("rect", (LEFT + 7 * WIDTH, TOP, 6 * WIDTH, HEIGHT, 2.0), "board"),
        Shape("rect", (RIGHT + 8, TOP, WIDTH - 2, HEIGHT, 2.0), "tray"),
    ]
    for point in range(1, 25):
        x, edge, sign = LEFT + column_of(point) * WIDTH, (TOP if point > 12 else TOP + HEIGHT), (1 if point > 12 else -1)
        ends = (x + 2, edge, x + WIDTH - 2, edge, x + WIDTH / 2, edge + sign * DEPTH * STEP)
        shapes.append(Shape("polygon", ends, "line" if point % 2 else "dark-point"))
        for number, colour, away in ((point, "ink", NUMBERS_OF_X), (25 - point, "piece-1", NUMBERS_OF_O)):
            shapes.append(Shape("text", (x + WIDTH / 2, edge - sign * away, NUMBERS), colour, text=str(number)))
    for edge, sign in ((TOP, 1), (TOP + HEIGHT, -1)):
        shapes.append(Shape("text", (14.0, edge - sign * NUMBERS_OF_X, NUMBERS), "ink", text="x"))
        shapes.append(Shape("text", (14.0, edge - sign * NUMBERS_OF_O, NUMBERS), "piece-1", text="o"))
    return tuple(shapes)


def disc(seat: int, men: int = 1) -> Piece:
    """A man; men > 1: one that stands for so many."""
    return Piece("disc", seat, "XO"[seat] if men == 1 else f"{men:X}", str(men) if men > 1 else "")


def stack_of(seat: int, number: int) -> tuple[int, int]:
    """(first spot, number of spots) where a seat's men on a point stand; number: as the seat counts, 0 off, 25 the bar."""
    if number in (0, BAR):
        return (BARS if number else TRAYS) + FEW * seat, FEW
    return (number - 1 if seat == 0 else 24 - number) * DEPTH, DEPTH


def pieces(position: Any) -> list[Piece | None]:
    placed: list[Piece | None] = [None] * len(SPOTS)
    for seat, men in enumerate(men_of(position)):
        for number, on_it in enumerate(men):
            first, depth = stack_of(seat, number)
            for level in range(min(on_it, depth)):
                placed[first + level] = disc(seat, on_it if level == depth - 1 and on_it > depth else 1)
    for k, die in enumerate(dice_of(position)):
        placed[DICE + k] = Piece("die", position.seat, str(die), str(die))
    return placed


def action_spots(position: Any, action: int) -> tuple[int, ...]:
    if not position.dice or action == PASS:
        return ()
    source, _, target = step_of(action)
    men, seat = men_of(position)[position.seat], position.seat

    def spot(number: int, on_it: int) -> int:
        first, depth = stack_of(seat, number)
        return first + min(on_it, depth) - 1

    return spot(source, men[source]), spot(target, men[target] + 1)


def notes(position: Any) -> tuple[str, ...]:
    pips = [sum(number * on_it for number, on_it in enumerate(men)) for men in men_of(position)]
    lines = [f"{name}: {left} pips" for name, left in zip("xo", pips, strict=True)]
    dice = " ".join(map(str, dice_of(position)))
    return (*lines, f"{'xo'[position.seat]} has {dice} to play") if dice else tuple(lines)


ROWS_OF_PLACES = tuple(  # as they lie, from the left
    (*(point - 1 for point in left), BAR_PLACE, *(point - 1 for point in right), OFF_PLACE)
    for left, right in ((range(13, 19), range(19, 25)), (range(12, 6, -1), range(6, 0, -1)))
)


def places() -> tuple[Place, ...]:
    """The points, the bar and the tray; the arrow keys lead along the rows by the bar, and from row to row."""
    found = {}
    for row, line in enumerate(ROWS_OF_PLACES):
        for column, place in enumerate(line[:-1]):
            x, y = LEFT + column * WIDTH, TOP + row * HEIGHT / 2
            neighbours = (
                ROWS_OF_PLACES[0][column] if row == 1 else NONE,
                line[column + 1],
                ROWS_OF_PLACES[1][column] if row == 0 else NONE,
                line[column - 1] if column else NONE,
            )
            area = (x, y, WIDTH, HEIGHT / 2)
            found[place] = Place(str(place + 1), "rect", area, (x + WIDTH / 2, y + HEIGHT / 4), neighbours)
    for place, name, x, neighbours in (
        (BAR_PLACE, "bar", LEFT + 6 * WIDTH, (19 - 1, 6 - 1, NONE, 7 - 1)),
        (OFF_PLACE, "off", RIGHT + 8, (24 - 1, NONE, NONE, 1 - 1)),
    ):
        found[place] = Place(name, "rect", (x, TOP, WIDTH, HEIGHT), (x + WIDTH / 2, MIDDLE), neighbours)
    return tuple(found[place] for place in range(OFF_PLACE + 1))


PLACE_OF_SPOT = (
    *(point for point in range(24) for _ in range(DEPTH)),
    *(BAR_PLACE,) * 2 * FEW,
    *(OFF_PLACE,) * 2 * FEW,
    *(NONE,) * 4,  # the dice
)

DRAWING = Drawing(
    (LEFT + 14 * WIDTH + 14 + EDGE, TOP + HEIGHT + TOP + 4),
    SPOTS,
    pieces,
    template(),
    backdrop(),
    (X_COLOUR, O_COLOUR),
    "#2f6b55",
    "#c9a36a",
    action_spots=action_spots,
    notes=notes,
    shades={"rim": "#4a3222", "tray": "#3a271b", "dark-point": "#8f5f3c"},
    controls=Controls(places(), place_of_spot=PLACE_OF_SPOT, why_not=why_not),
)
