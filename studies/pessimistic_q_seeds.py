"""The seeds that the rerun of the Pessimistic Q-learning study is made of, in blocks.

A block is fixed before any of its results is seen, and counts when all its seeds of a setting are run. Verdicts go over all
blocks that count, so that no seed is left out, or added, because of what it shows. A later block gets a row here, with its
purpose.
"""

from collections.abc import Container
from dataclasses import dataclass

from boardgym.studies.pessimistic_q_plan import GAMES, LETTERS, Results


@dataclass(frozen=True)
class Block:
    """Seeds that were fixed together.

    Attributes:
        number: of the block, from 1 on, by game.
        games: their names.
        settings: letters of the settings that are run with these seeds.
        first, last: numbers of the seeds, both included.
        purpose: what they are for, said before they were run.
        episodes: numbers of episodes a phase; empty for those of the study.
    """

    number: int
    games: tuple[str, ...]
    settings: str
    first: int
    last: int
    purpose: str
    episodes: tuple[int, ...] = ()

    @property
    def seeds(self) -> range:
        """Its seeds."""
        return range(self.first, self.last + 1)


TIC_TAC_TOE, MORE = ("tic-tac-toe",), (15_000, 20_000, 30_000)
BLOCKS = (
    Block(1, TIC_TAC_TOE, "abcde", 1, 10, "the claims, as they were written down beforehand"),
    Block(1, TIC_TAC_TOE, "b", 1, 10, "setting b with more episodes, as in the study", MORE),
    Block(2, TIC_TAC_TOE, "de", 11, 40, "figures of claim 11 that were chosen after block 1, where it had left room"),
    Block(3, TIC_TAC_TOE, "abc", 11, 40, "the same at a, b, c, which a look at seeds outside of this list said can tell"),
    Block(4, TIC_TAC_TOE, "abcde", 41, 50, "fixed with block 3: fresh seeds for whatever verdict changes by it"),
    Block(5, TIC_TAC_TOE, "abcde", 51, 70, "after block 3, which does not bear out that look: as many pairs again at a, c"),
    Block(1, ("connect-four",), "abcde", 1, 3, "the claims, as they were written down beforehand"),
    Block(1, ("card-points-8", "card-points-12", "card-points-8-deals"), "abcde", 1, 10,
          "the claims, as they were written down beforehand"),
    Block(1, ("card-points-8-one-row",), "a", 1, 10, "the reading by which the tests are of a single row"),
)  # fmt: skip


def blocks_of(name: str, episodes: int = 0) -> list[Block]:
    """The blocks of a game with so many episodes a phase; 0: as many as the study's."""
    study = GAMES[name].episodes
    return [one for one in BLOCKS if name in one.games and (episodes or study) in (one.episodes or (study,))]


def episodes_of(name: str, settings: str = LETTERS) -> list[int]:
    """The numbers of episodes a phase that a game's settings are run with, the study's first."""
    study = GAMES[name].episodes
    mine = [one for one in BLOCKS if name in one.games and set(one.settings) & set(settings)]
    return [study, *sorted({episodes for one in mine for episodes in one.episodes} - {study})]


def seeds_of(name: str, setting: str, episodes: int = 0) -> list[int]:
    """The seeds of a game's setting, of all blocks, in order; of other numbers of episodes than the blocks': the study's."""
    blocks = blocks_of(name, episodes) or blocks_of(name)
    return sorted(seed for one in blocks if setting in one.settings for seed in one.seeds)


def block_of(name: str, setting: str, seed: int, episodes: int = 0) -> int:
    """The number of the block that a seed is of; 0 if it is of none."""
    found = [one.number for one in blocks_of(name, episodes) if setting in one.settings and seed in one.seeds]
    return found[0] if found else 0


def of_blocks(name: str, results: Results, numbers: Container[int], episodes: int = 0) -> Results:
    """The runs of some blocks; settings without any are left out."""
    found = {s: [one for one in runs if block_of(name, s, one["seed"], episodes) in numbers] for s, runs in results.items()}
    return {setting: runs for setting, runs in found.items() if runs}


def whole_blocks(name: str, results: Results, episodes: int = 0) -> Results:
    """The runs that count: those of blocks of which their setting has all seeds."""
    numbers = {}
    for setting, runs in results.items():
        there = {one["seed"] for one in runs}
        mine = [one for one in blocks_of(name, episodes) if setting in one.settings and there >= set(one.seeds)]
        numbers[setting] = {one.number for one in mine}
    found = [of_blocks(name, {setting: runs}, numbers[setting], episodes) for setting, runs in results.items()]
    return {setting: runs for one in found for setting, runs in one.items()}
