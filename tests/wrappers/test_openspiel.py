"""Our games under OpenSpiel's own checks and algorithms, and its bots on our boards."""

import copy
import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, exploitability, minimax, tabular_qlearner

from boardgym import Board, IllegalActionError, NotationError, OptionError, SpecError, UnsupportedGameError
from boardgym.baselines import compare, make_policy
from boardgym.core.game import get_game
from boardgym.wrappers.openspiel import (
    from_openspiel_bot,
    load_game,
    make_openspiel,
    mcts,
    native_game,
    native_state,
    short_name,
    state_of,
)
from tests.support import run_python
from tests.variants import compiled_or_plain, typical_games

SLOW_TO_THE_END = 100  # plies of a game that the comparison looks at
CASES = [
    ("TicTacToe-v0", {}),
    ("ConnectFour-v0", {"width": 5, "height": 4}),
    ("Othello-v0", {"size": 6}),
    ("NineMensMorris-v0", {}),
    ("Abalone-v0", {"rewards": "material"}),  # pays on the way
    ("Abalone3-v0", {}),  # three seats
    ("CardPoints-v0", {"n_cards": 2}),  # deals
    ("Backgammon-v0", {}),
]
every_case = pytest.mark.parametrize("case", [compiled_or_plain(case) for case in CASES])


def python_mcts(simulations):
    def make(game, seed):
        draws = np.random.default_rng(seed)
        return mcts.MCTSBot(game, 2.0, simulations, mcts.RandomRolloutEvaluator(1, draws), random_state=draws)

    return make


def cpp_mcts(game, seed):
    return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, 20, 100, True, seed, False)


# ---------------------------------------------------------------- games


@every_case
def test_random_play_is_that_of_the_board(case):
    game_id, options = case
    game = get_game(game_id, **options)
    state, board, rng = load_game(game).new_initial_state(), Board(game, auto_roll=False), random.Random(3)
    paid = np.zeros(game.num_seats)
    while not board.is_terminal and board.ply < SLOW_TO_THE_END:
        assert not state.is_terminal()
        if board.is_chance:
            assert state.is_chance_node()
            assert state.chance_outcomes() == board.outcomes
            action = rng.choice(board.outcomes)[0]
        else:
            assert state.current_player() == board.to_play
            assert state.legal_actions() == board.legal_actions
            assert state.legal_actions_mask() == board.action_mask().tolist()
            action = rng.choice(board.legal_actions)
        assert state.action_to_string(action) == board.move_text(action)
        state.apply_action(action)
        board.push(action)
        paid += state.rewards()
        assert state.returns() == paid.tolist()
        assert str(state) == board.fen()
        for seat in range(game.num_seats):
            assert state.observation_tensor(seat) == board.observation(seat).ravel().tolist()
    assert state.is_terminal() == board.is_terminal
    if board.is_terminal:
        assert state.returns() == board.returns()
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        assert state.legal_actions() == []
    assert state.history() == board.actions


@typical_games
def test_openspiels_own_random_simulation(game):
    pyspiel.random_sim_test(load_game(game), num_sims=1, serialize=True, verbose=False)


@every_case
def test_description(case):
    game_id, options = case
    game, theirs = get_game(game_id, **options), load_game(game_id, **options)
    assert theirs.num_distinct_actions() == game.num_actions
    assert theirs.num_players() == game.num_seats
    assert theirs.max_game_length() == game.max_plies
    assert (theirs.min_utility(), theirs.max_utility()) == (game.min_return, game.max_return)
    assert theirs.utility_sum() == (0.0 if game.num_seats == 2 else None)
    assert tuple(theirs.observation_tensor_shape()) == game.observation_shape
    is_paid_late = theirs.get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL
    assert is_paid_late == (options.get("rewards") != "material")
    assert str(pyspiel.load_game(str(theirs))) == str(theirs)


def test_rule_options_in_a_game_string():
    state = pyspiel.load_game("boardgym_othello(size=6)").new_initial_state()
    assert state.board.game is get_game("Othello-v0", size=6)
    assert len(state.legal_actions()) == 4


def test_a_clone_goes_its_own_way():
    state = load_game("Abalone-v0", rewards="material").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    twin = state.clone()
    assert (str(twin), twin.history()) == (str(state), state.history())
    before = str(state)
    rng, are_marbles_lost = random.Random(8), False
    while not twin.is_terminal():
        twin.apply_action(rng.choice(twin.legal_actions()))
        are_marbles_lost |= any(twin.rewards())
    assert are_marbles_lost
    assert (str(state), state.returns(), len(state.history())) == (before, [0.0, 0.0], 1)
    length = len(twin.history())
    state.apply_action(state.legal_actions()[0])
    assert len(twin.history()) == length


@typical_games
def test_serialised_in_mid_game_from_anywhere(game):
    board = Board(game, setup="random:5", seed=2)
    start, rng = board.fen(), random.Random(1)
    for _ in range(3):
        board.push(rng.choice(board.legal_actions))
    state = state_of(board)
    assert state.history() == board.actions
    its_game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert str(again) == board.fen()
    assert str(its_game.new_initial_state()) == start
    assert again.legal_actions() == state.legal_actions()
    assert again.history() == state.history()


def test_setups():
    state = load_game("Abalone-v0", setup="belgian_daisy").new_initial_state()
    assert str(state) == Board("Abalone-v0", setup="belgian_daisy").fen()
    with pytest.raises(UnsupportedGameError, match="draws where games start"):
        load_game("Abalone-v0", setup="random:4")
    with pytest.raises(OptionError, match="not both"):
        load_game("Abalone-v0", setup="belgian_daisy", position=Board("Abalone-v0").fen())
    with pytest.raises(NotationError):
        load_game("TicTacToe-v0", position="nonsense")
    with pytest.raises(OptionError, match="boards of 4, 6 or 8"):
        pyspiel.load_game("boardgym_othello(size=7)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'sise'"):
        pyspiel.load_game("boardgym_othello(sise=6)")


def test_what_is_refused_changes_nothing():
    game = load_game("TicTacToe-v0")
    state = game.new_initial_state()
    state.apply_action(4)
    with pytest.raises(IllegalActionError, match="8 actions are legal"):
        state.apply_action(4)
    assert (str(state), state.history()) == ("3/1x1/3 o", [4])
    with pytest.raises(OptionError, match="give position="):
        game.new_initial_state("3/1x1/3 o")
    with pytest.raises(OptionError, match="no parameters"):
        game.make_py_observer(params={"planes": 3})


def test_a_process_with_games_ends_in_order(tmp_path):
    run_python("-c", "from boardgym.wrappers.openspiel import load_game; load_game('TicTacToe-v0')", cache=tmp_path)


# ---------------------------------------------------------------- algorithms


def test_alpha_beta_finds_the_value_of_tic_tac_toe():
    assert minimax.alpha_beta_search(load_game("TicTacToe-v0"))[0] == 0.0
    value, action = minimax.alpha_beta_search(load_game("TicTacToe-v0", position="xx1/oo1/3 x"))
    assert (value, action) == (1.0, 2)
    lost = load_game("TicTacToe-v0", position="xx1/oo1/2x o")
    assert minimax.alpha_beta_search(lost, maximizing_player_id=0)[0] == -1.0


@pytest.mark.plain(boards=True)
def test_exploitability_of_card_points_with_two_cards():
    """Uniform play of seat 0 takes the smaller card half the time; the second card is forced."""
    game = load_game("CardPoints-v0", n_cards=2)
    best_gain = 48 / 51  # the chance that two cards differ: seat 0 goes from 0 to it, seat 1 has no choice
    assert exploitability.nash_conv(game, spiel_policy.UniformRandomPolicy(game)) == pytest.approx(best_gain)


def test_mcts_beats_random_play():
    game, rng, total = load_game("TicTacToe-v0"), np.random.default_rng(4), 0.0
    searcher = python_mcts(50)(game, 4)
    for number in range(20):
        other = pyspiel.make_uniform_random_bot(1 - number % 2, number)
        bots = [searcher, other] if number % 2 == 0 else [other, searcher]
        total += evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)[number % 2]
    assert total >= 14


def test_q_learning_learns_to_take_a_win():
    np.random.seed(5)  # which its epsilon-greedy draws from
    env = rl_environment.Environment(load_game("TicTacToe-v0", position="xx1/oo1/3 x"))
    learner = tabular_qlearner.QLearner(player_id=0, num_actions=env.action_spec()["num_actions"])
    rng = random.Random(5)
    for _ in range(300):
        step = env.reset()
        while not step.last():
            seat = step.current_player()
            action = learner.step(step).action if seat == 0 else rng.choice(step.observations["legal_actions"][1])
            step = env.step([action])
        learner.step(step)
    assert learner.step(env.reset(), is_evaluation=True).action == 2


# ---------------------------------------------------------------- bots


@pytest.mark.parametrize("game", ["TicTacToe-v0", "ConnectFour-v0"])
def test_native_states_are_set_up_at_any_position(game):
    rng = random.Random(6)
    for _ in range(10):
        board = Board(game)
        while not board.is_terminal:
            state = native_state(board.position, board.game)
            for _ in range(3):  # the same lines of play from here on
                copied, line = board.copy(), state.clone()
                while not copied.is_terminal:
                    assert line.legal_actions() == copied.legal_actions
                    assert line.current_player() == copied.to_play
                    action = rng.choice(copied.legal_actions)
                    copied.push(action)
                    line.apply_action(action)
                assert line.is_terminal()
                assert line.returns() == copied.returns()
            board.push(rng.choice(board.legal_actions))


def test_native_connect_four_of_other_sizes():
    assert native_game("ConnectFour-v0", width=5, height=4).num_distinct_actions() == 5


@pytest.mark.parametrize(("game", "options"), [("Othello-v0", {"size": 6}), ("Abalone-v0", {}), ("Backgammon-v0", {})])
def test_what_is_not_native_says_so(game, options):
    with pytest.raises(UnsupportedGameError, match="only for TicTacToe-v0, ConnectFour-v0 and Othello-v0"):
        from_openspiel_bot(cpp_mcts, get_game(game, **options), native=True)


def test_openspiels_othello_cannot_be_set_up():
    policy, board = from_openspiel_bot(cpp_mcts, "Othello-v0", native=True, seed=1), Board("Othello-v0")
    for _ in range(4):
        board.push(policy.act(board))
    assert policy.act(board) in board.legal_actions
    with pytest.raises(UnsupportedGameError, match="leave native out"):
        policy.act(Board("Othello-v0", board.fen()))


def test_a_cpp_search_on_our_states_is_refused():
    with pytest.raises(UnsupportedGameError, match="cannot search games in Python"):
        from_openspiel_bot(cpp_mcts, "TicTacToe-v0").act(Board("TicTacToe-v0"))


def test_heuristic_search_meets_the_cpp_search():
    result = compare("minimax:2", "ConnectFour-v0", ["openspiel:mcts:20", "openspiel:mcts:400"], games=20)
    assert [row.opponent for row in result.rows] == ["openspiel:mcts:20", "openspiel:mcts:400"]
    assert [(row.games, row.forfeits, row.opponent_forfeits) for row in result.rows] == [(20, 0, 0)] * 2
    assert result.rows[0].score.value > result.rows[1].score.value


@pytest.mark.parametrize("game", ["Othello-v0", "Backgammon-v0", "CardPoints-v0", "Abalone3-v0"])
def test_the_search_plays_every_game(game):
    policy, board = make_policy("openspiel:mcts:3", game, seed=1), Board(game, setup="random:2", seed=1)
    for _ in range(4):
        board.push(policy.act(board))


class Witness(pyspiel.Bot):
    """Plays the first legal action, and keeps what it is told."""

    def __init__(self):
        super().__init__()
        self.told = []

    def restart_at(self, state):
        self.told = [str(state)]

    def inform_action(self, state, player, action):
        assert action in state.legal_actions()
        self.told.append((player, action))

    def step(self, state):
        return state.legal_actions()[0]


def test_a_bot_is_told_of_what_it_did_not_do():
    witness = Witness()
    policy, board = from_openspiel_bot(witness, "Backgammon-v0", spec="witness"), Board("Backgammon-v0", seed=3)
    fresh = Board("Backgammon-v0", auto_roll=False).fen()
    board.push(policy.act(board))  # the roll that came before is told as chance's
    assert witness.told == [fresh, (pyspiel.PlayerId.CHANCE, board.actions[0])]
    told = len(board.actions) - 1
    policy.act(board)
    assert len(witness.told) == 1 + told
    board.pop()
    board.push(board.legal_actions[-1])  # another line: it starts anew, and hears it all
    policy.act(board)
    assert len(witness.told) == 1 + len(board.actions)
    assert repr(policy) == "<witness for Backgammon-v0>"
    with pytest.raises(TypeError, match="give from_openspiel_bot a function"):
        copy.deepcopy(policy)


def actions_of(policy, seed):
    policy.reset(seed=seed)
    board = Board("TicTacToe-v0")
    while not board.is_terminal:
        board.push(policy.act(board))
    return board.actions


@pytest.mark.parametrize("native", [False, None])
def test_a_seed_fixes_the_games_and_copies_play_them_too(native):
    make = cpp_mcts if native is None else python_mcts(20)
    policy = from_openspiel_bot(make, "TicTacToe-v0", native=native)
    games = [actions_of(policy, seed) for seed in range(6)]
    assert games == [actions_of(copy.deepcopy(policy), seed) for seed in range(6)]
    assert len({tuple(actions) for actions in games}) > 1


def test_bad_bots_boards_and_specs():
    with pytest.raises(OptionError, match=r"expected a pyspiel\.Bot, or a function"):
        from_openspiel_bot(3, "TicTacToe-v0")
    with pytest.raises(UnsupportedGameError, match="was given a board of"):
        from_openspiel_bot(cpp_mcts, "TicTacToe-v0").act(Board("ConnectFour-v0"))
    with pytest.raises(UnsupportedGameError, match="has the verb 'reward'"):
        make_policy("openspiel:mcts:10", get_game("Abalone-v0", rewards="material"))
    assert make_openspiel.__module__ == "boardgym.wrappers.openspiel"
    assert short_name(get_game("NineMensMorris-v0")) == "boardgym_nine_mens_morris"


@pytest.mark.parametrize(
    "spec",
    [
        "openspiel",
        "openspiel:mcts",
        "openspiel:mtcs:10",
        "openspiel:mcts:0",
        "openspiel:mcts:x",
        "openspiel:mcts:3000000000",
        "openspiel:mcts:10,c=0",
        "openspiel:mcts:10,d=1",
        "openspiel:mcts:10(random)",
    ],
)
def test_malformed_specs(spec):
    with pytest.raises(SpecError, match="openspiel"):
        make_policy(spec, "TicTacToe-v0")
