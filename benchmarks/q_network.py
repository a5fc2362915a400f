"""Q-learning with networks beside PyTorch: `python -m benchmarks.q_network --json`.

Both learners play Othello against themselves, as `boardgym train q-network` does: the study's single
network (64-44-64) and its 64 networks (64 x 64-36-1), one set a seat, float64. PyTorch uses our
boards, one call for all legal actions, gradients by autograd, and one thread. It begins with our
weights and draws the same numbers, and before anything is measured both must end with the same
weights after a few games. Their repeats alternate on one core, so that a slow minute hits both.

Prints games a second by processor time, the median of the repeats with the lowest and the highest,
and by wall time. The first game of ours, which compiles or loads, is left out and its seconds are
printed.
"""

import dataclasses
import json
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray

from benchmarks.measure import QUICK, Effort, Row, Work, pin, rates
from boardgym.baselines.learning.q_network.agent import trimmed
from boardgym.baselines.learning.q_network.config import QNetworkConfig
from boardgym.baselines.learning.q_network.trainer import QNetwork
from boardgym.core.board import Board
from boardgym.core.random import draw_index

FORMS = {"single": 44, "multi": 36}  # hidden units of each
LEAST = {"single": 6000.0, "multi": 1000.0}  # games a second that are wanted of ours on a free core
TEMPERATURE = 0.5  # all along, so that games do not become all alike
SAME_GAMES = 3
CLOSE = 1e-10
PASS = [64]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Measures both forms of networks, ours and PyTorch's.

    Attributes:
        forms: of networks.
        repeats: of each subject.
        repeat_s: processor seconds of a repeat, about.
        seed: of weights and games.
        json: print the figures as JSON.
        quick: one short repeat, to see that it runs; the figures mean nothing.
    """

    forms: tuple[str, ...] = tuple(FORMS)
    repeats: int = 5
    repeat_s: float = 2.0
    seed: int = 1
    json: bool = False
    quick: bool = False


def make_training(form: str, seed: int) -> QNetwork:
    """Ours."""
    config = QNetworkConfig(form=form, hidden=FORMS[form], games=1_000_000_000, temperature=str(TEMPERATURE), never_greedy=True,
                            seed=seed)  # type: ignore[arg-type]  # fmt: skip
    return QNetwork(config)


class TorchLearner:
    """The same in PyTorch."""

    def __init__(self, training: QNetwork) -> None:
        self.config, self.rng = training.config, training.rng.copy()
        self.weights = [torch.tensor(part) for part in trimmed(training.nets, training.config.hidden).values()]

    def values(self, seat: int, x: Any, actions: Any) -> Any:
        """Q(s, a) of actions, all at once. x: (I + 1,), the last 1."""
        first, second, biases = (part[seat] for part in self.weights)
        if self.config.form == "single":
            return torch.tanh(second[actions] @ torch.tanh(x @ first[0]) + biases[actions])
        return torch.tanh((second[actions] * torch.tanh(x @ first[actions])).sum(dim=1) + biases[actions])

    def learn(self, seat: int, x: Any, action: int, gain: float) -> None:
        """One update: of the parameters that the action's output has, by autograd."""
        group = 0 if self.config.form == "single" else action
        parts = [self.weights[0][seat, group], self.weights[1][seat, action], self.weights[2][seat, action]]
        own = [part.detach().requires_grad_() for part in parts]
        q = torch.tanh(own[1] @ torch.tanh(x @ own[0]) + own[2])
        alpha = self.config.step_size
        target = (1.0 - alpha) * q.detach() + alpha * gain
        gradients = torch.autograd.grad(0.5 * (target - q) ** 2, own)
        for part, gradient in zip(parts, gradients, strict=True):
            part -= self.config.learning_rate * gradient

    def choose(self, values: NDArray[np.float64]) -> int:
        """The number of an action, by softmax."""
        weights = np.exp((values - values.max()) / TEMPERATURE)
        return draw_index(weights / weights.sum(), self.rng)

    def play(self, board: Board) -> None:
        """A game, in which both seats learn."""
        before: dict[int, tuple[Any, int]] = {}
        while not board.is_terminal:
            seat, legal = board.to_play, list(board.legal_actions)
            if legal == PASS:
                board.push(legal[0])
                continue
            planes, actions = board.observation(seat).reshape(-1, 5), torch.tensor(legal)
            x = torch.tensor(np.append(planes[:, 0].astype(np.float64) - planes[:, 1], 1.0))
            if seat in before:
                self.learn(seat, *before[seat], float(self.values(seat, x, actions).max()))
            action = legal[self.choose(self.values(seat, x, actions).numpy())]
            before[seat] = x, action
            board.push(action)
        for seat, (x, action) in sorted(before.items()):
            self.learn(seat, x, action, board.returns()[seat])


def ours(training: QNetwork) -> Work:
    """Plays and learns n games."""

    def work(n: int) -> int:
        training.play_to(training.done + n)
        return n

    return work


def theirs(learner: TorchLearner, game: Any) -> Work:
    """The same of PyTorch's."""

    def work(n: int) -> int:
        for _ in range(n):
            learner.play(Board(game))
        return n

    return work


def difference(form: str, seed: int, games: int) -> float:
    """The greatest difference of any weight of the two after a few games, which have to be the same games."""
    training = make_training(form, seed)
    learner = TorchLearner(training)
    training.play_to(games)
    theirs(learner, training.game)(games)
    own = trimmed(training.nets, training.config.hidden).values()
    return max(float(np.abs(a - b.numpy()).max()) for a, b in zip(own, learner.weights, strict=True))


def measure(settings: Settings) -> list[Row]:
    """A row for each form. Raises ArithmeticError if the two do not learn the same."""
    effort = QUICK if settings.quick else Effort(settings.repeats, settings.repeat_s)
    rows, began = list[Row](), time.process_time()
    make_training("single", settings.seed).play_to(1)  # one kernel serves all forms
    first_s = time.process_time() - began
    for form in settings.forms:
        if not (gap := difference(form, settings.seed, SAME_GAMES)) < CLOSE:
            raise ArithmeticError(f"{form}: weights of ours and of PyTorch differ by {gap:g} after {SAME_GAMES} games")
        training = make_training(form, settings.seed)
        subjects = [("boardgym", ours(training)), ("PyTorch", theirs(TorchLearner(training), training.game))]
        title = f"Q-learning in self-play, Othello, {form}, {FORMS[form]} hidden units"
        row = Row(f"q_network_{form}", title, "games/s", *rates(subjects, effort), at_least=LEAST[form])
        rows.append(dataclasses.replace(row, notes={"weights_differ_by": gap, "first_game_s": first_s}))
    return rows


def main(settings: Settings) -> list[Row]:
    """Measures, and prints."""
    core = pin()
    torch.set_num_threads(1)
    usual = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        rows = measure(settings)
    finally:
        torch.set_default_dtype(usual)
    if settings.json:
        found = [{**dataclasses.asdict(row), "ratio": row.ratio, "core": core, "torch": torch.__version__} for row in rows]
        print(json.dumps(found, indent=2))
        return rows
    for row in rows:
        print(row.title)
        for one in (row.ours, row.peer):
            assert one is not None
            low, high = one.spread
            print(f"  {one.subject:10}{one.value:10,.1f} games/s of processor time [{low:,.1f}, {high:,.1f}], "
                  f"{one.wall:,.1f} by the clock")  # fmt: skip
        print(f"  ratio {row.ratio:,.1f}; wanted: {row.target}; our first game took {row.notes['first_game_s']:.1f} s")
    return rows


if __name__ == "__main__":
    main(tyro.cli(Settings, description=__doc__))
