"""n-tuple networks: cells and their images, tuples, indices against brute force, values of symmetric positions, an update."""

import itertools
import math
import zlib
from typing import NamedTuple

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.cells import GameCells, Group, PlaneCells, cells_of, game_cells
from boardgym.baselines.networks.ntuple_texts import every_shape, read_tuples, usual_tuples
from boardgym.baselines.networks.ntuples import (
    NTuples,
    change_of,
    check_tuples,
    count_weights,
    follow,
    images_of,
    make_reading,
    make_tuples,
    sum_of,
    value_of,
)
from boardgym.compile import plain, uncompiled
from boardgym.core.errors import OptionError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.random import stream

NO_TUPLES = NTuples(*np.zeros((9, 0), np.int32))
PLAYED = ("TicTacToe-v0", "ConnectFour-v0")  # each compiles a kernel that looks at positions


def states_of(board, seat):
    """The states of the cells, by their definition; in Connect Four with the fourth one."""
    planes = board.observation(seat)
    states = planes[..., 0] + 2 * planes[..., 1]
    if board.game.name == "ConnectFour":
        for column in range(states.shape[1]):
            empty = np.flatnonzero(states[:, column] == 0)
            if len(empty):
                states[empty[-1], column] = 3
    return states.astype(np.int64).ravel()


def random_boards(name, games, seed=1):
    """Boards in random games, ply by ply."""
    rng = np.random.default_rng(seed)
    for _ in range(games):
        board = Board(name, compiled=False)
        while not board.is_terminal:
            board.push(int(rng.choice(board.legal_actions)))
            yield board


class GameCellsOfTwo:
    """Of a row of three cells, of which the first never changes."""

    shape, live, num_states, num_phases, groups, game = (1, 3), (1, 2), 3, 1, (), get_game("TicTacToe-v0")


def tuples_of(cells, *texts, symmetries=True, seed=1):
    return read_tuples(texts, cells, stream(seed), symmetries=symmetries)


@pytest.fixture(scope="module", params=PLAYED)
def cells(request):
    return game_cells(get_game(request.param))


def test_cells_and_their_images(cells):
    """Of every symmetry, as the game's own actions and positions have it."""
    rows, columns = cells.shape
    assert cells.live == tuple(range(rows * columns))
    assert len(cells.images) == cells.game.num_symmetries
    assert all(sorted(image.values()) == list(cells.live) for image in cells.images)
    mirrored = {
        row * columns + column: row * columns + columns - 1 - column for row in range(rows) for column in range(columns)
    }
    assert cells.images[0] == {cell: cell for cell in cells.live}
    assert mirrored in cells.images


def test_words_say_what_the_planes_show_when_compiled():
    """Of Othello, in 4,000 positions of random games and their images."""
    game = get_game("Othello-v0")
    start, usual = game.token.row(game.start), game_cells(game, "planes(phases=5)")
    planes = GameCells(usual.text, PlaneCells(phases=5), 3, game, num_phases=5)
    ours, theirs = usual._look(start), planes._look(start)
    assert usual.token.name != planes.token.name
    assert np.array_equal(ours[0], theirs[0])
    assert ours[1:] == theirs[1:] == (0, 4)


def readers_of(cells, tuples):
    """(the place where the table of a tuple begins, its weights, the cells) of every image, one tuple after the other."""
    found, start = [], 0
    for tuple_ in tuples:
        count = count_weights(cells, [tuple_])
        found += [(start, count, image) for image in images_of(cells, tuple_, symmetries=True)]
        start += count
    assert start == check_tuples(cells, tuples, arrays=1)
    return found


def reading_of(places):
    """A reading of these places alone."""
    return plain(make_reading)(NO_TUPLES, 0)._replace(places=places)


def readings(cells, network, games):
    """(the states of the cells, the places that are read) of positions, as one seat or the other sees them."""
    reading = plain(make_reading)(network, 2)
    for count, board in enumerate(random_boards(cells.game.id, games)):
        seat = 1 - board.to_play if count % 3 else board.to_play
        states = states_of(board, seat)
        plain(follow)(network, reading, seat, states)
        yield states.tolist(), reading.places[seat].tolist()


def test_indices_follow_the_board():
    """Each is that of the formula, whichever position was looked at before."""
    cells = game_cells(get_game("TicTacToe-v0"))
    assert cells.num_states == 3
    tuples = tuples_of(cells, "walk(6, 4)", "lines(3)", "shape(xx/x.)")
    network, readers = make_tuples(cells, tuples, symmetries=True), readers_of(cells, tuples)
    assert {count for _, count, _ in readers} == {27, 81}
    for states, places in readings(cells, network, 4):
        assert places == [start + sum(states[cell] * 3**n for n, cell in enumerate(image)) for start, _, image in readers]


@pytest.mark.parametrize("symmetries", [True, False])
def test_what_an_action_changes(cells, symmetries):
    """The sum of weights at another position: one action later, and several, of which each changes other groups of cells."""
    network = make_tuples(
        cells, tuples := tuples_of(cells, "walk(8, 5)", "lines(3)", symmetries=symmetries), symmetries=symmetries
    )
    weights = np.random.default_rng(1).normal(size=(2, check_tuples(cells, tuples, arrays=1))).astype(np.float32)
    reading, positions = plain(make_reading)(network, 2), [states_of(board, 0) for board in random_boards(cells.game.id, 2)]
    seat, differ = 1, 0
    for distance in (0, 1, 2, 5):
        for position, later in zip(positions, positions[distance:], strict=False):
            plain(follow)(network, reading, seat, position)
            before, places = plain(sum_of)(weights, 1, reading, seat), reading.places.tolist()
            found = before + plain(change_of)(network, weights, 1, reading, seat, later)
            assert reading.places.tolist() == places
            assert not np.concatenate([reading.steps, reading.moves]).any()
            plain(follow)(network, reading, seat, later)
            assert found == pytest.approx(plain(sum_of)(weights, 1, reading, seat), abs=1e-12)
            differ += abs(found - before) > 0.1
    assert differ > 10


def test_cells_beyond_the_board_change_nothing():
    """Whatever is written into them: here the board is the last two of three cells."""
    network = make_tuples(cells := GameCellsOfTwo(), [(1,), (1, 2)], symmetries=False)
    reading, weights = plain(make_reading)(network, 1), np.arange(12, dtype=np.float32).reshape(1, 12)
    assert check_tuples(cells, [(1,), (1, 2)], arrays=1) == 12
    plain(follow)(network, reading, 0, np.array([2, 1, 2]))
    assert reading.places.tolist() == [[1, 3 + 1 + 3 * 2]]
    assert plain(change_of)(network, weights, 0, reading, 0, np.array([0, 1, 2])) == 0.0
    assert plain(change_of)(network, weights, 0, reading, 0, np.array([1, 2, 0])) == (2 - 1) + (3 + 2 - 10)


def test_groups_have_to_go_to_groups():
    """Under the mirror of Connect Four; a group that is none of a column's goes to cells of no group."""
    cells = game_cells(get_game("ConnectFour-v0"))
    alone = Group((35, 36), np.array([[0, 0], [1, 2]]))
    cells.groups = (alone,)
    with pytest.raises(OptionError, match="sends the group of 5,0 5,1 to no group with the same states; expected groups that"):
        _ = cells.images
    cells.groups = (alone, Group((41, 40), np.array([[0, 0], [2, 1]])))
    with pytest.raises(OptionError, match="to no group with the same states"):
        _ = cells.images
    cells.groups = (alone, Group((40, 41), np.array([[2, 1], [0, 0]])))
    assert len(cells.images) == 2


def test_indices_of_cells_that_constrain_each_other():
    """Of columns: every pattern that can be has a weight of its own, and images of a tuple have the same for it."""
    cells = game_cells(get_game("ConnectFour-v0"))
    assert cells.num_states == 4
    assert count_weights(cells, [(0, 7, 14, 21, 28, 35)]) == sum(2**level for level in range(7))  # a whole column
    assert count_weights(cells, [(0,)]) == 4
    assert count_weights(cells, [(28, 35)]) == 4 + 2 + 1  # two discs; one and a reachable cell; a reachable and an empty one
    tuples = tuples_of(cells, "walk(4, 5)", "shape(xx/xx)", "lines(4)")
    network, readers = make_tuples(cells, tuples, symmetries=True), readers_of(cells, tuples)
    patterns = {}
    for states, places in readings(cells, network, 40):
        for place, (start, count, image) in zip(places, readers, strict=True):
            assert start <= place < start + count
            pattern = start, tuple(states[cell] for cell in image)
            assert patterns.setdefault(place, pattern) == pattern
    assert len(set(patterns.values())) == len(patterns) > 500


def test_what_a_network_reads(cells):
    """The states that `write_cells` writes are those of the definition, for both seats."""
    sheet = cells.make_sheet()
    for board in random_boards(cells.game.id, 2):
        for seat in range(2):
            with uncompiled():
                nv.write_cells(cells.settings, board.position, seat, sheet)
            assert sheet.states.tolist() == states_of(board, seat).tolist()


def test_symmetric_positions_have_equal_values(cells):
    network = make_tuples(cells, tuples := tuples_of(cells, "walk(6, 4)", "lines(3)"), symmetries=True)
    apart = make_tuples(cells, tuples, symmetries=False)
    weights = np.random.default_rng(1).normal(size=(1, check_tuples(cells, tuples, arrays=1))).astype(np.float32) / 8
    differ = 0
    for board in random_boards(cells.game.id, 2):
        found, others = [], []
        for image in cells.images:
            states, turned = states_of(board, 0), np.zeros(len(cells.live), np.int64)
            turned[[image[cell] for cell in cells.live]] = states
            for net, values in ((network, found), (apart, others)):
                reading = plain(make_reading)(net, 1)
                plain(follow)(net, reading, 0, turned)
                values.append(plain(value_of)(weights, 0, reading, 0))
        assert found == pytest.approx([found[0]] * len(found), abs=1e-12)
        differ += max(others) - min(others) > 0.01
    assert differ > 3  # without symmetries they have not


def test_the_value_is_tanh_of_the_sum(cells):
    for length in (1, 2, 3, 4, 5, 6, 7):  # of four sums, and what is left over
        weights = np.linspace(-0.3, 0.5, length, dtype=np.float32).reshape(1, length)
        reading = reading_of(np.arange(length).reshape(1, length))
        assert plain(value_of)(weights, 0, reading, 0) == pytest.approx(
            math.tanh(float(weights.astype(float).sum())), abs=1e-15
        )


def touching_triples():
    """How many sets of three cells of six rows of seven hang together, corners included."""
    board = [(row, column) for row in range(6) for column in range(7)]

    def touch(one, other):
        return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1

    return sum(touch(a, b) + touch(a, c) + touch(b, c) >= 2 for a, b, c in itertools.combinations(board, 3))


def test_tuples_by_their_descriptions():
    cells = game_cells(get_game("ConnectFour-v0"))
    lines = tuples_of(cells, "lines(4)")
    images = {frozenset(image) for tuple_ in lines for image in images_of(cells, tuple_, symmetries=True)}
    assert len(images) == 69  # the lines that win
    assert len(tuples_of(cells, "lines(4)", symmetries=False)) == 69
    assert len(lines) == 36  # 12 of 24 across, 12 of 21 upright, 12 of 24 aslant
    assert len(tuples_of(cells, "shape(xx/xx)", symmetries=False)) == 30
    assert tuples_of(cells, "shape(.../.xx/.xx)") == tuples_of(cells, "shape(xx/xx)")  # empty edges are no part of a shape
    pairs, lines = (
        {frozenset(pair) for pair in tuples_of(cells, text, symmetries=False)} for text in ("shapes(2)", "lines(2)")
    )
    assert pairs == lines
    assert [len(set(every_shape("", f"{size}", cells))) for size in (1, 2, 3)] == [42, len(lines), touching_triples()]
    walks = tuples_of(cells, "walk(70, 8)")
    assert len(walks) == 70
    assert walks == tuples_of(cells, "walk(70, 8)") != tuples_of(cells, "walk(70, 8)", seed=2)
    sets = [frozenset(image) for tuple_ in walks for image in set(images_of(cells, tuple_, symmetries=True))]
    assert len(set(sets)) == sum(len({frozenset(i) for i in images_of(cells, t, symmetries=True)}) for t in walks)
    for tuple_ in walks:
        assert len(set(tuple_)) == 8
        joined, rest = {tuple_[0]}, set(tuple_[1:])
        while near := {c for c in rest for d in joined if abs(c // 7 - d // 7) <= 1 >= abs(c % 7 - d % 7)}:
            joined, rest = joined | near, rest - near
        assert not rest
    assert tuples_of(cells, "cells(5,0 5,1 4,0)") == [(35, 36, 28)]
    assert tuples_of(cells, "cells(5,0 5,1)", "cells(5,6 5,5)", "cells(5,1 5,0)") == [(35, 36)]


@pytest.mark.parametrize(
    ("name", "options", "texts", "fingerprint"),
    [
        ("TicTacToe-v0", {}, ["walk(10, 5)"], 792750291),
        ("Othello-v0", {"size": 4}, ["walk(10, 5)"], 3390399585),
        ("ConnectFour-v0", {"width": 5, "height": 4}, ["lines(3)", "walk(40, 6)"], 1093683856),
        ("NineMensMorris-v0", {}, ["lines(3)", "walk(40, 6)"], 626425927),
        ("Backgammon-v0", {}, ["walk(10, 5)"], 4185559270),  # 26 cells in one row
        ("Othello-v0", {"size": 6}, ["walk(70, 8)"], 1150480585),
        ("ConnectFour-v0", {}, ["walk(70, 8)"], 3327717135),
        ("Othello-v0", {}, ["walk(70, 8)"], 2279670205),
    ],
)
def test_usual_tuples(name, options, texts, fingerprint):
    """By the size of the board; a seed draws the same ones in every version, so that trainings can be repeated."""
    cells = game_cells(get_game(name, **options))
    assert [*usual_tuples(cells)] == texts
    assert zlib.crc32(repr(tuples_of(cells, *texts)).encode()) == fingerprint


def test_usual_tuples_of_cells_with_many_states():
    """Six cells of thirteen states, as of chessmen, would have tables of 4.8 million weights each."""
    cells = game_cells(get_game("NineMensMorris-v0"))
    assert usual_tuples(GameCells("mine", cells.settings, 13, cells.game, num_phases=cells.num_phases)) == ("walk(10, 5)",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cells(0,0 3,0)", r"has no cell 3,0; rows are 0 to 2, columns 0 to 2"),
        ("cells(0,0 0,0)", "a cell twice"),
        ("cells(a1)", "'a1'; expected row,column"),
        ("cells()", "a tuple of 0 cells"),
        ("walk(3)", "expected 2 whole numbers"),
        ("walk(0, 3)", "0; expected 1 to 10,000"),
        ("walk(1, 10)", "10; expected 1 to 9"),
        ("walk(4, 8)", "3 walks of 8 cells that differ; expected fewer"),
        ("lines(4)", "no place on the board of TicTacToe-v0"),
        ("lines(-1)", "expected 1 whole numbers"),
        ("shapes(7)", "7; expected 1 to 6"),
        ("shape(x?x)", "expected rows of x and"),
        ("shape(...)", "expected rows of x and"),
        ("shape(xxxx)", "no place on the board"),
        ("circles(3)", r"expected walk\(70, 8\)"),
        ("walk 3", r"expected walk\(70, 8\)"),
    ],
)
def test_descriptions_that_are_refused(text, message):
    with pytest.raises(OptionError, match=message):
        tuples_of(game_cells(get_game("TicTacToe-v0")), text)


def test_boards_without_cells():
    assert cells_of(get_game("ConnectFour-v0")) == ("connect_four", "planes")
    with pytest.raises(UnsupportedGameError, match=r"its first planes are rank, own points, not own, other"):
        game_cells(get_game("CardPoints-v0"))
    with pytest.raises(OptionError, match="did you mean 'planes'"):
        game_cells(get_game("TicTacToe-v0"), "plane")
    with pytest.raises(OptionError, match="reachable='2'"):
        game_cells(get_game("ConnectFour-v0"), "connect_four(reachable=2)")


class ByHand(NamedTuple):
    """Two weights, of which a position reads the first twice, with what is known of them by the numbers."""

    coherence: int
    weights: list[float]
    nets: list[float]
    sums: list[float]


V = math.tanh(0.5)  # of the weights 0.2 (read twice) and 0.1
D = (1.0 - V) * (1.0 - V * V)  # towards 1: 0.5378828 * 0.7864477 = 0.4230167
FACTOR = math.exp(2.7 * (0.5 - 1.0))  # of N = -2, A = 4


@pytest.mark.parametrize(
    "expected",
    [
        ByHand(nt.NONE, [0.2 + 0.2 * D, 0.1 + 0.1 * D], [-2.0, 0.0], [4.0, 0.0]),
        ByHand(nt.LINEAR, [0.2 + 0.2 * D * 0.5, 0.1 + 0.1 * D], [-2.0 + 2 * D, D], [4.0 + 2 * D, D]),
        ByHand(nt.EXPONENTIAL, [0.2 + 0.2 * D * FACTOR, 0.1 + 0.1 * D], [-2.0 + 2 * D, D], [4.0 + 2 * D, D]),
    ],
    ids=["none", "linear", "exponential"],
)
def test_an_update_by_hand(expected):
    """Step size 0.3 for three readings. A weight whose A is 0 moves at full speed."""
    assert pytest.approx(0.4230167, abs=1e-7) == D
    memory = nt.Memory(*(np.array([row], np.float32) for row in ([0.2, 0.1], [-2.0, 0.0], [4.0, 0.0])))
    reading = reading_of(np.array([[0, 0, 1]] * 2))
    error = plain(nt.learn_value)(memory, 0, reading, 1, expected.coherence, 0.3, 1.0, np.zeros(3))
    assert error == pytest.approx(1.0 - V, abs=1e-7)
    for found, numbers in zip(memory, expected[1:], strict=True):
        assert found[0].tolist() == pytest.approx(numbers, abs=1e-6)


def test_targets_by_hand():
    """Of a made-up record in which a seat moves twice running; every position reads a weight of its own.

    Then V is 0 before, and a weight is the target with a step size of 1.
    """
    cells = game_cells(get_game("TicTacToe-v0"))
    network = make_tuples(cells, [tuple(range(9))], symmetries=False)
    memory = nt.Memory(np.zeros((2, 3**9), np.float32), *np.zeros((2, 2, 0), np.float32))
    scratch, board = nt.make_scratch(cells, network, 9), Board("TicTacToe-v0", compiled=False)
    seats, kinds = [0, 0, 1, 0, 1, 0, 1], [nt.ON, nt.ON, nt.ON, nt.EXPLORED, nt.ON, nt.ON, nt.ENDED]
    values, pays = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], [0.0, 0.25, 0.0, 0.0, 0.125, -1.0, 0.0]
    places = []
    for t, action in enumerate((0, 4, 2, 1, 7, 3, 5)):
        board.push(action)
        scratch.record.rows[t] = board.row
        for name, numbers in (("seats", seats), ("kinds", kinds), ("values", values), ("pays", pays)):
            getattr(scratch.record, name)[t] = numbers[t]
        states = states_of(board, seats[t]).tolist()
        places.append(sum(state * 3**n for n, state in enumerate(states)))
    learner = nt.Learner(np.zeros(4), np.zeros(4), 0.5, nt.NONE, 1.0, 9)
    with uncompiled():
        updates, squares = plain(nt.learn_game)(learner, network, memory, cells.settings, board.position, 7, 1.0, scratch)
    expected = [
        0.0 + (0.5 * 0.2 + 0.5 * (0.25 - 0.3)),  # the same seat goes on; what follows has the return below
        0.25 - 0.3,  # the other seat is next, which has no return of its own: its value alone
        None,  # before a random ply
        0.0 - (0.5 * 0.5 + 0.5 * (0.125 - (0.5 * 0.6 + 0.5 * -1.0))),
        0.125 - (0.5 * 0.6 + 0.5 * -1.0),
        -1.0,  # the game ends with the next ply
        None,  # over: what it is worth is known
    ]
    found = [float(memory.weights[seat, place]) for seat, place in zip(seats, places, strict=True)]
    assert found == pytest.approx([0.0 if value is None else value for value in expected], abs=1e-7)
    assert np.count_nonzero(memory.weights) == updates == 5
    assert squares == pytest.approx(sum(value * value for value in expected if value is not None))
