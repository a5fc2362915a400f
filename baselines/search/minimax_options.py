"""Reading the specs of minimax and expectiminimax, as `minimax:6,pvs=1,order=heuristic`; docs/search_minimax.md says more."""

import math
from collections.abc import Sequence
from typing import Any

from boardgym.baselines.search.alphabeta_stack import BY_HEURISTIC, GIVEN, WORST_FIRST
from boardgym.baselines.search.common import (
    SLOWER,
    evaluation_for,
    has_whole_key,
    is_short_budget,
    read_budget,
    require_two_seats,
    room_in_brackets,
    scale_of,
    slowness,
)
from boardgym.baselines.search.interrupt import SearchPolicy
from boardgym.baselines.search.minimax import MAX_DEPTH, Expectiminimax, Minimax, RefinedMinimax
from boardgym.baselines.search.probcut import find_regression
from boardgym.baselines.search.table import ENTRY_BYTES
from boardgym.core import verbs
from boardgym.core.errors import SpecError, UnsupportedGameError, nearest
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, read_number, refuse_extras
from boardgym.core.variants import variant

LEAST_TABLE_BITS, USUAL_TABLE_BITS, MOST_TABLE_BITS = 4, 20, 22  # log2 of the number of entries; 22: 100 MB, cleared in 50 ms
OPTIONS = ("alphabeta", "table", "killers", "history", "order", "pvs", "aspiration", "quiescence", "singular", "beam",
           "probcut", "deep", "shallow", "avoid")  # fmt: skip
MAX_QUIESCENCE = 50
ORDERS = {"given": GIVEN, "heuristic": BY_HEURISTIC, "worst": WORST_FIRST}


def make_minimax(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`minimax:D`, `minimax:0.5s`; nodes= the most positions to visit, time= a limit besides the depth; OPTIONS.

    table_bits=: log2 of the number of entries of the table. evaluation=: see `evaluations.py`.

    Raises SpecError, UnsupportedGameError.
    """
    refuse_extras(spec, keywords=("nodes", "time", "table_bits", "evaluation", *OPTIONS), inner=room_in_brackets(spec))
    require_two_seats(spec, game)
    evaluation = evaluation_for(spec, game, seed=seed, trust=trust)
    number, seconds, nodes = read_budget(spec, "the depth in plies", MAX_DEPTH)
    depth, max_nodes = number or MAX_DEPTH, nodes or 0
    settings: Any = Minimax(depth, max_nodes, table_bits_for(spec, game, depth, max_nodes), scale_of(game))
    has_options = any(name in spec.keywords for name in OPTIONS)
    if has_options:
        settings = read_options(spec, game, settings)
    goes_deeper = "quiescence" in spec.keywords or "singular" in spec.keywords
    slower = slowness(evaluation, SLOWER if has_options else 1)
    is_short = is_short_budget(game.max_legal_actions, 0 if goes_deeper else depth, max_nodes, slower)
    return SearchPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed, evaluation=evaluation)


def make_expectiminimax(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`expectiminimax:D`, `expectiminimax:0.5s`; star=0, 1 or 2 (the default); nodes=, time=, evaluation= as of minimax.

    depth=turns (the default) or depth=plies: what D counts, see `minimax.py`.

    Raises SpecError, UnsupportedGameError.
    """
    refuse_extras(spec, keywords=("nodes", "time", "star", "depth", "evaluation"), inner=room_in_brackets(spec))
    require_two_seats(spec, game)
    evaluation = evaluation_for(spec, game, seed=seed, trust=trust)
    counts_turns = read_choice(spec, "depth", ("turns", "plies")) == "turns"
    number, seconds, nodes = read_budget(spec, f"the depth in {'turns' if counts_turns else 'plies'}", MAX_DEPTH)
    star = read_number(spec.keywords.get("star", "2"), spec.text, "star", above=-1, kind=int)
    if star > 2:
        raise SpecError(f"policy spec {spec.text!r}: star={star}; expected 0 (no pruning of rolls), 1 or 2")
    depth, max_nodes = number or MAX_DEPTH, nodes or 0
    kind: Any = variant(Expectiminimax, TURNS=counts_turns)  # mypy takes the constants of the class for fields
    settings = kind(depth, max_nodes, 0, scale_of(game), star, int(has_whole_key(game)))
    is_short = is_short_budget(
        game.max_legal_actions * max(game.num_outcomes, 1),
        0 if counts_turns else depth,  # how many plies a turn has is not known
        max_nodes,
        slowness(evaluation, SLOWER),
    )
    return SearchPolicy(game, settings, spec.text, seconds=seconds, is_short=is_short, seed=seed, evaluation=evaluation)


def table_bits_for(spec: Spec, game: Game, depth: int, max_nodes: int) -> int:
    """log2 of the entries of the table: what the spec says, else by depth and nodes; 0 where there is none.

    There is none where positions depend on more than their key, and by itself none for depths that do not need one.
    Raises SpecError, UnsupportedGameError.
    """
    has_none = not has_whole_key(game)
    if "table_bits" in spec.keywords:
        bits = int(read_number(spec.keywords["table_bits"], spec.text, "table_bits", kind=int))
        if not LEAST_TABLE_BITS <= bits <= MOST_TABLE_BITS:
            raise SpecError(
                f"policy spec {spec.text!r}: table_bits={bits}; expected {LEAST_TABLE_BITS} to {MOST_TABLE_BITS}, "
                f"for 2**bits entries of {ENTRY_BYTES} bytes"
            )
        if has_none:
            raise UnsupportedGameError(
                f"policy spec {spec.text!r}: {game.id} has no table, for there a position "
                f"depends on more than its key (clocks, repetition): leave table_bits= out"
            )
        return bits
    if depth <= 2 or has_none:
        return 0
    bits = min(USUAL_TABLE_BITS, 2 * depth - 1)
    return max(1, min(bits, max_nodes.bit_length())) if max_nodes else bits


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
                raise SpecError(
                    f"policy spec {spec.text!r}: {name}= narrows the window of alpha-beta, which alphabeta=0 "
                    f"switches off; expected one of them"
                )
    if "probcut" in keys and "evaluation" in keys:
        raise SpecError(
            f"policy spec {spec.text!r}: probcut= has its regression of the game's heuristic, which "
            f"evaluation= replaces; expected one of them"
        )
    if "avoid" in keys and game.repetition_limit == 0:
        raise UnsupportedGameError(
            f"policy spec {spec.text!r}: avoid= is for games that end by repetition; {game.id} has no such rule"
        )
    if keys.get("table") == "0" and "table_bits" in keys:
        raise SpecError(f"policy spec {spec.text!r}: table=0 with table_bits={keys['table_bits']}; expected one of them")


def read_options(spec: Spec, game: Game, plain: Any) -> Any:
    """The settings of a spec with options. plain: those without.

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
    quiescence, singular = read_count(spec, "quiescence", MAX_QUIESCENCE), read_margin(spec, "singular")
    return variant(RefinedMinimax, SELECTIVE=bool(quiescence or singular or reach))(
        depth=plain.depth,
        max_nodes=plain.max_nodes,
        table_bits=plain.table_bits if read_switch(spec, "table", 1) else 0,
        scale=plain.scale,
        alphabeta=read_switch(spec, "alphabeta", 1),
        killers=read_switch(spec, "killers", 1),
        history=read_switch(spec, "history", 1),
        order=ORDERS[read_choice(spec, "order", tuple(ORDERS))],
        pvs=read_switch(spec, "pvs", 0),
        aspiration=read_margin(spec, "aspiration"),
        quiescence=quiescence,
        singular=singular,
        beam=0 if beam >= game.max_legal_actions else beam,
        probcut=reach,
        deep=deep,
        shallow=shallow,
        slope=slope,
        offset=offset,
        deviation=deviation,
        avoid=read_margin(spec, "avoid"),
    )
