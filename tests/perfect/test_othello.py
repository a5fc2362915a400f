"""Othello endgames: against a search on plain squares, against published scores, from the start on the 4 x 4 board."""

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from benchmarks.solve_othello import main, problems
from boardgym.baselines.perfect.othello import OthelloSolver, empty_squares
from boardgym.baselines.perfect.othello_search import stable_discs
from boardgym.baselines.perfect.policy import UnsolvedPositionError, solver_for
from boardgym.compile import plain
from boardgym.compile.store import cache_folder
from boardgym.core.board import Board
from boardgym.core.errors import SpecError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from tests.support import environment_of, overrun

DATA = Path(__file__).parents[1] / "data/reference"
STOP = np.zeros(1, np.int64)


def turned(marks, row, column, mine, size):
    """The squares that a disc of `mine` there would turn. marks: {(row, column): "X" or "O"}."""
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            line, at = [], (row + down, column + right)
            while (down, right) != (0, 0) and marks.get(at, mine) != mine:
                line.append(at)
                at = at[0] + down, at[1] + right
            if marks.get(at) == mine:
                found += line
    return found


def plain_score(marks, mine, size, has_passed=False):
    """The disc difference for `mine` to play, empty squares for the winner, by plain negamax."""
    best = None
    for row in range(size):
        for column in range(size):
            if (row, column) not in marks and (line := turned(marks, row, column, mine, size)):
                after = marks | dict.fromkeys([*line, (row, column)], mine)
                score = -plain_score(after, "XO"[mine == "X"], size)
                best = score if best is None else max(best, score)
    if best is not None:
        return best
    if not has_passed:
        return -plain_score(marks, "XO"[mine == "X"], size, True)
    ahead = sum(1 if mark == mine else -1 for mark in marks.values())
    return ahead + int(np.sign(ahead)) * (size * size - len(marks))


def marks_of(board):
    """The squares and the side to play, read off the position string."""
    squares, side = board.fen().split()
    size = board.position.SIZE
    return {divmod(i, size): mark for i, mark in enumerate(squares) if mark != "-"}, side


def score_of(board, **settings):
    found = solver_for(board.game, settings).solve(board, STOP, detail="action")
    return found.scores[found.best]


@pytest.mark.parametrize(("size", "empties", "count"), [(8, 5, 25), (4, 7, 25)])
def test_agrees_with_plain_negamax(size, empties, count):
    rng = np.random.default_rng(size)
    seen = []
    while len(seen) < count or not any(seen):  # among them positions where a seat must pass
        board = Board("Othello-v0", size=size)
        while not board.is_terminal and empty_squares(board.position) > empties:
            board.push(int(rng.choice(board.legal_actions)))
        if board.is_terminal:
            continue
        marks, side = marks_of(board)
        expected = plain_score(marks, side, size)
        assert score_of(board) == expected, board.fen()
        result = OthelloSolver(board.game, is_exact=False).solve(board, STOP)
        assert (result.value, result.scores) == (np.sign(expected), None)
        seen.append(board.legal_actions == [size * size])


def test_small_problems_every_move():
    count = 0
    for _, board, scores in problems(DATA / "othello_endgame_small.obf"):
        found = OthelloSolver(board.game).solve(board, STOP)
        assert {board.move_text(action): score for action, score in found.scores.items()} == scores
        assert found.action_values == {a: np.sign(score) for a, score in found.scores.items()}
        values = OthelloSolver(board.game).solve(board, STOP, detail="values")
        assert (values.action_values, values.scores, values.line) == (found.action_values, found.scores, ())
        alone = OthelloSolver(board.game).solve(board, STOP, detail="action")
        assert (alone.best, alone.value) == (found.best, found.value)
        assert found.line[0] == found.best
        after = board.copy()
        for action in found.line:
            after.push(action)
        assert after.is_terminal
        marks, _ = marks_of(after)
        black = sum(1 if mark == "X" else -1 for mark in marks.values())
        black += int(np.sign(black)) * (64 - len(marks))
        assert (black if board.to_play == 0 else -black) == max(scores.values())
        count += 1
    assert count == 90


@pytest.mark.parametrize("mode", ["discs", "result"])
def test_the_published_problems(capsys, tmp_path, mode):
    """Up to 17 empty squares here; `python -m benchmarks.solve_othello --most 24` solves the others."""
    assert main(["--most", "17", "--mode", mode, "--json", str(tmp_path / "found.json")]) == 0
    shown = capsys.readouterr().out
    assert "21 of 21 right" in shown
    assert "14 empty: 7 of 7 right" in shown
    if mode == "discs":
        assert main(["--most", "14", "--every-move"]) == 0


def test_threads_may_share_the_moves():
    """Each with a table of its own, and one table for all: the same scores and the same line."""
    chosen = [board for _, board, _ in problems(DATA / "othello_endgame_small.obf")][::9]
    chosen += [board for _, board, _ in problems(DATA / "othello_fforum-1-19.obf")][:3]
    for board in chosen:
        for is_exact in (True, False):
            alone = OthelloSolver(board.game, is_exact=is_exact).solve(board, STOP)
            for number in (2, 3, 64):
                solver = OthelloSolver(board.game, is_exact=is_exact, num_threads=number, table_bits=12)
                found, values = solver.solve(board, STOP), solver.solve(board, STOP, detail="values")
                assert (found.action_values, found.scores, found.line) == (alone.action_values, alone.scores, alone.line)
                assert list(found.scores or ()) == sorted(found.scores or ())
                assert (values.action_values, values.scores, values.line) == (alone.action_values, alone.scores, ())
                assert found.nodes > 0
    board = Board("Othello-v0", size=4)
    assert OthelloSolver(board.game, num_threads=3).solve(board, STOP + 1).is_exact is False


def test_a_wrong_answer_is_told(capsys, tmp_path):
    path = tmp_path / "wrong.obf"
    path.write_text((DATA / "othello_fforum-1-19.obf").read_text().splitlines()[0].replace("G8:+18", "G8:+20"))
    assert main([str(path)]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_the_small_board_from_the_start():
    board = Board("Othello-v0", size=4)
    found = make_policy("perfect:detail=full", board.game).analyse(board)
    assert (found.value, set(found.scores.values())) == (-1.0, {-10})  # white wins 11-3, with two squares empty
    assert len(found.scores) == 4
    for action in found.principal_variation:
        board.push(action)
    assert sorted(marks_of(board)[0].values()).count("O") == 11
    assert board.returns() == [-1.0, 1.0]
    assert main(["--start", "4", "--mode", "result", "--table-bits", "10"]) == 0
    with pytest.raises(SystemExit, match="table_bits=31: expected 6 to 30"):
        main(["--start", "4", "--table-bits", "31"])


def test_limits_and_settings():
    board = Board("Othello-v0")
    player = make_policy("perfect", board.game)
    with pytest.raises(UnsolvedPositionError, match=r"60 squares are empty, it answers with at most 20 \(empties=N"):
        player.act(board)
    assert make_policy("perfect:empties=14,mode=result", board.game).solver.empties == 14
    assert make_policy("perfect:table_bits=10", board.game).solver.table_bits == 10
    assert make_policy("perfect(greedy)", board.game, seed=0).act(board) in board.legal_actions
    for spec, message in [("perfect:empties=x", "the empty squares 'x'"), ("perfect:mode=disc", "mode=discs"),
                          ("perfect:table_bits=31", "table_bits=31: expected 6 to 30"),
                          ("perfect:threads=0", "threads=0: expected a whole number from 1 to 64"),
                          ("perfect:emptes=3", "did you mean 'empties'")]:  # fmt: skip
        with pytest.raises(SpecError, match=message):
            make_policy(spec, board.game)


def test_a_clock_a_key_and_a_flag_stop_it():
    board = Board("Othello-v0", setup="random:20-20", seed=3)
    for spec, error in (("perfect:empties=60,time=0.1s", UnsolvedPositionError), ("perfect:empties=60", KeyboardInterrupt)):
        player = make_policy(spec, board.game)
        assert player.evaluate(next(problems(DATA / "othello_endgame_small.obf"))[1]) == 1.0  # compiled
        assert sorted(overrun(player, board, error) for _ in range(3))[1] < 0.1
    solver, stop = OthelloSolver(get_game("Othello-v0"), 64), np.zeros(1, np.int64)
    threading.Timer(0.1, lambda: stop.__setitem__(0, 1)).start()
    found = solver.solve(board, stop)
    assert not found.is_exact
    assert found.nodes > 0


def test_stable_discs_are_never_turned():
    rng, count = np.random.default_rng(2), 0
    for _ in range(6):
        board, kept = Board("Othello-v0"), [0, 0]  # words of the discs that have been called stable, by seat
        while not board.is_terminal:
            board.push(int(rng.choice(board.legal_actions)))
            own, other, seat = board.position
            for word, of in ((own, seat), (other, 1 - seat)):
                assert kept[of] & ~int(word) == 0
                if board.ply % 6 == 0 or board.is_terminal:
                    kept[of] |= int(plain(stable_discs)(word, own | other, 2))
        count += sum(word.bit_count() for word in kept)
    assert count > 6 * 40  # most discs have been recognised by the end


def test_plain_python_agrees(tmp_path):
    """The same lines without compilation, from 9 empty squares on, where the table is in use."""
    program = """
import sys
import numpy as np
from boardgym.baselines.perfect.othello import OthelloSolver
from boardgym.core.board import Board

for fen in sys.stdin.read().splitlines():
    board = Board("Othello-v0", fen)
    found = OthelloSolver(board.game).solve(board, np.zeros(1, np.int64), detail="action")
    print(found.best, found.scores[found.best], found.nodes)
"""
    fens, expected = [], []
    for path, empties in (("othello_endgame_small.obf", 6), ("othello_fforum-1-19.obf", 9)):
        board = next(board for _, board, _ in problems(DATA / path) if empty_squares(board.position) >= empties)
        while empty_squares(board.position) > empties:
            board.push(board.legal_actions[0])
        found = OthelloSolver(board.game).solve(board, STOP, detail="action")
        fens.append(board.fen())
        expected.append([found.best, found.scores[found.best], found.nodes])
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", program],
        input="\n".join(fens),
        env=environment_of(tmp_path, NUMBA_DISABLE_JIT="1"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [[int(word) for word in line.split()] for line in done.stdout.splitlines()] == expected


def test_stored_code_has_no_open_ends():
    """Functions that call each other in a circle are linked by addresses of one process: on disk they point nowhere."""
    board = next(problems(DATA / "othello_endgame_small.obf"))[1]
    assert score_of(board) == 16
    stored = [path.read_bytes() for path in cache_folder().glob("solve_kernel-*.nbc")]
    assert stored
    assert not any(b".numba.unresolved" in code for code in stored)
