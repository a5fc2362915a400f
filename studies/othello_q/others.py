"""The measure of the Othello study of other learners: trained for this, or files of agents that are given."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boardgym.baselines.learning.runs import train_into
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.core.errors import SpecError
from boardgym.core.policy_spec import parse_spec
from boardgym.studies.jobs import Place
from boardgym.studies.othello_q.measuring import CELLS, mean_of, measure_agent, not_lost_text, together, wdl, won, won_text
from boardgym.studies.othello_q.plans import GAME, PLANS, seed_of
from boardgym.studies.pages import table
from boardgym.studies.parts import Figures, Part, Work

AGENTS = "agents"  # the figures that are given: what `agents_of` returns
MOST_AGENTS = 20
UNITS = 20
PLAYERS = ("random", "greedy", "parity", "max_disc", "minimax:2,evaluation=positional")  # that do not learn, for a scale


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
    trainer = NetworkTrainer(td_config(episodes, seed_of(4, seed)))
    trained = train_into(
        trainer, place.folder / "td", on_piece=lambda training: place.tell(UNITS * training.done // (episodes + 1))
    )
    if not trained.is_finished:
        raise KeyboardInterrupt
    return {"name": f"TD(λ), {episodes:,} games", "measured": measure_agent(trained.player, seed_of(5, seed))}


def measures_players(place: Place, seed: int, size: Any) -> dict[str, Any]:
    """The players that do not learn."""
    return {"agents": {spec: measure_agent(spec, seed_of(6, number)) for number, spec in enumerate(PLAYERS)}}


def measures_given(place: Place, seed: int, size: Any, chosen: dict[str, Any]) -> dict[str, Any]:
    """An agent that is given."""
    return {"name": chosen["name"], "measured": measure_agent(chosen["spec"], seed_of(7, seed), trust=chosen["trust"])}


def agents_of(texts: Sequence[str], trust: bool) -> list[dict[str, Any]]:
    """Agents that are given as "NAME=SPEC", with the digest of the file that each spec names, if it names one.

    Raises SpecError for a text that is none, a name given twice, or more than MOST_AGENTS.
    """
    found: list[dict[str, Any]] = []
    for number, text in enumerate(texts, start=1):
        name, equals, spec = text.partition("=")
        if not (name and equals and spec) or name in {one["name"] for one in found} or number > MOST_AGENTS:
            raise SpecError(f"agent={text!r}: expected NAME=SPEC, each name once, {MOST_AGENTS} of them at most")
        path = Path(parse_spec(spec).argument or "")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""
        found.append({"seed": number, "name": name, "spec": spec, "digest": digest, "trust": trust})
    return found


def chosen_of(figures: Figures) -> dict[int, Any]:
    """The agents that are given, by number."""
    return {one["seed"]: {key: one[key] for key in one if key != "seed"} for one in figures.get(AGENTS, ())}


# ---------------------------------------------------------------- page


def row_of(name: str, ones: Sequence[Mapping[str, Any]]) -> list[str]:
    """A row of the table: percent won, drawn and lost of all runs, and the mean share won."""
    counts = [together(one[player][seat] for one in ones) for player, seat in CELLS]
    mean = 100 * sum(mean_of(one) for one in ones) / len(ones)
    least = min(counts, key=won)
    return [name, str(len(ones)), *map(wdl, counts), f"{mean:.1f}", won_text(least), not_lost_text(least)]


def page(figures: Figures) -> list[str]:
    """One table."""
    rows = []
    for found in figures.get("reference_players", ()):
        rows += [row_of(f"`{spec}`", [one]) for spec, one in found["agents"].items()]
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for kind in ("others_td", "given_agents"):
        for one in figures.get(kind, ()):
            groups.setdefault(one["name"], []).append(one["measured"])
    rows += [row_of(name, ones) for name, ones in groups.items()]
    head = ("agent", "runs", *(f"{player}, as {seat}" for player, seat in CELLS), "% won, mean", "% won, the least, 95 %",
            "% not lost there, 95 %")  # fmt: skip
    if not rows:
        return []
    return [
        "Percent won/drawn/lost over the 244 openings, one ply looked ahead but where the name says more; all runs together.",
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
    made_of=(1, PLAYERS),
)
