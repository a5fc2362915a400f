"""`Board` from Python beside OpenSpiel's `State`: legal actions and push, alone and with observation and mask."""

import functools
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks.measure import Effort, Row, Work, rates
from boardgym.core.board import Board
from boardgym.core.game import Game, get_game, list_games

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


class Peer(NamedTuple):
    """The same game at OpenSpiel, and the ratios that are wanted, None for none."""

    name: str
    push: float | None = None
    observe: float | None = None


PEERS = {
    "ConnectFour": Peer("connect_four", push=0.35, observe=2.0),
    "Othello": Peer("othello", push=1.5, observe=2.0),
    "TicTacToe": Peer("tic_tac_toe"),
    "NineMensMorris": Peer("nine_mens_morris"),
}  # in Backgammon a ply of OpenSpiel is a whole roll: there is nothing to compare


def play_row(effort: Effort, name: str, game: Game) -> Row:
    subjects, peer = [("Board", board_plies(game))], PEERS.get(game.name)
    if peer is not None:
        import pyspiel

        subjects.append(("pyspiel State", state_plies(pyspiel.load_game(peer.name))))
    title = f"legal actions and push from Python, {game.title}"
    return Row(name, title, "plies/s", *rates(subjects, effort), at_least_ratio=peer and peer.push)


def observe_row(effort: Effort, name: str, game: Game, *, is_fastest: bool = False) -> Row:
    """is_fastest: against the peer's fastest way, for which no target is set."""
    subjects, peer = [("Board", board_observations(game))], PEERS.get(game.name)
    if peer is not None:
        import pyspiel

        theirs = pyspiel.load_game(peer.name)
        subjects.append(
            ("pyspiel Observer", state_observer(theirs)) if is_fastest else ("pyspiel State", state_observations(theirs))
        )
    title = f"the same with NumPy observation and mask, {game.title}{', their fastest way' if is_fastest else ''}"
    wanted = None if is_fastest or peer is None else peer.observe
    return Row(name, title, "plies/s", *rates(subjects, effort), at_least_ratio=wanted)


def rows() -> dict[str, Callable[[Effort], Row]]:
    """For each game what `play_row` and `observe_row` measure."""
    known = [get_game(game_id) for game_id in list_games()]
    found: dict[str, Callable[[Effort], Row]] = {}
    for kind, row, chosen in (
        ("board", play_row, known),
        ("observe", observe_row, known),
        ("observer", functools.partial(observe_row, is_fastest=True), [game for game in known if game.name in PEERS]),
    ):
        for game in chosen:
            name = f"{kind}_{game.module_name}"
            found[name] = functools.partial(row, name=name, game=game)
    return found


ROWS = rows()
