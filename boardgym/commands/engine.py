"""`boardgym engine gtp` and `boardgym engine uci`: a policy as an engine for other programs."""

import contextlib
import os
import select
import stat
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from tyro.conf import arg

from boardgym.commands.common import INTERRUPTED, RuleOptions, Trust, load_game

UNHEARD = 141  # the exit status of a program that writes into a broken pipe


@dataclass
class Gtp:
    """Run a policy as an engine that speaks the Go Text Protocol on standard input and output."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym engine gtp --game Othello --policy minimax:6",
        "boardgym engine gtp --game ConnectFour --policy uct:0.5s",
    )

    game: str = "Othello"
    """Id of the game."""
    policy: Annotated[str, arg(metavar="SPEC")] = "puct:2000"
    """The policy that plays."""
    option: RuleOptions = ()
    """A rule option; may be given several times."""
    seed: int = -1
    """Seed of the policy's random choices; -1 takes a fresh one."""
    best: bool = False
    """Ask the policy for its best action, without randomness."""
    trust: Trust = False

    def run(self) -> int:
        """Answers until `quit` or the end of the input."""
        from boardgym.baselines.engines.gtp import GtpServer
        from boardgym.baselines.engines.session import Session

        server = GtpServer(Session(load_game(self.game, self.option), self.policy, **options_of(self)))
        leave_when_unheard()
        server.serve(commands(), write)
        return 0


@dataclass
class Uci(Gtp):
    """Run a policy as an engine that speaks the Universal Chess Interface on standard input and output."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym engine uci --game ConnectFour --policy minimax:8",
        "boardgym engine uci --game Othello --policy uct:2000 --seed 1",
    )

    def run(self) -> int:
        """Answers until `quit` or the end of the input."""
        from boardgym.baselines.engines.session import Session
        from boardgym.baselines.engines.uci import UciServer

        session = Session(load_game(self.game, self.option), self.policy, **options_of(self))
        server = UciServer(session, write)
        leave_when_unheard()
        try:
            server.serve(commands())
        except KeyboardInterrupt:
            if server.is_busy:
                leave(INTERRUPTED)
            raise
        if server.is_busy:  # it compiles, or cannot be interrupted
            leave(0)
        return 0


def options_of(command: Gtp) -> dict[str, Any]:
    """What the session is told besides the game and the policy. Raises OptionError for a seed that is none."""
    from boardgym.core.random import check_seed

    seed = None if command.seed == -1 else check_seed(command.seed)
    return {"seed": seed, "best": command.best, "trust": command.trust}


def write(text: str) -> None:
    """An answer, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def commands() -> Iterator[str]:
    """The lines of the standard input, as they come; what is not UTF-8 is no command, and not the end either.

    Of lines that are too long the beginning: see `bounded_lines`.
    """
    from boardgym.baselines.engines.lines import MOST_LINE, bounded_lines

    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):  # no file
        yield from sys.stdin
        return
    # a thread that waits within `sys.stdin` would be in the way at the exit
    yield from bounded_lines(lambda size: os.read(number, size), MOST_LINE)


def leave_when_unheard() -> None:
    """From now on ends the process as soon as nobody can read its answers.

    A controller that is killed says no `quit`, and would leave a long search behind, whose answer nobody reads. Only for pipes
    and sockets, on systems that tell.
    """
    with contextlib.suppress(OSError, ValueError):  # a standard output that is no file
        number = sys.stdout.fileno()
        kind = os.fstat(number).st_mode
        if hasattr(select, "poll") and (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
            watched = select.poll()
            watched.register(number, 0)  # which means: nothing but its breaking

            def wait() -> None:
                watched.poll()
                leave(UNHEARD)

            threading.Thread(target=wait, name="boardgym-unheard", daemon=True).start()


def leave(status: int) -> None:
    """Ends the process, whatever its threads do: one in a kernel can be waited for only. Its engines end before."""
    from boardgym.baselines.engines.process import end_all

    end_all(at_once=status == UNHEARD)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
