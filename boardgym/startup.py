"""Ctrl-C in the program `boardgym`: one line and exit status 130 while it starts, KeyboardInterrupt at any later time.

The imports take most of a second, and code that is being imported cannot be relied on to pass a KeyboardInterrupt on. So this
module is what the package imports first. It also has Python look for no cycles in what is imported, neither meanwhile nor when
the program ends, which would take a quarter of the time of a quick command. In any other program it does nothing.
"""

import gc
import importlib
import os
import signal
import sys
import threading
from types import FrameType

INTERRUPTED = 130  # the exit status of a program that Ctrl-C ended
STUDIOS = ("trainee", "part_tester")  # modules of the processes that the studio starts


def module_to_run() -> str:
    """The module that `python -m NAME` runs, or `-mNAME`, or `-Im NAME`, until it has been found; else "".

    Python calls the program -m until then.
    """
    words = iter(sys.orig_argv[1:] if sys.argv[:1] == ["-m"] else ())
    for word in words:
        if word in ("-X", "-W"):  # what follows is its value
            next(words)
        elif "m" in word and word.startswith("-") and not word.startswith(("--", "-X", "-W")):
            return word.partition("m")[2] or next(words)
    return ""


def is_program() -> bool:
    """Whether this process is `boardgym` or `python -m boardgym`, not another program that imports the package."""
    if name := module_to_run():
        return name == "boardgym"
    program = sys.argv[0] if sys.argv else ""
    return program in sys.orig_argv[1:] and os.path.splitext(os.path.basename(program))[0] == "boardgym"


def is_ours() -> bool:
    """Whether this process is the program, or one of those that the studio starts; each of them calls `started`."""
    return is_program() or module_to_run() in [f"{__package__}.web.{name}" for name in STUDIOS]


IS_PROGRAM, IS_OURS = is_program(), is_ours()  # as it is called when it starts; `python -m` changes that later
IS_STUDIO = IS_PROGRAM and sys.argv[1:2] == ["studio"]  # whose page is there before the games are loaded
_later: threading.Timer | None = None  # of an interrupt that comes in a moment
_unraisable = sys.unraisablehook
COMPLETING = threading.RLock()  # held while the rest is loaded, so that others wait until it is there


def complete() -> None:
    """Loads what importing the package has left out, if this is the studio."""
    global IS_STUDIO
    with COMPLETING:
        if IS_STUDIO:
            IS_STUDIO = False
            importlib.reload(sys.modules["boardgym"])


def started() -> None:
    """Begins to collect cycles, but in what has been loaded, which stays: a command begins, or the studio is there."""
    if IS_OURS and not gc.isenabled():
        gc.freeze()
        gc.enable()


def hold() -> None:
    """From now on Ctrl-C ends the process at once. Not where it is ignored, as in the background of a shell."""
    if IS_PROGRAM and signal.getsignal(signal.SIGINT) in (signal.default_int_handler, interrupt):
        signal.signal(signal.SIGINT, leave)


def release() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt, if `hold` has changed that."""
    if signal.getsignal(signal.SIGINT) is leave:
        handle_interrupts()


def handle_interrupts() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt, by `interrupt`, and is not lost in destructors: for whole programs."""
    global _unraisable
    if sys.unraisablehook is not raise_again:
        _unraisable, sys.unraisablehook = sys.unraisablehook, raise_again
    signal.signal(signal.SIGINT, interrupt)


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raises KeyboardInterrupt; a moment later while llvmlite works, which it could leave with memory freed twice."""
    global _later
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("llvmlite.binding"):
            _interrupt_later()
            return
        frame = frame.f_back
    if _later is not None:  # of an earlier one, which this one is told of as well
        _later.cancel()
        _later = None
    raise KeyboardInterrupt


def raise_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Lets a KeyboardInterrupt come again that a destructor or another callback could not pass on."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is interrupt:
        _interrupt_later()
    else:
        _unraisable(unraisable)


def _interrupt_later() -> None:
    """Sends this process the signal of Ctrl-C in 10 ms, if that is not about to happen."""
    global _later
    if _later is None:
        _later = threading.Timer(0.01, _send_interrupt)
        _later.daemon = True  # the process need not wait for it to end
        _later.start()


def _send_interrupt() -> None:
    global _later
    _later = None
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:  # which also wakes the thread that handles it
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def leave(number: int, frame: FrameType | None) -> None:
    """Says so and ends the process; there is nothing to be kept yet."""
    os.write(2, b"boardgym: interrupted\n")
    os._exit(INTERRUPTED)


if IS_OURS:
    gc.disable()  # `started` goes on with that
hold()
