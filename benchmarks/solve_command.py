"""What the programs that solve reference positions share: their file of results, and how they end."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from boardgym.core.errors import BoardgymError
from boardgym.core.files import write_aside


def run_in_words(name: str, run: Callable[[], int], file: Path | None) -> int:
    """What `run` returns; a mistake of the user's and Ctrl-C end it in words.

    name: of the program. file: where --json writes; its folder is looked for before any work.
    Raises: SystemExit with the words.
    """
    if file is not None:
        for is_wrong, words in (
            (file.is_dir(), "this is a folder, expected the name of a file"),
            (not file.parent.is_dir(), f"the folder {str(file.parent)!r} does not exist"),
            (not os.access(file.parent, os.W_OK), f"the folder {str(file.parent)!r} cannot be written"),
        ):
            if is_wrong:
                raise SystemExit(f"{name}: --json {str(file)!r}: {words}")
    before = written_at(file)
    try:
        return run()
    except BoardgymError as error:
        raise SystemExit(f"{name}: {error}") from None
    except OSError as error:
        raise SystemExit(f"{name}: {error.filename}: {error.strerror}" if error.filename else f"{name}: {error}") from None
    except KeyboardInterrupt:
        kept = "" if written_at(file) == before else f"; what is finished is in {file}"
        raise SystemExit(f"{name}: interrupted{kept}") from None


def written_at(file: Path | None) -> int:
    """When a file was written last, in ns; 0 where there is none."""
    return file.stat().st_mtime_ns if file is not None and file.exists() else 0


def write_rows(file: Path | None, rows: Sequence[Any]) -> None:
    """Writes the results so far, dataclasses, if a file is wanted; for use after each. Raises OSError."""
    if file is not None:
        write_aside(file, (json.dumps([asdict(row) for row in rows], indent=1) + "\n").encode())
