"""Grid worlds: plain ones of any size, and one with lakes and a tunnel.

States are cells, numbered row * width + column, row 0 on top; actions are 0 north, 1 south, 2 east, 3 west; moves do what
they say. A wall bump leaves the position. An episode ends at the goal; nothing else ends it, so that an agent that has
learnt nothing may walk for long: `gymnasium.make(..., max_episode_steps=...)` cuts it off.

The worlds are those of chapter 4 of P. F. P. Campos's master's dissertation on Abalearn (IST, Technical University of
Lisbon, about 2003); what it leaves open is decided here and said below.
"""

from collections.abc import Sequence
from typing import Any

from boardgym.core.errors import OptionError
from boardgym.core.random import draw, stream
from boardgym.solo.model import Model, ModelEnv, Transition, read_bool, read_int, read_real
from boardgym.solo.pictures import grid_svg

NORTH, SOUTH, EAST, WEST = range(4)
STEPS = {NORTH: (-1, 0), SOUTH: (1, 0), EAST: (0, 1), WEST: (0, -1)}  # (rows, columns)
MAX_SIDE = 100


class GridWorld(ModelEnv):
    """Find the goal of an empty grid by a short way.

    Observation: Discrete(height * width), the cell. Action: Discrete(4), north, south, east, west.
    A bump into the wall pays `bump_reward`, any other step `step_reward`, the one into the goal too.

    `boardgym/GridWorld-v0` is the world of 20 x 20 cells with the goal at (0, 11), -1 a step and -10 a bump;
    `boardgym/PolicyEvaluationGrid-v0` that of 4 x 4 cells with the goal in the corner (3, 3) and -1 for anything.

    Args:
        height, width: cells, each from 1 to 100.
        goal: the terminal state.
        step_reward, bump_reward: any finite numbers.
        start: a state, or "random" for one of the others, drawn for each episode.
        render_mode: None, "ansi" (`render` returns text) or "rgb_array" (uint8 (H, W, 3)).

    Raises: OptionError, naming the argument.
    """

    lakes: frozenset[int] = frozenset()
    tunnel: int | None = None

    def __init__(
        self,
        height: int = 20,
        width: int = 20,
        *,
        goal: int = 11,
        step_reward: float = -1.0,
        bump_reward: float = -10.0,
        start: int | str = "random",
        render_mode: str | None = None,
    ) -> None:
        self.height = read_int("height", height, low=1, high=MAX_SIDE)
        self.width = read_int("width", width, low=1, high=MAX_SIDE)
        if self.height * self.width < 2:
            raise OptionError("height=1, width=1: expected two cells at least, one of them the goal")
        self.goal = read_int("goal", goal, low=0, high=self.height * self.width - 1)
        infinite = float("inf")
        self.step_reward = float(read_real("step_reward", step_reward, low=-infinite, high=infinite))
        self.bump_reward = float(read_real("bump_reward", bump_reward, low=-infinite, high=infinite))
        states = range(self.height * self.width)
        model: Model = {state: {action: [self._outcome(state, action)] for action in STEPS} for state in states}
        super().__init__(model, starts=[s for s in states if s != self.goal], start=start, render_mode=render_mode)

    def cell_of(self, state: int) -> tuple[int, int]:
        """(row, column) of a state, row 0 on top."""
        return divmod(int(state), self.width)

    def state_of(self, row: int, column: int) -> int:
        """The state of a cell. Raises OptionError if it is outside."""
        row = read_int("row", row, low=0, high=self.height - 1)
        return row * self.width + read_int("column", column, low=0, high=self.width - 1)

    def _neighbour(self, state: int, action: int) -> int | None:
        """The cell that lies there, None for the wall."""
        row, column = self.cell_of(state)
        down, right = STEPS[action]
        row, column = row + down, column + right
        return row * self.width + column if 0 <= row < self.height and 0 <= column < self.width else None

    def _outcome(self, state: int, action: int) -> Transition:
        if state == self.goal:
            return Transition(1.0, state, 0.0, True)
        cell = self._neighbour(state, action)
        if cell is None:
            return Transition(1.0, state, self.bump_reward, False)
        return Transition(1.0, cell, self._reward_of_entering(cell), cell == self.goal)

    def _reward_of_entering(self, cell: int) -> float:
        return self.step_reward

    def text(self) -> str:
        """One character a cell: @ the agent, G the goal, ~ a lake, o the tunnel, . anything else."""
        symbols: dict[int | None, str] = {self.tunnel: "o", **dict.fromkeys(self.lakes, "~"), self.goal: "G", self.state: "@"}
        rows = [[symbols.get(row * self.width + column, ".") for column in range(self.width)] for row in range(self.height)]
        return "\n".join(" ".join(row) for row in rows)

    def svg(self, values: Sequence[float] | None = None) -> str:
        """The grid as an SVG document. values: one number a state, as an array or a list; they shade the cells, low ones dark.

        Raises: OptionError if there are not as many values as states.
        """
        if values is not None and len(values) != len(self._model):
            raise OptionError(f"values: expected {len(self._model)} numbers, one a state, got {len(values)}")
        return grid_svg(
            (self.height, self.width), agent=self.state, goal=self.goal, lakes=self.lakes, tunnel=self.tunnel, values=values
        )


class LakesAndTunnel(GridWorld):
    """A 20 x 20 world with lakes that cost, and a tunnel that nobody tells the agent about.

    Stepping on a lake pays -15, anything else -5, a bump into the wall too, even on a lake: the agent stays, it does not step
    on it again. From the tunnel's cell, whose entry is a step like any other, each action takes the agent straight to the goal
    with reward 0. Start (1, 1), goal (18, 18), tunnel (1, 18); lakes can be crossed, so the goal is always within reach.
    By the tunnel 17 steps lead to it at -5 and one at 0; without it 34 steps.

    Args:
        layout_seed: where the lakes lie, 0 to 2**64 - 1; the same in all episodes, Python and NumPy versions.
        lakes: how many, 43 in the dissertation. Never on the start (1, 1), the goal or the tunnel.
        has_tunnel: False makes the tunnel's cell one like any other.
        start: a state, or "random" for any but the goal, drawn for each episode. (1, 1) is 21.
        render_mode: None, "ansi" (`render` returns text) or "rgb_array" (uint8 (H, W, 3)).

    Raises: OptionError, naming the argument.
    """

    SIDE = 20
    START, GOAL, TUNNEL = 1 * SIDE + 1, 18 * SIDE + 18, 1 * SIDE + 18
    LAKE_REWARD = -15.0

    def __init__(
        self,
        layout_seed: int = 0,
        lakes: int = 43,
        *,
        has_tunnel: bool = True,
        start: int | str = START,
        render_mode: str | None = None,
    ) -> None:
        dry = (self.START, self.GOAL, self.TUNNEL)
        cells = [cell for cell in range(self.SIDE**2) if cell not in dry]
        self.layout_seed = read_int("layout_seed", layout_seed, low=0, high=2**64 - 1)
        self.lakes = draw_cells(cells, read_int("lakes", lakes, low=0, high=len(cells)), seed=self.layout_seed)
        self.tunnel = self.TUNNEL if read_bool("has_tunnel", has_tunnel) else None
        super().__init__(
            self.SIDE, self.SIDE, goal=self.GOAL, step_reward=-5.0, bump_reward=-5.0, start=start, render_mode=render_mode
        )

    def _outcome(self, state: int, action: int) -> Transition:
        if state == self.tunnel:
            return Transition(1.0, self.goal, 0.0, True)
        return super()._outcome(state, action)

    def _reward_of_entering(self, cell: int) -> float:
        return self.LAKE_REWARD if cell in self.lakes else self.step_reward


def draw_cells(cells: Sequence[int], count: int, *, seed: int) -> frozenset[int]:
    """`count` of the cells, all choices equally likely: the first ones of a Fisher-Yates shuffle."""
    left, rng = list(cells), stream(seed)
    drawn: list[Any] = []
    for _ in range(count):
        drawn.append(left.pop(draw(rng, len(left))))
    return frozenset(drawn)
