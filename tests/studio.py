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
START_S = 120.0  # until the command must have printed its address
END_S = 30.0  # until it must have ended
TIC_TAC_TOE = {"game": "TicTacToe-v0", "seats": [{"kind": "human"}, {"kind": "human"}]}


@contextlib.contextmanager
def studio_client(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A client with the token, of a server that is ready; both end with the context."""
    app = create_app(folder, TOKEN, port=PORT, **settings)
    with TestClient(app, base_url=BASE, headers=BEARER, raise_server_exceptions=False) as client:
        wait_until(lambda: client.get("/api/ready").json()["ready"])
        yield client


def wait_until(holds: Any, seconds: float = 60.0) -> None:
    """Waits until something holds; fails if it takes longer."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.02)


def new_play(client: TestClient, **changes: Any) -> dict[str, Any]:
    """A new game, Tic-tac-toe between two people if nothing else is said."""
    response = client.post("/api/plays", json={**TIC_TAC_TOE, **changes})
    assert response.status_code == 201, response.text
    found: dict[str, Any] = response.json()
    return found


class StudioProcess:
    """The command `boardgym studio` in another process, and calls to it.

    Attributes:
        address, token: as it has printed them. said: what it wrote to its standard error, once it has ended.
    """

    said = ""

    def __init__(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "boardgym", "studio", "--data", str(folder), "--no-browser", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        late = threading.Timer(START_S, self.process.kill)
        late.start()
        line = self.process.stdout.readline()
        late.cancel()
        match = re.fullmatch(r"boardgym studio: (http://\S+/)\?token=(\S+)\n", line)
        if not match:
            self.kill()
        assert match, line + self.said
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
        for _ in range(600):
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
        self.said = self.process.communicate(timeout=END_S)[1]

    def __enter__(self) -> "StudioProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.process.terminate()
        try:
            self.said = self.process.communicate(timeout=END_S)[1]
        except subprocess.TimeoutExpired:
            self.kill()  # nothing of it outlives the tests
            raise


def run_apart(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns, run in a thread of its own: Playwright keeps a loop running in the main one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
