"""UCT with random playouts from the opening beside OpenSpiel's MCTSBot, in C++ and in Python; and two threads beside one.

Both sides do the same number of simulations a search. Threads search a tree each. Rows `uct_ntuple_*` are PUCT over n-tuple
networks of the package beside PUCT over heuristics.
"""

import functools
import os
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.measure import Effort, Row, Work, rates, unpinned
from boardgym.baselines.shelf.shelves import package_shelf
from boardgym.core.board import Board
from boardgym.core.game import Game, get_game, list_games
from boardgym.core.policy_spec import make_policy

C_UCT = 1.4
MAX_MEMORY_MB = 2000
NTUPLE_AGENTS = "connect-four", "nine-mens-morris", "othello"  # of the package
THREADS = 2
PYTHON_SIMULATIONS = 200  # the bot in Python takes seconds for thousands


def our_search(game: Game, spec: str) -> Work:
    policy, board = make_policy(spec, game, seed=1), Board(game, seed=1)
    run = policy.analyse(board).nodes  # fewer than asked for where the position is solved on the way

    def work(n: int) -> int:
        done = 0
        while done < n:
            policy.analyse(board)
            done += run
        return done

    return work


def peer_search(game_id: str, simulations: int) -> Work:
    import pyspiel

    game = pyspiel.load_game(game_id)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, C_UCT, simulations, MAX_MEMORY_MB, True, 1, False)
    return searches(bot, game.new_initial_state(), simulations)


def python_search(game_id: str, simulations: int) -> Work:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game, rng = pyspiel.load_game(game_id), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, C_UCT, simulations, mcts.RandomRolloutEvaluator(1, rng), solve=True, random_state=rng)
    return searches(bot, game.new_initial_state(), simulations)


def searches(bot: Any, state: Any, simulations: int) -> Work:
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])

    def work(n: int) -> int:
        done = 0
        while done < n:
            bot.mcts_search(state)
            done += simulations  # a bound: it stops where it has solved the position
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
    subjects = [("uct", our_search(game.with_options(**how.options), f"uct:{simulations}"))]
    if how.peer is not None:
        subjects.append(("OpenSpiel C++ MCTSBot", peer_search(how.peer, simulations)))
    notes = {"per search": simulations}
    title = f"UCT from the opening, {titled(game, how)}"
    return Row(name, title, "simulations/s", *rates(subjects, effort), at_least_ratio=how.at_least_ratio, notes=notes)


def python_row(effort: Effort, name: str, game: Game, peer: str) -> Row:
    simulations = 20 if effort.is_quick else PYTHON_SIMULATIONS
    subjects = [("uct", our_search(game, f"uct:{simulations}")), ("OpenSpiel Python MCTSBot", python_search(peer, simulations))]
    title = f"UCT from the opening, {simulations} simulations, {game.title}"
    return Row(name, title, "simulations/s", *rates(subjects, effort), notes={"per search": simulations})


def threads_row(effort: Effort, name: str, game: Game) -> Row:
    how = SEARCHES.get(game.name, Search())
    simulations, played = 50 if effort.is_quick else how.simulations, game.with_options(**how.options)
    with unpinned():
        two = our_search(played, f"uct:{simulations * THREADS},threads={THREADS}")
        subjects = [(f"uct, {THREADS} threads", two), ("1 thread", our_search(played, f"uct:{simulations}"))]
        figures = rates(subjects, effort, clock="wall")
    notes = {"per search of a thread": simulations, "cores": len(os.sched_getaffinity(0))}
    title = f"UCT from the opening, {THREADS} threads beside one, wall time, {titled(game, how)}"
    return Row(name, title, "simulations/s", *figures, clock="wall", notes=notes)


def ntuple_row(effort: Effort, name: str, game: Game, agent: str) -> Row:
    simulations = 50 if effort.is_quick else SEARCHES[game.name].simulations
    shelf = package_shelf()
    network, heuristic = f"puct:{simulations},evaluation=ntuple:{shelf.file_of(shelf.agents[agent])}", f"puct:{simulations}"
    subjects = [(f"over the network of agent:{agent}", our_search(game, network)), ("heuristic", our_search(game, heuristic))]
    title = f"PUCT from the opening, {game.title}"
    return Row(name, title, "simulations/s", *rates(subjects, effort), notes={"per search": simulations})


def titled(game: Game, how: Search) -> str:
    return game.title + "".join(f", {name}={value}" for name, value in how.options.items())


def rows() -> dict[str, Callable[[Effort], Row]]:
    """Three for each game: beside a peer in C++, a peer in Python, and on two threads; and one for each n-tuple network."""
    found: dict[str, Callable[[Effort], Row]] = {}
    for game in map(get_game, list_games()):
        name, peer = f"uct_{game.module_name}", SEARCHES.get(game.name, Search()).peer
        found[name] = functools.partial(search_row, name=name, game=game)
        if peer is not None:
            key = f"{name}_python"
            found[key] = functools.partial(python_row, name=key, game=game, peer=peer)
        key = f"{name}_threads"
        found[key] = functools.partial(threads_row, name=key, game=game)
    for agent in NTUPLE_AGENTS:
        game = get_game(package_shelf().agents[agent].game)
        key = f"uct_ntuple_{game.module_name}"
        found[key] = functools.partial(ntuple_row, name=key, game=game, agent=agent)
    return found


ROWS = rows()
