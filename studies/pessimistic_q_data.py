"""Figures of the rerun in files that are kept beside its pages: what claims and tables need of each run, and no curves.

A file is of one game: JSON, a line for each run, and at its end a line for each run's costs, which no seed decides. The runs
are those of the seed list (`pessimistic_q_seeds`), in the order of numbers of episodes, settings and seeds.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from boardgym.baselines.thesis_tests.sequences import by_kind
from boardgym.baselines.typed_json import read_json
from boardgym.core.errors import SpecError
from boardgym.core.files import write_aside
from boardgym.studies.exact import compare_pairs
from boardgym.studies.pessimistic_q_plan import AGENTS, LETTERS, Agent
from boardgym.studies.pessimistic_q_seeds import block_of, episodes_of, seeds_of, whole_blocks

Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Count = Annotated[int, msgspec.Meta(ge=0)]
SHARES, BOLD = ("won", "drawn", "lost"), ("met", "bold", "bold_met")
POSITIONS = ("quality", "unknown", "positions", "smaller", "smaller_right")
PARTS = {"base": SHARES, "clone": SHARES, "clone_common": SHARES, "bold_moves": BOLD, "positions": POSITIONS}
COSTS = ("seconds", "peak_memory", "bytes")
DIGITS = 12  # behind the point: what is equal but for rounding is equal in the file


class Row(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """An agent's figures in one run, all of its first seat.

    Attributes:
        base, clone, clone_common: shares won, drawn and lost in the tests.
        is_perfect: whether no line of the base test is lost, whichever of equal actions it takes.
        opening: its first action; null where cards are dealt.
        regret: value given away a ply against random play; null if no position was solved.
        entries, all_entries: of the table, first seat and both.
        plies: of the training.
        lost_late: games lost in the second phase.
        first_perfect, perfect_after: episodes of the second phase after which no line is lost, for the first time and for good.
        reloads: whether its file, read again, has the same entries; null if it was not written.
        bold_moves, positions: the study's failing episodes and published positions, names as in BOLD and POSITIONS.
        decisions: category of the base test -> decisions met and right.
        kinds: kind of replies in Connect Four's base test -> share not lost.
    """

    base: tuple[Share, Share, Share]
    clone: tuple[Share, Share, Share]
    clone_common: tuple[Share, Share, Share]
    is_perfect: bool | None
    opening: Count | None
    regret: Annotated[float, msgspec.Meta(ge=0.0, le=2.0)] | None
    entries: Count
    all_entries: Count
    plies: Count
    lost_late: Count
    first_perfect: Count | None
    perfect_after: Count | None
    reloads: bool | None
    bold_moves: tuple[Count, Count, Count] | None
    positions: tuple[Share, Count, Count, Count, Count] | None
    decisions: dict[str, tuple[float, float]]
    kinds: dict[str, Share]


class RunRow(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A run. sources: digest of the code it was made with; lines: of the base test, PQ better, worse and equal to q_twice."""

    episodes: Annotated[int, msgspec.Meta(ge=1)]
    setting: Annotated[str, msgspec.Meta(pattern="^[a-e]$")]
    seed: Annotated[int, msgspec.Meta(ge=1)]
    sources: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{12}$")]
    lines: tuple[Count, Count, Count]
    q: Row
    q_twice: Row
    control: Row
    pq: Row


class Cost(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What an agent took: seconds of processor time, bytes of the process at most, bytes of the table's slots."""

    seconds: Annotated[float, msgspec.Meta(ge=0.0)]
    peak_memory: Count | None
    bytes: Count


class Bounded(msgspec.Struct):
    """A share with its interval."""

    value: Share
    low: Share
    high: Share


class Seat(msgspec.Struct):
    """What uniformly random play gives a seat."""

    won: Bounded
    drawn: Bounded
    lost: Bounded


class RandomFigures(msgspec.Struct):
    """The random test: games that were played, or positions over which it is exact; the seats."""

    games: Count
    positions: Count
    seats: Annotated[list[Seat], msgspec.Meta(min_length=2, max_length=2)]


class GameFile(msgspec.Struct, forbid_unknown_fields=True):
    """A game's file. digests: of the settings and tests, by number of episodes and setting; floor: random play's base test."""

    game: str
    columns: list[str]
    floor: Share
    digests: dict[str, str]
    random: RandomFigures
    runs: list[RunRow]
    costs: list[tuple[Cost, Cost, Cost, Cost]]


# ---------------------------------------------------------------- runs


def compact(name: str, result: dict[str, Any], episodes: int) -> dict[str, Any]:
    """What claims and tables need of a game's run, from what was measured: with the curves, without the single outcomes.

    episodes: of a phase.
    """
    found: dict[str, Any] = {agent: _compact_agent(name, result[agent], episodes, agent) for agent in AGENTS}
    pairs = compare_pairs(result["pq"]["outcomes"], result["q_twice"]["outcomes"])
    return {"lines": [pairs.better, pairs.worse, pairs.equal], "sources": result["pq"]["sources"], **found}


def _compact_agent(name: str, raw: dict[str, Any], episodes: int, agent: Agent) -> dict[str, Any]:
    late = raw["curve"][-(-episodes // raw["block"]) :]  # the blocks of episodes that lie in the second phase
    made = {
        "regret": None if raw["regret"]["loss"] is None else raw["regret"]["loss"][0],
        "lost_late": sum(block[2] for block in late),
        "kinds": by_kind(raw["outcomes"]) if name == "connect-four" else {},
    }
    found: dict[str, Any] = {key: made[key] if key in made else raw.get(key) for key in Row.__struct_fields__}
    named = {key: {part: found[key][part] for part in parts} for key, parts in PARTS.items() if found[key] is not None}
    others = {key: raw[key] for key in (*COSTS, "floor", "curve", "block")}
    return _with_quality({**_rounded({**found, **named}), **others}, episodes, agent)


def _rounded(figure: Any) -> Any:
    if isinstance(figure, float):
        return round(figure, DIGITS)
    if isinstance(figure, dict):
        return {name: _rounded(one) for name, one in figure.items()}
    return [_rounded(one) for one in figure] if isinstance(figure, (list, tuple)) else figure


def _with_quality(figures: dict[str, Any], episodes: int, agent: Agent) -> dict[str, Any]:
    """Figures with those that follow from them: shares not lost, and the episodes in all."""
    quality = {f"{test}_quality": round(1.0 - figures[test]["lost"], DIGITS) for test in ("base", "clone", "clone_common")}
    return {**figures, **quality, "episodes": episodes * (1 if agent == "q" else 2)}


def decided(run: dict[str, Any]) -> list[Any]:
    """A run's figures that its seed decides."""
    return [run["lines"], *([run[agent][name] for name in Row.__struct_fields__] for agent in AGENTS)]


# ---------------------------------------------------------------- files


@dataclass(frozen=True)
class GameData:
    """What a game's file has: runs of whole blocks.

    random, floor: the random test, and the share of the base test that random play does not lose. digests: as in the file.
    results: number of episodes a phase -> setting -> runs.
    """

    random: dict[str, Any]
    floor: float
    digests: dict[str, str]
    results: dict[int, dict[str, list[dict[str, Any]]]]

    def missing(self, name: str) -> list[str]:
        """Which runs of the seed list it lacks, in words."""
        found = []
        for episodes in episodes_of(name):
            for setting in LETTERS:
                there = {one["seed"] for one in self.results.get(episodes, {}).get(setting, [])}
                lacking = [seed for seed in seeds_of(name, setting, episodes) if seed not in there]
                found += [f"{setting} {in_ranges(lacking)} ({episodes:,} episodes)"] if lacking else []
        return found


def key_of(episodes: int, setting: str) -> str:
    """The name of a number of episodes and a setting among the digests."""
    return f"{episodes} {setting}"


def in_ranges(numbers: Sequence[int]) -> str:
    """Numbers in rising order, neighbours as ranges: 1 to 3, 7."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True))


def path_of(folder: Path, name: str) -> Path:
    """A game's file in the folder of figures."""
    return folder / f"{name}.json"


def read_figures(folder: Path, name: str) -> GameData | None:
    """What a game's file has, or None if there is none. Raises SpecError for a file that is none, or holds other runs."""
    path = path_of(folder, name)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return None
    found = read_json(text, GameFile, SpecError, f"{path}: figures of the study of Pessimistic Q-learning")
    keys = [(run.episodes, run.setting, run.seed) for run in found.runs]
    strangers = [key for key in keys if not block_of(name, key[1], key[2], key[0])]
    for is_wrong, what in (
        (found.game != name, f"game {found.game!r}, not {name!r}"),
        (found.columns != list(Row.__struct_fields__), f"columns {found.columns}, not {list(Row.__struct_fields__)}"),
        (keys != sorted(set(keys)), "runs twice, or out of order"),
        (bool(strangers), f"run {strangers[0] if strangers else ''} is not in the list of seeds"),
        (set(found.digests) != {key_of(*key[:2]) for key in keys}, f"digests of {sorted(found.digests)}, not of its runs"),
        (len(found.costs) != len(keys), f"costs of {len(found.costs)} runs, not of {len(keys)}"),
    ):
        if is_wrong:
            raise SpecError(f"{path}: {what}; make it again with --docs")
    results: dict[int, dict[str, list[dict[str, Any]]]] = {}
    for run, costs in zip(found.runs, found.costs, strict=True):
        agents: dict[str, dict[str, Any]] = {
            agent: {**_figures(getattr(run, agent), run.episodes, agent), **msgspec.structs.asdict(cost), "floor": found.floor}
            for agent, cost in zip(AGENTS, costs, strict=True)
        }
        one = {"seed": run.seed, "lines": list(run.lines), "sources": run.sources, **agents}
        results.setdefault(run.episodes, {}).setdefault(run.setting, []).append(one)
    if any(whole_blocks(name, by_letter, episodes) != by_letter for episodes, by_letter in results.items()):
        raise SpecError(f"{path}: it has part of a block of seeds; make it again with --docs")
    return GameData(msgspec.to_builtins(found.random), found.floor, found.digests, results)


def _figures(row: Row, episodes: int, agent: Agent) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(msgspec.structs.asdict(row))
    named: dict[str, dict[str, Any]] = {
        name: dict(zip(parts, found[name], strict=True)) for name, parts in PARTS.items() if found[name] is not None
    }
    return _with_quality({**found, **named}, episodes, agent)


def write_figures(folder: Path, name: str, data: GameData) -> Path:
    """Writes a game's file, whole or not at all. Raises OSError."""
    runs = [
        (episodes, setting, one)
        for episodes in sorted(data.results)
        for setting in sorted(data.results[episodes])
        for one in sorted(data.results[episodes][setting], key=lambda one: int(one["seed"]))
    ]
    head = {
        "game": name,
        "columns": list(Row.__struct_fields__),
        "floor": data.floor,
        "digests": dict(sorted(data.digests.items())),
        "random": msgspec.to_builtins(msgspec.convert(_rounded(data.random), RandomFigures)),
    }
    rows = [
        [episodes, setting, one["seed"], one["sources"], one["lines"], *(_row(one[agent]) for agent in AGENTS)]
        for episodes, setting, one in runs
    ]
    costs = [[[one[agent][cost] for cost in COSTS] for agent in AGENTS] for *_, one in runs]
    lines = [f"{_dumps(key)}: {_dumps(value)}" for key, value in head.items()]
    text = ",\n".join([*lines, f'"runs": {_lines(rows)}', f'"costs": {_lines(costs)}'])
    folder.mkdir(parents=True, exist_ok=True)
    write_aside(path_of(folder, name), f"{{\n{text}\n}}\n".encode())
    return path_of(folder, name)


def _row(figures: dict[str, Any]) -> list[Any]:
    return [
        list(figures[name].values()) if name in PARTS and figures[name] is not None else figures[name]
        for name in Row.__struct_fields__
    ]


def _dumps(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _lines(rows: Sequence[Any]) -> str:
    return "[\n" + ",\n".join(map(_dumps, rows)) + "\n]"
