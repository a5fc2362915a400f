"""CardPoints: two seats in turn take the leftmost or rightmost card of a row; more points win.

The row is open, and equal points draw. Rules: A. B. Pereira's dissertation on Pessimistic
Q-learning (PUC-Rio, 2012), section 3.4. It says only that the row is drawn at random and even, and
that kings and aces are worth most. Chosen here: a deck of 52 cards, four of each rank, without
replacement; 2 to 10 count their number, J 11, Q 12, K 13, A 14. Option: `n_cards` (8), even, 2 to
52.

A game begins with the deal: n_cards times, chance adds a card to the row. Outcome: its rank - 2,
written `2` to `10`, `J`, `Q`, `K`, `A` (`T` is read too). Then seat 0 begins. Action: 0 takes the
leftmost card (`left`, `l`), 1 the rightmost (`right`, `r`). With one card left the two are the
same, and only 0 is legal.

Position string, for example `. 9 4 K 4 7 . . | 7 5 second`: the places of the row, `.` where a card
has been taken or not yet dealt; both seats' points; `first` or `second` to play, or `deal`.
Observation (1, n_cards, 6): the rank of the card in each place, 0 for none; own points; the
other's; ones if the observing seat is to play; ones if it is the second; ones.

With 8 cards the deal decides so much that nobody beats random play in 95 % of games. Best play
scores 86.7 % against it (both seats, draws half; exact over 100,000 deals, +-0.04), and the best
answer to random play 90.8 %. `tests/reference/test_card_points.py` checks this on fewer deals.
Mirroring the row is a symmetry once the cards are dealt. A row that is not complete is its own
image.
"""

import functools

import numpy as np

from boardgym.core.errors import OptionError
from boardgym.core.game import Game, Setup, Version, register
from boardgym.core.variants import variant
from boardgym.games.card_points.notation import move_text, parse_move, read_fen, start_of, to_fen
from boardgym.games.card_points.picture import row_drawing
from boardgym.games.card_points.rules import COPIES, HIGHEST, LOWEST, NUM_RANKS, CardPoints

DEALS = {  # name -> row that the first seat wins, but not by always taking the larger end
    "greed_4": "3 2 A 4",  # best play wins by 3 - 4 + A - 2 = 11; the 4 gives the ace away, and loses by 9
    "greed_8": "4 9 4 K 4 7 5 3",  # best play wins by 15 (tests/data/reference/cardpoints.txt), greed loses by 15
}


def card_points(n_cards: int = 8) -> Game:
    """The game with a row of n_cards. Raises OptionError unless that is even, 2 to 52."""
    if type(n_cards) is not int or n_cards % 2 or not 2 <= n_cards <= NUM_RANKS * COPIES:
        raise OptionError(f"n_cards={n_cards!r}: expected an even number, 2 to {NUM_RANKS * COPIES}")
    return game_of(n_cards)


@functools.cache
def game_of(n_cards: int) -> Game:
    position_class = variant(CardPoints, N_CARDS=n_cards)
    from_fen = functools.partial(read_fen, position_class=position_class)
    deck = [rank for rank in range(HIGHEST, LOWEST - 1, -1) for _ in range(COPIES)]
    most = sum(deck[: n_cards // 2])  # points of one seat
    deals = {name: row for name, row in DEALS.items() if len(row.split()) == n_cards}
    return Game(
        name="CardPoints",
        title="CardPoints",
        position_class=position_class,
        start=start_of(position_class),
        num_actions=2,
        max_legal_actions=2,
        observation_shape=(1, n_cards, 6),
        planes=("rank", "own points", "other's points", "observer to play", "observer is second", "ones"),
        move_text=move_text,
        parse_move=parse_move,
        to_fen=to_fen,
        from_fen=from_fen,
        max_plies=n_cards,
        versions=(Version(0, "0.1.0", "first release", "8ae270513a42bfa5"),),
        num_outcomes=NUM_RANKS,
        observation_max=most,
        observation_dtype=np.int8 if most <= 127 else np.uint8 if most <= 255 else np.int16,
        setups={name: Setup((from_fen(f"{row} | 0 0 first"),)) for name, row in deals.items()},
        options={"n_cards": n_cards},
        configure=card_points,
        seat_names=("first", "second"),
        drawing=row_drawing(n_cards),
    )


GAME = register(card_points())
