"""The committed pages of the study: figures of runs beside them, and their tables and verdicts made of these figures alone.

In the folder of the documentation, `data/pessimistic_q/GAME.json` has the figures (`pessimistic_q_data`),
`study_pessimistic_q_tables.md` all tables, and `study_pessimistic_q.md` the summary. What is made stands between marks
(`pages.fill`); the prose around it is written by hand.
"""

from pathlib import Path
from statistics import median
from typing import Any

from boardgym.core.errors import SpecError
from boardgym.studies.pages import can_draw, fill, table
from boardgym.studies.pessimistic_q import Settings, found_of
from boardgym.studies.pessimistic_q_claims import HALF, claims_of, judge_claims
from boardgym.studies.pessimistic_q_data import (
    GameData,
    decided,
    key_of,
    path_of,
    read_figures,
    write_figures,
)
from boardgym.studies.pessimistic_q_plan import GAMES, Results, figures
from boardgym.studies.pessimistic_q_report import draw_curves, markdown, readings, verdict_of
from boardgym.studies.pessimistic_q_runs import digest_of
from boardgym.studies.pessimistic_q_seeds import BLOCKS, seeds_of, whole_blocks
from boardgym.studies.pessimistic_q_sweep import by_block, by_setting
from boardgym.studies.verdicts import share_of

PAGES = PAGE, TABLES = "study_pessimistic_q.md", "study_pessimistic_q_tables.md"
DATA, IMAGES = "data/pessimistic_q", "images"
TITLES = {
    "tic-tac-toe": "tic-tac-toe",
    "connect-four": "Connect Four",
    "card-points-8": "CardPoints, 8",
    "card-points-12": "12",
    "card-points-8-deals": "8, new deals",
    "card-points-8-one-row": "8, one row",
}
COMPARED = (
    ("base test, Q, %", "q", "base_quality", "base_q"),
    ("base test, PQ, %", "pq", "base_quality", "base_pq"),
    ("clone test, Q, %", "q", "clone_quality", "clone_q"),
    ("clone test, PQ, %", "pq", "clone_quality", "clone_pq"),
    ("explored states, Q (here entries)", "q", "entries", "entries"),
)  # what, agent, figure, what was published


# ---------------------------------------------------------------- figures


def take_figures(settings: Settings, docs: Path) -> list[str]:
    """Takes the runs of whole blocks that `out` has into the files of figures, beside those that are there.

    A picture of each game that has all its runs in `out` is drawn, if Matplotlib is there: curves are not kept. Returns a line
    for each game. Raises OSError; SpecError for a damaged file.
    """
    lines = []
    by_game: dict[str, list[dict[str, Any]]] = {}
    for one in found_of(Settings(game=settings.game, out=settings.out)).values():
        by_game.setdefault(one["game"], []).append(one)
    for name, found in by_game.items():
        if found[0]["random"] is None or not any(one["settings"] for one in found):
            continue
        data, changed = _merge(name, read_figures(docs / DATA, name), found)
        total = sum(len(runs) for results in data.results.values() for runs in results.values())
        if total:
            write_figures(docs / DATA, name, data)
        lines.append(
            f"{name}: {total} runs"
            + (f", {changed} of them with other figures than before" if changed else "")
            + "".join(f"; {line}" for line in not_whole(name, data))
        )
        here = found[0]["settings"]
        if can_draw() and all(len(here.get(s, [])) == len(seeds_of(name, s)) for s in GAMES[name].settings):
            (docs / IMAGES).mkdir(exist_ok=True)
            draw_curves(docs / IMAGES / f"study_{name}.png", found[0])
    return lines


def _merge(name: str, kept: GameData | None, found: list[dict[str, Any]]) -> tuple[GameData, int]:
    """What was found, and what a file has beside it of the same settings and tests; in how many runs of both figures differ."""
    results: dict[int, dict[str, list[dict[str, Any]]]] = {}
    digests, changed = dict(kept.digests) if kept else {}, 0
    for one in found:
        for setting, runs in one["settings"].items():
            digests[key_of(one["episodes"], setting)] = digest_of(name, setting, one["episodes"])
            results.setdefault(one["episodes"], {})[setting] = list(runs)
    for episodes, by_letter in (kept.results if kept else {}).items():
        for setting, runs in by_letter.items():
            if kept is None or kept.digests[key_of(episodes, setting)] != digests[key_of(episodes, setting)]:
                continue  # of what is no longer run
            mine = results.setdefault(episodes, {}).setdefault(setting, [])
            ours = {run["seed"]: run for run in mine}
            changed += sum(run["seed"] in ours and decided(run) != decided(ours[run["seed"]]) for run in runs)
            mine += [run for run in runs if run["seed"] not in ours]
    floor = next(run["q"]["floor"] for one in found for runs in one["settings"].values() for run in runs)
    whole = {episodes: whole_blocks(name, by_letter, episodes) for episodes, by_letter in results.items()}
    whole = {episodes: by_letter for episodes, by_letter in whole.items() if by_letter}
    digests = {key_of(episodes, s): digests[key_of(episodes, s)] for episodes, by_letter in whole.items() for s in by_letter}
    return GameData(found[0]["random"], floor, digests, whole), changed


def not_whole(name: str, data: GameData) -> list[str]:
    """A sentence on the seeds of the list that do not count yet, if there are any."""
    missing = data.missing(name)
    return [f"not yet run to the end, and in no figure: setting {'; '.join(missing)}"] if missing else []


# ---------------------------------------------------------------- pages


def make_pages(docs: Path) -> dict[Path, str]:
    """The pages as the figures beside them have them: path -> text. Raises OSError; SpecError for damaged figures or pages."""
    data = {name: found for name in GAMES if (found := read_figures(docs / DATA, name)) is not None}
    for name, one in data.items():
        for key, digest in one.digests.items():
            episodes, setting = key.split()
            if digest != digest_of(name, setting, int(episodes)):
                raise SpecError(
                    f"{path_of(docs / DATA, name)}: setting {setting}, {episodes} episodes: of other settings or "
                    "tests than those of this version; run it again"
                )
    summary = {
        "claims": claims_table(data),
        "seeds": seeds_table(data),
        "readings": readings().rstrip(),
        "against": against_table(data),
    }
    if "tic-tac-toe" in data and (results := data["tic-tac-toe"].results.get(GAMES["tic-tac-toe"].episodes)):
        summary["sweep"] = "\n".join(table(*by_setting(results))).rstrip()
        summary["blocks"] = "\n".join(table(*by_block("tic-tac-toe", results))).rstrip()
    parts = {PAGE: summary, TABLES: {name: game_tables(name, one) for name, one in data.items()}}
    return {
        docs / page: fill((docs / page).read_text(encoding="utf-8"), texts, str(docs / page)) for page, texts in parts.items()
    }


def found_in(name: str, data: GameData, episodes: int) -> dict[str, Any]:
    """A game's figures from its file, as `found_of` has them."""
    results = data.results[episodes]
    return {"game": name, "episodes": episodes, "seeds": None, "random": data.random, "settings": results, "left_out": []}


def game_tables(name: str, data: GameData) -> str:
    """The tables of a game, of the study's number of episodes first."""
    study = GAMES[name].episodes
    lines = [f"{title_of(name)}, {line}.\n" for line in not_whole(name, data)]
    for episodes in sorted(data.results, key=lambda number: (number != study, number)):
        picture = f"{IMAGES}/study_{name}.png" if episodes == study else ""
        lines.append(markdown(found_in(name, data, episodes), picture))
    return "\n".join(lines).rstrip()


def claims_table(data: dict[str, GameData]) -> str:
    """The verdicts of all games, each with the runs of the number of episodes that the claim is of."""
    cells: dict[tuple[int, str], dict[str, str]] = {}
    for name, one in data.items():
        for claim in claims_of(name):  # in their order
            cells.setdefault((claim.number, claim.text), {})[name] = "not decided"
        study = GAMES[name].episodes
        for episodes in sorted(one.results, key=lambda number: (number == study, number)):  # the study's prevails
            for line in judge_claims(name, one.results[episodes], one.random, episodes):
                cells.setdefault((line.number, line.claim), {})[name] = verdict_of(line)
    rows = [
        [str(number), claim, *(found.get(name, "") for name in data)]
        for (number, claim), found in sorted(cells.items(), key=lambda item: item[0][0])
    ]
    return "\n".join(table(["claim", "", *(TITLES[name] for name in data)], rows)).rstrip()


def title_of(name: str) -> str:
    """A game's name in a sentence, or in a row."""
    return f"CardPoints, {TITLES[name]}" if TITLES[name][0].isdigit() else TITLES[name]


def seeds_table(data: dict[str, GameData]) -> str:
    """The list of seeds, and which of them do not count yet."""
    rows = [
        [
            ", ".join(block.games),
            str(block.number),
            f"{', '.join(f'{n:,}' for n in block.episodes)}",
            ", ".join(block.settings),
            f"{block.first} to {block.last}",
            block.purpose,
        ]
        for block in BLOCKS
    ]
    lines = table(["game", "block", "episodes, if not the study's", "settings", "seeds", "fixed for"], rows)
    lines += [f"{title_of(name)}, {line}.\n" for name, one in data.items() for line in not_whole(name, one)]
    return "\n".join(lines).rstrip()


def against_table(data: dict[str, GameData]) -> str:
    """What the study prints and no run comes to: figures to half of their last digit, and two remarks."""
    rows = []
    for name, one in data.items():
        results = one.results.get(GAMES[name].episodes, {})
        rows += [[title_of(name), what, ", ".join(cells)]
                 for what, cells in ((line[0], _outside(name, results, *line[1:])) for line in COMPARED) if cells]  # fmt: skip
    if "tic-tac-toe" in data:
        rows += _remarks(data["tic-tac-toe"].results)
    return "\n".join(table(["game", "what", "setting: the study (all runs here)"], rows)).rstrip()


def _outside(name: str, results: Results, agent: str, key: str, published: str) -> list[str]:
    cells = []
    unit, half, digits = (1.0, 0.0, 0) if key == "entries" else (100.0, HALF, 1)
    for setting in results:
        figure = getattr(GAMES[name].published[setting], published)
        ours = [unit * value for value in figures(results, agent, key, setting)]
        low, high = min(ours), max(ours)
        if figure is not None and not low - half <= figure <= high + half:
            span = dict.fromkeys(f"{end:,.{digits}f}" for end in (low, high))
            cells.append(f"{setting}: {figure:,g} ({' to '.join(span)})")
    return cells


def _remarks(results: dict[int, Results]) -> list[list[str]]:
    """What the study says in words of tic-tac-toe, beside our runs."""
    found = []
    for episodes in (15_000, 20_000, 30_000):
        flags = figures(results.get(episodes, {}), "pq", "is_perfect", "b")
        if flags:
            found.append(f"{episodes:,}: {share_of(flags.count(True), len(flags))}")
    rows = (
        [
            [
                "tic-tac-toe",
                "PQ at setting b still loses a line after 15,000 and 20,000 episodes, and no more after 30,000",
                f"runs that lose none, {'; '.join(found)}",
            ]
        ]
        if found
        else []
    )
    if lost := figures(results.get(GAMES["tic-tac-toe"].episodes, {}), "pq", "lost_late", "d"):
        none = f"runs that lose no game of it: {share_of(lost.count(0), len(lost))}, median {median(lost):g} of 12,000"
        rows.append(["tic-tac-toe", "at setting d PQ has 100 % in every thousand episodes of its training", none])
    return rows
