"""Position types of rule options, canonical forms, repetition windows."""

import copy
import pickle

import pytest

from boardgym import Board, Reason, get_game
from boardgym.compile import plain
from boardgym.core import verbs
from boardgym.core.variants import variant
from boardgym.games.othello import Othello
from tests.core.shuttle import SHUTTLE, Shuttle


def test_variants_are_types_of_their_own():
    kind = variant(Shuttle, LIMIT=5)
    assert kind is variant(Shuttle, LIMIT=5)
    assert kind is not Shuttle
    assert issubclass(kind, Shuttle)
    assert (kind.LIMIT, Shuttle.LIMIT, kind.CLOCKS) == (5, 3, ("plies",))
    assert variant(Shuttle, LIMIT=3) is Shuttle
    assert verbs.has_rule("apply", kind)
    assert verbs.Token(kind).name != verbs.Token(Shuttle).name
    with pytest.raises(AttributeError):
        variant(Shuttle, LIMITS=5)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda position: pickle.loads(pickle.dumps(position))])
def test_positions_of_variants_are_copied_and_pickled(duplicate):
    position = variant(Shuttle, LIMIT=5)(1, 2, 0, 4)
    twin = duplicate(position)
    assert twin == position
    assert type(twin) is type(position)


def test_canonical_forms_are_shared_by_symmetric_positions():
    board = Board("Othello-v0")
    board.play(["f5", "d6", "c3"])
    position, k, key = board.canonical()
    assert key == int(plain(verbs.key)(position)) & (2**64 - 1)
    assert type(position) is Othello
    seen = set()
    for symmetry in range(8):
        image = Board("Othello-v0")
        image.set_position(Othello(*plain(verbs.transform)(board.position, symmetry)))
        seen.add(image.canonical()[0])
        assert image.canonical()[2] == key
    assert seen == {position}
    assert plain(verbs.transform)(board.position, k) == position
    assert Board("Othello-v0").canonical()[2] != key
    assert get_game("TicTacToe-v0").start == Board("TicTacToe-v0").canonical()[0]


class Window(Shuttle):
    """A repetition counts only within four plies, and ends the game the second time."""

    __slots__ = ()
    LIMIT = 2


@verbs.rule(Window)
def repetition_window(position):
    return 4


@pytest.mark.plain(boards=True)
def test_a_repetition_outside_the_window_does_not_count():
    import dataclasses

    game = dataclasses.replace(SHUTTLE, name="Window", position_class=Window, start=Window(*SHUTTLE.start))
    board = Board(game)
    board.play(["down", "down", "up", "up"])
    assert board.reason is Reason.REPETITION
    board = Board(game)
    board.play(["up", "up", "down", "up"])  # the second seat has won
    assert board.reason is Reason.RULES
    # the same position after six plies: own and other tokens went round by different ways
    board = Board(game)
    board.play(["down", "up", "up", "down"])
    assert board.reason is Reason.REPETITION
