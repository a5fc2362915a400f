"""Many independent pieces of work, several at a time, each kept in a file when it is done: what is cut short goes on.

In a folder, `NAME.json` is the result of a finished job, with what it was made of, and `NAME.work` the folder of one that is
not finished, which goes on as long as the package's code is the same. Whoever does a job writes its file, so that nothing is
lost with the process that waits for it, and holds `NAME.lock` while it works, so that two commands in one folder do not write
over each other's work.
"""

import contextlib
import json
import multiprocessing
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from boardgym import __version__
from boardgym.baselines.typed_json import plain_data, read_json
from boardgym.baselines.workers import check_workers, ending
from boardgym.core.errors import BoardgymError, SpecError
from boardgym.core.files import write_aside
from boardgym.core.locks import alone
from boardgym.core.sources import SOURCES

STOP_S = 60.0  # that a process may take to keep its work when it is told to stop


class JobError(BoardgymError, RuntimeError):
    """Jobs that were not finished, each with the reason."""


@dataclass(frozen=True)
class Job:
    """A piece of work.

    Attributes:
        name: of its files: letters, digits, `.`, `-`, `_`.
        arguments: of the function, plain data.
        digest: of what the result depends on beside them.
        limits: arguments that the result does not depend on.
        size: of the work, in the unit of the progress bar.
        holds: names that its result has, at the least.
    """

    name: str
    arguments: dict[str, Any]
    digest: str = ""
    limits: dict[str, Any] = field(default_factory=dict)
    size: int = 1
    holds: tuple[str, ...] = ()

    def identity(self) -> dict[str, Any]:
        """What a result must have been made of to be this job's."""
        plain: dict[str, Any] = plain_data(self.arguments)
        return {"version": __version__, "digest": self.digest, "arguments": plain}


@dataclass(frozen=True)
class Finished:
    """What the file of a finished job holds: its identity and its result."""

    version: str
    digest: str
    arguments: dict[str, Any]
    result: dict[str, Any]


@dataclass(frozen=True)
class Place:
    """Where a job works.

    folder: for what it wants to find again when it was cut short. tell: takes how much of its size is done, and raises
    KeyboardInterrupt if it is to stop.
    """

    folder: Path
    tell: Callable[[int], None]

    def read(self, name: str) -> dict[str, Any] | None:
        """What `keep` has written under a name, or None. Raises SpecError for a damaged file."""
        try:
            text = (self.folder / f"{name}.json").read_bytes()
        except FileNotFoundError:
            return None
        expected = f"what a job has kept in {self.folder / name}.json; delete {self.folder}, and it begins anew"
        return read_json(text, dict[str, Any], SpecError, expected)

    def keep(self, name: str, value: dict[str, Any]) -> dict[str, Any]:
        """Writes part of a job's result, whole or not at all. Returns it as it will be read."""
        write_aside(self.folder / f"{name}.json", json.dumps(value).encode())
        found: dict[str, Any] = plain_data(value)
        return found


Call = Callable[..., dict[str, Any]]


def run_jobs(
    call: Call, jobs: Sequence[Job], folder: Path, *, processes: int = 1, executor: str = "processes", label: str = ""
) -> list[dict[str, Any]]:
    """What `call(place, **job.arguments, **job.limits)` gives for each job, in their order; plain data.

    A result is not worked out again while the package's version, the digest and the arguments are the same. With several
    processes a job that fails, or whose process is killed, does not end the others. On a terminal a bar on stderr tells how
    much is done, elsewhere a line for each finished job.

    executor: where the processes are, as of `Workers`. The machines of a cluster share the folder. A job whose process is lost
    goes on elsewhere, from what it had kept in the folder. On Ctrl-C the processes end at once, and that is what stays.

    Raises:
        OptionError: another number of processes, or an executor that cannot be had. WorkerError, RayError: the cluster gave up.
        SpecError: a file of the folder holds the result of other work, or none.
        JobError: jobs of other processes failed, or are done by another command at this time; the others are kept.
        OSError: the folder cannot be written. KeyboardInterrupt: what was done by then is kept.
    """
    check_workers(processes, executor)
    folder.mkdir(parents=True, exist_ok=True)
    missing = [job for job in jobs if read_result(folder, job) is None]
    with Bar(jobs, missing, label) as bar:
        if executor != "processes":
            from boardgym.studies.cluster_jobs import run_on_cluster  # which is made of this module

            failed = run_on_cluster(call, folder, missing, processes, executor, bar) if missing else []
        elif processes == 1 or len(missing) < 2:
            for job in missing:
                work(call, folder, job, lambda done, job=job: bar.tell(job, done))  # type: ignore[misc]
                bar.finish(job)
            failed = []
        else:
            failed = _Workers(call, folder, bar).run(missing, processes)
        if failed:
            raise JobError(
                f"{len(failed)} of {len(missing)} jobs were not finished; the others are kept in {folder}, and "
                "the same command goes on. " + "; ".join(failed)
            )
    results = [read_result(folder, job) for job in jobs]
    return [result for result in results if result is not None]


def work(call: Call, folder: Path, job: Job, tell: Callable[[int], None], lease: float = 0.0) -> None:
    """Does a job, or the rest of it, and writes its file.

    Raises JobError if another process still does after `lease` seconds.
    """
    with alone(folder / f"{job.name}.lock", JobError, wait=lease):
        if read_result(folder, job) is None:  # else it was done by another since this was asked
            _work(call, folder, job, tell)


def _work(call: Call, folder: Path, job: Job, tell: Callable[[int], None]) -> None:
    place, identity = Place(folder / f"{job.name}.work", tell), job.identity()
    begun = {**identity, "sources": SOURCES}  # a result is of one code; that of others may be read all the same
    with contextlib.suppress(FileNotFoundError):
        if place.read("job") != begun:
            shutil.rmtree(place.folder)  # of work that was begun with other settings, or other code
    place.folder.mkdir(exist_ok=True)
    place.keep("job", begun)
    result = call(place, **job.arguments, **job.limits)
    text = json.dumps({**identity, "result": result})
    write_aside(folder / f"{job.name}.json", text.encode())
    shutil.rmtree(place.folder, ignore_errors=True)


def read_result(folder: Path, job: Job) -> dict[str, Any] | None:
    """A job's result, or None if it has not been done. Raises SpecError."""
    path = folder / f"{job.name}.json"
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    advice = "delete it, or take another folder"
    found = read_json(text, Finished, SpecError, f"the result of a job in {path}; {advice}")
    if missing := set(job.holds) - set(found.result):
        raise SpecError(f"{path}: a result without {', '.join(sorted(missing))}; {advice}")
    ours = job.identity()
    if names := [name for name in ours if getattr(found, name) != ours[name]]:
        changes = ", ".join(f"{name} {getattr(found, name)!r}, not {ours[name]!r}" for name in names)
        raise SpecError(f"{path}: the result of other work: {changes}; {advice}")
    return found.result


def attempt(call: Call, folder: Path, job: Job, tell: Callable[[int], None], lease: float = 0.0) -> str:
    """Does a job as `work`. Returns why it was not finished, or nothing."""
    try:
        work(call, folder, job, tell, lease)
    except (BoardgymError, OSError, MemoryError) as error:
        return str(error) or type(error).__name__
    except Exception:
        return traceback.format_exc()
    return ""


# ---------------------------------------------------------------- processes


def _serve(call: Call, folder: Path, pipe: "connection.Connection[Any, Any]") -> None:
    """A process that does the jobs which come through a pipe, until None comes, or whoever sent them is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal: the first tells the others
    threading.Thread(target=_end_after, args=(multiprocessing.parent_process(),), daemon=True).start()

    def tell(done: int) -> None:
        try:
            pipe.send(("at", done))
        except OSError:
            raise KeyboardInterrupt from None  # whoever waits for it is gone: what is done by now is kept
        if pipe.poll():  # nothing comes while it works but the word to stop, or the end of the pipe
            raise KeyboardInterrupt

    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        while (job := pipe.recv()) is not None:
            pipe.send(("done", attempt(call, folder, job, tell)))


def _end_after(parent: Any) -> None:
    """Ends this process, and so its locks, some time after the one that began it, unless it has noticed by itself by then."""
    connection.wait([parent.sentinel])
    time.sleep(STOP_S)
    os._exit(1)


class _Workers:
    """Processes, each with the job that it does and the pipe to it."""

    def __init__(self, call: Call, folder: Path, bar: "Bar") -> None:
        self.call, self.folder, self.bar = call, folder, bar
        self.context = multiprocessing.get_context("spawn")
        self.busy: dict[Any, tuple[Any, Job]] = {}

    def run(self, jobs: Sequence[Job], processes: int) -> list[str]:
        """Does the jobs. Returns why some were not finished, one text for each."""
        waiting, failed = list(reversed(jobs)), list[str]()
        try:
            while waiting or self.busy:
                while waiting and len(self.busy) < processes:
                    self._start(waiting.pop())
                for pipe in cast(list[Any], connection.wait(list(self.busy))):
                    process, job = self.busy[pipe]
                    try:
                        word, what = pipe.recv()
                    except (EOFError, OSError):
                        process.join()
                        failed.append(f"{job.name}: {ending(process.exitcode)}")
                        del self.busy[pipe]
                        continue
                    if word == "at":
                        self.bar.tell(job, what)
                        continue
                    if what:
                        failed.append(f"{job.name}: {what}")
                    else:
                        self.bar.finish(job)
                    self._send(pipe, process, waiting.pop() if waiting else None)
        except KeyboardInterrupt:
            self.bar.say(f"stopping: every process keeps what it has done, within {STOP_S:.0f} s")
            raise
        finally:
            self._stop()
        return failed

    def _start(self, job: Job) -> None:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_serve, args=(self.call, self.folder, theirs), daemon=True)
        process.start()
        theirs.close()  # else its end would not be seen here
        self._send(ours, process, job)

    def _send(self, pipe: Any, process: Any, job: Job | None) -> None:
        """Gives a process its next job; None: it ends."""
        with contextlib.suppress(OSError):  # its end is seen when the pipe is read
            pipe.send(job)
        if job is None:
            del self.busy[pipe]
            process.join()
        else:
            self.busy[pipe] = process, job

    def _stop(self) -> None:
        """Tells those that still work to keep what they have, and waits for them."""
        for pipe in self.busy:
            with contextlib.suppress(OSError):
                pipe.send(None)
        deadline = time.monotonic() + STOP_S
        for pipe, (process, _) in self.busy.items():
            while process.is_alive() and time.monotonic() < deadline:
                with contextlib.suppress(EOFError, OSError):  # a full pipe would hold it up
                    while pipe.poll(0.05):
                        pipe.recv()
                process.join(0.05)
            process.terminate()
            process.join()


class Bar:
    """How much of the jobs is done, on stderr: a bar on a terminal, else a line for each job that is finished."""

    def __init__(self, jobs: Sequence[Job], missing: Sequence[Job], label: str) -> None:
        self.sizes, self.label = {job.name: job.size for job in jobs}, label
        self.done = {**self.sizes, **{job.name: 0 for job in missing}}
        self.finished, self.started = len(jobs) - len(missing), time.monotonic()

    def __enter__(self) -> "Bar":
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[jobs]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
        self.bar.start()
        self.task = self.bar.add_task(self.label, total=sum(self.sizes.values()), completed=sum(self.done.values()), jobs="")
        return self

    def tell(self, job: Job, done: int) -> None:
        """So much of a job is done, or more, if that was told before."""
        self.done[job.name] = max(done, self.done[job.name])
        self.bar.update(self.task, completed=sum(self.done.values()), jobs=f"{self.finished} of {len(self.sizes)} jobs")

    def say(self, text: str) -> None:
        """A line on stderr, above the bar."""
        self.bar.console.print(text, highlight=False, soft_wrap=True)

    def finish(self, job: Job) -> None:
        """A job is done."""
        self.finished += 1
        self.tell(job, job.size)
        if self.bar.disable:
            print(
                f"{self.finished} of {len(self.sizes)} done after {time.monotonic() - self.started:.0f} s: {job.name}",
                file=sys.stderr,
                flush=True,
            )

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.bar.stop()
