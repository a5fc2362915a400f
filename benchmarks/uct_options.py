"""What each refinement of UCT is worth: `python -m benchmarks.uct_options --out runs/uct_options`.

Each plays matches against plain UCT on several games, from held-out openings with the seats swapped, at equal simulations and
at equal time: there its simulations are multiplied by the ratio of the simulations that both do in a processor second, which is
measured first and stands behind the Elo. So the result does not depend on who else works on the machine, and the same seed
plays the same games.

Played pairs are written down after every block: a run that is cut short goes on where it was, and one that is asked for more
games (`--matches 400`) plays those that are missing. Writes results.json and, made from it, table.md, with `--no-play` of what
there is so far.

As it stands it takes about half an hour of one core: of a game of all options at both kinds 0.1 s are Connect Four's, 1.1 s
Othello's and 6.3 s Backgammon's. That grows with the simulations and the matches.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import tyro

from benchmarks.uct_matches import (
    LEAST_S,
    SIMULATIONS,
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

OPTIONS = ("puct=1.25", "puct=1.25,prior=heuristic", "rave=100", "rave=1000", "fpu=1.0", "bias=1", "neural_mcts=1", "urgency=1",
           "decisive=1", "playout=mast", "playout=to_mast", "playout=past", "playout=fast", "cutoff=10", "leaf=heuristic",
           "leaf=mix", "reuse=1", "puct=1.25,prior=heuristic,leaf=heuristic", "neural_mcts=1,leaf=heuristic",
           "decisive=1,leaf=heuristic", "leaf=heuristic,reuse=1")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Settings(MatchSettings):
    """Plays every option against plain UCT.

    Attributes:
        options: settings that are added to the spec of plain UCT.
    """

    games: tuple[str, ...] = ("ConnectFour-v0", "Othello-v0", "Backgammon-v0")
    options: tuple[str, ...] = OPTIONS
    simulations: int = 200
    matches: int = 160
    out: Path = Path("runs/uct_options")


QUICK = {"games": ("TicTacToe-v0",), "options": ("puct=1.25,symmetry=1,least_visits=1",), "simulations": 30, "matches": 8,
         "block": 4, "processes": 1}  # fmt: skip


def run(settings: Settings, game: str, option: str) -> dict[str, Any] | None:
    """One option on one game; None if it has not begun and is not to. at: its simulations where the time is equal."""
    from boardgym.core.policy_spec import make_policy

    plain = f"uct:{settings.simulations}"
    found: dict[str, Any] = {"game": game, "option": option}
    speed = file_of(settings.out, "speed", game, plain, option)
    if not settings.play and not speed.is_file():
        return None

    def measure() -> float:
        works = []
        for spec in (f"{plain},{option}", plain):
            policy = make_policy(spec, game, seed=1)
            works.append(lambda board, policy=policy: int(policy.analyse(board).nodes))
        return speed_ratio(works[0], works[1], game, 0.001 if settings.quick else LEAST_S)

    ratio = measured(speed, measure)
    found |= {"speed": ratio, "at": max(1, round(settings.simulations * ratio))}
    for kind in settings.kinds:
        simulations = settings.simulations if kind == SIMULATIONS else found["at"]
        path = file_of(settings.out, kind, game, f"uct-{simulations}", option)
        found[kind] = result_of(play_blocks(path, f"uct:{simulations},{option}", plain, settings, game))
    return found


def table(kinds: Sequence[str], results: Sequence[dict[str, Any]]) -> str:
    """The results as Markdown, a table of each kind: Elo against plain UCT with 95 % intervals, and at equal time the ratio."""
    games = list(dict.fromkeys(it["game"] for it in results))
    tables = []
    for kind in kinds:
        rows: dict[str, list[object]] = {}
        for it in results:
            row = rows.setdefault(it["option"], [f"`{it['option']}`", *["-"] * len(games)])
            ratio = "" if kind == SIMULATIONS else f" (x {it['speed']:.2f})"
            row[1 + games.index(it["game"])] = f"{it[kind]['elo']}{ratio}"
        tables.append(markdown([f"Elo at equal {kind}", *games], list(rows.values())))
    return "\n".join(tables)


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays what is missing and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.uct_options", description=__doc__, args=arguments)
    if settings.quick:
        settings = Settings(**{**vars(settings), **QUICK})
    check(settings)
    wanted = [(settings, game, option) for option in settings.options for game in settings.games]
    report(settings, run, wanted, partial(table, settings.kinds))


if __name__ == "__main__":
    main()
