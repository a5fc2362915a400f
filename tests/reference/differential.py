"""Differential play: random games on a `Board` and on OpenSpiel's state side by side, compared at every ply.

    python -m tests.reference.differential --plies 5000000

Compared: legal actions, the player to act, whether the game is over, and at the end what it pays each seat. The action
numbers are the same: cells and squares row by row from the top left, columns from the left. OpenSpiel's pass in Othello
is action 64, legal only alone; its games end at once when neither side can move, and its player at the end is a constant
of its own, so that the player is compared before the end only.
"""

import argparse
import random
import time

import pyspiel

from boardgym import Board

GAMES = {"TicTacToe-v0": "tic_tac_toe", "ConnectFour-v0": "connect_four", "Othello-v0": "othello"}


class Mismatch(AssertionError):
    """The two implementations differ."""


def compare_games(game_id: str, plies: int, seed: int) -> int:
    """Plays random games until `plies` plies have been compared. Returns their number, that of the last game included.

    Raises: Mismatch naming the game and the actions that led to the difference.
    """
    theirs, rng, done = pyspiel.load_game(GAMES[game_id]), random.Random(seed), 0
    while done < plies:
        board, state = Board(game_id), theirs.new_initial_state()
        while True:
            legal, is_over = board.legal_actions, board.is_terminal
            same = legal == state.legal_actions() and is_over == state.is_terminal()
            if same:
                same = board.returns() == state.returns() if is_over else board.to_play == state.current_player()
            if not same:
                raise Mismatch(f"{game_id} after {board.actions}: {board!r} against OpenSpiel's\n{state}")
            if is_over:
                break
            action = rng.choice(legal)
            board.push(action)
            state.apply_action(action)
            done += 1
    return done


def main() -> None:
    """Compares the three games and prints the number of plies and the time of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plies", type=int, default=1_000_000, help="plies of each game")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for game_id in GAMES:
        began = time.process_time()
        done = compare_games(game_id, arguments.plies, arguments.seed)
        print(f"{game_id:15} {done:10,} plies, 0 mismatches, {time.process_time() - began:.1f} s of CPU time")


if __name__ == "__main__":
    main()
