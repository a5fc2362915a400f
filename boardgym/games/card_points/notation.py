"""Moves and positions of CardPoints as text."""

import re
from collections import Counter
from typing import Any

import numpy as np

from boardgym.compile import plain
from boardgym.core.errors import NotationError
from boardgym.games.card_points.rules import COPIES, HIGHEST, LEFT, LOWEST, RANK_NAMES, RIGHT, is_dealing, pack_cards, places


def move_text(position: Any, action: int) -> str:
    return RANK_NAMES[action] if plain(is_dealing)(position) else ("left", "right")[action]


def parse_move(position: Any, text: str) -> int:
    move = text.strip().upper()
    if plain(is_dealing)(position):
        if move in ("T", *RANK_NAMES):
            return RANK_NAMES.index("10" if move == "T" else move)
        raise NotationError(f"{text!r} is no rank; expected 2 to 10, J, Q, K or A")
    if move in ("L", "LEFT", "R", "RIGHT"):
        return LEFT if move[0] == "L" else RIGHT
    raise NotationError(f"{text!r} is no end of the row; expected 'left' or 'right'")


def side_of(position: Any) -> str:
    """Who is to act, as written in position strings."""
    return "deal" if plain(is_dealing)(position) else ("first", "second")[(position.N_CARDS - position.num_cards) % 2]


def to_fen(position: Any) -> str:
    row = " ".join(RANK_NAMES[rank - LOWEST] if rank else "." for rank in places(position))
    return f"{row} | {position.first_points} {position.second_points} {side_of(position)}"


def read_row(text: str, n_cards: int) -> tuple[int, list[int]]:
    """(cards taken from the left or 0, ranks of the cards left) of a row of places. Raises NotationError."""
    names = text.split()
    if len(names) != n_cards:
        raise NotationError(f"row {text!r}: expected {n_cards} places, got {len(names)}")
    for place, name in enumerate(names):
        if name != "." and name not in RANK_NAMES:
            raise NotationError(f"row {text!r}: {name!r} in place {place + 1}; expected 2 to 10, J, Q, K, A or '.'")
    held = [place for place, name in enumerate(names) if name != "."]
    if held and held[-1] - held[0] >= len(held):
        raise NotationError(f"row {text!r}: a gap between cards; they are taken from the ends")
    ranks = [RANK_NAMES.index(names[place]) + LOWEST for place in held]
    for rank, copies in Counter(ranks).items():
        if copies > COPIES:
            raise NotationError(f"row {text!r}: {copies} cards {RANK_NAMES[rank - LOWEST]}; a deck has {COPIES}")
    return (held[0] if held else 0), ranks


def check_points(ranks: list[int], n_cards: int, points: list[int]) -> None:
    """Raises NotationError unless the seats may have their points from the cards that the row lacks."""
    taken = n_cards - len(ranks)
    sums = [1] + [0] * taken  # of each number of cards that the row lacks, bit = sum
    for rank in (Counter(dict.fromkeys(range(LOWEST, HIGHEST + 1), COPIES)) - Counter(ranks)).elements():
        for cards in range(taken, 0, -1):
            sums[cards] |= sums[cards - 1] << rank
    shares = (("first", points[0], (taken + 1) // 2), ("second", points[1], taken // 2), ("both", sum(points), taken))
    for name, total, cards in shares:
        if not sums[cards] >> total & 1:
            least, most = (word.bit_length() - 1 for word in (sums[cards] & -sums[cards], sums[cards]))
            but = f", but not {total}" if least < total < most else ""
            raise NotationError(f"points of {name}: {total}; {cards} cards taken make {least} to {most}{but}")


def read_fen(text: str, position_class: Any) -> Any:
    n_cards = position_class.N_CARDS
    parts = text.split("|") if isinstance(text, str) else []
    words = parts[1].split() if len(parts) == 2 else []
    if len(words) != 3:
        example = to_fen(start_of(position_class))
        raise NotationError(f"position string {text!r}: expected the row, '|', two points and the side, as in {example!r}")
    left, ranks = read_row(parts[0].strip(), n_cards)
    for name, word in zip(("first", "second"), words, strict=False):
        if not re.fullmatch("[0-9]{1,3}", word):
            raise NotationError(f"{text!r}: points of {name} {word!r}; expected a number from 0 to 999")
    points, side = [int(word) for word in words[:2]], words[2]
    if side == "deal":
        if len(ranks) == n_cards:
            raise NotationError(f"{text!r}: side 'deal', but the row is complete; expected 'first'")
        if left:
            raise NotationError(f"{text!r}: side 'deal', but place 1 is empty; expected cards from the left end on")
        for name, total in zip(("first", "second"), points, strict=True):
            if total:
                raise NotationError(
                    f"{text!r}: side 'deal', but points of {name} {total}; expected 0 until all cards are dealt"
                )
    else:
        check_points(ranks, n_cards, points)
    packed = [int(word) for word in plain(pack_cards)(np.array(ranks, np.int64))]
    position = position_class(*packed, len(ranks), left, *points)
    if side != side_of(position):
        raise NotationError(f"side {side!r}: expected {side_of(position)!r} with {len(ranks)} of {n_cards} cards left")
    return position


def start_of(position_class: Any) -> Any:
    return position_class(0, 0, 0, 0, 0, 0, 0, 0)
