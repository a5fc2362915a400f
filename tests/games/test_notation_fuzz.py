"""Position strings and moves made of anything: read, or refused with NotationError, and nothing else."""

import random

import numpy as np
import pytest

from boardgym import Board, NotationError, get_game

GAMES = [("TicTacToe-v0", {}), ("ConnectFour-v0", {}), ("Othello-v0", {}), ("Othello-v0", {"size": 4})]
STRINGS = 10_000
ALPHABET = "xoXO-./0123456789 abcdefghpsz\t\n\x00é٣½\U0001f600*()"


def name(case):
    return case[0] + "".join(map(str, case[1].values()))


def mangled(text, rng):
    """A string with a few characters changed, left out, doubled or put in."""
    letters = list(text)
    for _ in range(rng.randint(0, 3)):
        at = rng.randrange(len(letters) + 1)
        change = rng.randrange(4)
        if change == 0 or at == len(letters):
            letters.insert(at, rng.choice(ALPHABET))
        elif change == 1:
            letters[at] = rng.choice(ALPHABET)
        elif change == 2:
            letters.insert(at, letters[at])
        else:
            del letters[at]
    return "".join(letters)


def strings(game, rng, count):
    """Strings from nonsense to nearly right, from positions of random play."""
    board = Board(game)
    for number in range(count):
        if board.is_terminal:
            board = Board(game)
        board.push(rng.choice(board.legal_actions))
        kind = number % 4
        if kind == 0:
            yield "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(40)))
        elif kind == 1:
            cells = board.fen().split()[0]
            yield "".join(rng.sample(cells, len(cells))) + " " + rng.choice("xoXO")
        else:
            yield mangled(board.fen(), rng)


@pytest.mark.parametrize("case", GAMES, ids=name)
def test_any_string_is_read_or_refused(case):
    game, rng = get_game(case[0], **case[1]), random.Random(2)
    accepted = 0
    for text in strings(game, rng, STRINGS):
        try:
            position = game.from_fen(text)
        except NotationError:
            continue
        accepted += 1
        again = game.from_fen(game.to_fen(position))
        assert again == position
        assert type(position) is game.position_class
    assert accepted > STRINGS // 100


@pytest.mark.parametrize("case", GAMES, ids=name)
def test_any_move_is_read_or_refused(case):
    game, rng = get_game(case[0], **case[1]), random.Random(3)
    for _ in range(STRINGS):
        text = mangled(rng.choice(["a1", "f5", "4", "pass", "--", "7"]), rng)
        try:
            action = game.parse_move(game.start, text)
        except NotationError:
            continue
        assert 0 <= action < game.num_actions
        assert game.parse_move(game.start, game.move_text(game.start, action)) == action


@pytest.mark.parametrize("case", GAMES, ids=name)
def test_no_accepted_position_overruns_the_buffers(case):
    """Positions that no game leads to are accepted too: their legal actions fit, and play goes on to an end."""
    game, rng = get_game(case[0], **case[1]), random.Random(4)
    height, width = game.observation_shape[:2]
    marks = "XO-" if game.name == "Othello" else "xo."
    found = 0
    while found < 150:
        share = rng.random()
        cells = [rng.choice(marks[:2]) if rng.random() < share else marks[2] for _ in range(height * width)]
        rows = ["".join(cells[i : i + width]) for i in range(0, height * width, width)]
        if game.name == "ConnectFour":  # let the discs fall
            columns = ["".join(column).replace(".", "").rjust(height, ".") for column in zip(*rows, strict=True)]
            rows = ["".join(row) for row in zip(*columns, strict=True)]
        text = f"{('' if game.name == 'Othello' else '/').join(rows)} {rng.choice(marks[:2])}"
        try:
            board = Board(game, text)
        except NotationError:
            continue
        found += 1
        while not board.is_terminal:
            legal = board.legal_actions
            assert len(legal) <= game.max_legal_actions
            assert legal == sorted(set(legal))
            assert np.flatnonzero(board.action_mask()).tolist() == legal
            board.push(rng.choice(legal))
        assert board.ply <= 2 * height * width
