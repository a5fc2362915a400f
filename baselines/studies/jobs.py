"""Many independent pieces of work, several at a time, each kept in a file when it is done: what is cut short goes on."""

import json
import multiprocessing
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boardgym.core.cache import write_aside
from boardgym.core.errors import OptionError, SpecError


@dataclass(frozen=True)
class Job:
    """A piece of work. name: of its file, letters, digits, `.`, `-`, `_`. arguments: of the function, plain data."""

    name: str
    arguments: dict[str, Any]


def run_jobs(
    call: Callable[..., dict[str, Any]],
    jobs: Sequence[Job],
    folder: Path,
    *,
    processes: int = 1,
    label: str = "",
) -> list[dict[str, Any]]:
    """What `call(**job.arguments)` gives for each job, in their order; plain data.

    A job's result is written to `folder / name.json` with its arguments, and not worked out again while these are the same. A
    bar on a terminal's stderr tells how many are done.

    Raises:
        OptionError: fewer than one process.
        SpecError: a file of the folder holds the result of other arguments, or none.
        OSError: the folder cannot be written. KeyboardInterrupt: what was done by then is kept.
    """
    if processes < 1:
        raise OptionError(f"processes={processes}: expected at least 1")
    folder.mkdir(parents=True, exist_ok=True)
    results = {job.name: found for job in jobs if (found := read_result(folder, job)) is not None}
    missing = [job for job in jobs if job.name not in results]
    with ExitStack() as stack:
        tell = stack.enter_context(_bar(len(jobs), len(results), label))
        if processes == 1 or len(missing) < 2:
            for job in missing:
                results[job.name] = keep(folder, job, call(**job.arguments))
                tell()
        else:
            pool = ProcessPoolExecutor(min(processes, len(missing)), mp_context=multiprocessing.get_context("spawn"))
            stack.callback(pool.shutdown, cancel_futures=True)
            futures = {pool.submit(call, **job.arguments): job for job in missing}
            for future in as_completed(futures):
                job = futures[future]
                results[job.name] = keep(folder, job, future.result())
                tell()
    return [results[job.name] for job in jobs]


def keep(folder: Path, job: Job, result: dict[str, Any]) -> dict[str, Any]:
    """Writes a job's result, whole or not at all. Returns it as it will be read."""
    text = json.dumps({"arguments": job.arguments, "result": result}, indent=1)
    write_aside(folder / f"{job.name}.json", text.encode())
    found: dict[str, Any] = json.loads(text)["result"]
    return found


def read_result(folder: Path, job: Job) -> dict[str, Any] | None:
    """A job's result, or None if it has not been done. Raises SpecError."""
    path = folder / f"{job.name}.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        arguments, result = found["arguments"], found["result"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise SpecError(f"{path}: not the result of a job ({error!r}); delete it, or take another folder") from None
    if arguments != json.loads(json.dumps(job.arguments)):
        raise SpecError(f"{path}: the result of {arguments}, not of {job.arguments}; delete it, or take another folder")
    return dict(result)


class _bar:
    """A bar of jobs; called when one is done."""

    def __init__(self, total: int, done: int, label: str) -> None:
        self.total, self.done, self.label = total, done, label

    def __enter__(self) -> Callable[[], None]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
        self.bar.start()
        task = self.bar.add_task(self.label, total=self.total, completed=self.done)
        return lambda: self.bar.advance(task)

    def __exit__(self, *_: object) -> None:
        self.bar.stop()
