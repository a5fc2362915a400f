"""UCT with random playouts from the opening beside OpenSpiel's C++ MCTSBot, the same number of simulations on both sides."""

import functools
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.measure import Effort, Row, Work, rates
from boardgym.core.board import Board
from boardgym.core.game import Game, games, get_game
from boardgym.core.policy import make_policy

C_UCT = 1.4
MAX_MEMORY_MB = 2000


def our_search(game: Game, simulations: int) -> Work:
    policy, board = make_policy(f"uct:{simulations}", game, seed=1), Board(game, seed=1)
    run = policy.analyse(board).nodes  # fewer than asked for where the position is solved on the way

    def work(n: int) -> int:
        done = 0
        while done < n:
            policy.act(board)
            done += run
        return done

    return work


def peer_search(game_id: str, simulations: int) -> Work:
    import pyspiel

    game = pyspiel.load_game(game_id)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, C_UCT, simulations, MAX_MEMORY_MB, True, 1, False)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])

    def work(n: int) -> int:
        done = 0
        while done < n:
            bot.mcts_search(state)
            done += simulations
        return done

    return work


class Search(NamedTuple):
    """How a game is searched. simulations: of one search. peer: its name at OpenSpiel; at_least_ratio: what is wanted.

    options: the rule options.
    """

    simulations: int = 2_000
    peer: str | None = None
    at_least_ratio: float | None = None
    options: dict[str, int] = {}


SEARCHES = {
    "ConnectFour": Search(20_000, "connect_four", 8.0),
    "Othello": Search(2_000, "othello", 50.0),
    "NineMensMorris": Search(2_000, "nine_mens_morris", 10.0),
    "Backgammon": Search(2_000, "backgammon"),
    "TicTacToe": Search(2_000, "tic_tac_toe"),
    "CardPoints": Search(options={"n_cards": 52}),  # eight cards are solved at once
}


def search_row(effort: Effort, name: str, game: Game) -> Row:
    how = SEARCHES.get(game.name, Search())
    simulations = 50 if effort.is_quick else how.simulations
    subjects = [("uct", our_search(game.with_options(**how.options), simulations))]
    if how.peer is not None:
        subjects.append(("OpenSpiel C++ MCTSBot", peer_search(how.peer, simulations)))
    options = "".join(f", {name}={value}" for name, value in how.options.items())
    title, notes = f"UCT from the opening, {game.title}{options}", {"per search": simulations}
    return Row(name, title, "simulations/s", *rates(subjects, effort), at_least_ratio=how.at_least_ratio, notes=notes)


def rows() -> dict[str, Callable[[Effort], Row]]:
    """One row for each game that UCT plays."""
    known = [game for game in map(get_game, games()) if game.num_seats == 2]
    return {(name := f"uct_{game.module_name}"): functools.partial(search_row, name=name, game=game) for game in known}


ROWS = rows()
