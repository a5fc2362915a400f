"""Tasks answered by jobs of a Slurm cluster, which submitit submits.

A job is a worker that is sent many tasks (`RemoteWorkers`), so that its start is paid for once. For one that has ended,
whatever ended it, another one is submitted. All nodes have the current folder and this Python.
"""

import contextlib
import io
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Self

from boardgym.baselines.remote_workers import RemoteWorkers, serve
from boardgym.baselines.workers import WorkerError
from boardgym.core.errors import OptionError
from boardgym.core.signals import ctrl_c_held

LOOK_S = 10.0  # from one look at the cluster's jobs to the next
MOST_VAIN = 5  # looks in a row at jobs of which some ended before they connected, and none is connected
MOST_PAUSE_S = 320.0  # before the next jobs are submitted, if some end before they connect: LOOK_S, doubled each time
WAIT_S, END_S = 0.5, 10.0  # for jobs that connect, before the next look around; for jobs that are cancelled, at most
NEEDED = "the executor 'slurm' needs submitit, which is not installed: pip install 'boardgym[slurm]'"
NO_SLURM = "the executor 'slurm' needs Slurm's sbatch, which is not on the PATH; expected a machine that submits jobs"
JOB = {"cpus_per_task": 1, "wckey": None, "time": None}  # None: as the cluster or sbatch's variables say
FIXED = ("SBATCH_JOB_NAME", "SBATCH_ARRAY_INX")  # of sbatch's variables, which it prefers to what a submission says


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

    Attributes:
        name: of the jobs, which no other run has: `scancel --me --name=NAME` cancels them.

    Raises OptionError without submitit or Slurm, with one of the variables FIXED, in a folder that cannot be written, and if
    the system allows too few open files; SlurmError if Slurm takes no jobs.
    """

    def __init__(self, begin: Callable[[], Callable[[Any], Any]], processes: int) -> None:
        self.begin, self.processes = begin, processes
        self.jobs: dict[str, Any] = {}  # submitit's, by their ids
        self.name, self.left = f"boardgym-{secrets.token_hex(4)}", contextlib.ExitStack()
        self.vain, self.is_over = 0, threading.Event()
        self.pause, self.not_before = LOOK_S, 0.0
        self.reasons = {"None"}  # for which jobs wait, as far as they were said

    def __enter__(self) -> Self:
        try:
            import submitit
        except ModuleNotFoundError:
            raise OptionError(NEEDED) from None
        if shutil.which("sbatch") is None:
            raise OptionError(NO_SLURM)
        if found := [name for name in FIXED if name in os.environ]:
            raise OptionError(f"the executor 'slurm' names and counts its jobs; expected no variable {found[0]}: unset it")
        self.refusals = (submitit.core.utils.FailedJobError, submitit.core.utils.FailedSubmissionError, OSError)
        try:
            with ctrl_c_held():
                self._begin(submitit.SlurmExecutor)
        except BaseException:  # of Ctrl-C, too, which is raised when it is no longer held
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        with ctrl_c_held():
            self.left.close()

    def _begin(self, cluster: Callable[[str], Any]) -> None:
        try:  # private to this user: the key is in it
            folder = tempfile.TemporaryDirectory(prefix=".boardgym-slurm-", dir=os.getcwd(), ignore_cleanup_errors=True)
        except OSError as error:
            raise OptionError(f"the executor 'slurm' keeps its files in the current folder: {error}") from None
        self.cluster = cluster(self.left.enter_context(folder))
        more = {"job_name": self.name, "array_parallelism": self.processes}
        self.cluster.update_parameters(**JOB, **more, additional_parameters={"no-requeue": True})  # another one is submitted
        self.left.callback(self._cancel)
        self.workers = self.left.enter_context(RemoteWorkers(self.processes))
        self._start(self.processes)
        keeper = threading.Thread(target=self._keep, daemon=True)
        keeper.start()
        self.left.callback(keeper.join)
        self.left.callback(self.is_over.set)

    def submit(self, task: Any) -> "Future[Any]":
        """The answer to come. Its errors are those of `RemoteWorkers`; SlurmError if all jobs end."""
        return self.workers.submit(task)

    def _keep(self) -> None:
        """On a thread of its own: takes in the jobs that connect, and replaces those that end."""
        looked = time.monotonic()
        try:
            while not self.is_over.is_set():
                self.workers.take_in(WAIT_S)
                if time.monotonic() - looked >= LOOK_S:
                    self._replace()
                    looked = time.monotonic()
        except Exception as error:  # else the tasks wait for ever
            self.workers.give_up(SlurmError(f"the jobs of Slurm are no longer looked after: {type(error).__name__}: {error}"))

    def _replace(self) -> None:
        if (listed := self._listed()) is None:
            return
        if not self.workers.lines:
            for reason in {*listed.values()} - self.reasons:
                print(f"boardgym: no job of Slurm is connected; they wait for: {reason}", file=sys.stderr, flush=True)
                self.reasons.add(reason)
        why = ""
        for job in self.jobs.keys() - listed.keys():
            ended = self.jobs.pop(job)
            if job in self.workers.lines:
                self.workers.hang_up(job)  # its node may have failed, and says nothing
            else:
                why = self._log(ended)
        missing = self.processes - len(self.jobs)
        if missing and time.monotonic() >= self.not_before:
            try:
                self._start(missing)
            except SlurmError as error:
                why = str(error)
        if why and self.workers.lines:  # a bad node ends all that it is given, beside good ones
            self.not_before = time.monotonic() + self.pause
            self.pause = min(2 * self.pause, MOST_PAUSE_S)
        elif not missing and self.jobs.keys() <= self.workers.lines.keys():
            self.pause = LOOK_S
        self.vain = 0 if self.workers.lines else self.vain + bool(why)
        if self.vain >= MOST_VAIN:
            host, port = self.workers.address
            needed = f"expected nodes that reach {host}:{port}, and have {self.cluster.folder} and {sys.executable}"
            self.workers.give_up(SlurmError(f"no job of Slurm has connected; {needed}. The last one: {why}"))

    def _log(self, job: Any) -> str:
        """The end of what a job has written."""
        try:
            return (job.stderr() or "it wrote no log")[-1000:]
        except (OSError, ValueError) as error:
            return f"its log cannot be read: {error}"

    def _start(self, count: int) -> None:
        words = (self.workers.address, self.workers.key, self.begin)
        said = io.StringIO()
        refusal = ""
        try:
            with contextlib.redirect_stderr(said):  # where submitit says why Slurm takes no job, as the error does
                jobs = self.cluster.map_array(work, *([word] * count for word in words))
        except self.refusals as error:
            refusal = str(error)
            raise SlurmError(f"Slurm takes no job: {' '.join(refusal.split())}") from None
        finally:
            if others := said.getvalue().replace(f"{refusal}\n", ""):  # what other threads said meanwhile
                sys.stderr.write(others)
        self.jobs.update({job.job_id: job for job in jobs})

    def _listed(self) -> dict[str, str] | None:
        """The jobs of this run that have not ended, by their ids, and why they wait; None while Slurm does not say."""
        words = ["squeue", "--me", f"--name={self.name}", "--array", "--noheader", "--format=%i %r"]
        with contextlib.suppress(OSError):  # of a system that starts no process just now
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            lines = (line.partition(" ") for line in done.stdout.splitlines())
            return None if done.returncode else {job: reason.strip() for job, _, reason in lines}
        return None

    def _cancel(self) -> None:
        """Ends the jobs, and waits for them, as their files are deleted next."""
        words = ["scancel", "--me", f"--name={self.name}"]
        try:
            subprocess.run(words, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            failed = (getattr(error, "stderr", "") or str(error)).strip()
            warnings.warn(f"the jobs may go on: {failed}; expected to be cancelled: {' '.join(words)}", RuntimeWarning, 2)
            return
        until = time.monotonic() + END_S
        while self._listed() and time.monotonic() < until:
            time.sleep(WAIT_S)
