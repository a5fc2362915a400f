"""What an executor costs beyond its tasks: `python -m benchmarks.executors --executors processes ray slurm --workers 2`.

Tasks of equal length are answered by the workers of each executor, and as a control by as many processes of this machine that
do nothing but their share of them in a loop. The time is that from the first task to the last answer, once every worker has
answered one; the overhead is how much more it is than the control's. The executors take turns, so that a machine that slows
down slows all of them down. Ray and Slurm need what docs/libraries.md says.
"""

import json
import multiprocessing
import os
import socket
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from rich.table import Table

from boardgym.baselines.workers import Workers
from boardgym.core.errors import BoardgymError, OptionError

CONTROL = "loops"
BEGIN_S = 120.0  # in which every worker has to have answered something
ROUGH = 2_000_000  # turns of a loop whose time tells how many a task takes


@dataclass(frozen=True)
class Settings:
    """Measures the overhead of executors.

    Attributes:
        executors: as of `boardgym compare --executor`.
        workers: of each; no more than there are cores, if they compute.
        seconds: lengths of tasks.
        tasks: of each length, in a round.
        work: what a task does, compute or sleep.
        rounds: of all executors, in turns.
    """

    executors: tuple[str, ...] = ("processes",)
    workers: int = 2
    seconds: tuple[float, ...] = (1.0, 0.2)
    tasks: int = 40
    work: Literal["compute", "sleep"] = "compute"
    rounds: int = 5
    json: Annotated[bool, tyro.conf.arg(help="Print JSON instead of a table.")] = False


def begin() -> Callable[[float], tuple[str, int]]:
    """What answers the tasks."""
    return answer


def answer(task: float) -> tuple[str, int]:
    """Sleeps for so many seconds, or, if it is negative, takes so many turns. Returns the machine and the process."""
    if task >= 0.0:
        time.sleep(task)
    else:
        turn(int(-task))
    return socket.gethostname(), os.getpid()


def turn(times: int) -> None:
    """A loop."""
    for _ in range(times):
        pass


def task_of(settings: Settings, seconds: float) -> float:
    """A task of such a length."""
    if settings.work == "sleep":
        return seconds
    begun = time.perf_counter()
    turn(ROUGH)
    return -max(1.0, ROUGH * seconds / (time.perf_counter() - begun))


def loop(task: float, times: int, barrier: Any, ends: Any) -> None:
    """A process of the control."""
    answer(0.0)
    barrier.wait()
    begun = time.monotonic()
    for _ in range(times):
        answer(task)
    ends.put((begun, time.monotonic()))


def control(settings: Settings, task: float) -> float:
    """Seconds that loops take."""
    context = multiprocessing.get_context("spawn")
    barrier, ends = context.Barrier(settings.workers), context.Queue()
    shares = [len(range(k, settings.tasks, settings.workers)) for k in range(settings.workers)]
    processes = [context.Process(target=loop, args=(task, share, barrier, ends)) for share in shares]
    for process in processes:
        process.start()
    times = [ends.get(timeout=BEGIN_S + 10.0 * settings.tasks * max(settings.seconds)) for _ in processes]
    for process in processes:
        process.join()
    return float(max(end for _, end in times) - min(begun for begun, _ in times))


def measure(settings: Settings, workers: Workers[float, tuple[str, int]], task: float) -> float:
    """Seconds that an executor's workers take, once all of them have answered something. Raises OptionError if they do not."""
    seen, deadline = set[tuple[str, int]](), time.monotonic() + BEGIN_S
    while len(seen) < settings.workers:
        if time.monotonic() > deadline:
            raise OptionError(f"{len(seen)} of {settings.workers} workers answered in {BEGIN_S:.0f} s; expected room for all")
        seen |= {found for _, found in workers.run([0.1] * settings.workers)}
    begun = time.monotonic()
    for _ in workers.run([task] * settings.tasks):
        pass
    return time.monotonic() - begun


def main() -> None:
    """Measures and prints."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.executors", description=__doc__)
    try:
        found = rows_of(settings)
    except BoardgymError as error:
        raise SystemExit(f"benchmarks.executors: {error}") from None
    if settings.json:
        print(json.dumps({"rows": found, "cores": os.cpu_count()}, indent=1))
        return
    table = Table(
        "executor", "task, s", "overhead, median", "least", "most", title=f"{settings.workers} workers, {settings.work}"
    )
    for row in found:
        cells = (f"{100 * row[name]:.1f} %" for name in ("overhead", "least", "most"))
        table.add_row(row["executor"], f"{row['task_seconds']:g}", *cells)
    Console().print(table)


def rows_of(settings: Settings) -> list[dict[str, Any]]:
    """Measures each executor for each length of tasks."""
    found: list[dict[str, Any]] = []
    for seconds in settings.seconds:
        task = task_of(settings, seconds)
        times: dict[str, list[float]] = {name: [] for name in (CONTROL, *settings.executors)}
        for _ in range(settings.rounds):
            times[CONTROL].append(control(settings, task))
            for name in settings.executors:
                with Workers(begin, settings.workers, name) as workers:
                    times[name].append(measure(settings, workers, task))
        for name in settings.executors:
            what = {"executor": name, "workers": settings.workers, "work": settings.work, "tasks": settings.tasks}
            found.append({**what, "task_seconds": seconds, **shares_of(times[name], times[CONTROL])})
    return found


def shares_of(times: list[float], controls: list[float]) -> dict[str, float]:
    """How much more than its round's control an executor took, as shares of that: median, least, most."""
    over = [mine / control_s - 1.0 for mine, control_s in zip(times, controls, strict=True)]
    return {"overhead": statistics.median(over), "least": min(over), "most": max(over)}


if __name__ == "__main__":
    main()
