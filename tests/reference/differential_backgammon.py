"""Backgammon against OpenSpiel: all positions that a roll's plays lead to, from positions of random games.

    python -m tests.reference.differential_backgammon --positions 2000

OpenSpiel's action is two men's moves; a double is two actions running. Its board does not tell which of the plays that lead
to one position was made, so that sets of positions are compared: men, bars and men borne off of both sides. At every turn
of OpenSpiel's random games, for all 21 rolls; and at the end what the game pays, with gammons and backgammons counted.
"""

import argparse
import random
import time

import pyspiel

from boardgym import Board
from boardgym.core.verbs import CHANCE
from tests.games.backgammon_twin import results

SPIEL_BAR, SPIEL_GAME = 100, "backgammon(scoring_type=full_scoring)"
ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


class Mismatch(AssertionError):
    """The two implementations differ."""


def letters(state):
    """The men of OpenSpiel's state as the position string writes them."""
    text = ""
    for number in range(26):
        if number in (0, 25):
            first, second = (state.board(0, SPIEL_BAR), 0) if number else (0, state.board(1, SPIEL_BAR))
        else:  # its x goes up from 0, and so the points of our x count down
            first = state.board(0, 24 - number)
            second = 0 if first else state.board(1, 24 - number)
        text += chr(64 + first) if first else chr(96 + second) if second else "-"
    return text


def their_results(state):
    """The boards that OpenSpiel's plays lead to: set of letters."""
    found, halves = set(), {letters(state): state}
    while halves:
        nexts = {}
        for half in halves.values():
            for action in half.legal_actions():
                child = half.child(action)
                if child.is_chance_node() or child.is_terminal():
                    found.add(letters(child))
                else:
                    nexts[letters(child)] = child
        halves = nexts
    return found


def compare_roll(state, seat, high, low):
    """Compares the plays of one roll. state: OpenSpiel's, after that roll."""
    dice = f"{high}{low}" * (2 if high == low else 1)
    board = Board("Backgammon-v0", f"{letters(state)} {'xo'[seat]} {dice}", auto_roll=False)
    assert board.to_play == seat
    ours = {board.game.to_fen(position).split()[0] for position in results(board)}
    theirs = their_results(state)
    if ours != theirs:
        raise Mismatch(f"{board.fen()}: only ours {sorted(ours - theirs)}, only OpenSpiel's {sorted(theirs - ours)}\n{state}")


def compare_positions(count, seed):
    """Compares all rolls at `count` positions of random games. Returns how many, and how many games came to an end.

    Raises: Mismatch naming the position and the plays.
    """
    game, rng, done, ended = pyspiel.load_game(SPIEL_GAME), random.Random(seed), 0, 0
    while done < count:
        state = game.new_initial_state()
        state.apply_action(rng.choice(state.legal_actions()))
        mover = None
        while not state.is_terminal() and done < count:
            if state.is_chance_node():
                outcomes = {state.action_to_string(outcome)[-3:-1]: outcome for outcome in state.legal_actions()}
                for high, low in ROLLS:
                    after = state.child(outcomes[f"{low}{high}"])
                    compare_roll(after, after.current_player(), high, low)
                done += 1
                state.apply_action(rng.choice(state.legal_actions()))
            before, mover = state, state.current_player()
            state = state.child(rng.choice(state.legal_actions()))
        if state.is_terminal():
            compare_end(before, state, mover)
            ended += 1
    return done, ended


def compare_end(before, state, mover):
    """Compares what a game pays. before: OpenSpiel's state before its last action; mover: who made it."""
    board = Board("Backgammon-v0", f"{letters(state)} {'xo'[1 - mover]} -", auto_roll=False)
    assert board.to_play != CHANCE
    if not board.is_terminal or board.returns() != state.returns():
        raise Mismatch(f"{board.fen()} pays {board.returns()} and not {state.returns()}\n{before}\n{state}")


def main():
    """Compares and prints the number of positions and the time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    began = time.process_time()
    done, ended = compare_positions(arguments.positions, arguments.seed)
    print(
        f"{done:,} positions, 21 rolls each, {ended} games to their end: 0 mismatches, "
        f"{time.process_time() - began:.0f} s of CPU time"
    )


if __name__ == "__main__":
    main()
