"""Othello and the benchmark players of the study in plain Python, independent of the rules and the evaluations of this package.

A board is a list of 64: 1 a black disc, -1 a white one, 0 empty; square 8 r + c is row r + 1, column c of A to H. Slow: some
twenty milliseconds a game.

Source: G. Andorkó, BSc thesis (University of Debrecen, 2011), sections 3.1, 3.2 and 4, equations (15) to (17).
"""

from collections.abc import Callable

Cells = list[int]
BLACK, WHITE = 1, -1
CORNERS = (0, 7, 56, 63)
ENDGAME = 52  # discs: 80 % of the squares, rounded up
VALUES = (
    100, -20, 10, 5, 5, 10, -20, 100,
    -20, -50, -2, -2, -2, -2, -50, -20,
    10, -2, -1, -1, -1, -1, -2, 10,
    5, -2, -1, -1, -1, -1, -2, 5,
    5, -2, -1, -1, -1, -1, -2, 5,
    10, -2, -1, -1, -1, -1, -2, 10,
    -20, -50, -2, -2, -2, -2, -50, -20,
    100, -20, 10, 5, 5, 10, -20, 100,
)  # fmt: skip
WIN = 10**6  # of a terminal position, better than any other; the thesis prints 1
DIRECTIONS = tuple((dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0))


def start() -> Cells:
    """Black on D5 and E4, white on D4 and E5."""
    cells = [0] * 64
    cells[8 * 4 + 3] = cells[8 * 3 + 4] = BLACK
    cells[8 * 3 + 3] = cells[8 * 4 + 4] = WHITE
    return cells


def flips(cells: Cells, square: int, side: int) -> list[int]:
    """The discs that a disc on a square turns over, in all eight directions; none for a square that is taken."""
    found: list[int] = []
    if cells[square]:
        return found
    for dr, dc in DIRECTIONS:
        r, c = square // 8 + dr, square % 8 + dc
        run = []
        while 0 <= r < 8 and 0 <= c < 8 and cells[8 * r + c] == -side:
            run.append(8 * r + c)
            r, c = r + dr, c + dc
        if run and 0 <= r < 8 and 0 <= c < 8 and cells[8 * r + c] == side:
            found += run
    return found


def moves(cells: Cells, side: int) -> dict[int, list[int]]:
    """Where a side may play, and what it turns over there."""
    return {square: found for square in range(64) if (found := flips(cells, square, side))}


def after(cells: Cells, square: int, side: int) -> Cells:
    """The board after a move."""
    turned = {square, *flips(cells, square, side)}
    return [side if k in turned else cell for k, cell in enumerate(cells)]


def is_over(cells: Cells) -> bool:
    """Whether neither side can move."""
    return not moves(cells, BLACK) and not moves(cells, WHITE)


def is_endgame(cells: Cells) -> bool:
    """Whether 80 % of the squares are occupied, or all corners."""
    return 64 - cells.count(0) >= ENDGAME or all(cells[corner] for corner in CORNERS)


def difference(cells: Cells, side: int) -> float:
    """Equation (16)."""
    return cells.count(side) - cells.count(-side)


def positional(cells: Cells, side: int) -> float:
    """Equation (15)."""
    return sum(side * cell * value for cell, value in zip(cells, VALUES, strict=True))


def mobility(cells: Cells, side: int) -> float:
    """Equation (17)."""
    mine, theirs = len(moves(cells, side)), len(moves(cells, -side))
    corners = sum(side * cells[corner] for corner in CORNERS)
    return 10.0 * corners + ((mine - theirs) / (mine + theirs) if mine + theirs else 0.0)


EVALUATIONS: dict[str, Callable[[Cells, int], float]] = {"positional": positional, "mobility": mobility}


def value_of(player: str, cells: Cells, side: int, win: float = WIN) -> float:
    """What a position that a side has moved into is worth to a benchmark player of that side."""
    if is_over(cells):
        ahead = difference(cells, side)
        return win * ((ahead > 0) - (ahead < 0))
    return difference(cells, side) if is_endgame(cells) else EVALUATIONS[player](cells, side)


def best_moves(player: str, cells: Cells, side: int, win: float = WIN) -> list[int]:
    """All moves of the greatest value."""
    values = {square: value_of(player, after(cells, square, side), side, win) for square in moves(cells, side)}
    return [square for square, value in values.items() if value == max(values.values())]


def openings(plies: int) -> list[tuple[Cells, int]]:
    """(board, side to play) after each sequence of so many plies; there is none with a pass in the first five."""
    found = [(start(), BLACK)]
    for _ in range(plies):
        found = [(after(cells, square, side), -side) for cells, side in found for square in moves(cells, side)]
    return found


def play(cells: Cells, side: int, players: dict[int, str], choose: Callable[[list[int]], int], win: float = WIN) -> float:
    """A game to its end: the difference in discs for black. players: of each side; "random" or a benchmark player.

    choose: draws one of several moves, each with the same chance.
    """
    while not is_over(cells):
        if legal := moves(cells, side):
            name = players[side]
            found = sorted(legal) if name == "random" else best_moves(name, cells, side, win)
            cells = after(cells, choose(found), side)
        side = -side
    return difference(cells, BLACK)
