"""A studio for tests: within this process, or as the command in another one."""

import asyncio
import contextlib
import json
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from boardgym.web.app import create_app

TOKEN = "a-token-of-the-tests-that-is-long-enough"
PORT = 8117
BASE = f"http://127.0.0.1:{PORT}"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
RANDOM = {"kind": "policy", "spec": "random"}
TIC_TAC_TOE = {"game": "TicTacToe-v0", "seats": [{"kind": "human"}, {"kind": "human"}]}


@contextlib.contextmanager
def studio_client(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A client with the token, of a server that is ready; both end with the context."""
    app = create_app(folder, TOKEN, port=PORT, **settings)
    with TestClient(app, base_url=BASE, headers=BEARER, raise_server_exceptions=False) as client:
        wait_until(lambda: client.get("/api/ready").json()["ready"])
        yield client


def wait_until(holds: Any, seconds: float = 60.0) -> None:
    """Waits until something holds; fails if it takes longer. It looks less often the longer it takes: a look takes time too."""
    started = time.monotonic()
    while not holds():
        waited = time.monotonic() - started
        assert waited < seconds, "it took too long"
        time.sleep(min(max(0.02, waited / 10.0), 0.25))


def new_play(client: TestClient, **changes: Any) -> dict[str, Any]:
    """A new game, Tic-tac-toe between two people if nothing else is said."""
    response = client.post("/api/plays", json={**TIC_TAC_TOE, **changes})
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found


def move(client: TestClient, play: dict[str, Any], **body: Any) -> Any:
    """The answer to a move in a game as it stands. body: its action or its text."""
    return client.post(f"/api/plays/{play['id']}/moves", json={"ply": play["state"]["ply"], **body})


def later(client: TestClient, play: dict[str, Any], holds: Any = lambda play: play["thinking"] is None) -> dict[str, Any]:
    """The game when something holds of it: if nothing else is said, when the policies have played."""
    found = list[dict[str, Any]]()

    def is_there() -> Any:
        found[:] = [client.get(f"/api/plays/{play['id']}").json()]
        return holds(found[0])

    wait_until(is_there)
    return found[0]


APART_S = 300.0
START_S, ENDED_S = 120.0, 60.0  # that a process of a studio is given to print its address, and to end


def line_of(process: "subprocess.Popen[str]") -> str:
    """The next line that a process prints; it is killed where that takes longer than START_S."""
    timer = threading.Timer(START_S, process.kill)
    timer.start()
    try:
        assert process.stdout is not None
        return process.stdout.readline()
    finally:
        timer.cancel()


class StudioProcess:
    """The command `boardgym studio` in another process, and calls to it.

    Attributes:
        address, token: as it has printed them. said: what it wrote to its standard error, once it has ended.
    """

    said = ""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "boardgym", "studio", "--data", str(folder), "--no-browser", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = line_of(self.process)
        match = re.fullmatch(r"boardgym studio: (http://\S+/)\?token=(\S+)\n", line)
        if match is None:
            self.kill()
            raise AssertionError((line, self.said))
        self.address, self.token = match[1], match[2]

    @classmethod
    def of(cls, process: "subprocess.Popen[str]", address: str, token: str) -> "StudioProcess":
        """A studio that another command has started."""
        studio = cls.__new__(cls)
        studio.process, studio.address, studio.token = process, address, token
        return studio

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """What a call of the interface answers; waits while the server starts. Raises urllib.error.HTTPError."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            request = urllib.request.Request(f"{self.address}api{path}", data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    text = response.read()
                    return json.loads(text) if text else None
            except urllib.error.HTTPError as error:
                if error.code != 503:
                    raise
            except urllib.error.URLError:  # it does not listen yet
                pass
            time.sleep(0.1)
        raise AssertionError("the studio does not start")

    def kill(self) -> None:
        """Kill -9."""
        self.process.kill()
        self.said = self.process.communicate(timeout=ENDED_S)[1]

    def __enter__(self) -> "StudioProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.process.terminate()
        try:
            self.said = self.process.communicate(timeout=ENDED_S)[1]
        except subprocess.TimeoutExpired:
            self.kill()  # nothing of it outlives the tests
            raise


def run_apart(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns, run in a thread of its own: Playwright keeps a loop running in the main one.

    Raises TimeoutError, with the coroutine cancelled, if it takes longer than APART_S.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(coroutine, APART_S)).result()
