"""One learner on many boards: our vector environments beside Gymnasium's, PettingZoo's in SB3's, OpenSpiel's, EnvPool."""

import functools
from collections.abc import Callable
from typing import Any

import gymnasium as gym

import boardgym
from benchmarks.measure import Effort, Row, Work, if_installed, rates, unpinned
from benchmarks.peer_envpool import NAMES as ENVPOOL_NAMES
from benchmarks.peer_envpool import envpool_plies
from benchmarks.peers import SPIEL_NAMES, SingleAgent, chooser, masked_steps, spiel_vector_plies
from benchmarks.vectors import random_plies
from boardgym.core.game import Game

ENV_ID = "boardgym/ConnectFour-v0"
GAME = "ConnectFour-v0"
SIZES = (64, 1024)
SB3_BOARDS = 64
PROCESSES = 16  # SB3's SubprocVecEnv has one environment in each process
QUICK_BOARDS = 2


def vector_steps(env: Any, boards: int) -> Work:
    """Random legal steps in a Gymnasium vector environment, masks read off the infos."""
    choose = chooser(boards)
    _observations, infos = env.reset(seed=1)
    held = [infos["action_mask"]]

    def work(n: int) -> int:
        done = 0
        while done < n:
            held[0] = env.step(choose(held[0]))[4]["action_mask"]
            done += boards
        return done

    return work


def gymnasium_row(effort: Effort, name: str, boards: int) -> Row:
    """The native vector environment against Gymnasium's, of our single environments."""
    size = QUICK_BOARDS if effort.is_quick else boards
    native = gym.make_vec(ENV_ID, num_envs=size, opponent="random")
    single = gym.vector.SyncVectorEnv([lambda: gym.make(ENV_ID, opponent="random") for _ in range(size)])
    subjects = [("make_vec", vector_steps(native, size)), ("SyncVectorEnv of ours", vector_steps(single, size))]
    title = f"one learner, Connect Four, {boards:,} boards, opponent random"
    return Row(name, title, "steps/s", *rates(subjects, effort))


def beside_row(effort: Effort, name: str, game: Game, boards: int, peer: str, make: Callable[[str, int], Work]) -> Row:
    """Both sides by random plies, beside a peer on as many boards. make: (game's name, boards) to what is measured."""
    size = QUICK_BOARDS if effort.is_quick else boards
    subjects = [("BatchBoard", random_plies(game, size))]
    if theirs := if_installed(lambda: make(game.name, size)):
        subjects.append((peer, theirs))
    title = f"both sides, random plies, {game.title}, {boards:,} boards, beside {peer}"
    return Row(name, title, "plies/s", *rates(subjects, effort), absent=peer if len(subjects) < 2 else None)


def dummy_row(effort: Effort) -> Row:
    """SB3VecEnv against 64 copies of PettingZoo's environment in SB3's DummyVecEnv."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    from boardgym.wrappers.sb3 import SB3VecEnv

    size = QUICK_BOARDS if effort.is_quick else SB3_BOARDS
    subjects = [("SB3VecEnv", masked_steps(SB3VecEnv(GAME, size, seed=1, opponent="random"), size))]
    if theirs := if_installed(lambda: masked_steps(DummyVecEnv([SingleAgent] * size), size)):
        subjects.append(("PettingZoo in DummyVecEnv", theirs))
    title = f"SB3 steps with masks, Connect Four, {SB3_BOARDS} boards, opponent random"
    return Row("sb3_dummy", title, "steps/s", *rates(subjects, effort), absent="PettingZoo" if len(subjects) < 2 else None)


def subproc_row(effort: Effort) -> Row:
    """SB3VecEnv against as many processes as copies of PettingZoo's environment; on all cores, by wall time."""
    from stable_baselines3.common.vec_env import SubprocVecEnv

    from boardgym.wrappers.sb3 import SB3VecEnv

    size = 1 if effort.is_quick else PROCESSES
    title = f"SB3 steps with masks, Connect Four, {PROCESSES} boards, opponent random, all cores, wall time"
    with unpinned():
        subjects = [("SB3VecEnv", masked_steps(SB3VecEnv(GAME, size, seed=1, opponent="random"), size))]
        # one in this process first, where a missing library is told from a broken one
        theirs = if_installed(lambda: SingleAgent() and SubprocVecEnv([SingleAgent] * size))
        try:
            if theirs is not None:
                subjects.append(("PettingZoo in SubprocVecEnv", masked_steps(theirs, size)))
            figures = rates(subjects, effort, clock="wall")
        finally:
            if theirs is not None:
                theirs.close()
    absent = None if theirs is not None else "PettingZoo"
    return Row("sb3_subproc", title, "steps/s", *figures, absent=absent, clock="wall", notes={"processes": size})


def rows() -> dict[str, Callable[[Effort], Row]]:
    """Ours beside each library's way."""
    found: dict[str, Callable[[Effort], Row]] = {"sb3_dummy": dummy_row, "sb3_subproc": subproc_row}
    for boards in SIZES:
        found[f"learner_{boards}"] = functools.partial(gymnasium_row, name=f"learner_{boards}", boards=boards)
    for game in map(boardgym.get_game, boardgym.list_games()):
        for short, peer, boards, names, make in (
            ("spiel", "OpenSpiel's SyncVectorEnv", 64, SPIEL_NAMES, spiel_vector_plies),
            ("envpool", "EnvPool", 1024, ENVPOOL_NAMES, envpool_plies),
        ):
            if game.name in names:
                name = f"{short}_{game.module_name}"
                found[name] = functools.partial(beside_row, name=name, game=game, boards=boards, peer=peer, make=make)
    return found


ROWS = rows()
