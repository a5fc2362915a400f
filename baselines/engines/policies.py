"""Engines in other processes as policies.

    engine:gtp:gtp-rhino                                    any engine that speaks GTP 2, with its own budget
    engine:gtp,timeout=5s:python -m boardgym engine gtp --game Othello --policy minimax:4
    engine:uci,nodes=5000:CMD     depth=6, time=0.5s        UCI with moves in our notation; a second a move if nothing is said
    engine:gnubg:gnubg -t -q                                GNU Backgammon

All after the second colon is the command, split into words as a shell does, but no shell runs it. Such a spec runs a program
with all your rights: these specs want trust=True (`--trust`), as files do that can execute code, and none should be taken from
a stranger's file or page. What the program then says is not trusted: it is read as text, held to be a legal move or an error,
cut off where it is too long, and freed of what would steer a terminal.

An engine plays our game or is refused. One that says by which rules it plays, and where its board stands, as ours do, is
compared with us before every move; any other is taken for one that plays by the usual rules, but for a size of the board
that it accepts.

An engine is started before the first game of a match, or when it is first asked, told the whole record or what is new of it,
and ended with the policy. One that does not answer within `timeout` seconds (default 60) beyond its thinking time, ends, or
answers nonsense is ended, and EngineError says which and why; when it is asked again, it is started anew.
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Any

from boardgym.baselines.engines.process import EngineProcess, read_command
from boardgym.core.board import Board
from boardgym.core.errors import (
    IllegalActionError,
    NotationError,
    SpecError,
    UnsupportedGameError,
    UntrustedFileError,
    nearest,
)
from boardgym.core.game import Game, get_game
from boardgym.core.policy import check_board
from boardgym.core.policy_spec import Spec, parse_spec, read_number, refuse_extras

TIMEOUT_S = 60.0
MOST_S = 1_000_000  # that a spec may say
RULES = "Boardgym-Rules"  # the UCI option whose default is `rules_of` the game


class EnginePolicy(ABC):
    """What all engines share: a process that is started when needed, and the record that it has been told.

    Args:
        game: the game it plays.
        spec: the spec string that names it.
        command: program and arguments.
        settings: of the protocol, as in the spec.
        timeout: seconds to wait for an answer.

    `has_clock` is set where the choice depends on the machine's speed, or may: nobody knows how an engine measures its budget.
    """

    has_clock = True
    settings_known: tuple[str, ...] = ("timeout",)

    def __init__(
        self, game: Game, spec: str, command: list[str], settings: dict[str, Any] | None = None, *, timeout: float = TIMEOUT_S
    ) -> None:
        self.game, self.spec, self.command, self.timeout = game, spec, command, timeout
        self.settings = settings or {}
        self.process: EngineProcess | None = None
        self.is_asked = False  # and has not answered
        self.seed: int | None = None
        self.check_game()

    @abstractmethod
    def check_game(self) -> None:
        """Raises UnsupportedGameError for a game that the protocol has no words for."""

    def reset(self, *, seed: int | None = None) -> None:
        """Called before each game. The seed is told to engines that take one."""
        if seed is not None:
            self.seed = seed
        if self.process is not None:
            self._guarded(self.new_game)

    def start_engine(self) -> None:
        """Starts the engine and greets it, if it does not run. Raises EngineError, UnsupportedGameError."""
        self._guarded(lambda: None)

    def act(self, board: Board, *, deterministic: bool = False) -> int:
        """The engine's move; what draws decide is the engine's own business.

        Raises:
            EngineError: it could not be started, ended, fell silent, or gave a move that is not legal.
            UnsupportedGameError, ValueError: as other policies.
        """
        check_board(self, board)
        legal = board.legal_actions
        if len(legal) == 1:
            return legal[0]
        return int(self._guarded(lambda: self.ask(board)))

    def interrupt(self) -> None:
        """Ends what `act` waits for in another thread: the engine is killed, and `act` raises EngineError. Else nothing."""
        process = self.process
        if self.is_asked and process is not None and not process.is_interrupted:
            process.interrupt()

    def close(self) -> None:
        """Ends the engine; it is started anew if asked again."""
        if self.process is not None:
            self.process.close()
            self.process = None

    def _guarded(self, what: Callable[[], Any]) -> Any:
        """The result of an exchange; the engine does not outlive one that was broken off, be it by Ctrl-C."""
        self.is_asked = True
        try:
            if self.process is None or not self.process.is_running:
                self.close()
                self.process = EngineProcess(self.command, timeout=self.timeout)
                self.begin()
                self.new_game()
            return what()
        except BaseException:
            self.close()
            raise
        finally:
            self.is_asked = False

    @property
    def engine(self) -> EngineProcess:
        """The running process."""
        assert self.process is not None
        return self.process

    @abstractmethod
    def begin(self) -> None:
        """Greets an engine that has been started."""

    @abstractmethod
    def new_game(self) -> None:
        """Tells the engine that another game begins."""

    @abstractmethod
    def ask(self, board: Board) -> int:
        """The engine's action."""

    def compare_rules(self, said: str | None, *, agreed: Collection[str] = ()) -> None:
        """Checks that the engine plays our game.

        said: the game and the options that it plays, as `rules_of` has them, or None from an engine that does not say.
        agreed: names of the options that it has accepted.

        Raises: UnsupportedGameError if it plays another game, or does not say whether by other rules than the usual ones.
        """
        own, options = rules_of(self.game), self.game.options
        if said is not None and said != own:
            raise UnsupportedGameError(f"{self!r}: the engine plays {said!r}, not {own!r}; start it with the same rule options")
        usual = get_game(self.game.id).options if options else {}
        unsaid = [f"{name}={value}" for name, value in options.items() if value != usual[name] and name not in agreed]
        if said is None and unsaid:
            raise UnsupportedGameError(
                f"{self!r}: this engine does not say whether it plays with {', '.join(unsaid)}; "
                "expected the usual rules, or an engine that tells its own, as ours do"
            )

    def compare_position(self, board: Board, said: str) -> None:
        """Raises EngineError unless the engine's board is where ours is. said: its position string."""
        if said != board.fen():
            raise self.engine.failure(f"is at {said!r} and not at {board.fen()!r}, after the moves {' '.join(board.moves())!r}")

    def action_of(self, board: Board, text: str) -> int:
        """The action that an engine's move names. Raises EngineError if it is none."""
        try:
            return board.action_of(text)
        except (NotationError, IllegalActionError) as error:
            raise self.engine.failure(f"gave a move that cannot be played: {error}") from None

    def __reduce__(self) -> Any:
        return _restore, (type(self), self.game, self.spec, self.command, self.settings, self.timeout, self.seed)

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game.id}>"


def _restore(
    kind: type[EnginePolicy],
    game: Game,
    spec: str,
    command: list[str],
    settings: dict[str, Any],
    timeout: float,
    seed: int | None,
) -> EnginePolicy:
    """A policy from its copy or pickle, with a process of its own."""
    policy = kind(game, spec, command, settings, timeout=timeout)
    policy.seed = seed
    return policy


def start_of(board: Board) -> str | None:
    """The position string at the start of a board's record, None if that is the game's standard start."""
    start = board.history[0]
    return None if start == board.game.start else board.game.to_fen(start)


def rules_of(game: Game) -> str:
    """A game and its rule options in a line, which both sides of a protocol compare."""
    return " ".join([game.id, *(f"{name}={value}" for name, value in sorted(game.options.items()))])


# ---------------------------------------------------------------- specs

KINDS = {
    "gtp": "boardgym.baselines.engines.clients:GtpEngine",
    "uci": "boardgym.baselines.engines.clients:UciEngine",
    "gnubg": "boardgym.baselines.engines.gnubg:GnubgEngine",
}


def make_engine(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> EnginePolicy:
    """`engine:PROTOCOL:COMMAND`, `engine:PROTOCOL,key=value:COMMAND`; see the head of this file.

    Raises: SpecError, UnsupportedGameError; UntrustedFileError without trust.
    """
    head, colon, command = spec.argument.partition(":")
    name = head.partition(",")[0].strip()
    if not colon or name not in KINDS:
        known = "expected engine:gtp:COMMAND, engine:uci:COMMAND or engine:gnubg:COMMAND"
        hint = f"; {nearest(name, KINDS)}" if name and name not in KINDS else ""
        raise SpecError(f"policy spec {spec.text!r}: {known}{hint}")
    module, _, kind_name = KINDS[name].partition(":")
    kind: type[EnginePolicy] = getattr(importlib.import_module(module), kind_name)
    words = read_command(command, spec.text)
    settings = read_settings(head, spec, kind)
    if not trust:
        raise UntrustedFileError(
            f"policy spec {spec.text!r} runs the program {words[0]!r}; say trust=True, or --trust on the "
            "command line, if that is meant"
        )
    timeout = settings.pop("timeout", TIMEOUT_S)
    policy = kind(game, spec.text, words, settings, timeout=timeout)
    policy.seed = seed
    return policy


def read_settings(head: str, spec: Spec, kind: type[EnginePolicy]) -> dict[str, Any]:
    """The settings before the command. Raises SpecError naming the nearest right name."""
    name, _, rest = head.partition(",")
    parsed = parse_spec(f"{name}:{rest}" if rest else name)
    refuse_extras(Spec(name, parsed.argument, parsed.keywords, text=spec.text), keywords=kind.settings_known, argument=False)
    settings: dict[str, Any] = {}
    for key, text in parsed.keywords.items():
        if key in ("timeout", "time"):
            if not text.endswith("s"):
                raise SpecError(f"policy spec {spec.text!r}: {key} {text!r}; expected seconds, as in {key}=5s")
            settings[key] = read_number(text[:-1], spec.text, f"{key} in seconds", above=0.0)
            if settings[key] > MOST_S:
                raise SpecError(f"policy spec {spec.text!r}: {key} {text!r}; expected at most {MOST_S}s")
        else:
            settings[key] = read_number(text, spec.text, key, above=0, kind=int)
    return settings
