"""examples/ppo.py: advantages by hand and against games played again, masks, files, the same from the same seed, learning."""

import copy
import dataclasses
import itertools
import math
import resource

import numpy as np
import pytest
import torch

from boardgym import BatchBoard, Board
from boardgym.baselines import compare
from boardgym.core.errors import BoardgymError, OptionError, PositionError, SpecError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.policy_spec import make_policy
from boardgym.testing.trees import FOREST, SEEMS_LOST, Forest
from examples import ppo
from tests.support import ROOT, run_python


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def small(**settings):
    """Settings of short runs on tic-tac-toe."""
    usual = {"game": "TicTacToe-v0", "iterations": 3, "boards": 16, "plies": 8, "batch": 32, "hidden": 16, "channels": 4}
    return ppo.Args(**{**usual, **settings})


def played(game, boards, plies, max_plies=0, setup="standard"):
    """(the table, what a new network has played there)."""
    game = get_game(game)
    torch.manual_seed(1)
    table = ppo.Table(game, boards, setup, max_plies, "cpu")
    table.begin(5, {}, check=False)
    return table, ppo.play(ppo.Network(game, 4, 16), table, plies, torch.Generator().manual_seed(1))


def by_hand(rewards, values, seats, over, is_learnt, trace_decay):
    """Advantages of one board."""
    column = [torch.tensor(numbers)[:, None] for numbers in (rewards, values, seats, over, is_learnt)]
    plies = ppo.Plies(*[torch.zeros(0)] * 2, column[0], column[3], *[torch.zeros(0)] * 2, column[1], column[2], column[4])
    return ppo.advantages_of(plies, trace_decay)[:, 0].tolist()


def test_advantages_by_hand():
    """Seats 0, 1, 0; the third ply wins; what follows is another game, whose value 9 must not count."""
    game = [0.0, 0.0, 1.0], [0.1, 0.2, 0.3, 9.0], [0, 1, 0, 0], [False, False, True], [True] * 4
    # errors: -0.2 - 0.1 = -0.3; -0.3 - 0.2 = -0.5; 1 - 0.3 = 0.7. Sums: 0.7; -0.5 - 0.7 / 2 = -0.85; -0.3 + 0.85 / 2 = 0.125
    assert by_hand(*game, 0.5) == pytest.approx([0.125, -0.85, 0.7])
    assert by_hand(*game, 0.0) == pytest.approx([-0.3, -0.5, 0.7])
    # trace decay 1: value and advantage are the end of the game, for the winner 1 and for the other seat's last position -1
    assert by_hand(*game, 1.0) == pytest.approx([1 - 0.1, -1 - 0.2, 1 - 0.3])


def test_advantages_where_a_seat_plays_twice_and_at_the_end_of_a_rollout():
    """Seats 0, 0, 1, and 0 to play: its value 0.4 stands for the rest of the game."""
    # errors: 0.2 - 0.1 = 0.1; -0.3 - 0.2 = -0.5; -0.4 - 0.3 = -0.7. Sums: -0.7; -0.5 + 0.7 / 2 = -0.15; 0.1 - 0.15 / 2 = 0.025
    game = [0.0, 0.0, 0.0], [0.1, 0.2, 0.3, 0.4], [0, 0, 1, 0], [False] * 3, [True] * 4
    assert by_hand(*game, 0.5) == pytest.approx([0.025, -0.15, -0.7])


def test_advantages_before_a_cut():
    """The third ply is not learnt from: its value 0.3 counts for the second, its own error, with a reward of 1, does not."""
    game = [0.0, 0.0, 1.0], [0.1, 0.2, 0.3, 9.0], [0, 1, 0, 0], [False, False, True], [True, True, False, True]
    assert by_hand(*game, 0.5)[:2] == pytest.approx([-0.3 + 0.5 / 2, -0.5])


@pytest.mark.parametrize(("game", "boards", "plies"), [("TicTacToe-v0", 8, 30), ("NineMensMorris-v0", 2, 300)])
def test_both_seats_learn_the_results_of_their_games(game, boards, plies):
    """With trace decay 1, against games played again by `Board`; a mill has the same seat play twice."""
    _, found = played(game, boards, plies)
    targets = ppo.advantages_of(found, 1.0) + found.values[:-1]
    num_ended = num_twice = 0
    for i in range(boards):
        board, begun = Board(game), 0
        for t in range(plies):
            assert board.to_play == found.seats[t, i]
            assert board.legal_actions == found.masks[t, i].nonzero()[:, 0].tolist()
            board.push(int(found.actions[t, i]))
            assert board.is_terminal == found.over[t, i]
            if board.is_terminal:
                seats = found.seats[begun : t + 1, i].tolist()
                expected = [board.returns()[seat] for seat in seats]
                assert targets[begun : t + 1, i].tolist() == pytest.approx(expected, abs=1e-3)
                num_ended, num_twice = num_ended + 1, num_twice + sum(a == b for a, b in itertools.pairwise(seats))
                board, begun = Board(game), t + 1
    assert num_ended >= boards
    assert (num_twice > 0) == (game == "NineMensMorris-v0")


def test_games_that_are_cut():
    """After four plies: the fifth is played from the position whose value counts, then the next game begins."""
    table, found = played("TicTacToe-v0", 8, 20, max_plies=4)
    assert found.is_learnt[:, 0].tolist() == ([True] * 4 + [False]) * 4 + [True]
    assert (found.masks[::5] == 1).all()  # all cells are free
    assert (found.observations[4, ..., :2].sum((1, 2, 3)) == 4).all()
    torch.testing.assert_close(ppo.advantages_of(found, 0.9)[3] + found.values[3], -found.values[4])
    assert table.take_ended() == 8 * 4
    assert table.take_ended() == 0


def test_rewards_are_shares_of_the_greatest():
    """As of a game that pays 4 for a win at most; those of tic-tac-toe are then a quarter."""
    _, found = played(dataclasses.replace(get_game("TicTacToe-v0"), max_return=4.0), 8, 30)
    assert found.rewards.max() == 0.25


def test_masks_are_minus_infinity_and_gradients_are_numbers():
    network = ppo.Network(get_game("TicTacToe-v0"), 4, 16)
    masks = torch.zeros(3, 9)
    masks[0, 4], masks[1, [0, 8]], masks[2] = 1, 1, 1
    log_probs, values = network(torch.randn(3, 3, 3, 4), masks)
    assert (log_probs.isinf() == (masks == 0)).all()
    spread = ppo.entropy(log_probs)
    assert spread[0] == 0
    assert spread[1:].tolist() == pytest.approx([math.log(2), math.log(9)], abs=1e-2)  # it begins near uniform play
    (spread.sum() + log_probs[0, 4] + log_probs[1, 8] + values.sum()).backward()
    assert all(parameter.grad.isfinite().all() for parameter in network.parameters())
    assert not network.policy.weight.grad[1].eq(0).all()


def test_a_step_of_learning_by_hand():
    """One step down the gradient, against the loss ply by ply, of legal actions alone; ratios on both sides of the clip."""
    args = small(epochs=1, batch=1000, entropy=1.0)
    _, found = played("TicTacToe-v0", 8, 20, max_plies=4)
    learnt = found.is_learnt[:-1]
    found.log_probs += torch.linspace(-0.5, 0.5, 8)
    found.log_probs[~learnt] = torch.nan  # which is not looked at
    torch.manual_seed(2)
    network = ppo.Network(get_game("TicTacToe-v0"), 4, 16)
    network.policy.weight.data *= 100.0  # far from uniform play, where the entropy's gradient would be 0
    expected = copy.deepcopy(network)
    advantages = ppo.advantages_of(found, args.trace_decay)
    targets = advantages + found.values[:-1]
    mean, deviation = advantages[learnt].mean(), advantages[learnt].std(correction=0)
    loss = torch.zeros(())
    for t, i in learnt.nonzero().tolist():
        legal = found.masks[t, i].nonzero()[:, 0]
        log_probs, value = expected(found.observations[t, i][None], torch.ones(1, 9))
        chances = torch.distributions.Categorical(logits=log_probs[0, legal])
        ratio = (chances.log_prob((legal == found.actions[t, i]).nonzero()[0, 0]) - found.log_probs[t, i]).exp()
        advantage = (advantages[t, i] - mean) / deviation
        gain = advantage * (ratio.clamp(max=1.2) if advantage > 0 else ratio.clamp(min=0.8))
        loss = loss + ((value[0] - targets[t, i]) ** 2 - gain - chances.entropy()) / learnt.sum()
    loss.backward()
    norm = torch.cat([parameter.grad.flatten() for parameter in expected.parameters()]).norm()
    assert norm > 0.5  # so that it is clipped
    ppo.learn(network, torch.optim.SGD(network.parameters(), lr=1.0), found, args, torch.Generator().manual_seed(1))
    for parameter, before in zip(network.parameters(), expected.parameters(), strict=True):
        torch.testing.assert_close(parameter, before - 0.5 * before.grad / norm)


@pytest.mark.parametrize("game", ["ConnectFour-v0", "TicTacToe-v0"])
def test_the_agent_plays_as_the_network(game, tmp_path):
    """Probabilities of boardgym's own policy, of a file, are those of the network, with windows and without."""
    args = small(game=game, iterations=1, out=tmp_path)
    run = ppo.train(args)
    player = make_policy(f"network:{tmp_path / 'agent.safetensors'}", game)
    boards = BatchBoard(game, 20, setup="random:0-6", seed=1)
    with torch.no_grad():
        log_probs, _ = run.network(torch.from_numpy(boards.observation.copy()), torch.from_numpy(boards.mask.copy()))
    for i in range(20):
        np.testing.assert_allclose(player.action_probabilities(boards.board(i)), log_probs[i].exp().numpy(), atol=1e-5)


@pytest.mark.parametrize("settings", [{}, {"game": "NineMensMorris-v0", "setup": "random:20-40"}, {"max_plies": 3}], ids=str)
def test_same_seed_same_weights_also_when_it_goes_on(settings, tmp_path):
    """Weights, optimiser and games in progress: a run in two parts ends as one that was not interrupted."""
    whole = ppo.train(small(out=tmp_path / "whole", **settings))
    part = ppo.Training(small(out=tmp_path / "parts", **settings))
    part.step()
    part.save()
    part.step()  # and is killed before it has saved
    torch.set_num_threads(2)  # which is not what training goes by
    parts = ppo.train(small(out=tmp_path / "parts", **settings))
    other = ppo.train(small(out=tmp_path / "other", seed=2, **settings))
    first, second, third = (run.network.state_dict() for run in (whole, parts, other))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not all(torch.equal(first[name], third[name]) for name in first)
    assert whole.optimizer.param_groups[0]["lr"] == pytest.approx(small().learning_rate / 3)  # of the last of 3 iterations
    assert dataclasses.replace(parts.counts, seconds=0.0) == dataclasses.replace(whole.counts, seconds=0.0)
    files = [(tmp_path / name / "agent.safetensors").read_bytes() for name in ("whole", "parts")]
    assert files[0] == files[1]


def test_repetitions_count_from_one_iteration_to_the_next():
    table, _ = played("NineMensMorris-v0", 4, 60)
    before, ages = table.boards.history(range(4)), table.ages.tolist()
    table.begin(1, table.state(), check=False)
    assert any(len(keys) > 0 for keys in before)
    for keys, earlier in zip(table.boards.history(range(4)), before, strict=True):
        np.testing.assert_array_equal(keys, earlier)
    assert table.ages.tolist() == ages


def test_boards_of_a_card_in_the_simulator(tmp_path):
    """Numba's simulator has the boards, the CPU the tensors: the weights are those of a run on the CPU alone."""
    code = """
import sys, torch
from boardgym import BatchBoard
from examples import ppo

sys.setswitchinterval(1e-5)  # each thread of a block is one of Python, and one of them waits in a loop
found = []
for device in ("cpu", "cuda"):
    run = ppo.Training(ppo.Args(game="TicTacToe", boards=3, plies=7, hidden=8, iterations=2))
    run.table.boards = BatchBoard(run.game, 3, setup="random:0-2", seed=0, device=device)
    run.step()
    run.step()
    found.append(run.network.state_dict())
print(run.counts.games, type(run.table.boards).__name__, all(torch.equal(found[0][name], found[1][name]) for name in found[0]))
"""
    environment = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    games, kind, is_same = run_python("-c", code, cache=tmp_path, **environment).stdout.split()
    assert int(games) > 0
    assert (kind, is_same) == ("CudaBatchBoard", "True")


def test_other_games_are_refused(tmp_path):
    with pytest.raises(UnsupportedGameError, match="this self-play is for two seats: Abalone3-v0 has 3 seats"):
        ppo.train(small(game="Abalone3-v0", out=tmp_path))
    game = dataclasses.replace(FOREST, start=Forest(SEEMS_LOST, 0, 2), setups={})
    table, _ = played(game, 2, 8)
    with pytest.raises(UnsupportedGameError, match="this self-play is for games whose rewards sum to 0"):
        table.take_ended()


def test_settings_and_files_are_refused(tmp_path):
    args = small(iterations=2, out=tmp_path / "run")
    ppo.train(args)
    with pytest.raises(OptionError, match="another iterations, hidden, seed; give another --out"):
        ppo.train(dataclasses.replace(args, hidden=8, seed=3, iterations=5))
    ppo.train(dataclasses.replace(args, game="TicTacToe", opponents=("greedy",)))  # which are no other settings of training
    wrong = {"boards": (0, "8"), "plies": (1,), "learning_rate": (0.0, math.nan), "clip": (math.inf,), "device": ("abacus",)}
    wrong |= {"opponents": ((),), "eval_games": (3,)}
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(OptionError, match=name):
                ppo.train(small(out=tmp_path / "new", **{name: value}))
    with pytest.raises(SpecError, match="rnadom"):  # an opponent of the table, which comes last
        ppo.train(small(out=tmp_path / "new", opponents=("rnadom",)))
    assert not (tmp_path / "new").exists()
    path = args.out / "checkpoint.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(OptionError, match="delete it to begin anew"):
        ppo.train(args)


def finished():
    """Rows of 16 games of tic-tac-toe that are over."""
    boards = BatchBoard("TicTacToe-v0", 16, seed=1)
    while not boards.done.all():
        boards.step(np.argmax(boards.mask, axis=1))
    return boards.rows.copy()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"counts": {"iteration": "a"}}, "got `str` - at `\\$.iteration`"),
        ({"args": None}, "settings of a checkpoint"),
        ({"network/policy.bias": None}, "network/policy.bias is not there"),
        ({"adam/0/exp_avg": np.zeros(2, np.float32)}, "adam/0/exp_avg is float32"),
        ({"games/ages": None}, "games/ages is not there"),
        ({"games/positions": np.full((16, 3), 7)}, "games/positions is int64"),
        ({"games/positions": lambda rows: rows + 1000}, "board 0"),
        ({"games/lengths": np.ones(5, np.int64)}, "history"),
        ({"games/positions": lambda rows: finished()}, "game that is over"),
        ({"network/value.weight": lambda weights: weights * np.nan}, "network/value.weight holds numbers"),
        ({"network/policy.weight": lambda weights: np.full_like(weights, 3e38)}, "so large that units could be"),
        ({"adam/0/step": lambda step: np.full_like(step, -1)}, "adam/0/step holds numbers"),
        ({"adam/1/exp_avg_sq": lambda squares: squares - 1}, "adam/1/exp_avg_sq holds numbers"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_checkpoints_of_other_content_are_refused(change, message, tmp_path):
    """The digests are right, the content is not."""
    args = small(iterations=1, out=tmp_path)
    ppo.train(args)
    path = tmp_path / "checkpoint.safetensors"
    arrays, found = ppo.CHECKPOINTS.read(path, {})
    header = {name: found[name] for name in ("args", "counts")}
    for name, value in change.items():
        part = header if name in header else arrays
        part[name] = value(part[name]) if callable(value) else value
    ppo.CHECKPOINTS.write(path, {name: array for name, array in arrays.items() if array is not None}, header)
    with pytest.raises((OptionError, PositionError), match=message) as caught:
        ppo.train(args)
    assert isinstance(caught.value, BoardgymError)


def test_too_little_memory_is_said_in_a_sentence(tmp_path):
    """PyTorch raises a RuntimeError like any other where the CPU has no memory."""
    settings = ["--game", "TicTacToe", "--boards", "4096", "--plies", "1000000", "--out", str(tmp_path)]
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2**36, before[1]))  # less than the 147 GB that the observations would take
    try:
        with pytest.raises(SystemExit, match="error: not enough memory; give less --boards, --plies"):
            ppo.main(settings)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def test_it_learns(tmp_path):
    """Tic-tac-toe, 40 iterations, two seconds of CPU time. The bounds were set before any settings had been tried."""
    args = small(iterations=40, boards=128, plies=16, batch=512, hidden=64, out=tmp_path)
    run = ppo.Training(args)
    before = run.network.player(run.game)
    rates = []
    for player in (before, ppo.train(args).network.player(run.game)):
        table = compare(player, "TicTacToe-v0", ["random", "minimax:2"], games=100, seed=5, progress=False)
        rates.append([row.score.value for row in table.rows])
    print(rates)
    assert rates[0][0] < 0.7
    assert rates[1][0] > 0.85
    assert rates[1][1] > rates[0][1] + 0.1
