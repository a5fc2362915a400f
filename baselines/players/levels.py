"""The policy `level`: players for people, `level:1` to `level:20` of a game, about evenly spaced in Elo.

A level is a search of some plies that plays a share of its moves at random. `levels.json` has those of some bundled
games, each with its Elo above random play, which `python -m benchmarks.levels` measures.
"""

import functools
from importlib import resources
from typing import Annotated

import msgspec

from boardgym.baselines.typed_json import read_versioned
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, parse_spec, refuse_extras

NUM_LEVELS = 20
FORMAT, FORMAT_VERSION = "boardgym levels", 1
FILE = "levels.json"


class Level(msgspec.Struct, frozen=True):
    """A level of a game. spec: of the policy that it is. elo: above random play, under the game's usual options."""

    spec: str
    elo: float


class Levels(msgspec.Struct, frozen=True):
    """All levels. games: of each game, by its name, from the weakest on."""

    games: dict[str, Annotated[list[Level], msgspec.Meta(min_length=NUM_LEVELS, max_length=NUM_LEVELS)]]
    format: str = FORMAT
    format_version: int = FORMAT_VERSION


@functools.cache
def load_levels() -> dict[str, list[Level]]:
    """The levels of each game, by its name."""
    text = resources.files("boardgym.baselines.players").joinpath(FILE).read_bytes()
    return read_versioned(text, Levels, FORMAT, FORMAT_VERSION, SpecError, f"the levels in {FILE}").games


def level_spec(spec: Spec, game: Game) -> Spec:
    """What `level:N` stands for in a game. Raises SpecError, UnsupportedGameError."""
    refuse_extras(spec)
    if spec.argument not in map(str, range(1, NUM_LEVELS + 1)):
        raise SpecError(f"policy spec {spec.text!r}: expected level:1, the weakest, to level:{NUM_LEVELS}")
    levels = load_levels().get(game.name)
    if levels is None:
        known = ", ".join(sorted(load_levels()))
        advice = "or a policy that plays a share of its moves at random, as epsilon:0.3(greedy)"
        raise UnsupportedGameError(f"{game.id} has no levels; expected {known}, {advice}")
    return parse_spec(levels[int(spec.argument) - 1].spec)
