"""The examples run with small presets, and print what they promise."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from code_blocks import ROOT

from boardgym.baselines import rate_interval

EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("[0-9]*.py"))
TWINS = sorted(path.stem for path in (ROOT / "examples" / "twins").glob("*.py"))
LIBRARIES = sorted({path.name for path in (ROOT / "examples").glob("*.py")} - set(EXAMPLES))  # named by the library that trains


def run_alone(name, *arguments, cwd):
    """What an example prints, in a process of its own."""
    command = [sys.executable, str(ROOT / "examples" / name), *arguments]
    done = subprocess.run(command, cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The same of examples that define no game, in this process: to load PyTorch takes longer than most of them do."""

    def program(name, *arguments):
        monkeypatch.chdir(tmp_path)
        path = str(ROOT / "examples" / name)
        monkeypatch.setattr(sys, "argv", [path, *arguments])
        runpy.run_path(path, run_name="__main__")
        return capsys.readouterr().out

    return program


def rates(shown, games):
    """The score rates before and after, after a look at their intervals."""
    found = re.search(rf"{games} games: (.*) before, (.*) after", shown)
    shares = [float(text.partition(" ")[0]) for text in found.groups()]
    values = [round(share * 2 * games) / (2 * games) for share in shares]  # as it was before it was rounded
    assert list(found.groups()) == [str(rate_interval(value, games)) for value in values]
    return values


def test_numbered_and_all_tested():
    assert [name[:3] for name in EXAMPLES] == [f"{number:02}_" for number in range(1, len(EXAMPLES) + 1)]
    text = Path(__file__).read_text()
    assert [name for name in EXAMPLES if f'"{name}"' not in text] == []
    text += (ROOT / "tests" / "optional" / "rllib" / "test_rllib.py").read_text()
    assert [name for name in LIBRARIES if f'"{name}"' not in text] == []


def test_aec_loop(run):
    shown = run("01_aec_loop.py", "--games", "300")
    first, second, drawn = map(int, re.search(r"player_0 won (\d+), player_1 won (\d+), (\d+) drawn", shown).groups())
    assert first + second + drawn == 300
    assert 0.48 * 300 < first < 0.64 * 300  # 56 % in the long run


def test_gymnasium_loop(run):
    shown = run("02_gymnasium_loop.py", "--games", "100")
    won, drawn, lost = map(int, re.search(r"(\d+) won, (\d+) drawn, (\d+) lost", shown).groups())
    assert won + drawn + lost == 100
    assert lost >= 85


def test_train_maskable_ppo(run, tmp_path):
    shown = run("03_train_maskable_ppo.py", "--steps", "2048", "--games", "4")
    assert "minimax:2" in shown
    assert (tmp_path / "runs" / "ppo.zip").is_file()


def test_compare(run):
    shown = run("04_compare.py", "--agent", "minimax:2", "--opponents", "random", "uct:20", "--games", "10")
    assert "minimax:2 does best against random" in shown


def test_board(run):
    shown = run("05_board.py", "--depth", "5", "--simulations", "200")
    assert "lines of play: 4 12 56 244 1396\n" in shown
    assert "white to play: value " in shown


def test_own_game(tmp_path, monkeypatch):
    """As Python, in less time than its kernels take to compile."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    shown = run_alone("06_own_game.py", "--games", "10", cwd=tmp_path)
    assert "lines of play: 12 " in shown
    assert re.search(r"who begins with \w\d wins: value \+1, proven: True", shown)
    assert "the first legal action against uct:50: reward" in shown


def test_value_iteration(run, tmp_path):
    shown = run("07_value_iteration.py", "--picture", "world.svg")
    assert "through the tunnel at (1, 18)" in shown
    assert (tmp_path / "world.svg").read_text() == (ROOT / "docs" / "images" / "lakes_and_tunnel.svg").read_text()


def test_self_play(run, tmp_path):
    settings = ["--game", "TicTacToe", "--steps", "8192", "--judges", "random", "minimax:2"]
    shown = run("08_self_play.py", *settings, "--games", "8")
    assert "minimax:2" in shown
    assert (tmp_path / "runs" / "selfplay" / "network.safetensors").is_file()


def test_train_abalone(run):
    shown = run("09_train_abalone.py", "--episodes", "30", "--games", "2")
    assert "seed 1: 30 of 30 games; all episodes are done\n" in shown
    assert shown.count("| minimax:") == 2 or shown.count("evaluation=distance") == 1
    again = run("09_train_abalone.py", "--episodes", "30", "--games", "2")
    assert again.endswith(shown[shown.index("; all") :])  # nothing is trained again, and the games are the same


def test_alphazero(run, tmp_path):
    """More in test_alphazero.py."""
    settings = [
        "--game",
        "TicTacToe",
        "--games",
        "8",
        "--simulations",
        "4",
        "--channels",
        "8",
        "--blocks",
        "1",
        "--eval-games",
        "4",
    ]
    settings += ["--opponents", "random", "--every", "1", "--out", "runs/az"]
    run("alphazero.py", *settings, "--iterations", "1")
    shown = run("alphazero.py", "--preset", "small", *settings, "--iterations", "2")
    assert "16 games, " in shown
    curve = [json.loads(line) for line in (tmp_path / "runs" / "az" / "curve.jsonl").read_text().splitlines()]
    assert [(point["iteration"], point["games"], list(point["scores"])) for point in curve] == [
        (0, 0, ["random"]), (1, 8, ["random"]), (2, 16, ["random"]),
    ]  # fmt: skip
    assert (tmp_path / "runs" / "az" / "curve.png").read_bytes()[1:4] == b"PNG"
    with pytest.raises(SystemExit, match=r"error: .*holds a run with another channels; give another --out"):
        run("alphazero.py", *settings, "--channels", "16")


def test_ppo(run, tmp_path):
    """More in test_ppo.py."""
    settings = ["--game", "TicTacToe", "--boards", "8", "--plies", "4", "--batch", "16", "--hidden", "8", "--eval-games", "4"]
    settings += ["--iterations", "2", "--out", "runs/ppo"]
    shown = run("ppo.py", *settings)
    assert "minimax:2" in shown
    assert re.search(r"64 steps, \d+ games, \d+ s of CPU time; network:runs/ppo/agent.safetensors\n$", shown)
    assert run("ppo.py", "--preset", "small", *settings) == shown  # nothing is trained again, and the games are the same
    assert (tmp_path / "runs" / "ppo" / "checkpoint.safetensors").is_file()
    with pytest.raises(SystemExit, match=r"error: .*holds a run with another hidden; give another --out"):
        run("ppo.py", *settings, "--hidden", "16")
    with pytest.raises(SystemExit, match="error: this self-play is for two seats"):
        run("ppo.py", *settings, "--game", "Abalone3")


def test_openspiel_adapter(run):
    before, after = rates(run("openspiel_adapter.py", "--games", "1500", "--test-games", "200"), 200)
    assert 0.55 <= before <= 0.75  # random play scores 0.65 from the first seat
    assert after >= 0.85


@pytest.mark.parametrize(
    ("name", "steps", "reached", "settings"),
    [
        ("cleanrl_masked_ppo.py", 20_000, 0.62, ["--num-envs", "32"]),
        ("cleanrl_masked_dqn.py", 10_000, 0.70, ["--num-envs", "32", "--learning-starts", "500"]),
        ("torchrl_masked_ppo.py", 16_000, 0.62, ["--num-envs", "32"]),
        ("tianshou_masked_dqn.py", 16_000, 0.70, ["--batch", "128"]),
    ],
)
def test_training_with_other_libraries(name, steps, reached, settings, run):
    """Small runs on tic-tac-toe. Random play scores 0.5; a network that has learnt nothing, if greedy, 0.35 to 0.65."""
    arguments = ["--game", "TicTacToe-v0", "--steps", str(steps), "--eval-games", "300", *settings]
    shown = run(name, *arguments)
    before, after = rates(shown, 300)
    assert before < 0.65
    assert after > reached


def test_a_twin_is_a_program(tmp_path):
    shown = run_alone("twins/dynamic_programming.py", cwd=tmp_path)
    assert "best actions: S S S S E S S S E E S S E E E N\n" in shown  # each a shortest way to the corner
    assert float(re.search(r"both agree to (\S+)", shown)[1]) < 1e-8


SMALL = {  # of each twin: arguments of its `main`, numbers to find in what it prints, and what they have to be
    "bandit": ({"tasks": 50, "plays": 200}, r"mean reward (\S+),", lambda r: len(r) == 4 and r[3] < r[0] < r[1] < r[2]),
    "cascade": ({"max_units": 4, "examples": 100}, r"training error (\S+)", lambda e: len(e) == 5 and e[-1] < 0.9 * e[0]),
    "coevolution": ({"generations": 100, "games": 200}, r"generations: (\S+)", lambda p: 0.4 < p[0] < 0.6 < p[-1]),
    "descent": ({"games": 100, "tests": 100}, r"(\d+) won", lambda won: len(won) == 2 and min(won) > 75),
    "dynamic_programming": ({"discount": 0.5}, r"agree to (\S+)", lambda gap: gap[0] < 1e-8),
    "menace": ({"episodes": 800}, r"x won \d+, (\d+) drawn", lambda drawn: max(drawn[:2]) < min(drawn[2:])),
    "ntuple": ({"games": 500, "tests": 100}, r"(\d+) won", lambda won: len(won) == 2 and min(won) > 75),
    "q_learning": ({}, r"loses (\d+) of", lambda lost: lost[0] > 0 and lost[1:] == [0.0, 0.0]),
    "q_network": ({"games": 600, "tests": 100}, r"(\d+) won", lambda won: len(won) == 2 and min(won) > 50),
    "q_sarsa": ({"batches": 4, "games": 100}, r"(\d+) won", lambda won: len(won) == 3 and min(won) > 60),
    "risk_td": ({"steps": 20_000}, r"worth +(\S+)", lambda worth: worth == sorted(worth)[::-1] and worth[-1] < 0.0 < worth[0]),
    "sarsa": ({"episodes": 500, "games": 300}, r"(\d+) won", lambda won: len(won) == 2 and min(won) > 230),
    "td": ({"episodes": 300, "games": 300}, r"(\d+) won", lambda won: len(won) == 2 and min(won) > 270),
    "td_leaf": ({"episodes": 60, "games": 40}, r"(\d+) won", lambda won: len(won) == 2 and min(won) > 28),
    "td_network": ({"episodes": 400, "games": 100}, r"(\d+) won", lambda won: len(won) == 3 and min(won) > 70),
}


@pytest.mark.parametrize("name", TWINS)
def test_twins(name, capsys):
    """All in this process. Random play wins 58 % of the games from the first seat, 44 % from both."""
    sizes, pattern, is_as_promised = SMALL[name]
    runpy.run_path(str(ROOT / "examples" / "twins" / f"{name}.py"))["main"](**sizes)
    shown = capsys.readouterr().out
    assert is_as_promised([float(number) for number in re.findall(pattern, shown)]), shown
