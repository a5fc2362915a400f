"""Q-learning with networks once more, in PyTorch on boards: gradients by autograd, nothing kept from one update to the next."""

import numpy as np
import torch

from boardgym import Board
from boardgym.baselines.learning.q_network.agent import trimmed
from boardgym.compile import as_python
from boardgym.core import verbs
from boardgym.core.random import draw, draw_index, uniform


class Reference:
    """The learner of a training that has not begun: its first weights, and the draws of its games."""

    def __init__(self, training):
        config = training.config
        self.training, self.config, self.rng = training, config, training.rng.copy()
        weights = trimmed(training.nets, config.hidden)
        self.weights = {name: torch.tensor(part, requires_grad=True) for name, part in weights.items()}
        self.errors, self.num_passes, self.num_repeated = 0.0, 0, 0
        self.targets = self.weights if not config.target_every else self.copied()
        self.memory, self.stored, self.updates = [], 0, 0

    def copied(self):
        """The weights as they are now."""
        return {name: part.detach().clone() for name, part in self.weights.items()}

    def q(self, seat, inputs, action, weights=None):
        """Q(s, a)."""
        first, second, biases = (weights or self.weights).values()
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
        self.updates += 1
        if self.config.target_every and self.updates % self.config.target_every == 0:
            self.targets = self.copied()

    def value_of(self, seat, board):
        """What a seat may expect of its next decision."""
        inputs, legal = self.inputs(board, seat), list(board.legal_actions)
        copies = [self.q(seat, inputs, action, self.targets).item() for action in legal]
        if not self.config.double:
            return max(copies)
        return copies[int(np.argmax([self.q(seat, inputs, action).item() for action in legal]))]

    def turned(self, board, symmetry):
        """A board as it looks under a symmetry."""
        found = Board(self.training.game, compiled=False)
        found.set_position(as_python(verbs.transform)(board.position, symmetry))
        return found

    def learn_stored(self, decision):
        """Learns (seat, board, action, what was paid, factor, next board or None) under the symmetries that are asked for."""
        seat, board, action, paid, factor, following = decision
        number = board.game.num_symmetries
        among = {"none": lambda: [0], "random": lambda: [draw(self.rng, number)], "all": lambda: range(number)}
        for k in among[self.config.symmetries]():
            gain = paid if following is None else paid + factor * self.value_of(seat, self.turned(following, k))
            named = as_python(verbs.transform_action)(board.position, action, k)
            self.learn(seat, self.inputs(self.turned(board, k), seat), named, gain)

    def store(self, decision):
        """Keeps a decision in the ring, and learns it, or some of those that are kept."""
        capacity = max(self.config.replay, 1)
        self.memory[self.stored % capacity : self.stored % capacity + 1] = [decision]
        self.stored += 1
        for _ in range(self.config.batch):
            self.learn_stored(self.memory[draw(self.rng, len(self.memory)) if self.config.replay else 0])

    def play_with_options(self, temperature):
        """A game, as `play`, whose decisions are stored once their outcome is known."""
        board, pending, discount = Board(self.training.game, compiled=False), {0: [], 1: []}, self.config.discount

        def store_oldest(seat, following):
            paid = sum(discount**k * one[2] for k, one in enumerate(pending[seat]))
            self.store((seat, *pending[seat][0][:2], paid, discount ** len(pending[seat]), following))
            pending[seat].pop(0)

        while not board.is_terminal:
            seat, legal = board.to_play, list(board.legal_actions)
            if len(pending[seat]) == self.config.n_steps:
                store_oldest(seat, board.copy())
            inputs = self.inputs(board, seat)
            action = legal[self.choose([self.q(seat, inputs, other).item() for other in legal], temperature)]
            pending[seat].append([board.copy(), action, 0.0])
            board.push(action)
        for seat in pending:
            pending[seat][-1][2] += board.returns()[seat]
            while pending[seat]:
                store_oldest(seat, None)

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
        board, before, paid = Board(self.training.game, compiled=False, auto_roll=False), {}, {}
        limit, plies = self.training.learner.limit, 0
        while not board.is_terminal and plies < limit:
            action = self.roll(board) if board.is_chance else self.decide(board, before, paid, temperature)
            board.push(action)
            plies += 1
            for seat in before:
                paid[seat] += self.paid(board, seat)
        for seat in sorted(before):
            self.learn(seat, *before[seat], paid[seat])
        self.num_repeated += bool(board.is_terminal and not as_python(verbs.is_terminal)(board.position))

    def decide(self, board, before, paid, temperature):
        """A seat's action: it learns from its decision before and notes this one; a pass is none."""
        seat, legal = board.to_play, list(board.legal_actions)
        if legal == [self.training.game.pass_action]:
            self.num_passes += 1
            return legal[0]
        inputs = self.inputs(board, seat)
        if seat in before:
            best = max(self.q(seat, inputs, other).item() for other in legal)
            self.learn(seat, *before[seat], paid[seat] + self.config.discount * best)
        action = legal[self.choose([self.q(seat, inputs, other).item() for other in legal], temperature)]
        before[seat], paid[seat] = (inputs, action), 0.0
        return action

    def roll(self, board):
        """An outcome of chance."""
        outcomes, probabilities = np.zeros(board.game.num_outcomes, np.int64), np.zeros(board.game.num_outcomes)
        count = as_python(verbs.chance)(board.position, outcomes, probabilities)
        return int(outcomes[draw_index(probabilities[:count], self.rng)])

    def paid(self, board, seat):
        """What the latest ply paid a seat, as networks learn it: a whole game pays from -1 to 1."""
        game = board.game
        if verbs.has_rule("reward", game.position_class):
            pay = as_python(verbs.reward)(board.position, seat)
        else:
            pay = board.returns()[seat] if board.is_terminal else 0.0
        return pay / max(abs(game.min_return), abs(game.max_return))

    def inputs(self, board, seat):
        """What the networks see."""
        features = self.training.features
        if features.text == "planes":
            return board.observation(seat).ravel().astype(float)
        position = board.position
        own, other = (position.own, position.other) if seat == position.seat else (position.other, position.own)
        return np.array([float(int(own) >> k & 1) - float(int(other) >> k & 1) for k in range(len(features.names))])
