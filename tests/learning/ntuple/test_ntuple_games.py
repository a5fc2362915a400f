"""Games in which n-tuple networks learn, of every kind: repetition, pay on the way, dice. Nothing is compiled."""

import itertools

import numpy as np
import pytest

from boardgym.baselines.learning.game_totals import PLIES, UPDATES
from boardgym.baselines.learning.ntuple import ntuple as nt
from boardgym.baselines.learning.ntuple.config import NTupleConfig
from boardgym.baselines.learning.ntuple.trainer import NTupleTraining
from boardgym.baselines.networks import cells as cells_of_games
from boardgym.compile import as_python, uncompiled
from boardgym.core import engine, verbs
from boardgym.core.errors import SpecError
from boardgym.core.game import GAMES, get_game
from boardgym.core.verbs import rule
from boardgym.testing.dice import DICE
from tests.core.shuttle import SHUTTLE, Endless, game_of


class Toll(Endless):
    """The game without repetition in which each ply pays the difference of the cells: to step down pays at once."""

    __slots__ = ()


@rule(Toll)
def reward(position, seat):
    paid = 0.125 * (position.other - position.own)
    return paid if seat == position.seat else -paid


TOLL = game_of(Toll, "Toll")


@pytest.fixture
def train(monkeypatch):
    """Makes trainings of games that are registered for the test, and plays them."""
    monkeypatch.setattr(cells_of_games, "sample_kernel", as_python(cells_of_games.sample_kernel))
    monkeypatch.setattr(cells_of_games, "SAMPLES", 300)
    monkeypatch.setattr(cells_of_games, "_BOARDS", {})
    monkeypatch.setattr(nt, "play_kernel", as_python(nt.play_kernel))
    for game in (SHUTTLE, TOLL, DICE):
        monkeypatch.setitem(GAMES, game.name, game)

    def play(game, **settings):
        config = NTupleConfig(**{"game": game.id, "tuples": ("cells(0,0)",), "games": 1, **settings})
        training = NTupleTraining(config)
        training.play_to(config.games)
        return training

    return play


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_lambda_1_a_position_learns_what_is_paid_from_then_on(train, seed):
    """V is 0 all along, as the step size is. The seats are paid at every ply, in turn more and less."""
    training = train(TOLL, trace_decay=1.0, step_size="0", epsilon="0", max_plies=12, seed=seed)
    counts, record, expected = training.totals.counts[0], training.scratch.record, 0.0
    length = int(counts[PLIES])
    with uncompiled():
        positions = [verbs.unpack(TOLL.token, row) for row in record.rows[:length]]
        for t, seat in enumerate(record.seats[:length].tolist()):
            rest = sum(verbs.reward(position, seat) for position in positions[t + 1 :])
            expected += 0.0 if t + 1 == length and verbs.is_terminal(positions[t]) else rest**2
    assert length >= 5
    assert set(record.seats[:length].tolist()) == {0, 1}
    assert training.totals.errors[0] == pytest.approx(expected)
    assert expected > 0.0
    assert counts[UPDATES] == length - verbs.is_terminal(positions[-1])
    with uncompiled():
        result = verbs.returns(positions[-1], 0) if verbs.is_terminal(positions[-1]) else 0.0
    assert counts[:3].tolist() == [result > 0.0, result == 0.0, result < 0.0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_plies_are_not_learnt_from(train, seed):
    """After three of them the other seat begins; all plies that follow are learnt from, but for the last of a game."""
    training = train(TOLL, setup="random:3", step_size="0", max_plies=12, seed=seed)
    counts, record = training.totals.counts[0], training.scratch.record
    with uncompiled():
        first = verbs.unpack(TOLL.token, record.rows[0])
    assert (first.plies, record.seats[:2].tolist()) == (4, [1, 0])
    assert 2 <= counts[PLIES] <= 12
    assert counts[PLIES] - counts[UPDATES] in (0, 1)


def test_a_game_that_ends_by_repetition_is_a_draw(train):
    """Of the third occurrence; with values of 0 nobody is drawn towards the end by force alone."""
    training = train(SHUTTLE, games=60, step_size="0", epsilon="1", seed=3)
    wins, draws, losses = training.totals.counts[:, :3].sum(axis=0)
    assert wins + draws + losses == 60
    assert min(wins, draws) > 0
    assert training.totals.counts[:, PLIES].max() < 40


def test_dice_are_rolled_between_afterstates(train):
    """Only what a seat has moved into is learnt; seats have tables of their own, and learn opposite values of the end."""
    training = train(DICE, games=40, tuples=("cells(0,4 0,8)", "cells(0,2 0,6)"), epsilon="0.3", seed=2)
    counts = training.totals.counts
    assert counts[:, :3].sum() == 40
    assert 0 < counts[:, UPDATES].sum() < counts[:, PLIES].sum() / 2  # every other ply is a roll
    weights = training.memory.weights
    assert np.abs(weights).max(axis=1).min() > 0.05
    assert np.isfinite(weights).all()


@pytest.fixture
def played(monkeypatch):
    """What the opponent of a training plays: (position, keys of those before it, where its action led).

    It is asked as it is: straying with the epsilon of its spec, and drawing where it draws.
    """
    turns, choose = [], nt.choose_or_stray

    def noted(game, player, stray, position, history, *rest):
        assert (stray, rest[-1]) == (0.5, False)
        action = choose(game, player, stray, position, history, *rest)
        turns.append((position, history.tolist(), verbs.apply(position, action)))
        return action

    monkeypatch.setattr(nt, "choose_or_stray", noted)
    return turns


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_against_an_opponent_the_network_learns_from_its_own_plies_alone(train, played, seed):
    """With lambda 1 and values of 0 its afterstates learn what it is paid from then on, by its own plies and the other's."""
    training = train(TOLL, opponent="epsilon:0.5(random)", trace_decay=1.0, step_size="0", epsilon="0", max_plies=12, seed=seed)
    counts, record, expected = training.totals.counts[0], training.scratch.record, 0.0
    length = int(counts[PLIES]) - len(played)
    seats, rows = record.seats[:length], record.rows[:length]
    assert length >= 3
    assert len({*seats.tolist()}) == 1
    with uncompiled():
        assert all(verbs.to_play(position) == 1 - seats[0] for position, _, _ in played)
        own = [verbs.unpack(TOLL.token, row) for row in rows]
        path = sorted([*own, *(after for _, _, after in played)], key=lambda position: position.plies)
        paid = {position.plies: verbs.reward(position, seats[0]) for position in path}
        for position in own:
            rest = sum(pay for plies, pay in paid.items() if plies > position.plies)
            expected += 0.0 if verbs.is_terminal(position) else rest**2
        result = verbs.returns(path[-1], seats[0]) if verbs.is_terminal(path[-1]) else 0.0
    assert [*paid] == [*range(1, int(counts[PLIES]) + 1)]
    assert training.totals.errors[0] == pytest.approx(expected)
    assert expected > 0.0
    assert counts[UPDATES] == length - verbs.is_terminal(own[-1])
    assert counts[:3].tolist() == [result > 0.0, result == 0.0, result < 0.0]


@pytest.mark.parametrize("through", ["none", "first", "second", "both"])
def test_against_an_opponent_learning_goes_through_the_networks_own_random_plies(train, played, through):
    """Where it has a seat that is named. Values are 0, so that a random ply is among the best unless it pays less."""
    kinds = {0: set(), 1: set()}
    for seed in range(1, 9):
        turns = len(played)
        settings = {"step_size": "0", "epsilon": "1", "max_plies": 12, "learn_through": through, "seed": seed}
        training = train(TOLL, opponent="epsilon:0.5(random)", **settings)
        counts, record = training.totals.counts[0], training.scratch.record
        length = int(counts[PLIES]) - (len(played) - turns)
        seat = int(record.seats[0])
        kinds[seat] |= set(record.kinds[:length].tolist()) - {nt.ENDED}
    named = {"none": (), "first": (0,), "second": (1,), "both": (0, 1)}[through]
    assert kinds == {seat: {nt.ON} if seat in named else {nt.ON, nt.EXPLORED} for seat in (0, 1)}


def test_an_opponent_plays_either_seat_and_is_told_what_has_been(train, played):
    """The keys of all earlier positions of the game, its own among them."""
    training = train(SHUTTLE, opponent="epsilon:0.5(greedy)", games=20, step_size="0", epsilon="1", seed=2)
    assert {position.seat for position, _, _ in played} == {0, 1}
    with uncompiled():
        assert [len(history) for _, history, _ in played] == [position.plies for position, _, _ in played]
        for (before, history, after), (_, later, _) in itertools.pairwise(played):
            if len(later) > len(history):  # the same game
                assert later[: len(history)] == history
                assert later[len(history) :] == [engine.key_of(before), engine.key_of(after)]
    assert training.totals.counts[:, :3].sum() == 20


def test_it_learns_to_beat_who_it_meets(train):
    """From 92.5 of 200 points to 120, in the first and the last hundred games of two trainings."""
    settings = {"tuples": ("cells(0,0 0,1 0,2 1,0 1,1 1,2 2,0 2,1 2,2)",), "games": 400, "opponent": "epsilon:0.2(greedy)"}
    counts = [train(get_game("TicTacToe-v0"), seed=seed, **settings).totals.counts[:, :3] for seed in (1, 2)]
    before, after = (sum(float(part.sum(axis=0) @ [1.0, 0.5, 0.0]) for part in parts)
                     for parts in zip(*((count[:25], count[-25:]) for count in counts), strict=True))  # fmt: skip
    assert after > before + 15.0


def test_parts_against_an_opponent_end_as_one(train, tmp_path):
    settings = {"opponent": "epsilon:0.5(greedy)", "games": 40, "seed": 3}
    whole = train(DICE, tuples=("cells(0,4 0,8)",), **settings)
    config = NTupleConfig(game=DICE.id, tuples=("cells(0,4 0,8)",), **settings)
    first, second = NTupleTraining(config), NTupleTraining(config)
    first.play_to(13)
    first.save_checkpoint(tmp_path / "checkpoint.safetensors")
    second.load_checkpoint(tmp_path / "checkpoint.safetensors")
    second.play_to(40)
    assert np.array_equal(second.memory.weights, whole.memory.weights)
    assert np.array_equal(second.totals.counts, whole.totals.counts)
    other = NTupleTraining(NTupleConfig(game=DICE.id, tuples=("cells(0,4 0,8)",), **{**settings, "opponent": "random"}))
    with pytest.raises(SpecError, match="opponent"):
        other.load_checkpoint(tmp_path / "checkpoint.safetensors")


def test_a_game_that_is_cut_is_worth_nothing(train):
    training = train(SHUTTLE, games=5, step_size="0", epsilon="1", max_plies=2)
    assert training.totals.counts[:, 1].sum() == 5
    assert training.totals.errors.sum() == 0.0
