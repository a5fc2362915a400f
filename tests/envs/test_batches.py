"""Native batches against single environments, ply for ply: every game, every kind of opponent, any number of threads."""

import copy

import numpy as np
import pytest

import boardgym
from boardgym.baselines.networks.network import NetworkPolicy
from boardgym.baselines.players.mixtures import Mixture
from boardgym.core.board import Board, Reason
from boardgym.core.errors import IllegalActionError, OptionError
from boardgym.core.policy import BatchPolicy
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import draw, stream
from boardgym.envs.batch import Batch
from boardgym.envs.single_agent import SingleAgentEnv
from tests.variants import ENDLESS, TYPICAL

TWO_SEATS = [game for game in boardgym.list_games() if boardgym.get_game(game).num_seats == 2]


class LastLegal(BatchPolicy):
    """Answers for many boards: one of the last two legal actions, drawn from the board's stream."""

    spec = "last legal"

    def act_batch(self, observations, masks, rows, history, rng, *, deterministic=False):
        assert observations.shape == (len(rows), *self.game.observation_shape)
        assert len(history) == len(rows) == len(rng)
        actions = []
        for i, mask in enumerate(masks):
            legal = np.flatnonzero(mask)
            back = 1 if deterministic else 1 + draw(rng[i : i + 1], min(2, len(legal)))
            actions.append(legal[-back])
        return np.array(actions)


class ByHand:
    """Has `act` alone, with a state that a game builds up: it counts its plies, and draws from a stream of its own."""

    def __init__(self):
        self.rng, self.plies = stream(0), 0

    def reset(self, *, seed=None):
        self.plies = 0
        if seed is not None:
            self.rng = stream(seed)

    def act(self, board, *, deterministic=False):
        self.plies += 1
        legal = board.legal_actions
        return legal[(self.plies + draw(self.rng, len(legal))) % len(legal)]


def opponents_of(game, kind):
    """A fresh opponent of a kind: none of its state is shared between the two sides of a comparison."""
    if kind == "batch":
        return LastLegal(game)
    if kind == "by hand":
        return ByHand()
    if kind == "network":
        rng, inputs = np.random.default_rng(0), int(np.prod(game.observation_shape))
        shapes = [(inputs, 16), (16, game.num_actions)]
        return NetworkPolicy(game, [(rng.normal(size=shape) / shape[0] ** 0.5, np.zeros(shape[1])) for shape in shapes])
    if kind == "pool":
        members = [make_policy("random", game), LastLegal(game), ByHand(), make_policy("epsilon:0.3(random)", game)]
        return Mixture(members, [0.3, 0.3, 0.2, 0.2])
    if kind == "each":
        return [LastLegal(game), *["random"] * (game.num_seats - 2)]
    return kind


def check_equality(game, kind, *, boards=5, steps=60, seed=0, seat="random", setup="random:0-4", **settings):
    """Plays the same actions on a batch and on single environments. Returns the plies that were compared."""
    game = boardgym.get_game(game)
    batch = Batch(game, boards, opponent=opponents_of(game, kind), seat=seat, setup=setup, **settings)
    settings.pop("num_threads", None)
    singles = [
        SingleAgentEnv(game, opponent=opponents_of(game, kind), seat=seat, setup=setup, **settings) for _ in range(boards)
    ]
    batch.seed([seed + i for i in range(boards)])
    batch.restart(batch.everywhere)
    rng = np.random.default_rng(seed)
    seen = [single.reset(seed=seed + i) for i, single in enumerate(singles)]
    plies, reasons = 0, set()
    for _ in range(steps):
        for i, (observation, info) in enumerate(seen):
            np.testing.assert_array_equal(batch.observations[i], observation)
            np.testing.assert_array_equal(batch.masks[i], info["action_mask"])
        infos = batch.infos()
        for i, (_, info) in enumerate(seen):
            assert {key: infos[key][i] for key in ("seat", "ply")} == {key: info[key] for key in ("seat", "ply")}
            np.testing.assert_array_equal(infos["opponent"][i], info["opponent"])
        actions = (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        over = batch.step(actions)
        infos = batch.infos()
        for i, single in enumerate(singles):
            observation, reward, terminated, _, info = single.step(int(actions[i]))
            assert (reward, terminated) == (batch.rewards[i], over[i])
            if terminated:
                np.testing.assert_array_equal(batch.observations[i], observation)
                assert {k: info[k] for k in ("outcome", "reason", "is_success", "ply")} == {
                    k: infos[k][i] for k in ("outcome", "reason", "is_success", "ply")
                }
                reasons.add(info["reason"])
                plies += info["ply"]
                observation, info = single.reset()
            seen[i] = observation, info
        batch.restart(over)
    return plies + int(batch.rows.plies.sum()), reasons


@pytest.mark.parametrize(
    ("game", "kind"),
    [(game, kind) for game in boardgym.list_games() for kind in ("batch", "by hand", "each")]
    + [(game, kind) for game in TYPICAL for kind in ("random", "pool")],  # compiled opponents: for each game anew
)
def test_equal_to_single_environments(game, kind):
    plies, _ = check_equality(game, kind)
    assert plies > 200


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        ("TicTacToe-v0", "minimax:1"),
        ("TicTacToe-v0", "network"),
        ("TicTacToe-v0", "mix(random, epsilon:0.5(greedy))"),
    ],
)
def test_equal_to_single_environments_with_searches(game, kind):
    """One of each, and UCT in test_chance.py; `python -m tests.reference.equality` plays all with all."""
    plies, _ = check_equality(game, kind, boards=3, steps=40)
    assert plies > 50


@pytest.mark.parametrize("game", boardgym.list_games())
def test_one_learner_plays_all_seats(game):
    """Each ply against a `Board` from the same position, with the same dice: what is seen, what is paid, to whom."""
    game = boardgym.get_game(game)
    batch, rng = Batch(game, 4, seat="all", setup="random:0-4"), np.random.default_rng(0)
    batch.seed(range(4))
    batch.restart(batch.everywhere)
    seats, ends, rewards = set(), 0, np.zeros(game.num_seats)
    for _ in range(150):
        boards = [Board(game) for _ in range(4)]
        infos, actions = batch.infos(), (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        for i, board in enumerate(boards):
            board.set_position(batch.position(i), rng=batch.rows.rngs[i : i + 1].copy())
            assert infos["seat"][i] == board.to_play
            assert infos["opponent"][i] == -1
            observation, mask = board.look(board.to_play)
            np.testing.assert_array_equal(batch.observations[i], observation)
            np.testing.assert_array_equal(batch.masks[i], mask)
        over, after = batch.step(actions), batch.infos()
        for i, board in enumerate(boards):
            seat = board.to_play
            seats.add(seat)
            rewards[:] = 0.0
            board.push_and_look(int(actions[i]), np.empty_like(observation), np.empty_like(mask), rewards)
            assert batch.rewards[i] == rewards[seat]
            if over[i] and after["reason"][i] == Reason.RULES:  # such a board knows no repetition
                ends += 1
                assert board.is_terminal
                assert after["seat"][i] == seat
                np.testing.assert_array_equal(batch.observations[i], board.observation(seat))
                winner = board.outcome().winner
                assert after["outcome"][i] == (0 if winner is None else 1 if winner == seat else -1)
            elif not over[i]:
                np.testing.assert_array_equal(batch.rows.positions[i], board.row)
        batch.restart(over)
    assert seats == set(range(game.num_seats))
    assert ends > 0 or game.id.startswith(("Abalone", "NineMensMorris"))  # whose games are long


def test_a_learner_of_all_seats_has_no_opponents():
    with pytest.raises(OptionError, match="opponent='greedy' with seat='all'"):
        Batch("TicTacToe-v0", 2, seat="all", opponent="greedy")
    batch = Batch("TicTacToe-v0", 2, seat="all")
    with pytest.raises(OptionError, match="opponent='minimax:2'"):
        batch.set_opponent("minimax:2")
    batch.restart(batch.everywhere)
    batch.step(np.array([0, 4]))
    over = batch.step(np.array([0, 5]))  # board 0: taken
    assert (over.tolist(), batch.rewards.tolist(), batch.infos()["seat"].tolist()) == ([True, False], [-1.0, 0.0], [1, 0])
    assert batch.infos()["outcome"].tolist() == [-1, 0]
    batch.set_opponent("random")  # what it has, and nothing changes
    assert batch.infos()["seat"].tolist() == [1, 0]
    assert batch.step(np.array([0, 1])).tolist() == [True, False]
    for rule in ("random", "raise"):
        batch = Batch("TicTacToe-v0", 1, seat="all", illegal=rule)
        batch.restart(batch.everywhere)
        batch.step(np.array([4]))
        if rule == "raise":
            with pytest.raises(IllegalActionError, match="board 0: action 4"):
                batch.step(np.array([4]))
        assert not batch.step(np.array([5 if rule == "raise" else 4])).any()
        assert batch.observations[0, ..., :2].sum() == 2


def test_mirrored_boards_of_all_seats_are_the_same_games():
    batches = [Batch("ConnectFour-v0", 8, seat="all", mirror=True, num_threads=threads) for threads in (1, 2)]
    for batch in batches:
        batch.seed(range(8))
        batch.restart(batch.everywhere)
    batch, rng, flips = batches[0], np.random.default_rng(1), set()
    for _ in range(40):
        actions = (rng.random(batch.masks.shape) * batch.masks).argmax(axis=1)
        before = [batch.board(i) for i in range(8)]
        for i, board in enumerate(before):
            is_flipped = bool(batch.sides.symmetries[i])
            flips.add(is_flipped)
            np.testing.assert_array_equal(
                batch.observations[i], board.observation()[:, ::-1] if is_flipped else board.observation()
            )
            board.push(int(6 - actions[i] if is_flipped else actions[i]))
        over = batch.step(actions)
        np.testing.assert_array_equal(batches[1].step(actions), over)
        assert all(batch.position(i) == board.position for i, board in enumerate(before))
        for each in batches:
            each.restart(over)
        np.testing.assert_array_equal(batches[1].observations, batch.observations)
    assert flips == {False, True}


@pytest.mark.parametrize(
    ("game", "options"),
    [("Abalone-v0", ENDLESS), ("NineMensMorris-v0", {})],
)
def test_draws_by_repetition(game, options):
    """Two shufflers who go to and fro: every game ends by repetition, and at the ply where `Board` says so."""

    class Shuffler(BatchPolicy):
        spec = "shuffler"

        def act_batch(self, observations, masks, rows, history, rng, *, deterministic=False):
            assert all(keys.dtype == np.int64 and keys.ndim == 1 for keys in history)
            return np.array(
                [choose(self.game, self.game.token.position(row), keys) for row, keys in zip(rows, history, strict=True)]
            )

    def choose(game, position, keys):
        """The action after which the position has most often occurred; the first of them."""
        board = Board(game)
        board.set_position(position)
        counts = []
        for action in board.legal_actions:
            board.push(action)
            counts.append((np.asarray(keys).view(np.uint64) == board.key).sum())
            board.pop()
        return board.legal_actions[int(np.argmax(counts))]

    game = boardgym.get_game(game, **options)
    batch = Batch(game, 4, opponent=Shuffler(game), setup="random:0-6")
    single = SingleAgentEnv(game, opponent=Shuffler(game), setup="random:0-6")
    batch.seed([7] * 4)
    batch.restart(batch.everywhere)
    single.reset(seed=7)
    over = np.zeros(4, bool)
    for _ in range(400):
        action = choose(game, single.board.position, single.board.keys)
        over = batch.step(np.full(4, action))
        _, reward, terminated, _, info = single.step(action)
        assert over.all() == over.any() == terminated
        assert (batch.rewards == reward).all()
        if terminated:
            break
    assert info["reason"] == Reason.REPETITION
    assert (batch.infos()["reason"] == Reason.REPETITION).all()
    assert (batch.infos()["outcome"] == info["outcome"]).all()


@pytest.mark.parametrize(
    ("game", "options", "grows"),
    [("Abalone-v0", ENDLESS, True), ("NineMensMorris-v0", {}, False)],
)
def test_the_history_outgrows_its_room_or_forgets_what_cannot_come_back(game, options, grows):
    """Without a limit on plies the room for keys doubles as a game goes on; with one, old keys are dropped.

    The one without a limit also pays on the way: what single environments pay.
    """
    game = boardgym.get_game(game, **options)
    plies, _ = check_equality(game, "random", boards=2, steps=400)
    assert plies > 700
    batch = Batch(game, 2, seat=0)
    batch.seed([1, 2])
    batch.restart(batch.everywhere)
    widths, rng, pays_on_the_way = set(), np.random.default_rng(0), False
    for _ in range(700):
        over = batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
        widths.add(batch.rows.keys.shape[1])
        pays_on_the_way |= bool(batch.rewards[~over].any())
        batch.restart(over)
    assert pays_on_the_way == ("rewards" in options)
    assert min(widths) == 128
    assert (max(widths) > 512) == grows


@pytest.mark.parametrize("kind", ["random", "batch", "pool"])
@pytest.mark.parametrize("game", ["TicTacToe-v0", "Backgammon-v0", "NineMensMorris-v0"])
def test_threads_change_nothing(game, kind, monkeypatch):
    monkeypatch.setattr("boardgym.core.threads.Pace.choose", lambda pace, most: most)
    runs = []
    for threads in (1, 2, 3, 4):
        batch = Batch(
            game,
            7,
            opponent=opponents_of(boardgym.get_game(game), kind),
            seat="random",
            setup="random:0-3",
            num_threads=threads,
        )
        batch.seed(range(7))
        batch.restart(batch.everywhere)
        rng, log = np.random.default_rng(1), []
        for _ in range(40):
            over = batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
            batch.restart(over)
            log.append((batch.observations.copy(), batch.masks.copy(), batch.rewards.copy(), over))
        runs.append(log)
    for log in runs[1:]:
        for one, other in zip(runs[0], log, strict=True):
            for first, second in zip(one, other, strict=True):
                np.testing.assert_array_equal(first, second)


def test_opponents_can_be_changed_in_mid_game():
    game = boardgym.get_game("Othello-v0")
    batch = Batch(game, 8, opponent="mix(random, random, random, random)", seat="random")
    batch.seed(range(8))
    batch.restart(batch.everywhere)
    for opponent in ("greedy", opponents_of(game, "pool"), ByHand(), "random", LastLegal(game)):
        batch.set_opponent(opponent)
        twin = Batch(game, 8, opponent=opponent, seat="random")
        for name in ("positions", "rngs", "plies", "endings"):
            getattr(twin.rows, name)[:] = getattr(batch.rows, name)
        for name in ("seats", "members", "waits", "seeds", "masks"):
            getattr(twin.sides, name)[:] = getattr(batch.sides, name)
        twin.copies, twin.has_begun = copy.deepcopy(batch.copies), True
        for _ in range(5):
            actions = batch.masks.argmax(axis=1)
            over = batch.step(actions)
            twin.step(actions)
            np.testing.assert_array_equal(batch.rows.positions, twin.rows.positions)  # as if it had played from the start
            batch.restart(over)
            twin.restart(over)


def test_unequal_spaces_and_bad_threads():
    with pytest.raises(Exception, match="plays Othello-v0"):
        Batch("TicTacToe-v0", 2, opponent=LastLegal(boardgym.get_game("Othello-v0")))
    with pytest.raises(OptionError, match="2 other seats, got 1"):
        Batch("Abalone3-v0", 2, opponent=["random"])
    for threads in (-1, 1.5, True):
        with pytest.raises(OptionError, match="num_threads"):
            Batch("TicTacToe-v0", 2, num_threads=threads)


def test_a_batch_policy_plays_on_boards_too():
    game = boardgym.get_game("ConnectFour-v0")
    policy, board = LastLegal(game, seed=3), Board(game)
    assert policy.act(board, deterministic=True) == 6
    drawn = {copy.copy(policy).act(board) for _ in range(20)}
    assert drawn == {5, 6}
    first = [LastLegal(game, seed=4).act(board) for _ in range(3)]
    assert len(set(first)) == 1
