"""CardPoints against values from elsewhere, brute force, and the random baselines of the study's notes."""

import functools
import random
from pathlib import Path

import numpy as np
import pytest

from boardgym import Board, get_game
from boardgym.games.card_points import rules as cp

DECK = [rank for rank in range(2, 15) for _ in range(4)]
ROWS = [
    line.split()
    for line in (Path(__file__).parents[1] / "data/reference/cardpoints.txt").read_text().splitlines()
    if not line.startswith("#")
]


def deal(rng, n_cards):
    return tuple(rng.sample(DECK, n_cards))


def board_of(ranks):
    row = " ".join(cp.RANK_NAMES[rank - 2] for rank in ranks)
    return Board("CardPoints-v0", f"{row} | 0 0 first", n_cards=len(ranks))


@functools.cache
def best_margin(ranks):
    """By trying all lines of play: a slow twin."""
    if not ranks:
        return 0
    return max(ranks[0] - best_margin(ranks[1:]), ranks[-1] - best_margin(ranks[:-1]))


def random_shares(ranks, margin=0, sign=1):
    """The first seat's chances to win, draw and lose if both take uniformly random ends, exactly: array (3,)."""
    if len(ranks) == 1:
        margin += sign * ranks[0]
        return np.array([margin > 0, margin == 0, margin < 0], float)
    left = random_shares(ranks[1:], margin + sign * ranks[0], -sign)
    return (left + random_shares(ranks[:-1], margin + sign * ranks[-1], -sign)) / 2


def optimal_score(ranks, seat, margin=0, ply=0):
    """Score of `seat`, a draw one half, if it plays as if the other did its best, and that plays uniformly at random."""
    sign = 1 if ply % 2 == 0 else -1
    if len(ranks) == 1:
        margin += sign * ranks[0]
        return 0.5 + 0.5 * np.sign(margin if seat == 0 else -margin)
    optimal, left, right = cp.margins(ranks) if ply % 2 == seat else (0, 0, 0)
    scores = []
    if left == optimal:
        scores.append(optimal_score(ranks[1:], seat, margin + sign * ranks[0], ply + 1))
    if right == optimal:
        scores.append(optimal_score(ranks[:-1], seat, margin + sign * ranks[-1], ply + 1))
    return sum(scores) / len(scores)


def best_score(ranks, seat, margin=0, ply=0):
    """Score of `seat`, a draw one half, if it answers a uniformly random other in the best way: no player scores more."""
    sign = 1 if ply % 2 == 0 else -1
    if len(ranks) == 1:
        margin += sign * ranks[0]
        return 0.5 + 0.5 * np.sign(margin if seat == 0 else -margin)
    left = best_score(ranks[1:], seat, margin + sign * ranks[0], ply + 1)
    right = best_score(ranks[:-1], seat, margin + sign * ranks[-1], ply + 1)
    return max(left, right) if ply % 2 == seat else (left + right) / 2


def test_there_are_rows():
    assert len(ROWS) == 40
    assert {len(row[0].split(",")) % 2 for row in ROWS} == {0, 1}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_margins(row):
    ranks = [int(rank) for rank in row[0].split(",")]
    assert cp.margins(ranks) == tuple(map(int, row[1:]))


def test_best_play_as_the_board_sees_it():
    """At every position of random play on 60 deals: the margin in the estimate, and which ends keep it."""
    rng = random.Random(1)
    for _ in range(60):
        board = board_of(deal(rng, 8))
        while not board.is_terminal:
            position = board.position
            ranks = tuple(rank for rank in cp.places(position) if rank)
            so_far = (position.first_points - position.second_points) * (1 if board.to_play == 0 else -1)
            margin = so_far + best_margin(ranks)
            assert board.estimate() == pytest.approx(margin / (1 + abs(margin)))
            assert cp.margins(ranks)[0] == best_margin(ranks)
            board.push(rng.choice(board.legal_actions))


@pytest.mark.parametrize("n_cards", [2, 8, 12])
def test_the_first_seat_never_loses(n_cards):
    """It may take all cards in odd or all in even places, whichever are worth more; best play is at least that."""
    rng = random.Random(n_cards)
    for _ in range(200):
        ranks = deal(rng, n_cards)
        assert best_margin(ranks) >= abs(sum(ranks[::2]) - sum(ranks[1::2])) >= 0
        assert cp.margins(ranks)[0] == best_margin(ranks)
        best_margin.cache_clear()


def test_taking_all_odd_or_all_even_places_as_played():
    rng = random.Random(9)
    for _ in range(50):
        ranks = deal(rng, 8)
        board, parity = board_of(ranks), int(sum(ranks[1::2]) > sum(ranks[::2]))
        while not board.is_terminal:
            if board.to_play == 0:
                board.push(0 if board.position.left % 2 == parity else 1)
            else:
                board.push(rng.choice(board.legal_actions))
        assert board.returns()[0] >= 0


@pytest.mark.parametrize("n_cards", [4, 6, 8])
def test_random_play_wins_47_to_49_percent_and_draws_3_to_5(n_cards):
    """The exact shares of 1,500 deals; the intervals are four standard errors wide each way."""
    rng = random.Random(n_cards)
    shares = np.array([random_shares(deal(rng, n_cards)) for _ in range(1500)])
    win, draw, loss = shares.mean(0)
    error = 4 * shares.std(0) / np.sqrt(len(shares))
    assert 0.47 - error[0] < win < 0.49 + error[0]
    assert 0.03 - error[1] < draw < 0.05 + error[1]
    assert abs(win - loss) < error[0] + error[2]  # the first seat has no advantage without skill


def test_random_games_on_boards_have_those_shares():
    rng, results = random.Random(3), []
    for seed in range(1500):
        board = Board("CardPoints-v0", seed=seed)
        while not board.is_terminal:
            board.push(rng.choice(board.legal_actions))
        results.append(board.returns()[0])
    assert abs(results.count(1) / 1500 - 0.4825) < 4 * np.sqrt(0.25 / 1500)  # the exact shares of 100,000 deals
    assert abs(results.count(0) / 1500 - 0.0361) < 4 * np.sqrt(0.035 / 1500)


def test_even_the_best_answer_to_random_play_scores_below_95_percent():
    """Eight cards, seats alternating: as the second seat it meets deals that random play gets right."""
    rng = random.Random(5)
    scores = np.array([[best_score(ranks, seat) for seat in (0, 1)] for ranks in (deal(rng, 8) for _ in range(600))])
    error = 4 * scores.mean(1).std() / np.sqrt(len(scores))
    assert scores[:, 0].mean() > 0.99
    assert scores.mean() + error < 0.95
    assert abs(scores.mean() - 0.908) < error  # the score of 100,000 deals


def test_best_play_scores_less_than_the_best_answer_to_random_play():
    rng = random.Random(6)
    scores = np.array([[optimal_score(ranks, seat) for seat in (0, 1)] for ranks in (deal(rng, 8) for _ in range(400))])
    assert abs(scores.mean() - 0.867) < 4 * scores.mean(1).std() / np.sqrt(len(scores))  # as above


def test_all_52_cards_sum_to_the_deck():
    board = Board("CardPoints-v0", n_cards=52, seed=4)
    assert sorted(cp.places(board.position)) == DECK
    assert get_game("CardPoints-v0", n_cards=52).observation_max == 292
    while not board.is_terminal:
        optimal, left, _ = cp.margins([rank for rank in cp.places(board.position) if rank])
        board.push(0 if left == optimal else 1)
    assert board.returns()[0] >= 0
    assert board.position.first_points + board.position.second_points == sum(DECK)
