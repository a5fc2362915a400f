"""Agents that have learnt, as files: `file:PATH` in spec strings. The header says of what kind, and for which game."""

import importlib
import json
from pathlib import Path
from typing import Any

from boardgym.baselines.array_files import ArrayFiles
from boardgym.core.errors import SpecError, UnsupportedGameError, nearest
from boardgym.core.game import Game
from boardgym.core.policy import Spec, refuse_extras

LOADERS = {"tabular": "boardgym.baselines.tabular.agent:load_agent"}  # kind -> (path, game, seed=) -> policy


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return "expected one that an agent's save() or boardgym train wrote"


AGENTS = ArrayFiles("boardgym agent", 1, "an agent", SpecError, advice)


def read_agent_header(path: Path) -> dict[str, Any]:
    """The header of an agent's file, without its arrays. Raises SpecError: there is no such file, or it is no agent."""
    try:
        header = AGENTS.read_header(path, {})
    except FileNotFoundError:
        raise SpecError(f"no file {str(path)!r}; {advice(path)}") from None
    kind = header.get("kind")
    if not isinstance(kind, str) or kind not in LOADERS:
        raise SpecError(f"{path}: an agent of kind {kind!r}; {nearest(str(kind), LOADERS)}")
    return header


def check_game(path: Path, header: dict[str, Any], game: Game) -> None:
    """Raises UnsupportedGameError if the agent of a file has learnt another game, or with other rule options."""
    for name, wanted in (("game", game.id), ("options", json.loads(json.dumps(dict(game.options))))):
        if header.get(name) != wanted:
            raise UnsupportedGameError(f"file:{path} is for {name} {header.get(name)!r}, asked for is {wanted!r}")


def make_agent(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`file:PATH`. Raises SpecError, UnsupportedGameError."""
    refuse_extras(spec)
    path = Path(spec.argument)
    header = read_agent_header(path)
    check_game(path, header, game)
    module, _, function = LOADERS[header["kind"]].partition(":")
    return getattr(importlib.import_module(module), function)(path, game, seed=seed)
