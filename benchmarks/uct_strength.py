"""How strong our UCT is beside OpenSpiel's C++ MCTSBot: `python -m benchmarks.uct_strength --out runs/uct_strength`.

Matches from held-out openings with the seats swapped, both with random playouts, proofs and the same exploration constant:
OpenSpiel's c sqrt(ln N / n) is our c / sqrt(2) in c sqrt(2 ln N / n). At equal simulations, where neither should be ahead, and
at equal time, where our simulations are multiplied by the ratio of the simulations of both in a processor second. Goes on where
it was, and writes results.json and table.md, as `benchmarks.uct_options`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

from benchmarks.uct_matches import (
    LEAST_S,
    TIME,
    MatchSettings,
    check,
    file_of,
    markdown,
    measured,
    play_blocks,
    report,
    result_of,
    speed_ratio,
)

C_THEIRS = 1.4
C_OURS = round(C_THEIRS / math.sqrt(2.0), 4)


@dataclass(frozen=True, kw_only=True)
class Settings(MatchSettings):
    """Plays our UCT against OpenSpiel's."""

    games: tuple[str, ...] = ("ConnectFour-v0", "Othello-v0")
    simulations: int = 500
    matches: int = 400
    out: Path = Path("runs/uct_strength")


QUICK = {"games": ("TicTacToe-v0",), "simulations": 20, "matches": 4, "block": 4, "processes": 1}


def run(settings: Settings, game: str, kind: str) -> dict[str, Any] | None:
    """One match, ours against theirs; None if it has not begun and is not to."""
    from boardgym.core.policy_spec import make_policy

    simulations, found = settings.simulations, dict[str, Any](game=game, kind=kind)
    theirs = f"openspiel:mcts:{simulations},c={C_THEIRS}"
    if kind == TIME:
        speed = file_of(settings.out, "speed", game, simulations)
        if not settings.play and not speed.is_file():
            return None

        def measure() -> float:
            ours, other = (make_policy(spec, game, seed=1) for spec in (f"uct:{settings.simulations},c={C_OURS}", theirs))

            def search(board: Any) -> int:
                other.act(board)
                return settings.simulations

            return speed_ratio(lambda board: int(ours.analyse(board).nodes), search, game, 0.001 if settings.quick else LEAST_S)

        found["ratio"] = measured(speed, measure)
        simulations = max(1, round(simulations * found["ratio"]))
    ours = f"uct:{simulations},c={C_OURS}"
    path = file_of(settings.out, kind, game, simulations)
    return {**found, "a": ours, "b": theirs, **result_of(play_blocks(path, ours, theirs, settings, game))}


def table(results: Sequence[dict[str, Any]]) -> str:
    """The results as Markdown."""
    names = ("game", "kind", "a", "b", "games", "score", "elo")
    head = ("game", "equal", "ours", "OpenSpiel's", "games", "score", "Elo")
    return markdown(head, [[found[name] for name in names] for found in results])


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays what is missing and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.uct_strength", description=__doc__, args=arguments)
    if settings.quick:
        settings = Settings(**{**vars(settings), **QUICK})
    check(settings)
    report(settings, run, [(settings, game, kind) for game in settings.games for kind in settings.kinds], table)


if __name__ == "__main__":
    main()
