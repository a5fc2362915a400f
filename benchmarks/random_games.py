"""What random games of a game are like: `python -m benchmarks.random_games Abalone --games 400`.

Lengths, draws, branching and who wins, from uniformly random play; the figures on the pages of the games come from here.
"""

import json
import statistics
from dataclasses import dataclass
from typing import Annotated, Any

import tyro
from rich.progress import track

from boardgym.core.board import Board, Reason
from boardgym.core.game import get_game
from boardgym.core.random import draw, stream


@dataclass(frozen=True)
class Settings:
    """Plays random games and says how long they are, how they end, and how many actions there are to choose from.

    game: id of the game. games: how many. seed: another seed, other games. json: print JSON instead of lines.
    """

    game: Annotated[str, tyro.conf.Positional]
    games: int = 400
    seed: int = 0
    json: bool = False


def play(game_id: str, games: int, seed: int) -> dict[str, Any]:
    """The figures of `games` random games, with the standard start and options."""
    game = get_game(game_id)
    lengths, branching, reasons = [], [], {reason.name.lower(): 0 for reason in (Reason.RULES, Reason.REPETITION)}
    wins, draws = [0] * game.num_seats, 0
    for number in track(range(games), description=game.title, transient=True):
        board, rng = Board(game, seed=seed + number), stream(seed, number)
        while not board.is_terminal:
            legal = board.legal_actions
            branching.append(len(legal))
            board.push(legal[draw(rng, len(legal))])
        lengths.append(board.ply)
        winner = board.outcome().winner
        reasons[board.reason.name.lower()] += 1
        if winner is None:
            draws += 1
        else:
            wins[winner] += 1
    return {
        "game": game.id,
        "games": games,
        "seed": seed,
        "plies": {"mean": statistics.mean(lengths), "median": statistics.median(lengths), "longest": max(lengths)},
        "legal actions": {"mean": statistics.mean(branching), "most": max(branching)},
        "won": {game.seat_name(seat): won / games for seat, won in enumerate(wins)},
        "drawn": draws / games,
        "ended": reasons,
    }


def main() -> None:
    """Prints the figures."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.random_games")
    found = play(settings.game, settings.games, settings.seed)
    if settings.json:
        print(json.dumps(found, indent=1))
        return
    plies, legal = found["plies"], found["legal actions"]
    print(f"{found['game']}, {found['games']} random games, seed {found['seed']}")
    print(f"plies: mean {plies['mean']:.1f}, median {plies['median']:g}, longest {plies['longest']}")
    print(f"legal actions: mean {legal['mean']:.1f}, most {legal['most']}")
    print("won: " + ", ".join(f"{name} {share:.1%}" for name, share in found["won"].items()) + f"; drawn {found['drawn']:.1%}")
    print("ended: " + ", ".join(f"{count} by {reason}" for reason, count in found["ended"].items()))


if __name__ == "__main__":
    main()
