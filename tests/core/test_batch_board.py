"""Many games, all seats: against `Board` ply for ply, copies, symmetries, policies, and refused arguments."""

import numpy as np
import pytest

import boardgym
from boardgym.core import verbs
from boardgym.core.batch_board import BatchBoard
from boardgym.core.board import Board
from boardgym.core.errors import IllegalActionError, NotationError, OptionError, UnsupportedGameError
from boardgym.core.policy_spec import make_policy
from boardgym.core.random import stream
from tests.variants import ENDLESS, typical_games


def some_legal(rng, mask):
    return (rng.random(mask.shape) * mask).argmax(axis=1)


def boards_like(batch, seed):
    """The same games as `Board`s."""
    boards = [Board(batch.game) for _ in range(len(batch))]
    for i, board in enumerate(boards):
        board.reset(batch.setup, rng=stream(seed, i))
    return boards


def assert_equal(batch, boards):
    for i, board in enumerate(boards):
        assert batch.done[i] == board.is_terminal
        assert batch.ply[i] == board.ply
        np.testing.assert_array_equal(batch.rows[i], board.row)
        if board.is_terminal:
            assert batch.to_play[i] == -1
            assert (batch.mask[i] == 1).all()
        else:
            assert batch.to_play[i] == board.to_play
            observation, mask = board.look(board.to_play)
            np.testing.assert_array_equal(batch.observation[i], observation)
            np.testing.assert_array_equal(batch.mask[i], mask)


@pytest.mark.parametrize("game", boardgym.list_games())
@pytest.mark.parametrize("setup", ["standard", "random:0-5"])
def test_equal_to_boards(game, setup):
    batch = BatchBoard(game, 4, setup=setup, seed=9)
    boards = boards_like(batch, 9)
    rng, totals = np.random.default_rng(1), np.zeros((4, batch.game.num_seats))
    for _ in range(150):
        assert_equal(batch, boards)
        if batch.done.all():
            break
        actions, was_over = some_legal(rng, batch.mask), batch.done.copy()
        *_, rewards, _, _ = batch.step(actions)
        assert not rewards[was_over].any()
        totals += rewards
        for i in np.flatnonzero(~was_over):
            boards[i].push(int(actions[i]))
    for i, board in enumerate(boards):
        if board.is_terminal:
            assert totals[i].tolist() == board.returns()


@pytest.mark.parametrize(("game", "options"), [("Abalone-v0", ENDLESS), ("NineMensMorris-v0", {})])
def test_draws_by_repetition(game, options):
    """All go to and fro: a position comes back, and the game is drawn at the ply where `Board` draws it."""
    game = boardgym.get_game(game, **options)
    batch = BatchBoard(game, 3, seed=2, setup="random:20-40")
    boards = boards_like(batch, 2)
    for _ in range(600):
        actions = np.zeros(3, np.int64)
        for i, board in enumerate(boards):
            if not board.is_terminal:
                legal, counts = board.legal_actions, []
                for action in legal:
                    board.push(action)
                    counts.append(board.repetitions)
                    board.pop()
                actions[i] = legal[int(np.argmax(counts))]
                board.push(int(actions[i]))
        before = batch.copy()
        batch.step(actions)
        assert_equal(batch, boards)
        if batch.done.all():
            break
    assert {board.reason.name for board in boards} == {"REPETITION"}

    # the last ply again, by boards that were put elsewhere, that were told the history, and that were not
    ended = np.flatnonzero(~before.done)
    put, told, bare = (BatchBoard(game, len(ended), seed=3) for _ in range(3))
    put.put(np.arange(len(ended)), before.take(ended))
    told.set_positions(before.rows[ended], history=before.history(ended))
    bare.set_positions(before.rows[ended])
    for other in (put, told, bare):
        other.step(actions[ended])
    assert put.done.all()
    assert told.done.all()
    assert not bare.done.any()


@pytest.mark.parametrize("game", ["ConnectFour-v0", "Backgammon-v0", "NineMensMorris-v0"])
def test_copies_go_their_own_way_with_the_same_dice(game):
    batch = BatchBoard(game, 5, seed=3)
    rng = np.random.default_rng(2)
    for _ in range(12):
        batch.step(some_legal(rng, batch.mask))
    twin, some = batch.copy(), batch.take([3, 1, 3])
    before = batch.rows.copy()
    actions = some_legal(rng, batch.mask)
    twin.step(actions)
    np.testing.assert_array_equal(batch.rows, before)
    np.testing.assert_array_equal(some.rows, before[[3, 1, 3]])
    batch.step(actions)
    np.testing.assert_array_equal(batch.rows, twin.rows)
    some.step(actions[[3, 1, 3]])
    np.testing.assert_array_equal(some.rows, batch.rows[[3, 1, 3]])
    some.step(some_legal(rng, some.mask))


@pytest.mark.parametrize("game", ["ConnectFour-v0", "Backgammon-v0", "NineMensMorris-v0"])
def test_boards_that_are_put_go_on_as_they_would_have(game):
    batch, other = BatchBoard(game, 5, seed=3), BatchBoard(game, 4, seed=4)
    rng = np.random.default_rng(2)
    for _ in range(12):
        batch.step(some_legal(rng, batch.mask))
    kept = other.copy()
    other.put([2, 0], batch.take([4, 1]))
    for _ in range(3):
        np.testing.assert_array_equal(other.rows[[0, 2]], batch.rows[[1, 4]])
        np.testing.assert_array_equal(other.rows[[1, 3]], kept.rows[[1, 3]])
        for name in ("observation", "mask", "rewards", "done", "to_play", "ply"):
            np.testing.assert_array_equal(getattr(other, name)[[0, 2]], getattr(batch, name)[[1, 4]])
            np.testing.assert_array_equal(getattr(other, name)[[1, 3]], getattr(kept, name)[[1, 3]])
        actions, others = some_legal(rng, batch.mask), some_legal(rng, kept.mask)
        batch.step(actions)
        kept.step(others)
        other.step(np.array([actions[1], others[1], actions[4], others[3]]))


@typical_games
def test_augment_gives_what_the_image_shows(game):
    batch = BatchBoard(game, 6, seed=4, setup="random:1-5")
    numbers = np.arange(6) % batch.game.num_symmetries
    weights = batch.mask / batch.mask.sum(axis=1, keepdims=True)
    images, image_weights = batch.augment(batch.observation, weights, numbers)
    for i, (position, k) in enumerate(zip(batch.positions, numbers, strict=True)):
        image = Board(batch.game, auto_roll=False)
        image.set_position(verbs.transform(position, int(k)))
        np.testing.assert_array_equal(images[i], image.observation())
        assert set(np.flatnonzero(image_weights[i])) == set(image.legal_actions)
    np.testing.assert_allclose(image_weights.sum(axis=1), 1.0)
    same, same_weights = batch.augment(images, batch.mask, np.zeros(6, int))
    np.testing.assert_array_equal(same, images)
    np.testing.assert_array_equal(same_weights, batch.mask)
    assert (image_weights.dtype, same_weights.dtype) == (np.float64, np.int8)


@pytest.mark.parametrize("spec", ["random", "greedy", "epsilon:0.4(random)"])
def test_policies_play_and_the_seed_decides(spec):
    runs = []
    for _ in range(2):
        batch = BatchBoard("NineMensMorris-v0", 6, seed=5)
        while not batch.done.all():
            batch.step(batch.act(spec))
        runs.append(batch.rows.copy())
    np.testing.assert_array_equal(*runs)


class Middle:
    """A policy with `act` alone."""

    def act(self, board, *, deterministic=False):
        legal = board.legal_actions
        return legal[len(legal) // 2] if deterministic else legal[0]


def test_any_policy_can_be_asked():
    batch = BatchBoard("ConnectFour-v0", 3, seed=6)
    assert batch.act(Middle()).tolist() == [0, 0, 0]
    assert batch.act(Middle(), deterministic=True).tolist() == [3, 3, 3]
    batch.step([0, 1, 2])
    assert batch.board(1).legal_actions == list(range(7))
    with pytest.raises(UnsupportedGameError, match="plays Othello-v0"):
        batch.act(make_policy("greedy", "Othello-v0"))
    with pytest.raises(UnsupportedGameError, match="time limit"):
        batch.act("uct:0.1s")
    with pytest.raises(UnsupportedGameError, match="drawn for each game"):
        batch.act("mix(random, greedy)")
    with pytest.raises(ValueError, match="read-only"):
        batch.mask[:] = 1


def test_resets_of_some_boards():
    batch = BatchBoard("TicTacToe-v0", 4, seed=7)
    for _ in range(4):
        batch.step(batch.mask.argmax(axis=1))
    kept = batch.rows[1].copy()
    observation, mask = batch.reset(np.array([True, False, True, False]))
    assert batch.ply.tolist() == [0, 4, 0, 4]
    assert mask.sum(axis=1).tolist() == [9, 5, 9, 5]
    np.testing.assert_array_equal(batch.rows[1], kept)
    assert not batch.rewards.any()
    assert np.shares_memory(observation, batch.observation)
    assert repr(batch) == "<BatchBoard of 4 games of TicTacToe-v0, 0 over>"


def test_positions_can_be_set():
    batch = BatchBoard("NineMensMorris-v0", 3, seed=8)
    for _ in range(10):
        batch.step(batch.mask.argmax(axis=1))
    positions, rows = batch.positions, batch.rows.copy()
    other = BatchBoard("NineMensMorris-v0", 3)
    other.set_positions(positions)
    np.testing.assert_array_equal(other.rows, rows)
    np.testing.assert_array_equal(other.mask, batch.mask)
    other.reset()
    other.set_positions(rows[1:], np.array([True, False, True]))
    np.testing.assert_array_equal(other.rows[[0, 2]], rows[1:])
    assert other.ply.tolist() == [0, 0, 0]
    for bad in ([Board("TicTacToe-v0").position] * 3, positions[:2], rows[:, :2], rows.astype(float)):
        with pytest.raises(NotationError, match="expected"):
            other.set_positions(bad)


def test_illegal_actions_change_nothing():
    batch = BatchBoard("ConnectFour-v0", 3, seed=1)
    before = batch.rows.copy()
    for actions in ([0, 7, 0], [0, 0, -1], [0, 2**40, 0]):
        with pytest.raises(IllegalActionError, match=r"board [12]: action \S+ is illegal in ConnectFour-v0 at .*; 7 actions"):
            batch.step(actions)
    np.testing.assert_array_equal(batch.rows, before)
    for actions in ([0, 0], [0.0, 1.0, 2.0], [[0], [1], [2]], ["a", "b", "c"], [True, False, True]):
        with pytest.raises(OptionError, match=r"actions: expected integers of shape \(3,\)"):
            batch.step(actions)


def test_bad_arguments():
    for number in (0, -3, 2.0, True, "4"):
        with pytest.raises(OptionError, match="num_boards"):
            BatchBoard("TicTacToe-v0", number)
    with pytest.raises(OptionError, match="ended every game"):
        BatchBoard("TicTacToe-v0", 1, setup="random:9")
    batch = BatchBoard("TicTacToe-v0", 2)
    for where in ([1, 0], [True], np.ones((2, 1), bool)):
        with pytest.raises(OptionError, match="where"):
            batch.reset(where)
    for indices in ([], [[0]], [0.5], [True, False]):
        with pytest.raises(OptionError, match="indices"):
            batch.take(indices)
    with pytest.raises(IndexError):
        batch.take([2])
    rows = batch.rows.copy()
    for indices in ([0, 0], [0, 2], [-1, 0], [0], [0.0, 1.0], [True, False]):
        with pytest.raises(OptionError, match="indices"):
            batch.put(indices, BatchBoard("TicTacToe-v0", 2, setup="random:3"))
    with pytest.raises(OptionError, match="boards: expected a BatchBoard, got int"):
        batch.put([0], 5)
    with pytest.raises(OptionError, match="got 1 different ones from 7 to 7, for 1000 boards") as raised:
        batch.put([7] * 1000, BatchBoard("TicTacToe-v0", 1000))
    assert len(str(raised.value)) < 200
    with pytest.raises(UnsupportedGameError, match="do not go into a batch"):
        batch.put([0], BatchBoard("ConnectFour-v0", 1))
    for history in ([], [np.zeros(1)] * 2, [np.zeros((1, 1), np.int64)] * 2, 5, [[1, 2], [[1], [2, 3]]]):
        with pytest.raises(OptionError, match="history"):
            batch.set_positions(rows, history=history)
    np.testing.assert_array_equal(batch.rows, rows)
    observation, mask = batch.observation, batch.mask
    for arguments in (
        (observation[:, :2], mask, [0, 0]),
        (observation.astype(float), mask, [0, 0]),
        (observation, mask[:1], [0, 0]),
        (observation, mask, [0, 8]),
        (observation, mask, [0.0, 1.0]),
        (observation, mask, [0]),
    ):
        with pytest.raises(OptionError):
            batch.augment(*arguments)


@pytest.mark.parametrize("game", ["NineMensMorris-v0", "Backgammon-v0"])
def test_threads_change_nothing(game, monkeypatch):
    monkeypatch.setattr("boardgym.core.threads.Pace.choose", lambda pace, most: most)
    runs = []
    for threads in (1, 2, 4):
        batch = BatchBoard(game, 7, seed=2, setup="random:0-3", num_threads=threads)
        for _ in range(60):
            batch.step(batch.act("random"))
            batch.reset(batch.done)
        runs.append((batch.rows.copy(), batch.observation.copy(), batch.mask.copy()))
    for run in runs[1:]:
        for one, other in zip(runs[0], run, strict=True):
            np.testing.assert_array_equal(one, other)
