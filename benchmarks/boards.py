"""`Board` from Python beside OpenSpiel's `State`: legal actions and push, alone and with observation and mask."""

import random
from typing import Any

import numpy as np

from benchmarks.measure import Effort, Row, Work, rates
from boardgym.core.board import Board
from boardgym.core.game import Game, get_game

NUM_NUMBERS = 4096


def numbers() -> list[int]:
    """Draws that both sides use, so that drawing costs both the same."""
    return random.Random(1).choices(range(720_720), k=NUM_NUMBERS)


def board_plies(game: Game) -> Work:
    drawn = numbers()

    def work(n: int) -> int:
        plies, board = 0, Board(game)
        while plies < n:
            legal = board.legal_actions
            if not legal:
                board = Board(game)
                continue
            board.push(legal[drawn[plies & 4095] % len(legal)])
            plies += 1
        return plies

    return work


def state_plies(game: Any) -> Work:
    drawn = numbers()

    def work(n: int) -> int:
        plies, state = 0, game.new_initial_state()
        while plies < n:
            legal = state.legal_actions()
            if not legal:
                state = game.new_initial_state()
                continue
            state.apply_action(legal[drawn[plies & 4095] % len(legal)])
            plies += 1
        return plies

    return work


def board_observations(game: Game) -> Work:
    drawn = numbers()

    def work(n: int) -> int:
        plies, board = 0, Board(game)
        while plies < n:
            legal = board.legal_actions
            if not legal:
                board = Board(game)
                continue
            board.look()
            board.push(legal[drawn[plies & 4095] % len(legal)])
            plies += 1
        return plies

    return work


def state_observations(game: Any) -> Work:
    """The peer's usual way to arrays, that of its Python agents."""
    drawn = numbers()

    def work(n: int) -> int:
        plies, state = 0, game.new_initial_state()
        while plies < n:
            legal = state.legal_actions()
            if not legal:
                state = game.new_initial_state()
                continue
            np.array(state.observation_tensor(), np.float32)
            np.array(state.legal_actions_mask(), np.int8)
            state.apply_action(legal[drawn[plies & 4095] % len(legal)])
            plies += 1
        return plies

    return work


def state_observer(game: Any) -> Work:
    """The peer's fastest way to arrays: an observer that writes into one buffer, copied to be kept; the mask made by hand."""
    from open_spiel.python.observation import make_observation

    observer, drawn = make_observation(game), numbers()

    def work(n: int) -> int:
        plies, state = 0, game.new_initial_state()
        while plies < n:
            legal = state.legal_actions()
            if not legal:
                state = game.new_initial_state()
                continue
            observer.set_from(state, state.current_player())
            observer.tensor.copy()
            mask = np.zeros(game.num_distinct_actions(), np.int8)
            mask[legal] = 1
            state.apply_action(legal[drawn[plies & 4095] % len(legal)])
            plies += 1
        return plies

    return work


def play_row(effort: Effort, name: str, our_id: str, peer_id: str, at_least_ratio: float) -> Row:
    import pyspiel

    subjects = [("Board", board_plies(get_game(our_id))), ("pyspiel State", state_plies(pyspiel.load_game(peer_id)))]
    ours, peer = rates(subjects, effort)
    title = f"legal actions and push from Python, {get_game(our_id).title}"
    return Row(name, title, "plies/s", ours, peer, at_least_ratio=at_least_ratio)


def observe_row(effort: Effort, name: str, our_id: str, peer_id: str, *, is_fastest: bool = False) -> Row:
    """is_fastest: against the peer's fastest way, for which no target is set."""
    import pyspiel

    peer_game = pyspiel.load_game(peer_id)
    theirs = ("pyspiel Observer", state_observer(peer_game)) if is_fastest else ("pyspiel State", state_observations(peer_game))
    ours, peer = rates([("Board", board_observations(get_game(our_id))), theirs], effort)
    title = f"the same with NumPy observation and mask, {get_game(our_id).title}"
    return Row(name, title, "plies/s", ours, peer, at_least_ratio=None if is_fastest else 2.0)


def board_connect_four(effort: Effort) -> Row:
    return play_row(effort, "board_connect_four", "ConnectFour-v0", "connect_four", 0.35)


def board_othello(effort: Effort) -> Row:
    return play_row(effort, "board_othello", "Othello-v0", "othello", 1.5)


def observe_connect_four(effort: Effort) -> Row:
    return observe_row(effort, "observe_connect_four", "ConnectFour-v0", "connect_four")


def observe_othello(effort: Effort) -> Row:
    return observe_row(effort, "observe_othello", "Othello-v0", "othello")


def observer_connect_four(effort: Effort) -> Row:
    return observe_row(effort, "observer_connect_four", "ConnectFour-v0", "connect_four", is_fastest=True)


def observer_othello(effort: Effort) -> Row:
    return observe_row(effort, "observer_othello", "Othello-v0", "othello", is_fastest=True)


ROWS = {
    "board_connect_four": board_connect_four,
    "board_othello": board_othello,
    "observe_connect_four": observe_connect_four,
    "observe_othello": observe_othello,
    "observer_connect_four": observer_connect_four,
    "observer_othello": observer_othello,
}
