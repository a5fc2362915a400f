"""What a user waits for: the import, make and reset from a warm cache, and the first compilation from an empty one.

Each repeat is a process of its own, which times itself, so that the interpreter's start is not counted.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import boardgym
from benchmarks.measure import Effort, Figure, Row, figure

ROOT = Path(__file__).resolve().parents[1]

TIMER = """
import json, time
wall, cpu = time.perf_counter(), time.process_time()
def done():
    print(json.dumps([time.process_time() - cpu, time.perf_counter() - wall]))
"""

IMPORT = TIMER + "import boardgym\ndone()\n"

MAKE = f"""
import sys
import boardgym
{TIMER}
boardgym.make(sys.argv[1]).reset(seed=1)
done()
"""

PLAY = f"""
import sys
import boardgym
{TIMER}
env = boardgym.make(sys.argv[1])
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
done()
"""


def run(script: str, cache: str, *arguments: str) -> tuple[float, float]:
    """Processor and wall seconds that a script says it took, in a new process with the given kernel cache.

    Raises RuntimeError with what the process wrote, if it fails.
    """
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"a benchmark's process failed: {done.stderr.strip()}")
    cpu, wall = json.loads(done.stdout.splitlines()[-1])
    return cpu, wall


def seconds(subject: str, script: str, effort: Effort, *arguments: str, is_cold: bool = False) -> Figure:
    """Medians over processes. is_cold: each with an empty kernel cache; else one that a first process has filled."""
    with tempfile.TemporaryDirectory() as folder:
        warm_up_s = 0.0 if is_cold else run(PLAY, folder, arguments[0] if arguments else "TicTacToe-v0")[0]
        times = []
        for repeat in range(effort.repeats):
            times.append(run(script, os.path.join(folder, str(repeat)) if is_cold else folder, *arguments))
    return figure(subject, [cpu for cpu, _ in times], [wall for _, wall in times], warm_up_s=warm_up_s)


def import_time(effort: Effort) -> Row:
    return Row("import", "import boardgym", "s", seconds("boardgym", IMPORT, effort), at_most=0.5)


def worst_game(name: str, title: str, script: str, effort: Effort, *, at_most: float, is_cold: bool) -> Row:
    """The slowest game's figure, with all games' in the notes."""
    shown = ["TicTacToe-v0"] if effort.is_quick else boardgym.list_games()
    figures = {game: seconds(game, script, effort, game, is_cold=is_cold) for game in shown}
    slowest = max(figures.values(), key=lambda f: f.value)
    notes: dict[str, str | float] = {game: round(f.value, 3) for game, f in figures.items()}
    return Row(name, f"{title} (slowest: {slowest.subject})", "s", slowest, at_most=at_most, notes=notes)


def make_and_reset(effort: Effort) -> Row:
    return worst_game("make", "make and reset, warm cache", MAKE, effort, at_most=0.5, is_cold=False)


def first_compile(effort: Effort) -> Row:
    return worst_game("compile", "first AEC game, cold cache", PLAY, effort, at_most=5.0, is_cold=True)


ROWS = {"import": import_time, "make": make_and_reset, "compile": first_compile}
