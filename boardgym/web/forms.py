"""Forms of the learners: read off the very classes that `boardgym train ...` reads its options from.

A new learner, that is a new command `train NAME`, appears without a line of code for the page: its settings are the fields of
its dataclass, their help is the docstring's, and what the form is filled with becomes the words of the command line.
"""

import dataclasses
import re
import sys
import threading
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tyro.conf import Positional

from boardgym.baselines.workers import check_workers
from boardgym.cli import COMMANDS, module_of, read_settings
from boardgym.commands.arguments import Policy, UsageError, fields_of, parts_of
from boardgym.commands.users_games import word_of
from boardgym.core.errors import BoardgymError
from boardgym.core.game import get_game, list_games
from boardgym.web.form_help import help_of

Kind = Literal["int", "float", "text", "choice", "flag", "list"]
Value = int | float | str | bool | list[Any] | None

PREFIX = "train "
# what the studio decides itself: where the files are, how often they are written, and that nothing is trusted
OWN = ("out", "json", "inspect", "trust", "resume", "record", "compare_games", "checkpoint_s", "snapshots")
JUDGES = "judges"  # of a command: for the comparison at its end, which the studio leaves out; of a configuration: for its curve
REDRAWS = ("game", "preset")  # on which the defaults of other settings may depend
GROUPS = (  # of settings that learners share, by their names; the others are the method's own
    ("Game", ("game", "option", "preset", "setup", "starts", "max_plies")),
    ("Opponent", ("opponent", "seat")),
    ("Length", ("episodes", "greedy_episodes", "games", "steps", "minutes", "generations", "batches", "phases", "seed")),
    ("Rates", ("step_size", "learning_rate", "discount", "trace_decay", "exploration", "epsilon", "temperature")),
    ("Rewards", ("win", "draw", "loss", "pays_returns", "reward")),
    ("Machine", ("memory", "threads", "processes", "executor")),
)
METHOD = "Method"
NO_PEOPLE = (
    "A bot trains in a process of its own, without a terminal: nobody can be asked for moves there, so the opponent cannot be "
    "human. Play against this bot at any time; some learners can be trained against a person in a terminal (--opponent human)."
)
PARSER = threading.Lock()  # which takes the standard error of the whole process to itself
MOST_WORDS, LONGEST_WORD = 1000, 2000  # of a list; of a text, in characters


class FormError(BoardgymError, ValueError):
    """A form that cannot be used. errors: {name of the field: sentence}; the name is empty for what is of no one field."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        self.errors = dict(errors)
        super().__init__("; ".join(f"{name}: {text}" if name else text for name, text in errors.items()))


@dataclass(frozen=True)
class FormField:
    """A setting.

    Attributes:
        name: of it. kind: what is entered. item: of a list, the kind of its values; empty otherwise.
        default: as JSON; None: the learner decides. is_optional: whether it may be left empty.
        choices: of a choice all there are; of a text what is suggested. labels: what the page calls them; empty: as they are.
        label: what the page calls it; empty: made from the name. count: of a list how many values; 0: any number.
        help: what it does. group: heading to put it under. redraws: whether other defaults depend on it.
        is_policy: whether it is the spec of a policy, or a list of them. is_word: whether it stands without its name.
    """

    name: str
    kind: Kind
    default: Value
    help: str
    group: str
    item: str = ""
    is_optional: bool = False
    choices: tuple[str, ...] = ()
    count: int = 0
    redraws: bool = False
    labels: tuple[str, ...] = ()
    label: str = ""
    is_policy: bool = False
    is_word: bool = False


@dataclass(frozen=True)
class LearnerForm:
    """A form to fill. name: the word after `boardgym train`, or after `boardgym`. notes: what it cannot do in the studio.

    prefix: of the command's name.
    """

    name: str
    title: str
    help: str
    fields: tuple[FormField, ...]
    notes: tuple[str, ...] = ()
    prefix: str = PREFIX


def learners() -> list[str]:
    """The names of all learners."""
    return [name.removeprefix(PREFIX) for name in COMMANDS if name.startswith(PREFIX)]


def takes(learner: str, name: str) -> bool:
    """Whether the command of a learner has a setting."""
    command = COMMANDS[PREFIX + learner]
    return any(field.name == name for field in fields_of(getattr(module_of(command), command.kind)))


def form_of(learner: str, given: Mapping[str, str] | None = None) -> LearnerForm:
    """The form of a learner.

    given: values of the fields in REDRAWS, on which other defaults depend. Raises FormError.
    """
    if learner not in learners():
        raise FormError({"": f"there is no learner {learner!r}; there are {', '.join(learners())}"})
    command = COMMANDS[PREFIX + learner]
    module = module_of(command)
    kind: type = getattr(module, command.kind)
    default = None
    if command.defaults:
        words = [f"--{name}={value}" for name, value in (given or {}).items() if name in REDRAWS and value]
        try:
            default = getattr(module, command.defaults)(words)
        except BoardgymError as error:
            raise FormError({field_of(str(error), REDRAWS) or "game": str(error)}) from None
    return make_form(learner, command.summary, kind, default)


def command_form(name: str) -> LearnerForm:
    """The form of a command that is no learner."""
    command = COMMANDS[name]
    return make_form(name, command.summary, getattr(module_of(command), command.kind), prefix="")


def make_form(learner: str, title: str, kind: type, default: Any = None, prefix: str = PREFIX) -> LearnerForm:
    """The form of a dataclass of settings. default: one of it with the defaults to show; None: its own."""
    own = own_of(kind)
    fields = tuple(field for field in form_fields(kind, default) if field.name not in own)
    has_opponent = any(field.name == "opponent" for field in fields)
    text = " ".join((kind.__doc__ or "").partition("Attributes:")[0].split())
    return LearnerForm(learner, title, text, fields, (NO_PEOPLE,) if has_opponent else (), prefix)


def own_of(kind: type) -> tuple[str, ...]:
    """The settings of a command that the studio decides itself, or that do nothing there."""
    return (*OWN, *(field.name for field in dataclasses.fields(kind) if field.name == JUDGES))


def form_fields(kind: type, default: Any = None) -> Iterator[FormField]:
    """The settings of a dataclass, those of one within it in its place. default: as of `make_form`."""
    hints, helps = typing.get_type_hints(kind, include_extras=True), help_of(kind)
    for field in dataclasses.fields(kind):
        hint, notes = parts_of(hints[field.name])
        value = usual(field) if default is None else getattr(default, field.name)
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            yield from form_fields(hint, None if value is dataclasses.MISSING else value)
            continue
        noted = next((note.help for note in notes if isinstance(getattr(note, "help", None), str)), "")
        made = form_field(field.name, hint, None if value is dataclasses.MISSING else value, helps.get(field.name, noted))
        yield dataclasses.replace(made, is_policy=Policy in notes, is_word=Positional in notes and field.name != "game")


def form_field(name: str, hint: Any, value: Any, text: str) -> FormField:
    """One setting of a type."""
    hint, is_optional = without_none(hint)
    kind, item, choices, count = kind_of(hint)
    if name == "game":
        choices = tuple(list_games())
    default = plain(value)
    group = next((title for title, names in GROUPS if name in names), METHOD)
    return FormField(name, kind, default, text, group, item, is_optional, choices, count, name in REDRAWS)


def usual(field: "dataclasses.Field[Any]") -> Any:
    """The default of a field, MISSING without one."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def without_none(hint: Any) -> tuple[Any, bool]:
    """A type without None, and whether it had None."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        inner = [one for one in typing.get_args(hint) if one is not type(None)]
        return (parts_of(inner[0])[0] if len(inner) == 1 else str), len(inner) < len(typing.get_args(hint))
    return hint, False


def kind_of(hint: Any) -> tuple[Kind, str, tuple[str, ...], int]:
    """(kind, kind of the values of a list, choices, number of values) of a type."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return "choice", "", tuple(map(str, inner)), 0
    if origin in (tuple, list):
        item = kind_of(parts_of(inner[0])[0])[0] if inner else "text"
        return "list", item, (), len(inner) if origin is tuple and Ellipsis not in inner else 0
    simple: dict[Any, Kind] = {bool: "flag", int: "int", float: "float"}
    return simple.get(hint, "text"), "", (), 0


def plain(value: Any) -> Value:
    """A default as JSON has it."""
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


# ------------------------------------------------------------ from a form to a command line


def arguments_of(form: LearnerForm, values: Mapping[str, Value]) -> list[str]:
    """The words of the command line that a filled form stands for. Raises FormError by field.

    values: of fields; those that are left out, or are as the form shows them at first, are left out of the words too.
    """
    fields = {field.name: field for field in form.fields}
    errors = {name: f"{form.name} has no such setting" for name in values if name not in fields}
    words = dict[str, list[str]]()
    for name, field in fields.items():
        value = values.get(name, field.default)
        value = None if value == "" and (field.is_optional or field.default is None) else value
        is_same = value == field.default and isinstance(value, bool) == isinstance(field.default, bool)  # True is no 1
        is_needed = (name in REDRAWS and is_drawn_for(form, field)) or (field.is_word and value is None)
        if is_same and not is_needed:
            continue
        try:
            words[name] = words_of(field, value)
        except ValueError as error:
            errors[name] = str(error)
    if errors:
        raise FormError(errors)
    first = sorted(words, key=lambda name: not fields[name].is_word)  # a list takes all words after it
    return [word for name in first for word in words[name]]


def is_drawn_for(form: LearnerForm, field: FormField) -> bool:
    """Whether a form shows a game or preset that the learner would not take by itself, since it was drawn for that one."""
    return form.name in learners() and field.default not in [
        one.default for one in form_of(form.name).fields if one.name == field.name
    ]


def words_of(field: FormField, value: Value) -> list[str]:
    """The words that set one field. Raises ValueError with a sentence."""
    option = "--" + field.name.replace("_", "-")
    if value is None:
        if not field.is_optional:
            raise ValueError("is missing")
        return [f"{option}=None"]
    if field.kind == "list":
        return list_words(field, option, value)
    word = word_for(field.kind, value, field.choices)
    if field.kind == "flag" and not field.is_optional:
        return [option if word == "True" else f"--no-{option[2:]}"]
    if field.name == "game":
        word = game_word(word)
    if field.is_word:
        return [word]
    if field.name == "opponent":
        from boardgym.commands.training import is_person  # with all that a terminal shows

        if is_person(word):
            raise ValueError(NO_PEOPLE)
    return [f"{option}={word}"]


def list_words(field: FormField, option: str, value: Value) -> list[str]:
    """The words that set a list."""
    values = value if isinstance(value, list) else str(value).split("\n" if "\n" in str(value) else None)
    if len(values) > MOST_WORDS or (field.count and len(values) != field.count):
        raise ValueError(f"expected {field.count or f'at most {MOST_WORDS}'} values, got {len(values)}")
    words = [word_for(field.item, one, ()) for one in values]
    return [option, *words]


def word_for(kind: str, value: Any, choices: Sequence[str]) -> str:
    """One value as a word. Raises ValueError with a sentence."""
    text = str(value).strip()
    if isinstance(value, (list, dict)) or len(text) > LONGEST_WORD or "\0" in text:
        raise ValueError(f"expected one value of at most {LONGEST_WORD} characters")
    if kind == "flag":
        if text not in ("True", "False"):
            raise ValueError(f"{text!r} is neither true nor false")
        return text
    if kind == "int":
        if isinstance(value, float) and value.is_integer():
            text = str(int(value))
        if isinstance(value, bool) or re.fullmatch(r"[+-]?\d{1,18}", text) is None:
            raise ValueError(f"{text!r} is no whole number")
    elif kind == "float":
        try:
            is_number = not isinstance(value, bool) and float(text) == float(text)
        except ValueError:
            is_number = False
        if not is_number:
            raise ValueError(f"{text!r} is no number")
    elif kind == "choice" and text not in choices:
        raise ValueError(f"{text!r} is none of {', '.join(choices)}")
    elif kind == "text" and text.startswith("-") and re.match(r"-h$|--[a-z_]", text):
        raise ValueError(f"{text!r} would be read as an option")
    return text


def game_word(game: str) -> str:
    """What `boardgym train` takes for a registered game. A file with a game of a user's is run by nobody from here."""
    try:
        return word_of(get_game(game).id)
    except BoardgymError as error:
        raise ValueError(str(error)) from None


def read_form(form: LearnerForm, values: Mapping[str, Value]) -> tuple[list[str], Any]:
    """(words, settings) of a filled form: the settings as `boardgym train` reads them. Raises FormError by field.

    What only the training itself finds out, such as an opponent that cannot play the game, it says when it begins.
    """
    words = arguments_of(form, values)
    names = [field.name for field in form.fields]
    try:
        settings = settings_of(form, words)
        check(settings)
    except UsageError as error:
        raise FormError(blame(form, values) or {"": without_advice(str(error))}) from None
    except BoardgymError as error:
        raise FormError({field_of(str(error), names): str(error)}) from None
    return words, settings


def settings_of(form: LearnerForm, words: list[str]) -> Any:
    """Settings as `boardgym train` reads them, from one thread at a time. Raises UsageError."""
    with PARSER:
        return read_settings(form.prefix + form.name, words)


def check(settings: Any) -> None:
    """What the learners themselves check of their settings before they make anything. Raises BoardgymError."""
    config = getattr(settings, "config", settings)
    if hasattr(settings, "executor"):
        check_workers(config.processes, settings.executor)
    module = sys.modules[type(config).__module__]
    if hasattr(config, "check"):
        config.check()
    elif hasattr(module, "check_config"):
        module.check_config(config)
    elif hasattr(module, "check_settings") and hasattr(config, "game"):
        from boardgym.core.game import read_options

        module.check_settings(config, get_game(config.game, **read_options(config.option or ())))
    if hasattr(module, "phases_of"):
        module.phases_of(config)


def blame(form: LearnerForm, values: Mapping[str, Value]) -> dict[str, str]:
    """The fields that the parser refuses, each read alone, and what it says."""
    errors = dict[str, str]()
    for field in form.fields:
        if field.name not in values:
            continue
        try:
            settings_of(form, arguments_of(form, {field.name: values[field.name]}))
        except UsageError as error:
            errors[field.name] = without_advice(str(error))
    return errors


def without_advice(text: str) -> str:
    """A message of the parser, without the command that shows its help."""
    return re.sub(r"(; see)? boardgym .* --help$", "", text)


def field_of(message: str, names: Sequence[str]) -> str:
    """The field that a message begins with, as "epsilon=2: expected ..." and "epsilon: ..." do; empty if there is none."""
    match = re.match(r"(?:--)?([a-z][a-z0-9_-]*)\s*[=:]", message)
    name = match[1].replace("-", "_") if match else ""
    return name if name in names else ""
