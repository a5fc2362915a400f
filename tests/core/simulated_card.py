"""Boards on a card against boards on the CPU: tests for a process with NUMBA_ENABLE_CUDASIM=1, begun by `test_cuda_board`.

The simulator runs each thread of a block in a Python thread, and one of them waits in a loop: hence the switch interval.
"""

import copy
import pickle
import sys

import numpy as np
import pytest

import boardgym
from boardgym.core import cuda_board, cuda_policies
from boardgym.core.cuda_board import CudaBatchBoard
from boardgym.core.errors import IllegalActionError, OptionError, PositionError, RuleError
from boardgym.core.playing import PLIES_AT_ONCE
from boardgym.core.policy import CompiledPolicy
from tests.core.card_opponents import network, ntuple_agent
from tests.core.users_policy import Echo, Recall

ATTRIBUTES = ("observation", "mask", "rewards", "done", "to_play", "ply", "rows")


@pytest.fixture(autouse=True, scope="module")
def quick_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def pair(name, n, **settings):
    """The same boards on the CPU and on a card."""
    settings.setdefault("seed", 7)
    return boardgym.BatchBoard(name, n, **settings), boardgym.BatchBoard(name, n, device="cuda", **settings)


def assert_equal(cpu, card):
    for name in ATTRIBUTES:
        ours, theirs = getattr(cpu, name), getattr(card, name).copy_to_host()
        assert ours.dtype == theirs.dtype, name
        np.testing.assert_array_equal(ours, theirs, name)
    np.testing.assert_array_equal(cpu._rows.rngs, card._rows.rngs.copy_to_host())
    np.testing.assert_array_equal(cpu._rows.endings, card._rows.endings.copy_to_host())
    for ours, theirs in zip(cpu.history(range(len(cpu))), card.history(range(len(cpu))), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def play_both(cpu, card, most_steps=10**6, every=10):
    """Random games to their end, or so many steps of them, looked at after each of the first steps and then every tenth."""
    assert_equal(cpu, card)
    for step in range(most_steps):
        if cpu.done.all():
            break
        actions, on_card = cpu.act("random"), card.act("random")
        np.testing.assert_array_equal(actions, on_card.copy_to_host())
        cpu.step(actions)
        card.step(on_card)
        if step < 3 or step % every == 0:
            assert_equal(cpu, card)
    assert_equal(cpu, card)


@pytest.mark.parametrize(
    ("name", "n", "steps", "settings"),
    [
        ("TicTacToe-v0", 50, 9, {}),
        ("ConnectFour-v0", 10, 42, {"setup": "random:0-6"}),
        ("Backgammon-v0", 6, 30, {}),
        ("CardPoints-v0", 6, 8, {}),
        ("NineMensMorris-v0", 5, 25, {}),
    ],
    ids=str,
)
def test_games_are_those_of_the_cpu(name, n, steps, settings):
    play_both(*pair(name, n, **settings), steps)


def test_some_boards_start_anew_and_the_others_stay():
    cpu, card = pair("TicTacToe-v0", 11)
    for _ in range(6):
        actions = cpu.act("random")
        card.act("random")
        cpu.step(actions)
        card.step(actions.astype(np.uint8))
    assert 0 < cpu.done.sum() < 11
    cpu.reset(cpu.done.copy())
    card.reset(card.done)
    assert_equal(cpu, card)
    cpu.reset(np.arange(11) < 2, seed=3)
    card.reset(np.arange(11) < 2, seed=3)
    play_both(cpu, card)


def test_an_illegal_action_is_named_and_changes_nothing():
    cpu, card = pair("ConnectFour-v0", 6, setup="random:3")
    actions = cpu.act("random")
    actions[[2, 5]] = 7, -1
    for boards in (cpu, card):
        with pytest.raises(IllegalActionError, match="board 2: action 7 is illegal in ConnectFour-v0"):
            boards.step(actions)
    card.act("random")
    assert_equal(cpu, card)
    play_both(cpu, card, 4)


def test_other_arguments_are_refused_as_on_the_cpu():
    _, card = pair("TicTacToe-v0", 3)
    for actions in ([0, 1], [0.0, 1.0, 2.0], card.rewards):
        with pytest.raises(OptionError, match=r"actions: expected integers of shape \(3,\)"):
            card.step(actions)
    for where in ([True], [1, 0, 1], card.mask):
        with pytest.raises(OptionError, match=r"where: expected bool of shape \(3,\)"):
            card.reset(where)
    with pytest.raises(OptionError, match="seed=-1"):
        card.reset(seed=-1)
    with pytest.raises(OptionError, match="num_boards=0"):
        boardgym.BatchBoard("TicTacToe-v0", 0, device="cuda")
    with pytest.raises(OptionError, match="no option 'size'"):
        boardgym.BatchBoard("TicTacToe-v0", 1, device="cuda", size=3)


def ask_both(cpu, card, policies, monkeypatch, deterministic=False):
    """Plays what policies say, one a ply, which is the same on both; the card does not ask the CPU."""
    for policy in policies:
        actions = cpu.act(policy, deterministic=deterministic)
        with monkeypatch.context() as patch:
            patch.setattr(CudaBatchBoard, "_host", None)
            on_card = card.act(policy, deterministic=deterministic)
        np.testing.assert_array_equal(actions, on_card.copy_to_host())
        cpu.step(actions)
        card.step(on_card)
        np.testing.assert_array_equal(cpu._rows.rngs, card._rows.rngs.copy_to_host())
    assert_equal(cpu, card)


@pytest.mark.parametrize(
    ("name", "policies"),
    [
        ("ConnectFour-v0", ["greedy", "epsilon:0.5(greedy)", "random"]),
        ("Othello-v0", ["greedy:evaluation=league", "epsilon:0.5(positional)"]),
        ("Backgammon-v0", ["greedy", "random"]),
    ],
)
def test_compiled_policies_play_on_the_card(name, policies, monkeypatch):
    ask_both(*pair(name, 5), policies, monkeypatch)
    ask_both(*pair(name, 5), policies[:1], monkeypatch, deterministic=True)


@pytest.mark.parametrize("most_local", [cuda_policies.MOST_LOCAL, 4])
def test_networks_play_on_the_card(most_local, monkeypatch):
    """With each thread's memory in local arrays, and in slices for few threads, which play several games each."""
    monkeypatch.setattr(cuda_policies, "MOST_LOCAL", most_local)
    monkeypatch.setattr(cuda_policies, "MOST_BYTES", 1)
    game = boardgym.get_game("TicTacToe-v0")
    learner, stray = ntuple_agent(game), ntuple_agent(game, seed=2)
    stray.epsilon = 0.5
    cpu, card = pair("TicTacToe-v0", 9, setup="random:0-3")
    assert card._new_player(learner).room.blocks == (1 if most_local == 4 else 3)
    ask_both(cpu, card, [learner, network(game), stray], monkeypatch)
    learner.weights *= np.float32(-1)  # it has learnt
    ask_both(cpu, card, [learner], monkeypatch)


def play_many(cpu, card, policy, plies, **how):
    """Many plies in a call, on both, which the card does without asking the CPU."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CudaBatchBoard, "_host", None)
        on_card = card.play(policy, plies, **how)
    for ours, theirs in zip(cpu.play(policy, plies, **how), on_card, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert_equal(cpu, card)


@pytest.mark.parametrize("auto_reset", [True, False])
@pytest.mark.parametrize(
    ("name", "policies", "plies"),
    [
        ("TicTacToe-v0", ["epsilon:0.5(greedy)", "random"], 12),
        ("ConnectFour-v0", ["random", "greedy"], 12),
        ("Backgammon-v0", ["random"], 8),
        ("NineMensMorris-v0", ["random"], 2 * PLIES_AT_ONCE + 20),
    ],
)
def test_many_plies_in_one_call(name, policies, plies, auto_reset):
    """Also of games that are over, and of later calls."""
    both = pair(name, 6 if plies < PLIES_AT_ONCE else 2, setup="random:0-2")
    for policy in policies:
        for count in (plies, 1):
            play_many(*both, policy, count, auto_reset=auto_reset)
    if not auto_reset:
        play_many(*both, "random", 10**9 if name == "TicTacToe-v0" else 1, auto_reset=False)  # it ends when all games are over


@pytest.mark.parametrize("most_local", [cuda_policies.MOST_LOCAL, 4])
def test_networks_play_many_plies(most_local, monkeypatch):
    """With memory of either kind; of few threads, which play several games each; from several starts; their best too."""
    monkeypatch.setattr(cuda_policies, "MOST_LOCAL", most_local)
    monkeypatch.setattr(cuda_policies, "MOST_BYTES", 1)
    game = boardgym.get_game("TicTacToe-v0")
    stray = ntuple_agent(game, seed=2)
    stray.epsilon = 0.5
    both = pair("TicTacToe-v0", 9, setup="sequences:1")
    for policy in (network(game), stray):
        for deterministic in (False, True):
            play_many(*both, policy, 12, deterministic=deterministic)


def test_policies_see_the_history():
    game = boardgym.get_game("NineMensMorris-v0")
    play_many(*pair("NineMensMorris-v0", 2), CompiledPolicy(game, Recall(), "recall"), 30)


class Uncompiled:
    """A kernel that does not compile for the card, which the simulator has not."""

    def __init__(self):
        self.tries = 0

    def __getitem__(self, launch):
        self.tries += 1
        raise RuleError("nothing for a card")


def test_what_does_not_compile_plays_on_the_cpu_and_is_tried_once(monkeypatch):
    monkeypatch.setattr(cuda_board, "_FOR_THE_CPU", set())
    kernel = Uncompiled()
    for name in ("make_playing", "make_chooser"):
        monkeypatch.setattr(cuda_board, name, lambda *_: kernel)
    cpu, card = pair("TicTacToe-v0", 3)
    for plies in (30, 3):
        for ours, theirs in zip(cpu.play("random", plies), card.play("random", plies), strict=True):
            np.testing.assert_array_equal(ours, theirs)
        assert_equal(cpu, card)
    assert kernel.tries == 1


def test_policies_of_the_cpu_play_many_plies_too():
    cpu, card = pair("TicTacToe-v0", 3)
    tally, (games, rewards) = cpu.play("uct:3", 12), card.play("uct:3", 12)
    np.testing.assert_array_equal(tally.games, games)
    np.testing.assert_array_equal(tally.rewards, rewards)
    assert_equal(cpu, card)


def test_policies_that_break_the_rules_are_named():
    """In the part of a call in which they do; of several boards the first is named, whichever of a block it is."""
    game, said = boardgym.get_game("TicTacToe-v0"), []
    for boards in pair("TicTacToe-v0", 7):
        later = boards.take([0])
        later.play("random", 3)
        boards.put([5, 6], later.take([0, 0]))
        with pytest.raises(IllegalActionError, match=r"board 5: action 99 is illegal .*; 6 actions") as error:
            boards.play(CompiledPolicy(game, Recall(9), "recall"), 1)
        said.append(str(error.value))
        boards.play("random", 3)
    assert said[0] == said[1]
    with pytest.raises(IllegalActionError, match="action 99 is illegal"):
        boards.play(CompiledPolicy(game, Echo(1), "wrong", epsilon=0.97), 10 * PLIES_AT_ONCE)


def test_a_set_up_that_ends_every_game(monkeypatch):
    _, card = pair("TicTacToe-v0", 2)
    card._plies = (9, 9)
    monkeypatch.setattr("boardgym.core.rows.MAX_DRAWS", 2)
    with pytest.raises(OptionError, match="draws ended every game before play began"):
        card.play("random", 10)


def test_of_a_policy_each_thread_has_what_it_writes():
    """And all read what it has learnt."""
    game = boardgym.get_game("ConnectFour-v0")
    player = network(game)
    (scratch,), begun = cuda_policies.needs_of(game, player)
    assert scratch.weights is player.data[1]
    own, others = begun.copy(), begun.copy()
    ((mine,), (theirs,)) = (cuda_policies.placed_in(memory, (scratch,)) for memory in (own, others))
    mine.legal[:], mine.row[:] = 7, 0.5
    assert (mine.legal == 7).all()
    assert (mine.row == 0.5).all()
    assert (theirs.legal == 0).all()
    assert not np.shares_memory(mine.legal, mine.row)


def test_what_passes_through_the_cpu():
    """Positions, policies, copies: equal too, and what follows them."""
    cpu, card = pair("Backgammon-v0", 5)
    for boards in (cpu, card):
        boards.step(boards.act("uct:4"))
    assert_equal(cpu, card)
    rows, where = cpu.rows[:2].copy(), np.arange(5) >= 3
    cpu.set_positions(rows, where)
    card.set_positions(rows, where)
    assert_equal(cpu, card)
    with pytest.raises(PositionError, match="expected 5 positions"):
        card.set_positions(rows)
    assert type(card) is type(card.copy())
    assert_equal(cpu.take([4, 0, 0]), card.take([4, 0, 0]))
    cpu.put([1, 2], cpu.take([3, 4]))
    card.put([1, 2], card.take([3, 4]))
    play_both(cpu, card, 4)
    assert card.positions == cpu.positions
    assert card.board(1).position == cpu.board(1).position
    assert repr(card) == "<BatchBoard of 5 games of Backgammon-v0, 0 over, on a card>"


def test_keys_of_earlier_positions_find_room():
    """Of a game that counts repetitions, from little room; more is made when half of it is taken."""
    cpu, card = pair("NineMensMorris-v0", 2)
    cpu._rows, card._rows = (rows._replace(keys=rows.keys[:, :70]) for rows in (cpu._rows, card._rows))
    card._set_rows(cpu._rows)
    play_both(cpu, card, 40, every=20)
    assert card._rows.keys.shape[1] > 70


class OfTheCpu(boardgym.BatchBoard):
    pass


def test_a_class_of_the_cpus_boards_does_not_become_one_of_a_card():
    assert isinstance(OfTheCpu("TicTacToe-v0", 2), OfTheCpu)
    with pytest.raises(OptionError, match=r"device='cuda': OfTheCpu is of BatchBoard; expected a class of CudaBatchBoard"):
        OfTheCpu("TicTacToe-v0", 2, device="cuda")
    card = type(boardgym.BatchBoard("TicTacToe-v0", 2, device="cuda"))
    made = type("Mine", (card,), {})("TicTacToe-v0", 2, seed=1, device="cuda")
    assert len(made.reset()[0]) == 2


def test_what_a_card_cannot_keep_in_a_file():
    boards = boardgym.BatchBoard("TicTacToe-v0", 2, device="cuda")
    with pytest.raises(OptionError, match="boards on a card cannot be pickled"):
        pickle.dumps(boards)
    boards.step(boards.act("random"))
    np.testing.assert_array_equal(copy.deepcopy(boards).rows.copy_to_host(), boards.rows.copy_to_host())
    with pytest.raises(OptionError, match="num_threads=-3"):
        boardgym.BatchBoard("TicTacToe-v0", 2, device="cuda", num_threads=-3)
