"""A bot at ten parts of its training, in files: how it is to be tested, its agents as they were, and what the tests found.

All of it is in the folder TESTS of a bot. SETTINGS says what to play, and that agents are to be kept at all. Each kept agent
has a file beside it that says after how much it was kept; RESULTS has the games of the parts that have been tested.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from boardgym.baselines.learning.runs import Training
from boardgym.core.errors import BoardgymError
from boardgym.core.files import share_file, write_aside

TESTS, SETTINGS, RESULTS = "tests", "settings.json", "results.json"
FILE = "{file}"  # stands in specs for the path of the agent, wherever the data folder is


@dataclass(frozen=True)
class Settings:
    """How a bot is tested. game: its id; option: its rule options, as "name=value". seats: their names.

    openings, games: as of `compare`, half of the games at each seat.
    """

    game: str
    option: list[str]
    seats: list[str]
    opponents: list[str]
    openings: str
    games: int

    def write(self, folder: Path) -> None:
        """Writes them into the folder of a bot, before it begins to train."""
        (folder / TESTS).mkdir(exist_ok=True)
        write_json(folder / TESTS / SETTINGS, asdict(self))


class Keeper:
    """Keeps the agent of a training at the end of each of its parts, if the bot is to be tested. folder: of the bot.

    Of trainings that cannot be cut at the end of a part, the agent is kept soon after it; of those that write their files when
    they choose to, the last one alone.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / TESTS
        self.is_asked = (self.folder / SETTINGS).exists()
        self.part = 0  # the latest one that was looked at

    def __call__(self, training: Training, run: Path, *, is_written: bool = False) -> None:
        """Keeps it if a part has come to its end. is_written: whether the folder of the run has the agent as it is."""
        part = training.parts_done
        if not self.is_asked or part <= self.part or (training.saves_itself and not is_written):
            return
        self.part = part
        if name_of(part) in names_in(self.folder):  # before the training was interrupted
            return
        if not is_written:
            try:
                training.write_results(run)
            except BoardgymError:  # weights that no file may hold: the training says so at its end
                return
        agent = training.agent_path(run)
        if agent.is_file():
            kept = self.folder / f"{name_of(part)}{agent.suffix}"
            kept.unlink(missing_ok=True)
            share_file(agent, kept)
            spec = training.spec_in(run).replace(str(agent), FILE)
            write_json(self.folder / f"{name_of(part)}.json", {"done": training.done, "spec": spec, "file": kept.name})


def name_of(part: int) -> str:
    """The name of the files of a part, but for their ends."""
    return f"part-{part:02}"


def names_in(folder: Path) -> dict[str, Path]:
    """The parts of which agents are kept: {name: file that says so}, in their order."""
    return {path.stem: path for path in sorted(folder.glob("part-*.json"))}


def read_json(path: Path) -> dict[str, Any]:
    """A file of JSON; empty if there is none, or it is damaged."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Writes one, whole or not at all."""
    write_aside(path, json.dumps(content).encode())


def pending(folder: Path) -> list[Path]:
    """What is kept and has not been tested, the first part first. folder: of the tests."""
    tested = read_json(folder / RESULTS)
    return [path for name, path in names_in(folder).items() if name not in tested]
