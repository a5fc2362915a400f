"""Connect Four's opening book: its positions, how it is made and kept, where it is found, what is refused."""

import json
import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from benchmarks import solve_connect_four
from boardgym.baselines import memory
from boardgym.baselines.perfect import connect_four_book, store
from boardgym.baselines.perfect.connect_four import ConnectFourSolver
from boardgym.baselines.perfect.connect_four_book import (
    EMPTY,
    as_book,
    book_path,
    build_book,
    complete,
    find_path,
    header_of,
    key_in_book,
    layers,
    load_book,
    progress_file,
    save_book,
    successors,
)
from boardgym.baselines.perfect.store import SHIPPED, SUFFIX, TABLES, TableError
from boardgym.cli import main
from boardgym.core.board import Board
from boardgym.core.game import get_game
from tests.support import alarm_as_key

REFERENCE = Path(__file__).parents[1] / "data" / "reference"
GAME, SMALL = get_game("ConnectFour"), get_game("ConnectFour", width=4, height=5)
GO = np.zeros(1, np.int64)


@pytest.fixture(scope="module")
def small_solver():
    return ConnectFourSolver(SMALL, table_bits=18, book=EMPTY)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """(folder of books that come with the package, the user's), both empty."""
    shipped, own = tmp_path / "shipped", tmp_path / "own"
    monkeypatch.setattr(connect_four_book, "SHIPPED", shipped)
    monkeypatch.setenv(store.FOLDER_VARIABLE, str(own))
    return shipped, own


def known_scores():
    """key -> score of positions on 7 x 6 that the reference knows: of each line, and of what each of its columns leads to."""
    scores = {}
    for line in (REFERENCE / "connect4_random.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        moves, score, columns = line.split()
        board = Board(GAME)
        board.play(list(moves.strip("-")))
        scores[key_in_book(*board.position, 7, 6)] = int(score)
        for column, text in enumerate(columns.split(",")):
            if text != "x":
                board.push(column)
                if not board.is_terminal:
                    scores[key_in_book(*board.position, 7, 6)] = -int(text)
                board.pop()
    return scores


def book_of_two_discs():
    """The whole book of 7 x 6 to two discs: the reference knows the columns of all positions of one."""
    known, positions = known_scores(), layers(7, 6, 2)
    return complete({key: known[key] for key in positions[2]}, positions, 7, 6)


# ---------------------------------------------------------------- positions


def test_layers_against_the_board():
    """Positions of up to five discs, and their successors, found by pushing on boards; 7 x 6 has 16,422 of six discs."""
    layer, seen, told = {(0, 0)}, [], []
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
    assert [set(layer) for layer in layers(4, 5, 5, lambda *what: told.append(what))] == seen
    assert told == [("finding positions", k, 5) for k in range(5)]
    both = {word for own, other in layers(7, 6, 6)[6].values() for word in ((own, other), mirror_image(own, other))}
    assert len(both) == 16_422


def mirror_image(own, other):
    return tuple(sum((word >> (7 * column) & 127) << (7 * (6 - column)) for column in range(7)) for word in (own, other))


# ---------------------------------------------------------------- asking one


def test_what_the_book_has_takes_no_search():
    """All scores, and so distances, of positions whose successors it holds; the line, which it does not hold, takes one."""
    solver, board, stop = ConnectFourSolver(GAME, table_bits=18, book=book_of_two_discs()), Board(GAME), np.zeros(1, np.int64)
    for moves, columns in (("", "-2,-1,0,1,0,-1,-2"), ("1", "-1,2,1,2,-1,1,-2"), ("4", "-4,-2,-2,-1,-2,-2,-4")):
        board.set_position(GAME.start)
        board.play(list(moves))
        found = solver.solve(board, stop, detail="values")
        assert (found.nodes, found.line) == (0, ())
        assert ",".join(str(found.scores[column]) for column in range(7)) == columns
        assert {action: np.sign(score) for action, score in found.scores.items()} == found.action_values
        assert set(found.distances) == set(range(7))


def test_the_book_bounds_what_comes_after(tmp_path):
    """A position of one disc more: no less than its best predecessor lets it be, without a search; its score as without."""
    book = build_book(tmp_path / "b", 4, 5, 4, [ConnectFourSolver(SMALL, table_bits=18, book=EMPTY).score])
    solver, alone = (ConnectFourSolver(SMALL, table_bits=18, book=which) for which in (book, EMPTY))
    known, *_, before, after = dict(zip(book.keys.tolist(), book.scores.tolist(), strict=True)), *layers(4, 5, 5)
    least = dict.fromkeys(after, -10)
    for key, position in before.items():
        for own, other, is_won in successors(*position, 4, 5):
            if not is_won:
                reached = key_in_book(own, other, 4, 5)
                least[reached] = max(least[reached], -known[key])
    exact = 0
    for key, position in after.items():
        row = np.array(position, np.int64)
        assert solver.score(row, GO, least[key] - 1, least[key]) >= least[key]
        exact += alone.score(row, GO) == least[key]
    assert solver.nodes == 0
    assert 0 < exact < len(after)
    assert [solver.score(np.array(p, np.int64), GO) for p in after.values()] == [
        alone.score(np.array(p, np.int64), GO) for p in after.values()
    ]
    assert solver.nodes < alone.nodes


# ---------------------------------------------------------------- making one


def test_a_book_goes_on_where_it_was(tmp_path, small_solver):
    path, told = tmp_path / "books" / "small.book", []
    scorers = [small_solver.score, ConnectFourSolver(SMALL, table_bits=18, book=EMPTY).score]
    part = build_book(path, 4, 5, 4, scorers, most_positions=20, report=lambda *what: told.append(what))
    layer = layers(4, 5, 4)[-1]
    assert not part.is_whole
    assert not path.exists()
    assert set(load_book(progress_file(path, 4), 4, 5).keys.tolist()) <= set(layer)
    assert told[-1] == ("solving", 20, len(layer))

    def press(what, done, total):
        if what == "solving" and done > 20:
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
    assert [file.name for file in path.parent.iterdir()] == ["small.book"]
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


def threads_at_work():
    return [thread for thread in threading.enumerate() if thread.name == "boardgym-book"]


def test_a_key_pressed_twice_loses_nothing(tmp_path):
    """The second time while the thread, which takes a while to end, is being waited for."""
    asked = []

    def slow(row, stop):
        asked.append(row)
        if len(asked) == 3:
            os.kill(os.getpid(), key)
            while not stop[0]:
                time.sleep(0.001)
            os.kill(os.getpid(), key)
            time.sleep(0.1)
        return 0

    path = tmp_path / "b.book"
    with alarm_as_key() as key, pytest.raises(KeyboardInterrupt):
        build_book(path, 4, 5, 4, [slow])
    assert threads_at_work() == []
    assert len(load_book(progress_file(path, 4), 4, 5).keys) == len(asked) == 3
    assert len(list(tmp_path.iterdir())) == 1


def test_a_key_pressed_at_the_start_leaves_no_thread(tmp_path, monkeypatch):
    started = []

    class Thread(threading.Thread):
        def start(self):
            started.append(self)
            if len(started) == 2:
                raise KeyboardInterrupt
            super().start()

    def slow(row, stop):
        time.sleep(0.02)
        return 0

    monkeypatch.setattr(connect_four_book.threading, "Thread", Thread)
    with pytest.raises(KeyboardInterrupt):
        build_book(tmp_path / "b.book", 4, 5, 4, [slow, slow])
    assert threads_at_work() == []


def test_a_failure_in_a_thread_is_raised(tmp_path):
    def fails(row, stop):
        if row[0] == 0:  # one position of two discs on the right half
            raise ZeroDivisionError("of the scorer")
        return 0

    path = tmp_path / "b.book"
    with pytest.raises(ZeroDivisionError, match="of the scorer"):
        build_book(path, 4, 5, 1, [fails, fails])
    assert not path.exists()


# ---------------------------------------------------------------- files


def test_bad_books_are_refused(tmp_path):
    path, book = tmp_path / "book", book_of_two_discs()
    save_book(path, book, 7, 6)
    with pytest.raises(TableError, match="width is 7, expected 4"):
        load_book(path, 4, 5)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(TableError, match="digest"):
        load_book(path, 7, 6)
    path.write_bytes(b"no book at all")
    with pytest.raises(TableError, match="not a table"):
        load_book(path, 7, 6)
    header, keys = {**header_of(7, 6), "discs": 2, "is_whole": True}, book.keys
    for bad_keys, bad_scores, message in (
        (keys[::-1], book.scores, "no book: expected ascending keys"),
        (keys, book.scores[1:], r"scores is int8 \(29,\), expected int8 \(30,\)"),
        (keys, book.scores + 40, "fitting scores"),
        (keys.astype(np.int32), book.scores, "keys is int32"),
    ):
        store.TABLES.write(path, {"keys": bad_keys, "scores": bad_scores}, header)
        with pytest.raises(TableError, match=message):
            load_book(path, 7, 6)


def test_a_book_is_no_deeper_than_its_positions(folders, small_solver):
    """A header that says more discs than there are positions of, or none that can be: no book, here as in `find_path`."""
    path, start = book_path(4, 5), {"keys": np.zeros(1, np.int64), "scores": np.zeros(1, np.int8)}
    for discs, is_whole, message in (
        (12, True, r"up to 12 discs, found positions of 0 discs"),
        (2, False, r"positions of 2 discs, found positions of 0 discs"),
        (20, True, "discs is 20, expected 0 to 19"),
        ("2", True, "discs is '2'"),
        (None, True, "discs is None"),
    ):
        store.TABLES.write(path, start, {**header_of(4, 5), "discs": discs, "is_whole": is_whole})
        with pytest.raises(TableError, match=message):
            build_book(path, 4, 5, 1, [small_solver.score])
        if message.startswith("discs is"):
            with pytest.raises(TableError, match=message):
                find_path(4, 5)
    save_book(path, as_book({0: 0}, 0, is_whole=True), 4, 5)
    assert find_path(4, 5) == path
    content = path.read_bytes().replace(rb"\"discs\": 0", rb"\"discs\": 9")
    assert content != path.read_bytes()
    path.write_bytes(content)
    with pytest.raises(TableError, match="the header has digest"):
        find_path(4, 5)


def test_discs_in_keys():
    for discs, layer in enumerate(layers(4, 5, 5)):
        keys = np.array(list(layer), np.int64)
        assert connect_four_book.discs_in(keys, 4, 5).tolist() == [discs] * len(layer)


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path, capsys):
    asked = []
    scorers = [lambda row, stop: asked.append(row)]
    (tmp_path / "file").touch()
    for path, error in ((tmp_path, IsADirectoryError), (tmp_path / "file" / "b", OSError)):
        with pytest.raises(error):
            build_book(path, 4, 5, 3, scorers)
    assert asked == []
    assert main(["book", "--discs", "1", "--table-bits", "18", "--out", str(tmp_path)]) == 2
    assert f"{tmp_path}: a folder is there, expected the name of a file" in capsys.readouterr().err


def test_the_deepest_book_is_found(folders, small_solver):
    shipped, own = folders
    assert find_path(4, 5) is None
    assert ConnectFourSolver(SMALL, table_bits=18).book is EMPTY
    for depth, folder in ((2, shipped), (1, own), (3, own)):
        build_book(book_path(4, 5, folder), 4, 5, depth, [small_solver.score])
        solver = ConnectFourSolver(SMALL, table_bits=18)
        assert solver.book.discs == (3 if depth == 3 else 2)
        assert solver.score(np.zeros(2, np.int64), GO) == 0
        assert solver.nodes < 20
    assert ConnectFourSolver(GAME, table_bits=18).book is EMPTY
    save_book(book_path(4, 5), as_book({0: 0}, 3, is_whole=False), 4, 5)
    with pytest.raises(TableError, match="is_whole is False, expected True"):
        find_path(4, 5)


def faults_of(book, width, height, known):
    """What is wrong with a book: positions that are missing or none, scores that are not known or do not follow from others."""
    positions, scores = layers(width, height, book.discs), dict(zip(book.keys.tolist(), book.scores.tolist(), strict=True))
    faults = [] if book.is_whole else ["not whole"]
    faults += sorted(set(scores) ^ {key for layer in positions for key in layer})
    again = complete({key: scores[key] for key in positions[-1]}, positions, width, height)
    faults += [key for key, score in zip(again.keys.tolist(), again.scores.tolist(), strict=True) if scores.get(key) != score]
    return faults + [key for key, score in known.items() if scores.get(key, score) != score]


def test_books_are_without_fault():
    """Those that come with the package, and one that is made here; a fault would be noticed."""
    known, made = known_scores(), book_of_two_discs()
    assert (len(made.keys), made.scores[0]) == (1 + 4 + 25, 1)
    assert faults_of(made, 7, 6, known) == []
    for path in SHIPPED.glob(f"*{SUFFIX}"):
        header = TABLES.read_header(path, {})
        width, height = header["width"], header["height"]
        book = load_book(book_path(width, height, SHIPPED), width, height)
        assert faults_of(book, width, height, known if (width, height) == (7, 6) else {}) == []
        assert path.stat().st_size < 5_000_000
    for i in (0, 3, 20):
        scores = made.scores.copy()
        scores[i] -= 1
        assert faults_of(connect_four_book.Book(made.keys, scores, 2, is_whole=True), 7, 6, known)


# ---------------------------------------------------------------- commands


def test_the_command(tmp_path, capsys, monkeypatch):
    options = ["book", "ConnectFour", "--option", "width=4", "--option", "height=5", "--discs", "3", "--table-bits", "18"]
    out = ["--out", str(tmp_path / "b.safetensors"), "--json"]
    assert main([*options, "--positions", "5", *out]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["positions"], first["is_whole"]) == (5, False)
    assert main([*options, "--threads", "2", *out]) == 0
    second = json.loads(capsys.readouterr().out)
    assert (second["positions"], second["is_whole"]) == (sum(map(len, layers(4, 5, 3))), True)
    for wrong in ("Othello", "--discs=0", "--discs=13", "--threads=0", "--positions=0", "--table-bits=9"):
        assert main(["book", wrong]) == 2
        assert "expected" in (said := capsys.readouterr().err) or "ConnectFour" in said
    monkeypatch.setattr(memory, "machine_memory", lambda: 1 << 30)
    assert main(["book", "--threads", "5", "--table-bits", "25"]) == 2
    said = capsys.readouterr().err
    assert "5 tables of 2^25 words need 1.25 GiB of memory, the machine has 1 GiB; lower --threads or --table-bits" in said


def test_the_benchmark_with_a_book(folders, capsys):
    asked = ["random", "columns", "move", "--least-discs", "0", "--most-discs", "1", "--book", "--table-bits", "18"]
    with pytest.raises(SystemExit, match=r"nor is there .*own/connect-four-7x6"):
        solve_connect_four.main(asked)
    save_book(book_path(7, 6), book_of_two_discs(), 7, 6)
    assert solve_connect_four.main(asked) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("book: ")
    assert shown[0].endswith("30 positions of up to 2 discs")
    assert [line.split()[:2] for line in shown[2:]] == [
        ["1", "discs"], ["0", "discs"], ["columns", "8"], ["move", "0"], ["move", "1"],
    ]  # fmt: skip
