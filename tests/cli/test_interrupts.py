"""Ctrl-C while the program starts: one line and status 130, at whatever moment it comes."""

import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
import types
from pathlib import Path

import pytest

from boardgym import startup

ROOT = str(Path(__file__).parents[2])
PROGRAM = [sys.executable, "-X", "importtime", "-m", "boardgym"]
SCRIPT = [sys.executable, "-X", "importtime", str(Path(sysconfig.get_path("scripts")) / "boardgym")]
COMMANDS = {"games": ["games"], "train": ["train", "td", "--episodes", "1000000"], "demo": ["demo"]}


def interrupted_at(program, module, tmp_path, delay=0.0, **variables):
    """(exit status, stderr without import times) of a program that gets Ctrl-C so many seconds after importing a module.

    module: or None, once it compiles. variables: of its environment.
    """
    sign = "boardgym: compiling" if module is None else rf"\| +{re.escape(module)}\n"
    said = tmp_path / "stderr"
    with open(said, "w") as file:
        process = subprocess.Popen(
            program,
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=file,
            env={**os.environ, "PYTHONPATH": ROOT, **variables},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # in the background it is ignored
        )
    deadline = time.monotonic() + 120
    while not re.search(sign, said.read_text()) and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    try:
        status = process.wait(timeout=120)
    finally:
        process.kill()
    lines = said.read_text().splitlines(keepends=True)
    return status, "".join(line for line in lines if not line.startswith(("import time:", "boardgym: compiling")))


STATUSES = (130, -signal.SIGINT)  # after KeyboardInterrupt has passed an exec() Python ends by the signal: 130 in a shell

MODULES = ("boardgym.startup", "numpy._core.multiarray", "numba.core.config", "gymnasium")


@pytest.mark.parametrize("module", MODULES)
def test_ctrl_c_during_the_imports(module, tmp_path):
    """Which are the same of all commands."""
    assert interrupted_at([*PROGRAM, *COMMANDS["games"]], module, tmp_path) == (130, "boardgym: interrupted\n")


@pytest.mark.parametrize("module", MODULES[:2])
def test_ctrl_c_during_the_imports_of_the_script(module, tmp_path):
    assert interrupted_at([*SCRIPT, "games"], module, tmp_path) == (130, "boardgym: interrupted\n")


LATE = [("train", "tyro"), ("train", "boardgym.baselines.learning.td.trainer"), ("demo", "torch._C")]


@pytest.mark.parametrize(("command", "module"), LATE)
def test_ctrl_c_during_the_imports_of_a_command(command, module, tmp_path):
    status, text = interrupted_at([*PROGRAM, *COMMANDS[command]], module, tmp_path)
    assert status in STATUSES
    assert ("Traceback" in text, "interrupted" in text) == (False, True)


@pytest.mark.parametrize("delay", [0.2, 0.6, 1.0, 2.0])
def test_ctrl_c_after_a_while(tmp_path, delay):
    """Whatever the program is at by then: its imports, the command line, or the training, which keeps its files."""
    status, text = interrupted_at([*PROGRAM, *COMMANDS["train"]], "boardgym.startup", tmp_path, delay)
    assert status in STATUSES
    assert ("Traceback" in text, "interrupted" in text) == (False, True)


@pytest.mark.parametrize("delay", [0.3, 1.2])
def test_ctrl_c_while_kernels_are_compiled(tmp_path, delay):
    status, text = interrupted_at([*PROGRAM, *COMMANDS["train"]], None, tmp_path, delay, NUMBA_CACHE_DIR=str(tmp_path))
    assert (status in STATUSES, "interrupted" in text) == (True, True)
    assert not re.search("Traceback|Exception ignored", text)


@pytest.fixture
def handled(monkeypatch):
    """Ctrl-C is handled as in the program."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # set back afterwards
    before = signal.getsignal(signal.SIGINT)
    startup.handle_interrupts()
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_while_llvmlite_works(handled):
    """The interrupt comes after it: in its callbacks it would be swallowed, in its destructors memory be freed twice."""
    came = []

    def work():
        for _ in range(3):  # pressed by somebody who does not want to wait
            signal.raise_signal(signal.SIGINT)
        came.append("after llvmlite")

    call = types.FunctionType((lambda called: called()).__code__, {"__name__": "llvmlite.binding.ffi"})
    with pytest.raises(KeyboardInterrupt):
        work()

    def program():
        call(work)
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt):
        program()
    assert came == ["after llvmlite"]
    time.sleep(0.1)  # and no other one comes


def test_ctrl_c_in_a_destructor(handled, capsys):
    class Referred:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    def program():
        del [Referred()][0]
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt):
        program()
    assert capsys.readouterr().err == ""


def test_other_errors_in_destructors_are_told_as_before(handled, monkeypatch):
    class Broken:
        def __del__(self):
            raise ValueError("told")

    told = []
    monkeypatch.setattr(startup, "_unraisable", lambda unraisable: told.append(str(unraisable.exc_value)))
    del [Broken()][0]
    assert told == ["told"]


def test_other_programs_keep_their_own_ctrl_c():
    code = "import signal, boardgym; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert done.stdout == "True\n"
    assert not startup.is_program()


@pytest.mark.parametrize(
    ("argv", "orig_argv", "found"),
    [
        (["-m", "games"], ["python", "-m", "boardgym", "games"], True),
        (["-m"], ["python", "-m", "benchmarks"], False),
        (["-m"], ["python", "-mboardgym"], True),
        (["-m"], ["python", "-W", "m", "-Xdev=m", "-Im", "boardgym"], True),
        (["-m"], ["python", "-mboardgym.studies"], False),
        (["/bin/boardgym"], ["python", "/bin/boardgym"], True),
        (["/bin/boardgym"], ["python", "-c", "from multiprocessing.spawn import spawn_main"], False),
        (["train.py"], ["python", "train.py"], False),
        ([], [], False),
    ],
)
def test_which_programs_are_ours(monkeypatch, argv, orig_argv, found):
    monkeypatch.setattr(sys, "argv", argv)
    monkeypatch.setattr(sys, "orig_argv", orig_argv)
    assert startup.is_program() is startup.is_ours() is found


def test_processes_of_the_studio_are_ours(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["-m", "FOLDER", "games"])
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "boardgym.web.trainee", "FOLDER", "games"])
    assert (startup.is_program(), startup.is_ours()) == (False, True)


@pytest.mark.parametrize("program", ["boardgym", "boardgym.web.trainee"])
def test_cycles_are_collected_once_a_command_runs(program, tmp_path):
    """But not in what has been imported by then. A file of a user's game is imported by the command."""
    (tmp_path / "game.py").write_text("import gc\nprint(gc.isenabled(), gc.get_freeze_count() > 100_000)\n")
    folder = ["bot"] if program == "boardgym.web.trainee" else []
    command = [sys.executable, "-m", program, *folder, "show", "game.py:Game"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.read() == "True True\n"
