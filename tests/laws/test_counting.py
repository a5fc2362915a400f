"""Perft, whole games, and the fingerprints that hold the versions."""

import pytest

import boardgym
from boardgym import OptionError
from boardgym.testing import count_games, fingerprint, perft
from tests.support import found_in_plain_python
from tests.variants import every_game


def brute_force(board, depth):
    """The definition, on a board."""
    if depth == 0:
        return 1
    total = 0
    for action in board.legal_actions:
        board.push(action)
        total += brute_force(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize(
    ("game", "options", "fen"),
    [
        ("TicTacToe-v0", {}, None),
        ("TicTacToe-v0", {}, "xo1/1x1/1o1 x"),
        ("ConnectFour-v0", {}, None),
        ("Othello-v0", {}, None),
        ("Othello-v0", {"size": 4}, "XXXX" + "XXXO" + "XXOO" + "-O-O" + " O"),
    ],
)
def test_against_the_definition(game, options, fen):
    board = boardgym.Board(game, fen, **options)
    before = board.copy()
    for depth in range(5):
        assert perft(board, depth) == brute_force(board, depth)
    assert board == before


def test_known_counts():
    assert perft(boardgym.Board("Othello-v0"), 8) == 390216
    assert perft(boardgym.Board("ConnectFour-v0"), 8) == 5673234
    assert count_games(boardgym.Board("TicTacToe-v0")) == 255168
    finished = boardgym.Board("TicTacToe-v0", "xxx/oo1/3 o")
    assert [perft(finished, depth) for depth in (0, 1, 2)] == [1, 0, 0]


@pytest.mark.parametrize("depth", [-1, 1.5, None, "3", True])
def test_bad_depths(depth):
    with pytest.raises(OptionError, match="whole number"):
        perft(boardgym.Board("TicTacToe-v0"), depth)


@every_game
def test_fingerprints_hold_the_versions(game):
    assert fingerprint(game) == boardgym.get_game(game).versions[0].fingerprint, "a rule changed: bump the version"


@pytest.mark.once
def test_fingerprints_tell_games_apart():
    known = [*boardgym.list_games(), boardgym.get_game("Othello-v0", size=6)]
    assert len({fingerprint(game) for game in known}) == len(known)


@pytest.mark.once
def test_fingerprints_are_equal_without_the_compiler():
    script = """if True:
        import json
        import boardgym
        from boardgym.testing import fingerprint
        print(json.dumps([fingerprint(game) for game in boardgym.list_games()]))"""
    assert found_in_plain_python(script) == [boardgym.get_game(game).versions[0].fingerprint for game in boardgym.list_games()]
