"""The measure of the Othello study of other learners: trained for this, or files of agents that are given."""

import functools
import hashlib
import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from boardgym.baselines.engines.session import names_of
from boardgym.baselines.learning.runs import train_into
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.core.errors import SpecError
from boardgym.core.policy_spec import COMMAND_SPECS, Spec, make_policy, parse_spec
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.experiments import TITLES
from boardgym.studies.othello_q.measuring import CELLS, mean_of, measure_agent, not_lost, together, wdl, won
from boardgym.studies.othello_q.plans import GAME, GIVEN_SEEDS, OTHERS_SEEDS, PLANS, seed_of
from boardgym.studies.pages import table
from boardgym.studies.parts import Figures, Part, Work, spread

AGENTS = "agents"  # the figures that are given: what `agents_of` returns
UNITS = 20
PLAYERS = ("random", "greedy", "parity", "max_disc", "minimax:2,evaluation=positional")  # that do not learn, for a scale
NAME = re.compile(r"[A-Za-z0-9_.-]+( [A-Za-z0-9_.-]+)*")
MOST_LETTERS = 60  # of a name


def td_config(episodes: int, seed: int) -> NetworkConfig:
    """TD(lambda) in self-play, after which a move is looked ahead, as in all the measure: not tuned for it."""
    return NetworkConfig(
        game=GAME,
        opponent="learner",
        episodes=episodes,
        step_size="linear(0.01, 0.001)",
        discount="1",
        trace_decay="0.7",
        epsilon="linear(0.2, 0.02)",
        hidden=(44,),
        hidden_activation="tanh",
        output_activation="tanh",
        biases="all",
        weight_span=0.1,
        kappa="0",
        seed=seed,
    )


def trains_td(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """A network of 44 hidden units by TD(lambda), with the study's inputs replaced by the planes of the board."""
    episodes = PLANS[size].others.episodes
    trainer = NetworkTrainer(td_config(episodes, seed_of(OTHERS_SEEDS, 0, seed)))
    trained = train_into(
        trainer, place.folder / "td", on_piece=lambda training: place.tell(UNITS * training.done // (episodes + 1))
    )
    if not trained.is_finished:
        raise KeyboardInterrupt
    return {"name": f"TD(λ), {episodes:,} games", "measured": measure_agent(trained.player, seed_of(OTHERS_SEEDS, 1, seed))}


def measures_players(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """The players that do not learn."""
    return {"agents": {spec: measure_agent(spec, seed_of(OTHERS_SEEDS, 2, number)) for number, spec in enumerate(PLAYERS)}}


def measures_given(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
    """An agent that is given."""
    found = measure_agent(chosen["spec"], seed_of(GIVEN_SEEDS, seed), trust=chosen["trust"])
    return {"name": chosen["name"], "measured": found}


# ---------------------------------------------------------------- agents that are given


def words_of(spec: Spec) -> Iterator[str]:
    """What may be paths in a spec and in all within it."""
    yield from shlex.split(spec.argument) if spec.name in COMMAND_SPECS else (spec.argument,)
    yield from spec.keywords.values()
    for part in spec.inner:
        yield from words_of(part)


def digest_of(spec: Spec) -> str:
    """Of the contents of all files that a spec names. Raises OSError."""
    files = [Path(word).read_bytes() for word in words_of(spec) if word and Path(word).is_file()]
    return hashlib.sha256(b"".join(hashlib.sha256(one).digest() for one in files)).hexdigest()[:16] if files else ""


def check_name(name: str, taken: Sequence[str]) -> str:
    """What is wrong with the name of an agent that is given; empty if nothing is."""
    built_in = [*PLAYERS, *TITLES.values()]
    if not NAME.fullmatch(name) or len(name) > MOST_LETTERS:
        return f"expected a name of letters, digits, '-', '_', '.' and single spaces, {MOST_LETTERS} of them at most"
    if name.casefold() in {one.casefold() for one in built_in}:
        return f"{name!r} is the name of a row that is there without it; expected another one"
    return "each name once" if name in taken else ""


def agents_of(texts: Sequence[str], trust: bool) -> list[dict[str, Any]]:
    """Agents that are given as "NAME=SPEC", each with a seed and a digest of the files that its spec names.

    The seed is made of all the rest, so that an agent is the same wherever it stands in the list.

    Raises SpecError for a text that is none, a name that cannot be or is given twice, or a file that cannot be read.
    """
    found: list[dict[str, Any]] = []
    for text in texts:
        name, equals, spec = text.partition("=")
        wrong = check_name(name, [one["name"] for one in found]) if name and equals and spec else "expected NAME=SPEC"
        if wrong:
            raise SpecError(f"agent={text!r}: {wrong}")
        try:
            own = {"name": name, "spec": spec, "digest": digest_of(parse_spec(spec)), "trust": trust}
        except (OSError, ValueError) as error:
            raise SpecError(f"agent={text!r}: {error}") from None
        seed = int(hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()[:12], 16)
        found.append({"seed": seed, **own})
    return found


def check_agents(texts: Sequence[str], trust: bool) -> None:
    """Builds every agent that is given. Raises SpecError; what `make_policy` raises for those that cannot be had."""
    for one in agents_of(texts, trust):
        build(one["spec"], one["digest"], trust)


@functools.cache
def build(spec: str, digest: str, trust: bool) -> None:
    """Builds a policy once, to see that it can be. digest: of its files. Raises as `check_agents`."""
    if "human" in names_of(parse_spec(spec)):
        raise SpecError(f"agent {spec!r}: a human cannot be measured; expected a policy that plays alone")
    try:
        policy = make_policy(spec, GAME, trust=trust)
    except OSError as error:
        raise SpecError(f"agent {spec!r}: {error}") from None
    if close := getattr(policy, "close", None):
        close()


def chosen_of(figures: Figures) -> dict[int, Any]:
    """The agents that are given, by seed."""
    return {one["seed"]: {key: one[key] for key in one if key != "seed"} for one in figures.get(AGENTS, ())}


# ---------------------------------------------------------------- page


def row_of(name: str, ones: Sequence[Mapping[str, Any]]) -> list[str]:
    """A row of the table: percent won, drawn and lost, and the mean shares won and not lost, over runs."""
    counts = [together(one[player][seat] for one in ones) for player, seat in CELLS]
    means = [spread([100 * mean_of(one, what) for one in ones], 1) for what in (won, not_lost)]
    return [name, str(len(ones)), *map(wdl, counts), *means]


def learners_of(figures: Figures) -> dict[str, list[Mapping[str, Any]]]:
    """What each learner did at its end, the study's first: name -> one for each run."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    titles = {**TITLES, "best": "Single-NN with {option}"}
    for kind, title in titles.items():
        for one in figures.get(kind, ()):
            name = f"{title.format(**one)}, {one['games']:,} games"
            groups.setdefault(name, []).append(one["checkpoints"][-1]["measured"])
    for kind in ("others_td", "given_agents"):
        for one in figures.get(kind, ()):
            groups.setdefault(one["name"], []).append(one["measured"])
    return groups


def page(figures: Figures) -> list[str]:
    """One table, of the study's agents too as far as they are trained."""
    rows = []
    for found in figures.get("reference_players", ()):
        rows += [row_of(f"`{spec}`", [one]) for spec, one in found["agents"].items()]
    rows += [row_of(name, ones) for name, ones in learners_of(figures).items()]
    head = ("agent", "runs", *(f"{player}, as {seat}" for player, seat in CELLS), "% won, mean", "% not lost, mean")
    if not rows:
        return []
    return [
        "Percent won/drawn/lost over the 244 openings, one ply looked ahead but where the name says more. Of several runs, "
        "which are trainings with different seeds, the means are given.",
        "",
        *table(head, rows),
    ]


OTHERS = Part(
    name="others",
    title="Other players and learners, by the same measure",
    works={
        "reference_players": Work(measures_players, is_seeded=False, holds=("agents",)),
        "others_td": Work(trains_td, units=UNITS, holds=("name", "measured")),
        "given_agents": Work(measures_given, chooses=chosen_of, holds=("name", "measured")),
    },
    lines=page,
    claims=(),
    made_of=(2, PLAYERS),
)
