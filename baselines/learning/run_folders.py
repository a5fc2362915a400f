"""The folder of a run: one process works in it at a time, and it holds no other run.

`config.json` says what run that is, by its kind and its settings, and is there before anything else. All that the run needs to
go on is in one file, its checkpoint, which is written aside and takes its name in one rename: a process that is killed at any
moment leaves the earlier checkpoint or the later one. What else the run writes there can be made again from it. The lock ends
with the process, however that ends.
"""

import contextlib
import datetime
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boardgym.baselines.learning.history import HISTORY
from boardgym.baselines.typed_json import plain_data, read_json
from boardgym.core.errors import OptionError, SpecError
from boardgym.core.files import remove_parts, write_aside
from boardgym.core.locks import LOCK, alone

CONFIG, CHECKPOINT, AGENT, CURVE = "config.json", "checkpoint.safetensors", "agent.safetensors", "curve.csv"
MODEL, NETWORK, PICTURE = "model.zip", "network.safetensors", "curve.png"  # of Stable-Baselines3: agent and checkpoint in one
FORMER_CHECKPOINT = "champions.safetensors"  # of co-evolution, before all had one name
CHECKPOINTS = (MODEL, CHECKPOINT, FORMER_CHECKPOINT)  # of all kinds of runs
ROOT = Path("runs")  # of folders that nobody names
MOST_OF_A_DAY = 10_000
TUNE, EXAMPLES = "tune", "examples"
NO_TRAININGS = (TUNE, EXAMPLES)  # kinds of runs that are commands of their own
ELSEWHERE = "train into another folder (--out), or delete this one"
AWAY = "train into another folder (--out), or move it away"  # of files that may be of no run


@dataclass(frozen=True)
class Run:
    """What run a folder is asked to hold.

    Attributes:
        kind: of training, the word after `boardgym train`; or one of NO_TRAININGS.
        settings: of the run, "game" among them, as plain data.
        checkpoint: the file that it goes on from, one of CHECKPOINTS; empty for one that goes on from its results.
        results: the other files that it writes.
        free: the settings in which the run that is there may differ.
        advice: what else to do where it differs in others.
        adopts: whether its checkpoint says itself what run it is of, where config.json is missing.
        grows: those of `free` that may not be less than in the run that is there.
        former: a name that its checkpoint had before.
        usual: values of settings that a config.json may leave out.
    """

    kind: str
    settings: dict[str, Any]
    checkpoint: str
    results: Sequence[str]
    free: Sequence[str] = ()
    advice: str = ELSEWHERE
    adopts: bool = True
    grows: Sequence[str] = ()
    former: str = ""
    usual: Mapping[str, Any] = field(default_factory=dict)

    def fits(self, found: dict[str, Any]) -> bool:
        """Whether what a config.json says is of this run, which can go on from there."""
        ours, found = {**self.usual, **self.content()}, {**self.usual, **found}
        is_less = any(name in found and found[name] > ours[name] for name in self.grows)
        return not is_less and all(name in found and found[name] == ours[name] for name in ours if name not in self.free)

    def content(self) -> dict[str, Any]:
        """What config.json holds."""
        plain: dict[str, Any] = plain_data({"kind": self.kind, **self.settings})
        return plain


def folder_for(run: Run, method: str, root: Path = ROOT) -> Path:
    """The folder of a run where nobody names one: that which holds it, else a new one called by game, method and date.

    So the same settings go on where they were, and others begin a folder of their own: `runs/tictactoe-td-2026-01-31`, with a
    number behind it for the second of a day. A new one is made here, so that no other process takes it. Raises OSError.
    """
    game = re.sub(r"-v\d+$", "", str(run.settings["game"]).rpartition("/")[2].rpartition(":")[2]).lower()
    stem = f"{game}-{method}-"
    taken = sorted((path for path in root.glob(f"{stem}*") if path.is_dir()), key=lambda path: (len(path.name), path.name))
    for folder in reversed(taken):
        with contextlib.suppress(SpecError, OSError):
            if (found := found_in(folder)) is not None and run.fits(found):
                return folder
    root.mkdir(parents=True, exist_ok=True)
    name = f"{stem}{datetime.date.today().isoformat()}"
    for number in ("", *(f"-{k}" for k in range(2, MOST_OF_A_DAY))):
        with contextlib.suppress(FileExistsError):
            (root / f"{name}{number}").mkdir()
            return root / f"{name}{number}"
    raise OptionError(f"{root}: has {MOST_OF_A_DAY - 1} runs called {name}; name a folder (--out)")


@contextlib.contextmanager
def hold(folder: Path, run: Run) -> Iterator[None]:
    """Makes a folder and holds it for a run. What killed processes had not finished there is deleted.

    Raises:
        OptionError: another process works there, or the folder holds another run.
        SpecError: config.json cannot be read.
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder / LOCK, OptionError):
        remove_parts(folder)
        check(folder, run)
        yield


def claim(folder: Path, run: Run) -> None:
    """Writes config.json, unless it says the same. By whoever holds the folder, before a checkpoint. Raises OSError."""
    text = json.dumps(run.content(), indent=2).encode()
    path = folder / CONFIG
    if not path.exists() or path.read_bytes() != text:
        write_aside(path, text, is_durable=True)


def check(folder: Path, run: Run) -> None:
    """Raises OptionError for a folder that holds another run than this one, SpecError for a config.json that is none.

    A run that ended before its first checkpoint holds nothing: others may have its folder. Without a config.json a folder may
    have any files but checkpoints and those that the run writes.
    """
    if all(path.name in (CONFIG, LOCK, HISTORY) for path in folder.iterdir()):
        return
    found = found_in(folder)
    if found is None:
        checkpoints = [name for name in (run.checkpoint, run.former) if name]
        is_adopted = run.adopts and any((folder / name).exists() for name in checkpoints)
        own = (*checkpoints, *run.results) if is_adopted else ()
        for name in (*CHECKPOINTS, *run.results):
            if name not in own and (folder / name).exists():
                raise OptionError(f"{folder}: holds {name}, and no {CONFIG} that says of what training; {AWAY}")
        return
    there = f"`{command_of(found['kind'])}` on {found.get('game')}"
    if found["kind"] != run.kind:
        raise OptionError(f"{folder}: holds a run of {there}, not of `{command_of(run.kind)}`; {run.advice}")
    ours, found = {**run.usual, **run.content()}, {**run.usual, **found}
    changed = [name for name in ours if name not in run.free and found.get(name) != ours[name]]
    if missing := [name for name in changed if name not in found]:
        raise SpecError(f"{folder / CONFIG}: no {', '.join(sorted(missing))}: of another version; {ELSEWHERE}")
    if changed:
        asked = ", ".join(f"{name}={ours[name]!r} (the run has {found[name]!r})" for name in changed)
        raise OptionError(f"{folder}: holds a run of {there}, asked for is {asked}; {run.advice}")


def command_of(kind: str) -> str:
    """The command that begins runs of a kind."""
    return f"boardgym {kind}" if kind in NO_TRAININGS else f"boardgym train {kind}"


def found_in(folder: Path) -> dict[str, Any] | None:
    """What config.json of a folder says, "kind" among it; None if there is no such file. Raises SpecError, OSError."""
    path = folder / CONFIG
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    found = read_json(text, dict[str, Any], SpecError, f"the settings of a training in {path}")
    if not isinstance(found.get("kind"), str):
        raise SpecError(f"{path}: says no kind of training; expected what boardgym train wrote there")
    return found
