"""Q-Sarsa with a cascade network: targets by hand, games cut and repeated, what goes on, what is refused."""

import dataclasses
import json
import shutil

import numpy as np
import pytest

from boardgym import Board
from boardgym.baselines import play_match
from boardgym.baselines.learning.q_sarsa import QSarsa, QSarsaConfig
from boardgym.baselines.learning.q_sarsa_games import lambda_returns, make_decisions, play_kernel, replay_kernel
from boardgym.baselines.learning.q_sarsa_state import STORED
from boardgym.baselines.learning.runs import train_into
from boardgym.baselines.networks.cascade_files import load_cascade
from boardgym.baselines.networks.cascade_functions import LINEAR
from boardgym.baselines.networks.cascade_network import forward_kernel, make_cascade
from boardgym.baselines.networks.feature_maps import mover_map
from boardgym.baselines.search.evaluations import CascadeEvaluation
from boardgym.cli import main
from boardgym.compile import as_python
from boardgym.core import verbs
from boardgym.core.errors import OptionError, SpecError, UnknownGameError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.core.random import stream
from tests.core.shuttle import SHUTTLE
from tests.support import uncompiled_throughout

SMALL = QSarsaConfig(
    game="TicTacToe-v0", batches=4, games=40, window=100, temperature="linear(0.5, 0.2)", min_epochs=10, max_epochs=30,
    functions=("sigmoid_symmetric", "gaussian"), groups=2,
)  # fmt: skip
FILES = ("agent.safetensors", "curve.csv")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training in one go."""
    return train_into(QSarsa(SMALL), tmp_path_factory.mktemp("whole"))


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


# ---------------------------------------------------------------- targets


@pytest.mark.parametrize(
    ("sigma", "decay", "expected"),
    [
        (0.0, 0.0, [-0.35, -0.5, 0.0, 0.2, -0.5]),  # Q-learning: half of the best
        (1.0, 0.0, [-0.05, 0.0, 0.0, -0.25, -0.5]),  # Sarsa: half of what was taken
        (0.5, 0.0, [-0.2, -0.25, 0.0, -0.025, -0.5]),
        (0.5, 1.0, [0.0, 0.0, 0.0, -0.25, -0.5]),  # what the games paid
        (0.5, 0.5, [-0.06875, -0.125, 0.0, -0.1375, -0.5]),
    ],
)
def test_returns_by_hand(sigma, decay, expected):
    """Two games, with a discount of 0.5: of three plies, by seats 0, 1 and 0, and of two plies, both by seat 1."""
    taken, best = np.array([0.4, 0.1, 0.0, 0.3, -0.5]), np.array([0.9, 0.7, 1.0, 0.6, 0.4])
    out = np.empty(5)
    lambda_returns(taken, best, np.array([0, 1, 0, 1, 1]), np.array([3, 5]), sigma, 0.5, decay, out)
    assert out.tolist() == pytest.approx(expected)


def replayed(training, games, limit=99):
    """The decisions of games, by the network of a training."""
    actions, ends = np.concatenate(games), np.cumsum([len(game) for game in games])
    found = make_decisions(len(actions), len(training.start))
    data, scratch = CascadeEvaluation(training.features, training.net).data, np.empty(training.game.max_choices, np.int64)
    replay_kernel(training.game.token, training.start, data, 1.0, actions, ends, limit, scratch, found)
    return found


def test_decisions_of_a_network_that_knows_ends_alone():
    """x wins in the first game; in the second, which is cut, it could have won with its last action, and did not."""
    training = QSarsa(SMALL)
    found = replayed(training, [[0, 3, 1, 4, 2], [0, 3, 1, 8, 5]])
    assert found.taken.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert found.best.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert found.seats.tolist() == [0, 1, 0, 1, 0] * 2
    board = Board("TicTacToe")
    board.push(0)
    assert found.rows[0].tolist() == board.row.tolist()


def test_a_repetition_is_worth_what_the_game_pays_and_a_cut_nothing():
    game = get_game("Abalone", rewards="material")
    board = Board(game, compiled=False)
    first = board.position  # its first marble of the other colour is off the board
    board.set_position(first._replace(other=first.other & (first.other - 1), own_score=1))
    ahead = board.row
    features, found = mover_map(game), make_decisions(1, len(ahead))
    net = make_cascade(len(features.names), [], [(LINEAR, 1.0, np.zeros(len(features.names) + 1))])
    data, scratch = CascadeEvaluation(features, net).data, np.empty(game.max_choices, np.int64)
    actions, ends = np.array(board.legal_actions[:1]), np.array([1])
    board.push(actions[0])
    for limit, expected in ((1, 0.0), (2, as_python(verbs.draw_returns)(board.position, 0))):
        as_python(replay_kernel)(game.token, ahead, data, 1.0, actions, ends, limit, scratch, found)
        assert found.taken[0] == expected
    assert found.taken[0] > 0.0


def test_decisions_are_what_the_network_says_of_afterstates(whole):
    """And of the action that cut a game, a draw; the targets move from there towards the returns."""
    training, game = whole.training, [0, 3, 1, 8]
    found, board = replayed(training, [game]), Board("TicTacToe")
    evaluation = CascadeEvaluation(training.features, training.net)
    for t, action in enumerate(game):
        seat, values = board.to_play, {}
        for other in board.legal_actions:
            after = board.copy()
            after.push(other)
            values[other] = after.returns()[seat] if after.is_terminal else evaluation(after, seat)
        if t == len(game) - 1:
            values[action] = 0.0
        assert (found.taken[t], found.best[t]) == (values[action], max(values.values()))
        board.push(action)
    config = dataclasses.replace(SMALL, step_size=0.25, sigma=1.0, trace_decay=0.0)
    again = QSarsa(config)
    again.state = training.state
    inputs, targets, is_test = again.examples(training.state.actions, training.state.ends)
    whole_games = QSarsa(dataclasses.replace(config, step_size=1.0))
    whole_games.state = training.state
    full, said = whole_games.examples(training.state.actions, training.state.ends)[1], np.empty((len(targets), 1))
    forward_kernel(training.net, inputs, said)
    assert targets == pytest.approx(said + 0.25 * (full - said), abs=1e-12)
    assert 0 < is_test.sum() < 0.2 * len(is_test)


@pytest.mark.plain
def test_games_end_by_repetition_and_by_the_limit_of_plies():
    """In the shuttle game, whose seats step up and down for ever until one reaches the end of its track."""
    features = mover_map(SHUTTLE)
    inputs = len(features.names)
    data = CascadeEvaluation(features, make_cascade(inputs, [], [(LINEAR, 1.0, np.zeros(inputs + 1))])).data
    start, moves, endings = Board(SHUTTLE, compiled=False).row, np.empty(2, np.int64), set()
    for game in range(60):
        actions = np.empty((6, 60)[game % 2], np.int64)
        length = play_kernel(SHUTTLE.token, start, data, 1.0, 1.0, stream(1, game), moves, actions)
        board = Board(SHUTTLE, compiled=False)
        for action in actions[:length].tolist():
            board.push(action)  # no game goes on after its end
        outcome = board.outcome()
        endings.add("limit" if outcome is None else outcome.reason.name)
        assert length == len(actions) or outcome is not None
    assert endings == {"limit", "REPETITION", "RULES"}


# ---------------------------------------------------------------- trainings


def test_a_training_leaves_an_agent_that_searches_take(whole):
    training = whole.training
    assert whole.is_finished
    assert (training.done, training.total) == (4, 4)
    net, header = load_cascade(whole.agent_path)
    assert net.weights.tolist() == training.net.weights.tolist()
    assert header.training["method"] == "q-sarsa"
    assert training.report(whole.folder)["games"] == 160
    assert len(training.state.ends) == SMALL.window
    agent = f"evaluation=cascade(file:{whole.agent_path})"
    assert whole.player == f"uct:200,playout=softmax,{agent}"
    match = play_match(f"minimax:1,{agent}", "random", "TicTacToe-v0", games=20, seed=1)
    assert sum(game.score for game in match.games) >= 13.0
    with uncompiled_throughout():
        match = play_match(f"uct:20,playout=softmax,tau=0.3,{agent}", "random", "TicTacToe-v0", games=10, seed=1)
    assert sum(game.score for game in match.games) >= 6.5


def test_a_training_that_was_interrupted_ends_as_one_that_was_not(whole, tmp_path):
    """After each batch, on two threads; and once more, when there is nothing to do."""

    def interrupts(training):
        raise KeyboardInterrupt

    for done in range(1, 5):
        cut = train_into(QSarsa(SMALL, num_threads=2), tmp_path, on_piece=interrupts)
        assert (cut.ending, cut.resumed, cut.training.done) == ("interrupted", done - 1, done)
    assert train_into(QSarsa(SMALL), tmp_path).resumed == 4
    assert contents(tmp_path) == contents(whole.folder)
    with pytest.raises(OptionError, match=r"sigma=0\.25"):
        train_into(QSarsa(dataclasses.replace(SMALL, sigma=0.25)), tmp_path)
    other = train_into(QSarsa(dataclasses.replace(SMALL, seed=2, batches=1)), tmp_path / "other")
    assert other.training.net.weights.tolist() != whole.training.net.weights.tolist()


@pytest.mark.parametrize("name", FILES)
def test_what_is_lost_is_written_again(whole, tmp_path, name):
    """From the checkpoint; so is an agent that cannot be read."""
    folder = tmp_path / "copy"
    shutil.copytree(whole.folder, folder)
    assert whole.training.is_written(folder)
    (folder / name).unlink() if name == "curve.csv" else (folder / name).write_bytes(b"damaged")
    assert not whole.training.is_written(folder)
    train_into(QSarsa(SMALL), folder)
    assert contents(folder) == contents(whole.folder)


def test_the_command_with_minutes(tmp_path, capsys):
    """It ends with the batch in which they are over, and with more minutes goes on."""
    words = ["train", "q-sarsa", "--game", "TicTacToe", "--batches", "3", "--games", "20", "--window", "20", "--units", "0"]
    rest = ["--compare-games", "0", "--json", "--out", str(tmp_path)]
    found = []
    for minutes in ("1e-6", "1e-6", "0"):
        assert main([*words, "--minutes", minutes, *rest]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert [one["batches"] for one in found] == [1, 1, 3]
    assert [one["resumed"] for one in found] == [0, 1, 1]
    assert found[-1]["units"] == 0


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("actions", lambda it: it[::-1].copy(), "legal"),
        ("ends", lambda it: it[::-1].copy(), "out of order"),
        ("weights", lambda it: it * 1e6, "numbers that no training has"),
        ("functions", lambda it: it + 90, "numbers that no training has"),
        ("output_weights", lambda it: it[:-1], "output_weights is"),
    ],
)
def test_a_checkpoint_that_no_training_wrote_is_refused(whole, tmp_path, name, change, message):
    arrays, header = STORED.read(whole.folder / "checkpoint.safetensors", {})
    assert len(arrays["functions"]) > 0
    rest = {key: header[key] for key in ("training", "done", "seconds", "curve")}
    STORED.write(tmp_path / "checkpoint.safetensors", {**arrays, name: change(arrays[name])}, rest)
    with pytest.raises(SpecError, match=message):
        QSarsa(SMALL).load_checkpoint(tmp_path / "checkpoint.safetensors")


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"game": "Backgammon-v0"}, UnsupportedGameError, "leaves something to chance"),
        ({"game": "Abalone3-v0"}, UnsupportedGameError, "3 seats"),
        ({"game": "TicTacTo"}, UnknownGameError, "TicTacToe"),
        ({"batches": 0}, OptionError, "batches=0: expected a whole number from 1"),
        ({"games": 9}, OptionError, "games=9: expected a whole number from 10"),
        ({"window": 39}, OptionError, "window=39: expected a whole number from 40"),
        ({"sigma": 1.5}, OptionError, r"sigma=1\.5: expected a number from 0 to 1"),
        ({"discount": -0.1}, OptionError, r"discount=-0\.1: expected a number from 0 to 1"),
        ({"step_size": 0.0}, OptionError, r"step_size=0\.0: expected a number above 0, at most 1"),
        ({"temperature": "0"}, OptionError, r"temperature='0': expected values from 0\.01"),
        ({"minutes": -1.0}, OptionError, r"minutes=-1\.0: expected 0 or more"),
        ({"functions": ("tanh",)}, OptionError, "'tanh'"),
        ({"max_units": 20_000}, OptionError, "max_units=20000: expected"),
        ({"features": "plane"}, OptionError, "did you mean 'planes'"),
        ({"search": "uct:100"}, SpecError, r"expected a search .*; .*evaluation= goes with .*playout=softmax"),
    ],
)
def test_what_is_refused(change, error, message):
    with pytest.raises(error, match=message):
        QSarsa(dataclasses.replace(SMALL, **change))
