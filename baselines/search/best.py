"""The policy `best`: the strongest that there is for each game in the time given, as a spec of other policies.

`best` and `best:1s` have a second for each move, `best:0.1s` a tenth of it. `SPECS` says what plays each bundled game: perfect
play where it answers in time, and else the search that won the matches of docs/policies.md. `BY_AGENTS` has the games for which
an agent of the package won them, which plays the game with its usual options alone. Other games are played by what `usual_spec`
says.
"""

import math

from boardgym.core import verbs
from boardgym.core.errors import SpecError
from boardgym.core.game import Game, get_game
from boardgym.core.policy_spec import Spec, parse_spec, read_number, refuse_extras

USUAL_S, LEAST_S, MOST_S = 1.0, 0.001, 1_000_000.0  # time for a move
SPECS = {  # name of a game -> spec; {time}: for a move; {half}: half of it; {empties}: see `empties_in`
    "Abalone": "minimax:{time}",
    "Abalone3": "puct:{time}",
    "Backgammon": "perfect(expectiminimax:{time})",
    "CardPoints": "perfect",
    "ConnectFour": "perfect:time={half},total={time}(puct:{time})",
    "NineMensMorris": "perfect(minimax:{time})",
    "Othello": "perfect:empties={empties},time={half},total={time}(puct:{time})",
    "TicTacToe": "perfect",
}

BY_AGENTS = {  # id of a game -> spec
    "Abalone-v0": "agent:abalone,time={time}",
    "Backgammon-v0": "perfect(agent:backgammon)",  # one turn ahead: a second turn gains nothing that 100 games show
    "NineMensMorris-v0": "perfect(agent:nine-mens-morris,time={time})",
    "Othello-v0": "perfect:empties={empties},time={half},total={time}(agent:othello,time={time},reuse=1)",
}


def empties_in(seconds: float) -> int:
    """With how many empty squares Othello's endgame solver is asked, which mostly answers within so much time.

    By the table of docs/perfect.md: 16 squares take up to 0.02 s, and each more some 2.5 times as long.
    """
    return min(max(16 + math.floor(math.log(seconds / 0.02, 2.5)), 8), 24)


def usual_spec(game: Game) -> str:
    """For a game that has no line in the table: a search by the heuristic, or, if there is none, by playouts."""
    if not verbs.has_rule("heuristic", game.position_class):
        return "uct:{time}"
    if game.num_seats != 2 or game.min_return != -game.max_return:
        return "puct:{time}"
    return "expectiminimax:{time}" if game.num_outcomes else "minimax:{time}"


def seconds_of(spec: Spec) -> float:
    """The time for a move that a spec of `best` names. Raises SpecError."""
    refuse_extras(spec)
    if not spec.argument:
        return USUAL_S
    if not spec.argument.endswith("s"):
        raise SpecError(f"policy spec {spec.text!r}: {spec.argument!r}; expected a time for each move, as in best:1s")
    seconds = float(read_number(spec.argument[:-1], spec.text, "the time in seconds", above=0.0))
    if not LEAST_S <= seconds <= MOST_S:
        raise SpecError(f"policy spec {spec.text!r}: {seconds:g} seconds for a move; expected {LEAST_S:g} to {MOST_S:.0f}")
    return seconds


def best_spec(spec: Spec, game: Game) -> Spec:
    """What `best` and `best:0.1s` stand for in a game. Raises SpecError."""
    seconds = seconds_of(spec)
    pattern = SPECS.get(game.name) or usual_spec(game)
    if game.id in BY_AGENTS and dict(game.options) == dict(get_game(game.id).options):
        pattern = BY_AGENTS[game.id]
    return parse_spec(pattern.format(time=f"{seconds!r}s", half=f"{seconds / 2!r}s", empties=empties_in(seconds / 2)))
