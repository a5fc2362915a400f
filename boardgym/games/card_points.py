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
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, plain
from boardgym.core.drawing import CELL, CORNER, EDGE, Drawing, Piece, Shape, Spot
from boardgym.core.errors import NotationError, OptionError
from boardgym.core.game import Game, Setup, Version, register
from boardgym.core.variants import variant
from boardgym.core.verbs import CHANCE, constant, hash_fields, rule

NUM_RANKS, COPIES, LOWEST, HIGHEST = 13, 4, 2, 14
RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
RANK_SYMBOLS = "23456789TJQKA"  # one character each, for the text board
LEFT, RIGHT = 0, 1
WORD_CARDS = 13  # of four bits each


class CardPoints(NamedTuple):
    """The cards left, four bits each from the left end on: four words of 13 cards hold a whole deck.

    num_cards: how many they are. left: cards taken from the left end, which say where in the row the others lie; 0 at the
    end. The deal is going on while cards are missing and nobody has points.
    """

    N_CARDS = 8  # type: ignore[misc]

    cards_0: int
    cards_1: int
    cards_2: int
    cards_3: int
    num_cards: int
    left: int
    first_points: int
    second_points: int


@inner
def is_dealing(position: Any) -> bool:
    """Whether chance is to deal a card. The first card taken brings its seat two points or more."""
    return position.num_cards < constant(position, "N_CARDS") and position.first_points == 0


@inner
def card(position: Any, i: int) -> int:
    """The rank of the card i places from the left end of those left, i < num_cards."""
    return (position[i // WORD_CARDS] >> (4 * (i % WORD_CARDS))) & 15


@inner
def ranks_of(position: Any) -> NDArray[np.int64]:
    """The ranks of the cards left, int64 (num_cards,)."""
    ranks = np.empty(position.num_cards, np.int64)
    for i in range(position.num_cards):
        ranks[i] = card(position, i)
    return ranks


@inner
def pack_cards(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The words of a row of cards, int64 (4,). ranks: int64 (at most 52,)."""
    words = np.zeros(4, np.int64)
    for i in range(len(ranks)):
        words[i // WORD_CARDS] |= ranks[i] << (4 * (i % WORD_CARDS))
    return words


@inner
def interval_margins(ranks: NDArray[np.int64]) -> tuple[int, int, int]:
    """The first player's points minus the second's if both play best: (in all, after left, after right).

    By dynamic programming over intervals, v(i, j) = max(c_i - v(i + 1, j), c_j - v(i, j - 1)). ranks: int64 (n,), n >= 1.
    """
    n = len(ranks)
    best = ranks.copy()  # best[i]: of the interval that begins at i and has the length reached
    left, right = ranks[0], ranks[0]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            left, right = ranks[i] - best[i + 1], ranks[i + length - 1] - best[i]
            best[i] = max(left, right)
    return best[0], left, right


def margins(ranks: Sequence[int]) -> tuple[int, int, int]:
    """As `interval_margins`, of a row of any numbers, at least one."""
    optimal, left, right = plain(interval_margins)(np.array(ranks, np.int64))
    return int(optimal), int(left), int(right)


@inner
def mark_totals(copies: NDArray[np.int64], totals: NDArray[np.uint64]) -> None:
    """Marks the totals that n of some cards can have, for n up to a number of cards. copies: int64, of each rank.

    totals: uint64 (cards + 1, words), zeros at first; bit t of the words of row n becomes 1 if n of the cards make t.
    """
    totals[0, 0] = 1
    for k in range(NUM_RANKS):
        rank = np.uint64(LOWEST + k)
        for _ in range(copies[k]):
            for n in range(len(totals) - 1, 0, -1):
                carried = np.uint64(0)
                for word in range(totals.shape[1]):
                    before = totals[n - 1, word]
                    totals[n, word] |= (before << rank) | carried
                    carried = before >> (np.uint64(64) - rank)


@inner
def is_marked(totals: NDArray[np.uint64], cards: int, total: int) -> bool:
    """Whether `mark_totals` has marked that so many cards make a total."""
    return 0 <= total < 64 * totals.shape[1] and int(totals[cards, total >> 6] >> np.uint64(total & 63)) & 1 == 1


@rule(CardPoints)
def is_valid(position: Any) -> bool:
    """Cards of one deck within the row and no others; points that the cards taken may have, none while cards are dealt."""
    count, left, n_cards = position.num_cards, position.left, constant(position, "N_CARDS")
    if not 0 <= count <= n_cards or not 0 <= left <= n_cards - count:
        return False
    for word in range(4):
        if position[word] >> (4 * WORD_CARDS):
            return False
    copies = np.full(NUM_RANKS, COPIES, np.int64)
    for i in range(NUM_RANKS * COPIES):
        rank = card(position, i)
        if i >= count:
            if rank != 0:
                return False
        elif not LOWEST <= rank <= HIGHEST or copies[rank - LOWEST] == 0:
            return False
        else:
            copies[rank - LOWEST] -= 1
    if position.first_points == 0:  # the deal, or all of it done
        return position.second_points == 0 and left == 0
    taken = n_cards - count
    if count == 0 and left != 0:
        return False
    totals = np.zeros((taken + 1, (taken * HIGHEST >> 6) + 1), np.uint64)
    mark_totals(copies, totals)
    first, second = position.first_points, position.second_points
    if not is_marked(totals, (taken + 1) // 2, first) or not is_marked(totals, taken // 2, second):
        return False
    return is_marked(totals, taken, first + second)


@rule(CardPoints)
def to_play(position: Any) -> int:
    return CHANCE if is_dealing(position) else (constant(position, "N_CARDS") - position.num_cards) & 1


@rule(CardPoints)
def compact(position: Any, out: NDArray[np.int64]) -> int:
    out[0] = position.num_cards | (position.left << 8) | (position.first_points << 16) | (position.second_points << 32)
    words = (constant(position, "N_CARDS") + WORD_CARDS - 1) // WORD_CARDS
    for i in range(words):
        out[i + 1] = position[i]
    return words + 1


@rule(CardPoints)
def legal_actions(position: Any, out: NDArray[np.int64]) -> int:
    if is_dealing(position) or position.num_cards == 0:
        return 0
    out[0] = LEFT
    if position.num_cards == 1:
        return 1
    out[1] = RIGHT
    return 2


@rule(CardPoints)
def chance(position: Any, outcomes: NDArray[np.int64], probabilities: NDArray[np.float64]) -> int:
    if not is_dealing(position):
        return 0
    copies = np.full(NUM_RANKS, COPIES, np.int64)
    for i in range(position.num_cards):
        copies[card(position, i) - LOWEST] -= 1
    n = 0
    for outcome in range(NUM_RANKS):
        if copies[outcome] > 0:
            outcomes[n], probabilities[n] = outcome, copies[outcome] / (NUM_RANKS * COPIES - position.num_cards)
            n += 1
    return n


@inner
def change_card(position: Any, i: int, change: int) -> tuple[int, int, int, int]:
    """The words of the row with `change` added to the card i places from the left end."""
    word, change = i // WORD_CARDS, change << (4 * (i % WORD_CARDS))
    return (
        position.cards_0 + (change if word == 0 else 0),
        position.cards_1 + (change if word == 1 else 0),
        position.cards_2 + (change if word == 2 else 0),
        position.cards_3 + (change if word == 3 else 0),
    )


@inner
def without_leftmost(position: Any) -> tuple[int, int, int, int]:
    """The words of the row with all cards moved one place to the left, over the first."""
    top = 4 * (WORD_CARDS - 1)
    return (
        (position.cards_0 >> 4) | ((position.cards_1 & 15) << top),
        (position.cards_1 >> 4) | ((position.cards_2 & 15) << top),
        (position.cards_2 >> 4) | ((position.cards_3 & 15) << top),
        position.cards_3 >> 4,
    )


@rule(CardPoints)
def apply(position: Any, action: int) -> Any:
    count, left, first, second = position.num_cards, position.left, position.first_points, position.second_points
    if is_dealing(position):
        a, b, c, d = change_card(position, count, action + LOWEST)
        return a, b, c, d, count + 1, left, first, second
    points = card(position, 0 if action == LEFT else count - 1)
    if to_play(position) == 0:
        first += points
    else:
        second += points
    if action == LEFT:
        a, b, c, d = without_leftmost(position)
        left += 1
    else:
        a, b, c, d = change_card(position, count - 1, -points)
    return a, b, c, d, count - 1, 0 if count == 1 else left, first, second


@rule(CardPoints)
def is_terminal(position: Any) -> bool:
    return position.num_cards == 0 and position.first_points > 0


@rule(CardPoints)
def returns(position: Any, seat: int) -> float:
    ahead = position.first_points - position.second_points
    if seat != 0:
        ahead = -ahead
    return 1.0 if ahead > 0 else (-1.0 if ahead < 0 else 0.0)


@rule(CardPoints)
def heuristic(position: Any, seat: int) -> float:
    """The result of best play by both, exactly, as margin / (1 + |margin|); 0 while the deal goes on."""
    if is_dealing(position):
        return 0.0
    margin = position.first_points - position.second_points
    if position.num_cards > 0:
        to_come, _, _ = interval_margins(ranks_of(position))
        margin += to_come if to_play(position) == 0 else -to_come
    if seat != 0:
        margin = -margin
    return margin / (1.0 + abs(margin))


@rule(CardPoints)
def key(position: Any) -> np.uint64:
    """What play depends on: the cards left, the margin so far, and whether the deal goes on."""
    a, b, c, d, count = position.cards_0, position.cards_1, position.cards_2, position.cards_3, position.num_cards
    margin = position.first_points - position.second_points
    return hash_fields(CardPoints(a, b, c, d, count, 0, margin, int(is_dealing(position))))  # type: ignore[call-arg]


@rule(CardPoints)
def observe(position: Any, seat: int, out: NDArray[Any]) -> None:
    is_observer = seat == to_play(position)
    first, second = position.first_points, position.second_points
    mine, theirs = (first, second) if seat == 0 else (second, first)
    for place in range(constant(position, "N_CARDS")):
        i, plane = place - position.left, out[0, place]
        plane[0] = card(position, i) if 0 <= i < position.num_cards else 0
        plane[1] = mine
        plane[2] = theirs
        plane[3] = is_observer
        plane[4] = seat
        plane[5] = 1


@rule(CardPoints)
def decode(planes: NDArray[Any]) -> Any:
    first_place, count, n_cards = 0, 0, planes.shape[1]
    for place in range(n_cards):
        if planes[0, place, 0] > 0:
            first_place = place if count == 0 else first_place
            count += 1
    ranks = np.empty(count, np.int64)
    for i in range(count):
        ranks[i] = planes[0, first_place + i, 0]
    words = pack_cards(ranks)
    mine, theirs = int(np.int64(planes[0, 0, 1])), int(np.int64(planes[0, 0, 2]))  # int() alone keeps int8 when compiled
    first, second = (theirs, mine) if planes[0, 0, 4] else (mine, theirs)
    return CardPoints(words[0], words[1], words[2], words[3], count, first_place, first, second)  # type: ignore[call-arg]


@rule(CardPoints)
def num_symmetries(position: Any) -> int:
    return 2


@rule(CardPoints)
def transform(position: Any, k: int) -> Any:
    ranks, count, left = ranks_of(position), position.num_cards, position.left
    if k == 1 and count > 0 and not is_dealing(position):
        ranks, left = ranks[::-1].copy(), constant(position, "N_CARDS") - count - left
    words = pack_cards(ranks)
    return words[0], words[1], words[2], words[3], count, left, position.first_points, position.second_points


@rule(CardPoints)
def transform_action(position: Any, action: int, k: int) -> int:
    return 1 - action if k == 1 and position.num_cards > 1 else action


def places(position: Any) -> list[int]:
    """The rank in each place of the row, list of n_cards ints, 0 for none."""
    ranks = [0] * position.N_CARDS
    for i in range(position.num_cards):
        ranks[position.left + i] = plain(card)(position, i)
    return ranks


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


DEALS = {  # name -> row that the first seat wins, but not by always taking the larger end
    "greed_4": "3 2 A 4",  # best play wins by 3 - 4 + A - 2 = 11; the 4 gives the ace away, and loses by 9
    "greed_8": "4 9 4 K 4 7 5 3",  # best play wins by 15 (tests/data/reference/cardpoints.txt), greed loses by 15
}


def row_drawing(n_cards: int) -> Drawing:
    """The row as cards on green cloth, at most 13 side by side."""
    rows = -(-n_cards // WORD_CARDS)
    columns = -(-n_cards // rows)
    width, height = columns * CELL, rows * 1.4 * CELL
    at = [divmod(place, columns) for place in range(n_cards)]
    spots = tuple(Spot(EDGE + (c + 0.5) * CELL, EDGE + (r + 0.5) * 1.4 * CELL, r, 1 + 2 * c) for r, c in at)
    backdrop = [
        Shape("rect", (EDGE - 3, EDGE - 3, width + 6, height + 6, CORNER), "#1f5c3b"),
        Shape("rect", (EDGE, EDGE, width, height, CORNER - 3), "#2f8557"),
    ]
    backdrop += [Shape("rect", (spot.x - 22, spot.y - 32, 44.0, 64.0, 6.0), "none", "#27714a", 2.0) for spot in spots]
    cards = {0: None} | {LOWEST + k: Piece("card", 2, RANK_SYMBOLS[k], RANK_NAMES[k]) for k in range(NUM_RANKS)}

    def pieces(position: Any) -> list[Piece | None]:
        return [cards[rank] for rank in places(position)]

    def action_spots(position: Any, action: int) -> tuple[int, ...]:
        if plain(is_dealing)(position):
            return (position.num_cards,)
        return (position.left + (0 if action == LEFT else position.num_cards - 1),)

    def notes(position: Any) -> tuple[str, ...]:
        return f"first: {position.first_points}", f"second: {position.second_points}"

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
    )


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
