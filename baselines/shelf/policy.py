"""`agent:NAME`: the policy of an agent from a shelf."""

import dataclasses
from pathlib import Path

from boardgym.baselines.search.anytime import is_search, with_argument, with_limits
from boardgym.baselines.search.common import read_time
from boardgym.baselines.shelf.catalogue import FILE, Entry
from boardgym.baselines.shelf.shelves import find_agent, plays, renewed, shelves
from boardgym.core.errors import SpecError, UnsupportedGameError
from boardgym.core.escape import shown
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, parse_spec, refuse_extras


def with_file(spec: Spec, path: Path) -> Spec:
    """The spec of an agent with its file in it, whatever characters the path has."""

    def filled(text: str) -> str:
        return text.replace(FILE, str(path))

    return dataclasses.replace(
        spec,
        argument=filled(spec.argument),
        keywords={key: filled(value) for key, value in spec.keywords.items()},
        inner=tuple(with_file(part, path) for part in spec.inner),
        text=filled(spec.text),
    )


def spec_of(entry: Entry, path: Path, spec: Spec) -> Spec:
    """What an agent is, with the path of its file. spec: that names it, `agent:NAME` or `agent:NAME,time=0.5s,reuse=1`.

    Raises: SpecError: settings for an agent that does not search, or a time that is none.
    """
    own = parse_spec(entry.spec)
    if spec.keywords and not is_search(own):
        raise SpecError(f"policy spec {spec.text!r}: {entry.name} does not search, so it takes no settings")
    if "time" in spec.keywords:
        own = with_limits(own, seconds=read_time(spec))
    settings = {key: value for key, value in spec.keywords.items() if key != "time"}
    return with_file(with_argument(own, own.argument, **settings) if settings else own, path)


def agent_spec(spec: Spec, game: Game) -> Spec:
    """What `agent:NAME` stands for, and `agent:NAME,time=0.5s,reuse=1` of an agent that searches: settings in place of its own.

    Raises SpecError: no such agent, settings for one that does not search, its file is not there or damaged, a shelf that
    cannot be read; UnsupportedGameError: it is for another game.
    """
    refuse_extras(spec, keywords=tuple(spec.keywords))  # but brackets: of the settings its search says which it knows
    if not spec.argument:
        raise SpecError(f"policy spec {spec.text!r}: expected the name of an agent, as in agent:othello; see boardgym agents")
    shelf, entry = find_agent(spec.argument, shelves())
    check_game(entry, game)
    try:
        path = shelf.file_of(entry)
    except SpecError:  # another process, or the server, may have put another file in its place meanwhile
        if (found := renewed(shelf, entry)) is None:
            raise
        shelf, entry = found
        check_game(entry, game)
        path = shelf.file_of(entry)
    return spec_of(entry, path, spec)


def check_game(entry: Entry, game: Game) -> None:
    """Raises UnsupportedGameError if an agent is for another game, naming those that are for this one."""
    if not plays(entry, game):
        fitting = sorted({it.name for each in shelves() for it in each.agents.values() if plays(it, game)})
        others = f"its agents: {', '.join(fitting)}" if fitting else "no agent of the shelf is for that"
        raise UnsupportedGameError(
            f"agent {entry.name!r} plays {shown(entry.game)} {entry.options}, not {game.id} {dict(game.options)}; {others}"
        )
