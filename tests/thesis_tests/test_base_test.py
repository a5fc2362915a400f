"""The base test of Connect Four and CardPoints: tactics against plain play, the published sequences, fixed rows, ties."""

import hashlib
from functools import cache

import numpy as np
import pytest

from boardgym.baselines.learning.tabular.config import TabularConfig
from boardgym.baselines.learning.tabular.trainer import TableTrainer
from boardgym.baselines.thesis_tests import sequences as sq
from boardgym.baselines.thesis_tests.base import base_test
from boardgym.baselines.thesis_tests.cards import random_share_of_row
from boardgym.baselines.thesis_tests.lines import random_share
from boardgym.baselines.thesis_tests.play import clone_test
from boardgym.baselines.thesis_tests.positions import base_set_of, rows_of
from boardgym.compile import plain
from boardgym.core import verbs
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.games.connect_four import has_four
from tests.learning.tabular.players import Player, ranks_of, table_agent

CONNECT_FOUR, CARDS, TIC_TAC_TOE = get_game("ConnectFour-v0"), get_game("CardPoints-v0"), get_game("TicTacToe-v0")
PUBLISHED = "01c0a5253e15d8ec"  # of the SHA-256 digest of the 21,000 numbers


def makes_four(board, action, seat):
    """Whether a seat that dropped a disc now would have four."""
    own, other = board.position if board.to_play == seat else board.position[::-1]
    position = CONNECT_FOUR.position_class(own, other)
    _, mine = plain(verbs.find_rule("apply", CONNECT_FOUR.position_class))(position, action)
    return plain(has_four)(mine, 6)


def reply_by_hand(board, number, is_tactical):
    """What a sequence's number answers with, by trying every column."""
    legal = board.legal_actions
    if is_tactical:
        for seat in (board.to_play, 1 - board.to_play):
            fours = [action for action in legal if makes_four(board, action, seat)]
            if fours:
                return fours[number * len(fours) >> 32]
    return legal[number * len(legal) >> 32]


# ---------------------------------------------------------------- Connect Four: the sequences


def test_the_published_sequences():
    numbers = sq.reply_numbers(CONNECT_FOUR)
    assert numbers.shape == (1000, 21)
    assert 0 <= numbers.min() < 2**22 < 2**32 - 2**22 < numbers.max() < 2**32
    assert hashlib.sha256(numbers.astype("<i8").tobytes()).hexdigest()[:16] == PUBLISHED
    assert (sq.reply_numbers(CONNECT_FOUR, 3) == numbers[:3]).all()
    assert (sq.reply_numbers(CONNECT_FOUR, 3, seed=2) != numbers[:3]).all()


@pytest.mark.parametrize("seat", [0, 1])
def test_lines_are_played_as_published(seat):
    """The first sequences by hand, against a player that always takes the third legal column from the left."""
    numbers = sq.reply_numbers(CONNECT_FOUR, 30)
    player = Player(lambda board: board.legal_actions[min(2, len(board.legal_actions) - 1)])
    counts, outcomes, turns = [0, 0, 0], [], 0
    for k, line in enumerate(numbers.tolist()):
        board, replies = Board(CONNECT_FOUR), iter(line)
        while not board.is_terminal:
            turns += board.to_play == seat
            board.push(player.act(board) if board.to_play == seat else reply_by_hand(board, next(replies), k % 2 == 1))
        pays = int(board.returns()[seat])
        counts[1 - pays] += 1
        outcomes.append(float(pays >= 0))
    found, _ = sq.every_sequence(player, seat, CONNECT_FOUR, numbers=numbers)
    assert [found.won, found.drawn, found.lost] == counts
    assert 0 < found.lost < found.lines == 30
    assert found.outcomes == tuple(outcomes)
    assert (found.turns, found.unknown, found.is_perfect) == (turns, 0.0, None)
    assert found.quality.low < found.quality.value == 1.0 - found.lost / 30 < found.quality.high


def test_tactics_ask_what_the_solver_asks():
    """At every published position, whose answers come of the exact solver, the tactics find its category and right actions."""
    for known in base_set_of(CONNECT_FOUR).positions:
        assert sq.asked_of(Board(CONNECT_FOUR, known.fen)) == (known.category, frozenset(known.right))


def test_what_tactics_ask_by_hand():
    assert sq.asked_of(Board(CONNECT_FOUR, "7/7/7/7/7/3x3 o")) == ("", frozenset())
    assert sq.asked_of(Board(CONNECT_FOUR)) == (sq.OPENING, frozenset({3}))
    both = Board(CONNECT_FOUR, "7/7/7/7/6o/1xxx2o o")  # two cells to be blocked: all columns lose
    assert sq.asked_of(both) == ("", frozenset())
    one = Board(CONNECT_FOUR, "7/7/7/7/6o/oxxx2o x")
    assert sq.asked_of(one) == (sq.WIN_NOW, frozenset({4}))
    category, right = sq.asked_of(Board(CONNECT_FOUR, "7/7/7/7/7/2xx2o o"))  # else three with both ends free come next
    assert category == sq.FORK
    assert right >= {1, 4}
    assert not right & {2, 3, 6}


def test_decisions_are_counted_on_the_lines():
    """A player that takes wins, blocks, and opens at the edge: right wherever a win or a block is asked, wrong at the start."""

    def careful(board):
        category, right = sq.asked_of(board)
        return min(right) if category in (sq.WIN_NOW, sq.BLOCK) else board.legal_actions[0]

    found = base_test(Player(careful), CONNECT_FOUR, seats=(0,))
    by_category = {met.category: met for met in found.decisions}
    assert (by_category[sq.OPENING].met, by_category[sq.OPENING].right) == (1000.0, 0.0)
    assert by_category[sq.OPENING].floor == pytest.approx(1 / 7)
    for category in (sq.WIN_NOW, sq.BLOCK):
        assert by_category[category].share == 1.0
        assert by_category[category].floor < 0.7
    assert 0.0 <= found.lines[0].won - by_category[sq.WIN_NOW].met < 10.0  # a line is won so, but where all columns win
    assert 0.0 < by_category[sq.FORK].share < 1.0
    assert len(found.outcomes) == 1000
    assert found.quality.value == pytest.approx(np.mean(found.outcomes))
    assert found.quality.value > found.floor.high
    halves = found.to_dict()["lines"][0]["by_kind"]
    assert halves["tactical"] < found.quality.value < halves["uniform"]
    assert sum(halves.values()) / 2 == pytest.approx(found.quality.value)
    text = str(found)
    assert "x: take the win" in text
    assert "1,000 fixed sequences" in " ".join(text.split())


def test_a_table_that_knows_nothing_plays_at_random():
    """Its ties are broken at random, so that its quality is the floor, which is counted by a kernel of its own."""
    agent = table_agent(CONNECT_FOUR)
    numbers = sq.reply_numbers(CONNECT_FOUR, 60)
    found, decisions = sq.every_sequence(agent, 0, CONNECT_FOUR, numbers=numbers)
    assert found.quality.value == pytest.approx(found.floor.value, abs=0.08)  # four standard deviations of 600 games
    assert 0.15 < found.floor.value < 0.45
    assert found.unknown == found.turns
    assert found.won + found.drawn + found.lost == pytest.approx(60.0)
    assert [met.category for met in decisions] == [sq.OPENING, sq.WIN_NOW, sq.BLOCK, sq.FORK]
    assert all(met.share == pytest.approx(met.floor, abs=0.15) for met in decisions)
    assert (found, decisions) == sq.every_sequence(agent, 0, CONNECT_FOUR, numbers=numbers)


# ---------------------------------------------------------------- CardPoints: the rows


@cache
def lines_not_lost(row, ahead, answers):
    """(lines not lost, lines) of the seat to play, which answers at every other turn, by playing every end out.

    ahead: its points less the other's. answers: (row, its turn) -> ends to try.
    """
    if not row:
        return float(ahead >= 0), 1
    below = [lines_below(row, end, ahead, answers) for end in answers(row)]
    return tuple(sum(column) / len(below) for column in zip(*below, strict=True))


def lines_below(row, end, ahead, answers):
    """The same after its end of the row: over all replies."""
    rest, ahead = (row[1:], ahead + row[0]) if end == 0 else (row[:-1], ahead + row[-1])
    if not rest:
        return float(ahead >= 0), 1
    replies = [(rest[1:], ahead - rest[0])] + [(rest[:-1], ahead - rest[-1])] * (len(rest) > 1)
    found = [lines_not_lost(after, margin, answers) for after, margin in replies]
    return tuple(sum(column) for column in zip(*found, strict=True))


def any_end(row):
    return (0, 1) if len(row) > 1 else (0,)


def larger_end(row):
    return (1,) if row[-1] > row[0] else (0,)


def test_rows_and_their_floor():
    rows = rows_of(CARDS)
    assert len(set(rows)) == 500
    assert rows_of(CONNECT_FOUR) == rows_of(TIC_TAC_TOE) == rows_of(get_game("CardPoints-v0", n_cards=4)) == ()
    for row in rows[:20]:
        kept, lines = lines_not_lost(ranks_of(row), 0, any_end)
        assert lines == 8  # the second seat has a choice with 7, 5 and 3 cards left
        assert random_share_of_row(Board(CARDS, row), 0) == pytest.approx(kept / lines)
        cards = ranks_of(row)
        each = [lines_not_lost(rest, -won, any_end) for rest, won in ((cards[1:], cards[0]), (cards[:-1], cards[-1]))]
        kept, lines = (sum(column) for column in zip(*each, strict=True))  # the second seat's, over the first's both ends
        assert random_share_of_row(Board(CARDS, row), 1) == pytest.approx(kept / lines)
    later = Board(CARDS, rows[0])
    later.push(0)
    cards = ranks_of(rows[0])
    kept, lines = lines_not_lost(cards[1:], -cards[0], any_end)
    assert random_share_of_row(later, 1) == pytest.approx(kept / lines) == pytest.approx(random_share(later, 1))


def test_every_line_of_the_rows():
    larger = Player(lambda board: larger_end(ranks_of(board.fen()))[0])
    found = base_test(larger, CARDS, seats=(0,))
    expected = [lines_not_lost(ranks_of(row), 0, larger_end) for row in rows_of(CARDS)]
    assert found.outcomes == pytest.approx([kept / lines for kept, lines in expected])
    assert found.lines[0].lines == sum(lines for _, lines in expected) == 4000
    assert found.quality.value == pytest.approx(np.mean(found.outcomes))
    assert found.quality.low < found.quality.value < found.quality.high
    assert found.floor.value == pytest.approx(np.mean([random_share_of_row(Board(CARDS, row), 0) for row in rows_of(CARDS)]))
    assert found.floor.value < found.quality.low
    assert found.is_perfect is False
    assert "from 500 starts" in " ".join(str(found).split())


def test_perfect_play_loses_no_row():
    found = base_test("perfect", CARDS)
    assert (found.quality.value, found.is_perfect, found.lost) == (1.0, True, 0.0)
    assert found.lines[1].quality.value < 1.0  # the second seat cannot hold every row


# ---------------------------------------------------------------- agents


def test_an_agent_is_taught_and_tested_on_the_same_starts():
    starts = ("x2/1o1/3 x", "1x1/1o1/3 x")
    trainer = TableTrainer(TabularConfig(starts=starts, episodes=3000, greedy_episodes=3000, seed=2))
    agent = trainer.run()
    found = base_test(agent, TIC_TAC_TOE, starts=starts, seats=(0,))
    assert found.lines[0].unknown == 0.0
    assert len(found.outcomes) == 2
    assert found.is_perfect
    clone = clone_test(agent, agent, TIC_TAC_TOE, games=100, starts=starts)
    assert clone.shares.lost.value == 0.0
    assert clone.starts == 2
    elsewhere = base_test(agent, TIC_TAC_TOE, seats=(0,))  # what it was not taught, it does not know
    assert elsewhere.lines[0].unknown > 0.5 * elsewhere.lines[0].turns
    assert elsewhere.quality.value < 1.0
