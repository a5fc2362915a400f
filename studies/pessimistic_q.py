"""The study of Pessimistic Q-learning, rerun: which trainings are asked for, done, and gathered from a folder.

What is trained: `pessimistic_q_plan`, with which seeds: `pessimistic_q_seeds`. A folder holds "jobs", a file for each training,
and a page, a file of figures and a picture for each game and number of episodes, of all trainings of these that the folder has.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boardgym.baselines.memory import machine_memory
from boardgym.core.errors import OptionError, SpecError, nearest
from boardgym.studies.jobs import Job, read_result, run_jobs
from boardgym.studies.pessimistic_q_data import compact
from boardgym.studies.pessimistic_q_plan import AGENTS, GAMES, LETTERS
from boardgym.studies.pessimistic_q_runs import digest_of, run_job
from boardgym.studies.pessimistic_q_seeds import episodes_of, seeds_of


@dataclass(frozen=True)
class Settings:
    """What to rerun.

    Attributes:
        game: tic-tac-toe, connect-four, card-points (8 and 12 cards, and three ways to deal) or one of these, or an id such as
            ConnectFour-v0; all of them if empty.
        setting: letters of the study's settings: a, or a c, or a-e; all that the game is run with if empty.
        first_seed: number of the first seed.
        seeds: how many from it on; 0 for those of the seed list, of which the published pages are made.
        episodes: of each phase; 0 for those of the study, and where all seeds of the list are asked for, all that it has.
        processes: trainings at a time.
        executor: where they are: processes, of this machine; ray, ray://HOST:10001 or slurm, of a cluster, as of `boardgym
            compare`; all machines of a cluster share the folder of the results.
        memory: GiB that the tables of all processes may take together, on a cluster those of each; 0 for three quarters of
            the machine's, on a cluster for what `boardgym train tabular` takes.
        agents: keep the agents' files, in the folder "agents".
        out: folder of the results; a run that was cut short goes on there.
    """

    game: str = ""
    setting: tuple[str, ...] = ()
    first_seed: int = 1
    seeds: int = 0
    episodes: int = 0
    processes: int = 1
    executor: str = "processes"
    memory: float = 0.0
    agents: bool = False
    out: Path = Path("runs/pessimistic-q")


ALL = Settings()


def _plain(text: str) -> str:
    """A name without what people write differently."""
    return re.sub("[^a-z0-9]", "", text.casefold())


def games_of(name: str) -> list[str]:
    """The names of the games that a name or an id means; all of them if it is empty. Raises OptionError."""
    wanted = _plain(name)
    if not name:
        return list(GAMES)
    if wanted in map(_plain, GAMES):
        return [game for game in GAMES if wanted == _plain(game)]
    found = [game for game, study in GAMES.items() if wanted in (_plain(study.game), _plain(study.game.rpartition("-")[0]))]
    if not found:
        raise OptionError(f"game={name!r}; {nearest(name, {*GAMES, *(study.game for study in GAMES.values())})}")
    return found


def settings_of(words: Sequence[str]) -> str:
    """The letters that words such as "a", "bd" or "a-e" mean, in their order. Raises OptionError."""
    letters = set[str]()
    for word in [part for text in words for part in re.split(r"[\s,]+", text) if part]:
        first, dash, last = word.partition("-")
        whole = LETTERS[LETTERS.find(first) : LETTERS.find(last) + 1] if dash and len(first) == len(last) == 1 else word
        if not whole or not set(whole) <= set(LETTERS) or not {*first, *last} <= set(LETTERS):
            raise OptionError(f"setting={word!r}: expected letters from a to e, as in a, a c or a-e")
        letters |= set(whole)
    return "".join(sorted(letters))


def is_list(settings: Settings) -> bool:
    """Whether all seeds of the list are asked for."""
    return settings.seeds == 0 and settings.first_seed == 1


def wanted_of(settings: Settings, name: str) -> dict[int, dict[str, list[int]]]:
    """Number of episodes a phase -> setting -> the seeds that are asked for of a game. Raises OptionError."""
    letters = settings_of(settings.setting) or GAMES[name].settings
    found = {}
    for episodes in [settings.episodes] if settings.episodes else episodes_of(name, letters) if is_list(settings) else [0]:
        found[episodes or GAMES[name].episodes] = {
            setting: [*range(settings.first_seed, settings.first_seed + settings.seeds)]
            if settings.seeds
            else [seed for seed in seeds_of(name, setting, episodes) if seed >= settings.first_seed]
            for setting in letters
        }
    return found


def jobs_of(settings: Settings) -> dict[str, list[Job]]:
    """Name of a game -> its trainings and its random test. Raises OptionError."""
    if settings.seeds < 0 or settings.episodes < 0 or not 0.0 <= settings.memory < 2**20:
        raise OptionError(
            f"seeds={settings.seeds}, episodes={settings.episodes}, memory={settings.memory}: expected at least 0"
        )
    if settings.processes < 1 or settings.first_seed < 1:
        raise OptionError(f"processes={settings.processes}, first_seed={settings.first_seed}: expected at least 1")
    share: float | None = settings.memory or None
    if settings.executor == "processes":
        share = (settings.memory or (machine_memory() or 2**32) * 0.75 / 2**30) / settings.processes
    limits = {"memory": share, "agents": str((settings.out / "agents").absolute()) if settings.agents else ""}
    found: dict[str, list[Job]] = {}
    for name in games_of(settings.game):
        found[name] = [job_of(name, "", 0, 0, limits)]
        for episodes, seeds in wanted_of(settings, name).items():
            found[name] += [job_of(name, setting, seed, episodes, limits) for setting in seeds for seed in seeds[setting]]
    return found


def reproduce(settings: Settings) -> dict[str, Any]:
    """Trains and tests what is missing. Returns what `found_of` does. Raises: as `run_jobs` and `jobs_of`."""
    jobs = [job for mine in jobs_of(settings).values() for job in mine]
    run_jobs(run_job, jobs, settings.out / "jobs", processes=settings.processes, executor=settings.executor, label="episodes")
    return found_of(settings)


def found_of(settings: Settings) -> dict[str, Any]:
    """What the folder has of what is asked for, whether or not all of it is done.

    Returns {title: figures}: a game's name, followed by the number of episodes where it is neither the study's nor asked for.
    Figures are {"game": its name, "episodes": of each phase, "seeds": [first, last] that are asked for, or None for those of
    the list, "random": its random test, "settings": {setting: [{"seed": its number, agent: figures}]}}, of all results that the
    folder has of these games and seeds, of whichever setting; "random" is None if it was not done; "left_out" names files of
    other versions or settings, and files that are no results.
    """
    found = {}
    for name in games_of(settings.game):
        for episodes in wanted_of(settings, name):
            title = name if episodes in (GAMES[name].episodes, settings.episodes) else f"{name}_{episodes}"
            found[title] = gather(settings.out / "jobs", name, episodes, settings)
    return found


def without_agents(settings: Settings) -> list[str]:
    """The trainings asked for that are done, but whose agents' files are not in the folder: done without `agents`."""
    names = [job.name for jobs in jobs_of(settings).values() for job in jobs if job.arguments["setting"]]
    done = [name for name in names if (settings.out / "jobs" / f"{name}.json").exists()]
    agents = settings.out / "agents"
    return [name for name in done if not all((agents / f"{name}_{agent}.safetensors").exists() for agent in AGENTS)]


def job_of(name: str, setting: str, seed: int, episodes: int, limits: dict[str, Any] | None = None) -> Job:
    """A training; without a setting the game's random test. limits: memory and folder for agents, as in `run_job`."""
    arguments = {"name": name, "setting": setting, "seed": seed, "episodes": episodes}
    title = f"{name}_{setting}_{episodes}_{seed}" if setting else f"{name}_random"
    return Job(title, arguments, digest_of(name, setting, episodes), limits or {}, 4 * episodes)


def gather(folder: Path, name: str, episodes: int, settings: Settings = ALL) -> dict[str, Any]:
    """The results of a game that a folder has, as `found_of` returns them; those of other versions are left out."""
    left_out: list[str] = []

    def read(job: Job) -> dict[str, Any] | None:
        try:
            return read_result(folder, job)
        except SpecError:
            left_out.append(f"{job.name}.json")
            return None

    wanted = wanted_of(replace(settings, setting=(LETTERS,), episodes=episodes), name)[episodes]
    found: dict[str, list[Any]] = {}
    for setting in LETTERS:
        names = {path.stem.rpartition("_")[2]: path.name for path in folder.glob(f"{name}_{setting}_{episodes}_*.json")}
        left_out += sorted(file for number, file in names.items() if not re.fullmatch("[1-9][0-9]*", number, re.ASCII))
        for seed in [seed for seed in wanted[setting] if str(seed) in names]:
            if (result := read(job_of(name, setting, seed, episodes))) is not None:
                found.setdefault(setting, []).append({"seed": seed, **compact(name, result, episodes)})
    random, seeds = read(job_of(name, "", 0, 0)), [seed for mine in wanted.values() for seed in mine]
    return {
        "game": name,
        "episodes": episodes,
        "seeds": None if is_list(settings) or not seeds else [min(seeds), max(seeds)],
        "random": random,
        "settings": found,
        "left_out": left_out,
    }
