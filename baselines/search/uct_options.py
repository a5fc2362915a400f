"""Reading the specs of UCT with refinements: `uct:1000,rave=300,playout=mast`. What each does: docs/search_uct.md."""

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from boardgym.baselines.search import uct_playouts as po
from boardgym.baselines.search import uct_values as uv
from boardgym.baselines.search.common import (
    evaluation_for,
    read_budget,
    read_once,
    require_two_seats,
    room_in_brackets,
    scale_of,
    slowness,
)
from boardgym.baselines.search.uct import UCT, RefinedUCT
from boardgym.baselines.search.uct_policies import KeptTreePolicy, ParallelPolicy, UCTPolicy
from boardgym.baselines.search.uct_selection import has_known_estimates
from boardgym.baselines.search.uct_tree import bytes_per_node
from boardgym.compile.card import check_card
from boardgym.core import verbs
from boardgym.core.errors import OptionError, SpecError, UnsupportedGameError, nearest
from boardgym.core.game import Game
from boardgym.core.policy_spec import Spec, build_policy, read_number, refuse_extras
from boardgym.core.variants import variant

C_UCT = 0.7
MAX_SIMULATIONS = 1_000_000_000
MAX_NODES = 4_000_000  # room of the tree unless the spec says otherwise
MOST_NODES = 100_000_000  # that a spec may say: 3.6 GB, 36 bytes each; the columns of the tree hold int32
MOST_REFINED_NODES = 50_000_000  # with refinements: up to 3.4 GB, 68 bytes each, with two seats
SHORT_PLIES = 60_000  # simulations times longest game: below it, a search is too short to need interrupting
BUDGET = ("c", "nodes", "memory", "time")
UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9}
REFINEMENTS = ("puct", "prior", "rave", "fpu", "bias", "neural_mcts", "urgency", "decisive", "playout", "tau", "cutoff",
               "cutoff_range", "stability", "leaf", "mix", "evaluation", "reuse", "threads", "solver", "choice", "least_visits",
               "symmetry", "leaves", "leaf_playouts", "device")  # fmt: skip
# With no others, the search needs no more memory than plain UCT.
AS_PLAIN = ("threads", "solver", "choice", "least_visits", "symmetry", "leaves", "leaf_playouts", "device")
FIELDS = {"c_uct": "c", "c_puct": "puct"}  # the constants by the names that they have elsewhere in the package
PRIORS = ("uniform", "heuristic", "network")
PLAYOUTS = ("uniform", "mast", "to_mast", "past", "fast", "softmax")  # as numbered in `uct_playouts`
CHOICES = ("robust_child", "max_child")
LEAVES = ("playout", "heuristic", "mix")
CUTOFFS = ("cutoff", "cutoff_range", "stability")
DEVICES = ("cpu", "cuda")
OF_PLAYOUTS = ("playout", "tau", *CUTOFFS, "mix", "leaves", "leaf_playouts", "device")
# What looks into playouts, or takes their place; and what needs a search of its own kind.
NOT_WITH_LEAF_PLAYOUTS = ("rave", "decisive", "playout", "tau", *CUTOFFS, "mix", "evaluation", "reuse", "threads", "time")
OTHER_LEAVES = (("leaf", "heuristic"), ("leaf", "mix"), ("prior", "network"))
LEAF_PLAYOUTS, MOST_LEAF_PLAYOUTS = 32, 65_536  # unless told; a warp of a card plays so many
# What learns from playouts, in their order; and what needs a search of its own kind.
NOT_WITH_LEAVES = ("rave", "decisive", "playout", "tau", "cutoff_range", "stability", "reuse", "device")
MOST_LEAVES = 1024
MOST_VISITS = 2_000_000_000  # of a node
C_PUCT, TAU, LEAST_TAU, MIX = 1.25, 0.2, 0.02, 0.5
MOST_WEIGHT = 2.0  # of the evaluation in NeuralMCTS, where what it says alone widens the search
MOST_THREADS = 256
SLOWER = 2  # how many times longer a simulation may take than a plain one; with some settings so many times that:
SLOWER_YET = {po.PAST: 50, po.FAST: 10, po.SOFTMAX: 50}
DECISIVE_SLOWER = 5


class Reader:
    """The keywords of a spec, each read with its bounds. Raises SpecError naming what was expected."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    def number(self, key: str, what: str, default: float, *, low: float, high: float, kind: type = float) -> Any:
        """A number in [low, high], or the default."""
        if key not in self.spec.keywords:
            return default
        value = read_number(self.spec.keywords[key], self.spec.text, f"{what} {key}", kind=kind)
        if not low <= value <= high:
            expected = f"{low:g} to {high:g}" if high < math.inf else f"{low:g} or more"
            raise SpecError(f"policy spec {self.spec.text!r}: {what} {key}={value:g}; expected {expected}")
        return value

    def name(self, key: str, known: tuple[str, ...]) -> int:
        """The index of a name, 0 if the key is not there."""
        word = self.spec.keywords.get(key, known[0])
        if word not in known:
            raise SpecError(f"policy spec {self.spec.text!r}: {key}={word}; {nearest(word, known)}")
        return known.index(word)

    def flag(self, key: str) -> int:
        """0 or 1."""
        return self.name(key, ("0", "1"))

    def needs(self, key: str, other: str, is_there: bool) -> None:
        """Raises SpecError where a key is given without what it belongs to."""
        if key in self.spec.keywords and not is_there:
            raise SpecError(f"policy spec {self.spec.text!r}: {key}= goes with {other}, which is not there")

    def has_no_effect(self, key: str, other: str, is_there: bool, advice: str) -> None:
        """Raises SpecError where a key is given beside what takes its effect away."""
        if key in self.spec.keywords and is_there:
            raise SpecError(f"policy spec {self.spec.text!r}: {key}= has no effect beside {other}; {advice}")


def make_uct(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`uct:N` simulations or `uct:0.5s`; c= the exploration constant, nodes= or memory= the room, time= as well; REFINEMENTS.

    threads= for searches beside each other. At most MAX_SIMULATIONS simulations, and MOST_NODES nodes.

    Raises SpecError, UnsupportedGameError.
    """
    spec = with_short_names(spec)
    reader = Reader(spec)
    has_network = spec.keywords.get("prior") == "network"
    if has_network and "evaluation" in spec.keywords:
        raise SpecError(f"policy spec {spec.text!r}: prior=network beside evaluation=; expected one of them")
    refuse_extras(spec, keywords=(*BUDGET, *REFINEMENTS, *FIELDS), inner=1 if has_network else room_in_brackets(spec))
    if game.num_seats <= 2 or "evaluation" in spec.keywords:
        require_two_seats(spec, game)
    evaluation = evaluation_for(spec, game, seed=seed, trust=trust)
    if "leaves" in spec.keywords:
        return make_shared_tree(spec, reader, game, evaluation, seed=seed)
    if {"leaf_playouts", "device"} & spec.keywords.keys():
        return make_leaf_parallel(spec, reader, game, seed=seed)
    settings, seconds = read_settings(spec, reader, game)
    keeps = reader.flag("reuse") == 1
    if keeps and spec.keywords.get("threads", "1") != "1":
        raise SpecError(f"policy spec {spec.text!r}: reuse=1 with threads={spec.keywords['threads']}; expected one of them")
    network: tuple[Any, ...] = ()
    if has_network and spec.inner:
        if spec.inner[0].name != "network":
            raise SpecError(f"policy spec {spec.text!r}: priors of {spec.inner[0].text!r}; expected network(network:FILE)")
        inner = spec.inner[0]
        priors = read_once(f"prior={inner!r}", lambda: build_policy(inner, game, seed=seed, trust=trust))
        settings, network = with_network(settings, priors)
    settings = with_memory(
        settings, spec, game, reader.number("threads", "the number of", 1, low=1, high=MOST_THREADS, kind=int)
    )
    slower = slowness_of(settings) * slowness(evaluation, 1)
    is_short = not network and settings.simulations * game.max_plies * slower <= SHORT_PLIES  # how long those take is unknown
    data = (() if evaluation is None else evaluation.data, network, ())
    policy = UCTPolicy(game, settings, spec.text, data=data, seconds=seconds, is_short=is_short, seed=seed)
    if keeps:
        room = min(settings.max_nodes, 1 + 2 * settings.simulations * game.max_choices)
        return KeptTreePolicy(policy, max(room, 1 + game.max_choices))
    return on_threads(policy, spec, seed=seed)


def make_leaf_parallel(spec: Spec, reader: Reader, game: Game, *, seed: int | None) -> Any:
    """`uct:N,leaf_playouts=K`, `uct:N,device=cuda`: UCT whose leaves are played out K times at once, on a card if wanted.

    Raises SpecError, UnsupportedGameError; SpecError too where there is no card.
    """
    from boardgym.baselines.search.uct_leaves import LeafParallelUCT  # few searches need it

    asked = "leaf_playouts" if "leaf_playouts" in spec.keywords else "device"
    refuse_beside(
        spec,
        asked,
        NOT_WITH_LEAF_PLAYOUTS,
        OTHER_LEAVES,
        "a number of simulations whose playouts are uniform and run to the end",
    )
    settings, _ = read_settings(spec, reader, game)
    settings, games = with_leaf_playouts(settings, reader, LEAF_PLAYOUTS, MOST_LEAF_PLAYOUTS)
    device = DEVICES[reader.name("device", DEVICES)]
    if device == "cuda":
        try:
            check_card()
        except OptionError as error:
            raise SpecError(f"policy spec {spec.text!r}: {error}") from error
    return LeafParallelUCT(game, with_memory(settings, spec, game, 1), spec.text, games=games, device=device, seed=seed)


def make_shared_tree(spec: Spec, reader: Reader, game: Game, evaluation: Any, *, seed: int | None) -> Any:
    """`uct:N,leaves=L`: UCT that plays out L leaves of its tree at a time, on `threads=` threads. Raises SpecError."""
    from boardgym.baselines.search.uct_shared_tree import SharedTreePolicy  # few searches need it

    refuse_beside(
        spec,
        "leaves",
        NOT_WITH_LEAVES,
        (("prior", "network"),),
        "a search by uct: whose playouts learn nothing from each other",
    )
    settings, seconds = read_settings(spec, reader, game)
    if has_known_estimates(type(settings)) and settings.hints and settings.leaf == uv.HEURISTIC:
        raise SpecError(
            f"policy spec {spec.text!r}: leaves= with priors and leaves by a heuristic, which is asked when a node gets its "
            "children: there is nothing left to share; expected leaf=playout or leaf=mix, or no leaves="
        )
    leaves = reader.number("leaves", "the number of", 1, low=1, high=MOST_LEAVES, kind=int)
    settings, games = with_leaf_playouts(settings, reader, 1, MOST_LEAF_PLAYOUTS // leaves)
    is_valued = reader.name("leaf", LEAVES) == uv.HEURISTIC
    reader.has_no_effect("leaf_playouts", "leaf=heuristic", is_valued, "which gives a leaf one value")
    threads = reader.number("threads", "the number of", 1, low=1, high=MOST_THREADS, kind=int)
    slower = slowness_of(settings) * slowness(evaluation, 1)
    return SharedTreePolicy(
        game,
        with_memory(settings, spec, game, 1),
        spec.text,
        leaves=leaves,
        games=games,
        threads=threads,
        data=(() if evaluation is None else evaluation.data, (), ()),
        seconds=seconds,
        is_short=settings.simulations * games * game.max_plies * slower <= SHORT_PLIES,
        seed=seed,
    )


def refuse_beside(spec: Spec, asked: str, keys: Sequence[str], values: Sequence[tuple[str, str]], expected: str) -> None:
    """Raises SpecError where a setting is given that does not go with the one that was asked for.

    keys: of such settings, whatever their value; "time" is a limit in seconds. values: those with one value.
    """
    others = [f"{key}=" for key in keys if key in spec.keywords]
    others += [f"{key}={name}" for key, name in values if spec.keywords.get(key) == name]
    if "time" in keys and spec.argument.endswith("s"):
        others.append(f"the time {spec.argument!r}")
    if others:
        raise SpecError(f"policy spec {spec.text!r}: {asked}= does not go with {others[0]}; expected {expected}")


def with_leaf_playouts(settings: Any, reader: Reader, usual: int, most: int) -> tuple[Any, int]:
    """Settings of a search that plays each leaf out so many times, which it counts as visits; and how many times."""
    is_bound = settings.simulations == MAX_SIMULATIONS  # a clock, or somebody, ends the search
    most = most if is_bound else min(most, MOST_VISITS // settings.simulations)
    games = reader.number("leaf_playouts", "the number of", min(usual, most), low=1, high=most, kind=int)
    if type(settings).LEAST_VISITS:
        settings = settings._replace(least_visits=settings.least_visits * games)
    return settings._replace(simulations=min(settings.simulations, MOST_VISITS // games)), games


def with_short_names(spec: Spec) -> Spec:
    """The same spec with `c=` for `c_uct=` and `puct=` for `c_puct=`. Raises SpecError where both are given."""
    for name, short in FIELDS.items():
        if {name, short} <= spec.keywords.keys():
            raise SpecError(f"policy spec {spec.text!r}: {short}= and {name}= are the same setting; expected one of them")
    return dataclasses.replace(spec, keywords={FIELDS.get(name, name): value for name, value in spec.keywords.items()})


def slowness_of(settings: UCT | RefinedUCT) -> int:
    """How many times longer than one of plain UCT a simulation may take."""
    if isinstance(settings, UCT):
        return 1
    return SLOWER * SLOWER_YET.get(settings.playout, 1) * (DECISIVE_SLOWER if settings.decisive else 1)


def make_puct(spec: Spec, game: Game, *, seed: int | None, trust: bool) -> Any:
    """`puct:N`: `uct:N,prior=heuristic,leaf=heuristic` unless it says others; what that is worth: docs/search_uct.md.

    In a game that does not define the verb `heuristic`, without evaluation=, it is `uct:N`. Raises SpecError,
    UnsupportedGameError.
    """
    if not verbs.has_rule("heuristic", game.position_class) and "evaluation" not in spec.keywords:
        return make_uct(spec, game, seed=seed, trust=trust)
    if "neural_mcts" in spec.keywords:
        raise SpecError(f"policy spec {spec.text!r}: neural_mcts= is a selection of its own; expected it with uct:")
    for key in OF_PLAYOUTS:
        if key in spec.keywords and "leaf" not in spec.keywords:
            raise SpecError(
                f"policy spec {spec.text!r}: puct has leaf=heuristic unless told, without playouts; {key}= goes "
                "with leaf=playout or leaf=mix"
            )
    usual = {"prior": "heuristic", "leaf": "heuristic"}
    return make_uct(dataclasses.replace(spec, keywords=usual | spec.keywords), game, seed=seed, trust=trust)


def on_threads(policy: UCTPolicy, spec: Spec, *, seed: int | None) -> Any:
    """The search itself, or as many as `threads=` says beside each other. Raises SpecError."""
    threads = Reader(spec).number("threads", "the number of", 1, low=1, high=MOST_THREADS, kind=int)
    return ParallelPolicy(policy, threads, seed=seed) if threads > 1 else policy


def with_network(settings: Any, network: Any) -> tuple[RefinedUCT, tuple[Any, ...]]:
    """Settings of a search that has its priors of a network, and the network's arrays."""
    from boardgym.baselines.search.uct_network import NetworkUCT

    own = settings._replace(is_tanh=network.settings.is_tanh, temperature=network.settings.temperature)
    kind = type(settings)
    return with_options(NetworkUCT(*own), 2, solves=kind.SOLVES, max_child=kind.MAX_CHILD), tuple(network.data)


def with_memory(settings: Any, spec: Spec, game: Game, threads: int) -> Any:
    """The same settings with room for the nodes that `memory=` holds. Raises SpecError."""
    if "memory" not in spec.keywords:
        return settings
    text, each = spec.keywords["memory"], bytes_per_node(settings)
    if "nodes" in spec.keywords:
        raise SpecError(f"policy spec {spec.text!r}: nodes= and memory= are the same limit; expected one of them")
    unit = UNITS.get(text[-2:].upper())
    if unit is None:
        raise SpecError(f"policy spec {spec.text!r}: the memory {text!r}; expected KB, MB or GB, as in memory=64MB")
    nodes = int(min(read_number(text[:-2], spec.text, "the memory", above=0.0) * unit / each, 1e15))  # it may be infinite
    least, most = threads * (1 + game.max_choices), most_nodes_of(spec)
    if not least <= nodes <= most:
        raise SpecError(
            f"policy spec {spec.text!r}: memory={text} holds {nodes:,} nodes of {each} bytes; expected {least:,} to "
            f"{most:,} nodes, {-(-least * each // UNITS['KB'])}KB to {most * each // UNITS['MB']}MB"
        )
    return settings._replace(max_nodes=nodes)


def most_nodes_of(spec: Spec) -> int:
    """The most nodes that a search by the settings of a spec may have."""
    is_plain = not set(REFINEMENTS) & spec.keywords.keys() - set(AS_PLAIN)
    return MOST_NODES if is_plain else MOST_REFINED_NODES


def with_options(settings: RefinedUCT, seats: int, *, solves: bool, max_child: bool, symmetry: bool = False) -> Any:
    """The same settings, of the class whose constants say which options are on; of plain UCT where none needs its settings.

    solves, max_child: whether ends are proven, and whether the choice is the child with the greatest mean. symmetry: whether
    actions that lead to equal boards are one.
    """
    is_early = settings.cutoff_range >= 0.0 or settings.stability > 0.0
    learns = settings.playout != po.UNIFORM or settings.decisive == 1
    options = {
        "GUIDED": bool(settings.c_puct > 0.0 or settings.hints or settings.has_fpu or settings.urgency or settings.decisive)
        or settings.rave > 0.0,
        "RAVE": settings.rave > 0.0,
        "LEARNS": learns,
        "RECORDS": learns or settings.rave > 0.0,
        "ESTIMATES": settings.leaf != uv.PLAYOUT or settings.cutoff > 0 or is_early,
        "SOFTMAX": settings.playout == po.SOFTMAX,
        "EARLY_CUTS": is_early,
        "LEAST_VISITS": settings.least_visits > 0,
        "SYMMETRY": symmetry,
    }
    base = type(settings) if seats > 2 or any(options.values()) else UCT
    kind = variant(base, SEATS=seats, HAS_MORE_SEATS=seats > 2, SOLVES=solves, MAX_CHILD=max_child, **options)
    return kind(*settings[: len(base._fields)])


def read_settings(spec: Spec, reader: Reader, game: Game) -> tuple[Any, float | None]:
    """The settings that a spec asks for, and the seconds."""
    what, most_nodes = "the number of simulations", most_nodes_of(spec)
    simulations, seconds, nodes = read_budget(spec, what, MAX_SIMULATIONS, most_nodes=most_nodes)
    keys = spec.keywords
    prior, playout, leaf = (reader.name(*pair) for pair in (("prior", PRIORS), ("playout", PLAYOUTS), ("leaf", LEAVES)))
    reader.needs("tau", "playout=mast, to_mast, past, fast or softmax", playout != po.UNIFORM)
    reader.needs("mix", "leaf=mix", leaf == uv.MIX)
    for key in ("playout", *CUTOFFS):
        reader.needs(key, "leaf=playout or mix", leaf != uv.HEURISTIC)
    bias = reader.number("bias", "the weight of progressive", 0.0, low=0.0, high=1e6)
    has_puct = "puct" in keys or "prior" in keys
    reader.has_no_effect("bias", "puct= or prior=", has_puct, "PUCT has the heuristic by prior=heuristic")
    reader.has_no_effect("c", "puct= or prior=", has_puct, "the constant is puct= there")
    urgency = reader.flag("urgency")
    reader.has_no_effect("urgency", "puct= or prior=", bool(urgency and has_puct), "what has no visits goes by its prior there")
    reader.has_no_effect("fpu", "urgency=1", urgency == 1, "both say what a child without visits is worth: take one out")
    weight = reader.number("neural_mcts", "the weight of the evaluation in", -1.0, low=0.0, high=MOST_WEIGHT)
    is_neural = "neural_mcts" in keys
    for key in ("puct", "prior", "fpu", "bias", "urgency", "rave"):
        reader.has_no_effect(key, "neural_mcts=", is_neural, "that is a selection of its own: take one out")
    hints = int(PRIORS[prior] == "heuristic" or bias > 0.0 or is_neural)
    kind: Any = RefinedUCT  # mypy takes the constants of the class for fields
    settings = kind(
        simulations=simulations or MAX_SIMULATIONS,
        max_nodes=nodes or MAX_NODES,
        c_uct=reader.number("c", "the exploration constant", C_UCT, low=0.0, high=math.inf),
        scale=scale_of(game),
        num_actions=game.num_actions,
        c_puct=reader.number("puct", "the constant of PUCT", C_PUCT, low=1e-6, high=1e6) if has_puct else 0.0,
        hints=hints,
        prior=int(PRIORS[prior] == "heuristic"),
        rave=reader.number("rave", "the equivalence", 0.0, low=1e-6, high=1e9),
        bias=bias,
        neural_mcts=weight,
        has_fpu=int("fpu" in keys or is_neural),
        fpu=2.0 - 0.5 * weight if is_neural else reader.number("fpu", "the first-play urgency", 0.0, low=-100.0, high=100.0),
        urgency=urgency,
        decisive=reader.flag("decisive"),
        playout=playout,
        playout_temperature=reader.number("tau", "the temperature", TAU, low=LEAST_TAU, high=1e6),
        cutoff=reader.number("cutoff", "the plies of a playout", 0, low=1, high=1e9, kind=int),
        cutoff_range=reader.number("cutoff_range", "the part of the range in", -1.0, low=0.0, high=1.0),
        stability=reader.number("stability", "the threshold", 0.0, low=1e-6, high=2.0),
        least_visits=reader.number("least_visits", "the visits", 0, low=1, high=simulations or MAX_SIMULATIONS, kind=int),
        leaf=leaf,
        mix=reader.number("mix", "the playout's share", MIX, low=0.0, high=1.0),
        is_tanh=0,
        temperature=1.0,
    )
    asks = hints or leaf != uv.PLAYOUT or playout == po.SOFTMAX or any(key in keys for key in CUTOFFS)
    askers = f"prior=heuristic, bias=, neural_mcts=, {'=, '.join(CUTOFFS)}=, playout=softmax, leaf=heuristic"
    reader.needs("evaluation", f"{askers} or leaf=mix", bool(asks))
    if asks and not verbs.has_rule("heuristic", game.position_class) and "evaluation" not in keys:
        raise UnsupportedGameError(
            f"policy spec {spec.text!r}: {askers} and leaf=mix ask for the verb 'heuristic', which {game.id} does not "
            "define; expected that, or evaluation="
        )
    if playout == po.FAST and game.num_seats != 2:
        raise UnsupportedGameError(
            f"policy spec {spec.text!r}: playout=fast plays games of two seats; {game.id} has num_seats = {game.num_seats}"
        )
    solves, max_child = reader.name("solver", ("1", "0")) == 0, reader.name("choice", CHOICES) == 1
    symmetry = reads_symmetry(spec, reader, game)
    return with_options(settings, game.num_seats, solves=solves, max_child=max_child, symmetry=symmetry), seconds


def reads_symmetry(spec: Spec, reader: Reader, game: Game) -> bool:
    """Whether a spec asks for `symmetry=1`. Raises SpecError, UnsupportedGameError."""
    if not reader.flag("symmetry"):
        return False
    if not verbs.has_rule("transform", game.position_class):
        raise UnsupportedGameError(
            f"policy spec {spec.text!r}: symmetry=1 asks for the verb 'transform', which {game.id} does not define; expected a "
            "game with symmetries"
        )
    if spec.keywords.get("prior") == "network":
        raise SpecError(
            f"policy spec {spec.text!r}: symmetry=1 with prior=network, which tells such actions apart; expected one of them"
        )
    return True
