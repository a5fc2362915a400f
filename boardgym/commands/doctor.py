"""`boardgym doctor`: where compiled code and tables are kept, what is installed, and what is wrong with either."""

import os
import platform
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

from rich import box
from rich.table import Table

from boardgym import __version__
from boardgym.baselines.perfect.store import FOLDER_VARIABLE, tables_folder
from boardgym.commands.common import print_json, print_table, say
from boardgym.compile import compile_mode
from boardgym.compile.store import cache_folder, distrust, has_group
from boardgym.core.threads import Sharing

ROOM_BYTES = 500 * 2**20  # what the kernels of a few games and variants take, and some tables
THREAD_VARIABLES = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
SLOW = {
    "NUMBA_DISABLE_JIT": "nothing is compiled, and games run about a hundred times as slowly",
    "NUMBA_BOUNDSCHECK": "games run more slowly",
}
MAKERS = re.compile(
    r"^boardgym\b|extra == .(test|bench)\b"
)  # what the extras of extras are, and those for who works on boardgym
ELSEWHERE = "set NUMBA_CACHE_DIR to a folder of your own"


@dataclass
class Doctor:
    """Show where compiled code is kept, versions, threads and what is installed; what is wrong, and how to fix it."""

    EXAMPLES: ClassVar[tuple[str, ...]] = ("boardgym doctor", "boardgym doctor --json")

    json: bool = False
    """Print JSON instead of a table."""

    def run(self) -> int:
        """Prints what was found."""
        cache, tables = describe_cache(cache_folder()), describe_folder(tables_folder())
        versions, threads = find_versions(), describe_threads()
        problems = [*cache_problems(cache), *folder_problems(tables), *numba_problems()]
        if self.json:
            print_json({"cache": cache, "tables": tables, "versions": versions, "threads": threads, "problems": problems})
            return 0
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_header=False)
        table.add_column(style="cyan", no_wrap=True)
        table.add_column(overflow="fold")
        for name, value in (*cache_rows(cache), *tables_rows(tables)):
            table.add_row(name, value)
        table.add_section()
        for name, version in versions.items():
            table.add_row(name, version or "not installed")
        table.add_section()
        for name, number in threads.items():
            table.add_row(name, "not set" if number is None else str(number))
        print_table(table)
        for problem in problems:
            say(f"problem: {problem['what']}; {problem['advice']}", style="yellow")
        if not problems:
            say("no problems")
        return 0


def describe_folder(folder: Path) -> dict[str, Any]:
    """A folder as plain data: its files counted, whether it can be written, or made where it is not there."""
    sizes = list(sizes_in(folder))
    there = next(place for place in (folder, *folder.parents) if os.path.exists(place))
    is_writable = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
    return {"folder": str(folder), "exists": os.path.exists(folder), "files": len(sizes), "bytes": sum(sizes),
            "writable": is_writable, "free_bytes": shutil.disk_usage(there).free}  # fmt: skip


def describe_cache(folder: Path) -> dict[str, Any]:
    """The folder of compiled kernels as plain data. distrusted: why it is not used, or empty."""
    found = describe_folder(folder)
    found["kernels"] = found.pop("files")
    return {**found, "bytes_of_all_builds": sum(sizes_in(folder.parent)), "distrusted": distrust(folder),
            "group_writable": has_group(folder),
            "readable": is_readable(folder)}  # fmt: skip


def is_readable(folder: Path) -> bool:
    """Whether what is in a folder can be read, or nothing keeps one from making it: not where one above it is closed."""
    try:
        folder.stat()
    except PermissionError:
        return False
    except OSError:
        return True
    return os.access(folder, os.R_OK | os.X_OK)


def sizes_in(folder: Path) -> Iterator[int]:
    """The sizes of the files in a folder and those below it, as far as they may be looked at."""
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.lstat(os.path.join(place, name)).st_size
            except OSError:  # deleted meanwhile
                continue


def find_versions() -> dict[str, str]:
    """Versions of what boardgym runs with, by name; empty for what an extra would install and is not there."""
    names = ["numpy", "numba", "llvmlite"]
    try:
        wanted = [text for text in metadata.requires("boardgym") or () if not MAKERS.search(text)]
        names += [re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0] for text in wanted]
    except metadata.PackageNotFoundError:  # run from a folder of sources
        names += ["gymnasium", "pettingzoo"]
    versions = {"boardgym": __version__, "Python": platform.python_version()}
    for name in names:
        try:
            versions.setdefault(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            versions[name] = ""
    return versions


def describe_threads() -> dict[str, int | str | None]:
    """How many there may be: cores that this process may use, and the variables that set the threads of Numba and torch.

    Without them torch takes all cores, which makes trainings of small networks slower, unless the program sets fewer.
    """
    return {"cores": Sharing(0).num_threads, **{name: os.environ.get(name) for name in THREAD_VARIABLES}}


def cache_problems(cache: dict[str, Any]) -> Iterator[dict[str, str]]:
    """What is wrong with the folder of kernels: {what, advice}."""
    folder = cache["folder"]
    if cache["distrusted"]:
        yield {
            "what": f"compiled code is neither loaded from {folder} nor kept there: {cache['distrusted']}",
            "advice": ELSEWHERE,
        }
    elif cache["group_writable"]:
        yield {
            "what": f"the group of {folder} can write there, and so have code of theirs run by you",
            "advice": f"delete it if you do not trust all members, or {ELSEWHERE}",
        }
    if not cache["readable"]:
        yield {"what": f"{folder} cannot be read: every process compiles anew, 13 to 45 s for a game", "advice": ELSEWHERE}
    if not cache["writable"]:
        yield {
            "what": f"{folder} cannot be written: every process compiles anew what it does not find, 13 to 45 s for a game",
            "advice": f"{ELSEWHERE}; a folder that has all kernels already may be read-only",
        }
    elif cache["free_bytes"] < ROOM_BYTES:
        yield {
            "what": f"{cache['free_bytes'] / 2**20:.0f} MiB are free where {folder} is",
            "advice": f"make room, or {ELSEWHERE}",
        }


def folder_problems(tables: dict[str, Any]) -> Iterator[dict[str, str]]:
    """What is wrong with the folder of tables."""
    if not tables["writable"]:
        yield {
            "what": f"{tables['folder']} cannot be written: boardgym tables and boardgym book can keep nothing there",
            "advice": f"set {FOLDER_VARIABLE} to a folder of your own",
        }


def numba_problems() -> Iterator[dict[str, str]]:
    """A release and settings of Numba that make games slow."""
    if not compile_mode.IS_KNOWN:
        yield {"what": compile_mode.UNKNOWN, "advice": "pip install 'numba==0.68.*', or a newer boardgym"}
    for name, effect in SLOW.items():
        if os.environ.get(name, "0") not in ("", "0"):
            yield {"what": f"{name} is set: {effect}", "advice": "unset it, unless you look for a fault"}


def cache_rows(cache: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The rows of the table that are about compiled code."""
    yield "compiled code", cache["folder"]
    yield (
        "kernels",
        f"{cache['kernels']:,}, {size_text(cache['bytes'])}; with other builds {size_text(cache['bytes_of_all_builds'])}",
    )
    yield "writable", "yes" if cache["writable"] else "no"
    yield "trusted", "no" if cache["distrusted"] else "yes, with its group" if cache["group_writable"] else "yes"
    yield "free", size_text(cache["free_bytes"])


def tables_rows(tables: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Those about endgame tables and books."""
    yield "tables", tables["folder"]
    yield "files", f"{tables['files']:,}, {size_text(tables['bytes'])}"


def size_text(size: int) -> str:
    """A size to read."""
    return f"{size / 2**20:,.1f} MiB"
