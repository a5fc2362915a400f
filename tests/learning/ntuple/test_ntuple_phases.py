"""Phases of the game, in each of which an n-tuple network has weights of its own."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from boardgym import Board, OptionError, SpecError, get_game
from boardgym.baselines.learning import agent as learnt
from boardgym.baselines.learning.agent_files import AGENTS
from boardgym.baselines.learning.descent import descent as ds
from boardgym.baselines.learning.descent.config import DescentConfig
from boardgym.baselines.learning.descent.trainer import DescentTraining
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.agent import NTupleAgent, load_ntuple_agent
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.networks import cells as cells_of_games
from boardgym.baselines.networks import verbs as nv
from boardgym.baselines.networks.cells import GameCells, OthelloWords, PlaneCells, game_cells, register_cells
from boardgym.baselines.networks.ntuples import check_tuples, table_of
from boardgym.baselines.search.evaluations import evaluate_kernel
from boardgym.compile import as_python, plain, uncompiled
from boardgym.core.verbs import rule
from boardgym.games.nine_mens_morris import NineMensMorris

TUPLES = ((0, 1, 2), (0, 4, 8), (3, 4))  # of tic-tac-toe


@pytest.fixture(autouse=True)
def uncompiled_kernels(monkeypatch):
    """Boards are looked at less, and nothing is compiled."""
    monkeypatch.setattr(cells_of_games, "sample_kernel", as_python(cells_of_games.sample_kernel))
    monkeypatch.setattr(cells_of_games, "SAMPLES", 300)
    monkeypatch.setattr(cells_of_games, "_BOARDS", {})
    monkeypatch.setattr(learnt, "values_kernel", as_python(learnt.values_kernel))
    monkeypatch.setattr(nt, "play_kernel", as_python(nt.play_kernel))
    monkeypatch.setattr(ds, "play_kernel", as_python(ds.play_kernel))


def sheet_of(cells, position, seat):
    """What `write_cells` writes."""
    sheet = cells.make_sheet()
    with uncompiled():
        nv.write_cells(cells.settings, position, seat, sheet)
    return sheet


def phase_of(cells, position, seat):
    """The phase that `write_cells` writes."""
    return int(sheet_of(cells, position, seat).phase[0])


def random_board(game, seed, plies):
    """After so many random plies, or at the end of the game."""
    board, rng = Board(game), np.random.default_rng(seed)
    while not board.is_terminal and board.ply < plies:
        board.push(int(rng.choice(board.legal_actions)))
    return board


@pytest.mark.parametrize(("game", "text"), [("Othello-v0", "planes"), ("ConnectFour-v0", "connect_four")])
def test_phases_by_the_pieces_on_the_board(game, text):
    """Equal shares of the cells of the board, whoever looks."""
    cells = game_cells(get_game(game), f"{text}(phases=4)")
    size, seen = cells.shape[0] * cells.shape[1], set()
    for plies in range(0, size, 3):
        board = random_board(game, plies, plies)
        pieces = int(board.observation()[..., :2].sum())
        expected = next(k for k in range(4) if pieces < (k + 1) * (size + 1) / 4)
        assert [phase_of(cells, board.position, seat) for seat in range(2)] == [expected] * 2
        seen.add(expected)
    assert seen >= {0, 1, 2}  # random games of Connect Four end before the last


@pytest.mark.parametrize("size", [4, 6, 8])
def test_words_of_othello_say_what_the_planes_show(size):
    """To both seats, in games and in their images."""
    game = get_game("Othello-v0", size=size)
    usual = game_cells(game, "planes(phases=5)")
    planes = GameCells(usual.text, PlaneCells(phases=5), 3, game, num_phases=5)
    assert isinstance(usual.settings, OthelloWords)
    assert (usual.live, usual.images) == (planes.live, planes.images)
    for plies in range(0, size * size, 3):
        board = random_board(game, plies, plies)
        for seat in range(2):
            ours, theirs = sheet_of(usual, board.position, seat), sheet_of(planes, board.position, seat)
            assert (ours.states.tolist(), ours.phase.tolist()) == (theirs.states.tolist(), theirs.phase.tolist())


@pytest.mark.parametrize(
    ("own", "other", "hands", "must_remove", "phases"),
    [
        (0, 0, (9, 9), 0, (4, 4)),
        (0b111, 0b1111000, (4, 5), 0, (3, 3)),  # nine are left to place: the second third
        (0b111, 0b1111000, (3, 3), 0, (2, 2)),
        (0b111, 0b1111000, (0, 1), 0, (2, 2)),
        (0b111, 0b1111000, (0, 1), 1, (0, 0)),
        (0b1111, 0b1111000, (0, 0), 1, (1, 1)),
        (0b1111, 0b11110000, (0, 0), 0, (5, 5)),
        (0b111, 0b11110000, (0, 0), 0, (6, 7)),  # the first seat has three men, and is to play
        (0b1111, 0b1110000, (0, 0), 0, (7, 6)),
        (0b111, 0b1110000, (0, 0), 0, (8, 8)),
    ],
)
def test_phases_of_nine_mens_morris(own, other, hands, must_remove, phases):
    """As each seat sees them; the same position with the seats swapped has them swapped."""
    cells = game_cells(get_game("NineMensMorris-v0"))
    assert (cells.text, cells.num_phases) == ("morris", 9)
    position = NineMensMorris(own, other, *hands, must_remove, 0, 0)
    assert tuple(phase_of(cells, position, seat) for seat in range(2)) == phases
    swapped = position._replace(seat=1)
    assert tuple(phase_of(cells, swapped, seat) for seat in range(2)) == phases[::-1]


def test_without_phases():
    cells = game_cells(get_game("NineMensMorris-v0"), "morris(phases=0)")
    assert (cells.text, cells.num_phases) == ("morris(phases=0)", 1)
    assert phase_of(cells, NineMensMorris(7, 7 << 4, 0, 0, 0, 0, 0), 0) == 0


def agent_of(seats, phases=3, seed=1):
    """An agent of tic-tac-toe with weights drawn at random."""
    cells = game_cells(get_game("TicTacToe-v0"), f"planes(phases={phases})")
    shape = seats * phases, check_tuples(cells, TUPLES, arrays=1)
    weights = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    return NTupleAgent(cells, TUPLES, weights, {"pays": None}, symmetries=False)


def expected_value(agent, board, seat):
    """By the definition: tanh of the sum of the weights of the phase that a seat has moved into."""
    planes = board.observation(seat)
    states = (planes[..., 0] + 2 * planes[..., 1]).ravel().tolist()
    phases = agent.cells.num_phases
    phase = sum(state > 0 for state in states) * phases // 10
    table = agent.weights[phase + (phases * seat if len(agent.weights) > phases else 0)]
    start, total = 0, 0.0
    for tuple_ in agent.tuples:
        total += float(table[start + sum(states[cell] * 3**n for n, cell in enumerate(tuple_))])
        start += 3 ** len(tuple_)
    return math.tanh(total)


@pytest.mark.parametrize("seats", [1, 2])
def test_values_are_those_of_the_phase(seats):
    """Of actions that stay in a phase and that lead into the next, as the agent sees them and as an evaluation does."""
    agent = agent_of(seats)
    evaluation = agent.as_evaluation()
    for plies in range(7):
        board = random_board("TicTacToe-v0", 6, plies)
        seat, values = board.to_play, agent.action_values(board)
        for action in board.legal_actions:
            after = board.copy()
            after.push(action)
            if not after.is_terminal:
                assert values[action] == pytest.approx(expected_value(agent, after, seat), abs=1e-12)
                found = as_python(evaluate_kernel)(after.game.token, after.row, evaluation.data, seat)
                assert found == pytest.approx(values[action], abs=1e-12)


@pytest.mark.parametrize("seats", [1, 2])
def test_values_where_the_phase_goes_to_and_fro(seats):
    """Of the men that may be placed one closes a mill, neither the first nor the last; that seat then plays again."""
    cells, tuples = game_cells(get_game("NineMensMorris-v0")), ((0, 3), (21, 42), (42, 45, 48))
    shape = seats * cells.num_phases, check_tuples(cells, tuples, arrays=1)
    weights = np.random.default_rng(2).normal(size=shape).astype(np.float32)
    agent = NTupleAgent(cells, tuples, weights, {"pays": None}, symmetries=False)
    evaluation, phases = agent.as_evaluation(), []
    board = Board("NineMensMorris-v0", "W../.B./.../W..B../.../.../... w 7,7 0", compiled=False)
    values = agent.action_values(board)
    for action in board.legal_actions:
        after = board.copy()
        after.push(action)
        phases.append(phase_of(cells, after.position, 0))
        found = as_python(evaluate_kernel)(after.game.token, after.row, evaluation.data, 0)
        assert values[action] == pytest.approx(found, abs=1e-12)
    assert [action for action, phase in zip(board.legal_actions, phases, strict=True) if phase == 0] == [21]
    assert set(phases) == {0, 4}


@pytest.mark.parametrize("shares", [False, True])
def test_each_phase_learns_its_own_weights(shares):
    """Phase k has the afterstates of k + 1 pieces: those with one show no other, and seats move into every other one."""
    training = NTupleTraining(
        NTupleConfig(game="TicTacToe-v0", cells="planes(phases=9)", tuples=("cells(0,0 1,1)",), games=60, shares=shares)
    )
    training.play_to(60)
    weights = training.memory.weights.reshape(-1, 9, 9)
    assert set(np.flatnonzero(weights[0, 0]).tolist()) <= {0, 1, 3}  # no piece, one in the corner or in the middle
    phases = [np.flatnonzero(np.abs(table).sum(axis=1)).tolist() for table in weights]
    assert phases == ([[0, 1, 2, 3, 4, 5]] if shares else [[0, 2, 4], [1, 3, 5]])


def test_descent_learns_the_weights_of_each_phase():
    """Those of the seat that has moved into it."""
    training = DescentTraining(
        DescentConfig(game="TicTacToe-v0", cells="planes(phases=9)", tuples=("cells(1,1)",), games=2, budget=20, nodes=5000)
    )
    training.play_to(2)
    weights = training.memory.weights.reshape(2, 9, 3)
    phases = [np.flatnonzero(np.abs(table).sum(axis=1)).tolist() for table in weights]
    assert phases == [[0, 2, 4, 6, 8], [1, 3, 5, 7]]


def test_a_file_keeps_the_phases(tmp_path):
    agent, board = agent_of(2), random_board("TicTacToe-v0", 5, 4)
    agent.save(path := tmp_path / "agent.safetensors")
    kept = load_ntuple_agent(path, "TicTacToe-v0")
    assert (kept.cells.text, kept.weights.tolist()) == ("planes(phases=3)", agent.weights.tolist())
    assert kept.action_values(board) == agent.action_values(board)
    AGENTS.write(path, {"weights": agent.weights[:4]}, {**agent.header(), "tables": 4})
    with pytest.raises(SpecError, match=r"weights float32 \(4, 63\): expected float32 \(3, 63\) or \(6, 63\)"):
        load_ntuple_agent(path)


@pytest.mark.parametrize(("phase", "tables"), [(-1, (0, 3)), (0, (0, 3)), (2, (2, 5)), (3, (2, 5)), (2**62, (2, 5))])
def test_no_phase_leads_beyond_the_tables(phase, tables):
    """Of three phases; with a table for each seat, and with one for both."""
    own, shared = np.zeros((6, 1), np.float32), np.zeros((3, 1), np.float32)
    found = [plain(table_of)(own, seat, np.array([phase, 3])) for seat in range(2)]
    assert tuple(found) == tables
    assert [plain(table_of)(shared, seat, np.array([phase, 3])) for seat in range(2)] == [tables[0]] * 2


class Beyond(NamedTuple):
    """Cells with a phase more than they say."""

    unused: int = 0


@rule(Beyond, verb="write_cells")
def write_beyond(cells, position, seat, sheet):
    """All cells but one are empty."""
    sheet.states[:] = 0
    sheet.states[0] = position.own & 1
    sheet.phase[0] = 2


def test_phases_that_cannot_be(monkeypatch):
    monkeypatch.setattr(cells_of_games, "_REGISTERED", dict(cells_of_games._REGISTERED))
    register_cells("beyond", Beyond, lambda settings: 2, num_phases=lambda settings: 2)
    register_cells("none", Beyond, lambda settings: 2, num_phases=lambda settings: 0)
    for name, message in (
        ("beyond", r"cells 'beyond': phases from 0 to 2; expected them in \[0, 2\)"),
        ("none", "cells 'none': 0 phases; expected 1 to 64"),
        ("planes(phases=65)", "phases='65'"),
    ):
        with pytest.raises(OptionError, match=message):
            game_cells(get_game("TicTacToe-v0"), name)
