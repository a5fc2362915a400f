"""The options of `minimax:D,option=value` as settings of `refined.py`."""

import math
from collections.abc import Sequence

from boardgym.baselines.search.probcut import find_regression
from boardgym.baselines.search.refined import BY_HEURISTIC, GIVEN, WORST_FIRST, Refined
from boardgym.core import verbs
from boardgym.core.errors import SpecError, UnsupportedGameError, nearest
from boardgym.core.game import Game
from boardgym.core.policy import Spec, read_number

MAX_QUIESCENCE = 50
ORDERS = {"given": GIVEN, "heuristic": BY_HEURISTIC, "worst": WORST_FIRST}


def read_switch(spec: Spec, name: str, usual: int) -> int:
    """A setting that is 0 or 1. Raises SpecError."""
    text = spec.keywords.get(name, str(usual))
    if text not in ("0", "1"):
        raise SpecError(f"policy spec {spec.text!r}: {name}={text}; expected 0 (off) or 1 (on)")
    return int(text)


def read_margin(spec: Spec, name: str, most: float = 2.0) -> float:
    """A positive number up to `most`, 0.0 where the setting is not given. Raises SpecError."""
    if name not in spec.keywords:
        return 0.0
    value = float(read_number(spec.keywords[name], spec.text, name, above=0.0))
    if value > most:
        raise SpecError(f"policy spec {spec.text!r}: {name}={spec.keywords[name]}; expected at most {most:g}")
    return value


def read_count(spec: Spec, name: str, most: int, usual: int = 0) -> int:
    """A whole number from 1 to `most`, `usual` where the setting is not given. Raises SpecError."""
    if name not in spec.keywords:
        return usual
    value = int(read_number(spec.keywords[name], spec.text, name, above=0, kind=int))
    if value > most:
        raise SpecError(f"policy spec {spec.text!r}: {name}={value}; expected at most {most}")
    return value


def read_choice(spec: Spec, name: str, choices: Sequence[str]) -> str:
    """One of several words, the first where the setting is not given. Raises SpecError."""
    text = spec.keywords.get(name, choices[0])
    if text not in choices:
        raise SpecError(f"policy spec {spec.text!r}: no {name} {text!r}; {nearest(text, choices)}")
    return text


def refuse_idle(spec: Spec, game: Game) -> None:
    """Raises SpecError, UnsupportedGameError for settings that would do nothing beside the others, or in this game."""
    keys = spec.keywords
    for name, bare in (("order", "given"), ("beam", None), ("quiescence", None)):
        verb = "noisy_actions" if name == "quiescence" else "heuristic"
        has_verb = verbs.has_rule(verb, game.position_class) or (verb == "heuristic" and "evaluation" in keys)
        if name in keys and keys[name] != bare and not has_verb:
            raise UnsupportedGameError(f"policy spec {spec.text!r}: {name}= asks for the verb {verb!r}, which {game.id} does "
                                       f"not define")  # fmt: skip
    if keys.get("alphabeta") == "0":
        for name in ("pvs", "aspiration", "probcut"):
            if keys.get(name, "0") != "0":
                raise SpecError(f"policy spec {spec.text!r}: {name}= narrows the window of alpha-beta, which alphabeta=0 "
                                f"switches off; expected one of them")  # fmt: skip
    if "probcut" in keys and "evaluation" in keys:
        raise SpecError(f"policy spec {spec.text!r}: probcut= has its regression of the game's heuristic, which "
                        f"evaluation= replaces; expected one of them")  # fmt: skip
    if "avoid" in keys and game.repetition_limit == 0:
        raise UnsupportedGameError(f"policy spec {spec.text!r}: avoid= is for games that end by repetition; {game.id} has "
                                   f"no such rule")  # fmt: skip
    if keys.get("table") == "0" and "table_bits" in keys:
        raise SpecError(f"policy spec {spec.text!r}: table=0 with table_bits={keys['table_bits']}; expected one of them")


def read_options(spec: Spec, game: Game, depth: int, max_nodes: int, table_bits: int, scale: float) -> Refined:
    """The settings of a spec with options.

    Raises SpecError, also where ProbCut has no regression for the game; UnsupportedGameError, see `refuse_idle`.
    """
    refuse_idle(spec, game)
    beam = read_count(spec, "beam", game.max_legal_actions)
    deep, shallow = read_count(spec, "deep", 99, 4), read_count(spec, "shallow", 98, 2)
    slope, offset, deviation = 1.0, 0.0, 0.0
    reach = read_margin(spec, "probcut", math.inf)
    if reach > 0.0:
        if shallow >= deep:
            raise SpecError(f"policy spec {spec.text!r}: deep={deep}, shallow={shallow}; expected deep > shallow")
        slope, offset, deviation = find_regression(game, deep, shallow, spec.text)
    elif "deep" in spec.keywords or "shallow" in spec.keywords:
        raise SpecError(f"policy spec {spec.text!r}: deep and shallow belong to probcut=t, which is missing")
    return Refined(
        depth,
        max_nodes,
        table_bits if read_switch(spec, "table", 1) else 0,
        scale,
        read_switch(spec, "alphabeta", 1),
        read_switch(spec, "killers", 1),
        read_switch(spec, "history", 1),
        ORDERS[read_choice(spec, "order", tuple(ORDERS))],
        read_switch(spec, "pvs", 0),
        read_margin(spec, "aspiration"),
        read_count(spec, "quiescence", MAX_QUIESCENCE),
        read_margin(spec, "singular"),
        0 if beam >= game.max_legal_actions else beam,
        reach,
        deep,
        shallow,
        slope,
        offset,
        deviation,
        read_margin(spec, "avoid"),
    )
