"""How strong self-play alone makes an agent: `python -m benchmarks.self_play --seeds 1 2 3 --minutes 30`.

Trains Connect Four by `boardgym train selfplay` from each seed, and as a control against one fixed opponent; then compares
all of them over games from held-out openings. Writes the runs, and comparisons.json and table.md beside them. Two runs
at a time, one thread each, is what two cores take. A folder that holds a finished run of the same settings is not trained
again, one of other settings is refused, and Ctrl-C leaves no result of the runs that it ends.
"""

import json
import multiprocessing
import statistics
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro

from boardgym.core.errors import OptionError
from boardgym.core.files import write_aside

FINISHED = "comparison.json"


@dataclass(frozen=True)
class Settings:
    """Trains by self-play from several seeds, and a control, and compares them.

    Attributes:
        seeds: of the runs.
        minutes: of each; None: `steps` alone count.
        steps: of each, at most; None: what `boardgym train selfplay` takes.
        control: spec of the control's fixed opponent; empty: no control.
        opponents: specs that all are compared with.
        games: against each, from held-out openings.
        out: folder of the runs.
        processes: runs at a time.
    """

    seeds: tuple[int, ...] = (1, 2, 3)
    minutes: float | None = 30.0
    steps: int | None = None
    control: str = "greedy"
    opponents: tuple[str, ...] = ("random", "greedy", "minimax:2", "minimax:4", "uct:50", "uct:100", "uct:500")
    games: int = 400
    out: Path = Path("runs/self_play_benchmark")
    processes: int = 2


def asked_of(settings: Settings, opponent: str) -> dict[str, Any]:
    """What the result of a run depends on, but for its seed."""
    return {"opponent": opponent, "minutes": settings.minutes, "steps": settings.steps, "games": settings.games,
            "opponents": list(settings.opponents)}  # fmt: skip


def run(settings: Settings, seed: int, opponent: str) -> dict[str, Any]:
    """One run and its comparison. opponent: of a control; empty: self-play."""
    from boardgym.baselines import compare
    from boardgym.baselines.learning.sb3.selfplay import SelfPlayConfig, train_selfplay

    folder = settings.out / f"{'control' if opponent else 'self_play'}_{seed}"
    asked = asked_of(settings, opponent)
    if (folder / FINISHED).is_file():
        finished: dict[str, Any] = json.loads((folder / FINISHED).read_text())
        if finished.get("asked") != asked:
            raise OptionError(f"{folder}: holds a run of {finished.get('asked')}, asked for is {asked}; take another --out")
        return finished
    limits: dict[str, Any] = {"minutes": settings.minutes} | ({} if settings.steps is None else {"steps": settings.steps})
    config = SelfPlayConfig(seed=seed, out=folder, opponent=opponent, **limits)
    result = train_selfplay(config)
    if not result.is_finished:
        raise KeyboardInterrupt
    comparison = compare(
        result.training.model, config.game, list(settings.opponents), games=settings.games, openings="heldout", seed=1
    )
    found = {
        "run": folder.name,
        "trained against": opponent or "itself",
        "seed": seed,
        "steps": result.training.done,
        "seconds": result.seconds,
        "games": settings.games,
        "asked": asked,
        "score": {row.opponent: [row.score.value, row.score.low, row.score.high] for row in comparison.rows},
    }
    write_aside(folder / FINISHED, json.dumps(found, indent=1).encode())
    return found


def table(settings: Settings, runs: list[dict[str, Any]]) -> str:
    """The runs as Markdown, with the median of those that played themselves."""
    lines = [
        "| run | steps | minutes | " + " | ".join(settings.opponents) + " |",
        "| --- " * (len(settings.opponents) + 3) + "|",
    ]
    for found in runs:
        cells = [f"{value:.1%} [{low:.1%}, {high:.1%}]" for value, low, high in (found["score"][o] for o in settings.opponents)]
        lines.append(f"| {found['run']} | {found['steps'] / 1e6:.1f} M | {found['seconds'] / 60:.1f} | {' | '.join(cells)} |")
    own = [found for found in runs if found["trained against"] == "itself"]
    medians = [f"{statistics.median(found['score'][o][0] for found in own):.1%}" for o in settings.opponents]
    return "\n".join([*lines, f"| median of self-play | | | {' | '.join(medians)} |", ""])


def main() -> None:
    """Trains, compares, prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.self_play", description=__doc__)
    try:
        runs = all_runs(settings)
    except OptionError as error:
        raise SystemExit(f"benchmarks.self_play: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit("benchmarks.self_play: ended before all runs were finished; those that were are kept") from None
    text = table(settings, runs)
    write_aside(settings.out / "comparisons.json", json.dumps(runs, indent=1).encode())
    write_aside(settings.out / "table.md", text.encode())
    print(text)


def all_runs(settings: Settings) -> list[dict[str, Any]]:
    """Self-play from each seed, and the control, some at a time."""
    wanted = [(seed, "") for seed in settings.seeds] + ([(settings.seeds[0], settings.control)] if settings.control else [])
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(settings.processes, mp_context=context) as pool:
        return [future.result() for future in [pool.submit(run, settings, *one) for one in wanted]]


if __name__ == "__main__":
    main()
