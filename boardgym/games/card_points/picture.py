"""The row of CardPoints as a picture."""

from typing import Any

from boardgym.compile import plain
from boardgym.core.drawing import CELL, CORNER, EDGE, Drawing, Piece, Shape, Spot
from boardgym.core.places import Controls
from boardgym.games.card_points.rules import LEFT, LOWEST, NUM_RANKS, RANK_NAMES, WORD_CARDS, is_dealing, places

RANK_SYMBOLS = "23456789TJQKA"  # one character each, for the text board


def row_drawing(n_cards: int) -> Drawing:
    """The row as cards on green cloth, at most 13 side by side."""
    rows = -(-n_cards // WORD_CARDS)
    columns = -(-n_cards // rows)
    width, height = columns * CELL, rows * 1.4 * CELL
    at = [divmod(place, columns) for place in range(n_cards)]
    spots = tuple(Spot(EDGE + (c + 0.5) * CELL, EDGE + (r + 0.5) * 1.4 * CELL, r, 1 + 2 * c) for r, c in at)
    backdrop = [
        Shape("rect", (EDGE - 3, EDGE - 3, width + 6, height + 6, CORNER), "rim"),
        Shape("rect", (EDGE, EDGE, width, height, CORNER - 3), "board"),
    ]
    backdrop += [Shape("rect", (spot.x - 22, spot.y - 32, 44.0, 64.0, 6.0), "none", "slot", 2.0) for spot in spots]
    cards = {0: None} | {LOWEST + k: Piece("card", 2, RANK_SYMBOLS[k], RANK_NAMES[k]) for k in range(NUM_RANKS)}

    def pieces(position: Any) -> list[Piece | None]:
        return [cards[rank] for rank in places(position)]

    def action_spots(position: Any, action: int) -> tuple[int, ...]:
        if plain(is_dealing)(position):
            return (position.num_cards,)
        return (position.left + (0 if action == LEFT else position.num_cards - 1),)

    def notes(position: Any) -> tuple[str, ...]:
        return f"first: {position.first_points}", f"second: {position.second_points}"

    def why_not(position: Any, chosen: tuple[int, ...]) -> str:
        name, is_card = chosen[0] + 1, places(position)[chosen[0]]
        return f"place {name}: only the leftmost or the rightmost card may be taken" if is_card else f"place {name} is empty"

    return Drawing(
        (width + 2 * EDGE, height + 2 * EDGE),
        spots,
        pieces,
        tuple(" " + ". " * sum(r == row for r, _ in at) for row in range(rows)),
        tuple(backdrop),
        ("#d9483b", "#2b5fa5", "#20242c"),
        "#2f8557",
        "#8fbfa6",
        action_spots,
        notes,
        shades={"rim": "#1f5c3b", "slot": "#27714a"},
        controls=Controls(place_size=(CELL, 1.4 * CELL), why_not=why_not),
    )
