"""TD(lambda) with a network, learning Abalone from play with itself: ours, and the same learner written with PyTorch."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.measure import Effort, Row, Work, if_installed, rates
from boardgym.baselines.learning.td.config import NetworkConfig
from boardgym.baselines.learning.td.trainer import NetworkTrainer
from boardgym.baselines.networks import perceptron as pn
from boardgym.core.board import Board

MANY, EPSILON = 10**9, 0.1
STEP_SIZE, DISCOUNT, TRACE_DECAY, KAPPA = 0.1, 0.9, 0.7, -1.0  # the study's Method II


def our_training() -> tuple[NetworkTrainer, Work]:
    """A training that goes on from where it was, and what measures it: in plies."""
    trainer = NetworkTrainer(NetworkConfig(episodes=MANY, epsilon=str(EPSILON)))

    def work(n: int) -> int:
        before = trainer.plies
        while trainer.plies < before + n:
            trainer.run(until=trainer.episode + 1)
        return trainer.plies - before

    return trainer, work


class TorchLearner:
    """The same learner with PyTorch, on our boards and features: a batch for the positions that a ply can lead to."""

    def __init__(self, config: NetworkConfig) -> None:
        import torch

        torch.set_num_threads(1)
        self.torch, self.rng = torch, np.random.default_rng(1)
        trainer = NetworkTrainer(config)
        self.game, self.features = trainer.game, trainer.features
        rows = [torch.tensor(layer.copy()) for layer in pn.layers_of(trainer.net)]
        self.first, self.bias, self.second = rows[0][:-1], rows[0][-1], rows[1][:, 0]
        self.weights = [self.first, self.bias, self.second]
        for weight in self.weights:
            weight.requires_grad_()

    def value(self, inputs: Any) -> Any:
        """Of a batch, (n, inputs)."""
        torch = self.torch
        return torch.sigmoid(torch.sigmoid(inputs @ self.first + self.bias) @ self.second)

    def look(self, board: Board, seat: int) -> tuple[Any, Any, Any]:
        """Of each action: features of where it leads, marbles that it wins, whether it ends the game."""
        before, found, gains, ends = material(board, seat), [], [], []
        for action in board.legal_actions:
            board.push(action)
            found.append(self.features(board, seat))
            gains.append(material(board, seat) - before)
            ends.append(board.is_terminal)
            board.pop()
        return self.torch.tensor(np.array(found)), self.torch.tensor(gains, dtype=self.torch.float64), np.array(ends)

    def play(self) -> int:
        """A game, learnt from the turns of one seat. Returns its plies."""
        torch, board, learner, plies = self.torch, Board(self.game), int(self.rng.integers(2)), 0
        traces = [torch.zeros_like(weight) for weight in self.weights]
        last, balance = None, 0.0  # where the learner's turn before led, and its marbles then
        while not board.is_terminal:
            seat = board.to_play
            inputs, gains, ends = self.look(board, seat)
            with torch.no_grad():
                values = torch.where(torch.tensor(ends), 0.0, self.value(inputs))
            if self.rng.random() < EPSILON:
                k = int(self.rng.integers(len(gains)))
            else:
                k = int(torch.argmax(gains + DISCOUNT * values))
            if seat == learner and last is not None:
                paid = material(board, seat) - balance + float(gains[k])
                self.learn(last, paid + DISCOUNT * float(values[k]), traces)
            board.push(board.legal_actions[k])
            plies += 1
            if seat == learner:
                last, balance = (None if ends[k] else inputs[k]), material(board, seat)
        if last is not None:
            self.learn(last, material(board, learner) - balance, traces)
        return plies

    def learn(self, inputs: Any, target: float, traces: list[Any]) -> None:
        """Towards a target, by traces to which the gradient is added."""
        torch = self.torch
        value = self.value(inputs[None])[0]
        gradients = torch.autograd.grad(value, self.weights)
        difference = target - float(value.detach())
        change = STEP_SIZE * difference * (1.0 - KAPPA if difference > 0.0 else 1.0 + KAPPA)
        with torch.no_grad():
            for weight, trace, gradient in zip(self.weights, traces, gradients, strict=True):
                trace.mul_(DISCOUNT * TRACE_DECAY).add_(gradient)
                weight.add_(trace, alpha=change)


def material(board: Board, seat: int) -> float:
    """Marbles that a seat has pushed off, less those it has lost."""
    position: Any = board.position
    ahead = position.own_score - position.other_score
    return float(ahead if position.seat == seat else -ahead)


def their_training() -> Work:
    """The same with PyTorch, in plies."""
    learner = TorchLearner(NetworkConfig())

    def work(n: int) -> int:
        done = 0
        while done < n:
            done += learner.play()
        return done

    return work


def plies_row(effort: Effort) -> Row:
    """Plies a second of both, chosen and learnt from."""
    trainer, ours = our_training()
    subjects = [("train td", ours)]
    if theirs := if_installed(their_training):
        subjects.append(("the same with PyTorch", theirs))
    figures = rates(subjects, effort)
    notes: dict[str, str | float] = {"weights": len(trainer.net.weights), "episodes": trainer.episode, "plies": trainer.plies}
    return Row(
        "td_network",
        "TD(lambda) by self-play, network 9-10-1, Abalone",
        "plies/s",
        *figures,
        absent="PyTorch" if len(subjects) < 2 else None,
        notes=notes,
    )


ROWS: dict[str, Callable[[Effort], Row]] = {"td_network": plies_row}
