"""A policy as an engine that speaks the Universal Chess Interface, about any game, with moves in the game's own notation.

    uci   isready   setoption name Seed value 1   ucinewgame   d
    position startpos moves d3 c5     position fen POSITION-STRING moves ...     (what dice brought stands among the moves)
    go            with the budget of the policy's spec
    go depth 6    go nodes 1000    go movetime 500    go infinite    go wtime 60000 btime 60000 winc 500 binc 500 movestogo 20
    stop   quit

`info` lines follow the search: `score cp` is the value for the seat to play times 100, so from -100 to 100, `score mate 1` a
proven win and `mate -1` a proven loss (their length is not told). wtime is the time of the seat that moves first, in
milliseconds.

Source: S. Meyer-Kahlen, "Description of the universal chess interface", 2006.
"""

import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from boardgym import __version__
from boardgym.baselines.engines.session import AUTHOR, MOVES_TO_GO, NAME, SHORTEST_S, Session
from boardgym.baselines.search.watching import Watched, is_deep
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, NotationError, SpecError
from boardgym.core.policy import Analysis, Spec

STOP_AGAIN_S, JOIN_S = 0.02, 0.05
LIMITS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "infinite", "ponder", "mate")


class UciServer:
    """Answers commands; a search runs on a thread of its own, so that `stop` is heard."""

    def __init__(self, session: Session, write: Callable[[str], None]) -> None:
        self.session, self.lock = session, threading.Lock()
        self.out = write
        self.search: threading.Thread | None = None
        self.watched: Watched | None = None
        self.is_held = False  # whether the best move may only be told after `stop`
        self.stopped = threading.Event()

    def write(self, line: str) -> None:
        """A line, as a whole, from whichever thread."""
        with self.lock:
            self.out(line + "\n")

    def serve(self, lines: Iterable[str]) -> None:
        """Answers each command until `quit`, which stops a search, or the end of the lines, which lets it finish."""
        try:
            for line in lines:
                words = line.split()
                if words[:1] == ["quit"]:
                    return
                try:
                    self.obey(words)
                except (BoardgymError, ValueError) as error:
                    self.write(f"info string error: {' '.join(str(error).split())}")
                    if words[:1] == ["go"]:
                        self.write("bestmove (none)")  # or whoever waits for it would wait for ever
            self.finish()
        finally:
            self.stop()

    def obey(self, words: list[str]) -> None:
        """Does what a line says. Raises BoardgymError, ValueError for what cannot be done, having changed nothing."""
        name, rest = (words[0], words[1:]) if words else ("", [])
        if name == "isready":
            self.write("readyok")
            return
        if name == "stop":
            self.stop()
            return
        if name in ("uci", "setoption", "ucinewgame", "position", "go", "d"):
            self.finish()
            getattr(self, f"_{name}")(rest)
        elif name not in ("", "debug", "register", "ponderhit"):
            self.write(f"info string error: unknown command {name!r}")

    # ------------------------------------------------------------ commands

    def _uci(self, rest: list[str]) -> None:
        self.write(f"id name {NAME} {__version__} {self.session.game.id} {self.session.spec.text}")
        self.write(f"id author {AUTHOR}")
        self.write(f"option name Seed type spin default 0 min 0 max {2**63 - 1}")
        self.write(f"option name Best type check default {str(self.session.best).lower()}")
        self.write("uciok")

    def _setoption(self, rest: list[str]) -> None:
        text = " ".join(rest)
        name, _, value = text.removeprefix("name ").partition(" value ")
        if name.lower() == "seed" and value.isdecimal() and int(value) < 2**63:
            self.session.reseed(int(value))
        elif name.lower() == "best" and value in ("true", "false"):
            self.session.best = value == "true"
        else:
            raise SpecError(f"setoption {text!r}: expected 'name Seed value N' or 'name Best value true'")

    def _ucinewgame(self, rest: list[str]) -> None:
        self.session.restart()

    def _position(self, rest: list[str]) -> None:
        cut = rest.index("moves") if "moves" in rest else len(rest)
        kind, moves = rest[:1], rest[cut + 1 :]
        if kind not in (["startpos"], ["fen"]):
            raise NotationError(f"position {' '.join(rest)!r}: expected 'startpos' or 'fen' and a position string")
        fen = " ".join(rest[1:cut]) if kind == ["fen"] else None
        board = Board(self.session.game, fen, auto_roll=False)
        board.play(moves)
        self.session.board = board

    def _d(self, rest: list[str]) -> None:
        for line in [*str(self.session.board).splitlines(), self.session.board.fen()]:
            self.write(f"info string {line}")

    def _go(self, rest: list[str]) -> None:
        board = self.session.board
        spec, is_endless = self._limited(rest)
        if board.is_terminal or board.is_chance:
            self.write(f"info string {'the game is over' if board.is_terminal else 'chance is to act'}")
            self.write("bestmove (none)")
            return
        is_limited = spec is not self.session.spec
        self.stopped.clear()
        self.is_held, self.watched = is_endless, None
        self.search = threading.Thread(target=self._think, args=(board.copy(), spec, is_limited), daemon=True)
        self.search.start()

    def _limited(self, words: list[str]) -> tuple[Spec, bool]:
        """The spec with the limits of `go`, and whether it has none."""
        limits: dict[str, float] = {}
        is_endless, name = False, ""
        for word in words:
            if word in ("infinite", "ponder"):
                is_endless = True
            elif name:
                limits[name] = float(word)
                if not 0.0 <= limits[name] < 1e12:
                    raise SpecError(f"go {' '.join(words)}: {name} {word}: expected a positive number")
                name = ""
            elif word in LIMITS:
                name = word
            else:
                raise SpecError(f"go {' '.join(words)}: unknown limit {word!r}; expected one of {', '.join(LIMITS)}")
        if name:
            raise SpecError(f"go {' '.join(words)}: {name} is not followed by a number")
        milliseconds = limits.get("movetime")
        clock = ("wtime", "btime")[self.session.board.to_play % 2]
        if milliseconds is None and clock in limits:
            share = limits[clock] / (limits.get("movestogo") or MOVES_TO_GO) + 0.8 * limits.get(clock[0] + "inc", 0.0)
            milliseconds = min(share, 0.8 * limits[clock])
        whole: dict[str, Any] = {key: max(int(limits[key]), 1) for key in ("depth", "nodes") if key in limits}
        seconds = None if milliseconds is None else max(milliseconds / 1000.0, SHORTEST_S)
        return self.session.limited(seconds=seconds, endless=is_endless, **whole), is_endless

    # ------------------------------------------------------------ the search's thread

    def _think(self, board: Board, spec: Spec, is_limited: bool) -> None:
        """Searches and tells the best move, which with limits is the one that the `info` lines found."""
        session, action, started = self.session, None, time.perf_counter()
        try:
            try:
                if is_limited:
                    self.watched = Watched(spec, session.game, seed=session.seed or 0, trust=session.trust)
                    for analysis in self.watched.watch(board):
                        action = analysis.action
                        self.write(info_line(board, analysis, spec, time.perf_counter() - started))
                else:
                    action = int(session.policy.act(board, deterministic=session.best))
            except Exception as error:  # whoever waits for a move has to be told
                self.write(f"info string error: {' '.join(str(error).split()) or type(error).__name__}")
            if self.is_held:
                self.stopped.wait()
        finally:
            self.write(f"bestmove {'(none)' if action is None else board.move_text(action)}")

    def finish(self) -> None:
        """Waits for a search with limits; ends one without."""
        if self.is_held:
            self.stop()
        while self.search is not None and self.search.is_alive():
            self.search.join(JOIN_S)  # not for ever, or Ctrl-C would wait too

    def stop(self) -> None:
        """Ends the search; its best move has been told when this returns."""
        self.stopped.set()
        while self.search is not None and self.search.is_alive():
            for running in (self.watched, self.session.policy):
                end = getattr(running, "stop", None) or getattr(running, "interrupt", None)
                if callable(end):
                    end()
            self.search.join(STOP_AGAIN_S)


def info_line(board: Board, analysis: Analysis, spec: Spec, seconds: float) -> str:
    """What has been found, as UCI says it. seconds: since `go`; nodes and speed are those of the last stage."""
    won = analysis.is_proven and abs(analysis.value) >= 1.0
    score = f"mate {1 if analysis.value > 0 else -1}" if won else f"cp {round(100 * analysis.value)}"
    milliseconds = round(1000 * seconds)
    speed = f" nps {round(analysis.nodes / analysis.seconds)}" if analysis.seconds > 0.0 else ""
    trial, moves = board.copy(), []
    for action in analysis.principal_variation:
        if trial.is_chance or action not in trial.legal_actions:
            break
        moves.append(trial.move_text(action))
        trial.push(action)
    depth = f"depth {analysis.depth} " if is_deep(spec) else f"seldepth {analysis.depth} "
    line = f" pv {' '.join(moves)}" if moves else ""
    return f"info {depth}score {score} nodes {analysis.nodes}{speed} time {milliseconds}{line}"
