"""Q-learning with networks once more, in PyTorch on boards: gradients by autograd, nothing kept from one update to the next."""

import numpy as np
import torch

from boardgym import Board
from boardgym.baselines.learning.q_network.agent import trimmed
from boardgym.core.random import draw, draw_index, uniform


class Reference:
    """The learner of a training that has not begun: its first weights, and the draws of its games."""

    def __init__(self, training):
        config = training.config
        self.training, self.config, self.rng = training, config, training.rng.copy()
        weights = trimmed(training.nets, config.hidden)
        self.weights = {name: torch.tensor(part, requires_grad=True) for name, part in weights.items()}
        self.errors = 0.0

    def q(self, seat, inputs, action):
        """Q(s, a)."""
        first, second, biases = self.weights.values()
        n, form = (0 if self.config.shares else seat), self.config.form
        group, output = (action if form == "multi" else 0), (0 if form == "pair" else action)
        x = torch.tensor(inputs)
        if form == "pair":
            x = torch.cat([x, torch.nn.functional.one_hot(torch.tensor(action), first.shape[2] - 1 - len(x)).double()])
        hidden = torch.tanh(x @ first[n, group, :-1] + first[n, group, -1])
        return torch.tanh(second[n, output] @ hidden + biases[n, output])

    def learn(self, seat, inputs, action, gain):
        """One update."""
        q = self.q(seat, inputs, action)
        alpha = 1.0 if self.config.target == "full" else self.config.step_size
        target = (1.0 - alpha) * q.item() + alpha * gain
        self.errors += (gain - q.item()) ** 2
        loss = 0.5 * (target - q) ** 2
        gradients = torch.autograd.grad(loss, list(self.weights.values()))
        with torch.no_grad():
            for part, gradient in zip(self.weights.values(), gradients, strict=True):
                part -= self.config.learning_rate * gradient

    def choose(self, values, temperature):
        """The number of an action."""
        if self.config.exploration == "epsilon":
            is_random = uniform(self.rng) < float(self.config.epsilon)
            return draw(self.rng, len(values)) if is_random else int(np.argmax(values))
        if temperature < self.config.greedy_below:
            return int(np.argmax(values))
        weights = np.exp((np.array(values) - max(values)) / temperature)
        return draw_index(weights / weights.sum(), self.rng)

    def play(self, temperature):
        """A game."""
        board, before, paid = Board(self.training.game, compiled=False), {}, {0: 0.0, 1: 0.0}
        scale, pass_action = self.training.terms.scale, self.training.terms.pass_action
        limit, plies = self.training.terms.limit, 0
        while not board.is_terminal and plies < limit:
            seat, legal = board.to_play, list(board.legal_actions)
            action = legal[0]
            if legal != [pass_action]:
                inputs = self.inputs(board, seat)
                if seat in before:
                    best = max(self.q(seat, inputs, other).item() for other in legal)
                    self.learn(seat, *before[seat], paid[seat] + self.config.discount * best)
                action = legal[self.choose([self.q(seat, inputs, other).item() for other in legal], temperature)]
                before[seat], paid[seat] = (inputs, action), 0.0
            board.push(action)
            plies += 1
        for seat in before:
            final = board.returns()[seat] * scale if board.is_terminal else 0.0
            self.learn(seat, *before[seat], paid[seat] + final)

    def inputs(self, board, seat):
        """What the networks see."""
        features = self.training.features
        if features.text == "planes":
            return board.observation(seat).ravel().astype(float)
        position = board.position
        own, other = (position.own, position.other) if seat == position.seat else (position.other, position.own)
        return np.array([float(int(own) >> k & 1) - float(int(other) >> k & 1) for k in range(len(features.names))])
