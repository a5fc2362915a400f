"""Grid worlds: printed and hand-made values, their geometry told independently, lakes and tunnel, pictures."""

import gymnasium as gym
import numpy as np
import pytest

from boardgym import OptionError
from boardgym.baselines.learning.tabular.dynamic_programming import iterate_values
from boardgym.render.pixels import pixels
from boardgym.solo import EAST, NORTH, SOUTH, WEST, GridWorld, LakesAndTunnel
from boardgym.solo.grid import draw_cells

DOWN_RIGHT = {NORTH: (-1, 0), SOUTH: (1, 0), EAST: (0, 1), WEST: (0, -1)}


def made(name, **arguments):
    return gym.make(f"boardgym/{name}-v0", **arguments).unwrapped


def test_values_of_the_simple_grid_are_distances():
    env = made("GridWorld")
    values = iterate_values(env.transitions(), discount=1.0, sweeps=100).values
    for state, value in enumerate(values):
        row, column = env.cell_of(state)
        assert value == -(row + abs(column - 11))
        assert env.state_of(row, column) == state
    assert values.min() == -30  # at (19, 0), within the plot's scale of 0 to -40


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("GridWorld", {}), ("GridWorld", {"height": 3, "width": 7, "goal": 20, "step_reward": 2, "bump_reward": 0.5}),
     ("PolicyEvaluationGrid", {}), ("LakesAndTunnel", {"start": "random"}),
     ("LakesAndTunnel", {"has_tunnel": False, "lakes": 397})],
)  # fmt: skip
def test_steps_follow_the_model_and_the_map(name, arguments):
    env = made(name, **arguments)
    env.action_space.seed(1)
    state, _ = env.reset(seed=1)
    model, seen, episodes = env.transitions(), set(), 0
    for number in range(4000):
        action = int(env.action_space.sample())
        row, column = np.add(env.cell_of(state), DOWN_RIGHT[action])
        is_bump = not (0 <= row < env.height and 0 <= column < env.width)
        target = state if is_bump else env.state_of(row, column)
        reward = env.bump_reward if is_bump else -15 if target in env.lakes else env.step_reward
        if state == env.tunnel:
            target, reward = env.goal, 0
        got = env.step(action)
        assert got == (target, reward, target == env.goal, False, {})
        assert model[state][action] == [(1.0, target, reward, target == env.goal)]
        assert env.P is model
        seen.add(state)
        state, episodes = target, episodes + got[2]
        if got[2] or number % 50 == 49:
            state = env.reset()[0]
    assert episodes >= 5 or name == "LakesAndTunnel"
    assert all(outcomes == [(1.0, env.goal, 0.0, True)] for outcomes in model[env.goal].values())
    if arguments.get("start", "random") == "random" and name != "LakesAndTunnel":
        assert len(seen) > 0.98 * env.height * env.width - 2  # all but the goal, or nearly so


def test_random_starts_are_uniform():
    env = made("PolicyEvaluationGrid")
    env.reset(seed=7)
    counts = np.bincount([env.reset()[0] for _ in range(3000)], minlength=16)
    assert counts[15] == 0
    assert ((counts[:15] - 200) ** 2 / 200).sum() < 36.1  # chi-square, 14 degrees of freedom, 1 in 1,000


def test_starts():
    assert made("LakesAndTunnel").reset(seed=1)[0] == made("LakesAndTunnel").state_of(1, 1) == 21
    env = made("GridWorld", start=399)
    assert env.reset() == (399, {})
    assert env.reset(options={"start": 5}) == (5, {})
    assert env.reset() == (399, {})
    assert len({env.reset(options={"start": "random"})[0] for _ in range(50)}) > 30


def test_lakes_and_tunnel():
    env = made("LakesAndTunnel")
    start, goal, tunnel = env.state_of(1, 1), env.state_of(18, 18), env.state_of(1, 18)
    assert (env.start, env.goal, env.tunnel) == (start, goal, tunnel)
    assert len(env.lakes) == 43
    lakes = set(env.lakes)
    for _ in range(3):
        env.reset()
        assert env.lakes == lakes
    layouts = {made("LakesAndTunnel", layout_seed=seed).lakes for seed in range(200)}
    assert len(layouts) == 200
    assert not set().union(*layouts) & {start, goal, tunnel}
    assert set().union(*layouts) == set(range(400)) - {start, goal, tunnel}
    assert LakesAndTunnel(3).lakes == LakesAndTunnel(layout_seed=np.int64(3)).lakes
    assert sorted(LakesAndTunnel(0).lakes)[:6] == [7, 10, 12, 18, 30, 44]  # the same on every machine


def test_layouts_are_uniform():
    drawn = np.bincount([cell for seed in range(2000) for cell in draw_cells(range(10), 3, seed=seed)], minlength=10)
    assert drawn.sum() == 6000
    # counts of draws without replacement: variance 2000 * 0.3 * 0.7, and 9 degrees of freedom
    assert ((drawn - 600) ** 2 / (2000 * 0.3 * 0.7)).sum() * 9 / 10 < 27.9


@pytest.mark.parametrize("layout_seed", range(5))
def test_value_iteration_finds_the_tunnel(layout_seed):
    env = LakesAndTunnel(layout_seed)
    solution = iterate_values(env.transitions(), discount=0.9, sweeps=300)
    values = solution.values
    assert values[env.tunnel] == 0
    state, paid, path = env.reset()[0], [], []
    while True:
        path.append(state)
        state, reward, terminated, _, _ = env.step(int(solution.policy[state]))
        paid.append(reward)
        if terminated:
            break
    assert path[-1] == env.tunnel
    assert values[env.start] == pytest.approx(sum(0.9**t * reward for t, reward in enumerate(paid)))
    assert values[env.start] <= -5 * (1 - 0.9**17) / 0.1  # 17 steps without a lake
    without = iterate_values(LakesAndTunnel(layout_seed, has_tunnel=False).transitions(), discount=0.9, sweeps=300).values
    assert (without <= values).all()
    assert without[env.start] < values[env.start]


def test_dry_world_by_hand():
    values = iterate_values(LakesAndTunnel(lakes=0).transitions(), discount=0.9, sweeps=300).values
    assert values[21] == pytest.approx(-5 * (1 - 0.9**17) / 0.1)  # -41.7
    without = iterate_values(LakesAndTunnel(lakes=0, has_tunnel=False).transitions(), discount=0.9, sweeps=300).values
    assert without[21] == pytest.approx(-5 * (1 - 0.9**34) / 0.1)


@pytest.mark.parametrize(
    ("problem", "arguments", "words"),
    [
        (GridWorld, {"height": 0}, "height=0: expected a whole number, from 1 to 100"),
        (GridWorld, {"width": 2.5}, "width=2.5: expected a whole number, from 1 to 100"),
        (GridWorld, {"height": 1, "width": 1}, "height=1, width=1: expected two cells"),
        (GridWorld, {"height": 2, "width": 2}, "goal=11: expected a whole number, from 0 to 3"),
        (GridWorld, {"step_reward": float("nan")}, "step_reward=nan: expected a finite number"),
        (GridWorld, {"bump_reward": "-1"}, "bump_reward='-1': expected a finite number"),
        (GridWorld, {"start": 11}, "start=11: expected 'random' or a state from 0 to 399 that is not terminal"),
        (GridWorld, {"start": "anywhere"}, "start='anywhere': expected 'random' or a state"),
        (GridWorld, {"start": True}, "start=True: expected 'random' or a state"),
        (GridWorld, {"render_mode": "ansy"}, "no render mode 'ansy'; did you mean 'ansi'"),
        (LakesAndTunnel, {"lakes": 398}, "lakes=398: expected a whole number, from 0 to 397"),
        (LakesAndTunnel, {"layout_seed": "x"}, "layout_seed='x': expected a whole number"),
        (LakesAndTunnel, {"has_tunnel": 1}, "has_tunnel=1: expected True or False"),
        (LakesAndTunnel, {"start": 378}, "start=378: expected 'random' or a state"),
    ],
)
def test_bad_arguments(problem, arguments, words):
    with pytest.raises(OptionError) as caught:
        problem(**arguments)
    assert words in str(caught.value)


def test_bad_cells_and_values():
    env = GridWorld()
    with pytest.raises(OptionError, match="row=20: expected a whole number, from 0 to 19"):
        env.state_of(20, 0)
    with pytest.raises(OptionError, match="values: expected 400 numbers, one a state, got 3"):
        env.svg([1, 2, 3])


def test_text():
    env = made("PolicyEvaluationGrid", render_mode="ansi", start=6)
    env.reset()
    assert env.render() == ". . . .\n. . @ .\n. . . .\n. . . G"
    shown = made("LakesAndTunnel", render_mode="ansi")
    shown.reset()
    rows = [row.split() for row in shown.render().split("\n")]
    assert (rows[1][1], rows[18][18], rows[1][18]) == ("@", "G", "o")
    assert sum(row.count("~") for row in rows) == 43
    assert all(rows[lake // 20][lake % 20] == "~" for lake in shown.lakes)


def test_pictures_show_what_is_there():
    env = made("LakesAndTunnel", render_mode="rgb_array")
    env.reset()
    first = env.render()
    assert (first.dtype, first.shape) == (np.uint8, (682, 682, 3))

    def colour(picture, state, down=16, right=16):
        row, column = env.cell_of(state)
        return picture[30 + 32 * row + down, 30 + 32 * column + right].tolist()

    assert colour(first, env.state) == [0xE8, 0x54, 0x3F]
    assert colour(first, min(env.lakes), 3, 3) == [0xBC, 0xDC, 0xF7]
    assert colour(first, env.goal, 3, 3) == [0xD5, 0xEC, 0xD9]
    assert colour(first, env.tunnel) == [0x3D, 0x44, 0x4D]
    env.step(EAST)
    second = env.render()
    assert second.shape == first.shape
    assert colour(second, env.state) == [0xE8, 0x54, 0x3F] != colour(second, env.start)
    values = iterate_values(env.transitions(), discount=0.9, sweeps=300).values
    shaded = pixels(env.svg(values))
    darkest, lightest = int(values.argmin()), int(np.where(np.arange(400) == env.goal, -99, values).argmax())
    assert colour(shaded, darkest, 3, 3) == [40, 51, 92]
    assert lightest == env.tunnel
    assert colour(shaded, lightest, 3, 3) == [255, 243, 214]
    assert GridWorld(1, 2, goal=1).svg([1.0, 1.0]).startswith("<svg ")  # all values alike
