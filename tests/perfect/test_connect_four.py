"""Connect Four's exact scores beside published ones and a plain search; interruption. The book: `test_connect_four_book.py`."""

import functools
import json
import threading
from pathlib import Path

import numpy as np
import pytest

from benchmarks import solve_connect_four, solve_othello
from benchmarks.solve_command import write_rows
from boardgym.baselines.perfect import connect_four, connect_four_book, store
from boardgym.baselines.perfect.connect_four import ConnectFourSolver, new_table, plies_to_end
from boardgym.baselines.perfect.connect_four_book import EMPTY
from boardgym.baselines.perfect.policy import UnsolvedPositionError
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from tests.support import overrun

REFERENCE = Path(__file__).parents[1] / "data" / "reference"
GAME, SMALL = get_game("ConnectFour"), get_game("ConnectFour", width=4, height=5)
GO = np.zeros(1, np.int64)


@pytest.fixture(autouse=True)
def no_book(tmp_path, monkeypatch):
    """Neither the one of the package nor the user's."""
    monkeypatch.setattr(connect_four_book, "SHIPPED", tmp_path)
    monkeypatch.setenv(store.FOLDER_VARIABLE, str(tmp_path))


@pytest.fixture(autouse=True)
def no_shared_tables():
    """Of the tests before."""
    connect_four._last.clear()


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
    choices, board, seen = np.random.default_rng(5), Board(SMALL, compiled=False), 0
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


def test_policies_of_a_board_size_share_a_table():
    first, second = (make_policy("perfect:table_bits=18", GAME) for _ in range(2))
    assert first.solver.table is second.solver.table
    for spec, game in (("perfect:table_bits=18", SMALL), ("perfect:table_bits=19", GAME)):
        assert make_policy(spec, game).solver.table is not first.solver.table
    board, visited = board_after("3641642216447"), []
    for policy in (first, second, make_policy("perfect:table_bits=18", GAME)):
        found = policy.solution(board, detail="action")
        assert found.nodes == policy.solver.nodes  # its own alone
        visited.append(found.nodes)
    assert 10 * visited[1] < visited[0]
    assert visited[2] == visited[1]
    del first, second, policy
    later = make_policy("perfect:table_bits=18", GAME)  # the last table is kept, though no policy is left
    assert later.solution(board, detail="action").nodes == visited[1]


def test_what_others_found_leaves_the_moves():
    """One game with draws among equals, and what is known of each position: in an empty table, and in one that is full."""

    def game_and_analyses():
        policy, board, seen = make_policy("perfect:ties=random,table_bits=18", GAME, seed=3), board_after("3641642216447"), []
        while not board.is_terminal:
            analysis = policy.analyse(board)
            seen.append((policy.act(board), analysis.action_values, analysis.scores, analysis.distances))
            board.push(seen[-1][0])
        return seen

    alone = game_and_analyses()
    assert game_and_analyses() == alone
    connect_four._last.clear()
    other = make_policy("perfect:table_bits=18", GAME)
    for moves, _, _ in [fields for fields in lines_of("connect4_random.txt") if len(fields[0]) in (12, 13)][::6]:
        other.act(board_after(moves))
    assert np.count_nonzero(other.solver.table) > 100_000
    assert game_and_analyses() == alone


def test_threads_may_share_a_table():
    """Each with a solver of its own, all writing into a table that is too small."""
    table, known, wrong = new_table(18), [fields for fields in lines_of("connect4_random.txt") if len(fields[0]) == 12][::5], []

    def ask(first):
        mine = ConnectFourSolver(GAME, table=table, book=EMPTY)
        for moves, score, _ in [*known[first:], *known[:first]]:
            if mine.score(row_after(moves), GO) != int(score):
                wrong.append(moves)

    threads = [threading.Thread(target=ask, args=(first,)) for first in (0, 0, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_threads_may_share_the_moves():
    """Whichever of them solves a move: the same scores, distances and line."""
    alone = ConnectFourSolver(GAME, table_bits=18, book=EMPTY)
    solvers = [ConnectFourSolver(GAME, table_bits=18, book=EMPTY, num_threads=number) for number in (2, 3, 9)]
    assert [len(solver._helpers) for solver in solvers] == [1, 2, 6]  # no more than there are columns
    for moves, _, columns in [fields for fields in lines_of("connect4_random.txt") if len(fields[0]) in (12, 14)][::8]:
        board = board_after(moves)
        expected = alone.solve(board, GO)
        assert [str(expected.scores.get(column, "x")) for column in range(7)] == columns.split(",")
        for solver in solvers:
            solver.forget()
            found = solver.solve(board, GO)
            assert (found.scores, found.line, found.distances) == (expected.scores, expected.line, expected.distances)
            assert list(found.action_values) == board.legal_actions
            assert found.nodes > 0
            assert all(helper.table is solver.table for helper in solver._helpers)
            assert solver.every_score(board, GO) == expected.scores
    assert sum(helper.nodes for helper in solvers[0]._helpers) > 0


def test_threads_stop_when_told():
    """All of them, at the start of the game; and the policy goes on."""
    policy = make_policy("perfect:time=0.1s,table_bits=20,threads=3,detail=full", GAME, seed=1)
    policy.warm(Board(GAME))
    overruns = sorted(overrun(policy, Board(GAME), UnsolvedPositionError) for _ in range(3))
    assert overruns[1] < 0.1
    assert sum(thread.name.startswith("boardgym-move") for thread in threading.enumerate()) == 0
    assert policy.act(board_after("112233")) == 3


def test_the_last_that_can_be_best_takes_no_search():
    """Where all others are known to be worse: here the other side wins at once after each but one."""
    solver = ConnectFourSolver(GAME, table_bits=18, book=EMPTY)
    board = board_after("112233")
    board.push(0)  # the other seat, who must now take the fourth
    best = solver.score(board.row, GO)
    solver.forget()
    before = solver.nodes
    assert solver._choose(board, best, GO)[0] == 3
    assert solver.nodes == before


def test_line_and_distances(solver):
    """Best play takes as many plies as the distance says, and ends as the value says."""
    for moves, _score, _ in lines_of("connect4_random.txt")[-12:]:
        board = board_after(moves)
        found, seat = solver.solve(board, GO), board.to_play
        assert found.is_exact
        assert found.nodes > 0 or found.distances[found.best] <= 2  # which no search has to say
        assert found.best == solver.solve(board, GO, detail="action").best
        assert found.line[0] == found.best
        assert len(found.line) == found.distances[found.best]
        for action in found.line:
            board.push(action)
        assert board.is_terminal
        assert board.returns()[seat] == found.value


def test_values_take_less_than_all_there_is(solver):
    """The same values and the same choice; no line, and of the scores only the one of the choice."""
    visited = {"values": 0, "full": 0}
    for moves, _, _ in [fields for fields in lines_of("connect4_random.txt") if len(fields[0]) in (13, 14)][::4]:
        found, board = {}, board_after(moves)
        for detail in visited:
            solver.forget()
            found[detail] = solver.solve(board, GO, detail=detail)
            visited[detail] += found[detail].nodes
        values, full = found["values"], found["full"]
        assert (values.action_values, values.best, values.line) == (full.action_values, full.best, ())
        assert values.scores == {full.best: full.scores[full.best]}
        assert values.distances == {full.best: full.distances[full.best]}
    assert 1.5 * visited["values"] < visited["full"]


def test_the_plies_of_a_score():
    assert plies_to_end(18, 36) == 1  # three discs each, the fourth wins
    assert plies_to_end(17, 36) == 3
    assert plies_to_end(-17, 36) == 4
    assert plies_to_end(0, 30) == 30
    assert plies_to_end(1, 1) == 1
    assert plies_to_end(-1, 2) == 2


def test_a_win_at_once_and_the_last_cell(solver):
    won = solver.solve(board_after("112233"), GO, detail="action")
    assert (won.scores, won.distances) == ({3: 18}, {3: 1})
    last = board_after("71255763773133525731261364622167124446454")  # one cell is empty
    found = solver.solve(last, GO)
    assert (found.scores, found.distances, found.line) == ({4: 0}, {4: 1}, (4,))


@pytest.mark.parametrize("how", ["clock", "key"])
def test_it_stops_when_told(how):
    """At the start, far from an answer: within a tenth of a second of the clock, or of Ctrl-C."""
    policy, overruns = make_policy("perfect:time=0.1s,table_bits=20" if how == "clock" else "perfect:table_bits=20", GAME), []
    policy.solver.score(Board(GAME).row, GO + 1)  # compiles
    for _ in range(3):
        overruns.append(overrun(policy, Board(GAME), UnsolvedPositionError if how == "clock" else KeyboardInterrupt))
    assert sorted(overruns)[1] < 0.1


def test_as_a_policy():
    policy = make_policy("perfect:table_bits=18", GAME)
    board = board_after("3641642216447")
    analysis = policy.analyse(board)
    assert analysis.principal_variation == (analysis.action,)
    first, last = make_policy("perfect:table_bits=18,detail=full", GAME).analyses(board)
    assert first.action_values == last.action_values == analysis.action_values
    assert (first.principal_variation, last.action) == ((analysis.action,), analysis.action)
    assert set(last.scores) == set(last.distances) == set(board.legal_actions)
    ahead = board.copy()
    for action in last.principal_variation:
        ahead.push(action)
    assert (ahead.is_terminal, ahead.returns()[board.to_play]) == (True, last.value)
    assert last.nodes > first.nodes
    assert analysis.is_proven
    assert analysis.value == np.sign(max(analysis.scores.values()))
    assert policy.act(board) == analysis.action
    with pytest.raises(UnsolvedPositionError, match=r"not solved within 0\.05 s"):
        make_policy("perfect:time=0.05s,table_bits=18", GAME).act(Board(GAME))
    for bad in ("17", "31", "many"):
        with pytest.raises(SpecError, match="table_bits"):
            make_policy(f"perfect:table_bits={bad}", GAME)
    for bad in ("0", "65", "many"):
        with pytest.raises(SpecError, match="threads"):
            make_policy(f"perfect:threads={bad}", GAME)
    assert "ConnectFour" in policy.solver.covers(Board(SMALL))


@pytest.mark.parametrize("program", [solve_connect_four, solve_othello])
def test_the_benchmarks_end_in_words(program, tmp_path, monkeypatch):
    """A file that cannot be written is told before the work; Ctrl-C, and where the finished rows are."""
    pressed = []

    def press(settings):
        pressed.append(settings)
        if len(pressed) == 2:
            write_rows(settings.json, [])
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "run", press)
    for file, words in (
        (tmp_path / "none" / "rows.json", r"--json '.*rows\.json': the folder '.*none' does not exist"),
        (tmp_path, "this is a folder"),
    ):
        with pytest.raises(SystemExit, match=words):
            program.main(["--json", str(file)])
    assert pressed == []
    for words in (r"solve_\w+: interrupted$", r"interrupted; what is finished is in .*rows\.json$"):
        with pytest.raises(SystemExit, match=words):
            program.main(["--json", str(tmp_path / "rows.json")])


def test_the_benchmark_counts_what_is_wrong(tmp_path, monkeypatch, capsys):
    asked = ["pons", "--most", "3", "--table-bits", "18", "--json", str(tmp_path / "rows.json")]
    assert solve_connect_four.main(asked) == 0
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [(row["name"], row["positions"], row["wrong"]) for row in rows] == [("L3", 3, 0), ("L2", 3, 0), ("L1", 3, 0)]
    shown = capsys.readouterr().out
    assert shown.startswith("book: none\n")
    assert "published" in shown
    lines = solve_connect_four.lines_of
    monkeypatch.setattr(solve_connect_four, "lines_of", lambda name: [[line[0], "9"] for line in lines(name)])
    assert solve_connect_four.main(asked) == 1
