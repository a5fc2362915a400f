"""Drawings of boards of rows and columns."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from boardgym.core.drawing import CELL, CORNER, EDGE, LABELS, Drawing, Ends, Piece, Shape, Spot, no_notes
from boardgym.core.notation import FILES
from boardgym.core.places import Controls, Place, Way, with_neighbours

KINDS = {"disc": ("disc", "disc"), "hole": ("hole", "hole"), "mark": ("cross", "ring", "square", "disc")}


def lines_in(cells: np.ndarray, length: int) -> list[Ends]:
    """The ends, as indices row by row, of the rows, columns and diagonals of at least `length` equal cells other than 0.

    cells: (rows, columns) of ints.
    """
    rows, columns = cells.shape
    found = []
    for down, across in ((0, 1), (1, -1), (1, 0), (1, 1)):

        def cell(row: int, column: int) -> int:
            return int(cells[row, column]) if 0 <= row < rows and 0 <= column < columns else 0

        for row, column in np.argwhere(cells).tolist():
            if cell(row - down, column - across) == cell(row, column):
                continue  # not the first of its line
            steps = 1
            while cell(row + steps * down, column + steps * across) == cell(row, column):
                steps += 1
            if steps >= length:
                last_row, last_column = row + (steps - 1) * down, column + (steps - 1) * across
                found.append((row * columns + column, last_row * columns + last_column))
    return found


def grid_drawing(
    shape: tuple[int, int],
    cells: Callable[[Any], np.ndarray],
    symbols: str,
    colours: tuple[str, ...],
    board_colour: str,
    line_colour: str,
    *,
    piece: str = "disc",
    first_rank_on_top: bool = False,
    column_names: str = FILES,
    has_ranks: bool = True,
    action_cells: Callable[[Any, int], tuple[tuple[int, int], ...]] | None = None,
    line_length: int | None = None,
    notes: Callable[[Any], tuple[str, ...]] = no_notes,
    by_column: bool = False,
    why_not: Callable[[Any, Way], str] | None = None,
    set_up: Callable[[np.ndarray, int], str] | None = None,
) -> Drawing:
    """The drawing of a board of rows and columns.

    Args:
        shape: (rows, columns) as drawn.
        cells: position -> int8 array of that shape, 0 empty, 1 + seat for a seat's piece.
        symbols: one character for empty, then one a seat.
        colours: CSS colours of the pieces, one a seat.
        board_colour: CSS.
        line_colour: CSS.
        piece: "disc", "mark" (crosses and rings), or "hole" (discs seen through round holes).
        first_rank_on_top: whether the ranks beside the board count downwards.
        column_names: one character a column.
        has_ranks: whether rows are numbered too.
        action_cells: (position, action) -> the (row, column) that it concerns, the target last.
        line_length: how many pieces in a line win; None where lines do not.
        notes: as in `Drawing`.
        by_column: whether people click columns, not cells.
        why_not: as in `Controls`.
        set_up: (cells, seat) -> the position string of such cells, int8 array of `shape`, with a seat to play; None: positions
            are set up by string alone.

    Returns:
        The drawing, for `Game.drawing`.

    Example:
        >>> import numpy as np
        >>> from boardgym import grid_drawing
        >>> drawing = grid_drawing((2, 3), np.array, ".xo", ("red", "blue"), "white", "grey")
        >>> for line in drawing.text([[1, 0, 0], [0, 2, 0]]):
        ...     print(line)
        2 x . .
        1 . o .
          a b c
    """
    rows, columns = shape
    left = LABELS if has_ranks else EDGE
    top, bottom = (LABELS, EDGE) if first_rank_on_top else (EDGE, LABELS)
    ranks = [str(row + 1 if first_rank_on_top else rows - row) if has_ranks else "" for row in range(rows)]
    digits = max(map(len, ranks))
    first = 1 if first_rank_on_top else 0  # the line of the files comes first or last
    spots = tuple(
        Spot(left + (column + 0.5) * CELL, top + (row + 0.5) * CELL, row + first, digits + 1 + 2 * column)
        for row in range(rows)
        for column in range(columns)
    )
    lines = [f"{rank:>{digits}} " + " ".join(symbols[0] * columns) + " " for rank in ranks]
    lines.insert(0 if first_rank_on_top else rows, " " * digits + "".join(f" {name}" for name in column_names[:columns]))
    width, height = columns * CELL, rows * CELL
    backdrop = [
        Shape("rect", (left - 3, top - 3, width + 6, height + 6, CORNER), "line"),
        Shape("rect", (left, top, width, height, CORNER - 3), "board"),
    ]
    if piece == "hole":
        backdrop += [Shape("circle", (spot.x, spot.y, 25.0), "hole", "line", 2.0) for spot in spots]
    else:
        across = [(left + k * CELL, top, left + k * CELL, top + height) for k in range(1, columns)]
        down = [(left, top + k * CELL, left + width, top + k * CELL) for k in range(1, rows)]
        backdrop += [Shape("line", ends, "none", "line", 2.5) for ends in across + down]
    label_y = LABELS / 2 - 1 if first_rank_on_top else top + height + LABELS / 2 + 1
    for column, name in enumerate(column_names[:columns]):
        backdrop.append(Shape("text", (left + (column + 0.5) * CELL, label_y, 15.0), "ink", text=name))
    for row, rank in enumerate(ranks):
        if rank:
            backdrop.append(Shape("text", (LABELS / 2 - 1, top + (row + 0.5) * CELL, 15.0), "ink", text=rank))
    kinds = KINDS[piece]
    men = [None, *(Piece(kinds[k % len(kinds)], k, symbols[k + 1]) for k in range(len(colours)))]

    def pieces(position: Any) -> Sequence[Piece | None]:
        return [men[k] for k in cells(position).flat]

    def action_spots(position: Any, action: int) -> tuple[int, ...]:
        concerned = () if action_cells is None else action_cells(position, action)
        return tuple(row * columns + column for row, column in concerned)

    def won_lines(position: Any) -> tuple[Ends, ...]:
        return () if line_length is None else tuple(lines_in(cells(position), line_length))

    def set_up_cells(kinds: Sequence[int], seat: int) -> str:
        return "" if set_up is None else set_up(np.array(kinds, np.int8).reshape(shape), seat)

    files = [*column_names, *map(str, range(len(column_names) + 1, columns + 1))]
    if by_column:
        areas = [("rect", (left + k * CELL, top, CELL, height)) for k in range(columns)]
        middles = [(left + (k + 0.5) * CELL, top + height / 2) for k in range(columns)]
        places = with_neighbours([Place(files[k], *areas[k], middles[k]) for k in range(columns)])
        controls = Controls(places, place_of_spot=tuple(k % columns for k in range(rows * columns)))
    else:
        controls = Controls(names=tuple(file + rank for rank in ranks for file in files[:columns]), place_size=(CELL, CELL))
    return Drawing(
        (left + width + EDGE, top + height + bottom),
        spots,
        pieces,
        tuple(lines),
        tuple(backdrop),
        colours,
        board_colour,
        line_colour,
        action_spots=action_spots,
        lines=won_lines,
        notes=notes,
        shades={"hole": "#eef2f8"} if piece == "hole" else {},
        controls=replace(
            controls,
            why_not=why_not,
            brush=tuple(man for man in men if man is not None),
            set_up=None if set_up is None else set_up_cells,
        ),
    )
