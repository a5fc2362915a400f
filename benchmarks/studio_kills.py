"""What kill -9 costs the studio: `python -m benchmarks.studio_kills --kills 20 --seed 1`.

Clients play games at full speed, against each other and against policies, and a bot trains, while the server is killed at
random moments and started again on the same folder and port; every other time the bot's process is killed too.

After each start every game must hold all moves that were answered, in their order, at most one more that was saved but not
answered, and what policies played since. A policy that was to play when the server died must play. The bot's process must be
gone, and the bot interrupted; it goes on when it is told to, exactly at the episode of the last checkpoint that it has written,
which is none before the one that stood there at the kill; where its process was not killed itself, all that were seen are in
it. Prints a table; the exit status is 1 if anything was otherwise.
"""

import contextlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import tyro

from benchmarks.studio_load import studio
from benchmarks.uct_matches import markdown
from boardgym.baselines.learning import episodes as ep
from boardgym.baselines.learning.run_folders import CHECKPOINT
from boardgym.baselines.learning.tabular.trainer import CHECKPOINTS
from boardgym.web.jobs import RUN, progress_of

GAMES = (("Othello-v0", "", {}), ("Backgammon-v0", "", {}), ("Othello-v0", "random", {"size": 6}),
         ("ConnectFour-v0", "minimax:2", {}))  # fmt: skip
BOT = {"name": "Alexander", "form": "create-bot", "given": {"training_exploring": 100_000_000, "training_pessimist": 0,
       "method": "q", "quality": None, "memory": 0.1}}  # fmt: skip
LONGEST_S = 3.0  # from the first move after a start to the kill
WAIT_S = 60.0


@dataclass(frozen=True)
class Settings:
    """Kills of a server while games are played and a bot trains. kills: how many; seed: of the moments; port: of the server."""

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


class Bot:
    """A bot that trains in a studio. folder: of the studio's data.

    seen: episodes that the page has shown. saved: those of the checkpoint that stood there at the kill.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.key, self.seen, self.saved, self.kept, self.lost = folder, "", 0, 0, 0, 0

    def page(self, player: Player) -> dict[str, Any]:
        """As its page has it."""
        found: dict[str, Any] = player.call("GET", f"/api/bots/{self.key}")["bot"]
        return found

    def processes(self) -> list[int]:
        """Those that train it, whoever has begun them."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (process / "cmdline").read_bytes().split(b"\0")
                if b"boardgym.web.trainee" in words and any(self.key.encode() in word for word in words):
                    found.append(int(process.name))
        return found

    def in_checkpoint(self) -> int:
        """Episodes of its last checkpoint; 0 before the first."""
        try:
            arrays, _ = CHECKPOINTS.read(self.folder / "bots" / self.key / RUN / CHECKPOINT, {})
        except FileNotFoundError:
            return 0
        return int(arrays["counters"][ep.EPISODE])

    def resumed(self) -> int:
        """The episode at which its process went on, as that has said."""
        return int(progress_of(self.folder / "bots" / self.key)["resumed"])

    def go_on(self, player: Player) -> None:
        """Begins or goes on, and waits until it has learnt more than it had."""
        if not self.key:
            self.key = player.call("POST", "/api/bots", BOT)["id"]
        else:
            player.call("POST", f"/api/bots/{self.key}/resume")
        wait_until(lambda: self.done(player) != self.kept and self.processes() != [], f"the bot {self.key} does not train")
        self.seen = self.done(player)

    def done(self, player: Player) -> int:
        """Episodes that its page shows."""
        return int((self.page(player)["progress"] or {"done": 0})["done"])

    def kill(self) -> None:
        """Kills its process."""
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def check(self, player: Player, *, was_killed: bool) -> str:
        """What is wrong with it after another start, or nothing; it goes on. was_killed: whether its process was, by itself."""
        if not self.key:
            self.go_on(player)
            return ""
        wait_until(lambda: self.processes() == [], "the process of the bot outlives the studio")
        state, checkpoint, shown = self.page(player)["state"], self.in_checkpoint(), self.done(player)
        self.lost += max(shown - checkpoint, 0)
        self.kept = shown
        seen, saved = self.seen, self.saved
        self.go_on(player)
        if state != "interrupted":
            return f"the bot is {state}, not interrupted"
        if checkpoint < seen and not was_killed:
            return f"the bot had shown {seen:,} episodes, its checkpoint has {checkpoint:,}"
        if checkpoint < saved:
            return f"the bot's checkpoint had {saved:,} episodes before the kill, and {checkpoint:,} after it"
        if self.resumed() != checkpoint:
            return f"the bot goes on at {self.resumed():,} episodes, its checkpoint has {checkpoint:,}"
        return ""


def wait_until(holds: Callable[[], bool], failure: str) -> None:
    """Waits until something holds. Raises TimeoutError."""
    deadline = time.monotonic() + WAIT_S
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(failure)
        time.sleep(0.02)


def wait_until_ready(address: str, token: str) -> None:
    """Until the interface is loaded."""

    def is_ready() -> bool:
        headers = {"Authorization": f"Bearer {token}"}
        with contextlib.suppress(httpx.TransportError):
            return bool(httpx.get(f"{address}api/ready", headers=headers).json()["ready"])
        return False

    wait_until(is_ready, "the studio does not start")


def main(arguments: Sequence[str] | None = None) -> int:
    """Kills, compares, and prints the table."""
    settings = tyro.cli(Settings, prog="python -m benchmarks.studio_kills", description=__doc__, args=arguments)
    chance, players, wrong = random.Random(settings.seed), list[Player](), list[str]()
    with tempfile.TemporaryDirectory() as name:
        bot, was_killed = Bot(Path(name)), False
        for kill in range(settings.kills + 1):
            with studio(Path(name), "--port", str(settings.port)) as (process, address, token):
                players = players or [Player(number, address, token) for number in range(len(GAMES))]
                wait_until_ready(address, token)
                for player in players:
                    player.enter()
                wrong += [f"kill {kill}: {text}" for player in players if (text := player.check())]
                wrong += [f"kill {kill}: {text}"] if (text := bot.check(players[0], was_killed=was_killed)) else []
                if kill == settings.kills:
                    break
                was_killed = kill % 2 == 1
                threads = [threading.Thread(target=player.run) for player in players]
                for thread in threads:
                    thread.start()
                time.sleep(chance.uniform(0.0, LONGEST_S))
                bot.seen, bot.saved = bot.done(players[0]), bot.in_checkpoint()
                if was_killed:
                    bot.kill()
                process.kill()
                for thread in threads:
                    thread.join()
    rows = [
        ("kills", str(settings.kills)),
        ("games", str(sum(player.games for player in players))),
        ("moves answered", str(sum(player.answered for player in players))),
        ("episodes of the bot", f"{bot.seen:,}"),
        ("episodes after its last checkpoint, lost when its own process was killed", f"{bot.lost:,}"),
        ("games with moves lost, doubled or stuck, trainings with episodes lost", str(len(wrong))),
    ]
    print(markdown(["", "the studio, kill -9"], rows))
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
