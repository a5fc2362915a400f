"""Endgame tables of Nine Men's Morris: known values, laws over positions by the game's own rules, building, clocks, play."""

import itertools
import json
import random
from pathlib import Path

import numpy as np
import pytest

from boardgym import Board, get_game
from boardgym.baselines.perfect.morris import MorrisSolver
from boardgym.baselines.perfect.morris_build import EndgameTables, needed, summary
from boardgym.baselines.perfect.morris_tables import DEAD, make_maps, orbits_of
from boardgym.baselines.perfect.policy import UnsolvedPositionError
from boardgym.baselines.perfect.store import PART, TABLES, TableError
from boardgym.cli import main
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from boardgym.games.nine_mens_morris.notation import NAMES, RANKS
from boardgym.games.nine_mens_morris.rules import IMAGES

DATA = Path(__file__).parents[1] / "data/reference"
REFERENCE = [line.split() for line in (DATA / "nmm_endgame_3v3_4v3.txt").read_text().splitlines() if not line.startswith("#")]
VALUES = {"W": 1.0, "D": 0.0, "L": -1.0}
GO = np.zeros(1, np.int64)


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


def test_reference_positions(solver):
    assert len(REFERENCE) == 160
    for number, (own, other, value, turns) in enumerate(REFERENCE):
        men = (own.split(","), other.split(","))
        board = Board(solver.game, fen_of(*(men if number % 2 else men[::-1]), "bw"[number % 2]))
        assert solver.covers(board) == ""
        found = solver.solve(board, GO)
        assert (found.value, found.distances[found.best]) == (VALUES[value], int(turns))
        assert set(found.action_values) == set(board.legal_actions)
        assert (found.line[0], solver.solve(board, GO, detail="values").line) == (found.best, ())


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
def test_values_follow_from_those_a_turn_later(men, solver):
    """By the game's own moves. A shorter win after each, and a draw kept: where this holds everywhere all values are right."""
    draw = random.Random(sum(men) * men[0])
    for _ in range(25):
        board = random_board(draw, men, solver.game)
        found = solver.solve(board, GO)
        for action, value in found.action_values.items():
            outcomes = []
            for after in after_turn(board, action):
                if after.is_terminal:
                    outcomes.append((1.0, 1))
                else:
                    reply = solver.solve(after, GO)
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
    tables.load(3, 3)
    counts = summary(tables.table(3, 3))
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
    assert EndgameTables(get_game("NineMensMorris"), tmp_path).build(
        3, 3, on_layer=lambda _, turns, n: layers.append(turns)
    ) == [(3, 3)]
    assert layers[0] == 7  # the sixth was done
    assert not path.with_suffix(PART).exists()
    assert path.read_bytes() == (folder / path.name).read_bytes()


def test_an_unfinished_build_is_no_table(tmp_path):
    """A failure of any kind: what is done is kept in a file, and nothing in memory passes for a table."""
    tables = EndgameTables(get_game("NineMensMorris"), tmp_path)

    def fail(pair, turns, decided):
        if turns == 4:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tables.build(3, 3, on_layer=fail)
    assert tables.missing(3, 3) == [(3, 3)]
    part = tables.path((3, 3)).with_suffix(PART)
    assert TABLES.read_header(part, tables.header((3, 3)))["layer"] == 5
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(TableError, match="not a table"):
        tables.build(3, 3)
    assert tables.missing(3, 3) == [(3, 3)]
    assert [path.name for path in tmp_path.iterdir()] == [part.name]


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
    assert words.tolist() == sorted(sum(1 << p for p in points) for points in itertools.combinations(range(24), 3))
    assert make_maps(3).representatives.tolist() == representatives.tolist()
    assert sorted(set((orbits >> 4).tolist())) == list(range(len(representatives)))


# ---------------------------------------------------------------- the rules against endless games


def win_in(turns, solver):
    own, other, _, _ = next(row for row in REFERENCE if row[2:] == ["W", str(turns)])
    return own.split(","), other.split(",")


def can_force_a_win(board, seat, slides):
    """Whether a seat wins within so many slides of both, by trying everything under the game's own rules."""
    if board.is_terminal:
        return board.outcome().winner == seat
    if slides == 0 and not board.position.must_remove:
        return False
    results = []
    for action in board.legal_actions:
        board.push(action)
        results.append(can_force_a_win(board, seat, slides - (action >= 24)))
        board.pop()
        if results[-1] == (board.to_play == seat):
            break
    return results[-1]


def test_the_clock_decides_whether_a_win_is_one(solver):
    """The limit is 100 slides: a win in three turns needs a clock of 97 at most; at 99 every slide ends the game."""
    men = win_in(3, solver)
    for clock, reason, value in ((97, "", 1.0), (98, "won in 3 turns", None), (99, "", 0.0)):
        board = Board(solver.game, fen_of(*men, "w", clock))
        assert can_force_a_win(board, 0, 3) == (clock <= 97)
        assert reason in solver.covers(board)
        assert bool(reason) == bool(solver.covers(board))
        if value is not None:
            assert solver.solve(board, GO, detail="action").value == value


def there_and_back(solver):
    """A position won in three turns, the slides of both sides that lead from it to one won in five, and those back."""
    for own, other, value, turns in REFERENCE:
        if (value, turns) != ("W", "5"):
            continue
        board = Board(solver.game, fen_of(own.split(","), other.split(","), "w"))
        line = solver.solve(board, GO).line[:2]
        there = [board.move_text(line[0])]
        board.push(line[0])
        there.append(board.move_text(line[1]))
        board.push(line[1])
        back = ["-".join(reversed(move.split("-"))) for move in there]
        start = board.fen()
        board = Board(solver.game, start)
        board.push_move(back[0])
        if board.position.must_remove or board.is_terminal:
            continue
        board.push_move(back[1])
        if not board.position.must_remove:
            return start, back, there
    raise AssertionError("no such line in the reference")


def test_a_position_that_came_too_often_makes_a_win_uncertain(solver):
    """The position won in three turns has occurred twice: who plays on from the one won in five may find it a third time."""
    start, back, there = there_and_back(solver)
    board = Board(solver.game, start.rsplit(" ", 1)[0] + " 0")
    assert solver.solve(board, GO).distances[solver.solve(board, GO).best] == 3
    for moves in (back, there):
        board.play(moves)
        assert solver.covers(board) == ""
    board.play(back)
    assert board.repetitions == 2
    assert "won in 5 turns" in solver.covers(board)


def test_an_action_that_repeats_is_a_draw(solver):
    """The move to the position won most quickly would be its third occurrence: it draws at once, and is valued so."""
    start, back, there = there_and_back(solver)
    board = Board(solver.game, start)
    board.play([*back, *there, *back, there[0]])
    codes, proven = solver.look(board)
    action = board.action_of(there[1])
    assert (codes[action], proven[action]) == (0, True)
    assert solver.covers(board) == ""  # a lost position that is now a draw
    assert solver.solve(board, GO).value == 0.0


# ---------------------------------------------------------------- the policy


def test_perfect_wins_in_as_many_turns_as_it_says(folder, monkeypatch):
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    game = get_game("NineMensMorris")
    policy = make_policy("perfect", game, seed=0)
    for turns in (11, 15, 20):
        own, other, value, _ = next(row for row in REFERENCE if row[3] == str(turns))
        for draw in (None, random.Random(turns)):
            board = Board(game, fen_of(own.split(","), other.split(","), "w"))
            winner = 0 if value == "W" else 1
            analysis = policy.analyse(board)
            assert analysis.is_proven
            assert analysis.distances[analysis.action] == turns
            slides = 0
            while not board.is_terminal:
                slides += board.position.must_remove == 0
                is_random = draw is not None and board.to_play != winner
                board.push(draw.choice(board.legal_actions) if is_random else policy.act(board))
            assert board.outcome().winner == winner
            assert slides == turns if draw is None else slides <= turns


def test_the_first_policy_builds_tables_to_four_men(folder, monkeypatch, capfd):
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    game = get_game("NineMensMorris")
    EndgameTables(game, folder).path((4, 4)).unlink(missing_ok=True)
    policy, board = make_policy("perfect", game), Board(game, fen_of(NAMES[:4], NAMES[10:14], "w"))
    assert "building the endgame tables of Nine Men's Morris, once" in capfd.readouterr().err
    assert len(policy.analyse(board).action_values) == len(board.legal_actions)
    assert EndgameTables(game, folder).missing(4, 4) == []
    assert list(folder.glob("*.lock")) == []
    make_policy("perfect", game)
    assert capfd.readouterr().err == ""


def test_where_it_cannot_answer(solver, folder, monkeypatch):
    start = Board(solver.game)
    assert solver.covers(start) == "men are still in hand"
    many = Board(solver.game, fen_of(NAMES[:5], NAMES[10:14], "w"))
    assert "--men 5 4" in solver.covers(many)
    sliding = MorrisSolver(get_game("NineMensMorris", flying=False, variant="twelve"), folder)
    assert sliding.command(3, 4).endswith("--men 3 4 --option flying=False --option variant=twelve")
    assert sliding.tables.missing(3, 4) == [(3, 3), (4, 3)]
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    with pytest.raises(UnsolvedPositionError, match="in hand"):
        make_policy("perfect", solver.game).act(start)


def test_a_removal_that_leaves_two_men_needs_no_table(tmp_path):
    game = get_game("NineMensMorris")
    board = Board(game, fen_of(["a7", "d7", "g7", "b2"], ["b4", "c4", "d1"], "wx"))
    solver = MorrisSolver(game, tmp_path)
    assert solver.covers(board) == ""
    found = solver.solve(board, GO)
    assert set(found.action_values) == set(board.legal_actions)
    assert set(found.action_values.values()) == {1.0}
    assert set(found.distances.values()) == {1}


def test_the_command(folder, monkeypatch, capsys):
    monkeypatch.setenv("BOARDGYM_TABLES", str(folder))
    assert main(["tables", "NineMensMorris", "--men", "4", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [table["table"] for table in found["tables"]] == ["3-3", "4-3", "3-4"]
    assert found["tables"][0]["longest"] == 26
    assert main(["tables", "NineMensMorris", "--men", "3", "--check"]) == 0
    assert "140,621" in capsys.readouterr().out
    for arguments, message in (
        (["TicTacToe"], "no endgame tables"),
        (["NineMensMorris", "--men", "2"], "expected 3 to 9"),
        (["NineMensMorris", "--men", "3", "3", "3"], "one number or two"),
        (["Backgammon", "--check"], "--check"),
    ):
        assert main(["tables", *arguments]) == 2
        assert message in capsys.readouterr().err


def test_more_than_memory_holds_is_refused_at_once(tmp_path):
    with pytest.raises(OptionError, match=r"tables of up to 9 men need 8\.6 GiB; at most 4 GiB"):
        EndgameTables(get_game("NineMensMorris"), tmp_path).build(9, 9)
    assert not list(tmp_path.iterdir())
