"""Helpers for the notation of games on rectangular boards: cell names and rows of pieces, to and from text."""

import re

import numpy as np

from boardgym.core.errors import NotationError

FILES = "abcdefghijklmnopqrstuvwxyz"


def cell_text(row: int, column: int, height: int, *, first_rank_on_top: bool = False) -> str:
    """The name of a cell, such as "a1". row: counted from the top, as drawn; height: number of rows."""
    return f"{FILES[column]}{row + 1 if first_rank_on_top else height - row}"


def read_cell(text: str, shape: tuple[int, int], *, first_rank_on_top: bool = False) -> tuple[int, int]:
    """(row from the top, column) of a cell's name. Raises NotationError if it names no cell of the board."""
    height, width = shape
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", text.strip().lower())
    if match:
        column, rank = FILES.index(match[1]), int(match[2])
        row = rank - 1 if first_rank_on_top else height - rank
        if 0 <= row < height and column < width:
            return row, column
    raise NotationError(f"{text!r} names no cell; expected a1 to {FILES[width - 1]}{height}")


def write_rows(cells: np.ndarray, symbols: str) -> str:
    """Rows from the top joined by "/", runs of empty cells as numbers. cells: 0 empty, k the piece symbols[k]."""
    rows = []
    for row in cells:
        text = "".join(symbols[k] for k in row)
        rows.append(re.sub(re.escape(symbols[0]) + "+", lambda run: str(len(run[0])), text))
    return "/".join(rows)


def read_rows(text: str, shape: tuple[int, int], symbols: str) -> np.ndarray:
    """The inverse of `write_rows`: int8 array of `shape`. Raises NotationError naming the row that does not fit."""
    height, width = shape
    rows = text.split("/")
    if len(rows) != height:
        raise NotationError(f"{text!r} has {len(rows)} rows; expected {height}, separated by '/'")
    cells = np.zeros(shape, np.int8)
    for r, row in enumerate(rows):
        line = re.sub(r"[1-9][0-9]{0,2}", lambda run: symbols[0] * int(run[0]), row)
        unknown = set(line) - set(symbols)
        if unknown:
            raise NotationError(f"row {r + 1} of {text!r} has {''.join(sorted(unknown))!r}; expected {symbols[1:]!r} or digits")
        if len(line) != width:
            raise NotationError(f"row {r + 1} of {text!r} describes {len(line)} cells; expected {width}")
        cells[r] = [symbols.index(character) for character in line]
    return cells


def split_position(text: str, example: str) -> tuple[str, str]:
    """The pieces and the side to play of a position string. Raises NotationError showing an example."""
    if not isinstance(text, str) or len(parts := text.split()) != 2:
        raise NotationError(f"position string {text!r}: expected the pieces and the side to play, as in {example!r}")
    return parts[0], parts[1]
