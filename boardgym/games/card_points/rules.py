"""The rules of CardPoints, compiled."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgym.compile import inner, plain
from boardgym.core.verbs import CHANCE, constant, hash_fields, rule

NUM_RANKS, COPIES, LOWEST, HIGHEST = 13, 4, 2, 14
RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
LEFT, RIGHT = 0, 1
WORD_CARDS = 13  # of four bits each
MOST_CARDS = 4 * WORD_CARDS


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
def write_ranks(position: Any, ranks: NDArray[np.int64]) -> None:
    """Writes the ranks of the cards left, from the left end. ranks: int64, room for them."""
    for i in range(position.num_cards):
        ranks[i] = card(position, i)


@inner
def pack_cards(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The words of a row of cards, int64 (4,). ranks: int64 (at most 52,)."""
    words = np.zeros(4, np.int64)
    for i in range(len(ranks)):
        words[i // WORD_CARDS] |= ranks[i] << (4 * (i % WORD_CARDS))
    return words


@inner
def interval_margins(n: int, ranks: NDArray[np.int64], best: NDArray[np.int64]) -> tuple[int, int, int]:
    """The first player's points minus the second's if both play best: (in all, after left, after right).

    By dynamic programming over intervals, v(i, j) = max(c_i - v(i + 1, j), c_j - v(i, j - 1)). ranks: int64 (n,) or
    more, n >= 1. best: room for as many, best[i] of the interval that begins at i and has the length reached.
    """
    for i in range(n):
        best[i] = ranks[i]
    left, right = ranks[0], ranks[0]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            left, right = ranks[i] - best[i + 1], ranks[i + length - 1] - best[i]
            best[i] = max(left, right)
    return best[0], left, right


def margins(ranks: Sequence[int]) -> tuple[int, int, int]:
    """As `interval_margins`, of a row of any numbers, at least one."""
    row = np.array(ranks, np.int64)
    optimal, left, right = plain(interval_margins)(len(row), row, np.empty_like(row))
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
        ranks, room = np.empty(MOST_CARDS, np.int64), np.empty(MOST_CARDS, np.int64)
        write_ranks(position, ranks)
        to_come, _, _ = interval_margins(position.num_cards, ranks, room)
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
    words, count, left = np.zeros(4, np.int64), position.num_cards, position.left
    is_mirrored = k == 1 and count > 0 and not is_dealing(position)
    if is_mirrored:
        left = constant(position, "N_CARDS") - count - left
    for i in range(count):
        words[i // WORD_CARDS] |= card(position, count - 1 - i if is_mirrored else i) << (4 * (i % WORD_CARDS))
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
