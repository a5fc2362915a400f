"""Spec strings, which name policies everywhere: `make_policy` and the register of names behind it.

random   greedy   minimax:4   minimax:6,nodes=100000   uct:1000   uct:0.5s   human   sb3:runs/ppo.zip
epsilon:0.1(minimax:3)       mix(0.7*greedy, 0.3*uct:50)      (one of a mixture is drawn for each game)
"""

import dataclasses
import importlib
import itertools
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from boardgym.core.errors import SpecError, nearest
from boardgym.core.game import Game, get_game
from boardgym.core.policy import Policy


@dataclass(frozen=True)
class Spec:
    """A parsed spec string: `name:argument,key=value(inner, ...)`, or `mix(w*inner, ...)` with weights."""

    name: str
    argument: str = ""
    keywords: dict[str, str] = dataclasses.field(default_factory=dict)
    inner: tuple["Spec", ...] = ()
    weights: tuple[float, ...] = ()
    text: str = ""


PATH_SPECS = ("sb3", "network", "file", "ntuple")  # all that follows the colon is a path, brackets and commas included
PATH_SETTING = re.compile(rf"\s*\w+\s*=\s*({'|'.join(PATH_SPECS)})\s*:")  # one whose value is such a spec
PATH_ADVICE = "; a path that ends in brackets stands in another pair, as in evaluation=network(ntuple:runs/a(b))"
COMMAND_SPECS = ("engine",)  # the same, of a command
MAX_DEPTH = 50  # brackets in one spec

Factory = Callable[..., Any]  # (spec, game, *, seed, trust) -> Policy
_FACTORIES: dict[str, str] = {}
_MEANINGS: dict[str, str] = {}  # of a name that stands for another spec, what says for which
_EXAMPLES: dict[str, str] = {}
_GAMES: dict[str, str] = {}  # of a name that plays one game alone, what that is called
_MODELS: dict[tuple[str, ...], str] = {}  # attributes that a library's models have -> what makes policies of them


def register_policy(name: str, factory: str = "", *, meaning: str = "", example: str = "", game: str = "") -> None:
    """Makes a spec name known.

    Args:
        name: what stands before the colon.
        factory: "module:function", imported when first asked for. It takes (spec, game, *, seed, trust) and returns a policy.
        meaning: in place of a factory, for a name that stands for another spec: "module:function", which takes (spec, game) and
            returns that spec.
        example: shown by the command line.
        game: the name of the one game that it plays, without a version; empty: any.

    Raises: SpecError: neither factory nor meaning, or both.
    """
    if bool(factory) == bool(meaning):
        raise SpecError(
            f"policy {name!r}: factory={factory!r}, meaning={meaning!r}; expected one of them, as 'module:function'"
        )
    known, other = (_MEANINGS, _FACTORIES) if meaning else (_FACTORIES, _MEANINGS)
    known[name] = meaning or factory
    other.pop(name, None)
    if game:
        _GAMES[name] = game
    else:
        _EXAMPLES[name] = example or name


def register_model(attributes: tuple[str, ...], factory: str) -> None:
    """Makes objects with these attributes, models of another library, known as players.

    factory: "module:function", imported when first asked for; it takes (model, game) and returns a policy.
    """
    _MODELS[attributes] = factory


def policy_examples() -> list[str]:
    """One example of each kind of spec that plays any game."""
    return list(_EXAMPLES.values())


def policies_of_games() -> dict[str, list[str]]:
    """The names of the policies that play one game alone, by the game's name."""
    return {game: [name for name in _GAMES if _GAMES[name] == game] for game in dict.fromkeys(_GAMES.values())}


def make_policy(spec: "str | Policy", game: str | Game, *, seed: int | None = None, trust: bool = False) -> Any:
    """The policy that a spec string names, for a game.

    Args:
        spec: such as "minimax:4"; `boardgym.core.policy_spec` lists the forms. A policy is returned as it is, and the model of
            another library as a policy.
        game: an id or a `Game`.
        seed: of the policy's draws; None takes one from the operating system.
        trust: whether to load files that could execute code on loading.

    Returns:
        A `Policy`.

    Raises:
        SpecError: the string cannot be read, names no policy, or has a bad budget.
        UnknownGameError: no such game.
        UnsupportedGameError: the policy cannot play the game.
        UntrustedFileError: an `sb3:` file without trust.

    Example:
        >>> import boardgym
        >>> from boardgym.baselines import make_policy
        >>> policy = make_policy("perfect", "TicTacToe-v0")
        >>> board = boardgym.Board.from_fen("x2/1o1/2x o", "TicTacToe-v0")
        >>> board.move_text(policy.act(board)), policy.analyse(board).value
        ('b3', 0.0)
    """
    if not isinstance(spec, str):
        if callable(getattr(spec, "act", None)):
            return spec
        for attributes, factory in _MODELS.items():
            if all(hasattr(spec, name) for name in attributes):
                return load_factory(factory)(spec, get_game(game))
        raise SpecError(f"expected a spec string or a policy with act(board), got {spec!r}")
    return build_policy(parse_spec(spec), get_game(game), seed=seed, trust=trust)


def build_policy(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """The policy of a parsed spec."""
    if spec.name in _MEANINGS:
        trust = trust and spec.name != "agent"  # a shelf's catalogue may be a stranger's
        policy = build_policy(dataclasses.replace(meaning_of(spec, game), text=spec.text), game, seed=seed, trust=trust)
        policy.spec = spec.text
        return policy
    if spec.name not in _FACTORIES:
        names = [*_FACTORIES, *_MEANINGS]
        raise SpecError(f"no policy is called {spec.name!r} in {spec.text!r}; {nearest(spec.name, names)}")
    return load_factory(_FACTORIES[spec.name])(spec, game, seed=seed, trust=trust)


def meaning_of(spec: Spec, game: Game) -> Spec:
    """What `best`, `level:N`, `agent:NAME` and the like stand for in a game; any other spec is returned as it is.

    Raises: SpecError, UnsupportedGameError: as `make_policy`.
    """
    if spec.name not in _MEANINGS:
        return spec
    meaning: Spec = load_factory(_MEANINGS[spec.name])(spec, game)
    return meaning


def load_factory(name: str) -> Factory:
    """The function that "module:function" names."""
    module, _, function = name.partition(":")
    factory: Factory = getattr(importlib.import_module(module), function)
    return factory


def parse_spec(text: str) -> Spec:
    """Reads a spec string. Raises SpecError showing what could not be read."""
    if not isinstance(text, str) or not text.strip():
        raise SpecError(f"policy spec {text!r}: expected for example " + ", ".join(map(repr, policy_examples()[:4])))
    text = text.strip()
    if text.count("(") > MAX_DEPTH:
        raise SpecError(f"policy spec of {text.count('(')} brackets; expected at most {MAX_DEPTH}")
    name, _, path = (part.strip() for part in text.partition(":"))
    if name in COMMAND_SPECS:
        return Spec(name, path, text=text)
    if name in PATH_SPECS:
        if not path:
            raise SpecError(f"policy spec {text!r}: expected the path of a file, as in '{name}:runs/model'")
        return Spec(name, path, text=text)
    opened, is_in_path = find_bracket(text)
    head, rest, inner_text = text[:opened], text[opened + 1 :], ""
    advice = PATH_ADVICE if is_in_path else ""
    if opened < len(text):
        if not rest.endswith(")"):
            raise SpecError(f"policy spec {text!r}: the bracket opened after {head!r} is not closed at the end{advice}")
        inner_text = rest[:-1]
        if not inner_text.strip():
            raise SpecError(f"policy spec {text!r}: nothing between the brackets{advice}")
    elif head.count(")") > head.count("("):
        raise SpecError(f"policy spec {text!r}: a bracket is closed that was not opened{advice}")
    name, colon, arguments = (part.strip() for part in head.partition(":"))
    positional: list[str] = []
    keywords: dict[str, str] = {}
    for part in split_outside(arguments) if colon else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not key or (equals and not value):
            raise SpecError(f"policy spec {text!r}: {part!r} is no setting; expected a value, or name=value")
        if key in keywords:
            raise SpecError(f"policy spec {text!r}: {key!r} is given twice")
        if equals:
            keywords[key] = value
        else:
            positional.append(key)
    if len(positional) > 1:
        raise SpecError(f"policy spec {text!r}: more than one argument without a name: {positional}")
    weights, specs = [], []
    for part in split_top(inner_text):
        weighted = re.fullmatch(r"([^:(*]*)\*(.*)", part, re.DOTALL) if name == "mix" else None
        if name == "mix":
            weights.append(read_number(weighted[1] if weighted else "1", text, "weight", above=0.0))
        specs.append(parse_spec(weighted[2] if weighted else part))
    if sum(weights) == float("inf"):
        raise SpecError(f"policy spec {text!r}: the sum of the weights is beyond all numbers")
    return Spec(name, positional[0] if positional else "", keywords, tuple(specs), tuple(weights), text)


def find_bracket(text: str) -> tuple[int, bool]:
    """(where a spec's own bracket opens, with other specs in it, whether it stands in a path); the end of the text without one.

    It is the first that opens, but for those in the path of a setting, as in `evaluation=ntuple:runs/a(b)/agent.safetensors`,
    that are closed before the end of the text: a spec's own is closed there. Raises SpecError for a path that ends in brackets
    before another setting: they would be the spec's own where that setting is left out.
    """
    depths, outside, place = depths_of(text), "", 0
    while True:
        opened = text.find("(", place) if "(" in text[place:] else len(text)
        outside += text[place:opened]
        setting = outside[max(outside.find(":"), outside.rfind(",")) + 1 :]
        is_in_path = PATH_SETTING.match(setting) is not None
        closed = next((i for i in range(opened, len(text)) if depths[i] < depths[opened]), len(text))
        if not is_in_path or closed >= len(text) - 1:
            return opened, is_in_path
        place = closed + 1
        if text[place:].lstrip().startswith(","):
            raise SpecError(f"policy spec {text!r}: the path before {text[place:]!r} ends in brackets{PATH_ADVICE}")


def depths_of(text: str) -> list[int]:
    """Within how many brackets a text is after each character."""
    return [*itertools.accumulate((character == "(") - (character == ")") for character in text)]


def split_outside(text: str, ends: Callable[[str], bool] = lambda rest: True) -> list[str]:
    """Splits at the commas that stand outside brackets. ends: whether such a comma counts, by what follows it."""
    depths = depths_of(text)
    commas = [i for i, character in enumerate(text) if character == "," and depths[i] <= 0 and ends(text[i + 1 :])]
    return [text[start:end] for start, end in zip([0, *(i + 1 for i in commas)], [*commas, len(text)], strict=True)]


def split_top(text: str) -> list[str]:
    """Splits at the commas that stand outside brackets and before a new spec: not before the `key=b` of `name:a,key=b`."""
    if min(depths_of(text), default=0) < 0:
        raise SpecError(f"policy spec {text!r}: a bracket is closed that was not opened")
    parts = split_outside(text, lambda rest: not re.match(r"\s*\w*\s*=", rest)) if text.strip() else []
    return [part.strip() for part in parts]


def read_number(text: str, spec: str, what: str, *, above: float | None = None, kind: type = float) -> Any:
    """A number of a spec. Raises SpecError naming the spec, what the number means, and what was expected."""
    wanted = f"expected {'a whole number' if kind is int else 'a number'}" + ("" if above is None else f" above {above:g}")
    try:
        value = kind(text)
    except ValueError:
        raise SpecError(f"policy spec {spec!r}: {what} {text!r}; {wanted}") from None
    largest = 2**63 - 1 if kind is int else sys.float_info.max  # what a row of settings can hold
    if not -largest <= value <= largest or (above is not None and value <= above):
        raise SpecError(f"policy spec {spec!r}: {what} {text!r}; {wanted}")
    return value


def refuse_extras(spec: Spec, *, keywords: Sequence[str] = (), argument: bool = True, inner: int = 0) -> None:
    """Raises SpecError if a spec has parts that its policy does not know."""
    for key in spec.keywords:
        if key not in keywords:
            known = nearest(key, keywords) if keywords else "it takes none"
            raise SpecError(f"policy spec {spec.text!r}: unknown setting {key!r}; {known}")
    if spec.argument and not argument:
        raise SpecError(f"policy spec {spec.text!r}: {spec.name} takes no argument, got {spec.argument!r}")
    if len(spec.inner) != inner:
        raise SpecError(f"policy spec {spec.text!r}: expected {inner or 'no'} policies in brackets, got {len(spec.inner)}")


for _name, _factory, _example in (
    ("random", "boardgym.baselines.players.simple:make_random", "random"),
    ("greedy", "boardgym.baselines.search.greedy:make_greedy", "greedy"),
    ("minimax", "boardgym.baselines.search.minimax_options:make_minimax", "minimax:4"),
    ("maxn", "boardgym.baselines.search.maxn:make_maxn", "maxn:3"),
    ("expectiminimax", "boardgym.baselines.search.minimax_options:make_expectiminimax", "expectiminimax:2"),
    ("uct", "boardgym.baselines.search.uct:make_uct", "uct:1000"),
    ("puct", "boardgym.baselines.search.uct_options:make_puct", "puct:1000"),
    ("perfect", "boardgym.baselines.perfect.policy:make_perfect", "perfect"),
    ("epsilon", "boardgym.baselines.players.mixtures:make_epsilon", "epsilon:0.1(minimax:3)"),
    ("slip", "boardgym.baselines.players.mixtures:make_slip", "slip:0.1(perfect)"),
    ("mix", "boardgym.baselines.players.mixtures:make_mixture", "mix(0.7*greedy, 0.3*uct:50)"),
    ("human", "boardgym.baselines.players.human:make_human", "human"),
    ("sb3", "boardgym.wrappers.sb3:make_sb3", "sb3:runs/ppo.zip"),
    ("network", "boardgym.baselines.networks.network:make_network", "network:net.safetensors"),
    ("file", "boardgym.baselines.learning.agent_files:make_agent", "file:agent.safetensors"),
    ("ntuple", "boardgym.baselines.learning.ntuple.agent:make_ntuple", "ntuple:agent.safetensors"),
    ("engine", "boardgym.baselines.engines.policies:make_engine", "engine:gtp:gtp-rhino"),
    ("openspiel", "boardgym.wrappers.openspiel:make_openspiel", "openspiel:mcts:100"),
):
    register_policy(_name, _factory, example=_example)
for _name, _meaning, _example in (
    ("best", "boardgym.baselines.search.best:best_spec", "best:1s"),
    ("level", "boardgym.baselines.players.levels:level_spec", "level:5"),
    ("agent", "boardgym.baselines.shelf.policy:agent_spec", "agent:othello"),
):
    register_policy(_name, meaning=_meaning, example=_example)
for _name, _game in (
    ("positional", "Othello"),
    ("mobility", "Othello"),
    ("parity", "Othello"),
    ("max_disc", "Othello"),
    ("league", "Othello"),
    ("mills", "NineMensMorris"),
):
    register_policy(_name, "boardgym.baselines.search.greedy:make_named", game=_game)
register_model(("predict", "policy"), "boardgym.wrappers.sb3:from_sb3")
