"""What kill -9 costs the studio: `python -m benchmarks.studio_kills --kills 20 --seed 1`.

Clients play games at full speed, against each other and against policies, while the server is killed at random moments and
started again on the same folder and port. After each start every game must hold all moves that were answered, in their order,
at most one more that was saved but not answered, and what policies played since. A policy that was to play when the server
died must play. Prints a table; the exit status is 1 if anything was otherwise.
"""

import random
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import tyro

from benchmarks.studio_load import studio
from benchmarks.uct_matches import markdown

GAMES = (("Othello-v0", "", {}), ("Backgammon-v0", "", {}), ("Othello-v0", "random", {"size": 6}),
         ("ConnectFour-v0", "minimax:2", {}))  # fmt: skip
LONGEST_S = 3.0  # from the first move after a start to the kill
WAIT_S = 60.0


@dataclass(frozen=True)
class Settings:
    """Kills of a server while games are played. kills: how many; seed: of the moments; port: of the server."""

    kills: int = 20
    seed: int = 1
    port: int = 8197


class Player:
    """Plays one game after the other until the server dies; knows the moves that were answered."""

    def __init__(self, number: int, address: str, token: str) -> None:
        self.game, self.policy, self.options = GAMES[number]
        self.http, self.token = httpx.Client(base_url=address, timeout=30.0), token
        self.play: dict[str, Any] = {}
        self.answered = self.games = 0

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """What is answered, as slowly as a session may ask. Raises httpx.TransportError when the server is dead."""
        while (found := self.http.request(method, path, json=body)).status_code == httpx.codes.TOO_MANY_REQUESTS:
            time.sleep(0.1)
        return found.raise_for_status().json()

    def enter(self) -> None:
        """Opens a session, once: it outlives the server."""
        if not self.http.cookies:
            self.http.get("/", params={"token": self.token})

    def run(self) -> None:
        """Until the server does not answer."""
        try:
            while True:
                if not self.play or self.play["is_over"]:
                    second = {"kind": "policy", "spec": self.policy} if self.policy else {"kind": "human"}
                    seats = [{"kind": "human"}, second]
                    self.play = self.call("POST", "/api/plays", {"game": self.game, "options": self.options, "seats": seats})
                    self.games += 1
                elif self.play["thinking"] is not None:
                    self.play = self.call("GET", f"/api/plays/{self.play['id']}")
                else:
                    state = self.play["state"]
                    action = state["actions"][(self.answered * 7) % len(state["actions"])]["action"]
                    body = {"ply": state["ply"], "action": action}
                    self.play = self.call("POST", f"/api/plays/{self.play['id']}/moves", body)
                    self.answered += 1
        except httpx.TransportError:
            pass

    def check(self) -> str:
        """What is wrong with the game after another start, or nothing; goes on with it."""
        if not self.play:
            return ""
        known, deadline = self.play["state"]["moves"], time.monotonic() + WAIT_S
        while True:
            self.play = self.call("GET", f"/api/plays/{self.play['id']}")
            if self.play["thinking"] is None or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        found = self.play["state"]["moves"]
        if found[: len(known)] != known:
            return f"{self.game}: {len(known)} moves were answered, {len(found)} are there, and others"
        most = 8 if self.policy or self.game.startswith("Backgammon") else 1  # rolls, a policy's moves and passes
        if len(found) > len(known) + most:
            return f"{self.game}: {len(found) - len(known)} moves more than were answered"
        if self.play["thinking"] is not None or self.play["message"]:
            return f"{self.game}: the policy does not play: {self.play['message']}"
        return ""


def wait_until_ready(address: str, token: str) -> None:
    """Until the interface is loaded."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        try:
            headers = {"Authorization": f"Bearer {token}"}
            if httpx.get(f"{address}api/ready", headers=headers).json()["ready"]:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise TimeoutError("the studio does not start")


def main(arguments: Sequence[str] | None = None) -> int:
    """Kills, compares, and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.studio_kills", description=__doc__, args=arguments)
    chance, players, wrong = random.Random(settings.seed), list[Player](), list[str]()
    with tempfile.TemporaryDirectory() as name:
        for kill in range(settings.kills + 1):
            with studio(Path(name), "--port", str(settings.port)) as (process, address, token):
                players = players or [Player(number, address, token) for number in range(len(GAMES))]
                wait_until_ready(address, token)
                for player in players:
                    player.enter()
                wrong += [f"kill {kill}: {text}" for player in players if (text := player.check())]
                if kill == settings.kills:
                    break
                threads = [threading.Thread(target=player.run) for player in players]
                for thread in threads:
                    thread.start()
                time.sleep(chance.uniform(0.0, LONGEST_S))
                process.kill()
                for thread in threads:
                    thread.join()
    rows = [
        ("kills", str(settings.kills)),
        ("games", str(sum(player.games for player in players))),
        ("moves answered", str(sum(player.answered for player in players))),
        ("games with moves lost, doubled or stuck", str(len(wrong))),
    ]
    print(markdown(["", "the studio, kill -9"], rows))
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
