"""Games of users on the command line: `nim.py:Nim-v0` is the game Nim-v0 that the file nim.py registers.

The file is run, as `python nim.py` would run it. So it has to be named by the user's own words: nothing that is read from a
file, such as the game of a record or of a run, is ever taken for one of these.
"""

import importlib.util
import re
import sys
import traceback
from pathlib import Path

from boardgym.commands.arguments import UsageError
from boardgym.core.errors import BoardgymError, nearest
from boardgym.core.game import GAMES, get_game

WORD = re.compile(r"((?:[A-Za-z]:[\\/])?[^:]+\.py):(.*)")
REGISTERED: dict[Path, list[str]] = {}  # file that has been run -> the ids of its games
WORDS: dict[str, str] = {}  # id of a game of a file -> what the user has named it by


def users_game(word: str) -> str:
    """The id of a game that a user has named, on the command line, as the game: of `FILE.py:ID` after the file has been run.

    Raises UsageError if there is no such file, it cannot be run, or it registers no such game.
    """
    match = WORD.fullmatch(word)
    return word if match is None else load_game_of(Path(match[1]), match[2])


def load_game_of(path: Path, game_id: str) -> str:
    """Runs a file that registers games; returns the id of the game that it is asked for. Raises UsageError."""
    if not path.is_file():
        raise UsageError(f"{path}: no such file; expected FILE.py:ID, the game ID that FILE.py registers")
    added = run_file(path)
    if not added:
        raise UsageError(f"{path} registers no game; expected a call of boardgym.register")
    try:
        game = get_game(game_id)
    except BoardgymError:
        game = None
    if game is None or game.id not in added:
        raise UsageError(f"{path} registers no game {game_id!r}; {nearest(game_id, added)}")
    WORDS[game.id] = f"{path}:{game.id}"
    return game.id


def word_of(game: str) -> str:
    """What another command takes for a game: its name, or FILE.py:ID where that is how the user has named it."""
    return WORDS.get(get_game(game).id, game)


def run_file(path: Path) -> list[str]:
    """Imports a file as the module of its name, once; returns the ids of the games that it has registered.

    Its folder is searched for what it imports. Raises UsageError.
    """
    path, before = path.resolve(), dict(GAMES)
    if path in REGISTERED:
        return REGISTERED[path]
    if not path.stem.isidentifier():
        raise UsageError(f"{path}: expected a file whose name is one of a Python module: letters, digits and _")
    known = sys.modules.get(path.stem)
    if known is not None or path.stem in sys.stdlib_module_names:
        raise UsageError(f"{path}: the name of the file is that of a module that is in use; give the file another name")
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # by the file's ending
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[path.stem]
        raise UsageError(f"{place_of(error, path)}: {described(error)}") from error

    REGISTERED[path] = [game.id for name, game in GAMES.items() if before.get(name) is not game]
    return REGISTERED[path]


def place_of(error: BaseException, path: Path) -> str:
    """The file and the line within it that an error came from."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{path}, line {lines[-1]}" if lines else str(path)


def described(error: BaseException) -> str:
    """An error as one line: our own say enough, others need their names."""
    text = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())
    return text if isinstance(error, BoardgymError) else f"{type(error).__name__}: {text}"
