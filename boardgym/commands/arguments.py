"""What stands between the words of a command line and the parser: the same habits in every command.

The game, and the position where a command takes one, may be given as a word or as an option: `boardgym show Othello` or
`boardgym show --game Othello`, `boardgym compare greedy --game Othello` or `boardgym compare greedy Othello`. What the parser
has to say of a mistake becomes one line. Files that a command will write are checked before it begins.
"""

import contextlib
import dataclasses
import errno
import io
import os
import re
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import tyro

from boardgym.core.errors import BoardgymError

STANDARD = "-"  # in place of a file: the standard output
OPTIONS = {"game": ("--game",), "position": ("--position", "--fen")}  # of what may be a word or an option, by the field's name

T = TypeVar("T")


class UsageError(BoardgymError, ValueError):
    """The command line asks for something that cannot be done; the message is all that is shown."""


class Output:
    """Marks, within `Annotated`, the name of a file or folder that a command writes; an empty name is none."""


class Policy:
    """Marks, within `Annotated`, the spec of a policy, or several."""


OutputFile = Annotated[str, tyro.conf.arg(metavar="FILE"), Output]


@dataclasses.dataclass(frozen=True)
class Field:
    """A setting of a command. takes: how many words follow its option, None for any number."""

    name: str
    option: str
    takes: int | None
    is_positional: bool
    is_output: bool
    default: Any


def fields_of(kind: type) -> list[Field]:
    """The settings of a command's dataclass in their order, those of a configuration within it in its place."""
    found = []
    for field in dataclasses.fields(kind):
        hint, notes = parts_of(typing.get_type_hints(kind, include_extras=True)[field.name])
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            found += fields_of(hint)
            continue
        names = [note.name for note in notes if getattr(note, "name", None) and isinstance(note.name, str)]
        option = "--" + (names[0] if names else field.name).replace("_", "-")
        takes = 1 if tyro.conf.UseAppendAction in notes else words_of(hint)
        found.append(Field(field.name, option, takes, tyro.conf.Positional in notes, Output in notes, field.default))
    return found


def parts_of(hint: Any) -> tuple[Any, list[Any]]:
    """A type and all that is noted about it."""
    if typing.get_origin(hint) is not Annotated:
        return hint, []
    inner, notes = parts_of(hint.__origin__)
    return inner, [*notes, *hint.__metadata__]


def words_of(hint: Any) -> int | None:
    """How many words a value of a type takes, None for any number."""
    hint, _ = parts_of(hint)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return None if any(words_of(inner) is None for inner in typing.get_args(hint)) else 1
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)
        return None if Ellipsis in inner else len(inner)
    return 0 if hint is bool else 1


def placed(kind: type, arguments: Sequence[str]) -> list[str]:
    """Arguments in which game and position stand where the parser expects them. Raises UsageError for a missing word."""
    fields = fields_of(kind)
    either = [field for field in fields if field.name in OPTIONS]
    split = split_words(fields, arguments) if either else None
    if split is None:
        return list(arguments)
    words, values, others = split
    slots = [field for field in fields if field.is_positional] + [field for field in either if not field.is_positional]
    for field in slots:
        if words and field.name not in values:
            count = len(words) if field.takes is None or field.name == "position" else 1
            values[field.name], words = words[:count], words[count:]
    if "game" in values:
        from boardgym.commands.users_games import users_game

        values["game"] = [users_game(word) for word in values["game"]]
    positional = [field for field in fields if field.is_positional]
    while positional and positional[-1].name not in values:
        positional.pop()
    before = list[str]()
    for field in positional:
        if field.name not in values and not isinstance(field.default, str):
            raise UsageError(f"{field.name.upper()} is missing")
        before += values.get(field.name) or [field.default]
    after = [
        f"{field.option}={' '.join(values[field.name])}" for field in either if not field.is_positional and field.name in values
    ]
    before += words
    if any(word.startswith("-") for word in before):
        return [*others, *after, "--", *before]
    return [*before, *others, *after]


def split_words(fields: Sequence[Field], arguments: Sequence[str]) -> tuple[list[str], dict[str, list[str]], list[str]] | None:
    """Words that belong to no option; values of the options of `OPTIONS`; the other options with theirs.

    None if there is an option that no field has: the parser says so.
    """
    takes: dict[str, int | None] = {"-h": 0, "--help": 0}
    names = dict[str, str]()
    for field in fields:
        if not field.is_positional:
            takes[field.option] = field.takes
            if field.takes == 0:
                takes[f"--no-{field.option[2:]}"] = 0
        if field.name in OPTIONS:
            for option in OPTIONS[field.name]:
                takes[option], names[option] = field.takes if field.name == "game" else None, field.name
    words, values, others = list[str](), dict[str, list[str]](), list[str]()
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            words += rest
            break
        if not is_option(argument):
            words.append(argument)
            continue
        option, has_value, value = argument.partition("=")
        option = option.replace("_", "-")
        if option not in takes:
            return None
        count, given = takes[option], [value] if has_value else []
        while rest and not has_value and (count is None or len(given) < count) and not (is_option(rest[0]) and count is None):
            given.append(rest.pop(0))
            if option in names and " " in given[0]:
                break  # a position in quotes is whole
        if option in names and given:
            values[names[option]] = given
        else:
            others += [argument] if has_value else [argument, *given]
    return words, values, others


def look_ahead(function: Callable[..., T], arguments: Sequence[str]) -> T:
    """What a function makes of those arguments that it has parameters for, before the parser reads all of them."""
    asked = [argument for argument in arguments if argument not in ("-h", "--help")]
    found, _ = tyro.cli(function, args=asked, return_unknown_args=True)
    return found


def is_option(argument: str) -> bool:
    """Whether an argument names an option: neither a negative number nor a position of Othello, ---OX---, does."""
    return re.match(r"-h$|--[a-z]", argument) is not None


def describe_words(kind: type) -> str:
    """A sentence for the help page: the two forms in which game and position may be given. Empty where there is neither."""
    texts = []
    for field in fields_of(kind):
        if field.name in OPTIONS:
            word = "GAME" if field.name == "game" else "FEN"
            texts.append(f"{word} or {OPTIONS[field.name][0]} {word}")
    return f"Either form will do: {', '.join(texts)}." if texts else ""


def gathered(arguments: Sequence[str], name: str) -> list[str]:
    """Arguments in which one that takes several values has all of them in one place, however often it was given.

    Of several places the parser reads the last alone, unless a setting is empty at first, as rule options of other commands.
    """
    others, values = list[str](), list[str]()
    place, is_given = others, False
    end = arguments.index("--") if "--" in arguments else len(arguments)  # what follows that is no setting
    for argument in arguments[:end]:
        word, has_value, value = argument.partition("=")
        if word == name:
            place, is_given = values, True
            values += [value] if has_value else []
            continue
        if argument.startswith("-"):
            place = others
        place.append(argument)
    return [*others, *((name, *values) if is_given else ()), *arguments[end:]]


@contextlib.contextmanager
def one_line_errors(command: str) -> Iterator[None]:
    """Within it, what the parser prints of a mistake and its exit become a UsageError of one line."""
    text = io.StringIO()
    try:
        with contextlib.redirect_stderr(text):
            yield
    except SystemExit as leaving:
        if leaving.code in (0, None):
            raise
        raise UsageError(one_line(text.getvalue(), command)) from None


def one_line(text: str, command: str) -> str:
    """What a box of the parser says, in a line: its first part, and the options that it suggests."""
    inner = [
        line[1:].rstrip("│ ") for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    ]  # an edge of the box, or a blank
    indents = [len(line) - len(line.lstrip()) for line in inner]
    lines = [
        line.strip() for line, indent in zip(inner, indents, strict=True) if 1 <= indent < 8
    ]  # not the title, nor the help
    rule = next((k for k, line in enumerate(lines) if not line.strip("─-")), len(lines))
    what = " ".join(lines[:rule]).rstrip(".")
    near = [line.split()[0] for line in lines[rule:] if is_option(line)] if "Perhaps you meant:" in lines else []
    hint = f"; did you mean {' or '.join(dict.fromkeys(near))}?" if near else ""
    return f"{what[:1].lower()}{what[1:]}{hint or '; see'} boardgym {command} --help"


def check_outputs(settings: Any) -> None:
    """Checks that the files that a command will write can be. Raises OSError naming the first that cannot."""
    for field in dataclasses.fields(settings):
        _, notes = parts_of(typing.get_type_hints(type(settings), include_extras=True)[field.name])
        name = getattr(settings, field.name)
        if Output in notes and name and name != STANDARD:
            check_output(Path(name))


def check_output(path: Path) -> None:
    """Raises OSError for a file that cannot be written: a folder of this name, a parent that is none or is read-only."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder is there, expected the name of a file", str(path))
    if not path.parent.is_dir():
        number = errno.ENOTDIR if path.parent.exists() else errno.ENOENT
    elif not os.access(path if path.exists() else path.parent, os.W_OK):
        number = errno.EACCES
    else:
        return
    raise OSError(number, os.strerror(number), str(path))
