"""Claim 1 of the Abalearn study: the rules as chapter 2.1 states them, counted on positions made for it."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

from boardgym.core.board import Board
from boardgym.studies.jobs import Place
from boardgym.studies.pages import table
from boardgym.studies.parts import Claim, Figures, Part, Work
from boardgym.studies.verdicts import Found

GAME = "Abalone"
CELLS, MARBLES, OPENINGS, SEQUENCES = 61, 14, 44, 1936
LINE = 9  # cells through the centre
MOST_OWN, MOST_OTHER = 5, 4
PUSHES = ((2, 1), (3, 1), (3, 2))  # own marbles, the other's
ROWS = "ihgfedcba"
LAST_TO_WIN = 5  # pushed off before the push that wins


def row_cells(row: str) -> list[str]:
    """The names of a row's cells, from left to right."""
    number = ord(row) - ord("e")
    return [f"{row}{k}" for k in range(1 + max(number, 0), LINE + 1 + min(number, 0))]


def position(line: Sequence[str], words: str, pushed: int = 0) -> str:
    """The position string of a line of cells, black to play, all other marbles somewhere beside it.

    words: of the line, "S" black, "s" white, "1" empty. pushed: how many white marbles have been.
    """
    cells = dict(zip(line, words, strict=True))
    others = "S" * (MARBLES - words.count("S")) + "s" * (MARBLES - pushed - words.count("s"))
    free = [cell for row in ROWS for cell in row_cells(row) if cell not in cells]
    cells |= dict(zip(free, others, strict=False))
    rows = ["".join(cells.get(cell, "1") for cell in row_cells(row)) for row in ROWS]
    return f"{'/'.join(joined(row) for row in rows)} {pushed} 0 b 0"


def joined(row: str) -> str:
    """A row with its runs of empty cells as digits."""
    parts: list[str] = []
    for word in row:
        if word == "1" and parts and parts[-1].isdigit():
            parts[-1] = str(int(parts[-1]) + 1)
        else:
            parts.append(word)
    return "".join(parts)


def lines() -> list[list[str]]:
    """The three lines through the centre, each from both ends."""
    row, column = [f"e{k}" for k in range(1, LINE + 1)], [f"{word}5" for word in reversed(ROWS)]
    diagonal = [f"{word}{k}" for k, word in enumerate(reversed(ROWS), start=1)]
    return [line for one in (row, column, diagonal) for line in (one, one[::-1])]


def try_lines() -> list[list[Any]]:
    """[own marbles, the other's, what is behind these, positions, positions where the rearmost can move along] of all lines."""
    tried, legal = Counter[tuple[int, int, str]](), Counter[tuple[int, int, str]]()
    for line, own, other in product(lines(), range(1, MOST_OWN + 1), range(MOST_OTHER + 1)):
        for first in range(LINE - own - other + 1):
            end = first + own + other
            for behind in ("empty", "own") if end < LINE and other else ("empty",) if end < LINE else ("rim",):
                words = ("1" * first + "S" * own + "s" * other + ("S" if behind == "own" else "")).ljust(LINE, "1")
                if first + 1 < LINE:
                    moves = Board(GAME, position(line, words)).legal_moves
                    tried[own, other, behind] += 1
                    legal[own, other, behind] += f"{line[first]}{line[first + 1]}" in moves
    return [[*key, count, legal[key]] for key, count in sorted(tried.items())]


def allowed(own: int, other: int, behind: str) -> bool:
    """Whether the study's rules let a line move on."""
    if other == 0:
        return own <= 3 and behind == "empty"
    return (own, other) in PUSHES and behind != "own"


def count(place: Place, seed: int, size: float) -> dict[str, Any]:
    """Counts all that the claim names."""
    board = Board(GAME)
    planes = board.observation()
    sequences = 0
    for action in board.legal_actions:
        after = board.copy()
        after.push(action)
        sequences += len(after.legal_actions)
    ends = []
    for line, pushed in product(lines(), (LAST_TO_WIN - 1, LAST_TO_WIN)):
        game = Board(GAME, position(line, "SSSs".rjust(LINE, "1"), pushed))
        game.push_move(f"{line[-4]}{line[-3]}")
        outcome = game.outcome()
        ends.append([pushed + 1, game.is_terminal, None if outcome is None else outcome.winner])
    return {
        "cells": int(planes[..., 2].sum()),
        "marbles": [int(planes[..., k].sum()) for k in (0, 1)],
        "openings": len(board.legal_actions),
        "sequences": sequences,
        "lines": try_lines(),
        "ends": ends,
    }


def judge(figures: Figures) -> Found:
    """All counts as stated."""
    one = figures["counts"][0]
    numbers = [one["cells"], one["marbles"], one["openings"], one["sequences"]]
    counts = numbers == [CELLS, [MARBLES] * 2, OPENINGS, SEQUENCES]
    wrong = sum(legal != (tried if allowed(own, other, behind) else 0) for own, other, behind, tried, legal in one["lines"])
    tried = sum(line[3] for line in one["lines"])
    ends = all((is_over, winner) == (score == 6, 0 if score == 6 else None) for score, is_over, winner in one["ends"])
    text = (
        f"{one['cells']} cells, {one['marbles'][0]} + {one['marbles'][1]} marbles, {one['openings']} first moves, "
        f"{one['sequences']:,} sequences of two; of {tried:,} positions of one line, kinds of line that do not move as stated: "
        f"{wrong}; the fifth marble pushed off ends none of {len(one['ends']) // 2} games, the sixth all: {ends}"
    )
    return ("shown" if counts and not wrong and ends else "not shown"), text


def page(figures: Figures) -> list[str]:
    """What was counted, and which lines move."""
    if not figures.get("counts"):
        return []
    one = figures["counts"][0]
    stated = (("cells", CELLS, one["cells"]), ("marbles of each side", MARBLES, one["marbles"][0]),
              ("first moves", OPENINGS, one["openings"]), ("sequences of two", SEQUENCES, one["sequences"]))  # fmt: skip
    rows = [[what, f"{wanted:,}", f"{found:,}"] for what, wanted, found in stated]
    cells = {(own, other, behind): f"{legal} of {tried}" for own, other, behind, tried, legal in one["lines"]}
    kinds = ("empty", "rim", "own")
    pushes = [
        [f"{own} against {other}", *(cells.get((own, other, kind), "-") for kind in kinds)]
        for own, other in product(range(1, MOST_OWN + 1), range(MOST_OTHER + 1))
    ]
    return [
        *table(["", "stated", "counted"], rows),
        "Lines of so many own marbles and so many of the other's ahead of them, on the three lines through the centre, in both "
        "directions, wherever they fit: where the rearmost own marble can move along, by what is behind the others. The "
        "numbers of first moves and of sequences of two are those of the standard set-up, which the study only draws.",
        "",
        *table(["own marbles against", "an empty cell", "the rim", "an own marble"], pushes),
    ]


PART = Part(
    name="rules",
    title="the rules of chapter 2.1, counted",
    works={"counts": Work(count, is_seeded=False)},
    lines=page,
    claims=(
        Claim(
            1, "61 cells, 14 + 14 marbles, 44 first moves, pushes 3-2, 3-1, 2-1 alone, six pushed off win", judge, ("counts",)
        ),
    ),
    readings=(
        ("set-up", "in a figure", "the standard one; it has the 44 first moves"),
        ("end of careful games", "no draw; repetition suggested", "third repetition, 200 plies with no marble lost"),
        ("no legal move", "undefined", "a draw; `no_move` has two other rules"),
    ),
    made_of=(1, LINE, MOST_OWN, MOST_OTHER, LAST_TO_WIN),
)
