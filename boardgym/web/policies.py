"""Policies at the studio's boards: they act in processes of their own, which may crash or hang without harm to the games.

What a policy plays follows from the game's seed, its seat and the record alone, so that a server that is started again asks
anew and gets the same move. A policy that fails is named, with what it did; its process is replaced.
"""

import asyncio
import math
import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from boardgym.baselines.workers import ending
from boardgym.compile import prepare
from boardgym.core.errors import BoardgymError, SpecError, UntrustedFileError
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, parse_spec
from boardgym.web.policy_worker import Ask, Said, act, begin, check, is_compiled

COMPILE_S = 120.0  # more that a policy may take when it is asked for the first time, for its kernels to be compiled
QUICK = ("random", "greedy", "positional", "mobility", "parity", "max_disc", "league", "mills", "epsilon")  # without search
MOST_LETTERS = 500  # of a spec
ALIVE_S = 1.0  # between two looks whether the pool that is waited for still works

Result = TypeVar("Result")


class PolicyError(BoardgymError, RuntimeError):
    """A policy crashed, hung, or gave no legal action; the message names it and says what it did."""


class PolicyWorkers:
    """Asks policies, in `workers` processes that are started when the page is opened, or the first one is needed.

    Args:
        workers: how many policies think at once; others wait for their turn.
        trust: whether engines' programs may be run.
        limit_s: how long a policy may think about a move.
    """

    def __init__(self, *, workers: int = 2, trust: bool = False, limit_s: float = 60.0) -> None:
        self.workers, self.trust, self.limit_s = workers, trust, limit_s
        self._pool: ProcessPool | None = None
        self._lock = threading.Lock()
        self._is_closed = False
        self._here = ThreadPoolExecutor(1, "policies")  # one thread: a policy's random numbers are its own
        self._here_too: set[tuple[str, str]] = set()  # (spec, game) that may act in this process
        self._known: set[tuple[str, str]] = set()  # (spec, game) that have answered

    async def check(self, spec: str, game: Game) -> None:
        """Raises SpecError, UnsupportedGameError, UntrustedFileError for what cannot sit at a board of the game."""
        names = self.names_in(spec)
        if names <= {*QUICK, "level", "minimax", "maxn", "expectiminimax", "uct", "puct"}:
            said = check(spec, game, self.trust)
        else:
            said = await self.run(check, spec, game, self.trust, limit_s=self.limit_s + COMPILE_S, who=spec)
        if said is not None:
            raise UntrustedFileError(said[1]) if said[0] == "untrusted" else SpecError(said[1])

    def names_in(self, spec: str) -> set[str]:
        """The names in a spec. Raises SpecError, and UntrustedFileError for what no page may ask for."""
        if len(spec) > MOST_LETTERS:
            raise SpecError(f"a policy spec of {len(spec)} characters; expected at most {MOST_LETTERS}")
        names = names_of(parse_spec(spec))
        if "human" in names:
            raise SpecError(f"policy spec {spec!r}: a person at the terminal cannot play here; choose a human seat")
        if "sb3" in names:
            raise UntrustedFileError(f"policy spec {spec!r}: such a file could execute code, and is not loaded here")
        if "engine" in names and not self.trust:
            raise UntrustedFileError(
                f"policy spec {spec!r} runs a program; `boardgym studio --trust` allows the programs of engines"
            )
        return names

    async def act(self, ask: Ask, most_s: float = math.inf) -> int:
        """A legal action. most_s: how long it may think, where that is less than `limit_s`.

        Raises PolicyError naming the policy; SpecError or UntrustedFileError for one that may not be asked;
        asyncio.CancelledError if nobody waits for it any more.
        """
        known = (ask.spec, f"{ask.game.id} {dict(ask.game.options)}")
        limit_s = min(self.limit_s, most_s) + (0.0 if known in self._known else COMPILE_S)
        said = await asyncio.get_running_loop().run_in_executor(self._here, self.act_here, ask, known)
        if said is None:
            said = await self.run(act, ask, self.trust, limit_s=limit_s, who=ask.spec)
        if said[0] != "action":
            raise PolicyError(f"{ask.spec} failed: {said[1]}")
        self._known.add(known)
        return int(said[1])

    def act_here(self, ask: Ask, known: tuple[str, str]) -> Said | None:
        """What a policy says that acts in this process: one of ours, without search, whose kernels are compiled. Else None."""
        if known not in self._here_too:
            is_ours = ask.game.position_class.__module__.startswith("boardgym.games.")
            if not (is_ours and self.names_in(ask.spec) <= set(QUICK) and is_compiled(ask)):
                return None
            self._here_too.add(known)
        return act(ask, False)

    async def run(self, function: Callable[..., Result], *arguments: Any, limit_s: float, who: str) -> Result:
        """What a function gives in one of the processes; cancelling this ends it.

        function, arguments and result must be picklable. who: what the error names. Raises PolicyError if the process ends,
        or takes longer than limit_s, and when the studio ends.
        """
        for is_last in (False, True):
            pool = self._started()
            try:
                future = pool.schedule(function, arguments, timeout=limit_s)
            except RuntimeError:  # it broke when nobody waited for it
                self._drop(pool)
                continue
            try:
                return await answered(future, pool)  # type: ignore[no-any-return]
            except TimeoutError:
                raise PolicyError(f"{who} did not answer within {limit_s:g} s and was stopped") from None
            except ProcessExpired as expired:
                raise PolicyError(f"{who} crashed: {ending(expired.exitcode)}") from None
            except BrokenProcessPool:  # a process was ended that had nothing to do yet: Pebble gives up all of them
                self._drop(pool)
                if is_last:
                    break
        raise PolicyError(f"{who} could not be asked: its process was ended from outside, as when memory runs out")

    def start(self) -> None:
        """Starts the processes, if they are not there yet."""
        if self._pool is None and not self._is_closed:
            self._started().schedule(prepare)

    def _started(self) -> ProcessPool:
        with self._lock:
            if self._is_closed:
                raise PolicyError("the studio is ending")
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPool(max_workers=self.workers, initializer=begin, context=context)
            return self._pool

    def _drop(self, pool: ProcessPool) -> None:
        """Lets go of a broken pool; the next question starts another."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
        threading.Thread(target=end, args=(pool,), daemon=True).start()

    async def close(self) -> None:
        """Ends the processes, whatever they do; none is started any more."""
        self._here.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._is_closed, pool, self._pool = True, self._pool, None
        if pool is not None:
            await asyncio.to_thread(end, pool)


async def answered(future: "Future[Any]", pool: ProcessPool) -> Any:
    """What a question gives. Raises BrokenProcessPool where a thread of the pool has failed, which nobody would answer."""
    waiting = asyncio.wrap_future(future)
    try:
        while not (await asyncio.wait([waiting], timeout=ALIVE_S))[0]:
            if not pool.active and not waiting.done():
                raise BrokenProcessPool("a thread of the pool has ended")
        return waiting.result()
    finally:
        waiting.cancel()  # if nobody waits for it any more


def end(pool: ProcessPool) -> None:
    """Ends a pool's processes, and waits for them."""
    pool.stop()
    pool.join()


def names_of(spec: Spec) -> set[str]:
    """The names of the policies in a spec."""
    return {spec.name}.union(*(names_of(part) for part in spec.inner))
