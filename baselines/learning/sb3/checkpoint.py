"""Checkpoints of trainings of Stable-Baselines3: one file holds the model and all else that its run needs to go on.

The file is the zip that `model.save` writes, with one member more, `boardgym.json`: so it is also a model like any other. It is
written aside and takes its name in one rename, and model, curve and the rest are of one moment.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from boardgym.baselines.learning.run_folders import ELSEWHERE, MODEL
from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import SpecError
from boardgym.core.files import write_aside
from boardgym.wrappers.sb3_files import load_model, remember_content, trusted_content

STATE = "boardgym.json"


@dataclass(frozen=True)
class RunState:
    """How far a run has come, beside what its model knows.

    seconds: spent so far, all sessions together. curve: its points, (steps, {judge: score rate}). beside: what the kind of
    training keeps, plain data.
    """

    seconds: Annotated[float, msgspec.Meta(ge=0.0)]
    curve: list[tuple[Annotated[int, msgspec.Meta(ge=0)], dict[str, float]]]
    beside: dict[str, Any] = field(default_factory=dict)


def write_checkpoint(folder: Path, model: Any, state: RunState) -> Path:
    """Writes the checkpoint of a run, whole or not at all. Returns its path. Raises OSError."""
    write_model(path := folder / MODEL, model, {STATE: json.dumps(asdict(state))}, is_durable=True)
    return path


def write_model(path: Path, model: Any, beside: Mapping[str, str] = MappingProxyType({}), *, is_durable: bool = False) -> None:
    """Writes a model, whole or not at all, and remembers it as one of this machine, to be loaded without `trust`.

    beside: {name: content} of what its archive holds too. is_durable: as of `write_aside`. Raises OSError.
    """
    buffer = io.BytesIO()
    # a schedule is a closure, which cannot be read back without executing code; it is not needed to play
    model.save(buffer, exclude=["lr_schedule", "learning_rate"])
    with zipfile.ZipFile(buffer, "a") as archive:
        for name, content in beside.items():
            archive.writestr(name, content)
    remember_content(buffer.getvalue())  # first: whoever is killed in between leaves no model that would ask for trust
    write_aside(path, buffer.getvalue(), is_durable=is_durable)


def read_checkpoint(folder: Path, *, trust: bool) -> tuple[Any, RunState]:
    """(model, state) of a run. trust: as of `trusted_content`.

    Raises UntrustedFileError; SpecError for a file that no training wrote; OSError.
    """
    path = folder / MODEL
    content = trusted_content(path, trust=trust)
    model = load_model(content, str(path))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            text = archive.read(STATE)
    except (KeyError, zipfile.BadZipFile, OSError, ValueError) as error:
        raise SpecError(f"{path}: a model without the state of its training ({error}); {ELSEWHERE}") from None
    return model, read_json(text, RunState, SpecError, f"the state of a training in {path}")
