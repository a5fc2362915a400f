"""What several tests share: drawn boards, and Python in another process with a kernel cache of its own."""

import os
import subprocess
import sys
from pathlib import Path

import boardgym

ROOT = Path(boardgym.__file__).resolve().parents[1]


def rows_of(drawing: str) -> list[str]:
    """The rows of a drawn board, from the top, without the blanks between cells."""
    return ["".join(line.split()) for line in drawing.strip().splitlines()]


def drawn(drawing: str, side: str) -> str:
    """The position string of a drawn board: rows joined by "/" (tic-tac-toe, Connect Four)."""
    return f"{'/'.join(rows_of(drawing))} {side}"


def drawn_squares(drawing: str, side: str) -> str:
    """The position string of a drawn Othello board: `.` empty, `X` black, `O` white."""
    return f"{''.join(rows_of(drawing)).replace('.', '-')} {side}"


def environment_of(cache: Path, folder: Path | None = None, **extra: str) -> dict[str, str]:
    """The environment of a Python process that imports boardgym from here and its own modules from `folder`."""
    paths = [str(p) for p in (folder, ROOT) if p is not None]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_") and k != "PYTHONHASHSEED"}
    return {**inherited, "PYTHONPATH": os.pathsep.join(paths), "NUMBA_CACHE_DIR": str(cache), **extra}


def run_python(*arguments: str, cache: Path, folder: Path | None = None, **extra: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in `folder`. Raises AssertionError with its stderr if it fails. extra: environment variables."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment_of(cache, folder, **extra),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done
