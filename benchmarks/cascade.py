"""Cascade correlation beside FANN's C code: `python -m benchmarks.cascade --out runs/cascade`.

Both grow networks on the same examples with the same settings, FANN's defaults: positions of random games of Othello as 128
bits, and who won. They take turns, one hidden unit each, so that a slow minute of the machine hits both. FANN runs in one
thread, as it does; ours in as many as `--threads` says. A training ends when it stagnates; as the random numbers differ, so do
the numbers of epochs, which the table has too.

Prints, and writes to table.md and results.json, the seconds that one more unit took, by the clock and of the processor, at the
units that `--marks` names, and the errors in the end. Needs FANN's shared library (Debian's `libfann2`); without it ours are
measured alone. As it stands it takes about ten minutes.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from numpy.typing import NDArray

from benchmarks.peer_fann import FannCascade, library
from boardgym.baselines.learning.cascade.cascade import Cascade, as_examples
from boardgym.baselines.learning.cascade.settings import CascadeSettings
from boardgym.baselines.networks.feature_maps import mover_map
from boardgym.core.board import Board

TEST_SHARE = 5  # one example in so many is a test


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Grows cascades, ours and FANN's, and compares their times and errors.

    Attributes:
        examples: positions to train with; a quarter as many are tests.
        units: hidden units to grow.
        marks: units whose times the table has.
        threads: of ours.
        seed: of the games and of the weights.
        out: folder of the results.
        quick: a few examples and units, to see that it runs; the figures mean nothing.
    """

    examples: int = 4000
    units: int = 50
    marks: tuple[int, ...] = (1, 25, 50)
    threads: int = 2
    seed: int = 1
    out: Path = Path("runs/cascade")
    quick: bool = False


@dataclass(frozen=True)
class Stage:
    """One more unit: seconds by the clock, of the processor, and epochs of candidates and outputs together."""

    wall_s: float
    cpu_s: float
    epochs: int


def positions(count: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(X, y): float64 (count, 128), two bits a cell, and (count,), what the seat that has moved got in the end, -1 to 1."""
    features, rng, rows, results = mover_map("Othello-v0"), np.random.default_rng(seed), [], []
    while len(rows) < count:
        board, seats = Board("Othello-v0"), []
        while not board.is_terminal:
            seat = board.to_play
            board.push(int(rng.choice(board.legal_actions)))
            rows.append(features(board, seat))
            seats.append(seat)
        results += [board.returns()[seat] for seat in seats]
    chosen = np.sort(rng.permutation(len(rows))[:count])
    return np.array(rows, np.float64)[chosen], np.array(results, np.float64)[chosen]


class Ours:
    """Our training; `grow` adds a unit, or begins, and notes what it took."""

    def __init__(self, settings: Settings, train: Any, test: Any) -> None:
        parts = [as_examples(X, y[:, None]) for X, y in (train, test)]
        self.cascade = Cascade(CascadeSettings(num_threads=settings.threads, seed=settings.seed), *parts)
        self.stages: list[Stage] = []

    def grow(self) -> None:
        """Adds a unit, or trains the outputs for the first time."""
        wall, cpu = time.perf_counter(), time.process_time()
        it = self.cascade.grow()
        self.stages.append(Stage(time.perf_counter() - wall, time.process_time() - cpu, it.candidate_epochs + it.output_epochs))


def warm_up(settings: Settings, train: Any) -> None:
    """Compiles what is measured."""
    small = [as_examples(train[0][:64], train[1][:64, None]) for _ in range(2)]
    cascade = Cascade(CascadeSettings(num_threads=settings.threads, min_epochs=2, max_epochs=3), *small)
    for _ in range(2):
        cascade.grow()


def measure(settings: Settings) -> dict[str, Any]:
    """Grows both, unit by unit in turn. Returns the stages and errors of each."""
    X, y = positions(settings.examples + settings.examples // (TEST_SHARE - 1), settings.seed)
    is_test = np.arange(len(X)) % TEST_SHARE == 0
    train, test = (X[~is_test], y[~is_test]), (X[is_test], y[is_test])
    warm_up(settings, train)
    ours = Ours(settings, train, test)
    found: dict[str, Any] = {}
    if library() is None:
        for _ in range(settings.units + 1):
            ours.grow()
    else:
        found["fann"] = beside_fann(settings, ours, train, test)
    last = ours.cascade.history[-1]
    found["ours"] = {"stages": [vars(stage) for stage in ours.stages], "train_error": last.train_error,
                     "test_error": last.test_error}  # fmt: skip
    return found


def beside_fann(settings: Settings, ours: Ours, train: Any, test: Any) -> dict[str, Any]:
    """Has FANN grow, and ours each time that it reports. Returns FANN's stages and errors."""
    stages: list[Stage] = []
    with FannCascade(*train, seed=settings.seed) as fann:
        started, epochs_before = [time.perf_counter(), time.process_time()], [0]

        def report(epochs: int) -> None:
            took = time.perf_counter() - started[0], time.process_time() - started[1]
            stages.append(Stage(*took, epochs - epochs_before[0]))
            epochs_before[0] = epochs
            ours.grow()
            started[:] = [time.perf_counter(), time.process_time()]

        fann.grow(settings.units, report)
        errors = {"train_error": fann.error(*train), "test_error": fann.error(*test)}
    return {"stages": [vars(stage) for stage in stages], **errors}


def table(settings: Settings, found: dict[str, Any]) -> str:
    """The results as Markdown."""
    ours, fann = found["ours"]["stages"], found.get("fann", {}).get("stages")
    lines = ["| hidden unit | FANN | ours | ratio | FANN, processor | ours, processor | ratio | epochs of FANN, ours |",
             "| --- | --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    for mark in settings.marks:
        if mark >= len(ours):
            continue
        cells = [str(mark)]
        for clock in ("wall_s", "cpu_s"):
            mine = ours[mark][clock]
            cells += ["-", f"{mine:.3g} s", "-"] if fann is None else [
                f"{fann[mark][clock]:.3g} s", f"{mine:.3g} s", f"{fann[mark][clock] / mine:.1f}"]  # fmt: skip
        cells.append(f"{'-' if fann is None else fann[mark]['epochs']}, {ours[mark]['epochs']}")
        lines.append(f"| {' | '.join(cells)} |")
    for name in ("fann", "ours"):
        if name in found:
            it = found[name]
            wall, cpu, epochs = (sum(stage[field] for stage in it["stages"]) for field in ("wall_s", "cpu_s", "epochs"))
            lines.append(
                f"\n{name}: {wall:.4g} s in all ({cpu:.4g} s of the processor) for {epochs:,} epochs, training error "
                f"{it['train_error']:.4f}, test error {it['test_error']:.4f}"
            )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.cascade", description=__doc__, args=arguments)
    if settings.quick:
        settings = Settings(examples=400, units=2, marks=(1, 2), threads=settings.threads, out=settings.out / "quick")
    if settings.examples < TEST_SHARE or settings.units < 1:
        raise SystemExit(f"--examples {settings.examples} --units {settings.units}: expected at least {TEST_SHARE} and 1")
    found = measure(settings)
    text = table(settings, found)
    settings.out.mkdir(parents=True, exist_ok=True)
    (settings.out / "results.json").write_text(json.dumps(found, indent=1) + "\n")
    (settings.out / "table.md").write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
