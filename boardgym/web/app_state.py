"""What the server's parts share, and how a request finds it.

Routers take what they need from these functions: `store(request)`, `policies(request)`, `data_folder(request)`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection

if TYPE_CHECKING:  # these load the database and the games, which come after the page's shell
    from boardgym.web.playing import Plays
    from boardgym.web.policies import PolicyWorkers
    from boardgym.web.store import Store


@dataclass
class Studio:
    """A server's parts. Those without a value are there once `is_ready`.

    Attributes:
        folder: of all that the studio keeps.
        trust: whether engines' programs may be run.
        move_limit_s: how long a policy may think about a move.
        workers: how many policies may think at once.
        files: of Python, that register games of the user's own.
        is_demo: whether games and bots are made for a new user.
        is_ready: whether the interface answers.
        is_opened: whether a page has been opened.
        failure: why it never will; empty otherwise.
        ending: set when the server is to end: streams end then.
        at_end: called when the server ends, the last first.
    """

    folder: Path
    trust: bool = False
    move_limit_s: float = 60.0
    workers: int = 2
    files: Sequence[Path] = ()
    is_demo: bool = False
    is_ready: bool = False
    is_opened: bool = False
    failure: str = ""
    store: "Store | None" = None
    policies: "PolicyWorkers | None" = None
    plays: "Plays | None" = None
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    at_end: list[Callable[[], Awaitable[Any] | None]] = field(default_factory=list)


def studio(request: HTTPConnection) -> Studio:
    """The server's parts; of a request or a WebSocket."""
    found: Studio = request.app.state.studio
    return found


def store(request: HTTPConnection) -> "Store":
    """The database."""
    found = studio(request).store
    assert found is not None  # requests are let through when it is ready
    return found


def policies(request: HTTPConnection) -> "PolicyWorkers":
    """The processes in which policies act."""
    found = studio(request).policies
    assert found is not None
    return found


def plays(request: HTTPConnection) -> "Plays":
    """The games that are played."""
    found = studio(request).plays
    assert found is not None
    return found


def data_folder(request: HTTPConnection) -> Path:
    """The folder of all that the studio keeps."""
    return studio(request).folder
