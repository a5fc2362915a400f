"""Positions from the caller are looked at before compiled rules see them: words that no position has are refused."""

import dataclasses

import numpy as np
import pytest

from boardgym import BatchBoard, Board, PositionError, get_game
from boardgym.compile import plain
from boardgym.core import frames as fr
from boardgym.core.verbs import find_rule, has_rule
from boardgym.games.connect_four import ConnectFour
from tests.core.shuttle import SHUTTLE, Shuttle
from tests.games.hostile_play import honest_rows, hostile_play, hostile_row
from tests.variants import VARIANTS, every_game, typical_games

BAD_FIELDS = [  # game, fields that no position has: each ended the process, or played on with nonsense
    ("TicTacToe-v0", {"own": 2**40}),
    ("TicTacToe-v0", {"own": 1, "other": 1}),
    ("TicTacToe-v0", {"own": -1}),
    ("TicTacToe-v0", {"own": 2**64}),
    ("TicTacToe-v0", {"own": 2.5}),
    ("TicTacToe-v0", {"own": "1"}),
    ("TicTacToe-v0", {"own": None}),
    ("ConnectFour-v0", {"own": 1 << 6}),
    ("ConnectFour-v0", {"other": 2}),
    ("CardPoints-v0", {"num_cards": 9}),
    ("CardPoints-v0", {"cards_0": 15, "num_cards": 1}),
    ("CardPoints-v0", {"left": -1}),
    ("Othello-v0", {"seat": 2}),
    ("Othello-v0", {"own": 0xFFFF_FFFF_FFFF_FFFF}),
    ("NineMensMorris-v0", {"own": 2**40}),
    ("NineMensMorris-v0", {"own": 7, "own_hand": 0}),
    ("NineMensMorris-v0", {"must_remove": 1}),
    ("NineMensMorris-v0", {"clock": 101}),
    ("NineMensMorris-v0", {"own": 1, "own_hand": 8, "clock": 0}),  # whose string could not be read back
    ("Abalone-v0", {"own": 2**62}),
    ("Abalone-v0", {"own_score": 6}),
    ("Abalone-v0", {"own_score": 1}),
    ("Abalone-v0", {"own": 2**61 - 1, "other": 0}),
    ("Abalone3-v0", {"own": 2**62}),
    ("Abalone3-v0", {"own": (2**61 - 1) // 3}),
    ("Abalone3-v0", {"seat": 3}),
    ("Abalone3-v0", {"own_score": 1}),
    ("Backgammon-v0", {"own_low": 2**62}),
    ("Backgammon-v0", {"dice": 1 << 28}),
    ("Backgammon-v0", {"other_high": 0}),
]


@pytest.mark.parametrize(("game", "fields"), BAD_FIELDS)
def test_bad_fields_are_refused_and_change_nothing(game, fields):
    board = Board(game, auto_roll=False)
    before, bad = board.fen(), board.position._replace(**fields)
    with pytest.raises(PositionError, match=f"not a position of {game}: .*{next(iter(fields))}="):
        board.set_position(bad)
    assert board.fen() == before


@typical_games
def test_rows_are_refused_by_the_number_of_their_board(game):
    batch = BatchBoard(game, 4, seed=1)
    rows, good = batch.rows.copy(), batch.rows[:2].copy()
    bad = good.copy()
    bad[1] = -1
    with pytest.raises(PositionError, match=f"board 3: not a position of {game}: "):
        batch.set_positions(bad, np.array([True, False, False, True]))
    np.testing.assert_array_equal(batch.rows, rows)
    strange = (
        rows[:, :-1],
        rows[:3],
        rows[0],
        rows.astype(np.int32),
        rows.astype(float),
        rows.astype(object),
        rows.view(np.uint64),
    )
    for array in strange:
        with pytest.raises(PositionError, match="expected 4 positions, rows of"):
            batch.set_positions(array)
    np.testing.assert_array_equal(batch.rows, rows)
    batch.set_positions(np.asfortranarray(rows))
    np.testing.assert_array_equal(batch.rows, rows)


def test_what_a_batch_hands_out_cannot_be_written():
    batch = BatchBoard("NineMensMorris-v0", 2)
    returned = [*batch.reset(), *batch.step([0, 0])]
    for array in (batch.rows, batch.observation, batch.mask, batch.rewards, batch.done, batch.to_play, batch.ply, *returned):
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 1
    images, _ = batch.augment(batch.observation, batch.mask, [0, 0])
    np.testing.assert_array_equal(images, batch.observation)


def test_a_check_can_be_left_out():
    board, batch = Board("ConnectFour-v0"), BatchBoard("ConnectFour-v0", 1)
    floating = ConnectFour(0, 2)  # its disc has none below it; no rule looks beyond an array for it
    for starter in (board.set_position, lambda position, **settings: batch.set_positions([position], **settings)):
        with pytest.raises(PositionError):
            starter(floating)
        starter(floating, check=False)
    assert board.position == batch.positions[0] == floating


@every_game
def test_compiled_and_plain_agree_about_any_words(game):
    game = get_game(game)
    assert has_rule("is_valid", game.position_class)
    rule, honest, rng = plain(find_rule("is_valid", game.position_class)), honest_rows(game, 40), np.random.default_rng(1)
    assert fr.first_invalid(game.token, honest) == -1
    for row in [*honest, *(hostile_row(honest, rng) for _ in range(300))]:
        assert bool(rule(game.token.position(row))) == (fr.first_invalid(game.token, row[np.newaxis]) == -1)


@every_game
def test_hostile_positions_are_refused_or_played(game):
    """`python -m tests.games.hostile_play 10000` tries more, of all variants."""
    report = hostile_play(game.partition("-")[0], 128)
    assert report.crashes == []
    assert report.refused + report.played == 128
    assert report.refused > 0
    assert report.played > 0


def test_games_without_the_verb_are_judged_by_their_position_strings():
    board, batch = Board(SHUTTLE), BatchBoard(SHUTTLE, 2)
    good = Shuttle(2, 0, 1, 7)
    board.set_position(good)
    batch.set_positions([good, SHUTTLE.start])
    for bad in (Shuttle(4, 0, 0, 0), Shuttle(0, -1, 0, 0), Shuttle(0, 0, 2, 0), Shuttle(0, 0, 0, 2**60)):
        with pytest.raises(PositionError, match=r"not a position of Shuttle-v0: .*; its position string: NotationError: "):
            board.set_position(bad)
        with pytest.raises(PositionError, match="board 1: not a position of Shuttle-v0"):
            batch.set_positions([good, bad])
    assert board.position == batch.positions[0] == good
    broken = dataclasses.replace(SHUTTLE, from_fen=lambda text: 1 // 0)
    with pytest.raises(PositionError, match="ZeroDivisionError"):
        Board(broken).set_position(good)
    forgetful = dataclasses.replace(SHUTTLE, from_fen=lambda text: SHUTTLE.start)
    with pytest.raises(PositionError, match="its position string '2 0 1 7' reads as Shuttle"):
        Board(forgetful).set_position(good)
    Board(forgetful).set_position(good, check=False)


def test_variants_are_all_tried():
    assert {game for game, _ in VARIANTS} == {game for game, _ in BAD_FIELDS}
