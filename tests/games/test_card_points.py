"""CardPoints: the deal, the ends of the row, points, notation; rows of 2 to 52 cards."""

import copy
import pickle
import random
from collections import Counter

import numpy as np
import pytest

from boardgym import Board, IllegalActionError, NotationError, OptionError, Reason, get_game
from boardgym.core import verbs
from boardgym.games.card_points import card_points
from boardgym.games.card_points import rules as cp
from boardgym.games.card_points.notation import to_fen

SIZES = [2, 8, 12, 52]


def board_of(fen, **options):
    return Board("CardPoints-v0", fen, **options)


# ---------------------------------------------------------------- the deal


def test_the_board_deals_a_row():
    board = Board("CardPoints-v0", seed=1)
    assert len(board.actions) == 8
    assert board.ply == 0
    assert board.to_play == 0
    assert board.fen() == " ".join(board.game.move_text(board.game.start, o) for o in board.actions) + " | 0 0 first"
    assert board.fen() == Board("CardPoints-v0", seed=1).fen() != Board("CardPoints-v0", seed=2).fen()


def test_outcomes_are_ranks_in_proportion_to_the_cards_left():
    board = Board("CardPoints-v0", auto_roll=False)
    assert board.to_play == verbs.CHANCE
    assert board.legal_actions == []
    assert board.outcomes == [(k, pytest.approx(4 / 52)) for k in range(13)]
    for dealt, text in enumerate(["A", "a", "10", "T"]):
        assert board.position.num_cards == dealt
        board.push_move(text)
    assert board.fen() == "A A 10 10 . . . . | 0 0 deal"
    assert dict(board.outcomes) == pytest.approx({k: (2 if k in (8, 12) else 4) / 48 for k in range(13)})
    board.push_move("A")
    board.push_move("A")
    assert [outcome for outcome, _ in board.outcomes] == list(range(12))  # no fifth ace
    with pytest.raises(IllegalActionError, match="chance is to act"):
        board.push(12)
    board.push_move("2")
    board.push_move("J")
    assert board.fen() == "A A 10 10 A A 2 J | 0 0 first"
    assert board.outcomes == []
    assert board.legal_moves == ["left", "right"]


def test_the_whole_deck_is_dealt_without_replacement():
    board = Board("CardPoints-v0", n_cards=52, auto_roll=False, seed=3)
    while board.is_chance:
        assert sum(probability for _, probability in board.outcomes) == pytest.approx(1)
        left = Counter(dict.fromkeys(range(13), 4)) - Counter(board.actions)
        assert board.outcomes == [(k, pytest.approx(left[k] / (52 - len(board.actions)))) for k in sorted(left)]
        board.roll()
    assert Counter(board.actions) == dict.fromkeys(range(13), 4)


# ---------------------------------------------------------------- play


def test_cards_are_taken_from_the_ends():
    board = board_of("2 3 4 5 6 7 8 9 | 0 0 first")
    lines = [
        ("left", ". 3 4 5 6 7 8 9 | 2 0 second"),
        ("right", ". 3 4 5 6 7 8 . | 2 9 first"),
        ("right", ". 3 4 5 6 7 . . | 10 9 second"),
        ("l", ". . 4 5 6 7 . . | 10 12 first"),
        ("R", ". . 4 5 6 . . . | 17 12 second"),
        ("left", ". . . 5 6 . . . | 17 16 first"),
        (" Left ", ". . . . 6 . . . | 22 16 second"),
        ("left", ". . . . . . . . | 22 22 first"),
    ]
    for move, fen in lines:
        assert not board.is_terminal
        board.push_move(move)
        assert board.fen() == fen
    assert board.is_terminal
    assert board.reason is Reason.RULES
    assert board.returns() == [0.0, 0.0]
    assert board.outcome().winner is None


@pytest.mark.plain(boards=True)
def test_more_points_win():
    for fen, winner in (("2 3 | 0 0 first", 0), ("5 3 | 0 0 first", 1), ("K K | 0 0 first", None)):
        board = board_of(fen, n_cards=2)
        board.push_move("right")
        board.push(0)
        assert board.outcome().winner == winner
        assert board.returns() == {0: [1, -1], 1: [-1, 1], None: [0, 0]}[winner]


@pytest.mark.plain(boards=True)
def test_the_last_card_has_one_action():
    board = board_of("5 3 | 0 0 first", n_cards=2)
    board.push_move("left")
    assert board.fen() == ". 3 | 5 0 second"
    assert board.legal_moves == ["left"]
    assert board.action_mask().tolist() == [1, 0]
    with pytest.raises(IllegalActionError, match="'right' is illegal"):
        board.push_move("right")
    board.push(0)
    assert board.fen() == ". . | 5 3 first"
    assert board.position.left == 0  # an end is an end, however it was reached


def test_the_row_agrees_with_a_slow_twin():
    """52 cards cross the borders of the packed words from both sides."""
    rng = random.Random(6)
    for seed in range(12):
        board = Board("CardPoints-v0", n_cards=52, seed=seed)
        row, points = [outcome + 2 for outcome in board.actions], [0, 0]
        for ply in range(52):
            assert [rank for rank in cp.places(board.position) if rank] == row
            action = rng.choice(board.legal_actions)
            points[ply % 2] += row.pop(0 if action == 0 else -1)
            board.push(action)
            assert (board.position.first_points, board.position.second_points) == tuple(points)
        assert board.returns()[0] == np.sign(points[0] - points[1])


@pytest.mark.plain(boards=True)
def test_estimates_are_exact_and_zero_during_the_deal():
    assert Board("CardPoints-v0", setup="greed_8").estimate() == 15 / 16
    assert Board("CardPoints-v0", setup="greed_4", n_cards=4).estimate() == 11 / 12
    assert board_of("4 9 4 K 4 7 5 . | 3 0 second").estimate() == -15 / 16  # first has taken the right one of the ends
    assert board_of("4 9 4 K 4 7 5 . | 3 0 second").estimate(0) == 15 / 16
    assert board_of(". 9 4 K 4 7 5 3 | 4 0 second").estimate(0) == 5 / 6  # and here the other one
    assert board_of("A A K . . . . . | 0 0 deal", auto_roll=False).estimate(0) == 0


@pytest.mark.plain(boards=True)
@pytest.mark.parametrize(("name", "n_cards"), [("greed_4", 4), ("greed_8", 8)])
def test_where_greed_loses(name, n_cards):
    board = Board("CardPoints-v0", setup=name, n_cards=n_cards)
    assert cp.margins(cp.places(board.position))[0] > 0
    while not board.is_terminal:
        row = [rank for rank in cp.places(board.position) if rank]
        optimal, left, _ = cp.margins(row)
        is_left = row[0] >= row[-1] if board.to_play == 0 else left == optimal
        board.push(0 if is_left or len(row) == 1 else 1)
    assert board.returns() == [-1, 1]
    assert set(board.game.setups) == {"standard", name}


# ---------------------------------------------------------------- what learners see


def test_observation():
    board = board_of(". 9 4 K 4 7 5 . | 4 3 first")
    ranks, mine, theirs, to_play, is_second, ones = np.moveaxis(board.observation(), 2, 0)
    assert ranks.tolist() == [[0, 9, 4, 13, 4, 7, 5, 0]]
    assert (mine == 4).all()
    assert (theirs == 3).all()
    assert to_play.all()
    assert not is_second.any()
    assert ones.all()
    ranks, mine, theirs, to_play, is_second, ones = np.moveaxis(board.observation(1), 2, 0)
    assert ranks.tolist() == [[0, 9, 4, 13, 4, 7, 5, 0]]
    assert (mine == 3).all()
    assert (theirs == 4).all()
    assert not to_play.any()
    assert is_second.all()
    assert ones.all()


def test_observations_hold_the_greatest_points():
    for n_cards, dtype, most in ((2, np.int8, 14), (8, np.int8, 56), (24, np.uint8, 156), (52, np.int16, 292)):
        game = get_game("CardPoints-v0", n_cards=n_cards)
        assert (game.observation_dtype, game.observation_max) == (dtype, most)
        assert game.observation_shape == (1, n_cards, 6)


def test_the_mirror_of_the_row():
    position = board_of(". . 4 K 4 7 5 . | 13 3 second").position
    mirrored = verbs.transform(position, 1)
    assert to_fen(mirrored) == ". 5 7 4 K 4 . . | 13 3 second"
    assert verbs.transform(mirrored, 1) == position
    assert [verbs.transform_action(position, action, 1) for action in (0, 1)] == [1, 0]
    last = board_of("9 . | 5 0 second", n_cards=2, compiled=False).position
    assert [verbs.transform_action(last, action, 1) for action in (0, 1)] == [0, 1]
    dealing = board_of("9 5 . . . . . . | 0 0 deal", auto_roll=False).position
    assert verbs.transform(dealing, 1) == dealing


def test_keys_tell_what_play_depends_on():
    key = board_of(". . 4 K 4 7 5 . | 13 3 second").key
    assert board_of(". 4 K 4 7 5 . . | 13 3 second").key == key  # elsewhere in the row
    assert board_of(". 4 K 4 7 5 . . | 16 6 second").key == key  # the same margin
    assert board_of(". 4 K 4 7 5 . . | 13 4 second").key != key
    assert board_of(". 5 7 4 K 4 . . | 13 3 second").key != key
    canonical = board_of(". . 4 K 4 7 5 . | 13 3 second").canonical()[2]
    assert board_of(". 5 7 4 K 4 . . | 13 3 second").canonical()[2] == canonical
    dealing = board_of("4 K . . . . . . | 0 0 deal", auto_roll=False).key
    assert board_of("4 K . . . . . . | 20 20 first").key != dealing


# ---------------------------------------------------------------- notation


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "expected the row, '|', two points and the side, as in '. . . . . . . . | 0 0 deal'"),
        ("2 3 4 5 6 7 8 9 0 0 first", "expected the row"),
        ("2 3 4 5 6 7 8 9 | 0 0", "expected the row"),
        ("2 3 4 5 6 7 8 9 | 0 0 first | 1", "expected the row"),
        ("2 3 4 5 6 7 8 | 0 0 first", "expected 8 places, got 7"),
        ("2 3 4 5 6 7 8 9 10 | 0 0 first", "expected 8 places, got 9"),
        ("2 3 4 5 6 7 8 1 | 0 0 first", "'1' in place 8"),
        ("2 k 4 5 6 7 8 9 | 0 0 first", "'k' in place 2"),
        ("٣ 3 4 5 6 7 8 9 | 0 0 first", "'٣' in place 1"),
        ("2 3 . 5 6 7 8 9 | 4 0 second", "a gap between cards"),
        ("2 2 4 2 6 2 8 2 | 0 0 first", "5 cards 2; a deck has 4"),
        ("2 3 4 5 6 7 8 9 | x 0 first", "'2 3 4 5 6 7 8 9 | x 0 first': points of first 'x'; expected a number"),
        ("2 3 4 5 6 7 8 9 | 0 -1 first", "points of second '-1'"),
        ("2 3 4 5 6 7 8 9 | 0 ٣ first", "points of second '٣'"),
        ("2 3 4 5 6 7 8 9 | 0000 0 first", "points of first '0000'"),
        ("2 3 4 5 6 7 8 9 | 2 0 first", "points of first: 2; 0 cards taken make 0 to 0"),
        ("2 3 4 5 6 7 8 . | 1 0 second", "points of first: 1; 1 cards taken make 2 to 14"),
        ("A A A A 6 7 8 . | 14 0 second", "1 cards taken make 2 to 13"),
        ("2 3 4 5 6 7 . . | 9 15 first", "points of second: 15"),
        ("2 3 4 5 6 7 . . | 9 0 first", "points of second: 0"),
        ("A A A A 2 2 2 2 . . | 3 13 first", "expected 8 places"),
        (". . . . . . . . | 8 8 first", "points of both: 16; 8 cards taken make 20 to 108"),
        ("2 3 4 5 6 7 8 9 | 0 0 second", "side 'second': expected 'first' with 8 of 8 cards left"),
        ("2 3 4 5 6 7 8 . | 9 0 first", "side 'first': expected 'second'"),
        ("2 3 4 5 6 7 8 9 | 0 0 white", "side 'white': expected 'first'"),
        ("2 3 4 5 6 7 8 9 | 0 0 deal", "side 'deal', but the row is complete; expected 'first'"),
        (". 3 4 5 6 7 8 9 | 0 0 deal", "side 'deal', but place 1 is empty"),
        ("2 3 4 5 6 7 . . | 9 2 deal", "side 'deal', but points of first 9; expected 0"),
        ("2 3 4 5 6 7 . . | 0 2 deal", "side 'deal', but points of second 2; expected 0"),
        (". 7 7 7 7 2 3 4 | 7 0 second", "points of first: 7; 1 cards taken make 2 to 14, but not 7"),
        ("A A A A 2 2 2 . | 14 0 second", "1 cards taken make 2 to 13"),
        ("7 7 7 7 2 2 . . | 9 7 first", "points of second: 7; 1 cards taken make 2 to 14, but not 7"),
        ("2 3 4 5 6 7 . . | 0 0 first", "points of first: 0"),
    ],
)
def test_malformed_positions_name_the_place(fen, message):
    with pytest.raises(NotationError) as caught:
        board_of(fen)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "0", "1", "leftt", "<", "up", "A", "10", "\uff52"])
def test_unreadable_moves(text):
    with pytest.raises(NotationError, match="expected 'left' or 'right'"):
        board_of("2 3 4 5 6 7 8 9 | 0 0 first").action_of(text)


@pytest.mark.parametrize("text", ["", "1", "11", "B", "left", "\uff12", "010", "1 0"])
def test_unreadable_ranks(text):
    with pytest.raises(NotationError, match="is no rank"):
        Board("CardPoints-v0", auto_roll=False).action_of(text)


def test_moves_both_ways():
    board = Board("CardPoints-v0", auto_roll=False)
    names = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert [board.move_text(outcome) for outcome in range(13)] == names
    assert [board.action_of(name.lower()) for name in names] == list(range(13))
    assert board.action_of(" t ") == 8


@pytest.mark.once
@pytest.mark.parametrize("n_cards", [pytest.param(2, marks=pytest.mark.plain(boards=True)), 8])
def test_any_string_is_read_or_refused(n_cards):
    """10,000 strings from nonsense to nearly right, and a tenth of that where the rules are plain Python."""
    rng, game, accepted = random.Random(n_cards), get_game("CardPoints-v0", n_cards=n_cards), 0
    strings = 10_000 if n_cards == 8 else 1_000
    words = [*cp.RANK_NAMES, ".", ".", "|", "0", "first", "second", "deal", "-1", "1e3", "٣", "T", "\x00", "", "99"]
    board = Board(game, auto_roll=False, seed=0)
    for number in range(strings):
        if board.is_terminal:
            board = Board(game, auto_roll=False, seed=number)
        if board.is_chance:
            board.roll()
        else:
            board.push(rng.choice(board.legal_actions))
        tokens = board.fen().split(" ")
        if number % 4 == 0:
            tokens = rng.choices(words, k=rng.randrange(16))
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(tokens) + 1)
            tokens[at : at + rng.randrange(2)] = rng.choices(words, k=rng.randrange(2))
        try:
            position = game.from_fen(" ".join(tokens))
        except NotationError:
            continue
        accepted += 1
        assert game.from_fen(game.to_fen(position)) == position
        assert type(position) is game.position_class
        play = Board(game, game.to_fen(position), seed=number)
        while not play.is_terminal:
            play.push(rng.choice(play.legal_actions))
        assert play.ply <= n_cards
    assert accepted > strings / 10
    for text in (None, 3, b"2 3 | 0 0 first"):
        with pytest.raises(NotationError):
            game.from_fen(text)


# ---------------------------------------------------------------- the game as data


@pytest.mark.parametrize("n_cards", [0, -2, 1, 7, 53, 54, 8.0, True, "8", None])
def test_options_refused(n_cards):
    with pytest.raises(OptionError):
        get_game("CardPoints-v0", n_cards=n_cards)


@pytest.mark.plain(boards=True)
def test_other_lengths_are_types_of_their_own():
    game = get_game("CardPoints-v0", n_cards=12)
    assert game is card_points(12)
    assert game.start.N_CARDS == game.max_plies == 12
    board = Board(game, seed=1)
    assert copy.deepcopy(board.position) == pickle.loads(pickle.dumps(board.position)) == board.position
    assert type(pickle.loads(pickle.dumps(board.position))) is game.position_class
    assert get_game("CardPoints-v0").start.N_CARDS == 8


def test_drawing():
    board = board_of(". . 10 K 4 A 5 . | 13 3 second")
    drawing = board.game.drawing
    assert drawing.text(board.position) == [" . . T K 4 A 5 ."]
    labels = [piece.label if piece else "" for piece in drawing.pieces(board.position)]
    assert labels == ["", "", "10", "K", "4", "A", "5", ""]
    assert drawing.notes(board.position) == ("first: 13", "second: 3")
    assert [drawing.action_spots(board.position, action) for action in (0, 1)] == [(2,), (6,)]
    dealing = board_of("9 5 . . . . . . | 0 0 deal", auto_roll=False).position
    assert drawing.action_spots(dealing, 12) == (2,)


@pytest.mark.parametrize("n_cards", range(2, 53, 2))
def test_every_row_fits_its_picture(n_cards):
    drawing = get_game("CardPoints-v0", n_cards=n_cards).drawing
    assert len(drawing.spots) == len({(spot.x, spot.y) for spot in drawing.spots}) == n_cards
    assert len({(spot.row, spot.column) for spot in drawing.spots}) == n_cards
    assert drawing.size[0] <= 900
    for spot in drawing.spots:
        assert 32 <= spot.x <= drawing.size[0] - 32
        assert 44 <= spot.y <= drawing.size[1] - 44
        assert drawing.template[spot.row][spot.column] == "."
