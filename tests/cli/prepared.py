"""Commands of `boardgym` without the compiler, each in a process of its own: a fork of one that has the package loaded.

To load it takes longer than what most of the tests' commands do.
"""

import contextlib
import gc
import importlib
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support import ROOT, environment_of

LOADED = ("look", "compete", "convert", "tabular", "tune", "users_games")  # of `boardgym.commands`


class Prepared:
    """The process that is forked, and what its children say."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(self, folder: Path, *arguments: str) -> tuple[int, str, str]:
        """(exit status, standard output, standard error) of a command in a folder; its cache is a folder there."""
        texts = [folder.with_name(f"{folder.name}.{name}") for name in ("out", "err")]
        told = {
            "arguments": arguments,
            "folder": str(folder),
            "environment": environment_of(folder / "cache", NUMBA_DISABLE_JIT="1"),
            "texts": [str(path) for path in texts],
        }
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        status = int(self.process.stdout.readline())
        out, err = (path.read_text() for path in texts)
        return status, out, err


@contextlib.contextmanager
def prepared(cache: Path) -> Iterator[Prepared]:
    """A process with the package loaded, which ends with the context."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.cli.prepared"],
        env=environment_of(cache, NUMBA_DISABLE_JIT="1"),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Prepared(process)  # at the end of its standard input it ends


def next_told() -> dict:
    """What the next command is, in a child of its own. The parent goes on to the end of what it is told."""
    while line := sys.stdin.readline():
        if (child := os.fork()) == 0:
            return json.loads(line)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    raise SystemExit


def serve() -> None:
    """Becomes one command after another, each in a child, as `python -m boardgym` would be it."""
    for name in LOADED:
        importlib.import_module(f"boardgym.commands.{name}")
    gc.freeze()  # as `boardgym` itself, whose end looks for no cycles in what it has imported
    told = next_told()
    os.chdir(told["folder"])
    os.environ.clear()
    os.environ.update(told["environment"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(told["texts"], start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv = ["boardgym", *told["arguments"]]
    sys.path[0] = told["folder"]
    runpy.run_module("boardgym", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    serve()
