"""Agents that have learnt, as files: `file:PATH` in spec strings. The header says of what kind, and for which game."""

import importlib
from pathlib import Path
from typing import Annotated, Any

import msgspec

from boardgym.baselines.array_files import OWN_FIELDS, ArrayFiles, Pieces
from boardgym.baselines.typed_json import plain_data
from boardgym.core.errors import SpecError, UnsupportedGameError, nearest
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, refuse_extras

LOADERS = {  # kind -> (path, game, seed=) -> policy
    "tabular": "boardgym.baselines.learning.tabular.agent:load_agent",
    "network": "boardgym.baselines.learning.td.agent:load_network_agent",
    "q-network": "boardgym.baselines.learning.q_network.agent:load_q_network_agent",
    "ntuple": "boardgym.baselines.learning.ntuple.agent:load_ntuple_agent",
}


def advice(path: Path) -> str:
    """What to do about a file that cannot be used."""
    return "expected one that an agent's save() or boardgym train wrote"


Number = Annotated[float, msgspec.Meta(ge=-1e38, le=1e38)]  # a value, or what a game is worth: float32 holds it
Win = Annotated[float, msgspec.Meta(gt=1e-38, le=1e38)]
Loss = Annotated[float, msgspec.Meta(ge=-1e38, lt=-1e-38)]


class AgentHeader(msgspec.Struct, kw_only=True):
    """What the files of all agents say. options: of the game. pays: for a win, a draw and a loss; None: what the game pays."""

    game: str
    options: dict[str, Any]
    pays: tuple[Win, Number, Loss] | None
    training: dict[str, Any] = {}


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


def read_own_header(path: Path) -> dict[str, Any]:
    """As `read_agent_header`, without what every file says: what the agent's `header` gave, as plain data."""
    return {name: value for name, value in read_agent_header(path).items() if name not in OWN_FIELDS}


def open_agent(path: Path, kind: str) -> tuple[dict[str, Pieces], dict[str, Any]]:
    """(arrays, header) of an agent's file. Raises SpecError: no such file, or no agent of this kind."""
    try:
        return AGENTS.open(path, {"kind": kind})
    except FileNotFoundError:
        raise SpecError(f"no file {str(path)!r}; {advice(path)}") from None


def check_game(path: Path, header: dict[str, Any], game: Game) -> None:
    """Raises UnsupportedGameError if the agent of a file has learnt another game, or with other rule options."""
    for name, wanted in (("game", game.id), ("options", plain_data(dict(game.options)))):
        if header.get(name) != wanted:
            raise UnsupportedGameError(f"file:{path} is for {name} {header.get(name)!r}, asked for is {wanted!r}")


def make_agent(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`file:PATH`. Raises SpecError, UnsupportedGameError."""
    refuse_extras(spec)
    path = Path(spec.argument)
    check_game(path, read_agent_header(path), game)
    return load_any(path, game, seed=seed)


def load_any(path: Path, game: Game | None = None, *, seed: int | None = None) -> Any:
    """The agent of a file, of whatever kind. game: None for the one that it has learnt. Raises SpecError."""
    module, _, function = LOADERS[read_agent_header(path)["kind"]].partition(":")
    return getattr(importlib.import_module(module), function)(path, game, seed=seed)
