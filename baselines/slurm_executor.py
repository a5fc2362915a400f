"""Tasks answered by jobs of a Slurm cluster, which submitit submits.

A job is a worker that is sent many tasks (`RemoteWorkers`), so that its start is paid for once. For one that has ended,
whatever ended it, another one is submitted. All nodes have the current folder and this Python.
"""

import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Self

from boardgym.baselines.remote_workers import RemoteWorkers, serve
from boardgym.baselines.workers import WorkerError, ctrl_c_blocked
from boardgym.core.errors import OptionError

LOOK_S = 10.0  # from one look at the cluster's jobs to the next
MOST_VAIN = 5  # looks in a row at jobs of which some ended before they connected, and none is connected
WAIT_S, END_S = 0.5, 10.0  # for jobs that connect, before the next look around; for jobs that are cancelled, at most
NEEDED = "the executor 'slurm' needs submitit, which is not installed: pip install 'boardgym[slurm]'"
NO_SLURM = "the executor 'slurm' needs Slurm's sbatch, which is not on the PATH; expected a machine that submits jobs"
JOB = {
    "job_name": "boardgym",
    "cpus_per_task": 1,
    "wckey": None,
    "time": None,
}  # None: as the cluster or sbatch's variables say


class SlurmError(WorkerError):
    """A cluster that takes no jobs, or whose jobs end before they connect."""


def work(address: tuple[str, int], key: bytes, begin: Callable[[], Callable[[Any], Any]]) -> None:
    """What a job does."""
    from submitit import JobEnvironment

    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # which submitit ignores
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)  # which it asks for before the time is up: a task may yet end
    serve(address, key, JobEnvironment().job_id, begin)


class SlurmExecutor:
    """Tasks on a Slurm cluster: a context, within which so many jobs wait for them, each of one core.

    Args:
        begin: called once in each job, returns its function task -> answer.
        processes: how many jobs. The rest is in the variables of sbatch: SBATCH_PARTITION, SBATCH_TIMELIMIT and so on.

    Raises OptionError without submitit or Slurm, and in a folder that cannot be written; SlurmError if Slurm takes no jobs.
    """

    def __init__(self, begin: Callable[[], Callable[[Any], Any]], processes: int) -> None:
        self.begin, self.processes = begin, processes
        self.jobs: dict[str, Any] = {}  # submitit's, by their ids
        self.vain, self.is_over = 0, threading.Event()

    def __enter__(self) -> Self:
        try:
            import submitit
        except ModuleNotFoundError:
            raise OptionError(NEEDED) from None
        if shutil.which("sbatch") is None:
            raise OptionError(NO_SLURM)
        self.refusals = (submitit.core.utils.FailedJobError, submitit.core.utils.FailedSubmissionError, OSError)
        with contextlib.ExitStack() as stack, ctrl_c_blocked():  # for the commands that are run within, too
            try:  # private to this user: the key is in it
                folder = tempfile.TemporaryDirectory(prefix=".boardgym-slurm-", dir=os.getcwd(), ignore_cleanup_errors=True)
            except OSError as error:
                raise OptionError(f"the executor 'slurm' keeps its files in the current folder: {error}") from None
            self.cluster = submitit.SlurmExecutor(stack.enter_context(folder))
            self.cluster.update_parameters(**JOB, additional_parameters={"no-requeue": True})  # another one is submitted
            stack.callback(self._cancel)
            self.workers = stack.enter_context(RemoteWorkers(self.processes))
            with contextlib.redirect_stderr(io.StringIO()):  # where submitit says why Slurm takes no job, as the error does
                self._start(self.processes)
            self.keeper = threading.Thread(target=self._keep, daemon=True)
            self.keeper.start()
            stack.callback(self.keeper.join)
            stack.callback(self.is_over.set)
            self.left = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        with ctrl_c_blocked():
            self.left.close()

    def submit(self, task: Any) -> "Future[Any]":
        """The answer to come. Its errors are those of `RemoteWorkers`; SlurmError if all jobs end."""
        return self.workers.submit(task)

    def _keep(self) -> None:
        """On a thread of its own: takes in the jobs that connect, and replaces those that end."""
        looked = time.monotonic()
        while not self.is_over.is_set():
            self.workers.take_in(WAIT_S)
            if time.monotonic() - looked >= LOOK_S:
                self._replace()
                looked = time.monotonic()

    def _replace(self) -> None:
        if (listed := self._listed()) is None:
            return
        why = ""
        for job in self.jobs.keys() - listed:
            ended = self.jobs.pop(job)
            if job in self.workers.lines:
                self.workers.hang_up(job)  # its node may have failed, and says nothing
            else:
                why = (ended.stderr() or "it wrote no log")[-1000:]
        try:
            if missing := self.processes - len(self.jobs):
                self._start(missing)
        except SlurmError as error:
            why = str(error)
        self.vain = 0 if self.workers.lines else self.vain + bool(why)
        if self.vain >= MOST_VAIN:
            host, port = self.workers.address
            needed = f"expected nodes that reach {host}:{port}, and have {self.cluster.folder} and {sys.executable}"
            self.workers.give_up(SlurmError(f"no job of Slurm has connected; {needed}. The last one: {why}"))

    def _start(self, count: int) -> None:
        words = (self.workers.address, self.workers.key, self.begin)
        try:
            jobs = self.cluster.map_array(work, *([word] * count for word in words))
        except self.refusals as error:
            raise SlurmError(f"Slurm takes no job: {' '.join(str(error).split())}") from None
        self.jobs.update({job.job_id: job for job in jobs})

    def _listed(self) -> set[str] | None:
        """This user's jobs that have not ended, by their ids; None while Slurm does not say."""
        words = ["squeue", "--me", "--array", "--noheader", "--format=%i"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return None if done.returncode else set(done.stdout.split())

    def _cancel(self) -> None:
        """Ends the jobs, and waits for them, as their files are deleted next."""
        subprocess.run(["scancel", *self.jobs], capture_output=True, check=False)
        until = time.monotonic() + END_S
        while self.jobs.keys() & (self._listed() or ()) and time.monotonic() < until:
            time.sleep(WAIT_S)
