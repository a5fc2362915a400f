"""Engines that speak GTP or UCI, as policies: see `policies.py`."""

import contextlib
import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

from boardgym.baselines.engines.policies import RULES, TIMEOUT_S, EnginePolicy, start_of
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, EngineError, UnsupportedGameError
from boardgym.core.game import Game
from boardgym.core.policy import Analysis, check_board

STOP_S = 2.0  # for an engine to heed `stop`; ours takes up to 1 s where it has no move yet
THINKING_S = 1.0
GTP_VERSION = "2"


class GtpEngine(EnginePolicy):
    """An engine that speaks GTP."""

    def check_game(self) -> None:
        """Raises UnsupportedGameError unless the game is for two."""
        if self.game.num_seats != 2:
            raise UnsupportedGameError(
                f"policy spec {self.spec!r}: GTP knows two colours; {self.game.id} has {self.game.num_seats} seats"
            )

    def begin(self) -> None:
        """Asks for its version of GTP and the commands it knows, and chooses the game."""
        self.number = 0
        version = self.command_of("protocol_version")
        if version != GTP_VERSION:
            raise self.engine.failure(f"speaks GTP {version!r}; expected {GTP_VERSION!r}")
        self.known = set(self.command_of("list_commands").split())
        games = self.command_of("list_games").split("\n") if {"set_game", "list_games"} <= self.known else []
        names = {"".join(name.split()).lower(): name.strip() for name in games}
        for name in (self.game.id, self.game.name, self.game.title):
            if (wanted := "".join(name.split()).lower()) in names:
                self.command_of(f"set_game {names[wanted]}")
                break
        else:
            if names:
                raise self.engine.failure(f"does not play {self.game.name}; it plays {', '.join(names.values())}")
        if "boardgym-rules" in self.known:
            self.set_up()
        else:
            self.compare_rules(None, agreed=("size",))  # it refuses a `boardsize` that it does not play

    def new_game(self) -> None:
        """A new board, of the right size."""
        self.told: tuple[str | None, list[int]] | None = None
        if "boardgym-seed" in self.known and self.seed is not None:
            self.command_of(f"boardgym-seed {self.seed}")

    def ask(self, board: Board) -> int:
        """Tells it what it does not know of the record, and asks for a move."""
        self.tell(board)
        if "boardgym-fen" in self.known:
            self.compare_position(board, self.command_of("boardgym-fen"))
        text = self.command_of(f"genmove {self.colour(board.to_play)}")
        if text.lower() == "resign":
            raise self.engine.failure("resigned")
        action = self.action_of(board, text)
        assert self.told is not None
        self.told[1].append(action)
        return action

    def tell(self, board: Board) -> None:
        """Brings the engine's board to where ours is: by the moves that are new, or from the start."""
        start = start_of(board)
        known = self.told[1] if self.told is not None and self.told[0] == start else None
        if known is None or known != board.actions[: len(known)]:
            known = []
            self.clear(start)
        trial = board.copy()
        trial.auto_roll = False
        while len(trial.actions) > len(known):
            trial.pop()
        for action in board.actions[len(known) :]:
            colour, move = "chance" if trial.is_chance else self.colour(trial.to_play), trial.move_text(action)
            self.command_of(f"play {colour} {move}", may_refuse=move == "pass")  # some engines pass by themselves
            trial.push(action)
        self.told = (start, board.actions.copy())

    def clear(self, start: str | None) -> None:
        """Begins anew, at a position string or the standard start."""
        if start is not None and "boardgym-position" not in self.known:
            raise UnsupportedGameError(f"{self!r}: this engine begins games at their standard start only, not at {start!r}")
        self.set_up()
        self.command_of("clear_board" if start is None else f"boardgym-position {start}")

    def set_up(self) -> None:
        """Chooses the size, and holds the rules to be ours where the engine tells them."""
        self.command_of(f"boardsize {self.game.options.get('size', self.game.observation_shape[1])}")
        if "boardgym-rules" in self.known:
            self.compare_rules(self.command_of("boardgym-rules"))

    def colour(self, seat: int) -> str:
        """The colour of a seat: its name if that is one, else black moves first."""
        name = self.game.seat_names[seat] if self.game.seat_names else ""
        return name if name in ("black", "white") else ("black", "white")[seat]

    def command_of(self, text: str, *, may_refuse: bool = False) -> str:
        """The answer to a command. Raises EngineError for one that begins with a question mark, unless it `may_refuse`."""
        self.number += 1
        self.engine.send(f"{self.number} {text}")
        deadline = time.monotonic() + self.timeout
        lines: list[str] = []
        while True:
            line = self.engine.read_line(text, deadline=deadline)
            if lines or line.strip():
                lines.append(line.strip())
            if lines and not line.strip():
                break
        head = lines[0]
        mark, number, answer = head[:1], head[1:].split(" ")[0], head[1:].partition(" ")[2]
        if mark not in ("=", "?") or (number and number != str(self.number)):
            raise self.engine.failure(f"gave {head!r} as answer to {text!r}; expected '={self.number} ...'")
        whole = "\n".join([answer, *lines[1:]]).strip()
        if mark == "?" and not may_refuse:
            raise self.engine.failure(f"refused {text!r}: {whole}")
        return whole


class UciEngine(EnginePolicy):
    """An engine that speaks UCI with moves in our notation."""

    settings_known = ("timeout", "depth", "nodes", "time")

    def __init__(
        self, game: Game, spec: str, command: list[str], settings: dict[str, Any] | None = None, *, timeout: float = TIMEOUT_S
    ) -> None:
        super().__init__(game, spec, command, settings, timeout=timeout)
        self.has_clock = not ({"depth", "nodes"} & set(self.settings)) or "time" in self.settings
        self.is_thinking = False  # and has not been told to stop

    def check_game(self) -> None:
        """Any game will do."""

    def begin(self) -> None:
        """Waits until it has said who it is."""
        self.options: dict[str, str] = {}  # and what stands after "type"
        self.engine.send("uci")
        for words in self.answers("uci", ["uciok"], self.timeout):
            if words[:2] == ["option", "name"] and "type" in words:
                name, _, kind = " ".join(words[2:]).partition(" type ")
                self.options[name] = kind
        self.compare_rules(self.options[RULES].partition(" default ")[2] if RULES in self.options else None)

    def new_game(self) -> None:
        """Another game, and the seed if it takes one."""
        if "Seed" in self.options and self.seed is not None:
            self.engine.send(f"setoption name Seed value {within(self.seed, self.options['Seed'])}")
        self.engine.send("ucinewgame")
        self.engine.send("isready")
        for _ in self.answers("isready", ["readyok"], self.timeout):
            pass

    def ask(self, board: Board) -> int:
        """Its move."""
        return self.search(board).action

    def analyse(self, board: Board) -> Analysis:
        """What its last `info` line says, without values of the single actions. Raises as `act`."""
        check_board(self, board)
        found: Analysis = self._guarded(lambda: self.search(board))
        return found

    def evaluate(self, board: Board) -> float:
        """The value that it gives for the seat to play, in [-1, 1]. Raises as `act`."""
        return self.analyse(board).value

    def interrupt(self) -> None:
        """Tells the engine to stop, if it thinks in another thread: `act` answers with its best move so far."""
        process = self.process
        if self.is_thinking and process is not None:
            self.is_thinking = False  # it is told once
            with contextlib.suppress(EngineError):  # `act` will raise it
                process.send("stop")

    def search(self, board: Board) -> Analysis:
        """Lets the engine think; `cp` over 100 is the value, as our own engine says it; `mate` is a win or loss."""
        start, moves = start_of(board), board.moves()
        where = "startpos" if start is None else f"fen {start}"
        self.engine.send(f"position {where}{' moves ' if moves else ''}{' '.join(moves)}")
        if RULES in self.options:
            self.check_position(board)
        seconds = self.settings.get("time")
        if seconds is None and self.has_clock:
            seconds = THINKING_S
        limits = [f"{name} {self.settings[name]}" for name in ("depth", "nodes") if name in self.settings]
        limits += [f"movetime {round(1000 * seconds)}"] if seconds is not None else []
        command = f"go {' '.join(limits)}"
        started = time.perf_counter()
        self.engine.send(command)
        self.is_thinking = True
        info: dict[str, list[str]] = {}
        text, complaint = "", ""
        for words in self.answers(command, ["bestmove"], self.timeout + (seconds or 0.0), may_stop=True):
            if words[:3] == ["info", "string", "error:"]:
                complaint = " ".join(words[3:])
            elif words[0] == "info":
                info.update(read_info(words[1:]))
            elif words[0] == "bestmove":
                self.is_thinking, text = False, words[1] if len(words) > 1 else ""
        if complaint and text in ("", "(none)"):
            raise self.engine.failure(f"said to {command!r}: {complaint}")
        action = self.action_of(board, text)
        value, is_proven = value_of(info.get("score", []))
        return Analysis(
            action=action,
            value=value,
            principal_variation=self.line_of(board, info.get("pv", [])) or (action,),
            action_values={action: value},
            visit_counts={},
            depth=whole(info.get("depth", info.get("seldepth", []))),
            nodes=whole(info.get("nodes", [])),
            seconds=time.perf_counter() - started,
            is_proven=is_proven,
        )

    def check_position(self, board: Board) -> None:
        """Asks an engine of ours where its board is. Raises EngineError if it is elsewhere."""
        self.engine.send("boardgym-fen")
        mark, complaint = ["info", "string", "boardgym-fen"], ""
        for words in self.answers("boardgym-fen", mark, self.timeout):
            if words[:3] == ["info", "string", "error:"]:
                complaint = " ".join(words[3:])
        if complaint:
            raise self.engine.failure(f"refused {board.fen()!r}: {complaint}")
        self.compare_position(board, " ".join(words[3:]))

    def line_of(self, board: Board, moves: Sequence[str]) -> tuple[int, ...]:
        """The actions of a line, as far as they can be played."""
        trial, actions = board.copy(), []
        trial.auto_roll = False
        for move in moves:
            try:
                actions.append(trial.push_move(move))
            except BoardgymError:
                break
        return tuple(actions)

    def answers(self, command: str, last: list[str], seconds: float, *, may_stop: bool = False) -> Iterator[list[str]]:
        """The words of each line up to the one that begins with the words `last`, which is the last given.

        may_stop: whether the engine is told to stop when the time is over, before it is given up.
        """
        deadline = time.monotonic() + seconds
        while True:
            if may_stop and time.monotonic() >= deadline:
                self.engine.send("stop")
                may_stop, deadline = False, time.monotonic() + STOP_S
            try:
                words = self.engine.read_line(command, deadline=deadline, may_wait=may_stop).split()
            except TimeoutError:
                continue
            if words:
                yield words
            if words[: len(last)] == last:
                return


def read_info(words: Sequence[str]) -> dict[str, list[str]]:
    """What follows each name of an `info` line."""
    names = ("depth", "seldepth", "time", "nodes", "pv", "multipv", "score", "currmove", "currmovenumber", "hashfull", "nps",
             "tbhits", "cpuload", "string", "wdl")  # fmt: skip
    found: dict[str, list[str]] = {}
    name = ""
    for word in words:
        if name != "string" and word in names:
            name = word
            found[name] = []
        elif name:
            found[name].append(word)
    return found


def within(seed: int, kind: str) -> int:
    """The seed, or another in its place that is within what stands after `min` and `max` in an option's type."""
    bounds = dict(re.findall(r"\b(min|max) (-?[0-9]{1,30})\b", kind))
    low, high = int(bounds.get("min", 0)), int(bounds.get("max", seed))
    return seed if low <= seed <= high or low > high else low + seed % (high - low + 1)


def value_of(score: Sequence[str]) -> tuple[float, bool]:
    """(value in [-1, 1], whether it is proven) of what follows `score`."""
    try:
        kind, number = score[0], int(score[1])
    except (IndexError, ValueError):
        return 0.0, False
    if kind == "mate":
        return (1.0 if number > 0 else -1.0), True
    return min(max(number / 100.0, -1.0), 1.0), False


def whole(words: Sequence[str]) -> int:
    """A whole number, 0 where there is none."""
    return int(words[0]) if words and words[0].isdecimal() else 0
