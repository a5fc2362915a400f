"""TD(lambda) with a network: weights against a second implementation with PyTorch, choices against looking by hand."""

from pathlib import Path

import numpy as np
import pytest
import torch
from training import Training

from boardgym import Board
from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning import learner as ln
from boardgym.baselines.learning.td import td_network as td
from boardgym.baselines.learning.td.td_network import MIDWAY, OVER, VALUED
from boardgym.baselines.networks import perceptron as pn
from boardgym.compile import plain
from boardgym.core.game import get_game
from tests.support import run_python

RISKY = {ln.RISK: -0.8, ln.STEP_SIZE: 0.3}


def twin(
    weights,
    shapes,
    turns,
    *,
    step_size,
    discount,
    trace_decay,
    kappa,
    end,
    includes_next=False,
    decays_alone=False,
    bootstraps_at_end=False,
    pays_so_far=False,
    values_states=False,
):
    """The weights after an episode, by the equations: each end of a turn from the one before it. end: features of the last."""
    actions, inputs, gains, rewards = turns
    layers = [torch.tensor(layer.copy(), requires_grad=True) for layer in shapes(weights)]

    def value(x):
        y = torch.sigmoid(torch.cat([torch.tensor(x), torch.ones(1, dtype=torch.float64)]) @ layers[0])
        return torch.tanh(torch.cat([y, torch.ones(1, dtype=torch.float64)]) @ layers[1]).sum()

    def gradient(x):
        return torch.autograd.grad(value(x), layers)

    ends = [t for t, action in enumerate(actions) if action != MIDWAY]
    traces, decay = [torch.zeros_like(layer) for layer in layers], trace_decay * (1.0 if decays_alone else discount)
    for number, t in enumerate(ends):
        if actions[t] != VALUED:
            break
        after = ends[number + 1] if number + 1 < len(ends) else None
        first, gain = (0, 0.0) if pays_so_far else (t, gains[t])
        paid = rewards[first : len(rewards) if after is None else after].sum() - gain
        target = torch.tensor(paid + (0.0 if after is None else gains[after]))
        before = value(inputs[t]).detach()
        if number == 0 or not includes_next:
            traces = [decay * e + g for e, g in zip(traces, gradient(inputs[t]), strict=True)]
        if bootstraps_at_end or (after is not None and actions[after] == VALUED):
            following = end if after is None else inputs[after]
            target = target + discount * value(following).detach()
            if includes_next:
                traces = [decay * e + g for e, g in zip(traces, gradient(following), strict=True)]
        delta = target - before
        change = step_size * delta * ((1 - kappa) if delta > 0 else (1 + kappa))
        with torch.no_grad():
            for layer, e, rate in zip(layers, traces, (1.0, 0.5), strict=True):
                layer += rate * change * e
    return np.concatenate([layer.detach().numpy().ravel() for layer in layers])


@pytest.mark.parametrize(
    ("game", "features", "settings", "options"),
    [
        ("Abalone-v0", "atributos(is_scaled=1)", {}, {"rewards": "material"}),
        ("Abalone-v0", "atributos(is_scaled=1)", {"includes_next": 1}, {"rewards": "material"}),
        ("Abalone-v0", "atributos(is_scaled=1)", {"decays_alone": 1}, {"rewards": "material"}),
        ("Abalone-v0", "atributos(is_scaled=1)", {"values_states": 1}, {"rewards": "material"}),
        ("Abalone-v0", "atributos(is_scaled=1)", {"bootstraps_at_end": 1, "includes_next": 1}, {"rewards": "material"}),
        ("Abalone-v0", "atributos(is_scaled=1)", {"pays_so_far": 1}, {"rewards": "material"}),
        (
            "Abalone-v0",
            "atributos(is_scaled=1)",
            {"values_states": 1, "bootstraps_at_end": 1, "pays_so_far": 1},
            {"rewards": "material"},
        ),
        ("Backgammon-v0", "tesauro", {}, {}),
    ],
)
def test_weights_are_those_of_the_equations(game, features, settings, options):
    training = Training(get_game(game, **options), features, rates=RISKY, turns=4000, **settings)
    for episode in range(3):
        before = training.net.weights.copy()
        training.run(1)

        def shapes(weights):
            return pn.layers_of(training.net._replace(weights=weights))

        turns = training.turns(0)
        want = twin(
            before, shapes, turns, step_size=0.3, discount=0.9, trace_decay=0.7, kappa=-0.8, end=training.end(0), **settings
        )
        assert training.net.weights == pytest.approx(want, abs=1e-10)
        assert abs(training.net.weights - before).max() > 1e-6, episode
        if game == "Backgammon-v0":
            assert MIDWAY in training.turns(0)[0]  # the first die of a roll


def test_a_turn_is_chosen_as_if_each_end_were_reckoned_anew():
    """What is kept of a turn changes nothing: with one slot, where each position drives the one before out, as with many."""
    few, many = (
        Training("Backgammon-v0", "tesauro", opponent="both", rates=RISKY, turns=4000, slots=slots).run(5)
        for slots in (1, 1024)
    )
    assert few.net.weights.tolist() == many.net.weights.tolist()
    assert few.play.counters[ep.PLIES] == many.play.counters[ep.PLIES] > 300


def test_turns_that_are_longer_than_is_looked_ahead(tmp_path):
    """Nor does it there, or when the other seat goes on; no episode leaves anything. In plain Python."""
    script = Path(__file__).parent / "long_turns.py"
    assert run_python(str(script), cache=tmp_path, NUMBA_DISABLE_JIT="1").stdout == "done\n"


def test_a_seat_that_does_not_learn_changes_nothing():
    training = Training("TicTacToe-v0", "planes", pays=(1.0, 0.0, -1.0))
    training.rows[:] = training.rows[1]  # neither does
    before = training.net.weights.copy()
    training.run(20)
    assert training.net.weights.tolist() == before.tolist()
    training = Training("TicTacToe-v0", "planes", pays=(1.0, 0.0, -1.0)).run(20)
    assert training.net.weights.tolist() != before.tolist()
    assert OVER in training.turns(0)[0] + training.turns(1)[0]


def test_it_learns_tic_tac_toe():
    """Against random play from hardly better than random to nearly all games not lost."""
    training = Training(
        "TicTacToe-v0",
        "planes",
        hidden=20,
        opponent="random",
        pays=(1.0, 0.0, -1.0),
        discount=1.0,
        rates={ln.DISCOUNT: 1.0, ln.EXPLORATION: 0.1, ln.STEP_SIZE: 0.05},
    )
    training.run(1000)
    won, drawn, lost = training.play.results[0, 1].tolist()
    training.run(9000)
    later = training.play.results[9, 1].tolist()
    assert sum(later) == won + drawn + lost == 1000
    assert later[2] < 60 < lost


def test_the_action_leads_to_the_greatest_value():
    game = get_game("Abalone-v0", rewards="material")
    training = Training(game, "atributos(is_scaled=1)")
    board = Board(game)
    net = training.net
    values = {}
    for action in board.legal_actions:
        board.push(action)
        net.units[: len(training.features.names)] = training.features(board, 0)
        values[action] = pn.gradient_kernel(net, 0.0, np.zeros(len(net.weights)))
        board.pop()
    best = max(values.values())
    training.run(1)
    # the features of where the first turn led are those of the best action
    _, inputs, _, _ = training.turns(0)
    fresh = Training(game, "atributos(is_scaled=1)").net
    fresh.units[: inputs.shape[1]] = inputs[0]
    assert pn.gradient_kernel(fresh, 0.0, np.zeros(len(fresh.weights))) == best


def test_states_and_ends_by_hand():
    """Tic-tac-toe with nothing learnt to tell moves apart: x_t is the board before move t, or after it; the end is the last."""
    for is_state in (0, 1):
        for settings in ({}, {"bootstraps_at_end": 1}):
            training = Training("TicTacToe-v0", "planes", pays=(1.0, 0.0, -1.0), values_states=is_state, **settings)
            moves = training.run_recorded()
            actions, inputs, gains, _ = training.turns(0)
            board, boards = Board("TicTacToe-v0"), []
            for move in moves:
                seat, before = board.to_play, board.observation(0).ravel()
                board.push(move)
                if seat == 0:
                    boards.append(before if is_state else board.observation(0).ravel())
            ends_it = len(moves) % 2 == 1  # seat 0's own last ply
            valued = len(boards) if is_state or settings or not ends_it else len(boards) - 1
            assert inputs[:valued].tolist() == [each.tolist() for each in boards[:valued]]
            assert actions == [VALUED] * (len(boards) - 1) + [OVER if ends_it and not is_state else VALUED]
            assert gains.tolist() == [0.0] * (len(boards) - 1) + [training.paid(0) if ends_it and not is_state else 0.0]
            assert training.end(0).tolist() == board.observation(0).ravel().tolist()
            if settings:
                assert training.memory.end.tolist() == training.end(0).tolist()


def test_counters_by_hand():
    """Decay 1/2: of (1, 0, 2), then (0, 1, 1), is left (1/2, 1, 2)."""
    counters = np.zeros(3)
    for inputs in ([1.0, 0.0, 2.0], [0.0, 1.0, 1.0]):
        plain(td.count_inputs)(counters, 0.5, np.array(inputs))
    assert counters.tolist() == [0.5, 1.0, 2.0]
    assert ln.KNOWN not in (OVER, MIDWAY, VALUED)  # `explore` would put it last


def test_exploring_goes_where_little_has_been_met():
    """All of seat 0's turns explore: each leads to the least c . Phi of all that it could lead to."""
    training = Training("TicTacToe-v0", "planes", way=ln.DIRECTED, counter_decay=0.5, rates={ln.EXPLORATION: 1.0})
    training.rows[1] = training.learner.row(training.settings._replace(way=ln.EPSILON, is_learning=0))
    counters, chosen = training.memory.counters[0].copy(), 0
    for _ in range(30):
        training.run(1)
        board, stones = Board("TicTacToe-v0"), np.zeros((2, 9))
        for action, inputs in zip(*training.turns(0)[:2], strict=True):
            if action == OVER:  # its inputs are not kept
                break
            after = inputs.reshape(3, 3, -1)[..., :2].reshape(9, 2).T  # own stones, the other's
            if board.ply > 0:
                board.push(int(np.flatnonzero(after[1] - stones[1])[0]))
            found = {}
            for move in board.legal_actions:
                board.push(move)
                found[move] = float(counters @ board.observation(0).ravel())
                board.pop()
            move = int(np.flatnonzero(after[0] - stones[0])[0])
            assert found[move] == pytest.approx(min(found.values()), abs=1e-9)
            chosen += len(set(found.values())) > 1
            board.push(move)
            assert board.observation(0).ravel().tolist() == inputs.tolist()
            counters, stones = 0.5 * counters + inputs, after
        assert training.memory.counters[0] == pytest.approx(counters, abs=1e-9)
    assert chosen > 60
