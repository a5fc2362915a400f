"""Differential play of Nine Men's Morris: random games on a `Board` and on OpenSpiel's state, compared at every ply.

    python -m tests.reference.differential_morris --plies 200000

Compared: legal actions, the seat to play, whether the game is over, and at the end what it pays each seat. The action numbers
are the same: 24 points to place or remove, then 24 + 24 * from + to. A removal is an action of its own on both sides, and who
cannot move has lost. What differs is when a game is drawn: OpenSpiel knows neither repetition nor a limit without mills, which
are switched off here; its only draw is a cap of 200 turns, a removal being part of one: games are compared up to there.
"""

import argparse
import random
import time

import pyspiel

from boardgym import Board

CAP = 200  # OpenSpiel's kMaxNumTurns


class Mismatch(AssertionError):
    """The two implementations differ."""


def compare_games(plies: int, seed: int) -> tuple[int, int, int]:
    """Plays random games until `plies` plies have been compared.

    Returns (plies, games that were played to their end, games that OpenSpiel's cap cut short).
    Raises: Mismatch naming the actions that led to the difference.
    """
    theirs, rng, done, ended, capped = pyspiel.load_game("nine_mens_morris"), random.Random(seed), 0, 0, 0
    while done < plies:
        board, state = Board("NineMensMorris-v0", repetition_limit=0, no_mill_limit=0), theirs.new_initial_state()
        turns = 0
        while True:
            if state.is_terminal() and turns >= CAP:
                capped += 1
                break
            legal, is_over = board.legal_actions, board.is_terminal
            same = legal == state.legal_actions() and is_over == state.is_terminal()
            if same:
                same = board.returns() == state.returns() if is_over else board.to_play == state.current_player()
            if not same:
                raise Mismatch(f"after {board.actions}: {board!r} against OpenSpiel's\n{state}")
            if is_over:
                ended += 1
                break
            action = rng.choice(legal)
            board.push(action)
            state.apply_action(action)
            turns += not board.position.must_remove
            done += 1
    return done, ended, capped


def main() -> None:
    """Compares random games and prints how many plies and games there were."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plies", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    began = time.process_time()
    done, ended, capped = compare_games(arguments.plies, arguments.seed)
    seconds = time.process_time() - began
    print(f"{done:,} plies, 0 mismatches; {ended} games ended, {capped} were cut at {CAP} turns; {seconds:.1f} s of CPU time")


if __name__ == "__main__":
    main()
