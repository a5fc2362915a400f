"""The studio's server: the page's shell at once, and its interface as soon as the games and the database are loaded."""

import asyncio
import contextlib
import importlib
import inspect
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles

from boardgym import startup
from boardgym.core.errors import BoardgymError
from boardgym.web import pages
from boardgym.web.app_state import Studio
from boardgym.web.errors import LOGGER, add_handlers, answer
from boardgym.web.security import Gate, Guard

ROOMS = (  # modules with a `router`, and perhaps `begin(app)`
    "games",
    "plays",
    "bots",
    "bot_history",
    "learners",
    "analysis",
    "records",
    "arena",
    "reference",
    "demo",
)
STARTING = 503


def create_app(
    folder: Path,
    token: str,
    *,
    port: int = 8117,
    host: str = "127.0.0.1",
    password: str = "",
    once: str = "",
    trust: bool = False,
    move_limit_s: float = 60.0,
    workers: int = 2,
    files: Sequence[Path] = (),
    is_demo: bool = False,
) -> FastAPI:
    """The studio as an ASGI app.

    Args:
        folder: of all that it keeps; made if it is not there.
        token: what opens it, in the address or as a bearer's.
        port: where it listens, which requests must name.
        host: the same.
        password: asked for where `host` is not of this machine alone.
        once: what opens it once, within a minute.
        trust: whether engines' programs may be run.
        move_limit_s: how long a policy may think about a move.
        workers: how many policies may think at once.
        files: of Python, that register games of the user's own; they are run.
        is_demo: whether games and bots are made for a new user.

    Returns:
        The app; what its requests find is `app.state.studio`.
    """
    studio = Studio(folder, trust=trust, move_limit_s=move_limit_s, workers=workers, files=files, is_demo=is_demo)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        loading = asyncio.create_task(load(app))
        try:
            yield
        finally:
            studio.ending.set()
            await loading  # no thread can be cancelled: what it opens is to be closed too
            await end_all(studio)

    app = FastAPI(
        title="boardgym studio",
        lifespan=lifespan,
        docs_url=None,  # these pages load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    app.state.studio = studio
    guard = Guard(token, port, host, password, once)
    add_handlers(app)
    app.add_middleware(WhenReady, studio=studio)
    app.add_middleware(Gate, guard=guard, ending=studio.ending)
    add_shell(app, studio)

    @app.post("/api/once")
    async def offer() -> dict[str, str]:
        """A token that opens the page once, within a minute: others see the arguments of a browser's process."""
        return {"once": guard.offer()}

    return app


async def end_all(studio: Studio) -> None:
    """Ends all parts of a server, the last first: also where the end of one fails."""
    for end in reversed(studio.at_end):
        try:
            ended = end()
            if inspect.isawaitable(ended):
                await ended
        except Exception as error:
            LOGGER.error("a part of the studio did not end as it should", exc_info=error)


def add_shell(app: FastAPI, studio: Studio) -> None:
    """The page, its files, and whether the interface is ready."""
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def shell() -> FileResponse:
        studio.is_opened = True
        start_policies(studio)
        return pages.shell()

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> FileResponse:
        return FileResponse(pages.STATIC / "icon.svg", media_type="image/svg+xml")

    @app.get("/api/ready")
    async def ready() -> dict[str, Any]:
        """Whether the games and the database are loaded: other calls are answered 503 until then."""
        return {"ready": studio.is_ready, "error": studio.failure}


def start_policies(studio: Studio) -> None:
    """Starts the processes of policies while somebody looks at the page: they are ready when the first one is to move."""
    if studio.is_ready and studio.is_opened and studio.policies is not None:
        studio.policies.start()


class WhenReady:
    """Answers calls of the interface with 503 until it is loaded."""

    def __init__(self, app: Any, studio: Studio) -> None:
        self.app, self.studio = app, studio

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One connection."""
        path = scope.get("path", "")
        if scope["type"] == "http" and path.startswith("/api/") and path != "/api/ready" and not self.studio.is_ready:
            failure = self.studio.failure
            response: Response = answer(500, failure) if failure else waiting()
            await response(scope, receive, send)
        elif scope["type"] == "websocket" and not self.studio.is_ready:
            await receive()
            await send({"type": "websocket.close", "code": 1013, "reason": ""})
        else:
            await self.app(scope, receive, send)


def waiting() -> JSONResponse:
    """The answer while the interface is loaded."""
    response = answer(STARTING, "the studio is starting")
    response.headers["Retry-After"] = "1"
    return response


async def load(app: FastAPI) -> None:
    """Loads what takes time beside the page's shell: games, database, the rooms' routers."""
    studio: Studio = app.state.studio
    try:
        modules = await asyncio.to_thread(load_modules, studio)
        if studio.ending.is_set():
            return
        for module in modules:
            router: APIRouter = module.router
            app.include_router(router)
        app.openapi_schema = None
        for module in modules:
            if begin := getattr(module, "begin", None):
                began = begin(app)
                if inspect.isawaitable(began):
                    await began
        studio.is_ready = True
        startup.started()
        start_policies(studio)
    except Exception as error:
        studio.failure = f"the studio could not be loaded: {error}"
        LOGGER.error(studio.failure, exc_info=None if isinstance(error, BoardgymError) else error)


def load_modules(studio: Studio) -> list[Any]:
    """Loads the games and opens the database; the modules of the rooms that there are."""
    importlib.import_module("boardgym.games")  # registers the games
    from boardgym.web.policies import PolicyWorkers
    from boardgym.web.store import FILE, Store

    load_games(studio.files)
    studio.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # the store says what is wrong with its file
        (studio.folder / FILE).touch(mode=0o600)
        (studio.folder / FILE).chmod(0o600)  # SQLite makes the files beside it with the same mode
    studio.store = Store(studio.folder)
    studio.at_end.append(studio.store.close)
    studio.policies = PolicyWorkers(workers=studio.workers, trust=studio.trust, limit_s=studio.move_limit_s)
    studio.at_end.append(studio.policies.close)
    return [importlib.import_module(f"boardgym.web.{name}") for name in ROOMS]


def load_games(files: Sequence[Path]) -> None:
    """Runs files that register games, and keeps how other processes, as those of trainings, name them. Raises UsageError."""
    if not files:
        return
    from boardgym.commands.users_games import WORDS, run_file

    for file in files:
        WORDS.update({game: f"{file.resolve()}:{game}" for game in run_file(file)})
