"""Compiled calls that several threads share: each takes pieces of the games, and none asks for the GIL.

A crew is some words of memory, for each thread a line of its own. Who calls a shared kernel opens a job there, which is the
address of the compiled piece and of its arguments, and works at it. Helpers wait in `serve`: first by looking, and giving way
to other threads, then asleep on a lock. They join if they come in time, and only those who have joined are waited for: without
any helper, as in a forked process, the caller does all of it.
"""

import ctypes
import functools
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, config, types
from numba.core.callconv import excinfo_ptr_t
from numba.extending import intrinsic

from boardgym.compile.atomics import WORD, acquire, add, exchange, give_way, keep_least, load, release, rest, store
from boardgym.compile.borrowing import require_borrowable, without_owner
from boardgym.compile.kernels import (
    OPTIONS,
    KernelDispatcher,
    address_of,
    entry_point,
    inlined,
    inner,
    kernel,
    overloaded,
    plain,
)
from boardgym.compile.references import loaded
from boardgym.compile.store import OverloadCache
from boardgym.core.signals import ctrl_c_held

MOST_HELPERS = 255
LOOKS, RESTS = 100, 20  # for a job, with so many rests before each: some 100 us, then a helper sleeps
LINE = 64  # bytes
# Bytes from the crew's address. STATE: the job's number, whether it is open, for how many helpers, how many have joined. RUN:
# the address of `run_job`, which thus is not compiled again in each entry point.
STATE, STOP, RUN = 0, LINE, LINE + WORD
FUNCTION, ARGUMENTS, LOW, HIGH, ROWS = (2 * LINE + WORD * k for k in range(5))  # of the job
FAILED, ERROR, FAULT = (3 * LINE + WORD * k for k in range(3))
OWN = 4 * LINE  # the caller's line, and after it one for each helper, with:
NEXT, END, ASLEEP, LOCK = (WORD * k for k in range(4))  # the next of its pieces, their end, whether it sleeps, on what
NUMBER, IS_OPEN, ONE_HELPER, HELPERS, JOINED = 32, 1 << 31, 16, 0x7FFF, 0xFFFF  # in STATE: shifts and masks
NO_MORE = 1 << 40  # as the next piece
ADDRESS = ir.IntType(64)
PIECE = (types.int64, types.int64, types.int64)  # what a piece takes: where its arguments lie, the first game, the one after


@intrinsic
def placed(typingctx, values):
    """The address of a tuple's values, its arrays borrowed; valid until the function that calls this returns."""
    require_borrowable(values)

    def code(context, builder, signature, args):
        return builder.ptrtoint(cgutils.alloca_once_value(builder, without_owner(context, builder, values, args[0])), ADDRESS)

    return types.int64(values), code


def reader(kind):
    """What reads a tuple of a Numba type at an address."""

    def code(context, builder, signature, args):
        return loaded(context, builder, kind, builder.inttoptr(args[0], context.get_value_type(kind).as_pointer()))

    return intrinsic(lambda typingctx, address: (kind(types.int64), code))


def locator(piece):
    """What gives the address of the machine code of piece(low, high, *args) for a tuple of such args.

    The code, which becomes part of the library that asks, takes the address at which the args lie, low and high.
    """

    @functools.cache
    def piece_for(kind):
        read = reader(kind)

        def run_piece(arguments, low, high):
            return fault_of(piece(low, high, *read(arguments)))

        return inner(run_piece)

    @intrinsic
    def locate(typingctx, args):
        run_piece = piece_for(args)
        run_piece.get_call_template(PIECE, {})  # compiles it

        def code(context, builder, signature, values):
            compiled = run_piece.overloads[PIECE]
            context.active_code_library.add_linking_library(compiled.library)
            return builder.ptrtoint(context.declare_function(builder.module, compiled.fndesc), ADDRESS)

        return types.int64(args), code

    return locate


@intrinsic
def called(typingctx, function, words):
    """Calls what takes int64s, a tuple of them. Returns (0 or why it failed, where its exception is described, its value)."""
    kinds = (types.int64,) * len(words)

    def code(context, builder, signature, args):
        kind = context.call_conv.get_function_type(types.int64, kinds)
        callee = builder.inttoptr(args[0], kind.as_pointer())
        found = zip(words, cgutils.unpack_tuple(builder, args[1]), strict=True)
        values = [context.cast(builder, value, word, types.int64) for word, value in found]
        status, value = context.call_conv.call_function(builder, callee, types.int64, kinds, values)
        failed = builder.select(status.is_error, builder.sext(status.code, ADDRESS), ir.Constant(ADDRESS, 0))
        error = builder.ptrtoint(status.excinfoptr, ADDRESS)
        return context.make_tuple(builder, signature.return_type, [failed, error, value])

    return types.UniTuple(types.int64, 3)(types.int64, words), code


@intrinsic
def raise_again(typingctx, failed, error):
    """Raises what a piece has raised, in another thread perhaps."""

    def code(context, builder, signature, args):
        builder.store(builder.inttoptr(args[1], excinfo_ptr_t), context.call_conv._get_excinfo_argument(builder.function))
        with cgutils.if_likely(builder, cgutils.true_bit):
            builder.ret(builder.trunc(args[0], ir.IntType(32)))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), code


@inner
def is_invited(state, helper, latest):
    """Whether a job is open to a helper, and not the latest at which it was."""
    return state & IS_OPEN != 0 and state >> NUMBER != latest and helper <= (state >> ONE_HELPER) & HELPERS


@inner
def wait():
    """About a microsecond; longer if another thread waits for the core."""
    for _ in range(RESTS):
        rest()
    give_way()


@inner
def wake(own):
    """Wakes a helper, of which the line is given, if it sleeps."""
    if load(own + ASLEEP) == 1 and exchange(own + ASLEEP, 1, 0):
        release(load(own + LOCK))


@inner
def work(crew, member, helpers):
    """Wakes two others, as each does, and does pieces until none is left: its own, the same at every job, then others'."""
    for helper in range(2 * member + 1, min(2 * member + 2, helpers) + 1):
        wake(crew + OWN + helper * LINE)
    function, arguments = load(crew + FUNCTION), load(crew + ARGUMENTS)
    start, stop, rows = load(crew + LOW), load(crew + HIGH), load(crew + ROWS)
    for k in range(helpers + 1):
        own = crew + OWN + (member + k) % (helpers + 1) * LINE
        end = load(own + END)
        while load(own + NEXT) < end:
            piece = add(own + NEXT, 1)
            low = start + piece * rows
            if piece < end and low < stop:
                failed, error, fault = called(function, (arguments, low, min(low + rows, stop)))
                if failed != 0:
                    if exchange(crew + FAILED, 0, failed):
                        store(crew + ERROR, error)
                    for other in range(helpers + 1):
                        store(crew + OWN + other * LINE + NEXT, NO_MORE)
                keep_least(crew + FAULT, fault)


@kernel
def run_job(crew, function, arguments, low, high, rows, helpers):
    """Opens a job, works at it, and waits for the helpers that have joined. Returns the least that a piece returned."""
    store(crew + FUNCTION, function)
    store(crew + ARGUMENTS, arguments)
    store(crew + LOW, low)
    store(crew + HIGH, high)
    store(crew + ROWS, rows)
    store(crew + FAILED, 0)
    store(crew + FAULT, -1)
    pieces = (high - low + rows - 1) // rows
    for member in range(helpers + 1):
        store(crew + OWN + member * LINE + NEXT, pieces * member // (helpers + 1))
        store(crew + OWN + member * LINE + END, pieces * (member + 1) // (helpers + 1))
    number = ((load(crew + STATE) >> NUMBER) + 1) & 0x7FFFFFFF
    store(crew + STATE, number << NUMBER | IS_OPEN | helpers << ONE_HELPER)
    work(crew, 0, helpers)
    add(crew + STATE, -IS_OPEN)
    while load(crew + STATE) & JOINED != 0:
        wait()
    return load(crew + FAULT)


@kernel
def serve(crew, helper):
    """What a helper does, 1 or a later one, until STOP is set: it joins the jobs to which it is invited."""
    own, latest, looks = crew + OWN + helper * LINE, np.int64(-1), 0
    while load(crew + STOP) == 0:
        state = load(crew + STATE)
        if is_invited(state, helper, latest):
            if exchange(crew + STATE, state, state + 1):
                latest, looks = state >> NUMBER, 0
                work(crew, helper, (state >> ONE_HELPER) & HELPERS)
                add(crew + STATE, -1)
        elif looks < LOOKS:
            looks += 1
            wait()
        else:
            looks = 0
            store(own + ASLEEP, 1)
            is_wanted = is_invited(load(crew + STATE), helper, latest) or load(crew + STOP) != 0  # came up meanwhile
            if not is_wanted or not exchange(own + ASLEEP, 1, 0):  # where it is 0, the lock has been released
                acquire(load(own + LOCK))


@kernel
def stop(crew, helpers):
    """Tells the helpers to end."""
    store(crew + STOP, 1)
    for helper in range(1, helpers + 1):
        wake(crew + OWN + helper * LINE)


def fault_of(value):
    """What a piece returned, -1 for None."""
    return -1 if value is None else int(value)


@overloaded(fault_of)
def _fault_of(value):
    return (lambda value: np.int64(-1)) if value == types.none else (lambda value: np.int64(value))


def caller_of(piece):
    """What runs piece(low, high, *args) for a crew, a plan and such args, as `shared` has them."""
    locate = locator(piece)

    def entry(crew, plan, args):
        code, arguments = locate(args), placed(args)
        if plan[3] > 0:
            failed, error, fault = called(load(crew + RUN), (crew, code, arguments, plan[0], plan[1], plan[2], plan[3]))
            if failed == 0:
                failed, error = load(crew + FAILED), load(crew + ERROR)
        else:
            failed, error, fault = called(code, (arguments, plan[0], plan[1]))
        if failed != 0:
            raise_again(failed, error)
        return fault

    return entry


def in_pieces(function: Any) -> Callable[[int, Any, tuple[Any, ...]], int]:
    """Makes what kernels call to let the threads of a crew share a part of their work.

    function: an `inlined` one, called as function(low, high, *args). What is made of it takes and returns what `shared` says.
    """

    def run(crew: int, plan: Any, args: tuple[Any, ...]) -> Any:
        return fault_of(function(plan[0], plan[1], *args))

    take_names(run, plain(function))  # among them the module, by which the digests of kernels know that it is not of this room
    if not config.DISABLE_JIT:
        entry = caller_of(function)
        overloaded(run)(lambda crew, plan, args: entry)
    return run


def take_names(function: Any, other: Any) -> None:
    """Gives a function the names of another, but not its `__wrapped__`: their parameters differ."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(function, name, getattr(other, name))


def shared(function: Callable[..., Any]) -> Callable[..., int]:
    """Compiles an entry point whose games several threads can share.

    function: takes (low, high, *args) and does what is to be done for the games from low to high - 1, of which none depends on
    what it does for another. It returns None, or the first game at which it had to stop, -1 if there is none.

    What is made of it takes (crew, plan, args). plan: (low, high, rows, helpers), the games, how many of them are a piece, and
    how many threads of the crew may help. crew: a `Crew`'s address, not used without helpers. It returns the least game at
    which a piece stopped, or -1, and raises what a piece raises; no thread is then still at work. Of the games behind such a
    game, some may have been played. As in every kernel, what raises keeps a reference to each of its arrays for good.
    """

    def in_python(crew: int, plan: tuple[int, ...], args: tuple[Any, ...]) -> Any:
        return fault_of(function(plan[0], plan[1], *args))

    if config.DISABLE_JIT:
        return in_python
    entry = caller_of(inlined(function))
    take_names(entry, function)
    compiled: Any = KernelDispatcher(entry, {}, {**OPTIONS, "no_cfunc_wrapper": True})
    compiled._cache, compiled.twin = OverloadCache(function), in_python
    return compiled  # type: ignore[no-any-return]


class Crew:
    """Threads that help with shared calls, with one at a time. They end with the process, or when nobody holds the crew.

    Callers at the same time each need a crew of their own, and what a piece calls may share nothing with the crew that it is
    done by.

    Attributes:
        address: what shared kernels take. threads: the helpers.
    """

    def __init__(self) -> None:
        words = np.zeros((OWN + (MOST_HELPERS + 2) * LINE) // WORD, np.int64)
        self._words = words[-words.ctypes.data % LINE // WORD :]
        self.address = self._words.ctypes.data
        if not config.DISABLE_JIT:
            self._words[RUN // WORD] = address_of(run_job, *[0] * 7)
        self.threads: list[threading.Thread] = []
        weakref.finalize(self, dismiss, self._words, self.threads, os.getpid())

    def hire(self, helpers: int) -> int:
        """Starts threads, if there are not so many yet. Returns how many there are, of so many: the system may refuse some."""
        if len(self.threads) < helpers:
            entry_point(stop, 0, 0)  # now: compiled by a helper, or as the process ends, it could be in the way of a fork
            compiled = entry_point(serve, 0, 0)
        while len(self.threads) < helpers:
            number, lock = len(self.threads) + 1, held_lock()
            self._words[(OWN + number * LINE + LOCK) // WORD] = lock
            thread = threading.Thread(target=help_out, args=(compiled, self._words, number), name="boardgym", daemon=True)
            with ctrl_c_held():  # else nobody would know whether it runs
                try:
                    thread.start()
                except RuntimeError:
                    free_lock(lock)
                    break
                self.threads.append(thread)
        return min(helpers, len(self.threads))


def help_out(compiled: Any, words: Any, number: int) -> None:
    """The life of a helper, who holds the words, not the crew."""
    compiled(words.ctypes.data, number)


def held_lock() -> int:
    """The address of a lock that compiled code can release, and wait for."""
    allocate, take = ctypes.pythonapi.PyThread_allocate_lock, ctypes.pythonapi.PyThread_acquire_lock
    allocate.restype, take.argtypes = ctypes.c_void_p, (ctypes.c_void_p, ctypes.c_int)
    lock: int = allocate()
    take(lock, 1)
    return lock


def free_lock(lock: int) -> None:
    """Ends a lock that nobody waits for."""
    free = ctypes.pythonapi.PyThread_free_lock
    free.argtypes, free.restype = (ctypes.c_void_p,), None
    free(lock)


def dismiss(words: Any, threads: list[threading.Thread], process: int) -> None:
    """Ends the threads of a crew, if they are of this process and not of the one that it was forked from.

    Those that are at work, as a process ends beside a search, are not waited for: that may take long.
    """
    if threads and os.getpid() == process:
        stop(words.ctypes.data, len(threads))
        is_at_work = int(words[STATE // WORD]) & JOINED != 0
        for thread in () if is_at_work else threads:
            if thread.is_alive():
                thread.join()
