"""examples/alphazero.py: its search against brute force, legality, the same from the same seed, files, and that it learns."""

import dataclasses
import functools
import math
import resource
from pathlib import Path

import numpy as np
import pytest
import torch

from boardgym import BatchBoard, Board
from boardgym.baselines import compare
from boardgym.core.errors import BoardgymError, OptionError, UnsupportedGameError
from boardgym.core.game import get_game
from boardgym.testing.trees import FOREST, SEEMS_LOST, Forest
from examples import alphazero as az


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def small(**settings):
    """Settings of short runs on tic-tac-toe, without a curve."""
    usual = {"game": "TicTacToe-v0", "games": 32, "simulations": 8, "channels": 16, "blocks": 1, "eval_games": 0}
    return az.Args(**{**usual, **settings})


@functools.cache
def worth(fen):
    """The value of each legal action of a tic-tac-toe position, by playing all games to their ends."""
    values = {}
    for action in Board.from_fen(fen, "TicTacToe-v0").legal_actions:
        board = Board.from_fen(fen, "TicTacToe-v0")
        seat = board.to_play
        board.push(action)
        values[action] = board.returns()[seat] if board.is_terminal else -max(worth(board.fen()).values())
    return values


def after(board, action):
    """The board after an action."""
    reached = board.copy()
    reached.push(action)
    return reached


def winning_actions(board):
    """Those that win at once."""
    seat = board.to_play
    return [a for a in board.legal_actions if (reached := after(board, a)).is_terminal and reached.returns()[seat] == 1]


def test_search_without_knowledge_against_brute_force():
    """With uniform policy and value 0: it wins in one, blocks, and its improved policy is worth more than the uniform one."""
    boards = BatchBoard("TicTacToe-v0", 400, setup="random:3-5", seed=1)
    network = az.Network(boards.game, channels=4, blocks=0)
    args = small(simulations=128, considered=9)
    actions, policies, visits = az.search(network, boards, args, 0.0)
    assert (visits.sum(-1) == 128).all()
    wins = blocks = 0
    gains = []
    for i, (action, policy) in enumerate(zip(actions, policies, strict=True)):
        board = boards.board(i)
        values = worth(board.fen())
        winning = winning_actions(board)
        unsafe = [a for a in values if winning_actions(after(board, a))]
        if winning:
            wins += 1
            assert action in winning, board
        elif len(unsafe) == len(values) - 1 and max(values.values()) >= 0:
            blocks += 1
            assert action not in unsafe, board
        gains.append(sum(policy[a] * value for a, value in values.items()) - np.mean(list(values.values())))
    assert wins > 50
    assert blocks > 50
    assert np.mean(gains) > 0.25


def test_halving():
    """Eight actions, 24 simulations: a visit for each, then two for each of the best four, then the best two share the rest."""
    assert az.halving(8, 24) == [0] * 8 + [1] * 4 + [2] * 4 + [3] * 2 + [4] * 2 + [5] * 2 + [6] * 2
    assert az.halving(1, 5) == [0, 1, 2, 3, 4]


class Hashed(torch.nn.Module):
    """A network that says the same of a board in any batch, to the last bit: noise from the board's own bytes."""

    def __init__(self):
        super().__init__()
        self.stem = torch.nn.Conv2d(1, 1, 1)

    def forward(self, observations, masks):
        draws = [np.random.default_rng(list(board.numpy().tobytes())).normal(size=masks.shape[1] + 1) for board in observations]
        answers = torch.from_numpy(np.stack(draws))
        logits = (1.5 * answers[:, 1:]).masked_fill(masks == 0, az.ILLEGAL)
        return logits.log_softmax(-1), (0.7 * answers[:, 0]).tanh()


class Node:
    """A position of the reference search."""

    def __init__(self, board):
        logits, values = az.evaluate(Hashed(), board)
        self.board, self.logits, self.value = board, logits[0], values[0]
        self.legal, self.visits, self.totals, self.children = (
            board.mask[0] == 1,
            0 * board.mask[0].astype(int),
            0 * logits[0],
            {},
        )

    def scores(self, scale):
        seen, policy, count = self.visits > 0, np.exp(self.logits), self.visits.sum()
        q = self.totals / np.maximum(self.visits, 1)
        mixed = (self.value + count * (policy[seen] @ q[seen]) / policy[seen].sum()) / (1 + count) if count else self.value
        return np.where(self.legal, self.logits + (50 + self.visits.max()) * scale * np.where(seen, q, mixed), -np.inf)

    def visit(self, action, scale):
        """One simulation through an action; what it is worth to who plays it."""
        seat, is_new = self.board.to_play[0], action not in self.children
        if is_new:
            after = self.board.copy()
            after.step([action])
            self.children[action] = Node(after)
        child = self.children[action]
        worth = child.value
        if not is_new and not child.board.done[0]:
            shares = child.visits / (1 + child.visits.sum())
            worth = child.visit(int((az.softmax(child.scores(scale)) - shares).argmax()), scale)
        worth = child.board.rewards[0][seat] + (worth if child.board.to_play[0] == seat else -worth)
        self.visits[action] += 1
        self.totals[action] += worth
        return worth


def reference(board, simulations, considered, gumbel, scale):
    """Sequential halving, one game and one simulation after the other: each pass visits those that the one before has left."""
    root, passed = Node(board), 0
    left = tried = min(considered, int(root.legal.sum()), simulations)
    rounds = max(1, math.ceil(math.log2(tried)))
    while root.visits.sum() < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            for _ in range(min(left, simulations - root.visits.sum())):
                due = root.visits == passed
                root.visit(int(np.where(due, gumbel + root.scores(scale), -np.inf).argmax()), scale)
            passed += 1
        left = min(tried, max(2, left // 2))
    most = root.visits == root.visits.max()
    return int(np.where(most, gumbel + root.scores(scale), -np.inf).argmax()), root


@pytest.mark.parametrize(("game", "setup"), [("TicTacToe-v0", "random:0-5"), ("NineMensMorris-v0", "random:10-24")])
def test_search_against_one_game_at_a_time(game, setup):
    """The reference shares nothing with the batched trees; a mill has the same seat play twice."""
    boards, rng, twice = BatchBoard(game, 8, setup=setup, seed=5), np.random.default_rng(0), 0
    for simulations, considered in ((1, 8), (24, 8), (40, 5)):
        args, gumbel = small(simulations=simulations, considered=considered), rng.gumbel(size=boards.mask.shape)
        actions, policies, visits = az.search(Hashed(), boards, args, gumbel)
        for i in range(len(boards)):
            action, root = reference(boards.take([i]), simulations, considered, gumbel[i], args.value_scale)
            assert action == actions[i]
            np.testing.assert_array_equal(visits[i], root.visits)
            np.testing.assert_allclose(policies[i], az.softmax(root.scores(args.value_scale)), atol=1e-9)
            twice += sum(child.board.to_play[0] == root.board.to_play[0] for child in root.children.values())
    assert (twice > 0) == (game == "NineMensMorris-v0")


@pytest.mark.parametrize("game", ["TicTacToe-v0", "NineMensMorris-v0"])
def test_values_are_the_results_of_the_games(game, monkeypatch):
    """The games are played again from the actions that the searches chose, and scored by `Board`."""
    chosen, search = [], az.search

    def noted(*arguments):
        found = search(*arguments)
        chosen.append(found[0])
        return found

    monkeypatch.setattr(az, "search", noted)
    args, rng = small(setup="standard", games=4, simulations=2), np.random.default_rng(3)
    data = az.self_play(az.Network(get_game(game), 4, 0), get_game(game), args, rng)
    boards = [Board(game) for _ in range(4)]
    going, played = boards, []
    for actions in chosen:
        played += [(board, board.to_play) for board in going]
        for board, action in zip(going, actions, strict=True):
            board.push(int(action))
        going = [board for board in going if not board.is_terminal]
    assert not going
    expected = [board.returns()[seat] for board, seat in played]
    np.testing.assert_array_equal(data["values"], expected)
    assert set(expected) > {-1.0} if game == "TicTacToe-v0" else len(expected) > 100


@pytest.mark.plain
def test_games_whose_rewards_do_not_sum_to_0_are_refused():
    game = dataclasses.replace(FOREST, start=Forest(SEEMS_LOST, 0, 2), setups={})
    with pytest.raises(UnsupportedGameError, match="rewards sum to 0"):
        az.self_play(az.Network(game, 4, 0), game, small(setup="standard"), np.random.default_rng(1))


def test_games_without_an_end_are_drawn():
    game = get_game("TicTacToe-v0")
    short = dataclasses.replace(game, max_plies=4)
    data = az.self_play(az.Network(short, 4, 0), short, small(setup="standard"), np.random.default_rng(1))
    assert len(data["values"]) == 32 * 4
    assert not data["values"].any()


@pytest.mark.parametrize("game", ["ConnectFour-v0", "NineMensMorris-v0"])
def test_only_legal_actions(game):
    """Also where a seat plays twice in a row (a mill), and with fewer simulations than actions."""
    boards = BatchBoard(game, 6, setup="random:0-12", seed=2)
    network = az.Network(boards.game, channels=4, blocks=1)
    for layer in (network.policy[-1], network.value[-1]):
        torch.nn.init.normal_(layer.weight)
    rng = np.random.default_rng(1)
    for _ in range(12):
        if boards.done.any():
            boards.reset(boards.done)
        actions, policies, visits = az.search(network, boards, small(simulations=6), rng.gumbel(size=boards.mask.shape))
        assert (visits.sum(-1) == 6).all()
        assert not visits[boards.mask == 0].any()
        assert not policies[boards.mask == 0].any()
        np.testing.assert_allclose(policies.sum(-1), 1.0)
        boards.step(actions)  # raises if one is illegal


def test_games_as_they_were_played():
    """Values are the results of the games for who was to play; each position is there."""
    args = small(setup="standard")
    data = az.self_play(az.Network(get_game("TicTacToe-v0"), 4, 0), get_game("TicTacToe-v0"), args, np.random.default_rng(1))
    firsts = (data["observations"][..., :2].sum((1, 2, 3)) == 0).sum()
    assert firsts == 32
    assert 32 * 5 <= len(data["values"]) <= 32 * 9
    assert set(np.unique(data["values"])) <= {-1.0, 0.0, 1.0}
    assert (data["values"] != 0).any()
    assert (data["policies"][data["masks"] == 0] == 0).all()


def test_same_seed_same_agent_also_when_it_goes_on(tmp_path):
    """Weights, optimiser and buffer: a run in two parts ends as one that was not interrupted."""
    names = ("whole", "parts", "other")
    whole, parts, other = (small(iterations=3, out=tmp_path / name) for name in names)
    az.train(whole)
    az.train(dataclasses.replace(parts, iterations=1))
    torch.set_num_threads(2)  # which is not what training goes by
    az.train(parts)
    az.train(dataclasses.replace(other, seed=2))
    first, second, third = (az.load_player(tmp_path / name / "agent.safetensors").network.state_dict() for name in names)
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not all(torch.equal(first[name], third[name]) for name in first)


def test_refusals(tmp_path):
    args = small(iterations=1, games=4, out=tmp_path)
    az.train(args)
    with pytest.raises(OptionError, match="another channels, seed"):
        az.train(dataclasses.replace(args, channels=8, seed=3))
    for name in ("checkpoint", "agent"):
        path = tmp_path / f"{name}.safetensors"
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
    with pytest.raises(OptionError, match="delete it to begin anew"):
        az.train(args)
    with pytest.raises(OptionError, match="train it again"):
        az.load_player(tmp_path / "agent.safetensors")
    settings = {
        "games": (0, 10**10, "8", 1.5),
        "iterations": (0,),
        "blocks": (-1,),
        "channels": (10**7,),
        "seed": (-1,),
        "reuse": (0.0, math.nan),
        "learning_rate": (-1.0, math.nan, math.inf),
        "value_scale": (math.nan, -0.1),
        "eval_games": (-1,),
        "device": ("abacus", "meta"),
        "option": ("width=5", ("width=5",)),
        "opponents": ("random",),
    }
    for name, values in settings.items():
        for value in values:
            with pytest.raises(OptionError, match=name):
                az.train(small(out=tmp_path / "new", **{name: value}))
    assert not (tmp_path / "new").exists()
    with pytest.raises(UnsupportedGameError, match="two seats without dice"):
        az.train(small(game="Backgammon-v0", out=tmp_path / "dice"))


@pytest.mark.plain(boards=True)
def test_what_may_change_of_a_run_that_goes_on(tmp_path):
    """The spelling of a game, the order of its options, what is of the curve alone; no folder's name is in the agent."""
    options = {"out": tmp_path, "games": 2, "simulations": 2}
    az.train(small(game="ConnectFour", option=("width=5", "height=4"), iterations=1, **options))
    curve = {"every": 1, "eval_games": 2, "opponents": ("random",)}
    run = az.train(small(game="ConnectFour-v0", option=("height=4", "width=5"), iterations=2, **options, **curve))
    assert [point.iteration for point in run.curve] == [1, 2]
    assert len((tmp_path / "curve.jsonl").read_text().splitlines()) == 2
    with pytest.raises(OptionError, match="another option"):
        az.train(small(game="ConnectFour", option=("width=5",), iterations=1, **options))
    assert "out" not in az.AGENTS.read(tmp_path / "agent.safetensors", {})[1]["args"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """(settings, the agent's arrays and header, the checkpoint's) of a run of one iteration."""
    args = small(iterations=1, games=4, out=tmp_path_factory.mktemp("alphazero"))
    az.train(args)
    return (
        args,
        az.AGENTS.read(args.out / "agent.safetensors", {}),
        az.CHECKPOINTS.read(args.out / "checkpoint.safetensors", {}),
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"args": None}, "settings of an agent"),
        ({"channels": "many"}, "got `str` - at `\\$.channels`"),
        ({"channels": 10**7}, "<= 4096"),
        ({"channels": 4096}, "stem.weight is float32"),
        ({"game": "ConnectFour-v0"}, "expected float32"),
        ({"game": "antigravity:X-v0"}, "no game"),
        ({"game": "Backgammon-v0"}, "two seats without dice"),
        ({"simulations": -1}, ">= 1"),
        ({"stem.weight": None}, "stem.weight is not there"),
        ({"stem.weight": np.zeros(3)}, "stem.weight is float64"),
    ],
)
def test_agents_of_other_content_are_refused(kept, tmp_path, change, message):
    """The digests are right, the content is not."""
    _, (arrays, header), _ = kept
    for name, value in change.items():
        if name in arrays:
            arrays = {key: array for key, array in {**arrays, name: value}.items() if array is not None}
        else:
            header = {} if name == "args" else {"args": {**header["args"], name: value}}
    az.AGENTS.write(tmp_path / "agent.safetensors", arrays, {key: value for key, value in header.items() if key == "args"})
    with pytest.raises(BoardgymError, match=message):
        az.load_player(tmp_path / "agent.safetensors")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"counts": None}, "header of a checkpoint"),
        ({"counts": {"iteration": "a"}}, "got `str` - at `\\$.iteration`"),
        ({"counts": {"iteration": 1, "positions": 10**6}}, "data/observations is"),
        ({"curve": [5]}, "header of a checkpoint"),
        ({"curve": [{"scores": {"random": 7.0}}]}, "<= 1.0"),
        ({"network/stem.bias": None}, "network/stem.bias is not there"),
        ({"adam/0/exp_avg": None}, "adam/0/exp_avg is not there"),
        ({"adam/1/step": np.zeros(2, np.float32)}, "adam/1/step is float32"),
        ({"data/masks": np.ones((3, 9), np.int8)}, "data/masks is int8"),
        ({"data/values": None}, "data/values is not there"),
    ],
)
def test_checkpoints_of_other_content_are_refused(kept, tmp_path, change, message):
    args, _, (arrays, header) = kept
    header = {name: header[name] for name in ("args", "counts", "curve")}
    for name, value in change.items():
        header, arrays = ({**header, name: value}, arrays) if name in header else (header, {**arrays, name: value})
    arrays = {name: array for name, array in arrays.items() if array is not None}
    az.CHECKPOINTS.write(tmp_path / "checkpoint.safetensors", arrays, header)
    with pytest.raises(OptionError, match=message):
        az.train(dataclasses.replace(args, out=tmp_path, iterations=2))


def test_too_little_memory_is_said_in_a_sentence(tmp_path):
    """PyTorch raises a RuntimeError like any other where the CPU has no memory: here, for a convolution of 604 MB."""
    settings = ["--game", "TicTacToe", "--channels", "4096", "--blocks", "1", "--eval-games", "0", "--out", str(tmp_path)]
    before = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + 2**28, before[1]))
    try:
        with pytest.raises(SystemExit, match="error: not enough memory; give less --games, --simulations"):
            az.main(settings)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def test_other_errors_of_torch_are_raised_as_they_are(tmp_path):
    settings = ["--game", "TicTacToe", "--games", "4", "--simulations", "2", "--channels", "4", "--eval-games", "0"]
    with torch.set_grad_enabled(False), pytest.raises(RuntimeError, match="does not require grad"):
        az.main([*settings, "--out", str(tmp_path)])


def test_it_learns(tmp_path):
    """The same search with the network before and after: what differs is what was learnt. Four seconds of training.

    With seed 1 it goes wrong in 157 of 400 positions before and in 63 after; against uct:20 it scores
    0.235 and 0.415.
    """
    args = small(iterations=36, games=64, out=tmp_path)
    run = az.train(args)
    before = az.Player(az.Network(run.game, args.channels, args.blocks), run.game, args, seed=1)
    after = az.load_player(tmp_path / "agent.safetensors")

    boards = BatchBoard("TicTacToe-v0", 400, setup="random:1-5", seed=1)
    values = [worth(boards.board(i).fen()) for i in range(400)]
    mistakes, rates = [], []
    for player in (before, after):
        actions = boards.act(player, deterministic=True)
        mistakes.append(sum(worths[action] < max(worths.values()) for worths, action in zip(values, actions, strict=True)))
        table = compare(player, "TicTacToe-v0", ["random", "uct:20"], games=100, seed=5)
        rates.append([row.score.value for row in table.rows])
    print(run.counts, mistakes, rates)
    assert mistakes[0] > 130
    assert mistakes[1] < 80
    assert rates[0][0] < 0.76
    assert rates[1][0] > 0.8
    assert rates[0][1] < 0.28
    assert rates[1][1] > 0.33
