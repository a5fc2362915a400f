"""Connect Four's exact scores beside published ones and a plain search; the book; interruption."""

import functools
import json
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks import solve_connect_four
from boardgym.baselines.perfect import connect_four_book
from boardgym.baselines.perfect.connect_four import ConnectFourSolver, plies_to_end
from boardgym.baselines.perfect.connect_four_book import (
    EMPTY,
    BookError,
    build_book,
    key_in_book,
    layers,
    load_book,
    progress_file,
    save_book,
    successors,
)
from boardgym.baselines.perfect.policy import UnsolvedPositionError
from boardgym.baselines.search.interrupt import run_interruptible
from boardgym.cli import main
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy import make_policy

REFERENCE = Path(__file__).parents[1] / "data" / "reference"
GAME, SMALL = get_game("ConnectFour"), get_game("ConnectFour", width=4, height=5)
GO = np.zeros(1, np.int64)


@pytest.fixture(scope="module")
def solver():
    return ConnectFourSolver(GAME, table_bits=20, book=EMPTY)


@pytest.fixture(scope="module")
def small_solver():
    return ConnectFourSolver(SMALL, table_bits=18, book=EMPTY)


def lines_of(name):
    """The fields of each line of a reference file."""
    lines = (REFERENCE / name).read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def board_after(moves):
    board = Board(GAME)
    board.play(list(moves.strip("-")))
    return board


def row_after(moves):
    """As `board_after(moves).row`, in a fraction of the time."""
    own = occupied = 0
    for text in moves:
        base = (int(text) - 1) * 7
        own, occupied = own ^ occupied, occupied | (occupied + (1 << base)) & (63 << base)
    return np.array([own, own ^ occupied], np.int64)


@functools.cache
def plain_score(own, other, width, height):
    """The score by a full search of the tree: no bounds, no order, lines looked for cell by cell."""
    cells = {(c, r) for c in range(width) for r in range(height) if own >> (c * (height + 1) + r) & 1}
    left = width * height - (own | other).bit_count()
    found = [0] if left == 0 else []
    for column in range(width):
        row = (own | other) >> (column * (height + 1)) & ((1 << height) - 1)
        row = row.bit_count()
        if row == height:
            continue
        new = cells | {(column, row)}
        lines = [[(column + (k + j) * x, row + (k + j) * y) for k in range(4)] for j in (0, -1, -2, -3) for x, y in
                 ((1, 0), (0, 1), (1, 1), (1, -1))]  # fmt: skip
        if any(new.issuperset(line) for line in lines):
            found.append((left + 1) // 2)
        else:
            found.append(-plain_score(other, own | 1 << (column * (height + 1) + row), width, height))
    return max(found)


@pytest.mark.parametrize("name", ["L1", "L2", "L3"])
def test_published_positions(solver, name):
    """P. Pons' sets of positions in the opening, the middle and the end of the game: all 2,156 of them."""
    wrong = [
        (moves, score)
        for moves, score in lines_of(f"connect4_pons_{name}_R1.txt")
        if solver.score(row_after(moves), GO) != int(score)
    ]
    assert wrong == []


def test_every_column_of_published_positions(solver):
    """The score of each column, at positions of 13 and more discs; those before: `python -m benchmarks.solve_connect_four`."""
    known = [fields for fields in lines_of("connect4_random.txt") if len(fields[0]) >= 13][::2]
    assert len(known) == 31
    for moves, score, columns in known:
        scores = solver.solve(board_after(moves), GO).scores
        assert max(scores.values()) == int(score), moves
        assert [str(scores.get(column, "x")) for column in range(7)] == columns.split(","), moves


def test_beside_a_full_search(small_solver):
    """Positions of eleven and more discs that random games reach, on a board of odd height."""
    choices, board, seen = np.random.default_rng(5), Board(SMALL), 0
    for _ in range(12):
        board.set_position(SMALL.start)
        while not board.is_terminal:
            board.push(int(choices.choice(board.legal_actions)))
            if board.ply < 11 or board.is_terminal:
                continue
            expected, row = plain_score(*board.position, 4, 5), np.array(board.row)
            assert small_solver.score(row, GO) == expected, board.fen()
            assert small_solver.score(row, GO, expected - 1, expected) >= expected  # a narrow window says on which side it is
            assert small_solver.score(row, GO, expected, expected + 1) <= expected
            seen += 1
    assert seen > 50


def test_the_table_leaves_the_score(solver):
    """A table that is too small for the search, one that knows earlier searches, an empty one: the same score."""
    tiny, first, later = ConnectFourSolver(GAME, table_bits=18, book=EMPTY), 0, 0
    for moves, score, _ in [fields for fields in lines_of("connect4_random.txt") if len(fields[0]) in (11, 12)][::10]:
        before = tiny.nodes
        assert tiny.score(row_after(moves), GO) == int(score)
        first, before = first + tiny.nodes - before, tiny.nodes
        mirrored = "".join(str(8 - int(text)) for text in moves)  # the same entry
        assert tiny.score(row_after(mirrored), GO) == int(score)
        later += tiny.nodes - before
        tiny.forget()
        assert tiny.score(row_after(moves), GO) == int(score)
    assert 10 * later < first


def test_line_and_distances(solver):
    """Best play takes as many plies as the distance says, and ends as the value says."""
    for moves, _score, _ in lines_of("connect4_random.txt")[-12:]:
        board = board_after(moves)
        found, seat = solver.solve(board, GO), board.to_play
        assert found.is_exact
        assert found.nodes > 0
        assert found.best == solver.solve(board, GO, every_action=False).best
        assert found.line[0] == found.best
        assert len(found.line) == found.distances[found.best]
        for action in found.line:
            board.push(action)
        assert board.is_terminal
        assert board.returns()[seat] == found.value


def test_the_plies_of_a_score():
    assert plies_to_end(18, 36) == 1  # three discs each, the fourth wins
    assert plies_to_end(17, 36) == 3
    assert plies_to_end(-17, 36) == 4
    assert plies_to_end(0, 30) == 30
    assert plies_to_end(1, 1) == 1
    assert plies_to_end(-1, 2) == 2


def test_a_win_at_once_and_the_last_cell(solver):
    won = solver.solve(board_after("112233"), GO, every_action=False)
    assert (won.scores, won.distances) == ({3: 18}, {3: 1})
    last = board_after("71255763773133525731261364622167124446454")  # one cell is empty
    found = solver.solve(last, GO)
    assert (found.scores, found.distances, found.line) == ({4: 0}, {4: 1}, (4,))


def test_it_stops_when_told():
    """At the start, far from an answer: within a tenth of a second of the clock."""
    solver, overruns = ConnectFourSolver(GAME, table_bits=20, book=EMPTY), []
    solver.score(Board(GAME).row, GO + 1)  # compiles
    for _ in range(3):
        stop, started = np.zeros(1, np.int64), time.monotonic()
        found = run_interruptible(lambda stop=stop: solver.solve(Board(GAME), stop), stop, seconds=0.1)
        overruns.append(time.monotonic() - started - 0.1)
        assert not found.is_exact
    assert sorted(overruns)[1] < 0.1


def test_as_a_policy():
    policy = make_policy("perfect:table_bits=18", GAME)
    board = board_after("3641642216447")
    analysis = policy.analyse(board)
    assert analysis.is_proven
    assert analysis.value == np.sign(max(analysis.scores.values()))
    assert policy.act(board) == analysis.action
    with pytest.raises(UnsolvedPositionError, match=r"not solved within 0\.05 s"):
        make_policy("perfect:time=0.05s,table_bits=18", GAME).act(Board(GAME))
    for bad in ("17", "31", "many"):
        with pytest.raises(SpecError, match="table_bits"):
            make_policy(f"perfect:table_bits={bad}", GAME)
    assert "ConnectFour" in policy.solver.covers(Board(SMALL))


def test_the_benchmark_counts_what_is_wrong(tmp_path, monkeypatch, capsys):
    asked = ["pons", "--most", "3", "--table-bits", "18", "--json", str(tmp_path / "rows.json")]
    assert solve_connect_four.main(asked) == 0
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [(row["name"], row["positions"], row["wrong"]) for row in rows] == [("L3", 3, 0), ("L2", 3, 0), ("L1", 3, 0)]
    assert "published" in capsys.readouterr().out
    lines = solve_connect_four.lines_of
    monkeypatch.setattr(solve_connect_four, "lines_of", lambda name: [[line[0], "9"] for line in lines(name)])
    assert solve_connect_four.main(asked) == 1


# ---------------------------------------------------------------- the book


def test_layers_against_the_board():
    """Positions of up to five discs, and their successors, found by pushing on boards; 7 x 6 has 16,422 of six discs."""
    layer, seen = {(0, 0)}, []
    for _ in range(6):
        seen.append({key_in_book(own, other, 4, 5) for own, other in layer})
        after = set()
        for own, other in layer:
            board = Board(SMALL)
            board.set_position(SMALL.position_class(own, other))
            reached = []
            for action in board.legal_actions:
                board.push(action)
                reached.append((*board.position, board.is_terminal))
                board.pop()
            assert list(successors(own, other, 4, 5)) == reached
            after |= {(mine, theirs) for mine, theirs, is_over in reached if not is_over}
        layer = after
    assert [set(layer) for layer in layers(4, 5, 5)] == seen
    both = {word for own, other in layers(7, 6, 6)[6].values() for word in ((own, other), mirror_image(own, other))}
    assert len(both) == 16_422


def mirror_image(own, other):
    return tuple(sum((word >> (7 * column) & 127) << (7 * (6 - column)) for column in range(7)) for word in (own, other))


def test_a_book_goes_on_where_it_was(tmp_path, small_solver):
    path, told = tmp_path / "books" / "small.npz", []
    scorers = [small_solver.score, ConnectFourSolver(SMALL, table_bits=18, book=EMPTY).score]
    part = build_book(path, 4, 5, 4, scorers, most_positions=20, report=lambda done, total: told.append((done, total)))
    layer = layers(4, 5, 4)[-1]
    assert not part.is_whole
    assert not path.exists()
    assert set(load_book(progress_file(path, 4), 4, 5).keys.tolist()) <= set(layer)
    assert told[-1] == (20, len(layer))

    def press(done, total):
        raise KeyboardInterrupt

    slow = [lambda row, stop: (time.sleep(0.02), small_solver.score(row, stop))[1]]
    with pytest.raises(KeyboardInterrupt):
        build_book(path, 4, 5, 4, slow, report=press)
    kept = load_book(progress_file(path, 4), 4, 5)
    assert 20 < len(kept.keys) < len(layer)
    asked = []
    counting = [lambda row, stop: (asked.append(tuple(row)), small_solver.score(row, stop))[1]]
    book = build_book(path, 4, 5, 4, counting)
    assert len(asked) == len(layer) - len(kept.keys)
    assert book.is_whole
    assert [file.name for file in path.parent.iterdir()] == ["small.npz"]
    asked.clear()
    again = build_book(path, 4, 5, 3, counting)  # it is there, and more
    assert asked == []
    np.testing.assert_array_equal(book.keys, again.keys)
    for layer in layers(4, 5, 4):
        for key, (own, other) in layer.items():
            i = np.searchsorted(again.keys, key)
            assert again.keys[i] == key
            assert again.scores[i] == small_solver.score(np.array([own, other], np.int64), GO)
    with_book = ConnectFourSolver(SMALL, table_bits=18, book=again)
    assert with_book.score(np.zeros(2, np.int64), GO) == 0  # a draw: connect4_small_boards.txt
    assert with_book.nodes < 20


def test_a_failure_in_a_thread_is_raised(tmp_path):
    def fails(row, stop):
        raise ZeroDivisionError("of the scorer")

    with pytest.raises(ZeroDivisionError, match="of the scorer"):
        build_book(tmp_path / "b.npz", 4, 5, 3, [fails, fails])


def test_bad_books_are_refused(tmp_path, small_solver):
    path = tmp_path / "book.npz"
    save_book(path, build_book(path, 4, 5, 2, [small_solver.score]), 4, 5)
    with pytest.raises(BookError, match="a book for 4 x 5; expected 7 x 6"):
        load_book(path, 7, 6)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(BookError, match="damaged"):
        load_book(path, 4, 5)
    np.savez(path, header=np.zeros(6, np.int64), keys=np.zeros(1, np.int64), scores=np.zeros(1, np.int8), digest=np.zeros(32))
    with pytest.raises(BookError, match="damaged"):
        load_book(path, 4, 5)


def test_the_book_of_the_user_is_found(tmp_path, monkeypatch, small_solver):
    monkeypatch.setattr(connect_four_book, "user_cache_dir", lambda **_: str(tmp_path))
    monkeypatch.setattr(connect_four_book, "SHIPPED", tmp_path)
    assert ConnectFourSolver(SMALL, table_bits=18).book is EMPTY
    build_book(connect_four_book.user_book(4, 5), 4, 5, 2, [small_solver.score])
    assert ConnectFourSolver(SMALL, table_bits=18).book.most_discs == 2


def test_the_command(tmp_path, capsys):
    options = ["book", "ConnectFour", "--option", "width=4", "--option", "height=5", "--discs", "3", "--table-bits", "18"]
    out = ["--out", str(tmp_path / "b.npz"), "--json"]
    assert main([*options, "--positions", "5", *out]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["positions"], first["is_whole"]) == (5, False)
    assert main([*options, "--threads", "2", *out]) == 0
    second = json.loads(capsys.readouterr().out)
    assert (second["positions"], second["is_whole"]) == (sum(map(len, layers(4, 5, 3))), True)
    for wrong in ("Othello", "--discs=0", "--discs=13", "--threads=0", "--positions=0", "--table-bits=9"):
        assert main(["book", wrong]) == 2
        assert "expected" in (said := capsys.readouterr().err) or "ConnectFour" in said
