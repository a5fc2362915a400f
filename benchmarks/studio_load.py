"""The studio under load: `python -m benchmarks.studio_load --clients 200 --seconds 60`.

Each client has a session and a game of its own and moves once a second, for both sides, whether or not the answers come in
time (open loop): an answer's time counts from when its move was due. The server is the command in a process of its own; the
clients share the machine with it, so their processor time stands beside the server's. At the end the moves of every game are
compared with those that were answered: none may be lost or doubled.

`--starts 5` measures the start instead: processor and wall time of the command until it answers with the page, and until a
game can be moved in. Prints a table; the exit status is 1 if a move was lost or doubled, or a request refused.
"""

import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import tyro

from benchmarks.uct_matches import markdown

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
READY_S = 60.0


@dataclass(frozen=True)
class Settings:
    """Load on the studio.

    Attributes:
        clients: how many move once a second.
        seconds: for how long.
        game: id of what they play.
        policy: who has the second seat; empty: the client moves for both.
        starts: measure so many starts instead.
    """

    clients: int = 200
    seconds: int = 60
    game: str = "ConnectFour-v0"
    policy: str = ""
    starts: int = 0


@dataclass
class Counts:
    """What has happened. waits: milliseconds from when a move was due to its answer; failures: sentences."""

    waits: list[float] = field(default_factory=list)
    late_ms: list[float] = field(default_factory=list)  # of the clients themselves: when a move was sent after it was due
    failures: list[str] = field(default_factory=list)
    games: dict[str, list[str]] = field(default_factory=dict)  # id -> the moves that were answered


@contextlib.contextmanager
def studio(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """(process, address, token) of the command, ended at the end."""
    command = [sys.executable, "-m", "boardgym", "studio", "--no-browser", "--data", str(folder), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address, _, token = process.stdout.readline().split()[-1].partition("?token=")
    try:
        yield process, address, token
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def processor_s(pid: int) -> float:
    """Processor seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def ready(client: httpx.AsyncClient, token: str) -> None:
    """Waits until the interface is loaded."""
    headers = {"Authorization": f"Bearer {token}"}
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.TransportError):
            if (await client.get("/api/ready", headers=headers)).json()["ready"]:
                return
        await asyncio.sleep(0.05)
    raise TimeoutError("the studio does not start")


class Player:
    """A client: one session, one game after the other."""

    def __init__(self, number: int, settings: Settings, address: str, token: str, counts: Counts) -> None:
        self.number, self.settings, self.counts, self.token = number, settings, counts, token
        self.http = httpx.AsyncClient(base_url=address, timeout=30.0)
        self.play: dict[str, Any] = {}

    async def begin(self) -> None:
        """Opens a session and a game."""
        if not self.http.cookies:
            await self.http.get("/", params={"token": self.token})
        second = {"kind": "policy", "spec": self.settings.policy} if self.settings.policy else {"kind": "human"}
        body = {"game": self.settings.game, "seats": [{"kind": "human"}, second]}
        response = await self.http.post("/api/plays", json=body)
        response.raise_for_status()
        self.play = response.json()
        self.counts.games[self.play["id"]] = []

    async def move(self, due: float) -> None:
        """One move, due at a time of the event loop's clock."""
        loop, actions = asyncio.get_running_loop(), self.play["state"]["actions"]
        if self.settings.policy and self.play["state"]["to_play"] != 0:
            self.play = (await self.http.get(f"/api/plays/{self.play['id']}")).json()
            actions = self.play["state"]["actions"]
        chosen = actions[(self.number + self.play["state"]["ply"]) % len(actions)]
        body = {"ply": self.play["state"]["ply"], "action": chosen["action"]}
        self.counts.late_ms.append(1000.0 * (loop.time() - due))
        response = await self.http.post(f"/api/plays/{self.play['id']}/moves", json=body)
        self.counts.waits.append(1000.0 * (loop.time() - due))
        if response.status_code != 200:
            self.counts.failures.append(f"{response.status_code} {response.text[:200]}")
            return
        self.play = response.json()
        self.counts.games[self.play["id"]] = self.play["state"]["moves"]
        if self.play["is_over"]:
            await self.begin()

    async def run(self, first: float) -> None:
        """Moves once a second from a time on."""
        loop = asyncio.get_running_loop()
        for k in range(self.settings.seconds):
            due = first + k
            await asyncio.sleep(max(0.0, due - loop.time()))
            await self.move(due)


async def load(settings: Settings, address: str, token: str, pid: int) -> tuple[Counts, float, float]:
    """(what has happened, processor seconds of the server, of the clients)."""
    counts = Counts()
    players = [Player(number, settings, address, token, counts) for number in range(settings.clients)]
    await ready(players[0].http, token)
    for player in players:
        await player.begin()
    own, server = time.process_time(), processor_s(pid)
    start = asyncio.get_running_loop().time() + 0.5
    await asyncio.gather(*(player.run(start + player.number / settings.clients) for player in players))
    own, server = time.process_time() - own, processor_s(pid) - server
    headers = {"Authorization": f"Bearer {token}"}
    for id, moves in counts.games.items():
        found = (await get(players[0].http, f"/api/plays/{id}", headers))["state"]["moves"]
        if found[: len(moves)] != moves or len(found) > len(moves) + bool(settings.policy):
            counts.failures.append(f"game {id}: {len(moves)} moves were answered, {len(found)} are there")
    return counts, server, own


async def get(client: httpx.AsyncClient, path: str, headers: dict[str, str]) -> Any:
    """What an address answers, as slowly as its session may ask."""
    while (response := await client.get(path, headers=headers)).status_code == httpx.codes.TOO_MANY_REQUESTS:
        await asyncio.sleep(0.2)
    return response.json()


def report(settings: Settings, counts: Counts, server: float, own: float) -> str:
    """The table."""
    waits = sorted(counts.waits)
    rows = [
        ("moves answered", str(len(waits) - len(counts.failures))),
        ("lost, doubled or refused", str(len(counts.failures))),
        ("median, ms", f"{statistics.median(waits):.1f}"),
        ("99 %, ms", f"{waits[int(0.99 * (len(waits) - 1))]:.1f}"),
        ("longest, ms", f"{waits[-1]:.1f}"),
        ("of which the clients were late, 99 %, ms", f"{sorted(counts.late_ms)[int(0.99 * (len(waits) - 1))]:.1f}"),
        ("server's processor time, s a second", f"{server / settings.seconds:.2f}"),
        ("clients' processor time, s a second", f"{own / settings.seconds:.2f}"),
        ("server's processor time a move, ms", f"{1000 * server / len(waits):.2f}"),
    ]
    return markdown(["", f"{settings.clients} clients, {settings.game} {settings.policy}".strip()], rows)


def start_once(folder: Path) -> tuple[float, float, float, float]:
    """(processor s, wall s) of the command until it answers with the page, and until a move in a game is answered."""
    begun = time.monotonic()
    with studio(folder) as (process, address, token), httpx.Client(base_url=address, timeout=60.0) as client:
        while True:
            with contextlib.suppress(httpx.TransportError):
                if client.get("/", params={"token": token}, follow_redirects=True).status_code == 200:
                    break
            time.sleep(0.002)
        shell = processor_s(process.pid), time.monotonic() - begun
        body = {"game": "ConnectFour-v0", "seats": [{"kind": "human"}, {"kind": "human"}]}
        while (response := client.post("/api/plays", json=body)).status_code != httpx.codes.CREATED:
            time.sleep(0.02)
        moved = client.post(f"/api/plays/{response.json()['id']}/moves", json={"ply": 0, "action": 3})
        moved.raise_for_status()
        return *shell, processor_s(process.pid), time.monotonic() - begun


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.studio_load", description=__doc__, args=arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if settings.starts:
            figures = [start_once(folder / str(number)) for number in range(settings.starts)]
            names = ["page, processor s", "page, wall s", "a move answered, processor s", "a move answered, wall s"]
            medians = [f"{statistics.median(column):.2f}" for column in zip(*figures, strict=True)]
            print(markdown(["", f"median of {settings.starts}"], list(zip(names, medians, strict=True))))
            return 0
        with studio(folder) as (process, address, token):
            counts, server, own = asyncio.run(load(settings, address, token, process.pid))
    print(report(settings, counts, server, own))
    for failure in counts.failures[:10]:
        print(json.dumps(failure))
    return 1 if counts.failures else 0


if __name__ == "__main__":
    sys.exit(main())
