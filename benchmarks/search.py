"""UCT with random playouts from the opening beside OpenSpiel's C++ MCTSBot, the same number of simulations on both sides."""

from benchmarks.measure import Effort, Row, Work, rates
from boardgym.core.board import Board
from boardgym.core.game import get_game
from boardgym.core.policy import make_policy

C_UCT = 1.4
MAX_MEMORY_MB = 2000


def our_search(game_id: str, simulations: int) -> Work:
    game = get_game(game_id)
    policy, board = make_policy(f"uct:{simulations}", game, seed=1), Board(game)

    def work(n: int) -> int:
        done = 0
        while done < n:
            policy.act(board)
            done += simulations
        return done

    return work


def peer_search(game_id: str, simulations: int) -> Work:
    import pyspiel

    game = pyspiel.load_game(game_id)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, C_UCT, simulations, MAX_MEMORY_MB, True, 1, False)
    state = game.new_initial_state()

    def work(n: int) -> int:
        done = 0
        while done < n:
            bot.mcts_search(state)
            done += simulations
        return done

    return work


def search_row(effort: Effort, name: str, ids: tuple[str, str], simulations: int, at_least_ratio: float) -> Row:
    simulations = 50 if effort.is_quick else simulations
    subjects = [("uct", our_search(ids[0], simulations)), ("OpenSpiel C++ MCTSBot", peer_search(ids[1], simulations))]
    ours, peer = rates(subjects, effort)
    title = f"UCT from the opening, {get_game(ids[0]).title}"
    return Row(name, title, "simulations/s", ours, peer, at_least_ratio=at_least_ratio, notes={"per search": simulations})


def uct_connect_four(effort: Effort) -> Row:
    return search_row(effort, "uct_connect_four", ("ConnectFour-v0", "connect_four"), 20_000, 8.0)


def uct_othello(effort: Effort) -> Row:
    return search_row(effort, "uct_othello", ("Othello-v0", "othello"), 2_000, 50.0)


ROWS = {"uct_connect_four": uct_connect_four, "uct_othello": uct_othello}
