"""What kill -9 costs: `python -m benchmarks.kills --kills 100 --seed 1`.

Runs commands that take some seconds and kills each at random moments, half of them uniform over its length, the others just
after a file of its folder has changed, where it saves. Then the same command goes on, and has to end as an unbroken run does:

- it ends with exit status 0, and leaves no unfinished file and no lock,
- after each kill the checkpoint can be read, and is as far as it was before or farther, and the next run goes on from there,
- what it leaves is, to the last bit, what a run leaves that nobody killed.

Needs the extra `sb3`. Prints a table; the exit status is 1 if anything was otherwise.
"""

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import safetensors.numpy
import tyro

from benchmarks.uct_matches import markdown
from boardgym.baselines.arena.ladder import Ladder
from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning.cascade.checkpoint import read_history
from boardgym.baselines.learning.coevolution import STORED
from boardgym.baselines.learning.examples.columns import EXAMPLES, FILE
from boardgym.baselines.learning.examples.generation import blocks_in
from boardgym.baselines.learning.ntuple.self_play import CHECKPOINTS as NTUPLE
from boardgym.baselines.learning.q_network.trainer import CHECKPOINTS as Q_NETWORK
from boardgym.baselines.learning.q_sarsa_state import STORED as Q_SARSA
from boardgym.baselines.perfect.connect_four_book import load_book, progress_file
from boardgym.core.errors import nearest

IN_A_ROW = 3  # kills of one run, before it is left to end
LOOK_S = 0.0005  # between two looks at a folder
AFTER_SAVE_S = 0.01  # a kill near a save comes at most so much later
TRIES = 10  # at a run that ends before it can be killed

SMALL = ("--game", "TicTacToe", "--num-envs", "16", "--trajectory", "32", "--batch-size", "128", "--judges", "random",
         "--judge-games", "20", "--judge-setup", "standard", "--setup", "random:0-2", "--compare-games", "0")  # fmt: skip
TOLD = ("--checkpoint-s", "0.2", "--json", "--out", "out")


@dataclass(frozen=True)
class Job:
    """A command and what it leaves.

    Attributes:
        words: of the command; OUT stands for the folder or file that it writes.
        progress: how far the run in a folder has come, 0 if nothing is kept yet.
        result: (name, content) of what a run leaves that was not killed, without times.
    """

    words: tuple[str, ...]
    progress: Callable[[Path], int]
    result: Callable[[Path], list[tuple[str, bytes]]]


def episodes(folder: Path) -> int:
    """Of `train tabular` and `train td`."""
    path = folder / "out/checkpoint.safetensors"
    return int(safetensors.numpy.load_file(path)["counters"][ep.EPISODE]) if path.exists() else 0


def generations(folder: Path) -> int:
    """Of `train coevolution`."""
    path = folder / "out/checkpoint.safetensors"
    return int(STORED.read_header(path, {})["done"]) if path.exists() else 0


def games(folder: Path) -> int:
    """Of `tune`."""
    path = folder / "out/checkpoint.safetensors"
    return int((safetensors.numpy.load_file(path)["results"] >= 0).sum()) if path.exists() else 0


def steps(folder: Path) -> int:
    """Of `train sb3`, `train selfplay` and `demo`."""
    path = folder / "out/model.zip"
    if not path.exists():
        return 0
    with zipfile.ZipFile(path) as archive:
        json.loads(archive.read("boardgym.json"))
        return int(json.loads(archive.read("data"))["num_timesteps"])


def example_games(folder: Path) -> int:
    """Of `examples`."""
    whole = folder / "out" / FILE
    if whole.exists():
        return int(EXAMPLES.read(whole, {})[1]["counts"]["games"])
    return sum(len(EXAMPLES.read(path, {})[1]["games"]) for path in blocks_in(folder / "out"))


def units(folder: Path) -> int:
    """Of `train uct-ccnn`, whose earlier stages are a tuning and examples."""
    path = folder / "out/checkpoint.safetensors"
    return len(read_history(path)) - 1 if path.exists() else 0


def learnt_games(folder: Path) -> int:
    """Of `train q-network`."""
    path = folder / "out/checkpoint.safetensors"
    return int(Q_NETWORK.read_header(path, {})["done"]) if path.exists() else 0


def ntuple_games(folder: Path) -> int:
    """Of `train ntuple` and `train descent`."""
    path = folder / "out/checkpoint.safetensors"
    return int(NTUPLE.read_header(path, {})["done"]) if path.exists() else 0


def batches(folder: Path) -> int:
    """Of `train q-sarsa`."""
    path = folder / "out/checkpoint.safetensors"
    return int(Q_SARSA.read_header(path, {})["done"]) if path.exists() else 0


def checkpoints(folder: Path) -> int:
    """Of `reproduce othello-q`: those that have been measured, and finished trainings."""
    return len([*folder.glob("out/jobs/*.work/checkpoint-*.json")]) + 100 * len([*folder.glob("out/jobs/*.json")])


def rows(folder: Path) -> int:
    """Of `ladder`."""
    path = folder / "out.json"
    if not path.exists():
        return 0
    ladder = Ladder.from_json(path.read_text())
    return len(ladder.rows) + len(ladder.spare)


def tables(folder: Path) -> int:
    """Tables that are finished."""
    return len([*(folder / "tables").glob("*.safetensors")])


def positions(folder: Path) -> int:
    """Of `book`."""
    book = folder / "out"
    path = book if book.exists() else progress_file(book, BOOK[2])
    return len(load_book(path, *BOOK[:2]).keys) if path.exists() else 0


def files(*names: str) -> Callable[[Path], list[tuple[str, bytes]]]:
    """The contents of files, by patterns."""

    def read(folder: Path) -> list[tuple[str, bytes]]:
        found = sorted({path for name in names for path in folder.glob(name)})
        return [(str(path.relative_to(folder)), path.read_bytes()) for path in found]

    return read


def with_model(*names: str) -> Callable[[Path], list[tuple[str, bytes]]]:
    """The same, and the weights of a model, and what its optimiser remembers."""

    def read(folder: Path) -> list[tuple[str, bytes]]:
        with zipfile.ZipFile(folder / "out/model.zip") as archive:
            parts = [(name, archive.read(name)) for name in ("policy.pth", "policy.optimizer.pth")]
        return [*parts, *files(*names)(folder)]

    return read


def without_times(*names: str) -> Callable[[Path], list[tuple[str, bytes]]]:
    """The results in JSON files, but for how long they took."""

    def read(folder: Path) -> list[tuple[str, bytes]]:
        return [(name, re.sub(rb'"[a-z_]*second[a-z_]*": *[0-9.e-]+', b"", content)) for name, content in files(*names)(folder)]

    return read


def figures(folder: Path) -> list[tuple[str, bytes]]:
    """Of `reproduce othello-q`: what was measured, and the agents."""
    return [*without_times("out/jobs/*.json")(folder), *files("out/agents/*")(folder)]


BOOK = (5, 5, 5)  # width, height, discs
JOBS = {
    "train sb3": Job(("train", "sb3", *SMALL, "--hidden", "32", "--opponent", "epsilon:0.5(greedy)", "--steps", "16384",
                      "--points", "16", "--out", "out"), steps, with_model("out/curve.csv")),
    "train selfplay": Job(("train", "selfplay", *SMALL, "--hidden", "32", "--pool", "--landing", "0", "--gate-games", "20",
                           "--gate", "0.3", "--every", "2048", "--capacity", "3", "--steps", "16384", "--points", "16",
                           "--out", "out"), steps, with_model("out/curve.csv", "out/*.safetensors", "out/pool/*",
                                                              "out/admissions.json")),
    "train td": Job(("train", "td", "--game", "Backgammon", "--episodes", "1500", "--seed", "1", "--compare-games", "0",
                     *TOLD), episodes, files("out/agent.safetensors", "out/curve.csv")),
    "train tabular": Job(("train", "tabular", "--episodes", "400000", "--greedy-episodes", "100000", "--compare-games", "0",
                          *TOLD), episodes, files("out/agent.safetensors", "out/curve.csv")),
    "train coevolution": Job(("train", "coevolution", "--generations", "300", "--compare-games", "0", *TOLD),
                             generations, files("out/*.safetensors")),
    "tune": Job(("tune", "uct:50", "--game", "TicTacToe", "--parameter", "c_uct=0.2:2.0", "--games", "40", "--processes", "2",
                 *TOLD), games, files("out/checkpoint.safetensors", "out/tuned.json", "out/*.csv")),
    "examples": Job(("examples", "TicTacToe", "--policy", "uct:2000,solver=0", "--processes", "2", "--json", "--out", "out"),
                    example_games, files(f"out/{FILE}")),
    "train uct-ccnn": Job(("train", "uct-ccnn", "--game", "TicTacToe", "--simulations", "400", "--scale", "0.05",
                           "--tune-games", "4", "--tune-iterations", "2", "--max-units", "12", "--filter", "most-visited",
                           "--compare-games", "0", "--json", "--out", "out"),
                          units, files("out/agent.safetensors", "out/*.csv")),
    "train q-network": Job(("train", "q-network", "--game", "TicTacToe", "--games", "400000", "--compare-games", "0", *TOLD),
                           learnt_games, files("out/agent.safetensors", "out/curve.csv")),
    "train ntuple": Job(("train", "ntuple", "--game", "TicTacToe", "--tuples", "lines(3)", "shape(xx/xx)", "--games", "300000",
                         "--compare-games", "0", *TOLD), ntuple_games, files("out/agent.safetensors", "out/curve.csv")),
    "train descent": Job(("train", "descent", "--game", "TicTacToe", "--tuples", "lines(3)", "shape(xx/xx)", "--games", "30000",
                          "--compare-games", "0", *TOLD), ntuple_games, files("out/agent.safetensors", "out/curve.csv")),
    "train q-sarsa": Job(("train", "q-sarsa", "--game", "TicTacToe", "--batches", "40", "--games", "50", "--window",
                          "200", "--compare-games", "0", *TOLD),
                         batches, files("out/agent.safetensors", "out/curve.csv")),
    "demo": Job(("demo", "--steps", "40000", "--games", "20", "--ladder", "random", "greedy", "minimax:2", "--out", "out"),
                steps, with_model("out/curve.csv", "out/comparison.json", "out/game.json")),
    "ladder": Job(("ladder", "ConnectFour", "--rungs", "random", "greedy", "minimax:2", "minimax:4", "minimax:6", "uct:200",
                   "--games", "100", "--out", "out.json"), rows, without_times("out.json")),
    "reproduce othello-q": Job(("reproduce", "othello-q", "--part", "single", "--out", "out"), checkpoints, figures),
    "tables": Job(("tables", "NineMensMorris", "--men", "4", "3"), tables, files("tables/*")),
    "book": Job(("book", "--option", f"width={BOOK[0]}", "--option", f"height={BOOK[1]}", "--discs", str(BOOK[2]),
                 "--table-bits", "20", "--out", "out"), positions, files("out*")),
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """Kills runs and lets them go on.

    Attributes:
        jobs: which; all of them if none is named.
        kills: in all, shared among the jobs.
        seed: of the moments.
        folder: for the runs, deleted at the end; a temporary one if none is named.
    """

    jobs: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    kills: int = 100
    seed: int = 1
    folder: Path | None = None


@dataclass
class Count:
    """What happened to a job. seconds: of the run that nobody killed. faults: what was not as it has to be."""

    seconds: float = 0.0
    kills: int = 0
    near_saves: int = 0
    kept: int = 0
    endings: int = 0
    faults: list[str] = field(default_factory=list)


class Runs:
    """The runs of a job, each in a folder of its own, with moments from a seed."""

    def __init__(self, name: str, folder: Path, seed: int) -> None:
        self.name, self.job, self.folder, self.count = name, JOBS[name], folder / name.replace(" ", "_"), Count()
        self.random = random.Random(f"{name} {seed}")
        self.whole = self.folder / "whole"
        self.whole.mkdir(parents=True)
        self.end(self.whole)  # compiles the kernels
        shutil.rmtree(self.whole)
        self.whole.mkdir()
        started, process = time.monotonic(), self.start(self.whole)
        self.changes = follow(process, self.whole, sys.maxsize)
        self.count.seconds = time.monotonic() - started
        self.check_left(self.whole, process.wait())

    def start(self, folder: Path) -> "subprocess.Popen[str]":
        """A run of the command."""
        environment = {**os.environ, "XDG_DATA_HOME": str(folder.parent / "data"), "BOARDGYM_TABLES": str(folder / "tables"),
                       "PYTHONPATH": str(Path(__file__).parents[1])}  # fmt: skip
        log = folder.with_suffix(".log").open("w")
        return subprocess.Popen(
            [sys.executable, "-m", "boardgym", *self.job.words],
            cwd=folder,
            env=environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )

    def end(self, folder: Path) -> str:
        """Lets the command run to its end. Returns what it printed."""
        return self.check_left(folder, self.start(folder).wait())

    def check_left(self, folder: Path, status: int) -> str:
        """Notes what is wrong about the end of a run. Returns what it printed."""
        said = folder.with_suffix(".log").read_text()
        if status != 0:
            self.count.faults.append(f"{folder.name}: exit status {status}: {' '.join(said.split())[-300:]}")
        if left := [path.name for path in folder.rglob("*") if path.suffix in (".part", ".lock", ".unfinished")]:
            self.count.faults.append(f"{folder.name}: leaves {', '.join(left)}")
        return said

    def kill(self, folder: Path) -> bool:
        """Starts a run and kills it at a random moment. Returns whether it came before the end."""
        near_save = self.random.random() < 0.5
        wait = self.random.uniform(0.0, AFTER_SAVE_S if near_save else self.count.seconds)
        process = self.start(folder)
        if near_save:
            follow(process, folder, 1 + self.random.randrange(self.changes))
        time.sleep(wait)
        is_killed = process.poll() is None
        process.kill()
        process.wait()
        self.count.kills += is_killed
        self.count.near_saves += is_killed and near_save
        return is_killed

    def series(self, kills: int) -> None:
        """Kills one run so many times, and lets it end."""
        folder = self.folder / f"killed {self.count.kills}"
        folder.mkdir()
        before, tries = 0, 0
        for _ in range(kills):
            while not self.kill(folder) and (tries := tries + 1) < TRIES:
                self.check_end(folder)
                shutil.rmtree(folder)
                folder.mkdir()
                before = 0
            now = self.progress(folder)
            self.count.kept += now > 0
            if now < before:
                self.count.faults.append(f"{folder.name}: at {now} after {before}")
            before = now
        said = self.end(folder)
        for number in re.findall(r'"resumed": ([0-9]+)|goes on after ([0-9,]+) steps', said):
            if int("".join(number).replace(",", "")) < before:
                self.count.faults.append(f"{folder.name}: goes on after {number}, not {before}")
        self.check_end(folder)

    def progress(self, folder: Path) -> int:
        """Of a run that was killed."""
        try:
            return self.job.progress(folder)
        except Exception as error:  # whatever it is, the run is lost
            self.count.faults.append(f"{folder.name}: {error!r}")
            return 0

    def check_end(self, folder: Path) -> None:
        """Compares what a run has left with what it had to."""
        self.count.endings += 1
        ours, theirs = (dict(self.job.result(place)) for place in (folder, self.whole))
        for name in sorted({*ours, *theirs}):
            if ours.get(name) != theirs.get(name):
                self.count.faults.append(f"{folder.name}: another {name}: {first_difference(ours.get(name), theirs.get(name))}")


def first_difference(ours: bytes | None, theirs: bytes | None) -> str:
    """Where two contents part, with a few bytes of both."""
    if ours is None or theirs is None:
        return "missing" if ours is None else "expected none"
    pairs = zip(ours, theirs, strict=False)
    place = next((i for i, (one, other) in enumerate(pairs) if one != other), min(len(ours), len(theirs)))
    part = slice(max(place - 40, 0), place + 40)
    return f"byte {place}: {ours[part]!r}, expected {theirs[part]!r}"


def follow(process: "subprocess.Popen[str]", folder: Path, changes: int) -> int:
    """Waits until a folder has changed so many times, or a process has ended. Returns how many there were."""
    count, seen = 0, state_of(folder)
    while count < changes and process.poll() is None:
        time.sleep(LOOK_S)
        now = state_of(folder)
        count, seen = count + (now != seen), now
    return count


def state_of(folder: Path) -> int:
    """What changes with the files of a folder."""
    found = hashlib.sha256()
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            try:
                status = os.stat(os.path.join(place, name))
            except FileNotFoundError:
                continue
            found.update(f"{place} {name} {status.st_ino} {status.st_mtime_ns}".encode())
    return int.from_bytes(found.digest()[:8], "little")


def run(settings: Settings) -> dict[str, Count]:
    """What happened to each job."""
    names, counts = settings.jobs or tuple(JOBS), dict[str, Count]()
    with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
        for number, name in enumerate(names):
            runs = Runs(name, Path(folder), settings.seed)
            left = settings.kills // len(names) + (number < settings.kills % len(names))
            while left > 0:
                runs.series(min(left, IN_A_ROW))
                left -= min(left, IN_A_ROW)
            counts[name] = runs.count
            print(f"{name}: {runs.count}", file=sys.stderr, flush=True)
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table. Returns 1 if anything was lost."""
    settings: Any = tyro.cli(Settings, prog="python -m benchmarks.kills", description=__doc__, args=arguments)
    for name in settings.jobs:
        if name not in JOBS:
            raise SystemExit(f"no job {name!r}; {nearest(name, JOBS)}")
    counts = run(settings)
    head = ("command", "s a run", "kills", "near a save", "with a checkpoint", "ended as unbroken", "faults")
    print(markdown(head, [[name, f"{count.seconds:.1f}", count.kills, count.near_saves, count.kept, count.endings,
                           len(count.faults)] for name, count in counts.items()]))  # fmt: skip
    for name, count in counts.items():
        for fault in count.faults:
            print(f"{name}: {fault}")
    return 1 if any(count.faults for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
