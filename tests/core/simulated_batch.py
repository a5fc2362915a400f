"""`Batch` on a card against `Batch` on the CPU: tests for a process with NUMBA_ENABLE_CUDASIM=1, as `simulated_card`."""

import copy
import pickle

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import boardgym
from boardgym import get_game
from boardgym.baselines.players.mixtures import Mixture
from boardgym.compile.cuda import cuda
from boardgym.core import cuda_policies
from boardgym.core.cuda_board import by_columns
from boardgym.core.errors import IllegalActionError, OptionError, UnsupportedGameError
from boardgym.core.policy import CompiledPolicy
from boardgym.core.policy_spec import make_policy
from boardgym.envs.batch import Batch
from boardgym.envs.cuda_stepping import make_replies
from tests.core.card_opponents import ntuple_agent
from tests.core.simulated_card import quick_switches  # noqa: F401  a fixture
from tests.core.users_policy import Echo

SHOWN = ("observations", "masks", "rewards")
OF_SIDES = ("seats", "payees", "members", "waits", "outcomes", "symmetries", "paid")


def pair(name, n, **settings):
    """The same games on the CPU and on a card, begun with the same seeds."""
    both = Batch(name, n, **settings), Batch(name, n, device="cuda", **settings)
    for batch in both:
        batch.seed(range(5, 5 + n))
        batch.restart(np.ones(n, bool))
    return both


def assert_equal(cpu, card):
    for name in SHOWN:
        ours, theirs = getattr(cpu, name), getattr(card, name).copy_to_host()
        assert ours.dtype == theirs.dtype, name
        np.testing.assert_array_equal(ours, theirs, name)
    for name in OF_SIDES:
        np.testing.assert_array_equal(getattr(cpu.sides, name), getattr(card.sides, name).copy_to_host(), name)
    for name in ("positions", "rngs", "plies", "endings", "num_keys"):
        np.testing.assert_array_equal(getattr(cpu.rows, name), getattr(card.rows, name).copy_to_host(), name)
    np.testing.assert_array_equal(cpu.plays_again(), card.plays_again())


def play_both(cpu, card, steps, *, share_illegal=0.0, seed=0):
    """Random actions of the learner, some of them perhaps illegal, and new games where one has ended; equal at each step.

    Returns how many games have ended.
    """
    rng, ended = np.random.default_rng(seed), 0
    assert_equal(cpu, card)
    for _ in range(steps):
        is_any = rng.random((cpu.num_envs, 1)) < share_illegal
        actions = (rng.random(cpu.masks.shape) * np.where(is_any, 1, cpu.masks)).argmax(1)
        done = cpu.step(actions)
        on_card = card.step(actions)
        np.testing.assert_array_equal(done, on_card.copy_to_host())
        assert_equal(cpu, card)
        ended += int(done.sum())
        for name, values in cpu.infos().items():
            np.testing.assert_array_equal(values, card.infos()[name], name)
        if done.any():
            cpu.restart(done)
            card.restart(on_card)
            assert_equal(cpu, card)
    return ended


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("TicTacToe-v0", {"opponent": "mix(0.5*greedy, 0.5*epsilon:0.3(random))", "seat": "random", "mirror": True}),
        ("ConnectFour-v0", {"opponent": "greedy", "seat": 1, "setup": "random:0-4"}),
        ("TicTacToe-v0", {"seat": "all", "illegal": "random"}),
        ("Backgammon-v0", {"opponent": "greedy", "seat": "random"}),
        ("Abalone3-v0", {"opponent": ["random", "greedy"], "seat": "random"}),
    ],
    ids=str,
)
def test_games_are_those_of_the_cpu(name, settings):
    play_both(*pair(name, 6, **settings), 5 if name == "TicTacToe-v0" else 2, share_illegal=0.3)


def test_games_that_are_over_before_the_learners_first_ply_are_drawn_anew():
    assert_equal(*pair("TicTacToe-v0", 6, setup="random:7"))


def test_what_a_network_has_learnt_is_as_the_opponents_were_set():
    agent = ntuple_agent(get_game("TicTacToe-v0"))
    cpu, card = pair("TicTacToe-v0", 7, opponent=agent, seat=1, illegal="random")
    assert play_both(cpu, card, 5) > 0
    agent.weights *= np.float32(-1)
    for batch in (cpu, card):
        batch.set_opponent(agent)
    play_both(cpu, card, 3)
    for batch in (cpu, card):
        batch.set_opponent("mix(0.5*random, 0.5*greedy)")
        batch.renew()
        batch.observe(batch.everywhere)
    play_both(cpu, card, 2)
    part = np.arange(7) < 3
    cpu.restart(part)
    card.restart(cuda.to_device(np.stack([part, ~part], axis=1))[:, 0])  # a column, whose elements do not lie together
    assert_equal(cpu, card)
    for batch in (cpu, card):
        batch.abandon(part)
    actions = cpu.masks.argmax(1)
    np.testing.assert_array_equal(cpu.step(actions, ~part), card.step(actions, ~part).copy_to_host())
    assert_equal(cpu, card)
    assert cpu.position(5) == card.position(5)


def test_illegal_actions_are_named():
    cpu, card = pair("ConnectFour-v0", 4, illegal="raise")
    for batch in (cpu, card):
        with pytest.raises(IllegalActionError, match="board 2: action 9 is illegal in ConnectFour-v0"):
            batch.step(np.array([0, 1, 9, -1]))
        batch.step(np.array([0, 1, 9, -1]), np.arange(4) < 2)  # no others are asked
        batch.seed([3, None, 4, 5], np.arange(4) < 3)
        batch.restart(np.arange(4) % 2 > 0)
    play_both(cpu, card, 1)


def test_keys_of_earlier_positions_find_room():
    cpu, card = pair("NineMensMorris-v0", 2)
    cpu.rows = cpu.rows._replace(keys=cpu.rows.keys[:, :66].copy())
    card.rows = card.rows._replace(keys=cuda.to_device(np.asfortranarray(cpu.rows.keys)))
    play_both(cpu, card, 24)
    assert card.rows.keys.shape == cpu.rows.keys.shape
    assert card.rows.keys.shape[1] > 66


def test_keys_that_count_no_more_are_forgotten():
    cpu, card = pair("Abalone-v0", 2)
    cpu.rows = cpu.rows._replace(keys=np.arange(132).reshape(2, 66), num_keys=np.full(2, 5))
    card.rows = by_columns(cpu.rows)
    play_both(cpu, card, 1)
    assert cpu.rows.num_keys.tolist() == [3, 3]  # the latest of five, and those of two plies
    np.testing.assert_array_equal(cpu.rows.keys[:, :3], card.rows.keys.copy_to_host()[:, :3])


def test_threads_whose_memory_is_not_local_play_many_games(monkeypatch):
    monkeypatch.setattr(cuda_policies, "MOST_LOCAL", 4)
    monkeypatch.setattr(cuda_policies, "MOST_BYTES", 1)
    game = get_game("TicTacToe-v0")
    cpu, card = pair("TicTacToe-v0", 6, opponent=CompiledPolicy(game, Echo(), "echo"))
    memory = card._on_card[0].room.memory
    memory.copy_to_device(np.zeros(memory.shape, np.uint64))
    play_both(cpu, card, 2)
    assert memory.copy_to_host().any(axis=1).tolist() == [True] * 4  # each of four threads, in a place of its own


def test_a_users_policy_plays_and_what_it_does_wrong_is_named():
    game = get_game("TicTacToe-v0")
    cpu, card = pair("TicTacToe-v0", 3, opponent=CompiledPolicy(game, Echo(), "echo"), setup="random:0-3")
    play_both(cpu, card, 4)
    wrong, said = CompiledPolicy(game, Echo(1), "wrong"), []
    for batch in (cpu, card):
        batch.restart(np.ones(3, bool))
    actions = cpu.masks.argmax(1)
    for batch in (cpu, card):
        batch.set_opponent(wrong)
        with pytest.raises(
            IllegalActionError, match=r"<wrong for TicTacToe-v0> played \d+ on board 0, which is illegal"
        ) as error:
            batch.step(actions)
        said.append(str(error.value))
        with pytest.raises(ResetNeeded, match="an opponent failed in an earlier call"):
            batch.step([0, 0, 0])
        batch.restart(np.zeros(3, bool))  # of no board: the opponent is not asked again
        batch.set_opponent("random")
    assert said[0] == said[1]
    play_both(cpu, card, 3)


@pytest.mark.parametrize("make", [cuda_policies.make_chooser, make_replies])
def test_networks_of_any_size_that_is_not_local_have_one_kernel(make):
    game, most = get_game("TicTacToe-v0"), cuda_policies.MOST_LOCAL
    token = make_policy("random", game).token
    assert make(game, token, most + 1) is make(game, token, 3 * most)
    assert len({make(game, token, words) for words in (1, most, most + 1)}) == 3


def test_opponents_change_wholly_or_not_at_all():
    cpu, card = pair("TicTacToe-v0", 3, opponent="greedy")
    broken = ntuple_agent(get_game("TicTacToe-v0"))
    broken.epsilon = "a third"  # which comes to light when the card is to have it
    with pytest.raises(ValueError, match="could not convert"):
        card.set_opponent(Mixture([make_policy("random", "TicTacToe-v0"), broken], [0.5, 0.5]))
    assert card.players == card.opponents
    assert repr(card.opponents) == repr(cpu.opponents)
    play_both(cpu, card, 2)


def test_a_policy_that_needs_much_memory_is_refused(monkeypatch):
    monkeypatch.setattr(cuda_policies, "MOST_WORDS", 10)
    agent = ntuple_agent(get_game("TicTacToe-v0"))
    with pytest.raises(
        UnsupportedGameError, match="needs 1,648 bytes for each game that it plays at once; on a card it may have 80"
    ):
        Batch("TicTacToe-v0", 2, opponent=agent, device="cuda")
    cpu, card = (boardgym.BatchBoard("TicTacToe-v0", 3, seed=1, device=device) for device in ("cpu", "cuda"))
    np.testing.assert_array_equal(cpu.act(agent), card.act(agent).copy_to_host())


@pytest.mark.parametrize("opponent", ["uct:8", "minimax:1", "mix(random, uct:8)"])
def test_searches_are_refused(opponent):
    with pytest.raises(UnsupportedGameError, match="is a search, which a card does not play"):
        Batch("TicTacToe-v0", 2, opponent=opponent, device="cuda")


def test_what_else_is_refused():
    class ByHand:
        def act(self, board, *, deterministic=False):
            return board.legal_actions[0]

        def reset(self, *, seed=None):
            pass

    card = Batch("TicTacToe-v0", 2, device="cuda")
    for opponent in (ByHand(), "uct:5,leaf_playouts=2"):
        with pytest.raises(UnsupportedGameError, match="is a search or plays in Python; a card plays compiled policies"):
            card.set_opponent(opponent)
    with pytest.raises(ResetNeeded, match="no game has begun"):
        card.step([0, 0])
    card.restart([True, True])
    for act in (pickle.dumps, copy.deepcopy):
        with pytest.raises(OptionError, match="a batch on a card cannot be"):
            act(card)
    with pytest.raises(OptionError, match=r"actions: expected integers of shape \(2,\)"):
        card.step([0.5, 1.0])
    with pytest.raises(OptionError, match="device='gpu'"):
        Batch("TicTacToe-v0", 2, device="gpu")
    with pytest.raises(OptionError, match="Mine is of Batch; expected a class of CudaBatch"):
        type("Mine", (Batch,), {})("TicTacToe-v0", 2, device="cuda")
