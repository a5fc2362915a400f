"""`boardgym studio`: the page to play, watch and train, served on this machine alone.

Nothing of the games is imported here: the page's shell comes first.
"""

import asyncio
import contextlib
import json
import logging
import secrets
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from platformdirs import user_data_dir
from tyro.conf import arg

from boardgym.commands.arguments import UsageError
from boardgym.core.files import write_aside
from boardgym.core.locks import alone

if TYPE_CHECKING:
    from fastapi import FastAPI

PORT = 8117
LOCK, ADDRESS, TOKEN = "studio.lock", "address", "token"  # files of the data folder
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_MESSAGE = 1 << 20  # bytes of a WebSocket's message
STARTING, STARTS, AGAIN_S = 503, 600, 0.1  # the answer of a studio that starts; how often it is asked again, and when
ANSWER_S = 120.0  # that the studio is given to answer a call
END_S = 1  # that open connections are given when the server ends


Call = Callable[..., Any]  # (method, path, body) -> what the interface answers
Begin = Callable[[Call], str]


@dataclass
class Studio:
    """Open the studio in the browser: play, watch and train on one page, on this machine alone."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym studio",
        "boardgym studio --demo                                   with games and bots to look at",
        "boardgym studio --port 9000 --data my-games --no-browser",
        "boardgym studio --load nim.py",
        "boardgym studio --host 0.0.0.0 --password -",
    )

    port: int = 0
    """Port of the page; 0 takes 8117, or a free one if that is taken."""
    data: Annotated[str, arg(metavar="FOLDER")] = ""
    """Folder for games and bots; default: boardgym's own in your data folder."""
    host: str = "127.0.0.1"
    """Address to listen at. Any but 127.0.0.1 lets other machines in, and needs a password."""
    password: str = ""
    """Password that people on other machines give; "-" asks for it here, where no other program can read it."""
    no_browser: bool = False
    """Leave the browser alone; the page's address is printed."""
    demo: bool = False
    """Begin with a few games and three small bots, in a folder of their own: "demo" beside that of your own games and bots."""
    load: tuple[str, ...] = ()
    """Files of Python that register games of your own; they are run."""
    move_limit_s: float = 60.0
    """Seconds that a policy may think about a move before it is stopped."""
    workers: int = 2
    """How many policies may think at once."""
    trust: Annotated[bool, arg(help="Run the programs of engines. Files that could execute code are refused even so.")] = False

    def run(self) -> int:
        """Serves until Ctrl-C."""
        return self.serve()

    def serve(self, begin: Begin | None = None) -> int:
        """Serves until Ctrl-C.

        begin: asks the studio, once it is there, for what the browser is to show, and returns where that is on the page.
        Raises what it raises; TakenError where another studio has the folder.
        """
        folder = self._checked()
        try:
            import fastapi  # noqa: F401
            import uvicorn  # noqa: F401
        except ModuleNotFoundError as error:
            raise UsageError(f"the studio needs {error.name}, which is not installed: pip install 'boardgym[web]'") from None
        with holding(folder), listening(self.host, self.port) as listener:
            port = listener.getsockname()[1]
            token = token_of(folder)
            address = f"http://{shown(self.host)}:{port}/"
            write_aside(folder / ADDRESS, address.encode())
            once = secrets.token_urlsafe(32)  # others see the arguments of a browser's process
            if begin is None:
                print(f"boardgym studio: {address}?token={token}", flush=True)
            print("Ctrl-C ends it; games and bots stay in " + str(folder), file=sys.stderr)
            if begin is None and not self.no_browser:
                threading.Thread(target=webbrowser.open, args=(f"{address}?token={once}",), daemon=True).start()
            from boardgym.web.app import create_app

            app = create_app(
                folder,
                token,
                port=port,
                host=self.host,
                password=self.password,
                once="" if self.no_browser else once,
                trust=self.trust,
                move_limit_s=self.move_limit_s,
                workers=self.workers,
                files=[Path(file) for file in self.load],
                is_demo=self.demo,
            )
            opening = None if begin is None else Opening(address, token, begin)
            serve(app, listener, opening)
        if opening is not None and opening.failure is not None:
            raise opening.failure
        return 0

    def _checked(self) -> Path:
        """The data folder, made. Raises UsageError for settings that cannot be."""
        if not 0 <= self.port <= 65_535:
            raise UsageError(f"--port {self.port}: expected 1 to 65535, or 0 for {PORT} or a free one")
        if not 0.1 <= self.move_limit_s <= 86_400:
            raise UsageError(f"--move-limit-s {self.move_limit_s:g}: expected 0.1 to 86400")
        if not 1 <= self.workers <= 64:
            raise UsageError(f"--workers {self.workers}: expected 1 to 64")
        for file in self.load:
            if not Path(file).is_file():
                raise UsageError(f"--load {file}: there is no such file")
        if self.password == "-":
            import getpass

            self.password = getpass.getpass("password of the studio: ")
        if self.host not in LOOPBACK and not self.password:
            raise UsageError(f"--host {self.host} lets other machines in: give a password; --password - asks for it")
        folder = Path(self.data) if self.data else usual_folder().with_name("demo" if self.demo else "studio")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder.resolve()


class TakenError(UsageError):
    """Another studio has the data folder."""


class Opening:
    """Opens the browser at what a command asks a studio for.

    Args:
        address, token: of the studio, which may still be starting.
        begin: asks it for that.

    Attributes:
        failure: why a thread that was started could not open it; None if it did.
    """

    def __init__(self, address: str, token: str, begin: Begin) -> None:
        self.address, self.token, self.begin = address, token, begin
        self.failure: Exception | None = None

    def start(self, end: Callable[[], object]) -> None:
        """Opens it in a thread. end: is called if that fails."""

        def work() -> None:
            try:
                self.open()
            except Exception as error:
                self.failure = error
                end()

        threading.Thread(target=work, daemon=True).start()

    def open(self) -> None:
        """Opens it, and prints its address. Raises UsageError with what the studio says, and what `begin` raises."""
        place = self.begin(self.call)
        print(f"boardgym studio: {self.address}?token={self.token}{place}", flush=True)
        webbrowser.open(f"{self.address}?token={self.call('POST', '/once')['once']}{place}")

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """What a call of the studio's interface answers; waits while that starts. Raises UsageError."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else body_of(body)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # it is on this machine
        for _ in range(STARTS):
            request = urllib.request.Request(f"{self.address}api{path}", data, headers, method=method)
            try:
                with opener.open(request, timeout=ANSWER_S) as response:
                    return json.loads(response.read())
            except urllib.error.HTTPError as error:
                if error.code != STARTING:
                    raise UsageError(json.loads(error.read()).get("error", str(error))) from None
            except (OSError, ValueError) as error:  # no answer, or one that is none of a studio's
                why = getattr(error, "reason", error)
                raise UsageError(f"the studio at {self.address} does not answer as it should: {why}") from None
            time.sleep(AGAIN_S)
        raise UsageError(f"the studio at {self.address} does not start")


def body_of(content: Any) -> bytes:
    """JSON as a call sends it."""
    return json.dumps(content).encode()


def usual_folder() -> Path:
    """The folder for games and bots where no other is named."""
    return Path(user_data_dir("boardgym")) / "studio"


@contextlib.contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Holds a data folder. Raises TakenError while another studio does."""
    try:
        with alone(folder / LOCK, TakenError):
            (folder / ADDRESS).unlink(missing_ok=True)  # of a studio that was killed
            try:
                yield
            finally:
                (folder / ADDRESS).unlink(missing_ok=True)
    except TakenError:
        try:
            where = (folder / ADDRESS).read_text().strip()
        except OSError:
            where = ""
        at = f" at {where}" if where else ""
        raise TakenError(
            f"another studio{at} has the folder {folder}; use that one, end it, or give this one its own: --data FOLDER"
        ) from None


@contextlib.contextmanager
def listening(host: str, port: int) -> Any:
    """A socket that listens. port: 0 for the usual one or a free one. Raises UsageError if there is something already."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with contextlib.ExitStack() as stack:
        for number in (port,) if port else (PORT, 0):
            listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            if sys.platform != "win32":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # after a server that was killed
            try:
                listener.bind((host, number))
                listener.listen(1024)
            except OSError as error:
                if port or number == 0:
                    raise UsageError(
                        f"port {number} of {host}: {error.strerror}; end the program that has it, or choose another: --port N"
                    ) from None
                continue
            yield listener
            return


def shown(host: str) -> str:
    """A host as it stands in an address that opens here."""
    if host == "0.0.0.0":
        return "127.0.0.1"
    return "[::1]" if host == "::" else f"[{host}]" if ":" in host else host


def token_of(folder: Path) -> str:
    """The folder's token: kept, so that an open page goes on with a server that is started again."""
    path = folder / TOKEN
    with contextlib.suppress(OSError):
        if len(kept := path.read_text().strip()) >= 32:
            return kept
    token = secrets.token_urlsafe(32)
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_text(token)
    return token


def serve(app: "FastAPI", listener: socket.socket, opening: Opening | None) -> None:
    """Answers until Ctrl-C or SIGTERM, or until what is to be opened cannot be."""
    import uvicorn

    class Server(uvicorn.Server):
        """Ends the streams of open pages, and then itself."""

        async def serve(self, sockets: list[socket.socket] | None = None) -> None:
            """Until it ends."""
            self.loop = asyncio.get_running_loop()
            await super().serve(sockets)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            """Listens; then the page can be opened."""
            await super().startup(sockets)
            if opening is not None:
                opening.start(self.end)

        def end(self) -> None:
            """For another thread."""
            with contextlib.suppress(RuntimeError):  # it has ended already
                self.loop.call_soon_threadsafe(app.state.studio.ending.set)
                self.should_exit = True

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """For Ctrl-C and SIGTERM. The first one ends it, within END_S; at a second one uvicorn would leave all as it is."""
            if not self.should_exit:
                self.loop.call_soon_threadsafe(app.state.studio.ending.set)
                super().handle_exit(sig, frame)

    logging.basicConfig(format="boardgym studio: %(message)s", level=logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(is_news)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws_max_size=MOST_MESSAGE,
        timeout_keep_alive=75,  # seconds: clients that ask once in a while keep their connection
        timeout_graceful_shutdown=END_S,
    )
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(Server(config).serve([listener]))


def is_news(record: logging.LogRecord) -> bool:
    """Whether to print what the server says: not that its end has cut answers short, as it is meant to."""
    error, text = record.exc_info[1] if record.exc_info else None, str(record.msg)
    is_cut_short = isinstance(error, asyncio.CancelledError) or text.rstrip().endswith("asyncio.exceptions.CancelledError")
    return not is_cut_short and not text.startswith("Cancel %s running task(s)")
