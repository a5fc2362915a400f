"""Endgame tables of Nine Men's Morris: known values, laws over positions by the game's own rules, building, clocks, play."""

import itertools
import random
from pathlib import Path

import numpy as np
import pytest

from boardgym import Board, get_game
from boardgym.baselines.perfect.morris import MorrisSolver
from boardgym.baselines.perfect.morris_build import EndgameTables, needed
from boardgym.baselines.perfect.morris_tables import DEAD, make_maps, orbits_of
from boardgym.baselines.perfect.policy import UnsolvedPositionError
from boardgym.baselines.perfect.store import PART, TableError, read_table
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.policy import make_policy
from boardgym.games.nine_mens_morris import NAMES, RANKS
from boardgym.games.nine_mens_morris.rules import IMAGES

DATA = Path(__file__).parents[1] / "data/reference"
REFERENCE = [line.split() for line in (DATA / "nmm_endgame_3v3_4v3.txt").read_text().splitlines() if not line.startswith("#")]
VALUES = {"W": 1.0, "D": 0.0, "L": -1.0}
GO = np.zeros(1, np.int64)
ENDLESS = {"no_mill_limit": 0, "repetition_limit": 0}


def fen_of(white, black, side, clock=0):
    """The position string of men given as lists of points."""
    marks = "".join("W" if name in white else "B" if name in black else "." for name in NAMES)
    return f"{'/'.join(marks[a:b] for a, b in itertools.pairwise(RANKS))} {side} 0,0 {clock}"


def random_board(draw, men, game):
    """A board of so many men of the side to play and of the other, that is not over."""
    while True:
        points = draw.sample(NAMES, sum(men))
        side = draw.choice("wb")
        own, other = points[: men[0]], points[men[0] :]
        board = Board(game, fen_of(*((own, other) if side == "w" else (other, own)), side))
        if not board.is_terminal:
            return board


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Tables of 4 men against 3, and 3 against 3."""
    path = tmp_path_factory.mktemp("tables")
    assert EndgameTables(get_game("NineMensMorris"), path).build(4, 3) == [(3, 3), (4, 3)]
    return path


@pytest.fixture
def solver(folder):
    return MorrisSolver(get_game("NineMensMorris"), folder)


@pytest.fixture
def endless(folder):
    return MorrisSolver(get_game("NineMensMorris", **ENDLESS), folder)


def test_reference_positions(solver):
    assert len(REFERENCE) == 160
    for number, (own, other, value, turns) in enumerate(REFERENCE):
        men = (own.split(","), other.split(","))
        board = Board(solver.game, fen_of(*(men if number % 2 else men[::-1]), "bw"[number % 2]))
        assert solver.covers(board) == ""
        found = solver.solve(board, GO)
        assert (found.value, found.distances[found.best]) == (VALUES[value], int(turns))
        assert set(found.action_values) == set(board.legal_actions)
        assert found.line[0] == found.best


def after_turn(board, action):
    """The boards after a slide and each of the removals that it may bring."""
    board.push(action)
    boards = []
    for removal in board.legal_actions if board.position.must_remove else [None]:
        if removal is not None:
            board.push(removal)
        boards.append(board.copy())
        if removal is not None:
            board.pop()
    board.pop()
    return boards


@pytest.mark.parametrize("men", [(3, 3), (4, 3), (3, 4)])
def test_values_follow_from_those_a_turn_later(men, endless):
    """By the game's own moves. A shorter win after each, and a draw kept: where this holds everywhere all values are right."""
    draw = random.Random(sum(men) * men[0])
    for _ in range(25):
        board = random_board(draw, men, endless.game)
        found = endless.solve(board, GO)
        for action, value in found.action_values.items():
            outcomes = []
            for after in after_turn(board, action):
                if after.is_terminal:
                    outcomes.append((1.0, 1))
                else:
                    reply = endless.solve(after, GO)
                    outcomes.append((-reply.value, reply.distances[reply.best] + 1))
            best = max(outcome for outcome, _ in outcomes)
            turns = [count for outcome, count in outcomes if outcome == best]
            assert value == best
            assert found.distances[action] == (0 if best == 0.0 else min(turns) if best > 0.0 else max(turns))


def test_every_byte_of_three_against_three(folder):
    tables = EndgameTables(get_game("NineMensMorris"), folder)
    tables.load(3, 3)
    assert tables.faults((3, 3)) == 0
    table = tables.table(3, 3)
    table[int(np.flatnonzero(table == 0)[0])] = 2
    assert tables.faults((3, 3)) > 0


def test_a_byte_for_each_position_up_to_symmetry(folder):
    """Burnside's lemma: the mean over the symmetries of how many positions each leaves alone."""
    tables = EndgameTables(get_game("NineMensMorris"), folder)
    tables.load(4, 3)
    for a, b in ((3, 3), (4, 3), (3, 4)):
        fixed = 0
        for image in IMAGES.tolist():
            cycles, seen = [], set()
            for point in range(24):
                length = 0
                while point not in seen:
                    seen.add(point)
                    point, length = image[point], length + 1
                if length:
                    cycles.append(length)
            ways = {(0, 0): 1}  # men placed so far -> ways: each cycle is empty, own or other
            for length in cycles:
                for (x, y), count in list(ways.items()):
                    for place in ((x + length, y), (x, y + length)):
                        ways[place] = ways.get(place, 0) + count if place not in ((x, y),) else count
            fixed += count_fixed(cycles, a, b)
        assert int((tables.table(a, b) != DEAD).sum()) == fixed // 16


def count_fixed(cycles, a, b):
    """Positions of a and b men that are whole cycles."""
    ways = np.zeros((a + 1, b + 1), np.int64)
    ways[0, 0] = 1
    for length in cycles:
        more = ways.copy()
        more[length:] += ways[: a + 1 - length] if length <= a else 0
        more[:, length:] += ways[:, : b + 1 - length] if length <= b else 0
        ways = more
    return int(ways[a, b])


def test_literature(folder):
    """Gasser (1996): the longest win of three against three takes 26 plies, and 83 % are won by the side to play."""
    tables = EndgameTables(get_game("NineMensMorris"), folder)
    counts = read_table(tables.path((3, 3)), tables.header((3, 3)))[1]["counts"]["3-3"]
    assert counts["longest"] == 26
    assert 0.82 < counts["won"] / (counts["won"] + counts["drawn"] + counts["lost"]) < 0.84


def test_symmetries(solver):
    draw = random.Random(3)
    for men in ((3, 3), (4, 3), (3, 4)):
        board = random_board(draw, men, solver.game)
        position, value = board.position, solver.solve(board, GO)
        for k in range(16):
            words = [sum(1 << int(IMAGES[k, p]) for p in range(24) if word >> p & 1) for word in position[:2]]
            image = Board(solver.game)
            image.set_position(position._replace(own=words[0], other=words[1]))
            found = solver.solve(image, GO)
            assert (found.value, found.distances[found.best]) == (value.value, value.distances[value.best])


# ---------------------------------------------------------------- building and files


def test_an_interrupted_build_goes_on_to_the_same_table(folder, tmp_path):
    tables = EndgameTables(get_game("NineMensMorris"), tmp_path)

    def interrupt(pair, turns, decided):
        if turns == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tables.build(3, 3, on_layer=interrupt)
    path = tables.path((3, 3))
    assert path.with_suffix(PART).exists()
    assert not path.exists()
    layers = []
    assert EndgameTables(get_game("NineMensMorris"), tmp_path).build(3, 3, on_layer=lambda _, turns, n: layers.append(turns)) == [(3, 3)]
    assert layers[0] == 6
    assert not path.with_suffix(PART).exists()
    assert path.read_bytes() == (folder / path.name).read_bytes()


def test_a_damaged_table_is_refused(folder, tmp_path):
    tables = EndgameTables(get_game("NineMensMorris"), tmp_path)
    path = tables.path((3, 3))
    content = bytearray((folder / path.name).read_bytes())
    content[-1000] ^= 1
    path.write_bytes(content)
    with pytest.raises(TableError, match="digest"):
        tables.load(3, 3)
    path.write_bytes(b"no table at all")
    with pytest.raises(TableError, match="not a table"):
        tables.load(3, 3)
    path.write_bytes((folder / tables.path((4, 3)).name).read_bytes())
    with pytest.raises(TableError, match="men is"):
        tables.load(3, 3)


def test_tables_that_a_position_needs():
    assert needed(3, 3) == [(3, 3)]
    assert needed(3, 5) == [(3, 3), (4, 3), (5, 3)]
    assert needed(4, 4) == [(3, 3), (4, 3), (4, 4)]
    assert needed(5, 4) == [(3, 3), (4, 3), (4, 4), (5, 3), (5, 4)]
    for men in ((2, 4), (3, 10)):
        with pytest.raises(OptionError, match="expected 3 to 9"):
            needed(*men)
    with pytest.raises(UnsupportedGameError):
        EndgameTables(get_game("TicTacToe"))


def test_orbits():
    words, orbits, representatives, _ = orbits_of(3)
    assert words.tolist() == [word for word in range(1 << 24) if word.bit_count() == 3] if len(words) < 10 else len(words) == 2024
    assert make_maps(3).representatives.tolist() == representatives.tolist()
    assert sorted(set((orbits >> 4).tolist())) == list(range(len(representatives)))


# ---------------------------------------------------------------- the rules against endless games


def win_in(turns, solver):
    own, other, _, _ = next(row for row in REFERENCE if row[2:] == ["W", str(turns)])
    return own.split(","), other.split(",")


def test_the_clock_decides_whether_a_win_is_one(solver):
    """minimax, which knows the clock, agrees on both sides of the border."""
    men = win_in(3, solver)
    search = make_policy("minimax:6", solver.game, seed=0)
    board = Board(solver.game, fen_of(*men, "w", 97))
    assert solver.covers(board) == ""
    assert solver.solve(board, GO, every_action=False).value == search.evaluate(board) == 1.0
    for clock, value in ((98, 1.0), (99, 0.0)):  # the third turn may end the game at slide 100; it closes a mill here
        late = Board(solver.game, fen_of(*men, "w", clock))
        assert "won in 3 turns" in solver.covers(late)
        assert search.evaluate(late) <= value


def test_a_position_that_came_too_often_makes_a_win_uncertain(solver):
    own, other = win_in(5, solver)
    board = Board(solver.game, fen_of(own, other, "w"))
    goal = solver.solve(board, GO)
    assert goal.value == 1.0
    solver_line = goal.line
    target = board.copy()
    for action in solver_line[:2]:
        target.push(action)
    seen = target.position
    returning = solver.returning(board)
    assert returning == []
    assert seen.must_remove == 0
    twice = get_game("NineMensMorris", repetition_limit=2)
    short = MorrisSolver(twice, solver.tables.folder)
    assert short.covers(Board(twice, fen_of(own, other, "w"))) == ""  # what it has been is won in no fewer turns
    back_and_forth = wander(Board(twice, target.fen()), short)
    assert back_and_forth is None or "repetition" in short.covers(back_and_forth)


def wander(board, solver):
    """The board after a slide of each side that left a won position for one that is won more slowly; None if there is none."""
    for action in board.legal_actions:
        board.push(action)
        for reply in [] if board.is_terminal or board.position.must_remove else board.legal_actions:
            board.push(reply)
            if not board.is_terminal and not board.position.must_remove and solver.tables.codes(board.position):
                best = max(code for _, code in solver.tables.codes(board.position) if code % 2 == 0)
                if best > 4 and all(code % 2 or code == 0 or code > 4 for _, code in solver.tables.codes(board.position)):
                    return board
            board.pop()
        board.pop()
    return None


# ---------------------------------------------------------------- the policy


def test_perfect_wins_in_as_many_turns_as_it_says(folder, monkeypatch):
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    game = get_game("NineMensMorris")
    policy = make_policy("perfect", game, seed=0)
    for turns in (11, 15, 20):
        own, other, value, _ = next(row for row in REFERENCE if row[3] == str(turns))
        for opponent in (policy, make_policy("random", game, seed=turns)):
            board = Board(game, fen_of(own.split(","), other.split(","), "w"))
            winner = 0 if value == "W" else 1
            analysis = policy.analyse(board)
            assert analysis.is_proven
            assert analysis.distances[analysis.action] == turns
            slides = 0
            while not board.is_terminal:
                slides += board.position.must_remove == 0
                mover = policy if board.to_play == winner else opponent
                board.push(mover.act(board))
            assert board.outcome().winner == winner
            assert slides == turns if opponent is policy else slides <= turns


def test_where_it_cannot_answer(solver, folder, monkeypatch):
    start = Board(solver.game)
    assert solver.covers(start) == "men are still in hand"
    many = Board(solver.game, fen_of(NAMES[:5], NAMES[10:14], "w"))
    assert "--men 5 4" in solver.covers(many)
    sliding = get_game("NineMensMorris", flying=False, variant="twelve")
    assert "--option flying=False --option variant=twelve" in MorrisSolver(sliding, folder).covers(
        Board(sliding, fen_of(NAMES[:3], NAMES[10:14], "w"))
    )
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    with pytest.raises(UnsolvedPositionError, match="in hand"):
        make_policy("perfect", solver.game).act(start)
    assert make_policy("perfect(random)", solver.game, seed=1).act(start) in start.legal_actions


def test_a_removal_that_leaves_two_men_needs_no_table(tmp_path):
    game = get_game("NineMensMorris")
    board = Board(game, fen_of(["a7", "d7", "g7", "b2"], ["b4", "c4", "d1"], "wx"))
    solver = MorrisSolver(game, tmp_path)
    assert solver.covers(board) == ""
    found = solver.solve(board, GO)
    assert set(found.action_values) == set(board.legal_actions)
    assert set(found.action_values.values()) == {1.0}
    assert set(found.distances.values()) == {1}
