"""Endgame tables and opening books on the disk: files of arrays in a folder of the user's cache; some come with the package."""

import os
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_cache_dir

from boardgym.baselines.array_files import ArrayFiles
from boardgym.core.errors import BoardgymError

FOLDER_VARIABLE = "BOARDGYM_TABLES"
SHIPPED = Path(__file__).parent / "data"
SUFFIX, PART = ".safetensors", ".unfinished"


class TableError(BoardgymError, ValueError):
    """A table file that is damaged, or is none of ours; the message says what to do."""


def advice(path: Path) -> str:
    """What to do about a file that cannot be used, as the end of a message. path: the file."""
    if path.suffix == PART:
        return "the work in it is lost: delete it, and the command that made it begins anew"
    return "delete it and build it again (boardgym tables, boardgym book)"


def tables_folder() -> Path:
    """Where tables lie: the folder that BOARDGYM_TABLES names, else `boardgym/tables` in the user's cache folder."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(user_cache_dir(appname="boardgym", appauthor=False)) / "tables"


TABLES = ArrayFiles("boardgym table", 2, "a table", TableError, advice)  # version 1 had no digest of the header


def run_through(call: Callable[[], None]) -> None:
    """Runs a short call that may be repeated to its end, however often Ctrl-C is pressed: work that must not be lost is saved.

    Raises: what `call` raises; KeyboardInterrupt as pressed, after the end.
    """
    pressed: KeyboardInterrupt | None = None
    while True:
        try:
            call()
            break
        except KeyboardInterrupt as error:
            pressed = error
    if pressed is not None:
        raise pressed
