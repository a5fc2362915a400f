"""Jobs of a study on a cluster, whose machines share the folder of `jobs.run_jobs`: whoever does a job writes its result."""

import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from boardgym.baselines.workers import LostTaskError, Workers
from boardgym.core.errors import OptionError
from boardgym.core.files import write_aside
from boardgym.studies.jobs import Bar, Call, Job, attempt

SEEN_S = 90.0  # after which a machine sees what another has written: a shared file system may keep what it knew so long
LEASE_S = 120.0  # after which a lock is free whose holder is lost with its machine
LOOK_S = 5.0  # from one look at how much of the jobs is done to the next
PROGRESS = "progress"  # in the folder of a job that goes on: how much of it is done


def run_on_cluster(call: Call, folder: Path, jobs: Sequence[Job], processes: int, executor: str, bar: Bar) -> list[str]:
    """Does the jobs, with at most a process for each. Returns why some were not finished, one text for each.

    Raises OptionError if the machines do not share the folder; as `Workers`.
    """
    folder = folder.absolute()
    sign, is_over = folder / f"{secrets.token_hex(8)}.sign", threading.Event()
    workers: Workers[Job, str] = Workers(partial(begin_jobs, call, folder, sign), min(processes, len(jobs)), executor)
    failed, left = [], {job.name: job for job in jobs}
    watch = threading.Thread(target=watch_jobs, args=(folder, left, is_over, bar), daemon=True)
    try:
        write_aside(sign, b"")
        watch.start()
        with workers:
            for job, reason in workers.run(jobs, lost=why_lost):
                del left[job.name]
                if reason or not is_seen(folder / f"{job.name}.json"):
                    failed.append(f"{job.name}: {reason or 'its result is not there'}")
                else:
                    bar.finish(job)
    finally:
        is_over.set()
        if watch.ident is not None:
            watch.join()
        sign.unlink(missing_ok=True)
    return failed


def why_lost(error: LostTaskError) -> str:
    """The answer in place of that of a job in which too many processes ended."""
    return str(error)


def watch_jobs(folder: Path, left: dict[str, Job], is_over: threading.Event, bar: Bar) -> None:
    """On a thread of its own: tells how much of each job is done."""
    while not is_over.wait(LOOK_S):
        for name, job in list(left.items()):
            try:
                done = int((folder / f"{name}.work" / PROGRESS).read_text())
            except (OSError, ValueError):  # not begun, or just finished
                continue
            if name in left:
                bar.tell(job, done)


def begin_jobs(call: Call, folder: Path, sign: Path) -> Callable[[Job], str]:
    """In a process of the cluster: what does a job, and returns why it was not finished, or nothing.

    sign: a file that the command has written into the folder. Raises OptionError if it is not there.
    """
    if not is_seen(sign):
        raise OptionError(f"on {socket.gethostname()}, {folder} is not the folder of the command; expected one that all share")

    def do(job: Job) -> str:
        path, told = folder / f"{job.name}.work" / PROGRESS, -LOOK_S

        def tell(done: int) -> None:
            nonlocal told
            if time.monotonic() - told >= LOOK_S:
                told = time.monotonic()
                write_aside(path, str(done).encode())

        return attempt(call, folder, job, tell, lease=LEASE_S)

    return do


def is_seen(path: Path) -> bool:
    """Whether a file is there, or comes into view in time."""
    deadline = time.monotonic() + SEEN_S
    while not (found := path.exists()) and time.monotonic() < deadline:
        time.sleep(0.5)
    return found
