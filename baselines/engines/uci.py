"""A policy as an engine that speaks the Universal Chess Interface, about any game, with moves in the game's own notation.

    uci   isready   setoption name Seed value 1   ucinewgame   d
    position startpos moves d3 c5     position fen POSITION-STRING moves ...     (what dice brought stands among the moves)
    go            with the budget of the policy's spec
    go depth 6    go nodes 1000    go movetime 500    go infinite    go wtime 60000 btime 60000 winc 500 binc 500 movestogo 20
    go ponder wtime 60000 btime 60000    ponderhit
    stop   quit   boardgym-fen

What has to be compiled is compiled at `isready`. `info` lines follow the search: `score cp` is the value for the seat to play
times 100, so from -100 to 100, `score mate 1` a proven win and `mate -1` a proven loss (their length is not told). wtime is
the time of the seat that moves first, in milliseconds. The option Boardgym-Rules tells the game and its rule options, and
`boardgym-fen` the position, so that a client can hold them to be its own.

Source: S. Meyer-Kahlen, "Description of the universal chess interface", 2006.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from boardgym import __version__
from boardgym.baselines.engines.clock import MOVES_TO_GO, SAFE, SHORTEST_S
from boardgym.baselines.engines.lines import CutLine, refusal, said
from boardgym.baselines.engines.policies import RULES, rules_of
from boardgym.baselines.engines.session import AUTHOR, NAME, Session
from boardgym.baselines.search.anytime import Watched, is_deep, moves_of
from boardgym.core.board import Board
from boardgym.core.errors import BoardgymError, NotationError, SpecError
from boardgym.core.escape import shown
from boardgym.core.policy import Analysis, interrupt
from boardgym.core.policy_spec import Spec

STOP_AGAIN_S, JOIN_S, READ_S = 0.01, 0.05, 0.5
PATIENCE_S, MORE_PATIENCE_S = 0.08, 1.0  # for a search to end after `stop`, if it has told a move, and if it has not
AHEAD = 1_000  # lines read ahead
TIMES, COUNTS = ("movetime", "wtime", "btime", "winc", "binc"), ("depth", "nodes", "movestogo")  # that follow `go`


@dataclass(eq=False)
class Search:
    """What a `go` is about.

    spec: with its limits. is_limited: whether these are not the policy's own. seconds: that it may take after `ponderhit`;
    None: its other limits end it. is_pondering: until then. is_endless: whether only `stop` ends it. policy: that chooses where
    there are no limits but its own. action: the best found so far; line: that begins with it. may_tell: set once the best move
    may be told. is_over: whether it has been. is_left: whether it did not heed `stop`.
    """

    board: Board
    spec: Spec
    is_limited: bool
    seconds: float | None = None
    is_pondering: bool = False
    is_endless: bool = False
    policy: Any = None
    action: int | None = None
    line: tuple[int, ...] = ()
    watched: Watched | None = None
    thread: threading.Thread = field(default_factory=threading.Thread)
    may_tell: threading.Event = field(default_factory=threading.Event)
    is_over: bool = False
    is_left: bool = False


class Ahead:
    """Lines that a thread reads ahead, so that what comes next can be seen while something else is waited for.

    It ends with the lines, or at `quit`: nothing after that is for us.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue(AHEAD)
        threading.Thread(target=self._read, args=(lines,), name="boardgym-lines", daemon=True).start()

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                self.lines.put(line)
                if line.split()[:1] == ["quit"]:
                    return
        finally:
            self.lines.put(None)

    def take(self) -> str | None:
        """The next line, waited for; None at the end."""
        while True:
            with contextlib.suppress(queue.Empty):
                return self.lines.get(timeout=READ_S)  # not for ever, or Ctrl-C would wait too

    def ends(self, *, at_end: bool) -> bool:
        """Whether what comes next, after any `isready`, is `stop` or `quit`, or with at_end: nothing at all."""
        with self.lines.mutex:
            for line in self.lines.queue:
                words = [] if line is None else line.split()
                if line is None or words[:1] not in ([], ["isready"]):
                    return at_end if line is None else words[0] in ("stop", "quit")
        return False


class UciServer:
    """Answers commands; a search runs on a thread of its own, and another one reads, so that `stop` is heard."""

    def __init__(self, session: Session, write: Callable[[str], None]) -> None:
        self.session, self.lock = session, threading.Lock()
        self.out = write
        self.search: Search | None = None
        self.left: list[Search] = []  # the searches that did not heed `stop`
        self.ahead: Ahead | None = None
        self.may_ponder = False

    def write(self, line: str) -> None:
        """A line, as a whole, from whichever thread."""
        with self.lock:
            self.out(line + "\n")

    def serve(self, lines: Iterable[str]) -> None:
        """Answers each command until `quit` or the end of the lines, both of which end a search that is under way."""
        self.ahead = Ahead(lines)
        try:
            while (line := self.ahead.take()) is not None:
                if line.split()[:1] == ["quit"]:
                    return
                self.answer(line)
        finally:
            self.stop()

    def answer(self, line: str) -> None:
        """Does what a line says, or tells why not."""
        if isinstance(line, CutLine):
            self.write(f"info string error: {refusal(line)}")
            return
        words = line.split()
        try:
            self.obey(words)
        except (BoardgymError, ValueError) as error:
            self.write(f"info string error: {said(error)}")
            if words[:1] == ["go"]:
                self.write("bestmove (none)")  # or whoever waits for it would wait for ever

    @property
    def is_busy(self) -> bool:
        """Whether a search goes on, be it one that did not heed `stop`."""
        return self.is_searching or any(search.thread.is_alive() for search in self.left)

    @property
    def is_searching(self) -> bool:
        """Whether a search goes on."""
        return self.search is not None and self.search.thread.is_alive()

    def obey(self, words: list[str]) -> None:
        """Does what a line says. Raises BoardgymError, ValueError for what cannot be done, having changed nothing."""
        name, rest = (words[0], words[1:]) if words else ("", [])
        if name == "isready":
            try:
                if not self.is_searching:
                    self.session.warm()
            finally:
                self.write("readyok")
        elif name == "stop":
            self.stop()
        elif name == "ponderhit":
            self.ponderhit()
        elif name in ("uci", "setoption", "ucinewgame", "position", "go", "d", "boardgym-fen"):
            self.finish(may_end=name != "d")
            getattr(self, f"_{name.replace('-', '_')}")(rest)
        elif name not in ("", "debug", "register"):
            self.write(f"info string error: unknown command {shown(name)!r}")

    # ------------------------------------------------------------ commands

    def _uci(self, rest: list[str]) -> None:
        self.write(f"id name {NAME} {__version__} {self.session.game.id} {self.session.spec.text}")
        self.write(f"id author {AUTHOR}")
        self.write(f"option name Seed type spin default 0 min 0 max {2**63 - 1}")
        self.write(f"option name Best type check default {str(self.session.best).lower()}")
        self.write("option name Ponder type check default false")
        self.write(f"option name {RULES} type string default {rules_of(self.session.game)}")
        self.write("uciok")

    def _setoption(self, rest: list[str]) -> None:
        text = " ".join(rest)
        name, _, value = text.removeprefix("name ").partition(" value ")
        name = name.lower()
        if name == "seed" and value.isdecimal() and int(value) < 2**63:
            self.session.reseed(int(value))
        elif name == "best" and value in ("true", "false"):
            self.session.best = value == "true"
        elif name == "ponder" and value in ("true", "false"):
            self.may_ponder = value == "true"
        elif name == RULES.lower():
            own = rules_of(self.session.game)
            if value != own:
                raise SpecError(
                    f"setoption {shown(text)!r}: this engine plays {own!r}; start it with other rule options, by --option"
                )
        else:
            raise SpecError(
                f"setoption {shown(text)!r}: expected 'name Seed value N', 'name Best value true', 'name Ponder value true'"
            )

    def _ucinewgame(self, rest: list[str]) -> None:
        self.session.restart()

    def _position(self, rest: list[str]) -> None:
        cut = rest.index("moves") if "moves" in rest else len(rest)
        kind, moves = rest[:1], rest[cut + 1 :]
        if kind not in (["startpos"], ["fen"]):
            raise NotationError(f"position {shown(' '.join(rest))!r}: expected 'startpos' or 'fen' and a position string")
        fen = " ".join(rest[1:cut]) if kind == ["fen"] else None
        board = Board(self.session.game, fen, auto_roll=False)
        board.play(moves)
        self.session.board = board

    def _d(self, rest: list[str]) -> None:
        for line in [*str(self.session.board).splitlines(), self.session.board.fen()]:
            self.write(f"info string {line}")

    def _boardgym_fen(self, rest: list[str]) -> None:
        self.write(f"info string boardgym-fen {self.session.board.fen()}")

    def _go(self, rest: list[str]) -> None:
        board = self.session.board
        search = self._limited(rest)
        if board.is_terminal or board.is_chance:
            self.write(f"info string {'the game is over' if board.is_terminal else 'chance is to act'}")
            self.write("bestmove (none)")
            return
        search.thread = threading.Thread(target=self._think, args=(search,), name="boardgym-uci", daemon=True)
        self.search = search
        search.thread.start()

    def _limited(self, words: list[str]) -> Search:
        """The search with the limits of `go`."""
        limits, flags, unheeded = read_limits(words)
        milliseconds = limits.get("movetime")
        clock = ("wtime", "btime")[self.session.board.to_play % 2]
        if milliseconds is None and clock in limits:
            share = limits[clock] / (limits.get("movestogo") or MOVES_TO_GO) + SAFE * limits.get(clock[0] + "inc", 0.0)
            milliseconds = min(share, SAFE * limits[clock])
        whole: dict[str, Any] = {key: max(int(limits[key]), 1) for key in ("depth", "nodes") if key in limits}
        seconds = None if milliseconds is None else max(milliseconds / 1000.0, SHORTEST_S)
        is_pondering = "ponder" in flags
        is_endless = "infinite" in flags or (is_pondering and seconds is not None)
        if "depth" in whole and not is_deep(self.session.search) and (is_endless or seconds is not None or "nodes" in whole):
            unheeded.append(f"depth {whole.pop('depth')}")
        if unheeded:
            self.write(f"info string go: left out, as there is no such limit: {shown(' '.join(unheeded), 200)}")
        spec = self.session.limited(seconds=None if is_pondering else seconds, endless=is_endless, **whole)
        search = Search(self.session.board.copy(), spec, spec is not self.session.search, seconds, is_pondering)
        search.is_endless, search.policy = "infinite" in flags and seconds is None, self.session.policy
        if not flags:
            search.may_tell.set()
        return search

    # ------------------------------------------------------------ the search's thread

    def _think(self, search: Search) -> None:
        """Searches and tells the best move, which with limits is the one that the `info` lines found."""
        session, board, started = self.session, search.board, time.perf_counter()
        try:
            try:
                if search.is_limited:
                    settings: dict[str, Any] = {"seed": session.next_seed(), "trust": session.trust, "kept": session.kept}
                    search.watched = Watched(search.spec, session.game, **settings)
                    for analysis in search.watched.watch(board):
                        search.action, search.line = analysis.action, analysis.principal_variation
                        self._tell(search, info_line(board, analysis, search.spec, time.perf_counter() - started))
                else:
                    search.action = int(search.policy.act(board, deterministic=session.best))
            except Exception as error:  # whoever waits for a move has to be told
                self._tell(search, f"info string error: {said(error)}")
            search.may_tell.wait()
        finally:
            self._end(search)

    def _tell(self, search: Search, line: str) -> None:
        """A line about a search, unless its best move has been told."""
        with self.lock:
            if not search.is_over:
                self.out(line + "\n")

    def _end(self, search: Search) -> None:
        """Tells the best move, once; where pondering is wanted, also the answer that it expects."""
        with self.lock:
            if search.is_over:
                return
            search.is_over = True
            line = search.line if self.may_ponder else search.line[:1]
            moves = moves_of(search.board, line or (() if search.action is None else (search.action,)))
            self.out(f"bestmove {' ponder '.join(moves[:2]) or '(none)'}\n")

    def finish(self, *, may_end: bool = True) -> None:
        """Waits for a search with limits, unless `stop` or `quit` comes next, or with may_end nothing; ends one without.

        One that does not heed that is not waited for: what is to come has a policy of its own.
        """
        search = self.search
        if search is None:
            return
        if not search.may_tell.is_set():
            self.stop()
        while search.thread.is_alive() and not search.is_left:
            if self.ahead is not None and self.ahead.ends(at_end=may_end):
                self.stop()
            search.thread.join(JOIN_S)  # not for ever, or Ctrl-C would wait too
        if search.is_left and search.thread.is_alive():
            self.left = [*(old for old in self.left if old.thread.is_alive()), search]
            if not search.is_limited:
                self.session.renew()
        self.search = None

    def ponderhit(self) -> None:
        """The move that was pondered on has been played: from now on the search's own limits count."""
        search = self.search
        if search is not None and search.is_pondering:
            search.is_pondering = False
            if not search.is_endless:
                search.may_tell.set()  # at once, if there is nothing left to find
            if search.seconds is not None:
                timer = threading.Timer(search.seconds, self.stop, (search,))
                timer.daemon = True
                timer.start()

    def stop(self, search: Search | None = None) -> None:
        """Ends the search (the one that runs); its best move has been told when this returns.

        One that goes on, because it is compiled first or cannot be interrupted, is left to itself: its best move is then the
        one that it has told last, or none.
        """
        search = search or self.search
        if search is None or search.is_left:
            return
        search.may_tell.set()
        started = time.monotonic()
        while search.thread.is_alive():
            if time.monotonic() - started >= (MORE_PATIENCE_S if search.action is None else PATIENCE_S):
                if search.action is None:
                    self._tell(search, "info string error: stopped before a move was found")
                search.is_left = True
                break
            if search.watched is not None:
                search.watched.stop()
            else:
                interrupt(search.policy)
            search.thread.join(STOP_AGAIN_S)
        self._end(search)


def read_limits(words: list[str]) -> tuple[dict[str, float], set[str], list[str]]:
    """What follows `go`: (limits with a number, those without, the words that are no limits of ours, as `mate 3`).

    A time below 0 is 0: it has been overstepped. Raises SpecError, ValueError for a limit without a number, or a wrong one.
    """
    limits: dict[str, float] = {}
    flags, unheeded, name = set(), [], ""
    for word in words:
        if name:
            number = float(word)
            limits[name] = 0.0 if number < 0.0 and name in TIMES else number
            if not 0.0 <= limits[name] < 1e12:
                raise SpecError(f"go {shown(' '.join(words))}: {name} {shown(word)}: expected a positive number")
            name = ""
        elif word in ("infinite", "ponder"):
            flags.add(word)
        elif word in (*TIMES, *COUNTS):
            name = word
        else:
            unheeded.append(word)
    if name:
        raise SpecError(f"go {shown(' '.join(words))}: {name} is not followed by a number")
    return limits, flags, unheeded


def info_line(board: Board, analysis: Analysis, spec: Spec, seconds: float) -> str:
    """What has been found, as UCI says it. seconds: since `go`; nodes and speed are those of the last stage."""
    won = analysis.is_proven and abs(analysis.value) >= 1.0
    score = f"mate {1 if analysis.value > 0 else -1}" if won else f"cp {round(100 * analysis.value)}"
    milliseconds, moves = round(1000 * seconds), moves_of(board, analysis.principal_variation)
    speed = f" nps {round(analysis.nodes / analysis.seconds)}" if analysis.seconds > 0.0 else ""
    depth = f"depth {analysis.depth} " if is_deep(spec) else f"seldepth {analysis.depth} "
    line = f" pv {' '.join(moves)}" if moves else ""
    return f"info {depth}score {score} nodes {analysis.nodes}{speed} time {milliseconds}{line}"
